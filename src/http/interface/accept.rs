//! The negotiation of HTML by `Accept`: a browser that opens an address accepts it, while a program
//! that asks for JSON should get an error.

use http::HeaderMap;
use http::header;

/// Returns true if `Accept` allows `text/html`. The most specific range counts.
pub(crate) fn allows_html(headers: &HeaderMap) -> bool {
    let mut ranges = headers.get_all(header::ACCEPT).iter().peekable();
    if ranges.peek().is_none() {
        return true;
    }
    let items = ranges.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    let best = items.filter_map(parse_html_range).max_by_key(|(detail, _)| *detail);
    best.is_some_and(|(_, allowed)| allowed)
}

/// Returns how specifically a range describes HTML, and true if it allows it.
fn parse_html_range(item: &str) -> Option<(u8, bool)> {
    let mut parts = item.split(';').map(str::trim);
    let range = parts.next().unwrap_or_default().to_ascii_lowercase();
    let detail = match range.as_str() {
        "text/html" => 2,
        "text/*" => 1,
        "*/*" => 0,
        _ => return None,
    };
    let weights = parts.filter_map(|it| it.strip_prefix("q=").or_else(|| it.strip_prefix("Q=")));
    let refused = |it: &str| it.trim().bytes().all(|byte| matches!(byte, b'0' | b'.'));
    Some((detail, !weights.take(1).any(refused)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_take_html_and_programs_do_not() {
        let check = |values: &[&'static str], expect: bool| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::ACCEPT, http::HeaderValue::from_static(value));
            }
            assert_eq!(allows_html(&headers), expect, "{values:?}");
        };
        check(&[], true);
        check(&["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"], true);
        check(&["*/*"], true);
        check(&["application/json, text/*;q=0.1"], true);
        check(&["application/json", "TEXT/HTML ; q=0.5"], true);
        check(&["application/json"], false);
        check(&["application/json, text/html;q=0"], false);
        check(&["*/*, text/html;q=0.000"], false);
        check(&["text/html;q=1, */*;q=0"], true);
        check(&[""], false);
    }
}
