//! Fault injection for the disk in memory: calls are counted, logged, and made to fail.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;

/// The kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Reads a whole file.
    Read,
    /// Opens a file.
    Open,
    /// Looks up a path.
    Stat,
    /// Lists a folder.
    List,
    /// Writes a new file.
    Write,
    /// Appends to a file.
    Append,
    /// Moves a file.
    Rename,
    /// Swaps two files.
    Exchange,
    /// Gives a file a second name.
    Link,
    /// Removes a file.
    Remove,
    /// Creates a folder.
    MakeFolder,
    /// Removes a folder.
    RemoveFolder,
    /// Syncs the bytes of a file.
    SyncFile,
    /// Syncs the names in a folder.
    SyncFolder,
    /// Syncs everything.
    SyncAll,
}

impl Verb {
    /// Returns true if the machine can stop before the call: all but reads.
    pub fn is_step(self) -> bool {
        !matches!(self, Verb::Read | Verb::Open | Verb::Stat | Verb::List)
    }

    /// Returns true if the call makes something durable.
    pub fn is_sync(self) -> bool {
        matches!(self, Verb::SyncFile | Verb::SyncFolder | Verb::SyncAll)
    }

    fn needs_room(self) -> bool {
        matches!(self, Verb::Write | Verb::Append | Verb::Link | Verb::MakeFolder)
    }
}

/// A logged call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DiskCall {
    /// The kind.
    pub verb: Verb,
    /// The file or folder.
    pub path: String,
    /// The second path of calls with two.
    pub to: Option<String>,
}

impl fmt::Display for DiskCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.verb, self.path)?;
        self.to.iter().try_for_each(|to| write!(f, " -> {to}"))
    }
}

/// The counters and the planned faults.
#[derive(Debug, Default)]
pub(super) struct FaultControl {
    log: Vec<DiskCall>,
    steps: u64,
    syncs: u64,
    stop_at: Option<u64>,
    stopped: bool,
    failing: Option<(RangeInclusive<u64>, i32)>,
    full: Option<i32>,
    ignored_syncs: BTreeSet<u64>,
    /// An edit by another program, and the number of the call it precedes.
    edit: Option<(u64, ForeignEdit)>,
    /// A file that another program edits before each call of this kind.
    repeated_edit: Option<(Verb, String)>,
}

/// A path and the new bytes.
type ForeignEdit = (String, Option<Vec<u8>>);

/// The way to make an admitted call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallVerdict {
    Proceed,
    /// Reports success without doing anything.
    Ignore,
}

/// The reason for refusing a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum CallError {
    Stopped,
    Failed(i32),
}

/// The error numbers of Linux and nearly all other systems.
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const EDQUOT: i32 = 122;

impl CallError {
    /// Returns true if the failure may lose bytes that were being written.
    pub(super) fn loses_bytes(self) -> bool {
        matches!(self, CallError::Failed(EIO | ENOSPC | EDQUOT))
    }
}

impl From<CallError> for io::Error {
    fn from(refused: CallError) -> io::Error {
        match refused {
            CallError::Stopped => io::Error::other("the machine has stopped"),
            CallError::Failed(errno) => io::Error::from_raw_os_error(errno),
        }
    }
}

impl FaultControl {
    /// Counts a call and decides its fate.
    pub(super) fn admit_call(
        &mut self,
        verb: Verb,
        path: &str,
        to: Option<&str>,
    ) -> Result<CallVerdict, CallError> {
        self.stopped |= verb.is_step() && self.stop_at.is_some_and(|at| self.steps >= at);
        if self.stopped {
            return Err(CallError::Stopped);
        }
        let number = self.count_calls();
        self.log.push(DiskCall { verb, path: path.to_string(), to: to.map(str::to_string) });
        self.steps += u64::from(verb.is_step());
        let is_ignored = verb.is_sync() && self.ignored_syncs.contains(&self.syncs);
        self.syncs += u64::from(verb.is_sync());
        if let Some(errno) = self.full.filter(|_| verb.needs_room()) {
            return Err(CallError::Failed(errno));
        }
        match &self.failing {
            Some((numbers, errno)) if numbers.contains(&number) => Err(CallError::Failed(*errno)),
            _ if is_ignored => Ok(CallVerdict::Ignore),
            _ => Ok(CallVerdict::Proceed),
        }
    }

    pub(super) fn list_calls(&self) -> &[DiskCall] {
        &self.log
    }

    pub(super) fn count_calls(&self) -> u64 {
        self.log.len() as u64
    }

    pub(super) fn count_steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn count_syncs(&self) -> u64 {
        self.syncs
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    pub(super) fn stop_at(&mut self, number: u64) {
        self.stop_at = Some(number);
    }

    pub(super) fn fail_calls(&mut self, numbers: RangeInclusive<u64>, errno: i32) {
        self.failing = Some((numbers, errno));
    }

    pub(super) fn fill_up(&mut self, errno: i32) {
        self.full = Some(errno);
    }

    pub(super) fn clear_faults(&mut self) {
        (self.failing, self.full) = (None, None);
    }

    pub(super) fn edit_at(&mut self, number: u64, path: &str, bytes: Option<&[u8]>) {
        self.edit = Some((number, (path.to_string(), bytes.map(<[u8]>::to_vec))));
    }

    pub(super) fn edit_before_each(&mut self, verb: Verb, path: &str) {
        self.repeated_edit = Some((verb, path.to_string()));
    }

    /// Returns the edit by another program before the next call.
    pub(super) fn take_due_edit(&mut self, verb: Verb) -> Option<ForeignEdit> {
        let calls = self.count_calls();
        if let Some((_, path)) = self.repeated_edit.as_ref().filter(|(before, _)| *before == verb) {
            let bytes = format!(r#"{{"title": "Edit {calls}"}}"#);
            return Some((path.clone(), Some(bytes.into_bytes())));
        }
        self.edit.take_if(|(number, _)| *number <= calls).map(|(_, edit)| edit)
    }

    pub(super) fn ignore_sync(&mut self, number: u64) {
        self.ignored_syncs.insert(number);
    }
}
