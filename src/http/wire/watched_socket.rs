//! The socket of a connection, which reads along: it keeps the phase of the connection, and scans
//! the heads of requests.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Context;
use std::task::Poll;
use std::task::ready;

use bytes::Bytes;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::io::ReadBuf;

use super::cached_body::OpenCopy;
use super::cached_body::write_before_more;
use super::conn_state::ConnPhase;
use super::conn_state::ConnState;
use super::smuggling::HeadScan;
use super::socket_stream::SocketStream;

/// The most bytes that are read and discarded after the last response, so that the client can read
/// it.
const LINGER_BYTES_MAX: usize = 4 * 1_024 * 1_024;

/// A socket that reads along and keeps the connection's state.
pub(super) struct WatchedSocket {
    stream: SocketStream,
    state: Arc<ConnState>,
    /// Bytes that were read and are to be read once more.
    unread: Bytes,
    scan: HeadScan,
    ended: bool,
    shut: bool,
    discarded_bytes: usize,
}

impl WatchedSocket {
    pub(super) fn new(stream: SocketStream, state: Arc<ConnState>) -> Self {
        let scan = HeadScan::new();
        WatchedSocket {
            stream,
            state,
            unread: Bytes::new(),
            scan,
            ended: false,
            shut: false,
            discarded_bytes: 0,
        }
    }

    /// Gives bytes back that were read here, for the next reader.
    pub(super) fn put_back(&mut self, bytes: Bytes) {
        self.unread = bytes;
    }

    /// Returns true if the system can send copies over this connection by itself.
    pub(super) fn can_send_copies(&self) -> bool {
        matches!(self.stream, SocketStream::Plain(_))
    }

    /// Writes bytes that more follow at once.
    pub(super) fn poll_write_before_more(
        &mut self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream.poll_plain(context, |socket| write_before_more(socket, bytes));
        self.note_written(&written);
        written
    }

    /// Has the system send at most `n` bytes of a copy, from `start` on.
    pub(super) fn poll_send_copy(
        &mut self,
        context: &mut Context<'_>,
        copy: &OpenCopy,
        start: u64,
        n: usize,
    ) -> Poll<io::Result<usize>> {
        let written = self.stream.poll_plain(context, |socket| copy.send(socket, start, n));
        self.note_written(&written);
        written
    }

    fn note_read(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            self.ended = true;
            return;
        }
        if let Some(verdict) = self.scan.feed(bytes) {
            self.state.record_last_request(verdict);
        }
        if self.state.is_in(ConnPhase::Idle) {
            self.state.enter_phase(ConnPhase::Head);
        }
    }

    fn note_written(&self, written: &Poll<io::Result<usize>>) {
        match written {
            Poll::Ready(Ok(n)) => self.state.record_written(*n),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.state.begin_stall(),
        }
        // A streamed response whose last piece was written had been treated as idle.
        if self.state.is_in(ConnPhase::Idle) {
            self.state.enter_phase(ConnPhase::Replying);
        }
    }

    /// Returns true if closing now could destroy a response that the client has not read: the
    /// system resets a connection that is closed with unread bytes.
    fn should_linger(&self) -> bool {
        let unanswered = self.scan.n_heads() > self.state.n_requests();
        !self.ended && (unanswered || self.scan.is_inside_head() || self.state.wants_linger())
    }

    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.state.is_in(ConnPhase::Lingering) {
            self.state.enter_phase(ConnPhase::Lingering);
        }
        let mut discarded = [0; 4_096];
        loop {
            let mut buffer = ReadBuf::new(&mut discarded);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            let n = buffer.filled().len();
            self.discarded_bytes = self.discarded_bytes.saturating_add(n);
            if n == 0 || self.discarded_bytes > LINGER_BYTES_MAX {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl AsyncRead for WatchedSocket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.unread.is_empty() {
            // The scan has seen them.
            let part = this.unread.split_to(this.unread.len().min(buffer.remaining()));
            buffer.put_slice(&part);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        this.note_read(buffer.filled().get(before..).unwrap_or_default());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for WatchedSocket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.note_written(&written);
        written
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.note_written(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Flushes. Hyper calls this when it has nothing left to write: the client has caught up.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.state.end_stall();
        if this.state.is_in(ConnPhase::Replying) {
            let inside = this.scan.is_inside_head();
            this.state.enter_phase(if inside { ConnPhase::Head } else { ConnPhase::Idle });
        }
        Pin::new(&mut this.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.shut {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
            this.shut = true;
        }
        if this.should_linger() { this.poll_linger(context) } else { Poll::Ready(Ok(())) }
    }
}
