//! Handlers of the admin API: each reads its input, calls one use case and gives one reply. One file
//! a group, with the rows of its routes.

pub mod auth;
pub mod media;
pub mod openapi;
pub mod updates;
pub mod webhooks;
pub mod workspaces;

use bytes::Bytes;
use http::StatusCode;
use http::header;
use serde::Serialize;

use crate::app::entries::pretty;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::reply::Reply;
use crate::http::route::Access;
use crate::http::route::On;
use crate::http::route::Route;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::query::params::Params;

/// All routes of the admin API.
pub(super) fn rows() -> Vec<Route> {
    let groups = [
        auth::rows(),
        media::rows(),
        openapi::rows(),
        updates::rows(),
        webhooks::rows(),
        workspaces::rows(),
    ];
    groups.into_iter().flatten().collect()
}

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
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let json = if params.flag("pretty") { pretty(&json) } else { json };
    Ok(Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, JSON).with_body(Bytes::from(json)))
}

/// The same reply for something new.
fn created(mut reply: Reply) -> Reply {
    reply.status = StatusCode::CREATED;
    reply
}

/// The answer to something that is done, of which there is nothing to show.
fn done(call: &Call) -> Result<Reply> {
    #[derive(Serialize)]
    struct Done {
        ok: bool,
    }
    envelope(call, Done { ok: true })
}
