//! The content of several servers in PostgreSQL. Durability, replication and failover are
//! PostgreSQL's.

pub mod address;
mod connection;
mod error_text;
mod schema;

use std::io;
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use postgres::fallible_iterator::FallibleIterator as _;
use postgres::{Client, GenericClient, IsolationLevel, Row, Transaction};

use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;
use crate::store::cluster::database::{
    BlobId, Database, DatabaseChange, DatabaseContent, DatabaseError, DatabaseFile,
    DatabaseFileFacts, FileSink, LogPage, LoggedCommit, Position, Seen, new_commit_id,
};
use crate::store::cluster::postgres::address::DatabaseAddress;
use crate::store::cluster::postgres::connection::{
    ConnectionThread, DatabaseConnection, StatementError,
};

/// The size of a part of a large content.
const PART_BYTES: usize = 1024 * 1024;

/// The time for which it is tried to find out what became of a commit.
const FIND_OUT_MAX: Duration = Duration::from_secs(20);

/// The pause between two tries.
const TRY_AGAIN: Duration = Duration::from_millis(200);

/// A database of PostgreSQL.
pub struct PostgresDatabase {
    /// The name of this server in the log.
    node: String,
    /// For turns and commits.
    writer: DatabaseConnection,
    /// For the log and files, beside a turn.
    reader: DatabaseConnection,
    /// For large contents, which take their time.
    blobs: DatabaseConnection,
    /// Waits for notifications.
    listener: DatabaseConnection,
    is_listening: AtomicBool,
    /// Tells the signals of this server from those of others.
    sender: String,
    signals: Arc<Mutex<Vec<String>>>,
}

impl PostgresDatabase {
    /// Opens the database at an address, whose tables are made or brought up to date.
    pub fn open(
        address: &DatabaseAddress,
        node: String,
    ) -> Result<PostgresDatabase, DatabaseError> {
        PostgresDatabase::open_with(address, node, schema::migrate)
    }

    /// Opens the database at an address, which has the tables already.
    pub fn open_existing(
        address: &DatabaseAddress,
        node: String,
    ) -> Result<PostgresDatabase, DatabaseError> {
        PostgresDatabase::open_with(address, node, schema::migrate_existing)
    }

    fn open_with(
        address: &DatabaseAddress,
        node: String,
        migrate: fn(&mut Client) -> Result<(), StatementError>,
    ) -> Result<PostgresDatabase, DatabaseError> {
        let connect = |name| DatabaseConnection::new(name, address.clone());
        let database = PostgresDatabase {
            node,
            writer: connect("db-write"),
            reader: connect("db-read"),
            blobs: connect("db-blobs"),
            listener: connect("db-listen"),
            is_listening: AtomicBool::new(false),
            sender: new_commit_id(),
            signals: Arc::default(),
        };
        // The reader is wanted next, and connects meanwhile.
        let connect_ahead = Box::new(|state: &mut ConnectionThread| _ = state.client());
        database.reader.send(connect_ahead).map_err(StatementError::into_database_error)?;
        database
            .writer
            .call(move |it| migrate(it.client()?))
            .map_err(StatementError::into_database_error)?;
        let check = |state: &mut ConnectionThread| {
            let row = state.client()?.query_one(DURABILITY, &[]);
            get::<String>(&row.map_err(StatementError::of_statement)?, 0)
        };
        let missing = database.writer.call(check).map_err(StatementError::into_database_error)?;
        if !missing.is_empty() {
            tracing::warn!(reason = missing, "acknowledged changes are lost with the primary");
        }
        Ok(database)
    }

