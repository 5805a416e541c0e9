//! The values of request bodies about users, roles, tokens and settings. All problems are
//! collected; unknown keys are ignored.

use crate::model::grant::Grant;
use crate::model::grant::find_grants_defect;
use crate::model::people::text_rules::REQUIRED;
use crate::model::people::text_rules::text_defect;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The longest label of a role, in characters.
pub const LABEL_CHARS_MAX: usize = 100;

/// A request body and its problems.
pub(super) struct BodyInput<'a> {
    body: &'a Map,
    pub(super) problems: FieldProblems,
}

impl<'a> BodyInput<'a> {
    pub(super) fn new(body: &'a Map) -> BodyInput<'a> {
        BodyInput { body, problems: FieldProblems::new() }
    }

    /// Returns the value of a key, which may be `null`.
    pub(super) fn value(&self, key: &str) -> Option<&'a Json> {
        self.body.get(key)
    }

    /// Returns a text exactly as sent; `null` counts as empty text.
    pub(super) fn exact_text(&mut self, key: &str) -> Option<String> {
        match self.body.get(key)? {
            Json::Null => Some(String::new()),
            Json::String(text) => Some(text.to_string()),
            other => {
                self.problems.add(key, format!("This should be a text, not {}.", other.kind()));
                None
            }
        }
    }

    /// Returns a text without surrounding whitespace.
    pub(super) fn trimmed_text(&mut self, key: &str) -> Option<String> {
        self.exact_text(key).map(|it| it.trim().to_string())
    }

    /// Returns a required text of at most `chars_max` characters.
    pub(super) fn required_text(&mut self, key: &str, chars_max: usize) -> String {
        let missing = !self.body.contains(key);
        let text = self.trimmed_text(key);
        if missing || text.as_deref() == Some("") {
            self.problems.add(key, REQUIRED);
        }
        let text = text.unwrap_or_default();
        self.check_length(key, &text, chars_max);
        text
    }

    /// Adds a problem if a text is too long or contains control characters.
    pub(super) fn check_length(&mut self, key: &str, text: &str, chars_max: usize) {
        if let Some(defect) = text_defect(text, chars_max) {
            self.problems.add(key, defect);
        }
    }

    /// Returns a list of grants, or `None` if there is none.
    pub(super) fn parse_grants(&mut self, key: &str) -> Option<Vec<Grant>> {
        let json = self.body.get(key)?;
        if let Some(defect) = find_grants_defect(json) {
            self.problems.add(key, defect);
            return None;
        }
        match Grant::parse_list(json) {
            Ok(grants) => Some(grants),
            Err(found) => {
                self.problems.extend(found.with_prefix(key));
                None
            }
        }
    }

    /// Returns a time that must be in the future, or `None` if there is none.
    pub(super) fn parse_future_time(&mut self, key: &str, now: Timestamp) -> Option<Timestamp> {
        let json = self.body.get(key).filter(|it| !it.is_empty())?;
        match json.as_str().and_then(Timestamp::parse) {
            Some(time) if time > now => Some(time),
            Some(_) => {
                self.problems.add(key, "This must lie ahead.");
                None
            }
            None => {
                self.problems.add(key, "This is not a date and time.");
                None
            }
        }
    }
}
