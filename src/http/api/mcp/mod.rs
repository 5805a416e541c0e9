//! The server of the Model Context Protocol: agents read content and propose changes with tools.
//!
//! Every message is a request of its own, without a session. The tools call the same use cases as
//! the routes of the APIs, which decide all permissions. There is one address for the whole
//! installation, so that people configure one server, and agents name the workspace.

mod arguments;
mod message;
pub(crate) mod protocol;
mod resources;
mod tool;
mod tools;

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use rmcp::model::ErrorData;
use rmcp::model::JsonRpcError;
use rmcp::model::JsonRpcResponse;
use rmcp::model::JsonRpcVersion2_0;
use rmcp::model::ListToolsResult;
use rmcp::model::RequestId;
use serde::Serialize;

use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::mcp::message::Message;
use crate::http::api::mcp::message::Request;
use crate::http::api::mcp::protocol::Era;
use crate::http::api::mcp::tool::ToolOutcome;
use crate::http::api::reply::reply_json;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::wire::reply::Reply;

/// Answers a message.
pub fn answer_message(call: &Call) -> Result<HandlerOutcome> {
    let body = match call.parse_json() {
        Ok(body) => body,
        Err(error) if error.code == Code::InvalidJson => {
            let error = ErrorData::parse_error(error.message, None);
            return reply_error(StatusCode::BAD_REQUEST, None, error);
        }
        Err(error) => return Err(error),
    };
    let request = match Message::parse(&body) {
        Ok(Message::Request(request)) => request,
        // Nothing of what clients tell or answer matters here.
        Ok(Message::Other) => return Ok(Reply::new(StatusCode::ACCEPTED).into()),
        Err(error) => return reply_error(StatusCode::BAD_REQUEST, None, error),
    };
    match protocol::find_era(&call.head.headers, &request) {
        Ok(era) => answer_request(call, era, &request),
        Err(error) => reply_error(StatusCode::BAD_REQUEST, Some(request.id), error),
    }
}

fn answer_request(call: &Call, era: Era, request: &Request) -> Result<HandlerOutcome> {
    let id = &request.id;
    match request.method.as_str() {
        "initialize" => reply_result(id, &protocol::initialize(&request.params)),
        "server/discover" if era == Era::Modern => reply_result(id, &protocol::discover()),
        "ping" => reply_result(id, &serde_json::json!({})),
        "tools/list" => {
            let mut listed = ListToolsResult::with_all_items(tools::describe_all());
            era.finish_list(&mut listed.result_type, &mut listed.ttl_ms, &mut listed.cache_scope);
            reply_result(id, &listed)
        }
        "tools/call" => call_tool(call, era, request),
        "resources/list" => reply_result(id, &resources::list(call, era)?),
        "resources/templates/list" => reply_result(id, &resources::list_templates(era)),
        "resources/read" => match resources::read(call, era, &request.params) {
            Ok(read) => reply_result(id, &read),
            Err(error) => reply_error(StatusCode::OK, Some(id.clone()), error),
        },
        _ => {
            // Older clients take another status for a broken connection.
            let modern = era == Era::Modern;
            let status = if modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
            let error = protocol::unknown_method(&request.method);
            reply_error(status, Some(id.clone()), error)
        }
    }
}

/// Calls a tool. What is wrong with its arguments, and what the use case refuses, is a result that
/// the agent sees.
fn call_tool(call: &Call, era: Era, request: &Request) -> Result<HandlerOutcome> {
    let tool = match tools::find(&request.params) {
        Ok(tool) => tool,
        Err(error) => return reply_error(StatusCode::OK, Some(request.id.clone()), error),
    };
    let mut result = match tool::call_tool(call, tool, &request.params) {
        Ok(ToolOutcome::Answer(json)) => tool::show_answer(json)?,
        Ok(ToolOutcome::NeedsEffort) => return Ok(HandlerOutcome::NeedsEffort),
        Err(error) => tool::show_error(call, &error),
    };
    result.result_type = result.result_type.filter(|_| era == Era::Modern);
    reply_result(&request.id, &result)
}

fn reply_result(id: &RequestId, result: &impl Serialize) -> Result<HandlerOutcome> {
    let (jsonrpc, id) = (JsonRpcVersion2_0, id.clone());
    reply_message(StatusCode::OK, &JsonRpcResponse { jsonrpc, id, result })
}

fn reply_error(
    status: StatusCode,
    id: Option<RequestId>,
    error: ErrorData,
) -> Result<HandlerOutcome> {
    reply_message(status, &JsonRpcError::new(id, error))
}

fn reply_message(status: StatusCode, message: &impl Serialize) -> Result<HandlerOutcome> {
    let json = serde_json::to_vec(message).map_err(Error::internal)?;
    let mut reply = reply_json(Bytes::from(json));
    reply.status = status;
    reply.set_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(reply.into())
}