    /// Finds out what became of a commit whose connection was lost: whoever gets the turn knows
    /// that it is over. Nothing is returned if it was not made.
    fn find_commit(&self, id: &str) -> Result<Option<Position>, DatabaseError> {
        let until = Instant::now() + FIND_OUT_MAX;
        loop {
            let id = id.to_string();
            let found = self.writer.call(move |state| {
                let client = state.client()?;
                client
                    .execute("SELECT recto.begin_turn($1)", &[&i64::MAX])
                    .map_err(StatementError::of_statement)?;
                let row = client
                    .query_opt("SELECT position FROM recto.log WHERE id = $1", &[&id])
                    .map_err(StatementError::of_statement)?;
                // A primary that was started again shows commits that its standby does not have
                // yet. This one waits for the standby, and so for those before it.
                client
                    .execute("UPDATE recto.info SET touched = now()", &[])
                    .map_err(StatementError::of_statement)?;
                // Others may have committed since: the turn was lost with the connection.
                client
                    .execute("SELECT recto.end_turn()", &[])
                    .map_err(StatementError::of_statement)?;
                row.map(|it| get(&it, 0)).transpose()
            });
            match found {
                Ok(found) => return Ok(found.map(i64::cast_unsigned)),
                Err(error) if Instant::now() >= until => {
                    let error = error.into_database_error();
                    return Err(DatabaseError::Uncertain(error.to_string()));
                }
                Err(_) => thread::sleep(TRY_AGAIN),
            }
        }
    }
}

impl Database for PostgresDatabase {
    fn database_id(&self) -> Result<String, DatabaseError> {
        let read = |state: &mut ConnectionThread| {
            let row = state.client()?.query_one("SELECT id FROM recto.info", &[]);
            get(&row.map_err(StatementError::of_statement)?, 0)
        };
        self.reader.call(read).map_err(StatementError::into_database_error)
    }

    fn begin_turn(&self, seen: &Seen, sink: FileSink<'_>) -> Result<LogPage, DatabaseError> {
        let begun = match self.try_begin_turn(seen, sink) {
            // The connection has ended since it was used last. There may be a better one by now.
            Err(StatementError::Lost(_)) => self.try_begin_turn(seen, sink),
            begun => begun,
        };
        begun.map_err(StatementError::into_database_error)
    }

    fn end_turn(&self) {
        let ended = self.writer.send(Box::new(|state| {
            if std::mem::take(&mut state.has_turn)
                && let Ok(client) = state.client()
            {
                // If it fails the connection is lost, and the turn with it.
                let _ = client.execute("SELECT recto.end_turn()", &[]);
            }
        }));
        if ended.is_err() {
            self.writer.give_up();
        }
    }

    fn commit(&self, change: &DatabaseChange) -> Result<Position, DatabaseError> {
        let (columns, node) = (ChangeColumns::new(change), self.node.clone());
        let committed = self.writer.call(move |state| {
            // Another connection does not have the turn.
            if state.is_new() || !state.has_turn {
                return Err(StatementError::NotConnected("the turn was lost".to_string()));
            }
            let client = state.client()?;
            let row = client.query_one(
                "SELECT recto.commit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
                &[
                    &columns.id,
                    &node,
                    &columns.after,
                    &columns.created,
                    &columns.removed,
                    &columns.folders,
                    &columns.events,
                    &columns.paths,
                    &columns.bytes,
                    &columns.blobs,
                    &columns.sizes,
                    &columns.sums,
                    &columns.times,
                ],
            );
            get::<i64>(&row.map_err(StatementError::of_statement)?, 0)
        });
        match committed {
            Ok(position) => Ok(position.cast_unsigned()),
            // Others have committed since the turn began, so it was lost.
            Err(StatementError::Refused(code, message)) if code == "40001" => {
                Err(DatabaseError::Unavailable(message))
            }
            Err(StatementError::Refused(code, message)) if code == "23505" => {
                Err(DatabaseError::Exists(message.trim_start_matches("ERROR: ").to_string()))
            }
            Err(StatementError::Lost(message)) => match self.find_commit(&change.id)? {
                Some(position) => Ok(position),
                None => Err(DatabaseError::Unavailable(message)),
            },
            Err(error) => Err(error.into_database_error()),
        }
    }

