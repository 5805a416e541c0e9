//! The settings of an operator: those from the command line, the environment and `recto.toml` are
//! fixed while the server runs, and those edited in the interface apply from the next request on.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use arc_swap::ArcSwap;
use arc_swap::Guard;

use crate::app::jobs::scheduled_backups::BackupPlan;
use crate::app::jobs::updates::UpdateSettings;
use crate::engine::Engine;
use crate::model::settings::EDITABLE;
use crate::model::settings::EditableSettings;
use crate::model::settings::SettingsRecord;
use crate::model::settings::get_value;
use crate::query::request::include::IncludeLimits;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The settings of an operator.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The settings that people can change in the interface.
    pub editable: EditableSettings,
    /// The limits on the relations that one answer expands.
    pub include: IncludeLimits,
    /// The memory in bytes for finished list answers.
    pub list_cache_bytes: u64,
    /// The backups to make by themselves.
    pub backups: Option<BackupPlan>,
    /// The source of new versions.
    pub updates: UpdateSettings,
    /// True if webhooks may target this machine and its network.
    pub webhooks_allow_private: bool,
    /// Settings that cannot be edited, by key, and what says so.
    pub pinned: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            editable: EditableSettings::default(),
            include: IncludeLimits::default(),
            list_cache_bytes: 32 * 1024 * 1024,
            backups: None,
            updates: UpdateSettings::default(),
            webhooks_allow_private: false,
            pinned: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// With what the interface saved. What cannot be is left as it is here.
    fn with_record(&self, record: &SettingsRecord) -> Settings {
        let mut settings = self.clone();
        for row in EDITABLE.iter().filter(|it| !self.pinned.contains_key(it.key)) {
            if let Some(json) = get_value(record.file(), row.key).filter(|it| **it != Json::Null) {
                let _ = (row.take)(&mut settings.editable, json);
            }
        }
        settings
    }

    /// Returns the settings that the interface shows.
    pub(super) fn to_json(&self) -> Json {
        let mut json = Map::new();
        for row in EDITABLE {
            let shown = Json::from((row.show)(&self.editable));
            match row.key.split_once('.') {
                None => json.set(row.key, shown),
                Some((group, name)) => {
                    let mut map = json.get(group).and_then(Json::as_object).cloned();
                    let mut map = map.take().unwrap_or_default();
                    map.set(name, shown);
                    json.set(group, Json::Object(map));
                }
            }
        }
        Json::Object(json)
    }
}

/// The settings as they are now.
pub struct LiveSettings {
    /// The settings at the start of the server.
    base: Settings,
    current: ArcSwap<SettingsVersion>,
    versions: AtomicU64,
}

struct SettingsVersion {
    number: u64,
    record: Arc<SettingsRecord>,
    settings: Settings,
}

/// The settings at one moment.
pub struct CurrentSettings(Guard<Arc<SettingsVersion>>);

impl CurrentSettings {
    /// Returns what the interface saved when these settings were made.
    pub fn record(&self) -> &Arc<SettingsRecord> {
        &self.0.record
    }

    /// Another number for other settings.
    pub fn version(&self) -> u64 {
        self.0.number
    }
}

impl Deref for CurrentSettings {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.0.settings
    }
}

impl fmt::Debug for CurrentSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.settings.fmt(f)
    }
}

impl LiveSettings {
    /// With what was said at the start.
    pub fn new(base: Settings) -> LiveSettings {
        let record = Arc::<SettingsRecord>::default();
        let version = SettingsVersion { number: 0, record, settings: base.clone() };
        LiveSettings { base, current: ArcSwap::from_pointee(version), versions: AtomicU64::new(1) }
    }

    /// The settings as they are now: those of the start with what the file of the installation
    /// says.
    pub fn load_current(&self, engine: &Engine) -> CurrentSettings {
        let current = self.current.load();
        let installation = engine.installation();
        let record = installation.settings();
        if Arc::ptr_eq(record, &current.record) {
            return CurrentSettings(current);
        }
        let settings = self.base.with_record(record);
        let number = self.versions.fetch_add(1, Relaxed);
        let version = Arc::new(SettingsVersion { number, record: record.clone(), settings });
        self.current.store(version.clone());
        // What is stored by now may be older, from a thread that began before this one.
        CurrentSettings(Guard::from_inner(version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn what_the_interface_saved_counts_unless_it_is_pinned_or_wrong() {
        let mut base = Settings::default();
        base.pinned.insert("cache.max_age".to_string(), "flag --cache-max-age".to_string());
        let file = r#"{
            "site_name": "A", "max_revisions": -7, "trash_retention_days": 0,
            "cache": {"max_age": 60, "stale_while_revalidate": "30"},
            "cors": {"origins": ["https://a.org"]},
            "upload": {"max_bytes": -1, "allowed_types": "image/*, text/csv"},
            "lists": {"max_limit": null}
        }"#;
        let found = base.with_record(&SettingsRecord::new(map(file)));
        let mut expect = base.clone();
        expect.editable.site_name = "A".to_string();
        expect.editable.revisions_kept_max = -1;
        expect.editable.stale_while_revalidate_seconds = 30;
        expect.editable.cors_origins = vec!["https://a.org".to_string()];
        expect.editable.uploads.types = vec!["image/*".to_string(), "text/csv".to_string()];
        assert_eq!(found.to_json(), expect.to_json());
    }
}
