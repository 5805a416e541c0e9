//! Entries as texts with front matter, in the form that site generators and the import read.

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;

use crate::app::export::exported_entry::ExportedEntry;
use crate::app::export::exported_entry::translated_value;
use crate::app::export::text_places::TextPlaces;
use crate::app::import::links::rewrite_markdown;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::field::Field;
use crate::model::field::visit_parts;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::url_encoding::encode_segment;

/// The folder from which site generators serve files at their root.
pub const PUBLIC_FOLDER: &str = "static";

/// The kinds whose values can be the text below the front matter.
const TEXT_KINDS: &[&str] = &["markdown", "textarea", "html", "text"];

/// The key of front matter that is never a field for the import.
const DRAFT: &str = "draft";

/// A text and its place.
#[derive(Debug, PartialEq, Eq)]
pub struct MarkdownFile {
    /// The path below the folder of the export.
    pub path: String,
    /// The text.
    pub text: String,
}

/// The texts of one content type.
pub struct MarkdownTexts<'a> {
    snapshot: &'a Snapshot,
    ty: &'a ContentType,
    /// The files of all entries that are exported.
    places: &'a TextPlaces,
    /// The media files that the texts name.
    pub media: BTreeSet<Filename>,
}

impl<'a> MarkdownTexts<'a> {
    /// Creates the texts of a type.
    pub fn new(
        snapshot: &'a Snapshot,
        ty: &'a ContentType,
        places: &'a TextPlaces,
    ) -> MarkdownTexts<'a> {
        MarkdownTexts { snapshot, ty, places, media: BTreeSet::new() }
    }

    /// Returns true if a field has the name by which the import knows drafts.
    pub fn has_draft_field(&self) -> bool {
        self.ty.fields.get(DRAFT).is_some()
    }

    /// Writes an entry: its text, and one for each translation.
    pub fn write(&mut self, entry: &ExportedEntry) -> Vec<MarkdownFile> {
        let folder = &self.ty.name;
        let stem = self.places.find_stem(folder, &entry.id).unwrap_or(&entry.id);
        let mut head = Head::default();
        head.add("title", &Json::from(entry.title()));
        if entry.slug != stem && !self.ty.singleton {
            head.add("slug", &Json::from(entry.slug.as_str()));
        }
        for (key, name) in
            [("published_at", "date"), ("updated_at", "updated_at"), ("unpublish_at", "expiryDate")]
        {
            let is_taken = self.ty.fields.get(name).is_some();
            let name = if is_taken { key } else { name };
            entry.text(key).into_iter().for_each(|it| head.add_bare(name, it));
        }
        match entry.status() {
            EntryStatus::Published => {}
            EntryStatus::Draft => head.add_bare(DRAFT, "true"),
            status => head.add("status", &Json::from(status.as_str())),
        }
        let own = |field: &Field| entry.value(field).cloned();
        let text = self.finish_text(head, &own);
        let mut files = vec![MarkdownFile { path: format!("{folder}/{stem}.md"), text }];
        for locale in &self.ty.locales {
            let Some(translation) = entry.translation(locale.as_str()) else { continue };
            let mut head = Head::default();
            let title = translation.get("title").filter(|it| !it.is_empty());
            let root = Json::from(entry.title());
            head.add("title", title.unwrap_or(&root));
            let value = |field: &Field| {
                translated_value(translation, field).filter(|_| field.localized).cloned()
            };
            let text = self.finish_text(head, &value);
            files.push(MarkdownFile { path: format!("{folder}/{stem}.{locale}.md"), text });
        }
        files
    }

    /// Adds the fields and the text.
    fn finish_text(&mut self, mut head: Head, value: &dyn Fn(&Field) -> Option<Json>) -> String {
        let body_field = self.find_text_field();
        let mut body = None;
        for field in self.ty.data_fields() {
            let Some(value) = value(field).filter(|it| !it.is_empty()) else { continue };
            self.note_media(&value);
            let value = self.convert(field, value);
            match value.as_str() {
                Some(text) if body_field == Some(&field.name) && is_body(text) => {
                    body = Some(text.to_string());
                }
                _ => head.add(&field.name, &value),
            }
        }
        let body = body.map(|it| format!("\n{it}\n")).unwrap_or_default();
        format!("---\n{}---\n{body}", head.text)
    }

    /// Returns the field that the import reads the text into.
    fn find_text_field(&self) -> Option<&'a str> {
        let body = self.ty.fields.get("body").filter(|it| TEXT_KINDS.contains(&it.kind_name()));
        let first = || self.ty.data_fields().find(|it| it.kind_name() == "markdown");
        body.or_else(first).map(|it| it.name.as_str())
    }

    /// Converts a value at any depth: ids of entries become slugs, names of files addresses, and
    /// links to entries lead to their files.
    fn convert(&self, field: &Field, mut value: Json) -> Json {
        visit_parts(&field.definition, &mut value, &mut |definition, part| {
            let text = |key: &str| definition.get(key).and_then(Json::as_str).unwrap_or_default();
            match (text("type"), part) {
                ("media", part) => change_texts(part, &|name| self.find_address(name)),
                ("relation", part) => {
                    change_texts(part, &|id| self.find_slug(text("target"), id));
                }
                ("markdown", Json::String(text)) => {
                    *text = rewrite_markdown(text, &|address| self.places.find_link(address));
                }
                _ => {}
            }
        });
        value
    }

    /// Returns the address of a media file, if there is one of this name; else the name.
    fn find_address(&self, name: &str) -> String {
        match Filename::parse(name) {
            Ok(file) if self.snapshot.media.get(&file).is_some() => {
                media_address(&self.snapshot.workspace, name)
            }
            _ => name.to_string(),
        }
    }

    /// Returns the slug of an entry, if that leads to it; else the id.
    fn find_slug(&self, target: &str, id: &str) -> String {
        let found = self.snapshot.get(target).and_then(|index| {
            let doc = index.entry_at(index.find_ordinal(id)?)?;
            let first = index.find_entry(doc.slug()).and_then(|it| index.entry_at(it))?;
            first.has_id(id).then(|| doc.slug().to_string())
        });
        found.filter(|it| !it.is_empty()).unwrap_or_else(|| id.to_string())
    }

    /// Takes note of the media files in a value, by name or by address.
    fn note_media(&mut self, value: &Json) {
        match value {
            Json::String(text) => {
                if let Ok(name) = Filename::parse(text) {
                    self.add_media(&name);
                }
                let base = format!("/media/{}/", self.snapshot.workspace);
                for (at, _) in text.match_indices(&base) {
                    let rest = text.get(at + base.len()..).unwrap_or_default();
                    let end = rest.find(|it: char| " \t\r\n\"'()<>?#\\".contains(it));
                    let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                    let decoded = percent_decode_str(name).decode_utf8_lossy();
                    if let Ok(name) = Filename::parse(&decoded) {
                        self.add_media(&name);
                    }
                }
            }
            Json::Array(items) => items.iter().for_each(|it| self.note_media(it)),
            Json::Object(map) => map.iter().for_each(|(_, it)| self.note_media(it)),
            _ => {}
        }
    }

    fn add_media(&mut self, name: &Filename) {
        if let Some(item) = self.snapshot.media.get(name) {
            self.media.insert(item.filename.clone());
        }
    }
}

