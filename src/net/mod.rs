//! Requests to other servers: messages to webhooks and the download of releases.

pub mod http_client;
pub mod release_fetcher;
pub mod webhook_delivery;
