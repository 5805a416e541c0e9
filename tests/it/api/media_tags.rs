//! Tags of media files: made of their bytes, equal on every copy of the folder, and another one as
//! soon as the bytes may be others.

use std::fs;
use std::sync::Arc;
use std::time::Duration;
use std::time::SystemTime;

use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::event::EventKind;
use recto::model::media::MediaItem;
use recto::stdx::checksum::Checksum;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;

use crate::support::events::list_events;
use crate::support::folder;
use crate::support::folder::Data;

/// More than is read where a file is looked at.
const LARGE: usize = 300_000;

fn open(data: &Data, read_only: bool) -> Arc<Engine> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    Engine::open(EngineOptions { read_only, ..folder::options(data.root(), &clock) }).unwrap()
}

fn item(engine: &Engine, name: &str) -> Arc<MediaItem> {
    engine.snapshot("main").unwrap().media.get(name).unwrap().clone()
}

/// Reads what is to be read. Files that changed a moment ago have to wait for it.
fn read_all(engine: &Engine) {
    folder::eventually("all media files are read", || engine.follower().tag_media());
}

fn updates(engine: &Engine) -> usize {
    let all = list_events(engine);
    all.iter().filter(|it| it.event.kind == EventKind::MediaUpdated).count()
}

fn media(data: &Data, name: &str) -> std::path::PathBuf {
    data.at(&format!("workspaces/main/media/{name}"))
}

fn furnished() -> Data {
    let data = Data::empty();
    data.write("workspaces/main/workspace.json", r#"{"label":"Main"}"#);
    data.write("workspaces/main/media/small.txt", "some words");
    data.write("workspaces/main/media/large.txt", vec![b'a'; LARGE]);
    data
}

#[test]
fn copies_of_a_folder_have_equal_tags() {
    let data = furnished();
    let here = open(&data, false);
    read_all(&here);
    let copy = Data::empty();
    let mut copied = std::process::Command::new("cp");
    copied.arg("-r").arg(data.at("workspaces")).arg(copy.root());
    assert!(copied.status().unwrap().success());
    // Other times, as after a checkout or from an archive.
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    folder::set_modified(&media(&copy, "small.txt"), long_ago);
    let there = open(&copy, false);
    read_all(&there);
    for (name, bytes) in [("small.txt", b"some words".to_vec()), ("large.txt", vec![b'a'; LARGE])] {
        assert_eq!(item(&here, name).etag(), Checksum::of_bytes(&bytes), "{name}");
        assert_eq!(item(&there, name).etag(), Checksum::of_bytes(&bytes), "{name}");
    }
}

#[test]
fn large_files_are_not_read_at_the_start_and_once_in_all() {
    let data = furnished();
    // What would take minutes to read.
    for number in 0..20 {
        let file = fs::File::create(media(&data, &format!("film{number}.mp4"))).unwrap();
        file.set_len(10 << 30).unwrap();
    }
    let engine = open(&data, true);
    assert!(item(&engine, "small.txt").tag.content.is_some());
    assert!(item(&engine, "film7.mp4").tag.content.is_none());
    let large = item(&engine, "large.txt");
    assert_eq!(large.etag(), large.tag.state);
    drop(engine);
    for number in 0..20 {
        data.remove(&format!("workspaces/main/media/film{number}.mp4"));
    }
    let engine = open(&data, false);
    read_all(&engine);
    drop(engine);
    // What was read before is known at the next start.
    let again = open(&data, false);
    assert_eq!(item(&again, "large.txt").tag.content, Some(Checksum::of_bytes(&vec![b'a'; LARGE])));
}

#[test]
fn other_bytes_of_the_same_size_and_time_are_noticed() {
    for (name, size) in [("small.txt", 10), ("large.txt", LARGE)] {
        let data = furnished();
        let engine = open(&data, false);
        read_all(&engine);
        let (before, place) = (item(&engine, name), media(&data, name));
        let modified = folder::modified(&place);
        // Over the file, as `cp -p` does it.
        fs::write(&place, vec![b'b'; size]).unwrap();
        folder::set_modified(&place, modified);
        engine.follower().refresh_until_settled();
        let now = item(&engine, name);
        assert_eq!((now.size, now.modified), (before.size, before.modified));
        assert_ne!(now.etag(), before.etag(), "{name}");
        read_all(&engine);
        assert_eq!(item(&engine, name).etag(), Checksum::of_bytes(&vec![b'b'; size]), "{name}");
        assert_eq!(updates(&engine), 1, "{name}");
    }
}

#[test]
fn the_same_bytes_are_no_news() {
    for name in ["small.txt", "large.txt"] {
        let data = furnished();
        let engine = open(&data, false);
        read_all(&engine);
        let (before, place) = (item(&engine, name), media(&data, name));
        let modified = folder::modified(&place);
        // Another file in its place, as `rsync -t` does it.
        let other = data.at("other");
        fs::copy(&place, &other).unwrap();
        folder::set_modified(&other, modified);
        fs::rename(&other, &place).unwrap();
        engine.follower().refresh_until_settled();
        read_all(&engine);
        assert_eq!(item(&engine, name).etag(), before.etag(), "{name}");
        assert_eq!(updates(&engine), 0, "{name}");
    }
}

#[test]
fn a_server_that_follows_reads_by_itself() {
    let data = furnished();
    let engine = open(&data, false);
    let following = engine.follower().spawn_follower().unwrap();
    folder::eventually("the file is read", || item(&engine, "large.txt").tag.content.is_some());
    engine.close();
    following.join().unwrap();
}
