//! Image headers: the size and orientation of an image, and the memory needed to decode it. No
//! pixels are decoded here.

use std::io;
use std::io::BufRead;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;

use image::ColorType;
use image::ImageDecoder as _;
use image::ImageFormat;
use image::ImageReader;
use image::Limits;
use image::metadata::Orientation;

/// The memory limit for reading a header in bytes, since color profiles are unpacked for it.
const HEADER_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The maximum number of JPEG segments to read. Few files have more than twenty.
const SEGMENTS_MAX: usize = 4_096;

/// The fixed memory usage of decoders in bytes, beyond the part that grows with the image.
const DECODER_BYTES: u64 = 1024 * 1024;

/// The bytes of an image. Decoders are compiled for this one type, not for each kind of file, which
/// saves half a megabyte of the program.
pub trait ImageSource: BufRead + Seek {}

impl<S: BufRead + Seek> ImageSource for S {}

/// The header of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageHeader {
    /// The format according to the first bytes.
    pub format: ImageFormat,
    /// The stored width in pixels.
    pub width: u32,
    /// The stored height in pixels.
    pub height: u32,
    /// The transformation that turns the image upright.
    pub orientation: Orientation,
    /// The size of the decoded pixels in bytes.
    pub decoded_bytes: u64,
    /// The maximum additional memory of the decoder in bytes.
    pub beside_bytes: u64,
}

impl ImageHeader {
    /// Reads the header of an image; returns `None` if it cannot be decoded.
    pub fn read(file: &mut dyn ImageSource) -> Option<ImageHeader> {
        let size = file.seek(SeekFrom::End(0)).ok()?;
        file.rewind().ok()?;
        let mut head = Vec::new();
        (&mut *file).take(16).read_to_end(&mut head).ok()?;
        file.rewind().ok()?;
        if image::guess_format(&head).ok()? == ImageFormat::Jpeg {
            return JpegHeader::read(file).ok().flatten()?.to_header(size);
        }
        let is_extended = head.get(12..16) == Some(b"VP8X");
        let mut reader = ImageReader::new(file).with_guessed_format().ok()?;
        let format = reader.format()?;
        let mut limits = Limits::default();
        limits.max_alloc = Some(HEADER_BYTES_MAX);
        reader.limits(limits);
        let mut decoder = reader.into_decoder().ok()?;
        let (width, height) = decoder.dimensions();
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let (decoded_bytes, color) = (decoder.total_bytes(), decoder.color_type());
        let beside = beside_bytes(format, is_extended, color, u64::from(width) * u64::from(height));
        let beside_bytes = DECODER_BYTES.saturating_add(beside);
        Some(ImageHeader { format, width, height, orientation, decoded_bytes, beside_bytes })
    }

    /// Returns the width and height of the upright image.
    pub fn upright_size(&self) -> (u32, u32) {
        let is_turned = matches!(
            self.orientation,
            Orientation::Rotate90
                | Orientation::Rotate270
                | Orientation::Rotate90FlipH
                | Orientation::Rotate270FlipH
        );
        if is_turned { (self.height, self.width) } else { (self.width, self.height) }
    }

    /// Returns the maximum memory needed to decode the image, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.decoded_bytes.saturating_add(self.beside_bytes)
    }
}

/// Returns the memory that decoders of formats other than JPEG need besides the decoded pixels. PNG
/// is decoded row by row. Frames of a GIF that do not cover its screen need a buffer of their own.
/// WebP has its own planes or pixels, and in the extended form a canvas, a frame and the planes of
/// transparency.
fn beside_bytes(format: ImageFormat, is_extended: bool, color: ColorType, pixels: u64) -> u64 {
    let per_pixel = match format {
        ImageFormat::Gif => u64::from(color.bytes_per_pixel()),
        ImageFormat::WebP if is_extended => 10,
        ImageFormat::WebP => 4,
        _ => 0,
    };
    pixels.saturating_mul(per_pixel)
}

