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
        Code::WorkspaceRequired | Code::BadRequest => StatusCode::BAD_REQUEST,
        Code::Unauthorized => StatusCode::UNAUTHORIZED,
        Code::Forbidden => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::RangeNotSatisfiable => StatusCode::RANGE_NOT_SATISFIABLE,
        Code::ValidationFailed => StatusCode::UNPROCESSABLE_ENTITY,
        Code::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        Code::StorageUnavailable => StatusCode::SERVICE_UNAVAILABLE,
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
        request_id: status.is_server_error().then_some(request_id),
    };
    // Strings and maps of strings always serialise.
    let json = serde_json::to_vec(&Envelope { error: body }).unwrap_or_default();
    let mut reply = Reply::new(status)
        .with(header::CONTENT_TYPE, JSON)
        .with(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
        .with_body(Bytes::from(json));
    if status == StatusCode::UNAUTHORIZED {
        reply.set(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    reply
}

/// The content type of JSON answers.
pub const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