    fn read_log(&self, seen: &Seen, sink: FileSink<'_>) -> Result<LogPage, DatabaseError> {
        let seen = seen.clone();
        let read = move |state: &mut ConnectionThread, pass: &dyn Fn(DatabaseFile)| {
            let position = seen.position.cast_signed();
            let mut snapshot = begin_snapshot(state.client()?)?;
            let rows = snapshot
                .query(
                    "SELECT * FROM recto.log WHERE position >= $1 ORDER BY position",
                    &[&position],
                )
                .map_err(StatementError::of_statement)?;
            let Some(commits) = parse_log(&rows, &seen)? else { return Ok(LogPage::Unknown) };
            let missing = pass_files(&mut snapshot, &commits, pass)?;
            snapshot.commit().map_err(StatementError::of_statement)?;
            Ok(LogPage::Commits { commits, missing })
        };
        self.reader.stream(read, sink).map_err(StatementError::into_database_error)
    }

    fn is_empty(&self) -> Result<bool, DatabaseError> {
        let read = |state: &mut ConnectionThread| {
            let row = state.client()?.query_one("SELECT NOT EXISTS (SELECT FROM recto.file)", &[]);
            get(&row.map_err(StatementError::of_statement)?, 0)
        };
        self.reader.call(read).map_err(StatementError::into_database_error)
    }

    fn read_files(&self, each: &mut dyn FnMut(DatabaseFileFacts)) -> Result<Seen, DatabaseError> {
        let read = |state: &mut ConnectionThread, pass: &dyn Fn(DatabaseFileFacts)| {
            let mut snapshot = begin_snapshot(state.client()?)?;
            let last = snapshot
                .query_opt("SELECT position, id FROM recto.log ORDER BY position DESC LIMIT 1", &[])
                .map_err(StatementError::of_statement)?;
            let no_parameters: [&str; 0] = [];
            let mut rows = snapshot
                .query_raw("SELECT path, size, sum, modified_ns FROM recto.file", no_parameters)
                .map_err(StatementError::of_statement)?;
            while let Some(row) = rows.next().map_err(StatementError::of_statement)? {
                pass(parse_facts(&row)?);
            }
            let Some(last) = last else { return Ok(Seen::default()) };
            Ok(Seen { position: get::<i64>(&last, 0)?.cast_unsigned(), commit: get(&last, 1)? })
        };
        let each = |facts| {
            each(facts);
            Ok(())
        };
        self.reader.stream(read, each).map_err(StatementError::into_database_error)
    }

    fn fetch_files(&self, paths: &[String]) -> Result<Vec<DatabaseFile>, DatabaseError> {
        let paths = paths.to_vec();
        let read = move |state: &mut ConnectionThread| {
            let (client, files) = state.prepare(FILES)?;
            let rows = client.query(&files, &[&paths]).map_err(StatementError::of_statement);
            if rows.is_err() {
                // The database may have forgotten it, or planned it for another table.
                state.forget_prepared();
            }
            rows
        };
        // Parsed by whoever asked, while the connection goes on with what another thread wants.
        let rows = self.reader.call(read);
        let files = rows.and_then(|rows| rows.iter().map(parse_file).collect());
        files.map_err(StatementError::into_database_error)
    }

    fn read_blob(&self, blob: &BlobId, into: &mut dyn io::Write) -> Result<(), DatabaseError> {
        let id = blob.0.to_vec();
        let read = move |state: &mut ConnectionThread, pass: &dyn Fn(Vec<u8>)| {
            for part in 0.. {
                let row = state
                    .client()?
                    .query_opt(
                        "SELECT bytes FROM recto.blob WHERE id = $1 AND part = $2",
                        &[&id, &part],
                    )
                    .map_err(StatementError::of_statement)?;
                match row {
                    Some(row) => pass(get(&row, 0)?),
                    None if part == 0_i32 => {
                        let message = "a large content is missing".to_string();
                        return Err(StatementError::Refused(String::new(), message));
                    }
                    None => break,
                }
            }
            Ok(())
        };
        let write = |bytes: Vec<u8>| {
            into.write_all(&bytes).map_err(crate::store::error::StoreError::io("write", "a blob"))
        };
        self.blobs.stream(read, write).map_err(StatementError::into_database_error)
    }

