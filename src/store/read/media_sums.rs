//! The checksums of media files, stored below `.recto/`, so that large files are read once and not
//! at every start.
//!
//! A checksum is valid for one state of a file: its inode, size and times. Each line of the file
//! has its own check value: lines are only appended, nothing is synced, and lost or torn lines are
//! computed from the media files again.

use std::collections::HashMap;
use std::fs;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Read as _;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::stdx::checksum::ByteChecksum;
use crate::stdx::checksum::Checksum;
use crate::stdx::sync::{Condvar, Mutex};
use crate::store::disk::Stat;

/// The maximum size of files whose checksum is computed immediately.
pub const SMALL_BYTES_MAX: u64 = 64 * 1024;

/// The size of a read.
const CHUNK_BYTES: usize = 256 * 1024;

/// The number of stale lines that is tolerated before the file is rewritten.
const STALE_LINES_MIN: usize = 1_000;

/// The maximum number of files that are being moved to their place at the same time.
const ARRIVALS_MAX: usize = 1_000;

/// The known checksums of media files.
pub struct MediaSums {
    known: Mutex<KnownSums>,
    /// The path of the file; `None` if nothing may be written.
    path: Option<PathBuf>,
    wanted: Mutex<SumRequest>,
    changed: Condvar,
}

#[derive(Default)]
struct KnownSums {
    sums: HashMap<String, (Stat, Checksum)>,
    /// Files that are about to be moved to their place, which changes their change time.
    arrivals: Vec<(ArrivalStamp, Checksum)>,
    lines: usize,
}

/// The part of a stat that does not change in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ArrivalStamp {
    inode: u64,
    size: u64,
    modified_ns: i64,
}

#[derive(Default)]
struct SumRequest {
    is_due: bool,
    is_closed: bool,
}

impl KnownSums {
    /// Returns true if most lines are stale.
    fn is_stale(&self) -> bool {
        self.lines > self.sums.len().saturating_mul(2) + STALE_LINES_MIN
    }
}

impl From<&Stat> for ArrivalStamp {
    fn from(stat: &Stat) -> ArrivalStamp {
        ArrivalStamp { inode: stat.inode, size: stat.size, modified_ns: stat.modified_ns }
    }
}

