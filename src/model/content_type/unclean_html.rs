//! The search for values that become HTML when a content type changes, and that nobody has
//! sanitized: entries are not touched by such a change.

use std::cell::Cell;

use crate::model::content_type::ContentType;
use crate::model::content_type::field_renames::Renames;
use crate::model::entry::entry_file;
use crate::model::field::Field;
use crate::model::field::InputCheck;
use crate::model::field::PermissiveContext;
use crate::model::field::sanitize_html;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// A search in the files of all entries, fed file by file.
#[derive(Debug)]
pub struct UncleanHtmlSearch<'a> {
    /// The changed fields in which nothing was found yet, each with the field that it replaces.
    changed: Vec<(&'a Field, Option<&'a Field>)>,
    warnings: Vec<String>,
}

impl<'a> UncleanHtmlSearch<'a> {
    /// Creates a search in the fields that are new or defined differently.
    pub fn new(old: &'a ContentType, new: &'a ContentType, renames: &Renames) -> Self {
        let find_old = |field: &Field| {
            let name = field.name.as_str();
            old.data_fields().find(|it| renames.resolve_name(it.name.as_str()) == name)
        };
        let pairs = new.data_fields().map(|it| (it, find_old(it)));
        let is_changed = |(new, old): &(&Field, Option<&Field>)| {
            old.is_none_or(|it| it.definition != new.definition)
        };
        UncleanHtmlSearch { changed: pairs.filter(is_changed).collect(), warnings: Vec::new() }
    }

    /// Searches the file of an entry, in which the fields have their new names.
    pub fn search_file(&mut self, file: &Map) {
        if self.changed.is_empty() {
            return;
        }
        let paths = entry_file::data_paths(file);
        let layers = paths.iter().filter_map(|path| entry_file::get_data(file, path));
        let layers: Vec<&Map> = layers.collect();
        let warnings = &mut self.warnings;
        self.changed.retain(|(new, old)| {
            let name = new.name.as_str();
            let is_unclean = |value: &Json| {
                holds_unclean_html(new, value)
                    && old.is_none_or(|old| !holds_unclean_html(old, value))
            };
            let is_found = layers.iter().filter_map(|it| it.get(name)).any(is_unclean);
            if is_found {
                warnings.push(format!(
                    "{name}: Some values hold markup that is removed on writing. They are served \
                     as they are until somebody changes them."
                ));
            }
            !is_found
        });
    }

    /// Returns a warning for each field in which something was found.
    pub fn into_warnings(self) -> Vec<String> {
        self.warnings
    }
}

/// Returns true if a value of a field holds HTML, at any depth, that is not as it would be written.
fn holds_unclean_html(field: &Field, value: &Json) -> bool {
    let (is_unclean, mut ignored) = (Cell::new(false), FieldProblems::new());
    let inspect = |text: &str| {
        // Sanitizing is slow, so it is skipped for texts without a tag, which are harmless.
        if text.contains('<') && !is_unclean.get() {
            is_unclean.set(sanitize_html(text).as_deref() != Ok(text));
        }
        Ok(text.to_string())
    };
    let context = PermissiveContext(inspect);
    field.kind.accept_input(value, &mut InputCheck::new(&context, &mut ignored));
    is_unclean.get()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content_type::type_change;
    use crate::model::name::TypeName;
    use crate::stdx::json::from_text::map;

    /// Returns the names of the fields that a change of the type warns of.
    fn search(schema: &str, body: &str, files: &[&str]) -> Vec<String> {
        let name = TypeName::parse("posts").unwrap();
        let old = ContentType::parse(name, &map(schema).into()).0.unwrap();
        let draft = type_change::update_type(&old, &map(body)).unwrap();
        let mut search = UncleanHtmlSearch::new(&old, &draft.content_type, &draft.renames);
        for file in files {
            let mut file = map(file);
            draft.renames.apply_to_file(&mut file);
            search.search_file(&file);
        }
        let warnings = search.into_warnings();
        warnings.iter().map(|it| it.split(':').next().unwrap().to_string()).collect()
    }

    #[test]
    fn only_values_that_become_html_are_told() {
        const TEXT: &str = r#"{"locales":["en","de"],"fields":{"a":{},"b":{}}}"#;
        const TO_HTML: &str = r#"{"fields":{"a":{"type":"html"},"b":{}}}"#;
        let bad = r#"{"data":{"a":"<img src=x onerror=alert(1)>","b":"<script>x</script>"}}"#;
        assert_eq!(search(TEXT, TO_HTML, &[bad, bad]), ["a"]);
        let german = r#"{"data":{"a":"a"},"translations":{"de":{"data":{"a":"<script>"}}}}"#;
        assert_eq!(search(TEXT, TO_HTML, &[german]), ["a"]);
        let good = r#"{"data":{"a":"<p>a <b>b</b></p>"}}"#;
        let nothing: [&str; 0] = [];
        assert_eq!(search(TEXT, TO_HTML, &[good, "{}", r#"{"data":{"a":" a & b "}}"#]), nothing);
        assert_eq!(search(TEXT, r#"{"fields":{"a":{"label":"A"},"b":{}}}"#, &[bad]), nothing);
        let html = r#"{"fields":{"a":{"type":"html"}}}"#;
        let relabelled = r#"{"fields":{"a":{"type":"html","label":"A"}}}"#;
        assert_eq!(search(html, relabelled, &[bad]), nothing);
        let renamed = r#"{"migrations":[{"from":"a","to":"c"}],"fields":{"c":{"type":"html"}}}"#;
        assert_eq!(search(TEXT, renamed, &[bad]), ["c"]);
        let row = r#"{"fields":{"a":{"type":"repeater","subfields":[{"key":"k","type":"html"}]}}}"#;
        assert_eq!(search(TEXT, row, &[r#"{"data":{"a":[{"k":"<a onclick=x()>"}]}}"#]), ["a"]);
    }
}
