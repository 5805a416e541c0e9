//! Query strings: pairs, decoded once.

use percent_encoding::percent_decode_str;

/// How many pairs a query string may have.
pub const PAIRS_MAX: usize = 256;

/// Parameters that hold several names, by comma or repeated, with `[]` behind them or without.
const LISTS: &[&str] = &["sort", "include", "fields", "counts"];

/// The decoded pairs of a query string, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// Reads `a=b&c=d`. The error is a sentence.
    pub fn parse(query: &str) -> Result<Params, String> {
        let pieces = query.split('&').filter(|it| !it.is_empty());
        let mut pairs = Vec::new();
        for piece in pieces {
            if pairs.len() == PAIRS_MAX {
                return Err(format!("There are more than {PAIRS_MAX} query parameters."));
            }
            let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
            pairs.push((decode(name)?, decode(value)?));
        }
        Ok(Params(pairs))
    }

    /// All pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The last value under `name`: of repeated single-valued parameters the last wins.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The names under `name` and `name[]`, in the order in which they are written; none when the
    /// parameter is not given or is empty.
    pub fn names(&self, name: &str) -> Option<Vec<&str>> {
        let is_it = |key: &str| list_name(key) == name;
        let values: Vec<&str> =
            self.iter().filter(|(key, _)| is_it(key)).map(|(_, value)| value).collect();
        values.iter().any(|it| !it.is_empty()).then(|| {
            let names = values.into_iter().flat_map(|it| it.split(','));
            names.map(str::trim).filter(|it| !it.is_empty()).collect()
        })
    }

    /// A warning for each parameter that is given more than once and holds one value. Filters are
    /// looked at where they are read.
    pub fn repeats(&self) -> Vec<String> {
        let mut names: Vec<&str> = Vec::new();
        for (place, (name, _)) in self.0.iter().enumerate() {
            let is_list = LISTS.contains(&list_name(name)) || name.starts_with("filter[");
            let is_again = self.0.iter().take(place).any(|(earlier, _)| earlier == name);
            if is_again && !is_list && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names.into_iter().map(repeated).collect()
    }

    /// Whether `name` is given as `1`, `true` or without a value.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name).is_some_and(|it| matches!(it, "" | "1" | "true"))
    }
}

/// The name of a list without the `[]` or `[0]` that some clients put behind it.
pub fn list_name(name: &str) -> &str {
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    match name.strip_suffix(']').and_then(|it| it.split_once('[')) {
        Some((list, number)) if LISTS.contains(&list) && is_number(number) => list,
        _ => name,
    }
}

/// What is said of a parameter of which only the last value counts.
pub fn repeated(name: &str) -> String {
    format!("{name}: This parameter is given more than once; the last value counts.")
}

fn decode(text: &str) -> Result<String, String> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8();
    decoded.map(|it| it.into_owned()).map_err(|_| "The query string is not UTF-8 text.".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_once_and_takes_the_last() {
        let params = Params::parse("a=1&filter%5Bx%5D=a%2Bb+c&&a=2&flag").unwrap();
        assert_eq!(params.get("a"), Some("2"));
        assert_eq!(params.get("filter[x]"), Some("a+b c"));
        assert!(params.flag("flag") && !params.flag("a"));
        assert_eq!(params.repeats(), [repeated("a")]);
        assert!(Params::parse("a=%FF").is_err());
        assert!(Params::parse(&"a&".repeat(257)).is_err());
    }

    #[test]
    fn lists_are_one_however_they_are_written() {
        let check = |query: &str, expect: Option<&[&str]>| {
            let params = Params::parse(query).unwrap();
            assert_eq!(params.names("sort").as_deref(), expect, "{query}");
            assert_eq!(params.repeats(), Vec::<String>::new(), "{query}");
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
}
