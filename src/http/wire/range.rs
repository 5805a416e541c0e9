//! Byte ranges (RFC 9110, section 14): the requested parts of a file, and the reply with them.
//!
//! A `Range` that is malformed, or asks for many small pieces or for more than the file has, is
//! ignored, as the RFC allows: the whole file is sent then.

use std::fs::File;
use std::io;
use std::time::SystemTime;

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderValue;
use http::StatusCode;
use http::header;

use super::headers::http_date;
use super::headers::whole_seconds;
use super::reply::FileSegment;
use super::reply::FileStream;
use super::reply::Reply;

/// The most ranges of one request.
const RANGES_MAX: usize = 16;
/// The smallest gap between two separate ranges: the head of a part would be longer than a smaller
/// gap.
const GAP_BYTES_MIN: u64 = 80;

/// A range of bytes, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// The first byte.
    pub first: u64,
    /// The last byte.
    pub last: u64,
}

impl ByteRange {
    fn len_bytes(self) -> u64 {
        self.last.saturating_sub(self.first).saturating_add(1)
    }

    fn is_near(self, other: ByteRange) -> bool {
        self.first <= other.last.saturating_add(GAP_BYTES_MIN)
            && other.first <= self.last.saturating_add(GAP_BYTES_MIN)
    }

    fn join(self, other: ByteRange) -> ByteRange {
        ByteRange { first: self.first.min(other.first), last: self.last.max(other.last) }
    }
}

/// The selected part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeSelection {
    /// The whole file, with 200.
    Whole,
    /// One part, with 206.
    One(ByteRange),
    /// Several parts as `multipart/byteranges`, with 206.
    Many(Vec<ByteRange>),
}

/// The error of a range without any byte of the file: 416, with [`unsatisfied_range`] as
/// `Content-Range`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The file has none of the requested bytes.")]
pub struct Unsatisfiable;

/// Parses `Range` and `If-Range` of a GET. `tag` is the file's strong entity tag without quotes.
///
/// # Errors
///
/// Fails with [`Unsatisfiable`] if the file has none of the requested bytes.
pub fn select_ranges(
    headers: &HeaderMap,
    len_bytes: u64,
    tag: Option<&str>,
    modified: Option<SystemTime>,
) -> Result<RangeSelection, Unsatisfiable> {
    let mut ranges = headers.get_all(header::RANGE).iter();
    let (Some(range), None) = (ranges.next(), ranges.next()) else {
        return Ok(RangeSelection::Whole);
    };
    if len_bytes == 0 || !if_range_holds(headers, tag, modified) {
        return Ok(RangeSelection::Whole);
    }
    let Some(spans) = range.to_str().ok().and_then(|it| parse_ranges(it, len_bytes)) else {
        return Ok(RangeSelection::Whole);
    };
    let spans = join_near(spans);
    let asked_bytes = spans.iter().map(|it| it.len_bytes()).fold(0, u64::saturating_add);
    match spans.as_slice() {
        [] => Err(Unsatisfiable),
        [one] => Ok(RangeSelection::One(*one)),
        _ if asked_bytes >= len_bytes => Ok(RangeSelection::Whole),
        _ => Ok(RangeSelection::Many(spans)),
    }
}

/// Returns the `Content-Range` of a 416.
#[must_use]
pub fn unsatisfied_range(len_bytes: u64) -> HeaderValue {
    HeaderValue::try_from(format!("bytes */{len_bytes}"))
        .expect("digits and a star make a header value")
}

/// Builds the reply with the selected bytes; the caller adds validators and caching. Reads the file
/// here if the selection is small, so call it where blocking is allowed.
///
/// # Errors
///
/// Fails if the file cannot be read, or is shorter than `len_bytes`.
pub fn file_reply(
    file: File,
    len_bytes: u64,
    content_type: &HeaderValue,
    selection: &RangeSelection,
) -> io::Result<Reply> {
    let reply = |status, content_type: HeaderValue| {
        Reply::new(status)
            .with_header(header::CONTENT_TYPE, content_type)
            .with_header(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"))
    };
    match selection {
        RangeSelection::Whole => {
            let body =
                FileStream::open_body(file, vec![FileSegment::File { start: 0, len_bytes }])?;
            Ok(reply(StatusCode::OK, content_type.clone()).with_body(body))
        }
        RangeSelection::One(span) => {
            let body = FileStream::open_body(file, vec![to_segment(*span)])?;
            Ok(reply(StatusCode::PARTIAL_CONTENT, content_type.clone())
                .with_header(header::CONTENT_RANGE, content_range(*span, len_bytes)?)
                .with_body(body))
        }
        RangeSelection::Many(spans) => {
            let boundary = draw_boundary()?;
            let body = FileStream::open_body(
                file,
                build_multipart(spans, len_bytes, content_type, &boundary),
            )?;
            let whole_type = format!("multipart/byteranges; boundary={boundary}");
            let whole_type = HeaderValue::try_from(whole_type).map_err(io::Error::other)?;
            Ok(reply(StatusCode::PARTIAL_CONTENT, whole_type).with_body(body))
        }
    }
}

/// Returns true if the ranges apply. A failed condition means that the client has a part of another
/// version.
fn if_range_holds(headers: &HeaderMap, tag: Option<&str>, modified: Option<SystemTime>) -> bool {
    let Some(condition) = headers.get(header::IF_RANGE) else { return true };
    let bytes = condition.as_bytes();
    if bytes.starts_with(b"\"") {
        let quoted = bytes.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\""));
        return tag.is_some_and(|tag| quoted == Some(tag.as_bytes()));
    }
    let asked = http_date(condition).and_then(whole_seconds);
    asked.is_some() && asked == modified.and_then(whole_seconds)
}

