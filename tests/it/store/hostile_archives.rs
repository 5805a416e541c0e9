//! Archives that mean harm: each is refused before anything is live, says why, and leaves the
//! folder as it was, byte for byte, with nothing among what is under way.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use recto::engine::Engine;
use recto::engine::backups::request::BackupError;
use recto::model::backup::ArchiveDefect;
use recto::model::backup::BackupName;
use recto::store::write::spool::Spooled;
use serde_json::json;
use sha2::Digest;
use sha2::Sha256;
use zip::CompressionMethod;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::backups::PNG;
use crate::support::backups::everything;
use crate::support::backups::expect_clean;
use crate::support::backups::files;
use crate::support::backups::furnish;
use crate::support::folder;
use crate::support::folder::Data;

const ENTRY: &str = "workspaces/main/content/posts/a.json";

/// An archive as it should be, of these files.
struct Archive {
    files: Vec<(String, Vec<u8>)>,
    manifest: serde_json::Value,
    /// What is written to the sums instead.
    sums: Option<String>,
    options: SimpleFileOptions,
}

impl Archive {
    fn of(files: &[(&str, &[u8])]) -> Archive {
        let manifest = json!({
            "format": 1, "generator": {"name": "recto", "version": "1"},
            "created_at": "2026-05-03T12:00:00Z",
            "parts": ["schemas", "content", "revisions", "trash", "media", "users", "roles",
                "tokens", "webhooks", "settings"],
            "workspaces": ["main"], "counts": {}, "bytes": 0, "secrets": true
        });
        let files = files.iter().map(|(path, bytes)| (path.to_string(), bytes.to_vec())).collect();
        Archive { files, manifest, sums: None, options: SimpleFileOptions::default() }
    }

    fn sums(&self) -> String {
        let line = |(path, bytes): &(String, Vec<u8>)| {
            let sum: String = Sha256::digest(bytes).iter().map(|it| format!("{it:02x}")).collect();
            format!("{sum}  {path}\n")
        };
        let files = self.files.iter().filter(|(path, _)| !path.ends_with('/'));
        self.sums.clone().unwrap_or_else(|| files.map(line).collect())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes) in &self.files {
            if path.ends_with('/') {
                zip.add_directory(&**path, self.options).unwrap();
                continue;
            }
            zip.start_file(path, self.options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        self.end(zip)
    }

    /// The files that every archive has.
    fn end(&self, mut zip: ZipWriter<Cursor<Vec<u8>>>) -> Vec<u8> {
        let sums = self.sums();
        let mut manifest = self.manifest.clone();
        let sum = Sha256::digest(sums.as_bytes());
        let sum: String = sum.iter().map(|it| format!("{it:02x}")).collect();
        manifest["sums_sha256"] = sum.into();
        zip.start_file("recto-backup.sums", SimpleFileOptions::default()).unwrap();
        zip.write_all(sums.as_bytes()).unwrap();
        zip.start_file("recto-backup.json", SimpleFileOptions::default()).unwrap();
        zip.write_all(manifest.to_string().as_bytes()).unwrap();
        zip.finish().unwrap().into_inner()
    }
}

/// Every place of `from` becomes `to`, which is as long: what a ZIP writer would not write.
fn patched(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut out = bytes.to_vec();
    let mut count = 0;
    for at in 0..=bytes.len() - from.len() {
        if &bytes[at..at + from.len()] == from {
            out[at..at + to.len()].copy_from_slice(to);
            count += 1;
        }
    }
    assert!(count > 0, "{:?} is not there", String::from_utf8_lossy(from));
    out
}

/// Changes bytes of each header: `at` in the one before the data, `central` in the directory.
fn in_headers(bytes: &[u8], at: usize, central: usize, change: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for place in 0..bytes.len().saturating_sub(4) {
        match &bytes[place..place + 4] {
            b"PK\x03\x04" => change(&mut out[place + at..]),
            b"PK\x01\x02" => change(&mut out[place + central..]),
            _ => {}
        }
    }
    out
}

struct Scene {
    data: Data,
    engine: Arc<Engine>,
}

impl Scene {
    fn new() -> Scene {
        let data = Data::empty();
        furnish(&data);
        let clock: Arc<dyn recto::stdx::clock::Clock> = Arc::new(recto::stdx::clock::SystemClock);
        let engine = Engine::open(folder::options(data.root(), &clock)).unwrap();
        Scene { data, engine }
    }

