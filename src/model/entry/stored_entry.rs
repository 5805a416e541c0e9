//! The entry of a content type as its file says it: read tolerantly, with a finding for each
//! defect.

use crate::model::content_type::ContentType;
use crate::model::entry::publication::EntryStatus;
use crate::model::entry::publication::Publication;
use crate::model::entry::slugs::is_slug;
use crate::model::field::Reference;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::model::problem::ProblemKind;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// A piece of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The stem of its file.
    pub id: EntryId,
    /// The part of URLs that names the entry; unique among the active entries of its type, or
    /// shadowed.
    pub slug: String,
    /// The slugs that it had while it was public, oldest first: their addresses lead to it. The
    /// file of one that was taken back names its own slug, too, which is none of these.
    pub former_slugs: Vec<String>,
    /// The status.
    pub status: EntryStatus,
    /// True if the file says `published` with a future date: the entry reads as scheduled until
    /// then.
    pub becomes_published: bool,
    /// The title in the root locale.
    pub title: String,
    /// The time the entry went or goes public.
    pub published_at: Option<Timestamp>,
    /// The time from which the entry is no longer public.
    pub unpublish_at: Option<Timestamp>,
    /// The time of creation.
    pub created_at: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
    /// The author.
    pub author_id: Option<String>,
    /// The user who changed the entry last.
    pub updated_by: Option<String>,
    /// Field values in the root locale.
    pub data: Map,
    /// Values in other locales, where they differ.
    pub translations: Vec<(LocaleCode, Translation)>,
    /// The checksum of the file's content.
    pub sum: Checksum,
}

/// The maximum length of a title in characters.
pub const TITLE_CHARS_MAX: usize = 500;

/// The maximum number of former slugs of an entry; older ones are forgotten.
const FORMER_SLUGS_MAX: usize = 50;

/// The values of an entry in one locale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Translation {
    /// The title, if it differs from the root's.
    pub title: Option<String>,
    /// Field values that differ from the root's.
    pub data: Map,
}

/// A defect found while reading an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFinding {
    /// The kind of defect.
    pub kind: ProblemKind,
    /// The path inside the file, like `data.rows[2].key`.
    pub path: String,
    /// The description, one sentence.
    pub message: String,
}

/// The context of an entry file: the facts needed besides its content.
#[derive(Clone, Copy, Debug)]
pub struct FileFacts {
    /// The modification time of the file, used in place of times that the file lacks.
    pub modified: Timestamp,
    /// The current time, to tell future dates from past ones.
    pub now: Timestamp,
}

impl Entry {
    /// Reads an entry file. Missing and invalid members get a safe default; invalid ones are added
    /// to `findings`.
    pub fn read(
        id: EntryId,
        ty: &ContentType,
        file: Json,
        facts: FileFacts,
        findings: &mut Vec<EntryFinding>,
    ) -> Entry {
        let sum = file.compute_checksum();
        let map = if let Json::Object(map) = file { map } else { Map::new() };
        let mut reader = EntryFileReader { map, findings };
        reader.check_id(&id);
        let title = reader.take_title();
        let created_at = reader.take_time("created_at").unwrap_or(facts.modified);
        let published_at = reader.take_time("published_at");
        let said = reader.read_status();
        let publication = Publication { status: said, published_at, unpublish_at: None };
        let Publication { status, published_at, .. } =
            publication.settle_status(created_at, facts.now);
        let unpublish_at = reader.take_end(published_at, created_at);
        if said == EntryStatus::Scheduled && published_at.is_none() {
            let message =
                "A scheduled entry needs `published_at`. Without it, the entry stays hidden.";
            reader.add_finding(ProblemKind::InvalidStatus, "published_at", message);
        }
        let data = reader.take_object("data");
        let slug = reader.take_slug(&id, ty, &title, &data);
        let mut former_slugs = reader.take_former_slugs();
        former_slugs.retain(|it| *it != slug);
        Entry {
            slug,
            former_slugs,
            status,
            becomes_published: said == EntryStatus::Published && status == EntryStatus::Scheduled,
            published_at,
            unpublish_at,
            created_at,
            updated_at: reader.take_time("updated_at").unwrap_or(facts.modified),
            author_id: reader.take_text("author_id"),
            updated_by: reader.take_text("updated_by"),
            translations: reader.take_translations(),
            sum,
            id,
            title,
            data,
        }
    }

    /// Reads only the slug of an entry file, which costs less than all of it.
    pub fn read_slug(id: &EntryId, ty: &ContentType, file: &Map) -> String {
        let (mut map, mut ignored) = (Map::new(), Vec::new());
        for key in ["title", "slug"] {
            if let Some(value) = file.get(key) {
                map.push(key, value.clone());
            }
        }
        let mut reader = EntryFileReader { map, findings: &mut ignored };
        let title = reader.take_title();
        let data = file.get("data").and_then(Json::as_object);
        reader.take_slug(id, ty, &title, data.unwrap_or(&Map::new()))
    }

