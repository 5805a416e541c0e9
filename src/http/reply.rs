//! Replies as plain data, and their bodies on the way out.
//!
//! A handler returns a [`Reply`] without awaiting anything; how its bytes reach the socket is
//! decided here. Which ranges or which encoding is decided in [`super::range`] and
//! [`super::compress`].

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io;
use std::io::Read as _;
use std::io::Seek as _;
use std::io::SeekFrom;
use std::pin::Pin;
use std::task::Context;
use std::task::Poll;
use std::task::ready;

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::Response;
use http::StatusCode;
use http_body::Body;
use http_body::Frame;
use http_body::SizeHint;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::streams::StreamTurns;

/// What is read from a file at once. A reply of at most this size is read whole beforehand.
pub const FILE_CHUNK_BYTES: u64 = 256 * 1_024;

/// How many frames of a pulled body are made in one turn, which is as many as a client that does not
/// read leaves lying about.
const FRAMES_A_TURN: usize = 2;

/// More header fields than a reply usually has of its own.
const HEADERS_USUAL: usize = 8;

/// What a handler answers.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// Header fields in the order they are sent. `Content-Length` comes from the body.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The body.
    pub body: ReplyBody,
    /// Whether it tells of something that went wrong here, which is logged.
    pub is_failure: bool,
}

impl Reply {
    /// A reply without a body.
    #[must_use]
    pub fn new(status: StatusCode) -> Self {
        Reply {
            status,
            headers: Vec::with_capacity(HEADERS_USUAL),
            body: ReplyBody::Empty,
            is_failure: status.is_server_error(),
        }
    }

    /// Gives it a body.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<ReplyBody>) -> Self {
        self.body = body.into();
        self
    }

    /// Adds a header field; one of the same name stays.
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sets a header field, in place of any of the same name.
    pub fn set(&mut self, name: HeaderName, value: HeaderValue) {
        self.headers.retain(|(it, _)| *it != name);
        self.headers.push((name, value));
    }

    /// The first header field of this name.
    #[must_use]
    pub fn header(&self, name: &HeaderName) -> Option<&HeaderValue> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value)
    }

    /// The response to send.
    #[must_use]
    pub fn into_response(self) -> Response<ReplyBody> {
        self.into_response_with(HeaderMap::with_capacity(HEADERS_USUAL))
    }

    /// The response to send, with header fields that all replies have in common.
    #[must_use]
    pub fn into_response_with(self, mut headers: HeaderMap) -> Response<ReplyBody> {
        for (name, value) in self.headers {
            headers.append(name, value);
        }
        let mut response = Response::new(self.body);
        *response.status_mut() = self.status;
        *response.headers_mut() = headers;
        response
    }
}

/// The bytes of a response. All but `Pull` and `Live` know their length beforehand.
#[derive(Debug, Default)]
pub enum ReplyBody {
    /// Nothing.
    #[default]
    Empty,
    /// One piece, resident or shared.
    Full(Bytes),
    /// Several pieces, sent without joining them; of a few KiB each or more.
    Parts(Parts),
    /// Pieces made while the client reads.
    Pull(Pull),
    /// Parts of a file, read while the client reads.
    File(Box<FileStream>),
    /// Pieces that come when something happens, until their sender is gone.
    Live(mpsc::Receiver<Bytes>),
}

impl ReplyBody {
    /// Pieces that are all there.
    #[must_use]
    pub fn parts(parts: Vec<Bytes>) -> Self {
        let left_bytes = sum(parts.iter().map(|it| it.len() as u64));
        ReplyBody::Parts(Parts { parts: parts.into(), left_bytes })
    }

    /// Pieces made on demand, each of about 64 KiB. They are made on blocking threads, a few ahead of
    /// the client and no more. An error cuts the connection, so that the client does not take the part
    /// for the whole.
    pub fn pull(frames: impl Iterator<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        ReplyBody::Pull(Pull {
            frames: Some(Box::new(frames)),
            turns: None,
            ready: VecDeque::new(),
            making: None,
        })
    }

    /// Bytes still to come; `None` when only time will tell.
    #[must_use]
    pub fn len_bytes(&self) -> Option<u64> {
        match self {
            ReplyBody::Empty => Some(0),
            ReplyBody::Full(bytes) => Some(bytes.len() as u64),
            ReplyBody::Parts(parts) => Some(parts.left_bytes),
            ReplyBody::Pull(_) | ReplyBody::Live(_) => None,
            ReplyBody::File(file) => Some(file.left_bytes),
        }
    }
}

