//! Points in time, to the second, in UTC: parsed from several formats and written in one.

use std::fmt;
use std::num::NonZeroU64;

use jiff::civil;
use jiff::tz::TimeZone;
use schemars::json_schema;
use serde::de;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::stdx::json::Json;
use crate::stdx::json_schema::inline_schema;

/// Seconds since the Unix epoch. Shown as `2026-05-03T12:00:00Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// The seconds since a moment before the first one, so that it is never 0: an optional time
    /// takes no more memory than a time.
    since_start: NonZeroU64,
}

impl Default for Timestamp {
    fn default() -> Timestamp {
        Timestamp::from_seconds(0)
    }
}

impl Timestamp {
    /// The first second that RFC 3339 can express, in the year 0.
    const FIRST: i64 = -62_167_219_200;
    /// The last second that RFC 3339 can express, in the year 9999.
    const LAST: i64 = 253_402_207_200;

    /// Creates a timestamp, clamped to the years that RFC 3339 can express.
    pub fn from_seconds(seconds: i64) -> Timestamp {
        let since_first = seconds.clamp(Self::FIRST, Self::LAST).abs_diff(Self::FIRST);
        Timestamp { since_start: NonZeroU64::MIN.saturating_add(since_first) }
    }

    /// Returns the seconds since the Unix epoch.
    pub fn seconds(self) -> i64 {
        Self::FIRST.saturating_add_unsigned(self.since_start.get() - 1)
    }

    /// Parses RFC 3339, or `YYYY-MM-DD[ HH:MM[:SS]]` (or with a `T` in place of the space), which
    /// is taken as UTC. Fractions of a second are dropped.
    pub fn parse(text: &str) -> Option<Timestamp> {
        let text = text.trim();
        if let Ok(instant) = text.parse::<jiff::Timestamp>() {
            return Some(Timestamp::from_seconds(floor_seconds(instant)));
        }
        let local = match text.parse::<civil::DateTime>() {
            Ok(local) if text.len() > "YYYY-MM-DD".len() => local,
            _ => parse_date(text)?.at(0, 0, 0, 0),
        };
        // This fails for times beyond the last instant, such as the 9999-12-31 that means
        // "forever".
        let instant = local.to_zoned(TimeZone::UTC).map(|it| floor_seconds(it.timestamp()));
        Some(Timestamp::from_seconds(instant.unwrap_or(i64::MAX)))
    }

    /// Returns the last second of the day that begins at this timestamp.
    pub fn end_of_day(self) -> Timestamp {
        Timestamp::from_seconds(self.seconds().saturating_add(86_399))
    }

    /// Returns the calendar day as `YYYY-MM-DD`.
    pub fn date(self) -> String {
        to_civil(self).date().to_string()
    }

    /// Returns the month as `YYYY-MM`.
    pub fn month(self) -> String {
        let date = to_civil(self).date();
        format!("{:04}-{:02}", date.year(), date.month())
    }
}

/// Parses `YYYY-MM-DD`. The caller decides what a day without a time means.
pub fn parse_date(text: &str) -> Option<civil::Date> {
    let bytes = text.as_bytes();
    let shape = bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-';
    if shape { text.parse().ok() } else { None }
}

fn floor_seconds(instant: jiff::Timestamp) -> i64 {
    instant.as_nanosecond().div_euclid(1_000_000_000) as i64
}

fn to_civil(time: Timestamp) -> civil::DateTime {
    let instant =
        jiff::Timestamp::from_second(time.seconds()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    TimeZone::UTC.to_datetime(instant)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = to_civil(*self);
        let mut text = *b"0000-00-00T00:00:00Z";
        let parts: [(usize, usize, i16); 6] = [
            (0, 4, at.year()),
            (5, 7, at.month().into()),
            (8, 10, at.day().into()),
            (11, 13, at.hour().into()),
            (14, 16, at.minute().into()),
            (17, 19, at.second().into()),
        ];
        for (begin, end, number) in parts {
            write_digits(number.unsigned_abs(), &mut text[begin..end]);
        }
        f.write_str(str::from_utf8(&text).unwrap_or_default())
    }
}

/// Fills a place with the last digits of a number. Every entry has several times, and the
/// formatting machinery takes twenty times as long.
fn write_digits(mut number: u16, place: &mut [u8]) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8; // at most 9
        number /= 10;
    }
}

impl From<Timestamp> for Json {
    fn from(time: Timestamp) -> Json {
        time.to_string().into()
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

inline_schema!(Timestamp, |_| json_schema!({ "type": "string", "format": "date-time" }));

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Timestamp::parse(&text).ok_or_else(|| de::Error::custom("not a date and time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expect: Option<&str>) {
        assert_eq!(Timestamp::parse(input).map(|it| it.to_string()).as_deref(), expect, "{input}");
    }

    #[test]
    fn reads_what_people_write() {
        check("2026-05-03T12:00:00Z", Some("2026-05-03T12:00:00Z"));
        check("2026-05-03T12:00:00.999Z", Some("2026-05-03T12:00:00Z"));
        check("2026-05-03T14:00:00+02:00", Some("2026-05-03T12:00:00Z"));
        check("2026-05-03", Some("2026-05-03T00:00:00Z"));
        check("2026-05-03 12:30", Some("2026-05-03T12:30:00Z"));
        check("2026-05-03 12:30:15", Some("2026-05-03T12:30:15Z"));
        check("2026-05-03T12:30", Some("2026-05-03T12:30:00Z"));
        check("1969-12-31T23:59:59.5Z", Some("1969-12-31T23:59:59Z"));
        check("9999-12-31", Some("9999-12-30T22:00:00Z"));
        for bad in ["", "tomorrow", "2026-13-01", "2026-02-30", "20260503", "12:00", "2026-05"] {
            check(bad, None);
        }
    }

    #[test]
    fn extremes_do_not_panic() {
        for seconds in [i64::MIN, i64::MAX, Timestamp::FIRST, Timestamp::LAST] {
            let shown = Timestamp::from_seconds(seconds).to_string();
            assert!(Timestamp::parse(&shown).is_some(), "{shown}");
        }
    }
}
