//! New versions of the program: told of, downloaded, verified, put in the place of the old one;
//! and everything that must not be.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use recto::app::error::Error;
use recto::app::jobs::updates::ByteSink;
use recto::app::jobs::updates::FetchLimits;
use recto::app::jobs::updates::Fetcher;
use recto::app::jobs::updates::UpdateSettings;
use recto::app::jobs::updates::UpdateStatus;
use recto::app::jobs::updates::Updates;
use recto::model::release::version::Version;
use recto::stdx::platform::TARGET;
use recto::stdx::time::Timestamp;
use recto::store::disk::OsDisk;
use recto::store::updates::update_store::UpdateStore;
use serde_json::Value;
use serde_json::json;
use tempfile::TempDir;

use crate::support::executables::program;
use crate::support::executables::says;
use crate::support::releases::Publisher;
use crate::support::releases::expect_refused;
use crate::support::releases::names;
use crate::support::releases::program_url;
use crate::support::releases::refused;
use crate::support::releases::runnable;

const CHANNEL: &str = "https://releases.test/latest.json";
const OLD: &str = "recto 1.0.0";

/// A site with files by URL; what was asked is written down.
#[derive(Default)]
struct Site {
    files: Mutex<HashMap<String, Vec<u8>>>,
    asked: Mutex<Vec<String>>,
    /// Hangs up after so many bytes of a program.
    cut: Mutex<Option<usize>>,
}