impl MediaSums {
    /// Reads the file at `path`, and appends to it unless `read_only` is set.
    pub fn open(path: &Path, read_only: bool) -> MediaSums {
        let text = fs::read(path).unwrap_or_default();
        let mut known = KnownSums::default();
        for line in text.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
            known.lines += 1;
            if let Some((path, stat, sum)) = parse_line(line) {
                known.sums.insert(path, (stat, sum));
            }
        }
        let torn = text.last().is_some_and(|it| *it != b'\n');
        let is_stale = torn || known.is_stale();
        let sums = MediaSums::new(known, (!read_only).then(|| path.to_path_buf()));
        if is_stale {
            sums.rewrite_file();
        }
        sums
    }

    /// Creates a cache that is only kept in memory.
    pub fn in_memory() -> MediaSums {
        MediaSums::new(KnownSums::default(), None)
    }

    fn new(known: KnownSums, path: Option<PathBuf>) -> MediaSums {
        let (wanted, changed) = (Mutex::default(), Condvar::new());
        MediaSums { known: Mutex::new(known), path, wanted, changed }
    }

    /// Returns the checksum of the file at `path` if it is known for this state.
    pub fn get(&self, path: &str, stat: &Stat) -> Option<Checksum> {
        let known = self.known.lock();
        let of_path = known.sums.get(path).filter(|it| it.0 == *stat).map(|it| it.1);
        of_path.or_else(|| {
            let arrival = ArrivalStamp::from(stat);
            known.arrivals.iter().find(|it| it.0 == arrival).map(|it| it.1)
        })
    }

    /// Stores the checksum of a state of a file.
    pub fn record_sum(&self, path: &str, stat: &Stat, sum: Checksum) {
        let mut known = self.known.lock();
        if known.sums.get(path) == Some(&(*stat, sum)) {
            return;
        }
        known.sums.insert(path.to_string(), (*stat, sum));
        known.lines += 1;
        if let Some(place) = &self.path
            && let Err(error) = append_line(place, &render_line(path, stat, sum))
        {
            tracing::warn!(%error, "cannot store the checksum of a media file");
        }
        let is_stale = known.is_stale();
        drop(known);
        if is_stale {
            self.rewrite_file();
        }
    }

    /// Removes a deleted file.
    pub fn forget_file(&self, path: &str) {
        self.known.lock().sums.remove(path);
    }

    /// Announces the checksum of an upload that is about to be moved to its place, until it is
    /// [removed](MediaSums::forget_arrival).
    pub fn announce_arrival(&self, stat: &Stat, sum: Checksum) {
        let mut known = self.known.lock();
        if known.arrivals.len() < ARRIVALS_MAX {
            known.arrivals.push((stat.into(), sum));
        }
    }

    /// Removes the announcement of a file that is in place or will not be moved.
    pub fn forget_arrival(&self, stat: &Stat) {
        let arrival = ArrivalStamp::from(stat);
        let mut known = self.known.lock();
        if let Some(at) = known.arrivals.iter().position(|it| it.0 == arrival) {
            known.arrivals.swap_remove(at);
        }
    }

    /// Removes the files for which `is_there` returns false.
    pub fn retain(&self, is_there: impl Fn(&str) -> bool) {
        let mut known = self.known.lock();
        known.sums.retain(|path, _| is_there(path));
        let is_stale = known.is_stale();
        drop(known);
        if is_stale {
            self.rewrite_file();
        }
    }

    /// Requests the computation of unknown checksums.
    pub fn request_sums(&self) {
        self.wanted.lock().is_due = true;
        self.changed.notify_all();
    }

    /// Waits for a request, at most for `timeout`. Returns true if there was one, and `None` after
    /// [`close`](MediaSums::close).
    pub fn wait_for_request(&self, timeout: Option<Duration>) -> Option<bool> {
        let mut wanted = self.wanted.lock();
        while !wanted.is_due && !wanted.is_closed {
            match timeout {
                None => {
                    wanted = self.changed.wait(wanted);
                }
                Some(timeout) => {
                    wanted = self.changed.wait_timeout(wanted, timeout);
                    break;
                }
            }
        }
        let was_due = std::mem::take(&mut wanted.is_due);
        (!wanted.is_closed).then_some(was_due)
    }

    /// Ends all waits and computations.
    pub fn close(&self) {
        self.wanted.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Returns true if computations should end.
    pub fn is_closed(&self) -> bool {
        self.wanted.lock().is_closed
    }

    /// Waits for the given time, and returns true if computations should end.
    fn is_closed_within(&self, time: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.wanted.lock(), time, |it| !it.is_closed);
        waited.is_closed
    }

    /// Computes the checksum of a file at half the speed, to leave the disk to others. Returns
    /// `None` if computations should end.
    pub fn sum_slowly(&self, file: &mut File) -> io::Result<Option<Checksum>> {
        let mut summer = ByteChecksum::default();
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

    /// Rewrites the file with one line per media file.
    fn rewrite_file(&self) {
        let Some(place) = &self.path else { return };
        let mut known = self.known.lock();
        let mut text = Vec::new();
        for (path, (stat, sum)) in &known.sums {
            text.extend(render_line(path, stat, *sum));
        }
        let new = place.with_extension("new");
        let written = fs::write(&new, &text).and_then(|()| fs::rename(&new, place));
        match written {
            Ok(()) => known.lines = known.sums.len(),
            Err(error) => tracing::warn!(%error, "cannot store the checksums of media files"),
        }
    }
}

/// Computes the checksum of a small file with a single read.
pub fn sum_small(file: &mut File) -> io::Result<Checksum> {
    let mut bytes = Vec::new();
    file.take(SMALL_BYTES_MAX.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(Checksum::of_bytes(&bytes))
}

fn append_line(path: &Path, line: &[u8]) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(line)
}

/// Formats a line: `<checksum of the rest> <checksum> <inode> <size> <modified> <changed> <path>`.
/// The names of media files contain no control characters.
fn render_line(path: &str, stat: &Stat, sum: Checksum) -> Vec<u8> {
    let Stat { inode, size, modified_ns, changed_ns } = stat;
    let rest = format!("{sum} {inode} {size} {modified_ns} {changed_ns} {path}");
    format!("{} {rest}\n", Checksum::of_bytes(rest.as_bytes())).into_bytes()
}

