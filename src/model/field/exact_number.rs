//! A number that compares exactly, in filters and orders.

use std::fmt;

use crate::stdx::json::Number;
use crate::stdx::time::Timestamp;

/// A number that compares exactly. JSON has whole numbers from -2^63 to 2^64, and floats are exact
/// only up to 2^53. The nearest floats are compared first: rounding never turns an order around.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct ExactNumber {
    /// The nearest float.
    float: f64,
    /// The difference from it, at most 1,024.
    rest: i16,
}

impl ExactNumber {
    /// Parses a finite number.
    pub fn parse(text: &str) -> Option<ExactNumber> {
        let whole = text.parse::<i128>().ok().and_then(ExactNumber::from_whole);
        let float = || text.parse::<f64>().ok().filter(|it| it.is_finite());
        whole.or_else(|| float().map(ExactNumber::from))
    }

    /// Returns a whole number, unless JSON has it as a float.
    fn from_whole(whole: i128) -> Option<ExactNumber> {
        let is_in_json = (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&whole);
        let float = whole as f64;
        let rest = i16::try_from(whole.checked_sub(float as i128)?).ok()?;
        is_in_json.then_some(ExactNumber { float, rest })
    }

    /// Returns the nearest float.
    pub fn float(self) -> f64 {
        self.float
    }

    /// Returns true if the nearest float is the number.
    pub fn is_float(self) -> bool {
        self.rest == 0
    }
}

impl From<f64> for ExactNumber {
    fn from(float: f64) -> ExactNumber {
        ExactNumber { float, rest: 0 }
    }
}

/// The seconds since the epoch. Those of all supported dates are exact as `f64`.
impl From<Timestamp> for ExactNumber {
    fn from(time: Timestamp) -> ExactNumber {
        (time.seconds() as f64).into()
    }
}

/// 0 or 1.
impl From<bool> for ExactNumber {
    fn from(flag: bool) -> ExactNumber {
        f64::from(u8::from(flag)).into()
    }
}

impl From<&Number> for ExactNumber {
    fn from(number: &Number) -> ExactNumber {
        let whole = number.as_i128().and_then(ExactNumber::from_whole);
        // A `Number` is always finite.
        whole.unwrap_or_else(|| number.as_f64().unwrap_or_default().into())
    }
}

/// Writes all digits, as JSON does.
impl fmt::Display for ExactNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A float is written with the fewest digits that tell it from others.
        if self.float.fract() == 0.0 && self.float.abs() <= u64::MAX as f64 {
            write!(f, "{}", (self.float as i128).saturating_add(self.rest.into()))
        } else {
            write!(f, "{}", self.float)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_told_apart() {
        let number = |text: &str| ExactNumber::parse(text).unwrap();
        // In rising order.
        let texts = [
            "-9223372036854775808",
            "-9223372036854775807",
            "-9007199254740993",
            "-9007199254740992",
            "-1",
            "0",
            "1.5",
            "9007199254740992",
            "9007199254740993",
            "9007199254740994",
            "9223372036854775806",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551614",
            "18446744073709551615",
        ];
        for (place, text) in texts.iter().enumerate() {
            assert_eq!(number(text).to_string(), *text);
            for other in &texts[..place] {
                assert!(number(other) < number(text), "{other} {text}");
            }
        }
    }

    #[test]
    fn notations_do_not_matter() {
        let check = |one: &str, two: &str| {
            assert_eq!(ExactNumber::parse(one), ExactNumber::parse(two), "{one} {two}");
        };
        check("1", "1.0");
        check("1000", "1e3");
        check("0", "-0.0");
        check("9007199254740992", "9007199254740992.0");
        // JSON has it as a float.
        check("18446744073709551617", "18446744073709551616");
        for wrong in ["", "one", "NaN", "1e999", "inf"] {
            assert_eq!(ExactNumber::parse(wrong), None, "{wrong}");
        }
        let json: Number = serde_json::from_str("9007199254740993").unwrap();
        assert_eq!(ExactNumber::parse("9007199254740993"), Some(ExactNumber::from(&json)));
    }
}
