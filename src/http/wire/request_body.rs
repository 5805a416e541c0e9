//! The body of a request, read up to a limit of size and at a minimum rate, from a connection or
//! from memory.
//!
//! The reader sets the limit of size. The connection sets the minimum rate, which is stored in the
//! body. If a body is dropped before its end, its connection is closed after the response.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use http_body::Body as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::Instant;
use tokio::time::timeout_at;

use super::conn_limits::BodyPace;
use super::conn_state::ConnState;
use crate::app::error::Error;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;

/// The most bytes allocated for a body before any of it has arrived.
const PREALLOCATED_BYTES_MAX: u64 = 64 * 1_024;

/// The memory for the bodies of all running requests: for the bytes received, and for the values
/// parsed from them.
const BODIES_BYTES_MAX: u64 = 128 * 1_024 * 1_024;

/// The memory that request bodies may use, and the part in use.
#[derive(Debug)]
pub struct BodyBudget {
    most: u64,
    used: AtomicU64,
}

impl Default for BodyBudget {
    fn default() -> Self {
        BodyBudget { most: BODIES_BYTES_MAX, used: AtomicU64::new(0) }
    }
}

#[cfg(test)]
impl BodyBudget {
    /// Returns the part in use.
    pub(crate) fn used_bytes(&self) -> u64 {
        self.used.load(Relaxed)
    }
}

/// The part of a [`BodyBudget`] that one request uses, released when dropped. It grows as the body
/// arrives, so that announcing a large body reserves nothing.
#[derive(Debug)]
pub struct BodyReservation {
    budget: Arc<BodyBudget>,
    bytes: u64,
}

impl BodyReservation {
    /// Creates an empty reservation.
    pub fn new(budget: &Arc<BodyBudget>) -> BodyReservation {
        BodyReservation { budget: budget.clone(), bytes: 0 }
    }

    /// Reserves more bytes.
    ///
    /// # Errors Fails with [`BodyError::NoRoom`], and keeps its size.
    pub fn grow(&mut self, bytes: u64) -> Result<(), BodyError> {
        let most = self.budget.most;
        let taken = |used: u64| used.checked_add(bytes).filter(|it| *it <= most);
        self.budget.used.fetch_update(Relaxed, Relaxed, taken).map_err(|_| BodyError::NoRoom)?;
        self.bytes = self.bytes.saturating_add(bytes);
        Ok(())
    }
}

impl Drop for BodyReservation {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Relaxed);
    }
}

/// The reason why a body cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is longer than the limit, by its `Content-Length` or by the bytes received.
    #[error("{}", too_large(*.limit_bytes))]
    TooLarge {
        /// The exceeded limit.
        limit_bytes: u64,
    },
    /// It arrives more slowly than the [`BodyPace`] allows.
    #[error("The request body arrived too slowly.")]
    TooSlow,
    /// Other requests use all the memory for bodies.
    #[error("Too many large requests are running.")]
    NoRoom,
    /// The client disconnected, or the framing is wrong.
    #[error("The request body is incomplete or malformed.")]
    Broken,
}

fn too_large(limit_bytes: u64) -> Sentence {
    sentence!("The request body is larger than {most} bytes.", most = limit_bytes)
}

impl From<BodyError> for Error {
    fn from(error: BodyError) -> Error {
        match error {
            BodyError::TooLarge { limit_bytes } => Error::too_large(too_large(limit_bytes)),
            BodyError::TooSlow => Error::too_slow(),
            BodyError::NoRoom => Error::busy(&error.to_string()),
            BodyError::Broken => Error::bad_request(error.to_string()),
        }
    }
}

/// The body of a request. [`Default`] is empty; `From<Bytes>` creates one without a connection.
#[derive(Debug, Default)]
pub struct RequestBody(BodySource);

#[derive(Debug, Default)]
enum BodySource {
    #[default]
    Ended,
    Memory(Bytes),
    /// Boxed, so that requests without a body stay small.
    Wire(Box<WireBody>),
}

