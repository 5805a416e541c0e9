//! Thumbnails: made on first use, one at a time for each file, cached on disk and briefly in
//! memory.

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::OnceLock;
use std::sync::PoisonError;

use bytes::Bytes;
use image::DynamicImage;
use image::ImageDecoder as _;
use image::ImageFormat;
use image::ImageReader;
use image::Limits;
use image::codecs::jpeg::JpegEncoder;

use crate::app::App;
use crate::app::error::Result;
use crate::app::files::failed;
use crate::model::media::MediaItem;
use crate::model::name::WorkspaceSlug;
use crate::store::blob::Blob;
use crate::store::blob::Thumb;

/// The longest side of a thumbnail in pixels.
const SIDE_MAX: u32 = 512;

/// Pictures with more pixels are not decoded: a file of a few kilobytes can hold gigabytes.
pub(crate) const PIXELS_MAX: u64 = 40_000_000;

/// How much memory decoding one picture may take, in bytes.
const DECODE_BYTES_MAX: u64 = 160 * 1024 * 1024;

/// Larger files are not decoded.
const FILE_BYTES_MAX: u64 = 100 * 1024 * 1024;

/// The quality of JPEG thumbnails, of 100.
const JPEG_QUALITY: u8 = 82;

/// A thumbnail that is being made: whoever asks meanwhile waits for it. `None` when the picture
/// cannot be decoded.
type Making = Arc<OnceLock<Option<Bytes>>>;

/// Makes thumbnails, never the same twice at once, and never more at once than there are cores.
#[derive(Default)]
pub struct Thumbnailer {
    making: Mutex<HashMap<Thumb, Making>>,
    decoding: Mutex<usize>,
    decoded: Condvar,
}

impl Thumbnailer {
    /// The thumbnail of a file; nothing when the picture cannot be decoded. Takes as long as it
    /// takes.
    pub fn get(&self, app: &App, ws: &WorkspaceSlug, item: &MediaItem) -> Result<Option<Bytes>> {
        let blob =
            app.engine.open_media(ws, &item.filename).map_err(|error| failed(item, error))?;
        let place = Thumb::of(ws, &item.filename, &blob.stat);
        if let Some(bytes) = app.engine.open_thumb(&place).and_then(|it| read(&it).ok()) {
            return Ok(Some(bytes));
        }
        let making = lock(&self.making).entry(place.clone()).or_default().clone();
        let made = making.get_or_init(|| self.make(app, &place, &blob)).clone();
        lock(&self.making).remove(&place);
        Ok(made)
    }

    fn make(&self, app: &App, place: &Thumb, blob: &Blob) -> Option<Bytes> {
        let _turn = self.turn();
        let source = read(blob).map_err(|error| tracing::warn!(%error, "a picture cannot be read"));
        let made = shrink(&source.ok()?)?;
        if let Err(error) = app.engine.place_thumb(place, &made) {
            tracing::warn!(%error, "a thumbnail cannot be kept");
        }
        Some(made.into())
    }

    /// Waits until fewer pictures are being decoded than there are cores.
    fn turn(&self) -> Turn<'_> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut busy = lock(&self.decoding);
        while *busy >= cores {
            busy = self.decoded.wait(busy).unwrap_or_else(PoisonError::into_inner);
        }
        *busy += 1;
        Turn(self)
    }
}

/// The right to decode, given back when dropped.
struct Turn<'a>(&'a Thumbnailer);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *lock(&self.0.decoding) -= 1;
        self.0.decoded.notify_one();
    }
}

// Neither lock guards anything that a panic could leave half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(blob: &Blob) -> std::io::Result<Bytes> {
    let size = blob.stat.size;
    if size > FILE_BYTES_MAX {
        return Err(std::io::Error::other("the picture is too large to be decoded"));
    }
    let mut bytes = vec![0; usize::try_from(size).map_err(std::io::Error::other)?];
    let read = blob.read_at(0, &mut bytes)?;
    bytes.truncate(read);
    Ok(bytes.into())
}

/// Decodes a picture, turns it upright, makes it small and encodes it without metadata.
fn shrink(source: &[u8]) -> Option<Vec<u8>> {
    let mut reader = ImageReader::new(Cursor::new(source)).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODE_BYTES_MAX);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().ok()?;
    let (width, height) = decoder.dimensions();
    // The decoder's own limit is about what it needs beside the pixels themselves.
    if !has_room(width, height, decoder.total_bytes()) {
        return None;
    }
    let orientation = decoder.orientation().ok();
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    if width > SIDE_MAX || height > SIDE_MAX {
        picture = picture.thumbnail(SIDE_MAX, SIDE_MAX);
    }
    if let Some(orientation) = orientation {
        picture.apply_orientation(orientation);
    }
    encode(&picture)
}

fn has_room(width: u32, height: u32, decoded_bytes: u64) -> bool {
    u64::from(width) * u64::from(height) <= PIXELS_MAX && decoded_bytes <= DECODE_BYTES_MAX
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_need_room() {
        let check = |side: u32, pixel_bytes: u64, expect: bool| {
            let bytes = u64::from(side) * u64::from(side) * pixel_bytes;
            assert_eq!(has_room(side, side, bytes), expect, "{side} {pixel_bytes}");
        };
        check(6_000, 4, true);
        // Pixels of 16 bits a channel take as much memory as twice as many of 8.
        check(6_000, 8, false);
        check(4_000, 8, true);
        check(6_400, 1, false);
        check(u32::MAX, 0, false);
    }
}
