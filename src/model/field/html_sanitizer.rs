//! The sanitizer of HTML: it removes what can do harm, and refuses text that would take too long.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The maximum number of tags in a value.
const TAGS_MAX: usize = 20_000;

/// The maximum number of open elements: each tag is looked up among the elements around it.
const OPEN_MAX: usize = 500;

/// The maximum number of attributes of a tag: each is compared with the ones before it.
const TAG_ATTRIBUTES_MAX: usize = 256;

/// The maximum number of attributes of all tags in a value.
const ATTRIBUTES_MAX: usize = 100_000;

/// The maximum number of `<html>` and `<body>` tags: the parser collects the attributes of all of
/// them at the first one.
const ROOT_TAGS_MAX: usize = 100;

/// Elements that the parser reopens, with all their attributes, in each following paragraph and
/// cell until they are closed.
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// The maximum size of the elements of [`FORMATTING`] that are reopened, in bytes of their tags, if
/// each tag reopens all of them.
const REOPENED_BYTES_MAX: usize = 2_000_000;

/// The maximum number of bytes scanned by the HTML writer: for each character that it writes as an
/// entity, it searches the rest of the text for an angle bracket.
const RESCANNED_BYTES_MAX: u64 = 10_000_000_000;

/// Elements without an end tag, and elements that are closed when the next one begins.
const UNNESTED: &[&str] = &[
    "area", "base", "br", "caption", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input",
    "li", "link", "meta", "optgroup", "option", "p", "param", "rb", "rp", "rt", "rtc", "source",
    "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// The schemes of addresses. Those without one are relative, and stay.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// The allowed tags and attributes. Built once, since it holds about a hundred names.
static SANITIZER: LazyLock<ammonia::Builder<'static>> = LazyLock::new(build_sanitizer);

/// The same, with what rendered Markdown has besides: ids of headings and footnotes to link to, and
/// pictures in several sizes.
static MARKDOWN_SANITIZER: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
    let mut builder = build_sanitizer();
    for tag in ["h1", "h2", "h3", "h4", "h5", "h6", "div"] {
        builder.add_tag_attributes(tag, ["id"]);
    }
    builder.add_tag_attributes("img", ["srcset"]);
    builder
});

fn build_sanitizer() -> ammonia::Builder<'static> {
    let mut builder = ammonia::Builder::default();
    builder
        .url_schemes(SCHEMES.into())
        .add_tags(["figure", "figcaption", "picture", "source", "video", "audio", "track"])
        .add_generic_attributes(["class"])
        .add_tag_attributes("source", ["src", "type", "media"])
        .add_tag_attributes("video", ["src", "poster", "controls", "width", "height", "loop"])
        .add_tag_attributes("audio", ["src", "controls", "loop"])
        .add_tag_attributes("track", ["src", "kind", "srclang", "label"])
        .add_tag_attributes("img", ["loading"])
        .add_tag_attribute_values("a", "target", ["_blank"])
        .attribute_filter(|_, attribute, value| {
            is_harmless_value(attribute, value).then_some(value.into())
        });
    builder
}

/// Returns true if the value of an allowed attribute does no harm. The addresses in `href`, `src`
/// and `poster` are left to the builder, which does not look into the others.
fn is_harmless_value(attribute: &str, value: &str) -> bool {
    match attribute {
        "cite" => is_harmless_address(value),
        "id" => value.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-'),
        "srcset" => is_harmless_srcset(value),
        _ => true,
    }
}

/// Returns true if an address is relative or has one of [`SCHEMES`], read as browsers do.
fn is_harmless_address(value: &str) -> bool {
    match ammonia::Url::parse(value) {
        Ok(url) => SCHEMES.contains(&url.scheme()),
        Err(error) => error == ammonia::url::ParseError::RelativeUrlWithoutBase,
    }
}

/// Returns true if all addresses in a `srcset` are relative or of the web, as those of `src` are.
fn is_harmless_srcset(value: &str) -> bool {
    let mut parts = value.split(|it: char| it == ',' || it.is_ascii_whitespace());
    parts.all(|it| !it.contains(':') || it.starts_with("http://") || it.starts_with("https://"))
}

/// Returns the harmless part of the text, in a form that does not change when it is sanitized
/// again.
pub fn sanitize_html(text: &str) -> Result<String, String> {
    sanitize_with(&SANITIZER, text)
}

/// Returns the harmless part of HTML that was made from Markdown, as [`sanitize_html`] does. Ids of
/// headings and footnotes stay, and so does `srcset`.
pub fn sanitize_markdown_html(text: &str) -> Result<String, String> {
    sanitize_with(&MARKDOWN_SANITIZER, text)
}

