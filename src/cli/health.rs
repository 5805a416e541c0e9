//! `recto health`: asks a server whether requests should be sent to it, for containers and scripts
//! that have no other client.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http::Method;
use http::StatusCode;
use serde_json::Value;

use crate::cli::config::Flags;
use crate::cli::config::LoadedConfig;
use crate::cli::error::CommandError;
use crate::cli::serve;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_text;
use crate::net::http_client::Outgoing;
use crate::net::http_client::OutgoingLimits;
use crate::net::http_client::OutgoingPolicy;
use crate::net::http_client::OutgoingRequest;
use crate::stdx::web_url::WebUrl;

/// The route that answers.
const PATH: &str = "/readyz";

const LIMITS: OutgoingLimits =
    OutgoingLimits { timeout: Duration::from_secs(5), body_bytes_max: 64 * 1024 };

/// Arguments of `recto health`.
#[derive(Debug, clap::Args)]
pub(super) struct HealthArgs {
    /// The address of the server; the configured one on this machine, unless given
    #[arg(long, env = "RECTO_URL", value_name = "URL")]
    url: Option<String>,
    #[command(flatten)]
    flags: Flags,
}

/// Prints that the server is ready. Fails with the reason if it is not.
pub(super) fn run(args: &HealthArgs) -> Result<(), CommandError> {
    let url = match &args.url {
        Some(url) => url.clone(),
        None => {
            let config = LoadedConfig::load_process(&args.flags)?.config;
            serve::local_url(config.listen, &config.resolve_base_url(config.public_address()))
        }
    };
    WebUrl::parse(&url).map_err(|why| CommandError::usage(format!("the URL `{url}`: {why}")))?;
    let url = url.trim_end_matches('/');
    let request = OutgoingRequest {
        method: Method::GET,
        url: format!("{url}{PATH}"),
        headers: HeaderMap::new(),
        body: Bytes::new(),
    };
    // The address comes from whoever runs the command, who may reach what this machine may.
    let client = Outgoing::new(OutgoingPolicy::new(true));
    let sent = serve::build_runtime(1)?.block_on(client.send(request, LIMITS));
    let answer =
        sent.map_err(|error| CommandError::failed(format!("{url} does not answer. {error}")))?;
    match describe_readiness(answer.status, &answer.body) {
        Ok(ready) => print_text(&format!("{url} is {ready}\n")),
        Err(reason) => Err(CommandError::failed(format!("{url} is not ready: {reason}"))),
    }
}

/// Describes what the server has loaded, which it tells only its own machine, or the reason why it
/// should get no requests.
fn describe_readiness(status: StatusCode, body: &[u8]) -> Result<String, String> {
    let readiness: Value = serde_json::from_slice(body).unwrap_or_default();
    if !readiness["ready"].is_boolean() {
        return Err(format!("it answers with the status {status}, like no Recto server"));
    }
    if readiness["ready"] == true {
        let count = |key: &str| readiness[key].as_u64().and_then(|it| usize::try_from(it).ok());
        let (Some(entries), Some(workspaces)) = (count("entries"), count("workspaces")) else {
            return Ok("ready".to_owned());
        };
        let entries = format_count(entries, "entry", "entries");
        let workspaces = format_count(workspaces, "workspace", "workspaces");
        return Ok(format!("ready: {entries} in {workspaces}"));
    }
    Err(match (&readiness["loaded"], &readiness["following"], &readiness["writable"]) {
        (Value::Bool(false), ..) => "content cannot be read; `recto check` names its folder",
        (_, Value::Bool(false), _) => "the data folder cannot be followed",
        (_, _, Value::Bool(false)) => "the disk accepts no writes",
        _ => "it says no reason",
    }
    .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_told() {
        let described = |status, body: &str| describe_readiness(status, body.as_bytes());
        let ready = r#"{"ready":true,"workspaces":2,"entries":12}"#;
        assert_eq!(described(StatusCode::OK, ready).unwrap(), "ready: 12 entries in 2 workspaces");
        let from_afar = r#"{"ready":true,"following":true}"#;
        assert_eq!(described(StatusCode::OK, from_afar).unwrap(), "ready");
        let refused = StatusCode::SERVICE_UNAVAILABLE;
        let disk = r#"{"ready":false,"following":true,"writable":false}"#;
        assert_eq!(described(refused, disk).unwrap_err(), "the disk accepts no writes");
        let folder = r#"{"ready":false,"following":false,"writable":true}"#;
        assert_eq!(described(refused, folder).unwrap_err(), "the data folder cannot be followed");
        let content = r#"{"ready":false,"loaded":false,"following":true,"writable":true}"#;
        let reason = described(refused, content).unwrap_err();
        assert_eq!(reason, "content cannot be read; `recto check` names its folder");
        assert!(described(StatusCode::OK, "<html>").unwrap_err().contains("like no Recto server"));
    }
}
