//! The vital signs of one connection: what it is doing and since when, kept so that one sweep over
//! all connections replaces a timer for every request.
//!
//! A connection's own task writes them with plain stores; the sweep in [`super::listen`] reads
//! them, and tells a connection to end or to drain by leaving an order and waking its task.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::Ordering::SeqCst;
use std::task::Waker;

use super::conn::ConnLimits;
use super::framing::Flaw;
use super::framing::Verdict;

/// Milliseconds since the server began, as of the last sweep. Reading it costs one load.
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

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Phase {
    /// A request head is expected (new connection) or has come in part.
    Head = 0,
    /// Kept alive; nothing of a next request has come.
    Idle = 1,
    /// The service has the request.
    Busy = 2,
    /// A response is being written.
    Replying = 3,
    /// Everything is written; what the client still sends is thrown away.
    Lingering = 4,
}

/// What the sweep wants of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Order {
    Carry = 0,
    /// Finish the request under way, then close.
    Drain = 1,
    /// Close now.
    Cut = 2,
}

const PHASE_BITS: u32 = 3;
const FLAW_NONE: u8 = 0;

#[derive(Debug)]
pub(super) struct Pulse {
    pub(super) limits: Arc<ConnLimits>,
    clock: Arc<CoarseClock>,
    /// Phase in the low bits, since when in the others: one store, never torn.
    phase: AtomicU64,
    written_bytes: AtomicU64,
    /// Since when written bytes wait for the client; 0 when none do.
    stalled_ms: AtomicU64,
    stalled_from_bytes: AtomicU64,
    n_requests: AtomicU64,
    /// The request after which the connection closes; 0 when none is known.
    last_request: AtomicU64,
    flaw: AtomicU8,
    unread: AtomicBool,
    linger: AtomicBool,
    order: AtomicU8,
    waker: OnceLock<Waker>,
}

impl Pulse {
    pub(super) fn new(limits: Arc<ConnLimits>, clock: Arc<CoarseClock>) -> Self {
        let pulse = Pulse {
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
            order: AtomicU8::new(Order::Carry as u8),
            waker: OnceLock::new(),
        };
        pulse.enter(Phase::Head);
        pulse
    }

    pub(super) fn enter(&self, phase: Phase) {
        self.phase.store(self.clock.now_ms() << PHASE_BITS | phase as u64, Relaxed);
    }

    pub(super) fn is_in(&self, phase: Phase) -> bool {
        self.phase.load(Relaxed) & ((1 << PHASE_BITS) - 1) == phase as u64
    }

    // ---- requests ----

    /// A request has come; returns its number on this connection, from 1.
    pub(super) fn begin_request(&self) -> u64 {
        self.enter(Phase::Busy);
        let number = self.n_requests().saturating_add(1);
        self.n_requests.store(number, Relaxed);
        number
    }

    pub(super) fn n_requests(&self) -> u64 {
        self.n_requests.load(Relaxed)
    }

    pub(super) fn note(&self, verdict: Verdict) {
        self.last_request.store(verdict.request_number, Relaxed);
        self.flaw.store(verdict.flaw.map_or(FLAW_NONE, |it| it as u8 + 1), Relaxed);
    }

    pub(super) fn flaw_of(&self, number: u64) -> Option<Flaw> {
        if self.last_request.load(Relaxed) != number {
            return None;
        }
        [Flaw::BareLineFeed, Flaw::Length, Flaw::LengthAndEncoding]
            .into_iter()
            .find(|it| *it as u8 + 1 == self.flaw.load(Relaxed))
    }

    /// No request may follow this one.
    pub(super) fn is_last(&self, number: u64) -> bool {
        let max = self.limits.requests_max;
        self.last_request.load(Relaxed) == number || (max > 0 && number >= max)
    }

    /// A request body was dropped before its end.
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

    /// The client may still be sending when the connection closes: let it read the answer first.
    pub(super) fn wish_linger(&self) {
        self.linger.store(true, Relaxed);
    }

    pub(super) fn wants_linger(&self) -> bool {
        self.linger.load(Relaxed)
    }

    // ---- writing ----

    pub(super) fn wrote(&self, bytes: usize) {
        let sum = self.written_bytes.load(Relaxed).wrapping_add(bytes as u64);
        self.written_bytes.store(sum, Relaxed);
    }

