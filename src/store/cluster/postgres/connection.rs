//! A connection to PostgreSQL, on a thread of its own: it is made when it is needed, made anew
//! after it failed, and nobody waits for it longer than a limit.

use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use postgres::{Client, Statement};

use crate::stdx::sync::Mutex;
use crate::store::cluster::database::DatabaseError;
use crate::store::cluster::postgres::address::DatabaseAddress;
use crate::store::cluster::postgres::error_text::describe;

/// The longest time that a call may take. What takes longer is a connection that is stalled.
const CALL_MAX: Duration = Duration::from_secs(12);

/// A piece of work on the thread of the connection.
type Job = Box<dyn FnOnce(&mut ConnectionThread) + Send>;

/// A connection, used by one caller at a time.
pub(super) struct DatabaseConnection {
    name: &'static str,
    address: DatabaseAddress,
    thread: Mutex<Option<mpsc::Sender<Job>>>,
}

/// The connection of the thread.
pub(super) struct ConnectionThread {
    address: DatabaseAddress,
    client: Option<Client>,
    /// The statement that is repeated most, as the client knows it.
    prepared: Option<(&'static str, Statement)>,
    /// True while this connection has the turn among all servers.
    pub(super) has_turn: bool,
    /// True while it has the lead.
    pub(super) leads: bool,
}

/// Why a call failed.
#[derive(Debug)]
pub(super) enum StatementError {
    /// The connection could not be made: nothing was sent.
    NotConnected(String),
    /// The connection was lost, or took too long, after something was sent.
    Lost(String),
    /// The database refused, with this code of SQLSTATE.
    Refused(String, String),
    /// The database has no tables that can be used.
    Unusable(String),
    /// An answer could not be used.
    Local(crate::store::error::StoreError),
}

impl DatabaseConnection {
    pub(super) fn new(name: &'static str, address: DatabaseAddress) -> DatabaseConnection {
        DatabaseConnection { name, address, thread: Mutex::new(None) }
    }

    /// Runs `work` on the connection.
    pub(super) fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut ConnectionThread) -> Result<T, StatementError> + Send + 'static,
    ) -> Result<T, StatementError> {
        let result = Arc::new(Mutex::new(None));
        let (result_too, (sender, receiver)) = (result.clone(), mpsc::channel());
        self.send(Box::new(move |state| {
            *result_too.lock() = Some(state.run(work));
            // Whoever asked may have given up.
            let _ = sender.send(());
        }))?;
        let answered = receiver.recv_timeout(CALL_MAX);
        let result = answered.ok().and_then(|()| result.lock().take());
        result.unwrap_or_else(|| {
            self.give_up();
            Err(StatementError::Lost("it does not answer".to_string()))
        })
    }

    /// Runs `work` on the connection, which passes values to `each` as they come.
    pub(super) fn stream<I: Send + 'static, T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut ConnectionThread, &dyn Fn(I)) -> Result<T, StatementError>
        + Send
        + 'static,
        mut each: impl FnMut(I) -> Result<(), crate::store::error::StoreError>,
    ) -> Result<T, StatementError> {
        let (sender, receiver) = mpsc::sync_channel::<Result<I, Result<T, StatementError>>>(64);
        self.send(Box::new(move |state| {
            let items = sender.clone();
            let pass = move |item| _ = items.send(Ok(item));
            let done = state.run(|state| work(state, &pass));
            let _ = sender.send(Err(done));
        }))?;
        let mut failed = None;
        loop {
            match receiver.recv_timeout(CALL_MAX) {
                Ok(Ok(item)) if failed.is_none() => failed = each(item).err(),
                Ok(Ok(_)) => {}
                Ok(Err(done)) => {
                    return match failed {
                        Some(error) => Err(StatementError::Local(error)),
                        None => done,
                    };
                }
                Err(_) => {
                    self.give_up();
                    return Err(StatementError::Lost("it does not answer".to_string()));
                }
            }
        }
    }

    /// Ends the connection; the next call makes another.
    pub(super) fn give_up(&self) {
        *self.thread.lock() = None;
    }

    /// Has `job` run, and does not wait for it.
    pub(super) fn send(&self, job: Job) -> Result<(), StatementError> {
        let mut thread = self.thread.lock();
        let job = match thread.as_ref() {
            Some(sender) => match sender.send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::SendError(job)) => job,
            },
            None => job,
        };
        let sender =
            self.start_thread().map_err(|it| StatementError::NotConnected(it.to_string()))?;
        // The thread lives as long as its sender.
        let _ = sender.send(job);
        *thread = Some(sender);
        Ok(())
    }

    fn start_thread(&self) -> std::io::Result<mpsc::Sender<Job>> {
        let (sender, receiver) = mpsc::channel::<Job>();
        let mut state = ConnectionThread {
            address: self.address.clone(),
            client: None,
            prepared: None,
            has_turn: false,
            leads: false,
        };
        thread::Builder::new().name(self.name.to_string()).spawn(move || {
            while let Ok(job) = receiver.recv() {
                job(&mut state);
            }
        })?;
        Ok(sender)
    }
}

