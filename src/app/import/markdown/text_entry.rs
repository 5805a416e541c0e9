//! The entries of texts: front matter finds its keys and fields, and the text below it its own.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::links::find_addresses;
use crate::app::import::links::find_html_addresses;
use crate::app::import::links::is_foreign;
use crate::app::import::links::list_paths;
use crate::app::import::links::split_address;
use crate::app::import::markdown::entry_keys::GENERATOR_KEYS;
use crate::app::import::markdown::entry_keys::is_entry_key;
use crate::app::import::markdown::entry_keys::is_field;
use crate::app::import::markdown::inferred_type::InferredType;
use crate::app::import::markdown::key_names::KeyNames;
use crate::app::import::markdown::options::MarkdownOptions;
use crate::app::import::markdown::publication::TextPublication;
use crate::app::import::markdown::publication::has_time;
use crate::app::import::markdown::read_text::ReadText;
use crate::app::import::markdown::site_layout::is_text;
use crate::app::import::report::SourcePlace;
use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::model::field::visit_parts;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;
use crate::store::source::ImportSource;

/// The beginnings of calls that site generators replace.
const SHORTCODES: &[&str] = &["{{<", "{{%", "{% "];

/// The texts of a folder on their way to entries.
pub(super) struct TextEntries<'a> {
    files: BTreeSet<&'a str>,
    snapshot: &'a Snapshot,
    options: &'a MarkdownOptions,
    names: &'a KeyNames,
    used: BTreeSet<String>,
}

