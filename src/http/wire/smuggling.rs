//! The scan of raw request heads for what hyper's parser silently accepts.
//!
//! Hyper drops a repeated `Content-Length` and one that comes with `Transfer-Encoding`, and accepts
//! a bare line feed as a line end. If two programs read such a head differently, requests can be
//! smuggled; so the scan finds these heads and [`super::conn`] refuses them. It checks nothing
//! else, and it does not parse chunked bodies: a connection that sent one is closed afterwards.

use memchr::memchr;

/// The longest line whose text matters: a `Content-Length` with its number.
const LINE_BYTES_MAX: usize = 64;

/// A flaw of a head that hyper accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FramingFlaw {
    /// A line ends without a carriage return.
    BareLineFeed,
    /// `Content-Length` is repeated, or not a plain number.
    Length,
    /// `Content-Length` and `Transfer-Encoding` are both present.
    LengthAndEncoding,
}

/// A scanner of the byte stream that tracks where heads begin and end.
#[derive(Debug)]
pub(super) struct HeadScan {
    state: ScanState,
    line: [u8; LINE_BYTES_MAX],
    /// The length of the current line so far, which may be longer than `line`.
    line_bytes: usize,
    last_byte: u8,
    head: ScannedHead,
    n_heads: u64,
    last_request: Option<LastRequest>,
}

/// The last request of a connection, by its number from 1, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LastRequest {
    pub(super) request_number: u64,
    /// The flaw; `None` for a valid request with a chunked body.
    pub(super) flaw: Option<FramingFlaw>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScanState {
    Head,
    Body(u64),
    Blind,
}

#[derive(Debug, Default)]
struct ScannedHead {
    started: bool,
    bare: bool,
    encoded: bool,
    n_lengths: u32,
    length: Option<u64>,
}

impl HeadScan {
    pub(super) fn new() -> Self {
        HeadScan {
            state: ScanState::Head,
            line: [0; LINE_BYTES_MAX],
            line_bytes: 0,
            last_byte: 0,
            head: ScannedHead::default(),
            n_heads: 0,
            last_request: None,
        }
    }

    /// Scans more bytes. Returns the last request at most once in the life of a connection.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Option<LastRequest> {
        while !bytes.is_empty() {
            match self.state {
                ScanState::Blind => break,
                ScanState::Body(left) => {
                    let here = left.min(bytes.len() as u64);
                    bytes = bytes.get(usize::try_from(here).unwrap_or(usize::MAX)..)?;
                    self.state = if here == left {
                        ScanState::Head
                    } else {
                        ScanState::Body(left.saturating_sub(here))
                    };
                }
                ScanState::Head => match memchr(b'\n', bytes) {
                    None => {
                        self.extend_line(bytes);
                        break;
                    }
                    Some(at) => {
                        if self.line_bytes == 0 {
                            self.read_line(&bytes[..at]);
                        } else {
                            self.extend_line(&bytes[..at]);
                            self.end_line();
                        }
                        bytes = &bytes[at + 1..];
                    }
                },
            }
        }
        self.last_request.take()
    }

    /// Returns true if a part of a head has arrived.
    pub(super) fn is_inside_head(&self) -> bool {
        self.state == ScanState::Head && (self.head.started || self.line_bytes > 0)
    }

    /// Returns the number of complete heads.
    pub(super) fn n_heads(&self) -> u64 {
        self.n_heads
    }

    /// Reads a line that arrived whole, as nearly all do, where it is.
    fn read_line(&mut self, line: &[u8]) {
        let Some((b'\r', text)) = line.split_last() else {
            self.head.bare = true;
            return self.end_text(line, line.len());
        };
        self.end_text(text, text.len());
    }

    fn extend_line(&mut self, part: &[u8]) {
        let Some(last) = part.last() else { return };
        self.last_byte = *last;
        let first = if self.line_bytes == 0 { part[0] } else { self.line[0] };
        // Only two names matter; other lines need no copy beyond their first byte.
        let copied = if matches!(first | 0x20, b'c' | b't') { part } else { &part[..1] };
        if let Some(room) = self.line.get_mut(self.line_bytes..) {
            let n = room.len().min(copied.len());
            room[..n].copy_from_slice(&copied[..n]);
        }
        self.line_bytes = self.line_bytes.saturating_add(part.len());
    }

    fn end_line(&mut self) {
        let returned = self.line_bytes > 0 && self.last_byte == b'\r';
        let line_bytes = self.line_bytes.saturating_sub(usize::from(returned));
        self.line_bytes = 0;
        self.head.bare |= !returned;
        let line = self.line;
        self.end_text(&line[..line_bytes.min(LINE_BYTES_MAX)], line_bytes);
    }

    /// Takes the text of a line of so many bytes, or its beginning.
    fn end_text(&mut self, text: &[u8], line_bytes: usize) {
        if line_bytes > 0 {
            if self.head.started {
                self.head.read_header(text, line_bytes <= LINE_BYTES_MAX);
            }
            self.head.started = true;
        } else if self.head.started {
            self.end_head();
        }
    }

    fn end_head(&mut self) {
        let head = std::mem::take(&mut self.head);
        self.n_heads = self.n_heads.saturating_add(1);
        let flaw = head.find_flaw();
        if flaw.is_some() || head.encoded {
            self.state = ScanState::Blind;
            self.last_request = Some(LastRequest { request_number: self.n_heads, flaw });
        } else if let Some(length) = head.length.filter(|it| *it > 0) {
            self.state = ScanState::Body(length);
        }
    }
}

