//! What a value was before a write, and when what was sent is that very value.
//!
//! A writer reads an entry, changes something and sends the whole of it back. What it could not see
//! must not be lost by that, so each sent value is held against what the writer was shown.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::model::field::World;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json::Number;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;

/// A value before a write.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// As it is stored.
    pub stored: &'a Json,
    /// As the writer's own read shows it.
    pub shown: &'a Json,
}

impl<'a> Before<'a> {
    /// The value of a map's member; what is not there is `null`.
    pub fn of(stored: Option<&'a Json>, shown: Option<&'a Json>) -> Before<'a> {
        const NOTHING: &Json = &Json::Null;
        Before { stored: stored.unwrap_or(NOTHING), shown: shown.unwrap_or(NOTHING) }
    }

    /// `accepted`, unless that is what is stored.
    pub(super) fn unless_stored(self, accepted: Json) -> Option<Json> {
        (accepted != *self.stored).then_some(accepted)
    }
}

/// Whether two values are the same to whoever passes JSON on: the order of keys does not count, and
/// neither does the spelling of numbers, since many languages know no other number than a float.
pub fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => same_number(one, other),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => same_members(one, other),
        _ => one == other,
    }
}

fn same_number(one: &Number, other: &Number) -> bool {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => one == other,
        _ => one.as_f64() == other.as_f64(),
    }
}

fn same_members(one: &Map, other: &Map) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let sorted = |map| {
        let mut members: Vec<(&str, &Json)> = Map::iter(map).collect();
        members.sort_unstable_by(|one, other| one.0.cmp(other.0));
        members
    };
    let in_order =
        one.iter().zip(other.iter()).all(|(one, other)| one.0.cmp(other.0) == Ordering::Equal);
    let equal =
        |(one, other): ((&str, &Json), (&str, &Json))| one.0 == other.0 && same(one.1, other.1);
    if in_order {
        one.iter().zip(other.iter()).all(equal)
    } else {
        sorted(one).into_iter().zip(sorted(other)).all(equal)
    }
}

/// A sum that is equal for values that are the [`same`].
pub(in crate::model) fn loose_sum(value: &Json) -> Sum {
    let mut summer = Summer::new();
    match value {
        // Adding zero makes one of the two zeros that floats have.
        Json::Number(number) => {
            let float = number.as_f64().unwrap_or_default() + 0.0;
            summer.part(b"#").number(float.to_bits());
        }
        Json::Array(items) => {
            summer.part(b"a").number(items.len() as u64);
            items.iter().for_each(|it| _ = summer.number(loose_sum(it).0));
        }
        Json::Object(map) => {
            let member = |(key, value): (&str, &Json)| {
                Summer::new().part(key.as_bytes()).number(loose_sum(value).0).finish()
            };
            let members = map.iter().map(member).fold(Sum::default(), Sum::plus);
            summer.part(b"o").number(members.0);
        }
        plain => _ = summer.number(plain.sum().0),
    }
    summer.finish()
}

/// A world in which what a value refers to already holds, even when it is gone from the real one.
pub(super) struct Holding<'a> {
    world: &'a dyn World,
    /// Each reference as it is stored, under that and as the writer was shown it.
    held: HashMap<&'a str, &'a str>,
}

impl<'a> Holding<'a> {
    /// `held`: each reference as the writer was shown it, and as it is stored.
    pub(super) fn new(
        world: &'a dyn World,
        held: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Holding<'a> {
        let mut known = HashMap::new();
        for (shown, stored) in held {
            known.entry(shown).or_insert(stored);
            known.entry(stored).or_insert(stored);
        }
        Holding { world, held: known }
    }

    fn stored(&self, text: &str) -> Option<String> {
        self.held.get(text).map(ToString::to_string)
    }
}

impl World for Holding<'_> {
    fn entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String> {
        self.stored(id_or_slug).or_else(|| self.world.entry(target, id_or_slug))
    }

    fn media(&self, name_or_url: &str) -> Option<String> {
        self.stored(name_or_url).or_else(|| self.world.media(name_or_url))
    }

    fn new_id(&self) -> String {
        self.world.new_id()
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        self.world.clean_html(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A world in which there is nothing to refer to.
    struct Nothing;

    impl World for Nothing {
        fn entry(&self, _target: &TypeName, _id_or_slug: &str) -> Option<String> {
            None
        }

        fn media(&self, _name_or_url: &str) -> Option<String> {
            None
        }

        fn new_id(&self) -> String {
            String::new()
        }

        fn clean_html(&self, text: &str) -> Result<String, String> {
            Ok(text.to_string())
        }
    }

    #[test]
    fn references_hold_as_they_were_shown_and_as_they_are_stored() {
        let held = [("/m/a.png", "a.png"), ("/m/a.png", "b.png"), ("x", "x")];
        let world = Holding::new(&Nothing, held.into_iter());
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(world.media(text).as_deref(), expect, "{text}");
        };
        check("/m/a.png", Some("a.png"));
        check("a.png", Some("a.png"));
        check("b.png", Some("b.png"));
        check("x", Some("x"));
        check("y", None);
    }

    #[test]
    fn what_is_the_same() {
        let json = |text: &str| Json::parse(text.as_bytes()).unwrap();
        let check = |one: &str, other: &str, expect: bool| {
            assert_eq!(same(&json(one), &json(other)), expect, "{one} {other}");
            assert_eq!(same(&json(other), &json(one)), expect, "{other} {one}");
            assert!(!expect || loose_sum(&json(one)) == loose_sum(&json(other)));
        };
        check("1", "1.0", true);
        check("1000", "1e3", true);
        check("0", "-0.0", true);
        check("1", "1.5", false);
        check("9007199254740993", "9007199254740992", false);
        check("18446744073709551615", "18446744073709551615", true);
        check("1", "\"1\"", false);
        check("1", "true", false);
        check("null", "\"\"", false);
        check(r#"{"a":1,"b":[2]}"#, r#"{"b":[2.0],"a":1}"#, true);
        check(r#"{"a":1,"b":2}"#, r#"{"a":1,"c":2}"#, false);
        check(r#"{"a":1}"#, r#"{"a":1,"b":2}"#, false);
        check("[1,2]", "[2,1]", false);
        check("[1]", "[1,2]", false);
    }
}
