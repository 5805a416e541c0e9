//! The limits of connections and of request bodies.

use std::time::Duration;

use super::headers::Networks;

/// The most connections, whatever the system would allow.
const CONNECTIONS_MAX: usize = 4_096;

/// The limits of connections.
#[derive(Clone, Debug)]
pub struct ConnLimits {
    /// The most simultaneous connections; further ones wait in the system's queue.
    pub connections_max: usize,
    /// The most simultaneous connections of one client (an IPv4 address, an IPv6 /64); 0 for no
    /// limit.
    pub per_client_max: usize,
    /// The clients that `per_client_max` does not count: loopback, and trusted proxies.
    pub per_client_exempt: Networks,
    /// The most requests on one connection; 0 for no limit.
    pub requests_max: u64,
    /// The longest time from the first byte of a head, or the start of the connection, to the
    /// head's end.
    pub head: Duration,
    /// The longest time between a response and the next request, and between two pieces of a
    /// streamed response.
    pub idle: Duration,
    /// The longest time for which a client may leave written bytes unread, …
    pub write_stall: Duration,
    /// … and the minimum rate of a client that reads slowly.
    pub write_bytes_per_s_min: u64,
    /// The time for which a refused client may continue to send before the connection is closed.
    pub linger: Duration,
    /// The time that running requests have to finish when the server stops.
    pub drain: Duration,
    /// The minimum pace of request bodies.
    pub body: BodyPace,
}

impl Default for ConnLimits {
    fn default() -> Self {
        ConnLimits {
            connections_max: connections_max(),
            per_client_max: 256,
            per_client_exempt: Networks::loopback(),
            requests_max: 1_000,
            head: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            write_stall: Duration::from_secs(30),
            write_bytes_per_s_min: 1_024,
            linger: Duration::from_secs(5),
            drain: Duration::from_secs(10),
            body: BodyPace::default(),
        }
    }
}

/// Returns half of the number of files that this process may open: the other half is for content.
fn connections_max() -> usize {
    share_of_open_files(2, CONNECTIONS_MAX).max(1)
}

/// Returns the number of files that this process may open divided by `divisor`, and at most `most`.
pub fn share_of_open_files(divisor: u64, most: usize) -> usize {
    #[cfg(unix)]
    let open_files_max = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let open_files_max = None;
    let share = open_files_max.map_or(most as u64, |it: u64| it / divisor.max(1));
    usize::try_from(share).unwrap_or(most).min(most)
}

/// The minimum pace of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPace {
    /// The longest silence between two pieces.
    pub idle: Duration,
    /// The time after which `bytes_per_s_min` applies.
    pub grace: Duration,
    /// The average rate since the first read that a body must keep after `grace`.
    pub bytes_per_s_min: u64,
    /// The longest a whole body may take; see [`super::request_body::RequestBody::allow_total`].
    pub total: Duration,
}

impl Default for BodyPace {
    fn default() -> Self {
        BodyPace {
            idle: Duration::from_secs(15),
            grace: Duration::from_secs(10),
            bytes_per_s_min: 1_024,
            total: Duration::from_secs(60),
        }
    }
}
