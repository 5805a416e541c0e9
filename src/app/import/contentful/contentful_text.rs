//! Rich text of Contentful: a tree of nodes in JSON. What is embedded becomes a picture or a link.

use crate::app::import::rich_text::RichBlock;
use crate::app::import::rich_text::RichInline;
use crate::app::import::rich_text::RichMarks;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// An entry or asset that a text refers to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextTarget {
    /// The address, which is rewritten later.
    pub(super) address: String,
    pub(super) title: String,
    /// The alternative text, if it is a picture.
    pub(super) alt: Option<String>,
}

/// The targets of a text: `find` gets `Entry` or `Asset`, and the id.
pub(super) type FindTextTarget<'f> = &'f mut dyn FnMut(&str, &str) -> Option<TextTarget>;

/// Reads a document.
pub(super) fn read_document(document: &Map, find: FindTextTarget<'_>) -> Vec<RichBlock> {
    read_blocks(list_content(document), find)
}

fn list_content(node: &Map) -> &[Json] {
    node.get("content").and_then(Json::as_array).unwrap_or_default()
}

fn read_blocks(nodes: &[Json], find: FindTextTarget<'_>) -> Vec<RichBlock> {
    nodes.iter().filter_map(Json::as_object).filter_map(|it| read_block(it, find)).collect()
}

fn read_block(node: &Map, find: FindTextTarget<'_>) -> Option<RichBlock> {
    let kind = node.get("nodeType").and_then(Json::as_str).unwrap_or_default();
    let content = list_content(node);
    let block = match kind {
        "unordered-list" | "ordered-list" => {
            let items = content.iter().filter_map(Json::as_object);
            let items = items.map(|it| read_blocks(list_content(it), find)).collect();
            RichBlock::List(kind == "ordered-list", items)
        }
        "blockquote" => RichBlock::Quote(read_blocks(content, find)),
        "hr" => RichBlock::Rule,
        "table" => {
            let rows = content.iter().filter_map(Json::as_object);
            let rows = rows.map(|row| {
                let cells = list_content(row).iter().filter_map(Json::as_object);
                cells.map(|it| read_cell(it, find)).collect()
            });
            RichBlock::Table(rows.collect())
        }
        "embedded-asset-block" | "embedded-entry-block" => {
            let target = find_target(node, find)?;
            match target.alt {
                Some(alt) => RichBlock::Picture(alt, target.address),
                None => RichBlock::Paragraph(vec![to_link(target)]),
            }
        }
        heading if heading.starts_with("heading-") => {
            let level = heading.trim_start_matches("heading-").parse().unwrap_or(1);
            RichBlock::Heading(level, read_inlines(content, find))
        }
        _ => RichBlock::Paragraph(read_inlines(content, find)),
    };
    Some(block)
}

/// Reads a cell, whose paragraphs become lines.
fn read_cell(cell: &Map, find: FindTextTarget<'_>) -> Vec<RichInline> {
    let mut inlines = Vec::new();
    for paragraph in list_content(cell).iter().filter_map(Json::as_object) {
        if !inlines.is_empty() {
            inlines.push(RichInline::Text("\n".to_string(), RichMarks::default()));
        }
        inlines.extend(read_inlines(list_content(paragraph), find));
    }
    inlines
}

fn read_inlines(nodes: &[Json], find: FindTextTarget<'_>) -> Vec<RichInline> {
    let mut inlines = Vec::new();
    for node in nodes.iter().filter_map(Json::as_object) {
        let kind = node.get("nodeType").and_then(Json::as_str).unwrap_or_default();
        let content = list_content(node);
        match kind {
            "text" => {
                let text = node.get("value").and_then(Json::as_str).unwrap_or_default();
                inlines.push(RichInline::Text(text.to_string(), read_marks(node)));
            }
            "hyperlink" => {
                let data = node.get("data").and_then(Json::as_object);
                let uri = data.and_then(|it| it.get("uri")?.as_str()).unwrap_or_default();
                inlines.push(RichInline::Link(uri.to_string(), read_inlines(content, find)));
            }
            "entry-hyperlink" | "asset-hyperlink" => match find_target(node, find) {
                Some(target) => {
                    let content = read_inlines(content, find);
                    inlines.push(RichInline::Link(target.address, content));
                }
                None => inlines.extend(read_inlines(content, find)),
            },
            "embedded-entry-inline" => inlines.extend(find_target(node, find).map(to_link)),
            _ => inlines.extend(read_inlines(content, find)),
        }
    }
    inlines
}

