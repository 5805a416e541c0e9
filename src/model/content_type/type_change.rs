//! Changes of content types: the creation of a schema file from a request, and its update by later
//! requests.

use crate::model::content_type::ContentType;
use crate::model::content_type::declared_view::DeclaredViews;
use crate::model::content_type::feed::FeedSettings;
use crate::model::content_type::field_renames::MIGRATIONS;
use crate::model::content_type::field_renames::RENAMES;
use crate::model::content_type::field_renames::Renames;
use crate::model::content_type::is_top_level;
use crate::model::content_type::with_builtin_fields;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::name::ICON_BYTES_MAX;
use crate::model::name::LocaleCode;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;

/// The keys of a schema file in their order. The order of the fields is the one shown to users.
pub const KEYS: &[&str] = &[
    "name",
    "label",
    "label_singular",
    "icon",
    "singleton",
    "slug_field",
    "slug_source",
    "locales",
    "default_locale",
    "root_locale",
    "visibility",
    "drafts",
    "preview",
    "feed",
    "cache",
    "views",
    "fields",
    RENAMES,
];

/// The keys that a request may set.
pub const SETTABLE: &[&str] = &[
    "label",
    "label_singular",
    "icon",
    "singleton",
    "slug_field",
    "slug_source",
    "locales",
    "default_locale",
    "visibility",
    "drafts",
    "preview",
    "feed",
    "cache",
    "views",
    "fields",
];

/// The maximum length of a type's name in bytes.
const NAME_BYTES_MAX: usize = 64;

/// The result of a request that creates or changes a content type.
#[derive(Debug)]
pub struct TypeDraft {
    /// The type; its `source` is the content of its file.
    pub content_type: ContentType,
    /// The renamed fields.
    pub renames: Renames,
    /// The warnings about ignored keys.
    pub warnings: Vec<String>,
}

/// Returns the name of a new type: the one sent if it is valid, otherwise a slug of it.
pub fn parse_name(body: &Map) -> Result<TypeName, FieldProblems> {
    let mut input = ObjectReader::new(body);
    input.filled_text("name");
    let text = input.text("name").unwrap_or_default();
    input.into_result(())?;
    if let Ok(name) = TypeName::parse(text) {
        return Ok(name);
    }
    let slug: String = slugify(text).chars().take(NAME_BYTES_MAX).collect();
    TypeName::parse(slug.trim_end_matches('-'))
        .map_err(|error| FieldProblems::from_problem("name", error.message()))
}

/// Creates a type. `is_taken` tells whether a type with that name exists, ignoring case.
pub fn create_type(
    body: &Map,
    is_taken: impl Fn(&TypeName) -> bool,
) -> Result<TypeDraft, FieldProblems> {
    let mut problems = FieldProblems::new();
    let name = parse_name(body).unwrap_or_else(|found| {
        problems.extend(found);
        TypeName::parse("unnamed").expect("letters are a name")
    });
    if problems.is_empty() && is_taken(&name) {
        problems.add("name", format!("The content type `{name}` already exists."));
    }
    let nothing = Map::new();
    let (before, shown, source) = (&nothing, &nothing, Map::new());
    let mut change = SchemaUpdate { body, before, shown, source, problems };
    change.apply_body();
    change.settle_default_locale();
    change.check_slug_keys();
    let ty = change.build_type(name)?;
    let source = canonical_source(&ty);
    let content_type =
        ContentType { sum: Json::from(source.clone()).compute_checksum(), source, ..ty };
    Ok(TypeDraft {
        content_type,
        renames: Renames::default(),
        warnings: collect_ignored_keys(body, &["name"]),
    })
}

