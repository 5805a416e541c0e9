//! Data folders of the PHP service whose API this is: content types, entries with translations and
//! public ids, relations, media with their metadata, the trash, revisions, users, roles, webhooks
//! and settings. Tokens are named in the report and stay behind.

mod definition;
mod history;
mod options;
mod original_entry;
mod people;
mod settings;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedFile;
use crate::app::import::php::definition::OriginalType;
use crate::app::import::php::definition::read_type;
pub use crate::app::import::php::options::PhpOptions;
use crate::app::import::php::original_entry::OriginalEntries;
use crate::app::import::php::original_entry::read_deletion;
use crate::app::import::report::SourcePlace;
use crate::model::content_type::type_change::create_type;
use crate::model::input::wording;
use crate::model::media::MetaChange;
use crate::model::media::Visibility;
use crate::model::media::category::CategoryPath;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::source::ImportSource;

/// The largest JSON file.
const FILE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The largest index of media files.
const INDEX_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The parts of an installation that stay behind, and what to do instead.
const LEFT_OUT: &[(&str, &str)] = &[
    ("api-tokens/", "Tokens have to be made anew: `recto token create`."),
    ("logs/", "Logs are not imported."),
    ("backups/", "Backups of the original are not imported."),
];

/// Reads a workspace of a data folder of the original.
pub(super) fn read_original(
    source: &dyn ImportSource,
    options: &PhpOptions,
    workspace: &WorkspaceSlug,
    snapshot: &Snapshot,
) -> ImportSet {
    let mut set = ImportSet { is_lenient: true, ..ImportSet::default() };
    let is_inside = source.files().iter().any(|it| it.path.starts_with("storage/workspaces/"));
    let root = if is_inside { "storage/" } else { "" };
    let mut reader = OriginalReader { source, root: root.to_string(), set: &mut set };
    let Some(from) = reader.choose_workspace(options, workspace) else { return set };
    reader.name_left_out();
    reader.read_settings(&from, workspace);
    reader.read_people();
    reader.root = format!("{root}workspaces/{from}/");
    let types = reader.read_types(snapshot);
    let media = reader.read_media();
    reader.read_entries(&types, &media);
    set
}

/// The reader of a data folder.
struct OriginalReader<'a> {
    source: &'a dyn ImportSource,
    /// The folder that is read.
    root: String,
    set: &'a mut ImportSet,
}

impl<'a> OriginalReader<'a> {
    /// Chooses the workspace of the source: the one that is asked for, else the one of the same
    /// name, else the only one.
    fn choose_workspace(&mut self, options: &PhpOptions, into: &WorkspaceSlug) -> Option<String> {
        let prefix = format!("{}workspaces/", self.root);
        let paths = self.source.files().iter().filter_map(|it| it.path.strip_prefix(&prefix));
        let names: BTreeSet<&str> = paths
            .filter_map(|it| it.split_once('/'))
            .filter(|(name, rest)| *name != "icons" && rest.contains('/'))
            .map(|(name, _)| name)
            .collect();
        let wanted = options.from.as_deref().unwrap_or(into.as_str());
        let only = names.first().filter(|_| names.len() == 1 && options.from.is_none());
        let chosen = names.get(wanted).or(only).map(|it| (*it).to_string());
        let known: Vec<&str> = names.iter().copied().collect();
        let Some(chosen) = chosen else {
            let message = match known.is_empty() {
                true => "This is no data folder of the original: it has no workspaces.".to_string(),
                false => format!(
                    "The source has no workspace `{wanted}`. Name one with `--from`: {}.",
                    known.join(", ")
                ),
            };
            self.set.report.add_problem(SourcePlace::default(), message);
            return None;
        };
        for other in known.iter().filter(|it| **it != chosen) {
            let message = format!("Import it by itself: `--from {other}`.");
            self.set.report.add_skipped(SourcePlace::of_file(&format!("{prefix}{other}")), message);
        }
        Some(chosen)
    }

    /// Names the parts that stay behind, with the number of their files.
    fn name_left_out(&mut self) {
        for (part, message) in LEFT_OUT {
            let path = format!("{}{part}", self.root);
            let number = self.source.files().iter().filter(|it| it.path.starts_with(&path)).count();
            if number > 0 {
                let message = format!("{message} ({number} files)");
                self.set.report.add_skipped(SourcePlace::of_file(&path), message);
            }
        }
    }

