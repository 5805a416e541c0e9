//! Parsers of schemas and entries, with the problems of every file.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::EntryFinding;
use crate::model::entry::FileFacts;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::unknown_keys;
use crate::model::unknown_keys::UnknownKey;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::view_check::find_view_problems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::stdx::url_encoding;
use crate::store::codec;
use crate::store::disk::Stat;
use crate::store::summed_content::SummedContent;

/// The value of a file and its problems; without a value it cannot be served.
pub(crate) struct ReadFile<T> {
    pub value: Option<T>,
    pub problems: Vec<Problem>,
}

impl<T> ReadFile<T> {
    pub(crate) fn broken(problem: Problem) -> ReadFile<T> {
        ReadFile { value: None, problems: vec![problem] }
    }

    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> ReadFile<U> {
        ReadFile { value: self.value.map(change), problems: self.problems }
    }
}

/// The part of media URLs of a workspace before the filename.
pub(crate) fn media_base(base_url: &str, ws: &WorkspaceSlug) -> String {
    format!("{base_url}/media/{}/", url_encoding::encode_segment(ws.as_str()))
}

/// The text of an entry file, with its value where that is known.
#[derive(Clone, Copy)]
pub(crate) struct EntryText<'a> {
    bytes: &'a [u8],
    json: Option<&'a Json>,
}

impl<'a> From<&'a [u8]> for EntryText<'a> {
    fn from(bytes: &'a [u8]) -> EntryText<'a> {
        EntryText { bytes, json: None }
    }
}

impl<'a> From<&'a SummedContent> for EntryText<'a> {
    fn from(content: &'a SummedContent) -> EntryText<'a> {
        EntryText { bytes: content, json: content.json() }
    }
}

impl EntryText<'_> {
    fn parse(self, path: &str) -> ReadFile<Json> {
        match self.json {
            Some(json) => ReadFile { value: Some(json.clone()), problems: Vec::new() },
            None => parse_json(path, self.bytes),
        }
    }
}

/// Reads any JSON file.
pub(crate) fn parse_json(path: &str, bytes: &[u8]) -> ReadFile<Json> {
    match codec::parse_document(path, bytes) {
        Ok(document) => ReadFile {
            value: Some(Json::Object(document.map)),
            problems: document.warning.into_iter().collect(),
        },
        Err(problem) => ReadFile::broken(problem),
    }
}

/// Reads a schema file.
pub(crate) fn parse_content_type(
    name: &TypeName,
    path: &str,
    bytes: &[u8],
) -> ReadFile<Arc<ContentType>> {
    let ReadFile { value, mut problems } = parse_json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    let (mut parsed, mut defects) = ContentType::parse(name.clone(), &json);
    if let Some(ty) = &parsed {
        defects = find_view_problems(ty);
        parsed = parsed.filter(|_| defects.is_empty());
    }
    problems.extend(locate_defects(path, bytes, ProblemKind::BrokenSchema, &defects));
    problems.extend(unknown_key_problems(path, bytes, unknown_keys::find_in_schema(&json)));
    ReadFile { value: parsed.map(Arc::new), problems }
}

/// A kind of records, for [`parse_record`].
pub(crate) struct RecordKind<R> {
    /// The record in sentences, such as "A user".
    pub what: &'static str,
    /// The problem of a file with defects.
    pub defect: ProblemKind,
    /// Returns the record as it is written.
    pub to_file: fn(&R) -> Json,
}

/// Reads the file of a record. One with defects is not used. Returns the content as well.
pub(crate) fn parse_record<R>(
    path: &str,
    bytes: &[u8],
    kind: &RecordKind<R>,
    parse: impl FnOnce(&Json) -> Result<R, FieldProblems>,
) -> ReadFile<(R, Json)> {
    let ReadFile { value, mut problems } = parse_json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    match parse(&json) {
        Ok(record) => {
            let written = (kind.to_file)(&record);
            let unknown = unknown_keys::find_in_record(&json, &written, kind.what);
            let ignored = find_ignored_values(&json, &written);
            problems.extend(content_problems(path, bytes, unknown, &ignored));
            ReadFile { value: Some((record, json)), problems }
        }
        Err(defects) => {
            problems.extend(locate_defects(path, bytes, kind.defect, &defects));
            ReadFile { value: None, problems }
        }
    }
}

