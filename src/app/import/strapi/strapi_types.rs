//! Content types of Strapi. Components become objects and repeaters, dynamic zones become blocks.

use std::collections::BTreeMap;

use regex::Regex;

use crate::app::import::names::FieldNames;
use crate::app::import::names::FreeTypeNames;
use crate::app::import::report::SourcePlace;
use crate::app::import::strapi::export_files::StrapiExport;
use crate::app::import::type_outline::CountedRemarks;
use crate::app::import::type_outline::TypeOutline;
use crate::app::import::type_outline::begin_field;
use crate::model::field::label_from_name;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;

/// The attributes that Strapi adds to every type.
const OWN: &[&str] = &[
    "id",
    "documentId",
    "createdAt",
    "updatedAt",
    "publishedAt",
    "createdBy",
    "updatedBy",
    "locale",
    "localizations",
    "strapi_stage",
    "strapi_assignee",
    "strapi_id",
];

/// The attributes that can be a title, best first.
const TITLES: &[&str] = &["title", "name", "label", "headline", "heading", "question", "subject"];

/// The deepest nesting of components.
const DEPTH_MAX: usize = 5;

/// The kinds of files of a media attribute that have a MIME type.
const FILE_KINDS: &[(&str, &str)] =
    &[("images", "image/*"), ("videos", "video/*"), ("audios", "audio/*")];

/// The value of an attribute.
#[derive(Debug)]
pub(super) enum StrapiValue {
    /// A value that is the same here.
    Plain,
    /// A text of blocks, which becomes Markdown.
    RichText,
    Media,
    /// Entries of a type; true if there can be several.
    Relation(bool),
    /// A component.
    Object(String, Vec<StrapiAttribute>),
    /// A list of a component.
    Rows(String, Vec<StrapiAttribute>),
    /// A dynamic zone: the names and attributes by component.
    Blocks(BTreeMap<String, (String, Vec<StrapiAttribute>)>),
}

/// An attribute with the field that it becomes.
#[derive(Debug)]
pub(super) struct StrapiAttribute {
    pub(super) key: String,
    pub(super) name: FieldName,
    pub(super) value: StrapiValue,
}

/// A content type with its counterpart here.
#[derive(Debug)]
pub(super) struct StrapiType {
    pub(super) uid: String,
    pub(super) place: SourcePlace,
    pub(super) outline: TypeOutline,
    /// The attribute that is the title.
    pub(super) title: Option<String>,
    /// The attribute that is the slug.
    pub(super) slug: Option<String>,
    pub(super) attributes: Vec<StrapiAttribute>,
    /// True if entries can be drafts.
    pub(super) has_drafts: bool,
}

/// The definitions of the fields of a component.
type Definitions = Vec<(FieldName, Map)>;

/// The planner of content types.
pub(super) struct TypePlanner<'a> {
    export: &'a StrapiExport,
    remarks: &'a mut CountedRemarks,
    names: BTreeMap<String, TypeName>,
}

