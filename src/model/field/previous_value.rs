//! The value of a field before a write, and the comparison of a sent value with it.
//!
//! A writer reads an entry, changes something and sends all of it back. Parts that the writer could
//! not see must not be lost, so each sent value is compared with the one shown to the writer.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::model::field::value_context::ValueContext;
use crate::model::name::TypeName;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json::Number;

/// A value before a write.
#[derive(Clone, Copy, Debug)]
pub struct PreviousValue<'a> {
    /// The stored value.
    pub stored: &'a Json,
    /// The value as the writer's own read shows it.
    pub shown: &'a Json,
}

impl<'a> PreviousValue<'a> {
    /// Creates the previous value of a map's member; a missing member is `null`.
    pub fn from_member(stored: Option<&'a Json>, shown: Option<&'a Json>) -> PreviousValue<'a> {
        const NOTHING: &Json = &Json::Null;
        PreviousValue { stored: stored.unwrap_or(NOTHING), shown: shown.unwrap_or(NOTHING) }
    }
}

/// Returns true if two values are the same to clients that pass JSON on: the order of keys and the
/// notation of numbers do not count, since many languages have only floats.
pub fn is_equivalent(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => same_number(one, other),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_equivalent(one, other))
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
    let equal = |(one, other): ((&str, &Json), (&str, &Json))| {
        one.0 == other.0 && is_equivalent(one.1, other.1)
    };
    if in_order {
        one.iter().zip(other.iter()).all(equal)
    } else {
        sorted(one).into_iter().zip(sorted(other)).all(equal)
    }
}

/// Returns a checksum that is equal for values that are [equivalent](is_equivalent).
pub(in crate::model) fn loose_sum(value: &Json) -> Checksum {
    let mut summer = ChecksumBuilder::new();
    match value {
        // Adding zero turns -0.0 into 0.0.
        Json::Number(number) => {
            let float = number.as_f64().unwrap_or_default() + 0.0;
            summer.add_part(b"#").add_number(float.to_bits());
        }
        Json::Array(items) => {
            summer.add_part(b"a").add_number(items.len() as u64);
            items.iter().for_each(|it| _ = summer.add_number(loose_sum(it).0));
        }
        Json::Object(map) => {
            let member = |(key, value): (&str, &Json)| {
                ChecksumBuilder::new()
                    .add_part(key.as_bytes())
                    .add_number(loose_sum(value).0)
                    .finish()
            };
            let members = map.iter().map(member).fold(Checksum::default(), Checksum::plus);
            summer.add_part(b"o").add_number(members.0);
        }
        plain => _ = summer.add_number(plain.compute_checksum().0),
    }
    summer.finish()
}

/// A context that also accepts the existing references of a value, even if their targets are gone.
pub(super) struct RetainedReferences<'a> {
    context: &'a dyn ValueContext,
    /// The stored form of each reference, by that form and by the shown one.
    held: HashMap<&'a str, &'a str>,
}

impl<'a> RetainedReferences<'a> {
    /// Creates the context; `held` yields each reference as shown and as stored.
    pub(super) fn new(
        context: &'a dyn ValueContext,
        held: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> RetainedReferences<'a> {
        let mut known = HashMap::new();
        for (shown, stored) in held {
            known.entry(shown).or_insert(stored);
            known.entry(stored).or_insert(stored);
        }
        RetainedReferences { context, held: known }
    }

    fn find_stored(&self, text: &str) -> Option<String> {
        self.held.get(text).map(ToString::to_string)
    }
}

impl ValueContext for RetainedReferences<'_> {
    fn resolve_entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String> {
        self.find_stored(id_or_slug).or_else(|| self.context.resolve_entry(target, id_or_slug))
    }

    fn is_gone(&self, target: &TypeName, id: &str) -> bool {
        self.context.is_gone(target, id)
    }

    fn resolve_media(&self, name_or_url: &str) -> Option<String> {
        self.find_stored(name_or_url).or_else(|| self.context.resolve_media(name_or_url))
    }

    fn new_id(&self) -> String {
        self.context.new_id()
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        self.context.clean_html(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::json;

    /// A context without any entries or files.
    struct Nothing;

    impl ValueContext for Nothing {
        fn resolve_entry(&self, _target: &TypeName, _id_or_slug: &str) -> Option<String> {
            None
        }

        fn resolve_media(&self, _name_or_url: &str) -> Option<String> {
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
        let context = RetainedReferences::new(&Nothing, held.into_iter());
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(context.resolve_media(text).as_deref(), expect, "{text}");
        };
        check("/m/a.png", Some("a.png"));
        check("a.png", Some("a.png"));
        check("b.png", Some("b.png"));
        check("x", Some("x"));
        check("y", None);
    }

    #[test]
    fn what_is_the_same() {
        let check = |one: &str, other: &str, expect: bool| {
            assert_eq!(is_equivalent(&json(one), &json(other)), expect, "{one} {other}");
            assert_eq!(is_equivalent(&json(other), &json(one)), expect, "{other} {one}");
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
