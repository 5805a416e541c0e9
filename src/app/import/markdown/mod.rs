//! Folders of Markdown with front matter, as site generators and editors for them keep it: Hugo,
//! Jekyll, Astro, Eleventy, Decap. Folders become content types, and files next to texts come
//! along.

mod entry_keys;
mod front_matter;
mod inferred_type;
mod key_names;
mod options;
mod publication;
mod read_text;
mod site_layout;
mod text_entry;

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedFile;
use crate::app::import::import_set::ImportedType;
use crate::app::import::import_set::LinkNotation;
use crate::app::import::markdown::front_matter::FrontMatter;
use crate::app::import::markdown::inferred_type::InferredType;
use crate::app::import::markdown::inferred_type::type_name;
use crate::app::import::markdown::key_names::KeyNames;
pub use crate::app::import::markdown::options::MarkdownOptions;
use crate::app::import::markdown::read_text::ReadText;
use crate::app::import::markdown::site_layout::SiteLayout;
use crate::app::import::markdown::site_layout::TextPath;
use crate::app::import::markdown::site_layout::is_text;
use crate::app::import::markdown::site_layout::locale_suffix;
use crate::app::import::markdown::text_entry::TextEntries;
use crate::app::import::report::SourcePlace;
use crate::model::media::MetaChange;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::store::source::ImportSource;

/// The largest text.
const TEXT_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The locale of texts without one in their name, unless the options say another.
const DEFAULT_LOCALE: &str = "en";

/// Reads a folder of Markdown.
pub(super) fn read_markdown(
    source: &dyn ImportSource,
    options: &MarkdownOptions,
    snapshot: &Snapshot,
) -> ImportSet {
    let mut set = ImportSet { links: LinkNotation::Paths, ..ImportSet::default() };
    if !source.files().iter().any(|it| is_text(&it.path)) {
        let message = "There is no Markdown: a file that ends with `.md`, `.markdown` or `.mdx`.";
        set.report.add_problem(SourcePlace::default(), message);
        return set;
    }
    let layout = SiteLayout::detect(source.files());
    let mut texts = read_texts(source, &layout, snapshot, &mut set);
    lengthen_shared_slugs(&mut texts, &mut set);
    let mut types: BTreeMap<TypeName, InferredType> = BTreeMap::new();
    let names = KeyNames::choose(&texts, snapshot);
    let mut entries = TextEntries::new(source, snapshot, options, &names);
    for text in &texts {
        let inferred = types
            .entry(text.type_name.clone())
            .or_insert_with(|| InferredType::new(text.type_name.clone()));
        entries.infer(text, inferred);
    }
    let default_locale = options.locale.as_deref().unwrap_or(DEFAULT_LOCALE);
    set_locales(&texts, &mut types, default_locale);
    for inferred in types.into_values() {
        let definition = inferred.to_definition_of_type();
        let name = definition.get("name").and_then(|it| it.as_str()).map(TypeName::parse);
        if let Some(Ok(name)) = name {
            set.types.push(ImportedType { name, definition, place: SourcePlace::default() });
        }
    }
    entries.add_all(texts, default_locale, &mut set);
    collect_media(source, &layout, entries.used_files(), &mut set);
    set
}

/// Reads all texts of the folder.
fn read_texts(
    source: &dyn ImportSource,
    layout: &SiteLayout,
    snapshot: &Snapshot,
    set: &mut ImportSet,
) -> Vec<ReadText> {
    let locales = list_locales(source, snapshot);
    let mut texts = Vec::new();
    for file in source.files().iter().filter(|it| is_text(&it.path)) {
        let place = SourcePlace::of_file(&file.path);
        let Some(path) = layout.read_path(&file.path, &locales) else {
            set.report.add_skipped(place, "It is outside of the folder with the content.");
            continue;
        };
        let Some(name) = type_name(&path.folder) else {
            let message = format!("`{}` cannot be the name of a content type.", path.folder);
            set.report.add_problem(place, message);
            continue;
        };
        let text = match source.read_text(&file.path, TEXT_BYTES_MAX) {
            Ok(text) => text,
            Err(error) => {
                set.report.add_problem(place, format!("The file cannot be read: {error}."));
                continue;
            }
        };
        match FrontMatter::parse(&text) {
            Ok(content) => {
                texts.push(ReadText { file: file.path.clone(), type_name: name, path, content });
            }
            Err((line, message)) => set.report.add_problem(place.with_line(line), message),
        }
    }
    texts
}