    fn spool(&self, bytes: &[u8]) -> Spooled {
        let mut spool = self.engine.folder().create_spool().unwrap();
        spool.write(bytes).unwrap();
        let mut spooled = spool.finish().unwrap();
        spooled.name = "x.zip".to_string();
        spooled
    }

    /// What is said of an archive that is sent, and of the same one put there by hand.
    fn refusals(&self, bytes: &[u8]) -> [Vec<ArchiveDefect>; 2] {
        let before = all_files(self.data.root());
        let sent = flaws(self.engine.backups().import_backup(self.spool(bytes)).map(|_| ()));
        expect_clean(self.data.root());
        assert!(all_files(self.data.root()) == before);
        self.data.write("backups/by-hand.zip", bytes);
        let name = BackupName::parse("by-hand.zip").unwrap();
        let restored = self.engine.backups().restore_backup(&name, &everything(true), &|_| Ok(()));
        let restored = flaws(restored.map(|_| ()));
        assert!(flaws(self.engine.backups().inspect_backup(&name).map(|_| ())) == restored);
        assert!(!self.engine.backups().load_backup(&name).unwrap().verified);
        self.data.remove("backups/by-hand.zip");
        expect_clean(self.data.root());
        assert!(all_files(self.data.root()) == before);
        [sent, restored]
    }

    #[track_caller]
    fn check(&self, bytes: &[u8], path: &str, message: &str) {
        for flaws in self.refusals(bytes) {
            let told = flaws.iter().any(|it| it.path == path && it.message.contains(message));
            assert!(told, "{path:?} {message:?}: {flaws:?}");
        }
    }
}

fn all_files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = files(root);
    if let Ok(items) = fs::read_dir(root.join("backups")) {
        for item in items.map(Result::unwrap) {
            all.insert(format!("{:?}", item.file_name()), fs::read(item.path()).unwrap());
        }
    }
    all
}

fn flaws(refused: Result<(), BackupError>) -> Vec<ArchiveDefect> {
    match refused {
        Err(BackupError::Flawed(flaws)) => flaws,
        Err(other) => panic!("{other:?}"),
        Ok(()) => Vec::new(),
    }
}

#[test]
fn one_that_means_no_harm_is_taken() {
    let scene = Scene::new();
    let mut archive = Archive::of(&[(ENTRY, b"{\"title\": \"Sent\"}")]);
    archive.files.push(("workspaces/main/content/".to_string(), Vec::new()));
    let (card, manifest) =
        scene.engine.backups().import_backup(scene.spool(&archive.bytes())).unwrap();
    assert_eq!((card.name.as_str(), card.verified, manifest.format), ("x.zip", true, 1));
    let (again, _) = scene.engine.backups().import_backup(scene.spool(&archive.bytes())).unwrap();
    assert_eq!(again.name.as_str(), "x-2.zip");
    let none = BTreeMap::from([(recto::model::backup::BackupPart::Content, 1)]);
    let order = everything(false);
    let done = scene.engine.backups().restore_backup(&card.name, &order, &|_| Ok(())).unwrap();
    assert_eq!(done.skipped, none);
    expect_clean(scene.data.root());
}

