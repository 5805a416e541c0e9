//! The layout of the data folder: conversion between paths and [`Key`]s or [`Folder`]s. This module
//! only deals with names; `disk` accesses the files.
//!
//! Paths are relative to the data folder, with `/` on every system.

mod keyless_paths;

use std::fmt;
use std::ops::Deref;

use crate::model::name::{EntryId, EntryPlace, Filename, TokenId, TypeName, WorkspaceSlug};
use crate::model::problem::ProblemKind;
use crate::model::revision::RevisionName;
pub use crate::store::layout::keyless_paths::*;
use crate::store::layout::keyless_paths::{JSON, MEDIA_REVISIONS};

/// The folder of internal files.
pub const RUNTIME: &str = ".recto";
/// The folder of unfinished files.
pub const TMP: &str = ".recto/tmp";
/// The folder of unfinished files of the state directory, which may be on another file system.
pub const STATE_TMP: &str = ".recto/state-tmp";
/// The marker in the data folder with the path of a separate state directory.
pub const STATE_MARK: &str = ".recto/state-dir";
/// The marker in a state directory with the path of its data folder.
pub const FOLDER_MARK: &str = ".recto/data-folder";
/// Lock files; never unlinked.
pub const LOCKS: &str = ".recto/locks";
/// The lock that a server holds as long as it runs.
pub const INSTANCE_LOCK: &str = ".recto/locks/instance.lock";
/// The lock held while a batch is written.
pub const WRITE_LOCK: &str = ".recto/locks/write.lock";
/// The lock held while waiting for the write lock.
pub const NEXT_LOCK: &str = ".recto/locks/next.lock";
/// The lock held while a new version of the program is downloaded or installed.
pub const UPDATE_LOCK: &str = ".recto/locks/update.lock";
/// The lock held while a backup is on its way into a target.
pub const BACKUP_LOCK: &str = ".recto/locks/backup.lock";
/// The pack of last accepted bodies.
pub const BODIES: &str = ".recto/bodies";
/// The packs of rendered entries.
pub const RENDERED: &str = ".recto/rendered";
/// The inventories of what readers were sent.
pub const INVENTORIES: &str = ".recto/sync";
/// The checksums of media files.
pub const MEDIA_SUMS: &str = ".recto/media-sums";
/// The sketches of pictures.
pub const MEDIA_SKETCHES: &str = ".recto/media-sketches";
/// The folder of all workspaces.
pub const WORKSPACES: &str = "workspaces";
/// The folder of the entries in a workspace, with one folder for each type.
const CONTENT: &str = "content";
/// Users, roles, tokens and settings of the installation.
pub const SYSTEM: &str = "system";

const WORKSPACE_FILE: &str = "workspace.json";
const ICON_FILE: &str = "icon.png";
const CATEGORIES_FILE: &str = "media-categories.json";
const CHANGE_FILE: &str = "change.json";

/// A file of the data folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// The label, state and order of content types of a workspace.
    Workspace(WorkspaceSlug),
    /// The picture of a workspace.
    Icon(WorkspaceSlug),
    /// The media categories of a workspace.
    Categories(WorkspaceSlug),
    /// The definition of a content type.
    Schema(WorkspaceSlug, TypeName),
    /// An entry.
    Entry(WorkspaceSlug, TypeName, EntryId),
    /// An earlier state of an entry.
    Revision(WorkspaceSlug, TypeName, EntryCopy, EntryId),
    /// A deleted entry.
    Trash(WorkspaceSlug, TypeName, EntryCopy),
    /// The record of a change.
    Change(WorkspaceSlug, EntryId),
    /// The proposed state of an entry in a change.
    Proposal(WorkspaceSlug, EntryId, TypeName, EntryId),
    /// The state of an entry from which its proposal was begun.
    ProposalBase(WorkspaceSlug, EntryId, TypeName, EntryId),
    /// The bytes of a media file.
    Media(WorkspaceSlug, Filename),
    /// The metadata of a media file.
    MediaMeta(WorkspaceSlug, Filename),
    /// The earlier bytes of a media file; the second name is that of the revision.
    MediaRevision(WorkspaceSlug, Filename, Filename),
    /// Settings of the installation.
    Settings,
    /// Webhooks of the installation.
    Webhooks,
    /// The planned publications.
    Schedule,
    /// A user.
    User(EntryId),
    /// The picture of a user.
    Avatar(EntryId),
    /// A role.
    Role(EntryId),
    /// An API token, with its hash only.
    Token(TokenId),
}

