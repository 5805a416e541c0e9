//! Content types of Contentful. A field that refers to entries of several types becomes blocks.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use regex::Regex;

use crate::app::import::contentful::space_export::SpaceExport;
use crate::app::import::contentful::space_export::get_id;
use crate::app::import::contentful::space_export::get_link;
use crate::app::import::contentful::space_export::get_type_id;
use crate::app::import::names::FieldNames;
use crate::app::import::names::FreeTypeNames;
use crate::app::import::report::SourcePlace;
use crate::app::import::type_outline::CountedRemarks;
use crate::app::import::type_outline::TypeOutline;
use crate::app::import::type_outline::begin_field;
use crate::app::import::type_outline::begin_select;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::parse_date;

/// The MIME types of the groups of assets; the others have no type of their own.
const FILE_GROUPS: &[(&str, &str)] = &[
    ("image", "image/*"),
    ("audio", "audio/*"),
    ("video", "video/*"),
    ("plaintext", "text/plain"),
    ("pdfdocument", "application/pdf"),
];

/// The value of a field.
#[derive(Debug, PartialEq)]
pub(super) enum SpaceValue {
    Plain,
    Day,
    Time,
    RichText,
    Media(bool),
    /// Entries of the type with this id; true if there can be several.
    Relation(String, bool),
    /// Entries of several types: their names by id.
    Blocks(BTreeMap<String, TypeName>),
}

/// A field with its counterpart here.
#[derive(Debug)]
pub(super) struct SpaceField {
    pub(super) id: String,
    pub(super) name: FieldName,
    pub(super) is_localized: bool,
    pub(super) value: SpaceValue,
}

/// A content type with its counterpart here.
#[derive(Debug)]
pub(super) struct SpaceType {
    pub(super) id: String,
    pub(super) place: SourcePlace,
    pub(super) outline: TypeOutline,
    /// The field that is the title.
    pub(super) title: Option<String>,
    /// The field that is the slug.
    pub(super) slug: Option<String>,
    pub(super) fields: Vec<SpaceField>,
}

/// Plans all content types.
pub(super) fn plan_types(export: &SpaceExport, remarks: &mut CountedRemarks) -> Vec<SpaceType> {
    let mut free = FreeTypeNames::default();
    let mut names = BTreeMap::new();
    for of in export.list("contentTypes") {
        if let Some(id) = get_id(of)
            && let Some(name) = free.take(id)
        {
            names.insert(id.to_string(), name);
        }
    }
    let mut planner = SpaceTypePlanner { export, remarks, names };
    export.list("contentTypes").into_iter().filter_map(|it| planner.plan_type(it)).collect()
}

struct SpaceTypePlanner<'a> {
    export: &'a SpaceExport,
    remarks: &'a mut CountedRemarks,
    names: BTreeMap<String, TypeName>,
}

