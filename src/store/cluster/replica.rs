//! The replica of a server: the files of the database in its data folder.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use crate::stdx::checksum::Checksum;
use crate::stdx::sync::{Condvar, Mutex};
use crate::store::cluster::database::{
    Database, DatabaseChange, DatabaseError, LogPage, LoggedCommit, Position, Seen, new_commit_id,
    to_store_error,
};
use crate::store::cluster::file_content::{read_stored, store_if_large};
use crate::store::cluster::final_states::{FinalStates, ListedFiles, list_files};
use crate::store::cluster::pending_files::PendingFiles;
use crate::store::cluster::replica_files::ReplicaFiles;
use crate::store::cluster::replica_news::ReplicaNews;
use crate::store::cluster::replica_state::{ReplicaState, boot_id};
use crate::store::cluster::shared_paths;
use crate::store::data_folder::DataFolder;
use crate::store::disk::{self, Disk, FileEffect, ShareError, Stat};
use crate::store::error::StoreError;
use crate::store::layout;

/// The time between two clean-ups of the database.
const CLEAN_EVERY: Duration = Duration::from_secs(60 * 60);

/// The time for which files of others are taken over during one turn.
const TAKE_OVER_MAX: Duration = Duration::from_secs(3);

/// The time after which a database that does not answer counts as away.
const SILENCE_MAX: Duration = Duration::from_secs(5);

/// The copy of the database that a server works with.
pub struct Replica {
    database: Arc<dyn Database>,
    files: ReplicaFiles,
    places: DataFolder,
    /// The thread that commits or takes over commits.
    turn: Mutex<Option<ThreadId>>,
    turn_over: Condvar,
    state: Mutex<ReplicaState>,
    /// True if the state has changed since it was written down.
    is_unsaved: AtomicBool,
    /// True if files may differ from those of the database: a commit could not be made here.
    is_damaged: AtomicBool,
    /// Commits that were taken over and are not served yet.
    news: Mutex<ReplicaNews>,
    /// Told of the signals of other servers.
    listener: OnceLock<SignalListener>,
    /// Events of changes that are under way, to be committed with them.
    events: Mutex<String>,
    published: Mutex<Position>,
    published_more: Condvar,
    is_leader: AtomicBool,
    /// The time of the last [`Replica::clean_up_when_due`].
    cleaned: Mutex<Option<Instant>>,
    /// The time of the last answer of the database, in milliseconds since `started`.
    heard_at: AtomicU64,
    started: Instant,
    counts: ReplicaCounts,
}

/// Counts since the start, for metrics.
#[derive(Debug, Default)]
pub struct ReplicaCounts {
    /// Turns among all servers.
    pub turns: AtomicU64,
    /// The time that was waited for them.
    pub waited_ms: AtomicU64,
    /// Commits of others.
    pub followed: AtomicU64,
    /// Calls that failed.
    pub failures: AtomicU64,
}

/// A listener to signals. It is called on the thread that follows the database.
type SignalListener = Box<dyn Fn(&str) + Send + Sync>;

/// The turn among all servers; it ends when this is dropped.
#[derive(Debug)]
pub struct ReplicaTurn<'a> {
    local: LocalTurn<'a>,
}

/// The right to change the replica, among the threads of this server; it ends when this is dropped.
#[derive(Debug)]
struct LocalTurn<'a> {
    replica: &'a Replica,
    /// False if what was committed is made in the files only after the turn.
    saves: bool,
}

impl std::fmt::Debug for Replica {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replica").field("state", &*self.state.lock()).finish_non_exhaustive()
    }
}

impl Replica {
    /// Opens the replica in a data folder, and brings it up to date. The folder is empty or was a
    /// replica of this database before.
    pub fn open(
        database: Arc<dyn Database>,
        disk: Arc<dyn Disk>,
        places: &DataFolder,
    ) -> Result<Replica, StoreError> {
        Replica::open_part(database, disk, places, "")
    }

    /// Opens a replica like [`Replica::open`], of the files in one folder.
    pub fn open_part(
        database: Arc<dyn Database>,
        disk: Arc<dyn Disk>,
        places: &DataFolder,
        part: &'static str,
    ) -> Result<Replica, StoreError> {
        Replica::open_with(database, disk, places, part, Replica::compare_all)
    }

