//! The sketches of pictures, stored below `.recto/`, so that no start decodes pictures again.
//!
//! A sketch is valid for the bytes with one checksum. Each line of the file has its own check
//! value: lines are only appended, nothing is synced, and lost ones are computed again.

use std::collections::HashMap;
use std::fs;
use std::fs::OpenOptions;
use std::io;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::model::media::PictureSketch;
use crate::model::media::SharedSketch;
use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;

/// The version of the lines: sketches that were computed in another way are computed again.
const VERSION: &str = "2";

/// Stands for a picture that has no sketch because it cannot be decoded.
const NONE: &str = "-";

/// Stands for a picture that moves.
const MOVING: &str = "moving";

/// Stands for a picture that does not move.
const STILL: &str = "still";

/// The number of stale lines that is tolerated before the file is rewritten.
const STALE_LINES_MIN: usize = 1_000;

/// The maximum number of pictures that are being moved to their place at the same time.
const ARRIVALS_MAX: usize = 1_000;

/// The known sketches of pictures.
pub struct MediaSketches {
    known: Mutex<KnownSketches>,
    /// The path of the file; `None` if nothing may be written.
    path: Option<PathBuf>,
}

#[derive(Default)]
struct KnownSketches {
    sketches: HashMap<String, (Checksum, SharedSketch)>,
    /// The pictures that are about to be moved to their place.
    arrivals: Vec<(Checksum, SharedSketch)>,
    lines: usize,
}

impl MediaSketches {
    /// Reads the file at `path`, and appends to it unless `read_only` is set.
    pub fn open(path: &Path, read_only: bool) -> MediaSketches {
        let text = fs::read(path).unwrap_or_default();
        let mut known = KnownSketches::default();
        for line in text.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
            known.lines += 1;
            if let Some((path, sum, sketch)) = parse_line(line) {
                known.sketches.insert(path, (sum, sketch));
            }
        }
        let torn = text.last().is_some_and(|it| *it != b'\n');
        let path = (!read_only).then(|| path.to_path_buf());
        let sketches = MediaSketches { known: Mutex::new(known), path };
        sketches.rewrite_if(|known| torn || is_stale(known));
        sketches
    }

    /// Creates a cache that is only kept in memory.
    pub fn in_memory() -> MediaSketches {
        MediaSketches { known: Mutex::default(), path: None }
    }

    /// Returns the sketch of the file at `path` with these bytes: `Some(None)` if it can have none,
    /// and `None` if that is not known.
    pub fn get(&self, path: &str, sum: Checksum) -> Option<SharedSketch> {
        let known = self.known.lock();
        let of_path = known.sketches.get(path).filter(|it| it.0 == sum).map(|it| it.1.clone());
        of_path.or_else(|| known.arrivals.iter().find(|it| it.0 == sum).map(|it| it.1.clone()))
    }

    /// Announces the sketch of an upload that is about to be moved to its place, until it is
    /// [removed](MediaSketches::forget_arrival).
    pub fn announce_arrival(&self, sum: Checksum, sketch: SharedSketch) {
        let mut known = self.known.lock();
        if known.arrivals.len() < ARRIVALS_MAX {
            known.arrivals.push((sum, sketch));
        }
    }

    /// Removes the announcement of a file that is in place or will not be moved.
    pub fn forget_arrival(&self, sum: Checksum) {
        let mut known = self.known.lock();
        if let Some(at) = known.arrivals.iter().position(|it| it.0 == sum) {
            known.arrivals.swap_remove(at);
        }
    }

    /// Stores the sketch of a file with these bytes.
    pub fn record_sketch(&self, path: &str, sum: Checksum, sketch: SharedSketch) {
        let mut known = self.known.lock();
        let line = render_line(path, sum, &sketch);
        if known.sketches.insert(path.to_string(), (sum, sketch.clone())) == Some((sum, sketch)) {
            return;
        }
        known.lines += 1;
        if let Some(place) = &self.path
            && let Err(error) = append_line(place, &line)
        {
            tracing::warn!(%error, "cannot store the sketch of a picture");
        }
        drop(known);
        self.rewrite_if(is_stale);
    }

    /// Removes the files for which `is_there` returns false.
    pub fn retain(&self, is_there: impl Fn(&str) -> bool) {
        self.known.lock().sketches.retain(|path, _| is_there(path));
        self.rewrite_if(is_stale);
    }

    /// Rewrites the file with one line per picture, if it is due.
    fn rewrite_if(&self, is_due: impl FnOnce(&KnownSketches) -> bool) {
        let Some(place) = &self.path else { return };
        let mut known = self.known.lock();
        if !is_due(&known) {
            return;
        }
        let mut text = Vec::new();
        for (path, (sum, sketch)) in &known.sketches {
            text.extend(render_line(path, *sum, sketch));
        }
        let new = place.with_extension("new");
        match fs::write(&new, &text).and_then(|()| fs::rename(&new, place)) {
            Ok(()) => known.lines = known.sketches.len(),
            Err(error) => tracing::warn!(%error, "cannot store the sketches of pictures"),
        }
    }
}