#[test]
fn names_that_lead_elsewhere() {
    let scene = Scene::new();
    let out = "Its name leads out of the folder.";
    let unknown = "This is not a file of a data folder.";
    for (name, message) in [
        ("../evil.json", out),
        ("workspaces/main/../../../evil.json", out),
        ("/etc/cron.d/evil", out),
        ("C:\\evil.json", out),
        ("C:/evil.json", out),
        ("workspaces\\main\\content\\posts\\a.json", out),
        ("workspaces/./main/workspace.json", out),
        ("workspaces//main/workspace.json", unknown),
        ("workspaces/main/content/posts/x.exe", unknown),
        ("workspaces/main/content/posts/.a.json", unknown),
        ("workspaces/main/content/posts/a.json/b.json", unknown),
        ("workspaces/Main/workspace.json", unknown),
        ("workspaces/main/media/CON.png", unknown),
        ("workspaces/main/media/.htaccess", unknown),
        ("workspaces/main/media/cafe\u{301}.png", unknown),
        (".recto/sessions/x.json", unknown),
        ("journal/1.intent", unknown),
        ("backups/x.zip", unknown),
        ("broken/../x.json", out),
        ("broken/x.json", unknown),
        ("x.json", unknown),
    ] {
        scene.check(&Archive::of(&[(name, b"{}")]).bytes(), name, message);
    }
    let with = |name: &str| {
        let archive = Archive::of(&[("workspaces/main/content/posts/aXb.json", b"{}")]);
        patched(&archive.bytes(), b"aXb.json", name.as_bytes())
    };
    let folder = "workspaces/main/content/posts/";
    let control = "Its name contains control characters.";
    scene.check(&with("a\0b.json"), &format!("{folder}a\\0b.json"), control);
    scene.check(&with("a\nb.json"), &format!("{folder}a\\nb.json"), control);
    let archive = Archive::of(&[("workspaces/main/content/posts/aXb.json", b"{}")]).bytes();
    let garbled = patched(&archive, b"aXb.json", b"a\xffb.json");
    scene.check(&garbled, &format!("{folder}a\u{fffd}b.json"), "Its name is not UTF-8.");
}

#[test]
fn files_that_share_their_bytes() {
    let scene = Scene::new();
    let other = "workspaces/main/content/posts/b.json";
    let mut archive =
        Archive::of(&[(ENTRY, b"{\"title\": \"Same\"}"), (other, b"{\"title\": \"Same\"}")]);
    archive.options = archive.options.compression_method(CompressionMethod::Stored);
    // The directory leads to the bytes of the first file for the second, too.
    let mut central = 0;
    let bytes = archive.bytes();
    let mut shared = bytes.clone();
    for place in 0..bytes.len() - 4 {
        if &bytes[place..place + 4] == b"PK\x01\x02" {
            central += 1;
            if central == 2 {
                shared[place + 42..place + 46].copy_from_slice(&0_u32.to_le_bytes());
            }
        }
    }
    scene.check(&shared, "", "Files in it overlap");
}

