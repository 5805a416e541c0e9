//! Tables: rows of CSV, or objects of JSON, that become entries of one content type.

mod csv;
mod options;
mod table_entry;

use crate::app::import::import_set::ImportSet;
use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::app::import::tables::csv::CsvTable;
pub use crate::app::import::tables::options::TableFormat;
pub use crate::app::import::tables::options::TableOptions;
use crate::app::import::tables::table_entry::TableEntries;
use crate::model::input::wording;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::JsonError;
use crate::store::source::ImportSource;
use crate::store::source::SourceFile;
use crate::store::source::TEXT_BYTES_MAX;

/// The most values of a JSON file.
const VALUES_MAX: usize = 20_000_000;

/// Reads the tables of a source.
pub(super) fn read_table(
    source: &dyn ImportSource,
    format: TableFormat,
    options: &TableOptions,
    snapshot: &Snapshot,
) -> ImportSet {
    let mut set = ImportSet::default();
    let Some(index) = snapshot.get(&options.type_name) else {
        let known: Vec<&str> =
            snapshot.types().iter().map(|it| it.content_type.name.as_str()).collect();
        let (name, known) = (&options.type_name, known.join(", "));
        let message = format!("There is no content type `{name}`. There are: {known}.");
        set.report.add_problem(SourcePlace::default(), message);
        return set;
    };
    let files = find_tables(source, format, &mut set.report);
    if files.is_empty() {
        set.report.add_problem(SourcePlace::default(), "There is no file with a table.");
        return set;
    }
    let mut entries = TableEntries::new(&index.content_type, options, &mut set);
    for file in files {
        let place = SourcePlace::of_file(&file.path);
        match source.read_text(&file.path, TEXT_BYTES_MAX) {
            Err(error) => entries.add_problem(place, format!("The file cannot be read: {error}.")),
            Ok(text) => match format {
                TableFormat::Csv => read_csv(&text, &place, &mut entries),
                TableFormat::Json => read_json(&text, &place, &mut entries),
                TableFormat::Ndjson => read_ndjson(&text, &place, &mut entries),
            },
        }
    }
    set
}

/// Finds the files with tables: in a folder or an archive, those whose names say so. A file by
/// itself is a table whatever it is called.
fn find_tables<'s>(
    source: &'s dyn ImportSource,
    format: TableFormat,
    report: &mut ImportReport,
) -> Vec<&'s SourceFile> {
    if source.is_single_file() {
        return source.files().iter().collect();
    }
    let is_hidden = |path: &str| path.split('/').any(|it| it.starts_with('.'));
    let shown = source.files().iter().filter(|it| !is_hidden(&it.path));
    let (tables, others): (Vec<&SourceFile>, Vec<&SourceFile>) =
        shown.partition(|it| format.is_of_file(&it.path));
    for file in others {
        report.add_skipped(SourcePlace::of_file(&file.path), "Its name is not that of a table.");
    }
    tables
}

fn read_csv(text: &str, place: &SourcePlace, entries: &mut TableEntries<'_>) {
    let table = CsvTable::parse(text);
    entries.has_decimal_commas = table.delimiter == ';';
    for (row, line, message) in table.defects {
        let place = SourcePlace { row: Some(row), line: Some(line), ..place.clone() };
        entries.add_problem(place, message);
    }
    let targets = entries.find_columns(&table.columns, place);
    for row in table.rows {
        let place = SourcePlace { row: Some(row.number), line: Some(row.line), ..place.clone() };
        let cells = table.columns.iter().zip(&targets).zip(row.cells);
        let values = cells.filter_map(|((column, target), cell)| {
            Some((column.as_str(), target.clone()?, Json::String(cell)))
        });
        entries.add_text_row(place, values);
    }
}

fn read_json(text: &str, place: &SourcePlace, entries: &mut TableEntries<'_>) {
    let parsed = match Json::parse_within(text.as_bytes(), VALUES_MAX) {
        Ok(parsed) => parsed,
        Err(error) => return add_json_problem(&error, place, entries),
    };
    let items = match &parsed {
        Json::Object(map) => map.get("data").and_then(Json::as_array),
        other => other.as_array(),
    };
    let Some(items) = items else {
        let message = "A table is a list of objects, or an object with such a list in `data`.";
        return entries.add_problem(place.clone(), message.to_string());
    };
    for (row, item) in (1..).zip(items) {
        let place = SourcePlace { row: Some(row), ..place.clone() };
        read_object(item, place, entries);
    }
}

fn read_ndjson(text: &str, place: &SourcePlace, entries: &mut TableEntries<'_>) {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    for (number, line) in lines {
        let place = place.with_line(number);
        match Json::parse_within(line.as_bytes(), VALUES_MAX) {
            Ok(item) => read_object(&item, place, entries),
            Err(error) => {
                entries.add_problem(place, format!("This is not JSON: {}.", error.message))
            }
        }
    }
}

fn read_object(item: &Json, place: SourcePlace, entries: &mut TableEntries<'_>) {
    match item {
        Json::Object(map) => entries.add_object(place, map),
        _ => entries.add_problem(place, wording::wrong_type(wording::OBJECT, item)),
    }
}

fn add_json_problem(error: &JsonError, place: &SourcePlace, entries: &mut TableEntries<'_>) {
    let message = format!("This is not JSON: {}.", error.message);
    entries.add_problem(place.with_line(u64::from(error.line)), message);
}
