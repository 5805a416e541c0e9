//! Settings of the installation that can be changed in the interface: `system/settings.json`.
//!
//! Each is one row of [`EDITABLE`]. The interface, the file, `recto.toml`, the environment and the
//! command line take its value by the same parser.

use std::collections::BTreeSet;

use schemars::Schema;
use schemars::json_schema;
use serde_json::Value;
use serde_json::json;

use crate::model::input::ObjectReader;
use crate::model::input::check_line;
use crate::model::input::wording;
use crate::model::media::Fit;
use crate::model::media::PicturePresets;
use crate::model::media::UploadRules;
use crate::model::media::variant;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The number of revisions of an entry that are kept unless something else is configured.
pub const REVISIONS_KEPT_DEFAULT: i64 = 50;

/// The settings that people can change in the interface.
#[derive(Clone, Debug)]
pub struct EditableSettings {
    /// The name of the installation; empty if it has none.
    pub site_name: String,
    /// The workspace of requests that name none.
    pub default_workspace: String,
    /// The number of revisions kept of each entry and media file; 0 for none, -1 for all.
    pub revisions_kept_max: i64,
    /// The age in days at which trash is purged; `None` for never.
    pub trash_retention_days: Option<u32>,
    /// The limits on uploads.
    pub uploads: UploadRules,
    /// The size in bytes of the cache of variants of pictures.
    pub picture_cache_bytes_max: u64,
    /// The variants of pictures that have names.
    pub picture_presets: PicturePresets,
    /// Origins whose pages may read the public API; `*` for all.
    pub cors_origins: Vec<String>,
    /// The time in seconds for which caches may keep a public response without asking again.
    pub max_age_seconds: u32,
    /// The time in seconds after that during which caches may still use it while they ask again.
    pub stale_while_revalidate_seconds: u32,
    /// The most entries in a list; 0 for no limit.
    pub list_limit_max: usize,
    /// The approvals that a change needs before it is published.
    pub approvals_required: usize,
    /// True if whoever worked on a change may approve it.
    pub author_may_approve: bool,
}

impl Default for EditableSettings {
    fn default() -> Self {
        EditableSettings {
            site_name: String::new(),
            default_workspace: "default".to_string(),
            revisions_kept_max: REVISIONS_KEPT_DEFAULT,
            trash_retention_days: None,
            uploads: UploadRules::default(),
            picture_cache_bytes_max: PICTURE_CACHE_BYTES_MAX,
            picture_presets: PicturePresets::default(),
            cors_origins: vec!["*".to_string()],
            max_age_seconds: 0,
            stale_while_revalidate_seconds: 0,
            list_limit_max: 0,
            approvals_required: 0,
            author_may_approve: false,
        }
    }
}

/// A setting that people can change in the interface: its names, its help, its parser, its value
/// and their schema. Everything that is said about it comes from here.
#[derive(Debug)]
pub struct EditableSetting {
    /// The key in the files, with dots for nested tables.
    pub key: &'static str,
    /// The flag without its dashes, from which the name of the environment variable derives. `None`
    /// for settings that only the interface has.
    pub flag: Option<&'static str>,
    /// The placeholder for the value in the help.
    pub value_name: &'static str,
    /// The sentence of help.
    pub about: &'static str,
    /// Returns the schema of the value; `about` describes it unless the schema does.
    pub schema: fn() -> Schema,
    /// Parses a value into its place. Programs and the command line may write it as a text. The
    /// paths of problems begin at the value.
    pub take: fn(&mut EditableSettings, &Json) -> Result<(), FieldProblems>,
    /// Returns the value.
    pub show: fn(&EditableSettings) -> Value,
}

