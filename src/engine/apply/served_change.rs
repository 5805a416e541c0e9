//! Changes of what is served, and the events that tell of them where nobody else does.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::entry::ScheduledChange;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::media::MediaItem;
use crate::model::name::TypeName;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;
use crate::store::read::sweep::FileChange;

/// A change of what is served. Events are made of it only for edits by hand:
/// changes through the API bring their own.
pub(crate) enum ServedChange<'s> {
    /// An entry, with the change of its file.
    Entry {
        file: &'s FileChange,
        before: Option<Arc<RenderedEntry>>,
        after: Option<Arc<RenderedEntry>>,
    },
    /// The definition of a type.
    Schema { before: Option<Arc<ContentType>>, after: Option<Arc<ContentType>> },
    /// An entry whose moment has come.
    Due { ty: &'s TypeName, doc: &'s RenderedEntry, turn: ScheduledChange },
    /// A media file.
    Media { before: Option<Arc<MediaItem>>, after: Option<Arc<MediaItem>> },
}

impl ServedChange<'_> {
    /// Makes the events of the change: of an edit by hand, or of a moment that has come.
    pub(crate) fn list_events(&self, now: Timestamp) -> Vec<Event> {
        match self {
            ServedChange::Entry { file, before, after } => {
                let Key::Entry(_, ty, _) = &file.key else { return Vec::new() };
                list_entry_events(ty, before.as_deref(), after.as_deref(), now)
            }
            ServedChange::Schema { before, after } => {
                schema_event(before.as_deref(), after.as_deref()).into_iter().collect()
            }
            ServedChange::Due { ty, doc, turn } => vec![scheduled_event(ty, doc, *turn)],
            ServedChange::Media { before, after } => {
                media_event(before.as_deref(), after.as_deref()).into_iter().collect()
            }
        }
    }
}

fn list_entry_events(
    ty: &TypeName,
    before: Option<&RenderedEntry>,
    after: Option<&RenderedEntry>,
    now: Timestamp,
) -> Vec<Event> {
    let Some(doc) = after.or(before) else { return Vec::new() };
    let subject = entry_subject(ty, doc);
    let is_public = |doc: Option<&RenderedEntry>| doc.map(|it| it.is_public(now));
    let kinds = EventKind::for_entry_change(is_public(before), is_public(after));
    kinds.into_iter().map(|kind| Event::from_disk(kind, subject.clone())).collect()
}

fn schema_event(before: Option<&ContentType>, after: Option<&ContentType>) -> Option<Event> {
    let (kind, ty) = match (before, after) {
        (None, None) => return None,
        (Some(ty), None) => (EventKind::SchemaDeleted, ty),
        (None, Some(ty)) => (EventKind::SchemaCreated, ty),
        (Some(before), Some(ty)) if before.sum == ty.sum => return None,
        (Some(_), Some(ty)) => (EventKind::SchemaUpdated, ty),
    };
    let subject = Subject::Schema { type_name: ty.name.to_string(), label: ty.label.clone() };
    Some(Event::from_disk(kind, subject))
}

fn media_event(before: Option<&MediaItem>, after: Option<&MediaItem>) -> Option<Event> {
    let (kind, item) = match (before, after) {
        (None, None) => return None,
        (None, Some(item)) => (EventKind::MediaUploaded, item),
        (Some(item), None) => (EventKind::MediaDeleted, item),
        (Some(before), Some(item)) if before.is_as_known(item) => return None,
        (Some(_), Some(item)) => (EventKind::MediaUpdated, item),
    };
    Some(Event::from_disk(kind, Subject::Media { filename: item.filename.to_string() }))
}

/// Makes the event of an entry whose moment has come.
pub(crate) fn scheduled_event(ty: &TypeName, doc: &RenderedEntry, turn: ScheduledChange) -> Event {
    let kind = match turn {
        ScheduledChange::Begins => EventKind::ContentPublished,
        ScheduledChange::Ends => EventKind::ContentUnpublished,
    };
    Event::from_schedule(kind, entry_subject(ty, doc))
}

/// An entry as events name it.
fn entry_subject(ty: &TypeName, doc: &RenderedEntry) -> Subject {
    let title = Json::parse(doc.variant_for(None).title_json()).ok();
    Subject::Entry {
        type_name: ty.to_string(),
        id: doc.id().to_string(),
        slug: doc.slug().to_string(),
        status: EntryStatus::as_str(doc.status).to_string(),
        title: title.as_ref().and_then(Json::as_str).unwrap_or_default().to_string(),
    }
}
