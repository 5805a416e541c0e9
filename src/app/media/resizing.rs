//! The making of variants: a part of a decoded picture is made small in linear light, turned
//! upright, and converted to sRGB.
//!
//! The picture is read in bands, so that what is kept beside its bytes grows with the variant.

use std::ops::Range;

use fast_image_resize::FilterType;
use fast_image_resize::PixelTrait;
use fast_image_resize::ResizeAlg;
use fast_image_resize::ResizeOptions;
use fast_image_resize::Resizer;
use fast_image_resize::images::TypedImage;
use fast_image_resize::images::TypedImageRef;
use fast_image_resize::pixels::U16;
use fast_image_resize::pixels::U16x3;
use image::DynamicImage;
use image::RgbImage;
use image::RgbaImage;
use image::metadata::Orientation;
use moxcms::ColorProfile;
use moxcms::DataColorSpace;
use moxcms::Layout;
use moxcms::TransformOptions;

use crate::app::media::encoding::is_transparent;
use crate::app::media::linear_light::byte_values;
use crate::app::media::linear_light::linear_values;
use crate::model::media::PictureArea;
use crate::model::media::VariantPlan;

/// The number of rows that are read at once.
const BAND_ROWS: u32 = 64;

/// The bytes of one pixel in linear light, at most.
const PIXEL_BYTES: u64 = 8;

/// A decoded picture as it is stored.
pub(super) struct StoredPicture {
    pub(super) pixels: DynamicImage,
    pub(super) orientation: Orientation,
    /// The colour profile, if there is one.
    pub(super) profile: Option<Vec<u8>>,
}

/// Returns the memory in bytes that making a variant takes beside the picture itself.
pub(super) fn estimate_bytes(plan: &VariantPlan, stored_width: u32) -> u64 {
    let area = |width: u64, height: u64| width.saturating_mul(height).saturating_mul(PIXEL_BYTES);
    let longest = u64::from(plan.size.0.max(plan.size.1));
    let rows = plan.area.height.max(plan.area.width).ceil() as u64;
    let band = area(u64::from(stored_width), u64::from(BAND_ROWS));
    let canvas = area(u64::from(plan.canvas.0), u64::from(plan.canvas.1));
    // The rows that are narrow already, the variant, and its encoded forms.
    area(longest, rows).saturating_add(band).saturating_add(canvas.saturating_mul(3))
}

/// Makes a variant without its margin. Returns `None` if the plan is not one for this picture.
pub(super) fn make_variant(picture: StoredPicture, plan: &VariantPlan) -> Option<DynamicImage> {
    let StoredPicture { pixels, orientation, profile } = picture;
    let pixels = match pixels {
        DynamicImage::ImageLuma8(_)
        | DynamicImage::ImageLumaA8(_)
        | DynamicImage::ImageRgb8(_)
        | DynamicImage::ImageRgba8(_) => pixels,
        other if other.color().has_alpha() => DynamicImage::from(other.to_rgba8()),
        other => DynamicImage::from(other.to_rgb8()),
    };
    let area = find_stored_area(&plan.area, orientation, (pixels.width(), pixels.height()));
    let size = if is_turned(orientation) { (plan.size.1, plan.size.0) } else { plan.size };
    let small = match pixels.color().has_alpha() {
        true => {
            // Colours and transparency apart: for pixels with both, the library brings a table of
            // half a megabyte, which only those that are not premultiplied need.
            let colors = scale::<U16x3>(&pixels, &area, size, read_premultiplied_row)?;
            let alphas = scale::<U16>(&pixels, &area, size, read_alpha_row)?;
            let scaled = colors.pixels().iter().zip(alphas.pixels());
            let bytes = scaled.flat_map(|(color, alpha)| to_straight_bytes(color.0, alpha.0));
            let bytes = bytes.collect();
            DynamicImage::from(RgbaImage::from_raw(size.0, size.1, bytes)?)
        }
        false => {
            let scaled = scale::<U16x3>(&pixels, &area, size, read_opaque_row)?;
            let values = byte_values();
            let byte = |it: u16| values.get(usize::from(it)).copied().unwrap_or_default();
            let bytes = scaled.pixels().iter().flat_map(|it| it.0.map(byte)).collect();
            DynamicImage::from(RgbImage::from_raw(size.0, size.1, bytes)?)
        }
    };
    drop(pixels);
    let mut small = convert_to_srgb(small, profile.as_deref());
    small.apply_orientation(orientation);
    Some(simplify(small))
}

