//! JSON values that keep the order of keys, reject duplicate keys and report the position of
//! errors.
//!
//! Used for everything that users write (entries, schemas, requests). Responses with a fixed shape
//! are serialized from structs instead.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
pub use serde_json::Number;

use crate::stdx::checksum::{Checksum, ChecksumBuilder};

/// The maximum nesting depth of arrays and objects.
pub const DEPTH_MAX: usize = 64;

/// The maximum number of keys in an object.
pub const KEYS_MAX: usize = 10_000;

/// The approximate memory usage in bytes of a value that is read from the fewest bytes of text: an
/// array within an array, or an object with one member.
pub const VALUE_BYTES: u64 = 128;

/// A JSON value. Objects keep the order in which keys were written.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer that fits 64 bits, or a float
    Number(Number),
    /// Text
    String(String),
    /// Values in order
    Array(Vec<Json>),
    /// Members in order, keys unique
    Object(Map),
}

/// The members of an object in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map(Vec<(String, Json)>);

/// The reason why a text is not acceptable JSON, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line}, column {column}")]
pub struct JsonError {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1, in bytes.
    pub column: u32,
    /// The description without the position.
    pub message: String,
    /// True if the text is well formed but repeats a key.
    pub duplicate_key: bool,
    /// True if the text has more values than allowed; the rest was not read.
    pub too_many_values: bool,
}

impl Json {
    /// Parses a JSON document with a depth of at most [`DEPTH_MAX`] and without duplicate keys.
    pub fn parse(bytes: &[u8]) -> Result<Json, JsonError> {
        Json::parse_within(bytes, usize::MAX)
    }

    /// Like [`Json::parse`], with at most `values_max` values. Arrays and objects count as well as
    /// everything in them.
    pub fn parse_within(bytes: &[u8], values_max: usize) -> Result<Json, JsonError> {
        let values = ValueCounter { read: Cell::new(0), most: values_max };
        // Valid UTF-8 is parsed faster. Invalid text is left to the parser, which reports the
        // position.
        match std::str::from_utf8(bytes) {
            Ok(text) => parse_value(serde_json::Deserializer::from_str(text), &values),
            Err(_) => parse_value(serde_json::Deserializer::from_slice(bytes), &values),
        }
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Json::String(text) = self { Some(text) } else { None }
    }

    /// Returns the number as a float.
    pub fn as_f64(&self) -> Option<f64> {
        if let Json::Number(number) = self { number.as_f64() } else { None }
    }

    /// Returns the value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Json::Bool(value) = self { Some(*value) } else { None }
    }

    /// Returns the items of an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        if let Json::Array(items) = self { Some(items) } else { None }
    }

    /// Returns the members of an object.
    pub fn as_object(&self) -> Option<&Map> {
        if let Json::Object(map) = self { Some(map) } else { None }
    }

    /// Returns true for `null`, `""`, `[]` and `{}`, which count as missing where a value is
    /// required.
    pub fn is_empty(&self) -> bool {
        match self {
            Json::Null => true,
            Json::String(text) => text.is_empty(),
            Json::Array(items) => items.is_empty(),
            Json::Object(map) => map.is_empty(),
            Json::Bool(_) | Json::Number(_) => false,
        }
    }

    /// Returns the kind of the value for messages: `a string`, `an object`…
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }

    /// Returns a checksum of the value, which does not depend on white space or escapes in the
    /// text.
    pub fn compute_checksum(&self) -> Checksum {
        let mut summer = ChecksumBuilder::new();
        self.add_to_checksum(&mut summer);
        summer.finish()
    }

    fn add_to_checksum(&self, summer: &mut ChecksumBuilder) {
        match self {
            Json::Null => _ = summer.add_part(b"n"),
            Json::Bool(value) => _ = summer.add_part(if *value { b"t" } else { b"f" }),
            Json::Number(number) => {
                let mut text = Vec::new();
                write_number(number, &mut text);
                summer.add_part(b"#").add_part(&text);
            }
            Json::String(text) => _ = summer.add_part(b"s").add_part(text.as_bytes()),
            Json::Array(items) => {
                summer.add_part(b"a").add_number(items.len() as u64);
                items.iter().for_each(|it| it.add_to_checksum(summer));
            }
            Json::Object(map) => {
                summer.add_part(b"o").add_number(map.len() as u64);
                for (key, value) in map.iter() {
                    summer.add_part(key.as_bytes());
                    value.add_to_checksum(summer);
                }
            }
        }
    }
}

/// Appends a number.
pub(super) fn write_number(number: &Number, out: &mut Vec<u8>) {
    // A `Number` is always finite, and writing into memory cannot fail.
    let _ = serde_json::to_writer(out, number);
}

impl Map {
    /// Creates an object without members.
    pub const fn new() -> Map {
        Map(Vec::new())
    }

