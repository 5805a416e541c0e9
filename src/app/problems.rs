//! What is wrong in the data folder, with the place in the file, and what can be done about it.

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::TryLockError;

use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::witness::About;
use crate::app::witness::Witness;
use crate::engine::problems::Known;
use crate::engine::repair::Repair;
use crate::engine::system::SystemStaging;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::Severity;
use crate::model::settings::SettingsRecord;
use crate::query::params::Params;
use crate::query::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sum::Summer;
use crate::stdx::time::Timestamp;
use crate::store::layout;
use crate::store::layout::Key;

/// How many problems one list shows.
const LIST_MAX: usize = 500;

/// For how many problems of a list their places are shown.
const EXCERPTS_MAX: usize = 50;

/// How many lines stand before and behind the place.
const AROUND: u32 = 3;

/// How much of a line is shown.
const LINE_CHARS_MAX: usize = 200;

/// The key of the settings file that holds what is to be left as it is.
const ACCEPTED: &str = "accepted_problems";

/// How many problems can be left as they are.
const ACCEPTED_MAX: usize = 1_000;

/// A problem as it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    id: String,
    kind: &'static str,
    severity: Severity,
    workspace: Option<String>,
    path: String,
    file: String,
    line: Option<u32>,
    column: Option<u32>,
    field: Option<String>,
    message: String,
    /// When it was first seen; unknown of what only a look at all values shows.
    since: Option<Timestamp>,
    accepted: bool,
    /// What can be done about it here: `restore-last-good`, `accept`.
    actions: Vec<&'static str>,
    excerpt: Option<Excerpt>,
}

/// The lines around a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The number of the first line.
    first_line: u32,
    lines: Vec<String>,
    /// The place: line and column, counted from 1.
    line: u32,
    column: Option<u32>,
}

/// A list of problems.
#[derive(Debug)]
pub struct Listed {
    /// The problems.
    pub data: Vec<Shown>,
    /// Their circumstances.
    pub meta: ListedMeta,
}

/// The `meta` of the list.
#[derive(Debug, Serialize)]
pub struct ListedMeta {
    total: usize,
    errors: usize,
    warnings: usize,
    accepted: usize,
    /// Whether the values of all entries were looked at too.
    deep: bool,
}

/// What a look at all values of a workspace came to: good until something changes there.
#[derive(Default)]
pub struct DeepChecks(Mutex<Option<Checked>>);

struct Checked {
    workspace: WorkspaceSlug,
    version: u64,
    problems: Arc<Vec<Problem>>,
}

impl DeepChecks {
    /// One look at a time: it reads every file.
    fn of(&self, app: &App, snapshot: &Snapshot) -> Result<Arc<Vec<Problem>>> {
        let mut last = match self.0.try_lock() {
            Ok(last) => last,
            // What a look that panicked left is what the one before found.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(Error::rate_limited("The values are being looked at already.", 5));
            }
        };
        let same =
            |it: &&Checked| it.workspace == snapshot.workspace && it.version == snapshot.version;
        if let Some(checked) = last.as_ref().filter(same) {
            return Ok(checked.problems.clone());
        }
        let problems = Arc::new(app.engine.check_values(snapshot)?);
        let (workspace, version) = (snapshot.workspace.clone(), snapshot.version);
        *last = Some(Checked { workspace, version, problems: problems.clone() });
        Ok(problems)
    }
}

/// A problem with the name it goes by.
struct Named {
    id: String,
    known: Known,
    deep: bool,
}

/// The problems of a workspace and of what all workspaces share; of all, when none is named.
fn named(problems: Vec<(Known, bool)>, workspace: Option<&str>) -> Vec<Named> {
    let mut taken: HashMap<String, u32> = HashMap::new();
    let mut found = Vec::new();
    for (known, deep) in problems {
        let problem = &known.problem;
        if let Some(of) = workspace_of(problem)
            && workspace.is_some_and(|it| it != of.as_str())
        {
            continue;
        }
        let id = id_of(problem);
        let number = taken.entry(id.clone()).or_default();
        *number += 1;
        let more = if *number > 1 { format!("-{number}") } else { String::new() };
        found.push(Named { id: id + &more, known, deep });
    }
    found
}

