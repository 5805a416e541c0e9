//! Defects as values. A [`Problem`] is something wrong in a file of the data folder: it is shown to
//! people and never stops the server. [`FieldProblems`] is what is wrong with the values of a body
//! or a definition, all of it at once.

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;
use serde::Serializer;
use serde::ser::SerializeMap;

/// How much a problem hurts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The file is served, though something in it is not as it should be.
    Warning,
    /// The file, or what is newest in it, is not served.
    Error,
}

macro_rules! problem_kinds {
    ($($(#[$doc:meta])* $kind:ident = $text:literal, $blocks:literal, $severity:ident;)*) => {
        /// What is wrong with a file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ProblemKind {
            $($(#[$doc])* $kind,)*
        }

        impl ProblemKind {
            /// Every kind there is.
            pub const ALL: &[ProblemKind] = &[$(ProblemKind::$kind),*];

            /// The name people and programs see.
            pub fn as_str(self) -> &'static str {
                match self { $(ProblemKind::$kind => $text,)* }
            }

            /// Whether nothing can be read from such a file, so that its last good version is
            /// served instead.
            pub fn blocks_loading(self) -> bool {
                match self { $(ProblemKind::$kind => $blocks,)* }
            }

            /// How much it hurts.
            pub fn severity(self) -> Severity {
                match self { $(ProblemKind::$kind => Severity::$severity,)* }
            }
        }
    };
}

problem_kinds! {
    /// The file is not JSON.
    InvalidJson = "invalid_json", true, Error;
    /// A key stands twice in one object.
    DuplicateKey = "duplicate_key", true, Error;
    /// The file holds the marks of an unfinished merge.
    MergeConflict = "merge_conflict", true, Error;
    /// The file cannot be read.
    Unreadable = "unreadable", true, Error;
    /// A directory, a link or a device stands where a file should.
    NotAFile = "not_a_file", true, Error;
    /// The file is over the size limit.
    TooLarge = "too_large", true, Error;
    /// The file is no usable definition of a content type.
    BrokenSchema = "broken_schema", true, Error;
    /// The file is in a newer format than this version knows.
    UnsupportedFormat = "unsupported_format", true, Error;
    /// The name of the file or folder is not one that can be used.
    InvalidName = "invalid_name", true, Error;
    /// The file starts with a byte order mark.
    Bom = "bom", false, Warning;
    /// An id inside the file differs from its name.
    IdMismatch = "id_mismatch", false, Warning;
    /// Two names differ only in upper and lower case.
    CaseCollision = "case_collision", false, Error;
    /// A copy that a synchronising tool left behind.
    SyncConflictCopy = "sync_conflict_copy", false, Warning;
    /// A value does not fit what it should be.
    SchemaViolation = "schema_violation", false, Warning;
    /// A key means nothing where it stands: it is misspelt, or belongs elsewhere.
    UnknownKey = "unknown_key", false, Warning;
    /// A relation points at an entry that is not there.
    DanglingRelation = "dangling_relation", false, Warning;
    /// A media field names a file that is not there.
    MissingMedia = "missing_media", false, Warning;
    /// Another entry of the type owns the slug.
    DuplicateSlug = "duplicate_slug", false, Warning;
    /// The slug is not one that can stand in a URL.
    InvalidSlug = "invalid_slug", false, Warning;
    /// Entries of a type that has no definition.
    UnknownType = "unknown_type", false, Error;
    /// A second entry of a type that has one.
    SecondSingleton = "second_singleton", false, Error;
    /// The status is none of the known ones.
    InvalidStatus = "invalid_status", false, Error;
    /// The settings name a workspace that is not there.
    MissingWorkspace = "missing_workspace", false, Warning;
    /// Revisions of an entry that is neither there nor in the trash.
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

/// A defect in a file of the data folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The file, relative to the data folder, with `/` on every system.
    pub path: String,
    /// The line it is in, counted from 1.
    pub line: Option<u32>,
    /// The column it starts at, counted from 1.
    pub column: Option<u32>,
    /// The value it is about, like `rows[2].key`.
    pub field: Option<String>,
    /// A sentence somebody can act on.
    pub message: String,
}

impl Problem {
    /// A problem of a whole file.
    pub fn new(kind: ProblemKind, path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self { kind, path, line: None, column: None, field: None, message }
    }

    /// The same, at a place in the file (both counted from 1).
    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// The same, about one value.
    pub fn of_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// How much it hurts.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

/// `content/posts/a.json:3:7: rows[2].key: This field is required.`
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

/// What is wrong with the values of one body, in the order found: field path and sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldProblems(Vec<(String, String)>);

impl FieldProblems {
    /// Nothing wrong yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One thing wrong.
    pub fn one(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self(vec![(field.into(), message.into())])
    }

    /// Adds one more. An empty field path is the value itself; [`FieldProblems::at`] names it.
    pub fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push((field.into(), message.into()));
    }

    /// Adds what was found elsewhere.
    pub fn extend(&mut self, others: FieldProblems) {
        self.0.extend(others.0);
    }

    /// The same problems, seen from one level further out: at `rows[2]`, `key` becomes
    /// `rows[2].key`, `[0]` becomes `rows[2][0]` and the empty path becomes `rows[2]`.
    pub fn at(mut self, prefix: &str) -> Self {
        for (path, _) in &mut self.0 {
            let joined = !prefix.is_empty() && !path.is_empty() && !path.starts_with('[');
            path.insert_str(0, if joined { "." } else { "" });
            path.insert_str(0, prefix);
        }
        self
    }

    /// Whether all is well.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Field path and sentence of each, in the order found.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(field, message)| (field.as_str(), message.as_str()))
    }

    /// The first sentence about a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.iter().find(|(path, _)| *path == field).map(|(_, message)| message)
    }

    /// `value`, unless something is wrong.
    pub fn or<T>(self, value: T) -> Result<T, FieldProblems> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The same as problems of a file.
    pub fn in_file(self, kind: ProblemKind, path: &str) -> Vec<Problem> {
        let problem = |(field, message): (String, String)| {
            let problem = Problem::new(kind, path, message);
            if field.is_empty() { problem } else { problem.of_field(field) }
        };
        self.0.into_iter().map(problem).collect()
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

/// As a map from path to sentence; of several about one path the first is told.
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
        let placed = problem.at(3, 7).of_field("rows[2].key");
        assert_eq!(placed.to_string(), "a/b.json:3:7: rows[2].key: Too long.");
    }

    #[test]
    fn paths_nest() {
        let check = |path: &str, prefix: &str, expect: &str| {
            let problems = FieldProblems::one(path, "x").at(prefix);
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
        assert!(problems.clone().or(()).is_ok());
        problems.add("title", "This field is required.");
        problems.add("title", "Told already.");
        problems.extend(FieldProblems::one("url", "Not a URL.").at("links[2]"));
        assert_eq!(problems.len(), 3);
        assert_eq!(
            serde_json::to_string(&problems).unwrap(),
            r#"{"title":"This field is required.","links[2].url":"Not a URL."}"#
        );
        assert_eq!(problems.get("links[2].url"), Some("Not a URL."));
        let of_file = problems.in_file(ProblemKind::SchemaViolation, "a.json");
        assert_eq!(of_file[2].field.as_deref(), Some("links[2].url"));
    }
}
