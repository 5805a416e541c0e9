//! The problems of the data folder, by file, with the time since when they are known.

use std::collections::BTreeMap;
use std::fmt;

use crate::model::problem::Problem;
use crate::stdx::sync::Mutex;
use crate::stdx::sync::RwLock;
use crate::stdx::time::Timestamp;

/// A defect and since when it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownProblem {
    /// The defect.
    pub problem: Problem,
    /// The time at which it was first seen.
    pub since: Timestamp,
}

/// A listener to defects that are found, or solved.
type ProblemListener = Box<dyn Fn(ProblemTransition, &KnownProblem) + Send + Sync>;

/// The turn that a defect took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemTransition {
    /// It is new.
    Found,
    /// It is there no longer.
    Solved,
}

/// All defects that are known. Shared; every call is short.
#[derive(Default)]
pub struct ProblemRegistry {
    book: Mutex<RegistryState>,
    listeners: RwLock<Vec<ProblemListener>>,
}

impl fmt::Debug for ProblemRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.book.lock().fmt(f)
    }
}

/// By path. A file may have a bad name and bad content at once, and these are found separately.
#[derive(Debug, Default)]
struct RegistryState {
    /// The defects inside files.
    inside: BTreeMap<String, Vec<KnownProblem>>,
    /// The defects of names and of things that stand where files should.
    names: BTreeMap<String, Vec<KnownProblem>>,
    /// The defects between files that are each well.
    between: Vec<KnownProblem>,
}

impl RegistryState {
    /// Sets the problems inside a file, and adds those that were found and solved to `turned`.
    fn replace_file(
        &mut self,
        path: &str,
        problems: Vec<Problem>,
        now: Timestamp,
        turned: &mut Vec<(ProblemTransition, KnownProblem)>,
    ) {
        let before = self.inside.remove(path).unwrap_or_default();
        let after = keep_known_since(&before, problems, now);
        diff_problems(&before, &after, turned);
        if !after.is_empty() {
            self.inside.insert(path.to_string(), after);
        }
    }

    fn iter(&self) -> impl Iterator<Item = &KnownProblem> {
        self.inside.values().chain(self.names.values()).flatten().chain(&self.between)
    }

    fn sorted_by_path(&self) -> Vec<&KnownProblem> {
        let mut all: Vec<&KnownProblem> = self.iter().collect();
        all.sort_by(|one, other| one.problem.path.cmp(&other.problem.path));
        all
    }
}

/// The problems of one file as they are now: those that were known stay known since then.
fn keep_known_since(
    before: &[KnownProblem],
    problems: Vec<Problem>,
    now: Timestamp,
) -> Vec<KnownProblem> {
    let since = |problem: &Problem| {
        let same = before.iter().find(|it| is_same(&it.problem, problem));
        same.map_or(now, |it| it.since)
    };
    problems.into_iter().map(|it| KnownProblem { since: since(&it), problem: it }).collect()
}

/// Returns true if both are the same defect, though it may be in another line by now.
fn is_same(one: &Problem, other: &Problem) -> bool {
    one.kind == other.kind && one.field == other.field
}

/// Adds the defects that were found and solved between two looks at a file.
fn diff_problems(
    before: &[KnownProblem],
    after: &[KnownProblem],
    out: &mut Vec<(ProblemTransition, KnownProblem)>,
) {
    let missing = |from: &[KnownProblem], it: &KnownProblem| {
        !from.iter().any(|x| is_same(&x.problem, &it.problem))
    };
    out.extend(
        before
            .iter()
            .filter(|it| missing(after, it))
            .map(|it| (ProblemTransition::Solved, it.clone())),
    );
    out.extend(
        after
            .iter()
            .filter(|it| missing(before, it))
            .map(|it| (ProblemTransition::Found, it.clone())),
    );
}

/// Of so many problems that come or go at once each has a line in the log; the others are counted.
const LOGGED_AT_ONCE_MAX: usize = 50;

fn log_transitions(turned: &[(ProblemTransition, KnownProblem)]) {
    for (turn, KnownProblem { problem, .. }) in turned.iter().take(LOGGED_AT_ONCE_MAX) {
        let Problem { path, kind, message, line, column, .. } = problem;
        match turn {
            ProblemTransition::Found => {
                tracing::warn!(%kind, path, line, column, "a problem: {message}")
            }
            ProblemTransition::Solved => tracing::info!(%kind, path, "a problem is solved"),
        }
    }
    let more = turned.len().saturating_sub(LOGGED_AT_ONCE_MAX);
    if more > 0 {
        tracing::warn!(more, "more problems came or went; `recto check` lists them");
    }
}

fn group_by_path(problems: Vec<Problem>) -> BTreeMap<String, Vec<Problem>> {
    let mut by_path: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
    for problem in problems {
        by_path.entry(problem.path.clone()).or_default().push(problem);
    }
    by_path
}

impl ProblemRegistry {
    /// Sets the problems inside a file; none if it is well.
    pub fn set_file(&self, path: &str, problems: Vec<Problem>, now: Timestamp) {
        let mut turned = Vec::new();
        self.book.lock().replace_file(path, problems, now, &mut turned);
        self.notify_listeners(&turned);
    }

    /// Has everything that is found or solved from now on passed on.
    pub fn add_listener(
        &self,
        listener: impl Fn(ProblemTransition, &KnownProblem) + Send + Sync + 'static,
    ) {
        let mut listeners = self.listeners.write();
        listeners.push(Box::new(listener));
    }

