//! The defects of the data folder, by file, with the time since when they are known.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::MutexGuard;

use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::stdx::time::Timestamp;

/// A defect and since when it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The defect.
    pub problem: Problem,
    /// When it was first seen.
    pub since: Timestamp,
}

/// All defects that are known. Shared; every call is short.
#[derive(Debug, Default)]
pub struct Problems(Mutex<BTreeMap<String, Vec<Known>>>);

impl Problems {
    /// Says all that is wrong with a file; nothing, when it is well.
    pub fn set(&self, path: &str, problems: Vec<Problem>, now: Timestamp) {
        let mut book = self.lock();
        if problems.is_empty() {
            book.remove(path);
            return;
        }
        let before = book.remove(path).unwrap_or_default();
        let since = |problem: &Problem| {
            let same = before.iter().find(|it| it.problem.kind == problem.kind);
            same.map_or(now, |it| it.since)
        };
        let known =
            problems.into_iter().map(|it| Known { since: since(&it), problem: it }).collect();
        book.insert(path.to_string(), known);
    }

    /// Says all that is wrong with many files at once, each problem carrying its path.
    pub fn set_all(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut by_path: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
        for problem in problems {
            by_path.entry(problem.path.clone()).or_default().push(problem);
        }
        for (path, problems) in by_path {
            self.set(&path, problems, now);
        }
    }

    /// All of them, by path.
    pub fn list(&self) -> Vec<Known> {
        self.lock().values().flatten().cloned().collect()
    }

    /// How many there are of each kind.
    pub fn count_by_kind(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for known in self.lock().values().flatten() {
            *counts.entry(known.problem.kind.as_str()).or_default() += 1;
        }
        counts
    }

    /// Whether the file has a defect that keeps it from being served as it is.
    pub fn blocks(&self, path: &str) -> bool {
        let blocking = |it: &Known| ProblemKind::blocks_loading(it.problem.kind);
        self.lock().get(path).is_some_and(|it| it.iter().any(blocking))
    }

    // The map is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Known>>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
