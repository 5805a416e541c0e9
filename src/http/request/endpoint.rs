//! Routes with their handlers, and how the rows of the route table are written.

use std::fmt;
use std::time::Duration;

use http::Method;

use crate::app::App;
use crate::app::error::Result;
use crate::engine::writer::commit::QueueRun;
use crate::http::request::call::Call;
use crate::http::request::route::Access;
use crate::http::request::route::BodyKind;
use crate::http::request::route::JSON_BYTES_MAX;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::PathParam;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::Route;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::http::wire::reply::Reply;
use crate::query::execute::executor::Effort;

/// A route with the handler that answers it: a row of the route table.
#[derive(Debug)]
pub struct Endpoint {
    /// The route.
    pub route: Route,
    /// The handler.
    pub handler: Handler,
}

/// Answers a call; plain code that never waits for anything but the disk.
pub type Handler = fn(&Call) -> Result<HandlerOutcome>;

/// The outcome of a handler.
#[derive(Debug)]
pub enum HandlerOutcome {
    /// A reply.
    Reply(Reply),
    /// A change to be queued, which is replied to when it is made.
    Queued(QueuedChange),
    /// There is nothing to tell yet: call again when the content has changed, and when so much time
    /// has passed.
    Waits(Duration),
    /// It would take longer than is allowed where it runs: call again where it may.
    NeedsEffort,
    /// It keeps a core busy for long: call again in the lane for that.
    NeedsLane,
}

/// A change that is ready to be queued.
pub struct QueuedChange(SubmitChange);

type SubmitChange = Box<dyn FnOnce(&App, ChangeDone) -> Option<QueueRun> + Send>;

/// Called by the thread that made the change, or could not.
pub type ChangeDone = Box<dyn FnOnce(FinishReply) + Send>;

/// The rest of the handler, and the effort that it takes.
pub struct FinishReply {
    /// [`Effort::Quick`] if it may run on the thread of the request.
    pub effort: Effort,
    finish: FinishCall,
}

type FinishCall = Box<dyn FnOnce(&Call) -> Result<HandlerOutcome> + Send>;

impl FinishReply {
    /// Creates the rest of a handler.
    pub fn new(
        effort: Effort,
        finish: impl FnOnce(&Call) -> Result<HandlerOutcome> + Send + 'static,
    ) -> FinishReply {
        FinishReply { effort, finish: Box::new(finish) }
    }

    /// Runs it.
    pub fn run(self, call: &Call) -> Result<HandlerOutcome> {
        (self.finish)(call)
    }
}

impl QueuedChange {
    /// Creates a change that `submit` queues.
    pub fn new(
        submit: impl FnOnce(&App, ChangeDone) -> Option<QueueRun> + Send + 'static,
    ) -> QueuedChange {
        QueuedChange(Box::new(submit))
    }

    /// Queues the change. If there is a [`QueueRun`], the caller has it run.
    pub fn submit(self, app: &App, done: ChangeDone) -> Option<QueueRun> {
        (self.0)(app, done)
    }
}

impl fmt::Debug for QueuedChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("QueuedChange")
    }
}

impl From<Reply> for HandlerOutcome {
    fn from(reply: Reply) -> HandlerOutcome {
        HandlerOutcome::Reply(reply)
    }
}

const PLAIN_QUERY: &[QueryParam] = &[PRETTY];

#[rustfmt::skip]
pub(crate) fn get(name: &'static str, path: &'static str, access: Access, handler: Handler) -> Endpoint {
    let route = Route {
        index: 0, name, method: Method::GET, path, params: PathParam::list_all(path), access, body: BodyKind::None, scoped: false, query: &[],
        gives: ReplyKind::Plain, creates: false, run: RunMode::Inline, summary: "",
    };
    Endpoint { route, handler }
}

/// A row of a route that changes something: on a blocking thread, for the disk is written.
#[rustfmt::skip]
fn new_mutation(
    method: Method, name: &'static str, path: &'static str, access: Access, handler: Handler,
) -> Endpoint {
    let Endpoint { route, handler } = get(name, path, access, handler);
    Endpoint { route: Route { method, run: RunMode::Blocking, query: PLAIN_QUERY, ..route }, handler }
}

pub(crate) fn post(
    name: &'static str,
    path: &'static str,
    access: Access,
    handler: Handler,
) -> Endpoint {
    new_mutation(Method::POST, name, path, access, handler)
}

pub(crate) fn put(
    name: &'static str,
    path: &'static str,
    access: Access,
    handler: Handler,
) -> Endpoint {
    new_mutation(Method::PUT, name, path, access, handler)
}

pub(crate) fn patch(
    name: &'static str,
    path: &'static str,
    access: Access,
    handler: Handler,
) -> Endpoint {
    new_mutation(Method::PATCH, name, path, access, handler)
}

pub(crate) fn delete(
    name: &'static str,
    path: &'static str,
    access: Access,
    handler: Handler,
) -> Endpoint {
    new_mutation(Method::DELETE, name, path, access, handler)
}

/// The properties of a row beside name, path, access and handler.
impl Endpoint {
    pub(crate) fn takes_json(self, takes: JsonInputKind) -> Endpoint {
        self.takes_json_within(takes, JSON_BYTES_MAX)
    }

    pub(crate) fn takes_json_within(mut self, takes: JsonInputKind, bytes_max: u64) -> Endpoint {
        self.route.body = BodyKind::Json { bytes_max, takes };
        self
    }

    pub(crate) fn takes_upload(mut self, form: UploadForm) -> Endpoint {
        self.route.body = BodyKind::Upload(form);
        self
    }

    pub(crate) fn gives_created(mut self, gives: ReplyKind) -> Endpoint {
        self.route.creates = true;
        self.gives(gives)
    }

    pub(crate) fn query(mut self, query: &'static [QueryParam]) -> Endpoint {
        self.route.query = query;
        self
    }

    pub(crate) fn gives(mut self, gives: ReplyKind) -> Endpoint {
        self.route.gives = gives;
        self
    }

    pub(crate) fn runs_in(mut self, run: RunMode) -> Endpoint {
        self.route.run = run;
        self
    }

    pub(crate) fn in_workspace(mut self) -> Endpoint {
        self.route.scoped = true;
        self
    }

    pub(crate) fn with_summary(mut self, summary: &'static str) -> Endpoint {
        self.route.summary = summary;
        self
    }
}
