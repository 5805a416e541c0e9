//! Media files as they lie in the folder: the kind of their bytes, and what their meta files say.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::collections::HashSet;
use std::io;
use std::io::BufReader;
use std::io::Read as _;
use std::io::Seek as _;
use std::sync::Arc;

use crate::engine::load::loader::FileIdentity;
use crate::engine::load::loader::FileRead;
use crate::engine::load::loader::Loader;
use crate::engine::load::loader::filename;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::workspace_files::parse_meta;
use crate::model::media::MediaItem;
use crate::model::media::MediaMeta;
use crate::model::media::MediaTag;
use crate::model::media::detect_mime;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::query::index::media_index::MediaIndex;
use crate::stdx::checksum::Checksum;
use crate::stdx::image_header::ImageHeader;
use crate::store::disk::Disk;
use crate::store::disk::FileKind;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load::FileRef;
use crate::store::read::load::READERS;
use crate::store::read::load::is_absence;
use crate::store::read::load::map_parallel;
use crate::store::read::media_sums;
use crate::store::read::moment::Moment;

/// The number of bytes that are read to detect the type of a file.
const HEAD_BYTES: usize = 512;

/// The problems of one file, and the identity by which it is known.
type MediaFinding = (FileRef, Vec<Problem>, FileIdentity);

/// The media files of a workspace, loaded.
pub(crate) struct LoadedMedia {
    pub items: Vec<Arc<MediaItem>>,
    pub seen: Vec<MediaFinding>,
}

/// The meta files of a workspace.
#[derive(Clone, Copy)]
pub(crate) enum MetaFiles<'a> {
    Listed(&'a [FileRef]),
    /// Their folder cannot be listed, or is a link or no folder at all: any file may be private.
    Hidden,
}

/// Returns the workspaces whose folder of meta files has one of these problems.
pub(crate) fn list_hidden_meta<'p>(
    problems: impl IntoIterator<Item = &'p Problem>,
) -> BTreeSet<WorkspaceSlug> {
    let hidden = |it: &Problem| match Folder::parse(&it.path)? {
        Folder::MediaMeta(ws) => Some(ws),
        _ => None,
    };
    problems.into_iter().filter_map(hidden).collect()
}

/// Returns true if something else is in the place of the folder of meta files.
pub(crate) fn is_meta_replaced(disk: &dyn Disk, ws: &WorkspaceSlug) -> bool {
    let path = Folder::MediaMeta(ws.clone()).path();
    disk.stat(&path).is_ok_and(|it| it.kind != FileKind::Folder)
}

/// Loads media files and their meta files. Those that `before` has and that did not change are not
/// opened.
pub(crate) fn load_media(
    loader: &Loader<'_>,
    files: &[FileRef],
    metas: MetaFiles<'_>,
    before: &MediaIndex,
) -> LoadedMedia {
    let (metas, unsaid) = match metas {
        MetaFiles::Listed(metas) => (metas, MediaMeta::default()),
        MetaFiles::Hidden => (<&[FileRef]>::default(), MediaMeta::unreadable()),
    };
    let mut seen = Vec::with_capacity(files.len() + metas.len());
    let mut said: HashMap<Filename, MediaMeta> = HashMap::new();
    // Of these it was heard before what is said of them.
    let mut unheard: HashSet<Filename> = HashSet::new();
    for (file, FileRead { value, problems, seen: at }) in
        loader.read_files(metas, |file, bytes, _| parse_meta_file(file, bytes))
    {
        if let Some(name) = filename(file) {
            match (&at, before.get(name.as_str())) {
                (FileIdentity::Not, Some(_)) => _ = unheard.insert(name.clone()),
                _ => _ = said.insert(name.clone(), value.unwrap_or_else(MediaMeta::unreadable)),
            }
        }
        seen.push((file.clone(), problems, at));
    }
    let items = map_parallel(
        files,
        READERS,
        || (),
        |(), file: &FileRef| {
            let name = filename(file)?;
            if let Some(known) = before.get(name.as_str()).filter(|_| unheard.contains(name)) {
                return Some(known.clone());
            }
            let meta = said.get(name).unwrap_or(&unsaid).clone();
            Some(Arc::new(build_item(loader, &file.path(), &file.stat, name, meta, before)))
        },
    );
    seen.extend(files.iter().map(|it| (it.clone(), Vec::new(), FileIdentity::Unread)));
    LoadedMedia { items: items.into_iter().flatten().collect(), seen }
}

/// A few media files, loaded again.
pub(crate) struct RereadMedia {
    pub items: Vec<(Filename, Option<Arc<MediaItem>>)>,
    /// The problems of their meta files, by path; none where all is well.
    pub problems: Vec<(String, Vec<Problem>)>,
    /// The files that could not be read, for a reason that may pass.
    pub unseen: Vec<(Key, Problem)>,
}

