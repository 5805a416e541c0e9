//! `/admin/api/search`: entries, media and types that have a text in them.

use crate::app::error::Result;
use crate::app::search;
use crate::http::admin::ANY;
use crate::http::admin::envelope;
use crate::http::call::Call;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::get;
use crate::http::route::query;

const SEARCH: &[Query] = &[
    query("q", QueryKind::Text, "What is looked for."),
    query("limit", QueryKind::Count(1), "At most so many of each; 10 without, 50 at most."),
    query("locale", QueryKind::Text, "The locale in which entries are looked through."),
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    vec![
        get("admin.search.all", "/admin/api/search", ANY, search).scoped().runs(Run::Blocking)
            .query(SEARCH).gives(Gives::Admin("Found"))
            .about("Entries of all types, media and types that have a text in them, best first."),
    ]
}

/// What has a text in it.
pub fn search(call: &Call) -> Result<Outcome> {
    let found = search::search(call.app(), call.snapshot()?, &call.caller, call.query())?;
    Ok(envelope(call, found)?.into())
}
