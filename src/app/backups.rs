//! Backups: made, looked into, taken in, put back.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::backup::BackupError;
use crate::engine::backup::Wanted;
use crate::engine::restore::Handed;
use crate::engine::restore::Restore;
use crate::engine::restore::Restored;
use crate::model::backup::BackupName;
use crate::model::backup::Flaw;
use crate::model::backup::Manifest;
use crate::model::backup::NOTE_CHARS_MAX;
use crate::model::backup::PERSONAL_DATA;
use crate::model::backup::Part;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Grant;
use crate::model::grant::Grants;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::role;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::archive::shelf::Card;
use crate::store::blob::Blob;
use crate::store::spool::Spooled;

/// A backup, as it is shown.
#[derive(Debug, Serialize)]
pub struct BackupView {
    name: String,
    size: u64,
    created_at: String,
    created_by: Option<String>,
    parts: BTreeSet<Part>,
    workspaces: BTreeSet<String>,
    note: String,
    secrets: bool,
    personal_data: bool,
    verified: bool,
}

/// A backup that was made, and what whoever made it should know about it.
pub struct Made {
    /// The backup.
    pub backup: BackupView,
    /// What they may not expect to be in it.
    pub warnings: Vec<String>,
}

/// All backups, and what can be backed up.
#[derive(Debug, Serialize)]
pub struct Shelves {
    backups: Vec<BackupView>,
    parts: [Part; 10],
    default_parts: [Part; 6],
}

/// What is in a backup.
#[derive(Debug, Serialize)]
pub struct Inspection {
    manifest: Option<Manifest>,
    counts: BTreeMap<Part, u64>,
    available_parts: Vec<Part>,
    problems: Vec<Flaw>,
}

/// A backup that was taken in.
#[derive(Debug, Serialize)]
pub struct TakenIn {
    backup: BackupView,
    inspection: Inspection,
}

/// What was restored, or would be.
#[derive(Debug, Serialize)]
pub struct RestoredView {
    restored: BTreeMap<Part, u64>,
    skipped: BTreeMap<Part, u64>,
    removed: BTreeMap<Part, u64>,
    problems: Vec<Flaw>,
    safety_backup: Option<String>,
    dry_run: bool,
}

/// A backup that is to be sent.
pub struct Parcel {
    /// Its bytes.
    pub blob: Blob,
    /// When they were written.
    pub modified: Timestamp,
    /// Under which name.
    pub name: BackupName,
}

impl BackupView {
    fn of(card: Card) -> BackupView {
        let manifest = card.manifest.map(Arc::unwrap_or_clone);
        let modified = Timestamp::from_seconds(card.modified_ns.div_euclid(1_000_000_000));
        let mut view = BackupView {
            name: card.name.as_str().to_string(),
            size: card.size,
            created_at: modified.to_string(),
            created_by: None,
            parts: BTreeSet::new(),
            workspaces: BTreeSet::new(),
            note: String::new(),
            secrets: false,
            personal_data: false,
            verified: card.verified,
        };
        if let Some(manifest) = manifest {
            // What is no time says nothing; the file's own does.
            if Timestamp::parse(&manifest.created_at).is_some() {
                view.created_at = manifest.created_at;
            }
            view.created_by = manifest.created_by;
            view.personal_data = manifest.parts.contains(&Part::Users);
            view.parts = manifest.parts;
            view.workspaces = manifest.workspaces;
            view.note = manifest.note;
            view.secrets = manifest.secrets;
        }
        view
    }
}

impl Inspection {
    fn of(manifest: Manifest) -> Inspection {
        let counts = manifest.counts.clone();
        let available_parts = manifest.parts.iter().copied().collect();
        let problems = manifest.problems.clone();
        Inspection { manifest: Some(manifest), counts, available_parts, problems }
    }

    fn flawed(manifest: Option<Manifest>, problems: Vec<Flaw>) -> Inspection {
        let counts = manifest.as_ref().map(|it| it.counts.clone()).unwrap_or_default();
        Inspection { manifest, counts, available_parts: Vec::new(), problems }
    }
}

