//! Filters: one test of one field, with operands typed by the field.

use crate::model::content_type::ContentType;
use crate::model::field::Comparable;
use crate::model::field::Comparison;
use crate::model::field::ExactNumber;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::field_ref::FieldRef;
use crate::query::request::field_ref::url_filename;
use crate::stdx::fold::casefold;
use crate::stdx::time::Timestamp;
use crate::stdx::time::parse_date;

/// The operator of a filter.
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
    /// Contains the text, ignoring case.
    Contains,
    /// Starts with the text, ignoring case.
    Starts,
    /// Has no value (`true`), or has one (`false`).
    Empty,
}

impl Operator {
    /// All operators with their names in query strings.
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

    /// Returns the condition on the value under which a filter matches, for users of the API.
    pub fn description(self) -> &'static str {
        match self {
            Operator::Eq => "the value is equal; `filter[field]=value` means the same",
            Operator::Ne => "no value is equal",
            Operator::In => {
                "the value is one of several: separated by commas, or one value each under \
                 `filter[x][in][]=`, where a comma belongs to the value. An empty list matches \
                 nothing"
            }
            Operator::Nin => "the value is none of several, which are written as for `in`",
            Operator::Gt => "the value is greater; texts are compared ignoring case",
            Operator::Gte => "the value is greater or equal",
            Operator::Lt => "the value is less",
            Operator::Lte => "the value is less or equal",
            Operator::Contains => "the text contains this, ignoring case",
            Operator::Starts => "the text begins with this, ignoring case",
            Operator::Empty => "`true`: there is no value; `false`: there is one",
        }
    }

    /// Returns the operator of this name.
    pub fn parse(name: &str) -> Option<Operator> {
        Operator::ALL.iter().find(|(known, _)| *known == name).map(|(_, it)| *it)
    }
}

/// An operand, typed by the field.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// Numbers from the first to the second: a single number, or the seconds of a day.
    Range(ExactNumber, ExactNumber),
    /// A text; case-folded for operators that ignore case.
    Text(String),
    /// The operand of `empty`.
    Flag(bool),
}

/// One test of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The tested field.
    pub field: FieldRef,
    /// The operator.
    pub operator: Operator,
    /// The way in which values of the field compare.
    pub comparison: Comparison,
    /// The operands: exactly one, except for `in` and `nin`.
    pub operands: Vec<Operand>,
    /// A text that identifies the filter: equal filters have equal keys.
    pub key: String,
}

