//! The schedule of backups: when one is due, which are kept, and what they are called. Pure.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::Serialize;

use crate::stdx::time::Timestamp;

const SECONDS_PER_DAY: i64 = 86_400;

/// The most backups of one kind that can be kept.
pub const KEPT_MAX: u32 = 10_000;

/// A time of every day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyTime {
    /// The seconds since midnight.
    seconds: i64,
}

impl DailyTime {
    /// Parses `HH:MM`.
    pub fn parse(text: &str) -> Option<DailyTime> {
        let (hours, minutes) = text.split_once(':')?;
        let number = |digits: &str, most: i64| {
            let is_plain = digits.len() == 2 && digits.bytes().all(|it| it.is_ascii_digit());
            let number = digits.parse::<i64>().ok().filter(|_| is_plain)?;
            (number <= most).then_some(number)
        };
        let seconds = number(hours, 23)? * 3_600 + number(minutes, 59)? * 60;
        Some(DailyTime { seconds })
    }

    /// Returns the first such time after `after`.
    pub fn next_after(self, after: Timestamp) -> Timestamp {
        let day = after.seconds().div_euclid(SECONDS_PER_DAY);
        let today = day * SECONDS_PER_DAY + self.seconds;
        let next = if today > after.seconds() { today } else { today + SECONDS_PER_DAY };
        Timestamp::from_seconds(next)
    }

    /// Returns the moment at which a backup is due after one that was made at `last`: at once
    /// (`now`) if there is none, or if its time has come while nobody was there to make it.
    pub fn next_due(self, last: Option<Timestamp>, now: Timestamp) -> Timestamp {
        // After the clock was set back, the last one may lie in the future.
        let last = last.filter(|it| *it <= now);
        last.map_or(now, |last| self.next_after(last).max(now))
    }
}

impl std::fmt::Display for DailyTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02}:{:02}", self.seconds / 3_600, self.seconds / 60 % 60)
    }
}

/// The number of backups to keep: the last one of each of so many days, weeks and months that have
/// one, and all that were made within a day of the newest. Weeks begin on Monday; all of it is in
/// UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionRule {
    /// The number of days.
    pub daily: u32,
    /// The number of weeks.
    pub weekly: u32,
    /// The number of months.
    pub monthly: u32,
}

impl Default for RetentionRule {
    fn default() -> RetentionRule {
        RetentionRule { daily: 7, weekly: 4, monthly: 12 }
    }
}

impl RetentionRule {
    /// Returns the backups to keep. The newest is always among them.
    pub fn select_kept(&self, backups: &BTreeSet<StoredBackupName>) -> BTreeSet<StoredBackupName> {
        let Some(newest) = backups.last() else { return BTreeSet::new() };
        // A backup made by hand after an accident does not take the place of the one before.
        let is_recent = |it: &&StoredBackupName| {
            newest.time().seconds() - it.time().seconds() < SECONDS_PER_DAY
        };
        let mut kept: BTreeSet<StoredBackupName> =
            backups.iter().filter(is_recent).cloned().collect();
        let day = |it: &StoredBackupName| it.time().seconds().div_euclid(SECONDS_PER_DAY);
        // The first day of 1970 was a Thursday.
        let week = |it: &StoredBackupName| (day(it) + 3).div_euclid(7);
        kept.extend(select_newest(backups, self.daily, day));
        kept.extend(select_newest(backups, self.weekly, week));
        kept.extend(select_newest(backups, self.monthly, |it| it.time().month()));
        kept
    }
}

/// Returns the newest backup of each of the last `count` periods that have one.
fn select_newest<P: PartialEq>(
    backups: &BTreeSet<StoredBackupName>,
    count: u32,
    period: impl Fn(&StoredBackupName) -> P,
) -> Vec<StoredBackupName> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let (mut newest, mut last) = (Vec::new(), None);
    for backup in backups.iter().rev() {
        let of = Some(period(backup));
        if of == last {
            continue;
        }
        if newest.len() == count {
            break;
        }
        newest.push(backup.clone());
        last = of;
    }
    newest
}

/// The name of a backup in a target: its time in UTC, as `2026-05-03-120405`. Names sort by time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StoredBackupName(String);

