//! The listener: accepts connections up to the limits, ends the slow ones, and closes gracefully.
//!
//! One sweep over all connections, a few times a second, keeps every time limit; see
//! `conn_state`. Connections share nothing else but counters.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use hyper::server::conn::http1;
use tokio::net::TcpListener;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::conn;
use super::conn_context::ConnContext;
use super::conn_limits::ConnLimits;
use super::conn_state::CoarseClock;
use super::conn_state::ConnOrder;
use super::conn_state::ConnState;
use super::counters::Counters;
use super::headers::client_block;
use super::http_service::HttpService;
use super::http2;
use super::peer::Peer;
use super::secure_redirect::RedirectTarget;
use super::secure_redirect::SecureRedirect;
use super::socket_stream::SocketStream;
use crate::net::certificates;
use crate::net::certificates::CertificateStore;
use crate::stdx::sync::Mutex;

/// The time that idle connections have for one more request once the server stops.
const LAST_REQUEST_WAIT: Duration = Duration::from_millis(200);
/// The longest wait for closed connections to notice.
const CUT_WAIT: Duration = Duration::from_secs(1);
/// The first and the longest pause after an `accept` that failed for lack of resources.
const PAUSES: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));
/// The shortest and the longest time between two sweeps.
const SWEEPS: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(500));

/// The sockets of a server.
pub enum ServerSockets {
    /// One without encryption.
    Plain(TcpListener),
    /// One with encryption, and one without, whose clients are sent to the other.
    Secure(SecureSockets),
}

impl From<TcpListener> for ServerSockets {
    fn from(listener: TcpListener) -> ServerSockets {
        ServerSockets::Plain(listener)
    }
}

/// The sockets of a server with TLS.
pub struct SecureSockets {
    /// The socket of the encrypted connections.
    pub tls: TcpListener,
    /// The socket of the others.
    pub plain: TcpListener,
    /// The certificate.
    pub certificates: Arc<CertificateStore>,
    /// The address that clients of the other socket are sent to.
    pub redirect: RedirectTarget,
}

/// The result of the shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// Every running request was answered.
    All,
    /// This many connections were closed when the time was over.
    Cut(usize),
}

/// Serves until `shutdown` resolves, then lets running requests finish within `limits.drain`. The
/// listening sockets are closed at once, so that a successor can bind the port.
pub async fn serve<S: HttpService>(
    sockets: impl Into<ServerSockets>,
    limits: ConnLimits,
    counters: Arc<Counters>,
    service: Arc<S>,
    shutdown: impl Future<Output = ()>,
) -> Drained {
    let (sockets, drain) = (sockets.into(), limits.drain);
    let registry = Arc::new(ConnRegistry::new(limits, counters));
    let serving = async {
        tokio::select! {
            biased;
            () = shutdown => {}
            never = accept_at(&sockets, &registry, &service) => match never {},
        }
        drop(sockets);
        service.stop();
        registry.drain_connections(drain).await
    };
    tokio::select! {
        drained = serving => drained,
        never = registry.sweep_forever() => match never {},
    }
}

async fn accept_at<S: HttpService>(
    sockets: &ServerSockets,
    registry: &Arc<ConnRegistry>,
    service: &Arc<S>,
) -> Infallible {
    let secure = match sockets {
        ServerSockets::Plain(listener) => {
            return accept_all(listener, None, registry, service).await;
        }
        ServerSockets::Secure(secure) => secure,
    };
    let acceptor = secure.certificates.acceptor();
    let redirect = Arc::new(SecureRedirect::new(
        service.clone(),
        secure.certificates.clone(),
        secure.redirect.clone(),
    ));
    tokio::select! {
        never = accept_all(&secure.tls, Some(&acceptor), registry, service) => never,
        never = accept_all(&secure.plain, None, registry, &redirect) => never,
    }
}

