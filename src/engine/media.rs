//! Media files as they lie in the folder: what their bytes are and what is said of them.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::collections::HashSet;
use std::io;
use std::io::BufReader;
use std::io::Read as _;
use std::io::Seek as _;
use std::sync::Arc;

use crate::engine::Engine;
use crate::engine::load;
use crate::engine::load::FileRead;
use crate::engine::load::Loader;
use crate::engine::load::Seen;
use crate::engine::load::filename;
use crate::engine::read;
use crate::engine::read::ReadFile;
use crate::engine::taken::Taken;
use crate::model::category::Categories;
use crate::model::media;
use crate::model::media::MediaItem;
use crate::model::media::MediaMeta;
use crate::model::media::MediaTag;
use crate::model::media::mime_of;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::unknown_keys;
use crate::query::media_index::MediaChanges;
use crate::query::media_index::MediaIndex;
use crate::query::snapshot::Snapshot;
use crate::stdx::picture::Header;
use crate::stdx::sum::Sum;
use crate::store::blob::Blob;
use crate::store::disk::Disk;
use crate::store::disk::Kind;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::known::Moment;
use crate::store::layout::Key;
use crate::store::load::FileRef;
use crate::store::load::READERS;
use crate::store::load::in_parallel;
use crate::store::load::is_absence;
use crate::store::media_sums;
use crate::store::spool::Spooled;

/// How much of a file is read to tell what it is.
const HEAD_BYTES: usize = 512;

/// What was learned of one file beside its content: what is wrong, and how it is known.
type Learned = (FileRef, Vec<Problem>, Seen);

/// All media files of a workspace, looked at.
pub(crate) struct Read {
    pub items: Vec<Arc<MediaItem>>,
    pub seen: Vec<Learned>,
}

/// Looks at files and at what is said of them.
pub(crate) fn read(
    loader: &Loader<'_>,
    files: &[FileRef],
    metas: &[FileRef],
    before: &MediaIndex,
) -> Read {
    let mut seen = Vec::with_capacity(files.len() + metas.len());
    let mut said: HashMap<Filename, MediaMeta> = HashMap::new();
    // Of these it was heard before what is said of them.
    let mut unheard: HashSet<Filename> = HashSet::new();
    for (file, FileRead { value, problems, seen: at }) in
        loader.read(metas, |file, bytes, _| meta(file, bytes))
    {
        if let Some(name) = filename(file) {
            match (&at, before.get(name.as_str())) {
                (Seen::Not, Some(_)) => _ = unheard.insert(name.clone()),
                _ => _ = said.insert(name.clone(), value.unwrap_or_else(MediaMeta::unreadable)),
            }
        }
        seen.push((file.clone(), problems, at));
    }
    let items = in_parallel(
        files,
        READERS,
        || (),
        |(), file: &FileRef| {
            let name = filename(file)?;
            if let Some(known) = before.get(name.as_str()).filter(|_| unheard.contains(name)) {
                return Some(known.clone());
            }
            let meta = said.get(name).cloned().unwrap_or_default();
            Some(Arc::new(item(loader, &file.path(), &file.stat, name, meta, before)))
        },
    );
    seen.extend(files.iter().map(|it| (it.clone(), Vec::new(), Seen::Unread)));
    Read { items: items.into_iter().flatten().collect(), seen }
}

/// A few files, looked at again.
pub(crate) struct Reread {
    pub items: Vec<(Filename, Option<Arc<MediaItem>>)>,
    /// What is wrong with what is said of them, by path; nothing, where all is well.
    pub problems: Vec<(String, Vec<Problem>)>,
    /// What could not be looked at, for a reason that may pass.
    pub unseen: Vec<(Key, Problem)>,
}

