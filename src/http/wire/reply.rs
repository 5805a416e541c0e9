//! Replies as plain data, and their bodies.
//!
//! A handler returns a [`Reply`] without awaiting anything; this module decides how its bytes reach
//! the socket. [`super::range`] and [`super::compress`] decide about ranges and codings.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::io::IoSlice;
use std::io::Read as _;
use std::io::Seek as _;
use std::io::SeekFrom;
use std::pin::Pin;
use std::task::Context;
use std::task::Poll;
use std::task::ready;

use bytes::Buf;
use bytes::Bytes;
use http::HeaderName;
use http::HeaderValue;
use http::StatusCode;
use http_body::Body;
use http_body::Frame;
use http_body::SizeHint;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::cached_body::CachedBody;
use super::pulled_body::FrameSource;
use super::pulled_body::Frames;
use super::pulled_body::PulledBody;

/// The bytes read from a file at once. A reply of at most this size is read completely in advance.
pub const FILE_CHUNK_BYTES: u64 = 256 * 1_024;

/// The usual capacity for the header fields of a reply.
const HEADERS_USUAL: usize = 8;

/// The reply of a handler.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The header fields in the order in which they are sent. `Content-Length` comes from the body.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The body.
    pub body: ReplyBody,
    /// True if the reply reports a failure of the server, which is logged.
    pub is_failure: bool,
}

impl Reply {
    /// Returns a reply without a body.
    #[must_use]
    pub fn new(status: StatusCode) -> Self {
        Reply {
            status,
            headers: Vec::with_capacity(HEADERS_USUAL),
            body: ReplyBody::Empty,
            is_failure: status.is_server_error(),
        }
    }

    /// Sets the body.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<ReplyBody>) -> Self {
        self.body = body.into();
        self
    }

    /// Adds a header field; existing ones of the same name stay.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sets a header field, and replaces existing ones of the same name.
    pub fn set_header(&mut self, name: HeaderName, value: HeaderValue) {
        self.headers.retain(|(it, _)| *it != name);
        self.headers.push((name, value));
    }

    /// Returns the first header field of this name.
    #[must_use]
    pub fn header(&self, name: &HeaderName) -> Option<&HeaderValue> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value)
    }
}

/// The body of a response. The length is known in advance, except for `Pull` and `Live`.
#[derive(Debug, Default)]
pub enum ReplyBody {
    /// No body.
    #[default]
    Empty,
    /// One piece, resident or shared.
    Full(Bytes),
    /// Several pieces of a few KiB or more, sent without joining them.
    Parts(BodyParts),
    /// Pieces made while the client reads.
    Pull(PulledBody),
    /// Parts of a file, read while the client reads.
    File(Box<FileStream>),
    /// A file that is kept in memory.
    Cached(CachedBody),
    /// Pieces that arrive over time, until their sender is dropped.
    Live(mpsc::Receiver<Bytes>),
}

impl ReplyBody {
    /// Returns a body of finished pieces.
    #[must_use]
    pub fn from_parts(parts: Vec<Bytes>) -> Self {
        let left_bytes = sum_lengths(parts.iter().map(|it| it.len() as u64));
        ReplyBody::Parts(BodyParts { parts: parts.into(), left_bytes })
    }

    /// Returns a body of pieces made on demand, of about 64 KiB each. They are made on blocking
    /// threads, only a few ahead of the client. An error closes the connection, so that the client
    /// does not take the part for the whole.
    pub fn from_frames(frames: impl Iterator<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        ReplyBody::Pull(PulledBody::from_source(Box::new(frames) as Frames))
    }

    /// Returns a body of such pieces, of which the thread that sends them makes those that are
    /// quick: to pass them on from another thread takes longer. Quick ones may have 256 KiB.
    pub fn from_quick_frames(frames: impl FrameSource + 'static) -> Self {
        ReplyBody::Pull(PulledBody::from_source(frames))
    }

    /// Returns the remaining bytes; `None` if unknown.
    #[must_use]
    pub fn len_bytes(&self) -> Option<u64> {
        match self {
            ReplyBody::Empty => Some(0),
            ReplyBody::Full(bytes) => Some(bytes.len() as u64),
            ReplyBody::Parts(parts) => Some(parts.left_bytes),
            ReplyBody::Pull(_) | ReplyBody::Live(_) => None,
            ReplyBody::File(file) => Some(file.left_bytes),
            ReplyBody::Cached(body) => Some(body.bytes.len() as u64),
        }
    }
}

impl From<Bytes> for ReplyBody {
    fn from(bytes: Bytes) -> Self {
        ReplyBody::Full(bytes)
    }
}

impl From<CachedBody> for ReplyBody {
    fn from(body: CachedBody) -> Self {
        ReplyBody::Cached(body)
    }
}

impl From<Vec<u8>> for ReplyBody {
    fn from(bytes: Vec<u8>) -> Self {
        ReplyBody::Full(Bytes::from(bytes))
    }
}

