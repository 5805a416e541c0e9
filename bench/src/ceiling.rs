//! The ceilings: hyper servers that only send prepared bytes, or write what they get. The ratios
//! of the report are relative to their throughput on this machine.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::Request;
use http::Response;
use http::StatusCode;
use http_body_util::BodyExt;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde::Serialize;

use crate::BenchError;
use crate::raw_loop::DurableFolder;

/// Arguments of the hidden command `ceiling`, which the benchmark starts as a process of its own.
#[derive(Debug, clap::Args)]
pub(crate) struct CeilingArgs {
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Worker threads.
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Answer every request with this many bytes and the fewest headers.
    #[arg(long, value_name = "BYTES", group = "what")]
    constant: Option<usize>,
    /// Answer `/<n>` with body `n` of this file and the headers it names.
    #[arg(long, value_name = "FILE", group = "what")]
    bodies: Option<PathBuf>,
    /// Keep the bodies of this file as values and serialise all of them for every request.
    #[arg(long, value_name = "FILE", group = "what")]
    values: Option<PathBuf>,
    /// Write the body of every request durably into this folder, and send it back.
    #[arg(long, value_name = "DIR", group = "what")]
    durable: Option<PathBuf>,
}

/// The responses of a server, in a file from which a ceiling can send the same.
pub(crate) struct Bodies {
    /// The headers sent with each of them.
    pub(crate) headers: Vec<(String, String)>,
    /// The bodies, in order.
    pub(crate) bodies: Vec<Vec<u8>>,
}

/// First line of a file of bodies; the bytes follow back to back.
#[derive(Serialize, Deserialize)]
struct BodiesHead {
    headers: Vec<(String, String)>,
    lengths: Vec<usize>,
}

impl Bodies {
    /// Writes the file.
    pub(crate) fn save(&self, path: &Path) -> Result<(), BenchError> {
        let lengths = self.bodies.iter().map(Vec::len).collect();
        let head = BodiesHead { headers: self.headers.clone(), lengths };
        let mut file = serde_json::to_vec(&head).map_err(BenchError::json(path))?;
        file.push(b'\n');
        self.bodies.iter().for_each(|body| file.extend_from_slice(body));
        std::fs::write(path, file).map_err(BenchError::file(path))
    }

    /// Reads the file.
    pub(crate) fn load(path: &Path) -> Result<Self, BenchError> {
        let file = std::fs::read(path).map_err(BenchError::file(path))?;
        let line_end = memchr::memchr(b'\n', &file).unwrap_or(file.len());
        let (head, mut rest) = file.split_at(line_end);
        let head: BodiesHead = serde_json::from_slice(head).map_err(BenchError::json(path))?;
        rest = rest.get(1..).unwrap_or(&[]);
        let mut bodies = Vec::with_capacity(head.lengths.len());
        for length in head.lengths {
            let (body, after) = rest
                .split_at_checked(length)
                .ok_or_else(|| BenchError::Run(format!("{} is cut short", path.display())))?;
            bodies.push(body.to_vec());
            rest = after;
        }
        Ok(Bodies { headers: head.headers, bodies })
    }
}

/// The content that a ceiling sends.
enum Content {
    Constant(Bytes),
    Resident { headers: HeaderMap, bodies: Vec<Bytes> },
    Values(Vec<serde_json::Value>),
    Durable(DurableFolder),
}

impl Content {
    fn load(args: &CeilingArgs) -> Result<Self, BenchError> {
        if let Some(path) = &args.bodies {
            let Bodies { headers, bodies } = Bodies::load(path)?;
            let headers = headers.iter().filter_map(|(name, value)| {
                Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
            });
            let bodies = bodies.into_iter().map(Bytes::from).collect();
            return Ok(Content::Resident { headers: headers.collect(), bodies });
        }
        if let Some(path) = &args.values {
            let parse = |body: &Vec<u8>| serde_json::from_slice(body);
            let values: Result<_, _> = Bodies::load(path)?.bodies.iter().map(parse).collect();
            return Ok(Content::Values(values.map_err(BenchError::json(path))?));
        }
        if let Some(folder) = &args.durable {
            return DurableFolder::open(folder).map(Content::Durable);
        }
        Ok(Content::Constant(vec![b'x'; args.constant.unwrap_or(3_072)].into()))
    }

