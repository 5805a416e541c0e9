//! Items of Directus as entries.

use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::app::import::directus::directus_export::DirectusExport;
use crate::app::import::directus::directus_export::DirectusItem;
use crate::app::import::directus::directus_export::text;
use crate::app::import::directus::directus_export::to_key;
use crate::app::import::directus::directus_fields::DirectusField;
use crate::app::import::directus::directus_fields::DirectusValue;
use crate::app::import::directus::directus_fields::Junction;
use crate::app::import::directus::directus_types::DirectusType;
use crate::app::import::directus::directus_types::Translations;
use crate::app::import::directus::directus_types::list_words;
use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::names::to_entry_id;
use crate::app::import::report::SourcePlace;
use crate::app::import::times::parse_time;
use crate::app::import::type_outline::CountedRemarks;
use crate::app::import::type_outline::LocaleValues;
use crate::app::import::type_outline::put_values;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;

/// The rows of a junction by the key of the item that they belong to.
type RowsByItem<'a> = HashMap<String, Vec<&'a Map>>;

/// The reader of items.
pub(super) struct ItemReader<'a> {
    export: &'a DirectusExport,
    types: &'a [DirectusType],
    /// The ids of files that are there.
    files: &'a BTreeSet<String>,
    /// The keys of items by collection.
    keys: HashMap<&'a str, BTreeSet<String>>,
    /// The rows of junctions, by collection and field.
    rows: HashMap<(String, String), RowsByItem<'a>>,
    remarks: &'a mut CountedRemarks,
}

