//! The files of Directus, which are stored under their ids.

use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::app::import::directus::directus_export::DirectusExport;
use crate::app::import::directus::directus_export::text;
use crate::app::import::directus::directus_export::to_key;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedFile;
use crate::app::import::times::parse_time;
use crate::app::import::type_outline::CountedRemarks;
use crate::model::media::MetaChange;
use crate::model::media::Visibility;
use crate::model::media::category::CategoryPath;
use crate::stdx::json::Map;
use crate::store::source::ImportSource;

/// The deepest folder.
const DEPTH_MAX: usize = 16;

/// Reads the files whose bytes are there. Returns their ids.
pub(super) fn read_files(
    export: &DirectusExport,
    source: &dyn ImportSource,
    set: &mut ImportSet,
    remarks: &mut CountedRemarks,
) -> BTreeSet<String> {
    let mut by_stem: HashMap<&str, &str> = HashMap::new();
    for file in source.files() {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        by_stem.insert(name, &file.path);
        by_stem.entry(name.split('.').next().unwrap_or_default()).or_insert(&file.path);
    }
    let folders: HashMap<String, &Map> = export
        .items("directus_folders")
        .iter()
        .filter_map(|it| Some((to_key(it.map.get("id")?, "id")?, &it.map)))
        .collect();
    let mut found = BTreeSet::new();
    for item in export.items("directus_files") {
        let Some(id) = text(&item.map, "id") else { continue };
        let disk = text(&item.map, "filename_disk").unwrap_or(id);
        let Some(path) = by_stem.get(disk).or_else(|| by_stem.get(id)) else {
            let message = "Files that are not in the folder are left out.";
            remarks.add_skipped(&item.place.with_field(id), message);
            continue;
        };
        found.insert(id.to_string());
        let shown = text(&item.map, "filename_download").unwrap_or(disk);
        let category = find_category(&folders, &item.map);
        if let Some(category) = &category {
            set.categories.push(category.clone());
        }
        let message = "Who may read a file is not part of the export, so files are private.";
        remarks.add_altered(&item.place, message);
        let time = text(&item.map, "uploaded_on").or_else(|| text(&item.map, "created_on"));
        set.media.push(ImportedFile {
            path: (*path).to_string(),
            file_name: Some(shown.to_string()),
            names: vec![
                format!("file:{id}"),
                format!("/assets/{id}"),
                format!("/assets/{id}/{shown}"),
            ],
            meta: MetaChange {
                alt: text(&item.map, "description").map(str::to_string),
                title: text(&item.map, "title").map(str::to_string),
                category: category.map(Some),
                visibility: Some(Visibility::Private),
                uploaded_at: time.and_then(parse_time),
                ..MetaChange::default()
            },
            is_optional: true,
            keeps_name: false,
        });
    }
    found
}

/// Returns the folder of a file as a category.
fn find_category(folders: &HashMap<String, &Map>, file: &Map) -> Option<CategoryPath> {
    let mut names = Vec::new();
    let mut next = file.get("folder").and_then(|it| to_key(it, "id"));
    while let Some(id) = next.filter(|_| names.len() < DEPTH_MAX) {
        let folder = folders.get(&id)?;
        names.insert(0, text(folder, "name")?.to_string());
        next = folder.get("parent").and_then(|it| to_key(it, "id"));
    }
    CategoryPath::parse(&names.join(" / ")).ok()
}
