//! Thumbnails: made on first use, one at a time for each file, cached on disk. Failures to decode a
//! picture are cached too.

use std::collections::HashMap;
use std::collections::HashSet;
use std::io::BufReader;
use std::io::Read;
use std::io::Seek;
use std::sync::Arc;
use std::sync::OnceLock;

use bytes::Bytes;
use image::DynamicImage;

use crate::app::error::Result;
use crate::app::media::decode_budget::DecodeBudget;
use crate::app::media::encoding;
use crate::app::media::pictures;
use crate::app::media::pictures::DecodeError;
use crate::app::media::sketches;
use crate::engine::Engine;
use crate::model::media::PictureFormat;
use crate::model::media::SharedSketch;
use crate::stdx::image_header::ImageHeader;
use crate::stdx::image_header::ImageSource;
use crate::stdx::sync::Mutex;
use crate::store::read::blob::Blob;
use crate::store::read::blob::ThumbnailPath;

/// The longest side of a thumbnail in pixels.
const SIDE_MAX: u32 = 512;

/// The largest file that is decoded.
pub(crate) const FILE_BYTES_MAX: u64 = 100 * 1024 * 1024;

/// The qualities of JPEG thumbnails, from 1 to 100. The lower ones are for files that are smaller
/// than their thumbnail would be.
const JPEG_QUALITIES: &[u8] = &[82, 60, 40];

/// The most undecodable pictures remembered in memory, besides those on disk.
const BROKEN_MAX: usize = 10_000;

/// The cached content for an undecodable picture: another version may decode more.
const BROKEN: &[u8] = concat!("cannot be decoded by ", env!("CARGO_PKG_VERSION")).as_bytes();

/// A thumbnail being made, on which concurrent requests wait.
type PendingThumbnail = Arc<OnceLock<std::result::Result<Bytes, DecodeError>>>;

/// A picture made small: its file, and its sketch.
pub(super) struct SmallPicture {
    pub(super) bytes: Vec<u8>,
    pub(super) sketch: SharedSketch,
}

/// The state of a thumbnail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThumbnailState {
    /// It exists.
    Made(Bytes),
    /// The picture cannot be decoded.
    Broken,
    /// It has not been tried yet.
    Untried,
}

/// The maker of thumbnails, which never makes the same one twice at once.
#[derive(Default)]
pub struct Thumbnailer {
    making: Mutex<HashMap<ThumbnailPath, PendingThumbnail>>,
    /// Undecodable pictures for which the disk cache cannot be written.
    broken: Mutex<HashSet<ThumbnailPath>>,
    /// The memory for decoding pictures.
    pub budget: DecodeBudget,
}

impl Thumbnailer {
    /// The thumbnail of a file; nothing when the picture cannot be decoded. Takes as long as it
    /// takes.
    pub fn get(&self, engine: &Engine, place: &ThumbnailPath, blob: Blob) -> Result<Option<Bytes>> {
        let making = self.making.lock().entry(place.clone()).or_default().clone();
        let made = making.get_or_init(|| match self.find_state(engine, place) {
            ThumbnailState::Made(bytes) => Ok(bytes),
            ThumbnailState::Broken => Err(DecodeError::Broken),
            ThumbnailState::Untried => self.make_thumbnail(engine, place, blob),
        });
        self.making.lock().remove(place);
        match made {
            Ok(bytes) => Ok(Some(bytes.clone())),
            Err(DecodeError::Broken | DecodeError::TooLarge | DecodeError::NoMemory) => Ok(None),
            Err(DecodeError::Busy) => Err(pictures::busy_error()),
        }
    }

    /// Returns the known state of a thumbnail.
    pub fn find_state(&self, engine: &Engine, place: &ThumbnailPath) -> ThumbnailState {
        if self.broken.lock().contains(place) {
            return ThumbnailState::Broken;
        }
        match engine.folder().open_thumbnail(place).and_then(|it| read_blob(&it).ok()) {
            Some(bytes) if bytes == BROKEN => ThumbnailState::Broken,
            Some(bytes) if image::guess_format(&bytes).is_ok() => ThumbnailState::Made(bytes),
            _ => ThumbnailState::Untried,
        }
    }

