//! A loader reads many files of a folder at once. Where one cannot be served, its last good body
//! stands in.

use std::borrow::Borrow;

use crate::engine::folder::OpenFolder;
use crate::engine::folder::last_good::keeps_last_good;
use crate::engine::folder::rendered::RenderedEntries;
use crate::engine::parse::file_parser::ReadFile;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::problem::Problem;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::body_pack::BodyPack;
use crate::store::read::load;
use crate::store::read::load::FileBody;
use crate::store::read::load::FileRef;
use crate::store::read::load::READERS;
use crate::store::read::media_sketches::MediaSketches;
use crate::store::read::media_sums::MediaSums;
use crate::store::read::moment::Moment;
use crate::store::read::stat_index::FileState;
use crate::store::read::stat_index::StatTrust;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;
use crate::store::summed_content::SummedContent;

/// A loader of files and the parts that it needs.
pub(crate) struct Loader<'a> {
    pub disk: &'a dyn Disk,
    /// The last good bodies, for files that cannot be read.
    pub pack: Option<&'a BodyPack>,
    /// Entries as they were rendered last.
    pub rendered: Option<&'a RenderedEntries>,
    /// The sums of the bytes of media files.
    pub sums: &'a MediaSums,
    /// The sketches of pictures.
    pub sketches: &'a MediaSketches,
    pub base_url: &'a str,
    pub now: Timestamp,
}

/// The value of one file, with its problems and the identity by which it is known from now on.
pub(crate) struct FileRead<T> {
    pub value: Option<T>,
    pub problems: Vec<Problem>,
    pub seen: FileIdentity,
}

impl<T> FileRead<T> {
    /// Makes something else of the value.
    pub(crate) fn map<U>(self, make: impl FnOnce(T) -> U) -> FileRead<U> {
        FileRead { value: self.value.map(make), problems: self.problems, seen: self.seen }
    }
}

/// The identity by which a file is known from now on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FileIdentity {
    /// It was read.
    Read(Stat, Checksum),
    /// It was not read, and need not be before it changes.
    Unread,
    /// It could not be read for a reason that may pass: it is as if it had not been found yet.
    Not,
}

impl FileIdentity {
    fn of_error(error: &ReadError) -> FileIdentity {
        if error.is_transient() { FileIdentity::Not } else { FileIdentity::Unread }
    }

    /// Returns the state by which the file is known, unless it is as if it had not been found.
    pub(crate) fn to_state(self, file: &FileRef, now: Moment) -> Option<FileState> {
        Some(match self {
            FileIdentity::Read(stat, sum) => FileState::from_read(stat, sum, now),
            FileIdentity::Unread if file.key.is_json() => {
                FileState::from_stat(file.stat, StatTrust::Unreadable)
            }
            FileIdentity::Unread => FileState::from_stat(file.stat, StatTrust::Same),
            FileIdentity::Not => return None,
        })
    }
}

