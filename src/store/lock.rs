//! Locks of a data folder: one server at a time, and one writer at a time. They are locks of the
//! operating system, which end with the process that holds them. Lock files are never removed;
//! otherwise two processes could hold locks on different files of the same name.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::stdx::sync::{Condvar, Mutex};
use crate::store::cluster::replica::{Replica, ReplicaTurn};
use crate::store::cluster::replica_state;
use crate::store::data_folder::DataFolder;
use crate::store::disk::make_private_folder;
use crate::store::error::StoreError;
use crate::store::layout;

/// The maximum time that a writer waits for another process.
const WRITE_WAIT: Duration = Duration::from_secs(5);

/// The interval between attempts of a waiting writer.
const WRITE_POLL: Duration = Duration::from_millis(2);

/// The interval between attempts of a server that waits for the one before it.
const INSTANCE_POLL: Duration = Duration::from_millis(10);

/// The time for which a server keeps the lock after it has acquired it, so that its next turns find
/// it locked. A tool that waits for the lock gets it then, whether the server writes on or not.
const KEEP_MAX: Duration = Duration::from_millis(10);

/// The maximum number of logged paths.
const LOG_PATHS_MAX: usize = 1_000;

/// The maximum size of the log, more than its paths can take.
const LOG_BYTES_MAX: u64 = 1024 * 1024;
/// The size that the log usually does not reach, so that one call reads all of it.
const LOG_BYTES_USUAL: usize = 4 * 1024;

/// The lock of the server of a data folder; held until dropped.
#[derive(Debug)]
pub struct InstanceLock {
    /// The locks of the data folder and of its separate state directory, if there is one.
    held: Vec<HeldLock>,
}

/// Locks that replace the lost ones of an [`InstanceLock`].
#[derive(Debug, Default)]
pub struct LockRenewal(Vec<Option<HeldLock>>);

#[derive(Debug)]
struct HeldLock {
    file: File,
    path: PathBuf,
    /// Of the locked file, if the system has such numbers.
    identity: Option<FileIdentity>,
}

/// Device and inode.
type FileIdentity = (u64, u64);

/// The write lock of a data folder, for the threads of this process and for other processes.
#[derive(Debug)]
pub struct WriteLock {
    shared: Arc<LockState>,
    /// True if the lock stays locked for a moment after a turn.
    is_kept: bool,
    /// The replica, if other servers share the content.
    replica: Option<Arc<Replica>>,
    data: PathBuf,
}

#[derive(Debug)]
struct LockState {
    files: Mutex<WriteFiles>,
    keeper: Mutex<KeeperState>,
    called: Condvar,
}

#[derive(Debug)]
struct WriteFiles {
    file: File,
    /// Held while waiting for the write lock, so that a tool that writes continuously lets others
    /// write in between.
    next: File,
    /// The time when the lock was acquired, while it is locked.
    locked: Option<Instant>,
    /// True once a turn was told of foreign writes since then: there can be no others.
    is_told: bool,
}

/// The state of the thread that unlocks a kept lock.
#[derive(Debug, Default)]
struct KeeperState {
    is_running: bool,
    is_waiting: bool,
    /// True if a turn has left the lock locked.
    is_called: bool,
    is_closed: bool,
}

/// The permission to write to a data folder; held until dropped.
#[derive(Debug)]
pub struct WriteTurn<'a> {
    // The first field: it ends before others of this machine get the lock.
    replica: Option<ReplicaTurn<'a>>,
    lock: &'a WriteLock,
    files: MutexGuard<'a, WriteFiles>,
}

/// The lock of a job that only one process does at a time; held until dropped.
#[derive(Debug)]
pub struct JobLock {
    file: File,
}

/// The files that other processes wrote since the last check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForeignWrites {
    /// These files; the list may be empty.
    Paths(Vec<String>),
    /// Any files: more than the log contains.
    Anything,
}

impl InstanceLock {
    /// Locks the folder for this process. Fails with the process that has locked it.
    pub fn acquire(data: &Path) -> Result<InstanceLock, StoreError> {
        Ok(InstanceLock { held: vec![HeldLock::acquire_in(data)?] })
    }

