//! The open data folder: disk, clock, pack of bodies, problems and locks.

pub(crate) mod background;
pub mod content_files;
pub(crate) mod disk_health;
pub(crate) mod file_state;
pub mod inventories;
pub(crate) mod last_good;
pub(crate) mod locks;
pub mod options;
pub(crate) mod own_write;
pub mod problems;
pub(crate) mod rendered;
pub mod uploads;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::MutexGuard;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::engine::error::CommitError;
use crate::engine::error::WriteRefusal;
use crate::engine::folder::background::BackgroundQueue;
use crate::engine::folder::disk_health::DiskHealth;
use crate::engine::folder::options::EngineOptions;
use crate::engine::folder::own_write::OwnWrite;
use crate::engine::folder::problems::ProblemRegistry;
use crate::engine::folder::rendered::RenderedEntries;
use crate::engine::folder::rendered::unpack_segment;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::clock::Clock;
use crate::stdx::id::IdGenerator;
use crate::stdx::sync::Mutex;
use crate::store::cluster::ReplicaDisk;
use crate::store::cluster::replica::Replica;
use crate::store::cluster::replica_state;
use crate::store::data_folder::DataFolder;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::layout::Folder;
use crate::store::lock::InstanceLock;
use crate::store::lock::WriteLock;
use crate::store::read::body_pack::BodyPack;
use crate::store::read::inventory_files::InventoryFiles;
use crate::store::read::media_sketches::MediaSketches;
use crate::store::read::media_sums::MediaSums;
use crate::store::read::moment::Moment;
use crate::store::read::removed_bodies::RemovedBodies;
use crate::store::read::rendered_pack::RenderedPacks;
use crate::store::read::variant_cache::VariantCache;
use crate::store::read::watch::Watcher;
use crate::store::write::half_deleted;
use crate::store::write::journal;

/// The time for which an unfinished file that nobody touches is left alone at start. Commands
/// beside a server take far less.
const GRACE_AT_START: Duration = Duration::from_secs(60);

/// The time after which an unfinished file that nobody touches is in nobody's hands, be it this
/// server's or those of a command beside it.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The open data folder: the one part that all others stand on.
pub struct OpenFolder {
    pub(crate) places: DataFolder,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) base_url: String,
    pub(crate) read_only: bool,
    /// The last good bodies of files; none when only the files themselves count.
    pub(crate) pack: Option<Arc<BodyPack>>,
    /// True if what was removed from the pack is to be overwritten.
    erases_bodies: Arc<AtomicBool>,
    /// The bodies of deleted files.
    removed_bodies: Arc<RemovedBodies>,
    /// Entries as they were rendered, for the next start; none when nothing may be written.
    pub(crate) rendered: Option<Arc<RenderedEntries>>,
    /// Inventories of readers.
    pub(crate) inventories: InventoryFiles,
    /// The sums of the bytes of media files.
    pub(crate) sums: MediaSums,
    /// The sketches of pictures.
    pub(crate) sketches: MediaSketches,
    /// The variants of pictures.
    pub(crate) variants: VariantCache,
    pub(crate) problems: ProblemRegistry,
    /// Tells which folders have to be looked at again.
    pub(crate) watcher: Arc<Watcher>,
    /// Background work on files.
    pub(crate) errands: Arc<BackgroundQueue>,
    /// Copies of files that are sent often, being made and closed.
    pub(crate) copying: Arc<BackgroundQueue>,
    /// The copy of the database, if several servers share the content.
    pub(crate) replica: Option<Arc<Replica>>,
    /// Shared with the command line; none when nothing may be written.
    pub(crate) write_lock: Option<WriteLock>,
    /// The last commit of another process that was taken in.
    foreign_seen: Mutex<u64>,
    /// The right to serve the folder; none when nothing may be written.
    pub(crate) lock: Mutex<Option<InstanceLock>>,
    /// Files that were written here and of which the reconciler does not know yet.
    pub(crate) own_writes: Mutex<Vec<OwnWrite>>,
    /// Folders that could not be looked at when they had to be, by path.
    pub(crate) missed: Mutex<BTreeMap<String, Folder>>,
    /// True while the data folder has vanished.
    pub(crate) outage: AtomicBool,
    health: DiskHealth,
    ids: IdGenerator,
}

