//! Every path of the data folder, both ways: [`Key`] ↔ path, [`Folder`] ↔ path. Spells names only;
//! whether a file exists is `disk`'s business.
//!
//! Paths are relative to the data folder, with `/` on every system.

use crate::model::name::{EntryId, Filename, TokenId, TypeName, WorkspaceSlug};
use crate::model::problem::ProblemKind;

/// Where unfinished files are written before they are moved to their place.
pub const TMP: &str = ".recto/tmp";
/// Lock files; never unlinked.
pub const LOCKS: &str = ".recto/locks";
/// Held by a server as long as it lives.
pub const INSTANCE_LOCK: &str = ".recto/locks/instance.lock";
/// Held while a batch is written.
pub const WRITE_LOCK: &str = ".recto/locks/write.lock";
/// Held by whoever waits to write the next batch.
pub const NEXT_LOCK: &str = ".recto/locks/next.lock";
/// Held while a new version of the program is downloaded or installed.
pub const UPDATE_LOCK: &str = ".recto/locks/update.lock";
/// What is known of new versions of the program, and the one that was downloaded.
pub const UPDATES: &str = ".recto/updates";
/// The pack of last accepted bodies.
pub const BODIES: &str = ".recto/bodies";
/// Bodies of deleted files, kept for a week, one folder a day.
pub const LASTGOOD: &str = ".recto/lastgood";
/// The sums of media files.
pub const MEDIA_SUMS: &str = ".recto/media-sums";
/// Thumbnails: a cache.
pub const THUMBS: &str = ".recto/thumbs";
/// What waits to be sent to webhooks, and what came of it.
pub const WEBHOOKS: &str = ".recto/webhooks";
/// Who is logged in.
pub const SESSIONS: &str = ".recto/sessions";
/// Changes of several files that are under way.
pub const JOURNAL: &str = "journal";
/// Archives of what is in the folder.
pub const BACKUPS: &str = "backups";
/// The folder of all workspaces.
pub const WORKSPACES: &str = "workspaces";
/// Users, roles, tokens and settings of the installation.
pub const SYSTEM: &str = "system";
/// The activity log, one file a month.
pub const ACTIVITY: &str = "system/activity";

const WORKSPACE_FILE: &str = "workspace.json";
const ICON_FILE: &str = "icon.png";
const CATEGORIES_FILE: &str = "media-categories.json";
const JSON: &str = ".json";

/// A file of the data folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// Label, state and order of content types of a workspace.
    Workspace(WorkspaceSlug),
    /// The picture of a workspace.
    Icon(WorkspaceSlug),
    /// The categories of a workspace's media.
    Categories(WorkspaceSlug),
    /// The definition of a content type.
    Schema(WorkspaceSlug, TypeName),
    /// One entry.
    Entry(WorkspaceSlug, TypeName, EntryId),
    /// An earlier state of an entry.
    Revision(WorkspaceSlug, TypeName, Copy, EntryId),
    /// A deleted entry.
    Trash(WorkspaceSlug, TypeName, Copy),
    /// The bytes of a media file.
    Media(WorkspaceSlug, Filename),
    /// What is known about a media file.
    MediaMeta(WorkspaceSlug, Filename),
    /// Settings of the installation.
    Settings,
    /// Webhooks of the installation.
    Webhooks,
    /// What is to be published when.
    Schedule,
    /// A user.
    User(EntryId),
    /// The picture of a user.
    Avatar(EntryId),
    /// A role.
    Role(EntryId),
    /// An API token (its hash only).
    Token(TokenId),
}

/// An entry's id as trash and revisions know it: a re-used id is told apart by a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Copy {
    /// The id of the entry.
    pub id: EntryId,
    /// 0 for the first, shown as `<id>~<n>` for others.
    pub number: u32,
}

/// A folder of the data folder that holds files or folders of ours.
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
    Revisions(WorkspaceSlug, TypeName, Copy),
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

/// What a name means in the folder it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named<T> {
    /// One of ours.
    Ours(T),
    /// Not for us: backups of editors, notes, folders we do not look into.
    Ignored,
    /// It looks like one of ours, but cannot be loaded under this name.
    Misnamed(ProblemKind, &'static str),
}

