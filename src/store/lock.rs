//! One server a data folder, one writer at a time. Locks are those of the system: they end with
//! the process that holds them, however it ends. Lock files are never unlinked, or two processes
//! could each hold a lock on a file of that name.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::store::disk::{is_absence, make_private_folder};
use crate::store::error::StoreError;
use crate::store::layout;

/// How long a writer waits for another process.
const WRITE_WAIT: Duration = Duration::from_secs(5);

/// How often a waiting writer asks again.
const WRITE_POLL: Duration = Duration::from_millis(2);

/// How many paths of other processes' writes are remembered.
const LOG_PATHS_MAX: usize = 1_000;

/// More than the paths can take.
const LOG_BYTES_MAX: u64 = 1024 * 1024;

/// The right to serve a data folder; lasts until dropped.
#[derive(Debug)]
pub struct InstanceLock {
    file: File,
    path: PathBuf,
}

/// The way to the right to write into a data folder: for the threads of this process, and for
/// other processes.
#[derive(Debug)]
pub struct WriteLock {
    files: Mutex<WriteFiles>,
}

#[derive(Debug)]
struct WriteFiles {
    file: File,
    /// Held by whoever is next, so that a tool that has its turns one right after the other lets
    /// everybody else have one in between.
    next: File,
}

/// The right to write into a data folder; lasts until dropped.
#[derive(Debug)]
pub struct WriteTurn<'a> {
    files: MutexGuard<'a, WriteFiles>,
}

/// The right to bring a new version of the program here; lasts until dropped.
#[derive(Debug)]
pub struct UpdateLock {
    file: File,
}

/// What other processes wrote since the folder was last looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// These files, which may be none.
    Paths(Vec<String>),
    /// More than was written down.
    Anything,
}

impl InstanceLock {
    /// Takes the folder for this process, or says which process has it.
    pub fn take(data: &Path) -> Result<InstanceLock, StoreError> {
        let mut file = open(data, layout::INSTANCE_LOCK)?;
        if !try_lock(&file).map_err(StoreError::io("lock", layout::INSTANCE_LOCK))? {
            return Err(StoreError::Locked { pid: read_pid(&mut file) });
        }
        write_pid(&mut file).map_err(StoreError::io("write", layout::INSTANCE_LOCK))?;
        Ok(InstanceLock { file, path: data.join(layout::INSTANCE_LOCK) })
    }

    /// Whether the locked file is still the one that others would lock. It is not when the folder was
    /// moved away, be there another one in its place or none, nor when somebody removed the file.
    pub fn is_held(&self) -> bool {
        is_at(&self.file, &self.path)
    }
}

/// Whether a file that is open is the one under this path. When that cannot be found out, it may be.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |it: std::fs::Metadata| (it.dev(), it.ino());
    match std::fs::symlink_metadata(path) {
        Ok(there) => {
            let there = identity(there);
            file.metadata().is_ok_and(|it| identity(it) == there)
        }
        Err(error) => !is_absence(&error),
    }
}

/// Whether a file that is open is the one under this path. Where files cannot be moved or removed
/// while they are open, it is.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

impl UpdateLock {
    /// Takes it, unless another process or thread is at it: that may take minutes, so nobody waits.
    pub fn take(data: &Path) -> Result<Option<UpdateLock>, StoreError> {
        let file = open(data, layout::UPDATE_LOCK)?;
        let taken = try_lock(&file).map_err(StoreError::io("lock", layout::UPDATE_LOCK))?;
        Ok(taken.then_some(UpdateLock { file }))
    }
}

/// Said, not left to the end of the file: a program that is just being started has it open as well.
impl Drop for UpdateLock {
    fn drop(&mut self) {
        let _ = fs2::FileExt::unlock(&self.file);
    }
}

impl Drop for InstanceLock {
    fn drop(&mut self) {
        // Closing is not enough: a child that is just being started may have the file for a moment.
        let _ = fs2::FileExt::unlock(&self.file);
    }
}

impl WriteLock {
    /// Opens the lock of a data folder without taking it.
    pub fn open(data: &Path) -> Result<WriteLock, StoreError> {
        Ok(WriteLock { files: Mutex::new(WriteFiles::open(data)?) })
    }

    /// Goes on with the lock of the data folder that is at the same place by now. Waits for whoever
    /// has the turn.
    pub fn reopen(&self, data: &Path) -> Result<(), StoreError> {
        let files = WriteFiles::open(data)?;
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = files;
        Ok(())
    }

    /// Waits a few seconds at most for the others to finish.
    pub fn take(&self) -> Result<WriteTurn<'_>, StoreError> {
        // The file is whole after every step, so poison means nothing.
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let since = Instant::now();
        wait_for(&files.next, layout::NEXT_LOCK, since)?;
        let taken = wait_for(&files.file, layout::WRITE_LOCK, since);
        // It ends with the file at the latest.
        let _ = fs2::FileExt::unlock(&files.next);
        taken.map(|()| WriteTurn { files })
    }
}

impl WriteFiles {
    fn open(data: &Path) -> Result<WriteFiles, StoreError> {
        let file = open(data, layout::WRITE_LOCK)?;
        Ok(WriteFiles { file, next: open(data, layout::NEXT_LOCK)? })
    }
}

fn wait_for(file: &File, path: &str, since: Instant) -> Result<(), StoreError> {
    while !try_lock(file).map_err(StoreError::io("lock", path))? {
        if since.elapsed() > WRITE_WAIT {
            return Err(StoreError::Busy);
        }
        std::thread::sleep(WRITE_POLL);
    }
    Ok(())
}

