//! Entries: one piece of content, read tolerantly from what people write, and changed by requests.

mod body;
mod merge;
mod resolved;
mod slugs;
mod standing;

use crate::model::content_type::ContentType;
use crate::model::field::Reference;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::model::problem::ProblemKind;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;

pub use body::Api;
pub use body::write_locale;
pub use merge::Current;
pub use merge::KEYS;
pub use merge::Merged;
pub use merge::Others;
pub use merge::Write;
pub use merge::merge;
pub use merge::set_key;
pub use resolved::Resolved;
pub use slugs::unused_slug;
pub use standing::Standing;
pub use standing::needs_publish;

/// Where an entry stands. Any status may follow any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Being written.
    Draft,
    /// Public.
    Published,
    /// Public from its `published_at` on.
    Scheduled,
    /// Only for readers with a right to it.
    Protected,
    /// Put away.
    Archived,
}

impl Status {
    /// All statuses, in the order of the seed.
    pub const ALL: [Status; 5] =
        [Status::Draft, Status::Published, Status::Scheduled, Status::Protected, Status::Archived];

    /// The name on the wire and in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Draft => "draft",
            Status::Published => "published",
            Status::Scheduled => "scheduled",
            Status::Protected => "protected",
            Status::Archived => "archived",
        }
    }

    /// The status of this name.
    pub fn parse(text: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|it| it.as_str() == text)
    }

    /// Whether everybody may read an entry of this status and date at `now`.
    pub fn is_public(self, published_at: Option<Timestamp>, now: Timestamp) -> bool {
        match self {
            Status::Published => true,
            Status::Scheduled => published_at.is_some_and(|it| it <= now),
            Status::Draft | Status::Protected | Status::Archived => false,
        }
    }
}

/// One piece of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The stem of its file.
    pub id: EntryId,
    /// What stands in URLs; unique among the active entries of its type, or shadowed.
    pub slug: String,
    /// Where it stands.
    pub status: Status,
    /// Set when the file says `published` with a date to come: it reads as scheduled until then.
    pub turns_published: bool,
    /// The title in the root locale.
    pub title: String,
    /// When it went or goes public.
    pub published_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Who made it.
    pub author_id: Option<String>,
    /// Who changed it last.
    pub updated_by: Option<String>,
    /// Field values in the root locale.
    pub data: Map,
    /// Values in other locales, as far as they differ.
    pub translations: Vec<(LocaleCode, Translation)>,
    /// The sum of the file's content.
    pub sum: Sum,
}

/// An entry's values in one locale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Translation {
    /// The title, unless it is the root's.
    pub title: Option<String>,
    /// Field values that are not the root's.
    pub data: Map,
}

/// A defect found while an entry was read: what, at which path inside the file, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The path inside the file, `data.rows[2].key`.
    pub path: String,
    /// A sentence.
    pub message: String,
}

/// What an entry's file says about itself beside its content.
#[derive(Clone, Copy, Debug)]
pub struct FileFacts {
    /// When the file was changed: stands in for times that the file does not give.
    pub modified: Timestamp,
    /// The present, which tells a date to come from one that has passed.
    pub now: Timestamp,
}

impl Entry {
    /// Reads an entry file. Whatever is missing or wrong has a safe reading; what was wrong is
    /// added to `findings`.
    pub fn read(
        id: EntryId,
        ty: &ContentType,
        file: Json,
        facts: FileFacts,
        findings: &mut Vec<Finding>,
    ) -> Entry {
        let sum = file.sum();
        let map = if let Json::Object(map) = file { map } else { Map::new() };
        let mut reader = Reader { map, findings };
        reader.check_id(&id);
        let title = reader.title();
        let created_at = reader.time("created_at").unwrap_or(facts.modified);
        let published_at = reader.time("published_at");
        let said = reader.status();
        let Standing { status, published_at } =
            Standing { status: said, published_at }.settled(created_at, facts.now);
        if said == Status::Scheduled && published_at.is_none() {
            let message = "A scheduled entry needs `published_at`; it stays hidden without.";
            reader.find(ProblemKind::InvalidStatus, "published_at", message);
        }
        let data = reader.object("data");
        let slug = reader.slug(&id, ty, &title, &data);
        Entry {
            slug,
            status,
            turns_published: said == Status::Published && status == Status::Scheduled,
            published_at,
            created_at,
            updated_at: reader.time("updated_at").unwrap_or(facts.modified),
            author_id: reader.text("author_id"),
            updated_by: reader.text("updated_by"),
            translations: reader.translations(),
            sum,
            id,
            title,
            data,
        }
    }

    /// Judges the values by the type's fields. Costs more than reading, so it is left to those who
    /// ask for problems.
    pub fn check(&self, ty: &ContentType, findings: &mut Vec<Finding>) {
        let mut problems = FieldProblems::new();
        ty.fields.check(&self.data, &mut problems);
        let mut problems = problems.at("data");
        for (locale, translation) in &self.translations {
            let mut found = FieldProblems::new();
            ty.fields.check_given(&translation.data, &mut found);
            problems.extend(found.at(&format!("translations.{locale}.data")));
        }
        // The values of title and slug are at the top level and judged when they are read.
        let inside = |path: &str| !matches!(path, "data.title" | "data.slug");
        findings.extend(problems.iter().filter(|(path, _)| inside(path)).map(|(path, message)| {
            let (path, message) = (path.to_string(), message.to_string());
            Finding { kind: ProblemKind::SchemaViolation, path, message }
        }));
    }

