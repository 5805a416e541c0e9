//! The program file, outside of the data folder, and its replacement by an update. The new program
//! is written next to it under a different name, so that the update is one rename; the old one gets
//! a second name. At any time there is a complete program under the original name.

use std::fs;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Read;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use std::time::SystemTime;

use sha2::Digest;
use sha2::Sha256;

use crate::stdx::platform;
use crate::store::error::StoreError;

/// The suffix of the replaced program.
const PREVIOUS: &str = ".previous";
/// The suffix of a new program that is not in place yet.
const UNFINISHED: &str = ".update";
/// The age at which unfinished files are removed, longer than any installation takes.
const LEFT_BEHIND: Duration = Duration::from_secs(60 * 60);
/// The maximum size of the output read from a program.
const OUTPUT_BYTES_MAX: u64 = 4_096;
/// The maximum number of attempts to start a program that another process still has open.
const STARTS_MAX: usize = 100;

/// The running program, identified by its path.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    path: PathBuf,
}

/// A new program next to the one it may replace; deleted on drop unless it is in place. It cannot
/// be executed before [`ProgramCandidate::make_executable`].
#[derive(Debug)]
pub struct ProgramCandidate {
    path: PathBuf,
    of: PathBuf,
    /// The SHA-256 of the written bytes.
    pub sha256: [u8; 32],
    /// The number of written bytes.
    pub size: u64,
    /// The first bytes.
    pub head: Vec<u8>,
}

impl ProgramFile {
    /// Creates a handle for the program at a path, which must be a file and not a link.
    pub fn new(path: PathBuf) -> ProgramFile {
        ProgramFile { path }
    }

    /// Copies a program of at most `most` bytes next to this one, readable only by its owner.
    pub fn copy_beside(
        &self,
        from: &mut dyn Read,
        most: u64,
    ) -> Result<ProgramCandidate, StoreError> {
        let shown = self.path.display().to_string();
        let found = fs::symlink_metadata(&self.path);
        if !found.map_err(StoreError::io("look at", shown.as_str()))?.is_file() {
            return Err(StoreError::io("replace", shown)(io::ErrorKind::InvalidInput.into()));
        }
        self.remove_leftovers();
        let number = getrandom::u64().unwrap_or_else(|_| u64::from(std::process::id()));
        let path = self.sibling_path(&format!(".{number:016x}{UNFINISHED}"), true);
        let failed = StoreError::io("write", path.display().to_string());
        let of = self.path.clone();
        let file = create_private(&path).map_err(failed)?;
        let empty = ProgramCandidate { path, of, sha256: [0; 32], size: 0, head: Vec::new() };
        empty.copy_from(file, &mut from.take(most.saturating_add(1)))
    }