#[test]
fn what_is_no_file() {
    let scene = Scene::new();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink(ENTRY, "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let archive = Archive::of(&[(ENTRY, b"/etc/passwd")]);
    scene.check(&archive.end(zip), ENTRY, "This is not a regular file.");
    // A pipe, as the other kinds of the system are.
    let archive = Archive::of(&[(ENTRY, b"{}")]).bytes();
    let pipes = in_headers(&archive, 0, 38, |place| {
        if !place.starts_with(b"PK\x03\x04") {
            place[..4].copy_from_slice(&(0o010_644_u32 << 16).to_le_bytes());
        }
    });
    scene.check(&pipes, ENTRY, "This is not a regular file.");
    let mut folder = Archive::of(&[]);
    folder.files.push(("elsewhere/".to_string(), Vec::new()));
    scene.check(&folder.bytes(), "elsewhere/", "This is not a file of a data folder.");
}

#[test]
fn bombs() {
    let scene = Scene::new();
    let media = "workspaces/main/media/bomb.txt";
    let zeros = vec![b'0'; 64 * 1024 * 1024];
    let bomb = Archive::of(&[(media, &zeros)]).bytes();
    assert!(bomb.len() < 100_000);
    let message = "decompression bomb";
    scene.check(&bomb, media, message);
    // The sizes in the headers are believed by nobody.
    let lying = in_headers(&bomb, 22, 24, |place| place[..4].copy_from_slice(&7_u32.to_le_bytes()));
    for flaws in scene.refusals(&lying) {
        assert!(!flaws.is_empty());
    }
    // Many small ones, none of which is large.
    let some = vec![b' '; 5 * 1024 * 1024];
    let files: Vec<(String, Vec<u8>)> = (0..12)
        .map(|it| {
            let text = [b"{\"title\": 1", some.as_slice(), b"}"].concat();
            (format!("workspaces/main/content/posts/b{it}.json"), text)
        })
        .collect();
    let archive = Archive { files, ..Archive::of(&[]) };
    for flaws in scene.refusals(&archive.bytes()) {
        assert!(flaws.iter().any(|it| it.message.contains(message)), "{flaws:?}");
    }
    // One in another is a file like any other.
    let nested = Archive::of(&[("workspaces/main/media/inner.zip", &bomb)]).bytes();
    scene.engine.backups().import_backup(scene.spool(&nested)).unwrap();
    let large = vec![b'1'; 9 * 1024 * 1024];
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let archive = Archive { options: stored, ..Archive::of(&[(ENTRY, &large)]) };
    scene.check(&archive.bytes(), ENTRY, "It has more than 8 MiB.");
    // The same bytes by two names.
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(media, SimpleFileOptions::default()).unwrap();
    zip.write_all(&zeros[..9 * 1024 * 1024]).unwrap();
    let mut archive = Archive::of(&[(media, &zeros[..9 * 1024 * 1024])]);
    for number in 0..20 {
        let twin = format!("workspaces/main/media/bomb{number}.txt");
        zip.shallow_copy_file(media, &twin).unwrap();
        archive.files.push((twin, zeros[..9 * 1024 * 1024].to_vec()));
    }
    for flaws in scene.refusals(&archive.end(zip)) {
        assert!(flaws.iter().any(|it| it.message.contains(message)), "{flaws:?}");
    }
}

#[test]
fn too_many_files() {
    let scene = Scene::new();
    let files =
        (0..100_001).map(|it| (format!("workspaces/main/content/posts/n{it}.json"), vec![]));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let archive = Archive { files: files.collect(), options: stored, ..Archive::of(&[]) };
    let sent =
        flaws(scene.engine.backups().import_backup(scene.spool(&archive.bytes())).map(|_| ()));
    assert_eq!(sent.len(), 1);
    let expect = "It contains 100001 files; the limit is 100000.";
    assert_eq!(sent[0].message, expect);
    expect_clean(scene.data.root());
}

#[test]
fn files_that_are_not_what_they_should_be() {
    let scene = Scene::new();
    let check = |path: &str, bytes: &[u8], message: &str| {
        scene.check(&Archive::of(&[(path, bytes)]).bytes(), path, message);
    };
    check(ENTRY, b"[]", "not an object");
    check(ENTRY, b"\"text\"", "not an object");
    check(ENTRY, b"", "The file is empty.");
    check(ENTRY, b"{\"title\": ", "(line 1, column");
    check(ENTRY, b"{\"a\": 1, \"a\": 2}", "Duplicate key");
    check(ENTRY, &[b"{\"a\":".repeat(200), b"1".to_vec(), b"}".repeat(200)].concat(), "");
    check("workspaces/main/schemas/posts.json", b"{\"fields\": []}", "");
    check("workspaces/main/workspace.json", b"{\"format\": 99}", "");
    check("workspaces/main/media/x.png", b"<script>", "its bytes do not match");
    check("workspaces/main/media/x.jpg", PNG, "its bytes do not match");
    check("workspaces/main/media/x.exe", b"MZ", "Files of this type are not kept.");
    check("workspaces/main/media/x.html", b"<html>", "Files of this type are not kept.");
    check("workspaces/main/icon.png", b"<svg>", "This is not a PNG image.");
    check("system/avatars/u1.png", b"<svg>", "This is not a PNG image.");
    check("system/tokens/01jz8x3m5q7v9c2a.json", b"{\"permissions\": [{}]}", "");
    check("system/users/u1.json", b"7", "not an object");
}

#[test]
fn names_that_are_there_twice() {
    let scene = Scene::new();
    let bytes = Archive::of(&[(ENTRY, b"{}"), ("workspaces/main/content/posts/A.json", b"{}")]);
    let message = "Another name differs from it only in case.";
    scene.check(&bytes.bytes(), "workspaces/main/content/posts/A.json", message);
    let twice = Archive::of(&[(ENTRY, b"{}"), ("workspaces/main/content/posts/b.json", b"{}")]);
    let twice = patched(&twice.bytes(), b"posts/b.json", b"posts/a.json");
    scene.check(&twice, "", "have the same name");
}

#[test]
fn archives_that_cannot_be_read() {
    let scene = Scene::new();
    let whole = Archive::of(&[(ENTRY, b"{\"title\": \"A\"}")]).bytes();
    let none = "This is not a ZIP archive, or it is cut off.";
    scene.check(b"", "", none);
    scene.check(b"text that is no archive, whatever it is called", "", none);
    for cut in [1, 20, 22, 30, 100, whole.len() / 2, whole.len() - 1] {
        scene.check(&whole[..whole.len() - cut], "", none);
    }
    // Read in two ways: something before it, something behind it.
    scene.check(&[b"#!/bin/sh\n", whole.as_slice()].concat(), "", none);
    scene.check(&[whole.as_slice(), b"more"].concat(), "", none);
    let encrypted = in_headers(&whole, 6, 8, |place| place[0] |= 1);
    for flaws in scene.refusals(&encrypted) {
        assert!(flaws.iter().all(|it| it.message == "It is encrypted."), "{flaws:?}");
    }
    for method in [12_u16, 14, 93, 99, 1000] {
        let other = in_headers(&whole, 8, 10, |place| {
            place[..2].copy_from_slice(&method.to_le_bytes());
        });
        for flaws in scene.refusals(&other) {
            assert!(!flaws.is_empty(), "{method}");
        }
    }
    // Every byte of it is something else once: refused, or as good as before.
    for at in 0..whole.len() {
        let mut spoilt = whole.clone();
        spoilt[at] ^= 0x55;
        let taken = scene.engine.backups().import_backup(scene.spool(&spoilt));
        if let Ok((card, _)) = taken {
            scene.engine.backups().delete_backup(&card.name).unwrap();
        }
        expect_clean(scene.data.root());
    }
}

#[test]
fn what_the_manifest_says_is_so() {
    let scene = Scene::new();
    let archive = || Archive::of(&[(ENTRY, b"{}")]);
    let check = |archive: Archive, path: &str, message: &str| {
        scene.check(&archive.bytes(), path, message);
    };
    let with = |key: &str, value: serde_json::Value| {
        let mut archive = archive();
        archive.manifest[key] = value;
        archive
    };
    check(with("format", json!(2)), "recto-backup.json", "newer version");
    for format in [json!("x"), json!("1"), json!(0), json!(-1), json!(1.5), json!(null)] {
        check(with("format", format), "recto-backup.json", "must be a whole number, 1 or more");
    }
    check(with("parts", json!("all")), "recto-backup.json", "cannot be read");
    check(with("parts", json!(["media"])), ENTRY, "does not list it");
    check(with("workspaces", json!(["shop"])), ENTRY, "does not list it");
    check(with("note", json!("x".repeat(501))), "recto-backup.json", "too long");
    check(Archive { sums: Some(String::new()), ..archive() }, ENTRY, "no checksum");
    let other = format!("{}  {ENTRY}\n", "0".repeat(64));
    check(Archive { sums: Some(other.clone()), ..archive() }, ENTRY, "the checksum differs");
    let more = format!("{other}{}  {ENTRY}.x\n", "0".repeat(64));
    check(Archive { sums: Some(more), ..archive() }, &format!("{ENTRY}.x"), "missing");
    check(
        Archive { sums: Some("x".into()), ..archive() },
        "recto-backup.sums",
        "is not a checksum",
    );
    let manifest = patched(&archive().bytes(), b"recto-backup.json", b"recto-backup.jsoX");
    scene.check(&manifest, "recto-backup.jsoX", "not a file of a data folder");
    let empty = ZipWriter::new(Cursor::new(Vec::new())).finish().unwrap().into_inner();
    scene.check(&empty, "", "This is not a backup");
}
