//! The plan of a variant: which part of a picture is shown, and at which size. Nothing is ever
//! made larger.

use crate::model::media::framing::CropArea;
use crate::model::media::framing::FocalPoint;
use crate::model::media::variant::Fit;
use crate::model::media::variant::VariantSpec;
use crate::stdx::checksum::ChecksumBuilder;

/// A rectangle of an upright picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureArea {
    /// The distance from the left.
    pub x: f64,
    /// The distance from the top.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// The framing of a picture.
#[derive(Clone, Copy, Debug, Default)]
pub struct PictureFraming {
    /// The point that stays in view.
    pub focus: Option<FocalPoint>,
    /// The part that is shown.
    pub crop: Option<CropArea>,
}

/// The plan of a variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariantPlan {
    /// The part that is shown.
    pub area: PictureArea,
    /// The width and height of it in pixels.
    pub size: (u32, u32),
    /// The width and height with the margin around it.
    pub canvas: (u32, u32),
}

impl VariantPlan {
    /// Returns the plan for an upright picture of this size.
    pub fn new(
        spec: &VariantSpec,
        (width, height): (u32, u32),
        framing: PictureFraming,
    ) -> VariantPlan {
        let whole = PictureArea::cut(width, height, framing.crop);
        match (spec.width, spec.height) {
            (Some(across), Some(down)) if spec.fit == Fit::Cover => {
                let focus = framing.focus.map_or([0.5, 0.5], FocalPoint::numbers);
                let focus = [focus[0] * f64::from(width), focus[1] * f64::from(height)];
                VariantPlan::cover(whole, (across, down), focus)
            }
            (Some(across), Some(down)) if spec.fit == Fit::Contain => {
                VariantPlan::contain(whole, (across, down))
            }
            (across, down) => {
                let room = |side: Option<u32>| side.map_or(f64::INFINITY, f64::from);
                let scale = whole.scale_within(room(across), room(down));
                let size = whole.scaled(scale);
                VariantPlan { area: whole, size, canvas: size }
            }
        }
    }

    /// Adds all that the plan says to a checksum.
    pub fn add_to_checksum(&self, summer: &mut ChecksumBuilder) {
        let PictureArea { x, y, width, height } = self.area;
        for number in [x, y, width, height] {
            summer.add_number(number.to_bits());
        }
        for side in [self.size.0, self.size.1, self.canvas.0, self.canvas.1] {
            summer.add_number(side.into());
        }
    }

    fn cover(whole: PictureArea, (across, down): (u32, u32), focus: [f64; 2]) -> VariantPlan {
        let (wide, high) = (f64::from(across), f64::from(down));
        let (width, height) = match whole.width * high <= whole.height * wide {
            true => (whole.width, whole.width * high / wide),
            false => (whole.height * wide / high, whole.height),
        };
        let place = |from: f64, side: f64, length: f64, at: f64| {
            (at - length / 2.0).clamp(from, (from + side - length).max(from))
        };
        let area = PictureArea {
            x: place(whole.x, whole.width, width, focus[0]),
            y: place(whole.y, whole.height, height, focus[1]),
            width,
            height,
        };
        let size = area.scaled(area.scale_within(wide, high));
        VariantPlan { area, size, canvas: size }
    }

    fn contain(whole: PictureArea, (across, down): (u32, u32)) -> VariantPlan {
        let (wide, high) = (f64::from(across), f64::from(down));
        // With its margin, it has no more pixels than the picture.
        let shrunk = ((whole.width * whole.height) / (wide * high)).sqrt().min(1.0);
        let canvas = |side: f64| (side * shrunk).floor().max(1.0);
        let (wide, high) = (canvas(wide), canvas(high));
        let size = whole.scaled(whole.scale_within(wide, high));
        VariantPlan {
            area: whole,
            size: (size.0.min(wide as u32), size.1.min(high as u32)),
            canvas: (wide as u32, high as u32),
        }
    }

    /// Returns true if the variant shows the same pixels as a picture of this size.
    pub fn is_whole(&self, size: (u32, u32)) -> bool {
        let (width, height) = (f64::from(size.0), f64::from(size.1));
        self.area == PictureArea { x: 0.0, y: 0.0, width, height }
            && self.size == size
            && self.canvas == size
    }
}

impl PictureArea {
    /// Returns the shown part of a picture, at least one pixel, in whole pixels.
    pub fn cut(width: u32, height: u32, crop: Option<CropArea>) -> PictureArea {
        let (wide, high) = (f64::from(width), f64::from(height));
        let [x, y, across, down] = crop.map_or([0.0, 0.0, 1.0, 1.0], CropArea::numbers);
        let x = (x * wide).round().min(wide - 1.0);
        let y = (y * high).round().min(high - 1.0);
        PictureArea {
            x,
            y,
            width: (across * wide).round().clamp(1.0, wide - x),
            height: (down * high).round().clamp(1.0, high - y),
        }
    }

