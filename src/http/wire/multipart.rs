//! A parser of `multipart/form-data` that is fed pieces of a body and returns the heads and the
//! data of its parts. It buffers no more than a head and the length of a boundary.

use bytes::Bytes;
use bytes::BytesMut;
use memchr::memmem;
use memchr::memmem::Finder;

/// The most parts of a body.
const PARTS_MAX: usize = 64;
/// The longest head of a part, and the longest text in front of the first.
const HEAD_BYTES_MAX: usize = 8 * 1_024;
/// The longest boundary that the standard allows.
const BOUNDARY_BYTES_MAX: usize = 70;

/// An event of the parser.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MultipartEvent {
    /// More bytes must be fed first.
    Starved,
    /// A part starts.
    Part(PartHead),
    /// The next bytes of the part.
    Data(Bytes),
    /// The part has ended.
    PartEnd,
    /// The last part has ended. Everything after it is ignored.
    End,
}

/// The head of a part.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PartHead {
    /// The name of the form field.
    pub(crate) name: String,
    /// The filename, if the part is a file.
    pub(crate) filename: Option<String>,
}

/// The reason why a body is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MultipartError {
    #[error("The multipart body has more than 64 parts.")]
    TooManyParts,
    #[error("A part of the multipart body has headers of more than 8 KiB.")]
    HeadTooLong,
    #[error("A part of the multipart body has no Content-Disposition with a name.")]
    Nameless,
    #[error("The multipart body is malformed.")]
    Malformed,
}

/// The position of the parser in the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MultipartState {
    Preamble,
    /// Right after a boundary.
    Boundary,
    Head,
    Data,
    End,
}

/// A parser of multipart bodies.
pub(crate) struct MultipartParser {
    /// A line break, two dashes and the boundary.
    delimiter: Finder<'static>,
    buffer: BytesMut,
    state: MultipartState,
    parts: usize,
    /// The number of preamble bytes discarded so far.
    skipped: usize,
}

impl MultipartParser {
    /// Returns a parser of bodies with this boundary, or `None` if it is invalid.
    pub(crate) fn new(boundary: &str) -> Option<MultipartParser> {
        if boundary.is_empty() || boundary.len() > BOUNDARY_BYTES_MAX {
            return None;
        }
        let delimiter = Finder::new(format!("\r\n--{boundary}").as_bytes()).into_owned();
        // The first boundary needs no line break before it.
        let buffer = BytesMut::from(&b"\r\n"[..]);
        Some(MultipartParser {
            delimiter,
            buffer,
            state: MultipartState::Preamble,
            parts: 0,
            skipped: 0,
        })
    }

    /// Feeds the next piece of the body.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        self.buffer.extend_from_slice(piece);
    }

    /// Returns the next event.
    pub(crate) fn next_event(&mut self) -> Result<MultipartEvent, MultipartError> {
        match self.state {
            MultipartState::Preamble => self.skip_preamble(),
            MultipartState::Boundary => self.read_boundary(),
            MultipartState::Head => self.read_head(),
            MultipartState::Data => Ok(self.take_data()),
            MultipartState::End => Ok(MultipartEvent::End),
        }
    }

    fn skip_preamble(&mut self) -> Result<MultipartEvent, MultipartError> {
        loop {
            match self.take_data() {
                MultipartEvent::Data(bytes) => {
                    self.skipped = self.skipped.saturating_add(bytes.len())
                }
                MultipartEvent::PartEnd => return self.read_boundary(),
                other => return Ok(other),
            }
            if self.skipped > HEAD_BYTES_MAX {
                return Err(MultipartError::Malformed);
            }
        }
    }

    /// Returns the bytes up to the next boundary. Bytes that may be the start of one are kept.
    fn take_data(&mut self) -> MultipartEvent {
        let length = self.delimiter.needle().len();
        match self.delimiter.find(&self.buffer) {
            Some(0) => {
                let _ = self.buffer.split_to(length);
                self.state = MultipartState::Boundary;
                MultipartEvent::PartEnd
            }
            Some(at) => MultipartEvent::Data(self.buffer.split_to(at).freeze()),
            None => match self.buffer.len().saturating_sub(length - 1) {
                0 => MultipartEvent::Starved,
                sure => MultipartEvent::Data(self.buffer.split_to(sure).freeze()),
            },
        }
    }

    /// Reads the bytes after a boundary: two dashes end the body, a line break starts a part.
    fn read_boundary(&mut self) -> Result<MultipartEvent, MultipartError> {
        if self.buffer.starts_with(b"--") {
            self.state = MultipartState::End;
            return Ok(MultipartEvent::End);
        }
        let padding = self.buffer.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
        match self.buffer.get(padding..).unwrap_or_default() {
            _ if padding > HEAD_BYTES_MAX => Err(MultipartError::Malformed),
            [] | [b'\r'] => Ok(MultipartEvent::Starved),
            [b'-'] if padding == 0 => Ok(MultipartEvent::Starved),
            [b'\r', b'\n', ..] => {
                // The line break stays: it precedes the first field of the head.
                let _ = self.buffer.split_to(padding);
                self.state = MultipartState::Head;
                self.read_head()
            }
            _ => Err(MultipartError::Malformed),
        }
    }

    fn read_head(&mut self) -> Result<MultipartEvent, MultipartError> {
        let Some(length) = memmem::find(&self.buffer, b"\r\n\r\n") else {
            let long = self.buffer.len() > HEAD_BYTES_MAX;
            return if long {
                Err(MultipartError::HeadTooLong)
            } else {
                Ok(MultipartEvent::Starved)
            };
        };
        if length > HEAD_BYTES_MAX {
            return Err(MultipartError::HeadTooLong);
        }
        self.parts += 1;
        if self.parts > PARTS_MAX {
            return Err(MultipartError::TooManyParts);
        }
        let head = self.buffer.split_to(length);
        // The second break of the empty line stays, for empty data that is followed by a boundary.
        let _ = self.buffer.split_to(4);
        self.state = MultipartState::Data;
        Ok(MultipartEvent::Part(PartHead::parse(&String::from_utf8_lossy(&head))?))
    }
}

