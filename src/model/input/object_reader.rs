//! The reader of one JSON object.

use crate::model::input::parsed_body::ParsedBody;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::model::sentence::Sentence;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// Typed access to the members of an object, which collects all problems. Unless a method says
/// otherwise, `null` counts as missing, and a value with a problem is returned as if it were
/// missing.
#[derive(Debug)]
pub struct ObjectReader<'a> {
    map: &'a Map,
    problems: FieldProblems,
}

impl<'a> ObjectReader<'a> {
    /// Creates a reader of an object.
    pub fn new(map: &'a Map) -> ObjectReader<'a> {
        ObjectReader { map, problems: FieldProblems::new() }
    }

    /// Creates a reader of a value, which must be an object.
    pub fn from_json(json: &'a Json) -> Result<ObjectReader<'a>, FieldProblems> {
        let wrong = || FieldProblems::from_problem("", wording::wrong_type(wording::OBJECT, json));
        json.as_object().map(ObjectReader::new).ok_or_else(wrong)
    }

    /// Returns the values read, with the problems.
    pub fn finish<T>(self, values: T) -> ParsedBody<T> {
        ParsedBody { values, problems: self.problems }
    }

    /// Returns the values read if there are no problems.
    pub fn into_result<T>(self, values: T) -> Result<T, FieldProblems> {
        self.problems.into_result(values)
    }

    /// Returns the problems.
    pub fn into_problems(self) -> FieldProblems {
        self.problems
    }

    /// Adds a problem.
    pub fn add_problem(&mut self, path: impl Into<String>, message: impl Into<Sentence>) {
        self.problems.add(path, message);
    }

    /// Adds problems whose paths begin below `path`.
    pub fn add_problems(&mut self, path: &str, found: FieldProblems) {
        self.problems.extend(found.with_prefix(path));
    }

    /// Adds the problem of a value of the wrong type.
    pub fn add_wrong_type(&mut self, path: impl Into<String>, wanted: &str, found: &Json) {
        self.problems.add(path, wording::wrong_type(wanted, found));
    }

    /// Returns `value`, or adds its problems, whose paths begin below `path`.
    pub fn accept_nested<T>(&mut self, path: &str, value: Result<T, FieldProblems>) -> Option<T> {
        value.map_err(|found| self.add_problems(path, found)).ok()
    }

    /// Returns `value`, or adds its error as the problem of `path`.
    pub fn accept<T>(&mut self, path: &str, value: Result<T, impl ToString>) -> Option<T> {
        value.map_err(|error| self.problems.add(path, error.to_string())).ok()
    }

    /// Adds the problem of `path` if its value was found to have one.
    pub fn accept_checked(&mut self, path: &str, checked: Result<(), Sentence>) {
        if let Err(problem) = checked {
            self.problems.add(path, problem);
        }
    }

    /// Returns true if the object contains the key, even with `null`.
    pub fn contains(&self, key: &str) -> bool {
        self.map.contains(key)
    }

    /// Returns the keys and values, including `null`.
    pub fn members(&self) -> impl Iterator<Item = (&'a str, &'a Json)> + use<'a> {
        self.map.iter()
    }

    /// Returns the value of a key, which may be `null`.
    pub fn member(&self, key: &str) -> Option<&'a Json> {
        self.map.get(key)
    }

