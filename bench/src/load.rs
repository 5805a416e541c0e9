//! The load generator: keep-alive connections in a closed loop on one thread. Requests are built in
//! advance, and responses are parsed only for their length, so that it outruns the server.

use std::borrow::Cow;
use std::cell::Cell;
use std::cell::RefCell;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;
use std::time::Instant;

use memchr::memmem;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::histogram::Histogram;
use crate::wire::Chunks;
use crate::wire::Framing;
use crate::wire::Head;
use crate::wire::request_bytes;
use crate::wire::write_bytes;
use crate::words::Rng;

/// The size of the read buffer. A file of 100 KB fits, so most responses take one read.
const READ_BYTES: usize = 256 * 1024;

/// The order in which the requests of a set are sent.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// Randomly.
    Random,
    /// One after the other, continuing where the previous run stopped.
    Once,
}

/// The placeholder for the number of a write request: digits that make each request unique and
/// allow finding its result.
pub(crate) const NUMBER: &str = "########";

/// A write request with [`NUMBER`] in its body.
pub(crate) struct WriteRequest {
    /// `POST` or `PUT`.
    pub(crate) method: &'static str,
    /// The path.
    pub(crate) path: String,
    /// The body as JSON.
    pub(crate) body: String,
}

/// A set of requests as bytes, ready to send.
pub(crate) struct RequestSet {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    order: Order,
    position: Cell<usize>,
    rng: RefCell<Rng>,
    /// The number of sent requests, for write requests.
    sent: Option<Cell<u64>>,
}

/// A request and its number, if it has one.
struct Request<'a> {
    bytes: Cow<'a, [u8]>,
    number: Option<u64>,
}

impl RequestSet {
    /// Returns `GET` requests for these paths.
    pub(crate) fn new<'a>(
        authority: SocketAddr,
        paths: impl IntoIterator<Item = &'a str>,
        token: Option<&str>,
        order: Order,
    ) -> Self {
        Self::of(paths.into_iter().map(|path| request_bytes(authority, path, token)), order)
    }

    /// Returns write requests.
    pub(crate) fn writing(
        authority: SocketAddr,
        requests: impl IntoIterator<Item = WriteRequest>,
        token: &str,
        order: Order,
    ) -> Self {
        let bytes = |it: WriteRequest| write_bytes(authority, it.method, &it.path, token, &it.body);
        let sent = Some(Cell::new(0));
        RequestSet { sent, ..Self::of(requests.into_iter().map(bytes), order) }
    }

    fn of(requests: impl Iterator<Item = Vec<u8>>, order: Order) -> Self {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for request in requests {
            bytes.extend_from_slice(&request);
            ends.push(bytes.len());
        }
        let rng = RefCell::new(Rng::new(1, 1));
        RequestSet { bytes, ends, order, position: Cell::new(0), rng, sent: None }
    }

    fn next(&self) -> Request<'_> {
        let bytes = self.next_bytes();
        let Some(sent) = &self.sent else {
            return Request { bytes: bytes.into(), number: None };
        };
        sent.set(sent.get() + 1);
        let bytes = numbered(bytes, sent.get());
        Request { bytes: bytes.into(), number: Some(sent.get()) }
    }

    fn next_bytes(&self) -> &[u8] {
        let index = match self.order {
            Order::Random => self.rng.borrow_mut().below(self.ends.len()),
            Order::Once => {
                let index = self.position.get();
                self.position.set(if index + 1 < self.ends.len() { index + 1 } else { 0 });
                index
            }
        };
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before));
        let end = self.ends.get(index).copied().unwrap_or(0);
        self.bytes.get(start.copied().unwrap_or(0)..end).unwrap_or(&[])
    }
}

/// Returns the request with its number in place of [`NUMBER`].
fn numbered(request: &[u8], number: u64) -> Vec<u8> {
    let mut bytes = request.to_vec();
    let digits = number_text(number);
    if let Some(place) = memmem::find(&bytes, NUMBER.as_bytes())
        .and_then(|start| bytes.get_mut(start..start + digits.len()))
    {
        place.copy_from_slice(digits.as_bytes());
    }
    bytes
}

/// Formats a number with as many digits as [`NUMBER`] has characters.
fn number_text(number: u64) -> String {
    format!("{:08}", number % 100_000_000)
}

/// The end of a run.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    /// This time has elapsed.
    Elapsed(Duration),
    /// This many responses have arrived.
    Answered(u64),
}

/// The result of one run.
pub(crate) struct LoadReport {
    /// The number of responses with status 200 or 201.
    pub(crate) answers: u64,
    /// The number of other statuses, broken responses and lost connections.
    pub(crate) errors: u64,
    /// The first error.
    pub(crate) first_error: Option<String>,
    /// The received bytes of bodies.
    pub(crate) body_bytes: u64,
    /// The wall time of the run.
    pub(crate) elapsed: Duration,
    /// The latencies of all responses.
    pub(crate) latency: Histogram,
    /// The numbers of the writes that returned 200 or 201.
    pub(crate) acknowledged: Vec<u64>,
}

