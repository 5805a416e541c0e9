//! Workspaces are made, named, archived, and one of them made the default one. None is ever deleted:
//! that is for whoever has the folder in front of them.

use std::collections::BTreeSet;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::workspaces::WorkspaceView;
use crate::app::workspaces::find;
use crate::app::workspaces::may_manage;
use crate::app::workspaces::shown;
use crate::engine::commit::CommitError;
use crate::engine::system::SystemStaging;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::model::name::is_windows_device;
use crate::model::problem::FieldProblems;
use crate::model::workspace;
use crate::model::workspace::WorkspaceMeta;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit;
use crate::stdx::slug::slugify;
use crate::store::layout::Key;

/// The longest label, in characters.
const LABEL_CHARS_MAX: usize = 100;

/// How long a slug is made at most: short enough to stay one with a number behind it.
const SLUG_BYTES_MAX: usize = 50;

/// Makes a workspace: `{label, slug?}`.
pub fn create(app: &App, by: &By, body: &Map) -> Result<WorkspaceView> {
    let mut problems = FieldProblems::new();
    let label = label(body, &mut problems);
    if label.is_none() && problems.is_empty() {
        problems.add("label", "This field is required.");
    }
    let wish = slug(body, &mut problems);
    let slug = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let taken = app.engine.names_of_workspaces()?;
        let label = label.as_deref().unwrap_or_default();
        let slug = match &wish {
            Some(slug) => slug.clone(),
            None => free_slug(label, &taken)?,
        };
        let allowed = may_manage(by, &slug)?;
        if !problems.is_empty() {
            return Err(Error::invalid(problems.clone()));
        }
        if taken.contains(slug.as_str()) {
            return Err(Error::conflict(format!("There is a workspace `{slug}` already.")));
        }
        staging.create(&Key::Workspace(slug.clone()), begun(label, &staging.now().to_string()));
        tell(staging, &allowed, by, EventKind::WorkspaceCreated, &slug, label);
        Ok::<_, Error>(slug)
    })?;
    shown(app, &slug)
}

/// What shall become of a workspace.
#[derive(Default)]
struct Wish {
    label: Option<String>,
    archived: Option<bool>,
    default: Option<bool>,
}

/// Changes a workspace: `{label?, archived?, default?}`.
pub fn update(app: &App, by: &By, slug: &str, body: &Map) -> Result<WorkspaceView> {
    let mut problems = FieldProblems::new();
    let wish = Wish {
        label: label(body, &mut problems),
        archived: flag(body, "archived", &mut problems),
        default: flag(body, "default", &mut problems),
    };
    changed(app, by, slug, &wish, problems)
}

/// Archives a workspace: its files stay, the API does not know it any more.
pub fn archive(app: &App, by: &By, slug: &str) -> Result<()> {
    let wish = Wish { archived: Some(true), ..Wish::default() };
    changed(app, by, slug, &wish, FieldProblems::new()).map(drop)
}

fn changed(
    app: &App,
    by: &By,
    slug: &str,
    wish: &Wish,
    problems: FieldProblems,
) -> Result<WorkspaceView> {
    let slug = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let allowed = may_manage(by, slug)?;
        let slug = find(app, slug)?.workspace.clone();
        if wish.default == Some(true) {
            may_choose(by)?;
        }
        if !problems.is_empty() {
            return Err(Error::invalid(problems.clone()));
        }
        let meta = written(staging, &slug)?;
        check_default(&slug, &meta, &app.engine.default_workspace(), wish)?;
        stage(staging, &allowed, by, (&slug, &meta), wish)?;
        if wish.default == Some(true) {
            stage_default(staging, &allowed, by, (&slug, &meta))?;
        }
        Ok::<_, Error>(slug)
    })?;
    shown(app, &slug)
}

/// The right to say which workspace is meant when none is named: that concerns all of them.
fn may_choose(by: &By) -> Result<Allowed<'_>> {
    let all = Resource::Whole(Area::Workspaces);
    by.caller.may("", Action::WorkspacesManage, &all, &Facts::default())
}

/// What the workspace's own file says at this moment: what is served may be a moment older.
fn written(staging: &SystemStaging<'_>, slug: &WorkspaceSlug) -> Result<WorkspaceMeta> {
    let Some(stored) = staging.stored(&Key::Workspace(slug.clone()))? else {
        return Ok(WorkspaceMeta::of(slug));
    };
    let read = WorkspaceMeta::parse(slug, &Json::Object(stored.map));
    read.map(|(meta, _)| meta).map_err(|it| Error::unsupported_format(it.to_string()))
}

