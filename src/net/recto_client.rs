//! The client of another Recto, for threads that may block: what `recto pull` and `recto push` ask.
//!
//! The other server is not trusted further than its content: answers are limited, redirects are not
//! followed, and the token goes to its address only.

use std::io;
use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use bytes::Buf;
use bytes::Bytes;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::Method;
use http::StatusCode;
use http::header;
use serde_json::Value;
use tokio::runtime::Handle;

use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::net::http_client::Outgoing;
use crate::net::http_client::OutgoingError;
use crate::net::http_client::OutgoingLimits;
use crate::net::http_client::OutgoingPolicy;
use crate::net::http_client::OutgoingRequest;
use crate::net::http_client::OutgoingResponse;
use crate::stdx::checksum::Checksum;
use crate::stdx::url_encoding::encode_segment;
use crate::stdx::web_url::Host;
use crate::stdx::web_url::WebUrl;

/// The longest time for an answer in JSON.
const ANSWER_TIME: Duration = Duration::from_secs(5 * 60);

/// The longest time for a media file, as servers allow for an upload.
const FILE_TIME: Duration = Duration::from_secs(15 * 60);

/// The most bytes of an answer with lines.
const LINES_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// The most bytes of a line: a file of 8 MiB, with every character escaped.
const LINE_BYTES_MAX: usize = 48 * 1024 * 1024;

/// The most bytes of any other answer.
const ANSWER_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The number of pieces of a file that wait to be read.
const PIECES_AHEAD: usize = 8;

/// The reason why a server did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// There is no answer.
    #[error(transparent)]
    Unanswered(#[from] OutgoingError),
    /// The server refused.
    #[error("{message}")]
    Refused {
        /// The status.
        status: StatusCode,
        /// The message.
        message: String,
        /// The messages by place, if there are any.
        fields: Vec<(String, String)>,
    },
    /// The answer is not one of Recto.
    #[error("{0}")]
    Unexpected(String),
}

/// The client of one workspace of a server.
pub struct RectoClient {
    outgoing: Arc<Outgoing>,
    runtime: Handle,
    base: String,
    workspace: WorkspaceSlug,
    bearer: HeaderValue,
}

/// Checks the URL of a server. Returns it without a slash at its end.
///
/// # Errors
///
/// Fails with a sentence for users. Without TLS, everybody on the way reads the token, so it takes
/// `allow_http`, unless the server is on this machine.
pub fn check_url(text: &str, allow_http: bool) -> Result<String, String> {
    let url = WebUrl::parse(text)?;
    if text.contains('?') {
        return Err("The URL must not have a query (?…).".to_string());
    }
    let is_here = match &url.host {
        Host::Address(address) => address.is_loopback(),
        Host::Name(name) => name == "localhost",
    };
    if !url.secure && !is_here && !allow_http {
        return Err(
            "The URL begins with http://, so others could read the token. Use https://, or \
                    --allow-http in a network that you trust."
                .to_string(),
        );
    }
    Ok(text.trim_end_matches('/').to_string())
}

impl RectoClient {
    /// Returns a client that sends requests on a runtime of other threads.
    pub fn new(
        base: String,
        workspace: WorkspaceSlug,
        token: &str,
        runtime: Handle,
    ) -> Result<RectoClient, String> {
        let mut bearer = HeaderValue::try_from(format!("Bearer {token}"))
            .map_err(|_| "The token has characters that no token has.".to_string())?;
        bearer.set_sensitive(true);
        // Whoever runs the command chooses the server.
        let outgoing = Arc::new(Outgoing::new(OutgoingPolicy::new(true)));
        Ok(RectoClient { outgoing, runtime, base, workspace, bearer })
    }

