//! The meeting of store and query: opens a data folder and keeps its snapshots current.

mod bodies;
mod check;
pub mod installation;
mod load;
mod media;
pub mod problems;
mod read;
mod refresh;
pub mod workspace;

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use arc_swap::ArcSwap;

pub use crate::engine::check::check;
use crate::engine::installation::Installation;
use crate::engine::load::Loader;
use crate::engine::problems::Problems;
use crate::engine::workspace::Workspace;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::query::doc::Doc;
use crate::query::snapshot::Snapshot;
use crate::stdx::clock::Clock;
use crate::store::blob::Blob;
use crate::store::blob::Thumb;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::lock::InstanceLock;
use crate::store::pack::Pack;
use crate::store::spool::Spool;
use crate::store::sweep::Reconciler;
use crate::store::watch::DirtySet;
use crate::store::watch::Watcher;

/// How a data folder is opened.
pub struct Options {
    /// The data folder, which exists.
    pub root: PathBuf,
    /// What absolute URLs begin with, without a slash at the end.
    pub base_url: String,
    /// Whether nothing is ever written, not even caches, and no lock is taken.
    pub read_only: bool,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// All workspaces by name.
pub type Workspaces = BTreeMap<WorkspaceSlug, Arc<Workspace>>;

/// An open data folder.
pub struct Engine {
    root: PathBuf,
    base_url: String,
    read_only: bool,
    clock: Arc<dyn Clock>,
    disk: Arc<dyn Disk>,
    pack: Option<Arc<Pack>>,
    workspaces: ArcSwap<Workspaces>,
    installation: ArcSwap<Installation>,
    problems: Problems,
    reconciler: Mutex<Reconciler>,
    watcher: Arc<Watcher>,
    /// Whether the data folder has vanished.
    outage: AtomicBool,
    /// Whether the thread that follows the folder runs.
    watching: AtomicBool,
    /// The number of the newest snapshot of any workspace.
    version: AtomicU64,
    _lock: Option<InstanceLock>,
}

impl Engine {
    /// Opens a data folder and loads all of it. Fails when another server has it open, or when it
    /// cannot be listed; what is wrong with single files is told by [`Engine::problems`].
    pub fn open(options: Options) -> Result<Arc<Engine>, StoreError> {
        let Options { root, base_url, read_only, clock } = options;
        let disk =
            OsDisk::open(&root).map_err(StoreError::io("open", root.display().to_string()))?;
        let disk: Arc<dyn Disk> = Arc::new(disk);
        let lock = if read_only { None } else { Some(InstanceLock::take(&root)?) };
        let pack = (!read_only).then(|| Arc::new(Pack::open(&root.join(layout::BODIES))));
        // Watching begins before listing, so that nothing falls in between.
        let watcher = Arc::new(Watcher::start(&root));
        let now = clock.now();
        let loader = Loader { disk: &*disk, pack: pack.as_deref(), base_url: &base_url, now };
        let loaded = loader.load()?;
        let watch = watcher.clone();
        let version = loaded.snapshots.iter().map(|it| it.version).max().unwrap_or_default();
        let workspaces: Workspaces = loaded
            .snapshots
            .into_iter()
            .map(|it| (it.workspace.clone(), Arc::new(Workspace::new(it))))
            .collect();
        let problems = Problems::default();
        problems.set_all(loaded.problems, now);
        problems.set_names(loaded.known.problems(), now);
        let engine = Engine {
            root,
            base_url,
            read_only,
            clock,
            pack,
            workspaces: ArcSwap::from_pointee(workspaces),
            installation: ArcSwap::from_pointee(loaded.installation),
            problems,
            reconciler: Mutex::new(Reconciler::new(
                loaded.known,
                Box::new(move |folder| watch.watch(folder)),
            )),
            watcher,
            outage: AtomicBool::new(false),
            watching: AtomicBool::new(false),
            version: AtomicU64::new(version),
            disk,
            _lock: lock,
        };
        Ok(Arc::new(engine))
    }

