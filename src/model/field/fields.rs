//! The values of the fields of one level (a content type, an object, a row): accepted, merged,
//! written and described.

use serde_json::json;

use crate::model::field::kind::Field;
use crate::model::field::kind::Fields;
use crate::model::field::kind::Reference;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::add_key;
use crate::model::field::on_delete::OnDelete;
use crate::model::field::previous_value::PreviousValue;
use crate::model::field::previous_value::is_equivalent;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_path::join_path;
use crate::model::field::value_writer::ValueWriter;
use crate::model::input::wording;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::unknown_keys::collector::ANNOTATIONS;
use crate::model::unknown_keys::collector::UnknownKeyCollector;
use crate::model::unknown_keys::collector::no_such_field;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

impl Field {
    /// Returns the JSON Schema of the value with the field's label and description.
    pub fn json_schema(&self, form: ValueForm) -> serde_json::Value {
        let mut schema = self.kind.json_schema(form);
        // Readers see the kind's empty value instead of `null`.
        if form == ValueForm::Shown && !matches!(self.kind.empty_value(), Json::Null) {
            forbid_null(&mut schema);
        }
        add_key(&mut schema, "title", Some(self.label.as_str()));
        if !self.description.is_empty() {
            add_key(&mut schema, "description", Some(self.description.as_str()));
        }
        if form != ValueForm::Shown {
            add_key(&mut schema, "default", self.default.as_ref());
        }
        schema
    }
}

/// Removes `null` from the types of a schema.
fn forbid_null(schema: &mut serde_json::Value) {
    let Some(types) = schema.get_mut("type").and_then(serde_json::Value::as_array_mut) else {
        return;
    };
    types.retain(|it| it != "null");
    if let [single] = types.as_slice() {
        schema["type"] = single.clone();
    }
}

impl Fields {
    /// Accepts an object with these fields. Defaults are not applied, unknown keys are dropped, and
    /// each declared field gets its value or its empty value.
    pub fn accept_object(&self, input: &Map, check: &mut InputCheck<'_>) -> Map {
        let mut stored = Map::new();
        let mut refused = Vec::new();
        for field in self.iter() {
            let mut found = FieldProblems::new();
            let value = match input.get(field.name.as_str()) {
                None | Some(Json::Null) => field.kind.empty_value(),
                Some(value) => {
                    field.kind.accept_input(value, &mut InputCheck::new(check.context, &mut found))
                }
            };
            if !found.is_empty() {
                refused.push(field.name.as_str());
            }
            check.problems.extend(found.with_prefix(field.name.as_str()));
            stored.push(field.name.as_str(), value);
        }
        // Visibility is determined from the accepted values, so that checking them again gives the
        // same result.
        for (field, (name, value)) in self.iter().zip(stored.iter()) {
            let missing = field.required && value.is_empty() && field.is_visible(&stored);
            if missing && !refused.contains(&name) {
                check.problems.add(name, REQUIRED);
            }
        }
        stored
    }

    /// Merges an object that was sent into a stored one, of which the writer was shown `shown`.
    /// Returns `None` if nothing changes. A member that was left out is cleared, since an object is
    /// sent as a whole; undeclared members are kept.
    pub fn merge_object(
        &self,
        sent: &Map,
        stored: &Map,
        shown: &Map,
        check: &mut InputCheck<'_>,
    ) -> Option<Map> {
        let mut merged = stored.clone();
        let (mut changed, mut touched, mut refused) = (false, Vec::new(), Vec::new());
        for field in self.iter() {
            let name = field.name.as_str();
            let before = PreviousValue::from_member(stored.get(name), shown.get(name));
            let given = sent.get(name).unwrap_or(&Json::Null);
            let left_out = !sent.contains(name) && before.shown.is_empty();
            if left_out || is_equivalent(given, before.shown) {
                continue;
            }
            touched.push(name);
            let mut found = FieldProblems::new();
            if let Some(value) = field.kind.merge_input(
                given,
                before,
                &mut InputCheck::new(check.context, &mut found),
            ) {
                changed |= stored.contains(name) || !field.is_nothing(&value);
                merged.set(name, value);
            }
            if !found.is_empty() {
                refused.push(name);
            }
            check.problems.extend(found.with_prefix(name));
        }
        // Values that were not touched may already be invalid, and stay as they are.
        for field in self.iter().filter(|it| it.required && it.is_visible(&merged)) {
            let name = field.name.as_str();
            let judged = touched.contains(&name) || !field.is_visible(stored);
            let missing = merged.get(name).is_none_or(Json::is_empty);
            if judged && missing && !refused.contains(&name) {
                check.problems.add(name, REQUIRED);
            }
        }
        if !changed {
            return None;
        }
        for field in self.iter().filter(|it| !stored.contains(it.name.as_str())) {
            let value = merged.get(field.name.as_str()).cloned();
            merged.set(field.name.as_str(), value.unwrap_or_else(|| field.kind.empty_value()));
        }
        Some(merged)
    }

