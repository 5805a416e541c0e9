//! An entry whose references to deleted entries were removed.

use std::collections::BTreeSet;

use crate::model::content_type::ContentType;
use crate::model::entry::entry_file;
use crate::model::entry::merge::set_key;
use crate::model::entry::stored_entry::Entry;
use crate::model::entry::stored_entry::FileFacts;
use crate::model::field::OnDelete;
use crate::model::field::REQUIRED;
use crate::model::field::Reference;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The result of removing the references to deleted entries from an entry.
#[derive(Debug)]
pub struct ClearedEntry {
    /// The new content of the file.
    pub file: Map,
    /// The fields that contained such references.
    pub changed: Vec<String>,
    /// The locales that contained such references; empty if the type is not localized.
    pub locales: Vec<LocaleCode>,
    /// True if a required value is missing as a result.
    pub lacks_required: bool,
}

impl ClearedEntry {
    /// Removes the references with `OnDelete::Clear` to the entries of `target` for which `gone`
    /// returns true. Returns `None` if there are none. `by` is the author of the change.
    pub fn without_references(
        ty: &ContentType,
        id: &EntryId,
        file: &Map,
        facts: FileFacts,
        (target, gone): (&TypeName, &dyn Fn(&str) -> bool),
        by: &str,
    ) -> Option<ClearedEntry> {
        let mut after = file.clone();
        let paths = entry_file::clear_references(&ty.fields, &mut after, &mut |it| match it {
            Reference::Entry { target: of, id, on_delete: OnDelete::Clear } => {
                of == target && gone(id)
            }
            _ => false,
        });
        if paths.is_empty() {
            return None;
        }
        let read = |file: &Map| {
            Entry::read(id.clone(), ty, Json::from(file.clone()), facts, &mut Vec::new())
        };
        let before = read(file);
        let missing = find_missing(&before, ty);
        let lacks_required = !self::find_missing(&read(&after), ty).is_subset(&missing);
        if !file.contains("created_at") {
            // The entry had no `created_at`: it was derived from the file's modification time.
            set_key(&mut after, "created_at", before.created_at.to_string().into());
        }
        set_key(&mut after, "updated_at", facts.now.to_string().into());
        set_key(&mut after, "updated_by", by.into());
        let (changed, locales) = split_paths(ty, &paths);
        Some(ClearedEntry { file: after, changed, locales, lacks_required })
    }
}

/// Returns the paths of the required values that an entry lacks.
fn find_missing(entry: &Entry, ty: &ContentType) -> BTreeSet<String> {
    let mut findings = Vec::new();
    entry.check_values(ty, &mut findings);
    findings.into_iter().filter(|it| it.message == REQUIRED).map(|it| it.path).collect()
}

/// Splits paths in a file into the fields and the locales they belong to, each once.
fn split_paths(ty: &ContentType, paths: &[String]) -> (Vec<String>, Vec<LocaleCode>) {
    let (mut fields, mut locales) = (BTreeSet::new(), BTreeSet::new());
    for path in paths {
        let (locale, inside) = match path.strip_prefix("translations.") {
            Some(rest) => {
                let (locale, inside) = rest.split_once(".data.").unwrap_or((rest, ""));
                (LocaleCode::parse(locale).ok(), inside)
            }
            None => (ty.root_locale.clone(), path.strip_prefix("data.").unwrap_or(path)),
        };
        fields.extend(inside.split(['.', '[']).next().map(str::to_string));
        locales.extend(locale);
    }
    (fields.into_iter().collect(), locales.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::json;
    use crate::stdx::time::Timestamp;

    const SCHEMA: &str = r#"{"locales":["en","de"],"fields":{
        "one":{"type":"relation","target":"pages","on_delete":"clear"},
        "kept":{"type":"relation","target":"pages"},
        "must":{"type":"relation","target":"pages","on_delete":"clear","required":true,
            "visible_if":{"mode":"on"}},
        "mode":{},
        "rows":{"type":"repeater","subfields":[{"key":"to","type":"relation","target":"pages",
            "multiple":true,"on_delete":"clear","required":true}]}}}"#;

    fn cleared(file: &str) -> Option<ClearedEntry> {
        let name = |text: &str| TypeName::parse(text).unwrap();
        let ty = ContentType::parse(name("posts"), &json(SCHEMA)).0.unwrap();
        let now = Timestamp::parse("2026-06-01T12:00:00Z").unwrap();
        let facts = FileFacts { modified: Timestamp::parse("2026-01-01").unwrap(), now };
        let (id, file) = (EntryId::parse("e").unwrap(), json(file));
        let gone = |id: &str| id == "a" || id == "b";
        ClearedEntry::without_references(
            &ty,
            &id,
            file.as_object()?,
            facts,
            (&name("pages"), &gone),
            "anna",
        )
    }

    #[test]
    fn what_changed_is_told() {
        let check = |data: &str, changed: &[&str], locales: &[&str]| {
            let cleared = cleared(data).unwrap();
            let told: Vec<&str> = cleared.locales.iter().map(|it| it.as_str()).collect();
            assert_eq!(
                (cleared.changed, told),
                (changed.iter().map(|it| it.to_string()).collect(), locales.to_vec(),)
            );
            let text = |key: &str| cleared.file.get(key).and_then(Json::as_str).unwrap();
            assert_eq!(text("updated_at"), "2026-06-01T12:00:00Z");
            assert_eq!(text("created_at"), "2026-01-01T00:00:00Z");
            assert_eq!(text("updated_by"), "anna");
        };
        check(r#"{"data":{"one":"a","kept":"a"}}"#, &["one"], &["en"]);
        check(
            r#"{"data":{"rows":[{"to":["x","b"]}]},"translations":{"de":{"data":{"one":"b"}}}}"#,
            &["one", "rows"],
            &["de", "en"],
        );
        assert!(cleared(r#"{"data":{"one":"x","kept":"a"}}"#).is_none());
    }

    #[test]
    fn what_is_required_must_stay() {
        let check = |data: &str, expect: bool| {
            let cleared = cleared(&format!(r#"{{"data":{data}}}"#)).unwrap();
            assert_eq!(cleared.lacks_required, expect, "{data}");
        };
        check(r#"{"one":"a"}"#, false);
        check(r#"{"must":"a"}"#, false);
        check(r#"{"must":"a","mode":"on"}"#, true);
        check(r#"{"one":"a","mode":"on"}"#, false); // it was missing before
        check(r#"{"rows":[{"to":["a","x"]}]}"#, false);
        check(r#"{"rows":[{"to":["x"]},{"to":["a","b"]}]}"#, true);
    }
}
