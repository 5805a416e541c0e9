//! Texts of the block editor of Strapi: lists of nodes in JSON.

use crate::app::import::rich_text::RichBlock;
use crate::app::import::rich_text::RichInline;
use crate::app::import::rich_text::RichMarks;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Reads the nodes of a text.
pub(super) fn read_blocks(nodes: &[Json]) -> Vec<RichBlock> {
    nodes.iter().filter_map(Json::as_object).filter_map(read_block).collect()
}

fn read_block(node: &Map) -> Option<RichBlock> {
    let text = |key: &str| node.get(key).and_then(Json::as_str);
    let children = node.get("children").and_then(Json::as_array).unwrap_or_default();
    let block = match text("type")? {
        "heading" => {
            let level = node.get("level").and_then(Json::as_f64).unwrap_or(1.0);
            RichBlock::Heading(level as usize, read_inlines(children))
        }
        "list" => read_list(node, children),
        "quote" => RichBlock::Quote(vec![RichBlock::Paragraph(read_inlines(children))]),
        "code" => {
            let lines = read_inlines(children).into_iter().filter_map(|it| match it {
                RichInline::Text(text, _) => Some(text),
                RichInline::Link(..) => None,
            });
            RichBlock::Code(text("language").unwrap_or_default().to_string(), lines.collect())
        }
        "image" => {
            let image = node.get("image")?.as_object()?;
            let alt = image.get("alternativeText").and_then(Json::as_str).unwrap_or_default();
            RichBlock::Picture(alt.to_string(), image.get("url")?.as_str()?.to_string())
        }
        _ => RichBlock::Paragraph(read_inlines(children)),
    };
    Some(block)
}

/// Reads a list. Lists within it are its children, beside the items that they belong to.
fn read_list(node: &Map, children: &[Json]) -> RichBlock {
    let mut items: Vec<Vec<RichBlock>> = Vec::new();
    for child in children.iter().filter_map(Json::as_object) {
        let inner = child.get("children").and_then(Json::as_array).unwrap_or_default();
        if child.get("type").and_then(Json::as_str) == Some("list") {
            let list = read_list(child, inner);
            match items.last_mut() {
                Some(item) => item.push(list),
                None => items.push(vec![list]),
            }
        } else {
            items.push(vec![RichBlock::Paragraph(read_inlines(inner))]);
        }
    }
    RichBlock::List(node.get("format").and_then(Json::as_str) == Some("ordered"), items)
}

fn read_inlines(nodes: &[Json]) -> Vec<RichInline> {
    let read = |node: &Map| {
        let text = |key: &str| node.get(key).and_then(Json::as_str);
        if text("type") == Some("link") {
            let children = node.get("children").and_then(Json::as_array).unwrap_or_default();
            let address = text("url").unwrap_or_default().to_string();
            return Some(RichInline::Link(address, read_inlines(children)));
        }
        let has = |key: &str| node.get(key).and_then(Json::as_bool) == Some(true);
        let marks = RichMarks {
            bold: has("bold"),
            italic: has("italic"),
            strike: has("strikethrough"),
            code: has("code"),
            underline: has("underline"),
            ..RichMarks::default()
        };
        Some(RichInline::Text(text("text")?.to_string(), marks))
    };
    nodes.iter().filter_map(Json::as_object).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::import::rich_text::write_markdown;
    use crate::stdx::json::from_text::json;

    #[test]
    fn texts_become_markdown() {
        let nodes = json(
            r#"[{"type":"heading","level":2,"children":[{"type":"text","text":"A"}]},
            {"type":"paragraph","children":[{"type":"text","text":"b ","bold":true},
            {"type":"link","url":"https://x.org/","children":[{"type":"text","text":"c"}]}]},
            {"type":"list","format":"unordered","children":[
            {"type":"list-item","children":[{"type":"text","text":"d"}]},
            {"type":"list","format":"ordered","children":[
            {"type":"list-item","children":[{"type":"text","text":"e"}]}]}]},
            {"type":"quote","children":[{"type":"text","text":"f\ng"}]},
            {"type":"code","language":"js","children":[{"type":"text","text":"h()\ni()"}]},
            {"type":"image","image":{"url":"/uploads/a.png","alternativeText":"j"},"children":[]},
            {"type":"paragraph","children":[{"type":"text","text":""}]}]"#,
        );
        let expect = "## A\n\n**b** [c](https://x.org/)\n\n- d\n  1. e\n\n> f\\\n> g\n\n\
                      ```js\nh()\ni()\n```\n\n![j](/uploads/a.png)\n";
        assert_eq!(write_markdown(&read_blocks(nodes.as_array().unwrap())), expect);
    }
}
