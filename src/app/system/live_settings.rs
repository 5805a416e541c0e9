//! What an operator can decide: what the command line, the environment and `recto.toml` say is fixed
//! while the server runs, and what the interface edits counts from the next request on.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use arc_swap::ArcSwap;
use arc_swap::Guard;

use crate::app::jobs::updates::UpdateSettings;
use crate::engine::Engine;
use crate::engine::REVISIONS_KEPT_MAX;
use crate::model::media::UploadRules;
use crate::model::name::WorkspaceSlug;
use crate::model::settings;
use crate::model::settings::SettingsRecord;
use crate::query::request::include::IncludeLimits;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// What an operator decided.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What people call the installation.
    pub site_name: String,
    /// The workspace that is meant when none is named.
    pub default_workspace: String,
    /// How many revisions of an entry are kept; 0 for none, -1 for all.
    pub revisions_kept_max: i64,
    /// After how many days trash is purged; never without.
    pub trash_retention_days: Option<u32>,
    /// Which files may be uploaded.
    pub uploads: UploadRules,
    /// Origins whose pages may read the public API; `*` for all.
    pub cors_origins: Vec<String>,
    /// How long caches may keep public answers without asking, in seconds.
    pub max_age_seconds: u32,
    /// How long after that they may use them while they ask, in seconds.
    pub stale_while_revalidate_seconds: u32,
    /// Lists give at most this many entries; 0 for no limit.
    pub list_limit_max: usize,
    /// How much one answer may expand.
    pub include: IncludeLimits,
    /// How many bytes of finished list answers are kept.
    pub list_cache_bytes: u64,
    /// Where new versions come from.
    pub updates: UpdateSettings,
    /// Whether webhooks may lead to this machine and its network.
    pub webhooks_allow_private: bool,
    /// Settings that cannot be edited, by key, and what says so.
    pub pinned: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            site_name: String::new(),
            default_workspace: "default".to_string(),
            revisions_kept_max: REVISIONS_KEPT_MAX,
            trash_retention_days: None,
            uploads: UploadRules::default(),
            cors_origins: vec!["*".to_string()],
            max_age_seconds: 0,
            stale_while_revalidate_seconds: 0,
            list_limit_max: 0,
            include: IncludeLimits::default(),
            list_cache_bytes: 32 * 1024 * 1024,
            updates: UpdateSettings::default(),
            webhooks_allow_private: false,
            pinned: BTreeMap::new(),
        }
    }
}

/// A setting that the interface edits.
pub(super) struct SettingRow {
    /// Its key, with a dot where it is in a group.
    pub(super) key: &'static str,
    /// Puts a value in its place, or says what is wrong with it.
    pub(super) take: fn(&mut Settings, &Json) -> std::result::Result<(), String>,
    pub(super) show: fn(&Settings) -> Json,
}

