//! Exports of WordPress: posts, pages, categories, tags and authors become entries, and attachments
//! become media files if their files lie beside the export.

mod paragraphs;
mod post_relations;
mod wordpress_types;
mod wxr;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::import_set::ImportedFile;
use crate::app::import::import_set::LinkNotation;
use crate::app::import::links::normalize_address;
use crate::app::import::report::SourcePlace;
use crate::app::import::times::parse_time;
use crate::app::import::wordpress::paragraphs::add_paragraphs;
use crate::app::import::wordpress::post_relations::lengthen_shared_slugs;
use crate::app::import::wordpress::post_relations::remove_lost_parents;
use crate::app::import::wordpress::wordpress_types::list_types;
use crate::app::import::wordpress::wxr::WxrDocument;
use crate::app::import::wordpress::wxr::WxrRecord;
use crate::model::media::MetaChange;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;
use crate::store::source::ImportSource;
use crate::store::source::TEXT_BYTES_MAX;
use crate::store::source::has_ending;

/// The elements that HTML fields do not keep.
const REMOVED: &[&str] = &["<script", "<iframe", "<style", "<form", "<object", "<embed"];

/// Reads an export of WordPress: a file, or a folder with it and the uploads.
pub(super) fn read_wordpress(source: &dyn ImportSource, snapshot: &Snapshot) -> ImportSet {
    let mut reader = ExportReader::new(source, snapshot);
    reader.set.types = list_types();
    let is_export = |path: &str| has_ending(path, &["xml"]);
    let mut documents = Vec::new();
    for file in source.files().iter().filter(|it| is_export(&it.path)) {
        let place = SourcePlace::of_file(&file.path);
        match source.read_text(&file.path, TEXT_BYTES_MAX) {
            Ok(text) => match WxrDocument::parse(&text) {
                Ok(document) => documents.push((place, document)),
                Err((line, message)) => {
                    reader.set.report.add_problem(place.with_line(line), message);
                }
            },
            Err(error) => {
                let message = format!("The file cannot be read: {error}.");
                reader.set.report.add_problem(place, message);
            }
        }
    }
    if documents.is_empty() && reader.set.report.problems.is_empty() {
        let message = "There is no export: a file that ends with `.xml`.";
        reader.set.report.add_problem(SourcePlace::default(), message);
    }
    let records: Vec<(SourcePlace, &WxrRecord)> = documents
        .iter()
        .flat_map(|(place, document)| {
            document.records.iter().map(|it| (place.with_line(it.line), it))
        })
        .collect();
    reader.read_attachments(&records);
    // What one file lists may be missing in another.
    records.iter().for_each(|(place, record)| reader.read_listed(place, record));
    records.iter().for_each(|(place, record)| reader.read_item(place, record));
    reader.finish()
}

/// The reader of an export.
struct ExportReader<'a> {
    snapshot: &'a Snapshot,
    /// The files of the source by name.
    by_name: HashMap<&'a str, Vec<&'a str>>,
    /// The ids of attachments whose file is there.
    attachments: BTreeSet<String>,
    /// The terms and authors that have an entry: type and slug.
    known: BTreeSet<(&'static str, String)>,
    /// The numbers of things that are left out, by what they are.
    left_out: BTreeMap<String, usize>,
    set: ImportSet,
}

