//! The client for all outgoing requests. URLs come from users and must not give access to the
//! network of the server: a host is resolved once, all of its addresses must be public, and the
//! connection goes to an address that was checked. Redirects are not followed.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderValue;
use http::Method;
use http::StatusCode;
use http::header;
use http_body_util::BodyExt;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::stdx::ip_address;
use crate::stdx::web_url::Host;
use crate::stdx::web_url::WebUrl;

/// The longest wait for one address of a host, which leaves time for the next.
const CONNECT_MAX: Duration = Duration::from_secs(4);

/// The most addresses of a host that are tried.
const ADDRESSES_MAX: usize = 4;

const HEAD_BYTES_MAX: usize = 64 * 1024;
const HEADERS_MAX: usize = 64;

/// The `User-Agent` of this server.
pub const USER_AGENT: &str = concat!("Recto/", env!("CARGO_PKG_VERSION"));

/// The policy for outgoing requests: allowed addresses, resolver and trust.
pub struct OutgoingPolicy {
    /// True if private addresses (this machine, private networks) and all ports are allowed.
    pub allow_private: bool,
    /// The resolver of names.
    pub resolver: Arc<dyn Resolve>,
    /// Certificate authorities that are trusted besides the usual ones.
    pub roots: Vec<CertificateDer<'static>>,
}

impl OutgoingPolicy {
    /// Returns a policy with the system's resolver and the usual authorities.
    pub fn new(allow_private: bool) -> OutgoingPolicy {
        OutgoingPolicy { allow_private, resolver: Arc::new(SystemResolver), roots: Vec::new() }
    }
}

/// A pending result.
pub type PendingResult<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A resolver of names to addresses.
pub trait Resolve: Send + Sync {
    /// Returns all addresses of a host.
    fn resolve(&self, name: &str) -> PendingResult<io::Result<Vec<IpAddr>>>;
}

/// The resolver of the system.
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: &str) -> PendingResult<io::Result<Vec<IpAddr>>> {
        let name = name.to_string();
        Box::pin(async move {
            // The port is required but unused.
            Ok(tokio::net::lookup_host((name, 0)).await?.map(|it| it.ip()).collect())
        })
    }
}

