//! The problems of the data folder, with their positions in files, and the repairs that are
//! possible.

use std::collections::HashMap;
use std::collections::HashSet;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::system::event_visibility::EventTarget;
use crate::app::system::event_visibility::EventVisibility;
use crate::engine::folder::problems::KnownProblem;
use crate::engine::staging::SystemStaging;
use crate::engine::writer::repair::RepairOutcome;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::problem::Severity;
use crate::model::settings::SettingsRecord;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::params::QueryParams;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::time::Timestamp;
use crate::store::layout;
use crate::store::layout::Key;

/// The most problems of a list.
const LIST_MAX: usize = 500;

/// The most problems of a list with excerpts.
const EXCERPTS_MAX: usize = 50;

/// The number of lines before and after the position.
const CONTEXT_LINES: u32 = 3;

/// The most characters shown of a line.
const LINE_CHARS_MAX: usize = 200;

/// The key of the settings file with the accepted problems.
const ACCEPTED: &str = "accepted_problems";

/// The most accepted problems.
const ACCEPTED_MAX: usize = 1_000;

/// A problem in the form that is shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem", description = "A problem in a file of the data folder.")]
pub struct ProblemView {
    /// The id, which stays the same while the same value of a file has the same defect.
    id: String,
    /// The kind of problem.
    kind: ProblemKind,
    /// The severity.
    severity: Severity,
    /// The slug of the workspace, if the file belongs to one.
    workspace: Option<String>,
    /// The path of the file in the data folder.
    path: String,
    /// The name of the file.
    file: String,
    /// The line in the file, if there is one.
    line: Option<u32>,
    /// The column in that line, if there is one.
    column: Option<u32>,
    /// The path of the value in the file, such as `data.body`, if there is one.
    field: Option<String>,
    /// A sentence about the defect.
    message: String,
    /// The time at which it was first seen; unknown for problems that only a deep check finds.
    since: Option<Timestamp>,
    /// True if the problem was accepted.
    accepted: bool,
    /// The possible repairs: `restore-last-good`, `accept`.
    #[schemars(schema_with = "actions_schema")]
    actions: Vec<&'static str>,
    /// The lines around the problem, for callers who may read the file's subject.
    excerpt: Option<Excerpt>,
}

fn actions_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": one_of_texts(["restore-last-good", "accept"]) })
}

/// The lines around a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Excerpt {
    /// The number of the first line.
    first_line: u32,
    /// The lines.
    lines: Vec<String>,
    /// The line of the position, counted from 1.
    line: u32,
    /// The column of the position, if there is one.
    column: Option<u32>,
}

/// A list of problems.
#[derive(Debug)]
pub struct ProblemList {
    /// The problems.
    pub data: Vec<ProblemView>,
    /// The metadata of the list.
    pub meta: ProblemListMeta,
}

/// The `meta` of the list.
#[derive(Debug, Serialize)]
pub struct ProblemListMeta {
    total: usize,
    errors: usize,
    warnings: usize,
    accepted: usize,
    /// True if the values of all entries were checked too.
    deep: bool,
}

/// A problem with the name it goes by.
struct NamedProblem {
    id: String,
    known: KnownProblem,
    deep: bool,
}

/// Returns the problems of a workspace and of the installation, with ids; without a workspace, all
/// problems.
fn name_problems(
    problems: Vec<(KnownProblem, bool)>,
    workspace: Option<&str>,
) -> Vec<NamedProblem> {
    let mut taken: HashMap<String, u32> = HashMap::new();
    let mut found = Vec::new();
    for (known, deep) in problems {
        let problem = &known.problem;
        if let Some(of) = problem_workspace(problem)
            && workspace.is_some_and(|it| it != of.as_str())
        {
            continue;
        }
        let id = problem_id(problem);
        let number = taken.entry(id.clone()).or_default();
        *number += 1;
        let more = if *number > 1 { format!("-{number}") } else { String::new() };
        found.push(NamedProblem { id: id + &more, known, deep });
    }
    found
}

