//! The texts of an entry at any depth: its links and pictures are rewritten to lead to what they
//! became.

use crate::app::import::links::rewrite_html;
use crate::app::import::links::rewrite_markdown;
use crate::model::field::visit_parts;
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
        visit_parts(definition, value, &mut |definition, part| {
            let Json::String(text) = part else { return };
            match definition.get("type").and_then(Json::as_str) {
                Some("markdown") => *text = rewrite_markdown(text, self.in_markdown),
                Some("html") => *text = rewrite_html(text, self.in_html),
                _ => {}
            }
        });
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
