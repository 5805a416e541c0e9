//! Changes of the metadata of media files: texts, category and visibility.

use std::collections::HashSet;

use schemars::JsonSchema;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::body_fields;
use crate::app::media::body_fields::FILES_MAX;
use crate::app::media::media_change::MediaAnswer;
use crate::app::media::media_change::PermissionTarget;
use crate::app::media::media_change::check_may_change;
use crate::app::media::media_change::check_problems;
use crate::app::media::media_change::declare_category;
use crate::app::media::media_change::emit_event;
use crate::app::media::media_change::find_for_change;
use crate::app::media::media_change::render_file;
use crate::app::media::media_change::stage_meta;
use crate::app::media::media_view::MediaView;
use crate::app::media::media_view::normalize_name;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::writer::Committed;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::media::MetaChange;
use crate::model::media::category::CategoryPath;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::stdx::json::Map;

/// The file that a client wants to change.
pub struct MediaTarget<'a> {
    /// The workspace.
    pub ws: &'a WorkspaceSlug,
    /// The name of the file.
    pub name: &'a str,
    /// The state of the file that the client knows.
    pub precondition: &'a Precondition,
}

/// Sets the texts of a file: `{alt?, title?}`. Empty text removes a value.
pub fn set_texts(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    body: &Map,
) -> Result<MediaAnswer<MediaView>> {
    let mut input = ObjectReader::new(body);
    let alt = body_fields::read_text(&mut input, "alt");
    let title = body_fields::read_text(&mut input, "title");
    let input = input.finish(MetaChange { alt, title, ..MetaChange::default() });
    let committed = change_one(app, by, target, PermissionTarget::OnAll, input)?;
    Ok(MediaAnswer::from_data(render_file(app, &committed.snapshot, &committed.value)?))
}

/// Sets the visibility of a file: `{visibility}`.
pub fn set_visibility(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    body: &Map,
) -> Result<MediaAnswer<MediaView>> {
    let committed =
        change_one(app, by, target, PermissionTarget::OnAll, parse_visibility_change(body))?;
    Ok(MediaAnswer::from_data(render_file(app, &committed.snapshot, &committed.value)?))
}

/// Moves a file to a category, which is created if necessary: `{category}`, empty for none.
pub fn set_category(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    body: &Map,
) -> Result<MediaAnswer<MediaView>> {
    let committed =
        change_one(app, by, target, PermissionTarget::OnFile, parse_category_change(body))?;
    let data = render_file(app, &committed.snapshot, &committed.value)?;
    Ok(MediaAnswer::with_categories(data, &committed.snapshot))
}

/// Sets the visibility of several files: `{files, visibility}`; all of them, or none.
pub fn set_visibility_of_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    body: &Map,
) -> Result<MediaAnswer<Vec<MediaView>>> {
    let mut input = ObjectReader::new(body);
    let visibility = body_fields::read_visibility(&mut input);
    let files = body_fields::read_files(&mut input);
    let change = MetaChange { visibility, ..MetaChange::default() };
    let input = input.finish(BulkChange { files, change });
    let committed = change_many(app, ws, by, PermissionTarget::OnAll, input)?;
    Ok(MediaAnswer::from_data(render_all(app, &committed)?))
}

/// The body of a request that moves several files to a category.
#[derive(Debug, JsonSchema)]
pub struct BulkCategory {
    /// The names of the files.
    #[schemars(with = "Vec<String>", length(min = 1, max = FILES_MAX))]
    files: Vec<(usize, String)>,
    /// The path; empty removes the category.
    #[schemars(with = "String")]
    category: Option<CategoryPath>,
}

impl BulkCategory {
    fn parse(body: &Map) -> ParsedBody<BulkCategory> {
        let mut input = ObjectReader::new(body);
        let category = body_fields::read_category(&mut input).flatten();
        let files = body_fields::read_files(&mut input);
        input.finish(BulkCategory { files, category })
    }
}

/// Moves several files to a category; all of them, or none.
pub fn set_category_of_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    body: &Map,
) -> Result<MediaAnswer<Vec<MediaView>>> {
    let ParsedBody { values: BulkCategory { files, category }, problems } =
        BulkCategory::parse(body);
    let change = MetaChange { category: Some(category), ..MetaChange::default() };
    let input = ParsedBody { values: BulkChange { files, change }, problems };
    let committed = change_many(app, ws, by, PermissionTarget::OnFile, input)?;
    Ok(MediaAnswer::with_categories(render_all(app, &committed)?, &committed.snapshot))
}

fn parse_visibility_change(body: &Map) -> ParsedBody<MetaChange> {
    let mut input = ObjectReader::new(body);
    let visibility = body_fields::read_visibility(&mut input);
    input.finish(MetaChange { visibility, ..MetaChange::default() })
}

fn parse_category_change(body: &Map) -> ParsedBody<MetaChange> {
    let mut input = ObjectReader::new(body);
    let category = body_fields::read_category(&mut input);
    input.finish(MetaChange { category, ..MetaChange::default() })
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

/// One change of several files, each with its place in the body.
struct BulkChange {
    files: Vec<(usize, String)>,
    change: MetaChange,
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
                    problems.add(format!("files[{index}]"), format!("There is no file `{name}`."));
                }
            }
        }
        check_problems(problems)?;
        stage_change(staging, &by, permission_target, &files, &change)?;
        Ok::<_, Error>(files)
    })
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
