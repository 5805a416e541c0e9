//! The input of a handler.

use std::borrow::Cow;
use std::ops::Range;
use std::ptr;
use std::sync::Arc;
use std::sync::MutexGuard;

use bytes::Bytes;
use http::request::Parts;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::write_target::WriteTarget;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::app::usage_guard::UsageGuard;
use crate::http::request::blocking_pool::PoolShare;
use crate::http::request::lane_key::LaneKey;
use crate::http::request::route::CHANGE_PARAM;
use crate::http::request::route::DRY_RUN_PARAM;
use crate::http::request::route::GUARD_PARAM;
use crate::http::request::route::JSON_VALUES_MAX;
use crate::http::request::route::Route;
use crate::http::request::router;
use crate::http::request::router::PARAMS_MAX;
use crate::http::request::router::RawParams;
use crate::http::request::state::ServerState;
use crate::http::request::upload::DropOnThread;
use crate::http::request::upload::Upload;
use crate::http::wire::headers;
use crate::http::wire::headers::Client;
use crate::http::wire::headers::SentFields;
use crate::http::wire::request_body::BodyReservation;
use crate::model::event::Actor;
use crate::model::event::EventSource;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor::Effort;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::params::QueryParams;
use crate::stdx::byte_compare::are_equal;
use crate::stdx::json::Json;
use crate::stdx::json::JsonError;
use crate::stdx::json::Map;
use crate::stdx::sync::Mutex;

/// The values of the parameters of a path, in the order of the route. Values that need no decoding
/// refer to the path.
#[derive(Clone, Debug, Default)]
pub struct PathParams([Option<ParamText>; PARAMS_MAX]);

#[derive(Clone, Debug)]
enum ParamText {
    Within(Range<usize>),
    Decoded(Box<str>),
}

impl PathParams {
    /// Decodes the parameters that a route matched in `path`, each once. A parameter that cannot be
    /// decoded is a missing route.
    pub fn decode(route: &Route, path: &str, found: &RawParams<'_>) -> Result<PathParams> {
        let mut params = PathParams::default();
        for ((slot, param), raw) in params.0.iter_mut().zip(&*route.params).zip(found.iter()) {
            let decoded = match param.takes_rest {
                true => router::decode_rest(raw),
                false => router::decode_segment(raw),
            };
            *slot = Some(ParamText::new(path, decoded.map_err(|_| Error::no_route())?));
        }
        Ok(params)
    }

    /// Returns the parameter of this name; `route` and `path` must be those it was decoded for.
    pub fn get<'p>(&'p self, route: &Route, path: &'p str, name: &str) -> Option<&'p str> {
        let is_it = |it: &str| are_equal(it.as_bytes(), name.as_bytes());
        let place = route.params.iter().position(|it| is_it(it.name))?;
        match self.0.get(place)?.as_ref()? {
            ParamText::Within(range) => path.get(range.clone()),
            ParamText::Decoded(text) => Some(text),
        }
    }
}

impl ParamText {
    fn new(path: &str, value: Cow<'_, str>) -> ParamText {
        // A parameter without escapes is a slice of the path.
        let start = (value.as_ptr() as usize).wrapping_sub(path.as_ptr() as usize);
        let end = start.wrapping_add(value.len());
        match value {
            Cow::Borrowed(text) if path.get(start..end).is_some_and(|it| ptr::eq(it, text)) => {
                ParamText::Within(start..end)
            }
            value => ParamText::Decoded(value.into()),
        }
    }
}

/// A routed request with its caller and a snapshot of its workspace.
pub struct Call {
    pub(crate) state: Arc<ServerState>,
    /// The matched route.
    pub route: &'static Route,
    /// The head of the request.
    pub head: Parts,
    /// The fields of the head that matter for every read.
    pub(crate) sent: SentFields,
    /// The decoded path parameters.
    pub params: PathParams,
    /// The caller.
    pub caller: Caller,
    /// The address of the client.
    pub client: Client,
    /// The snapshot of the workspace, on routes that have one.
    pub snapshot: Option<Arc<Snapshot>>,
    /// The effort that the handler may take.
    pub effort: Effort,
    /// True while the handler may wait for a change of the content.
    pub may_wait: bool,
    /// The body and the id of a request that may change something.
    pub input: Option<Box<Input>>,
}

/// The input of a request that changes something.
pub struct Input {
    /// The id of the request in logs.
    pub request_id: String,
    /// The body.
    pub body: InputBody,
    /// The reservation of memory for the body, as long as anybody has it.
    pub(crate) room: Arc<BodyReservation>,
}

/// The body of a request that may change something.
pub enum InputBody {
    /// The route has no body.
    None,
    /// Bytes that should be a JSON object.
    Json(Bytes),
    /// Uploaded files with their metadata, until the handler takes them.
    Upload(Mutex<DropOnThread<Upload>>),
}

impl Call {
    /// Returns the use cases.
    pub fn app(&self) -> &App {
        &self.state.app
    }

    /// Returns the snapshot of the workspace, which stays the same for the whole request.
    pub fn snapshot(&self) -> Result<&Arc<Snapshot>> {
        self.snapshot.as_ref().ok_or_else(|| Error::internal("this route has no workspace"))
    }

