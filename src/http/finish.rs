//! What is done to every answer of a route: conditions, caching, compression, and who may read it in
//! a page of another origin.

use http::HeaderValue;
use http::StatusCode;
use http::header;
use http::request::Parts;

use crate::app::Settings;
use crate::http::compress;
use crate::http::compress::Accepted;
use crate::http::compress::Coding;
use crate::http::error;
use crate::http::headers;
use crate::http::identify::X_CSRF_TOKEN;
use crate::http::lifecycle::Answer;
use crate::http::lifecycle::Answered;
use crate::http::reply::Reply;
use crate::http::reply::ReplyBody;
use crate::http::route::Route;
use crate::http::service::Shared;

/// Conditions, caching, compression.
pub(super) fn finish(shared: &Shared, route: &Route, answered: Answered, id: &str) -> Reply {
    let (mut reply, head, answer) = match answered {
        Ok(answered) => answered,
        Err((error, head)) => {
            let mut reply = error::reply(&error, id);
            if let Some(source) = &error.source {
                tracing::error!(request = id, route = route.name, %source, "request failed");
            }
            if route.is_public() && !shared.rim().for_all_origins {
                allow_origin(shared, &head, &mut reply);
            }
            return reply;
        }
    };
    if route.is_public() {
        reply.headers.push((header::VARY, if route.is_file() { FILE_VARY } else { VARY }));
        if !shared.rim().for_all_origins {
            allow_origin(shared, &head, &mut reply);
        }
        if reply.header(&header::CACHE_CONTROL).is_none() {
            reply.headers.push((header::CACHE_CONTROL, cache_control(shared, &answer)));
        }
    }
    if route.is_admin() {
        of_admin(&mut reply, &answer);
    }
    let accepted = Accepted::of(&head.headers);
    if is_conditional(&head) && head.method.is_safe() && is_kept(&head, &reply) {
        let coding = accepted.coding_of(&reply.body);
        return not_modified(&head, reply, coding);
    }
    let as_it_is = route.is_packed() || accepted == Accepted::default();
    if as_it_is { reply } else { compressed(reply, accepted) }
}

/// What answers of the admin API carry: nobody keeps them but who asked, and pages learn what to send
/// with changes.
fn of_admin(reply: &mut Reply, answer: &Answer) {
    reply.headers.push((header::VARY, HeaderValue::from_static("cookie, accept-encoding")));
    if reply.header(&header::CACHE_CONTROL).is_none() {
        let private = HeaderValue::from_static("private, no-store");
        reply.headers.push((header::CACHE_CONTROL, private));
    }
    let name = header::HeaderName::from_static(X_CSRF_TOKEN);
    if let Ok(login) = answer.caller.login()
        && let Ok(token) = HeaderValue::from_str(&login.csrf_token)
        && reply.header(&name).is_none()
    {
        reply.headers.push((name, token));
    }
}

const VARY: HeaderValue = HeaderValue::from_static("authorization, accept-encoding");
const FILE_VARY: HeaderValue = HeaderValue::from_static("authorization, accept-encoding, cookie");

/// The reply in a coding, if it is worth it; another coding of an answer has another tag.
fn compressed(reply: Reply, accepted: Accepted) -> Reply {
    let was_coded = reply.header(&header::CONTENT_ENCODING).is_some();
    let mut reply = compress::apply(reply, accepted);
    if !was_coded
        && let Some(coding) = reply.header(&header::CONTENT_ENCODING)
        && let Ok(coding) = coding.to_str()
        && let Some(tag) = reply.header(&header::ETAG).and_then(plain_tag)
        && let Some(tag) = headers::etag(&format!("{tag}-{coding}"))
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
    if named { headers::etag(&coded) } else { None }
}

/// How long caches may keep an answer: never past the moment at which it changes by itself.
fn cache_control(shared: &Shared, answer: &Answer) -> HeaderValue {
    if !answer.caller.is_anonymous() {
        return HeaderValue::from_static("private, no-store");
    }
    let due = answer.snapshot.as_ref().and_then(|it| it.next_public_due());
    let settings = shared.app.settings();
    match due {
        Some(due) if settings.max_age_seconds > 0 => {
            let now = shared.app.engine.clock().now();
            public_cache(&settings, Some(due.seconds().saturating_sub(now.seconds())))
        }
        _ => shared.rim().public_cache.clone(),
    }
}

pub(super) fn public_cache(settings: &Settings, seconds_left: Option<i64>) -> HeaderValue {
    let left = seconds_left.map_or(u32::MAX, |it| u32::try_from(it).unwrap_or(0));
    let max_age = settings.max_age_seconds.min(left);
    let stale = settings.stale_while_revalidate_seconds.min(left - max_age);
    let text = match (max_age, stale) {
        (0, 0) => "public, max-age=0, must-revalidate".to_string(),
        (age, 0) => format!("public, max-age={age}, must-revalidate"),
        (age, stale) => format!("public, max-age={age}, stale-while-revalidate={stale}"),
    };
    HeaderValue::try_from(text)
        .unwrap_or_else(|_| HeaderValue::from_static("public, max-age=0, must-revalidate"))
}

pub(super) fn allow_origin(shared: &Shared, head: &Parts, reply: &mut Reply) {
    if shared.rim().for_all_origins {
        reply.set(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
    } else {
        let settings = shared.app.settings();
        let origins = &settings.cors_origins;
        headers::add_vary(&mut reply.headers, &[header::ORIGIN]);
        let Some(origin) = head.headers.get(header::ORIGIN) else { return };
        if !origins.iter().any(|it| it.as_bytes() == origin.as_bytes()) {
            return;
        }
        reply.set(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    reply.set(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}

pub(super) const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");
pub(super) const EXPOSED: HeaderValue = HeaderValue::from_static("ETag, Link, X-Request-Id");
