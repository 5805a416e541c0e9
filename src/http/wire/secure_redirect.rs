//! The service of the unencrypted port of a server with TLS: it sends everybody to the encrypted
//! one, and answers the authority that issues the certificate.

use std::sync::Arc;

use http::HeaderValue;
use http::Request;
use http::Response;
use http::StatusCode;
use http::header;

use super::head_check::HeadRefusal;
use super::headers::host_name;
use super::http_service::Answer;
use super::http_service::HttpService;
use super::peer::Peer;
use super::reply::ReplyBody;
use super::request_body::RequestBody;
use super::response::WireResponse;
use crate::net::certificates::CertificateStore;

/// The beginning of the paths that an authority asks for (RFC 8555, 8.3).
const CHALLENGES: &str = "/.well-known/acme-challenge/";

/// The paths that monitors on this machine ask for, which have no certificate to check.
const MONITORED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The encrypted address of a server.
#[derive(Clone, Debug)]
pub struct RedirectTarget {
    /// Scheme, host and port: `https://example.org`.
    pub origin: String,
    /// The path below which everything is served: empty, or like `/cms`.
    pub base_path: String,
    /// Names that are as good as that of the origin, in lower case.
    pub names: Vec<String>,
}

/// A service that redirects to the encrypted address of another.
pub struct SecureRedirect<S> {
    service: Arc<S>,
    certificates: Arc<CertificateStore>,
    target: RedirectTarget,
}

impl<S> SecureRedirect<S> {
    /// Redirects to a target, or to the name that was asked for if it is one of the target's.
    pub fn new(
        service: Arc<S>,
        certificates: Arc<CertificateStore>,
        target: RedirectTarget,
    ) -> Self {
        SecureRedirect { service, certificates, target }
    }

    /// Returns true if a path is for monitors on this machine.
    fn is_monitored(&self, path: &str) -> bool {
        let path = path.strip_prefix(self.target.base_path.as_str());
        path.is_some_and(|it| MONITORED.contains(&it))
    }

    fn redirect(&self, request: &Request<RequestBody>) -> Response<ReplyBody> {
        let host = request.headers().get(header::HOST).and_then(|it| it.to_str().ok());
        let name = host.and_then(host_name).map(str::to_ascii_lowercase);
        let origin = match name.filter(|it| self.target.names.contains(it)) {
            Some(name) => format!("https://{name}{}", self.port()),
            None => self.target.origin.clone(),
        };
        let path = request.uri().path_and_query().map_or("/", |it| it.as_str());
        let mut response = Response::new(ReplyBody::default());
        match HeaderValue::try_from(format!("{origin}{path}")) {
            Ok(target) => {
                *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
                response.headers_mut().insert(header::LOCATION, target);
            }
            // The parser of requests lets no such path through.
            Err(_) => *response.status_mut() = StatusCode::BAD_REQUEST,
        }
        response
    }

    /// Returns the port of the encrypted address with its colon, unless it is the usual one.
    fn port(&self) -> &str {
        let host = self.target.origin.trim_start_matches("https://");
        host_name(host).and_then(|name| host.strip_prefix(name)).unwrap_or("")
    }
}

impl<S: HttpService> HttpService for SecureRedirect<S> {
    fn call(self: &Arc<Self>, request: Request<RequestBody>, peer: Peer) -> Answer {
        let path = request.uri().path();
        if let Some(token) = path.strip_prefix(CHALLENGES) {
            let mut response = Response::new(ReplyBody::default());
            match self.certificates.find_answer(token) {
                Some(answer) => *response.body_mut() = answer.into(),
                None => *response.status_mut() = StatusCode::NOT_FOUND,
            }
            return Answer::Now(response.into());
        }
        if peer.address.ip().to_canonical().is_loopback() && self.is_monitored(path) {
            return self.service.call(request, peer);
        }
        Answer::Now(self.redirect(&request).into())
    }

    fn render_refusal(&self, refusal: HeadRefusal, peer: Peer) -> WireResponse {
        self.service.render_refusal(refusal, peer)
    }
}
