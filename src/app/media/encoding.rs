//! Encoding of pictures: JPEG, PNG and lossless WebP, always without metadata.

use std::io::Cursor;

use image::DynamicImage;
use image::ImageEncoder as _;
use image::codecs::png::CompressionType;
use image::codecs::png::FilterType;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use jpeg_encoder::ChromaSubsamplingMethod;
use jpeg_encoder::Encoder;
use jpeg_encoder::ImageBuffer;
use jpeg_encoder::JpegColorType;
use jpeg_encoder::rgb_to_ycbcr;

use crate::model::media::PictureFormat;

/// Encodes a picture; `quality` from 1 to 100 matters to JPEG alone. Transparent parts of a JPEG
/// are white. Returns `None` if the picture does not fit into the format.
pub(crate) fn encode_picture(
    picture: &DynamicImage,
    format: PictureFormat,
    quality: u8,
) -> Option<Vec<u8>> {
    match format {
        PictureFormat::Jpeg => encode_jpeg(picture, quality),
        PictureFormat::Png => encode_png(picture),
        PictureFormat::Webp => encode_webp(picture),
    }
}

/// Returns true if some part of a picture is transparent.
pub(crate) fn is_transparent(picture: &DynamicImage) -> bool {
    match picture {
        DynamicImage::ImageRgba8(it) => it.pixels().any(|it| it.0[3] < u8::MAX),
        _ => picture.color().has_alpha() && picture.to_rgba8().pixels().any(|it| it.0[3] < u8::MAX),
    }
}

fn encode_jpeg(picture: &DynamicImage, quality: u8) -> Option<Vec<u8>> {
    let flat;
    let (bytes, is_grey): (&[u8], bool) = match picture {
        DynamicImage::ImageLuma8(grey) => (grey.as_raw(), true),
        DynamicImage::ImageRgb8(colored) => (colored.as_raw(), false),
        other => {
            flat = flatten_on_white(other);
            (&flat, false)
        }
    };
    let width = u16::try_from(picture.width()).ok()?;
    let height = u16::try_from(picture.height()).ok()?;
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, quality);
    // Not with tables of its own for each picture: with fewer samples of colour than of light, this
    // version makes tables in which values are missing.
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    encoder.encode_image(JpegPixels { bytes, is_grey, width, height }).ok()?;
    Some(out)
}

/// The pixels of a JPEG: bytes of grey, or of red, green and blue. With one type for both, the
/// encoder is in the program once, not once for each of the types that it knows.
struct JpegPixels<'p> {
    bytes: &'p [u8],
    is_grey: bool,
    width: u16,
    height: u16,
}

impl ImageBuffer for JpegPixels<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        if self.is_grey { JpegColorType::Luma } else { JpegColorType::Ycbcr }
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let n_bytes = usize::from(self.width) * if self.is_grey { 1 } else { 3 };
        let row = self.bytes.chunks_exact(n_bytes).nth(usize::from(y)).unwrap_or_default();
        if self.is_grey {
            buffers[0].extend_from_slice(row);
            return;
        }
        let (pixels, _) = row.as_chunks::<3>();
        let [lights, blues, reds, _] = buffers;
        lights.extend(pixels.iter().map(|[r, g, b]| rgb_to_ycbcr(*r, *g, *b).0));
        blues.extend(pixels.iter().map(|[r, g, b]| rgb_to_ycbcr(*r, *g, *b).1));
        reds.extend(pixels.iter().map(|[r, g, b]| rgb_to_ycbcr(*r, *g, *b).2));
    }
}

/// Returns the bytes of a picture of three for each pixel, laid on white.
fn flatten_on_white(picture: &DynamicImage) -> Vec<u8> {
    let rgba = picture.to_rgba8();
    let lay = |byte: u8, alpha: u8| {
        let (byte, alpha) = (u32::from(byte), u32::from(alpha));
        ((byte * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    rgba.pixels().flat_map(|it| [0, 1, 2].map(|at| lay(it.0[at], it.0[3]))).collect()
}

fn encode_png(picture: &DynamicImage) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let encoder = PngEncoder::new_with_quality(
        Cursor::new(&mut out),
        CompressionType::Default,
        FilterType::Adaptive,
    );
    let (width, height, color) = (picture.width(), picture.height(), picture.color());
    encoder.write_image(picture.as_bytes(), width, height, color.into()).ok()?;
    Some(out)
}

fn encode_webp(picture: &DynamicImage) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let encoder = WebPEncoder::new_lossless(&mut out);
    let (width, height, color) = (picture.width(), picture.height(), picture.color());
    encoder.encode(picture.as_bytes(), width, height, color.into()).ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use image::ImageFormat;
    use image::Rgb;
    use image::RgbImage;
    use image::Rgba;
    use image::RgbaImage;

    use super::*;

    #[test]
    fn pictures_are_what_they_were() {
        let seen = RgbaImage::from_fn(40, 30, |x, y| {
            Rgba([(x * 6) as u8, (y * 8) as u8, 90, if x < 20 { 255 } else { 0 }])
        });
        let seen = DynamicImage::from(seen);
        assert!(is_transparent(&seen) && !is_transparent(&DynamicImage::from(seen.to_rgb8())));
        let check = |format: PictureFormat, expect: ImageFormat, corner: [u8; 4]| {
            let bytes = encode_picture(&seen, format, 90).unwrap();
            assert_eq!(image::guess_format(&bytes).unwrap(), expect);
            let decoded = image::load_from_memory(&bytes).unwrap().to_rgba8();
            assert_eq!(decoded.dimensions(), (40, 30));
            for (x, expect) in [(5, [30, 80, 90, 255]), (39, corner)] {
                let found = decoded.get_pixel(x, 10).0;
                let near = found.iter().zip(expect).all(|(one, two)| one.abs_diff(two) < 12);
                assert!(near, "{format} {found:?}");
            }
        };
        check(PictureFormat::Jpeg, ImageFormat::Jpeg, [255, 255, 255, 255]);
        check(PictureFormat::Png, ImageFormat::Png, [234, 80, 90, 0]);
        check(PictureFormat::Webp, ImageFormat::WebP, [234, 80, 90, 0]);
    }

    #[test]
    fn jpegs_of_all_qualities_look_like_the_picture() {
        let texture = RgbImage::from_fn(77, 51, |x, y| {
            Rgb([(x * 3) as u8, (y * 5) as u8, ((x * y) % 64 + 90) as u8])
        });
        let texture = DynamicImage::from(texture);
        for quality in 1..=100 {
            let bytes = encode_picture(&texture, PictureFormat::Jpeg, quality).unwrap();
            let decoded = image::load_from_memory(&bytes).unwrap().to_rgb8();
            let pairs = decoded.as_raw().iter().zip(texture.as_bytes());
            let total: u64 = pairs.map(|(one, two)| u64::from(one.abs_diff(*two))).sum();
            let average = total / decoded.as_raw().len() as u64;
            assert!(average < if quality < 20 { 40 } else { 15 }, "{quality} {average}");
        }
    }
}
