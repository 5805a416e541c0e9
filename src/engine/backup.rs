//! Backups of what is served: made beside readers and writers, looked into, taken in from elsewhere.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use crate::engine::Engine;
use crate::engine::commit::CommitError;
use crate::engine::load;
use crate::engine::read;
use crate::engine::read::ReadFile;
use crate::model::backup::BackupName;
use crate::model::backup::Flaw;
use crate::model::backup::Manifest;
use crate::model::backup::Part;
use crate::model::media::fitting;
use crate::model::media::mime_by_extension;
use crate::model::name::Filename;
use crate::model::name::TokenId;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::model::role::RoleRecord;
use crate::model::token::TokenRecord;
use crate::model::user::UserRecord;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;
use crate::store::archive::Selection;
use crate::store::archive::opened::Limits;
use crate::store::archive::opened::Opened;
use crate::store::archive::opened::Refusal;
use crate::store::archive::packing;
use crate::store::archive::packing::Order;
use crate::store::archive::packing::Progress;
use crate::store::archive::shelf;
use crate::store::archive::shelf::Card;
use crate::store::blob::Blob;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::Key;
use crate::store::lock::WriteLock;
use crate::store::spool::Spooled;

/// What a backup is to be made of.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// These parts.
    pub parts: BTreeSet<Part>,
    /// Of these workspaces; none for all of them and the installation.
    pub workspaces: Option<BTreeSet<WorkspaceSlug>>,
    /// Whether hashes and secrets come along.
    pub secrets: bool,
    /// What somebody wants to remember.
    pub note: String,
    /// Who asks.
    pub created_by: Option<String>,
}

/// Why a backup is not made, taken in or restored.
#[derive(Debug)]
pub enum BackupError {
    /// There is none of that name.
    Missing,
    /// Something is wrong with it.
    Flawed(Vec<Flaw>),
    /// Something was asked for that is not in it.
    NotInIt(Vec<Flaw>),
    /// It would give somebody more than whoever asks for it has.
    Exceeds,
    /// It cannot be written.
    Commit(CommitError),
}

impl From<Refusal> for BackupError {
    fn from(refusal: Refusal) -> BackupError {
        match refusal {
            Refusal::Flawed(flaws) => BackupError::Flawed(flaws),
            Refusal::Store(error) => error.into(),
        }
    }
}

impl From<Flaw> for BackupError {
    fn from(flaw: Flaw) -> BackupError {
        BackupError::Flawed(vec![flaw])
    }
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> BackupError {
        BackupError::Commit(error.into())
    }
}

impl From<CommitError> for BackupError {
    fn from(error: CommitError) -> BackupError {
        BackupError::Commit(error)
    }
}

/// Makes a backup in a data folder that may be served meanwhile, and reads it back.
pub fn create(
    disk: &Arc<dyn Disk>,
    lock: &WriteLock,
    wanted: &Wanted,
    now: Timestamp,
    progress: &dyn Fn(Progress),
) -> Result<(BackupName, Manifest), BackupError> {
    let order = order(wanted, now, progress);
    let packed = packing::pack(disk, lock, order)?;
    let name = shelf::place(&**disk, &packed.path, &BackupName::of(now, None))?;
    let read_back = look_through(&**disk, &name);
    if read_back.is_err() {
        // What cannot be restored is no backup.
        let _ = shelf::remove(&**disk, &name);
    }
    read_back?;
    Ok((name, packed.manifest))
}

pub(super) fn order<'a>(
    wanted: &Wanted,
    now: Timestamp,
    progress: &'a dyn Fn(Progress),
) -> Order<'a> {
    Order {
        selection: Selection::of(wanted.parts.clone(), wanted.workspaces.clone()),
        secrets: wanted.secrets,
        note: wanted.note.clone(),
        created_by: wanted.created_by.clone(),
        now,
        judge: &judge,
        progress,
    }
}

/// Reads all of a backup: what it says of itself, once everything in it was found to be right.
pub fn look_through(disk: &dyn Disk, name: &BackupName) -> Result<(Manifest, Stat), BackupError> {
    let (mut opened, stat) = shelf::look_into(disk, name)?.ok_or(BackupError::Missing)?;
    opened.verify(&judge)?;
    Ok((opened.manifest().clone(), stat))
}