/// The path of a file, with its key: made of the key once, and never parsed again.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilePath {
    key: Key,
    path: String,
}

/// An entry in the trash or in revisions: its id, with a number to distinguish reused ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryCopy {
    /// The id of the entry.
    pub id: EntryId,
    /// 0 for the first entry with this id; the others are named `<id>~<n>`.
    pub number: u32,
}

/// A folder of the data folder that contains files or folders of Recto.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Folder {
    /// The data folder itself.
    Root,
    /// `workspaces`
    Workspaces,
    /// `workspaces/<ws>`
    Workspace(WorkspaceSlug),
    /// `workspaces/<ws>/schemas`
    Schemas(WorkspaceSlug),
    /// `workspaces/<ws>/content`
    Contents(WorkspaceSlug),
    /// `workspaces/<ws>/content/<type>`
    Entries(WorkspaceSlug, TypeName),
    /// `workspaces/<ws>/revisions`
    RevisionsOfAll(WorkspaceSlug),
    /// `workspaces/<ws>/revisions/<type>`
    RevisionsOfType(WorkspaceSlug, TypeName),
    /// `workspaces/<ws>/revisions/<type>/<id>`
    Revisions(WorkspaceSlug, TypeName, EntryCopy),
    /// `workspaces/<ws>/trash`
    TrashOfAll(WorkspaceSlug),
    /// `workspaces/<ws>/trash/<type>`
    Trash(WorkspaceSlug, TypeName),
    /// `workspaces/<ws>/changes`
    Changes(WorkspaceSlug),
    /// `workspaces/<ws>/changes/<change>`
    Change(WorkspaceSlug, EntryId),
    /// `workspaces/<ws>/changes/<change>/content`
    ProposalsOfAll(WorkspaceSlug, EntryId),
    /// `workspaces/<ws>/changes/<change>/content/<type>`
    Proposals(WorkspaceSlug, EntryId, TypeName),
    /// `workspaces/<ws>/changes/<change>/base`
    ProposalBasesOfAll(WorkspaceSlug, EntryId),
    /// `workspaces/<ws>/changes/<change>/base/<type>`
    ProposalBases(WorkspaceSlug, EntryId, TypeName),
    /// `workspaces/<ws>/media`
    Media(WorkspaceSlug),
    /// `workspaces/<ws>/media-meta`
    MediaMeta(WorkspaceSlug),
    /// `workspaces/<ws>/media-revisions`
    MediaRevisionsOfAll(WorkspaceSlug),
    /// `workspaces/<ws>/media-revisions/<filename>`
    MediaRevisions(WorkspaceSlug, Filename),
    /// `system`
    System,
    /// `system/users`
    Users,
    /// `system/avatars`
    Avatars,
    /// `system/roles`
    Roles,
    /// `system/tokens`
    Tokens,
}

/// The meaning of a name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameMeaning<T> {
    /// A file or folder of Recto.
    Ours(T),
    /// A foreign name: a backup of an editor, a note, another folder.
    Ignored,
    /// A name that resembles one of Recto's but cannot be loaded.
    Misnamed(ProblemKind, &'static str),
}

impl<T> NameMeaning<T> {
    fn map<U>(self, change: impl FnOnce(T) -> U) -> NameMeaning<U> {
        match self {
            NameMeaning::Ours(it) => NameMeaning::Ours(change(it)),
            NameMeaning::Ignored => NameMeaning::Ignored,
            NameMeaning::Misnamed(kind, message) => NameMeaning::Misnamed(kind, message),
        }
    }

    /// Returns the file or folder, if it is one of Recto's.
    pub fn into_ours(self) -> Option<T> {
        if let NameMeaning::Ours(it) = self { Some(it) } else { None }
    }
}

impl EntryCopy {
    /// Returns the first copy of an id.
    pub fn first(id: EntryId) -> EntryCopy {
        EntryCopy { id, number: 0 }
    }

