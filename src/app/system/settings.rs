//! Settings as the interface shows and changes them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::system::live_settings::Settings;
use crate::app::system::settings_schema::describe_settings;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::settings::EDITABLE;
use crate::model::settings::EditableSetting;
use crate::model::settings::find_wrong_groups;
use crate::model::settings::get_value;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The settings on the wire.
#[derive(Debug)]
pub struct SettingsView {
    /// The settings.
    pub data: SettingsDocument,
    /// The metadata.
    pub meta: SettingsViewMeta,
}

/// The `meta` of the settings.
#[derive(Debug, Serialize)]
pub struct SettingsViewMeta {
    /// The settings that cannot be edited, with the source that sets them.
    pinned: BTreeMap<String, String>,
    /// The settings that take effect after a restart.
    after_restart: [&'static str; 0],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// All settings by their keys.
#[derive(Debug, Serialize)]
pub struct SettingsDocument(Json);

impl JsonSchema for SettingsDocument {
    fn schema_name() -> Cow<'static, str> {
        "Settings".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        describe_settings("The settings that people can change.", generator.contract())
    }
}

/// The settings to change, with the values to save.
pub struct SettingsInput {
    wanted: Vec<(&'static str, Json)>,
}

impl SettingsInput {
    /// Parses the values to save. All problems are reported.
    fn parse(app: &App, body: &Map) -> ParsedBody<SettingsInput> {
        let now = app.settings();
        let (mut problems, mut wanted) = (find_wrong_groups(body), Vec::new());
        let null = Json::Null;
        for row in EDITABLE {
            let of_group = resets_group(body, row.key).then_some(&null);
            let Some(json) = get_value(body, row.key).or(of_group) else { continue };
            let mut tried = now.editable.clone();
            let taken = match json {
                Json::Null => Ok(()),
                json => (row.take)(&mut tried, json),
            };
            // Values may be sent back as they were shown.
            let same = taken.is_ok() && (row.show)(&tried) == (row.show)(&now.editable);
            match (now.pinned.get(row.key), taken) {
                (Some(_), _) if same && (*json != Json::Null || is_null(row, &now)) => {}
                (Some(source), _) => {
                    problems.add(
                        row.key,
                        format!("This is set by {source} and cannot be changed here."),
                    );
                }
                (None, Err(found)) => problems.extend(found.with_prefix(row.key)),
                (None, Ok(())) if same && *json != Json::Null => {}
                (None, Ok(())) if *json == Json::Null => wanted.push((row.key, Json::Null)),
                (None, Ok(())) => wanted.push((row.key, (row.show)(&tried).into())),
            }
            let slug = json.as_str().filter(|_| row.key == "default_workspace" && !same);
            let is_there = |slug| {
                app.engine.workspace(slug).is_some_and(|it| !it.current_snapshot().meta.archived)
            };
            if slug.is_some_and(|it| !is_there(it)) && !problems.iter().any(|(it, _)| it == row.key)
            {
                problems.add(row.key, "There is no such workspace, or it is archived.");
            }
        }
        ParsedBody { values: SettingsInput { wanted }, problems }
    }
}

impl JsonSchema for SettingsInput {
    fn schema_name() -> Cow<'static, str> {
        "SettingsInput".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let about = "The settings to change; `null` restores a default, also of a whole group.";
        describe_settings(about, generator.contract())
    }
}

/// Returns the settings.
pub fn show(app: &App, caller: &Caller) -> Result<SettingsView> {
    let whole = Resource::Whole(Area::Settings);
    caller.check_permission("", Action::SettingsRead, &whole, &Facts::default())?;
    Ok(build_view(app, Vec::new()))
}

fn build_view(app: &App, warnings: Vec<String>) -> SettingsView {
    let settings = app.settings();
    let meta = SettingsViewMeta { pinned: settings.pinned.clone(), after_restart: [], warnings };
    SettingsView { data: SettingsDocument(settings.to_json()), meta }
}

/// Changes the given settings; `null` restores a default.
pub fn change(app: &App, by: &Requester, body: &Map) -> Result<SettingsView> {
    let whole = Resource::Whole(Area::Settings);
    let permit = by.check_permission("", Action::SettingsUpdate, &whole, &Facts::default())?;
    let input = SettingsInput::parse(app, body);
    let SettingsInput { wanted } = input.into_result().map_err(Error::invalid)?;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let before = staging.installation().settings().file().clone();
        let mut after = before.clone();
        // A missing value has its default already.
        let counts =
            |(key, json): &&(&str, Json)| *json != Json::Null || get_value(&before, key).is_some();
        wanted
            .iter()
            .filter(counts)
            .for_each(|(key, json)| put_value(&mut after, key, json.clone()));
        if after != before {
            let mut write = staging.write(&permit);
            write.write_record(&Key::Settings, &Json::Object(after))?;
            let subject = Subject::Only { subject: "settings".into() };
            write.add_event(EventKind::SettingsUpdated, subject);
        }
        Ok::<_, Error>(())
    })?;
    Ok(build_view(app, list_unknown_keys(body)))
}

/// Returns true if the body has `null` for the whole group of a setting.
fn resets_group(body: &Map, key: &str) -> bool {
    let reader = ObjectReader::new(body);
    key.split_once('.').is_some_and(|(group, _)| reader.member(group) == Some(&Json::Null))
}

fn is_null(row: &EditableSetting, now: &Settings) -> bool {
    (row.show)(&now.editable).is_null()
}

fn put_value(map: &mut Map, key: &str, json: Json) {
    let Some((group, name)) = key.split_once('.') else { return map.set(key, json) };
    let inner = map.get(group).and_then(Json::as_object).cloned();
    let mut inner = inner.unwrap_or_default();
    inner.set(name, json);
    map.set(group, Json::Object(inner));
}

/// Returns warnings about keys that are no setting.
fn list_unknown_keys(body: &Map) -> Vec<String> {
    let known = |key: &str| EDITABLE.iter().any(|it| it.key == key);
    let mut found = Vec::new();
    for (name, json) in ObjectReader::new(body).members() {
        let is_group = EDITABLE.iter().any(|it| it.key.split('.').next() == Some(name));
        match json.as_object() {
            Some(inner) if is_group && !known(name) => {
                let keys = inner.iter().map(|(key, _)| format!("{name}.{key}"));
                found.extend(keys.filter(|it| !known(it)));
            }
            _ if !known(name) && !is_group => found.push(name.to_string()),
            _ => {}
        }
    }
    found.into_iter().map(|it| format!("{it}: This is not a setting.")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn what_is_shown_can_be_taken() {
        let mut settings = Settings::default();
        settings.editable.trash_retention_days = Some(3);
        let Json::Object(shown) = settings.to_json() else { panic!() };
        for row in EDITABLE {
            let json = get_value(&shown, row.key).unwrap().clone();
            assert_eq!((row.take)(&mut settings.editable, &json), Ok(()), "{}", row.key);
        }
        assert!(list_unknown_keys(&shown).is_empty());
        let body = map(r#"{"site_name":"x","cache":{"max":1},"images":{"a":1},"other":{}}"#);
        let expect =
            ["cache.max", "images.a", "other"].map(|it| format!("{it}: This is not a setting."));
        assert_eq!(list_unknown_keys(&body), expect);
    }
}
