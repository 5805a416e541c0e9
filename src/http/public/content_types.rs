//! `GET …/content-types` and `GET …/content-types/{collection}`

use serde::Serialize;

use crate::app::content_types;
use crate::app::error::Result;
use crate::http::call::Call;
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
    let mut summer = Summer::new();
    summer.part(ty.name.as_bytes()).number(ty.sum.0).part(call.query().as_bytes());
    let tag = summer.finish().to_string();
    Ok(tagged(envelope(call, ty.to_json(), None::<()>)?, &tag).into())
}
