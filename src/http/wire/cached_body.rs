//! Bytes of a file that are in memory, and perhaps in a private copy as well, which the system
//! sends without copying them.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use tokio::net::TcpStream;

use crate::store::read::private_copy::PrivateCopy;

/// The smallest body of which a private copy pays: for a smaller one, another system call takes
/// longer than copying the bytes.
pub const COPIED_BYTES_MIN: usize = 64 * 1_024;

/// The bytes of a file.
#[derive(Clone, Debug)]
pub struct CachedBody {
    /// The bytes.
    pub bytes: Bytes,
    /// The same bytes in a file that nobody can write.
    pub copy: Option<Arc<PrivateCopy>>,
}

impl From<Bytes> for CachedBody {
    fn from(bytes: Bytes) -> CachedBody {
        CachedBody { bytes, copy: None }
    }
}

/// Has the system send at most `n` bytes of a copy, from `start` on, without waiting. Returns how
/// many there were.
///
/// # Errors
///
/// Fails if the file cannot be sent, or if the socket fails or has no room.
#[cfg(target_os = "linux")]
pub(super) fn send_copy(
    socket: &TcpStream,
    copy: &PrivateCopy,
    start: u64,
    n: usize,
) -> io::Result<usize> {
    let mut at = start;
    Ok(rustix::fs::sendfile(socket, copy, Some(&mut at), n)?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn send_copy(
    _socket: &TcpStream,
    _copy: &PrivateCopy,
    _start: u64,
    _n: usize,
) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes bytes that others follow at once, without waiting. Returns how many were written.
///
/// # Errors
///
/// Fails if the socket fails or has no room.
#[cfg(target_os = "linux")]
pub(super) fn write_first(socket: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    use rustix::net::SendFlags;
    Ok(rustix::net::send(socket, bytes, SendFlags::MORE | SendFlags::NOSIGNAL)?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn write_first(socket: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    socket.try_write(bytes)
}
