//! Users of the command line and of the API: passwords on standard input, and sessions.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use crate::support::command_line::Ran;
use crate::support::command_line::Server;
use crate::support::command_line::command;
use crate::support::command_line::json;

/// Runs a command that reads a password from standard input.
pub(crate) fn run_with(root: &Path, password: &str, arguments: &[&str]) -> Ran {
    let arguments = [arguments, &["--password-stdin"]].concat();
    let mut command = command(root, &arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may have refused before it read.
    let _ = child.stdin.take().unwrap().write_all(password.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

pub(crate) fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// The status of a login, and the cookie that it gives.
pub(crate) fn login(server: &Server, username: &str, password: &str) -> (String, String) {
    let body = json!({ "username": username, "password": password }).to_string();
    let answer = server.ask(&format!(
        "POST /admin/api/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    ));
    let cookie = answer.lines().find_map(|it| it.strip_prefix("set-cookie: ")).unwrap_or_default();
    (status(&answer).to_string(), cookie.split(';').next().unwrap_or_default().to_string())
}

/// Somebody who is logged in.
pub(crate) struct Session<'s> {
    server: &'s Server,
    pub(crate) cookie: String,
    csrf: String,
}

impl<'s> Session<'s> {
    pub(crate) fn of(server: &'s Server, username: &str, password: &str) -> Session<'s> {
        let (status, cookie) = login(server, username, password);
        assert_eq!(status, "200");
        let mut session = Session { server, cookie, csrf: String::new() };
        let me = session.ask("GET", "me", &json!({}));
        let (_, body) = me.split_once("\r\n\r\n").unwrap();
        session.csrf = json(body)["data"]["csrf_token"].as_str().unwrap().to_string();
        session
    }

    /// The answer of the admin API.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &serde_json::Value) -> String {
        let body = body.to_string();
        self.server.ask(&(self.head(method, path, "application/json", body.len()) + &body))
    }

    /// The head of a request to the admin API whose body has this type and length.
    pub(crate) fn head(&self, method: &str, path: &str, kind: &str, length: usize) -> String {
        let (cookie, csrf) = (&self.cookie, &self.csrf);
        format!(
            "{method} /admin/api/{path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
             cookie: {cookie}\r\nx-csrf-token: {csrf}\r\ncontent-type: {kind}\r\n\
             content-length: {length}\r\n\r\n"
        )
    }
}
