//! Tests of the disk in memory: a crash loses what was not synced and keeps what was.

use std::io::Write;

use crate::store::disk::memory::{MemDisk, Survival};
use crate::store::disk::{self, Disk, OsDisk, portable};

const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const EMFILE: i32 = 24;

/// Returns the files after each possible crash as `path=bytes`, sorted and without duplicates.
fn crashes(disk: &MemDisk) -> Vec<String> {
    let mut shown: Vec<String> = disk.list_crashes(200).iter().map(show).collect();
    shown.sort();
    shown
}

fn show(disk: &MemDisk) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\0', "0");
    let files = disk.read_tree().files.into_iter();
    let files: Vec<String> = files.map(|(path, it)| format!("{path}={}", text(&it))).collect();
    files.join(" ")
}

#[test]
fn an_unsynced_write_is_seen_to_be_lost() {
    let disk = MemDisk::new();
    disk.write_unsynced("a", b"xyz", 0o640).unwrap();
    let torn = ["", "a=", "a=000", "a=x", "a=x00", "a=xy", "a=xy0", "a=xyz"];
    assert_eq!(crashes(&disk), torn);
    disk.sync_folder("").unwrap();
    assert_eq!(crashes(&disk), torn[1..], "its name is there, its bytes may not be");
    disk.sync_file("a").unwrap();
    assert_eq!(crashes(&disk), ["a=xyz"]);
    disk.write_new("b", b"b", 0o640).unwrap();
    assert_eq!(crashes(&disk), ["a=xyz", "a=xyz b=b"], "its bytes are there, its name may not be");
    disk.write_unsynced("c", b"c", 0o640).unwrap();
    disk.sync_all().unwrap();
    assert_eq!(crashes(&disk), ["a=xyz b=b c=c"]);
}

#[test]
fn the_naive_way_to_replace_a_file_is_seen_to_destroy_it() {
    let disk = MemDisk::with_files([("a", "old")]);
    disk.write_unsynced("b", b"new", 0o640).unwrap();
    disk.rename("b", "a").unwrap();
    assert!(crashes(&disk).contains(&"a=".to_string()));
    let disk = MemDisk::with_files([("a", "old")]);
    disk::replace_file(&disk, "a", b"new").unwrap();
    // An unfinished file may also be found under its own name, which does no harm.
    let is_new = |it: &String| it.split(' ').next_back() == Some("a=new");
    assert!(crashes(&disk).iter().all(is_new), "{:?}", crashes(&disk));
}

#[test]
fn what_is_appended_may_be_torn_and_what_was_there_not() {
    let disk = MemDisk::with_files([("log", "one\n")]);
    disk.append("log", b"2\n", 0o640).unwrap();
    let torn = ["log=one\n", "log=one\n00", "log=one\n2", "log=one\n20", "log=one\n2\n"];
    let mut found = crashes(&disk);
    found.sort_by_key(|it| torn.iter().position(|one| one == it));
    assert_eq!(found, torn);
    disk.sync_file("log").unwrap();
    assert_eq!(crashes(&disk), ["log=one\n2\n"]);
}

#[test]
fn names_are_forgotten_each_by_itself() {
    let disk = MemDisk::with_files([("a/1", "1"), ("b/2", "2")]);
    disk.remove("a/1").unwrap();
    disk.remove("b/2").unwrap();
    assert_eq!(crashes(&disk), ["", "a/1=1", "a/1=1 b/2=2", "b/2=2"], "folders by themselves");
    let disk = MemDisk::with_files([("a/1", "1"), ("a/2", "2"), ("b/x", "x")]);
    disk.rename("a/1", "a/3").unwrap();
    disk.remove("a/2").unwrap();
    let both = ["a/1=1 a/2=2 b/x=x", "a/1=1 b/x=x", "a/2=2 a/3=1 b/x=x", "a/3=1 b/x=x"];
    assert_eq!(crashes(&disk), both);
    let disk = MemDisk::with_files([("a", "1")]);
    disk.rename("a", "b").unwrap();
    disk.rename("b", "c").unwrap();
    assert_eq!(crashes(&disk), ["a=1", "b=1", "c=1"], "those of one name in order");
}

#[test]
fn a_rename_between_folders_may_be_found_half_done() {
    let disk = MemDisk::with_files([("a/1", "1"), ("b/2", "2")]);
    disk.rename("a/1", "b/1").unwrap();
    let half = "a/1=1 b/1=1 b/2=2";
    assert_eq!(crashes(&disk), [half, "a/1=1 b/2=2", "b/1=1 b/2=2"], "but never without the file");
    // The target folder has the new name, and the old one is independent.
    let arrived = MemDisk::with_files([("a/1", "1"), ("b/2", "2")]);
    arrived.rename("a/1", "b/1").unwrap();
    arrived.sync_folder("b").unwrap();
    assert_eq!(crashes(&arrived), [half, "b/1=1 b/2=2"]);
    disk.remove("b/2").unwrap();
    // The source folder brings both changes, and nothing else.
    disk.sync_folder("a").unwrap();
    assert_eq!(crashes(&disk), ["b/1=1", "b/1=1 b/2=2"]);
    disk.rename("b/1", "b/3").unwrap();
    disk.rename("b/3", "a/3").unwrap();
    disk.sync_folder("b").unwrap();
    assert_eq!(crashes(&disk), ["a/3=1"], "but for what it cannot be without");
}