/// Returns the satisfiable ranges; `None` if the header has to be ignored.
fn parse_ranges(range: &str, len_bytes: u64) -> Option<Vec<ByteRange>> {
    let (unit, list) = range.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let mut spans = Vec::new();
    let mut n_ranges = 0_usize;
    for range in list.split(',').map(|it| it.trim_matches([' ', '\t'])).filter(|it| !it.is_empty())
    {
        n_ranges = n_ranges.saturating_add(1);
        if n_ranges > RANGES_MAX {
            return None;
        }
        spans.extend(parse_one(range, len_bytes)?);
    }
    (n_ranges > 0).then_some(spans)
}

/// Parses one range. The outer `None` means malformed, the inner one outside of the file.
fn parse_one(range: &str, len_bytes: u64) -> Option<Option<ByteRange>> {
    let end = len_bytes.saturating_sub(1);
    let (first, last) = range.split_once('-')?;
    if first.is_empty() {
        let n = parse_digits(last)?;
        let span = ByteRange { first: len_bytes.saturating_sub(n), last: end };
        return Some((n > 0).then_some(span));
    }
    let first = parse_digits(first)?;
    let last = if last.is_empty() { u64::MAX } else { parse_digits(last)? };
    if last < first {
        return None;
    }
    Some((first <= end).then_some(ByteRange { first, last: last.min(end) }))
}

