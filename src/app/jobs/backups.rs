//! Backups: creating, inspecting, uploading, downloading, restoring and deleting them.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::entries::clean_file;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::jobs::scheduled_backups::BackupSchedule;
use crate::engine::backups::request::BackupError;
use crate::engine::backups::request::BackupRequest;
use crate::engine::backups::restore_request::GrantedRights;
use crate::engine::backups::restore_request::RestoreReport;
use crate::engine::backups::restore_request::RestoreRequest;
use crate::engine::backups::restore_request::RestoredChange;
use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupCounts;
use crate::model::backup::BackupManifest;
use crate::model::backup::BackupName;
use crate::model::backup::BackupPart;
use crate::model::backup::NOTE_CHARS_MAX;
use crate::model::backup::PERSONAL_DATA;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Grant;
use crate::model::grant::Grants;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::check_length;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::people::role;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::archive::folder::BackupInfo;
use crate::store::read::blob::Blob;
use crate::store::write::spool::Spooled;

/// A backup in the form that is shown.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Backup", description = "A backup.")]
pub struct BackupView {
    /// The name of the file.
    #[schemars(regex(pattern = r"^[A-Za-z0-9._-]+\.zip$"))]
    name: String,
    /// The size in bytes.
    size: u64,
    /// The time of the backup.
    created_at: String,
    /// The id of a user, if known.
    created_by: Option<String>,
    /// The parts that were backed up completely.
    #[schemars(with = "Vec<BackupPart>")]
    parts: BTreeSet<BackupPart>,
    /// The workspaces that were backed up.
    #[schemars(with = "Vec<String>")]
    workspaces: BTreeSet<String>,
    /// The user's note.
    note: String,
    /// True if it contains hashes and secrets; only administrators can download it then.
    secrets: bool,
    /// True if it contains user accounts (the part `users`) with names and e-mail addresses.
    personal_data: bool,
    /// True if all its checksums have been compared since the server started, and matched.
    verified: bool,
}

/// A new backup, with warnings for its creator.
pub struct CreatedBackup {
    /// The backup.
    pub backup: BackupView,
    /// Warnings about unexpected content.
    pub warnings: Vec<String>,
}

/// All backups, and the parts that can be backed up.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Backups")]
pub struct BackupList {
    /// The backups.
    backups: Vec<BackupView>,
    /// The backups that are made by themselves and kept elsewhere; `null` if none are configured.
    schedule: Option<BackupSchedule>,
    /// The parts that a backup can have.
    #[schemars(with = "Vec<BackupPart>")]
    parts: [BackupPart; 10],
    /// The parts to preselect: those that grant no permission and call no webhook. A restore must
    /// name its parts.
    #[schemars(with = "Vec<BackupPart>")]
    default_parts: [BackupPart; 6],
}

/// The content of a backup.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BackupInspection {
    /// The manifest, if it is readable.
    manifest: Option<BackupManifest>,
    /// The number of files by part.
    #[schemars(with = "BackupCounts")]
    counts: BTreeMap<BackupPart, u64>,
    /// The parts that can be restored. Empty if the backup cannot be restored.
    available_parts: Vec<BackupPart>,
    /// The problems of the backup.
    problems: Vec<ArchiveDefect>,
}

/// An uploaded backup.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BackupUpload")]
pub struct UploadedBackup {
    /// The backup.
    backup: BackupView,
    /// Its content.
    inspection: BackupInspection,
}

/// The result of a restore or of its dry run.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BackupRestored")]
pub struct BackupRestoreView {
    /// The files that were written.
    #[schemars(with = "BackupCounts")]
    restored: BTreeMap<BackupPart, u64>,
    /// The files that existed and stayed as they are.
    #[schemars(with = "BackupCounts")]
    skipped: BTreeMap<BackupPart, u64>,
    /// The files that were removed because the backup does not have them.
    #[schemars(with = "BackupCounts")]
    removed: BTreeMap<BackupPart, u64>,
    /// The files that were not restored, or not as they are in the backup, and the reasons.
    problems: Vec<ArchiveDefect>,
    /// The backup of the previous state.
    safety_backup: Option<String>,
    /// True if nothing was changed.
    dry_run: bool,
}

/// A backup to be downloaded.
pub struct BackupDownload {
    /// The bytes.
    pub blob: Blob,
    /// The time of the last change.
    pub modified: Timestamp,
    /// The filename.
    pub name: BackupName,
}

impl BackupView {
    fn from_card(card: BackupInfo) -> BackupView {
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
            // An invalid time is ignored in favour of the file's own.
            if Timestamp::parse(&manifest.created_at).is_some() {
                view.created_at = manifest.created_at;
            }
            view.created_by = manifest.created_by;
            view.personal_data = manifest.parts.contains(&BackupPart::Users);
            view.parts = manifest.parts;
            view.workspaces = manifest.workspaces;
            view.note = manifest.note;
            view.secrets = manifest.secrets;
        }
        view
    }
}

