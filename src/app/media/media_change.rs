//! The common steps of all changes of media: permissions, staging, responses.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_view::MediaBase;
use crate::app::media::media_view::MediaView;
use crate::app::media::media_view::render_item;
use crate::app::media::media_view::visibility_filter;
use crate::app::precondition::Precondition;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::media::MediaItem;
use crate::model::media::MetaChange;
use crate::model::media::category::Categories;
use crate::model::media::category::CategoryPath;
use crate::model::name::Filename;
use crate::model::problem::FieldProblems;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The response to a change.
#[derive(Debug, Serialize)]
pub struct MediaAnswer<T> {
    /// The changed resource.
    pub data: T,
    /// Additional information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<MediaAnswerMeta>,
}

/// The `meta` of a response to a change.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum MediaAnswerMeta {
    /// The categories, after a change that may have changed them.
    Categories(CategoryList),
    /// The outcome of an upload.
    Uploaded(UploadOutcome),
    /// The effect of renaming a file.
    Renamed {
        /// The number of entries that were updated to the new name.
        updated_entries: usize,
    },
}

/// The `meta` of an upload.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "UploadMeta")]
pub struct UploadOutcome {
    #[serde(flatten)]
    categories: CategoryList,
    /// The uploaded files whose bytes were there already, under other names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    existing: Vec<ExistingFile>,
}

/// An uploaded file whose bytes were there already.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ExistingFile {
    /// The name of the uploaded file.
    filename: String,
    /// The name of the file that has the same bytes.
    existing: String,
}

impl UploadOutcome {
    /// Looks for files with the bytes of the uploaded ones, among those that the caller sees.
    pub(super) fn find(snapshot: &Snapshot, caller: &Caller, names: &[Filename]) -> UploadOutcome {
        let sees = visibility_filter(snapshot, caller);
        let is_known = |it: &MediaItem| !names.contains(&it.filename) && sees(it);
        let find = |name: &Filename| {
            let item = snapshot.media.get(name)?;
            let content = item.tag.content?;
            let mut others = snapshot.media.iter().filter(|it| it.size == item.size);
            let other = others.find(|it| it.tag.content == Some(content) && is_known(it))?;
            let (filename, existing) = (name.to_string(), other.filename.to_string());
            Some(ExistingFile { filename, existing })
        };
        let existing = names.iter().filter_map(find).collect();
        UploadOutcome { categories: CategoryList::from_snapshot(snapshot), existing }
    }
}

/// All categories of a workspace.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Categories")]
pub struct CategoryList {
    /// The paths of all categories, such as `Photos / Travel`.
    categories: Vec<String>,
}

impl CategoryList {
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> CategoryList {
        CategoryList {
            categories: snapshot.media.categories.iter().map(|it| it.to_string()).collect(),
        }
    }
}

impl<T> MediaAnswer<T> {
    pub(super) fn from_data(data: T) -> MediaAnswer<T> {
        MediaAnswer { data, meta: None }
    }

    pub(super) fn with_categories(data: T, snapshot: &Snapshot) -> MediaAnswer<T> {
        let meta = MediaAnswerMeta::Categories(CategoryList::from_snapshot(snapshot));
        MediaAnswer { data, meta: Some(meta) }
    }
}

/// The resource on which a route requires the permission to change a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PermissionTarget {
    /// `media:*`
    OnAll,
    /// `media:<filename>`
    OnFile,
}

/// Checks the permission to change a file, which may be missing. Callers who could not change it
/// are not told whether it exists.
pub(super) fn check_may_change(
    by: &Requester,
    snapshot: &Snapshot,
    action: Action,
    permission_target: PermissionTarget,
    name: &str,
) -> Result<Permit> {
    let item = snapshot.media.get(name);
    let author_id = item.and_then(|it| it.uploaded_by.as_deref());
    let facts = Facts { author_id, ..Facts::default() };
    let category = item.and_then(|it| it.category.as_ref());
    let resource = match permission_target {
        PermissionTarget::OnAll => Resource::Media,
        PermissionTarget::OnFile => Resource::File { name, category },
    };
    by.check_permission(&snapshot.workspace, action, &resource, &facts)
}

/// Returns a file to be changed. It must exist, in a state that the client knows.
pub(super) fn find_for_change(
    snapshot: &Snapshot,
    name: &str,
    precondition: &Precondition,
) -> Result<Arc<MediaItem>> {
    let item = snapshot.media.get(name).cloned();
    let item = item.ok_or_else(|| Error::not_found("media file", name))?;
    // The client may know the file from before its content was hashed.
    let is_known =
        precondition.matches_rev(item.etag()) || precondition.matches_rev(item.tag.state);
    if is_known { Ok(item) } else { Err(Error::precondition_failed(None)) }
}