impl SpaceTypePlanner<'_> {
    fn plan_type(&mut self, of: &Map) -> Option<SpaceType> {
        let id = get_id(of)?.to_string();
        let name = self.names.get(&id)?.clone();
        let place = self.export.place.with_field(format!("contentTypes.{id}"));
        let fields = of.get("fields").and_then(Json::as_array).unwrap_or_default();
        let fields: Vec<&Map> = fields.iter().filter_map(Json::as_object).collect();
        let is_line = |it: &&&Map| matches!(text(it, "type"), Some("Symbol" | "Text"));
        let find = |wanted: &str| fields.iter().find(|it| text(it, "id") == Some(wanted));
        let display = text(of, "displayField").and_then(find).filter(is_line);
        let title = display.or_else(|| fields.iter().find(|it| text(it, "type") == Some("Symbol")));
        let title = title.and_then(|it| text(it, "id")).map(str::to_string);
        let is_slug = |it: &&&Map| {
            let field = text(it, "id").unwrap_or_default();
            self.export.widget(&id, field) == Some("slugEditor") || field == "slug"
        };
        let slug = fields.iter().filter(|it| text(it, "type") == Some("Symbol")).find(is_slug);
        let slug = slug.and_then(|it| text(it, "id")).map(str::to_string);
        let slug = slug.filter(|it| title.as_ref() != Some(it));
        let is_localized = fields.iter().any(|it| flag(it, "localized"));
        let label = title.as_deref().and_then(find).and_then(|it| text(it, "name"));
        let mut outline = TypeOutline {
            name,
            label: text(of, "name").unwrap_or(&id).to_string(),
            is_singleton: false,
            is_private: false,
            locales: if is_localized { self.export.locales.clone() } else { Vec::new() },
            title_label: label.map(str::to_string),
            fields: Vec::new(),
        };
        let mut free = FieldNames::with_taken(&["title", "slug"]);
        let mut planned = Vec::new();
        for field in fields {
            let key = text(field, "id").unwrap_or_default();
            if title.as_deref() == Some(key) || slug.as_deref() == Some(key) {
                continue;
            }
            let place = place.with_field(format!("contentTypes.{id}.{key}"));
            let found = self.plan_field(&place, &id, key, field);
            let Some((value, mut definition)) = found else { continue };
            let is_localized = flag(field, "localized");
            for (is_set, name, value) in [
                (flag(field, "required"), "required", true),
                (flag(field, "disabled"), "hidden", true),
                (!outline.locales.is_empty() && !is_localized, "localized", false),
            ] {
                if is_set {
                    definition.push(name, value);
                }
            }
            let Some(name) = free.take(key) else { continue };
            outline.fields.push((name.clone(), definition));
            planned.push(SpaceField { id: key.to_string(), name, is_localized, value });
        }
        Some(SpaceType { id, place, outline, title, slug, fields: planned })
    }

    /// Plans a field: how its values are read, and its definition.
    fn plan_field(
        &mut self,
        place: &SourcePlace,
        type_id: &str,
        key: &str,
        field: &Map,
    ) -> Option<(SpaceValue, Map)> {
        let label = text(field, "name").unwrap_or(key);
        let items = field.get("items").and_then(Json::as_object);
        let is_list = text(field, "type") == Some("Array");
        let inner = if is_list { items? } else { field };
        let options = find_rule(inner, "in").and_then(Json::as_array).filter(|it| !it.is_empty());
        let plain = |definition| Some((SpaceValue::Plain, definition));
        if let Some(options) = options {
            return plain(begin_select(label, options.to_vec(), is_list));
        }
        match (text(inner, "type")?, text(inner, "linkType")) {
            ("Link", Some("Asset")) => {
                Some((SpaceValue::Media(is_list), plan_media(label, inner, is_list)))
            }
            ("Link", Some("Entry")) => self.plan_links(place, type_id, key, label, inner, is_list),
            ("Symbol", _) if is_list => {
                plain(begin_select(label, self.list_words(type_id, key), true))
            }
            ("Symbol", _) => plain(plan_text("text", label, field)),
            ("Text", _) => {
                let is_plain = self.export.widget(type_id, key).is_some_and(|it| it != "markdown");
                let kind = if is_plain { "textarea" } else { "markdown" };
                plain(plan_text(kind, label, field))
            }
            ("RichText", _) => Some((SpaceValue::RichText, begin_field("markdown", label))),
            ("Integer" | "Number", _) => plain(plan_number(label, field)),
            ("Boolean", _) => plain(begin_field("boolean", label)),
            ("Object", _) => plain(begin_field("json", label)),
            ("Date", _) => {
                let mut values = self.list_values(type_id, key);
                match values.all(|it| it.as_str().is_some_and(|it| parse_date(it).is_some())) {
                    true => Some((SpaceValue::Day, begin_field("date", label))),
                    false => Some((SpaceValue::Time, begin_field("datetime", label))),
                }
            }
            ("Location", _) => {
                let (mut definition, mut parts) = (begin_field("object", label), Map::new());
                for (name, label) in [("lat", "Latitude"), ("lon", "Longitude")] {
                    parts.push(name, begin_field("number", label));
                }
                definition.push("fields", parts);
                plain(definition)
            }
            (kind, _) => {
                let message = format!("Fields of the type `{kind}` are left out.");
                self.remarks.add_skipped(place, message);
                None
            }
        }
    }

    /// Plans a field with entries: a relation to the type that it allows, or that its values have,
    /// else blocks.
    fn plan_links(
        &mut self,
        place: &SourcePlace,
        type_id: &str,
        key: &str,
        label: &str,
        inner: &Map,
        is_list: bool,
    ) -> Option<(SpaceValue, Map)> {
        let allowed = find_rule(inner, "linkContentType");
        let allowed: BTreeSet<&str> = match allowed {
            Some(Json::Array(items)) => items.iter().filter_map(Json::as_str).collect(),
            Some(Json::String(one)) => BTreeSet::from([one.as_str()]),
            _ => BTreeSet::new(),
        };
        let targets = self.list_values(type_id, key);
        let used = targets.filter_map(|it| get_type_id(self.export.entry(get_link(it)?)?));
        let used: BTreeSet<&str> = used.collect();
        let wanted = if used.len() == 1 && allowed.len() != 1 { &used } else { &allowed };
        let wanted = if wanted.is_empty() { &used } else { wanted };
        let known = wanted.iter().filter_map(|it| Some(((*it).to_string(), self.names.get(*it)?)));
        let known: BTreeMap<String, TypeName> =
            known.map(|(id, name)| (id, name.clone())).collect();
        if let (1, Some((id, name))) = (known.len(), known.first_key_value()) {
            let mut definition = begin_field("relation", label);
            definition.push("target", name.as_str());
            if is_list {
                definition.push("multiple", true);
            }
            return Some((SpaceValue::Relation(id.clone(), is_list), definition));
        }
        if known.is_empty() {
            let message = "No entry has a value, and no type is named: the field is left out.";
            self.remarks.add_skipped(place, message);
            return None;
        }
        let mut blocks = Map::new();
        for name in known.values() {
            let mut relation = begin_field("relation", "Entry");
            relation.push("target", name.as_str());
            let (mut block, mut fields) = (Map::new(), Map::new());
            fields.push("entry", relation);
            block.push("label", name.as_str());
            block.push("fields", fields);
            blocks.push(name.as_str(), block);
        }
        let mut definition = begin_field("blocks", label);
        definition.push("blocks", blocks);
        let message = "A field with entries of several types becomes blocks with a relation each.";
        self.remarks.add_altered(place, message);
        Some((SpaceValue::Blocks(known), definition))
    }

    /// Lists the values of a field in all entries and locales, those of lists one by one.
    fn list_values(&self, type_id: &str, key: &str) -> impl Iterator<Item = &Json> {
        let entries = self.export.list("entries").into_iter();
        let mut found: Vec<&Json> = Vec::new();
        for entry in entries.filter(|it| get_type_id(it) == Some(type_id)) {
            let values = entry.get("fields").and_then(|it| it.as_object()?.get(key)?.as_object());
            for (_, value) in values.into_iter().flat_map(|it| it.iter()) {
                match value {
                    Json::Array(items) => found.extend(items),
                    empty if empty.is_empty() => {}
                    value => found.push(value),
                }
            }
        }
        found.into_iter()
    }

    /// Lists the words that entries have in a list without options.
    fn list_words(&self, type_id: &str, key: &str) -> Vec<Json> {
        let words: BTreeSet<&str> =
            self.list_values(type_id, key).filter_map(Json::as_str).collect();
        words.into_iter().map(|it| Json::from(it.trim())).filter(|it| !it.is_empty()).collect()
    }
}

