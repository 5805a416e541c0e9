//! All workspaces by name, and the publication of their next snapshots.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use arc_swap::ArcSwap;

use crate::engine::apply;
use crate::engine::apply::effects::Effects;
use crate::engine::apply::file_source::ApplyContext;
use crate::engine::error::WriteRefusal;
use crate::engine::folder::OpenFolder;
use crate::engine::folder::content_files;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::EntryReader;
use crate::engine::parse::workspace_files;
use crate::engine::parse::workspace_files::missing_default_problem;
use crate::engine::records::Records;
use crate::engine::workspaces::schedule::Schedule;
use crate::engine::workspaces::workspace::Workspace;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::sync::RwLock;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::layout::FilePath;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::lock::ForeignWrites;
use crate::store::read::load::is_absence;

/// All workspaces by name.
pub type Workspaces = BTreeMap<WorkspaceSlug, Arc<Workspace>>;

/// The workspaces that are served.
pub struct WorkspaceRegistry {
    pub(crate) folder: Arc<OpenFolder>,
    pub(crate) records: Arc<Records>,
    by_name: ArcSwap<Workspaces>,
    pub(crate) schedule: Schedule,
    /// The number of the newest snapshot of any workspace.
    version: AtomicU64,
    listeners: RwLock<Vec<PublicationListener>>,
}

/// A listener to every snapshot that is published. It is called on the thread that does it, so it
/// only passes the news on.
type PublicationListener = Box<dyn Fn() + Send + Sync>;

impl WorkspaceRegistry {
    /// The current snapshot of a workspace: everything whose time has come is public in it, and
    /// nothing that has ended.
    pub fn snapshot(&self, slug: &str) -> Option<Arc<Snapshot>> {
        let workspaces = self.by_name.load();
        let workspace = workspaces.get(slug)?;
        let snapshot = workspace.current_snapshot();
        // The clock is read only if something is scheduled.
        if snapshot.next_due().is_some_and(|due| due <= self.folder.clock.now()) {
            self.publish_due(workspace);
            return Some(workspace.current_snapshot());
        }
        Some(snapshot)
    }

    /// The number of changes that wait for their turn, in all workspaces.
    pub fn n_writes_waiting(&self) -> usize {
        self.workspaces().values().map(|it| it.line.len()).sum()
    }

    /// The workspaces with these snapshots, which were loaded at `now`.
    pub(crate) fn new(
        folder: Arc<OpenFolder>,
        records: Arc<Records>,
        snapshots: Vec<Snapshot>,
        now: Timestamp,
    ) -> WorkspaceRegistry {
        let version = snapshots.iter().map(|it| it.version).max().unwrap_or_default();
        let by_name: Workspaces = snapshots
            .into_iter()
            .map(|it| (it.workspace.clone(), Arc::new(Workspace::new(it))))
            .collect();
        WorkspaceRegistry {
            folder,
            records,
            by_name: ArcSwap::from_pointee(by_name),
            schedule: Schedule::new(now),
            version: AtomicU64::new(version),
            listeners: RwLock::default(),
        }
    }

    /// The workspace of this name, archived or not.
    pub fn workspace(&self, slug: &str) -> Option<Arc<Workspace>> {
        self.by_name.load().get(slug).cloned()
    }

    /// All workspaces, archived ones too.
    pub fn workspaces(&self) -> Arc<Workspaces> {
        self.by_name.load_full()
    }

    /// Serves these workspaces and no others.
    pub(crate) fn replace_all(&self, next: Workspaces) {
        self.by_name.store(Arc::new(next));
        self.tell_listeners();
    }

    /// Has `listener` called from now on whenever another snapshot is served, or none any more.
    pub fn add_listener(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.listeners.write().push(Box::new(listener));
    }

    fn tell_listeners(&self) {
        self.listeners.read().iter().for_each(|it| it());
    }

    /// The number of the next snapshot.
    pub(crate) fn next_version(&self) -> u64 {
        self.version.fetch_add(1, Relaxed) + 1
    }