#[derive(Debug)]
struct WireBody {
    incoming: Incoming,
    conn_state: Arc<ConnState>,
    ended: bool,
    meter: PaceMeter,
}

impl RequestBody {
    pub(super) fn from_wire(incoming: Incoming, conn_state: &Arc<ConnState>) -> Self {
        if incoming.is_end_stream() {
            return RequestBody::default();
        }
        let meter = PaceMeter { pace: conn_state.limits.body, begun: None, received_bytes: 0 };
        let wire = WireBody { incoming, conn_state: conn_state.clone(), ended: false, meter };
        RequestBody(BodySource::Wire(Box::new(wire)))
    }

    /// Returns the number of remaining bytes, if the client has declared it.
    #[must_use]
    pub fn content_length(&self) -> Option<u64> {
        match &self.0 {
            BodySource::Ended => Some(0),
            BodySource::Memory(bytes) => Some(bytes.len() as u64),
            BodySource::Wire(wire) => wire.incoming.size_hint().exact(),
        }
    }

    /// Returns true if nothing remains to be read.
    #[must_use]
    pub fn is_end(&self) -> bool {
        match &self.0 {
            BodySource::Ended => true,
            BodySource::Memory(bytes) => bytes.is_empty(),
            BodySource::Wire(wire) => wire.is_end(),
        }
    }

    /// Sets the time limit for the whole body: uploads need more than the default minute.
    pub fn allow_total(&mut self, total: Duration) {
        if let BodySource::Wire(wire) = &mut self.0 {
            wire.meter.pace.total = total;
        }
    }

    /// Reads the next piece. Returns `None` after the last one. Trailers are dropped.
    ///
    /// # Errors Fails with [`BodyError::TooSlow`] or [`BodyError::Broken`]; nothing more can be
    /// read then.
    pub async fn next_chunk(&mut self) -> Result<Option<Bytes>, BodyError> {
        if self.is_end() {
            return Ok(None);
        }
        match &mut self.0 {
            BodySource::Ended => Ok(None),
            BodySource::Memory(bytes) => Ok(Some(std::mem::take(bytes))),
            BodySource::Wire(wire) => wire.next_in_time().await,
        }
    }
}

impl From<Bytes> for RequestBody {
    fn from(bytes: Bytes) -> Self {
        RequestBody(BodySource::Memory(bytes))
    }
}

impl WireBody {
    fn is_end(&self) -> bool {
        self.ended || self.incoming.is_end_stream()
    }

    async fn next_in_time(&mut self) -> Result<Option<Bytes>, BodyError> {
        let deadline = self.meter.next_deadline(Instant::now());
        let chunk =
            timeout_at(deadline, self.next_piece()).await.map_err(|_| BodyError::TooSlow)??;
        let came = chunk.as_ref().map_or(0, Bytes::len) as u64;
        self.meter.received_bytes = self.meter.received_bytes.saturating_add(came);
        Ok(chunk)
    }

    async fn next_piece(&mut self) -> Result<Option<Bytes>, BodyError> {
        loop {
            match self.incoming.frame().await {
                None => {
                    self.ended = true;
                    return Ok(None);
                }
                Some(Err(_)) => return Err(BodyError::Broken),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
            }
        }
    }
}

impl Drop for WireBody {
    fn drop(&mut self) {
        if !self.is_end() {
            self.conn_state.leave_unread();
        }
    }
}

#[derive(Debug)]
struct PaceMeter {
    pace: BodyPace,
    begun: Option<Instant>,
    received_bytes: u64,
}

impl PaceMeter {
    /// Returns the time by which the next piece must have arrived: the end of the allowed silence,
    /// the end of the whole time, or the moment from which the average would be below the rate,
    /// whichever is first.
    fn next_deadline(&mut self, now: Instant) -> Instant {
        let begun = *self.begun.get_or_insert(now);
        let pace = &self.pace;
        let earned = Duration::from_secs(self.received_bytes / pace.bytes_per_s_min.max(1));
        let by_rate = add_duration(begun, pace.grace.max(earned));
        add_duration(now, pace.idle).min(add_duration(begun, pace.total)).min(by_rate)
    }
}