impl<T> Named<T> {
    fn map<U>(self, change: impl FnOnce(T) -> U) -> Named<U> {
        match self {
            Named::Ours(it) => Named::Ours(change(it)),
            Named::Ignored => Named::Ignored,
            Named::Misnamed(kind, message) => Named::Misnamed(kind, message),
        }
    }

    /// What it is, if it is one of ours.
    pub fn ours(self) -> Option<T> {
        if let Named::Ours(it) = self { Some(it) } else { None }
    }
}

impl Copy {
    /// The first of its id.
    pub fn first(id: EntryId) -> Copy {
        Copy { id, number: 0 }
    }

    fn parse(stem: &str) -> Option<Copy> {
        let Some((id, number)) = stem.rsplit_once('~') else {
            return EntryId::parse(stem).ok().map(Copy::first);
        };
        let canonical = number.starts_with(|it: char| ('1'..='9').contains(&it));
        let number = if canonical { number.parse().ok()? } else { return None };
        Some(Copy { id: EntryId::parse(id).ok()?, number })
    }

    /// Its name: the id, and the number of all but the first.
    pub fn stem(&self) -> String {
        if self.number == 0 { self.id.to_string() } else { format!("{}~{}", self.id, self.number) }
    }
}

impl Key {
    /// The key of the file at `path`, if it is one of ours.
    pub fn parse(path: &str) -> Option<Key> {
        let (folder, name) = path.rsplit_once('/')?;
        Folder::parse(folder)?.file(name).ours()
    }

    /// Where the file is.
    pub fn path(&self) -> String {
        format!("{}/{}", self.folder().path(), self.name())
    }

    /// The folder the file is in.
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

    /// The name of the file in its folder.
    pub fn name(&self) -> String {
        match self {
            Key::Workspace(_) => WORKSPACE_FILE.to_string(),
            Key::Icon(_) => ICON_FILE.to_string(),
            Key::Categories(_) => CATEGORIES_FILE.to_string(),
            Key::Settings => "settings.json".to_string(),
            Key::Webhooks => "webhooks.json".to_string(),
            Key::Schedule => "schedule.json".to_string(),
            Key::Schema(_, name) => format!("{name}{JSON}"),
            Key::Entry(_, _, id) | Key::User(id) | Key::Role(id) => format!("{id}{JSON}"),
            Key::Revision(_, _, _, revision) => format!("{revision}{JSON}"),
            Key::Trash(_, _, copy) => format!("{}{JSON}", copy.stem()),
            Key::Media(_, filename) => filename.to_string(),
            Key::MediaMeta(_, filename) => format!("{filename}{JSON}"),
            Key::Avatar(id) => format!("{id}.png"),
            Key::Token(id) => format!("{id}{JSON}"),
        }
    }

    /// The workspace the file belongs to, if to one.
    pub fn workspace(&self) -> Option<&WorkspaceSlug> {
        match self {
            Key::Workspace(ws) | Key::Icon(ws) | Key::Categories(ws) => Some(ws),
            Key::Schema(ws, _) | Key::Entry(ws, ..) | Key::Revision(ws, ..) => Some(ws),
            Key::Trash(ws, ..) | Key::Media(ws, _) | Key::MediaMeta(ws, _) => Some(ws),
            Key::Settings | Key::Webhooks | Key::Schedule => None,
            Key::User(_) | Key::Avatar(_) | Key::Role(_) | Key::Token(_) => None,
        }
    }

    /// Whether the file is JSON, which is read whole; of others only the stat is known.
    pub fn is_json(&self) -> bool {
        !matches!(self, Key::Icon(_) | Key::Media(..) | Key::Avatar(_))
    }
}

impl Folder {
    /// The folder at `path`, if it is one of ours; the empty path is the data folder.
    pub fn parse(path: &str) -> Option<Folder> {
        let mut segments = path.split('/').filter(|_| !path.is_empty());
        segments.try_fold(Folder::Root, |folder, name| folder.folder(name).ours())
    }

