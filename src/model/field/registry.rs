//! The registry of field kinds, and the definitions that it reads.

use crate::model::field::blocks;
use crate::model::field::boolean;
use crate::model::field::color;
use crate::model::field::date;
use crate::model::field::datetime;
use crate::model::field::definition::FieldDefinition;
use crate::model::field::email;
use crate::model::field::html;
use crate::model::field::json;
use crate::model::field::kind::Field;
use crate::model::field::kind::Fields;
use crate::model::field::kind::KindEntry;
use crate::model::field::markdown;
use crate::model::field::media;
use crate::model::field::number;
use crate::model::field::object;
use crate::model::field::picture_texts::LevelMember;
use crate::model::field::picture_texts::check_level;
use crate::model::field::range;
use crate::model::field::relation;
use crate::model::field::repeater;
use crate::model::field::select;
use crate::model::field::slug;
use crate::model::field::text;
use crate::model::field::textarea;
use crate::model::field::url;
use crate::model::input::wording;
use crate::model::name::FieldName;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The maximum number of fields on one level of a definition.
pub const FIELDS_MAX: usize = 500;

/// The kinds in the order of the interface.
pub static KINDS: &[KindEntry] = &[
    text::KIND,
    textarea::KIND,
    markdown::KIND,
    html::KIND,
    number::KIND,
    range::KIND,
    boolean::KIND,
    select::KIND,
    date::KIND,
    datetime::KIND,
    media::KIND,
    slug::KIND,
    json::KIND,
    relation::KIND,
    repeater::KIND,
    color::KIND,
    email::KIND,
    url::KIND,
    object::KIND,
    blocks::KIND,
];

impl Field {
    /// Parses a definition. Every defect is added to `problems` with its path below the field.
    pub fn parse(
        name: FieldName,
        definition: &Json,
        nesting: usize,
        problems: &mut FieldProblems,
    ) -> Option<Field> {
        let Some(map) = definition.as_object() else {
            problems.add("", wording::wrong_type(wording::OBJECT, definition));
            return None;
        };
        let type_name = match map.get("type") {
            None | Some(Json::Null) => "text",
            Some(Json::String(name)) => name,
            Some(other) => {
                problems.add("type", wording::wrong_type(wording::STRING, other));
                return None;
            }
        };
        let Some(entry) = KINDS.iter().find(|it| it.name == type_name) else {
            problems.add("type", format!("`{type_name}` is not a field type."));
            return None;
        };
        let mut settings = FieldDefinition { map, nesting, problems };
        let kind = (entry.parse)(&mut settings);
        Some(Field {
            label: settings.get_text("label").unwrap_or_else(|| label_from_name(name.as_str())),
            description: settings.get_text("description").unwrap_or_default(),
            required: settings.get_flag("required", false),
            default: map.get("default").cloned(),
            localized: settings.get_flag("localized", true),
            unique: settings.get_flag("unique", false),
            visible_if: settings.get_conditions(),
            kind,
            definition: map.clone(),
            name,
        })
    }
}

impl Fields {
    /// Parses a map of definitions. Defects are added with the name of the field in their path.
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
            problems.extend(found.with_prefix(key));
            field
        };
        let fields = Fields(map.iter().take(FIELDS_MAX).filter_map(parse).collect());
        let level = map.iter().take(FIELDS_MAX);
        let level = level.filter_map(|(name, it)| LevelMember::new(name.to_string(), name, it));
        check_level(&level.collect::<Vec<_>>(), nesting, problems);
        fields
    }

    /// Parses a list of definitions that contain their name under `key`, as in repeaters.
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
                    found.add("key", format!("The key `{name}` occurs twice."));
                }
                Ok(name) => fields.extend(Field::parse(name, item, nesting, &mut found)),
                Err(error) => found.add("key", error.to_string()),
            }
            problems.extend(found.with_prefix(&format!("[{index}]")));
        }
        let level = items.iter().take(FIELDS_MAX).enumerate().filter_map(|(index, item)| {
            let name = item.as_object()?.get("key")?.as_str()?;
            LevelMember::new(format!("[{index}]"), name, item)
        });
        check_level(&level.collect::<Vec<_>>(), nesting, problems);
        Fields(fields)
    }
}

/// Derives a label from a name: separators become spaces, and the first letter is upper case.
pub fn label_from_name(name: &str) -> String {
    let spaced = name.replace(['_', '-'], " ");
    let mut letters = spaced.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        // The name consists of separators.
        None => name.to_string(),
    }
}
