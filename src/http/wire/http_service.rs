//! The service that connections ask for answers.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::Request;

use super::head_check::HeadRefusal;
use super::peer::Peer;
use super::request_body::RequestBody;
use super::response::WireResponse;

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
    fn call(self: &Arc<Self>, request: Request<RequestBody>, peer: Peer) -> Answer;

    /// Stops the service: endless responses must end.
    fn stop(&self) {}

    /// Builds the response to a request that was refused before `call` or that panicked in it.
    /// Implementations log it.
    fn render_refusal(&self, refusal: HeadRefusal, peer: Peer) -> WireResponse {
        tracing::debug!(peer = %peer.address, ?refusal, "request refused");
        refusal.to_response().into()
    }
}
