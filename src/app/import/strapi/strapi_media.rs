//! The media library of Strapi: files with their metadata and folders.

use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedFile;
use crate::app::import::links::normalize_address;
use crate::app::import::strapi::export_files::FILE;
use crate::app::import::strapi::export_files::StrapiExport;
use crate::app::import::strapi::export_files::StrapiRow;
use crate::app::import::times::parse_time;
use crate::app::import::type_outline::CountedRemarks;
use crate::model::media::MetaChange;
use crate::model::media::category::CategoryPath;
use crate::stdx::json::Json;
use crate::store::source::ImportSource;

/// The type of folders.
const FOLDER: &str = "plugin::upload.folder";

/// The deepest folder.
const DEPTH_MAX: usize = 16;

/// Reads the media files. Returns the numbers of those that are there.
pub(super) fn read_files(
    export: &StrapiExport,
    source: &dyn ImportSource,
    set: &mut ImportSet,
    remarks: &mut CountedRemarks,
) -> BTreeSet<String> {
    let paths: BTreeSet<&str> = source.files().iter().map(|it| it.path.as_str()).collect();
    let folders: HashMap<&str, &StrapiRow> =
        export.rows(FOLDER).iter().map(|it| (it.number.as_str(), it)).collect();
    let mut found = BTreeSet::new();
    for row in export.rows(FILE) {
        let (hash, ending) = (row.text("hash").unwrap_or_default(), row.text("ext"));
        let name = format!("{hash}{}", ending.unwrap_or_default());
        let path = format!("{}assets/uploads/{name}", export.root);
        if !paths.contains(path.as_str()) {
            let url = row.text("url").unwrap_or(&name);
            let message = "Files that the export lacks are left out; other storage than the disk of \
                           Strapi is never exported.";
            remarks.add_skipped(&row.place().with_field(url), message);
            continue;
        }
        found.insert(row.number.clone());
        let category = find_category(export, &folders, row);
        if let Some(category) = &category {
            set.categories.push(category.clone());
        }
        let shown = row.text("name").unwrap_or(&name);
        // By default, Strapi takes the name of the file for both texts.
        let said = |key: &str| row.text(key).filter(|it| *it != shown).map(str::to_string);
        set.media.push(ImportedFile {
            path,
            file_name: Some(with_ending(shown, ending)),
            names: list_names(row, &name),
            meta: MetaChange {
                alt: said("alternativeText"),
                title: said("caption"),
                category: category.map(Some),
                uploaded_at: row.text("createdAt").and_then(parse_time),
                ..MetaChange::default()
            },
            is_optional: true,
            keeps_name: false,
        });
    }
    found
}

/// Returns the names by which fields and texts refer to a file, also those of its smaller pictures.
fn list_names(row: &StrapiRow, name: &str) -> Vec<String> {
    let mut names = vec![format!("file:{}", row.number), format!("/uploads/{name}")];
    names.extend(row.text("url").map(normalize_address));
    let formats = row.data.get("formats").and_then(Json::as_object);
    for (_, format) in formats.into_iter().flat_map(|it| it.iter()) {
        let url = format.as_object().and_then(|it| it.get("url")?.as_str());
        names.extend(url.map(normalize_address));
    }
    names
}

fn with_ending(name: &str, ending: Option<&str>) -> String {
    match ending {
        Some(ending) if !name.to_lowercase().ends_with(&ending.to_lowercase()) => {
            format!("{name}{ending}")
        }
        _ => name.to_string(),
    }
}

/// Returns the folder of a file as a category.
fn find_category(
    export: &StrapiExport,
    folders: &HashMap<&str, &StrapiRow>,
    file: &StrapiRow,
) -> Option<CategoryPath> {
    let up = |of: &str, number: &str, field: &str| {
        let targets = export.targets(of, number, field);
        targets.first().map(|(_, number)| number.clone())
    };
    let mut names = Vec::new();
    let mut next = up(FILE, &file.number, "folder");
    while let Some(number) = next.filter(|_| names.len() < DEPTH_MAX) {
        names.insert(0, folders.get(number.as_str())?.text("name")?.to_string());
        next = up(FOLDER, &number, "parent");
    }
    CategoryPath::parse(&names.join(" / ")).ok()
}
