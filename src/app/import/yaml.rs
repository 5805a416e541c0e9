//! YAML as JSON. Aliases are copied, within a limit: a few lines of YAML can stand for gigabytes.

use std::collections::BTreeMap;
use std::collections::HashMap;

use saphyr_parser::Event;
use saphyr_parser::Parser;
use saphyr_parser::ScalarStyle;

use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The most values of a document, with those that aliases repeat.
const VALUES_MAX: usize = 100_000;

/// The deepest nesting of a document.
const DEPTH_MAX: usize = 64;

/// A defect of a document: the line, and a sentence.
pub(super) type YamlDefect = (u64, String);

/// A document.
#[derive(Debug, Default)]
pub(super) struct YamlDocument {
    /// The value.
    pub(super) value: Json,
    /// The texts of the numbers and booleans of the outermost mapping as they are written, by key.
    pub(super) written: BTreeMap<String, String>,
}

/// A list or mapping that is not complete.
struct OpenNode {
    anchor: usize,
    value: Json,
    /// The key of the value that comes next, in a mapping.
    key: Option<String>,
}

/// The document while it is read.
#[derive(Default)]
struct YamlBuilder {
    open: Vec<OpenNode>,
    anchors: HashMap<usize, (Json, usize)>,
    n_values: usize,
    written: BTreeMap<String, String>,
    result: Option<Json>,
}

/// Parses the first document of a text.
pub(super) fn parse_yaml(text: &str) -> Result<Json, YamlDefect> {
    parse_document(text).map(|it| it.value)
}

/// Parses the first document of a text, and keeps how its scalars are written.
pub(super) fn parse_document(text: &str) -> Result<YamlDocument, YamlDefect> {
    let mut builder = YamlBuilder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            (error.marker().line() as u64, format!("This is not YAML: {}.", error.info()))
        })?;
        let line = span.start.line() as u64;
        let with_line = |message: String| (line, message);
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let value = match style {
                    ScalarStyle::Plain => resolve_plain(&text),
                    _ => Json::String(text.to_string()),
                };
                builder.note_written(&text, &value);
                builder.add_value(anchor, value, 1).map_err(with_line)?;
            }
            Event::SequenceStart(anchor, _) => {
                builder.begin(anchor, Json::Array(Vec::new())).map_err(with_line)?;
            }
            Event::MappingStart(anchor, _) => {
                builder.begin(anchor, Json::Object(Map::new())).map_err(with_line)?;
            }
            Event::SequenceEnd | Event::MappingEnd => builder.end().map_err(with_line)?,
            Event::Alias(anchor) => builder.add_alias(anchor).map_err(with_line)?,
            Event::DocumentEnd => break,
            _ => {}
        }
    }
    Ok(YamlDocument { value: builder.result.unwrap_or_default(), written: builder.written })
}

impl YamlBuilder {
    fn begin(&mut self, anchor: usize, value: Json) -> Result<(), String> {
        if self.open.len() >= DEPTH_MAX {
            return Err(format!("This is nested more than {DEPTH_MAX} levels deep."));
        }
        self.open.push(OpenNode { anchor, value, key: None });
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        let Some(node) = self.open.pop() else { return Ok(()) };
        self.add_value(node.anchor, node.value, 1)
    }

    fn add_alias(&mut self, anchor: usize) -> Result<(), String> {
        let known = self.anchors.get(&anchor).cloned();
        let (value, n_values) = known.ok_or("An alias stands within its own anchor.")?;
        self.add_value(0, value, n_values)
    }

    /// Takes note of how a number or a boolean is written, if it is a value of the outermost
    /// mapping.
    fn note_written(&mut self, text: &str, value: &Json) {
        if let [node] = self.open.as_slice()
            && let Some(key) = &node.key
            && matches!(value, Json::Number(_) | Json::Bool(_))
        {
            self.written.insert(key.clone(), text.to_string());
        }
    }

    /// Adds a value to the node that is open. `n_values` is how many values it stands for.
    fn add_value(&mut self, anchor: usize, value: Json, n_values: usize) -> Result<(), String> {
        self.n_values = self.n_values.saturating_add(n_values);
        if self.n_values > VALUES_MAX {
            return Err(format!("This has more than {VALUES_MAX} values."));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, (value.clone(), count_values(&value)));
        }
        let Some(node) = self.open.last_mut() else {
            self.result.get_or_insert(value);
            return Ok(());
        };
        match (&mut node.value, node.key.take()) {
            (Json::Array(items), _) => items.push(value),
            (Json::Object(map), Some(key)) if key == "<<" => merge(map, value)?,
            (Json::Object(map), Some(key)) => {
                if map.contains(&key) {
                    return Err(format!("The key `{key}` occurs twice."));
                }
                map.push(key, value);
            }
            (_, None) => node.key = Some(key_text(value)?),
            _ => {}
        }
        Ok(())
    }
}

