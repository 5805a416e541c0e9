//! Sessions of those who are logged in: in memory and, so that a restart logs nobody out, on the
//! disk.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use crate::model::name::EntryId;
use crate::model::people::session::SESSIONS_MAX;
use crate::model::people::session::SessionKey;
use crate::model::people::session::SessionRecord;
use crate::stdx::json::Json;
use crate::stdx::sync::Mutex;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;

/// Uses within so many seconds are one.
const USE_SECONDS: i64 = 60;

/// All sessions.
pub struct Sessions {
    disk: Arc<dyn Disk>,
    /// True if they live in memory only.
    in_memory: bool,
    open: Mutex<HashMap<SessionKey, Session>>,
}

struct Session {
    record: SessionRecord,
    /// The time of use that is written down.
    written: Timestamp,
}

impl Sessions {
    /// Reads those that last; files of others are removed.
    pub(crate) fn open(disk: Arc<dyn Disk>, in_memory: bool, now: Timestamp) -> Sessions {
        let mut open = HashMap::new();
        let listed = disk.list(layout::SESSIONS);
        for item in listed.into_iter().flat_map(|it| it.items) {
            let key = item.name.strip_suffix(".json").and_then(SessionKey::parse);
            let Some(key) = key else { continue };
            let mut bytes = Vec::new();
            let read = disk.read(&layout::session_path(key.as_str()), &mut bytes);
            if let Err(error) = &read
                && error.is_transient()
            {
                // It is there for the next start.
                tracing::warn!(problem = %error.to_problem(&item.name).message, "a session is lost");
                continue;
            }
            let record = read.ok().and_then(|_| Json::parse(&bytes).ok());
            match record.as_ref().and_then(SessionRecord::parse) {
                Some(record) if now < record.ends_at() => {
                    let written = record.used_at;
                    open.insert(key, Session { record, written });
                }
                _ if in_memory => {}
                // An old file harms nobody when it stays.
                _ => _ = disk.remove(&layout::session_path(key.as_str())),
            }
        }
        Sessions { disk, in_memory, open: Mutex::new(open) }
    }

    /// Begins a session; of a user with too many the least used ones end. On a full disk, where
    /// somebody has to log in to make room, it is in memory alone until a later use is written.
    pub fn start_session(&self, key: SessionKey, record: SessionRecord) -> Result<(), StoreError> {
        match self.write_session(&key, &record) {
            Err(error) if error.is_full() => {
                tracing::warn!(%error, "a session is in memory alone: a restart ends it");
            }
            written => written?,
        }
        let mut open = self.open.lock();
        let mut others: Vec<(Timestamp, SessionKey)> = open
            .iter()
            .filter(|(_, it)| it.record.user == record.user)
            .map(|(key, it)| (it.record.used_at, key.clone()))
            .collect();
        others.sort();
        let too_many = (others.len() + 1).saturating_sub(SESSIONS_MAX);
        let ended: Vec<SessionKey> = others.into_iter().take(too_many).map(|(_, it)| it).collect();
        ended.iter().for_each(|it| _ = open.remove(it));
        let written = record.used_at;
        open.insert(key, Session { record, written });
        drop(open);
        self.remove_files(&ended);
        Ok(())
    }

    /// Uses the session of this key, which makes it last.
    pub fn touch_session(&self, key: &SessionKey, now: Timestamp) {
        if let Some(session) = self.open.lock().get_mut(key) {
            session.record.used_at = session.record.used_at.max(now);
        }
    }

    /// The session of this key, if it lasts, without using it.
    pub fn peek_session(&self, key: &SessionKey, now: Timestamp) -> Option<SessionRecord> {
        let open = self.open.lock();
        let record = &open.get(key)?.record;
        (now < record.ends_at()).then(|| record.clone())
    }

    /// Lets a session go on after its user's password or role was changed from within it.
    pub fn update_stamp(&self, key: &SessionKey, stamp: String) -> Result<(), StoreError> {
        let record = {
            let mut open = self.open.lock();
            let Some(session) = open.get_mut(key) else { return Ok(()) };
            session.record.stamp = stamp;
            session.record.clone()
        };
        self.write_session(key, &record)
    }

    /// The sessions of a user, the latest used first.
    pub fn list_user_sessions(
        &self,
        user: &EntryId,
        now: Timestamp,
    ) -> Vec<(SessionKey, SessionRecord)> {
        let open = self.open.lock();
        let of_user = |it: &&Session| it.record.user == *user && now < it.record.ends_at();
        let mut found: Vec<_> = open
            .iter()
            .filter(|(_, it)| of_user(it))
            .map(|(key, it)| (key.clone(), it.record.clone()))
            .collect();
        found.sort_by(|(a, x), (b, y)| (y.used_at, b).cmp(&(x.used_at, a)));
        found
    }

