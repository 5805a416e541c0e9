//! The entry that a caller changes: who finds it, and where its changes go.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::app::access::Requester;
use crate::app::content::content_types;
use crate::app::content::entries::admin_view::AdminRenderer;
use crate::app::content::write_target::WriteTarget;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::change::PENDING;
use crate::model::entry::EntryStatus;
use crate::model::entry::list_given_fields;
use crate::model::entry::parse_write_locale;
use crate::model::event::EventSource;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::LocaleCode;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::entry_writer::render_for_writer;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::list_query::Shape;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// The entry that a caller acts on.
pub(crate) struct TargetEntry<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) index: &'a Arc<TypeIndex>,
    pub(crate) place: usize,
    pub(crate) ordinal: Ordinal,
    pub(crate) doc: &'a RenderedEntry,
    /// The locale that is written.
    pub(super) locale: Option<LocaleCode>,
    /// True if the caller may read it in that locale.
    pub(crate) is_seen: bool,
}

impl<'a> TargetEntry<'a> {
    /// Finds the entry by id or slug. An entry that the caller may not read, in the locale that
    /// `body` writes, is reported as missing, unless a grant for the action covers the whole type
    /// or the entry is public.
    pub(crate) fn find_entry(
        snapshot: &'a Snapshot,
        by: &'a Requester,
        action: Action,
        type_name: &'a str,
        identifier: &str,
        body: Option<&Map>,
    ) -> Result<TargetEntry<'a>> {
        let (place, index) = content_types::find(snapshot, &by.caller, type_name)?;
        let locale = body.and_then(|it| parse_write_locale(&index.content_type, it).ok().flatten());
        let view = View::new(snapshot, by.caller.viewer(), locale.as_deref());
        let seen = view.find_entry(place, identifier);
        let everywhere = || {
            let whole = Resource::Collection(type_name);
            let workspace = snapshot.workspace.as_str();
            by.check_permission(workspace, action, &whole, &Facts::default()).ok()?;
            index.find_entry(identifier)
        };
        let everybody = View::new(snapshot, Viewer::Anyone, None);
        let public = || everybody.find_entry(place, identifier);
        let missing = || Error::not_found("entry", identifier);
        let found = seen.or_else(everywhere).or_else(public);
        let ordinal = found.ok_or_else(missing)?;
        let doc = index.entry_at(ordinal).ok_or_else(missing)?;
        Ok(TargetEntry { snapshot, index, place, ordinal, doc, locale, is_seen: seen.is_some() })
    }

    /// Chooses where a change of the entry goes. In a type with drafts, what is or will be public
    /// is not changed by whoever may not publish: the admin API proposes it in the pending change
    /// instead, and the public API refuses it.
    pub(super) fn choose_target<'t>(
        &self,
        by: &Requester,
        target: &'t WriteTarget,
    ) -> Cow<'t, WriteTarget> {
        let goes_live = *target == WriteTarget::Live;
        if goes_live && by.actor.source == EventSource::Admin && self.is_guarded_against(by) {
            return Cow::Owned(WriteTarget::Change(PENDING.to_string()));
        }
        Cow::Borrowed(target)
    }

    /// Checks that the requester may change what is live: in a type with drafts, an entry that is
    /// or will be public takes the permission to publish.
    pub(crate) fn check_draft_rule(&self, staging: &Staging<'_>, by: &Requester) -> Result<()> {
        if staging.is_proposal() || !self.is_guarded_against(by) {
            return Ok(());
        }
        Err(Error::publish_required())
    }

    fn is_guarded_against(&self, by: &Requester) -> bool {
        is_guarded_against(by, self.snapshot.workspace.as_str(), self.index, self.doc)
    }

    pub(crate) fn key(&self) -> Key {
        let name = self.index.content_type.name.clone();
        Key::Entry(self.snapshot.workspace.clone(), name, self.doc.to_id())
    }

    /// Reads its file.
    pub(crate) fn read_file(&self, staging: &mut Staging<'_>) -> Result<StoredFile> {
        let stored = staging.read_stored(&self.key())?;
        stored.ok_or_else(|| Error::not_found("entry", self.doc.id()))
    }

    pub(crate) fn resource(&self) -> Resource<'a> {
        let (id, slug) = (self.doc.id(), self.doc.slug());
        Resource::Entry { type_name: self.index.content_type.name.as_str(), id, slug }
    }

    /// Checks that the update is based on the current state.
    pub(crate) fn check_precondition(
        &self,
        staging: &mut Staging<'_>,
        precondition: &Precondition,
        by: &Requester,
    ) -> Result<()> {
        if precondition.matches_rev(self.doc.rev) {
            return Ok(());
        }
        if !self.is_seen {
            return Err(Error::precondition_failed(None));
        }
        let stored = self.read_file(staging)?;
        let current = self.render_current(by, &stored, staging.now(), None);
        let current = String::from_utf8(current).map_err(Error::internal)?;
        let current = RawValue::from_string(current).map_err(Error::internal)?;
        Err(Error::precondition_failed(Some(current)))
    }

    /// Returns the JSON object of the entry as the caller that changes it reads it. For a
    /// comparison with a body, it has what the body can change: of the fields those that it names,
    /// and no problems.
    pub(super) fn render_current(
        &self,
        by: &Requester,
        stored: &StoredFile,
        now: Timestamp,
        compared: Option<&Map>,
    ) -> Vec<u8> {
        let view = View::new(self.snapshot, by.caller.viewer(), self.locale.as_deref());
        let shape = Shape::default();
        if by.actor.source == EventSource::Admin
            && let Some(rows) = AdminRenderer::new(&view, &by.caller, &shape, self.place, now)
        {
            let mut out = Vec::new();
            rows.write_stored(&self.doc.to_id(), stored, compared.is_none(), &mut out);
            return out;
        }
        let fields = compared.map(|it| list_given_fields(&self.index.content_type, it));
        render_for_writer(&view, self.place, self.ordinal, fields.as_deref())
    }

    /// Returns the subject of events about the current state.
    pub(crate) fn subject(&self) -> Subject {
        let (ty, doc) = (&self.index.content_type, self.doc);
        let title = Json::parse(doc.variant_for(None).title_json()).unwrap_or_default();
        Subject::Entry {
            type_name: ty.name.to_string(),
            id: doc.id().to_string(),
            slug: doc.slug().to_string(),
            status: doc.status.as_str().to_string(),
            title: title.as_str().unwrap_or_default().to_string(),
        }
    }
}

/// Returns true if an entry is or will be public in a type with drafts, and the requester may not
/// publish it.
pub(super) fn is_guarded_against(
    by: &Requester,
    workspace: &str,
    index: &TypeIndex,
    doc: &RenderedEntry,
) -> bool {
    let ty = &index.content_type;
    if !ty.drafts || !matches!(doc.status, EntryStatus::Published | EntryStatus::Scheduled) {
        return false;
    }
    let locales: Vec<&str> = ty.locales.iter().map(|it| it.as_str()).collect();
    let facts = Facts {
        status: Some(doc.status),
        new_status: Some(doc.status),
        author_id: doc.author_id(),
        locales: &locales,
        ..Facts::default()
    };
    let (type_name, id, slug) = (ty.name.as_str(), doc.id(), doc.slug());
    let resource = Resource::Entry { type_name, id, slug };
    by.check_permission(workspace, Action::ContentPublish, &resource, &facts).is_err()
}