impl Site {
    fn set(&self, url: &str, bytes: &[u8]) {
        self.files.lock().unwrap().insert(url.to_string(), bytes.to_vec());
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Fetcher for Site {
    fn fetch(&self, url: &str, most: FetchLimits, sink: ByteSink<'_>) -> Result<(), String> {
        self.asked.lock().unwrap().push(url.to_string());
        let bytes = self.files.lock().unwrap().get(url).cloned().ok_or("Nobody is there.")?;
        let cut = self.cut.lock().unwrap().filter(|_| url != CHANNEL).unwrap_or(bytes.len());
        let mut room = most.bytes;
        for piece in bytes[..cut].chunks(100) {
            room = room.checked_sub(piece.len() as u64).ok_or("That is too much.")?;
            sink(piece).map_err(|error| error.to_string())?;
        }
        if cut < bytes.len() { Err("The connection broke.".to_string()) } else { Ok(()) }
    }
}

/// A data folder, a program in a folder of its own, and a site with releases.
struct World {
    data: TempDir,
    place: TempDir,
    publisher: Publisher,
    site: Site,
    now: Timestamp,
}

impl World {
    fn new() -> World {
        let (data, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let now = Timestamp::parse("2026-06-01").unwrap();
        let (publisher, site) = (Publisher::new(), Site::default());
        let world = World { data, place, publisher, site, now };
        fs::write(world.program(), program(OLD)).unwrap();
        runnable(&world.program());
        world
    }

    fn program(&self) -> PathBuf {
        self.place.path().join("recto")
    }

    fn settings(&self) -> UpdateSettings {
        UpdateSettings {
            url: Some(CHANNEL.to_string()),
            key: Some(self.publisher.key()),
            current: Version::parse("1.0.0").unwrap(),
            program: Ok(self.program()),
        }
    }

    fn updates_with(&self, settings: UpdateSettings) -> Updates {
        let disk = Arc::new(OsDisk::open(self.data.path()).unwrap());
        Updates::new(UpdateStore::new(self.data.path().into(), disk, false), settings, self.now)
    }

    fn updates(&self) -> Updates {
        self.updates_with(self.settings())
    }

    /// Puts a release on the site.
    fn publish(&self, version: &str) {
        let bytes = program(&format!("recto {version}"));
        self.site.set(&program_url(version), &bytes);
        self.tell(&self.publisher.manifest(version, &bytes));
    }

    fn tell(&self, manifest: &Value) {
        self.site.set(CHANNEL, manifest.to_string().as_bytes());
    }

    fn check(&self) -> Result<UpdateStatus, Error> {
        self.updates().check_channel(self.now, &self.site)
    }

    fn download(&self) -> Result<UpdateStatus, Error> {
        self.updates().download(self.now, &self.site).map(|(_, status)| status)
    }

    fn install(&self) -> Result<UpdateStatus, Error> {
        self.updates().install(self.now).map(|(_, status)| status)
    }

    fn runs(&self) -> String {
        says(&self.program())
    }

    /// Names in the folder of the program.
    fn beside(&self) -> Vec<String> {
        names(self.place.path())
    }

    fn staged(&self) -> Vec<String> {
        let mut names = names(&self.data.path().join(".recto/updates"));
        names.retain(|it| it != "status.json");
        names
    }

    /// Nothing was taken, nothing is left behind, and the old program is what it was.
    fn expect_untouched(&self, what: &str) {
        assert_eq!(self.updates().status().staged.map(|it| it.version), None, "{what}");
        assert_eq!(self.staged(), Vec::<String>::new(), "{what}");
        assert_eq!(names(&self.data.path().join(".recto/tmp")), Vec::<String>::new(), "{what}");
        assert_eq!((self.runs().as_str(), self.beside()), (OLD, vec!["recto".to_string()]));
    }
}

#[test]
fn a_release_is_found_downloaded_and_installed() {
    let world = World::new();
    let status = world.updates().status();
    assert_eq!(status.message, "Recto has not looked for updates yet.");
    assert!(status.latest.is_none() && !status.update_available);
    world.publish("1.1.0");
    let status = world.check().unwrap();
    assert_eq!(status.message, "Recto 1.1.0 is available.");
    let latest = status.latest.unwrap();
    assert_eq!((latest.version.as_str(), latest.notes.as_str()), ("1.1.0", "What is new in 1.1.0"));
    assert!(status.update_available && status.staged.is_none() && !status.restart_needed);
    assert_eq!(world.site.asked(), [CHANNEL]);
    let status = world.download().unwrap();
    assert_eq!(status.message, "Recto 1.1.0 is downloaded and verified, and can be installed.");
    assert_eq!(world.site.asked(), [CHANNEL.to_string(), program_url("1.1.0")]);
    let staged = status.staged.unwrap();
    assert_eq!((staged.version.as_str(), staged.downloaded_at), ("1.1.0", world.now));
    // Once is enough.
    world.download().unwrap();
    assert_eq!(world.site.asked(), [CHANNEL]);
    assert_eq!(world.runs(), OLD);
    let status = world.install().unwrap();
    assert_eq!(status.message, "Recto 1.1.0 is installed. Restart the server to run it.");
    assert!(status.restart_needed && !status.update_available && status.staged.is_none());
    assert_eq!(world.runs(), "recto 1.1.0");
    assert_eq!(world.beside(), ["recto", "recto.previous"]);
    assert_eq!(says(&world.place.path().join("recto.previous")), OLD);
    assert_eq!(world.staged(), Vec::<String>::new());
    expect_refused(world.install(), "conflict: There is nothing to install");
    expect_refused(world.download(), "conflict: Recto 1.1.0 is not newer than 1.1.0");
}

#[test]
fn what_is_known_survives_restarts() {
    let mut world = World::new();
    world.publish("1.1.0");
    world.download().unwrap();
    world.install().unwrap();
    // Started again, it is the old one that runs: somebody brought it back.
    world.now = Timestamp::from_seconds(world.now.seconds() + 60);
    let status = world.updates().status();
    assert!(!status.restart_needed && status.update_available);
    let current = Version::parse("1.1.0").unwrap();
    let status = world.updates_with(UpdateSettings { current, ..world.settings() }).status();
    assert_eq!(status.message, "Recto 1.1.0 is the newest version.");
    assert!(!status.restart_needed && !status.update_available);
    // What one channel said is not what another says.
    let url = Some("https://elsewhere.test/".to_string());
    let status = world.updates_with(UpdateSettings { url, ..world.settings() }).status();
    assert!(status.latest.is_none() && status.checked_at.is_none());
}

#[test]
fn nothing_is_asked_without_a_channel_or_a_key() {
    let world = World::new();
    world.publish("1.1.0");
    let check = |settings: UpdateSettings, field: &str, asked: usize| {
        let updates = world.updates_with(settings);
        let failed = updates.download(world.now, &world.site).err().unwrap();
        assert_eq!(failed.code.as_str(), "validation_failed");
        assert!(failed.fields.get(field).is_some(), "{field}");
        let checked = updates.check_channel(world.now, &world.site);
        assert_eq!(world.site.asked().len(), asked);
        (updates.status(), checked)
    };
    let nowhere = UpdateSettings { url: None, ..world.settings() };
    let (status, checked) = check(nowhere, "updates.url", 0);
    assert!(checked.is_err() && status.channel_url.is_none());
    assert!(status.message.starts_with("No update channel is configured"), "{}", status.message);
    let keyless = UpdateSettings { key: None, ..world.settings() };
    let (status, checked) = check(keyless.clone(), "updates.public_key", 1);
    assert!(checked.is_ok() && status.message.contains("`updates.public_key`"));
    world.download().unwrap();
    let failed = world.updates_with(keyless).install(world.now).err().unwrap();
    assert!(failed.fields.get("updates.public_key").is_some());
    assert_eq!(world.runs(), OLD);
}

#[test]
fn what_is_not_signed_for_this_is_not_even_fetched() {
    let world = World::new();
    let bytes = program("recto 1.1.0");
    world.site.set(&program_url("1.1.0"), &bytes);
    let good = world.publisher.manifest("1.1.0", &bytes);
    let check = |signature: String| {
        let mut manifest = good.clone();
        manifest["targets"][TARGET]["signature"] = signature.into();
        world.tell(&manifest);
        expect_refused(world.check(), "update_failed: The download is not signed");
        expect_refused(world.download(), "update_failed: The download is not signed");
        assert_eq!(world.site.asked(), [CHANNEL, CHANNEL]);
        world.expect_untouched(&manifest.to_string());
    };
    check(STANDARD.encode([0; 64]));
    // Somebody else's; one of another version, platform, program.
    check(Publisher::new().sign("1.1.0", TARGET, &bytes));
    check(world.publisher.sign("1.0.9", TARGET, &bytes));
    check(world.publisher.sign("1.1.0", "aarch64-apple-darwin", &bytes));
    check(world.publisher.sign("1.1.0", TARGET, &program("recto 1.0.9")));
    // An old release under a new number.
    let mut manifest = world.publisher.manifest("1.0.0", &program(OLD));
    manifest["version"] = "9.0.0".into();
    world.tell(&manifest);
    expect_refused(world.download(), "update_failed: The download is not signed");
    // One without a program for this platform tells nothing that could be believed, and is told.
    manifest["targets"] = json!({});
    world.tell(&manifest);
    expect_refused(world.download(), "conflict: Recto 9.0.0 is not available");
    assert!(!world.updates().status().update_available);
    world.expect_untouched("no program");
}

#[test]
fn only_what_is_newer_is_taken() {
    let world = World::new();
    for version in ["0.9.9", "1.0.0", "1.0.0+again", "1.0.0-rc.1"] {
        world.publish(version);
        let status = world.check().unwrap();
        assert!(!status.update_available, "{version}");
        assert_eq!(status.message, "Recto 1.0.0 is the newest version.");
        expect_refused(world.download(), "conflict: Recto");
        world.expect_untouched(version);
    }
}

#[test]
fn a_program_that_is_not_what_was_signed_is_thrown_away() {
    let world = World::new();
    world.publish("1.1.0");
    let good = program("recto 1.1.0");
    let check = |bytes: &[u8], expect: &str| {
        world.site.set(&program_url("1.1.0"), bytes);
        expect_refused(world.download(), expect);
        world.expect_untouched(expect);
    };
    let mut other = good.clone();
    other[150] ^= 1;
    check(&other, "update_failed: The program does not match the signed checksum.");
    check(
        &good[..good.len() - 1],
        "update_failed: The program does not match the signed checksum.",
    );
    check(&[good.as_slice(), b"x"].concat(), "update_failed: The program cannot be downloaded");
    check(b"", "update_failed: The program does not match the signed checksum.");
    // Killed, or hung up on, in the middle.
    *world.site.cut.lock().unwrap() = Some(120);
    check(&good, "update_failed: The program cannot be downloaded: The connection broke.");
    *world.site.cut.lock().unwrap() = None;
    world.download_works();
}

impl World {
    fn download_works(&self) {
        self.publish("1.1.0");
        assert_eq!(self.download().unwrap().staged.unwrap().version, "1.1.0");
    }
}

#[test]
fn what_was_signed_by_mistake_is_not_installed() {
    let world = World::new();
    let check = |bytes: &[u8], downloads: bool, expect: &str| {
        world.site.set(&program_url("1.1.0"), bytes);
        world.tell(&world.publisher.manifest("1.1.0", bytes));
        let downloaded = world.download();
        assert_eq!(downloaded.is_ok(), downloads);
        expect_refused(downloaded.and_then(|_| world.install()), expect);
        assert_eq!((world.runs().as_str(), world.beside()), (OLD, vec!["recto".to_string()]));
    };
    check(
        b"#!/bin/sh\necho recto 1.1.0\n",
        false,
        "update_failed: The signed file is not a program",
    );
    check(
        &program("recto 1.0.9"),
        true,
        "update_failed: The new program identifies itself as `recto 1.0.9`",
    );
    check(&program(""), true, "update_failed: The new program identifies itself as ``");
    let mut broken = program("recto 1.1.0");
    broken.truncate(100);
    check(&broken, true, "update_failed: The new program");
}

#[test]
fn manifests_that_are_none() {
    let world = World::new();
    let check = |bytes: &[u8], expect: &str| {
        world.site.set(CHANNEL, bytes);
        let begin =
            format!("update_failed: The manifest of the update channel cannot be used: {expect}");
        expect_refused(world.check(), &begin);
        expect_refused(world.download(), &begin);
        assert!(world.updates().status().checked_at.is_none());
    };
    check(b"<html>", "it is not JSON");
    check(b"{}", "`version`");
    check(&vec![b' '; 256 * 1024 + 1], "That is too much.");
    world.site.files.lock().unwrap().clear();
    expect_refused(
        world.check(),
        "update_failed: The manifest of the update channel cannot be used: Nobody",
    );
    world.publish("1.1.0");
    let mut large = world.publisher.manifest("1.1.0", b"");
    large["targets"][TARGET]["size"] = (256_u64 * 1024 * 1024 + 1).into();
    world.tell(&large);
    world.site.asked();
    expect_refused(world.download(), "update_failed: The program exceeds");
    assert_eq!(world.site.asked(), [CHANNEL]);
    world.expect_untouched("manifests");
}

#[test]
fn what_lies_here_is_verified_again() {
    let world = World::new();
    let spoil = |change: &dyn Fn(&Path, &Path)| {
        world.download_works();
        let folder = world.data.path().join(".recto/updates");
        change(&folder.join("status.json"), &folder.join(&world.staged()[0]));
        let refused = refused(world.install());
        assert_eq!((world.runs().as_str(), world.beside()), (OLD, vec!["recto".to_string()]));
        // The next download starts anew.
        let _ = fs::remove_dir_all(folder);
        refused
    };
    let is_another = spoil(&|_, program| fs::write(program, "evil").unwrap());
    assert_eq!(is_another, "update_failed: The program does not match the signed checksum.");
    let is_gone = spoil(&|_, program| fs::remove_file(program).unwrap());
    assert!(is_gone.starts_with("conflict: The downloaded program is missing"), "{is_gone}");
    let edited = spoil(&|status, _| {
        let text = fs::read_to_string(status).unwrap();
        fs::write(status, text.replace("1.1.0", "1.2.0")).unwrap();
    });
    assert!(edited.starts_with("update_failed: The download is not signed"), "{edited}");
    let torn = spoil(&|status, _| fs::write(status, "{\"staged\":").unwrap());
    assert!(torn.starts_with("conflict: There is nothing to install"), "{torn}");
    // With another key than then.
    world.download_works();
    let key = Some(Publisher::new().key());
    let updates = world.updates_with(UpdateSettings { key, ..world.settings() });
    expect_refused(updates.install(world.now), "update_failed: The download is not signed");
}

#[test]
fn a_spoiled_download_can_be_repeated() {
    let world = World::new();
    world.download_works();
    let staged = world.data.path().join(".recto/updates").join(&world.staged()[0]);
    fs::write(&staged, "half of").unwrap();
    assert!(world.install().is_err());
    world.download_works();
    world.install().unwrap();
    assert_eq!(world.runs(), "recto 1.1.0");
}

#[test]
fn a_newer_release_takes_the_place_of_what_was_downloaded() {
    let world = World::new();
    world.download_works();
    world.publish("1.2.0");
    let status = world.check().unwrap();
    assert_eq!(
        (status.latest.unwrap().version, status.staged.unwrap().version),
        ("1.2.0".into(), "1.1.0".into())
    );
    world.download().unwrap();
    assert_eq!(world.staged().len(), 1);
    world.install().unwrap();
    assert_eq!(world.runs(), "recto 1.2.0");
    // And what runs after the next start is not replaced by something older.
    world.publish("1.1.5");
    expect_refused(world.download(), "conflict: Recto 1.1.5 is not newer than 1.2.0");
}

#[test]
fn one_installation_at_a_time() {
    let world = World::new();
    world.download_works();
    let done: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| refused(world.install()))).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(done.iter().filter(|it| *it == "fine").count(), 1, "{done:?}");
    assert!(done.iter().all(|it| it == "fine" || it.starts_with("conflict: ")), "{done:?}");
    assert_eq!(world.runs(), "recto 1.1.0");
    assert_eq!(world.beside(), ["recto", "recto.previous"]);
    assert_eq!(says(&world.place.path().join("recto.previous")), OLD);
}

#[test]
fn where_the_program_cannot_be_replaced_that_is_said() {
    let world = World::new();
    world.download_works();
    let settings =
        UpdateSettings { program: Err("It is in a container.".into()), ..world.settings() };
    let updates = world.updates_with(settings);
    expect_refused(updates.install(world.now), "conflict: It is in a container.");
    assert!(updates.status().message.ends_with("It is in a container."));
    for program in [world.place.path().join("missing/recto"), world.place.path().into()] {
        let updates =
            world.updates_with(UpdateSettings { program: Ok(program), ..world.settings() });
        let failed = updates.install(world.now).err().unwrap();
        assert!(failed.message.starts_with("The program cannot be replaced"), "{failed}");
        // Where the program is, is for the log alone.
        let place = world.place.path().to_str().unwrap();
        assert!(!failed.message.contains(place) && failed.source.unwrap().contains(place));
    }
    let disk = Arc::new(OsDisk::open(world.data.path()).unwrap());
    let shelf = UpdateStore::new(world.data.path().into(), disk, true);
    let read_only = Updates::new(shelf, world.settings(), world.now);
    expect_refused(read_only.install(world.now), "storage_unavailable");
    expect_refused(read_only.check_channel(world.now, &world.site), "storage_unavailable");
    assert_eq!(world.runs(), OLD);
}

#[test]
fn a_sink_that_fails_ends_the_download() {
    struct Deaf;
    impl Fetcher for Deaf {
        fn fetch(&self, _: &str, _: FetchLimits, sink: ByteSink<'_>) -> Result<(), String> {
            sink(b"{").map_err(|error: io::Error| error.to_string())?;
            Err("It went away.".to_string())
        }
    }
    let world = World::new();
    let begin = "update_failed: The manifest of the update channel cannot be used: It went away.";
    expect_refused(world.updates().check_channel(world.now, &Deaf), begin);
}
