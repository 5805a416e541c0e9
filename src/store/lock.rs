//! One server a data folder, one writer at a time. Locks are those of the system: they end with
//! the process that holds them, however it ends. Lock files are never unlinked, or two processes
//! could each hold a lock on a file of that name.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::store::disk::make_private_folder;
use crate::store::error::StoreError;
use crate::store::layout;

/// How long a writer waits for another process.
const WRITE_WAIT: Duration = Duration::from_secs(5);

/// How often a waiting writer asks again.
const WRITE_POLL: Duration = Duration::from_millis(2);

/// The right to serve a data folder; lasts until dropped.
#[derive(Debug)]
pub struct InstanceLock {
    _file: File,
}

/// The right to write into a data folder; lasts until dropped.
#[derive(Debug)]
pub struct WriteLock {
    _file: File,
}

impl InstanceLock {
    /// Takes the folder for this process, or says which process has it.
    pub fn take(data: &Path) -> Result<InstanceLock, StoreError> {
        let mut file = open(data, layout::INSTANCE_LOCK)?;
        if !try_lock(&file).map_err(StoreError::io("lock", layout::INSTANCE_LOCK))? {
            return Err(StoreError::Locked { pid: read_pid(&mut file) });
        }
        write_pid(&mut file).map_err(StoreError::io("write", layout::INSTANCE_LOCK))?;
        Ok(InstanceLock { _file: file })
    }
}

impl WriteLock {
    /// Waits a few seconds at most for the others to finish.
    pub fn take(data: &Path) -> Result<WriteLock, StoreError> {
        let file = open(data, layout::WRITE_LOCK)?;
        let since = Instant::now();
        while !try_lock(&file).map_err(StoreError::io("lock", layout::WRITE_LOCK))? {
            if since.elapsed() > WRITE_WAIT {
                return Err(StoreError::Busy);
            }
            std::thread::sleep(WRITE_POLL);
        }
        Ok(WriteLock { _file: file })
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
                        let _lock = WriteLock::take(data.path()).unwrap();
                        *counter.try_lock().expect("only one writer at a time") += 1;
                    }
                });
            }
        });
        assert_eq!(*counter.lock().unwrap(), 80);
        assert!(data.path().join(layout::WRITE_LOCK).exists());
    }
}
