//! The route of `/admin/api/search`: entries, media and content types that contain a text.

use crate::app::content::entries::EffortResult;
use crate::app::content::search;
use crate::app::content::search::SearchResults;
use crate::app::error::Result;
use crate::http::api::admin::access::ANY;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::query;

const SEARCH: &[QueryParam] = &[
    query("q", QueryKind::Text, "The text to search for."),
    query(
        "limit",
        QueryKind::Count(1),
        "The maximum number of results of each kind; 10 by default, at most 50.",
    ),
    query(
        "offset",
        QueryKind::Count(0),
        "The number of results of each kind to skip; the first 1000 can be reached.",
    ),
    query(
        "kinds",
        QueryKind::Text,
        "The kinds of results, of `entries`, `media` and `types`; all by default.",
    ),
    query("types", QueryKind::Text, "The content types whose entries are searched."),
    query("status", QueryKind::Text, "The statuses of the entries."),
    query("locale", QueryKind::Text, "The locale in which entries are searched."),
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        get("admin.search.all", "/admin/api/search", ANY, search_content).in_workspace().runs_in(RunMode::Blocking)
            .query(SEARCH).gives(ReplyKind::of::<SearchResults>())
            .with_summary("Searches entries of all types, media and content types, best matches first."),
    ]
}

/// Searches the workspace.
pub fn search_content(call: &Call) -> Result<HandlerOutcome> {
    let (snapshot, query, effort) = (call.snapshot()?, call.query(), call.effort);
    let searched = search::search_all(call.app(), snapshot, &call.caller, query, effort)?;
    let EffortResult::Done(found) = searched else { return Ok(HandlerOutcome::NeedsEffort) };
    Ok(reply_data(call, found)?.into())
}
