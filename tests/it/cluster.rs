//! Several servers that share a database.

mod commands;
mod failover;
mod model;
mod races;
mod two_servers;