    /// The translation into `locale`.
    pub fn translation(&self, locale: &str) -> Option<&Translation> {
        self.translations.iter().find(|(code, _)| code.as_str() == locale).map(|(_, it)| it)
    }

    /// Calls `each` with everything the entry refers to, in any locale, and its path in the file.
    pub fn references(&self, ty: &ContentType, each: &mut dyn FnMut(&str, Reference<'_>)) {
        ty.fields.references(&self.data, &mut |path, it| each(&format!("data.{path}"), it));
        for (locale, translation) in &self.translations {
            ty.fields.references(&translation.data, &mut |path, it| {
                each(&format!("translations.{locale}.data.{path}"), it);
            });
        }
    }
}

struct Reader<'a> {
    map: Map,
    findings: &'a mut Vec<Finding>,
}

impl Reader<'_> {
    fn find(&mut self, kind: ProblemKind, path: &str, message: impl Into<String>) {
        self.findings.push(Finding { kind, path: path.to_string(), message: message.into() });
    }

    fn violation(&mut self, path: &str, message: impl Into<String>) {
        self.find(ProblemKind::SchemaViolation, path, message);
    }

    /// Takes a text out.
    fn text(&mut self, key: &str) -> Option<String> {
        match self.map.remove(key)? {
            Json::Null => None,
            Json::String(text) => Some(text).filter(|it| !it.is_empty()),
            other => {
                self.violation(key, format!("This is a text, not {}.", other.kind()));
                None
            }
        }
    }

    /// The name of the file is the id, whatever the file says.
    fn check_id(&mut self, id: &EntryId) {
        let said = self.map.get("id").filter(|it| !it.is_empty());
        if said.is_some_and(|it| it.as_str() != Some(id.as_str())) {
            let message = format!("The id of the entry is the name of its file, `{id}`.");
            self.find(ProblemKind::IdMismatch, "id", message);
        }
    }

    fn title(&mut self) -> String {
        let title = self.text("title");
        if title.is_none() {
            self.violation("title", "An entry needs a title.");
        }
        title.unwrap_or_default()
    }

    fn time(&mut self, key: &str) -> Option<Timestamp> {
        let text = self.text(key)?;
        let time = Timestamp::parse(&text);
        if time.is_none() {
            self.violation(key, format!("`{text}` is no date and time."));
        }
        time
    }

    fn status(&mut self) -> Status {
        let given = match self.map.get("status") {
            None | Some(Json::Null) => return Status::Draft,
            Some(given) => given.as_str().and_then(Status::parse),
        };
        given.unwrap_or_else(|| {
            let message = "The status is none of draft, published, scheduled, protected, archived; \
                           the entry reads as a draft.";
            self.find(ProblemKind::InvalidStatus, "status", message);
            Status::Draft
        })
    }

    /// Takes an object out.
    fn object(&mut self, key: &str) -> Map {
        match self.map.remove(key) {
            None | Some(Json::Null) => Map::new(),
            Some(Json::Object(map)) => map,
            Some(other) => {
                self.violation(key, format!("This is an object, not {}.", other.kind()));
                Map::new()
            }
        }
    }

    /// The slug as given when it can stand in a URL, else made from what there is, else the id.
    fn slug(&mut self, id: &EntryId, ty: &ContentType, title: &str, data: &Map) -> String {
        if ty.singleton {
            return ty.name.to_string();
        }
        let source = match self.text("slug") {
            Some(given) if is_slug(&given) => return given,
            Some(given) => {
                let message = format!("`{given}` cannot stand in a URL.");
                self.find(ProblemKind::InvalidSlug, "slug", message);
                given
            }
            None => slugs::source(ty, title, data).to_string(),
        };
        slugs::made_of(&source, id)
    }

    fn translations(&mut self) -> Vec<(LocaleCode, Translation)> {
        let mut found = Vec::new();
        for (code, value) in self.object("translations") {
            let path = format!("translations.{code}");
            match (LocaleCode::parse(&code), value) {
                (Ok(locale), Json::Object(map)) => {
                    let mut inner = Reader { map, findings: &mut Vec::new() };
                    let translation =
                        Translation { title: inner.text("title"), data: inner.object("data") };
                    let nested = std::mem::take(inner.findings);
                    self.findings.extend(
                        nested
                            .into_iter()
                            .map(|it| Finding { path: format!("{path}.{}", it.path), ..it }),
                    );
                    found.push((locale, translation));
                }
                (Ok(_), other) => {
                    self.violation(&path, format!("This is an object, not {}.", other.kind()));
                }
                (Err(error), _) => self.violation(&path, error.to_string()),
            }
        }
        found
    }
}

/// Whether a text can stand in a path as it is.
pub fn is_slug(text: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !text.is_empty() && text.len() <= SLUG_BYTES_MAX && text.bytes().all(legal)
}

/// How long a slug may be, in bytes.
pub const SLUG_BYTES_MAX: usize = 200;

#[cfg(test)]
mod tests;
