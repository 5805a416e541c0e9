//! `color`: a colour in hexadecimal.

use serde_json::Value;
use serde_json::json;

use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::field::trimmed;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "color",
    about: "A colour like #ff8800.",
    parse: |definition| Box::new(Color::parse(definition)),
    settings: || {
        json!({
            "alpha": { "type": "boolean", "description": "Whether it may be translucent: #ff880080." },
        })
    },
};

#[derive(Debug)]
struct Color {
    alpha: bool,
}

impl Color {
    fn parse(definition: &mut Definition<'_>) -> Color {
        Color { alpha: definition.flag("alpha", false) }
    }

    fn fits(&self, text: &str) -> bool {
        let Some(digits) = text.strip_prefix('#') else { return false };
        let length = matches!(digits.len(), 3 | 6) || self.alpha && digits.len() == 8;
        length && digits.bytes().all(|it| it.is_ascii_hexdigit())
    }
}

impl FieldKind for Color {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, _world: &dyn World, problems: &mut FieldProblems) -> Json {
        let Some(text) = trimmed("a colour like #ff8800", input, problems) else {
            return Json::Null;
        };
        if !self.fits(text) {
            let forms = if self.alpha { "#f80, #ff8800 or #ff880080" } else { "#f80 or #ff8800" };
            problems.add("", format!("This is a colour like {forms}."));
        }
        Json::String(text.to_ascii_lowercase())
    }

    fn comparison(&self) -> Comparison {
        Comparison::Text
    }

    fn json_schema(&self, face: Face) -> Value {
        let mut schema = json!({ "type": ["string", "null"] });
        if face == Face::Stored {
            let alpha = if self.alpha { "|[0-9A-Fa-f]{8}" } else { "" };
            schema["pattern"] = format!("^(#([0-9A-Fa-f]{{3}}|[0-9A-Fa-f]{{6}}{alpha}))?$").into();
        }
        schema
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"color"}"#,
        accepted: &[
            (r##"" #FFF ""##, r##""#fff""##),
            (r##""#Ff8800""##, r##""#ff8800""##),
            (r#"" ""#, "null"),
        ],
        refused: &[
            (r#""red""#, ""),
            (r##""#ff880080""##, ""),
            (r##""#ffff""##, ""),
            (r##""#ggg""##, ""),
            (r##""#äa""##, ""),
            ("5", ""),
        ],
        shown: &[(r#""red""#, r#""red""#)],
        broken: &[(r#"{"alpha":"yes"}"#, "alpha")],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"color","alpha":true}"#,
        accepted: &[(r##""#FF880080""##, r##""#ff880080""##)],
        refused: &[(r##""#ffff""##, "")],
        shown: &[],
        broken: &[],
    },
];