impl BackupInspection {
    fn from_manifest(manifest: BackupManifest) -> BackupInspection {
        let counts = manifest.counts.clone();
        let available_parts = manifest.parts.iter().copied().collect();
        let problems = manifest.problems.clone();
        BackupInspection { manifest: Some(manifest), counts, available_parts, problems }
    }

    fn with_flaws(
        manifest: Option<BackupManifest>,
        problems: Vec<ArchiveDefect>,
    ) -> BackupInspection {
        let counts = manifest.as_ref().map(|it| it.counts.clone()).unwrap_or_default();
        BackupInspection { manifest, counts, available_parts: Vec::new(), problems }
    }
}

/// Lists all backups, and the parts that can be backed up.
pub fn list(app: &App, caller: &Caller) -> Result<BackupList> {
    check_permission(caller, Action::BackupsRead)?;
    let backups =
        app.engine.backups().list_backups()?.into_iter().map(BackupView::from_card).collect();
    let schedule = app.settings().backups.as_ref().map(|it| it.report(&app.engine));
    Ok(BackupList {
        backups,
        schedule,
        parts: BackupPart::ALL,
        default_parts: BackupPart::RESTORED_BY_DEFAULT,
    })
}

/// Creates a backup: of everything, unless the body names parts.
pub fn create(app: &App, by: &Requester, body: &Map) -> Result<CreatedBackup> {
    check_permission(&by.caller, Action::BackupsCreate)?;
    let mut input = ObjectReader::new(body);
    let named = read_parts(&mut input);
    let is_of_everything = named.is_none();
    let wanted = BackupRequest {
        parts: named.unwrap_or_else(|| BackupPart::ALL.into_iter().collect()),
        workspaces: read_workspaces(&mut input),
        secrets: input.flag("secrets").unwrap_or_default(),
        note: read_note(&mut input),
        created_by: Some(by.actor.id.clone()),
    };
    let known = app.engine.workspaces();
    for ws in wanted.workspaces.iter().flatten().filter(|it| !known.contains_key(*it)) {
        input.add_problem("workspaces", wording::unknown("workspace", ws));
    }
    let wanted = input.into_result(wanted).map_err(Error::invalid)?;
    if wanted.secrets && !is_admin(&by.caller) {
        return Err(Error::refused("Only administrators can include hashes and secrets."));
    }
    let card = app.engine.backups().make_backup(&wanted).map_err(|it| restore_error("", it))?;
    emit_event(app, by, EventKind::BackupCreated, &card.name);
    let backup = BackupView::from_card(card);
    let is_surprise = is_of_everything && backup.personal_data;
    let warnings = is_surprise
        .then(|| format!("{PERSONAL_DATA} To leave them out, name the `parts` to save."));
    Ok(CreatedBackup { backup, warnings: warnings.into_iter().collect() })
}

/// Imports an uploaded backup.
pub fn upload(app: &App, by: &Requester, mut files: Vec<Spooled>) -> Result<UploadedBackup> {
    check_permission(&by.caller, Action::BackupsCreate)?;
    let file = match (files.pop(), files.is_empty()) {
        (Some(file), true) => file,
        _ => {
            let problems = FieldProblems::from_problem("backup", "Send one file.");
            return Err(Error::upload_failed(problems));
        }
    };
    let (card, manifest) =
        app.engine.backups().import_backup(file).map_err(|it| restore_error("", it))?;
    emit_event(app, by, EventKind::BackupUploaded, &card.name);
    Ok(UploadedBackup {
        backup: BackupView::from_card(card),
        inspection: BackupInspection::from_manifest(manifest),
    })
}

/// Reads a whole backup and reports its content and its problems.
pub fn inspect(app: &App, caller: &Caller, name: &str) -> Result<BackupInspection> {
    check_permission(caller, Action::BackupsRead)?;
    let name = parse_name(name)?;
    match app.engine.backups().inspect_backup(&name) {
        Ok(manifest) => Ok(BackupInspection::from_manifest(manifest)),
        Err(BackupError::Flawed(flaws)) => {
            let manifest = app.engine.backups().load_backup(&name).ok().and_then(|it| it.manifest);
            Ok(BackupInspection::with_flaws(manifest.map(Arc::unwrap_or_clone), flaws))
        }
        Err(error) => Err(restore_error(name.as_str(), error)),
    }
}

