//! A variant of a picture: the size, the shape and the format in which it is asked for.

use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::text_enum::text_enum;

/// The widths and heights in pixels of variants. Others are rounded up to one of these, so that
/// caches hold a few variants and not thousands.
pub const SIDES: [u32; 17] =
    [64, 96, 128, 160, 192, 256, 320, 384, 480, 640, 768, 960, 1280, 1600, 1920, 2560, SIDE_MAX];

/// The longest side of a variant in pixels.
pub const SIDE_MAX: u32 = 3840;

/// The qualities of JPEG variants. Others are rounded up to one of these.
pub const QUALITIES: [u32; 7] = [30, 50, 65, 75, 82, 90, QUALITY_MAX];

/// The highest quality.
const QUALITY_MAX: u32 = 95;

/// The quality of a variant for which none is asked.
const QUALITY_DEFAULT: u32 = 82;

/// The parameters of a variant, which are also the keys of a preset.
pub const VARIANT_KEYS: [&str; 5] = ["w", "h", "fit", "q", "format"];

/// The name of a format that is chosen by what the client accepts.
const AUTO: &str = "auto";

/// The characters of the name of a preset.
const PRESET_NAME_CHARS_MAX: usize = 40;

text_enum! {
    /// A way to fit a picture into a width and a height.
    #[derive(Default)]
    pub enum Fit {
        /// Fills both and cuts what does not fit, around the focal point.
        #[default]
        Cover = "cover",
        /// Shows the whole picture and fills both with a margin.
        Contain = "contain",
        /// Shows the whole picture, within both.
        Inside = "inside",
    }
}

text_enum! {
    /// A format in which pictures are written.
    pub enum PictureFormat {
        /// JPEG, which loses details that few people see and knows no transparency.
        Jpeg = "jpeg",
        /// PNG, which loses nothing.
        Png = "png",
        /// WebP without loss.
        Webp = "webp",
    }
}

impl PictureFormat {
    /// Returns the MIME type.
    pub fn mime(self) -> &'static str {
        match self {
            PictureFormat::Jpeg => "image/jpeg",
            PictureFormat::Png => "image/png",
            PictureFormat::Webp => "image/webp",
        }
    }
}

/// A variant as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariantSpec {
    /// The width in pixels.
    pub width: Option<u32>,
    /// The height in pixels.
    pub height: Option<u32>,
    /// The way to fit the picture into both.
    pub fit: Fit,
    /// The quality of a JPEG, from 1 to 100.
    pub quality: u8,
    /// The format; `None` for the best one that the client accepts.
    pub format: Option<PictureFormat>,
}

