//! The survey of a backup: every file of a workspace or of the installation, including unwatched
//! ones.

use crate::model::backup::ArchiveDefect;
use crate::model::name::WorkspaceSlug;
use crate::store::archive::BackupSelection;
use crate::store::disk::{Disk, FileKind, FolderItem, Stat};
use crate::store::error::StoreError;
use crate::store::layout::{Folder, Key, NameMeaning};
use crate::store::read::load::is_absence;

/// A part of the data folder that is backed up as of one moment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BackupScope {
    /// A workspace.
    Workspace(WorkspaceSlug),
    /// The files shared by all workspaces.
    System,
}

/// A listed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveyedFile {
    /// The key.
    pub key: Key,
    /// The path.
    pub path: String,
    /// The stat at the time of the listing.
    pub stat: Stat,
}

/// The result of a survey, sorted by path.
#[derive(Debug, Default)]
pub struct FileSurvey {
    /// The selected files.
    pub files: Vec<SurveyedFile>,
    /// The files that are left out, with the reasons.
    pub defects: Vec<ArchiveDefect>,
}

impl BackupScope {
    /// Returns the scopes of a selection: the existing workspaces, then the installation.
    pub fn list_scopes(
        disk: &dyn Disk,
        selection: &BackupSelection,
    ) -> Result<Vec<BackupScope>, StoreError> {
        let path = Folder::Workspaces.path();
        let items = match disk.list(&path) {
            Ok(listing) => listing.items,
            Err(error) if is_absence(&error) => Vec::new(),
            Err(error) => return Err(StoreError::io("list", path)(error)),
        };
        let folders = items.into_iter().filter(|it| it.kind == FileKind::Folder);
        let there = folders.filter_map(|it| match Folder::Workspaces.classify_folder(&it.name) {
            NameMeaning::Ours(Folder::Workspace(ws)) => Some(ws),
            _ => None,
        });
        let meant = there.filter(|ws| match &selection.workspaces {
            Some(some) => some.contains(ws),
            None => true,
        });
        Ok(meant.map(BackupScope::Workspace).chain([BackupScope::System]).collect())
    }

    /// Returns the scope of a file.
    pub fn of_key(key: &Key) -> BackupScope {
        key.workspace().cloned().map_or(BackupScope::System, BackupScope::Workspace)
    }

    fn top_folder(&self) -> Folder {
        match self {
            BackupScope::Workspace(ws) => Folder::Workspace(ws.clone()),
            BackupScope::System => Folder::System,
        }
    }
}

/// Lists the selected files of a scope.
pub fn list_files(
    disk: &dyn Disk,
    scope: &BackupScope,
    selection: &BackupSelection,
) -> Result<FileSurvey, StoreError> {
    let mut survey = FileSurvey::default();
    let mut folders = vec![scope.top_folder()];
    while let Some(folder) = folders.pop() {
        let path = folder.path();
        let listing = match disk.list(&path) {
            Ok(listing) => listing,
            Err(error) if is_absence(&error) => continue,
            Err(error) => return Err(StoreError::io("list", path)(error)),
        };
        for item in listing.items {
            survey.add_item(&folder, &path, item, selection, &mut folders);
        }
    }
    survey.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(survey)
}

impl FileSurvey {
    fn add_item(
        &mut self,
        folder: &Folder,
        path: &str,
        item: FolderItem,
        selection: &BackupSelection,
        folders: &mut Vec<Folder>,
    ) {
        let path = format!("{path}/{}", item.name);
        if item.kind == FileKind::Folder {
            if let NameMeaning::Ours(below) = folder.classify_folder(&item.name)
                && selection.reaches_into(&below)
            {
                folders.push(below);
            }
            return;
        }
        match folder.classify_file(&item.name) {
            NameMeaning::Ours(key) if !selection.includes_key(&key) => {}
            NameMeaning::Ours(key) if item.kind == FileKind::File => {
                self.files.push(SurveyedFile { key, path, stat: item.stat });
            }
            NameMeaning::Ours(_) => {
                self.defects
                    .push(ArchiveDefect::new(path, "This is not a regular file; it was left out."));
            }
            NameMeaning::Misnamed(_, why) => {
                self.defects
                    .push(ArchiveDefect::new(path, format!("Its name is not valid: {why}")));
            }
            NameMeaning::Ignored => {}
        }
    }
}