    /// Locks the folder and its state directory like [`InstanceLock::acquire_places`], and waits
    /// this long for a server that is about to end.
    pub fn acquire_within(places: &DataFolder, wait: Duration) -> Result<InstanceLock, StoreError> {
        let until = Instant::now().checked_add(wait);
        loop {
            match InstanceLock::acquire_places(places) {
                Err(StoreError::Locked { .. }) if until.is_some_and(|it| Instant::now() < it) => {
                    thread::sleep(INSTANCE_POLL);
                }
                result => return result,
            }
        }
    }

    /// Locks the folder and its state directory, if there is one: the lock of the state directory
    /// keeps two data folders from sharing it, and the lock of the data folder keeps out servers
    /// with another state directory.
    pub fn acquire_places(places: &DataFolder) -> Result<InstanceLock, StoreError> {
        let mut lock = InstanceLock::acquire(places.root())?;
        if let Some(state) = places.state() {
            lock.held.push(HeldLock::acquire_in(state).map_err(|error| state_error(error, state))?);
        }
        Ok(lock)
    }

    /// Acquires replacements for the locks that were lost. [`InstanceLock::renew`] puts them to
    /// use.
    pub fn acquire_lost(&self, places: &DataFolder) -> Result<LockRenewal, StoreError> {
        let folders = [Some(places.root()), places.state()];
        let mut replacements = Vec::new();
        for (folder, held) in folders.into_iter().flatten().zip(&self.held) {
            replacements.push(if held.is_at_place() {
                None
            } else {
                Some(HeldLock::acquire_in(folder)?)
            });
        }
        Ok(LockRenewal(replacements))
    }

    /// Replaces the lost locks.
    pub fn renew(&mut self, renewal: LockRenewal) {
        for (held, replacement) in self.held.iter_mut().zip(renewal.0) {
            if let Some(replacement) = replacement {
                *held = replacement;
            }
        }
    }

    /// Returns true if the locked files are the ones that other processes would lock. They are not
    /// if the folder was moved away or the file was removed.
    pub fn is_held(&self) -> bool {
        self.held.iter().all(HeldLock::is_at_place)
    }
}

impl HeldLock {
    fn acquire_in(folder: &Path) -> Result<HeldLock, StoreError> {
        let mut file = open_lock_file(folder, layout::INSTANCE_LOCK)?;
        if !try_lock(&file).map_err(StoreError::io("lock", layout::INSTANCE_LOCK))? {
            return Err(StoreError::Locked { pid: read_pid(&mut file) });
        }
        write_pid(&mut file).map_err(StoreError::io("write", layout::INSTANCE_LOCK))?;
        let identity = identify(&file).map_err(StoreError::io("look at", layout::INSTANCE_LOCK))?;
        Ok(HeldLock { file, path: folder.join(layout::INSTANCE_LOCK), identity })
    }

    fn is_at_place(&self) -> bool {
        self.identity.is_none_or(|it| is_at(it, &self.path))
    }
}

/// Adds the state directory to an error, since paths in messages do not contain it.
fn state_error(error: StoreError, state: &Path) -> StoreError {
    let state = state.display();
    match error {
        StoreError::Locked { pid } => StoreError::Places(format!(
            "the state directory {state} is in use by process {pid}, for another data folder"
        )),
        error => StoreError::Places(format!("the state directory {state}: {error}")),
    }
}

#[cfg(unix)]
fn identify(file: &File) -> io::Result<Option<FileIdentity>> {
    use std::os::unix::fs::MetadataExt as _;
    file.metadata().map(|it| Some((it.dev(), it.ino())))
}

/// Returns nothing: on these systems open files cannot be moved or removed.
#[cfg(not(unix))]
fn identify(_file: &File) -> io::Result<Option<FileIdentity>> {
    Ok(None)
}

/// Returns true if an open file is the one at this path, or if that cannot be determined.
#[cfg(unix)]
fn is_at(file: FileIdentity, path: &Path) -> bool {
    use crate::store::disk::is_absence;
    use std::os::unix::fs::MetadataExt as _;
    match std::fs::symlink_metadata(path) {
        Ok(there) => (there.dev(), there.ino()) == file,
        Err(error) => !is_absence(&error),
    }
}

