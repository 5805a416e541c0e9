//! Requests to other servers: messages to webhooks, the download of releases, certificates,
//! backups, other servers of Recto.

pub mod acme;
pub mod bucket;
mod certificate_dates;
pub mod certificates;
pub mod http_client;
pub mod recto_client;
pub mod release_fetcher;
pub mod webhook_delivery;
