//! One field with its definition, and the fields of one level: a content type, an object, a row.

use serde_json::json;

use crate::model::field::Before;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KINDS;
use crate::model::field::Reference;
use crate::model::field::Show;
use crate::model::field::World;
use crate::model::field::limits::put;
use crate::model::field::same;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::unknown_keys::ANNOTATIONS;
use crate::model::unknown_keys::UnknownKeys;
use crate::model::unknown_keys::no_such_member;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// How many fields one level of a definition may have.
pub const FIELDS_MAX: usize = 500;

/// One field of a content type, an object, a repeater or a block.
#[derive(Debug)]
pub struct Field {
    /// The key under which the value is kept.
    pub name: FieldName,
    /// What people read; the name with separators as spaces unless given.
    pub label: String,
    /// A sentence of help, or empty.
    pub description: String,
    /// Whether an empty value is refused.
    pub required: bool,
    /// Applied on create when the key is absent.
    pub default: Option<Json>,
    /// Whether each locale has a value of its own.
    pub localized: bool,
    /// Whether no two entries of the type may have the same value.
    pub unique: bool,
    /// Shown only while other fields have certain values; a hidden field is not required.
    pub visible_if: Vec<(String, Vec<Json>)>,
    /// What values mean.
    pub kind: Box<dyn FieldKind>,
    /// The definition as written, unknown keys included.
    pub definition: Map,
}

impl Field {
    /// Reads one definition. Every defect is added to `problems` with its path below the field.
    pub fn parse(
        name: FieldName,
        definition: &Json,
        nesting: usize,
        problems: &mut FieldProblems,
    ) -> Option<Field> {
        let Some(map) = definition.as_object() else {
            problems.add("", format!("A field is an object, not {}.", definition.kind()));
            return None;
        };
        let type_name = match map.get("type") {
            None | Some(Json::Null) => "text",
            Some(Json::String(name)) => name,
            Some(other) => {
                problems.add("type", format!("This is a text, not {}.", other.kind()));
                return None;
            }
        };
        let Some(entry) = KINDS.iter().find(|it| it.name == type_name) else {
            problems.add("type", format!("`{type_name}` is no field type."));
            return None;
        };
        let mut settings = Definition { map, nesting, problems };
        let kind = (entry.parse)(&mut settings);
        Some(Field {
            label: settings.text("label").unwrap_or_else(|| label_of(name.as_str())),
            description: settings.text("description").unwrap_or_default(),
            required: settings.flag("required", false),
            default: map.get("default").cloned(),
            localized: settings.flag("localized", true),
            unique: settings.flag("unique", false),
            visible_if: settings.conditions(),
            kind,
            definition: map.clone(),
            name,
        })
    }

    /// JSON Schema of the value with the field's label and description.
    pub fn json_schema(&self, face: Face) -> serde_json::Value {
        let mut schema = self.kind.json_schema(face);
        // Readers see the kind's empty value in place of `null`.
        if face == Face::Shown && !matches!(self.kind.empty(), Json::Null) {
            forbid_null(&mut schema);
        }
        put(&mut schema, "title", Some(self.label.as_str()));
        if !self.description.is_empty() {
            put(&mut schema, "description", Some(self.description.as_str()));
        }
        if face != Face::Shown {
            put(&mut schema, "default", self.default.as_ref());
        }
        schema
    }

    /// Whether to store this value says no more than to store none.
    pub fn is_nothing(&self, value: &Json) -> bool {
        value.is_empty() && *value == self.kind.empty()
    }

    /// Whether the field is shown, and so required if it says so, beside these values.
    pub fn is_visible(&self, siblings: &Map) -> bool {
        self.visible_if.iter().all(|(name, wanted)| {
            let value = siblings.get(name).unwrap_or(&Json::Null);
            wanted.iter().any(|it| it == value || it.is_empty() && value.is_empty())
        })
    }
}

/// Takes `null` from the types that a schema names.
fn forbid_null(schema: &mut serde_json::Value) {
    let Some(types) = schema.get_mut("type").and_then(serde_json::Value::as_array_mut) else {
        return;
    };
    types.retain(|it| it != "null");
    if let [single] = types.as_slice() {
        schema["type"] = single.clone();
    }
}

