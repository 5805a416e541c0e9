//! A server in a process of its own that can be killed, and connections to it.

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

use serde_json::Value;

/// A folder to serve, with a type to write entries of, and a token that may.
pub(crate) struct Place {
    /// Where the server's output goes, and the data folder unless it is elsewhere.
    pub(crate) working_folder: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) token: String,
}

impl Place {
    pub(crate) fn make(working_folder: &Path, data: &Path) -> Place {
        let (working_folder, data) = (working_folder.to_path_buf(), data.to_path_buf());
        let place = Place { working_folder, data, token: String::new() };
        place.run_well(&["init", place.data.to_str().unwrap(), "--empty"]);
        let workspace = place.data.join("workspaces/default");
        let schema = r#"{"fields": {"n": {"type": "number"}, "body": {"type": "textarea"}}}"#;
        fs::create_dir_all(workspace.join("schemas")).unwrap();
        fs::write(workspace.join("schemas/posts.json"), schema).unwrap();
        // Written behind the back of whoever is tested, and no part of what is promised.
        for place in ["schemas/posts.json", "schemas", ""] {
            fs::File::open(workspace.join(place)).unwrap().sync_all().unwrap();
        }
        let create = ["token", "create", "--name", "Writers", "--grant", "*@*"];
        let data = ["--data", place.data.to_str().unwrap()];
        let token = place.run_well(&[&create[..], &data[..]].concat());
        Place { token: token.trim().to_string(), ..place }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recto"));
        command.args(arguments).current_dir(&self.working_folder).stdin(Stdio::null());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RECTO_")) {
            command.env_remove(name);
        }
        command
    }

    /// What the program prints, which must end well.
    pub(crate) fn run_well(&self, arguments: &[&str]) -> String {
        let ran = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(ran.stdout), text(ran.stderr));
        assert!(ran.status.success(), "{arguments:?}: {out}{err}");
        out
    }

    /// What the last server logged.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.working_folder.join("log")).unwrap()
    }

    /// What `recto check` finds, if it finds anything.
    pub(crate) fn check(&self) {
        self.run_well(&["check", self.data.to_str().unwrap()]);
    }
}

/// A running server.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    /// Starts a server and kills it at once, whatever it is doing.
    pub(crate) fn start_and_kill(place: &Place) {
        drop(Server { child: Server::spawn(place), address: String::new() });
    }

    /// Starts it on a free port and waits until it says that it is ready.
    pub(crate) fn start(place: &Place) -> Server {
        let mut child = Server::spawn(place);
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        let address = ready.split_once("http://").map(|(_, rest)| rest.split([' ', '/']).next());
        let Some(Some(address)) = address else {
            panic!("the server did not start: {ready}\n{}", place.log());
        };
        Server { address: address.to_string(), child }
    }

    pub(crate) fn spawn(place: &Place) -> Child {
        let log = fs::File::create(place.working_folder.join("log")).unwrap();
        let data = place.data.to_str().unwrap();
        let mut command = place.command(&["serve", "--listen", "127.0.0.1:0", "--data", data]);
        command.stdout(Stdio::piped()).stderr(log).spawn().unwrap()
    }

    /// The number of bytes that it has read from files and sockets, and had the system send.
    #[cfg(target_os = "linux")]
    pub(crate) fn count_read_bytes(&self) -> u64 {
        let counts = std::fs::read_to_string(format!("/proc/{}/io", self.child.id())).unwrap();
        let line = counts.lines().find_map(|it| it.strip_prefix("rchar: "));
        line.unwrap().parse().unwrap()
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn count_read_bytes(&self) -> u64 {
        0
    }

    /// The number of unfinished files that it has open although their names are gone.
    #[cfg(target_os = "linux")]
    pub(crate) fn count_private_files(&self) -> usize {
        let files = std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap();
        let paths = files.filter_map(|it| std::fs::read_link(it.ok()?.path()).ok());
        let names: Vec<String> = paths.map(|it| it.display().to_string()).collect();
        let is_private = |it: &&String| it.contains("/.recto/tmp/") && it.ends_with(" (deleted)");
        names.iter().filter(is_private).count()
    }

    /// SIGKILL: it does not learn of it.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail when it has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the server says to a request.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The `ETag`, if there is one.
    pub(crate) tag: String,
    pub(crate) body: Value,
    /// Whether the server closes the connection.
    pub(crate) is_last: bool,
}

/// One connection, kept open.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    token: String,
}

impl Connection {
    pub(crate) fn open(address: &str, token: &str) -> io::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream), token: token.to_string() })
    }

    pub(crate) fn try_ask(
        &mut self,
        method: &str,
        path: &str,
        body: &Value,
    ) -> io::Result<(u16, Value)> {
        let reply = self.exchange(method, path, "", body)?;
        Ok((reply.status, reply.body))
    }

    /// One request, with `If-Match` unless `tag` is empty, and its answer.
    pub(crate) fn exchange(
        &mut self,
        method: &str,
        path: &str,
        tag: &str,
        body: &Value,
    ) -> io::Result<Reply> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let tag = if tag.is_empty() { String::new() } else { format!("if-match: {tag}\r\n") };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n{tag}\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len(),
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let status = self.line()?.split(' ').nth(1).and_then(|it| it.parse().ok());
        let status = status.ok_or(io::ErrorKind::InvalidData)?;
        let (mut body, mut tag, mut is_last) = (Vec::new(), String::new(), false);
        let mut is_chunked = false;
        loop {
            let header = self.line()?.to_ascii_lowercase();
            match header.split_once(": ") {
                Some(("content-length", length)) => {
                    body.resize(length.parse().map_err(io::Error::other)?, 0);
                }
                Some(("transfer-encoding", _)) => is_chunked = true,
                Some(("etag", sent)) => tag = sent.to_string(),
                Some(("connection", told)) => is_last = told == "close",
                Some(_) => {}
                None => break,
            }
        }
        if is_chunked {
            body = self.chunks()?;
        } else {
            self.stream.read_exact(&mut body)?;
        }
        let body = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body)? };
        Ok(Reply { status, tag, body, is_last })
    }

    /// Sends a request as it is, and returns everything until the connection ends.
    pub(crate) fn raw(&mut self, request: &str) -> String {
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).unwrap();
        answer
    }

    pub(crate) fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16).map_err(io::Error::other)?;
            let begin = body.len();
            body.resize(begin + length, 0);
            self.stream.read_exact(&mut body[begin..])?;
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }

    pub(crate) fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_string())
    }
}
