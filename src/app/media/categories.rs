//! The creation, renaming and deletion of categories. Renaming moves the content along; deletion
//! includes all subcategories.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::done::Done;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_change::DeclaredCategories;
use crate::app::media::media_change::MediaAnswer;
use crate::app::media::media_change::check_problems;
use crate::app::media::media_change::stage_meta;
use crate::app::media::media_inputs::CategoryNameInput;
use crate::app::media::media_inputs::NewCategoryInput;
use crate::engine::staging::Staging;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::media::MetaChange;
use crate::model::media::category::CategoryPath;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::sentence::sentence;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;

/// A media category.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Category")]
pub struct CategoryView {
    /// The path, such as `Photos / Travel`.
    #[schemars(with = "String")]
    name: CategoryPath,
}

/// Creates a category and its ancestors. Succeeds if it exists.
pub fn create(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    body: &Map,
) -> Result<MediaAnswer<CategoryView>> {
    let path = NewCategoryInput::parse_path(body);
    let by = by.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let permit = may_update(&by, staging.snapshot(), None)?;
        let path = path.clone().map_err(Error::invalid)?;
        let declared = DeclaredCategories::read(staging)?;
        let mut next = declared.categories.clone();
        next.insert(&path);
        if next != declared.categories {
            declared.stage_replacement(&next, staging, &permit);
            emit_event(staging, &permit, EventKind::MediaCategoryCreated, &path);
        }
        Ok::<_, Error>(path)
    })?;
    let data = CategoryView { name: committed.value };
    Ok(MediaAnswer::with_categories(data, &committed.snapshot))
}

/// Renames a category. Subcategories and files move along.
pub fn rename(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    category: &str,
    body: &Map,
) -> Result<MediaAnswer<CategoryView>> {
    let mut problems = FieldProblems::new();
    let from = CategoryPath::parse(category);
    let from = from.map_err(|error| problems.add("category", error.message())).ok();
    let input = CategoryNameInput::parse(body);
    problems.extend(input.problems);
    let to = input.values.name;
    let by = by.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let snapshot = staging.snapshot();
        let permit = may_update(&by, snapshot, from.as_ref())?;
        if let (Some(from), Some(to)) = (&from, &to) {
            may_move(&by, snapshot, from, to)?;
        }
        let mut problems = problems.clone();
        check_known(snapshot, from.as_ref(), &mut problems);
        let (Some(from), Some(to)) = (&from, &to) else { return Err(Error::invalid(problems)) };
        let files = plan_moves(snapshot, from, to, &mut problems);
        let declared = DeclaredCategories::read(staging)?;
        let next = declared.categories.move_category(from, to);
        let next = next.map_err(|error| problems.add("name", error.message()));
        check_problems(problems)?;
        if let (Ok(mut next), true) = (next, from != to) {
            next.insert(to);
            declared.stage_replacement(&next, staging, &permit);
            stage_categories(staging, &permit, &files)?;
            emit_event(staging, &permit, EventKind::MediaCategoryRenamed, to);
        }
        Ok(to.clone())
    })?;
    let data = CategoryView { name: committed.value };
    Ok(MediaAnswer::with_categories(data, &committed.snapshot))
}

/// Deletes a category and its subcategories. Their files have no category afterwards.
pub fn delete(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    category: &str,
) -> Result<MediaAnswer<Done>> {
    let path = CategoryPath::parse(category)
        .map_err(|error| FieldProblems::from_problem("category", error.message()));
    let by = by.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let snapshot = staging.snapshot();
        let permit = may_update(&by, snapshot, path.as_ref().ok())?;
        let path = path.as_ref().map_err(|found| Error::invalid(found.clone()))?;
        let mut problems = FieldProblems::new();
        check_known(snapshot, Some(path), &mut problems);
        check_problems(problems)?;
        let files: Vec<CategoryAssignment> = snapshot
            .media
            .iter()
            .filter(|it| it.is_within(path))
            .map(|it| (it.filename.clone(), None))
            .collect();
        let declared = DeclaredCategories::read(staging)?;
        let next = declared.categories.without_subtree(path);
        declared.stage_replacement(&next, staging, &permit);
        stage_categories(staging, &permit, &files)?;
        emit_event(staging, &permit, EventKind::MediaCategoryDeleted, path);
        Ok::<_, Error>(())
    })?;
    Ok(MediaAnswer::with_categories(Done::OK, &committed.snapshot))
}