impl OpenFolder {
    /// Opens the folder and finishes what the last process left under way, the activity log with
    /// `repair_log`. Nothing is loaded yet, but watching has begun, so that nothing is missed in
    /// between. Fails when another server has the folder.
    pub(crate) fn open(
        options: &EngineOptions,
        repair_log: &dyn Fn(&dyn Disk),
    ) -> Result<OpenFolder, StoreError> {
        let read_only = options.read_only;
        let places = DataFolder::with_state(options.root.clone(), options.state_dir.clone());
        if options.disk.is_none() {
            // Locks would make a folder that is not there, and files in a place that is refused.
            let open = StoreError::io("open", places.root().display().to_string());
            OsDisk::open(places.root()).map_err(open)?;
        }
        let (lock, mut write_lock) = acquire_locks(&places, read_only, options.lock_wait)?;
        let rendered = (!read_only).then(|| open_rendered(&places));
        let (disk, replica) = open_files(options, &places)?;
        if let (Some(lock), Some(replica)) = (&mut write_lock, &replica) {
            lock.set_replica(replica.clone());
        }
        let mut foreign_seen = 0;
        if let Some(lock) = &write_lock {
            let mut turn = lock.acquire_turn()?;
            // All of it is about to be read.
            let _ = turn.find_foreign(&mut foreign_seen);
            finish_interrupted(&*disk)?;
            repair_log(&*disk);
        }
        let pack = options.serves_last_good.then(|| Arc::new(open_pack(&places, read_only)));
        let inventories = InventoryFiles::new(places.resolve_path(layout::INVENTORIES), read_only);
        let watcher = start_watcher(&places, replica.is_some());
        let sums = MediaSums::open(&places.resolve_path(layout::MEDIA_SUMS), read_only);
        let sketches = MediaSketches::open(&places.resolve_path(layout::MEDIA_SKETCHES), read_only);
        Ok(OpenFolder {
            places,
            disk,
            clock: options.clock.clone(),
            base_url: options.base_url.clone(),
            read_only,
            pack,
            erases_bodies: Arc::default(),
            removed_bodies: Arc::default(),
            rendered,
            inventories,
            sums,
            sketches,
            variants: VariantCache::default(),
            problems: ProblemRegistry::default(),
            watcher,
            errands: Arc::default(),
            copying: Arc::default(),
            replica,
            write_lock,
            foreign_seen: Mutex::new(foreign_seen),
            lock: Mutex::new(lock),
            own_writes: Mutex::default(),
            missed: Mutex::default(),
            outage: AtomicBool::new(false),
            health: DiskHealth::default(),
            ids: IdGenerator::new(),
        })
    }

    /// The data folder.
    pub fn root(&self) -> &Path {
        self.places.root()
    }

    /// Returns an id that nobody has, after all that were given before.
    pub fn new_id(&self) -> EntryId {
        let ms = u64::try_from(Moment::now().wall_ns / 1_000_000).unwrap_or_default();
        EntryId::parse(&self.ids.generate_id(ms)).expect("16 characters of base32 are an id")
    }

    /// Returns the copy of the database, if several servers share the content.
    pub fn replica(&self) -> Option<&Arc<Replica>> {
        self.replica.as_ref()
    }

    /// Returns true if this server does the work that only one of several does.
    pub fn is_leader(&self) -> bool {
        self.replica.as_ref().is_none_or(|it| it.is_leader())
    }

    /// Returns true if the folder has vanished.
    pub fn is_outage(&self) -> bool {
        self.outage.load(Relaxed)
    }

