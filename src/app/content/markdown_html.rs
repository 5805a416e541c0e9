//! Markdown as harmless HTML: with ids of headings to link to, and with pictures of the workspace
//! in several sizes.

use std::collections::HashMap;
use std::fmt;

use pulldown_cmark::CowStr;
use pulldown_cmark::Event;
use pulldown_cmark::Options;
use pulldown_cmark::Parser;
use pulldown_cmark::Tag;
use pulldown_cmark::TagEnd;
use pulldown_cmark::html;
use quick_xml::escape::escape;

use crate::app::media::PictureSource;
use crate::app::media::media_resolver::LinkedFile;
use crate::model::field::sanitize_html;
use crate::model::field::sanitize_markdown_html;
use crate::stdx::slug::slugify;

/// The largest HTML in bytes: some Markdown expands a lot.
const HTML_BYTES_MAX: usize = 2 * 1024 * 1024;

/// The id of a heading without a letter or a digit.
const NAMELESS: &str = "section";

/// The notation besides CommonMark.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_TASKLISTS);

/// Finds the media file of an address.
pub type FindFile<'a> = dyn Fn(&str) -> Option<LinkedFile> + 'a;

/// Renders Markdown as sanitized HTML. Fails if the HTML would be too large or too deep.
pub fn render_html(text: &str, find_file: &FindFile<'_>) -> Result<String, String> {
    sanitize_markdown_html(&write_html(text, find_file)?)
}

/// Renders Markdown as sanitized HTML without ids, for pages that have elements of their own.
pub fn render_plain_html(text: &str) -> Result<String, String> {
    sanitize_html(&write_html(text, &|_| None)?)
}

fn write_html(text: &str, find_file: &FindFile<'_>) -> Result<String, String> {
    let events: Vec<Event<'_>> = Parser::new_ext(text, EXTENSIONS).collect();
    let mut html = CappedText(String::new());
    let written = html::write_html_fmt(&mut html, complete_events(events, find_file).into_iter());
    written.map_err(|_| "The resulting HTML is too large.".to_string())?;
    Ok(html.0)
}

/// Returns the words of a Markdown text without its notation, separated by single spaces.
pub fn strip_markdown(text: &str) -> String {
    let mut words = String::new();
    // A part of a text may lack what its footnotes say.
    let options = EXTENSIONS.union(Options::ENABLE_OLD_FOOTNOTES);
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Text(text) | Event::Code(text) => words.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph | TagEnd::Item) => {
                words.push(' ');
            }
            // A list may begin within an item, behind its text.
            Event::Start(Tag::List(_)) => words.push(' '),
            Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::TableCell) => {
                words.push(' ');
            }
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

/// Adds what the Markdown does not say: ids of headings, sizes of pictures, and hosts.
fn complete_events<'t>(events: Vec<Event<'t>>, find_file: &FindFile<'_>) -> Vec<Event<'t>> {
    let mut anchors = HeadingAnchors::default();
    let mut completed = Vec::with_capacity(events.len());
    let mut events = events.into_iter();
    while let Some(event) = events.next() {
        completed.push(match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = Some(anchors.add_heading(&collect_words(events.as_slice())).into());
                Event::Start(Tag::Heading { level, id, classes, attrs })
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let found = find_file(&dest_url);
                if let Some(picture) = found.as_ref().and_then(|it| it.picture.as_ref()) {
                    let html = write_picture(picture, &collect_words(events.as_slice()), &title);
                    events.nth(find_end(events.as_slice()));
                    Event::InlineHtml(html.into())
                } else {
                    let dest_url = found.map_or(dest_url, |it| it.url.into());
                    Event::Start(Tag::Image { link_type, dest_url, title, id })
                }
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = find_file(&dest_url).map_or(dest_url, |it| it.url.into());
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            Event::FootnoteReference(name) => Event::FootnoteReference(name_footnote(&name)),
            Event::Start(Tag::FootnoteDefinition(name)) => {
                Event::Start(Tag::FootnoteDefinition(name_footnote(&name)))
            }
            event => replace_checkbox(event),
        });
    }
    completed
}

/// Returns the number of events before the end of the element that has just begun.
fn find_end(rest: &[Event<'_>]) -> usize {
    let mut depth = 0_usize;
    let ends = |event: &Event<'_>| match event {
        Event::Start(_) => {
            depth += 1;
            false
        }
        Event::End(_) if depth == 0 => true,
        Event::End(_) => {
            depth -= 1;
            false
        }
        _ => false,
    };
    rest.iter().position(ends).unwrap_or(rest.len())
}