/// Looks again at the files of these names and at what is said of them, and at no others.
pub(crate) fn reread<'n>(
    loader: &Loader<'_>,
    ws: &WorkspaceSlug,
    names: impl IntoIterator<Item = &'n Filename>,
    before: &MediaIndex,
) -> Reread {
    let mut reread = Reread { items: Vec::new(), problems: Vec::new(), unseen: Vec::new() };
    for name in names {
        let path = Key::Media(ws.clone(), name.clone()).path();
        let said = Key::MediaMeta(ws.clone(), name.clone()).path();
        let (meta, problems) = match meta_now(loader.disk, &said) {
            Ok(said) => said,
            Err(error) if before.get(name.as_str()).is_some() => {
                let key = Key::MediaMeta(ws.clone(), name.clone());
                reread.unseen.push((key, error.problem(&said)));
                continue;
            }
            Err(error) => (MediaMeta::unreadable(), vec![error.problem(&said)]),
        };
        reread.problems.push((said, problems));
        let item = match loader.disk.stat(&path) {
            Ok(found) if found.kind == Kind::File => {
                Some(Arc::new(item(loader, &path, &found.stat, name, meta, before)))
            }
            // That it cannot be looked at does not mean it is gone.
            Err(error) if !is_absence(&error) => {
                let key = Key::Media(ws.clone(), name.clone());
                reread.unseen.push((key, ReadError::from(error).problem(&path)));
                continue;
            }
            _ => None,
        };
        reread.items.push((name.clone(), item));
    }
    reread
}

/// What is said of a file, and what is wrong with that; the error, where that is not known: a file
/// of which nothing is said may be seen by everybody.
fn meta_now(disk: &dyn Disk, path: &str) -> Result<(MediaMeta, Vec<Problem>), ReadError> {
    match disk.stat(path) {
        Ok(_) => {}
        // Nothing is below a folder that is none, or a link to one.
        Err(error) if is_absence(&error) => return Ok((MediaMeta::default(), Vec::new())),
        Err(error) => return Err(error.into()),
    }
    let mut bytes = Vec::new();
    match disk.read(path, &mut bytes) {
        Ok(_) => {
            let ReadFile { value, problems } = meta_of(path, &bytes);
            Ok((value.unwrap_or_else(MediaMeta::unreadable), problems))
        }
        Err(ReadError::Missing) => Ok((MediaMeta::default(), Vec::new())),
        Err(error) if error.passes() => Err(error),
        Err(error) => Ok((MediaMeta::unreadable(), vec![error.problem(path)])),
    }
}

fn meta(file: &FileRef, bytes: &[u8]) -> ReadFile<MediaMeta> {
    meta_of(&file.path(), bytes)
}

fn meta_of(path: &str, bytes: &[u8]) -> ReadFile<MediaMeta> {
    let ReadFile { value, mut problems } = read::json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    let (meta, defects) = MediaMeta::parse(&json);
    let unknown = unknown_keys::in_file(&json, media::META_KEYS, "A media file");
    problems.extend(read::unknown(path, bytes, unknown));
    problems.extend(read::located(path, bytes, ProblemKind::SchemaViolation, &defects));
    ReadFile { value: Some(meta), problems }
}

fn item(
    loader: &Loader<'_>,
    path: &str,
    stat: &Stat,
    name: &Filename,
    meta: MediaMeta,
    before: &MediaIndex,
) -> MediaItem {
    let (before, state) = (before.get(name.as_str()), stat.sum());
    let known = before.filter(|it| it.tag.state == state);
    let (mime, size) = match known {
        Some(known) => (known.mime, known.width.zip(known.height)),
        None => look(loader.disk, path, name),
    };
    let tag = known.map_or_else(|| tag(loader, path, stat), |it| it.tag);
    let mut item = MediaItem::new(name.clone(), mime, stat.size, read::modified(stat), tag, meta);
    (item.width, item.height) = size.unzip();
    if let Some(before) = before.filter(|it| it.is_as_known(&item)) {
        // Only the bytes can tell whether this is news.
        item.tag.before = before.tag.content.or(before.tag.before);
    }
    item
}

/// What tells the bytes of a file from others. Small files are read for that, large ones later.
fn tag(loader: &Loader<'_>, path: &str, stat: &Stat) -> MediaTag {
    let known = loader.sums.get(path, stat);
    let is_read = known.is_none() && stat.size <= media_sums::SMALL_BYTES_MAX;
    let read = is_read.then(|| small_sum(loader.disk, path, stat)).flatten();
    // What was read so soon after a change may have been changed again without a sign of it.
    if let Some(sum) = known.or(read.filter(|_| !Moment::now().is_racy(stat))) {
        loader.sums.put(path, stat, sum);
    }
    let content = known.or(read);
    match content {
        Some(content) => MediaTag::of_content(stat.sum(), content),
        None => {
            loader.sums.want();
            MediaTag::of_state(stat.sum())
        }
    }
}

