//! Files that a change makes it necessary to read although they did not change, and the facts that
//! are the same for all files of a change.

use std::sync::Arc;

use crate::engine::parse::file_parser::EntryReader;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::time::Timestamp;
use crate::store::read::body_pack::PackedBody;

/// Files that a change makes it necessary to read although they did not change.
pub(crate) trait FileSource {
    /// Reads and renders all entries of a type but those that `are_known`. `None`, if they cannot
    /// all be read now.
    fn load_entries(
        &mut self,
        reader: &EntryReader<'_>,
        are_known: &dyn Fn(&EntryId) -> bool,
    ) -> Option<LoadedEntries>;
    /// Lists the types of which there are entries. Asked only if nothing is known yet.
    fn list_types(&mut self) -> Vec<TypeName>;
    /// Lists the paths of the entries of a type.
    fn list_entries(&mut self, name: &TypeName) -> Vec<String>;
    /// Reads the last good body of a file.
    fn read_last_good(&self, path: &str) -> Option<PackedBody>;
}

/// All entries of a type.
#[derive(Default)]
pub(crate) struct LoadedEntries {
    pub(crate) docs: Vec<Arc<RenderedEntry>>,
    /// The problems inside their files, by path; none where all is well.
    pub(crate) problems: Vec<(String, Vec<Problem>)>,
}

/// Facts that are the same for all files of one change.
#[derive(Clone, Copy)]
pub(crate) struct ApplyContext<'a> {
    pub(crate) workspace: &'a WorkspaceSlug,
    /// The number of the next snapshot.
    pub(crate) version: u64,
    pub(crate) now: Timestamp,
    /// The prefix of filenames in URLs.
    pub(crate) media_base: &'a str,
}

/// The first generation of indexes that are built for one version of a workspace: generations of
/// different builds never meet.
pub(crate) fn first_generation(version: u64) -> u64 {
    version << 32
}
