//! The meeting of store and query: opens a data folder and keeps its snapshots current.

pub mod activity;
mod awaited;
pub mod backup;
mod bodies;
mod check;
pub mod commit;
mod errands;
pub mod feed;
pub mod health;
pub mod installation;
mod line;
mod load;
mod media;
mod media_tags;
pub mod problems;
mod read;
mod refresh;
pub mod repair;
pub mod restore;
mod schedule;
pub mod sessions;
pub mod staging;
pub mod stored;
pub mod system;
mod taken;
pub mod trashed;
pub mod webhooks;
pub mod workspace;
mod workspaces;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
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
use crate::engine::feed::Feed;
use crate::engine::installation::Installation;
use crate::engine::line::Line;
use crate::engine::load::Loader;
pub use crate::engine::media::MediaArrival;
use crate::engine::problems::Problems;
use crate::engine::sessions::Sessions;
use crate::engine::webhooks::Webhooks;
use crate::engine::workspace::Workspace;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::query::snapshot::Snapshot;
use crate::stdx::clock::Clock;
use crate::stdx::id::Ids;
use crate::stdx::time::Timestamp;
use crate::store::archive::shelf::Archives;
use crate::store::blob::Blob;
use crate::store::blob::Thumb;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::half_deleted;
use crate::store::journal;
use crate::store::known::Moment;
use crate::store::layout;
use crate::store::lock::InstanceLock;
use crate::store::lock::WriteLock;
use crate::store::media_sums::MediaSums;
use crate::store::pack::Pack;
use crate::store::spool::Spool;
use crate::store::sweep::Reconciler;
use crate::store::updates::Shelf;
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
    /// How many revisions of an entry are kept; 0 for none, negative for all.
    pub revisions_kept_max: i64,
    /// Whether that counts whatever the settings of the installation say.
    pub revisions_are_pinned: bool,
    /// What stands in for the disk of `root`, where only locks and caches lie then. For tests.
    pub disk: Option<Arc<dyn Disk>>,
}

impl Options {
    /// For reading and writing, with URLs that begin at the root.
    pub fn new(root: PathBuf, clock: Arc<dyn Clock>) -> Options {
        Options {
            root,
            base_url: String::new(),
            read_only: false,
            clock,
            revisions_kept_max: REVISIONS_KEPT_MAX,
            revisions_are_pinned: false,
            disk: None,
        }
    }
}