/// Stages what is to be said of a file; whether anything changes.
pub(super) fn stage_meta(
    staging: &mut Staging<'_>,
    permit: &Permit,
    name: &Filename,
    change: &MetaChange,
) -> std::result::Result<bool, CommitError> {
    let key = Key::MediaMeta(staging.workspace().clone(), name.clone());
    let stored = staging.read_stored(&key)?;
    let before = stored.as_ref().map(|it| it.map().clone()).unwrap_or_default();
    let after = change.apply_to(&before);
    match stored {
        _ if after == before => return Ok(false),
        Some(_) if after.is_empty() => staging.write(permit).remove(&key),
        Some(stored) => staging.write(permit).replace(&stored, render_stored(&stored, after)),
        None => staging.write(permit).create(&key, Json::Object(after).to_file()),
    }
    Ok(true)
}

/// The categories that `categories.json` declares.
pub(super) struct DeclaredCategories {
    key: Key,
    stored: Option<StoredFile>,
    pub(super) categories: Categories,
}

impl DeclaredCategories {
    /// Reads the declared categories.
    pub(super) fn read(
        staging: &mut Staging<'_>,
    ) -> std::result::Result<DeclaredCategories, CommitError> {
        let key = Key::Categories(staging.workspace().clone());
        let stored = staging.read_stored(&key)?;
        let parsed = stored.as_ref().map(|it| Categories::parse(&it.json));
        let categories = parsed.map(|(categories, _)| categories).unwrap_or_default();
        Ok(DeclaredCategories { key, stored, categories })
    }

    /// Stages other declared categories.
    pub(super) fn stage_replacement(
        &self,
        next: &Categories,
        staging: &mut Staging<'_>,
        permit: &Permit,
    ) {
        match (self.render_changed(next), &self.stored) {
            (None, _) => {}
            (Some(bytes), Some(stored)) => staging.write(permit).replace(stored, bytes),
            (Some(bytes), None) => staging.write(permit).create(&self.key, bytes),
        }
    }

    /// Returns the new content of the file, if it changes.
    fn render_changed(&self, next: &Categories) -> Option<Vec<u8>> {
        if *next == self.categories {
            return None;
        }
        Some(match &self.stored {
            Some(stored) => render_stored(stored, next.apply_to(stored.map())),
            None => Json::Object(next.apply_to(&Map::new())).to_file(),
        })
    }
}

/// Stages the declaration of a category before a file is moved to it: an empty category does no
/// harm.
pub(super) fn declare_category(
    staging: &mut Staging<'_>,
    permit: &Permit,
    path: &CategoryPath,
) -> std::result::Result<(), CommitError> {
    let declared = DeclaredCategories::read(staging)?;
    let mut next = declared.categories.clone();
    next.insert(path);
    match (declared.render_changed(&next), &declared.stored) {
        (None, _) => {}
        (Some(bytes), Some(stored)) => staging.write(permit).steps_before().replace(stored, bytes),
        (Some(bytes), None) => staging.write(permit).steps_before().create(&declared.key, bytes),
    }
    Ok(())
}

/// Returns the bytes of a file with changed content.
pub(super) fn render_stored(stored: &StoredFile, map: Map) -> Vec<u8> {
    stored.rewrite(map)
}

/// Adds an event about a file.
pub(super) fn emit_event(
    staging: &mut Staging<'_>,
    permit: &Permit,
    kind: EventKind,
    name: &Filename,
) {
    let subject = Subject::Media { filename: name.to_string() };
    staging.write(permit).add_event(kind, subject);
}

/// Returns an error if there are problems.
pub(super) fn check_problems(problems: FieldProblems) -> Result<()> {
    if problems.is_empty() { Ok(()) } else { Err(Error::invalid(problems)) }
}

/// Returns the current state of a changed file.
pub(super) fn render_file(app: &App, snapshot: &Snapshot, name: &Filename) -> Result<MediaView> {
    let item = snapshot.media.get(name.as_str());
    let item = item.ok_or_else(|| {
        Error::storage_unavailable(format!("{name} vanished while it was being changed"))
    })?;
    Ok(render_item(&MediaBase::of_snapshot(app, snapshot), item))
}
