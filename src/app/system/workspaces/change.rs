//! Changes of workspaces: creating, renaming, archiving, and choosing the default one. They are
//! never deleted here; that is left to whoever manages the folder.

use std::collections::BTreeSet;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::system::workspaces::WorkspaceView;
use crate::app::system::workspaces::check_may_manage;
use crate::app::system::workspaces::find_workspace;
use crate::app::system::workspaces::load_view;
use crate::engine::error::CommitError;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::model::name::is_windows_device;
use crate::model::problem::FieldProblems;
use crate::model::workspace;
use crate::model::workspace::WorkspaceMeta;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;
use crate::store::layout::Key;

/// The longest label, in characters.
const LABEL_CHARS_MAX: usize = 100;

/// The longest generated slug in bytes, short enough for a number to be appended.
const SLUG_BYTES_MAX: usize = 50;

/// Creates a workspace: `{label, slug?}`.
pub fn create(app: &App, by: &Requester, body: &Map) -> Result<WorkspaceView> {
    let mut problems = FieldProblems::new();
    let label = parse_label(body, &mut problems);
    if label.is_none() && problems.is_empty() {
        problems.add("label", "This field is required.");
    }
    let requested = parse_slug(body, &mut problems);
    let slug = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let taken = app.engine.list_workspace_names()?;
        let label = label.as_deref().unwrap_or_default();
        let slug = match &requested {
            Some(slug) => slug.clone(),
            None => free_slug(label, &taken)?,
        };
        let permit = check_may_manage(by, &slug)?;
        if !problems.is_empty() {
            return Err(Error::invalid(problems.clone()));
        }
        if taken.contains(slug.as_str()) {
            return Err(Error::conflict(format!("There is a workspace `{slug}` already.")));
        }
        let file = render_new_file(label, &staging.now().to_string());
        staging.write(&permit).create(&Key::Workspace(slug.clone()), file);
        emit_event(staging, &permit, EventKind::WorkspaceCreated, &slug, label);
        Ok::<_, Error>(slug)
    })?;
    load_view(app, &slug)
}

/// The requested changes of a workspace.
#[derive(Default)]
struct WorkspaceChange {
    label: Option<String>,
    archived: Option<bool>,
    default: Option<bool>,
}

/// Updates a workspace: `{label?, archived?, default?}`.
pub fn update(app: &App, by: &Requester, slug: &str, body: &Map) -> Result<WorkspaceView> {
    let mut problems = FieldProblems::new();
    let change = WorkspaceChange {
        label: parse_label(body, &mut problems),
        archived: parse_flag(body, "archived", &mut problems),
        default: parse_flag(body, "default", &mut problems),
    };
    apply_change(app, by, slug, &change, problems)
}

/// Archives a workspace: its files stay, but the API no longer serves it.
pub fn archive(app: &App, by: &Requester, slug: &str) -> Result<()> {
    let change = WorkspaceChange { archived: Some(true), ..WorkspaceChange::default() };
    apply_change(app, by, slug, &change, FieldProblems::new()).map(drop)
}

fn apply_change(
    app: &App,
    by: &Requester,
    slug: &str,
    change: &WorkspaceChange,
    problems: FieldProblems,
) -> Result<WorkspaceView> {
    let slug = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let permit = check_may_manage(by, slug)?;
        let slug = find_workspace(app, slug)?.workspace.clone();
        if change.default == Some(true) {
            check_may_choose(by)?;
        }
        if !problems.is_empty() {
            return Err(Error::invalid(problems.clone()));
        }
        let meta = read_meta(staging, &slug)?;
        check_default(&slug, &meta, &app.engine.default_workspace(), change)?;
        stage_meta(staging, &permit, (&slug, &meta), change)?;
        if change.default == Some(true) {
            stage_default(staging, &permit, (&slug, &meta))?;
        }
        Ok::<_, Error>(slug)
    })?;
    load_view(app, &slug)
}

/// Checks the permission to choose the default workspace, which concerns all workspaces.
fn check_may_choose(by: &Requester) -> Result<Permit> {
    let all = Resource::Whole(Area::Workspaces);
    by.check_permission("", Action::WorkspacesManage, &all, &Facts::default())
}

/// Reads the workspace's file, which may be newer than the served state.
fn read_meta(staging: &SystemStaging<'_>, slug: &WorkspaceSlug) -> Result<WorkspaceMeta> {
    let Some(stored) = staging.read_stored(&Key::Workspace(slug.clone()))? else {
        return Ok(WorkspaceMeta::default_for(slug));
    };
    let read = WorkspaceMeta::parse(slug, &stored.json);
    read.map(|(meta, _)| meta).map_err(|it| Error::unsupported_format(it.to_string()))
}

