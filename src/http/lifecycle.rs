//! The life of a request on its route: identify → scope → admit → read the body → run.
//!
//! The order is part of the interface: whoever may not know of something learns nothing of it, and
//! no body is read of a caller who may not send one.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

use http::header;
use http::request::Parts;

use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::body::RequestBody;
use crate::http::call::Call;
use crate::http::call::PathParams;
use crate::http::headers;
use crate::http::input;
use crate::http::reply::Reply;
use crate::http::route::Access;
use crate::http::route::On;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::service::Shared;
use crate::model::grant::Action;
use crate::query::run::Effort;
use crate::query::snapshot::Snapshot;

/// How long a handler on a blocking thread may take before the client is told to come back.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// A request that has found its route.
pub(super) struct Incoming {
    pub(super) route: &'static Route,
    pub(super) params: PathParams,
    pub(super) head: Parts,
    pub(super) body: RequestBody,
    pub(super) client: IpAddr,
}

/// A reply with the head of the request it answers, or an error.
pub(super) type Answered = std::result::Result<(Reply, Parts, Answer), (Error, Parts)>;

/// What else shapes a reply.
pub(super) struct Answer {
    pub(super) caller: Caller,
    pub(super) snapshot: Option<Arc<Snapshot>>,
}

/// Runs a request. `id` is what logs know it by.
pub(super) async fn answered(shared: &Arc<Shared>, incoming: Incoming, id: &str) -> Answered {
    let Incoming { route, params, head, body, client } = incoming;
    let caller = match identified(shared, route, &head, client) {
        Ok(caller) => caller,
        Err(error) => return Err((error, head)),
    };
    let snapshot = match scoped(shared, head.uri.path(), &params) {
        Ok(snapshot) => snapshot,
        Err(error) => return Err((error, head)),
    };
    let mut call = Call {
        shared: shared.clone(),
        route,
        head,
        params,
        caller,
        client,
        snapshot,
        effort: Effort::Quick,
        input: None,
    };
    if let Access::Token { action, on } = route.access {
        // Boxed: the many requests that only read carry nothing of this around.
        let input = match admitted(&call, action, on) {
            Ok(()) => Box::pin(input::read(&call, body, id)).await,
            Err(error) => Err(error),
        };
        match input {
            Ok(input) => call.input = Some(Box::new(input)),
            Err(error) => return Err((error, call.head)),
        }
    } else {
        // Nobody looks at what came with a request to read.
        drop(body);
    }
    let (result, call) = run(call).await;
    match result {
        Ok(reply) => {
            Ok((reply, call.head, Answer { caller: call.caller, snapshot: call.snapshot }))
        }
        Err(error) => Err((error, call.head)),
    }
}

/// Who asks. A credential that is present must count.
fn identified(shared: &Shared, route: &Route, head: &Parts, client: IpAddr) -> Result<Caller> {
    if route.access == Access::Monitor {
        return Ok(Caller::Anonymous);
    }
    let mut credentials = head.headers.get_all(header::AUTHORIZATION).iter();
    let caller = match (credentials.next(), credentials.next()) {
        (None, _) => Caller::Anonymous,
        (Some(value), None) => {
            let token = value.to_str().ok().and_then(bearer);
            let token = token.ok_or_else(|| Error::unauthorized("A bearer token is needed."))?;
            Caller::of_token(&shared.app.engine, token)?
        }
        // Which of two counts is nothing to guess about: a proxy may have checked the other one.
        _ => return Err(Error::unauthorized("There is more than one credential.")),
    };
    let local = headers::is_local(client, &head.headers, &shared.options.trusted_proxies);
    let operator = local || shared.options.metrics_public;
    if route.access == Access::Operator && caller.is_anonymous() && !operator {
        return Err(Error::unauthorized("This needs a token."));
    }
    Ok(caller)
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The workspace of a route at this moment. Archived ones are not there.
fn scoped(shared: &Shared, path: &str, params: &PathParams) -> Result<Option<Arc<Snapshot>>> {
    let Some(slug) = params.get(path, "workspace") else { return Ok(None) };
    let snapshot = shared.app.engine.snapshot(slug).filter(|it| !it.meta.archived);
    snapshot.map(Some).ok_or_else(|| Error::not_found("workspace", slug))
}

/// Whether the caller has any business with a body here: the type exists for it, and some grant
/// could allow the action on something there. What exactly may be done is decided on what is found.
fn admitted(call: &Call, action: Action, on: On) -> Result<()> {
    let snapshot = call.snapshot()?;
    if let Ok(name) = call.param("collection") {
        content_types::find(snapshot, &call.caller, name)?;
    }
    if call.caller.is_anonymous() {
        return Err(Error::unauthorized("This needs a token."));
    }
    if on.could(call, action)? {
        return Ok(());
    }
    Err(Error::forbidden(action, &format!("`{}`", on.name(call))))
}

/// Runs the handler where its route says.
async fn run(mut call: Call) -> (Result<Reply>, Call) {
    if call.route.run != Run::Blocking {
        match caught(&call) {
            Ok(Outcome::Reply(reply)) => return (Ok(reply), call),
            Err(error) => return (Err(error), call),
            Ok(Outcome::NeedsEffort) => {}
        }
    }
    call.effort = Effort::Thorough;
    let call = Arc::new(call);
    let result = thorough(&call).await;
    // The blocking thread has let go of the call, unless the time was up.
    match Arc::try_unwrap(call) {
        Ok(call) => (result, call),
        Err(shared) => (result, shared.copy()),
    }
}

async fn thorough(call: &Arc<Call>) -> Result<Reply> {
    let on_thread = call.clone();
    let work = call.shared.turns.run(move || caught(&on_thread));
    // What changes something runs to its end whatever is said meanwhile, so nothing is said before.
    let ended = match call.route.access {
        Access::Token { .. } => work.await,
        _ => tokio::time::timeout(ANSWER_MAX, work)
            .await
            .map_err(|_| Error::storage_unavailable("the answer takes too long"))?,
    };
    match ended.map_err(Error::internal)?? {
        Outcome::Reply(reply) => Ok(reply),
        Outcome::NeedsEffort => Err(Error::internal("no effort suffices")),
    }
}

/// A panic costs this request alone.
fn caught(call: &Call) -> Result<Outcome> {
    let handler = call.route.handler;
    catch_unwind(AssertUnwindSafe(|| handler(call))).unwrap_or_else(|panic| {
        call.shared.metrics.panicked();
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Error::internal(format!("panic: {}", text.unwrap_or_default())))
    })
}

impl Call {
    /// A second one, for the rare case that a thread still holds the first.
    fn copy(&self) -> Call {
        let mut head = http::Request::new(()).into_parts().0;
        head.method = self.head.method.clone();
        head.uri = self.head.uri.clone();
        head.headers = self.head.headers.clone();
        Call {
            shared: self.shared.clone(),
            route: self.route,
            head,
            params: self.params.clone(),
            caller: self.caller.clone(),
            client: self.client,
            snapshot: self.snapshot.clone(),
            effort: self.effort,
            input: None,
        }
    }
}
