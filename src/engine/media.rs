//! Media files as they lie in the folder: what their bytes are and what is said of them.

use std::collections::HashMap;
use std::io::BufReader;
use std::io::Read as _;
use std::io::Seek as _;
use std::sync::Arc;

use crate::engine::load::FileRead;
use crate::engine::load::Loader;
use crate::engine::load::filename;
use crate::engine::read;
use crate::engine::read::ReadFile;
use crate::model::media::MediaItem;
use crate::model::media::MediaMeta;
use crate::model::media::mime_of;
use crate::model::name::Filename;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::media_index::MediaIndex;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;
use crate::store::disk::Disk;
use crate::store::disk::Stat;
use crate::store::load;
use crate::store::load::FileRef;
use crate::store::load::READERS;

/// How much of a file is read to tell what it is.
const HEAD_BYTES: usize = 512;

/// What was learned of one file beside its content: what is wrong, and how it is known.
type Seen = (FileRef, Vec<Problem>, Option<(Stat, Sum)>);

/// All media files of a workspace, looked at.
pub(crate) struct Read {
    pub items: Vec<Arc<MediaItem>>,
    pub seen: Vec<Seen>,
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
    for (file, FileRead { value, problems, seen: at }) in
        loader.read(metas, |file, bytes, _| meta(file, bytes))
    {
        if let Some(name) = filename(file) {
            said.insert(name.clone(), value.unwrap_or_else(MediaMeta::unreadable));
        }
        seen.push((file.clone(), problems, at));
    }
    let items = load::in_parallel(
        files,
        READERS,
        || (),
        |(), file: &FileRef| {
            let name = filename(file)?;
            let meta = said.get(name).cloned().unwrap_or_default();
            Some(Arc::new(item(loader.disk, file, name, meta, before)))
        },
    );
    seen.extend(files.iter().map(|it| (it.clone(), Vec::new(), None)));
    Read { items: items.into_iter().flatten().collect(), seen }
}

fn meta(file: &FileRef, bytes: &[u8]) -> ReadFile<MediaMeta> {
    let path = file.path();
    let ReadFile { value, mut problems } = read::json(&path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    let (meta, defects) = MediaMeta::parse(&json);
    problems.extend(read::located(&path, bytes, ProblemKind::SchemaViolation, &defects));
    ReadFile { value: Some(meta), problems }
}

fn item(
    disk: &dyn Disk,
    file: &FileRef,
    name: &Filename,
    meta: MediaMeta,
    before: &MediaIndex,
) -> MediaItem {
    let stat = &file.stat;
    let etag = etag(stat);
    let known = before.get(name.as_str()).filter(|it| it.etag == etag);
    let (mime, size) = match known {
        Some(known) => (known.mime, known.width.zip(known.height)),
        None => look(disk, &file.path(), name),
    };
    let mut item = MediaItem::new(name.clone(), mime, stat.size, read::modified(stat), etag, meta);
    (item.width, item.height) = size.unzip();
    item
}

/// Another one whenever the bytes may be others.
pub(crate) fn etag(stat: &Stat) -> Sum {
    let mut summer = Summer::new();
    summer.number(stat.size).number(stat.modified_ns.cast_unsigned());
    summer.finish()
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
        let reader = image::ImageReader::new(BufReader::new(file)).with_guessed_format().ok()?;
        upright(reader)
    });
    (mime, size.flatten())
}

/// The size of a picture as it is seen: turned as its EXIF says.
fn upright<R: std::io::BufRead + std::io::Seek>(
    reader: image::ImageReader<R>,
) -> Option<(u32, u32)> {
    use image::ImageDecoder as _;
    use image::metadata::Orientation;
    let mut decoder = reader.into_decoder().ok()?;
    let (width, height) = decoder.dimensions();
    let turned = matches!(
        decoder.orientation(),
        Ok(Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH)
    );
    Some(if turned { (height, width) } else { (width, height) })
}