/// Adds a duration, limited to a year so that the sum cannot overflow.
fn add_duration(from: Instant, by: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    from + by.min(YEAR)
}

/// Reads a whole body of at most `limit_bytes`, within the budget for bodies. A `Content-Length`
/// over the limit fails at once, before the client is asked to send.
///
/// # Errors See [`BodyError`]; the bytes read so far are lost.
pub async fn read_to_limit(
    mut body: RequestBody,
    limit_bytes: u64,
    room: &mut BodyReservation,
) -> Result<Bytes, BodyError> {
    let too_large = BodyError::TooLarge { limit_bytes };
    let length = body.content_length();
    if length.is_some_and(|it| it > limit_bytes) {
        return Err(too_large);
    }
    let Some(first) = body.next_chunk().await? else { return Ok(Bytes::new()) };
    if first.len() as u64 > limit_bytes {
        return Err(too_large);
    }
    room.grow(first.len() as u64)?;
    if body.is_end() {
        return Ok(first);
    }
    let capacity = length.unwrap_or(0).min(PREALLOCATED_BYTES_MAX);
    let mut whole = BytesMut::with_capacity(usize::try_from(capacity).unwrap_or(0));
    whole.extend_from_slice(&first);
    while let Some(chunk) = body.next_chunk().await? {
        if (whole.len() as u64).saturating_add(chunk.len() as u64) > limit_bytes {
            return Err(too_large);
        }
        room.grow(chunk.len() as u64)?;
        whole.extend_from_slice(&chunk);
    }
    Ok(whole.freeze())
}

#[cfg(test)]
mod tests {
    use super::BodyError::NoRoom;
    use super::*;

    fn check(body: &'static str, limit_bytes: u64, expect: Result<&'static str, BodyError>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let body = RequestBody::from(Bytes::from_static(body.as_bytes()));
        let mut room = BodyReservation::new(&Arc::default());
        let read = runtime.block_on(read_to_limit(body, limit_bytes, &mut room));
        assert_eq!(read, expect.map(Bytes::from));
    }

    #[test]
    fn memory_is_read_to_the_limit() {
        check("", 0, Ok(""));
        check("{}", 2, Ok("{}"));
        check("{ }", 2, Err(BodyError::TooLarge { limit_bytes: 2 }));
    }

    #[test]
    fn room_is_shared_and_given_back() {
        let budget = Arc::new(BodyBudget { most: 10, used: AtomicU64::new(0) });
        let (mut one, mut other) = (BodyReservation::new(&budget), BodyReservation::new(&budget));
        assert_eq!((one.grow(6), other.grow(4), other.grow(1)), (Ok(()), Ok(()), Err(NoRoom)));
        drop(one);
        assert_eq!((other.grow(u64::MAX), other.grow(6)), (Err(NoRoom), Ok(())));
        drop(other);
        assert_eq!(budget.used_bytes(), 0);
    }

    #[test]
    fn deadlines_follow_the_pace() {
        let start = Instant::now();
        let seconds = Duration::from_secs;
        for (received_bytes, at_s, expect_s) in [
            (0, 0, 10),
            (0, 9, 10),
            (1_024 * 30, 10, 25),
            (1_024 * 30, 20, 30),
            (1_024 * 1_000, 50, 60),
            (u64::MAX, 59, 60),
        ] {
            let pace = BodyPace::default();
            let mut meter = PaceMeter { pace, begun: Some(start), received_bytes };
            let deadline = meter.next_deadline(start + seconds(at_s));
            assert_eq!(deadline, start + seconds(expect_s), "{received_bytes} at {at_s}");
        }
    }
}
