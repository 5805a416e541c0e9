//! Renames of fields: in definitions, in the files of entries, and in old revisions, which are read
//! with the list of renames in the schema.

use crate::model::content_type::ContentType;
use crate::model::content_type::is_top_level;
use crate::model::entry::entry_file;
use crate::model::field::FIELDS_MAX;
use crate::model::field::Fields;
use crate::model::field::PICTURE_TEXT_SETTINGS;
use crate::model::input::ObjectReader;
use crate::model::name::FieldName;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The key of a request that lists renames.
pub const MIGRATIONS: &str = "migrations";

/// The key of a schema that stores past renames.
pub const RENAMES: &str = "renames";

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rename {
    /// The index in the list that it was read from.
    place: usize,
    from: FieldName,
    to: FieldName,
}

/// Renames of fields, in an order in which they can be applied one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames(Vec<Rename>);

impl Renames {
    /// Parses the `migrations` of a request that changes a type. `new_fields` are the definitions
    /// sent with them, if any: they must contain the fields under their new names.
    pub fn parse(
        body: &Map,
        old: &Fields,
        new_fields: Option<&Map>,
        problems: &mut FieldProblems,
    ) -> Renames {
        let mut input = ObjectReader::new(body);
        let items = input.short_list(MIGRATIONS, FIELDS_MAX, "fields").unwrap_or_default();
        let read = |(place, item)| {
            let path = format!("{MIGRATIONS}[{place}]");
            input.parse_nested(&path, item, |input| read_rename(place, input)).flatten()
        };
        let all: Vec<Rename> = items.iter().enumerate().filter_map(read).collect();
        problems.extend(input.into_problems());
        let mut found = FieldProblems::new();
        let request = RenameRequest { all: &all, old, new_fields };
        for one in &all {
            let wrong = [("from", request.check_source(one)), ("to", request.check_target(one))];
            for (key, message) in wrong.into_iter().filter_map(|(key, it)| Some((key, it?))) {
                found.add(format!("[{}].{key}", one.place), message);
            }
        }
        let renames = sort_renames(all, &mut found);
        problems.extend(found.with_prefix(MIGRATIONS));
        renames
    }

    /// Returns the past renames of a type, oldest first. Invalid items, written by hand, are
    /// skipped.
    pub fn from_type(ty: &ContentType) -> Renames {
        let items = ty.source.get(RENAMES).and_then(Json::as_array).unwrap_or_default();
        let name = |item: &Json, key| FieldName::parse(item.as_object()?.get(key)?.as_str()?).ok();
        let rename = |(place, item)| {
            Some(Rename { place, from: name(item, "from")?, to: name(item, "to")? })
        };
        Renames(items.iter().enumerate().filter_map(rename).collect())
    }

    /// Returns true if no field is renamed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the name of a field after the renames.
    pub fn resolve_name<'a>(&'a self, field: &'a str) -> &'a str {
        self.0.iter().fold(field, |name, it| if it.from == name { &it.to } else { name })
    }

    /// Returns the path in the request of the rename to `to`.
    pub fn migration_path(&self, to: &str) -> String {
        let found = self.0.iter().find(|it| it.to == to);
        found.map_or(MIGRATIONS.to_string(), |it| format!("{MIGRATIONS}[{}].to", it.place))
    }

    /// Renames the values in an entry's file; they keep their positions. An empty value under the
    /// new name, left by a removed field, is replaced. If there is any other value, both stay; the
    /// names of these fields are returned.
    pub fn apply_to_file(&self, file: &mut Map) -> Vec<String> {
        let mut conflicts = Vec::new();
        for path in entry_file::data_paths(file) {
            let Some(Json::Object(data)) = entry_file::value_mut(file, &path) else { continue };
            for Rename { from, to, .. } in &self.0 {
                if !data.contains(from) {
                    continue;
                }
                if data.get(to).is_some_and(|it| !it.is_empty()) {
                    conflicts.push(to.to_string());
                    continue;
                }
                data.remove(to);
                *data = rename_keys(std::mem::take(data), |key| {
                    if from == key.as_str() { to.to_string() } else { key }
                });
            }
        }
        conflicts
    }

    /// Returns the definitions under the new names of their fields.
    pub fn rename_fields(&self, definitions: Map) -> Map {
        rename_keys(definitions, |it| self.resolve_name(&it).to_string())
    }

    /// Returns the definitions with references to renamed fields updated.
    pub fn rename_mentions(&self, definitions: Map) -> Map {
        let mut all = definitions;
        let names: Vec<String> = all.iter().map(|(name, _)| name.to_string()).collect();
        for name in names {
            let Some(Json::Object(definition)) = all.get_mut(&name) else { continue };
            if let Some(Json::Object(conditions)) = definition.get_mut("visible_if") {
                let known = conditions.clone();
                // If the conditions contain both names, they stay as they are.
                *conditions = rename_keys(std::mem::take(conditions), |it| {
                    let to = self.resolve_name(&it);
                    if known.contains(to) { it } else { to.to_string() }
                });
            }
            for setting in ["source"].into_iter().chain(PICTURE_TEXT_SETTINGS) {
                if let Some(Json::String(field)) = definition.get_mut(setting) {
                    *field = self.resolve_name(field).to_string();
                }
            }
        }
        all
    }

