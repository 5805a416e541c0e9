//! The state of one connection: what it is doing and since when, kept so that one sweep over
//! all connections replaces a timer for every request.
//!
//! The connection's own task writes it with plain stores. The sweep in [`super::listen`] reads it,
//! and orders a connection to drain or to close by storing an order and waking the task.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::Ordering::SeqCst;
use std::task::Waker;

use super::conn_limits::ConnLimits;
use super::smuggling::FramingFlaw;
use super::smuggling::LastRequest;

/// A clock of milliseconds since the start of the server, as of the last sweep. Reading it costs
/// one load.
#[derive(Debug, Default)]
pub(super) struct CoarseClock(AtomicU64);

impl CoarseClock {
    pub(super) fn now_ms(&self) -> u64 {
        self.0.load(Relaxed)
    }

    pub(super) fn set_ms(&self, now_ms: u64) {
        self.0.store(now_ms, Relaxed);
    }
}

/// The phase of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ConnPhase {
    /// A request head is expected (on a new connection) or has arrived in part.
    Head = 0,
    /// Kept alive; no byte of the next request has arrived.
    Idle = 1,
    /// The service is processing the request.
    Busy = 2,
    /// A response is being written.
    Replying = 3,
    /// Everything is written; further bytes of the client are discarded.
    Lingering = 4,
}

/// The order of the sweep to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ConnOrder {
    Continue = 0,
    /// Answer one more request, then close.
    LastRequest = 1,
    /// Finish the request under way, then close.
    Drain = 2,
    /// Close now.
    Cut = 3,
}

const PHASE_BITS: u32 = 3;
const FLAW_NONE: u8 = 0;

#[derive(Debug)]
pub(super) struct ConnState {
    pub(super) limits: Arc<ConnLimits>,
    clock: Arc<CoarseClock>,
    /// The phase in the low bits, its start in the others: written in one store.
    phase: AtomicU64,
    written_bytes: AtomicU64,
    /// The time since which written bytes wait for the client; 0 if none do.
    stalled_ms: AtomicU64,
    stalled_from_bytes: AtomicU64,
    n_requests: AtomicU64,
    /// The request after which the connection closes; 0 if unknown.
    last_request: AtomicU64,
    flaw: AtomicU8,
    unread: AtomicBool,
    linger: AtomicBool,
    order: AtomicU8,
    waker: OnceLock<Waker>,
}

impl ConnState {
    pub(super) fn new(limits: Arc<ConnLimits>, clock: Arc<CoarseClock>) -> Self {
        let state = ConnState {
            limits,
            clock,
            phase: AtomicU64::new(0),
            written_bytes: AtomicU64::new(0),
            stalled_ms: AtomicU64::new(0),
            stalled_from_bytes: AtomicU64::new(0),
            n_requests: AtomicU64::new(0),
            last_request: AtomicU64::new(0),
            flaw: AtomicU8::new(FLAW_NONE),
            unread: AtomicBool::new(false),
            linger: AtomicBool::new(false),
            order: AtomicU8::new(ConnOrder::Continue as u8),
            waker: OnceLock::new(),
        };
        state.enter_phase(ConnPhase::Head);
        state
    }

    /// Returns the state of one request among several on this connection.
    pub(super) fn new_stream(&self) -> Self {
        ConnState::new(self.limits.clone(), self.clock.clone())
    }

    pub(super) fn enter_phase(&self, phase: ConnPhase) {
        self.phase.store(self.clock.now_ms() << PHASE_BITS | phase as u64, Relaxed);
    }

    /// Returns the time of the last sweep.
    pub(super) fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    pub(super) fn is_in(&self, phase: ConnPhase) -> bool {
        self.phase.load(Relaxed) & ((1 << PHASE_BITS) - 1) == phase as u64
    }

    // ---- requests ----

    /// Starts a request. Returns its number on this connection, from 1.
    pub(super) fn begin_request(&self) -> u64 {
        self.enter_phase(ConnPhase::Busy);
        let number = self.n_requests().saturating_add(1);
        self.n_requests.store(number, Relaxed);
        number
    }