    /// Returns the value of a key.
    pub fn value(&self, key: &str) -> Option<&'a Json> {
        self.map.get(key).filter(|it| **it != Json::Null)
    }

    /// Adds a problem for each of these keys whose value is `null`.
    pub fn refuse_null(&mut self, keys: &[&str]) {
        for key in keys.iter().filter(|it| self.map.get(it) == Some(&Json::Null)) {
            self.problems.add(*key, wording::NOT_NULL);
        }
    }

    /// Adds a problem for each key that is not `known`.
    pub fn refuse_unknown_keys(&mut self, known: &[&str], message: &str) {
        for (key, _) in self.map.iter().filter(|(key, _)| !known.contains(key)) {
            self.problems.add(key, message);
        }
    }

    /// Returns a string.
    pub fn text(&mut self, key: &str) -> Option<&'a str> {
        let value = self.value(key)?;
        if value.as_str().is_none() {
            self.add_wrong_type(key, wording::STRING, value);
        }
        value.as_str()
    }

    /// Returns a string that clears a value if it is empty; `null` does the same.
    pub fn clearable_text(&mut self, key: &str) -> Option<&'a str> {
        self.text(key).or_else(|| (self.map.get(key)? == &Json::Null).then_some(""))
    }

    /// Returns a required string, which may be empty.
    pub fn required_text(&mut self, key: &str) -> Option<&'a str> {
        if self.value(key).is_none() {
            self.problems.add(key, wording::REQUIRED);
        }
        self.text(key)
    }

    /// Returns a string without white space around it, which clears a value if it is empty.
    pub fn trimmed_text(&mut self, key: &str) -> Option<String> {
        self.clearable_text(key).map(|it| it.trim().to_string())
    }

    /// Returns a required text without white space around it that is not empty.
    pub fn filled_text(&mut self, key: &str) -> String {
        let text = self.text(key).unwrap_or_default().trim();
        if text.is_empty() && self.problems.get(key).is_none() {
            self.problems.add(key, wording::REQUIRED);
        }
        text.to_string()
    }

    /// Returns a required line of at most `chars_max` characters.
    pub fn filled_line(&mut self, key: &str, chars_max: usize) -> String {
        let line = self.filled_text(key);
        self.accept_checked(key, check_line(&line, chars_max));
        line
    }

    /// Returns a line of at most `chars_max` characters without white space around it, which clears
    /// a value if it is empty.
    pub fn line(&mut self, key: &str, chars_max: usize) -> Option<String> {
        let line = self.trimmed_text(key)?;
        self.accept_checked(key, check_line(&line, chars_max));
        Some(line)
    }

    /// Returns a text like [`ObjectReader::line`] that may have several lines.
    pub fn long_text(&mut self, key: &str, chars_max: usize) -> Option<String> {
        let text = self.trimmed_text(key)?;
        self.accept_checked(key, check_text(&text, chars_max));
        Some(text)
    }

    /// Returns a string; any other value counts as an empty one. For logins, which do not say what
    /// is wrong, and for files, of which as much as possible is used.
    pub fn lenient_text(&self, key: &str) -> &'a str {
        self.value(key).and_then(Json::as_str).unwrap_or_default()
    }

    /// Returns the value that a string names; `names` are those allowed.
    pub fn choice<'n, T>(
        &mut self,
        key: &str,
        names: impl IntoIterator<Item = &'n str>,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let value = self.value(key)?;
        let choice = value.as_str().and_then(parse);
        if choice.is_none() {
            self.problems.add(key, wording::not_one_of(names));
        }
        choice
    }

    /// Returns a boolean.
    pub fn flag(&mut self, key: &str) -> Option<bool> {
        let value = self.value(key)?;
        if value.as_bool().is_none() {
            self.add_wrong_type(key, wording::BOOLEAN, value);
        }
        value.as_bool()
    }

    /// Returns true if the value is `true`; any other value counts as `otherwise`.
    pub fn lenient_flag(&self, key: &str, otherwise: bool) -> bool {
        self.value(key).and_then(Json::as_bool).unwrap_or(otherwise)
    }

    /// Returns a number.
    pub fn number(&mut self, key: &str) -> Option<f64> {
        let value = self.value(key)?;
        if !matches!(value, Json::Number(_)) {
            self.add_wrong_type(key, wording::NUMBER, value);
        }
        value.as_f64()
    }

    /// Returns a whole number from 0 to `most`.
    pub fn count(&mut self, key: &str, most: u32) -> Option<u32> {
        self.count_within(key, 0, most)
    }

    /// Returns a whole number from `least` to `most`.
    pub fn count_within(&mut self, key: &str, least: u32, most: u32) -> Option<u32> {
        let value = self.value(key)?;
        let number: Option<u32> = match value {
            Json::Number(number) => number.to_string().parse().ok(),
            _ => None,
        };
        let number = number.filter(|it| (least..=most).contains(it));
        if number.is_none() {
            self.problems.add(key, wording::not_whole_within(least, most));
        }
        number
    }

    /// Returns a time.
    pub fn time(&mut self, key: &str) -> Option<Timestamp> {
        let value = self.value(key)?;
        let time = value.as_str().and_then(Timestamp::parse);
        if time.is_none() {
            self.problems.add(key, wording::NOT_A_TIME);
        }
        time
    }

    /// Returns a time after `now`. An empty value counts as missing.
    pub fn future_time(&mut self, key: &str, now: Timestamp) -> Option<Timestamp> {
        self.value(key).filter(|it| !it.is_empty())?;
        let time = self.time(key)?;
        if time <= now {
            self.problems.add(key, wording::NOT_IN_FUTURE);
        }
        Some(time).filter(|it| *it > now)
    }

    /// Returns true if a value has at most `bytes_max` bytes as JSON; otherwise adds a problem.
    pub fn check_size(&mut self, key: &str, value: &Json, bytes_max: usize) -> bool {
        let mut written = Vec::new();
        value.write_compact(&mut written);
        let fits = written.len() <= bytes_max;
        if !fits {
            self.problems.add(key, wording::too_large(bytes_max));
        }
        fits
    }

    /// Returns an object.
    pub fn object(&mut self, key: &str) -> Option<&'a Map> {
        let value = self.value(key)?;
        if value.as_object().is_none() {
            self.add_wrong_type(key, wording::OBJECT, value);
        }
        value.as_object()
    }

    /// Returns a list of any length.
    pub fn list(&mut self, key: &str) -> Option<&'a [Json]> {
        let value = self.value(key)?;
        if value.as_array().is_none() {
            self.add_wrong_type(key, wording::LIST, value);
        }
        value.as_array()
    }

    /// Returns a list of at most `items_max` items; `items` names them in a message.
    pub fn short_list(&mut self, key: &str, items_max: usize, items: &str) -> Option<&'a [Json]> {
        let list = self.list(key)?;
        if list.len() > items_max {
            self.problems.add(key, wording::too_many(items_max, items));
        }
        Some(list).filter(|it| it.len() <= items_max)
    }

    /// Returns a required list with an item at least and `items_max` at most.
    pub fn filled_list(&mut self, key: &str, items_max: usize, items: &str) -> &'a [Json] {
        let list = self.short_list(key, items_max, items).unwrap_or_default();
        if list.is_empty() && self.problems.get(key).is_none() {
            self.problems.add(key, wording::REQUIRED);
        }
        list
    }

    /// Returns a list of strings. A problem concerns the whole list.
    pub fn texts(&mut self, key: &str) -> Option<Vec<&'a str>> {
        let value = self.value(key)?;
        let items = value.as_array();
        let texts = items.and_then(|it| it.iter().map(Json::as_str).collect());
        if texts.is_none() {
            self.problems.add(key, wording::not_strings(value));
        }
        texts
    }

    /// Parses each item of a list at `path`, which must be a string. Returns the parsed ones with
    /// their places; each problem concerns one item.
    pub fn parse_items<T, E: ToString>(
        &mut self,
        path: &str,
        items: &'a [Json],
        parse: impl Fn(&'a str) -> Result<T, E>,
    ) -> Vec<(usize, T)> {
        let mut parsed = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let message = match item.as_str().map(&parse) {
                Some(Ok(value)) => {
                    parsed.push((place, value));
                    continue;
                }
                Some(Err(error)) => error.to_string(),
                None => wording::wrong_type(wording::STRING, item),
            };
            self.problems.add(format!("{path}[{place}]"), message);
        }
        parsed
    }

    /// Reads some of the members on their own. Returns `None` if they have problems; problems of
    /// other members do not matter.
    pub fn read_apart<T>(&mut self, read: impl FnOnce(&mut ObjectReader<'a>) -> T) -> Option<T> {
        let mut apart = ObjectReader::new(self.map);
        let value = read(&mut apart);
        apart.into_result(value).map_err(|found| self.problems.extend(found)).ok()
    }

    /// Parses an object at `path`; the paths of its problems begin there.
    pub fn parse_nested<T>(
        &mut self,
        path: &str,
        json: &'a Json,
        parse: impl FnOnce(&mut ObjectReader<'a>) -> T,
    ) -> Option<T> {
        let parsed = ObjectReader::from_json(json).and_then(|mut inner| {
            let value = parse(&mut inner);
            // The value is of use only if it has no problems.
            inner.into_result(value)
        });
        self.accept_nested(path, parsed)
    }
}

/// Checks that a text has at most `chars_max` characters.
pub fn check_length(text: &str, chars_max: usize) -> Result<(), Sentence> {
    let fits = text.chars().count() <= chars_max;
    if fits { Ok(()) } else { Err(wording::too_long(chars_max)) }
}

/// Checks a text of at most `chars_max` characters, which may contain line feeds and tabs.
pub(super) fn check_text(text: &str, chars_max: usize) -> Result<(), Sentence> {
    check_length(text, chars_max)?;
    check_control(text, |it| it.is_control() && it != '\n' && it != '\t')
}

/// Checks a line of at most `chars_max` characters.
pub fn check_line(text: &str, chars_max: usize) -> Result<(), Sentence> {
    check_length(text, chars_max)?;
    check_control(text, char::is_control)
}

fn check_control(text: &str, is_control: impl Fn(char) -> bool) -> Result<(), Sentence> {
    let found = text.chars().any(is_control);
    if found { Err(wording::CONTROL_CHARACTERS.into()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    /// Reads with `read` and compares the problems, each as its path and its sentence.
    fn check(text: &str, read: impl FnOnce(&mut ObjectReader<'_>), expect: &[&str]) {
        let body = map(text);
        let mut reader = ObjectReader::new(&body);
        read(&mut reader);
        let found = reader.finish(()).problems;
        let found: Vec<String> = found.iter().map(|(path, it)| format!("{path}: {it}")).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn texts() {
        let read = |it: &mut ObjectReader<'_>| _ = it.filled_line("a", 3);
        check(r#"{"a":" x "}"#, read, &[]);
        for missing in ["{}", r#"{"a":null}"#, r#"{"a":" "}"#] {
            check(missing, read, &["a: This field is required."]);
        }
        check(r#"{"a":7}"#, read, &["a: This must be a string, not a number."]);
        check(r#"{"a":"äöüß"}"#, read, &["a: This must have at most 3 characters."]);
        check(r#"{"a":"a\nb"}"#, read, &["a: This must not contain control characters."]);
        check(r#"{"a":"a\nb"}"#, |it| _ = it.long_text("a", 3), &[]);
        let bell = r#"{"a":"a\u0007"}"#;
        let refused = ["a: This must not contain control characters."];
        check(bell, |it| _ = it.long_text("a", 3), &refused);
        let map = map(r#"{"a":null,"b":""}"#);
        let mut reader = ObjectReader::new(&map);
        let texts = ["a", "b", "c"].map(|key| reader.clearable_text(key));
        assert_eq!(texts, [Some(""), Some(""), None]);
        check(
            r#"{"a":null,"b":1}"#,
            |it| it.refuse_null(&["a", "b"]),
            &["a: This must not be null."],
        );
    }

    #[test]
    fn other_values() {
        check(
            r#"{"a":1}"#,
            |it| _ = it.flag("a"),
            &["a: This must be true or false, not a number."],
        );
        check(
            r#"{"a":[]}"#,
            |it| _ = it.object("a"),
            &["a: This must be an object, not an array."],
        );
        let count = |it: &mut ObjectReader<'_>| _ = it.count("a", 9);
        check(r#"{"a":9}"#, count, &[]);
        for wrong in [r#"{"a":10}"#, r#"{"a":-1}"#, r#"{"a":1.5}"#, r#"{"a":"1"}"#] {
            check(wrong, count, &["a: This must be a whole number from 0 to 9."]);
        }
        let now = Timestamp::parse("2026-05-03").unwrap();
        let time = |it: &mut ObjectReader<'_>| _ = it.future_time("a", now);
        check(r#"{"a":"2026-05-04"}"#, time, &[]);
        check(r#"{"a":""}"#, time, &[]);
        check(r#"{"a":"2026-05-03"}"#, time, &["a: This must be in the future."]);
        check(r#"{"a":1}"#, time, &[&format!("a: {}", wording::NOT_A_TIME)]);
    }

    #[test]
    fn paths_lead_to_the_value() {
        let items = |it: &mut ObjectReader<'_>| {
            let list = it.filled_list("a", 3, "items");
            it.parse_items("a", list, |text| if text == "x" { Ok(()) } else { Err("No.") });
        };
        check(r#"{"a":["x"]}"#, items, &[]);
        check(
            r#"{"a":["x","y",1]}"#,
            items,
            &["a[1]: No.", "a[2]: This must be a string, not a number."],
        );
        check(r#"{"a":[]}"#, items, &["a: This field is required."]);
        check(r#"{"a":[1,1,1,1]}"#, items, &["a: There can be at most 3 items."]);
        let nested = |it: &mut ObjectReader<'_>| {
            let Some(value) = it.value("a") else { return };
            it.parse_nested("a", value, |inner| _ = inner.flag("b"));
        };
        check(r#"{"a":{"b":1}}"#, nested, &["a.b: This must be true or false, not a number."]);
        check(r#"{"a":1}"#, nested, &["a: This must be an object, not a number."]);
    }
}