/// All backups, and what can be backed up.
pub fn list(app: &App, caller: &Caller) -> Result<Shelves> {
    may(caller, Action::BackupsRead)?;
    let backups = app.engine.backups()?.into_iter().map(BackupView::of).collect();
    Ok(Shelves { backups, parts: Part::ALL, default_parts: Part::RESTORED_BY_DEFAULT })
}

/// Makes a backup: of everything, unless the body says of what.
pub fn create(app: &App, by: &By, body: &Map) -> Result<Made> {
    may(&by.caller, Action::BackupsCreate)?;
    let mut problems = FieldProblems::new();
    let named = parts(body, &mut problems);
    let is_of_everything = named.is_none();
    let wanted = Wanted {
        parts: named.unwrap_or_else(|| Part::ALL.into_iter().collect()),
        workspaces: workspaces(body, &mut problems),
        secrets: flag(body, "secrets", &mut problems),
        note: note(body, &mut problems),
        created_by: Some(by.actor.id.clone()),
    };
    let known = app.engine.workspaces();
    for ws in wanted.workspaces.iter().flatten().filter(|it| !known.contains_key(*it)) {
        problems.add("workspaces", format!("There is no workspace `{ws}`."));
    }
    if !problems.is_empty() {
        return Err(Error::invalid(problems));
    }
    if wanted.secrets && !is_admin(&by.caller) {
        return Err(Error::refused("Only administrators take hashes and secrets along."));
    }
    let card = app.engine.back_up(&wanted).map_err(|it| failed("", it))?;
    tell(app, by, EventKind::BackupCreated, &card.name);
    let backup = BackupView::of(card);
    let is_surprise = is_of_everything && backup.personal_data;
    let warnings = is_surprise.then(|| format!("{PERSONAL_DATA} Name `parts` to leave them out."));
    Ok(Made { backup, warnings: warnings.into_iter().collect() })
}

/// Takes a backup in that somebody sent.
pub fn upload(app: &App, by: &By, mut files: Vec<Spooled>) -> Result<TakenIn> {
    may(&by.caller, Action::BackupsCreate)?;
    let file = match (files.pop(), files.is_empty()) {
        (Some(file), true) => file,
        _ => {
            let problems = FieldProblems::one("backup", "One file is needed.");
            return Err(Error::upload_failed(problems));
        }
    };
    let (card, manifest) = app.engine.take_in_backup(file).map_err(|it| failed("", it))?;
    tell(app, by, EventKind::BackupUploaded, &card.name);
    Ok(TakenIn { backup: BackupView::of(card), inspection: Inspection::of(manifest) })
}

/// Reads all of a backup and tells what is in it, and what is wrong with it.
pub fn inspect(app: &App, caller: &Caller, name: &str) -> Result<Inspection> {
    may(caller, Action::BackupsRead)?;
    let name = known(name)?;
    match app.engine.inspect_backup(&name) {
        Ok(manifest) => Ok(Inspection::of(manifest)),
        Err(BackupError::Flawed(flaws)) => {
            let manifest = app.engine.backup(&name).ok().and_then(|it| it.manifest);
            Ok(Inspection::flawed(manifest.map(Arc::unwrap_or_clone), flaws))
        }
        Err(error) => Err(failed(name.as_str(), error)),
    }
}

