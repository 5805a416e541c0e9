//! Puts a backup back: all of it or nothing.
//!
//! Everything in the archive is read and judged, and what is needed of it waits below the journal,
//! durable, before anybody has to stand still. Then whoever writes waits while what is there is
//! listed, what it was is packed into a backup of its own, and the journal makes the one the other;
//! a crash before its intent is written leaves the old, one after it the new.

mod work;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use crate::engine::Engine;
use crate::engine::backup::BackupError;
use crate::engine::backup::judge;
use crate::engine::backup::order;
use crate::engine::commit::CommitError;
use crate::engine::restore::work::Work;
use crate::engine::workspace::Workspace;
use crate::model::backup::BackupName;
use crate::model::backup::Flaw;
use crate::model::backup::Manifest;
use crate::model::backup::Part;
use crate::model::grant::Grant;
use crate::model::name::WorkspaceSlug;
use crate::store::archive::Selection;
use crate::store::archive::packing::Packing;
use crate::store::archive::packing::Progress;
use crate::store::archive::shelf;
use crate::store::archive::survey::Found;
use crate::store::journal;
use crate::store::layout::Key;
use crate::store::watch::DirtySet;

/// What is to be restored, and how.
#[derive(Clone, Debug)]
pub struct Restore {
    /// The parts to restore. They are always named: no default may remove what nobody asked about.
    pub parts: BTreeSet<Part>,
    /// Of these workspaces; of all that are in the backup when not said.
    pub workspaces: Option<BTreeSet<WorkspaceSlug>>,
    /// Whether the parts become what they are in the backup; else what is missing is added.
    pub overwrite: bool,
    /// Whether it is only told what would happen.
    pub dry_run: bool,
    /// Who asks.
    pub created_by: Option<String>,
}

/// What was restored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// How many files were written, by part.
    pub restored: BTreeMap<Part, u64>,
    /// How many were there already and stayed as they are.
    pub skipped: BTreeMap<Part, u64>,
    /// How many went because they are not in the backup.
    pub removed: BTreeMap<Part, u64>,
    /// What was not restored, and why.
    pub problems: Vec<Flaw>,
    /// The backup of what was there before.
    pub safety: Option<BackupName>,
}

/// What somebody may do after a restore, or can do no longer.
#[derive(Clone, Debug, Default)]
pub struct Handed {
    /// Grants in roles and tokens.
    pub grants: Vec<Grant>,
    /// Roles of users.
    pub roles_of_users: BTreeSet<String>,
    /// What is in roles that come or go.
    pub roles: BTreeMap<String, Vec<Grant>>,
}

/// Says whether whoever asks has all of that.
pub type Covers<'a> = &'a dyn Fn(&Handed) -> bool;

impl Engine {
    /// Restores a backup. `covers` is asked whether whoever asks may hand out what it would, when it
    /// grants anything.
    pub fn restore_backup(
        &self,
        name: &BackupName,
        order: &Restore,
        covers: Covers<'_>,
    ) -> Result<Restored, BackupError> {
        self.may_write()?;
        let (mut opened, stat) =
            shelf::look_into(&*self.disk, name)?.ok_or(BackupError::Missing)?;
        opened.verify(&judge)?;
        self.archives.verified(&*self.disk, name, stat, true);
        let selection = selected(opened.manifest(), order)?;
        let mut work = Work::new(self, opened, order, selection);
        if order.dry_run {
            return work.rehearse(covers);
        }
        work.stage()?;
        let restored = self.carried_out(name, work, covers)?;
        // New workspaces, and what all of them share.
        self.refresh(&DirtySet::everything());
        Ok(restored)
    }

    /// The part for which writers wait.
    fn carried_out(
        &self,
        name: &BackupName,
        work: Work<'_>,
        covers: Covers<'_>,
    ) -> Result<Restored, BackupError> {
        let lock = self.write_lock.as_ref().ok_or(CommitError::ReadOnly)?;
        let wanted = work.safety(name);
        let mut packing =
            Packing::begin(self.disk.clone(), order(&wanted, self.clock.now(), &unheard))?;
        let scopes = packing.scopes()?;
        for scope in &scopes {
            packing.catch_up(scope)?;
        }
        let workspaces: Vec<Arc<Workspace>> = self
            .workspaces()
            .values()
            .filter(|it| work.selection.workspaces.as_ref().is_some_and(|on| on.contains(&it.slug)))
            .cloned()
            .collect();
        let mut packing = Some(packing);
        let mut work = Some(work);
        let mut carry_out = || {
            let (Some(mut packing), Some(mut work)) = (packing.take(), work.take()) else {
                return Err(CommitError::Stale.into());
            };
            let turn = lock.take()?;
            for workspace in &workspaces {
                self.may_write_into(workspace).map_err(CommitError::from)?;
            }
            for scope in &scopes {
                packing.settle(scope)?;
            }
            work.decide()?;
            if !covers(&work.handed) {
                return Err(BackupError::Exceeds);
            }
            if work.is_idle() {
                return Ok(work.done);
            }
            if !packing.is_empty() {
                let packed = packing.finish()?;
                let wish = BackupName::of(self.clock.now(), Some("before-restore"));
                work.done.safety = Some(shelf::place(&*self.disk, &packed.path, &wish)?);
            }
            let carried_out = work.carry_out();
            // In doubt of the disk others ask for the lock.
            drop(turn);
            if let Err(BackupError::Commit(CommitError::Store(error))) = &carried_out
                && journal::is_under_way(&*self.disk).unwrap_or(true)
            {
                return Err(self.doubt(error).into());
            }
            workspaces.iter().for_each(|it| self.reload(it, &work.touched));
            self.reload_system(&work.touched);
            carried_out.map(|()| work.done)
        };
        in_turns(&workspaces, &mut || self.system.alone(&mut carry_out))
    }

