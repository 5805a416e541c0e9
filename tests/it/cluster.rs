//! Several servers that share a database.

mod failover;
mod two_servers;
