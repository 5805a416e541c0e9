//! Generated pictures of a given size in bytes: a gradient with noise, which compresses like
//! photographs.

use image::DynamicImage;
use image::ImageFormat;
use image::RgbImage;
use image::codecs::jpeg::JpegEncoder;

use crate::BenchError;
use crate::words::Rng;

/// The file of 100 KB that the media rows serve.
pub(crate) const SERVED: &str = "photo.jpg";

/// Returns the names and contents of the three pictures in the media folder.
pub(crate) fn all(seed: u64) -> Result<Vec<(&'static str, Vec<u8>)>, BenchError> {
    Ok(vec![
        (SERVED, jpeg_of(seed, 102_400)?),
        ("hero.jpg", jpeg_of(seed + 1, 115_712)?),
        ("diagram.png", png(seed + 2)?),
    ])
}

/// Encodes a JPEG of exactly `bytes` bytes: the best quality that fits, padded after its end, where
/// decoders do not read.
fn jpeg_of(seed: u64, bytes: usize) -> Result<Vec<u8>, BenchError> {
    let picture = noisy_gradient(seed, 640, 480, 48);
    let (mut best, mut low, mut high) = (Vec::new(), 1, 97);
    while low < high {
        let quality = (low + high) / 2;
        let file = encode_jpeg(&picture, quality)?;
        if file.len() <= bytes {
            (best, low) = (file, quality + 1);
        } else {
            high = quality;
        }
    }
    best.resize(bytes, 0);
    Ok(best)
}

/// Returns a JPEG of 12 megapixels that is cheap to store.
pub(crate) fn large(seed: u64) -> Result<Vec<u8>, BenchError> {
    encode_jpeg(&noisy_gradient(seed, 4_000, 3_000, 2), 60)
}

/// Returns a JPEG of about 3 MB.
pub(crate) fn photograph(seed: u64) -> Result<Vec<u8>, BenchError> {
    encode_jpeg(&noisy_gradient(seed, 2_400, 1_800, 48), 90)
}

fn encode_jpeg(picture: &RgbImage, quality: u8) -> Result<Vec<u8>, BenchError> {
    let mut file = Vec::new();
    JpegEncoder::new_with_quality(&mut file, quality)
        .encode_image(picture)
        .map_err(BenchError::Image)?;
    Ok(file)
}

fn png(seed: u64) -> Result<Vec<u8>, BenchError> {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = DynamicImage::ImageRgb8(noisy_gradient(seed, 320, 240, 2));
    picture.write_to(&mut file, ImageFormat::Png).map_err(BenchError::Image)?;
    Ok(file.into_inner())
}

fn noisy_gradient(seed: u64, width: u32, height: u32, noise: usize) -> RgbImage {
    let mut rng = Rng::new(seed, 3);
    let mut shade = |part: u32, whole: u32| (part * 200 / whole) as u8 + rng.below(noise) as u8;
    RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([shade(x, width), shade(y, height), shade(x + y, width + height)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_their_size_and_decode() {
        let pictures = all(1).expect("made");
        for (name, file) in &pictures {
            let picture = image::load_from_memory(file).expect(name);
            assert!(picture.width() >= 320, "{name}");
        }
        assert_eq!(pictures[0].1.len(), 102_400);
        let used = pictures[0].1.iter().rposition(|&byte| byte != 0).expect("not empty");
        assert!(used > 90_000, "only {used} bytes are picture");
    }
}