    /// Where the folder is.
    pub fn path(&self) -> String {
        let in_workspace = |ws: &WorkspaceSlug, rest: &str| format!("{WORKSPACES}/{ws}/{rest}");
        match self {
            Folder::Root => String::new(),
            Folder::Workspaces => WORKSPACES.to_string(),
            Folder::Workspace(ws) => format!("{WORKSPACES}/{ws}"),
            Folder::Schemas(ws) => in_workspace(ws, "schemas"),
            Folder::Contents(ws) => in_workspace(ws, "content"),
            Folder::Entries(ws, of) => in_workspace(ws, &format!("content/{of}")),
            Folder::RevisionsOfAll(ws) => in_workspace(ws, "revisions"),
            Folder::RevisionsOfType(ws, of) => in_workspace(ws, &format!("revisions/{of}")),
            Folder::Revisions(ws, of, copy) => {
                in_workspace(ws, &format!("revisions/{of}/{}", copy.stem()))
            }
            Folder::TrashOfAll(ws) => in_workspace(ws, "trash"),
            Folder::Trash(ws, of) => in_workspace(ws, &format!("trash/{of}")),
            Folder::Media(ws) => in_workspace(ws, "media"),
            Folder::MediaMeta(ws) => in_workspace(ws, "media-meta"),
            Folder::System => SYSTEM.to_string(),
            Folder::Users => format!("{SYSTEM}/users"),
            Folder::Avatars => format!("{SYSTEM}/avatars"),
            Folder::Roles => format!("{SYSTEM}/roles"),
            Folder::Tokens => format!("{SYSTEM}/tokens"),
        }
    }

    /// What the folder called `name` in this one is.
    pub fn folder(&self, name: &str) -> Named<Folder> {
        if name.starts_with(['.', '~', '#']) {
            return Named::Ignored;
        }
        let folder = match (self, name) {
            (Folder::Root, WORKSPACES) => Folder::Workspaces,
            (Folder::Root, SYSTEM) => Folder::System,
            (Folder::Workspaces, _) => return workspace(name).map(Folder::Workspace),
            (Folder::Workspace(ws), "schemas") => Folder::Schemas(ws.clone()),
            (Folder::Workspace(ws), "content") => Folder::Contents(ws.clone()),
            (Folder::Workspace(ws), "revisions") => Folder::RevisionsOfAll(ws.clone()),
            (Folder::Workspace(ws), "trash") => Folder::TrashOfAll(ws.clone()),
            (Folder::Workspace(ws), "media") => Folder::Media(ws.clone()),
            (Folder::Workspace(ws), "media-meta") => Folder::MediaMeta(ws.clone()),
            (Folder::Contents(ws), _) => {
                return content_type(name).map(|of| Folder::Entries(ws.clone(), of));
            }
            (Folder::RevisionsOfAll(ws), _) => {
                return content_type(name).map(|of| Folder::RevisionsOfType(ws.clone(), of));
            }
            (Folder::RevisionsOfType(ws, of), _) => {
                return copy(name).map(|copy| Folder::Revisions(ws.clone(), of.clone(), copy));
            }
            (Folder::TrashOfAll(ws), _) => {
                return content_type(name).map(|of| Folder::Trash(ws.clone(), of));
            }
            (Folder::System, "users") => Folder::Users,
            (Folder::System, "avatars") => Folder::Avatars,
            (Folder::System, "roles") => Folder::Roles,
            (Folder::System, "tokens") => Folder::Tokens,
            _ => return Named::Ignored,
        };
        Named::Ours(folder)
    }

    /// What the file called `name` in this folder is.
    pub fn file(&self, name: &str) -> Named<Key> {
        if is_ignored(name) {
            return Named::Ignored;
        }
        match self {
            Folder::Workspace(ws) => workspace_file(ws, name),
            Folder::System => system_file(name),
            Folder::Media(ws) => match Filename::parse(name) {
                Ok(filename) => Named::Ours(Key::Media(ws.clone(), filename)),
                Err(error) => Named::Misnamed(ProblemKind::InvalidName, error.message()),
            },
            Folder::Avatars => match name.strip_suffix(".png").map(EntryId::parse) {
                Some(Ok(id)) => Named::Ours(Key::Avatar(id)),
                _ => Named::Ignored,
            },
            _ => self.json_file(name),
        }
    }

    /// Whether its files are kept in memory and watched. Revisions are listed on demand.
    pub fn is_watched(&self) -> bool {
        use Folder::{Avatars, Revisions, RevisionsOfAll, RevisionsOfType, Trash, TrashOfAll};
        !matches!(
            self,
            RevisionsOfAll(_) | RevisionsOfType(..) | Revisions(..) | TrashOfAll(_) | Trash(..)
        ) && !matches!(self, Avatars)
    }

