//! The interface of a database that holds the content of several servers.

use std::fmt;
use std::io;
use std::time::Duration;

use crate::stdx::checksum::Checksum;
use crate::store::error::StoreError;

/// The number of a commit in the order of all commits; 0 before the first.
pub type Position = u64;

/// Takes files, one by one.
pub type FileSink<'a> = &'a mut dyn FnMut(DatabaseFile) -> Result<(), StoreError>;

/// A database in which several servers keep the files of one data folder. Commits are ordered, and
/// one server commits at a time: the one that has the turn.
pub trait Database: Send + Sync {
    /// Returns the id that the database got when it was made.
    fn database_id(&self) -> Result<String, DatabaseError>;

    /// Waits for the turn among all servers, and reads the log like [`Database::read_log`].
    fn begin_turn(&self, seen: &Seen, sink: FileSink<'_>) -> Result<LogPage, DatabaseError>;

    /// Gives the turn back. A turn also ends with the connection.
    fn end_turn(&self);

    /// Makes a change of files durable, all of it or nothing, and returns its position. For whoever
    /// has the turn.
    fn commit(&self, change: &DatabaseChange) -> Result<Position, DatabaseError>;

    /// Returns what was committed after `seen`, and passes the files as they are after the last of
    /// it to `sink`.
    fn read_log(&self, seen: &Seen, sink: FileSink<'_>) -> Result<LogPage, DatabaseError>;

    /// Returns true if there are no files.
    fn is_empty(&self) -> Result<bool, DatabaseError>;

    /// Passes all files to `each`, and returns the position at which they were so.
    fn read_files(&self, each: &mut dyn FnMut(DatabaseFileFacts)) -> Result<Seen, DatabaseError>;

    /// Returns files with their content, as far as they are there.
    fn fetch_files(&self, paths: &[String]) -> Result<Vec<DatabaseFile>, DatabaseError>;

    /// Writes a large content to `into`.
    fn read_blob(&self, blob: &BlobId, into: &mut dyn io::Write) -> Result<(), DatabaseError>;

    /// Stores a large content, unless it is there. It needs no turn.
    fn store_blob(&self, blob: &BlobId, from: &mut dyn io::Read) -> Result<(), DatabaseError>;

    /// Removes what nobody needs any more. The leader calls it now and then.
    fn clean_up(&self) -> Result<(), DatabaseError>;

    /// Returns true if this server has the lead: it does the work that only one does.
    fn try_lead(&self) -> bool;

    /// Tells the other servers something that is not kept, such as who looks at an entry.
    fn send_signal(&self, text: &str) -> Result<(), DatabaseError>;

    /// Returns what other servers told by signals since it was asked last.
    fn take_signals(&self) -> Vec<String>;

    /// Waits until there may be something new, for so long at most.
    fn wait_for_commits(&self, at_most: Duration);
}

/// The SHA-256 of a large content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlobId(pub [u8; 32]);

impl fmt::Debug for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|it| write!(f, "{it:02x}"))
    }
}

/// The last commit that a server knows. Two databases of one origin, such as a primary and the
/// standby that replaced it, may have other commits at one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The position.
    pub position: Position,
    /// The id of the commit; empty before the first.
    pub commit: String,
}

/// Commits in order, and the files that they left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogPage {
    /// The commits that followed.
    Commits {
        /// The commits, in order.
        commits: Vec<LoggedCommit>,
        /// The files that they changed and that are not there after the last of them.
        missing: Vec<String>,
    },
    /// The log does not have the commit that was seen, or no longer: all files have to be compared.
    Unknown,
}

/// A commit, as it is logged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedCommit {
    /// The position.
    pub position: Position,
    /// The id.
    pub id: String,
    /// True if it was made in the database itself, not by a server.
    pub is_edit: bool,
    /// The files that it changed or removed.
    pub paths: Vec<String>,
    /// The folders that it removed.
    pub folders: Vec<String>,
    /// The events that it caused, as JSON; empty if there are none.
    pub events: String,
}

/// A change of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseChange {
    /// The id, which nothing else has.
    pub id: String,
    /// The last commit before it. If there is another by now, the turn was lost.
    pub after: Position,
    /// The files that must not exist before.
    pub created: Vec<String>,
    /// The files that are removed.
    pub removed: Vec<String>,
    /// The files that are written.
    pub written: Vec<DatabaseFile>,
    /// The folders that are removed.
    pub folders: Vec<String>,
    /// The events, as JSON; empty if there are none.
    pub events: String,
}

/// A file without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseFileFacts {
    /// The path in the data folder.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The checksum of the content; none if it was written in the database itself.
    pub sum: Option<Checksum>,
    /// The time of the last change, in nanoseconds since 1970.
    pub modified_ns: i64,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseFile {
    /// The path, the size and the rest.
    pub facts: DatabaseFileFacts,
    /// Its content.
    pub content: DatabaseContent,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseContent {
    /// The bytes.
    Bytes(Vec<u8>),
    /// A large content, stored beside.
    Blob(BlobId),
}

/// The reasons for which a database did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be reached, or the turn was lost: nothing was done.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// The turn did not come in time.
    #[error("other servers have held the turn for too long")]
    Busy,
    /// A file that must not exist is there.
    #[error("`{0}` is there already")]
    Exists(String),
    /// It refused.
    #[error("the database refused: {0}")]
    Refused(String),
    /// Its tables are missing, or of a newer version.
    #[error("{0}")]
    Unusable(String),
    /// A file that it returned could not be written into the replica.
    #[error(transparent)]
    Local(StoreError),
    /// The connection was lost during a commit, and it could not be found out what became of it.
    #[error("it is not known whether the database made the change: {0}")]
    Uncertain(String),
}

/// Returns the error of the store that tells of an error of a database.
pub(crate) fn to_store_error(error: DatabaseError) -> StoreError {
    match error {
        DatabaseError::Exists(path) => {
            StoreError::io("create", path)(io::ErrorKind::AlreadyExists.into())
        }
        DatabaseError::Local(error) => error,
        error => StoreError::Database(error.to_string()),
    }
}

/// Returns an id that no other commit has.
pub(crate) fn new_commit_id() -> String {
    let mut bytes = [0; 16];
    // Without randomness there are no sessions and tokens either.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}
