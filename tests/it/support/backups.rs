//! Backups as tests make and restore them, and a data folder with something of everything.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use recto::engine::Engine;
use recto::engine::backups::request::BackupError;
use recto::engine::backups::request::BackupRequest;
use recto::engine::backups::restore_request::GrantedRights;
use recto::engine::backups::restore_request::RestoreReport;
use recto::engine::backups::restore_request::RestoreRequest;
use recto::model::backup::BackupName;
use recto::model::backup::BackupPart;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;

use crate::support::folder;
use crate::support::folder::Data;

/// A PNG as far as its first bytes tell.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR picture";

pub(crate) const TOKEN: &str = "system/tokens/01jz8x3m5q7v9c2a.json";

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

pub(crate) fn all() -> BTreeSet<BackupPart> {
    BackupPart::ALL.into_iter().collect()
}

pub(crate) fn wanted() -> BackupRequest {
    let note = "before the move".to_string();
    BackupRequest {
        parts: all(),
        workspaces: None,
        secrets: true,
        note,
        created_by: Some("u1".into()),
    }
}

pub(crate) fn everything(overwrite: bool) -> RestoreRequest {
    RestoreRequest {
        parts: all(),
        workspaces: None,
        overwrite,
        dry_run: false,
        created_by: None,
        clean_entry: None,
    }
}

pub(crate) fn trusted(_: &GrantedRights) -> Result<(), BackupError> {
    Ok(())
}

pub(crate) fn open(root: &Path) -> Arc<Engine> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    // Revisions of edits by hand are written by a thread that nobody waits for.
    let options = folder::options(root, &clock);
    Engine::open(recto::engine::EngineOptions { revisions_kept_max: 0, ..options }).unwrap()
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

pub(crate) fn wipe(root: &Path) {
    for top in ["workspaces", "system"] {
        let _ = fs::remove_dir_all(root.join(top));
    }
    fs::create_dir(root.join("workspaces")).unwrap();
}

pub(crate) fn restore(engine: &Engine, name: &BackupName, order: &RestoreRequest) -> RestoreReport {
    engine
        .backups()
        .restore_backup(name, order, &trusted)
        .unwrap_or_else(|error| panic!("{error:?}"))
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
pub(crate) fn expect_current(engine: &Arc<Engine>) {
    let none = |_: &recto::query::index::type_index::TypeIndex| vec![String::new()];
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let fresh = folder::fresh(engine.folder().root(), &clock);
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
        ("workspaces/main/media-revisions/p.png/01jz8x3m5q7v9c2a-update-u1.png", PNG),
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
