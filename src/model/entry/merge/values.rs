//! Titles and values of fields, in the locale of the request.

use crate::model::entry::Resolved;
use crate::model::entry::merge::KEYS;
use crate::model::entry::merge::Layer;
use crate::model::entry::merge::Merge;
use crate::model::entry::merge::TITLE_CHARS_MAX;
use crate::model::entry::merge::put;
use crate::model::entry::merge::set;
use crate::model::field::Before;
use crate::model::field::Field;
use crate::model::field::REQUIRED;
use crate::model::field::same;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Titles.
impl Merge<'_> {
    pub(super) fn title(&mut self) {
        let field = self.ty().fields.get("title");
        let default = field.and_then(|it| it.default.as_ref()).filter(|_| self.creates());
        let given = self.sent("title");
        let Some(value) = given.or(default).or(self.creates().then_some(&Json::Null)) else {
            return;
        };
        let mut found = FieldProblems::new();
        let title = self.accepted_title(value, &mut found);
        let layer = self.layer(field.is_none_or(|it| it.localized), self.locale.as_ref());
        // Other locales fall back to the root's title, so that one has to be there.
        let of_root = self.creates() || layer == Layer::Root;
        if of_root && title.is_none() && found.is_empty() {
            found.add("", REQUIRED);
        }
        if self.creates() {
            self.set_title(&Layer::Root, title.as_deref(), &mut found);
        }
        let is_own = layer != Layer::Root && given.is_some();
        if is_own || !self.creates() {
            self.set_title(&layer, title.as_deref(), &mut found);
        }
        self.touch("title", self.locale.clone(), "title", found);
    }

    /// What is stored of a title that was sent; nothing of an empty one.
    pub(super) fn accepted_title(&self, given: &Json, found: &mut FieldProblems) -> Option<String> {
        let kind = self.ty().fields.get("title").map(|it| &it.kind);
        let accepted = match kind {
            Some(kind) if !given.is_empty() => kind.accept(given, self.write.world, found),
            _ => given.clone(),
        };
        match accepted {
            Json::String(text) if text.trim().is_empty() => None,
            Json::String(text) => {
                if text.chars().count() > TITLE_CHARS_MAX {
                    found.add("", format!("A title has at most {TITLE_CHARS_MAX} characters."));
                }
                Some(text)
            }
            empty if empty.is_empty() => None,
            other => {
                found.add("", format!("This is a text, not {}.", other.kind()));
                None
            }
        }
    }

    pub(super) fn set_title(
        &mut self,
        layer: &Layer,
        title: Option<&str>,
        found: &mut FieldProblems,
    ) {
        if !found.is_empty() {
            return;
        }
        let before = match layer {
            Layer::Root => Some(self.old.title.as_str()).filter(|it| !it.is_empty()),
            Layer::Translation(code) => {
                self.old.translation(code.as_str()).and_then(|it| it.title.as_deref())
            }
        };
        if title == before {
            return;
        }
        let value = title.map(Json::from);
        if let (Some(field), Some(value)) = (self.ty().fields.get("title"), &value) {
            self.must_be_unique(field, value, found);
        }
        match (layer, value) {
            (Layer::Root, None) => return,
            (Layer::Root, Some(value)) => set(&mut self.file, "title", value, KEYS),
            (Layer::Translation(code), value) => {
                self.translate(code, |translation| put(translation, "title", value, KEYS));
            }
        }
        self.changes("title");
    }

    /// Changes what is stored of a translation; one that says nothing any more goes.
    pub(super) fn translate(&mut self, code: &LocaleCode, change: impl FnOnce(&mut Map)) {
        let stored = self.translations.get(code.as_str()).and_then(Json::as_object);
        let mut translation = stored.cloned().unwrap_or_default();
        change(&mut translation);
        let locales: Vec<&str> = self.ty().locales.iter().map(|it| it.as_str()).collect();
        let value = (!translation.is_empty()).then_some(translation.into());
        put(&mut self.translations, code.as_str(), value, &locales);
        if !self.locales.contains(code) {
            self.locales.push(code.clone());
        }
    }
}

/// Values of fields.
impl<'a> Merge<'a> {
    pub(super) fn values(&mut self) {
        for field in self.ty().data_fields() {
            let name = field.name.as_str();
            let given = self.body.get(name);
            if self.creates() {
                self.create_value(field, given);
            } else if let Some(given) = given {
                let shown = self.shown_data.get(name);
                if shown.is_none_or(|it| !same(given, it)) {
                    self.update_value(field, given, shown);
                }
            }
        }
    }

    /// A new entry has every field. Its first values are the root's, whatever the locale, and those
    /// that were sent are that locale's own as well.
    fn create_value(&mut self, field: &'a Field, given: Option<&Json>) {
        let name = field.name.as_str();
        let mut found = FieldProblems::new();
        let value = match given.or(field.default.as_ref()) {
            None | Some(Json::Null) => field.kind.empty(),
            Some(sent) => field.kind.accept(sent, self.write.world, &mut found),
        };
        self.judge(field, &value, &mut found);
        if let Layer::Translation(code) = self.layer(field.localized, self.locale.as_ref())
            && given.is_some_and(|it| !it.is_empty())
            && !value.is_empty()
        {
            self.set_value(&Layer::Translation(code), field, value.clone());
        }
        if !value.is_empty() {
            self.changes(name);
        }
        self.data.set(name, value);
        self.touch(name, self.locale.clone(), name, found);
    }

    /// A value in the locale of the request is held against what that locale sees.
    fn update_value(&mut self, field: &'a Field, given: &Json, shown: Option<&Json>) {
        let resolved = Resolved::new(self.ty(), &self.old, self.locale.as_ref());
        let before = Before::of(resolved.value(field), shown);
        let mut found = FieldProblems::new();
        let merged = field.kind.merge(given, before, self.write.world, &mut found);
        let layer = self.layer(field.localized, self.locale.as_ref());
        if let Some(value) = merged {
            self.replace(&layer, field, given, value, &mut found);
        }
        let name = field.name.as_str();
        self.touch(name, self.locale.clone(), name, found);
    }

    /// Stores a value in place of another. What is empty in a translation is taken out of it, so
    /// that a read falls back.
    pub(super) fn replace(
        &mut self,
        layer: &Layer,
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
            Layer::Root => self.data.get(name),
            Layer::Translation(code) => {
                self.old.translation(code.as_str()).and_then(|it| it.data.get(name))
            }
        };
        let clears = *layer != Layer::Root && given.is_empty();
        let value = if clears { Json::Null } else { value };
        let is_same = match stored {
            Some(stored) => *stored == value,
            None => field.is_nothing(&value) || value.is_empty() && *layer != Layer::Root,
        };
        if is_same {
            return;
        }
        self.judge(field, &value, found);
        self.set_value(layer, field, value);
        self.changes(name);
    }

    fn set_value(&mut self, layer: &Layer, field: &Field, value: Json) {
        let names: Vec<&str> = self.ty().data_fields().map(|it| it.name.as_str()).collect();
        let name = field.name.as_str();
        let Layer::Translation(code) = layer else {
            return set(&mut self.data, name, value, &names);
        };
        self.translate(code, |translation| {
            let stored = translation.get("data").and_then(Json::as_object);
            let mut data = stored.cloned().unwrap_or_default();
            put(&mut data, name, Some(value).filter(|it| !it.is_empty()), &names);
            put(translation, "data", (!data.is_empty()).then_some(data.into()), KEYS);
        });
    }
}