/// All of them, in the order in which they are shown.
pub static EDITABLE: &[EditableSetting] = &[
    EditableSetting {
        key: "site_name",
        flag: None,
        value_name: "NAME",
        about: "The name of the installation",
        schema: || json_schema!({ "type": "string", "maxLength": SITE_NAME_CHARS_MAX }),
        take: |it, json| assign(&mut it.site_name, parse_site_name(json)),
        show: |it| json!(it.site_name),
    },
    EditableSetting {
        key: "default_workspace",
        flag: None,
        value_name: "SLUG",
        about: "The workspace of requests that name none",
        schema: || json_schema!({ "type": "string" }),
        take: |it, json| assign(&mut it.default_workspace, parse_workspace(json)),
        show: |it| json!(it.default_workspace),
    },
    EditableSetting {
        key: "max_revisions",
        flag: Some("max-revisions"),
        value_name: "N",
        about: "The number of revisions kept for each entry and media file; 0 for none, -1 for all",
        schema: || count_schema(-1, WHOLE_MAX),
        take: |it, json| {
            // What cannot be read keeps all: those that are pruned are gone.
            it.revisions_kept_max = REVISIONS_ALL;
            assign(&mut it.revisions_kept_max, parse_max_revisions(json))
        },
        show: |it| json!(it.revisions_kept_max),
    },
    EditableSetting {
        key: "trash_retention_days",
        flag: Some("trash-retention-days"),
        value_name: "DAYS",
        about: "Days after which deleted entries leave the trash; 0 for never",
        schema: || {
            json_schema!({
                "type": ["integer", "null"],
                "minimum": 1,
                "maximum": DAYS_MAX,
                "description": "Days after which deleted entries leave the trash; `null` for never.",
            })
        },
        take: |it, json| assign(&mut it.trash_retention_days, parse_retention(json)),
        show: |it| json!(it.trash_retention_days),
    },
    EditableSetting {
        key: "upload.max_bytes",
        flag: Some("upload-max-bytes"),
        value_name: "BYTES",
        about: "The maximum size in bytes of an uploaded file",
        schema: || count_schema(1, WHOLE_MAX),
        take: |it, json| assign(&mut it.uploads.file_bytes_max, parse_count(json, 1, WHOLE_MAX)),
        show: |it| json!(it.uploads.file_bytes_max),
    },
    EditableSetting {
        key: "upload.allowed_types",
        flag: Some("upload-allowed-types"),
        value_name: "LIST",
        about: "Accepted MIME types of uploads, such as image/*; empty for all supported types",
        schema: list_schema,
        take: |it, json| assign(&mut it.uploads.types, parse_list(json, is_mime)),
        show: |it| json!(it.uploads.types),
    },
    EditableSetting {
        key: "images.cache_bytes",
        flag: Some("images-cache-bytes"),
        value_name: "BYTES",
        about: "The maximum size in bytes of the cache of resized pictures",
        schema: || count_schema(0, WHOLE_MAX),
        take: |it, json| assign(&mut it.picture_cache_bytes_max, parse_count(json, 0, WHOLE_MAX)),
        show: |it| json!(it.picture_cache_bytes_max),
    },
    EditableSetting {
        key: "images.presets",
        flag: None,
        value_name: "OBJECT",
        about: "Named sizes of pictures: objects with `w`, `h`, `fit`, `q` and `format` by name",
        schema: presets_schema,
        take: |it, json| assign(&mut it.picture_presets, PicturePresets::parse(json)),
        show: |it| json!(it.picture_presets.to_json()),
    },
    EditableSetting {
        key: "cors.origins",
        flag: Some("cors-origins"),
        value_name: "LIST",
        about: "Origins whose pages may read the public API; * for all, empty for none",
        schema: list_schema,
        take: |it, json| assign(&mut it.cors_origins, parse_list(json, is_origin)),
        show: |it| json!(it.cors_origins),
    },
    EditableSetting {
        key: "cache.max_age",
        flag: Some("cache-max-age"),
        value_name: "SECONDS",
        about: "Seconds for which caches may reuse an anonymous answer without asking again",
        schema: || count_schema(0, SECONDS_MAX),
        take: |it, json| assign(&mut it.max_age_seconds, parse_count(json, 0, SECONDS_MAX)),
        show: |it| json!(it.max_age_seconds),
    },
    EditableSetting {
        key: "cache.stale_while_revalidate",
        flag: Some("cache-stale-while-revalidate"),
        value_name: "SECONDS",
        about: "Seconds after that for which caches may still use it while they ask again",
        schema: || count_schema(0, SECONDS_MAX),
        take: |it, json| {
            assign(&mut it.stale_while_revalidate_seconds, parse_count(json, 0, SECONDS_MAX))
        },
        show: |it| json!(it.stale_while_revalidate_seconds),
    },
    EditableSetting {
        key: "lists.max_limit",
        flag: Some("lists-max-limit"),
        value_name: "N",
        about: "The maximum number of entries or media files in a list; 0 for no limit",
        schema: || count_schema(0, WHOLE_MAX),
        take: |it, json| assign(&mut it.list_limit_max, parse_count(json, 0, WHOLE_MAX)),
        show: |it| json!(it.list_limit_max),
    },
    EditableSetting {
        key: "changes.approvals_required",
        flag: Some("changes-approvals-required"),
        value_name: "N",
        about: "The approvals that a release of entries needs before it is published; 0 for none",
        schema: || count_schema(0, APPROVALS_MAX),
        take: |it, json| assign(&mut it.approvals_required, parse_count(json, 0, APPROVALS_MAX)),
        show: |it| json!(it.approvals_required),
    },
    EditableSetting {
        key: "changes.author_may_approve",
        flag: Some("changes-author-may-approve"),
        value_name: "BOOL",
        about: "Whether people may approve releases that they worked on",
        schema: || json_schema!({ "type": "boolean" }),
        take: |it, json| assign(&mut it.author_may_approve, parse_flag(json)),
        show: |it| json!(it.author_may_approve),
    },
];