/// Without identities of files, nothing tells another file at the path apart.
#[cfg(not(unix))]
fn is_at(_file: FileIdentity, _path: &Path) -> bool {
    true
}

impl JobLock {
    /// Acquires the lock without waiting, since its holder may need minutes.
    pub fn try_acquire(data: &Path, path: &str) -> Result<Option<JobLock>, StoreError> {
        let file = open_lock_file(data, path)?;
        let is_acquired = try_lock(&file).map_err(StoreError::io("lock", path))?;
        Ok(is_acquired.then_some(JobLock { file }))
    }
}

/// Unlocks explicitly: a child process that is just being started has the file open as well.
impl Drop for JobLock {
    fn drop(&mut self) {
        let _ = fs2::FileExt::unlock(&self.file);
    }
}

impl Drop for HeldLock {
    fn drop(&mut self) {
        // Unlocks explicitly: a child process that is just being started may have the file open for
        // a moment.
        let _ = fs2::FileExt::unlock(&self.file);
    }
}

impl WriteLock {
    /// Opens the lock of a data folder without acquiring it.
    pub fn open(data: &Path) -> Result<WriteLock, StoreError> {
        WriteLock::open_as(data, false)
    }

    /// Opens the lock for a server, which keeps it for a moment after a turn: it usually writes
    /// again soon.
    pub fn open_kept(data: &Path) -> Result<WriteLock, StoreError> {
        WriteLock::open_as(data, true)
    }

    fn open_as(data: &Path, is_kept: bool) -> Result<WriteLock, StoreError> {
        let (files, keeper) = (Mutex::new(WriteFiles::open(data)?), Mutex::default());
        let shared = Arc::new(LockState { files, keeper, called: Condvar::new() });
        Ok(WriteLock { shared, is_kept, replica: None, data: data.to_path_buf() })
    }

    /// Has each turn be one among all servers that share the content.
    pub fn set_replica(&mut self, replica: Arc<Replica>) {
        self.replica = Some(replica);
    }

    /// Switches to the lock of the data folder that is now at this path. Waits for the current
    /// holder.
    pub fn reopen(&self, data: &Path) -> Result<(), StoreError> {
        let opened = WriteFiles::open(data)?;
        let mut files = self.shared.files.lock();
        files.unlock();
        *files = opened;
        Ok(())
    }

    /// Acquires the lock. Waits a few seconds at most. What would be written into a replica beside
    /// its database would be lost, so that is refused.
    pub fn acquire_turn(&self) -> Result<WriteTurn<'_>, StoreError> {
        if self.replica.is_none() && !self.is_kept {
            replica_state::expect_no_replica(&DataFolder::new(&self.data))?;
        }
        let mut files = self.shared.files.lock();
        files.unlock_if_due();
        if files.locked.is_none() {
            files.acquire()?;
        }
        let mut turn = WriteTurn { replica: None, lock: self, files };
        turn.replica = self.replica.as_ref().map(|it| it.begin_turn()).transpose()?;
        Ok(turn)
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        self.shared.keeper.lock().is_closed = true;
        self.shared.called.notify_all();
        self.shared.files.lock().unlock();
    }
}

impl LockState {
    /// Has the lock unlocked soon. Returns false if there is no thread to do so.
    fn call_keeper(self: &Arc<Self>) -> bool {
        let mut keeper = self.keeper.lock();
        if !keeper.is_running {
            let shared = Arc::clone(self);
            let spawned = thread::Builder::new().name("lock".into()).spawn(move || shared.keep());
            keeper.is_running = spawned.is_ok();
        }
        keeper.is_called = keeper.is_running;
        if keeper.is_waiting {
            self.called.notify_one();
        }
        keeper.is_called
    }