    /// Opens a replica like [`Replica::open`] to load it. Files that it does not have are read from
    /// the database, and written later: see [`Replica::finish_loading`].
    pub fn open_to_load(
        database: Arc<dyn Database>,
        disk: Arc<dyn Disk>,
        places: &DataFolder,
    ) -> Result<Replica, StoreError> {
        Replica::open_with(database, disk, places, "", |replica| {
            replica.set_seen(replica.files.begin_loading(|| replica.save_incomplete())?);
            Ok(())
        })
    }

    fn open_with(
        database: Arc<dyn Database>,
        disk: Arc<dyn Disk>,
        places: &DataFolder,
        part: &'static str,
        compare: impl FnOnce(&Replica) -> Result<(), StoreError>,
    ) -> Result<Replica, StoreError> {
        let id = database.database_id().map_err(to_store_error)?;
        let state = open_state(id, &*disk, places)?;
        let is_trusted = !state.boot.is_empty() && state.boot == boot_id();
        let replica = Replica {
            files: ReplicaFiles {
                database: database.clone(),
                disk,
                part,
                written: AtomicU64::new(0),
                pending: PendingFiles::default(),
            },
            database,
            places: places.clone(),
            turn: Mutex::default(),
            turn_over: Condvar::new(),
            state: Mutex::new(state),
            is_unsaved: AtomicBool::new(false),
            is_damaged: AtomicBool::new(false),
            news: Mutex::default(),
            listener: OnceLock::new(),
            events: Mutex::default(),
            published: Mutex::default(),
            published_more: Condvar::new(),
            is_leader: AtomicBool::new(false),
            cleaned: Mutex::default(),
            heard_at: AtomicU64::new(0),
            started: Instant::now(),
            counts: ReplicaCounts::default(),
        };
        disk::make_folders(&*replica.files.disk, layout::RUNTIME)?;
        let turn = replica.begin_local();
        if is_trusted && replica.seen().position > 0 {
            replica.take_over()?;
        } else {
            compare(&replica)?;
        }
        drop(turn);
        // The files are about to be loaded. What happened is told later.
        let mut news = replica.news.lock();
        news.paths.clear();
        drop(news);
        replica.set_published(replica.seen().position);
        Ok(replica)
    }

    /// Says that the content is loaded. Files that are not on the disk yet are written by
    /// [`Replica::write_pending_files`], or when they are needed; those that were not changed
    /// before are passed to `on_placed`. Fails if a file could not be read from the database.
    pub fn finish_loading(
        &self,
        on_placed: impl Fn(&str, &Stat, Checksum) + Send + Sync + 'static,
    ) -> Result<(), StoreError> {
        self.files.pending.finish_loading(Box::new(on_placed))
    }

    /// Writes all files that are not on the disk yet, until `is_stopped`. Returns the first error;
    /// other files are written nevertheless, if the database answers.
    pub fn write_pending_files(&self, is_stopped: &dyn Fn() -> bool) -> Result<(), StoreError> {
        self.files.write_pending(is_stopped)?;
        // The end of a turn writes the state down, which it could not while files were missing.
        drop(self.begin_local());
        Ok(())
    }

    /// Returns true until all files that were not on the disk were tried once.
    pub fn is_writing_pending_files(&self) -> bool {
        self.count_pending_files() > 0 && self.files.pending.is_first_pass()
    }

    /// Returns the number of files that are not on the disk yet.
    pub fn count_pending_files(&self) -> usize {
        self.files.pending.count()
    }

    /// The files, for the disk of the replica.
    pub(super) fn files(&self) -> &ReplicaFiles {
        &self.files
    }

