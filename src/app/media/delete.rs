//! The deletion of media files, which is permanent: they have no trash.

use schemars::JsonSchema;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashSet;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::done::Done;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::body_fields;
use crate::app::media::body_fields::FILES_MAX;
use crate::app::media::categories;
use crate::app::media::media_change::MediaAnswer;
use crate::app::media::media_change::PermissionTarget;
use crate::app::media::media_change::check_may_change;
use crate::app::media::media_change::emit_event;
use crate::app::media::media_change::find_for_change;
use crate::app::media::media_view::normalize_name;
use crate::app::media::meta::MediaTarget;
use crate::app::media::usages;
use crate::app::precondition::Precondition;
use crate::app::usage_guard::UsageGuard;
use crate::engine::staging::Staging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The result of deleting several files.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MediaDeleted", deny_unknown_fields)]
pub struct DeletedFiles {
    /// The names of the deleted files.
    deleted: Vec<Filename>,
    /// The reasons why files were not deleted, by filename.
    failed: BTreeMap<String, String>,
}

/// Deletes a file. Succeeds if it does not exist, unless the client named a state of it.
pub fn delete_file(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    guard: UsageGuard,
) -> Result<MediaAnswer<Done>> {
    let (by, name) = (by.clone(), normalize_name(target.name));
    let precondition = target.precondition.clone();
    app.engine.commit(target.ws, move |staging| {
        let snapshot = staging.snapshot();
        let permit =
            check_may_change(&by, snapshot, Action::MediaDelete, PermissionTarget::OnFile, &name)?;
        if snapshot.media.get(&name).is_some() {
            let item = find_for_change(snapshot, &name, &precondition)?;
            if guard == UsageGuard::On {
                check_unused(snapshot, &by, &item.filename)?;
            }
            stage_deletion(staging, &permit, &item.filename);
        } else if precondition != Precondition::None {
            return Err(Error::precondition_failed(None));
        }
        Ok(())
    })?;
    Ok(MediaAnswer::from_data(Done::OK))
}

/// The body of a request that deletes several files.
#[derive(Debug, JsonSchema)]
pub struct MediaBulkDelete {
    /// The names of the files.
    #[schemars(with = "Vec<String>", length(min = 1, max = FILES_MAX))]
    files: Vec<(usize, String)>,
}

impl MediaBulkDelete {
    fn parse(body: &Map) -> ParsedBody<MediaBulkDelete> {
        let mut input = ObjectReader::new(body);
        let files = body_fields::read_files(&mut input);
        input.finish(MediaBulkDelete { files })
    }
}

/// Deletes those of several files that exist and may be deleted, in one commit. The others are
/// reported with the reason.
pub fn delete_files(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    body: &Map,
    guard: UsageGuard,
) -> Result<MediaAnswer<DeletedFiles>> {
    let input = MediaBulkDelete::parse(body).into_result().map_err(Error::invalid)?;
    let by = by.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let snapshot = staging.snapshot();
        let names = input.files.iter().map(|(_, name)| name.as_str());
        let usages = match guard {
            UsageGuard::On => usages::find_usages(snapshot, &by.caller, &names.clone().collect()),
            UsageGuard::Off => BTreeMap::new(),
        };
        let (mut deleted, mut failed) = (Vec::new(), BTreeMap::new());
        let mut seen = HashSet::new();
        for name in names.filter(|it| seen.insert(*it)) {
            let permit = check_may_change(
                &by,
                snapshot,
                Action::MediaDelete,
                PermissionTarget::OnFile,
                name,
            );
            let why_not = match (&permit, snapshot.media.get(name), usages.get(name)) {
                (Err(error), _, _) => error.message.clone(),
                (Ok(_), None, _) => format!("There is no file `{name}`."),
                (Ok(_), Some(_), Some(usages)) => usages.message(name).to_string(),
                (Ok(permit), Some(item), None) => {
                    stage_deletion(staging, permit, &item.filename);
                    deleted.push(item.filename.clone());
                    continue;
                }
            };
            failed.insert(name.to_string(), why_not);
        }
        Ok::<_, Error>(DeletedFiles { deleted, failed })
    })?;
    Ok(MediaAnswer::from_data(committed.value))
}

/// Stages the deletion of files, and of those declared categories that no file is in any more.
pub(crate) fn stage_deletions(
    staging: &mut Staging<'_>,
    by: &Requester,
    names: &BTreeSet<Filename>,
) -> Result<()> {
    for name in names {
        let (action, target) = (Action::MediaDelete, PermissionTarget::OnFile);
        let permit = check_may_change(by, staging.snapshot(), action, target, name)?;
        stage_deletion(staging, &permit, name);
    }
    if names.is_empty() { Ok(()) } else { categories::stage_used_only(staging, by, names) }
}

/// Stages the deletion of a file that another server no longer has.
pub(crate) fn stage_removal(
    staging: &mut Staging<'_>,
    by: &Requester,
    name: &Filename,
) -> Result<()> {
    let (action, target) = (Action::MediaDelete, PermissionTarget::OnFile);
    let permit = check_may_change(by, staging.snapshot(), action, target, name)?;
    stage_deletion(staging, &permit, name);
    Ok(())
}

/// Checks that the file is unused.
fn check_unused(snapshot: &Snapshot, by: &Requester, name: &str) -> Result<()> {
    let usages = usages::find_file_usages(snapshot, &by.caller, name);
    if usages.total() == 0 { Ok(()) } else { Err(usages.into_error(name)) }
}

/// Stages the deletion of a file with its metadata and its revisions.
fn stage_deletion(staging: &mut Staging<'_>, permit: &Permit, name: &Filename) {
    let ws = staging.workspace().clone();
    staging.write(permit).remove(&Key::Media(ws.clone(), name.clone()));
    let meta = Key::MediaMeta(ws.clone(), name.clone());
    if staging.exists(&meta) {
        staging.write(permit).remove(&meta);
    }
    let revisions = Folder::MediaRevisions(ws, name.clone());
    if staging.has_folder(&revisions) {
        staging.write(permit).remove_folder(&revisions);
    }
    emit_event(staging, permit, EventKind::MediaDeleted, name);
}
