//! Status, date, author and slug, which all locales share.

use crate::model::entry::Standing;
use crate::model::entry::Status;
use crate::model::entry::body::Api;
use crate::model::entry::merge::AUTHOR_CHARS_MAX;
use crate::model::entry::merge::KEYS;
use crate::model::entry::merge::Merge;
use crate::model::entry::merge::set;
use crate::model::entry::merge::time;
use crate::model::entry::slugs;
use crate::model::entry::unused_slug;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

impl Merge<'_> {
    pub(super) fn stand(&mut self) {
        let before = self.standing;
        match self.sent("status") {
            None => {}
            Some(Json::Null) => self.standing.status = Status::Draft,
            Some(given) => match given.as_str().and_then(Status::parse) {
                Some(status) => self.standing.status = status,
                None => {
                    let names = Status::ALL.map(Status::as_str).join(", ");
                    self.problems.add("status", format!("This is one of {names}."));
                }
            },
        }
        if let Some(given) = self.sent("published_at") {
            match (given, given.as_str().and_then(Timestamp::parse)) {
                (_, Some(at)) => self.standing.published_at = Some(at),
                (empty, None) if empty.is_empty() => self.standing.published_at = None,
                _ => self.problems.add("published_at", "This is no date and time."),
            }
        }
        if self.standing == before && !self.creates() {
            return;
        }
        self.standing = self.standing.settled(self.write.now, self.write.now);
        let Standing { status, published_at } = self.standing;
        let undated = status == Status::Scheduled && published_at.is_none();
        if undated && self.problems.get("published_at").is_none() {
            self.problems.add("published_at", "A scheduled entry needs a date.");
        }
        if self.creates() || status != before.status {
            self.changes("status");
        }
        if published_at != before.published_at {
            self.changes("published_at");
        }
        self.set_standing();
    }

    /// Writes down where the entry stands, as far as the file does not say so itself.
    fn set_standing(&mut self) {
        let Standing { status, published_at } = self.standing;
        let text = |key: &str| self.file.get(key).and_then(Json::as_str);
        let (said, dated) = (text("status"), text("published_at").and_then(Timestamp::parse));
        let (said, dated) = (said == Some(status.as_str()), dated == published_at);
        if !said {
            set(&mut self.file, "status", status.as_str().into(), KEYS);
        }
        if !dated || self.creates() {
            set(&mut self.file, "published_at", time(published_at), KEYS);
        }
    }

    pub(super) fn author(&mut self) {
        let given = self.sent("author_id").filter(|_| self.write.sets_author);
        let wanted = match given {
            None if self.creates() => Some(self.write.by.to_string()),
            None => return,
            Some(Json::String(text)) if !text.is_empty() => Some(text.clone()),
            Some(empty) if empty.is_empty() && self.creates() => Some(self.write.by.to_string()),
            Some(empty) if empty.is_empty() => None,
            Some(other) => {
                let message = format!("This is the id of an author, not {}.", other.kind());
                return self.problems.add("author_id", message);
            }
        };
        if wanted.as_ref().is_some_and(|it| it.chars().count() > AUTHOR_CHARS_MAX) {
            return self.problems.add("author_id", "There is no author with an id that long.");
        }
        if wanted != self.author_id {
            let value = wanted.as_deref().map_or(Json::Null, Json::from);
            set(&mut self.file, "author_id", value, KEYS);
            self.author_id = wanted;
            self.changes("author_id");
        }
    }

    pub(super) fn slug(&mut self) {
        if self.ty().singleton {
            self.slug = self.ty().name.to_string();
            if self.creates() {
                self.changes("slug");
            }
            return;
        }
        match self.wanted_slug() {
            Ok(Some(text)) => self.explicit_slug(&text),
            Ok(None) => {
                let title = self.file.get("title").and_then(Json::as_str).unwrap_or_default();
                let made =
                    slugs::made_of(slugs::source(self.ty(), title, &self.data), self.write.id);
                let free = unused_slug(&made, |it| self.write.others.has_slug(it));
                self.set_slug(free);
            }
            Err(()) => {}
        }
    }

    /// The text that the slug is to be made of; nothing when it is to be derived. An error when it
    /// stays as it is, or cannot be what was sent.
    fn wanted_slug(&mut self) -> Result<Option<String>, ()> {
        match self.sent("slug") {
            Some(Json::Array(_) | Json::Object(_)) => {
                self.problems.add("slug", "This is a text.");
                Err(())
            }
            Some(empty) if empty.is_empty() => Ok(None),
            Some(given) => Ok(scalar(given)),
            None => match self.body.get(&self.ty().slug_field).and_then(scalar) {
                Some(text) if self.changed.contains(&self.ty().slug_field) => Ok(Some(text)),
                _ if self.creates() => Ok(None),
                _ => Err(()),
            },
        }
    }

    fn explicit_slug(&mut self, text: &str) {
        let made = slugs::made_of(text, self.write.id);
        let is_new = self.creates() || made != self.old.slug;
        if !is_new {
            return;
        }
        let is_taken = |it: &str| self.write.others.has_slug(it);
        if self.write.api == Api::Admin && is_taken(&made) {
            return self.problems.add("slug", "Another entry has this slug.");
        }
        let free = unused_slug(&made, is_taken);
        self.set_slug(free);
    }

    fn set_slug(&mut self, slug: String) {
        if self.creates() || slug != self.old.slug {
            set(&mut self.file, "slug", slug.as_str().into(), KEYS);
            self.slug = slug;
            self.changes("slug");
            self.warn_of_shared_slug();
        }
    }

    /// Whoever changes the slug of one language may not expect that it changes in all.
    fn warn_of_shared_slug(&mut self) {
        let is_translation = self.locale.is_some() && self.locale != self.ty().default_locale;
        if is_translation && !self.creates() && self.body.get("slug").is_some() {
            let message = "slug: The slug is one for all languages: it changed in all of them.";
            self.body.warnings.push(message.to_string());
        }
    }
}

/// The text of a string, a number or a boolean.
fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.trim().to_string()).filter(|it| !it.is_empty()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(value) => Some(value.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}