    /// Returns a path in the same folder.
    fn sibling_path(&self, ending: &str, hidden: bool) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!("{}{name}{ending}", if hidden { "." } else { "" }))
    }

    fn remove_leftovers(&self) {
        let begin = self.sibling_path(".", true).file_name().unwrap_or_default().to_owned();
        let begin = begin.to_string_lossy();
        let folder = self.path.parent().and_then(|it| fs::read_dir(it).ok());
        for entry in folder.into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let old = entry.metadata().and_then(|it| it.modified()).is_ok_and(|at| {
                SystemTime::now().duration_since(at).is_ok_and(|age| age > LEFT_BEHIND)
            });
            if old && name.starts_with(&*begin) && name.ends_with(UNFINISHED) {
                // An unremoved file only takes up space.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

impl ProgramCandidate {
    fn copy_from(
        mut self,
        file: File,
        from: &mut dyn Read,
    ) -> Result<ProgramCandidate, StoreError> {
        let copied = self.copy_bytes(file, from);
        copied.map_err(StoreError::io("write", self.path.display().to_string()))?;
        Ok(self)
    }

    fn copy_bytes(&mut self, mut file: File, from: &mut dyn Read) -> io::Result<()> {
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 64 * 1024]);
        loop {
            let n = from.read(&mut buffer)?;
            let piece = buffer.get(..n).unwrap_or_default();
            if piece.is_empty() {
                break;
            }
            file.write_all(piece)?;
            hash.update(piece);
            self.size = self.size.saturating_add(piece.len() as u64);
            let missing = platform::HEAD_BYTES.saturating_sub(self.head.len());
            self.head.extend(piece.iter().take(missing));
        }
        self.sha256 = hash.finalize().into();
        file.sync_all()
    }

    /// Gives it the permissions of the program that it replaces. Called after it was verified.
    pub fn make_executable(&self) -> Result<(), StoreError> {
        let same = || fs::set_permissions(&self.path, fs::metadata(&self.of)?.permissions());
        same().map_err(StoreError::io("make executable", self.path.display().to_string()))
    }

    /// Returns the first line of the output of `--version`; fails if it takes longer than `limit`.
    pub fn version_line(&self, limit: Duration) -> io::Result<String> {
        let mut child = self.spawn_version()?;
        let out = child.stdout.take();
        let (sender, receiver) = mpsc::channel();
        let reading = thread::Builder::new().name("version".to_string()).spawn(move || {
            let mut text = Vec::new();
            let read = out.map(|it| it.take(OUTPUT_BYTES_MAX).read_to_end(&mut text));
            // After a timeout there is no receiver.
            let _ = sender.send(read.unwrap_or(Ok(0)).map(|_| text));
        });
        let printed = reading.and_then(|_| {
            receiver.recv_timeout(limit).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        });
        // It has printed the line, or takes too long.
        let _ = child.kill();
        child.wait()?;
        let text = String::from_utf8_lossy(&printed?).into_owned();
        Ok(text.lines().next().unwrap_or_default().trim_end().to_string())
    }

    fn spawn_version(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.path);
        command.arg("--version").env_clear().stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        for _ in 1..STARTS_MAX {
            match command.spawn() {
                // A process that is just being started by another thread has the file open.
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                    thread::yield_now();
                }
                started => return started,
            }
        }
        command.spawn()
    }

    /// Replaces the program, and returns the new path of the old one.
    pub fn replace_program(self) -> Result<PathBuf, StoreError> {
        let old = ProgramFile::new(self.of.clone());
        let previous = old.sibling_path(PREVIOUS, false);
        let failed = StoreError::io("replace", self.of.display().to_string());
        self.swap(&old, &previous).map_err(failed)?;
        Ok(previous)
    }

    #[cfg(unix)]
    fn swap(&self, old: &ProgramFile, previous: &Path) -> io::Result<()> {
        // The second name replaces an older one by a rename as well.
        let second = old.sibling_path(&format!("{PREVIOUS}{UNFINISHED}"), true);
        let _ = fs::remove_file(&second);
        if fs::hard_link(&old.path, &second).is_err() {
            fs::copy(&old.path, &second)?;
            File::open(&second)?.sync_all()?;
        }
        fs::rename(&second, previous)?;
        fs::rename(&self.path, &old.path)?;
        File::open(old.path.parent().unwrap_or(Path::new("/")))?.sync_all()
    }

    /// Renames the old program first: a running program cannot be replaced on these systems.
    #[cfg(not(unix))]
    fn swap(&self, old: &ProgramFile, previous: &Path) -> io::Result<()> {
        let _ = fs::remove_file(previous);
        fs::rename(&old.path, previous)?;
        fs::rename(&self.path, &old.path).inspect_err(|_| _ = fs::rename(previous, &old.path))
    }
}

impl Drop for ProgramCandidate {
    fn drop(&mut self) {
        // Usually the file was moved. If it cannot be removed, a later installation does it.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Place {
        folder: tempfile::TempDir,
        binary: ProgramFile,
    }

    /// Creates a folder with a program that prints `old`.
    fn place() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recto");
        fs::write(&path, "#!/bin/sh\necho old\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        Place { folder, binary: ProgramFile::new(path) }
    }

    impl Place {
        fn put(&self, script: &str) -> ProgramCandidate {
            let text = format!("#!/bin/sh\n{script}\n");
            self.binary.copy_beside(&mut text.as_bytes(), 1_000).unwrap()
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder.path()).unwrap();
            let name =
                |it: io::Result<fs::DirEntry>| it.unwrap().file_name().into_string().unwrap();
            let mut names: Vec<String> = entries.map(name).collect();
            names.sort();
            names
        }

