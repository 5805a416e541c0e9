//! How a use case fails: a code to branch on, a message to read, fields for forms.

use std::fmt;
use std::io;

use bytes::Bytes;

use crate::engine::commit::CommitError;
use crate::model::grant::Action;
use crate::model::problem::FieldProblems;
use crate::stdx::json::JsonError;
use crate::store::error::StoreError;

/// When to come back if too much is asked for at once, in seconds.
const BUSY_SECONDS: u32 = 2;

/// What went wrong, as clients branch on it. `docs/API.md` lists all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A public route that needs a workspace was called without one.
    WorkspaceRequired,
    /// The request is no request of this API.
    BadRequest,
    /// The body is no JSON object.
    InvalidJson,
    /// The body came too slowly. Clients see a `bad_request` with a status of its own.
    TooSlow,
    /// The bearer token is missing or does not count.
    Unauthorized,
    /// Nobody is logged in.
    Unauthenticated,
    /// User name and password do not go together.
    InvalidCredentials,
    /// The caller's grants do not reach that far.
    Forbidden,
    /// There is nothing here, or nothing for this caller.
    NotFound,
    /// The route knows other methods.
    MethodNotAllowed,
    /// What is there stands in the way.
    Conflict,
    /// There is a user already.
    AlreadySetUp,
    /// The page that asks is not one of the interface's, or an old one.
    CsrfMismatch,
    /// What is to be changed is no longer what the client knows.
    PreconditionFailed,
    /// The request is larger than the route takes.
    PayloadTooLarge,
    /// The route takes bodies of another kind.
    UnsupportedMediaType,
    /// The file has no such range.
    RangeNotSatisfiable,
    /// Values are not as they must be; `fields` says which.
    ValidationFailed,
    /// There is no file in an upload, or one that is nothing.
    UploadFailed,
    /// A file of an upload is larger than files may be.
    FileTooLarge,
    /// A file of an upload is of a kind that is not kept.
    FileTypeNotAllowed,
    /// A file of an upload says that it is a picture, and is none.
    InvalidImage,
    /// The password that was given to prove who asks is not theirs.
    InvalidPassword,
    /// Webhooks are not as they must be.
    InvalidWebhook,
    /// A file is no backup, or one that cannot be trusted.
    InvalidBackup,
    /// Too many tries; `retry_after` says when to come back.
    RateLimited,
    /// A webhook did not take what it was sent.
    WebhookFailed,
    /// There is no user yet.
    NotSetUp,
    /// The release channel cannot be asked, or what came of it does not count.
    UpdateFailed,
    /// Something is broken here.
    ServerError,
    /// The data folder cannot be reached, or not be written.
    StorageUnavailable,
    /// Too much of what takes long is asked for at once. Clients see a `storage_unavailable`.
    Busy,
    /// The disk is full.
    InsufficientStorage,
}

impl Code {
    /// All codes.
    pub const ALL: &[Code] = &[
        Code::WorkspaceRequired,
        Code::BadRequest,
        Code::InvalidJson,
        Code::Unauthorized,
        Code::Unauthenticated,
        Code::InvalidCredentials,
        Code::Forbidden,
        Code::NotFound,
        Code::MethodNotAllowed,
        Code::TooSlow,
        Code::Conflict,
        Code::AlreadySetUp,
        Code::PreconditionFailed,
        Code::PayloadTooLarge,
        Code::UnsupportedMediaType,
        Code::RangeNotSatisfiable,
        Code::CsrfMismatch,
        Code::ValidationFailed,
        Code::UploadFailed,
        Code::FileTooLarge,
        Code::FileTypeNotAllowed,
        Code::InvalidImage,
        Code::InvalidPassword,
        Code::InvalidWebhook,
        Code::InvalidBackup,
        Code::RateLimited,
        Code::WebhookFailed,
        Code::NotSetUp,
        Code::UpdateFailed,
        Code::ServerError,
        Code::StorageUnavailable,
        Code::Busy,
        Code::InsufficientStorage,
    ];

    /// Whether the admin API alone answers with it.
    pub fn is_of_admin(self) -> bool {
        use Code::{
            AlreadySetUp, CsrfMismatch, InvalidBackup, InvalidCredentials, InvalidPassword,
            InvalidWebhook, NotSetUp, RateLimited, Unauthenticated, UpdateFailed, WebhookFailed,
        };
        matches!(
            self,
            Unauthenticated
                | InvalidCredentials
                | AlreadySetUp
                | CsrfMismatch
                | InvalidPassword
                | InvalidWebhook
                | InvalidBackup
                | RateLimited
                | UpdateFailed
                | WebhookFailed
                | NotSetUp
        )
    }

