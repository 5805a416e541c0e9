//! The sums of media files: what is known of the bytes of a file without reading it again. Kept
//! below `.recto/`, so that large files are read once and not at every start.
//!
//! A sum holds for one state of a file, which is its inode, size and times. Each line of the file is
//! whole by itself and has a sum of its own: lines are only added, nothing is synced, and what is
//! lost or torn is read from the media anew.

use std::collections::HashMap;
use std::fs;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Read as _;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;

use crate::stdx::sum::ByteSummer;
use crate::stdx::sum::Sum;
use crate::store::disk::Stat;

/// Files up to this size are summed where they are looked at.
pub const SMALL_BYTES_MAX: u64 = 64 * 1024;

/// How much of a file is read at once.
const CHUNK_BYTES: usize = 256 * 1024;

/// Lines beyond this many are written anew once most of them are out of date.
const STALE_LINES_MIN: usize = 1_000;

/// How many files may be on their way to their place at once.
const ARRIVALS_MAX: usize = 1_000;

/// What is known of the bytes of media files.
pub struct MediaSums {
    known: Mutex<Known>,
    /// Where it is kept; nowhere, when nothing may be written.
    path: Option<PathBuf>,
    wanted: Mutex<Wanted>,
    changed: Condvar,
}

#[derive(Default)]
struct Known {
    sums: HashMap<String, (Stat, Sum)>,
    /// Files that are about to be moved to their place, which changes one of their times.
    arrivals: Vec<(Arrival, Sum)>,
    lines: usize,
}

/// What of a file stays when it is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arrival {
    inode: u64,
    size: u64,
    modified_ns: i64,
}

#[derive(Default)]
struct Wanted {
    is_due: bool,
    is_closed: bool,
}

impl From<&Stat> for Arrival {
    fn from(stat: &Stat) -> Arrival {
        Arrival { inode: stat.inode, size: stat.size, modified_ns: stat.modified_ns }
    }
}

