//! The defects of the data folder, by file, with the time since when they are known.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::RwLock;

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

/// Who wants to hear of defects that are found, or solved.
type Listener = Box<dyn Fn(Turn, &Known) + Send + Sync>;

/// What became of a defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is new.
    Found,
    /// It is there no longer.
    Solved,
}

/// All defects that are known. Shared; every call is short.
#[derive(Default)]
pub struct Problems {
    book: Mutex<Book>,
    listeners: RwLock<Vec<Listener>>,
}

impl fmt::Debug for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lock().fmt(f)
    }
}

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
    /// Says all that is wrong inside a file; what was found and solved by that is added to `turned`.
    fn set(
        &mut self,
        path: &str,
        problems: Vec<Problem>,
        now: Timestamp,
        turned: &mut Vec<(Turn, Known)>,
    ) {
        let before = self.inside.remove(path).unwrap_or_default();
        let after = known(&before, problems, now);
        turns(&before, &after, turned);
        if !after.is_empty() {
            self.inside.insert(path.to_string(), after);
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Known> {
        self.inside.values().chain(self.names.values()).flatten().chain(&self.between)
    }

    fn all(&self) -> Vec<&Known> {
        let mut all: Vec<&Known> = self.iter().collect();
        all.sort_by(|one, other| one.problem.path.cmp(&other.problem.path));
        all
    }
}

/// The problems of one file as they are now: those that were known stay known since then.
fn known(before: &[Known], problems: Vec<Problem>, now: Timestamp) -> Vec<Known> {
    let since = |problem: &Problem| {
        let same = before.iter().find(|it| is_same(&it.problem, problem));
        same.map_or(now, |it| it.since)
    };
    problems.into_iter().map(|it| Known { since: since(&it), problem: it }).collect()
}

/// Whether it is the same defect, though it may be in another line by now.
fn is_same(one: &Problem, other: &Problem) -> bool {
    one.kind == other.kind && one.field == other.field
}

/// What was found and what was solved between two looks at a file.
fn turns(before: &[Known], after: &[Known], out: &mut Vec<(Turn, Known)>) {
    let missing =
        |from: &[Known], it: &Known| !from.iter().any(|x| is_same(&x.problem, &it.problem));
    out.extend(before.iter().filter(|it| missing(after, it)).map(|it| (Turn::Solved, it.clone())));
    out.extend(after.iter().filter(|it| missing(before, it)).map(|it| (Turn::Found, it.clone())));
}

/// Of so many problems that come or go at once each has a line in the log; the others are counted.
const LOGGED_AT_ONCE_MAX: usize = 50;

fn log(turned: &[(Turn, Known)]) {
    for (turn, Known { problem, .. }) in turned.iter().take(LOGGED_AT_ONCE_MAX) {
        let Problem { path, kind, message, line, column, .. } = problem;
        match turn {
            Turn::Found => tracing::warn!(%kind, path, line, column, "a problem: {message}"),
            Turn::Solved => tracing::info!(%kind, path, "a problem is solved"),
        }
    }
    let more = turned.len().saturating_sub(LOGGED_AT_ONCE_MAX);
    if more > 0 {
        tracing::warn!(more, "more problems came or went; `recto check` lists them");
    }
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
        let mut turned = Vec::new();
        self.lock().set(path, problems, now, &mut turned);
        self.tell(&turned);
    }

    /// Has everything that is found or solved from now on passed on.
    pub fn listen(&self, listener: impl Fn(Turn, &Known) + Send + Sync + 'static) {
        let mut listeners = self.listeners.write().unwrap_or_else(PoisonError::into_inner);
        listeners.push(Box::new(listener));
    }

    fn tell(&self, turned: &[(Turn, Known)]) {
        if turned.is_empty() {
            return;
        }
        log(turned);
        let listeners = self.listeners.read().unwrap_or_else(PoisonError::into_inner);
        for (turn, known) in turned {
            listeners.iter().for_each(|it| it(*turn, known));
        }
    }

    /// Says all that is wrong inside many files at once, each problem carrying its path.
    pub fn set_all(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut turned = Vec::new();
        for (path, problems) in by_path(problems) {
            self.lock().set(&path, problems, now, &mut turned);
        }
        self.tell(&turned);
    }

    /// Says all that is wrong inside files that `concerns` names: whatever of them is not told again
    /// is well.
    pub fn set_all_of(
        &self,
        concerns: impl Fn(&str) -> bool,
        problems: Vec<Problem>,
        now: Timestamp,
    ) {
        let mut problems = by_path(problems);
        let mut turned = Vec::new();
        {
            let mut book = self.lock();
            let known = book.inside.keys().filter(|it| concerns(it));
            let well: Vec<String> =
                known.filter(|it| !problems.contains_key(*it)).cloned().collect();
            problems.extend(well.into_iter().map(|it| (it, Vec::new())));
            for (path, problems) in problems {
                book.set(&path, problems, now, &mut turned);
            }
        }
        self.tell(&turned);
    }

    /// Says all that is wrong with names: whatever is not told again is well.
    pub fn set_names(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut turned = Vec::new();
        {
            let mut book = self.lock();
            let mut before = std::mem::take(&mut book.names);
            for (path, problems) in by_path(problems) {
                let before = before.remove(&path).unwrap_or_default();
                let after = known(&before, problems, now);
                turns(&before, &after, &mut turned);
                book.names.insert(path, after);
            }
            // Those that are left are well.
            before.values().for_each(|before| turns(before, &[], &mut turned));
        }
        self.tell(&turned);
    }

    /// Says all that is wrong between files: whatever is not told again is well.
    pub fn set_between(&self, problems: Vec<Problem>, now: Timestamp) {
        let mut turned = Vec::new();
        {
            let mut book = self.lock();
            let before = std::mem::take(&mut book.between);
            book.between = known(&before, problems, now);
            turns(&before, &book.between, &mut turned);
        }
        self.tell(&turned);
    }

    /// All of them, by path.
    pub fn list(&self) -> Vec<Known> {
        self.lock().all().into_iter().cloned().collect()
    }

    /// The first of them, by path.
    pub fn first(&self, count: usize) -> Vec<Known> {
        self.lock().all().into_iter().take(count).cloned().collect()
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
        for known in self.lock().iter() {
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
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn what_is_found_and_solved_is_told_once() {
        let problems = Problems::default();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        problems.listen(move |turn, known| {
            heard.lock().unwrap().push((turn, known.problem.path.clone(), known.since.seconds()));
        });
        let at = Timestamp::from_seconds;
        let bad = |path: &str, line| {
            vec![Problem::new(ProblemKind::InvalidJson, path, "no JSON").at(line, 1)]
        };
        problems.set("a", bad("a", 1), at(1));
        problems.set("a", bad("a", 2), at(2));
        problems.set_names(bad("n", 1), at(3));
        problems.set_names(bad("n", 1), at(4));
        problems.set("a", Vec::new(), at(5));
        problems.set("b", Vec::new(), at(6));
        problems.set_names(Vec::new(), at(7));
        let expect = [
            (Turn::Found, "a".to_string(), 1),
            (Turn::Found, "n".to_string(), 3),
            (Turn::Solved, "a".to_string(), 1),
            (Turn::Solved, "n".to_string(), 3),
        ];
        assert_eq!(*told.lock().unwrap(), expect);
        assert!(problems.list().is_empty());
    }
}
