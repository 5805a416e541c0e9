//! The life of a request: route → identify → scope → run → reply → log.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use http::HeaderMap;
use http::HeaderValue;
use http::Method;
use http::Request;
use http::Response;
use http::StatusCode;
use http::header;
use http::request::Parts;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::body::RequestBody;
use crate::http::call::Call;
use crate::http::call::PathParams;
use crate::http::compress;
use crate::http::compress::Coding;
use crate::http::conn;
use crate::http::conn::Counters;
use crate::http::error;
use crate::http::file_cache::FileCache;
use crate::http::headers;
use crate::http::headers::Networks;
use crate::http::headers::RequestIds;
use crate::http::metrics::Metrics;
use crate::http::reply::Reply;
use crate::http::reply::ReplyBody;
use crate::http::route::Access;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::router::Found;
use crate::http::router::Router;
use crate::http::routes;
use crate::http::turns::Turns;
use crate::http::vet::Refusal;
use crate::query::run::Effort;
use crate::query::snapshot::Snapshot;

/// How long a handler on a blocking thread may take before the client is told to come back.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// What is decided about answers before any request.
#[derive(Clone, Debug)]
pub struct Options {
    /// The path below which all routes lie; empty for none.
    pub base_path: String,
    /// Whose word about the client's address counts.
    pub trusted_proxies: Networks,
    /// Origins whose pages may read the public API; `*` for all.
    pub cors_origins: Vec<String>,
    /// How long caches may keep public answers without asking, in seconds.
    pub max_age_seconds: u32,
    /// How long after that they may use them while they ask, in seconds.
    pub stale_while_revalidate_seconds: u32,
    /// Whether anybody may read the metrics.
    pub metrics_public: bool,
    /// Which requests are logged.
    pub log_requests: LogRequests,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            base_path: String::new(),
            trusted_proxies: Networks::default(),
            cors_origins: vec!["*".to_string()],
            max_age_seconds: 0,
            stale_while_revalidate_seconds: 0,
            metrics_public: false,
            log_requests: LogRequests::Errors,
        }
    }
}

/// Which requests are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogRequests {
    /// None.
    None,
    /// Those that failed on the server's side.
    Errors,
    /// All.
    All,
}

/// What all requests share.
pub(crate) struct Shared {
    pub app: App,
    pub options: Options,
    pub metrics: Metrics,
    pub files: FileCache,
    pub counters: Arc<Counters>,
    router: Router<&'static Route>,
    ids: RequestIds,
    turns: Turns,
    public_cache: HeaderValue,
    /// Whether pages of any origin may read the public API.
    for_all_origins: bool,
    /// What every reply carries.
    common: HeaderMap,
    /// The same for replies of the public API when pages of any origin may read them.
    common_to_public: HeaderMap,
}

/// Answers requests.
#[derive(Clone)]
pub struct Service(Arc<Shared>);

/// A service that cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BadService {
    /// Two routes clash, or one is malformed.
    #[error("{0}")]
    Route(#[from] crate::http::router::BadRoute),
    /// The system has no randomness to give.
    #[error("no randomness for request ids: {0}")]
    Randomness(#[from] getrandom::Error),
}

impl Service {
    /// A service over an open data folder. `counters` are those of the listener.
    pub fn new(
        app: App,
        options: Options,
        counters: Arc<Counters>,
    ) -> std::result::Result<Service, BadService> {
        let mut router = Router::new(&options.base_path);
        // The table lives as long as the process; one a service, of which tests make a few.
        let table: &'static [Route] = Vec::leak(routes::table());
        for route in table {
            router.insert(&route.method, route.path, route)?;
        }
        let common = common_headers(app.engine.base_url());
        let mut common_to_public = common.clone();
        common_to_public.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
        common_to_public.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        let shared = Shared {
            for_all_origins: options.cors_origins.iter().any(|it| it == "*"),
            common,
            common_to_public,
            public_cache: public_cache(&options, None),
            app,
            metrics: Metrics::new(table),
            files: FileCache::default(),
            counters,
            router,
            ids: RequestIds::new()?,
            turns: Turns::default(),
            options,
        };
        Ok(Service(Arc::new(shared)))
    }

    /// The use cases behind it.
    pub fn app(&self) -> &App {
        &self.0.app
    }

    /// Answers a request; `peer` is the other end of the connection.
    pub async fn answer(
        &self,
        request: Request<RequestBody>,
        peer: SocketAddr,
    ) -> Response<ReplyBody> {
        let begun = Instant::now();
        let shared = &self.0;
        let (head, body) = request.into_parts();
        let id = request_id(shared, &head);
        let method = head.method.clone();
        let client = headers::client(peer.ip(), &head.headers, &shared.options.trusted_proxies);
        let found = shared.router.find(&head.method, head.uri.path());
        let (route, reply) = match found {
            Found::Route { value, params } => {
                let route: &'static Route = value;
                let params = PathParams::of(route, head.uri.path(), &params);
                // No route of this table reads a body; what came with one is not looked at.
                drop(body);
                let answered = match params {
                    Ok(params) => answered(shared, route, params, head, client.ip).await,
                    Err(error) => Err((error, head)),
                };
                (Some(route), finish(shared, route, answered, &id))
            }
            Found::WrongMethod { allow } => (None, wrong_method(shared, &head, allow, &id)),
            Found::NotFound => (None, not_found(shared, &head, &id)),
        };
        shared.metrics.record(route, reply.status, begun.elapsed());
        log(shared, route, &method, &reply, &id, client.ip, begun);
        sent(shared, route, reply, &id)
    }
}

impl conn::Service for Service {
    async fn call(&self, request: Request<RequestBody>, peer: SocketAddr) -> Response<ReplyBody> {
        self.answer(request, peer).await
    }

    fn refuse(&self, refusal: Refusal, peer: SocketAddr) -> Response<ReplyBody> {
        let id = self.0.ids.next();
        if refusal == Refusal::Panicked {
            tracing::error!(request = id, %peer, "a request panicked");
        }
        let mut response = refusal.response();
        if let Ok(id) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(headers::X_REQUEST_ID, id);
        }
        response
    }
}

