//! Every file of a workspace, or of the installation: also those that are not watched.

use crate::model::backup::Flaw;
use crate::model::name::WorkspaceSlug;
use crate::store::archive::Selection;
use crate::store::disk::{Disk, Kind, Listed, Stat};
use crate::store::error::StoreError;
use crate::store::layout::{Folder, Key, Named};
use crate::store::load::is_absence;

/// What is looked at as of one moment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// One workspace.
    Workspace(WorkspaceSlug),
    /// What all workspaces share.
    System,
}

/// A file that was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which file.
    pub key: Key,
    /// Where it is.
    pub path: String,
    /// Its stat when it was listed.
    pub stat: Stat,
}

/// What was found, by path, and what of it is no file that could be taken.
#[derive(Debug, Default)]
pub struct Survey {
    /// The files that are meant.
    pub files: Vec<Found>,
    /// What is left out, and why.
    pub flaws: Vec<Flaw>,
}

impl Scope {
    /// The scopes a selection reaches into: the workspaces that are there, then the installation.
    pub fn of(disk: &dyn Disk, selection: &Selection) -> Result<Vec<Scope>, StoreError> {
        let path = Folder::Workspaces.path();
        let items = match disk.list(&path) {
            Ok(listing) => listing.items,
            Err(error) if is_absence(&error) => Vec::new(),
            Err(error) => return Err(StoreError::io("list", path)(error)),
        };
        let folders = items.into_iter().filter(|it| it.kind == Kind::Folder);
        let there = folders.filter_map(|it| match Folder::Workspaces.folder(&it.name) {
            Named::Ours(Folder::Workspace(ws)) => Some(ws),
            _ => None,
        });
        let meant = there.filter(|ws| match &selection.workspaces {
            Some(some) => some.contains(ws),
            None => true,
        });
        Ok(meant.map(Scope::Workspace).chain([Scope::System]).collect())
    }

    /// The scope a file belongs to.
    pub fn of_key(key: &Key) -> Scope {
        key.workspace().cloned().map_or(Scope::System, Scope::Workspace)
    }

    fn folder(&self) -> Folder {
        match self {
            Scope::Workspace(ws) => Folder::Workspace(ws.clone()),
            Scope::System => Folder::System,
        }
    }
}

/// Lists the files of a scope that are meant.
pub fn survey(disk: &dyn Disk, scope: &Scope, selection: &Selection) -> Result<Survey, StoreError> {
    let mut survey = Survey::default();
    let mut folders = vec![scope.folder()];
    while let Some(folder) = folders.pop() {
        let path = folder.path();
        let listing = match disk.list(&path) {
            Ok(listing) => listing,
            Err(error) if is_absence(&error) => continue,
            Err(error) => return Err(StoreError::io("list", path)(error)),
        };
        for item in listing.items {
            survey.add(&folder, &path, item, selection, &mut folders);
        }
    }
    survey.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(survey)
}

impl Survey {
    fn add(
        &mut self,
        folder: &Folder,
        path: &str,
        item: Listed,
        selection: &Selection,
        folders: &mut Vec<Folder>,
    ) {
        let path = format!("{path}/{}", item.name);
        if item.kind == Kind::Folder {
            if let Named::Ours(below) = folder.folder(&item.name)
                && selection.reaches(&below)
            {
                folders.push(below);
            }
            return;
        }
        match folder.file(&item.name) {
            Named::Ours(key) if !selection.holds(&key) => {}
            Named::Ours(key) if item.kind == Kind::File => {
                self.files.push(Found { key, path, stat: item.stat });
            }
            Named::Ours(_) => {
                self.flaws.push(Flaw::new(path, "This is no regular file; it was left out."));
            }
            Named::Misnamed(_, why) => {
                self.flaws.push(Flaw::new(path, format!("Its name is none of ours: {why}")));
            }
            Named::Ignored => {}
        }
    }
}
