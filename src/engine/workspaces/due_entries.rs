//! Entries whose moment has come, to be public or to end.

use std::collections::HashSet;
use std::sync::Arc;

use crate::engine::apply::served_change::entry_subject;
use crate::engine::folder::OpenFolder;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::EntryReader;
use crate::model::entry::ScheduledChange;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::EventSource;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::EntryChange;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::time::Timestamp;
use crate::store::disk::Stat;
use crate::store::layout::Key;

/// The changes of a snapshot whose time has come.
pub(crate) struct DueChanges {
    /// The types with such entries, as they are now.
    pub(crate) types: Vec<Arc<TypeIndex>>,
    /// The events of entries that somebody sees.
    pub(crate) events: Vec<Event>,
}

impl DueChanges {
    /// Computes the types in which everything is public whose time has come by `now`, and nothing
    /// that has ended. Returns nothing if no time has come. What `current` serves already has its
    /// event: a change may have begun before the moment and end after it.
    pub(crate) fn find(
        folder: &OpenFolder,
        snapshot: &Snapshot,
        current: Option<&Snapshot>,
        now: Timestamp,
    ) -> Option<DueChanges> {
        if snapshot.next_due().is_none_or(|it| it > now) {
            return None;
        }
        let mut found = DueChanges { types: Vec::new(), events: Vec::new() };
        for index in snapshot.types().iter().filter(|it| it.next_due().is_some_and(|it| it <= now))
        {
            let ty = &index.content_type.name;
            let served = current.and_then(|it| it.get(ty.as_str()));
            let served = served.map(|it| ServedEntries::new(it, now));
            let is_served = |doc: &RenderedEntry| served.as_ref().is_some_and(|it| it.has(doc));
            let seen = index.due_by(now).filter(|(_, doc)| !doc.is_reversed() && !is_served(doc));
            found.events.extend(seen.map(|(turn, doc)| scheduled_event(ty, doc, turn)));
            let turning = index
                .due_by(now)
                .filter(|(turn, doc)| *turn == ScheduledChange::Begins && doc.becomes_published);
            let turned: Vec<EntryChange> = turning
                .filter_map(|(_, doc)| reread_entry(folder, snapshot, index, doc, now))
                .collect();
            let live = index.advance_to(now);
            let next = if turned.is_empty() { live } else { live.with_changes(&turned, now) };
            found.types.push(Arc::new(next));
        }
        Some(found)
    }
}

/// The entries of a type as they are served, with nothing left to happen to them.
struct ServedEntries<'a> {
    index: &'a TypeIndex,
    /// Entries whose time has come and that are not served so yet.
    due: HashSet<&'a str>,
}

impl<'a> ServedEntries<'a> {
    fn new(index: &'a TypeIndex, now: Timestamp) -> ServedEntries<'a> {
        ServedEntries { index, due: index.due_by(now).map(|(_, doc)| doc.id.as_str()).collect() }
    }

    /// Returns true if the file of this entry is served as it is at this moment.
    fn has(&self, doc: &RenderedEntry) -> bool {
        let id = doc.id.as_str();
        let served = self.index.find_ordinal(id).and_then(|it| self.index.entry_at(it));
        served.is_some_and(|it| it.rev == doc.rev) && !self.due.contains(id)
    }
}

/// Renders an entry anew, as its file gives it at `now`.
fn reread_entry(
    folder: &OpenFolder,
    snapshot: &Snapshot,
    index: &TypeIndex,
    doc: &RenderedEntry,
    now: Timestamp,
) -> Option<EntryChange> {
    let ty = &index.content_type;
    let path = Key::Entry(snapshot.workspace.clone(), ty.name.clone(), doc.id.clone()).path();
    let media_base = file_parser::media_base(&folder.base_url, &snapshot.workspace);
    let reader = EntryReader { ty, media_base: &media_base, now };
    let read = |bytes: &[u8], stat: &Stat| reader.render_entry(&doc.id, &path, bytes, stat).value;
    let current = match snapshot.meta.unsupported {
        None => folder.read_body(&path).ok().and_then(|(bytes, stat)| read(&bytes, &stat)),
        Some(_) => None,
    };
    let doc = current.or_else(|| {
        let kept = folder.pack.as_ref()?.get(&path)?;
        read(&kept.bytes, &kept.stat)
    })?;
    Some(EntryChange { id: doc.id.clone(), doc: Some(doc) })
}

/// The event of a scheduled change.
pub(crate) fn scheduled_event(ty: &TypeName, doc: &RenderedEntry, turn: ScheduledChange) -> Event {
    let kind = match turn {
        ScheduledChange::Begins => EventKind::ContentPublished,
        ScheduledChange::Ends => EventKind::ContentUnpublished,
    };
    Event { kind, subject: entry_subject(ty, doc), by: None, source: EventSource::Schedule }
}