async fn accept_all<S: HttpService>(
    listener: &TcpListener,
    tls: Option<&TlsAcceptor>,
    registry: &Arc<ConnRegistry>,
    service: &Arc<S>,
) -> Infallible {
    let http1 = conn::http1_builder();
    loop {
        let permit = registry.acquire_permit().await;
        let (stream, peer) = accept_one(listener, &registry.counters).await;
        let Some((slot, state)) = registry.acquire_slot(peer.ip(), permit) else { continue };
        // Without it answers wait for the client's delayed acknowledgement; failing is no reason
        // to refuse anybody.
        let _ = stream.set_nodelay(true);
        let conn = Arc::new(ConnContext {
            service: service.clone(),
            state,
            peer: Peer { address: peer, is_secure: tls.is_some() },
            counters: registry.counters.clone(),
        });
        let (http1, tls) = (http1.clone(), tls.cloned());
        tokio::spawn(async move {
            match tls {
                None => conn::serve_conn(SocketStream::Plain(stream), conn, http1).await,
                Some(tls) => serve_tls_conn(stream, tls, conn, http1).await,
            }
            drop(slot);
        });
    }
}

/// Serves a connection with TLS, with the protocol that the client has chosen.
async fn serve_tls_conn<S: HttpService>(
    stream: TcpStream,
    tls: TlsAcceptor,
    conn: Arc<ConnContext<S>>,
    http1: http1::Builder,
) {
    let stream = match timeout(conn.state.limits.head, tls.accept(stream)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return tracing::debug!(%error, "no TLS connection"),
        Err(_) => return tracing::debug!("a TLS handshake took too long"),
    };
    let protocol = stream.get_ref().1.alpn_protocol();
    if certificates::is_proof_connection(protocol) {
        return;
    }
    let is_http2 = certificates::speaks_http2(protocol);
    let stream = SocketStream::Tls(Box::new(stream));
    match is_http2 {
        true => http2::serve_http2(stream, conn).await,
        false => conn::serve_conn(stream, conn, http1).await,
    }
}

/// Accepts the next connection. Pauses when descriptors or memory run out.
async fn accept_one(listener: &TcpListener, counters: &Counters) -> (TcpStream, SocketAddr) {
    let mut pause = PAUSES.0;
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => {
                counters.accept_errors.fetch_add(1, Relaxed);
                if is_one_connections_error(&error) {
                    continue;
                }
                tracing::warn!(%error, pause_ms = pause.as_secs_f64() * 1e3, "cannot accept connections");
                sleep(pause).await;
                pause = pause.saturating_mul(2).min(PAUSES.1);
            }
        }
    }
}

/// Returns true if only this connection failed; the next one may succeed.
fn is_one_connections_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

/// The registry of open connections.
struct ConnRegistry {
    limits: Arc<ConnLimits>,
    counters: Arc<Counters>,
    clock: Arc<CoarseClock>,
    permits: Arc<Semaphore>,
    open: Mutex<OpenConns>,
    left: Notify,
}

#[derive(Default)]
struct OpenConns {
    next_number: u64,
    states: HashMap<u64, Arc<ConnState>>,
    per_client: HashMap<IpAddr, usize>,
}

/// The slot of a connection, released when dropped.
struct ConnSlot {
    registry: Arc<ConnRegistry>,
    number: u64,
    client: Option<IpAddr>,
    _permit: OwnedSemaphorePermit,
}

impl ConnRegistry {
    fn new(limits: ConnLimits, counters: Arc<Counters>) -> Self {
        ConnRegistry {
            permits: Arc::new(Semaphore::new(limits.connections_max.min(Semaphore::MAX_PERMITS))),
            limits: Arc::new(limits),
            counters,
            clock: Arc::default(),
            open: Mutex::default(),
            left: Notify::new(),
        }
    }

    async fn acquire_permit(&self) -> OwnedSemaphorePermit {
        let permit = self.permits.clone().acquire_owned().await;
        permit.expect("nobody closes this semaphore")
    }