    /// Whether nothing is wrong here although it looks so from outside: nobody has set the server up
    /// yet, somebody else's server failed, or too much is asked for. Whoever asks again and again
    /// must not fill the log.
    pub fn is_of_others(self) -> bool {
        matches!(self, Code::NotSetUp | Code::WebhookFailed | Code::UpdateFailed | Code::Busy)
    }

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::WorkspaceRequired => "workspace_required",
            Code::BadRequest | Code::TooSlow => "bad_request",
            Code::InvalidJson => "invalid_json",
            Code::Unauthorized => "unauthorized",
            Code::Unauthenticated => "unauthenticated",
            Code::InvalidCredentials => "invalid_credentials",
            Code::AlreadySetUp => "already_set_up",
            Code::CsrfMismatch => "csrf_mismatch",
            Code::InvalidPassword => "invalid_password",
            Code::InvalidWebhook => "invalid_webhook",
            Code::InvalidBackup => "invalid_backup",
            Code::RateLimited => "rate_limited",
            Code::WebhookFailed => "webhook_failed",
            Code::NotSetUp => "not_set_up",
            Code::Forbidden => "forbidden",
            Code::NotFound => "not_found",
            Code::MethodNotAllowed => "method_not_allowed",
            Code::Conflict => "conflict",
            Code::PreconditionFailed => "precondition_failed",
            Code::PayloadTooLarge => "payload_too_large",
            Code::UnsupportedMediaType => "unsupported_media_type",
            Code::RangeNotSatisfiable => "range_not_satisfiable",
            Code::ValidationFailed => "validation_failed",
            Code::UploadFailed => "upload_failed",
            Code::FileTooLarge => "file_too_large",
            Code::FileTypeNotAllowed => "file_type_not_allowed",
            Code::InvalidImage => "invalid_image",
            Code::UpdateFailed => "update_failed",
            Code::ServerError => "server_error",
            Code::StorageUnavailable | Code::Busy => "storage_unavailable",
            Code::InsufficientStorage => "insufficient_storage",
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
    /// What else there is to know, when there is.
    pub beside: Option<Box<Beside>>,
    /// After how many seconds to come back.
    pub retry_after: Option<u32>,
    /// What the operator must see, and nobody else.
    pub source: Option<String>,
}

/// What an error tells beside its message.
#[derive(Debug)]
pub struct Beside {
    /// `current`: what is there now, when a precondition failed and the caller may read it; `usages`:
    /// where that is used which was to be deleted.
    pub key: &'static str,
    /// As JSON.
    pub json: Bytes,
}

impl Beside {
    fn of(key: &'static str, json: Bytes) -> Option<Box<Beside>> {
        Some(Box::new(Beside { key, json }))
    }
}

