//! The life of a request on its route: identify → scope → admit → read the body → run.
//!
//! The order is part of the interface: whoever may not know of something learns nothing of it, and
//! no body is read of a caller who may not send one.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use tokio::runtime::Handle;
use tokio::runtime::RuntimeFlavor;
use tokio::sync::oneshot;
use tokio::task::JoinError;
use tokio::task::block_in_place;
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::content::content_types;
use crate::app::content::entries::WORKSPACE_PARAM;
use crate::app::content::future::AT_PARAM;
use crate::app::content::future::open_future;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::writer::commit::QueueRun;
use crate::http::request::blocking_pool::PoolShare;
use crate::http::request::call::Call;
use crate::http::request::call::PathParams;
use crate::http::request::common_headers::PublicHeaders;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::Handler;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::QueuedChange;
use crate::http::request::identify;
use crate::http::request::input;
use crate::http::request::live_hub::StreamSlot;
use crate::http::request::permission;
use crate::http::request::query_check;
use crate::http::request::rate_limit::Quota;
use crate::http::request::respond;
use crate::http::request::route::Access;
use crate::http::request::route::CHANGE_PARAM;
use crate::http::request::route::PREVIEW_PARAM;
use crate::http::request::route::Route;
use crate::http::request::route::RunMode;
use crate::http::request::state::ServerState;
use crate::http::wire::headers::Client;
use crate::http::wire::headers::RequestId;
use crate::http::wire::headers::SentFields;
use crate::http::wire::reply::Reply;
use crate::http::wire::request_body::RequestBody;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor::Effort;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::params::QueryParams;

/// The time that a handler on a blocking thread may take before the client is told to come back.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// The longest body that the thread which read it parses: a few hundred microseconds of work.
const QUEUED_BODY_BYTES_MAX: usize = 16 * 1024;

/// The seconds after which a client may try again if too many wait to log in.
const LOGIN_RETRY_SECONDS: u32 = 2;

/// A request that has found its route.
pub(crate) struct RoutedRequest {
    pub(crate) endpoint: &'static Endpoint,
    pub(crate) params: PathParams,
    pub(crate) head: Parts,
    pub(crate) sent: SentFields,
    pub(crate) body: RequestBody,
    pub(crate) client: Client,
}

/// The reply to a request.
pub(crate) enum PendingReply {
    /// Known at once, as that of nearly every read is.
    Now(Reply),
    /// Known later.
    Later(Pin<Box<dyn Future<Output = Reply> + Send>>),
}

/// Answers a request on its route, or begins to. `id` is what logs know it by; `public` are the
/// headers of public routes.
pub(crate) fn begin_reply(
    state: &Arc<ServerState>,
    incoming: RoutedRequest,
    id: &RequestId,
    public: Option<&PublicHeaders>,
    quota: &mut Option<Quota>,
) -> PendingReply {
    let RoutedRequest { endpoint, params, head, sent, client, .. } = &incoming;
    let route = &endpoint.route;
    let caller = identify::identify_caller(state, route, head, *sent, *client);
    let caller = match &state.rate_limiter {
        Some(limiter) => {
            let now = state.app.engine.clock().now();
            limiter.admit_caller(now, route, caller, *client, quota)
        }
        None => caller,
    };
    let found = caller.and_then(|caller| {
        let live = resolve_workspace(state, route, head, params)?;
        Ok((caller, live))
    });
    match found {
        // To build an overlay takes files and time.
        Ok((caller, Some(live))) if asks_for_overlay(route, head) => {
            let (state, id) = (state.clone(), id.clone());
            PendingReply::Later(Box::pin(answer_in_overlay(state, incoming, caller, live, id)))
        }
        Ok((caller, snapshot)) => begin_call(state, incoming, caller, snapshot, id, public),
        Err(error) => {
            let failure = respond::render_failure(state, route, head, &error, id.as_str());
            PendingReply::Now(failure)
        }
    }
}