/// The segments of a JPEG before its pixels. They are parsed here, because the decoder reads the
/// whole file before it returns anything.
struct JpegHeader {
    width: u64,
    height: u64,
    /// The horizontal and vertical sampling factors of each component.
    components: Vec<(u64, u64)>,
    is_progressive: bool,
    /// The number of components in the first scan.
    scanned: usize,
    orientation: Orientation,
}

impl JpegHeader {
    fn read(file: &mut dyn ImageSource) -> io::Result<Option<JpegHeader>> {
        let mut jpeg = JpegHeader {
            width: 0,
            height: 0,
            components: Vec::new(),
            is_progressive: false,
            scanned: 0,
            orientation: Orientation::NoTransforms,
        };
        file.seek(SeekFrom::Start(2))?;
        for _ in 0..SEGMENTS_MAX {
            let marker = next_marker(file)?;
            match marker {
                // Markers without a length.
                0x01 | 0xd0..=0xd8 => continue,
                0xd9 => return Ok(None),
                _ => {}
            }
            let length = u64::from(read_u16(file)?);
            let Some(length) = length.checked_sub(2) else { return Ok(None) };
            match marker {
                0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                    jpeg.is_progressive = matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce);
                    let body = read_segment(file, length)?;
                    if jpeg.read_frame(&body).is_none() {
                        return Ok(None);
                    }
                }
                0xda => {
                    jpeg.scanned =
                        usize::from(read_segment(file, length)?.first().copied().unwrap_or(0));
                    return Ok((!jpeg.components.is_empty()).then_some(jpeg));
                }
                0xe1 => {
                    let body = read_segment(file, length)?;
                    if let Some(exif) = body.strip_prefix(b"Exif\0\0")
                        && let Some(orientation) = Orientation::from_exif_chunk(exif)
                    {
                        jpeg.orientation = orientation;
                    }
                }
                _ => {
                    let length = i64::try_from(length).map_err(io::Error::other)?;
                    file.seek_relative(length)?;
                }
            }
        }
        Ok(None)
    }

    /// Reads the frame segment.
    fn read_frame(&mut self, body: &[u8]) -> Option<()> {
        let number = |at: usize| {
            let pair = body.get(at..at + 2)?.try_into().ok()?;
            Some(u64::from(u16::from_be_bytes(pair)))
        };
        (self.height, self.width) = (number(1)?, number(3)?);
        let count = usize::from(*body.get(5)?);
        let components = body.get(6..6 + 3 * count)?.chunks_exact(3);
        let factors = components.filter_map(|it| it.get(1)).map(|it| (it >> 4, it & 15));
        self.components = factors.map(|(h, v)| (u64::from(h), u64::from(v))).collect();
        let fits = |it: &(u64, u64)| (1..=4).contains(&it.0) && (1..=4).contains(&it.1);
        (self.width > 0 && self.height > 0 && self.components.iter().all(fits)).then_some(())
    }

    /// Converts to an image header, given the size of the file, which the decoder loads completely.
    fn to_header(&self, file_bytes: u64) -> Option<ImageHeader> {
        let pixels = self.width * self.height;
        let channels = if self.components.len() == 1 { 1 } else { 3 };
        let across = self.components.iter().map(|it| it.0).max()?;
        let down = self.components.iter().map(|it| it.1).max()?;
        // If the components of a block are in several scans, all coefficients are kept, two bytes
        // each.
        let is_kept = self.is_progressive || self.scanned < self.components.len();
        let plane = |it: &(u64, u64)| pixels * it.0 * it.1 * 2 / (across * down);
        let coefficients: u64 = if is_kept { self.components.iter().map(plane).sum() } else { 0 };
        let rows = self.width * 64 * self.components.len() as u64;
        Some(ImageHeader {
            format: ImageFormat::Jpeg,
            width: u32::try_from(self.width).ok()?,
            height: u32::try_from(self.height).ok()?,
            orientation: self.orientation,
            decoded_bytes: pixels * channels,
            beside_bytes: DECODER_BYTES
                .saturating_add(file_bytes)
                .saturating_add(coefficients)
                .saturating_add(rows),
        })
    }
}

