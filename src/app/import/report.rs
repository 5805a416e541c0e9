//! The report of an import: what it does, what it leaves out, and what keeps it from happening.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::name::TypeName;

/// The place in a source that something is said about.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(rename = "ImportPlace")]
pub struct SourcePlace {
    /// The path of the file in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub file: Option<String>,
    /// The row of a table, as spreadsheets count them: the names of the columns are row 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub row: Option<u64>,
    /// The line of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub line: Option<u64>,
    /// The column, key or field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub field: Option<String>,
}

impl SourcePlace {
    /// Returns the place of a whole file.
    pub fn of_file(file: &str) -> SourcePlace {
        SourcePlace { file: Some(file.to_string()), ..SourcePlace::default() }
    }

    /// Returns the place of a field within this one.
    #[must_use]
    pub fn with_field(&self, field: impl Into<String>) -> SourcePlace {
        SourcePlace { field: Some(field.into()), ..self.clone() }
    }

    /// Returns the place of a field within this one, which may be a part of a file itself.
    #[must_use]
    pub fn join_field(&self, field: &str) -> SourcePlace {
        match &self.field {
            Some(outer) => self.with_field(format!("{outer}.{field}")),
            None => self.with_field(field),
        }
    }

    /// Returns the place of a line within this one.
    #[must_use]
    pub fn with_line(&self, line: u64) -> SourcePlace {
        SourcePlace { line: Some(line), ..self.clone() }
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.iter().cloned();
        let row = self.row.map(|it| format!("row {it}"));
        let line = self.line.filter(|_| self.row.is_none()).map(|it| format!("line {it}"));
        let field = self.field.as_ref().map(|it| format!("`{it}`"));
        let parts: Vec<String> = file.chain(row).chain(line).chain(field).collect();
        f.write_str(&parts.join(", "))
    }
}

/// A sentence about a place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct ImportRemark {
    /// The place.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// The sentence.
    pub message: String,
}

impl ImportRemark {
    /// Creates a remark.
    pub fn new(place: SourcePlace, message: impl Into<String>) -> ImportRemark {
        ImportRemark { place, message: message.into() }
    }
}

impl fmt::Display for ImportRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        if place.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{place}: {}", self.message)
        }
    }
}

/// The numbers of things that are created, updated and left as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportCounts {
    /// Those that are new.
    pub created: usize,
    /// Those that exist and change.
    pub updated: usize,
    /// Those that are in the workspace already.
    pub unchanged: usize,
}

impl ImportCounts {
    /// Adds other numbers.
    pub fn add(&mut self, other: ImportCounts) {
        self.created += other.created;
        self.updated += other.updated;
        self.unchanged += other.unchanged;
    }
}

/// A content type that an import uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ImportedType")]
pub struct ImportedTypeInfo {
    /// The name.
    pub name: TypeName,
    /// True if the import creates it.
    pub created: bool,
    /// The fields with their kinds, `name: kind`.
    pub fields: Vec<String>,
    /// The entries of the type.
    pub entries: ImportCounts,
}

/// The report of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// The content types that entries go into.
    pub types: Vec<ImportedTypeInfo>,
    /// The entries.
    pub entries: ImportCounts,
    /// The media files.
    pub media: ImportCounts,
    /// The earlier states of entries.
    pub revisions: ImportCounts,
    /// The users and roles.
    pub people: ImportCounts,
    /// The number of files that are written.
    pub files: usize,
    /// The parts of the source that are left out, with the reason.
    pub skipped: Vec<ImportRemark>,
    /// The parts that are imported differently from how they are in the source.
    pub altered: Vec<ImportRemark>,
    /// The mistakes to correct. If there are any, nothing is written.
    pub problems: Vec<ImportRemark>,
}

impl ImportReport {
    /// Adds a problem.
    pub fn add_problem(&mut self, place: SourcePlace, message: impl Into<String>) {
        self.problems.push(ImportRemark::new(place, message));
    }

    /// Adds something that is left out.
    pub fn add_skipped(&mut self, place: SourcePlace, message: impl Into<String>) {
        self.skipped.push(ImportRemark::new(place, message));
    }

    /// Adds something that is imported differently.
    pub fn add_altered(&mut self, place: SourcePlace, message: impl Into<String>) {
        self.altered.push(ImportRemark::new(place, message));
    }
}
