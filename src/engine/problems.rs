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
pub struct Problems(Mutex<Book>);

/// By path. A file may have a bad name and bad content at once, and these are found separately.
#[derive(Debug, Default)]
struct Book {
    /// What is wrong inside files.
    inside: BTreeMap<String, Vec<Known>>,
    /// What is wrong with names and with things that stand where files should.
    names: BTreeMap<String, Vec<Known>>,
    /// What is wrong between files that are each well.
    between: Vec<Known>,
}

impl Book {
    fn all(&self) -> Vec<&Known> {
        let mut all: Vec<&Known> = self
            .inside
            .values()
            .chain(self.names.values())
            .flatten()
            .chain(&self.between)
            .collect();
        all.sort_by(|one, other| one.problem.path.cmp(&other.problem.path));
        all
    }
}

/// The problems of one file as they are now: those that were known stay known since then.
fn known(before: &[Known], problems: Vec<Problem>, now: Timestamp) -> Vec<Known> {
    let since = |problem: &Problem| {
        let same = before.iter().find(|it| it.problem.kind == problem.kind);
        same.map_or(now, |it| it.since)
    };
    problems.into_iter().map(|it| Known { since: since(&it), problem: it }).collect()
}

fn by_path(problems: Vec<Problem>) -> BTreeMap<String, Vec<Problem>> {
    let mut by_path: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
    for problem in problems {
        by_path.entry(problem.path.clone()).or_default().push(problem);
    }
    by_path
}

impl Problems {
    /// Says all that is wrong inside a file; nothing, when it is well.
    pub fn set(&self, path: &str, problems: Vec<Problem>, now: Timestamp) {
        let mut book = self.lock();
        let before = book.inside.remove(path).unwrap_or_default();
        if !problems.is_empty() {
            book.inside.insert(path.to_string(), known(&before, problems, now));
        }
    }

    /// Says all that is wrong inside many files at once, each problem carrying its path.
    pub fn set_all(&self, problems: Vec<Problem>, now: Timestamp) {
        for (path, problems) in by_path(problems) {
            self.set(&path, problems, now);
        }
    }

    /// Says all that is wrong with names: whatever is not told again is well.
    pub fn set_names(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut book = self.lock();
        let before = std::mem::take(&mut book.names);
        let told = |(path, problems): (String, Vec<Problem>)| {
            let before = before.get(&path).map(Vec::as_slice).unwrap_or_default();
            let known = known(before, problems, now);
            (path, known)
        };
        book.names = by_path(problems).into_iter().map(told).collect();
    }

    /// Says all that is wrong between files: whatever is not told again is well.
    pub fn set_between(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut book = self.lock();
        let before = std::mem::take(&mut book.between);
        book.between = known(&before, problems, now);
    }

    /// All of them, by path.
    pub fn list(&self) -> Vec<Known> {
        self.lock().all().into_iter().cloned().collect()
    }

    /// Those inside of one file.
    pub fn of(&self, path: &str) -> Vec<Problem> {
        let book = self.lock();
        let known = book.inside.get(path).map(Vec::as_slice).unwrap_or_default();
        known.iter().map(|it| it.problem.clone()).collect()
    }

    /// How many there are of each kind.
    pub fn count_by_kind(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for known in self.lock().all() {
            *counts.entry(known.problem.kind.as_str()).or_default() += 1;
        }
        counts
    }

    /// Whether the file has a defect that keeps it from being served as it is.
    pub fn blocks(&self, path: &str) -> bool {
        let blocking = |it: &Known| ProblemKind::blocks_loading(it.problem.kind);
        let book = self.lock();
        [&book.inside, &book.names]
            .iter()
            .filter_map(|it| it.get(path))
            .any(|it| it.iter().any(blocking))
    }

    // The book is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
