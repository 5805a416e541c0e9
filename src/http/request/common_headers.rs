//! Header fields that replies have in common, made once and copied into each.

use std::sync::Arc;

use arc_swap::ArcSwap;
use arc_swap::Guard;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::header;

use crate::app::App;
use crate::app::Settings;
use crate::app::system::live_settings::CurrentSettings;
use crate::http::request::route::Route;
use crate::http::wire::headers::CROSS_ORIGIN_RESOURCE_POLICY;
use crate::http::wire::reply::Reply;

/// Header fields in the order in which they are sent, with different names.
type HeaderFields = Vec<(HeaderName, HeaderValue)>;

/// The header fields of every reply, by what it belongs to.
pub(crate) struct CommonHeaders {
    /// Of replies that belong to nothing of what follows.
    all: HeaderFields,
    /// Of the admin API.
    admin: HeaderFields,
    /// Of the web interface and its files.
    interface: HeaderFields,
    /// Of the public API: these follow from the settings.
    public: ArcSwap<PublicHeaders>,
}

/// Copies header fields into a map that has room for those of the reply, so that it never grows.
fn copy_headers(common: &HeaderFields, reply: &Reply) -> HeaderMap {
    /// Hyper adds the length and the date.
    const ADDED_LATER: usize = 2;
    let count = common.len() + reply.headers.len() + ADDED_LATER;
    let mut headers = HeaderMap::with_capacity(count);
    for (name, value) in common.iter().filter(|(name, _)| reply.header(name).is_none()) {
        headers.append(name.clone(), value.clone());
    }
    headers
}

impl CommonHeaders {
    pub(crate) fn new(app: &App) -> CommonHeaders {
        let all = all_headers(app.engine.base_url());
        let admin = admin_headers(&all);
        let public = ArcSwap::from_pointee(PublicHeaders::from_settings(&app.settings(), &all));
        CommonHeaders { interface: interface_headers(&admin), admin, public, all }
    }

    /// Starts the header fields of a reply of a route, or of none, with those that it has in common
    /// with others, unless it sets them itself.
    pub(crate) fn begin_headers(
        &self,
        app: &App,
        route: Option<&Route>,
        reply: &Reply,
    ) -> HeaderMap {
        match route {
            Some(route) if route.is_public() => copy_headers(&self.public(app).common, reply),
            Some(route) if route.is_admin() => copy_headers(&self.admin, reply),
            Some(route) if route.is_interface() => copy_headers(&self.interface, reply),
            Some(_) | None => copy_headers(&self.all, reply),
        }
    }

    /// Returns the headers that follow from the current settings.
    pub(crate) fn public(&self, app: &App) -> Guard<Arc<PublicHeaders>> {
        let settings = app.settings();
        let public = self.public.load();
        if public.version == settings.version() {
            return public;
        }
        self.public.store(Arc::new(PublicHeaders::from_settings(&settings, &self.all)));
        self.public.load()
    }
}

/// The headers that follow from the settings, made once for each version of them.
pub(crate) struct PublicHeaders {
    /// Of which settings.
    version: u64,
    /// The `Cache-Control` of public answers.
    pub(crate) public_cache: HeaderValue,
    /// True if pages of any origin may read the public API.
    pub(crate) for_all_origins: bool,
    /// The headers of every reply of the public API.
    common: HeaderFields,
}

impl PublicHeaders {
    fn from_settings(settings: &CurrentSettings, all: &HeaderFields) -> PublicHeaders {
        let for_all_origins = settings.editable.cors_origins.iter().any(|it| it == "*");
        let mut common = all.clone();
        if for_all_origins {
            common.push((header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN));
            common.push((header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED));
        }
        let public_cache = public_cache_control(settings, None);
        PublicHeaders { version: settings.version(), public_cache, for_all_origins, common }
    }
}

/// Returns the headers of every reply.
fn all_headers(base_url: &str) -> HeaderFields {
    let mut headers = vec![
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    if base_url.starts_with("https:") {
        let value = HeaderValue::from_static("max-age=31536000");
        headers.push((header::STRICT_TRANSPORT_SECURITY, value));
    }
    headers
}

/// Pages of other origins embed nothing of the admin API.
fn admin_headers(all: &HeaderFields) -> HeaderFields {
    let mut headers = all.clone();
    headers.push((CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin")));
    headers
}

/// The interface shares no window with pages of other origins, stands in no frame and asks for none
/// of the devices that a browser knows.
fn interface_headers(admin: &HeaderFields) -> HeaderFields {
    let mut headers = admin.clone();
    let devices = HeaderValue::from_static("camera=(), microphone=(), geolocation=()");
    headers.push((HeaderName::from_static("permissions-policy"), devices));
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    headers.push((opener, HeaderValue::from_static("same-origin")));
    headers.push((header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")));
    headers
}

/// Returns the `Cache-Control` of a public answer that stays true for so many seconds, or until it
/// changes.
pub(crate) fn public_cache_control(settings: &Settings, seconds_left: Option<i64>) -> HeaderValue {
    let left = seconds_left.map_or(u32::MAX, |it| u32::try_from(it).unwrap_or(0));
    let max_age = settings.editable.max_age_seconds.min(left);
    let stale = settings.editable.stale_while_revalidate_seconds.min(left - max_age);
    let text = match (max_age, stale) {
        (0, 0) => "public, max-age=0, must-revalidate".to_string(),
        (age, 0) => format!("public, max-age={age}, must-revalidate"),
        (age, stale) => format!("public, max-age={age}, stale-while-revalidate={stale}"),
    };
    HeaderValue::try_from(text)
        .unwrap_or_else(|_| HeaderValue::from_static("public, max-age=0, must-revalidate"))
}

pub(crate) const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");
pub(crate) const EXPOSED: HeaderValue = HeaderValue::from_static("ETag, Link, X-Request-Id");
