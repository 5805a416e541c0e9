//! Query strings as decoded pairs.

use percent_encoding::percent_decode_str;

use crate::model::problem::FieldProblems;
use crate::stdx::checksum::ChecksumBuilder;

/// The most pairs in a query string.
pub const PAIRS_MAX: usize = 256;

/// Parameters that hold several names, separated by commas or repeated, with or without `[]`.
const LISTS: &[&str] = &["sort", "include", "fields", "counts", "types"];

/// The parameter of filters, of which each has a field in brackets.
const FILTER: &str = "filter";

/// The decoded pairs of a query string, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryParams(Vec<(String, String)>);

impl QueryParams {
    /// Parses `a=b&c=d`. The error is a sentence.
    pub fn parse(query: &str) -> Result<QueryParams, String> {
        let pieces = query.split('&').filter(|it| !it.is_empty());
        let mut pairs = Vec::new();
        for piece in pieces {
            if pairs.len() == PAIRS_MAX {
                return Err(format!("There are more than {PAIRS_MAX} query parameters."));
            }
            let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
            pairs.push((decode_component(name)?, decode_component(value)?));
        }
        Ok(QueryParams(pairs))
    }

    /// Returns true if there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over all pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Adds the pairs, and the warnings about them, to a checksum. It is the same in whatever order
    /// parameters are written, but of one parameter, of filters and of warnings the order counts.
    pub fn add_to_checksum(&self, warnings: &[String], summer: &mut ChecksumBuilder) {
        let mut pairs: Vec<&(String, String)> = self.0.iter().collect();
        pairs.sort_by_key(|&(name, _)| if is_filter(name) { FILTER } else { list_name(name) });
        summer.add_number(pairs.len() as u64);
        for (name, value) in pairs {
            summer.add_part(name.as_bytes()).add_part(value.as_bytes());
        }
        for warning in warnings {
            summer.add_part(warning.as_bytes());
        }
    }

    /// Returns the last value of `name`: of repeated single-valued parameters, the last counts.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the names under `name` and `name[]`, in written order; `None` if the parameter is
    /// missing or empty.
    pub fn list_names(&self, name: &str) -> Option<Vec<&str>> {
        let is_it = |key: &str| list_name(key) == name;
        let values: Vec<&str> =
            self.iter().filter(|(key, _)| is_it(key)).map(|(_, value)| value).collect();
        values
            .iter()
            .any(|it| !it.is_empty())
            .then(|| values.into_iter().flat_map(split_names).collect())
    }

    /// Returns a warning for each single-valued parameter that is repeated, except for filters,
    /// which their parser checks.
    pub fn describe_repeats(&self) -> Vec<String> {
        let mut names: Vec<&str> = Vec::new();
        for (place, (name, _)) in self.0.iter().enumerate() {
            let is_list = LISTS.contains(&list_name(name)) || is_filter(name);
            let is_again = self.0.iter().take(place).any(|(earlier, _)| earlier == name);
            if is_again && !is_list && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names.into_iter().map(describe_repeated).collect()
    }

    /// Returns true if `name` is given as `1`, `true` or without a value. What is neither yes nor
    /// no counts as no: this is for how an answer looks.
    pub fn get_flag(&self, name: &str) -> bool {
        self.get(name).and_then(parse_flag).unwrap_or(false)
    }

    /// Like [`QueryParams::get_flag`], but what is neither yes nor no is a problem.
    pub fn parse_flag(&self, name: &str, problems: &mut FieldProblems) -> bool {
        let Some(value) = self.get(name) else { return false };
        parse_flag(value).unwrap_or_else(|| {
            problems.add(name, "This must be `1`, `true`, `0` or `false`.");
            false
        })
    }
}

/// Parses a flag. Python writes `True`.
fn parse_flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "" | "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

fn is_filter(name: &str) -> bool {
    name.strip_prefix(FILTER).is_some_and(|it| it.starts_with('['))
}

/// Returns the names in a list with commas.
pub fn split_names(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|it| !it.is_empty())
}

