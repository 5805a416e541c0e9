//! The fast path of a connection: plain `GET` requests are read and answered here, without hyper.
//!
//! Nearly all requests are of one kind: `GET`, HTTP/1.1, no body, and nothing said of the
//! connection but that it stays open. Hyper serves whatever HTTP allows, and spends more time on a
//! small answer than Recto needs to find it. So a connection begins here. As soon as anything else
//! comes, hyper gets the connection with what was read of it, and keeps it: what this module does
//! not understand, it neither judges nor answers. Heads are checked by the same code on both ways.

use std::io;
use std::io::IoSlice;
use std::pin::Pin;
use std::pin::pin;
use std::sync::Arc;
use std::task::Context;
use std::task::Poll;
use std::task::ready;
use std::time::SystemTime;

use bytes::Buf;
use bytes::Bytes;
use bytes::BytesMut;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::Request;
use http::StatusCode;
use http::Uri;
use http::header;
use tokio::io::AsyncReadExt as _;
use tokio::io::AsyncWrite as _;

use super::cached_body::CachedBody;
use super::conn_context::ConnContext;
use super::conn_state::ConnOrder;
use super::conn_state::ConnState;
use super::headers::http_date_value;
use super::http_service::Answer;
use super::http_service::HttpService;
use super::http_service::PendingResponse;
use super::reply::ReplyBody;
use super::request_body::RequestBody;
use super::response::WireResponse;
use super::response::reason_phrase;
use super::response::render_field;
use super::watched_socket::WatchedSocket;

/// The bytes that are read at once, and the longest head that is read here.
const READ_BYTES: usize = 4 * 1_024;

/// The most header fields of a request that is read here.
const FIELDS_MAX: usize = 32;

/// The most pieces of a response that are written at once.
const SLICES_MAX: usize = 16;

/// The usual bytes of a response head.
const HEAD_BYTES_USUAL: usize = 512;

/// A connection that goes on with hyper.
pub(super) struct Handover {
    /// The bytes that were read and not answered.
    pub(super) read: Bytes,
    /// The response to the first request in it, if it is known.
    pub(super) response: Option<WireResponse>,
}

/// The end of the fast path: what hyper takes over, or nothing if the connection is over.
type Departure = Option<Handover>;

/// Serves plain requests until something else comes. Returns nothing if the connection is over.
pub(super) async fn serve_plain_requests<S: HttpService>(
    socket: &mut WatchedSocket,
    conn: &Arc<ConnContext<S>>,
) -> Departure {
    let mut path = FastPath {
        socket,
        state: &conn.state,
        read: BytesMut::new(),
        head: Vec::new(),
        date: SentDate::default(),
    };
    loop {
        let request = match path.read_request().await {
            Ok(request) => request,
            Err(departure) => return departure,
        };
        let number = conn.state.begin_request();
        let response = match conn.answer(number, request.parsed) {
            Answer::Now(response) => response,
            Answer::Later(pending) => path.wait(pending).await?,
        };
        if !is_plain(&response) {
            return Some(path.hand_over(&request.head, Some(response)));
        }
        path.write_response(response).await.ok()?;
    }
}

/// A plain request, and its head as it was read.
struct PlainRequest {
    parsed: Request<RequestBody>,
    head: Bytes,
}

struct FastPath<'a> {
    socket: &'a mut WatchedSocket,
    state: &'a ConnState,
    /// Bytes that belong to no request yet.
    read: BytesMut,
    /// The head of the response under way.
    head: Vec<u8>,
    date: SentDate,
}

