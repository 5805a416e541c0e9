//! Handlers of the admin API: each reads its input, calls one use case and gives one reply. One file
//! a group, with the rows of its routes.

pub mod auth;
pub mod backups;
pub mod content;
pub mod content_types;
pub mod dashboard;
pub mod events;
pub mod media;
pub mod openapi;
pub mod problems;
pub mod profile;
pub mod revisions;
pub mod roles;
pub mod search;
pub mod settings;
pub mod tokens;
pub mod tools;
pub mod trash;
pub mod updates;
pub mod users;
pub mod webhooks;
pub mod workspaces;

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use serde::Serialize;

use crate::app::entries::pretty;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::headers;
use crate::http::repeats;
use crate::http::reply::Reply;
use crate::http::route::Access;
use crate::http::route::On;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::query;
use crate::http::routes::LIMIT;
use crate::http::routes::OFFSET;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::query::params::Params;
use crate::stdx::sum::Sum;

/// All routes of the admin API.
pub(super) fn rows() -> Vec<Route> {
    let groups = [
        auth::rows(),
        profile::rows(),
        dashboard::rows(),
        search::rows(),
        events::rows(),
        problems::rows(),
        content_types::rows(),
        content::rows(),
        revisions::rows(),
        trash::rows(),
        media::rows(),
        tools::rows(),
        workspaces::rows(),
        users::rows(),
        roles::rows(),
        tokens::rows(),
        backups::rows(),
        webhooks::rows(),
        updates::rows(),
        settings::rows(),
        openapi::rows(),
    ];
    groups.into_iter().flatten().collect()
}

/// What lists of users, roles and tokens know.
const RECORDS: &[Query; 6] = &[
    LIMIT,
    OFFSET,
    query("sort", QueryKind::Text, "By what to sort; a `-` before it turns the order round."),
    query("order", QueryKind::OneOf(&["asc", "desc"]), "The order of what is sorted."),
    query("q", QueryKind::Text, "Words that occur in names."),
    PRETTY,
];

/// For whoever is logged in.
const ANY: Access = Access::Session { action: None, on: On::Area(Area::Profile) };

/// For whoever is logged in and is granted an action on something of the installation.
const fn right(action: Action, area: Area) -> Access {
    Access::Session { action: Some(action), on: On::Area(area) }
}

/// For whoever is logged in and is granted an action on something of a workspace.
const fn right_on(action: Action, on: On) -> Access {
    Access::Session { action: Some(action), on }
}

/// The envelope of an answer.
#[derive(Serialize)]
struct Envelope<D, M> {
    data: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<M>,
}

/// A JSON reply in the envelope, indented when asked for.
fn envelope(call: &Call, data: impl Serialize) -> Result<Reply> {
    with_meta(call, data, None::<()>)
}

/// The same with a `meta` beside the data.
fn with_meta<D: Serialize, M: Serialize>(call: &Call, data: D, meta: Option<M>) -> Result<Reply> {
    let json = serde_json::to_vec(&Envelope { data, meta }).map_err(Error::internal)?;
    let params = params(call)?;
    let json = repeats::told(json, &params);
    let json = if params.flag("pretty") { pretty(&json) } else { json };
    Ok(Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, JSON).with_body(Bytes::from(json)))
}

/// What a request said for nothing, as the `meta` of its answer.
#[derive(Serialize)]
struct Remarks {
    warnings: Vec<String>,
}

impl Remarks {
    fn of(warnings: Vec<String>) -> Option<Remarks> {
        (!warnings.is_empty()).then_some(Remarks { warnings })
    }
}

/// The same reply for something new.
fn created(mut reply: Reply) -> Reply {
    reply.status = StatusCode::CREATED;
    reply
}

/// A small picture that only its reader's browser keeps, and asks about before it shows it again.
fn picture(png: Bytes) -> Reply {
    let private = HeaderValue::from_static("private, no-cache");
    let tag = headers::etag(&Sum::of(&png).to_string());
    let mut reply = Reply::new(StatusCode::OK)
        .with(header::CONTENT_TYPE, HeaderValue::from_static("image/png"))
        .with(header::CACHE_CONTROL, private)
        .with_body(png);
    reply.headers.extend(tag.map(|it| (header::ETAG, it)));
    reply
}

/// The query of a request.
fn params(call: &Call) -> Result<Params> {
    Params::parse(call.query()).map_err(Error::bad_request)
}

/// The answer to something that is done, of which there is nothing to show.
fn done(call: &Call) -> Result<Reply> {
    #[derive(Serialize)]
    struct Done {
        ok: bool,
    }
    envelope(call, Done { ok: true })
}