    /// Validates the values against the type's fields. This costs more than reading, so only
    /// callers that need the problems do it.
    pub fn check_values(&self, ty: &ContentType, findings: &mut Vec<EntryFinding>) {
        let mut problems = FieldProblems::new();
        ty.fields.check_object(&self.data, &mut problems);
        let mut problems = problems.with_prefix("data");
        for (locale, translation) in &self.translations {
            let mut found = FieldProblems::new();
            ty.fields.check_given(&translation.data, &mut found);
            problems.extend(found.with_prefix(&format!("translations.{locale}.data")));
        }
        // The values of title and slug are at the top level and validated when they are read.
        let inside = |path: &str| !matches!(path, "data.title" | "data.slug");
        findings.extend(problems.iter().filter(|(path, _)| inside(path)).map(|(path, message)| {
            let (path, message) = (path.to_string(), message.to_string());
            EntryFinding { kind: ProblemKind::SchemaViolation, path, message }
        }));
    }

    /// Returns the former slugs of an entry that gets this slug and publication, or nothing if they
    /// stay as they are. Only a slug under which it is public becomes one of them: once the entry
    /// has another, or is taken back. From then on a slug may be set that nobody is to know, so the
    /// list alone must tell which one was public. An id leads to its entry without it.
    pub fn list_former_slugs(&self, slug: &str, next: Publication, now: Timestamp) -> Option<Json> {
        let was_public = Publication::of_entry(self).has_been_public(now);
        let is_led_to = next.has_been_public(now) || slug == self.id.as_str();
        if !was_public || self.slug == slug && is_led_to {
            return None;
        }
        let kept = self.former_slugs.iter().filter(|it| **it != self.slug && *it != slug);
        let former: Vec<Json> = kept.chain([&self.slug]).map(|it| it.as_str().into()).collect();
        let excess = former.len().saturating_sub(FORMER_SLUGS_MAX);
        Some(former.into_iter().skip(excess).collect::<Vec<_>>().into())
    }

    /// Returns the translation into `locale`.
    pub fn find_translation(&self, locale: &str) -> Option<&Translation> {
        self.translations.iter().find(|(code, _)| code.as_str() == locale).map(|(_, it)| it)
    }

    /// Calls `each` for every reference of the entry in any locale, with its path in the file.
    pub fn visit_references(&self, ty: &ContentType, each: &mut dyn FnMut(&str, Reference<'_>)) {
        ty.fields.visit_references(&self.data, &mut |path, it| each(&format!("data.{path}"), it));
        for (locale, translation) in &self.translations {
            ty.fields.visit_references(&translation.data, &mut |path, it| {
                each(&format!("translations.{locale}.data.{path}"), it);
            });
        }
    }
}

impl Publication {
    /// Returns the publication of `entry`.
    pub fn of_entry(entry: &Entry) -> Publication {
        let Entry { status, published_at, unpublish_at, .. } = *entry;
        Publication { status, published_at, unpublish_at }
    }
}

struct EntryFileReader<'a> {
    map: Map,
    findings: &'a mut Vec<EntryFinding>,
}

