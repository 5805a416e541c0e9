//! A connection between a watched socket and the service: first on the fast path, then, when
//! anything but plain requests comes, with hyper's HTTP/1 server.
//!
//! Nothing here costs a task, a timer or a lock per request: time limits are kept by the sweep in
//! [`super::listen`] over what `conn_state` records; [`super::head_check`] checks the heads.

use std::convert::Infallible;
use std::future::Future;
use std::future::poll_fn;
use std::pin::Pin;
use std::pin::pin;
use std::sync::Arc;
use std::task::Context;
use std::task::Poll;

use http::Request;
use http::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;

use super::conn_context::ConnContext;
use super::conn_state::ConnOrder;
use super::fast_path;
use super::http_service::Answer;
use super::http_service::HttpService;
use super::reply::ReplyBody;
use super::request_body::RequestBody;
use super::response::WireResponse;
use super::socket_stream::SocketStream;
use super::watched_socket::WatchedSocket;
use crate::stdx::sync::Mutex;

/// The size of the read buffer of a connection, and so the longest head.
const BUFFER_BYTES_MAX: usize = 64 * 1_024;

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
    stream: SocketStream,
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
            ConnOrder::Drain | ConnOrder::LastRequest | ConnOrder::Continue => {}
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