impl<'a> TypePlanner<'a> {
    /// Creates a planner, and gives each type its name.
    pub(super) fn new(
        export: &'a StrapiExport,
        remarks: &'a mut CountedRemarks,
    ) -> TypePlanner<'a> {
        let mut free = FreeTypeNames::default();
        let mut names = BTreeMap::new();
        for (uid, schema) in &export.schemas {
            let info = |key: &str| schema.map.get("info")?.as_object()?.get(key)?.as_str();
            let is_single = schema.map.get("kind").and_then(Json::as_str) == Some("singleType");
            let key = if is_single { "singularName" } else { "pluralName" };
            let wanted = info(key).or_else(|| uid.rsplit('.').next()).unwrap_or_default();
            if uid.starts_with("api::")
                && let Some(name) = free.take(wanted)
            {
                names.insert(uid.clone(), name);
            }
        }
        TypePlanner { export, remarks, names }
    }

    /// Plans all content types.
    pub(super) fn plan(mut self) -> Vec<StrapiType> {
        let names: Vec<(String, TypeName)> =
            self.names.iter().map(|(uid, name)| (uid.clone(), name.clone())).collect();
        names.into_iter().filter_map(|(uid, name)| self.plan_type(uid, name)).collect()
    }

    fn plan_type(&mut self, uid: String, name: TypeName) -> Option<StrapiType> {
        let schema = self.export.schemas.get(&uid)?;
        let place = schema.place.with_field(uid.as_str());
        let attributes = schema.map.get("attributes").and_then(Json::as_object)?;
        let member = |key: &str| schema.map.get(key).and_then(Json::as_object);
        let label = member("info").and_then(|it| it.get("displayName")?.as_str());
        let is_singleton = schema.map.get("kind").and_then(Json::as_str) == Some("singleType");
        let title = self.choose_title(&uid, attributes);
        let slug = attributes.iter().find(|(_, it)| get(it, "type") == Some("uid"));
        let slug = slug.or_else(|| {
            attributes.iter().find(|(key, it)| *key == "slug" && get(it, "type") == Some("string"))
        });
        let slug = slug.map(|(key, _)| key.to_string()).filter(|_| !is_singleton);
        let has_locales = is_localized(&schema.map);
        let mut outline = TypeOutline {
            label: label.map_or_else(|| label_from_name(&name), str::to_string),
            name,
            is_singleton,
            is_private: !self.export.is_public(&uid),
            locales: if has_locales { self.list_locales(&uid) } else { Vec::new() },
            title_label: title.as_deref().map(label_from_name),
            fields: Vec::new(),
        };
        if outline.is_private {
            let message = "The public role may not read it, so the type is private.";
            self.remarks.add_altered(&place, message);
        }
        let mut free = FieldNames::with_taken(&["title", "slug"]);
        let mut planned = Vec::new();
        for (key, attribute) in attributes.iter() {
            let is_taken = title.as_deref() == Some(key) || slug.as_deref() == Some(key);
            let Some(map) = attribute.as_object().filter(|_| !is_taken && !OWN.contains(&key))
            else {
                continue;
            };
            let place = place.with_field(format!("{uid}.{key}"));
            let Some((value, mut definition)) = self.plan_attribute(&place, key, map, 0) else {
                continue;
            };
            if !outline.locales.is_empty() && !is_localized(map) {
                definition.push("localized", false);
            }
            let Some(name) = free.take(key) else { continue };
            outline.fields.push((name.clone(), definition));
            planned.push(StrapiAttribute { key: key.to_string(), name, value });
        }
        let has_drafts = member("options").and_then(|it| it.get("draftAndPublish")?.as_bool());
        let (attributes, has_drafts) = (planned, has_drafts.unwrap_or(false));
        Some(StrapiType { uid, place, outline, title, slug, attributes, has_drafts })
    }

    /// Returns the locales that entries of a type have, and the default one first.
    fn list_locales(&self, uid: &str) -> Vec<String> {
        let rows = self.export.rows(uid);
        let used = |code: &String| rows.iter().any(|it| it.text("locale") == Some(code));
        let all = self.export.locales();
        let mut locales: Vec<String> = all.iter().skip(1).filter(|it| used(it)).cloned().collect();
        let others = rows.iter().filter_map(|it| it.text("locale"));
        for other in others {
            if !all.iter().chain(&locales).any(|it| it == other) {
                locales.push(other.to_string());
            }
        }
        locales.splice(0..0, all.into_iter().take(1));
        locales
    }

    /// Chooses the attribute that becomes the title: the one that is shown to people.
    fn choose_title(&self, uid: &str, attributes: &Map) -> Option<String> {
        let is_line = |key: &str| {
            let kind = attributes.get(key).and_then(|it| get(it, "type"));
            matches!(kind, Some("string" | "text"))
        };
        let main = self.export.main_field(uid).filter(|it| is_line(it));
        let known = TITLES.iter().copied().find(|it| is_line(it));
        let first = || attributes.iter().find(|(_, it)| get(it, "type") == Some("string"));
        let title = if is_line("title") { Some("title") } else { main.or(known) };
        title.or_else(|| first().map(|(key, _)| key).filter(|it| *it != "slug")).map(str::to_string)
    }

    /// Plans an attribute: how its values are read, and its definition.
    fn plan_attribute(
        &mut self,
        place: &SourcePlace,
        key: &str,
        map: &Map,
        depth: usize,
    ) -> Option<(StrapiValue, Map)> {
        let label = label_from_name(&split_words(key));
        let text = |key: &str| map.get(key).and_then(Json::as_str);
        let flag = |key: &str| map.get(key).and_then(Json::as_bool) == Some(true);
        let kind = text("type").unwrap_or_default();
        let (value, mut definition) = match kind {
            "relation" => self.plan_relation(place, &label, map)?,
            "component" => {
                let uid = text("component").unwrap_or_default().to_string();
                let (attributes, fields) = self.plan_component(place, &uid, depth)?;
                if flag("repeatable") {
                    let mut definition = begin_field("repeater", &label);
                    definition
                        .push("subfields", fields.into_iter().map(with_key).collect::<Vec<_>>());
                    (StrapiValue::Rows(uid, attributes), definition)
                } else {
                    let mut definition = begin_field("object", &label);
                    definition.push("fields", to_map(fields));
                    (StrapiValue::Object(uid, attributes), definition)
                }
            }
            "dynamiczone" => self.plan_zone(place, &label, map, depth),
            "password" => {
                self.remarks.add_skipped(place, "Fields with passwords are left out.");
                return None;
            }
            "blocks" => (StrapiValue::RichText, begin_field("markdown", &label)),
            "media" => (StrapiValue::Media, plan_media(&label, map)),
            kind => match plan_scalar(kind, &label, map) {
                Some(definition) => (StrapiValue::Plain, definition),
                None => {
                    let message = format!("Attributes of the type `{kind}` are left out.");
                    self.remarks.add_skipped(place, message);
                    return None;
                }
            },
        };
        if flag("required") {
            definition.push("required", true);
        }
        Some((value, definition))
    }

    fn plan_relation(
        &mut self,
        place: &SourcePlace,
        label: &str,
        map: &Map,
    ) -> Option<(StrapiValue, Map)> {
        let text = |key: &str| map.get(key).and_then(Json::as_str);
        let uid = text("target").unwrap_or_default();
        if let Some(other) = text("mappedBy") {
            let message = format!(
                "It is the other side of `{other}` of {uid}, so it is left out: `usages` of an entry \
                 say the same."
            );
            self.remarks.add_skipped(place, message);
            return None;
        }
        let Some(target) = self.names.get(uid) else {
            let shown = if uid.is_empty() { "several types" } else { uid };
            self.remarks.add_skipped(place, format!("Relations to {shown} are left out."));
            return None;
        };
        let is_multiple = matches!(text("relation"), Some("oneToMany" | "manyToMany"));
        let mut definition = begin_field("relation", label);
        definition.push("target", target.as_str());
        if is_multiple {
            definition.push("multiple", true);
        }
        Some((StrapiValue::Relation(is_multiple), definition))
    }

    /// Plans the attributes of a component.
    fn plan_component(
        &mut self,
        place: &SourcePlace,
        uid: &str,
        depth: usize,
    ) -> Option<(Vec<StrapiAttribute>, Definitions)> {
        let schema = self.export.schemas.get(uid).filter(|_| depth < DEPTH_MAX);
        let attributes = schema.and_then(|it| it.map.get("attributes")?.as_object());
        let Some(attributes) = attributes else {
            let message = format!("The component `{uid}` is missing or nested too deep.");
            self.remarks.add_skipped(place, message);
            return None;
        };
        let (mut planned, mut fields) = (Vec::new(), Vec::new());
        let mut free = FieldNames::with_taken(&["_type", "_id"]);
        for (key, attribute) in attributes.iter().filter(|(key, _)| *key != "id") {
            let Some(map) = attribute.as_object() else { continue };
            let place = place.with_field(format!("{uid}.{key}"));
            let found = self.plan_attribute(&place, key, map, depth + 1);
            let Some((value, mut definition)) = found else { continue };
            let Some(name) = free.take(key) else { continue };
            // Only types have values that are the same nowhere else.
            definition.remove("unique");
            fields.push((name.clone(), definition));
            planned.push(StrapiAttribute { key: key.to_string(), name, value });
        }
        Some((planned, fields))
    }

    fn plan_zone(
        &mut self,
        place: &SourcePlace,
        label: &str,
        map: &Map,
        depth: usize,
    ) -> (StrapiValue, Map) {
        let components = map.get("components").and_then(Json::as_array).unwrap_or_default();
        let (mut types, mut blocks) = (BTreeMap::new(), Map::new());
        for uid in components.iter().filter_map(Json::as_str) {
            let Some((attributes, fields)) = self.plan_component(place, uid, depth) else {
                continue;
            };
            let short = slugify(uid.rsplit('.').next().unwrap_or(uid));
            let long = slugify(&uid.replace('.', "-"));
            let name = if blocks.contains(&short) { long } else { short };
            let schema = self.export.schemas.get(uid);
            let shown =
                schema.and_then(|it| it.map.get("info")?.as_object()?.get("displayName")?.as_str());
            let mut block = Map::new();
            block.push("label", shown.map_or_else(|| label_from_name(&name), str::to_string));
            block.push("fields", to_map(fields));
            blocks.push(name.as_str(), block);
            types.insert(uid.to_string(), (name, attributes));
        }
        let mut definition = begin_field("blocks", label);
        definition.push("blocks", blocks);
        (StrapiValue::Blocks(types), definition)
    }
}

