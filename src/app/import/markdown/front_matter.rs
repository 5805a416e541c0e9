//! Front matter: the values at the head of a text, in YAML, TOML or JSON.

use std::collections::BTreeMap;

use crate::app::import::yaml::YamlDocument;
use crate::app::import::yaml::parse_document;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The largest front matter.
const HEAD_BYTES_MAX: usize = 1024 * 1024;

/// The most values of front matter in JSON.
const VALUES_MAX: usize = 100_000;

/// A text with the values at its head.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FrontMatter {
    /// The values.
    pub(super) values: Map,
    /// The texts of numbers and booleans as they are written, by key, where that is known.
    written: BTreeMap<String, String>,
    /// The text below them.
    pub(super) text: String,
}

/// A defect: the line in the file, and a sentence.
pub(super) type HeadDefect = (u64, String);

impl FrontMatter {
    /// Parses a file.
    pub(super) fn parse(text: &str) -> Result<FrontMatter, HeadDefect> {
        if text.trim_start().starts_with('{') {
            return parse_json_head(text);
        }
        let first = text.lines().next().unwrap_or_default().trim_end();
        let (fence, notation) = match first {
            "---" | "---yaml" | "--- yaml" => ("---", "yaml"),
            "---json" | "--- json" => ("---", "json"),
            "---toml" | "--- toml" => ("---", "toml"),
            "+++" => ("+++", "toml"),
            _ => return Ok(FrontMatter::without_values(text)),
        };
        let rest = text.split_once('\n').map(|(_, rest)| rest).unwrap_or_default();
        let (head, body) = split_head(rest, fence)
            .ok_or_else(|| (1, format!("The front matter has no closing `{fence}`.")))?;
        if head.len() > HEAD_BYTES_MAX {
            return Err((1, "The front matter has more than 1 MiB.".to_string()));
        }
        let parsed = match notation {
            "yaml" => parse_document(head),
            "toml" => parse_toml(head).map(wrap_value),
            _ => parse_json(head).map(wrap_value),
        };
        let parsed = parsed.map_err(|(line, message)| (line + 1, message))?;
        let values = match parsed.value {
            Json::Object(values) => values,
            Json::Null => Map::new(),
            _ => return Err((1, "The front matter must have keys and values.".to_string())),
        };
        let text = body.trim_start_matches(['\n', '\r']).to_string();
        Ok(FrontMatter { values, written: parsed.written, text })
    }

    fn without_values(text: &str) -> FrontMatter {
        FrontMatter { text: text.to_string(), ..FrontMatter::default() }
    }

    /// Returns the value of a key as text: numbers and booleans as they are written.
    pub(super) fn scalar_text(&self, key: &str) -> Option<String> {
        let written = self.written.get(key).cloned();
        match self.values.get(key)? {
            Json::String(text) => Some(text.clone()),
            Json::Number(number) => Some(written.unwrap_or_else(|| number.to_string())),
            Json::Bool(value) => Some(written.unwrap_or_else(|| value.to_string())),
            Json::Null | Json::Array(_) | Json::Object(_) => None,
        }
    }
}

fn wrap_value(value: Json) -> YamlDocument {
    YamlDocument { value, ..YamlDocument::default() }
}

/// Splits a text at the line with a fence.
fn split_head<'t>(text: &'t str, fence: &str) -> Option<(&'t str, &'t str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == fence || fence == "---" && line.trim_end() == "..." {
            return Some((text.get(..at)?, text.get(at + line.len()..)?));
        }
        at += line.len();
    }
    None
}

/// Parses an object at the head of a text, which ends where its brace is closed.
fn parse_json_head(text: &str) -> Result<FrontMatter, HeadDefect> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    match values.next() {
        Some(Ok(serde_json::Value::Object(_))) => {}
        // A text that begins with a brace, as a shortcode does.
        _ => return Ok(FrontMatter::without_values(text)),
    }
    let (head, body) = text.split_at_checked(values.byte_offset()).unwrap_or((text, ""));
    match parse_json(head)? {
        Json::Object(values) => {
            let text = body.trim_start().to_string();
            Ok(FrontMatter { values, text, ..FrontMatter::default() })
        }
        _ => Ok(FrontMatter::without_values(text)),
    }
}