impl ConnectionThread {
    /// Returns the client, connected.
    pub(super) fn client(&mut self) -> Result<&mut Client, StatementError> {
        if self.is_new() {
            self.disconnect();
            let client = self.address.connect().map_err(StatementError::NotConnected)?;
            self.client = Some(client);
        }
        self.client
            .as_mut()
            .ok_or_else(|| StatementError::NotConnected("no connection".to_string()))
    }

    /// Returns the client, connected, and a statement that it has prepared.
    pub(super) fn prepare(
        &mut self,
        text: &'static str,
    ) -> Result<(&mut Client, Statement), StatementError> {
        // One that is lost is replaced here, and forgets its statements.
        self.client()?;
        let known = self.prepared.take().filter(|(of, _)| *of == text);
        let client = self.client()?;
        let prepared = match known {
            Some((_, prepared)) => prepared,
            None => client.prepare(text).map_err(StatementError::of_statement)?,
        };
        self.prepared = Some((text, prepared.clone()));
        Ok((self.client()?, prepared))
    }

    /// Has the next use of a statement prepare it anew.
    pub(super) fn forget_prepared(&mut self) {
        self.prepared = None;
    }

    fn disconnect(&mut self) {
        self.client = None;
        self.prepared = None;
        self.has_turn = false;
        self.leads = false;
    }

    /// Returns true if the next call makes another connection.
    pub(super) fn is_new(&self) -> bool {
        self.client.as_ref().is_none_or(Client::is_closed)
    }

    fn run<T>(
        &mut self,
        work: impl FnOnce(&mut ConnectionThread) -> Result<T, StatementError>,
    ) -> Result<T, StatementError> {
        let done = work(self);
        if matches!(done, Err(StatementError::Lost(_))) {
            self.disconnect();
        }
        done
    }
}

impl StatementError {
    /// Returns the error of a statement.
    pub(super) fn of_statement(error: postgres::Error) -> StatementError {
        let message = describe(&error);
        match error.as_db_error() {
            // The server ends, or has ended this session.
            Some(refused) if refused.code().code().starts_with("57") => {
                StatementError::Lost(message)
            }
            Some(refused) => StatementError::Refused(refused.code().code().to_string(), message),
            None => StatementError::Lost(message),
        }
    }

    /// Returns the error of a call that changed nothing.
    pub(super) fn into_database_error(self) -> DatabaseError {
        match self {
            StatementError::NotConnected(message) | StatementError::Lost(message) => {
                DatabaseError::Unavailable(message)
            }
            StatementError::Refused(code, _) if code == "55P03" => DatabaseError::Busy,
            // A standby, which was the primary a moment ago.
            StatementError::Refused(code, message) if code == "25006" => {
                DatabaseError::Unavailable(message)
            }
            StatementError::Refused(_, message) => DatabaseError::Refused(message),
            StatementError::Unusable(message) => DatabaseError::Unusable(message),
            StatementError::Local(error) => DatabaseError::Local(error),
        }
    }
}