impl VariantSpec {
    /// Parses the parameters of a request, and rounds sizes and quality up.
    pub fn parse_query<'q>(
        get: impl Fn(&str) -> Option<&'q str>,
    ) -> Result<VariantSpec, FieldProblems> {
        let mut problems = FieldProblems::new();
        let mut side = |key: &str| {
            let text = get(key)?;
            let side = round_up(text, &SIDES);
            if side.is_none() {
                problems.add(key, describe_steps(&SIDES));
            }
            side
        };
        let (width, height) = (side("w"), side("h"));
        let mut fit = Fit::default();
        if let Some(text) = get("fit") {
            match Fit::parse(text) {
                Some(it) => fit = it,
                None => problems.add("fit", wording::not_one_of(Fit::ALL.map(Fit::as_str))),
            }
            let (has_width, has_height) = (get("w").is_some(), get("h").is_some());
            if fit != Fit::Inside && !(has_width && has_height) && problems.get("fit").is_none() {
                problems.add("fit", format!("`{fit}` needs both `w` and `h`."));
            }
        }
        let mut quality = Some(QUALITY_DEFAULT);
        if let Some(text) = get("q") {
            quality = round_up(text, &QUALITIES);
            if quality.is_none() {
                problems.add("q", describe_steps(&QUALITIES));
            }
        }
        let mut format = None;
        if let Some(text) = get("format") {
            format = PictureFormat::parse(text);
            if format.is_none() && text != AUTO {
                problems.add("format", wording::not_one_of(format_names()));
            }
        }
        let quality = quality.and_then(|it| u8::try_from(it).ok()).unwrap_or_default();
        problems.into_result(VariantSpec { width, height, fit, quality, format })
    }

    /// Parses a preset, whose sizes are exact.
    fn parse_preset(json: &Json) -> Result<VariantSpec, FieldProblems> {
        let mut input = ObjectReader::from_json(json)?;
        let known = VARIANT_KEYS.map(|it| format!("`{it}`")).join(", ");
        input.refuse_unknown_keys(&VARIANT_KEYS, &format!("A preset can have only {known}."));
        let mut side = |key: &str| {
            let found = input.value(key)?;
            let side = found.as_f64().filter(|it| it.fract() == 0.0);
            let side = side.filter(|it| (1.0..=f64::from(SIDE_MAX)).contains(it));
            if side.is_none() {
                input.add_problem(key, wording::not_whole_within(1, SIDE_MAX));
            }
            side.map(|it| it as u32)
        };
        let (width, height) = (side("w"), side("h"));
        let fit = input.choice("fit", Fit::ALL.map(Fit::as_str), Fit::parse).unwrap_or_default();
        let quality = input.value("q").map(|json| {
            let quality = json.as_f64().filter(|it| it.fract() == 0.0);
            quality.filter(|it| (1.0..=f64::from(QUALITY_MAX)).contains(it)).map(|it| it as u8)
        });
        if quality == Some(None) {
            input.add_problem("q", wording::not_whole_within(1, QUALITY_MAX));
        }
        let parse_format = |text: &str| match text {
            AUTO => Some(None),
            text => PictureFormat::parse(text).map(Some),
        };
        let format = input.choice("format", format_names(), parse_format).flatten();
        if width.is_none() && height.is_none() {
            input.add_problem("w", "A preset needs `w` or `h`.");
        }
        let quality = quality.flatten().unwrap_or(QUALITY_DEFAULT as u8);
        input.into_result(VariantSpec { width, height, fit, quality, format })
    }

    /// Returns the object of a preset.
    fn to_json(self) -> Json {
        let mut map = crate::stdx::json::Map::new();
        let side = |it: u32| Json::from(i64::from(it));
        self.width.into_iter().for_each(|it| map.push("w", side(it)));
        self.height.into_iter().for_each(|it| map.push("h", side(it)));
        map.push("fit", self.fit.as_str());
        map.push("q", side(u32::from(self.quality)));
        map.push("format", self.format.map_or(AUTO, PictureFormat::as_str));
        Json::Object(map)
    }
}

fn format_names() -> [&'static str; 4] {
    [AUTO, PictureFormat::Jpeg.as_str(), PictureFormat::Webp.as_str(), PictureFormat::Png.as_str()]
}

/// Returns the smallest step that is not below a whole number from 1.
fn round_up(text: &str, steps: &[u32]) -> Option<u32> {
    let is_plain = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let number: u32 = text.parse().ok().filter(|it| is_plain && *it > 0)?;
    steps.iter().copied().find(|it| *it >= number)
}

/// Returns the sentence that names the steps.
fn describe_steps(steps: &[u32]) -> String {
    let most = steps.last().copied().unwrap_or_default();
    let steps: Vec<String> = steps.iter().map(u32::to_string).collect();
    let range = wording::not_whole_within(1, most);
    format!("{range} It is rounded up to one of {}.", steps.join(", "))
}

/// The variants that have names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PicturePresets(Vec<(String, VariantSpec)>);

impl PicturePresets {
    /// Parses an object with a preset for each name.
    pub fn parse(json: &Json) -> Result<PicturePresets, FieldProblems> {
        let mut input = ObjectReader::from_json(json)?;
        let mut presets = Vec::new();
        for (name, json) in input.members() {
            let fits = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
            if name.is_empty() || name.len() > PRESET_NAME_CHARS_MAX || !name.bytes().all(fits) {
                input.add_problem(name, "A name can have only `a-z`, `0-9` and `-`.");
            }
            let preset = input.accept_nested(name, VariantSpec::parse_preset(json));
            presets.extend(preset.map(|it| (name.to_string(), it)));
        }
        input.into_result(PicturePresets(presets))
    }

