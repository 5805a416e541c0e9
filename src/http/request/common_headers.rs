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
use crate::http::wire::headers;
use crate::http::wire::headers::CROSS_ORIGIN_RESOURCE_POLICY;
use crate::http::wire::response::HeaderFields;
use crate::http::wire::response::HeaderTemplate;
use crate::http::wire::response::ResponseFields;
use crate::model::content_type::cache_policy::CachePolicy;
use crate::model::settings::SettingsRecord;

/// The fields that nearly every answer of the public API sets itself, in the order in which it
/// does.
static USUAL_FIELDS: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::ETAG,
    header::VARY,
    header::CACHE_CONTROL,
    headers::X_REQUEST_ID,
];

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

impl CommonHeaders {
    pub(crate) fn new(app: &App) -> CommonHeaders {
        let all = all_headers(app.engine.base_url());
        let admin = admin_headers(&all);
        let public = ArcSwap::from_pointee(PublicHeaders::from_settings(&app.settings(), &all));
        CommonHeaders { interface: interface_headers(&admin), admin, public, all }
    }

    /// Returns all header fields of a reply of a route, or of none: its own, and those that it has
    /// in common with others, unless it sets them itself. `public` are those of public routes.
    pub(crate) fn complete(
        &self,
        public: Option<&PublicHeaders>,
        route: Option<&Route>,
        own: HeaderFields,
    ) -> ResponseFields {
        if let Some(public) = public {
            return public.complete(own);
        }
        let common = match route {
            Some(route) if route.is_admin() => &self.admin,
            Some(route) if route.is_interface() => &self.interface,
            Some(_) | None => &self.all,
        };
        ResponseFields::Map(merge_headers(common, own))
    }

    /// Returns the headers that follow from the current settings.
    pub(crate) fn public(&self, app: &App) -> Guard<Arc<PublicHeaders>> {
        let public = self.public.load();
        if Arc::ptr_eq(app.engine.installation().settings(), &public.record) {
            return public;
        }
        self.renew_public(&app.settings())
    }

    /// Makes the headers of these settings those of the public API. If another thread does the same
    /// with newer settings, the next request notices which are kept.
    fn renew_public(&self, settings: &CurrentSettings) -> Guard<Arc<PublicHeaders>> {
        let public = Arc::new(PublicHeaders::from_settings(settings, &self.all));
        self.public.store(public.clone());
        Guard::from_inner(public)
    }
}

/// The headers that follow from the settings, made once for each version of them.
pub(crate) struct PublicHeaders {
    /// Of which settings.
    record: Arc<SettingsRecord>,
    /// The `Cache-Control` of public answers.
    pub(crate) public_cache: HeaderValue,
    /// True if pages of any origin may read the public API.
    pub(crate) for_all_origins: bool,
    /// The headers of every reply of the public API.
    common: HeaderFields,
    /// Those of a usual answer.
    usual: Arc<HeaderTemplate>,
}

impl PublicHeaders {
    fn from_settings(settings: &CurrentSettings, all: &HeaderFields) -> PublicHeaders {
        let record = settings.record().clone();
        let for_all_origins = settings.editable.cors_origins.iter().any(|it| it == "*");
        let mut common = all.clone();
        if for_all_origins {
            common.push((header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN));
            common.push((header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED));
        }
        let public_cache = render_cache_control(policy_of_settings(settings), None);
        let usual = Arc::new(HeaderTemplate::new(&common, &USUAL_FIELDS));
        PublicHeaders { record, public_cache, for_all_origins, common, usual }
    }

    fn complete(&self, own: HeaderFields) -> ResponseFields {
        if self.usual.fits(&own) {
            return ResponseFields::Filled(self.usual.clone(), own);
        }
        ResponseFields::Map(merge_headers(&self.common, own))
    }
}

/// Returns the header fields of a reply, after those that it has in common with others and does not
/// set itself.
fn merge_headers(common: &HeaderFields, own: HeaderFields) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(common.len() + own.len());
    for (name, value) in common.iter().filter(|(name, _)| own.iter().all(|(it, _)| it != name)) {
        headers.append(name.clone(), value.clone());
    }
    for (name, value) in own {
        headers.append(name, value);
    }
    headers
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

/// Returns the cache policy of the settings.
pub(crate) fn policy_of_settings(settings: &Settings) -> CachePolicy {
    CachePolicy {
        max_age: Some(settings.editable.max_age_seconds),
        s_maxage: None,
        stale_while_revalidate: Some(settings.editable.stale_while_revalidate_seconds),
    }
}

/// Returns the `Cache-Control` of a public answer that stays true for so many seconds, or until it
/// changes.
pub(crate) fn render_cache_control(policy: CachePolicy, seconds_left: Option<i64>) -> HeaderValue {
    let left = seconds_left.map_or(u32::MAX, |it| u32::try_from(it).unwrap_or(0));
    let max_age = policy.max_age.unwrap_or_default().min(left);
    let shared = policy.s_maxage.map(|it| it.min(left));
    let stale = policy.stale_while_revalidate.unwrap_or_default();
    let stale = stale.min(left - shared.unwrap_or_default().max(max_age));
    let shared = shared.map(|it| format!(", s-maxage={it}")).unwrap_or_default();
    let then = match stale {
        0 => "must-revalidate".to_string(),
        seconds => format!("stale-while-revalidate={seconds}"),
    };
    HeaderValue::try_from(format!("public, max-age={max_age}{shared}, {then}"))
        .unwrap_or_else(|_| HeaderValue::from_static("public, max-age=0, must-revalidate"))
}

/// Sent without an `Origin` too: a shared cache keeps one answer for everybody.
pub(crate) const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");
/// The header fields that pages of other origins may read.
pub(crate) const EXPOSED: HeaderValue = HeaderValue::from_static("ETag, Link, X-Request-Id");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::engine::EngineOptions;
    use crate::stdx::clock::SystemClock;

    fn fields(names: &[HeaderName], value: &'static str) -> HeaderFields {
        names.iter().map(|it| (it.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn headers_of_older_settings_that_come_late_do_not_stay() {
        let folder = tempfile::tempdir().unwrap();
        let options = EngineOptions::new(folder.path().to_path_buf(), Arc::new(SystemClock));
        let app = App::new(Engine::open(options).unwrap(), Settings::default());
        let headers = CommonHeaders::new(&app);
        let older = app.settings();
        std::fs::create_dir_all(folder.path().join("system")).unwrap();
        let text = r#"{"cache": {"max_age": 77}}"#;
        std::fs::write(folder.path().join("system/settings.json"), text).unwrap();
        app.engine.follower().refresh_until_settled();
        let has_newer = || {
            let cache = headers.public(&app).public_cache.clone();
            cache.to_str().unwrap().contains("max-age=77")
        };
        assert!(has_newer());
        // Another thread looked the settings up before they changed, and makes headers of them.
        headers.renew_public(&older);
        assert!(has_newer());
    }

    #[test]
    fn a_reply_may_repeat_a_field_and_override_a_common_one() {
        let common = fields(&[header::VARY, header::SERVER], "common");
        let own = fields(&[header::VARY, header::VARY], "own");
        let merged = merge_headers(&common, own);
        assert_eq!(merged.get_all(header::VARY).iter().collect::<Vec<_>>(), ["own", "own"]);
        assert_eq!(merged[header::SERVER], "common");
    }
}
