//! Problems as values. A [`Problem`] is a defect of a file in the data folder: it is shown to users
//! and never stops the server. [`FieldProblems`] collects all defects in the values of a body or a
//! definition.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde::Serialize;
use serde::Serializer;
use serde::ser::SerializeMap;

use crate::model::sentence::Sentence;
use crate::model::sentence::SentenceTemplate;
use crate::stdx::json_schema::inline_schema;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::text_enum::text_enum;

text_enum! {
    /// The severity of a problem.
    pub enum Severity {
        /// The file is served, but something in it is wrong.
        Warning = "warning",
        /// The file, or its latest content, is not served.
        Error = "error",
    }
}

inline_schema!(Severity, |_| one_of_texts(Severity::ALL.map(Severity::as_str)));

macro_rules! problem_kinds {
    ($(
        $(#[doc = $doc:literal])+
        $kind:ident = $text:literal, $blocks:literal, $severity:ident, $served:expr;
    )*) => {
        text_enum! {
            /// The kind of a problem.
            pub enum ProblemKind {
                $($(#[doc = $doc])+ $kind = $text,)*
            }
        }

        impl ProblemKind {
            /// Returns true if a file with this problem cannot be loaded.
            pub fn blocks_loading(self) -> bool {
                match self { $(ProblemKind::$kind => $blocks,)* }
            }

            /// Returns true if the last good version is served in place of a file with this
            /// problem. An unknown format concerns the whole workspace, so it makes no sense to
            /// serve the old version of a single file.
            pub fn falls_back(self) -> bool {
                self.blocks_loading() && self != ProblemKind::UnsupportedFormat
            }

            /// Returns the severity of the kind.
            pub fn severity(self) -> Severity {
                match self { $(ProblemKind::$kind => Severity::$severity,)* }
            }

            /// Returns the description of the kind, for the documentation.
            pub fn description(self) -> &'static str {
                match self { $(ProblemKind::$kind => concat!($($doc),+).trim_ascii_start(),)* }
            }

            /// Returns what is served while there is such a problem, for the documentation.
            pub fn served(self) -> &'static str {
                match self { $(ProblemKind::$kind => $served,)* }
            }
        }
    };
}

/// The answer of [`ProblemKind::served`] for a file that cannot be loaded.
const LAST_GOOD: &str = "the last good version";

/// The answer for a file that is served all the same.
const THE_FILE: &str = "the file";

/// The answer for a file that cannot be served.
const NOTHING: &str = "nothing";

problem_kinds! {
    /// The file is not JSON, or not an object.
    InvalidJson = "invalid_json", true, Error, LAST_GOOD;
    /// A key occurs twice in one object.
    DuplicateKey = "duplicate_key", true, Error, LAST_GOOD;
    /// The file contains conflict markers of git.
    MergeConflict = "merge_conflict", true, Error, LAST_GOOD;
    /// The system does not let the server read the file, or list the folder.
    Unreadable = "unreadable", true, Error,
        "the last good version; of a folder, what was read since the server started";
    /// A directory, a link or something else is in the place of a file, or a file in that of a
    /// directory.
    NotAFile = "not_a_file", true, Error, "the last good version; of a directory, nothing";
    /// The file has more than 8 MiB.
    TooLarge = "too_large", true, Error, LAST_GOOD;
    /// The file is JSON, but not a valid content type.
    BrokenSchema = "broken_schema", true, Error, LAST_GOOD;
    /// The workspace has a newer format than this version knows, or its `format` is not a number
    /// from 1.
    UnsupportedFormat = "unsupported_format", true, Error,
        "the workspace as it was before; after a restart nothing of it. Nothing is written";
    /// The name of a file or folder cannot be used, or there is a folder among entries.
    InvalidName = "invalid_name", true, Error, NOTHING;
    /// The file begins with a byte order mark.
    Bom = "bom", false, Warning, THE_FILE;
    /// The `id` inside the file differs from its name.
    IdMismatch = "id_mismatch", false, Warning, "the file, under its name";
    /// Two names differ only in case. The later one is reported, and names the first.
    CaseCollision = "case_collision", false, Error,
        "both, each under its own name, while the system keeps them apart";
    /// The file looks like the copy that a sync service makes on conflict.
    SyncConflictCopy = "sync_conflict_copy", false, Warning, "the original; the copy is not served";
    /// A value does not fit its field.
    SchemaViolation = "schema_violation", false, Warning, "the file, with the value as it is";
    /// A key has no meaning in its place: it is misspelt, misplaced, or of a field or locale that
    /// no longer exists. Keys of fields that are `null` are not reported.
    UnknownKey = "unknown_key", false, Warning, "the file, without what is under the key";
    /// A relation has the id of an entry that does not exist.
    DanglingRelation = "dangling_relation", false, Warning,
        "the file; the relation reads as `null`";
    /// A value names a file that is not in `media/`.
    MissingMedia = "missing_media", false, Warning, THE_FILE;
    /// Two entries of a type have one slug.
    DuplicateSlug = "duplicate_slug", false, Warning,
        "the oldest entry that the reader may see, under the slug; the others by their ids";
    /// A slug is not valid.
    InvalidSlug = "invalid_slug", false, Warning,
        "the file; it is found under the slug made from the invalid one";
    /// There are entries without a schema.
    UnknownType = "unknown_type", false, Error, NOTHING;
    /// There is more than one entry of a singleton.
    SecondSingleton = "second_singleton", false, Error, "the one named like the type";
    /// A status does not exist, a scheduled entry has no `published_at`, or an `unpublish_at` is
    /// not later than `published_at`.
    InvalidStatus = "invalid_status", false, Error,
        "the file: as a draft; hidden in the other two cases";
    /// The settings name a default workspace that is missing or archived.
    MissingWorkspace = "missing_workspace", false, Warning, "`default` in its place";
    /// A change has the state from which an edit was begun, in `base/`, and no edit in `content/`.
    OrphanBase = "orphan_base", false, Warning,
        "nothing; it counts again once the edit is back";
    /// There are revisions of an entry that is neither in `content/` nor in the trash, or of a
    /// media file that is not there. Only `recto check` reports them.
    OrphanRevisions = "orphan_revisions", false, Warning,
        "nothing; the revisions are back once the entry or the file is";
}

impl JsonSchema for ProblemKind {
    fn schema_name() -> Cow<'static, str> {
        "ProblemKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = one_of_texts(ProblemKind::ALL.iter().map(|it| it.as_str()));
        schema.insert("description".to_string(), "The kind of a problem.".into());
        schema
    }
}

