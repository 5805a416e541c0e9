//! Paths that could not be checked for a transient reason (too many open files, or a failing disk),
//! and the schedule of retries. The reason says nothing about the files.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::model::problem::Problem;
use crate::store::layout::Folder;

/// The first delay of a retry; it doubles each time.
const RETRY_MIN: Duration = Duration::from_millis(250);
/// The maximum delay of a retry.
const RETRY_MAX: Duration = Duration::from_secs(60);

/// Paths that could not be checked for a transient reason. Their indexed state is kept.
#[derive(Debug, Default)]
pub(super) struct UnseenPlaces {
    /// The problems by path, with the folder to list again.
    pub(super) places: BTreeMap<String, (Folder, Problem)>,
    /// The time of the next retry, and the current delay.
    pub(super) retry: Option<(Instant, Duration)>,
}

impl UnseenPlaces {
    /// Returns true if a retry is due.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.retry.is_some_and(|(at, _)| at <= now)
    }

    /// Returns true if a folder could not be listed, so that the folders below it are unknown as
    /// well.
    pub(super) fn has_folder(&self) -> bool {
        self.places.iter().any(|(path, (folder, _))| *path == folder.path())
    }

    /// Removes and returns the folders to list again. Those that fail again are added again.
    pub(super) fn take_folders(&mut self) -> Vec<Folder> {
        let places = std::mem::take(&mut self.places).into_values();
        let folders = places.map(|(folder, _)| (folder.path(), folder));
        folders.collect::<BTreeMap<String, Folder>>().into_values().collect()
    }

    /// Schedules the next retry after a sweep.
    pub(super) fn plan_retry(&mut self, now: Instant) {
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
