//! Times as other systems write them.

use jiff::civil;
use jiff::fmt::rfc2822;
use jiff::fmt::strtime;

use crate::stdx::time::Timestamp;

/// The notations of days besides `2026-05-03`.
const DAYS: &[&str] = &[
    "%b %d %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%B %d %Y",
    "%d %b %Y",
    "%d %B %Y",
    "%Y/%m/%d",
    "%d.%m.%Y",
];

/// The notations of times with an offset.
const ZONED: &[&str] =
    &["%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %H:%M %z", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S%z"];

/// Parses a time in one of the notations that front matter and exports use.
pub(super) fn parse_time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Some(time) = Timestamp::parse(text) {
        return Some(time);
    }
    // More of ISO 8601, and names of time zones behind an offset.
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return Some(Timestamp::from_seconds(instant.as_second()));
    }
    if let Ok(zoned) = rfc2822::parse(text) {
        return Some(Timestamp::from_seconds(zoned.timestamp().as_second()));
    }
    for format in ZONED {
        if let Ok(time) = strtime::parse(format, text).and_then(|it| it.to_timestamp()) {
            return Some(Timestamp::from_seconds(time.as_second()));
        }
    }
    let day = DAYS.iter().find_map(|it| civil::Date::strptime(it, text).ok());
    Timestamp::parse(&day.or_else(|| parse_compact_day(text))?.to_string())
}

/// Parses `20260503`.
fn parse_compact_day(text: &str) -> Option<civil::Date> {
    let is_compact = text.len() == 8 && text.bytes().all(|it| it.is_ascii_digit());
    if is_compact { civil::Date::strptime("%Y%m%d", text).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_others_write_them() {
        let check = |text: &str, expect: Option<&str>| {
            let found = parse_time(text).map(|it| it.to_string());
            assert_eq!(found.as_deref(), expect, "{text}");
        };
        check("2026-05-03", Some("2026-05-03T00:00:00Z"));
        check("2026-05-03T12:00:00+02:00", Some("2026-05-03T10:00:00Z"));
        check("2026-05-03 12:00:00 +0200", Some("2026-05-03T10:00:00Z"));
        check("Sun, 03 May 2026 12:00:00 +0000", Some("2026-05-03T12:00:00Z"));
        check("May 03 2026", Some("2026-05-03T00:00:00Z"));
        check("May 3, 2026", Some("2026-05-03T00:00:00Z"));
        check("03.05.2026", Some("2026-05-03T00:00:00Z"));
        check("20260503", Some("2026-05-03T00:00:00Z"));
        check("20261345", None);
        check("2026053", None);
        check("1777766400", None);
        check("soon", None);
        check("", None);
    }
}
