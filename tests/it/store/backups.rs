//! Backups and what becomes of them: a folder that was wiped comes back byte by byte, what is
//! served is what a fresh load shows, and no backup that is made beside writers is torn.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use recto::engine::backups::request::BackupError;
use recto::engine::backups::request::BackupRequest;
use recto::engine::backups::restore_request::GrantedRights;
use recto::engine::backups::restore_request::RestoreRequest;
use recto::engine::staging::Staging;
use recto::model::backup::BackupPart;
use recto::model::name::EntryId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::store::archive::reader::ArchiveLimits;
use recto::store::archive::reader::ArchiveReader;
use recto::store::layout::Key;

use crate::support::backups::PNG;
use crate::support::backups::TOKEN;
use crate::support::backups::everything;
use crate::support::backups::expect_clean;
use crate::support::backups::expect_current;
use crate::support::backups::files;
use crate::support::backups::furnish;
use crate::support::backups::open;
use crate::support::backups::restore;
use crate::support::backups::wanted;
use crate::support::backups::wipe;
use crate::support::folder;
use crate::support::folder::Data;
use crate::support::permit::operator_permit;
use crate::support::property::run;
use crate::support::random_content::Draw;
use crate::support::random_content::World;

#[test]
fn a_folder_that_was_wiped_comes_back_byte_by_byte() {
    let data = Data::empty();
    furnish(&data);
    let before = files(data.root());
    let engine = open(data.root());
    let card = engine.backups().make_backup(&wanted()).unwrap();
    let manifest = card.manifest.clone().unwrap();
    assert!(card.verified && manifest.secrets);
    assert_eq!(manifest.problems, []);
    assert_eq!(manifest.counts.values().sum::<u64>(), before.len() as u64);
    assert_eq!(manifest.counts[&BackupPart::Media], 5);
    drop(engine);
    wipe(data.root());
    let engine = open(data.root());
    let rehearsed = RestoreRequest { dry_run: true, ..everything(true) };
    let told = restore(&engine, &card.name, &rehearsed);
    assert!(files(data.root()).is_empty());
    let done = restore(&engine, &card.name, &everything(true));
    assert_eq!((&told.restored, &told.skipped), (&done.restored, &done.skipped));
    assert_eq!(done.restored.values().sum::<u64>(), before.len() as u64);
    assert_eq!(done.problems, []);
    // There was nothing to be kept.
    assert_eq!(done.safety, None);
    assert!(files(data.root()) == before);
    expect_clean(data.root());
    expect_current(&engine);
    // Once more: nothing is left to do.
    let again = restore(&engine, &card.name, &everything(true));
    assert!(again.restored.is_empty() && again.removed.is_empty() && again.safety.is_none());
}

#[test]
fn whoever_unzips_a_backup_has_a_data_folder() {
    let (data, other) = (Data::empty(), tempfile::tempdir().unwrap());
    furnish(&data);
    let engine = open(data.root());
    let card = engine.backups().make_backup(&wanted()).unwrap();
    let place = data.root().join("backups").join(card.name.as_str());
    let mut zip = zip::ZipArchive::new(fs::File::open(place).unwrap()).unwrap();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let place = other.path().join(&*file.name().unwrap());
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::io::copy(&mut file, &mut fs::File::create(place).unwrap()).unwrap();
    }
    assert!(files(other.path()) == files(data.root()));
    assert!(other.path().join("recto-backup.json").exists());
}

