//! State that all requests share, and the options it is made with.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use arc_swap::Guard;
use http::HeaderName;

use crate::app::App;
use crate::app::content::cache_tags::KeptTags;
use crate::app::people::sessions::ProxyMatch;
use crate::http::interface::Interface;
use crate::http::interface::InterfaceFiles;
use crate::http::request::blocking_pool::BlockingPool;
use crate::http::request::blocking_pool::Lane;
use crate::http::request::blocking_pool::LoginGate;
use crate::http::request::common_headers::CommonHeaders;
use crate::http::request::common_headers::PublicHeaders;
use crate::http::request::document_cache::DocumentCache;
use crate::http::request::file_cache::FileCache;
use crate::http::request::lane_key::LaneKey;
use crate::http::request::live_hub;
use crate::http::request::live_hub::LiveHub;
use crate::http::request::metrics::Metrics;
use crate::http::request::rate_limit::RateLimiter;
use crate::http::request::rate_limit::RateLimits;
use crate::http::request::route::Route;
use crate::http::wire::counters::Counters;
use crate::http::wire::headers::Networks;
use crate::http::wire::headers::RequestIds;
use crate::http::wire::request_body::BodyBudget;
use crate::http::wire::stream_pool::StreamPool;
use crate::net::webhook_delivery::WebhookClient;
use crate::stdx::text_enum::text_enum;

/// The choices about answers that are made before any request.
#[derive(Clone, Debug)]
pub struct ServiceOptions {
    /// The path below which all routes lie; empty for none.
    pub base_path: String,
    /// The proxies whose statement of the client's address is trusted.
    pub trusted_proxies: Networks,
    /// The login by a header of a trusted proxy.
    pub proxy_login: Option<ProxyLogin>,
    /// The most requests of one client and of one token.
    pub rate_limits: RateLimits,
    /// True if release servers may be in private networks and without https.
    pub updates_allow_private: bool,
    /// True if everybody may read the metrics.
    pub metrics_public: bool,
    /// The requests that are logged.
    pub log_requests: LogRequests,
    /// True if the server can be reached from its own machine only: setting up needs no proof then.
    pub local_alone: bool,
    /// The most live streams of one user; 0 for no limit.
    pub live_streams_of_one_max: usize,
    /// The most event streams of readers without a token.
    pub live_streams_anonymous_max: usize,
    /// The header for cache tags.
    pub cache_tag_header: CacheTagHeader,
    /// Sends messages to webhooks.
    pub webhook_client: Arc<WebhookClient>,
    /// The files of an interface that is being worked on, in place of those of the binary.
    pub interface: Option<Arc<dyn InterfaceFiles>>,
}

impl Default for ServiceOptions {
    fn default() -> Self {
        ServiceOptions {
            base_path: String::new(),
            trusted_proxies: Networks::default(),
            proxy_login: None,
            rate_limits: RateLimits::default(),
            updates_allow_private: false,
            metrics_public: false,
            log_requests: LogRequests::Errors,
            local_alone: false,
            live_streams_of_one_max: live_hub::STREAMS_OF_ONE_MAX,
            live_streams_anonymous_max: 0,
            cache_tag_header: CacheTagHeader::None,
            webhook_client: Arc::default(),
            interface: None,
        }
    }
}

/// The login by a header that a trusted proxy sets, after it has checked who somebody is.
#[derive(Clone, Debug)]
pub struct ProxyLogin {
    /// The header that names the user.
    pub header: HeaderName,
    /// The part of a user that it names.
    pub by: ProxyMatch,
    /// The address at which the proxy logs somebody out.
    pub logout_url: Option<String>,
}

text_enum! {
    /// The header with the cache tags of an answer, by what a cache in front reads.
    pub enum CacheTagHeader {
        /// None.
        None = "none",
        /// The header of Cloudflare, Akamai and Netlify.
        CacheTag = "Cache-Tag",
        /// The header of Fastly.
        SurrogateKey = "Surrogate-Key",
        /// The header of Varnish.
        Xkey = "xkey",
    }
}

impl CacheTagHeader {
    /// Returns the name of the header and what stands between tags; nothing if there is none.
    pub(crate) fn name_and_separator(self) -> Option<(HeaderName, &'static str)> {
        match self {
            CacheTagHeader::None => None,
            CacheTagHeader::CacheTag => Some((HeaderName::from_static("cache-tag"), ",")),
            CacheTagHeader::SurrogateKey => Some((HeaderName::from_static("surrogate-key"), " ")),
            CacheTagHeader::Xkey => Some((HeaderName::from_static("xkey"), " ")),
        }
    }
}

text_enum! {
    /// The requests that are logged.
    pub enum LogRequests {
        /// None.
        None = "none",
        /// Those that failed on the server's side.
        Errors = "errors",
        /// All.
        All = "all",
    }
}

/// The state that all requests share.
pub(crate) struct ServerState {
    pub app: App,
    pub options: ServiceOptions,
    /// The route table, for the documents that are made of it.
    pub routes: Vec<Route>,
    pub metrics: Metrics,
    pub files: FileCache,
    /// Documents about content types.
    pub documents: DocumentCache,
    /// Documents about content, each of one version of it: those of earlier ones push out no other.
    pub dated_documents: DocumentCache,
    pub counters: Arc<Counters>,
    pub blocking_pool: BlockingPool,
    pub login_gate: LoginGate,
    pub streams: StreamPool,
    pub bodies: Arc<BodyBudget>,
    pub lane: Lane<LaneKey>,
    pub live_hub: LiveHub,
    pub list_tags: KeptTags,
    pub interface: Interface,
    pub ids: RequestIds,
    pub common_headers: CommonHeaders,
    /// Nothing if requests are not limited.
    pub rate_limiter: Option<Box<RateLimiter>>,
    /// The number of requests that wait until this server knows what their client has seen.
    pub position_waits: AtomicUsize,
}

impl ServerState {
    /// The state of a server with these routes. `counters` are those of the listener.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub(crate) fn new(
        app: App,
        options: ServiceOptions,
        counters: Arc<Counters>,
        routes: Vec<Route>,
    ) -> Result<ServerState, getrandom::Error> {
        Ok(ServerState {
            rate_limiter: RateLimiter::new(options.rate_limits).map(Box::new),
            common_headers: CommonHeaders::new(&app),
            live_hub: LiveHub::new(&app, options.live_streams_of_one_max),
            files: FileCache::new(app.engine.clone()),
            interface: Interface::new(&options.base_path, options.interface.clone()),
            metrics: Metrics::new(&routes),
            app,
            options,
            routes,
            documents: DocumentCache::default(),
            dated_documents: DocumentCache::default(),
            counters,
            blocking_pool: BlockingPool::default(),
            login_gate: LoginGate::default(),
            streams: StreamPool::default(),
            bodies: Arc::default(),
            lane: Lane::default(),
            list_tags: KeptTags::default(),
            ids: RequestIds::new()?,
            position_waits: AtomicUsize::new(0),
        })
    }

    /// Returns the headers that follow from the current settings, for the replies of public routes.
    pub(crate) fn headers_for(&self, route: &Route) -> Option<Guard<Arc<PublicHeaders>>> {
        route.is_public().then(|| self.public_headers())
    }

    /// Returns the headers that follow from the current settings.
    pub(crate) fn public_headers(&self) -> Guard<Arc<PublicHeaders>> {
        self.common_headers.public(&self.app)
    }
}
