//! `…/media/categories` and `…/media/categories/{category}`

use crate::app::error::Result;
use crate::app::media::categories;
use crate::http::call::Call;
use crate::http::public::new;
use crate::http::public::written;
use crate::http::route::Outcome;

/// Makes a category.
pub fn create(call: &Call) -> Result<Outcome> {
    let body = call.json()?;
    let answer = categories::create(call.app(), call.workspace()?, &call.by(), &body)?;
    Ok(new(written(call, &answer)?).into())
}

/// Gives a category another path.
pub fn rename(call: &Call) -> Result<Outcome> {
    let (ws, path, body) = (call.workspace()?, call.param("category")?, call.json()?);
    let answer = categories::rename(call.app(), ws, &call.by(), path, &body)?;
    Ok(written(call, &answer)?.into())
}

/// Deletes a category with those in it.
pub fn delete(call: &Call) -> Result<Outcome> {
    let path = call.param("category")?;
    let answer = categories::delete(call.app(), call.workspace()?, &call.by(), path)?;
    Ok(written(call, &answer)?.into())
}