    /// Acquires a slot for a connection, unless its client has too many already.
    fn acquire_slot(
        self: &Arc<Self>,
        ip: IpAddr,
        permit: OwnedSemaphorePermit,
    ) -> Option<(ConnSlot, Arc<ConnState>)> {
        let limits = &self.limits;
        let counted = limits.per_client_max > 0 && !limits.per_client_exempt.contains(ip);
        let client = counted.then(|| client_block(ip));
        let mut open = self.open.lock();
        if let Some(client) = client {
            let n = open.per_client.entry(client).or_default();
            if *n >= limits.per_client_max {
                self.counters.turned_away.fetch_add(1, Relaxed);
                return None;
            }
            *n = n.saturating_add(1);
        }
        let number = open.next_number;
        open.next_number = number.wrapping_add(1);
        let state = Arc::new(ConnState::new(limits.clone(), self.clock.clone()));
        open.states.insert(number, state.clone());
        self.counters.accepted.fetch_add(1, Relaxed);
        self.counters.open.fetch_add(1, Relaxed);
        Some((ConnSlot { registry: self.clone(), number, client, _permit: permit }, state))
    }

    fn release_slot(&self, number: u64, client: Option<IpAddr>) {
        let mut open = self.open.lock();
        open.states.remove(&number);
        if let Some(client) = client
            && let Some(n) = open.per_client.get_mut(&client)
        {
            *n = n.saturating_sub(1);
            if *n == 0 {
                open.per_client.remove(&client);
            }
        }
        drop(open);
        self.counters.open.fetch_sub(1, Relaxed);
        self.left.notify_waiters();
    }

    /// Updates the clock and closes overdue connections, forever.
    async fn sweep_forever(&self) -> Infallible {
        let started = Instant::now();
        let pause = self.sweep_pause();
        loop {
            let now_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.clock.set_ms(now_ms);
            self.sweep_once(now_ms);
            sleep(pause).await;
        }
    }

    fn sweep_once(&self, now_ms: u64) {
        for state in self.open.lock().states.values() {
            if let Some(reason) = state.overdue_reason(now_ms)
                && state.set_order(ConnOrder::Cut)
            {
                self.counters.cut.fetch_add(1, Relaxed);
                tracing::debug!(reason, "closed a connection");
            }
        }
    }

    fn sweep_pause(&self) -> Duration {
        let limits = &self.limits;
        let times = [limits.head, limits.idle, limits.write_stall, limits.linger];
        let shortest = times.into_iter().min().unwrap_or(SWEEPS.1);
        (shortest / 16).clamp(SWEEPS.0, SWEEPS.1)
    }

    /// Ends all connections: first gracefully, then by closing them.
    ///
    /// A client may have sent the next request on a connection that looks idle here. It gets the
    /// answer, which says that the connection closes.
    async fn drain_connections(&self, drain: Duration) -> Drained {
        let one_more = LAST_REQUEST_WAIT.min(drain);
        self.order_all(ConnOrder::LastRequest);
        if timeout(one_more, self.wait_empty()).await.is_ok() {
            return Drained::All;
        }
        self.order_all(ConnOrder::Drain);
        if timeout(drain.saturating_sub(one_more), self.wait_empty()).await.is_ok() {
            return Drained::All;
        }
        let n_cut = self.order_all(ConnOrder::Cut);
        let _ = timeout(CUT_WAIT, self.wait_empty()).await;
        if n_cut == 0 { Drained::All } else { Drained::Cut(n_cut) }
    }

    fn order_all(&self, order: ConnOrder) -> usize {
        let open = self.open.lock();
        for state in open.states.values() {
            state.set_order(order);
        }
        open.states.len()
    }

    async fn wait_empty(&self) {
        loop {
            let mut left = pin!(self.left.notified());
            left.as_mut().enable();
            if self.open.lock().states.is_empty() {
                return;
            }
            left.await;
        }
    }
}