/// A reply with the head of the request it answers, or an error.
type Answered = std::result::Result<(Reply, Parts, Answer), (Error, Parts)>;

/// What else shapes a reply.
struct Answer {
    caller: Caller,
    snapshot: Option<Arc<Snapshot>>,
}

fn request_id(shared: &Shared, head: &Parts) -> String {
    headers::request_id(&head.headers).map_or_else(|| shared.ids.next(), str::to_string)
}

async fn answered(
    shared: &Arc<Shared>,
    route: &'static Route,
    params: PathParams,
    head: Parts,
    client: std::net::IpAddr,
) -> Answered {
    let caller = match identified(shared, route, &head, client) {
        Ok(caller) => caller,
        Err(error) => return Err((error, head)),
    };
    let snapshot = match scoped(shared, head.uri.path(), &params) {
        Ok(snapshot) => snapshot,
        Err(error) => return Err((error, head)),
    };
    let call = Call {
        shared: shared.clone(),
        route,
        head,
        params,
        caller,
        client,
        snapshot,
        effort: Effort::Quick,
    };
    let (result, call) = run(call).await;
    match result {
        Ok(reply) => {
            Ok((reply, call.head, Answer { caller: call.caller, snapshot: call.snapshot }))
        }
        Err(error) => Err((error, call.head)),
    }
}

