//! From the bytes of a file to what is kept of it in memory, with every defect told.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Finding;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::unknown_keys;
use crate::model::unknown_keys::UnknownKey;
use crate::query::doc::Doc;
use crate::stdx::json::Json;
use crate::stdx::percent;
use crate::stdx::time::Timestamp;
use crate::store::codec;
use crate::store::disk::Stat;

/// What a file turned out to be; without a value it cannot be served.
pub(crate) struct ReadFile<T> {
    pub value: Option<T>,
    pub problems: Vec<Problem>,
}

impl<T> ReadFile<T> {
    pub(crate) fn broken(problem: Problem) -> ReadFile<T> {
        ReadFile { value: None, problems: vec![problem] }
    }
}

/// What stands before a filename in the media URLs of a workspace.
pub(crate) fn media_base(base_url: &str, ws: &WorkspaceSlug) -> String {
    format!("{base_url}/media/{}/", percent::segment(ws.as_str()))
}

/// Reads any JSON file.
pub(crate) fn json(path: &str, bytes: &[u8]) -> ReadFile<Json> {
    match codec::parse(path, bytes) {
        Ok(document) => ReadFile {
            value: Some(Json::Object(document.map)),
            problems: document.warning.into_iter().collect(),
        },
        Err(problem) => ReadFile::broken(problem),
    }
}

/// Reads a schema file.
pub(crate) fn content_type(
    name: &TypeName,
    path: &str,
    bytes: &[u8],
) -> ReadFile<Arc<ContentType>> {
    let ReadFile { value, mut problems } = json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    let (parsed, defects) = ContentType::parse(name.clone(), &json);
    problems.extend(located(path, bytes, ProblemKind::BrokenSchema, &defects));
    problems.extend(unknown(path, bytes, unknown_keys::in_schema(&json)));
    ReadFile { value: parsed.map(Arc::new), problems }
}

/// Problems for defects of a file's values, each where its value stands.
pub(crate) fn located(
    path: &str,
    bytes: &[u8],
    kind: ProblemKind,
    defects: &FieldProblems,
) -> Vec<Problem> {
    let problem =
        |(field, message): (&str, &str)| place(Problem::new(kind, path, message), bytes, field);
    defects.iter().map(problem).collect()
}

/// Problems for keys of a file that mean nothing, each where the key stands.
pub(crate) fn unknown(path: &str, bytes: &[u8], keys: Vec<UnknownKey>) -> Vec<Problem> {
    let problem = |it: UnknownKey| {
        let at = codec::locate_key(bytes, &codec::segments(&it.parent), &it.key);
        let problem = Problem::new(ProblemKind::UnknownKey, path, it.message.as_str());
        let problem = problem.of_field(it.path());
        at.map_or(problem.clone(), |(line, column)| problem.at(line, column))
    };
    keys.into_iter().map(problem).collect()
}

fn place(problem: Problem, bytes: &[u8], field: &str) -> Problem {
    let at = codec::locate(bytes, &codec::segments(field));
    let problem = if field.is_empty() { problem } else { problem.of_field(field) };
    match at {
        Some((line, column)) => problem.at(line, column),
        None => problem,
    }
}

/// What entries of one type are read with.
#[derive(Clone, Copy)]
pub(crate) struct EntryReader<'a> {
    pub ty: &'a ContentType,
    pub media_base: &'a str,
    pub now: Timestamp,
}

impl EntryReader<'_> {
    /// Reads and renders an entry file.
    pub(crate) fn doc(
        &self,
        id: &EntryId,
        path: &str,
        bytes: &[u8],
        stat: &Stat,
    ) -> ReadFile<Arc<Doc>> {
        let ReadFile { value, problems } = self.entry(id, path, bytes, stat, |_, _| {});
        let doc = value.map(|it| Arc::new(Doc::render(self.ty, &it, self.media_base)));
        ReadFile { value: doc, problems }
    }

    /// Reads an entry file; `judge` may add findings of its own.
    pub(crate) fn entry(
        &self,
        id: &EntryId,
        path: &str,
        bytes: &[u8],
        stat: &Stat,
        judge: impl FnOnce(&Entry, &mut Vec<Finding>),
    ) -> ReadFile<Entry> {
        let ReadFile { value, mut problems } = json(path, bytes);
        let Some(json) = value else { return ReadFile { value: None, problems } };
        if self.ty.singleton && id.as_str() != self.ty.name.as_str() {
            let message = format!(
                "`{0}` is a single page: its only entry is `{0}.json`, and this file is not served.",
                self.ty.name
            );
            problems.push(Problem::new(ProblemKind::SecondSingleton, path, message));
            return ReadFile { value: None, problems };
        }
        problems.extend(unknown(path, bytes, unknown_keys::in_entry(self.ty, &json)));
        let mut findings = Vec::new();
        let facts = FileFacts { modified: modified(stat), now: self.now };
        let entry = Entry::read(id.clone(), self.ty, json, facts, &mut findings);
        judge(&entry, &mut findings);
        problems.extend(
            findings
                .into_iter()
                .map(|it| place(Problem::new(it.kind, path, it.message), bytes, &it.path)),
        );
        ReadFile { value: Some(entry), problems }
    }
}

/// When a file was changed.
pub(crate) fn modified(stat: &Stat) -> Timestamp {
    Timestamp::from_seconds(stat.modified_ns.div_euclid(1_000_000_000))
}
