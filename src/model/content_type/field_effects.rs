//! The effects that a change of a content type has on the values in its entries.

use std::collections::HashSet;

use serde::Serialize;

use crate::model::content_type::ContentType;
use crate::model::content_type::field_renames::Renames;
use crate::model::content_type::is_top_level;
use crate::model::entry::entry_file;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The effect on the values of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldEffect {
    /// The name of the field; of a removed field the old name.
    pub field: String,
    /// The old name, if the field is renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// The number of entries that hold a value.
    pub entries: usize,
    /// The number of entries whose value, or lack of one, becomes invalid.
    pub invalid: usize,
    /// The number of entries that no longer show their value. It stays in their files.
    pub lost: usize,
    /// The number of entries that still show their value.
    pub kept: usize,
}

/// A counter of the effects, fed entry by entry.
#[derive(Debug)]
pub struct FieldEffectCounter<'a> {
    old: &'a ContentType,
    new: &'a ContentType,
    renames: &'a Renames,
    fields: Vec<FieldEffect>,
}

impl<'a> FieldEffectCounter<'a> {
    /// Creates a counter with the fields of the new type, followed by the removed ones.
    pub fn new(old: &'a ContentType, new: &'a ContentType, renames: &'a Renames) -> Self {
        let effect = |field: &str, renamed_from: Option<&str>| FieldEffect {
            field: field.to_string(),
            renamed_from: renamed_from.map(str::to_string),
            entries: 0,
            invalid: 0,
            lost: 0,
            kept: 0,
        };
        let old_names = || old.data_fields().map(|it| it.name.as_str());
        let stays = new.data_fields().map(|it| it.name.as_str()).map(|name| {
            effect(name, old_names().find(|was| *was != name && renames.resolve_name(was) == name))
        });
        let goes = old_names().filter(|was| new.fields.get(renames.resolve_name(was)).is_none());
        let fields = stays.chain(goes.map(|was| effect(was, None))).collect();
        FieldEffectCounter { old, new, renames, fields }
    }

    /// Counts the content of an entry's file.
    pub fn count_entry(&mut self, file: &Map) {
        let held = collect_filled_fields(file);
        let mut renamed = file.clone();
        self.renames.apply_to_file(&mut renamed);
        let (before, after) =
            (collect_invalid_fields(self.old, file), collect_invalid_fields(self.new, &renamed));
        for effect in &mut self.fields {
            let name = effect.field.as_str();
            let was = effect.renamed_from.as_deref().unwrap_or(name);
            let stays = self.new.fields.get(name).is_some();
            if held.contains(was) {
                effect.entries += 1;
                *(if stays { &mut effect.kept } else { &mut effect.lost }) += 1;
            }
            let is_refused = after.contains(name) && !before.contains(was);
            effect.invalid += usize::from(stays && is_refused);
        }
    }

    /// Returns the effects on all fields, in the order of the new type.
    pub fn into_effects(self) -> Vec<FieldEffect> {
        self.fields
    }
}

/// Returns the fields that have a value in some locale.
fn collect_filled_fields(file: &Map) -> HashSet<&str> {
    let paths = entry_file::data_paths(file);
    let layers = paths.iter().filter_map(|path| entry_file::get_data(file, path));
    let values = layers.flat_map(Map::iter).filter(|(_, value)| !value.is_empty());
    values.map(|(name, _)| name).collect()
}

/// Returns the fields whose value the type rejects, and the required fields that lack a value.
fn collect_invalid_fields(ty: &ContentType, file: &Map) -> HashSet<String> {
    let mut problems = FieldProblems::new();
    let none = Map::new();
    let root = file.get("data").and_then(Json::as_object).unwrap_or(&none);
    ty.fields.check_object(root, &mut problems);
    for path in entry_file::data_paths(file).iter().skip(1) {
        if let Some(values) = entry_file::get_data(file, path) {
            ty.fields.check_given(values, &mut problems);
        }
    }
    let names = problems.iter().filter_map(|(path, _)| path.split(['.', '[']).next());
    names.filter(|it| !is_top_level(it)).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content_type::type_change;
    use crate::model::name::TypeName;
    use crate::stdx::json::from_text::map;

    #[test]
    fn values_are_kept_lost_and_refused() {
        let name = TypeName::parse("posts").unwrap();
        let old = map(r#"{"locales":["en","de"],"fields":{"a":{},"b":{},"n":{}}}"#);
        let old = ContentType::parse(name, &old.into()).0.unwrap();
        let body = map(r#"{"migrations":[{"from":"a","to":"x"}],"fields":{"x":{"max_length":2},
            "n":{"type":"number"},"new":{"required":true}}}"#);
        let draft = type_change::update_type(&old, &body).unwrap();
        let mut effects = FieldEffectCounter::new(&old, &draft.content_type, &draft.renames);
        for file in [
            r#"{"title":"T","data":{"a":"ok","b":"B","n":"7"}}"#,
            r#"{"title":"T","data":{"a":"too long","b":null,"n":"seven","new":"there"}}"#,
            r#"{"title":"T","data":{"a":""},"translations":{"de":{"data":{"b":"B","a":"lang"}}}}"#,
            "{}",
        ] {
            effects.count_entry(&map(file));
        }
        let found: Vec<_> = effects
            .into_effects()
            .iter()
            .map(|it| format!("{} {} {} {} {}", it.field, it.entries, it.invalid, it.lost, it.kept))
            .collect();
        assert_eq!(found, ["x 3 2 0 3", "n 2 2 0 2", "new 1 3 0 1", "b 2 0 2 0"]);
    }
}
