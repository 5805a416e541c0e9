//! The differences between files and listings and the stat index.

use std::sync::Arc;

use crate::store::codec;
use crate::store::disk::{Listing, ReadError, Stat};
use crate::store::layout::{self, NameMeaning};
use crate::store::read::load::{FileBody, FileRef, FolderContents};
use crate::store::read::moment::Moment;
use crate::store::read::stat_index::{FileState, IndexedFolder, StatTrust};
use crate::store::read::sweep::suspects::{SuspectFile, SuspectFinding, SweptFile};
use crate::store::summed_content::SummedContent;

/// The required check of a name.
pub(super) enum NameSuspicion {
    None,
    File(SuspectFile),
    /// The whole folder must be listed.
    Folder,
}

/// Determines the required check of a name.
pub(super) fn check_name(
    known: &IndexedFolder,
    name: &str,
    stat: Stat,
    rehash: bool,
) -> NameSuspicion {
    let state = known.get(name);
    if !rehash && state.is_some_and(|state| state.is_clean(&stat)) {
        return NameSuspicion::None;
    }
    if state.is_none() && known.has_collision(name) {
        return NameSuspicion::Folder;
    }
    match known.here.folder.classify_file(name) {
        NameMeaning::Ours(key) => {
            let (folder, name) = (Arc::clone(&known.here), name.into());
            NameSuspicion::File(SuspectFile {
                file: FileRef { key, folder, name, stat },
                known: state,
            })
        }
        // A file in the place of a folder is told by a listing.
        NameMeaning::Ignored => match known.here.folder.classify_folder(name) {
            NameMeaning::Ours(_) => NameSuspicion::Folder,
            _ if layout::is_keyless_folder(&known.here.path, name) => NameSuspicion::Folder,
            NameMeaning::Misnamed(..) | NameMeaning::Ignored => NameSuspicion::None,
        },
        NameMeaning::Misnamed(..) => NameSuspicion::Folder,
    }
}

impl SuspectFile {
    pub(super) fn check_body(
        &self,
        body: Result<FileBody<'_>, ReadError>,
        now: Moment,
    ) -> SuspectFinding {
        let (bytes, stat, sum) = match body {
            Ok(body) => (body.bytes, body.stat, body.sum),
            Err(ReadError::Missing) => return SuspectFinding::Gone,
            Err(error) if error.is_transient() => {
                return SuspectFinding::Unseen(error.to_problem(&self.file.path()));
            }
            Err(error) => return self.check_error(&error),
        };
        let state = FileState::from_read(stat, sum, now);
        if self.known.is_some_and(|known| known.is_equivalent(&state)) {
            return SuspectFinding::Same(state);
        }
        let half_written = !codec::is_complete(bytes);
        let now = SweptFile::Read { content: SummedContent::from_read(bytes.to_vec(), sum), stat };
        SuspectFinding::Other { state, now, half_written }
    }

    fn check_error(&self, error: &ReadError) -> SuspectFinding {
        let state = FileState::from_stat(self.file.stat, StatTrust::Unreadable);
        if self.known.is_some_and(|it| it.trust == StatTrust::Unreadable && it.stat == state.stat) {
            return SuspectFinding::Same(state);
        }
        let now = SweptFile::Unreadable(error.to_problem(&self.file.path()));
        SuspectFinding::Other { state, now, half_written: false }
    }

    /// Checks a media file, which is compared by its stat only.
    pub(super) fn check_stat(&self) -> SuspectFinding {
        let stat = self.file.stat;
        let state = FileState::from_stat(stat, StatTrust::Same);
        if self.known.is_some_and(|known| known.stat == stat) {
            return SuspectFinding::Same(state);
        }
        SuspectFinding::Other { state, now: SweptFile::Seen(stat), half_written: false }
    }
}

/// The differences between a listing and the index of the folder.
#[derive(Default)]
pub(super) struct ListingDiff {
    /// The files to check, the subfolders and the problems.
    pub(super) contents: FolderContents,
    /// The indexed state of each file in `contents`.
    pub(super) states: Vec<Option<FileState>>,
    /// The names of indexed files that are missing, or are not files any more.
    pub(super) missing: Vec<Box<str>>,
    /// True if a name was added or removed.
    pub(super) names_changed: bool,
}

impl ListingDiff {
    /// Compares a listing with the index.
    pub(super) fn compute(known: &IndexedFolder, listing: &Listing, rehash: bool) -> ListingDiff {
        let mut found = ListingDiff::default();
        let mut old = known.files.iter().peekable();
        for item in &listing.items {
            while let Some(gone) = old.next_if(|it| *it.name < *item.name) {
                found.missing.push(gone.name.clone());
            }
            let state = old.next_if(|it| *it.name == *item.name).map(|it| it.state);
            if !rehash && state.is_some_and(|state| state.is_clean(&item.stat)) {
                continue;
            }
            found.names_changed |= state.is_none();
            let files = found.contents.files.len();
            found.contents.add_item(&known.here, item.clone());
            if found.contents.files.len() > files {
                found.states.push(state);
            } else if state.is_some() {
                found.missing.push(item.name.clone().into_boxed_str());
            }
        }
        found.missing.extend(old.map(|gone| gone.name.clone()));
        found.names_changed |= !found.missing.is_empty();
        found
    }
}
