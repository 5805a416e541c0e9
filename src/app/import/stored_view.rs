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

/// Removes the fields that an import clears and that have no value. A table does not tell whether
/// somebody wrote `""`, `[]` or `null` there.
pub(super) fn leave_unset(ty: &ContentType, values: &mut Map, shown: &Map, stored: &Map) {
    leave_unset_fields(ty, values, shown);
    let Some(Json::Object(translations)) = values.get_mut("translations") else { return };
    let known = stored.get("translations").and_then(Json::as_object);
    for (locale, known) in known.into_iter().flat_map(Map::iter) {
        if let (Some(Json::Object(one)), Some(known)) =
            (translations.get_mut(locale), known.as_object())
        {
            leave_unset_fields(ty, one, known);
        }
    }
}

/// Does so with the fields in the `data` of an object.
fn leave_unset_fields(ty: &ContentType, values: &mut Map, stored: &Map) {
    let stored = stored.get("data").and_then(Json::as_object);
    let (Some(Json::Object(data)), Some(stored)) = (values.get_mut("data"), stored) else { return };
    // JSON tells them apart.
    let is_told = |name: &str| ty.fields.get(name).is_some_and(|it| it.kind_name() == "json");
    for (name, _) in stored.iter().filter(|(name, value)| value.is_empty() && !is_told(name)) {
        if matches!(data.get(name), Some(Json::Null)) {
            data.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::name::TypeName;
    use crate::stdx::json::from_text::map;

    #[test]
    fn what_has_no_value_stays_as_it_is_written() {
        let schema = r#"{"locales":["en","de"],"fields":{"a":{"type":"text"},"b":{"type":"text"},
            "c":{"type":"json"},"d":{"type":"select","multiple":true,"options":["x"]}}}"#;
        let name = TypeName::parse("posts").unwrap();
        let ty = ContentType::parse(name, &Json::Object(map(schema))).0.unwrap();
        let stored = map(
            r#"{"data":{"a":"","b":"x","c":"","d":[]},"translations":{"de":{"data":{"a":""}}}}"#,
        );
        let mut values = map(r#"{"data":{"a":null,"b":null,"c":null,"d":null,"e":null},
                "translations":{"de":{"data":{"a":null,"b":null}},"fr":{"data":{"a":null}}}}"#);
        leave_unset(&ty, &mut values, &stored, &stored);
        let expect = map(r#"{"data":{"b":null,"c":null,"e":null},
                "translations":{"de":{"data":{"b":null}},"fr":{"data":{"a":null}}}}"#);
        assert_eq!(Json::Object(values), Json::Object(expect));
    }
}