impl Engine {
    /// Makes a backup. Nobody waits for it longer than it takes to list the files of a workspace.
    pub fn back_up(&self, wanted: &Wanted) -> Result<Card, BackupError> {
        self.may_write()?;
        let lock = self.write_lock.as_ref().ok_or(CommitError::ReadOnly)?;
        let (name, _) = create(&self.disk, lock, wanted, self.clock.now(), &|_| {})?;
        let stat = self.disk.stat(&shelf::path(&name)).map(|it| it.stat);
        let stat = stat.map_err(StoreError::io("look at", shelf::path(&name)))?;
        self.archives.verified(&*self.disk, &name, stat, true);
        self.backup(&name)
    }

    /// All backups, the newest first.
    pub fn backups(&self) -> Result<Vec<Card>, StoreError> {
        self.archives.list(&*self.disk)
    }

    /// One backup.
    pub fn backup(&self, name: &BackupName) -> Result<Card, BackupError> {
        self.archives.get(&*self.disk, name)?.ok_or(BackupError::Missing)
    }

    /// Opens a backup to be sent.
    pub fn open_backup(&self, name: &BackupName) -> Result<Blob, BackupError> {
        let opened = shelf::open(&*self.disk, name).map(|(file, stat)| Blob::of(file, stat));
        opened.map_err(|error| match error {
            ReadError::Unreadable(error) => StoreError::io("open", shelf::path(name))(error).into(),
            _ => BackupError::Missing,
        })
    }

    /// Reads all of a backup and remembers whether it is right.
    pub fn inspect_backup(&self, name: &BackupName) -> Result<Manifest, BackupError> {
        let looked = look_through(&*self.disk, name);
        match &looked {
            Ok((_, stat)) => self.archives.verified(&*self.disk, name, *stat, true),
            Err(BackupError::Flawed(_)) => {
                if let Ok(found) = self.disk.stat(&shelf::path(name)) {
                    self.archives.verified(&*self.disk, name, found.stat, false);
                }
            }
            Err(_) => {}
        }
        looked.map(|(manifest, _)| manifest)
    }

    /// Removes a backup.
    pub fn delete_backup(&self, name: &BackupName) -> Result<(), BackupError> {
        self.may_write()?;
        if shelf::remove(&*self.disk, name)? { Ok(()) } else { Err(BackupError::Missing) }
    }

    /// Takes an archive in that somebody sent, once everything in it was found to be right.
    pub fn take_in_backup(&self, upload: Spooled) -> Result<(Card, Manifest), BackupError> {
        self.may_write()?;
        let opened = self.disk.open(&upload.path);
        let (file, stat) = opened.map_err(|error| match error {
            ReadError::Unreadable(error) => StoreError::io("open", upload.path.as_str())(error),
            _ => StoreError::io("open", upload.path.as_str())(io::ErrorKind::NotFound.into()),
        })?;
        let mut opened = Opened::open(file, Limits::FOREIGN)?;
        opened.verify(&judge)?;
        let manifest = opened.manifest().clone();
        let wish = BackupName::resembling(&upload.name, self.clock.now());
        let name = shelf::place(&*self.disk, &upload.path, &wish)?;
        // Its name alone is another one: times of changes are, on some systems.
        let now = self.disk.stat(&shelf::path(&name)).map_or(stat, |it| it.stat);
        self.archives.verified(&*self.disk, &name, now, true);
        Ok((self.backup(&name)?, manifest))
    }
}

/// Says why bytes cannot be a file of ours, if they cannot: what would block loading, and media that
/// are not what they are called.
pub(super) fn judge(key: &Key, bytes: &[u8]) -> Result<(), String> {
    let path = key.path();
    match key {
        Key::Schema(_, name) => expect(read::content_type(name, &path, bytes)),
        Key::Workspace(ws) => expect(load::workspace_meta(ws, &path, bytes)),
        Key::Categories(_) => expect(load::categories(&path, bytes)),
        Key::Token(id) => expect_token(id, &path, bytes),
        Key::User(id) => expect_record(&path, bytes, |it| UserRecord::parse(id, it).map(|_| ())),
        Key::Role(id) => expect_record(&path, bytes, |it| RoleRecord::parse(id, it).map(|_| ())),
        Key::Media(_, name) => expect_media(name, bytes),
        Key::Icon(_) | Key::Avatar(_) => {
            let is_png = bytes.starts_with(b"\x89PNG\r\n\x1a\n");
            if is_png { Ok(()) } else { Err("This is no PNG picture.".to_string()) }
        }
        _ => expect(read::json(&path, bytes)),
    }
}

