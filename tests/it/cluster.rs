//! Several servers that share a database.

mod failover;
mod model;
mod races;
mod two_servers;
