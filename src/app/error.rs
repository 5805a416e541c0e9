//! How a use case fails: a code to branch on, a message to read, fields for forms.

use std::fmt;

use crate::model::grant::Action;
use crate::model::problem::FieldProblems;

/// What went wrong, as clients branch on it. `docs/API.md` lists all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A public route that needs a workspace was called without one.
    WorkspaceRequired,
    /// The request is no request of this API.
    BadRequest,
    /// The bearer token is missing or does not count.
    Unauthorized,
    /// The token does not reach that far.
    Forbidden,
    /// There is nothing here, or nothing for this caller.
    NotFound,
    /// The route knows other methods.
    MethodNotAllowed,
    /// The request is larger than the route takes.
    PayloadTooLarge,
    /// The file has no such range.
    RangeNotSatisfiable,
    /// Values are not as they must be; `fields` says which.
    ValidationFailed,
    /// Something is broken here.
    ServerError,
    /// The data folder cannot be reached.
    StorageUnavailable,
}

impl Code {
    /// All codes.
    pub const ALL: [Code; 11] = [
        Code::WorkspaceRequired,
        Code::BadRequest,
        Code::Unauthorized,
        Code::Forbidden,
        Code::NotFound,
        Code::MethodNotAllowed,
        Code::PayloadTooLarge,
        Code::RangeNotSatisfiable,
        Code::ValidationFailed,
        Code::ServerError,
        Code::StorageUnavailable,
    ];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::WorkspaceRequired => "workspace_required",
            Code::BadRequest => "bad_request",
            Code::Unauthorized => "unauthorized",
            Code::Forbidden => "forbidden",
            Code::NotFound => "not_found",
            Code::MethodNotAllowed => "method_not_allowed",
            Code::PayloadTooLarge => "payload_too_large",
            Code::RangeNotSatisfiable => "range_not_satisfiable",
            Code::ValidationFailed => "validation_failed",
            Code::ServerError => "server_error",
            Code::StorageUnavailable => "storage_unavailable",
        }
    }
}

/// Why a use case could not be carried out. Made by the named constructors alone.
#[derive(Debug)]
pub struct Error {
    /// What to branch on.
    pub code: Code,
    /// What to show.
    pub message: String,
    /// What is wrong with which value.
    pub fields: FieldProblems,
    /// What the operator must see, and nobody else.
    pub source: Option<String>,
}

/// What a use case gives.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn new(code: Code, message: impl Into<String>) -> Error {
        Error { code, message: message.into(), fields: FieldProblems::new(), source: None }
    }

    /// There is no such thing, or not for this caller.
    pub fn not_found(kind: &str, name: &str) -> Error {
        Error::new(Code::NotFound, format!("There is no {kind} `{name}`."))
    }

    /// No route leads here.
    pub fn no_route() -> Error {
        Error::new(Code::NotFound, "There is nothing at this address.")
    }

    /// The route has other methods.
    pub fn method_not_allowed() -> Error {
        Error::new(Code::MethodNotAllowed, "This address does not know this method.")
    }

    /// The address lacks a workspace.
    pub fn workspace_required() -> Error {
        Error::new(
            Code::WorkspaceRequired,
            "This address needs a workspace: /api/v1/workspaces/{workspace}/…",
        )
    }

    /// The credential is missing or does not count.
    pub fn unauthorized(message: &str) -> Error {
        Error::new(Code::Unauthorized, message)
    }

    /// The caller lacks a right.
    pub fn forbidden(action: Action, on: &str) -> Error {
        Error::new(Code::Forbidden, format!("This token does not grant `{action}` on {on}."))
    }

    /// The request makes no sense.
    pub fn bad_request(message: impl Into<String>) -> Error {
        Error::new(Code::BadRequest, message)
    }

    /// Values are not as they must be.
    pub fn invalid(fields: FieldProblems) -> Error {
        Error { fields, ..Error::new(Code::ValidationFailed, "Some values are not valid.") }
    }

    /// The request is larger than the route takes.
    pub fn too_large(message: impl Into<String>) -> Error {
        Error::new(Code::PayloadTooLarge, message)
    }

    /// The file has no such range.
    pub fn no_such_range() -> Error {
        Error::new(Code::RangeNotSatisfiable, "The file has no such range.")
    }

    /// Something is broken here; the source goes to the log alone.
    pub fn internal(source: impl fmt::Display) -> Error {
        let message = "Something went wrong on the server.";
        Error { source: Some(source.to_string()), ..Error::new(Code::ServerError, message) }
    }

    /// The data folder cannot be reached.
    pub fn storage_unavailable(source: impl fmt::Display) -> Error {
        let message = "The data cannot be reached right now.";
        Error { source: Some(source.to_string()), ..Error::new(Code::StorageUnavailable, message) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for Error {}
