//! The HTML of a request, sanitized before the commit: sanitizing is slow, and one writer blocks
//! all others.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::app::App;
use crate::app::error::Result;
use crate::model::content_type::ContentType;
use crate::model::entry::entry_file;
use crate::model::field;
use crate::model::field::InputCheck;
use crate::model::field::PermissiveContext;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sync::Mutex;

/// The depth of values in a body: in `translations`, a locale and `data`.
const LEVELS: usize = 4;

/// The most attempts of a write whose type gets new HTML fields meanwhile.
const TRIES_MAX: usize = 3;

/// The sanitized form of each text, or the reason why it is refused.
type CleanedTexts = HashMap<String, std::result::Result<String, String>>;

/// The sanitized HTML of a request.
#[derive(Debug, Default)]
pub(super) struct CleanHtml {
    texts: CleanedTexts,
    /// Texts that were requested but had not been sanitized.
    missed: Mutex<Vec<String>>,
}

impl CleanHtml {
    /// Sanitizes all HTML in a body that writes an entry of a type.
    pub(super) fn from_body(ty: &ContentType, body: &Map) -> CleanHtml {
        let texts = HtmlCollector::collect_texts(ty, body, field::sanitize_html);
        CleanHtml { texts, missed: Mutex::default() }
    }

    /// Returns true if there is HTML to sanitize in a body that writes an entry of a type, by the
    /// current definition of the type.
    pub(super) fn is_needed(app: &App, ws: &WorkspaceSlug, type_name: &str, body: &Map) -> bool {
        let snapshot = app.engine.snapshot(ws.as_str());
        let index = snapshot.as_ref().and_then(|it| it.get(type_name));
        let leave_alone = |_: &str| Err(String::new());
        index.is_some_and(|it| {
            !HtmlCollector::collect_texts(&it.content_type, body, leave_alone).is_empty()
        })
    }

    /// Sanitizes all HTML in a body that writes an entry of a type, by the current definition of
    /// the type.
    pub(super) fn from_current_type(
        app: &App,
        ws: &WorkspaceSlug,
        type_name: &str,
        body: &Map,
    ) -> CleanHtml {
        let snapshot = app.engine.snapshot(ws.as_str());
        let index = snapshot.as_ref().and_then(|it| it.get(type_name));
        index.map(|it| CleanHtml::from_body(&it.content_type, body)).unwrap_or_default()
    }

    /// Returns the sanitized form of a text. A text that is missing is not sanitized now: it is
    /// recorded and refused.
    pub(super) fn get(&self, text: &str) -> std::result::Result<String, String> {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        self.missed.lock().push(text.to_string());
        Err("The content type has changed in the meantime. Send the request again.".to_string())
    }

    /// Returns true if texts were missed.
    pub(super) fn has_missed(&self) -> bool {
        !self.missed.lock().is_empty()
    }

    /// Returns the same with the missed texts sanitized, or `None` if there are none.
    fn clean_missed(&self) -> Option<CleanHtml> {
        let missed = std::mem::take(&mut *self.missed.lock());
        if missed.is_empty() {
            return None;
        }
        let mut texts = self.texts.clone();
        texts.extend(missed.into_iter().map(|it| {
            let clean = field::sanitize_html(&it);
            (it, clean)
        }));
        Some(CleanHtml { texts, missed: Mutex::default() })
    }
}

/// Writes with sanitized HTML. Tries again if the type changed meanwhile and more of the body is
/// HTML.
pub(super) fn write_clean<T>(
    clean: CleanHtml,
    mut write: impl FnMut(Arc<CleanHtml>) -> Result<T>,
) -> Result<T> {
    let mut clean = Arc::new(clean);
    let mut tries = 1;
    loop {
        let written = write(clean.clone());
        match clean.clean_missed() {
            Some(completed) if written.is_err() && tries < TRIES_MAX => {
                clean = Arc::new(completed);
                tries += 1;
            }
            _ => return written,
        }
    }
}

/// Sanitizes the HTML in the file of an entry, in all its locales. A text that cannot be sanitized
/// is a problem, and is taken out.
pub(crate) fn clean_file(ty: &ContentType, file: &mut Map, problems: &mut FieldProblems) {
    for path in entry_file::data_paths(file) {
        let Some(Json::Object(data)) = entry_file::value_mut(file, &path) else { continue };
        for field in ty.data_fields() {
            let Some(value) = data.get_mut(field.name.as_str()) else { continue };
            let texts = RefCell::default();
            let collector = HtmlCollector { texts, clean: field::sanitize_html };
            let mut found = FieldProblems::new();
            let context = PermissiveContext(|text: &str| collector.clean_text(text));
            let mut check = InputCheck::new(&context, &mut found);
            let clean = field.kind.accept_input(value, &mut check);
            let texts = collector.texts.into_inner();
            if texts.iter().all(|(text, clean)| clean.as_ref() == Ok(text)) {
                continue;
            }
            if found.is_empty() {
                *value = clean;
            } else {
                *value = Json::Null;
                problems.extend(found.with_prefix(&format!("{path}.{}", field.name)));
            }
        }
    }
}