impl StoredBackupName {
    /// Returns the name of a backup made at this time.
    pub fn from_time(at: Timestamp) -> StoredBackupName {
        let text = at.to_string();
        let (date, time) = text.split_once('T').unwrap_or((&text, ""));
        let time: String = time.chars().filter(char::is_ascii_digit).collect();
        StoredBackupName(format!("{date}-{time}"))
    }

    /// Parses a name. The text is taken exactly as written or rejected.
    pub fn parse(text: &str) -> Option<StoredBackupName> {
        let name = StoredBackupName(text.to_string());
        let time = name.parse_time()?;
        (StoredBackupName::from_time(time) == name).then_some(name)
    }

    /// Returns the time of the backup.
    pub fn time(&self) -> Timestamp {
        // Both ways to a name give one with a time.
        self.parse_time().unwrap_or_default()
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn parse_time(&self) -> Option<Timestamp> {
        let text = self.0.as_str();
        if text.len() != "2026-05-03-120405".len() || !text.is_ascii() {
            return None;
        }
        let (date, time) = text.split_at(10);
        let (hour, minute, second) = (time.get(1..3)?, time.get(3..5)?, time.get(5..7)?);
        Timestamp::parse(&format!("{date}T{hour}:{minute}:{second}Z"))
    }
}

impl TryFrom<String> for StoredBackupName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<StoredBackupName, &'static str> {
        StoredBackupName::parse(&text).ok_or("the name of a backup is its time: 2026-05-03-120405")
    }
}