    /// Returns the reason for which the folder is looked at every two seconds, if the system sends
    /// no events.
    pub fn polling_reason(&self) -> Option<String> {
        self.watcher.polling_reason()
    }

    /// Has the whole folder looked at, at once.
    pub fn request_sweep(&self) {
        self.watcher.sweep_now();
    }

    /// Says that the content is loaded. What of it is not on the disk yet is packed for the next
    /// start when it is written.
    pub(crate) fn finish_loading(&self) -> Result<(), StoreError> {
        let Some(replica) = &self.replica else { return Ok(()) };
        let (pack, rendered) = (self.pack.clone(), self.rendered.clone());
        replica.finish_loading(move |path, stat, sum| {
            if let Some(pack) = &pack {
                pack.place_body(path, stat, sum);
            }
            if let Some(rendered) = &rendered {
                rendered.place_entry(path, *stat, sum);
            }
        })
    }

    /// Writes the rendered packs that the next start needs, in the background.
    pub(crate) fn write_planned_packs(&self) {
        if self.replica.as_ref().is_some_and(|it| it.is_writing_pending_files()) {
            return;
        }
        if let Some(rendered) = &self.rendered {
            rendered.write_planned(&self.disk, self.pack.clone(), &self.errands);
        }
    }

    /// Erases an entry that is deleted for good from all packs, soon. It may be one that is
    /// restored; then the next start reads its file.
    pub(crate) fn erase_packed_entry(&self, ws: &WorkspaceSlug, of: &TypeName, id: &EntryId) {
        if let Some(rendered) = &self.rendered {
            rendered.erase_entry([ws.to_string(), of.to_string()], id.as_str(), &self.errands);
        }
        self.erase_packed_bodies();
    }

    /// The same for all entries of a type.
    pub(crate) fn erase_packed_type(&self, ws: &WorkspaceSlug, of: &TypeName) {
        if let Some(rendered) = &self.rendered {
            rendered.erase_type([ws.to_string(), of.to_string()], &self.errands);
        }
        self.erase_packed_bodies();
    }

    fn erase_packed_bodies(&self) {
        let Some(pack) = self.pack.clone() else { return };
        // One look at the pack is for all that was deleted by then.
        if !self.erases_bodies.swap(true, Relaxed) {
            let planned = self.erases_bodies.clone();
            self.errands.enqueue(move || {
                planned.store(false, Relaxed);
                pack.erase_garbage();
            });
        }
    }

    /// Refuses all writes until [`OpenFolder::verify_disk`] has succeeded.
    pub(crate) fn suspend_writes(&self, error: &StoreError) -> CommitError {
        self.health.suspend(error)
    }

    /// Returns true if writes are refused since the disk failed.
    pub fn is_write_suspended(&self) -> bool {
        self.health.is_suspended()
    }

    /// Returns the failure of the disk since which writes are refused, if they are.
    pub(crate) fn write_suspension(&self) -> Option<String> {
        self.health.suspension()
    }

    /// Returns true if the disk takes what is written, as of a few seconds ago at most.
    pub fn is_writable(&self) -> bool {
        let is_cut_off = self.replica.as_ref().is_some_and(|it| !it.is_reachable());
        let refused = self.read_only || self.is_outage() || self.is_write_suspended();
        !refused && !is_cut_off && self.health.probe(&*self.disk)
    }

    /// Removes unfinished files that killed processes left behind. At start it was too soon for
    /// those of a server that was killed just before. Nobody writes meanwhile: what a write has
    /// just replaced lies there, too, and may be old. So may what a copy of a database is about to
    /// place, without a turn: it clears them at its start alone.
    pub fn clear_abandoned_files(&self) {
        let is_refused = self.read_only || self.is_outage() || self.is_write_suspended();
        if is_refused || self.replica.is_some() {
            return;
        }
        // Without a turn there is another time.
        if let Some(Ok(_turn)) = self.write_lock.as_ref().map(WriteLock::acquire_turn) {
            disk::clear_unfinished(&*self.disk, Moment::now().wall_ns, ABANDONED_AFTER);
        }
    }