/// Finds the values that a record was read without, since they are not of the type in which it is
/// written. It has nothing in the place of an optional text that it could not read.
fn find_ignored_values(file: &Json, written: &Json) -> FieldProblems {
    let mut found = FieldProblems::new();
    for (key, value) in written.as_object().into_iter().flat_map(Map::iter) {
        let wanted = match value {
            Json::String(_) | Json::Null => wording::STRING,
            Json::Bool(_) => wording::BOOLEAN,
            Json::Object(_) => wording::OBJECT,
            Json::Number(_) | Json::Array(_) => continue,
        };
        let given = file.as_object().and_then(|it| it.get(key));
        match given.filter(|it| **it != Json::Null && it.kind() != value.kind()) {
            None => {}
            Some(Json::String(text)) if *value == Json::Null && text.is_empty() => {}
            Some(Json::String(_)) if *value == Json::Null => found.add(key, wording::UNREADABLE),
            Some(given) => found.add(key, wording::wrong_type(wanted, given)),
        }
    }
    found
}

/// Problems for what a file says: keys that mean nothing, then values that break its rules.
pub(crate) fn content_problems(
    path: &str,
    bytes: &[u8],
    unknown: Vec<UnknownKey>,
    defects: &FieldProblems,
) -> Vec<Problem> {
    let mut problems = unknown_key_problems(path, bytes, unknown);
    problems.extend(locate_defects(path, bytes, ProblemKind::SchemaViolation, defects));
    problems
}

/// Problems for defects of a file's values, each where its value stands.
pub(crate) fn locate_defects(
    path: &str,
    bytes: &[u8],
    kind: ProblemKind,
    defects: &FieldProblems,
) -> Vec<Problem> {
    let problem = |(field, message): (&str, &str)| {
        locate_problem(Problem::new(kind, path, message), bytes, field)
    };
    defects.iter().map(problem).collect()
}

/// Problems for keys of a file that mean nothing, each where the key stands.
pub(crate) fn unknown_key_problems(
    path: &str,
    bytes: &[u8],
    keys: Vec<UnknownKey>,
) -> Vec<Problem> {
    let problem = |it: UnknownKey| {
        let at = codec::locate_key(bytes, &codec::parse_segments(&it.parent), &it.key);
        let problem = Problem::new(ProblemKind::UnknownKey, path, it.message.as_str());
        let problem = problem.with_field(it.path());
        at.map_or(problem.clone(), |(line, column)| problem.at_position(line, column))
    };
    keys.into_iter().map(problem).collect()
}

fn locate_problem(problem: Problem, bytes: &[u8], field: &str) -> Problem {
    let at = codec::locate_value(bytes, &codec::parse_segments(field));
    let problem = if field.is_empty() { problem } else { problem.with_field(field) };
    match at {
        Some((line, column)) => problem.at_position(line, column),
        None => problem,
    }
}

/// A reader of the entries of one type.
#[derive(Clone, Copy)]
pub(crate) struct EntryReader<'a> {
    pub ty: &'a ContentType,
    pub media_base: &'a str,
    pub now: Timestamp,
}

impl EntryReader<'_> {
    /// Reads and renders an entry file.
    pub(crate) fn render_entry<'t>(
        &self,
        id: &EntryId,
        path: &str,
        text: impl Into<EntryText<'t>>,
        stat: &Stat,
    ) -> ReadFile<RenderedEntry> {
        let ReadFile { value, problems } = self.parse_entry(id, path, text, stat, |_, _| {});
        let doc = value.map(|it| RenderedEntry::render(self.ty, &it, self.media_base));
        ReadFile { value: doc, problems }
    }

    /// Reads an entry file; `judge` may add findings of its own.
    pub(crate) fn parse_entry<'t>(
        &self,
        id: &EntryId,
        path: &str,
        text: impl Into<EntryText<'t>>,
        stat: &Stat,
        judge: impl FnOnce(&Entry, &mut Vec<EntryFinding>),
    ) -> ReadFile<Entry> {
        let text = text.into();
        let bytes = text.bytes;
        let ReadFile { value, mut problems } = text.parse(path);
        let Some(json) = value else { return ReadFile { value: None, problems } };
        if self.ty.singleton && id.as_str() != self.ty.name.as_str() {
            let message = format!(
                "`{0}` is a single page: its only entry is `{0}.json`, and this file is not served.",
                self.ty.name
            );
            problems.push(Problem::new(ProblemKind::SecondSingleton, path, message));
            return ReadFile { value: None, problems };
        }
        problems.extend(unknown_key_problems(
            path,
            bytes,
            unknown_keys::find_in_entry(self.ty, &json),
        ));
        let mut findings = Vec::new();
        let facts = FileFacts { modified: modified_at(stat), now: self.now };
        let entry = Entry::read(id.clone(), self.ty, json, facts, &mut findings);
        judge(&entry, &mut findings);
        problems.extend(
            findings
                .into_iter()
                .map(|it| locate_problem(Problem::new(it.kind, path, it.message), bytes, &it.path)),
        );
        ReadFile { value: Some(entry), problems }
    }
}

/// The time of the last change of a file.
pub(crate) fn modified_at(stat: &Stat) -> Timestamp {
    Timestamp::from_seconds(stat.modified_ns.div_euclid(1_000_000_000))
}
