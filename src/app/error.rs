//! The error of a use case: a code to branch on, a message to read, fields for forms.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::value::RawValue;

use crate::app::usage::Usage;
use crate::engine::error::CommitError;
use crate::model::grant::Action;
use crate::model::problem::FieldProblems;
use crate::model::sentence::Sentence;
use crate::model::sentence::SentenceTemplate;
use crate::model::sentence::sentence;
use crate::stdx::json::JsonError;
use crate::stdx::json_schema::inline_schema;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::text_enum::text_enum;
use crate::store::error::StoreError;

/// The seconds to wait before trying again when the server is busy, or its database fails over.
const BUSY_SECONDS: u32 = 2;

macro_rules! codes {
    ($($(#[doc = $line:literal])+ $code:ident = $name:literal, $audience:ident;)*) => {
        text_enum! {
            /// The error code that clients branch on. The descriptions are those of `docs/API.md`.
            /// Two codes with statuses of their own share a name with others.
            pub enum Code {
                $($(#[doc = $line])+ $code = $name,)*
            }
        }

        impl Code {
            /// Returns the description for users of the API.
            pub fn description(self) -> &'static str {
                match self { $(Code::$code => concat!($($line),+).trim_ascii_start(),)* }
            }

            fn audience(self) -> CodeAudience {
                match self { $(Code::$code => CodeAudience::$audience,)* }
            }
        }
    };
}

/// The APIs that return a code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CodeAudience {
    Both,
    Admin,
}

codes! {
    /// An address of the public API lacks `/workspaces/{workspace}`.
    WorkspaceRequired = "workspace_required", Both;
    /// The request cannot be understood: the query is not UTF-8, there are more than 256
    /// parameters, `Host` is missing, or a multipart body breaks off.
    BadRequest = "bad_request", Both;
    /// The body is not a JSON object, is nested more than 64 levels deep, or has a duplicate key.
    /// The message names line and column.
    InvalidJson = "invalid_json", Both;
    /// The token is unknown, mistyped, expired or revoked, on any route that takes tokens; or a
    /// token is missing where one is needed: to write, or to read a private file.
    Unauthorized = "unauthorized", Both;
    /// Nobody is logged in, or the session has ended.
    Unauthenticated = "unauthenticated", Admin;
    /// The user name or the password is wrong.
    InvalidCredentials = "invalid_credentials", Admin;
    /// The password is right, and the code of the second factor is missing. Send the login again
    /// with `code`.
    SecondFactorRequired = "second_factor_required", Admin;
    /// The role requires a second factor, and the user has none. Only setting it up is allowed.
    SecondFactorMissing = "second_factor_missing", Admin;
    /// The credential is valid but does not allow this. On the admin API also: the request comes
    /// from a page of another site.
    Forbidden = "forbidden", Both;
    /// In a type with `drafts`, a change of what is public needs the permission to publish. With
    /// `?change=pending` it is proposed.
    PublishRequired = "publish_required", Both;
    /// The resource does not exist, or not for this caller.
    NotFound = "not_found", Both;
    /// The address has other methods, which `Allow` lists.
    MethodNotAllowed = "method_not_allowed", Both;
    /// The body arrived too slowly.
    TooSlow = "bad_request", Both;
    /// The cursor is unknown, too old, or of another reader: start again with the bundle.
    StartAgain = "start_again", Both;
    /// The current state prevents the change.
    Conflict = "conflict", Both;
    /// There is already a user.
    AlreadySetUp = "already_set_up", Admin;
    /// `If-Match` does not match the current state, which `error.current` has if the token may read
    /// it.
    PreconditionFailed = "precondition_failed", Both;
    /// The body exceeds the limit of the route.
    PayloadTooLarge = "payload_too_large", Both;
    /// The route does not accept this content type.
    UnsupportedMediaType = "unsupported_media_type", Both;
    /// The file has no such range; `Content-Range` has its size.
    RangeNotSatisfiable = "range_not_satisfiable", Both;
    /// `X-CSRF-Token` is missing or belongs to another session.
    CsrfMismatch = "csrf_mismatch", Admin;
    /// A parameter or a value is not valid; `error.fields` names all of them.
    ValidationFailed = "validation_failed", Both;
    /// The upload has no file, or an empty one.
    UploadFailed = "upload_failed", Both;
    /// An uploaded file exceeds the size limit.
    FileTooLarge = "file_too_large", Both;
    /// An uploaded file has a type that Recto does not accept, or content that does not fit its
    /// name.
    FileTypeNotAllowed = "file_type_not_allowed", Both;
    /// An uploaded SVG, JPEG, PNG, WebP or GIF cannot be read as one.
    InvalidImage = "invalid_image", Both;
    /// The current password, sent to confirm the change, is wrong.
    InvalidPassword = "invalid_password", Admin;
    /// The code of the second factor is wrong, was used before, or is too old.
    InvalidCode = "invalid_code", Admin;
    /// A webhook is not valid; `error.fields` says why.
    InvalidWebhook = "invalid_webhook", Admin;
    /// The file is not a backup, or not a trustworthy one.
    InvalidBackup = "invalid_backup", Admin;
    /// The source of an import has problems; `error.fields` has them by their places in it, at most
    /// 1,000. Nothing was written.
    InvalidImport = "invalid_import", Admin;
    /// There were too many attempts. `Retry-After` and `error.retry_after` say how many seconds to
    /// wait.
    RateLimited = "rate_limited", Both;
    /// The webhook's receiver did not accept the message.
    WebhookFailed = "webhook_failed", Admin;
    /// There is no user yet.
    NotSetUp = "not_set_up", Admin;
    /// The release channel cannot be reached, or its answer is not valid.
    UpdateFailed = "update_failed", Admin;
    /// Recto has a bug. `error.request_id` identifies the line in the server's log.
    ServerError = "server_error", Both;
    /// The data folder cannot be reached or written, the workspace has an unknown format, or an
    /// answer takes more than a minute.
    StorageUnavailable = "storage_unavailable", Both;
    /// Too many slow requests (pictures, previews, searches of large types) arrived at once.
    /// `Retry-After` and `error.retry_after` say how many seconds to wait.
    Busy = "storage_unavailable", Both;
    /// The disk is full. Nothing was changed.
    InsufficientStorage = "insufficient_storage", Both;
}

impl Code {
    /// Returns true if only the admin API returns this code.
    pub fn is_admin_only(self) -> bool {
        self.audience() == CodeAudience::Admin
    }

    /// Returns true if the cause lies outside this server although the status says otherwise: the
    /// installation is not set up, another server failed, or there are too many requests. Repeated
    /// requests must not fill the log with them.
    pub fn is_external(self) -> bool {
        matches!(self, Code::NotSetUp | Code::WebhookFailed | Code::UpdateFailed | Code::Busy)
    }
}

inline_schema!(Code, |_| {
    one_of_texts(Code::ALL.iter().map(|it| it.as_str()).collect::<BTreeSet<_>>())
});

/// The error of a use case. Only the named constructors build it.
#[derive(Debug)]
pub struct Error {
    /// The code to branch on.
    pub code: Code,
    /// The message to show.
    pub message: String,
    /// The template of the message, if it has parameters.
    pub template: Option<Box<SentenceTemplate>>,
    /// The problems of single values.
    pub fields: FieldProblems,
    /// Additional data for the client.
    pub details: Option<Box<ErrorDetails>>,
    /// The number of seconds after which to try again.
    pub retry_after: Option<u32>,
    /// The cause, for the log only.
    pub source: Option<String>,
}

/// Additional data of an error.
#[derive(Debug)]
pub enum ErrorDetails {
    /// The current state after a failed precondition.
    Current(Box<RawValue>),
    /// The usages that prevent a deletion.
    Usages(Vec<Usage>),
    /// The values in conflict that prevent a publication.
    Conflicts(Box<RawValue>),
}

/// The result of a use case.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn new(code: Code, message: impl Into<Sentence>) -> Error {
        let (message, template) = message.into().into_parts();
        let fields = FieldProblems::new();
        Error { code, message, template, fields, details: None, retry_after: None, source: None }
    }

    /// Returns the error of a resource that does not exist, or not for this caller.
    pub fn not_found(kind: &str, name: &str) -> Error {
        let message = sentence!("There is no {kind} `{name}`.", kind, name);
        Error::new(Code::NotFound, message)
    }

    /// Returns the error of an address without a route.
    pub fn no_route() -> Error {
        Error::new(Code::NotFound, "There is nothing at this address.")
    }

    /// Returns the error of a route that does not support the method.
    pub fn method_not_allowed() -> Error {
        Error::new(Code::MethodNotAllowed, "This address does not support this method.")
    }

    /// Returns the error of an address without a workspace.
    pub fn workspace_required() -> Error {
        Error::new(
            Code::WorkspaceRequired,
            "This address needs a workspace: /api/v1/workspaces/{workspace}/…",
        )
    }

    /// Returns the error of a missing or invalid credential.
    pub fn unauthorized(message: &str) -> Error {
        Error::new(Code::Unauthorized, message)
    }

    /// Returns the error of a missing permission.
    pub fn forbidden(action: Action, on: &str) -> Error {
        let message = sentence!(
            "This needs the permission `{action}` on {on}.",
            action = action.to_string(),
            on,
        );
        Error::new(Code::Forbidden, message)
    }

    /// Returns the error of a request that nobody may make, whatever their grants, or that would
    /// exceed the caller's own grants.
    pub fn refused(message: impl Into<Sentence>) -> Error {
        Error::new(Code::Forbidden, message)
    }

    /// Returns the error of a caller who is not logged in.
    pub fn unauthenticated() -> Error {
        Error::new(Code::Unauthenticated, "Log in first.")
    }

    /// Returns the error of a failed login. It does not say whether the username or the password is
    /// wrong.
    pub fn invalid_credentials() -> Error {
        Error::new(Code::InvalidCredentials, "The user name or the password is wrong.")
    }

    /// Returns the error of a login that lacks the code of the second factor.
    pub fn second_factor_required() -> Error {
        Error::new(
            Code::SecondFactorRequired,
            "Enter the code of your authenticator app, or a recovery code.",
        )
    }

    /// Returns the error of a user who has to set up a second factor first.
    pub fn second_factor_missing() -> Error {
        Error::new(
            Code::SecondFactorMissing,
            "Your role requires a second factor. Set it up first.",
        )
    }

    /// Returns the error of a wrong code of a second factor.
    pub fn invalid_code() -> Error {
        let message = "This code is wrong or was already used.";
        let fields = FieldProblems::from_problem("code", message);
        Error { fields, ..Error::new(Code::InvalidCode, message) }
    }

    /// Returns the error of a missing or wrong CSRF token.
    pub fn csrf_mismatch() -> Error {
        Error::new(
            Code::CsrfMismatch,
            "The X-CSRF-Token of this request is missing or does not belong to the session.",
        )
    }

    /// Returns the error of a setup when a user exists already.
    pub fn already_set_up() -> Error {
        Error::new(Code::AlreadySetUp, "This installation is already set up. Log in.")
    }

    /// Returns the error of a login before the setup.
    pub fn not_set_up() -> Error {
        Error::new(Code::NotSetUp, "There is no user yet. Set up the installation first.")
    }

    /// Returns the error of too many attempts.
    pub fn rate_limited(message: impl Into<Sentence>, retry_after: u32) -> Error {
        Error { retry_after: Some(retry_after), ..Error::new(Code::RateLimited, message) }
    }

    /// Returns the error of a wrong password given to confirm the caller's identity.
    pub fn invalid_password(field: &str) -> Error {
        let message = "This password is wrong.";
        let fields = FieldProblems::from_problem(field, message);
        Error { fields, ..Error::new(Code::InvalidPassword, message) }
    }

    /// Returns the error of invalid webhooks.
    pub fn invalid_webhook(fields: FieldProblems) -> Error {
        Error { fields, ..Error::new(Code::InvalidWebhook, "Some webhooks are not valid.") }
    }

    /// Returns the error of a webhook that did not accept the test message.
    pub fn webhook_failed(why: &str) -> Error {
        let message = sentence!("The receiver did not accept the test. {why}", why);
        Error::new(Code::WebhookFailed, message)
    }

    /// Returns the error of an invalid request.
    pub fn bad_request(message: impl Into<Sentence>) -> Error {
        Error::new(Code::BadRequest, message)
    }

    /// Returns the error of a body that is not valid JSON, with its position.
    pub fn invalid_json(error: &JsonError) -> Error {
        Error::new(Code::InvalidJson, format!("The body is not valid JSON: {error}."))
    }

    /// Returns the error of a JSON body that is not an object; `kind` says what it is.
    pub fn no_json_object(kind: &str) -> Error {
        Error::new(
            Code::InvalidJson,
            format!("The body must be a JSON object; this is {kind} at line 1, column 1."),
        )
    }

    /// Returns the error of a body that came too slowly.
    pub fn too_slow() -> Error {
        Error::new(Code::TooSlow, "The request body arrived too slowly.")
    }

    /// Returns the error of a body of a type that the route does not accept.
    pub fn unsupported_media_type(message: impl Into<Sentence>) -> Error {
        Error::new(Code::UnsupportedMediaType, message)
    }

    /// Returns the error of a cursor of which nothing is known.
    pub fn start_again() -> Error {
        let message = "This cursor is unknown or too old, or belongs to another reader or to other \
                       parameters. Start again with the bundle.";
        Error::new(Code::StartAgain, message)
    }

    /// Returns the error of a change that the current state prevents.
    pub fn conflict(message: impl Into<Sentence>) -> Error {
        Error::new(Code::Conflict, message)
    }

    /// Returns the error of a change whose entries were changed meanwhile; `fields` names the
    /// values, and `conflicts` has them.
    pub fn merge_conflict(fields: FieldProblems, conflicts: Option<Box<RawValue>>) -> Error {
        let message = "Somebody else changed the same values in the meantime.";
        let details = conflicts.map(|it| Box::new(ErrorDetails::Conflicts(it)));
        Error { fields, details, ..Error::new(Code::Conflict, message) }
    }

    /// Returns the error of an edit of a published entry that takes the permission to publish.
    pub fn publish_required() -> Error {
        let message = "This would change what is public, which needs the permission \
                       `content.publish`.";
        Error::new(Code::PublishRequired, message)
    }

    /// Says of an edit that takes the permission to publish how to propose it instead.
    #[must_use]
    pub fn suggest_draft(mut self) -> Error {
        if self.code == Code::PublishRequired {
            self.message.push_str(" To save it as a draft, send it with `?change=pending`.");
            self.template = None;
        }
        self
    }

    /// Returns the error of an edit of a planned change that takes the permission to publish.
    pub fn planned_change() -> Error {
        let message = "This release is scheduled, so editing it needs the permission \
                       `content.publish`. Save the edit in another release.";
        Error::refused(message)
    }

    /// Returns the error of a deletion that usages prevent.
    pub fn in_use(message: impl Into<Sentence>, usages: Vec<Usage>) -> Error {
        let details = Some(Box::new(ErrorDetails::Usages(usages)));
        Error { details, ..Error::new(Code::Conflict, message) }
    }

    /// Returns the error of a change whose resource has changed since the client read it. `current`
    /// is the current state, for callers who may read it.
    pub fn precondition_failed(current: Option<Box<RawValue>>) -> Error {
        let message = "This has changed since you read it.";
        let details = current.map(|it| Box::new(ErrorDetails::Current(it)));
        Error { details, ..Error::new(Code::PreconditionFailed, message) }
    }

    /// Returns the error of an upload without a usable file. `fields` names files by their
    /// position: `media[0]` is the first, `media` all of them.
    pub fn upload_failed(fields: FieldProblems) -> Error {
        Error::from_upload(Code::UploadFailed, fields)
    }

    /// Returns the error of an upload with a file that is too large.
    pub fn file_too_large(fields: FieldProblems) -> Error {
        Error::from_upload(Code::FileTooLarge, fields)
    }

    /// Returns the error of an upload with a file of a type that is not allowed.
    pub fn file_type_not_allowed(fields: FieldProblems) -> Error {
        Error::from_upload(Code::FileTypeNotAllowed, fields)
    }

    /// Returns the error of an upload with a file that claims to be a picture and is none.
    pub fn invalid_image(fields: FieldProblems) -> Error {
        Error::from_upload(Code::InvalidImage, fields)
    }

    /// Returns the error of an upload. Its message is the first of the fields, for clients that
    /// show no fields.
    fn from_upload(code: Code, fields: FieldProblems) -> Error {
        let first = fields.first().map(|(_, message)| message.clone());
        let message = first.unwrap_or_else(|| Sentence::from("The upload failed."));
        Error { fields, ..Error::new(code, message) }
    }

    /// Returns the error of a file that is not a trustworthy backup; `fields` names files in it.
    pub fn invalid_backup(fields: FieldProblems) -> Error {
        let first = fields.iter().next();
        let message = match first {
            Some(("", why)) => why.to_string(),
            Some((path, why)) => format!("{path}: {why}"),
            None => "This backup cannot be used.".to_string(),
        };
        Error { fields, ..Error::new(Code::InvalidBackup, message) }
    }

    /// Returns the error of a source that cannot be imported; `fields` names places in it.
    pub fn invalid_import(fields: FieldProblems) -> Error {
        let message = "The source has problems. Nothing was imported.";
        Error { fields, ..Error::new(Code::InvalidImport, message) }
    }

    /// Returns the error of invalid values.
    pub fn invalid(fields: FieldProblems) -> Error {
        Error { fields, ..Error::new(Code::ValidationFailed, "Some values are not valid.") }
    }

    /// Returns the error of a request that is too large.
    pub fn too_large(message: impl Into<Sentence>) -> Error {
        Error::new(Code::PayloadTooLarge, message)
    }

    /// Returns the error of a range that the file does not have.
    pub fn no_such_range() -> Error {
        Error::new(Code::RangeNotSatisfiable, "The file does not have the requested range.")
    }

    /// Returns the error of an update that cannot be fetched or trusted.
    pub fn update_failed(message: impl Into<Sentence>) -> Error {
        Error::new(Code::UpdateFailed, message)
    }

    /// Returns an internal error. The source appears only in the log.
    pub fn internal(source: impl fmt::Display) -> Error {
        let message = "Something went wrong on the server.";
        Error { source: Some(source.to_string()), ..Error::new(Code::ServerError, message) }
    }

    /// Returns the error of a data folder that cannot be reached.
    pub fn storage_unavailable(source: impl fmt::Display) -> Error {
        let message = "The data is not available right now. Try again in a moment.";
        Error { source: Some(source.to_string()), ..Error::new(Code::StorageUnavailable, message) }
    }

    /// Returns the error of a server that does not know yet what the client has seen elsewhere.
    pub fn behind() -> Error {
        let message = "This server is behind the position of `Recto-After`. Try again in a moment.";
        Error { retry_after: Some(1), ..Error::new(Code::StorageUnavailable, message) }
    }

    /// Returns the error of a workspace in an unsupported format.
    pub fn unsupported_format(reason: impl Into<Sentence>) -> Error {
        Error::new(Code::StorageUnavailable, reason)
    }

    /// Returns the error of too many slow requests at once. The client can try again soon.
    pub fn busy(why: &str) -> Error {
        let message = sentence!("{why} Try again in a moment.", why);
        Error { retry_after: Some(BUSY_SECONDS), ..Error::new(Code::Busy, message) }
    }

    /// Returns the error of a full disk. Nothing was changed.
    pub fn insufficient_storage(source: impl fmt::Display) -> Error {
        let message = "The server's disk is full. Nothing was changed.";
        Error { source: Some(source.to_string()), ..Error::new(Code::InsufficientStorage, message) }
    }
}

