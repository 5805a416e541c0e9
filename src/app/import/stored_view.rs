//! The entry of the workspace that an import updates, as its writer reads it.

use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Returns the entry as the writer in this locale reads it: only what differs is merged.
pub(super) fn show_stored(ty: &ContentType, stored: &StoredFile, values: &Map) -> Map {
    let mut shown = stored.map().clone();
    let locale = values.get("locale").and_then(Json::as_str);
    let root = ty.root_locale.as_ref().map(|it| it.as_str());
    let Some(locale) = locale.filter(|it| Some(*it) != root) else { return shown };
    let translations = shown.get("translations").and_then(Json::as_object);
    let Some(own) = translations.and_then(|it| it.get(locale)).and_then(Json::as_object).cloned()
    else {
        return shown;
    };
    if let Some(title) = own.get("title") {
        shown.set("title", title.clone());
    }
    let mut data = shown.get("data").and_then(Json::as_object).cloned().unwrap_or_default();
    for (name, value) in own.get("data").and_then(Json::as_object).into_iter().flat_map(Map::iter) {
        data.set(name, value.clone());
    }
    shown.set("data", Json::Object(data));
    shown
}
