//! Merging of titles and field values in the locale of the request.

use crate::model::entry::body::unknown_field_warning;
use crate::model::entry::localized_entry::LocalizedEntry;
use crate::model::entry::merge::EntryMerger;
use crate::model::entry::merge::KEYS;
use crate::model::entry::merge::LocaleLayer;
use crate::model::entry::merge::set_in_order;
use crate::model::entry::merge::set_or_remove;
use crate::model::entry::stored_entry::TITLE_CHARS_MAX;
use crate::model::field::Field;
use crate::model::field::InputCheck;
use crate::model::field::PreviousValue;
use crate::model::field::REQUIRED;
use crate::model::field::is_equivalent;
use crate::model::input::wording;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::model::sentence::sentence;
use crate::model::unknown_keys::collector::UnknownKeyCollector;
use crate::stdx::json::DEPTH_MAX;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Merging of titles.
impl EntryMerger<'_> {
    pub(super) fn merge_title(&mut self) {
        let field = self.ty().fields.get("title");
        let default = field.and_then(|it| it.default.as_ref()).filter(|_| self.is_create());
        let given = self.get_changed("title");
        let Some(value) = given.or(default).or(self.is_create().then_some(&Json::Null)) else {
            return;
        };
        let mut found = FieldProblems::new();
        let title = self.accept_title(value, &mut found);
        let layer = self.choose_layer(field.is_none_or(|it| it.localized), self.locale.as_ref());
        // Other locales fall back to the root's title, so the root must have one.
        let of_root = self.is_create() || layer == LocaleLayer::Root;
        if of_root && title.is_none() && found.is_empty() {
            found.add("", REQUIRED);
        }
        if self.is_create() {
            self.set_title(&LocaleLayer::Root, title.as_deref(), &mut found);
        }
        let is_own = layer != LocaleLayer::Root && given.is_some();
        if is_own || !self.is_create() {
            self.set_title(&layer, title.as_deref(), &mut found);
        }
        self.record_touched("title", self.locale.clone(), "title", found);
    }

    /// Returns the title to store; `None` if the given one is empty.
    pub(super) fn accept_title(&self, given: &Json, found: &mut FieldProblems) -> Option<String> {
        let kind = self.ty().fields.get("title").map(|it| &it.kind);
        let accepted = match kind {
            Some(kind) if !given.is_empty() => {
                kind.accept_input(given, &mut InputCheck::new(self.write.context, found))
            }
            _ => given.clone(),
        };
        match accepted {
            Json::String(text) if text.trim().is_empty() => None,
            Json::String(text) => {
                if text.chars().count() > TITLE_CHARS_MAX {
                    found.add(
                        "",
                        sentence!(
                            "A title has at most {count} characters.",
                            count = TITLE_CHARS_MAX
                        ),
                    );
                }
                Some(text)
            }
            empty if empty.is_empty() => None,
            other => {
                found.add("", wording::wrong_type(wording::STRING, &other));
                None
            }
        }
    }

    pub(super) fn set_title(
        &mut self,
        layer: &LocaleLayer,
        title: Option<&str>,
        found: &mut FieldProblems,
    ) {
        if !found.is_empty() {
            return;
        }
        let before = match layer {
            LocaleLayer::Root => Some(self.old.title.as_str()).filter(|it| !it.is_empty()),
            LocaleLayer::Translation(code) => {
                self.old.find_translation(code.as_str()).and_then(|it| it.title.as_deref())
            }
        };
        if title == before {
            return;
        }
        let value = title.map(Json::from);
        if let (Some(field), Some(value)) = (self.ty().fields.get("title"), &value) {
            self.check_unique(field, value, found);
        }
        match (layer, value) {
            (LocaleLayer::Root, None) => return,
            (LocaleLayer::Root, Some(value)) => set_in_order(&mut self.file, "title", value, KEYS),
            (LocaleLayer::Translation(code), value) => {
                self.update_translation(code, |translation| {
                    set_or_remove(translation, "title", value, KEYS)
                });
            }
        }
        self.record_change("title");
    }

    /// Changes a stored translation and removes it if it becomes empty.
    pub(super) fn update_translation(&mut self, code: &LocaleCode, change: impl FnOnce(&mut Map)) {
        let stored = self.translations.get(code.as_str()).and_then(Json::as_object);
        let mut translation = stored.cloned().unwrap_or_default();
        change(&mut translation);
        let locales: Vec<&str> = self.ty().locales.iter().map(|it| it.as_str()).collect();
        let value = (!translation.is_empty()).then_some(translation.into());
        set_or_remove(&mut self.translations, code.as_str(), value, &locales);
        self.record_locale(code);
    }
}

/// Merging of field values.
impl<'a> EntryMerger<'a> {
    pub(super) fn merge_values(&mut self) {
        for field in self.ty().data_fields() {
            let name = field.name.as_str();
            let shown = self.shown_data.get(name);
            let is_new = |it: &&Json| shown.is_none_or(|shown| !is_equivalent(it, shown));
            let given = self.body.get(name).filter(is_new);
            if let Some(given) = given {
                self.warn_of_unknown_keys(field, given, name);
            }
            if self.is_create() {
                self.create_value(field, given);
            } else if let Some(given) = given {
                self.update_value(field, given, shown);
            }
        }
    }