impl Error {
    /// Returns the message with its template.
    pub fn to_sentence(&self) -> Sentence {
        Sentence::from_parts(self.message.clone(), self.template.clone())
    }

    /// Returns the current state after a failed precondition, if the caller may read it.
    pub fn current_state(&self) -> Option<&RawValue> {
        match self.details.as_deref() {
            Some(ErrorDetails::Current(current)) => Some(current),
            _ => None,
        }
    }

    /// Returns the usages that prevent a deletion, as far as the caller may read them.
    pub fn usages(&self) -> Option<&[Usage]> {
        match self.details.as_deref() {
            Some(ErrorDetails::Usages(usages)) => Some(usages),
            _ => None,
        }
    }

    /// Returns the values in conflict that prevent a publication, as the caller may see them.
    pub fn conflicts(&self) -> Option<&RawValue> {
        match self.details.as_deref() {
            Some(ErrorDetails::Conflicts(conflicts)) => Some(conflicts),
            _ => None,
        }
    }
}

impl From<CommitError> for Error {
    fn from(error: CommitError) -> Error {
        match error {
            CommitError::Store(error) => error.into(),
            CommitError::Broken(problem) => Error::conflict(format!(
                "A file that this needs cannot be read: {} Repair it first.",
                problem.message
            )),
            CommitError::TooLarge(most) => Error::too_large(sentence!(
                "This would make a file larger than {most} bytes. Nothing was changed.",
                most,
            )),
            CommitError::NoWorkspace => Error::new(Code::NotFound, "There is no such workspace."),
            error @ CommitError::Panicked => Error::internal(error),
            CommitError::UnsupportedFormat(reason) => Error::unsupported_format(reason),
            CommitError::ReadOnly => Error::new(
                Code::StorageUnavailable,
                "This server only reads its data: nothing can be changed here.",
            ),
            error @ (CommitError::Stale
            | CommitError::Outage
            | CommitError::FolderGone(_)
            | CommitError::Unverified(_)) => Error::storage_unavailable(error),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        match error {
            error if error.is_full() => Error::insufficient_storage(error),
            error @ StoreError::Database(_) => {
                Error { retry_after: Some(BUSY_SECONDS), ..Error::storage_unavailable(error) }
            }
            error => Error::storage_unavailable(error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for Error {}
