//! Two sides of `recto pull` and `recto push`: a data folder, and a server with another one.

use std::fs;
use std::io;
use std::io::Read;
use std::io::Write;
use std::net::Shutdown;
use std::net::TcpListener;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::command_line::Ran;
use crate::support::command_line::json;
use crate::support::command_line::tree;
use crate::support::server_process::Connection;
use crate::support::server_process::Place;
use crate::support::server_process::Server;

pub(crate) const WORKSPACE: &str = "workspaces/default";

pub(crate) const A: &str = "content/posts/a1.json";
pub(crate) const B: &str = "content/posts/b1.json";

pub(crate) const TEXTS: &str = r#"{"locales":["en","de"],"fields":{"text":{"type":"html"},
    "other":{"type":"relation","target":"posts"}}}"#;

/// Content of a server: two types, entries in several states, a media file.
pub(crate) fn content(of: &Place) {
    put(
        of,
        A,
        r#"{"title":"A","slug":"a","status":"published","created_at":"2025-01-01T00:00:00Z","data":{"n":1,"body":"one"}}"#,
    );
    put(of, B, r#"{"title":"B","slug":"b","data":{"n":2}}"#);
    put(of, "schemas/texts.json", TEXTS);
    let text = r#"{"title":"T","slug":"t","data":{"text":"<b>x</b>","other":"a1"},"translations":{"de":{"title":"Te","data":{"text":"y"}}}}"#;
    put(of, "content/texts/t1.json", text);
    put(of, "media/A note.txt", "one");
    put(of, "media-meta/A note.txt.json", r#"{"title":"A note","visibility":"private"}"#);
}

/// Both sides with the same content, pulled once.
pub(crate) fn in_common() -> Sides {
    let sides = Sides::start(content);
    sides.done(&["pull"]);
    sides
}

/// A folder here, and a running server there.
pub(crate) struct Sides {
    pub(crate) here: Place,
    pub(crate) there: Place,
    pub(crate) server: Server,
    _folders: [TempDir; 2],
}

impl Sides {
    /// Starts the server once `prepare` has put files into its folder.
    pub(crate) fn start(prepare: impl FnOnce(&Place)) -> Sides {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let make = |it: &TempDir| Place::make(it.path(), &it.path().join("data"));
        let (here, there) = (make(&folders[0]), make(&folders[1]));
        // Nothing in common but the type.
        prepare(&there);
        let server = Server::start(&there);
        Sides { here, there, server, _folders: folders }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.server.address)
    }

    pub(crate) fn token(&self, grants: &[&str]) -> String {
        let mut arguments = vec!["token", "create", "--name", "Other"];
        grants.iter().for_each(|it| arguments.extend(["--grant", it]));
        self.there.run_well(&[&arguments[..], &["--data", "data"]].concat()).trim().to_string()
    }

    pub(crate) fn command(&self, arguments: &[&str], url: &str, token: &str) -> Command {
        let mut command = self.here.command(arguments);
        command.args([url, "--data", "data"]).env("RECTO_TOKEN", token);
        command
    }

    /// Runs a command with the token that may everything.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_at(arguments, &self.url(), &self.there.token)
    }

    pub(crate) fn run_at(&self, arguments: &[&str], url: &str, token: &str) -> Ran {
        let output = self.command(arguments, url, token).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        let is_shown = token.len() > 20 && (out.contains(token) || err.contains(token));
        assert!(!is_shown, "the token is shown");
        Ran { code: output.status.code().unwrap(), out, err }
    }

    /// Runs a command that succeeds. Returns each file that it changed, as `+ path`.
    pub(crate) fn done(&self, arguments: &[&str]) -> Vec<String> {
        let ran = self.run(&[arguments, &["--yes", "--json"]].concat());
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
        files(&json(&ran.out))
    }

    /// Runs a command that finds conflicts. Returns each as `path field`.
    pub(crate) fn conflicts(&self, arguments: &[&str]) -> Vec<String> {
        let before = (snapshot(&self.here), snapshot(&self.there));
        let ran = self.run(&[arguments, &["--yes", "--json"]].concat());
        assert_eq!(ran.code, 1, "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(before == (snapshot(&self.here), snapshot(&self.there)), "something changed");
        let report = json(&ran.out);
        let conflicts = report["conflicts"].as_array().unwrap().iter();
        let text = |it: &Value, key: &str| it[key].as_str().unwrap().to_string();
        conflicts.map(|it| format!("{} {}", text(it, "path"), text(it, "field"))).collect()
    }

    /// Asks the server, with the token that may everything.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let mut connection = Connection::open(&self.server.address, &self.there.token).unwrap();
        let path = format!("/api/v1/workspaces/default/{path}");
        connection.try_ask(method, &path, body).unwrap()
    }
}

/// The changed files of a report, with a sign for what becomes of each.
pub(crate) fn files(report: &Value) -> Vec<String> {
    let sign = |it: &Value| match it["change"].as_str().unwrap() {
        "created" => '+',
        "removed" => '-',
        _ => '~',
    };
    let files = report["files"].as_array().unwrap().iter();
    files.map(|it| format!("{} {}", sign(it), it["path"].as_str().unwrap())).collect()
}

pub(crate) fn place(of: &Place, path: &str) -> PathBuf {
    of.data.join(WORKSPACE).join(path)
}

pub(crate) fn put(of: &Place, path: &str, content: impl AsRef<[u8]>) {
    let path = place(of, path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

pub(crate) fn get(of: &Place, path: &str) -> Value {
    let bytes = fs::read(place(of, path));
    bytes.map(|it| serde_json::from_slice(&it).unwrap()).unwrap_or_default()
}

/// The content of a folder, with changes of it that are not finished.
pub(crate) fn snapshot(of: &Place) -> Vec<(String, Vec<u8>)> {
    let mut files = tree(&of.data);
    files.retain(|(path, _)| path.starts_with("workspaces/") || path.starts_with("journal/"));
    files
}

/// What a proxy does before it passes a request on.
type Before = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// A proxy in front of a server, which calls `before` with the first line of each request. If that
/// is false, the request is not passed on and not answered. Returns its URL.
pub(crate) fn proxy(
    address: &str,
    before: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (address, before): (String, Before) = (address.to_string(), Arc::new(before));
    thread::spawn(move || {
        for client in listener.incoming() {
            let (address, before) = (address.clone(), before.clone());
            // A client that was killed ends its connection.
            thread::spawn(move || pass_on(client.unwrap(), &address, &before).is_ok());
        }
    });
    url
}

fn pass_on(mut client: TcpStream, address: &str, before: &Before) -> io::Result<()> {
    let mut begun = vec![0; 4096];
    let length = client.read(&mut begun)?;
    let text = String::from_utf8_lossy(&begun[..length]).into_owned();
    if !before(text.lines().next().unwrap_or_default()) {
        client.read_to_end(&mut Vec::new())?;
        return Ok(());
    }
    let mut server = TcpStream::connect(address)?;
    server.write_all(&begun[..length])?;
    let (mut from, mut to) = (client.try_clone()?, server.try_clone()?);
    let sending = thread::spawn(move || io::copy(&mut from, &mut to));
    io::copy(&mut server, &mut client)?;
    client.shutdown(Shutdown::Both)?;
    let _ = sending.join();
    Ok(())
}
