//! Agents: whatever an agent calls with a token that may not publish, nothing public changes.

use serde_json::Value;
use serde_json::json;

use crate::support::openapi::Answer;
use crate::support::openapi::Stage;
use crate::support::property::run;
use crate::support::random_content::Draw;

const CONTENT: &str = "/api/v1/workspaces/default/content";

/// Calls in one case.
const CALLS: usize = 12;

/// What stands in arguments: names that mean something, and what may break out of its place.
const TEXTS: &[&str] = &[
    "posts",
    "pages",
    "settings",
    "pending",
    "default",
    "draft",
    "published",
    "archived",
    "en",
    "-title",
    "title",
    "",
    "..",
    "a]&change=pending&x[",
    "null",
    "\u{0}",
    "größe",
    "=?base64?YQ==?=",
    "<script>alert(1)</script>",
    "2030-01-01T00:00:00Z",
    "2020-01-01",
];

/// An agent, the tools that it knows, and what it may name.
struct Agent<'s> {
    stage: &'s Stage,
    tools: Vec<Value>,
    types: Vec<String>,
    names: Vec<String>,
}

impl Agent<'_> {
    fn send(&self, body: &Value) -> Answer {
        let bearer = self.stage.writer();
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        self.stage.send("post", "/mcp", &headers, &body.to_string())
    }

    /// Calls some tool with some arguments, and checks the form of the answer.
    fn act(&self, draw: &mut Draw<'_>) {
        let tool = &self.tools[draw.below(self.tools.len())];
        let known = tool["inputSchema"]["properties"].as_object().unwrap();
        let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        let mut arguments = serde_json::Map::new();
        for (name, schema) in known {
            let is_required = required.iter().any(|it| it == name);
            let usual = if name == "workspace" { 3 } else { 30 };
            if draw.chance(if is_required { 97 } else { usual }) {
                let argument = match name.as_str() {
                    "type" if draw.chance(90) => json!(self.types[draw.below(self.types.len())]),
                    "change" if draw.chance(80) => json!("pending"),
                    _ => self.argument(schema, draw),
                };
                arguments.insert(name.clone(), argument);
            }
        }
        if draw.chance(5) {
            arguments.insert(draw.pick(TEXTS).to_string(), json!(1));
        }
        let params = json!({ "name": tool["name"], "arguments": arguments });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let answer = self.send(&message);
        assert_eq!(answer.status, 200, "{message}");
        let result = &answer.json()["result"];
        assert!(result["isError"].is_boolean(), "{message}: {result}");
        let code = &result["structuredContent"]["error"]["code"];
        assert_ne!(code, "server_error", "{message}");
    }

    fn argument(&self, schema: &Value, draw: &mut Draw<'_>) -> Value {
        if draw.chance(5) {
            return self.value(draw);
        }
        match schema["type"].as_str() {
            Some("boolean") => json!(draw.chance(50)),
            Some("integer") => json!(draw.below(100)),
            Some("array") => json!([self.text(draw), self.text(draw)]),
            Some("object") => {
                let pairs = (0..3).map(|_| (self.key(draw), self.value(draw)));
                Value::Object(pairs.collect())
            }
            _ => json!(self.text(draw)),
        }
    }

    fn key(&self, draw: &mut Draw<'_>) -> String {
        let keys = ["title", "slug", "status", "published_at", "unpublish_at", "body", "author_id"];
        if draw.chance(80) { draw.pick(&keys).to_string() } else { self.text(draw) }
    }

    fn value(&self, draw: &mut Draw<'_>) -> Value {
        match draw.below(7) {
            0 => Value::Null,
            1 => json!(draw.chance(50)),
            2 => json!(1e300),
            3 => json!([self.text(draw), 1]),
            4 => json!({ "eq": self.text(draw) }),
            _ => json!(self.text(draw)),
        }
    }

    fn text(&self, draw: &mut Draw<'_>) -> String {
        if draw.chance(60) {
            return self.names[draw.below(self.names.len())].clone();
        }
        draw.pick(TEXTS).to_string()
    }
}

/// Everything that everybody reads of content.
fn read_public(stage: &Stage, types: &[String]) -> Vec<Vec<u8>> {
    let pages = types.iter().map(|it| format!("{CONTENT}/{it}?limit=100&counts=status"));
    let pages = pages.chain(["/api/v1/workspaces/default/content-types".to_string()]);
    pages.map(|it| stage.get(&it, &[]).body.to_vec()).collect()
}

#[test]
fn an_agent_that_may_not_publish_changes_nothing_public() {
    let all = r#"["content.*","schema.*"]"#;
    let agent =
        r#"["content.read","content.create","content.update","content.delete","media.read"]"#;
    let stage = Stage::with_tokens(all, agent);
    let bearer = stage.bearer();
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let list = stage.get("/api/v1/workspaces/default/content-types", &headers).json();
    let names = list["data"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap());
    let types: Vec<String> = names.map(str::to_string).collect();
    let mut names = Vec::new();
    for name in &types {
        let address = format!("/api/v1/workspaces/default/content-types/{name}");
        let changed = stage.send("put", &address, &headers, r#"{"drafts":true}"#);
        assert_eq!(changed.status, 200, "{name}");
        let entries = stage.get(&format!("{CONTENT}/{name}?limit=100"), &headers).json();
        let entries = entries["data"].as_array().unwrap().iter();
        names.extend(entries.map(|it| it["slug"].as_str().unwrap().to_string()));
    }
    let mut agent = Agent { stage: &stage, tools: Vec::new(), types: types.clone(), names };
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    agent.tools = agent.send(&message).json()["result"]["tools"].as_array().unwrap().clone();
    let before = read_public(&stage, &types);
    run(40, 400, |draw| {
        for _ in 0..CALLS {
            agent.act(draw);
        }
        assert!(read_public(&stage, &types) == before, "something public changed");
    });
    // It did something all the same.
    let change = json!({ "name": "get_change", "arguments": { "change": "pending" } });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": change });
    let proposed = agent.send(&message).json();
    let proposed = &proposed["result"]["structuredContent"]["data"]["entries"];
    assert!(proposed.as_array().is_some_and(|it| it.len() > 1), "{proposed}");
}
