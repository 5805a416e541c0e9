//! `GET …/content-types` and `GET …/content-types/{collection}`

use http::header;
use serde::Serialize;

use crate::app::content_types;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::headers;
use crate::http::public::envelope;
use crate::http::public::tagged;
use crate::http::route::Outcome;
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
    let ty = &index.content_type;
    let mut variant = Summer::new();
    variant.part(ty.name.as_bytes()).part(call.query().as_bytes());
    let mut reply = envelope(call, ty.to_json(), None::<()>)?;
    // As that of an entry, so that a change can name the state of the file it is meant for.
    let tag = headers::etag_of_entry(ty.sum, variant.finish());
    reply.headers.extend(tag.map(|it| (header::ETAG, it)));
    Ok(reply.into())
}
