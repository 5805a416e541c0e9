//! Answers requests: finds the route, lets the lifecycle run it, sends and logs what came of it.

use std::net::IpAddr;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use arc_swap::ArcSwap;
use arc_swap::Guard;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::Method;
use http::Request;
use http::Response;
use http::StatusCode;
use http::header;
use http::request::Parts;

use crate::app::App;
use crate::app::settings::Now;
use crate::http::body::Budget;
use crate::http::body::RequestBody;
use crate::http::call::PathParams;
use crate::http::call::Who;
use crate::http::conn;
use crate::http::conn::Counters;
use crate::http::deliveries::Courier;
use crate::http::file_cache::FileCache;
use crate::http::finish;
use crate::http::headers;
use crate::http::headers::Networks;
use crate::http::headers::RequestIds;
use crate::http::interface::Files;
use crate::http::interface::Interface;
use crate::http::lifecycle;
use crate::http::lifecycle::Incoming;
use crate::http::live;
use crate::http::live::Hub;
use crate::http::metrics::Metrics;
use crate::http::reply::Reply;
use crate::http::reply::ReplyBody;
use crate::http::route::Route;
use crate::http::router::Found;
use crate::http::router::Router;
use crate::http::routes;
use crate::http::streams::Streams;
use crate::http::turns::Door;
use crate::http::turns::Lane;
use crate::http::turns::Turns;
use crate::http::unrouted;
use crate::http::vet::Refusal;

/// What is decided about answers before any request.
#[derive(Clone, Debug)]
pub struct Options {
    /// The path below which all routes lie; empty for none.
    pub base_path: String,
    /// Whose word about the client's address counts.
    pub trusted_proxies: Networks,
    /// Whether release servers inside may be asked, also without https.
    pub updates_allow_private: bool,
    /// Whether anybody may read the metrics.
    pub metrics_public: bool,
    /// Which requests are logged.
    pub log_requests: LogRequests,
    /// Whether the server can be reached from its own machine alone: setting up needs no proof then.
    pub local_alone: bool,
    /// How many live streams one user may have; 0 for any number.
    pub live_streams_of_one_max: usize,
    /// Sends messages to webhooks.
    pub courier: Arc<Courier>,
    /// The files of an interface that is being worked on, in place of those of the binary.
    pub interface: Option<Arc<dyn Files>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            base_path: String::new(),
            trusted_proxies: Networks::default(),
            updates_allow_private: false,
            metrics_public: false,
            log_requests: LogRequests::Errors,
            local_alone: false,
            live_streams_of_one_max: live::STREAMS_OF_ONE_MAX,
            courier: Arc::default(),
            interface: None,
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
    pub turns: Turns,
    pub door: Door,
    pub streams: Streams,
    pub bodies: Arc<Budget>,
    pub lane: Lane<Who>,
    pub hub: Hub,
    pub interface: Interface,
    router: Router<&'static Route>,
    ids: RequestIds,
    /// What every reply carries.
    common: HeaderMap,
    /// What every reply of the admin API carries.
    common_to_admin: HeaderMap,
    /// What the web interface and its files carry.
    common_to_interface: HeaderMap,
    rim: ArcSwap<Rim>,
}

/// What follows from the settings, made once for as long as they last.
pub(crate) struct Rim {
    /// Of which settings.
    version: u64,
    /// How long caches keep public answers.
    pub(super) public_cache: HeaderValue,
    /// Whether pages of any origin may read the public API.
    pub(super) for_all_origins: bool,
    /// What every reply of the public API carries.
    common_to_public: HeaderMap,
}

impl Rim {
    fn of(settings: &Now, common: &HeaderMap) -> Rim {
        let for_all_origins = settings.cors_origins.iter().any(|it| it == "*");
        let mut common_to_public = common.clone();
        if for_all_origins {
            common_to_public.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, finish::ANY_ORIGIN);
            common_to_public.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, finish::EXPOSED);
        }
        let public_cache = finish::public_cache(settings, None);
        Rim { version: settings.version(), public_cache, for_all_origins, common_to_public }
    }
}