    /// Waits for the turn among all servers, and takes over what others have committed.
    pub fn begin_turn(&self) -> Result<ReplicaTurn<'_>, StoreError> {
        loop {
            let local = self.begin_local();
            let seen = self.seen();
            let (begun, mut taking) = (Instant::now(), Duration::ZERO);
            let mut sink = |file| {
                let begun = Instant::now();
                let put = self.files.put_file(file);
                taking += begun.elapsed();
                put
            };
            let page = self.heard(self.database.begin_turn(&seen, &mut sink))?;
            let waited = begun.elapsed().saturating_sub(taking);
            self.counts.turns.fetch_add(1, Relaxed);
            let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
            self.counts.waited_ms.fetch_add(waited_ms, Relaxed);
            let turn = ReplicaTurn { local };
            self.note_page(page)?;
            if taking < TAKE_OVER_MAX {
                return Ok(turn);
            }
            // The database may have ended the turn meanwhile. There is less to take over now.
        }
    }

    /// Takes over what others have committed, without waiting for a turn among servers.
    pub fn catch_up(&self) -> Result<(), StoreError> {
        let _local = self.begin_local();
        self.take_over()
    }

    /// Takes the lead if nobody has it.
    pub fn try_lead(&self) {
        let leads = self.database.try_lead();
        if self.is_leader.swap(leads, Relaxed) != leads {
            tracing::info!(leads, "the work that only one server does");
        }
    }

    /// Removes what nobody needs any more from the database, once an hour, if this server leads.
    pub fn clean_up_when_due(&self) {
        let mut cleaned = self.cleaned.lock();
        if !self.is_leader() || cleaned.is_some_and(|it| it.elapsed() < CLEAN_EVERY) {
            return;
        }
        *cleaned = Some(Instant::now());
        if let Err(error) = self.database.clean_up() {
            tracing::warn!(%error, "the database keeps what nobody needs");
        }
    }

    /// Returns true if this server does the work that only one does.
    pub fn is_leader(&self) -> bool {
        self.is_leader.load(Relaxed)
    }

    /// Waits until others may have committed, for so long at most, and passes their signals on.
    pub fn wait_for_commits(&self, at_most: Duration) {
        self.database.wait_for_commits(at_most);
        self.pass_signals();
    }

    /// Passes the signals of other servers to whoever listens.
    pub fn pass_signals(&self) {
        let signals = self.database.take_signals();
        if let Some(listener) = self.listener.get() {
            signals.iter().for_each(|it| listener(it));
        }
    }

    /// Sets the listener to signals of other servers. The first one counts.
    pub fn set_signal_listener(&self, listener: impl Fn(&str) + Send + Sync + 'static) {
        let _ = self.listener.set(Box::new(listener));
    }

    /// Tells other servers something that is not kept.
    pub fn send_signal(&self, text: &str) -> Result<(), StoreError> {
        self.database.send_signal(text).map_err(to_store_error)
    }

    /// Takes what was taken over and is not served yet.
    pub fn take_news(&self) -> ReplicaNews {
        std::mem::take(&mut *self.news.lock())
    }

    /// Returns true if something was taken over that is not served or told yet.
    pub fn has_news(&self) -> bool {
        !self.news.lock().is_empty()
    }

    /// Returns the id of the database.
    pub fn database_id(&self) -> String {
        self.state.lock().database.clone()
    }

    /// Returns the last commit that is in the replica.
    pub fn position(&self) -> Position {
        self.seen().position
    }

    /// Says that everything up to a position is served.
    pub fn set_published(&self, position: Position) {
        let mut published = self.published.lock();
        if *published < position {
            *published = position;
            self.published_more.notify_all();
        }
    }

    /// Waits until everything up to a position is served. Returns false if it took too long.
    pub fn wait_until_published(&self, position: Position, at_most: Duration) -> bool {
        let published = self.published.lock();
        let is_behind = |it: &mut Position| *it < position;
        let published = self.published_more.wait_timeout_while(published, at_most, is_behind);
        *published >= position
    }

    /// Returns the position up to which everything is served.
    pub fn published_position(&self) -> Position {
        *self.published.lock()
    }

    /// Returns true if the database has answered a moment ago.
    pub fn is_reachable(&self) -> bool {
        self.silence() < SILENCE_MAX
    }

    /// Returns the time since the database last answered.
    pub fn silence(&self) -> Duration {
        let heard = Duration::from_millis(self.heard_at.load(Relaxed));
        self.started.elapsed().saturating_sub(heard)
    }

    /// Has events committed with the next change of files.
    pub fn attach_events(&self, events: String) {
        *self.events.lock() = events;
    }

    /// Returns the events that wait for a change of files, which has not come.
    pub fn detach_events(&self) -> String {
        std::mem::take(&mut *self.events.lock())
    }

    /// Commits what others are told although no file changes, as JSON.
    pub fn commit_news(&self, events: String) -> Result<(), StoreError> {
        let change = DatabaseChange { events, ..DatabaseChange::default() };
        self.commit_in_turn(change).map_err(ShareError::into_store_error)
    }

    /// Stores the content of an unfinished file if it is large, before the turn in which the file
    /// is moved to its place.
    pub(crate) fn share_content(&self, path: &str) -> Result<(), StoreError> {
        store_if_large(&*self.files.disk, &*self.database, path)
    }

    /// Commits a change of files, before it is made on `disk`, which is that of the replica.
    pub(crate) fn share(&self, disk: &dyn Disk, effects: &[FileEffect]) -> Result<(), ShareError> {
        let states = FinalStates::resolve(disk, effects, shared_paths::is_shared);
        let states = states.map_err(ShareError::Refused)?;
        if states.files.is_empty() {
            return Ok(());
        }
        let mut change = DatabaseChange {
            created: states.created,
            folders: states.folders,
            events: std::mem::take(&mut *self.events.lock()),
            ..DatabaseChange::default()
        };
        for (path, source) in states.files {
            match source {
                Some(from) => {
                    let file = read_stored(disk, &*self.database, path, &from)
                        .map_err(ShareError::Refused)?;
                    change.written.push(file);
                }
                None => change.removed.push(path),
            }
        }
        self.commit_in_turn(change)
    }

    fn commit_in_turn(&self, change: DatabaseChange) -> Result<(), ShareError> {
        let has_turn = *self.turn.lock() == Some(thread::current().id());
        if has_turn {
            return self.commit(change);
        }
        let mut turn = self.begin_turn().map_err(ShareError::Refused)?;
        turn.local.saves = change.written.is_empty() && change.removed.is_empty();
        self.commit(change)
    }

    fn commit(&self, mut change: DatabaseChange) -> Result<(), ShareError> {
        change.id = new_commit_id();
        change.after = self.seen().position;
        let committed = self.database.commit(&change).map_err(|error| match error {
            DatabaseError::Uncertain(_) => ShareError::Uncertain(to_store_error(error)),
            error => ShareError::Refused(to_store_error(error)),
        })?;
        self.set_seen(Seen { position: committed, commit: change.id });
        Ok(())
    }

    fn take_over(&self) -> Result<(), StoreError> {
        let mut sink = |file| self.files.put_file(file);
        let page = self.heard(self.database.read_log(&self.seen(), &mut sink))?;
        self.note_page(page)
    }

    /// Notes the commits whose files are in place, and removes what they removed.
    fn note_page(&self, page: LogPage) -> Result<(), StoreError> {
        let LogPage::Commits { commits, missing } = page else { return self.compare_all() };
        self.note_commits(commits, &missing)?;
        if self.is_damaged.load(Relaxed) { self.restore_all() } else { Ok(()) }
    }

    fn note_commits(
        &self,
        commits: Vec<LoggedCommit>,
        missing: &[String],
    ) -> Result<(), StoreError> {
        let Some(last) = commits.last() else { return Ok(()) };
        let seen = Seen { position: last.position, commit: last.id.clone() };
        missing.iter().try_for_each(|it| self.files.remove_file(it))?;
        for folder in commits.iter().flat_map(|it| &it.folders) {
            // What is made anew in it since has been put there already, and stays.
            self.files.remove_empty_folders(folder)?;
        }
        self.counts.followed.fetch_add(commits.len() as u64, Relaxed);
        let mut news = self.news.lock();
        for commit in commits {
            news.add_commit(commit);
        }
        drop(news);
        self.set_seen(seen);
        Ok(())
    }

    /// Brings the files in line with the database after a commit could not be made here, now or
    /// with the next that is taken over.
    pub(crate) fn restore_all(&self) -> Result<(), StoreError> {
        self.is_damaged.store(true, Relaxed);
        // Later commits are taken over as usual, with their events.
        self.compare_files().map(drop)
    }

    /// Brings all files in line with the database, and returns the last commit of these.
    fn compare_files(&self) -> Result<Seen, StoreError> {
        let (seen, differing) = self.files.match_database()?;
        self.news.lock().paths.extend(differing);
        self.is_damaged.store(false, Relaxed);
        Ok(seen)
    }

    /// Compares all files with those of the database, and goes on from there.
    fn compare_all(&self) -> Result<(), StoreError> {
        let seen = self.compare_files()?;
        self.set_seen(seen);
        Ok(())
    }

    fn seen(&self) -> Seen {
        self.state.lock().seen()
    }

    fn set_seen(&self, seen: Seen) {
        let mut state = self.state.lock();
        state.position = seen.position;
        state.commit = seen.commit;
        self.is_unsaved.store(true, Relaxed);
    }

    /// Writes down what is in the replica. A process that is killed before takes over again what
    /// it had, which changes nothing.
    fn save_state(&self) {
        self.write_state(&mut self.state.lock());
    }

    /// Writes down that files are missing in the replica.
    fn save_incomplete(&self) {
        let mut state = self.state.lock();
        let position = std::mem::take(&mut state.position);
        self.write_state(&mut state);
        state.position = position;
    }

    fn write_state(&self, state: &mut ReplicaState) {
        state.boot = boot_id().to_string();
        if let Err(error) = state.write(&self.places) {
            tracing::warn!(%error, "the state of the replica cannot be written");
        }
    }

    /// Takes note of an answer of the database, or that there was none.
    fn heard<T>(&self, answer: Result<T, DatabaseError>) -> Result<T, StoreError> {
        match answer {
            Ok(answer) => {
                let at = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
                self.heard_at.store(at, Relaxed);
                Ok(answer)
            }
            Err(error) => {
                self.counts.failures.fetch_add(1, Relaxed);
                Err(to_store_error(error))
            }
        }
    }

    /// Returns the number of files of others that were written.
    pub fn count_written_files(&self) -> u64 {
        self.files.written.load(Relaxed)
    }

    /// Returns what happened since the start.
    pub fn counts(&self) -> &ReplicaCounts {
        &self.counts
    }

    fn begin_local(&self) -> LocalTurn<'_> {
        let turn = self.turn.lock();
        let mut turn = self.turn_over.wait_while(turn, |it| it.is_some());
        *turn = Some(thread::current().id());
        LocalTurn { replica: self, saves: true }
    }

    fn end_local(&self, saves: bool) {
        // With files missing, the next start has to compare all of them.
        let saves = saves && self.files.pending.is_empty();
        if saves && self.is_unsaved.swap(false, Relaxed) {
            self.save_state();
        }
        *self.turn.lock() = None;
        self.turn_over.notify_one();
    }
}