    pub(super) fn n_requests(&self) -> u64 {
        self.n_requests.load(Relaxed)
    }

    pub(super) fn record_last_request(&self, last: LastRequest) {
        self.last_request.store(last.request_number, Relaxed);
        self.flaw.store(last.flaw.map_or(FLAW_NONE, |it| it as u8 + 1), Relaxed);
    }

    /// Returns true if nothing is known that makes one of the next requests the last, and so many
    /// are allowed.
    pub(super) fn may_follow(&self) -> bool {
        let max = self.limits.requests_max;
        !self.is_ending()
            && self.last_request.load(Relaxed) == 0
            && (max == 0 || self.n_requests().saturating_add(1) < max)
    }

    pub(super) fn flaw_of(&self, number: u64) -> Option<FramingFlaw> {
        if self.last_request.load(Relaxed) != number {
            return None;
        }
        [FramingFlaw::BareLineFeed, FramingFlaw::Length, FramingFlaw::LengthAndEncoding]
            .into_iter()
            .find(|it| *it as u8 + 1 == self.flaw.load(Relaxed))
    }

    /// Returns true if no request may follow this one.
    pub(super) fn is_last(&self, number: u64) -> bool {
        let max = self.limits.requests_max;
        self.is_ending() || self.last_request.load(Relaxed) == number || (max > 0 && number >= max)
    }

    /// Returns true if the sweep has ordered the connection to end.
    fn is_ending(&self) -> bool {
        self.order.load(Relaxed) != ConnOrder::Continue as u8
    }

    /// Records that a request body was dropped before its end.
    pub(super) fn leave_unread(&self) {
        self.unread.store(true, Relaxed);
    }

    pub(super) fn take_unread(&self) -> bool {
        let unread = self.unread.load(Relaxed);
        if unread {
            self.unread.store(false, Relaxed);
        }
        unread
    }

    /// Requests lingering: the client may still be sending when the connection closes, and must be
    /// able to read the response.
    pub(super) fn wish_linger(&self) {
        self.linger.store(true, Relaxed);
    }

    pub(super) fn wants_linger(&self) -> bool {
        self.linger.load(Relaxed)
    }

    // ---- writing ----

    pub(super) fn record_written(&self, bytes: usize) {
        let sum = self.written_bytes.load(Relaxed).wrapping_add(bytes as u64);
        self.written_bytes.store(sum, Relaxed);
    }

    pub(super) fn begin_stall(&self) {
        if self.stalled_ms.load(Relaxed) == 0 {
            self.stalled_from_bytes.store(self.written_bytes.load(Relaxed), Relaxed);
            self.stalled_ms.store(self.clock.now_ms().max(1), Relaxed);
        }
    }

    pub(super) fn end_stall(&self) {
        if self.stalled_ms.load(Relaxed) != 0 {
            self.stalled_ms.store(0, Relaxed);
        }
    }

    // ---- the sweep's side ----

