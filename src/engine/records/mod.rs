//! Users, roles, tokens, settings and webhooks: how they are looked up, and how files of theirs are
//! taken in.

pub mod sessions;
mod verified_tokens;

use std::sync::Arc;
use std::sync::MutexGuard;

use arc_swap::ArcSwap;

use crate::engine::apply::records;
use crate::engine::apply::records::AppliedRecords;
use crate::engine::error::WriteRefusal;
use crate::engine::folder::OpenFolder;
use crate::engine::folder::options::EngineOptions;
use crate::engine::installation::ApiToken;
use crate::engine::installation::Installation;
use crate::engine::load::installation_loader;
use crate::engine::parse::file_parser;
use crate::engine::parse::system_files;
use crate::engine::records::sessions::Sessions;
use crate::engine::records::verified_tokens::VerifiedTokens;
use crate::engine::write_queue::WriteQueue;
use crate::model::name::TokenId;
use crate::model::webhook::Webhook;
use crate::stdx::json::Json;
use crate::stdx::json_edit;
use crate::stdx::sync::Mutex;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::layout::FilePath;
use crate::store::layout::Key;
use crate::store::read::load::is_absence;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

/// The records of the installation, as they are served.
pub struct Records {
    pub(crate) folder: Arc<OpenFolder>,
    installation: ArcSwap<Installation>,
    /// The turn of those who change the installation.
    pub(crate) turn: WriteQueue<()>,
    /// Files of the installation that other processes wrote and that were not read since.
    foreign: Mutex<Vec<FilePath>>,
    sessions: Sessions,
    verified: VerifiedTokens,
    revisions_kept_max: i64,
    revisions_are_pinned: bool,
}

impl Records {
    /// The records of an installation that was loaded at `now`.
    pub(crate) fn new(
        folder: Arc<OpenFolder>,
        installation: Installation,
        options: &EngineOptions,
        now: Timestamp,
    ) -> Records {
        Records {
            installation: ArcSwap::from_pointee(installation),
            turn: WriteQueue::new(),
            foreign: Mutex::default(),
            sessions: Sessions::open(folder.disk.clone(), folder.read_only, now),
            verified: VerifiedTokens::default(),
            revisions_kept_max: options.revisions_kept_max,
            revisions_are_pinned: options.revisions_are_pinned,
            folder,
        }
    }
}

impl Records {
    /// The installation as it is served.
    pub fn installation(&self) -> arc_swap::Guard<Arc<Installation>> {
        self.installation.load()
    }

    /// The installation as it is served, kept for as long as it is needed.
    pub fn installation_arc(&self) -> Arc<Installation> {
        self.installation.load_full()
    }

    /// The number of revisions of an entry that are kept; 0 for none, negative for all.
    pub(crate) fn max_revisions(&self) -> i64 {
        let saved = || self.installation().settings().max_revisions();
        let saved = if self.revisions_are_pinned { None } else { saved() };
        saved.unwrap_or(self.revisions_kept_max)
    }