    /// Returns the scale at which it fits into a room, at most 1.
    fn scale_within(&self, width: f64, height: f64) -> f64 {
        (width / self.width).min(height / self.height).min(1.0)
    }

    fn scaled(&self, scale: f64) -> (u32, u32) {
        let side = |it: f64| {
            let whole = it.floor().max(1.0) as u32;
            ((it * scale).round() as u32).clamp(1, whole)
        };
        (side(self.width), side(self.height))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::media::framing::Fraction;
    use crate::model::media::meta::MediaMeta;
    use crate::stdx::json::Json;

    fn framing(text: &str) -> PictureFraming {
        let meta = MediaMeta::parse(&Json::parse(text.as_bytes()).unwrap()).0;
        PictureFraming { focus: meta.focus, crop: meta.crop }
    }

    fn spec(width: Option<u32>, height: Option<u32>, fit: Fit) -> VariantSpec {
        VariantSpec { width, height, fit, quality: 82, format: None }
    }

    #[test]
    fn what_is_shown_depends_on_fit_focus_and_crop() {
        let check = |fit, (w, h), how: &str, area: [f64; 4], size, canvas| {
            let plan = VariantPlan::new(&spec(w, h, fit), (1000, 500), framing(how));
            let found = [plan.area.x, plan.area.y, plan.area.width, plan.area.height];
            assert_eq!(
                (found, plan.size, plan.canvas),
                (area, size, canvas),
                "{fit} {w:?} {h:?} {how}"
            );
        };
        let all = [0.0, 0.0, 1000.0, 500.0];
        check(Fit::Inside, (Some(100), None), "{}", all, (100, 50), (100, 50));
        check(Fit::Inside, (Some(100), Some(20)), "{}", all, (40, 20), (40, 20));
        check(Fit::Inside, (Some(3840), None), "{}", all, (1000, 500), (1000, 500));
        let (middle, left) = ([250.0, 0.0, 500.0, 500.0], [0.0, 0.0, 500.0, 500.0]);
        check(Fit::Cover, (Some(64), Some(64)), "{}", middle, (64, 64), (64, 64));
        check(Fit::Cover, (Some(64), Some(64)), r#"{"focus":[0.1,0]}"#, left, (64, 64), (64, 64));
        check(Fit::Cover, (Some(960), Some(960)), "{}", middle, (500, 500), (500, 500));
        let right = [500.0, 0.0, 500.0, 500.0];
        let cropped = r#"{"crop":[0.5,0,0.5,1],"focus":[0,0]}"#;
        check(Fit::Cover, (Some(64), Some(64)), cropped, right, (64, 64), (64, 64));
        check(Fit::Inside, (Some(64), None), cropped, right, (64, 64), (64, 64));
        check(Fit::Contain, (Some(100), Some(100)), "{}", all, (100, 50), (100, 100));
        check(Fit::Contain, (Some(960), Some(960)), "{}", all, (707, 354), (707, 707));
    }

    proptest! {
        #[test]
        fn nothing_becomes_larger(
            side in (1..5_000u32, 1..5_000u32),
            wish in (prop::option::of(1..4_000u32), prop::option::of(1..4_000u32)),
            fit in 0..3usize,
            [a, b, c, d, e, f] in prop::array::uniform6(0.0..=1.0_f64),
        ) {
            let part = |it| Fraction::parse(it).unwrap();
            let text = format!(
                r#"{{"focus":[{a},{b}],"crop":[{},{},{},{}]}}"#,
                c * 0.9, d * 0.9, (1.0 - c * 0.9) * e.max(0.001), (1.0 - d * 0.9) * f.max(0.001),
            );
            prop_assert!(part(a) <= Fraction::ONE);
            let plan = VariantPlan::new(&spec(wish.0, wish.1, Fit::ALL[fit]), side, framing(&text));
            let (wide, high) = (f64::from(side.0), f64::from(side.1));
            prop_assert!(plan.area.x >= 0.0 && plan.area.x + plan.area.width <= wide + 1e-6);
            prop_assert!(plan.area.y >= 0.0 && plan.area.y + plan.area.height <= high + 1e-6);
            prop_assert!(plan.size.0 >= 1 && plan.size.1 >= 1);
            prop_assert!(f64::from(plan.size.0) <= plan.area.width.max(1.0));
            prop_assert!(f64::from(plan.size.1) <= plan.area.height.max(1.0));
            prop_assert!(plan.size.0 <= plan.canvas.0 && plan.size.1 <= plan.canvas.1);
            let pixels = |it: (u32, u32)| u64::from(it.0) * u64::from(it.1);
            prop_assert!(pixels(plan.canvas) <= pixels(side).max(1));
        }
    }
}