/// Returns the definition of an attribute without parts; `None` for an unknown type.
fn plan_scalar(kind: &str, label: &str, map: &Map) -> Option<Map> {
    let text = |key: &str| map.get(key).and_then(Json::as_str);
    let custom = text("customField").unwrap_or_default().to_lowercase();
    let kind = match kind {
        "string" | "uid" | "time" => "text",
        "text" => "textarea",
        "richtext" if ["ckeditor", "tiptap", "tinymce"].iter().any(|it| custom.contains(it)) => {
            "html"
        }
        "richtext" => "markdown",
        "integer" | "biginteger" | "float" | "decimal" => "number",
        "timestamp" => "datetime",
        "enumeration" => "select",
        "email" | "boolean" | "date" | "datetime" | "json" => kind,
        _ => return None,
    };
    let mut definition = begin_field(kind, label);
    let is_text = matches!(kind, "text" | "textarea" | "markdown");
    let mut copy = |from: &str, to: &str, fits: bool| {
        if let Some(value) = map.get(from).filter(|it| fits && !it.is_empty()) {
            definition.push(to, value.clone());
        }
    };
    copy("minLength", "min_length", is_text);
    copy("maxLength", "max_length", is_text);
    copy("min", "min", kind == "number");
    copy("max", "max", kind == "number");
    copy("default", "default", !matches!(kind, "json" | "date" | "datetime"));
    copy("unique", "unique", matches!(kind, "text" | "email" | "number"));
    copy("regex", "pattern", is_text && text("regex").is_some_and(|it| Regex::new(it).is_ok()));
    if kind == "number" && text("type").is_some_and(|it| it.ends_with("integer")) {
        definition.push("integer", true);
    }
    if kind == "select" {
        let options = map.get("enum").and_then(Json::as_array).unwrap_or_default();
        definition.push("options", options.to_vec());
    }
    Some(definition)
}

