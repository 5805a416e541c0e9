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
use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::updates::UpdateSettings;
use crate::engine::Engine;
use crate::engine::REVISIONS_KEPT_MAX;
use crate::engine::system::SystemStaging;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::media::UploadRules;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::settings;
use crate::model::settings::SettingsRecord;
use crate::query::include::IncludeLimits;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

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
struct Row {
    /// Its key, with a dot where it is in a group.
    key: &'static str,
    /// Puts a value in its place, or says what is wrong with it.
    take: fn(&mut Settings, &Json) -> std::result::Result<(), String>,
    show: fn(&Settings) -> Json,
}

/// All of them, in the order they are shown.
const ROWS: &[Row] = &[
    Row {
        key: "site_name",
        take: |it, json| set(&mut it.site_name, settings::site_name(json)),
        show: |it| it.site_name.as_str().into(),
    },
    Row {
        key: "default_workspace",
        take: |it, json| {
            let slug = json.as_str().and_then(|it| WorkspaceSlug::parse(it).ok());
            let slug = slug.ok_or("This must be the name of a workspace.".to_string());
            set(&mut it.default_workspace, slug.map(|it| it.to_string()))
        },
        show: |it| it.default_workspace.as_str().into(),
    },
    Row {
        key: "max_revisions",
        take: |it, json| set(&mut it.revisions_kept_max, settings::revisions(json)),
        show: |it| Json::Number(it.revisions_kept_max.into()),
    },
    Row {
        key: "trash_retention_days",
        take: |it, json| set(&mut it.trash_retention_days, settings::days(json).map(Some)),
        show: |it| it.trash_retention_days.map_or(Json::Null, |it| Json::Number(it.into())),
    },
    Row {
        key: "upload.max_bytes",
        take: |it, json| set(&mut it.uploads.file_bytes_max, settings::count(json, 1)),
        show: |it| Json::Number(it.uploads.file_bytes_max.into()),
    },
    Row {
        key: "upload.allowed_types",
        take: |it, json| set(&mut it.uploads.types, settings::list(json, settings::is_mime)),
        show: |it| texts(&it.uploads.types),
    },
    Row {
        key: "cors.origins",
        take: |it, json| set(&mut it.cors_origins, settings::list(json, settings::is_origin)),
        show: |it| texts(&it.cors_origins),
    },
    Row {
        key: "cache.max_age",
        take: |it, json| set(&mut it.max_age_seconds, settings::count(json, 0)),
        show: |it| Json::Number(it.max_age_seconds.into()),
    },
    Row {
        key: "cache.stale_while_revalidate",
        take: |it, json| set(&mut it.stale_while_revalidate_seconds, settings::count(json, 0)),
        show: |it| Json::Number(it.stale_while_revalidate_seconds.into()),
    },
    Row {
        key: "lists.max_limit",
        take: |it, json| set(&mut it.list_limit_max, settings::count(json, 0)),
        show: |it| Json::Number((it.list_limit_max as u64).into()),
    },
];

/// Groups without a setting of their own yet: interfaces send them back as they got them.
const EMPTY_GROUPS: &[&str] = &["images"];

fn set<T>(place: &mut T, value: std::result::Result<T, String>) -> std::result::Result<(), String> {
    *place = value?;
    Ok(())
}

fn texts(list: &[String]) -> Json {
    Json::Array(list.iter().map(|it| it.as_str().into()).collect())
}

/// The value of a key in the file or in a body.
fn value<'m>(map: &'m Map, key: &str) -> Option<&'m Json> {
    match key.split_once('.') {
        Some((group, name)) => map.get(group)?.as_object()?.get(name),
        None => map.get(key),
    }
}

impl Settings {
    /// With what the interface saved. What cannot be is left as it is here.
    fn with(&self, record: &SettingsRecord) -> Settings {
        let mut settings = self.clone();
        for row in ROWS.iter().filter(|it| !self.pinned.contains_key(it.key)) {
            if let Some(json) = value(record.file(), row.key).filter(|it| **it != Json::Null) {
                let _ = (row.take)(&mut settings, json);
            }
        }
        settings
    }