    /// Returns a path parameter of the route.
    pub fn param(&self, name: &str) -> Result<&str> {
        self.params
            .get(self.route, self.head.uri.path(), name)
            .ok_or_else(|| Error::internal(format!("this route has no parameter `{name}`")))
    }

    /// Returns the size of a JSON body.
    pub fn body_bytes(&self) -> usize {
        match self.input.as_ref().map(|it| &it.body) {
            Some(InputBody::Json(bytes)) => bytes.len(),
            _ => 0,
        }
    }

    /// Shares the reservation of memory for the body with whoever has what was parsed from it.
    pub(crate) fn share_room(&self) -> Option<Arc<BodyReservation>> {
        self.input.as_ref().map(|it| it.room.clone())
    }

    /// Parses the body as a JSON object; an empty body is `{}`. May take long for large bodies.
    pub fn parse_json(&self) -> Result<Map> {
        let Some(InputBody::Json(bytes)) = self.input.as_ref().map(|it| &it.body) else {
            return Err(Error::internal("this route takes no JSON"));
        };
        if bytes.is_empty() {
            return Ok(Map::new());
        }
        match Json::parse_within(bytes, JSON_VALUES_MAX).map_err(json_error)? {
            Json::Object(map) => Ok(map),
            other => Err(Error::no_json_object(other.kind())),
        }
    }

    /// Takes the uploaded files, which the handler then owns.
    pub fn take_upload(&self) -> Result<Upload> {
        let upload = self.uploaded_files()?.take();
        upload.ok_or_else(|| Error::internal("the files are taken already"))
    }

    /// Returns true if `holds` is true for the uploaded files.
    pub fn check_upload(&self, holds: impl FnOnce(&Upload) -> bool) -> Result<bool> {
        Ok(self.uploaded_files()?.get().is_some_and(holds))
    }

    fn uploaded_files(&self) -> Result<MutexGuard<'_, DropOnThread<Upload>>> {
        let Some(InputBody::Upload(upload)) = self.input.as_ref().map(|it| &it.body) else {
            return Err(Error::internal("this route takes no files"));
        };
        Ok(upload.lock())
    }

    /// Returns the requester of the change.
    pub fn requester(&self) -> Requester {
        let (id, name) = self.caller.author_id_and_name();
        let request_id = self.input.as_ref().map(|it| it.request_id.clone()).unwrap_or_default();
        let source = if self.route.is_admin() { EventSource::Admin } else { EventSource::Api };
        let ip = Some(self.client.ip);
        let actor = Actor { id, name, ip, request_id, source }.into();
        Requester { caller: self.caller.clone(), actor }
    }

    /// Returns the share of the pools that the request may take.
    pub fn pool_share(&self) -> PoolShare {
        PoolShare::for_caller(&self.caller)
    }

    /// Returns the key of the client in the lane.
    pub fn lane_key(&self) -> LaneKey {
        if self.caller.is_anonymous() {
            return LaneKey::Unknown(headers::client_block(self.client.ip));
        }
        LaneKey::Known(self.caller.author_id_and_name().0)
    }

    /// Returns the id of the request in logs.
    pub fn request_id(&self) -> &str {
        self.input.as_ref().map_or("", |it| it.request_id.as_str())
    }

    /// Returns the slug of the workspace.
    pub fn workspace(&self) -> Result<&WorkspaceSlug> {
        Ok(&self.snapshot()?.workspace)
    }

    /// Returns the precondition of the change.
    pub fn precondition(&self) -> Precondition {
        headers::parse_if_match(&self.head.headers)
    }

    /// Parses the guard against deleting something that is used: `?guard=1`.
    pub fn parse_guard(&self) -> Result<UsageGuard> {
        Ok(if self.parse_flag(GUARD_PARAM)? { UsageGuard::On } else { UsageGuard::Off })
    }

    /// Parses `?dry_run=1`: the request tells what it would do, and does nothing.
    pub fn parse_dry_run(&self) -> Result<bool> {
        self.parse_flag(DRY_RUN_PARAM)
    }

    /// Returns true if the query string has a flag that is on.
    pub fn parse_flag(&self, name: &str) -> Result<bool> {
        let mut problems = FieldProblems::new();
        let is_on = self.parse_query()?.parse_flag(name, &mut problems);
        problems.into_result(is_on).map_err(Error::invalid)
    }

    /// Returns where the request writes entries: `?change=` names a change.
    pub fn write_target(&self) -> Result<WriteTarget> {
        let params = self.parse_query()?;
        Ok(WriteTarget::from_parameter(params.get(CHANGE_PARAM)))
    }

    /// Parses the query string.
    pub fn parse_query(&self) -> Result<QueryParams> {
        QueryParams::parse(self.query()).map_err(Error::bad_request)
    }

    /// Returns the query string without its question mark.
    pub fn query(&self) -> &str {
        self.head.uri.query().unwrap_or_default()
    }
}

/// Converts an error of the JSON parser.
fn json_error(error: JsonError) -> Error {
    if error.too_many_values {
        let message = format!("The body has more than {JSON_VALUES_MAX} values.");
        return Error::too_large(message);
    }
    Error::invalid_json(&error)
}
