//! The only asynchronous code, and the only code that knows a status or a header.

pub mod body;
pub mod compress;
pub mod conn;
mod framing;
pub mod headers;
pub mod listen;
mod pulse;
pub mod range;
pub mod reply;
pub mod router;
pub mod vet;
