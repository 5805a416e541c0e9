//! The context of an imported entry: the entries and files it may refer to, and the names and
//! values in use, in the workspace and in the rest of the import.

use std::cell::RefCell;
use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use crate::model::entry::OtherEntries;
use crate::model::field::Field;
use crate::model::field::ValueContext;
use crate::model::field::sanitize_html;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::fold::casefold;
use crate::stdx::json::Json;

/// The names and values of the entries of an import.
#[derive(Default)]
pub(super) struct ImportNames {
    /// The ids by type and by slug, id or name in the source.
    ids: HashMap<TypeName, HashMap<String, EntryId>>,
    /// The slugs in use, folded, by type.
    slugs: RefCell<HashMap<TypeName, HashMap<String, EntryId>>>,
    /// The values of unique fields, folded, by type and field.
    values: RefCell<HashMap<(TypeName, String), HashMap<String, EntryId>>>,
    /// The stored names of media files by name in the source.
    media: HashMap<String, Filename>,
}

impl ImportNames {
    /// Lets others refer to an entry by a name.
    pub(super) fn add_name(&mut self, of: &TypeName, name: &str, id: &EntryId) {
        let names = self.ids.entry(of.clone()).or_default();
        names.entry(name.to_string()).or_insert_with(|| id.clone());
    }

    /// Lets texts and values refer to a media file by a name.
    pub(super) fn add_media(&mut self, name: &str, stored: &Filename) {
        self.media.entry(name.to_string()).or_insert_with(|| stored.clone());
    }

    /// Reserves a slug. Returns false if another entry of the import has it.
    pub(super) fn reserve_slug(&self, of: &TypeName, slug: &str, id: &EntryId) -> bool {
        let mut slugs = self.slugs.borrow_mut();
        let taken = slugs.entry(of.clone()).or_default();
        taken.entry(casefold(slug).into_owned()).or_insert_with(|| id.clone()) == id
    }

    /// Returns the stored name of a media file of the source.
    pub(super) fn find_media(&self, name: &str) -> Option<&Filename> {
        self.media.get(name)
    }

    /// Returns the entry of any type with this name in the source.
    pub(super) fn find_any(&self, name: &str) -> Option<(&TypeName, &EntryId)> {
        self.ids.iter().find_map(|(of, names)| Some((of, names.get(name)?)))
    }

    fn find(&self, of: &TypeName, name: &str) -> Option<&EntryId> {
        self.ids.get(of)?.get(name)
    }
}

/// The context of one imported entry.
pub(super) struct ImportScope<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) names: &'a ImportNames,
    /// The entries of the same type, unless the import creates it.
    pub(super) index: Option<&'a TypeIndex>,
    pub(super) type_name: &'a TypeName,
    pub(super) id: &'a EntryId,
    pub(super) this: Option<Ordinal>,
    pub(super) media_base: &'a str,
    pub(super) new_id: &'a dyn Fn() -> EntryId,
}

impl ValueContext for ImportScope<'_> {
    fn resolve_entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String> {
        if let Some(id) = self.names.find(target, id_or_slug) {
            return Some(id.to_string());
        }
        let index = self.snapshot.get(target.as_str())?;
        let found = index.find_entry(id_or_slug)?;
        index.entry_at(found).map(|it| it.id().to_string())
    }

    fn resolve_media(&self, name_or_url: &str) -> Option<String> {
        if let Some(name) = self.names.find_media(name_or_url) {
            return Some(name.to_string());
        }
        let name = match name_or_url.strip_prefix(self.media_base) {
            Some(segment) => percent_decode_str(segment).decode_utf8().ok()?.into_owned(),
            None => name_or_url.trim().to_string(),
        };
        let name = Filename::parse_normalized(&name).ok()?;
        self.snapshot.media.get(&name).map(|it| it.filename.to_string())
    }

    fn new_id(&self) -> String {
        (self.new_id)().to_string()
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        sanitize_html(text)
    }
}

impl OtherEntries for ImportScope<'_> {
    fn has_slug(&self, slug: &str) -> bool {
        let slugs = self.names.slugs.borrow();
        let other = slugs.get(self.type_name).and_then(|it| it.get(&*casefold(slug)));
        other.is_some_and(|it| it != self.id)
            || self.index.is_some_and(|it| it.has_name(slug, self.this))
    }

    /// Records the value as well, so that a later entry of the import cannot have it.
    fn has_value(&self, field: &Field, value: &Json) -> bool {
        let mut text = Vec::new();
        value.write_compact(&mut text);
        let text = casefold(&String::from_utf8_lossy(&text)).into_owned();
        let mut values = self.names.values.borrow_mut();
        let place = (self.type_name.clone(), field.name.to_string());
        let holder =
            values.entry(place).or_default().entry(text).or_insert_with(|| self.id.clone());
        holder != self.id
            || self.index.is_some_and(|it| it.has_value(field, value, self.this, self.media_base))
    }
}