    fn json_file(&self, name: &str) -> Named<Key> {
        let Some(stem) = name.strip_suffix(JSON) else { return not_json(name) };
        let key = match self {
            Folder::Schemas(ws) => TypeName::parse(stem).map(|of| Key::Schema(ws.clone(), of)),
            Folder::Entries(ws, of) => {
                EntryId::parse(stem).map(|id| Key::Entry(ws.clone(), of.clone(), id))
            }
            Folder::Revisions(ws, of, copy) => EntryId::parse(stem)
                .map(|revision| Key::Revision(ws.clone(), of.clone(), copy.clone(), revision)),
            Folder::Trash(ws, of) => {
                return copy(stem).map(|copy| Key::Trash(ws.clone(), of.clone(), copy));
            }
            Folder::MediaMeta(ws) => {
                Filename::parse(stem).map(|filename| Key::MediaMeta(ws.clone(), filename))
            }
            Folder::Users => EntryId::parse(stem).map(Key::User),
            Folder::Roles => EntryId::parse(stem).map(Key::Role),
            Folder::Tokens => TokenId::parse(stem).map(Key::Token),
            _ => return Named::Ignored,
        };
        match key {
            Ok(key) => Named::Ours(key),
            Err(_) if is_conflict_copy(stem) => Named::Misnamed(
                ProblemKind::SyncConflictCopy,
                "This is the copy that a synchronising tool made of two different versions.",
            ),
            Err(error) => Named::Misnamed(ProblemKind::InvalidName, error.message()),
        }
    }
}

fn workspace(name: &str) -> Named<WorkspaceSlug> {
    match WorkspaceSlug::parse(name) {
        Ok(ws) => Named::Ours(ws),
        Err(error) => Named::Misnamed(ProblemKind::InvalidName, error.message()),
    }
}

fn content_type(name: &str) -> Named<TypeName> {
    match TypeName::parse(name) {
        Ok(of) => Named::Ours(of),
        Err(error) => Named::Misnamed(ProblemKind::InvalidName, error.message()),
    }
}

fn copy(stem: &str) -> Named<Copy> {
    const MESSAGE: &str = "The name is an id, or an id with ~ and a number.";
    Copy::parse(stem).map_or(Named::Misnamed(ProblemKind::InvalidName, MESSAGE), Named::Ours)
}

fn workspace_file(ws: &WorkspaceSlug, name: &str) -> Named<Key> {
    match name {
        WORKSPACE_FILE => Named::Ours(Key::Workspace(ws.clone())),
        ICON_FILE => Named::Ours(Key::Icon(ws.clone())),
        CATEGORIES_FILE => Named::Ours(Key::Categories(ws.clone())),
        _ => Named::Ignored,
    }
}

fn system_file(name: &str) -> Named<Key> {
    let keys = [Key::Settings, Key::Webhooks, Key::Schedule];
    keys.into_iter().find(|key| key.name() == name).map_or(Named::Ignored, Named::Ours)
}

/// `.JSON` would work on some systems only; anything else is somebody's note.
fn not_json(name: &str) -> Named<Key> {
    const MESSAGE: &str = "The extension is written in lower case: .json";
    let shouted = name.to_ascii_lowercase().ends_with(JSON);
    if shouted { Named::Misnamed(ProblemKind::InvalidName, MESSAGE) } else { Named::Ignored }
}

/// What editors, `sed -i`, `rsync` and `patch` leave beside the files they work on.
pub fn is_ignored(name: &str) -> bool {
    const ENDINGS: &[&str] = &["~", ".swp", ".tmp", ".part", ".bak", ".orig", ".rej"];
    name.starts_with(['.', '~', '#'])
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || name == "4913"
        || name.contains("___jb_")
        || (name.starts_with("sed") && name.len() == 9 && name.is_ascii() && !name.contains('.'))
}

/// As Dropbox, Nextcloud and Syncthing name them.
fn is_conflict_copy(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    stem.contains("conflicted copy") || stem.contains(".sync-conflict-")
}

/// Whether files of the path may be read by the owner only.
pub fn is_private(path: &str) -> bool {
    path.split('/').next().is_some_and(|first| matches!(first, SYSTEM | BACKUPS | ".recto"))
}

/// The name of an unfinished file; `number` is unique in the process.
pub fn unfinished(process: u32, number: u64) -> String {
    format!("{TMP}/{process}-{number}.tmp")
}

