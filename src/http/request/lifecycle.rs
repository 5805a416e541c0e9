//! The life of a request on its route: identify → scope → admit → read the body → run.
//!
//! The order is part of the interface: whoever may not know of something learns nothing of it, and
//! no body is read of a caller who may not send one.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use tokio::task::JoinError;

use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::request::call::Call;
use crate::http::request::call::PathParams;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::Handler;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::identify;
use crate::http::request::input;
use crate::http::request::permission;
use crate::http::request::route::Access;
use crate::http::request::route::Route;
use crate::http::request::route::RunMode;
use crate::http::request::state::ServerState;
use crate::http::wire::headers::Client;
use crate::http::wire::reply::Reply;
use crate::http::wire::request_body::RequestBody;
use crate::query::execute::executor::Effort;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::params::QueryParams;

/// The time that a handler on a blocking thread may take before the client is told to come back.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// The seconds after which a client may try again if too many wait to log in.
const LOGIN_RETRY_SECONDS: u32 = 2;

/// A request that has found its route.
pub(crate) struct RoutedRequest {
    pub(crate) endpoint: &'static Endpoint,
    pub(crate) params: PathParams,
    pub(crate) head: Parts,
    pub(crate) body: RequestBody,
    pub(crate) client: Client,
}

/// A reply with the head of the request it answers, or an error.
pub(crate) type RequestResult = std::result::Result<(Reply, Parts, ReplyContext), (Error, Parts)>;

/// The circumstances that shape a reply beside its content.
pub(crate) struct ReplyContext {
    pub(crate) caller: Caller,
    pub(crate) snapshot: Option<Arc<Snapshot>>,
}

