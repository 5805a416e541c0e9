//! What a handler gets.

use std::net::IpAddr;
use std::sync::Arc;

use http::request::Parts;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::route::Route;
use crate::http::service::Shared;
use crate::query::run::Effort;
use crate::query::snapshot::Snapshot;

/// One request, routed, with its caller identified and its workspace at one moment.
pub struct Call {
    pub(crate) shared: Arc<Shared>,
    /// Which route it is.
    pub route: &'static Route,
    /// Head of the request.
    pub head: Parts,
    /// Path parameters, decoded.
    pub params: Vec<(&'static str, String)>,
    /// Who asks.
    pub caller: Caller,
    /// The client's address.
    pub client: IpAddr,
    /// The workspace, on routes that have one.
    pub snapshot: Option<Arc<Snapshot>>,
    /// How long it may take.
    pub effort: Effort,
}

impl Call {
    /// The use cases.
    pub fn app(&self) -> &App {
        &self.shared.app
    }

    /// The workspace as it is for this whole request.
    pub fn snapshot(&self) -> Result<&Arc<Snapshot>> {
        self.snapshot.as_ref().ok_or_else(|| Error::internal("this route has no workspace"))
    }

    /// A path parameter of the route.
    pub fn param(&self, name: &str) -> Result<&str> {
        let found = self.params.iter().find(|(it, _)| *it == name);
        found
            .map(|(_, value)| value.as_str())
            .ok_or_else(|| Error::internal(format!("this route has no parameter `{name}`")))
    }

    /// The query string, without its question mark.
    pub fn query(&self) -> &str {
        self.head.uri.query().unwrap_or_default()
    }
}