/// Puts a backup back, or tells what that would come to.
pub fn restore(app: &App, by: &By, name: &str, body: &Map) -> Result<RestoredView> {
    may(&by.caller, Action::BackupsRestore)?;
    let name = known(name)?;
    let mut problems = FieldProblems::new();
    // What there is not is told before what is wrong with the question.
    app.engine.backup(&name).map_err(|it| failed(name.as_str(), it))?;
    let order = Restore {
        parts: parts_to_restore(body, &mut problems),
        workspaces: workspaces(body, &mut problems),
        overwrite: flag(body, "overwrite", &mut problems),
        dry_run: flag(body, "dry_run", &mut problems),
        created_by: Some(by.actor.id.clone()),
    };
    if !problems.is_empty() {
        return Err(Error::invalid(problems));
    }
    if order.parts.contains(&Part::Webhooks) {
        // They are told everything: whoever may not set them up does not bring them back either.
        let hooks = Resource::Whole(Area::Webhooks);
        by.caller.may("", Action::WebhooksManage, &hooks, &Facts::default())?;
    }
    if order.parts.contains(&Part::Content) {
        may_publish(&by.caller, order.workspaces.as_ref())?;
    }
    let covers = |handed: &Handed| covers(app, &by.caller, handed);
    let restored = app.engine.restore_backup(&name, &order, &covers);
    let restored = restored.map_err(|it| failed(name.as_str(), it))?;
    if !order.dry_run {
        app.engine.webhooks_changed();
        tell(app, by, EventKind::BackupRestored, &name);
    }
    let Restored { restored, skipped, removed, problems, safety } = restored;
    let safety_backup = safety.map(|it| it.as_str().to_string());
    Ok(RestoredView { restored, skipped, removed, problems, safety_backup, dry_run: order.dry_run })
}

/// Opens a backup to be sent. One with hashes and secrets is for administrators.
pub fn open(app: &App, caller: &Caller, name: &str) -> Result<Parcel> {
    may(caller, Action::BackupsRead)?;
    let name = known(name)?;
    let of_backup = |error| failed(name.as_str(), error);
    let card = app.engine.backup(&name).map_err(of_backup)?;
    // Of one that cannot be read nobody knows what is in it.
    if card.manifest.is_none_or(|it| it.secrets) && !is_admin(caller) {
        return Err(Error::refused("There are secrets in this backup: it is for administrators."));
    }
    let blob = app.engine.open_backup(&name).map_err(of_backup)?;
    let modified = Timestamp::from_seconds(blob.stat.modified_ns.div_euclid(1_000_000_000));
    Ok(Parcel { blob, modified, name })
}

/// Removes a backup.
pub fn delete(app: &App, by: &By, name: &str) -> Result<()> {
    may(&by.caller, Action::BackupsDelete)?;
    let name = known(name)?;
    app.engine.delete_backup(&name).map_err(|it| failed(name.as_str(), it))?;
    tell(app, by, EventKind::BackupDeleted, &name);
    Ok(())
}

fn may(caller: &Caller, action: Action) -> Result<()> {
    caller.may("", action, &Resource::Whole(Area::Backups), &Facts::default()).map(|_| ())
}

/// Content comes back with whatever was public in it.
fn may_publish(caller: &Caller, workspaces: Option<&BTreeSet<WorkspaceSlug>>) -> Result<()> {
    let everywhere = || vec!["content.publish@content:*".to_string()];
    let in_some = |it: &BTreeSet<WorkspaceSlug>| {
        it.iter().map(|ws| format!("content.publish@content:*@{ws}")).collect()
    };
    let lines: Vec<String> = workspaces.map_or_else(everywhere, in_some);
    let needed: std::result::Result<Vec<Grant>, _> =
        lines.iter().map(|it| Grant::parse_line(it)).collect();
    let needed = needed.map_err(|it| Error::internal(it.to_string()))?;
    let is_covered = caller.grants().is_some_and(|it| it.covers(&needed).is_ok());
    if is_covered { Ok(()) } else { Err(Error::forbidden(Action::ContentPublish, "`content:*`")) }
}

fn is_admin(caller: &Caller) -> bool {
    caller.login().is_ok_and(|it| it.account.record.role.as_str() == role::ADMIN)
}

/// Nobody hands out what they do not have, nor takes the place of somebody who has more.
fn covers(app: &App, caller: &Caller, handed: &Handed) -> bool {
    let Some(own) = caller.grants() else { return false };
    let in_person = |id: &String| {
        let coming = handed.roles.get(id).filter(|_| id != role::ADMIN);
        let here = app.engine.installation().role(id).map(|it| it.permissions.clone());
        let is_covered = |it: &Vec<_>| Grants::covers_in_person(own, it).is_ok();
        coming.is_none_or(is_covered) && here.as_ref().is_none_or(is_covered)
    };
    own.covers(&handed.grants).is_ok() && handed.roles_of_users.iter().all(in_person)
}