/// Who asks. A credential that is present must count.
fn identified(
    shared: &Shared,
    route: &Route,
    head: &Parts,
    client: std::net::IpAddr,
) -> Result<Caller> {
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
    match tokio::time::timeout(ANSWER_MAX, work).await {
        Ok(Ok(Ok(Outcome::Reply(reply)))) => Ok(reply),
        Ok(Ok(Ok(Outcome::NeedsEffort))) => Err(Error::internal("no effort suffices")),
        Ok(Ok(Err(error))) => Err(error),
        Ok(Err(failed)) => Err(Error::internal(failed)),
        Err(_) => Err(Error::storage_unavailable("the answer takes too long")),
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

/// Conditions, caching, compression.
fn finish(shared: &Shared, route: &Route, answered: Answered, id: &str) -> Reply {
    let (mut reply, head, answer) = match answered {
        Ok(answered) => answered,
        Err((error, head)) => {
            let mut reply = error::reply(&error, id);
            if let Some(source) = &error.source {
                tracing::error!(request = id, route = route.name, %source, "request failed");
            }
            if route.is_public() && !shared.for_all_origins {
                allow_origin(shared, &head, &mut reply);
            }
            return reply;
        }
    };
    if route.is_public() {
        reply.headers.push((header::VARY, if route.is_file() { FILE_VARY } else { VARY }));
        if !shared.for_all_origins {
            allow_origin(shared, &head, &mut reply);
        }
        if reply.header(&header::CACHE_CONTROL).is_none() {
            reply.headers.push((header::CACHE_CONTROL, cache_control(shared, &answer)));
        }
    }
    let coding = compress::negotiate(&head.headers);
    if is_conditional(&head) && is_kept(&head, &reply) {
        return not_modified(&head, reply, coding);
    }
    match coding {
        Some(coding) => compressed(reply, coding),
        None => reply,
    }
}

const VARY: HeaderValue = HeaderValue::from_static("authorization, accept-encoding");
const FILE_VARY: HeaderValue = HeaderValue::from_static("authorization, accept-encoding, cookie");

/// The reply in a coding, if it is worth it; another coding of an answer has another tag.
fn compressed(reply: Reply, coding: Coding) -> Reply {
    let mut reply = compress::apply(reply, Some(coding));
    if reply.header(&header::CONTENT_ENCODING).is_some()
        && let Some(tag) = reply.header(&header::ETAG).and_then(plain_tag)
        && let Some(tag) = headers::etag(&format!("{tag}-{}", coding.name()))
    {
        reply.set(header::ETAG, tag);
    }
    reply
}

/// A tag without quotes.
fn plain_tag(tag: &HeaderValue) -> Option<&str> {
    tag.to_str().ok()?.strip_prefix('"')?.strip_suffix('"')
}

/// Whether the client asks for an answer only if it is another one.
fn is_conditional(head: &Parts) -> bool {
    head.headers.contains_key(header::IF_NONE_MATCH)
        || head.headers.contains_key(header::IF_MODIFIED_SINCE)
}

/// Whether the client has this answer already, in whatever coding.
fn is_kept(head: &Parts, reply: &Reply) -> bool {
    let tag = reply.header(&header::ETAG).and_then(plain_tag);
    let modified = reply.header(&header::LAST_MODIFIED).and_then(headers::http_date);
    let asked = headers::ETags::parse(&head.headers, &header::IF_NONE_MATCH);
    let coded = asked.zip(tag).is_some_and(|(asked, tag)| {
        asked.any(|it| {
            let plain = it.tag.strip_suffix("-br").or_else(|| it.tag.strip_suffix("-gzip"));
            plain == Some(tag)
        })
    });
    reply.status.is_success() && (coded || headers::is_not_modified(&head.headers, tag, modified))
}

/// The answer to whoever has the answer. Caches take it for the one whose tag it names, so it names
/// the coding that the client has.
fn not_modified(head: &Parts, mut reply: Reply, coding: Option<Coding>) -> Reply {
    let tag = reply.header(&header::ETAG).and_then(plain_tag);
    if let Some(coded) = tag.and_then(|it| kept_coded(head, it, coding)) {
        reply.set(header::ETAG, coded);
    }
    reply.status = StatusCode::NOT_MODIFIED;
    reply.body = ReplyBody::Empty;
    let about_body = [
        header::CONTENT_TYPE,
        header::CONTENT_LENGTH,
        header::CONTENT_RANGE,
        header::ACCEPT_RANGES,
    ];
    reply.headers.retain(|(name, _)| !about_body.contains(name));
    reply
}

fn kept_coded(head: &Parts, tag: &str, coding: Option<Coding>) -> Option<HeaderValue> {
    let coded = format!("{tag}-{}", coding?.name());
    let asked = headers::ETags::parse(&head.headers, &header::IF_NONE_MATCH)?;
    let named = !matches!(asked, headers::ETags::Any) && asked.contains_weakly(&coded);
    if named { headers::etag(&coded) } else { None }
}

/// How long caches may keep an answer: never past the moment at which it changes by itself.
fn cache_control(shared: &Shared, answer: &Answer) -> HeaderValue {
    if !answer.caller.is_anonymous() {
        return HeaderValue::from_static("private, no-store");
    }
    let due = answer.snapshot.as_ref().and_then(|it| it.next_public_due());
    match due {
        Some(due) if shared.options.max_age_seconds > 0 => {
            let now = shared.app.engine.clock().now();
            public_cache(&shared.options, Some(due.seconds().saturating_sub(now.seconds())))
        }
        _ => shared.public_cache.clone(),
    }
}

fn public_cache(options: &Options, seconds_left: Option<i64>) -> HeaderValue {
    let left = seconds_left.map_or(u32::MAX, |it| u32::try_from(it).unwrap_or(0));
    let max_age = options.max_age_seconds.min(left);
    let stale = options.stale_while_revalidate_seconds.min(left - max_age);
    let text = match (max_age, stale) {
        (0, 0) => "public, max-age=0, must-revalidate".to_string(),
        (age, 0) => format!("public, max-age={age}, must-revalidate"),
        (age, stale) => format!("public, max-age={age}, stale-while-revalidate={stale}"),
    };
    HeaderValue::try_from(text)
        .unwrap_or_else(|_| HeaderValue::from_static("public, max-age=0, must-revalidate"))
}

fn allow_origin(shared: &Shared, head: &Parts, reply: &mut Reply) {
    if shared.for_all_origins {
        reply.set(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
    } else {
        let origins = &shared.options.cors_origins;
        headers::add_vary(&mut reply.headers, &[header::ORIGIN]);
        let Some(origin) = head.headers.get(header::ORIGIN) else { return };
        if !origins.iter().any(|it| it.as_bytes() == origin.as_bytes()) {
            return;
        }
        reply.set(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    reply.set(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}

const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");
const EXPOSED: HeaderValue = HeaderValue::from_static("ETag, Link, X-Request-Id");

/// Another method than the route has: a preflight, or a mistake.
fn wrong_method(shared: &Shared, head: &Parts, allow: HeaderValue, id: &str) -> Reply {
    let public = is_public_path(shared, head.uri.path());
    let mut reply = if head.method == Method::OPTIONS {
        let mut reply = Reply::new(StatusCode::NO_CONTENT);
        if public {
            reply.set(header::ACCESS_CONTROL_ALLOW_METHODS, allow.clone());
            let asked = head.headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
            let usual = HeaderValue::from_static("Authorization, Content-Type, If-Match");
            reply.set(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.unwrap_or(usual));
            reply.set(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
        }
        reply
    } else {
        error::reply(&Error::method_not_allowed(), id)
    };
    reply.set(header::ALLOW, allow);
    if public {
        allow_origin(shared, head, &mut reply);
    }
    reply
}

fn not_found(shared: &Shared, head: &Parts, id: &str) -> Reply {
    let path = below_base(shared, head.uri.path());
    let unscoped = path.and_then(|it| it.strip_prefix("/api/v1/")).is_some_and(|rest| {
        let rest = rest.trim_end_matches('/');
        let is_scoped = rest == "workspaces" || rest.starts_with("workspaces/");
        let is_path = !rest.is_empty() && !rest.contains("//") && !rest.contains('\\');
        is_path && !is_scoped
    });
    let error = if unscoped { Error::workspace_required() } else { Error::no_route() };
    let mut reply = error::reply(&error, id);
    if is_public_path(shared, head.uri.path()) {
        allow_origin(shared, head, &mut reply);
    }
    reply
}

fn below_base<'p>(shared: &Shared, path: &'p str) -> Option<&'p str> {
    let base = shared.options.base_path.trim_end_matches('/');
    path.strip_prefix(base).filter(|rest| rest.starts_with('/'))
}

fn is_public_path(shared: &Shared, path: &str) -> bool {
    let public = ["/api/v1/", "/media/", "/media-thumbs/"];
    below_base(shared, path).is_some_and(|path| public.iter().any(|it| path.starts_with(it)))
}

/// The response with what every reply carries. These fields are copied, not made anew.
fn sent(shared: &Shared, route: Option<&Route>, mut reply: Reply, id: &str) -> Response<ReplyBody> {
    if let Ok(id) = HeaderValue::from_str(id) {
        reply.headers.push((headers::X_REQUEST_ID, id));
    }
    let for_all = route.is_some_and(Route::is_public) && shared.for_all_origins;
    let common = if for_all { &shared.common_to_public } else { &shared.common };
    reply.into_response_with(common.clone())
}

/// What every reply carries.
fn common_headers(base_url: &str) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(16);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if base_url.starts_with("https:") {
        let value = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    headers
}

fn log(
    shared: &Shared,
    route: Option<&Route>,
    method: &Method,
    reply: &Reply,
    id: &str,
    client: std::net::IpAddr,
    begun: Instant,
) {
    let wanted = match shared.options.log_requests {
        LogRequests::None => false,
        LogRequests::Errors => reply.status.is_server_error(),
        LogRequests::All => true,
    };
    if wanted {
        tracing::info!(
            request = id,
            route = route.map_or("-", |it| it.name),
            %method,
            status = reply.status.as_u16(),
            micros = begun.elapsed().as_micros(),
            bytes = reply.body.len_bytes(),
            %client,
            "request"
        );
    }
}

impl Route {
    /// The names of its path parameters, in order.
    pub fn params(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|it| it.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Whether it belongs to the public API or its files.
    fn is_public(&self) -> bool {
        !matches!(self.access, Access::Monitor | Access::Operator)
    }

    fn is_file(&self) -> bool {
        self.path.starts_with("/media")
    }
}

impl Call {
    /// A second one, for the rare case that a thread still holds the first.
    fn copy(&self) -> Call {
        let mut head = Request::new(()).into_parts().0;
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
        }
    }
}