/// Returns the words of the element that has just begun.
fn collect_words(rest: &[Event<'_>]) -> String {
    let mut words = String::new();
    for event in rest.iter().take(find_end(rest)) {
        match event {
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            _ => {}
        }
    }
    words
}

fn write_picture(picture: &PictureSource, alt: &str, title: &str) -> String {
    let mut html = format!("<img src=\"{}\" alt=\"{}\"", escape(&picture.url), escape(alt));
    let mut add = |name: &str, value: &str| {
        html.push_str(&format!(" {name}=\"{}\"", escape(value)));
    };
    if !title.is_empty() {
        add("title", title);
    }
    add("width", &picture.width.to_string());
    add("height", &picture.height.to_string());
    if let Some(srcset) = &picture.srcset {
        add("srcset", srcset);
    }
    html.push('>');
    html
}

/// Returns the name of a footnote as an id of its own kind.
fn name_footnote(name: &str) -> CowStr<'static> {
    format!("fn-{}", slugify(name)).into()
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

/// The ids of the headings of a text, each with the number of headings that would have it.
#[derive(Default)]
struct HeadingAnchors(HashMap<String, usize>);

impl HeadingAnchors {
    /// Returns the id of the next heading: its words, with a number where they were there before.
    fn add_heading(&mut self, words: &str) -> String {
        let slug = slugify(words);
        let slug = if slug.is_empty() { NAMELESS.to_string() } else { slug };
        let mut id = slug.clone();
        // Another heading may have the number in its words.
        while self.0.contains_key(&id) {
            let count = self.0.entry(slug.clone()).or_default();
            *count += 1;
            id = format!("{slug}-{}", *count + 1);
        }
        self.0.insert(id.clone(), 0);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(text: &str) -> String {
        let find = |address: &str| match address {
            "/media/w/a.jpg" => Some(LinkedFile {
                url: "https://x.test/media/w/a.jpg".into(),
                picture: Some(PictureSource {
                    url: "https://x.test/media/w/a.jpg".into(),
                    width: 800,
                    height: 600,
                    srcset: Some("https://x.test/a?w=320&v=1 320w, https://x.test/a 800w".into()),
                }),
            }),
            "/media/w/b.pdf" => {
                Some(LinkedFile { url: "https://x.test/media/w/b.pdf".into(), picture: None })
            }
            _ => None,
        };
        render_html(text, &find).unwrap()
    }

    #[test]
    fn headings_have_ids() {
        let check = |text: &str, expect: &str| assert_eq!(render(text), expect, "{text}");
        check("# Über *uns*", r#"<h1 id="uber-uns">Über <em>uns</em></h1>"#);
        check(
            "## A\n\n## A 2\n\n## A\n\n## A",
            "<h2 id=\"a\">A</h2>\n<h2 id=\"a-2\">A 2</h2>\n<h2 id=\"a-3\">A</h2>\n\
             <h2 id=\"a-4\">A</h2>",
        );
        check("### !?", r#"<h3 id="section">!?</h3>"#);
        check(
            "# `code` ![alt](x.png)",
            "<h1 id=\"code-alt\"><code>code</code> \
             <img src=\"x.png\" alt=\"alt\"></h1>",
        );
        // Ids that a text gives by itself are those of headings, too, and harmless.
        check("<h2 id=\"a b\">x</h2><p id=\"y\">", "<h2>x</h2><p></p>");
    }

    #[test]
    fn pictures_have_sizes_and_files_have_hosts() {
        assert_eq!(
            render("![A \"cat\" & *dog*](/media/w/a.jpg \"<t>\") [b](/media/w/b.pdf)"),
            "<p><img src=\"https://x.test/media/w/a.jpg\" alt=\"A &quot;cat&quot; &amp; dog\" \
             title=\"&lt;t&gt;\" width=\"800\" height=\"600\" \
             srcset=\"https://x.test/a?w=320&amp;v=1 320w, https://x.test/a 800w\"> \
             <a href=\"https://x.test/media/w/b.pdf\" rel=\"noopener noreferrer\">b</a></p>"
        );
        let kept = "<p><img src=\"https://y.test/media/w/a.jpg\" alt=\"\"></p>";
        assert_eq!(render("![](https://y.test/media/w/a.jpg)"), kept);
    }

    #[test]
    fn hand_made_sources_are_harmless() {
        let check = |value: &str, stays: bool| {
            let html = render(&format!("<img src=\"a\" srcset=\"{value}\">"));
            assert_eq!(html.contains("srcset"), stays, "{html}");
        };
        check("a.jpg 1x, https://x.test/b.jpg 2x", true);
        check("javascript:alert(1) 1x", false);
        check("a.jpg 1x,data:image/svg+xml;base64,PHN2Zz4= 2x", false);
        check("a.jpg 1x, JaVaScRiPt:alert(1) 2x", false);
    }

    #[test]
    fn footnotes_lead_to_their_text() {
        let html = render("a[^x y]\n\n[^x y]: note");
        assert!(html.contains("href=\"#fn-x-y\"") && html.contains("id=\"fn-x-y\""), "{html}");
    }

    #[test]
    fn words_stay_without_their_notation() {
        let text = "# A\n\n*short* [lead](https://x.org)\nand `code`\n\n- one\n- two\n\n<b>x</b>";
        assert_eq!(strip_markdown(text), "A short lead and code one two x");
    }
}
