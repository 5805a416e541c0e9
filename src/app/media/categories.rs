//! Categories: made, renamed with everything in them, deleted with everything below them.

use serde::Serialize;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::body;
use crate::app::media::staged::Answer;
use crate::app::media::staged::Declared;
use crate::app::media::staged::Done;
use crate::app::media::staged::all_well;
use crate::app::media::staged::say;
use crate::engine::staging::Staging;
use crate::model::category::CategoryPath;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::media::MetaChange;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::snapshot::Snapshot;
use crate::stdx::json::Map;

/// A category on the wire.
#[derive(Debug, Serialize)]
pub struct CategoryView {
    name: CategoryPath,
}

/// Makes a category and those it is in: `{name, parent?}`. One that is there already is fine.
pub fn create(app: &App, ws: &WorkspaceSlug, by: &By, body: &Map) -> Result<Answer<CategoryView>> {
    let mut problems = FieldProblems::new();
    let name = body::required(body, "name", &mut problems);
    let parent = body::text(body, "parent", &mut problems).unwrap_or_default();
    if !parent.trim().is_empty() {
        body::path(&parent, "parent", &mut problems);
    }
    // The name by itself, so that what is wrong is told where it is.
    let name = name.filter(|it| body::path(it, "name", &mut problems).is_some());
    let path = name.filter(|_| problems.is_empty());
    let path = path.and_then(|it| body::path(&format!("{parent}/{it}"), "name", &mut problems));
    let by = by.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let allowed = may_update(&by, staging.snapshot(), None)?;
        all_well(problems.clone())?;
        let path = path.clone().ok_or_else(|| Error::internal("a category without a path"))?;
        let declared = Declared::read(staging)?;
        let mut next = declared.categories.clone();
        next.insert(&path);
        if next != declared.categories {
            declared.replaced_by(&next, staging, &allowed);
            tell(staging, &by, &path);
        }
        Ok::<_, Error>(path)
    })?;
    let data = CategoryView { name: committed.value };
    Ok(Answer::with_categories(data, &committed.snapshot))
}

/// Gives a category another path, `{name}` in full; all below it and all files in it go with it.
pub fn rename(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    category: &str,
    body: &Map,
) -> Result<Answer<CategoryView>> {
    let mut problems = FieldProblems::new();
    let from = body::path(category, "category", &mut problems);
    let to = body::required(body, "name", &mut problems);
    let to = to.and_then(|it| body::path(it, "name", &mut problems));
    let by = by.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let snapshot = staging.snapshot();
        let allowed = may_update(&by, snapshot, from.as_ref())?;
        if let (Some(from), Some(to)) = (&from, &to) {
            may_move(&by, snapshot, from, to)?;
        }
        let mut problems = problems.clone();
        check_known(snapshot, from.as_ref(), &mut problems);
        let (Some(from), Some(to)) = (&from, &to) else { return Err(Error::invalid(problems)) };
        let files = moved(snapshot, from, to, &mut problems);
        let declared = Declared::read(staging)?;
        let next = declared.categories.moved(from, to);
        let next = next.map_err(|error| problems.add("name", error.message()));
        all_well(problems)?;
        if let (Ok(mut next), true) = (next, from != to) {
            next.insert(to);
            declared.replaced_by(&next, staging, &allowed);
            say_categories(staging, &allowed, &files)?;
            tell(staging, &by, to);
        }
        Ok(to.clone())
    })?;
    let data = CategoryView { name: committed.value };
    Ok(Answer::with_categories(data, &committed.snapshot))
}

/// Deletes a category and all below it; files in them are in none afterwards.
pub fn delete(app: &App, ws: &WorkspaceSlug, by: &By, category: &str) -> Result<Answer<Done>> {
    let mut problems = FieldProblems::new();
    let path = body::path(category, "category", &mut problems);
    let by = by.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let snapshot = staging.snapshot();
        let allowed = may_update(&by, snapshot, path.as_ref())?;
        let mut problems = problems.clone();
        check_known(snapshot, path.as_ref(), &mut problems);
        all_well(problems)?;
        let Some(path) = &path else { return Ok::<_, Error>(()) };
        let files: Vec<Assignment> = snapshot
            .media
            .iter()
            .filter(|it| it.is_within(path))
            .map(|it| (it.filename.clone(), None))
            .collect();
        let declared = Declared::read(staging)?;
        let next = declared.categories.without(path);
        declared.replaced_by(&next, staging, &allowed);
        say_categories(staging, &allowed, &files)?;
        tell(staging, &by, path);
        Ok(())
    })?;
    Ok(Answer::with_categories(Done::OK, &committed.snapshot))
}

/// A file and the category it goes to.
type Assignment = (Filename, Option<CategoryPath>);

/// The right to change a category; of none, that to change all of them.
fn may_update<'b>(
    by: &'b By,
    snapshot: &Snapshot,
    category: Option<&CategoryPath>,
) -> Result<Allowed<'b>> {
    let resource = category.map_or(Resource::Media, Resource::Category);
    by.caller.may(&snapshot.workspace, Action::MediaUpdate, &resource, &Facts::default())
}

/// The right to bring a category to where it goes: to another parent, or into one that is there.
fn may_move(by: &By, snapshot: &Snapshot, from: &CategoryPath, to: &CategoryPath) -> Result<()> {
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
        problems.add("category", format!("There is no category `{path}`."));
    }
}

/// The files that go along, each with its new category.
fn moved(
    snapshot: &Snapshot,
    from: &CategoryPath,
    to: &CategoryPath,
    problems: &mut FieldProblems,
) -> Vec<Assignment> {
    let mut files = Vec::new();
    for item in snapshot.media.iter() {
        match item.category.as_ref().and_then(|it| it.moved(from, to)) {
            None => {}
            Some(Ok(category)) => files.push((item.filename.clone(), Some(category))),
            Some(Err(error)) => problems.add("name", error.message()),
        }
    }
    files
}

fn say_categories(
    staging: &mut Staging<'_>,
    allowed: &Allowed<'_>,
    files: &[Assignment],
) -> Result<()> {
    for (name, category) in files {
        let change = MetaChange { category: Some(category.clone()), ..MetaChange::default() };
        say(staging, allowed, name, &change)?;
    }
    Ok(())
}

fn tell(staging: &mut Staging<'_>, by: &By, path: &CategoryPath) {
    let subject = Subject::Category { category: path.to_string() };
    staging.tell(Event::by(&by.actor, EventKind::MediaUpdated, subject));
}
