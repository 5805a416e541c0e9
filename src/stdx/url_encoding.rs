//! Percent encoding of path segments.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but the unreserved characters of RFC 3986 §2.3.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Encodes a text as a path segment.
pub fn encode_segment(text: &str) -> impl std::fmt::Display {
    utf8_percent_encode(text, SEGMENT)
}
