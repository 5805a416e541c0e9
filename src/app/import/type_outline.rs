//! The content type that one of another system becomes, and the values of its entries by locale.

use std::collections::BTreeMap;

use crate::app::import::import_set::ImportedEntry;
use crate::app::import::import_set::ImportedType;
use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::model::entry::TITLE_CHARS_MAX;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The content type that one of another system becomes.
#[derive(Clone, Debug)]
pub(super) struct TypeOutline {
    pub(super) name: TypeName,
    pub(super) label: String,
    pub(super) is_singleton: bool,
    /// True if only readers with a grant see its entries.
    pub(super) is_private: bool,
    /// The locales, the default one first; empty if it is not localized.
    pub(super) locales: Vec<String>,
    /// The label of the title, if it has a name of its own.
    pub(super) title_label: Option<String>,
    /// The fields beside title and slug.
    pub(super) fields: Vec<(FieldName, Map)>,
}

impl TypeOutline {
    /// Returns the definition, as a request that creates the type has it.
    pub(super) fn to_imported(&self, place: SourcePlace) -> ImportedType {
        let mut map = Map::new();
        map.push("name", self.name.as_str());
        map.push("label", self.label.as_str());
        if self.is_singleton {
            map.push("singleton", true);
        }
        if !self.locales.is_empty() {
            map.push("locales", self.locales.iter().cloned().map(Json::from).collect::<Vec<_>>());
        }
        if self.is_private {
            map.push("visibility", "private");
        }
        let mut fields = Map::new();
        let mut title = begin_field("text", self.title_label.as_deref().unwrap_or("Title"));
        title.push("required", true);
        fields.push("title", title);
        for (name, definition) in &self.fields {
            fields.push(name.as_str(), definition.clone());
        }
        map.push("fields", fields);
        ImportedType { name: self.name.clone(), definition: map, place }
    }

    /// Returns the locale of the values at the root of entries: that of the type of the workspace
    /// if there is one.
    pub(super) fn root_locale(&self, snapshot: &Snapshot) -> Option<String> {
        match snapshot.get(self.name.as_str()) {
            Some(index) => index.content_type.root_locale.as_ref().map(|it| it.to_string()),
            None => self.locales.first().cloned(),
        }
    }

    /// Returns true if the values of a field differ by locale.
    pub(super) fn is_localized(&self, name: &str) -> bool {
        let field = self.fields.iter().find(|(it, _)| it.as_str() == name);
        field.is_none_or(|(_, map)| map.get("localized").and_then(Json::as_bool) != Some(false))
    }
}

/// Returns the beginning of a definition.
pub(super) fn begin_field(kind: &str, label: &str) -> Map {
    let mut map = Map::new();
    map.push("type", kind);
    if !label.is_empty() {
        map.push("label", label);
    }
    map
}

/// Returns the definition of a choice.
pub(super) fn begin_select(label: &str, options: Vec<Json>, is_multiple: bool) -> Map {
    let mut map = begin_field("select", label);
    if is_multiple {
        map.push("multiple", true);
    }
    map.push("options", options);
    map
}

/// The values of an entry in one locale.
#[derive(Clone, Debug, Default)]
pub(super) struct LocaleValues {
    /// The locale; `None` if the type is not localized.
    pub(super) locale: Option<String>,
    pub(super) title: Option<String>,
    pub(super) data: Map,
}

/// Puts values into an entry: those of the root locale at its root, the others into translations.
/// `other` is the title of an entry without one.
pub(super) fn put_values(
    entry: &mut ImportedEntry,
    outline: &TypeOutline,
    root: Option<&str>,
    values: Vec<LocaleValues>,
    other: &str,
) {
    let of_root = values.iter().position(|it| it.locale.as_deref() == root || root.is_none());
    let first = values.get(of_root.unwrap_or_default());
    let titles = values.iter().filter_map(|it| it.title.as_deref());
    let title = first.and_then(|it| it.title.as_deref()).or_else(|| titles.into_iter().next());
    let cut = |text: &str| text.trim().chars().take(TITLE_CHARS_MAX).collect::<String>();
    let title = title.map(cut).filter(|it| !it.is_empty());
    entry.values.set("title", Json::from(title.unwrap_or_else(|| other.to_string())));
    let mut data = Map::new();
    for (name, value) in first.iter().flat_map(|it| it.data.iter()) {
        if of_root.is_some() || !outline.is_localized(name) {
            data.push(name, value.clone());
        }
    }
    let mut translations = Map::new();
    for (index, values) in values.iter().enumerate() {
        let Some(locale) = values.locale.as_deref().filter(|_| Some(index) != of_root) else {
            continue;
        };
        if root.is_none() {
            continue;
        }
        let mut translation = Map::new();
        if let Some(title) = values.title.as_deref().map(cut).filter(|it| !it.is_empty()) {
            translation.push("title", title);
        }
        let own = values
            .data
            .iter()
            .filter(|(name, value)| outline.is_localized(name) && !value.is_empty());
        let own: Map = own.map(|(name, value)| (name.to_string(), value.clone())).collect();
        translation.push("data", own);
        translations.push(locale, translation);
    }
    entry.values.set("data", Json::Object(data));
    if !translations.is_empty() {
        entry.values.set("translations", Json::Object(translations));
    }
}

/// Remarks that hold for many places: each is said once, with the first place and their number.
#[derive(Debug, Default)]
pub(super) struct CountedRemarks {
    /// The places of each remark. True stands for those about what is left out.
    remarks: BTreeMap<(bool, String), (SourcePlace, usize)>,
}

impl CountedRemarks {
    /// Adds a place of something that is left out.
    pub(super) fn add_skipped(&mut self, place: &SourcePlace, message: impl Into<String>) {
        self.add(true, place, message.into());
    }

    /// Adds a place of something that is imported differently.
    pub(super) fn add_altered(&mut self, place: &SourcePlace, message: impl Into<String>) {
        self.add(false, place, message.into());
    }

    fn add(&mut self, is_skipped: bool, place: &SourcePlace, message: String) {
        let known = self.remarks.entry((is_skipped, message));
        known.or_insert_with(|| (place.clone(), 0)).1 += 1;
    }

    /// Adds the remarks to a report.
    pub(super) fn add_to(self, report: &mut ImportReport) {
        for ((is_skipped, message), (place, number)) in self.remarks {
            let more = if number > 1 { format!(" ({number} times)") } else { String::new() };
            match is_skipped {
                true => report.add_skipped(place, message + &more),
                false => report.add_altered(place, message + &more),
            }
        }
    }
}
