//! `…/content-types` and `…/content-types/{collection}`

use http::header;
use serde::Serialize;

use crate::app::content_types;
use crate::app::content_types::change;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::headers;
use crate::http::public::Remarks;
use crate::http::public::created;
use crate::http::public::done;
use crate::http::public::envelope;
use crate::http::public::tagged;
use crate::http::reply::Reply;
use crate::http::route::Outcome;
use crate::model::content_type::ContentType;
use crate::stdx::json::Json;
use crate::stdx::sum::Summer;

#[derive(Serialize)]
struct ListMeta {
    total: usize,
    limit: usize,
    offset: usize,
    sort: &'static str,
    order: &'static str,
}

/// All types.
pub fn list(call: &Call) -> Result<Outcome> {
    let types = content_types::list(call.snapshot()?, &call.caller);
    let mut summer = Summer::new();
    for index in &types {
        summer.part(index.content_type.name.as_bytes()).number(index.content_type.sum.0);
    }
    let data: Vec<Json> = types.iter().map(|it| it.content_type.to_json()).collect();
    let total = data.len();
    let meta = ListMeta { total, limit: total, offset: 0, sort: "order", order: "asc" };
    let tag = summer.part(call.query().as_bytes()).finish().to_string();
    Ok(tagged(envelope(call, data, Some(meta))?, &tag).into())
}

/// One type.
pub fn show(call: &Call) -> Result<Outcome> {
    let (_, index) =
        content_types::find(call.snapshot()?, &call.caller, call.param("collection")?)?;
    Ok(one(call, &index.content_type, Vec::new())?.into())
}

/// Makes a type.
pub fn create(call: &Call) -> Result<Outcome> {
    let body = call.json()?;
    let changed = change::create(call.app(), call.workspace()?, call.by(), body)?;
    let below = format!("content-types/{}", changed.content_type.name);
    let reply = one(call, &changed.content_type, changed.warnings)?;
    Ok(created(call, reply, &below)?.into())
}

/// Changes a type.
pub fn update(call: &Call) -> Result<Outcome> {
    let (name, body) = (call.param("collection")?.to_string(), call.json()?);
    let (ws, by, precondition) = (call.workspace()?, call.by(), call.precondition());
    let changed = change::update(call.app(), ws, by, name, body, precondition)?;
    Ok(one(call, &changed.content_type, changed.warnings)?.into())
}

/// Deletes a type.
pub fn delete(call: &Call) -> Result<Outcome> {
    let name = call.param("collection")?.to_string();
    let (ws, by, precondition) = (call.workspace()?, call.by(), call.precondition());
    change::delete(call.app(), ws, by, name, precondition)?;
    Ok(done(call)?.into())
}

/// A type with its tag, of which a change compares the first half.
fn one(call: &Call, ty: &ContentType, warnings: Vec<String>) -> Result<Reply> {
    let mut reply = envelope(call, ty.to_json(), Remarks::of(warnings))?;
    let mut summer = Summer::new();
    let variant = summer.part(ty.name.as_bytes()).part(call.query().as_bytes()).finish();
    reply.headers.extend(headers::etag_of_entry(ty.sum, variant).map(|it| (header::ETAG, it)));
    Ok(reply)
}