impl<'a> ItemReader<'a> {
    /// Creates a reader.
    pub(super) fn new(
        export: &'a DirectusExport,
        types: &'a [DirectusType],
        files: &'a BTreeSet<String>,
        remarks: &'a mut CountedRemarks,
    ) -> ItemReader<'a> {
        let mut keys: HashMap<&str, BTreeSet<String>> = HashMap::new();
        for of in types {
            let field = export.key_field(&of.collection);
            let all = export.items(&of.collection).iter();
            let all = all.filter_map(|it| to_key(it.map.get(field)?, field)).collect();
            keys.insert(&of.collection, all);
        }
        ItemReader { export, types, files, keys, rows: HashMap::new(), remarks }
    }

    /// Reads all items into a set.
    pub(super) fn read_all(mut self, snapshot: &Snapshot, set: &mut ImportSet) {
        for of in self.types {
            self.index_rows(of);
            let items = self.export.items(&of.collection);
            if items.is_empty() {
                let message = "There is no file with its items.";
                set.report.add_skipped(of.place.clone(), message);
            }
            for item in items {
                match self.read_item(snapshot, of, item) {
                    Some(entry) => set.entries.push(entry),
                    None => {
                        let message = "The item has no key.";
                        set.report.add_problem(item.place.clone(), message);
                    }
                }
            }
        }
    }

    /// Sorts the rows of the junctions of a type by item.
    fn index_rows(&mut self, of: &DirectusType) {
        let texts = of.translations.as_ref().map(|it| &it.junction);
        let fields = of.fields.iter().filter_map(|it| match &it.value {
            DirectusValue::Files(junction)
            | DirectusValue::Items(junction, _)
            | DirectusValue::AnyItems(junction) => Some(junction),
            _ => None,
        });
        let key_field = self.export.key_field(&of.collection);
        for junction in fields.chain(texts) {
            let mut rows: RowsByItem<'a> = HashMap::new();
            for row in self.export.items(&junction.collection) {
                let key = row.map.get(&junction.back).and_then(|it| to_key(it, key_field));
                if let Some(key) = key {
                    rows.entry(key).or_default().push(&row.map);
                }
            }
            self.rows.insert((junction.collection.clone(), junction.back.clone()), rows);
        }
    }

    /// Returns the rows of a junction that belong to an item: from their file, else from the item.
    fn list_rows(
        &mut self,
        place: &SourcePlace,
        junction: &Junction,
        item: &'a Map,
        key: &str,
        field: &str,
    ) -> Vec<&'a Map> {
        let place_of_rows = (junction.collection.clone(), junction.back.clone());
        let known = self.rows.get(&place_of_rows).and_then(|it| it.get(key)).cloned();
        let shown = item.get(field).and_then(Json::as_array).unwrap_or_default();
        let mut rows = known.unwrap_or_default();
        if rows.is_empty() {
            rows = shown.iter().filter_map(Json::as_object).collect();
            if rows.is_empty() && !shown.is_empty() {
                let message = format!(
                    "Its values are in `{}`, whose items are missing.",
                    junction.collection
                );
                self.remarks.add_skipped(place, message);
            }
        }
        if let Some(sort) = &junction.sort {
            let order = |it: &&Map| it.get(sort).and_then(Json::as_f64).unwrap_or(f64::MAX);
            rows.sort_by(|a, b| order(a).total_cmp(&order(b)));
        }
        rows
    }

    fn read_item(
        &mut self,
        snapshot: &Snapshot,
        of: &DirectusType,
        item: &'a DirectusItem,
    ) -> Option<ImportedEntry> {
        let key_field = self.export.key_field(&of.collection);
        let key = item.map.get(key_field).and_then(|it| to_key(it, key_field))?;
        let place = item.place.clone();
        let mut entry = ImportedEntry::new(place.clone(), of.outline.name.clone());
        entry.id = to_entry_id(&key);
        entry.key = entry.id.clone().map(EntryKey::Id);
        entry.names.push(format!("item:{key}"));
        let status = self.read_status(&place, of, &item.map);
        entry.values.push("status", status);
        let time = |field: &Option<String>| parse_time(text(&item.map, field.as_deref()?)?);
        entry.created_at = time(&of.created);
        entry.updated_at = time(&of.updated).or(entry.created_at);
        if let Some(time) = entry.created_at.filter(|_| status == "published") {
            entry.values.push("published_at", time.to_string());
        }
        let root = of.outline.root_locale(snapshot);
        let mut data = self.read_fields(&place, &of.fields, &item.map, &key);
        let own_title = of.title.as_deref().and_then(|it| text(&item.map, it)).map(str::to_string);
        let mut slug = of.slug.as_deref().and_then(|it| text(&item.map, it)).map(str::to_string);
        let mut values = Vec::new();
        if let Some(texts) = &of.translations {
            for row in self.list_rows(&place, &texts.junction, &item.map, &key, &texts.alias) {
                let read = self.read_texts(&place, of, texts, row, &mut slug, root.as_deref());
                values.extend(read);
            }
        }
        let at = values.iter().position(|it: &LocaleValues| it.locale == root);
        let main = match at {
            Some(at) => values.get_mut(at),
            None => {
                values.insert(0, LocaleValues { locale: root.clone(), ..LocaleValues::default() });
                values.first_mut()
            }
        };
        if let Some(main) = main {
            for (name, value) in std::mem::take(&mut main.data) {
                data.push(name, value);
            }
            main.data = data;
            main.title = main.title.take().or(own_title);
        }
        if let Some(slug) = &slug {
            entry.values.push("slug", slug.as_str());
            if slugify(slug) != *slug {
                let message = "Its slug has letters that slugs cannot have here.";
                self.remarks.add_altered(&place.with_field("slug"), message);
            }
        }
        let other = slug.unwrap_or_else(|| format!("{} {key}", of.outline.label));
        put_values(&mut entry, &of.outline, root.as_deref(), values, &other);
        Some(entry)
    }

    /// Reads the status. One that is unknown here is a draft.
    fn read_status(&mut self, place: &SourcePlace, of: &DirectusType, item: &Map) -> &'static str {
        let Some(field) = &of.status else { return "published" };
        let value = text(item, field).unwrap_or_default();
        match value {
            it if of.archived.as_deref() == Some(it) => "archived",
            "published" | "active" | "live" => "published",
            "archived" => "archived",
            "draft" | "" => "draft",
            other => {
                let message = format!("The status `{other}` becomes `draft`.");
                self.remarks.add_altered(&place.with_field(field.as_str()), message);
                "draft"
            }
        }
    }

    /// Reads the texts of one language.
    fn read_texts(
        &mut self,
        place: &SourcePlace,
        of: &DirectusType,
        texts: &Translations,
        row: &'a Map,
        slug: &mut Option<String>,
        root: Option<&str>,
    ) -> Option<LocaleValues> {
        let value = row.get(&texts.junction.forward)?;
        let locale = to_key(value, "code").or_else(|| to_key(value, "id"))?;
        let place = place.with_field(locale.as_str());
        let data = self.read_fields(&place, &texts.fields, row, "");
        let title = of.title.as_deref().filter(|_| texts.has_title);
        let title = title.and_then(|it| text(row, it)).map(str::to_string);
        if texts.has_slug
            && let Some(own) = text(row, "slug")
        {
            if slug.is_none() || root == Some(&locale) {
                *slug = Some(own.to_string());
            } else if slug.as_deref() != Some(own) {
                let message = "Its slugs of other locales are left out: all locales have one.";
                self.remarks.add_skipped(&place, message);
            }
        }
        Some(LocaleValues { locale: Some(locale), title, data })
    }

    fn read_fields(
        &mut self,
        place: &SourcePlace,
        fields: &[DirectusField],
        item: &'a Map,
        key: &str,
    ) -> Map {
        let mut data = Map::new();
        for field in fields {
            let place = place.with_field(field.key.as_str());
            let value = item.get(&field.key);
            let read = match &field.value {
                DirectusValue::Files(junction) => {
                    let rows = self.list_rows(&place, junction, item, key, &field.key);
                    let ends = rows.iter().filter_map(|it| it.get(&junction.forward));
                    let files = ends.filter_map(|it| self.find_file(&place, it));
                    Json::Array(files.collect())
                }
                DirectusValue::Items(junction, target) => {
                    let rows = self.list_rows(&place, junction, item, key, &field.key);
                    let mut names: Vec<Json> = Vec::new();
                    for end in rows.iter().filter_map(|it| it.get(&junction.forward)) {
                        let name = self.find_item(&place, target, end);
                        names.extend(name.filter(|it| !names.contains(it)));
                    }
                    Json::Array(names)
                }
                DirectusValue::AnyItems(junction) => {
                    let rows = self.list_rows(&place, junction, item, key, &field.key);
                    self.read_any_items(&place, junction, &rows)
                }
                other => value.map_or(Json::Null, |it| self.read_value(&place, other, it)),
            };
            data.push(field.name.as_str(), read);
        }
        data
    }

    fn read_any_items(&mut self, place: &SourcePlace, junction: &Junction, rows: &[&Map]) -> Json {
        let mut blocks = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let collection = junction.of.as_deref().and_then(|it| text(row, it));
            let collection = collection.unwrap_or_default();
            let of = self.types.iter().find(|it| it.collection == collection);
            let end = row.get(&junction.forward);
            let name = end.and_then(|it| self.find_item(place, collection, it));
            let (Some(of), Some(name)) = (of, name) else { continue };
            let mut block = Map::new();
            block.push("_type", of.outline.name.as_str());
            block.push("_id", format!("item-{number}"));
            block.push("entry", name);
            blocks.push(Json::Object(block));
        }
        Json::Array(blocks)
    }

    fn read_value(&mut self, place: &SourcePlace, of: &DirectusValue, value: &'a Json) -> Json {
        match of {
            DirectusValue::Flag => match value {
                Json::Number(number) => Json::from(number.as_f64() != Some(0.0)),
                value => value.clone(),
            },
            DirectusValue::Structure => match value {
                Json::String(text) => {
                    Json::parse(text.as_bytes()).unwrap_or_else(|_| value.clone())
                }
                value => value.clone(),
            },
            DirectusValue::Words => {
                Json::Array(list_words(value).into_iter().map(Json::from).collect())
            }
            DirectusValue::File => self.find_file(place, value).unwrap_or_default(),
            DirectusValue::Item(target) => self.find_item(place, target, value).unwrap_or_default(),
            DirectusValue::Rows(fields) => {
                let rows = value.as_array().unwrap_or_default().iter();
                let rows = rows.filter_map(Json::as_object);
                let rows = rows.map(|it| self.read_fields(place, fields, it, ""));
                Json::Array(rows.map(Json::Object).collect())
            }
            _ => value.clone(),
        }
    }

    fn find_file(&mut self, place: &SourcePlace, value: &Json) -> Option<Json> {
        let id = to_key(value, "id")?;
        if self.files.contains(&id) {
            return Some(Json::from(format!("file:{id}")));
        }
        self.remarks.add_altered(place, "References to files that are left out are removed.");
        None
    }

    fn find_item(&mut self, place: &SourcePlace, target: &str, value: &Json) -> Option<Json> {
        let key = to_key(value, self.export.key_field(target))?;
        if self.keys.get(target).is_some_and(|it| it.contains(&key)) {
            return Some(Json::from(format!("item:{key}")));
        }
        self.remarks.add_altered(place, "References to items that do not exist are removed.");
        None
    }
}
