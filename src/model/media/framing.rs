//! The framing of a picture: the point that stays in view when it is cut to a shape, and the part
//! of it that is shown at all.

use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::stdx::json::Json;
use crate::stdx::json::Number;

/// The number of steps between 0 and 1: fine enough for the widest picture.
const STEPS: u16 = 10_000;

/// A place along a side of a picture, or a length, as a fraction of the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fraction(u16);

impl Fraction {
    /// The whole side.
    pub const ONE: Fraction = Fraction(STEPS);

    /// Rounds a number from 0 to 1 to four decimals.
    pub fn parse(number: f64) -> Option<Fraction> {
        let steps = (number * f64::from(STEPS)).round();
        (0.0..=1.0).contains(&number).then_some(Fraction(steps as u16))
    }

    /// Returns the number.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(STEPS)
    }

    fn to_json(self) -> Json {
        // Whole numbers are written without decimals, as people write them.
        match (self.0.is_multiple_of(STEPS), Number::from_f64(self.as_f64())) {
            (false, Some(number)) => Json::Number(number),
            _ => Json::from(i64::from(self.0 / STEPS)),
        }
    }
}

/// The point of a picture that stays in view: from the left, from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FocalPoint(pub [Fraction; 2]);

impl FocalPoint {
    fn parse(json: &Json) -> Result<FocalPoint, String> {
        let wanted = || wording::not_fractions(["x", "y"]);
        parse_fractions(json).map(FocalPoint).ok_or_else(wanted)
    }

    /// Returns the two numbers.
    pub fn numbers(self) -> [f64; 2] {
        self.0.map(Fraction::as_f64)
    }

    /// Returns the value in files.
    pub fn to_json(self) -> Json {
        Json::Array(self.0.map(Fraction::to_json).to_vec())
    }
}

/// The part of a picture that is shown: from the left, from the top, width, height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CropArea(pub [Fraction; 4]);

impl CropArea {
    fn parse(json: &Json) -> Result<CropArea, String> {
        let wanted = || wording::not_fractions(["x", "y", "width", "height"]);
        let area @ [x, y, width, height] = parse_fractions(json).ok_or_else(wanted)?;
        if width.0 == 0 || height.0 == 0 {
            return Err("The width and the height must be greater than 0.".to_owned());
        }
        if x.0 + width.0 > STEPS || y.0 + height.0 > STEPS {
            let message =
                "The area must lie within the picture: x + width and y + height at most 1.";
            return Err(message.to_owned());
        }
        Ok(CropArea(area))
    }

    /// Returns the four numbers.
    pub fn numbers(self) -> [f64; 4] {
        self.0.map(Fraction::as_f64)
    }

    /// Returns the value in files.
    pub fn to_json(self) -> Json {
        Json::Array(self.0.map(Fraction::to_json).to_vec())
    }
}

fn parse_fractions<const N: usize>(json: &Json) -> Option<[Fraction; N]> {
    let items = json.as_array()?;
    let parsed: Vec<Fraction> =
        items.iter().map(|it| Fraction::parse(it.as_f64()?)).collect::<Option<_>>()?;
    parsed.try_into().ok()
}

/// Reads `focus`; `null` removes it.
pub fn read_focus(input: &mut ObjectReader<'_>) -> Option<Option<FocalPoint>> {
    let value = input.member("focus")?;
    if *value == Json::Null {
        return Some(None);
    }
    input.accept("focus", FocalPoint::parse(value)).map(Some)
}

/// Reads `crop`; `null` removes it.
pub fn read_crop(input: &mut ObjectReader<'_>) -> Option<Option<CropArea>> {
    let value = input.member("crop")?;
    if *value == Json::Null {
        return Some(None);
    }
    input.accept("crop", CropArea::parse(value)).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn framing_is_read_and_written() {
        let check = |text: &str, focus: Option<&str>, crop: Option<&str>, problems: &[&str]| {
            let body = map(text);
            let mut input = ObjectReader::new(&body);
            let written = |json: Json| serde_json::to_string(&json).unwrap();
            let found = read_focus(&mut input).flatten().map(|it| written(it.to_json()));
            assert_eq!(found.as_deref(), focus, "{text}");
            let found = read_crop(&mut input).flatten().map(|it| written(it.to_json()));
            assert_eq!(found.as_deref(), crop, "{text}");
            let told = input.into_problems();
            let fields: Vec<_> = told.iter().map(|(field, _)| field).collect();
            assert_eq!(fields, problems, "{text}");
        };
        check("{}", None, None, &[]);
        check(r#"{"focus":null,"crop":null}"#, None, None, &[]);
        check(
            r#"{"focus":[0.33333,1],"crop":[0,0.25,1,0.75]}"#,
            Some("[0.3333,1]"),
            Some("[0,0.25,1,0.75]"),
            &[],
        );
        check(r#"{"focus":[1.1,0],"crop":[0,0,0,1]}"#, None, None, &["focus", "crop"]);
        check(r#"{"focus":[0.5],"crop":[0.5,0,0.6,1]}"#, None, None, &["focus", "crop"]);
        check(r#"{"focus":"left","crop":[0,0,1,"1"]}"#, None, None, &["focus", "crop"]);
        check(r#"{"focus":[-0.1,0],"crop":[0,0,1]}"#, None, None, &["focus", "crop"]);
    }
}