    /// Returns the number of bytes that can still be written, if that is known.
    pub fn free_bytes(&self) -> Option<u64> {
        self.disk.free_bytes().ok()
    }

    /// Tries a disk that failed, when it is time to. Does nothing while the disk works.
    pub(crate) fn verify_disk(&self) -> Result<(), WriteRefusal> {
        if self.health.verify(&*self.disk, self.write_lock.as_ref())? {
            // What it kept of the last changes is looked at.
            self.watcher.sweep_now();
        }
        Ok(())
    }

    pub(crate) fn foreign_position(&self) -> MutexGuard<'_, u64> {
        self.foreign_seen.lock()
    }
}

/// Opens the last good bodies. A server may be writing them while they are only read.
fn open_pack(places: &DataFolder, read_only: bool) -> BodyPack {
    let open = if read_only { BodyPack::open_to_read } else { BodyPack::open };
    open(&places.resolve_path(layout::BODIES))
}

/// Opens the rendered packs, and begins to read them: they are wanted soon.
fn open_rendered(places: &DataFolder) -> Arc<RenderedEntries> {
    let packs = RenderedPacks::new(places.resolve_path(layout::RENDERED), unpack_segment);
    packs.begin_read_ahead();
    Arc::new(RenderedEntries::new(packs))
}

/// Starts to watch the folder. What happens to a replica is told by the database.
fn start_watcher(places: &DataFolder, is_replica: bool) -> Arc<Watcher> {
    let start = if is_replica { Watcher::start_silent } else { Watcher::start };
    Arc::new(start(places))
}

/// The replica of a database, if there is one.
type SharedReplica = Option<Arc<Replica>>;

/// Opens the disk to work with, and the replica of the database if there is one.
fn open_files(
    options: &EngineOptions,
    places: &DataFolder,
) -> Result<(Arc<dyn Disk>, SharedReplica), StoreError> {
    let files: Arc<dyn Disk> = match &options.disk {
        Some(disk) => disk.clone(),
        None => Arc::new(OsDisk::open_places(places)?),
    };
    let Some(database) = &options.database else {
        if !options.read_only {
            replica_state::expect_no_replica(places)?;
        }
        return Ok((files, None));
    };
    let open = if options.read_only { Replica::open } else { Replica::open_to_load };
    let replica = Arc::new(open(database.clone(), files.clone(), places)?);
    replica.try_lead();
    Ok((Arc::new(ReplicaDisk::new(files, replica.clone())), Some(replica)))
}

/// Takes the right to serve the folder and opens the lock of those who write.
fn acquire_locks(
    places: &DataFolder,
    read_only: bool,
    wait: Duration,
) -> Result<(Option<InstanceLock>, Option<WriteLock>), StoreError> {
    if read_only {
        places.check_present()?;
        return Ok((None, None));
    }
    places.check_places()?;
    let lock = InstanceLock::acquire_within(places, wait)?;
    let write_lock = WriteLock::open_kept(places.root())?;
    places.claim_folders()?;
    Ok((Some(lock), Some(write_lock)))
}

/// Finishes what the last process left under way, before anything is read.
fn finish_interrupted(disk: &dyn Disk) -> Result<(), StoreError> {
    for done in journal::recover_changes(disk)? {
        tracing::warn!(change = done.name, "a change that was interrupted is finished");
        for path in done.left_alone {
            tracing::warn!(path, "the file was edited meanwhile and is left as it is");
        }
    }
    match half_deleted::undo_half_deletions(disk) {
        Ok(undone) => undone.iter().for_each(|path| {
            tracing::warn!(path, "a deletion that was interrupted is undone");
        }),
        // Two files too many are no reason not to serve the rest.
        Err(error) => tracing::warn!(%error, "cannot check for interrupted deletions"),
    }
    disk::clear_unfinished(disk, Moment::now().wall_ns, GRACE_AT_START);
    Ok(())
}
