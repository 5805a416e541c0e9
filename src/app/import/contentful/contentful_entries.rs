//! Entries of Contentful, whose fields have a value for each locale.

use std::collections::BTreeSet;

use crate::app::import::contentful::contentful_media::is_published;
use crate::app::import::contentful::contentful_text::TextTarget;
use crate::app::import::contentful::contentful_text::read_document;
use crate::app::import::contentful::contentful_types::SpaceField;
use crate::app::import::contentful::contentful_types::SpaceType;
use crate::app::import::contentful::contentful_types::SpaceValue;
use crate::app::import::contentful::space_export::SpaceExport;
use crate::app::import::contentful::space_export::get_id;
use crate::app::import::contentful::space_export::get_link;
use crate::app::import::contentful::space_export::get_sys;
use crate::app::import::contentful::space_export::get_type_id;
use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::names::to_entry_id;
use crate::app::import::report::SourcePlace;
use crate::app::import::rich_text::write_markdown;
use crate::app::import::times::parse_time;
use crate::app::import::type_outline::CountedRemarks;
use crate::app::import::type_outline::LocaleValues;
use crate::app::import::type_outline::put_values;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;

/// The reader of entries.
pub(super) struct SpaceEntryReader<'a> {
    pub(super) export: &'a SpaceExport,
    pub(super) types: &'a [SpaceType],
    /// The ids of assets that are there.
    pub(super) assets: &'a BTreeSet<String>,
    pub(super) remarks: &'a mut CountedRemarks,
}