    /// Returns the object with all presets.
    pub fn to_json(&self) -> Json {
        let mut map = crate::stdx::json::Map::new();
        self.0.iter().for_each(|(name, spec)| map.push(name.as_str(), spec.to_json()));
        Json::Object(map)
    }

    /// Returns the preset of this name.
    pub fn get(&self, name: &str) -> Option<VariantSpec> {
        self.0.iter().find(|it| it.0 == name).map(|it| it.1)
    }

    /// Iterates over the names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|it| it.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    fn parse(query: &str) -> Result<VariantSpec, FieldProblems> {
        let pairs: Vec<(&str, &str)> =
            query.split('&').filter_map(|it| it.split_once('=')).collect();
        VariantSpec::parse_query(|key| pairs.iter().find(|it| it.0 == key).map(|it| it.1))
    }

    #[test]
    fn sizes_and_qualities_are_rounded_up() {
        let check = |query: &str, width: Option<u32>, height: Option<u32>, quality: u8| {
            let spec = parse(query).unwrap();
            assert_eq!(
                (spec.width, spec.height, spec.quality),
                (width, height, quality),
                "{query}"
            );
        };
        check("w=1", Some(64), None, 82);
        check("w=64&q=1", Some(64), None, 30);
        check("w=65&h=3840&q=95", Some(96), Some(3840), 95);
        check("h=2561&fit=inside", None, Some(3840), 82);
        check("format=webp", None, None, 82);
        // Ten thousand wishes are seventeen variants.
        let all: std::collections::HashSet<_> =
            (1..=3840).map(|it| parse(&format!("w={it}")).unwrap()).collect();
        assert_eq!(all.len(), SIDES.len());
    }

    #[test]
    fn everything_wrong_is_told_with_what_is_allowed() {
        let check = |query: &str, expect: &[&str]| {
            let problems = parse(query).unwrap_err();
            let fields: Vec<_> = problems.iter().map(|(field, _)| field).collect();
            assert_eq!(fields, expect, "{query}");
        };
        check("w=0&h=3841&fit=fill&q=96&format=avif", &["w", "h", "fit", "q", "format"]);
        check("w=-1&h=+5&q=&format=", &["w", "h", "q", "format"]);
        check("w=1.5&h=99999999999", &["w", "h"]);
        check("w=5&fit=cover", &["fit"]);
        check("fit=contain", &["fit"]);
        let told = parse("w=0&format=gif").unwrap_err();
        assert!(told.get("w").unwrap().contains("64, 96, 128"));
        assert!(told.get("format").unwrap().contains("`auto`, `jpeg`, `webp` or `png`"));
    }

    #[test]
    fn presets_are_exact() {
        let text =
            r#"{"card":{"w":333,"h":77,"q":70},"wide":{"w":1000,"format":"webp","fit":"inside"}}"#;
        let presets = PicturePresets::parse(&Json::Object(map(text))).unwrap();
        let card = presets.get("card").unwrap();
        assert_eq!((card.width, card.height, card.quality), (Some(333), Some(77), 70));
        assert_eq!(presets.names().collect::<Vec<_>>(), ["card", "wide"]);
        assert_eq!(PicturePresets::parse(&presets.to_json()).unwrap(), presets);
        let wrong =
            r#"{"A":{"w":1},"b":{},"c":{"w":0,"fit":"x","width":5,"q":200,"format":"gif"},"d":7}"#;
        let told = PicturePresets::parse(&Json::Object(map(wrong))).unwrap_err();
        for place in ["A", "b.w", "c.w", "c.fit", "c.width", "c.q", "c.format", "d"] {
            assert!(told.get(place).is_some(), "{place} in {told}");
        }
        assert!(PicturePresets::parse(&Json::Null).is_err());
    }
}