    /// Unlocks what turns have left locked, until the lock is dropped.
    fn keep(&self) {
        let mut keeper = self.keeper.lock();
        loop {
            keeper.is_waiting = true;
            let is_idle = |it: &mut KeeperState| !it.is_called && !it.is_closed;
            keeper = self.called.wait_while(keeper, is_idle);
            keeper.is_waiting = false;
            if keeper.is_closed {
                return;
            }
            keeper.is_called = false;
            drop(keeper);
            thread::sleep(KEEP_MAX);
            // A turn that is under way unlocks at its end, or calls again.
            if let Some(mut files) = self.files.try_lock() {
                files.unlock();
            }
            keeper = self.keeper.lock();
        }
    }
}

impl WriteFiles {
    fn open(data: &Path) -> Result<WriteFiles, StoreError> {
        let file = open_lock_file(data, layout::WRITE_LOCK)?;
        let next = open_lock_file(data, layout::NEXT_LOCK)?;
        Ok(WriteFiles { file, next, locked: None, is_told: false })
    }

    fn acquire(&mut self) -> Result<(), StoreError> {
        let since = Instant::now();
        wait_for_lock(&self.next, layout::NEXT_LOCK, since)?;
        let acquired = wait_for_lock(&self.file, layout::WRITE_LOCK, since);
        // Closing the file releases the lock at the latest.
        let _ = fs2::FileExt::unlock(&self.next);
        acquired?;
        (self.locked, self.is_told) = (Some(Instant::now()), false);
        Ok(())
    }

    /// Returns true if others have waited long enough by now.
    fn is_due(&self) -> bool {
        self.locked.is_some_and(|since| since.elapsed() >= KEEP_MAX)
    }

    fn unlock_if_due(&mut self) {
        if self.is_due() {
            self.unlock();
        }
    }

    fn unlock(&mut self) {
        if self.locked.take().is_some() {
            // Closing the file releases the lock at the latest.
            let _ = fs2::FileExt::unlock(&self.file);
        }
    }
}

fn wait_for_lock(file: &File, path: &str, since: Instant) -> Result<(), StoreError> {
    while !try_lock(file).map_err(StoreError::io("lock", path))? {
        if since.elapsed() > WRITE_WAIT {
            return Err(StoreError::Busy);
        }
        std::thread::sleep(WRITE_POLL);
    }
    Ok(())
}

impl WriteTurn<'_> {
    /// Returns the files written by other processes after commit `seen`, and sets `seen` to the
    /// last commit.
    pub fn find_foreign(&mut self, seen: &mut u64) -> ForeignWrites {
        if std::mem::replace(&mut self.files.is_told, true) {
            return ForeignWrites::Paths(Vec::new());
        }
        let log = self.read_log();
        let last = log.as_ref().map_or(0, |it| it.counter);
        let before = std::mem::replace(seen, last);
        match log {
            Some(log) if log.counter == before => ForeignWrites::Paths(Vec::new()),
            Some(log) if log.reaches_back_to(before) => {
                let since = log.paths.into_iter().filter(|(number, _)| *number > before);
                ForeignWrites::Paths(since.map(|(_, path)| path).collect())
            }
            // The log is incomplete, was reset, or does not reach back far enough.
            _ => ForeignWrites::Anything,
        }
    }

    /// Logs the files written by this process, which keeps no index of the folder.
    pub fn record_paths(&mut self, paths: &[String]) -> Result<(), StoreError> {
        let mut log = self.read_log().unwrap_or_default();
        log.add_commit(paths);
        self.write_log(&log.to_text()).map_err(StoreError::io("write", layout::WRITE_LOCK))
    }

    fn read_log(&mut self) -> Option<WriteLog> {
        let start = read_start(&self.files.file).ok()?;
        if start.len() < LOG_BYTES_USUAL {
            return WriteLog::parse(str::from_utf8(&start).ok()?);
        }
        let mut text = String::new();
        self.files.file.seek(SeekFrom::Start(0)).ok()?;
        (&self.files.file).take(LOG_BYTES_MAX).read_to_string(&mut text).ok()?;
        WriteLog::parse(&text)
    }

    fn write_log(&mut self, text: &str) -> io::Result<()> {
        let file = &mut self.files.file;
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(text.as_bytes())
    }
}

impl Drop for WriteTurn<'_> {
    fn drop(&mut self) {
        let may_stay = self.lock.is_kept && !self.files.is_due();
        if !may_stay || !self.lock.shared.call_keeper() {
            self.files.unlock();
        }
    }
}