/// A request to send; host, length and user agent are added.
#[derive(Debug)]
pub struct OutgoingRequest {
    /// The method.
    pub method: Method,
    /// The URL.
    pub url: String,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl OutgoingRequest {
    /// A request to read what is at a URL.
    pub fn get(url: String, headers: HeaderMap) -> OutgoingRequest {
        OutgoingRequest { method: Method::GET, url, headers, body: Bytes::new() }
    }
}

/// The limits of a request.
#[derive(Clone, Copy, Debug)]
pub struct OutgoingLimits {
    /// The longest time for everything: resolving, connecting, sending, reading.
    pub timeout: Duration,
    /// The most bytes of the response body that are read.
    pub body_bytes_max: u64,
}

impl OutgoingLimits {
    /// Limits for a response whose body does not matter.
    pub const SHORT: OutgoingLimits =
        OutgoingLimits { timeout: Duration::from_secs(10), body_bytes_max: 64 * 1024 };
}

/// A response from another server.
#[derive(Debug)]
pub struct OutgoingResponse {
    /// The status.
    pub status: StatusCode,
    /// The header fields.
    pub headers: HeaderMap,
    /// The beginning of the body; empty if it was passed to a sink.
    pub body: Bytes,
    /// The total time.
    pub latency: Duration,
}

/// The reason why there is no response.
#[derive(Debug, thiserror::Error)]
pub enum OutgoingError {
    /// The URL is invalid or unsupported.
    #[error("{0}")]
    Url(&'static str),
    /// The URL leads to a private address.
    #[error("{0}")]
    Refused(&'static str),
    /// The host cannot be resolved.
    #[error("The host cannot be found: {0}.")]
    Unresolved(io::Error),
    /// No connection is possible.
    #[error("No connection: {0}.")]
    Unreachable(io::Error),
    /// The server has no valid certificate, or does not support TLS.
    #[error("The TLS connection failed: {0}.")]
    Tls(io::Error),
    /// The request took too long.
    #[error("The answer was not complete within {} ms.", .0.as_millis())]
    TimedOut(Duration),
    /// The server violates the protocol, or closed the connection.
    #[error("The connection broke: {0}.")]
    Broken(#[from] hyper::Error),
    /// The body is longer than allowed.
    #[error("The answer has more than {0} bytes.")]
    TooLarge(u64),
    /// The sink failed.
    #[error("The answer cannot be stored: {0}.")]
    Sink(io::Error),
}

/// The client for outgoing requests.
pub struct Outgoing {
    policy: OutgoingPolicy,
    tls: TlsConnector,
}

impl Outgoing {
    /// Returns a client with this policy.
    pub fn new(policy: OutgoingPolicy) -> Outgoing {
        let mut roots = rustls::RootCertStore::empty();
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        roots.add_parsable_certificates(policy.roots.iter().cloned());
        let mut config = rustls::ClientConfig::builder_with_provider(Arc::new(
            rustls::crypto::ring::default_provider(),
        ))
        .with_safe_default_protocol_versions()
        .expect("the provider knows the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Outgoing { policy, tls: TlsConnector::from(Arc::new(config)) }
    }

    /// Sends a request and reads the response. If the body is longer than the limit, only its
    /// beginning is read.
    pub async fn send(
        &self,
        request: OutgoingRequest,
        limits: OutgoingLimits,
    ) -> Result<OutgoingResponse, OutgoingError> {
        let started = Instant::now();
        let exchange = async {
            let (answer, _connection) = self.start_exchange(request).await?;
            let (head, mut incoming) = answer.into_parts();
            let body = read_beginning(&mut incoming, limits.body_bytes_max).await?;
            Ok((head, body))
        };
        let (head, body) = with_time_limit(limits.timeout, exchange).await?;
        let (status, headers, latency) = (head.status, head.headers, started.elapsed());
        Ok(OutgoingResponse { status, headers, body, latency })
    }

    /// Passes the body of a successful response to `sink`; a body longer than the limit is an
    /// error. For any other response, the beginning of the body is returned and nothing is passed
    /// on.
    pub async fn download(
        &self,
        request: OutgoingRequest,
        limits: OutgoingLimits,
        mut sink: impl FnMut(&[u8]) -> io::Result<()> + Send,
    ) -> Result<OutgoingResponse, OutgoingError> {
        let started = Instant::now();
        let exchange = async {
            let (answer, _connection) = self.start_exchange(request).await?;
            let (head, mut incoming) = answer.into_parts();
            let body = if head.status.is_success() {
                copy_to_sink(&mut incoming, limits.body_bytes_max, &mut sink).await?;
                Bytes::new()
            } else {
                read_beginning(&mut incoming, OutgoingLimits::SHORT.body_bytes_max).await?
            };
            Ok((head, body))
        };
        let (head, body) = with_time_limit(limits.timeout, exchange).await?;
        let (status, headers, latency) = (head.status, head.headers, started.elapsed());
        Ok(OutgoingResponse { status, headers, body, latency })
    }

    /// Sends a request. The response body can be read as long as the connection is kept.
    async fn start_exchange(
        &self,
        request: OutgoingRequest,
    ) -> Result<(http::Response<Incoming>, Connection), OutgoingError> {
        let url = WebUrl::parse(&request.url).map_err(OutgoingError::Url)?;
        let request = build_request(request, &url)?;
        let stream = self.connect(&url).await?;
        if !url.secure {
            return exchange_heads(stream, request).await;
        }
        let name = match &url.host {
            Host::Address(address) => ServerName::from(*address),
            Host::Name(name) => ServerName::try_from(name.clone())
                .map_err(|_| OutgoingError::Url("The host is not a valid name."))?,
        };
        let stream = self.tls.connect(name, stream).await.map_err(OutgoingError::Tls)?;
        exchange_heads(stream, request).await
    }

    async fn connect(&self, url: &WebUrl) -> Result<TcpStream, OutgoingError> {
        let addresses = self.resolve_public(url).await?;
        let mut failure = io::Error::from(io::ErrorKind::NotFound);
        for address in addresses.into_iter().take(ADDRESSES_MAX) {
            let connecting = TcpStream::connect(SocketAddr::new(address, url.port));
            match timeout(CONNECT_MAX, connecting).await {
                Ok(Ok(stream)) => {
                    // This only reduces latency; failing is harmless.
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Ok(Err(error)) => failure = error,
                Err(_) => failure = io::ErrorKind::TimedOut.into(),
            }
        }
        Err(OutgoingError::Unreachable(failure))
    }

    /// Returns all addresses of the host after checking each of them. One private address is enough
    /// to refuse the host, since mixing them has no honest use.
    async fn resolve_public(&self, url: &WebUrl) -> Result<Vec<IpAddr>, OutgoingError> {
        const PORT: &str = "Only the ports 80 and 443 are allowed.";
        const INSIDE: &str = "The host has an address that is not public.";
        if !self.policy.allow_private && !matches!(url.port, 80 | 443) {
            return Err(OutgoingError::Refused(PORT));
        }
        let addresses = match &url.host {
            Host::Address(address) => vec![*address],
            Host::Name(name) => {
                self.policy.resolver.resolve(name).await.map_err(OutgoingError::Unresolved)?
            }
        };
        let may_be_asked = |address: &IpAddr| {
            ip_address::is_public(*address)
                || self.policy.allow_private && ip_address::is_unicast(*address)
        };
        match addresses.iter().all(may_be_asked) {
            true if addresses.is_empty() => {
                Err(OutgoingError::Unresolved(io::ErrorKind::NotFound.into()))
            }
            true => Ok(addresses),
            false => Err(OutgoingError::Refused(INSIDE)),
        }
    }
}

/// A connection that is closed when dropped.
struct Connection(AbortHandle);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn exchange_heads(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: http::Request<Full<Bytes>>,
) -> Result<(http::Response<Incoming>, Connection), OutgoingError> {
    let mut builder = http1::Builder::new();
    builder.max_buf_size(HEAD_BYTES_MAX).max_header_size(HEAD_BYTES_MAX).max_headers(HEADERS_MAX);
    let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await?;
    // The response or its body reports how it ends.
    let driver = tokio::spawn(async move { _ = connection.await });
    let connection = Connection(driver.abort_handle());
    let answer = sender.send_request(request).await?;
    Ok((answer, connection))
}

fn build_request(
    request: OutgoingRequest,
    url: &WebUrl,
) -> Result<http::Request<Full<Bytes>>, OutgoingError> {
    const INVALID: OutgoingError = OutgoingError::Url("The URL cannot be sent.");
    let host = HeaderValue::try_from(url.authority()).map_err(|_| INVALID)?;
    let OutgoingRequest { method, mut headers, body, .. } = request;
    headers.insert(header::HOST, host);
    headers.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    let mut request = http::Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = url.path.parse().map_err(|_| INVALID)?;
    *request.headers_mut() = headers;
    Ok(request)
}

async fn with_time_limit<T>(
    most: Duration,
    work: impl Future<Output = Result<T, OutgoingError>>,
) -> Result<T, OutgoingError> {
    timeout(most, work).await.unwrap_or(Err(OutgoingError::TimedOut(most)))
}

/// Reads at most `bytes_max` bytes of a body.
async fn read_beginning(incoming: &mut Incoming, bytes_max: u64) -> Result<Bytes, OutgoingError> {
    let most = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let mut body = Vec::new();
    while let Some(frame) = incoming.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        let room = most.saturating_sub(body.len());
        body.extend_from_slice(data.get(..room).unwrap_or(&data));
        if data.len() >= room {
            break;
        }
    }
    Ok(body.into())
}

async fn copy_to_sink(
    incoming: &mut Incoming,
    bytes_max: u64,
    sink: &mut impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), OutgoingError> {
    let mut room = bytes_max;
    while let Some(frame) = incoming.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        let length = u64::try_from(data.len()).unwrap_or(u64::MAX);
        room = room.checked_sub(length).ok_or(OutgoingError::TooLarge(bytes_max))?;
        sink(&data).map_err(OutgoingError::Sink)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;

    use tokio::io::AsyncReadExt;
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::pki_types::PrivateKeyDer;
    use tokio_rustls::rustls::pki_types::pem::PemObject;

    use super::*;

    /// Returns the first list, then always the second.
    struct Fixed {
        lists: [Vec<IpAddr>; 2],
        asked: AtomicUsize,
    }

    impl Fixed {
        fn new(first: &[&str], later: &[&str]) -> Arc<Fixed> {
            let list = |texts: &[&str]| texts.iter().map(|it| it.parse().unwrap()).collect();
            Arc::new(Fixed { lists: [list(first), list(later)], asked: AtomicUsize::new(0) })
        }
    }

    impl Resolve for Fixed {
        fn resolve(&self, _: &str) -> PendingResult<io::Result<Vec<IpAddr>>> {
            let list = self.lists[self.asked.fetch_add(1, SeqCst).min(1)].clone();
            Box::pin(async move { Ok(list) })
        }
    }

    fn client(allow_private: bool, resolver: Arc<Fixed>) -> Outgoing {
        Outgoing::new(OutgoingPolicy { allow_private, resolver, roots: Vec::new() })
    }

    fn post(url: &str) -> OutgoingRequest {
        let (method, url, body) = (Method::POST, url.to_string(), Bytes::from("hello"));
        OutgoingRequest { method, url, headers: HeaderMap::new(), body }
    }

    /// Answers one connection with these bytes. Returns the port and the received text.
    async fn answering(answer: &'static [u8]) -> (u16, Arc<Mutex<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let got = Arc::new(Mutex::new(String::new()));
        let into = got.clone();
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            talk(stream, answer, &into).await;
        });
        (port, got)
    }

    async fn talk(
        mut stream: impl AsyncRead + AsyncWrite + Unpin,
        answer: &[u8],
        into: &Mutex<String>,
    ) {
        let mut bytes = [0; 4096];
        loop {
            let n_read = stream.read(&mut bytes).await.unwrap_or(0);
            let text = {
                let mut text = into.lock().unwrap();
                text.push_str(&String::from_utf8_lossy(&bytes[..n_read]));
                text.clone()
            };
            if n_read == 0 || text.ends_with("hello") || text.starts_with("GET") {
                break;
            }
        }
        let _ = stream.write_all(answer).await;
        let _ = stream.shutdown().await;
        // The client closes the connection when it has what it wants.
        while matches!(stream.read(&mut bytes).await, Ok(1..)) {}
    }

    #[tokio::test]
    async fn a_request_is_sent_as_it_should_be() {
        let answer = b"HTTP/1.1 201 Created\r\nx-a: b\r\ncontent-length: 2\r\n\r\nok";
        let (port, got) = answering(answer).await;
        let client = client(true, Fixed::new(&["127.0.0.1"], &[]));
        let url = format!("http://receiver.test:{port}/a?b=c");
        let answer = client.send(post(&url), OutgoingLimits::SHORT).await.unwrap();
        assert_eq!((answer.status.as_u16(), &answer.body[..]), (201, &b"ok"[..]));
        assert_eq!(answer.headers["x-a"], "b");
        let got = got.lock().unwrap().clone();
        assert!(got.starts_with("POST /a?b=c HTTP/1.1\r\n"), "{got}");
        assert!(got.contains(&format!("host: receiver.test:{port}\r\n")), "{got}");
        assert!(got.contains(&format!("user-agent: {USER_AGENT}\r\n")), "{got}");
        assert!(got.contains("content-length: 5\r\n") && got.ends_with("\r\n\r\nhello"), "{got}");
    }

    #[tokio::test]
    async fn what_leads_inside_is_refused_before_anything_is_sent() {
        let (port, got) = answering(b"").await;
        let check = async |url: &str, addresses: &[&str]| {
            let resolver = Fixed::new(addresses, addresses);
            let sent = client(false, resolver).send(post(url), OutgoingLimits::SHORT).await;
            assert!(matches!(sent, Err(OutgoingError::Refused(_))), "{url} {addresses:?} {sent:?}");
        };
        check(&format!("http://127.0.0.1:{port}/"), &[]).await;
        check("http://127.0.0.1/", &[]).await;
        check("http://[::1]/", &[]).await;
        check("http://[::ffff:127.0.0.1]/", &[]).await;
        check("http://169.254.169.254/latest/meta-data/", &[]).await;
        check("https://receiver.test/", &["127.0.0.1"]).await;
        check("https://receiver.test/", &["10.1.2.3"]).await;
        check("https://receiver.test/", &["fd00::1"]).await;
        // A public address among private ones does not help.
        check("https://receiver.test/", &["93.184.216.34", "127.0.0.1"]).await;
        check("https://receiver.test/", &["127.0.0.1", "93.184.216.34"]).await;
        check("https://receiver.test:8443/", &["93.184.216.34"]).await;
        // Unspecified addresses are refused even if private ones are allowed.
        let allowed = client(true, Fixed::new(&["0.0.0.0"], &[]));
        let sent =
            allowed.send(post(&format!("http://a.test:{port}/")), OutgoingLimits::SHORT).await;
        assert!(matches!(sent, Err(OutgoingError::Refused(_))), "{sent:?}");
        assert_eq!(*got.lock().unwrap(), "");
    }

    #[tokio::test]
    async fn the_address_that_was_judged_is_the_one_that_is_asked() {
        let (port, _) = answering(b"HTTP/1.1 204 No Content\r\n\r\n").await;
        // A second lookup would return another address.
        let resolver = Fixed::new(&["127.0.0.1"], &["127.0.0.2"]);
        let client = client(true, resolver.clone());
        let url = format!("http://receiver.test:{port}/");
        let answer = client.send(post(&url), OutgoingLimits::SHORT).await.unwrap();
        assert_eq!((answer.status.as_u16(), resolver.asked.load(SeqCst)), (204, 1));
        // The check uses the addresses of this lookup, not earlier ones.
        let resolver = Fixed::new(&["93.184.216.34"], &["127.0.0.1"]);
        resolver.asked.store(1, SeqCst);
        let sent =
            self::client(false, resolver).send(post("http://a.test/"), OutgoingLimits::SHORT).await;
        assert!(matches!(sent, Err(OutgoingError::Refused(_))), "{sent:?}");
    }

    #[tokio::test]
    async fn a_redirect_is_not_followed() {
        let (inside, asked) = answering(b"").await;
        let answer = format!("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:{inside}/\r\n\r\n");
        let (port, _) = answering(answer.leak().as_bytes()).await;
        let client = client(true, Fixed::new(&["127.0.0.1"], &[]));
        let answer =
            client.send(post(&format!("http://a.test:{port}")), OutgoingLimits::SHORT).await;
        assert_eq!(answer.unwrap().status.as_u16(), 302);
        assert_eq!(*asked.lock().unwrap(), "");
    }

    #[tokio::test]
    async fn a_body_is_read_up_to_its_limit() {
        let (port, _) = answering(b"HTTP/1.1 200 OK\r\n\r\n0123456789").await;
        let client = client(true, Fixed::new(&["127.0.0.1"], &["127.0.0.1"]));
        let limits = OutgoingLimits { body_bytes_max: 4, ..OutgoingLimits::SHORT };
        let answer = client.send(post(&format!("http://a.test:{port}")), limits).await.unwrap();
        assert_eq!(&answer.body[..], b"0123");
    }

    #[tokio::test]
    async fn who_does_not_answer_is_not_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let client = client(true, Fixed::new(&[], &[]));
        let limits = OutgoingLimits { timeout: Duration::from_millis(50), ..OutgoingLimits::SHORT };
        let sent = client.send(post(&url), limits).await;
        assert!(matches!(sent, Err(OutgoingError::TimedOut(_))), "{sent:?}");
        drop(listener);
        let sent = client.send(post(&url), OutgoingLimits::SHORT).await;
        assert!(matches!(sent, Err(OutgoingError::Unreachable(_))), "{sent:?}");
    }

    #[tokio::test]
    async fn what_is_no_answer_is_an_error() {
        for answer in [&b""[..], b"hello", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort"] {
            let (port, _) = answering(answer).await;
            let client = client(true, Fixed::new(&["127.0.0.1"], &[]));
            let sent =
                client.send(post(&format!("http://a.test:{port}")), OutgoingLimits::SHORT).await;
            assert!(matches!(sent, Err(OutgoingError::Broken(_))), "{sent:?}");
        }
    }

    #[tokio::test]
    async fn endless_answers_end() {
        let head = format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "x".repeat(100_000));
        let (port, _) = answering(head.leak().as_bytes()).await;
        let client = client(true, Fixed::new(&["127.0.0.1"], &["127.0.0.1"]));
        let sent = client.send(post(&format!("http://a.test:{port}")), OutgoingLimits::SHORT).await;
        assert!(matches!(sent, Err(OutgoingError::Broken(_))), "{sent:?}");
        let fields = format!("HTTP/1.1 200 OK\r\n{}\r\n", "x: y\r\n".repeat(HEADERS_MAX + 1));
        let (port, _) = answering(fields.leak().as_bytes()).await;
        let sent = client.send(post(&format!("http://a.test:{port}")), OutgoingLimits::SHORT).await;
        assert!(matches!(sent, Err(OutgoingError::Broken(_))), "{sent:?}");
        let body = format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(1_000_000));
        let (port, _) = answering(body.leak().as_bytes()).await;
        let sent = client.send(post(&format!("http://a.test:{port}")), OutgoingLimits::SHORT).await;
        assert_eq!(sent.unwrap().body.len(), 64 * 1024);
    }

