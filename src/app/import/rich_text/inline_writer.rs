//! The text of one paragraph, heading or cell as Markdown.

use pulldown_cmark::Event;
use pulldown_cmark::Options;
use pulldown_cmark::Parser;
use pulldown_cmark::Tag;
use pulldown_cmark::TagEnd;

use crate::app::import::rich_text::parts::LineBreaks;
use crate::app::import::rich_text::parts::RichInline;
use crate::app::import::rich_text::parts::RichMarks;

/// The marks in the order in which they open, with their notations in Markdown and in HTML.
const NOTATIONS: &[(MarkKind, &str, &str)] = &[
    (MarkKind::Bold, "**", "strong"),
    (MarkKind::Italic, "*", "em"),
    (MarkKind::Strike, "~~", "del"),
    (MarkKind::Underline, "", "u"),
    (MarkKind::Subscript, "", "sub"),
    (MarkKind::Superscript, "", "sup"),
];

/// A mark that is opened and closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MarkKind {
    Bold,
    Italic,
    Strike,
    Underline,
    Subscript,
    Superscript,
}

impl RichMarks {
    fn has(self, mark: MarkKind) -> bool {
        match mark {
            MarkKind::Bold => self.bold,
            MarkKind::Italic => self.italic,
            MarkKind::Strike => self.strike,
            MarkKind::Underline => self.underline,
            MarkKind::Subscript => self.subscript,
            MarkKind::Superscript => self.superscript,
        }
    }

    /// Returns the marks that both have, for the space between two texts.
    fn intersect(self, other: RichMarks) -> RichMarks {
        RichMarks {
            bold: self.bold && other.bold,
            italic: self.italic && other.italic,
            strike: self.strike && other.strike,
            code: false,
            underline: self.underline && other.underline,
            subscript: self.subscript && other.subscript,
            superscript: self.superscript && other.superscript,
        }
    }
}

/// A letter with the marks that Markdown has, and true if it is in a link.
type MarkedLetter = (char, [bool; 4], bool);

/// Writes the parts of a line. If Markdown cannot say it, the marks are elements of HTML.
pub(super) fn write_inlines(inlines: &[RichInline], breaks: LineBreaks) -> String {
    let plain = InlineWriter { in_html: false, breaks }.write(inlines);
    let plain = escape_begin(plain.trim());
    let mut wanted = Vec::new();
    list_letters(inlines, false, &mut wanted);
    if breaks == LineBreaks::Elements || parse_letters(&plain) == wanted {
        return plain;
    }
    let text = InlineWriter { in_html: true, breaks }.write(inlines);
    escape_begin(text.trim())
}

struct InlineWriter {
    /// True if marks are written as elements of HTML.
    in_html: bool,
    breaks: LineBreaks,
}

impl InlineWriter {
    fn write(&self, inlines: &[RichInline]) -> String {
        let pieces = split_spaces(inlines);
        let mut out = String::new();
        let mut open: Vec<MarkKind> = Vec::new();
        for piece in &pieces {
            match piece {
                RichInline::Text(text, marks) => {
                    self.change_marks(&mut open, *marks, &mut out);
                    match marks.code && !text.trim().is_empty() {
                        true => out.push_str(&write_code(text)),
                        false => self.push_text(text, &mut out),
                    }
                }
                RichInline::Link(address, content) => {
                    self.change_marks(&mut open, RichMarks::default(), &mut out);
                    let content = self.write(content);
                    let content = content.trim();
                    let content = if content.is_empty() { "\\#" } else { content };
                    out.push_str(&format!("[{content}]({})", write_address(address)));
                }
            }
        }
        self.change_marks(&mut open, RichMarks::default(), &mut out);
        out
    }

    /// Closes the marks that end, and opens those that begin.
    fn change_marks(&self, open: &mut Vec<MarkKind>, marks: RichMarks, out: &mut String) {
        let stays = open.iter().take_while(|it| marks.has(**it)).count();
        while open.len() > stays {
            let Some(mark) = open.pop() else { break };
            self.push_mark(mark, true, out);
        }
        for (mark, ..) in NOTATIONS.iter().filter(|(it, ..)| marks.has(*it)) {
            if !open.contains(mark) {
                open.push(*mark);
                self.push_mark(*mark, false, out);
            }
        }
    }

    fn push_mark(&self, mark: MarkKind, is_end: bool, out: &mut String) {
        let Some((_, sign, element)) = NOTATIONS.iter().find(|(it, ..)| *it == mark) else {
            return;
        };
        match (sign.is_empty() || self.in_html, is_end) {
            (false, _) => out.push_str(sign),
            (true, false) => out.push_str(&format!("<{element}>")),
            (true, true) => out.push_str(&format!("</{element}>")),
        }
    }

