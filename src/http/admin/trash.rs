//! `/admin/api/trash`

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::trash;
use crate::http::admin::ANY;
use crate::http::admin::content::Window;
use crate::http::admin::content::answer;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::right_on;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::route::Gives;
use crate::http::route::On;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::delete;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::route::query;
use crate::http::routes::LIMIT;
use crate::http::routes::LOCALE;
use crate::http::routes::OFFSET;
use crate::http::routes::WRITTEN_QUERY;
use crate::model::grant::Action;
use crate::query::params::Params;

const LIST_QUERY: &[Query] = &[
    query("q", QueryKind::Text, "Terms that must all occur in the entry's text."),
    LIMIT,
    OFFSET,
    LOCALE,
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let read = right_on(Action::ContentRead, On::Collection);
    let bring_back = right_on(Action::ContentRestore, On::Collection);
    let remove = right_on(Action::ContentDelete, On::Collection);
    vec![
        get("admin.trash.overview", "/admin/api/trash", ANY, overview)
            .query(&[PRETTY]).gives(Gives::Admin("TrashOverview")).runs(Run::Blocking).scoped().about("How many entries of each content type are in the trash."),
        get("admin.trash.list", "/admin/api/trash/{collection}", read, list)
            .query(LIST_QUERY).gives(Gives::AdminList("TrashedEntry")).runs(Run::Blocking).scoped().about("Entries of a content type in the trash, what was deleted last first."),
        delete("admin.trash.empty", "/admin/api/trash/{collection}", remove, empty)
            .gives(Gives::Admin("Emptied")).scoped().about("Removes entries of a content type from the trash for good, each as far as there is a right to it."),
        post("admin.trash.restore", "/admin/api/trash/{collection}/{identifier}/restore", bring_back, restore)
            .query(WRITTEN_QUERY).gives(Gives::Admin("AdminEntry")).scoped().about("Brings an entry back."),
        delete("admin.trash.purge", "/admin/api/trash/{collection}/{identifier}", remove, purge)
            .gives(Gives::Done).scoped().about("Removes an entry from the trash for good, with its revisions."),
    ]
}

/// How much is in the trash.
pub fn overview(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, trash::overview(call.app(), call.snapshot()?, &call.caller)?)?.into())
}

/// Entries in the trash.
pub fn list(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let name = call.param("collection")?;
    let page = trash::list(call.app(), call.snapshot()?, &call.caller, name, &params)?;
    let (total, limit, offset) = (page.total, page.limit, page.offset);
    let meta = Window { total, limit, offset, sort: "deleted_at", order: "desc" };
    Ok(with_meta(call, page.entries, Some(meta))?.into())
}

/// Empties the trash.
pub fn empty(call: &Call) -> Result<Outcome> {
    let (ws, name) = (call.workspace()?, call.param("collection")?);
    Ok(envelope(call, trash::empty(call.app(), ws, &call.by(), name)?)?.into())
}

/// Brings an entry back.
pub fn restore(call: &Call) -> Result<Outcome> {
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let written = trash::restore(call.app(), call.workspace()?, &call.by(), name, identifier)?;
    Ok(answer(call, written)?.into())
}

/// Removes an entry for good.
pub fn purge(call: &Call) -> Result<Outcome> {
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    trash::purge(call.app(), call.workspace()?, &call.by(), name, identifier)?;
    Ok(done(call)?.into())
}
