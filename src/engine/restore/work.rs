//! A restore under way: what is in the archive, what is there, and what is to happen.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io::Read;
use std::io::Write;

use sha2::Digest;
use sha2::Sha256;

use crate::engine::Engine;
use crate::engine::backup::BackupError;
use crate::engine::backup::Wanted;
use crate::engine::commit::CommitError;
use crate::engine::restore::Covers;
use crate::engine::restore::Handed;
use crate::engine::restore::Restore;
use crate::engine::restore::Restored;
use crate::model::backup::BackupName;
use crate::model::backup::Flaw;
use crate::model::backup::Part;
use crate::model::grant::Grant;
use crate::model::role;
use crate::model::user::UserRecord;
use crate::stdx::json::Json;
use crate::store::archive::Selection;
use crate::store::archive::opened::Item;
use crate::store::archive::opened::Opened;
use crate::store::archive::part_of;
use crate::store::archive::secrets;
use crate::store::archive::survey::Found;
use crate::store::archive::survey::Scope;
use crate::store::archive::survey::survey;
use crate::store::codec;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::journal::Failure;
use crate::store::journal::Staged;
use crate::store::journal::Waiting;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// A file of the archive on its way.
struct Piece {
    item: Item,
    part: Part,
    seen: Live,
    waiting: Option<Waiting>,
}

/// What stands in the place of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Live {
    Missing,
    /// The very bytes.
    Same(Stat),
    Other(Stat),
}