        fn says(&self, name: &str) -> String {
            fs::read_to_string(self.folder.path().join(name)).unwrap()
        }

        fn mode(&self, path: &Path) -> u32 {
            self.folder.path().join(path).metadata().unwrap().permissions().mode() & 0o777
        }
    }

    #[test]
    fn a_program_takes_the_place_of_another() {
        let place = place();
        for (old, new) in [("echo old", "echo new"), ("echo new", "echo newer")] {
            let candidate = place.put(new);
            let bytes = format!("#!/bin/sh\n{new}\n");
            assert_eq!(candidate.sha256, <[u8; 32]>::from(Sha256::digest(&bytes)));
            assert_eq!((candidate.size, &candidate.head[..2]), (bytes.len() as u64, &b"#!"[..]));
            assert_eq!(place.mode(&candidate.path), 0o600);
            candidate.make_executable().unwrap();
            assert_eq!(candidate.version_line(Duration::from_secs(60)).unwrap(), &new[5..]);
            let previous = candidate.replace_program().unwrap();
            assert_eq!(previous, place.folder.path().join("recto.previous"));
            assert_eq!(place.names(), ["recto", "recto.previous"]);
            assert_eq!(place.says("recto"), bytes);
            assert_eq!(place.says("recto.previous"), format!("#!/bin/sh\n{old}\n"));
            assert_eq!(place.mode(Path::new("recto")), 0o750);
        }
    }

    #[test]
    fn what_is_not_used_leaves_everything_as_it_was() {
        let place = place();
        let candidate = place.put("echo new");
        assert_eq!(place.names().len(), 2);
        drop(candidate);
        place.put("echo new").make_executable().unwrap();
        assert_eq!(place.names(), ["recto"]);
        assert_eq!(place.says("recto"), "#!/bin/sh\necho old\n");
    }

    #[test]
    fn what_a_killed_installation_left_is_removed_later() {
        let place = place();
        let left = ["", ".0123456789abcdef.update", ".1123456789abcdef.update", ".txt"];
        let left = left.map(|it| place.binary.sibling_path(it, true));
        for (path, hours) in left.iter().zip([2, 2, 0, 2]) {
            fs::write(path, "half of").unwrap();
            let at = SystemTime::now() - Duration::from_secs(hours * 3_600 + 60);
            File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
        }
        drop(place.put("echo new"));
        assert_eq!(
            place.names(),
            [".recto", ".recto.1123456789abcdef.update", ".recto.txt", "recto"]
        );
    }

    #[test]
    fn who_does_not_answer_is_ended() {
        let place = place();
        let check = |script: &str, limit: u64, expect: Result<&str, io::ErrorKind>| {
            let candidate = place.put(script);
            candidate.make_executable().unwrap();
            let line = candidate.version_line(Duration::from_millis(limit));
            assert_eq!(line.as_deref().map_err(|it| it.kind()), expect, "{script}");
        };
        check("exec sleep 600", 20, Err(io::ErrorKind::TimedOut));
        check("exit 3", 60_000, Ok(""));
        check("while true; do echo y; done", 60_000, Ok("y"));
        check("echo $#$1; env | grep -c HOME; cat", 60_000, Ok("1--version"));
    }

    #[test]
    fn links_and_large_programs() {
        let place = place();
        let link = place.folder.path().join("link");
        std::os::unix::fs::symlink(&place.binary.path, &link).unwrap();
        assert!(ProgramFile::new(link).copy_beside(&mut "x".as_bytes(), 9).is_err());
        assert!(
            ProgramFile::new(place.folder.path().into())
                .copy_beside(&mut "x".as_bytes(), 9)
                .is_err()
        );
        // One byte more than the limit shows that it was exceeded.
        assert_eq!(place.binary.copy_beside(&mut [0; 99].as_slice(), 9).unwrap().size, 10);
        let missing = place.folder.path().join("missing");
        assert!(ProgramFile::new(missing).copy_beside(&mut "x".as_bytes(), 9).is_err());
    }
}