fn plan_media(label: &str, map: &Map) -> Map {
    let mut definition = begin_field("media", label);
    if map.get("multiple").and_then(Json::as_bool) == Some(true) {
        definition.push("multiple", true);
    }
    let allowed = map.get("allowedTypes").and_then(Json::as_array).unwrap_or_default();
    let allowed: Vec<&str> = allowed.iter().filter_map(Json::as_str).collect();
    if !allowed.is_empty() && !allowed.contains(&"files") {
        let kinds = FILE_KINDS.iter().filter(|(kind, _)| allowed.contains(kind));
        definition.push("accept", kinds.map(|(_, mime)| Json::from(*mime)).collect::<Vec<_>>());
    }
    definition
}

fn get<'m>(value: &'m Json, key: &str) -> Option<&'m str> {
    value.as_object()?.get(key)?.as_str()
}

/// Returns true if a type or an attribute has `pluginOptions.i18n.localized`.
fn is_localized(map: &Map) -> bool {
    let flag = || {
        let options = map.get("pluginOptions")?.as_object()?;
        options.get("i18n")?.as_object()?.get("localized")?.as_bool()
    };
    flag() == Some(true)
}

/// Returns a name in the style of programs as words: `metaTitle` is `meta title`.
fn split_words(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(letter);
        }
        before = letter;
    }
    words
}

fn with_key((name, definition): (FieldName, Map)) -> Json {
    let mut map = Map::new();
    map.push("key", name.as_str());
    for (key, value) in definition {
        map.push(key, value);
    }
    Json::Object(map)
}

fn to_map(fields: Vec<(FieldName, Map)>) -> Map {
    fields.into_iter().map(|(name, it)| (name.to_string(), Json::Object(it))).collect()
}
