//! The cache policy of a type: for how long caches may keep anonymous answers with its entries.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::json;

use crate::model::input::ObjectReader;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The most seconds that a policy can say: a year.
const SECONDS_MAX: u32 = 31_536_000;

/// The keys of a policy.
pub const KEYS: &[&str] = &["max_age", "s_maxage", "stale_while_revalidate"];

/// The times in seconds for which caches may keep answers. What is left out is that of the
/// settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CachePolicy {
    /// The seconds for which a cache may keep an answer without asking again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = SECONDS_MAX))]
    pub max_age: Option<u32>,
    /// The same for caches that many readers share, in place of `max_age`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = SECONDS_MAX))]
    pub s_maxage: Option<u32>,
    /// The seconds after that during which a cache may still use it while it asks again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = SECONDS_MAX))]
    pub stale_while_revalidate: Option<u32>,
}

/// Returns the JSON Schema of a policy in the file of a type.
pub fn file_schema() -> Value {
    let seconds = |about: &str| {
        json!({
            "type": "integer", "minimum": 0, "maximum": SECONDS_MAX, "description": about,
        })
    };
    json!({
        "type": "object",
        "properties": {
            "max_age": seconds("Seconds for which a cache may keep an answer."),
            "s_maxage": seconds("The same for caches that many readers share."),
            "stale_while_revalidate":
                seconds("Seconds after that for which a cache may use it while it asks again."),
        },
        "description": "How long caches may keep anonymous answers with entries of the type.",
    })
}

impl CachePolicy {
    /// Returns true if everything is as in the settings.
    pub fn is_empty(&self) -> bool {
        *self == CachePolicy::default()
    }

    /// Reads `cache`, the policy of a type.
    pub(super) fn read(input: &mut ObjectReader<'_>) -> CachePolicy {
        let Some(policy) = input.value("cache") else { return CachePolicy::default() };
        let read = |it: &mut ObjectReader<'_>| CachePolicy {
            max_age: it.count("max_age", SECONDS_MAX),
            s_maxage: it.count("s_maxage", SECONDS_MAX),
            stale_while_revalidate: it.count("stale_while_revalidate", SECONDS_MAX),
        };
        input.parse_nested("cache", policy, read).unwrap_or_default()
    }

    pub(super) fn to_json(self) -> Json {
        let mut map = Map::new();
        let numbers = [self.max_age, self.s_maxage, self.stale_while_revalidate];
        for (key, seconds) in KEYS.iter().zip(numbers) {
            if let Some(seconds) = seconds {
                map.push(*key, i64::from(seconds));
            }
        }
        Json::Object(map)
    }

    /// Returns the policy with everything that it leaves out taken from another one.
    #[must_use]
    pub fn or(self, other: CachePolicy) -> CachePolicy {
        // What is said for all caches is more than what others say for shared ones.
        let shared = self.max_age.map_or(other.s_maxage, |_| None);
        let stale = self.stale_while_revalidate.or(other.stale_while_revalidate);
        CachePolicy {
            max_age: self.max_age.or(other.max_age),
            s_maxage: self.s_maxage.or(shared),
            stale_while_revalidate: stale,
        }
    }

    /// Returns the policy of an answer that shows entries of both types: the shorter times.
    #[must_use]
    pub fn shorter(self, other: CachePolicy) -> CachePolicy {
        let least = |a: Option<u32>, b: Option<u32>| Some(a?.min(b?));
        let is_shared = self.s_maxage.or(other.s_maxage).is_some();
        let shared = |it: CachePolicy| it.s_maxage.or(it.max_age).filter(|_| is_shared);
        CachePolicy {
            max_age: least(self.max_age, other.max_age),
            s_maxage: least(shared(self), shared(other)),
            stale_while_revalidate: least(
                self.stale_while_revalidate,
                other.stale_while_revalidate,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(times: [Option<u32>; 3]) -> CachePolicy {
        let [max_age, s_maxage, stale_while_revalidate] = times;
        CachePolicy { max_age, s_maxage, stale_while_revalidate }
    }

    #[test]
    fn the_shorter_of_two_counts_what_is_left_out() {
        let settings = policy([Some(5), None, Some(0)]);
        let check = |a, b, expect| {
            let [a, b] = [a, b].map(|it| policy(it).or(settings));
            assert_eq!(a.shorter(b), policy(expect), "{a:?} {b:?}");
            assert_eq!(b.shorter(a), policy(expect), "{a:?} {b:?}");
        };
        let nothing = [None, None, None];
        check(nothing, nothing, [Some(5), None, Some(0)]);
        check([Some(60), None, Some(9)], nothing, [Some(5), None, Some(0)]);
        check([Some(0), Some(3_600), None], nothing, [Some(0), Some(5), Some(0)]);
        let two = [Some(60), Some(90), Some(7)];
        check([Some(10), None, Some(8)], two, [Some(10), Some(10), Some(7)]);
    }
}