impl MediaSums {
    /// Reads what is kept at `path`, and keeps more there unless nothing may be written.
    pub fn open(path: &Path, read_only: bool) -> MediaSums {
        let text = fs::read(path).unwrap_or_default();
        let mut known = Known::default();
        for line in text.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
            known.lines += 1;
            if let Some((path, stat, sum)) = parsed(line) {
                known.sums.insert(path, (stat, sum));
            }
        }
        let torn = text.last().is_some_and(|it| *it != b'\n');
        let is_stale = torn || known.lines > known.sums.len().saturating_mul(2) + STALE_LINES_MIN;
        let sums = MediaSums::new(known, (!read_only).then(|| path.to_path_buf()));
        if is_stale {
            sums.rewrite();
        }
        sums
    }

    /// Keeps what it learns in memory alone.
    pub fn in_memory() -> MediaSums {
        MediaSums::new(Known::default(), None)
    }

    fn new(known: Known, path: Option<PathBuf>) -> MediaSums {
        let (wanted, changed) = (Mutex::default(), Condvar::new());
        MediaSums { known: Mutex::new(known), path, wanted, changed }
    }

    /// The sum of the file at `path`, if it is known for this state of it.
    pub fn get(&self, path: &str, stat: &Stat) -> Option<Sum> {
        let known = self.known();
        let of_path = known.sums.get(path).filter(|it| it.0 == *stat).map(|it| it.1);
        of_path.or_else(|| {
            let arrival = Arrival::from(stat);
            known.arrivals.iter().find(|it| it.0 == arrival).map(|it| it.1)
        })
    }

    /// Keeps the sum of a file in a state.
    pub fn put(&self, path: &str, stat: &Stat, sum: Sum) {
        let mut known = self.known();
        if known.sums.get(path) == Some(&(*stat, sum)) {
            return;
        }
        known.sums.insert(path.to_string(), (*stat, sum));
        known.lines += 1;
        if let Some(place) = &self.path
            && let Err(error) = append(place, &line(path, stat, sum))
        {
            tracing::warn!(%error, "the sum of a media file cannot be kept");
        }
    }

    /// Tells the sum of a file of ours that is about to be moved to its place, until it is
    /// [forgotten](MediaSums::arrived).
    pub fn arrives(&self, stat: &Stat, sum: Sum) {
        let mut known = self.known();
        if known.arrivals.len() < ARRIVALS_MAX {
            known.arrivals.push((stat.into(), sum));
        }
    }

    /// A file is in its place, or will not be moved.
    pub fn arrived(&self, stat: &Stat) {
        let arrival = Arrival::from(stat);
        let mut known = self.known();
        if let Some(at) = known.arrivals.iter().position(|it| it.0 == arrival) {
            known.arrivals.swap_remove(at);
        }
    }

    /// Forgets files that are not there any more.
    pub fn retain(&self, is_there: impl Fn(&str) -> bool) {
        let mut known = self.known();
        let before = known.sums.len();
        known.sums.retain(|path, _| is_there(path));
        let is_stale = known.sums.len().saturating_mul(2) + STALE_LINES_MIN < known.lines;
        drop(known);
        if is_stale && before > 0 {
            self.rewrite();
        }
    }

    /// Files were found whose sums are not known.
    pub fn want(&self) {
        self.wanted().is_due = true;
        self.changed.notify_all();
    }

    /// Waits for files whose sums are not known, or for the time to look again; whether there are
    /// such files, and nothing when all is over.
    pub fn wait(&self, timeout: Option<Duration>) -> Option<bool> {
        let mut wanted = self.wanted();
        while !wanted.is_due && !wanted.is_closed {
            match timeout {
                None => {
                    wanted = self.changed.wait(wanted).unwrap_or_else(PoisonError::into_inner);
                }
                Some(timeout) => {
                    let waited = self.changed.wait_timeout(wanted, timeout);
                    wanted = waited.unwrap_or_else(PoisonError::into_inner).0;
                    break;
                }
            }
        }
        let was_due = std::mem::take(&mut wanted.is_due);
        (!wanted.is_closed).then_some(was_due)
    }

    /// Ends all waiting and reading.
    pub fn close(&self) {
        self.wanted().is_closed = true;
        self.changed.notify_all();
    }

    /// Whether reading should end.
    pub fn is_closed(&self) -> bool {
        self.wanted().is_closed
    }

    /// The same, for as long as it may still be closed.
    fn is_closed_within(&self, time: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.wanted(), time, |it| !it.is_closed);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_closed
    }

    /// Reads all of a file; nothing when reading should end. Half of the time the disk is left to
    /// others.
    pub fn read(&self, file: &mut File) -> io::Result<Option<Sum>> {
        let mut summer = ByteSummer::default();
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let begun = std::time::Instant::now();
            let read = match file.read(&mut chunk) {
                Ok(0) => return Ok(Some(summer.finish())),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            summer.add(chunk.get(..read).unwrap_or_default());
            if self.is_closed_within(begun.elapsed()) {
                return Ok(None);
            }
        }
    }

    /// Writes one line for each file.
    fn rewrite(&self) {
        let Some(place) = &self.path else { return };
        let mut known = self.known();
        let mut text = Vec::new();
        for (path, (stat, sum)) in &known.sums {
            text.extend(line(path, stat, *sum));
        }
        let new = place.with_extension("new");
        let written = fs::write(&new, &text).and_then(|()| fs::rename(&new, place));
        match written {
            Ok(()) => known.lines = known.sums.len(),
            Err(error) => tracing::warn!(%error, "the sums of media files cannot be kept"),
        }
    }

    // What these guard is whole after every step, so poison means nothing.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The sum of a small file, read at once.
pub fn read_small(file: &mut File) -> io::Result<Sum> {
    let mut bytes = Vec::new();
    file.take(SMALL_BYTES_MAX.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(Sum::of(&bytes))
}

fn append(path: &Path, line: &[u8]) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(line)
}

/// `<sum of the rest> <sum> <inode> <size> <modified> <changed> <path>`. Names of media have no
/// control characters.
fn line(path: &str, stat: &Stat, sum: Sum) -> Vec<u8> {
    let Stat { inode, size, modified_ns, changed_ns } = stat;
    let rest = format!("{sum} {inode} {size} {modified_ns} {changed_ns} {path}");
    format!("{} {rest}\n", Sum::of(rest.as_bytes())).into_bytes()
}

