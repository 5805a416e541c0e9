//! Changes of workspaces: creating, renaming, archiving, and choosing the default one. They are
//! never deleted here; that is left to whoever manages the folder.

use std::collections::BTreeSet;

use schemars::JsonSchema;

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
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::name::WorkspaceSlug;
use crate::model::name::is_windows_device;
use crate::model::sentence::sentence;
use crate::model::workspace;
use crate::model::workspace::LABEL_CHARS_MAX;
use crate::model::workspace::WorkspaceMeta;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;
use crate::store::layout::Key;

/// The longest generated slug in bytes, short enough for a number to be appended.
const SLUG_BYTES_MAX: usize = 50;

/// Creates a workspace: `{label, slug?}`.
pub fn create(app: &App, by: &Requester, body: &Map) -> Result<WorkspaceView> {
    let input = NewWorkspace::parse(body);
    let NewWorkspace { label, slug: requested } = &input.values;
    let slug = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let taken = app.engine.registry().list_workspace_names()?;
        let slug = match requested {
            Some(slug) => slug.clone(),
            None => free_slug(label, &taken)?,
        };
        let permit = check_may_manage(by, &slug)?;
        input.check().map_err(Error::invalid)?;
        if taken.contains(slug.as_str()) {
            let slug = slug.as_str();
            let message = sentence!("The workspace `{slug}` already exists.", slug);
            return Err(Error::conflict(message));
        }
        let file = render_new_file(label, &staging.now().to_string());
        staging.write(&permit).create(&Key::Workspace(slug.clone()), file);
        emit_event(staging, &permit, EventKind::WorkspaceCreated, &slug, label);
        Ok::<_, Error>(slug)
    })?;
    load_view(app, &slug)
}

/// The body of a request that creates a workspace.
#[derive(Debug, JsonSchema)]
#[schemars(rename = "WorkspaceCreate")]
pub struct NewWorkspace {
    /// The label.
    #[schemars(length(min = 1, max = LABEL_CHARS_MAX))]
    label: String,
    /// Made from the label by default; it never changes.
    slug: Option<WorkspaceSlug>,
}

impl NewWorkspace {
    fn parse(body: &Map) -> ParsedBody<NewWorkspace> {
        let mut input = ObjectReader::new(body);
        let label = input.filled_line("label", LABEL_CHARS_MAX);
        let slug = input.text("slug");
        let slug = slug.and_then(|it| input.accept("slug", parse_slug(it)));
        input.finish(NewWorkspace { label, slug })
    }
}

fn parse_slug(text: &str) -> std::result::Result<WorkspaceSlug, &'static str> {
    let slug = WorkspaceSlug::parse(text).map_err(|error| error.message())?;
    if is_windows_device(&slug) {
        return Err("This name is reserved: some systems cannot have a folder with it.");
    }
    Ok(slug)
}

/// The body of a request that changes a workspace.
#[derive(Debug, Default, JsonSchema)]
#[schemars(rename = "WorkspaceUpdate")]
pub struct WorkspaceChange {
    /// The label.
    #[schemars(length(min = 1, max = LABEL_CHARS_MAX))]
    label: Option<String>,
    /// True if it is archived.
    archived: Option<bool>,
    /// True if requests that name no workspace use it; `true` makes it the default instead of
    /// another one.
    default: Option<bool>,
}

impl WorkspaceChange {
    fn parse(body: &Map) -> ParsedBody<WorkspaceChange> {
        let mut input = ObjectReader::new(body);
        input.refuse_null(&["archived", "default"]);
        let is_labelled = input.contains("label");
        let label = is_labelled.then(|| input.filled_line("label", LABEL_CHARS_MAX));
        let (archived, default) = (input.flag("archived"), input.flag("default"));
        input.finish(WorkspaceChange { label, archived, default })
    }
}

/// Updates a workspace: `{label?, archived?, default?}`.
pub fn update(app: &App, by: &Requester, slug: &str, body: &Map) -> Result<WorkspaceView> {
    apply_change(app, by, slug, &WorkspaceChange::parse(body))
}

/// Archives a workspace: its files stay, but the API no longer serves it.
pub fn archive(app: &App, by: &Requester, slug: &str) -> Result<()> {
    let change = WorkspaceChange { archived: Some(true), ..WorkspaceChange::default() };
    let input = ParsedBody { values: change, ..ParsedBody::default() };
    apply_change(app, by, slug, &input).map(drop)
}

fn apply_change(
    app: &App,
    by: &Requester,
    slug: &str,
    input: &ParsedBody<WorkspaceChange>,
) -> Result<WorkspaceView> {
    let change = &input.values;
    let slug = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let permit = check_may_manage(by, slug)?;
        let slug = find_workspace(app, slug)?.workspace.clone();
        if change.default == Some(true) {
            check_may_choose(by)?;
        }
        input.check().map_err(Error::invalid)?;
        let meta = read_meta(staging, &slug)?;
        check_default(&slug, &meta, &app.engine.registry().default_workspace(), change)?;
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
        "The default workspace cannot be archived. Make another one the default first."
    } else if change.default == Some(true) && stays_archived {
        "An archived workspace cannot be the default one."
    } else if change.default == Some(false) && is_default {
        "There must be a default workspace. Make another one the default instead."
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
    use crate::model::problem::FieldProblems;

    fn is_flag(json: &Json) -> bool {
        json.as_bool().is_some()
    }

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
            let (new, change) = (NewWorkspace::parse(&body), WorkspaceChange::parse(&body));
            let fields = |it: &FieldProblems| -> Vec<String> {
                it.iter().map(|(field, _)| field.to_string()).collect()
            };
            assert_eq!(fields(&new.problems), expect, "{text}");
            let changes_label = body.contains("label") && expect.contains(&"label");
            let fails = changes_label || body.get("archived").is_some_and(|it| !is_flag(it));
            assert_eq!(!change.problems.is_empty(), fails, "{text}");
        };
        check("{}", &["label"]);
        check(r#"{"label":" A ","slug":null,"archived":true}"#, &[]);
        check(r#"{"label":" A ","archived":null}"#, &[]);
        check(r#"{"label":" ","slug":"","archived":1}"#, &["label", "slug"]);
        check(r#"{"label":null,"slug":"Shop"}"#, &["label", "slug"]);
        check(r#"{"label":"a\nb","slug":"nul"}"#, &["label", "slug"]);
        check(r#"{"label":5,"slug":["a"]}"#, &["label", "slug"]);
        check(&format!(r#"{{"label":"{}","slug":"../a"}}"#, "ä".repeat(101)), &["label", "slug"]);
    }
}
