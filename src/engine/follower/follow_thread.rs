//! The thread that follows the folder until the engine is closed.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use crate::engine::follower::Follower;
use crate::store::read::watch::DirtySet;

impl Follower {
    /// Starts to follow what happens in the folder, on a thread of its own, until
    /// the engine is closed.
    pub fn spawn_follower(self: &Arc<Self>) -> std::io::Result<thread::JoinHandle<()>> {
        let engine = self.clone();
        self.watching.store(true, Relaxed);
        thread::Builder::new()
            .name("follow".to_string())
            .spawn(move || engine.follow_until_closed())
    }

    fn follow_until_closed(self: &Arc<Self>) {
        let engine = self.clone();
        let tagging = thread::Builder::new()
            .name("tag-media".to_string())
            .spawn(move || engine.tag_media_until_closed());
        match &self.folder.replica {
            Some(replica) => thread::scope(|scope| {
                let write = || self.write_pending_files(replica);
                let writing = thread::Builder::new().name("write-replica".to_string());
                if let Err(error) = writing.spawn_scoped(scope, write) {
                    tracing::error!(%error, "the replica is not written: no thread");
                }
                self.follow_replica(replica);
            }),
            None => self.follow_folder(),
        }
        // The end may come before the first wait is over.
        self.folder.errands.wait_until_idle();
        self.finish_look();
        self.folder.sums.close();
        match tagging.map(thread::JoinHandle::join) {
            Ok(Ok(())) => {}
            Ok(Err(_)) => tracing::error!("the thread that reads media files panicked"),
            Err(error) => tracing::error!(%error, "media files are not read: no thread"),
        }
        self.watching.store(false, Relaxed);
    }

    fn follow_folder(&self) {
        // What happened between loading and watching.
        let mut dirty = DirtySet::everything();
        loop {
            let wake = self.refresh(&dirty);
            self.finish_look();
            match self.folder.watcher.wait_for_hints(wake) {
                Some(next) => dirty = next,
                None => break,
            }
        }
    }

    /// Does what waits for the end of a look at the folder.
    pub(super) fn finish_look(&self) {
        self.folder.flush_last_good();
        if !self.folder.is_outage() {
            self.prune_revisions();
            self.records.flush_token_uses();
            self.records.sessions().flush_uses(self.folder.clock.now());
        }
    }
}
