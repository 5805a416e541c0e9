//! An entry as seen in one locale: the values of the locale, with fallbacks.

use crate::model::content_type::ContentType;
use crate::model::entry::stored_entry::Entry;
use crate::model::field::Field;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The values of an entry in one locale, in the order of the fallback.
pub struct LocalizedEntry<'a> {
    layers: Vec<(Option<&'a str>, &'a Map)>,
    root: &'a Entry,
}

impl<'a> LocalizedEntry<'a> {
    /// Creates the view for a read in `locale`, or for one without a locale.
    pub fn new(
        ty: &ContentType,
        entry: &'a Entry,
        locale: Option<&LocaleCode>,
    ) -> LocalizedEntry<'a> {
        let mut layers = Vec::with_capacity(2);
        for code in [locale, ty.default_locale.as_ref()].into_iter().flatten() {
            if ty.root_locale.as_ref() == Some(code) {
                layers.push((Some(entry.title.as_str()).filter(|it| !it.is_empty()), &entry.data));
            } else if let Some(translation) = entry.find_translation(code.as_str()) {
                layers.push((translation.title.as_deref(), &translation.data));
            }
        }
        LocalizedEntry { layers, root: entry }
    }

    /// Returns the title.
    pub fn title(&self, ty: &ContentType) -> &'a str {
        let localized = ty.fields.get("title").is_none_or(|it| it.localized);
        let own = self.layers.iter().filter(|_| localized).find_map(|(title, _)| *title);
        own.unwrap_or(self.root.title.as_str())
    }

    /// Returns the value of a field: the first one in the fallback order that is not empty, or the
    /// root's.
    pub fn get_value(&self, field: &Field) -> Option<&'a Json> {
        let name = field.name.as_str();
        let layers = self.layers.iter().filter(|_| field.localized);
        let own = layers.filter_map(|(_, data)| data.get(name)).find(|it| !it.is_empty());
        own.or_else(|| self.root.data.get(name))
    }
}