/// Finds the snapshot that shows a change on a blocking thread, and answers from it.
async fn answer_in_overlay(
    state: Arc<ServerState>,
    incoming: RoutedRequest,
    caller: Caller,
    live: Arc<Snapshot>,
    id: RequestId,
) -> Reply {
    let route = &incoming.endpoint.route;
    let query = incoming.head.uri.query().unwrap_or_default().to_string();
    let (on_thread, share) = (state.clone(), PoolShare::for_caller(&caller));
    let resolve = move || resolve_overlay(&on_thread, route, &query, caller, live);
    let found = limit_time(state.blocking_pool.run(share, resolve)).await;
    let found = found.and_then(|it| it.map_err(Error::internal)?);
    let (caller, snapshot) = match found {
        Ok(found) => found,
        Err(error) => {
            return respond::render_failure(&state, route, &incoming.head, &error, id.as_str());
        }
    };
    let public = state.headers_for(route);
    let headers = public.as_deref().map(|it| &**it);
    let answer = begin_call(&state, incoming, caller, Some(snapshot), &id, headers);
    drop(public);
    match answer {
        PendingReply::Now(reply) => reply,
        PendingReply::Later(pending) => pending.await,
    }
}

/// Answers a request whose caller and snapshot are known, or begins to.
fn begin_call(
    state: &Arc<ServerState>,
    incoming: RoutedRequest,
    caller: Caller,
    snapshot: Option<Arc<Snapshot>>,
    id: &RequestId,
    public: Option<&PublicHeaders>,
) -> PendingReply {
    let RoutedRequest { endpoint, params, head, sent, body, client } = incoming;
    let Endpoint { route, handler } = endpoint;
    let executor = Executor::for_route(route);
    let call = Call {
        state: state.clone(),
        route,
        head,
        sent,
        params,
        caller,
        client,
        snapshot,
        effort: executor.effort(),
        may_wait: true,
        input: None,
    };
    if route.is_mutation() || route.is_admin() {
        let id = id.clone();
        return PendingReply::Later(Box::pin(answer_with_input(
            executor, *handler, call, body, id,
        )));
    }
    // Nobody looks at what came with a request to read.
    drop(body);
    if executor != Executor::Here {
        let id = id.clone();
        return PendingReply::Later(Box::pin(answer_on_thread(
            executor,
            *handler,
            call.into(),
            id,
        )));
    }
    answer_here(*handler, call, id, public)
}

/// Reads what came with the request, and answers it.
async fn answer_with_input(
    mut executor: Executor,
    handler: Handler,
    mut call: Call,
    body: RequestBody,
    id: RequestId,
) -> Reply {
    let input = match check_access(&call) {
        Ok(()) => input::read_input(&call, body, id.as_str()).await,
        Err(error) => Err(error),
    };
    match input {
        Ok(input) => call.input = Some(Box::new(input)),
        Err(error) => return render_call_failure(&call, &error, &id),
    }
    if call.route.run == RunMode::Queued && call.body_bytes() > QUEUED_BODY_BYTES_MAX {
        executor = Executor::Thread;
    }
    if executor != Executor::Here {
        return answer_on_thread(executor, handler, call.into(), id).await;
    }
    let public = call.state.headers_for(call.route);
    let answer = answer_here(handler, call, &id, public.as_deref().map(|it| &**it));
    drop(public);
    match answer {
        PendingReply::Now(reply) => reply,
        PendingReply::Later(pending) => pending.await,
    }
}

/// Runs the handler on the thread that received the request, and elsewhere if it asks for more.
fn answer_here(
    handler: Handler,
    call: Call,
    id: &RequestId,
    public: Option<&PublicHeaders>,
) -> PendingReply {
    PendingReply::Now(match catch_panic(|| handler(&call), &call) {
        Ok(HandlerOutcome::Reply(reply)) => respond::finish_reply(&call, reply, public),
        Ok(HandlerOutcome::Queued(change)) => {
            let id = id.clone();
            return PendingReply::Later(Box::pin(answer_when_changed(change, handler, call, id)));
        }
        Ok(needs) => match Executor::Here.next_for(&needs) {
            Some(next) => {
                let id = id.clone();
                return PendingReply::Later(Box::pin(answer_on_thread(
                    next,
                    handler,
                    call.into(),
                    id,
                )));
            }
            None => render_call_failure(&call, &no_effort_suffices(), id),
        },
        Err(error) => render_call_failure(&call, &error, id),
    })
}