    /// Starts to follow what happens in the folder, on a thread of its own, until
    /// [`Engine::close`].
    pub fn follow(self: &Arc<Engine>) -> std::io::Result<thread::JoinHandle<()>> {
        let engine = self.clone();
        self.watching.store(true, Relaxed);
        thread::Builder::new()
            .name("follow".to_string())
            .spawn(move || engine.follow_until_closed())
    }

    fn follow_until_closed(&self) {
        // What happened between loading and watching.
        let mut dirty = DirtySet::everything();
        loop {
            let wake = self.refresh(&dirty);
            self.flush_bodies();
            match self.watcher.wait(wake) {
                Some(next) => dirty = next,
                None => break,
            }
        }
        // The end may come before the first wait is over.
        self.flush_bodies();
        self.watching.store(false, Relaxed);
    }

    /// Looks at the whole folder at once.
    pub fn sweep(&self) {
        self.watcher.sweep_now();
    }

    /// Stops following the folder.
    pub fn close(&self) {
        self.watcher.stop();
    }

    /// The workspace of this name, archived or not.
    pub fn workspace(&self, slug: &str) -> Option<Arc<Workspace>> {
        self.workspaces.load().get(slug).cloned()
    }

    /// The current snapshot of a workspace: everything whose time has come is public in it.
    pub fn snapshot(&self, slug: &str) -> Option<Arc<Snapshot>> {
        let workspaces = self.workspaces.load();
        let workspace = workspaces.get(slug)?;
        let snapshot = workspace.current();
        let now = self.clock.now();
        match snapshot.next_due() {
            Some(due) if due <= now => {
                let reread = |snapshot: &Snapshot, doc: &Doc| self.reread(snapshot, doc, now);
                workspace.go_live(now, self.next_version(), reread);
                Some(workspace.current())
            }
            _ => Some(snapshot),
        }
    }

    /// All workspaces, archived ones too.
    pub fn workspaces(&self) -> Arc<Workspaces> {
        self.workspaces.load_full()
    }

    /// What all workspaces share.
    pub fn installation(&self) -> arc_swap::Guard<Arc<Installation>> {
        self.installation.load()
    }

    /// What is wrong in the folder.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// The time.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// What absolute URLs begin with.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The data folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether nothing is ever written.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether the folder is there and followed.
    pub fn is_following(&self) -> bool {
        self.watching.load(Relaxed) && !self.outage.load(Relaxed)
    }

    /// Whether the folder has vanished.
    pub fn is_outage(&self) -> bool {
        self.outage.load(Relaxed)
    }

    /// Why the folder is looked at every two seconds instead of told about, if it is.
    pub fn polling(&self) -> Option<String> {
        self.watcher.polling()
    }

    /// Opens a media file.
    pub fn open_media(&self, ws: &WorkspaceSlug, name: &Filename) -> Result<Blob, ReadError> {
        Blob::open(&*self.disk, ws, name)
    }

    /// Opens the cached thumbnail of a media file as it was at the blob's stat.
    pub fn open_thumb(&self, thumb: &Thumb) -> Option<Blob> {
        Blob::open_thumb(&*self.disk, thumb)
    }

    /// Keeps a thumbnail. Without effect when nothing may be written.
    pub fn place_thumb(&self, thumb: &Thumb, bytes: &[u8]) -> Result<(), StoreError> {
        if self.read_only { Ok(()) } else { thumb.place(&*self.disk, bytes) }
    }

    /// A file for an upload that comes in. Fails when nothing may be written.
    pub fn spool(&self) -> Result<Spool, StoreError> {
        if self.read_only {
            let refused = std::io::ErrorKind::ReadOnlyFilesystem.into();
            return Err(StoreError::io("write", layout::TMP)(refused));
        }
        Spool::create(self.disk.clone())
    }

    fn loader(&self) -> Loader<'_> {
        Loader {
            disk: &*self.disk,
            pack: self.pack.as_deref(),
            base_url: &self.base_url,
            now: self.clock.now(),
        }
    }

    // A panic while the folder is looked at leaves at worst a look to be taken again.
    fn reconciler(&self) -> MutexGuard<'_, Reconciler> {
        self.reconciler.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
