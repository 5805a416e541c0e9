//! How what all workspaces share is changed: users, roles, tokens, settings, webhooks. It is little
//! and changes rarely, so changes go one by one.

use bytes::Bytes;

use crate::engine::Engine;
use crate::engine::commit::CommitError;
use crate::engine::installation::Installation;
use crate::engine::load;
use crate::engine::read::ReadFile;
use crate::engine::staging::Ops;
use crate::engine::staging::Stored;
use crate::engine::taken::written;
use crate::model::event::Event;
use crate::model::name::EntryId;
use crate::model::problem::ProblemKind;
use crate::stdx::json::Json;
use crate::stdx::json_edit;
use crate::stdx::time::Timestamp;
use crate::store::codec;
use crate::store::commit;
use crate::store::commit::Change;
use crate::store::commit::Op;
use crate::store::commit::Outcome;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::journal;
use crate::store::journal::Failure;
use crate::store::layout::Key;
use crate::store::sweep::FileChange;
use crate::store::sweep::Now;

/// How often work is begun anew because files change under it.
const TRIES_MAX: usize = 16;

/// A change of what all workspaces share that is being put together. Files of workspaces can be
/// changed with it, so that what holds between them and the settings always holds.
pub struct SystemStaging<'a> {
    engine: &'a Engine,
    installation: &'a Installation,
    now: Timestamp,
    steps: Ops,
    events: Vec<Event>,
}