    fn make_thumbnail(
        &self,
        engine: &Engine,
        place: &ThumbnailPath,
        blob: Blob,
    ) -> std::result::Result<Bytes, DecodeError> {
        let size = blob.stat.size;
        let made = self.shrink_picture(blob.into_file(), size).map(|it| it.bytes);
        let kept = match &made {
            Ok(bytes) => bytes,
            Err(DecodeError::Broken) => {
                remember_broken(&self.broken, place);
                BROKEN
            }
            Err(why) => return Err(*why),
        };
        if let Err(error) = engine.folder().save_thumbnail(place, kept) {
            tracing::warn!(%error, "a thumbnail cannot be stored");
        }
        made.map(Bytes::from)
    }

    /// Returns the reduced picture of a file of `size` bytes, without metadata; the file itself if
    /// it is smaller than that.
    pub(super) fn shrink_picture(
        &self,
        source: impl Read + Seek,
        size: u64,
    ) -> std::result::Result<SmallPicture, DecodeError> {
        let mut source = BufReader::new(source);
        let picture = decode_for_thumbnail(&self.budget, &mut source, size)?;
        let sketch = sketches::sketch_picture(&picture, pictures::has_frames(&mut source));
        let mut bytes = encode_small(&picture, size).ok_or(DecodeError::Broken)?;
        if bytes.len() as u64 > size {
            let whole = read_whole(source, size);
            bytes = whole.map_err(|_| DecodeError::Broken)?;
        }
        Ok(SmallPicture { bytes, sketch })
    }
}

/// Decodes the picture of a file of `size` bytes to the size of a thumbnail.
pub(crate) fn decode_for_thumbnail(
    budget: &DecodeBudget,
    source: &mut dyn ImageSource,
    size: u64,
) -> std::result::Result<DynamicImage, DecodeError> {
    if size > FILE_BYTES_MAX {
        let header = ImageHeader::read(source);
        return Err(header.map_or(DecodeError::Broken, |_| DecodeError::TooLarge));
    }
    pictures::decode_small(budget, source, SIDE_MAX)
}

fn remember_broken(broken: &Mutex<HashSet<ThumbnailPath>>, place: &ThumbnailPath) {
    let mut broken = broken.lock();
    if broken.len() >= BROKEN_MAX {
        broken.clear();
    }
    broken.insert(place.clone());
}

fn read_blob(blob: &Blob) -> std::io::Result<Bytes> {
    let mut bytes = vec![0; usize::try_from(blob.stat.size).map_err(std::io::Error::other)?];
    let read = blob.read_at(0, &mut bytes)?;
    bytes.truncate(read);
    Ok(bytes.into())
}

fn read_whole(mut source: impl Read + Seek, size: u64) -> std::io::Result<Vec<u8>> {
    source.rewind()?;
    let mut bytes = Vec::new();
    source.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Encodes a thumbnail: as PNG if it is transparent, and else as JPEG. Of an opaque picture that
/// would take more than `bytes_max`, the smallest one is returned.
fn encode_small(picture: &DynamicImage, bytes_max: u64) -> Option<Vec<u8>> {
    if encoding::is_transparent(picture) {
        let picture = DynamicImage::from(picture.to_rgba8());
        return encoding::encode_picture(&picture, PictureFormat::Png, 0);
    }
    let picture = DynamicImage::from(picture.to_rgb8());
    let jpegs = JPEG_QUALITIES
        .iter()
        .map(|quality| encoding::encode_picture(&picture, PictureFormat::Jpeg, *quality));
    let png = || encoding::encode_picture(&picture, PictureFormat::Png, 0);
    let mut smallest: Option<Vec<u8>> = None;
    for bytes in jpegs.chain(std::iter::once_with(png)) {
        let bytes = bytes?;
        if bytes.len() as u64 <= bytes_max {
            return Some(bytes);
        }
        if smallest.as_ref().is_none_or(|it| bytes.len() < it.len()) {
            smallest = Some(bytes);
        }
    }
    smallest
}
