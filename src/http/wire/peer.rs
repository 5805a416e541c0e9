//! The other end of a connection.

use std::net::SocketAddr;

/// The other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The address.
    pub address: SocketAddr,
    /// True if the connection is encrypted.
    pub is_secure: bool,
}

impl Peer {
    /// Returns the peer of a connection without encryption, or of none.
    pub fn plain(address: SocketAddr) -> Peer {
        Peer { address, is_secure: false }
    }
}