/// The sum of a small file, if it is in this state before and after it is read.
fn small_sum(disk: &dyn Disk, path: &str, stat: &Stat) -> Option<Sum> {
    let (mut file, found) = disk.open(path).ok()?;
    let sum = media_sums::read_small(&mut file).ok()?;
    let after = disk.stat(path).ok()?.stat;
    (found == *stat && after == *stat).then_some(sum)
}

/// What a file is, by its first bytes, and how large a picture it holds.
fn look(disk: &dyn Disk, path: &str, name: &Filename) -> (&'static str, Option<(u32, u32)>) {
    let Ok((mut file, _)) = disk.open(path) else { return (mime_of(name, &[]), None) };
    let mut head = Vec::with_capacity(HEAD_BYTES);
    // A file that cannot be read is told so to whoever asks for it.
    let _ = file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head);
    let mime = mime_of(name, &head);
    let size = mime.starts_with("image/").then(|| {
        file.rewind().ok()?;
        dimensions(file)
    });
    (mime, size.flatten())
}

/// How large the picture in a file is.
fn dimensions(file: impl io::Read + io::Seek) -> Option<(u32, u32)> {
    Header::read(BufReader::new(file)).map(|it| it.upright_size())
}

impl Engine {
    /// The snapshot after changes of a few media files, and of the declared categories if they are
    /// given: no folder is listed, and the next index costs what has changed.
    pub(super) fn with_few_media(
        &self,
        snapshot: Snapshot,
        names: &BTreeSet<Filename>,
        declared: Option<Categories>,
        version: u64,
        taken: &mut Taken,
    ) -> Snapshot {
        let before = &snapshot.media;
        let reread = reread(&self.loader(), &snapshot.workspace, names, before);
        let Reread { items, problems, unseen } = reread;
        unseen.into_iter().for_each(|(key, problem)| self.learn_unseen(key, problem));
        for (path, problems) in problems {
            self.problems.set(&path, problems, self.clock.now());
        }
        for (name, item) in &items {
            taken.media(before.get(name.as_str()), item.as_ref());
        }
        let media = before.with(&MediaChanges { items, declared }, load::epoch(version));
        snapshot.with_media(Arc::new(media), version)
    }

    /// Tells the bytes of a file of ours that is about to be moved among the media, so that it need
    /// not be read again, for as long as what is given lasts.
    pub fn media_arrives(&self, stat: &Stat, sum: Sum) -> MediaArrival<'_> {
        self.sums.arrives(stat, sum);
        MediaArrival { engine: self, stat: *stat }
    }

    /// Opens an upload, with the stat that it has.
    pub fn open_spooled(&self, upload: &Spooled) -> Result<Blob, StoreError> {
        let opened = self.disk.open(&upload.path).map_err(|it| lost(upload, it));
        opened.map(|(file, stat)| Blob::of(file, stat))
    }

    /// All bytes of an upload whose form keeps it small.
    pub fn read_picture(&self, upload: &Spooled) -> Result<Vec<u8>, StoreError> {
        let (mut file, _) = self.disk.open(&upload.path).map_err(|it| lost(upload, it))?;
        let mut bytes = Vec::new();
        let read = io::Read::read_to_end(&mut file, &mut bytes);
        read.map_err(StoreError::io("read", upload.path.as_str()))?;
        Ok(bytes)
    }

    /// All bytes of an upload, which is a small one.
    pub fn read_spooled(&self, upload: &Spooled) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        self.disk.read(&upload.path, &mut bytes).map_err(|it| lost(upload, it))?;
        Ok(bytes)
    }
}

/// A file on its way to the media.
pub struct MediaArrival<'a> {
    engine: &'a Engine,
    stat: Stat,
}

impl Drop for MediaArrival<'_> {
    fn drop(&mut self) {
        self.engine.sums.arrived(&self.stat);
    }
}

fn lost(upload: &Spooled, error: ReadError) -> StoreError {
    let error = match error {
        ReadError::Unreadable(error) => error,
        ReadError::Missing => io::ErrorKind::NotFound.into(),
        ReadError::NotAFile(_) | ReadError::TooLarge(_) => io::ErrorKind::InvalidData.into(),
    };
    StoreError::io("read", upload.path.as_str())(error)
}
