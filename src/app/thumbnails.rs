//! Thumbnails: made on first use, one at a time for each file, cached on disk and briefly in
//! memory. That a picture cannot be decoded is kept like a thumbnail.

use std::collections::HashMap;
use std::collections::HashSet;
use std::io::BufReader;
use std::io::Cursor;
use std::io::Read;
use std::io::Seek;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::OnceLock;
use std::sync::PoisonError;

use bytes::Bytes;
use image::DynamicImage;
use image::ImageFormat;
use image::codecs::jpeg::JpegEncoder;

use crate::app::App;
use crate::app::decode_budget::DecodeBudget;
use crate::app::error::Result;
use crate::app::pictures;
use crate::app::pictures::Undecoded;
use crate::stdx::picture::Header;
use crate::store::blob::Blob;
use crate::store::blob::Thumb;

/// The longest side of a thumbnail in pixels.
const SIDE_MAX: u32 = 512;

/// Larger files are not decoded.
const FILE_BYTES_MAX: u64 = 100 * 1024 * 1024;

/// The quality of JPEG thumbnails, of 100.
const JPEG_QUALITY: u8 = 82;

/// How many pictures that cannot be decoded are remembered in memory, beside what the disk keeps.
const BROKEN_MAX: usize = 10_000;

/// What is kept in the place of a thumbnail when there is none: another version may decode more.
const BROKEN: &[u8] = concat!("cannot be decoded by ", env!("CARGO_PKG_VERSION")).as_bytes();

/// A thumbnail that is being made: whoever asks meanwhile waits for it.
type Making = Arc<OnceLock<std::result::Result<Bytes, Undecoded>>>;

/// What is known of a thumbnail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It was made before.
    Made(Bytes),
    /// There is none: the picture cannot be decoded.
    Broken,
    /// Nobody has tried yet.
    Untried,
}

/// Makes thumbnails, never the same twice at once.
#[derive(Default)]
pub struct Thumbnailer {
    making: Mutex<HashMap<Thumb, Making>>,
    /// What could not be decoded, where the disk cannot keep that.
    broken: Mutex<HashSet<Thumb>>,
    pub(super) budget: DecodeBudget,
}

impl Thumbnailer {
    /// The thumbnail of a file; nothing when the picture cannot be decoded. Takes as long as it
    /// takes.
    pub fn get(&self, app: &App, place: &Thumb, blob: Blob) -> Result<Option<Bytes>> {
        let making = lock(&self.making).entry(place.clone()).or_default().clone();
        let made = making.get_or_init(|| match self.find(app, place) {
            Kept::Made(bytes) => Ok(bytes),
            Kept::Broken => Err(Undecoded::Broken),
            Kept::Untried => self.make(app, place, blob),
        });
        lock(&self.making).remove(place);
        match made {
            Ok(bytes) => Ok(Some(bytes.clone())),
            Err(Undecoded::Broken | Undecoded::TooLarge) => Ok(None),
            Err(Undecoded::Busy) => Err(pictures::busy()),
        }
    }

    /// What is known of a thumbnail.
    pub fn find(&self, app: &App, place: &Thumb) -> Kept {
        if lock(&self.broken).contains(place) {
            return Kept::Broken;
        }
        match app.engine.open_thumb(place).and_then(|it| read(&it).ok()) {
            Some(bytes) if bytes == BROKEN => Kept::Broken,
            Some(bytes) if image::guess_format(&bytes).is_ok() => Kept::Made(bytes),
            _ => Kept::Untried,
        }
    }

    fn make(&self, app: &App, place: &Thumb, blob: Blob) -> std::result::Result<Bytes, Undecoded> {
        let size = blob.stat.size;
        let made = self.shrink(blob.into_file(), size);
        let kept = match &made {
            Ok(bytes) => bytes,
            Err(Undecoded::Broken) => {
                remember(&self.broken, place);
                BROKEN
            }
            Err(why) => return Err(*why),
        };
        if let Err(error) = app.engine.place_thumb(place, kept) {
            tracing::warn!(%error, "a thumbnail cannot be kept");
        }
        made.map(Bytes::from)
    }

    /// The picture in a file of so many bytes made small, without metadata.
    pub(super) fn shrink(
        &self,
        source: impl Read + Seek,
        size: u64,
    ) -> std::result::Result<Vec<u8>, Undecoded> {
        let source = BufReader::new(source);
        if size > FILE_BYTES_MAX {
            let header = Header::read(source);
            return Err(header.map_or(Undecoded::Broken, |_| Undecoded::TooLarge));
        }
        let picture = pictures::small(&self.budget, source, SIDE_MAX)?;
        encode(&picture).ok_or(Undecoded::Broken)
    }

    /// Keeps the thumbnail that was made of a file before the file was moved to its place.
    pub(super) fn keep(&self, app: &App, place: &Thumb, bytes: &[u8]) {
        if let Err(error) = app.engine.place_thumb(place, bytes) {
            tracing::warn!(%error, "a thumbnail cannot be kept");
        }
    }
}

fn remember(broken: &Mutex<HashSet<Thumb>>, place: &Thumb) {
    let mut broken = lock(broken);
    if broken.len() >= BROKEN_MAX {
        broken.clear();
    }
    broken.insert(place.clone());
}

// What it guards cannot be left half done by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(blob: &Blob) -> std::io::Result<Bytes> {
    let mut bytes = vec![0; usize::try_from(blob.stat.size).map_err(std::io::Error::other)?];
    let read = blob.read_at(0, &mut bytes)?;
    bytes.truncate(read);
    Ok(bytes.into())
}

fn encode(picture: &DynamicImage) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    if is_transparent(picture) {
        picture.to_rgba8().write_to(&mut Cursor::new(&mut out), ImageFormat::Png).ok()?;
    } else {
        let encoder = JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY);
        picture.to_rgb8().write_with_encoder(encoder).ok()?;
    }
    Some(out)
}

fn is_transparent(picture: &DynamicImage) -> bool {
    picture.color().has_alpha() && picture.to_rgba8().pixels().any(|it| it.0[3] < u8::MAX)
}
