//! The routes of `…/views/{collection}/{view}`: lists of entries that schemas declare.

use crate::app::content::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::public::entries::list_by_query;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;

/// Lists the entries of a view, or those on its first page.
pub fn show_view(call: &Call) -> Result<HandlerOutcome> {
    list_page(call, 1)
}

/// Lists the entries on a page of a view.
pub fn show_page(call: &Call) -> Result<HandlerOutcome> {
    let text = call.param("page")?;
    // A page has one address.
    let page = text.parse().ok().filter(|it: &u32| it.to_string() == text);
    list_page(call, page.ok_or_else(|| Error::not_found("page", text))?)
}

fn list_page(call: &Call, page: u32) -> Result<HandlerOutcome> {
    let (name, view) = (call.param("collection")?, call.param("view")?);
    let (_, index) = content_types::find(call.snapshot()?, &call.caller, name)?;
    let view = index.content_type.views.find(view).ok_or_else(|| Error::not_found("view", view))?;
    let query = view.query_of_page(page, call.app().settings().editable.list_limit_max);
    let mut query = query.ok_or_else(|| Error::not_found("page", &page.to_string()))?;
    if call.parse_query()?.get_flag("pretty") {
        query.push_str("&pretty=1");
    }
    list_by_query(call, &query)
}
