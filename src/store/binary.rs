//! The program itself, outside of the data folder: how another takes its place. The new one is
//! written beside it under a name of its own, so that the change is one rename; the old one keeps
//! a second name. Whenever this stops, a whole program stands under the name.

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

/// What the program that was replaced is called: this behind its name.
const PREVIOUS: &str = ".previous";
/// What a program that is not in its place yet ends with.
const UNFINISHED: &str = ".update";
/// What was left behind longer ago than any installation takes is removed.
const LEFT_BEHIND: Duration = Duration::from_secs(60 * 60);
/// The most that is read of what a program prints.
const OUTPUT_BYTES_MAX: u64 = 4_096;
/// How often a program is started that is still being closed by somebody.
const STARTS_MAX: usize = 100;

/// The program that runs, by its path.
#[derive(Clone, Debug)]
pub struct Binary {
    path: PathBuf,
}

/// A program beside the one that it may replace; removed with its owner until it has its place.
/// Nobody can run it before [`Candidate::make_executable`].
#[derive(Debug)]
pub struct Candidate {
    path: PathBuf,
    of: PathBuf,
    /// The SHA-256 of what was written.
    pub sha256: [u8; 32],
    /// How many bytes were written.
    pub size: u64,
    /// How it begins.
    pub head: Vec<u8>,
}

impl Binary {
    /// The program at a path, which must be that of a file and no link.
    pub fn at(path: PathBuf) -> Binary {
        Binary { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Copies a program of at most `most` bytes beside this one, for its owner alone to read.
    pub fn put_beside(&self, from: &mut dyn Read, most: u64) -> Result<Candidate, StoreError> {
        let shown = self.path.display().to_string();
        let found = fs::symlink_metadata(&self.path);
        if !found.map_err(StoreError::io("look at", shown.as_str()))?.is_file() {
            return Err(StoreError::io("replace", shown)(io::ErrorKind::InvalidInput.into()));
        }
        self.clear_left_behind();
        let number = getrandom::u64().unwrap_or_else(|_| u64::from(std::process::id()));
        let path = self.beside(&format!(".{number:016x}{UNFINISHED}"), true);
        let failed = StoreError::io("write", path.display().to_string());
        let of = self.path.clone();
        let file = create(&path).map_err(failed)?;
        let empty = Candidate { path, of, sha256: [0; 32], size: 0, head: Vec::new() };
        empty.fill(file, &mut from.take(most.saturating_add(1)))
    }

    /// A name in the same folder.
    fn beside(&self, ending: &str, hidden: bool) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!("{}{name}{ending}", if hidden { "." } else { "" }))
    }

