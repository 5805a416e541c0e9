//! What could not be looked at, and when that is tried again: too many files are open, or a disk
//! fails for a moment. That says nothing about the files.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::model::problem::Problem;
use crate::store::layout::Folder;

/// How soon what could not be looked at is tried again; each time after twice as long.
const RETRY_MIN: Duration = Duration::from_millis(250);
/// The longest of these waits.
const RETRY_MAX: Duration = Duration::from_secs(60);

/// What could not be looked at, for a reason that may pass. What is known of it stays as it is.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    /// By path, with the folder to list again.
    pub(super) places: BTreeMap<String, (Folder, Problem)>,
    /// When to try again, and after what pause.
    pub(super) retry: Option<(Instant, Duration)>,
}

impl Unseen {
    /// Whether it is time to try again.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.retry.is_some_and(|(at, _)| at <= now)
    }

    /// Whether a folder could not be listed, so that nothing is known of those below it either.
    pub(super) fn has_folder(&self) -> bool {
        self.places.iter().any(|(path, (folder, _))| *path == folder.path())
    }

    /// The folders to list again. Those that fail once more are added once more.
    pub(super) fn take(&mut self) -> Vec<Folder> {
        let places = std::mem::take(&mut self.places).into_values();
        let folders = places.map(|(folder, _)| (folder.path(), folder));
        folders.collect::<BTreeMap<String, Folder>>().into_values().collect()
    }

    /// Says when to try again, after a step that tried what was due.
    pub(super) fn plan(&mut self, now: Instant) {
        self.retry = match self.retry {
            _ if self.places.is_empty() => None,
            Some((at, _)) if at > now => self.retry,
            Some((_, pause)) => {
                let pause = pause.saturating_mul(2).min(RETRY_MAX);
                Some((now + pause, pause))
            }
            None => Some((now + RETRY_MIN, RETRY_MIN)),
        };
    }
}
