//! Sentences for people. One with parameters keeps the template that it was made of, so that
//! programs can say the same in another language.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde_json::Map;
use serde_json::Value;

/// A sentence for people, in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    text: String,
    template: Option<Box<SentenceTemplate>>,
}

/// The template of a sentence, with the values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentenceTemplate {
    /// The sentence with the names of the parameters in braces.
    text: &'static str,
    /// The values by name.
    params: Map<String, Value>,
}

impl Sentence {
    /// Creates a sentence of a template, whose braces hold nothing but the names of the parameters.
    /// `sentence!` calls this.
    pub fn from_template<const N: usize>(
        text: &'static str,
        params: [(&str, Value); N],
    ) -> Sentence {
        let params = params.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        let template = SentenceTemplate { text, params };
        Sentence { text: template.fill_in(), template: Some(Box::new(template)) }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the template, if the sentence has parameters.
    pub fn template(&self) -> Option<&SentenceTemplate> {
        self.template.as_deref()
    }

    /// Puts a sentence together again.
    pub fn from_parts(text: String, template: Option<Box<SentenceTemplate>>) -> Sentence {
        Sentence { text, template }
    }

    /// Returns the text and the template.
    pub fn into_parts(self) -> (String, Option<Box<SentenceTemplate>>) {
        (self.text, self.template)
    }
}

impl SentenceTemplate {
    fn fill_in(&self) -> String {
        let mut pieces = self.text.split('{');
        let mut filled = pieces.next().unwrap_or_default().to_string();
        for piece in pieces {
            let (name, rest) = piece.split_once('}').unwrap_or((piece, ""));
            match self.params.get(name) {
                Some(Value::String(text)) => filled.push_str(text),
                Some(Value::Number(number)) if number.is_f64() => {
                    // As Rust writes it: `2`, where JSON has `2.0`.
                    filled.push_str(&number.as_f64().unwrap_or_default().to_string());
                }
                Some(other) => filled.push_str(&other.to_string()),
                None => {}
            }
            filled.push_str(rest);
        }
        filled
    }
}

/// Creates a [`Sentence`] of a template and the values of its parameters: `name = value`, or the
/// name alone for a variable of that name.
macro_rules! sentence {
    ($text:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $crate::model::sentence::Sentence::from_template(
            $text,
            [$((
                stringify!($name),
                serde_json::Value::from($crate::model::sentence::sentence!(@value $name $($value)?)),
            )),+],
        )
    };
    (@value $name:ident) => { $name };
    (@value $name:ident $value:expr) => { $value };
}

pub(crate) use sentence;

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Sentence {
        Sentence { text, template: None }
    }
}

impl From<&String> for Sentence {
    fn from(text: &String) -> Sentence {
        Sentence::from(text.clone())
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Sentence {
        Sentence::from(text.to_string())
    }
}

impl From<Cow<'_, str>> for Sentence {
    fn from(text: Cow<'_, str>) -> Sentence {
        Sentence::from(text.into_owned())
    }
}

/// The text alone.
impl From<Sentence> for String {
    fn from(sentence: Sentence) -> String {
        sentence.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_in() {
        let made = sentence!("There is no {kind} `{name}`.", kind = "entry", name = "{kind}");
        assert_eq!(made.as_str(), "There is no entry `{kind}`.");
        let measured = sentence!("From {least} to {most}.", least = 2.0, most = 0.5);
        assert_eq!(measured.as_str(), "From 2 to 0.5.");
        let counted = sentence!("There can be at most {count} files.", count = 20_usize);
        assert_eq!(counted.to_string(), "There can be at most 20 files.");
        assert_eq!(
            serde_json::to_string(&counted.template()).unwrap(),
            r#"{"text":"There can be at most {count} files.","params":{"count":20}}"#
        );
    }

    #[test]
    fn other_sentences_have_no_template() {
        assert_eq!(Sentence::from("This field is required.").template(), None);
    }
}