/// The name of a problem: the same as long as the same is wrong with the same value of a file.
pub fn id_of(problem: &Problem) -> String {
    let mut summer = Summer::new();
    summer.part(problem.path.as_bytes()).part(problem.kind.as_str().as_bytes());
    summer.part(problem.field.as_deref().unwrap_or_default().as_bytes());
    format!("{:016x}", summer.finish().0)
}

/// The workspace whose file it is about.
pub fn workspace_of(problem: &Problem) -> Option<WorkspaceSlug> {
    let mut folders = problem.path.split('/');
    (folders.next() == Some("workspaces"))
        .then(|| folders.next())
        .flatten()
        .and_then(|it| WorkspaceSlug::parse(it).ok())
}

fn of_load(app: &App) -> Vec<(Known, bool)> {
    app.engine.problems().list().into_iter().map(|it| (it, false)).collect()
}

fn accepted(settings: &SettingsRecord) -> HashSet<String> {
    let list = settings.file().get(ACCEPTED).and_then(Json::as_array).unwrap_or_default();
    list.iter().filter_map(Json::as_str).map(str::to_string).collect()
}

/// The first problems that nobody has accepted, errors before others, and how many there are.
pub fn first(app: &App, workspace: &str, most: usize) -> (usize, Vec<Shown>) {
    let accepted = accepted(app.engine.installation().settings());
    let mut all = named(of_load(app), Some(workspace));
    all.retain(|it| !accepted.contains(&it.id));
    all.sort_by_key(|it| std::cmp::Reverse(it.known.problem.severity()));
    let count = all.len();
    (count, all.into_iter().take(most).map(|it| shown(app, it, false, None)).collect())
}

/// The problems that a list asks for.
pub fn list(app: &App, caller: &Caller, snapshot: &Snapshot, query: &str) -> Result<Listed> {
    let whole = Resource::Whole(Area::Settings);
    caller.may("", Action::SettingsRead, &whole, &Facts::default())?;
    let params = Params::parse(query).map_err(Error::bad_request)?;
    let deep = params.flag("deep");
    let mut problems = of_load(app);
    if deep {
        problems.extend(found_deep(app, snapshot, &problems)?);
    }
    let accepted = accepted(app.engine.installation().settings());
    let mut all = named(problems, params.get("workspace").filter(|it| !it.is_empty()));
    let wanted =
        |name: &str, value: &str| params.get(name).is_none_or(|it| it.is_empty() || it == value);
    all.retain(|it| wanted("kind", it.known.problem.kind.as_str()));
    let n_accepted = all.iter().filter(|it| accepted.contains(&it.id)).count();
    if !params.flag("accepted") {
        all.retain(|it| !accepted.contains(&it.id));
    }
    all.sort_by_key(|it| std::cmp::Reverse(it.known.problem.severity()));
    let errors = all.iter().filter(|it| it.known.problem.severity() == Severity::Error).count();
    let (total, warnings) = (all.len(), all.len() - errors);
    let mut witness = Witness::new(&app.engine, caller);
    let rows = all.into_iter().take(LIST_MAX).enumerate();
    let data = rows.map(|(at, it)| {
        let is_accepted = accepted.contains(&it.id);
        shown(app, it, is_accepted, (at < EXCERPTS_MAX).then_some(&mut witness))
    });
    let data = data.collect();
    Ok(Listed { data, meta: ListedMeta { total, errors, warnings, accepted: n_accepted, deep } })
}

/// What a look at all values shows beside what is known.
fn found_deep(
    app: &App,
    snapshot: &Snapshot,
    known: &[(Known, bool)],
) -> Result<Vec<(Known, bool)>> {
    let found = app.deep_checks.of(app, snapshot)?;
    let is_new = |it: &&Problem| known.iter().all(|(known, _)| known.problem != **it);
    let since = app.engine.clock().now();
    Ok(found.iter().filter(is_new).map(|it| (Known { problem: it.clone(), since }, true)).collect())
}

