//! Merging of the values of other locales, which the admin interface sends along.

use crate::model::entry::body::unknown_field_warning;
use crate::model::entry::merge::EMPTY;
use crate::model::entry::merge::EntryMerger;
use crate::model::entry::merge::LocaleLayer;
use crate::model::field::Field;
use crate::model::field::InputCheck;
use crate::model::field::PreviousValue;
use crate::model::field::is_equivalent;
use crate::model::input::wording;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

impl<'a> EntryMerger<'a> {
    pub(super) fn merge_translations(&mut self) {
        let Some(sent) = self.body.translations else { return };
        let shown = self.shown.get("translations").and_then(Json::as_object).unwrap_or(&EMPTY);
        for (code, given) in sent.iter() {
            if shown.get(code).is_some_and(|it| is_equivalent(it, given)) {
                continue;
            }
            let path = format!("translations.{code}");
            let root = self.ty().root_locale.as_ref();
            let known = self.ty().locales.iter().find(|it| it.as_str() == code);
            // Whoever does not see a translation could guess its values if only a change counted.
            if let Some(locale) = known.filter(|_| !shown.contains(code)) {
                self.record_locale(locale);
            }
            match (known, given) {
                (None, _) => {
                    let message =
                        format!("`{code}` is not among the locales of `{}`.", self.ty().name);
                    self.problems.add(path, message);
                }
                (Some(locale), _) if Some(locale) == root => {
                    let message = "The values of this locale belong at the top level of the entry.";
                    self.problems.add(path, message);
                }
                (Some(locale), Json::Null) => self.drop_translation(locale),
                (Some(locale), Json::Object(given)) => {
                    let shown = shown.get(code).and_then(Json::as_object).unwrap_or(&EMPTY);
                    self.merge_translation(locale, given, shown, &path);
                }
                (Some(_), other) => {
                    self.problems.add(path, wording::wrong_type(wording::OBJECT, other));
                }
            }
        }
    }

    fn drop_translation(&mut self, locale: &LocaleCode) {
        let Some(translation) = self.old.find_translation(locale.as_str()).cloned() else { return };
        if translation.title.is_some() {
            self.record_change("title");
        }
        let declared = |name: &str| self.ty().fields.get(name).is_some();
        let names: Vec<&str> =
            translation.data.iter().map(|(name, _)| name).filter(|it| declared(it)).collect();
        names.into_iter().for_each(|it| self.record_change(it));
        self.update_translation(locale, |it| *it = Map::new());
    }

    fn merge_translation(
        &mut self,
        locale: &LocaleCode,
        given: &'a Map,
        shown: &'a Map,
        path: &str,
    ) {
        let object = |map: &'a Map| map.get("data").and_then(Json::as_object).unwrap_or(&EMPTY);
        let (data, shown_data) = (object(given), object(shown));
        for (key, value) in given.iter().filter(|(key, _)| *key != "data") {
            let is_same = shown.get(key).is_some_and(|it| is_equivalent(it, value));
            if key == "title" && !is_same {
                self.merge_translated_title(locale, value, &format!("{path}.title"));
            } else if key != "title" {
                self.body.warnings.push(unknown_field_warning(&format!("{path}.{key}"), self.ty()));
            }
        }
        for (name, value) in data.iter() {
            if shown_data.get(name).is_some_and(|it| is_equivalent(it, value)) {
                continue;
            }
            let path = format!("{path}.data.{name}");
            let field = self.ty().data_fields().find(|it| it.localized && it.name.as_str() == name);
            match field {
                Some(field) => {
                    self.merge_translated_value(locale, field, value, shown_data.get(name), &path)
                }
                None => self.body.warnings.push(unknown_field_warning(&path, self.ty())),
            }
        }
    }

    fn merge_translated_title(&mut self, locale: &LocaleCode, given: &Json, path: &str) {
        if self.ty().fields.get("title").is_some_and(|it| !it.localized) {
            return self.body.warnings.push(unknown_field_warning(path, self.ty()));
        }
        let mut found = FieldProblems::new();
        let title = self.accept_title(given, &mut found);
        self.set_title(&LocaleLayer::Translation(locale.clone()), title.as_deref(), &mut found);
        self.record_touched("title", Some(locale.clone()), path, found);
    }

    /// Merges a value of a translation, compared with the value stored in that translation.
    fn merge_translated_value(
        &mut self,
        locale: &LocaleCode,
        field: &'a Field,
        given: &Json,
        shown: Option<&Json>,
        path: &str,
    ) {
        self.warn_of_unknown_keys(field, given, path);
        let stored = self.old.find_translation(locale.as_str());
        let before = PreviousValue::from_member(
            stored.and_then(|it| it.data.get(field.name.as_str())),
            shown,
        );
        let mut found = FieldProblems::new();
        if let Some(value) = field.kind.merge_input(
            given,
            before,
            &mut InputCheck::new(self.write.context, &mut found),
        ) {
            let layer = LocaleLayer::Translation(locale.clone());
            self.replace_value(&layer, field, given, value, &mut found);
        }
        self.record_touched(field.name.as_str(), Some(locale.clone()), path, found);
    }
}
