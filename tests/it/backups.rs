//! Backups and what becomes of them: a folder that was wiped comes back byte by byte, what is served
//! is what a fresh load shows, and no backup that is made beside writers is torn.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use recto::engine::Engine;
use recto::engine::backup::BackupError;
use recto::engine::backup::Wanted;
use recto::engine::restore::Handed;
use recto::engine::restore::Restore;
use recto::engine::restore::Restored;
use recto::engine::staging::Staging;
use recto::model::backup::BackupName;
use recto::model::backup::Part;
use recto::model::name::EntryId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::archive::opened::Limits;
use recto::store::archive::opened::Opened;
use recto::store::layout::Key;

use crate::folder;
use crate::folder::Data;
use crate::reading::run;
use crate::worlds::Draw;
use crate::worlds::World;

/// A PNG as far as its first bytes tell.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR picture";

const TOKEN: &str = "system/tokens/01jz8x3m5q7v9c2a.json";

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

pub(crate) fn all() -> BTreeSet<Part> {
    Part::ALL.into_iter().collect()
}

pub(crate) fn wanted() -> Wanted {
    let note = "before the move".to_string();
    Wanted { parts: all(), workspaces: None, secrets: true, note, created_by: Some("u1".into()) }
}

pub(crate) fn everything(overwrite: bool) -> Restore {
    let (workspaces, created_by) = (None, None);
    Restore { parts: all(), workspaces, overwrite, dry_run: false, created_by }
}

fn trusted(_: &Handed) -> bool {
    true
}

fn open(root: &Path) -> Arc<Engine> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    // Revisions of edits by hand are written by a thread that nobody waits for.
    let options = folder::options(root, &clock);
    Engine::open(recto::engine::Options { revisions_kept_max: 0, ..options }).unwrap()
}

/// What a backup is to keep.
pub(crate) fn files(root: &Path) -> Files {
    let mut found = BTreeSet::new();
    for top in ["workspaces", "system"] {
        if root.join(top).exists() {
            folder::files_below(root, top, &mut found);
        }
    }
    let kept = found.into_iter().filter(|it| !it.starts_with("system/activity/"));
    kept.map(|path| (path.clone(), fs::read(root.join(path)).unwrap())).collect()
}

fn wipe(root: &Path) {
    for top in ["workspaces", "system"] {
        let _ = fs::remove_dir_all(root.join(top));
    }
    fs::create_dir(root.join("workspaces")).unwrap();
}

