//! Loading of the entries of a type. Those whose files have not changed come from the rendered
//! pack, the others are parsed.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::engine::folder::rendered::RenderedFile;
use crate::engine::load::loader::FileIdentity;
use crate::engine::load::loader::FileRead;
use crate::engine::load::loader::Loader;
use crate::engine::load::loader::entry_id;
use crate::engine::parse::file_parser::EntryReader;
use crate::engine::parse::file_parser::ReadFile;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::query::render::packed_entry;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::shared_blocks;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::time::Timestamp;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::body_index::SyncedBodies;
use crate::store::read::load::FileRef;
use crate::store::read::moment::Moment;
use crate::store::read::rendered_pack::PackIdentity;

/// The minimum number of entries of a type that has a pack. The others are parsed in no time, but
/// tests have few entries, and are to find what is wrong with packs.
const PACKED_MIN: usize = if cfg!(any(test, feature = "simulate")) { 1 } else { 256 };

/// The number of entries that are parsed before they are moved to their places.
const BATCH: usize = 8192;

/// A pack is written anew if more than one of this many entries is not in it.
const PARSED_SHARE: usize = 10;

/// The files of entries, and what was read of them.
pub(crate) struct EntryFiles {
    files: Vec<FileRef>,
    reads: Vec<Option<FileRead<Arc<RenderedEntry>>>>,
}

impl EntryFiles {
    /// Iterates over what was read.
    pub(crate) fn reads_mut(&mut self) -> impl Iterator<Item = &mut FileRead<Arc<RenderedEntry>>> {
        self.reads.iter_mut().flatten()
    }

    /// Returns the number of files.
    pub(crate) fn count(&self) -> usize {
        self.files.len()
    }

    /// Returns the files with what was read of each.
    pub(crate) fn into_pairs(
        self,
    ) -> impl Iterator<Item = (FileRef, FileRead<Arc<RenderedEntry>>)> {
        let pairs = self.files.into_iter().zip(self.reads);
        pairs.filter_map(|(file, read)| Some((file, read?)))
    }
}

/// The entries of a pack that are wanted, in the order of their files.
struct PackedPlaces {
    loaded: Vec<Option<FileRead<Arc<RenderedEntry>>>>,
    /// True for each file of which the pack has what it would have if it were written now, be it
    /// taken from there or not.
    is_packed: Vec<bool>,
}

/// The entries of a segment of a pack, by the places of their files.
struct MatchedEntries {
    /// The files that are as they were.
    same: Vec<usize>,
    /// Those whose entries are taken from the pack.
    current: Vec<(usize, FileRead<Arc<RenderedEntry>>)>,
}