impl From<Bytes> for ReplyBody {
    fn from(bytes: Bytes) -> Self {
        ReplyBody::Full(bytes)
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
            full @ ReplyBody::Full(_) => match std::mem::take(full) {
                ReplyBody::Full(bytes) if !bytes.is_empty() => Some(Ok(bytes)),
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

/// Pieces known beforehand; see [`ReplyBody::parts`].
#[derive(Debug)]
pub struct Parts {
    parts: VecDeque<Bytes>,
    left_bytes: u64,
}

impl Parts {
    /// Bytes still to come.
    #[must_use]
    pub fn left_bytes(&self) -> u64 {
        self.left_bytes
    }
}

impl Iterator for Parts {
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

/// What makes the pieces of a pulled body.
pub type Frames = Box<dyn Iterator<Item = io::Result<Bytes>> + Send>;

/// Pieces made on demand; see [`ReplyBody::pull`].
pub struct Pull {
    /// None while a turn has them, and after the last.
    frames: Option<Frames>,
    /// Who waits with whom for a turn; nobody with nobody where none is set.
    turns: Option<StreamTurns>,
    ready: VecDeque<io::Result<Bytes>>,
    making: Option<JoinHandle<Made>>,
}

/// What a turn comes to: some pieces, and what makes the others.
struct Made {
    pieces: VecDeque<io::Result<Bytes>>,
    frames: Option<Frames>,
}

impl fmt::Debug for Pull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pull").finish_non_exhaustive()
    }
}

impl Drop for Pull {
    fn drop(&mut self) {
        // Who is gone needs no turn any more.
        if let Some(making) = &self.making {
            making.abort();
        }
    }
}

impl Pull {
    /// The pieces themselves, to be put through an adapter.
    #[must_use]
    pub fn into_frames(mut self) -> Frames {
        self.frames.take().unwrap_or_else(|| Box::new(std::iter::empty()))
    }

    /// Has the pieces made in these turns.
    pub fn take_turns(&mut self, turns: StreamTurns) {
        self.turns = Some(turns);
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                if self.ready.is_empty() {
                    self.make();
                }
                return Poll::Ready(Some(piece));
            }
            self.make();
            let Some(making) = &mut self.making else { return Poll::Ready(None) };
            let made = ready!(Pin::new(making).poll(context)).unwrap_or_else(|_| Made::failed());
            self.making = None;
            (self.ready, self.frames) = (made.pieces, made.frames);
        }
    }

    /// Has the next pieces made. A task waits for the turn, and not this body: nobody asks it for
    /// anything while the client does not read, and a turn that it was given would be lost to others.
    fn make(&mut self) {
        let Some(frames) = self.frames.take() else { return };
        let turns = self.turns.clone();
        self.making = Some(tokio::spawn(async move {
            let work = move || Made::of(frames);
            let made = match turns {
                Some(turns) => turns.run(work).await,
                None => tokio::task::spawn_blocking(work).await,
            };
            made.unwrap_or_else(|_| Made::failed())
        }));
    }
}

impl Made {
    fn of(mut frames: Frames) -> Made {
        let is_some = |it: &io::Result<Bytes>| it.as_ref().map_or(true, |bytes| !bytes.is_empty());
        let mut pieces = VecDeque::with_capacity(FRAMES_A_TURN);
        while pieces.len() < FRAMES_A_TURN {
            let Some(piece) = frames.find(is_some) else { return Made { pieces, frames: None } };
            let failed = piece.is_err();
            pieces.push_back(piece);
            if failed {
                return Made { pieces, frames: None };
            }
        }
        Made { pieces, frames: Some(frames) }
    }

    /// A panic of the producer costs this answer alone.
    fn failed() -> Made {
        let error = io::Error::other("the body's producer ended early");
        Made { pieces: VecDeque::from([Err(error)]), frames: None }
    }
}

/// A piece of a reply made from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Bytes of the file.
    File {
        /// The first.
        start: u64,
        /// How many.
        len_bytes: u64,
    },
    /// Bytes between them, such as the head of a multipart part.
    Bytes(Bytes),
}