    pub(crate) fn system_foreign_writes(&self) -> MutexGuard<'_, Vec<FilePath>> {
        self.foreign.lock()
    }

    /// The sessions of those who are logged in.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// Returns true if people or tokens are known and the folder of their files is not there. A
    /// new folder would look as if they had been removed.
    pub(crate) fn has_lost_system(&self) -> bool {
        let installation = self.installation();
        let mut tokens = installation.tokens();
        let is_known = tokens.next().is_some() || installation.users().next().is_some();
        is_known && self.folder.disk.stat(layout::SYSTEM).is_err_and(|error| is_absence(&error))
    }

    /// Checks what is known of the folder without waiting for it: whoever cannot write is told at
    /// once, and does not queue behind a disk that hangs.
    pub(crate) fn check_reachable(&self) -> Result<(), WriteRefusal> {
        if self.folder.read_only {
            return Err(WriteRefusal::ReadOnly);
        }
        if self.folder.is_outage() {
            return Err(WriteRefusal::Outage);
        }
        Ok(())
    }

    /// Checks that something can be written at all.
    pub(crate) fn check_writable(&self) -> Result<(), WriteRefusal> {
        self.check_reachable()?;
        if self.folder.has_lost_lock() || self.has_lost_system() {
            return Err(WriteRefusal::Outage);
        }
        self.folder.verify_disk()
    }

    /// The webhook of this id.
    pub fn find_webhook(&self, id: &str) -> Option<Arc<Webhook>> {
        self.installation().webhooks().iter().find(|it| it.id == *id).cloned()
    }

    /// The token of this id. One that was made a moment ago, by a tool beside the server, counts
    /// before the folder is looked at again: whoever made it is about to use it.
    /// An error says that it cannot be known now whether there is one.
    pub fn find_token(&self, id: &TokenId) -> Result<Option<Arc<ApiToken>>, StoreError> {
        if let Some(holder) = self.installation().token(id) {
            return Ok(Some(holder.clone()));
        }
        let path = Key::Token(id.clone()).path();
        let bytes = match self.folder.read_body(&path) {
            Ok((bytes, _)) => bytes,
            Err(ReadError::Unreadable(error)) => return Err(StoreError::io("read", path)(error)),
            Err(_) => return Ok(None),
        };
        let record = system_files::parse_token(id, &path, &bytes).value;
        Ok(record.map(|it| Arc::new(ApiToken::new(it))))
    }

    /// Returns the holder of a token whose text was verified before, and nothing has changed since.
    pub fn find_verified_token(&self, text: &[u8]) -> Option<Arc<ApiToken>> {
        self.verified.find(&self.installation(), text)
    }

    /// Remembers that a text is the token of `holder`.
    pub fn remember_verified_token(&self, text: &[u8], holder: &Arc<ApiToken>) {
        self.verified.insert(&self.installation(), text, holder);
    }

    /// Writes down when tokens were used last, where that is known to a minute no longer.
    pub(crate) fn flush_token_uses(&self) {
        let Some(lock) = self.folder.write_lock.as_ref().filter(|_| !self.folder.is_outage())
        else {
            return;
        };
        let installation = self.installation();
        let uses =
            installation.tokens().filter_map(|it| Some((&it.record.id, it.unwritten_use()?)));
        for (id, used) in uses {
            let path = Key::Token(id.clone()).path();
            let write = || -> Result<(), StoreError> {
                let _turn = lock.acquire_turn()?;
                let Ok((bytes, _)) = self.folder.read_body(&path) else { return Ok(()) };
                let Some(Json::Object(mut record)) = file_parser::parse_json(&path, &bytes).value
                else {
                    return Ok(());
                };
                record.set("last_used_at", used.to_string().into());
                let bytes = json_edit::rewrite_json(&bytes, &Json::Object(record));
                disk::replace_file(&*self.folder.disk, &path, &bytes)?;
                if self.folder.replica.is_some() {
                    // No sweep finds it there.
                    self.adopt_system_file(Key::Token(id.clone()).into());
                }
                Ok(())
            };
            if let Err(error) = write() {
                tracing::warn!(%error, "cannot store when a token was last used");
            }
        }
    }

    /// Takes a file of the installation over as it is now. For whoever has its turn.
    pub(crate) fn adopt_system_file(&self, path: FilePath) {
        if !system_files::is_system(path.key()) {
            return;
        }
        if let Some(change) = self.folder.observe_once(path) {
            self.apply_system_change(&change);
        }
    }

    /// Takes over what other servers committed. What this one committed before is served by then,
    /// too, since whoever does that has the turn.
    pub(crate) fn adopt_committed_files(&self) {
        self.turn.run_exclusive(|| {
            let foreign = std::mem::take(&mut *self.system_foreign_writes());
            foreign.into_iter().for_each(|path| self.adopt_system_file(path));
        });
    }

    /// Takes over files of the installation that somebody else changed. Leaves out other files.
    pub(crate) fn adopt_system_changes(&self, mut changes: Vec<FileChange>) {
        changes.retain(|it| system_files::is_system(&it.key));
        if !changes.is_empty() {
            self.turn.run_exclusive(|| {
                for change in self.folder.confirm_changes(changes) {
                    self.apply_system_change(&change);
                }
            });
        }
    }

    /// Looks again at folders of users and roles that could not be listed when they were loaded.
    pub(crate) fn relist_people(&self) {
        let installation = self.installation_arc();
        if installation.knows_all_users() && installation.knows_all_roles() {
            return;
        }
        self.turn.run_exclusive(|| {
            let mut installation = Installation::clone(&self.installation.load());
            let found = installation_loader::relist_people(&*self.folder.disk, &installation);
            if !found.is_empty() {
                installation.apply_files(found);
                self.installation.store(Arc::new(installation));
            }
        });
    }

    /// The installation with a file as it is. For whoever has its turn.
    pub(crate) fn apply_system_change(&self, change: &FileChange) {
        let AppliedRecords { mut installation, problems } =
            records::apply_records(&self.installation.load(), [change]);
        let stat = match &change.now {
            SweptFile::Read { content, stat } => {
                if system_files::are_good_settings(&change.key, &change.path, content) {
                    self.folder.save_last_good(&change.path, content, stat, content.sum());
                }
                Some(*stat)
            }
            _ => None,
        };
        installation.record_read(&change.key, stat);
        self.installation.store(Arc::new(installation));
        let now = self.folder.clock.now();
        for (path, problems) in problems {
            self.folder.problems.set_file(&path, problems, now);
        }
    }
}