/// A name with separators as spaces and its first letter upper.
pub fn label_of(name: &str) -> String {
    let spaced = name.replace(['_', '-'], " ");
    let mut letters = spaced.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        // Nothing but separators.
        None => name.to_string(),
    }
}

/// Fields in order, found by name.
#[derive(Debug, Default)]
pub struct Fields(Vec<Field>);

impl Fields {
    /// Reads a map of definitions; defects are added with the field's name in their path.
    pub fn parse(map: &Map, nesting: usize, problems: &mut FieldProblems) -> Fields {
        if map.len() > FIELDS_MAX {
            problems.add("", format!("There are more than {FIELDS_MAX} fields."));
        }
        let parse = |(key, definition)| {
            let mut found = FieldProblems::new();
            let field = match FieldName::parse(key) {
                Ok(name) => Field::parse(name, definition, nesting, &mut found),
                Err(error) => {
                    found.add("", error.to_string());
                    None
                }
            };
            problems.extend(found.at(key));
            field
        };
        Fields(map.iter().take(FIELDS_MAX).filter_map(parse).collect())
    }

    /// Reads a list of definitions that carry their name under `key`, as repeaters have them.
    pub fn parse_list(items: &[Json], nesting: usize, problems: &mut FieldProblems) -> Fields {
        let mut fields: Vec<Field> = Vec::with_capacity(items.len().min(FIELDS_MAX));
        if items.len() > FIELDS_MAX {
            problems.add("", format!("There are more than {FIELDS_MAX} fields."));
        }
        for (index, item) in items.iter().take(FIELDS_MAX).enumerate() {
            let mut found = FieldProblems::new();
            let key = item.as_object().and_then(|it| it.get("key")).and_then(Json::as_str);
            match FieldName::parse(key.unwrap_or_default()) {
                Ok(name) if fields.iter().any(|it| it.name == name) => {
                    found.add("key", format!("The key `{name}` is there twice."));
                }
                Ok(name) => fields.extend(Field::parse(name, item, nesting, &mut found)),
                Err(error) => found.add("key", error.to_string()),
            }
            problems.extend(found.at(&format!("[{index}]")));
        }
        Fields(fields)
    }

