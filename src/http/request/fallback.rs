//! The replies to requests without a route: preflights, unsupported methods, unknown addresses.

use http::HeaderValue;
use http::Method;
use http::StatusCode;
use http::header;
use http::request::Parts;

use crate::app::error::Error;
use crate::http::request::error;
use crate::http::request::respond::allow_origin;
use crate::http::request::state::ServerState;
use crate::http::wire::reply::Reply;

/// Answers a request with a method that the route does not have: a preflight, or a mistake.
pub(crate) fn wrong_method(
    state: &ServerState,
    head: &Parts,
    allow: HeaderValue,
    id: &str,
) -> Reply {
    let public = is_public_path(state, head.uri.path());
    let mut reply = if head.method == Method::OPTIONS {
        let mut reply = Reply::new(StatusCode::NO_CONTENT);
        if public {
            reply.set_header(header::ACCESS_CONTROL_ALLOW_METHODS, allow.clone());
            let asked = head.headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
            let usual = HeaderValue::from_static("Authorization, Content-Type, If-Match");
            reply.set_header(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.unwrap_or(usual));
            reply.set_header(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
        }
        reply
    } else {
        error::render_error_for(head, &Error::method_not_allowed(), id)
    };
    reply.set_header(header::ALLOW, allow);
    if public {
        allow_origin(state, head, &mut reply);
    }
    reply
}

pub(crate) fn not_found(state: &ServerState, head: &Parts, id: &str) -> Reply {
    let path = below_base(state, head.uri.path());
    let unscoped = path.and_then(|it| it.strip_prefix("/api/v1/")).is_some_and(|rest| {
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let is_scoped = rest == "workspaces" || rest.starts_with("workspaces/");
        // With a workspace, empty segments and backslashes match nothing, either.
        let is_path = !rest.contains('\\') && rest.split('/').all(|it| !it.is_empty());
        is_path && !is_scoped
    });
    let error = if unscoped { Error::workspace_required() } else { Error::no_route() };
    reply_failure(state, head, &error, id)
}

/// Renders an error of a request that has no route.
pub(crate) fn reply_failure(state: &ServerState, head: &Parts, error: &Error, id: &str) -> Reply {
    let mut reply = error::render_error_for(head, error, id);
    if is_public_path(state, head.uri.path()) {
        allow_origin(state, head, &mut reply);
    }
    reply
}

fn below_base<'p>(state: &ServerState, path: &'p str) -> Option<&'p str> {
    let base = state.options.base_path.trim_end_matches('/');
    path.strip_prefix(base).filter(|rest| rest.starts_with('/'))
}

fn is_public_path(state: &ServerState, path: &str) -> bool {
    let public = ["/api/v1/", "/media/", "/media-thumbs/"];
    below_base(state, path).is_some_and(|path| public.iter().any(|it| path.starts_with(it)))
}
