//! A database in memory, for tests of several engines in one process.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::stdx::sync::{Condvar, Mutex};
use crate::store::cluster::database::{
    BlobId, Database, DatabaseChange, DatabaseContent, DatabaseError, DatabaseFile,
    DatabaseFileFacts, FileSink, LogPage, LoggedCommit, Position, Seen,
};

/// A server's access to a database in memory.
#[derive(Default)]
pub struct MemoryDatabase {
    shared: Arc<SharedMemory>,
    number: u64,
}

#[derive(Default)]
struct SharedMemory {
    content: Mutex<MemoryContent>,
    changed: Condvar,
}

#[derive(Default)]
struct MemoryContent {
    files: BTreeMap<String, DatabaseFile>,
    blobs: HashMap<[u8; 32], Vec<u8>>,
    /// The signals that each server has not taken yet.
    signals: HashMap<u64, Vec<String>>,
    log: Vec<LoggedCommit>,
    /// The server that has the turn, and the one that has the lead.
    turn: Option<u64>,
    lead: Option<u64>,
    servers: u64,
    is_away: bool,
    keeps_files: bool,
}

impl Drop for MemoryDatabase {
    /// A turn and the lead end with the connection.
    fn drop(&mut self) {
        let mut content = self.shared.content.lock();
        let is_mine = |it: &mut u64| *it == self.number;
        content.turn.take_if(is_mine);
        content.lead.take_if(is_mine);
        content.signals.remove(&self.number);
        self.shared.changed.notify_all();
    }
}

impl MemoryDatabase {
    /// Returns the access of another server.
    pub fn connect(&self) -> MemoryDatabase {
        let mut content = self.shared.content.lock();
        content.servers += 1;
        let number = content.servers;
        content.signals.insert(number, Vec::new());
        MemoryDatabase { shared: self.shared.clone(), number }
    }

    /// Writes or removes a file as somebody does who changes the database itself.
    pub fn edit_file(&self, path: &str, bytes: Option<&[u8]>, modified_ns: i64) {
        let mut content = self.shared.content.lock();
        match bytes {
            Some(bytes) => {
                let facts = DatabaseFileFacts {
                    path: path.to_string(),
                    size: bytes.len() as u64,
                    sum: None,
                    modified_ns,
                };
                let file = DatabaseFile { facts, content: DatabaseContent::Bytes(bytes.to_vec()) };
                content.files.insert(path.to_string(), file);
            }
            None => _ = content.files.remove(path),
        }
        let position = content.log.len() as u64 + 1;
        content.log.push(LoggedCommit {
            position,
            id: format!("edit {position}"),
            is_edit: true,
            paths: vec![path.to_string()],
            ..LoggedCommit::default()
        });
        drop(content);
        self.shared.changed.notify_all();
    }

    /// Returns the number of large contents.
    pub fn count_blobs(&self) -> usize {
        self.shared.content.lock().blobs.len()
    }

    /// Has it keep the content of files to itself from now on, or no longer.
    pub fn set_keeping_files(&self, keeps: bool) {
        self.shared.content.lock().keeps_files = keeps;
    }

    /// Has all calls fail from now on, or no longer.
    pub fn set_away(&self, is_away: bool) {
        self.shared.content.lock().is_away = is_away;
    }
}

impl MemoryContent {
    fn check(&self) -> Result<(), DatabaseError> {
        if self.is_away {
            Err(DatabaseError::Unavailable("it is away".to_string()))
        } else {
            Ok(())
        }
    }

    /// Returns what was committed after `seen`, and the files that it left.
    fn read_log(&self, seen: &Seen) -> Result<(LogPage, Vec<DatabaseFile>), DatabaseError> {
        self.check()?;
        let before = usize::try_from(seen.position).unwrap_or(usize::MAX);
        let is_known = before == 0
            || self.log.get(before.saturating_sub(1)).is_some_and(|it| it.id == seen.commit);
        if !is_known {
            return Ok((LogPage::Unknown, Vec::new()));
        }
        let commits = self.log.get(before..).unwrap_or_default().to_vec();
        let paths: BTreeSet<&String> = commits.iter().flat_map(|it| &it.paths).collect();
        let (mut missing, mut left) = (Vec::new(), Vec::new());
        for path in paths {
            match self.files.get(path) {
                Some(file) => left.push(file.clone()),
                None => missing.push(path.clone()),
            }
        }
        Ok((LogPage::Commits { commits, missing }, left))
    }
}

impl Database for MemoryDatabase {
    fn database_id(&self) -> Result<String, DatabaseError> {
        self.shared.content.lock().check().map(|()| "memory".to_string())
    }

