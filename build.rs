//! Compiles folders into the binary: `data-skeleton/`, so that it can be written anywhere (see
//! `src/cli/skeleton.rs`), and `admin/dist/`, the web interface (see `src/http/interface/`).

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::GzBuilder;
use sha2::Digest as _;
use sha2::Sha256;

/// What a server that was pointed at the skeleton itself leaves there.
const LEFT_BY_A_SERVER: &[&str] = &[".recto", "journal", "system", "backups", "revisions", "trash"];

/// How many digits of a hash name a build, and a file.
const TAG_DIGITS: usize = 16;

fn main() -> io::Result<()> {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    skeleton(&root.join("data-skeleton"), &out)?;
    interface(&root.join("admin/dist"), &out)
}

/// Writes the table of the skeleton's paths and bytes.
fn skeleton(root: &Path, out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(root, "", LEFT_BY_A_SERVER, &mut files)?;
    let mut table = String::from("&[\n");
    for path in files {
        // Both are written as Rust spells strings, so that no name can break the table.
        let source = root.join(&path).display().to_string();
        let _ = writeln!(table, "    ({path:?}, include_bytes!({source:?})),");
    }
    table.push_str("]\n");
    fs::write(out.join("skeleton.rs"), table)
}

/// Writes the table of the interface's files: compressed, and with what names their content.
fn interface(root: &Path, out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if env::var_os("CARGO_FEATURE_ADMIN_UI").is_some() && root.is_dir() {
        collect(root, "", &[SOURCES], &mut files)?;
    }
    // As the paths are looked up: `a-b` comes before `a/b`, whatever the folders say.
    files.sort();
    let mut build = Sha256::new();
    let mut rows = String::new();
    for (number, path) in files.iter().enumerate() {
        let bytes = fs::read(root.join(path))?;
        let tag = hex(&Sha256::digest(&bytes));
        // Lengths keep a path and bytes apart from others that follow each other the same way.
        build.update(format!("{} {path} {} ", path.len(), bytes.len()));
        build.update(&bytes);
        let (br, gz) = (out.join(format!("{number}.br")), out.join(format!("{number}.gz")));
        fs::write(&br, brotli(&bytes)?)?;
        fs::write(&gz, gzip(&bytes)?)?;
        let (br, gz) = (br.display().to_string(), gz.display().to_string());
        let _ = writeln!(
            rows,
            "    ({path:?}, include_bytes!({br:?}), include_bytes!({gz:?}), {tag:?}),"
        );
    }
    let build = hex(&build.finalize());
    fs::write(out.join("interface.rs"), format!("({build:?}, &[\n{rows}])\n"))
}

/// Tells a test which sources the bundle was made of; no browser asks for it.
const SOURCES: &str = "SOURCE.sha256";

/// Whether compression is worth the time.
fn is_release() -> bool {
    env::var("PROFILE").is_ok_and(|it| it == "release")
}

/// As dense as can be; nothing where that is not worth the time.
fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    if is_release() {
        let parameters = BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
        brotli::BrotliCompress(&mut io::Cursor::new(bytes), &mut packed, &parameters)?;
    }
    Ok(packed)
}

/// The same bytes on every machine: no time, no name, no system.
fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let level = if is_release() { Compression::best() } else { Compression::none() };
    let mut encoder = GzBuilder::new().operating_system(255).write(Vec::new(), level);
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn hex(hash: &[u8]) -> String {
    let digits = hash.iter().map(|it| format!("{it:02x}")).collect::<String>();
    digits.chars().take(TAG_DIGITS).collect()
}

fn collect(folder: &Path, prefix: &str, skip: &[&str], files: &mut Vec<String>) -> io::Result<()> {
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
            collect(&entry.path(), &format!("{path}/"), skip, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}
