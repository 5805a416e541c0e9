//! Points in time, to the second, in UTC: parsed from several formats and written in one.

use std::fmt;
use std::num::NonZeroU64;

use jiff::SignedDuration;
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
    const LAST: i64 = 253_402_300_799;

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
    /// is taken as UTC. Fractions of a second are dropped. An offset may be as short as databases
    /// write it (`+0100`, `+01`). A time that is in no year from 0 to 9999 of UTC is none.
    pub fn parse(text: &str) -> Option<Timestamp> {
        let text = text.trim();
        let (date, rest) = text.split_at_checked("YYYY-MM-DD".len())?;
        let midnight = parse_date(date)?.at(0, 0, 0, 0);
        let seconds = midnight.duration_since(EPOCH).as_secs() + parse_time_of_day(rest)?;
        (Self::FIRST..=Self::LAST).contains(&seconds).then(|| Timestamp::from_seconds(seconds))
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

/// Parses what follows a date, from the letter or space before the hour on: `[THH:MM[:SS[.S]][Z]]`.
/// Returns the seconds since the midnight of the date in UTC.
fn parse_time_of_day(text: &str) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    let text = text.strip_prefix(['T', 't', ' '])?;
    let (time, offset) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => (&text[..at], parse_offset(&text[at..])?),
        None => (text, 0),
    };
    let (whole, fraction) = time.split_once(['.', ',']).unwrap_or((time, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|it| it.is_ascii_digit());
    let mut parts = whole.split(':');
    let (hour, minute) =
        (parse_two_digits(parts.next()?, 23)?, parse_two_digits(parts.next()?, 59)?);
    // A leap second counts as the one before it.
    let second = parts.next().map(|it| parse_two_digits(it, 60)).unwrap_or(Some(0))?.min(59);
    let is_whole = parts.next().is_none() && (whole.len() == "HH:MM:SS".len() || whole == time);
    (is_fraction && is_whole).then_some(hour * 3_600 + minute * 60 + second - offset)
}

/// Parses `Z`, `+HH:MM`, `+HHMM` or `+HH`. Returns the seconds by which that time is ahead of UTC.
fn parse_offset(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        (_, digits) => (-1, digits),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 2 => (digits, "00"),
        None => digits.split_at_checked(2)?,
    };
    Some(sign * (parse_two_digits(hours, 23)? * 3_600 + parse_two_digits(minutes, 59)? * 60))
}

/// Parses two digits that stand for no more than `max`.
fn parse_two_digits(text: &str, max: i64) -> Option<i64> {
    let is_number = text.len() == 2 && text.bytes().all(|it| it.is_ascii_digit());
    text.parse().ok().filter(|it| is_number && *it <= max)
}

/// The beginning of 1970.
const EPOCH: civil::DateTime = civil::DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

fn to_civil(time: Timestamp) -> civil::DateTime {
    match jiff::Timestamp::from_second(time.seconds()) {
        Ok(instant) => TimeZone::UTC.to_datetime(instant),
        // The last instant of the library is a day before the end of the year 9999, which people
        // write for "forever".
        Err(_) => EPOCH.saturating_add(SignedDuration::from_secs(time.seconds())),
    }
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
        check("2026-05-03T12:30Z", Some("2026-05-03T12:30:00Z"));
        check("2026-05-03t12:30:15z", Some("2026-05-03T12:30:15Z"));
        check("2026-05-03 12:30:15-0930", Some("2026-05-03T22:00:15Z"));
        check("2026-05-03 12:30:15.25+01", Some("2026-05-03T11:30:15Z"));
        check("2026-12-31T23:59:60Z", Some("2026-12-31T23:59:59Z"));
        for bad in ["", "tomorrow", "2026-13-01", "2026-02-30", "20260503", "12:00", "2026-05"] {
            check(bad, None);
        }
    }

    #[test]
    fn times_last_until_the_end_of_the_year_9999() {
        for last in ["9999-12-31T23:59:59Z", "9999-12-31T00:00:00Z", "9999-12-30T22:00:01Z"] {
            check(last, Some(last));
        }
        check("9999-12-31", Some("9999-12-31T00:00:00Z"));
        check("9999-12-31 23:59", Some("9999-12-31T23:59:00Z"));
        check("9999-12-31T23:59:59-01:00", None);
        check("0000-01-01T00:00:00Z", Some("0000-01-01T00:00:00Z"));
        check("0000-01-01T00:00:00+01:00", None);
        assert_eq!(Timestamp::parse("9999-12-31").map(Timestamp::month).unwrap(), "9999-12");
    }

    #[test]
    fn what_is_no_rfc_3339_is_no_time() {
        for bad in [
            "20260203T100000",
            "+002026-02-03T10:00:00Z",
            "2026-02-03T10",
            "2026-02-03T",
            "2026-02-03T10:00:00[Europe/Berlin]",
            "2026-02-03T10:00:00Z[u-ca=hebrew]",
            "2026-02-03T10:00:00+25:00",
            "2026-02-03T10:00:00+002",
            "2026-02-03T10:00:00+2:00",
            "2026-02-03T24:00:00Z",
            "2026-02-03T10:60:00Z",
            "2026-02-03T10:00:61Z",
            "2026-02-03T1:00:00Z",
            "2026-02-03T10:00:00.Z",
            "2026-02-03T10:00.5Z",
            "2026-02-03T10:00:00ZZ",
            "2026-02-03T10:00:00:00Z",
            "2026-02-03T+1:00:00Z",
            "2026-02-03é10:00:00Z",
            "2026-02-0é",
            "-026-02-03T10:00:00Z",
            "2026-02-03Z",
        ] {
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