/// Runs a request. `id` is what logs know it by.
pub(crate) async fn run_request(
    state: &Arc<ServerState>,
    incoming: RoutedRequest,
    id: &str,
) -> RequestResult {
    let RoutedRequest { endpoint, params, head, body, client } = incoming;
    let Endpoint { route, handler } = endpoint;
    let caller = match identify::identify_caller(state, route, &head, client) {
        Ok(caller) => caller,
        Err(error) => return Err((error, head)),
    };
    let snapshot = match resolve_workspace(state, route, &head, &params) {
        Ok(snapshot) => snapshot,
        Err(error) => return Err((error, head)),
    };
    let mut call = Call {
        state: state.clone(),
        route,
        head,
        params,
        caller,
        client,
        snapshot,
        effort: Effort::Quick,
        input: None,
    };
    if route.is_mutation() || route.is_admin() {
        // Boxed: the many requests that only read carry nothing of this around.
        let input = match check_access(&call) {
            Ok(()) => Box::pin(input::read_input(&call, body, id)).await,
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
    let (result, call) = run_handler(*handler, call).await;
    match result {
        Ok(reply) => {
            Ok((reply, call.head, ReplyContext { caller: call.caller, snapshot: call.snapshot }))
        }
        Err(error) => Err((error, call.head)),
    }
}

/// The workspace of a route at this moment. Archived ones are not there.
fn resolve_workspace(
    state: &ServerState,
    route: &Route,
    head: &Parts,
    params: &PathParams,
) -> Result<Option<Arc<Snapshot>>> {
    let engine = &state.app.engine;
    let of_path = params.get(head.uri.path(), "workspace").filter(|_| !route.is_admin());
    let slug = match of_path {
        Some(slug) => slug.to_string(),
        None if route.scoped => {
            parse_workspace(head)?.unwrap_or_else(|| engine.default_workspace().to_string())
        }
        None => return Ok(None),
    };
    let snapshot = engine.snapshot(&slug).filter(|it| !it.meta.archived);
    let snapshot = snapshot.ok_or_else(|| Error::not_found("workspace", &slug))?;
    match &snapshot.meta.unsupported {
        // Served since before the format was an unknown one, or not at all.
        Some(reason) if snapshot.types().is_empty() => Err(Error::unsupported_format(reason)),
        _ => Ok(Some(snapshot)),
    }
}

/// The workspace that a request of the admin API names: in a header, or, where a browser cannot send
/// one, in the query.
fn parse_workspace(head: &Parts) -> Result<Option<String>> {
    if let Some(value) = head.headers.get(X_SERVICE_WORKSPACE) {
        let slug = value.to_str().map_err(|_| Error::not_found("workspace", "?"))?;
        return Ok(Some(slug.to_string()));
    }
    let params =
        QueryParams::parse(head.uri.query().unwrap_or_default()).map_err(Error::bad_request)?;
    Ok(params.get("workspace").map(str::to_string))
}

/// Names the workspace of a request of the admin API.
const X_SERVICE_WORKSPACE: &str = "x-service-workspace";

/// Checks that the caller has any business with a body here: the type exists for it, and some grant
/// could allow the action on something there. The exact permission is decided on what is found.
fn check_access(call: &Call) -> Result<()> {
    if let Some(snapshot) = &call.snapshot
        && let Ok(name) = call.param("collection")
    {
        content_types::find(snapshot, &call.caller, name)?;
    }
    if call.caller.is_anonymous() && call.route.access != Access::Visitor {
        return Err(Error::unauthorized("This request needs a token."));
    }
    if let Some((action, on)) = call.route.required_action()
        && !permission::could_allow(call, action, on)?
    {
        return Err(Error::forbidden(
            action,
            &format!("`{}`", permission::resource_name(call, on)),
        ));
    }
    // Looked at again for the answer: what cannot be read must not be found out after the change.
    QueryParams::parse(call.query()).map(drop).map_err(Error::bad_request)
}

/// Runs the handler where its route says, and further on where it asks for more.
async fn run_handler(handler: Handler, mut call: Call) -> (Result<Reply>, Call) {
    let mut executor = match call.route.run {
        RunMode::Inline | RunMode::Adaptive => Executor::Here,
        RunMode::Blocking => Executor::Thread,
        RunMode::LoginGate => Executor::LoginGate,
        RunMode::Lane => Executor::Lane,
    };
    loop {
        call.effort = executor.effort();
        let (answered, same) = executor.run(handler, call).await;
        call = same;
        match answered {
            Ok(HandlerOutcome::Reply(reply)) => return (Ok(reply), call),
            Ok(HandlerOutcome::NeedsEffort) if executor == Executor::Here => {
                executor = Executor::Thread;
            }
            Ok(HandlerOutcome::NeedsEffort) if executor == Executor::Thread => {
                executor = Executor::Lane;
            }
            Ok(HandlerOutcome::NeedsLane) if executor != Executor::Lane => {
                executor = Executor::Lane
            }
            Ok(HandlerOutcome::NeedsEffort | HandlerOutcome::NeedsLane) => {
                return (Err(Error::internal("no effort suffices")), call);
            }
            Err(error) => return (Err(error), call),
        }
    }
}

/// The place where a handler runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Executor {
    Here,
    Thread,
    LoginGate,
    Lane,
}

impl Executor {
    fn effort(self) -> Effort {
        match self {
            Executor::Here => Effort::Quick,
            Executor::Thread | Executor::LoginGate => Effort::Thorough,
            Executor::Lane => Effort::Heavy,
        }
    }

    async fn run(self, handler: Handler, call: Call) -> (Result<HandlerOutcome>, Call) {
        if self == Executor::Here {
            return (catch_panic(handler, &call), call);
        }
        let call = Arc::new(call);
        let result = self.run_blocking(handler, &call).await;
        // The blocking thread has let go of the call, unless the time was up.
        match Arc::try_unwrap(call) {
            Ok(call) => (result, call),
            Err(held) => (result, held.copy_without_input()),
        }
    }

    async fn run_blocking(self, handler: Handler, call: &Arc<Call>) -> Result<HandlerOutcome> {
        let (state, on_thread) = (&call.state, call.clone());
        let work = move || catch_panic(handler, &on_thread);
        match self {
            Executor::Here | Executor::Thread => {
                with_time_limit(call, state.blocking_pool.run(work)).await
            }
            Executor::LoginGate => {
                let _place = state.login_gate.acquire_place().ok_or_else(crowded_error)?;
                with_time_limit(call, state.login_gate.pool().run(work)).await
            }
            Executor::Lane => {
                let place = state.lane.acquire_place(&call.lane_key()).ok_or_else(busy_error)?;
                with_time_limit(call, place.run(work)).await
            }
        }
    }
}

/// Waits for work on a blocking thread, but not for ever.
async fn with_time_limit(
    call: &Call,
    work: impl Future<Output = std::result::Result<Result<HandlerOutcome>, JoinError>>,
) -> Result<HandlerOutcome> {
    // What changes something runs to its end whatever is said meanwhile, so nothing is said before.
    let ended = match call.route.is_mutation() {
        true => work.await,
        false => tokio::time::timeout(ANSWER_MAX, work)
            .await
            .map_err(|_| Error::storage_unavailable("the answer takes too long"))?,
    };
    ended.map_err(Error::internal)?
}

fn busy_error() -> Error {
    Error::busy("Too many slow requests (pictures, previews, searches) are running right now.")
}

fn crowded_error() -> Error {
    Error::rate_limited("Too many people are logging in right now.", LOGIN_RETRY_SECONDS)
}

/// A panic costs this request alone.
fn catch_panic(handler: Handler, call: &Call) -> Result<HandlerOutcome> {
    catch_unwind(AssertUnwindSafe(|| handler(call))).unwrap_or_else(|panic| {
        call.state.metrics.record_panic();
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Error::internal(format!("panic: {}", text.unwrap_or_default())))
    })
}

impl Call {
    /// A second one, for the rare case that a thread still holds the first.
    fn copy_without_input(&self) -> Call {
        let mut head = http::Request::new(()).into_parts().0;
        head.method = self.head.method.clone();
        head.uri = self.head.uri.clone();
        head.headers = self.head.headers.clone();
        Call {
            state: self.state.clone(),
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
