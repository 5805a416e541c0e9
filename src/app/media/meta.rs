//! Changes of the metadata of media files: texts, category and visibility.

use std::collections::HashSet;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_change::MediaAnswer;
use crate::app::media::media_change::PermissionTarget;
use crate::app::media::media_change::check_may_change;
use crate::app::media::media_change::check_problems;
use crate::app::media::media_change::declare_category;
use crate::app::media::media_change::emit_event;
use crate::app::media::media_change::find_for_change;
use crate::app::media::media_change::render_file;
use crate::app::media::media_change::stage_meta;
use crate::app::media::media_inputs::BulkCategory;
use crate::app::media::media_inputs::BulkChange;
use crate::app::media::media_inputs::BulkVisibilityInput;
use crate::app::media::media_inputs::CategoryOfFileInput;
use crate::app::media::media_inputs::MediaDetailsInput;
use crate::app::media::media_inputs::VisibilityInput;
use crate::app::media::media_view::MediaView;
use crate::app::media::media_view::normalize_name;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::writer::Committed;
use crate::model::event::EventKind;
use crate::model::field::is_equivalent;
use crate::model::grant::Action;
use crate::model::input::ParsedBody;
use crate::model::media::MediaMeta;
use crate::model::media::MetaChange;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::sentence::sentence;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The file that a client wants to change.
pub struct MediaTarget<'a> {
    /// The workspace.
    pub ws: &'a WorkspaceSlug,
    /// The name of the file.
    pub name: &'a str,
    /// The state of the file that the client knows.
    pub precondition: &'a Precondition,
}

/// Sets the texts of a file.
pub fn set_details(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    body: &Map,
) -> Result<MediaAnswer<MediaView>> {
    let change = MediaDetailsInput::parse(body).map(MediaDetailsInput::into_change);
    let committed = change_one(app, by, target, PermissionTarget::OnAll, change)?;
    Ok(MediaAnswer::from_data(render_file(app, &committed.snapshot, &committed.value)?))
}

/// Sets the visibility of a file.
pub fn set_visibility(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    body: &Map,
) -> Result<MediaAnswer<MediaView>> {
    let change = VisibilityInput::parse(body).map(VisibilityInput::into_change);
    let committed = change_one(app, by, target, PermissionTarget::OnAll, change)?;
    Ok(MediaAnswer::from_data(render_file(app, &committed.snapshot, &committed.value)?))
}

/// Moves a file to a category, which is created if necessary.
pub fn set_category(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    body: &Map,
) -> Result<MediaAnswer<MediaView>> {
    let change = CategoryOfFileInput::parse(body).map(CategoryOfFileInput::into_change);
    let committed = change_one(app, by, target, PermissionTarget::OnFile, change)?;
    let data = render_file(app, &committed.snapshot, &committed.value)?;
    Ok(MediaAnswer::with_categories(data, &committed.snapshot))
}

/// Sets the visibility of several files: of all or none.
pub fn set_visibility_of_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    body: &Map,
) -> Result<MediaAnswer<Vec<MediaView>>> {
    let input = BulkVisibilityInput::parse(body).map(BulkVisibilityInput::into_bulk_change);
    let committed = change_many(app, ws, by, PermissionTarget::OnAll, input)?;
    Ok(MediaAnswer::from_data(render_all(app, &committed)?))
}

/// Moves several files to a category; all of them, or none.
pub fn set_category_of_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    body: &Map,
) -> Result<MediaAnswer<Vec<MediaView>>> {
    let input = BulkCategory::parse(body).map(BulkCategory::into_bulk_change);
    let committed = change_many(app, ws, by, PermissionTarget::OnFile, input)?;
    Ok(MediaAnswer::with_categories(render_all(app, &committed)?, &committed.snapshot))
}

fn render_all(app: &App, committed: &Committed<Vec<Filename>>) -> Result<Vec<MediaView>> {
    committed.value.iter().map(|it| render_file(app, &committed.snapshot, it)).collect()
}