    /// Returns the stored form of a row that was sent: a new row, or an existing one.
    pub(super) fn merge_row(
        &self,
        sent: &Map,
        before: Option<PreviousValue<'_>>,
        check: &mut InputCheck<'_>,
    ) -> Json {
        let known = before.and_then(|it| Some((it.stored.as_object()?, it.shown.as_object()?)));
        let Some((stored, shown)) = known else {
            return self.accept_object(sent, check).into();
        };
        let merged = self.merge_object(sent, stored, shown, check);
        merged.unwrap_or_else(|| stored.clone()).into()
    }

    /// Validates stored values on their own, without checking whether the targets of references
    /// exist. A missing value is valid unless it is required.
    pub fn check_object(&self, stored: &Map, problems: &mut FieldProblems) {
        self.check_given(stored, problems);
        for field in self.iter().filter(|it| it.required && it.is_visible(stored)) {
            if stored.get(field.name.as_str()).is_none_or(Json::is_empty) {
                problems.add(field.name.as_str(), REQUIRED);
            }
        }
    }

    /// Validates the values that are present, as in a translation: none is required.
    pub fn check_given(&self, stored: &Map, problems: &mut FieldProblems) {
        for field in self.iter() {
            let value = stored.get(field.name.as_str()).unwrap_or(&Json::Null);
            if value.is_empty() {
                continue;
            }
            let mut found = FieldProblems::new();
            let accepted = field.kind.check_stored(value, &mut found);
            // A list of one may be written without brackets. Any other difference in type reaches
            // readers, since values are shown as they are stored.
            let is_list = matches!(accepted, Json::Array(_) | Json::Null);
            if found.is_empty() && !is_list && accepted.kind() != value.kind() {
                let (is, should) = (value.kind(), accepted.kind());
                found.add("", format!("This is {is} in the file and should be {should}."));
            }
            problems.extend(found.with_prefix(field.name.as_str()));
        }
    }

    /// Appends an object with those of these fields that `stored` has, in order.
    pub fn write_object(&self, stored: &Map, show: &mut ValueWriter<'_>) {
        show.out.push(b'{');
        self.write_members(stored, show);
        show.out.push(b'}');
    }

