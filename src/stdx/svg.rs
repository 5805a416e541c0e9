//! Sanitizing of SVG: everything that runs, loads or links is removed.
//!
//! Uploaded images are shown on the pages of others. Only listed elements, attributes and links are
//! kept. What is drawn of the rest stays as it was, down to the white space between words.

use std::io;

use svg_hush::Filter;
use svg_hush::data_url_filter;

/// Functions of CSS that load an external file without `url(…)`.
const LOADING: &[&str] = &["image-set(", "src("];

/// The maximum growth of an image with the indentation that is left out.
const GROWTH_MAX: usize = 4;

/// The indentation of one level, which the filter writes in a call of its own.
const INDENTATION: &[u8] = b"  ";

/// The attribute that keeps the white space of a text, and what it is called while the filter runs,
/// which drops every attribute that has a prefix.
const SPACE: (&str, &str) = ("xml:space", "data-xml-space");

/// The beginning and the end of what is no tag. A document type with declarations ends early, and
/// those are sections themselves.
const SECTIONS: &[(&str, &str)] =
    &[("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];

/// The reason why an image is rejected, as a sentence for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SvgError(&'static str);

impl SvgError {
    /// Returns the sentence.
    pub fn message(self) -> &'static str {
        self.0
    }
}

/// Returns the image without scripts, event handlers, links, foreign content and external files;
/// embedded JPEG, PNG and GIF images are kept. Input that is dangerous to parse is rejected:
/// entities (a few bytes can expand to gigabytes) and encodings other than UTF-8.
pub fn sanitize_svg(svg: &[u8]) -> Result<Vec<u8>, SvgError> {
    let text = check_text(svg)?;
    // If the other name occurs, it could not be told from the renamed one afterwards.
    if text.contains(SPACE.0) && !text.contains(SPACE.1) {
        let clean = filter(&rename_attribute(text, SPACE.0, SPACE.1))?;
        return Ok(rename_attribute(&clean, SPACE.1, SPACE.0).into_bytes());
    }
    filter(text).map(String::into_bytes)
}

fn check_text(svg: &[u8]) -> Result<&str, SvgError> {
    // Without zero bytes the text cannot be UTF-16, in which a declaration could be hidden.
    let text = std::str::from_utf8(svg).ok().filter(|it| !it.contains('\0'));
    let text = text.ok_or(SvgError("This SVG is not UTF-8. Save it as UTF-8."))?;
    if text.contains("<!ENTITY") {
        return Err(SvgError("This SVG declares entities. Save it as plain SVG."));
    }
    Ok(text)
}

fn filter(svg: &str) -> Result<String, SvgError> {
    let unreadable = SvgError("This SVG cannot be read as a picture.");
    let mut filter = Filter::new();
    filter.set_data_url_filter(data_url_filter::allow_standard_images);
    let room = svg.len().saturating_mul(GROWTH_MAX).saturating_add(1024);
    let bytes = Vec::with_capacity(svg.len());
    let mut out = UnindentedWriter { bytes, room, line_break: None };
    filter.filter(svg.as_bytes(), &mut out).map_err(|_| unreadable)?;
    let text = out.bytes.to_ascii_lowercase();
    if LOADING.iter().any(|it| memchr::memmem::find(&text, it.as_bytes()).is_some()) {
        return Err(SvgError("This SVG loads other files. Save it with all of them embedded."));
    }
    String::from_utf8(out.bytes).map_err(|_| unreadable)
}

/// Returns the markup with one attribute under another name, in every tag.
fn rename_attribute(svg: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let (text, markup) = rest.split_at(start);
        out.push_str(text);
        rest = match SECTIONS.iter().find(|(open, _)| markup.starts_with(*open)) {
            Some((_, close)) => {
                let end = markup.find(*close).map_or(markup.len(), |at| at + close.len());
                out.push_str(&markup[..end]);
                &markup[end..]
            }
            None => rename_in_tag(markup, from, to, &mut out),
        };
    }
    out.push_str(rest);
    out
}

