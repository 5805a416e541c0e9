//! The edits of others, gathered while they are taken over: events, replaced bodies, returned ids.

use std::sync::Arc;

use crate::engine::workspaces::due_entries::entry_subject;
use crate::model::content_type::ContentType;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::media::MediaItem;
use crate::model::name::TypeName;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;
use crate::store::read::body_pack::WithdrawnBody;

/// The effect of a changed schema file.
pub(crate) enum SchemaChange {
    /// The type stays as it was.
    None,
    /// The type is gone.
    Gone,
    /// The type is this now.
    Now(Arc<ContentType>),
}

/// The edits of others, gathered while they are taken over.
#[derive(Default)]
pub(crate) struct AdoptedEdits {
    pub(crate) events: Vec<Event>,
    /// Bodies of entries that were replaced.
    pub(crate) replaced: Vec<(Key, WithdrawnBody)>,
    /// Entries under ids that nobody had, each with the sum of its file.
    pub(crate) returned: Vec<(Key, Checksum)>,
}

impl AdoptedEdits {
    /// An entry of which another version was found.
    pub(crate) fn add_entry(
        &mut self,
        ty: &TypeName,
        before: Option<&RenderedEntry>,
        after: Option<&RenderedEntry>,
        now: Timestamp,
    ) {
        let Some(doc) = after.or(before) else { return };
        let subject = entry_subject(ty, doc);
        let is_public = |doc: Option<&RenderedEntry>| doc.map(|it| it.is_public(now));
        for kind in EventKind::for_entry_change(is_public(before), is_public(after)) {
            self.events.push(Event::from_disk(kind, subject.clone()));
        }
    }

    /// A schema file that was found changed.
    pub(crate) fn add_schema(&mut self, before: Option<&ContentType>, change: &SchemaChange) {
        let (kind, ty) = match (before, change) {
            (_, SchemaChange::None) | (None, SchemaChange::Gone) => return,
            (Some(ty), SchemaChange::Gone) => (EventKind::SchemaDeleted, ty),
            (None, SchemaChange::Now(ty)) => (EventKind::SchemaCreated, &**ty),
            (Some(before), SchemaChange::Now(ty)) if before.sum == ty.sum => return,
            (Some(_), SchemaChange::Now(ty)) => (EventKind::SchemaUpdated, &**ty),
        };
        let subject = Subject::Schema { type_name: ty.name.to_string(), label: ty.label.clone() };
        self.events.push(Event::from_disk(kind, subject));
    }

    /// A media file of which another version was found.
    pub(crate) fn add_media(
        &mut self,
        before: Option<&Arc<MediaItem>>,
        after: Option<&Arc<MediaItem>>,
    ) {
        let (kind, item) = match (before, after) {
            (None, None) => return,
            (None, Some(item)) => (EventKind::MediaUploaded, item),
            (Some(item), None) => (EventKind::MediaDeleted, item),
            (Some(before), Some(item)) if before.is_as_known(item) => return,
            (Some(_), Some(item)) => (EventKind::MediaUpdated, item),
        };
        let subject = Subject::Media { filename: item.filename.to_string() };
        self.events.push(Event::from_disk(kind, subject));
    }
}
