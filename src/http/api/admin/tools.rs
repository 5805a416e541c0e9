//! The routes of previews for writers: `/admin/api/preview/…`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::content::entries;
use crate::app::content::markdown_preview;
use crate::app::content::markdown_preview::MarkdownInput;
use crate::app::error::Result;
use crate::http::api::admin::access::ANY;
use crate::http::api::entry_reply::reply_entries;
use crate::http::api::query_params::FIELDS;
use crate::http::api::query_params::FULL_MEDIA;
use crate::http::api::query_params::INCLUDE;
use crate::http::api::query_params::LOCALE;
use crate::http::api::query_params::RENDER;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::post;
use crate::http::request::route::CHANGE_PARAM;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::query;
use crate::model::change::PENDING;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        post("admin.tools.markdown", "/admin/api/preview/markdown", ANY, preview_markdown)
            .takes_json(JsonInputKind::of::<MarkdownInput<'static>>()).gives(ReplyKind::of::<PreviewHtml>()).runs_in(RunMode::Lane).with_summary("Converts Markdown to safe HTML."),
        post("admin.tools.entry", "/admin/api/preview/content/{collection}/{identifier}", ANY, preview_entry)
            .takes_json(JsonInputKind::AdminEntry).query(PREVIEWED_QUERY).gives(ReplyKind::of::<PreviewedEntry>()).in_workspace().with_summary("Returns an entry as a site would get it after an update that is proposed in a change, without storing anything."),
    ]
}

const PREVIEWED_QUERY: &[QueryParam] = &[
    query(
        CHANGE_PARAM,
        QueryKind::Text,
        "The change that the update would be proposed in; the own pending one if left out.",
    ),
    INCLUDE,
    LOCALE,
    FIELDS,
    FULL_MEDIA,
    RENDER,
    PRETTY,
];

/// An entry in the form of the public API.
#[derive(JsonSchema)]
#[schemars(extend("additionalProperties" = true))]
struct PreviewedEntry {}

/// The result of a conversion to HTML.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Html")]
struct PreviewHtml {
    html: String,
}

/// Renders Markdown as HTML.
pub fn preview_markdown(call: &Call) -> Result<HandlerOutcome> {
    let html = markdown_preview::render_markdown(&call.parse_json()?)?;
    Ok(reply_data(call, PreviewHtml { html })?.into())
}

/// Shows an entry as it would be after an update.
pub fn preview_entry(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, body) = (call.workspace()?, call.requester(), call.parse_json()?);
    let entry = (call.param("collection")?, call.param("identifier")?);
    let params = call.parse_query()?;
    let change = params.get(CHANGE_PARAM).unwrap_or(PENDING);
    let shown = entries::preview_edit(call.app(), ws, &by, change, entry, body, &params)?;
    Ok(reply_entries(shown).into())
}