    /// Warns of the keys inside a sent value that are ignored. Only values that differ from the
    /// shown ones can have any, since what is shown has no unknown keys.
    pub(super) fn warn_of_unknown_keys(&mut self, field: &Field, given: &Json, path: &str) {
        if !matches!(given, Json::Array(_) | Json::Object(_)) {
            return;
        }
        let mut found = UnknownKeyCollector::for_request();
        found.look_inside(path, |found| field.kind.collect_unknown_keys(given, found));
        let ty = self.ty();
        let unknown = found.into_keys().into_iter();
        self.body.warnings.extend(unknown.map(|it| unknown_field_warning(&it.path(), ty)));
    }

    /// Sets a field of a new entry; each field gets a value. The first values are stored at the
    /// root, whatever the locale; values that were sent are also stored in the locale of the
    /// request.
    fn create_value(&mut self, field: &'a Field, given: Option<&Json>) {
        let name = field.name.as_str();
        let mut found = FieldProblems::new();
        let value = match given.or(field.default.as_ref()) {
            None | Some(Json::Null) => field.kind.empty_value(),
            Some(sent) => {
                field.kind.accept_input(sent, &mut InputCheck::new(self.write.context, &mut found))
            }
        };
        check_depth(&value, &mut found);
        self.check_unique(field, &value, &mut found);
        if let LocaleLayer::Translation(code) =
            self.choose_layer(field.localized, self.locale.as_ref())
            && given.is_some_and(|it| !it.is_empty())
            && !value.is_empty()
        {
            self.set_value(&LocaleLayer::Translation(code), field, value.clone());
        }
        if !value.is_empty() {
            self.record_change(name);
        }
        self.data.set(name, value);
        self.record_touched(name, self.locale.clone(), name, found);
    }

    /// Merges a value in the locale of the request, compared with the value that the locale sees.
    fn update_value(&mut self, field: &'a Field, given: &Json, shown: Option<&Json>) {
        let resolved = LocalizedEntry::new(self.ty(), &self.old, self.locale.as_ref());
        let before = PreviousValue::from_member(resolved.get_value(field), shown);
        let mut found = FieldProblems::new();
        let merged = field.kind.merge_input(
            given,
            before,
            &mut InputCheck::new(self.write.context, &mut found),
        );
        let layer = self.choose_layer(field.localized, self.locale.as_ref());
        if let Some(value) = merged {
            self.replace_value(&layer, field, given, value, &mut found);
        }
        let name = field.name.as_str();
        self.record_touched(name, self.locale.clone(), name, found);
    }

    /// Stores a value in place of another. An empty value is removed from a translation, so that
    /// reads fall back.
    pub(super) fn replace_value(
        &mut self,
        layer: &LocaleLayer,
        field: &'a Field,
        given: &Json,
        value: Json,
        found: &mut FieldProblems,
    ) {
        if !found.is_empty() {
            return;
        }
        let name = field.name.as_str();
        let stored = match layer {
            LocaleLayer::Root => self.data.get(name),
            LocaleLayer::Translation(code) => {
                self.old.find_translation(code.as_str()).and_then(|it| it.data.get(name))
            }
        };
        let clears = *layer != LocaleLayer::Root && given.is_empty();
        let value = if clears { Json::Null } else { value };
        let is_same = match stored {
            Some(stored) => *stored == value,
            None => field.is_nothing(&value) || value.is_empty() && *layer != LocaleLayer::Root,
        };
        if is_same {
            return;
        }
        check_depth(&value, found);
        self.check_unique(field, &value, found);
        self.set_value(layer, field, value);
        self.record_change(name);
    }

    pub(super) fn set_value(&mut self, layer: &LocaleLayer, field: &Field, value: Json) {
        let names: Vec<&str> = self.ty().data_fields().map(|it| it.name.as_str()).collect();
        let name = field.name.as_str();
        let LocaleLayer::Translation(code) = layer else {
            return set_in_order(&mut self.data, name, value, &names);
        };
        self.update_translation(code, |translation| {
            let stored = translation.get("data").and_then(Json::as_object);
            let mut data = stored.cloned().unwrap_or_default();
            set_or_remove(&mut data, name, Some(value).filter(|it| !it.is_empty()), &names);
            set_or_remove(translation, "data", (!data.is_empty()).then_some(data.into()), KEYS);
        });
    }
}

/// The maximum depth of a value. The file of an entry has the maximum depth of files, and a value
/// may be inside of `translations`, a locale and `data`.
const VALUE_DEPTH_MAX: usize = DEPTH_MAX - 4;

/// Rejects values nested so deep that the file could not be read again.
fn check_depth(value: &Json, found: &mut FieldProblems) {
    if is_deeper(value, VALUE_DEPTH_MAX) {
        found.add(
            "",
            sentence!("This is nested more than {count} levels deep.", count = VALUE_DEPTH_MAX),
        );
    }
}

fn is_deeper(value: &Json, levels: usize) -> bool {
    match (value, levels.checked_sub(1)) {
        (Json::Array(items), Some(left)) => items.iter().any(|it| is_deeper(it, left)),
        (Json::Object(map), Some(left)) => map.iter().any(|(_, it)| is_deeper(it, left)),
        (Json::Array(_) | Json::Object(_), None) => true,
        _ => false,
    }
}
