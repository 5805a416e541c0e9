//! Versions of Recto in the order of semantic versioning: an update must be newer than the running
//! version.

use std::cmp::Ordering;
use std::fmt;

/// The maximum length of a version in bytes.
const TEXT_BYTES_MAX: usize = 64;

/// A version like `1.4.0`, `2.0.0-rc.1` or `1.4.0+linux`.
#[derive(Clone, Debug)]
pub struct Version {
    text: String,
    parsed: semver::Version,
}

impl Version {
    /// Parses a semantic version.
    pub fn parse(text: &str) -> Option<Version> {
        if text.len() > TEXT_BYTES_MAX {
            return None;
        }
        let parsed = semver::Version::parse(text).ok()?;
        Some(Version { text: text.to_string(), parsed })
    }

    /// Returns the version of this program.
    pub fn of_this_program() -> Version {
        Version::parse(env!("CARGO_PKG_VERSION")).expect("the manifest holds a semantic version")
    }

    /// Returns the version as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Build metadata does not affect the order.
impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        self.parsed.cmp_precedence(&other.parsed)
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