/// Queues a change, and answers when it is made. No thread waits meanwhile.
async fn answer_when_changed(
    change: QueuedChange,
    handler: Handler,
    call: Call,
    id: RequestId,
) -> Reply {
    let (done, changed) = oneshot::channel();
    let room = call.share_room();
    let done = Box::new(move |finish| {
        // The change has the body until now, whether its client waits or has left.
        drop(room);
        // If the client has left, nobody is answered.
        let _ = done.send(finish);
    });
    if let Some(run) = change.submit(call.app(), done) {
        run_queue(run);
    }
    let call = Arc::new(call);
    let outcome = match changed.await {
        Ok(finish) if finish.effort == Effort::Quick => catch_panic(|| finish.run(&call), &call),
        Ok(finish) => {
            let on_thread = call.clone();
            let work = move || catch_panic(|| finish.run(&on_thread), &on_thread);
            with_time_limit(&call, call.state.blocking_pool.run(call.pool_share(), work)).await
        }
        Err(error) => Err(Error::internal(error)),
    };
    match outcome {
        Ok(HandlerOutcome::Reply(reply)) => {
            let public = call.state.headers_for(call.route);
            respond::finish_reply(&call, reply, public.as_deref().map(|it| &**it))
        }
        Ok(needs) => match Executor::Here.next_for(&needs) {
            Some(next) => answer_on_thread(next, handler, call, id).await,
            None => render_call_failure(&call, &no_effort_suffices(), &id),
        },
        Err(error) => render_call_failure(&call, &error, &id),
    }
}

/// Makes the changes that wait. That of a lone writer is made on this thread, so that the answer
/// waits for no other one, which takes over the requests of this thread meanwhile.
#[expect(clippy::disallowed_methods, reason = "the route table says that the change is queued")]
fn run_queue(mut run: QueueRun) {
    let has_threads = Handle::current().runtime_flavor() != RuntimeFlavor::CurrentThread;
    let is_over = has_threads && run.is_of_lone_writer() && !block_in_place(|| run.run_batch());
    if !is_over {
        drop(spawn_blocking(move || run.run_all()));
    }
}

/// Runs the handler on a blocking thread, and further on where it asks for more.
async fn answer_on_thread(
    first: Executor,
    handler: Handler,
    mut call: Arc<Call>,
    id: RequestId,
) -> Reply {
    let mut executor = first;
    let mut waiting = None;
    loop {
        // Nobody else has the call between two attempts: the thread has let go of it.
        if let Some(call) = Arc::get_mut(&mut call) {
            call.effort = executor.effort();
        }
        let error = match executor.run_blocking(handler, &call).await {
            Ok(HandlerOutcome::Reply(reply)) => {
                let public = call.state.headers_for(call.route);
                return respond::finish_reply(&call, reply, public.as_deref().map(|it| &**it));
            }
            Ok(HandlerOutcome::Waits(limit)) => {
                match wait_for_change(&mut call, &mut waiting, limit).await {
                    Ok(()) => continue,
                    Err(error) => error,
                }
            }
            Ok(needs) => match executor.next_for(&needs) {
                Some(next) => {
                    executor = next;
                    continue;
                }
                None => no_effort_suffices(),
            },
            Err(error) => error,
        };
        return render_call_failure(&call, &error, &id);
    }
}

/// A request that waits for a change, with its place among those that do.
struct WaitingCall {
    deadline: Instant,
    _slot: StreamSlot,
}

/// Waits until the content has changed or the time is up, and prepares the call to be made again:
/// its caller may have lost the token meanwhile.
async fn wait_for_change(
    call: &mut Arc<Call>,
    waiting: &mut Option<WaitingCall>,
    limit: Duration,
) -> Result<()> {
    let shared = || Error::internal("the call is used elsewhere");
    let call = Arc::get_mut(call).ok_or_else(shared)?;
    let state = call.state.clone();
    let deadline = match waiting {
        Some(it) => it.deadline,
        None => {
            let slot = StreamSlot::acquire_wait(&state.live_hub, &call.caller, call.client)?;
            waiting.insert(WaitingCall { deadline: Instant::now() + limit, _slot: slot }).deadline
        }
    };
    let seen = call.snapshot()?.clone();
    let mut stopped = state.live_hub.watch_stop();
    call.may_wait = tokio::select! {
        biased;
        _ = stopped.wait_for(|it| *it) => false,
        () = state.live_hub.wait_for_other(&state.app, &seen) => true,
        () = tokio::time::sleep_until(deadline) => false,
    };
    call.caller =
        identify::identify_caller(&state, call.route, &call.head, call.sent, call.client)?;
    call.snapshot = resolve_workspace(&state, call.route, &call.head, &call.params)?;
    Ok(())
}

