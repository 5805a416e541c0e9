//! The layout of the data folder: conversion between paths and [`Key`]s or [`Folder`]s. This module
//! only deals with names; `disk` accesses the files.
//!
//! Paths are relative to the data folder, with `/` on every system.

use std::fmt;
use std::ops::Deref;

use crate::model::name::{EntryId, Filename, TokenId, TypeName, WorkspaceSlug};
use crate::model::problem::ProblemKind;

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
/// The folder of program updates: the status and the downloaded program.
pub const UPDATES: &str = ".recto/updates";
/// The pack of last accepted bodies.
pub const BODIES: &str = ".recto/bodies";
/// The packs of rendered entries.
pub const RENDERED: &str = ".recto/rendered";
/// The bodies of deleted files, kept for a week, one folder per day.
pub const REMOVED_BODIES: &str = ".recto/lastgood";
/// The checksums of media files.
pub const MEDIA_SUMS: &str = ".recto/media-sums";
/// The cache of thumbnails.
const THUMBS: &str = ".recto/thumbs";
/// The queues and delivery logs of webhooks.
pub const WEBHOOKS: &str = ".recto/webhooks";
/// The sessions of users.
pub const SESSIONS: &str = ".recto/sessions";
/// Changes of several files in progress.
pub const JOURNAL: &str = "journal";
/// The backup archives.
pub const BACKUPS: &str = "backups";
/// The folder of all workspaces.
pub const WORKSPACES: &str = "workspaces";
/// The folder of the entries in a workspace, with one folder for each type.
const CONTENT: &str = "content";
/// Users, roles, tokens and settings of the installation.
pub const SYSTEM: &str = "system";
/// The activity log, one file per month.
pub const ACTIVITY: &str = "system/activity";