fn shown(app: &App, named: Named, is_accepted: bool, witness: Option<&mut Witness<'_>>) -> Shown {
    let Named { id, known: Known { problem, since }, deep } = named;
    let blocks = problem.kind.blocks_loading();
    let mut actions = Vec::new();
    if problem.kind.falls_back() && app.engine.has_last_good(&problem.path) {
        actions.push("restore-last-good");
    }
    if !blocks {
        actions.push("accept");
    }
    let is_readable = witness.is_some_and(|it| may_show(it, &problem));
    let excerpt = if is_readable { excerpt(app, &problem) } else { None };
    Shown {
        id,
        kind: problem.kind.as_str(),
        severity: problem.severity(),
        workspace: workspace_of(&problem).map(|it| it.to_string()),
        file: problem.path.rsplit('/').next().unwrap_or_default().to_string(),
        path: problem.path,
        line: problem.line,
        column: problem.column,
        field: problem.field,
        message: problem.message,
        since: (!deep).then_some(since),
        accepted: is_accepted,
        actions,
        excerpt,
    }
}

/// Whether somebody may read the text of a file: who may read what it is about. Nobody reads secrets
/// here.
fn may_show(witness: &mut Witness<'_>, problem: &Problem) -> bool {
    if layout::is_private(&problem.path) {
        return false;
    }
    let Some(key) = Key::parse(&problem.path) else { return false };
    let workspace = key.workspace().map(|it| it.as_str());
    let about = match &key {
        Key::Entry(_, of, id) => {
            About::Entry { type_name: of.as_str(), id: id.as_str(), slug: "", status: "draft" }
        }
        Key::Schema(_, name) => About::Schema(name.as_str()),
        Key::MediaMeta(_, name) => About::File(name.as_str()),
        Key::Categories(_) => About::Media,
        Key::Workspace(slug) => About::Workspace(slug.as_str()),
        _ => return false,
    };
    witness.may_know(workspace, about)
}

fn excerpt(app: &App, problem: &Problem) -> Option<Excerpt> {
    let line = problem.line?;
    let bytes = app.engine.text_of(&problem.path)?;
    Some(cut(&String::from_utf8_lossy(&bytes), line, problem.column))
}

/// The lines around a place.
fn cut(text: &str, line: u32, column: Option<u32>) -> Excerpt {
    let first = line.saturating_sub(AROUND).max(1);
    let count = line.saturating_add(AROUND).saturating_sub(first).saturating_add(1);
    let lines = text.lines().skip(first as usize - 1).take(count as usize);
    let lines = lines.map(|it| it.chars().take(LINE_CHARS_MAX).collect()).collect();
    Excerpt { first_line: first, lines, line, column }
}

fn find(app: &App, caller: &Caller, snapshot: &Snapshot, id: &str) -> Result<Named> {
    let whole = Resource::Whole(Area::Settings);
    caller.may("", Action::SettingsUpdate, &whole, &Facts::default())?;
    let missing = || Error::not_found("problem", id);
    let known = of_load(app);
    // What only a look at all values shows is known from the last one.
    let last = app.deep_checks.0.try_lock().ok().and_then(|it| {
        let same = it.as_ref().filter(|it| it.workspace == snapshot.workspace);
        same.map(|it| it.problems.clone())
    });
    let since = app.engine.clock().now();
    let deep = last.iter().flat_map(|it| it.iter());
    let deep = deep.filter(|it| known.iter().all(|(known, _)| known.problem != **it));
    let deep = deep.map(|it| (Known { problem: it.clone(), since }, true)).collect::<Vec<_>>();
    let all = known.iter().cloned().chain(deep).collect();
    named(all, None).into_iter().find(|it| it.id == id).ok_or_else(missing)
}

/// What came of putting a file right.
#[derive(Debug, Serialize)]
pub struct Restored {
    ok: bool,
    path: String,
    /// Where the text that could not be read is kept, for a week.
    kept_as: String,
}

