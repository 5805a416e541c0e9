//! A connection: hyper's HTTP/1 server between a watched socket and the service.
//!
//! Nothing here costs a task, a timer or a lock per request: time limits are kept by the sweep in
//! [`super::listen`] over what `conn_state` records; [`super::head_check`] checks the heads.

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

use http::HeaderValue;
use http::Request;
use http::Response;
use http::header;
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::io::ReadBuf;
use tokio::net::TcpStream;

use super::conn_state::ConnOrder;
use super::conn_state::ConnPhase;
use super::conn_state::ConnState;
use super::head_check::HeadRefusal;
use super::head_check::check_head;
use super::reply::ReplyBody;
use super::request_body::RequestBody;
use super::smuggling::HeadScan;

/// The size of the read buffer of a connection, and so the longest head.
const BUFFER_BYTES_MAX: usize = 64 * 1_024;
/// The most bytes that are read and discarded after the last response, so that the client can read
/// it.
const LINGER_BYTES_MAX: usize = 4 * 1_024 * 1_024;

/// The answer to a request.
pub enum Answer {
    /// Known at once, as that of nearly every read is: it needs no task, no timer and no future.
    Now(Response<ReplyBody>),
    /// Known later. Dropped unfinished if the client disconnects.
    Later(Pin<Box<dyn Future<Output = Response<ReplyBody>> + Send>>),
}

impl Answer {
    /// Waits for the response.
    pub async fn wait(self) -> Response<ReplyBody> {
        match self {
            Answer::Now(response) => response,
            Answer::Later(pending) => pending.await,
        }
    }
}

/// A service that turns requests into responses.
pub trait HttpService: Send + Sync + 'static {
    /// Answers one request. It must not wait for anything before it returns.
    fn call(self: &Arc<Self>, request: Request<RequestBody>, peer: SocketAddr) -> Answer;

    /// Stops the service: endless responses must end.
    fn stop(&self) {}

    /// Builds the response to a request that was refused before `call` or that panicked in it.
    /// Implementations log it.
    fn render_refusal(&self, refusal: HeadRefusal, peer: SocketAddr) -> Response<ReplyBody> {
        tracing::debug!(%peer, ?refusal, "request refused");
        refusal.to_response()
    }
}

/// The counts of all connections, for metrics.
#[derive(Debug, Default)]
pub struct Counters {
    /// Connections accepted since the start.
    pub accepted: AtomicU64,
    /// Connections that are open now.
    pub open: AtomicU64,
    /// Connections refused because their client has too many.
    pub turned_away: AtomicU64,
    /// Connections closed for being too slow or idle.
    pub cut: AtomicU64,
    /// Errors of `accept`, for example because of too many open files.
    pub accept_errors: AtomicU64,
    /// Requests refused before they reached the service.
    pub requests_refused: AtomicU64,
    /// Requests whose service panicked.
    pub panics: AtomicU64,
}

/// The context of a connection besides its socket.
pub(super) struct ConnContext<S> {
    pub(super) service: Arc<S>,
    pub(super) state: Arc<ConnState>,
    pub(super) peer: SocketAddr,
    pub(super) counters: Arc<Counters>,
}

/// Returns the settings of hyper. It gets no timer, which would have to be set and cleared for
/// every request.
pub(super) fn http1_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    // The first setting only stops further reading; the second is enforced.
    builder.max_buf_size(BUFFER_BYTES_MAX).max_header_size(BUFFER_BYTES_MAX);
    builder
}

/// Serves one connection to its end.
pub(super) async fn serve_conn<S: HttpService>(
    stream: TcpStream,
    conn: Arc<ConnContext<S>>,
    http1: http1::Builder,
) {
    let state = conn.state.clone();
    let io = TokioIo::new(WatchedSocket::new(stream, state.clone()));
    let mut connection = pin!(http1.serve_connection(io, ConnService(conn)));
    let mut draining = false;
    poll_fn(|context| {
        match state.current_order(context.waker()) {
            ConnOrder::Cut => return Poll::Ready(()),
            ConnOrder::Drain if !draining => {
                draining = true;
                connection.as_mut().graceful_shutdown();
            }
            ConnOrder::Drain | ConnOrder::Continue => {}
        }
        connection.as_mut().poll(context).map(|ended| {
            if let Err(error) = ended {
                tracing::debug!(%error, "connection ended");
            }
        })
    })
    .await;
}

/// The service of one connection: checks heads, and calls the service of the server.
struct ConnService<S>(Arc<ConnContext<S>>);

impl<S: HttpService> hyper::service::Service<Request<Incoming>> for ConnService<S> {
    type Response = Response<ReplyBody>;
    type Error = Infallible;
    type Future = PendingAnswer;

