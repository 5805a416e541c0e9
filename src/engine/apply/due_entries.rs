//! Entries whose moment has come, to be public or to end.

use std::collections::HashSet;
use std::sync::Arc;

use crate::engine::apply::effects::Effects;
use crate::engine::apply::file_source::ApplyContext;
use crate::engine::apply::served_change::ServedChange;
use crate::engine::parse::file_parser::EntryReader;
use crate::model::entry::ScheduledChange;
use crate::model::name::EntryId;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::EntryChange;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// Reads the file of an entry, or else its last good body, and renders it.
pub(crate) type EntryRenderer<'a> =
    dyn Fn(&EntryReader<'_>, &EntryId, &str) -> Option<Arc<RenderedEntry>> + 'a;

/// Computes the snapshot after the clock passed: everything is public in it whose time has come by
/// now, and nothing that has ended. Returns nothing if no time has come. What `served` serves
/// already is no change: a change may have begun before the moment and end after it.
pub(crate) fn advance<'s>(
    known: &'s Snapshot,
    served: Option<&Snapshot>,
    render: &EntryRenderer<'_>,
    context: ApplyContext<'_>,
) -> Option<(Snapshot, Effects<'s>)> {
    let now = context.now;
    let is_due = |it: &&Arc<TypeIndex>| it.next_due().is_some_and(|due| due <= now);
    let mut effects = Effects::default();
    let mut changed = Vec::new();
    for index in known.types().iter().filter(is_due) {
        let ty = &index.content_type.name;
        let served = served.and_then(|it| it.get(ty.as_str()));
        let served = served.map(|it| ServedEntries::new(it, now));
        let is_served = |doc: &RenderedEntry| served.as_ref().is_some_and(|it| it.has(doc));
        let seen = index.due_by(now).filter(|(_, doc)| !doc.is_reversed() && !is_served(doc));
        effects.served.extend(seen.map(|(turn, doc)| ServedChange::Due { ty, doc, turn }));
        changed.push(advance_type(index, render, context));
    }
    (!changed.is_empty()).then(|| (known.with_types(changed, context.version), effects))
}

/// The index of a type after the clock passed. An entry that says when it is published, and not
/// that it is, is rendered anew.
fn advance_type(
    index: &TypeIndex,
    render: &EntryRenderer<'_>,
    context: ApplyContext<'_>,
) -> TypeIndex {
    let ApplyContext { workspace, now, media_base, .. } = context;
    let ty = &index.content_type;
    let reader = EntryReader { ty, media_base, now };
    let render = |doc: &RenderedEntry| {
        let id = doc.to_id();
        let path = Key::Entry(workspace.clone(), ty.name.clone(), id.clone()).path();
        let doc = render(&reader, &id, &path)?;
        Some(EntryChange { id, doc: Some(doc) })
    };
    let turning = index
        .due_by(now)
        .filter(|(turn, doc)| *turn == ScheduledChange::Begins && doc.becomes_published);
    let turned: Vec<EntryChange> = turning.filter_map(|(_, doc)| render(doc)).collect();
    let next = index.advance_to(now);
    if turned.is_empty() { next } else { next.with_changes(&turned, now) }
}

/// The entries of a type as they are served, with nothing left to happen to them.
struct ServedEntries<'a> {
    index: &'a TypeIndex,
    /// Entries whose time has come and that are not served so yet.
    due: HashSet<&'a str>,
}

impl<'a> ServedEntries<'a> {
    fn new(index: &'a TypeIndex, now: Timestamp) -> ServedEntries<'a> {
        ServedEntries { index, due: index.due_by(now).map(|(_, doc)| doc.id()).collect() }
    }

    /// Returns true if the file of this entry is served as it is at this moment.
    fn has(&self, doc: &RenderedEntry) -> bool {
        let id = doc.id();
        let served = self.index.find_ordinal(id).and_then(|it| self.index.entry_at(it));
        served.is_some_and(|it| it.rev == doc.rev) && !self.due.contains(id)
    }
}