/// Loads the files of these names and their meta files again, and no others.
pub(crate) fn reload_media<'n>(
    loader: &Loader<'_>,
    ws: &WorkspaceSlug,
    names: impl IntoIterator<Item = &'n Filename>,
    before: &MediaIndex,
) -> RereadMedia {
    let mut reread = RereadMedia { items: Vec::new(), problems: Vec::new(), unseen: Vec::new() };
    for name in names {
        let path = Key::Media(ws.clone(), name.clone()).path();
        let said = Key::MediaMeta(ws.clone(), name.clone()).path();
        let (meta, problems) = match read_meta(loader.disk, &said) {
            Ok(said) => said,
            Err(error) if before.get(name.as_str()).is_some() => {
                let key = Key::MediaMeta(ws.clone(), name.clone());
                reread.unseen.push((key, error.to_problem(&said)));
                continue;
            }
            Err(error) => (MediaMeta::unreadable(), vec![error.to_problem(&said)]),
        };
        reread.problems.push((said, problems));
        let item = match loader.disk.stat(&path) {
            Ok(found) if found.kind == FileKind::File => {
                Some(Arc::new(build_item(loader, &path, &found.stat, name, meta, before)))
            }
            // That it cannot be looked at does not mean it is gone.
            Err(error) if !is_absence(&error) => {
                let key = Key::Media(ws.clone(), name.clone());
                reread.unseen.push((key, ReadError::from(error).to_problem(&path)));
                continue;
            }
            _ => {
                loader.sums.forget_file(&path);
                None
            }
        };
        reread.items.push((name.clone(), item));
    }
    reread
}

/// Reads the meta file of a media file. An error means that its content is not known, which
/// differs from a missing one: a file without meta may be seen by everybody.
fn read_meta(disk: &dyn Disk, path: &str) -> Result<(MediaMeta, Vec<Problem>), ReadError> {
    match disk.stat(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok((MediaMeta::default(), Vec::new()));
        }
        // Behind a link, or something that is no folder, anything may be said.
        Err(error) if is_absence(&error) => return Ok((MediaMeta::unreadable(), Vec::new())),
        Err(error) => return Err(error.into()),
    }
    let mut bytes = Vec::new();
    match disk.read(path, &mut bytes) {
        Ok(_) => {
            let ReadFile { value, problems } = parse_meta(path, &bytes);
            Ok((value.unwrap_or_else(MediaMeta::unreadable), problems))
        }
        Err(ReadError::Missing) => Ok((MediaMeta::default(), Vec::new())),
        Err(error) if error.is_transient() => Err(error),
        Err(error) => Ok((MediaMeta::unreadable(), vec![error.to_problem(path)])),
    }
}

fn parse_meta_file(file: &FileRef, bytes: &[u8]) -> ReadFile<MediaMeta> {
    parse_meta(&file.path(), bytes)
}

fn build_item(
    loader: &Loader<'_>,
    path: &str,
    stat: &Stat,
    name: &Filename,
    meta: MediaMeta,
    before: &MediaIndex,
) -> MediaItem {
    let (before, state) = (before.get(name.as_str()), stat.compute_sum());
    let known = before.filter(|it| it.tag.state == state);
    let (mime, size) = match known {
        Some(known) => (known.mime, known.width.zip(known.height)),
        None => detect_kind(loader.disk, path, name),
    };
    let tag = known.map_or_else(|| compute_tag(loader, path, stat), |it| it.tag);
    let mut item =
        MediaItem::new(name.clone(), mime, stat.size, file_parser::modified_at(stat), tag, meta);
    (item.width, item.height) = size.unzip();
    item.set_sketch(tag.content.and_then(|sum| loader.sketches.get(path, sum)));
    if let Some(before) = before.filter(|it| it.is_as_known(&item)) {
        // Only the bytes can tell whether this is news.
        item.tag.before = before.tag.content.or(before.tag.before);
        if tag.content.is_none() {
            (item.sketch, item.is_broken) = (before.sketch.clone(), before.is_broken);
        }
    }
    item
}

/// Computes the tag of a file, by its bytes. Small files are read at once, large ones later.
fn compute_tag(loader: &Loader<'_>, path: &str, stat: &Stat) -> MediaTag {
    let known = loader.sums.get(path, stat);
    let is_read = known.is_none() && stat.size <= media_sums::SMALL_BYTES_MAX;
    let read = is_read.then(|| sum_small_file(loader.disk, path, stat)).flatten();
    // What was read so soon after a change may have been changed again without a sign of it.
    if let Some(sum) = known.or(read.filter(|_| !Moment::now().is_racy(stat))) {
        loader.sums.record_sum(path, stat, sum);
    }
    let content = known.or(read);
    match content {
        Some(content) => MediaTag::of_content(stat.compute_sum(), content),
        None => {
            loader.sums.request_sums();
            MediaTag::of_state(stat.compute_sum())
        }
    }
}

/// The sum of a small file, if it is in this state before and after it is read.
fn sum_small_file(disk: &dyn Disk, path: &str, stat: &Stat) -> Option<Checksum> {
    let (mut file, found) = disk.open(path).ok()?;
    let sum = media_sums::sum_small(&mut file).ok()?;
    let after = disk.stat(path).ok()?.stat;
    (found == *stat && after == *stat).then_some(sum)
}

/// Detects the type of a file by its first bytes, and the size of its picture.
fn detect_kind(disk: &dyn Disk, path: &str, name: &Filename) -> (&'static str, Option<(u32, u32)>) {
    let Ok((mut file, _)) = disk.open(path) else { return (detect_mime(name, &[]), None) };
    let mut head = Vec::with_capacity(HEAD_BYTES);
    // A file that cannot be read is told so to whoever asks for it.
    let _ = file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head);
    let mime = detect_mime(name, &head);
    let size = mime.starts_with("image/").then(|| {
        file.rewind().ok()?;
        read_dimensions(file)
    });
    (mime, size.flatten())
}

/// Reads the size of the picture in a file.
fn read_dimensions(file: impl io::Read + io::Seek) -> Option<(u32, u32)> {
    ImageHeader::read(&mut BufReader::new(file)).map(|it| it.upright_size())
}
