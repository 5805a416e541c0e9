//! Releases: the manifest that announces one, and the signature that authenticates it.
//!
//! A signature covers a statement that names its purpose and binds version, platform and bytes
//! together ([`Build::signed_statement`]): the signature of one release for one platform is invalid
//! for any other.

pub mod version;

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::signature::ED25519;
use ring::signature::UnparsedPublicKey;

use crate::model::release::version::Version;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The maximum size of a manifest.
pub const MANIFEST_BYTES_MAX: u64 = 256 * 1024;
/// The maximum size of a program.
pub const PROGRAM_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// The maximum length of the notes that are kept.
const NOTES_BYTES_MAX: usize = 64 * 1024;
const URL_BYTES_MAX: usize = 2_048;

/// The purpose, the first line of the statement, so that signatures made for other purposes are
/// invalid here.
const PURPOSE: &str = "recto-release-v1";

/// The DER prefix of an Ed25519 public key.
const SPKI_PREFIX: [u8; 12] =
    [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// The public key of the publisher of releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReleaseKey([u8; 32]);

impl ReleaseKey {
    /// Parses base64: the 32 bytes of the key, or the content of a PEM file between its header and
    /// footer.
    pub fn parse(text: &str) -> Option<ReleaseKey> {
        let bytes = STANDARD.decode(text.trim()).ok()?;
        let key = bytes.strip_prefix(&SPKI_PREFIX).unwrap_or(&bytes);
        key.try_into().ok().map(ReleaseKey)
    }

    /// Returns the bytes of the key as base64.
    pub fn to_base64(self) -> String {
        STANDARD.encode(self.0)
    }
}

/// A SHA-256 hash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sha256Digest(pub [u8; 32]);

impl Sha256Digest {
    fn parse(text: &str) -> Option<Sha256Digest> {
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digit = |at: usize| pair.get(at).and_then(|it| char::from(*it).to_digit(16));
            *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
        }
        Some(Sha256Digest(bytes))
    }
}

impl fmt::Display for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A release as announced by a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The version.
    pub version: Version,
    /// The time of the release.
    pub released_at: Option<Timestamp>,
    /// The release notes in Markdown from an external source.
    pub notes: String,
    /// The program for this platform, if there is one.
    pub build: Option<Build>,
}

/// A program for one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// The version.
    pub version: Version,
    /// The platform.
    pub target: String,
    /// The address; empty for a program that is already on disk.
    pub url: String,
    /// The SHA-256 of the program.
    pub sha256: Sha256Digest,
    /// The signature of the statement.
    pub signature: Vec<u8>,
    /// The size in bytes, if the manifest states it.
    pub size: Option<u64>,
}

impl Build {
    /// Returns the signed text: a line each for the purpose, the version, the platform and the
    /// hash.
    pub fn signed_statement(&self) -> String {
        format!("{PURPOSE}\n{}\n{}\n{}\n", self.version, self.target, self.sha256)
    }

    /// Returns true if the owner of the key signed these bytes as this version for this platform.
    pub fn is_signed_by(&self, key: &ReleaseKey) -> bool {
        let key = UnparsedPublicKey::new(&ED25519, key.0);
        key.verify(self.signed_statement().as_bytes(), &self.signature).is_ok()
    }

    fn parse(version: &Version, target: &str, json: &Json) -> Result<Build, String> {
        let wrong = |what: &str| format!("`targets.{target}` {what}");
        let map = json.as_object().ok_or_else(|| wrong("is not an object"))?;
        let text = |key: &str| map.get(key).and_then(Json::as_str);
        let url = text("url").unwrap_or_default();
        if url.len() > URL_BYTES_MAX {
            return Err(wrong("has a `url` that is too long"));
        }
        let sha256 = text("sha256").and_then(Sha256Digest::parse);
        let signature = text("signature").and_then(|it| STANDARD.decode(it).ok());
        Ok(Build {
            version: version.clone(),
            target: target.to_string(),
            url: url.to_string(),
            sha256: sha256.ok_or_else(|| wrong("has no `sha256` of 64 hexadecimal digits"))?,
            signature: signature
                .filter(|it| it.len() == 64)
                .ok_or_else(|| wrong("has no `signature` of 64 bytes in base64"))?,
            size: map.get("size").and_then(parse_integer),
        })
    }