/// Puts a picture into the middle of a transparent canvas.
pub(super) fn add_margin(picture: DynamicImage, (width, height): (u32, u32)) -> DynamicImage {
    if (picture.width(), picture.height()) == (width, height) {
        return picture;
    }
    let mut canvas = RgbaImage::new(width, height);
    let left = i64::from(width.saturating_sub(picture.width()) / 2);
    let top = i64::from(height.saturating_sub(picture.height()) / 2);
    image::imageops::replace(&mut canvas, &picture.to_rgba8(), left, top);
    DynamicImage::from(canvas)
}

/// Scales a part of a picture to a size. First its rows become narrow, a band at a time.
fn scale<P: PixelTrait>(
    picture: &DynamicImage,
    area: &PictureArea,
    (width, height): (u32, u32),
    read_row: fn(&DynamicImage, u32, &Range<u32>, &mut Vec<P>),
) -> Option<TypedImage<'static, P>> {
    let first = area.y.floor() as u32;
    let last = ((area.y + area.height).ceil() as u32).min(picture.height());
    let rows = last.checked_sub(first).filter(|it| *it > 0)?;
    // Pixels outside the area must not shine into it, so they are not read.
    let begin = area.x.floor() as u32;
    let end = ((area.x + area.width).ceil() as u32).min(picture.width());
    let columns = begin..end;
    let n_columns = end.checked_sub(begin).filter(|it| *it > 0)?;
    let left = area.x - f64::from(begin);
    let across = area.width.min(f64::from(n_columns) - left);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .use_alpha(false);
    let mut resizer = Resizer::new();
    let mut narrow: Vec<P> = Vec::with_capacity(width as usize * rows as usize);
    let mut band: Vec<P> = Vec::with_capacity(n_columns as usize * BAND_ROWS as usize);
    for start in (first..last).step_by(BAND_ROWS as usize) {
        let n_rows = BAND_ROWS.min(last - start);
        band.clear();
        (start..start + n_rows).for_each(|row| read_row(picture, row, &columns, &mut band));
        let source = TypedImageRef::new(n_columns, n_rows, &band).ok()?;
        let mut target = TypedImage::new(width, n_rows);
        let crop = options.crop(left, 0.0, across, f64::from(n_rows));
        resizer.resize_typed(&source, &mut target, &crop).ok()?;
        narrow.extend_from_slice(target.pixels());
    }
    drop(band);
    let source = TypedImageRef::new(width, rows, &narrow).ok()?;
    let mut target = TypedImage::new(width, height);
    let top = area.y - f64::from(first);
    let down = area.height.min(f64::from(rows) - top);
    let crop = options.crop(0.0, top, f64::from(width), down);
    resizer.resize_typed(&source, &mut target, &crop).ok()?;
    Some(target)
}

/// Returns the bytes of a part of a row.
fn slice_row<'p>(
    picture: &'p DynamicImage,
    row: u32,
    columns: &Range<u32>,
    channels: usize,
) -> &'p [u8] {
    let start = row as usize * picture.width() as usize;
    let at = |column: u32| (start + column as usize) * channels;
    picture.as_bytes().get(at(columns.start)..at(columns.end)).unwrap_or_default()
}

/// Appends a part of a row of an opaque picture in linear light.
fn read_opaque_row(picture: &DynamicImage, row: u32, columns: &Range<u32>, out: &mut Vec<U16x3>) {
    let values = linear_values();
    let linear = |byte: &u8| values.get(usize::from(*byte)).copied().unwrap_or_default();
    let bytes = |channels: usize| slice_row(picture, row, columns, channels);
    match picture.color().channel_count() {
        1 => out.extend(bytes(1).iter().map(|it| U16x3::new([linear(it); 3]))),
        _ => out.extend(bytes(3).chunks_exact(3).map(|it| match it {
            [red, green, blue] => U16x3::new([linear(red), linear(green), linear(blue)]),
            _ => U16x3::default(),
        })),
    }
}

/// Appends the colours of a part of a row of a picture with transparency in linear light,
/// premultiplied: the colour of what cannot be seen must not show at its edges.
fn read_premultiplied_row(
    picture: &DynamicImage,
    row: u32,
    columns: &Range<u32>,
    out: &mut Vec<U16x3>,
) {
    let values = linear_values();
    let linear = |byte: u8, alpha: u8| {
        let value = values.get(usize::from(byte)).copied().unwrap_or_default();
        ((u32::from(value) * u32::from(alpha) + 127) / 255) as u16
    };
    let pixel = |color: [u8; 3], alpha: u8| U16x3::new(color.map(|it| linear(it, alpha)));
    let bytes = |channels: usize| slice_row(picture, row, columns, channels);
    match picture.color().channel_count() {
        2 => out.extend(bytes(2).chunks_exact(2).map(|it| match it {
            [grey, alpha] => pixel([*grey; 3], *alpha),
            _ => U16x3::default(),
        })),
        _ => out.extend(bytes(4).chunks_exact(4).map(|it| match it {
            [red, green, blue, alpha] => pixel([*red, *green, *blue], *alpha),
            _ => U16x3::default(),
        })),
    }
}

