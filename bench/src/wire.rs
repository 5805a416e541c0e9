//! A minimal HTTP/1.1 client: the head of a response, its framing, and blocking requests for
//! everything that is not load.

use std::io::Read;
use std::io::Write;
use std::net::SocketAddr;
use std::net::TcpStream;
use std::time::Duration;

use memchr::memmem;

/// The longest accepted head.
const HEAD_BYTES_MAX: usize = 64 * 1024;

/// The framing of the body of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// `Content-Length`.
    Length(u64),
    /// `Transfer-Encoding: chunked`.
    Chunked,
}

/// The status line and the framing of a response.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Status code.
    pub(crate) status: u16,
    /// The framing of the body.
    pub(crate) framing: Framing,
    /// The number of bytes up to and including the empty line.
    pub(crate) bytes: usize,
}

impl Head {
    /// Parses a head. Returns `None` if the empty line has not arrived yet.
    pub(crate) fn parse(input: &[u8]) -> Result<Option<Head>, &'static str> {
        let Some(end) = memmem::find(input, b"\r\n\r\n") else {
            return if input.len() > HEAD_BYTES_MAX { Err("endless head") } else { Ok(None) };
        };
        let head = &input[..end];
        let status = head
            .get(9..12)
            .filter(|_| head.starts_with(b"HTTP/1."))
            .and_then(parse_decimal)
            .ok_or("not an HTTP answer")?;
        let status = u16::try_from(status).map_err(|_| "not an HTTP status")?;
        let framing = header_lines(head)
            .find_map(|(name, value)| {
                if name.eq_ignore_ascii_case(b"content-length") {
                    parse_decimal(value).map(Framing::Length)
                } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
                    Some(Framing::Chunked)
                } else {
                    None
                }
            })
            .or_else(|| (status == 304 || status == 204).then_some(Framing::Length(0)))
            .ok_or("an answer without a length")?;
        Ok(Some(Head { status, framing, bytes: end + 4 }))
    }
}

/// Returns the name and the value of each header line of a head without its empty line.
fn header_lines(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    head.split(|&byte| byte == b'\n').skip(1).filter_map(|line| {
        let colon = memchr::memchr(b':', line)?;
        Some((&line[..colon], line[colon + 1..].trim_ascii()))
    })
}

fn parse_decimal(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The position of the next byte in a chunked body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChunkState {
    Size(u64),
    Extension(u64),
    Data(u64),
    AfterData,
    Trailer { line_empty: bool },
    Done,
}

/// A parser of chunked bodies that arrive in pieces of any size.
pub(crate) struct Chunks {
    state: ChunkState,
}

impl Chunks {
    /// Returns a parser at the start of a body.
    pub(crate) fn new() -> Self {
        Chunks { state: ChunkState::Size(0) }
    }

    /// Returns true if the last chunk and its trailer have been read.
    pub(crate) fn is_done(&self) -> bool {
        self.state == ChunkState::Done
    }

    /// Parses more bytes, and passes the payload to `sink`.
    pub(crate) fn feed(
        &mut self,
        mut input: &[u8],
        mut sink: impl FnMut(&[u8]),
    ) -> Result<(), &'static str> {
        while let Some((&byte, rest)) = input.split_first() {
            self.state = match self.state {
                ChunkState::Data(left) => {
                    let n = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
                    sink(&input[..n]);
                    input = &input[n..];
                    let left = left - n as u64;
                    self.state =
                        if left == 0 { ChunkState::AfterData } else { ChunkState::Data(left) };
                    continue;
                }
                state => next_state(state, byte)?,
            };
            input = rest;
        }
        Ok(())
    }
}

/// Returns the state after one byte that is not payload.
fn next_state(state: ChunkState, byte: u8) -> Result<ChunkState, &'static str> {
    Ok(match (state, byte) {
        (ChunkState::Size(size) | ChunkState::Extension(size), b'\n') => match size {
            0 => ChunkState::Trailer { line_empty: true },
            _ => ChunkState::Data(size),
        },
        (ChunkState::Size(size), b';' | b'\r') => ChunkState::Extension(size),
        (ChunkState::Size(size), digit) => {
            let digit = (digit as char).to_digit(16).ok_or("a bad chunk size")?;
            let size = size.checked_mul(16).ok_or("a bad chunk size")?;
            ChunkState::Size(size | u64::from(digit))
        }
        (ChunkState::AfterData, b'\n') => ChunkState::Size(0),
        (ChunkState::Trailer { line_empty: true }, b'\n') => ChunkState::Done,
        (ChunkState::Trailer { .. }, b'\n') => ChunkState::Trailer { line_empty: true },
        (ChunkState::Trailer { line_empty }, b'\r') => ChunkState::Trailer { line_empty },
        (ChunkState::Trailer { .. }, _) => ChunkState::Trailer { line_empty: false },
        (ChunkState::Done, _) => return Err("bytes after the end of the answer"),
        (state, _) => state,
    })
}

