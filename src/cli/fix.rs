//! `recto check --fix`: entries and schemas in canonical form. What they say stays as it is, and a
//! file that cannot be read is left to the people who can mend it. `recto check --remove-orphans`:
//! revisions that no entry has any more.

use std::path::Path;

use crate::cli::canonical;
use crate::cli::error::Error;
use crate::cli::schema::TypesOfWorkspace;
use crate::cli::schema::types_of;
use crate::model::content_type::ContentType;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::json::Json;
use crate::store::codec;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load;
use crate::store::lock::WriteLock;
use crate::store::orphans;

/// Rewrites what is not canonical and tells which files that were.
pub(super) fn run(root: &Path) -> Result<Vec<String>, Error> {
    let disk = OsDisk::open(root).map_err(StoreError::io("open", root.display().to_string()))?;
    let lock = WriteLock::open(root)?;
    let types = types_of(&disk)?;
    let mut rewritten = Vec::new();
    let mut bytes = Vec::new();
    for file in load::scan(&disk, &[Folder::Workspaces])?.files {
        let path = file.path();
        if !matches!(file.key, Key::Entry(..) | Key::Schema(..)) {
            continue;
        }
        // A server that runs beside has its turn between two files.
        let mut turn = lock.take()?;
        if disk.read(&path, &mut bytes).is_err() {
            continue;
        }
        if let Some(canonical) = canonical(&file.key, &path, &bytes, &types)
            && canonical != bytes
        {
            disk::replace(&disk, &path, &canonical)?;
            turn.note(std::slice::from_ref(&path))?;
            rewritten.push(path);
        }
    }
    Ok(rewritten)
}

/// Removes the revisions of entries that are gone, and tells where they were.
pub(super) fn remove_orphans(root: &Path) -> Result<Vec<String>, Error> {
    let disk = OsDisk::open(root).map_err(StoreError::io("open", root.display().to_string()))?;
    let lock = WriteLock::open(root)?;
    let mut removed = Vec::new();
    for folder in orphans::find(&disk)? {
        // A server that runs beside makes no entry of this id meanwhile.
        let _turn = lock.take()?;
        if orphans::remove(&disk, &folder)? {
            removed.push(folder.path());
        }
    }
    Ok(removed)
}

fn canonical(key: &Key, path: &str, bytes: &[u8], types: &[TypesOfWorkspace]) -> Option<Vec<u8>> {
    let document = codec::parse(path, bytes).ok()?;
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
    match key {
        Key::Entry(ws, name, _) => canonical::entry(text, find(types, ws, name)),
        Key::Schema(_, name) => {
            ContentType::parse(name.clone(), &Json::Object(document.map)).0?;
            canonical::schema(text)
        }
        _ => None,
    }
}

fn find<'a>(
    types: &'a [TypesOfWorkspace],
    ws: &WorkspaceSlug,
    name: &TypeName,
) -> Option<&'a ContentType> {
    let of_workspace = types.iter().find(|it| it.workspace == *ws)?;
    of_workspace.types.iter().find(|it| it.name == *name)
}
