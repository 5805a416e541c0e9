//! The content of a source in the terms of Recto: content types, entries and media files. Every
//! reader of a format makes one, and the planner compares it with the workspace.

use std::collections::HashMap;

use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::model::media::MetaChange;
use crate::model::media::category::CategoryPath;
use crate::model::name::EntryId;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The content of a source.
#[derive(Default)]
pub struct ImportSet {
    /// The content types. Those that the workspace has stay as they are.
    pub types: Vec<ImportedType>,
    /// The entries.
    pub entries: Vec<ImportedEntry>,
    /// The media files.
    pub media: Vec<ImportedFile>,
    /// The categories of media files.
    pub categories: Vec<CategoryPath>,
    /// True if required values may be missing: the source has entries without them.
    pub is_lenient: bool,
    /// The notation of texts in which links and pictures are rewritten.
    pub links: LinkNotation,
    /// The remarks of the reader.
    pub report: ImportReport,
}

/// The notation of the texts of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkNotation {
    /// Texts stay as they are.
    #[default]
    None,
    /// Paths from the file of the entry, or from the root of the source.
    Paths,
    /// Whole addresses.
    Addresses,
}

/// A content type of a source.
pub struct ImportedType {
    /// The name.
    pub name: TypeName,
    /// The definition, as a request that creates the type has it.
    pub definition: Map,
    /// The place that it was found at.
    pub place: SourcePlace,
}

/// The way in which the entry of the workspace is found that an imported one updates.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryKey {
    /// The entry of this id.
    Id(EntryId),
    /// The entry with this slug.
    Slug(String),
    /// The entry with this value in a field.
    Value(FieldName, Json),
}

/// An entry of a source.
pub struct ImportedEntry {
    /// The place that it was found at.
    pub place: SourcePlace,
    /// The content type.
    pub type_name: TypeName,
    /// The way to find the entry that it updates; by the slug that its title makes unless given.
    pub key: Option<EntryKey>,
    /// The id that it gets if it is new.
    pub id: Option<EntryId>,
    /// The values, as a request of the admin API has them.
    pub values: Map,
    /// The time of creation.
    pub created_at: Option<Timestamp>,
    /// The time of the last change.
    pub updated_at: Option<Timestamp>,
    /// The names by which others in the source refer to it: paths or addresses.
    pub names: Vec<String>,
    /// The names of columns, by field.
    pub columns: HashMap<String, String>,
}

impl ImportedEntry {
    /// Creates an entry without values.
    pub fn new(place: SourcePlace, type_name: TypeName) -> ImportedEntry {
        ImportedEntry {
            place,
            type_name,
            key: None,
            id: None,
            values: Map::new(),
            created_at: None,
            updated_at: None,
            names: Vec::new(),
            columns: HashMap::new(),
        }
    }
}

/// A media file of a source.
pub struct ImportedFile {
    /// The path in the source.
    pub path: String,
    /// The names by which texts and values refer to it: paths or addresses.
    pub names: Vec<String>,
    /// The metadata.
    pub meta: MetaChange,
    /// True if a file that cannot be stored is left out; else it is a problem.
    pub is_optional: bool,
    /// True if the file keeps its name, by which its addresses stay the same.
    pub keeps_name: bool,
}
