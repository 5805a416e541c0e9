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
use crate::model::people::role::RoleRecord;
use crate::model::people::user::UserRecord;
use crate::model::revision::RevisionName;
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
    /// The roles. Whoever lets others import has checked that they may hand out these grants.
    pub roles: Vec<(SourcePlace, RoleRecord)>,
    /// The users.
    pub users: Vec<(SourcePlace, UserRecord)>,
    /// The pictures of users, by their ids: paths in the source.
    pub avatars: Vec<(EntryId, String)>,
    /// The webhooks, as in their file. They are switched off.
    pub webhooks: Vec<(SourcePlace, Map)>,
    /// The settings of the workspace.
    pub workspace: ImportedWorkspace,
    /// The categories of media files.
    pub categories: Vec<CategoryPath>,
    /// True if required values may be missing: the source has entries without them.
    pub is_lenient: bool,
    /// The notation of texts in which links and pictures are rewritten.
    pub links: LinkNotation,
    /// The remarks of the reader.
    pub report: ImportReport,
}

impl ImportSet {
    /// Removes what is no content, with a remark.
    pub fn leave_out_installation(&mut self) {
        let n_people = self.users.len() + self.roles.len();
        let n_webhooks = self.webhooks.len();
        if n_people > 0 || n_webhooks > 0 {
            let message = format!(
                "The source has {n_people} users and roles and {n_webhooks} webhooks, which only \
                 the command `recto import` imports."
            );
            self.report.add_skipped(SourcePlace::default(), message);
        }
        self.users.clear();
        self.roles.clear();
        self.avatars.clear();
        self.webhooks.clear();
        self.workspace = ImportedWorkspace::default();
    }
}

/// The settings of a workspace of a source.
#[derive(Default)]
pub struct ImportedWorkspace {
    /// The name that people see.
    pub label: Option<String>,
    /// The order in which types are shown.
    pub types: Vec<TypeName>,
    /// The picture: a path in the source.
    pub icon: Option<String>,
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
    /// The id of the user who changed it last.
    pub updated_by: Option<String>,
    /// The names by which others in the source refer to it: paths or addresses.
    pub names: Vec<String>,
    /// The names of columns, by field.
    pub columns: HashMap<String, String>,
    /// The deletion, if the entry is in the trash.
    pub deletion: Option<EntryDeletion>,
    /// The earlier states.
    pub history: Vec<EarlierState>,
}

/// The deletion of an entry that is in the trash.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryDeletion {
    /// The time; that of the import if it is not known.
    pub at: Option<Timestamp>,
    /// The id of the user who deleted it.
    pub by: Option<String>,
}

/// An earlier state of an entry.
pub struct EarlierState {
    /// The place that it was found at.
    pub place: SourcePlace,
    /// The values, as those of the entry.
    pub values: Map,
    /// The times of creation and of the last change.
    pub created_at: Option<Timestamp>,
    /// The time of its last change.
    pub updated_at: Option<Timestamp>,
    /// The name as a revision.
    pub name: RevisionName,
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
            updated_by: None,
            names: Vec::new(),
            columns: HashMap::new(),
            deletion: None,
            history: Vec::new(),
        }
    }
}

/// A media file of a source.
pub struct ImportedFile {
    /// The path in the source.
    pub path: String,
    /// The name that it has for people, if the path has another.
    pub file_name: Option<String>,
    /// The names by which texts and values refer to it: paths or addresses.
    pub names: Vec<String>,
    /// The metadata.
    pub meta: MetaChange,
    /// True if a file that cannot be stored is left out; else it is a problem.
    pub is_optional: bool,
    /// True if the file keeps its name, by which its addresses stay the same.
    pub keeps_name: bool,
}
