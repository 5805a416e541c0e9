//! Fields of content types and the registry of their kinds: one file a kind, one line in [`KINDS`].
//!
//! A kind says how a value is accepted from a writer, how it is shown to a reader, how it compares
//! in filters and orders, and how it is described to tools. Nothing outside this folder switches
//! over kinds.

use std::fmt;

use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// How deep definitions may be nested: repeaters, objects and blocks inside one another.
pub const NESTING_MAX: usize = 5;

/// How many fields one level of a definition may have.
pub const FIELDS_MAX: usize = 500;

/// One kind of field with its own settings parsed: what a value of the field means.
pub trait FieldKind: fmt::Debug + Send + Sync {
    /// The name on the wire, as in [`KINDS`].
    fn name(&self) -> &'static str;

    /// Turns what a writer sent into what is stored. Every defect is added to `problems` with its
    /// path below this field (`""` for the value itself, `[2].url` inside); what is returned then
    /// is not used.
    fn accept(&self, input: &Json, world: &dyn World, problems: &mut FieldProblems) -> Json;

    /// The stored form of "no value".
    fn empty(&self) -> Json {
        Json::Null
    }

    /// Appends the stored value as readers of the public API see it. A stored value that does not
    /// fit the kind any more is shown as it is.
    fn show(&self, stored: &Json, show: &mut Show<'_>) {
        stored.write_compact(&mut show.out);
    }

    /// How values compare in filters and orders.
    fn comparison(&self) -> Comparison;

    /// Calls `each` with every comparable value inside a *shown* value: none for an empty one, one
    /// for a single one, each item of a list. The default fits kinds whose values are scalars.
    fn values(&self, shown: &Json, each: &mut dyn FnMut(Comparable<'_>)) {
        scalars(self.comparison(), shown, each);
    }

    /// Appends the text that full-text search looks at, pieces separated by line feeds. Works on
    /// stored and on shown values. The default is for kinds that are not searched.
    fn text(&self, _value: &Json, _out: &mut String) {}

    /// Calls `each` with everything a stored value refers to, however deep inside, with its path
    /// below this field.
    fn references(&self, _stored: &Json, _each: &mut dyn FnMut(&str, Reference<'_>)) {}

    /// The target of a relation and whether it holds several.
    fn relation(&self) -> Option<(&TypeName, bool)> {
        None
    }

    /// The targets of all relations in this field, nested ones included.
    fn relation_targets(&self, each: &mut dyn FnMut(&TypeName)) {
        if let Some((target, _)) = self.relation() {
            each(target);
        }
    }

    /// The fields of an object, which filters and orders reach with dots.
    fn subfields(&self) -> Option<&Fields> {
        None
    }

    /// JSON Schema (draft 2020-12) of the value, without title and description.
    fn json_schema(&self, face: Face) -> serde_json::Value;
}

/// The kinds in the order in which the interface offers them (contract §2).
pub static KINDS: &[KindEntry] = &[];

/// One line of the registry.
pub struct KindEntry {
    /// The `type` of a definition.
    pub name: &'static str,
    /// Reads the kind's own settings; defects are added to the definition's problems.
    pub parse: fn(&mut Definition<'_>) -> Box<dyn FieldKind>,
}

/// Which face of a value a JSON Schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// What the public API answers.
    Shown,
    /// What a writer may send.
    Input,
    /// What stands in the file.
    Stored,
}

/// How values of a kind compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// By number.
    Number,
    /// `false` before `true`; `0` and `1` are understood.
    Bool,
    /// By day.
    Date,
    /// By second; a bound without a time covers its whole day.
    DateTime,
    /// By text: exact in filters, case-folded in orders.
    Text,
    /// As text, but too long to be held a second time in memory.
    LongText,
    /// By the id of an entry that the reader may see.
    Relation,
    /// By filename or URL.
    Media,
    /// By the compact JSON text.
    Json,
}

/// One comparable value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparable<'a> {
    /// Numbers; booleans as 0 and 1; dates and times as seconds since the epoch.
    Number(f64),
    /// Everything else.
    Text(&'a str),
}

/// What a stored value refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// An entry of the type, by id.
    Entry(&'a TypeName, &'a str),
    /// A media file, by name.
    Media(&'a str),
}

/// What a kind may ask about the workspace while it accepts a value.
pub trait World {
    /// The id of the active entry of `target` with this id or slug.
    fn entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String>;

    /// The filename of an existing media file, given by filename or by its absolute URL in this
    /// workspace.
    fn media(&self, name_or_url: &str) -> Option<String>;
}

/// A world in which every reference holds, for judging values by themselves.
pub struct AnyWorld;

impl World for AnyWorld {
    fn entry(&self, _target: &TypeName, id_or_slug: &str) -> Option<String> {
        Some(id_or_slug.to_string())
    }

    fn media(&self, name_or_url: &str) -> Option<String> {
        Some(name_or_url.to_string())
    }
}

/// Where a shown value goes, and what a kind needs to show it.
#[derive(Debug)]
pub struct Show<'a> {
    /// The JSON text so far.
    pub out: Vec<u8>,
    /// What stands before a filename in an absolute media URL, ending with `/`.
    pub media_base: &'a str,
    /// Relations shown so far.
    pub links: Vec<Link>,
    /// The names of the types that links point to, in the order of [`Link::target`].
    pub targets: &'a [TypeName],
}

/// A relation inside shown JSON: who may not see the target is shown the text without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where its value begins: a string, or an array of strings, of ids.
    pub start: u32,
    /// Where its value ends.
    pub end: u32,
    /// The index of the target among the type's relation targets.
    pub target: u16,
    /// Whether the value is an array.
    pub many: bool,
}