    /// Returns the `renames` of a schema with these appended.
    pub fn append_renames(&self, kept: Option<&Json>) -> Json {
        let mut all = kept.and_then(Json::as_array).unwrap_or_default().to_vec();
        all.extend(self.0.iter().map(|Rename { from, to, .. }| {
            let mut map = Map::new();
            map.push("from", from.as_str());
            map.push("to", to.as_str());
            Json::from(map)
        }));
        all.into()
    }
}

/// All migrations of a request, with the fields before and after it.
struct RenameRequest<'a> {
    all: &'a [Rename],
    old: &'a Fields,
    new_fields: Option<&'a Map>,
}

impl RenameRequest<'_> {
    fn check_source(&self, Rename { from, .. }: &Rename) -> Option<String> {
        let kept = self.new_fields.is_some_and(|it| it.contains(from));
        if is_top_level(from) {
            return Some(format!("`{from}` is renamed to itself."));
        }
        if self.old.get(from).is_none() {
            return Some(format!("There is no field `{from}`."));
        }
        if self.all.iter().filter(|it| it.from == *from).count() > 1 {
            return Some(format!("`{from}` is renamed more than once."));
        }
        (kept && !self.all.iter().any(|it| it.to == *from))
            .then(|| format!("`{from}` is still among the new fields."))
    }

    fn check_target(&self, Rename { to, .. }: &Rename) -> Option<String> {
        let leaves = self.all.iter().any(|it| it.from == *to);
        if is_top_level(to) || self.old.get(to).is_some() && !leaves {
            return Some(format!("The field `{to}` already exists."));
        }
        if self.all.iter().filter(|it| it.to == *to).count() > 1 {
            return Some(format!("More than one field is renamed to `{to}`."));
        }
        self.new_fields
            .is_some_and(|it| !it.contains(to))
            .then(|| format!("`{to}` is not among the new fields."))
    }
}

/// Reads an item of the list.
fn read_rename(place: usize, input: &mut ObjectReader<'_>) -> Option<Rename> {
    let mut name = |key| input.accept(key, FieldName::parse(input.lenient_text(key)));
    let (from, to) = (name("from"), name("to"));
    Some(Rename { place, from: from?, to: to? })
}

/// Sorts renames so that each target name is free when it is needed.
fn sort_renames(mut left: Vec<Rename>, problems: &mut FieldProblems) -> Renames {
    let mut done = Vec::with_capacity(left.len());
    let is_free = |left: &[Rename], to: &FieldName| left.iter().all(|it| it.from != *to);
    while let Some(at) = left.iter().position(|it| is_free(&left, &it.to)) {
        done.push(left.remove(at));
    }
    for Rename { place, to, .. } in left {
        let message = format!("`{to}` is itself renamed, but not before its name is needed here.");
        problems.add(format!("[{place}].to"), message);
    }
    Renames(done)
}