impl Filter {
    /// Parses a filter. The error is a sentence for the client.
    pub fn parse(
        ty: &ContentType,
        name: &str,
        operator: Operator,
        values: &[String],
    ) -> Result<Filter, String> {
        let Some(field) = FieldRef::resolve(ty, name) else {
            return Err(format!("`{name}` is not a field of `{}`.", ty.name));
        };
        let comparison = field.comparison(ty);
        let operands: Result<Vec<Operand>, String> =
            values.iter().map(|it| parse_operand(comparison, operator, it)).collect();
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

    /// Returns true if an entry passes. Relations are taken as stored, whoever reads.
    pub fn matches_entry(
        &self,
        ty: &ContentType,
        doc: &RenderedEntry,
        locale: Option<usize>,
    ) -> bool {
        self.matches_values(|each| self.field.visit_values(ty, doc, locale, each))
    }

    /// Returns true if an entry with these values passes.
    pub fn matches_values(&self, values: impl FnOnce(&mut dyn FnMut(Comparable<'_>))) -> bool {
        let (mut found, mut count) = (false, 0_usize);
        values(&mut |value| {
            count += 1;
            found = found || self.test_value(value);
        });
        self.decide_match(found, count == 0)
    }

    /// Returns true if the operator compares whole values, which can be looked up.
    pub fn is_exact(&self) -> bool {
        matches!(self.operator, Operator::Eq | Operator::Ne | Operator::In | Operator::Nin)
    }

    /// Returns true if the operator compares values with a bound.
    pub fn is_bound(&self) -> bool {
        matches!(self.operator, Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte)
    }

    /// Returns true if one value passes the positive form of the test.
    pub fn test_value(&self, value: Comparable<'_>) -> bool {
        self.operands.iter().any(|operand| match (value, operand) {
            (
                Comparable::Number(value) | Comparable::WrittenNumber(value, _),
                Operand::Range(low, high),
            ) => self.holds_number(value, *low, *high),
            (Comparable::Text(value), Operand::Text(wanted)) => self.holds_text(value, wanted),
            (Comparable::Number(value), Operand::Text(wanted)) => {
                self.holds_text(&self.format_number(value), wanted)
            }
            (Comparable::WrittenNumber(value, text), Operand::Text(wanted)) => {
                self.holds_written_number(value, text, wanted)
            }
            // A stored text does not compare with numbers.
            (Comparable::Text(_), Operand::Range(..)) | (_, Operand::Flag(_)) => false,
        })
    }

    /// Returns the result for an entry, from whether any value holds and whether there is none.
    pub fn decide_match(&self, any_holds: bool, is_empty: bool) -> bool {
        match self.operator {
            Operator::Ne | Operator::Nin => !any_holds,
            Operator::Empty => self.operands.contains(&Operand::Flag(is_empty)),
            _ => any_holds,
        }
    }

    /// Formats a number like readers see it.
    fn format_number(&self, number: ExactNumber) -> String {
        // These are whole seconds of the years 0 to 9999.
        let time = Timestamp::from_seconds(number.float() as i64);
        match self.comparison {
            Comparison::Bool => (number.float() > 0.0).to_string(),
            Comparison::Date => time.date(),
            Comparison::DateTime => time.to_string(),
            _ => number.to_string(),
        }
    }

    fn holds_number(&self, value: ExactNumber, low: ExactNumber, high: ExactNumber) -> bool {
        match self.operator {
            Operator::Gt => value > high,
            Operator::Gte => value >= low,
            Operator::Lt => value < low,
            Operator::Lte => value <= high,
            _ => low <= value && value <= high,
        }
    }

    /// Tests a number among texts: against a bound that is a number by its value, otherwise by its
    /// text.
    fn holds_written_number(&self, value: ExactNumber, text: &str, wanted: &str) -> bool {
        match ExactNumber::parse(wanted.trim()).filter(|_| self.is_bound()) {
            Some(bound) => self.holds_number(value, bound, bound),
            None => self.holds_text(text, wanted),
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

fn parse_operand(
    comparison: Comparison,
    operator: Operator,
    text: &str,
) -> Result<Operand, String> {
    match operator {
        Operator::Empty => parse_flag(text).map(Operand::Flag),
        Operator::Contains | Operator::Starts => {
            let text =
                if comparison == Comparison::Media { url_filename(text) } else { text.into() };
            Ok(Operand::Text(casefold(&text).into_owned()))
        }
        Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte => {
            match parse_value(comparison, text)? {
                Operand::Text(text) => Ok(Operand::Text(casefold(&text).into_owned())),
                other => Ok(other),
            }
        }
        Operator::Eq | Operator::Ne | Operator::In | Operator::Nin => parse_value(comparison, text),
    }
}

fn parse_value(comparison: Comparison, text: &str) -> Result<Operand, String> {
    let number = |it: ExactNumber| Operand::Range(it, it);
    match comparison {
        Comparison::Number => {
            let parsed = ExactNumber::parse(text.trim());
            parsed.map(number).ok_or_else(|| format!("`{text}` is not a number."))
        }
        Comparison::Bool => parse_flag(text).map(|it| number(it.into())),
        Comparison::Date | Comparison::DateTime => {
            let Some(time) = Timestamp::parse(text) else {
                return Err(format!("`{text}` is not a date."));
            };
            // A date without a time covers all seconds of its day.
            let whole_day = parse_date(text.trim()).is_some();
            let end = if whole_day { time.end_of_day() } else { time };
            Ok(Operand::Range(time.into(), end.into()))
        }
        Comparison::Media => Ok(Operand::Text(url_filename(text).into_owned())),
        Comparison::Text | Comparison::LongText | Comparison::Relation | Comparison::Json => {
            Ok(Operand::Text(text.to_string()))
        }
    }
}

fn parse_flag(text: &str) -> Result<bool, String> {
    match text.trim() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("`{text}` is not true or false.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;

    fn parse(name: &str, operator: &str, values: &[&str]) -> Result<Filter, String> {
        let ty = content_type(
            "posts",
            r#"{"fields":{"n":{"type":"number"},"on":{"type":"boolean"},"day":{"type":"date"},
            "at":{"type":"datetime"},"kind":{"type":"select"},"pic":{"type":"media"},
            "rel":{"type":"relation","target":"x"},"text":{"type":"textarea"},
            "seo":{"type":"object","fields":{"note":{"type":"text"},"n":{"type":"number"}}},
            "rows":{"type":"repeater","subfields":[{"key":"t"}]}}}"#,
        );
        let values: Vec<String> = values.iter().map(|it| it.to_string()).collect();
        Filter::parse(&ty, name, Operator::parse(operator).unwrap(), &values)
    }

    #[test]
    fn operands_are_typed_by_the_field() {
        let check = |name, operator, value: &str, expect: Operand| {
            let filter = parse(name, operator, &[value]);
            assert_eq!(filter.map(|it| it.operands), Ok(vec![expect]), "{name} {operator} {value}");
        };
        let range = |from: f64, to: f64| Operand::Range(from.into(), to.into());
        let number = |it: f64| range(it, it);
        let text = |it: &str| Operand::Text(it.to_string());
        check("n", "eq", "2.5", number(2.5));
        check("n", "gt", " -3 ", number(-3.0));
        check("n", "in", "1e3", number(1000.0));
        check("seo.n", "eq", "1", number(1.0));
        check("on", "eq", "1", number(1.0));
        check("on", "ne", "false", number(0.0));
        check("day", "eq", "1970-01-02", range(86_400.0, 172_799.0));
        check("at", "gt", "1970-01-02", range(86_400.0, 172_799.0));
        check("at", "lt", "1970-01-01T00:00:10Z", number(10.0));
        check("created_at", "gte", "1970-01-01 00:01", number(60.0));
        check("kind", "eq", "Äb", text("Äb"));
        check("kind", "contains", "Äb", text("äb"));
        check("kind", "gt", "Äb", text("äb"));
        check("rel", "eq", "Slug-1", text("Slug-1"));
        check("pic", "eq", "https://x.org/media/main/a%20b.png", text("a b.png"));
        check("pic", "eq", "a b.png", text("a b.png"));
        check("pic", "starts", "A B", text("a b"));
        check("text", "eq", "", text(""));
        check("rows", "contains", "X", text("x"));
        check("seo.note", "eq", "x", text("x"));
        check("n", "empty", "true", Operand::Flag(true));
        check("n", "empty", "0", Operand::Flag(false));
        check("n", "contains", "1", text("1"));
    }

    #[test]
    fn what_cannot_be_typed_is_told() {
        let check = |name, operator, values: &[&str], expect: &str| {
            let filter = parse(name, operator, values);
            assert_eq!(filter.map(|_| ()), Err(expect.to_string()), "{name} {operator}");
        };
        check("n", "eq", &["one"], "`one` is not a number.");
        check("n", "eq", &["NaN"], "`NaN` is not a number.");
        check("n", "in", &["1", "1e999"], "`1e999` is not a number.");
        check("n", "eq", &[""], "`` is not a number.");
        check("on", "eq", &["maybe"], "`maybe` is not true or false.");
        check("day", "gt", &["2026-02-30"], "`2026-02-30` is not a date.");
        check("at", "eq", &["soon"], "`soon` is not a date.");
        check("n", "empty", &[""], "`` is not true or false.");
        check("n", "eq", &[], "A value is missing.");
        check("nope", "eq", &["1"], "`nope` is not a field of `posts`.");
        check("seo.nope", "eq", &["1"], "`seo.nope` is not a field of `posts`.");
        check("rows.t", "eq", &["1"], "`rows.t` is not a field of `posts`.");
        check("n.n", "eq", &["1"], "`n.n` is not a field of `posts`.");
        check("", "eq", &["1"], "`` is not a field of `posts`.");
    }

    #[test]
    fn verdicts() {
        let check = |name, operator, values: &[&str], given: &[Comparable<'_>], expect: bool| {
            let filter = parse(name, operator, values).unwrap();
            let passes = filter.matches_values(|each| given.iter().for_each(|it| each(*it)));
            assert_eq!(passes, expect, "{name} {operator} {values:?} of {given:?}");
        };
        let (number, text) = (|it: f64| Comparable::Number(it.into()), Comparable::Text);
        let may_day = number(1_777_593_600.0);
        check("n", "eq", &["5"], &[number(5.0)], true);
        check("n", "eq", &["5"], &[text("5 items")], false);
        check("n", "ne", &["5"], &[text("5 items")], true);
        check("n", "empty", &["1"], &[text("5 items")], false);
        check("n", "contains", &["items"], &[text("5 Items")], true);
        let large = Comparable::Number(ExactNumber::parse("9007199254740993").unwrap());
        check("n", "eq", &["9007199254740993"], &[large], true);
        check("n", "eq", &["9007199254740992"], &[large], false);
        check("n", "gt", &["9007199254740992"], &[large], true);
        check("n", "contains", &["993"], &[large], true);
        check("n", "ne", &["5"], &[], true);
        check("n", "lt", &["5"], &[], false);
        check("n", "in", &[], &[number(5.0)], false);
        check("n", "nin", &[], &[number(5.0)], true);
        check("n", "empty", &["true"], &[], true);
        check("kind", "eq", &["a"], &[text("b"), text("a")], true);
        check("kind", "ne", &["a"], &[text("b"), text("a")], false);
        check("kind", "nin", &["c", "d"], &[text("b"), text("a")], true);
        check("kind", "eq", &["A"], &[text("a")], false);
        check("kind", "starts", &["STRASS"], &[text("Straße")], true);
        check("kind", "gte", &["B"], &[text("b")], true);
        check("day", "eq", &["2026-05-01"], &[may_day], true);
        check("day", "contains", &["2026-05"], &[may_day], true);
        check("at", "starts", &["2026-05-01t00"], &[may_day], true);
        check("at", "lte", &["2026-05-01"], &[number(1_777_593_600.0 + 86_399.0)], true);
        check("at", "gt", &["2026-05-01"], &[number(1_777_593_600.0 + 86_399.0)], false);
        check("at", "gt", &["2026-05-01"], &[number(1_777_593_600.0 + 86_400.0)], true);
        check("on", "contains", &["RU"], &[number(1.0)], true);
        let written = |it: f64, text: &'static str| Comparable::WrittenNumber(it.into(), text);
        check("kind", "gte", &["10"], &[written(2.0, "2")], false);
        check("kind", "gte", &["10"], &[written(10.0, "1e1")], true);
        check("kind", "lt", &["10"], &[written(2.0, "2")], true);
        check("kind", "lt", &["b"], &[written(2.0, "2")], true);
        check("kind", "gt", &["10"], &[text("2")], true);
        check("kind", "eq", &["2"], &[written(2.0, "2.0")], false);
        check("kind", "eq", &["2.0"], &[written(2.0, "2.0")], true);
        check("kind", "contains", &["2"], &[written(2.0, "2.0")], true);
    }
}