impl Show<'_> {
    /// Appends a relation: the ids in `stored` that can be ids. Anything else is left out.
    pub fn relation(&mut self, target: &TypeName, many: bool, stored: &Json) {
        let start = self.out.len();
        let ids: &mut dyn Iterator<Item = &str> = match stored {
            Json::Array(items) => &mut items.iter().filter_map(Json::as_str),
            single => &mut single.as_str().into_iter(),
        };
        let mut ids = ids.filter(|id| crate::model::name::EntryId::parse(id).is_ok());
        if many {
            write_list(&mut self.out, ids, |out, id| crate::stdx::json::write_string(id, out));
        } else if let Some(id) = ids.next() {
            crate::stdx::json::write_string(id, &mut self.out);
        } else {
            self.out.extend_from_slice(b"null");
        }
        let end = self.out.len();
        // Bodies are limited to megabytes and targets to the number of fields.
        if let (Some(target), Ok(start), Ok(end)) = (
            self.targets.iter().position(|it| it == target).and_then(|it| u16::try_from(it).ok()),
            u32::try_from(start),
            u32::try_from(end),
        ) {
            self.links.push(Link { start, end, target, many });
        }
    }

    /// Appends the absolute URL of a media file.
    pub fn media_url(&mut self, filename: &str) {
        let url = format!("{}{}", self.media_base, crate::stdx::percent::segment(filename));
        crate::stdx::json::write_string(&url, &mut self.out);
    }
}

/// Appends `[…]` with each item written by `write`.
pub fn write_list<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

/// One field of a content type, an object, a repeater or a block.
#[derive(Debug)]
pub struct Field {
    /// The key under which the value is kept.
    pub name: FieldName,
    /// What people read; the name with separators as spaces unless given.
    pub label: String,
    /// A sentence of help, or empty.
    pub description: String,
    /// Whether an empty value is refused.
    pub required: bool,
    /// Applied on create when the key is absent.
    pub default: Option<Json>,
    /// Whether each locale has a value of its own.
    pub localized: bool,
    /// Whether no two entries of the type may have the same value.
    pub unique: bool,
    /// Shown only while other fields have certain values; a hidden field is not required.
    pub visible_if: Vec<(String, Vec<Json>)>,
    /// What values mean.
    pub kind: Box<dyn FieldKind>,
    /// The definition as written, unknown keys included.
    pub definition: Map,
}