impl Drop for ConnSlot {
    fn drop(&mut self) {
        self.registry.release_slot(self.number, self.client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::error::Error;
    use crate::http::request::error;
    use crate::http::wire::conn_limits::BodyPace;
    use crate::http::wire::head_check::HeadRefusal;
    use crate::http::wire::headers::Networks;
    use crate::http::wire::http_service::Answer;
    use crate::http::wire::reply::ReplyBody;
    use crate::http::wire::request_body::BodyReservation;
    use crate::http::wire::request_body::RequestBody;
    use crate::http::wire::request_body::read_to_limit;
    use bytes::Bytes;
    use http::Request;
    use http::Response;
    use tokio::io::AsyncReadExt as _;
    use tokio::io::AsyncWriteExt as _;
    use tokio::sync::oneshot;
    use tokio::task::JoinHandle;

    /// A limit that only keeps a failing test from hanging.
    const CEILING: Duration = Duration::from_secs(20);
    const SHORT: Duration = Duration::from_millis(150);
    const BIG_BYTES: usize = 32 * 1_024 * 1_024;
    const BODY_BYTES_MAX: u64 = 1_000;

    #[derive(Default)]
    struct Toy {
        entered: Notify,
        release: Notify,
        left: Notify,
        body_errors: Mutex<Vec<String>>,
    }

    fn room() -> BodyReservation {
        BodyReservation::new(&Arc::default())
    }

    struct Leaves<'a>(&'a Notify);

    impl Drop for Leaves<'_> {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }

    impl HttpService for Toy {
        fn call(self: &Arc<Self>, request: Request<RequestBody>, _: Peer) -> Answer {
            if request.uri().path() == "/panic-at-once" {
                panic!("toy");
            }
            if request.uri().path() == "/at-once" {
                return Answer::Now(Response::new("at once".to_owned().into()).into());
            }
            let toy = self.clone();
            Answer::Later(Box::pin(async move { toy.answer(request).await.into() }))
        }
    }

    impl Toy {
        async fn answer(&self, request: Request<RequestBody>) -> Response<ReplyBody> {
            let (head, body) = request.into_parts();
            let _leaves = Leaves(&self.left);
            let text = match head.uri.path() {
                "/panic" => panic!("toy"),
                "/big" => return Response::new(Bytes::from(vec![b'x'; BIG_BYTES]).into()),
                "/stream" => {
                    let frames = (0..3).map(|_| Ok(Bytes::from("frame ")));
                    return Response::new(ReplyBody::from_frames(frames));
                }
                "/wait" => {
                    self.entered.notify_one();
                    self.release.notified().await;
                    "waited".to_owned()
                }
                "/echo" => match read_to_limit(body, BODY_BYTES_MAX, &mut room()).await {
                    Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    Err(error) => {
                        self.body_errors.lock().push(format!("{error:?}"));
                        let mut response = Response::new(error.to_string().into());
                        *response.status_mut() = error::status_of(Error::from(error).code);
                        return response;
                    }
                },
                _ => "hello".to_owned(),
            };
            Response::new(text.into())
        }
    }

    struct Server {
        address: SocketAddr,
        toy: Arc<Toy>,
        counters: Arc<Counters>,
        stop: Option<oneshot::Sender<()>>,
        task: JoinHandle<Drained>,
    }

    impl Server {
        async fn start(limits: ConnLimits) -> Server {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (stop, stopped) = oneshot::channel();
            let (toy, counters) = (Arc::new(Toy::default()), Arc::new(Counters::default()));
            let (service, counted) = (toy.clone(), counters.clone());
            let task = tokio::spawn(async move {
                let shutdown = async { drop(stopped.await) };
                serve(listener, limits, counted, service, shutdown).await
            });
            Server { address, toy, counters, stop: Some(stop), task }
        }

        async fn client(&self) -> Client {
            Client(TcpStream::connect(self.address).await.unwrap())
        }

        /// Sends the text on one connection and reads until the server closes it.
        async fn ask(&self, text: impl AsRef<[u8]>) -> String {
            let mut client = self.client().await;
            client.send(text).await;
            client.rest().await
        }

        fn stop(&mut self) {
            drop(self.stop.take());
        }

        async fn drained(self) -> Drained {
            timeout(CEILING, self.task).await.unwrap().unwrap()
        }
    }

    struct Client(TcpStream);

    impl Client {
        async fn send(&mut self, text: impl AsRef<[u8]>) {
            self.0.write_all(text.as_ref()).await.unwrap();
        }

        /// Reads until the server closes the connection or resets it.
        async fn rest(&mut self) -> String {
            let mut bytes = Vec::new();
            let _ = timeout(CEILING, self.0.read_to_end(&mut bytes)).await.expect("no close");
            String::from_utf8_lossy(&bytes).into_owned()
        }

        /// Reads one response, up to a body that ends with `end`.
        async fn until(&mut self, end: &str) -> String {
            let mut bytes = Vec::new();
            while !bytes.ends_with(end.as_bytes()) {
                let byte = timeout(CEILING, self.0.read_u8()).await.expect("no answer");
                bytes.push(byte.expect("closed early"));
            }
            String::from_utf8(bytes).unwrap()
        }
    }

    fn get(path: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    fn post(headers: &str, body: &str) -> String {
        format!("POST /echo HTTP/1.1\r\nHost: a\r\n{headers}\r\n{body}")
    }

    /// Checks the status of the only response, which must be the connection's last.
    async fn check_refused(server: &Server, text: impl AsRef<[u8]>, expect: &str) {
        let answer = server.ask(&text).await;
        let sent = String::from_utf8_lossy(text.as_ref());
        let sent: String = sent.chars().take(200).collect();
        assert!(answer.starts_with(&format!("HTTP/1.1 {expect} ")), "{sent:?}: {answer:?}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{sent:?}: {answer:?}");
        assert!(answer.contains("connection: close\r\n"), "{sent:?}: {answer:?}");
    }

    #[tokio::test]
    async fn keeps_connections_alive() {
        let server = Server::start(ConnLimits::default()).await;
        let mut client = server.client().await;
        for _ in 0..3 {
            client.send(get("/")).await;
            let answer = client.until("hello").await;
            assert!(!answer.contains("connection"), "{answer}");
        }
        client.send(get("/").repeat(3)).await;
        for _ in 0..3 {
            client.until("hello").await;
        }
        client.send(post("Content-Length: 3\r\n", "abc")).await;
        client.until("abc").await;
        client.send(get("/stream")).await;
        client.until("0\r\n\r\n").await;
        assert_eq!(server.counters.accepted.load(Relaxed), 1);
    }

    #[tokio::test]
    async fn refuses_what_hyper_forgives() {
        let server = Server::start(ConnLimits::default()).await;
        let follow = get("/");
        let both = post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n");
        check_refused(&server, both + &follow, "400").await;
        let both = post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n");
        check_refused(&server, both + &follow, "400").await;
        let twice = post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc");
        check_refused(&server, twice + &follow, "400").await;
        for (codings, status) in [
            ("chunked, chunked", "400"),
            (", chunked", "400"),
            ("chunked\r\nTransfer-Encoding: chunked", "400"),
            ("gzip, chunked", "501"),
            ("deflate\r\nTransfer-Encoding: chunked", "501"),
        ] {
            let encoded = post(&format!("Transfer-Encoding: {codings}\r\n"), "0\r\n\r\n");
            check_refused(&server, encoded + &follow, status).await;
        }
        for bare in ["GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n"] {
            check_refused(&server, bare.to_owned() + &follow, "400").await;
        }
        for hosts in
            ["", "Host: a\r\nHost: b\r\n", "Host: a\r\nHost: a\r\n", "Host: a/b\r\n", "Host:\r\n"]
        {
            check_refused(&server, format!("GET / HTTP/1.1\r\n{hosts}\r\n{follow}"), "400").await;
        }
        let evil = "GET http://evil.org/ HTTP/1.1\r\nHost: a\r\n\r\n";
        check_refused(&server, evil, "400").await;
        for line in ["TRACE /", "CONNECT a:80", "get /", "PROPFIND /", "OPTIONS *"] {
            let request = format!("{line} HTTP/1.1\r\nHost: a\r\n\r\n{follow}");
            check_refused(&server, request, "405").await;
        }
        let long = format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "a".repeat(8 * 1_024));
        check_refused(&server, long, "414").await;
        let many =
            |n: usize| format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", "X: y\r\n".repeat(n - 1));
        check_refused(&server, many(65), "431").await;
        let refused = server.counters.requests_refused.load(Relaxed);
        assert_eq!(refused, 23, "all of these are ours, none is hyper's");
    }

    #[tokio::test]
    async fn leaves_to_hyper_what_hyper_refuses() {
        let server = Server::start(ConnLimits::default()).await;
        for lengths in [
            "Content-Length: 3\r\nContent-Length: 4\r\n",
            "Content-Length: +3\r\n",
            "Content-Length: -1\r\n",
            "Content-Length: 3, 3\r\n",
            "Content-Length: 18446744073709551616\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "Transfer-Encoding: xchunked\r\n",
            "Transfer-Encoding:\x0bchunked\r\n",
            "X: a\0b\r\n",
            "X: a\r\n b\r\n",
            "X : a\r\n",
        ] {
            check_refused(&server, post(lengths, "abc") + &get("/"), "400").await;
        }
        check_refused(
            &server,
            format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", "X: y\r\n".repeat(100)),
            "431",
        )
        .await;
        let long = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "y".repeat(70_000));
        check_refused(&server, long, "431").await;
        check_refused(&server, "nonsense\r\n\r\n", "400").await;
    }

