//! Routes as plain data: read by the router, the lifecycle, the OpenAPI document, the metrics and
//! the test that every route has its scenarios.

use http::Method;

use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::model::grant::Action;

/// One route.
#[derive(Debug)]
pub struct Route {
    /// Its place in the table.
    pub index: usize,
    /// A stable name: OpenAPI operation, log line, metric label.
    pub name: &'static str,
    /// Its method. `HEAD` goes with `GET`.
    pub method: Method,
    /// Its path with `{parameters}`.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Query parameters it knows.
    pub query: &'static [Query],
    /// What it answers.
    pub gives: Gives,
    /// Where it runs.
    pub run: Run,
    /// A sentence about it.
    pub summary: &'static str,
    /// What answers.
    pub handler: Handler,
}

/// Answers a call; plain code that never waits for anything but the disk.
pub type Handler = fn(&Call) -> Result<Outcome>;

/// What a handler comes to.
#[derive(Debug)]
pub enum Outcome {
    /// A reply.
    Reply(Reply),
    /// It would take longer than is allowed where it runs: call again where it may.
    NeedsEffort,
}

impl From<Reply> for Outcome {
    fn from(reply: Reply) -> Outcome {
        Outcome::Reply(reply)
    }
}

/// Who may call a route. A credential that is present must be valid everywhere but on monitors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Open,
    /// Everybody for what is public; with a token, what its grants say about this action.
    Guest {
        /// The action that shows more.
        action: Action,
        /// What it is taken on, as grants name it.
        on: &'static str,
    },
    /// Everybody; credentials are not looked at.
    Monitor,
    /// From the machine itself, or with any valid token.
    Operator,
}

/// Where a handler runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Where the request was read: memory only.
    Inline,
    /// There first, and on a blocking thread when it says that it needs more.
    Adaptive,
    /// On a blocking thread: disk.
    Blocking,
}

/// A query parameter, for the OpenAPI document.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Its name.
    pub name: &'static str,
    /// The JSON type of its value.
    pub kind: QueryKind,
    /// A sentence about it.
    pub about: &'static str,
}

/// What a query parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// A whole number from the given one on.
    Count(u64),
    /// A text.
    Text,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// `1` or nothing.
    Flag,
    /// `filter[field][operator]=value`.
    Filter,
}

/// What a route answers with 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// `{data: Health}`
    Health,
    /// `{data: [ContentType], meta}`
    ContentTypes,
    /// `{data: ContentType}`
    ContentType,
    /// `{data: [Entry], meta}`
    Entries,
    /// `{data: Entry}`
    Entry,
    /// `{data: [MediaItem], meta}`
    Media,
    /// The OpenAPI document.
    OpenApi,
    /// The bytes of a file.
    File,
    /// A picture.
    Picture,
    /// A small document outside the envelope.
    Plain,
}
