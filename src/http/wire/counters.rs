//! The counts of connections.

use std::sync::atomic::AtomicU64;

/// The counts of all connections, for metrics.
#[derive(Debug, Default)]
pub struct Counters {
    /// Connections accepted since the start.
    pub accepted: AtomicU64,
    /// Connections that are open now.
    pub open: AtomicU64,
    /// Connections refused because their client has too many.
    pub turned_away: AtomicU64,
    /// Connections closed for being too slow or idle.
    pub cut: AtomicU64,
    /// Errors of `accept`, for example because of too many open files.
    pub accept_errors: AtomicU64,
    /// Requests refused before they reached the service.
    pub requests_refused: AtomicU64,
    /// Requests whose service panicked.
    pub panics: AtomicU64,
}