impl FastPath<'_> {
    /// Reads the next request.
    async fn read_request(&mut self) -> Result<PlainRequest, Departure> {
        loop {
            if !self.read.is_empty() {
                if !self.state.may_follow() {
                    return Err(Some(self.hand_over(&[], None)));
                }
                match take_plain_request(&mut self.read) {
                    Ok(request) => return Ok(request),
                    Err(NotPlain::Incomplete) if self.read.len() < READ_BYTES => {}
                    Err(NotPlain::Incomplete | NotPlain::Other) => {
                        return Err(Some(self.hand_over(&[], None)));
                    }
                }
            }
            self.read_more().await?;
        }
    }

    /// Reads what the client sends next.
    async fn read_more(&mut self) -> Result<(), Departure> {
        std::future::poll_fn(|context| {
            match self.state.current_order(context.waker()) {
                ConnOrder::Continue | ConnOrder::LastRequest => {}
                ConnOrder::Drain => return Poll::Ready(Err(Some(self.hand_over(&[], None)))),
                ConnOrder::Cut => return Poll::Ready(Err(None)),
            }
            match ready!(self.poll_read(context)) {
                Ok(n) if n > 0 => Poll::Ready(Ok(())),
                Ok(_) | Err(_) => Poll::Ready(Err(None)),
            }
        })
        .await
    }

    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.read.reserve(READ_BYTES);
        pin!(self.socket.read_buf(&mut self.read)).poll(context)
    }

    /// Waits for a response. Returns nothing if the client leaves before.
    async fn wait(&mut self, mut pending: PendingResponse) -> Option<WireResponse> {
        std::future::poll_fn(|context| {
            if self.state.current_order(context.waker()) == ConnOrder::Cut {
                return Poll::Ready(None);
            }
            if let Poll::Ready(response) = pending.as_mut().poll(context) {
                return Poll::Ready(Some(response));
            }
            // What comes meanwhile is kept, up to a limit; the end of the client is seen.
            while self.read.len() < READ_BYTES {
                match ready!(self.poll_read(context)) {
                    Ok(n) if n > 0 => {}
                    Ok(_) | Err(_) => return Poll::Ready(None),
                }
            }
            Poll::Pending
        })
        .await
    }

    /// Leaves the rest to hyper: these bytes again, and what was read after them.
    fn hand_over(&mut self, head: &[u8], response: Option<WireResponse>) -> Handover {
        let after = std::mem::take(&mut self.read);
        let read = match head.is_empty() {
            true => after.freeze(),
            false => [head, &after].concat().into(),
        };
        Handover { read, response }
    }

    async fn write_response(&mut self, response: WireResponse) -> io::Result<()> {
        self.head.clear();
        self.head.reserve(HEAD_BYTES_USUAL);
        self.date.refresh(self.state.now_ms());
        render_head(&mut self.head, &response, self.date.value.as_ref());
        let head = std::mem::take(&mut self.head);
        let written = match response.body {
            ReplyBody::Full(body) => self.write_all(Buf::chain(head.as_slice(), body)).await,
            ReplyBody::Parts(body) => self.write_all(Buf::chain(head.as_slice(), body)).await,
            ReplyBody::Cached(body) => self.write_cached(&head, body).await,
            _ => self.write_all(head.as_slice()).await,
        };
        self.head = head;
        written
    }

    /// Writes a head and the bytes of a file. The system sends its private copy while that is in
    /// memory; otherwise they are copied.
    async fn write_cached(&mut self, head: &[u8], body: CachedBody) -> io::Result<()> {
        let can_send = self.socket.can_send_copies();
        let Some(copy) = can_send.then(|| body.find_copy()).flatten() else {
            return self.write_all(Buf::chain(head, body.bytes)).await;
        };
        let (mut head, mut rest) = (head, body.bytes.clone());
        let sent = std::future::poll_fn(|context| {
            while !rest.is_empty() {
                if self.state.current_order(context.waker()) == ConnOrder::Cut {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
                if !head.is_empty() {
                    let n = ready!(self.socket.poll_write_before_more(context, head))?;
                    head = head.get(n..).unwrap_or_default();
                    continue;
                }
                if !copy.is_in_memory() {
                    break;
                }
                let start = (body.bytes.len() - rest.len()) as u64;
                match ready!(self.socket.poll_send_copy(context, &copy, start, rest.len())) {
                    Ok(n) if n > 0 => rest.advance(n.min(rest.len())),
                    // If it is the socket that failed, it fails again.
                    Ok(_) | Err(_) => break,
                }
            }
            Poll::Ready(io::Result::Ok(()))
        });
        sent.await?;
        self.write_all(Buf::chain(head, rest)).await
    }

    async fn write_all(&mut self, mut bytes: impl Buf) -> io::Result<()> {
        std::future::poll_fn(|context| {
            while bytes.has_remaining() {
                if self.state.current_order(context.waker()) == ConnOrder::Cut {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
                let mut slices = [IoSlice::new(&[]); SLICES_MAX];
                let n = bytes.chunks_vectored(&mut slices);
                let socket = Pin::new(&mut *self.socket);
                let written = socket.poll_write_vectored(context, slices.get(..n).unwrap_or(&[]));
                match ready!(written)? {
                    0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                    written => bytes.advance(written),
                }
            }
            Pin::new(&mut *self.socket).poll_flush(context)
        })
        .await
    }
}

/// The reason why bytes are no plain request.
enum NotPlain {
    /// There is no whole head yet.
    Incomplete,
    /// Something that is left to hyper.
    Other,
}

/// Takes the next request out of what was read, if it is a plain one.
fn take_plain_request(read: &mut BytesMut) -> Result<PlainRequest, NotPlain> {
    const START: &[u8] = b"GET /";
    if !read.starts_with(START) && !START.starts_with(read) {
        return Err(NotPlain::Other);
    }
    let bytes = read.split().freeze();
    let parsed = parse_plain_request(&bytes);
    let taken = parsed.as_ref().map_or(0, |it| it.head.len());
    read.extend_from_slice(bytes.get(taken..).unwrap_or_default());
    parsed
}

/// Parses the request at the beginning of these bytes. Nothing is copied.
fn parse_plain_request(bytes: &Bytes) -> Result<PlainRequest, NotPlain> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS_MAX];
    let mut parsed = httparse::Request::new(&mut fields);
    let n = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(n)) => n,
        Ok(httparse::Status::Partial) => return Err(NotPlain::Incomplete),
        Err(_) => return Err(NotPlain::Other),
    };
    let (Some(1), Some(target)) = (parsed.version, parsed.path) else {
        return Err(NotPlain::Other);
    };
    let Ok(uri) = Uri::from_maybe_shared(bytes.slice_ref(target.as_bytes())) else {
        return Err(NotPlain::Other);
    };
    let Some(headers) = build_plain_headers(bytes, parsed.headers) else {
        return Err(NotPlain::Other);
    };
    let mut request = Request::new(RequestBody::default());
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    Ok(PlainRequest { parsed: request, head: bytes.slice(..n) })
}

