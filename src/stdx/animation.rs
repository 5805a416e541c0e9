//! Pictures that move: GIF, PNG and WebP files with more than one frame, told by their structure.
//! No pixels are decoded.

use std::io;
use std::io::BufRead;
use std::io::Seek;
use std::io::SeekFrom;

use image::ImageFormat;

/// The most parts of a file that are looked at.
const PARTS_MAX: usize = 100_000;

/// Returns true if a picture of this format has several frames.
pub fn is_animated(format: ImageFormat, mut file: impl BufRead + Seek) -> bool {
    // A file that ends too early shows what it has.
    file.rewind().is_ok()
        && match format {
            ImageFormat::Gif => is_animated_gif(file),
            ImageFormat::Png => is_animated_png(file),
            ImageFormat::WebP => is_animated_webp(file),
            _ => Ok(false),
        }
        .unwrap_or(false)
}

fn is_animated_webp(mut file: impl BufRead) -> io::Result<bool> {
    let mut head = [0; 21];
    file.read_exact(&mut head)?;
    let [.., flags] = head;
    Ok(head.get(12..16) == Some(b"VP8X") && flags & 0x02 != 0)
}

fn is_animated_png(mut file: impl BufRead + Seek) -> io::Result<bool> {
    file.seek(SeekFrom::Start(8))?;
    for _ in 0..PARTS_MAX {
        let mut head = [0; 8];
        file.read_exact(&mut head)?;
        let [a, b, c, d, kind @ ..] = head;
        match &kind {
            b"acTL" => return Ok(true),
            b"IDAT" | b"IEND" => return Ok(false),
            // Behind each part is its check value.
            _ => file.seek_relative(i64::from(u32::from_be_bytes([a, b, c, d])) + 4)?,
        }
    }
    Ok(false)
}

fn is_animated_gif(mut file: impl BufRead + Seek) -> io::Result<bool> {
    let mut head = [0; 13];
    file.read_exact(&mut head)?;
    skip_colors(&mut file, head[10])?;
    let mut frames = 0;
    for _ in 0..PARTS_MAX {
        match read_byte(&mut file)? {
            // An extension.
            0x21 => {
                read_byte(&mut file)?;
                skip_blocks(&mut file)?;
            }
            0x2c => {
                frames += 1;
                if frames > 1 {
                    return Ok(true);
                }
                let mut frame = [0; 9];
                file.read_exact(&mut frame)?;
                skip_colors(&mut file, frame[8])?;
                read_byte(&mut file)?;
                skip_blocks(&mut file)?;
            }
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// Skips a table of colours, if the flags say that there is one.
fn skip_colors(file: &mut (impl BufRead + Seek), flags: u8) -> io::Result<()> {
    if flags & 0x80 == 0 {
        return Ok(());
    }
    file.seek_relative(3 << ((flags & 7) + 1))
}

fn skip_blocks(file: &mut (impl BufRead + Seek)) -> io::Result<()> {
    for _ in 0..PARTS_MAX {
        match read_byte(file)? {
            0 => return Ok(()),
            length => file.seek_relative(i64::from(length))?,
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

fn read_byte(file: &mut impl BufRead) -> io::Result<u8> {
    let mut one = [0];
    file.read_exact(&mut one)?;
    Ok(one[0])
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::DynamicImage;
    use image::Frame;
    use image::RgbaImage;
    use image::codecs::gif::GifEncoder;

    use super::*;

    fn still(format: ImageFormat) -> Vec<u8> {
        let mut out = Vec::new();
        let picture = DynamicImage::new_rgb8(9, 9);
        picture.write_to(&mut Cursor::new(&mut out), format).unwrap();
        out
    }

    fn gif(frames: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = GifEncoder::new(&mut out);
        for _ in 0..frames {
            encoder.encode_frame(Frame::new(RgbaImage::new(9, 9))).unwrap();
        }
        drop(encoder);
        out
    }

    #[test]
    fn pictures_that_move_are_told() {
        let check = |format, bytes: &[u8], expect: bool| {
            assert_eq!(is_animated(format, Cursor::new(bytes)), expect, "{format:?}");
        };
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
            check(format, &still(format), false);
            check(format, &still(format)[..14], false);
            check(format, b"", false);
        }
        check(ImageFormat::Gif, &gif(1), false);
        check(ImageFormat::Gif, &gif(3), true);
        let mut png = still(ImageFormat::Png);
        png.splice(33..33, *b"\0\0\0\x08acTL\0\0\0\x02\0\0\0\0????");
        check(ImageFormat::Png, &png, true);
        let webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0".as_slice();
        check(ImageFormat::WebP, webp, true);
    }
}
