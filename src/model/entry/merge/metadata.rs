//! Merging of status, dates, author and slug, which all locales share.

use crate::model::entry::body::Api;
use crate::model::entry::merge::AUTHOR_CHARS_MAX;
use crate::model::entry::merge::EntryMerger;
use crate::model::entry::merge::KEYS;
use crate::model::entry::merge::LocaleLayer;
use crate::model::entry::merge::set_in_order;
use crate::model::entry::merge::set_or_remove;
use crate::model::entry::publication::EntryStatus;
use crate::model::entry::publication::Publication;
use crate::model::entry::slugs;
use crate::model::entry::slugs::find_unused_slug;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

impl EntryMerger<'_> {
    pub(super) fn merge_publication(&mut self) {
        let before = self.publication;
        match self.get_changed("status") {
            None => {}
            Some(Json::Null) => self.publication.status = EntryStatus::Draft,
            Some(given) => match given.as_str().and_then(EntryStatus::parse) {
                Some(status) => self.publication.status = status,
                None => {
                    let names = EntryStatus::ALL.map(EntryStatus::as_str);
                    self.problems.add("status", wording::not_one_of(names));
                }
            },
        }
        self.publication.published_at = self.read_date("published_at", before.published_at);
        self.publication.unpublish_at = self.read_date("unpublish_at", before.unpublish_at);
        let says_end = self.get_changed("unpublish_at").is_some();
        if before.is_for_public() && !self.publication.is_for_public() && !says_end {
            self.publication.unpublish_at = None;
        }
        if self.publication == before && !self.is_create() {
            return;
        }
        // What is only proposed is published when its change is.
        let is_undated = self.write.is_proposal && self.publication.published_at.is_none();
        if !is_undated {
            self.publication = self.publication.settle_status(self.write.now, self.write.now);
        }
        let Publication { status, published_at, unpublish_at } = self.publication;
        let undated = status == EntryStatus::Scheduled && published_at.is_none();
        if undated && self.problems.get("published_at").is_none() {
            self.problems.add("published_at", "A scheduled entry needs a date.");
        }
        self.check_end(before);
        if self.is_create() || status != before.status {
            self.record_change("status");
        }
        if published_at != before.published_at {
            self.record_change("published_at");
        }
        if unpublish_at != before.unpublish_at {
            self.record_change("unpublish_at");
            let value = unpublish_at.map(|it| it.to_string().into());
            set_or_remove(&mut self.file, "unpublish_at", value, KEYS);
        }
        self.write_publication();
    }

    /// Returns the date sent under `key`, or the previous one if none was sent.
    fn read_date(&mut self, key: &str, before: Option<Timestamp>) -> Option<Timestamp> {
        let Some(given) = self.get_changed(key) else { return before };
        match (given, given.as_str().and_then(Timestamp::parse)) {
            (_, Some(at)) => Some(at),
            (empty, None) if empty.is_empty() => None,
            _ => {
                self.problems.add(key, wording::NOT_A_TIME);
                before
            }
        }
    }

    /// Checks that an entry ends after it begins, and that an entry that ended is not made public
    /// again without a new end.
    fn check_end(&mut self, before: Publication) {
        const KEY: &str = "unpublish_at";
        let new = self.publication;
        let goes_public = new.is_for_public() && new.status != before.status;
        let dates = |it: Publication| (it.published_at, it.unpublish_at);
        let is_reported = self.problems.get(KEY).is_some();
        if is_reported || !goes_public && dates(new) == dates(before) {
            return;
        }
        if new.is_reversed() {
            self.problems.add(KEY, "This must be later than `published_at`.");
        } else if goes_public
            && new.unpublish_at == before.unpublish_at
            && new.has_ended(self.write.now)
        {
            self.problems.add(KEY, "This time has passed. Send a later one, or `null` for no end.");
        }
    }

    /// Writes the status and the date into the file if it does not state them already.
    fn write_publication(&mut self) {
        let Publication { status, published_at, .. } = self.publication;
        let text = |key: &str| self.file.get(key).and_then(Json::as_str);
        let (has_status, has_date) =
            (text("status"), text("published_at").and_then(Timestamp::parse));
        let (has_status, has_date) =
            (has_status == Some(status.as_str()), has_date == published_at);
        if !has_status {
            set_in_order(&mut self.file, "status", status.as_str().into(), KEYS);
        }
        if !has_date || self.is_create() {
            set_in_order(&mut self.file, "published_at", published_at.into(), KEYS);
        }
    }

    pub(super) fn merge_author(&mut self) {
        let given = self.get_changed("author_id").filter(|_| self.write.sets_author);
        let wanted = match given {
            None if self.is_create() => Some(self.write.by.to_string()),
            None => return,
            Some(Json::String(text)) if !text.is_empty() => Some(text.clone()),
            Some(empty) if empty.is_empty() && self.is_create() => Some(self.write.by.to_string()),
            Some(empty) if empty.is_empty() => None,
            Some(other) => {
                let message = wording::wrong_type("the id of an author", other);
                return self.problems.add("author_id", message);
            }
        };
        if wanted.as_ref().is_some_and(|it| it.chars().count() > AUTHOR_CHARS_MAX) {
            return self.problems.add("author_id", "There is no author with an id that long.");
        }
        if wanted != self.author_id {
            let value = wanted.as_deref().into();
            set_in_order(&mut self.file, "author_id", value, KEYS);
            self.author_id = wanted;
            self.record_change("author_id");
        }
    }

    pub(super) fn merge_slug(&mut self) {
        if self.ty().singleton {
            self.slug = self.ty().name.to_string();
            if self.is_create() {
                self.record_change("slug");
            }
            return;
        }
        match self.wanted_slug() {
            Ok(Some(text)) => self.apply_explicit_slug(&text),
            Ok(None) => {
                let made = slugs::derive_slug(&self.find_slug_text(), self.write.id);
                let free = find_unused_slug(&made, |it| self.write.others.has_slug(it));
                self.set_slug(free);
            }
            Err(()) if !self.is_slug_field_named() => return,
            Err(()) => {}
        }
        self.fill_slug_field();
    }

    /// Returns true if the request changes the field that is the slug, or names one of the two.
    fn is_slug_field_named(&self) -> bool {
        let field = &self.ty().slug_field;
        self.changed.contains(field)
            || self.names_only(field, "slug")
            || self.names_only("slug", field)
    }

    /// Returns true if the request has a value for one of the slug and the field that is the slug,
    /// but not for the other. Both then get the value, even if it was shown. A request with both as
    /// they were shown leaves them apart, if a hand or an older definition did: it chooses neither.
    fn names_only(&self, key: &str, other: &str) -> bool {
        let is_sent = self.body.get(key).is_some_and(|it| !it.is_empty());
        is_sent && self.body.get(other).is_none() && self.ty().find_slug_copy().is_some()
    }

    /// Returns the text that a slug is derived from: on a create that leaves out the slug field,
    /// its default; otherwise the source, or the title.
    fn find_slug_text(&self) -> String {
        let name = self.ty().slug_field.as_str();
        let is_omitted = self.is_create() && self.body.get(name).is_none();
        let default = self.ty().fields.get(name).and_then(|it| it.default.as_ref());
        default.filter(|_| is_omitted).and_then(scalar_text).unwrap_or_else(|| {
            let title = self.file.get("title").and_then(Json::as_str).unwrap_or_default();
            slugs::find_source_text(self.ty(), title, &self.data).to_string()
        })
    }

    /// Returns the text to make the slug from, or `None` if it is to be derived. Fails if the slug
    /// stays as it is or the value sent is invalid.
    fn wanted_slug(&mut self) -> Result<Option<String>, ()> {
        match self.get_changed("slug") {
            Some(other @ (Json::Array(_) | Json::Object(_))) => {
                self.problems.add("slug", wording::wrong_type(wording::STRING, other));
                Err(())
            }
            Some(empty) if empty.is_empty() => Ok(None),
            Some(given) => Ok(scalar_text(given)),
            None => {
                let field = &self.ty().slug_field;
                let differs = |it: &Json| scalar_text(it).is_some_and(|it| it != self.old.slug);
                let is_chosen = |it: &Json| {
                    self.changed.contains(field) || self.names_only(field, "slug") && differs(it)
                };
                let is_scalar = |it: &Json| !matches!(it, Json::Array(_) | Json::Object(_));
                match self.body.get(field).filter(|it| is_scalar(it) && is_chosen(it)) {
                    Some(sent) => Ok(scalar_text(sent)),
                    None if self.is_create() => Ok(None),
                    None => Err(()),
                }
            }
        }
    }

    fn apply_explicit_slug(&mut self, text: &str) {
        let made = slugs::derive_slug(text, self.write.id);
        let is_new = self.is_create() || made != self.old.slug;
        if !is_new {
            return;
        }
        let is_taken = |it: &str| self.write.others.has_slug(it);
        if self.write.api == Api::Admin && is_taken(&made) {
            return self.problems.add("slug", "Another entry has this slug.");
        }
        let free = find_unused_slug(&made, is_taken);
        self.set_slug(free);
    }

    fn set_slug(&mut self, slug: String) {
        if self.is_create() || slug != self.old.slug {
            set_in_order(&mut self.file, "slug", slug.as_str().into(), KEYS);
            self.slug = slug;
            self.record_change("slug");
            self.warn_of_shared_slug();
        }
    }

    /// Gives the field that is the slug the same value, also where a translation has its own: all
    /// locales share the slug.
    fn fill_slug_field(&mut self) {
        let Some(field) = self.ty().find_slug_copy() else { return };
        let (name, slug) = (field.name.as_str(), Json::from(self.slug.as_str()));
        let translations = self.ty().locales.iter().cloned().map(LocaleLayer::Translation);
        let filled = translations.filter(|it| self.find_merged_value(it, name).is_some());
        let layers = std::iter::once(LocaleLayer::Root).chain(filled);
        let other = layers.filter(|it| self.find_merged_value(it, name) != Some(&slug));
        let other: Vec<LocaleLayer> = other.collect();
        if other.is_empty() {
            return;
        }
        let mut found = FieldProblems::new();
        self.check_unique(field, &slug, &mut found);
        self.problems.extend(found.with_prefix(name));
        // Whoever may set the slug may have it copied: beside a new slug the field does not count
        // as changed, and its locales never do.
        let locales = self.locales.len();
        other.iter().for_each(|it| self.set_value(it, field, slug.clone()));
        self.locales.truncate(locales);
        if !self.changed.iter().any(|it| it == "slug") {
            self.record_change(name);
        }
    }

    /// Returns the value of a field as it is stored after the merge so far.
    fn find_merged_value(&self, layer: &LocaleLayer, name: &str) -> Option<&Json> {
        match layer {
            LocaleLayer::Root => self.data.get(name),
            LocaleLayer::Translation(code) => {
                let translation = self.translations.get(code.as_str())?.as_object()?;
                translation.get("data")?.as_object()?.get(name)
            }
        }
    }

    /// Keeps the slug under which the entry was public so far, so that its address still leads to
    /// the entry. One that is only proposed was never public: the publication of its change
    /// compares what is live before and after it.
    pub(super) fn keep_former_slug(&mut self) {
        let (slug, next, now) = (&self.slug, self.publication, self.write.now);
        if !self.is_create()
            && !self.write.is_proposal
            && let Some(former) = self.old.list_former_slugs(slug, next, now)
        {
            set_in_order(&mut self.file, "former_slugs", former, KEYS);
        }
    }

    /// Warns that a slug changed in all languages if the request was about one translation.
    fn warn_of_shared_slug(&mut self) {
        let is_translation = self.locale.is_some() && self.locale != self.ty().default_locale;
        let keys = ["slug", self.ty().slug_field.as_str()];
        let is_sent = keys.iter().any(|it| self.body.get(it).is_some());
        if is_translation && !self.is_create() && is_sent {
            let message =
                "slug: The slug is the same for all languages, so it changed in all of them.";
            self.body.warnings.push(message.to_string());
        }
    }
}

/// Returns the text of a string, a number or a boolean.
fn scalar_text(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.trim().to_string()).filter(|it| !it.is_empty()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(value) => Some(value.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}