/// Appends the tag at the beginning of some markup, and returns what follows it.
fn rename_in_tag<'a>(markup: &'a str, from: &str, to: &str, out: &mut String) -> &'a str {
    let mut rest = markup;
    while let Some(at) = rest.find(['"', '\'', '>']) {
        let delimiter = rest.as_bytes()[at];
        if delimiter == b'>' {
            out.push_str(&rest[..=at]);
            return &rest[at + 1..];
        }
        let name = rest[..at].trim_end().strip_suffix('=').map(str::trim_end);
        match name.and_then(|it| it.strip_suffix(from)) {
            Some(before) if before.ends_with(char::is_whitespace) => {
                out.push_str(before);
                out.push_str(to);
                out.push('=');
            }
            _ => out.push_str(&rest[..at]),
        }
        let value = &rest[at..];
        let end = value[1..].find(char::from(delimiter)).map_or(value.len(), |it| it + 2);
        out.push_str(&value[..end]);
        rest = &value[end..];
    }
    out.push_str(rest);
    ""
}

/// A buffer with a maximum size that leaves out indentation, which would be spaces between the
/// words of a text. The filter writes the line break and every level of it in calls of their own.
struct UnindentedWriter {
    bytes: Vec<u8>,
    /// The bytes that may still be written, indentation included.
    room: usize,
    /// The place of the line break after which nothing but indentation was written.
    line_break: Option<usize>,
}

