//! `recto mcp`: passes messages of the Model Context Protocol between standard input and output and
//! a server, or a folder that no server serves.

use std::io;
use std::io::BufRead;
use std::io::Read;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use serde_json::Value;
use serde_json::json;

use crate::cli::error::CommandError;
use crate::cli::mcp_server::McpServer;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::http::api::mcp::protocol::METHOD_HEADER;
use crate::http::api::mcp::protocol::NAME_HEADER;
use crate::http::api::mcp::protocol::VERSION_HEADER;
use crate::http::api::mcp::protocol::VERSION_KEY;
use crate::http::request::route::JSON_BYTES_MAX;

/// The longest message in bytes; servers take no longer ones.
const LINE_BYTES_MAX: u64 = JSON_BYTES_MAX;

/// The code of JSON-RPC for a failure that is not the client's.
const INTERNAL_ERROR: i32 = -32603;

/// Arguments of `recto mcp`.
#[derive(Debug, clap::Args)]
pub(super) struct McpArgs {
    /// The address of the server
    #[arg(long, env = "RECTO_URL", value_name = "URL", default_value = "http://localhost:8080")]
    url: String,
    /// Work on a data folder that no server serves, instead
    #[arg(long, value_name = "DIR", conflicts_with = "url")]
    data: Option<PathBuf>,
    /// The API token; in the environment, other users of this machine do not see it
    #[arg(long, env = "RECTO_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    token: String,
}

/// Answers the messages on standard input until it ends.
pub(super) fn run(args: McpArgs) -> Result<(), CommandError> {
    let McpArgs { url, data, token } = args;
    let mut bearer = HeaderValue::try_from(format!("Bearer {token}"))
        .map_err(|_| CommandError::usage("the token has characters that no token has"))?;
    bearer.set_sensitive(true);
    let server = match data {
        Some(folder) => McpServer::open_folder(folder)?,
        None => McpServer::at_url(&url)?,
    };
    let answered = answer_lines(&server, &bearer, io::stdin().lock());
    server.close();
    answered
}

fn answer_lines(
    server: &McpServer,
    bearer: &HeaderValue,
    mut input: impl BufRead,
) -> Result<(), CommandError> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input).take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut line);
        read.map_err(|error| CommandError::failed(format!("cannot read the input: {error}")))?;
        if line.is_empty() {
            return Ok(());
        }
        if line.len() as u64 > LINE_BYTES_MAX {
            let message = format!("a message has more than {LINE_BYTES_MAX} bytes");
            return Err(CommandError::failed(message));
        }
        let text = line.trim_ascii();
        if !text.is_empty()
            && let Some(answer) = answer_line(server, bearer, text)
        {
            print_text(&format!("{answer}\n"))?;
        }
    }
}

/// Returns the answer to a message, if it has one.
fn answer_line(server: &McpServer, bearer: &HeaderValue, line: &[u8]) -> Option<String> {
    // What is no JSON is left to the server, which says so.
    let message: Value = serde_json::from_slice(line).unwrap_or_default();
    let headers = build_headers(&message, bearer);
    let failure = match server.post(headers, Bytes::copy_from_slice(line)) {
        Ok((StatusCode::ACCEPTED, _)) => return None,
        Ok((status, body)) => match serde_json::from_slice::<Value>(&body) {
            Ok(answer) if answer.get("jsonrpc").is_some() => {
                return String::from_utf8(body.to_vec()).ok();
            }
            Ok(answer) => match answer["error"]["message"].as_str() {
                Some(message) => message.to_string(),
                None => format!("The server answered with the status {status}."),
            },
            Err(_) => format!("The server answered with the status {status}."),
        },
        Err(failure) => failure,
    };
    let Some(id) = message.get("id") else {
        print_note(&format!("recto: {failure}"));
        return None;
    };
    let error = json!({ "code": INTERNAL_ERROR, "message": failure });
    Some(json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string())
}

/// Builds the header fields of a message. They repeat what the message says of itself.
fn build_headers(message: &Value, bearer: &HeaderValue) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::AUTHORIZATION, bearer.clone());
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let accepted = HeaderValue::from_static("application/json, text/event-stream");
    headers.insert(header::ACCEPT, accepted);
    let params = &message["params"];
    let Some(version) = params["_meta"][VERSION_KEY].as_str() else { return headers };
    let name = params["name"].as_str().or_else(|| params["uri"].as_str());
    let fields = [
        (VERSION_HEADER, Some(version)),
        (METHOD_HEADER, message["method"].as_str()),
        (NAME_HEADER, name),
    ];
    for (field, text) in fields {
        if let Some(value) = text.and_then(encode_field) {
            headers.insert(HeaderName::from_static(field), value);
        }
    }
    headers
}

/// Returns a text as the value of a field: as it is, or encoded where it cannot be.
fn encode_field(text: &str) -> Option<HeaderValue> {
    let is_plain = text.bytes().all(|it| matches!(it, b' '..=b'~'))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    let text = match is_plain {
        true => text.to_string(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    };
    HeaderValue::try_from(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_repeat_the_message() {
        let check = |message: Value, expect: &[&str]| {
            let bearer = HeaderValue::from_static("Bearer t");
            let headers = build_headers(&message, &bearer);
            let fields = ["mcp-protocol-version", "mcp-method", "mcp-name"];
            let found: Vec<&str> = fields
                .iter()
                .filter_map(|it| headers.get(*it))
                .map(|it| it.to_str().unwrap())
                .collect();
            assert_eq!(found, expect, "{message}");
        };
        let meta = json!({ VERSION_KEY: "2026-07-28" });
        let call = |name: &str| {
            let params = json!({ "name": name, "_meta": meta });
            json!({ "id": 1, "method": "tools/call", "params": params })
        };
        check(json!({ "method": "initialize" }), &[]);
        check(Value::Null, &[]);
        check(call("search"), &["2026-07-28", "tools/call", "search"]);
        check(call("größe"), &["2026-07-28", "tools/call", "=?base64?Z3LDtsOfZQ==?="]);
        check(call("a\r\nb: c"), &["2026-07-28", "tools/call", "=?base64?YQ0KYjogYw==?="]);
        let uri = json!({ "uri": "recto://a/b", "_meta": meta });
        let read = json!({ "method": "resources/read", "params": uri });
        check(read, &["2026-07-28", "resources/read", "recto://a/b"]);
    }
}