    /// Appends only the members, without braces.
    pub fn write_members(&self, stored: &Map, show: &mut ValueWriter<'_>) {
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
            field.kind.write_shown(value, show);
        }
    }

    /// Appends the searchable text of an object with these fields.
    pub fn collect_text(&self, value: &Map, out: &mut String) {
        for field in self.iter() {
            if let Some(value) = value.get(field.name.as_str()) {
                field.kind.collect_text(value, out);
            }
        }
    }

    /// Calls `each` for every reference inside an object with these fields.
    pub fn visit_references(&self, stored: &Map, each: &mut dyn FnMut(&str, Reference<'_>)) {
        for field in self.iter() {
            let Some(value) = stored.get(field.name.as_str()) else { continue };
            field.kind.visit_references(value, &mut |path, reference| {
                each(&join_path(field.name.as_str(), path), reference);
            });
        }
    }

    /// Replaces the URL of every media file inside a shown object with these fields. Items take the
    /// texts about them from the fields beside theirs.
    pub fn replace_media(&self, shown: &mut Map, make: &mut dyn FnMut(&str) -> Json) {
        for field in self.iter() {
            let texts = field.kind.picture_text_fields().map(|it| it.read(shown));
            let Some(value) = shown.get_mut(field.name.as_str()) else { continue };
            field.kind.replace_media(value, make);
            if let Some(texts) = texts {
                texts.write_into(value);
            }
        }
    }

    /// Renders every Markdown text inside a shown object with these fields. Returns what `render`
    /// makes of them, in the same places.
    pub fn render_markdown(&self, shown: &Map, render: &mut dyn FnMut(&str) -> Json) -> Map {
        let mut rendered = Map::new();
        for field in self.iter() {
            let name = field.name.as_str();
            let made = shown.get(name).and_then(|it| field.kind.render_markdown(it, render));
            if let Some(made) = made {
                rendered.push(name, made);
            }
        }
        rendered
    }

    /// Reports the keys of an object for which `defect` returns a message, and visits the values of
    /// all other keys. Keys that are `null` are reported in requests only.
    pub fn collect_unknown_keys<'a>(
        &'a self,
        stored: &'a Map,
        found: &mut UnknownKeyCollector<'a>,
        defect: impl Fn(&str, Option<&Field>) -> Option<String>,
    ) {
        // Most files have their keys in the order of the fields, so the next field is tried first.
        let mut next = 0;
        for (key, value) in stored.iter() {
            // A message takes long to make, so none is made in vain.
            if found.is_full() {
                return;
            }
            let at = match self.0.get(next) {
                Some(field) if field.name.as_str() == key => Some(next),
                _ => self.0.iter().position(|it| it.name.as_str() == key),
            };
            let field = at.and_then(|at| self.0.get(at));
            next = at.map_or(next, |at| at + 1);
            if matches!(value, Json::Null) && !found.reports_null() {
                continue;
            }
            match (defect(key, field), field) {
                (Some(message), _) => found.add(key, || message),
                (None, Some(field)) if matches!(value, Json::Array(_) | Json::Object(_)) => {
                    found.look_inside(key, |found| field.kind.collect_unknown_keys(value, found));
                }
                (None, _) => {}
            }
        }
    }

    /// Reports the unknown keys of an object that has these fields and the additional keys `also`.
    pub(super) fn collect_unknown_members<'a>(
        &'a self,
        stored: &'a Map,
        found: &mut UnknownKeyCollector<'a>,
        also: &[&str],
    ) {
        self.collect_unknown_keys(stored, found, |key, field| {
            (field.is_none() && !also.contains(&key))
                .then(|| no_such_field(self.iter().map(|it| it.name.as_str()), key))
        });
    }

    /// Calls `each` for the targets of all relations, including nested ones.
    pub fn visit_relation_targets(&self, each: &mut dyn FnMut(&TypeName, OnDelete)) {
        self.iter().for_each(|it| it.kind.visit_relation_targets(each));
    }

    /// Returns the JSON Schema of an object with these fields, none of which is required.
    pub fn json_schema(&self, form: ValueForm) -> serde_json::Value {
        let properties: serde_json::Map<String, serde_json::Value> =
            self.iter().map(|it| (it.name.to_string(), it.json_schema(form))).collect();
        json!({ "type": "object", "properties": properties })
    }

    /// Returns the JSON Schema of an object that is written as a whole, with its required fields.
    pub(super) fn row_schema(&self, form: ValueForm) -> serde_json::Value {
        let mut schema = self.json_schema(form);
        let required: Vec<&str> = self
            .iter()
            .filter(|it| {
                it.required && it.visible_if.is_empty() && it.kind.empty_value().is_empty()
            })
            .map(|it| it.name.as_str())
            .collect();
        if form != ValueForm::Shown && !required.is_empty() {
            add_key(&mut schema, "required", Some(required));
        }
        if form == ValueForm::Stored {
            close_schema(&mut schema);
        }
        schema
    }
}

/// Makes a schema reject keys that it does not name, except annotations.
pub fn close_schema(schema: &mut serde_json::Value) {
    schema["patternProperties"] = json!({ ANNOTATIONS: {} });
    schema["additionalProperties"] = json!(false);
}

/// The problem of a required field without a value.
pub const REQUIRED: &str = wording::REQUIRED;
