//! Putting a broken file right: its last good version takes its place, and what stood there is kept
//! for a week.

use crate::engine::Engine;
use crate::engine::commit::CommitError;
use crate::model::event::Actor;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::problem::Problem;
use crate::store::disk::Kind;
use crate::store::error::StoreError;
use crate::store::lastgood;
use crate::store::layout::Key;

/// What became of a file that was to be put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Its last good version is in its place; what stood there is kept under this path.
    Done(String),
    /// No good version of it is known.
    NothingGood,
    /// Something that is no file stands in its place.
    NoFile,
    /// It is not broken any more.
    NotBroken,
}

impl Engine {
    /// The text of a file of the data folder as it is, if it can be read.
    pub fn text_of(&self, path: &str) -> Option<Vec<u8>> {
        self.read_body(path).ok().map(|(bytes, _)| bytes)
    }

    /// Whether a good version of a file is known.
    pub fn has_last_good(&self, path: &str) -> bool {
        self.pack.as_ref().is_some_and(|it| it.hold(path).is_some())
    }

    /// Puts the last good version of a broken file in its place.
    pub fn restore_last_good(
        &self,
        problem: &Problem,
        actor: &Actor,
    ) -> Result<Repair, CommitError> {
        let path = problem.path.as_str();
        let key = Key::parse(path).filter(|it| it.is_json());
        let Some((key, ws)) = key.and_then(|it| Some((it.clone(), it.workspace()?.clone()))) else {
            return Ok(Repair::NothingGood);
        };
        self.may_write()?;
        if problem.kind.blocks_loading() && !problem.kind.falls_back() {
            return Ok(Repair::NothingGood);
        }
        let Some(good) = self.pack.as_ref().and_then(|it| it.get(path)) else {
            return Ok(Repair::NothingGood);
        };
        let found = self.disk.stat(path).map_err(StoreError::io("look at", path))?;
        if found.kind != Kind::File {
            return Ok(Repair::NoFile);
        }
        if !self.problems.blocks(path) {
            return Ok(Repair::NotBroken);
        }
        let kept = lastgood::keep_broken(&*self.disk, path, self.clock.now())?;
        let subject = Subject::Problem { problem: problem.kind.as_str(), path: path.to_string() };
        let event = Event::by(actor, EventKind::ProblemSolved, subject);
        // Whoever edits the file meanwhile wins: then it is no longer what was seen here.
        let seen = found.stat;
        self.commit(&ws, move |staging| {
            staging.mend(&key, seen, good.bytes.clone())?;
            staging.tell(event.clone());
            Ok::<_, CommitError>(())
        })?;
        Ok(Repair::Done(kept))
    }
}