/// All of them, in the order they are shown.
pub(super) const ROWS: &[SettingRow] = &[
    SettingRow {
        key: "site_name",
        take: |it, json| set_parsed(&mut it.site_name, settings::parse_site_name(json)),
        show: |it| it.site_name.as_str().into(),
    },
    SettingRow {
        key: "default_workspace",
        take: |it, json| {
            let slug = json.as_str().and_then(|it| WorkspaceSlug::parse(it).ok());
            let slug = slug.ok_or("This must be the name of a workspace.".to_string());
            set_parsed(&mut it.default_workspace, slug.map(|it| it.to_string()))
        },
        show: |it| it.default_workspace.as_str().into(),
    },
    SettingRow {
        key: "max_revisions",
        take: |it, json| {
            set_parsed(&mut it.revisions_kept_max, settings::parse_max_revisions(json))
        },
        show: |it| Json::Number(it.revisions_kept_max.into()),
    },
    SettingRow {
        key: "trash_retention_days",
        take: |it, json| {
            set_parsed(&mut it.trash_retention_days, settings::parse_days(json).map(Some))
        },
        show: |it| it.trash_retention_days.map_or(Json::Null, |it| Json::Number(it.into())),
    },
    SettingRow {
        key: "upload.max_bytes",
        take: |it, json| set_parsed(&mut it.uploads.file_bytes_max, settings::parse_count(json, 1)),
        show: |it| Json::Number(it.uploads.file_bytes_max.into()),
    },
    SettingRow {
        key: "upload.allowed_types",
        take: |it, json| {
            set_parsed(&mut it.uploads.types, settings::parse_list(json, settings::is_mime))
        },
        show: |it| texts_to_json(&it.uploads.types),
    },
    SettingRow {
        key: "cors.origins",
        take: |it, json| {
            set_parsed(&mut it.cors_origins, settings::parse_list(json, settings::is_origin))
        },
        show: |it| texts_to_json(&it.cors_origins),
    },
    SettingRow {
        key: "cache.max_age",
        take: |it, json| set_parsed(&mut it.max_age_seconds, settings::parse_count(json, 0)),
        show: |it| Json::Number(it.max_age_seconds.into()),
    },
    SettingRow {
        key: "cache.stale_while_revalidate",
        take: |it, json| {
            set_parsed(&mut it.stale_while_revalidate_seconds, settings::parse_count(json, 0))
        },
        show: |it| Json::Number(it.stale_while_revalidate_seconds.into()),
    },
    SettingRow {
        key: "lists.max_limit",
        take: |it, json| set_parsed(&mut it.list_limit_max, settings::parse_count(json, 0)),
        show: |it| Json::Number((it.list_limit_max as u64).into()),
    },
];

/// Groups without a setting of their own yet: interfaces send them back as they got them.
pub(super) const EMPTY_GROUPS: &[&str] = &["images"];

fn set_parsed<T>(
    place: &mut T,
    value: std::result::Result<T, String>,
) -> std::result::Result<(), String> {
    *place = value?;
    Ok(())
}

fn texts_to_json(list: &[String]) -> Json {
    Json::Array(list.iter().map(|it| it.as_str().into()).collect())
}

/// The value of a key in the file or in a body.
pub(super) fn get_value<'m>(map: &'m Map, key: &str) -> Option<&'m Json> {
    match key.split_once('.') {
        Some((group, name)) => map.get(group)?.as_object()?.get(name),
        None => map.get(key),
    }
}

impl Settings {
    /// With what the interface saved. What cannot be is left as it is here.
    fn with_record(&self, record: &SettingsRecord) -> Settings {
        let mut settings = self.clone();
        for row in ROWS.iter().filter(|it| !self.pinned.contains_key(it.key)) {
            if let Some(json) = get_value(record.file(), row.key).filter(|it| **it != Json::Null) {
                let _ = (row.take)(&mut settings, json);
            }
        }
        settings
    }

    /// As the interface sees them.
    pub(super) fn to_json(&self) -> Json {
        let mut json = Map::new();
        for row in ROWS {
            let shown = (row.show)(self);
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
        EMPTY_GROUPS.iter().for_each(|it| json.set(it, Json::Object(Map::new())));
        Json::Object(json)
    }
}

/// The settings as they are now.
pub struct LiveSettings {
    /// What was said at the start.
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

    /// The settings as they are now: those of the start with what the file of the installation says.
    pub fn load_current(&self, engine: &Engine) -> CurrentSettings {
        let current = self.current.load();
        let installation = engine.installation();
        let record = installation.settings();
        if Arc::ptr_eq(record, &current.record) {
            return CurrentSettings(current);
        }
        let settings = self.base.with_record(record);
        let number = self.versions.fetch_add(1, Relaxed);
        self.current.store(Arc::new(SettingsVersion { number, record: record.clone(), settings }));
        CurrentSettings(self.current.load())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> Map {
        match Json::parse(text.as_bytes()) {
            Ok(Json::Object(map)) => map,
            other => panic!("{other:?}"),
        }
    }

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
        expect.site_name = "A".to_string();
        expect.revisions_kept_max = -1;
        expect.stale_while_revalidate_seconds = 30;
        expect.cors_origins = vec!["https://a.org".to_string()];
        expect.uploads.types = vec!["image/*".to_string(), "text/csv".to_string()];
        assert_eq!(found.to_json(), expect.to_json());
    }
}
