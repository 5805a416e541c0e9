//! What hyper's parser forgives without telling: read along on the raw bytes of a connection.
//!
//! hyper drops a repeated `Content-Length` and one that comes with `Transfer-Encoding`, and takes a
//! bare line feed for a line end. Two programs that read such a head differently are how requests
//! get smuggled, so the scan finds these heads and [`super::conn`] refuses them. It judges nothing
//! else, and it never looks into a chunked body: a connection that sent one is closed afterwards.

use memchr::memchr;

/// The longest line whose text matters: a `Content-Length` with its number.
const LINE_BYTES_MAX: usize = 64;

/// What is wrong with a head although hyper accepts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// A line that ends without a carriage return.
    BareLineFeed,
    /// `Content-Length` more than once, or not as a plain number.
    Length,
    /// `Content-Length` together with `Transfer-Encoding`.
    LengthAndEncoding,
}

/// A reader beside hyper's that knows where in the stream heads begin and end.
#[derive(Debug)]
pub(super) struct HeadScan {
    state: State,
    line: [u8; LINE_BYTES_MAX],
    /// Length of the current line so far; may be longer than what `line` keeps.
    line_bytes: usize,
    last_byte: u8,
    head: Head,
    n_heads: u64,
    verdict: Option<Verdict>,
}

/// Why the request with this number (from 1) is the last of its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) request_number: u64,
    /// `None`: a sound request, but with a chunked body.
    pub(super) flaw: Option<Flaw>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Head,
    Body(u64),
    Blind,
}

#[derive(Debug, Default)]
struct Head {
    begun: bool,
    bare: bool,
    encoded: bool,
    n_lengths: u32,
    length: Option<u64>,
}

impl HeadScan {
    pub(super) fn new() -> Self {
        HeadScan {
            state: State::Head,
            line: [0; LINE_BYTES_MAX],
            line_bytes: 0,
            last_byte: 0,
            head: Head::default(),
            n_heads: 0,
            verdict: None,
        }
    }

    /// Reads on. Returns a verdict at most once in the life of a connection.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Option<Verdict> {
        while !bytes.is_empty() {
            match self.state {
                State::Blind => break,
                State::Body(left) => {
                    let here = left.min(bytes.len() as u64);
                    bytes = bytes.get(usize::try_from(here).unwrap_or(usize::MAX)..)?;
                    self.state = if here == left {
                        State::Head
                    } else {
                        State::Body(left.saturating_sub(here))
                    };
                }
                State::Head => match memchr(b'\n', bytes) {
                    None => {
                        self.extend_line(bytes);
                        break;
                    }
                    Some(at) => {
                        self.extend_line(&bytes[..at]);
                        self.end_line();
                        bytes = &bytes[at + 1..];
                    }
                },
            }
        }
        self.verdict.take()
    }

    /// Some of a head has come, but not all.
    pub(super) fn is_inside_head(&self) -> bool {
        self.state == State::Head && (self.head.begun || self.line_bytes > 0)
    }

    /// How many heads have come to their end.
    pub(super) fn n_heads(&self) -> u64 {
        self.n_heads
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
        if line_bytes > 0 {
            if self.head.begun {
                self.read_header(line_bytes);
            }
            self.head.begun = true;
        } else if self.head.begun {
            self.end_head();
        }
    }

    fn read_header(&mut self, line_bytes: usize) {
        let kept = &self.line[..line_bytes.min(LINE_BYTES_MAX)];
        if starts_with(kept, b"transfer-encoding:") {
            self.head.encoded = true;
        } else if starts_with(kept, b"content-length:") {
            self.head.n_lengths = self.head.n_lengths.saturating_add(1);
            let whole = line_bytes <= LINE_BYTES_MAX;
            self.head.length = whole.then(|| number(&kept[b"content-length:".len()..])).flatten();
        }
    }

    fn end_head(&mut self) {
        let head = std::mem::take(&mut self.head);
        self.n_heads = self.n_heads.saturating_add(1);
        let flaw = head.flaw();
        if flaw.is_some() || head.encoded {
            self.state = State::Blind;
            self.verdict = Some(Verdict { request_number: self.n_heads, flaw });
        } else if let Some(length) = head.length.filter(|it| *it > 0) {
            self.state = State::Body(length);
        }
    }
}

impl Head {
    fn flaw(&self) -> Option<Flaw> {
        if self.encoded && self.n_lengths > 0 {
            Some(Flaw::LengthAndEncoding)
        } else if self.n_lengths > 1 || (self.n_lengths == 1 && self.length.is_none()) {
            Some(Flaw::Length)
        } else if self.bare {
            Some(Flaw::BareLineFeed)
        } else {
            None
        }
    }
}

fn starts_with(line: &[u8], name: &[u8]) -> bool {
    line.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))
}

fn number(value: &[u8]) -> Option<u64> {
    let digits = value.trim_ascii();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the text whole and byte by byte; both must come to the same end.
    fn check(text: &str, n_heads: u64, expect: Option<(u64, Option<Flaw>)>) {
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
        use Flaw::*;
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
