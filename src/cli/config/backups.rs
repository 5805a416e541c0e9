//! The settings of scheduled backups.

use std::path::PathBuf;

use crate::model::backup_schedule::DailyTime;
use crate::model::backup_schedule::KEPT_MAX;
use crate::model::backup_schedule::RetentionRule;
use crate::stdx::web_url::WebUrl;

/// The beginning of targets that are buckets.
const BUCKET_SCHEME: &str = "s3://";

/// The settings of scheduled backups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupsConfig {
    /// The target; without it no backup is made.
    pub target: Option<TargetPlace>,
    /// The time of the backup.
    pub at: DailyTime,
    /// The backups that are kept.
    pub rule: RetentionRule,
    /// The file with the passphrase that seals backups.
    pub passphrase_file: Option<PathBuf>,
    /// The URL of the server with the bucket; that of Amazon unless given.
    pub endpoint: Option<String>,
    /// The region of the bucket.
    pub region: String,
    /// The file with the keys of the bucket.
    pub credentials_file: Option<PathBuf>,
}

impl Default for BackupsConfig {
    fn default() -> BackupsConfig {
        BackupsConfig {
            target: None,
            at: DailyTime::parse("03:30").expect("it is a time"),
            rule: RetentionRule::default(),
            passphrase_file: None,
            endpoint: None,
            region: "us-east-1".to_owned(),
            credentials_file: None,
        }
    }
}

/// The place of backups outside the data folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetPlace {
    /// A directory.
    Directory(PathBuf),
    /// Objects in a bucket.
    Bucket {
        /// The name of the bucket.
        bucket: String,
        /// The beginning of the names of objects; empty, or with `/` at its end.
        prefix: String,
    },
}

impl std::fmt::Display for TargetPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TargetPlace::Directory(path) => write!(f, "{}", path.display()),
            TargetPlace::Bucket { bucket, prefix } => {
                write!(f, "{BUCKET_SCHEME}{bucket}/{}", prefix.trim_end_matches('/'))
            }
        }
    }
}

/// Parses a target: a directory, or `s3://bucket/prefix`; nothing for none.
pub(super) fn parse_target(text: &str) -> Result<Option<TargetPlace>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let Some(rest) = text.strip_prefix(BUCKET_SCHEME) else {
        return match text.split_once("://") {
            Some(_) => Err("write a directory, or s3://bucket/prefix".to_owned()),
            None => Ok(Some(TargetPlace::Directory(PathBuf::from(text)))),
        };
    };
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = prefix.trim_end_matches('/');
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_name = |it: &str| !it.is_empty() && it != "." && it != ".." && it.bytes().all(plain);
    if !is_name(bucket) || !(prefix.is_empty() || prefix.split('/').all(is_name)) {
        let rule = "the names of a bucket and its folders consist of letters, digits and - _ .";
        return Err(rule.to_owned());
    }
    let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    Ok(Some(TargetPlace::Bucket { bucket: bucket.to_owned(), prefix }))
}

/// Parses a time of the day.
pub(super) fn parse_time(text: &str) -> Result<DailyTime, String> {
    DailyTime::parse(text).ok_or_else(|| "write hours and minutes, such as 03:30".to_owned())
}

/// Parses a number of backups to keep.
pub(super) fn parse_count(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|it| *it <= KEPT_MAX);
    count.ok_or_else(|| format!("write a whole number, at most {KEPT_MAX}"))
}

/// Parses the URL of a server with buckets; nothing for that of Amazon.
pub(super) fn parse_endpoint(text: &str) -> Result<Option<String>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let url = text.trim_end_matches('/');
    WebUrl::parse(url).map(|_| Some(url.to_owned())).map_err(str::to_owned)
}

/// Parses the name of a region.
pub(super) fn parse_region(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let is_name = !text.is_empty() && text.len() <= 64 && text.bytes().all(plain);
    is_name.then(|| text.to_owned()).ok_or_else(|| "write a name such as eu-central-1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let check = |text: &str, expect: Option<&str>| {
            let parsed = parse_target(text).ok().flatten();
            assert_eq!(parsed.map(|it| it.to_string()).as_deref(), expect, "{text}");
        };
        check("", None);
        check("/var/backups/recto", Some("/var/backups/recto"));
        check("../backups", Some("../backups"));
        check("s3://b", Some("s3://b/"));
        check("s3://b/", Some("s3://b/"));
        check("s3://my-bucket/a/b/", Some("s3://my-bucket/a/b"));
        for text in ["s3://", "s3:///a", "s3://b/../c", "s3://b//c", "s3://b/a?x", "ftp://x/y"] {
            assert!(parse_target(text).is_err(), "{text}");
        }
    }
}
