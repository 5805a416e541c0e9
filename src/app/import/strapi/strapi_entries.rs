//! Entries of Strapi. Strapi 4 has a record for each locale, Strapi 5 one for each locale and
//! version; together they are one entry here.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::names::to_entry_id;
use crate::app::import::report::SourcePlace;
use crate::app::import::rich_text::write_markdown;
use crate::app::import::strapi::export_files::StrapiExport;
use crate::app::import::strapi::export_files::StrapiRow;
use crate::app::import::strapi::export_files::to_number;
use crate::app::import::strapi::strapi_text::read_blocks;
use crate::app::import::strapi::strapi_types::StrapiAttribute;
use crate::app::import::strapi::strapi_types::StrapiType;
use crate::app::import::strapi::strapi_types::StrapiValue;
use crate::app::import::times::parse_time;
use crate::app::import::type_outline::CountedRemarks;
use crate::app::import::type_outline::LocaleValues;
use crate::app::import::type_outline::put_values;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;

/// The versions of one locale of an entry.
#[derive(Clone, Copy, Debug, Default)]
struct LocaleVersions<'a> {
    published: Option<&'a StrapiRow>,
    draft: Option<&'a StrapiRow>,
}

/// The records of one entry.
struct EntryRows<'a> {
    /// The id in Strapi.
    id: String,
    rows: Vec<&'a StrapiRow>,
}

/// The reader of the entries of all types.
pub(super) struct StrapiEntryReader<'a> {
    export: &'a StrapiExport,
    types: &'a [StrapiType],
    /// The numbers of files that are there.
    files: &'a BTreeSet<String>,
    snapshot: &'a Snapshot,
    /// The id of the entry of each record, by type and number.
    ids: HashMap<(String, String), String>,
    remarks: &'a mut CountedRemarks,
}