/// The name of an unfinished file beside `path`, for when [`TMP`] is on another file system.
pub fn unfinished_beside(path: &str, process: u32, number: u64) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let slash = if folder.is_empty() { "" } else { "/" };
    // The name is cut so that the longest allowed one still fits with what is put around it.
    let name: String = name.chars().take(40).collect();
    format!("{folder}{slash}.{name}.{process}-{number}.tmp")
}

/// Where the files of a change under way wait, and the intent that makes it happen.
pub fn journal_entry(name: &str) -> (String, String) {
    let folder = format!("{JOURNAL}/{name}");
    let intent = format!("{folder}{INTENT}");
    (folder, intent)
}

/// What the name of an intent ends with.
pub const INTENT: &str = ".intent";

/// The activity log of the month of a day written `YYYY-MM-DD`.
pub fn activity(day: &str) -> String {
    format!("{ACTIVITY}/{}.jsonl", day.get(..7).unwrap_or(day))
}

/// The month `YYYY-MM` whose activity log has this name.
pub fn activity_month(name: &str) -> Option<&str> {
    let month = name.strip_suffix(".jsonl")?;
    let digit =
        |(at, byte): (usize, u8)| if at == 4 { byte == b'-' } else { byte.is_ascii_digit() };
    (month.len() == 7 && month.bytes().enumerate().all(digit)).then_some(month)
}

/// Where a thumbnail is cached; `name` says what it was made of and how.
pub fn thumb(ws: &WorkspaceSlug, name: &str) -> String {
    format!("{THUMBS}/{ws}/{name}")
}

/// What the last look for a new version found.
pub fn update_status() -> String {
    format!("{UPDATES}/status{JSON}")
}

/// A program that was downloaded, by the sum of its bytes.
pub fn staged_program(sha256: &str) -> String {
    format!("{UPDATES}/{sha256}.program")
}

/// What waits to be sent to a webhook.
pub fn webhook_queue(id: &str) -> String {
    format!("{WEBHOOKS}/{id}.queue")
}

/// What came of the last messages to a webhook.
pub fn webhook_log(id: &str) -> String {
    format!("{WEBHOOKS}/{id}.log")
}

/// The file of a session; `key` is the hash of its secret in hexadecimal digits.
pub fn session(key: &str) -> String {
    format!("{SESSIONS}/{key}{JSON}")
}

/// Where the last body of a file deleted on `day` (`YYYY-MM-DD`) is kept.
pub fn lastgood(day: &str, path: &str) -> String {
    format!("{LASTGOOD}/{day}/{path}")
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
            assert_eq!(folder.file(&key.name()), Named::Ours(key));
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
        let check = |name: &str, expect: Option<ProblemKind>| match posts.file(name) {
            Named::Misnamed(kind, _) => assert_eq!(Some(kind), expect, "{name}"),
            Named::Ignored => assert_eq!(None, expect, "{name}"),
            Named::Ours(key) => panic!("{key:?}"),
        };
        check("a b.json", Some(ProblemKind::InvalidName));
        check("order.json", Some(ProblemKind::InvalidName));
        check("a.JSON", Some(ProblemKind::InvalidName));
        check("a (Ann's conflicted copy 2026-05-03).json", Some(ProblemKind::SyncConflictCopy));
        check("a.sync-conflict-20260503-120000-ABC.json", Some(ProblemKind::SyncConflictCopy));
        check("README.md", None);
        check("a.json~", None);
        let workspaces = Folder::Workspaces;
        assert!(matches!(workspaces.folder("Main"), Named::Misnamed(..)));
    }

    #[test]
    fn what_is_private() {
        assert!(is_private("system/settings.json") && is_private(".recto/tmp/1-1.tmp"));
        assert!(!is_private("systems/a.json") && !is_private("workspaces/system/icon.png"));
    }

    #[test]
    fn unfinished_files_are_ignored_wherever_they_are() {
        let path = format!("workspaces/main/media/{}", "ä".repeat(90));
        for path in [unfinished(1, 2), unfinished_beside(&path, 1, 2), unfinished_beside("a", 1, 2)]
        {
            let name = path.rsplit('/').next().unwrap();
            assert!(is_ignored(name) && name.len() < 255, "{path}");
        }
    }
}