    #[tokio::test]
    async fn a_download_is_handed_on() {
        let check = async |answer: &'static [u8], most: u64| {
            let (port, _) = answering(answer).await;
            let client = client(true, Fixed::new(&["127.0.0.1"], &[]));
            let limits = OutgoingLimits { body_bytes_max: most, ..OutgoingLimits::SHORT };
            let mut got = Vec::new();
            let sink = |bytes: &[u8]| {
                got.extend_from_slice(bytes);
                Ok(())
            };
            let done = client
                .download(
                    OutgoingRequest::get(format!("http://a.test:{port}"), HeaderMap::new()),
                    limits,
                    sink,
                )
                .await;
            (done, String::from_utf8(got).unwrap())
        };
        let (done, got) = check(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nbytes", 5).await;
        assert_eq!((done.unwrap().status.as_u16(), got.as_str()), (200, "bytes"));
        let (done, got) = check(b"HTTP/1.1 404 Not Found\r\n\r\nno", 5).await;
        let answer = done.unwrap();
        assert_eq!((answer.status.as_u16(), &answer.body[..], got.as_str()), (404, &b"no"[..], ""));
        let (done, got) = check(b"HTTP/1.1 200 OK\r\n\r\ntoo much", 5).await;
        assert!(matches!(done, Err(OutgoingError::TooLarge(5))) && got.is_empty(), "{done:?}");
    }

