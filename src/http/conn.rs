//! One connection: hyper's HTTP/1 server between a watched socket and the service.
//!
//! Nothing here costs a task, a timer or a lock per request: time limits are kept by the sweep in
//! [`super::listen`] over what `pulse` records, heads are judged by [`super::vet`].

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::pin::Pin;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Context;
use std::task::Poll;
use std::task::ready;
use std::time::Duration;

use http::HeaderValue;
use http::Request;
use http::Response;
use http::header;
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::io::ReadBuf;
use tokio::net::TcpStream;

use super::body::BodyPace;
use super::body::RequestBody;
use super::framing::HeadScan;
use super::headers::Networks;
use super::pulse::Order;
use super::pulse::Phase;
use super::pulse::Pulse;
use super::reply::ReplyBody;
use super::vet::Refusal;
use super::vet::vet;

/// The read buffer of a connection, and so the longest head.
const BUFFER_BYTES_MAX: usize = 64 * 1_024;
/// What a client may still send after the last answer before it loses its chance to read it.
const LINGER_BYTES_MAX: usize = 4 * 1_024 * 1_024;
/// The most connections, whatever the system would allow.
const CONNECTIONS_MAX: usize = 4_096;

/// What turns requests into responses.
pub trait Service: Send + Sync + 'static {
    /// Answers one request. Dropped unfinished when the client leaves.
    fn call(
        &self,
        request: Request<RequestBody>,
        peer: SocketAddr,
    ) -> impl Future<Output = Response<ReplyBody>> + Send;

    /// The server stops: whatever is answered without an end has to end.
    fn stop(&self) {}

    /// Words a refusal of a request that never came to `call`, or did not come back from it, and
    /// is the place to log it.
    fn refuse(&self, refusal: Refusal, peer: SocketAddr) -> Response<ReplyBody> {
        tracing::debug!(%peer, ?refusal, "request refused");
        refusal.response()
    }
}

/// The limits of connections. The default is what the server ships with.
#[derive(Clone, Debug)]
pub struct ConnLimits {
    /// Connections at the same time; further ones wait in the system's queue.
    pub connections_max: usize,
    /// Connections of one client (an IPv4 address, an IPv6 /64) at the same time; 0 = any number.
    pub per_client_max: usize,
    /// Clients that `per_client_max` does not count: loopback, and proxies one trusts.
    pub per_client_exempt: Networks,
    /// Requests on one connection; 0 = any number.
    pub requests_max: u64,
    /// From the first byte of a head (or the connection's begin) to its end.
    pub head: Duration,
    /// Between an answer and the next request, and between two pieces of a streamed answer.
    pub idle: Duration,
    /// How long a client may leave written bytes unread, …
    pub write_stall: Duration,
    /// … and the rate it has to keep when it reads slowly.
    pub write_bytes_per_s_min: u64,
    /// How long a refused client may go on sending before the connection is gone.
    pub linger: Duration,
    /// How long requests under way may take once the server stops.
    pub drain: Duration,
    /// How slowly request bodies may come.
    pub body: BodyPace,
}

impl Default for ConnLimits {
    fn default() -> Self {
        ConnLimits {
            connections_max: connections_max(),
            per_client_max: 256,
            per_client_exempt: Networks::loopback(),
            requests_max: 1_000,
            head: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            write_stall: Duration::from_secs(30),
            write_bytes_per_s_min: 1_024,
            linger: Duration::from_secs(5),
            drain: Duration::from_secs(10),
            body: BodyPace::default(),
        }
    }
}

/// Half of the open files this process may have: the other half is for content.
fn connections_max() -> usize {
    #[cfg(unix)]
    let open_files_max = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let open_files_max = None;
    let half = open_files_max.map_or(CONNECTIONS_MAX as u64, |it: u64| it / 2);
    usize::try_from(half).unwrap_or(CONNECTIONS_MAX).clamp(1, CONNECTIONS_MAX)
}

/// What happened on all connections, for metrics.
#[derive(Debug, Default)]
pub struct Counters {
    /// Connections accepted since the start.
    pub accepted: AtomicU64,
    /// Connections open now.
    pub open: AtomicU64,
    /// Connections turned away because their client has too many.
    pub turned_away: AtomicU64,
    /// Connections cut for being too slow or idle.
    pub cut: AtomicU64,
    /// Errors of `accept`, such as running out of file descriptors.
    pub accept_errors: AtomicU64,
    /// Requests refused before they came to the service.
    pub requests_refused: AtomicU64,
    /// Requests whose service panicked.
    pub panics: AtomicU64,
}

/// What a connection needs besides its socket.
pub(super) struct Line<S> {
    pub(super) service: Arc<S>,
    pub(super) pulse: Arc<Pulse>,
    pub(super) peer: SocketAddr,
    pub(super) counters: Arc<Counters>,
}

/// hyper's settings. It gets no timer: ours would otherwise be set and cleared for every request.
pub(super) fn http1_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    // The second holds where the first only stops further reading.
    builder.max_buf_size(BUFFER_BYTES_MAX).max_header_size(BUFFER_BYTES_MAX);
    builder
}

