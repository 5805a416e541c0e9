//! `color`: a colour in hexadecimal.

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_text::trim_text;
use crate::model::sentence::sentence;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "color",
    about: "A colour like #ff8800.",
    parse: |definition| Box::new(ColorField::parse(definition)),
    settings: || {
        json!({
            "alpha": { "type": "boolean", "description": "True if the colour may be translucent, \
                                                          such as #ff880080." },
        })
    },
};

#[derive(Debug)]
struct ColorField {
    alpha: bool,
}

impl ColorField {
    fn parse(definition: &mut FieldDefinition<'_>) -> ColorField {
        ColorField { alpha: definition.get_flag("alpha", false) }
    }

    fn is_color(&self, text: &str) -> bool {
        let Some(digits) = text.strip_prefix('#') else { return false };
        let length = matches!(digits.len(), 3 | 6) || self.alpha && digits.len() == 8;
        length && digits.bytes().all(|it| it.is_ascii_hexdigit())
    }
}

impl FieldKind for ColorField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let Some(text) = trim_text("a colour like #ff8800", input, check.problems) else {
            return Json::Null;
        };
        if !self.is_color(text) {
            let forms = if self.alpha { "#f80, #ff8800 or #ff880080" } else { "#f80 or #ff8800" };
            check.problems.add("", sentence!("This is not a colour, such as {forms}.", forms));
        }
        Json::String(text.to_ascii_lowercase())
    }

    fn comparison(&self) -> Comparison {
        Comparison::Text
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let mut schema = json!({ "type": ["string", "null"] });
        if form == ValueForm::Stored {
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