impl WriteTurn<'_> {
    /// What other processes wrote after the commit numbered `seen`, which becomes the last one.
    pub fn foreign(&mut self, seen: &mut u64) -> Foreign {
        let log = self.log();
        let last = log.as_ref().map_or(0, |it| it.counter);
        let before = std::mem::replace(seen, last);
        match log {
            Some(log) if log.counter == before => Foreign::Paths(Vec::new()),
            Some(log) if log.reaches_back_to(before) => {
                let since = log.paths.into_iter().filter(|(number, _)| *number > before);
                Foreign::Paths(since.map(|(_, path)| path).collect())
            }
            // Torn, begun anew, or too long ago.
            _ => Foreign::Anything,
        }
    }

    /// Writes down what this process, which keeps no index of the folder, has written.
    pub fn note(&mut self, paths: &[String]) -> Result<(), StoreError> {
        let mut log = self.log().unwrap_or_default();
        log.add(paths);
        self.write(&log.to_text()).map_err(StoreError::io("write", layout::WRITE_LOCK))
    }

    fn log(&mut self) -> Option<Log> {
        let mut text = String::new();
        self.files.file.seek(SeekFrom::Start(0)).ok()?;
        (&self.files.file).take(LOG_BYTES_MAX).read_to_string(&mut text).ok()?;
        Log::parse(&text)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let file = &mut self.files.file;
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(text.as_bytes())
    }
}

impl Drop for WriteTurn<'_> {
    fn drop(&mut self) {
        // It ends with the file at the latest.
        let _ = fs2::FileExt::unlock(&self.files.file);
    }
}

/// What the lock file says: the number of commits by processes without an index, and what the last
/// of them wrote.
#[derive(Debug, Default)]
struct Log {
    counter: u64,
    paths: Vec<(u64, String)>,
}

impl Log {
    fn parse(text: &str) -> Option<Log> {
        if text.is_empty() {
            return Some(Log::default());
        }
        let mut lines = text.strip_suffix('\n')?.lines();
        let counter = lines.next()?.parse().ok()?;
        let path = |line: &str| {
            let (number, path) = line.split_once(' ')?;
            Some((number.parse().ok()?, path.to_string()))
        };
        Some(Log { counter, paths: lines.map(path).collect::<Option<_>>()? })
    }

    fn add(&mut self, paths: &[String]) {
        // Whatever somebody wrote into the file; what wraps counts as too long ago.
        self.counter = self.counter.wrapping_add(1);
        self.paths.extend(paths.iter().map(|path| (self.counter, path.clone())));
        let too_many = self.paths.len().saturating_sub(LOG_PATHS_MAX);
        // A commit is kept whole or not at all.
        let last_cut = too_many.checked_sub(1).and_then(|at| self.paths.get(at));
        if let Some((cut, _)) = last_cut.cloned() {
            self.paths.retain(|(number, _)| *number > cut);
        }
    }

    /// Whether everything after the commit numbered `seen` is here.
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

fn open(data: &Path, path: &str) -> Result<File, StoreError> {
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
    // By its full path: the standard library has methods of the same name by now.
    match fs2::FileExt::try_lock_exclusive(file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == fs2::lock_contended_error().kind() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whoever has the lock may not have written yet: then the answer is 0.
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
        let first = InstanceLock::take(data.path()).unwrap();
        match InstanceLock::take(data.path()) {
            Err(StoreError::Locked { pid }) => assert_eq!(pid, std::process::id()),
            other => panic!("{other:?}"),
        }
        drop(first);
        assert!(InstanceLock::take(data.path()).is_ok());
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
                        let _turn = lock.take().unwrap();
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
        let next = open(data.path(), layout::NEXT_LOCK).unwrap();
        let had_it = std::sync::atomic::AtomicBool::new(false);
        let turn = greedy.take().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _turn = other.take().unwrap();
                had_it.store(true, std::sync::atomic::Ordering::SeqCst);
            });
            while try_lock(&next).unwrap() {
                fs2::FileExt::unlock(&next).unwrap();
            }
            drop(turn);
            let _turn = greedy.take().unwrap();
            assert!(had_it.load(std::sync::atomic::Ordering::SeqCst));
        });
    }

    #[test]
    fn what_others_wrote_is_told() {
        let data = tempfile::tempdir().unwrap();
        let (server, tool) =
            (WriteLock::open(data.path()).unwrap(), WriteLock::open(data.path()).unwrap());
        let mut seen = 0;
        let mut told = || server.take().unwrap().foreign(&mut seen);
        let paths =
            |paths: &[&str]| Foreign::Paths(paths.iter().map(ToString::to_string).collect());
        let wrote = |paths: &[&str]| {
            let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
            tool.take().unwrap().note(&paths).unwrap();
        };
        assert_eq!(told(), paths(&[]));
        wrote(&["a", "b"]);
        wrote(&["c d"]);
        assert_eq!(told(), paths(&["a", "b", "c d"]));
        assert_eq!(told(), paths(&[]));
        wrote(&["e"]);
        assert_eq!(told(), paths(&["e"]));
        (0..LOG_PATHS_MAX).for_each(|_| wrote(&["x"]));
        assert!(matches!(told(), Foreign::Paths(all) if all.len() == LOG_PATHS_MAX));
        (0..=LOG_PATHS_MAX).for_each(|_| wrote(&["x"]));
        assert_eq!(told(), Foreign::Anything);
        wrote(&["y"]);
        std::fs::write(data.path().join(layout::WRITE_LOCK), "7").unwrap();
        assert_eq!(told(), Foreign::Anything);
        let most = u64::MAX;
        std::fs::write(data.path().join(layout::WRITE_LOCK), format!("{most}\n")).unwrap();
        assert_eq!(told(), Foreign::Anything);
        wrote(&["z"]);
        assert_eq!(told(), Foreign::Anything);
    }
}