/// The key of the file with the problems that somebody has accepted.
const ACCEPTED_PROBLEMS: &str = "accepted_problems";

/// Returns the keys of the settings file, with dots for keys in groups.
pub fn file_keys() -> impl Iterator<Item = &'static str> + Clone {
    EDITABLE.iter().map(|it| it.key).chain([ACCEPTED_PROBLEMS])
}

/// Returns the value of a key in the file or in a body.
pub fn get_value<'m>(map: &'m Map, key: &str) -> Option<&'m Json> {
    match key.split_once('.') {
        Some((group, name)) => map.get(group)?.as_object()?.get(name),
        None => map.get(key),
    }
}

/// Returns the problems of groups of settings that are no objects.
pub fn find_wrong_groups(map: &Map) -> FieldProblems {
    let groups = EDITABLE.iter().filter_map(|it| Some(it.key.split_once('.')?.0));
    let mut input = ObjectReader::new(map);
    for group in groups.collect::<BTreeSet<_>>() {
        input.object(group);
    }
    input.into_problems()
}

/// The problem of a number of revisions that is none: a slip of whoever wrote it deletes nothing.
const WRONG_MAX_REVISIONS: &str = "This is not a number of revisions (0 for none, -1 for all). Until \
                                   you correct it, Recto keeps all revisions.";

/// Returns the problems of the values in the file that do not fit their settings, and are ignored.
pub fn find_wrong_values(file: &Map) -> FieldProblems {
    let mut wrong = find_wrong_groups(file);
    for row in EDITABLE {
        let json = get_value(file, row.key).filter(|it| **it != Json::Null);
        let taken = json.map(|it| (row.take)(&mut EditableSettings::default(), it));
        if let Some(Err(problems)) = taken {
            wrong.extend(problems.with_prefix(row.key));
        }
    }
    let mut ignored = FieldProblems::new();
    for (key, message) in wrong.iter() {
        match key {
            "max_revisions" => ignored.add(key, WRONG_MAX_REVISIONS),
            _ => ignored.add(key, format!("{message} The value is ignored.")),
        }
    }
    ignored
}

/// Assigns a parsed value to its place, or returns its error.
pub fn assign<T, P, E: From<P>>(place: &mut T, value: Result<T, P>) -> Result<(), E> {
    *place = value?;
    Ok(())
}

/// The settings file as stored; missing settings have their defaults.
#[derive(Clone, Debug, Default)]
pub struct SettingsRecord {
    file: Map,
}

impl SettingsRecord {
    /// Creates the settings from the content of the file.
    pub fn new(file: Map) -> SettingsRecord {
        SettingsRecord { file }
    }

    /// Returns the content of the file.
    pub fn file(&self) -> &Map {
        &self.file
    }

    /// Returns the configured workspace of requests that do not name one.
    pub fn default_workspace(&self) -> Option<WorkspaceSlug> {
        let slug = self.file.get("default_workspace").and_then(Json::as_str)?;
        WorkspaceSlug::parse(slug).ok()
    }

    /// Returns the number of days after which trash is purged; `None` means never.
    pub fn trash_retention_days(&self) -> Option<u32> {
        parse_retention(self.file.get("trash_retention_days")?).ok().flatten()
    }

    /// Returns the number of revisions kept per entry, if the file sets it.
    pub fn max_revisions(&self) -> Option<i64> {
        let json = self.file.get("max_revisions").filter(|it| **it != Json::Null)?;
        Some(parse_max_revisions(json).unwrap_or(REVISIONS_ALL))
    }
}