    fn parse(stem: &str) -> Option<EntryCopy> {
        let Some((id, number)) = stem.rsplit_once('~') else {
            return EntryId::parse(stem).ok().map(EntryCopy::first);
        };
        let canonical = number.starts_with(|it: char| ('1'..='9').contains(&it));
        let number = if canonical { number.parse().ok()? } else { return None };
        Some(EntryCopy { id: EntryId::parse(id).ok()?, number })
    }

    /// Returns the name: the id, with the number of all but the first.
    pub fn stem(&self) -> String {
        if self.number == 0 { self.id.to_string() } else { format!("{}~{}", self.id, self.number) }
    }
}

impl Key {
    /// Returns the key of an entry.
    pub fn of_entry(ws: &WorkspaceSlug, (of, id): &EntryPlace) -> Key {
        Key::Entry(ws.clone(), of.clone(), id.clone())
    }

    /// Returns the key of what a change proposes for an entry.
    pub fn of_proposal(ws: &WorkspaceSlug, change: &EntryId, (of, id): &EntryPlace) -> Key {
        Key::Proposal(ws.clone(), change.clone(), of.clone(), id.clone())
    }

    /// Returns the key of the state of an entry from which its proposal was begun.
    pub fn of_base(ws: &WorkspaceSlug, change: &EntryId, (of, id): &EntryPlace) -> Key {
        Key::ProposalBase(ws.clone(), change.clone(), of.clone(), id.clone())
    }

    /// Returns the key of the file at `path`, if it is one of Recto's.
    pub fn parse(path: &str) -> Option<Key> {
        let (folder, name) = path.rsplit_once('/')?;
        Folder::parse(folder)?.classify_file(name).into_ours()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> String {
        match self {
            // Nearly all files are entries, and each is named often.
            Key::Entry(ws, of, id) => in_workspace(ws, &[CONTENT, "/", of, "/", id, JSON]),
            _ => format!("{}/{}", self.folder().path(), self.name()),
        }
    }

    /// Returns the folder of the file.
    pub fn folder(&self) -> Folder {
        match self.clone() {
            Key::Workspace(ws) | Key::Icon(ws) | Key::Categories(ws) => Folder::Workspace(ws),
            Key::Schema(ws, _) => Folder::Schemas(ws),
            Key::Entry(ws, of, _) => Folder::Entries(ws, of),
            Key::Revision(ws, of, copy, _) => Folder::Revisions(ws, of, copy),
            Key::Trash(ws, of, _) => Folder::Trash(ws, of),
            Key::Change(ws, change) => Folder::Change(ws, change),
            Key::Proposal(ws, change, of, _) => Folder::Proposals(ws, change, of),
            Key::ProposalBase(ws, change, of, _) => Folder::ProposalBases(ws, change, of),
            Key::Media(ws, _) => Folder::Media(ws),
            Key::MediaMeta(ws, _) => Folder::MediaMeta(ws),
            Key::MediaRevision(ws, of, _) => Folder::MediaRevisions(ws, of),
            Key::Settings | Key::Webhooks | Key::Schedule => Folder::System,
            Key::User(_) => Folder::Users,
            Key::Avatar(_) => Folder::Avatars,
            Key::Role(_) => Folder::Roles,
            Key::Token(_) => Folder::Tokens,
        }
    }

    /// Returns the name of the file in its folder.
    pub fn name(&self) -> String {
        match self {
            Key::Workspace(_) => WORKSPACE_FILE.to_string(),
            Key::Icon(_) => ICON_FILE.to_string(),
            Key::Categories(_) => CATEGORIES_FILE.to_string(),
            Key::Settings => "settings.json".to_string(),
            Key::Webhooks => "webhooks.json".to_string(),
            Key::Schedule => "schedule.json".to_string(),
            Key::Schema(_, name) => format!("{name}{JSON}"),
            Key::Change(..) => CHANGE_FILE.to_string(),
            Key::Entry(_, _, id)
            | Key::Proposal(_, _, _, id)
            | Key::ProposalBase(_, _, _, id)
            | Key::User(id)
            | Key::Role(id) => [id.as_str(), JSON].concat(),
            Key::Revision(_, _, _, revision) => format!("{revision}{JSON}"),
            Key::Trash(_, _, copy) => format!("{}{JSON}", copy.stem()),
            Key::Media(_, filename) | Key::MediaRevision(_, _, filename) => filename.to_string(),
            Key::MediaMeta(_, filename) => format!("{filename}{JSON}"),
            Key::Avatar(id) => format!("{id}.png"),
            Key::Token(id) => format!("{id}{JSON}"),
        }
    }

    /// Returns the workspace of the file, if it belongs to one.
    pub fn workspace(&self) -> Option<&WorkspaceSlug> {
        match self {
            Key::Workspace(ws) | Key::Icon(ws) | Key::Categories(ws) => Some(ws),
            Key::Schema(ws, _) | Key::Entry(ws, ..) | Key::Revision(ws, ..) => Some(ws),
            Key::Trash(ws, ..) | Key::Media(ws, _) | Key::MediaMeta(ws, _) => Some(ws),
            Key::MediaRevision(ws, ..) => Some(ws),
            Key::Change(ws, _) | Key::Proposal(ws, ..) | Key::ProposalBase(ws, ..) => Some(ws),
            Key::Settings | Key::Webhooks | Key::Schedule => None,
            Key::User(_) | Key::Avatar(_) | Key::Role(_) | Key::Token(_) => None,
        }
    }

    /// Returns true if the file is kept in memory and watched.
    pub fn is_watched(&self) -> bool {
        let is_kept = matches!(self, Key::Revision(..) | Key::MediaRevision(..) | Key::Trash(..));
        !is_kept && !matches!(self, Key::Avatar(_))
    }

    /// Returns true if the file is JSON, which is read completely; of other files only the stat is
    /// used.
    pub fn is_json(&self) -> bool {
        use Key::{Avatar, Icon, Media, MediaRevision};
        !matches!(self, Icon(_) | Media(..) | MediaRevision(..) | Avatar(_))
    }
}

impl FilePath {
    /// Returns the path of the file at `path`, if it is one of Recto's.
    pub fn parse(path: &str) -> Option<FilePath> {
        Some(FilePath { key: Key::parse(path)?, path: path.to_string() })
    }