    /// Returns the value of `key`.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Returns a mutable reference to the value of `key`.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        self.0.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Returns true if there is a member `key`.
    pub fn contains(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Sets `key`, in its current position or at the end if it is new.
    pub fn set(&mut self, key: &str, value: Json) {
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, place)) => *place = value,
            None => self.0.push((key.to_string(), value)),
        }
    }

    /// Appends a member. The caller ensures that the key is new.
    pub fn push(&mut self, key: impl Into<String>, value: impl Into<Json>) {
        self.0.push((key.into(), value.into()));
    }

    /// Removes a member and keeps the order of the others.
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        let index = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(index).1)
    }

    /// Returns the members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// Returns mutable references to the values in order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Json> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for Map {
    type Item = (String, Json);
    type IntoIter = std::vec::IntoIter<(String, Json)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<(String, Json)> for Map {
    /// Creates an object. The caller ensures that the keys are unique.
    fn from_iter<I: IntoIterator<Item = (String, Json)>>(members: I) -> Map {
        Map(members.into_iter().collect())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::String(text.to_string())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::String(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Json {
        Json::Number(value.into())
    }
}

/// Nothing is `null`.
impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

impl From<Map> for Json {
    fn from(map: Map) -> Json {
        Json::Object(map)
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Json>) -> Json {
        Json::Array(items)
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Json {
        match value {
            serde_json::Value::Null => Json::Null,
            serde_json::Value::Bool(value) => Json::Bool(value),
            serde_json::Value::Number(number) => Json::Number(number),
            serde_json::Value::String(text) => Json::String(text),
            serde_json::Value::Array(items) => {
                Json::Array(items.into_iter().map(Json::from).collect())
            }
            serde_json::Value::Object(map) => {
                Json::Object(map.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
        }
    }
}

impl From<&Json> for serde_json::Value {
    fn from(value: &Json) -> serde_json::Value {
        match value {
            Json::Null => serde_json::Value::Null,
            Json::Bool(value) => (*value).into(),
            Json::Number(number) => number.clone().into(),
            Json::String(text) => text.as_str().into(),
            Json::Array(items) => items.iter().map(serde_json::Value::from).collect(),
            Json::Object(map) => {
                let members = map.iter();
                members.map(|(key, value)| (key.to_string(), Self::from(value))).collect()
            }
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(number) => number.serialize(serializer),
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => serializer.collect_seq(items),
            Json::Object(map) => map.serialize(serializer),
        }
    }
}

impl Serialize for Map {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self.iter() {
            out.serialize_entry(key, value)?;
        }
        out.end()
    }
}

/// The prefix that identifies a duplicate key among serde's errors, which only carry text.
const DUPLICATE: &str = "duplicate key ";

/// The prefix that identifies too many values.
const TOO_MANY: &str = "more values than ";

fn parse_value<'de, R: serde_json::de::Read<'de>>(
    mut reader: serde_json::Deserializer<R>,
    values: &ValueCounter,
) -> Result<Json, JsonError> {
    let value = JsonSeed { depth: 0, values }.deserialize(&mut reader);
    value.and_then(|value| reader.end().map(|()| value)).map_err(JsonError::from)
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> JsonError {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        JsonError {
            line: u32::try_from(error.line()).unwrap_or(u32::MAX).max(1),
            column: u32::try_from(error.column()).unwrap_or(u32::MAX).max(1),
            message: describe_syntax(message).to_string(),
            duplicate_key: error.is_data() && message.starts_with(DUPLICATE),
            too_many_values: error.is_data() && message.starts_with(TOO_MANY),
        }
    }
}

/// Returns in plain words what the parser says in terms of its own.
fn describe_syntax(message: &str) -> &str {
    match message {
        "expected ident" => "expected `null`, `true` or `false`",
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => "invalid escape",
        message if message.starts_with("EOF while") => "the text ends too early",
        message => message,
    }
}

/// The number of values read so far, and the maximum.
struct ValueCounter {
    read: Cell<usize>,
    most: usize,
}

struct JsonSeed<'v> {
    depth: usize,
    values: &'v ValueCounter,
}

impl JsonSeed<'_> {
    fn enter_level<E: de::Error>(&self) -> Result<Self, E> {
        if self.depth >= DEPTH_MAX {
            return Err(E::custom(format_args!("nested more than {DEPTH_MAX} levels deep")));
        }
        Ok(JsonSeed { depth: self.depth + 1, values: self.values })
    }
}

impl<'de> DeserializeSeed<'de> for JsonSeed<'_> {
    type Value = Json;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        let ValueCounter { read, most } = self.values;
        if read.get() >= *most {
            return Err(de::Error::custom(format_args!("{TOO_MANY}{most}")));
        }
        read.set(read.get() + 1);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonSeed<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
        Number::from_f64(value)
            .map(Json::Number)
            .ok_or_else(|| E::custom("a number that is not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_string()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.enter_level()?)? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Members::default();
        while let Some(key) = map.next_key::<String>()? {
            members.admit_key(&key)?;
            let value = map.next_value_seed(self.enter_level()?)?;
            members.list.push((key, value));
        }
        Ok(Json::Object(Map(members.list)))
    }
}

/// The members read so far. Small objects are searched, large ones index their keys.
#[derive(Default)]
struct Members {
    list: Vec<(String, Json)>,
    seen: HashSet<String>,
}

impl Members {
    const SEARCHED_MAX: usize = 24;

    fn admit_key<E: de::Error>(&mut self, key: &str) -> Result<(), E> {
        if self.list.len() >= KEYS_MAX {
            return Err(E::custom(format_args!("more than {KEYS_MAX} keys in one object")));
        }
        if self.list.len() == Self::SEARCHED_MAX {
            self.seen.extend(self.list.iter().map(|(key, _)| key.clone()));
        }
        let duplicate = if self.list.len() < Self::SEARCHED_MAX {
            self.list.iter().any(|(known, _)| known == key)
        } else {
            !self.seen.insert(key.to_string())
        };
        if duplicate { Err(E::custom(format_args!("{DUPLICATE}`{key}`"))) } else { Ok(()) }
    }
}

/// Values for tests, from their text.
#[cfg(test)]
pub(crate) mod from_text {
    use super::*;

    pub(crate) fn json(text: &str) -> Json {
        Json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    pub(crate) fn map(text: &str) -> Map {
        json(text).as_object().unwrap_or_else(|| panic!("{text}")).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) {
        let mut out = Vec::new();
        Json::parse(text.as_bytes()).unwrap().write_compact(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }

    fn refused(text: &str, line: u32, column: u32, message: &str) -> JsonError {
        let error = Json::parse(text.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{error}");
        assert!(error.message.contains(message), "{error}");
        error
    }

    /// Parsing to the nearest float, and not only near it, keeps what a file says.
    #[test]
    fn floats_keep_their_last_digit() {
        for text in ["31.245270191439438", "0.3", "1.7976931348623157e308", "121.48791951161945"] {
            let parsed = Json::parse(text.as_bytes()).unwrap();
            assert_eq!(parsed.as_f64(), text.parse().ok(), "{text}");
            assert_eq!(serde_json::to_string(&parsed).unwrap().parse(), text.parse::<f64>());
        }
    }

    #[test]
    fn keeps_order_numbers_and_text() {
        round_trip(r#"{"z":1,"a":[1.5,-2,true,null],"m":{"ü":"\n\"\\"}}"#);
        round_trip("12345678901234567890");
    }

    #[test]
    fn says_where_text_is_wrong() {
        assert!(refused("{\n  \"a\": 1,\n  \"a\": 2\n}", 3, 5, "duplicate key `a`").duplicate_key);
        assert!(!refused("{\n  \"a\": }", 2, 8, "expected value").duplicate_key);
        refused("", 1, 1, "the text ends too early");
        refused("[\"a", 1, 3, "the text ends too early");
        refused("nope", 1, 2, "expected `null`, `true` or `false`");
        refused("\"\\ud800\"", 1, 8, "invalid escape");
        refused("{} x", 1, 4, "trailing");
        let many: String = (0..40).map(|n| format!("\"k{n}\":0,")).collect();
        assert!(refused(&format!("{{{many}\"k7\":1}}"), 1, 315, "`k7`").duplicate_key);
    }

    #[test]
    fn depth_is_limited() {
        let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(Json::parse(deep(DEPTH_MAX).as_bytes()).is_ok());
        assert!(Json::parse(deep(DEPTH_MAX + 1).as_bytes()).is_err());
        assert!(Json::parse(deep(100_000).as_bytes()).is_err());
    }

    #[test]
    fn values_are_counted_while_they_are_read() {
        let check = |text: &str, values: usize| {
            assert!(Json::parse_within(text.as_bytes(), values).is_ok(), "{text}");
            let error = Json::parse_within(text.as_bytes(), values - 1).unwrap_err();
            assert!(error.too_many_values && !error.duplicate_key, "{text}: {error}");
            assert!(error.message.ends_with(&format!(" {}", values - 1)), "{error}");
        };
        check("1", 1);
        check("[]", 1);
        check("[[],[],[]]", 4);
        check(r#"{"a":{"b":[1,"x",null]},"c":true}"#, 7);
        assert!(!Json::parse_within(b"[1", 9).unwrap_err().too_many_values);
    }

    #[test]
    fn sums_ignore_spelling_but_not_structure() {
        let sum = |text: &str| Json::parse(text.as_bytes()).unwrap().compute_checksum();
        assert_eq!(sum("{ \"a\" : \"\\u0041\" }"), sum("{\"a\":\"A\"}"));
        assert_ne!(sum("[[],1]"), sum("[[1]]"));
        assert_ne!(sum("\"1\""), sum("1"));
    }
}
