//! Pictures, decoded within limits and made small: thumbnails, and the pictures of users and
//! workspaces.

use std::io::Cursor;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::PoisonError;

use image::DynamicImage;
use image::ImageDecoder as _;
use image::ImageFormat;
use image::ImageReader;
use image::Limits;

use crate::app::App;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::problem::FieldProblems;

/// Pictures with more pixels are not decoded: a file of a few kilobytes can hold gigabytes.
pub(crate) const PIXELS_MAX: u64 = 40_000_000;

/// How much memory decoding one picture may take, in bytes.
const DECODE_BYTES_MAX: u64 = 160 * 1024 * 1024;

/// The kinds of pictures that are decoded.
const DECODED: &[ImageFormat] =
    &[ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif];

/// Who decodes a picture waits here for a turn: so many at once as there are cores, since each may
/// take much memory.
#[derive(Default)]
pub struct Turns {
    busy: Mutex<usize>,
    freed: Condvar,
}

impl Turns {
    /// Waits for a turn.
    pub(super) fn take(&self) -> Turn<'_> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // A panic cannot leave a number half done.
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        while *busy >= cores {
            busy = self.freed.wait(busy).unwrap_or_else(PoisonError::into_inner);
        }
        *busy += 1;
        Turn(self)
    }
}

/// The right to decode, given back when dropped.
pub(super) struct Turn<'a>(&'a Turns);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.busy.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.freed.notify_one();
    }
}

/// A JPEG, PNG, WebP or GIF by its bytes as a PNG without metadata, upright and of at most
/// `side_max` pixels each way; of an animation its first picture. `field` is where it came from:
/// errors are told there.
pub fn small_png(app: &App, bytes: &[u8], side_max: u32, field: &str) -> Result<Vec<u8>> {
    let _turn = app.thumbnails.turns.take();
    png(bytes, side_max, field)
}

fn png(bytes: &[u8], side_max: u32, field: &str) -> Result<Vec<u8>> {
    let told = |message: &str| FieldProblems::one(field, message);
    if !image::guess_format(bytes).is_ok_and(|it| DECODED.contains(&it)) {
        let problem = told("This must be a JPEG, PNG, WebP or GIF picture.");
        return Err(Error::file_type_not_allowed(problem));
    }
    let picture = small(bytes, side_max);
    let picture = picture.ok_or_else(|| {
        Error::invalid_image(told("This picture cannot be read, or is too large."))
    })?;
    let mut out = Vec::new();
    picture
        .to_rgba8()
        .write_to(&mut Cursor::new(&mut out), ImageFormat::Png)
        .map_err(Error::internal)?;
    Ok(out)
}

/// Decodes a picture, turns it upright and makes it small; nothing when that cannot be done, or
/// would take too much.
pub(super) fn small(source: &[u8], side_max: u32) -> Option<DynamicImage> {
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
    if width > side_max || height > side_max {
        picture = picture.thumbnail(side_max, side_max);
    }
    if let Some(orientation) = orientation {
        picture.apply_orientation(orientation);
    }
    Some(picture)
}

fn has_room(width: u32, height: u32, decoded_bytes: u64) -> bool {
    u64::from(width) * u64::from(height) <= PIXELS_MAX && decoded_bytes <= DECODE_BYTES_MAX
}

#[cfg(test)]
mod tests {
    use image::GenericImageView as _;
    use image::RgbImage;

    use super::*;
    use crate::app::error::Code;

    fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let picture = RgbImage::from_pixel(width, height, image::Rgb([200, 10, 10]));
        let mut out = Vec::new();
        let picture = DynamicImage::ImageRgb8(picture);
        picture.write_to(&mut Cursor::new(&mut out), format).unwrap();
        out
    }

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

    #[test]
    fn pictures_are_made_small_and_png() {
        let check = |width, height, format, expect: (u32, u32)| {
            let made = png(&encoded(width, height, format), 256, "icon").unwrap();
            assert_eq!(image::guess_format(&made).unwrap(), ImageFormat::Png);
            let made = image::load_from_memory(&made).unwrap();
            assert_eq!(made.dimensions(), expect, "{width} {height} {format:?}");
        };
        check(512, 256, ImageFormat::Jpeg, (256, 128));
        check(10, 20, ImageFormat::Png, (10, 20));
        check(300, 300, ImageFormat::Gif, (256, 256));
        check(1, 5_000, ImageFormat::WebP, (1, 256));
    }

    #[test]
    fn what_is_no_picture_is_refused_at_its_field() {
        let check = |bytes: &[u8], expect: Code| {
            let error = png(bytes, 256, "icon").unwrap_err();
            assert_eq!(error.code, expect);
            assert_eq!(error.fields.iter().next().map(|(field, _)| field), Some("icon"));
        };
        check(b"", Code::FileTypeNotAllowed);
        check(b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", Code::FileTypeNotAllowed);
        check(b"BM\0\0\0\0\0\0\0\0\0\0\0\0", Code::FileTypeNotAllowed);
        let picture = encoded(40, 40, ImageFormat::Png);
        check(&picture[..picture.len() / 2], Code::InvalidImage);
        // A header that claims more pixels than are decoded.
        let mut huge = picture;
        huge[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
        check(&huge, Code::InvalidImage);
    }
}
