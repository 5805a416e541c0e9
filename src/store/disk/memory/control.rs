//! What is asked of the disk in memory: counted, written down, and refused where a test wants it.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;

/// What is asked of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Read a file whole.
    Read,
    /// Open a file.
    Open,
    /// Look at a path.
    Stat,
    /// List a folder.
    List,
    /// Write a new file.
    Write,
    /// Write at the end of a file.
    Append,
    /// Move a file.
    Rename,
    /// Swap two files.
    Exchange,
    /// Give a file a second name.
    Link,
    /// Remove a file.
    Remove,
    /// Make a folder.
    MakeFolder,
    /// Remove a folder.
    RemoveFolder,
    /// Sync the bytes of a file.
    SyncFile,
    /// Sync the names in a folder.
    SyncFolder,
    /// Sync everything.
    SyncAll,
}

impl Verb {
    /// Whether the machine can stop before it: everything but looking.
    pub fn is_step(self) -> bool {
        !matches!(self, Verb::Read | Verb::Open | Verb::Stat | Verb::List)
    }

    /// Whether it makes something durable.
    pub fn is_sync(self) -> bool {
        matches!(self, Verb::SyncFile | Verb::SyncFolder | Verb::SyncAll)
    }

    fn needs_room(self) -> bool {
        matches!(self, Verb::Write | Verb::Append | Verb::Link | Verb::MakeFolder)
    }
}

/// One thing that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// What.
    pub verb: Verb,
    /// Of which file or folder.
    pub path: String,
    /// The other name, of those that have two.
    pub to: Option<String>,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.verb, self.path)?;
        self.to.iter().try_for_each(|to| write!(f, " -> {to}"))
    }
}

/// Counts, and what is to go wrong when.
#[derive(Debug, Default)]
pub(super) struct Control {
    log: Vec<Call>,
    steps: u64,
    syncs: u64,
    stop_at: Option<u64>,
    stopped: bool,
    failing: Option<(RangeInclusive<u64>, i32)>,
    full: Option<i32>,
    ignored_syncs: BTreeSet<u64>,
    /// What somebody else does to a file, and before which call.
    edit: Option<(u64, Edit)>,
}

/// A file, and its bytes from then on.
type Edit = (String, Option<Vec<u8>>);

/// How a call that may be made is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Go,
    /// Says that it is done, and does nothing.
    Lie,
}

/// Why a call is not made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refused {
    Stopped,
    Failed(i32),
}

/// The numbers these have on Linux, and nearly everywhere.
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const EDQUOT: i32 = 122;

impl Refused {
    /// Whether bytes were under way when it failed.
    pub(super) fn loses_bytes(self) -> bool {
        matches!(self, Refused::Failed(EIO | ENOSPC | EDQUOT))
    }
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> io::Error {
        match refused {
            Refused::Stopped => io::Error::other("the machine has stopped"),
            Refused::Failed(errno) => io::Error::from_raw_os_error(errno),
        }
    }
}

impl Control {
    /// Counts a call and says whether and how it is to be made.
    pub(super) fn enter(
        &mut self,
        verb: Verb,
        path: &str,
        to: Option<&str>,
    ) -> Result<Verdict, Refused> {
        self.stopped |= verb.is_step() && self.stop_at.is_some_and(|at| self.steps >= at);
        if self.stopped {
            return Err(Refused::Stopped);
        }
        let number = self.calls();
        self.log.push(Call { verb, path: path.to_string(), to: to.map(str::to_string) });
        self.steps += u64::from(verb.is_step());
        let is_ignored = verb.is_sync() && self.ignored_syncs.contains(&self.syncs);
        self.syncs += u64::from(verb.is_sync());
        if let Some(errno) = self.full.filter(|_| verb.needs_room()) {
            return Err(Refused::Failed(errno));
        }
        match &self.failing {
            Some((numbers, errno)) if numbers.contains(&number) => Err(Refused::Failed(*errno)),
            _ if is_ignored => Ok(Verdict::Lie),
            _ => Ok(Verdict::Go),
        }
    }

    pub(super) fn log(&self) -> &[Call] {
        &self.log
    }

    pub(super) fn calls(&self) -> u64 {
        self.log.len() as u64
    }

    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn syncs(&self) -> u64 {
        self.syncs
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    pub(super) fn stop_at(&mut self, number: u64) {
        self.stop_at = Some(number);
    }

    pub(super) fn fail(&mut self, numbers: RangeInclusive<u64>, errno: i32) {
        self.failing = Some((numbers, errno));
    }

    pub(super) fn fill(&mut self, errno: i32) {
        self.full = Some(errno);
    }

    pub(super) fn heal(&mut self) {
        (self.failing, self.full) = (None, None);
    }

    pub(super) fn edit_at(&mut self, number: u64, path: &str, bytes: Option<&[u8]>) {
        self.edit = Some((number, (path.to_string(), bytes.map(<[u8]>::to_vec))));
    }

    /// What somebody else does before the next call.
    pub(super) fn edit_due(&mut self) -> Option<Edit> {
        let calls = self.calls();
        self.edit.take_if(|(number, _)| *number <= calls).map(|(_, edit)| edit)
    }

    pub(super) fn ignore_sync(&mut self, number: u64) {
        self.ignored_syncs.insert(number);
    }
}