/// Stages the removal of the declared categories whose last file goes: those of the files in
/// `leaving` that no other file is in.
pub(super) fn stage_used_only(
    staging: &mut Staging<'_>,
    by: &Requester,
    leaving: &BTreeSet<Filename>,
) -> Result<()> {
    let snapshot = staging.snapshot();
    let (leave, stay): (Vec<_>, Vec<_>) =
        snapshot.media.iter().partition(|it| leaving.contains(&it.filename));
    let declared = DeclaredCategories::read(staging)?;
    let mut next = declared.categories.clone();
    for item in leave {
        for path in std::iter::successors(item.category.clone(), CategoryPath::parent) {
            if !stay.iter().any(|it| it.is_within(&path)) {
                next = next.without_subtree(&path);
            }
        }
    }
    let permit = may_update(by, snapshot, None)?;
    declared.stage_replacement(&next, staging, &permit);
    Ok(())
}

/// The new category of a file.
type CategoryAssignment = (Filename, Option<CategoryPath>);

/// Checks the permission to update a category; without one, to update all of them.
fn may_update(
    by: &Requester,
    snapshot: &Snapshot,
    category: Option<&CategoryPath>,
) -> Result<Permit> {
    let resource = category.map_or(Resource::Media, Resource::Category);
    by.check_permission(&snapshot.workspace, Action::MediaUpdate, &resource, &Facts::default())
}

/// Checks the permission to move a category to another parent or into an existing one.
fn may_move(
    by: &Requester,
    snapshot: &Snapshot,
    from: &CategoryPath,
    to: &CategoryPath,
) -> Result<()> {
    if from.parent() != to.parent() {
        may_update(by, snapshot, to.parent().as_ref())?;
    }
    if snapshot.media.categories.contains(to) {
        may_update(by, snapshot, Some(to))?;
    }
    Ok(())
}

fn check_known(snapshot: &Snapshot, path: Option<&CategoryPath>, problems: &mut FieldProblems) {
    if let Some(path) = path.filter(|it| !snapshot.media.categories.contains(it)) {
        let message = sentence!("There is no category `{path}`.", path = path.to_string());
        problems.add("category", message);
    }
}

/// Returns the files that move along, each with its new category.
fn plan_moves(
    snapshot: &Snapshot,
    from: &CategoryPath,
    to: &CategoryPath,
    problems: &mut FieldProblems,
) -> Vec<CategoryAssignment> {
    let mut files = Vec::new();
    for item in snapshot.media.iter() {
        match item.category.as_ref().and_then(|it| it.replace_prefix(from, to)) {
            None => {}
            Some(Ok(category)) => files.push((item.filename.clone(), Some(category))),
            Some(Err(error)) => problems.add("name", error.message()),
        }
    }
    files
}

fn stage_categories(
    staging: &mut Staging<'_>,
    permit: &Permit,
    files: &[CategoryAssignment],
) -> Result<()> {
    for (name, category) in files {
        let change = MetaChange { category: Some(category.clone()), ..MetaChange::default() };
        stage_meta(staging, permit, name, &change)?;
    }
    Ok(())
}

fn emit_event(staging: &mut Staging<'_>, permit: &Permit, kind: EventKind, path: &CategoryPath) {
    let subject = Subject::Category { category: path.to_string() };
    staging.write(permit).add_event(kind, subject);
}
