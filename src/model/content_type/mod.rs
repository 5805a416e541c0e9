//! Content types: the kinds of entries and their fields.

pub mod field_effects;
pub mod field_renames;
pub mod type_change;

use crate::model::field::Field;
use crate::model::field::Fields;
use crate::model::field::OnDelete;
use crate::model::field::label_from_name;
use crate::model::name::LocaleCode;
use crate::model::name::RESERVED_FIELD_NAMES;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The icon of a type that does not name one.
pub const DEFAULT_ICON: &str = "file-text";

/// The maximum length of an icon's name in bytes.
pub const ICON_BYTES_MAX: usize = 64;

/// The maximum number of locales of a type.
pub const LOCALES_MAX: usize = 200;

/// A content type, as its schema file describes it.
#[derive(Debug)]
pub struct ContentType {
    /// The name: the stem of the schema file.
    pub name: TypeName,
    /// The display name.
    pub label: String,
    /// The name of an icon.
    pub icon: String,
    /// True if the type has exactly one entry, whose id and slug are the type's name.
    pub singleton: bool,
    /// The field that provides an explicit slug.
    pub slug_field: String,
    /// The field that an automatic slug is derived from.
    pub slug_source: String,
    /// The locales; empty if the type is not localized.
    pub locales: Vec<LocaleCode>,
    /// The locale of reads that do not name one.
    pub default_locale: Option<LocaleCode>,
    /// The locale of the values at the root of an entry file. It never changes once chosen.
    pub root_locale: Option<LocaleCode>,
    /// True if the type is hidden from anonymous requests.
    pub private: bool,
    /// All fields, including `title` and `slug`.
    pub fields: Fields,
    /// The target types of the relations of this type, each once.
    pub relation_targets: Vec<TypeName>,
    /// The target types whose entries cannot be deleted without checking the entries of this type,
    /// because some relation blocks the deletion or has to be cleared.
    pub guarded_targets: Vec<TypeName>,
    /// The checksum of the schema file.
    pub sum: Checksum,
    /// The content of the file as read.
    pub source: Map,
}

impl ContentType {
    /// Parses a schema file. Returns `None` if there are defects; the caller decides what they mean
    /// (a request is rejected, a file raises a problem).
    pub fn parse(name: TypeName, schema: &Json) -> (Option<ContentType>, FieldProblems) {
        let mut problems = FieldProblems::new();
        let Some(source) = schema.as_object() else {
            problems.add("", format!("A schema is an object, not {}.", schema.kind()));
            return (None, problems);
        };
        let mut reader = ContentTypeReader { source, problems: &mut problems };
        let locales = reader.read_locales();
        let default_locale = reader.read_locale("default_locale", &locales);
        let default_locale = default_locale.or_else(|| locales.first().cloned());
        let root_locale = reader.read_locale("root_locale", &[]).or_else(|| default_locale.clone());
        let fields = reader.read_fields();
        let parsed = ContentType {
            label: reader.read_text("label").unwrap_or_else(|| label_from_name(name.as_str())),
            icon: reader
                .read_text("icon")
                .filter(|it| it.len() <= ICON_BYTES_MAX)
                .unwrap_or_else(|| DEFAULT_ICON.to_string()),
            singleton: reader.read_flag("singleton"),
            slug_field: reader.read_text("slug_field").unwrap_or_else(|| "slug".to_string()),
            slug_source: reader.read_text("slug_source").unwrap_or_else(|| "title".to_string()),
            private: reader.read_visibility(),
            relation_targets: collect_targets(&fields, |_| true),
            guarded_targets: collect_targets(&fields, |it| it != OnDelete::Keep),
            sum: schema.compute_checksum(),
            source: source.clone(),
            name,
            locales,
            default_locale,
            root_locale,
            fields,
        };
        let usable = problems.is_empty();
        (usable.then_some(parsed), problems)
    }

    /// Returns true if entries have values per locale.
    pub fn is_localized(&self) -> bool {
        !self.locales.is_empty()
    }

    /// Returns the fields whose values are stored under `data`: all but `title` and `slug`.
    pub fn data_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|it| !is_top_level(it.name.as_str()))
    }

    /// Returns the index of `locale` in the type's locales.
    pub fn locale_index(&self, locale: &str) -> Option<usize> {
        self.locales.iter().position(|it| it.as_str() == locale)
    }

    /// Returns the index of the locale that best matches `asked` (RFC 4647, lookup): the exact
    /// match, or the first match as subtags are removed from the end. A request for `de-AT` is
    /// answered in `de`.
    pub fn match_locale(&self, asked: &str) -> Option<usize> {
        let mut range = asked;
        loop {
            if let Some(index) = self.locale_index(range) {
                return Some(index);
            }
            range = range.rsplit_once(['-', '_'])?.0;
        }
    }

    /// Returns the type as both APIs show it, with the keys in the documented order.
    pub fn to_json(&self) -> Json {
        self.to_map().into()
    }

    /// Returns the members of [`to_json`](Self::to_json).
    pub fn to_map(&self) -> Map {
        let locale = |it: &Option<LocaleCode>| it.as_ref().map_or("", |it| it.as_str()).into();
        let fields: Map = self
            .fields
            .iter()
            .map(|it| (it.name.to_string(), it.definition.clone().into()))
            .collect();
        let mut out = Map::new();
        out.push("name", self.name.as_str());
        out.push("label", self.label.as_str());
        out.push("icon", self.icon.as_str());
        out.push("singleton", self.singleton);
        out.push("slug_field", self.slug_field.as_str());
        out.push("slug_source", self.slug_source.as_str());
        let locales: Vec<Json> = self.locales.iter().map(|it| it.as_str().into()).collect();
        out.push("locales", locales);
        let default: Json = locale(&self.default_locale);
        out.push("default_locale", default);
        out.push("visibility", if self.private { "private" } else { "public" });
        out.push("fields", fields);
        out
    }
}