/// Updates a type from a request that only contains the changes. Values that are sent back as they
/// were read keep their notation in the file.
pub fn update_type(current: &ContentType, body: &Map) -> Result<TypeDraft, FieldProblems> {
    let (before, shown, problems) = (&current.source, &current.to_map(), FieldProblems::new());
    let mut change = SchemaUpdate { body, before, shown, source: before.clone(), problems };
    change.apply_body();
    let renames = change.rename_fields(current);
    change.settle_default_locale();
    change.check_slug_keys();
    let mut ty = change.build_type(current.name.clone())?;
    if let Some(root) = new_root_locale(current, &ty) {
        put_key(&mut ty.source, "root_locale", root.as_str().into());
        ty.sum = Json::from(ty.source.clone()).compute_checksum();
        ty.root_locale = Some(root);
    }
    let warnings = collect_ignored_keys(body, &["name", MIGRATIONS]);
    Ok(TypeDraft { content_type: ty, renames, warnings })
}

/// Reads a type from the content of its file, as another server has it.
pub fn read_type(name: TypeName, source: Map) -> Result<TypeDraft, FieldProblems> {
    let nothing = Map::new();
    let (body, before, shown, problems) = (&nothing, &nothing, &nothing, FieldProblems::new());
    let mut file = SchemaUpdate { body, before, shown, source, problems };
    file.check_slug_keys();
    let content_type = file.build_type(name)?;
    Ok(TypeDraft { content_type, renames: Renames::default(), warnings: Vec::new() })
}

/// The schema while a request is applied.
struct SchemaUpdate<'a> {
    body: &'a Map,
    /// The current content of the file.
    before: &'a Map,
    /// The type as readers see it.
    shown: &'a Map,
    source: Map,
    problems: FieldProblems,
}

impl SchemaUpdate<'_> {
    /// Applies the values sent that differ from the shown ones.
    fn apply_body(&mut self) {
        for (key, value) in SETTABLE.iter().filter_map(|key| Some((*key, self.body.get(key)?))) {
            // The default locale may be derived from the locales. If they change too, it counts as
            // sent.
            let follows = key == "default_locale" && self.has_changed("locales");
            if self.shown.get(key) == Some(value) && !follows {
                continue;
            }
            match (key, value) {
                // A `null` is not taken as the removal of all fields.
                ("fields", Json::Null) => {}
                ("fields", Json::Object(given)) => self.apply_fields(given),
                (_, Json::Null) => _ = self.source.remove(key),
                ("icon", Json::String(icon)) if icon.len() > ICON_BYTES_MAX => {
                    self.problems.add(key, wording::too_large(ICON_BYTES_MAX));
                }
                _ => put_key(&mut self.source, key, value.clone()),
            }
        }
    }

    fn apply_fields(&mut self, given: &Map) {
        for (name, kind) in [("title", "text"), ("slug", "slug")] {
            let definition = given.get(name).and_then(Json::as_object);
            let kind_name = definition.and_then(|it| it.get("type")).and_then(Json::as_str);
            if definition.is_some() && kind_name.unwrap_or("text") != kind {
                let message = format!("The field `{name}` must be of the type `{kind}`.");
                self.problems.add(format!("fields.{name}.type"), message);
            }
        }
        put_key(&mut self.source, "fields", with_builtin_fields(given.clone()).into());
    }

    /// Renames fields, here and wherever the schema refers to them.
    fn rename_fields(&mut self, current: &ContentType) -> Renames {
        let sent = self.body.get("fields").and_then(Json::as_object);
        let renames = Renames::parse(self.body, &current.fields, sent, &mut self.problems);
        if renames.is_empty() {
            return renames;
        }
        if let Some(Json::Object(fields)) = self.source.get_mut("fields") {
            let named = std::mem::take(fields);
            let named = if sent.is_some() { named } else { renames.rename_fields(named) };
            *fields = renames.rename_mentions(named);
        }
        for key in ["slug_field", "slug_source"] {
            if let Some(Json::String(field)) = self.source.get_mut(key) {
                *field = renames.resolve_name(field).to_string();
            }
        }
        if let Some(feed) = self.source.get_mut("feed") {
            FeedSettings::rename_fields(feed, |it| renames.resolve_name(it).to_string());
        }
        if let Some(views) = self.source.get_mut("views") {
            DeclaredViews::rename_fields(views, |it| renames.resolve_name(it).to_string());
        }
        let kept = renames.append_renames(self.source.get(RENAMES));
        put_key(&mut self.source, RENAMES, kept);
        renames
    }

    /// Sets the default locale after a change of the locales. It is removed if there are no
    /// locales, and kept as long as it is one of them; otherwise the first locale becomes the
    /// default.
    fn settle_default_locale(&mut self) {
        if !self.has_changed("locales") && !self.has_changed("default_locale") {
            return;
        }
        let locales = self.source.get("locales").and_then(Json::as_array).unwrap_or_default();
        let default = self.source.get("default_locale").filter(|it| !it.is_empty());
        let is_open = default.is_none_or(|it| !locales.contains(it));
        let so_far = self.shown.get("default_locale").filter(|it| locales.contains(it));
        let is_code = |it: &Json| it.as_str().is_some_and(LocaleCode::fits);
        let settled = match locales.first() {
            None if default.is_some_and(|it| it.as_str().is_some()) => Json::from(""),
            Some(first) if is_open && is_code(first) && !self.body.contains("default_locale") => {
                so_far.unwrap_or(first).clone()
            }
            _ => return,
        };
        put_key(&mut self.source, "default_locale", settled);
    }

    /// Checks that the fields that slugs come from exist. Values that were invalid before are
    /// ignored.
    fn check_slug_keys(&mut self) {
        let has = |source: &Map, name: &str| {
            let fields = source.get("fields").and_then(Json::as_object);
            is_top_level(name) || fields.is_some_and(|it| it.contains(name))
        };
        for key in ["slug_field", "slug_source"] {
            let Some(name) = self.source.get(key).and_then(Json::as_str) else { continue };
            let was_wrong = !self.has_changed(key) && !has(self.before, name);
            if !name.is_empty() && !has(&self.source, name) && !was_wrong {
                self.problems.add(key, format!("There is no field `{name}`."));
            }
        }
    }

    fn has_changed(&self, key: &str) -> bool {
        self.source.get(key) != self.before.get(key)
    }

    fn build_type(mut self, name: TypeName) -> Result<ContentType, FieldProblems> {
        let (parsed, found) = ContentType::parse(name, &self.source.into());
        self.problems.extend(found);
        match parsed {
            Some(ty) if self.problems.is_empty() => Ok(ty),
            _ => Err(self.problems),
        }
    }
}

