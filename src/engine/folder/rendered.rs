//! Entries as they were rendered, kept for the next start: what a load had to parse is written to
//! the rendered pack of its type in the background. What is deleted for good is erased there soon.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use bytes::Bytes;

use crate::engine::folder::background::BackgroundQueue;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::render::packed_entry;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;
use crate::store::disk::Disk;
use crate::store::disk::Stat;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::body_index::SyncedBodies;
use crate::store::read::body_pack::BodyPack;
use crate::store::read::load::SHARE;
use crate::store::read::rendered_pack::PackIdentity;
use crate::store::read::rendered_pack::PackSegment;
use crate::store::read::rendered_pack::RenderedPacks;

/// The disk keeps at least this many times the size of a pack free.
const FREE_TIMES_MIN: u64 = 4;

/// The rendered packs of a folder, and what is to be written to them.
pub(crate) struct RenderedEntries {
    pub(crate) packs: RenderedPacks<Vec<RenderedFile>>,
    waiting: Mutex<Vec<UnpackedType>>,
    /// Erasures that wait, by workspace and type.
    erased: Mutex<BTreeMap<[String; 2], PackErasure>>,
    /// True if the packs of types that are gone were removed.
    is_tidy: AtomicBool,
}

/// An entry with the state of the file that it was rendered from.
pub(crate) struct RenderedFile {
    pub(crate) stat: Stat,
    pub(crate) sum: Checksum,
    pub(crate) doc: Arc<RenderedEntry>,
}

/// The part of a pack that is to be erased.
enum PackErasure {
    Whole,
    Entries(BTreeSet<String>),
}

/// All entries of a type, in the order of their files.
struct UnpackedType {
    identity: PackIdentity,
    files: Vec<RenderedFile>,
}

impl RenderedEntries {
    pub(crate) fn new(packs: RenderedPacks<Vec<RenderedFile>>) -> RenderedEntries {
        RenderedEntries {
            packs,
            waiting: Mutex::default(),
            erased: Mutex::default(),
            is_tidy: AtomicBool::new(false),
        }
    }

    /// Plans to write the pack of a type anew.
    pub(crate) fn plan_pack(&self, identity: PackIdentity, files: Vec<RenderedFile>) {
        self.waiting.lock().push(UnpackedType { identity, files });
    }

    /// Notes the stat of a file that a load had before it was on the disk.
    pub(crate) fn place_entry(&self, path: &str, stat: Stat, sum: Checksum) {
        let Some(key @ Key::Entry(ws, of, _)) = &Key::parse(path) else { return };
        let (place, name) = ([ws.to_string(), of.to_string()], key.name());
        let mut waiting = self.waiting.lock();
        for ty in waiting.iter_mut().filter(|it| it.identity.place == place) {
            let by_name =
                |it: &RenderedFile| it.doc.id_bytes().iter().chain(b".json").cmp(name.as_bytes());
            if let Ok(at) = ty.files.binary_search_by(by_name)
                && let Some(file) = ty.files.get_mut(at).filter(|it| it.sum == sum)
            {
                file.stat = stat;
            }
        }
    }

    /// Writes in the background what is planned.
    pub(crate) fn write_planned(
        self: &Arc<Self>,
        disk: &Arc<dyn Disk>,
        bodies: Option<Arc<BodyPack>>,
        errands: &Arc<BackgroundQueue>,
    ) {
        // By now, everything has been loaded once.
        if !self.is_tidy.swap(true, Relaxed) || !self.waiting.lock().is_empty() {
            let (packs, disk) = (self.clone(), disk.clone());
            errands.enqueue(move || {
                packs.packs.remove_unused();
                packs.write_waiting(&*disk, bodies.as_deref());
                packs.erase_waiting();
            });
        }
    }

    /// Erases an entry in the background.
    pub(crate) fn erase_entry(
        self: &Arc<Self>,
        key: [String; 2],
        id: &str,
        errands: &Arc<BackgroundQueue>,
    ) {
        self.plan_erasure(key, errands, |part| {
            if let PackErasure::Entries(ids) = part {
                ids.insert(id.to_string());
            }
        });
    }

    /// Erases all entries of a type in the background.
    pub(crate) fn erase_type(self: &Arc<Self>, key: [String; 2], errands: &Arc<BackgroundQueue>) {
        self.plan_erasure(key, errands, |part| *part = PackErasure::Whole);
    }