#[test]
fn a_new_folder_is_a_name_in_the_one_above() {
    let disk = MemDisk::new();
    disk.make_folder("a", 0o750).unwrap();
    disk.write_new("a/1", b"1", 0o640).unwrap();
    disk.sync_folder("a").unwrap();
    assert_eq!(crashes(&disk), ["", "a/1=1"]);
    disk.sync_folder("").unwrap();
    assert_eq!(crashes(&disk), ["a/1=1"]);
    disk.remove("a/1").unwrap();
    disk.remove_folder("a").unwrap();
    disk.sync_folder("").unwrap();
    assert_eq!(disk.simulate_crash(Survival::Nothing).read_tree(), MemDisk::new().read_tree());
}

#[test]
fn a_link_shares_bytes_that_are_synced_once() {
    let disk = MemDisk::with_files([("a", "1")]);
    disk.link("a", "b").unwrap();
    assert_eq!((disk.count_links("a"), disk.count_links("c")), (2, 0));
    assert_eq!(crashes(&disk), ["a=1", "a=1 b=1"]);
    let (one, other) = (disk.stat("a").unwrap(), disk.stat("b").unwrap());
    assert_eq!(one, other);
    disk.remove("a").unwrap();
    assert_eq!(disk.count_links("b"), 1);
}

#[test]
fn a_failed_sync_loses_the_bytes_for_good() {
    let disk = MemDisk::with_files([("a", "")]);
    disk.append("a", b"x", 0o640).unwrap();
    disk.fail_at(disk.count_calls(), EIO);
    assert_eq!(disk.sync_file("a").unwrap_err().raw_os_error(), Some(EIO));
    disk.sync_file("a").unwrap();
    assert_eq!(disk.read_bytes("a").unwrap(), b"x");
    assert_eq!(crashes(&disk), ["a=", "a=0", "a=x"]);
}

#[test]
fn a_sync_that_lies_is_seen() {
    for lie in 0..3 {
        let disk = MemDisk::with_files([("f/a", "old")]);
        disk.ignore_sync(lie);
        disk.write_new("f/b", b"new", 0o640).unwrap();
        disk.rename("f/b", "f/a").unwrap();
        disk.sync_folder("f").unwrap();
        assert_eq!(disk.count_syncs(), 2);
        assert_eq!(crashes(&disk) == ["f/a=new"], lie == 2, "{lie}");
    }
}

#[test]
fn the_machine_stops_before_a_step_and_stays_so() {
    let write = |disk: &MemDisk| disk::replace_file(disk, "f/a", b"new");
    let whole = MemDisk::with_files([("f/a", "old")]);
    write(&whole).unwrap();
    let steps: Vec<String> =
        whole.list_calls().iter().filter(|it| it.verb.is_step()).map(ToString::to_string).collect();
    assert_eq!(steps.len() as u64, whole.count_steps());
    assert!(steps[2].starts_with("Write .recto/tmp/") || steps.len() > 3, "{steps:?}");
    for stop in 0..=whole.count_steps() {
        let disk = MemDisk::with_files([("f/a", "old")]);
        disk.stop_at(stop);
        assert_eq!(write(&disk).is_ok(), stop == whole.count_steps());
        assert_eq!(disk.is_stopped(), stop < whole.count_steps());
        for crashed in disk.list_crashes(50) {
            let found = crashed.read_bytes("f/a").unwrap();
            assert!(
                found == b"new" || (found == b"old" && stop < whole.count_steps()),
                "{found:?}"
            );
            assert_eq!((crashed.count_steps(), crashed.is_stopped()), (0, false));
        }
    }
}

#[test]
fn a_call_fails_once_or_from_then_on() {
    let disk = MemDisk::with_files([("a", "1")]);
    let mut bytes = Vec::new();
    disk.fail_at(1, EMFILE);
    assert!(disk.read("a", &mut bytes).is_ok());
    assert!(disk.read("a", &mut bytes).is_err());
    assert!(disk.read("a", &mut bytes).is_ok());
    disk.fail_from(3, ENOSPC);
    let full = disk.write_new("b", b"1234", 0o640).unwrap_err();
    assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    assert!(disk.list("").is_err());
    disk.clear_faults();
    assert_eq!(disk.read_bytes("b").unwrap(), b"12", "what found room is there");
    disk.fill_up(ENOSPC);
    assert!(disk.make_folder("f", 0o750).is_err() && disk.append("a", b"23", 0o640).is_err());
    assert_eq!(disk.read_bytes("a").unwrap(), b"12");
    disk.rename("a", "c").unwrap();
    disk.remove("b").unwrap();
    disk.sync_folder("").unwrap();
}

