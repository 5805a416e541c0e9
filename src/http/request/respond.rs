//! The last steps of every response: conditions, caching, compression and CORS.

use http::HeaderName;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use http::request::Parts;

use crate::app::access::Caller;
use crate::app::content::write_target::WriteTarget;
use crate::app::error::Error;
use crate::http::request::answer_tags;
use crate::http::request::call::Call;
use crate::http::request::common_headers::ANY_ORIGIN;
use crate::http::request::common_headers::EXPOSED;
use crate::http::request::common_headers::PublicHeaders;
use crate::http::request::common_headers::policy_of_settings;
use crate::http::request::common_headers::render_cache_control;
use crate::http::request::error;
use crate::http::request::identify::X_CSRF_TOKEN;
use crate::http::request::route::Route;
use crate::http::request::state::ServerState;
use crate::http::wire::compress;
use crate::http::wire::compress::AcceptedCodings;
use crate::http::wire::compress::Coding;
use crate::http::wire::headers;
use crate::http::wire::headers::RECTO_POSITION;
use crate::http::wire::reply::Reply;
use crate::http::wire::reply::ReplyBody;
use crate::model::content_type::cache_policy::CachePolicy;

/// Renders the reply to a request that failed.
pub(crate) fn render_failure(
    state: &ServerState,
    route: &Route,
    head: &Parts,
    error: &Error,
    id: &str,
) -> Reply {
    let mut reply = if route.is_admin() {
        error::render_admin_error_for(head, error, id)
    } else {
        error::render_error_for(head, error, id)
    };
    if let Some(source) = &error.source {
        tracing::error!(request = id, route = route.name, %source, "request failed");
    }
    if route.is_public() && !state.public_headers().for_all_origins {
        allow_origin(state, head, &mut reply);
    }
    reply
}