    #[tokio::test]
    async fn refusals_speak_the_envelope() {
        let server = Server::start(ConnLimits::default()).await;
        let answer = server.ask("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(
            answer.contains("allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n"),
            "{answer}"
        );
        let envelope =
            r#"{"error":{"code":"method_not_allowed","message":"This method is not supported."}}"#;
        assert!(answer.ends_with(envelope), "{answer}");
        assert_eq!(HeadRefusal::Host.code(), "bad_request");
    }

    #[tokio::test]
    async fn bodies_over_the_limit_are_refused_at_once() {
        let server = Server::start(ConnLimits::default()).await;
        check_refused(&server, post("Content-Length: 9223372036854775807\r\n", ""), "413").await;
        let expecting = post("Content-Length: 1001\r\nExpect: 100-continue\r\n", "");
        check_refused(&server, expecting, "413").await;
        let sent = post("Content-Length: 3000000\r\n", &"x".repeat(3_000_000));
        check_refused(&server, sent, "413").await;
        let chunk = format!("{:x}\r\n{}\r\n", 2_000, "x".repeat(2_000));
        check_refused(&server, post("Transfer-Encoding: chunked\r\n", &chunk), "413").await;
    }

    #[tokio::test]
    async fn bodies_with_bad_framing_are_refused() {
        let server = Server::start(ConnLimits::default()).await;
        let extended = format!("1;{}\r\na\r\n", "e".repeat(1_000_000));
        for body in ["zz\r\na\r\n", "1\na\r\n", "-1\r\n", "1\r\nabc\r\n0\r\n\r\n", &extended] {
            check_refused(&server, post("Transfer-Encoding: chunked\r\n", body), "400").await;
        }
        let sound = post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n");
        check_refused(&server, sound + &get("/"), "200").await;
    }