#[test]
fn what_was_changed_since_is_undone_and_kept() {
    let data = Data::empty();
    furnish(&data);
    let engine = open(data.root());
    let before = files(data.root());
    let card = engine.backups().make_backup(&wanted()).unwrap();
    data.write("workspaces/main/content/posts/a.json", r#"{"title": "Changed"}"#);
    data.write("workspaces/main/content/posts/c.json", r#"{"title": "New"}"#);
    data.write("workspaces/main/media/q.png", PNG);
    data.write("workspaces/main/media/p.png", [PNG, b"other"].concat());
    data.remove("workspaces/main/schemas/posts.json");
    data.remove("workspaces/main/revisions");
    data.remove(TOKEN);
    // It was not there when the backup was made: nobody asked for it to go.
    data.write("workspaces/later/schemas/x.json", r#"{"fields": {}}"#);
    engine.follower().refresh_until_settled();
    let changed = files(data.root());
    let missing = restore(&engine, &card.name, &everything(false));
    assert_eq!(missing.restored[&BackupPart::Revisions], 2);
    assert_eq!(missing.restored[&BackupPart::Tokens], 1);
    assert!(missing.removed.is_empty());
    let now = files(data.root());
    assert!(changed.iter().all(|(path, bytes)| now.get(path) == Some(bytes)));
    assert!(before.keys().all(|it| now.contains_key(it)));
    expect_current(&engine);
    let done = restore(&engine, &card.name, &everything(true));
    assert_eq!((done.removed[&BackupPart::Content], done.removed[&BackupPart::Media]), (1, 1));
    let mut after = files(data.root());
    assert!(after.remove("workspaces/later/schemas/x.json").is_some());
    assert!(after == before);
    expect_clean(data.root());
    expect_current(&engine);
    // And back to what it was before that.
    let undone = restore(&engine, &done.safety.unwrap(), &everything(true));
    assert!(files(data.root()) == now && undone.problems.is_empty());
    expect_current(&engine);
}

#[test]
fn parts_and_workspaces_are_restored_by_themselves() {
    let data = Data::empty();
    furnish(&data);
    let engine = open(data.root());
    let card = engine.backups().make_backup(&wanted()).unwrap();
    let spoil = || {
        for path in files(data.root()).keys().filter(|it| it.ends_with(".json")) {
            data.write(path, "{}");
        }
        engine.follower().refresh_until_settled();
        files(data.root())
    };
    let check = |order: RestoreRequest, expect: &[&str]| {
        let spoilt = spoil();
        restore(&engine, &card.name, &order);
        let now = files(data.root());
        let changed: Vec<&String> =
            now.keys().filter(|it| now.get(*it) != spoilt.get(*it)).collect();
        assert!(changed.iter().all(|it| expect.iter().any(|on| it.starts_with(on))), "{changed:?}");
        assert!(expect.iter().all(|on| changed.iter().any(|it| it.starts_with(on))), "{changed:?}");
        expect_current(&engine);
    };
    let parts = |parts: &[BackupPart]| RestoreRequest {
        parts: parts.iter().copied().collect(),
        ..everything(true)
    };
    let shop = BTreeSet::from([WorkspaceSlug::parse("shop").unwrap()]);
    check(parts(&[BackupPart::Trash]), &["workspaces/main/trash/"]);
    check(
        parts(&[BackupPart::Settings]),
        &["workspaces/main/workspace.json", "system/settings.json"],
    );
    check(
        RestoreRequest { workspaces: Some(shop), ..everything(true) },
        &[
            "workspaces/shop/",
            "system/users/",
            "system/roles/",
            "system/tokens/",
            "system/webhooks.json",
        ],
    );
    check(parts(&BackupPart::RESTORED_BY_DEFAULT), &["workspaces/", "system/settings.json"]);
}

#[test]
fn secrets_stay_where_they_are() {
    let data = Data::empty();
    furnish(&data);
    let engine = open(data.root());
    let card = engine.backups().make_backup(&BackupRequest { secrets: false, ..wanted() }).unwrap();
    let place = data.root().join("backups").join(card.name.as_str());
    let mut opened =
        ArchiveReader::open(fs::File::open(&place).unwrap(), ArchiveLimits::FOREIGN).unwrap();
    let items: Vec<_> = opened.list_files().cloned().collect();
    for item in items {
        let text = String::from_utf8_lossy(&opened.read_whole(&item).unwrap()).into_owned();
        assert!(!text.contains("password_hash") && !text.contains("secret"), "{}", item.path);
    }
    let before = files(data.root());
    data.write("system/users/u1.json", r#"{"username": "anna2", "password_hash": "newer"}"#);
    restore(&engine, &card.name, &everything(true));
    let text = String::from_utf8(data.read("system/users/u1.json")).unwrap();
    assert!(text.contains("\"anna\"") && text.contains("\"newer\""), "{text}");
    let same = |path: &str| files(data.root())[path] == before[path];
    assert!(same(TOKEN) && same("system/webhooks.json"));
    // What is not here has no secret to keep.
    data.remove("system/users");
    data.remove("system/tokens");
    engine.follower().refresh_until_settled();
    let done = restore(&engine, &card.name, &everything(true));
    assert!(!String::from_utf8(data.read("system/users/u1.json")).unwrap().contains("hash"));
    assert!(!data.at(TOKEN).exists());
    let told: Vec<&str> = done.problems.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(told, [TOKEN, "system/users"]);
}

#[test]
fn nobody_gets_more_than_whoever_restores_has() {
    let data = Data::empty();
    furnish(&data);
    let role = r#"{"permissions": [{"actions": ["*"], "resources": ["*"]}]}"#;
    data.write("system/roles/r.json", role);
    let engine = open(data.root());
    let card = engine.backups().make_backup(&wanted()).unwrap();
    data.write("system/roles/r.json", r#"{"permissions": []}"#);
    let before = files(data.root());
    let nothing_alone = |it: &GrantedRights| {
        if it.grants.is_empty() { Ok(()) } else { Err(BackupError::Exceeds) }
    };
    let refused = engine.backups().restore_backup(&card.name, &everything(true), &nothing_alone);
    assert!(matches!(refused, Err(BackupError::Exceeds)));
    assert!(files(data.root()) == before);
    expect_clean(data.root());
    assert_eq!(engine.backups().list_backups().unwrap().len(), 1);
}

#[test]
fn what_could_not_be_restored_is_put_aside() {
    let data = Data::empty();
    furnish(&data);
    data.write("workspaces/main/content/posts/broken.json", "{\"title\": ");
    data.write("workspaces/main/media/odd.png", "no picture");
    data.write("workspaces/main/content/posts/A.json", "{}");
    data.write("workspaces/main/media/CON.png", PNG);
    let engine = open(data.root());
    let card = engine.backups().make_backup(&wanted()).unwrap();
    let problems = &card.manifest.as_ref().unwrap().problems;
    let told: Vec<&str> = problems.iter().map(|it| it.path.as_str()).collect();
    let posts = "workspaces/main/content/posts";
    let expect = [
        &format!("{posts}/a.json"),
        &format!("{posts}/broken.json"),
        "workspaces/main/media/CON.png",
        "workspaces/main/media/odd.png",
    ];
    assert_eq!(told, expect);
    let place = data.root().join("backups").join(card.name.as_str());
    let mut zip = zip::ZipArchive::new(fs::File::open(&place).unwrap()).unwrap();
    assert!(zip.by_name(&format!("broken/{posts}/broken.json")).is_ok());
    assert!(zip.by_name("broken/workspaces/main/media/odd.png").is_ok());
    restore(&engine, &card.name, &everything(false));
}

#[test]
fn what_no_backup_has_stays_in_place() {
    let data = Data::empty();
    furnish(&data);
    let posts = "workspaces/main/content/posts";
    let [broken, later] = ["broken", "later"].map(|it| format!("{posts}/{it}.json"));
    data.write(&broken, r#"{"title": "Good once"}"#);
    let engine = open(data.root());
    data.write(&broken, r#"{"title": "#);
    let card = engine.backups().make_backup(&wanted()).unwrap();
    data.write(&later, r#"{"title": "#);
    data.write(&format!("{posts}/new.json"), r#"{"title": "New"}"#);
    engine.follower().refresh_until_settled();
    let parts = BTreeSet::from([BackupPart::Content]);
    let order = RestoreRequest { parts, ..everything(true) };
    let told = restore(&engine, &card.name, &RestoreRequest { dry_run: true, ..order.clone() });
    let done = restore(&engine, &card.name, &order);
    for report in [&told, &done] {
        let paths: Vec<&str> = report.problems.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, [&*broken, &*later]);
        assert_eq!(report.removed.get(&BackupPart::Content), Some(&1));
    }
    assert_eq!(fs::read_to_string(data.root().join(&broken)).unwrap(), r#"{"title": "#);
    assert!(data.root().join(&later).exists());
    assert!(!data.root().join(posts).join("new.json").exists());
}

#[test]
fn random_worlds_come_back() {
    run(12, 1500, |draw| {
        let data = Data::empty();
        write_world(&data, &World::draw(draw, 8), draw);
        let engine = open(data.root());
        let card = engine.backups().make_backup(&wanted()).unwrap();
        let before = files(data.root());
        for path in before.keys() {
            match draw.below(4) {
                0 => data.remove(path),
                1 => data.write(path, "{\"title\": \"other\", \"fields\": {}}"),
                _ => {}
            }
        }
        write_world(&data, &World::draw(draw, 4), draw);
        engine.follower().refresh_until_settled();
        let done = restore(&engine, &card.name, &everything(true));
        assert_eq!(done.problems, []);
        assert!(files(data.root()) == before);
        expect_current(&engine);
        expect_clean(data.root());
    });
}

fn write_world(data: &Data, world: &World, draw: &mut Draw<'_>) {
    for ty in &world.types {
        data.write(&format!("workspaces/main/schemas/{}.json", ty.name), ty.schema.to_file());
        for (id, entry) in &ty.entries {
            let place = match draw.below(6) {
                0 => format!("trash/{}/{id}.json", ty.name),
                1 => format!("revisions/{}/{id}/01jz8x3m5q7v9c2a.json", ty.name),
                _ => format!("content/{}/{id}.json", ty.name),
            };
            data.write(&format!("workspaces/main/{place}"), entry.to_file());
        }
    }
}

/// Tells writers to stop when it is dropped.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// Writers that always change two files together, while backups are made: both say the same in
/// each.
#[test]
fn no_backup_is_torn() {
    const PAIRS: usize = 6;
    let data = Data::empty();
    let ws = WorkspaceSlug::parse("main").unwrap();
    data.write("workspaces/main/schemas/posts.json", r#"{"fields": {}}"#);
    let key = |pair: usize, half: &str| {
        let id = EntryId::parse(&format!("{half}{pair}")).unwrap();
        Key::Entry(ws.clone(), TypeName::parse("posts").unwrap(), id)
    };
    for pair in 0..PAIRS {
        data.write(&key(pair, "one").path(), r#"{"title": "0"}"#);
        data.write(&key(pair, "two").path(), r#"{"title": "0"}"#);
    }
    // Enough to be busy with for a while.
    for number in 0..300 {
        let text = format!("{{\"title\": \"{}\"}}", "filling ".repeat(400));
        data.write(&format!("workspaces/main/content/posts/m{number}.json"), text);
    }
    let engine = open(data.root());
    let (stop, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for pair in 0..PAIRS {
            let (engine, stop, written, ws) = (&engine, &stop, &written, &ws);
            let keys = [key(pair, "one"), key(pair, "two")];
            scope.spawn(move || {
                for number in 1.. {
                    if stop.load(SeqCst) {
                        break;
                    }
                    let keys = keys.clone();
                    let both = move |staging: &mut Staging<'_>| {
                        for key in &keys {
                            let stored = staging.read_stored(key)?.expect("the file is there");
                            staging.write(&operator_permit()).replace(
                                &stored,
                                format!("{{\"title\": \"{number}\"}}").into_bytes(),
                            );
                        }
                        Ok::<_, recto::engine::error::CommitError>(())
                    };
                    engine.commit(ws, both).unwrap();
                    written.fetch_add(1, SeqCst);
                }
            });
        }
        // Also when a backup is torn: the writers would go on for ever.
        let _stop = Stop(&stop);
        let mut seen = BTreeSet::new();
        for _ in 0..12 {
            let before = written.load(SeqCst);
            folder::eventually("somebody writes", || written.load(SeqCst) > before);
            let card = engine.backups().make_backup(&wanted()).unwrap();
            let place = data.root().join("backups").join(card.name.as_str());
            let mut opened =
                ArchiveReader::open(fs::File::open(place).unwrap(), ArchiveLimits::FOREIGN)
                    .unwrap();
            let items: Vec<_> = opened.list_files().cloned().collect();
            let mut read = |key: &Key| {
                let item = items.iter().find(|it| it.key == *key).unwrap();
                opened.read_whole(item).unwrap()
            };
            for pair in 0..PAIRS {
                let (one, two) = (read(&key(pair, "one")), read(&key(pair, "two")));
                assert_eq!(one, two, "pair {pair}");
                seen.insert((pair, one));
            }
        }
        assert!(seen.len() > PAIRS * 2, "the backups are of different moments");
    });
    expect_clean(data.root());
}

/// More files than are packed together, some of which are streamed, stored as they are, put aside
/// or left out.
#[test]
fn many_files_are_packed_in_order() {
    let data = Data::empty();
    furnish(&data);
    for number in 0..400 {
        let text: String = (0..number * 20).map(|it| format!("word{} ", it * number)).collect();
        let path = format!("workspaces/main/content/posts/n{number}.json");
        data.write(&path, format!("{{\"title\": \"{number}\", \"x\": \"{text}\"}}"));
    }
    let monotonous = format!("{{\"title\": \"{}\"}}", "a".repeat(3_000_000));
    data.write("workspaces/main/content/posts/m.json", &monotonous);
    data.write("workspaces/main/content/posts/n100.json", "{ broken");
    data.write("workspaces/main/media/Twin.png", PNG);
    data.write("workspaces/main/media/twin.png", PNG);
    let before = files(data.root());
    let engine = open(data.root());
    let made = [(); 2].map(|()| engine.backups().make_backup(&wanted()).unwrap());
    let [bytes, again] = made.each_ref().map(|card| {
        let place = data.root().join("backups").join(card.name.as_str());
        let mut zip = zip::ZipArchive::new(fs::File::open(place).unwrap()).unwrap();
        let count = zip.len();
        let read = |index: usize| {
            let mut file = zip.by_index(index).unwrap();
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut file, &mut bytes).unwrap();
            (file.name().unwrap().to_string(), bytes, file.compressed_size())
        };
        let entries: Vec<_> = (0..count).map(read).collect();
        entries.into_iter().filter(|it| it.0 != "recto-backup.json").collect::<Vec<_>>()
    });
    assert!(bytes == again, "the same folder makes the same archive");
    let problems = &made[0].manifest.as_ref().unwrap().problems;
    let told: Vec<&str> = problems.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(told, ["workspaces/main/content/posts/n100.json", "workspaces/main/media/twin.png"]);
    let find = |name: &str| bytes.iter().find(|it| it.0 == name);
    assert!(find("broken/workspaces/main/content/posts/n100.json").is_some());
    assert_eq!(find("workspaces/main/content/posts/m.json").unwrap().2, monotonous.len() as u64);
    let packed = find("workspaces/main/content/posts/n399.json").unwrap();
    assert!(packed.2 < packed.1.len() as u64 / 2, "{}", packed.2);
    drop(engine);
    wipe(data.root());
    let engine = open(data.root());
    restore(&engine, &made[0].name, &everything(true));
    let mut after = files(data.root());
    for left_out in told {
        let bytes = before.get(left_out).unwrap().clone();
        assert_eq!(after.insert(left_out.to_string(), bytes), None);
    }
    assert!(after == before);
    expect_clean(data.root());
}
