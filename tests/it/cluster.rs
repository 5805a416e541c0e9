//! Several servers that share a database.

mod failover;