    /// Asks for the lines about files, and passes each on.
    pub fn list_files(
        &self,
        query: &str,
        mut on_line: impl FnMut(&[u8]) -> Result<(), String> + Send,
    ) -> Result<(), ClientError> {
        let url = format!("{}/api/v1/workspaces/{}/files?{query}", self.base, self.workspace);
        let limits = OutgoingLimits { timeout: ANSWER_TIME, body_bytes_max: LINES_BYTES_MAX };
        let mut rest: Vec<u8> = Vec::new();
        let sink = |bytes: &[u8]| {
            let mut bytes = bytes;
            while let Some(end) = bytes.iter().position(|it| *it == b'\n') {
                let (line, after) = bytes.split_at(end);
                rest.extend_from_slice(line);
                on_line(&rest).map_err(io::Error::other)?;
                rest.clear();
                bytes = after.get(1..).unwrap_or_default();
            }
            rest.extend_from_slice(bytes);
            match rest.len() <= LINE_BYTES_MAX {
                true => Ok(()),
                false => Err(io::Error::other("a line is too long")),
            }
        };
        let request = OutgoingRequest::get(url, self.headers());
        let answer = self.runtime.block_on(self.outgoing.download(request, limits, sink));
        check_status(&answer?)
    }

    /// Writes files. Returns what the server answers.
    pub fn write_files(&self, body: Vec<u8>) -> Result<Value, ClientError> {
        let mut headers = self.headers();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let url = format!("{}/api/v1/workspaces/{}/files", self.base, self.workspace);
        self.send(OutgoingRequest { method: Method::POST, url, headers, body: body.into() })
    }

    /// Uploads a new media file under its name. Returns what the server answers.
    pub fn upload_media(
        &self,
        name: &Filename,
        bytes: &[u8],
        (category, visibility): (Option<&str>, Option<&str>),
    ) -> Result<Value, ClientError> {
        let mut boundary = "recto".to_string();
        while bytes.windows(boundary.len()).any(|it| it == boundary.as_bytes()) {
            boundary.push_str(&Checksum::of_bytes(boundary.as_bytes()).to_string());
        }
        let mut body = Vec::with_capacity(bytes.len() + 1024);
        let mut add = |head: &str, content: &[u8]| {
            body.extend_from_slice(format!("--{boundary}\r\n{head}\r\n\r\n").as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        };
        for (field, text) in [("category", category), ("visibility", visibility)] {
            if let Some(text) = text {
                let head = format!("content-disposition: form-data; name=\"{field}\"");
                add(&head, text.as_bytes());
            }
        }
        // Names have no quotes and no control characters.
        let head = format!(
            "content-disposition: form-data; name=\"media\"; filename=\"{name}\"\r\n\
             content-type: application/octet-stream"
        );
        add(&head, bytes);
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        let mut headers = self.headers();
        let kind = HeaderValue::try_from(format!("multipart/form-data; boundary={boundary}"));
        let kind = kind.map_err(|error| ClientError::Unexpected(error.to_string()))?;
        headers.insert(header::CONTENT_TYPE, kind);
        let url = format!("{}/api/v1/workspaces/{}/media?keep_names=1", self.base, self.workspace);
        self.send(OutgoingRequest { method: Method::POST, url, headers, body: body.into() })
    }

    /// Replaces the bytes of a media file that still has this checksum.
    pub fn replace_media(
        &self,
        name: &Filename,
        bytes: Vec<u8>,
        before: Checksum,
    ) -> Result<Value, ClientError> {
        let mut headers = self.headers();
        let tag = HeaderValue::try_from(format!("\"{before}\""));
        headers.extend(tag.ok().map(|it| (header::IF_MATCH, it)));
        let kind = HeaderValue::from_static("application/octet-stream");
        headers.insert(header::CONTENT_TYPE, kind);
        let (base, ws) = (&self.base, &self.workspace);
        let url = format!("{base}/api/v1/workspaces/{ws}/media/{}", encode_segment(name));
        self.send(OutgoingRequest { method: Method::PUT, url, headers, body: bytes.into() })
    }

    /// Opens a media file, which is read while it arrives. It must not have more than `bytes_max`.
    pub fn open_media(&self, name: &Filename, bytes_max: u64) -> MediaDownload {
        let (sender, pieces) = mpsc::sync_channel(PIECES_AHEAD);
        let url = format!("{}/media/{}/{}", self.base, self.workspace, encode_segment(name));
        let request = OutgoingRequest::get(url, self.headers());
        let outgoing = self.outgoing.clone();
        self.runtime.spawn(async move {
            let limits = OutgoingLimits { timeout: FILE_TIME, body_bytes_max: bytes_max };
            let ended = || io::Error::from(io::ErrorKind::BrokenPipe);
            let sink =
                |bytes: &[u8]| sender.send(Ok(Bytes::copy_from_slice(bytes))).map_err(|_| ended());
            let answer = outgoing.download(request, limits, sink).await;
            let checked = answer.map_err(ClientError::from).and_then(|it| check_status(&it));
            if let Err(error) = checked {
                // Whoever read it has stopped if this fails.
                let _ = sender.send(Err(io::Error::other(error.to_string())));
            }
        });
        MediaDownload { pieces, current: Bytes::new() }
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, self.bearer.clone());
        headers
    }

