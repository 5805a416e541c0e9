//! What is said of media files: texts, category, and who may see them.

use std::collections::HashSet;

use crate::app::App;
use crate::app::access::By;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::MediaView;
use crate::app::media::body;
use crate::app::media::staged::Answer;
use crate::app::media::staged::Asked;
use crate::app::media::staged::all_well;
use crate::app::media::staged::composed;
use crate::app::media::staged::declare;
use crate::app::media::staged::may_change;
use crate::app::media::staged::say;
use crate::app::media::staged::shown;
use crate::app::media::staged::tell;
use crate::app::media::staged::wanted;
use crate::app::precondition::Precondition;
use crate::engine::commit::Committed;
use crate::engine::staging::Staging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::media::MetaChange;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Map;

/// One file that is to be changed, as a client names it.
pub struct Target<'a> {
    /// The workspace.
    pub ws: &'a WorkspaceSlug,
    /// The name of the file.
    pub name: &'a str,
    /// What the client knows of it.
    pub precondition: &'a Precondition,
}

/// A body that was read: what it wants, and what is wrong with it.
type Read = (MetaChange, FieldProblems);

/// Changes the texts of a file: `{alt?, title?}`, of which an empty one clears.
pub fn set_texts(app: &App, by: &By, target: &Target<'_>, body: &Map) -> Result<Answer<MediaView>> {
    let mut problems = FieldProblems::new();
    let alt = body::text(body, "alt", &mut problems);
    let title = body::text(body, "title", &mut problems);
    let read = (MetaChange { alt, title, ..MetaChange::default() }, problems);
    let committed = change_one(app, by, target, Asked::OnAll, read)?;
    Ok(Answer::plain(shown(app, &committed.snapshot, &committed.value)?))
}

/// Changes who may see a file: `{visibility}`.
pub fn set_visibility(
    app: &App,
    by: &By,
    target: &Target<'_>,
    body: &Map,
) -> Result<Answer<MediaView>> {
    let committed = change_one(app, by, target, Asked::OnAll, visibility_of(body))?;
    Ok(Answer::plain(shown(app, &committed.snapshot, &committed.value)?))
}

/// Moves a file to a category, which is made if need be: `{category}`, where an empty one is none.
pub fn set_category(
    app: &App,
    by: &By,
    target: &Target<'_>,
    body: &Map,
) -> Result<Answer<MediaView>> {
    let committed = change_one(app, by, target, Asked::OnFile, category_of(body))?;
    let data = shown(app, &committed.snapshot, &committed.value)?;
    Ok(Answer::with_categories(data, &committed.snapshot))
}

/// Changes who may see several files: `{files, visibility}`; all of them, or none.
pub fn bulk_visibility(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    body: &Map,
) -> Result<Answer<Vec<MediaView>>> {
    let committed = change_many(app, ws, by, Asked::OnAll, body, visibility_of(body))?;
    Ok(Answer::plain(all_shown(app, &committed)?))
}

/// Moves several files to a category: `{files, category}`; all of them, or none.
pub fn bulk_category(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    body: &Map,
) -> Result<Answer<Vec<MediaView>>> {
    let committed = change_many(app, ws, by, Asked::OnFile, body, category_of(body))?;
    Ok(Answer::with_categories(all_shown(app, &committed)?, &committed.snapshot))
}

fn visibility_of(body: &Map) -> Read {
    let mut problems = FieldProblems::new();
    let visibility = body::visibility(body, &mut problems);
    (MetaChange { visibility, ..MetaChange::default() }, problems)
}

fn category_of(body: &Map) -> Read {
    let mut problems = FieldProblems::new();
    let category = body::category(body, &mut problems);
    (MetaChange { category, ..MetaChange::default() }, problems)
}

fn all_shown(app: &App, committed: &Committed<Vec<Filename>>) -> Result<Vec<MediaView>> {
    committed.value.iter().map(|it| shown(app, &committed.snapshot, it)).collect()
}

fn change_one(
    app: &App,
    by: &By,
    target: &Target<'_>,
    asked: Asked,
    (change, problems): Read,
) -> Result<Committed<Filename>> {
    let (by, name) = (by.clone(), composed(target.name));
    let precondition = target.precondition.clone();
    app.engine.commit(target.ws, move |staging| {
        may_change(&by, staging.snapshot(), Action::MediaUpdate, asked, &name)?;
        let item = wanted(staging.snapshot(), &name, &precondition)?;
        all_well(problems.clone())?;
        stage(staging, &by, asked, std::slice::from_ref(&item.filename), &change)?;
        Ok::<_, Error>(item.filename.clone())
    })
}

fn change_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    asked: Asked,
    body: &Map,
    (change, mut problems): Read,
) -> Result<Committed<Vec<Filename>>> {
    let names = body::files(body, &mut problems);
    let by = by.clone();
    app.engine.commit(ws, move |staging| {
        // Whether something is wrong is told to those alone who may change everything they name.
        let snapshot = staging.snapshot();
        let names_or_none =
            || names.iter().map(|(_, it)| it.as_str()).chain(names.is_empty().then_some(""));
        for name in names_or_none() {
            may_change(&by, snapshot, Action::MediaUpdate, asked, name)?;
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
        all_well(problems)?;
        stage(staging, &by, asked, &files, &change)?;
        Ok::<_, Error>(files)
    })
}

/// Stages what is said of files from now on; the category they go to is declared once.
fn stage(
    staging: &mut Staging<'_>,
    by: &By,
    asked: Asked,
    names: &[Filename],
    change: &MetaChange,
) -> Result<()> {
    for (index, name) in names.iter().enumerate() {
        let allowed = may_change(by, staging.snapshot(), Action::MediaUpdate, asked, name)?;
        if let (0, Some(Some(category))) = (index, &change.category) {
            declare(staging, &allowed, category)?;
        }
        if say(staging, &allowed, name, change)? {
            tell(staging, by, EventKind::MediaUpdated, name);
        }
    }
    Ok(())
}