fn parse_json(text: &str) -> Result<Json, HeadDefect> {
    Json::parse_within(text.as_bytes(), VALUES_MAX)
        .map_err(|error| (u64::from(error.line), format!("This is not JSON: {}.", error.message)))
}

fn parse_toml(text: &str) -> Result<Json, HeadDefect> {
    let table: toml::Table = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |it| it.start);
        let line = text.bytes().take(at).filter(|it| *it == b'\n').count() as u64 + 1;
        let message = error.message().lines().next().unwrap_or_default().to_string();
        (line, format!("This is not TOML: {message}."))
    })?;
    Ok(convert_toml(toml::Value::Table(table)))
}

fn convert_toml(value: toml::Value) -> Json {
    match value {
        toml::Value::String(text) => Json::String(text),
        toml::Value::Integer(number) => Json::from(number),
        toml::Value::Float(number) => {
            serde_json::Number::from_f64(number).map(Json::Number).unwrap_or_default()
        }
        toml::Value::Boolean(value) => Json::Bool(value),
        toml::Value::Datetime(time) => Json::String(time.to_string()),
        toml::Value::Array(items) => Json::Array(items.into_iter().map(convert_toml).collect()),
        toml::Value::Table(table) => {
            Json::Object(table.into_iter().map(|(key, it)| (key, convert_toml(it))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_in_every_notation() {
        let check = |text: &str, values: &str, body: &str| {
            let found = FrontMatter::parse(text).unwrap();
            let mut bytes = Vec::new();
            Json::Object(found.values).write_compact(&mut bytes);
            assert_eq!(
                (String::from_utf8(bytes).unwrap().as_str(), found.text.as_str()),
                (values, body)
            );
        };
        check("---\ntitle: a\n---\n\ntext\n", r#"{"title":"a"}"#, "text\n");
        check("---\r\ntitle: a\r\n---\r\ntext", r#"{"title":"a"}"#, "text");
        check(
            "+++\ntitle = \"a\"\ndate = 2026-05-03\n+++\ntext",
            r#"{"date":"2026-05-03","title":"a"}"#,
            "text",
        );
        check("{\n\"title\": \"a\"\n}\n\ntext", r#"{"title":"a"}"#, "text");
        check("---json\n{\"title\":\"a\"}\n---\ntext", r#"{"title":"a"}"#, "text");
        check("{{< figure >}}\ntext", "{}", "{{< figure >}}\ntext");
        check("text\n---\nmore", "{}", "text\n---\nmore");
        check("---\n---\n", "{}", "");
    }

    #[test]
    fn scalars_are_texts_as_they_are_written() {
        let check = |text: &str, expect: Option<&str>| {
            let found = FrontMatter::parse(text).unwrap().scalar_text("a");
            assert_eq!(found.as_deref(), expect, "{text}");
        };
        check("---\na: 1.50\n---\n", Some("1.50"));
        check("---\na: True\n---\n", Some("True"));
        check("---\na: \"x\"\n---\n", Some("x"));
        check("+++\na = 1984\n+++\n", Some("1984"));
        check("{\"a\":true}", Some("true"));
        check("---\na: [1]\n---\n", None);
        check("---\na:\n---\n", None);
        check("---\nb: 1\n---\n", None);
    }

    #[test]
    fn defects_have_their_line() {
        let check = |text: &str, line: u64| {
            assert_eq!(FrontMatter::parse(text).unwrap_err().0, line, "{text}");
        };
        check("---\ntitle: a\n", 1);
        check("---\na: 1\na: 2\n---\n", 3);
        check("+++\na = 1\nb = \n+++\n", 3);
        check("---\n- a\n---\n", 1);
    }
}
