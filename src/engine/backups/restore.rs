//! Puts a backup back: all of it or nothing.
//!
//! Everything in the archive is read and judged, and what is needed of it waits below the journal,
//! durable, before anybody has to stand still. Then whoever writes waits while what is there is
//! listed, what it was is packed into a backup of its own, and the journal makes the one the other;
//! a crash before its intent is written leaves the old, one after it the new.

use std::sync::Arc;

use crate::engine::backups::Backups;
use crate::engine::backups::entry_cleaner::EntryCleaner;
use crate::engine::backups::file_check::check_file;
use crate::engine::backups::packing_order;
use crate::engine::backups::request::BackupError;
use crate::engine::backups::restore_job::RestoreJob;
use crate::engine::backups::restore_request::RestoreReport;
use crate::engine::backups::restore_request::RestoreRequest;
use crate::engine::backups::restore_request::RightsCheck;
use crate::engine::error::CommitError;
use crate::engine::workspaces::workspace::Workspace;
use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupManifest;
use crate::model::backup::BackupName;
use crate::store::archive::BackupSelection;
use crate::store::archive::folder;
use crate::store::archive::survey::BackupScope;
use crate::store::archive::survey::SurveyedFile;
use crate::store::archive::writer::ArchiveWriter;
use crate::store::archive::writer::Progress;
use crate::store::read::watch::DirtySet;
use crate::store::write::journal;

impl Backups {
    /// Restores a backup. `check` decides if whoever asks may change users, roles and rights as it
    /// would.
    pub fn restore_backup(
        &self,
        name: &BackupName,
        order: &RestoreRequest,
        check: RightsCheck<'_>,
    ) -> Result<RestoreReport, BackupError> {
        self.records.check_writable().map_err(CommitError::from)?;
        let (mut opened, stat) =
            folder::open_archive(&*self.folder.disk, name)?.ok_or(BackupError::Missing)?;
        opened.verify_files(&check_file)?;
        self.archives.record_verified(&*self.folder.disk, name, stat, true);
        let selection = select_parts(opened.manifest(), order)?;
        let workspaces = self.workspaces.workspaces();
        let cleaner = EntryCleaner::from_order(order, &mut opened, &selection, &workspaces)?;
        let mut work =
            RestoreJob::new(&self.folder, &self.records, opened, order, selection, cleaner);
        if order.dry_run {
            return work.dry_run(check);
        }
        work.stage_files()?;
        let restored = self.run_restore(name, work, check)?;
        // New workspaces, and what all of them share.
        self.follower.refresh(&DirtySet::everything());
        Ok(restored)
    }

    /// The part for which writers wait.
    fn run_restore(
        &self,
        name: &BackupName,
        work: RestoreJob<'_>,
        check: RightsCheck<'_>,
    ) -> Result<RestoreReport, BackupError> {
        let wanted = work.safety_backup(name);
        let mut packing = ArchiveWriter::create(
            self.folder.disk.clone(),
            packing_order(&wanted, self.folder.clock.now(), &ignore_progress),
        )?;
        let scopes = packing.list_scopes()?;
        for scope in &scopes {
            packing.catch_up(scope)?;
        }
        let workspaces: Vec<Arc<Workspace>> = self
            .workspaces
            .workspaces()
            .values()
            .filter(|it| work.selection.workspaces.as_ref().is_some_and(|on| on.contains(&it.slug)))
            .cloned()
            .collect();
        let mut parts = Some((packing, work));
        let mut carry_out = || {
            let (packing, work) = parts.take().ok_or(CommitError::Stale)?;
            self.restore_locked(&workspaces, &scopes, packing, work, check)
        };
        with_turns(&workspaces, &mut || self.records.turn.run_exclusive(&mut carry_out))
    }

    /// Packs what is there, and makes what is in the archive of it. For whoever has the turns of
    /// these workspaces and of the installation.
    fn restore_locked(
        &self,
        workspaces: &[Arc<Workspace>],
        scopes: &[BackupScope],
        mut packing: ArchiveWriter<'_>,
        mut work: RestoreJob<'_>,
        check: RightsCheck<'_>,
    ) -> Result<RestoreReport, BackupError> {
        let lock = self.folder.write_lock.as_ref().ok_or(CommitError::ReadOnly)?;
        let turn = lock.acquire_turn()?;
        for workspace in workspaces {
            self.follower
                .check_workspace_writable(workspace, &*self.folder.disk)
                .map_err(CommitError::from)?;
        }
        for scope in scopes {
            packing.catch_up_locked(scope)?;
        }
        work.plan_changes()?;
        check(&work.handed)?;
        if work.is_idle() {
            return Ok(work.done);
        }
        if !packing.is_empty() {
            let packed = packing.finish()?;
            let wish = BackupName::from_time(self.folder.clock.now(), Some("before-restore"));
            let name = folder::publish_backup(&*self.folder.disk, &packed.path, &wish)?;
            work.done.safety = Some(name);
        }
        let carried_out = work.commit_changes();
        // In doubt of the disk others ask for the lock.
        drop(turn);
        if let Err(BackupError::Commit(CommitError::Store(error))) = &carried_out
            && journal::is_under_way(&*self.folder.disk).unwrap_or(true)
        {
            return Err(self.folder.suspend_writes(error).into());
        }
        workspaces.iter().for_each(|it| self.follower.reload_workspace(it, &work.touched));
        self.reload_restored_system(&work.touched);
        carried_out.map(|()| work.done)
    }

    /// Serves what all workspaces share as it is in the folder now. For whoever has its turn.
    fn reload_restored_system(&self, touched: &[SurveyedFile]) {
        let system = || touched.iter().filter(|it| it.key.workspace().is_none());
        system().for_each(|it| self.records.adopt_system_file(it.key.clone().into()));
        self.folder.record_removals(system());
    }
}

fn ignore_progress(_: Progress) {}

/// Does something while nobody else has the turn of any of these.
fn with_turns<T>(workspaces: &[Arc<Workspace>], work: &mut dyn FnMut() -> T) -> T {
    match workspaces.split_first() {
        None => work(),
        Some((first, rest)) => first.line.run_exclusive(|| with_turns(rest, work)),
    }
}

/// Selects the parts of the archive to restore. Fails with a defect for each part that was asked
/// for and is not there.
fn select_parts(
    manifest: &BackupManifest,
    order: &RestoreRequest,
) -> Result<BackupSelection, BackupError> {
    let mut flaws = Vec::new();
    for part in order.parts.difference(&manifest.parts) {
        let message = format!("There are no {} in this backup.", part.as_str());
        flaws.push(ArchiveDefect::new("parts", message));
    }
    let there = manifest.workspace_slugs();
    let workspaces = match &order.workspaces {
        Some(some) => {
            for ws in some.difference(&there) {
                let message = format!("There is no workspace `{ws}` in this backup.");
                flaws.push(ArchiveDefect::new("workspaces", message));
            }
            some.clone()
        }
        None => there,
    };
    if !flaws.is_empty() {
        return Err(BackupError::NotInIt(flaws));
    }
    let of_installation = order.workspaces.is_none() && !manifest.some_workspaces;
    Ok(BackupSelection {
        parts: order.parts.clone(),
        workspaces: Some(workspaces),
        of_installation,
    })
}