/// Applies conditions, caching and compression. `public` are the headers of public routes.
pub(crate) fn finish_reply(call: &Call, mut reply: Reply, public: Option<&PublicHeaders>) -> Reply {
    let Call { state, route, head, .. } = call;
    if let Some(public) = public {
        reply.headers.push((header::VARY, if route.is_file() { FILE_VARY } else { VARY }));
        if !public.for_all_origins {
            allow_origin(state, head, &mut reply);
        }
        let shows_change = call.snapshot.as_ref().is_some_and(|it| it.overlay.is_some());
        let proposes =
            route.is_mutation() && matches!(call.write_target(), Ok(WriteTarget::Change(_)));
        if shows_change || proposes {
            reply.set_header(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
        }
        if shows_change {
            reply.set_header(header::CACHE_CONTROL, PRIVATE);
        } else if reply.header(&header::CACHE_CONTROL).is_none() {
            reply.headers.push((header::CACHE_CONTROL, cache_control(call, public)));
        }
        answer_tags::add_missing_tags(call, &mut reply);
    }
    if route.is_admin() {
        apply_admin_caching(&mut reply, &call.caller);
    }
    if let Some(replica) = state.app.engine.folder().replica()
        && (route.is_mutation() || !matches!(call.caller, Caller::Anonymous))
    {
        // What was read is no newer. To others it would tell how often hidden things change.
        reply.headers.push((RECTO_POSITION, HeaderValue::from(replica.position())));
    }
    let accepted = match call.sent.codings {
        true => AcceptedCodings::from_headers(&head.headers),
        false => AcceptedCodings::default(),
    };
    if call.sent.condition && head.method.is_safe() && is_kept(head, &reply) {
        let coding = accepted.coding_of(&reply.body);
        return not_modified(head, reply, coding);
    }
    let as_it_is = route.is_packed() || accepted == AcceptedCodings::default();
    if as_it_is { reply } else { encode_reply(reply, accepted) }
}

/// Applies the caching of the admin API: only the requesting browser keeps responses, and pages get
/// the token to send with changes.
fn apply_admin_caching(reply: &mut Reply, caller: &Caller) {
    reply.headers.push((header::VARY, HeaderValue::from_static("cookie, accept-encoding")));
    if reply.header(&header::CACHE_CONTROL).is_none() {
        reply.headers.push((header::CACHE_CONTROL, PRIVATE));
    }
    let name = header::HeaderName::from_static(X_CSRF_TOKEN);
    if let Ok(login) = caller.require_login()
        && let Ok(token) = HeaderValue::from_str(&login.csrf_token)
        && reply.header(&name).is_none()
    {
        reply.headers.push((name, token));
    }
}

const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
const VARY: HeaderValue = HeaderValue::from_static("authorization, accept-encoding");
const FILE_VARY: HeaderValue = HeaderValue::from_static("authorization, accept-encoding, cookie");

/// Compresses a reply if that is worth it; each coding of a response has its own tag.
fn encode_reply(reply: Reply, accepted: AcceptedCodings) -> Reply {
    let was_coded = reply.header(&header::CONTENT_ENCODING).is_some();
    let mut reply = compress::compress_reply(reply, accepted);
    if !was_coded
        && let Some(coding) = reply.header(&header::CONTENT_ENCODING)
        && let Ok(coding) = coding.to_str()
        && let Some(tag) = reply.header(&header::ETAG).and_then(plain_tag)
        && let Some(tag) = headers::etag_value(&format!("{tag}-{coding}"))
    {
        reply.set_header(header::ETAG, tag);
    }
    reply
}

/// Returns a tag without quotes.
fn plain_tag(tag: &HeaderValue) -> Option<&str> {
    tag.to_str().ok()?.strip_prefix('"')?.strip_suffix('"')
}

/// Returns true if the client has this response already, in any coding.
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

/// Builds the 304 response. Caches match it by its tag, so it names the coding that the client has.
fn not_modified(head: &Parts, mut reply: Reply, coding: Option<Coding>) -> Reply {
    let tag = reply.header(&header::ETAG).and_then(plain_tag);
    if let Some(coded) = tag.and_then(|it| kept_coded(head, it, coding)) {
        reply.set_header(header::ETAG, coded);
    }
    reply.status = StatusCode::NOT_MODIFIED;
    reply.body = ReplyBody::Empty;
    let about_body = [
        header::CONTENT_TYPE,
        header::CONTENT_ENCODING,
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
    if named { headers::etag_value(&coded) } else { None }
}

/// Returns the `Cache-Control` of an answer: never past the moment at which it changes by itself.
fn cache_control(call: &Call, public: &PublicHeaders) -> HeaderValue {
    if !call.caller.is_anonymous() {
        return PRIVATE;
    }
    let due = call.snapshot.as_ref().and_then(|it| it.next_public_due());
    let has_policies = call.snapshot.as_ref().is_some_and(|it| it.has_cache_policies());
    if due.is_none() && !has_policies {
        return public.public_cache.clone();
    }
    let policy = find_policy(call);
    let seconds_left =
        due.map(|it| it.seconds().saturating_sub(call.app().engine.clock().now().seconds()));
    render_cache_control(policy, seconds_left)
}

/// Returns the cache policy of an answer: of the type of which it shows entries, else that of the
/// settings. Where others are expanded, the shortest times of any type count.
fn find_policy(call: &Call) -> CachePolicy {
    let settings = policy_of_settings(&call.app().settings());
    let name = call.params.get(call.route, call.head.uri.path(), "collection");
    let Some((snapshot, name)) = call.snapshot.as_ref().zip(name) else { return settings };
    let view = call.params.get(call.route, call.head.uri.path(), "view");
    let expands = match view.zip(snapshot.get(name)) {
        Some((view, index)) => {
            index.content_type.views.find(view).is_some_and(|it| it.get("include").is_some())
        }
        // A word that only looks like it makes the times shorter.
        None => call.query().contains("include"),
    };
    snapshot.find_cache_policy(name, expands, settings)
}

pub(crate) fn allow_origin(state: &ServerState, head: &Parts, reply: &mut Reply) {
    if state.public_headers().for_all_origins {
        reply.set_header(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
    } else {
        let settings = state.app.settings();
        let origins = &settings.editable.cors_origins;
        headers::add_vary(&mut reply.headers, &[header::ORIGIN]);
        let Some(origin) = head.headers.get(header::ORIGIN) else { return };
        if !origins.iter().any(|it| it.as_bytes() == origin.as_bytes()) {
            return;
        }
        reply.set_header(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    reply.set_header(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}