fn known(name: &str) -> Result<BackupName> {
    BackupName::parse(name).map_err(|_| Error::not_found("backup", name))
}

fn failed(name: &str, error: BackupError) -> Error {
    let fields = |flaws: Vec<Flaw>| {
        let mut fields = FieldProblems::new();
        flaws.into_iter().for_each(|it| fields.add(it.path, it.message));
        fields
    };
    match error {
        BackupError::Missing => Error::not_found("backup", name),
        BackupError::Flawed(flaws) => Error::invalid_backup(fields(flaws)),
        BackupError::NotInIt(flaws) => Error::invalid(fields(flaws)),
        BackupError::Exceeds => Error::refused(
            "This backup has users, roles or tokens that may do more than you, or would take some away.",
        ),
        BackupError::Commit(error) => error.into(),
    }
}

fn tell(app: &App, by: &By, kind: EventKind, name: &BackupName) {
    let subject = Subject::Backup { backup: name.as_str().to_string() };
    app.engine.tell_system(vec![Event::by(&by.actor, kind, subject)]);
}

fn parts(body: &Map, problems: &mut FieldProblems) -> Option<BTreeSet<Part>> {
    let names = texts(body, "parts", problems)?;
    let mut parts = BTreeSet::new();
    for name in &names {
        match Part::parse(name) {
            Some(part) => _ = parts.insert(part),
            None => problems.add("parts", format!("`{name}` is no part of a backup.")),
        }
    }
    if names.is_empty() {
        problems.add("parts", "Name one part at least.");
    }
    Some(parts)
}

/// A restoration names its parts: left out, it could mean to remove what nobody thought of.
fn parts_to_restore(body: &Map, problems: &mut FieldProblems) -> BTreeSet<Part> {
    if matches!(body.get("parts"), None | Some(Json::Null)) {
        problems.add("parts", "Name the parts to restore.");
    }
    parts(body, problems).unwrap_or_default()
}

fn workspaces(body: &Map, problems: &mut FieldProblems) -> Option<BTreeSet<WorkspaceSlug>> {
    let names = texts(body, "workspaces", problems)?;
    let mut slugs = BTreeSet::new();
    for name in &names {
        match WorkspaceSlug::parse(name) {
            Ok(slug) => _ = slugs.insert(slug),
            Err(error) => problems.add("workspaces", error.message()),
        }
    }
    if names.is_empty() {
        problems.add("workspaces", "Name one workspace at least.");
    }
    Some(slugs)
}

fn texts(body: &Map, key: &str, problems: &mut FieldProblems) -> Option<Vec<String>> {
    let value = body.get(key).filter(|it| **it != Json::Null)?;
    let list =
        value.as_array().and_then(|it| it.iter().map(Json::as_str).collect::<Option<Vec<_>>>());
    if list.is_none() {
        problems.add(key, "This should be a list of names.");
    }
    Some(list?.into_iter().map(str::to_string).collect())
}

fn flag(body: &Map, key: &str, problems: &mut FieldProblems) -> bool {
    match body.get(key) {
        None | Some(Json::Null) => false,
        Some(value) => value.as_bool().unwrap_or_else(|| {
            problems.add(key, "This should be true or false.");
            false
        }),
    }
}

fn note(body: &Map, problems: &mut FieldProblems) -> String {
    match body.get("note") {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(note)) if note.chars().count() <= NOTE_CHARS_MAX => note.clone(),
        Some(Json::String(_)) => {
            problems.add("note", format!("{NOTE_CHARS_MAX} characters are the most."));
            String::new()
        }
        Some(_) => {
            problems.add("note", "This should be a text.");
            String::new()
        }
    }
}
