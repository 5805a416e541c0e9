//! The effects of a change of files, beside the next snapshot. They are performed once the files
//! are durable.

use std::collections::BTreeMap;

use crate::engine::apply::file_states::FileStates;
use crate::engine::apply::served_change::ServedChange;
use crate::model::event::Event;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::problem::Problem;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

/// The effects of a change of files, beside the next snapshot.
#[derive(Default)]
pub(crate) struct Effects<'s> {
    /// The problems inside files, by path; none where all is well.
    pub(crate) problems: BTreeMap<String, Vec<Problem>>,
    /// Everything of which another version is served.
    pub(crate) served: Vec<ServedChange<'s>>,
    /// The files whose content was accepted: it becomes their last good body.
    pub(crate) accepted: Vec<&'s FileChange>,
    /// The files that are served in no state at all.
    pub(crate) unserved: Vec<&'s FileChange>,
    /// Types that may have got their first entry.
    pub(crate) first_entries: Vec<TypeName>,
    /// Media files that are gone.
    pub(crate) removed_media: Vec<Filename>,
}

impl<'s> Effects<'s> {
    /// The effects that show without the content of files.
    pub(super) fn of_states(states: &'s FileStates) -> Effects<'s> {
        Effects { problems: states.problems.iter().cloned().collect(), ..Effects::default() }
    }

    /// Adds the problems inside a file, in place of those that were found before.
    pub(crate) fn set_problems(&mut self, path: &str, problems: Vec<Problem>) {
        self.problems.insert(path.to_string(), problems);
    }

    /// Makes the events of all changes.
    pub(crate) fn list_events(&self, now: Timestamp) -> Vec<Event> {
        self.served.iter().flat_map(|it| it.list_events(now)).collect()
    }

    /// Lists the entries whose last good body was replaced by another.
    pub(crate) fn list_replaced(&self) -> impl Iterator<Item = &'s Key> {
        self.served.iter().filter_map(|it| match it {
            ServedChange::Entry { file, before: Some(_), after: Some(_) } => Some(&file.key),
            _ => None,
        })
    }

    /// Lists the entries under ids that nobody had, each with the checksum of its file.
    pub(crate) fn list_returned(&self) -> impl Iterator<Item = (&'s Key, Checksum)> {
        self.served.iter().filter_map(|it| match it {
            ServedChange::Entry { file, before: None, after: Some(_) } => match &file.now {
                SweptFile::Read { content, .. } => Some((&file.key, content.sum())),
                _ => None,
            },
            _ => None,
        })
    }
}