fn change_one(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    permission_target: PermissionTarget,
    ParsedBody { values: change, problems }: ParsedBody<MetaChange>,
) -> Result<Committed<Filename>> {
    let (by, name) = (by.clone(), normalize_name(target.name));
    let precondition = target.precondition.clone();
    app.engine.commit(target.ws, move |staging| {
        check_may_change(&by, staging.snapshot(), Action::MediaUpdate, permission_target, &name)?;
        let item = find_for_change(staging.snapshot(), &name, &precondition)?;
        check_problems(problems.clone())?;
        stage_change(
            staging,
            &by,
            permission_target,
            std::slice::from_ref(&item.filename),
            &change,
        )?;
        Ok::<_, Error>(item.filename.clone())
    })
}

fn change_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    permission_target: PermissionTarget,
    ParsedBody { values, problems }: ParsedBody<BulkChange>,
) -> Result<Committed<Vec<Filename>>> {
    let BulkChange { files: names, change } = values;
    let by = by.clone();
    app.engine.commit(ws, move |staging| {
        // Problems are reported only to callers who may change all named files.
        let snapshot = staging.snapshot();
        let names_or_none =
            || names.iter().map(|(_, it)| it.as_str()).chain(names.is_empty().then_some(""));
        for name in names_or_none() {
            check_may_change(&by, snapshot, Action::MediaUpdate, permission_target, name)?;
        }
        let mut problems = problems.clone();
        let mut files = Vec::with_capacity(names.len());
        let mut seen = HashSet::new();
        for (index, name) in &names {
            match snapshot.media.get(name) {
                Some(item) if seen.insert(name) => files.push(item.filename.clone()),
                Some(_) => {}
                None => {
                    let message = sentence!("There is no file `{name}`.", name = name.as_str());
                    problems.add(format!("files[{index}]"), message);
                }
            }
        }
        check_problems(problems)?;
        stage_change(staging, &by, permission_target, &files, &change)?;
        Ok::<_, Error>(files)
    })
}

/// Stages the metadata of a file as another server has it. Who uploaded it and when stays. As by
/// other routes, the permission on the file alone lets its category change, and nothing else.
/// Returns the bytes of its file.
pub(crate) fn stage_file(
    staging: &mut Staging<'_>,
    by: &Requester,
    name: &Filename,
    mut file: Map,
) -> Result<Vec<u8>> {
    let (action, target) = (Action::MediaUpdate, PermissionTarget::OnFile);
    let permit = check_may_change(by, staging.snapshot(), action, target, name)?;
    find_for_change(staging.snapshot(), name, &Precondition::None)?;
    let key = Key::MediaMeta(staging.workspace().clone(), name.clone());
    let stored = staging.read_stored(&key)?;
    let before = stored.as_ref().map(|it| it.map().clone()).unwrap_or_default();
    for stamp in ["uploaded_by", "uploaded_at"] {
        match before.get(stamp) {
            Some(value) => file.set(stamp, value.clone()),
            None => _ = file.remove(stamp),
        }
    }
    if !is_same_but_category(&before, &file) {
        check_may_change(by, staging.snapshot(), action, PermissionTarget::OnAll, name)?;
    }
    let (_, problems) = MediaMeta::parse(&Json::Object(file.clone()));
    check_problems(problems)?;
    let bytes = match stored {
        Some(stored) => {
            let bytes = stored.rewrite(file);
            staging.write(&permit).replace(&stored, bytes.clone());
            bytes
        }
        None => {
            let bytes = Json::Object(file).to_file();
            staging.write(&permit).create(&key, bytes.clone());
            bytes
        }
    };
    emit_event(staging, &permit, EventKind::MediaUpdated, name);
    Ok(bytes)
}

/// Returns true if two states of metadata say the same but for the category.
fn is_same_but_category(one: &Map, other: &Map) -> bool {
    let without = |map: &Map| {
        let mut rest = map.clone();
        rest.remove("category");
        Json::Object(rest)
    };
    is_equivalent(&without(one), &without(other))
}

/// Stages the change of several files. Their new category is declared once.
fn stage_change(
    staging: &mut Staging<'_>,
    by: &Requester,
    permission_target: PermissionTarget,
    names: &[Filename],
    change: &MetaChange,
) -> Result<()> {
    for (index, name) in names.iter().enumerate() {
        let permit =
            check_may_change(by, staging.snapshot(), Action::MediaUpdate, permission_target, name)?;
        if let (0, Some(Some(category))) = (index, &change.category) {
            declare_category(staging, &permit, category)?;
        }
        if stage_meta(staging, &permit, name, change)? {
            emit_event(staging, &permit, EventKind::MediaUpdated, name);
        }
    }
    Ok(())
}