/// A restore under way.
pub(super) struct Work<'a> {
    engine: &'a Engine,
    opened: Opened,
    order: &'a Restore,
    pub(super) selection: Selection,
    pieces: Vec<Piece>,
    staged: Option<Staged<'a>>,
    pub(super) done: Restored,
    pub(super) handed: Handed,
    /// Every path that becomes another.
    pub(super) touched: Vec<Found>,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        opened: Opened,
        order: &'a Restore,
        selection: Selection,
    ) -> Work<'a> {
        let items = opened.items().filter(|it| selection.holds(&it.key)).cloned();
        let piece = |item: Item| {
            let (part, seen) = (part_of(&item.key), Live::Missing);
            Piece { item, part, seen, waiting: None }
        };
        let pieces = items.map(piece).collect();
        Work {
            engine,
            opened,
            order,
            selection,
            pieces,
            staged: None,
            done: Restored::default(),
            handed: Handed::default(),
            touched: Vec::new(),
        }
    }

    fn disk(&self) -> &'a dyn Disk {
        &*self.engine.disk
    }

    /// A backup of what may be lost, and of all that belongs to it.
    pub(super) fn safety(&self, name: &BackupName) -> Wanted {
        Wanted {
            parts: self.selection.parts.clone(),
            workspaces: (!self.selection.of_installation)
                .then(|| self.selection.workspaces.clone())
                .flatten(),
            secrets: true,
            note: format!("What was there before {} was restored.", name.as_str()),
            created_by: self.order.created_by.clone(),
        }
    }

    /// Looks what would happen.
    pub(super) fn rehearse(mut self, covers: Covers<'_>) -> Result<Restored, BackupError> {
        for index in 0..self.pieces.len() {
            self.observe(index)?;
        }
        self.decide()?;
        if covers(&self.handed) { Ok(self.done) } else { Err(BackupError::Exceeds) }
    }

    /// Lets what will be needed wait below the journal.
    pub(super) fn stage(&mut self) -> Result<(), BackupError> {
        let id = self.engine.new_id();
        self.staged = Some(Staged::begin(self.disk(), id.as_str())?);
        self.opened.rewind();
        for index in 0..self.pieces.len() {
            self.observe(index)?;
            let is_needed = match self.pieces.get(index).map(|it| it.seen) {
                Some(Live::Missing) => true,
                Some(Live::Other(_)) => self.order.overwrite,
                _ => false,
            };
            if is_needed {
                self.fetch(index)?;
            }
        }
        match &mut self.staged {
            Some(staged) => Ok(staged.sync()?),
            None => Ok(()),
        }
    }

    /// Looks what stands in the place of a piece.
    fn observe(&mut self, index: usize) -> Result<(), BackupError> {
        let Some(piece) = self.pieces.get(index) else { return Ok(()) };
        let item = piece.item.clone();
        let found = match self.disk().stat(&item.path) {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return self.saw(index, Live::Missing);
            }
            Err(error) => return Err(StoreError::io("look at", item.path)(error).into()),
        };
        let needs_merge = secrets::has_secrets(&item.key) && !self.opened.manifest().secrets;
        let seen = if found.kind != disk::Kind::File {
            return Err(Flaw::new(&*item.path, "Something else stands in its place here.").into());
        } else if !needs_merge && found.stat.size != item.size {
            Live::Other(found.stat)
        } else if item.key.is_json() {
            let mut there = Vec::new();
            let stat = match self.disk().read(&item.path, &mut there) {
                Ok(stat) => stat,
                Err(error) => return Err(unreadable(&item.path, error)),
            };
            let wanted = if needs_merge {
                let bytes = self.opened.bytes(&item)?;
                secrets::with_those_of(&item.key, &bytes, Some(&there)) == there
            } else {
                *item.sum() == <[u8; 32]>::from(Sha256::digest(&there))
            };
            if wanted { Live::Same(stat) } else { Live::Other(stat) }
        } else {
            let (file, stat) =
                self.disk().open(&item.path).map_err(|error| unreadable(&item.path, error))?;
            let sum = sum_of(file).map_err(StoreError::io("read", item.path.as_str()))?;
            if sum == *item.sum() { Live::Same(stat) } else { Live::Other(stat) }
        };
        self.saw(index, seen)
    }

    fn saw(&mut self, index: usize, seen: Live) -> Result<(), BackupError> {
        if let Some(piece) = self.pieces.get_mut(index) {
            piece.seen = seen;
        }
        Ok(())
    }

    /// Takes a piece out of the archive.
    fn fetch(&mut self, index: usize) -> Result<(), BackupError> {
        let (Some(piece), Some(staged)) = (self.pieces.get_mut(index), &mut self.staged) else {
            return Ok(());
        };
        let (item, disk) = (&piece.item, &self.engine.disk);
        let waiting = if item.key.is_json() {
            let mut bytes = self.opened.bytes(item)?;
            if secrets::has_secrets(&item.key) && !self.opened.manifest().secrets {
                let mut there = Vec::new();
                let there = disk.read(&item.path, &mut there).is_ok().then_some(there);
                bytes = secrets::with_those_of(&item.key, &bytes, there.as_deref());
            }
            staged.write(&item.path, &bytes)?
        } else {
            let (waiting, mut file) = staged.create_for(&item.path)?;
            let write = |bytes: &[u8]| {
                file.write_all(bytes).map_err(StoreError::io("write", item.path.as_str()))
            };
            self.opened.read(item, write)?;
            waiting
        };
        piece.waiting = Some(waiting);
        Ok(())
    }

    /// Compares what is there at this moment with what is wanted, and says what is to happen.
    pub(super) fn decide(&mut self) -> Result<(), BackupError> {
        let mut there = self.there()?;
        let mut folded: BTreeMap<String, String> =
            there.keys().map(|path| (path.to_lowercase(), path.clone())).collect();
        for index in 0..self.pieces.len() {
            let Some(piece) = self.pieces.get(index) else { continue };
            let (item, part) = (piece.item.clone(), piece.part);
            let found = there.remove(&item.path);
            let known = match piece.seen {
                Live::Missing => None,
                Live::Same(stat) | Live::Other(stat) => Some(stat),
            };
            if found.as_ref().map(|it| it.stat) != known {
                self.observe(index)?;
                self.forget_fetched(index);
            }
            if found.is_some() {
                _ = folded.remove(&item.path.to_lowercase());
            }
            let twin = folded.get(&item.path.to_lowercase()).cloned();
            match (self.wish(index, twin), &found) {
                (true, _) => self.put(index, item, part, found)?,
                (false, _) => *self.done.skipped.entry(part).or_default() += 1,
            }
        }
        if self.order.overwrite {
            self.expect_an_admin()?;
            there.into_values().try_for_each(|extra| self.remove(extra))?;
        }
        Ok(())
    }

    /// Somebody can still log in who may do everything, if anybody can now.
    fn expect_an_admin(&mut self) -> Result<(), BackupError> {
        if !self.selection.parts.contains(&Part::Users) {
            return Ok(());
        }
        let can = |user: &UserRecord| user.role.as_str() == role::ADMIN && user.password.is_some();
        let items: Vec<Item> = self.pieces.iter().map(|it| it.item.clone()).collect();
        for item in items {
            let Key::User(id) = &item.key else { continue };
            let (bytes, mut there) = (self.opened.bytes(&item)?, Vec::new());
            let there = self.disk().read(&item.path, &mut there).is_ok().then_some(there);
            let bytes = secrets::with_those_of(&item.key, &bytes, there.as_deref());
            let parsed = codec::parse(&item.path, &bytes).map(|it| Json::Object(it.map)).ok();
            if parsed.and_then(|it| UserRecord::parse(id, &it).ok()).is_some_and(|it| can(&it)) {
                return Ok(());
            }
        }
        if self.engine.installation().users().any(|it| can(&it.record)) {
            let message = "Nobody who may do everything could log in after that.";
            return Err(Flaw::new(Folder::Users.path(), message).into());
        }
        if self.pieces.iter().any(|it| matches!(it.item.key, Key::User(_))) {
            let message =
                "Nobody who may do everything can log in: `recto user reset-password` helps.";
            self.done.problems.push(Flaw::new(Folder::Users.path(), message));
        }
        Ok(())
    }

    /// What is there of what could be replaced.
    fn there(&self) -> Result<BTreeMap<String, Found>, BackupError> {
        let mut there = BTreeMap::new();
        for scope in Scope::of(self.disk(), &self.selection)? {
            let files = survey(self.disk(), &scope, &self.selection)?.files;
            there.extend(files.into_iter().map(|it| (it.path.clone(), it)));
        }
        Ok(there)
    }

    /// Whether a piece goes to its place. `twin` is a file whose name differs from it in case alone.
    fn wish(&mut self, index: usize, twin: Option<String>) -> bool {
        let Some(piece) = self.pieces.get(index) else { return false };
        let path = piece.item.path.clone();
        match (piece.seen, self.order.overwrite, twin) {
            (Live::Missing, false, Some(twin)) => {
                let message = format!("`{twin}` is there, which differs from it only in case.");
                self.done.problems.push(Flaw::new(path, message));
                false
            }
            (Live::Missing, ..) => !self.is_a_token_without_secret(index),
            (Live::Same(_), ..) => false,
            (Live::Other(_), overwrite, _) => overwrite,
        }
    }

    /// A token whose secret is neither in the backup nor here opens nothing.
    fn is_a_token_without_secret(&mut self, index: usize) -> bool {
        let Some(piece) = self.pieces.get(index) else { return false };
        let lacks = matches!(piece.item.key, Key::Token(_)) && !self.opened.manifest().secrets;
        if lacks {
            let message =
                "The backup was made without secrets, so this token cannot be used again.";
            self.done.problems.push(Flaw::new(&*piece.item.path, message));
        }
        lacks
    }

    /// It waits no longer as it should be: what it is made of has changed.
    fn forget_fetched(&mut self, index: usize) {
        if let Some(piece) = self.pieces.get_mut(index)
            && secrets::has_secrets(&piece.item.key)
        {
            piece.waiting = None;
        }
    }

    fn put(
        &mut self,
        index: usize,
        item: Item,
        part: Part,
        found: Option<Found>,
    ) -> Result<(), BackupError> {
        if part.grants() {
            let bytes = if item.key.is_json() { self.opened.bytes(&item)? } else { Vec::new() };
            self.hand(&item.key, &bytes);
            self.hand_what_is_there(&item.key, found.as_ref());
        }
        *self.done.restored.entry(part).or_default() += 1;
        let stat = found.map(|it| it.stat);
        self.touched.push(Found {
            key: item.key.clone(),
            path: item.path.clone(),
            stat: stat.unwrap_or_default(),
        });
        if self.staged.is_none() {
            return Ok(());
        }
        if self.pieces.get(index).is_some_and(|it| it.waiting.is_none()) {
            self.fetch(index)?;
        }
        let waiting = self.pieces.get_mut(index).and_then(|it| it.waiting.take());
        if let (Some(waiting), Some(staged)) = (waiting, &mut self.staged) {
            staged.place(waiting, &item.path, stat.as_ref());
        }
        Ok(())
    }

    fn remove(&mut self, extra: Found) -> Result<(), BackupError> {
        let part = part_of(&extra.key);
        if part.grants() {
            self.hand_what_is_there(&extra.key, Some(&extra));
        }
        *self.done.removed.entry(part).or_default() += 1;
        if let Some(staged) = &mut self.staged {
            staged.remove(&extra.path, &extra.stat);
        }
        self.touched.push(extra);
        Ok(())
    }

    /// Nobody takes from others what he does not have himself.
    fn hand_what_is_there(&mut self, key: &Key, found: Option<&Found>) {
        let mut bytes = Vec::new();
        if let Some(found) = found
            && key.is_json()
            && self.disk().read(&found.path, &mut bytes).is_ok()
        {
            self.hand(key, &bytes);
        }
    }

    fn hand(&mut self, key: &Key, bytes: &[u8]) {
        let Ok(file) = codec::parse(&key.path(), bytes) else { return };
        let list = file.map.get("permissions").map(Grant::parse_list);
        let list = list.and_then(Result::ok).unwrap_or_default();
        match key {
            Key::Role(id) => {
                self.handed.roles.entry(id.to_string()).or_default().extend(list.clone());
                self.handed.grants.extend(list);
            }
            Key::Token(_) => self.handed.grants.extend(list),
            Key::User(_) => {
                let role = file.map.get("role").and_then(Json::as_str);
                self.handed.roles_of_users.extend(role.map(str::to_string));
            }
            _ => {}
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.staged.as_ref().is_none_or(Staged::is_empty)
    }

    /// Makes it happen.
    pub(super) fn carry_out(&mut self) -> Result<(), BackupError> {
        let Some(staged) = self.staged.take() else { return Ok(()) };
        match staged.carry_out() {
            Ok(left_alone) => {
                let message = "It was edited at this very moment, and is left as it is.";
                self.done.problems.extend(left_alone.into_iter().map(|it| Flaw::new(it, message)));
                self.clear_folders();
                Ok(())
            }
            Err(Failure::Stale(_)) => Err(CommitError::Stale.into()),
            Err(Failure::Unstarted(error) | Failure::Unfinished(error)) => Err(error.into()),
        }
    }

    /// Folders in which nothing is left go; the others stay.
    fn clear_folders(&self) {
        let gone = self.touched.iter().map(|it| it.key.folder());
        let folders: BTreeSet<Folder> = gone
            .filter(|it| {
                matches!(it, Folder::Entries(..) | Folder::Trash(..) | Folder::Revisions(..))
            })
            .collect();
        for folder in folders {
            let path = folder.path();
            if self.disk().remove_folder(&path).is_ok() && matches!(folder, Folder::Revisions(..)) {
                let _ = self.disk().remove_folder(disk::parent(&path));
            }
        }
    }
}

fn unreadable(path: &str, error: ReadError) -> BackupError {
    match error {
        ReadError::Unreadable(error) => StoreError::io("read", path)(error).into(),
        other => Flaw::new(path, other.problem(path).message).into(),
    }
}

fn sum_of(mut file: impl Read) -> std::io::Result<[u8; 32]> {
    let (mut sum, mut chunk) = (Sha256::new(), vec![0; 256 * 1024]);
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(sum.finalize().into()),
            read => sum.update(chunk.get(..read).unwrap_or_default()),
        }
    }
}
