//! The raw content of an entry's file, edited without reading it as an entry: all values in all
//! locales, including those that no reader sees.

use crate::model::field::Fields;
use crate::model::field::Reference;
use crate::model::field::join_path;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Returns the paths of the field values in a file: `data`, and for example `translations.de.data`.
/// Includes locales that the type no longer offers, since entries keep their values.
pub fn data_paths(file: &Map) -> Vec<String> {
    let translations = file.get("translations").and_then(Json::as_object);
    let locales = translations.into_iter().flat_map(Map::iter).map(|(locale, _)| locale);
    let inside = locales.filter(|it| LocaleCode::fits(it));
    std::iter::once("data".to_string())
        .chain(inside.map(|it| format!("translations.{it}.data")))
        .collect()
}

/// Returns the field values under one of [`data_paths`].
pub fn get_data<'a>(file: &'a Map, path: &str) -> Option<&'a Map> {
    let mut steps = path.split('.');
    let root = file.get(steps.next()?)?;
    steps.try_fold(root, |value, step| value.as_object()?.get(step))?.as_object()
}

/// Returns the value at a path in the notation of problems and references, like `data.rows[2].key`.
pub fn value_mut<'a>(file: &'a mut Map, path: &str) -> Option<&'a mut Json> {
    let mut steps = path.split(['.', '[', ']']).filter(|it| !it.is_empty());
    let root = file.get_mut(steps.next()?)?;
    steps.try_fold(root, |value, step| match value {
        Json::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        Json::Object(map) => map.get_mut(step),
        _ => None,
    })
}

