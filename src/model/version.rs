//! Versions of Recto, ordered as semantic versioning orders them: what is installed must be newer
//! than what runs.

use std::cmp::Ordering;
use std::fmt;

/// The longest text of a version.
const TEXT_BYTES_MAX: usize = 64;

/// A version like `1.4.0`, `2.0.0-rc.1` or `1.4.0+linux`.
#[derive(Clone, Debug)]
pub struct Version {
    text: String,
    numbers: [u64; 3],
    before: Vec<Part>,
}

/// A part of what comes before a release: numbers are lower than words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u64),
    Word(String),
}

impl Version {
    /// Takes the text of a semantic version, and nothing that is only like one.
    pub fn parse(text: &str) -> Option<Version> {
        if text.len() > TEXT_BYTES_MAX {
            return None;
        }
        let (rest, build) = split(text, '+');
        let (core, before) = split(rest, '-');
        let mut numbers = core.split('.').map(number);
        let numbers = [numbers.next()??, numbers.next()??, numbers.next()??];
        if core.split('.').count() != numbers.len() || !build.is_none_or(is_dotted) {
            return None;
        }
        let before = before.map_or(Some(Vec::new()), |it| it.split('.').map(part).collect())?;
        Some(Version { text: text.to_string(), numbers, before })
    }

    /// The version of this program.
    pub fn of_this_program() -> Version {
        Version::parse(env!("CARGO_PKG_VERSION")).expect("the manifest holds a semantic version")
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(first, rest)| (first, Some(rest)))
}

fn number(text: &str) -> Option<u64> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = canonical && text.bytes().all(|it| it.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

fn part(text: &str) -> Option<Part> {
    if text.bytes().all(|it| it.is_ascii_digit()) {
        return number(text).map(Part::Number);
    }
    is_dotted(text).then(|| Part::Word(text.to_string()))
}

fn is_dotted(text: &str) -> bool {
    let is_part =
        |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
    text.split('.').all(is_part)
}

/// What is built of one version is one version.
impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        // A release comes after everything before it.
        let released = self.before.is_empty().cmp(&other.before.is_empty());
        let before = || self.before.cmp(&other.before);
        self.numbers.cmp(&other.numbers).then(released).then_with(before)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Version {}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_their_order() {
        let order = [
            "0.0.9",
            "0.1.0-1",
            "0.1.0-2",
            "0.1.0-10",
            "0.1.0-alpha",
            "0.1.0-alpha.1",
            "0.1.0-alpha.beta",
            "0.1.0-beta",
            "0.1.0-beta.2",
            "0.1.0-beta.11",
            "0.1.0-rc.1",
            "0.1.0",
            "0.1.1",
            "0.2.0",
            "0.10.0",
            "1.0.0",
            "18446744073709551615.0.0",
        ]
        .map(|it| Version::parse(it).unwrap_or_else(|| panic!("{it}")));
        for (at, a) in order.iter().enumerate() {
            for (other, b) in order.iter().enumerate() {
                assert_eq!(a.cmp(b), at.cmp(&other), "{a} {b}");
            }
        }
    }

    #[test]
    fn builds_of_a_version_are_that_version() {
        let version = |text: &str| Version::parse(text).unwrap();
        assert_eq!(version("1.0.0+linux"), version("1.0.0+windows.7"));
        assert_eq!(version("1.0.0+a-b").to_string(), "1.0.0+a-b");
        assert!(version("1.0.0-rc.1+x") < version("1.0.0"));
        Version::of_this_program();
    }

    #[test]
    fn what_is_no_version() {
        let long = format!("1.0.0-{}", "a".repeat(64));
        for text in [
            "",
            "1",
            "1.0",
            "1.0.0.0",
            "v1.0.0",
            "01.0.0",
            "1.00.0",
            "1.0.0-",
            "1.0.0-01",
            "1.0.0-a..b",
            "1.0.0+",
            "1.0.0+a..b",
            "1.0.0-ä",
            "1.0.0\n",
            " 1.0.0",
            "1.0.-1",
            "1.0.+1",
            "18446744073709551616.0.0",
            "1.0.0+a+b",
            &long,
        ] {
            assert!(Version::parse(text).is_none(), "{text}");
        }
    }
}