impl PartHead {
    fn parse(head: &str) -> Result<PartHead, MultipartError> {
        let disposition = head.split("\r\n").find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("content-disposition").then(|| value.trim())
        });
        let (kind, parameters) = parse_parameters(disposition.ok_or(MultipartError::Nameless)?);
        let find = |name: &str| parameters.iter().find(|(it, _)| it == name);
        let name = find("name").ok_or(MultipartError::Nameless)?.1.clone();
        if !kind.eq_ignore_ascii_case("form-data") {
            return Err(MultipartError::Nameless);
        }
        // Browsers escape these three characters in names.
        let plain = |it: &str| it.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
        let filename = find("filename").map(|(_, it)| plain(it));
        Ok(PartHead { name: plain(&name), filename })
    }
}

/// Parses a header value with its parameters: `form-data; name="a"`. Names are returned in lower
/// case, values without quotes. Everything from a malformed parameter on is ignored.
pub(crate) fn parse_parameters(value: &str) -> (&str, Vec<(String, String)>) {
    let (first, mut rest) = value.split_once(';').unwrap_or((value, ""));
    let mut found = Vec::new();
    while let Some((name, value)) = rest.split_once('=') {
        let value = value.trim_start();
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => parse_quoted(quoted),
            None => {
                let (token, after) = value.split_once(';').unwrap_or((value, ""));
                (token.trim().to_string(), after)
            }
        };
        found.push((name.trim().to_ascii_lowercase(), value));
        rest = after.trim_start().trim_start_matches(';');
    }
    (first.trim(), found)
}