impl Segment {
    fn len_bytes(&self) -> u64 {
        match self {
            Segment::File { len_bytes, .. } => *len_bytes,
            Segment::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

/// A body from an open file. Blocking threads read one chunk ahead of the client, no more.
#[derive(Debug)]
pub struct FileStream {
    file: Option<File>,
    segments: VecDeque<Segment>,
    left_bytes: u64,
    reading: Option<JoinHandle<io::Result<(File, Bytes)>>>,
}

impl FileStream {
    /// The body for these segments. Reads the file here and now when that is one chunk at most, so
    /// call it where blocking is allowed.
    ///
    /// # Errors
    /// The file is shorter than the segments say, or cannot be read.
    pub fn body(mut file: File, segments: Vec<Segment>) -> io::Result<ReplyBody> {
        let left_bytes = sum(segments.iter().map(Segment::len_bytes));
        if left_bytes > FILE_CHUNK_BYTES {
            let segments = segments.into_iter().filter(|it| it.len_bytes() > 0).collect();
            let stream = FileStream { file: Some(file), segments, left_bytes, reading: None };
            return Ok(ReplyBody::File(Box::new(stream)));
        }
        let mut parts = Vec::with_capacity(segments.len());
        for segment in segments {
            parts.push(match segment {
                Segment::Bytes(bytes) => bytes,
                Segment::File { start, len_bytes } => read_at(&mut file, start, len_bytes)?,
            });
        }
        Ok(match <[Bytes; 1]>::try_from(parts) {
            Ok([whole]) => ReplyBody::Full(whole),
            Err(parts) => ReplyBody::parts(parts),
        })
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if self.reading.is_none() {
            if let Some(Segment::Bytes(_)) = self.segments.front() {
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
        let Some(Segment::Bytes(bytes)) = self.segments.pop_front() else { return None };
        self.left_bytes = self.left_bytes.saturating_sub(bytes.len() as u64);
        Some(bytes)
    }

    /// Has the next chunk read, if it comes from the file.
    fn start_reading(&mut self) {
        let Some(Segment::File { start, len_bytes }) = self.segments.front_mut() else { return };
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

fn sum(lengths: impl Iterator<Item = u64>) -> u64 {
    lengths.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::streams::Streams;
    use http_body_util::BodyExt as _;
    use std::io::Write as _;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;

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
        check(ReplyBody::parts(parts.clone()), Some(3), b"abc");
        check(
            ReplyBody::pull(parts.into_iter().cycle().take(30).map(Ok)),
            None,
            "abc".repeat(10).as_bytes(),
        );
        check(ReplyBody::pull(std::iter::empty()), None, b"");
    }

    #[test]
    fn a_producers_failure_is_an_error() {
        let frames = (0..).map(|n| if n < 5 { Ok(Bytes::from("x")) } else { panic!("producer") });
        assert!(collect(ReplyBody::pull(frames)).is_err());
        let failing = [Ok(Bytes::from("x")), Err(io::ErrorKind::Other.into())];
        assert!(collect(ReplyBody::pull(failing.into_iter())).is_err());
    }

    /// Whoever stops reading holds what two turns have made: the rest of the last one, and the one
    /// ahead.
    #[tokio::test]
    async fn pieces_are_made_a_little_ahead() {
        let made = Arc::new(AtomicUsize::new(0));
        let count = made.clone();
        let frames = (0..1_000).map(move |_| {
            count.fetch_add(1, Relaxed);
            Ok(Bytes::from("x"))
        });
        let turns = Streams::of(1);
        let mut body = ReplyBody::pull(frames);
        if let ReplyBody::Pull(pull) = &mut body {
            pull.take_turns(turns.turns_of([192, 0, 2, 1].into()));
        }
        for read in 1..20 {
            body.frame().await.unwrap().unwrap();
            // Another answer gets the only turn there is, although nobody reads this one.
            turns.turns_of([192, 0, 2, 2].into()).run(|| ()).await.unwrap();
            let made = made.load(Relaxed);
            assert!(made <= read + 2 * FRAMES_A_TURN, "{made} made, {read} read");
        }
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
                Segment::Bytes(Bytes::from("<")),
                Segment::File { start: 1, len_bytes },
                Segment::Bytes(Bytes::from("|")),
                Segment::File { start: 0, len_bytes: 2 },
                Segment::Bytes(Bytes::from(">")),
            ]
        };
        let expect = |n: usize| [b"<", &long[1..=n], b"|", &long[..2], b">"].concat();
        let body = FileStream::body(file_of(&long), segments(len_bytes - 1)).unwrap();
        assert!(matches!(body, ReplyBody::File(_)));
        check(body, Some(len_bytes + 4), &expect(long.len() - 1));
        let body = FileStream::body(file_of(&long), segments(10)).unwrap();
        check(body, Some(15), &expect(10));
    }

    #[test]
    fn a_file_that_shrank_is_an_error() {
        let whole = |len_bytes| vec![Segment::File { start: 0, len_bytes }];
        assert!(FileStream::body(file_of(b"abc"), whole(4)).is_err());
        let body = FileStream::body(file_of(b"abc"), whole(FILE_CHUNK_BYTES * 2)).unwrap();
        assert!(collect(body).is_err());
    }

    #[test]
    fn a_reply_becomes_a_response() {
        let name = http::header::VARY;
        let mut reply = Reply::new(StatusCode::CREATED)
            .with(name.clone(), HeaderValue::from_static("a"))
            .with(name.clone(), HeaderValue::from_static("b"))
            .with_body("x".to_owned());
        assert_eq!(reply.header(&name).unwrap(), "a");
        reply.set(http::header::ETAG, HeaderValue::from_static("\"1\""));
        reply.set(http::header::ETAG, HeaderValue::from_static("\"2\""));
        let response = reply.into_response();
        assert_eq!(response.status(), StatusCode::CREATED);
        assert_eq!(response.headers().get_all(name).iter().count(), 2);
        assert_eq!(response.headers()[http::header::ETAG], "\"2\"");
    }
}
