//! The rendering of errors: the one place that maps error codes to statuses.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use http::request::Parts;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::usage::Usage;
use crate::http::wire::reply::Reply;
use crate::http::wire::reply::ReplyBody;
use crate::model::problem::FieldProblems;
use crate::model::sentence::SentenceTemplate;
use crate::query::request::params::QueryParams;
use crate::stdx::json_indent::indent_json;

/// Returns the status of a code.
pub fn status_of(code: Code) -> StatusCode {
    match code {
        Code::WorkspaceRequired | Code::BadRequest | Code::InvalidJson => StatusCode::BAD_REQUEST,
        Code::TooSlow => StatusCode::REQUEST_TIMEOUT,
        Code::Unauthorized
        | Code::Unauthenticated
        | Code::InvalidCredentials
        | Code::SecondFactorRequired => StatusCode::UNAUTHORIZED,
        Code::Forbidden | Code::PublishRequired | Code::SecondFactorMissing => {
            StatusCode::FORBIDDEN
        }
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::StartAgain => StatusCode::GONE,
        Code::Conflict | Code::AlreadySetUp => StatusCode::CONFLICT,
        Code::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::RangeNotSatisfiable => StatusCode::RANGE_NOT_SATISFIABLE,
        Code::ValidationFailed
        | Code::UploadFailed
        | Code::FileTooLarge
        | Code::FileTypeNotAllowed
        | Code::InvalidImage
        | Code::InvalidPassword
        | Code::InvalidCode
        | Code::InvalidWebhook
        | Code::InvalidBackup
        | Code::InvalidImport => StatusCode::UNPROCESSABLE_ENTITY,
        Code::CsrfMismatch => StatusCode::from_u16(419).unwrap_or(StatusCode::FORBIDDEN),
        Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Code::WebhookFailed | Code::UpdateFailed => StatusCode::BAD_GATEWAY,
        Code::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        Code::StorageUnavailable | Code::Busy | Code::NotSetUp => StatusCode::SERVICE_UNAVAILABLE,
        Code::InsufficientStorage => StatusCode::INSUFFICIENT_STORAGE,
    }
}

/// The body of an answer with an error.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(crate) struct ErrorEnvelope<'a> {
    error: ErrorBody<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct ErrorBody<'a> {
    /// The code to branch on.
    code: Code,
    /// A message to show to people.
    message: &'a str,
    /// Messages by the path of each invalid value; only if there are any.
    #[serde(skip_serializing_if = "FieldProblems::is_empty")]
    fields: &'a FieldProblems,
    /// The templates of the messages that have parameters, each with its `text` and `params`: by
    /// the path in `fields`, and under the empty path that of `message`. Only in the admin API.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "Map<String, Value>")]
    templates: BTreeMap<&'a str, &'a SentenceTemplate>,
    /// The seconds after which to try again; only with `rate_limited` and `storage_unavailable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    retry_after: Option<u32>,
    /// The id to report to the operator; only with statuses of 500 and above.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    request_id: Option<&'a str>,
    /// The current state of the resource, if the caller may read it; only with
    /// `precondition_failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    current: Option<&'a RawValue>,
    /// The first 20 references that prevent the deletion, as far as the caller may read them; only
    /// with `conflict`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Usage>", length(max = 20))]
    usages: Option<&'a [Usage]>,
    /// The values in conflict of the first 20 entries, each as an `EntryDiff`; only with `conflict`
    /// when a release or drafts are published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Map<String, Value>>", length(max = 20))]
    conflicts: Option<&'a RawValue>,
}

/// Renders an error as the reply to a request, indented if the request asks for that.
pub(crate) fn render_error_for(head: &Parts, error: &Error, request_id: &str) -> Reply {
    indent_for(head, render_error(error, request_id))
}

/// Renders an error as the reply to a request of the admin API, whose clients show messages in the
/// language of their users.
pub(crate) fn render_admin_error_for(head: &Parts, error: &Error, request_id: &str) -> Reply {
    let of_message = error.template.as_deref().map(|it| ("", it));
    let templates = error.fields.templates().chain(of_message).collect();
    indent_for(head, render_with_templates(error, request_id, templates))
}

fn indent_for(head: &Parts, mut reply: Reply) -> Reply {
    if let ReplyBody::Full(json) = &mut reply.body
        && asks_for_indenting(head)
    {
        *json = Bytes::from(indent_json(json));
    }
    reply
}

fn asks_for_indenting(head: &Parts) -> bool {
    let query = head.uri.query().unwrap_or_default();
    QueryParams::parse(query).is_ok_and(|it| it.get_flag("pretty"))
}

/// Renders an error as a reply. Server errors contain only the id of the request.
pub fn render_error(error: &Error, request_id: &str) -> Reply {
    render_with_templates(error, request_id, BTreeMap::new())
}

fn render_with_templates(
    error: &Error,
    request_id: &str,
    templates: BTreeMap<&str, &SentenceTemplate>,
) -> Reply {
    let status = status_of(error.code);
    let body = ErrorBody {
        code: error.code,
        message: &error.message,
        fields: &error.fields,
        templates,
        retry_after: error.retry_after,
        request_id: status.is_server_error().then_some(request_id),
        current: error.current_state(),
        usages: error.usages(),
        conflicts: error.conflicts(),
    };
    // Strings and JSON values always serialise.
    let json = serde_json::to_vec(&ErrorEnvelope { error: body }).unwrap_or_default();
    let mut reply = Reply::new(status)
        .with_header(header::CONTENT_TYPE, JSON)
        .with_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
        .with_body(Bytes::from(json));
    if let Some(seconds) = error.retry_after {
        reply.set_header(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    // With this header, a browser would ask for a password where the interface shows its own form.
    if error.code == Code::Unauthorized {
        reply.set_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    reply.is_failure &= !error.code.is_external();
    reply
}

/// The content type of JSON responses.
pub const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_admin_api_tells_templates() {
        let error = Error::not_found("entry", "a");
        let head = http::Request::new(()).into_parts().0;
        let body_of = |reply: Reply| match reply.body {
            ReplyBody::Full(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            other => panic!("{other:?}"),
        };
        let public = r#"{"error":{"code":"not_found","message":"There is no entry `a`."}}"#;
        assert_eq!(body_of(render_error_for(&head, &error, "id")), public);
        assert_eq!(
            body_of(render_admin_error_for(&head, &error, "id")),
            r#"{"error":{"code":"not_found","message":"There is no entry `a`.","templates":{"":{"text":"There is no {kind} `{name}`.","params":{"kind":"entry","name":"a"}}}}}"#
        );
    }

    #[test]
    fn a_failed_precondition_shows_what_is_there() {
        let check = |current: Option<&'static str>, expect: &str| {
            let current = current.map(|it| RawValue::from_string(it.to_string()).unwrap());
            let error = Error::precondition_failed(current);
            let reply = render_error(&error, "id");
            let body = match reply.body {
                ReplyBody::Full(bytes) => bytes,
                other => panic!("{other:?}"),
            };
            let json: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(json["error"]["current"].to_string(), expect);
            assert_eq!(json["error"]["code"], "precondition_failed");
        };
        check(None, "null");
        check(Some(r#"{"id":"a"}"#), r#"{"id":"a"}"#);
    }
}