    /// Starts a server with the certificate of `receiver.test`.
    async fn secured(answer: &'static [u8]) -> u16 {
        let leaf = include_bytes!("../../tests/data/tls/receiver.pem");
        let key = include_bytes!("../../tests/data/tls/receiver.key");
        let config = rustls::ServerConfig::builder_with_provider(Arc::new(
            rustls::crypto::ring::default_provider(),
        ));
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let chain = vec![CertificateDer::from_pem_slice(leaf).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(key).unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config.with_single_cert(chain, key).unwrap()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            if let Ok(stream) = acceptor.accept(stream).await {
                talk(stream, answer, &Mutex::default()).await;
            }
        });
        port
    }

    #[tokio::test]
    async fn a_server_must_be_who_it_says() {
        let authority = include_bytes!("../../tests/data/tls/authority.pem");
        let authority = CertificateDer::from_pem_slice(authority).unwrap();
        let check = async |host: &str, roots: Vec<CertificateDer<'static>>| {
            let port = secured(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
            let resolver = Fixed::new(&["127.0.0.1"], &[]);
            let client = Outgoing::new(OutgoingPolicy { allow_private: true, resolver, roots });
            client.send(post(&format!("https://{host}:{port}/")), OutgoingLimits::SHORT).await
        };
        let known = check("receiver.test", vec![authority.clone()]).await;
        assert_eq!(known.unwrap().status.as_u16(), 200);
        let elsewhere = check("other.test", vec![authority]).await;
        assert!(matches!(elsewhere, Err(OutgoingError::Tls(_))), "{elsewhere:?}");
        let unknown = check("receiver.test", Vec::new()).await;
        assert!(matches!(unknown, Err(OutgoingError::Tls(_))), "{unknown:?}");
    }
}
