//! The fetcher of releases, for `app::updates`: from https addresses only, unless the operator
//! allows private ones.

use http::HeaderMap;
use tokio::runtime::Handle;

use crate::app::jobs::updates::ByteSink;
use crate::app::jobs::updates::FetchLimits;
use crate::app::jobs::updates::Fetcher;
use crate::net::http_client::Outgoing;
use crate::net::http_client::OutgoingLimits;
use crate::net::http_client::OutgoingPolicy;
use crate::net::http_client::OutgoingRequest;
use crate::stdx::web_url::WebUrl;

/// A fetcher of releases for threads that may block.
pub struct ReleaseFetcher {
    outgoing: Outgoing,
    allow_private: bool,
    runtime: Handle,
}

impl ReleaseFetcher {
    /// Returns a fetcher on a runtime that runs on other threads. `allow_private` allows release
    /// servers in private networks, also without https.
    pub fn new(allow_private: bool, runtime: Handle) -> ReleaseFetcher {
        let outgoing = Outgoing::new(OutgoingPolicy::new(allow_private));
        ReleaseFetcher { outgoing, allow_private, runtime }
    }
}

impl Fetcher for ReleaseFetcher {
    fn fetch(&self, url: &str, most: FetchLimits, sink: ByteSink<'_>) -> Result<(), String> {
        let secure = WebUrl::parse(url)?.secure;
        if !secure && !self.allow_private {
            return Err("Only https addresses are allowed.".to_string());
        }
        let limits = OutgoingLimits { timeout: most.time, body_bytes_max: most.bytes };
        let download = self.outgoing.download(
            OutgoingRequest::get(url.to_string(), HeaderMap::new()),
            limits,
            sink,
        );
        let answer = self.runtime.block_on(download).map_err(|error| error.to_string())?;
        match answer.status {
            status if status.is_success() => Ok(()),
            status if status.is_redirection() => {
                Err("The server answers with a redirect, which is not followed.".to_string())
            }
            status => Err(format!("The server answers {status}.")),
        }
    }
}