/// Checks that the default workspace exists and is not archived.
fn check_default(
    slug: &WorkspaceSlug,
    meta: &WorkspaceMeta,
    default: &WorkspaceSlug,
    change: &WorkspaceChange,
) -> Result<()> {
    let archives = change.archived == Some(true);
    let stays_archived = meta.archived && change.archived != Some(false);
    let is_default = slug == default;
    let message = if archives && slug.as_str() == "default" {
        "The workspace `default` cannot be archived."
    } else if archives && (is_default || change.default == Some(true)) {
        "The default workspace cannot be archived: make another one the default first."
    } else if change.default == Some(true) && stays_archived {
        "An archived workspace cannot be the default one."
    } else if change.default == Some(false) && is_default {
        "There is always a default workspace: make another one the default instead."
    } else {
        return Ok(());
    };
    Err(Error::conflict(message))
}

/// Stages the changes of the workspace's file.
fn stage_meta(
    staging: &mut SystemStaging<'_>,
    permit: &Permit,
    (slug, meta): (&WorkspaceSlug, &WorkspaceMeta),
    change: &WorkspaceChange,
) -> Result<()> {
    let label = change.label.as_ref().filter(|it| **it != meta.label);
    let archived = change.archived.filter(|it| *it != meta.archived);
    if label.is_none() && archived.is_none() {
        return Ok(());
    }
    let mut values: Vec<(&str, Json)> = Vec::new();
    values.extend(label.map(|it| ("label", it.as_str().into())));
    values.extend(archived.map(|it| ("archived", it.into())));
    let now = staging.now().to_string();
    values.push(("updated_at", now.as_str().into()));
    let shown = label.unwrap_or(&meta.label);
    write_values(
        staging,
        permit,
        &Key::Workspace(slug.clone()),
        values,
        &render_new_file(shown, &now),
    )?;
    let kind = match archived {
        Some(true) => EventKind::WorkspaceArchived,
        _ => EventKind::WorkspaceUpdated,
    };
    emit_event(staging, permit, kind, slug, shown);
    Ok(())
}

/// Stages the choice of the default workspace.
fn stage_default(
    staging: &mut SystemStaging<'_>,
    permit: &Permit,
    (slug, meta): (&WorkspaceSlug, &WorkspaceMeta),
) -> Result<()> {
    if staging.installation().settings().default_workspace().as_ref() == Some(slug) {
        return Ok(());
    }
    let values = vec![("default_workspace", Json::from(slug.as_str()))];
    write_values(staging, permit, &Key::Settings, values, &Json::Object(Map::new()).to_file())?;
    emit_event(staging, permit, EventKind::WorkspaceUpdated, slug, &meta.label);
    Ok(())
}

/// Writes values into a file and keeps the rest; a missing file starts from `new_file`. An
/// unreadable file is an error, because it may contain more than these values.
fn write_values(
    staging: &mut SystemStaging<'_>,
    permit: &Permit,
    key: &Key,
    values: Vec<(&str, Json)>,
    new_file: &[u8],
) -> std::result::Result<(), CommitError> {
    let stored = staging.read_stored(key)?;
    let with_values = |mut map: Map| {
        values.into_iter().for_each(|(name, value)| map.set(name, value));
        map
    };
    match stored {
        Some(stored) => {
            let bytes = stored.rewrite(with_values(stored.map().clone()));
            staging.write(permit).replace(&stored, bytes);
        }
        None => {
            let map = Json::parse(new_file).ok().and_then(|it| it.as_object().cloned());
            let file = Json::Object(with_values(map.unwrap_or_default()));
            staging.write(permit).create(key, file.to_file());
        }
    }
    Ok(())
}

/// Renders the file of a new workspace.
fn render_new_file(label: &str, now: &str) -> Vec<u8> {
    let mut map = Map::new();
    map.push("format", i64::try_from(workspace::FORMAT).unwrap_or(1));
    map.push("label", label);
    map.push("created_at", now);
    map.push("updated_at", now);
    Json::Object(map).to_file()
}

/// Adds an event about a workspace.
pub(super) fn emit_event(
    staging: &mut SystemStaging<'_>,
    permit: &Permit,
    kind: EventKind,
    slug: &WorkspaceSlug,
    label: &str,
) {
    let subject = Subject::Workspace { slug: slug.to_string(), label: label.to_string() };
    staging.write(permit).add_event(kind, subject);
}

