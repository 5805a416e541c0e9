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
        let days = self.file.get("trash_retention_days").and_then(Json::as_f64)?;
        // Written by hand it may be anything.
        (days.fract() == 0.0 && (1.0..=36_500.0).contains(&days)).then_some(days as u32)
    }
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
}