impl<'a> Loader<'a> {
    /// A loader of the open folder, at this moment.
    pub(crate) fn of_folder(folder: &'a OpenFolder) -> Loader<'a> {
        Loader {
            disk: &*folder.disk,
            pack: folder.pack.as_deref(),
            rendered: folder.rendered.as_deref(),
            sums: &folder.sums,
            sketches: &folder.sketches,
            base_url: &folder.base_url,
            now: folder.clock.now(),
        }
    }
}

impl Loader<'_> {
    /// Reads files; where one cannot be served, its last good body stands in.
    pub(crate) fn read_files<'f, T: Send>(
        &self,
        files: &'f [FileRef],
        make_good: impl Fn(&FileRef, &[u8], &Stat) -> ReadFile<T> + Sync,
    ) -> Vec<(&'f FileRef, FileRead<T>)> {
        files.iter().zip(self.read_shares(files, make_good, |_| {})).collect()
    }

    /// Like [`Loader::read_files`], and applies `finish` to the values of some files in a row.
    pub(crate) fn read_shares<F: Borrow<FileRef> + Sync, T: Send>(
        &self,
        files: &[F],
        make_good: impl Fn(&FileRef, &[u8], &Stat) -> ReadFile<T> + Sync,
        finish: impl Fn(&mut [Option<FileRead<T>>]) + Sync,
    ) -> Vec<FileRead<T>> {
        let make = |file: &F, body: Result<FileBody<'_>, ReadError>| {
            let file = file.borrow();
            let (mut read, seen) = match body {
                Ok(body) => {
                    let read = make_good(file, body.bytes, &body.stat);
                    if read.value.is_some() {
                        self.pack_body(file, &body);
                    }
                    (read, FileIdentity::Read(body.stat, body.sum))
                }
                Err(error) => {
                    let seen = FileIdentity::of_error(&error);
                    (ReadFile::broken(error.to_problem(&file.path())), seen)
                }
            };
            if read.value.is_none() && read.problems.iter().any(|it| it.kind.falls_back()) {
                read.value = self.read_last_good(file, &make_good);
            }
            FileRead { value: read.value, problems: read.problems, seen }
        };
        self.read_bodies(files, make, finish)
    }

    /// Reads the states of files, whatever is in them.
    pub(crate) fn read_states(&self, files: &[FileRef]) -> Vec<(FileChange, FileIdentity)> {
        let make = |file: &FileRef, body: Result<FileBody<'_>, ReadError>| match body {
            Ok(body) => {
                let (stat, sum) = (body.stat, body.sum);
                let content = SummedContent::from_read(body.bytes.to_vec(), sum);
                (SweptFile::Read { content, stat }, FileIdentity::Read(stat, sum))
            }
            Err(error) => {
                let seen = FileIdentity::of_error(&error);
                (SweptFile::Unreadable(error.to_problem(&file.path())), seen)
            }
        };
        let read = self.read_bodies(files, make, |_| {});
        let change =
            |file: &FileRef, now| FileChange { key: file.key.clone(), path: file.path(), now };
        files.iter().zip(read).map(|(file, (now, seen))| (change(file, now), seen)).collect()
    }

    fn read_bodies<F: Borrow<FileRef> + Sync, T: Send>(
        &self,
        files: &[F],
        make: impl Fn(&F, Result<FileBody<'_>, ReadError>) -> T + Sync,
        finish: impl Fn(&mut [Option<T>]) + Sync,
    ) -> Vec<T> {
        load::read_all_packed(self.disk, self.pack, files, READERS, make, finish)
    }

    /// Keeps the content of files that was accepted, unless it is kept already.
    pub(crate) fn pack_accepted(&self, accepted: &[&FileChange]) {
        let Some(pack) = self.pack else { return };
        for change in accepted {
            if let SweptFile::Read { content, stat } = &change.now
                && !pack.has_current(&change.path, stat)
            {
                pack.put_body(&change.path, stat, content.sum(), content);
            }
        }
    }

    /// Keeps the body of a file that can be served, unless it is kept already.
    fn pack_body(&self, file: &FileRef, body: &FileBody<'_>) {
        let Some(pack) = self.pack else { return };
        if keeps_last_good(&file.key) {
            let path = file.path();
            if !pack.has_current(&path, &body.stat) {
                pack.put_body(&path, &body.stat, body.sum, body.bytes);
            }
        }
    }

    fn read_last_good<T>(
        &self,
        file: &FileRef,
        make: &impl Fn(&FileRef, &[u8], &Stat) -> ReadFile<T>,
    ) -> Option<T> {
        let kept = self.pack?.get(&file.path())?;
        make(file, &kept.bytes, &kept.stat).value
    }
}

pub(crate) fn entry_id(file: &FileRef) -> Option<&EntryId> {
    if let Key::Entry(_, _, id) = &file.key { Some(id) } else { None }
}

pub(crate) fn filename(file: &FileRef) -> Option<&Filename> {
    match &file.key {
        Key::Media(_, name) | Key::MediaMeta(_, name) => Some(name),
        _ => None,
    }
}
