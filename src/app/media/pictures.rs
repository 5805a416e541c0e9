//! Pictures, decoded within limits and made small: thumbnails, and the pictures of users and
//! workspaces.

use std::io::Cursor;

use image::ColorType;
use image::DynamicImage;
use image::ImageBuffer;
use image::ImageDecoder;
use image::ImageFormat;
use image::ImageReader;
use image::Limits;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::decode_budget::BudgetExhausted;
use crate::app::media::decode_budget::DecodeBudget;
use crate::app::media::decode_budget::MemoryReservation;
use crate::app::media::resizing::StoredPicture;
use crate::model::media::MediaItem;
use crate::model::problem::FieldProblems;
use crate::stdx::animation::is_animated;
use crate::stdx::image_header::ImageHeader;
use crate::stdx::image_header::ImageSource;

/// Pictures with more pixels are not decoded: a file of a few kilobytes can hold gigabytes.
pub(crate) const PIXELS_MAX: u64 = 40_000_000;

/// The memory in bytes that the pixels of one picture may take.
const DECODE_BYTES_MAX: u64 = 160 * 1024 * 1024;

/// The size of a buffer for pixels, at least. The GNU allocator gives blocks above 32 MiB back to
/// the system, always; smaller ones it keeps, tens of megabytes for each thread that ever decoded
/// a picture.
const BUFFER_BYTES_MIN: usize = 33 * 1024 * 1024;

/// The largest colour profile that is read.
const PROFILE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The size up to which the pixels of a picture are no burden. Larger pictures have a side of more
/// than 512 pixels, so they are made small, and never copied with the whole buffer.
const SMALL_BYTES_MAX: usize = 1024 * 1024;

/// The kinds of pictures that are decoded.
const DECODED: &[ImageFormat] =
    &[ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif];

/// Why a picture is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// It is none, or a broken one.
    Broken,
    /// It has more pixels than are decoded.
    TooLarge,
    /// It would take more memory than there is right now.
    NoMemory,
    /// Others are decoded: there is no memory for it right now.
    Busy,
}

impl From<BudgetExhausted> for DecodeError {
    fn from(why: BudgetExhausted) -> DecodeError {
        match why {
            BudgetExhausted::TooLarge => DecodeError::NoMemory,
            BudgetExhausted::Busy => DecodeError::Busy,
        }
    }
}

/// Returns true if the first bytes of a file are those of a picture that is decoded.
pub(crate) fn is_decodable(head: &[u8]) -> bool {
    image::guess_format(head).is_ok_and(|it| DECODED.contains(&it))
}

/// Returns true if a thumbnail can be made: for pictures that are decoded here, are not too large,
/// and are not known to be broken.
pub fn has_thumbnail(item: &MediaItem) -> bool {
    let pixels = item.width.zip(item.height).map(|(w, h)| u64::from(w) * u64::from(h));
    is_decoded(item.mime) && !item.is_broken && pixels.is_some_and(|it| it <= PIXELS_MAX)
}

/// Returns true if variants can be made: for pictures with a thumbnail that are not known to move.
pub(super) fn has_variants(item: &MediaItem) -> bool {
    has_thumbnail(item) && !item.is_animated()
}

/// Returns true if a picture has several frames.
pub(crate) fn has_frames(source: &mut dyn ImageSource) -> bool {
    let header = ImageHeader::read(source);
    header.is_some_and(|it| is_animated(it.format, source))
}

/// Returns true if pictures of this type are decoded.
pub(crate) fn is_decoded(mime: &str) -> bool {
    matches!(mime, "image/jpeg" | "image/png" | "image/gif" | "image/webp")
}

/// Returns the error for a picture that is sent while others are decoded.
pub(crate) fn busy_error() -> Error {
    Error::busy("Too many pictures are being decoded right now.")
}

/// A JPEG, PNG, WebP or GIF by its bytes as a PNG without metadata, upright and of at most
/// `side_max` pixels each way; of an animation its first picture. `field` is where it came from:
/// errors are told there.
pub fn make_small_png(
    budget: &DecodeBudget,
    bytes: &[u8],
    side_max: u32,
    field: &str,
) -> Result<Vec<u8>> {
    let told = |message: &str| FieldProblems::from_problem(field, message);
    if !is_decodable(bytes) {
        let problem = told("This must be a JPEG, PNG, WebP or GIF picture.");
        return Err(Error::file_type_not_allowed(problem));
    }
    let picture =
        decode_small(budget, &mut Cursor::new(bytes), side_max).map_err(|why| match why {
            DecodeError::Busy => busy_error(),
            DecodeError::Broken | DecodeError::TooLarge | DecodeError::NoMemory => {
                Error::invalid_image(told("This picture cannot be read, or is too large."))
            }
        })?;
    let mut out = Vec::new();
    picture
        .to_rgba8()
        .write_to(&mut Cursor::new(&mut out), ImageFormat::Png)
        .map_err(Error::internal)?;
    Ok(out)
}