    fn begin_turn(&self, seen: &Seen, sink: FileSink<'_>) -> Result<LogPage, DatabaseError> {
        let content = self.shared.content.lock();
        let mut content = self.shared.changed.wait_while(content, |it| it.turn.is_some());
        let (page, files) = content.read_log(seen)?;
        content.turn = Some(self.number);
        drop(content);
        // Large contents are read meanwhile.
        files.into_iter().try_for_each(sink).map_err(DatabaseError::Local)?;
        Ok(page)
    }

    fn end_turn(&self) {
        self.shared.content.lock().turn = None;
        self.shared.changed.notify_all();
    }

    fn commit(&self, change: &DatabaseChange) -> Result<Position, DatabaseError> {
        let mut content = self.shared.content.lock();
        content.check()?;
        if change.after != content.log.len() as u64 {
            return Err(DatabaseError::Unavailable("the turn was lost".to_string()));
        }
        if let Some(taken) = change.created.iter().find(|it| content.files.contains_key(*it)) {
            return Err(DatabaseError::Exists(taken.clone()));
        }
        for path in &change.removed {
            content.files.remove(path);
        }
        for file in &change.written {
            content.files.insert(file.facts.path.clone(), file.clone());
        }
        let written = change.written.iter().map(|it| it.facts.path.clone());
        let paths = change.removed.iter().cloned().chain(written).collect();
        let position = content.log.len() as u64 + 1;
        content.log.push(LoggedCommit {
            position,
            id: change.id.clone(),
            is_edit: false,
            paths,
            folders: change.folders.clone(),
            events: change.events.clone(),
        });
        drop(content);
        self.shared.changed.notify_all();
        Ok(position)
    }

    fn read_log(&self, seen: &Seen, sink: FileSink<'_>) -> Result<LogPage, DatabaseError> {
        let (page, files) = self.shared.content.lock().read_log(seen)?;
        files.into_iter().try_for_each(sink).map_err(DatabaseError::Local)?;
        Ok(page)
    }

    fn is_empty(&self) -> Result<bool, DatabaseError> {
        let content = self.shared.content.lock();
        content.check().map(|()| content.files.is_empty())
    }

    fn read_files(&self, each: &mut dyn FnMut(DatabaseFileFacts)) -> Result<Seen, DatabaseError> {
        let content = self.shared.content.lock();
        content.check()?;
        content.files.values().for_each(|it| each(it.facts.clone()));
        let last = content.log.last();
        Ok(last.map(|it| Seen { position: it.position, commit: it.id.clone() }).unwrap_or_default())
    }

    fn fetch_files(&self, paths: &[String]) -> Result<Vec<DatabaseFile>, DatabaseError> {
        let content = self.shared.content.lock();
        content.check()?;
        if content.keeps_files {
            return Err(DatabaseError::Unavailable("it keeps its files".to_string()));
        }
        Ok(paths.iter().filter_map(|it| content.files.get(it)).cloned().collect())
    }

    fn read_blob(&self, blob: &BlobId, into: &mut dyn io::Write) -> Result<(), DatabaseError> {
        let content = self.shared.content.lock();
        let bytes = content.blobs.get(&blob.0).map(Vec::as_slice).unwrap_or_default();
        into.write_all(bytes).map_err(|it| DatabaseError::Refused(it.to_string()))
    }

    fn store_blob(&self, blob: &BlobId, from: &mut dyn io::Read) -> Result<(), DatabaseError> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).map_err(|it| DatabaseError::Refused(it.to_string()))?;
        self.shared.content.lock().blobs.insert(blob.0, bytes);
        Ok(())
    }

    fn clean_up(&self) -> Result<(), DatabaseError> {
        self.shared.content.lock().check()
    }

    fn try_lead(&self) -> bool {
        let mut content = self.shared.content.lock();
        *content.lead.get_or_insert(self.number) == self.number
    }

    fn send_signal(&self, text: &str) -> Result<(), DatabaseError> {
        let mut content = self.shared.content.lock();
        content.check()?;
        let others = content.signals.iter_mut().filter(|(number, _)| **number != self.number);
        others.for_each(|(_, waiting)| waiting.push(text.to_string()));
        Ok(())
    }

    fn take_signals(&self) -> Vec<String> {
        let mut content = self.shared.content.lock();
        content.signals.get_mut(&self.number).map(std::mem::take).unwrap_or_default()
    }

    fn wait_for_commits(&self, at_most: Duration) {
        let content = self.shared.content.lock();
        let known = content.log.len();
        drop(self.shared.changed.wait_timeout_while(content, at_most, |it| it.log.len() == known));
    }
}