    fn notify_listeners(&self, turned: &[(ProblemTransition, KnownProblem)]) {
        if turned.is_empty() {
            return;
        }
        log_transitions(turned);
        let listeners = self.listeners.read();
        for (turn, known) in turned {
            listeners.iter().for_each(|it| it(*turn, known));
        }
    }

    /// Sets the problems inside many files at once, each problem with its path.
    pub fn set_files(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut turned = Vec::new();
        for (path, problems) in group_by_path(problems) {
            self.book.lock().replace_file(&path, problems, now, &mut turned);
        }
        self.notify_listeners(&turned);
    }

    /// Sets the problems inside all files that match `concerns`: those without a problem are well.
    pub fn set_matching(
        &self,
        concerns: impl Fn(&str) -> bool,
        problems: Vec<Problem>,
        now: Timestamp,
    ) {
        let mut problems = group_by_path(problems);
        let mut turned = Vec::new();
        {
            let mut book = self.book.lock();
            let known = book.inside.keys().filter(|it| concerns(it));
            let well: Vec<String> =
                known.filter(|it| !problems.contains_key(*it)).cloned().collect();
            problems.extend(well.into_iter().map(|it| (it, Vec::new())));
            for (path, problems) in problems {
                book.replace_file(&path, problems, now, &mut turned);
            }
        }
        self.notify_listeners(&turned);
    }

    /// Sets the problems of names: names without a problem are well.
    pub fn set_names(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut turned = Vec::new();
        {
            let mut book = self.book.lock();
            let mut before = std::mem::take(&mut book.names);
            for (path, problems) in group_by_path(problems) {
                let before = before.remove(&path).unwrap_or_default();
                let after = keep_known_since(&before, problems, now);
                diff_problems(&before, &after, &mut turned);
                book.names.insert(path, after);
            }
            // Those that are left are well.
            before.values().for_each(|before| diff_problems(before, &[], &mut turned));
        }
        self.notify_listeners(&turned);
    }

    /// Sets the problems between files, and drops all others of this kind.
    pub fn set_between(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut turned = Vec::new();
        {
            let mut book = self.book.lock();
            let before = std::mem::take(&mut book.between);
            book.between = keep_known_since(&before, problems, now);
            diff_problems(&before, &book.between, &mut turned);
        }
        self.notify_listeners(&turned);
    }

    /// All of them, by path.
    pub fn list(&self) -> Vec<KnownProblem> {
        self.book.lock().sorted_by_path().into_iter().cloned().collect()
    }

    /// The first of them, by path.
    pub fn first_by_path(&self, count: usize) -> Vec<KnownProblem> {
        self.book.lock().sorted_by_path().into_iter().take(count).cloned().collect()
    }

    /// Those inside of one file.
    pub fn problems_in(&self, path: &str) -> Vec<Problem> {
        let book = self.book.lock();
        let known = book.inside.get(path).map(Vec::as_slice).unwrap_or_default();
        known.iter().map(|it| it.problem.clone()).collect()
    }

    /// Counts them by kind.
    pub fn count_by_kind(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for known in self.book.lock().iter() {
            *counts.entry(known.problem.kind.as_str()).or_default() += 1;
        }
        counts
    }

    /// The paths of the files whose content keeps them from being served as they are.
    pub fn list_blocked(&self) -> Vec<String> {
        let book = self.book.lock();
        let blocked = book.inside.iter().filter(|(_, known)| known.iter().any(blocks_loading));
        blocked.map(|(path, _)| path.clone()).collect()
    }

    /// Returns true if the file has a defect that keeps it from being served as it is.
    pub fn is_blocked(&self, path: &str) -> bool {
        let book = self.book.lock();
        [&book.inside, &book.names]
            .iter()
            .filter_map(|it| it.get(path))
            .any(|it| it.iter().any(blocks_loading))
    }
}

fn blocks_loading(known: &KnownProblem) -> bool {
    known.problem.kind.blocks_loading()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::problem::ProblemKind;
    use std::sync::Arc;

    #[test]
    fn what_is_found_and_solved_is_told_once() {
        let problems = ProblemRegistry::default();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        problems.add_listener(move |turn, known| {
            heard.lock().push((turn, known.problem.path.clone(), known.since.seconds()));
        });
        let at = Timestamp::from_seconds;
        let bad = |path: &str, line| {
            vec![Problem::new(ProblemKind::InvalidJson, path, "no JSON").at_position(line, 1)]
        };
        problems.set_file("a", bad("a", 1), at(1));
        problems.set_file("a", bad("a", 2), at(2));
        problems.set_names(bad("n", 1), at(3));
        problems.set_names(bad("n", 1), at(4));
        problems.set_file("a", Vec::new(), at(5));
        problems.set_file("b", Vec::new(), at(6));
        problems.set_names(Vec::new(), at(7));
        let expect = [
            (ProblemTransition::Found, "a".to_string(), 1),
            (ProblemTransition::Found, "n".to_string(), 3),
            (ProblemTransition::Solved, "a".to_string(), 1),
            (ProblemTransition::Solved, "n".to_string(), 3),
        ];
        assert_eq!(*told.lock(), expect);
        assert!(problems.list().is_empty());
    }
}
