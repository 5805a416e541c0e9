//! Answers requests: finds the route, lets the lifecycle run it, sends and logs what came of it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use arc_swap::Guard;
use http::HeaderMap;
use http::Method;
use http::Request;
use http::Response;
use http::StatusCode;
use http::header;
use http::request::Parts;

use crate::app::App;
use crate::app::error::Error;
use crate::http::request::blocking_pool::PoolShare;
use crate::http::request::call::PathParams;
use crate::http::request::common_headers::PublicHeaders;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::fallback;
use crate::http::request::lifecycle;
use crate::http::request::lifecycle::PendingReply;
use crate::http::request::lifecycle::RoutedRequest;
use crate::http::request::rate_limit::Quota;
use crate::http::request::respond;
use crate::http::request::route::Route;
use crate::http::request::router::BadRoute;
use crate::http::request::router::RouteMatch;
use crate::http::request::router::Router;
use crate::http::request::state::LogRequests;
use crate::http::request::state::ServerState;
use crate::http::request::state::ServiceOptions;
use crate::http::routes;
use crate::http::wire::counters::Counters;
use crate::http::wire::head_check::HeadRefusal;
use crate::http::wire::headers;
use crate::http::wire::headers::Client;
use crate::http::wire::headers::RequestId;
use crate::http::wire::headers::SentFields;
use crate::http::wire::http_service::Answer;
use crate::http::wire::http_service::HttpService;
use crate::http::wire::peer::Peer;
use crate::http::wire::reply::Reply;
use crate::http::wire::reply::ReplyBody;
use crate::http::wire::request_body::RequestBody;
use crate::http::wire::response::WireResponse;
use crate::store::cluster::database::Position;
use crate::store::cluster::replica::Replica;

/// The longest time for which a request waits until this server knows what its client has seen.
const POSITION_WAIT_MAX: Duration = Duration::from_secs(1);

/// The most requests that wait so at a time: each keeps a thread, whoever sent it.
const POSITION_WAITS_MAX: usize = 32;

/// Answers requests.
#[derive(Clone)]
pub struct Service {
    state: Arc<ServerState>,
    router: Arc<Router<&'static Endpoint>>,
}

