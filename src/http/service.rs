//! Answers requests: finds the route, lets the lifecycle run it, sends and logs what came of it.

use std::net::IpAddr;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use http::Method;
use http::Request;
use http::Response;
use http::StatusCode;
use http::request::Parts;

use crate::app::App;
use crate::http::request::call::PathParams;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::fallback;
use crate::http::request::lifecycle;
use crate::http::request::lifecycle::RoutedRequest;
use crate::http::request::respond;
use crate::http::request::route::Route;
use crate::http::request::router::BadRoute;
use crate::http::request::router::RouteMatch;
use crate::http::request::router::Router;
use crate::http::request::state::LogRequests;
use crate::http::request::state::ServerState;
use crate::http::request::state::ServiceOptions;
use crate::http::routes;
use crate::http::wire::conn;
use crate::http::wire::conn::Counters;
use crate::http::wire::head_check::HeadRefusal;
use crate::http::wire::headers;
use crate::http::wire::headers::RequestId;
use crate::http::wire::reply::Reply;
use crate::http::wire::reply::ReplyBody;
use crate::http::wire::request_body::RequestBody;

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
        Ok(Service { state: Arc::new(state), router: Arc::new(router) })
    }

    /// The use cases behind it.
    pub fn app(&self) -> &App {
        &self.state.app
    }

    /// Answers a request; `peer` is the other end of the connection.
    pub async fn answer_request(
        &self,
        request: Request<RequestBody>,
        peer: SocketAddr,
    ) -> Response<ReplyBody> {
        let begun = Instant::now();
        let state = &self.state;
        let (head, body) = request.into_parts();
        let id = request_id(state, &head);
        let method = head.method.clone();
        // What nobody looks for is not copied.
        let path = tracing::enabled!(tracing::Level::DEBUG).then(|| head.uri.path().to_string());
        let client =
            headers::resolve_client(peer.ip(), &head.headers, &state.options.trusted_proxies);
        let found = self.router.find(&head.method, state.interface.resolve_path(&head));
        let (route, mut reply) = match found {
            RouteMatch::Route { value, params } => {
                let endpoint: &'static Endpoint = value;
                let route = &endpoint.route;
                let reply = match PathParams::decode(route, head.uri.path(), &params) {
                    Ok(params) => {
                        let incoming = RoutedRequest { endpoint, params, head, body, client };
                        lifecycle::answer_request(state, incoming, &id).await
                    }
                    Err(error) => respond::render_failure(state, route, &head, &error, id.as_str()),
                };
                (Some(route), reply)
            }
            RouteMatch::WrongMethod { allow } => {
                (None, fallback::wrong_method(state, &head, allow, id.as_str()))
            }
            RouteMatch::NotFound => (None, fallback::not_found(state, &head, id.as_str())),
        };
        if let ReplyBody::Pull(pull) = &mut reply.body {
            pull.use_pool(state.streams.pool_of(client.ip));
        }
        state.metrics.record_request(route, reply.status, begun.elapsed());
        log_request(state, route, &method, &reply, id.as_str(), client.ip, begun);
        if let Some(path) = path.filter(|_| reply.status.is_client_error()) {
            trace_refusal(route, &method, &path, reply.status, id.as_str());
        }
        build_response(state, route, reply, id)
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

impl conn::HttpService for Service {
    async fn call(&self, request: Request<RequestBody>, peer: SocketAddr) -> Response<ReplyBody> {
        self.answer_request(request, peer).await
    }

    fn stop(&self) {
        self.state.live_hub.stop();
    }

    fn render_refusal(&self, refusal: HeadRefusal, peer: SocketAddr) -> Response<ReplyBody> {
        let id = self.state.ids.next_id();
        if refusal == HeadRefusal::Panicked {
            tracing::error!(request = id.as_str(), %peer, "a request panicked");
        }
        let mut response = refusal.to_response();
        response.headers_mut().insert(headers::X_REQUEST_ID, id.into_value());
        response
    }
}

fn request_id(state: &ServerState, head: &Parts) -> RequestId {
    RequestId::from_headers(&head.headers).unwrap_or_else(|| state.ids.next_id())
}

/// The response with what every reply carries.
fn build_response(
    state: &ServerState,
    route: Option<&Route>,
    mut reply: Reply,
    id: RequestId,
) -> Response<ReplyBody> {
    reply.headers.push((headers::X_REQUEST_ID, id.into_value()));
    let headers = state.common_headers.complete(&state.app, route, reply.headers);
    let mut response = Response::new(reply.body);
    *response.status_mut() = reply.status;
    *response.headers_mut() = headers;
    response
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

fn log_request(
    state: &ServerState,
    route: Option<&Route>,
    method: &Method,
    reply: &Reply,
    id: &str,
    client: IpAddr,
    begun: Instant,
) {
    let wanted = match state.options.log_requests {
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

#[cfg(test)]
mod tests;