fn parsed(line: &[u8]) -> Option<(String, Stat, Sum)> {
    let (check, rest) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    if check != Sum::of(rest.as_bytes()).to_string() {
        return None;
    }
    let mut parts = rest.splitn(6, ' ');
    let sum = Sum(u64::from_str_radix(parts.next()?, 16).ok()?);
    let stat = Stat {
        inode: parts.next()?.parse().ok()?,
        size: parts.next()?.parse().ok()?,
        modified_ns: parts.next()?.parse().ok()?,
        changed_ns: parts.next()?.parse().ok()?,
    };
    Some((parts.next()?.to_string(), stat, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: Stat = Stat { inode: 1, size: 2, modified_ns: -3, changed_ns: 4 };

    #[test]
    fn sums_outlive_a_restart_for_one_state_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("sums");
        let sums = MediaSums::open(&place, false);
        assert_eq!(sums.get("a b.png", &STAT), None);
        sums.put("a b.png", &STAT, Sum(7));
        sums.put("c.png", &STAT, Sum(8));
        let check = |read_only: bool| {
            let again = MediaSums::open(&place, read_only);
            assert_eq!(again.get("a b.png", &STAT), Some(Sum(7)));
            assert_eq!(again.get("c.png", &STAT), Some(Sum(8)));
            for other in [
                Stat { inode: 2, ..STAT },
                Stat { size: 3, ..STAT },
                Stat { modified_ns: 0, ..STAT },
                Stat { changed_ns: 5, ..STAT },
            ] {
                assert_eq!(again.get("a b.png", &other), None);
            }
            again
        };
        let reader = check(true);
        reader.put("d.png", &STAT, Sum(9));
        assert_eq!(check(true).get("d.png", &STAT), None);
        // What is torn, or was changed, counts for nothing, and more can follow.
        let mut bytes = fs::read(&place).unwrap();
        let changed = bytes.len() - 2;
        bytes[changed] ^= 1;
        bytes.extend(b"1234 56");
        fs::write(&place, &bytes).unwrap();
        let torn = MediaSums::open(&place, false);
        assert_eq!(torn.get("a b.png", &STAT), Some(Sum(7)));
        assert_eq!(torn.get("c.png", &STAT), None);
        torn.put("c.png", &STAT, Sum(8));
        check(false);
    }

    #[test]
    fn files_that_arrive_bring_their_sum() {
        let sums = MediaSums::in_memory();
        sums.arrives(&STAT, Sum(7));
        let moved = Stat { changed_ns: 99, ..STAT };
        assert_eq!(sums.get("a.png", &moved), Some(Sum(7)));
        assert_eq!(sums.get("a.png", &Stat { size: 9, ..moved }), None);
        sums.arrived(&STAT);
        assert_eq!(sums.get("a.png", &moved), None);
    }

    #[test]
    fn what_is_gone_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("sums");
        let sums = MediaSums::open(&place, false);
        for number in 0..STALE_LINES_MIN as u64 + 2 {
            sums.put("a.png", &Stat { inode: number, ..STAT }, Sum(number));
        }
        sums.put("b.png", &STAT, Sum(1));
        sums.retain(|it| it == "b.png");
        assert_eq!(fs::read_to_string(&place).unwrap().lines().count(), 1);
        assert_eq!(MediaSums::open(&place, false).get("b.png", &STAT), Some(Sum(1)));
    }

    #[test]
    fn a_large_file_has_the_sum_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a");
        let bytes: Vec<u8> = (0..CHUNK_BYTES * 2 + 7).map(|it| it as u8).collect();
        fs::write(&place, &bytes).unwrap();
        let sums = MediaSums::in_memory();
        let read = |sums: &MediaSums| sums.read(&mut File::open(&place).unwrap()).unwrap();
        assert_eq!(read(&sums), Some(Sum::of(&bytes)));
        assert_eq!(read_small(&mut File::open(&place).unwrap()).unwrap(), {
            Sum::of(&bytes[..SMALL_BYTES_MAX as usize + 1])
        });
        sums.close();
        assert_eq!(read(&sums), None);
        assert_eq!(sums.wait(None), None);
    }
}
