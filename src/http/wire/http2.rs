//! Connections that speak HTTP/2: hyper reads and writes the frames, and each request is answered
//! like one of HTTP/1.
//!
//! A request has a state of its own, as a connection of HTTP/1 has. A client that does not read one
//! of its responses loses the connection: nothing else ends a stream that waits for its window.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::pin::pin;
use std::sync::Arc;
use std::task::Context;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderValue;
use http::Method;
use http::Request;
use http::Response;
use http::header;
use http_body::Body;
use http_body::Frame;
use http_body::SizeHint;
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper_util::rt::TokioExecutor;
use hyper_util::rt::TokioIo;
use tokio::time::interval;

use super::conn_context::ConnContext;
use super::conn_state::ConnOrder;
use super::conn_state::ConnPhase;
use super::conn_state::ConnState;
use super::http_service::HttpService;
use super::reply::ReplyBody;
use super::request_body::RequestBody;
use super::socket_stream::SocketStream;
use crate::stdx::sync::Mutex;

/// The most requests that a client may have under way on one connection.
const STREAMS_MAX: u32 = 100;
/// The longest head of a request.
const HEAD_BYTES_MAX: u32 = 64 * 1_024;
/// The most bytes of a response that wait for the client.
const SEND_BYTES_MAX: usize = 256 * 1_024;
/// The interval of the search for streams that the client does not read.
const STALL_POLL: Duration = Duration::from_secs(2);

/// Serves one connection to its end.
pub(super) async fn serve_http2<S: HttpService>(stream: SocketStream, conn: Arc<ConnContext<S>>) {
    let streams = Arc::new(OpenStreams { conn: conn.state.clone(), states: Mutex::default() });
    let service = StreamService { conn: conn.clone(), streams: streams.clone() };
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEAD_BYTES_MAX)
        .max_send_buf_size(SEND_BYTES_MAX);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut stall_polls = interval(STALL_POLL);
    let mut draining = false;
    poll_fn(|context| {
        if stall_polls.poll_tick(context).is_ready() && streams.are_stalled() {
            return Poll::Ready(());
        }
        let is_over = match conn.state.current_order(context.waker()) {
            ConnOrder::Cut => return Poll::Ready(()),
            ConnOrder::LastRequest | ConnOrder::Drain => true,
            ConnOrder::Continue => !conn.state.may_follow(),
        };
        if is_over && !draining {
            draining = true;
            connection.as_mut().graceful_shutdown();
        }
        connection.as_mut().poll(context).map(|ended| {
            if let Err(error) = ended {
                tracing::debug!(%error, "connection ended");
            }
        })
    })
    .await;
}

/// The requests under way on a connection.
struct OpenStreams {
    conn: Arc<ConnState>,
    states: Mutex<HashMap<u64, Arc<ConnState>>>,
}

impl OpenStreams {
    fn are_stalled(&self) -> bool {
        let now_ms = self.conn.now_ms();
        self.states.lock().values().any(|it| it.overdue_reason(now_ms).is_some())
    }

    /// Adds a request, until its slot is dropped.
    fn add(self: &Arc<Self>) -> RequestSlot {
        let number = self.conn.begin_request();
        let state = Arc::new(self.conn.new_stream());
        self.states.lock().insert(number, state.clone());
        RequestSlot { streams: self.clone(), number, state }
    }
}

/// The place of a request among those of its connection.
struct RequestSlot {
    streams: Arc<OpenStreams>,
    number: u64,
    state: Arc<ConnState>,
}

impl Drop for RequestSlot {
    fn drop(&mut self) {
        let mut states = self.streams.states.lock();
        states.remove(&self.number);
        if states.is_empty() {
            self.streams.conn.enter_phase(ConnPhase::Idle);
        }
    }
}

/// The service of one connection.
struct StreamService<S> {
    conn: Arc<ConnContext<S>>,
    streams: Arc<OpenStreams>,
}

impl<S: HttpService> hyper::service::Service<Request<Incoming>> for StreamService<S> {
    type Response = Response<StreamBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        add_host(&mut request);
        let slot = self.streams.add();
        let conn = Arc::new(ConnContext {
            service: self.conn.service.clone(),
            state: slot.state.clone(),
            peer: self.conn.peer,
            counters: self.conn.counters.clone(),
        });
        let is_head = request.method() == Method::HEAD;
        let request = request.map(|it| RequestBody::from_wire(it, &slot.state));
        let answer = conn.answer(slot.state.begin_request(), request);
        Box::pin(async move {
            let mut response = answer.wait().await.into_response();
            // It means nothing here, and is forbidden.
            response.headers_mut().remove(header::CONNECTION);
            if is_head {
                leave_body_out(&mut response);
            }
            Ok(response.map(|body| StreamBody { body, slot }))
        })
    }
}

/// Removes the body of a response to `HEAD`, whose length is told; hyper does so in HTTP/1 alone.
fn leave_body_out(response: &mut Response<ReplyBody>) {
    let length = response.body().size_hint().exact().filter(|it| *it > 0);
    *response.body_mut() = ReplyBody::Empty;
    if let Some(length) = length {
        let entry = response.headers_mut().entry(header::CONTENT_LENGTH);
        entry.or_insert_with(|| HeaderValue::from(length));
    }
}

/// Adds the `Host` of a request that has its name in the pseudo field, as all of HTTP/2 may.
fn add_host(request: &mut Request<Incoming>) {
    if request.headers().contains_key(header::HOST) {
        return;
    }
    let authority = request.uri().authority();
    if let Some(host) = authority.and_then(|it| HeaderValue::from_str(it.as_str()).ok()) {
        request.headers_mut().insert(header::HOST, host);
    }
}

/// The body of a response, which tells what the client has taken.
struct StreamBody {
    body: ReplyBody,
    slot: RequestSlot,
}

impl Body for StreamBody {
    type Data = Bytes;
    type Error = io::Error;

    /// Polls the next piece. Hyper asks for it only when the client has room for more.
    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.slot.state.end_stall();
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            self.slot.state.record_written(frame.data_ref().map_or(0, Bytes::len));
            self.slot.state.begin_stall();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
