//! Query strings: pairs, decoded once.

use percent_encoding::percent_decode_str;

/// How many pairs a query string may have.
pub const PAIRS_MAX: usize = 256;

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

    /// Whether `name` is given as `1`, `true` or without a value.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name).is_some_and(|it| matches!(it, "" | "1" | "true"))
    }
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
        assert!(Params::parse("a=%FF").is_err());
        assert!(Params::parse(&"a&".repeat(257)).is_err());
    }
}