/// Returns true if most lines are stale.
fn is_stale(known: &KnownSketches) -> bool {
    known.lines > known.sketches.len().saturating_mul(2) + STALE_LINES_MIN
}

fn append_line(path: &Path, line: &[u8]) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(line)
}

/// Formats a line: `<checksum of the rest> <version> <checksum> <color> <placeholder> <motion>
/// <path>`. The names of media files contain no control characters.
fn render_line(path: &str, sum: Checksum, sketch: &SharedSketch) -> Vec<u8> {
    let (color, placeholder, motion) = match sketch {
        Some(it) => (&*it.color, &*it.placeholder, if it.is_animated { MOVING } else { STILL }),
        None => (NONE, NONE, NONE),
    };
    let rest = format!("{VERSION} {sum} {color} {placeholder} {motion} {path}");
    format!("{} {rest}\n", Checksum::of_bytes(rest.as_bytes())).into_bytes()
}

fn parse_line(line: &[u8]) -> Option<(String, Checksum, SharedSketch)> {
    let (check, rest) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    if check != Checksum::of_bytes(rest.as_bytes()).to_string() {
        return None;
    }
    let mut parts = rest.splitn(6, ' ');
    parts.next().filter(|it| *it == VERSION)?;
    let sum = Checksum(u64::from_str_radix(parts.next()?, 16).ok()?);
    let (color, placeholder, motion) = (parts.next()?, parts.next()?, parts.next()?);
    let sketch = (color != NONE).then(|| {
        let is_animated = motion == MOVING;
        Arc::new(PictureSketch {
            placeholder: placeholder.into(),
            color: color.into(),
            is_animated,
        })
    });
    Some((parts.next()?.to_string(), sum, sketch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sketches_outlive_a_restart_for_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("sketches");
        let of_motion = |is_animated: bool| {
            let (placeholder, color) = ("AA==".into(), "#123456".into());
            Some(Arc::new(PictureSketch { placeholder, color, is_animated }))
        };
        let (sketch, moving) = (|| of_motion(false), || of_motion(true));
        let sketches = MediaSketches::open(&place, false);
        assert_eq!(sketches.get("a b.png", Checksum(7)), None);
        sketches.record_sketch("a b.png", Checksum(7), sketch());
        sketches.record_sketch("b.gif", Checksum(9), moving());
        sketches.record_sketch("c.png", Checksum(8), None);
        let check = |sketches: &MediaSketches| {
            assert_eq!(sketches.get("a b.png", Checksum(7)), Some(sketch()));
            assert_eq!(sketches.get("a b.png", Checksum(8)), None);
            assert_eq!(sketches.get("b.gif", Checksum(9)), Some(moving()));
            assert_eq!(sketches.get("c.png", Checksum(8)), Some(None));
        };
        check(&sketches);
        check(&MediaSketches::open(&place, true));
        // A torn line costs one sketch.
        let mut bytes = fs::read(&place).unwrap();
        bytes.truncate(bytes.len() - 3);
        fs::write(&place, &bytes).unwrap();
        let again = MediaSketches::open(&place, false);
        assert_eq!(again.get("c.png", Checksum(8)), None);
        assert_eq!(again.get("a b.png", Checksum(7)), Some(sketch()));
        again.retain(|it| it == "c.png");
        assert_eq!(again.get("a b.png", Checksum(7)), None);
    }

    #[test]
    fn old_lines_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("sketches");
        let sketches = MediaSketches::open(&place, false);
        for sum in 0..=STALE_LINES_MIN as u64 + 2 {
            sketches.record_sketch("a.png", Checksum(sum), None);
        }
        assert_eq!(fs::read_to_string(&place).unwrap().lines().count(), 1);
    }
}