fn plan_media(label: &str, inner: &Map, is_list: bool) -> Map {
    let mut definition = begin_field("media", label);
    if is_list {
        definition.push("multiple", true);
    }
    let groups = find_rule(inner, "linkMimetypeGroup").and_then(Json::as_array).unwrap_or_default();
    let mime = |it: &Json| {
        let found = FILE_GROUPS.iter().find(|(group, _)| it.as_str() == Some(group));
        found.map(|(_, mime)| Json::from(*mime))
    };
    let accepted: Option<Vec<Json>> = groups.iter().map(mime).collect();
    if let Some(accepted) = accepted.filter(|it| !it.is_empty()) {
        definition.push("accept", accepted);
    }
    definition
}

fn plan_text(kind: &str, label: &str, field: &Map) -> Map {
    let mut definition = begin_field(kind, label);
    let size = find_rule(field, "size").and_then(Json::as_object);
    for (from, to) in [("min", "min_length"), ("max", "max_length")] {
        if let Some(value) = size.and_then(|it| it.get(from)).filter(|it| !it.is_empty()) {
            definition.push(to, value.clone());
        }
    }
    let pattern =
        find_rule(field, "regexp").and_then(|it| it.as_object()?.get("pattern")?.as_str());
    if let Some(pattern) = pattern.filter(|it| Regex::new(it).is_ok()) {
        definition.push("pattern", pattern);
    }
    if kind == "text" && find_rule(field, "unique").and_then(Json::as_bool) == Some(true) {
        definition.push("unique", true);
    }
    definition
}

fn plan_number(label: &str, field: &Map) -> Map {
    let mut definition = begin_field("number", label);
    if text(field, "type") == Some("Integer") {
        definition.push("integer", true);
    }
    let range = find_rule(field, "range").and_then(Json::as_object);
    for key in ["min", "max"] {
        if let Some(value) = range.and_then(|it| it.get(key)).filter(|it| !it.is_empty()) {
            definition.push(key, value.clone());
        }
    }
    definition
}

/// Returns the value of a validation.
fn find_rule<'m>(field: &'m Map, name: &str) -> Option<&'m Json> {
    let rules = field.get("validations")?.as_array()?;
    rules.iter().find_map(|it| it.as_object()?.get(name))
}

fn text<'m>(map: &'m Map, key: &str) -> Option<&'m str> {
    map.get(key).and_then(Json::as_str)
}

fn flag(map: &Map, key: &str) -> bool {
    map.get(key).and_then(Json::as_bool) == Some(true)
}