impl Field {
    /// Reads one definition. Every defect is added to `problems` with its path below the field.
    pub fn parse(
        name: FieldName,
        definition: &Json,
        nesting: usize,
        problems: &mut FieldProblems,
    ) -> Option<Field> {
        let Some(map) = definition.as_object() else {
            problems.add("", format!("A field is an object, not {}.", definition.kind()));
            return None;
        };
        let type_name = map.get("type").and_then(Json::as_str).unwrap_or("text");
        let Some(entry) = KINDS.iter().find(|it| it.name == type_name) else {
            problems.add("type", format!("`{type_name}` is no field type."));
            return None;
        };
        let mut settings = Definition { map, nesting, problems };
        let kind = (entry.parse)(&mut settings);
        Some(Field {
            label: settings.text("label").unwrap_or_else(|| label_of(name.as_str())),
            description: settings.text("description").unwrap_or_default(),
            required: settings.flag("required", false),
            default: map.get("default").cloned(),
            localized: settings.flag("localized", true),
            unique: settings.flag("unique", false),
            visible_if: settings.conditions(),
            kind,
            definition: map.clone(),
            name,
        })
    }

    /// Whether the field is shown, and so required if it says so, beside these values.
    pub fn is_visible(&self, siblings: &Map) -> bool {
        self.visible_if.iter().all(|(name, wanted)| {
            let value = siblings.get(name).unwrap_or(&Json::Null);
            wanted.iter().any(|it| it == value || it.is_empty() && value.is_empty())
        })
    }
}

