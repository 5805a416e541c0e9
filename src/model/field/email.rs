//! `email`: an e-mail address.

use serde_json::Value;
use serde_json::json;

use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_text::push_text;
use crate::model::field::value_text::trim_text;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "email",
    about: "An e-mail address.",
    parse: |_| {
        Box::new(AddressField {
            wanted: "an e-mail address",
            problem: "This is not an e-mail address, such as name@example.org.",
            is_valid: is_email,
        })
    },
    settings: || json!({}),
};

/// A text that is valid if it satisfies a condition.
#[derive(Debug)]
pub(super) struct AddressField {
    /// The noun for values of other JSON types: "This is WANTED, not a number."
    pub(super) wanted: &'static str,
    /// The problem of an invalid text.
    pub(super) problem: &'static str,
    pub(super) is_valid: fn(&str) -> bool,
}

impl FieldKind for AddressField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let Some(text) = trim_text(self.wanted, input, check.problems) else { return Json::Null };
        if !(self.is_valid)(text) {
            check.problems.add("", self.problem);
        }
        Json::from(text)
    }

    fn comparison(&self) -> Comparison {
        Comparison::Text
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        push_text(value.as_str().unwrap_or_default(), out);
    }

    fn json_schema(&self, _form: ValueForm) -> Value {
        // No `format`: those of JSON Schema allow ASCII letters only, or no relative addresses.
        json!({ "type": ["string", "null"] })
    }
}

/// Returns true if a text looks like a deliverable address, with at least one dot in the domain.
pub(crate) fn is_email(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(_, domain)| domain.contains('.')) && is_mailbox(text)
}

/// Returns true if a text has the syntax of addresses that browsers accept, with letters of any
/// script. The domain may be a local one, such as `localhost`.
pub(super) fn is_mailbox(text: &str) -> bool {
    let Some((user, domain)) = text.rsplit_once('@') else { return false };
    let user_fits = |c: char| c.is_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
    let dots = !user.starts_with('.') && !user.ends_with('.') && !user.contains("..");
    text.len() <= 254
        && (1..=64).contains(&user.len())
        && user.chars().all(user_fits)
        && dots
        && domain.split('.').all(is_domain_label)
}

/// Returns true if a text is valid as a label of a domain name.
pub(super) fn is_domain_label(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.chars().all(|it| it.is_alphanumeric() || it == '-')
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[super::kind_test::Sample {
    definition: r#"{"type":"email"}"#,
    accepted: &[
        (r#"" Ann.O+x@Example.org ""#, r#""Ann.O+x@Example.org""#),
        (r#""jürgen@bücher.example""#, r#""jürgen@bücher.example""#),
        (r#"" ""#, "null"),
    ],
    refused: &[
        (r#""ann""#, ""),
        (r#""ann@""#, ""),
        (r#""@example.org""#, ""),
        (r#""ann@localhost""#, ""),
        (r#""a b@example.org""#, ""),
        (r#""a@b@example.org""#, ""),
        (r#""a..b@example.org""#, ""),
        (r#""a@-b.org""#, ""),
        (r#""a@b..org""#, ""),
        ("5", ""),
    ],
    shown: &[(r#""ann""#, r#""ann""#)],
    broken: &[],
}];