impl Loader<'_> {
    /// Loads these entries of a type.
    pub(crate) fn load_entries(&self, reader: &EntryReader<'_>, files: Vec<FileRef>) -> EntryFiles {
        let moment = Moment::now();
        let identity = files.first().and_then(|file| identify_pack(file, reader));
        let identity = identity.filter(|_| files.len() >= PACKED_MIN);
        let PackedPlaces { mut loaded, is_packed } =
            self.take_packed(reader, &files, identity.as_ref());
        let rest: Vec<&FileRef> = missing_of(&files, &loaded).collect();
        let n_parsed = rest.len();
        if let Some(pack) = self.pack.filter(|_| n_parsed >= PACKED_MIN) {
            pack.wait_until_open();
        }
        let mut places = loaded.iter_mut().filter(|it| it.is_none());
        // What the readers make is large, and is moved soon: its memory is used again and again.
        for batch in rest.chunks(BATCH) {
            for (parsed, place) in self.parse_entries(reader, batch).zip(&mut places) {
                *place = Some(parsed);
            }
        }
        if let (Some(rendered), Some(identity)) = (self.rendered, identity)
            && n_parsed * PARSED_SHARE > files.len()
        {
            let to_packed = |it: &Option<_>| to_rendered_file(it.as_ref()?, moment);
            let packable: Vec<_> = loaded.iter().map(to_packed).collect();
            // Files with problems are parsed each time, and are in no pack.
            let is_new =
                |(packable, is_packed): &(&Option<_>, &bool)| packable.is_some() && !**is_packed;
            if packable.iter().zip(&is_packed).filter(is_new).count() * PARSED_SHARE > files.len() {
                rendered.plan_pack(identity, packable.into_iter().flatten().collect());
            }
        }
        EntryFiles { files, reads: loaded }
    }

    /// Parses and renders these entries.
    fn parse_entries(
        &self,
        reader: &EntryReader<'_>,
        files: &[&FileRef],
    ) -> impl Iterator<Item = FileRead<Arc<RenderedEntry>>> + use<> {
        let render = |file: &FileRef, bytes: &[u8], stat: &Stat| match entry_id(file) {
            Some(id) => reader.render_entry(id, &file.path(), bytes, stat),
            None => ReadFile { value: None, problems: Vec::new() },
        };
        let share_memory = |read: &mut [Option<FileRead<RenderedEntry>>]| {
            let docs = read.iter_mut().flatten().filter_map(|it| it.value.as_mut());
            shared_blocks::share_memory(&mut docs.collect::<Vec<_>>());
        };
        let read: Vec<_> = self.read_shares(files, render, share_memory);
        // Small blocks that stay are allocated by one thread: among the short-lived ones of the
        // readers, they would keep most of that memory from being returned.
        read.into_iter().map(|read| read.map(Arc::new))
    }

    /// Takes the entries whose files have not changed from the pack of their type.
    fn take_packed(
        &self,
        reader: &EntryReader<'_>,
        files: &[FileRef],
        identity: Option<&PackIdentity>,
    ) -> PackedPlaces {
        let (mut loaded, mut is_packed) = (Vec::new(), vec![false; files.len()]);
        loaded.resize_with(files.len(), || None);
        let found = self.rendered.zip(identity).and_then(|(it, identity)| it.packs.find(identity));
        let Some(found) = found else { return PackedPlaces { loaded, is_packed } };
        let synced = found.bodies;
        let take = |it| self.match_entries(it, reader.ty, files, synced);
        for MatchedEntries { same, current } in found.read(take) {
            same.into_iter().for_each(|at| is_packed[at] = true);
            current.into_iter().for_each(|(at, read)| loaded[at] = Some(read));
        }
        PackedPlaces { loaded, is_packed }
    }

    /// Finds the files of entries that follow each other in the pack, which has them in the order
    /// of the files. Each thread that reads the pack does it for the segments that it has read.
    /// `synced` are last good bodies that were current for all entries.
    fn match_entries(
        &self,
        entries: Vec<RenderedFile>,
        ty: &ContentType,
        files: &[FileRef],
        synced: Option<SyncedBodies>,
    ) -> MatchedEntries {
        let n_entries = entries.len();
        let is_before = |file: &FileRef, doc: &RenderedEntry| {
            compare_name(&file.name, doc.id_bytes()) == Ordering::Less
        };
        let first = entries.first();
        let mut next = first.map_or(0, |it| files.partition_point(|file| is_before(file, &it.doc)));
        let mut found = Vec::with_capacity(n_entries);
        for packed in entries.into_iter().take_while(|it| packed_entry::is_of_type(&it.doc, ty)) {
            next += files.iter().skip(next).take_while(|it| is_before(it, &packed.doc)).count();
            let Some(file) = files.get(next) else { break };
            if compare_name(&file.name, packed.doc.id_bytes()) == Ordering::Equal {
                found.extend((packed.stat == file.stat).then_some((next, file, packed)));
                next += 1;
            }
        }
        let mut same: Vec<usize> = found.iter().map(|(at, ..)| *at).collect();
        let mut current = self.take_current(found, synced);
        if shared_blocks::is_sparse(same.len(), n_entries) {
            same.clear();
        }
        if shared_blocks::is_sparse(current.len(), n_entries) {
            current.clear();
        }
        MatchedEntries { same, current }
    }

    /// Returns those of unchanged files that would be rendered as they are in the pack.
    fn take_current(
        &self,
        mut found: Vec<(usize, &FileRef, RenderedFile)>,
        synced: Option<SyncedBodies>,
    ) -> Vec<(usize, FileRead<Arc<RenderedEntry>>)> {
        found.retain(|(.., it)| !depends_on_time(&it.doc, self.now));
        // The last good body is kept when a file is parsed, so it has to be there already.
        if let Some(pack) = self.pack {
            let listed = found.iter().map(|(_, it, _)| (&*it.folder.path, &*it.name, &it.stat));
            let mut is_kept = pack.have_current(listed, synced).into_iter();
            found.retain(|_| is_kept.next().unwrap_or(false));
        }
        found.into_iter().map(|(at, _, it)| (at, to_read(it))).collect()
    }
}