const WORKSPACE_FILE: &str = "workspace.json";
const ICON_FILE: &str = "icon.png";
const CATEGORIES_FILE: &str = "media-categories.json";
const JSON: &str = ".json";

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
    /// The bytes of a media file.
    Media(WorkspaceSlug, Filename),
    /// The metadata of a media file.
    MediaMeta(WorkspaceSlug, Filename),
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
    /// `workspaces/<ws>/media`
    Media(WorkspaceSlug),
    /// `workspaces/<ws>/media-meta`
    MediaMeta(WorkspaceSlug),
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
            Key::Media(ws, _) => Folder::Media(ws),
            Key::MediaMeta(ws, _) => Folder::MediaMeta(ws),
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
            Key::Entry(_, _, id) | Key::User(id) | Key::Role(id) => [id.as_str(), JSON].concat(),
            Key::Revision(_, _, _, revision) => format!("{revision}{JSON}"),
            Key::Trash(_, _, copy) => format!("{}{JSON}", copy.stem()),
            Key::Media(_, filename) => filename.to_string(),
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
            Key::Settings | Key::Webhooks | Key::Schedule => None,
            Key::User(_) | Key::Avatar(_) | Key::Role(_) | Key::Token(_) => None,
        }
    }

    /// Returns true if the file is kept in memory and watched.
    pub fn is_watched(&self) -> bool {
        !matches!(self, Key::Revision(..) | Key::Trash(..) | Key::Avatar(_))
    }

    /// Returns true if the file is JSON, which is read completely; of other files only the stat is
    /// used.
    pub fn is_json(&self) -> bool {
        !matches!(self, Key::Icon(_) | Key::Media(..) | Key::Avatar(_))
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
            Folder::Media(ws) => in_workspace(ws, &["media"]),
            Folder::MediaMeta(ws) => in_workspace(ws, &["media-meta"]),
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
            (Folder::Workspace(ws), "media") => Folder::Media(ws.clone()),
            (Folder::Workspace(ws), "media-meta") => Folder::MediaMeta(ws.clone()),
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
            Folder::Media(ws) => match Filename::parse(name) {
                Ok(filename) => NameMeaning::Ours(Key::Media(ws.clone(), filename)),
                Err(error) => NameMeaning::Misnamed(ProblemKind::InvalidName, error.message()),
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
        use Folder::{Avatars, Revisions, RevisionsOfAll, RevisionsOfType, Trash, TrashOfAll};
        !matches!(
            self,
            RevisionsOfAll(_) | RevisionsOfType(..) | Revisions(..) | TrashOfAll(_) | Trash(..)
        ) && !matches!(self, Avatars)
    }

    fn classify_json(&self, name: &str) -> NameMeaning<Key> {
        let Some(stem) = name.strip_suffix(JSON) else { return classify_other(name) };
        let key = match self {
            Folder::Schemas(ws) => TypeName::parse(stem).map(|of| Key::Schema(ws.clone(), of)),
            Folder::Entries(ws, of) => {
                EntryId::parse(stem).map(|id| Key::Entry(ws.clone(), of.clone(), id))
            }
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
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
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

/// Returns the name of an unfinished file in `folder`; `number` is unique in the process.
pub fn unfinished_file(folder: &str, process: u32, number: u64) -> String {
    format!("{folder}/{process}-{number}.tmp")
}

/// Returns the name of an unfinished file next to `path`, for use if [`TMP`] is on another file
/// system.
pub fn unfinished_beside(path: &str, process: u32, number: u64) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let slash = if folder.is_empty() { "" } else { "/" };
    // The name is truncated so that the result is short enough for any file system.
    let name: String = name.chars().take(40).collect();
    format!("{folder}{slash}.{name}.{process}-{number}.tmp")
}

/// Returns the folder of a change's staged files, and the path of its intent.
pub fn journal_entry(name: &str) -> (String, String) {
    let folder = format!("{JOURNAL}/{name}");
    let intent = format!("{folder}{INTENT}");
    (folder, intent)
}

/// The extension of intents.
pub const INTENT: &str = ".intent";

/// Returns the path of the activity log for the month of a day `YYYY-MM-DD`.
pub fn activity_log(day: &str) -> String {
    format!("{ACTIVITY}/{}.jsonl", day.get(..7).unwrap_or(day))
}

/// Returns the month `YYYY-MM` of an activity log with this name.
pub fn parse_activity_month(name: &str) -> Option<&str> {
    let month = name.strip_suffix(".jsonl")?;
    let digit =
        |(at, byte): (usize, u8)| if at == 4 { byte == b'-' } else { byte.is_ascii_digit() };
    (month.len() == 7 && month.bytes().enumerate().all(digit)).then_some(month)
}

/// Returns the path of a cached thumbnail; `name` identifies its source and size.
pub fn thumbnail_path(ws: &WorkspaceSlug, name: &str) -> String {
    format!("{THUMBS}/{ws}/{name}")
}

/// Returns the path of the result of the last check for updates.
pub fn update_status_path() -> String {
    format!("{UPDATES}/status{JSON}")
}

/// Returns the path of a downloaded program with this hash.
pub fn staged_program(sha256: &str) -> String {
    format!("{UPDATES}/{sha256}.program")
}

/// Returns the path of a webhook's queue.
pub fn webhook_queue(id: &str) -> String {
    format!("{WEBHOOKS}/{id}.queue")
}

/// Returns the path of a webhook's delivery log.
pub fn webhook_log(id: &str) -> String {
    format!("{WEBHOOKS}/{id}.log")
}

/// Returns the path of a session; `key` is the hash of its secret in hexadecimal digits.
pub fn session_path(key: &str) -> String {
    format!("{SESSIONS}/{key}{JSON}")
}

/// Returns the path of the last body of a file that was deleted on `day` (`YYYY-MM-DD`).
pub fn removed_body_path(day: &str, path: &str) -> String {
    format!("{REMOVED_BODIES}/{day}/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_keys_both_ways() {
        let check = |path: &str, variant: &str| {
            let key = Key::parse(path).unwrap_or_else(|| panic!("{path}"));
            assert_eq!(key.path(), path);
            assert!(format!("{key:?}").starts_with(variant), "{key:?}");
            let folder = key.folder();
            assert_eq!(Folder::parse(&folder.path()).unwrap(), folder);
            assert_eq!(folder.classify_file(&key.name()), NameMeaning::Ours(key));
        };
        check("workspaces/main/workspace.json", "Workspace(");
        check("workspaces/main/icon.png", "Icon(");
        check("workspaces/main/media-categories.json", "Categories(");
        check("workspaces/main/schemas/posts.json", "Schema(");
        check("workspaces/main/content/posts/01jz8x3m5q7v9c2a.json", "Entry(");
        check("workspaces/main/content/My_Type/A-b.json", "Entry(");
        check("workspaces/main/revisions/posts/a/2026.json", "Revision(");
        check("workspaces/main/revisions/posts/a~2/2026.json", "Revision(");
        check("workspaces/main/trash/posts/a.json", "Trash(");
        check("workspaces/main/trash/posts/a~12.json", "Trash(");
        check("workspaces/main/media/Straße 1.jpg", "Media(");
        check("workspaces/main/media-meta/Straße 1.jpg.json", "MediaMeta(");
        check("system/settings.json", "Settings");
        check("system/webhooks.json", "Webhooks");
        check("system/schedule.json", "Schedule");
        check("system/users/u1.json", "User(");
        check("system/avatars/u1.png", "Avatar(");
        check("system/roles/editor.json", "Role(");
        check("system/tokens/01jz8x3m5q7v9c2a.json", "Token(");
    }

    #[test]
    fn nothing_else_is_a_key() {
        for path in [
            "",
            "a.json",
            "workspaces/main",
            "workspaces/Main/workspace.json",
            "workspaces/../system/settings.json",
            "workspaces/main/content/posts",
            "workspaces/main/content/posts/a.json/b.json",
            "workspaces/main/content/posts/a.txt",
            "workspaces/main/content/posts/a b.json",
            "workspaces/main/content/posts/order.json",
            "workspaces/main/content/posts/.a.json",
            "workspaces/main/content/order/a.json",
            "workspaces/main/content//a.json",
            "workspaces/main/trash/posts/a~0.json",
            "workspaces/main/trash/posts/a~01.json",
            "workspaces/main/trash/posts/a~99999999999.json",
            "workspaces/main/media/-a.png",
            "workspaces/main/media/a/b.png",
            "system/tokens/short.json",
            "system/other.json",
            "/system/settings.json",
            ".recto/locks/write.lock",
        ] {
            assert_eq!(Key::parse(path), None, "{path}");
        }
    }

    #[test]
    fn folders_both_ways() {
        for path in [
            "",
            "workspaces",
            "workspaces/main",
            "workspaces/main/schemas",
            "workspaces/main/content",
            "workspaces/main/content/posts",
            "workspaces/main/revisions",
            "workspaces/main/revisions/posts",
            "workspaces/main/revisions/posts/a~3",
            "workspaces/main/trash",
            "workspaces/main/trash/posts",
            "workspaces/main/media",
            "workspaces/main/media-meta",
            "system",
            "system/users",
            "system/avatars",
            "system/roles",
            "system/tokens",
        ] {
            assert_eq!(Folder::parse(path).map(|it| it.path()).as_deref(), Some(path));
        }
        for path in ["journal", "workspaces/.git", "system/x", "workspaces/main/content/a/b", "/"] {
            assert_eq!(Folder::parse(path), None, "{path}");
        }
    }

    #[test]
    fn what_editors_leave_is_ignored() {
        let check = |name: &str, expect: bool| assert_eq!(is_ignored(name), expect, "{name}");
        for name in [
            ".a.json.swp",
            ".a.json.Ab3xYz",
            "~$a.json",
            "#a.json#",
            "a.json~",
            "a.swp",
            "a.json.tmp",
            "a.json.part",
            "a.json.bak",
            "a.json.orig",
            "a.json.rej",
            "4913",
            "a.json___jb_tmp___",
            "a.json___jb_old___",
            "sedAb3xYz",
        ] {
            check(name, true);
        }
        for name in
            ["a.json", "49131.json", "sedation.json", "sedum.json", "sed1234567", "tmp.json"]
        {
            check(name, false);
        }
    }

    #[test]
    fn names_that_look_like_ours_are_told() {
        let posts = Folder::parse("workspaces/main/content/posts").unwrap();
        let check = |name: &str, expect: Option<ProblemKind>| match posts.classify_file(name) {
            NameMeaning::Misnamed(kind, _) => assert_eq!(Some(kind), expect, "{name}"),
            NameMeaning::Ignored => assert_eq!(None, expect, "{name}"),
            NameMeaning::Ours(key) => panic!("{key:?}"),
        };
        check("a b.json", Some(ProblemKind::InvalidName));
        check("order.json", Some(ProblemKind::InvalidName));
        check("a.JSON", Some(ProblemKind::InvalidName));
        check("a (Ann's conflicted copy 2026-05-03).json", Some(ProblemKind::SyncConflictCopy));
        check("a.sync-conflict-20260503-120000-ABC.json", Some(ProblemKind::SyncConflictCopy));
        check("README.md", None);
        check("a.json~", None);
        let workspaces = Folder::Workspaces;
        assert!(matches!(workspaces.classify_folder("Main"), NameMeaning::Misnamed(..)));
    }

    #[test]
    fn what_is_private() {
        assert!(is_private("system/settings.json") && is_private(".recto/tmp/1-1.tmp"));
        assert!(!is_private("systems/a.json") && !is_private("workspaces/system/icon.png"));
    }

    #[test]
    fn unfinished_files_are_ignored_wherever_they_are() {
        let path = format!("workspaces/main/media/{}", "ä".repeat(90));
        for path in [
            unfinished_file(TMP, 1, 2),
            unfinished_beside(&path, 1, 2),
            unfinished_beside("a", 1, 2),
        ] {
            let name = path.rsplit('/').next().unwrap();
            assert!(is_ignored(name) && name.len() < 255, "{path}");
        }
    }
}
