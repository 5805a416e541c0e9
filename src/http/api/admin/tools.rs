//! The routes of small tools for writers: `/admin/api/preview/markdown`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::content::markdown_preview;
use crate::app::content::markdown_preview::MarkdownInput;
use crate::app::error::Result;
use crate::http::api::admin::access::ANY;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::post;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        post("admin.tools.markdown", "/admin/api/preview/markdown", ANY, preview_markdown)
            .takes_json(JsonInputKind::of::<MarkdownInput<'static>>()).gives(ReplyKind::of::<PreviewHtml>()).runs_in(RunMode::Lane).with_summary("Converts Markdown to safe HTML."),
    ]
}

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
