//! The check of the files that are read only when somebody asks for them: revisions and deleted
//! entries.

use crate::engine::load::loader::Loader;
use crate::engine::parse::file_parser;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::store::layout::Folder;
use crate::store::read::load;
use crate::store::read::load::FileRef;

/// Reads all revisions and deleted entries of a workspace, and reports those that cannot be used.
pub(super) fn check_kept_files(loader: &Loader<'_>, ws: &WorkspaceSlug) -> Vec<Problem> {
    let folders = [Folder::TrashOfAll(ws.clone()), Folder::RevisionsOfAll(ws.clone())];
    let mut scan = load::scan_listable(loader.disk, &folders);
    let mut problems = std::mem::take(&mut scan.problems);
    let files: Vec<FileRef> = scan.into_files().collect();
    // What is in them counts once they are restored.
    let read = loader.read_files(&files, |file, bytes, _| {
        file_parser::parse_json(&file.path(), bytes).map(|_| ())
    });
    let found = read.into_iter().flat_map(|(_, it)| it.problems);
    problems.extend(found.filter(|it| it.kind.blocks_loading()));
    problems
}
