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

/// The header fields of every reply, by what it belongs to.
pub(crate) struct CommonHeaders {
    /// Of replies that belong to nothing of what follows.
    all: HeaderMap,
    /// Of the admin API.
    admin: HeaderMap,
    /// Of the web interface and its files.
    interface: HeaderMap,
    /// Of the public API: these follow from the settings.
    public: ArcSwap<PublicHeaders>,
}

impl CommonHeaders {
    pub(crate) fn new(app: &App) -> CommonHeaders {
        let all = all_headers(app.engine.base_url());
        let admin = admin_headers(&all);
        let public = ArcSwap::from_pointee(PublicHeaders::from_settings(&app.settings(), &all));
        CommonHeaders { interface: interface_headers(&admin), admin, public, all }
    }

    /// A copy of those for replies of a route, or of none.
    pub(crate) fn for_route(&self, app: &App, route: Option<&Route>) -> HeaderMap {
        match route {
            Some(route) if route.is_public() => self.public(app).common.clone(),
            Some(route) if route.is_admin() => self.admin.clone(),
            Some(route) if route.is_interface() => self.interface.clone(),
            Some(_) | None => self.all.clone(),
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
    common: HeaderMap,
}

impl PublicHeaders {
    fn from_settings(settings: &CurrentSettings, all: &HeaderMap) -> PublicHeaders {
        let for_all_origins = settings.editable.cors_origins.iter().any(|it| it == "*");
        let mut common = all.clone();
        if for_all_origins {
            common.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
            common.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
        let public_cache = public_cache_control(settings, None);
        PublicHeaders { version: settings.version(), public_cache, for_all_origins, common }
    }
}

/// Returns the headers of every reply.
fn all_headers(base_url: &str) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(16);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if base_url.starts_with("https:") {
        let value = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    headers
}

/// Pages of other origins embed nothing of the admin API.
fn admin_headers(all: &HeaderMap) -> HeaderMap {
    let mut headers = all.clone();
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    headers
}

/// The interface shares no window with pages of other origins, stands in no frame and asks for none
/// of the devices that a browser knows.
fn interface_headers(admin: &HeaderMap) -> HeaderMap {
    let mut headers = admin.clone();
    let devices = HeaderValue::from_static("camera=(), microphone=(), geolocation=()");
    headers.insert(HeaderName::from_static("permissions-policy"), devices);
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(opener, HeaderValue::from_static("same-origin"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
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