/// Changes a text, or each text of a list.
fn change_texts(value: &mut Json, change: &dyn Fn(&str) -> String) {
    match value {
        Json::String(text) => *text = change(text),
        Json::Array(items) => items.iter_mut().for_each(|it| change_texts(it, change)),
        _ => {}
    }
}

/// Returns the path of a media file below the folder of the export.
pub fn media_path(ws: &WorkspaceSlug, name: &Filename) -> String {
    format!("{PUBLIC_FOLDER}/media/{ws}/{name}")
}

fn media_address(ws: &WorkspaceSlug, name: &str) -> String {
    format!("/media/{ws}/{}", encode_segment(name))
}

/// Returns true if a text can stand below front matter and be read back as it is.
fn is_body(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['\n', '\r']) && text.trim_end() == text
}

/// The lines of front matter.
#[derive(Default)]
struct Head {
    text: String,
}

impl Head {
    /// Adds a value in the notation of JSON, which is YAML as well.
    fn add(&mut self, key: &str, value: &Json) {
        let mut text = Vec::new();
        value.write_compact(&mut text);
        self.add_bare(key, &escape_for_yaml(&String::from_utf8_lossy(&text)));
    }

    fn add_bare(&mut self, key: &str, value: &str) {
        self.text.push_str(&format!("{key}: {value}\n"));
    }
}

/// Escapes what JSON may have in texts as it is, and YAML may not.
fn escape_for_yaml(json: &str) -> String {
    let is_plain = |it: char| {
        !matches!(
            it,
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
    };
    if json.chars().all(is_plain) {
        return json.to_string();
    }
    let escape = |it: char| match is_plain(it) {
        true => it.to_string(),
        false => format!("\\u{:04x}", u32::from(it)),
    };
    json.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn values_are_yaml() {
        let values = map(r#"{"a":"b: c","d":["e","@f"],"g":{"h":1.5},"i":true,"j":"x\u2028y"}"#);
        let expect = "a: \"b: c\"\nd: [\"e\",\"@f\"]\ng: {\"h\":1.5}\ni: true\nj: \"x\\u2028y\"\n";
        let mut head = Head::default();
        values.iter().for_each(|(key, value)| head.add(key, value));
        assert_eq!(head.text, expect);
    }
}
