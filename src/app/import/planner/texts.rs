//! The texts of an entry at any depth: its links and pictures are rewritten to lead to what they
//! became.

use crate::app::import::links::rewrite_html;
use crate::app::import::links::rewrite_markdown;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The new address of an old one.
type FindAddress<'f> = &'f dyn Fn(&str) -> Option<String>;

/// The new addresses in the two notations of texts.
pub(super) struct TextLinks<'f> {
    pub(super) in_markdown: FindAddress<'f>,
    pub(super) in_html: FindAddress<'f>,
}

impl TextLinks<'_> {
    /// Rewrites the texts in the value of a field with this definition.
    pub(super) fn rewrite_value(&self, definition: &Map, value: &mut Json) {
        let kind = definition.get("type").and_then(Json::as_str).unwrap_or_default();
        match (kind, value) {
            ("markdown", Json::String(text)) => *text = rewrite_markdown(text, self.in_markdown),
            ("html", Json::String(text)) => *text = rewrite_html(text, self.in_html),
            ("object", Json::Object(row)) => {
                if let Some(fields) = definition.get("fields").and_then(Json::as_object) {
                    self.rewrite_members(fields, row);
                }
            }
            ("repeater", Json::Array(rows)) => {
                let subfields = definition.get("subfields").and_then(Json::as_array);
                let keyed = subfields.unwrap_or_default().iter().filter_map(|it| {
                    let name = it.as_object()?.get("key")?.as_str()?;
                    Some((name.to_string(), it.clone()))
                });
                let fields: Map = keyed.collect();
                for row in rows {
                    if let Json::Object(row) = row {
                        self.rewrite_members(&fields, row);
                    }
                }
            }
            ("blocks", Json::Array(rows)) => {
                let types = definition.get("blocks").and_then(Json::as_object);
                for row in rows {
                    let Json::Object(row) = row else { continue };
                    let name = row.get("_type").and_then(Json::as_str).unwrap_or_default();
                    let block = types.and_then(|it| it.get(name)?.as_object());
                    let fields = block.and_then(|it| it.get("fields")?.as_object());
                    if let Some(fields) = fields {
                        self.rewrite_members(fields, row);
                    }
                }
            }
            _ => {}
        }
    }

    fn rewrite_members(&self, fields: &Map, row: &mut Map) {
        for (name, definition) in fields.iter() {
            if let (Some(definition), Some(value)) = (definition.as_object(), row.get_mut(name)) {
                self.rewrite_value(definition, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::json;

    #[test]
    fn texts_at_any_depth_are_rewritten() {
        let definition = json(
            r#"{"type":"blocks","blocks":{"a":{"fields":{"rows":{"type":"repeater","subfields":[
                {"key":"text","type":"markdown"},{"key":"in","type":"object",
                "fields":{"text":{"type":"html"},"plain":{"type":"text"}}}]}}}}}"#,
        );
        let mut value = json(
            r#"[{"_type":"a","rows":[{"text":"![x](/x)","in":{"text":"<img src=\"/x\">",
                "plain":"![x](/x)"}}]},{"_type":"b","rows":[]},3]"#,
        );
        let links = TextLinks {
            in_markdown: &|it| Some(format!("{it}y")),
            in_html: &|it| Some(format!("{it}z")),
        };
        links.rewrite_value(definition.as_object().unwrap(), &mut value);
        let expect = json(
            r#"[{"_type":"a","rows":[{"text":"![x](/xy)","in":{"text":"<img src=\"/xz\">",
                "plain":"![x](/x)"}}]},{"_type":"b","rows":[]},3]"#,
        );
        assert_eq!(value, expect);
    }
}