/// The HTML that values hold, collected as it is cleaned.
struct HtmlCollector {
    texts: RefCell<CleanedTexts>,
    clean: fn(&str) -> std::result::Result<String, String>,
}

impl HtmlCollector {
    /// Returns all HTML in a body, cleaned with a function.
    fn collect_texts(
        ty: &ContentType,
        body: &Map,
        clean: fn(&str) -> std::result::Result<String, String>,
    ) -> CleanedTexts {
        let collector = HtmlCollector { texts: RefCell::default(), clean };
        collector.visit_fields(ty, body, LEVELS);
        collector.texts.into_inner()
    }

    fn visit_fields(&self, ty: &ContentType, map: &Map, levels: usize) {
        for (key, value) in map.iter() {
            match (ty.fields.get(key), value) {
                (Some(field), value) => {
                    let mut ignored = FieldProblems::new();
                    let context = PermissiveContext(|text: &str| self.clean_text(text));
                    field.kind.accept_input(value, &mut InputCheck::new(&context, &mut ignored));
                }
                (None, Json::Object(inner)) if levels > 1 => {
                    self.visit_fields(ty, inner, levels - 1)
                }
                _ => {}
            }
        }
    }

    fn clean_text(&self, text: &str) -> std::result::Result<String, String> {
        let known = self.texts.borrow().get(text).cloned();
        known.unwrap_or_else(|| {
            let clean = (self.clean)(text);
            self.texts.borrow_mut().insert(text.to_string(), clean.clone());
            clean
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::error::Error;
    use crate::model::name::TypeName;
    use crate::stdx::json::from_text::map;

    fn posts() -> ContentType {
        let schema = r#"{"fields":{"text":{"type":"html"},"plain":{"type":"textarea"},
            "parts":{"type":"blocks","blocks":{"quote":{"fields":{"said":{"type":"html"}}}}},
            "rows":{"type":"repeater","subfields":[{"key":"cell","type":"html"}]}}}"#;
        let name = TypeName::parse("posts").unwrap();
        let json = Json::parse(schema.as_bytes()).unwrap();
        ContentType::parse(name, &json).0.unwrap()
    }

    #[test]
    fn html_is_found_wherever_it_stands() {
        let body = map(r#"{"text":"<b>1","plain":"<b>no","title":"<b>no",
                "data":{"parts":[{"_type":"quote","said":"<b>2"}],"rows":[{"cell":"<b>3"}]},
                "translations":{"de":{"text":"<b>4","data":{"text":"<b onclick=x()>5"}}}}"#);
        let clean = CleanHtml::from_body(&posts(), &body);
        let mut texts: Vec<&str> = clean.texts.values().map(|it| it.as_deref().unwrap()).collect();
        texts.sort_unstable();
        let expect = ["<b>1</b>", "<b>2</b>", "<b>3</b>", "<b>4</b>", "<b>5</b>"];
        assert_eq!(texts, expect);
        assert_eq!(clean.get("<b onclick=x()>5").as_deref(), Ok("<b>5</b>"));
        let has_html = |body: &str| {
            let leave_alone = |_: &str| Err(String::new());
            !HtmlCollector::collect_texts(&posts(), &map(body), leave_alone).is_empty()
        };
        assert!(has_html(r#"{"data":{"rows":[{"cell":"<b>3"}]}}"#));
        assert!(!has_html(r#"{"title":"<b>no","plain":"<b>no","data":{"rows":[]}}"#));
    }

    #[test]
    fn files_are_cleaned_in_all_locales_and_otherwise_left_alone() {
        let check = |file: &str, expect: &str| {
            let (mut file, mut problems) = (map(file), FieldProblems::new());
            clean_file(&posts(), &mut file, &mut problems);
            assert_eq!((file, problems), (map(expect), FieldProblems::new()));
        };
        let clean =
            r#"{"data":{"text":"<b>1</b>","plain":"<i onclick=x()>","gone":[1],"parts":3}}"#;
        check(clean, clean);
        check(
            r#"{"data":{"text":"<b onclick=x()>1</b>"},"translations":{"de":{"data":{"rows":[{"cell":"<script>x</script>2"}]}}}}"#,
            r#"{"data":{"text":"<b>1</b>"},"translations":{"de":{"data":{"rows":[{"cell":"2"}]}}}}"#,
        );
    }

    #[test]
    fn what_was_missed_is_made_harmless_between_two_tries() {
        let mut tries = 0;
        let written = write_clean(CleanHtml::default(), |clean| {
            tries += 1;
            clean.get("<i>a").map_err(Error::bad_request)
        });
        assert_eq!((written.unwrap().as_str(), tries), ("<i>a</i>", 2));
        let mut tries = 0;
        let refused = write_clean(CleanHtml::default(), |clean| {
            tries += 1;
            clean.get(&format!("<i>{tries}")).map_err(Error::bad_request)
        });
        assert!(refused.is_err());
        assert_eq!(tries, TRIES_MAX);
    }
}