    /// Returns the reason why this connection must be closed now, if there is one.
    pub(super) fn overdue_reason(&self, now_ms: u64) -> Option<&'static str> {
        let phase = self.phase.load(Relaxed);
        let limits = &self.limits;
        let (allowed, reason) = match phase & ((1 << PHASE_BITS) - 1) {
            it if it == ConnPhase::Head as u64 => (limits.head, "slow head"),
            it if it == ConnPhase::Idle as u64 => (limits.idle, "idle"),
            it if it == ConnPhase::Lingering as u64 => (limits.linger, "lingering"),
            _ => return self.stalled_too_long(now_ms).then_some("slow reader"),
        };
        (now_ms.saturating_sub(phase >> PHASE_BITS) > millis(allowed)).then_some(reason)
    }

    /// Checks the window of time since the client fell behind. Enough progress in a window starts
    /// the next one.
    fn stalled_too_long(&self, now_ms: u64) -> bool {
        let since = self.stalled_ms.load(Relaxed);
        let window = millis(self.limits.write_stall);
        if since == 0 || now_ms.saturating_sub(since) <= window {
            return false;
        }
        let written = self.written_bytes.load(Relaxed);
        let progress = written.wrapping_sub(self.stalled_from_bytes.load(Relaxed));
        if progress < self.limits.write_bytes_per_s_min.saturating_mul(window) / 1_000
            || progress == 0
        {
            return true;
        }
        self.stalled_from_bytes.store(written, Relaxed);
        // The connection may have caught up meanwhile; then its 0 must stay.
        let _ = self.stalled_ms.compare_exchange(since, now_ms, Relaxed, Relaxed);
        false
    }

    /// Stores an order, unless one as strict is stored already. Returns true if it is new.
    pub(super) fn set_order(&self, order: ConnOrder) -> bool {
        let is_new = self.order.fetch_max(order as u8, SeqCst) < order as u8;
        if let Some(waker) = self.waker.get().filter(|_| is_new) {
            waker.wake_by_ref();
        }
        is_new
    }

    /// Returns the current order, and stores the waker for the next one.
    pub(super) fn current_order(&self, waker: &Waker) -> ConnOrder {
        if self.waker.get().is_none() {
            self.waker.get_or_init(|| waker.clone());
        }
        match self.order.load(SeqCst) {
            it if it == ConnOrder::Continue as u8 => ConnOrder::Continue,
            it if it == ConnOrder::LastRequest as u8 => ConnOrder::LastRequest,
            it if it == ConnOrder::Drain as u8 => ConnOrder::Drain,
            _ => ConnOrder::Cut,
        }
    }
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_state() -> ConnState {
        let clock = Arc::new(CoarseClock::default());
        clock.set_ms(1);
        ConnState::new(Arc::new(ConnLimits::default()), clock)
    }

    #[test]
    fn each_phase_has_its_time() {
        let state = new_state();
        for (phase, within_ms, after_ms, reason) in [
            (ConnPhase::Head, 10_000, 10_002, Some("slow head")),
            (ConnPhase::Idle, 60_000, 60_002, Some("idle")),
            (ConnPhase::Lingering, 5_000, 5_002, Some("lingering")),
            (ConnPhase::Busy, 0, 1_000_000, None),
            (ConnPhase::Replying, 0, 1_000_000, None),
        ] {
            state.enter_phase(phase);
            assert_eq!(state.overdue_reason(within_ms), None, "{phase:?}");
            assert_eq!(state.overdue_reason(after_ms), reason, "{phase:?}");
        }
    }

    #[test]
    fn a_slow_reader_is_cut_unless_it_keeps_the_rate() {
        let state = new_state();
        state.enter_phase(ConnPhase::Replying);
        state.begin_stall();
        assert_eq!(state.overdue_reason(30_001), None);
        state.record_written(40 * 1_024);
        assert_eq!(
            state.overdue_reason(30_002),
            None,
            "enough came through: the next window begins"
        );
        state.record_written(1_024);
        assert_eq!(state.overdue_reason(60_003), Some("slow reader"));
        state.end_stall();
        assert_eq!(state.overdue_reason(60_003), None);
    }

    #[test]
    fn requests_are_counted_to_their_last() {
        let limits = ConnLimits { requests_max: 2, ..ConnLimits::default() };
        let state = ConnState::new(Arc::new(limits), Arc::new(CoarseClock::default()));
        assert!(!state.is_last(state.begin_request()));
        assert!(state.is_last(state.begin_request()));
        state.record_last_request(LastRequest {
            request_number: 1,
            flaw: Some(FramingFlaw::Length),
        });
        assert_eq!((state.flaw_of(1), state.flaw_of(2)), (Some(FramingFlaw::Length), None));
    }

    #[test]
    fn an_order_only_grows() {
        let state = new_state();
        assert!(state.set_order(ConnOrder::Cut));
        assert!(!state.set_order(ConnOrder::Drain));
        assert_eq!(state.current_order(Waker::noop()), ConnOrder::Cut);
    }
}