impl<'a> StrapiEntryReader<'a> {
    /// Creates a reader.
    pub(super) fn new(
        export: &'a StrapiExport,
        types: &'a [StrapiType],
        files: &'a BTreeSet<String>,
        snapshot: &'a Snapshot,
        remarks: &'a mut CountedRemarks,
    ) -> StrapiEntryReader<'a> {
        StrapiEntryReader { export, types, files, snapshot, ids: HashMap::new(), remarks }
    }

    /// Reads all entries into a set.
    pub(super) fn read_all(mut self, set: &mut ImportSet) {
        let types = self.types;
        let mut all = Vec::new();
        for of in types {
            let groups = self.group_rows(of);
            for group in &groups {
                for row in &group.rows {
                    let place = (of.uid.clone(), row.number.clone());
                    self.ids.insert(place, group.id.clone());
                }
            }
            all.push((of, groups));
        }
        for (of, groups) in all {
            let groups =
                if of.outline.is_singleton { groups.into_iter().take(1).collect() } else { groups };
            for group in &groups {
                set.entries.extend(self.read_entry(of, group));
            }
        }
    }

    /// Groups the records of a type by entry.
    fn group_rows(&self, of: &StrapiType) -> Vec<EntryRows<'a>> {
        let rows = self.export.rows(&of.uid);
        let default = of.outline.locales.first().map(String::as_str);
        let mut order: Vec<String> = Vec::new();
        let mut groups: HashMap<String, EntryRows<'a>> = HashMap::new();
        for row in rows {
            let linked = self.export.targets(&of.uid, &row.number, "localizations");
            // Records that belong together share the smallest of their numbers.
            let numbers = linked.iter().map(|(_, number)| number.as_str());
            let smallest = numbers.chain([row.number.as_str()]).min_by_key(|it| (it.len(), *it));
            let document = row.text("documentId");
            let key = document.or(smallest).unwrap_or_default().to_string();
            let group = groups.entry(key.clone()).or_insert_with(|| {
                order.push(key.clone());
                EntryRows { id: key.clone(), rows: Vec::new() }
            });
            if document.is_none() && default.is_some() && row.text("locale") == default {
                group.id = row.number.clone();
            }
            group.rows.push(row);
        }
        order.iter().filter_map(|it| groups.remove(it)).collect()
    }

    fn read_entry(&mut self, of: &StrapiType, group: &EntryRows<'a>) -> Option<ImportedEntry> {
        let mut versions: BTreeMap<Option<&str>, LocaleVersions<'a>> = BTreeMap::new();
        for row in &group.rows {
            let locale = row.text("locale").filter(|_| !of.outline.locales.is_empty());
            let version = versions.entry(locale).or_default();
            match of.has_drafts && row.text("publishedAt").is_none() {
                true => version.draft = Some(row),
                false => version.published = Some(row),
            }
        }
        let root = of.outline.root_locale(self.snapshot);
        let of_root = versions.get(&root.as_deref()).or_else(|| versions.values().next())?;
        let main = of_root.published.or(of_root.draft)?;
        let is_published = of_root.published.is_some();
        let place = main.place();
        let mut entry = ImportedEntry::new(place.clone(), of.outline.name.clone());
        entry.id = to_entry_id(&group.id);
        entry.key = entry.id.clone().map(EntryKey::Id);
        entry.names.push(format!("entry:{}", group.id));
        entry.values.push("status", if is_published { "published" } else { "draft" });
        let times = |key: &str| -> Vec<_> {
            group.rows.iter().filter_map(|it| it.text(key).and_then(parse_time)).collect()
        };
        entry.created_at = times("createdAt").into_iter().min();
        entry.updated_at = main.text("updatedAt").and_then(parse_time);
        if let Some(time) = main.text("publishedAt").and_then(parse_time) {
            entry.values.push("published_at", time.to_string());
        }
        self.note_draft(&place, of_root);
        let mut values = Vec::new();
        for (locale, version) in &versions {
            let Some(row) = self.choose_row(version, is_published, *locale) else { continue };
            values.push(self.read_values(of, row, *locale));
        }
        self.put_slug(of, &versions, main, &mut entry);
        let other = format!("{} {}", of.outline.label, group.id);
        let title = entry.values.get("slug").and_then(Json::as_str).map(str::to_string);
        put_values(&mut entry, &of.outline, root.as_deref(), values, &title.unwrap_or(other));
        Some(entry)
    }

    /// Says that an entry has changes that are not public.
    fn note_draft(&mut self, place: &SourcePlace, version: &LocaleVersions<'_>) {
        let (Some(published), Some(draft)) = (version.published, version.draft) else { return };
        let time = |row: &StrapiRow| row.text("updatedAt").and_then(parse_time);
        if time(draft) > time(published) {
            let message = "It has changes that are not published: they are left out.";
            self.remarks.add_skipped(place, message);
        }
    }

    /// Chooses the version of a locale. What is not public does not become public.
    fn choose_row(
        &mut self,
        version: &LocaleVersions<'a>,
        is_published: bool,
        locale: Option<&str>,
    ) -> Option<&'a StrapiRow> {
        let draft = version.draft;
        if !is_published {
            if let (Some(row), Some(locale)) = (version.published, locale) {
                let message =
                    format!("It is a draft in its main locale, so `{locale}` is a draft, too.");
                self.remarks.add_altered(&row.place(), message);
            }
            return draft.or(version.published);
        }
        if let (None, Some(row)) = (version.published, draft) {
            let message = format!(
                "The locale `{}` is a draft, while the entry is published: it is left out.",
                locale.unwrap_or_default()
            );
            self.remarks.add_skipped(&row.place(), message);
        }
        version.published
    }

    /// Puts the slug of the main record. Other locales cannot have others.
    fn put_slug(
        &mut self,
        of: &StrapiType,
        versions: &BTreeMap<Option<&str>, LocaleVersions<'_>>,
        main: &StrapiRow,
        entry: &mut ImportedEntry,
    ) {
        let Some(key) = &of.slug else { return };
        let Some(slug) = main.text(key) else { return };
        entry.values.set("slug", Json::from(slug));
        if slugify(slug) != slug {
            let message = "Its slug has letters that slugs cannot have here.";
            self.remarks.add_altered(&entry.place.with_field(key.as_str()), message);
        }
        let others = versions.values().filter_map(|it| it.published.or(it.draft)?.text(key));
        if others.into_iter().any(|it| it != slug) {
            let message = "Its slugs of other locales are left out: all locales have one.";
            self.remarks.add_skipped(&entry.place.with_field(key.as_str()), message);
        }
    }

    fn read_values(
        &mut self,
        of: &StrapiType,
        row: &StrapiRow,
        locale: Option<&str>,
    ) -> LocaleValues {
        let title = of.title.as_deref().and_then(|it| row.text(it)).map(str::to_string);
        let place = row.place();
        let owner = (of.uid.as_str(), row.number.as_str());
        let data = self.read_attributes(&place, owner, &of.attributes, &row.data);
        LocaleValues { locale: locale.map(str::to_string), title, data }
    }

    /// Reads the attributes of a record or a component, which is `owner`.
    fn read_attributes(
        &mut self,
        place: &SourcePlace,
        owner: (&str, &str),
        attributes: &[StrapiAttribute],
        data: &Map,
    ) -> Map {
        let mut values = Map::new();
        for attribute in attributes {
            let place = place.with_field(attribute.key.as_str());
            let value = data.get(&attribute.key);
            let read = match &attribute.value {
                StrapiValue::Plain => value.cloned().unwrap_or_default(),
                StrapiValue::RichText => match value.and_then(Json::as_array) {
                    Some(nodes) => Json::from(write_markdown(&read_blocks(nodes))),
                    None => Json::Null,
                },
                StrapiValue::Media => self.read_media(&place, owner, &attribute.key),
                StrapiValue::Relation(is_multiple) => {
                    self.read_relation(&place, owner, &attribute.key, *is_multiple)
                }
                StrapiValue::Object(uid, inner) => match value.and_then(Json::as_object) {
                    Some(map) => {
                        Json::Object(self.read_component(&place, uid, inner, map, Map::new()))
                    }
                    None => Json::Object(Map::new()),
                },
                StrapiValue::Rows(uid, inner) => {
                    let rows = value.and_then(Json::as_array).unwrap_or_default();
                    let rows = rows.iter().filter_map(Json::as_object);
                    let read =
                        rows.map(|it| self.read_component(&place, uid, inner, it, Map::new()));
                    Json::Array(read.map(Json::Object).collect())
                }
                StrapiValue::Blocks(types) => self.read_zone(&place, types, value),
            };
            values.push(attribute.name.as_str(), read);
        }
        values
    }

    fn read_component(
        &mut self,
        place: &SourcePlace,
        uid: &str,
        attributes: &[StrapiAttribute],
        data: &Map,
        mut begun: Map,
    ) -> Map {
        let number = data.get("id").and_then(to_number).unwrap_or_default();
        for (name, value) in self.read_attributes(place, (uid, &number), attributes, data) {
            begun.push(name, value);
        }
        begun
    }

    fn read_zone(
        &mut self,
        place: &SourcePlace,
        types: &BTreeMap<String, (String, Vec<StrapiAttribute>)>,
        value: Option<&Json>,
    ) -> Json {
        let mut blocks = Vec::new();
        let items = value.and_then(Json::as_array).unwrap_or_default();
        for data in items.iter().filter_map(Json::as_object) {
            let uid = data.get("__component").and_then(Json::as_str).unwrap_or_default();
            let Some((name, attributes)) = types.get(uid) else {
                let message = format!("The zone has no component `{uid}`, so it is left out.");
                self.remarks.add_skipped(place, message);
                continue;
            };
            let mut block = Map::new();
            block.push("_type", name.as_str());
            if let Some(number) = data.get("id").and_then(to_number) {
                block.push("_id", format!("{name}-{number}"));
            }
            blocks.push(Json::Object(self.read_component(place, uid, attributes, data, block)));
        }
        Json::Array(blocks)
    }

    fn read_media(&mut self, place: &SourcePlace, owner: (&str, &str), key: &str) -> Json {
        let mut names = Vec::new();
        for (_, number) in self.export.targets(owner.0, owner.1, key) {
            match self.files.contains(number) {
                true => names.push(Json::from(format!("file:{number}"))),
                false => {
                    let message = "References to files that are left out are removed.";
                    self.remarks.add_altered(place, message);
                }
            }
        }
        Json::Array(names)
    }

    fn read_relation(
        &mut self,
        place: &SourcePlace,
        owner: (&str, &str),
        key: &str,
        is_multiple: bool,
    ) -> Json {
        let mut names: Vec<Json> = Vec::new();
        for target in self.export.targets(owner.0, owner.1, key) {
            let Some(id) = self.ids.get(target) else {
                let message = "References to entries that do not exist are removed.";
                self.remarks.add_altered(place, message);
                continue;
            };
            // The versions and locales of an entry are one.
            let name = Json::from(format!("entry:{id}"));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match is_multiple {
            true => Json::Array(names),
            false => names.into_iter().next().unwrap_or_default(),
        }
    }
}