    fn call(&self, request: Request<Incoming>) -> PendingAnswer {
        let conn = &self.0;
        let number = conn.state.begin_request();
        let answer = match conn.begin_answer(number, request) {
            Ok(Answer::Now(response)) => Answer::Now(conn.finish_answer(number, Ok(response))),
            Ok(Answer::Later(mut pending)) => {
                let conn = conn.clone();
                Answer::Later(Box::pin(async move {
                    let outcome = poll_fn(|context| {
                        let polled = conn.catch_panic(|| pending.as_mut().poll(context));
                        polled.map_or_else(|it| Poll::Ready(Err(it)), |it| it.map(Ok))
                    });
                    let outcome = outcome.await;
                    conn.finish_answer(number, outcome)
                }))
            }
            Err(refusal) => Answer::Now(conn.finish_answer(number, Err(refusal))),
        };
        PendingAnswer(Some(answer))
    }
}

/// The answer that hyper waits for; empty once it is given.
struct PendingAnswer(Option<Answer>);

impl Future for PendingAnswer {
    type Output = Result<Response<ReplyBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.0.take() {
            Some(Answer::Now(response)) => Poll::Ready(Ok(response)),
            Some(Answer::Later(mut pending)) => match pending.as_mut().poll(context) {
                Poll::Ready(response) => Poll::Ready(Ok(response)),
                Poll::Pending => {
                    self.0 = Some(Answer::Later(pending));
                    Poll::Pending
                }
            },
            None => Poll::Pending,
        }
    }
}

impl<S: HttpService> ConnContext<S> {
    fn begin_answer(&self, number: u64, request: Request<Incoming>) -> Result<Answer, HeadRefusal> {
        let checked =
            self.state.flaw_of(number).map_or_else(|| check_head(&request), |it| Err(it.into()));
        if let Err(refusal) = checked {
            self.counters.requests_refused.fetch_add(1, Relaxed);
            if !request.body().is_end_stream() {
                self.state.leave_unread();
            }
            return Err(refusal);
        }
        let request = request.map(|it| RequestBody::from_wire(it, &self.state));
        self.catch_panic(|| self.service.call(request, self.peer))
    }

    fn finish_answer(
        &self,
        number: u64,
        outcome: Result<Response<ReplyBody>, HeadRefusal>,
    ) -> Response<ReplyBody> {
        let (state, refused) = (&self.state, outcome.is_err());
        let mut response =
            outcome.unwrap_or_else(|refusal| self.service.render_refusal(refusal, self.peer));
        let unread = state.take_unread();
        if unread {
            state.wish_linger();
        }
        if refused || unread || state.is_last(number) {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        state.enter_phase(ConnPhase::Replying);
        response
    }

    /// Runs a part of the service. A panic affects only this request.
    fn catch_panic<T>(&self, work: impl FnOnce() -> T) -> Result<T, HeadRefusal> {
        catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
            self.counters.panics.fetch_add(1, Relaxed);
            tracing::error!(panic = panic_text(&*panic), "the service panicked");
            HeadRefusal::Panicked
        })
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text")
}

/// A socket that reads along and keeps the connection's state.
struct WatchedSocket {
    stream: TcpStream,
    state: Arc<ConnState>,
    scan: HeadScan,
    ended: bool,
    shut: bool,
    discarded_bytes: usize,
}

impl WatchedSocket {
    fn new(stream: TcpStream, state: Arc<ConnState>) -> Self {
        let scan = HeadScan::new();
        WatchedSocket { stream, state, scan, ended: false, shut: false, discarded_bytes: 0 }
    }

    fn note_read(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            self.ended = true;
            return;
        }
        if let Some(verdict) = self.scan.feed(bytes) {
            self.state.record_last_request(verdict);
        }
        if self.state.is_in(ConnPhase::Idle) {
            self.state.enter_phase(ConnPhase::Head);
        }
    }

    fn note_written(&self, written: &Poll<io::Result<usize>>) {
        match written {
            Poll::Ready(Ok(n)) => self.state.record_written(*n),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.state.begin_stall(),
        }
        // A streamed response whose last piece was written had been treated as idle.
        if self.state.is_in(ConnPhase::Idle) {
            self.state.enter_phase(ConnPhase::Replying);
        }
    }

    /// Returns true if closing now could destroy a response that the client has not read: the
    /// system resets a connection that is closed with unread bytes.
    fn should_linger(&self) -> bool {
        let unanswered = self.scan.n_heads() > self.state.n_requests();
        !self.ended && (unanswered || self.scan.is_inside_head() || self.state.wants_linger())
    }

    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.state.is_in(ConnPhase::Lingering) {
            self.state.enter_phase(ConnPhase::Lingering);
        }
        let mut discarded = [0; 4_096];
        loop {
            let mut buffer = ReadBuf::new(&mut discarded);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            let n = buffer.filled().len();
            self.discarded_bytes = self.discarded_bytes.saturating_add(n);
            if n == 0 || self.discarded_bytes > LINGER_BYTES_MAX {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl AsyncRead for WatchedSocket {
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

impl AsyncWrite for WatchedSocket {
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

    /// Flushes. Hyper calls this when it has nothing left to write: the client has caught up.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.state.end_stall();
        if this.state.is_in(ConnPhase::Replying) {
            let inside = this.scan.is_inside_head();
            this.state.enter_phase(if inside { ConnPhase::Head } else { ConnPhase::Idle });
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