    /// Returns the key of the file.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Returns the key and the path.
    pub fn into_parts(self) -> (Key, String) {
        (self.key, self.path)
    }
}

impl From<Key> for FilePath {
    fn from(key: Key) -> FilePath {
        FilePath { path: key.path(), key }
    }
}

impl Deref for FilePath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}

/// Returns the path of something in a workspace.
fn in_workspace(ws: &WorkspaceSlug, rest: &[&str]) -> String {
    let head = [WORKSPACES, "/", ws.as_str(), "/"];
    let parts = || head.iter().chain(rest);
    let mut path = String::with_capacity(parts().map(|it| it.len()).sum());
    parts().for_each(|it| path.push_str(it));
    path
}

impl Folder {
    /// Returns the folder at `path`, if it is one of Recto's; the empty path is the data folder.
    pub fn parse(path: &str) -> Option<Folder> {
        let mut segments = path.split('/').filter(|_| !path.is_empty());
        segments.try_fold(Folder::Root, |folder, name| folder.classify_folder(name).into_ours())
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> String {
        match self {
            Folder::Root => String::new(),
            Folder::Workspaces => WORKSPACES.to_string(),
            Folder::Workspace(ws) => [WORKSPACES, "/", ws.as_str()].concat(),
            Folder::Schemas(ws) => in_workspace(ws, &["schemas"]),
            Folder::Contents(ws) => in_workspace(ws, &[CONTENT]),
            Folder::Entries(ws, of) => in_workspace(ws, &[CONTENT, "/", of]),
            Folder::RevisionsOfAll(ws) => in_workspace(ws, &["revisions"]),
            Folder::RevisionsOfType(ws, of) => in_workspace(ws, &["revisions/", of]),
            Folder::Revisions(ws, of, copy) => {
                in_workspace(ws, &["revisions/", of, "/", &copy.stem()])
            }
            Folder::TrashOfAll(ws) => in_workspace(ws, &["trash"]),
            Folder::Trash(ws, of) => in_workspace(ws, &["trash/", of]),
            Folder::Changes(ws) => in_workspace(ws, &["changes"]),
            Folder::Change(ws, change) => in_workspace(ws, &["changes/", change]),
            Folder::ProposalsOfAll(ws, change) => {
                in_workspace(ws, &["changes/", change, "/content"])
            }
            Folder::Proposals(ws, change, of) => {
                in_workspace(ws, &["changes/", change, "/content/", of])
            }
            Folder::ProposalBasesOfAll(ws, change) => {
                in_workspace(ws, &["changes/", change, "/base"])
            }
            Folder::ProposalBases(ws, change, of) => {
                in_workspace(ws, &["changes/", change, "/base/", of])
            }
            Folder::Media(ws) => in_workspace(ws, &["media"]),
            Folder::MediaMeta(ws) => in_workspace(ws, &["media-meta"]),
            Folder::MediaRevisionsOfAll(ws) => in_workspace(ws, &[MEDIA_REVISIONS]),
            Folder::MediaRevisions(ws, of) => in_workspace(ws, &[MEDIA_REVISIONS, "/", of]),
            Folder::System => SYSTEM.to_string(),
            Folder::Users => format!("{SYSTEM}/users"),
            Folder::Avatars => format!("{SYSTEM}/avatars"),
            Folder::Roles => format!("{SYSTEM}/roles"),
            Folder::Tokens => format!("{SYSTEM}/tokens"),
        }
    }

    /// Returns the meaning of a folder's name in this folder.
    pub fn classify_folder(&self, name: &str) -> NameMeaning<Folder> {
        if name.starts_with(['.', '~', '#']) {
            return NameMeaning::Ignored;
        }
        let folder = match (self, name) {
            (Folder::Root, WORKSPACES) => Folder::Workspaces,
            (Folder::Root, SYSTEM) => Folder::System,
            (Folder::Workspaces, _) => return parse_workspace(name).map(Folder::Workspace),
            (Folder::Workspace(ws), "schemas") => Folder::Schemas(ws.clone()),
            (Folder::Workspace(ws), CONTENT) => Folder::Contents(ws.clone()),
            (Folder::Workspace(ws), "revisions") => Folder::RevisionsOfAll(ws.clone()),
            (Folder::Workspace(ws), "trash") => Folder::TrashOfAll(ws.clone()),
            (Folder::Workspace(ws), "changes") => Folder::Changes(ws.clone()),
            (Folder::Workspace(ws), "media") => Folder::Media(ws.clone()),
            (Folder::Workspace(ws), "media-meta") => Folder::MediaMeta(ws.clone()),
            (Folder::Workspace(ws), MEDIA_REVISIONS) => Folder::MediaRevisionsOfAll(ws.clone()),
            (Folder::Contents(ws), _) => {
                return parse_type_name(name).map(|of| Folder::Entries(ws.clone(), of));
            }
            (Folder::RevisionsOfAll(ws), _) => {
                return parse_type_name(name).map(|of| Folder::RevisionsOfType(ws.clone(), of));
            }
            (Folder::RevisionsOfType(ws, of), _) => {
                return parse_copy(name)
                    .map(|copy| Folder::Revisions(ws.clone(), of.clone(), copy));
            }
            (Folder::TrashOfAll(ws), _) => {
                return parse_type_name(name).map(|of| Folder::Trash(ws.clone(), of));
            }
            (Folder::Changes(ws), _) => {
                return parse_change(name).map(|change| Folder::Change(ws.clone(), change));
            }
            (Folder::Change(ws, change), "content") => {
                Folder::ProposalsOfAll(ws.clone(), change.clone())
            }
            (Folder::Change(ws, change), "base") => {
                Folder::ProposalBasesOfAll(ws.clone(), change.clone())
            }
            (Folder::ProposalsOfAll(ws, change), _) => {
                return parse_type_name(name)
                    .map(|of| Folder::Proposals(ws.clone(), change.clone(), of));
            }
            (Folder::ProposalBasesOfAll(ws, change), _) => {
                return parse_type_name(name)
                    .map(|of| Folder::ProposalBases(ws.clone(), change.clone(), of));
            }
            (Folder::MediaRevisionsOfAll(ws), _) => match Filename::parse(name) {
                Ok(of) => Folder::MediaRevisions(ws.clone(), of),
                Err(_) => return NameMeaning::Ignored,
            },
            (Folder::System, "users") => Folder::Users,
            (Folder::System, "avatars") => Folder::Avatars,
            (Folder::System, "roles") => Folder::Roles,
            (Folder::System, "tokens") => Folder::Tokens,
            _ => return NameMeaning::Ignored,
        };
        NameMeaning::Ours(folder)
    }

    /// Returns the meaning of a file's name in this folder.
    pub fn classify_file(&self, name: &str) -> NameMeaning<Key> {
        if is_ignored(name) {
            return NameMeaning::Ignored;
        }
        match self {
            Folder::Workspace(ws) => classify_workspace_file(ws, name),
            Folder::System => classify_system_file(name),
            Folder::Change(ws, change) if name == CHANGE_FILE => {
                NameMeaning::Ours(Key::Change(ws.clone(), change.clone()))
            }
            Folder::Media(ws) => match Filename::parse(name) {
                Ok(filename) => NameMeaning::Ours(Key::Media(ws.clone(), filename)),
                Err(error) => NameMeaning::Misnamed(ProblemKind::InvalidName, error.message()),
            },
            Folder::MediaRevisions(ws, of) => match Filename::parse(name) {
                Ok(revision) if RevisionName::parse_filename(&revision).is_some() => {
                    NameMeaning::Ours(Key::MediaRevision(ws.clone(), of.clone(), revision))
                }
                _ => NameMeaning::Ignored,
            },
            Folder::Avatars => match name.strip_suffix(".png").map(EntryId::parse) {
                Some(Ok(id)) => NameMeaning::Ours(Key::Avatar(id)),
                _ => NameMeaning::Ignored,
            },
            _ => self.classify_json(name),
        }
    }

    /// Returns true if the files are kept in memory and watched. Revisions and trash are listed on
    /// demand.
    pub fn is_watched(&self) -> bool {
        use Folder::{Avatars, MediaRevisions, MediaRevisionsOfAll, Revisions};
        use Folder::{RevisionsOfAll, RevisionsOfType, Trash, TrashOfAll};
        !matches!(self, RevisionsOfAll(_) | RevisionsOfType(..) | Revisions(..))
            && !matches!(self, MediaRevisionsOfAll(_) | MediaRevisions(..))
            && !matches!(self, TrashOfAll(_) | Trash(..) | Avatars)
    }

    fn classify_json(&self, name: &str) -> NameMeaning<Key> {
        let Some(stem) = name.strip_suffix(JSON) else { return classify_other(name) };
        let key = match self {
            Folder::Schemas(ws) => TypeName::parse(stem).map(|of| Key::Schema(ws.clone(), of)),
            Folder::Entries(ws, of) => {
                EntryId::parse(stem).map(|id| Key::Entry(ws.clone(), of.clone(), id))
            }
            Folder::Proposals(ws, change, of) => EntryId::parse(stem)
                .map(|id| Key::Proposal(ws.clone(), change.clone(), of.clone(), id)),
            Folder::ProposalBases(ws, change, of) => EntryId::parse(stem)
                .map(|id| Key::ProposalBase(ws.clone(), change.clone(), of.clone(), id)),
            Folder::Revisions(ws, of, copy) => EntryId::parse(stem)
                .map(|revision| Key::Revision(ws.clone(), of.clone(), copy.clone(), revision)),
            Folder::Trash(ws, of) => {
                return parse_copy(stem).map(|copy| Key::Trash(ws.clone(), of.clone(), copy));
            }
            Folder::MediaMeta(ws) => {
                Filename::parse(stem).map(|filename| Key::MediaMeta(ws.clone(), filename))
            }
            Folder::Users => EntryId::parse(stem).map(Key::User),
            Folder::Roles => EntryId::parse(stem).map(Key::Role),
            Folder::Tokens => TokenId::parse(stem).map(Key::Token),
            _ => return NameMeaning::Ignored,
        };
        match key {
            Ok(key) => NameMeaning::Ours(key),
            Err(_) if is_conflict_copy(stem) => NameMeaning::Misnamed(
                ProblemKind::SyncConflictCopy,
                "This looks like a copy that a sync service made of a conflicting version.",
            ),
            Err(error) => NameMeaning::Misnamed(ProblemKind::InvalidName, error.message()),
        }
    }
}

fn parse_workspace(name: &str) -> NameMeaning<WorkspaceSlug> {
    match WorkspaceSlug::parse(name) {
        Ok(ws) => NameMeaning::Ours(ws),
        Err(error) => NameMeaning::Misnamed(ProblemKind::InvalidName, error.message()),
    }
}

fn parse_type_name(name: &str) -> NameMeaning<TypeName> {
    match TypeName::parse(name) {
        Ok(of) => NameMeaning::Ours(of),
        Err(error) => NameMeaning::Misnamed(ProblemKind::InvalidName, error.message()),
    }
}

fn parse_change(name: &str) -> NameMeaning<EntryId> {
    match EntryId::parse(name) {
        Ok(id) => NameMeaning::Ours(id),
        Err(error) => NameMeaning::Misnamed(ProblemKind::InvalidName, error.message()),
    }
}

fn parse_copy(stem: &str) -> NameMeaning<EntryCopy> {
    const MESSAGE: &str = "The name must be an id, or an id with ~ and a number.";
    EntryCopy::parse(stem)
        .map_or(NameMeaning::Misnamed(ProblemKind::InvalidName, MESSAGE), NameMeaning::Ours)
}

fn classify_workspace_file(ws: &WorkspaceSlug, name: &str) -> NameMeaning<Key> {
    match name {
        WORKSPACE_FILE => NameMeaning::Ours(Key::Workspace(ws.clone())),
        ICON_FILE => NameMeaning::Ours(Key::Icon(ws.clone())),
        CATEGORIES_FILE => NameMeaning::Ours(Key::Categories(ws.clone())),
        _ => NameMeaning::Ignored,
    }
}

fn classify_system_file(name: &str) -> NameMeaning<Key> {
    let keys = [Key::Settings, Key::Webhooks, Key::Schedule];
    keys.into_iter().find(|key| key.name() == name).map_or(NameMeaning::Ignored, NameMeaning::Ours)
}

/// The extension `.JSON` is reported, since it would only work on some systems; other names are
/// ignored.
fn classify_other(name: &str) -> NameMeaning<Key> {
    const MESSAGE: &str = "The extension must be in lower case: .json";
    let shouted = name.to_ascii_lowercase().ends_with(JSON);
    if shouted {
        NameMeaning::Misnamed(ProblemKind::InvalidName, MESSAGE)
    } else {
        NameMeaning::Ignored
    }
}

/// Returns true for temporary files and backups of editors, `sed -i`, `rsync` and `patch`.
pub fn is_ignored(name: &str) -> bool {
    const ENDINGS: &[&str] = &["~", ".swp", ".tmp", ".part", ".bak", ".orig", ".rej"];
    name.starts_with(['.', '~', '#'])
        || !name.ends_with(JSON) && ENDINGS.iter().any(|ending| name.ends_with(ending))
        || name == "4913"
        || name.contains("___jb_")
        || (name.starts_with("sed") && name.len() == 9 && name.is_ascii() && !name.contains('.'))
}

/// Returns true for conflict copies of Dropbox, Nextcloud and Syncthing.
fn is_conflict_copy(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    stem.contains("conflicted copy") || stem.contains(".sync-conflict-")
}

/// Returns true if only the owner may read files of the path.
pub fn is_private(path: &str) -> bool {
    path.split('/').next().is_some_and(|first| matches!(first, SYSTEM | BACKUPS | RUNTIME))
}

/// Returns true if a path belongs to a separate state directory. Locks always stay in the data
/// folder, and unfinished content must be on its file system.
pub fn is_state(path: &str) -> bool {
    let mut steps = path.split('/');
    match (steps.next(), steps.next()) {
        (Some(SYSTEM | BACKUPS), _) => true,
        (Some(RUNTIME), Some(name)) => {
            !matches!(name, "tmp" | "locks") && !name.starts_with("state-dir")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
