//! Sketches of pictures: a placeholder and a colour, computed once for the bytes of each file.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::DynamicImage;

use crate::app::media::linear_light;
use crate::model::media::PictureSketch;
use crate::model::media::SharedSketch;
use crate::stdx::thumb_hash;

/// Computes the sketch of a decoded picture; of an animation, that is its first frame.
pub(crate) fn sketch_picture(picture: &DynamicImage, is_animated: bool) -> SharedSketch {
    let side = thumb_hash::SIDE_MAX as u32;
    let small = match picture.width().max(picture.height()) > side {
        true => picture.thumbnail(side, side).to_rgba8(),
        false => picture.to_rgba8(),
    };
    let (width, height) = (small.width() as usize, small.height() as usize);
    let hash = thumb_hash::compute_thumb_hash(width, height, small.as_raw())?;
    let [red, green, blue] = linear_light::average_color(small.as_raw());
    Some(Arc::new(PictureSketch {
        placeholder: STANDARD.encode(hash).into(),
        color: format!("#{red:02x}{green:02x}{blue:02x}").into(),
        is_animated,
    }))
}

#[cfg(test)]
mod tests {
    use image::Rgb;
    use image::RgbImage;

    use super::*;

    #[test]
    fn a_sketch_is_small_and_tells_the_color() {
        let check = |width: u32, height: u32, color: [u8; 3], expect: &str| {
            let picture = DynamicImage::from(RgbImage::from_pixel(width, height, Rgb(color)));
            for is_animated in [false, true] {
                let sketch = sketch_picture(&picture, is_animated).unwrap();
                assert_eq!((&*sketch.color, sketch.is_animated), (expect, is_animated));
                assert!(STANDARD.decode(&*sketch.placeholder).unwrap().len() <= 26);
            }
        };
        check(1, 1, [200, 10, 10], "#c80a0a");
        check(3_000, 2, [0, 0, 0], "#000000");
        check(300, 200, [255, 255, 254], "#fffffe");
    }
}
