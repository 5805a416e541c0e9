//! The repair of a broken file: its last good version takes its place, and what stood there is kept
//! for a week.

use crate::engine::error::CommitError;
use crate::engine::writer::Writer;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Permit;
use crate::model::problem::Problem;
use crate::store::disk::FileKind;
use crate::store::error::StoreError;
use crate::store::layout::Key;
use crate::store::read::removed_bodies;

/// The outcome of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairOutcome {
    /// Its last good version is in its place; what stood there is kept under this path.
    Done(String),
    /// No good version of it is known.
    NothingGood,
    /// Something that is no file stands in its place.
    NoFile,
    /// It is not broken any more.
    NotBroken,
}

impl Writer {
    /// Puts the last good version of a broken file in its place.
    pub fn restore_last_good(
        &self,
        permit: &Permit,
        problem: &Problem,
    ) -> Result<RepairOutcome, CommitError> {
        let path = problem.path.as_str();
        let key = Key::parse(path).filter(|it| it.is_json());
        let Some((key, ws)) = key.and_then(|it| Some((it.clone(), it.workspace()?.clone()))) else {
            return Ok(RepairOutcome::NothingGood);
        };
        self.records.check_writable()?;
        if problem.kind.blocks_loading() && !problem.kind.falls_back() {
            return Ok(RepairOutcome::NothingGood);
        }
        let Some(good) = self.folder.pack.as_ref().and_then(|it| it.get(path)) else {
            return Ok(RepairOutcome::NothingGood);
        };
        let found = self.folder.disk.stat(path).map_err(StoreError::io("look at", path))?;
        if found.kind != FileKind::File {
            return Ok(RepairOutcome::NoFile);
        }
        if !self.folder.problems.is_blocked(path) {
            return Ok(RepairOutcome::NotBroken);
        }
        let kept = removed_bodies::keep_broken(&*self.folder.disk, path, self.folder.clock.now())?;
        let subject =
            Subject::Problem { problem: problem.kind.as_str().into(), path: path.to_string() };
        // Whoever edits the file meanwhile wins: then it is no longer what was seen here.
        let seen = found.stat;
        let permit = permit.clone();
        self.commit(&ws, move |staging| {
            let mut write = staging.write(&permit);
            write.replace_broken(&key, seen, good.bytes.clone())?;
            write.add_event(EventKind::ProblemSolved, subject.clone());
            Ok::<_, CommitError>(())
        })?;
        Ok(RepairOutcome::Done(kept))
    }
}