    /// Takes a session over as another server left it.
    pub(crate) fn reload_session(&self, path: &str) {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let Some(key) = name.strip_suffix(".json").and_then(SessionKey::parse) else { return };
        let mut bytes = Vec::new();
        let read = self.disk.read(path, &mut bytes).ok().and_then(|_| Json::parse(&bytes).ok());
        let mut open = self.open.lock();
        match read.as_ref().and_then(SessionRecord::parse) {
            Some(record) => {
                let written = record.used_at;
                open.insert(key, Session { record, written });
            }
            None => _ = open.remove(&key),
        }
    }

    /// Ends a session.
    pub fn end_session(&self, key: &SessionKey) {
        if self.open.lock().remove(key).is_some() {
            self.remove_files(std::slice::from_ref(key));
        }
    }

    /// Ends all sessions of a user but this one. Returns true if there were any.
    pub fn end_other_sessions(&self, user: &EntryId, but: Option<&SessionKey>) -> bool {
        let mut open = self.open.lock();
        let ended = |(key, it): (&SessionKey, &Session)| {
            (it.record.user == *user && Some(key) != but).then(|| key.clone())
        };
        let ended: Vec<SessionKey> = open.iter().filter_map(ended).collect();
        ended.iter().for_each(|it| _ = open.remove(it));
        drop(open);
        self.remove_files(&ended);
        !ended.is_empty()
    }

    /// Writes down what was used, to a minute, and clears away what has ended.
    pub(crate) fn flush_uses(&self, now: Timestamp) {
        let mut open = self.open.lock();
        let over =
            |(key, it): (&SessionKey, &Session)| (it.record.ends_at() <= now).then(|| key.clone());
        let ended: Vec<SessionKey> = open.iter().filter_map(over).collect();
        ended.iter().for_each(|it| _ = open.remove(it));
        let mut used = Vec::new();
        for (key, session) in open.iter_mut() {
            if session.written.seconds() + USE_SECONDS <= session.record.used_at.seconds() {
                session.written = session.record.used_at;
                used.push((key.clone(), session.record.clone()));
            }
        }
        drop(open);
        self.remove_files(&ended);
        for (key, record) in used {
            if let Err(error) = self.write_session(&key, &record) {
                tracing::warn!(%error, "cannot store when a session was last used");
                continue;
            }
            // It may have ended meanwhile, and what has ended stays ended.
            if !self.open.lock().contains_key(&key) {
                self.remove_files(std::slice::from_ref(&key));
            }
        }
    }

    fn write_session(&self, key: &SessionKey, record: &SessionRecord) -> Result<(), StoreError> {
        if self.in_memory {
            return Ok(());
        }
        let path = layout::session_path(key.as_str());
        disk::make_folders(&*self.disk, disk::parent_folder(&path))?;
        disk::replace_file(&*self.disk, &path, &record.to_file().to_file()).map(|_| ())
    }

    fn remove_files(&self, ended: &[SessionKey]) {
        if self.in_memory {
            return;
        }
        for key in ended {
            match disk::remove_file(&*self.disk, &layout::session_path(key.as_str())) {
                // It began on a full disk and was never written.
                Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => {}
                Err(error) => {
                    tracing::warn!(%error, "the file of a session that has ended cannot be removed");
                }
                Ok(()) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::people::session::SessionSecret;
    use crate::store::disk::memory::MemDisk;

    const ENOSPC: i32 = 28;

    fn record(begun: Timestamp) -> SessionRecord {
        SessionRecord {
            user: EntryId::parse("anna").unwrap(),
            stamp: "s".to_string(),
            created_at: begun,
            used_at: begun,
            remember: false,
            by_proxy: false,
            ip: String::new(),
            agent: String::new(),
        }
    }

    #[test]
    fn a_session_that_begins_on_a_full_disk_is_written_once_there_is_room() {
        let (disk, at) = (Arc::new(MemDisk::new()), Timestamp::from_seconds);
        let open = |now: i64| Sessions::open(disk.clone(), false, at(now));
        let (sessions, key) = (open(0), SessionSecret::new([7; 32]).key());
        let is_in = |it: &Sessions, now: i64| it.peek_session(&key, at(now)).is_some();
        let use_at = |now: i64| {
            sessions.touch_session(&key, at(now));
            sessions.flush_uses(at(now));
        };
        disk.fill_up(ENOSPC);
        sessions.start_session(key.clone(), record(at(0))).unwrap();
        use_at(60);
        assert!(is_in(&sessions, 60) && !is_in(&open(60), 60), "in memory alone");
        disk.clear_faults();
        use_at(120);
        assert!(is_in(&open(120), 120), "a restart does not end it any more");
        disk.fill_up(ENOSPC);
        sessions.end_session(&key);
        assert!(!is_in(&sessions, 120) && !is_in(&open(120), 120), "it has ended for good");
    }
}
