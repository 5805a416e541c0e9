//! Messages of JSON-RPC 2.0, as clients of the protocol send them.

use rmcp::model::ErrorData;
use rmcp::model::RequestId;

use crate::model::input::ObjectReader;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// A message of a client.
pub(super) enum Message {
    /// A request, which is answered.
    Request(Request),
    /// A notification, or an answer to a request that this server never sends.
    Other,
}

/// A request.
pub(super) struct Request {
    pub(super) id: RequestId,
    pub(super) method: String,
    pub(super) params: Map,
}

impl Message {
    /// Parses a message.
    pub(super) fn parse(body: &Map) -> Result<Message, ErrorData> {
        let invalid = |why: &'static str| ErrorData::invalid_request(why, None);
        let input = ObjectReader::new(body);
        if input.member("jsonrpc").and_then(Json::as_str) != Some("2.0") {
            return Err(invalid(
                "This is not a message of JSON-RPC 2.0: `jsonrpc` must be \"2.0\".",
            ));
        }
        let Some(method) = input.member("method") else {
            let is_answer = input.contains("result") || input.contains("error");
            return if is_answer {
                Ok(Message::Other)
            } else {
                Err(invalid("`method` is missing."))
            };
        };
        let method = method.as_str().ok_or_else(|| invalid("`method` must be a string."))?;
        let method = method.to_string();
        let Some(id) = input.member("id") else { return Ok(Message::Other) };
        let id = parse_id(id).ok_or_else(|| invalid("`id` must be a string or a whole number."))?;
        let params = match input.member("params") {
            None => Map::new(),
            Some(Json::Object(params)) => params.clone(),
            Some(_) => return Err(invalid("`params` must be an object.")),
        };
        Ok(Message::Request(Request { id, method, params }))
    }
}

fn parse_id(id: &Json) -> Option<RequestId> {
    match id {
        Json::String(text) => Some(RequestId::String(text.as_str().into())),
        Json::Number(number) => number.to_string().parse().ok().map(RequestId::Number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn messages() {
        let check = |text: &str, expect: &str| {
            let found = match Message::parse(&map(text)) {
                Ok(Message::Request(it)) => format!("{} {} {}", it.id, it.method, it.params.len()),
                Ok(Message::Other) => "other".to_string(),
                Err(error) => error.message.to_string(),
            };
            assert_eq!(found, expect, "{text}");
        };
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "1 ping 0");
        check(r#"{"jsonrpc":"2.0","id":"a","method":"x","params":{"b":1}}"#, "a x 1");
        check(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "other");
        check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "other");
        check(r#"{"jsonrpc":"2.0","id":1}"#, "`method` is missing.");
        check(r#"{"jsonrpc":"2.0","id":1,"method":2}"#, "`method` must be a string.");
        for id in ["null", "1.5", "[1]", "1e99"] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            check(&text, "`id` must be a string or a whole number.");
        }
        let params = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#;
        check(params, "`params` must be an object.");
        let version = "This is not a message of JSON-RPC 2.0: `jsonrpc` must be \"2.0\".";
        check(r#"{"id":1,"method":"ping"}"#, version);
    }
}