    fn push_text(&self, text: &str, out: &mut String) {
        let text = text.replace('\r', "");
        let mut letters = text.chars().peekable();
        let mut before = out.chars().last();
        while let Some(letter) = letters.next() {
            let next = letters.peek().copied();
            let is_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
            match letter {
                '\n' => out.push_str(match self.breaks {
                    LineBreaks::Kept => "\\\n",
                    LineBreaks::Spaces => " ",
                    LineBreaks::Elements => "<br>",
                }),
                '\u{2028}' | '\t' => out.push(' '),
                '_' if is_word(before) && is_word(next) => out.push('_'),
                '<' if !next.is_some_and(|it| it.is_alphabetic() || "/!?".contains(it)) => {
                    out.push('<');
                }
                '&' if !next.is_some_and(|it| it.is_alphanumeric() || it == '#') => out.push('&'),
                '|' if self.breaks != LineBreaks::Elements => out.push('|'),
                '~' if before != Some('~') && next != Some('~') => out.push('~'),
                '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '|' | '~' => {
                    out.push('\\');
                    out.push(letter);
                }
                letter => out.push(letter),
            }
            before = Some(letter);
        }
    }
}

/// Escapes the beginning of lines that would be a heading, a list or a quotation.
fn escape_begin(text: &str) -> String {
    let escape = |line: &str| {
        let trimmed = line.trim_start();
        let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        let after = trimmed.get(digits..).unwrap_or_default();
        if digits > 0 && digits < 10 && after.starts_with(['.', ')']) {
            let number = trimmed.get(..digits).unwrap_or_default();
            return format!("{number}\\{after}");
        }
        match trimmed.starts_with(['#', '>', '-', '+', '=']) {
            true => format!("\\{trimmed}"),
            false => trimmed.to_string(),
        }
    };
    text.split('\n').map(escape).collect::<Vec<_>>().join("\n")
}

/// Returns code between as many backticks as it needs.
fn write_code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Makes the spaces around marked texts texts of their own, since marks cannot begin or end there.
fn split_spaces(inlines: &[RichInline]) -> Vec<RichInline> {
    let mut pieces = Vec::new();
    for inline in inlines {
        let RichInline::Text(text, marks) = inline else {
            pieces.push(inline.clone());
            continue;
        };
        let core = text.trim();
        let start = text.len() - text.trim_start().len();
        let (lead, rest) = text.split_at(start);
        let trail = rest.get(core.len()..).unwrap_or_default();
        for (part, marks) in [(lead, None), (core, Some(*marks)), (trail, None)] {
            if !part.is_empty() {
                let marks = marks.unwrap_or_default();
                pieces.push(RichInline::Text(part.to_string(), marks));
            }
        }
    }
    let marks_at = |index: Option<usize>| match index.and_then(|it| pieces.get(it)) {
        Some(RichInline::Text(_, marks)) => *marks,
        _ => RichMarks::default(),
    };
    let is_space = |it: &RichInline| match it {
        RichInline::Text(text, _) => text.trim().is_empty(),
        RichInline::Link(..) => false,
    };
    let near = |index: usize| {
        let before = (0..index).rev().find(|it| pieces.get(*it).is_some_and(|it| !is_space(it)));
        let after =
            (index..pieces.len()).find(|it| pieces.get(*it).is_some_and(|it| !is_space(it)));
        marks_at(before).intersect(marks_at(after))
    };
    let settle = |(index, piece): (usize, &RichInline)| match piece {
        RichInline::Text(text, _) if is_space(piece) => RichInline::Text(text.clone(), near(index)),
        piece => piece.clone(),
    };
    pieces.iter().enumerate().map(settle).collect()
}

/// Lists the letters of a text, without spaces.
fn list_letters(inlines: &[RichInline], in_link: bool, out: &mut Vec<MarkedLetter>) {
    for inline in inlines {
        match inline {
            RichInline::Text(text, marks) => {
                let marks = [marks.bold, marks.italic, marks.strike, marks.code];
                let letters = text.chars().filter(|it| !it.is_whitespace());
                out.extend(letters.map(|it| (it, marks, in_link)));
            }
            RichInline::Link(_, content) => {
                let begun = out.len();
                list_letters(content, true, out);
                if out.len() == begun {
                    out.push(('#', [false; 4], true));
                }
            }
        }
    }
}

