//! A loader reads many files of a folder at once. Where one cannot be served, its last good body
//! stands in.

use std::sync::Arc;

use crate::engine::folder::OpenFolder;
use crate::engine::parse::file_parser::EntryReader;
use crate::engine::parse::file_parser::ReadFile;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::problem::Problem;
use crate::query::render::rendered_entry::RenderedEntry;
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
use crate::store::read::media_sums::MediaSums;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;
use crate::store::summed_content::SummedContent;

/// A loader of files and the parts that it needs.
pub(crate) struct Loader<'a> {
    pub disk: &'a dyn Disk,
    /// The last good bodies, for files that cannot be read.
    pub pack: Option<&'a BodyPack>,
    /// The sums of the bytes of media files.
    pub sums: &'a MediaSums,
    pub base_url: &'a str,
    pub now: Timestamp,
}

/// The value of one file, with its problems and the identity by which it is known from now on.
pub(crate) struct FileRead<T> {
    pub value: Option<T>,
    pub problems: Vec<Problem>,
    pub seen: FileIdentity,
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
}

impl<'a> Loader<'a> {
    /// A loader of the open folder, at this moment.
    pub(crate) fn of_folder(folder: &'a OpenFolder) -> Loader<'a> {
        Loader {
            disk: &*folder.disk,
            pack: folder.pack.as_deref(),
            sums: &folder.sums,
            base_url: &folder.base_url,
            now: folder.clock.now(),
        }
    }
}

impl Loader<'_> {
    /// Reads and renders these entries of a type.
    pub(crate) fn load_entries<'f>(
        &self,
        reader: &EntryReader<'_>,
        files: &'f [FileRef],
    ) -> Vec<(&'f FileRef, FileRead<Arc<RenderedEntry>>)> {
        self.read_files(files, |file, bytes, stat| match entry_id(file) {
            Some(id) => reader.render_entry(id, &file.path(), bytes, stat),
            None => ReadFile { value: None, problems: Vec::new() },
        })
    }

    /// Reads files; where one cannot be served, its last good body stands in.
    pub(crate) fn read_files<'f, T: Send>(
        &self,
        files: &'f [FileRef],
        make_good: impl Fn(&FileRef, &[u8], &Stat) -> ReadFile<T> + Sync,
    ) -> Vec<(&'f FileRef, FileRead<T>)> {
        self.read_bodies(files, |file, body| {
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
        })
    }

    /// Reads the states of files, whatever is in them.
    pub(crate) fn read_states(&self, files: &[FileRef]) -> Vec<(FileChange, FileIdentity)> {
        let read = self.read_bodies(files, |file, body| match body {
            Ok(body) => {
                let (stat, sum) = (body.stat, body.sum);
                let content = SummedContent::from_read(body.bytes.to_vec(), sum);
                (SweptFile::Read { content, stat }, FileIdentity::Read(stat, sum))
            }
            Err(error) => {
                let seen = FileIdentity::of_error(&error);
                (SweptFile::Unreadable(error.to_problem(&file.path())), seen)
            }
        });
        let change =
            |file: &FileRef, now| FileChange { key: file.key.clone(), path: file.path(), now };
        read.into_iter().map(|(file, (now, seen))| (change(file, now), seen)).collect()
    }

    fn read_bodies<'f, T: Send>(
        &self,
        files: &'f [FileRef],
        make: impl Fn(&FileRef, Result<FileBody<'_>, ReadError>) -> T + Sync,
    ) -> Vec<(&'f FileRef, T)> {
        let read = match self.pack {
            Some(pack) => load::read_all_packed(self.disk, pack, files, READERS, make),
            None => load::read_all(self.disk, files, READERS, make),
        };
        files.iter().zip(read).collect()
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
        if matches!(
            file.key,
            Key::Entry(..) | Key::Schema(..) | Key::Workspace(_) | Key::Categories(_)
        ) {
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