impl EntryFileReader<'_> {
    fn add_finding(&mut self, kind: ProblemKind, path: &str, message: impl Into<String>) {
        self.findings.push(EntryFinding { kind, path: path.to_string(), message: message.into() });
    }

    fn add_violation(&mut self, path: &str, message: impl Into<String>) {
        self.add_finding(ProblemKind::SchemaViolation, path, message);
    }

    /// Removes and returns a text.
    fn take_text(&mut self, key: &str) -> Option<String> {
        match self.map.remove(key)? {
            Json::Null => None,
            Json::String(text) => Some(text).filter(|it| !it.is_empty()),
            other => {
                self.add_violation(key, wording::wrong_type(wording::STRING, &other));
                None
            }
        }
    }

    /// Reports a mismatch between the id in the file and the name of the file, which is the id.
    fn check_id(&mut self, id: &EntryId) {
        let said = self.map.get("id").filter(|it| !it.is_empty());
        if said.is_some_and(|it| it.as_str() != Some(id.as_str())) {
            let message = format!("The id of the entry is the name of its file, `{id}`.");
            self.add_finding(ProblemKind::IdMismatch, "id", message);
        }
    }

    fn take_title(&mut self) -> String {
        let title = self.take_title_text();
        if title.is_none() {
            self.add_violation("title", "An entry needs a title.");
        }
        title.unwrap_or_default()
    }

    /// Removes and returns the title in one locale. One that is too long is served.
    fn take_title_text(&mut self) -> Option<String> {
        let title = self.take_text("title")?;
        // There are no more characters than bytes.
        if title.len() > TITLE_CHARS_MAX && title.chars().count() > TITLE_CHARS_MAX {
            self.add_violation("title", wording::too_long(TITLE_CHARS_MAX));
        }
        Some(title)
    }

    fn take_time(&mut self, key: &str) -> Option<Timestamp> {
        let text = self.take_text(key)?;
        let time = Timestamp::parse(&text);
        if time.is_none() {
            self.add_violation(key, format!("`{text}` is not a date and time."));
        }
        time
    }

    /// Removes and returns the end. An unreadable end counts as passed: what should have been
    /// hidden must not stay public by mistake.
    fn take_end(
        &mut self,
        published_at: Option<Timestamp>,
        created_at: Timestamp,
    ) -> Option<Timestamp> {
        const KEY: &str = "unpublish_at";
        match self.map.get(KEY) {
            None | Some(Json::Null) => return None,
            Some(Json::String(text)) if text.is_empty() => return None,
            Some(_) => {}
        }
        let begin = published_at.unwrap_or(created_at);
        let Some(end) = self.take_time(KEY) else { return Some(begin) };
        if published_at.is_some_and(|it| end <= it) {
            let message =
                "`unpublish_at` is not later than `published_at`, so the entry is hidden.";
            self.add_finding(ProblemKind::InvalidStatus, KEY, message);
        }
        Some(end)
    }

    fn read_status(&mut self) -> EntryStatus {
        let given = match self.map.get("status") {
            None | Some(Json::Null) => return EntryStatus::Draft,
            Some(given) => given.as_str().and_then(EntryStatus::parse),
        };
        given.unwrap_or_else(|| {
            let message = "The status must be draft, published, scheduled, protected or archived. \
                           The entry is served as a draft.";
            self.add_finding(ProblemKind::InvalidStatus, "status", message);
            EntryStatus::Draft
        })
    }

    /// Removes and returns an object.
    fn take_object(&mut self, key: &str) -> Map {
        match self.map.remove(key) {
            None | Some(Json::Null) => Map::new(),
            Some(Json::Object(map)) => map,
            Some(other) => {
                self.add_violation(key, wording::wrong_type(wording::OBJECT, &other));
                Map::new()
            }
        }
    }

    /// Removes and returns the slug: the given one if it is valid in a URL, otherwise one derived
    /// from the given text or the source field, otherwise the id.
    fn take_slug(&mut self, id: &EntryId, ty: &ContentType, title: &str, data: &Map) -> String {
        if ty.singleton {
            return ty.name.to_string();
        }
        let source = match self.take_text("slug") {
            Some(given) if is_slug(&given) => return given,
            Some(given) => {
                let message = format!("`{given}` cannot be used in a URL.");
                self.add_finding(ProblemKind::InvalidSlug, "slug", message);
                given
            }
            None => crate::model::entry::slugs::find_source_text(ty, title, data).to_string(),
        };
        crate::model::entry::slugs::derive_slug(&source, id)
    }

    fn take_former_slugs(&mut self) -> Vec<String> {
        const KEY: &str = "former_slugs";
        let items = match self.map.remove(KEY) {
            None | Some(Json::Null) => return Vec::new(),
            Some(Json::Array(items)) => items,
            Some(other) => {
                self.add_violation(KEY, wording::wrong_type(wording::LIST, &other));
                return Vec::new();
            }
        };
        let mut found = Vec::new();
        for (place, item) in items.into_iter().enumerate() {
            match item {
                Json::String(text) if is_slug(&text) && found.contains(&text) => {}
                Json::String(text) if is_slug(&text) => found.push(text),
                _ => {
                    let message = "A former slug is a text that can be used in a URL.";
                    self.add_finding(ProblemKind::InvalidSlug, &format!("{KEY}[{place}]"), message);
                }
            }
        }
        // Newer ones come last.
        found.split_off(found.len().saturating_sub(FORMER_SLUGS_MAX))
    }

    fn take_translations(&mut self) -> Vec<(LocaleCode, Translation)> {
        let mut found = Vec::new();
        for (code, value) in self.take_object("translations") {
            let path = format!("translations.{code}");
            match (LocaleCode::parse(&code), value) {
                (Ok(locale), Json::Object(map)) => {
                    let mut inner = EntryFileReader { map, findings: &mut Vec::new() };
                    let translation = Translation {
                        title: inner.take_title_text(),
                        data: inner.take_object("data"),
                    };
                    let nested = std::mem::take(inner.findings);
                    self.findings.extend(
                        nested
                            .into_iter()
                            .map(|it| EntryFinding { path: format!("{path}.{}", it.path), ..it }),
                    );
                    found.push((locale, translation));
                }
                (Ok(_), other) => {
                    self.add_violation(&path, wording::wrong_type(wording::OBJECT, &other));
                }
                (Err(error), _) => self.add_violation(&path, error.to_string()),
            }
        }
        found
    }
}