    /// As the interface sees them.
    fn to_json(&self) -> Json {
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
pub struct Live {
    /// What was said at the start.
    base: Settings,
    current: ArcSwap<Version>,
    versions: AtomicU64,
}

struct Version {
    number: u64,
    record: Arc<SettingsRecord>,
    settings: Settings,
}

/// The settings at one moment.
pub struct Now(Guard<Arc<Version>>);

impl Now {
    /// Another number for other settings.
    pub fn version(&self) -> u64 {
        self.0.number
    }
}

impl Deref for Now {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.0.settings
    }
}

impl fmt::Debug for Now {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.settings.fmt(f)
    }
}

impl Live {
    /// With what was said at the start.
    pub fn new(base: Settings) -> Live {
        let record = Arc::<SettingsRecord>::default();
        let version = Version { number: 0, record, settings: base.clone() };
        Live { base, current: ArcSwap::from_pointee(version), versions: AtomicU64::new(1) }
    }

    /// The settings as they are now: those of the start with what the file of the installation says.
    pub fn now(&self, engine: &Engine) -> Now {
        let current = self.current.load();
        let installation = engine.installation();
        let record = installation.settings();
        if Arc::ptr_eq(record, &current.record) {
            return Now(current);
        }
        let settings = self.base.with(record);
        let number = self.versions.fetch_add(1, Relaxed);
        self.current.store(Arc::new(Version { number, record: record.clone(), settings }));
        Now(self.current.load())
    }
}

impl App {
    /// The settings as they are now.
    pub fn settings(&self) -> Now {
        self.live_settings.now(&self.engine)
    }
}

/// The settings on the wire.
#[derive(Debug)]
pub struct Shown {
    /// All of them.
    pub data: Json,
    /// Their circumstances.
    pub meta: ShownMeta,
}

/// What is said beside the settings.
#[derive(Debug, Serialize)]
pub struct ShownMeta {
    /// Those that cannot be edited here, and what says so.
    pinned: BTreeMap<String, String>,
    /// Those that count only after a new start.
    after_restart: [&'static str; 0],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// The settings.
pub fn show(app: &App, caller: &Caller) -> Result<Shown> {
    let whole = Resource::Whole(Area::Settings);
    caller.may("", Action::SettingsRead, &whole, &Facts::default())?;
    Ok(shown(app, Vec::new()))
}

fn shown(app: &App, warnings: Vec<String>) -> Shown {
    let settings = app.settings();
    let meta = ShownMeta { pinned: settings.pinned.clone(), after_restart: [], warnings };
    Shown { data: settings.to_json(), meta }
}

/// Changes those that are sent; `null` is the default again.
pub fn change(app: &App, by: &By, body: &Map) -> Result<Shown> {
    let whole = Resource::Whole(Area::Settings);
    by.caller.may("", Action::SettingsUpdate, &whole, &Facts::default())?;
    let wanted = wanted(app, body)?;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let before = staging.installation().settings().file().clone();
        let mut after = before.clone();
        // What is not there has its default already.
        let counts =
            |(key, json): &&(&str, Json)| *json != Json::Null || value(&before, key).is_some();
        wanted.iter().filter(counts).for_each(|(key, json)| put(&mut after, key, json.clone()));
        if after != before {
            staging.write(&Key::Settings, &Json::Object(after))?;
            let subject = Subject::Only { subject: "settings" };
            staging.tell(Event::by(&by.actor, EventKind::SettingsUpdated, subject));
        }
        Ok::<_, Error>(())
    })?;
    Ok(shown(app, unknown(body)))
}

