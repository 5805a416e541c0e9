//! The client that a request counts for in the lane.

use std::net::IpAddr;

/// The owner of the turns that a request takes in the lane.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LaneKey {
    /// The user or the token of this id.
    Known(String),
    /// Somebody without a credential, at this address.
    Unknown(IpAddr),
}
