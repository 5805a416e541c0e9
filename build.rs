//! The build script, which compiles folders into the binary: `data-skeleton/`, which
//! `recto` writes into new data folders, and `admin/dist/`, the web interface,
//! which `src/http` serves. It also tells the sources of one build from those of another.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use brotli::enc::BrotliEncoderParams;
use sha2::Digest as _;
use sha2::Sha256;

/// The folders that a server leaves in the skeleton if it was started there.
const LEFT_BY_A_SERVER: &[&str] = &[".recto", "journal", "system", "backups", "revisions", "trash"];

/// The number of digits of a hash that identifies a build or a file.
const TAG_DIGITS: usize = 16;

fn main() -> io::Result<()> {
    let root = PathBuf::from(read_variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(read_variable("OUT_DIR")?);
    set_sources_sum(&root)?;
    set_build_line();
    write_skeleton(&root.join("data-skeleton"), &out)?;
    write_interface(&root.join("admin/dist"), &out)
}

/// The folders of the sources, but for those of a crate that comes from a registry.
const SOURCE_FOLDERS: &[&str] = &["src", "json-schema/src"];

/// Sets `RECTO_SOURCES` to the hash of the sources and the versions of all dependencies. It is the
/// same wherever and whenever they are compiled.
fn set_sources_sum(root: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    let folders = SOURCE_FOLDERS.iter().filter(|it| root.join(it).is_dir());
    for folder in folders.clone() {
        collect_files(&root.join(folder), &format!("{folder}/"), &[], &mut files)?;
    }
    files.extend(["Cargo.lock", "Cargo.toml"].map(str::to_owned));
    for place in folders.chain(&["Cargo.lock", "Cargo.toml"]) {
        println!("cargo::rerun-if-changed={}", root.join(place).display());
    }
    println!("cargo::rustc-env=RECTO_SOURCES={}", hash_files(root, &files)?);
    Ok(())
}

/// Sets `RECTO_BUILD`, the line that says of what and when the program was built. What publishes it
/// sets the variables; other builds do not depend on the state of the repository, so that a commit
/// alone compiles nothing again.
fn set_build_line() {
    for name in ["RECTO_COMMIT", "RECTO_BUILD_DATE"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let line = match (env::var("RECTO_COMMIT"), env::var("RECTO_BUILD_DATE")) {
        (Ok(commit), Ok(date)) => format!("commit {commit}, built {date}"),
        _ => "built from source".to_owned(),
    };
    println!("cargo::rustc-env=RECTO_BUILD={line}");
}

/// Writes the table of the skeleton's paths and bytes.
fn write_skeleton(root: &Path, out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect_files(root, "", LEFT_BY_A_SERVER, &mut files)?;
    let mut table = String::from("&[\n");
    for path in files {
        // Both are written as Rust string literals, so that no name can break the table.
        let source = root.join(&path).display().to_string();
        let _ = writeln!(table, "    ({path:?}, include_bytes!({source:?})),");
    }
    table.push_str("]\n");
    fs::write(out.join("skeleton.rs"), table)
}

/// Writes the table of the interface's files with the hash of each content: compressed in release
/// builds, and as they are in others, since compression takes its time.
fn write_interface(root: &Path, out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if env::var_os("CARGO_FEATURE_ADMIN_UI").is_some() && root.is_dir() {
        collect_files(root, "", &[SOURCES], &mut files)?;
    }
    // Sorted like the paths are looked up: `a-b` comes before `a/b`.
    files.sort();
    let mut rows = String::new();
    for path in &files {
        let bytes = fs::read(root.join(path))?;
        let tag = hash_tag(&Sha256::digest(&bytes));
        let packed = out.join(format!("{tag}.packed"));
        // Compressing takes seconds, and most changes are none of the interface.
        if !packed.exists() {
            let unfinished = out.join("unfinished");
            fs::write(&unfinished, if is_release() { compress_brotli(&bytes)? } else { bytes })?;
            fs::rename(&unfinished, &packed)?;
        }
        let packed = packed.display().to_string();
        let _ = writeln!(rows, "    ({path:?}, include_bytes!({packed:?}), {tag:?}),");
    }
    let (build, is_packed) = (hash_files(root, &files)?, is_release());
    fs::write(out.join("interface.rs"), format!("({build:?}, {is_packed}, &[\n{rows}])\n"))
}

/// The list of the sources of the bundle, which only a test reads.
const SOURCES: &str = "SOURCE.sha256";

/// Returns true if compression is worth its time.
fn is_release() -> bool {
    env::var("PROFILE").is_ok_and(|it| it == "release")
}

/// Compresses as densely as possible. The window holds the largest file; a larger one would cost
/// the server that much memory when it decompresses.
fn compress_brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let parameters = BrotliEncoderParams { quality: 11, lgwin: 20, ..Default::default() };
    brotli::BrotliCompress(&mut io::Cursor::new(bytes), &mut packed, &parameters)?;
    Ok(packed)
}

/// Returns the hash of these files with their paths.
fn hash_files(root: &Path, files: &[String]) -> io::Result<String> {
    let mut hash = Sha256::new();
    for path in files {
        let bytes = fs::read(root.join(path))?;
        // The lengths separate a path from its bytes, and files from each other.
        hash.update(format!("{} {path} {} ", path.len(), bytes.len()));
        hash.update(&bytes);
    }
    Ok(hash_tag(&hash.finalize()))
}

fn hash_tag(hash: &[u8]) -> String {
    let digits = hash.iter().map(|it| format!("{it:02x}")).collect::<String>();
    digits.chars().take(TAG_DIGITS).collect()
}

fn collect_files(
    folder: &Path,
    prefix: &str,
    skip: &[&str],
    files: &mut Vec<String>,
) -> io::Result<()> {
    let mut names: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    names.sort_by_key(fs::DirEntry::file_name);
    for entry in names {
        let name = entry.file_name();
        let name = name.to_str().ok_or_else(|| io::Error::other("a name is not UTF-8"))?;
        if skip.contains(&name) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            collect_files(&entry.path(), &format!("{path}/"), skip, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn read_variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}
