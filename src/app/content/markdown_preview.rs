//! The preview of Markdown text as HTML.

use schemars::JsonSchema;

use crate::app::content::markdown_html::render_plain_html;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Map;

/// The largest text in bytes.
const TEXT_BYTES_MAX: usize = 256 * 1024;

/// The body of a request to convert a text.
#[derive(JsonSchema)]
pub struct MarkdownInput<'a> {
    /// The Markdown.
    #[schemars(length(max = TEXT_BYTES_MAX))]
    text: &'a str,
}

impl<'a> MarkdownInput<'a> {
    fn parse(body: &'a Map) -> ParsedBody<MarkdownInput<'a>> {
        let mut input = ObjectReader::new(body);
        let text = input.text("text").unwrap_or_default();
        if text.len() > TEXT_BYTES_MAX {
            input.add_problem("text", wording::too_large(TEXT_BYTES_MAX));
        }
        input.finish(MarkdownInput { text })
    }
}

/// Renders the Markdown of a request as sanitized HTML.
pub fn render_markdown(body: &Map) -> Result<String> {
    let MarkdownInput { text } =
        MarkdownInput::parse(body).into_result().map_err(Error::invalid)?;
    let invalid = |message: String| Error::invalid(FieldProblems::from_problem("text", message));
    render_plain_html(text).map_err(invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        let mut body = Map::new();
        body.push("text", text);
        render_markdown(&body).unwrap()
    }

    #[test]
    fn markdown_becomes_harmless_html() {
        let check = |text: &str, expect: &str| assert_eq!(html(text), expect, "{text}");
        check("# Hi *you*", "<h1>Hi <em>you</em></h1>");
        check("~~no~~", "<p><del>no</del></p>");
        check(
            "- [x] done\n- [ ] open",
            "<ul>\n<li>\u{2611} done</li>\n<li>\u{2610} open</li>\n</ul>",
        );
        check("[x](javascript:alert(1))", "<p><a rel=\"noopener noreferrer\">x</a></p>");
        check("<script>alert(1)</script>", "");
        check("<img src=x onerror=alert(1)>", "<img src=\"x\">");
        assert!(html("|a|b|\n|-|-|\n|1|2|").contains("<td>2</td>"));
        assert!(html("text[^1]\n\n[^1]: note").contains("note"));
    }

    #[test]
    fn floods_are_refused() {
        let refused = |text: String| {
            let mut body = Map::new();
            body.push("text", text);
            render_markdown(&body).is_err()
        };
        assert!(refused("x".repeat(TEXT_BYTES_MAX + 1)));
        assert!(refused("<b>".repeat(1_000)));
        assert!(refused("*a* ".repeat(30_000)));
    }
}