fn parse_line(line: &[u8]) -> Option<(String, Stat, Checksum)> {
    let (check, rest) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    if check != Checksum::of_bytes(rest.as_bytes()).to_string() {
        return None;
    }
    let mut parts = rest.splitn(6, ' ');
    let sum = Checksum(u64::from_str_radix(parts.next()?, 16).ok()?);
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
        sums.record_sum("a b.png", &STAT, Checksum(7));
        sums.record_sum("c.png", &STAT, Checksum(8));
        let check = |read_only: bool| {
            let again = MediaSums::open(&place, read_only);
            assert_eq!(again.get("a b.png", &STAT), Some(Checksum(7)));
            assert_eq!(again.get("c.png", &STAT), Some(Checksum(8)));
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
        reader.record_sum("d.png", &STAT, Checksum(9));
        assert_eq!(check(true).get("d.png", &STAT), None);
        // Torn and modified lines are ignored, and new ones can follow.
        let mut bytes = fs::read(&place).unwrap();
        let changed = bytes.len() - 2;
        bytes[changed] ^= 1;
        bytes.extend(b"1234 56");
        fs::write(&place, &bytes).unwrap();
        let torn = MediaSums::open(&place, false);
        assert_eq!(torn.get("a b.png", &STAT), Some(Checksum(7)));
        assert_eq!(torn.get("c.png", &STAT), None);
        torn.record_sum("c.png", &STAT, Checksum(8));
        check(false);
    }

    #[test]
    fn files_that_arrive_bring_their_sum() {
        let sums = MediaSums::in_memory();
        sums.announce_arrival(&STAT, Checksum(7));
        let moved = Stat { changed_ns: 99, ..STAT };
        assert_eq!(sums.get("a.png", &moved), Some(Checksum(7)));
        assert_eq!(sums.get("a.png", &Stat { size: 9, ..moved }), None);
        sums.forget_arrival(&STAT);
        assert_eq!(sums.get("a.png", &moved), None);
    }

    #[test]
    fn what_is_gone_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("sums");
        let sums = MediaSums::open(&place, false);
        for number in 0..STALE_LINES_MIN as u64 + 2 {
            sums.record_sum("a.png", &Stat { inode: number, ..STAT }, Checksum(number));
        }
        sums.record_sum("b.png", &STAT, Checksum(1));
        sums.retain(|it| it == "b.png");
        assert_eq!(fs::read_to_string(&place).unwrap().lines().count(), 1);
        assert_eq!(MediaSums::open(&place, false).get("b.png", &STAT), Some(Checksum(1)));
    }

    #[test]
    fn files_that_come_and_go_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("sums");
        let sums = MediaSums::open(&place, false);
        sums.record_sum("kept.png", &STAT, Checksum(1));
        for number in 0..3 * STALE_LINES_MIN {
            let path = format!("{number}.png");
            sums.record_sum(&path, &STAT, Checksum(2));
            sums.forget_file(&path);
        }
        assert_eq!(sums.known.lock().sums.len(), 1);
        let n_lines = fs::read_to_string(&place).unwrap().lines().count();
        assert!(n_lines <= STALE_LINES_MIN + 3, "{n_lines}");
        assert_eq!(MediaSums::open(&place, false).get("kept.png", &STAT), Some(Checksum(1)));
    }

    #[test]
    fn a_large_file_has_the_sum_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a");
        let bytes: Vec<u8> = (0..CHUNK_BYTES * 2 + 7).map(|it| it as u8).collect();
        fs::write(&place, &bytes).unwrap();
        let sums = MediaSums::in_memory();
        let read = |sums: &MediaSums| sums.sum_slowly(&mut File::open(&place).unwrap()).unwrap();
        assert_eq!(read(&sums), Some(Checksum::of_bytes(&bytes)));
        assert_eq!(sum_small(&mut File::open(&place).unwrap()).unwrap(), {
            Checksum::of_bytes(&bytes[..SMALL_BYTES_MAX as usize + 1])
        });
        sums.close();
        assert_eq!(read(&sums), None);
        assert_eq!(sums.wait_for_request(None), None);
    }
}
