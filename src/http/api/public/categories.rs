//! The routes of `…/media/categories` and `…/media/categories/{category}`.

use crate::app::error::Result;
use crate::app::media::categories;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_answer;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;

/// Creates a category.
pub fn create_category(call: &Call) -> Result<HandlerOutcome> {
    let body = call.parse_json()?;
    let answer = categories::create(call.app(), call.workspace()?, &call.requester(), &body)?;
    Ok(mark_created(reply_answer(call, &answer)?).into())
}

/// Renames a category.
pub fn rename_category(call: &Call) -> Result<HandlerOutcome> {
    let (ws, path, body) = (call.workspace()?, call.param("category")?, call.parse_json()?);
    let answer = categories::rename(call.app(), ws, &call.requester(), path, &body)?;
    Ok(reply_answer(call, &answer)?.into())
}

/// Deletes a category with its subcategories.
pub fn delete_category(call: &Call) -> Result<HandlerOutcome> {
    let path = call.param("category")?;
    let answer = categories::delete(call.app(), call.workspace()?, &call.requester(), path)?;
    Ok(reply_answer(call, &answer)?.into())
}