/// Returns an entry of a pack as it would have been read.
fn to_read(RenderedFile { stat, sum, doc }: RenderedFile) -> FileRead<Arc<RenderedEntry>> {
    FileRead { value: Some(doc), problems: Vec::new(), seen: FileIdentity::Read(stat, sum) }
}

/// Returns true if the file of the entry may be rendered differently at another time.
fn depends_on_time(doc: &RenderedEntry, now: Timestamp) -> bool {
    let is_early =
        doc.status == EntryStatus::Published && doc.published_at.is_some_and(|it| it > now);
    doc.becomes_published || is_early
}

/// Returns the files without a value.
fn missing_of<'f, T>(
    files: &'f [FileRef],
    places: &[Option<T>],
) -> impl Iterator<Item = &'f FileRef> {
    files.iter().zip(places).filter(|(_, it)| it.is_none()).map(|(file, _)| file)
}

/// Compares the name of a file with that of the file of an entry, as a folder is sorted.
fn compare_name(name: &str, id: &[u8]) -> Ordering {
    let name = name.as_bytes();
    let Some((start, end)) = name.split_at_checked(id.len()) else {
        return name.iter().copied().cmp(id.iter().copied().chain(*b".json"));
    };
    start.cmp(id).then_with(|| end.cmp(b".json"))
}

fn identify_pack(file: &FileRef, reader: &EntryReader<'_>) -> Option<PackIdentity> {
    let Key::Entry(ws, name, _) = &file.key else { return None };
    let mut renderer = ChecksumBuilder::new();
    renderer.add_number(packed_entry::PACKED_VERSION).add_number(reader.ty.sum.0);
    renderer.add_part(reader.media_base.as_bytes());
    let place = [ws.as_str().to_string(), name.as_str().to_string()];
    Some(PackIdentity { place, renderer: renderer.finish() })
}

/// Returns what a pack keeps of a file; nothing if the next start has to parse it: it has problems
/// to report, or may change without a sign of it.
fn to_rendered_file(read: &FileRead<Arc<RenderedEntry>>, moment: Moment) -> Option<RenderedFile> {
    let FileIdentity::Read(stat, sum) = read.seen else { return None };
    let doc = read.value.as_ref().filter(|it| packed_entry::is_packable(it))?;
    let is_sure = read.problems.is_empty() && !moment.is_racy(&stat) && !doc.becomes_published;
    is_sure.then(|| RenderedFile { stat, sum, doc: doc.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_a_folder_is_sorted() {
        let ids = ["", "a", "a-b", "a.b", "a0", "ab", "b"];
        for (name, id) in ids.iter().flat_map(|name| ids.map(|id| (format!("{name}.json"), id))) {
            assert_eq!(
                compare_name(&name, id.as_bytes()),
                name.cmp(&format!("{id}.json")),
                "{name} {id}"
            );
        }
    }
}
