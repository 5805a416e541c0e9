//! The binary as a process: its output, and a server that it runs.

use std::fs;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::process::ChildStdout;
use std::process::Command;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

/// What a run of the binary came to.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn command(working_folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recto"));
    command.args(arguments).current_dir(working_folder).stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RECTO_")) {
        command.env_remove(name);
    }
    command
}

pub(crate) fn run(working_folder: &Path, arguments: &[&str]) -> Ran {
    let output = command(working_folder, arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

pub(crate) fn run_well(working_folder: &Path, arguments: &[&str]) -> String {
    let ran = run(working_folder, arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A working folder with the sample content in `data`.
pub(crate) fn with_samples() -> TempDir {
    let folder = folder();
    run_well(folder.path(), &["init", "data"]);
    folder
}

/// A working folder with a data folder of one type.
pub(crate) fn with_posts(entries: &[(&str, &str)]) -> TempDir {
    let folder = folder();
    run_well(folder.path(), &["init", "data", "--empty"]);
    let workspace = folder.path().join("data/workspaces/default");
    let schema = r#"{"fields":{"body":{"type":"text","required":true},"n":{"type":"number"}}}"#;
    fs::write(workspace.join("schemas/posts.json"), schema).unwrap();
    fs::create_dir(workspace.join("content/posts")).unwrap();
    for (name, text) in entries {
        fs::write(workspace.join("content/posts").join(name), text).unwrap();
    }
    folder
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Every file below a folder, by path, with its bytes; what is of the server's runtime left out.
pub(crate) fn tree(root: &Path) -> Vec<(String, Vec<u8>)> {
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().map(Result::unwrap);
    files
        .filter(|it| it.file_type().is_file())
        .map(|it| {
            let path = it.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            (path, fs::read(it.path()).unwrap())
        })
        .filter(|(path, _)| !path.starts_with(".recto/"))
        .collect()
}

/// A server that ends with the test.
pub(crate) struct Server {
    pub(crate) child: Child,
    out: BufReader<ChildStdout>,
    pub(crate) ready: String,
}

impl Server {
    /// Starts it on a free port and waits for the line that says it is ready.
    pub(crate) fn start(working_folder: &Path, arguments: &[&str]) -> Server {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        let mut command = command(working_folder, &arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut ready = String::new();
        out.read_line(&mut ready).unwrap();
        Server { child, out, ready }
    }

    /// The answer to a request, head and body.
    pub(crate) fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"))
    }

    /// The answer to a request that stands there as it is sent, and ends the connection.
    pub(crate) fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// A connection to it.
    pub(crate) fn connect(&self) -> TcpStream {
        let (_, rest) = self.ready.split_once("http://").unwrap();
        TcpStream::connect(rest.split([' ', '/']).next().unwrap()).unwrap()
    }

    /// Asks it to stop; exit code, the rest of its output, and what it logged.
    #[cfg(unix)]
    pub(crate) fn stop(mut self) -> Ran {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        Ran { code: self.child.wait().unwrap().code().unwrap(), out, err }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail when it has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