impl Drop for ReplicaTurn<'_> {
    fn drop(&mut self) {
        self.local.replica.database.end_turn();
    }
}

impl Drop for LocalTurn<'_> {
    fn drop(&mut self) {
        self.replica.end_local(self.saves);
    }
}

/// Returns the state of the replica of a database; that of an empty one if the folder is empty.
fn open_state(
    database: String,
    disk: &dyn Disk,
    places: &DataFolder,
) -> Result<ReplicaState, StoreError> {
    let read = ReplicaState::read(places).map_err(StoreError::io("read", layout::REPLICA))?;
    match read {
        Some(state) if state.database == database => Ok(state),
        Some(_) => Err(StoreError::Places(format!(
            "{} is the replica of another database: name another folder, or empty it",
            places.root().display()
        ))),
        None => {
            expect_no_content(disk, places)?;
            let state = ReplicaState { database, ..ReplicaState::default() };
            // From now on the files are copies, also if this is interrupted.
            state.create(places).map_err(StoreError::io("write", layout::REPLICA))?;
            Ok(state)
        }
    }
}

/// Refuses a folder with content of its own, which the database would replace.
fn expect_no_content(disk: &dyn Disk, places: &DataFolder) -> Result<(), StoreError> {
    let mut found = false;
    for top in [layout::WORKSPACES, layout::SYSTEM] {
        list_files(disk, top, ListedFiles::All, &mut |_| found = true)?;
    }
    if !found {
        return Ok(());
    }
    let root = places.root().display();
    Err(StoreError::Places(format!(
        "{root} has content of its own, which the database would replace: copy it into the database \
         with `recto copy {root} DATABASE`, and name an empty folder"
    )))
}