impl SpaceEntryReader<'_> {
    /// Reads all entries into a set.
    pub(super) fn read_all(mut self, snapshot: &Snapshot, set: &mut ImportSet) {
        let export = self.export;
        for entry in export.list("entries") {
            let Some(id) = get_id(entry) else { continue };
            let place = export.place.with_field(format!("entries.{id}"));
            let of = get_type_id(entry);
            let Some(of) = self.types.iter().find(|it| Some(it.id.as_str()) == of) else {
                let of = of.unwrap_or("?");
                let message = format!("There is no content type `{of}`.");
                set.report.add_problem(place, message);
                continue;
            };
            set.entries.push(self.read_entry(snapshot, of, id, entry, place));
        }
    }

    fn read_entry(
        &mut self,
        snapshot: &Snapshot,
        of: &SpaceType,
        id: &str,
        map: &Map,
        place: SourcePlace,
    ) -> ImportedEntry {
        let mut entry = ImportedEntry::new(place.clone(), of.outline.name.clone());
        entry.id = to_entry_id(id);
        entry.key = entry.id.clone().map(EntryKey::Id);
        entry.names.push(format!("entry:{id}"));
        let status = self.read_status(&place, map);
        entry.values.push("status", status);
        let time = |key: &str| get_sys(map, key).and_then(Json::as_str).and_then(parse_time);
        entry.created_at = time("createdAt");
        entry.updated_at = time("updatedAt");
        let published = time("firstPublishedAt").or_else(|| time("publishedAt"));
        let published = published.or_else(|| entry.created_at.filter(|_| status == "published"));
        if let Some(published) = published {
            entry.values.push("published_at", published.to_string());
        }
        let tags = map.get("metadata").and_then(|it| it.as_object()?.get("tags")?.as_array());
        if tags.is_some_and(|it| !it.is_empty()) {
            self.remarks.add_skipped(&place, "The tags of entries are left out.");
        }
        self.put_slug(of, map, &mut entry);
        let root = of.outline.root_locale(snapshot);
        let mut values = Vec::new();
        for (number, locale) in self.export.locales.iter().enumerate() {
            if number > 0 && of.outline.locales.is_empty() {
                break;
            }
            let read = self.read_values(&place, of, map, locale, number == 0);
            if number == 0 || read.title.is_some() || !read.data.is_empty() {
                values.push(read);
            }
        }
        let slug = entry.values.get("slug").and_then(Json::as_str).map(str::to_string);
        let other = slug.unwrap_or_else(|| format!("{} {id}", of.outline.label));
        put_values(&mut entry, &of.outline, root.as_deref(), values, &other);
        entry
    }

    /// Reads the status. What is not public does not become public: an entry that was changed after
    /// it was published has only its changed values in the export.
    fn read_status(&mut self, place: &SourcePlace, map: &Map) -> &'static str {
        let number = |key: &str| get_sys(map, key).and_then(Json::as_f64);
        if get_sys(map, "archivedAt").or_else(|| get_sys(map, "archivedVersion")).is_some() {
            return "archived";
        }
        if !is_published(map) {
            return "draft";
        }
        match (number("version"), number("publishedVersion")) {
            (Some(now), Some(published)) if now > published + 1.0 => {
                let message = "It was changed after it was published, and the export has only the \
                               changed values: it is a draft. An export with `--delivery-token` has \
                               the published ones.";
                self.remarks.add_altered(place, message);
                "draft"
            }
            _ => "published",
        }
    }

    fn put_slug(&mut self, of: &SpaceType, map: &Map, entry: &mut ImportedEntry) {
        let Some(field) = &of.slug else { return };
        let Some(slug) = self.export.any_value(map, field).and_then(Json::as_str) else { return };
        entry.values.push("slug", slug);
        let place = entry.place.join_field(field);
        if slugify(slug) != slug {
            let message = "Its slug has letters that slugs cannot have here.";
            self.remarks.add_altered(&place, message);
        }
        let locales = self.export.locales.iter();
        let mut others = locales.filter_map(|it| self.export.value(map, field, it)?.as_str());
        if others.any(|it| it != slug) {
            let message = "Its slugs of other locales are left out: all locales have one.";
            self.remarks.add_skipped(&place, message);
        }
    }

    fn read_values(
        &mut self,
        place: &SourcePlace,
        of: &SpaceType,
        map: &Map,
        locale: &str,
        is_default: bool,
    ) -> LocaleValues {
        let title = of.title.as_deref().and_then(|it| self.export.value(map, it, locale)?.as_str());
        let mut data = Map::new();
        for field in &of.fields {
            if !is_default && !field.is_localized {
                continue;
            }
            let place = place.join_field(&field.id);
            let value = self.export.value(map, &field.id, locale);
            match value.filter(|it| !it.is_empty()) {
                Some(value) => {
                    data.push(field.name.as_str(), self.read_value(&place, field, value));
                }
                None if is_default => data.push(field.name.as_str(), Json::Null),
                None => {}
            }
        }
        let locale = Some(locale.to_string()).filter(|_| !of.outline.locales.is_empty());
        LocaleValues { locale, title: title.map(str::to_string), data }
    }

    fn read_value(&mut self, place: &SourcePlace, field: &SpaceField, value: &Json) -> Json {
        match &field.value {
            SpaceValue::Plain | SpaceValue::Day => value.clone(),
            SpaceValue::Time => {
                let time = value.as_str().and_then(parse_time);
                time.map_or_else(|| value.clone(), |it| Json::from(it.to_string()))
            }
            SpaceValue::RichText => match value.as_object() {
                Some(document) => self.read_text(place, document),
                None => Json::Null,
            },
            SpaceValue::Media(_) => {
                let found = list(value).iter().filter_map(|it| self.find_asset(place, it));
                Json::Array(found.collect())
            }
            SpaceValue::Relation(target, is_list) => {
                let mut names: Vec<Json> = Vec::new();
                for item in list(value) {
                    let name = self.find_entry(place, item, Some(target)).map(|(name, _)| name);
                    names.extend(name.filter(|it| !names.contains(it)));
                }
                match is_list {
                    true => Json::Array(names),
                    false => names.into_iter().next().unwrap_or_default(),
                }
            }
            SpaceValue::Blocks(types) => {
                let mut blocks = Vec::new();
                for (number, item) in list(value).iter().enumerate() {
                    let Some((name, of)) = self.find_entry(place, item, None) else { continue };
                    let Some(block_type) = types.get(&of) else { continue };
                    let mut block = Map::new();
                    block.push("_type", block_type.as_str());
                    block.push("_id", format!("link-{number}"));
                    block.push("entry", name);
                    blocks.push(Json::Object(block));
                }
                Json::Array(blocks)
            }
        }
    }

    fn read_text(&mut self, place: &SourcePlace, document: &Map) -> Json {
        let (export, types, assets) = (self.export, self.types, self.assets);
        let (mut n_entries, mut n_gone) = (0_usize, 0_usize);
        let mut find = |of: &str, id: &str| {
            if of == "Asset" {
                let asset = export.asset(id).filter(|_| assets.contains(id));
                let Some(asset) = asset else {
                    n_gone += 1;
                    return None;
                };
                let text = |key: &str| export.any_value(asset, key).and_then(Json::as_str);
                let title = text("title").unwrap_or(id).to_string();
                let file = export.any_value(asset, "file").and_then(Json::as_object);
                let kind = file.and_then(|it| it.get("contentType")?.as_str()).unwrap_or_default();
                let alt = text("description").or(text("title")).unwrap_or_default().to_string();
                let alt = kind.starts_with("image/").then_some(alt);
                return Some(TextTarget { address: format!("asset:{id}"), title, alt });
            }
            let Some(entry) = export.entry(id) else {
                n_gone += 1;
                return None;
            };
            n_entries += 1;
            let of = types.iter().find(|it| Some(it.id.as_str()) == get_type_id(entry));
            let title = of.and_then(|it| export.any_value(entry, it.title.as_deref()?)?.as_str());
            let title = title.unwrap_or(id).to_string();
            Some(TextTarget { address: format!("entry:{id}"), title, alt: None })
        };
        let text = write_markdown(&read_document(document, &mut find));
        if n_entries > 0 {
            self.remarks.add_altered(place, "Entries within texts become links to them.");
        }
        if n_gone > 0 {
            let message = "References in texts that lead nowhere are removed.";
            self.remarks.add_altered(place, message);
        }
        Json::from(text)
    }

    fn find_asset(&mut self, place: &SourcePlace, link: &Json) -> Option<Json> {
        let id = get_link(link)?;
        if self.assets.contains(id) {
            return Some(Json::from(format!("asset:{id}")));
        }
        self.remarks.add_altered(place, "References to assets that are left out are removed.");
        None
    }

    /// Returns the name of the entry that a link leads to, and the id of its type.
    fn find_entry(
        &mut self,
        place: &SourcePlace,
        link: &Json,
        wanted: Option<&str>,
    ) -> Option<(Json, String)> {
        let id = get_link(link)?;
        let of = self.export.entry(id).and_then(get_type_id);
        match of.filter(|it| wanted.is_none_or(|wanted| wanted == *it)) {
            Some(of) => Some((Json::from(format!("entry:{id}")), of.to_string())),
            None => {
                let message = "References to entries that do not exist are removed.";
                self.remarks.add_altered(place, message);
                None
            }
        }
    }
}

fn list(value: &Json) -> &[Json] {
    value.as_array().unwrap_or(std::slice::from_ref(value))
}
