//! Media files that are deleted, for good: there is no trash for them.

use std::collections::BTreeMap;
use std::collections::HashSet;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::body;
use crate::app::media::meta::Target;
use crate::app::media::staged::Answer;
use crate::app::media::staged::Asked;
use crate::app::media::staged::Done;
use crate::app::media::staged::all_well;
use crate::app::media::staged::composed;
use crate::app::media::staged::may_change;
use crate::app::media::staged::tell;
use crate::app::media::staged::wanted;
use crate::app::media::usages;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// What became of several files.
#[derive(Debug, Serialize)]
pub struct Deleted {
    deleted: Vec<Filename>,
    failed: BTreeMap<String, String>,
}

/// Whether files are deleted that entries show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Yes: whoever deletes them knows.
    Off,
    /// No: it is told where they are used.
    On,
}

/// Deletes a file. One that is gone already is fine, unless the client knows what it was.
pub fn delete(app: &App, by: &By, target: &Target<'_>, guard: Guard) -> Result<Answer<Done>> {
    let (by, name) = (by.clone(), composed(target.name));
    let precondition = target.precondition.clone();
    app.engine.commit(target.ws, move |staging| {
        let snapshot = staging.snapshot();
        let allowed = may_change(&by, snapshot, Action::MediaDelete, Asked::OnFile, &name)?;
        if snapshot.media.get(&name).is_some() {
            let item = wanted(snapshot, &name, &precondition)?;
            if guard == Guard::On {
                unused(snapshot, &by, &item.filename)?;
            }
            stage(staging, &allowed, &by, &item.filename);
        } else if precondition != Precondition::None {
            return Err(Error::precondition_failed(None));
        }
        Ok(())
    })?;
    Ok(Answer::plain(Done::OK))
}

/// Deletes several files, `{files}`, at once: those that are there and may be deleted. Of the
/// others it is told why not.
pub fn bulk_delete(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    body: &Map,
    guard: Guard,
) -> Result<Answer<Deleted>> {
    let mut problems = FieldProblems::new();
    let names = body::files(body, &mut problems);
    all_well(problems)?;
    let by = by.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let snapshot = staging.snapshot();
        let names = names.iter().map(|(_, name)| name.as_str());
        let usages = match guard {
            Guard::On => usages::of_files(snapshot, &by.caller, &names.clone().collect()),
            Guard::Off => BTreeMap::new(),
        };
        let (mut deleted, mut failed) = (Vec::new(), BTreeMap::new());
        let mut seen = HashSet::new();
        for name in names.filter(|it| seen.insert(*it)) {
            let allowed = may_change(&by, snapshot, Action::MediaDelete, Asked::OnFile, name);
            let why_not = match (&allowed, snapshot.media.get(name), usages.get(name)) {
                (Err(error), _, _) => error.message.clone(),
                (Ok(_), None, _) => format!("There is no file `{name}`."),
                (Ok(_), Some(_), Some(usages)) => usages.message(name),
                (Ok(allowed), Some(item), None) => {
                    stage(staging, allowed, &by, &item.filename);
                    deleted.push(item.filename.clone());
                    continue;
                }
            };
            failed.insert(name.to_string(), why_not);
        }
        Ok::<_, Error>(Deleted { deleted, failed })
    })?;
    Ok(Answer::plain(committed.value))
}

/// Nothing, unless the file is used.
fn unused(snapshot: &Snapshot, by: &By, name: &str) -> Result<()> {
    let usages = usages::of_file(snapshot, &by.caller, name);
    if usages.total() == 0 { Ok(()) } else { Err(usages.conflict(name)) }
}

/// A file goes with what is said of it.
fn stage(staging: &mut Staging<'_>, _: &Allowed<'_>, by: &By, name: &Filename) {
    let ws = staging.workspace().clone();
    staging.remove(&Key::Media(ws.clone(), name.clone()));
    let meta = Key::MediaMeta(ws, name.clone());
    if staging.exists(&meta) {
        staging.remove(&meta);
    }
    tell(staging, by, EventKind::MediaDeleted, name);
}
