//! The content of an entry's file as it stands there, changed without being read as an entry: all
//! its values in all locales, whether or not readers see them today.

use crate::model::field::Fields;
use crate::model::field::Reference;
use crate::model::field::join;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Where the field values of a file are: `data`, and `translations.de.data` for each locale. An
/// entry keeps the values of locales that its type does not offer (any more).
pub fn data_paths(file: &Map) -> Vec<String> {
    let translations = file.get("translations").and_then(Json::as_object);
    let locales = translations.into_iter().flat_map(Map::iter).map(|(locale, _)| locale);
    let inside = locales.filter(|it| LocaleCode::fits(it));
    std::iter::once("data".to_string())
        .chain(inside.map(|it| format!("translations.{it}.data")))
        .collect()
}

/// The field values under one of [`data_paths`].
pub fn data<'a>(file: &'a Map, path: &str) -> Option<&'a Map> {
    let mut steps = path.split('.');
    let root = file.get(steps.next()?)?;
    steps.try_fold(root, |value, step| value.as_object()?.get(step))?.as_object()
}

/// The value under a path as problems and references name it, like `data.rows[2].key`.
pub fn value_mut<'a>(file: &'a mut Map, path: &str) -> Option<&'a mut Json> {
    let mut steps = path.split(['.', '[', ']']).filter(|it| !it.is_empty());
    let root = file.get_mut(steps.next()?)?;
    steps.try_fold(root, |value, step| match value {
        Json::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        Json::Object(map) => map.get_mut(step),
        _ => None,
    })
}

/// Points references somewhere else: each for which `target` names an id or a filename. Tells how
/// many that were.
pub fn redirect(
    fields: &Fields,
    file: &mut Map,
    target: &mut dyn FnMut(Reference<'_>) -> Option<String>,
) -> usize {
    let mut found = Vec::new();
    for path in data_paths(file) {
        let Some(values) = data(file, &path) else { continue };
        fields.references(values, &mut |inside, reference| {
            found.extend(target(reference).map(|it| (join(&path, inside), it)));
        });
    }
    let redirected = found.into_iter().filter_map(|(path, text)| {
        *value_mut(file, &path)? = Json::String(text);
        Some(())
    });
    redirected.count()
}

/// Rewrites texts among the field values, however deep: each for which `rewritten` gives another.
/// Tells how many that were.
pub fn rewrite_texts(file: &mut Map, rewritten: &mut dyn FnMut(&str) -> Option<String>) -> usize {
    let paths = data_paths(file);
    paths.iter().map(|it| value_mut(file, it).map_or(0, |it| rewrite(it, rewritten))).sum()
}

/// Values are nested as deep as files are read, which is not very.
fn rewrite(value: &mut Json, rewritten: &mut dyn FnMut(&str) -> Option<String>) -> usize {
    match value {
        Json::String(text) => match rewritten(text) {
            Some(other) => {
                *value = Json::String(other);
                1
            }
            None => 0,
        },
        Json::Array(items) => items.iter_mut().map(|it| rewrite(it, rewritten)).sum(),
        Json::Object(map) => map.values_mut().map(|it| rewrite(it, rewritten)).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content_type::ContentType;
    use crate::model::name::TypeName;

    fn map(text: &str) -> Map {
        Json::parse(text.as_bytes()).unwrap().as_object().unwrap().clone()
    }

    fn fields(text: &str) -> Fields {
        let schema = Json::parse(format!(r#"{{"fields":{text}}}"#).as_bytes()).unwrap();
        ContentType::parse(TypeName::parse("posts").unwrap(), &schema).0.unwrap().fields
    }

    #[test]
    fn all_locales_are_found() {
        let file = map(r#"{"data":{"a":1},"translations":{"de":{"data":{"a":2}},"x.y":{}}}"#);
        assert_eq!(data_paths(&file), ["data", "translations.de.data"]);
        assert_eq!(data(&file, "translations.de.data"), Some(&map(r#"{"a":2}"#)));
        assert_eq!(data(&map("{}"), "data"), None);
        assert_eq!(data_paths(&map(r#"{"translations":[1]}"#)), ["data"]);
    }

    #[test]
    fn texts_are_rewritten_however_deep() {
        let mut file = map(r#"{"title":"a","data":{"x":"a","y":["b",{"a":"a"}],"z":5},
            "translations":{"de":{"title":"a","data":{"x":"a"}}}}"#);
        let mut other = |text: &str| (text == "a").then(|| "c".to_string());
        assert_eq!(rewrite_texts(&mut file, &mut other), 3);
        let expect = r#"{"title":"a","data":{"x":"c","y":["b",{"a":"c"}],"z":5},
            "translations":{"de":{"title":"a","data":{"x":"c"}}}}"#;
        assert_eq!(file, map(expect));
        assert_eq!(rewrite_texts(&mut map("{}"), &mut other), 0);
    }

    #[test]
    fn references_are_redirected_however_deep() {
        let rel = r#"{"type":"relation","target":"pages"}"#;
        let row = r#"{"key":"rel","type":"relation","target":"pages"}"#;
        let fields = fields(&format!(
            r#"{{"one":{rel},"other":{{"type":"relation","target":"posts"}},
            "many":{{"type":"relation","target":"pages","multiple":true}},
            "rows":{{"type":"repeater","subfields":[{row}]}},
            "box":{{"type":"object","fields":{{"in":{{"type":"repeater","subfields":[{row}]}}}}}},
            "parts":{{"type":"blocks","blocks":{{"p":{{"fields":{{"rel":{rel}}}}}}}}}}}"#
        ));
        let before = r#"{"one":"old","other":"old","many":["x","old"],"rows":[{},{"rel":"old"}],
            "box":{"in":[{"rel":"old","old":"old"}]},
            "parts":[{"_type":"p","rel":"old"},{"_type":"?","rel":"old"}],"gone":"old"}"#;
        let after = r#"{"one":"new","other":"old","many":["x","new"],"rows":[{},{"rel":"new"}],
            "box":{"in":[{"rel":"new","old":"old"}]},
            "parts":[{"_type":"p","rel":"new"},{"_type":"?","rel":"old"}],"gone":"old"}"#;
        let whole = |data: &str| {
            map(&format!(
                r#"{{"title":"old","data":{data},"translations":{{"de":{{"data":{data}}}}}}}"#
            ))
        };
        let mut file = whole(before);
        let mut pages = |it: Reference<'_>| {
            (matches!(it, Reference::Entry(ty, "old") if *ty == "pages")).then(|| "new".to_string())
        };
        assert_eq!(redirect(&fields, &mut file, &mut pages), 10);
        assert_eq!(file, whole(after));
        assert_eq!(redirect(&fields, &mut file, &mut pages), 0);
    }
}
