//! The options of an import through the API.

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::import::markdown::MarkdownOptions;
use crate::app::import::php::PhpOptions;
use crate::app::import::request::ImportKind;
use crate::app::import::tables::TableFormat;
use crate::app::import::tables::TableOptions;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::text_enum::text_enum;

text_enum! {
    /// The format of a source.
    pub enum SourceFormat {
        /// A table with the names of the columns in the first row.
        Csv = "csv",
        /// A list of objects.
        Json = "json",
        /// An object on each line.
        Ndjson = "ndjson",
        /// A folder of Markdown with front matter.
        Markdown = "markdown",
        /// A workspace of the PHP service whose API this is.
        Php = "php",
        /// An export of Contentful.
        Contentful = "contentful",
        /// An export of Directus.
        Directus = "directus",
        /// An export of Strapi.
        Strapi = "strapi",
        /// An export of WordPress.
        WordPress = "wordpress",
    }
}

/// The formats of tables.
const TABLES: &[SourceFormat] = &[SourceFormat::Csv, SourceFormat::Json, SourceFormat::Ndjson];

/// The formats whose entries need not say their status and locale.
const PLAIN: &[SourceFormat] =
    &[SourceFormat::Csv, SourceFormat::Json, SourceFormat::Ndjson, SourceFormat::Markdown];

/// The options beside the format, each with the formats that take it.
const OPTIONS: &[(&str, &[SourceFormat])] = &[
    ("type", TABLES),
    ("map", TABLES),
    ("key", TABLES),
    ("status", PLAIN),
    ("locale", PLAIN),
    ("from", &[SourceFormat::Php]),
];

impl SourceFormat {
    /// Returns the options that only other formats take.
    pub fn foreign_options(self) -> impl Iterator<Item = &'static str> {
        let foreign = OPTIONS.iter().filter(move |(_, formats)| !formats.contains(&self));
        foreign.map(|(name, _)| *name)
    }
}

/// The most columns that are mapped.
const COLUMNS_MAX: usize = 1_000;

/// Reads the options, which are JSON.
pub(super) fn read_options(text: &str) -> Result<ImportKind> {
    let json = match text.is_empty() {
        true => Json::Object(Map::new()),
        false => Json::parse(text.as_bytes()).map_err(|error| {
            let message = format!("This is not JSON: {}.", error.message);
            Error::invalid(FieldProblems::from_problem("options", message))
        })?,
    };
    let mut input =
        ObjectReader::from_json(&json).map_err(|it| Error::invalid(it.with_prefix("options")))?;
    let kind = read_kind(&mut input);
    let kind = input.into_result(kind).map_err(|it| Error::invalid(it.with_prefix("options")))?;
    kind.ok_or_else(|| Error::internal("options without a format and without a problem"))
}

fn read_kind(input: &mut ObjectReader<'_>) -> Option<ImportKind> {
    if !input.contains("kind") {
        input.add_problem("kind", wording::REQUIRED);
    }
    let names = SourceFormat::ALL.iter().map(|it| it.as_str());
    let format = input.choice("kind", names, SourceFormat::parse)?;
    for name in format.foreign_options() {
        if input.value(name).is_some_and(|it| !it.is_empty()) {
            let message = format!("An import of the kind `{format}` has no such option.");
            input.add_problem(name, message);
        }
    }
    let mut text = |key: &str| input.text(key).filter(|it| !it.is_empty()).map(str::to_string);
    let (status, locale, from) = (text("status"), text("locale"), text("from"));
    let table = match format {
        SourceFormat::Csv => TableFormat::Csv,
        SourceFormat::Json => TableFormat::Json,
        SourceFormat::Ndjson => TableFormat::Ndjson,
        SourceFormat::Markdown => {
            return Some(ImportKind::Markdown(MarkdownOptions { status, locale }));
        }
        SourceFormat::Php => return Some(ImportKind::Php(PhpOptions { from })),
        SourceFormat::Contentful => return Some(ImportKind::Contentful),
        SourceFormat::Directus => return Some(ImportKind::Directus),
        SourceFormat::Strapi => return Some(ImportKind::Strapi),
        SourceFormat::WordPress => return Some(ImportKind::WordPress),
    };
    let key = text("key");
    let type_name = input.filled_text("type");
    let map = read_map(input);
    Some(ImportKind::Table(table, TableOptions { type_name, map, key, status, locale }))
}

/// Reads the fields that columns go into; `null` or an empty text leaves a column out.
fn read_map(input: &mut ObjectReader<'_>) -> Vec<(String, String)> {
    let Some(value) = input.value("map") else { return Vec::new() };
    let Json::Object(columns) = value else {
        input.add_wrong_type("map", wording::OBJECT, value);
        return Vec::new();
    };
    if columns.len() > COLUMNS_MAX {
        input.add_problem("map", format!("There can be at most {COLUMNS_MAX} columns."));
        return Vec::new();
    }
    let mut map = Vec::new();
    for (column, field) in columns.iter() {
        match field {
            Json::String(field) => map.push((column.to_string(), field.to_string())),
            Json::Null => map.push((column.to_string(), String::new())),
            other => input.add_wrong_type(format!("map.{column}"), wording::STRING, other),
        }
    }
    map
}