impl<'a> TextEntries<'a> {
    /// Creates the entries of a source.
    pub(super) fn new(
        source: &'a dyn ImportSource,
        snapshot: &'a Snapshot,
        options: &'a MarkdownOptions,
        names: &'a KeyNames,
    ) -> TextEntries<'a> {
        let files = source.files().iter().map(|it| it.path.as_str()).collect();
        TextEntries { files, snapshot, options, names, used: BTreeSet::new() }
    }

    /// The files that texts refer to.
    pub(super) fn used_files(&self) -> &BTreeSet<String> {
        &self.used
    }

    /// Takes note of the values of a text.
    pub(super) fn infer(&mut self, text: &ReadText, inferred: &mut InferredType) {
        inferred.add_text(&text.content.text);
        for (key, value) in text.content.values.iter().filter(|(key, _)| !is_entry_key(key)) {
            let Some(name) = self.names.get(&text.type_name, key) else { continue };
            let found = self.resolve_files(&text.file, value);
            inferred.add_value(name, value, found.is_some());
        }
    }

    /// Adds the entries of all texts. Texts in several locales are one entry.
    pub(super) fn add_all(
        &mut self,
        texts: Vec<ReadText>,
        default_locale: &str,
        set: &mut ImportSet,
    ) {
        let mut groups: BTreeMap<(TypeName, String), Vec<ReadText>> = BTreeMap::new();
        let mut lone = 0_usize;
        for text in texts {
            let mut slug = text.path.slug.clone();
            let place = (text.type_name.clone(), slug.clone());
            let is_same = |it: &ReadText| it.path.locale == text.path.locale;
            // Two texts of one locale stay two, and are reported as the same entry.
            if groups.get(&place).is_some_and(|it| it.iter().any(is_same)) {
                lone += 1;
                slug = format!("{slug} {lone}");
            }
            groups.entry((text.type_name.clone(), slug)).or_default().push(text);
        }
        for (_, mut texts) in groups {
            // The text of the default locale first.
            texts.sort_by_key(|it| {
                let locale = it.path.locale.as_deref().unwrap_or(default_locale);
                (locale != default_locale, it.file.clone())
            });
            let mut texts = texts.into_iter();
            if let Some(first) = texts.next() {
                self.add_entry(&first, texts.collect(), default_locale, set);
            }
        }
    }

    /// Adds the entry of a text with its translations.
    fn add_entry(
        &mut self,
        first: &ReadText,
        others: Vec<ReadText>,
        default_locale: &str,
        set: &mut ImportSet,
    ) {
        let publication = self.read_publication(first, set);
        let mut entry = self.build_entry(first, set);
        publication.apply_to(&mut entry);
        let mut translations = Map::new();
        for text in others {
            entry.names.extend(list_names(&text));
            let locale = text.path.locale.as_deref().unwrap_or(default_locale);
            if !self.accept_status(&text, locale, &publication, set) {
                continue;
            }
            self.note_shared_keys(first, &text, set);
            let translation = self.build_entry(&text, set).values;
            let mut values = Map::new();
            for key in ["title", "data"] {
                if let Some(value) = translation.get(key) {
                    values.push(key, value.clone());
                }
            }
            translations.set(locale, Json::Object(values));
        }
        if !translations.is_empty() {
            entry.values.set("translations", Json::Object(translations));
        }
        set.entries.push(entry);
    }

    /// Returns true if a translation may have the status of its entry. What is not public does not
    /// become public.
    fn accept_status(
        &self,
        text: &ReadText,
        locale: &str,
        entry: &TextPublication,
        set: &mut ImportSet,
    ) -> bool {
        let own = self.read_publication(text, set);
        let place = SourcePlace::of_file(&text.file);
        let (own_status, status) = (&own.status, &entry.status);
        if own.is_withheld_from(entry) {
            let message = format!(
                "The locale `{locale}` has the status `{own_status}`, while the entry has \
                 `{status}`: it is left out."
            );
            set.report.add_skipped(place, message);
            return false;
        }
        let says_status = ["draft", "status"].iter().any(|it| text.content.values.contains(it));
        if own_status != status && says_status {
            let message = format!("All locales have the status of the entry, which is `{status}`.");
            set.report.add_altered(place, message);
        }
        true
    }

    /// Names the keys of a translation that all locales of an entry share, if they differ there.
    fn note_shared_keys(&self, first: &ReadText, text: &ReadText, set: &mut ImportSet) {
        let ty = self.find_type(text);
        let values = text.content.values.iter().filter(|(key, value)| {
            let is_shared = *key == "slug" || has_time(text, key, ty);
            is_shared && !value.is_empty() && first.content.values.get(key) != Some(*value)
        });
        let keys: Vec<String> = values.map(|(key, _)| format!("`{key}`")).collect();
        if !keys.is_empty() {
            let message =
                format!("All locales share these keys, so they are left out: {}.", keys.join(", "));
            set.report.add_skipped(SourcePlace::of_file(&text.file), message);
        }
    }

    fn build_entry(&mut self, text: &ReadText, set: &mut ImportSet) -> ImportedEntry {
        let place = SourcePlace::of_file(&text.file);
        let mut entry = ImportedEntry::new(place.clone(), text.type_name.clone());
        let slug = text.read_scalar("slug", &mut set.report);
        let slug = slug.map(|it| slugify(it.trim_matches('/').rsplit('/').next().unwrap_or(&it)));
        let slug = slug.filter(|it| !it.is_empty()).unwrap_or_else(|| text.path.slug.clone());
        let title = text.read_scalar("title", &mut set.report);
        let title = title.or_else(|| first_heading(&text.content.text)).unwrap_or_else(|| {
            set.report.add_altered(place.clone(), "It has no title, so its name is the title.");
            slug.replace('-', " ")
        });
        entry.key = Some(EntryKey::Slug(slug.clone())).filter(|_| !slug.is_empty());
        entry.names = list_names(text);
        entry.values.set("title", Json::from(title));
        entry.values.set("slug", Json::from(slug));
        if let Some(locale) = &text.path.locale {
            entry.values.set("locale", Json::from(locale.as_str()));
        }
        let data = self.collect_data(text, set);
        entry.values.set("data", Json::Object(data));
        if SHORTCODES.iter().any(|it| text.content.text.contains(it)) {
            let message = "It calls shortcodes of the site generator, which stay as text.";
            set.report.add_altered(place.clone(), message);
        }
        if text.file.ends_with(".mdx") {
            set.report.add_altered(place, "Components and expressions of MDX stay as text.");
        }
        entry
    }

    /// Reads status and dates of a text.
    fn read_publication(&self, text: &ReadText, set: &mut ImportSet) -> TextPublication {
        let standard = self.options.status.as_deref().unwrap_or("published");
        TextPublication::read(text, self.find_type(text), standard, &mut set.report)
    }

    /// Returns the content type of a text in the workspace.
    fn find_type(&self, text: &ReadText) -> Option<&'a ContentType> {
        self.snapshot.get(&text.type_name).map(|it| &*it.content_type)
    }

    /// Collects the values of fields, and the text.
    fn collect_data(&mut self, text: &ReadText, set: &mut ImportSet) -> Map {
        let index = self.snapshot.get(&text.type_name);
        let ty = index.map(|it| it.content_type.clone());
        let mut data = Map::new();
        for (key, value) in text.content.values.iter() {
            let place = || SourcePlace::of_file(&text.file).with_field(key);
            if GENERATOR_KEYS.contains(&key)
                && ty.as_ref().is_none_or(|it| it.fields.get(key).is_none())
            {
                set.report.add_skipped(place(), "It says how the generator makes the page.");
            }
            if is_entry_key(key) && !ty.as_ref().is_some_and(|it| is_field(it, key)) {
                continue;
            }
            let Some(name) = self.names.get(&text.type_name, key) else {
                set.report.add_skipped(place(), "It cannot be the name of a field.");
                continue;
            };
            if name != key {
                set.report.add_altered(place(), format!("The field is named `{name}`."));
            }
            let own = ty.as_ref().and_then(|it| it.fields.get(name));
            let is_text = own.is_some_and(|it| is_text_kind(it.kind_name()));
            let is_other = is_text && value.as_str().is_none();
            let written = text.content.scalar_text(key).filter(|_| is_other);
            let files = self.resolve_files(&text.file, value);
            let value = match (files, written) {
                (Some(files), _) => files,
                (None, Some(written)) => Json::from(written),
                (None, None) => match own {
                    Some(field) => self.resolve_parts(&text.file, field, value),
                    None => value.clone(),
                },
            };
            data.set(name, value);
        }
        self.note_links(&text.file, find_addresses(&text.content.text));
        if !text.content.text.trim().is_empty() {
            match find_text_field(ty.as_deref()) {
                Some(name) => {
                    if data.get(&name).is_some_and(|it| !it.is_empty()) {
                        let message = "The text goes into this field, so the value is left out.";
                        set.report.add_skipped(text.place_of(&name), message);
                    }
                    data.set(&name, Json::from(text.content.text.trim_end()));
                }
                None => {
                    let message = format!("`{}` has no field for the text.", text.type_name);
                    set.report.add_problem(SourcePlace::of_file(&text.file), message);
                }
            }
        }
        data
    }

    /// Takes note of the files that addresses in a text lead to.
    fn note_links(&mut self, from: &str, addresses: Vec<String>) {
        for address in addresses {
            if let Some(path) = self.find_file(from, &address) {
                self.used.insert(path);
            }
        }
    }

    /// Returns a value of a field with the paths of files of the source in place of addresses, at
    /// any depth, and takes note of the files that its texts show or link to.
    fn resolve_parts(&mut self, from: &str, field: &Field, value: &Json) -> Json {
        let mut value = value.clone();
        visit_parts(&field.definition, &mut value, &mut |definition, part| {
            let kind = definition.get("type").and_then(Json::as_str).unwrap_or_default();
            match (kind, part) {
                ("media", part) => {
                    if let Some(found) = self.resolve_files(from, part) {
                        *part = found;
                    }
                }
                ("markdown", Json::String(text)) => self.note_links(from, find_addresses(text)),
                ("html", Json::String(text)) => self.note_links(from, find_html_addresses(text)),
                _ => {}
            }
        });
        value
    }

    /// Returns a value with the paths of files of the source in place of addresses, if it is an
    /// address or a list of them.
    fn resolve_files(&mut self, from: &str, value: &Json) -> Option<Json> {
        match value {
            Json::String(address) => {
                let path = self.find_file(from, address)?;
                self.used.insert(path.clone());
                Some(Json::from(path))
            }
            Json::Array(items) if !items.is_empty() => {
                let paths: Option<Vec<Json>> =
                    items.iter().map(|it| self.resolve_files(from, it)).collect();
                paths.map(Json::Array)
            }
            _ => None,
        }
    }

    fn find_file(&self, from: &str, address: &str) -> Option<String> {
        if is_foreign(address) || address.contains('\n') {
            return None;
        }
        let paths = list_paths(from, split_address(address).0);
        paths.into_iter().find(|it| self.files.contains(it.as_str()) && !is_text(it))
    }
}