/// What a use case gives.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn new(code: Code, message: impl Into<String>) -> Error {
        let message = message.into();
        let fields = FieldProblems::new();
        Error { code, message, fields, beside: None, retry_after: None, source: None }
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
        Error::new(Code::Forbidden, format!("This needs the right `{action}` on {on}."))
    }

    /// Something that nobody may do whatever they are granted, or that would reach further than the
    /// caller's own grants.
    pub fn refused(message: impl Into<String>) -> Error {
        Error::new(Code::Forbidden, message)
    }

    /// Nobody is logged in.
    pub fn unauthenticated() -> Error {
        Error::new(Code::Unauthenticated, "Log in first.")
    }

    /// User name and password do not go together. Which of them is wrong is not told.
    pub fn invalid_credentials() -> Error {
        Error::new(Code::InvalidCredentials, "The user name or the password is not right.")
    }

    /// The page that asks is not one of the interface's, or an old one.
    pub fn csrf_mismatch() -> Error {
        Error::new(
            Code::CsrfMismatch,
            "The X-CSRF-Token of this request is missing or not that of the session.",
        )
    }

    /// There is a user already.
    pub fn already_set_up() -> Error {
        Error::new(Code::AlreadySetUp, "This installation is set up already: log in.")
    }

    /// There is no user yet.
    pub fn not_set_up() -> Error {
        Error::new(Code::NotSetUp, "There is no user yet: set the installation up first.")
    }

    /// Too many tries.
    pub fn rate_limited(message: impl Into<String>, retry_after: u32) -> Error {
        Error { retry_after: Some(retry_after), ..Error::new(Code::RateLimited, message) }
    }

    /// The password that was given to prove who asks is not theirs.
    pub fn invalid_password(field: &str) -> Error {
        let message = "This is not your password.";
        let fields = FieldProblems::one(field, message);
        Error { fields, ..Error::new(Code::InvalidPassword, message) }
    }

    /// Webhooks are not as they must be.
    pub fn invalid_webhook(fields: FieldProblems) -> Error {
        Error { fields, ..Error::new(Code::InvalidWebhook, "Some webhooks are not valid.") }
    }

    /// A webhook did not take what it was sent.
    pub fn webhook_failed(why: &str) -> Error {
        Error::new(Code::WebhookFailed, format!("The webhook did not take the test. {why}"))
    }

    /// The request makes no sense.
    pub fn bad_request(message: impl Into<String>) -> Error {
        Error::new(Code::BadRequest, message)
    }

    /// The body is no JSON, and where.
    pub fn invalid_json(error: &JsonError) -> Error {
        Error::new(Code::InvalidJson, format!("The body is no valid JSON: {error}."))
    }

    /// The body is JSON, but no object: `kind` says what it is instead.
    pub fn no_json_object(kind: &str) -> Error {
        Error::new(
            Code::InvalidJson,
            format!("The body must be a JSON object; this is {kind} at line 1, column 1."),
        )
    }

    /// The body came too slowly.
    pub fn too_slow() -> Error {
        Error::new(Code::TooSlow, "The request body came too slowly.")
    }

    /// The body is of a kind that the route does not take.
    pub fn unsupported_media_type(message: impl Into<String>) -> Error {
        Error::new(Code::UnsupportedMediaType, message)
    }

    /// What is there stands in the way.
    pub fn conflict(message: impl Into<String>) -> Error {
        Error::new(Code::Conflict, message)
    }

    /// What was to be deleted is used; where is told as JSON.
    pub fn in_use(message: impl Into<String>, usages: Bytes) -> Error {
        Error { beside: Beside::of("usages", usages), ..Error::new(Code::Conflict, message) }
    }

    /// What is to be changed has changed since the client read it. `current` is what it is now, as
    /// JSON, for callers who may read it.
    pub fn precondition_failed(current: Option<Bytes>) -> Error {
        let message = "This has changed since you read it.";
        let beside = current.and_then(|it| Beside::of("current", it));
        Error { beside, ..Error::new(Code::PreconditionFailed, message) }
    }

    /// An upload brings nothing that can be kept. `fields` names files by where they stood:
    /// `media[0]` is the first, `media` all of them.
    pub fn upload_failed(fields: FieldProblems) -> Error {
        Error::of_upload(Code::UploadFailed, fields)
    }

    /// A file of an upload is larger than files may be.
    pub fn file_too_large(fields: FieldProblems) -> Error {
        Error::of_upload(Code::FileTooLarge, fields)
    }

    /// A file of an upload is of a kind that is not kept.
    pub fn file_type_not_allowed(fields: FieldProblems) -> Error {
        Error::of_upload(Code::FileTypeNotAllowed, fields)
    }

    /// A file of an upload says that it is a picture, and is none.
    pub fn invalid_image(fields: FieldProblems) -> Error {
        Error::of_upload(Code::InvalidImage, fields)
    }

    /// The message is the first of the fields': clients that show no fields show that.
    fn of_upload(code: Code, fields: FieldProblems) -> Error {
        let first = fields.iter().next().map(|(_, message)| message.to_string());
        let message = first.unwrap_or_else(|| "The upload failed.".to_string());
        Error { fields, ..Error::new(code, message) }
    }

    /// A file is no backup, or one that cannot be trusted; `fields` are the files in it.
    pub fn invalid_backup(fields: FieldProblems) -> Error {
        let first = fields.iter().next();
        let message = match first {
            Some(("", why)) => why.to_string(),
            Some((path, why)) => format!("{path}: {why}"),
            None => "This backup cannot be used.".to_string(),
        };
        Error { fields, ..Error::new(Code::InvalidBackup, message) }
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

    /// A new version of the program cannot be had, or must not be trusted.
    pub fn update_failed(message: impl Into<String>) -> Error {
        Error::new(Code::UpdateFailed, message)
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

    /// The workspace is in a format that this version does not know.
    pub fn unsupported_format(reason: impl Into<String>) -> Error {
        Error::new(Code::StorageUnavailable, reason)
    }

    /// Too much of what takes long is asked for at once; soon there is room again.
    pub fn busy(message: impl Into<String>) -> Error {
        Error { retry_after: Some(BUSY_SECONDS), ..Error::new(Code::Busy, message) }
    }

    /// The disk is full. Nothing was changed.
    pub fn insufficient_storage(source: impl fmt::Display) -> Error {
        let message = "There is no room left on the server's disk. Nothing was changed.";
        Error { source: Some(source.to_string()), ..Error::new(Code::InsufficientStorage, message) }
    }
}

impl From<CommitError> for Error {
    fn from(error: CommitError) -> Error {
        match error {
            CommitError::Store(error) => error.into(),
            CommitError::Broken(problem) => Error::conflict(format!(
                "A file that this change needs cannot be read: {} Mend it first.",
                problem.message
            )),
            CommitError::TooLarge(most) => Error::too_large(format!(
                "With this a file would have more than {most} bytes; nothing was changed."
            )),
            CommitError::NoWorkspace => Error::new(Code::NotFound, "There is no such workspace."),
            error @ CommitError::Panicked => Error::internal(error),
            CommitError::UnsupportedFormat(reason) => Error::unsupported_format(reason),
            error @ (CommitError::Stale
            | CommitError::ReadOnly
            | CommitError::Outage
            | CommitError::FolderGone(_)
            | CommitError::Unverified(_)) => Error::storage_unavailable(error),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        use io::ErrorKind::QuotaExceeded;
        use io::ErrorKind::StorageFull;
        match error.io_kind() {
            Some(StorageFull | QuotaExceeded) => Error::insufficient_storage(error),
            _ => Error::storage_unavailable(error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for Error {}