/// Appends the alpha channel of a part of a row.
fn read_alpha_row(picture: &DynamicImage, row: u32, columns: &Range<u32>, out: &mut Vec<U16>) {
    let channels = usize::from(picture.color().channel_count());
    let alphas = slice_row(picture, row, columns, channels).iter().skip(channels - 1);
    out.extend(alphas.step_by(channels).map(|it| U16::new(u16::from(*it) * 257)));
}

/// Returns the bytes of a premultiplied pixel in linear light.
fn to_straight_bytes([red, green, blue]: [u16; 3], alpha: u16) -> [u8; 4] {
    let values = byte_values();
    let byte = |value: u16| {
        let straight = (u32::from(value) * 65_535).checked_div(u32::from(alpha)).unwrap_or(0);
        values.get(straight.min(65_535) as usize).copied().unwrap_or_default()
    };
    let alpha = ((u32::from(alpha) + 128) / 257) as u8;
    match alpha {
        0 => [0; 4],
        alpha => [byte(red), byte(green), byte(blue), alpha],
    }
}

/// Returns the area of the stored picture that becomes an area of the upright one.
fn find_stored_area(
    upright: &PictureArea,
    orientation: Orientation,
    (width, height): (u32, u32),
) -> PictureArea {
    let PictureArea { x, y, width: across, height: down } = *upright;
    let (wide, high) = (f64::from(width), f64::from(height));
    let straight = |x, y| PictureArea { x, y, width: across, height: down };
    let turned = |x, y| PictureArea { x, y, width: down, height: across };
    match orientation {
        Orientation::NoTransforms => *upright,
        Orientation::FlipHorizontal => straight(wide - x - across, y),
        Orientation::FlipVertical => straight(x, high - y - down),
        Orientation::Rotate180 => straight(wide - x - across, high - y - down),
        Orientation::Rotate90 => turned(y, high - x - across),
        Orientation::Rotate270 => turned(wide - y - down, x),
        Orientation::Rotate90FlipH => turned(y, x),
        Orientation::Rotate270FlipH => turned(wide - y - down, high - x - across),
    }
}

fn is_turned(orientation: Orientation) -> bool {
    matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    )
}

/// Converts a picture from its colour profile to sRGB. One whose profile cannot be read, or is not
/// for red, green and blue, stays as it is.
fn convert_to_srgb(picture: DynamicImage, profile: Option<&[u8]>) -> DynamicImage {
    let Some(profile) = profile.and_then(|it| ColorProfile::new_from_slice(it).ok()) else {
        return picture;
    };
    if profile.color_space != DataColorSpace::Rgb {
        return picture;
    }
    let layout = if picture.color().has_alpha() { Layout::Rgba } else { Layout::Rgb };
    let target = ColorProfile::new_srgb();
    let options = TransformOptions::default();
    let Ok(transform) = profile.create_transform_8bit(layout, &target, layout, options) else {
        return picture;
    };
    let mut bytes = vec![0; picture.as_bytes().len()];
    if transform.transform(picture.as_bytes(), &mut bytes).is_err() {
        return picture;
    }
    let (width, height) = (picture.width(), picture.height());
    let converted = match layout {
        Layout::Rgba => RgbaImage::from_raw(width, height, bytes).map(DynamicImage::from),
        _ => RgbImage::from_raw(width, height, bytes).map(DynamicImage::from),
    };
    converted.unwrap_or(picture)
}

/// Drops transparency and colour where there is none.
fn simplify(picture: DynamicImage) -> DynamicImage {
    let picture = match picture.color().has_alpha() && !is_transparent(&picture) {
        true => DynamicImage::from(picture.to_rgb8()),
        false => picture,
    };
    let is_grey = |it: &image::Rgb<u8>| it.0[0] == it.0[1] && it.0[1] == it.0[2];
    match &picture {
        DynamicImage::ImageRgb8(colored) if colored.pixels().all(is_grey) => {
            DynamicImage::from(picture.to_luma8())
        }
        _ => picture,
    }
}

#[cfg(test)]
mod tests {
    use image::GenericImageView as _;
    use image::Rgb;
    use image::Rgba;

    use super::*;
    use crate::model::media::Fit;
    use crate::model::media::PictureFraming;
    use crate::model::media::VariantSpec;

