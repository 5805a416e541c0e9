//! `…/media`, and what is said of media files

use serde::Serialize;

use crate::app::error::Result;
use crate::app::media::delete;
use crate::app::media::delete::Guard;
use crate::app::media::list;
use crate::app::media::list::Lists;
use crate::app::media::meta;
use crate::app::media::meta::Target;
use crate::app::media::upload;
use crate::app::media::upload::Said;
use crate::http::call::Call;
use crate::http::public::envelope;
use crate::http::public::new;
use crate::http::public::tagged;
use crate::http::public::written;
use crate::http::route::Outcome;
use crate::http::upload::Upload;
use crate::query::run::Effort;

/// A list of media files.
pub fn list(call: &Call) -> Result<Outcome> {
    let (snapshot, query) = (call.snapshot()?, call.query());
    let list = list::list(call.app(), snapshot, &call.caller, query, Lists::Public)?;
    let tag = list.etag.to_string();
    Ok(tagged(envelope(call, list.data, Some(list.meta))?, &tag).into())
}

/// Takes files in. Pictures are decoded for that.
pub fn upload(call: &Call) -> Result<Outcome> {
    if call.effort != Effort::Heavy && call.uploads(|it| upload::has_pictures(&it.files))? {
        return Ok(Outcome::NeedsLane);
    }
    let Upload { files, category, visibility } = call.upload()?;
    let (ws, by) = (call.workspace()?, call.by());
    let said = Said { category: category.as_deref(), visibility: visibility.as_deref() };
    let answer = upload::upload(call.app(), ws, &by, files, &said)?;
    Ok(new(written(call, &answer)?).into())
}

/// Says what is on a file.
pub fn set_meta(call: &Call) -> Result<Outcome> {
    let body = call.json()?;
    on_file(call, |target| meta::set_texts(call.app(), &call.by(), target, &body))
}

/// Says who may see a file.
pub fn set_visibility(call: &Call) -> Result<Outcome> {
    let body = call.json()?;
    on_file(call, |target| meta::set_visibility(call.app(), &call.by(), target, &body))
}

/// Says who may see several files.
pub fn bulk_visibility(call: &Call) -> Result<Outcome> {
    let (ws, body) = (call.workspace()?, call.json()?);
    let answer = meta::bulk_visibility(call.app(), ws, &call.by(), &body)?;
    Ok(written(call, &answer)?.into())
}

/// Puts a file into a category.
pub fn assign(call: &Call) -> Result<Outcome> {
    let body = call.json()?;
    on_file(call, |target| meta::set_category(call.app(), &call.by(), target, &body))
}

/// Deletes a file.
pub fn delete(call: &Call) -> Result<Outcome> {
    on_file(call, |target| delete::delete(call.app(), &call.by(), target, Guard::Off))
}

/// Changes the file that the address names.
pub(in crate::http) fn on_file<T: Serialize>(
    call: &Call,
    change: impl FnOnce(&Target<'_>) -> Result<T>,
) -> Result<Outcome> {
    let (ws, name, precondition) =
        (call.workspace()?, call.param("filename")?, &call.precondition());
    Ok(written(call, &change(&Target { ws, name, precondition })?)?.into())
}