/// Puts the last good version of a broken file in its place.
pub fn restore_last_good(app: &App, by: &By, snapshot: &Snapshot, id: &str) -> Result<Restored> {
    let named = find(app, &by.caller, snapshot, id)?;
    let problem = &named.known.problem;
    match app.engine.restore_last_good(problem, &by.actor)? {
        Repair::Done(kept_as) => Ok(Restored { ok: true, path: problem.path.clone(), kept_as }),
        Repair::NothingGood => Err(Error::conflict(
            "No good version of this file is known: it has to be put right by hand.",
        )),
        Repair::NoFile => Err(Error::conflict(
            "Something that is no file stands in its place, and has to be moved away by hand.",
        )),
        Repair::NotBroken => {
            Err(Error::conflict("This file can be read: there is nothing to put right."))
        }
    }
}

/// Leaves a problem as it is, or tells of it again.
pub fn accept(app: &App, by: &By, snapshot: &Snapshot, id: &str, body: &Map) -> Result<()> {
    let named = find(app, &by.caller, snapshot, id)?;
    let problem = &named.known.problem;
    if problem.kind.blocks_loading() {
        return Err(Error::conflict(
            "What a file says that cannot be read cannot be accepted: put it right, or its last good \
             version back.",
        ));
    }
    let wanted = body.get("accepted").and_then(Json::as_bool).unwrap_or(true);
    let present: HashSet<String> =
        named_ids(app, snapshot).into_iter().chain([id.to_string()]).collect();
    let subject = Subject::Problem { problem: problem.kind.as_str(), path: problem.path.clone() };
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let mut ids = accepted(staging.installation().settings());
        let changed = if wanted { ids.insert(id.to_string()) } else { ids.remove(id) };
        if !changed {
            return Ok(());
        }
        // What is solved need not be remembered, if only there is too much of it.
        if ids.len() > ACCEPTED_MAX {
            ids.retain(|it| present.contains(it));
        }
        let mut ids: Vec<String> = ids.into_iter().collect();
        ids.sort();
        let mut map = Map::new();
        map.push(ACCEPTED, ids.into_iter().map(Json::from).collect::<Vec<_>>());
        staging.write(&Key::Settings, &Json::Object(map))?;
        if wanted {
            let (actor, kind) = (&by.actor, EventKind::ProblemAccepted);
            staging.tell(Event::by(actor, kind, subject.clone()));
        }
        Ok::<_, Error>(())
    })
}

fn named_ids(app: &App, snapshot: &Snapshot) -> Vec<String> {
    let workspace = Some(snapshot.workspace.as_str());
    named(of_load(app), workspace).into_iter().map(|it| it.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::problem::ProblemKind;

    #[test]
    fn the_lines_around_a_place() {
        let text: String = (1..=9).map(|it| format!("line {it}\n")).collect();
        let check = |line: u32, first: u32, count: usize| {
            let found = cut(&text, line, Some(1));
            assert_eq!((found.first_line, found.lines.len()), (first, count), "{line}");
        };
        check(1, 1, 4);
        check(5, 2, 7);
        check(9, 6, 4);
        check(u32::MAX, u32::MAX - 3, 0);
        check(0, 1, 3);
        let long = "x".repeat(5_000);
        assert_eq!(cut(&long, 1, None).lines[0].len(), LINE_CHARS_MAX);
    }

    #[test]
    fn ids_are_stable_and_unique() {
        let since = Timestamp::default();
        let known = |path: &str, field: &str| {
            let problem = Problem::new(ProblemKind::SchemaViolation, path, "m").of_field(field);
            (Known { problem, since }, false)
        };
        let ids = |all: Vec<(Known, bool)>, ws: Option<&str>| -> Vec<String> {
            named(all, ws).into_iter().map(|it| it.id).collect()
        };
        let (a, b) = ("workspaces/a/content/posts/x.json", "workspaces/b/content/posts/x.json");
        let one = ids(vec![known(a, "t")], None);
        let all = ids(vec![known(b, "t"), known(a, "t"), known(a, "t"), known(a, "u")], None);
        assert_eq!(all[1], one[0]);
        assert_eq!(all[2], format!("{}-2", one[0]));
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 4);
        assert_eq!(
            ids(vec![known(b, "t"), known(a, "t"), known("system/x", "")], Some("a")).len(),
            2
        );
    }
}