    fn send(&self, request: OutgoingRequest) -> Result<Value, ClientError> {
        let limits = OutgoingLimits { timeout: FILE_TIME, body_bytes_max: ANSWER_BYTES_MAX };
        let answer = self.runtime.block_on(self.outgoing.send(request, limits))?;
        check_status(&answer)?;
        let unexpected = |_| ClientError::Unexpected("The answer is not JSON.".to_string());
        serde_json::from_slice(&answer.body).map_err(unexpected)
    }
}

/// A media file that is read while it arrives.
pub struct MediaDownload {
    pieces: Receiver<io::Result<Bytes>>,
    current: Bytes,
}

impl Read for MediaDownload {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.pieces.recv() {
                Ok(piece) => self.current = piece?,
                Err(_) => return Ok(0),
            }
        }
        let length = into.len().min(self.current.len());
        let target = into.get_mut(..length).unwrap_or_default();
        self.current.copy_to_slice(target);
        Ok(length)
    }
}

/// Checks that the server did what it was asked for.
fn check_status(answer: &OutgoingResponse) -> Result<(), ClientError> {
    const LOCATION: HeaderName = header::LOCATION;
    if answer.status.is_success() {
        return Ok(());
    }
    if answer.status.is_redirection() {
        let target = answer.headers.get(LOCATION).and_then(|it| it.to_str().ok());
        let target = target.map(|it| format!(" to {it}")).unwrap_or_default();
        let message = format!("The server redirects{target}, which is not followed.");
        return Err(ClientError::Unexpected(message));
    }
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let error = &body["error"];
    let message = match error["message"].as_str() {
        Some(message) => message.to_string(),
        None => format!("The server answered with the status {}.", answer.status),
    };
    let fields = error["fields"].as_object().into_iter().flatten();
    let fields = fields.map(|(key, it)| (key.clone(), it.as_str().unwrap_or_default().to_string()));
    Err(ClientError::Refused { status: answer.status, message, fields: fields.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_do_not_go_through_open_networks() {
        let check = |url: &str, allow_http: bool, expect: Option<&str>| {
            let checked = check_url(url, allow_http);
            assert_eq!(checked.ok().as_deref(), expect, "{url}");
        };
        check("https://cms.test/", false, Some("https://cms.test"));
        check("https://cms.test/base/", false, Some("https://cms.test/base"));
        check("http://localhost:8080", false, Some("http://localhost:8080"));
        check("http://127.0.0.1:1", false, Some("http://127.0.0.1:1"));
        check("http://[::1]:1", false, Some("http://[::1]:1"));
        check("http://cms.test", false, None);
        check("http://localhost.evil.test", false, None);
        check("http://cms.test", true, Some("http://cms.test"));
        check("https://user:secret@cms.test", false, None);
        check("https://cms.test/?a=b", false, None);
        check("ftp://cms.test", true, None);
    }
}
