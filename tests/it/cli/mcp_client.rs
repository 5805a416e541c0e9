//! Whole sessions of a real client of the Model Context Protocol, the one of the Rust SDK, with the
//! built program: over HTTP and over pipes, with a handshake and without.

use std::fs;
use std::process::Stdio;

use rmcp::ClientLifecycleMode;
use rmcp::ClientServiceExt;
use rmcp::RoleClient;
use rmcp::model::CallToolRequestParams;
use rmcp::model::CallToolResult;
use rmcp::model::ProtocolVersion;
use rmcp::model::ReadResourceRequestParams;
use rmcp::model::ResourceContents;
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::Value;
use serde_json::json;
use tokio::process::Child;
use tokio::process::Command;

use crate::support::server_process::Place;
use crate::support::server_process::Server;

type Client = RunningService<RoleClient, ()>;

/// The two ways in which clients begin.
fn handshake() -> ClientLifecycleMode {
    ClientLifecycleMode::Initialize
}

fn discovery() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

/// A folder with a type that has drafts, and a token for an agent that may not publish.
struct Desk {
    place: Place,
    agent: String,
    _folder: tempfile::TempDir,
}

impl Desk {
    fn make() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::make(folder.path(), &folder.path().join("data"));
        let schema = r#"{"drafts": true, "fields": {"n": {"type": "number"}}}"#;
        fs::write(place.data.join("workspaces/default/schemas/posts.json"), schema).unwrap();
        let grant = "content.read,content.create,content.update@content:*";
        let data = place.data.to_str().unwrap();
        let create = ["token", "create", "--name", "Agent", "--grant", grant, "--data", data];
        let agent = place.run_well(&create).trim().to_string();
        Desk { place, agent, _folder: folder }
    }
}

async fn connect(server: &Server, token: &str, mode: ClientLifecycleMode) -> Client {
    let uri = format!("http://{}/mcp", server.address);
    let config = StreamableHttpClientTransportConfig::with_uri(uri).auth_header(token);
    let transport = StreamableHttpClientTransport::from_config(config);
    ().serve_with_lifecycle(transport, mode).await.unwrap()
}

/// A client of `recto mcp`, with its process.
async fn pipe(
    desk: &Desk,
    arguments: &[&str],
    token: &str,
    mode: ClientLifecycleMode,
) -> (Client, Child) {
    let command = desk.place.command(&[&["mcp"], arguments].concat());
    let mut command = Command::from(command);
    command.env("RECTO_TOKEN", token).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::inherit()).kill_on_drop(true).spawn().unwrap();
    let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    (().serve_with_lifecycle(pipes, mode).await.unwrap(), child)
}

/// Calls a tool, and returns its structured answer and if that is an error. The text says the same.
async fn call(client: &Client, tool: &'static str, arguments: Value) -> (Value, bool) {
    let params =
        CallToolRequestParams::new(tool).with_arguments(arguments.as_object().cloned().unwrap());
    let CallToolResult { content, structured_content, is_error, .. } =
        client.call_tool(params).await.unwrap();
    let structured = structured_content.unwrap();
    let text = &content[0].as_text().unwrap().text;
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured, "{tool}");
    (structured, is_error.unwrap())
}

async fn succeed(client: &Client, tool: &'static str, arguments: Value) -> Value {
    let (answer, is_error) = call(client, tool, arguments).await;
    assert!(!is_error, "{tool}: {answer}");
    answer
}

async fn fail(client: &Client, tool: &'static str, arguments: Value) -> String {
    let (answer, is_error) = call(client, tool, arguments).await;
    assert!(is_error, "{tool}: {answer}");
    answer["error"]["code"].as_str().unwrap().to_string()
}

/// An agent looks around, tries, proposes and fails to publish; whoever may publishes it.
async fn play_session(agent: &Client, publisher: &Client) {
    let tools = agent.list_all_tools().await.unwrap();
    let find = |name: &str| tools.iter().find(|it| it.name == name).unwrap();
    let is_read_only = |name| find(name).annotations.as_ref().unwrap().read_only_hint;
    assert_eq!(is_read_only("list_entries"), Some(true));
    assert_eq!(is_read_only("publish_change"), Some(false));
    look_around(agent).await;

    let values = json!({ "title": "By an agent", "status": "published", "n": 1 });
    let new = json!({ "type": "posts", "values": values });
    let tried = json!({ "type": "posts", "values": values, "dry_run": true });
    let tried = succeed(agent, "create_entry", tried).await;
    assert_eq!(tried["data"]["dry_run"], true);
    let everything = json!({ "type": "posts", "change": "pending" });
    let listed = succeed(agent, "list_entries", everything.clone()).await;
    let before = listed["meta"]["total"].as_u64().unwrap();

    let created = succeed(agent, "create_entry", new).await;
    let id = created["data"]["id"].as_str().unwrap();
    let change = created["meta"]["change"].as_str().unwrap();
    assert_eq!(tried["data"]["change"], change);
    let listed = succeed(agent, "list_entries", everything).await;
    assert_eq!(listed["meta"]["total"], before + 1);
    let diff = succeed(agent, "get_change_diff", json!({ "change": change })).await;
    assert_eq!(diff["data"][0]["action"], "create");

    let entry = json!({ "type": "posts", "id": id });
    assert_eq!(fail(agent, "get_entry", entry.clone()).await, "not_found");
    for dry_run in [true, false] {
        let publish = json!({ "change": "pending", "dry_run": dry_run });
        assert_eq!(fail(agent, "publish_change", publish).await, "forbidden");
    }
    let publish = json!({ "change": change, "dry_run": true });
    let judged = succeed(publisher, "publish_change", publish).await;
    assert_eq!(judged["data"]["state"], "open");
    let published = succeed(publisher, "publish_change", json!({ "change": change })).await;
    assert_eq!(published["data"]["state"], "published");
    let live = succeed(agent, "get_entry", entry).await;
    assert_eq!(live["data"]["title"], "By an agent");

    let live = json!({ "type": "posts", "id": id, "values": { "n": 2 }, "publish": true });
    assert_eq!(fail(agent, "update_entry", live.clone()).await, "publish_required");
    let updated = succeed(publisher, "update_entry", live).await;
    assert_eq!(updated["data"]["data"]["n"], 2);
}

