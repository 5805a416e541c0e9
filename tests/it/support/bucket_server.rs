//! A server of buckets on this machine, as far as backups need one. It checks every signature with
//! an implementation of its own, and can fail.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Write;
use std::net::SocketAddr;
use std::net::TcpListener;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::Mutex;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use sha2::Digest;
use sha2::Sha256;

pub(crate) const ACCESS_KEY: &str = "AKIDRECTOTEST";
pub(crate) const SECRET_KEY: &str = "a/Secret+Key=of%Tests";
pub(crate) const REGION: &str = "eu-test-1";
pub(crate) const BUCKET: &str = "site-backups";

const CHECKSUM: &str = "x-amz-checksum-sha256";

/// The objects on a page of a list: few, so that lists have several.
const PAGE_OBJECTS: usize = 3;

/// What happens to a request instead of what should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mishap {
    /// It is answered as it should be.
    None,
    /// It is answered with this status, and nothing is done.
    Status(u16),
    /// It is never answered.
    Silence,
    /// A server that knows nothing of checksums stores other bytes than it was sent.
    Corruption,
}

type Mishaps = Box<dyn FnMut(&str, &str) -> Mishap + Send>;

pub(crate) type Objects = BTreeMap<String, Vec<u8>>;

struct BucketState {
    objects: Objects,
    requests: Vec<String>,
    mishaps: Mishaps,
    knows_checksums: bool,
}

/// A server of one bucket.
pub(crate) struct BucketServer {
    address: SocketAddr,
    state: Arc<Mutex<BucketState>>,
}

impl BucketServer {
    pub(crate) fn start() -> BucketServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(BucketState {
            objects: BTreeMap::new(),
            requests: Vec::new(),
            mishaps: Box::new(|_, _| Mishap::None),
            knows_checksums: true,
        }));
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = shared.clone();
                std::thread::spawn(move || serve(stream.unwrap(), &shared));
            }
        });
        BucketServer { address, state }
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Decides by method and name of the object what happens to requests from now on.
    pub(crate) fn fail(&self, mishaps: impl FnMut(&str, &str) -> Mishap + Send + 'static) {
        self.state.lock().unwrap().mishaps = Box::new(mishaps);
    }

    /// Makes it a server that ignores checksums.
    pub(crate) fn forget_checksums(&self) {
        self.state.lock().unwrap().knows_checksums = false;
    }

    pub(crate) fn objects(&self) -> Objects {
        self.state.lock().unwrap().objects.clone()
    }

    pub(crate) fn replace_objects(&self, objects: Objects) {
        self.state.lock().unwrap().objects = objects;
    }

    /// The requests since the last call, as `PUT name`.
    pub(crate) fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().unwrap().requests)
    }
}

struct Request {
    method: String,
    path: String,
    /// The pairs of the query, as they were sent.
    query: Vec<(String, String)>,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn new(status: u16, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status, headers: Vec::new(), body: body.into() }
    }

    fn error(status: u16, code: &str) -> Answer {
        Answer::new(status, format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code></Error>"))
    }
}

fn serve(stream: TcpStream, state: &Mutex<BucketState>) {
    let mut reader = BufReader::new(stream);
    let Some(request) = read_request(&mut reader) else { return };
    let Some(answer) = answer(&request, state) else {
        // Until the client has had enough.
        let _ = reader.read_to_end(&mut Vec::new());
        return;
    };
    let mut head = format!("HTTP/1.1 {} Answer\r\nconnection: close\r\n", answer.status);
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {}\r\n\r\n", answer.body.len()));
    let _ = reader.get_mut().write_all(&[head.as_bytes(), &answer.body].concat());
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_string(), words.next()?.to_string());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_string());
    }
    let length = headers.get("content-length").map_or(0, |it| it.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let pair = |it: &str| {
        let (name, value) = it.split_once('=').unwrap_or((it, ""));
        (name.to_string(), value.to_string())
    };
    let query = query.split('&').filter(|it| !it.is_empty()).map(pair).collect();
    Some(Request { method, path: path.to_string(), query, headers, body })
}

