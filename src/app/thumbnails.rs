//! Thumbnails: made on first use, one at a time for each file, cached on disk and briefly in
//! memory.

use std::collections::HashMap;
use std::io::Cursor;
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
use crate::app::error::Result;
use crate::app::files::failed;
use crate::app::pictures;
use crate::app::pictures::Turns;
use crate::model::media::MediaItem;
use crate::model::name::WorkspaceSlug;
use crate::store::blob::Blob;
use crate::store::blob::Thumb;

/// The longest side of a thumbnail in pixels.
const SIDE_MAX: u32 = 512;

/// Larger files are not decoded.
const FILE_BYTES_MAX: u64 = 100 * 1024 * 1024;

/// The quality of JPEG thumbnails, of 100.
const JPEG_QUALITY: u8 = 82;

/// A thumbnail that is being made: whoever asks meanwhile waits for it. `None` when the picture
/// cannot be decoded.
type Making = Arc<OnceLock<Option<Bytes>>>;

/// Makes thumbnails, never the same twice at once.
#[derive(Default)]
pub struct Thumbnailer {
    making: Mutex<HashMap<Thumb, Making>>,
    pub(super) turns: Turns,
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
        let _turn = self.turns.take();
        let source = read(blob).map_err(|error| tracing::warn!(%error, "a picture cannot be read"));
        let made = shrink(&source.ok()?)?;
        if let Err(error) = app.engine.place_thumb(place, &made) {
            tracing::warn!(%error, "a thumbnail cannot be kept");
        }
        Some(made.into())
    }
}

// What it guards cannot be left half done by a panic.
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

/// A picture made small, without metadata.
fn shrink(source: &[u8]) -> Option<Vec<u8>> {
    encode(&pictures::small(source, SIDE_MAX)?)
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
