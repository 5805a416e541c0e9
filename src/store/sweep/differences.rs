//! How files and listings differ from what was known of them.

use std::sync::Arc;

use crate::store::codec;
use crate::store::disk::{Listing, ReadError, Stat};
use crate::store::known::{KnownFolder, Moment, State, Trust};
use crate::store::layout::Named;
use crate::store::load::{Body, Contents, FileRef};
use crate::store::sweep::{Finding, Now, Suspect};

/// What a name that was spoken of calls for.
pub(super) enum Suspicion {
    None,
    File(Suspect),
    /// The whole folder has to be listed.
    Folder,
}

/// What a name calls for.
pub(super) fn suspicion(known: &KnownFolder, name: &str, stat: Stat, rehash: bool) -> Suspicion {
    let state = known.get(name);
    if !rehash && state.is_some_and(|state| state.is_clean(&stat)) {
        return Suspicion::None;
    }
    if state.is_none() && known.collides(name) {
        return Suspicion::Folder;
    }
    match known.here.folder.file(name) {
        Named::Ours(key) => {
            let (folder, name) = (Arc::clone(&known.here), name.into());
            Suspicion::File(Suspect { file: FileRef { key, folder, name, stat }, known: state })
        }
        Named::Ignored => Suspicion::None,
        Named::Misnamed(..) => Suspicion::Folder,
    }
}

impl Suspect {
    pub(super) fn read(&self, body: Result<Body<'_>, ReadError>, now: Moment) -> Finding {
        let (bytes, stat, sum) = match body {
            Ok(body) => (body.bytes, body.stat, body.sum()),
            Err(ReadError::Missing) => return Finding::Gone,
            Err(error) if error.passes() => {
                return Finding::Unseen(error.problem(&self.file.path()));
            }
            Err(error) => return self.unreadable(&error),
        };
        let state = State::read(stat, sum, now);
        if self.known.is_some_and(|known| known.is_as_good_as(&state)) {
            return Finding::Same(state);
        }
        let half_written = !codec::is_complete(bytes);
        let now = Now::Read { bytes: bytes.to_vec(), stat, sum };
        Finding::Other { state, now, half_written }
    }

    fn unreadable(&self, error: &ReadError) -> Finding {
        let state = State::unread(self.file.stat, Trust::Unreadable);
        if self.known.is_some_and(|it| it.trust == Trust::Unreadable && it.stat == state.stat) {
            return Finding::Same(state);
        }
        let now = Now::Unreadable(error.problem(&self.file.path()));
        Finding::Other { state, now, half_written: false }
    }

    /// Of media the stat is all there is to know.
    pub(super) fn seen(&self) -> Finding {
        let stat = self.file.stat;
        let state = State::unread(stat, Trust::Same);
        if self.known.is_some_and(|known| known.stat == stat) {
            return Finding::Same(state);
        }
        Finding::Other { state, now: Now::Seen(stat), half_written: false }
    }
}

/// How a listing differs from what was known of the folder.
#[derive(Default)]
pub(super) struct Differences {
    /// Files to look into, folders and problems.
    pub(super) contents: Contents,
    /// What was known of each file in `contents`.
    pub(super) states: Vec<Option<State>>,
    /// Names of known files that are not there, or no longer files.
    pub(super) missing: Vec<Box<str>>,
    /// Whether a name came or went.
    pub(super) names_changed: bool,
}

impl Differences {
    /// Compares a listing with what was known.
    pub(super) fn of(known: &KnownFolder, listing: &Listing, rehash: bool) -> Differences {
        let mut found = Differences::default();
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
            found.contents.add(&known.here, item.clone());
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