/// Returns nothing if the request is never answered.
fn answer(request: &Request, state: &Mutex<BucketState>) -> Option<Answer> {
    let mut state = state.lock().unwrap();
    let name = request.path.strip_prefix(&format!("/{BUCKET}/"));
    let name = name.map(decode);
    state.requests.push(format!("{} {}", request.method, name.as_deref().unwrap_or_default()));
    let mishap = (state.mishaps)(&request.method, name.as_deref().unwrap_or_default());
    match mishap {
        Mishap::Silence => return None,
        Mishap::Status(status) => return Some(Answer::error(status, "SlowDown")),
        Mishap::None | Mishap::Corruption => {}
    }
    if let Err(code) = check_signature(request) {
        return Some(Answer::error(403, code));
    }
    let Some(name) = name else { return Some(Answer::error(404, "NoSuchBucket")) };
    Some(match (request.method.as_str(), name.as_str()) {
        ("GET", "") => list(request, &state.objects),
        ("GET", name) => match state.objects.get(name) {
            Some(bytes) => Answer::new(200, bytes.clone()),
            None => Answer::error(404, "NoSuchKey"),
        },
        ("PUT", name) => put(request, name, mishap, &mut state),
        ("DELETE", name) => {
            state.objects.remove(name);
            Answer::new(204, "")
        }
        _ => Answer::error(405, "MethodNotAllowed"),
    })
}

fn put(request: &Request, name: &str, mishap: Mishap, state: &mut BucketState) -> Answer {
    let mut bytes = request.body.clone();
    if mishap == Mishap::Corruption {
        bytes[0] ^= 1;
        state.objects.insert(name.to_string(), bytes);
        return Answer::new(200, "");
    }
    let mut answer = Answer::new(200, "");
    if state.knows_checksums {
        let sum = STANDARD.encode(Sha256::digest(&bytes));
        if request.headers.get(CHECKSUM) != Some(&sum) {
            return Answer::error(400, "BadDigest");
        }
        answer.headers.push((CHECKSUM, sum));
    }
    state.objects.insert(name.to_string(), bytes);
    answer
}

fn list(request: &Request, objects: &Objects) -> Answer {
    let value = |name: &str| {
        request.query.iter().find(|it| it.0 == name).map(|it| decode(&it.1)).unwrap_or_default()
    };
    assert_eq!(value("list-type"), "2");
    let (prefix, after) = (value("prefix"), value("continuation-token"));
    let after = after.trim_start_matches("after:&").to_string();
    let mut left = objects.iter().filter(|it| it.0.starts_with(&prefix) && *it.0 > after);
    let page: Vec<_> = left.by_ref().take(PAGE_OBJECTS).collect();
    let is_truncated = left.next().is_some();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.\
         com/doc/2006-03-01/\"><Name>{BUCKET}</Name><IsTruncated>{is_truncated}</IsTruncated>"
    );
    for (name, bytes) in &page {
        xml.push_str(&format!(
            "<Contents><Key>{name}</Key><ETag>&quot;x&quot;</ETag><Size>{}</Size></Contents>",
            bytes.len()
        ));
    }
    if let (true, Some((last, _))) = (is_truncated, page.last()) {
        let token = format!("<NextContinuationToken>after:&amp;{last}</NextContinuationToken>");
        xml.push_str(&token);
    }
    Answer::new(200, xml + "</ListBucketResult>")
}

fn decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned()
}

/// Checks the signature of an address, version 4.
fn check_signature(request: &Request) -> Result<(), &'static str> {
    let value = |name: &str| request.query.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
    let credential = decode(value("X-Amz-Credential").ok_or("AccessDenied")?);
    let date = value("X-Amz-Date").ok_or("AccessDenied")?;
    let day = date.get(..8).ok_or("AccessDenied")?;
    if credential != format!("{ACCESS_KEY}/{day}/{REGION}/s3/aws4_request") {
        return Err("InvalidAccessKeyId");
    }
    let signed = decode(value("X-Amz-SignedHeaders").ok_or("AccessDenied")?);
    let mut query: Vec<String> = request
        .query
        .iter()
        .filter(|it| it.0 != "X-Amz-Signature")
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    query.sort();
    let mut canonical = format!("{}\n{}\n{}\n", request.method, request.path, query.join("&"));
    for name in signed.split(';') {
        let value = request.headers.get(name).ok_or("SignatureDoesNotMatch")?;
        canonical.push_str(&format!("{name}:{value}\n"));
    }
    // What a client says of the bytes it sends must be part of what it signs.
    if request.headers.contains_key(CHECKSUM) && !signed.split(';').any(|it| it == CHECKSUM) {
        return Err("AccessDenied");
    }
    canonical.push_str(&format!("\n{signed}\nUNSIGNED-PAYLOAD"));
    let sum = hex(&Sha256::digest(canonical.as_bytes()));
    let text = format!("AWS4-HMAC-SHA256\n{date}\n{day}/{REGION}/s3/aws4_request\n{sum}");
    let mut key = format!("AWS4{SECRET_KEY}").into_bytes();
    for step in [day, REGION, "s3", "aws4_request"] {
        key = mac(&key, step.as_bytes());
    }
    let is_right = value("X-Amz-Signature") == Some(&hex(&mac(&key, text.as_bytes())));
    if is_right { Ok(()) } else { Err("SignatureDoesNotMatch") }
}

fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text).as_ref().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