impl LoadReport {
    /// Returns the successful responses per second.
    pub(crate) fn per_second(&self) -> f64 {
        self.answers as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Returns the latency within which 99 % of the responses stay, in microseconds.
    pub(crate) fn p99_us(&self) -> f64 {
        self.latency.percentile(99.0).as_secs_f64() * 1e6
    }

    /// Returns the mean size of a body.
    pub(crate) fn body_bytes_mean(&self) -> u64 {
        self.body_bytes / self.answers.max(1)
    }
}

/// A set of open connections to one server, reused from run to run.
pub(crate) struct Load {
    runtime: tokio::runtime::Runtime,
    connections: Vec<Connection>,
}

impl Load {
    /// Opens the connections.
    pub(crate) fn connect(address: SocketAddr, n_connections: usize) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let connections = runtime.block_on(async {
            let mut connections = Vec::with_capacity(n_connections);
            for _ in 0..n_connections {
                connections.push(Connection::open(address).await?);
            }
            Ok::<_, std::io::Error>(connections)
        })?;
        Ok(Load { runtime, connections })
    }

    /// Sends requests on all connections, one at a time on each, until the end of the run.
    pub(crate) fn drive(&mut self, requests: Rc<RequestSet>, until: Until) -> LoadReport {
        let start = Instant::now();
        let run = Rc::new(Run::new(requests, until, start));
        self.drive_each(|_| Plan::Only(Rc::clone(&run)));
        run.report(start.elapsed())
    }

    /// Sends the first set on the first `n_first` connections, and the second on the others.
    pub(crate) fn drive_beside(
        &mut self,
        n_first: usize,
        [first, others]: [&Rc<RequestSet>; 2],
        time: Duration,
    ) -> [LoadReport; 2] {
        let start = Instant::now();
        let run = |requests: &Rc<RequestSet>| {
            Rc::new(Run::new(Rc::clone(requests), Until::Elapsed(time), start))
        };
        let runs = [run(first), run(others)];
        self.drive_each(|index| Plan::Only(Rc::clone(&runs[usize::from(index >= n_first)])));
        runs.map(|run| run.report(start.elapsed()))
    }

    /// Sends requests of the first set on every connection, with `percent` of the second mixed in.
    pub(crate) fn drive_mixed(
        &mut self,
        [mostly, sometimes]: [&Rc<RequestSet>; 2],
        percent: usize,
        time: Duration,
    ) -> [LoadReport; 2] {
        let start = Instant::now();
        let run = |requests: &Rc<RequestSet>| {
            Rc::new(Run::new(Rc::clone(requests), Until::Elapsed(time), start))
        };
        let runs = [run(mostly), run(sometimes)];
        let dice = Rc::new(RefCell::new(Rng::new(1, 2)));
        self.drive_each(|_| Plan::Mixed { runs: runs.clone(), percent, dice: Rc::clone(&dice) });
        runs.map(|run| run.report(start.elapsed()))
    }

    fn drive_each(&mut self, mut plan: impl FnMut(usize) -> Plan) {
        let local = LocalSet::new();
        let drive = |(index, connection): (usize, Connection)| {
            local.spawn_local(connection.drive(plan(index)))
        };
        let tasks: Vec<_> = self.connections.drain(..).enumerate().map(drive).collect();
        self.connections = local.block_on(&self.runtime, async {
            let mut connections = Vec::with_capacity(tasks.len());
            for task in tasks {
                // A connection whose task panicked is dropped.
                connections.extend(task.await);
            }
            connections
        });
    }
}

/// The requests that a connection sends.
enum Plan {
    Only(Rc<Run>),
    Mixed { runs: [Rc<Run>; 2], percent: usize, dice: Rc<RefCell<Rng>> },
}

impl Plan {
    fn next(&self) -> &Run {
        match self {
            Plan::Only(run) => run,
            Plan::Mixed { runs: [mostly, sometimes], percent, dice } => {
                if dice.borrow_mut().chance(*percent) { sometimes } else { mostly }
            }
        }
    }
}

/// The state that the connections of one run share.
struct Run {
    requests: Rc<RequestSet>,
    /// The number of requests still to be sent; `u64::MAX` without a limit.
    left: Cell<u64>,
    deadline: Option<Instant>,
    answers: Cell<u64>,
    errors: Cell<u64>,
    first_error: RefCell<Option<String>>,
    body_bytes: Cell<u64>,
    latency: RefCell<Histogram>,
    acknowledged: RefCell<Vec<u64>>,
}

impl Run {
    fn new(requests: Rc<RequestSet>, until: Until, start: Instant) -> Self {
        let (left, deadline) = match until {
            Until::Elapsed(time) => (u64::MAX, start.checked_add(time)),
            Until::Answered(n) => (n, None),
        };
        Run {
            requests,
            left: Cell::new(left),
            deadline,
            answers: Cell::new(0),
            errors: Cell::new(0),
            first_error: RefCell::new(None),
            body_bytes: Cell::new(0),
            latency: RefCell::new(Histogram::new()),
            acknowledged: RefCell::new(Vec::new()),
        }
    }