    fn store_blob(&self, blob: &BlobId, from: &mut dyn io::Read) -> Result<(), DatabaseError> {
        let id = blob.0.to_vec();
        let is_there = self
            .blobs
            .call({
                let id = id.clone();
                move |state| {
                    // It is about to be used again, so it is not too old to be kept.
                    let touched = state
                        .client()?
                        .execute(
                            "UPDATE recto.blob SET stored_at = now() WHERE id = $1 AND part = 0",
                            &[&id],
                        )
                        .map_err(StatementError::of_statement)?;
                    Ok(touched > 0)
                }
            })
            .map_err(StatementError::into_database_error)?;
        if is_there {
            return Ok(());
        }
        // The first part is stored last: it tells that all are there.
        let mut first = None;
        for part in 0_i32.. {
            let mut bytes = Vec::with_capacity(PART_BYTES);
            io::Read::take(&mut *from, PART_BYTES as u64)
                .read_to_end(&mut bytes)
                .map_err(|it| DatabaseError::Refused(it.to_string()))?;
            if bytes.is_empty() {
                break;
            }
            if part == 0 {
                first = Some(bytes);
            } else {
                self.store_part(id.clone(), part, bytes)?;
            }
        }
        first.map_or(Ok(()), |bytes| self.store_part(id, 0, bytes))
    }

    fn clean_up(&self) -> Result<(), DatabaseError> {
        let clean = |state: &mut ConnectionThread| {
            state.client()?.batch_execute(CLEAN_UP).map_err(StatementError::of_statement)
        };
        self.blobs.call(clean).map_err(StatementError::into_database_error)
    }

    fn try_lead(&self) -> bool {
        let lead = |state: &mut ConnectionThread| {
            if state.is_new() || !state.leads {
                let row = state
                    .client()?
                    .query_one("SELECT pg_try_advisory_lock(7379284, 3)", &[])
                    .map_err(StatementError::of_statement)?;
                state.leads = get(&row, 0)?;
            }
            Ok(state.leads)
        };
        self.reader.call(lead).unwrap_or(false)
    }

    fn send_signal(&self, text: &str) -> Result<(), DatabaseError> {
        let text = format!("{} {text}", self.sender);
        let send = move |state: &mut ConnectionThread| {
            let sent = state.client()?.execute("SELECT pg_notify('recto_signal', $1)", &[&text]);
            sent.map(drop).map_err(StatementError::of_statement)
        };
        self.reader.call(send).map_err(StatementError::into_database_error)
    }

    fn take_signals(&self) -> Vec<String> {
        std::mem::take(&mut *self.signals.lock())
    }

    fn wait_for_commits(&self, at_most: Duration) {
        let (signals, sender) = (self.signals.clone(), self.sender.clone());
        let was_listening = self.is_listening.load(Relaxed);
        let waited = self.listener.call(move |state| {
            let is_new = state.is_new();
            let client = state.client()?;
            if is_new || !was_listening {
                client
                    .batch_execute("LISTEN recto; LISTEN recto_signal")
                    .map_err(StatementError::of_statement)?;
                // What came before is not told.
                return Ok(());
            }
            let mut notifications = client.notifications();
            let mut came = notifications.timeout_iter(at_most).next();
            while let Some(one) = came.map_err(StatementError::of_statement)? {
                let text =
                    one.payload().split_once(' ').filter(|_| one.channel() == "recto_signal");
                if let Some((_, text)) = text.filter(|(from, _)| *from != sender) {
                    signals.lock().push(text.to_string());
                }
                // All that are there are one.
                came = notifications.iter().next();
            }
            // All that are there are one.
            let mut others = notifications.iter();
            while others.next().map_err(StatementError::of_statement)?.is_some() {}
            Ok(())
        });
        self.is_listening.store(waited.is_ok(), Relaxed);
        if waited.is_err() {
            thread::sleep(at_most.min(TRY_AGAIN));
        }
    }
}