#[test]
fn what_is_written_through_a_handle_is_there_and_is_synced_by_name() {
    let disk = MemDisk::new();
    let mut file = disk.create("a").unwrap();
    file.write_all(b"xy").unwrap();
    assert_eq!(disk.stat("a").unwrap().stat.size, 2);
    disk.rename("a", "b").unwrap();
    disk.sync_folder("").unwrap();
    assert!(crashes(&disk).contains(&"b=".to_string()));
    disk.sync_file("b").unwrap();
    assert_eq!(crashes(&disk), ["b=xy"]);
    let (mut open, stat) = disk.open("b").unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut open, &mut text).unwrap();
    assert_eq!((text.as_str(), stat.size), ("xy", 2));
}

#[test]
fn two_files_are_swapped() {
    let check = |disk: &dyn Disk| {
        for folder in ["a", "b"] {
            disk.make_folder(folder, 0o750).unwrap();
        }
        disk.write_new("a/1", b"1", 0o640).unwrap();
        disk.write_new("b/2", b"2", 0o640).unwrap();
        disk.exchange("a/1", "b/2").unwrap();
        let mut bytes = Vec::new();
        for (path, expect) in [("a/1", b"2"), ("b/2", b"1")] {
            disk.read(path, &mut bytes).unwrap();
            assert_eq!(bytes, expect, "{path}");
        }
        let missing = disk.exchange("a/1", "b/3").unwrap_err();
        assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
        assert!(!disk::cannot_exchange(&missing));
    };
    check(&MemDisk::new());
    let data = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(data.path()).unwrap();
    match disk.exchange("x", "y") {
        Err(error) if disk::cannot_exchange(&error) => {}
        _ => check(&disk),
    }
}

#[test]
fn somebody_else_edits_between_two_calls() {
    let disk = MemDisk::with_files([("a", "1"), ("b", "2")]);
    disk.edit_at(1, "a", Some(b"edited"));
    assert_eq!(disk.stat("a").unwrap().stat.size, 1);
    assert_eq!(disk.stat("a").unwrap().stat.size, 6);
    disk.edit_at(2, "b", None);
    assert!(disk.stat("b").is_err());
}

/// Returns the results of all operations on a disk, without details that differ between disks.
fn transcript(disk: &dyn Disk) -> Vec<String> {
    let mut said = Vec::new();
    let mut say = |what: &str, done: std::io::Result<()>| {
        let done = done.map_err(|it| it.kind());
        said.push(format!("{what}: {done:?}"));
    };
    say("make", disk.make_folder("f", 0o750));
    say("make again", disk.make_folder("f", 0o750));
    say("make below nothing", disk.make_folder("g/h", 0o750));
    say("write", disk.write_new("f/a", b"1", 0o640));
    say("write again", disk.write_new("f/a", b"2", 0o640));
    say("write below nothing", disk.write_unsynced("g/a", b"2", 0o640).map(drop));
    say("write below a file", disk.write_unsynced("f/a/b", b"2", 0o640).map(drop));
    say("append", disk.append("f/log", b"1", 0o640));
    say("append again", disk.append("f/log", b"2", 0o640));
    say("link", disk.link("f/a", "f/b"));
    say("link again", disk.link("f/a", "f/b"));
    say("link nothing", disk.link("f/x", "f/c"));
    say("rename onto", disk.rename("f/log", "f/b"));
    say("rename new", disk.rename_new("f/b", "f/c"));
    say("rename new onto", disk.rename_new("f/a", "f/c"));
    say("rename nothing", disk.rename("f/x", "f/y"));
    say("remove nothing", disk.remove("f/x"));
    say("remove full", disk.remove_folder("f"));
    say("sync", disk.sync_folder("f"));
    say("sync file", disk.sync_file("f/a"));
    say("sync nothing", disk.sync_file("f/x"));
    say("stat", disk.stat("f/x").map(drop));
    say("list nothing", disk.list("g").map(drop));
    assert!(disk.write_new("../x", b"", 0o640).is_err());
    let names = disk.list("f").unwrap().items;
    said.push(format!(
        "{:?}",
        names.iter().map(|it| (&it.name, it.kind, it.stat.size)).collect::<Vec<_>>()
    ));
    let mut bytes = Vec::new();
    for path in ["f/a", "f/c", "f", "f/x", "g/x"] {
        let read =
            disk.read(path, &mut bytes).map(|it| it.size).map_err(|it| it.to_problem(path).kind);
        said.push(format!("{path}: {read:?} {bytes:?}"));
    }
    said
}

#[test]
fn it_answers_as_a_real_disk_does() {
    let expect = transcript(&MemDisk::new());
    let data = tempfile::tempdir().unwrap();
    assert_eq!(transcript(&OsDisk::open(data.path()).unwrap()), expect);
    let data = tempfile::tempdir().unwrap();
    assert_eq!(transcript(&portable::OsDisk::open(data.path()).unwrap()), expect);
}