/// Restores a backup, or reports what would be restored.
pub fn restore(app: &App, by: &Requester, name: &str, body: &Map) -> Result<BackupRestoreView> {
    check_permission(&by.caller, Action::BackupsRestore)?;
    let name = parse_name(name)?;
    // What there is not is told before what is wrong with the question.
    app.engine.backups().load_backup(&name).map_err(|it| restore_error(name.as_str(), it))?;
    let mut input = ObjectReader::new(body);
    let order = RestoreRequest {
        parts: read_restored_parts(&mut input),
        workspaces: read_workspaces(&mut input),
        overwrite: input.flag("overwrite").unwrap_or_default(),
        dry_run: input.flag("dry_run").unwrap_or_default(),
        created_by: Some(by.actor.id.clone()),
        clean_entry: Some(clean_file),
    };
    let order = input.into_result(order).map_err(Error::invalid)?;
    if order.parts.contains(&BackupPart::Webhooks) {
        // Webhooks receive all events: restoring them takes the permission to manage them.
        let hooks = Resource::Whole(Area::Webhooks);
        by.check_permission("", Action::WebhooksManage, &hooks, &Facts::default())?;
    }
    if order.parts.contains(&BackupPart::Content) {
        check_may_publish(&by.caller, order.workspaces.as_ref())?;
    }
    let check = |handed: &GrantedRights| check_rights(app, &by.caller, handed);
    let restored = app.engine.backups().restore_backup(&name, &order, &check);
    let restored = restored.map_err(|it| restore_error(name.as_str(), it))?;
    if !order.dry_run {
        app.engine.outbox().drop_removed_webhooks();
        emit_event(app, by, EventKind::BackupRestored, &name);
    }
    let RestoreReport { restored, skipped, removed, problems, safety } = restored;
    let safety_backup = safety.map(|it| it.as_str().to_string());
    Ok(BackupRestoreView {
        restored,
        skipped,
        removed,
        problems,
        safety_backup,
        dry_run: order.dry_run,
    })
}

/// Opens a backup to be downloaded. Only administrators may download one with hashes and secrets.
pub fn open_download(app: &App, caller: &Caller, name: &str) -> Result<BackupDownload> {
    check_permission(caller, Action::BackupsRead)?;
    let name = parse_name(name)?;
    let of_backup = |error| restore_error(name.as_str(), error);
    let card = app.engine.backups().load_backup(&name).map_err(of_backup)?;
    // Of one that cannot be read nobody knows what is in it.
    if card.manifest.is_none_or(|it| it.secrets) && !is_admin(caller) {
        return Err(Error::refused(
            "This backup contains secrets. Only administrators can download it.",
        ));
    }
    let blob = app.engine.backups().open_backup(&name).map_err(of_backup)?;
    let modified = Timestamp::from_seconds(blob.stat.modified_ns.div_euclid(1_000_000_000));
    Ok(BackupDownload { blob, modified, name })
}

/// Deletes a backup.
pub fn delete(app: &App, by: &Requester, name: &str) -> Result<()> {
    check_permission(&by.caller, Action::BackupsDelete)?;
    let name = parse_name(name)?;
    app.engine.backups().delete_backup(&name).map_err(|it| restore_error(name.as_str(), it))?;
    emit_event(app, by, EventKind::BackupDeleted, &name);
    Ok(())
}

fn check_permission(caller: &Caller, action: Action) -> Result<()> {
    caller
        .check_permission("", action, &Resource::Whole(Area::Backups), &Facts::default())
        .map(|_| ())
}

/// Checks that the caller may publish: restored content may include public entries.
fn check_may_publish(caller: &Caller, workspaces: Option<&BTreeSet<WorkspaceSlug>>) -> Result<()> {
    let everywhere = || vec!["content.publish@content:*".to_string()];
    let in_some = |it: &BTreeSet<WorkspaceSlug>| {
        it.iter().map(|ws| format!("content.publish@content:*@{ws}")).collect()
    };
    let lines: Vec<String> = workspaces.map_or_else(everywhere, in_some);
    let needed: std::result::Result<Vec<Grant>, _> =
        lines.iter().map(|it| Grant::parse_line(it)).collect();
    let needed = needed.map_err(|it| Error::internal(it.to_string()))?;
    let is_covered = caller.grants().is_some_and(|it| it.check_delegation(&needed).is_ok());
    if is_covered { Ok(()) } else { Err(Error::forbidden(Action::ContentPublish, "`content:*`")) }
}

fn is_admin(caller: &Caller) -> bool {
    caller.require_login().is_ok_and(|it| it.account.record.role.as_str() == role::ADMIN)
}