/// Parses `label`, if there is one.
fn parse_label(body: &Map, problems: &mut FieldProblems) -> Option<String> {
    let label = match body.get("label")? {
        Json::String(text) => text.trim(),
        other => {
            problems.add("label", format!("This should be a text and is {}.", other.kind()));
            return None;
        }
    };
    if label.is_empty() {
        problems.add("label", "A workspace needs a label.");
    } else if label.chars().count() > LABEL_CHARS_MAX {
        problems.add("label", format!("A label has {LABEL_CHARS_MAX} characters at most."));
    } else if label.contains(char::is_control) {
        problems.add("label", "A label is one line of text.");
    }
    Some(label.to_string())
}

/// Parses `slug`, if there is one.
fn parse_slug(body: &Map, problems: &mut FieldProblems) -> Option<WorkspaceSlug> {
    let text = match body.get("slug") {
        None | Some(Json::Null) => return None,
        Some(Json::String(text)) => text,
        Some(other) => {
            problems.add("slug", format!("This should be a text and is {}.", other.kind()));
            return None;
        }
    };
    match WorkspaceSlug::parse(text) {
        Ok(slug) if is_windows_device(&slug) => {
            problems.add("slug", "This name is reserved: no folder can have it everywhere.");
            None
        }
        Ok(slug) => Some(slug),
        Err(error) => {
            problems.add("slug", error.message());
            None
        }
    }
}

fn parse_flag(body: &Map, key: &str, problems: &mut FieldProblems) -> Option<bool> {
    match body.get(key)? {
        Json::Bool(flag) => Some(*flag),
        other => {
            problems.add(key, format!("This should be true or false and is {}.", other.kind()));
            None
        }
    }
}

/// Returns a slug derived from a label that no workspace has.
fn free_slug(label: &str, taken: &BTreeSet<String>) -> Result<WorkspaceSlug> {
    let mut stem = slugify(label);
    stem.truncate(SLUG_BYTES_MAX);
    let stem = stem.trim_end_matches('-');
    let stem = if stem.is_empty() || is_windows_device(stem) { "workspace" } else { stem };
    let is_free = |slug: &String| !taken.contains(slug);
    let numbered = (2..=taken.len().saturating_add(2)).map(|number| format!("{stem}-{number}"));
    let free = std::iter::once(stem.to_string()).chain(numbered).find(is_free);
    let free = free.and_then(|it| WorkspaceSlug::parse(&it).ok());
    free.ok_or_else(|| Error::internal("no slug is left"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_made_of_labels() {
        let check = |label: &str, taken: &[&str], expect: &str| {
            let taken = taken.iter().map(ToString::to_string).collect();
            assert_eq!(free_slug(label, &taken).unwrap().as_str(), expect, "{label}");
        };
        check("Press & Media", &[], "press-media");
        check("Über uns", &["uber-uns", "uber-uns-2"], "uber-uns-3");
        check("!!!", &["workspace"], "workspace-2");
        check("CON", &[], "workspace");
        check(&"a".repeat(200), &[], &"a".repeat(50));
        check(&format!("{} b", "a".repeat(49)), &[], &"a".repeat(49));
    }

    #[test]
    fn everything_wrong_is_told_at_its_field() {
        let check = |text: &str, expect: &[&str]| {
            let body = Json::parse(text.as_bytes()).unwrap().as_object().unwrap().clone();
            let mut problems = FieldProblems::new();
            parse_label(&body, &mut problems);
            parse_slug(&body, &mut problems);
            parse_flag(&body, "archived", &mut problems);
            let fields: Vec<_> = problems.iter().map(|(field, _)| field).collect();
            assert_eq!(fields, expect, "{text}");
        };
        check("{}", &[]);
        check(r#"{"label":" A ","slug":null,"archived":true}"#, &[]);
        check(r#"{"label":" ","slug":"","archived":1}"#, &["label", "slug", "archived"]);
        check(r#"{"label":null,"slug":"Shop"}"#, &["label", "slug"]);
        check(r#"{"label":"a\nb","slug":"nul"}"#, &["label", "slug"]);
        check(r#"{"label":5,"slug":["a"]}"#, &["label", "slug"]);
        check(&format!(r#"{{"label":"{}","slug":"../a"}}"#, "ä".repeat(101)), &["label", "slug"]);
    }
}