/// A defect in a file of the data folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The kind.
    pub kind: ProblemKind,
    /// The path of the file relative to the data folder, with `/` on every system.
    pub path: String,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The column, counted from 1.
    pub column: Option<u32>,
    /// The path of the value, like `rows[2].key`.
    pub field: Option<String>,
    /// The description, one sentence that tells what to do.
    pub message: String,
}

impl Problem {
    /// Creates a problem of a whole file.
    pub fn new(kind: ProblemKind, path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self { kind, path, line: None, column: None, field: None, message }
    }

    /// Sets the position in the file (both counted from 1).
    pub fn at_position(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// Sets the path of the value.
    pub fn with_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Returns the severity of the problem.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

/// Formats a problem like `content/posts/a.json:3:7: rows[2].key: This field is required.`
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ": {field}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The problems with the values of a body in the order found: the path of each field and a
/// sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldProblems(Vec<(String, Sentence)>);

impl FieldProblems {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a list with one problem.
    pub fn from_problem(field: impl Into<String>, message: impl Into<Sentence>) -> Self {
        Self(vec![(field.into(), message.into())])
    }

    /// Adds a problem. The empty path is the value itself; [`FieldProblems::with_prefix`] names it.
    pub fn add(&mut self, field: impl Into<String>, message: impl Into<Sentence>) {
        self.0.push((field.into(), message.into()));
    }

    /// Adds the problems of another list.
    pub fn extend(&mut self, others: FieldProblems) {
        self.0.extend(others.0);
    }

    /// Returns the problems with their paths prefixed: with `rows[2]`, `key` becomes `rows[2].key`,
    /// `[0]` becomes `rows[2][0]` and the empty path becomes `rows[2]`.
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        for (path, _) in &mut self.0 {
            let joined = !prefix.is_empty() && !path.is_empty() && !path.starts_with('[');
            path.insert_str(0, if joined { "." } else { "" });
            path.insert_str(0, prefix);
        }
        self
    }

    /// Returns true if there are no problems.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of problems.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the path and the sentence of each problem in the order found.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(field, message)| (field.as_str(), message.as_str()))
    }

