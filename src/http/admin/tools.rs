//! Small helps for those who write: `/admin/api/preview/markdown`.

use serde::Serialize;

use crate::app::error::Result;
use crate::app::preview;
use crate::http::admin::ANY;
use crate::http::admin::envelope;
use crate::http::call::Call;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::post;

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    vec![
        post("admin.tools.markdown", "/admin/api/preview/markdown", ANY, markdown)
            .takes(Takes::Admin("MarkdownInput")).gives(Gives::Admin("Html")).runs(Run::Lane).about("A text in Markdown as harmless HTML."),
    ]
}

/// The HTML of a text.
pub fn markdown(call: &Call) -> Result<Outcome> {
    #[derive(Serialize)]
    struct Html {
        html: String,
    }
    let html = preview::markdown(&call.json()?)?;
    Ok(envelope(call, Html { html })?.into())
}
