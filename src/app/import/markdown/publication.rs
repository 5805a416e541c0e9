//! The status and the dates that front matter gives a text. What is not clearly public is a draft.

use crate::app::import::import_set::ImportedEntry;
use crate::app::import::markdown::entry_keys::DATE_KEYS;
use crate::app::import::markdown::entry_keys::END_KEYS;
use crate::app::import::markdown::entry_keys::PUBLISHED;
use crate::app::import::markdown::entry_keys::UPDATED_KEYS;
use crate::app::import::markdown::entry_keys::is_field;
use crate::app::import::markdown::read_text::ReadText;
use crate::app::import::report::ImportReport;
use crate::app::import::times::parse_time;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

/// The status of a text that is a draft.
const DRAFT: &str = "draft";

/// The status and the dates of a text.
#[derive(Debug, PartialEq)]
pub(super) struct TextPublication {
    /// The status.
    pub(super) status: String,
    date: Option<Timestamp>,
    updated: Option<Timestamp>,
    end: Option<Timestamp>,
}

impl TextPublication {
    /// Reads what a text says. `standard` is the status of one that says nothing.
    pub(super) fn read(
        text: &ReadText,
        ty: Option<&ContentType>,
        standard: &str,
        report: &mut ImportReport,
    ) -> TextPublication {
        let date = read_time(text, DATE_KEYS, ty, report).or(text.path.date);
        TextPublication {
            date,
            updated: read_time(text, UPDATED_KEYS, ty, report).or(date),
            end: read_time(text, END_KEYS, ty, report),
            status: read_status(text, standard, report),
        }
    }

    /// Sets status and dates of an entry.
    pub(super) fn apply_to(&self, entry: &mut ImportedEntry) {
        (entry.created_at, entry.updated_at) = (self.date, self.updated);
        entry.values.set("status", Json::from(self.status.as_str()));
        for (key, time) in [("published_at", self.date), ("unpublish_at", self.end)] {
            if let Some(time) = time {
                entry.values.set(key, Json::from(time.to_string()));
            }
        }
    }

    /// Returns true if this is the publication of a translation that would become more public with
    /// its entry than it is: an entry has one status.
    pub(super) fn is_withheld_from(&self, entry: &TextPublication) -> bool {
        let is_hidden = |it: &str| matches!(it, DRAFT | "archived");
        self.status != entry.status
            && self.status != "published"
            && !is_hidden(entry.status.as_str())
    }
}

/// Reads the time of the first of these keys that has a value.
fn read_time(
    text: &ReadText,
    keys: &[&str],
    ty: Option<&ContentType>,
    report: &mut ImportReport,
) -> Option<Timestamp> {
    let key = keys.iter().copied().find(|key| has_time(text, key, ty))?;
    let given = text.read_scalar(key, report)?;
    let time = parse_time(&given);
    if time.is_none() {
        report.add_problem(text.place_of(key), format!("`{given}` is not a date."));
    }
    time
}

/// Returns true if a key has the date of publication, of the last change or of the end.
pub(super) fn has_time(text: &ReadText, key: &str, ty: Option<&ContentType>) -> bool {
    let is_named = [DATE_KEYS, UPDATED_KEYS, END_KEYS].iter().any(|it| it.contains(&key));
    let is_given = text.content.values.get(key).is_some_and(|it| !it.is_empty());
    let is_own = ty.is_some_and(|it| is_field(it, key));
    is_named && is_given && !is_own && !(key == PUBLISHED && read_flag(text, key).is_some())
}

/// Reads the status. A word that is none makes a draft, since it may mean anything.
fn read_status(text: &ReadText, standard: &str, report: &mut ImportReport) -> String {
    if text.path.is_draft || is_marked_draft(text, report) {
        return DRAFT.to_string();
    }
    let Some(value) = text.content.values.get("status").filter(|it| !it.is_empty()) else {
        return standard.to_string();
    };
    let given = text.content.scalar_text("status").unwrap_or_else(|| value.kind().to_string());
    match EntryStatus::parse(&given.trim().to_lowercase()) {
        Some(status) => status.as_str().to_string(),
        None => {
            let message = format!("The status `{given}` becomes `{DRAFT}`.");
            report.add_altered(text.place_of("status"), message);
            DRAFT.to_string()
        }
    }
}

/// Returns true if front matter says that a text is a draft, or may say so.
fn is_marked_draft(text: &ReadText, report: &mut ImportReport) -> bool {
    let is_draft = match read_flag(text, DRAFT) {
        Some(flag) => flag,
        None if text.content.values.contains(DRAFT) => {
            let message = "It is neither true nor false, so this is a draft.";
            report.add_altered(text.place_of(DRAFT), message);
            true
        }
        None => false,
    };
    is_draft || read_flag(text, PUBLISHED) == Some(false)
}

/// Reads a flag in any of its notations.
fn read_flag(text: &ReadText, key: &str) -> Option<bool> {
    match text.content.scalar_text(key)?.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::app::import::markdown::front_matter::FrontMatter;
    use crate::app::import::markdown::site_layout::SiteLayout;
    use crate::model::name::TypeName;

    fn text(head: &str) -> ReadText {
        ReadText {
            file: "posts/a.md".to_string(),
            type_name: TypeName::parse("posts").unwrap(),
            path: SiteLayout::detect(&[]).read_path("posts/a.md", &BTreeSet::new()).unwrap(),
            content: FrontMatter::parse(&format!("---\n{head}\n---\n")).unwrap(),
        }
    }

    #[test]
    fn a_translation_becomes_no_more_public_than_it_is() {
        let check = |own: &str, entry: &str, expect: bool| {
            let read = |status: &str| {
                let head = text(&format!("status: {status}"));
                TextPublication::read(&head, None, "published", &mut ImportReport::default())
            };
            assert_eq!(read(own).is_withheld_from(&read(entry)), expect, "{own} {entry}");
        };
        check("draft", "published", true);
        check("draft", "scheduled", true);
        check("draft", "protected", true);
        check("archived", "published", true);
        check("protected", "published", true);
        check("scheduled", "published", true);
        check("published", "published", false);
        check("published", "protected", false);
        check("published", "draft", false);
        check("protected", "draft", false);
        check("draft", "archived", false);
    }

    #[test]
    fn what_is_not_clearly_public_is_a_draft() {
        let check = |head: &str, expect: &str, n_remarks: usize| {
            let mut report = ImportReport::default();
            let read = TextPublication::read(&text(head), None, "published", &mut report);
            assert_eq!((read.status.as_str(), report.altered.len()), (expect, n_remarks), "{head}");
            assert_eq!(report.problems, [], "{head}");
        };
        for word in ["true", "True", "yes", "\"true\"", "on", "1", "YES"] {
            check(&format!("draft: {word}"), "draft", 0);
        }
        for word in ["false", "no", "\"false\"", "off", "0", "No"] {
            check(&format!("draft: {word}"), "published", 0);
            check(&format!("published: {word}"), "draft", 0);
        }
        for word in ["maybe", "2", "", "[]", "n", "{a: b}"] {
            check(&format!("draft: {word}"), "draft", 1);
        }
        check("published: yes", "published", 0);
        check("published:", "published", 0);
        check("published: 2024-05-03", "published", 0);
        check("status: archived", "archived", 0);
        check("status: Protected", "protected", 0);
        check("status:", "published", 0);
        for word in ["pending", "foo", "1", "true", "[published]"] {
            check(&format!("status: {word}"), "draft", 1);
        }
        check("draft: true\nstatus: published", "draft", 0);
        check("draft: false\nstatus: archived", "archived", 0);
        check("title: A", "published", 0);
    }
}