/// Returns true if the value of a field is stored at the top level of an entry, not under `data`.
pub fn is_top_level(field: &str) -> bool {
    matches!(field, "title" | "slug")
}

/// Returns the targets of the relations that `wanted` accepts, each once.
fn collect_targets(fields: &Fields, wanted: impl Fn(OnDelete) -> bool) -> Vec<TypeName> {
    let mut found: Vec<TypeName> = Vec::new();
    fields.visit_relation_targets(&mut |target, on_delete| {
        if wanted(on_delete) && !found.contains(target) {
            found.push(target.clone());
        }
    });
    found
}

struct ContentTypeReader<'a> {
    source: &'a Map,
    problems: &'a mut FieldProblems,
}

impl ContentTypeReader<'_> {
    fn read_text(&mut self, key: &str) -> Option<String> {
        match self.source.get(key)? {
            Json::Null => None,
            Json::String(text) => Some(text.clone()).filter(|it| !it.is_empty()),
            other => {
                self.problems.add(key, format!("This is a text, not {}.", other.kind()));
                None
            }
        }
    }

    fn read_flag(&mut self, key: &str) -> bool {
        match self.source.get(key) {
            None | Some(Json::Null) => false,
            Some(Json::Bool(value)) => *value,
            Some(other) => {
                self.problems.add(key, format!("This is true or false, not {}.", other.kind()));
                false
            }
        }
    }

    fn read_visibility(&mut self) -> bool {
        match self.read_text("visibility").as_deref() {
            None | Some("public") => false,
            Some("private") => true,
            Some(other) => {
                let message = format!("This is `public` or `private`, not `{other}`.");
                self.problems.add("visibility", message);
                // An unreadable value counts as private: its author meant to restrict access.
                true
            }
        }
    }

    fn read_locales(&mut self) -> Vec<LocaleCode> {
        let items = match self.source.get("locales") {
            None | Some(Json::Null) => return Vec::new(),
            Some(Json::Array(items)) => items,
            Some(other) => {
                self.problems.add("locales", format!("This is a list, not {}.", other.kind()));
                return Vec::new();
            }
        };
        if items.len() > LOCALES_MAX {
            self.problems.add("locales", format!("There are more than {LOCALES_MAX} locales."));
        }
        let mut locales: Vec<LocaleCode> = Vec::new();
        for (index, item) in items.iter().take(LOCALES_MAX).enumerate() {
            let path = format!("locales[{index}]");
            match LocaleCode::parse(item.as_str().unwrap_or_default()) {
                Ok(code) if locales.contains(&code) => {
                    self.problems.add(path, format!("The locale `{code}` is there twice."));
                }
                Ok(code) => locales.push(code),
                Err(error) => self.problems.add(path, error.to_string()),
            }
        }
        locales
    }

    /// Reads a locale code. It must be one of `known`, unless that list is empty.
    fn read_locale(&mut self, key: &str, known: &[LocaleCode]) -> Option<LocaleCode> {
        let text = self.read_text(key)?;
        match LocaleCode::parse(&text) {
            Ok(code) if known.is_empty() || known.contains(&code) => Some(code),
            Ok(code) => {
                self.problems.add(key, format!("`{code}` is not among the locales."));
                None
            }
            Err(error) => {
                self.problems.add(key, error.to_string());
                None
            }
        }
    }

    /// Reads all fields. `title` and `slug` are added in front if the file does not define them.
    fn read_fields(&mut self) -> Fields {
        let empty = Map::new();
        let given = match self.source.get("fields") {
            None | Some(Json::Null) => &empty,
            Some(Json::Object(map)) => map,
            Some(other) => {
                self.problems.add("fields", format!("This is an object, not {}.", other.kind()));
                &empty
            }
        };
        let reserved = |name: &&str| RESERVED_FIELD_NAMES.contains(name);
        for (name, _) in given.iter().filter(|(name, _)| reserved(name)) {
            let message = "This name is reserved for the entry itself.";
            self.problems.add(format!("fields.{name}"), message);
        }
        let all: Map = with_builtin_fields(given.clone())
            .into_iter()
            .filter(|(name, _)| !reserved(&name.as_str()))
            .collect();
        let mut found = FieldProblems::new();
        let fields = Fields::parse(&all, 0, &mut found);
        self.problems.extend(found.with_prefix("fields"));
        fields
    }
}

/// Returns the definitions with `title` and `slug` added in front if they are missing.
pub fn with_builtin_fields(given: Map) -> Map {
    let own = [("title", title_definition()), ("slug", slug_definition())];
    let missing = own.into_iter().filter(|(name, _)| !given.contains(name));
    let mut all: Map = missing.map(|(name, it)| (name.to_string(), it.into())).collect();
    given.into_iter().for_each(|(name, it)| all.push(name, it));
    all
}

fn title_definition() -> Map {
    let mut map = Map::new();
    map.push("type", "text");
    map.push("label", "Title");
    map.push("required", true);
    map
}

fn slug_definition() -> Map {
    let mut map = Map::new();
    map.push("type", "slug");
    map.push("label", "Slug");
    map
}
