//! Settings of the installation that can be changed in the interface: `system/settings.json`.

use crate::model::name::WorkspaceSlug;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The keys of the file, with dots for keys in groups. `images` is a group without settings so far;
/// clients send it back as they received it.
pub const KEYS: &[&str] = &[
    "site_name",
    "default_workspace",
    "max_revisions",
    "trash_retention_days",
    "upload.max_bytes",
    "upload.allowed_types",
    "cors.origins",
    "cache.max_age",
    "cache.stale_while_revalidate",
    "lists.max_limit",
    "images",
    "accepted_problems",
];

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

    /// Returns the name of the installation; empty if it has none.
    pub fn site_name(&self) -> &str {
        self.file.get("site_name").and_then(Json::as_str).unwrap_or_default()
    }

    /// Returns the configured workspace of requests that do not name one.
    pub fn default_workspace(&self) -> Option<WorkspaceSlug> {
        let slug = self.file.get("default_workspace").and_then(Json::as_str)?;
        WorkspaceSlug::parse(slug).ok()
    }

    /// Returns the number of days after which trash is purged; `None` means never.
    pub fn trash_retention_days(&self) -> Option<u32> {
        parse_days(self.file.get("trash_retention_days")?).ok()
    }

    /// Returns the number of revisions kept per entry, if the file sets it.
    pub fn max_revisions(&self) -> Option<i64> {
        parse_max_revisions(self.file.get("max_revisions")?).ok()
    }
}

/// The maximum length of the installation's name in characters.
const SITE_NAME_CHARS_MAX: usize = 100;

/// The maximum number of items of a list.
const ITEMS_MAX: usize = 200;

/// Parses the name of the installation.
pub fn parse_site_name(json: &Json) -> Result<String, String> {
    let text = json.as_str().map(str::trim).ok_or("This must be a text.")?;
    if text.chars().count() > SITE_NAME_CHARS_MAX || text.chars().any(char::is_control) {
        return Err(format!("This must be one line of at most {SITE_NAME_CHARS_MAX} characters."));
    }
    Ok(text.to_string())
}

/// Parses a whole number, which may be given as a text.
fn parse_integer(json: &Json) -> Option<i64> {
    match json {
        Json::String(text) => text.trim().parse().ok(),
        json => json.as_f64().filter(|it| it.fract() == 0.0 && it.abs() < 1e15).map(|it| it as i64),
    }
}

/// Parses the number of revisions to keep; any negative number means all.
pub fn parse_max_revisions(json: &Json) -> Result<i64, String> {
    let number = parse_integer(json).map(|it| it.max(-1));
    number.ok_or("This must be a whole number; -1 keeps all, 0 none.".to_string())
}

/// Parses a number of days.
pub fn parse_days(json: &Json) -> Result<u32, String> {
    let days = json.as_f64().filter(|it| it.fract() == 0.0 && (1.0..=36_500.0).contains(it));
    days.map(|it| it as u32).ok_or("This must be a whole number of days, 1 or more.".to_string())
}

/// Parses a whole number that is at least `least`.
pub fn parse_count<T: TryFrom<i64>>(json: &Json, least: i64) -> Result<T, String> {
    let number = parse_integer(json).filter(|it| *it >= least).and_then(|it| T::try_from(it).ok());
    number.ok_or(format!("This must be a whole number, {least} or more."))
}

/// Parses a list of texts that satisfy `is_one`. It may be a single text separated by commas.
pub fn parse_list(json: &Json, is_one: fn(&str) -> bool) -> Result<Vec<String>, String> {
    let items: Option<Vec<&str>> = match json {
        Json::String(text) => Some(text.split(',').collect()),
        json => json.as_array().and_then(|it| it.iter().map(Json::as_str).collect()),
    };
    let items = items.ok_or("This must be a list of texts.")?;
    let items: Vec<&str> = items.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect();
    if items.len() > ITEMS_MAX {
        return Err(format!("There may be at most {ITEMS_MAX}."));
    }
    match items.iter().find(|it| !is_one(it)) {
        Some(wrong) => Err(format!("`{wrong}` cannot stand here.")),
        None => Ok(items.into_iter().map(str::to_string).collect()),
    }
}

/// Returns true if a text is an origin like `https://example.org`, or `*` for all.
pub fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    text == "*" || rest.is_some_and(|it| !it.is_empty() && it.bytes().all(legal))
}

/// Returns true if a text is a MIME type, or a pattern like `image/*`.
pub fn is_mime(text: &str) -> bool {
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
        check("1e300", None);
        check("\"30\"", None);
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
