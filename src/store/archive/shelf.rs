//! The folder of backups: what lies in it, and how something comes there and goes.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::backup::{BackupName, Manifest};
use crate::store::archive::opened::{Limits, Opened, Refusal};
use crate::store::commit;
use crate::store::disk::{self, Disk, Kind, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout;

/// Names are tried up to this number.
const NUMBERS_MAX: usize = 10_000;

/// What is known of one backup.
#[derive(Clone)]
pub struct Card {
    /// Its name.
    pub name: BackupName,
    /// In bytes.
    pub size: u64,
    /// When it was written.
    pub modified_ns: i64,
    /// What it says of itself; none, when it cannot be read.
    pub manifest: Option<Arc<Manifest>>,
    /// Whether every sum in it was looked at since the server started, and was right.
    pub verified: bool,
}

/// The backups of a data folder.
#[derive(Default)]
pub struct Archives {
    /// As of the stat that each had.
    known: Mutex<HashMap<BackupName, (Stat, Card)>>,
}

impl Archives {
    /// All of them, the newest first. Files that have other names are none of ours.
    pub fn list(&self, disk: &dyn Disk) -> Result<Vec<Card>, StoreError> {
        let items = match disk.list(layout::BACKUPS) {
            Ok(listing) => listing.items,
            Err(error) if crate::store::load::is_absence(&error) => Vec::new(),
            Err(error) => return Err(StoreError::io("list", layout::BACKUPS)(error)),
        };
        let files = items.into_iter().filter(|it| it.kind == Kind::File);
        let named = files.filter_map(|it| Some((BackupName::parse(&it.name).ok()?, it.stat)));
        let mut cards: Vec<Card> = named.map(|(name, stat)| self.card(disk, &name, stat)).collect();
        self.known().retain(|name, _| cards.iter().any(|it| it.name == *name));
        cards.sort_by(|a, b| (b.modified_ns, &b.name).cmp(&(a.modified_ns, &a.name)));
        Ok(cards)
    }

    /// One of them.
    pub fn get(&self, disk: &dyn Disk, name: &BackupName) -> Result<Option<Card>, StoreError> {
        let path = path(name);
        match disk.stat(&path) {
            Ok(found) if found.kind == Kind::File => Ok(Some(self.card(disk, name, found.stat))),
            Ok(_) => Ok(None),
            Err(error) if crate::store::load::is_absence(&error) => Ok(None),
            Err(error) => Err(StoreError::io("look at", path)(error)),
        }
    }

    fn card(&self, disk: &dyn Disk, name: &BackupName, stat: Stat) -> Card {
        if let Some((seen, card)) = self.known().get(name)
            && *seen == stat
        {
            return card.clone();
        }
        let opened =
            open(disk, name).ok().and_then(|(file, _)| Opened::open(file, Limits::OWN).ok());
        let manifest = opened.map(|it| Arc::new(it.manifest().clone()));
        let (size, modified_ns) = (stat.size, stat.modified_ns);
        let card = Card { name: name.clone(), size, modified_ns, manifest, verified: false };
        self.known().insert(name.clone(), (stat, card.clone()));
        card
    }

    /// All sums of a backup were looked at while it had this stat.
    pub fn verified(&self, disk: &dyn Disk, name: &BackupName, stat: Stat, right: bool) {
        let mut card = self.card(disk, name, stat);
        card.verified = right;
        self.known().insert(name.clone(), (stat, card));
    }

    // What is known is whole at any time.
    fn known(&self) -> MutexGuard<'_, HashMap<BackupName, (Stat, Card)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a backup lies.
pub fn path(name: &BackupName) -> String {
    format!("{}/{}", layout::BACKUPS, name.as_str())
}

/// Opens a backup to be read.
pub fn open(disk: &dyn Disk, name: &BackupName) -> Result<(File, Stat), ReadError> {
    disk.open(&path(name))
}

/// Opens a backup to look into it; nothing when there is none.
pub fn look_into(disk: &dyn Disk, name: &BackupName) -> Result<Option<(Opened, Stat)>, Refusal> {
    let (file, stat) = match open(disk, name) {
        Ok(opened) => opened,
        Err(ReadError::Missing | ReadError::NotAFile(_) | ReadError::TooLarge(_)) => {
            return Ok(None);
        }
        Err(ReadError::Unreadable(error)) => {
            return Err(StoreError::io("open", path(name))(error).into());
        }
    };
    Ok(Some((Opened::open(file, Limits::OWN)?, stat)))
}

/// Gives a finished archive its name, or that with a number when it is taken.
pub fn place(disk: &dyn Disk, finished: &str, wish: &BackupName) -> Result<BackupName, StoreError> {
    disk::make_folders(disk, layout::BACKUPS)?;
    for number in 1..NUMBERS_MAX {
        let name = if number == 1 { wish.clone() } else { wish.numbered(number) };
        match move_in(disk, finished, &path(&name)) {
            Ok(()) => {
                let synced = disk.sync_folder(layout::BACKUPS);
                synced.map_err(StoreError::io("sync", layout::BACKUPS))?;
                return Ok(name);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::io("write", path(&name))(error)),
        }
    }
    let taken = io::ErrorKind::AlreadyExists.into();
    Err(StoreError::io("write", path(wish))(taken))
}

fn move_in(disk: &dyn Disk, finished: &str, path: &str) -> io::Result<()> {
    match disk.rename_new(finished, path) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            if disk.stat(path).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let beside = disk::unfinished(Some(path));
            let copied = commit::copy(disk, finished, &beside);
            let moved = copied.and_then(|()| disk.rename_new(&beside, path));
            if moved.is_err() {
                let _ = disk.remove(&beside);
            }
            moved
        }
        moved => moved,
    }
}

/// Removes a backup; whether there was one.
pub fn remove(disk: &dyn Disk, name: &BackupName) -> Result<bool, StoreError> {
    let path = path(name);
    match disk.stat(&path) {
        Ok(found) if found.kind == Kind::File => disk::remove(disk, &path).map(|()| true),
        Ok(_) => Ok(false),
        Err(error) if crate::store::load::is_absence(&error) => Ok(false),
        Err(error) => Err(StoreError::io("look at", path)(error)),
    }
}