/// Calls `each` for every reference in a file, with its path: `data.author`.
pub fn visit_references(fields: &Fields, file: &Map, each: &mut dyn FnMut(&str, Reference<'_>)) {
    for path in data_paths(file) {
        let Some(values) = get_data(file, &path) else { continue };
        fields.visit_references(values, &mut |inside, it| each(&join_path(&path, inside), it));
    }
}

/// Redirects references: each reference for which `target` returns an id or a filename is changed
/// to that. Returns the number of changed references.
pub fn redirect_references(
    fields: &Fields,
    file: &mut Map,
    target: &mut dyn FnMut(Reference<'_>) -> Option<String>,
) -> usize {
    let mut found = Vec::new();
    visit_references(fields, file, &mut |path, reference| {
        found.extend(target(reference).map(|it| (path.to_string(), it)));
    });
    let redirected = found.into_iter().filter_map(|(path, text)| {
        *value_mut(file, &path)? = Json::String(text);
        Some(())
    });
    redirected.count()
}

/// Removes the references for which `is_gone` returns true. An item of a list is removed from it,
/// any other value becomes `null`; a field of a translation that becomes empty is removed as well.
/// Returns the paths that the references had.
pub fn clear_references(
    fields: &Fields,
    file: &mut Map,
    is_gone: &mut dyn FnMut(Reference<'_>) -> bool,
) -> Vec<String> {
    let mut found = Vec::new();
    visit_references(fields, file, &mut |path, reference| {
        if is_gone(reference) {
            found.push(path.to_string());
        }
    });
    // Back to front, so that the remaining paths stay valid.
    for path in found.iter().rev() {
        remove_value(file, path);
    }
    for path in &found {
        remove_if_empty(file, path);
    }
    found
}

/// Removes an item of a list, or sets any other value to `null`.
fn remove_value(file: &mut Map, path: &str) -> Option<()> {
    let item = path.strip_suffix(']').and_then(|it| it.rsplit_once('['));
    if let Some((list, place)) = item {
        let (place, list) = (place.parse::<usize>().ok()?, value_mut(file, list)?);
        if let Json::Array(items) = list
            && place < items.len()
        {
            items.remove(place);
        }
    } else {
        *value_mut(file, path)? = Json::Null;
    }
    Some(())
}

/// Removes an empty value from a translation, so that reads fall back to the root locale.
fn remove_if_empty(file: &mut Map, path: &str) -> Option<()> {
    let (locale, inside) = path.strip_prefix("translations.")?.split_once(".data.")?;
    let field = inside.split(['.', '[']).next()?;
    let values = value_mut(file, &format!("translations.{locale}.data"))?;
    let Json::Object(values) = values else { return None };
    if values.get(field).is_some_and(Json::is_empty) {
        values.remove(field);
    }
    Some(())
}

/// Rewrites the texts in the field values at any depth: each text for which `rewritten` returns a
/// replacement. Returns the number of changed texts.
pub fn rewrite_texts(file: &mut Map, rewritten: &mut dyn FnMut(&str) -> Option<String>) -> usize {
    let paths = data_paths(file);
    paths.iter().map(|it| value_mut(file, it).map_or(0, |it| rewrite_value(it, rewritten))).sum()
}

/// Rewrites the texts in a value. The recursion is bounded by the maximum nesting depth of files.
fn rewrite_value(value: &mut Json, rewritten: &mut dyn FnMut(&str) -> Option<String>) -> usize {
    match value {
        Json::String(text) => match rewritten(text) {
            Some(other) => {
                *value = Json::String(other);
                1
            }
            None => 0,
        },
        Json::Array(items) => items.iter_mut().map(|it| rewrite_value(it, rewritten)).sum(),
        Json::Object(map) => map.values_mut().map(|it| rewrite_value(it, rewritten)).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content_type::ContentType;
    use crate::model::field::OnDelete;
    use crate::model::name::TypeName;
    use crate::stdx::json::from_text::map;

    fn fields(text: &str) -> Fields {
        let schema = Json::parse(format!(r#"{{"fields":{text}}}"#).as_bytes()).unwrap();
        ContentType::parse(TypeName::parse("posts").unwrap(), &schema).0.unwrap().fields
    }

    #[test]
    fn all_locales_are_found() {
        let file = map(r#"{"data":{"a":1},"translations":{"de":{"data":{"a":2}},"x.y":{}}}"#);
        assert_eq!(data_paths(&file), ["data", "translations.de.data"]);
        assert_eq!(get_data(&file, "translations.de.data"), Some(&map(r#"{"a":2}"#)));
        assert_eq!(get_data(&map("{}"), "data"), None);
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
            (matches!(it, Reference::Entry { target, id: "old", .. } if *target == "pages"))
                .then(|| "new".to_string())
        };
        assert_eq!(redirect_references(&fields, &mut file, &mut pages), 10);
        assert_eq!(file, whole(after));
        assert_eq!(redirect_references(&fields, &mut file, &mut pages), 0);
    }

    #[test]
    fn references_are_cleared_however_deep() {
        let rel = r#"{"type":"relation","target":"pages","on_delete":"clear"}"#;
        let row = r#"{"key":"rel","type":"relation","target":"pages","on_delete":"clear",
            "multiple":true}"#;
        let fields = fields(&format!(
            r#"{{"one":{rel},"other":{{"type":"relation","target":"pages"}},
            "many":{{"type":"relation","target":"pages","multiple":true,"on_delete":"clear"}},
            "rows":{{"type":"repeater","subfields":[{row}]}},
            "parts":{{"type":"blocks","blocks":{{"p":{{"fields":{{"rel":{rel}}}}}}}}}}}"#
        ));
        let mut file = map(r#"{"title":"a","data":{"one":"a","other":"a","many":["a","x","b","a"],
            "rows":[{"rel":["b"]},{"rel":["x","a","b"],"n":"a"}],
            "parts":[{"_type":"p","rel":"a"},{"_type":"?","rel":"a"}]},
            "translations":{"de":{"title":"a","data":{"one":"a","many":["a","x"]}},
                "fr":{"data":{"many":["b","a"]}}}}"#);
        let mut gone = |it: Reference<'_>| {
            matches!(it, Reference::Entry { id: "a" | "b", on_delete: OnDelete::Clear, .. })
        };
        let paths = clear_references(&fields, &mut file, &mut gone);
        assert_eq!(
            paths,
            [
                "data.one",
                "data.many[0]",
                "data.many[2]",
                "data.many[3]",
                "data.rows[0].rel[0]",
                "data.rows[1].rel[1]",
                "data.rows[1].rel[2]",
                "data.parts[0].rel",
                "translations.de.data.one",
                "translations.de.data.many[0]",
                "translations.fr.data.many[0]",
                "translations.fr.data.many[1]",
            ]
        );
        let after = map(r#"{"title":"a","data":{"one":null,"other":"a","many":["x"],
            "rows":[{"rel":[]},{"rel":["x"],"n":"a"}],
            "parts":[{"_type":"p","rel":null},{"_type":"?","rel":"a"}]},
            "translations":{"de":{"title":"a","data":{"many":["x"]}},"fr":{"data":{}}}}"#);
        assert_eq!(file, after);
        assert!(clear_references(&fields, &mut file, &mut gone).is_empty());
    }
}
