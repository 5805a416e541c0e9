//! The server that answers the messages of `recto mcp`: one at an address, or one in this process.

use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http::Method;
use http::StatusCode;
use http_body_util::BodyExt;
use tokio::runtime::Runtime;

use crate::cli::error::CommandError;
use crate::cli::serve;
use crate::cli::serve::ServedFolder;
use crate::http::wire::request_body::RequestBody;
use crate::net::http_client::Outgoing;
use crate::net::http_client::OutgoingLimits;
use crate::net::http_client::OutgoingPolicy;
use crate::net::http_client::OutgoingRequest;
use crate::stdx::web_url::WebUrl;

/// The limits of an answer: as long as a server may take, and longer than what tools answer.
const LIMITS: OutgoingLimits =
    OutgoingLimits { timeout: Duration::from_secs(90), body_bytes_max: 16 * 1024 * 1024 };

/// The path of the route below the address of a server.
const PATH: &str = "/mcp";

/// The number of threads of a server in this process.
const THREADS: usize = 2;

/// A server that answers messages.
pub(super) struct McpServer {
    runtime: Runtime,
    kind: ServerKind,
}

enum ServerKind {
    Remote { client: Outgoing, url: String },
    Local(ServedFolder),
}

impl McpServer {
    /// The server at an address.
    pub(super) fn at_url(url: &str) -> Result<McpServer, CommandError> {
        WebUrl::parse(url).map_err(|why| CommandError::usage(format!("the URL `{url}`: {why}")))?;
        let url = format!("{}{PATH}", url.trim_end_matches('/'));
        // The address comes from whoever runs the command, who may reach what this machine may.
        let client = Outgoing::new(OutgoingPolicy::new(true));
        let runtime = serve::build_runtime(THREADS)?;
        Ok(McpServer { runtime, kind: ServerKind::Remote { client, url } })
    }

    /// A server for a folder in this process. Another one that serves it is a failure.
    pub(super) fn open_folder(folder: PathBuf) -> Result<McpServer, CommandError> {
        let served = ServedFolder::open(folder)?;
        let runtime = serve::build_runtime(THREADS)?;
        Ok(McpServer { runtime, kind: ServerKind::Local(served) })
    }

    /// Sends a message and returns the status and the body of the answer, or a sentence that says
    /// why there is none.
    pub(super) fn post(
        &self,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<(StatusCode, Bytes), String> {
        match &self.kind {
            ServerKind::Remote { client, url } => {
                let (method, to) = (Method::POST, url.clone());
                let request = OutgoingRequest { method, url: to, headers, body };
                let sent = self.runtime.block_on(client.send(request, LIMITS));
                let answer = sent.map_err(|error| format!("{url} does not answer. {error}"))?;
                Ok((answer.status, answer.body))
            }
            ServerKind::Local(served) => {
                let uri = format!("{}{PATH}", served.base_path);
                let request = http::Request::post(uri).body(RequestBody::from(body));
                let mut request = request.map_err(|error| error.to_string())?;
                *request.headers_mut() = headers;
                let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                self.runtime.block_on(async {
                    let answer = served.service.answer_request(request, peer).await;
                    let (head, body) = answer.into_parts();
                    let body = body.collect().await.map_err(|error| error.to_string())?;
                    Ok((head.status, body.to_bytes()))
                })
            }
        }
    }

    /// Ends what runs in this process.
    pub(super) fn close(self) {
        match self.kind {
            ServerKind::Remote { .. } => drop(self.runtime),
            ServerKind::Local(served) => served.close(self.runtime),
        }
    }
}