/// The size of the cache of variants unless something else is configured: 1 GiB.
const PICTURE_CACHE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The maximum length of the installation's name in characters.
const SITE_NAME_CHARS_MAX: usize = 100;

/// The longest retention: a hundred years.
const DAYS_MAX: u32 = 36_500;

/// The largest whole number of a setting. Numbers of this size are exact in every JSON.
const WHOLE_MAX: i64 = 999_999_999_999_999;

/// The longest time in seconds that is told to caches.
const SECONDS_MAX: i64 = (1 << 32) - 1;

/// The most approvals that can be required: more people than that review nothing together.
const APPROVALS_MAX: i64 = 10;

/// The maximum number of items of a list.
const ITEMS_MAX: usize = 200;

/// Parses the name of the installation.
fn parse_site_name(json: &Json) -> Result<String, Sentence> {
    let wrong = || wording::wrong_type(wording::STRING, json);
    let text = json.as_str().ok_or_else(wrong)?.trim();
    check_line(text, SITE_NAME_CHARS_MAX)?;
    Ok(text.to_string())
}

/// Parses a boolean, which may be given as a text.
fn parse_flag(json: &Json) -> Result<bool, String> {
    match json {
        Json::String(text) if text == "true" => Ok(true),
        Json::String(text) if text == "false" => Ok(false),
        json => json.as_bool().ok_or_else(|| wording::wrong_type(wording::BOOLEAN, json)),
    }
}

/// Parses a whole number, which may be given as a text.
fn parse_integer(json: &Json) -> Option<i64> {
    match json {
        // The largest number of a program stands for no limit in a file or a flag.
        Json::String(text) => text.trim().parse::<i64>().ok().map(|it| it.min(WHOLE_MAX)),
        json => {
            let whole = json.as_f64().filter(|it| it.fract() == 0.0).map(|it| it as i64);
            whole.filter(|it| (-WHOLE_MAX..=WHOLE_MAX).contains(it))
        }
    }
}

/// The number of revisions that means all of them.
const REVISIONS_ALL: i64 = -1;

/// Parses the number of revisions to keep.
fn parse_max_revisions(json: &Json) -> Result<i64, Sentence> {
    parse_count(json, REVISIONS_ALL, WHOLE_MAX)
}

/// Parses the number of days after which trash is purged; `null` means never. A text is refused:
/// what is deleted for good should not rest on a guess.
fn parse_retention(json: &Json) -> Result<Option<u32>, Sentence> {
    if *json == Json::Null {
        return Ok(None);
    }
    let days = json.as_f64().filter(|it| it.fract() == 0.0).map(|it| it as u32);
    let days = days.filter(|it| (1..=DAYS_MAX).contains(it));
    days.map(Some).ok_or_else(|| wording::not_whole_within(1, DAYS_MAX))
}

/// The schema of the variants that have names.
fn presets_schema() -> Schema {
    let side = json!({ "type": "integer", "minimum": 1, "maximum": variant::SIDE_MAX });
    json_schema!({
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": {
                "w": side,
                "h": side,
                "fit": { "type": "string", "enum": Fit::ALL.map(Fit::as_str) },
                "q": { "type": "integer", "minimum": 1, "maximum": 95 },
                "format": { "type": "string", "enum": ["auto", "jpeg", "webp", "png"] },
            },
        },
    })
}

/// Parses the name of a workspace.
fn parse_workspace(json: &Json) -> Result<String, String> {
    let slug = json.as_str().and_then(|it| WorkspaceSlug::parse(it).ok());
    slug.map(|it| it.to_string()).ok_or("This must be the name of a workspace.".to_string())
}

/// Parses a whole number from `least` to `most`.
fn parse_count<T: TryFrom<i64>>(json: &Json, least: i64, most: i64) -> Result<T, Sentence> {
    let number = parse_integer(json).filter(|it| (least..=most).contains(it));
    let number = number.and_then(|it| T::try_from(it).ok());
    number.ok_or_else(|| wording::not_whole_within(least, most))
}

fn count_schema(least: i64, most: i64) -> Schema {
    json_schema!({ "type": "integer", "minimum": least, "maximum": most })
}