/// Adds the members of a mapping that `<<` names, unless they are there.
fn merge(map: &mut Map, value: Json) -> Result<(), String> {
    match value {
        Json::Object(others) => {
            for (key, value) in others {
                if !map.contains(&key) {
                    map.push(key, value);
                }
            }
            Ok(())
        }
        Json::Array(items) => items.into_iter().try_for_each(|it| merge(map, it)),
        _ => Err("The value of `<<` must be a mapping.".to_string()),
    }
}

fn key_text(value: Json) -> Result<String, String> {
    match value {
        Json::String(text) => Ok(text),
        Json::Number(number) => Ok(number.to_string()),
        Json::Bool(value) => Ok(value.to_string()),
        Json::Null => Ok("null".to_string()),
        Json::Array(_) | Json::Object(_) => Err("A key must be a text.".to_string()),
    }
}

fn count_values(value: &Json) -> usize {
    match value {
        Json::Array(items) => 1 + items.iter().map(count_values).sum::<usize>(),
        Json::Object(map) => 1 + map.iter().map(|(_, it)| count_values(it)).sum::<usize>(),
        _ => 1,
    }
}

/// Returns the value of a text without quotation marks, by the core schema of YAML 1.2.
fn resolve_plain(text: &str) -> Json {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Json::Null,
        "true" | "True" | "TRUE" => return Json::Bool(true),
        "false" | "False" | "FALSE" => return Json::Bool(false),
        _ => {}
    }
    let is_number = text.bytes().all(|it| it.is_ascii_digit() || b"+-.eE".contains(&it))
        && text.bytes().any(|it| it.is_ascii_digit());
    if is_number {
        if let Ok(number) = text.parse::<i64>() {
            return Json::from(number);
        }
        // JSON has whole numbers to this limit.
        if let Ok(number) = text.parse::<u64>() {
            return Json::Number(number.into());
        }
        let number = text.parse::<f64>().ok().and_then(serde_json::Number::from_f64);
        if let Some(number) = number {
            return Json::Number(number);
        }
    }
    let radix = |prefix: &str, radix| {
        let digits = text.strip_prefix(prefix)?;
        // Only the prefix may stand before the digits.
        u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))
    };
    match radix("0x", 16).or_else(|| radix("0o", 8)) {
        Some(number) => Json::Number(number.into()),
        None => Json::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_become_json() {
        let check = |text: &str, expect: &str| {
            let mut bytes = Vec::new();
            parse_yaml(text).unwrap().write_compact(&mut bytes);
            assert_eq!(String::from_utf8(bytes).unwrap(), expect, "{text}");
        };
        check("", "null");
        check("a: 1\nb: [x, 2.5, true, ~]", r#"{"a":1,"b":["x",2.5,true,null]}"#);
        check("a: \"1\"\nb: 'true'\nc: 2026-05-03", r#"{"a":"1","b":"true","c":"2026-05-03"}"#);
        check("a: |\n  x\n  y\nb: >\n  x\n  y", r#"{"a":"x\ny\n","b":"x y\n"}"#);
        check(
            "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2",
            r#"{"a":{"b":1},"c":{"b":1},"d":{"b":1,"e":2}}"#,
        );
        check("0x1f: 0o17", r#"{"0x1f":15}"#.replace("0x1f", "31").as_str());
        check(
            "[9223372036854775808, 18446744073709551615, -9223372036854775808]",
            "[9223372036854775808,18446744073709551615,-9223372036854775808]",
        );
        check("[0xffffffffffffffff, 0x+1]", r#"[18446744073709551615,"0x+1"]"#);
        check("a: .inf\nb: 1.2.3", r#"{"a":".inf","b":"1.2.3"}"#);
    }

    #[test]
    fn scalars_are_kept_as_they_are_written() {
        let found = parse_document("a: 1.50\nb: True\nc: x\nd: {e: 1.50}\nf: [007]\ng: 007");
        let expect = [("a", "1.50"), ("b", "True"), ("g", "007")];
        let expect = expect.map(|(key, text)| (key.to_string(), text.to_string()));
        assert_eq!(found.unwrap().written, BTreeMap::from(expect));
    }

    #[test]
    fn hostile_documents_are_refused() {
        let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_string();
        for level in 1..12 {
            let before = level - 1;
            let items = vec![format!("*a{before}"); 10].join(",");
            bomb.push_str(&format!("a{level}: &a{level} [{items}]\n"));
        }
        assert!(parse_yaml(&bomb).unwrap_err().1.contains("values"));
        assert!(parse_yaml(&"[".repeat(10_000)).is_err());
        assert!(parse_yaml("a: &x [*x]").is_err());
        assert!(parse_yaml("a: 1\na: 2").unwrap_err().1.contains("twice"));
        assert!(parse_yaml("a: [").is_err());
        assert!(parse_yaml("a: 1\nb: \"x\ny: 2\n").unwrap_err().0 > 0);
    }
}