/// Returns the id of a problem, which is stable as long as the same value of a file has the same
/// kind of problem.
pub fn problem_id(problem: &Problem) -> String {
    let mut summer = ChecksumBuilder::new();
    summer.add_part(problem.path.as_bytes()).add_part(problem.kind.as_str().as_bytes());
    summer.add_part(problem.field.as_deref().unwrap_or_default().as_bytes());
    format!("{:016x}", summer.finish().0)
}

/// Returns the workspace of the file.
pub fn problem_workspace(problem: &Problem) -> Option<WorkspaceSlug> {
    let mut folders = problem.path.split('/');
    (folders.next() == Some("workspaces"))
        .then(|| folders.next())
        .flatten()
        .and_then(|it| WorkspaceSlug::parse(it).ok())
}

fn list_load_problems(app: &App) -> Vec<(KnownProblem, bool)> {
    app.engine.problems().list().into_iter().map(|it| (it, false)).collect()
}

fn list_accepted(settings: &SettingsRecord) -> HashSet<String> {
    let list = settings.file().get(ACCEPTED).and_then(Json::as_array).unwrap_or_default();
    list.iter().filter_map(Json::as_str).map(str::to_string).collect()
}

/// Returns the first problems that nobody accepted, errors first, and their total number.
pub fn list_first(app: &App, workspace: &str, most: usize) -> (usize, Vec<ProblemView>) {
    let accepted = list_accepted(app.engine.installation().settings());
    let mut all = name_problems(list_load_problems(app), Some(workspace));
    all.retain(|it| !accepted.contains(&it.id));
    all.sort_by_key(|it| std::cmp::Reverse(it.known.problem.severity()));
    let count = all.len();
    (count, all.into_iter().take(most).map(|it| render_problem(app, it, false, None)).collect())
}

/// Returns the problems that a query selects.
pub fn list(app: &App, caller: &Caller, snapshot: &Snapshot, query: &str) -> Result<ProblemList> {
    let whole = Resource::Whole(Area::Settings);
    caller.check_permission("", Action::SettingsRead, &whole, &Facts::default())?;
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let mut mistakes = FieldProblems::new();
    let deep = params.parse_flag("deep", &mut mistakes);
    let with_accepted = params.parse_flag("accepted", &mut mistakes);
    mistakes.into_result(()).map_err(Error::invalid)?;
    let mut problems = list_load_problems(app);
    if deep {
        problems.extend(find_deep_problems(app, snapshot, &problems)?);
    }
    let accepted = list_accepted(app.engine.installation().settings());
    let mut all = name_problems(problems, params.get("workspace").filter(|it| !it.is_empty()));
    let wanted =
        |name: &str, value: &str| params.get(name).is_none_or(|it| it.is_empty() || it == value);
    all.retain(|it| wanted("kind", it.known.problem.kind.as_str()));
    let n_accepted = all.iter().filter(|it| accepted.contains(&it.id)).count();
    if !with_accepted {
        all.retain(|it| !accepted.contains(&it.id));
    }
    all.sort_by_key(|it| std::cmp::Reverse(it.known.problem.severity()));
    let errors = all.iter().filter(|it| it.known.problem.severity() == Severity::Error).count();
    let (total, warnings) = (all.len(), all.len() - errors);
    let mut visibility = EventVisibility::new(&app.engine, caller);
    let rows = all.into_iter().take(LIST_MAX).enumerate();
    let data = rows.map(|(at, it)| {
        let is_accepted = accepted.contains(&it.id);
        render_problem(app, it, is_accepted, (at < EXCERPTS_MAX).then_some(&mut visibility))
    });
    let data = data.collect();
    Ok(ProblemList {
        data,
        meta: ProblemListMeta { total, errors, warnings, accepted: n_accepted, deep },
    })
}

/// Returns the problems that only a deep check finds.
fn find_deep_problems(
    app: &App,
    snapshot: &Snapshot,
    known: &[(KnownProblem, bool)],
) -> Result<Vec<(KnownProblem, bool)>> {
    let found = app.deep_checks.find_problems(&app.engine, snapshot)?;
    let is_new = |it: &&Problem| known.iter().all(|(known, _)| known.problem != **it);
    let since = app.engine.clock().now();
    Ok(found
        .iter()
        .filter(is_new)
        .map(|it| (KnownProblem { problem: it.clone(), since }, true))
        .collect())
}

