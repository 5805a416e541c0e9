//! Entries as a table of CSV: a column for each key and field, and for each that is translated.

use crate::app::export::exported_entry::ENTRY_KEYS;
use crate::app::export::exported_entry::ExportedEntry;
use crate::app::export::exported_entry::ExportedType;
use crate::app::export::exported_entry::translated_value;
use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::stdx::json::Json;

/// The signs at which values of a list are taken apart.
const LIST_SIGNS: [char; 3] = ['|', ',', ';'];

/// The signs with which spreadsheets begin a formula.
const FORMULA_SIGNS: [char; 4] = ['=', '+', '-', '@'];

/// A table of CSV.
pub struct CsvExport {
    /// The text.
    pub text: String,
    /// The number of values that spreadsheets take for formulas.
    pub n_formulas: usize,
}

/// Writes the entries of a type.
pub fn write_csv(exported: &ExportedType) -> CsvExport {
    let ty = &*exported.content_type;
    let locales = list_locales(exported);
    let mut csv = CsvExport { text: String::new(), n_formulas: 0 };
    let keys = ["id", "title", "slug"].iter().chain(ENTRY_KEYS).map(|it| (*it).to_string());
    let fields = ty.data_fields().map(|it| it.name.to_string());
    let translated = locales.iter().flat_map(|locale| {
        let names = ty.data_fields().filter(|it| it.localized).map(|it| it.name.as_str());
        std::iter::once("title").chain(names).map(move |it| format!("{it}.{locale}"))
    });
    csv.write_row(keys.chain(fields).chain(translated));
    for entry in &exported.entries {
        csv.write_row(list_cells(ty, entry, &locales).into_iter());
    }
    csv
}

/// Returns the locales in which some entry is translated.
fn list_locales(exported: &ExportedType) -> Vec<&str> {
    let locales = exported.content_type.locales.iter().map(|it| it.as_str());
    let is_used = |it: &&str| exported.entries.iter().any(|entry| entry.translation(it).is_some());
    locales.filter(is_used).collect()
}

fn list_cells(ty: &ContentType, entry: &ExportedEntry, locales: &[&str]) -> Vec<String> {
    let keys = ENTRY_KEYS.iter().map(|it| match *it {
        "status" => entry.status().as_str().to_string(),
        key => entry.text(key).unwrap_or_default().to_string(),
    });
    let head = [entry.id.to_string(), entry.title().to_string(), entry.slug.clone()];
    let mut cells: Vec<String> = head.into_iter().chain(keys).collect();
    cells.extend(ty.data_fields().map(|it| format_value(it, entry.value(it))));
    for locale in locales {
        let translation = entry.translation(locale);
        let title = translation.and_then(|it| it.get("title")?.as_str());
        cells.push(title.unwrap_or_default().to_string());
        cells.extend(ty.data_fields().filter(|it| it.localized).map(|field| {
            format_value(field, translation.and_then(|it| translated_value(it, field)))
        }));
    }
    cells
}

/// Returns a value as the text that the import reads.
fn format_value(field: &Field, value: Option<&Json>) -> String {
    let Some(value) = value else { return String::new() };
    let is_plain = |it: &Json| {
        it.as_str().is_some_and(|it| {
            let is_bare = it.trim() == it && !it.is_empty() && !it.starts_with(['[', '{']);
            is_bare && !it.contains(LIST_SIGNS)
        })
    };
    match value {
        Json::Null => String::new(),
        Json::Array(items) if items.is_empty() && field.kind_name() != "json" => String::new(),
        Json::Array(items)
            if matches!(field.kind_name(), "select" | "media" | "relation")
                && items.iter().all(is_plain) =>
        {
            items.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("|")
        }
        Json::String(text) if field.kind_name() != "json" => text.clone(),
        other => {
            let mut text = Vec::new();
            other.write_compact(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
    }
}

impl CsvExport {
    fn write_row(&mut self, cells: impl Iterator<Item = String>) {
        for (column, cell) in cells.enumerate() {
            if column > 0 {
                self.text.push(',');
            }
            if cell.starts_with(FORMULA_SIGNS) && cell.parse::<f64>().is_err() {
                self.n_formulas += 1;
            }
            let is_bare = !cell.contains(['"', ',', ';', '\t', '\r', '\n']) && cell.trim() == cell;
            if is_bare {
                self.text.push_str(&cell);
            } else {
                self.text.push('"');
                self.text.push_str(&cell.replace('"', "\"\""));
                self.text.push('"');
            }
        }
        self.text.push_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut csv = CsvExport { text: String::new(), n_formulas: 0 };
        let cells = ["a", "b,c", "d\"e", "", " f", "-1", "=1+1", "g\nh"];
        csv.write_row(cells.iter().map(|it| (*it).to_string()));
        assert_eq!(csv.text, "a,\"b,c\",\"d\"\"e\",,\" f\",-1,=1+1,\"g\nh\"\r\n");
        assert_eq!(csv.n_formulas, 1);
    }
}