    /// Serves what all workspaces share as it is in the folder now. For whoever has its turn.
    fn reload_system(&self, touched: &[Found]) {
        let system = || touched.iter().filter(|it| it.key.workspace().is_none());
        system().for_each(|it| self.take_in_system(&it.path));
        self.learn_gone(system().map(|it| it.path.as_str()));
    }

    /// Serves a workspace as it is in the folder now. For whoever has its turn.
    pub(super) fn reload(&self, workspace: &Workspace, touched: &[Found]) {
        let now = self.clock.now();
        let mine = || touched.iter().filter(|it| it.key.workspace() == Some(&workspace.slug));
        mine().for_each(|it| self.problems.set(&it.path, Vec::new(), now));
        self.learn_gone(mine().map(|it| it.path.as_str()));
        match self.loader().load_workspace(&workspace.slug, self.next_version()) {
            Ok(loaded) => {
                if !loaded.is_whole {
                    // What is served goes on being served until all of it can be read.
                    self.half_loaded().insert(workspace.slug.clone());
                    return;
                }
                let is_read = |path: &str| {
                    let key = Key::parse(path);
                    key.is_some_and(|it| {
                        it.workspace() == Some(&workspace.slug) && it.folder().is_watched()
                    })
                };
                if loaded.snapshot.meta.unsupported.is_some() {
                    self.problems.set_all(loaded.problems, now);
                } else {
                    self.problems.set_all_of(is_read, loaded.problems, now);
                }
                // Of a format that is not known nothing was read.
                match &loaded.snapshot.meta.unsupported {
                    Some(reason) => self.leave_alone(workspace, reason),
                    None => _ = workspace.publish(Arc::new(loaded.snapshot), self),
                }
                loaded.missed.into_iter().for_each(|it| self.miss(it));
            }
            Err(error) => {
                tracing::error!(%error, workspace = %workspace.slug, "cannot be read");
                self.half_loaded().insert(workspace.slug.clone());
            }
        }
    }

    /// Tries once more to serve workspaces of which not all could be listed when it had to be.
    pub(super) fn reload_half_loaded(&self) {
        let slugs = std::mem::take(&mut *self.half_loaded());
        for workspace in slugs.iter().filter_map(|it| self.workspace(it.as_str())) {
            workspace.line.alone(|| self.reload(&workspace, &[]));
        }
    }

    // A set of names, whole at any time.
    pub(super) fn half_loaded(&self) -> MutexGuard<'_, BTreeSet<WorkspaceSlug>> {
        self.half_loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unheard(_: Progress) {}

/// Does something while nobody else has the turn of any of these.
fn in_turns<T>(workspaces: &[Arc<Workspace>], work: &mut dyn FnMut() -> T) -> T {
    match workspaces.split_first() {
        None => work(),
        Some((first, rest)) => first.line.alone(|| in_turns(rest, work)),
    }
}

/// What is restored of what is in the archive; what was asked for and is not there is told.
fn selected(manifest: &Manifest, order: &Restore) -> Result<Selection, BackupError> {
    let mut flaws = Vec::new();
    for part in order.parts.difference(&manifest.parts) {
        let message = format!("There are no {} in this backup.", part.as_str());
        flaws.push(Flaw::new("parts", message));
    }
    let there = manifest.workspaces();
    let workspaces = match &order.workspaces {
        Some(some) => {
            for ws in some.difference(&there) {
                let message = format!("There is no workspace `{ws}` in this backup.");
                flaws.push(Flaw::new("workspaces", message));
            }
            some.clone()
        }
        None => there,
    };
    if !flaws.is_empty() {
        return Err(BackupError::NotInIt(flaws));
    }
    let of_installation = order.workspaces.is_none() && !manifest.some_workspaces;
    Ok(Selection { parts: order.parts.clone(), workspaces: Some(workspaces), of_installation })
}