fn sanitize_with(sanitizer: &ammonia::Builder<'_>, text: &str) -> Result<String, String> {
    check_attributes(text)?;
    check_size(text)?;
    check_entities(text)?;
    // Parsing and writing HTML gives a stable result at once, except for unusual nestings.
    let mut last = run_sanitizer(sanitizer, text);
    for _ in 0..3 {
        check_size(&last)?; // repairs add tags
        check_entities(&last)?; // texts may have been joined
        let next = run_sanitizer(sanitizer, &last);
        if next == last {
            return Ok(last.trim().to_string());
        }
        last = next;
    }
    Err("The tags in this text are nested in a way that browsers interpret differently."
        .to_string())
}

/// Rejects markup that would keep the parser busy for long. An end tag only closes elements of its
/// own name, so the count of open elements is never too low.
fn check_size(text: &str) -> Result<(), String> {
    let (mut tags, mut roots, mut open) = (0, 0, 0);
    let mut formatting = OpenFormatting::default();
    let mut open_by_name: HashMap<String, usize> = HashMap::new();
    for markup in text.split('<').skip(1) {
        let (is_end, tag) = markup.strip_prefix('/').map_or((false, markup), |it| (true, it));
        let name = tag.split([' ', '\t', '\n', '\r', '\x0c', '/', '>']).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        if !name.starts_with(|it: char| it.is_ascii_alphabetic()) {
            continue;
        }
        tags += 1;
        roots += usize::from(!is_end && matches!(&*name, "html" | "body"));
        formatting.count_tag(&name, is_end, markup.len());
        if !UNNESTED.contains(&name.as_str()) {
            let count = open_by_name.entry(name).or_default();
            if !is_end {
                *count += 1;
                open += 1;
            } else if *count > 0 {
                *count -= 1;
                open -= 1;
            }
        }
        if tags > TAGS_MAX {
            return Err(format!("This has more than {TAGS_MAX} tags."));
        }
        if open > OPEN_MAX {
            return Err(format!("This has more than {OPEN_MAX} elements open at once."));
        }
        if roots > ROOT_TAGS_MAX {
            return Err(format!("This has more than {ROOT_TAGS_MAX} html or body tags."));
        }
        if formatting.reopened_bytes > REOPENED_BYTES_MAX {
            return Err(
                "This has too many tags inside formatting that is never closed.".to_string()
            );
        }
    }
    Ok(())
}

/// The size of the open elements of [`FORMATTING`].
#[derive(Default)]
struct OpenFormatting {
    open: HashMap<String, Vec<usize>>,
    open_bytes: usize,
    reopened_bytes: usize,
}

impl OpenFormatting {
    /// Counts the next tag; `bytes` is never less than its length without quoted values.
    fn count_tag(&mut self, name: &str, is_end: bool, bytes: usize) {
        if FORMATTING.contains(&name) {
            let open = self.open.entry(name.to_string()).or_default();
            // These end where the next of their kind begins.
            if is_end || matches!(name, "a" | "nobr") {
                self.open_bytes -= open.pop().unwrap_or_default();
            }
            if !is_end {
                open.push(bytes);
                self.open_bytes += bytes;
            }
        }
        self.reopened_bytes = self.reopened_bytes.saturating_add(self.open_bytes);
    }
}

/// The state of the parser within a tag.
#[derive(Clone, Copy)]
enum TagState {
    /// After `<`.
    Open,
    /// After `</`.
    OpenEnd,
    TagName,
    /// At a place where an attribute may begin.
    Between,
    Name,
    AfterName,
    BeforeValue,
    InDoubleQuotes,
    InSingleQuotes,
    Unquoted,
}

impl TagState {
    const COUNT: usize = 10;

    const ALL: [TagState; TagState::COUNT] = [
        TagState::Open,
        TagState::OpenEnd,
        TagState::TagName,
        TagState::Between,
        TagState::Name,
        TagState::AfterName,
        TagState::BeforeValue,
        TagState::InDoubleQuotes,
        TagState::InSingleQuotes,
        TagState::Unquoted,
    ];

    /// Returns the state after a byte, or `None` at the end of the tag.
    fn next_state(self, byte: u8) -> Option<TagState> {
        use TagState::*;
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
        Some(match (self, byte) {
            (Open, b'/') => OpenEnd,
            (Open | OpenEnd, it) if it.is_ascii_alphabetic() => TagName,
            (Open | OpenEnd, _) => return None,
            (InDoubleQuotes, b'"') | (InSingleQuotes, b'\'') => Between,
            (InDoubleQuotes | InSingleQuotes, _) => self,
            (_, b'>') => return None,
            (TagName | Name | AfterName | Between, b'/') => Between,
            (Name | AfterName, b'=') => BeforeValue,
            (TagName | Between | Unquoted, _) if is_space => Between,
            (Name | AfterName, _) if is_space => AfterName,
            (BeforeValue, _) if is_space => BeforeValue,
            (BeforeValue, b'"') => InDoubleQuotes,
            (BeforeValue, b'\'') => InSingleQuotes,
            (BeforeValue | Unquoted, _) => Unquoted,
            (TagName, _) => TagName,
            (Between | Name | AfterName, _) => Name,
        })
    }
}

