//! The file of an export of a space.

use std::collections::HashMap;

use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::source::ImportSource;
use crate::store::source::TEXT_BYTES_MAX;

/// The export of a space.
pub(super) struct SpaceExport {
    pub(super) place: SourcePlace,
    map: Map,
    /// The locales, the default one first.
    pub(super) locales: Vec<String>,
    /// The positions of entries, by id.
    entries: HashMap<String, usize>,
    /// The positions of assets, by id.
    assets: HashMap<String, usize>,
}

impl SpaceExport {
    /// Reads the export of a source. Returns `None` if there is none, or one that is broken.
    pub(super) fn read(
        source: &dyn ImportSource,
        report: &mut ImportReport,
    ) -> Option<SpaceExport> {
        let mut found: Option<SpaceExport> = None;
        for file in source.files() {
            let is_inside = file.path.contains("ctfassets.net/");
            if is_inside || !file.path.to_ascii_lowercase().ends_with(".json") {
                continue;
            }
            let place = SourcePlace::of_file(&file.path);
            let read = source.read_text(&file.path, TEXT_BYTES_MAX);
            let parsed = match read {
                Ok(text) => Json::parse(text.as_bytes()),
                Err(error) => {
                    report.add_problem(place, format!("The file cannot be read: {error}."));
                    continue;
                }
            };
            match parsed {
                Ok(Json::Object(map)) if map.contains("contentTypes") => {
                    if found.is_some() {
                        let message = "This is another export; import each one by itself.";
                        report.add_problem(place, message);
                    } else {
                        found = Some(SpaceExport::new(place, map));
                    }
                }
                Ok(_) => report.add_skipped(place, "It has no `contentTypes`."),
                Err(error) => {
                    let message = format!("This is not JSON: {}.", error.message);
                    report.add_problem(place.with_line(u64::from(error.line)), message);
                }
            }
        }
        found.filter(|_| report.problems.is_empty())
    }

    fn new(place: SourcePlace, map: Map) -> SpaceExport {
        let mut export = SpaceExport {
            place,
            map,
            locales: Vec::new(),
            entries: HashMap::new(),
            assets: HashMap::new(),
        };
        let code = |it: &Map| it.get("code").and_then(Json::as_str).map(str::to_string);
        let is_default = |it: &&&Map| it.get("default").and_then(Json::as_bool) == Some(true);
        let all = export.list("locales");
        let default = all.iter().find(is_default).or(all.first()).and_then(|it| code(it));
        let default = default.unwrap_or_else(|| "en-US".to_string());
        let mut locales: Vec<String> = all.iter().filter_map(|it| code(it)).collect();
        locales.retain(|it| *it != default);
        locales.insert(0, default);
        let index = |key: &str| {
            let items = export.map.get(key).and_then(Json::as_array).unwrap_or_default();
            let items = items.iter().enumerate();
            items.filter_map(|(at, it)| Some((get_link(it)?.to_string(), at))).collect()
        };
        let (entries, assets) = (index("entries"), index("assets"));
        (export.locales, export.entries, export.assets) = (locales, entries, assets);
        export
    }

    /// Returns the objects of a part of the export.
    pub(super) fn list(&self, key: &str) -> Vec<&Map> {
        let items = self.map.get(key).and_then(Json::as_array).unwrap_or_default();
        items.iter().filter_map(Json::as_object).collect()
    }

    /// Returns an entry.
    pub(super) fn entry(&self, id: &str) -> Option<&Map> {
        self.item("entries", *self.entries.get(id)?)
    }

    /// Returns an asset.
    pub(super) fn asset(&self, id: &str) -> Option<&Map> {
        self.item("assets", *self.assets.get(id)?)
    }

    fn item(&self, key: &str, at: usize) -> Option<&Map> {
        self.map.get(key)?.as_array()?.get(at)?.as_object()
    }

    /// Returns the input of a field, such as `markdown` or `slugEditor`.
    pub(super) fn widget(&self, type_id: &str, field: &str) -> Option<&str> {
        let of_type = |it: &&Map| {
            let of = it.get("sys").and_then(|it| it.as_object()?.get("contentType"));
            of.and_then(get_link) == Some(type_id)
        };
        let items = self.map.get("editorInterfaces").and_then(Json::as_array).unwrap_or_default();
        let form = items.iter().filter_map(Json::as_object).find(of_type)?;
        let controls = form.get("controls").and_then(Json::as_array).unwrap_or_default();
        let mut controls = controls.iter().filter_map(Json::as_object);
        let control =
            controls.find(|it| it.get("fieldId").and_then(Json::as_str) == Some(field))?;
        control.get("widgetId").and_then(Json::as_str)
    }

    /// Returns the value of a field of an entry or asset in a locale.
    pub(super) fn value<'m>(&self, item: &'m Map, field: &str, locale: &str) -> Option<&'m Json> {
        item.get("fields")?.as_object()?.get(field)?.as_object()?.get(locale)
    }

    /// Returns the value of a field in the default locale, else in the first that has one.
    pub(super) fn any_value<'m>(&self, item: &'m Map, field: &str) -> Option<&'m Json> {
        let mut values = self.locales.iter().filter_map(|it| self.value(item, field, it));
        values.find(|it| !it.is_empty())
    }
}

/// Returns the id of an entry, an asset or a type.
pub(super) fn get_id(item: &Map) -> Option<&str> {
    item.get("sys")?.as_object()?.get("id")?.as_str()
}

/// Returns the id that a link leads to.
pub(super) fn get_link(value: &Json) -> Option<&str> {
    get_id(value.as_object()?)
}

/// Returns a member of `sys`.
pub(super) fn get_sys<'m>(item: &'m Map, key: &str) -> Option<&'m Json> {
    item.get("sys")?.as_object()?.get(key)
}

/// Returns the id of the type of an entry.
pub(super) fn get_type_id(entry: &Map) -> Option<&str> {
    get_link(get_sys(entry, "contentType")?)
}