/// Returns the name of a list without the `[]` or `[0]` that some clients append.
pub fn list_name(name: &str) -> &str {
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    match name.strip_suffix(']').and_then(|it| it.split_once('[')) {
        Some((list, number)) if LISTS.contains(&list) && is_number(number) => list,
        _ => name,
    }
}

/// Returns the warning about a repeated parameter of which only the last value counts.
pub fn describe_repeated(name: &str) -> String {
    format!("{name}: This parameter is given more than once; the last value counts.")
}

fn decode_component(text: &str) -> Result<String, String> {
    if !text.bytes().any(|it| matches!(it, b'+' | b'%')) {
        return Ok(text.to_string());
    }
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8();
    decoded.map(|it| it.into_owned()).map_err(|_| "The query string is not UTF-8 text.".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_once_and_takes_the_last() {
        let params = QueryParams::parse("a=1&filter%5Bx%5D=a%2Bb+c&&a=2&flag").unwrap();
        assert_eq!(params.get("a"), Some("2"));
        assert_eq!(params.get("filter[x]"), Some("a+b c"));
        assert!(params.get_flag("flag") && !params.get_flag("a"));
        let flag = |query: &str| {
            let mut problems = FieldProblems::new();
            let is_on = QueryParams::parse(query).unwrap().parse_flag("guard", &mut problems);
            problems.into_result(is_on).ok()
        };
        for (query, expect) in [
            ("", Some(false)),
            ("guard", Some(true)),
            ("guard=True", Some(true)),
            ("guard=0", Some(false)),
            ("guard=FALSE", Some(false)),
            ("guard=yes", None),
            ("guard=2", None),
        ] {
            assert_eq!(flag(query), expect, "{query}");
        }
        assert_eq!(params.describe_repeats(), [describe_repeated("a")]);
        assert!(QueryParams::parse("a=%FF").is_err());
        assert!(QueryParams::parse(&"a&".repeat(257)).is_err());
    }

    #[test]
    fn lists_are_one_however_they_are_written() {
        let check = |query: &str, expect: Option<&[&str]>| {
            let params = QueryParams::parse(query).unwrap();
            assert_eq!(params.list_names("sort").as_deref(), expect, "{query}");
            assert_eq!(params.describe_repeats(), Vec::<String>::new(), "{query}");
        };
        check("", None);
        check("sort=", None);
        check("sort=a,b", Some(&["a", "b"]));
        check("sort=a&sort=-b", Some(&["a", "-b"]));
        check("sort[]=a&q=x&sort%5B%5D=-b", Some(&["a", "-b"]));
        check("sort=a,+b&sort[]=c&sort=&sort=d", Some(&["a", "b", "c", "d"]));
        check("sort[0]=a&sort[1]=b", Some(&["a", "b"]));
        check("sorts=a&sort[x]=b", None);
    }

    #[test]
    fn the_order_of_parameters_is_no_difference() {
        let sum = |query: &str| {
            let mut summer = ChecksumBuilder::new();
            QueryParams::parse(query).unwrap().add_to_checksum(&[], &mut summer);
            summer.finish()
        };
        let check = |one: &str, two: &str, is_same: bool| {
            assert_eq!(sum(one) == sum(two), is_same, "{one} {two}");
        };
        check("q=a&limit=1&sort=x", "sort=x&q=a&limit=1", true);
        check("filter%5Ba%5D=1&q=b+c", "q=b%20c&filter[a]=1", true);
        check("sort=a&q=x&sort[]=b", "q=x&sort=a&sort[]=b", true);
        check("sort=a&sort=b", "sort=b&sort=a", false);
        check("limit=1&limit=2", "limit=2&limit=1", false);
        check("filter[a]=1&filter[a][eq]=2", "filter[a][eq]=2&filter[a]=1", false);
        check("a=b", "a=&b", false);
        check("", "a", false);
    }
}