/// Serves one connection to its end.
pub(super) async fn run<S: Service>(stream: TcpStream, line: Arc<Line<S>>, http1: http1::Builder) {
    let pulse = line.pulse.clone();
    let io = TokioIo::new(Watched::new(stream, pulse.clone()));
    let service = service_fn(move |request| answer(line.clone(), request));
    let mut connection = pin!(http1.serve_connection(io, service));
    let mut draining = false;
    poll_fn(|context| {
        match pulse.order(context.waker()) {
            Order::Cut => return Poll::Ready(()),
            Order::Drain if !draining => {
                draining = true;
                connection.as_mut().graceful_shutdown();
            }
            Order::Drain | Order::Carry => {}
        }
        connection.as_mut().poll(context).map(|ended| {
            if let Err(error) = ended {
                tracing::debug!(%error, "connection ended");
            }
        })
    })
    .await;
}

async fn answer<S: Service>(
    line: Arc<Line<S>>,
    request: Request<Incoming>,
) -> Result<Response<ReplyBody>, Infallible> {
    let pulse = &line.pulse;
    let number = pulse.begin_request();
    let vetted = pulse.flaw_of(number).map_or_else(|| vet(&request), |flaw| Err(flaw.into()));
    let outcome = match vetted {
        Ok(()) => call(&line, request).await,
        Err(refusal) => {
            line.counters.requests_refused.fetch_add(1, Relaxed);
            if !request.body().is_end_stream() {
                pulse.leave_unread();
            }
            Err(refusal)
        }
    };
    let refused = outcome.is_err();
    let mut response = outcome.unwrap_or_else(|refusal| line.service.refuse(refusal, line.peer));
    let unread = pulse.take_unread();
    if unread {
        pulse.wish_linger();
    }
    if refused || unread || pulse.is_last(number) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    pulse.enter(Phase::Replying);
    Ok(response)
}

/// Calls the service; its panic costs this request only.
async fn call<S: Service>(
    line: &Line<S>,
    request: Request<Incoming>,
) -> Result<Response<ReplyBody>, Refusal> {
    let request = request.map(|it| RequestBody::from_wire(it, &line.pulse));
    let mut call = pin!(async { line.service.call(request, line.peer).await });
    poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context))).map_or_else(
            |panic| {
                line.counters.panics.fetch_add(1, Relaxed);
                tracing::error!(panic = panic_text(&*panic), "the service panicked");
                Poll::Ready(Err(Refusal::Panicked))
            },
            |polled| polled.map(Ok),
        )
    })
    .await
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text")
}

/// A socket that reads along and keeps the pulse.
struct Watched {
    stream: TcpStream,
    pulse: Arc<Pulse>,
    scan: HeadScan,
    ended: bool,
    shut: bool,
    scrapped_bytes: usize,
}

impl Watched {
    fn new(stream: TcpStream, pulse: Arc<Pulse>) -> Self {
        let scan = HeadScan::new();
        Watched { stream, pulse, scan, ended: false, shut: false, scrapped_bytes: 0 }
    }

    fn note_read(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            self.ended = true;
            return;
        }
        if let Some(verdict) = self.scan.feed(bytes) {
            self.pulse.note(verdict);
        }
        if self.pulse.is_in(Phase::Idle) {
            self.pulse.enter(Phase::Head);
        }
    }

    fn note_written(&self, written: &Poll<io::Result<usize>>) {
        match written {
            Poll::Ready(Ok(n)) => self.pulse.wrote(*n),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.pulse.stall(),
        }
        // A streamed answer whose last piece went out was taken for idle.
        if self.pulse.is_in(Phase::Idle) {
            self.pulse.enter(Phase::Replying);
        }
    }

    /// Whether closing now could destroy an answer the client has not read: the system resets a
    /// connection that is closed with bytes unread.
    fn should_linger(&self) -> bool {
        let unanswered = self.scan.n_heads() > self.pulse.n_requests();
        !self.ended && (unanswered || self.scan.is_inside_head() || self.pulse.wants_linger())
    }

    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.pulse.is_in(Phase::Lingering) {
            self.pulse.enter(Phase::Lingering);
        }
        let mut scrap = [0; 4_096];
        loop {
            let mut buffer = ReadBuf::new(&mut scrap);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            let n = buffer.filled().len();
            self.scrapped_bytes = self.scrapped_bytes.saturating_add(n);
            if n == 0 || self.scrapped_bytes > LINGER_BYTES_MAX {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        this.note_read(buffer.filled().get(before..).unwrap_or_default());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.note_written(&written);
        written
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.note_written(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// hyper flushes when it has nothing left to write: the client has caught up.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.pulse.unstall();
        if this.pulse.is_in(Phase::Replying) {
            let inside = this.scan.is_inside_head();
            this.pulse.enter(if inside { Phase::Head } else { Phase::Idle });
        }
        Pin::new(&mut this.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.shut {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
            this.shut = true;
        }
        if this.should_linger() { this.poll_linger(context) } else { Poll::Ready(Ok(())) }
    }
}