/// Rejects tags with too many attributes: the parser's effort grows with the square of their
/// number. Only the parser knows which angle brackets begin tags (comments and quoted values
/// contain others), so all candidates are followed at once. If several reach the same state, the
/// one with the most attributes is kept.
fn check_attributes(text: &str) -> Result<(), String> {
    let (mut counts, mut all): ([Option<usize>; TagState::COUNT], usize) = (Default::default(), 0);
    let mut is_outside = true;
    for byte in text.bytes() {
        if is_outside && byte != b'<' {
            continue;
        }
        let mut next = [None; TagState::COUNT];
        let mut begins = false;
        for (state, count) in TagState::ALL.into_iter().zip(counts) {
            let Some((mut count, after)) = count.zip(state.next_state(byte)) else { continue };
            let is_new = matches!(after, TagState::Name) && !matches!(state, TagState::Name);
            count += usize::from(is_new);
            begins |= is_new;
            if count > TAG_ATTRIBUTES_MAX {
                return Err(format!(
                    "A tag in this has more than {TAG_ATTRIBUTES_MAX} attributes."
                ));
            }
            if let Some(slot) = next.get_mut(after as usize) {
                *slot = (*slot).max(Some(count));
            }
        }
        all += usize::from(begins);
        if all > ATTRIBUTES_MAX {
            return Err(format!("This has more than {ATTRIBUTES_MAX} attributes."));
        }
        if byte == b'<' {
            next[TagState::Open as usize] = Some(0);
        }
        is_outside = next.iter().all(Option::is_none);
        counts = next;
    }
    Ok(())
}

/// Rejects text that would keep the writer busy for long. Angle brackets end the writer's search,
/// so they cost nothing.
fn check_entities(text: &str) -> Result<(), String> {
    let is_bracket = |after: &str| after.starts_with("lt;") || after.starts_with("gt;");
    let ampersands = text.split('&').skip(1).filter(|it| !is_bracket(it)).count();
    // The first byte of a no-break space, and of some other characters.
    let spaces = text.bytes().filter(|it| *it == 0xc2).count();
    let entities = ampersands.saturating_add(spaces) as u64;
    if entities.saturating_mul(text.len() as u64) > RESCANNED_BYTES_MAX {
        return Err("This has too many entities for a text of this length.".to_string());
    }
    Ok(())
}

fn run_sanitizer(sanitizer: &ammonia::Builder<'_>, text: &str) -> String {
    let clean = sanitizer.clean(text.trim()).to_string();
    if !clean.contains("<pre") {
        return clean;
    }
    keep_first_line(&clean)
}

