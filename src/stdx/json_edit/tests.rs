//! Tests of edits of texts in many styles.

use proptest::collection::vec;
use proptest::prelude::*;

use super::order_as_written;
use super::rewrite_in_order;
use super::rewrite_json;
use super::slots::is_same;
use super::spans::find_children;
use super::spans::trimmed_range;
use super::style::iter_parts;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json::from_text::json;

fn edited(source: &str, value: &Json) -> String {
    let out = String::from_utf8(rewrite_json(source.as_bytes(), value)).unwrap();
    let read = json(out.trim_start_matches('\u{feff}'));
    assert!(is_same(&read, value), "{source}\n→\n{out}");
    if let Ok(old) = Json::parse(source.trim_start_matches('\u{feff}').as_bytes()) {
        assert_eq!(read, order_as_written(&old, value), "{source}\n→\n{out}");
    }
    out
}

fn check(source: &str, value: &str, expect: &str) {
    assert_eq!(edited(source, &json(value)), expect, "{source}");
}

#[test]
fn the_order_of_keys_is_kept_or_followed() {
    let check = |source: &str, value: &str, expect: &str| {
        let out = rewrite_in_order(source.as_bytes(), &json(value));
        assert_eq!(String::from_utf8(out).unwrap(), expect, "{source}");
        check(source, value, source);
    };
    check(r#"{"a":1, "b":2}"#, r#"{"b":2,"a":1}"#, r#"{"b":2, "a":1}"#);
    check(
        "{\n  \"a\": {\"x\": 1},\n  \"b\": 2\n}\n",
        r#"{"b":2,"a":{"x":1}}"#,
        "{\n  \"b\": 2,\n  \"a\": {\"x\": 1}\n}\n",
    );
    check(
        r#"{"list":[{"a":1,"b":2}]}"#,
        r#"{"list":[{"b":2,"a":1}]}"#,
        r#"{"list":[{"b":2,"a":1}]}"#,
    );
}

/// Returns the number of removed and added lines in a diff with one hunk.
fn count_hunk_lines(old: &str, new: &str) -> (usize, usize) {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[front..], &new[front..]);
    let back = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    (old.len() - back, new.len() - back)
}

const CANONICAL: &str = r#"{
  "title": "How to cook pasta",
  "slug": "how-to-cook-pasta",
  "status": "draft",
  "data": {
"category": "launch",
"price": 1.50,
"hero_image": [
  "hero.png",
  "side.png"
],
"rows": [
  {
    "key": "a",
    "value": 1
  },
  {
    "key": "b",
    "value": 2
  }
],
"empty": {}
  }
}
"#;

const BY_HAND: &str = "\u{feff}{\r\n\t\"title\" : \"K\\u00e4se\",\r\n\r\n\t\"data\" : { \"n\" : 1.50, \
    \"tags\" : [ \"a\", \"b\" ] },\r\n\t\"extra\" : [1, 2,\r\n\t\t3, 4],\r\n\t\"rows\" : [ {\r\n\t\t\"k\" : 1\r\n\t}, \
    {\r\n\t\t\"k\" : 2\r\n\t} ]\r\n}";

const COMMA_FIRST: &str = "{ \"a\": 1\n, \"b\": [1, 2]\n, \"c\": {\"x\": 1e2}\n}\n";

const MINIFIED: &str = r#"{"a":1,"b":[1,2],"c":{"x":1e2,"y":{}}}"#;

/// Returns the value of `text` with the value at a path changed.
fn with_value(text: &str, path: &str, value: &str) -> Json {
    fn change(json: &mut Json, path: &str, value: Json) {
        let (step, rest) = path.split_once('.').unwrap_or((path, ""));
        let place = match json {
            Json::Object(map) => {
                let mut all: Vec<_> = std::mem::take(map).into_iter().collect();
                let at = all.iter().position(|(key, _)| key == step).unwrap_or(all.len());
                if at == all.len() {
                    all.push((step.to_string(), Json::Null));
                }
                *map = all.into_iter().collect();
                let mut inner = map.get(step).cloned().unwrap();
                if rest.is_empty() {
                    inner = value;
                } else {
                    change(&mut inner, rest, value);
                }
                return map.set(step, inner);
            }
            Json::Array(items) => {
                let at: usize = step.parse().unwrap();
                if at == items.len() {
                    items.push(Json::Null);
                }
                &mut items[at]
            }
            _ => panic!("{path}"),
        };
        if rest.is_empty() { *place = value } else { change(place, rest, value) }
    }
    let mut json = json(text.trim_start_matches('\u{feff}'));
    change(&mut json, path, self::json(value));
    json
}

