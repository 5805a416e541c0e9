//! The only asynchronous code, and the only code that knows a status or a header.