fn restore(engine: &Engine, name: &BackupName, order: &Restore) -> Restored {
    engine.restore_backup(name, order, &trusted).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Nothing is left among what is under way.
pub(crate) fn expect_clean(root: &Path) {
    for folder in [".recto/tmp", "journal"] {
        let left = fs::read_dir(root.join(folder)).into_iter().flatten();
        let left: Vec<_> = left.map(|it| it.unwrap().file_name()).collect();
        assert!(left.is_empty(), "{folder}: {left:?}");
    }
}

/// The engine serves what is in the folder.
fn expect_current(engine: &Arc<Engine>) {
    let none = |_: &recto::query::type_index::TypeIndex| vec![String::new()];
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let fresh = folder::fresh(engine.root(), &clock);
    let running = folder::picture(&folder::app(engine), &none);
    let fresh = folder::picture(&folder::app(&fresh), &none);
    let differences = folder::differences(&running, &fresh);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A folder with something of everything, some of it odd.
pub(crate) fn furnish(data: &Data) {
    let entry = r#"{ "title":"A", "unknown": [1,2 ,3], "data":{"n":1e2},
        "translations": {"de": {"title": "Ä"}} }"#;
    let rows: &[(&str, &[u8])] = &[
        ("workspaces/main/workspace.json", b"{\"label\": \"Main\", \"x\": {}}\r\n"),
        ("workspaces/main/icon.png", PNG),
        ("workspaces/main/schemas/posts.json", b"{\"locales\":[\"en\",\"de\"],\"fields\":{}}"),
        ("workspaces/main/content/posts/a.json", entry.as_bytes()),
        ("workspaces/main/content/posts/b.json", b"\xef\xbb\xbf{\"title\": \"B\"}"),
        ("workspaces/main/content/orphans/o.json", b"{\"title\": \"O\"}"),
        (
            "workspaces/main/revisions/posts/a/01jz8x3m5q7v9c2a-update-u1.json",
            b"{\"title\": \"0\"}",
        ),
        ("workspaces/main/revisions/posts/t~2/01jz8x3m5q7v9c2b.json", b"{}"),
        ("workspaces/main/trash/posts/t.json", b"{\"title\": \"T\", \"deleted_at\": \"x\"}"),
        ("workspaces/main/trash/posts/t~2.json", b"{}"),
        ("workspaces/main/media/p.png", PNG),
        ("workspaces/main/media/Stra\u{df}e 1.txt", b"some text"),
        ("workspaces/main/media-meta/p.png.json", b"{\"alt\": \"P\", \"category\": \"Press\"}"),
        ("workspaces/main/media-meta/gone.png.json", b"{}"),
        ("workspaces/main/media-categories.json", b"{\"categories\": [\"Press\"]}"),
        ("workspaces/shop/schemas/items.json", b"{\"fields\": {}}"),
        ("workspaces/shop/content/items/i.json", b"{\"title\": \"I\"}"),
        ("system/settings.json", b"{\"a\": 1}"),
        ("system/webhooks.json", b"{\"webhooks\": [{\"id\": \"w\", \"secret\": \"s\"}]}"),
        ("system/schedule.json", b"{}"),
        (
            "system/users/u1.json",
            b"{\"username\": \"anna\", \"password_hash\": \"h\", \"role\": \"admin\"}",
        ),
        ("system/avatars/u1.png", PNG),
        ("system/roles/r.json", b"{\"permissions\": []}"),
    ];
    rows.iter().for_each(|(path, bytes)| data.write(path, bytes));
    let token = format!("{{\"permissions\": [], \"secret_sha256\": \"{}\"}}", "0".repeat(64));
    data.write(TOKEN, token);
}

#[test]
fn a_folder_that_was_wiped_comes_back_byte_by_byte() {
    let data = Data::empty();
    furnish(&data);
    let before = files(data.root());
    let engine = open(data.root());
    let card = engine.back_up(&wanted()).unwrap();
    let manifest = card.manifest.clone().unwrap();
    assert!(card.verified && manifest.secrets);
    assert_eq!(manifest.problems, []);
    assert_eq!(manifest.counts.values().sum::<u64>(), before.len() as u64);
    assert_eq!(manifest.counts[&Part::Media], 5);
    drop(engine);
    wipe(data.root());
    let engine = open(data.root());
    let rehearsed = Restore { dry_run: true, ..everything(true) };
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
    let card = engine.back_up(&wanted()).unwrap();
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
    let card = engine.back_up(&wanted()).unwrap();
    data.write("workspaces/main/content/posts/a.json", r#"{"title": "Changed"}"#);
    data.write("workspaces/main/content/posts/c.json", r#"{"title": "New"}"#);
    data.write("workspaces/main/media/q.png", PNG);
    data.write("workspaces/main/media/p.png", [PNG, b"other"].concat());
    data.remove("workspaces/main/schemas/posts.json");
    data.remove("workspaces/main/revisions");
    data.remove(TOKEN);
    // It was not there when the backup was made: nobody asked for it to go.
    data.write("workspaces/later/schemas/x.json", r#"{"fields": {}}"#);
    engine.settle();
    let changed = files(data.root());
    let missing = restore(&engine, &card.name, &everything(false));
    assert_eq!(missing.restored[&Part::Revisions], 2);
    assert_eq!(missing.restored[&Part::Tokens], 1);
    assert!(missing.removed.is_empty());
    let now = files(data.root());
    assert!(changed.iter().all(|(path, bytes)| now.get(path) == Some(bytes)));
    assert!(before.keys().all(|it| now.contains_key(it)));
    expect_current(&engine);
    let done = restore(&engine, &card.name, &everything(true));
    assert_eq!((done.removed[&Part::Content], done.removed[&Part::Media]), (1, 1));
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
    let card = engine.back_up(&wanted()).unwrap();
    let spoil = || {
        for path in files(data.root()).keys().filter(|it| it.ends_with(".json")) {
            data.write(path, "{}");
        }
        engine.settle();
        files(data.root())
    };
    let check = |order: Restore, expect: &[&str]| {
        let spoilt = spoil();
        restore(&engine, &card.name, &order);
        let now = files(data.root());
        let changed: Vec<&String> =
            now.keys().filter(|it| now.get(*it) != spoilt.get(*it)).collect();
        assert!(changed.iter().all(|it| expect.iter().any(|on| it.starts_with(on))), "{changed:?}");
        assert!(expect.iter().all(|on| changed.iter().any(|it| it.starts_with(on))), "{changed:?}");
        expect_current(&engine);
    };
    let parts =
        |parts: &[Part]| Restore { parts: parts.iter().copied().collect(), ..everything(true) };
    let shop = BTreeSet::from([WorkspaceSlug::parse("shop").unwrap()]);
    check(parts(&[Part::Trash]), &["workspaces/main/trash/"]);
    check(parts(&[Part::Settings]), &["workspaces/main/workspace.json", "system/settings.json"]);
    check(
        Restore { workspaces: Some(shop), ..everything(true) },
        &[
            "workspaces/shop/",
            "system/users/",
            "system/roles/",
            "system/tokens/",
            "system/webhooks.json",
        ],
    );
    check(parts(&Part::RESTORED_BY_DEFAULT), &["workspaces/", "system/settings.json"]);
}

#[test]
fn secrets_stay_where_they_are() {
    let data = Data::empty();
    furnish(&data);
    let engine = open(data.root());
    let card = engine.back_up(&Wanted { secrets: false, ..wanted() }).unwrap();
    let place = data.root().join("backups").join(card.name.as_str());
    let mut opened = Opened::open(fs::File::open(&place).unwrap(), Limits::FOREIGN).unwrap();
    let items: Vec<_> = opened.items().cloned().collect();
    for item in items {
        let text = String::from_utf8_lossy(&opened.bytes(&item).unwrap()).into_owned();
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
    engine.settle();
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
    let card = engine.back_up(&wanted()).unwrap();
    data.write("system/roles/r.json", r#"{"permissions": []}"#);
    let before = files(data.root());
    let refused = engine.restore_backup(&card.name, &everything(true), &|it| it.grants.is_empty());
    assert!(matches!(refused, Err(BackupError::Exceeds)));
    assert!(files(data.root()) == before);
    expect_clean(data.root());
    assert_eq!(engine.backups().unwrap().len(), 1);
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
    let card = engine.back_up(&wanted()).unwrap();
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
fn random_worlds_come_back() {
    run(12, 1500, |draw| {
        let data = Data::empty();
        write_world(&data, &World::draw(draw, 8), draw);
        let engine = open(data.root());
        let card = engine.back_up(&wanted()).unwrap();
        let before = files(data.root());
        for path in before.keys() {
            match draw.below(4) {
                0 => data.remove(path),
                1 => data.write(path, "{\"title\": \"other\", \"fields\": {}}"),
                _ => {}
            }
        }
        write_world(&data, &World::draw(draw, 4), draw);
        engine.settle();
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

/// Writers that always change two files together, while backups are made: both say the same in each.
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
                            let stored = staging.stored(key)?.expect("the file is there");
                            staging.replace(&stored, format!("{{\"title\": \"{number}\"}}").into());
                        }
                        Ok::<_, recto::engine::commit::CommitError>(())
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
            let card = engine.back_up(&wanted()).unwrap();
            let place = data.root().join("backups").join(card.name.as_str());
            let mut opened = Opened::open(fs::File::open(place).unwrap(), Limits::FOREIGN).unwrap();
            let items: Vec<_> = opened.items().cloned().collect();
            let mut read = |key: &Key| {
                let item = items.iter().find(|it| it.key == *key).unwrap();
                opened.bytes(item).unwrap()
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