/// Parses digits only. A number beyond 64 bits is beyond any file.
fn parse_digits(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// Joins ranges that overlap or nearly touch; the others keep their order.
fn join_near(spans: Vec<ByteRange>) -> Vec<ByteRange> {
    let mut joined: Vec<ByteRange> = Vec::with_capacity(spans.len());
    for mut span in spans {
        while let Some(at) = joined.iter().position(|it| it.is_near(span)) {
            span = joined.remove(at).join(span);
        }
        joined.push(span);
    }
    joined
}

fn to_segment(span: ByteRange) -> FileSegment {
    FileSegment::File { start: span.first, len_bytes: span.len_bytes() }
}

fn content_range(span: ByteRange, len_bytes: u64) -> io::Result<HeaderValue> {
    let value = format!("bytes {}-{}/{len_bytes}", span.first, span.last);
    HeaderValue::try_from(value).map_err(io::Error::other)
}

/// Draws a random boundary, so that no file can be made to contain it.
fn draw_boundary() -> io::Result<String> {
    Ok(format!("{:016x}{:016x}", getrandom::u64()?, getrandom::u64()?))
}

fn build_multipart(
    spans: &[ByteRange],
    len_bytes: u64,
    content_type: &HeaderValue,
    boundary: &str,
) -> Vec<FileSegment> {
    let mut segments = Vec::with_capacity(spans.len().saturating_mul(2).saturating_add(1));
    for span in spans {
        let line = format!("\r\n--{boundary}\r\nContent-Type: ");
        let range =
            format!("\r\nContent-Range: bytes {}-{}/{len_bytes}\r\n\r\n", span.first, span.last);
        let head = [line.as_bytes(), content_type.as_bytes(), range.as_bytes()].concat();
        segments.push(FileSegment::Bytes(Bytes::from(head)));
        segments.push(to_segment(*span));
    }
    segments.push(FileSegment::Bytes(Bytes::from(format!("\r\n--{boundary}--\r\n"))));
    segments
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt as _;
    use std::io::Write as _;
    use std::time::Duration;

    fn headers(range: &str, if_range: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::try_from(range).unwrap());
        if let Some(condition) = if_range {
            headers.insert(header::IF_RANGE, HeaderValue::try_from(condition).unwrap());
        }
        headers
    }

    /// `expect`: `-` = whole, `416`, else `first-last` joined by `,`.
    fn check(range: &str, len_bytes: u64, expect: &str) {
        let selected = select_ranges(&headers(range, None), len_bytes, None, None);
        assert_eq!(spell(&selected), expect, "{range} of {len_bytes}");
    }

    fn spell(selected: &Result<RangeSelection, Unsatisfiable>) -> String {
        let spell = |it: &ByteRange| format!("{}-{}", it.first, it.last);
        match selected {
            Err(Unsatisfiable) => "416".to_owned(),
            Ok(RangeSelection::Whole) => "-".to_owned(),
            Ok(RangeSelection::One(span)) => spell(span),
            Ok(RangeSelection::Many(spans)) => {
                spans.iter().map(spell).collect::<Vec<_>>().join(",")
            }
        }
    }

    #[test]
    fn single_ranges() {
        check("bytes=0-0", 10, "0-0");
        check("Bytes = 2-", 10, "2-9");
        check("bytes=5-99999999999999999999999", 10, "5-9");
        check("bytes=-3", 10, "7-9");
        check("bytes=-30", 10, "0-9");
        check("bytes=10-", 10, "416");
        check("bytes=99999999999999999999999-", 10, "416");
        check("bytes=-0", 10, "416");
        check("bytes=0-", 0, "-");
    }

    #[test]
    fn what_is_malformed_is_ignored() {
        for range in [
            "bytes",
            "bytes=",
            "bytes=,",
            "bytes=-",
            "bytes=3-2",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=1--2",
            "lines=0-1",
            "bytes=0-1,x",
            "bytes=0x1-2",
        ] {
            check(range, 10, "-");
        }
    }

    #[test]
    fn many_ranges_are_bounded() {
        check("bytes=500-509, 0-9", 1_000, "500-509,0-9");
        check("bytes=0-9,2000-", 1_000, "0-9");
        check("bytes=2000-,3000-", 1_000, "416");
        check("bytes=0-9,20-29,5-8", 1_000, "0-29");
        check("bytes=0-9,500-509,300-320,430-450", 1_000, "0-9,300-320,430-509");
        check(&format!("bytes={}", "0-,".repeat(16)), 1_000, "0-999");
        check(&format!("bytes={}", "0-,".repeat(17)), 1_000, "-");
        check("bytes=0-499,600-,u", 1_000, "-");
    }

    proptest::proptest! {
        #[test]
        fn selections_lie_inside_and_apart(
            ranges in proptest::collection::vec(
                (proptest::option::of(0_u64..3_000), proptest::option::of(0_u64..3_000)),
                1..20,
            ),
            len_bytes in 0_u64..2_000,
        ) {
            let spell = |it: Option<u64>| it.map_or(String::new(), |it| it.to_string());
            let list: Vec<String> =
                ranges.iter().map(|(a, b)| format!("{}-{}", spell(*a), spell(*b))).collect();
            let headers = headers(&format!("bytes={}", list.join(",")), None);
            if let Ok(RangeSelection::Many(spans)) = select_ranges(&headers, len_bytes, None, None) {
                proptest::prop_assert!(spans.iter().all(|it| it.first <= it.last && it.last < len_bytes));
                for (at, one) in spans.iter().enumerate() {
                    proptest::prop_assert!(spans[at + 1..].iter().all(|it| !it.is_near(*one)));
                }
            }
        }
    }

    #[test]
    fn a_part_must_be_of_the_same_file() {
        let modified = SystemTime::UNIX_EPOCH + Duration::from_millis(784_111_777_900);
        for (condition, expect) in [
            ("\"t\"", "0-0"),
            ("W/\"t\"", "-"),
            ("\"u\"", "-"),
            ("\"", "-"),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "0-0"),
            ("Sun, 06 Nov 1994 08:49:38 GMT", "-"),
            ("whenever", "-"),
        ] {
            let headers = headers("bytes=0-0", Some(condition));
            let selected = select_ranges(&headers, 10, Some("t"), Some(modified));
            assert_eq!(spell(&selected), expect, "{condition}");
            assert_eq!(
                spell(&select_ranges(&headers, 10, None, None)),
                "-",
                "{condition} of nothing"
            );
        }
    }

    fn reply(selection: &RangeSelection) -> (StatusCode, String, String) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let reply = file_reply(file, 10, &HeaderValue::from_static("text/x"), selection).unwrap();
        let lines = reply
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap()));
        let (status, lines) = (reply.status, lines.collect());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let body = runtime.block_on(reply.body.collect()).unwrap().to_bytes();
        (status, lines, String::from_utf8(body.to_vec()).unwrap())
    }

    #[test]
    fn parts_are_sent() {
        let (status, lines, body) = reply(&RangeSelection::Whole);
        assert_eq!((status, body.as_str()), (StatusCode::OK, "0123456789"));
        assert_eq!(lines, "content-type: text/x\naccept-ranges: bytes\n");
        let (status, lines, body) = reply(&RangeSelection::One(ByteRange { first: 2, last: 4 }));
        assert_eq!((status, body.as_str()), (StatusCode::PARTIAL_CONTENT, "234"));
        assert!(lines.ends_with("content-range: bytes 2-4/10\n"), "{lines}");
        let spans = vec![ByteRange { first: 8, last: 9 }, ByteRange { first: 0, last: 0 }];
        let (status, lines, body) = reply(&RangeSelection::Many(spans));
        let boundary = lines.split("boundary=").nth(1).unwrap().split('\n').next().unwrap();
        let expect = format!(
            "\r\n--{boundary}\r\nContent-Type: text/x\r\nContent-Range: bytes 8-9/10\r\n\r\n89\
             \r\n--{boundary}\r\nContent-Type: text/x\r\nContent-Range: bytes 0-0/10\r\n\r\n0\
             \r\n--{boundary}--\r\n"
        );
        assert_eq!((status, body), (StatusCode::PARTIAL_CONTENT, expect));
        assert_eq!(unsatisfied_range(10), "bytes */10");
    }
}