fn find_target(node: &Map, find: FindTextTarget<'_>) -> Option<TextTarget> {
    let target = node.get("data")?.as_object()?.get("target")?.as_object()?;
    let sys = target.get("sys")?.as_object()?;
    find(sys.get("linkType")?.as_str()?, sys.get("id")?.as_str()?)
}

fn to_link(target: TextTarget) -> RichInline {
    let title = RichInline::Text(target.title, RichMarks::default());
    RichInline::Link(target.address, vec![title])
}

fn read_marks(node: &Map) -> RichMarks {
    let marks = node.get("marks").and_then(Json::as_array).unwrap_or_default();
    let has = |name: &str| {
        marks.iter().any(|it| it.as_object().and_then(|it| it.get("type")?.as_str()) == Some(name))
    };
    RichMarks {
        bold: has("bold"),
        italic: has("italic"),
        strike: has("strikethrough"),
        code: has("code"),
        underline: has("underline"),
        subscript: has("subscript"),
        superscript: has("superscript"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::import::rich_text::write_markdown;
    use crate::stdx::json::from_text::map;

    #[test]
    fn documents_become_markdown() {
        let text = |it: &str| format!(r#"{{"nodeType":"text","value":"{it}","marks":[]}}"#);
        let node = |kind: &str, content: &str| {
            format!(r#"{{"nodeType":"{kind}","data":{{}},"content":[{content}]}}"#)
        };
        let link = |kind: &str, of: &str, id: &str, content: &str| {
            format!(
                r#"{{"nodeType":"{kind}","data":{{"target":{{"sys":{{"type":"Link",
                "linkType":"{of}","id":"{id}"}}}}}},"content":[{content}]}}"#
            )
        };
        let paragraph = |it: &str| node("paragraph", it);
        let cells = |it: &str| node("table-row", &node("table-cell", &paragraph(&text(it))));
        let parts = [
            node("heading-2", &text("A")),
            paragraph(&format!(
                r#"{{"nodeType":"text","value":"b","marks":[{{"type":"bold"}}]}},{},{}"#,
                link("entry-hyperlink", "Entry", "e1", &text("c")),
                link("entry-hyperlink", "Entry", "gone", &text("d"))
            )),
            node("unordered-list", &node("list-item", &paragraph(&text("e")))),
            node("blockquote", &paragraph(&text("f"))),
            node("hr", ""),
            node("table", &[cells("g"), cells("h")].join(",")),
            link("embedded-asset-block", "Asset", "a1", ""),
            link("embedded-entry-block", "Entry", "e1", ""),
            link("embedded-entry-block", "Entry", "gone", ""),
        ];
        let document = map(&node("document", &parts.join(",")));
        let mut find = |of: &str, id: &str| {
            let alt = (of == "Asset").then(|| "alt".to_string());
            let target = TextTarget { address: format!("x:{id}"), title: "T".to_string(), alt };
            (id != "gone").then_some(target)
        };
        let expect = "## A\n\n**b**[c](x:e1)d\n\n- e\n\n> f\n\n---\n\n| g |\n| --- |\n| h |\n\n\
                      ![alt](x:a1)\n\n[T](x:e1)\n";
        assert_eq!(write_markdown(&read_document(&document, &mut find)), expect);
    }
}
