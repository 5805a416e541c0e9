//! The repairs of `recto check`. `--fix` rewrites entries, their states in changes and schemas in
//! canonical form without changing their content, and skips files that cannot be parsed.
//! `--remove-orphans` removes revisions that belong to no entry.

use crate::cli::canonical_form;
use crate::cli::error::CommandError;
use crate::cli::schema::TypesOfWorkspace;
use crate::cli::schema::load_types;
use crate::model::change::proposes_deletion;
use crate::model::content_type::ContentType;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::json::Json;
use crate::store::codec;
use crate::store::data_folder::DataFolder;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::lock::InstanceLock;
use crate::store::lock::WriteLock;
use crate::store::read::load;
use crate::store::write::journal;
use crate::store::write::orphaned_revisions;

/// Rewrites files that are not canonical. Returns their paths.
pub(super) fn rewrite_files(places: &DataFolder) -> Result<Vec<String>, CommandError> {
    let (disk, lock) = open_locked(places)?;
    let types = load_types(&disk)?;
    let mut rewritten = Vec::new();
    let mut bytes = Vec::new();
    for file in load::scan_folders(&disk, &[Folder::Workspaces])?.into_files() {
        let path = file.path();
        let is_state =
            matches!(file.key, Key::Entry(..) | Key::Proposal(..) | Key::ProposalBase(..));
        if !is_state && !matches!(file.key, Key::Schema(..)) {
            continue;
        }
        // A running server can write between two files.
        let mut turn = lock.acquire_turn()?;
        if disk.read(&path, &mut bytes).is_err() {
            continue;
        }
        if let Some(canonical) = canonical_form(&file.key, &path, &bytes, &types)
            && canonical != bytes
        {
            disk::rewrite_file(&disk, &path, &canonical)?;
            turn.record_paths(std::slice::from_ref(&path))?;
            rewritten.push(path);
        }
    }
    Ok(rewritten)
}

/// Removes the revisions of entries that no longer exist. Returns the paths of their folders.
pub(super) fn remove_orphans(places: &DataFolder) -> Result<Vec<String>, CommandError> {
    let (disk, lock) = open_locked(places)?;
    let mut removed = Vec::new();
    for folder in orphaned_revisions::find_orphans(&disk)? {
        // The lock keeps a running server from creating an entry with this id.
        let _turn = lock.acquire_turn()?;
        check_finished(&disk)?;
        if orphaned_revisions::remove_orphans(&disk, &folder)? {
            removed.push(folder.path());
        }
    }
    Ok(removed)
}

/// Opens the folder and finishes an interrupted change first: during one, it is unknown which
/// revisions have an entry, and a file rewritten now would be missing from it.
fn open_locked(places: &DataFolder) -> Result<(OsDisk, WriteLock), CommandError> {
    let disk = OsDisk::open_places(places)?;
    let lock = WriteLock::open(places.root())?;
    {
        let _turn = lock.acquire_turn()?;
        // A running server finishes its own changes.
        if let Ok(_instance) = InstanceLock::acquire_places(places) {
            journal::recover_changes(&disk)?;
        }
        check_finished(&disk)?;
    }
    Ok((disk, lock))
}

fn check_finished(disk: &OsDisk) -> Result<(), CommandError> {
    if journal::is_under_way(disk)? {
        let message = "journal/ has an unfinished change; start Recto once, then try again";
        return Err(CommandError::failed(message));
    }
    Ok(())
}

fn canonical_form(
    key: &Key,
    path: &str,
    bytes: &[u8],
    types: &[TypesOfWorkspace],
) -> Option<Vec<u8>> {
    let document = codec::parse_document(path, bytes).ok()?;
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
    match key {
        // What proposes to delete an entry is no state of it.
        Key::Proposal(..) if proposes_deletion(&document.map) => None,
        Key::Entry(ws, name, _)
        | Key::Proposal(ws, _, name, _)
        | Key::ProposalBase(ws, _, name, _) => {
            canonical_form::canonical_entry(text, find_type(types, ws, name))
        }
        Key::Schema(_, name) => {
            ContentType::parse(name.clone(), &Json::Object(document.map)).0?;
            canonical_form::canonical_schema(text)
        }
        _ => None,
    }
}

fn find_type<'a>(
    types: &'a [TypesOfWorkspace],
    ws: &WorkspaceSlug,
    name: &TypeName,
) -> Option<&'a ContentType> {
    let of_workspace = types.iter().find(|it| it.workspace == *ws)?;
    of_workspace.types.iter().find(|it| it.name == *name)
}
