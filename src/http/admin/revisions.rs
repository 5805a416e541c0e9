//! `/admin/api/content/{collection}/{identifier}/revisions`

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::revisions;
use crate::http::admin::content::Window;
use crate::http::admin::content::answer;
use crate::http::admin::envelope;
use crate::http::admin::right_on;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::route::Gives;
use crate::http::route::On;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::routes::LIMIT;
use crate::http::routes::LOCALE;
use crate::http::routes::OFFSET;
use crate::http::routes::WRITTEN_QUERY;
use crate::model::grant::Action;
use crate::query::params::Params;

const WINDOW: &[Query] = &[LIMIT, OFFSET, LOCALE, PRETTY];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let read = right_on(Action::ContentRevisionsRead, On::Entry);
    let bring_back = right_on(Action::ContentRevisionsRestore, On::Entry);
    vec![
        get("admin.revisions.list", "/admin/api/content/{collection}/{identifier}/revisions", read, list)
            .query(WINDOW).gives(Gives::AdminList("Revision")).runs(Run::Blocking).scoped().about("Earlier states of an entry, the newest first."),
        get("admin.revisions.show", "/admin/api/content/{collection}/{identifier}/revisions/{revision}", read, show)
            .query(&[LOCALE, PRETTY]).gives(Gives::Admin("Revision")).runs(Run::Blocking).scoped().about("One earlier state of an entry."),
        post("admin.revisions.restore", "/admin/api/content/{collection}/{identifier}/revisions/{revision}/restore", bring_back, restore)
            .query(WRITTEN_QUERY).gives(Gives::Admin("AdminEntry")).scoped().about("Brings an earlier state back; what is there becomes one itself."),
    ]
}

/// Earlier states of an entry.
pub fn list(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let page = revisions::list(app, snapshot, &call.caller, name, identifier, &params)?;
    let (total, limit, offset) = (page.total, page.limit, page.offset);
    let meta = Window { total, limit, offset, sort: "created_at", order: "desc" };
    Ok(with_meta(call, page.revisions, Some(meta))?.into())
}

/// One earlier state.
pub fn show(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let revision = revisions::show(app, snapshot, &call.caller, which(call)?, &params)?;
    Ok(envelope(call, revision)?.into())
}

/// Brings an earlier state back.
pub fn restore(call: &Call) -> Result<Outcome> {
    let (ws, by, precondition) = (call.workspace()?, call.by(), call.precondition());
    let written = revisions::restore(call.app(), ws, &by, which(call)?, precondition)?;
    Ok(answer(call, written)?.into())
}

fn which(call: &Call) -> Result<(&str, &str, &str)> {
    Ok((call.param("collection")?, call.param("identifier")?, call.param("revision")?))
}