/// How many revisions of an entry are kept unless said otherwise.
pub const REVISIONS_KEPT_MAX: i64 = 50;

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
    /// What is known of the bytes of media files.
    sums: MediaSums,
    workspaces: ArcSwap<Workspaces>,
    installation: ArcSwap<Installation>,
    /// Whoever changes what all workspaces share has the turn.
    system: Line<()>,
    /// Files of it that other processes wrote and that were not read since.
    system_foreign: Mutex<Vec<String>>,
    sessions: Sessions,
    webhooks: Webhooks,
    problems: Problems,
    reconciler: Mutex<Reconciler>,
    watcher: Arc<Watcher>,
    /// Shared with the command line; none when nothing may be written.
    write_lock: Option<WriteLock>,
    /// The last commit of another process that was taken in.
    foreign_seen: Mutex<u64>,
    /// What was written and the reconciler has not been told yet.
    learned: Mutex<Vec<taken::Learned>>,
    /// Folders that could not be looked at when they had to be, by path.
    missed: Mutex<BTreeMap<String, layout::Folder>>,
    /// Workspaces of which not all could be listed when it had to be.
    half_loaded: Mutex<BTreeSet<WorkspaceSlug>>,
    /// Folders of revisions that may hold too many.
    overfull: Mutex<BTreeSet<String>>,
    errands: Arc<errands::Errands>,
    health: health::Health,
    feed: Feed,
    schedule: schedule::Schedule,
    ids: Ids,
    archives: Archives,
    revisions_kept_max: i64,
    revisions_are_pinned: bool,
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
        let Options { root, base_url, read_only, clock, disk, .. } = options;
        let Options { revisions_kept_max, revisions_are_pinned, .. } = options;
        let disk: Arc<dyn Disk> = match disk {
            Some(disk) => disk,
            None => {
                let open = StoreError::io("open", root.display().to_string());
                Arc::new(OsDisk::open(&root).map_err(open)?)
            }
        };
        let lock = if read_only { None } else { Some(InstanceLock::take(&root)?) };
        let write_lock = if read_only { None } else { Some(WriteLock::open(&root)?) };
        let mut foreign_seen = 0;
        if let Some(lock) = &write_lock {
            let mut turn = lock.take()?;
            // All of it is about to be read.
            let _ = turn.foreign(&mut foreign_seen);
            recover(&*disk, clock.now())?;
        }
        let pack = (!read_only).then(|| Arc::new(Pack::open(&root.join(layout::BODIES))));
        // Watching begins before listing, so that nothing falls in between.
        let watcher = Arc::new(Watcher::start(&root));
        let now = clock.now();
        let sums = MediaSums::open(&root.join(layout::MEDIA_SUMS), read_only);
        let (pack_now, base) = (pack.as_deref(), &base_url);
        let loader = Loader { disk: &*disk, pack: pack_now, sums: &sums, base_url: base, now };
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
            sums,
            workspaces: ArcSwap::from_pointee(workspaces),
            installation: ArcSwap::from_pointee(loaded.installation),
            system: Line::new(),
            system_foreign: Mutex::default(),
            sessions: Sessions::open(disk.clone(), read_only, now),
            webhooks: Webhooks::new(disk.clone()),
            problems,
            reconciler: Mutex::new(Reconciler::new(
                loaded.known,
                Box::new(move |folder| watch.watch(folder)),
            )),
            watcher,
            outage: AtomicBool::new(false),
            watching: AtomicBool::new(false),
            version: AtomicU64::new(version),
            write_lock,
            foreign_seen: Mutex::new(foreign_seen),
            learned: Mutex::default(),
            missed: Mutex::default(),
            half_loaded: Mutex::default(),
            overfull: Mutex::default(),
            errands: Arc::default(),
            health: health::Health::default(),
            feed: Feed::default(),
            schedule: schedule::Schedule::default(),
            ids: Ids::new(),
            archives: Archives::default(),
            revisions_kept_max,
            revisions_are_pinned,
            disk,
            _lock: lock,
        };
        engine.check_default();
        engine.make_trash_folders();
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

    fn follow_until_closed(self: &Arc<Self>) {
        let engine = self.clone();
        let tagging = thread::Builder::new()
            .name("tag-media".to_string())
            .spawn(move || engine.tag_media_until_closed());
        self.follow_folder();
        self.sums.close();
        match tagging.map(thread::JoinHandle::join) {
            Ok(Ok(())) => {}
            Ok(Err(_)) => tracing::error!("the thread that reads media files panicked"),
            Err(error) => tracing::error!(%error, "media files are not read: no thread"),
        }
        self.watching.store(false, Relaxed);
    }

    fn follow_folder(&self) {
        // What happened between loading and watching.
        let mut dirty = DirtySet::everything();
        loop {
            let wake = self.refresh(&dirty);
            self.flush_bodies();
            self.prune_revisions();
            self.write_uses_down();
            self.sessions.flush(self.clock.now());
            match self.watcher.wait(wake) {
                Some(next) => dirty = next,
                None => break,
            }
        }
        // The end may come before the first wait is over.
        self.errands.finish();
        self.flush_bodies();
        self.write_uses_down();
        self.sessions.flush(self.clock.now());
    }

    /// Looks at the whole folder at once.
    pub fn sweep(&self) {
        self.watcher.sweep_now();
    }

    /// Stops following the folder.
    pub fn close(&self) {
        self.schedule.close();
        self.sums.close();
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
                workspace.go_live(self);
                Some(workspace.current())
            }
            _ => Some(snapshot),
        }
    }

    /// All workspaces, archived ones too.
    pub fn workspaces(&self) -> Arc<Workspaces> {
        self.workspaces.load_full()
    }

    /// How many changes wait for their turn, in all workspaces.
    pub fn n_writes_waiting(&self) -> usize {
        self.workspaces().values().map(|it| it.line.len()).sum()
    }

    /// What all workspaces share, kept for as long as it is needed.
    pub fn installation_now(&self) -> Arc<Installation> {
        self.installation.load_full()
    }

    /// What all workspaces share.
    pub fn installation(&self) -> arc_swap::Guard<Arc<Installation>> {
        self.installation.load()
    }

    /// Who is logged in.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// What happened lately.
    pub fn feed(&self) -> &Feed {
        &self.feed
    }

    /// An id that nobody has, after all that were given before.
    pub fn new_id(&self) -> EntryId {
        let ms = u64::try_from(Moment::now().wall_ns / 1_000_000).unwrap_or_default();
        EntryId::parse(&self.ids.fresh(ms)).expect("16 characters of base32 are an id")
    }

    // A list of names, whole at any time.
    fn system_foreign(&self) -> MutexGuard<'_, Vec<String>> {
        self.system_foreign.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn foreign_seen(&self) -> MutexGuard<'_, u64> {
        // One number, whole at any time.
        self.foreign_seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// How many revisions of an entry are kept; 0 for none, negative for all.
    fn revisions_kept_max(&self) -> i64 {
        let saved = || self.installation().settings().max_revisions();
        let saved = if self.revisions_are_pinned { None } else { saved() };
        saved.unwrap_or(self.revisions_kept_max)
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

    /// Where new versions of the program are put down.
    pub fn update_shelf(&self) -> Shelf {
        Shelf::new(self.root.clone(), self.disk.clone(), self.read_only)
    }

    fn loader(&self) -> Loader<'_> {
        Loader {
            disk: &*self.disk,
            pack: self.pack.as_deref(),
            sums: &self.sums,
            base_url: &self.base_url,
            now: self.clock.now(),
        }
    }

    // A panic while the folder is looked at leaves at worst a look to be taken again.
    fn reconciler(&self) -> MutexGuard<'_, Reconciler> {
        self.reconciler.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Finishes what the last process left under way, before anything is read.
fn recover(disk: &dyn Disk, now: Timestamp) -> Result<(), StoreError> {
    for done in journal::recover(disk)? {
        tracing::warn!(change = done.name, "a change that was interrupted is finished");
        for path in done.left_alone {
            tracing::warn!(path, "the file was edited meanwhile and is left as it is");
        }
    }
    match half_deleted::undo(disk) {
        Ok(undone) => undone.iter().for_each(|path| {
            tracing::warn!(path, "a deletion that was interrupted is undone");
        }),
        // Two files too many are no reason not to serve the rest.
        Err(error) => tracing::warn!(%error, "whether deletions were interrupted is not known"),
    }
    disk::clear_unfinished(disk, Moment::now().wall_ns);
    activity::mend(disk, now);
    Ok(())
}
