//! What a handler gets.

use std::borrow::Cow;
use std::net::IpAddr;
use std::ops::Range;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use bytes::Bytes;
use http::request::Parts;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::http::body::Room;
use crate::http::headers;
use crate::http::headers::Client;
use crate::http::route::JSON_VALUES_MAX;
use crate::http::route::Route;
use crate::http::router::Params;
use crate::http::service::Shared;
use crate::http::upload::Aside;
use crate::http::upload::Upload;
use crate::model::event::Actor;
use crate::model::event::Source;
use crate::model::name::WorkspaceSlug;
use crate::query::run::Effort;
use crate::query::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::JsonError;
use crate::stdx::json::Map;

/// How many parameters a path has at most.
const PARAMS_MAX: usize = 3;

/// The parameters of a path. What needs no decoding stays in the path.
#[derive(Clone, Debug, Default)]
pub struct PathParams([Option<(&'static str, ParamText)>; PARAMS_MAX]);

#[derive(Clone, Debug)]
enum ParamText {
    Within(Range<usize>),
    Decoded(Box<str>),
}

impl PathParams {
    /// Decodes the parameters that a route matched in `path`, each once. One that cannot name
    /// anything leads nowhere.
    pub fn of(route: &'static Route, path: &str, found: &Params<'_, '_>) -> Result<PathParams> {
        let mut params = PathParams::default();
        for (slot, name) in params.0.iter_mut().zip(route.params()) {
            let value = match name.strip_prefix('*') {
                Some(name) => found.rest(name),
                None => found.segment(name),
            };
            let value = value.map_err(|_| Error::no_route())?.unwrap_or_default();
            *slot = Some((name.trim_start_matches('*'), ParamText::of(path, value)));
        }
        Ok(params)
    }

    /// The parameter of this name, of the path it was found in.
    pub fn get<'p>(&'p self, path: &'p str, name: &str) -> Option<&'p str> {
        let (_, text) = self.0.iter().flatten().find(|(it, _)| *it == name)?;
        match text {
            ParamText::Within(range) => path.get(range.clone()),
            ParamText::Decoded(text) => Some(text),
        }
    }
}

impl ParamText {
    fn of(path: &str, value: Cow<'_, str>) -> ParamText {
        // A parameter that was not decoded is a piece of the path it came from.
        let start = (value.as_ptr() as usize).wrapping_sub(path.as_ptr() as usize);
        let end = start.wrapping_add(value.len());
        match value {
            Cow::Borrowed(text) if path.get(start..end) == Some(text) => {
                ParamText::Within(start..end)
            }
            value => ParamText::Decoded(value.into()),
        }
    }
}

/// One request, routed, with its caller identified and its workspace at one moment.
pub struct Call {
    pub(crate) shared: Arc<Shared>,
    /// Which route it is.
    pub route: &'static Route,
    /// Head of the request.
    pub head: Parts,
    /// Path parameters, decoded.
    pub params: PathParams,
    /// Who asks.
    pub caller: Caller,
    /// Where the request comes from.
    pub client: Client,
    /// The workspace, on routes that have one.
    pub snapshot: Option<Arc<Snapshot>>,
    /// How long it may take.
    pub effort: Effort,
    /// What came with a request that changes something.
    pub input: Option<Box<Input>>,
}

/// Whose turns a request takes in the lane.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// The user or the token of this id.
    Known(String),
    /// Somebody without a credential, at this address.
    Unknown(IpAddr),
}

/// What comes with a request that changes something.
pub struct Input {
    /// What logs know the request by.
    pub request_id: String,
    /// What was sent.
    pub body: InputBody,
    /// What it takes of the memory for bodies, until the request is answered.
    pub(super) _room: Room,
}

/// The body of a request that changes something.
pub enum InputBody {
    /// The route takes none.
    None,
    /// Bytes that should be a JSON object.
    Json(Bytes),
    /// Files, and what is said of them, until the handler takes them.
    Upload(Mutex<Aside<Upload>>),
}

impl Call {
    /// The use cases.
    pub fn app(&self) -> &App {
        &self.shared.app
    }

    /// The workspace as it is for this whole request.
    pub fn snapshot(&self) -> Result<&Arc<Snapshot>> {
        self.snapshot.as_ref().ok_or_else(|| Error::internal("this route has no workspace"))
    }

    /// A path parameter of the route.
    pub fn param(&self, name: &str) -> Result<&str> {
        self.params
            .get(self.head.uri.path(), name)
            .ok_or_else(|| Error::internal(format!("this route has no parameter `{name}`")))
    }

    /// The body as a JSON object; an empty one is `{}`. Parses it, so that is done where it may
    /// take a moment.
    pub fn json(&self) -> Result<Map> {
        let Some(InputBody::Json(bytes)) = self.input.as_ref().map(|it| &it.body) else {
            return Err(Error::internal("this route takes no JSON"));
        };
        if bytes.is_empty() {
            return Ok(Map::new());
        }
        match Json::parse_within(bytes, JSON_VALUES_MAX).map_err(unreadable)? {
            Json::Object(map) => Ok(map),
            other => Err(Error::no_json_object(other.kind())),
        }
    }

    /// The files that were sent; they are the handler's from now on.
    pub fn upload(&self) -> Result<Upload> {
        let taken = self.sent_files()?.take();
        taken.ok_or_else(|| Error::internal("the files are taken already"))
    }

    /// Whether something holds for the files that were sent.
    pub fn uploads(&self, holds: impl FnOnce(&Upload) -> bool) -> Result<bool> {
        Ok(self.sent_files()?.get().is_some_and(holds))
    }

    fn sent_files(&self) -> Result<MutexGuard<'_, Aside<Upload>>> {
        let Some(InputBody::Upload(upload)) = self.input.as_ref().map(|it| &it.body) else {
            return Err(Error::internal("this route takes no files"));
        };
        // Nothing panics while it is held.
        Ok(upload.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Who makes the change that is asked for.
    pub fn by(&self) -> By {
        let (id, name) = self.caller.written_down();
        let request_id = self.input.as_ref().map(|it| it.request_id.clone()).unwrap_or_default();
        let source = if self.route.is_admin() { Source::Admin } else { Source::Api };
        let ip = Some(self.client.ip);
        By { caller: self.caller.clone(), actor: Actor { id, name, ip, request_id, source } }
    }

    /// Whose turns it takes in the lane.
    pub fn who(&self) -> Who {
        if self.caller.is_anonymous() {
            return Who::Unknown(headers::client_block(self.client.ip));
        }
        Who::Known(self.caller.written_down().0)
    }

    /// What logs know the request by.
    pub fn request_id(&self) -> &str {
        self.input.as_ref().map_or("", |it| it.request_id.as_str())
    }

    /// The name of the workspace.
    pub fn workspace(&self) -> Result<&WorkspaceSlug> {
        Ok(&self.snapshot()?.workspace)
    }

    /// What the client says it knows of what it changes.
    pub fn precondition(&self) -> Precondition {
        headers::precondition(&self.head.headers)
    }

    /// The query string, without its question mark.
    pub fn query(&self) -> &str {
        self.head.uri.query().unwrap_or_default()
    }
}
/// A body that cannot be read as JSON, and why.
fn unreadable(error: JsonError) -> Error {
    if error.too_many_values {
        let message = format!("The body has more than {JSON_VALUES_MAX} values.");
        return Error::too_large(message);
    }
    Error::invalid_json(&error)
}
