//! Collections of Directus. Collections that only connect others become fields with several values,
//! those with translations become locales.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::import::directus::directus_export::DirectusExport;
use crate::app::import::directus::directus_export::DirectusRelation;
use crate::app::import::directus::directus_export::get_meta;
use crate::app::import::directus::directus_export::text;
use crate::app::import::directus::directus_export::to_key;
use crate::app::import::directus::directus_fields::DirectusField;
use crate::app::import::directus::directus_fields::DirectusValue;
use crate::app::import::directus::directus_fields::Junction;
use crate::app::import::directus::directus_fields::plan_plain;
use crate::app::import::names::FieldNames;
use crate::app::import::names::FreeTypeNames;
use crate::app::import::report::SourcePlace;
use crate::app::import::type_outline::CountedRemarks;
use crate::app::import::type_outline::TypeOutline;
use crate::app::import::type_outline::begin_field;
use crate::model::field::label_from_name;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The fields that can be a title, best first.
const TITLES: &[&str] = &["title", "name", "label", "headline", "heading", "question", "subject"];

/// The specials of fields that Directus fills in.
const OWN_SPECIALS: &[&str] = &["date-created", "date-updated"];

/// The texts of a collection in other languages.
#[derive(Debug)]
pub(super) struct Translations {
    pub(super) junction: Junction,
    /// The field of the collection that shows them.
    pub(super) alias: String,
    pub(super) fields: Vec<DirectusField>,
    pub(super) has_title: bool,
    pub(super) has_slug: bool,
}

/// A collection with its counterpart here.
#[derive(Debug)]
pub(super) struct DirectusType {
    pub(super) collection: String,
    pub(super) place: SourcePlace,
    pub(super) outline: TypeOutline,
    pub(super) title: Option<String>,
    pub(super) slug: Option<String>,
    pub(super) status: Option<String>,
    pub(super) archived: Option<String>,
    pub(super) created: Option<String>,
    pub(super) updated: Option<String>,
    pub(super) fields: Vec<DirectusField>,
    pub(super) translations: Option<Translations>,
}

/// Plans all collections.
pub(super) fn plan_collections(
    export: &DirectusExport,
    remarks: &mut CountedRemarks,
) -> Vec<DirectusType> {
    let mut free = FreeTypeNames::default();
    let languages: BTreeSet<&str> = export
        .relations
        .iter()
        .filter(|it| is_translation(export, it))
        .filter_map(|it| find_forward(export, it)?.one.as_deref())
        .collect();
    let mut names = BTreeMap::new();
    for name in export.collections.keys() {
        let is_type = !export.is_junction(name) && !languages.contains(name.as_str());
        if is_type && let Some(free) = free.take(name) {
            names.insert(name.clone(), free);
        }
    }
    let mut planner = CollectionPlanner { export, remarks, names };
    let names: Vec<String> = planner.names.keys().cloned().collect();
    names.into_iter().filter_map(|it| planner.plan_collection(it)).collect()
}

/// Returns true if a relation leads from the texts of a collection in other languages to it.
fn is_translation(export: &DirectusExport, relation: &DirectusRelation) -> bool {
    let (Some(one), Some(alias)) = (&relation.one, &relation.one_field) else { return false };
    let field = export.fields(one).iter().find(|it| text(it, "field") == Some(alias));
    field.is_some_and(|it| {
        has_special(it, "translations")
            || get_meta(it, "interface").and_then(Json::as_str) == Some("translations")
    })
}

/// Returns the relation to the other end of a collection that connects two.
fn find_forward<'e>(
    export: &'e DirectusExport,
    back: &DirectusRelation,
) -> Option<&'e DirectusRelation> {
    let forward = back.junction_field.as_deref()?;
    export.relations.iter().find(|it| it.many == back.many && it.many_field == forward)
}

struct CollectionPlanner<'a> {
    export: &'a DirectusExport,
    remarks: &'a mut CountedRemarks,
    names: BTreeMap<String, TypeName>,
}