/// A name with separators as spaces and its first letter upper.
pub fn label_of(name: &str) -> String {
    let spaced = name.replace(['_', '-'], " ");
    let mut letters = spaced.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Fields in order, found by name.
#[derive(Debug, Default)]
pub struct Fields(Vec<Field>);

impl Fields {
    /// Reads a map of definitions; defects are added with the field's name in their path.
    pub fn parse(map: &Map, nesting: usize, problems: &mut FieldProblems) -> Fields {
        if map.len() > FIELDS_MAX {
            problems.add("", format!("There are more than {FIELDS_MAX} fields."));
        }
        let parse = |(key, definition)| {
            let mut found = FieldProblems::new();
            let field = match FieldName::parse(key) {
                Ok(name) => Field::parse(name, definition, nesting, &mut found),
                Err(error) => {
                    found.add("", error.to_string());
                    None
                }
            };
            problems.extend(found.at(key));
            field
        };
        Fields(map.iter().take(FIELDS_MAX).filter_map(parse).collect())
    }

    /// Reads a list of definitions that carry their name under `key`, as repeaters have them.
    pub fn parse_list(items: &[Json], nesting: usize, problems: &mut FieldProblems) -> Fields {
        let mut fields: Vec<Field> = Vec::with_capacity(items.len().min(FIELDS_MAX));
        if items.len() > FIELDS_MAX {
            problems.add("", format!("There are more than {FIELDS_MAX} fields."));
        }
        for (index, item) in items.iter().take(FIELDS_MAX).enumerate() {
            let mut found = FieldProblems::new();
            let key = item.as_object().and_then(|it| it.get("key")).and_then(Json::as_str);
            match FieldName::parse(key.unwrap_or_default()) {
                Ok(name) if fields.iter().any(|it| it.name == name) => {
                    found.add("key", format!("The key `{name}` is there twice."));
                }
                Ok(name) => fields.extend(Field::parse(name, item, nesting, &mut found)),
                Err(error) => found.add("key", error.to_string()),
            }
            problems.extend(found.at(&format!("[{index}]")));
        }
        Fields(fields)
    }

    /// The field of this name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|it| it.name.as_str() == name)
    }

    /// The fields in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Field> {
        self.0.iter()
    }

    /// The number of fields.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn from_vec(fields: Vec<Field>) -> Fields {
        Fields(fields)
    }

    /// Reaches a field through objects: `seo.title`.
    pub fn find(&self, dotted: &str) -> Option<&Field> {
        match dotted.split_once('.') {
            None => self.get(dotted),
            Some((name, rest)) => self.get(name)?.kind.subfields()?.find(rest),
        }
    }

    /// Accepts an object with these fields: defaults are not applied, unknown keys are dropped,
    /// each declared field gets its value or its empty value.
    pub fn accept(&self, input: &Map, world: &dyn World, problems: &mut FieldProblems) -> Map {
        let mut stored = Map::new();
        for field in self.iter() {
            let sent = input.get(field.name.as_str());
            let mut found = FieldProblems::new();
            let value = match sent {
                None | Some(Json::Null) => field.kind.empty(),
                Some(value) => field.kind.accept(value, world, &mut found),
            };
            if field.required && value.is_empty() && found.is_empty() && field.is_visible(input) {
                found.add("", REQUIRED);
            }
            problems.extend(found.at(field.name.as_str()));
            stored.push(field.name.as_str(), value);
        }
        stored
    }

    /// Appends an object with these fields in order, as far as `stored` has them.
    pub fn show(&self, stored: &Map, show: &mut Show<'_>) {
        show.out.push(b'{');
        self.show_members(stored, show);
        show.out.push(b'}');
    }

    /// Appends the members alone, without braces.
    pub fn show_members(&self, stored: &Map, show: &mut Show<'_>) {
        let mut first = !matches!(show.out.last(), Some(byte) if *byte != b'{');
        for field in self.iter() {
            let Some(value) = stored.get(field.name.as_str()) else { continue };
            if !first {
                show.out.push(b',');
            }
            first = false;
            crate::stdx::json::write_string(field.name.as_str(), &mut show.out);
            show.out.push(b':');
            field.kind.show(value, show);
        }
    }

    /// Appends the searched text of an object with these fields.
    pub fn text(&self, value: &Map, out: &mut String) {
        for field in self.iter() {
            if let Some(value) = value.get(field.name.as_str()) {
                field.kind.text(value, out);
            }
        }
    }

    /// Calls `each` with every reference inside an object with these fields.
    pub fn references(&self, stored: &Map, each: &mut dyn FnMut(&str, Reference<'_>)) {
        for field in self.iter() {
            let Some(value) = stored.get(field.name.as_str()) else { continue };
            field.kind.references(value, &mut |path, reference| {
                each(&join(field.name.as_str(), path), reference);
            });
        }
    }

    /// The targets of all relations, nested ones included.
    pub fn relation_targets(&self, each: &mut dyn FnMut(&TypeName)) {
        self.iter().for_each(|it| it.kind.relation_targets(each));
    }

    /// JSON Schema of an object with these fields.
    pub fn json_schema(&self, face: Face) -> serde_json::Value {
        let properties: serde_json::Map<String, serde_json::Value> =
            self.iter().map(|it| (it.name.to_string(), it.json_schema(face))).collect();
        serde_json::json!({ "type": "object", "properties": properties })
    }
}

impl Field {
    /// JSON Schema of the value with the field's label and description.
    pub fn json_schema(&self, face: Face) -> serde_json::Value {
        let mut schema = self.kind.json_schema(face);
        if let Some(map) = schema.as_object_mut() {
            map.insert("title".to_string(), self.label.as_str().into());
            if !self.description.is_empty() {
                map.insert("description".to_string(), self.description.as_str().into());
            }
        }
        schema
    }
}

/// What is said of a required field without a value.
pub const REQUIRED: &str = "This field is required.";