impl From<String> for ReplyBody {
    fn from(text: String) -> Self {
        ReplyBody::Full(Bytes::from(text))
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = match self.get_mut() {
            ReplyBody::Empty => None,
            full @ (ReplyBody::Full(_) | ReplyBody::Cached(_)) => match std::mem::take(full) {
                ReplyBody::Full(bytes) | ReplyBody::Cached(CachedBody { bytes, .. })
                    if !bytes.is_empty() =>
                {
                    Some(Ok(bytes))
                }
                _ => None,
            },
            ReplyBody::Parts(parts) => parts.next().map(Ok),
            ReplyBody::Pull(pull) => ready!(pull.poll_next(context)),
            ReplyBody::File(file) => ready!(file.poll_next(context)),
            ReplyBody::Live(pieces) => ready!(pieces.poll_recv(context)).map(Ok),
        };
        Poll::Ready(next.map(|it| it.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.len_bytes() == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.len_bytes().map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

/// Finished pieces; see [`ReplyBody::from_parts`].
#[derive(Debug)]
pub struct BodyParts {
    parts: VecDeque<Bytes>,
    left_bytes: u64,
}

impl BodyParts {
    /// Returns the remaining bytes.
    #[must_use]
    pub fn left_bytes(&self) -> u64 {
        self.left_bytes
    }
}

impl Iterator for BodyParts {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        loop {
            let part = self.parts.pop_front()?;
            self.left_bytes = self.left_bytes.saturating_sub(part.len() as u64);
            if !part.is_empty() {
                return Some(part);
            }
        }
    }
}

/// The rest of the pieces, to be written several at a time.
impl Buf for BodyParts {
    fn remaining(&self) -> usize {
        usize::try_from(self.left_bytes).unwrap_or(usize::MAX)
    }

    fn chunk(&self) -> &[u8] {
        self.parts.iter().find(|it| !it.is_empty()).map_or(&[], |it| it)
    }

    fn chunks_vectored<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let parts = self.parts.iter().filter(|it| !it.is_empty());
        let filled = slices.iter_mut().zip(parts).map(|(slot, part)| *slot = IoSlice::new(part));
        filled.count()
    }

    fn advance(&mut self, mut n: usize) {
        while n > 0
            && let Some(part) = self.parts.front_mut()
        {
            let here = n.min(part.len());
            part.advance(here);
            n = n.saturating_sub(here);
            self.left_bytes = self.left_bytes.saturating_sub(here as u64);
            if part.is_empty() {
                self.parts.pop_front();
            }
        }
    }
}

/// A segment of a reply with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileSegment {
    /// Bytes of the file.
    File {
        /// The first byte.
        start: u64,
        /// The number of bytes.
        len_bytes: u64,
    },
    /// Bytes between them, such as the head of a multipart part.
    Bytes(Bytes),
}

impl FileSegment {
    fn len_bytes(&self) -> u64 {
        match self {
            FileSegment::File { len_bytes, .. } => *len_bytes,
            FileSegment::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

/// The body from an open file. Blocking threads read at most one chunk ahead of the client.
#[derive(Debug)]
pub struct FileStream {
    file: Option<File>,
    segments: VecDeque<FileSegment>,
    left_bytes: u64,
    reading: Option<JoinHandle<io::Result<(File, Bytes)>>>,
}

impl FileStream {
    /// Returns the body for these segments. Reads the file at once if that is at most one chunk, so
    /// call it where blocking is allowed.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or is shorter than the segments.
    pub fn open_body(mut file: File, segments: Vec<FileSegment>) -> io::Result<ReplyBody> {
        let left_bytes = sum_lengths(segments.iter().map(FileSegment::len_bytes));
        if left_bytes > FILE_CHUNK_BYTES {
            let segments = segments.into_iter().filter(|it| it.len_bytes() > 0).collect();
            let stream = FileStream { file: Some(file), segments, left_bytes, reading: None };
            return Ok(ReplyBody::File(Box::new(stream)));
        }
        let mut parts = Vec::with_capacity(segments.len());
        for segment in segments {
            parts.push(match segment {
                FileSegment::Bytes(bytes) => bytes,
                FileSegment::File { start, len_bytes } => read_at(&mut file, start, len_bytes)?,
            });
        }
        Ok(match <[Bytes; 1]>::try_from(parts) {
            Ok([whole]) => ReplyBody::Full(whole),
            Err(parts) => ReplyBody::from_parts(parts),
        })
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if self.reading.is_none() {
            if let Some(FileSegment::Bytes(_)) = self.segments.front() {
                return Poll::Ready(self.next_bytes().map(Ok));
            }
            self.start_reading();
        }
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let read = ready!(Pin::new(reading).poll(context));
        self.reading = None;
        Poll::Ready(Some(match read {
            Ok(Ok((file, bytes))) => {
                self.file = Some(file);
                self.left_bytes = self.left_bytes.saturating_sub(bytes.len() as u64);
                self.start_reading();
                Ok(bytes)
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(io::Error::other("the file's reader ended early")),
        }))
    }

    fn next_bytes(&mut self) -> Option<Bytes> {
        let Some(FileSegment::Bytes(bytes)) = self.segments.pop_front() else { return None };
        self.left_bytes = self.left_bytes.saturating_sub(bytes.len() as u64);
        Some(bytes)
    }

    /// Starts reading the next chunk, if it comes from the file.
    fn start_reading(&mut self) {
        let Some(FileSegment::File { start, len_bytes }) = self.segments.front_mut() else {
            return;
        };
        let Some(mut file) = self.file.take() else { return };
        let (at, n) = (*start, (*len_bytes).min(FILE_CHUNK_BYTES));
        *start = start.saturating_add(n);
        *len_bytes = len_bytes.saturating_sub(n);
        if *len_bytes == 0 {
            self.segments.pop_front();
        }
        self.reading = Some(tokio::task::spawn_blocking(move || {
            read_at(&mut file, at, n).map(|bytes| (file, bytes))
        }));
    }
}

fn read_at(file: &mut File, start: u64, len_bytes: u64) -> io::Result<Bytes> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::with_capacity(usize::try_from(len_bytes).unwrap_or(0));
    file.take(len_bytes).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != len_bytes {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Bytes::from(bytes))
}

fn sum_lengths(lengths: impl Iterator<Item = u64>) -> u64 {
    lengths.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt as _;
    use std::io::Write as _;

    fn collect(body: ReplyBody) -> io::Result<Vec<u8>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async { Ok(body.collect().await?.to_bytes().to_vec()) })
    }

    fn check(body: ReplyBody, len_bytes: Option<u64>, expect: &[u8]) {
        assert_eq!((body.len_bytes(), body.size_hint().exact()), (len_bytes, len_bytes));
        assert_eq!(collect(body).unwrap(), expect);
    }

    #[test]
    fn bodies_yield_their_bytes() {
        check(ReplyBody::Empty, Some(0), b"");
        check(Bytes::from_static(b"abc").into(), Some(3), b"abc");
        check(Bytes::new().into(), Some(0), b"");
        let parts = ["a", "", "bc"].map(Bytes::from).to_vec();
        check(ReplyBody::from_parts(parts.clone()), Some(3), b"abc");
        check(
            ReplyBody::from_frames(parts.into_iter().cycle().take(30).map(Ok)),
            None,
            "abc".repeat(10).as_bytes(),
        );
        check(ReplyBody::from_frames(std::iter::empty()), None, b"");
    }

    #[test]
    fn a_producers_failure_is_an_error() {
        let frames = (0..).map(|n| if n < 5 { Ok(Bytes::from("x")) } else { panic!("producer") });
        assert!(collect(ReplyBody::from_frames(frames)).is_err());
        let failing = [Ok(Bytes::from("x")), Err(io::ErrorKind::Other.into())];
        assert!(collect(ReplyBody::from_frames(failing.into_iter())).is_err());
    }

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn files_are_sent_in_segments() {
        let long: Vec<u8> = (0..700_000_u32).map(|n| (n % 251) as u8).collect();
        let len_bytes = long.len() as u64;
        let segments = |len_bytes| {
            vec![
                FileSegment::Bytes(Bytes::from("<")),
                FileSegment::File { start: 1, len_bytes },
                FileSegment::Bytes(Bytes::from("|")),
                FileSegment::File { start: 0, len_bytes: 2 },
                FileSegment::Bytes(Bytes::from(">")),
            ]
        };
        let expect = |n: usize| [b"<", &long[1..=n], b"|", &long[..2], b">"].concat();
        let body = FileStream::open_body(file_of(&long), segments(len_bytes - 1)).unwrap();
        assert!(matches!(body, ReplyBody::File(_)));
        check(body, Some(len_bytes + 4), &expect(long.len() - 1));
        let body = FileStream::open_body(file_of(&long), segments(10)).unwrap();
        check(body, Some(15), &expect(10));
    }

    #[test]
    fn a_file_that_shrank_is_an_error() {
        let whole = |len_bytes| vec![FileSegment::File { start: 0, len_bytes }];
        assert!(FileStream::open_body(file_of(b"abc"), whole(4)).is_err());
        let body = FileStream::open_body(file_of(b"abc"), whole(FILE_CHUNK_BYTES * 2)).unwrap();
        assert!(collect(body).is_err());
    }

    #[test]
    fn a_field_that_is_set_replaces_others() {
        let mut reply = Reply::new(StatusCode::CREATED);
        for tag in ["\"1\"", "\"2\""] {
            reply.set_header(http::header::ETAG, HeaderValue::from_static(tag));
        }
        assert_eq!(reply.headers.len(), 1);
        assert_eq!(reply.header(&http::header::ETAG).unwrap(), "\"2\"");
    }
}
