//! The context of a connection besides its socket, which answers its requests, whoever read them.

use std::any::Any;
use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Poll;

use http::HeaderValue;
use http::Request;
use http::header;

use super::conn_state::ConnPhase;
use super::conn_state::ConnState;
use super::counters::Counters;
use super::head_check::HeadRefusal;
use super::head_check::check_head;
use super::http_service::Answer;
use super::http_service::HttpService;
use super::peer::Peer;
use super::request_body::RequestBody;
use super::response::WireResponse;

/// The value of `Connection` in the last response of a connection.
pub(super) const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// The context of a connection besides its socket.
pub(super) struct ConnContext<S> {
    pub(super) service: Arc<S>,
    pub(super) state: Arc<ConnState>,
    pub(super) peer: Peer,
    pub(super) counters: Arc<Counters>,
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
