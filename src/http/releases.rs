//! Fetches what `app::updates` asks for: from https addresses, and from no others unless the
//! operator allows those inside.

use tokio::runtime::Handle;

use crate::app::updates::Fetch;
use crate::app::updates::Most;
use crate::app::updates::Sink;
use crate::http::outgoing::Limits;
use crate::http::outgoing::Outgoing;
use crate::http::outgoing::Policy;
use crate::stdx::web_url::WebUrl;

/// Gets releases, on threads that may wait.
pub struct Releases {
    outgoing: Outgoing,
    allow_private: bool,
    runtime: Handle,
}

impl Releases {
    /// On a runtime that runs elsewhere. `allow_private` lets release servers inside be asked, also
    /// without https.
    pub fn new(allow_private: bool, runtime: Handle) -> Releases {
        let outgoing = Outgoing::new(Policy::new(allow_private));
        Releases { outgoing, allow_private, runtime }
    }
}

impl Fetch for Releases {
    fn fetch(&self, url: &str, most: Most, sink: Sink<'_>) -> Result<(), String> {
        let secure = WebUrl::parse(url)?.secure;
        if !secure && !self.allow_private {
            return Err("Only https addresses are asked.".to_string());
        }
        let limits = Limits { timeout: most.time, body_bytes_max: most.bytes };
        let download = self.outgoing.download(url, limits, sink);
        let answer = self.runtime.block_on(download).map_err(|error| error.to_string())?;
        match answer.status {
            status if status.is_success() => Ok(()),
            status if status.is_redirection() => {
                Err("The server sends elsewhere, and redirects are not followed.".to_string())
            }
            status => Err(format!("The server answers {status}.")),
        }
    }
}
