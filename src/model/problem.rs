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

use crate::stdx::json_schema::one_of_texts;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The file is served, but something in it is wrong.
    Warning,
    /// The file, or its latest content, is not served.
    Error,
}

impl JsonSchema for Severity {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Severity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of_texts(["warning", "error"])
    }
}

macro_rules! problem_kinds {
    ($($(#[$doc:meta])* $kind:ident = $text:literal, $blocks:literal, $severity:ident;)*) => {
        /// The kind of a problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ProblemKind {
            $($(#[$doc])* $kind,)*
        }

        impl ProblemKind {
            /// All kinds.
            pub const ALL: &[ProblemKind] = &[$(ProblemKind::$kind),*];

            /// Returns the name shown to users and used in the API.
            pub fn as_str(self) -> &'static str {
                match self { $(ProblemKind::$kind => $text,)* }
            }

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
        }
    };
}

problem_kinds! {
    /// The file is not JSON.
    InvalidJson = "invalid_json", true, Error;
    /// A key occurs twice in an object.
    DuplicateKey = "duplicate_key", true, Error;
    /// The file contains the markers of an unfinished merge.
    MergeConflict = "merge_conflict", true, Error;
    /// The file cannot be read.
    Unreadable = "unreadable", true, Error;
    /// A directory, a link or a device has the name of a file.
    NotAFile = "not_a_file", true, Error;
    /// The file exceeds the size limit.
    TooLarge = "too_large", true, Error;
    /// The file is not a usable definition of a content type.
    BrokenSchema = "broken_schema", true, Error;
    /// The workspace has a format that this version does not know.
    UnsupportedFormat = "unsupported_format", true, Error;
    /// The name of the file or folder is invalid.
    InvalidName = "invalid_name", true, Error;
    /// The file starts with a byte order mark.
    Bom = "bom", false, Warning;
    /// An id inside the file differs from its name.
    IdMismatch = "id_mismatch", false, Warning;
    /// Two names differ only in case.
    CaseCollision = "case_collision", false, Error;
    /// A copy that a synchronization tool left behind.
    SyncConflictCopy = "sync_conflict_copy", false, Warning;
    /// A value does not fit its definition.
    SchemaViolation = "schema_violation", false, Warning;
    /// A key is unknown in its place: it is misspelt or belongs elsewhere.
    UnknownKey = "unknown_key", false, Warning;
    /// A relation points to an entry that does not exist.
    DanglingRelation = "dangling_relation", false, Warning;
    /// A media field names a file that does not exist.
    MissingMedia = "missing_media", false, Warning;
    /// The slug belongs to another entry of the type.
    DuplicateSlug = "duplicate_slug", false, Warning;
    /// The slug is not valid in a URL.
    InvalidSlug = "invalid_slug", false, Warning;
    /// The entries belong to a type without a definition.
    UnknownType = "unknown_type", false, Error;
    /// A second entry of a singleton.
    SecondSingleton = "second_singleton", false, Error;
    /// The status is unknown.
    InvalidStatus = "invalid_status", false, Error;
    /// The settings name a workspace that does not exist.
    MissingWorkspace = "missing_workspace", false, Warning;
    /// Revisions of an entry that neither exists nor is in the trash.
    OrphanRevisions = "orphan_revisions", false, Warning;
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ProblemKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
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
pub struct FieldProblems(Vec<(String, String)>);

impl FieldProblems {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a list with one problem.
    pub fn from_problem(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self(vec![(field.into(), message.into())])
    }

    /// Adds a problem. The empty path is the value itself; [`FieldProblems::with_prefix`] names it.
    pub fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
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

    /// Returns the first sentence about a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.iter().find(|(path, _)| *path == field).map(|(_, message)| message)
    }

    /// Returns `value` if there are no problems.
    pub fn into_result<T>(self, value: T) -> Result<T, FieldProblems> {
        if self.is_empty() { Ok(value) } else { Err(self) }
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

/// Serialized as a map from path to sentence, with the first problem of each path.
impl JsonSchema for FieldProblems {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "FieldProblems".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": { "type": "string" } })
    }
}

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
}
