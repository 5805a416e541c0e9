//! The last accepted bodies of entries and schemas: what stands in for a file that is broken, and
//! what is left for a week of one that was deleted by hand.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use crate::engine::Engine;
use crate::engine::load::workspace_meta;
use crate::engine::read;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::disk::Stat;
use crate::store::lastgood;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load;
use crate::store::load::FileRef;
use crate::store::pack::Pack;

/// How many threads read what is not packed yet: this is done beside answering.
const READERS: usize = 2;

impl Engine {
    /// Packs every body that is not packed yet and can be served.
    pub(super) fn pack_bodies(&self) {
        self.unpacked.store(false, Relaxed);
        let Some(pack) = &self.pack else { return };
        let files = match load::scan(&*self.disk, &[Folder::Workspaces]) {
            Ok(scan) => scan.files,
            Err(error) => return tracing::warn!(%error, "bodies are not packed"),
        };
        let missing: Vec<FileRef> = files
            .into_iter()
            .filter(|it| is_packed(&it.key))
            .filter(|it| !pack.holds(&it.path(), &it.stat))
            .collect();
        load::read_all(&*self.disk, &missing, READERS, |file: &FileRef, body| {
            let path = file.path();
            if let Ok(body) = body
                && is_good(&file.key, &path, body.bytes)
            {
                pack.put(&path, &body.stat, body.sum(), body.bytes);
            }
        });
        pack.flush();
    }

    /// Keeps a body that was accepted.
    pub(super) fn keep_body(&self, path: &str, bytes: &[u8], stat: &Stat, sum: Sum) {
        if let Some(pack) = &self.pack {
            pack.put(path, stat, sum, bytes);
        }
    }

    /// Puts the bodies of deleted files by, where nobody waits for it.
    pub(super) fn put_by(&self, paths: Vec<String>) {
        let Some(pack) = self.pack.clone() else { return };
        if paths.is_empty() {
            return;
        }
        let (disk, now) = (self.disk.clone(), self.clock.now());
        let work = move || put_by(&*disk, &pack, &paths, now);
        if let Err(error) = thread::Builder::new().name("put-by".to_string()).spawn(work) {
            tracing::warn!(%error, "the last bodies of deleted files are not kept");
        }
    }
}

/// Whether the last good body of a file stands in for it while it is broken. Of media nothing is
/// said then, and a token opens nothing.
fn is_packed(key: &Key) -> bool {
    matches!(key, Key::Entry(..) | Key::Schema(..) | Key::Workspace(_) | Key::Categories(_))
}

/// Whether a body could be served.
fn is_good(key: &Key, path: &str, bytes: &[u8]) -> bool {
    match key {
        Key::Schema(_, name) => read::content_type(name, path, bytes).value.is_some(),
        Key::Workspace(ws) => workspace_meta(ws, path, bytes).value.is_some(),
        _ => read::json(path, bytes).value.is_some(),
    }
}

fn put_by(disk: &dyn Disk, pack: &Arc<Pack>, paths: &[String], now: Timestamp) {
    for path in paths {
        if let Some(packed) = pack.get(path)
            && let Err(error) = lastgood::keep(disk, path, &packed.bytes, now)
        {
            tracing::warn!(%error, "the last body of a deleted file is not kept");
        }
        // It may have been made anew meanwhile.
        if disk.stat(path).is_err() {
            pack.remove(path);
        }
    }
    if let Err(error) = lastgood::prune(disk, now) {
        tracing::warn!(%error, "old bodies of deleted files are not removed");
    }
    pack.flush();
}