    fn clear_left_behind(&self) {
        let begin = self.beside(".", true).file_name().unwrap_or_default().to_owned();
        let begin = begin.to_string_lossy();
        let folder = self.path.parent().and_then(|it| fs::read_dir(it).ok());
        for entry in folder.into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let old = entry.metadata().and_then(|it| it.modified()).is_ok_and(|at| {
                SystemTime::now().duration_since(at).is_ok_and(|age| age > LEFT_BEHIND)
            });
            if old && name.starts_with(&*begin) && name.ends_with(UNFINISHED) {
                // It takes room and does nothing else.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

impl Candidate {
    fn fill(mut self, file: File, from: &mut dyn Read) -> Result<Candidate, StoreError> {
        let copied = self.copy(file, from);
        copied.map_err(StoreError::io("write", self.path.display().to_string()))?;
        Ok(self)
    }

    fn copy(&mut self, mut file: File, from: &mut dyn Read) -> io::Result<()> {
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

    /// Gives it the permissions of the program that it may replace. For what was found to be the
    /// program that it should be.
    pub fn make_executable(&self) -> Result<(), StoreError> {
        let same = || fs::set_permissions(&self.path, fs::metadata(&self.of)?.permissions());
        same().map_err(StoreError::io("make executable", self.path.display().to_string()))
    }

    /// The first line it prints when it is asked for its version; it has so long to do so.
    pub fn version_line(&self, limit: Duration) -> io::Result<String> {
        let mut child = self.start()?;
        let out = child.stdout.take();
        let (tell, told) = mpsc::channel();
        let reading = thread::Builder::new().name("version".to_string()).spawn(move || {
            let mut text = Vec::new();
            let read = out.map(|it| it.take(OUTPUT_BYTES_MAX).read_to_end(&mut text));
            // Nobody listens any more when it took too long.
            let _ = tell.send(read.unwrap_or(Ok(0)).map(|_| text));
        });
        let printed = reading.and_then(|_| {
            told.recv_timeout(limit).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        });
        // It has printed what it had to, or takes too long.
        let _ = child.kill();
        child.wait()?;
        let text = String::from_utf8_lossy(&printed?).into_owned();
        Ok(text.lines().next().unwrap_or_default().trim_end().to_string())
    }

    fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.path);
        command.arg("--version").env_clear().stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        for _ in 1..STARTS_MAX {
            match command.spawn() {
                // A process that is just being started by another thread still has it open.
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                    thread::yield_now();
                }
                started => return started,
            }
        }
        command.spawn()
    }

    /// Takes the place of the program, which goes on under another name that is told.
    pub fn take_place(self) -> Result<PathBuf, StoreError> {
        let old = Binary::at(self.of.clone());
        let previous = old.beside(PREVIOUS, false);
        let failed = StoreError::io("replace", self.of.display().to_string());
        self.swap(&old, &previous).map_err(failed)?;
        Ok(previous)
    }

    #[cfg(unix)]
    fn swap(&self, old: &Binary, previous: &Path) -> io::Result<()> {
        // The second name is put in the place of an older one by a rename as well.
        let second = old.beside(&format!("{PREVIOUS}{UNFINISHED}"), true);
        let _ = fs::remove_file(&second);
        if fs::hard_link(&old.path, &second).is_err() {
            fs::copy(&old.path, &second)?;
            File::open(&second)?.sync_all()?;
        }
        fs::rename(&second, previous)?;
        fs::rename(&self.path, &old.path)?;
        File::open(old.path.parent().unwrap_or(Path::new("/")))?.sync_all()
    }

    /// Where a program that runs cannot be replaced, it can be moved out of the way.
    #[cfg(not(unix))]
    fn swap(&self, old: &Binary, previous: &Path) -> io::Result<()> {
        let _ = fs::remove_file(previous);
        fs::rename(&old.path, previous)?;
        fs::rename(&self.path, &old.path).inspect_err(|_| _ = fs::rename(previous, &old.path))
    }
}

impl Drop for Candidate {
    fn drop(&mut self) {
        // In its place is the usual case. What cannot be removed is removed some other time.
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
        binary: Binary,
    }

    /// A folder with a program that says `old`.
    fn place() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recto");
        fs::write(&path, "#!/bin/sh\necho old\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        Place { folder, binary: Binary::at(path) }
    }

    impl Place {
        fn put(&self, script: &str) -> Candidate {
            let text = format!("#!/bin/sh\n{script}\n");
            self.binary.put_beside(&mut text.as_bytes(), 1_000).unwrap()
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
            let previous = candidate.take_place().unwrap();
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
        let left = left.map(|it| place.binary.beside(it, true));
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
        std::os::unix::fs::symlink(place.binary.path(), &link).unwrap();
        assert!(Binary::at(link).put_beside(&mut "x".as_bytes(), 9).is_err());
        assert!(Binary::at(place.folder.path().into()).put_beside(&mut "x".as_bytes(), 9).is_err());
        // One byte more tells that it was too much.
        assert_eq!(place.binary.put_beside(&mut [0; 99].as_slice(), 9).unwrap().size, 10);
        let missing = place.folder.path().join("missing");
        assert!(Binary::at(missing).put_beside(&mut "x".as_bytes(), 9).is_err());
    }
}