    /// Reads an object. One that is not there is nothing, and one that is broken is a problem.
    fn read_json(&mut self, path: &str, bytes_max: u64) -> Option<Map> {
        self.source.files().iter().find(|it| it.path == path)?;
        let place = SourcePlace::of_file(path);
        let text = match self.source.read(path, bytes_max) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("The file cannot be read: {error}.");
                self.set.report.add_problem(place, message);
                return None;
            }
        };
        match Json::parse(&text) {
            Ok(Json::Object(map)) => Some(map),
            Ok(other) => {
                let message = wording::wrong_type(wording::OBJECT, &other);
                self.set.report.add_problem(place, message);
                None
            }
            Err(error) => {
                let message = format!("This is not JSON: {}.", error.message);
                self.set.report.add_problem(place.with_line(u64::from(error.line)), message);
                None
            }
        }
    }

    /// Lists the files in a folder of the workspace, with the paths below it.
    fn list(&self, folder: &str) -> Vec<(String, String)> {
        let prefix = format!("{}{folder}/", self.root);
        let files = self.source.files().iter();
        let below = files.filter_map(|it| Some((it.path.clone(), it.path.strip_prefix(&prefix)?)));
        below.map(|(path, below)| (path, below.to_string())).collect()
    }

    /// Reads the content types. Those that the workspace has are used as they are there.
    fn read_types(&mut self, snapshot: &Snapshot) -> BTreeMap<TypeName, OriginalType> {
        let mut types = BTreeMap::new();
        for (path, below) in self.list("content-types") {
            let place = SourcePlace::of_file(&path);
            let Some(stem) = below.strip_suffix(".json").filter(|it| !it.contains('/')) else {
                continue;
            };
            let name = match TypeName::parse(stem) {
                Ok(name) => name,
                Err(error) => {
                    self.set.report.add_problem(place, error.message());
                    continue;
                }
            };
            let Some(map) = self.read_json(&path, FILE_BYTES_MAX) else { continue };
            let (imported, original_names) = read_type(&name, &map, &place, &mut self.set.report);
            let known = snapshot.get(name.as_str()).map(|it| it.content_type.clone());
            let made = || create_type(&imported.definition, |_| false).ok();
            if let Some(content_type) = known.or_else(|| made().map(|it| Arc::new(it.content_type)))
            {
                types.insert(name, OriginalType { content_type, original_names });
            }
            self.set.types.push(imported);
        }
        types
    }

    /// Reads the media files with what the index says about them. Returns their names.
    fn read_media(&mut self) -> BTreeSet<String> {
        let path = format!("{}media-meta/index.json", self.root);
        let index = self.read_json(&path, INDEX_BYTES_MAX).unwrap_or_default();
        let categories = index.get("categories").and_then(Json::as_array).unwrap_or_default();
        for category in categories.iter().filter_map(Json::as_str) {
            match CategoryPath::parse(category) {
                Ok(category) => self.set.categories.push(category),
                Err(error) => {
                    let place = SourcePlace::of_file(&path).with_field(category);
                    self.set.report.add_skipped(place, error.message());
                }
            }
        }
        let facts = index.get("files").and_then(Json::as_object);
        let mut names = BTreeSet::new();
        for (path, name) in self.list("media") {
            if name.contains('/') {
                let message = "Media files of the original have no folders.";
                self.set.report.add_skipped(SourcePlace::of_file(&path), message);
                continue;
            }
            let fact = facts.and_then(|it| it.get(&name)?.as_object());
            let meta = fact.map(read_meta).unwrap_or_default();
            if let Some(Some(category)) = &meta.category {
                self.set.categories.push(category.clone());
            }
            names.insert(name.clone());
            self.set.media.push(ImportedFile {
                path,
                file_name: None,
                names: vec![name],
                meta,
                is_optional: false,
                keeps_name: true,
            });
        }
        names
    }

    fn read_entries(&mut self, types: &BTreeMap<TypeName, OriginalType>, media: &BTreeSet<String>) {
        let mut files = self.list("content");
        // An entry of the trash is still at its place; the trash has a copy.
        let known: BTreeSet<String> = files.iter().map(|(_, below)| below.clone()).collect();
        let copies = self.list("trash/content").into_iter();
        files.extend(copies.filter(|(_, below)| !known.contains(below)));
        let mut read = Vec::new();
        for (path, below) in files {
            let place = SourcePlace::of_file(&path);
            let Some((of, stem)) = below.strip_suffix(".json").and_then(|it| it.split_once('/'))
            else {
                continue;
            };
            let ty = TypeName::parse(of).ok().and_then(|it| types.get(&it).cloned());
            let Some(ty) = ty else {
                let message = format!("There is no content type `{of}`.");
                self.set.report.add_problem(place, message);
                continue;
            };
            let Some(map) = self.read_json(&path, FILE_BYTES_MAX) else { continue };
            let is_deleted =
                !known.contains(&below) || map.get("deleted_at").is_some_and(|it| !it.is_empty());
            read.push(OriginalFile { place, ty, stem: stem.to_string(), map, is_deleted });
        }
        let mut history = self.read_history();
        let place = |it: &OriginalFile| (it.ty.content_type.name.clone(), it.stem.clone());
        let slugs = read.iter().map(place).collect();
        let mut entries = OriginalEntries { slugs, media, report: &mut self.set.report };
        for file in read {
            let mut entry = entries.read_entry(file.place, &file.ty, &file.stem, &file.map);
            if file.is_deleted {
                entry.deletion = Some(read_deletion(&file.map));
            }
            let states = history.remove(&(file.ty.content_type.name.to_string(), file.stem));
            for (place, name, map) in states.unwrap_or_default() {
                let state = entries.read_state(place, &file.ty, name, &map);
                entry.history.push(state);
            }
            self.set.entries.push(entry);
        }
        for ((of, slug), states) in history {
            let message = format!("Its {} revisions belong to no entry.", states.len());
            let path = format!("{}revisions/content/{of}/{slug}", self.root);
            self.set.report.add_skipped(SourcePlace::of_file(&path), message);
        }
    }
}

/// An entry of the original that was read.
struct OriginalFile {
    place: SourcePlace,
    ty: OriginalType,
    stem: String,
    map: Map,
    is_deleted: bool,
}

fn read_meta(fact: &Map) -> MetaChange {
    let text = |key: &str| {
        let text = fact.get(key).and_then(Json::as_str).filter(|it| !it.is_empty());
        text.map(str::to_string)
    };
    MetaChange {
        alt: text("alt"),
        title: text("title"),
        category: text("category").and_then(|it| CategoryPath::parse(&it).ok()).map(Some),
        // What cannot be understood is not made public.
        visibility: text("visibility")
            .map(|it| Visibility::parse(&it).unwrap_or(Visibility::Private)),
        uploaded_by: text("uploaded_by"),
        uploaded_at: text("uploaded_at").and_then(|it| Timestamp::parse(&it)),
        ..MetaChange::default()
    }
}
