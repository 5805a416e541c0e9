//! A server of a cluster in a process of its own, and requests to it.

use std::fs;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::path::PathBuf;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::support::server_process::Place;

/// A server.
pub(crate) struct Node {
    folder: PathBuf,
    number: usize,
    store: String,
    child: Child,
    pub(crate) address: String,
}

impl Node {
    /// Copies a folder with one content type into a database, and returns a token that may do
    /// everything.
    pub(crate) fn prepare(folder: &Path, store: &str) -> String {
        let data = folder.join("source");
        let place = Place::make(folder, &data);
        place.run_well(&["copy", data.to_str().unwrap(), store]);
        place.token
    }

    /// Starts a server on a free port and waits until it says that it is ready.
    pub(crate) fn start(folder: &Path, number: usize, store: &str) -> Node {
        let (child, address) = spawn(folder, number, store, "127.0.0.1:0");
        Node { folder: folder.to_path_buf(), number, store: store.to_string(), child, address }
    }

    /// Kills the server and starts it again at its address.
    pub(crate) fn restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let (child, _) = spawn(&self.folder, self.number, &self.store, &self.address);
        self.child = child;
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // Both fail when it has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(folder: &Path, number: usize, store: &str, listen: &str) -> (Child, String) {
    let log_path = folder.join(format!("log-{number}"));
    let log = fs::File::options().create(true).append(true).open(&log_path).unwrap();
    let data = folder.join(format!("node-{number}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_recto"));
    command.args(["serve", "--listen", listen, "--base-url", "http://cms.test"]);
    command.arg("--data").arg(&data).current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RECTO_")) {
        command.env_remove(name);
    }
    command.env("RECTO_STORE", store).stdout(Stdio::piped()).stderr(log);
    let mut child = command.spawn().unwrap();
    let mut ready = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    let address = ready.split_once(" at http://").map(|(_, rest)| rest);
    let address = address.and_then(|it| it.split([' ', '/']).next());
    let Some(address) = address.map(str::to_string) else {
        panic!("the server did not start: {ready}\n{}", fs::read_to_string(log_path).unwrap());
    };
    (child, address)
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) tag: String,
    /// The commit that the change became, or up to which the server knows.
    pub(crate) position: u64,
    pub(crate) body: Value,
}

/// One request on a connection of its own.
pub(crate) fn ask(
    address: &str,
    token: &str,
    method: &str,
    path: &str,
    headers: &[(&str, String)],
    body: &Value,
) -> io::Result<Reply> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let extra: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         {extra}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len(),
    );
    (&stream).write_all(request.as_bytes())?;
    let mut text = Vec::new();
    BufReader::new(&stream).read_to_end(&mut text)?;
    parse_reply(&text).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn parse_reply(text: &[u8]) -> Option<Reply> {
    let end = text.windows(4).position(|it| it == b"\r\n\r\n")?;
    let (head, body) = (str::from_utf8(text.get(..end)?).ok()?, text.get(end + 4..)?);
    let field = |name: &str| {
        let mut lines = head.lines().filter_map(|it| it.split_once(": "));
        lines.find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_string())
    };
    let is_chunked = field("transfer-encoding").is_some();
    let body = if is_chunked { join_chunks(body)? } else { body.to_vec() };
    Some(Reply {
        status: head.split(' ').nth(1)?.parse().ok()?,
        tag: field("etag").unwrap_or_default(),
        position: field("recto-position").and_then(|it| it.parse().ok()).unwrap_or_default(),
        body: if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).ok()? },
    })
}

fn join_chunks(mut text: &[u8]) -> Option<Vec<u8>> {
    let mut joined = Vec::new();
    loop {
        let end = text.windows(2).position(|it| it == b"\r\n")?;
        let length = usize::from_str_radix(str::from_utf8(text.get(..end)?).ok()?, 16).ok()?;
        joined.extend_from_slice(text.get(end + 2..end + 2 + length)?);
        text = text.get(end + 4 + length..)?;
        if length == 0 {
            return Some(joined);
        }
    }
}
