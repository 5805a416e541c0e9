//! The preview of Markdown text as HTML.

use std::fmt;

use pulldown_cmark::CowStr;
use pulldown_cmark::Event;
use pulldown_cmark::Options;
use pulldown_cmark::Parser;
use pulldown_cmark::TagEnd;
use pulldown_cmark::html;
use schemars::JsonSchema;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::field::sanitize_html;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Map;

/// The largest text in bytes.
const TEXT_BYTES_MAX: usize = 256 * 1024;

/// The largest HTML in bytes: some Markdown expands a lot.
const HTML_BYTES_MAX: usize = 2 * 1024 * 1024;

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
    render_text(text).map_err(invalid)
}

/// Renders Markdown as sanitized HTML. Fails if the HTML would be too large or too deep.
pub fn render_text(text: &str) -> std::result::Result<String, String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS;
    let mut html = CappedText(String::new());
    let events = Parser::new_ext(text, options).map(replace_checkbox);
    let written = html::write_html_fmt(&mut html, events);
    written.map_err(|_| "The resulting HTML is too large.".to_string())?;
    sanitize_html(&html.0)
}

/// Returns the words of a Markdown text without its notation, separated by single spaces.
pub fn strip_markdown(text: &str) -> String {
    let mut words = String::new();
    for event in Parser::new_ext(text, Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(text) | Event::Code(text) => words.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph | TagEnd::Item) => {
                words.push(' ');
            }
            Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock) => words.push(' '),
            _ => {}
        }
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text with a limited size.
struct CappedText(String);

impl fmt::Write for CappedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len().saturating_add(text.len()) > HTML_BYTES_MAX {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Replaces check boxes by symbols: they are inputs, which sanitizing removes.
fn replace_checkbox(event: Event<'_>) -> Event<'_> {
    match event {
        Event::TaskListMarker(done) => {
            Event::Text(CowStr::Borrowed(if done { "\u{2611} " } else { "\u{2610} " }))
        }
        event => event,
    }
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
    fn words_stay_without_their_notation() {
        let text = "# A\n\n*short* [lead](https://x.org)\nand `code`\n\n- one\n- two\n\n<b>x</b>";
        assert_eq!(strip_markdown(text), "A short lead and code one two x");
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
