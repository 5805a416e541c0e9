//! Content types: what kind of entries there are and which fields they have.

use crate::model::field::Field;
use crate::model::field::Fields;
use crate::model::field::label_of;
use crate::model::name::LocaleCode;
use crate::model::name::RESERVED_FIELD_NAMES;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sum::Sum;

/// The icon of a type that names none.
pub const DEFAULT_ICON: &str = "file-text";

/// How long an icon's name may be, in bytes.
pub const ICON_BYTES_MAX: usize = 64;

/// How many locales a type has at most.
pub const LOCALES_MAX: usize = 200;

/// A content type, as its schema file describes it.
#[derive(Debug)]
pub struct ContentType {
    /// Its name: the stem of the schema file.
    pub name: TypeName,
    /// What people read.
    pub label: String,
    /// An icon's name.
    pub icon: String,
    /// Whether the type is one fixed entry whose id and slug are the type's name.
    pub singleton: bool,
    /// The field whose value an explicit slug is taken from.
    pub slug_field: String,
    /// The field that an automatic slug is made from.
    pub slug_source: String,
    /// Its locales; empty when the type is not localized.
    pub locales: Vec<LocaleCode>,
    /// The locale that reads without a locale see.
    pub default_locale: Option<LocaleCode>,
    /// The locale of the values at the root of an entry file; fixed once chosen.
    pub root_locale: Option<LocaleCode>,
    /// Whether the type does not exist for anonymous requests.
    pub private: bool,
    /// All fields, `title` and `slug` among them.
    pub fields: Fields,
    /// The types that relations of this type point to, each once.
    pub relation_targets: Vec<TypeName>,
    /// The sum of the schema file.
    pub sum: Sum,
    /// The file's content as read.
    pub source: Map,
}

impl ContentType {
    /// Reads a schema file. The first part is missing when the defects leave nothing to work with;
    /// the caller decides what defects mean (a request is refused, a file raises a problem).
    pub fn parse(name: TypeName, schema: &Json) -> (Option<ContentType>, FieldProblems) {
        let mut problems = FieldProblems::new();
        let Some(source) = schema.as_object() else {
            problems.add("", format!("A schema is an object, not {}.", schema.kind()));
            return (None, problems);
        };
        let mut reader = Reader { source, problems: &mut problems };
        let locales = reader.locales();
        let default_locale = reader.locale("default_locale", &locales);
        let default_locale = default_locale.or_else(|| locales.first().cloned());
        let root_locale = reader.locale("root_locale", &[]).or_else(|| default_locale.clone());
        let fields = reader.fields();
        let parsed = ContentType {
            label: reader.text("label").unwrap_or_else(|| label_of(name.as_str())),
            icon: reader
                .text("icon")
                .filter(|it| it.len() <= ICON_BYTES_MAX)
                .unwrap_or_else(|| DEFAULT_ICON.to_string()),
            singleton: reader.flag("singleton"),
            slug_field: reader.text("slug_field").unwrap_or_else(|| "slug".to_string()),
            slug_source: reader.text("slug_source").unwrap_or_else(|| "title".to_string()),
            private: reader.private(),
            relation_targets: targets(&fields),
            sum: schema.sum(),
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

    /// Whether entries have values per locale.
    pub fn is_localized(&self) -> bool {
        !self.locales.is_empty()
    }

    /// The fields whose values live under `data`: all but `title` and `slug`.
    pub fn data_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|it| !is_top_level(it.name.as_str()))
    }

    /// The place of `locale` among the type's locales.
    pub fn locale_index(&self, locale: &str) -> Option<usize> {
        self.locales.iter().position(|it| it.as_str() == locale)
    }

    /// The place of the locale that answers for `asked`: itself, else the nearest one that is left
    /// when it is cut from its end (RFC 4647, lookup), so `de-AT` is answered in `de`.
    pub fn lookup(&self, asked: &str) -> Option<usize> {
        let mut range = asked;
        loop {
            if let Some(index) = self.locale_index(range) {
                return Some(index);
            }
            range = range.rsplit_once(['-', '_'])?.0;
        }
    }

    /// The type as both APIs show it, in the documented order of keys.
    pub fn to_json(&self) -> Json {
        self.to_map().into()
    }

    /// The members of that.
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

/// Whether a field's value stands at the top level of an entry instead of under `data`.
pub fn is_top_level(field: &str) -> bool {
    matches!(field, "title" | "slug")
}

fn targets(fields: &Fields) -> Vec<TypeName> {
    let mut found: Vec<TypeName> = Vec::new();
    fields.relation_targets(&mut |target| {
        if !found.contains(target) {
            found.push(target.clone());
        }
    });
    found
}

struct Reader<'a> {
    source: &'a Map,
    problems: &'a mut FieldProblems,
}

impl Reader<'_> {
    fn text(&mut self, key: &str) -> Option<String> {
        match self.source.get(key)? {
            Json::Null => None,
            Json::String(text) => Some(text.clone()).filter(|it| !it.is_empty()),
            other => {
                self.problems.add(key, format!("This is a text, not {}.", other.kind()));
                None
            }
        }
    }

    fn flag(&mut self, key: &str) -> bool {
        match self.source.get(key) {
            None | Some(Json::Null) => false,
            Some(Json::Bool(value)) => *value,
            Some(other) => {
                self.problems.add(key, format!("This is true or false, not {}.", other.kind()));
                false
            }
        }
    }

    fn private(&mut self) -> bool {
        match self.text("visibility").as_deref() {
            None | Some("public") => false,
            Some("private") => true,
            Some(other) => {
                let message = format!("This is `public` or `private`, not `{other}`.");
                self.problems.add("visibility", message);
                // Whoever wrote something here meant to restrict it.
                true
            }
        }
    }

    fn locales(&mut self) -> Vec<LocaleCode> {
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

    /// A locale code that must be among `known`, unless that is empty.
    fn locale(&mut self, key: &str, known: &[LocaleCode]) -> Option<LocaleCode> {
        let text = self.text(key)?;
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

    /// All fields; `title` and `slug` are put in front when the file does not define them.
    fn fields(&mut self) -> Fields {
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
        let all: Map = with_own_fields(given.clone())
            .into_iter()
            .filter(|(name, _)| !reserved(&name.as_str()))
            .collect();
        let mut found = FieldProblems::new();
        let fields = Fields::parse(&all, 0, &mut found);
        self.problems.extend(found.at("fields"));
        fields
    }
}

/// Definitions with `title` and `slug` in front of them, unless they are there.
pub fn with_own_fields(given: Map) -> Map {
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