/// Returns the header fields; nothing if one of them says more of the connection than that it stays
/// open, or announces a body.
fn build_plain_headers(bytes: &Bytes, fields: &[httparse::Header<'_>]) -> Option<HeaderMap> {
    let mut headers = HeaderMap::with_capacity(fields.len());
    for field in fields {
        let name = HeaderName::from_bytes(field.name.as_bytes()).ok()?;
        let is_plain = match name {
            header::CONNECTION => field.value.eq_ignore_ascii_case(b"keep-alive"),
            header::CONTENT_LENGTH
            | header::EXPECT
            | header::TE
            | header::TRAILER
            | header::TRANSFER_ENCODING
            | header::UPGRADE => false,
            _ => true,
        };
        let value = HeaderValue::from_maybe_shared(bytes.slice_ref(field.value)).ok()?;
        is_plain.then(|| headers.append(name, value))?;
    }
    Some(headers)
}

/// Returns true if the response is made of finished pieces, and the connection stays open after it.
fn is_plain(response: &WireResponse) -> bool {
    let is_finished = match &response.body {
        ReplyBody::Empty | ReplyBody::Full(_) | ReplyBody::Parts(_) | ReplyBody::Cached(_) => true,
        ReplyBody::Pull(_) | ReplyBody::File(_) | ReplyBody::Live(_) => false,
    };
    is_finished && !response.has_framing_fields()
}

/// Writes the head of a response as hyper does.
fn render_head(head: &mut Vec<u8>, response: &WireResponse, date: Option<&HeaderValue>) {
    let status = response.status;
    head.extend_from_slice(b"HTTP/1.1 ");
    head.extend_from_slice(status.as_str().as_bytes());
    head.push(b' ');
    head.extend_from_slice(reason_phrase(status).as_bytes());
    head.extend_from_slice(b"\r\n");
    let has_date = response.fields.render(head);
    if !matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
        && let Some(length) = response.body.len_bytes()
    {
        render_field(head, &header::CONTENT_LENGTH, itoa::Buffer::new().format(length).as_bytes());
    }
    if let Some(date) = date.filter(|_| !has_date) {
        render_field(head, &header::DATE, date.as_bytes());
    }
    head.extend_from_slice(b"\r\n");
}

/// The value of `Date`, made anew when the clock of the server has moved.
#[derive(Default)]
struct SentDate {
    made_ms: Option<u64>,
    value: Option<HeaderValue>,
}

impl SentDate {
    fn refresh(&mut self, now_ms: u64) {
        if self.made_ms != Some(now_ms) {
            self.made_ms = Some(now_ms);
            self.value = http_date_value(SystemTime::now());
        }
    }
}
