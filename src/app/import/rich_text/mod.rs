//! Formatted text of other systems, and its Markdown. Markdown says less than such texts can, so
//! what is written is parsed again: if it does not say the same, the marks become HTML.

mod inline_writer;
mod parts;

use crate::app::import::rich_text::inline_writer::write_address;
use crate::app::import::rich_text::inline_writer::write_inlines;
use crate::app::import::rich_text::parts::LineBreaks;
pub(super) use crate::app::import::rich_text::parts::RichBlock;
pub(super) use crate::app::import::rich_text::parts::RichInline;
pub(super) use crate::app::import::rich_text::parts::RichMarks;

/// Writes a formatted text as Markdown.
pub(super) fn write_markdown(blocks: &[RichBlock]) -> String {
    let mut text = block_lines(blocks).join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Returns the lines of blocks, with an empty line between two of them.
fn block_lines(blocks: &[RichBlock]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut before: Option<&RichBlock> = None;
    for block in blocks {
        let own = lines_of(block);
        if own.is_empty() {
            continue;
        }
        if let Some(before) = before {
            lines.push(String::new());
            // Two lists of one kind would be one list.
            if let (RichBlock::List(a, _), RichBlock::List(b, _)) = (before, block)
                && a == b
            {
                lines.extend(["<!-- -->".to_string(), String::new()]);
            }
        }
        lines.extend(own);
        before = Some(block);
    }
    lines
}

fn lines_of(block: &RichBlock) -> Vec<String> {
    let split = |text: String| text.split('\n').map(str::to_string).collect::<Vec<_>>();
    match block {
        RichBlock::Paragraph(inlines) => match write_inlines(inlines, LineBreaks::Kept) {
            text if text.is_empty() => Vec::new(),
            text => split(text),
        },
        RichBlock::Heading(level, inlines) => {
            let text = write_inlines(inlines, LineBreaks::Spaces);
            vec![format!("{} {text}", "#".repeat((*level).clamp(1, 6)))]
        }
        RichBlock::List(is_numbered, items) => list_lines(*is_numbered, items),
        RichBlock::Quote(blocks) => {
            let lines = block_lines(blocks).into_iter();
            lines.map(|it| format!("> {it}").trim_end().to_string()).collect()
        }
        RichBlock::Code(language, code) => {
            let longest = code.split(|it| it != '`').map(str::len).max().unwrap_or_default();
            let fence = "`".repeat(longest.max(2) + 1);
            let language: String = language
                .chars()
                .filter(|it| it.is_alphanumeric() || "+-#.".contains(*it))
                .collect();
            let mut lines = vec![format!("{fence}{language}")];
            lines.extend(split(code.trim_end_matches('\n').replace('\r', "")));
            lines.push(fence);
            lines
        }
        RichBlock::Rule => vec!["---".to_string()],
        RichBlock::Picture(alt, address) => {
            let alt = [RichInline::Text(alt.clone(), RichMarks::default())];
            let alt = write_inlines(&alt, LineBreaks::Spaces);
            vec![format!("![{alt}]({})", write_address(address))]
        }
        RichBlock::Table(rows) => table_lines(rows),
    }
}

fn list_lines(is_numbered: bool, items: &[Vec<RichBlock>]) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let marker = if is_numbered { format!("{}. ", index + 1) } else { "- ".to_string() };
        // A list right below the text of its item belongs to it without an empty line.
        let is_tight = matches!(
            item.as_slice(),
            [RichBlock::Paragraph(_)] | [RichBlock::Paragraph(_), RichBlock::List(..)]
        );
        let inner = match (is_tight, item.as_slice()) {
            (true, [first, rest @ ..]) => [lines_of(first), block_lines(rest)].concat(),
            _ => block_lines(item),
        };
        let indent = " ".repeat(marker.len());
        for (number, line) in inner.iter().enumerate() {
            let lead = if number == 0 { &marker } else { &indent };
            lines.push(format!("{lead}{line}").trim_end().to_string());
        }
        if inner.is_empty() {
            lines.push(marker.trim_end().to_string());
        }
    }
    lines
}

fn table_lines(rows: &[Vec<Vec<RichInline>>]) -> Vec<String> {
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    if width == 0 {
        return Vec::new();
    }
    let line = |row: &[Vec<RichInline>]| {
        let cells = (0..width).map(|it| {
            let cell = row.get(it).map(Vec::as_slice).unwrap_or_default();
            write_inlines(cell, LineBreaks::Elements)
        });
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    let mut lines: Vec<String> = rows.iter().map(|it| line(it)).collect();
    lines.insert(1, format!("|{}", " --- |".repeat(width)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> RichInline {
        RichInline::Text(text.to_string(), RichMarks::default())
    }

    fn paragraph(content: &str) -> RichBlock {
        RichBlock::Paragraph(vec![text(content)])
    }

    #[test]
    fn blocks_become_lines() {
        let check = |blocks: &[RichBlock], expect: &str| {
            assert_eq!(write_markdown(blocks), expect);
        };
        check(&[], "");
        check(&[paragraph("a"), paragraph(""), paragraph("b")], "a\n\nb\n");
        check(&[RichBlock::Heading(2, vec![text("a\nb")]), RichBlock::Rule], "## a b\n\n---\n");
        check(&[RichBlock::Quote(vec![paragraph("a"), paragraph("b")])], "> a\n>\n> b\n");
        check(&[RichBlock::Code("js".into(), "a\n```\n".into())], "````js\na\n```\n````\n");
        check(&[RichBlock::Picture("a]".into(), "/a b.png".into())], "![a\\]](</a b.png>)\n");
        let inner = RichBlock::List(true, vec![vec![paragraph("b")], vec![paragraph("c")]]);
        let list = RichBlock::List(false, vec![vec![paragraph("a"), inner], vec![paragraph("d")]]);
        check(std::slice::from_ref(&list), "- a\n  1. b\n  2. c\n- d\n");
        let other = RichBlock::List(false, vec![vec![paragraph("e")]]);
        check(&[list, other], "- a\n  1. b\n  2. c\n- d\n\n<!-- -->\n\n- e\n");
        let cell = |it: &str| vec![text(it)];
        check(
            &[RichBlock::Table(vec![vec![cell("a|b"), cell("c")], vec![cell("d\ne")]])],
            "| a\\|b | c |\n| --- | --- |\n| d<br>e |  |\n",
        );
    }
}