/// Adds a line feed after `<pre>` where the text begins with one. HTML parsers drop a line feed
/// right after `<pre>`, so each pass would otherwise remove a line.
fn keep_first_line(html: &str) -> String {
    let mut parts = html.split("<pre");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str("<pre");
        match part.split_once('>') {
            Some((attributes, text)) if text.starts_with('\n') => {
                out.push_str(attributes);
                out.push_str(">\n");
                out.push_str(text);
            }
            _ => out.push_str(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_too_much_is_refused() {
        let check = |html: &str, count: usize, fits: bool| {
            assert_eq!(sanitize_html(&html.repeat(count)).is_ok(), fits, "{count} × {html}");
        };
        check("<p>a", 1000, true);
        check("<p>a", TAGS_MAX + 1, false);
        check("<div>", OPEN_MAX, true);
        check("<DIV/>", OPEN_MAX + 1, false);
        check("<div></span>", OPEN_MAX + 1, false);
        check("<b><div></b>", OPEN_MAX + 1, false);
        check("<div><table></div>", OPEN_MAX + 1, false);
        check("<div>a</div>", OPEN_MAX + 1, true);
    }

    #[test]
    fn tags_have_so_many_attributes() {
        let many = |count: usize| (0..count).map(|it| format!(" a{it}")).collect::<String>();
        let check = |html: String, fits: bool| {
            assert_eq!(check_attributes(&html).is_ok(), fits, "{}", &html[..html.len().min(60)]);
        };
        let (most, more) = (many(TAG_ATTRIBUTES_MAX), many(TAG_ATTRIBUTES_MAX + 1));
        check(format!("<b{most}>").repeat(2), true);
        check(format!("<b{more}>"), false);
        check(format!("<b{more}"), false);
        check(format!("</b{more}>"), false);
        check(format!("<b{}>", more.replace(' ', "/")), false);
        check(format!("<b x{}>", more.replace(' ', "=\"\"")), false);
        check(format!("<b{}>", more.replace(' ', "=x\t")), false);
        // Words are not attributes, and neither is quoted text.
        check(format!("a < b{more}"), true);
        check(format!("<b>{more}"), true);
        check(format!("<b title=\"{more}\">"), true);
        check(format!("<b title='{more}'>"), true);
        check(format!("<b title = '>{more}' {most}>"), false);
        // A quote before the tag does not hide it.
        check(format!("<!-- <a title=\" --> <b{more}>"), false);
        check(format!("<script><a title='</script> <b{more}>"), false);
        check(format!("<a title=\"<b title='\"{more}>"), false);
        check(format!("<p{}>", many(100)).repeat(ATTRIBUTES_MAX / 100), true);
        check(format!("<p{}>", many(100)).repeat(ATTRIBUTES_MAX / 100 + 1), false);
    }

    #[test]
    fn formatting_that_does_not_end_is_repeated_so_often() {
        let check = |html: String, fits: bool| {
            assert_eq!(check_size(&html).is_ok(), fits, "{}", &html[..html.len().min(60)]);
        };
        let open: String = (0..400).map(|it| format!("<b id={it}>")).collect();
        check(format!("{open}{}", "<p>a".repeat(100)), true);
        check(format!("{open}{}", "<p>a".repeat(10_000)), false);
        check(format!("<font size=\"2\" face=\"Arial\">{}", "<p>a".repeat(19_000)), true);
        check("<a name=x>text".repeat(400) + &"<p>a".repeat(10_000), true);
        check("<html>".repeat(ROOT_TAGS_MAX), true);
        check("<body>".repeat(ROOT_TAGS_MAX + 1), false);
    }

    #[test]
    fn what_takes_long_to_write_is_refused() {
        let check = |text: String, expect: bool| {
            assert_eq!(check_entities(&text).is_ok(), expect, "{} bytes", text.len());
        };
        check("a & b ".repeat(10_000), true);
        check("a &lt; b ".repeat(100_000), true);
        check("x".repeat(2_000_000) + &"\u{a0}".repeat(4_000), true);
        check("&".repeat(200_000), false);
        check("&amp;</x>".repeat(50_000), false);
        check("\u{a0}".repeat(100_000), false);
    }

    #[test]
    fn addresses_have_harmless_schemes() {
        let check = |html: &str, expect: &str| {
            assert_eq!(sanitize_html(html).as_deref(), Ok(expect), "{html}");
        };
        check("<q cite=\"javascript:alert(1)\">x</q>", "<q>x</q>");
        check("<q cite=\" JAVA\tSCRIPT:alert(1)\">x</q>", "<q>x</q>");
        check("<q cite=\"javascript&colon;alert(1)\">x</q>", "<q>x</q>");
        check("<blockquote cite=\"data:text/html,x\">x</blockquote>", "<blockquote>x</blockquote>");
        check("<ins cite=\"vbscript:x\">a</ins>", "<ins>a</ins>");
        check("<del cite=\"x:y\">a</del>", "<del>a</del>");
        for address in ["https://a.example/?b=c:d", "mailto:a@b.example", "/a/b", "a?b:c", "#d"] {
            let html = format!("<q cite=\"{address}\">x</q>");
            check(&html, &html);
        }
        // No other attribute with an address is allowed.
        check("<img src=\"x\" longdesc=\"javascript:1\" usemap=\"#m\">", "<img src=\"x\">");
        check("<img src=\"x\" srcset=\"javascript:1 2x\" lowsrc=\"a:b\">", "<img src=\"x\">");
        check("<video poster=\"javascript:1\"></video>", "<video></video>");
        check("<map><area href=\"javascript:1\"></map>", "<map><area></map>");
        check("<p data-x=\"a:b\" background=\"a:b\" action=\"a:b\">x</p>", "<p>x</p>");
    }

    proptest! {
        #[test]
        fn what_is_clean_stays(html in "(</?(b|p|pre|a|table|td|svg|math|style|li|textarea|select|option)( title=\"<pre>\\n\")?>|\\n|x|&lt;|&){0,14}") {
            if let Ok(clean) = sanitize_html(&html) {
                prop_assert_eq!(sanitize_html(&clean), Ok(clean.clone()));
                prop_assert!(!clean.contains("<script"));
            }
        }
    }
}