    fn plan(width: u32, height: Option<u32>, fit: Fit, size: (u32, u32)) -> VariantPlan {
        let spec = VariantSpec { width: Some(width), height, fit, quality: 82, format: None };
        VariantPlan::new(&spec, size, PictureFraming::default())
    }

    fn stored(pixels: impl Into<DynamicImage>, orientation: Orientation) -> StoredPicture {
        StoredPicture { pixels: pixels.into(), orientation, profile: None }
    }

    /// Four colours, one in each quarter.
    fn quarters(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(width, height, |x, y| {
            Rgb(match (x * 2 < width, y * 2 < height) {
                (true, true) => [255, 0, 0],
                (false, true) => [0, 255, 0],
                (true, false) => [0, 0, 255],
                (false, false) => [255, 255, 0],
            })
        })
    }

    #[test]
    fn light_is_averaged_and_not_bytes() {
        let lines = RgbImage::from_fn(256, 128, |_, y| Rgb([if y % 2 == 0 { 255 } else { 0 }; 3]));
        let plan = plan(64, None, Fit::Inside, (256, 128));
        let small = make_variant(stored(lines, Orientation::NoTransforms), &plan).unwrap();
        assert_eq!((small.dimensions(), small.color()), ((64, 32), image::ColorType::L8));
        let grey = small.to_luma8().get_pixel(30, 15).0[0];
        assert!(grey.abs_diff(188) < 4, "{grey}");
    }

    #[test]
    fn what_cannot_be_seen_does_not_shine_through() {
        let half = RgbaImage::from_fn(200, 100, |x, _| {
            if x < 100 { Rgba([255, 0, 0, 255]) } else { Rgba([0, 255, 0, 0]) }
        });
        let plan = plan(50, None, Fit::Inside, (200, 100));
        let small = make_variant(stored(half, Orientation::NoTransforms), &plan).unwrap();
        let small = small.to_rgba8();
        for pixel in small.pixels().filter(|it| it.0[3] > 0) {
            assert_eq!(pixel.0[1], 0, "{pixel:?}");
        }
        assert_eq!(small.get_pixel(49, 5).0, [0; 4]);
    }

    #[test]
    fn parts_of_turned_pictures_are_those_of_the_upright_one() {
        for orientation in (1..=8).filter_map(Orientation::from_exif) {
            let size = (120, 80);
            let upright_size = if is_turned(orientation) { (80, 120) } else { size };
            let mut upright = DynamicImage::from(quarters(size.0, size.1));
            upright.apply_orientation(orientation);
            for (x, y) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)] {
                let (wide, high) = (f64::from(upright_size.0), f64::from(upright_size.1));
                let area =
                    PictureArea { x: x * wide, y: y * high, width: wide / 2.0, height: high / 2.0 };
                let plan = VariantPlan { area, size: (10, 10), canvas: (10, 10) };
                let picture = stored(quarters(size.0, size.1), orientation);
                let small = make_variant(picture, &plan).unwrap().to_rgb8();
                let expect = upright.to_rgb8();
                let expect = expect.get_pixel((x * wide) as u32 + 5, (y * high) as u32 + 5);
                assert!(small.pixels().all(|it| it == expect), "{orientation:?} {x} {y}");
            }
        }
    }

    #[test]
    fn colors_of_other_profiles_become_those_of_srgb() {
        let profile = ColorProfile::new_display_p3().encode().unwrap();
        let red = RgbImage::from_pixel(40, 40, Rgb([200, 40, 30]));
        let plan = plan(20, None, Fit::Inside, (40, 40));
        let make = |profile: Option<Vec<u8>>| {
            let picture = StoredPicture {
                pixels: red.clone().into(),
                orientation: Orientation::NoTransforms,
                profile,
            };
            make_variant(picture, &plan).unwrap().to_rgb8().get_pixel(5, 5).0
        };
        assert_eq!(make(None), [200, 40, 30]);
        assert_eq!(make(Some(b"no profile".to_vec())), [200, 40, 30]);
        let converted = make(Some(profile));
        assert!(converted[0] > 210 && converted[1] < 30, "{converted:?}");
    }

    #[test]
    fn margins_are_transparent() {
        let plan = plan(64, Some(64), Fit::Contain, (120, 80));
        let small = make_variant(stored(quarters(120, 80), Orientation::NoTransforms), &plan);
        let small = add_margin(small.unwrap(), plan.canvas);
        assert_eq!(small.dimensions(), (64, 64));
        assert_eq!(small.get_pixel(5, 2).0[3], 0);
        assert_eq!(small.get_pixel(5, 20).0, [255, 0, 0, 255]);
    }
}