/// Decodes a picture while its memory is set aside, turns it upright and makes it small.
pub(crate) fn decode_small(
    budget: &DecodeBudget,
    source: &mut dyn ImageSource,
    side_max: u32,
) -> std::result::Result<DynamicImage, DecodeError> {
    let header = ImageHeader::read(source).ok_or(DecodeError::Broken)?;
    if !has_room(header.width, header.height, header.decoded_bytes) {
        return Err(DecodeError::TooLarge);
    }
    let _share = budget.acquire(header.memory_bytes())?;
    let mut picture = decode_picture(source, &header).ok_or(DecodeError::Broken)?;
    if header.width > side_max || header.height > side_max {
        picture = picture.thumbnail(side_max, side_max);
    }
    picture.apply_orientation(header.orientation);
    Ok(picture)
}

/// Decodes a whole picture while its memory is set aside, and `beside_bytes` for what is made of
/// it, until the reservation is dropped.
pub(super) fn decode_whole<'b>(
    budget: &'b DecodeBudget,
    source: &mut dyn ImageSource,
    header: &ImageHeader,
    beside_bytes: u64,
) -> std::result::Result<(StoredPicture, MemoryReservation<'b>), DecodeError> {
    if !has_room(header.width, header.height, header.decoded_bytes) {
        return Err(DecodeError::TooLarge);
    }
    let held = budget.acquire(header.memory_bytes().saturating_add(beside_bytes))?;
    let profile = read_profile(source, header);
    let pixels = decode_picture(source, header).ok_or(DecodeError::Broken)?;
    Ok((StoredPicture { pixels, orientation: header.orientation, profile }, held))
}

/// Reads the colour profile of a picture. One that is too large is none.
fn read_profile(source: &mut dyn ImageSource, header: &ImageHeader) -> Option<Vec<u8>> {
    source.rewind().ok()?;
    let mut decoder = open_decoder(source, header)?;
    let profile = decoder.icc_profile().ok().flatten()?;
    (profile.len() <= PROFILE_BYTES_MAX).then_some(profile)
}

fn open_decoder<'s>(
    source: &'s mut dyn ImageSource,
    header: &ImageHeader,
) -> Option<impl ImageDecoder + 's> {
    let mut reader = ImageReader::with_format(source, header.format);
    let mut limits = Limits::default();
    // About what the decoder needs beside the pixels themselves.
    limits.max_alloc = Some(header.beside_bytes);
    reader.limits(limits);
    reader.into_decoder().ok()
}

fn decode_picture(source: &mut dyn ImageSource, header: &ImageHeader) -> Option<DynamicImage> {
    source.rewind().ok()?;
    let decoder = open_decoder(source, header)?;
    let (width, height) = decoder.dimensions();
    match decoder.color_type() {
        ColorType::L8 => {
            let picture = ImageBuffer::from_raw(width, height, read_pixels(decoder)?)?;
            Some(DynamicImage::ImageLuma8(picture))
        }
        ColorType::La8 => {
            let picture = ImageBuffer::from_raw(width, height, read_pixels(decoder)?)?;
            Some(DynamicImage::ImageLumaA8(picture))
        }
        ColorType::Rgb8 => {
            let picture = ImageBuffer::from_raw(width, height, read_pixels(decoder)?)?;
            Some(DynamicImage::ImageRgb8(picture))
        }
        ColorType::Rgba8 => {
            let picture = ImageBuffer::from_raw(width, height, read_pixels(decoder)?)?;
            Some(DynamicImage::ImageRgba8(picture))
        }
        // Pictures with more than 8 bits for each channel are rare.
        _ => DynamicImage::from_decoder(decoder).ok(),
    }
}

/// Decodes pixels of 8 bits for each channel into a buffer that the system gets back at once. Only
/// the pages that are written take memory.
fn read_pixels(decoder: impl ImageDecoder) -> Option<Vec<u8>> {
    let bytes = usize::try_from(decoder.total_bytes()).ok()?;
    let reserved = if bytes > SMALL_BYTES_MAX { bytes.max(BUFFER_BYTES_MIN) } else { bytes };
    let mut pixels = vec![0; reserved];
    decoder.read_image(pixels.get_mut(..bytes)?).ok()?;
    Some(pixels)
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
    fn every_kind_of_pixel_is_decoded() {
        let check = |picture: DynamicImage, shade: u8| {
            let mut file = Vec::new();
            picture.write_to(&mut Cursor::new(&mut file), ImageFormat::Png).unwrap();
            let budget = DecodeBudget::default();
            let decoded = decode_small(&budget, &mut Cursor::new(&file), 64).unwrap();
            assert_eq!((decoded.color(), decoded.dimensions()), (picture.color(), (30, 20)));
            assert!(decoded.to_luma8().pixels().all(|it| it.0[0].abs_diff(shade) < 2));
        };
        let grey = DynamicImage::from(image::GrayImage::from_pixel(30, 20, image::Luma([77])));
        check(DynamicImage::from(grey.to_luma_alpha8()), 77);
        check(DynamicImage::from(grey.to_rgb8()), 77);
        check(DynamicImage::from(grey.to_rgba8()), 77);
        check(DynamicImage::from(grey.to_rgb16()), 77);
        check(grey, 77);
    }

    #[test]
    fn pictures_are_made_small_and_png() {
        let check = |width, height, format, expect: (u32, u32)| {
            let made = make_small_png(
                &DecodeBudget::default(),
                &encoded(width, height, format),
                256,
                "icon",
            )
            .unwrap();
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
            let error = make_small_png(&DecodeBudget::default(), bytes, 256, "icon").unwrap_err();
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