/// Checks that the caller may do to users and roles what a restore does, and could have done so one
/// by one.
fn check_rights(
    app: &App,
    caller: &Caller,
    rights: &GrantedRights,
) -> std::result::Result<(), BackupError> {
    check_may_change(caller, Area::Users, &rights.users, |change| match change {
        RestoredChange::Created => Action::UsersCreate,
        RestoredChange::Updated => Action::UsersUpdate,
        RestoredChange::Deleted => Action::UsersDelete,
    })?;
    check_may_change(caller, Area::Roles, &rights.changed_roles, |change| match change {
        RestoredChange::Created => Action::RolesCreate,
        RestoredChange::Updated => Action::RolesUpdate,
        RestoredChange::Deleted => Action::RolesDelete,
    })?;
    if !covers_grants(app, caller, rights) {
        return Err(BackupError::Exceeds);
    }
    // Only whoever may create users learns which names are taken.
    if rights.user_defects.is_empty() {
        Ok(())
    } else {
        Err(BackupError::Flawed(rights.user_defects.clone()))
    }
}

fn check_may_change(
    caller: &Caller,
    area: Area,
    changes: &BTreeMap<EntryId, RestoredChange>,
    action_of: fn(RestoredChange) -> Action,
) -> std::result::Result<(), BackupError> {
    for (id, change) in changes {
        let action = action_of(*change);
        let on = match change {
            RestoredChange::Created => Resource::Whole(area),
            RestoredChange::Updated | RestoredChange::Deleted => Resource::One(area, id.as_str()),
        };
        if caller.check_permission("", action, &on, &Facts::default()).is_err() {
            return Err(BackupError::Forbidden { action, on: on.to_string() });
        }
    }
    Ok(())
}

/// Returns true if the caller's grants cover what a restore grants, and those of every user whose
/// record it replaces.
fn covers_grants(app: &App, caller: &Caller, granted: &GrantedRights) -> bool {
    let Some(own) = caller.grants() else { return false };
    let in_person = |id: &String| {
        let coming = granted.roles.get(id).filter(|_| id != role::ADMIN);
        let here = app.engine.installation().role(id).map(|it| it.permissions.clone());
        let is_covered = |it: &Vec<_>| Grants::check_impersonation(own, it).is_ok();
        coming.is_none_or(is_covered) && here.as_ref().is_none_or(is_covered)
    };
    own.check_delegation(&granted.grants).is_ok() && granted.roles_of_users.iter().all(in_person)
}

fn parse_name(name: &str) -> Result<BackupName> {
    BackupName::parse(name).map_err(|_| Error::not_found("backup", name))
}

fn restore_error(name: &str, error: BackupError) -> Error {
    let fields = |flaws: Vec<ArchiveDefect>| {
        let mut fields = FieldProblems::new();
        flaws.into_iter().for_each(|it| fields.add(it.path, it.message));
        fields
    };
    match error {
        BackupError::Missing => Error::not_found("backup", name),
        BackupError::Flawed(flaws) => Error::invalid_backup(fields(flaws)),
        BackupError::NotInIt(flaws) => Error::invalid(fields(flaws)),
        BackupError::Exceeds => Error::refused(
            "Restoring this backup would grant or remove permissions that you do not have.",
        ),
        BackupError::Forbidden { action, on } => Error::forbidden(action, &format!("`{on}`")),
        BackupError::Commit(error) => error.into(),
    }
}

fn emit_event(app: &App, by: &Requester, kind: EventKind, name: &BackupName) {
    let subject = Subject::Backup { backup: name.as_str().to_string() };
    app.engine.outbox().emit_system(vec![Event::from_actor(&by.actor, kind, subject)]);
}

fn read_note(input: &mut ObjectReader<'_>) -> String {
    let note = input.text("note").unwrap_or_default();
    input.accept_checked("note", check_length(note, NOTE_CHARS_MAX));
    note.to_string()
}

fn read_parts(input: &mut ObjectReader<'_>) -> Option<BTreeSet<BackupPart>> {
    let names = input.texts("parts")?;
    let mut parts = BTreeSet::new();
    for name in &names {
        match BackupPart::parse(name) {
            Some(part) => _ = parts.insert(part),
            None => input.add_problem("parts", format!("`{name}` is not a part of a backup.")),
        }
    }
    if names.is_empty() {
        input.add_problem("parts", "Name at least one part.");
    }
    Some(parts)
}

/// Reads the parts to restore. They are required: a default could remove parts the caller did not
/// think of.
fn read_restored_parts(input: &mut ObjectReader<'_>) -> BTreeSet<BackupPart> {
    if input.value("parts").is_none() {
        input.add_problem("parts", wording::REQUIRED);
    }
    read_parts(input).unwrap_or_default()
}

fn read_workspaces(input: &mut ObjectReader<'_>) -> Option<BTreeSet<WorkspaceSlug>> {
    let names = input.texts("workspaces")?;
    let slugs = names.iter().filter_map(|it| input.accept("workspaces", WorkspaceSlug::parse(it)));
    let slugs = slugs.collect();
    if names.is_empty() {
        input.add_problem("workspaces", "Name at least one workspace.");
    }
    Some(slugs)
}