/// A complete response.
pub(crate) struct Answer {
    /// Status code.
    pub(crate) status: u16,
    /// The header names and values in the order in which they came.
    pub(crate) headers: Vec<(String, String)>,
    /// The body without framing.
    pub(crate) body: Vec<u8>,
}

/// A blocking keep-alive connection.
pub(crate) struct Client {
    stream: TcpStream,
    authority: SocketAddr,
}

impl Client {
    /// Connects to a server.
    pub(crate) fn connect(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Client { stream, authority: address })
    }

    /// Sends a `GET` request and reads the response.
    pub(crate) fn get(&mut self, path: &str) -> std::io::Result<Answer> {
        self.exchange(&request_bytes(self.authority, path, None))
    }

    /// Sends a `POST` request with a JSON body and reads the response.
    pub(crate) fn post(&mut self, path: &str, token: &str, body: &str) -> std::io::Result<Answer> {
        self.exchange(&write_bytes(self.authority, "POST", path, token, body))
    }

    /// Sends a request and reads the response.
    pub(crate) fn exchange(&mut self, request: &[u8]) -> std::io::Result<Answer> {
        self.stream.write_all(request)?;
        let mut buffer = Vec::with_capacity(16 * 1024);
        let head = loop {
            if let Some(head) = Head::parse(&buffer).map_err(std::io::Error::other)? {
                break head;
            }
            self.read_more(&mut buffer)?;
        };
        let mut body = buffer.split_off(head.bytes);
        match head.framing {
            Framing::Length(length) => {
                let length = usize::try_from(length).map_err(std::io::Error::other)?;
                let start = body.len();
                body.resize(length.max(start), 0);
                self.stream.read_exact(&mut body[start..])?;
            }
            Framing::Chunked => body = self.read_chunks(body)?,
        }
        let headers = header_lines(&buffer)
            .map(|(name, value)| {
                let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
                (text(name), text(value))
            })
            .collect();
        Ok(Answer { status: head.status, headers, body })
    }

    fn read_chunks(&mut self, mut input: Vec<u8>) -> std::io::Result<Vec<u8>> {
        let (mut chunks, mut body) = (Chunks::new(), Vec::new());
        loop {
            chunks
                .feed(&input, |payload| body.extend_from_slice(payload))
                .map_err(std::io::Error::other)?;
            if chunks.is_done() {
                return Ok(body);
            }
            input.clear();
            self.read_more(&mut input)?;
        }
    }

    fn read_more(&mut self, buffer: &mut Vec<u8>) -> std::io::Result<()> {
        let start = buffer.len();
        buffer.resize(start + 16 * 1024, 0);
        let n = self.stream.read(&mut buffer[start..])?;
        buffer.truncate(start + n);
        if n == 0 { Err(std::io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

/// Returns the bytes of a `GET` request.
pub(crate) fn request_bytes(authority: SocketAddr, path: &str, token: Option<&str>) -> Vec<u8> {
    let mut request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\n");
    if let Some(token) = token {
        request.push_str(&format!("Authorization: Bearer {token}\r\n"));
    }
    request.push_str("\r\n");
    request.into_bytes()
}

/// Returns the bytes of a write request with a JSON body.
pub(crate) fn write_bytes(
    authority: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    body: &str,
) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: {authority}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        let check = |input: &str, expect: Result<Option<(u16, Framing)>, &str>| {
            let got = Head::parse(input.as_bytes());
            let got = got.map(|head| head.map(|head| (head.status, head.framing)));
            assert_eq!(got, expect, "{input:?}");
        };
        check("HTTP/1.1 200 OK\r\nContent-Le", Ok(None));
        check(
            "HTTP/1.1 200 OK\r\nDate: x\r\ncontent-length: 12\r\n\r\nab",
            Ok(Some((200, Framing::Length(12)))),
        );
        check(
            "HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n",
            Ok(Some((404, Framing::Chunked))),
        );
        check("HTTP/1.1 304 Not Modified\r\n\r\n", Ok(Some((304, Framing::Length(0)))));
        check("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", Err("an answer without a length"));
        check("SSH-2.0-x\r\n\r\n", Err("not an HTTP answer"));
    }

    #[test]
    fn chunks_however_they_are_cut() {
        let wire = b"5\r\nhello\r\n1;x=y\r\n \r\n5\r\nworld\r\n0\r\nTrailer: x\r\n\r\n";
        for cut in 0..wire.len() {
            let (mut chunks, mut body) = (Chunks::new(), Vec::new());
            for part in [&wire[..cut], &wire[cut..]] {
                assert!(!chunks.is_done());
                chunks.feed(part, |payload| body.extend_from_slice(payload)).expect("well formed");
            }
            assert!(chunks.is_done(), "cut at {cut}");
            assert_eq!(body, b"hello world");
        }
        assert!(Chunks::new().feed(b"zz\r\n", |_| ()).is_err());
    }
}