    /// Publishes the next snapshot of a workspace, made by whoever has its turn, and returns it.
    /// Entries whose time came meanwhile are public in it as well, and none that has ended.
    pub(crate) fn publish(&self, workspace: &Workspace, next: Arc<Snapshot>) -> Arc<Snapshot> {
        let _writer = workspace.lock_publication();
        let current = workspace.current_snapshot();
        let next = self.due_snapshot(&next, Some(&current)).map_or(next, Arc::new);
        let moved = next.next_due() != current.next_due() || !next.has_same_plans(&current);
        workspace.store_snapshot(next.clone());
        self.schedule.snapshot_changed(moved, next.latest_passed());
        self.tell_listeners();
        next
    }

    /// Publishes a snapshot in which everything is public whose time has come, and nothing that has
    /// ended.
    pub(crate) fn publish_due(&self, workspace: &Workspace) {
        let _writer = workspace.lock_publication();
        if let Some(next) = self.due_snapshot(&workspace.current_snapshot(), None) {
            workspace.store_snapshot(Arc::new(next));
            self.tell_listeners();
        }
    }

    /// The snapshot in which everything has happened whose time has come, if anything has. What did
    /// so in `current` has its event already.
    fn due_snapshot(&self, snapshot: &Snapshot, current: Option<&Snapshot>) -> Option<Snapshot> {
        let now = self.folder.clock.now();
        snapshot.next_due().filter(|it| *it <= now)?;
        let (next, effects) = self.advance(snapshot, current, now)?;
        self.schedule.add_events(&snapshot.workspace, effects.list_events(now), now);
        Some(next)
    }

    /// The snapshot as it will be at a moment, if everything else stays as it is. Nothing is told
    /// of it.
    pub(crate) fn look_ahead(&self, snapshot: &Snapshot, at: Timestamp) -> Option<Snapshot> {
        snapshot.next_due().filter(|it| *it <= at)?;
        Some(self.advance(snapshot, None, at)?.0)
    }