/// Returns the text up to the closing quote, and the rest. A backslash escapes only a quote, since
/// some clients send whole paths.
fn parse_quoted(quoted: &str) -> (String, &str) {
    let mut text = String::new();
    let mut rest = quoted.chars();
    while let Some(it) = rest.next() {
        match it {
            '"' => break,
            '\\' if rest.as_str().starts_with('"') => text.extend(rest.next()),
            it => text.push(it),
        }
    }
    (text, rest.as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Feeds a body in pieces of `step` bytes. Returns its parts, or the error.
    fn parts(
        boundary: &str,
        body: &[u8],
        piece: usize,
    ) -> Result<Vec<(PartHead, Vec<u8>)>, String> {
        let mut parser = MultipartParser::new(boundary).unwrap();
        let mut pieces = body.chunks(piece);
        let mut parts: Vec<(PartHead, Vec<u8>)> = Vec::new();
        loop {
            match parser.next_event().map_err(|it| format!("{it:?}"))? {
                MultipartEvent::Starved => match pieces.next() {
                    Some(piece) => parser.feed(piece),
                    None => return Err("cut off".to_string()),
                },
                MultipartEvent::Part(head) => parts.push((head, Vec::new())),
                MultipartEvent::Data(bytes) => parts.last_mut().unwrap().1.extend(bytes),
                MultipartEvent::PartEnd => {}
                MultipartEvent::End => return Ok(parts),
            }
        }
    }

    /// `expect`: `name[=filename]:data` of each part, joined by `|`, or `!` and the error.
    fn check(body: &str, expect: &str) {
        for piece in [1, 2, 3, 7, 1_000_000] {
            let shown = match parts("b", body.as_bytes(), piece) {
                Err(flaw) => format!("!{flaw}"),
                Ok(parts) => {
                    let show = |(head, data): &(PartHead, Vec<u8>)| {
                        let file = head.filename.as_ref().map(|it| format!("={it}"));
                        let data = String::from_utf8_lossy(data);
                        format!("{}{}:{data}", head.name, file.unwrap_or_default())
                    };
                    parts.iter().map(show).collect::<Vec<_>>().join("|")
                }
            };
            assert_eq!(shown, expect, "{body:?} in pieces of {piece}");
        }
    }

    fn part(name: &str, data: &str) -> String {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{data}\r\n")
    }

    #[test]
    fn bodies_are_taken_apart() {
        check("--b--", "");
        check("--b--\r\nafterwards", "");
        check("before\r\n--b--", "");
        check(&(part("a", "1") + "--b--\r\n"), "a:1");
        check(
            &(part("a", "") + &part("c", "\r\n--\r\n--x\r\n") + "--b--"),
            "a:|c:\r\n--\r\n--x\r\n",
        );
        check("--b  \r\nCONTENT-DISPOSITION:form-data;name=a\r\nX: y\r\n\r\n1\r\n--b--", "a:1");
        check(
            "--b\r\ncontent-disposition: form-data; name=a; filename=\"x.png\"\r\n\r\n\r\n--b--",
            "a=x.png:",
        );
    }

    #[test]
    fn flaws_are_found() {
        check("", "!cut off");
        check("nothing", "!cut off");
        check(&part("a", "1"), "!cut off");
        check("--b\r\ncontent-disposition: form-data; name=a", "!cut off");
        check("--bx\r\n", "!Malformed");
        check("--b-\r\n", "!Malformed");
        check("--b\r\n\r\n1\r\n--b--", "!Nameless");
        check("--b\r\ncontent-disposition: form-data\r\n\r\n1\r\n--b--", "!Nameless");
        check("--b\r\ncontent-disposition: attachment; name=a\r\n\r\n1\r\n--b--", "!Nameless");
        check(&"x".repeat(HEAD_BYTES_MAX + 100), "!Malformed");
        let long = "x".repeat(HEAD_BYTES_MAX);
        check(&part(&long, "1"), "!HeadTooLong");
        let many = |n: usize| part("a", "1").repeat(n) + "--b--";
        check(&many(PARTS_MAX), &["a:1"; PARTS_MAX].join("|"));
        check(&many(PARTS_MAX + 1), "!TooManyParts");
    }

    #[test]
    fn boundaries_have_a_length() {
        assert!(MultipartParser::new("").is_none());
        assert!(MultipartParser::new(&"b".repeat(70)).is_some());
        assert!(MultipartParser::new(&"b".repeat(71)).is_none());
    }

    #[test]
    fn names_are_read_as_clients_write_them() {
        let check = |text: &str, expect: Option<&str>| {
            let head = format!("\r\nContent-Disposition: form-data; name=m; {text}");
            assert_eq!(PartHead::parse(&head).unwrap().filename.as_deref(), expect, "{text}");
        };
        check("filename=\"a.png\"", Some("a.png"));
        check("filename=a.png", Some("a.png"));
        check("FileName = \"a;b.png\" ; x=y", Some("a;b.png"));
        check("x=\"filename=z\"; filename=\"ä\"", Some("ä"));
        check(r#"filename="a\"b.png""#, Some("a\"b.png"));
        check(r#"filename="C:\pics\a.png""#, Some(r"C:\pics\a.png"));
        check("filename=\"%22a%22.png\"", Some("\"a\".png"));
        check("filename=\"open", Some("open"));
        check("filename=\"\"", Some(""));
        check("filename", None);
        check("", None);
    }

    proptest! {
        #[test]
        fn data_comes_as_it_was_sent(
            data in prop::collection::vec(prop::collection::vec(prop::sample::select(&b"\r\n-b x"[..]), 0..40), 0..4),
            piece in 1_usize..50,
        ) {
            let boundary = "-b-x";
            let delimiter = b"\r\n---b-x";
            // Data must not contain the boundary.
            let sendable = |it: &Vec<u8>| {
                let framed = [b"\r\n", it.as_slice(), b"\r\n---b-"].concat();
                memmem::find(&framed, delimiter).is_none()
            };
            let data: Vec<Vec<u8>> = data.into_iter().filter(sendable).collect();
            let mut body = Vec::new();
            for data in &data {
                body.extend(b"---b-x\r\ncontent-disposition: form-data; name=n\r\n\r\n");
                body.extend(data);
                body.extend(b"\r\n");
            }
            body.extend(b"---b-x--");
            let parts = parts(boundary, &body, piece).unwrap();
            prop_assert_eq!(parts.into_iter().map(|it| it.1).collect::<Vec<_>>(), data);
        }

        #[test]
        fn nothing_panics(body in prop::collection::vec(any::<u8>(), 0..200), piece in 1_usize..50) {
            let _ = parts("b", &body, piece);
        }
    }
}
