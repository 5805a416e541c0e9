//! Filters: one test of one field, typed by the field.

use crate::model::content_type::ContentType;
use crate::model::field::Comparable;
use crate::model::field::Comparison;
use crate::query::doc::Doc;
use crate::query::field_ref::FieldRef;
use crate::query::field_ref::filename;
use crate::stdx::fold::casefold;
use crate::stdx::time::Timestamp;
use crate::stdx::time::parse_date;

/// How a value is tested. Names as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Equal; the operator of `filter[field]=`.
    Eq,
    /// None of the values is equal.
    Ne,
    /// Equal to one of several.
    In,
    /// Equal to none of several.
    Nin,
    /// Greater.
    Gt,
    /// Greater or equal.
    Gte,
    /// Less.
    Lt,
    /// Less or equal.
    Lte,
    /// Contains the text in whatever case.
    Contains,
    /// Begins with the text in whatever case.
    Starts,
    /// Has no value, or has one.
    Empty,
}

impl Operator {
    /// All operators with their names on the wire.
    pub const ALL: [(&'static str, Operator); 11] = [
        ("eq", Operator::Eq),
        ("ne", Operator::Ne),
        ("in", Operator::In),
        ("nin", Operator::Nin),
        ("gt", Operator::Gt),
        ("gte", Operator::Gte),
        ("lt", Operator::Lt),
        ("lte", Operator::Lte),
        ("contains", Operator::Contains),
        ("starts", Operator::Starts),
        ("empty", Operator::Empty),
    ];

    /// The operator of this name.
    pub fn parse(name: &str) -> Option<Operator> {
        Operator::ALL.iter().find(|(known, _)| *known == name).map(|(_, it)| *it)
    }
}

/// A value to compare with, typed by the field.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// Numbers from the first to the second: one number, or the seconds of a day.
    Range(f64, f64),
    /// A text; case-folded where the operator ignores case.
    Text(String),
    /// The answer to `empty`.
    Flag(bool),
}

/// One test of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// What is tested.
    pub field: FieldRef,
    /// How.
    pub operator: Operator,
    /// How values of the field compare.
    pub comparison: Comparison,
    /// Against what: one operand, but any number for `in` and `nin`.
    pub operands: Vec<Operand>,
    /// A text that equal filters share and different ones don't.
    pub key: String,
}

impl Filter {
    /// Types the operands by the field. The error is a sentence for whoever sent them.
    pub fn parse(
        ty: &ContentType,
        name: &str,
        operator: Operator,
        values: &[String],
    ) -> Result<Filter, String> {
        let Some(field) = FieldRef::resolve(ty, name) else {
            return Err(format!("`{name}` is no field of `{}`.", ty.name));
        };
        let comparison = field.comparison(ty);
        let operands: Result<Vec<Operand>, String> =
            values.iter().map(|it| operand(comparison, operator, it)).collect();
        let mut operands = operands?;
        if !matches!(operator, Operator::In | Operator::Nin) {
            operands.truncate(1);
            if operands.is_empty() {
                return Err("A value is missing.".to_string());
            }
        }
        let key = format!("{name}\u{0}{operator:?}\u{0}{operands:?}");
        Ok(Filter { field, operator, comparison, operands, key })
    }

    /// Whether an entry passes, relations being taken as they are stored.
    pub fn matches(&self, ty: &ContentType, doc: &Doc, locale: Option<usize>) -> bool {
        let (mut found, mut count) = (false, 0_usize);
        self.field.values(ty, doc, locale, &mut |value| {
            count += 1;
            found = found || self.holds(value);
        });
        self.concludes(found, count == 0)
    }

    /// Whether one value passes the positive form of the test.
    pub fn holds(&self, value: Comparable<'_>) -> bool {
        self.operands.iter().any(|operand| match (value, operand) {
            (Comparable::Number(value), Operand::Range(low, high)) => {
                self.holds_number(value, *low, *high)
            }
            (Comparable::Text(value), Operand::Text(wanted)) => self.holds_text(value, wanted),
            (Comparable::Number(value), Operand::Text(wanted)) => {
                self.holds_text(&self.text_of(value), wanted)
            }
            // A stored value that is no number compares with no number.
            (Comparable::Text(_), Operand::Range(..)) | (_, Operand::Flag(_)) => false,
        })
    }

    /// The verdict over all values: whether one holds, and whether there is none at all.
    pub fn concludes(&self, any_holds: bool, is_empty: bool) -> bool {
        match self.operator {
            Operator::Ne | Operator::Nin => !any_holds,
            Operator::Empty => self.operands.contains(&Operand::Flag(is_empty)),
            _ => any_holds,
        }
    }

    /// A number as readers see it.
    fn text_of(&self, number: f64) -> String {
        // Whole seconds of the years 0 to 9999.
        let time = Timestamp::from_seconds(number as i64);
        match self.comparison {
            Comparison::Bool => (number > 0.0).to_string(),
            Comparison::Date => time.date(),
            Comparison::DateTime => time.to_string(),
            _ => number.to_string(),
        }
    }

    fn holds_number(&self, value: f64, low: f64, high: f64) -> bool {
        match self.operator {
            Operator::Gt => value > high,
            Operator::Gte => value >= low,
            Operator::Lt => value < low,
            Operator::Lte => value <= high,
            _ => low <= value && value <= high,
        }
    }

    fn holds_text(&self, value: &str, wanted: &str) -> bool {
        match self.operator {
            Operator::Gt => *casefold(value) > *wanted,
            Operator::Gte => *casefold(value) >= *wanted,
            Operator::Lt => *casefold(value) < *wanted,
            Operator::Lte => *casefold(value) <= *wanted,
            Operator::Contains => casefold(value).contains(wanted),
            Operator::Starts => casefold(value).starts_with(wanted),
            _ => value == wanted,
        }
    }
}

fn operand(comparison: Comparison, operator: Operator, text: &str) -> Result<Operand, String> {
    match operator {
        Operator::Empty => flag(text).map(Operand::Flag),
        Operator::Contains | Operator::Starts => {
            let text = if comparison == Comparison::Media { filename(text) } else { text.into() };
            Ok(Operand::Text(casefold(&text).into_owned()))
        }
        Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte => {
            match typed(comparison, text)? {
                Operand::Text(text) => Ok(Operand::Text(casefold(&text).into_owned())),
                other => Ok(other),
            }
        }
        Operator::Eq | Operator::Ne | Operator::In | Operator::Nin => typed(comparison, text),
    }
}

fn typed(comparison: Comparison, text: &str) -> Result<Operand, String> {
    let number = |it: f64| Operand::Range(it, it);
    match comparison {
        Comparison::Number => match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(number(value)),
            _ => Err(format!("`{text}` is not a number.")),
        },
        Comparison::Bool => flag(text).map(|it| number(f64::from(u8::from(it)))),
        Comparison::Date | Comparison::DateTime => {
            let Some(time) = Timestamp::parse(text) else {
                return Err(format!("`{text}` is not a date."));
            };
            // A day covers all its seconds.
            let whole_day = parse_date(text.trim()).is_some();
            let end = if whole_day { time.end_of_day() } else { time };
            Ok(Operand::Range(time.seconds() as f64, end.seconds() as f64))
        }
        Comparison::Media => Ok(Operand::Text(filename(text).into_owned())),
        Comparison::Text | Comparison::LongText | Comparison::Relation | Comparison::Json => {
            Ok(Operand::Text(text.to_string()))
        }
    }
}

fn flag(text: &str) -> Result<bool, String> {
    match text.trim() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("`{text}` is not true or false.")),
    }
}