    /// The field of this name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|it| it.name.as_str() == name)
    }

    /// The fields in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Field> {
        self.0.iter()
    }

    /// The number of fields.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields in this order; the caller vouches for names of their own.
    pub fn from_vec(fields: Vec<Field>) -> Fields {
        Fields(fields)
    }

    /// Reaches a field through objects: `seo.title`.
    pub fn find(&self, dotted: &str) -> Option<&Field> {
        match dotted.split_once('.') {
            None => self.get(dotted),
            Some((name, rest)) => self.get(name)?.kind.subfields()?.find(rest),
        }
    }

    /// Accepts an object with these fields: defaults are not applied, unknown keys are dropped,
    /// each declared field gets its value or its empty value.
    pub fn accept(&self, input: &Map, world: &dyn World, problems: &mut FieldProblems) -> Map {
        let mut stored = Map::new();
        let mut refused = Vec::new();
        for field in self.iter() {
            let mut found = FieldProblems::new();
            let value = match input.get(field.name.as_str()) {
                None | Some(Json::Null) => field.kind.empty(),
                Some(value) => field.kind.accept(value, world, &mut found),
            };
            if !found.is_empty() {
                refused.push(field.name.as_str());
            }
            problems.extend(found.at(field.name.as_str()));
            stored.push(field.name.as_str(), value);
        }
        // What is visible is seen on the accepted values, so that a second look finds the same.
        for (field, (name, value)) in self.iter().zip(stored.iter()) {
            let missing = field.required && value.is_empty() && field.is_visible(&stored);
            if missing && !refused.contains(&name) {
                problems.add(name, REQUIRED);
            }
        }
        stored
    }

    /// What becomes of a stored object for which `sent` came back, to a writer who is `shown` this of
    /// it; nothing when that is what it is. A member that was left out is cleared, since an object
    /// is sent as a whole; what is not declared stays.
    pub fn merge(
        &self,
        sent: &Map,
        stored: &Map,
        shown: &Map,
        world: &dyn World,
        problems: &mut FieldProblems,
    ) -> Option<Map> {
        let mut merged = stored.clone();
        let (mut changed, mut touched, mut refused) = (false, Vec::new(), Vec::new());
        for field in self.iter() {
            let name = field.name.as_str();
            let before = Before::of(stored.get(name), shown.get(name));
            let given = sent.get(name).unwrap_or(&Json::Null);
            let left_out = !sent.contains(name) && before.shown.is_empty();
            if left_out || same(given, before.shown) {
                continue;
            }
            touched.push(name);
            let mut found = FieldProblems::new();
            if let Some(value) = field.kind.merge(given, before, world, &mut found) {
                changed |= stored.contains(name) || !field.is_nothing(&value);
                merged.set(name, value);
            }
            if !found.is_empty() {
                refused.push(name);
            }
            problems.extend(found.at(name));
        }
        // What was not touched may be wrong already, and stays so.
        for field in self.iter().filter(|it| it.required && it.is_visible(&merged)) {
            let name = field.name.as_str();
            let judged = touched.contains(&name) || !field.is_visible(stored);
            let missing = merged.get(name).is_none_or(Json::is_empty);
            if judged && missing && !refused.contains(&name) {
                problems.add(name, REQUIRED);
            }
        }
        if !changed {
            return None;
        }
        for field in self.iter().filter(|it| !stored.contains(it.name.as_str())) {
            let value = merged.get(field.name.as_str()).cloned();
            merged.set(field.name.as_str(), value.unwrap_or_else(|| field.kind.empty()));
        }
        Some(merged)
    }

    /// A row as it is stored when `sent` came for it: a new one, or one that was there.
    pub(super) fn merge_row(
        &self,
        sent: &Map,
        before: Option<Before<'_>>,
        world: &dyn World,
        problems: &mut FieldProblems,
    ) -> Json {
        let known = before.and_then(|it| Some((it.stored.as_object()?, it.shown.as_object()?)));
        let Some((stored, shown)) = known else {
            return self.accept(sent, world, problems).into();
        };
        let merged = self.merge(sent, stored, shown, world, problems);
        merged.unwrap_or_else(|| stored.clone()).into()
    }

    /// Judges values that stand in a file by themselves, whether or not what they refer to exists.
    /// A value that is missing is fine unless it is required.
    pub fn check(&self, stored: &Map, problems: &mut FieldProblems) {
        self.check_given(stored, problems);
        for field in self.iter().filter(|it| it.required && it.is_visible(stored)) {
            if stored.get(field.name.as_str()).is_none_or(Json::is_empty) {
                problems.add(field.name.as_str(), REQUIRED);
            }
        }
    }

    /// The same for values that others stand behind, as in a translation: none is required.
    pub fn check_given(&self, stored: &Map, problems: &mut FieldProblems) {
        for field in self.iter() {
            let value = stored.get(field.name.as_str()).unwrap_or(&Json::Null);
            if value.is_empty() {
                continue;
            }
            let mut found = FieldProblems::new();
            let accepted = field.kind.judge(value, &mut found);
            // A list of one may be written without brackets. Any other difference in type reaches
            // readers, since values are shown as they stand.
            let is_list = matches!(accepted, Json::Array(_) | Json::Null);
            if found.is_empty() && !is_list && accepted.kind() != value.kind() {
                let (is, should) = (value.kind(), accepted.kind());
                found.add("", format!("This is {is} in the file and should be {should}."));
            }
            problems.extend(found.at(field.name.as_str()));
        }
    }

    /// Appends an object with these fields in order, as far as `stored` has them.
    pub fn show(&self, stored: &Map, show: &mut Show<'_>) {
        show.out.push(b'{');
        self.show_members(stored, show);
        show.out.push(b'}');
    }

    /// Appends the members alone, without braces.
    pub fn show_members(&self, stored: &Map, show: &mut Show<'_>) {
        let mut first = !matches!(show.out.last(), Some(byte) if *byte != b'{');
        for field in self.iter() {
            let Some(value) = stored.get(field.name.as_str()) else { continue };
            if !first {
                show.out.push(b',');
            }
            first = false;
            // Field names need no escaping.
            show.out.push(b'"');
            show.out.extend_from_slice(field.name.as_bytes());
            show.out.extend_from_slice(b"\":");
            field.kind.show(value, show);
        }
    }

    /// Appends the searched text of an object with these fields.
    pub fn text(&self, value: &Map, out: &mut String) {
        for field in self.iter() {
            if let Some(value) = value.get(field.name.as_str()) {
                field.kind.text(value, out);
            }
        }
    }

    /// Calls `each` with every reference inside an object with these fields.
    pub fn references(&self, stored: &Map, each: &mut dyn FnMut(&str, Reference<'_>)) {
        for field in self.iter() {
            let Some(value) = stored.get(field.name.as_str()) else { continue };
            field.kind.references(value, &mut |path, reference| {
                each(&join(field.name.as_str(), path), reference);
            });
        }
    }

    /// Adds the keys of an object of which `defect` has something to say, and those inside of the
    /// values of all others.
    pub fn unknown_keys<'a>(
        &'a self,
        stored: &'a Map,
        found: &mut UnknownKeys<'a>,
        defect: impl Fn(&str, Option<&Field>) -> Option<String>,
    ) {
        // Most files have their keys in the order of the fields, so the next field is tried first.
        let mut next = 0;
        for (key, value) in stored.iter() {
            let at = match self.0.get(next) {
                Some(field) if field.name.as_str() == key => Some(next),
                _ => self.0.iter().position(|it| it.name.as_str() == key),
            };
            let field = at.and_then(|at| self.0.get(at));
            next = at.map_or(next, |at| at + 1);
            match (defect(key, field), field) {
                (Some(message), _) => found.add(key, || message),
                (None, Some(field)) if matches!(value, Json::Array(_) | Json::Object(_)) => {
                    found.inside(key, |found| field.kind.unknown_keys(value, found));
                }
                (None, _) => {}
            }
        }
    }

    /// The same of an object that has these fields, and other keys that its kind gives it.
    pub(super) fn unknown_members<'a>(
        &'a self,
        stored: &'a Map,
        found: &mut UnknownKeys<'a>,
        also: &[&str],
    ) {
        self.unknown_keys(stored, found, |key, field| {
            (field.is_none() && !also.contains(&key)).then(|| no_such_member(self, key))
        });
    }

    /// The targets of all relations, nested ones included.
    pub fn relation_targets(&self, each: &mut dyn FnMut(&TypeName)) {
        self.iter().for_each(|it| it.kind.relation_targets(each));
    }

    /// JSON Schema of an object with these fields, none of which has to be there.
    pub fn json_schema(&self, face: Face) -> serde_json::Value {
        let properties: serde_json::Map<String, serde_json::Value> =
            self.iter().map(|it| (it.name.to_string(), it.json_schema(face))).collect();
        json!({ "type": "object", "properties": properties })
    }

    /// The same of an object that is written as a whole: what is required has to be there.
    pub(super) fn row_schema(&self, face: Face) -> serde_json::Value {
        let mut schema = self.json_schema(face);
        let required: Vec<&str> = self
            .iter()
            .filter(|it| it.required && it.visible_if.is_empty() && it.kind.empty().is_empty())
            .map(|it| it.name.as_str())
            .collect();
        if face != Face::Shown && !required.is_empty() {
            put(&mut schema, "required", Some(required));
        }
        if face == Face::Stored {
            close_schema(&mut schema);
        }
        schema
    }
}

/// Has editors mark keys that the schema of an object does not name, but for annotations.
pub fn close_schema(schema: &mut serde_json::Value) {
    schema["patternProperties"] = json!({ ANNOTATIONS: {} });
    schema["additionalProperties"] = json!(false);
}

/// What is said of a required field without a value.
pub const REQUIRED: &str = "This field is required.";

/// `name` before a path below it: `rows` and `[2].key` give `rows[2].key`.
pub fn join(name: &str, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{name}{dot}{path}")
}