    #[expect(clippy::disallowed_methods, reason = "the least server changes no thread")]
    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let Content::Durable(folder) = self else { return self.find_answer(request.uri().path()) };
        let Ok(body) = request.into_body().collect().await else {
            return failed();
        };
        let body = body.to_bytes();
        // The thread of the request writes: the answer waits for no other thread.
        match tokio::task::block_in_place(|| folder.write_next(&body)) {
            Ok(()) => Response::new(Full::new(body)),
            Err(_) => failed(),
        }
    }

    fn find_answer(&self, path: &str) -> Response<Full<Bytes>> {
        match self {
            Content::Durable(_) => failed(),
            Content::Constant(body) => Response::new(Full::new(body.clone())),
            Content::Resident { headers, bodies } => {
                let ordinal = path.get(1..).and_then(|ordinal| ordinal.parse::<usize>().ok());
                let body = ordinal.and_then(|ordinal| bodies.get(ordinal));
                let mut response = Response::new(Full::new(body.cloned().unwrap_or_default()));
                *response.headers_mut() = headers.clone();
                response
            }
            Content::Values(values) => {
                let list = serde_json::to_vec(values).unwrap_or_default();
                Response::new(Full::new(list.into()))
            }
        }
    }
}

fn failed() -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}

/// Serves until it is stopped. Prints the address once it listens.
pub(crate) fn run(args: &CeilingArgs) -> Result<(), BenchError> {
    let content = Arc::new(Content::load(args)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(args.workers.max(1))
        .enable_all()
        .build()
        .map_err(BenchError::Io)?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(args.listen).await.map_err(BenchError::Io)?;
        let address = listener.local_addr().map_err(BenchError::Io)?;
        println!("http://{address}");
        // Accepting runs on a worker too, so that one worker means one core.
        let serving = tokio::spawn(serve(listener, content));
        let mut stopped = pin!(tokio::signal::ctrl_c());
        let _ = stopped.as_mut().await;
        serving.abort();
        Ok(())
    })
}

/// Accepts connections forever.
async fn serve(listener: tokio::net::TcpListener, content: Arc<Content>) {
    loop {
        if let Ok((stream, _)) = listener.accept().await
            && stream.set_nodelay(true).is_ok()
        {
            tokio::spawn(serve_connection(stream, Arc::clone(&content)));
        }
    }
}

fn serve_connection(
    stream: tokio::net::TcpStream,
    content: Arc<Content>,
) -> impl Future<Output = ()> {
    let service = service_fn(move |request: Request<Incoming>| {
        let content = Arc::clone(&content);
        async move { Ok::<_, Infallible>(content.answer(request).await) }
    });
    let connection =
        hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    async move {
        // A client that disconnects is no error.
        let _ = connection.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Load;
    use crate::load::Order;
    use crate::load::RequestSet;
    use crate::load::Until;
    use crate::wire::Client;

    #[test]
    fn bodies_survive_their_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bodies");
        let bodies = Bodies {
            headers: vec![("etag".into(), "\"x\"".into())],
            bodies: vec![b"{}\n".to_vec(), Vec::new(), b"[1]".to_vec()],
        };
        bodies.save(&path).expect("written");
        let back = Bodies::load(&path).expect("read");
        assert_eq!((back.headers, back.bodies), (bodies.headers, bodies.bodies));
    }

    #[test]
    fn the_load_generator_drives_a_ceiling() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let mut headers = HeaderMap::new();
        headers.insert("etag", HeaderValue::from_static("\"x\""));
        let bodies = vec![Bytes::from("one"), Bytes::from(vec![b'2'; 300_000])];
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.expect("a port");
        let address = listener.local_addr().expect("an address");
        runtime.spawn(serve(listener, Arc::new(Content::Resident { headers, bodies })));

        let answer = Client::connect(address).expect("connected").get("/0").expect("an answer");
        assert_eq!((answer.status, answer.body), (200, b"one".to_vec()));
        assert!(answer.headers.contains(&("etag".into(), "\"x\"".into())));

        let requests = RequestSet::new(address, ["/0", "/1"], None, Order::Once);
        let mut load = Load::connect(address, 4).expect("connected");
        let report = load.drive(requests.into(), Until::Answered(100));
        assert_eq!((report.answers, report.errors), (100, 0));
        assert_eq!(report.body_bytes, 50 * 300_003);
    }
}