/// Reads the next marker. Bytes between segments are skipped, as decoders do.
fn next_marker(file: &mut dyn ImageSource) -> io::Result<u8> {
    let mut skipped = Vec::new();
    (&mut *file).take(u64::from(u16::MAX)).read_until(0xff, &mut skipped)?;
    loop {
        match read_byte(file)? {
            0xff => {}
            0 => return Err(io::ErrorKind::InvalidData.into()),
            marker => return Ok(marker),
        }
    }
}

fn read_byte(file: &mut dyn ImageSource) -> io::Result<u8> {
    let mut one = [0];
    file.read_exact(&mut one)?;
    Ok(one[0])
}

fn read_u16(file: &mut dyn ImageSource) -> io::Result<u16> {
    let mut two = [0; 2];
    file.read_exact(&mut two)?;
    Ok(u16::from_be_bytes(two))
}

fn read_segment(file: &mut dyn ImageSource, length: u64) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    (&mut *file).take(length).read_to_end(&mut body)?;
    Ok(body)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::DynamicImage;
    use image::RgbImage;

    use super::*;

    fn encoded(format: ImageFormat) -> Vec<u8> {
        let picture = RgbImage::from_pixel(30, 20, image::Rgb([200, 10, 10]));
        let mut out = Vec::new();
        DynamicImage::ImageRgb8(picture).write_to(&mut Cursor::new(&mut out), format).unwrap();
        out
    }

    fn read(bytes: &[u8]) -> Option<ImageHeader> {
        ImageHeader::read(&mut Cursor::new(bytes))
    }

    /// Builds the segments of a JPEG with 3 components, sampled at half size, and the start of its
    /// first scan.
    fn jpeg(frame_marker: u8, scanned: u8, side: u16) -> Vec<u8> {
        let [high, low] = side.to_be_bytes();
        let mut out = vec![0xff, 0xd8, 0xff, 0xfe, 0, 4, b'h', b'i'];
        out.extend([0xff, frame_marker, 0, 17, 8, high, low, high, low, 3]);
        out.extend([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]);
        out.extend([0xff, 0xda, 0, 3, scanned]);
        out
    }

    #[test]
    fn headers_tell_size_and_memory() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
            let bytes = encoded(format);
            let header = read(&bytes).unwrap();
            assert_eq!((header.format, header.upright_size()), (format, (30, 20)));
            assert!(header.decoded_bytes >= 30 * 20 * 3, "{format:?}");
            let decoder = ImageReader::new(Cursor::new(&bytes)).with_guessed_format().unwrap();
            let decoder = decoder.into_decoder().unwrap();
            assert_eq!(header.decoded_bytes, decoder.total_bytes(), "{format:?}");
        }
    }

    #[test]
    fn coefficients_count_where_they_are_kept() {
        let check = |marker: u8, scanned: u8, expect: u64| {
            let bytes = jpeg(marker, scanned, 1_000);
            let header = read(&bytes).unwrap();
            let rows = 1_000 * 64 * 3;
            let coefficients = header.beside_bytes - DECODER_BYTES - bytes.len() as u64 - rows;
            assert_eq!(coefficients, expect, "{marker:x} {scanned}");
        };
        check(0xc0, 3, 0);
        check(0xc0, 1, 3_000_000);
        check(0xc2, 3, 3_000_000);
        check(0xc2, 1, 3_000_000);
    }

    #[test]
    fn exif_turns_a_jpeg() {
        let exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
        let plain = encoded(ImageFormat::Jpeg);
        let mut turned = plain[..2].to_vec();
        turned.extend([0xff, 0xe1, 0, u8::try_from(exif.len() + 2).unwrap()]);
        turned.extend(exif);
        turned.extend(&plain[2..]);
        assert_eq!(read(&turned).unwrap().upright_size(), (20, 30));
    }

    #[test]
    fn what_has_no_header_is_no_picture() {
        let png = encoded(ImageFormat::Png);
        for bytes in [
            b"".as_slice(),
            b"<svg/>",
            b"\xff\xd8\xff",
            b"\xff\xd8\xff\xd9",
            b"\xff\xd8\xff\xda\0\x03\x01",
            b"\xff\xd8\xff\xc0\0\0",
            &jpeg(0xc0, 3, 0),
            &png[..20],
        ] {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
    }
}