    /// Takes one of the remaining requests. Returns false at the end of the run.
    fn take_turn(&self, now: Instant) -> bool {
        let left = self.left.get();
        let goes_on = left > 0 && self.deadline.is_none_or(|deadline| now < deadline);
        if goes_on {
            self.left.set(left - 1);
        }
        goes_on
    }

    fn count(&self, number: Option<u64>, status: u16, body_bytes: u64, latency: Duration) {
        if matches!(status, 200 | 201) {
            self.acknowledged.borrow_mut().extend(number);
            self.answers.set(self.answers.get() + 1);
            self.body_bytes.set(self.body_bytes.get() + body_bytes);
            self.latency.borrow_mut().add(latency);
        } else {
            self.fail(format!("status {status}"));
        }
    }

    fn fail(&self, message: String) {
        self.errors.set(self.errors.get() + 1);
        self.first_error.borrow_mut().get_or_insert(message);
    }

    fn report(&self, elapsed: Duration) -> LoadReport {
        LoadReport {
            answers: self.answers.get(),
            errors: self.errors.get(),
            first_error: self.first_error.take(),
            body_bytes: self.body_bytes.get(),
            elapsed,
            latency: self.latency.replace(Histogram::new()),
            acknowledged: self.acknowledged.take(),
        }
    }
}

/// One keep-alive connection and its read buffer.
struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { address, stream, buffer: vec![0; READ_BYTES] })
    }

    /// Runs the closed loop. A broken connection is replaced once for each failure; if the server
    /// is gone, the loop ends.
    async fn drive(mut self, plan: Plan) -> Self {
        let mut now = Instant::now();
        loop {
            let run = plan.next();
            if !run.take_turn(now) {
                break;
            }
            let request = run.requests.next();
            let result = self.exchange(&request.bytes).await;
            let answered = Instant::now();
            match result {
                Ok((status, body_bytes)) => {
                    run.count(request.number, status, body_bytes, answered - now);
                }
                Err(error) => {
                    run.fail(error.to_string());
                    match Connection::open(self.address).await {
                        Ok(fresh) => self = fresh,
                        Err(_) => break,
                    }
                }
            }
            now = answered;
        }
        self
    }

    /// Sends one request and reads the response. Returns the status and the length of the body.
    async fn exchange(&mut self, request: &[u8]) -> std::io::Result<(u16, u64)> {
        self.send(request).await?;
        let mut filled = 0;
        let head = loop {
            filled += self.read(filled).await?;
            let read = self.buffer.get(..filled).unwrap_or(&[]);
            if let Some(head) = Head::parse(read).map_err(std::io::Error::other)? {
                break head;
            }
        };
        let body_bytes = match head.framing {
            Framing::Length(length) => {
                let mut left = length.checked_sub((filled - head.bytes) as u64);
                while let Some(wanted) = left.filter(|&wanted| wanted > 0) {
                    left = wanted.checked_sub(self.read(0).await? as u64);
                }
                left.ok_or_else(|| std::io::Error::other("more bytes than announced"))?;
                length
            }
            Framing::Chunked => self.read_chunks(head.bytes, filled).await?,
        };
        Ok((head.status, body_bytes))
    }

    /// Reads the rest of a chunked body; `start..end` of the buffer is its first part.
    async fn read_chunks(&mut self, mut start: usize, mut end: usize) -> std::io::Result<u64> {
        let (mut chunks, mut body_bytes) = (Chunks::new(), 0_u64);
        loop {
            let read = self.buffer.get(start..end).unwrap_or(&[]);
            chunks
                .feed(read, |payload| body_bytes += payload.len() as u64)
                .map_err(std::io::Error::other)?;
            if chunks.is_done() {
                return Ok(body_bytes);
            }
            start = 0;
            end = self.read(0).await?;
        }
    }

    async fn send(&self, mut bytes: &[u8]) -> std::io::Result<()> {
        while !bytes.is_empty() {
            match self.stream.try_write(bytes) {
                Ok(n) => bytes = bytes.get(n..).unwrap_or(&[]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.stream.writable().await?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads at least one byte into the buffer from `start` on.
    async fn read(&mut self, start: usize) -> std::io::Result<usize> {
        let space = self.buffer.get_mut(start..).unwrap_or(&mut []);
        match self.stream.read(space).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            n => Ok(n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_write_has_its_own_number() {
        let request = |_| WriteRequest {
            method: "PUT",
            path: "/x".into(),
            body: format!(r#"{{"rating":1.{NUMBER}}}"#),
        };
        let authority = SocketAddr::from(([127, 0, 0, 1], 80));
        let set = RequestSet::writing(authority, (0..2).map(request), "secret", Order::Random);
        for number in 1..=3 {
            let request = set.next();
            let text = String::from_utf8_lossy(&request.bytes);
            assert_eq!(request.number, Some(number));
            assert!(text.ends_with(&format!("\r\n\r\n{{\"rating\":1.0000000{number}}}")), "{text}");
            assert!(text.contains("Content-Length: 21\r\n"), "{text}");
        }
    }
}