/// Returns the names by which other texts refer to one: its path, with and without the ending, and
/// its address on the site.
fn list_names(text: &ReadText) -> Vec<String> {
    let bare = text.file.rsplit_once('.').map_or(text.file.as_str(), |(stem, _)| stem);
    let mut names = vec![text.file.clone(), bare.to_string()];
    let folder = bare.strip_suffix("/index").or_else(|| bare.strip_suffix("/_index"));
    names.extend(folder.map(str::to_string));
    names.push(format!("/{}/{}", text.path.folder, text.path.slug));
    if text.path.folder == "pages" {
        names.push(format!("/{}", text.path.slug));
    }
    names
}

/// Returns the text of the first line, if it is a heading of the first level.
fn first_heading(text: &str) -> Option<String> {
    let line = text.lines().find(|it| !it.trim().is_empty())?;
    let heading = line.strip_prefix("# ")?.trim().trim_end_matches('#').trim();
    (!heading.is_empty()).then(|| heading.to_string())
}

/// Returns true if fields of a kind have formatted or plain texts.
fn is_text_kind(kind: &str) -> bool {
    matches!(kind, "markdown" | "textarea" | "html" | "text")
}

/// Returns the field for the text of an entry: `body`, else the first with Markdown.
fn find_text_field(ty: Option<&ContentType>) -> Option<String> {
    let Some(ty) = ty else { return Some("body".to_string()) };
    if ty.fields.get("body").is_some_and(|it| is_text_kind(it.kind_name())) {
        return Some("body".to_string());
    }
    let mut fields = ty.data_fields();
    fields.find(|it| it.kind_name() == "markdown").map(|it| it.name.to_string())
}