#[test]
fn nothing_changes_without_a_change() {
    for source in [CANONICAL, BY_HAND, COMMA_FIRST, MINIFIED, "{}", " {\n}\r\n\n", "{ }"] {
        let value = json(source.trim_start_matches('\u{feff}'));
        assert_eq!(edited(source, &value), source);
    }
}

#[test]
fn no_object_is_replaced() {
    for source in ["", "[1]", "{", "null", "{\"a\":1,\"a\":2}", "{\"a\":1}x", "\u{feff}"] {
        check(source, r#"{"b":[1]}"#, "{\n  \"b\": [\n    1\n  ]\n}\n");
    }
    check("{\"a\": 1}\n", "[1]", "[1]\n");
}

#[test]
fn one_field_is_one_hunk() {
    let check = |source: &str, path: &str, value: &str, lines: (usize, usize)| {
        let out = edited(source, &with_value(source, path, value));
        assert_eq!(count_hunk_lines(source, &out), lines, "{path} = {value}\n{out}");
    };
    check(CANONICAL, "title", "\"Pasta\"", (1, 1));
    check(CANONICAL, "data.price", "2", (1, 1));
    check(CANONICAL, "data.hero_image.0", "\"x.png\"", (1, 1));
    check(CANONICAL, "data.hero_image.2", "\"x.png\"", (1, 2));
    check(CANONICAL, "data.hero_image", "[\"hero.png\"]", (2, 1));
    check(CANONICAL, "data.hero_image", "[\"new.png\", \"hero.png\", \"side.png\"]", (0, 1));
    check(CANONICAL, "data.hero_image", "[]", (4, 1));
    check(CANONICAL, "data.rows.1.value", "3", (1, 1));
    check(CANONICAL, "data.rows.2", r#"{"key": "c", "value": 3}"#, (0, 4));
    check(CANONICAL, "data.empty", r#"{"x": 1}"#, (1, 3));
    check(CANONICAL, "data.empty", "null", (1, 1));
    check(CANONICAL, "data.new", "1", (1, 2));
    check(CANONICAL, "new", "true", (1, 2));
    check(BY_HAND, "title", "\"Pasta\"", (1, 1));
    check(BY_HAND, "data.n", "2", (1, 1));
    check(BY_HAND, "data.tags.2", "\"c\"", (1, 1));
    check(BY_HAND, "extra.2", "7", (1, 1));
    check(BY_HAND, "extra.4", "7", (1, 1));
    check(BY_HAND, "rows.1.k", "7", (1, 1));
    check(BY_HAND, "rows.0.l", "7", (1, 2));
    check(BY_HAND, "new", "7", (1, 2));
    check(COMMA_FIRST, "new", "7", (0, 1));
    check(COMMA_FIRST, "c.x", "7", (1, 1));
}

#[test]
fn members_come_and_go() {
    // One member per line.
    let source = "{\n  \"a\": 1,\n  \"b\": 2,\n\n  \"c\": 3\n}\n";
    check(source, r#"{"b":2,"c":3}"#, "{\n  \"b\": 2,\n\n  \"c\": 3\n}\n");
    check(source, r#"{"a":1,"c":3}"#, "{\n  \"a\": 1,\n\n  \"c\": 3\n}\n");
    check(source, r#"{"a":1,"b":2}"#, "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
    check(source, r#"{"c":3}"#, "{\n  \"c\": 3\n}\n");
    check(source, "{}", "{}\n");
    check(
        source,
        r#"{"x":0,"a":1,"b":2,"y":0,"c":3,"z":0}"#,
        "{\n  \"x\": 0,\n  \"a\": 1,\n  \"b\": 2,\n  \"y\": 0,\n\n  \"c\": 3,\n  \"z\": 0\n}\n",
    );
    // The order is that of the source; a new member follows its predecessor.
    check(
        source,
        r#"{"c":3,"y":0,"z":0,"b":2,"a":1}"#,
        "{\n  \"a\": 1,\n  \"b\": 2,\n\n  \"c\": 3,\n  \"y\": 0,\n  \"z\": 0\n}\n",
    );
    check(source, r#"{"d":4}"#, "{\n  \"d\": 4\n}\n");
    // On one line.
    check(r#"{ "a": 1, "b": 2 }"#, r#"{"b":2,"c":[3]}"#, r#"{ "b": 2, "c": [3] }"#);
    check(r#"{"a":1}"#, r#"{"a":1,"b":{"c":[1,2]}}"#, r#"{"a":1,"b":{"c":[1,2]}}"#);
    check(r#"{"a": 1}"#, r#"{"a":1,"b":2}"#, r#"{"a": 1, "b": 2}"#);
    // Several members per line.
    let rows = "{ \"a\": 1, \"b\": 2,\n  \"c\": 3, \"d\": 4 }";
    check(rows, r#"{"a":1,"c":3,"d":4}"#, "{ \"a\": 1,\n  \"c\": 3, \"d\": 4 }");
    check(rows, r#"{"a":1,"b":2,"d":4}"#, "{ \"a\": 1, \"b\": 2,\n  \"d\": 4 }");
    // Leading commas.
    check(
        COMMA_FIRST,
        r#"{"a":1,"n":0,"c":{"x":100.0,"y":1}}"#,
        "{ \"a\": 1\n, \"n\": 0\n, \"c\": {\"x\": 1e2, \"y\": 1}\n}\n",
    );
}

#[test]
fn what_is_new_looks_like_what_is_there() {
    check("{}", r#"{"a":{"b":[1]}}"#, "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}");
    check(
        "{\r\n\t\"a\" :1\r\n}\r\n",
        r#"{"a":{"b":[]},"c":[2]}"#,
        "{\r\n\t\"a\" :{\r\n\t\t\"b\" :[]\r\n\t},\r\n\t\"c\" :[\r\n\t\t2\r\n\t]\r\n}\r\n",
    );
    // Short arrays are on one line like the first one; objects follow their neighbour.
    check(
        "{\n \"a\": [ 1 ],\n \"o\": [\n  { \"x\": 1 }\n ]\n}",
        r#"{"a":[1],"o":[{"x":1},{"x":[2]}],"p":[3,4],"q":[[5]]}"#,
        "{\n \"a\": [ 1 ],\n \"o\": [\n  { \"x\": 1 },\n  { \"x\": [ 2 ] }\n ],\n \"p\": [\n  3,\n  4\n ],\n \"q\": [\n  [ 5 ]\n ]\n}",
    );
    // Brackets next to their content.
    check(
        "{\n  \"o\": [{\n    \"x\": 1\n  }]\n}",
        r#"{"o":[{"x":1},{"x":2}]}"#,
        "{\n  \"o\": [{\n    \"x\": 1\n  }, {\n    \"x\": 2\n  }]\n}",
    );
    // Brackets on separate lines.
    check(
        "{\n  \"o\":\n  {\n    \"x\": {}\n  }\n}",
        r#"{"o":{"x":{"y":1}}}"#,
        "{\n  \"o\":\n  {\n    \"x\": {\n      \"y\": 1\n    }\n  }\n}",
    );
}

#[test]
fn a_line_that_grows_too_long_is_broken() {
    let long = "x".repeat(90);
    check(
        "{\n  \"a\": {\"b\": 1.50}\n}",
        &format!(r#"{{"a":{{"b":1.5,"c":"{long}"}}}}"#),
        &format!("{{\n  \"a\": {{\n    \"b\": 1.50,\n    \"c\": \"{long}\"\n  }}\n}}"),
    );
    check(
        r#"{"a": {"b": 1.50}}"#,
        &format!(r#"{{"a":{{"b":1.5,"c":"{long}"}}}}"#),
        &format!(r#"{{"a": {{"b": 1.50, "c": "{long}"}}}}"#),
    );
}

#[test]
fn items_keep_their_spelling_wherever_they_go() {
    let source = r#"{"a": [1.50, "\u0041", {"b":  1}, 2e0]}"#;
    let check = |items: &str, expect: &str| {
        check(source, &format!("{{\"a\":{items}}}"), &format!("{{\"a\": {expect}}}"));
    };
    check(r#"[2.0, {"b":1}, "A", 1.5]"#, r#"[2e0, {"b":  1}, "\u0041", 1.50]"#);
    check(r#"["A", {"b":1}, 2.0]"#, r#"["\u0041", {"b":  1}, 2e0]"#);
    check(r#"[1.5, 1.5, "A", {"b":2}, 2.0]"#, r#"[1.50, 1.5, "\u0041", {"b":  2}, 2e0]"#);
    check(r#"[1.5, "A", {"b":2}, 2.0]"#, r#"[1.50, "\u0041", {"b":  2}, 2e0]"#);
    check(r#"[2.0, 2.0, "A"]"#, r#"[2e0, 2.0, "\u0041"]"#);
}

#[test]
fn many_keys_and_many_items() {
    let keys = 0..10_000;
    let members = |at: usize| format!("\"k{at}\": {{\"n\": [{at}, 0, 1]}}");
    let lines: Vec<_> = keys.clone().map(members).collect();
    let source = format!("{{\n{}\n}}", lines.join(",\n"));
    let back: Map = keys
        .rev()
        .map(|at| (format!("k{at}"), json(&members(at)[members(at).find(':').unwrap() + 1..])))
        .collect();
    assert_eq!(edited(&source, &back.clone().into()), source);
    let mut more = back;
    more.set("k500", Json::Null);
    assert_eq!(count_hunk_lines(&source, &edited(&source, &more.into())), (1, 1));

    let items =
        |from: i64| -> Json { (from..from + 50_000).map(Json::from).collect::<Vec<_>>().into() };
    let object = |value: Json| Json::from(Map::from_iter([("a".to_string(), value)]));
    let source = String::from_utf8(object(items(0)).to_file()).unwrap();
    assert_eq!(count_hunk_lines(&source, &edited(&source, &object(items(1)))).0, 50_000);
    let mut turned = items(0).as_array().unwrap().to_vec();
    turned.reverse();
    edited(&source, &object(turned.into()));
}

/// Generates values with few keys and scalars, so that two of them have much in common.
fn values() -> impl Strategy<Value = Json> {
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (-3_i64..3).prop_map(Json::from),
        (-3_i64..3).prop_map(|n| json(&format!("{n}.5"))),
        "[a-cä\"\\\\\n{},:]{0,3}".prop_map(Json::from),
    ];
    scalar.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Json::from),
            vec(("[a-fä\"]", inner), 0..6).prop_map(object),
        ]
    })
}

fn objects() -> impl Strategy<Value = Json> {
    vec(("[a-fä\"]{1,2}", values()), 0..8).prop_map(object)
}

fn object(members: Vec<(String, Json)>) -> Json {
    let mut map = Map::new();
    members.into_iter().for_each(|(key, value)| map.set(&key, value));
    map.into()
}

/// Writes values in a style that is only followed now and then.
struct RandomFormatter<'h> {
    choices: &'h [u8],
    at: usize,
    newline: &'h str,
    unit: &'h str,
    out: String,
}

impl RandomFormatter<'_> {
    fn draw_choice(&mut self, below: u8) -> u8 {
        self.at += 1;
        self.choices[self.at % self.choices.len()] % below
    }

    fn space(&mut self, depth: usize) {
        match self.draw_choice(8) {
            0 => {}
            1 => self.out.push(' '),
            2 => self.out += &format!("{}  {}", self.newline, self.newline),
            _ => self.out += &format!("{}{}", self.newline, self.unit.repeat(depth)),
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push('"');
        for letter in text.chars() {
            if letter.is_control() || "\"\\".contains(letter) || self.draw_choice(4) == 0 {
                self.out += &format!("\\u{:04x}", u32::from(letter));
            } else {
                self.out.push(letter);
            }
        }
        self.out.push('"');
    }

    fn value(&mut self, value: &Json, depth: usize) {
        let (open, close) = match value {
            Json::Object(_) => ('{', '}'),
            Json::Array(_) => ('[', ']'),
            Json::String(text) => return self.text(text),
            scalar => {
                let mut bytes = Vec::new();
                scalar.write_compact(&mut bytes);
                self.out += &String::from_utf8(bytes).unwrap();
                let float = scalar.as_f64().is_some_and(|it| it.fract() != 0.0);
                return self.out += if float { "0e0" } else { "" };
            }
        };
        self.out.push(open);
        for (index, (key, value)) in iter_parts(value).enumerate() {
            if index > 0 {
                let comma = if self.draw_choice(6) == 0 { " ," } else { "," };
                self.out.push_str(comma);
            }
            self.space(depth + 1);
            if let Some(key) = key {
                self.text(key);
                let colon = [": ", ":", " : ", ":\n"][usize::from(self.draw_choice(4))];
                self.out.push_str(colon);
            }
            self.value(value, depth + 1);
        }
        self.space(depth);
        self.out.push(close);
    }
}

fn sources() -> impl Strategy<Value = String> {
    let newline = prop::sample::select(vec!["\n", "\r\n", " ", ""]);
    let unit = prop::sample::select(vec!["  ", "\t", "    ", ""]);
    (objects(), vec(any::<u8>(), 1..40), newline, unit, any::<bool>()).prop_map(
        |(value, choices, newline, unit, bom)| {
            let out = if bom { "\u{feff}\n" } else { "" }.to_string();
            let mut formatter = RandomFormatter { choices: &choices, at: 0, newline, unit, out };
            formatter.value(&value, 0);
            formatter.out
        },
    )
}

/// Checks that everything common to both values keeps its bytes and, in objects, its order.
fn check_kept(
    old_text: &[u8],
    new_text: &[u8],
    old: &Json,
    new: &Json,
) -> Result<(), TestCaseError> {
    let (Json::Object(old), Json::Object(new)) = (old, new) else { return Ok(()) };
    let (olds, news) = (
        find_children(old_text, &trimmed_range(old_text)),
        find_children(new_text, &trimmed_range(new_text)),
    );
    let mut last = 0;
    for ((key, value), child) in old.iter().zip(&olds) {
        let Some(at) = new.iter().position(|(it, _)| it == key) else { continue };
        prop_assert!(at >= last, "{key} moved");
        last = at;
        let there = &news[at];
        let (before, after) = (&old_text[child.value.clone()], &new_text[there.value.clone()]);
        let keys =
            (&old_text[child.start..child.value.start], &new_text[there.start..there.value.start]);
        prop_assert_eq!(keys.0, keys.1);
        let now = new.get(key).unwrap();
        if is_same(value, now) {
            prop_assert_eq!(before, after);
        } else {
            check_kept(before, after, value, now)?;
        }
    }
    Ok(())
}

fn check_edit(source: &str, value: &Json) -> Result<(), TestCaseError> {
    let text = source.trim_start_matches('\u{feff}');
    let old = json(text);
    prop_assert_eq!(rewrite_json(source.as_bytes(), &old), source.as_bytes());
    let out = edited(source, value);
    prop_assert_eq!(rewrite_json(out.as_bytes(), value), out.as_bytes());
    prop_assert_eq!(out.starts_with('\u{feff}'), source.starts_with('\u{feff}'));
    let text_out = out.trim_start_matches('\u{feff}');
    check_kept(text.as_bytes(), text_out.as_bytes(), &old, &json(text_out))
}

/// Returns `value` with some children removed, duplicated, moved or replaced.
fn mutate_value(value: &Json, choices: &mut impl Iterator<Item = u8>, new: &Json) -> Json {
    let mut all: Vec<(Option<&str>, Json)> = Vec::new();
    for (key, value) in iter_parts(value) {
        match choices.next().unwrap_or(9) % 10 {
            0 => {}
            1 => all.push((key, new.clone())),
            2 => all.insert(0, (key, value.clone())),
            3 if key.is_none() => all.extend([(None, value.clone()), (None, value.clone())]),
            4..=7 => all.push((key, mutate_value(value, choices, new))),
            _ => all.push((key, value.clone())),
        }
    }
    match value {
        Json::Object(_) => {
            object(all.into_iter().map(|(key, it)| (key.unwrap().to_string(), it)).collect())
        }
        Json::Array(_) => all.into_iter().map(|(_, it)| it).collect::<Vec<_>>().into(),
        scalar => scalar.clone(),
    }
}

proptest! {
    #[test]
    fn says_what_it_shall(source in sources(), value in objects()) {
        check_edit(&source, &value)?;
    }

    #[test]
    fn changes_only_what_changed(source in sources(), choices in vec(any::<u8>(), 40), new in values()) {
        let old = json(source.trim_start_matches('\u{feff}'));
        check_edit(&source, &mutate_value(&old, &mut choices.into_iter(), &new))?;
    }

    #[test]
    fn any_bytes_are_held(source in vec(any::<u8>(), 0..60), value in values()) {
        rewrite_json(&source, &value);
    }

    #[test]
    fn anything_like_json_is_held(source in "[{}\\[\\]\",:\\\\ \n\r\ta1.-]{0,40}", value in values()) {
        rewrite_json(source.as_bytes(), &value);
        rewrite_json(format!("{{{source}}}").as_bytes(), &value);
        rewrite_json(format!("{{\"a\":[{source}]}}").as_bytes(), &value);
    }
}
