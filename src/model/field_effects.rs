//! What a change of a content type means for the values that its entries hold.

use std::collections::HashSet;

use serde::Serialize;

use crate::model::content_type::ContentType;
use crate::model::content_type::is_top_level;
use crate::model::entry_file;
use crate::model::problem::FieldProblems;
use crate::model::renames::Renames;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// What happens to the values of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldEffect {
    /// Its name; that which it had, when it goes.
    pub field: String,
    /// The name it had, when it gets another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// How many entries hold a value.
    pub entries: usize,
    /// In how many of all entries the value, or its lack, becomes one that the field refuses.
    pub invalid: usize,
    /// How many entries show their value no more. It stays in their files.
    pub lost: usize,
    /// How many go on showing it.
    pub kept: usize,
}

/// Counts what a change of a type means, entry by entry.
#[derive(Debug)]
pub struct FieldEffects<'a> {
    old: &'a ContentType,
    new: &'a ContentType,
    renames: &'a Renames,
    fields: Vec<FieldEffect>,
}

impl<'a> FieldEffects<'a> {
    /// Nothing counted yet: the fields that there will be, and then those that go.
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
            effect(name, old_names().find(|was| *was != name && renames.name(was) == name))
        });
        let goes = old_names().filter(|was| new.fields.get(renames.name(was)).is_none());
        let fields = stays.chain(goes.map(|was| effect(was, None))).collect();
        FieldEffects { old, new, renames, fields }
    }

    /// Counts an entry's file.
    pub fn add(&mut self, file: &Map) {
        let held = held(file);
        let mut renamed = file.clone();
        self.renames.apply(&mut renamed);
        let (before, after) = (refused(self.old, file), refused(self.new, &renamed));
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

    /// The effects on all fields, in the order of the new type.
    pub fn finish(self) -> Vec<FieldEffect> {
        self.fields
    }
}

/// The fields with a value in some locale.
fn held(file: &Map) -> HashSet<&str> {
    let paths = entry_file::data_paths(file);
    let layers = paths.iter().filter_map(|path| entry_file::data(file, path));
    let values = layers.flat_map(Map::iter).filter(|(_, value)| !value.is_empty());
    values.map(|(name, _)| name).collect()
}

/// The fields with a value that the type refuses, and those that lack one.
fn refused(ty: &ContentType, file: &Map) -> HashSet<String> {
    let mut problems = FieldProblems::new();
    let none = Map::new();
    let root = file.get("data").and_then(Json::as_object).unwrap_or(&none);
    ty.fields.check(root, &mut problems);
    for path in entry_file::data_paths(file).iter().skip(1) {
        if let Some(values) = entry_file::data(file, path) {
            ty.fields.check_given(values, &mut problems);
        }
    }
    let names = problems.iter().filter_map(|(path, _)| path.split(['.', '[']).next());
    names.filter(|it| !is_top_level(it)).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::name::TypeName;
    use crate::model::schema;

    fn map(text: &str) -> Map {
        Json::parse(text.as_bytes()).unwrap().as_object().unwrap().clone()
    }

    #[test]
    fn values_are_kept_lost_and_refused() {
        let name = TypeName::parse("posts").unwrap();
        let old = map(r#"{"locales":["en","de"],"fields":{"a":{},"b":{},"n":{}}}"#);
        let old = ContentType::parse(name, &old.into()).0.unwrap();
        let body = map(r#"{"migrations":[{"from":"a","to":"x"}],"fields":{"x":{"max_length":2},
            "n":{"type":"number"},"new":{"required":true}}}"#);
        let draft = schema::update(&old, &body).unwrap();
        let mut effects = FieldEffects::new(&old, &draft.content_type, &draft.renames);
        for file in [
            r#"{"title":"T","data":{"a":"ok","b":"B","n":"7"}}"#,
            r#"{"title":"T","data":{"a":"too long","b":null,"n":"seven","new":"there"}}"#,
            r#"{"title":"T","data":{"a":""},"translations":{"de":{"data":{"b":"B","a":"lang"}}}}"#,
            "{}",
        ] {
            effects.add(&map(file));
        }
        let found: Vec<_> = effects
            .finish()
            .iter()
            .map(|it| format!("{} {} {} {} {}", it.field, it.entries, it.invalid, it.lost, it.kept))
            .collect();
        assert_eq!(found, ["x 3 2 0 3", "n 2 2 0 2", "new 1 3 0 1", "b 2 0 2 0"]);
    }
}
