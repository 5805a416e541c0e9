//! `html`: formatted text, reduced on writing to what can do no harm.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::field::limits::Lengths;
use crate::model::field::text::accept_text;
use crate::model::field::text::text_schema;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "html",
    about: "Formatted text in HTML. Scripts, styles and event handlers are removed on writing.",
    parse: |definition| Box::new(Html::parse(definition)),
    settings: Lengths::settings,
};

/// The most tags in one value.
const TAGS_MAX: usize = 20_000;

/// The most elements open at once: each tag is looked up among those that are open around it.
const OPEN_MAX: usize = 500;

/// The most attributes of one tag: each is compared with those before it.
const TAG_ATTRIBUTES_MAX: usize = 256;

/// The most attributes of all tags in one value.
const ATTRIBUTES_MAX: usize = 100_000;

/// The most `<html>` and `<body>` tags: the attributes of all of them are gathered at the first.
const ROOT_TAGS_MAX: usize = 100;

/// Elements that go on in each paragraph and cell that follows, with all their attributes, until
/// they are ended.
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// The most that elements of [`FORMATTING`] may come to when each tag begins all of them anew that
/// are open there, in bytes of their own tags.
const REOPENED_BYTES_MAX: usize = 2_000_000;

/// The most bytes that are gone through again and again: for each character that is written as an
/// entity the writer of HTML looks for an angle bracket in all the text that follows.
const RESCANNED_BYTES_MAX: u64 = 10_000_000_000;

/// Elements without an end tag, and those that end by themselves where the next one begins.
const UNNESTED: &[&str] = &[
    "area", "base", "br", "caption", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input",
    "li", "link", "meta", "optgroup", "option", "p", "param", "rb", "rp", "rt", "rtc", "source",
    "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// What may stay. Built once: it holds some hundred names.
static SANITIZER: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
    let mut builder = ammonia::Builder::default();
    builder
        .url_schemes(["http", "https", "mailto", "tel"].into())
        .add_tags(["figure", "figcaption", "picture", "source", "video", "audio", "track"])
        .add_generic_attributes(["class"])
        .add_tag_attributes("source", ["src", "type", "media"])
        .add_tag_attributes("video", ["src", "poster", "controls", "width", "height", "loop"])
        .add_tag_attributes("audio", ["src", "controls", "loop"])
        .add_tag_attributes("track", ["src", "kind", "srclang", "label"])
        .add_tag_attributes("img", ["loading"])
        .add_tag_attribute_values("a", "target", ["_blank"]);
    builder
});

#[derive(Debug)]
struct Html {
    lengths: Lengths,
}

impl Html {
    fn parse(definition: &mut Definition<'_>) -> Html {
        Html { lengths: Lengths::parse(definition) }
    }
}

impl FieldKind for Html {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, world: &dyn World, problems: &mut FieldProblems) -> Json {
        let mut refused = None;
        let accepted = accept_text(input, &self.lengths, problems, |text| {
            world.clean_html(text).unwrap_or_else(|reason| {
                refused = Some(reason);
                String::new()
            })
        });
        refused.into_iter().for_each(|reason| problems.add("", reason));
        accepted
    }

    /// What would be removed on writing is no fault, so it is not looked for: that takes long.
    fn judge(&self, stored: &Json, problems: &mut FieldProblems) -> Json {
        accept_text(stored, &self.lengths, problems, str::to_string)
    }

    fn comparison(&self) -> Comparison {
        Comparison::LongText
    }

    fn text(&self, value: &Json, out: &mut String) {
        let Some(html) = value.as_str().filter(|it| !it.is_empty()) else { return };
        if !out.is_empty() {
            out.push('\n');
        }
        push_plain(html, out);
    }

    fn json_schema(&self, face: Face) -> Value {
        text_schema(&self.lengths, face)
    }
}

/// The harmless part of the text, in a form that stays the same when it comes in again.
pub fn sanitized(text: &str) -> Result<String, String> {
    check_attributes(text)?;
    check_size(text)?;
    check_entities(text)?;
    // Parsing HTML and writing it settles at once, but for odd nestings.
    let mut last = clean(text);
    for _ in 0..3 {
        check_size(&last)?; // repairs add tags
        check_entities(&last)?; // texts may have grown together
        let next = clean(&last);
        if next == last {
            return Ok(last.trim().to_string());
        }
        last = next;
    }
    Err("Tags in this are nested in a way that browsers disagree about.".to_string())
}