fn expect<T>(read: ReadFile<T>) -> Result<(), String> {
    if read.value.is_some() { Ok(()) } else { Err(reason(&read.problems)) }
}

fn reason(problems: &[Problem]) -> String {
    let blocking = problems.iter().find(|it| it.kind.blocks_loading()).or(problems.first());
    let Some(problem) = blocking else { return "It cannot be read.".to_string() };
    match (problem.line, problem.column) {
        (Some(line), Some(column)) => {
            format!("{} (line {line}, column {column})", problem.message)
        }
        _ => problem.message.clone(),
    }
}

/// A token may come without the hash of its secret.
fn expect_token(id: &TokenId, path: &str, bytes: &[u8]) -> Result<(), String> {
    const HASH: &str = "secret_sha256";
    let ReadFile { value, problems } = read::json(path, bytes);
    let Some(Json::Object(mut map)) = value else { return Err(reason(&problems)) };
    if !map.contains(HASH) {
        map.push(HASH, "0".repeat(64));
    }
    TokenRecord::parse(id, &Json::Object(map)).map(|_| ()).map_err(|it| first_of(&it))
}

fn expect_record(
    path: &str,
    bytes: &[u8],
    parse: impl Fn(&Json) -> Result<(), FieldProblems>,
) -> Result<(), String> {
    let ReadFile { value, problems } = read::json(path, bytes);
    let json = value.ok_or_else(|| reason(&problems))?;
    parse(&json).map_err(|it| first_of(&it))
}

fn first_of(defects: &FieldProblems) -> String {
    let first = defects.iter().next().map(|(field, why)| format!("`{field}`: {why}"));
    first.unwrap_or_default()
}

fn expect_media(name: &Filename, head: &[u8]) -> Result<(), String> {
    let extension = name.extension();
    let said = mime_by_extension(extension);
    let found = fitting(extension, head).map(|it| it.mime);
    if said.is_some() && found == said {
        return Ok(());
    }
    Err(match said {
        Some(said) => format!("Its name says that it is {said}, and its bytes say otherwise."),
        None => "Files of this type are not kept.".to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_restored() {
        let check = |path: &str, bytes: &[u8], expect: bool| {
            let key = Key::parse(path).unwrap_or_else(|| panic!("{path}"));
            let judged = judge(&key, bytes);
            assert_eq!(judged.is_ok(), expect, "{path}: {judged:?}");
        };
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice();
        check("workspaces/main/content/posts/a.json", b"{\"title\": \"A\", \"x\": 1}", true);
        check("workspaces/main/content/posts/a.json", b"[]", false);
        check("workspaces/main/content/posts/a.json", b"{", false);
        check("workspaces/main/content/posts/a.json", b"{\"a\": 1, \"a\": 2}", false);
        check("workspaces/main/schemas/posts.json", b"{\"fields\": {}}", true);
        check("workspaces/main/schemas/posts.json", b"{\"fields\": 7}", false);
        check("workspaces/main/workspace.json", b"{\"format\": 99}", false);
        check("workspaces/main/icon.png", png, true);
        check("workspaces/main/icon.png", b"GIF89a", false);
        check("workspaces/main/media/a.png", png, true);
        check("workspaces/main/media/a.jpg", png, false);
        check("workspaces/main/media/a.exe", b"MZ", false);
        check("workspaces/main/media/a.txt", b"text", true);
        check("system/tokens/01jz8x3m5q7v9c2a.json", b"{\"permissions\": []}", true);
        check("system/tokens/01jz8x3m5q7v9c2a.json", b"{\"permissions\": 1}", false);
    }
}
