//! Bodies of requests about people, read value by value: what is wrong with each is gathered, and
//! what is not ours to take is not looked at.

use crate::model::grant::Grant;
use crate::model::grant::grants_defect;
use crate::model::input::REQUIRED;
use crate::model::input::text_defect;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The longest label of a role, in characters.
pub const LABEL_CHARS_MAX: usize = 100;

/// What was sent, and what is wrong with it.
pub(super) struct Sent<'a> {
    body: &'a Map,
    pub(super) problems: FieldProblems,
}

impl<'a> Sent<'a> {
    pub(super) fn new(body: &'a Map) -> Sent<'a> {
        Sent { body, problems: FieldProblems::new() }
    }

    /// Whether a key was sent, be it as `null`.
    pub(super) fn value(&self, key: &str) -> Option<&'a Json> {
        self.body.get(key)
    }

    /// A text exactly as it was sent; `null` is an empty one.
    pub(super) fn exact(&mut self, key: &str) -> Option<String> {
        match self.body.get(key)? {
            Json::Null => Some(String::new()),
            Json::String(text) => Some(text.to_string()),
            other => {
                self.problems.add(key, format!("This should be a text, not {}.", other.kind()));
                None
            }
        }
    }

    /// A text without the space around it.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        self.exact(key).map(|it| it.trim().to_string())
    }

    /// A text of so many characters that must be there.
    pub(super) fn required(&mut self, key: &str, chars_max: usize) -> String {
        let missing = !self.body.contains(key);
        let text = self.text(key);
        if missing || text.as_deref() == Some("") {
            self.problems.add(key, REQUIRED);
        }
        let text = text.unwrap_or_default();
        self.check_length(key, &text, chars_max);
        text
    }

    /// Tells when a text is too long, or no line of text.
    pub(super) fn check_length(&mut self, key: &str, text: &str, chars_max: usize) {
        if let Some(defect) = text_defect(text, chars_max) {
            self.problems.add(key, defect);
        }
    }

    /// A list of grants; nothing when none was sent.
    pub(super) fn grants(&mut self, key: &str) -> Option<Vec<Grant>> {
        let json = self.body.get(key)?;
        if let Some(defect) = grants_defect(json) {
            self.problems.add(key, defect);
            return None;
        }
        match Grant::parse_list(json) {
            Ok(grants) => Some(grants),
            Err(found) => {
                self.problems.extend(found.at(key));
                None
            }
        }
    }

    /// A time that must lie ahead; none when none was sent.
    pub(super) fn time_ahead(&mut self, key: &str, now: Timestamp) -> Option<Timestamp> {
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