impl CollectionPlanner<'_> {
    fn plan_collection(&mut self, collection: String) -> Option<DirectusType> {
        let export = self.export;
        let info = export.collections.get(&collection)?;
        let name = self.names.get(&collection)?.clone();
        let place = export.place.with_field(collection.as_str());
        let meta = |key: &str| get_meta(info, key).and_then(Json::as_str);
        let own = export.fields(&collection);
        let find_special = |special: &str| {
            let field = own.iter().find(|it| has_special(it, special));
            field.and_then(|it| text(it, "field")).map(str::to_string)
        };
        let has = |wanted: &str| own.iter().any(|it| text(it, "field") == Some(wanted));
        let mut free = FieldNames::with_taken(&["title", "slug"]);
        let title = choose_title(own, meta("display_template"));
        let mut planned = DirectusType {
            place: place.clone(),
            outline: TypeOutline {
                name,
                label: label_from_name(&collection),
                is_singleton: get_meta(info, "singleton").and_then(Json::as_bool) == Some(true),
                is_private: true,
                locales: Vec::new(),
                title_label: title.as_deref().map(label_from_name),
                fields: Vec::new(),
            },
            slug: Some("slug".to_string()).filter(|it| has(it)),
            status: meta("archive_field")
                .or(Some("status"))
                .filter(|it| has(it))
                .map(str::to_string),
            archived: meta("archive_value").map(str::to_string),
            created: find_special("date-created"),
            updated: find_special("date-updated"),
            fields: Vec::new(),
            translations: None,
            title,
            collection,
        };
        let message = "Who may read a collection is not part of the export, so types are private.";
        self.remarks.add_altered(&place, message);
        self.plan_translations(&mut planned, &mut free);
        self.plan_fields(&mut planned, &mut free);
        Some(planned)
    }

    /// Plans the fields of the collection itself.
    fn plan_fields(&mut self, planned: &mut DirectusType, free: &mut FieldNames) {
        let export = self.export;
        let key_field = export.key_field(&planned.collection);
        let alias = planned.translations.as_ref().map(|it| it.alias.clone());
        for field in export.fields(&planned.collection) {
            let Some(key) = text(field, "field") else { continue };
            let named = [&planned.title, &planned.slug, &planned.status, &alias];
            let is_own = OWN_SPECIALS.iter().any(|it| has_special(field, it));
            if key == key_field || is_own || named.iter().any(|it| it.as_deref() == Some(key)) {
                continue;
            }
            let place = planned.place.with_field(format!("{}.{key}", planned.collection));
            let found = self.plan_field(&place, &planned.collection, key, field);
            let Some((value, mut definition)) = found else { continue };
            add_flags(field, &mut definition);
            if planned.translations.is_some() {
                definition.push("localized", false);
            }
            let Some(name) = free.take(key) else { continue };
            planned.outline.fields.push((name.clone(), definition));
            planned.fields.push(DirectusField { key: key.to_string(), name, value });
        }
    }

    /// Plans the fields that have a value for each language.
    fn plan_translations(&mut self, planned: &mut DirectusType, free: &mut FieldNames) {
        let export = self.export;
        let of_collection = |it: &&DirectusRelation| {
            it.one.as_deref() == Some(&planned.collection) && is_translation(export, it)
        };
        let Some(back) = export.relations.iter().find(of_collection) else { return };
        let (Some(forward), Some(alias)) = (find_forward(export, back), &back.one_field) else {
            return;
        };
        let junction = to_junction(back, forward);
        planned.outline.locales = self.list_locales(&junction, forward.one.as_deref());
        let own = export.fields(&back.many);
        let skipped = [export.key_field(&back.many), &junction.back, &junction.forward];
        let in_texts = choose_title(own, None).filter(|_| planned.title.is_none());
        if in_texts.is_some() {
            planned.outline.title_label = in_texts.as_deref().map(label_from_name);
        }
        let mut fields = Vec::new();
        for field in own {
            let Some(key) = text(field, "field").filter(|it| !skipped.contains(it)) else {
                continue;
            };
            let is_slug = key == "slug" && planned.slug.is_none();
            if in_texts.as_deref() == Some(key) || is_slug {
                continue;
            }
            let place = planned.place.with_field(format!("{}.{key}", back.many));
            let found = self.plan_field(&place, &back.many, key, field);
            let Some((value, mut definition)) = found else { continue };
            add_flags(field, &mut definition);
            let Some(name) = free.take(key) else { continue };
            planned.outline.fields.push((name.clone(), definition));
            fields.push(DirectusField { key: key.to_string(), name, value });
        }
        let has_slug =
            planned.slug.is_none() && own.iter().any(|it| text(it, "field") == Some("slug"));
        if in_texts.is_some() {
            planned.title.clone_from(&in_texts);
        }
        if has_slug {
            planned.slug = Some("slug".to_string());
        }
        let (alias, has_title) = (alias.clone(), in_texts.is_some());
        planned.translations = Some(Translations { junction, alias, fields, has_title, has_slug });
    }

    /// Lists the languages: in the order of their collection, then as the texts have them.
    fn list_locales(&self, junction: &Junction, languages: Option<&str>) -> Vec<String> {
        let mut codes: Vec<String> = Vec::new();
        let key_field = languages.map_or("code", |it| self.export.key_field(it));
        let all = languages.map(|it| self.export.items(it)).unwrap_or_default().iter();
        let all = all.filter_map(|it| to_key(it.map.get(key_field)?, key_field));
        let rows = self.export.items(&junction.collection).iter();
        let used = rows.filter_map(|it| to_key(it.map.get(&junction.forward)?, key_field));
        for code in all.chain(used) {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        codes
    }

    /// Plans a field: how its values are read, and its definition.
    fn plan_field(
        &mut self,
        place: &SourcePlace,
        collection: &str,
        key: &str,
        field: &Map,
    ) -> Option<(DirectusValue, Map)> {
        let export = self.export;
        let forward =
            export.relations.iter().find(|it| it.many == collection && it.many_field == key);
        if let Some(relation) = forward {
            let one = relation.one.as_deref().unwrap_or_default();
            return self.plan_target(place, key, one, None);
        }
        let shown = |it: &&DirectusRelation| {
            it.one.as_deref() == Some(collection) && it.one_field.as_deref() == Some(key)
        };
        if let Some(back) = export.relations.iter().find(shown) {
            return self.plan_connection(place, key, back);
        }
        let words = || {
            let rows = export.items(collection).iter().filter_map(|it| it.map.get(key));
            let words: BTreeSet<String> = rows.flat_map(list_words).collect();
            words.into_iter().map(Json::from).collect()
        };
        let planned = plan_plain(field, &words, 0);
        if planned.is_none() && text(field, "type") != Some("alias") {
            self.remarks.add_skipped(place, "Fields with secrets or bytes are left out.");
        }
        planned
    }

    /// Plans a field that refers to one item, or by a junction to several.
    fn plan_target(
        &mut self,
        place: &SourcePlace,
        key: &str,
        one: &str,
        junction: Option<Junction>,
    ) -> Option<(DirectusValue, Map)> {
        let label = label_from_name(key);
        let is_multiple = junction.is_some();
        let with_multiple = |mut definition: Map| {
            if is_multiple {
                definition.push("multiple", true);
            }
            definition
        };
        if one == "directus_files" {
            let value = junction.map_or(DirectusValue::File, DirectusValue::Files);
            return Some((value, with_multiple(begin_field("media", &label))));
        }
        let Some(target) = self.names.get(one) else {
            let message = match one.strip_prefix("directus_") {
                Some(what) => format!("References to {what} of Directus are left out."),
                None => {
                    "References to other collections than those of entries are left out.".into()
                }
            };
            self.remarks.add_skipped(place, message);
            return None;
        };
        let mut definition = begin_field("relation", &label);
        definition.push("target", target.as_str());
        let value = match junction {
            Some(junction) => DirectusValue::Items(junction, one.to_string()),
            None => DirectusValue::Item(one.to_string()),
        };
        Some((value, with_multiple(definition)))
    }

    /// Plans a field that shows what refers to its item.
    fn plan_connection(
        &mut self,
        place: &SourcePlace,
        key: &str,
        back: &DirectusRelation,
    ) -> Option<(DirectusValue, Map)> {
        let Some(forward) = find_forward(self.export, back) else {
            let message = format!(
                "It is the other side of `{}` of `{}`, so it is left out.",
                back.many_field, back.many
            );
            self.remarks.add_skipped(place, message);
            return None;
        };
        let junction = to_junction(back, forward);
        if junction.of.is_none() {
            let one = forward.one.as_deref().unwrap_or_default();
            return self.plan_target(place, key, one, Some(junction));
        }
        let mut blocks = Map::new();
        for name in forward.one_allowed.iter().filter_map(|it| self.names.get(it)) {
            let mut relation = begin_field("relation", "Entry");
            relation.push("target", name.as_str());
            let (mut block, mut fields) = (Map::new(), Map::new());
            fields.push("entry", relation);
            block.push("label", label_from_name(name));
            block.push("fields", fields);
            blocks.push(name.as_str(), block);
        }
        let mut definition = begin_field("blocks", &label_from_name(key));
        definition.push("blocks", blocks);
        let message =
            "A field with items of several collections becomes blocks with a relation each.";
        self.remarks.add_altered(place, message);
        Some((DirectusValue::AnyItems(junction), definition))
    }
}