fn render_problem(
    app: &App,
    named: NamedProblem,
    is_accepted: bool,
    visibility: Option<&mut EventVisibility<'_>>,
) -> ProblemView {
    let NamedProblem { id, known: KnownProblem { problem, since }, deep } = named;
    let blocks = problem.kind.blocks_loading();
    let mut actions = Vec::new();
    if problem.kind.falls_back() && app.engine.folder().has_last_good(&problem.path) {
        actions.push("restore-last-good");
    }
    if !blocks {
        actions.push("accept");
    }
    let is_readable = visibility.is_some_and(|it| may_show(it, &problem));
    let excerpt = if is_readable { load_excerpt(app, &problem) } else { None };
    ProblemView {
        id,
        kind: problem.kind,
        severity: problem.severity(),
        workspace: problem_workspace(&problem).map(|it| it.to_string()),
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

/// Returns true if the caller may read the text of a file: if they may read its subject. Secrets
/// are never shown.
fn may_show(visibility: &mut EventVisibility<'_>, problem: &Problem) -> bool {
    if layout::is_private(&problem.path) {
        return false;
    }
    let Some(key) = Key::parse(&problem.path) else { return false };
    let workspace = key.workspace().map(|it| it.as_str());
    let target = match &key {
        Key::Entry(_, of, id) => EventTarget::Entry {
            type_name: of.as_str(),
            id: id.as_str(),
            slug: "",
            status: "draft",
        },
        Key::Schema(_, name) => EventTarget::Schema(name.as_str()),
        Key::MediaMeta(_, name) => EventTarget::File(name.as_str()),
        Key::Categories(_) => EventTarget::Media,
        Key::Workspace(slug) => EventTarget::Workspace(slug.as_str()),
        _ => return false,
    };
    visibility.may_see_target(workspace, target)
}

fn load_excerpt(app: &App, problem: &Problem) -> Option<Excerpt> {
    let line = problem.line?;
    let bytes = app.engine.folder().read_text(&problem.path)?;
    Some(cut_excerpt(&String::from_utf8_lossy(&bytes), line, problem.column))
}

/// Returns the lines around a position.
fn cut_excerpt(text: &str, line: u32, column: Option<u32>) -> Excerpt {
    let first = line.saturating_sub(CONTEXT_LINES).max(1);
    let count = line.saturating_add(CONTEXT_LINES).saturating_sub(first).saturating_add(1);
    let lines = text.lines().skip(first as usize - 1).take(count as usize);
    let lines = lines.map(|it| it.chars().take(LINE_CHARS_MAX).collect()).collect();
    Excerpt { first_line: first, lines, line, column }
}

/// Finds a problem that the caller may solve, with the permit for it.
fn find_problem(
    app: &App,
    by: &Requester,
    snapshot: &Snapshot,
    id: &str,
) -> Result<(NamedProblem, Permit)> {
    let whole = Resource::Whole(Area::Settings);
    let permit = by.check_permission("", Action::SettingsUpdate, &whole, &Facts::default())?;
    let missing = || Error::not_found("problem", id);
    let known = list_load_problems(app);
    // What only a look at all values shows is known from the last one.
    let last = app.deep_checks.get_last_problems(&snapshot.workspace);
    let since = app.engine.clock().now();
    let deep = last.iter().flat_map(|it| it.iter());
    let deep = deep.filter(|it| known.iter().all(|(known, _)| known.problem != **it));
    let deep =
        deep.map(|it| (KnownProblem { problem: it.clone(), since }, true)).collect::<Vec<_>>();
    let all = known.iter().cloned().chain(deep).collect();
    let found = name_problems(all, None).into_iter().find(|it| it.id == id);
    Ok((found.ok_or_else(missing)?, permit))
}

/// The result of repairing a file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProblemRestored")]
pub struct RestoredFile {
    /// Always `true`.
    #[schemars(extend("const" = true))]
    ok: bool,
    /// The path of the file in the data folder.
    path: String,
    /// The path in the data folder where the broken text is kept for a week.
    kept_as: String,
}

/// Replaces a broken file by its last good version.
pub fn restore_last_good(
    app: &App,
    by: &Requester,
    snapshot: &Snapshot,
    id: &str,
) -> Result<RestoredFile> {
    let (named, permit) = find_problem(app, by, snapshot, id)?;
    let problem = &named.known.problem;
    match app.engine.writer().restore_last_good(&permit, problem)? {
        RepairOutcome::Done(kept_as) => {
            Ok(RestoredFile { ok: true, path: problem.path.clone(), kept_as })
        }
        RepairOutcome::NothingGood => {
            Err(Error::conflict("No good version of this file is known. Repair it by hand."))
        }
        RepairOutcome::NoFile => Err(Error::conflict(
            "Something other than a file is in its place. Move it away by hand.",
        )),
        RepairOutcome::NotBroken => {
            Err(Error::conflict("This file can be read, so there is nothing to repair."))
        }
    }
}

/// The body of a request to accept a problem.
#[derive(JsonSchema)]
pub struct ProblemAccept {
    /// `false` lists the problem again.
    #[schemars(with = "Option<bool>")]
    accepted: bool,
}

impl ProblemAccept {
    fn parse(body: &Map) -> Result<ProblemAccept> {
        let mut input = ObjectReader::new(body);
        let accepted = input.flag("accepted").unwrap_or(true);
        input.into_result(ProblemAccept { accepted }).map_err(Error::invalid)
    }
}

/// Accepts a problem, or revokes that.
pub fn accept(app: &App, by: &Requester, snapshot: &Snapshot, id: &str, body: &Map) -> Result<()> {
    let (named, permit) = find_problem(app, by, snapshot, id)?;
    let problem = &named.known.problem;
    if problem.kind.blocks_loading() {
        return Err(Error::conflict(
            "A problem that makes a file unreadable cannot be accepted. Repair the file, or \
             restore its last good version.",
        ));
    }
    let ProblemAccept { accepted: wanted } = ProblemAccept::parse(body)?;
    let present: HashSet<String> =
        list_ids(app, snapshot).into_iter().chain([id.to_string()]).collect();
    let subject =
        Subject::Problem { problem: problem.kind.as_str().into(), path: problem.path.clone() };
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let mut ids = list_accepted(staging.installation().settings());
        let changed = if wanted { ids.insert(id.to_string()) } else { ids.remove(id) };
        if !changed {
            return Ok(());
        }
        // Solved problems are removed from the list only when it gets too long.
        if ids.len() > ACCEPTED_MAX {
            ids.retain(|it| present.contains(it));
        }
        let mut ids: Vec<String> = ids.into_iter().collect();
        ids.sort();
        let mut map = Map::new();
        map.push(ACCEPTED, ids.into_iter().map(Json::from).collect::<Vec<_>>());
        let mut write = staging.write(&permit);
        write.write_record(&Key::Settings, &Json::Object(map))?;
        if wanted {
            write.add_event(EventKind::ProblemAccepted, subject.clone());
        }
        Ok::<_, Error>(())
    })
}

