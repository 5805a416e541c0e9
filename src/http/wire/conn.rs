//! A connection between a watched socket and the service: first on the fast path, then, when
//! anything but plain requests comes, with hyper's HTTP/1 server.
//!
//! Nothing here costs a task, a timer or a lock per request: time limits are kept by the sweep in
//! [`super::listen`] over what `conn_state` records; [`super::head_check`] checks the heads.

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::future::poll_fn;
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

use http::HeaderValue;
use http::Request;
use http::Response;
use http::header;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::conn_state::ConnOrder;
use super::conn_state::ConnPhase;
use super::conn_state::ConnState;
use super::fast_path;
use super::head_check::HeadRefusal;
use super::head_check::check_head;
use super::reply::ReplyBody;
use super::request_body::RequestBody;
use super::response::WireResponse;
use super::watched_socket::WatchedSocket;
use crate::stdx::sync::Mutex;

/// The size of the read buffer of a connection, and so the longest head.
const BUFFER_BYTES_MAX: usize = 64 * 1_024;

/// The value of `Connection` in the last response of a connection.
pub(super) const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// A response that is known later.
pub type PendingResponse = Pin<Box<dyn Future<Output = WireResponse> + Send>>;

/// The answer to a request.
pub enum Answer {
    /// Known at once, as that of nearly every read is: it needs no task, no timer and no future.
    Now(WireResponse),
    /// Known later. Dropped unfinished if the client disconnects.
    Later(PendingResponse),
}

impl Answer {
    /// Waits for the response.
    pub async fn wait(self) -> WireResponse {
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
    fn render_refusal(&self, refusal: HeadRefusal, peer: SocketAddr) -> WireResponse {
        tracing::debug!(%peer, ?refusal, "request refused");
        refusal.to_response().into()
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
    let mut socket = WatchedSocket::new(stream, state.clone());
    let Some(handover) = fast_path::serve_plain_requests(&mut socket, &conn).await else { return };
    let mut has_read = handover.read.is_empty();
    socket.put_back(handover.read);
    let service = ConnService { conn, first: Mutex::new(handover.response) };
    let mut connection = pin!(http1.serve_connection(TokioIo::new(socket), service));
    let mut draining = false;
    poll_fn(|context| {
        // Told to shut down before it has read anything, hyper would close at once.
        if !has_read {
            has_read = true;
            if connection.as_mut().poll(context).map(log_end).is_ready() {
                return Poll::Ready(());
            }
        }
        match state.current_order(context.waker()) {
            ConnOrder::Cut => return Poll::Ready(()),
            ConnOrder::Drain if !draining => {
                draining = true;
                connection.as_mut().graceful_shutdown();
            }
            ConnOrder::Drain | ConnOrder::Continue => {}
        }
        connection.as_mut().poll(context).map(log_end)
    })
    .await;
}

fn log_end(ended: hyper::Result<()>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "connection ended");
    }
}

/// The service of one connection: checks heads, and calls the service of the server.
struct ConnService<S> {
    conn: Arc<ConnContext<S>>,
    /// The response to the first request that hyper reads, if the fast path has it already.
    first: Mutex<Option<WireResponse>>,
}

impl<S: HttpService> hyper::service::Service<Request<Incoming>> for ConnService<S> {
    type Response = Response<ReplyBody>;
    type Error = Infallible;
    type Future = PendingAnswer;

    fn call(&self, request: Request<Incoming>) -> PendingAnswer {
        if let Some(response) = self.first.lock().take() {
            return PendingAnswer(Some(Answer::Now(response)));
        }
        let state = &self.conn.state;
        let request = request.map(|it| RequestBody::from_wire(it, state));
        PendingAnswer(Some(self.conn.answer(state.begin_request(), request)))
    }
}

/// The answer that hyper waits for; empty once it is given.
struct PendingAnswer(Option<Answer>);

impl Future for PendingAnswer {
    type Output = Result<Response<ReplyBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.0.take() {
            Some(Answer::Now(response)) => Poll::Ready(Ok(response.into_response())),
            Some(Answer::Later(mut pending)) => match pending.as_mut().poll(context) {
                Poll::Ready(response) => Poll::Ready(Ok(response.into_response())),
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
    /// Answers the request of this number on the connection, or begins to.
    pub(super) fn answer(self: &Arc<Self>, number: u64, request: Request<RequestBody>) -> Answer {
        match self.begin_answer(number, request) {
            Ok(Answer::Now(response)) => Answer::Now(self.finish_answer(number, Ok(response))),
            Ok(Answer::Later(mut pending)) => {
                let conn = self.clone();
                Answer::Later(Box::pin(async move {
                    let outcome = poll_fn(|context| {
                        let polled = conn.catch_panic(|| pending.as_mut().poll(context));
                        polled.map_or_else(|it| Poll::Ready(Err(it)), |it| it.map(Ok))
                    });
                    let outcome = outcome.await;
                    conn.finish_answer(number, outcome)
                }))
            }
            Err(refusal) => Answer::Now(self.finish_answer(number, Err(refusal))),
        }
    }

    fn begin_answer(
        &self,
        number: u64,
        request: Request<RequestBody>,
    ) -> Result<Answer, HeadRefusal> {
        let checked =
            self.state.flaw_of(number).map_or_else(|| check_head(&request), |it| Err(it.into()));
        if let Err(refusal) = checked {
            self.counters.requests_refused.fetch_add(1, Relaxed);
            // A body that is dropped unread makes this the last request.
            return Err(refusal);
        }
        self.catch_panic(|| self.service.call(request, self.peer))
    }

    fn finish_answer(
        &self,
        number: u64,
        outcome: Result<WireResponse, HeadRefusal>,
    ) -> WireResponse {
        let (state, refused) = (&self.state, outcome.is_err());
        let mut response =
            outcome.unwrap_or_else(|refusal| self.service.render_refusal(refusal, self.peer));
        let unread = state.take_unread();
        if unread {
            state.wish_linger();
        }
        if refused || unread || state.is_last(number) {
            response.set_header(header::CONNECTION, CLOSE);
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