/// The content of the lock file: the number of commits by processes without an index, and the files
/// written by the last ones.
#[derive(Debug, Default)]
struct WriteLog {
    counter: u64,
    paths: Vec<(u64, String)>,
}

impl WriteLog {
    fn parse(text: &str) -> Option<WriteLog> {
        if text.is_empty() {
            return Some(WriteLog::default());
        }
        let mut lines = text.strip_suffix('\n')?.lines();
        let counter = lines.next()?.parse().ok()?;
        let path = |line: &str| {
            let (number, path) = line.split_once(' ')?;
            Some((number.parse().ok()?, path.to_string()))
        };
        Some(WriteLog { counter, paths: lines.map(path).collect::<Option<_>>()? })
    }

    fn add_commit(&mut self, paths: &[String]) {
        // The file may contain any number; a wrapped one counts as too long ago.
        self.counter = self.counter.wrapping_add(1);
        self.paths.extend(paths.iter().map(|path| (self.counter, path.clone())));
        let too_many = self.paths.len().saturating_sub(LOG_PATHS_MAX);
        // The paths of a commit are kept completely or not at all.
        let last_cut = too_many.checked_sub(1).and_then(|at| self.paths.get(at));
        if let Some((cut, _)) = last_cut.cloned() {
            self.paths.retain(|(number, _)| *number > cut);
        }
    }

    /// Returns true if the log contains all commits after `seen`.
    fn reaches_back_to(&self, seen: u64) -> bool {
        let first = self.paths.first().map_or(self.counter, |(number, _)| number.saturating_sub(1));
        seen <= self.counter && first <= seen
    }

    fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.counter);
        for (number, path) in &self.paths {
            text.push_str(&format!("{number} {path}\n"));
        }
        text
    }
}

fn open_lock_file(data: &Path, path: &str) -> Result<File, StoreError> {
    let make = || {
        make_private_folder(&data.join(layout::LOCKS))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(data.join(path))
    };
    make().map_err(StoreError::io("open", path))
}

