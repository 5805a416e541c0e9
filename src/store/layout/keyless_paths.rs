//! Paths of files that have no key: unfinished ones, logs, queues and caches.

use crate::model::name::WorkspaceSlug;

/// The activity log, one file per month.
pub const ACTIVITY: &str = "system/activity";
/// The backup archives.
pub const BACKUPS: &str = "backups";
/// Changes of several files in progress.
pub const JOURNAL: &str = "journal";
/// The extension of files with content.
pub(super) const JSON: &str = ".json";
/// The folder of the revisions of media files. It is not below `revisions`, where each folder is a
/// content type: one may be named `media`.
pub(super) const MEDIA_REVISIONS: &str = "media-revisions";
/// The bodies of deleted files, kept for a week, one folder per day.
pub const REMOVED_BODIES: &str = ".recto/lastgood";
/// The states that other servers had in common with this folder when content was pulled or pushed.
pub const REMOTES: &str = ".recto/remotes";
/// The state of a replica, which belongs to a database.
pub const REPLICA: &str = ".recto/replica.json";
/// The sessions of users.
pub const SESSIONS: &str = ".recto/sessions";
/// The cache of thumbnails.
const THUMBS: &str = ".recto/thumbs";
/// The cache of variants of pictures.
pub const VARIANTS: &str = ".recto/variants";
/// The folder of program updates: the status and the downloaded program.
pub const UPDATES: &str = ".recto/updates";
/// The outcome of the last scheduled backup.
pub const SCHEDULED_BACKUP: &str = ".recto/scheduled-backup.json";
/// The id by which a target of backups knows this folder.
pub const BACKUP_OWNER: &str = ".recto/backup-owner";
/// The queues and delivery logs of webhooks.
pub const WEBHOOKS: &str = ".recto/webhooks";

/// Returns true if `name` in `folder` is that of a folder of files without keys, among those that
/// people see.
pub fn is_keyless_folder(folder: &str, name: &str) -> bool {
    let paths = [ACTIVITY, BACKUPS, JOURNAL];
    paths.into_iter().any(|it| it.rsplit_once('/').unwrap_or(("", it)) == (folder, name))
}

/// Returns the name of an unfinished file in `folder`; `number` is unique in the process.
pub fn unfinished_file(folder: &str, process: u32, number: u64) -> String {
    format!("{folder}/{process}-{number}.tmp")
}

/// Returns the name of an unfinished file next to `path`, for use if the folder of unfinished files
/// is on another file system.
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

/// Returns the path of a cached variant of a picture; `key` has at least two hexadecimal digits.
pub fn variant_path(key: &str) -> String {
    let (folder, _) = key.split_at_checked(2).unwrap_or((key, ""));
    format!("{VARIANTS}/{folder}/{key}")
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

/// Returns the path of what another server had in common with this folder.
pub fn replication_base(name: &str) -> String {
    format!("{REMOTES}/{name}.ndjson")
}

/// Returns the path of a session; `key` is the hash of its secret in hexadecimal digits.
pub fn session_path(key: &str) -> String {
    format!("{SESSIONS}/{key}{JSON}")
}

/// Returns the path of the last body of a file that was deleted on `day` (`YYYY-MM-DD`).
pub fn removed_body_path(day: &str, path: &str) -> String {
    format!("{REMOVED_BODIES}/{day}/{path}")
}

/// Returns true if a path is that of a folder, or below it.
pub fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