/// A service that cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BadService {
    /// Two routes clash, or one is malformed.
    #[error("{0}")]
    Route(#[from] BadRoute),
    /// The system has no randomness to give.
    #[error("no randomness for request ids: {0}")]
    Randomness(#[from] getrandom::Error),
}

impl Service {
    /// A service over an open data folder. `counters` are those of the listener.
    pub fn new(
        app: App,
        options: ServiceOptions,
        counters: Arc<Counters>,
    ) -> std::result::Result<Service, BadService> {
        Service::with_routes(app, options, counters, routes::list_endpoints())
    }

    /// The same with other routes.
    fn with_routes(
        app: App,
        options: ServiceOptions,
        counters: Arc<Counters>,
        table: Vec<Endpoint>,
    ) -> std::result::Result<Service, BadService> {
        // The table lives as long as the process; one a service, of which tests make a few.
        let table: &'static [Endpoint] = Vec::leak(table);
        let router = build_router(&options.base_path, table)?;
        let routes = table.iter().map(|it| it.route.clone()).collect();
        let state = ServerState::new(app, options, counters, routes)?;
        let state = Arc::new(state);
        follow_signals(&state);
        Ok(Service { state, router: Arc::new(router) })
    }

    /// The use cases behind it.
    pub fn app(&self) -> &App {
        &self.state.app
    }

    /// Answers a request; `peer` is the other end of a connection without encryption.
    pub async fn answer_request(
        &self,
        request: Request<RequestBody>,
        peer: SocketAddr,
    ) -> Response<ReplyBody> {
        self.begin_answer(request, Peer::plain(peer)).wait().await.into_response()
    }

    /// Answers a request, or begins to. One that says what its client has seen of another server
    /// waits until this one knows it.
    fn begin_answer(&self, request: Request<RequestBody>, peer: Peer) -> Answer {
        let sent = SentFields::find(request.headers());
        match find_awaited(&self.state, request.headers(), sent) {
            None => self.begin_known(request, peer, sent, Ok(())),
            Some((replica, position)) => {
                let service = self.clone();
                Answer::Later(Box::pin(async move {
                    let state = service.state.clone();
                    let wait = move || {
                        let waits = state.position_waits.fetch_add(1, Relaxed) < POSITION_WAITS_MAX;
                        let is_known =
                            waits && replica.wait_until_published(position, POSITION_WAIT_MAX);
                        state.position_waits.fetch_sub(1, Relaxed);
                        is_known
                    };
                    // Who asks is not known yet, so that the waits may be those of strangers.
                    let pool = &service.state.blocking_pool;
                    let is_known = pool.run(PoolShare::Anonymous, wait).await.unwrap_or(false);
                    let known = if is_known { Ok(()) } else { Err(Error::behind()) };
                    service.begin_known(request, peer, sent, known).wait().await
                }))
            }
        }
    }

    /// Answers a request, or begins to, unless it cannot be answered here now.
    fn begin_known(
        &self,
        request: Request<RequestBody>,
        peer: Peer,
        sent: SentFields,
        known: Result<(), Error>,
    ) -> Answer {
        let begun = Instant::now();
        let state = &self.state;
        let (head, body) = request.into_parts();
        let trusted = &state.options.trusted_proxies;
        let mut exchange = Exchange {
            route: None,
            id: request_id(state, &head, sent),
            method: head.method.clone(),
            // What nobody looks for is not copied.
            path: tracing::enabled!(tracing::Level::DEBUG).then(|| head.uri.path().to_string()),
            client: headers::resolve_client(peer, &head.headers, trusted),
            begun,
            quota: None,
        };
        if let Err(error) = known {
            let reply = fallback::reply_failure(state, &head, &error, exchange.id.as_str());
            return Answer::Now(exchange.finish(state, reply, None));
        }
        let mut public = None;
        match self.begin_reply(&mut exchange, &mut public, head, sent, body) {
            PendingReply::Now(reply) => {
                Answer::Now(exchange.finish(state, reply, public.as_deref().map(|it| &**it)))
            }
            PendingReply::Later(pending) => {
                let state = state.clone();
                Answer::Later(Box::pin(async move {
                    let reply = pending.await;
                    let public = exchange.route.and_then(|it| state.headers_for(it));
                    exchange.finish(&state, reply, public.as_deref().map(|it| &**it))
                }))
            }
        }
    }

    /// Finds the route, and begins to answer on it. `public` becomes the headers of public routes,
    /// which are looked up once.
    fn begin_reply(
        &self,
        exchange: &mut Exchange,
        public: &mut Option<Guard<Arc<PublicHeaders>>>,
        head: Parts,
        sent: SentFields,
        body: RequestBody,
    ) -> PendingReply {
        let (state, client, id) = (&self.state, exchange.client, &exchange.id);
        let (endpoint, params): (&'static Endpoint, _) =
            match self.router.find(&head.method, state.interface.resolve_path(&head)) {
                RouteMatch::Route { value, params } => {
                    (*value, PathParams::decode(&value.route, head.uri.path(), &params))
                }
                RouteMatch::WrongMethod { allow } => {
                    let reply = fallback::wrong_method(state, &head, allow, id.as_str());
                    return PendingReply::Now(reply);
                }
                RouteMatch::NotFound => {
                    return PendingReply::Now(exchange.reply_not_found(state, &head));
                }
            };
        let route = &endpoint.route;
        exchange.route = Some(route);
        *public = state.headers_for(route);
        match params {
            Ok(params) => {
                let incoming = RoutedRequest { endpoint, params, head, sent, body, client };
                let public = public.as_deref().map(|it| &**it);
                lifecycle::begin_reply(state, incoming, id, public, &mut exchange.quota)
            }
            Err(error) => {
                let failure = respond::render_failure(state, route, &head, &error, id.as_str());
                PendingReply::Now(failure)
            }
        }
    }
}

/// The facts about a request that are kept until its response is built.
struct Exchange {
    route: Option<&'static Route>,
    id: RequestId,
    method: Method,
    /// The path, if refused requests are traced.
    path: Option<String>,
    client: Client,
    begun: Instant,
    /// The rest of the client's or the token's requests, if they are limited.
    quota: Option<Quota>,
}

impl Exchange {
    /// Replies that there is no route. Such requests count, too: they may search for one.
    fn reply_not_found(&mut self, state: &ServerState, head: &Parts) -> Reply {
        let admitted = state.rate_limiter.as_ref().map_or(Ok(()), |limiter| {
            limiter.admit_client(state.app.engine.clock().now(), self.client, &mut self.quota)
        });
        match admitted {
            Ok(()) => fallback::not_found(state, head, self.id.as_str()),
            Err(error) => fallback::reply_failure(state, head, &error, self.id.as_str()),
        }
    }

    /// Counts and logs the request, and builds its response.
    fn finish(
        self,
        state: &ServerState,
        mut reply: Reply,
        public: Option<&PublicHeaders>,
    ) -> WireResponse {
        if let ReplyBody::Pull(pull) = &mut reply.body {
            pull.use_pool(state.streams.pool_of(self.client.ip));
        }
        state.metrics.record_request(self.route, reply.status, self.begun.elapsed());
        self.log_request(state, &reply);
        if let Some(path) = self.path.as_deref().filter(|_| reply.status.is_client_error()) {
            self.trace_refusal(path, reply.status);
        }
        if let Some(quota) = self.quota {
            quota.add_headers(&mut reply.headers, public);
        }
        reply.headers.push((headers::X_REQUEST_ID, self.id.into_value()));
        let fields = state.common_headers.complete(public, self.route, reply.headers);
        WireResponse::new(reply.status, fields, reply.body)
    }

    /// Tells what was asked for, without the query, which may hold secrets.
    fn trace_refusal(&self, path: &str, status: StatusCode) {
        let (request, method) = (self.id.as_str(), &self.method);
        let route = self.route.map_or("-", |it| it.name);
        let status = status.as_u16();
        tracing::debug!(request, route, %method, path, status, "refused");
    }

    fn log_request(&self, state: &ServerState, reply: &Reply) {
        let wanted = match state.options.log_requests {
            LogRequests::None => false,
            LogRequests::Errors => reply.is_failure,
            LogRequests::All => true,
        };
        if wanted {
            tracing::info!(
                request = self.id.as_str(),
                route = self.route.map_or("-", |it| it.name),
                method = %self.method,
                status = reply.status.as_u16(),
                // Machines read numbers; those of 128 bits would be written as texts.
                micros = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX),
                bytes = reply.body.len_bytes(),
                client = %self.client.ip,
                "request"
            );
        }
    }
}

/// The names of the routes that are tried before the tree, in this order: nearly all requests are
/// for them.
const DIRECT_ROUTES: [&str; 2] = ["entries.show", "entries.list"];

fn build_router(
    base_path: &str,
    table: &'static [Endpoint],
) -> std::result::Result<Router<&'static Endpoint>, BadRoute> {
    let mut router = Router::new(base_path);
    for endpoint in table {
        router.insert(&endpoint.route.method, endpoint.route.path, endpoint)?;
    }
    let find_route = |name| table.iter().map(|it| &it.route).find(|it| it.name == name);
    for route in DIRECT_ROUTES.into_iter().filter_map(find_route) {
        router.insert_direct(&route.method, route.path)?;
    }
    Ok(router)
}