impl PostgresDatabase {
    fn try_begin_turn(&self, seen: &Seen, sink: FileSink<'_>) -> Result<LogPage, StatementError> {
        let seen = seen.clone();
        let begin = move |state: &mut ConnectionThread, pass: &dyn Fn(DatabaseFile)| {
            let position = seen.position.cast_signed();
            let begun = state
                .client()?
                .query("SELECT * FROM recto.begin_turn($1)", &[&position])
                .map_err(StatementError::of_statement)?;
            state.has_turn = true;
            let Some(commits) = parse_log(&begun, &seen)? else { return Ok(LogPage::Unknown) };
            let missing = pass_files(state.client()?, &commits, pass)?;
            Ok(LogPage::Commits { commits, missing })
        };
        let begun = self.writer.stream(begin, sink);
        begun.inspect_err(|error| {
            // Nobody knows whether the turn began.
            if !matches!(error, StatementError::Refused(..) | StatementError::NotConnected(_)) {
                self.writer.give_up();
            }
        })
    }

    fn store_part(&self, id: Vec<u8>, part: i32, bytes: Vec<u8>) -> Result<(), DatabaseError> {
        let store = move |state: &mut ConnectionThread| {
            state
                .client()?
                .execute(
                    "INSERT INTO recto.blob (id, part, bytes) VALUES ($1, $2, $3) \
                     ON CONFLICT DO NOTHING",
                    &[&id, &part, &bytes],
                )
                .map(drop)
                .map_err(StatementError::of_statement)
        };
        self.blobs.call(store).map_err(StatementError::into_database_error)
    }
}

/// Removes what nobody needs: lines of the log that every server has read, or will not ask for
/// because it compares all files, and large contents that no file has any more.
const CLEAN_UP: &str = "\
    DELETE FROM recto.log WHERE at < now() - interval '7 days' \
        AND position < (SELECT max(position) FROM recto.log); \
    DELETE FROM recto.blob b WHERE b.id IN (SELECT id FROM recto.blob \
        WHERE part = 0 AND stored_at < now() - interval '1 day') \
        AND NOT EXISTS (SELECT FROM recto.file f WHERE f.blob = b.id)";

/// Returns what is missing for changes to survive the loss of the primary.
const DURABILITY: &str = "\
    SELECT CASE \
        WHEN current_setting('synchronous_commit') = 'off' THEN 'synchronous_commit is off' \
        WHEN current_setting('synchronous_standby_names') = '' THEN 'no standby is synchronous' \
        ELSE '' END";

/// The columns of the statement that makes a change.
struct ChangeColumns {
    id: String,
    after: i64,
    created: Vec<String>,
    removed: Vec<String>,
    folders: Vec<String>,
    events: String,
    paths: Vec<String>,
    bytes: Vec<Option<Vec<u8>>>,
    blobs: Vec<Option<Vec<u8>>>,
    sizes: Vec<i64>,
    sums: Vec<Option<i64>>,
    times: Vec<i64>,
}

impl ChangeColumns {
    fn new(change: &DatabaseChange) -> ChangeColumns {
        let content = |file: &DatabaseFile| match &file.content {
            DatabaseContent::Bytes(bytes) => (Some(bytes.clone()), None),
            DatabaseContent::Blob(blob) => (None, Some(blob.0.to_vec())),
        };
        let facts = || change.written.iter().map(|it| &it.facts);
        let (bytes, blobs) = change.written.iter().map(content).unzip();
        ChangeColumns {
            id: change.id.clone(),
            after: change.after.cast_signed(),
            created: change.created.clone(),
            removed: change.removed.clone(),
            folders: change.folders.clone(),
            events: change.events.clone(),
            paths: facts().map(|it| it.path.clone()).collect(),
            bytes,
            blobs,
            sizes: facts().map(|it| it.size.cast_signed()).collect(),
            sums: facts().map(|it| it.sum.map(|sum| sum.0.cast_signed())).collect(),
            times: facts().map(|it| it.modified_ns).collect(),
        }
    }
}