impl Shared {
    /// What follows from the settings as they are now.
    pub(super) fn rim(&self) -> Guard<Arc<Rim>> {
        let settings = self.app.settings();
        let rim = self.rim.load();
        if rim.version == settings.version() {
            return rim;
        }
        self.rim.store(Arc::new(Rim::of(&settings, &self.common)));
        self.rim.load()
    }
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
        Service::with_routes(app, options, counters, routes::table())
    }

    /// The same with other routes.
    pub(super) fn with_routes(
        app: App,
        options: Options,
        counters: Arc<Counters>,
        table: Vec<Route>,
    ) -> std::result::Result<Service, BadService> {
        let mut router = Router::new(&options.base_path);
        // The table lives as long as the process; one a service, of which tests make a few.
        let table: &'static [Route] = Vec::leak(table);
        for route in table {
            router.insert(&route.method, route.path, route)?;
        }
        let common = common_headers(app.engine.base_url());
        let shared = Shared {
            rim: ArcSwap::from_pointee(Rim::of(&app.settings(), &common)),
            hub: Hub::new(&app, options.live_streams_of_one_max),
            interface: Interface::new(&options.base_path, options.interface.clone()),
            common_to_admin: common_to_admin(&common),
            common_to_interface: common_to_interface(&common),
            common,
            app,
            metrics: Metrics::new(table),
            files: FileCache::default(),
            counters,
            router,
            ids: RequestIds::new()?,
            turns: Turns::default(),
            door: Door::default(),
            streams: Streams::default(),
            bodies: Arc::default(),
            lane: Lane::default(),
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
        // What nobody looks for is not copied.
        let path = tracing::enabled!(tracing::Level::DEBUG).then(|| head.uri.path().to_string());
        let client = headers::client(peer.ip(), &head.headers, &shared.options.trusted_proxies);
        let found = shared.router.find(&head.method, shared.interface.routed(&head));
        let (route, mut reply) = match found {
            Found::Route { value, params } => {
                let route: &'static Route = value;
                let params = PathParams::of(route, head.uri.path(), &params);
                let answered = match params {
                    Ok(params) => {
                        let incoming = Incoming { route, params, head, body, client };
                        lifecycle::answered(shared, incoming, &id).await
                    }
                    Err(error) => Err((error, head)),
                };
                (Some(route), finish::finish(shared, route, answered, &id))
            }
            Found::WrongMethod { allow } => {
                (None, unrouted::wrong_method(shared, &head, allow, &id))
            }
            Found::NotFound => (None, unrouted::not_found(shared, &head, &id)),
        };
        if let ReplyBody::Pull(pull) = &mut reply.body {
            pull.take_turns(shared.streams.turns_of(client.ip));
        }
        shared.metrics.record(route, reply.status, begun.elapsed());
        log(shared, route, &method, &reply, &id, client.ip, begun);
        if let Some(path) = path.filter(|_| reply.status.is_client_error()) {
            trace_refusal(route, &method, &path, reply.status, &id);
        }
        sent(shared, route, reply, &id)
    }
}

impl conn::Service for Service {
    async fn call(&self, request: Request<RequestBody>, peer: SocketAddr) -> Response<ReplyBody> {
        self.answer(request, peer).await
    }

    fn stop(&self) {
        self.0.hub.stop();
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

fn request_id(shared: &Shared, head: &Parts) -> String {
    headers::request_id(&head.headers).map_or_else(|| shared.ids.next(), str::to_string)
}

/// The response with what every reply carries. These fields are copied, not made anew.
fn sent(shared: &Shared, route: Option<&Route>, mut reply: Reply, id: &str) -> Response<ReplyBody> {
    if let Ok(id) = HeaderValue::from_str(id) {
        reply.headers.push((headers::X_REQUEST_ID, id));
    }
    let mut common = match route {
        Some(route) if route.is_public() => shared.rim().common_to_public.clone(),
        Some(route) if route.is_admin() => shared.common_to_admin.clone(),
        Some(route) if route.is_interface() => shared.common_to_interface.clone(),
        Some(_) | None => shared.common.clone(),
    };
    if reply.header(&header::REFERRER_POLICY).is_some() {
        common.remove(header::REFERRER_POLICY);
    }
    reply.into_response_with(common)
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

/// Tells what was asked for, without the query, which may hold secrets.
fn trace_refusal(
    route: Option<&Route>,
    method: &Method,
    path: &str,
    status: StatusCode,
    request: &str,
) {
    let route = route.map_or("-", |it| it.name);
    let status = status.as_u16();
    tracing::debug!(request, route, %method, path, status, "refused");
}

/// Pages of other origins embed nothing of the admin API.
fn common_to_admin(common: &HeaderMap) -> HeaderMap {
    let mut headers = common.clone();
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    headers
}

/// The interface shares no window with pages of other origins, stands in no frame and asks for none
/// of the devices that a browser knows.
fn common_to_interface(common: &HeaderMap) -> HeaderMap {
    let mut headers = common_to_admin(common);
    let devices = HeaderValue::from_static("camera=(), microphone=(), geolocation=()");
    headers.insert(HeaderName::from_static("permissions-policy"), devices);
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(opener, HeaderValue::from_static("same-origin"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers
}

/// Which pages may embed an answer.
pub(super) const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

fn log(
    shared: &Shared,
    route: Option<&Route>,
    method: &Method,
    reply: &Reply,
    id: &str,
    client: IpAddr,
    begun: Instant,
) {
    let wanted = match shared.options.log_requests {
        LogRequests::None => false,
        LogRequests::Errors => reply.is_failure,
        LogRequests::All => true,
    };
    if wanted {
        tracing::info!(
            request = id,
            route = route.map_or("-", |it| it.name),
            %method,
            status = reply.status.as_u16(),
            // Machines read numbers; those of 128 bits would be written as texts.
            micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
            bytes = reply.body.len_bytes(),
            %client,
            "request"
        );
    }
}