impl ScannedHead {
    fn read_header(&mut self, line: &[u8], is_whole: bool) {
        // Only two names matter.
        if !line.first().is_some_and(|it| matches!(it | 0x20, b'c' | b't')) {
            return;
        }
        if starts_with(line, b"transfer-encoding:") {
            self.encoded = true;
        } else if starts_with(line, b"content-length:") {
            self.n_lengths = self.n_lengths.saturating_add(1);
            let number = is_whole.then(|| parse_number(&line[b"content-length:".len()..]));
            self.length = number.flatten();
        }
    }

    fn find_flaw(&self) -> Option<FramingFlaw> {
        if self.encoded && self.n_lengths > 0 {
            Some(FramingFlaw::LengthAndEncoding)
        } else if self.n_lengths > 1 || (self.n_lengths == 1 && self.length.is_none()) {
            Some(FramingFlaw::Length)
        } else if self.bare {
            Some(FramingFlaw::BareLineFeed)
        } else {
            None
        }
    }
}

fn starts_with(line: &[u8], name: &[u8]) -> bool {
    line.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))
}

fn parse_number(value: &[u8]) -> Option<u64> {
    let digits = value.trim_ascii();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the text whole and byte by byte; both must give the same result.
    fn check(text: &str, n_heads: u64, expect: Option<(u64, Option<FramingFlaw>)>) {
        for step in [text.len(), 1, 3] {
            let mut scan = HeadScan::new();
            let mut found = None;
            for part in text.as_bytes().chunks(step) {
                found = found.or(scan.feed(part));
            }
            let found = found.map(|it| (it.request_number, it.flaw));
            assert_eq!((scan.n_heads(), found), (n_heads, expect), "{text:?} by {step}");
        }
    }

    #[test]
    fn sound_heads_pass() {
        check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 1, None);
        check("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 1, None);
        check("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\nGET", 2, None);
        check(
            "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n\r\n\n\nGET / HTTP/1.1\r\n\r\n",
            2,
            None,
        );
        check("POST / HTTP/1.1\r\nCONTENT-LENGTH:0\r\n\r\nGET / HTTP/1.1\r\n\r\n", 2, None);
        check("GET / HTTP/1.1\r\nX: content-length: 3\r\nTe: b\r\nCookie: c\r\n\r\n", 1, None);
    }

    #[test]
    fn flaws_are_found() {
        use FramingFlaw::*;
        check("GET / HTTP/1.1\nHost: a\r\n\r\n", 1, Some((1, Some(BareLineFeed))));
        check("GET / HTTP/1.1\r\nHost: a\r\n\n", 1, Some((1, Some(BareLineFeed))));
        let twice = "P / HTTP/1.1\r\ncontent-length: 1\r\nContent-Length: 1\r\n\r\n";
        check(twice, 1, Some((1, Some(Length))));
        let padded = format!("P / HTTP/1.1\r\nContent-Length:{}1\r\n\r\n", " ".repeat(90));
        check(&padded, 1, Some((1, Some(Length))));
        let both = "P / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n";
        check(both, 1, Some((1, Some(LengthAndEncoding))));
        let second = format!("GET / HTTP/1.1\r\n\r\n{both}GET / HTTP/1.1\n\n");
        check(&second, 2, Some((2, Some(LengthAndEncoding))));
    }

    #[test]
    fn a_chunked_request_is_the_last() {
        let text = "P / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n";
        check(text, 1, Some((1, None)));
    }

    proptest::proptest! {
        #[test]
        fn cuts_make_no_difference(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec![
                    "\r\n", "\n", "\r", "G", "content-length:", "Content-Length: 3", " 4", "x: y",
                    "transfer-encoding:", "ab\0", "\r\n\r\n",
                ]),
                0..24,
            ),
            cuts in proptest::collection::vec(1_usize..9, 1..40),
        ) {
            let text = pieces.concat().into_bytes();
            let mut whole = HeadScan::new();
            let expect = whole.feed(&text);
            let mut cut = HeadScan::new();
            let (mut found, mut rest) = (None, text.as_slice());
            for n in cuts.iter().cycle().take(text.len()) {
                let (part, after) = rest.split_at(rest.len().min(*n));
                found = found.or(cut.feed(part));
                rest = after;
            }
            proptest::prop_assert_eq!((found, cut.n_heads), (expect, whole.n_heads));
            proptest::prop_assert_eq!(cut.is_inside_head(), whole.is_inside_head());
        }
    }

    #[test]
    fn it_knows_when_it_is_inside_a_head() {
        let mut scan = HeadScan::new();
        assert!(!scan.is_inside_head());
        for (part, inside) in
            [("G", true), ("ET / HTTP/1.1\r\n", true), ("\r", true), ("\n", false)]
        {
            scan.feed(part.as_bytes());
            assert_eq!(scan.is_inside_head(), inside, "{part:?}");
        }
    }
}