impl<'a> ExportReader<'a> {
    fn new(source: &'a dyn ImportSource, snapshot: &'a Snapshot) -> ExportReader<'a> {
        let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
        for file in source.files() {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            by_name.entry(name).or_default().push(&file.path);
        }
        ExportReader {
            snapshot,
            by_name,
            attachments: BTreeSet::new(),
            known: BTreeSet::new(),
            left_out: BTreeMap::new(),
            set: ImportSet { links: LinkNotation::Addresses, ..ImportSet::default() },
        }
    }

    fn finish(mut self) -> ImportSet {
        remove_lost_parents(&mut self.set);
        lengthen_shared_slugs(&mut self.set);
        for (what, number) in self.left_out {
            let message = format!("{what} ({number}) are left out.");
            self.set.report.add_skipped(SourcePlace::default(), message);
        }
        self.set
    }

    /// Finds the files of attachments, to which posts refer by number.
    fn read_attachments(&mut self, records: &[(SourcePlace, &WxrRecord)]) {
        for (place, record) in records {
            if record.get("wp:post_type") != "attachment" {
                continue;
            }
            let (id, url) = (record.get("wp:post_id"), record.get("wp:attachment_url"));
            let Some(path) = self.find_file(url) else {
                let message = format!("The file of {url} is not beside the export.");
                self.set.report.add_skipped(place.clone(), message);
                continue;
            };
            self.attachments.insert(id.to_string());
            let meta = |wanted: &str| {
                let found = record.meta.iter().find(|(key, _)| key == wanted);
                found.map(|(_, text)| text.clone()).filter(|it| !it.is_empty())
            };
            let title = Some(record.get("title").to_string()).filter(|it| !it.is_empty());
            self.set.media.push(ImportedFile {
                path,
                file_name: None,
                names: vec![
                    format!("attachment:{id}"),
                    normalize_address(url),
                    normalize_address(record.get("guid")),
                ],
                meta: MetaChange {
                    alt: meta("_wp_attachment_image_alt"),
                    title,
                    uploaded_at: parse_time(record.get("wp:post_date_gmt")),
                    ..MetaChange::default()
                },
                is_optional: true,
                keeps_name: false,
            });
        }
    }

    /// Finds the file of an address: the one whose path has the most in common with its end.
    fn find_file(&self, url: &str) -> Option<String> {
        let decoded = percent_decode_str(url).decode_utf8_lossy().into_owned();
        let name = decoded.rsplit('/').next()?;
        let shared = |path: &str| {
            let (path, url) = (path.rsplit('/'), decoded.rsplit('/'));
            path.zip(url).take_while(|(a, b)| a == b).count()
        };
        let best = self.by_name.get(name)?.iter().max_by_key(|it| shared(it))?;
        Some((*best).to_string())
    }

    /// Reads an author or a term that the export lists.
    fn read_listed(&mut self, place: &SourcePlace, record: &WxrRecord) {
        match record.kind.as_str() {
            "wp:author" => {
                let name = record.get("wp:author_display_name");
                let login = record.get("wp:author_login");
                let name = if name.is_empty() { login } else { name };
                self.add_term("authors", place, login, name, Map::new());
                *self.left_out.entry("E-mail addresses of authors".to_string()).or_default() += 1;
            }
            "wp:category" => {
                let mut data = Map::new();
                let parent = slugify(&decode(record.get("wp:category_parent")));
                data.push("description", record.get("wp:category_description"));
                data.push(
                    "parent",
                    Some(parent).filter(|it| !it.is_empty()).map_or(Json::Null, Json::from),
                );
                let (slug, name) = (record.get("wp:category_nicename"), record.get("wp:cat_name"));
                self.add_term("post_categories", place, slug, name, data);
            }
            "wp:tag" => {
                let mut data = Map::new();
                data.push("description", record.get("wp:tag_description"));
                let (slug, name) = (record.get("wp:tag_slug"), record.get("wp:tag_name"));
                self.add_term("tags", place, slug, name, data);
            }
            _ => {}
        }
    }

    fn read_item(&mut self, place: &SourcePlace, record: &WxrRecord) {
        if record.kind != "item" {
            return;
        }
        match record.get("wp:post_type") {
            "post" => self.add_post("posts", place, record),
            "page" => self.add_post("pages", place, record),
            "attachment" => {}
            other => *self.left_out.entry(format!("Posts of the type `{other}`")).or_default() += 1,
        }
    }

    fn add_term(
        &mut self,
        of: &'static str,
        place: &SourcePlace,
        slug: &str,
        title: &str,
        data: Map,
    ) {
        let slug = slugify(&decode(slug));
        // Exports of several files repeat the terms.
        if slug.is_empty() || !self.known.insert((of, slug.clone())) {
            return;
        }
        let Ok(type_name) = TypeName::parse(of) else { return };
        let mut entry = ImportedEntry::new(place.clone(), type_name);
        entry.key = Some(EntryKey::Slug(slug.clone()));
        let title = if title.is_empty() { slug.as_str() } else { title };
        entry.values.push("title", title);
        entry.values.push("slug", slug.as_str());
        entry.values.push("status", "published");
        entry.values.push("data", data);
        self.set.entries.push(entry);
    }

    /// Returns the slug of a term or author that a post names. One that nothing lists, as in
    /// exports of posts only, is made from the name.
    fn find_term(
        &mut self,
        of: &'static str,
        place: &SourcePlace,
        slug: &str,
        name: &str,
    ) -> Option<String> {
        let found = Some(slugify(&decode(slug))).filter(|it| !it.is_empty())?;
        // One of the workspace keeps its title: that of an author would become the login.
        let index = self.snapshot.get(of);
        if index.is_none_or(|it| it.find_entry(&found).is_none()) {
            self.add_term(of, place, slug, name, Map::new());
        }
        Some(found)
    }

    fn add_post(&mut self, of: &str, place: &SourcePlace, record: &WxrRecord) {
        let status = match record.get("wp:status") {
            "publish" => "published",
            "future" => "scheduled",
            "private" => "protected",
            "trash" | "auto-draft" => {
                let what = format!("Posts with the status `{}`", record.get("wp:status"));
                *self.left_out.entry(what).or_default() += 1;
                return;
            }
            _ => "draft",
        };
        let is_protected = !record.get("wp:post_password").is_empty();
        if is_protected {
            let message = "It has a password, so it is `protected`.";
            self.set.report.add_altered(place.clone(), message);
        }
        let status = if is_protected { "protected" } else { status };
        let id = record.get("wp:post_id");
        let Ok(type_name) = TypeName::parse(of) else { return };
        let mut entry = ImportedEntry::new(place.clone(), type_name);
        entry.id = EntryId::parse(&format!("wp-{id}")).ok();
        let slug = slugify(&decode(record.get("wp:post_name")));
        entry.key = match slug.is_empty() {
            true => entry.id.clone().map(EntryKey::Id),
            false => Some(EntryKey::Slug(slug.clone())),
        };
        let title = record.get("title").trim();
        if title.is_empty() {
            let message = "It has no title, so its name is the title.";
            self.set.report.add_altered(place.clone(), message);
        }
        let other = if slug.is_empty() { format!("Post {id}") } else { slug.replace('-', " ") };
        entry.values.push("title", if title.is_empty() { other.as_str() } else { title });
        if !slug.is_empty() {
            entry.values.push("slug", slug.as_str());
        }
        entry.values.push("status", status);
        let date = parse_time(record.get("wp:post_date_gmt"));
        let date = date.or_else(|| parse_time(record.get("pubDate")));
        let date = date.filter(|it| it.seconds() > 0);
        entry.created_at = date;
        let updated = parse_time(record.get("wp:post_modified_gmt"));
        entry.updated_at = updated.filter(|it| it.seconds() > 0).or(date);
        if let Some(date) = date.filter(|_| status != "draft") {
            entry.values.push("published_at", date.to_string());
        }
        entry.names = vec![
            format!("post:{id}"),
            normalize_address(record.get("link")),
            normalize_address(record.get("guid")),
        ];
        let data = self.collect_data(of, place, record);
        entry.values.push("data", data);
        self.note_left_out(record);
        self.set.entries.push(entry);
    }

    fn collect_data(&mut self, of: &str, place: &SourcePlace, record: &WxrRecord) -> Map {
        let text = record.get("content:encoded");
        let lower = text.to_lowercase();
        let removed: Vec<&str> = REMOVED.iter().copied().filter(|it| lower.contains(it)).collect();
        if !removed.is_empty() {
            let names = removed.iter().map(|it| it.trim_start_matches('<')).collect::<Vec<_>>();
            let message = format!("HTML fields do not keep these elements: {}.", names.join(", "));
            self.set.report.add_altered(place.clone(), message);
        }
        if text.contains("[caption") || text.contains("[gallery") || text.contains("[embed") {
            let message = "Its shortcodes stay as text.";
            self.set.report.add_altered(place.clone(), message);
        }
        let mut data = Map::new();
        data.push("body", add_paragraphs(text));
        data.push("excerpt", record.get("excerpt:encoded"));
        let image = record.meta.iter().find(|(key, _)| key == "_thumbnail_id").map(|(_, id)| id);
        let image = image.filter(|it| self.attachments.contains(*it));
        data.push("image", image.map_or(Json::Null, |it| Json::from(format!("attachment:{it}"))));
        let login = record.get("dc:creator").trim();
        data.push("author", self.find_term("authors", place, login, login));
        if of == "pages" {
            let parent = record.get("wp:post_parent");
            let parent = Some(parent).filter(|it| !matches!(*it, "" | "0"));
            data.push("parent", parent.map_or(Json::Null, |it| Json::from(format!("post:{it}"))));
            data.push("order", record.get("wp:menu_order").trim());
            return data;
        }
        for (field, domain, target) in
            [("categories", "category", "post_categories"), ("tags", "post_tag", "tags")]
        {
            let of_domain = record.terms.iter().filter(|it| it.domain == domain);
            let slugs =
                of_domain.filter_map(|it| self.find_term(target, place, &it.slug, it.name.trim()));
            data.push(field, slugs.map(Json::from).collect::<Vec<Json>>());
        }
        data
    }

    /// Counts what of a post is left out.
    fn note_left_out(&mut self, record: &WxrRecord) {
        if record.n_comments > 0 {
            *self.left_out.entry("Comments".to_string()).or_default() += record.n_comments;
        }
        for (key, _) in record.meta.iter().filter(|(key, _)| !key.starts_with('_')) {
            *self.left_out.entry(format!("Custom fields `{key}`")).or_default() += 1;
        }
    }
}

/// Decodes a slug, which WordPress stores with percent signs if it has other letters than ASCII.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