/// Parses a list of texts that satisfy `is_one`. It may be a single text separated by commas.
fn parse_list(json: &Json, is_one: fn(&str) -> bool) -> Result<Vec<String>, Sentence> {
    let items: Option<Vec<&str>> = match json {
        Json::String(text) => Some(text.split(',').collect()),
        json => json.as_array().and_then(|it| it.iter().map(Json::as_str).collect()),
    };
    let items = items.ok_or_else(|| wording::not_strings(json))?;
    let items: Vec<&str> = items.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect();
    if items.len() > ITEMS_MAX {
        return Err(wording::too_many(ITEMS_MAX, "items"));
    }
    match items.iter().find(|it| !is_one(it)) {
        Some(wrong) => Err(sentence!("`{text}` is not valid here.", text = *wrong)),
        None => Ok(items.into_iter().map(str::to_string).collect()),
    }
}

fn list_schema() -> Schema {
    json_schema!({ "type": "array", "items": { "type": "string" }, "maxItems": ITEMS_MAX })
}

/// Returns true if a text is an origin like `https://example.org`, or `*` for all.
fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    text == "*" || rest.is_some_and(|it| !it.is_empty() && it.bytes().all(legal))
}

/// Returns true if a text is a MIME type, or a pattern like `image/*`.
fn is_mime(text: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-.+_".contains(&byte);
    let word = |part: &str| !part.is_empty() && part.bytes().all(legal);
    text.split_once('/').is_some_and(|(family, kind)| word(family) && (kind == "*" || word(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_whole_and_positive() {
        let check = |value: &str, expect: Option<u32>| {
            let json = Json::parse(format!(r#"{{"trash_retention_days":{value}}}"#).as_bytes());
            let Ok(Json::Object(map)) = json else { panic!("{value}") };
            assert_eq!(SettingsRecord::new(map).trash_retention_days(), expect, "{value}");
        };
        check("30", Some(30));
        check("null", None);
        check("0", None);
        check("-1", None);
        check("1.5", None);
        check("36500", Some(36_500));
        check("36501", None);
        check("1e300", None);
        check("\"30\"", None);
    }

    #[test]
    fn values_that_do_not_fit_their_settings_are_named() {
        let check = |file: &str, expect: &[&str]| {
            let Ok(Json::Object(map)) = Json::parse(file.as_bytes()) else { panic!("{file}") };
            let found = find_wrong_values(&map);
            let found: Vec<&str> = found.iter().map(|(key, _)| key).collect();
            assert_eq!(found, expect, "{file}");
        };
        check("{}", &[]);
        check(r#"{"max_revisions":"7","lists":{"max_limit":3},"colour":1,"site_name":null}"#, &[]);
        check(
            r#"{"max_revisions":"all","cache":{"max_age":-1}}"#,
            &["max_revisions", "cache.max_age"],
        );
        check(r#"{"max_revisions":-1}"#, &[]);
        check(r#"{"max_revisions":-2}"#, &["max_revisions"]);
        check(r#"{"cors":[],"lists":null,"site_name":1}"#, &["cors", "site_name"]);
    }

    #[test]
    fn numbers_have_an_upper_limit() {
        let check = |json: &str, most: i64, expect: Result<i64, &str>| {
            let json = Json::parse(json.as_bytes()).unwrap();
            let number = parse_count::<i64>(&json, 0, most);
            assert_eq!(number.map_err(|it| it.to_string()), expect.map_err(str::to_string));
        };
        let seconds = "This must be a whole number from 0 to 4294967295.";
        check("4294967295", SECONDS_MAX, Ok(SECONDS_MAX));
        check("4294967296", SECONDS_MAX, Err(seconds));
        check("\"4294967296\"", SECONDS_MAX, Err(seconds));
        check("-1", SECONDS_MAX, Err(seconds));
        let whole = "This must be a whole number from 0 to 999999999999999.";
        check("999999999999999", WHOLE_MAX, Ok(WHOLE_MAX));
        check("1e15", WHOLE_MAX, Err(whole));
        check("1e300", WHOLE_MAX, Err(whole));
        check("\"9223372036854775807\"", WHOLE_MAX, Ok(WHOLE_MAX));
    }

    #[test]
    fn origins_and_types() {
        for origin in ["*", "https://a.org", "http://localhost:3000", "http://[::1]:80"] {
            assert!(is_origin(origin), "{origin}");
        }
        for other in ["", "a.org", "https://", "https://a.org/", "https://u@a.org", "https://a b"] {
            assert!(!is_origin(other), "{other}");
        }
        assert!(is_mime("image/*") && is_mime("image/svg+xml"));
        for other in ["image", "image/", "/png", "*/*", "image/p*", "a/b/c", "a b/c"] {
            assert!(!is_mime(other), "{other}");
        }
    }
}