fn render_call_failure(call: &Call, error: &Error, id: &RequestId) -> Reply {
    respond::render_failure(&call.state, call.route, &call.head, error, id.as_str())
}

fn no_effort_suffices() -> Error {
    Error::internal("the handler asked for more effort than there is")
}

/// The workspace of a route.
pub(crate) fn resolve_workspace(
    state: &ServerState,
    route: &Route,
    head: &Parts,
    params: &PathParams,
) -> Result<Option<Arc<Snapshot>>> {
    let engine = &state.app.engine;
    let of_path = params.get(route, head.uri.path(), "workspace").filter(|_| !route.is_admin());
    let slug = match of_path {
        Some(slug) => Cow::Borrowed(slug),
        None if route.scoped => {
            let named = parse_workspace(head)?;
            Cow::Owned(named.unwrap_or_else(|| engine.registry().default_workspace().to_string()))
        }
        None => return Ok(None),
    };
    find_workspace(engine, &slug).map(Some)
}

/// Returns a workspace at this moment. Archived ones are not there.
pub(crate) fn find_workspace(engine: &Engine, slug: &str) -> Result<Arc<Snapshot>> {
    let snapshot = engine.snapshot(slug).filter(|it| !it.meta.archived);
    let snapshot = snapshot.ok_or_else(|| Error::not_found("workspace", slug))?;
    match &snapshot.meta.unsupported {
        // Served since before the format was an unknown one, or not at all.
        Some(reason) if snapshot.types().is_empty() => Err(Error::unsupported_format(reason)),
        _ => Ok(snapshot),
    }
}

/// Returns true if a request asks to see something else than what is live.
fn asks_for_overlay(route: &Route, head: &Parts) -> bool {
    let query = head.uri.query().unwrap_or_default();
    let names = [CHANGE_PARAM, PREVIEW_PARAM, AT_PARAM];
    // Nearly every query is done with here. A name may be written with escapes.
    let may_ask = |pair: &str| {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        name.contains('%') || names.contains(&name)
    };
    if !query.split('&').any(may_ask) || !route.shows_changes() {
        return false;
    }
    // One that cannot be read fails where it is read.
    QueryParams::parse(query).is_ok_and(|it| names.iter().any(|name| it.get(name).is_some()))
}

/// The caller and the snapshot after a request asked to see a change or a future moment. The holder
/// of a preview link is an anonymous reader.
fn resolve_overlay(
    state: &ServerState,
    route: &Route,
    query: &str,
    caller: Caller,
    live: Arc<Snapshot>,
) -> Result<(Caller, Arc<Snapshot>)> {
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    if let Some(at) = params.get(AT_PARAM) {
        if params.get(CHANGE_PARAM).or(params.get(PREVIEW_PARAM)).is_some() {
            let message = "This cannot be combined with `change` and `preview`.";
            return Err(Error::invalid(FieldProblems::from_problem(AT_PARAM, message)));
        }
        let overlay = open_future(&state.app, &live, &caller, at)?;
        // What will be public is what anybody will read then.
        let caller = if route.is_public() { Caller::Anonymous } else { caller };
        return Ok((caller, overlay));
    }
    if let Some(token) = params.get(PREVIEW_PARAM).filter(|_| route.is_public()) {
        let overlay = change_access::open_preview(&state.app, &live, token)?;
        return Ok((Caller::Anonymous, overlay));
    }
    let overlay = match params.get(CHANGE_PARAM) {
        Some(change) => change_access::open_change(&state.app, &live, &caller, change)?,
        None => live,
    };
    Ok((caller, overlay))
}