/// `name` before a path below it: `rows` and `[2].key` give `rows[2].key`.
pub fn join(name: &str, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{name}{dot}{path}")
}

/// A definition while its kind reads it: settings by key, each defect with its path.
pub struct Definition<'a> {
    /// The definition as written.
    pub map: &'a Map,
    /// How many definitions this one is inside of.
    pub nesting: usize,
    /// Defects so far, with paths below the field.
    pub problems: &'a mut FieldProblems,
}

impl Definition<'_> {
    /// A text, if given.
    pub fn text(&mut self, key: &str) -> Option<String> {
        match self.map.get(key)? {
            Json::Null => None,
            Json::String(text) => Some(text.clone()),
            other => {
                self.problems.add(key, format!("This is a text, not {}.", other.kind()));
                None
            }
        }
    }

    /// A truth value, or `otherwise`.
    pub fn flag(&mut self, key: &str, otherwise: bool) -> bool {
        match self.map.get(key) {
            None | Some(Json::Null) => otherwise,
            Some(Json::Bool(value)) => *value,
            Some(other) => {
                self.problems.add(key, format!("This is true or false, not {}.", other.kind()));
                otherwise
            }
        }
    }

    /// A finite number, if given.
    pub fn number(&mut self, key: &str) -> Option<f64> {
        match self.map.get(key)? {
            Json::Null => None,
            Json::Number(number) => number.as_f64().filter(|it| it.is_finite()),
            other => {
                self.problems.add(key, format!("This is a number, not {}.", other.kind()));
                None
            }
        }
    }

    /// A count, if given.
    pub fn count(&mut self, key: &str) -> Option<usize> {
        let number = self.number(key)?;
        if number < 0.0 || number.fract() != 0.0 || number > f64::from(u32::MAX) {
            self.problems.add(key, "This is a whole number, 0 or more.");
            return None;
        }
        Some(number as usize)
    }

    fn conditions(&mut self) -> Vec<(String, Vec<Json>)> {
        let Some(value) = self.map.get("visible_if").filter(|it| !it.is_empty()) else {
            return Vec::new();
        };
        let Some(map) = value.as_object() else {
            self.problems.add("visible_if", "This maps a field to a value or a list of values.");
            return Vec::new();
        };
        let wanted = |value: &Json| match value {
            Json::Array(values) => values.clone(),
            single => vec![single.clone()],
        };
        map.iter().map(|(name, value)| (name.to_string(), wanted(value))).collect()
    }
}

/// [`FieldKind::values`] of a scalar or a list of scalars.
fn scalars(comparison: Comparison, shown: &Json, each: &mut dyn FnMut(Comparable<'_>)) {
    if let Json::Array(items) = shown
        && comparison != Comparison::Json
    {
        return items.iter().for_each(|it| scalars(comparison, it, each));
    }
    if shown.is_empty() {
        return;
    }
    match comparison {
        Comparison::Number => {
            shown.as_f64().into_iter().for_each(|it| each(Comparable::Number(it)))
        }
        Comparison::Bool => {
            let value = shown.as_bool().map(|it| f64::from(u8::from(it)));
            value.into_iter().for_each(|it| each(Comparable::Number(it)));
        }
        Comparison::Date | Comparison::DateTime => {
            let time = shown.as_str().and_then(crate::stdx::time::Timestamp::parse);
            time.into_iter().for_each(|it| each(Comparable::Number(it.seconds() as f64)));
        }
        Comparison::Json => each(Comparable::Text(&compact(shown))),
        Comparison::Text | Comparison::LongText | Comparison::Relation | Comparison::Media => {
            match shown {
                Json::String(text) => each(Comparable::Text(text)),
                other => each(Comparable::Text(&compact(other))),
            }
        }
    }
}

fn compact(value: &Json) -> String {
    let mut out = Vec::new();
    value.write_compact(&mut out);
    // The writer copies text that is UTF-8 already.
    String::from_utf8(out).unwrap_or_default()
}
