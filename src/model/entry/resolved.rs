//! What one locale sees of an entry: its own values, and where it has none, those of others.

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::field::Field;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The values of an entry that one locale sees, nearest first.
pub struct Resolved<'a> {
    layers: Vec<(Option<&'a str>, &'a Map)>,
    root: &'a Entry,
}

impl<'a> Resolved<'a> {
    /// The values for a read in `locale`, or for one without.
    pub fn new(ty: &ContentType, entry: &'a Entry, locale: Option<&LocaleCode>) -> Resolved<'a> {
        let mut layers = Vec::with_capacity(2);
        for code in [locale, ty.default_locale.as_ref()].into_iter().flatten() {
            if ty.root_locale.as_ref() == Some(code) {
                layers.push((Some(entry.title.as_str()).filter(|it| !it.is_empty()), &entry.data));
            } else if let Some(translation) = entry.translation(code.as_str()) {
                layers.push((translation.title.as_deref(), &translation.data));
            }
        }
        Resolved { layers, root: entry }
    }

    /// The title.
    pub fn title(&self, ty: &ContentType) -> &'a str {
        let localized = ty.fields.get("title").is_none_or(|it| it.localized);
        let own = self.layers.iter().filter(|_| localized).find_map(|(title, _)| *title);
        own.unwrap_or(self.root.title.as_str())
    }

    /// The field's value: the nearest one that is not empty, else what the root has.
    pub fn value(&self, field: &Field) -> Option<&'a Json> {
        let name = field.name.as_str();
        let layers = self.layers.iter().filter(|_| field.localized);
        let own = layers.filter_map(|(_, data)| data.get(name)).find(|it| !it.is_empty());
        own.or_else(|| self.root.data.get(name))
    }
}
