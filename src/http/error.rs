//! Errors on the wire: the one place where a code becomes a status.

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use serde::Serialize;

use crate::app::error::Code;
use crate::app::error::Error;
use crate::http::reply::Reply;
use crate::model::problem::FieldProblems;

/// The status of a code.
pub fn status(code: Code) -> StatusCode {
    match code {
        Code::WorkspaceRequired | Code::BadRequest | Code::InvalidJson => StatusCode::BAD_REQUEST,
        Code::TooSlow => StatusCode::REQUEST_TIMEOUT,
        Code::Unauthorized | Code::Unauthenticated | Code::InvalidCredentials => {
            StatusCode::UNAUTHORIZED
        }
        Code::Forbidden => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
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
        | Code::InvalidWebhook
        | Code::InvalidBackup => StatusCode::UNPROCESSABLE_ENTITY,
        Code::CsrfMismatch => StatusCode::from_u16(419).unwrap_or(StatusCode::FORBIDDEN),
        Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Code::WebhookFailed | Code::UpdateFailed => StatusCode::BAD_GATEWAY,
        Code::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        Code::StorageUnavailable | Code::Busy | Code::NotSetUp => StatusCode::SERVICE_UNAVAILABLE,
        Code::InsufficientStorage => StatusCode::INSUFFICIENT_STORAGE,
    }
}

#[derive(Serialize)]
struct Envelope<'a> {
    error: Body<'a>,
}

#[derive(Serialize)]
struct Body<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "FieldProblems::is_empty")]
    fields: &'a FieldProblems,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
    /// What to tell whoever runs the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

/// The reply to an error. Server errors carry the request's id and nothing else of use.
pub fn reply(error: &Error, request_id: &str) -> Reply {
    let status = status(error.code);
    let body = Body {
        code: error.code.as_str(),
        message: &error.message,
        fields: &error.fields,
        retry_after: error.retry_after,
        request_id: status.is_server_error().then_some(request_id),
    };
    // Strings and maps of strings always serialise.
    let mut json = serde_json::to_vec(&Envelope { error: body }).unwrap_or_default();
    if let Some(beside) = &error.beside {
        append(&mut json, beside.key, &beside.json);
    }
    let mut reply = Reply::new(status)
        .with(header::CONTENT_TYPE, JSON)
        .with(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
        .with_body(Bytes::from(json));
    if let Some(seconds) = error.retry_after {
        reply.set(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    // A browser would ask for a password where the interface shows its own form.
    if error.code == Code::Unauthorized {
        reply.set(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    reply.is_failure &= !error.code.is_of_others();
    reply
}

/// Puts what is JSON already before the two braces that close the envelope.
fn append(json: &mut Vec<u8>, key: &str, value: &[u8]) {
    json.truncate(json.len().saturating_sub(2));
    json.extend_from_slice(format!(",\"{key}\":").as_bytes());
    json.extend_from_slice(value);
    json.extend_from_slice(b"}}");
}

/// The content type of JSON answers.
pub const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_precondition_shows_what_is_there() {
        let check = |current: Option<&'static str>, expect: &str| {
            let error = Error::precondition_failed(current.map(Bytes::from));
            let reply = reply(&error, "id");
            let body = match reply.body {
                crate::http::reply::ReplyBody::Full(bytes) => bytes,
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