fn list_ids(app: &App, snapshot: &Snapshot) -> Vec<String> {
    let workspace = Some(snapshot.workspace.as_str());
    name_problems(list_load_problems(app), workspace).into_iter().map(|it| it.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::problem::ProblemKind;

    #[test]
    fn the_lines_around_a_place() {
        let text: String = (1..=9).map(|it| format!("line {it}\n")).collect();
        let check = |line: u32, first: u32, count: usize| {
            let found = cut_excerpt(&text, line, Some(1));
            assert_eq!((found.first_line, found.lines.len()), (first, count), "{line}");
        };
        check(1, 1, 4);
        check(5, 2, 7);
        check(9, 6, 4);
        check(u32::MAX, u32::MAX - 3, 0);
        check(0, 1, 3);
        let long = "x".repeat(5_000);
        assert_eq!(cut_excerpt(&long, 1, None).lines[0].len(), LINE_CHARS_MAX);
    }

    #[test]
    fn ids_are_stable_and_unique() {
        let since = Timestamp::default();
        let known = |path: &str, field: &str| {
            let problem = Problem::new(ProblemKind::SchemaViolation, path, "m").with_field(field);
            (KnownProblem { problem, since }, false)
        };
        let ids = |all: Vec<(KnownProblem, bool)>, ws: Option<&str>| -> Vec<String> {
            name_problems(all, ws).into_iter().map(|it| it.id).collect()
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