    #[tokio::test]
    async fn an_unread_body_ends_the_connection() {
        let server = Server::start(ConnLimits::default()).await;
        let unread =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nGET / HTTP/1.1\r\n";
        check_refused(&server, unread, "200").await;
    }

    #[tokio::test]
    async fn a_panic_costs_one_request() {
        let server = Server::start(ConnLimits::default()).await;
        for (path, panics) in [("/panic", 1), ("/panic-at-once", 2)] {
            let answer = server.ask(get(path) + &get("/")).await;
            assert!(answer.starts_with("HTTP/1.1 500 "), "{answer}");
            assert!(answer.contains(r#""code":"server_error""#), "{answer}");
            assert_eq!(server.counters.panics.load(Relaxed), panics);
        }
        server.client().await.send(get("/")).await;
        let mut client = server.client().await;
        client.send(get("/")).await;
        client.until("hello").await;
    }

    #[tokio::test]
    async fn answers_come_in_turn_at_once_or_later() {
        let server = Server::start(ConnLimits { requests_max: 4, ..ConnLimits::default() }).await;
        let paths = ["/", "/at-once", "/at-once", "/"];
        let answers = server.ask(paths.map(get).concat()).await;
        let places: Vec<usize> = ["hello", "at once"]
            .iter()
            .flat_map(|it| answers.match_indices(it))
            .map(|it| it.0)
            .collect();
        let [first, fourth, second, third] = places[..] else { panic!("{answers}") };
        assert!(first < second && second < third && third < fourth, "{answers}");
    }

    #[tokio::test]
    async fn the_last_request_says_so() {
        let server = Server::start(ConnLimits { requests_max: 2, ..ConnLimits::default() }).await;
        let answer = server.ask(get("/").repeat(3)).await;
        assert_eq!(answer.matches("HTTP/1.1 200").count(), 2, "{answer}");
        assert_eq!(answer.matches("connection: close").count(), 1, "{answer}");
        let unlimited = ConnLimits { requests_max: 0, ..ConnLimits::default() };
        let server = Server::start(unlimited).await;
        let mut client = server.client().await;
        for _ in 0..50 {
            client.send(get("/")).await;
            client.until("hello").await;
        }
    }

    #[tokio::test]
    async fn slow_heads_and_idlers_are_cut() {
        let slow = ConnLimits { head: SHORT, ..ConnLimits::default() };
        let server = Server::start(slow).await;
        for partial in ["", "G", "GET / HTTP/1.1\r\nHost: a\r\n"] {
            assert_eq!(server.ask(partial).await, "", "{partial:?}");
        }
        let answer = server.ask(get("/") + "GET / HT").await;
        assert_eq!(answer.matches("HTTP/1.1 200").count(), 1, "{answer}");
        assert_eq!(server.counters.cut.load(Relaxed), 4);
        let server = Server::start(ConnLimits { idle: SHORT, ..ConnLimits::default() }).await;
        let answer = server.ask(get("/")).await;
        assert!(answer.ends_with("hello"), "{answer}");
    }

    #[tokio::test]
    async fn a_refused_client_cannot_linger() {
        let server = Server::start(ConnLimits { linger: SHORT, ..ConnLimits::default() }).await;
        let mut client = server.client().await;
        client.send(post("Content-Length: 2000\r\n", "abc")).await;
        assert!(client.rest().await.starts_with("HTTP/1.1 413 "));
        while server.counters.open.load(Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(server.counters.cut.load(Relaxed), 1);
    }

    #[tokio::test]
    async fn slow_bodies_are_refused() {
        let body = BodyPace { idle: SHORT, ..BodyPace::default() };
        let server = Server::start(ConnLimits { body, ..ConnLimits::default() }).await;
        check_refused(&server, post("Content-Length: 10\r\n", "abc"), "408").await;
        let body = BodyPace { grace: SHORT, ..BodyPace::default() };
        let server = Server::start(ConnLimits { body, ..ConnLimits::default() }).await;
        check_refused(&server, post("Transfer-Encoding: chunked\r\n", "1\r\na\r\n"), "408").await;
        let body = BodyPace { total: SHORT, ..BodyPace::default() };
        let server = Server::start(ConnLimits { body, ..ConnLimits::default() }).await;
        check_refused(&server, post("Content-Length: 10\r\n", "abc"), "408").await;
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_cut() {
        let server =
            Server::start(ConnLimits { write_stall: SHORT, ..ConnLimits::default() }).await;
        let mut client = server.client().await;
        client.send(get("/big")).await;
        while server.counters.open.load(Relaxed) > 0 || server.counters.cut.load(Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        assert!(client.rest().await.len() < BIG_BYTES);
    }

    #[tokio::test]
    async fn a_client_that_leaves_frees_the_service() {
        let server = Server::start(ConnLimits::default()).await;
        let mut client = server.client().await;
        client.send(get("/wait")).await;
        timeout(CEILING, server.toy.entered.notified()).await.unwrap();
        drop(client);
        timeout(CEILING, server.toy.left.notified()).await.unwrap();
    }

    #[tokio::test]
    async fn a_client_that_leaves_mid_body_breaks_the_body() {
        let server = Server::start(ConnLimits::default()).await;
        let mut client = server.client().await;
        client.send(post("Content-Length: 10\r\n", "abc")).await;
        drop(client);
        timeout(CEILING, server.toy.left.notified()).await.unwrap();
        let errors = server.toy.body_errors.lock().clone();
        assert!(errors.is_empty() || errors == ["Broken"], "{errors:?}");
    }

    #[tokio::test]
    async fn requests_under_way_are_answered_before_the_end() {
        let mut server = Server::start(ConnLimits::default()).await;
        let (mut busy, mut idle, mut fresh) =
            (server.client().await, server.client().await, server.client().await);
        idle.send(get("/")).await;
        idle.until("hello").await;
        busy.send(get("/wait") + &get("/")).await;
        timeout(CEILING, server.toy.entered.notified()).await.unwrap();
        while server.counters.accepted.load(Relaxed) < 3 {
            tokio::task::yield_now().await;
        }
        server.stop();
        assert_eq!((idle.rest().await, fresh.rest().await), (String::new(), String::new()));
        assert!(TcpStream::connect(server.address).await.is_err(), "the door is closed");
        server.toy.release.notify_one();
        let answer = busy.rest().await;
        assert!(answer.contains("connection: close") && answer.ends_with("waited"), "{answer}");
        drop(busy);
        assert_eq!(server.drained().await, Drained::All);
    }

    #[tokio::test]
    async fn draining_ends_in_time() {
        let mut server = Server::start(ConnLimits { drain: SHORT, ..ConnLimits::default() }).await;
        let mut client = server.client().await;
        client.send(get("/wait")).await;
        timeout(CEILING, server.toy.entered.notified()).await.unwrap();
        server.stop();
        assert_eq!(client.rest().await, "");
        assert_eq!(server.drained().await, Drained::Cut(1));
    }

    #[tokio::test]
    async fn connections_are_capped() {
        let capped = ConnLimits {
            per_client_max: 1,
            per_client_exempt: Networks::default(),
            ..ConnLimits::default()
        };
        let server = Server::start(capped).await;
        let mut first = server.client().await;
        first.send(get("/")).await;
        first.until("hello").await;
        assert_eq!(server.client().await.rest().await, "");
        assert_eq!(server.counters.turned_away.load(Relaxed), 1);
        drop(first);
        while server.counters.open.load(Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
        let mut next = server.client().await;
        next.send(get("/")).await;
        next.until("hello").await;

        let server =
            Server::start(ConnLimits { connections_max: 1, ..ConnLimits::default() }).await;
        let (mut first, mut second) = (server.client().await, server.client().await);
        second.send(get("/")).await;
        first.send(get("/")).await;
        first.until("hello").await;
        assert_eq!(server.counters.accepted.load(Relaxed), 1, "the second waits");
        drop(first);
        second.until("hello").await;
    }
}