/// The values that shall be saved, or everything that is wrong with what was sent.
fn wanted(app: &App, body: &Map) -> Result<Vec<(&'static str, Json)>> {
    let now = app.settings();
    let (mut problems, mut wanted) = (FieldProblems::new(), Vec::new());
    for group in ROWS.iter().filter_map(|it| it.key.split_once('.')).map(|(group, _)| group) {
        let sent = body.get(group).filter(|it| it.as_object().is_none() && **it != Json::Null);
        if sent.is_some() && !problems.iter().any(|(field, _)| field == group) {
            problems.add(group, "This must be an object.");
        }
    }
    for row in ROWS {
        let Some(json) = value(body, row.key) else { continue };
        let mut tried = now.clone();
        let taken = match json {
            Json::Null => Ok(()),
            json => (row.take)(&mut tried, json),
        };
        // What is shown may be sent back.
        let same = taken.is_ok() && (row.show)(&tried) == (row.show)(&now);
        match (now.pinned.get(row.key), taken) {
            (Some(_), _) if same && *json != Json::Null => {}
            (Some(source), _) => {
                problems
                    .add(row.key, format!("This is set by {source} and cannot be changed here."));
            }
            (None, Err(message)) => problems.add(row.key, message),
            (None, Ok(())) if same && *json != Json::Null => {}
            (None, Ok(())) if *json == Json::Null => wanted.push((row.key, Json::Null)),
            (None, Ok(())) => wanted.push((row.key, (row.show)(&tried))),
        }
        let slug = json.as_str().filter(|_| row.key == "default_workspace" && !same);
        let is_there =
            |slug| app.engine.workspace(slug).is_some_and(|it| !it.current().meta.archived);
        if slug.is_some_and(|it| !is_there(it)) && !problems.iter().any(|(it, _)| it == row.key) {
            problems.add(row.key, "There is no such workspace, or it is archived.");
        }
    }
    if problems.is_empty() { Ok(wanted) } else { Err(Error::invalid(problems)) }
}

fn put(map: &mut Map, key: &str, json: Json) {
    let Some((group, name)) = key.split_once('.') else { return map.set(key, json) };
    let inner = map.get(group).and_then(Json::as_object).cloned();
    let mut inner = inner.unwrap_or_default();
    inner.set(name, json);
    map.set(group, Json::Object(inner));
}

/// What was sent and is no setting.
fn unknown(body: &Map) -> Vec<String> {
    let known = |key: &str| ROWS.iter().any(|it| it.key == key);
    let mut found = Vec::new();
    for (name, json) in body.iter() {
        let is_group = ROWS.iter().any(|it| it.key.split('.').next() == Some(name))
            || EMPTY_GROUPS.contains(&name);
        match json.as_object() {
            Some(inner) if is_group && !known(name) => {
                let keys = inner.iter().map(|(key, _)| format!("{name}.{key}"));
                found.extend(keys.filter(|it| !known(it)));
            }
            _ if !known(name) && !is_group => found.push(name.to_string()),
            _ => {}
        }
    }
    found.into_iter().map(|it| format!("{it}: This is no setting.")).collect()
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
        let found = base.with(&SettingsRecord::new(map(file)));
        let mut expect = base.clone();
        expect.site_name = "A".to_string();
        expect.revisions_kept_max = -1;
        expect.stale_while_revalidate_seconds = 30;
        expect.cors_origins = vec!["https://a.org".to_string()];
        expect.uploads.types = vec!["image/*".to_string(), "text/csv".to_string()];
        assert_eq!(found.to_json(), expect.to_json());
    }

    #[test]
    fn what_is_shown_can_be_taken() {
        let mut settings = Settings { trash_retention_days: Some(3), ..Settings::default() };
        let Json::Object(shown) = settings.to_json() else { panic!() };
        for row in ROWS {
            let json = value(&shown, row.key).unwrap().clone();
            assert_eq!((row.take)(&mut settings, &json), Ok(()), "{}", row.key);
        }
        assert!(unknown(&shown).is_empty());
        let body = map(r#"{"site_name":"x","cache":{"max":1},"images":{"a":1},"other":{}}"#);
        let expect =
            ["cache.max", "images.a", "other"].map(|it| format!("{it}: This is no setting."));
        assert_eq!(unknown(&body), expect);
    }
}