/// Sets a key: in its current position, or in its canonical one if it is new.
fn put_key(source: &mut Map, key: &str, value: Json) {
    if source.contains(key) {
        return source.set(key, value);
    }
    let place = |key: &str| KEYS.iter().position(|it| *it == key);
    let mut before: Vec<(String, Json)> = std::mem::take(source).into_iter().collect();
    let at = before.iter().position(|(it, _)| place(it) > place(key)).unwrap_or(before.len());
    before.insert(at, (key.to_string(), value));
    *source = before.into_iter().collect();
}

/// Returns the content of a new file: the shown members of the type except the name, which is that
/// of the file.
fn canonical_source(ty: &ContentType) -> Map {
    let mut source = ty.to_map();
    source.remove("name");
    if let Some(root) = &ty.root_locale {
        put_key(&mut source, "root_locale", root.as_str().into());
    }
    source
}

/// Returns the root locale to store in the file, once the locales change: the current one, or the
/// default locale of a type that had none.
fn new_root_locale(current: &ContentType, ty: &ContentType) -> Option<LocaleCode> {
    let has_changed = |key| ty.source.get(key) != current.source.get(key);
    let is_fixed = ty.source.get("root_locale").is_some_and(|it| !it.is_empty());
    if is_fixed || !has_changed("locales") && !has_changed("default_locale") {
        return None;
    }
    current.root_locale.clone().or_else(|| ty.root_locale.clone())
}