/// The files with these paths.
const FILES: &str =
    "SELECT path, size, sum, modified_ns, bytes, blob FROM recto.file WHERE path = ANY ($1)";

/// Begins to read what there is at one moment.
fn begin_snapshot(client: &mut Client) -> Result<Transaction<'_>, StatementError> {
    let snapshot = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    snapshot.read_only(true).start().map_err(StatementError::of_statement)
}

/// Passes the files that commits changed on, as they are now, and returns those that are gone.
fn pass_files(
    client: &mut impl GenericClient,
    commits: &[LoggedCommit],
    pass: &dyn Fn(DatabaseFile),
) -> Result<Vec<String>, StatementError> {
    let mut missing: std::collections::BTreeSet<String> =
        commits.iter().flat_map(|it| it.paths.iter().cloned()).collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let paths: Vec<String> = missing.iter().cloned().collect();
    let parameters: [&(dyn postgres::types::ToSql + Sync); 1] = [&paths];
    let mut rows = client.query_raw(FILES, parameters).map_err(StatementError::of_statement)?;
    while let Some(row) = rows.next().map_err(StatementError::of_statement)? {
        let file = parse_file(&row)?;
        missing.remove(&file.facts.path);
        pass(file);
    }
    Ok(missing.into_iter().collect())
}

/// Returns the commits after the one that was seen; nothing if that one is not in the log.
fn parse_log(rows: &[Row], seen: &Seen) -> Result<Option<Vec<LoggedCommit>>, StatementError> {
    let mut commits = Vec::with_capacity(rows.len());
    for row in rows {
        commits.push(LoggedCommit {
            position: get::<i64>(row, "position")?.cast_unsigned(),
            id: get(row, "id")?,
            is_edit: get(row, "is_edit")?,
            paths: get(row, "paths")?,
            folders: get(row, "folders")?,
            events: get(row, "events")?,
        });
    }
    let first = commits.first();
    if first.is_none_or(|it| it.position != seen.position || it.id != seen.commit) {
        return Ok((seen.position == 0 && commits.is_empty()).then(Vec::new));
    }
    commits.remove(0);
    Ok(Some(commits))
}

fn parse_facts(row: &Row) -> Result<DatabaseFileFacts, StatementError> {
    Ok(DatabaseFileFacts {
        path: get(row, "path")?,
        size: get::<i64>(row, "size")?.cast_unsigned(),
        sum: get::<Option<i64>>(row, "sum")?.map(|it| Checksum(it.cast_unsigned())),
        modified_ns: get(row, "modified_ns")?,
    })
}

fn parse_file(row: &Row) -> Result<DatabaseFile, StatementError> {
    let facts = parse_facts(row)?;
    let content = match get::<Option<Vec<u8>>>(row, "bytes")? {
        Some(bytes) => DatabaseContent::Bytes(bytes),
        None => {
            let blob: Vec<u8> = get(row, "blob")?;
            let id = <[u8; 32]>::try_from(blob.as_slice());
            let wrong =
                |_| StatementError::Refused(String::new(), "a blob has no SHA-256".to_string());
            DatabaseContent::Blob(BlobId(id.map_err(wrong)?))
        }
    };
    Ok(DatabaseFile { facts, content })
}

/// Returns the value of a column.
fn get<'r, T: postgres::types::FromSql<'r>>(
    row: &'r Row,
    column: impl postgres::row::RowIndex + std::fmt::Display,
) -> Result<T, StatementError> {
    row.try_get(column).map_err(StatementError::of_statement)
}