/// Returns the locales in names of files: those that a content type has, and those of texts that
/// exist in several.
fn list_locales(source: &dyn ImportSource, snapshot: &Snapshot) -> BTreeSet<String> {
    let types = snapshot.types().iter();
    let mut locales: BTreeSet<String> =
        types.flat_map(|it| it.content_type.locales.iter().map(|it| it.to_string())).collect();
    let paths: BTreeSet<&str> = source.files().iter().map(|it| it.path.as_str()).collect();
    for path in paths.iter().filter(|it| is_text(it)) {
        let Some(locale) = locale_suffix(path) else { continue };
        let plain = path.replacen(&format!(".{locale}."), ".", 1);
        let stem = path.split_once(&format!(".{locale}.")).map_or("", |(stem, _)| stem);
        let alike = paths.range(stem..).take_while(|it| it.starts_with(stem));
        let others = alike.filter(|it| locale_suffix(it).is_some());
        if paths.contains(plain.as_str()) || others.count() > 1 {
            locales.insert(locale.to_string());
        }
    }
    locales
}

/// Gives texts of one type with the same name slugs with their folders.
fn lengthen_shared_slugs(texts: &mut [ReadText], set: &mut ImportSet) {
    let key = |it: &ReadText| (it.type_name.clone(), it.path.locale.clone(), it.path.slug.clone());
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for text in texts.iter() {
        *counts.entry(key(text)).or_default() += 1;
    }
    for text in texts.iter_mut() {
        let is_shared = counts.get(&key(text)).is_some_and(|it| *it > 1);
        let TextPath { slug, long_slug, .. } = &text.path;
        if is_shared && slug != long_slug && !text.content.values.contains("slug") {
            let message =
                format!("Several texts are named `{slug}`, so its slug is `{long_slug}`.");
            set.report.add_altered(SourcePlace::of_file(&text.file), message);
            text.path.slug = text.path.long_slug.clone();
        }
    }
}

fn set_locales(
    texts: &[ReadText],
    types: &mut BTreeMap<TypeName, InferredType>,
    default_locale: &str,
) {
    for text in texts {
        let Some(locale) = &text.path.locale else { continue };
        let Some(inferred) = types.get_mut(&text.type_name) else { continue };
        if inferred.locales.is_empty() {
            inferred.locales.push(default_locale.to_string());
        }
        if !inferred.locales.contains(locale) {
            inferred.locales.push(locale.clone());
        }
    }
}

/// Adds the files that texts refer to, and those next to them.
fn collect_media(
    source: &dyn ImportSource,
    layout: &SiteLayout,
    used: &BTreeSet<String>,
    set: &mut ImportSet,
) {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(it, _)| it.to_string());
    let with_texts: BTreeSet<String> =
        set.entries.iter().filter_map(|it| it.place.file.as_deref()).map(folder).collect();
    let mut n_others = 0_usize;
    for file in source.files().iter().filter(|it| !is_text(&it.path)) {
        let here = folder(&file.path);
        let is_near = layout.path_within(&file.path).is_some() && with_texts.contains(&here);
        let is_used = used.contains(&file.path);
        if !is_used && (!is_near || here.is_empty()) {
            n_others += 1;
            continue;
        }
        set.media.push(ImportedFile {
            path: file.path.clone(),
            file_name: None,
            names: Vec::new(),
            meta: MetaChange::default(),
            is_optional: true,
            keeps_name: false,
        });
    }
    if n_others > 0 {
        let message = format!("{n_others} other files, to which no text refers, are left out.");
        set.report.add_skipped(SourcePlace::default(), message);
    }
}