impl HttpService for Service {
    fn call(self: &Arc<Self>, request: Request<RequestBody>, peer: Peer) -> Answer {
        self.begin_answer(request, peer)
    }

    fn stop(&self) {
        self.state.live_hub.stop();
    }

    fn render_refusal(&self, refusal: HeadRefusal, peer: Peer) -> WireResponse {
        let id = self.state.ids.next_id();
        if refusal == HeadRefusal::Panicked {
            tracing::error!(request = id.as_str(), peer = %peer.address, "a request panicked");
        }
        let mut response = WireResponse::from(refusal.to_response());
        response.set_header(headers::X_REQUEST_ID, id.into_value());
        response
    }
}

/// Shows who looks at entries on other servers.
fn follow_signals(state: &Arc<ServerState>) {
    let Some(replica) = state.app.engine.folder().replica() else { return };
    let state = Arc::downgrade(state);
    replica.set_signal_listener(move |signal| {
        let Some(state) = state.upgrade() else { return };
        let now = state.app.engine.clock().now();
        if let Some(presence) = state.app.presence.apply_signal(signal, now) {
            state.live_hub.publish_presence(presence);
        }
    });
}

/// Returns the position that a request waits for, if this server does not know it yet.
fn find_awaited(
    state: &ServerState,
    fields: &HeaderMap,
    sent: SentFields,
) -> Option<(Arc<Replica>, Position)> {
    if !sent.awaited {
        return None;
    }
    let replica = state.app.engine.folder().replica()?;
    // Nobody else has seen a position.
    if !fields.contains_key(header::AUTHORIZATION) && !fields.contains_key(header::COOKIE) {
        return None;
    }
    let position = fields.get(headers::RECTO_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    (replica.published_position() < position).then(|| (replica.clone(), position))
}

fn request_id(state: &ServerState, head: &Parts, sent: SentFields) -> RequestId {
    let known = sent.request_id.then(|| RequestId::from_headers(&head.headers)).flatten();
    known.unwrap_or_else(|| state.ids.next_id())
}

#[cfg(test)]
mod tests;