/// There is always a default workspace that is not archived.
fn check_default(
    slug: &WorkspaceSlug,
    meta: &WorkspaceMeta,
    default: &WorkspaceSlug,
    wish: &Wish,
) -> Result<()> {
    let archives = wish.archived == Some(true);
    let stays_archived = meta.archived && wish.archived != Some(false);
    let is_default = slug == default;
    let message = if archives && slug.as_str() == "default" {
        "The workspace `default` cannot be archived."
    } else if archives && (is_default || wish.default == Some(true)) {
        "The default workspace cannot be archived: make another one the default first."
    } else if wish.default == Some(true) && stays_archived {
        "An archived workspace cannot be the default one."
    } else if wish.default == Some(false) && is_default {
        "There is always a default workspace: make another one the default instead."
    } else {
        return Ok(());
    };
    Err(Error::conflict(message))
}

/// Stages what the workspace's own file says from now on.
fn stage(
    staging: &mut SystemStaging<'_>,
    allowed: &Allowed<'_>,
    by: &By,
    (slug, meta): (&WorkspaceSlug, &WorkspaceMeta),
    wish: &Wish,
) -> Result<()> {
    let label = wish.label.as_ref().filter(|it| **it != meta.label);
    let archived = wish.archived.filter(|it| *it != meta.archived);
    if label.is_none() && archived.is_none() {
        return Ok(());
    }
    let mut says: Vec<(&str, Json)> = Vec::new();
    says.extend(label.map(|it| ("label", it.as_str().into())));
    says.extend(archived.map(|it| ("archived", it.into())));
    let now = staging.now().to_string();
    says.push(("updated_at", now.as_str().into()));
    let shown = label.unwrap_or(&meta.label);
    write(staging, &Key::Workspace(slug.clone()), says, &begun(shown, &now))?;
    let kind = match archived {
        Some(true) => EventKind::WorkspaceArchived,
        _ => EventKind::WorkspaceUpdated,
    };
    tell(staging, allowed, by, kind, slug, shown);
    Ok(())
}

/// Stages that the workspace is the one that is meant when none is named.
fn stage_default(
    staging: &mut SystemStaging<'_>,
    allowed: &Allowed<'_>,
    by: &By,
    (slug, meta): (&WorkspaceSlug, &WorkspaceMeta),
) -> Result<()> {
    if staging.installation().settings().default_workspace().as_ref() == Some(slug) {
        return Ok(());
    }
    let says = vec![("default_workspace", Json::from(slug.as_str()))];
    write(staging, &Key::Settings, says, &Json::Object(Map::new()).to_file())?;
    tell(staging, allowed, by, EventKind::WorkspaceUpdated, slug, &meta.label);
    Ok(())
}

/// Writes values into a file as people keep it; what it is otherwise where there is none. One that
/// cannot be read is left alone: it says more than this.
fn write(
    staging: &mut SystemStaging<'_>,
    key: &Key,
    says: Vec<(&str, Json)>,
    begun: &[u8],
) -> std::result::Result<(), CommitError> {
    let stored = staging.stored(key)?;
    let said = |mut map: Map| {
        says.into_iter().for_each(|(name, value)| map.set(name, value));
        Json::Object(map)
    };
    match stored {
        Some(stored) => {
            let json = said(stored.map.clone());
            staging.replace(&stored, json_edit::rewrite(&stored.bytes, &json));
        }
        None => {
            let map = Json::parse(begun).ok().and_then(|it| it.as_object().cloned());
            staging.create(key, said(map.unwrap_or_default()).to_file());
        }
    }
    Ok(())
}

/// The file of a workspace that begins.
fn begun(label: &str, now: &str) -> Vec<u8> {
    let mut map = Map::new();
    map.push("format", i64::try_from(workspace::FORMAT).unwrap_or(1));
    map.push("label", label);
    map.push("created_at", now);
    map.push("updated_at", now);
    Json::Object(map).to_file()
}

/// Tells what became of a workspace.
pub(super) fn tell(
    staging: &mut SystemStaging<'_>,
    _: &Allowed<'_>,
    by: &By,
    kind: EventKind,
    slug: &WorkspaceSlug,
    label: &str,
) {
    let subject = Subject::Workspace { slug: slug.to_string(), label: label.to_string() };
    staging.tell(Event::by(&by.actor, kind, subject));
}

/// `label`, when there is one.
fn label(body: &Map, problems: &mut FieldProblems) -> Option<String> {
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

/// `slug`, when one is asked for.
fn slug(body: &Map, problems: &mut FieldProblems) -> Option<WorkspaceSlug> {
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

fn flag(body: &Map, key: &str, problems: &mut FieldProblems) -> Option<bool> {
    match body.get(key)? {
        Json::Bool(flag) => Some(*flag),
        other => {
            problems.add(key, format!("This should be true or false and is {}.", other.kind()));
            None
        }
    }
}

/// A slug made of a label that nothing has.
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
            label(&body, &mut problems);
            slug(&body, &mut problems);
            flag(&body, "archived", &mut problems);
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
