//! Lists the files of `data-skeleton/` as a table of their paths and bytes, so that the binary can
//! write the folder anywhere (see `src/cli/skeleton.rs`).

use std::env;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

/// What a server that was pointed at the skeleton itself leaves there.
const LEFT_BY_A_SERVER: &[&str] = &[".recto", "journal", "system", "backups", "revisions", "trash"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("data-skeleton");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, "", &mut files)?;
    let mut table = String::from("&[\n");
    for path in files {
        // Both are written as Rust spells strings, so that no name can break the table.
        let source = root.join(&path).display().to_string();
        let _ = writeln!(table, "    ({path:?}, include_bytes!({source:?})),");
    }
    table.push_str("]\n");
    fs::write(Path::new(&variable("OUT_DIR")?).join("skeleton.rs"), table)
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<String>) -> io::Result<()> {
    let mut names: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    names.sort_by_key(fs::DirEntry::file_name);
    for entry in names {
        let name = entry.file_name();
        let name = name.to_str().ok_or_else(|| io::Error::other("a name is not UTF-8"))?;
        if LEFT_BY_A_SERVER.contains(&name) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}