/// Returns the same values under other keys, in the same order.
fn rename_keys(map: Map, name: impl Fn(String) -> String) -> Map {
    map.into_iter().map(|(key, value)| (name(key), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::name::TypeName;
    use crate::stdx::json::from_text::map;

    fn content_type(schema: &str) -> ContentType {
        let schema = map(schema).into();
        ContentType::parse(TypeName::parse("posts").unwrap(), &schema).0.unwrap()
    }

    /// Parses renames of the fields a, b and c, and returns the problems as well.
    fn parse(migrations: &str, new_fields: Option<&str>) -> (Renames, FieldProblems) {
        let old = content_type(r#"{"fields":{"a":{},"b":{},"c":{}}}"#).fields;
        let body = map(&format!(r#"{{"migrations":{migrations}}}"#));
        let mut problems = FieldProblems::new();
        let renames = Renames::parse(&body, &old, new_fields.map(map).as_ref(), &mut problems);
        (renames, problems)
    }

    #[test]
    fn wrong_migrations_are_told_by_place() {
        let check = |migrations: &str, new_fields: Option<&str>, expect: &[&str]| {
            let (_, problems) = parse(migrations, new_fields);
            let paths: Vec<_> = problems.iter().map(|(path, _)| path).collect();
            assert_eq!(paths, expect, "{migrations}: {problems}");
        };
        check("null", None, &[]);
        check("{}", None, &["migrations"]);
        let many = vec![r#"{"from":"a","to":"x"}"#; FIELDS_MAX + 1].join(",");
        check(&format!("[{many}]"), None, &["migrations"]);
        check("[7,{}]", None, &["migrations[0]", "migrations[1].from", "migrations[1].to"]);
        check(r#"[{"from":"a","to":"x"}]"#, None, &[]);
        check(r#"[{"from":"a","to":"x"}]"#, Some(r#"{"x":{},"b":{}}"#), &[]);
        check(r#"[{"from":"a","to":"x"}]"#, Some(r#"{"b":{}}"#), &["migrations[0].to"]);
        check(r#"[{"from":"a","to":"x"}]"#, Some(r#"{"a":{},"x":{}}"#), &["migrations[0].from"]);
        check(r#"[{"from":"y","to":"x"}]"#, None, &["migrations[0].from"]);
        check(r#"[{"from":"a","to":"b"}]"#, None, &["migrations[0].to"]);
        check(r#"[{"from":"a","to":"title"}]"#, None, &["migrations[0].to"]);
        check(r#"[{"from":"title","to":"x"}]"#, None, &["migrations[0].from"]);
        check(r#"[{"from":"a","to":"status"}]"#, None, &["migrations[0].to"]);
        check(r#"[{"from":"a","to":"a"}]"#, None, &["migrations[0].to"]);
        check(
            r#"[{"from":"a","to":"x"},{"from":"a","to":"y"}]"#,
            None,
            &["migrations[0].from", "migrations[1].from"],
        );
        check(
            r#"[{"from":"a","to":"x"},{"from":"b","to":"x"}]"#,
            None,
            &["migrations[0].to", "migrations[1].to"],
        );
        check(r#"[{"from":"a","to":"b"},{"from":"b","to":"c"},{"from":"c","to":"d"}]"#, None, &[]);
        check(
            r#"[{"from":"a","to":"b"},{"from":"b","to":"a"}]"#,
            None,
            &["migrations[0].to", "migrations[1].to"],
        );
    }

    #[test]
    fn values_keep_their_places_in_all_locales() {
        let check = |migrations: &str, before: &str, after: &str, conflicts: &[&str]| {
            let whole = |data: &str| {
                map(&format!(
                    r#"{{"a":1,"data":{data},"translations":{{"de":{{"data":{data}}}}}}}"#
                ))
            };
            let mut file = whole(before);
            // Once in each locale.
            let expect = [conflicts, conflicts].concat();
            assert_eq!(parse(migrations, None).0.apply_to_file(&mut file), expect, "{before}");
            assert_eq!(file, whole(after), "{before}");
        };
        let one = r#"[{"from":"a","to":"x"}]"#;
        check(one, r#"{"z":0,"a":[1],"b":2}"#, r#"{"z":0,"x":[1],"b":2}"#, &[]);
        check(one, r#"{"b":2}"#, r#"{"b":2}"#, &[]);
        check(one, r#"{"x":null,"a":1}"#, r#"{"x":1}"#, &[]);
        check(one, r#"{"x":2,"a":1}"#, r#"{"x":2,"a":1}"#, &["x"]);
        let chain = r#"[{"from":"a","to":"b"},{"from":"b","to":"c"},{"from":"c","to":"d"}]"#;
        check(chain, r#"{"a":1,"b":2,"c":3}"#, r#"{"b":1,"c":2,"d":3}"#, &[]);
    }

    #[test]
    fn what_fields_say_of_others_is_renamed_too() {
        let (renames, _) = parse(r#"[{"from":"a","to":"x"},{"from":"b","to":"a"}]"#, None);
        let fields = map(
            r#"{"a":{"type":"text"},"b":{"type":"slug","source":"a","visible_if":{"b":1,"c":[2]}},
            "p":{"type":"media","alt_field":"a","caption_field":"c"},
            "c":{"visible_if":{"a":1,"x":2}}}"#,
        );
        let expect = map(
            r#"{"x":{"type":"text"},"a":{"type":"slug","source":"x","visible_if":{"a":1,"c":[2]}},
            "p":{"type":"media","alt_field":"x","caption_field":"c"},
            "c":{"visible_if":{"a":1,"x":2}}}"#,
        );
        assert_eq!(renames.rename_mentions(renames.rename_fields(fields)), expect);
    }

    #[test]
    fn revisions_are_read_through_all_renames() {
        let (later, _) = parse(r#"[{"from":"a","to":"y"}]"#, None);
        let kept = Json::parse(br#"[{"from":"old","to":"a"},{"from":7},"?"]"#).unwrap();
        let mut schema = Map::new();
        schema.push(RENAMES, later.append_renames(Some(&kept)));
        let ty = ContentType::parse(TypeName::parse("posts").unwrap(), &schema.into()).0.unwrap();
        let renames = Renames::from_type(&ty);
        let check = |before: &str, after: &str| {
            let mut revision = map(before);
            renames.apply_to_file(&mut revision);
            assert_eq!(revision, map(after));
        };
        check(r#"{"data":{"old":1}}"#, r#"{"data":{"y":1}}"#);
        check(r#"{"data":{"a":1}}"#, r#"{"data":{"y":1}}"#);
        // A field renamed to a name that another field had before.
        check(r#"{"data":{"old":1,"y":2}}"#, r#"{"data":{"a":1,"y":2}}"#);
    }
}
