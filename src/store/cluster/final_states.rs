//! The files that a change leaves, resolved from its steps.

use std::collections::BTreeMap;

use crate::store::disk::{Disk, FileEffect, FileKind};
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::read::load::is_absence;

/// The state after a change: for each file the local file with its content, or nothing if it is
/// gone.
#[derive(Debug, Default)]
pub(crate) struct FinalStates {
    pub(crate) files: BTreeMap<String, Option<String>>,
    /// The files that must not exist before.
    pub(crate) created: Vec<String>,
    pub(crate) folders: Vec<String>,
}

impl FinalStates {
    /// Resolves the steps of a change on the files as they are.
    pub(crate) fn resolve(
        disk: &dyn Disk,
        effects: &[FileEffect],
        is_shared: impl Fn(&str) -> bool,
    ) -> Result<FinalStates, StoreError> {
        let mut states = FinalStates::default();
        for effect in effects {
            states.add_effect(disk, effect)?;
        }
        states.files.retain(|path, _| is_shared(path));
        states.created.retain(|path| is_shared(path));
        Ok(states)
    }

    fn add_effect(&mut self, disk: &dyn Disk, effect: &FileEffect) -> Result<(), StoreError> {
        match effect {
            FileEffect::Put { path, from, is_new } => {
                if *is_new {
                    self.expect_free(path);
                }
                self.files.insert(path.clone(), Some(from.clone()));
            }
            FileEffect::Remove { path } => _ = self.files.insert(path.clone(), None),
            FileEffect::Rename { from, to } => {
                let source = self.source_of(from);
                self.expect_free(to);
                self.files.insert(from.clone(), None);
                self.files.insert(to.clone(), source);
            }
            FileEffect::Keep { path, kept } => {
                if let Some(source) = self.source_of(path)
                    && exists(disk, &source)?
                {
                    self.files.insert(kept.clone(), Some(source));
                }
            }
            FileEffect::RemoveFolder { folder } => {
                list_files(disk, folder, ListedFiles::Ours, &mut |path| {
                    _ = self.files.insert(path, None)
                })?;
                let below = format!("{folder}/");
                let staged = self.files.iter_mut().filter(|(path, _)| path.starts_with(&below));
                staged.for_each(|(_, source)| *source = None);
                self.folders.push(folder.clone());
            }
        }
        Ok(())
    }

    /// The local file with the content that a file has after the steps so far.
    fn source_of(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned().unwrap_or_else(|| Some(path.to_string()))
    }

    /// Has it checked that a file is not there, unless an earlier step removed it.
    fn expect_free(&mut self, path: &str) {
        if !self.files.contains_key(path) {
            self.created.push(path.to_string());
        }
    }
}

fn exists(disk: &dyn Disk, path: &str) -> Result<bool, StoreError> {
    match disk.stat(path) {
        Ok(_) => Ok(true),
        Err(error) if is_absence(&error) => Ok(false),
        Err(error) => Err(StoreError::io("look at", path)(error)),
    }
}

/// The files that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListedFiles {
    /// Those with names that Recto gives.
    Ours,
    /// All.
    All,
}

/// Passes the paths of files in a folder and below it to `each`.
pub(crate) fn list_files(
    disk: &dyn Disk,
    folder: &str,
    listed: ListedFiles,
    each: &mut dyn FnMut(String),
) -> Result<(), StoreError> {
    let listing = match disk.list(folder) {
        Ok(listing) => listing,
        Err(error) if is_absence(&error) => return Ok(()),
        Err(error) => return Err(StoreError::io("list", folder)(error)),
    };
    let place = Folder::parse(folder);
    for item in listing.items {
        let path =
            if folder.is_empty() { item.name.clone() } else { format!("{folder}/{}", item.name) };
        match item.kind {
            FileKind::Folder => list_files(disk, &path, listed, each)?,
            FileKind::File => {
                let is_ours = |it: &Folder| it.classify_file(&item.name).into_ours().is_some();
                if listed == ListedFiles::All || place.as_ref().is_some_and(is_ours) {
                    each(path);
                }
            }
            FileKind::Link | FileKind::Other => {}
        }
    }
    Ok(())
}