/// Lists the letters that a reader of Markdown sees, without spaces.
fn parse_letters(markdown: &str) -> Vec<MarkedLetter> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let (mut depths, mut links, mut out) = ([0_usize; 3], 0_usize, Vec::new());
    let mut push = |text: &str, depths: &[usize; 3], code: bool, in_link: bool| {
        let [bold, italic, strike] = depths.map(|it| it > 0);
        let letters = text.chars().filter(|it| !it.is_whitespace());
        out.extend(letters.map(|it| (it, [bold, italic, strike, code], in_link)));
    };
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Strong) => depths[0] += 1,
            Event::Start(Tag::Emphasis) => depths[1] += 1,
            Event::Start(Tag::Strikethrough) => depths[2] += 1,
            Event::Start(Tag::Link { .. }) => links += 1,
            Event::End(TagEnd::Strong) => depths[0] = depths[0].saturating_sub(1),
            Event::End(TagEnd::Emphasis) => depths[1] = depths[1].saturating_sub(1),
            Event::End(TagEnd::Strikethrough) => depths[2] = depths[2].saturating_sub(1),
            Event::End(TagEnd::Link) => links = links.saturating_sub(1),
            Event::Text(text) => push(&text, &depths, false, links > 0),
            Event::Code(text) => push(&text, &depths, true, links > 0),
            // Anything else is not part of one line of text.
            Event::Start(Tag::Paragraph)
            | Event::End(TagEnd::Paragraph)
            | Event::InlineHtml(_)
            | Event::SoftBreak
            | Event::HardBreak => {}
            _ => push("\u{fffd}", &depths, false, false),
        }
    }
    out
}

/// Writes the address of a link or a picture.
pub(super) fn write_address(address: &str) -> String {
    let plain = |it: char| !it.is_whitespace() && !it.is_control() && !"()<>\\".contains(it);
    if address.chars().all(plain) && !address.is_empty() {
        return address.to_string();
    }
    let mut text = "<".to_string();
    for letter in address.trim().chars() {
        match letter {
            '<' => text.push_str("%3C"),
            '>' => text.push_str("%3E"),
            '\\' => text.push_str("%5C"),
            it if it.is_control() => {}
            it => text.push(it),
        }
    }
    text.push('>');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str, marks: &str) -> RichInline {
        let has = |it| marks.contains(it);
        let marks = RichMarks {
            bold: has('b'),
            italic: has('i'),
            strike: has('s'),
            code: has('c'),
            underline: has('u'),
            subscript: false,
            superscript: has('^'),
        };
        RichInline::Text(text.to_string(), marks)
    }

    #[test]
    fn marks_and_links_become_markdown() {
        let check = |inlines: &[RichInline], expect: &str| {
            assert_eq!(write_inlines(inlines, LineBreaks::Kept), expect);
        };
        check(&[text("a ", ""), text("b ", "b"), text("c", "")], "a **b** c");
        check(&[text("a ", "b"), text("b", "bi"), text("c", "")], "**a *b***c");
        check(&[text("a", "b"), text("b", "i")], "**a***b*");
        check(&[text("a", "u"), text("2", "^")], "<u>a</u><sup>2</sup>");
        check(&[text("x`y", "c"), text("z", "s")], "``x`y``~~z~~");
        check(&[text("a\nb", "")], "a\\\nb");
        let link = RichInline::Link("/a b".to_string(), vec![text("to ", ""), text("b", "b")]);
        check(&[link, text(".", "")], "[to **b**](</a b>).");
        check(&[RichInline::Link("/a".to_string(), Vec::new())], "[\\#](/a)");
        // A mark that cannot end before a letter.
        check(&[text("(a)", "b"), text("b", "")], "<strong>(a)</strong>b");
    }

    #[test]
    fn text_stays_text() {
        let texts = [
            "a*b*c",
            "_a_",
            "a_b_c",
            "[a](b)",
            "![a]",
            "<b>a</b>",
            "a < b & c",
            "&amp; &#35;",
            "1. a",
            "12) b",
            "# a",
            "- a",
            "+ a",
            "> a",
            "=== a",
            "a\n# b\n- c",
            "`a`",
            "\\*",
            "~~a~~",
            "[ ] a",
            "[^1]",
            "a | b",
            "---",
            "***",
            "http://x.org/a_b*c",
            "    a",
            "10.5 kg",
        ];
        for plain in texts {
            let inlines = [text(plain, "")];
            let written = write_inlines(&inlines, LineBreaks::Kept);
            let mut wanted = Vec::new();
            list_letters(&inlines, false, &mut wanted);
            assert_eq!(parse_letters(&written), wanted, "{plain:?} → {written:?}");
        }
    }

    #[test]
    fn addresses_stay_in_their_brackets() {
        let check = |address: &str, expect: &str| assert_eq!(write_address(address), expect);
        check("https://x.org/a?b=c", "https://x.org/a?b=c");
        check("a b", "<a b>");
        check("a(b)", "<a(b)>");
        check("a>b\n<c", "<a%3Eb%3Cc>");
        check("", "<>");
    }
}