impl From<StoredBackupName> for String {
    fn from(name: StoredBackupName) -> String {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn name(text: &str) -> StoredBackupName {
        StoredBackupName::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn times_of_a_day() {
        for (text, expect) in [("00:00", true), ("23:59", true), ("03:30", true), ("24:00", false)]
        {
            assert_eq!(DailyTime::parse(text).is_some(), expect, "{text}");
        }
        for text in ["", "3:30", "03:3", "03-30", "03:60", "+3:30", "03:30:00", " 03:30", "０3:30"]
        {
            assert!(DailyTime::parse(text).is_none(), "{text}");
        }
        assert_eq!(DailyTime::parse("03:05").unwrap().to_string(), "03:05");
    }

    #[test]
    fn a_backup_is_due_at_its_time_and_at_once_if_it_was_missed() {
        let time = DailyTime::parse("03:30").unwrap();
        let check = |last: Option<&str>, now: &str, expect: &str| {
            assert_eq!(time.next_due(last.map(at), at(now)), at(expect), "{last:?} {now}");
        };
        check(None, "2026-05-03T12:00:00Z", "2026-05-03T12:00:00Z");
        check(Some("2026-05-03T03:30:07Z"), "2026-05-03T12:00:00Z", "2026-05-04T03:30:00Z");
        check(Some("2026-05-03T03:30:00Z"), "2026-05-03T03:30:00Z", "2026-05-04T03:30:00Z");
        check(Some("2026-05-03T03:29:59Z"), "2026-05-03T03:29:59Z", "2026-05-03T03:30:00Z");
        check(Some("2026-05-01T03:30:00Z"), "2026-05-03T12:00:00Z", "2026-05-03T12:00:00Z");
        // The clock was set back.
        check(Some("2027-05-01T03:30:00Z"), "2026-05-03T12:00:00Z", "2026-05-03T12:00:00Z");
    }

    #[test]
    fn names_are_times() {
        let made = StoredBackupName::from_time(at("2026-05-03T12:04:05Z"));
        assert_eq!((made.as_str(), made.time()), ("2026-05-03-120405", at("2026-05-03T12:04:05Z")));
        assert_eq!(StoredBackupName::parse("2026-05-03-120405"), Some(made));
        for text in ["", "2026-05-03", "2026-05-03-1204055", "2026-13-03-120405", "../05-03-120405"]
        {
            assert!(StoredBackupName::parse(text).is_none(), "{text}");
        }
        for text in ["2026-05-03-126405", "2026-05-03T120405", "2026-05-03-12:405"] {
            assert!(StoredBackupName::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_last_of_each_period_is_kept() {
        let all: BTreeSet<_> = [
            "2026-03-31-033000",
            "2026-04-26-033000", // a Sunday
            "2026-04-27-033000", // a Monday
            "2026-04-30-033000",
            "2026-05-01-033000",
            "2026-05-02-033000",
            "2026-05-02-120000",
            "2026-05-03-033000", // a Sunday
        ]
        .map(name)
        .into();
        let check = |daily, weekly, monthly, expect: &[&str]| {
            let kept = RetentionRule { daily, weekly, monthly }.select_kept(&all);
            let kept: Vec<&str> = kept.iter().map(StoredBackupName::as_str).collect();
            assert_eq!(kept, expect, "{daily} {weekly} {monthly}");
        };
        let recent = ["2026-05-02-120000", "2026-05-03-033000"];
        let with = |older: &[&'static str]| [older, &recent].concat();
        check(0, 0, 0, &recent);
        check(1, 1, 1, &recent);
        check(2, 0, 0, &recent);
        check(3, 0, 0, &with(&["2026-05-01-033000"]));
        check(0, 2, 0, &with(&["2026-04-26-033000"]));
        check(0, 0, 3, &with(&["2026-03-31-033000", "2026-04-30-033000"]));
        // The first one of the second of May is the only one that nothing keeps.
        let kept = RetentionRule { daily: 9, ..RetentionRule::default() }.select_kept(&all);
        assert_eq!(all.difference(&kept).collect::<Vec<_>>(), [&name("2026-05-02-033000")]);
    }

    fn any_names() -> impl Strategy<Value = BTreeSet<StoredBackupName>> {
        let times = prop::collection::btree_set(0_i64..120_000, 0..60);
        times.prop_map(|them| {
            let at = |hour: i64| Timestamp::from_seconds(hour * 3_600 + 1_700_000_000);
            them.into_iter().map(|it| StoredBackupName::from_time(at(it))).collect()
        })
    }

    proptest! {
        #[test]
        fn retention_is_sound(
            all in any_names(),
            daily in 0_u32..10,
            weekly in 0_u32..6,
            monthly in 0_u32..6,
        ) {
            let rule = RetentionRule { daily, weekly, monthly };
            let kept = rule.select_kept(&all);
            prop_assert!(kept.is_subset(&all));
            prop_assert_eq!(kept.last(), all.last());
            let newest = all.last().map_or(0, |it| it.time().seconds());
            let is_older = |it: &&StoredBackupName| newest - it.time().seconds() >= SECONDS_PER_DAY;
            let n_older = kept.iter().filter(is_older).count();
            prop_assert!(n_older <= (daily + weekly + monthly) as usize);
            prop_assert!(all.iter().filter(|it| !is_older(it)).all(|it| kept.contains(it)));
            // Asked again about what was kept, it keeps all of it.
            prop_assert_eq!(&rule.select_kept(&kept), &kept);
            // The last of each of the newest days is there, and of nothing else if only days count.
            let days: BTreeSet<String> = all.iter().map(|it| it.time().date()).collect();
            for day in days.iter().rev().take(daily as usize) {
                let last = all.iter().rev().find(|it| it.time().date() == *day);
                prop_assert!(last.is_some_and(|it| kept.contains(it)), "{}", day);
            }
            // A rule that keeps more keeps nothing less.
            let more = RetentionRule { daily: daily + 1, weekly: weekly + 1, monthly: monthly + 1 };
            prop_assert!(kept.is_subset(&more.select_kept(&all)));
        }

        #[test]
        fn names_and_times_go_both_ways(seconds in 0_i64..4_000_000_000) {
            let at = Timestamp::from_seconds(seconds);
            let made = StoredBackupName::from_time(at);
            prop_assert_eq!(made.time(), at);
            prop_assert_eq!(StoredBackupName::parse(made.as_str()), Some(made));
        }

        #[test]
        fn the_next_time_is_within_a_day(after in 0_i64..4_000_000_000, minute in 0_i64..1_440) {
            let time = DailyTime { seconds: minute * 60 };
            let next = time.next_after(Timestamp::from_seconds(after)).seconds();
            prop_assert!(next > after && next <= after + SECONDS_PER_DAY);
            prop_assert_eq!(next.rem_euclid(SECONDS_PER_DAY), minute * 60);
        }
    }
}