    pub(super) fn stall(&self) {
        if self.stalled_ms.load(Relaxed) == 0 {
            self.stalled_from_bytes.store(self.written_bytes.load(Relaxed), Relaxed);
            self.stalled_ms.store(self.clock.now_ms().max(1), Relaxed);
        }
    }

    pub(super) fn unstall(&self) {
        if self.stalled_ms.load(Relaxed) != 0 {
            self.stalled_ms.store(0, Relaxed);
        }
    }

    // ---- the sweep's side ----

    /// Why this connection has to end now, if it has to.
    pub(super) fn overdue(&self, now_ms: u64) -> Option<&'static str> {
        let phase = self.phase.load(Relaxed);
        let limits = &self.limits;
        let (allowed, reason) = match phase & ((1 << PHASE_BITS) - 1) {
            it if it == Phase::Head as u64 => (limits.head, "slow head"),
            it if it == Phase::Idle as u64 => (limits.idle, "idle"),
            it if it == Phase::Lingering as u64 => (limits.linger, "lingering"),
            _ => return self.stalled_too_long(now_ms).then_some("slow reader"),
        };
        (now_ms.saturating_sub(phase >> PHASE_BITS) > millis(allowed)).then_some(reason)
    }

    /// Looks at a window of time since the client fell behind; a window with enough progress
    /// begins the next one.
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
        // The connection may have caught up meanwhile; then its 0 has to stay.
        let _ = self.stalled_ms.compare_exchange(since, now_ms, Relaxed, Relaxed);
        false
    }

    /// Leaves an order, unless one as strict is in force already.
    pub(super) fn command(&self, order: Order) -> bool {
        let is_new = self.order.fetch_max(order as u8, SeqCst) < order as u8;
        if let Some(waker) = self.waker.get().filter(|_| is_new) {
            waker.wake_by_ref();
        }
        is_new
    }

    /// The order in force; remembers whom to wake when it changes.
    pub(super) fn order(&self, waker: &Waker) -> Order {
        if self.waker.get().is_none() {
            self.waker.get_or_init(|| waker.clone());
        }
        match self.order.load(SeqCst) {
            it if it == Order::Carry as u8 => Order::Carry,
            it if it == Order::Drain as u8 => Order::Drain,
            _ => Order::Cut,
        }
    }
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulse() -> Pulse {
        let clock = Arc::new(CoarseClock::default());
        clock.set_ms(1);
        Pulse::new(Arc::new(ConnLimits::default()), clock)
    }

    #[test]
    fn each_phase_has_its_time() {
        let pulse = pulse();
        for (phase, within_ms, after_ms, reason) in [
            (Phase::Head, 10_000, 10_002, Some("slow head")),
            (Phase::Idle, 60_000, 60_002, Some("idle")),
            (Phase::Lingering, 5_000, 5_002, Some("lingering")),
            (Phase::Busy, 0, 1_000_000, None),
            (Phase::Replying, 0, 1_000_000, None),
        ] {
            pulse.enter(phase);
            assert_eq!(pulse.overdue(within_ms), None, "{phase:?}");
            assert_eq!(pulse.overdue(after_ms), reason, "{phase:?}");
        }
    }

    #[test]
    fn a_slow_reader_is_cut_unless_it_keeps_the_rate() {
        let pulse = pulse();
        pulse.enter(Phase::Replying);
        pulse.stall();
        assert_eq!(pulse.overdue(30_001), None);
        pulse.wrote(40 * 1_024);
        assert_eq!(pulse.overdue(30_002), None, "enough came through: the next window begins");
        pulse.wrote(1_024);
        assert_eq!(pulse.overdue(60_003), Some("slow reader"));
        pulse.unstall();
        assert_eq!(pulse.overdue(60_003), None);
    }

    #[test]
    fn requests_are_counted_to_their_last() {
        let limits = ConnLimits { requests_max: 2, ..ConnLimits::default() };
        let pulse = Pulse::new(Arc::new(limits), Arc::new(CoarseClock::default()));
        assert!(!pulse.is_last(pulse.begin_request()));
        assert!(pulse.is_last(pulse.begin_request()));
        pulse.note(Verdict { request_number: 1, flaw: Some(Flaw::Length) });
        assert_eq!((pulse.flaw_of(1), pulse.flaw_of(2)), (Some(Flaw::Length), None));
    }

    #[test]
    fn an_order_only_grows() {
        let pulse = pulse();
        assert!(pulse.command(Order::Cut));
        assert!(!pulse.command(Order::Drain));
        assert_eq!(pulse.order(Waker::noop()), Order::Cut);
    }
}