    /// Returns the JSON of the build as in a manifest.
    fn to_json(&self) -> Map {
        let mut map = Map::default();
        map.push("url", self.url.as_str());
        map.push("sha256", self.sha256.to_string());
        map.push("signature", STANDARD.encode(&self.signature));
        if let Some(size) = self.size.and_then(|it| i64::try_from(it).ok()) {
            map.push("size", size);
        }
        map
    }
}

fn parse_integer(json: &Json) -> Option<u64> {
    if let Json::Number(number) = json { number.as_u64() } else { None }
}

impl Release {
    /// Parses the bytes of a manifest and keeps the build for one platform.
    pub fn parse_manifest(bytes: &[u8], target: &str) -> Result<Release, String> {
        let json = Json::parse(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
        Release::parse(&json, target)
    }

    /// Parses a manifest and keeps the build for one platform.
    pub fn parse(json: &Json, target: &str) -> Result<Release, String> {
        let map = json.as_object().ok_or("it is not an object")?;
        let version = map.get("version").and_then(Json::as_str).and_then(Version::parse);
        let version = version.ok_or("`version` is not a version, such as 1.2.3")?;
        let released_at = map.get("released_at").and_then(Json::as_str).and_then(Timestamp::parse);
        let notes = map.get("notes").and_then(Json::as_str).unwrap_or_default();
        let targets = map.get("targets").and_then(Json::as_object);
        let build = targets.ok_or("`targets` is not an object")?.get(target);
        let build = build.map(|it| Build::parse(&version, target, it)).transpose()?;
        let notes = shorten_notes(notes).to_string();
        Ok(Release { version, released_at, notes, build })
    }

    /// Returns the manifest with this build only.
    pub fn to_json(&self) -> Json {
        let mut map = Map::default();
        map.push("version", self.version.as_str());
        if let Some(at) = self.released_at {
            map.push("released_at", at.to_string());
        }
        map.push("notes", self.notes.as_str());
        let target = |it: &Build| (it.target.clone(), Json::Object(it.to_json()));
        map.push("targets", self.build.iter().map(target).collect::<Map>());
        map.into()
    }
}

fn shorten_notes(text: &str) -> &str {
    let end = text.floor_char_boundary(NOTES_BYTES_MAX);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ring::rand::SystemRandom;
    use ring::signature::Ed25519KeyPair;
    use ring::signature::KeyPair;

    use super::*;

    const TARGET: &str = "x86_64-unknown-linux-gnu";

    fn pair() -> (Ed25519KeyPair, ReleaseKey) {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let pair = Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap();
        let key = ReleaseKey(pair.public_key().as_ref().try_into().unwrap());
        (pair, key)
    }

    fn signed(pair: &Ed25519KeyPair, version: &str, target: &str) -> Build {
        let version = Version::parse(version).unwrap();
        let (target, url) = (target.to_string(), "https://example.org/recto".to_string());
        let sha256 = Sha256Digest([7; 32]);
        let mut build =
            Build { version, target, url, sha256, signature: Vec::new(), size: Some(9) };
        build.signature = pair.sign(build.signed_statement().as_bytes()).as_ref().to_vec();
        build
    }

    #[test]
    fn a_statement_says_all_that_counts() {
        let statement = signed(&pair().0, "1.2.3-rc.1", TARGET).signed_statement();
        let sum = "07".repeat(32);
        assert_eq!(
            statement,
            format!("recto-release-v1\n1.2.3-rc.1\nx86_64-unknown-linux-gnu\n{sum}\n")
        );
    }

    #[test]
    fn a_signature_is_for_one_release_and_one_platform() {
        let ((mine, key), (other, other_key)) = (pair(), pair());
        let build = signed(&mine, "1.2.3", TARGET);
        assert!(build.is_signed_by(&key) && !build.is_signed_by(&other_key));
        let check = |change: fn(&mut Build)| {
            let mut build = build.clone();
            change(&mut build);
            assert!(!build.is_signed_by(&key), "{build:?}");
        };
        check(|it| it.version = Version::parse("1.2.4").unwrap());
        // The same version written as a different text.
        check(|it| it.version = Version::parse("1.2.3+x").unwrap());
        check(|it| it.target = "aarch64-unknown-linux-gnu".to_string());
        check(|it| it.sha256.0[31] ^= 1);
        check(|it| it.signature[0] ^= 1);
        check(|it| it.signature.truncate(63));
        check(|it| it.signature.clear());
        let mut replayed = signed(&other, "1.2.3", TARGET);
        assert!(!replayed.is_signed_by(&key));
        replayed.signature = build.signature.clone();
        assert!(replayed.is_signed_by(&key));
    }

    #[test]
    fn keys_come_bare_or_as_in_pem_files() {
        let (_, key) = pair();
        let bare = key.to_base64();
        let wrapped = STANDARD.encode([SPKI_PREFIX.as_slice(), &key.0].concat());
        for text in [bare.as_str(), &wrapped, &format!(" {bare}\n")] {
            assert_eq!(ReleaseKey::parse(text), Some(key), "{text}");
        }
        for text in ["", "AAAA", &bare[1..], &wrapped[..40], "not base64 at all"] {
            assert_eq!(ReleaseKey::parse(text), None, "{text}");
        }
    }

    /// Keys and signatures made with the commands of docs/UPDATES.md.
    #[test]
    fn what_openssl_signs_counts() {
        let key = "MCowBQYDK2VwAyEAMMov2ubm/Kx8GX6/1DXGMFmG/rt+yO9KQC7ufNmJnWM=";
        let signature = "PoQgAF33EqX6NfAQJEn60lDrF0bMA0X3Ru7PWq5ZLONqIU3v2kFA1kENtdlkDaQQ\
                         BWKUd9valHFEQcI6cDRSCQ==";
        let sum = "c79bf44242829108e323378531f4ac839513ca1fba45efd6583643526e1e9fd2";
        let manifest = format!(
            r#"{{"version":"0.2.0","targets":{{"{TARGET}":{{"url":"https://releases.example.org/recto",
                "sha256":"{sum}","signature":"{signature}","size":35664}}}}}}"#
        );
        let release = Release::parse_manifest(manifest.as_bytes(), TARGET).unwrap();
        let build = release.build.unwrap();
        assert!(build.is_signed_by(&ReleaseKey::parse(key).unwrap()));
        let other = Build { sha256: Sha256Digest([0; 32]), ..build };
        assert!(!other.is_signed_by(&ReleaseKey::parse(key).unwrap()));
    }

    #[test]
    fn manifests_both_ways() {
        let build = signed(&pair().0, "1.2.3", TARGET);
        let (version, notes) = (build.version.clone(), "# New\n".to_string());
        let released_at = Timestamp::parse("2026-05-03");
        let release = Release { version, released_at, notes, build: Some(build) };
        let bytes = release.to_json().to_file();
        assert_eq!(Release::parse_manifest(&bytes, TARGET).unwrap(), release);
        let elsewhere = Release::parse_manifest(&bytes, "riscv64gc-unknown-linux-gnu").unwrap();
        assert_eq!(elsewhere, Release { build: None, ..release });
    }

    #[test]
    fn what_is_no_manifest() {
        let sum = "ab".repeat(32);
        let signature = STANDARD.encode([0; 64]);
        let check = |text: &str, expect: &str| {
            let problem = Release::parse_manifest(text.as_bytes(), "t").err();
            let problem = problem.as_deref().unwrap_or("fine");
            assert!(problem.starts_with(expect), "{text}: {problem}");
        };
        let with = |build: &str| format!(r#"{{"version":"1.0.0","targets":{{"t":{build}}}}}"#);
        check("<html>", "it is not JSON");
        check("[]", "it is not an object");
        check(r#"{"targets":{}}"#, "`version`");
        check(r#"{"version":1,"targets":{}}"#, "`version`");
        check(r#"{"version":"1.0.0"}"#, "`targets`");
        check(r#"{"version":"1.0.0","targets":{}}"#, "fine");
        check(&with("7"), "`targets.t` is not an object");
        check(&with(r#"{"url":"https://x"}"#), "`targets.t` has no `sha256`");
        check(&with(&format!(r#"{{"sha256":"{sum}"}}"#)), "`targets.t` has no `signature`");
        let short = format!(r#"{{"sha256":"{sum}","signature":"AAAA"}}"#);
        check(&with(&short), "`targets.t` has no `signature`");
        let build =
            |size: &str| format!(r#"{{"sha256":"{sum}","signature":"{signature}","size":{size}}}"#);
        let size = |text: &str| {
            let release = Release::parse_manifest(with(&build(text)).as_bytes(), "t").unwrap();
            release.build.unwrap().size
        };
        assert_eq!(
            [size("12"), size("-1"), size("1e300"), size("1.5"), size("\"1\"")],
            [Some(12), None, None, None, None]
        );
        let long = format!(r#"{{"url":"{}"}}"#, "a".repeat(URL_BYTES_MAX + 1));
        check(&with(&long), "`targets.t` has a `url`");
    }
}