async fn look_around(agent: &Client) {
    let types = succeed(agent, "list_content_types", json!({})).await;
    assert_eq!(types["data"][0]["name"], "posts");
    let ty = succeed(agent, "get_content_type", json!({ "type": "posts" })).await;
    let schema = &ty["data"]["entry_schema"];
    let values = jsonschema::validator_for(schema).unwrap();
    assert!(values.is_valid(&json!({ "title": "A", "n": 1 })), "{schema}");
    assert!(!values.is_valid(&json!({ "title": 7 })), "{schema}");
    assert_eq!(fail(agent, "list_entries", json!({ "typ": "posts" })).await, "validation_failed");
    let resources = agent.list_all_resources().await.unwrap();
    assert_eq!(resources[0].uri, "recto://default/content-types/posts");
    let params = ReadResourceRequestParams::new(resources[0].uri.clone());
    let read = agent.read_resource(params).await.unwrap();
    let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] else { panic!() };
    assert!(text.contains(r#""drafts":true"#), "{text}");
}

fn block_on(session: impl Future<Output = ()>) {
    let builder = &mut tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).enable_all().build().unwrap().block_on(session);
}

#[test]
fn over_http() {
    let desk = Desk::make();
    let server = Server::start(&desk.place);
    block_on(async {
        for mode in [handshake(), discovery()] {
            let agent = connect(&server, &desk.agent, mode.clone()).await;
            let publisher = connect(&server, &desk.place.token, mode).await;
            play_session(&agent, &publisher).await;
        }
    });
}

#[test]
fn over_pipes_to_a_server() {
    let desk = Desk::make();
    let server = Server::start(&desk.place);
    let url = format!("--url=http://{}", server.address);
    block_on(async {
        for mode in [handshake(), discovery()] {
            let (agent, mut child) = pipe(&desk, &[&url], &desk.agent, mode.clone()).await;
            let (publisher, _child) = pipe(&desk, &[&url], &desk.place.token, mode).await;
            play_session(&agent, &publisher).await;
            // It ends with its input.
            agent.cancel().await.unwrap();
            assert!(child.wait().await.unwrap().success());
        }
    });
}

#[test]
fn over_pipes_on_a_folder() {
    let desk = Desk::make();
    let folder = format!("--data={}", desk.place.data.display());
    block_on(async {
        for mode in [handshake(), discovery()] {
            let (publisher, mut child) = pipe(&desk, &[&folder], &desk.place.token, mode).await;
            look_around(&publisher).await;
            let values = json!({ "title": "From a folder", "status": "published" });
            let new = json!({ "type": "posts", "values": values, "publish": true });
            let created = succeed(&publisher, "create_entry", new).await;
            let id = created["data"]["id"].as_str().unwrap();
            let file = format!("workspaces/default/content/posts/{id}.json");
            assert!(desk.place.data.join(file).exists());
            publisher.cancel().await.unwrap();
            assert!(child.wait().await.unwrap().success());
        }
    });
    desk.place.check();
}

#[test]
fn a_folder_that_a_server_holds_stays_its() {
    let desk = Desk::make();
    let _server = Server::start(&desk.place);
    let folder = format!("--data={}", desk.place.data.display());
    let mut command = desk.place.command(&["mcp", &folder]);
    let ran = command.env("RECTO_TOKEN", &desk.agent).output().unwrap();
    let text = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{text}");
    assert!(text.contains("--url"), "{text}");
}

#[test]
fn a_revoked_token_is_refused_at_the_next_message() {
    let desk = Desk::make();
    let server = Server::start(&desk.place);
    block_on(async {
        let agent = connect(&server, &desk.agent, discovery()).await;
        succeed(&agent, "list_content_types", json!({})).await;
        let id = desk.agent.split('_').nth(1).unwrap();
        let data = desk.place.data.to_str().unwrap();
        desk.place.run_well(&["token", "revoke", id, "--data", data]);
        // The server follows its files.
        loop {
            let params = CallToolRequestParams::new("list_content_types");
            if let Err(error) = agent.call_tool(params).await {
                assert!(error.to_string().contains("401") || is_refusal(&error), "{error:?}");
                break;
            }
        }
    });
}

/// Returns true if the server asked for another token.
fn is_refusal(error: &rmcp::ServiceError) -> bool {
    format!("{error:?}").contains("AuthRequired")
}

#[test]
fn without_a_server_each_request_is_told_so() {
    let desk = Desk::make();
    let mut command = desk.place.command(&["mcp", "--url=http://127.0.0.1:9"]);
    command.env("RECTO_TOKEN", &desk.agent).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let messages = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n\
        {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), messages.as_bytes()).unwrap();
    let ran = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32603)));
    assert!(answer["error"]["message"].as_str().unwrap().contains("127.0.0.1:9"), "{answer}");
}