    fn plan_erasure(
        self: &Arc<Self>,
        key: [String; 2],
        errands: &Arc<BackgroundQueue>,
        add: impl FnOnce(&mut PackErasure),
    ) {
        let mut erased = self.erased.lock();
        // One look at a pack is for all that was deleted by then.
        let is_first = erased.is_empty();
        add(erased.entry(key).or_insert_with(|| PackErasure::Entries(BTreeSet::new())));
        drop(erased);
        // What is loaded has to be written first. It may have what is to be erased.
        if is_first && self.is_tidy.load(Relaxed) {
            let packs = self.clone();
            errands.enqueue(move || packs.erase_waiting());
        }
    }

    fn erase_waiting(&self) {
        for (place, part) in std::mem::take(&mut *self.erased.lock()) {
            let erased = match part {
                PackErasure::Whole => self.packs.remove(&place),
                PackErasure::Entries(ids) => self
                    .packs
                    .erase_segments(&place, |it| packed_entry::has_one_of(&it.texts, &ids)),
            };
            // A pack that cannot be changed may be replaced or removed still.
            if let Err(error) = erased.or_else(|_| self.packs.remove(&place)) {
                tracing::warn!(%error, "a pack still has what was deleted for good");
            }
        }
    }

    fn write_waiting(&self, disk: &dyn Disk, bodies: Option<&BodyPack>) {
        // Not locked meanwhile: files may be put in their places.
        let waiting = std::mem::take(&mut *self.waiting.lock());
        let synced = bodies.filter(|_| !waiting.is_empty()).and_then(BodyPack::sync_bodies);
        for mut ty in waiting {
            let synced = ty.retain_packable(bodies, synced);
            let bytes: usize = ty.files.iter().map(|it| it.doc.memory_bytes()).sum();
            let free = disk.free_bytes().unwrap_or(u64::MAX);
            if ty.files.is_empty() || free / FREE_TIMES_MIN < bytes as u64 {
                continue;
            }
            let segments = ty.files.chunks(SHARE).map(make_segment);
            if let Err(error) = self.packs.write(&ty.identity, synced, segments) {
                tracing::warn!(%error, "the next start will parse all entries of a type");
            }
        }
    }
}

impl UnpackedType {
    /// Removes files that the next start would parse anyway: those that are not on the disk, and
    /// those whose last good body is not current. Returns the synced bodies if those of all others
    /// are among them.
    fn retain_packable(
        &mut self,
        bodies: Option<&BodyPack>,
        synced: Option<SyncedBodies>,
    ) -> Option<SyncedBodies> {
        self.files.retain(|it| !it.stat.is_unplaced());
        let bodies = bodies?;
        let [ws, of] = &self.identity.place;
        let place = WorkspaceSlug::parse(ws).ok().zip(TypeName::parse(of).ok());
        let folder = place.map(|(ws, of)| Folder::Entries(ws, of).path()).unwrap_or_default();
        let name = |it: &RenderedFile| format!("{}.json", it.doc.id());
        let names: Vec<String> = self.files.iter().map(name).collect();
        let files =
            || self.files.iter().zip(&names).map(|(it, name)| (&*folder, &**name, &it.stat));
        let are_synced = synced.and_then(|it| bodies.have_synced(files(), it));
        let synced = synced.filter(|_| are_synced.is_some());
        let are_current = are_synced.unwrap_or_else(|| bodies.have_current(files(), None));
        let mut are_current = are_current.into_iter();
        self.files.retain(|_| are_current.next().unwrap_or(false));
        synced
    }
}

/// Returns the entries of a segment, up to the first that cannot be one.
pub(crate) fn unpack_segment(segment: PackSegment) -> Vec<RenderedFile> {
    let PackSegment { heads, texts } = segment;
    let (mut from, mut start, texts) = (heads.as_slice(), 0, Bytes::from(texts));
    let unpack = || {
        let (stat, sum) = PackSegment::read_facts(&mut from)?;
        let doc = packed_entry::read_entry(&mut from, &texts, &mut start)?;
        Some(RenderedFile { stat, sum, doc: Arc::new(doc) })
    };
    std::iter::from_fn(unpack).collect()
}

fn make_segment(files: &[RenderedFile]) -> PackSegment {
    let mut segment = PackSegment::default();
    segment.texts.reserve_exact(files.iter().map(|it| it.doc.memory_bytes()).sum());
    for RenderedFile { stat, sum, doc } in files {
        segment.write_facts(stat, *sum);
        packed_entry::write_entry(doc, &mut segment.heads);
        doc.variants().for_each(|it| segment.texts.extend_from_slice(it.memory()));
    }
    segment
}
