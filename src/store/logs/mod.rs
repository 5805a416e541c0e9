//! Append-only files of JSON lines: the outbox of webhooks and the log of deliveries.

pub mod delivery_log;
mod jsonl;
pub mod jsonl_reverse;
pub mod outbox;