/// Refuses what would keep the parser busy for long. End tags count for their own name alone, so
/// that what seems to be open is never less than what is.
fn check_size(text: &str) -> Result<(), String> {
    let (mut tags, mut roots, mut open) = (0, 0, 0);
    let mut formatting = Formatting::default();
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
        formatting.meet(&name, is_end, markup.len());
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
            return Err("This has too many tags within formatting that does not end.".to_string());
        }
    }
    Ok(())
}

/// What the elements of [`FORMATTING`] come to that are open.
#[derive(Default)]
struct Formatting {
    open: HashMap<String, Vec<usize>>,
    open_bytes: usize,
    reopened_bytes: usize,
}

impl Formatting {
    /// The next tag, of which `bytes` is never less than its length without quoted values.
    fn meet(&mut self, name: &str, is_end: bool, bytes: usize) {
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

/// How far into a tag the parser may be.
#[derive(Clone, Copy)]
enum TagState {
    /// Behind `<`.
    Open,
    /// Behind `</`.
    OpenEnd,
    TagName,
    /// Where an attribute may begin.
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

    /// Where the parser is behind a byte; nowhere, when the tag has ended.
    fn after(self, byte: u8) -> Option<TagState> {
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

/// Refuses tags with too many attributes: the parser's effort grows with the square of them. Which
/// angle brackets begin tags the parser alone knows (comments and quoted values hold others), so all
/// that may are followed at once; those that come to the same state go on as the one that has more.
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
            let Some((mut count, after)) = count.zip(state.after(byte)) else { continue };
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

/// Refuses what would keep the writer busy for long. Angle brackets cost nothing: they are found.
fn check_entities(text: &str) -> Result<(), String> {
    let is_bracket = |after: &str| after.starts_with("lt;") || after.starts_with("gt;");
    let ampersands = text.split('&').skip(1).filter(|it| !is_bracket(it)).count();
    // The first byte of a space that does not break, and of others besides.
    let spaces = text.bytes().filter(|it| *it == 0xc2).count();
    let entities = ampersands.saturating_add(spaces) as u64;
    if entities.saturating_mul(text.len() as u64) > RESCANNED_BYTES_MAX {
        return Err("This has too many entities for a text of this length.".to_string());
    }
    Ok(())
}

fn clean(text: &str) -> String {
    let clean = SANITIZER.clean(text.trim()).to_string();
    if !clean.contains("<pre") {
        return clean;
    }
    keep_first_line(&clean)
}

/// Whoever parses HTML drops a line feed right after `<pre>`; one that is part of the text needs
/// another before it, or each visit would take a line.
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

/// Tags within words; all others part words.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "code", "del", "em", "i", "ins", "mark", "q", "s", "small",
    "span", "strong", "sub", "sup", "u", "wbr",
];

/// Appends the text between the tags. Also right for what somebody wrote into the file by hand.
fn push_plain(html: &str, out: &mut String) {
    let mut rest = html;
    while let Some((text, markup)) = rest.split_once('<') {
        push_decoded(text, out);
        if let Some(comment) = markup.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let name_end = markup.find(|c: char| !c.is_ascii_alphanumeric() && c != '/');
        let name = markup.get(..name_end.unwrap_or(markup.len())).unwrap_or_default();
        let element = name.trim_matches('/').to_ascii_lowercase();
        if name.is_empty() {
            out.push('<'); // no tag: somebody wrote `a < b`
            rest = markup;
            continue;
        }
        if !INLINE.contains(&element.as_str()) {
            out.push(' ');
        }
        rest = after_tag(markup);
        if element == name && matches!(name, "script" | "style") {
            let end = rest.find("</").map_or("", |at| rest.get(at..).unwrap_or_default());
            rest = end;
        }
    }
    push_decoded(rest, out);
}

/// What follows the `>` that ends a tag; quoted attributes may hold others.
fn after_tag(markup: &str) -> &str {
    let mut quote = None;
    for (at, letter) in markup.char_indices() {
        match (letter, quote) {
            ('>', None) => return markup.get(at + 1..).unwrap_or_default(),
            ('"' | '\'', None) => quote = Some(letter),
            (_, Some(open)) if letter == open => quote = None,
            _ => {}
        }
    }
    ""
}

/// Appends text with the entities that the sanitizer and editors write decoded.
fn push_decoded(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let entity = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        match entity.and_then(|(name, rest)| Some((character(name)?, rest))) {
            Some((letter, after)) => {
                out.push(letter);
                rest = after;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
}

fn character(entity: &str) -> Option<char> {
    let code = |digits: &str, radix| char::from_u32(u32::from_str_radix(digits, radix).ok()?);
    match entity {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let number = entity.strip_prefix('#')?;
            match number.strip_prefix(['x', 'X']) {
                Some(digits) => code(digits, 16),
                None => code(number, 10),
            }
        }
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[super::kind_test::Sample {
    definition: r#"{"type":"html","max_length":400}"#,
    accepted: &[
        (r#""<p>a <b>b</b></p>""#, r#""<p>a <b>b</b></p>""#),
        (r#""<p onclick=x()>a</p><script>b</script>""#, r#""<p>a</p>""#),
        (r#""<img src=/a.png onerror=x()>""#, r#""<img src=\"/a.png\">""#),
        (r#""<a href='javascript:x()'>a</a>""#, r#""<a rel=\"noopener noreferrer\">a</a>""#),
        (r#""<pre>\n\n\na</pre>""#, r#""<pre>\n\n\na</pre>""#),
        (r#""<pre>\na</pre>""#, r#""<pre>a</pre>""#),
        (r#""<pre class=\"x\">\n\na</pre>""#, r#""<pre class=\"x\">\n\na</pre>""#),
        (r#""<code class=language-rust>a</code>""#, r#""<code class=\"language-rust\">a</code>""#),
        (r#""a < b & c""#, r#""a &lt; b &amp; c""#),
        (r#""<script>x</script>""#, "null"),
        (r#""""#, "null"),
        ("5", r#""5""#),
    ],
    refused: &[(r#"["a"]"#, ""), (r#"{"a":1}"#, "")],
    shown: &[],
    broken: &[(r#"{"min_length":3,"max_length":2}"#, "max_length")],
}];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(html: &str) -> String {
        let mut out = String::new();
        push_plain(html, &mut out);
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn text_without_tags() {
        let check = |html: &str, expect: &str| assert_eq!(plain(html), expect, "{html}");
        check("<p>a<b>b</b>c</p><p>d</p>", "abc d");
        check("a<br>b<br/>c", "a b c");
        check("<img alt=\"x>y\">a", "a");
        check("a &amp; b &lt; &#228;&#xE4; &nope; &", "a & b < ää &nope; &");
        check("&#x110000; &#xD800; & ;", "&#x110000; &#xD800; & ;");
        check("a<script>if (a < b) x()</script>b", "a b");
        check("a<!-- <b>no</b> -->b", "ab");
        check("a < b", "a < b");
        check("<unclosed", "");
        check("<", "<");
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let check = |html: &str, count: usize, fits: bool| {
            assert_eq!(sanitized(&html.repeat(count)).is_ok(), fits, "{count} × {html}");
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
        // Words are no attributes, nor are those in quotes.
        check(format!("a < b{more}"), true);
        check(format!("<b>{more}"), true);
        check(format!("<b title=\"{more}\">"), true);
        check(format!("<b title='{more}'>"), true);
        check(format!("<b title = '>{more}' {most}>"), false);
        // Whatever seems to be quoted before a tag begins.
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

    proptest! {
        #[test]
        fn what_is_clean_stays(html in "(</?(b|p|pre|a|table|td|svg|math|style|li|textarea|select|option)( title=\"<pre>\\n\")?>|\\n|x|&lt;|&){0,14}") {
            if let Ok(clean) = sanitized(&html) {
                prop_assert_eq!(sanitized(&clean), Ok(clean.clone()));
                prop_assert!(!clean.contains("<script"));
            }
        }

        #[test]
        fn any_text_has_a_plain_form(html in "(<|>|&|;|\"|'|!--|-->|script|/|[a-z]|ä|#x){0,20}") {
            plain(&html);
        }
    }
}
