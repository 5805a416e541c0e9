//! What the interface lets people decide for the whole installation: `system/settings.json`.

use crate::model::name::WorkspaceSlug;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The settings file as it is; what is missing has its default.
#[derive(Clone, Debug, Default)]
pub struct SettingsRecord {
    file: Map,
}

impl SettingsRecord {
    /// Takes the content of the file.
    pub fn new(file: Map) -> SettingsRecord {
        SettingsRecord { file }
    }

    /// The content of the file.
    pub fn file(&self) -> &Map {
        &self.file
    }

    /// What people call the installation; empty until they do.
    pub fn site_name(&self) -> &str {
        self.file.get("site_name").and_then(Json::as_str).unwrap_or_default()
    }

    /// The workspace that is meant when none is named, as configured.
    pub fn default_workspace(&self) -> Option<WorkspaceSlug> {
        let slug = self.file.get("default_workspace").and_then(Json::as_str)?;
        WorkspaceSlug::parse(slug).ok()
    }

    /// After how many days trash is purged; never without.
    pub fn trash_retention_days(&self) -> Option<u32> {
        days(self.file.get("trash_retention_days")?).ok()
    }

    /// How many revisions of an entry are kept, if the file says so.
    pub fn max_revisions(&self) -> Option<i64> {
        revisions(self.file.get("max_revisions")?).ok()
    }
}

/// How long the name of an installation may be, in characters.
const SITE_NAME_CHARS_MAX: usize = 100;

/// How many items a list may have.
const ITEMS_MAX: usize = 200;

/// A name for people.
pub fn site_name(json: &Json) -> Result<String, String> {
    let text = json.as_str().map(str::trim).ok_or("This must be a text.")?;
    if text.chars().count() > SITE_NAME_CHARS_MAX || text.chars().any(char::is_control) {
        return Err(format!("This must be one line of at most {SITE_NAME_CHARS_MAX} characters."));
    }
    Ok(text.to_string())
}

/// A whole number; one that is written as a text counts as well.
fn whole(json: &Json) -> Option<i64> {
    match json {
        Json::String(text) => text.trim().parse().ok(),
        json => json.as_f64().filter(|it| it.fract() == 0.0 && it.abs() < 1e15).map(|it| it as i64),
    }
}

/// How many revisions are kept: any negative number is all of them.
pub fn revisions(json: &Json) -> Result<i64, String> {
    let number = whole(json).map(|it| it.max(-1));
    number.ok_or("This must be a whole number; -1 keeps all, 0 none.".to_string())
}

/// After how many days.
pub fn days(json: &Json) -> Result<u32, String> {
    let days = json.as_f64().filter(|it| it.fract() == 0.0 && (1.0..=36_500.0).contains(it));
    days.map(|it| it as u32).ok_or("This must be a whole number of days, 1 or more.".to_string())
}

/// A whole number from the given one on.
pub fn count<T: TryFrom<i64>>(json: &Json, least: i64) -> Result<T, String> {
    let number = whole(json).filter(|it| *it >= least).and_then(|it| T::try_from(it).ok());
    number.ok_or(format!("This must be a whole number, {least} or more."))
}

/// A list of texts, each of which is as it must be; with commas between them it may be one text.
pub fn list(json: &Json, is_one: fn(&str) -> bool) -> Result<Vec<String>, String> {
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

/// Whether a text is an origin, like `https://example.org`, or `*` for all.
pub fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    text == "*" || rest.is_some_and(|it| !it.is_empty() && it.bytes().all(legal))
}

/// Whether a text is a MIME type, or a family of them like `image/*`.
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