/// Returns a warning for each unknown key.
fn collect_ignored_keys(body: &Map, also: &[&str]) -> Vec<String> {
    let known = |key: &str| SETTABLE.contains(&key) || also.contains(&key);
    let unknown = body.iter().map(|(key, _)| key).filter(|it| !known(it));
    unknown.map(|it| format!("{it}: A content type has no such key.")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content_type::LOCALES_MAX;
    use crate::stdx::json::from_text::map;

    fn text(map: &Map) -> String {
        serde_json::to_string(&Json::from(map.clone())).unwrap()
    }

    fn current(file: &str) -> ContentType {
        ContentType::parse(TypeName::parse("posts").unwrap(), &map(file).into()).0.unwrap()
    }

    const OWN: &str = r#""title":{"type":"text","label":"Title","required":true},"slug":{"type":"slug","label":"Slug"}"#;

    #[test]
    fn names() {
        let check = |name: &str, expect: Option<&str>| {
            let found = super::parse_name(&map(&format!(r#"{{"name":{name}}}"#)));
            assert_eq!(found.as_deref().ok(), expect, "{name}");
        };
        check(r#""posts""#, Some("posts"));
        check(r#""Blog_Posts-2""#, Some("Blog_Posts-2"));
        check(r#""Über uns""#, Some("uber-uns"));
        check(&format!(r#""{}-b""#, "a".repeat(63)), Some(&"a".repeat(63)));
        check(r#""order""#, None);
        check(r#""order!""#, None);
        check(r#""!""#, None);
        check(r#"" ""#, None);
        check("null", None);
        check("7", None);
    }

    #[test]
    fn locales_are_counted() {
        let check = |count: usize, expect: &[&str]| {
            let locales: Vec<String> = (0..count).map(|it| format!("\"l{it}\"")).collect();
            let body = map(&format!(r#"{{"name":"posts","locales":[{}]}}"#, locales.join(",")));
            let problems = create_type(&body, |_| false).err().unwrap_or_default();
            let paths: Vec<&str> = problems.iter().map(|(path, _)| path).collect();
            assert_eq!(paths, expect, "{count}");
        };
        check(LOCALES_MAX, &[]);
        check(LOCALES_MAX + 1, &["locales"]);
        check(10 * LOCALES_MAX, &["locales"]);
    }

    #[test]
    fn a_new_file_says_all_there_is() {
        let check = |body: &str, expect: &str, warnings: usize| {
            let draft =
                create_type(&map(body), |_| false).unwrap_or_else(|it| panic!("{it}: {body}"));
            assert_eq!(text(&draft.content_type.source), expect);
            assert_eq!(draft.warnings.len(), warnings, "{:?}", draft.warnings);
            let read = current(expect);
            assert_eq!(
                (read.sum, read.root_locale),
                (draft.content_type.sum, draft.content_type.root_locale)
            );
        };
        check(
            r#"{"name":"posts"}"#,
            &format!(
                r#"{{"label":"Posts","icon":"file-text","singleton":false,"slug_field":"slug","slug_source":"title","locales":[],"default_locale":"","visibility":"public","fields":{{{OWN}}}}}"#
            ),
            0,
        );
        check(
            r#"{"name":"posts","fields":{"body":{"x":1},"slug":{"type":"slug"}},"visibility":"private",
            "default_locale":"de","locales":["en","de"],"slug_source":"body","label":null,
            "root_locale":"en","icon":"star","unknown":1}"#,
            r#"{"label":"Posts","icon":"star","singleton":false,"slug_field":"slug","slug_source":"body","locales":["en","de"],"default_locale":"de","root_locale":"de","visibility":"private","fields":{"title":{"type":"text","label":"Title","required":true},"body":{"x":1},"slug":{"type":"slug"}}}"#,
            2,
        );
        check(
            r#"{"name":"posts","default_locale":"de","singleton":true}"#,
            &format!(
                r#"{{"label":"Posts","icon":"file-text","singleton":true,"slug_field":"slug","slug_source":"title","locales":[],"default_locale":"","visibility":"public","fields":{{{OWN}}}}}"#
            ),
            0,
        );
    }

    #[test]
    fn all_problems_of_a_new_type_are_told_at_once() {
        let check = |body: &str, expect: &[&str]| {
            let problems =
                create_type(&map(body), |it| it.eq_ignore_ascii_case("pages")).unwrap_err();
            let paths: Vec<_> = problems.iter().map(|(path, _)| path).collect();
            assert_eq!(paths, expect, "{problems}");
        };
        check("{}", &["name"]);
        check(r#"{"name":"Pages"}"#, &["name"]);
        check(
            &format!(
                r#"{{"label":7,"icon":"{}","singleton":"yes","locales":["en","en",3],
                "default_locale":"fr","visibility":"hidden","slug_source":"none","fields":{{
                "hero":{{"type":"select","options":["a",[]]}},"id":{{}},"a b":{{}},"x":{{"type":"y"}},
                "title":{{"type":"number"}}}}}}"#,
                "i".repeat(65)
            ),
            &[
                "name",
                "icon",
                "fields.title.type",
                "slug_source",
                "locales[2]",
                "locales[1]",
                "default_locale",
                "fields.id",
                "fields.hero.options[1]",
                "fields.a b",
                "fields.x.type",
                "label",
                "singleton",
                "visibility",
            ],
        );
    }

    #[test]
    fn an_update_changes_what_is_sent() {
        let check = |file: &str, body: &str, expect: &str| {
            let draft = update_type(&current(file), &map(body)).unwrap_or_else(|it| panic!("{it}"));
            assert_eq!(text(&draft.content_type.source), expect, "{file} {body}");
            let read = current(expect);
            assert_eq!(read.sum, draft.content_type.sum);
            assert_eq!(read.root_locale, draft.content_type.root_locale);
        };
        let file = r#"{"own":1,"fields":{"b":{"type":"text"}},"label":"L"}"#;
        check(file, "{}", file);
        check(file, r#"{"name":"x","label":"L"}"#, file);
        check(file, r#"{"label":"M"}"#, r#"{"own":1,"fields":{"b":{"type":"text"}},"label":"M"}"#);
        check(file, r#"{"label":null}"#, r#"{"own":1,"fields":{"b":{"type":"text"}}}"#);
        check(
            file,
            r#"{"icon":"star","visibility":"private","fields":null}"#,
            r#"{"own":1,"icon":"star","visibility":"private","fields":{"b":{"type":"text"}},"label":"L"}"#,
        );
        check(
            file,
            r#"{"fields":{"c":{"min_length":2,"mine":{}}}}"#,
            &format!(
                r#"{{"own":1,"fields":{{{OWN},"c":{{"min_length":2,"mine":{{}}}}}},"label":"L"}}"#
            ),
        );
    }

    #[test]
    fn writing_back_what_was_read_changes_nothing() {
        for file in [
            "{}",
            r#"{"label":"L","fields":{"b":{"type":"text"}},"slug_source":"gone"}"#,
            r#"{"locales":["en","de"],"default_locale":"de","fields":{"x":{}}}"#,
            r#"{"locales":["en"],"singleton":true,"visibility":"private"}"#,
        ] {
            let ty = current(file);
            let draft = update_type(&ty, &ty.to_map()).unwrap();
            assert_eq!(
                (text(&draft.content_type.source), draft.warnings),
                (file.to_string(), vec![])
            );
        }
    }

    #[test]
    fn the_root_locale_is_fixed_when_locales_come() {
        // Columns: file, body, and the resulting locales, default and root.
        let check = |file: &str, body: &str, expect: &str| {
            let ty = update_type(&current(file), &map(body)).unwrap().content_type;
            let locales: Vec<_> = ty.locales.iter().map(|it| it.as_str()).collect();
            let shown =
                |it: &Option<LocaleCode>| it.as_ref().map_or("-".into(), ToString::to_string);
            let root = ty.source.get("root_locale").and_then(Json::as_str).unwrap_or("-");
            let found = format!("{}|{}|{root}", locales.join(","), shown(&ty.default_locale));
            assert_eq!(found, expect, "{file} {body}");
        };
        check("{}", r#"{"locales":["en","de"]}"#, "en,de|en|en");
        check("{}", r#"{"locales":["en","de"],"default_locale":"de"}"#, "en,de|de|de");
        check("{}", r#"{"locales":[]}"#, "|-|-");
        let en = r#"{"locales":["en","de"],"default_locale":"en","root_locale":"en"}"#;
        check(en, r#"{"default_locale":"de"}"#, "en,de|de|en");
        check(en, r#"{"locales":["de","en"]}"#, "de,en|en|en");
        check(en, r#"{"locales":["fr","de"]}"#, "fr,de|fr|en");
        check(en, r#"{"locales":[]}"#, "|-|en");
        check(en, r#"{"locales":null,"default_locale":"en"}"#, "|-|en");
        // Edited by hand, without the key: it is stored before its value would change.
        let by_hand = r#"{"locales":["en","de"]}"#;
        check(by_hand, r#"{"default_locale":"de"}"#, "en,de|de|en");
        check(by_hand, r#"{"locales":["de"]}"#, "de|de|en");
        check(by_hand, r#"{"locales":["fr","de","en"]}"#, "fr,de,en|en|en");
        check(by_hand, r#"{"locales":["de","en"],"default_locale":"en"}"#, "de,en|en|en");
        check(by_hand, r#"{"locales":[]}"#, "|-|en");
        check(by_hand, r#"{"label":"L"}"#, "en,de|en|-");
        let off = r#"{"locales":[],"default_locale":"","root_locale":"en"}"#;
        check(off, r#"{"locales":["de"]}"#, "de|de|en");
    }

    #[test]
    fn fields_are_renamed_wherever_they_are_mentioned() {
        let file = r#"{"slug_source":"a","fields":{"a":{"type":"text"},"b":{"visible_if":{"a":1}}},"z":1}"#;
        let renames = r#""renames":[{"from":"a","to":"x"}]"#;
        let check = |body: &str, fields: &str| {
            let draft = update_type(&current(file), &map(body)).unwrap_or_else(|it| panic!("{it}"));
            let expect = format!(r#"{{"slug_source":"x","fields":{fields},"z":1,{renames}}}"#);
            assert_eq!(text(&draft.content_type.source), expect);
            assert!(!draft.renames.is_empty() && draft.warnings.is_empty());
        };
        let migrations = r#""migrations":[{"from":"a","to":"x"}]"#;
        check(&format!("{{{migrations}}}"), r#"{"x":{"type":"text"},"b":{"visible_if":{"x":1}}}"#);
        check(
            &format!(r#"{{{migrations},"fields":{{"b":{{"visible_if":{{"a":1}}}},"x":{{}}}}}}"#),
            &format!(r#"{{{OWN},"b":{{"visible_if":{{"x":1}}}},"x":{{}}}}"#),
        );
    }

    #[test]
    fn all_problems_of_an_update_are_told_at_once() {
        let check = |file: &str, body: &str, expect: &[&str]| {
            let problems = update_type(&current(file), &map(body)).unwrap_err();
            let paths: Vec<_> = problems.iter().map(|(path, _)| path).collect();
            assert_eq!(paths, expect, "{problems}");
        };
        let file = r#"{"slug_source":"a","locales":["en"],"fields":{"a":{},"b":{}}}"#;
        check(
            file,
            r#"{"migrations":[{"from":"q","to":"b"}],"fields":{"b":{"type":"?"}},"singleton":1}"#,
            &[
                "migrations[0].from",
                "migrations[0].to",
                "slug_source",
                "fields.b.type",
                "singleton",
            ],
        );
        check(file, r#"{"locales":["de"],"default_locale":"en"}"#, &["default_locale"]);
        check(file, r#"{"fields":[]}"#, &["slug_source", "fields"]);
        check(file, r#"{"slug_field":"c"}"#, &["slug_field"]);
    }
}
