//! The effects of a change of files, beside the next snapshot. They are performed once the files are durable.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::apply::file_states::FileStates;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::media::MediaItem;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::problem::Problem;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;
use crate::store::read::sweep::FileChange;

/// The effects of a change of files, beside the next snapshot.
#[derive(Default)]
pub(crate) struct Effects<'s> {
    /// The problems inside files, by path; none where all is well.
    pub(crate) problems: BTreeMap<String, Vec<Problem>>,
    /// The events, as of edits by hand.
    pub(crate) events: Vec<Event>,
    /// The files whose content was accepted: it becomes their last good body.
    pub(crate) accepted: Vec<&'s FileChange>,
    /// The files that are served in no state at all.
    pub(crate) unserved: Vec<&'s FileChange>,
    /// Entries whose last good body was replaced by another.
    pub(crate) replaced: Vec<&'s Key>,
    /// Entries under ids that nobody had, each with the checksum of its file.
    pub(crate) returned: Vec<(&'s Key, Checksum)>,
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

    /// Adds the events of an entry of which another version is served.
    pub(crate) fn add_entry_events(
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

    /// Adds the event of a type that has another definition, or none.
    pub(crate) fn add_schema_event(
        &mut self,
        before: Option<&Arc<ContentType>>,
        after: Option<&Arc<ContentType>>,
    ) {
        let (kind, ty) = match (before, after) {
            (None, None) => return,
            (Some(ty), None) => (EventKind::SchemaDeleted, ty),
            (None, Some(ty)) => (EventKind::SchemaCreated, ty),
            (Some(before), Some(ty)) if before.sum == ty.sum => return,
            (Some(_), Some(ty)) => (EventKind::SchemaUpdated, ty),
        };
        let subject = Subject::Schema { type_name: ty.name.to_string(), label: ty.label.clone() };
        self.events.push(Event::from_disk(kind, subject));
    }

    /// Adds the event of a media file of which another version is served.
    pub(crate) fn add_media_event(
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

/// An entry as events name it.
pub(crate) fn entry_subject(ty: &TypeName, doc: &RenderedEntry) -> Subject {
    let title = Json::parse(doc.variant_for(None).title_json()).ok();
    Subject::Entry {
        type_name: ty.to_string(),
        id: doc.id.to_string(),
        slug: doc.slug.to_string(),
        status: EntryStatus::as_str(doc.status).to_string(),
        title: title.as_ref().and_then(Json::as_str).unwrap_or_default().to_string(),
    }
}