fn to_junction(back: &DirectusRelation, forward: &DirectusRelation) -> Junction {
    Junction {
        collection: back.many.clone(),
        back: back.many_field.clone(),
        forward: forward.many_field.clone(),
        of: forward.one_collection_field.clone(),
        sort: back.sort_field.clone(),
    }
}

/// Returns the words of a value: a list, or a text with commas.
pub(super) fn list_words(value: &Json) -> Vec<String> {
    let text = |it: &str| it.trim().to_string();
    match value {
        Json::Array(items) => items.iter().filter_map(Json::as_str).map(text).collect(),
        Json::String(list) if list.starts_with('[') => match Json::parse(list.as_bytes()) {
            Ok(parsed @ Json::Array(_)) => list_words(&parsed),
            _ => Vec::new(),
        },
        Json::String(list) => list.split(',').map(text).filter(|it| !it.is_empty()).collect(),
        _ => Vec::new(),
    }
}

/// Chooses the field that becomes the title: the first of the template by which people know items,
/// else one with a usual name.
fn choose_title(fields: &[Map], template: Option<&str>) -> Option<String> {
    let is_line = |wanted: &str| {
        fields.iter().any(|it| {
            let is_text = matches!(text(it, "type"), Some("string" | "text"));
            text(it, "field") == Some(wanted) && is_text
        })
    };
    let shown =
        template.and_then(|it| it.split_once("{{")?.1.split_once("}}")).map(|it| it.0.trim());
    let known = || TITLES.iter().copied().find(|it| is_line(it));
    let title = if is_line("title") { Some("title") } else { shown.filter(|it| is_line(it)) };
    title.or_else(known).map(str::to_string)
}

fn add_flags(field: &Map, definition: &mut Map) {
    let flag = |key: &str| get_meta(field, key).and_then(Json::as_bool) == Some(true);
    if flag("required") {
        definition.push("required", true);
    }
    if let Some(note) = get_meta(field, "note").and_then(Json::as_str).filter(|it| !it.is_empty()) {
        definition.push("description", note);
    }
}

fn has_special(field: &Map, special: &str) -> bool {
    let specials = get_meta(field, "special").and_then(Json::as_array).unwrap_or_default();
    specials.iter().any(|it| it.as_str() == Some(special))
}