/// The workspace that a request of the admin API names: in a header, or, where a browser cannot
/// send one, in the query.
fn parse_workspace(head: &Parts) -> Result<Option<String>> {
    if let Some(value) = head.headers.get(X_SERVICE_WORKSPACE) {
        let slug = value.to_str().map_err(|_| Error::not_found("workspace", "?"))?;
        return Ok(Some(slug.to_string()));
    }
    let params =
        QueryParams::parse(head.uri.query().unwrap_or_default()).map_err(Error::bad_request)?;
    Ok(params.get(WORKSPACE_PARAM).map(str::to_string))
}

/// Names the workspace of a request of the admin API.
const X_SERVICE_WORKSPACE: &str = "x-service-workspace";

/// Checks that the caller has any business with a body here: the type exists for it, and some grant
/// could allow the action on something there. The exact permission is decided on what is found.
fn check_access(call: &Call) -> Result<()> {
    // A release may still propose something for a type that is gone.
    let is_of_change = call.param("change").is_ok();
    if let Some(snapshot) = &call.snapshot
        && let Ok(name) = call.param("collection")
        && !is_of_change
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
    let params = call.parse_query()?;
    query_check::check_safeguards(call.route, &params)
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
    fn for_route(route: &Route) -> Executor {
        match route.run {
            RunMode::Inline | RunMode::Adaptive | RunMode::Queued => Executor::Here,
            RunMode::Blocking => Executor::Thread,
            RunMode::LoginGate => Executor::LoginGate,
            RunMode::Lane => Executor::Lane,
        }
    }

    fn effort(self) -> Effort {
        match self {
            Executor::Here => Effort::Quick,
            Executor::Thread | Executor::LoginGate => Effort::Thorough,
            Executor::Lane => Effort::Heavy,
        }
    }

    /// Returns the next place for a handler that needs more than this one allows; `None` if there
    /// is none.
    fn next_for(self, outcome: &HandlerOutcome) -> Option<Executor> {
        match (self, outcome) {
            (
                _,
                HandlerOutcome::Reply(_) | HandlerOutcome::Queued(_) | HandlerOutcome::Waits(_),
            ) => None,
            (Executor::Here, HandlerOutcome::NeedsEffort) => Some(Executor::Thread),
            (Executor::Thread, HandlerOutcome::NeedsEffort) => Some(Executor::Lane),
            (
                Executor::Here | Executor::Thread | Executor::LoginGate,
                HandlerOutcome::NeedsLane,
            ) => Some(Executor::Lane),
            (Executor::LoginGate | Executor::Lane, _) => None,
        }
    }

    async fn run_blocking(self, handler: Handler, call: &Arc<Call>) -> Result<HandlerOutcome> {
        let (state, on_thread) = (&call.state, call.clone());
        let work = move || catch_panic(|| handler(&on_thread), &on_thread);
        match self {
            Executor::Here | Executor::Thread => {
                with_time_limit(call, state.blocking_pool.run(call.pool_share(), work)).await
            }
            Executor::LoginGate => {
                let _place = state.login_gate.acquire_place().ok_or_else(crowded_error)?;
                with_time_limit(call, state.login_gate.pool().run(PoolShare::Whole, work)).await
            }
            Executor::Lane => {
                let place = state.lane.acquire_place(call.pool_share(), &call.lane_key());
                with_time_limit(call, place.ok_or_else(busy_error)?.run(work)).await
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
        false => limit_time(work).await?,
    };
    ended.map_err(Error::internal)?
}

/// Waits for something that changes nothing, but not for ever.
async fn limit_time<T>(work: impl Future<Output = T>) -> Result<T> {
    let ended = tokio::time::timeout(ANSWER_MAX, work).await;
    ended.map_err(|_| Error::storage_unavailable("the answer took too long"))
}

fn busy_error() -> Error {
    Error::busy("Too many slow requests (pictures, previews, searches) are running right now.")
}

fn crowded_error() -> Error {
    Error::rate_limited("Too many people are logging in right now.", LOGIN_RETRY_SECONDS)
}

/// A panic costs this request alone.
fn catch_panic(
    work: impl FnOnce() -> Result<HandlerOutcome>,
    call: &Call,
) -> Result<HandlerOutcome> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        call.state.metrics.record_panic();
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Error::internal(format!("panic: {}", text.unwrap_or_default())))
    })
}