    fn advance<'s>(
        &self,
        snapshot: &'s Snapshot,
        current: Option<&Snapshot>,
        now: Timestamp,
    ) -> Option<(Snapshot, Effects<'s>)> {
        let media_base = file_parser::media_base(&self.folder.base_url, &snapshot.workspace);
        let context = ApplyContext {
            workspace: &snapshot.workspace,
            version: self.next_version(),
            now,
            media_base: &media_base,
        };
        let render = |reader: &EntryReader<'_>, id: &EntryId, path: &str| {
            self.reread_entry(snapshot, reader, id, path)
        };
        apply::advance(snapshot, current, &render, context)
    }

    /// Renders an entry anew, from its file or its last good body.
    fn reread_entry(
        &self,
        snapshot: &Snapshot,
        reader: &EntryReader<'_>,
        id: &EntryId,
        path: &str,
    ) -> Option<Arc<RenderedEntry>> {
        let render = |bytes: &[u8], stat: &Stat| {
            reader.render_entry(id, path, bytes, stat).value.map(Arc::new)
        };
        let current = match snapshot.meta.unsupported {
            None => {
                self.folder.read_body(path).ok().and_then(|(bytes, stat)| render(&bytes, &stat))
            }
            Some(_) => None,
        };
        current.or_else(|| {
            let kept = self.folder.pack.as_ref()?.get(path)?;
            render(&kept.bytes, &kept.stat)
        })
    }

    /// Serves what a workspace of an unknown format held before, and gives the reason. For whoever
    /// has its turn.
    pub(crate) fn publish_unsupported(&self, workspace: &Workspace, reason: &str) {
        let next = apply::leave_alone(&workspace.current_snapshot(), reason, self.next_version());
        self.publish(workspace, next.into());
    }

    pub(crate) fn check_folder_present(
        &self,
        workspace: &Workspace,
        disk: &dyn Disk,
    ) -> Result<(), WriteRefusal> {
        let folder = Folder::Workspace(workspace.slug.clone()).path();
        if content_files::is_folder(disk, &folder) {
            workspace.has_folder.store(true, Relaxed);
        } else if workspace.has_folder.load(Relaxed) {
            return Err(WriteRefusal::Gone(folder));
        }
        Ok(())
    }

    /// Returns true if the format in the workspace's own file is a known one, and nothing if the
    /// file has not changed since the last look.
    pub(crate) fn read_format(&self, workspace: &Workspace, disk: &dyn Disk) -> Option<bool> {
        let path = Key::Workspace(workspace.slug.clone()).path();
        let stat = disk.stat(&path).ok()?.stat;
        let mut seen = workspace.format_seen.lock();
        if *seen == Some(stat) {
            return None;
        }
        let (bytes, stat) = self.folder.read_body(&path).ok()?;
        *seen = Some(stat);
        let problems =
            workspace_files::parse_workspace_meta(&workspace.slug, &path, &bytes).problems;
        Some(workspace_files::unsupported_reason(&problems).is_none())
    }

    /// The workspace that is meant when none is named: the configured one while it is there and not
    /// archived, else `default`.
    pub fn default_workspace(&self) -> WorkspaceSlug {
        let configured = self.records.installation().settings().default_workspace();
        configured.filter(|it| self.is_active(it)).unwrap_or_else(|| {
            WorkspaceSlug::parse("default").expect("`default` is the name of a workspace")
        })
    }

    fn is_active(&self, slug: &WorkspaceSlug) -> bool {
        self.workspace(slug.as_str()).is_some_and(|it| !it.current_snapshot().meta.archived)
    }

    /// Reports a problem if the configured default workspace is missing or archived.
    pub(crate) fn report_missing_default(&self) {
        let problem = missing_default_problem(self.records.installation().settings(), |it| {
            self.is_active(it)
        });
        self.folder.problems.set_between(problem.into_iter().collect(), self.folder.clock.now());
    }

    /// The names of everything that stands where workspaces do, but for empty folders, in lower
    /// case: on some systems names that differ in case alone are one.
    pub fn list_workspace_names(&self) -> Result<BTreeSet<String>, StoreError> {
        let mut names: BTreeSet<String> =
            self.workspaces().keys().map(|it| it.to_string()).collect();
        match self.folder.disk.list(layout::WORKSPACES) {
            Ok(listing) => {
                let taken = listing.items.iter().filter(|it| !self.folder.is_empty_folder(it));
                names.extend(taken.map(|it| it.name.to_lowercase()));
            }
            Err(error) if is_absence(&error) => {}
            Err(error) => return Err(StoreError::io("list", layout::WORKSPACES)(error)),
        }
        Ok(names)
    }

    /// Makes the trash of every type that has entries: once the disk is full it cannot be made, and
    /// entries can still be deleted.
    pub(crate) fn make_trash_folders(&self) {
        for (ws, workspace) in self.workspaces().iter() {
            let snapshot = workspace.current_snapshot();
            for index in snapshot.types().iter().filter(|it| !it.is_empty()) {
                self.folder.make_trash_folder(ws, &index.content_type.name);
            }
        }
    }

    /// Queues the files that other processes wrote, so that they are read before anything is
    /// judged: those of a workspace with its turn, the rest at once.
    pub(crate) fn route_foreign_writes(&self, foreign: ForeignWrites) {
        match foreign {
            ForeignWrites::Paths(paths) => {
                for path in paths {
                    let file = FilePath::parse(&path);
                    let of = file.as_ref().and_then(|it| it.key().workspace());
                    match of.and_then(|ws| self.workspace(ws.as_str())) {
                        Some(workspace) => workspace.foreign_writes().extend(file),
                        None => {
                            self.folder.watcher.mark_path(&path);
                            self.records.system_foreign_writes().extend(file);
                        }
                    }
                }
            }
            ForeignWrites::Anything => self.folder.watcher.sweep_now(),
        }
    }
}