impl SystemStaging<'_> {
    /// What all workspaces share, with everything that was committed before.
    pub fn installation(&self) -> &Installation {
        self.installation
    }

    /// The time of this change.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// An id that nobody has.
    pub fn new_id(&self) -> EntryId {
        self.engine.new_id()
    }

    /// A file as it is; nothing when it is not there.
    pub fn stored(&self, key: &Key) -> Result<Option<Stored>, CommitError> {
        self.engine.stored_now(key)
    }

    /// Makes a file that must not be there.
    pub fn create(&mut self, key: &Key, bytes: Vec<u8>) {
        self.steps.create(key, bytes);
    }

    /// Puts other bytes in the place of a file. Nothing is done when they are the same.
    pub fn replace(&mut self, stored: &Stored, bytes: Vec<u8>) {
        self.steps.replace(stored, bytes);
    }

    /// Puts other bytes in the place of a file, whatever it is by then.
    pub fn overwrite(&mut self, key: &Key, bytes: Vec<u8>) {
        self.steps.overwrite(key, bytes);
    }

    /// Makes a file say this: the values that changed are written into the file as people keep it,
    /// and keys that are not ours stay. It is made when it is not there.
    pub fn write(&mut self, key: &Key, value: &Json) -> Result<(), CommitError> {
        match self.stored(key) {
            Ok(Some(stored)) => {
                let mut next = stored.map.clone();
                for (name, value) in value.as_object().into_iter().flat_map(|it| it.iter()) {
                    next.set(name, value.clone());
                }
                let bytes = json_edit::rewrite(&stored.bytes, &Json::Object(next));
                self.replace(&stored, bytes);
            }
            Ok(None) => self.create(key, value.to_file()),
            // What cannot be read is of no use to anybody.
            Err(CommitError::Broken(_)) => self.overwrite(key, value.to_file()),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Whether there is a file, be it one that cannot be read.
    pub fn exists(&self, key: &Key) -> bool {
        self.engine.disk.stat(&key.path()).is_ok()
    }

    /// Puts bytes in their place, whether or not there are others.
    pub fn place(&mut self, key: &Key, bytes: Vec<u8>) {
        if self.exists(key) { self.overwrite(key, bytes) } else { self.create(key, bytes) }
    }

    /// Removes a file.
    pub fn remove(&mut self, key: &Key) {
        self.steps.remove(key);
    }

    /// What happened, told once it is durable.
    pub fn tell(&mut self, event: Event) {
        self.events.push(event);
    }
}

impl Engine {
    /// Runs `work` when it is its turn, makes what it staged durable, publishes it, and gives what it
    /// returned. `work` may be run several times, so it computes and stages and does nothing else.
    /// It runs on a thread that may wait for the disk.
    pub fn commit_system<T, E: From<CommitError>>(
        &self,
        mut work: impl FnMut(&mut SystemStaging<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.may_write()?;
        let mut of_workspaces = Vec::new();
        let done = self.system.alone(|| {
            for _ in 0..TRIES_MAX {
                if let Some(done) = self.try_system(&mut work, &mut of_workspaces)? {
                    return Ok(done);
                }
            }
            Err(E::from(CommitError::Stale))
        });
        self.publish_workspaces(&of_workspaces);
        let (value, events) = done?;
        self.tell_system(events);
        Ok(value)
    }

    /// One try; nothing when a file changed meanwhile.
    fn try_system<T, E: From<CommitError>>(
        &self,
        work: &mut impl FnMut(&mut SystemStaging<'_>) -> Result<T, E>,
        of_workspaces: &mut Vec<String>,
    ) -> Result<Option<(T, Vec<Event>)>, E> {
        let lock = self.write_lock.as_ref().ok_or(CommitError::ReadOnly)?;
        let mut turn = lock.take().map_err(CommitError::from)?;
        let foreign = turn.foreign(&mut self.foreign_seen());
        self.hand_out(foreign);
        let foreign = std::mem::take(&mut *self.system_foreign());
        foreign.iter().for_each(|path| self.take_in_system(path));
        let installation = self.installation.load_full();
        let mut staging = SystemStaging {
            engine: self,
            installation: &installation,
            now: self.clock.now(),
            steps: Ops::default(),
            events: Vec::new(),
        };
        let value = work(&mut staging)?;
        let (steps, events) = (staging.steps.into_inner(), staging.events);
        let change = Change { steps, ..Change::default() };
        if change.is_empty() {
            return Ok(Some((value, events)));
        }
        match self.write_system(&change) {
            Outcome::Done => {}
            Outcome::Stale(path) => {
                self.take_in_system(&path);
                return Ok(None);
            }
            Outcome::NotTried => return Ok(None),
            Outcome::Failed(error) => return Err(CommitError::from(error).into()),
            Outcome::Uncertain(error) => {
                let error = self.doubt(&error);
                *of_workspaces = self.publish_system(&change);
                return Err(error.into());
            }
        }
        *of_workspaces = self.publish_system(&change);
        Ok(Some((value, events)))
    }

    /// The picture of a user.
    pub fn avatar(&self, user: &EntryId) -> Option<Bytes> {
        let (bytes, _) = self.read_body(&Key::Avatar(user.clone()).path()).ok()?;
        Some(bytes.into())
    }

    /// A file as it is at this moment.
    fn stored_now(&self, key: &Key) -> Result<Option<Stored>, CommitError> {
        let path = key.path();
        let (bytes, stat) = match self.read_body(&path) {
            Ok(read) => read,
            Err(ReadError::Missing) => return Ok(None),
            Err(ReadError::Unreadable(source)) => {
                return Err(StoreError::io("read", path)(source).into());
            }
            Err(error) => return Err(CommitError::Broken(error.problem(&path))),
        };
        let map = codec::parse(&path, &bytes).map_err(CommitError::Broken)?.map;
        Ok(Some(Stored::seen(key.clone(), bytes, map, stat)))
    }

    fn write_system(&self, change: &Change) -> Outcome {
        if change.is_compound() {
            return match journal::write(&*self.disk, self.new_id().as_str(), &change.steps) {
                Ok(()) => Outcome::Done,
                Err(Failure::Unstarted(error)) => Outcome::Failed(error),
                Err(Failure::Stale(path)) => Outcome::Stale(path),
                Err(Failure::Unfinished(error)) => Outcome::Uncertain(error),
            };
        }
        match commit::write(&*self.disk, std::slice::from_ref(change)) {
            Ok(outcomes) => outcomes.into_iter().next().unwrap_or(Outcome::Done),
            Err(outcome) => outcome,
        }
    }

    /// Publishes what concerns the installation; the files of workspaces are named, which wait for
    /// their own turn.
    fn publish_system(&self, change: &Change) -> Vec<String> {
        self.learn(None, change);
        let mut of_workspaces = Vec::new();
        for path in change.steps.iter().flat_map(Op::paths) {
            match Key::parse(path) {
                Some(key) if key.workspace().is_some() => of_workspaces.push(path.to_string()),
                // Whatever became of it since is a later edit.
                Some(key) if load::is_system(&key) => self.publish_system_file(key, path, change),
                _ => {}
            }
        }
        of_workspaces
    }

    /// Publishes a file of the installation as it was written. Whatever became of it since is a later
    /// edit, or a disk that cannot be read for a moment.
    fn publish_system_file(&self, key: Key, path: &str, change: &Change) {
        match written(change, path) {
            Some(bytes) => {
                let (path, now) = (path.to_string(), self.as_written(bytes));
                self.apply_system(&FileChange { key, path, before: None, now });
            }
            None => self.take_in_system(path),
        }
    }

    /// Takes a file of the installation over as it is now. For whoever has its turn.
    pub(super) fn take_in_system(&self, path: &str) {
        let Some(key) = Key::parse(path).filter(load::is_system) else { return };
        if let Some(change) = self.found_now(key, path) {
            self.apply_system(&change);
        }
    }

    /// Takes over a file of the installation that somebody else changed.
    pub(super) fn refresh_system(&self, change: FileChange) {
        if load::is_system(&change.key) {
            self.system.alone(|| {
                if let Some(change) = self.confirmed(change) {
                    self.note(&change);
                    self.apply_system(&change);
                }
            });
        }
    }

    /// The installation with a file as it is. For whoever has its turn.
    fn apply_system(&self, change: &FileChange) {
        let file = match &change.now {
            Now::Read { bytes, .. } => {
                let ReadFile { value, problems } =
                    load::system_file(&change.key, &change.path, bytes);
                self.problems.set(&change.path, problems, self.clock.now());
                value
            }
            // The system refused for now: whoever could do something goes on to.
            Now::Unreadable(problem) if problem.kind == ProblemKind::Unreadable => return,
            Now::Unreadable(_) => load::system_file_broken(&change.key),
            Now::Seen(_) | Now::Missing => load::system_file_gone(&change.key),
        };
        self.installation.rcu(|installation| {
            let mut next = installation.as_ref().clone();
            next.apply(file.clone());
            next
        });
    }
}