impl io::Write for UnindentedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.room.checked_sub(bytes.len());
        self.room = left.ok_or_else(|| io::Error::other("the picture grows too large"))?;
        if bytes == b"\n" {
            self.line_break = Some(self.bytes.len());
        } else if bytes != INDENTATION
            && let Some(start) = self.line_break.take()
            && bytes.starts_with(b"<")
            && self.bytes.len() > start + 1
        {
            self.bytes.truncate(start);
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wrapped(inside: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \
             xmlns:xlink=\"http://www.w3.org/1999/xlink\">{inside}</svg>"
        )
    }

    fn cleaned(inside: &str) -> String {
        let clean = sanitize_svg(wrapped(inside).as_bytes())
            .unwrap_or_else(|error| panic!("{inside}: {error}"));
        String::from_utf8(clean).unwrap()
    }

    #[test]
    fn what_could_run_is_dropped() {
        // The text on the left must not be in the output; other parts may be.
        let check = |bad: &str, inside: &str| {
            let clean = cleaned(inside).to_ascii_lowercase();
            assert!(!clean.contains(bad), "{inside} → {clean}");
        };
        check("script", "<script>alert(1)</script>");
        check("alert", "<script><![CDATA[alert(1)]]></script>");
        check("evil", "<script href='https://evil.org/x.js'/>");
        check("alert", "<s:script xmlns:s='http://www.w3.org/2000/svg'>alert(1)</s:script>");
        check("alert", "<h:script xmlns:h='http://www.w3.org/1999/xhtml'>alert(1)</h:script>");
        check("alert", "<SCRIPT>alert(1)</SCRIPT>");
        check("alert", "<rect onload='alert(1)' onclick=\"alert(1)\" OnFocus='alert(1)'/>");
        check("onmouseover", "<set attributeName='onmouseover' to='alert(1)'/>");
        check("javascript", "<a href='javascript:alert(1)'><text>x</text></a>");
        check("javascript", "<a xlink:href='&#106;avascript:alert(1)'><text>x</text></a>");
        check("javascript", "<a href='java&#10;script:alert(1)'><text>x</text></a>");
        check("javascript", "<a href='\u{a0}JavaScript:alert(1)'/>");
        check("attributename", "<use href='javascript:alert(1)'/>");
        check("html", "<use href='data:text/html;base64,PHNjcmlwdD4='/>");
        check("svg+xml", "<use href='data:image/svg+xml;base64,PHN2Zz4='/>");
        check("svg+xml", "<image href='data:image/svg+xml;base64,PHN2Zz4='/>");
        check(
            "attributename",
            "<a><animate attributeName='href' values='javascript:alert(1)'/></a>",
        );
        check(
            "attributename",
            "<a><animate attributeName='xlink:href' to='javascript:alert(1)'/></a>",
        );
        check("attributename", "<a><set attributeName='href' to='javascript:alert(1)'/></a>");
        check("alert", "<handler type='text/javascript'>alert(1)</handler>");
        check("alert", "<foreignObject><body onload='alert(1)'>x</body></foreignObject>");
        check("evil", "<foreignObject><iframe src='https://evil.org'/></foreignObject>");
        check("evil", "<iframe xmlns='http://www.w3.org/1999/xhtml' src='https://evil.org'/>");
        check("evil", "<image href='https://evil.org/x.png'/>");
        check("evil", "<image xlink:href='//evil.org/x.png'/>");
        check("evil", "<image href='\\\\\\\\evil.org\\x.png'/>");
        check("evil", "<use href='https://evil.org/x.svg#a'/>");
        check("evil", "<feImage href='https://evil.org/x.png'/>");
        check("evil", "<rect fill='url(https://evil.org/x.svg#a)'/>");
        check("evil", "<rect style='fill:url(\"https://evil.org/x\")'/>");
        check("\\", "<rect style='fill:\\75rl(https://evil.org/x)'/>");
        check("url(https", "<style>@import url(https://evil.org/x.css);</style>");
        check("@import", "<style>@import 'https://evil.org/x.css';</style>");
        check("@\\", "<style>@\\69mport 'https://evil.org/x.css';</style>");
        check("evil", "<style>rect{background:url(https://evil.org/x)}</style>");
        check("\\", "<style>rect{background:u\\72l(https://evil.org/x)}</style>");
        check("evil", "<style>@font-face{src:URL( 'https://evil.org/x' )}</style>");
        check("<script", "<style>&lt;/style>&lt;script>alert(1)&lt;/script></style>");
        check("<img", "<title>&lt;img src=x onerror=alert(1)></title>");
        check("<script", "<desc><![CDATA[</desc><script>alert(1)</script>]]></desc>");
        check("xml-stylesheet", "<?xml-stylesheet href='https://evil.org/x.xsl'?><g/>");
        check("alert", "<!-- <script>alert(1)</script> --><g/>");
        check("evil", "<g xml:base='https://evil.org/'/>");
        check("evil", "<metadata><x xmlns='urn:x' href='https://evil.org'/></metadata>");
        check("evil", "<audio xmlns='http://www.w3.org/1999/xhtml' src='https://evil.org'/>");
        check("evil", "<link xmlns='http://www.w3.org/1999/xhtml' href='https://evil.org'/>");
    }

    #[test]
    fn what_draws_stays() {
        let check = |inside: &str, kept: &[&str]| {
            let clean = cleaned(inside);
            for part in kept {
                assert!(clean.contains(part), "{part} of {inside} → {clean}");
            }
        };
        check("<path d='M0 0h9' fill='#f00' class='a'/>", &["M0 0h9", "#f00", "class=\"a\""]);
        check("<style>.a{fill:red}</style>", &[".a{fill:red}"]);
        check("<defs><linearGradient id='g'/></defs><rect fill='url(#g)'/>", &["url(#g)"]);
        check("<use xlink:href='#g'/>", &["href=\"#g\""]);
        check(
            "<image href='data:image/png;base64,iVBORw0KGgo='/>",
            &["data:image/png;base64,iVBO"],
        );
        check("<text x='1'>Grüße &amp; 北京</text>", &["Grüße &amp; 北京"]);
        check("<title>A</title><g transform='scale(2)'/>", &["<title>A", "scale(2)"]);
    }

    #[test]
    fn white_space_of_texts_stays() {
        let check = |inside: &str, expect: &str| {
            let clean = cleaned(inside);
            assert!(clean.contains(expect), "{inside} → {clean}");
        };
        let same = |inside: &str| check(inside, inside);
        same("<text y=\"20\"><tspan>Re</tspan><tspan font-weight=\"bold\">cto</tspan></text>");
        same("<text>A <tspan>b</tspan> <tspan>c</tspan>\n</text>");
        same("<text>\n  <tspan>b</tspan>\n    <tspan>c</tspan>\n  </text>");
        same("<g><g><path d=\"M0 0\"/></g><g><path d=\"M0 0\"/></g></g>");
        same("<text xml:space=\"preserve\">a  b\n  <tspan>c</tspan>\n</text>");
        check(
            "<!-- ' --><text data-a=' xml:space=' xml:space = 'default'>a xml:space=\"b\"</text>",
            "<text data-a=\" xml:space=\" xml:space=\"default\">a xml:space=\"b\"</text>",
        );
        check(
            "<text xml:space='preserve' data-xml-space='a'>b</text>",
            "<text data-xml-space=\"a\">b</text>",
        );
    }

    #[test]
    fn some_pictures_are_refused() {
        let check = |svg: &[u8], expect: &str| {
            let error = sanitize_svg(svg).unwrap_err();
            assert!(error.message().contains(expect), "{} {error}", String::from_utf8_lossy(svg));
        };
        check(b"", "cannot be read");
        check(b"<svg/>", "cannot be read");
        check(b"<html xmlns='http://www.w3.org/1999/xhtml'><script/></html>", "cannot be read");
        check(b"<svg xmlns='http://www.w3.org/2000/svg'>", "cannot be read");
        check(b"<svg xmlns='http://www.w3.org/2000/svg'><g></svg>", "cannot be read");
        check(
            b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>",
            "entities",
        );
        check(b"<!DOCTYPE svg [<!ENTITY % a SYSTEM 'file:///etc/passwd'>]><svg/>", "entities");
        let comment = "<!-- --!><script>alert(1)</script> --><g/>";
        check(wrapped(comment).as_bytes(), "cannot be read");
        check(b"\xff\xfe<\0s\0v\0g\0", "UTF-8");
        check(b"<\0s\0v\0g\0", "UTF-8");
        let loads = "<style>a{background:image-set('https://evil.org/x' 1x)}</style>";
        check(wrapped(loads).as_bytes(), "loads other files");
    }

    #[test]
    fn depth_and_size_do_no_harm() {
        let deep = wrapped(&format!("{}{}", "<g>".repeat(50_000), "</g>".repeat(50_000)));
        // With indentation it would take gigabytes.
        assert!(sanitize_svg(deep.as_bytes()).is_err());
        let wide = wrapped(&"<g/>".repeat(50_000));
        assert!(sanitize_svg(wide.as_bytes()).is_ok());
    }

    /// An element that lost its children is indented once more by a second pass.
    fn without_spaces(svg: &[u8]) -> String {
        String::from_utf8_lossy(svg).split_whitespace().collect()
    }

    #[test]
    fn a_second_pass_changes_spaces_only() {
        let once = cleaned("<style href=''><g href=''/></style>").into_bytes();
        let twice = sanitize_svg(&once).unwrap();
        assert_eq!(without_spaces(&twice), without_spaces(&once));
    }

    proptest! {
        #[test]
        fn whatever_comes_out_is_clean_already(
            inside in "(<(g|a|use|image|style|set) ?(href|style|onload|fill|to)?='?(#a|url\\(|javascript:|//b/c|data:text/html,x|\\\\75rl\\()?'?/?>|</(g|a|style)>|x|&lt;|@import|;|\\)){0,12}"
        ) {
            if let Ok(once) = sanitize_svg(wrapped(&inside).as_bytes()) {
                let twice = sanitize_svg(&once).unwrap();
                prop_assert_eq!(without_spaces(&twice), without_spaces(&once));
                let text = String::from_utf8(once).unwrap();
                prop_assert!(!text.contains("href=\"javascript:") && !text.contains("onload"), "{}", text);
            }
        }
    }
}
