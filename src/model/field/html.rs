//! `html`: formatted text, sanitized on writing.

use serde_json::Value;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::TextLimits;
use crate::model::field::text::accept_text;
use crate::model::field::text::text_schema;
use crate::model::field::value_context::InputCheck;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "html",
    about: "Formatted text in HTML. Scripts, styles and event handlers are removed on writing.",
    parse: |definition| Box::new(HtmlField::parse(definition)),
    settings: TextLimits::settings_schema,
};

#[derive(Debug)]
struct HtmlField {
    lengths: TextLimits,
}

impl HtmlField {
    fn parse(definition: &mut FieldDefinition<'_>) -> HtmlField {
        HtmlField { lengths: TextLimits::parse(definition) }
    }
}

impl FieldKind for HtmlField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let mut refused = None;
        let accepted = accept_text(input, &self.lengths, check.problems, |text| {
            check.context.clean_html(text).unwrap_or_else(|reason| {
                refused = Some(reason);
                String::new()
            })
        });
        refused.into_iter().for_each(|reason| check.problems.add("", reason));
        accepted
    }

    /// Markup that would be removed on writing is not a defect, so the slow search for it is
    /// skipped.
    fn check_stored(&self, stored: &Json, problems: &mut FieldProblems) -> Json {
        accept_text(stored, &self.lengths, problems, str::to_string)
    }

    fn comparison(&self) -> Comparison {
        Comparison::LongText
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        let Some(html) = value.as_str().filter(|it| !it.is_empty()) else { return };
        if !out.is_empty() {
            out.push('\n');
        }
        push_plain(html, out);
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        text_schema(&self.lengths, form)
    }
}

/// Tags within words; all others separate words.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "code", "del", "em", "i", "ins", "mark", "q", "s", "small",
    "span", "strong", "sub", "sup", "u", "wbr",
];

/// Appends the text between the tags. Also handles markup that was written into the file by hand.
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
            out.push('<'); // not a tag, as in `a < b`
            rest = markup;
            continue;
        }
        if !INLINE.contains(&element.as_str()) {
            out.push(' ');
        }
        rest = skip_tag(markup);
        if element == name && matches!(name, "script" | "style") {
            let end = rest.find("</").map_or("", |at| rest.get(at..).unwrap_or_default());
            rest = end;
        }
    }
    push_decoded(rest, out);
}

/// Returns the text after the `>` that ends a tag; quoted attributes may contain others.
fn skip_tag(markup: &str) -> &str {
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

/// Appends a text and decodes the entities that the sanitizer and editors write.
fn push_decoded(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let entity = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        match entity.and_then(|(name, rest)| Some((decode_entity(name)?, rest))) {
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

fn decode_entity(entity: &str) -> Option<char> {
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

    proptest! {
        #[test]
        fn any_text_has_a_plain_form(html in "(<|>|&|;|\"|'|!--|-->|script|/|[a-z]|ä|#x){0,20}") {
            plain(&html);
        }
    }
}