fn try_lock(file: &File) -> io::Result<bool> {
    // Called by its full path: the standard library has methods of the same name.
    match fs2::FileExt::try_lock_exclusive(file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == fs2::lock_contended_error().kind() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reads the start of a file; all of it if it is less than [`LOG_BYTES_USUAL`].
#[cfg(unix)]
fn read_start(file: &File) -> io::Result<Vec<u8>> {
    let mut start = vec![0; LOG_BYTES_USUAL];
    let length = std::os::unix::fs::FileExt::read_at(file, &mut start, 0)?;
    start.truncate(length);
    Ok(start)
}

/// Reads the start of a file; all of it if it is less than [`LOG_BYTES_USUAL`].
#[cfg(not(unix))]
fn read_start(mut file: &File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(LOG_BYTES_USUAL as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Reads the process id; 0 if the holder of the lock has not written it yet.
fn read_pid(file: &mut File) -> u32 {
    let mut text = String::new();
    let read = file.read_to_string(&mut text);
    read.ok().and_then(|_| text.trim().parse().ok()).unwrap_or(0)
}

fn write_pid(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    writeln!(file, "{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_server_is_told_who_has_the_folder() {
        let data = tempfile::tempdir().unwrap();
        let first = InstanceLock::acquire(data.path()).unwrap();
        match InstanceLock::acquire(data.path()) {
            Err(StoreError::Locked { pid }) => assert_eq!(pid, std::process::id()),
            other => panic!("{other:?}"),
        }
        drop(first);
        assert!(InstanceLock::acquire(data.path()).is_ok());
    }

    #[test]
    fn writers_take_turns() {
        let data = tempfile::tempdir().unwrap();
        let counter = std::sync::Mutex::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let lock = WriteLock::open(data.path()).unwrap();
                        let _turn = lock.acquire_turn().unwrap();
                        *counter.try_lock().expect("only one writer at a time") += 1;
                    }
                });
            }
        });
        assert_eq!(*counter.lock().unwrap(), 80);
        assert!(data.path().join(layout::WRITE_LOCK).exists());
    }

    #[test]
    fn who_waits_is_next() {
        let data = tempfile::tempdir().unwrap();
        let (greedy, other) =
            (WriteLock::open(data.path()).unwrap(), WriteLock::open(data.path()).unwrap());
        let next = open_lock_file(data.path(), layout::NEXT_LOCK).unwrap();
        let had_it = std::sync::atomic::AtomicBool::new(false);
        let turn = greedy.acquire_turn().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _turn = other.acquire_turn().unwrap();
                had_it.store(true, std::sync::atomic::Ordering::SeqCst);
            });
            while try_lock(&next).unwrap() {
                fs2::FileExt::unlock(&next).unwrap();
            }
            drop(turn);
            let _turn = greedy.acquire_turn().unwrap();
            assert!(had_it.load(std::sync::atomic::Ordering::SeqCst));
        });
    }

    #[test]
    fn a_server_that_writes_on_lets_others_write() {
        let data = tempfile::tempdir().unwrap();
        let server = WriteLock::open_kept(data.path()).unwrap();
        let (mut seen, mut found) = (0, ForeignWrites::Paths(Vec::new()));
        std::thread::scope(|scope| {
            drop(server.acquire_turn().unwrap());
            scope.spawn(|| {
                let tool = WriteLock::open(data.path()).unwrap();
                tool.acquire_turn().unwrap().record_paths(&["a".to_string()]).unwrap();
            });
            // Without a pause.
            while found == ForeignWrites::Paths(Vec::new()) {
                found = server.acquire_turn().unwrap().find_foreign(&mut seen);
            }
        });
        assert_eq!(found, ForeignWrites::Paths(vec!["a".to_string()]));
    }

    #[test]
    fn a_server_that_writes_no_more_lets_others_write() {
        let data = tempfile::tempdir().unwrap();
        let (server, tool) =
            (WriteLock::open_kept(data.path()).unwrap(), WriteLock::open(data.path()).unwrap());
        for _ in 0..3 {
            drop(server.acquire_turn().unwrap());
            drop(server.acquire_turn().unwrap());
            drop(tool.acquire_turn().unwrap());
        }
        drop(server.acquire_turn().unwrap());
        drop(server);
        let file = open_lock_file(data.path(), layout::WRITE_LOCK).unwrap();
        assert!(try_lock(&file).unwrap(), "a lock that is dropped is unlocked");
    }

    #[test]
    fn what_others_wrote_is_told() {
        let data = tempfile::tempdir().unwrap();
        let (server, tool) =
            (WriteLock::open(data.path()).unwrap(), WriteLock::open(data.path()).unwrap());
        let mut seen = 0;
        let mut foreign = || server.acquire_turn().unwrap().find_foreign(&mut seen);
        let paths =
            |paths: &[&str]| ForeignWrites::Paths(paths.iter().map(ToString::to_string).collect());
        let wrote = |paths: &[&str]| {
            let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
            tool.acquire_turn().unwrap().record_paths(&paths).unwrap();
        };
        assert_eq!(foreign(), paths(&[]));
        wrote(&["a", "b"]);
        wrote(&["c d"]);
        assert_eq!(foreign(), paths(&["a", "b", "c d"]));
        assert_eq!(foreign(), paths(&[]));
        wrote(&["e"]);
        assert_eq!(foreign(), paths(&["e"]));
        (0..LOG_PATHS_MAX).for_each(|_| wrote(&["x"]));
        assert!(matches!(foreign(), ForeignWrites::Paths(all) if all.len() == LOG_PATHS_MAX));
        (0..=LOG_PATHS_MAX).for_each(|_| wrote(&["x"]));
        assert_eq!(foreign(), ForeignWrites::Anything);
        wrote(&["y"]);
        std::fs::write(data.path().join(layout::WRITE_LOCK), "7").unwrap();
        assert_eq!(foreign(), ForeignWrites::Anything);
        let most = u64::MAX;
        std::fs::write(data.path().join(layout::WRITE_LOCK), format!("{most}\n")).unwrap();
        assert_eq!(foreign(), ForeignWrites::Anything);
        wrote(&["z"]);
        assert_eq!(foreign(), ForeignWrites::Anything);
    }
}
