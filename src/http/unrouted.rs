//! Answers to requests that no route takes: preflights, other methods, addresses that lead nowhere.

use http::HeaderValue;
use http::Method;
use http::StatusCode;
use http::header;
use http::request::Parts;

use crate::app::error::Error;
use crate::http::error;
use crate::http::finish::allow_origin;
use crate::http::reply::Reply;
use crate::http::service::Shared;

/// Another method than the route has: a preflight, or a mistake.
pub(super) fn wrong_method(shared: &Shared, head: &Parts, allow: HeaderValue, id: &str) -> Reply {
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

pub(super) fn not_found(shared: &Shared, head: &Parts, id: &str) -> Reply {
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
