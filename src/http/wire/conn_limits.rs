//! The limits of connections and of request bodies.

use std::time::Duration;

use super::headers::Networks;

/// The most connections, whatever the system would allow.
const CONNECTIONS_MAX: usize = 4_096;

/// The limits of connections. The default is what the server ships with.
#[derive(Clone, Debug)]
pub struct ConnLimits {
    /// Connections at the same time; further ones wait in the system's queue.
    pub connections_max: usize,
    /// Connections of one client (an IPv4 address, an IPv6 /64) at the same time; 0 = any number.
    pub per_client_max: usize,
    /// Clients that `per_client_max` does not count: loopback, and proxies one trusts.
    pub per_client_exempt: Networks,
    /// Requests on one connection; 0 = any number.
    pub requests_max: u64,
    /// From the first byte of a head (or the connection's begin) to its end.
    pub head: Duration,
    /// Between an answer and the next request, and between two pieces of a streamed answer.
    pub idle: Duration,
    /// The time for which a client may leave written bytes unread, …
    pub write_stall: Duration,
    /// … and the rate it has to keep when it reads slowly.
    pub write_bytes_per_s_min: u64,
    /// The time for which a refused client may go on sending before the connection is closed.
    pub linger: Duration,
    /// The time that requests under way may take once the server stops.
    pub drain: Duration,
    /// The slowest pace of request bodies.
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

/// Half of the open files this process may have: the other half is for content.
fn connections_max() -> usize {
    #[cfg(unix)]
    let open_files_max = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let open_files_max = None;
    let half = open_files_max.map_or(CONNECTIONS_MAX as u64, |it: u64| it / 2);
    usize::try_from(half).unwrap_or(CONNECTIONS_MAX).clamp(1, CONNECTIONS_MAX)
}

/// The slowest pace of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPace {
    /// The longest silence between two pieces.
    pub idle: Duration,
    /// After this, `bytes_per_s_min` counts.
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
