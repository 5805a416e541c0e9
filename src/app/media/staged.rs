//! What all changes of media have in common: whom they are asked for, what is staged, what is
//! answered.

use std::sync::Arc;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::MediaView;
use crate::app::media::view;
use crate::app::precondition::Precondition;
use crate::engine::commit::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::Stored;
use crate::model::category::Categories;
use crate::model::category::CategoryPath;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::media::MediaItem;
use crate::model::media::MetaChange;
use crate::model::name::Filename;
use crate::model::problem::FieldProblems;
use crate::query::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit;
use crate::store::layout::Key;

/// An answer: what was changed, and what else has become of it.
#[derive(Debug, Serialize)]
pub struct Answer<T> {
    /// What was changed.
    pub data: T,
    /// What else there is to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<AnswerMeta>,
}

/// The `meta` of an answer to a change.
#[derive(Debug, Default, Serialize)]
pub struct AnswerMeta {
    /// All categories there are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories: Option<Vec<String>>,
    /// How many entries were pointed to the new name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_entries: Option<usize>,
}

/// `{"ok": true}`
#[derive(Debug, Serialize)]
pub struct Done {
    ok: bool,
}

impl Done {
    pub(super) const OK: Done = Done { ok: true };
}

impl<T> Answer<T> {
    pub(super) fn plain(data: T) -> Answer<T> {
        Answer { data, meta: None }
    }

    pub(super) fn with_categories(data: T, snapshot: &Snapshot) -> Answer<T> {
        let categories = snapshot.media.categories.iter().map(|it| it.to_string()).collect();
        let meta = AnswerMeta { categories: Some(categories), ..AnswerMeta::default() };
        Answer { data, meta: Some(meta) }
    }
}

/// On what the right to change a file is asked for: the routes differ in that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// On `media:*`.
    OnAll,
    /// On `media:<filename>`.
    OnFile,
}

/// Asks for the right to do something with a file, which may be missing: whoever could not change
/// it if it were there is not told whether it is.
pub(super) fn may_change<'b>(
    by: &'b By,
    snapshot: &Snapshot,
    action: Action,
    asked: Asked,
    name: &str,
) -> Result<Allowed<'b>> {
    let item = snapshot.media.get(name);
    let author_id = item.and_then(|it| it.uploaded_by.as_deref());
    let facts = Facts { author_id, ..Facts::default() };
    let category = item.and_then(|it| it.category.as_ref());
    let resource = match asked {
        Asked::OnAll => Resource::Media,
        Asked::OnFile => Resource::File { name, category },
    };
    by.caller.may(&snapshot.workspace, action, &resource, &facts)
}

/// A file that is to be changed: it must be there, and be as the client knows it.
pub(super) fn wanted(
    snapshot: &Snapshot,
    name: &str,
    precondition: &Precondition,
) -> Result<Arc<MediaItem>> {
    let item = snapshot.media.get(name).cloned();
    let item = item.ok_or_else(|| Error::not_found("media file", name))?;
    // A client may know the file from before its bytes were read.
    let is_known = precondition.holds_for(item.etag()) || precondition.holds_for(item.tag.state);
    if is_known { Ok(item) } else { Err(Error::precondition_failed(None)) }
}

/// The name of a file as addresses and bodies give it, as it is on the disk.
pub(super) fn composed(name: &str) -> String {
    Filename::normalized(name).map_or_else(|_| name.to_owned(), |it| it.to_string())
}

/// Stages what is to be said of a file; whether anything changes.
pub(super) fn say(
    staging: &mut Staging<'_>,
    _: &Allowed<'_>,
    name: &Filename,
    change: &MetaChange,
) -> std::result::Result<bool, CommitError> {
    let key = Key::MediaMeta(staging.workspace().clone(), name.clone());
    let stored = staging.stored(&key)?;
    let before = stored.as_ref().map(|it| it.map.clone()).unwrap_or_default();
    let after = change.applied_to(&before);
    match stored {
        _ if after == before => return Ok(false),
        Some(_) if after.is_empty() => staging.remove(&key),
        Some(stored) => staging.replace(&stored, rewritten(&stored, after)),
        None => staging.create(&key, Json::Object(after).to_file()),
    }
    Ok(true)
}

/// The categories as their file declares them.
pub(super) struct Declared {
    key: Key,
    stored: Option<Stored>,
    pub(super) categories: Categories,
}

impl Declared {
    /// Reads them.
    pub(super) fn read(staging: &mut Staging<'_>) -> std::result::Result<Declared, CommitError> {
        let key = Key::Categories(staging.workspace().clone());
        let stored = staging.stored(&key)?;
        let parsed = stored.as_ref().map(|it| Categories::parse(&Json::Object(it.map.clone())));
        let categories = parsed.map(|(categories, _)| categories).unwrap_or_default();
        Ok(Declared { key, stored, categories })
    }

    /// Stages other ones.
    pub(super) fn replaced_by(
        &self,
        next: &Categories,
        staging: &mut Staging<'_>,
        _: &Allowed<'_>,
    ) {
        match (self.bytes_of(next), &self.stored) {
            (None, _) => {}
            (Some(bytes), Some(stored)) => staging.replace(stored, bytes),
            (Some(bytes), None) => staging.create(&self.key, bytes),
        }
    }

    /// What the file says then, if that is something else.
    fn bytes_of(&self, next: &Categories) -> Option<Vec<u8>> {
        if *next == self.categories {
            return None;
        }
        Some(match &self.stored {
            Some(stored) => rewritten(stored, next.applied_to(&stored.map)),
            None => Json::Object(next.applied_to(&Map::new())).to_file(),
        })
    }
}

/// Declares the category that a file goes to, before it does: a category that no file is in harms
/// nobody.
pub(super) fn declare(
    staging: &mut Staging<'_>,
    _: &Allowed<'_>,
    path: &CategoryPath,
) -> std::result::Result<(), CommitError> {
    let declared = Declared::read(staging)?;
    let mut next = declared.categories.clone();
    next.insert(path);
    match (declared.bytes_of(&next), &declared.stored) {
        (None, _) => {}
        (Some(bytes), Some(stored)) => staging.beforehand().replace(stored, bytes),
        (Some(bytes), None) => staging.beforehand().create(&declared.key, bytes),
    }
    Ok(())
}

/// The bytes of a file that says something else now.
pub(super) fn rewritten(stored: &Stored, map: Map) -> Vec<u8> {
    json_edit::rewrite(&stored.bytes, &Json::Object(map))
}

/// Tells what became of a file.
pub(super) fn tell(staging: &mut Staging<'_>, by: &By, kind: EventKind, name: &Filename) {
    let subject = Subject::Media { filename: name.to_string() };
    staging.tell(Event::by(&by.actor, kind, subject));
}

/// Nothing, unless something is wrong.
pub(super) fn all_well(problems: FieldProblems) -> Result<()> {
    if problems.is_empty() { Ok(()) } else { Err(Error::invalid(problems)) }
}

/// A file that was changed, as it is now.
pub(super) fn shown(app: &App, snapshot: &Snapshot, name: &Filename) -> Result<MediaView> {
    let item = snapshot.media.get(name.as_str());
    let item = item
        .ok_or_else(|| Error::storage_unavailable(format!("{name} vanished as it was changed")))?;
    Ok(view(app, snapshot, item))
}