    /// Returns the first problem.
    pub fn first(&self) -> Option<(&str, &Sentence)> {
        self.0.first().map(|(field, message)| (field.as_str(), message))
    }

    /// Returns the templates of those sentences that have one, by path. As in the serialized form,
    /// each path has its first sentence.
    pub fn templates(&self) -> impl Iterator<Item = (&str, &SentenceTemplate)> {
        let mut told = HashSet::new();
        let first = self.0.iter().filter_map(move |(field, message)| {
            told.insert(field.as_str()).then_some((field.as_str(), message))
        });
        first.filter_map(|(field, message)| Some((field, message.template()?)))
    }

    /// Returns the first sentence about a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.iter().find(|(path, _)| *path == field).map(|(_, message)| message)
    }

    /// Returns `value` if there are no problems.
    pub fn into_result<T>(self, value: T) -> Result<T, FieldProblems> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }
}

/// The problem of a value itself.
impl From<String> for FieldProblems {
    fn from(message: String) -> FieldProblems {
        FieldProblems::from_problem("", message)
    }
}

impl From<Sentence> for FieldProblems {
    fn from(message: Sentence) -> FieldProblems {
        FieldProblems::from_problem("", message)
    }
}

impl fmt::Display for FieldProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (field, message)) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            let colon = if field.is_empty() { "" } else { ": " };
            write!(f, "{separator}{field}{colon}{message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FieldProblems {}

// Serialized as a map from path to sentence, with the first problem of each path.
inline_schema!(
    FieldProblems,
    |_| json_schema!({ "type": "object", "additionalProperties": { "type": "string" } })
);

impl Serialize for FieldProblems {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = HashSet::new();
        let mut map = serializer.serialize_map(None)?;
        for (field, message) in self.iter().filter(|(field, _)| told.insert(field.to_owned())) {
            map.serialize_entry(field, message)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::sentence::sentence;

    #[test]
    fn kinds_have_names_of_their_own() {
        let names: HashSet<_> = ProblemKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(names.len(), ProblemKind::ALL.len());
    }

    #[test]
    fn whatever_blocks_loading_is_an_error() {
        for kind in ProblemKind::ALL.iter().filter(|kind| kind.blocks_loading()) {
            assert_eq!(kind.severity(), Severity::Error, "{kind}");
        }
    }

    #[test]
    fn a_problem_names_its_place() {
        let problem = Problem::new(ProblemKind::SchemaViolation, "a/b.json", "Too long.");
        assert_eq!(problem.to_string(), "a/b.json: Too long.");
        let placed = problem.at_position(3, 7).with_field("rows[2].key");
        assert_eq!(placed.to_string(), "a/b.json:3:7: rows[2].key: Too long.");
    }

    #[test]
    fn paths_nest() {
        let check = |path: &str, prefix: &str, expect: &str| {
            let problems = FieldProblems::from_problem(path, "x").with_prefix(prefix);
            assert_eq!(problems.iter().next(), Some((expect, "x")));
        };
        check("key", "rows[2]", "rows[2].key");
        check("[0]", "rows", "rows[0]");
        check("", "rows", "rows");
        check("key", "", "key");
        check("", "", "");
    }

    #[test]
    fn all_problems_go_into_one_map() {
        let mut problems = FieldProblems::new();
        assert!(problems.clone().into_result(()).is_ok());
        problems.add("title", "This field is required.");
        problems.add("title", "Told already.");
        problems.extend(FieldProblems::from_problem("url", "Not a URL.").with_prefix("links[2]"));
        assert_eq!(problems.len(), 3);
        assert_eq!(
            serde_json::to_string(&problems).unwrap(),
            r#"{"title":"This field is required.","links[2].url":"Not a URL."}"#
        );
        assert_eq!(problems.get("links[2].url"), Some("Not a URL."));
    }

    #[test]
    fn the_first_problem_of_a_path_tells_its_template() {
        let mut problems = FieldProblems::from_problem("title", "This field is required.");
        problems.add("title", sentence!("It has {count} letters.", count = 2));
        problems.add("note", sentence!("It has {count} words.", count = 3));
        problems.add("note", sentence!("It has {count} lines.", count = 4));
        let problems = problems.with_prefix("row");
        let found: Vec<_> = problems.templates().map(|(path, _)| path).collect();
        assert_eq!(found, ["row.note"]);
    }
}
