//! Tools: what is said of them, and a call of one.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use rmcp::model::CallToolResult;
use rmcp::model::ContentBlock;
use rmcp::model::Tool;
use rmcp::model::ToolAnnotations;
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::content::entries::AnswerBody;
use crate::app::content::write_target::WriteTarget;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::mcp::arguments;
use crate::http::api::mcp::arguments::Argument;
use crate::http::api::mcp::arguments::ArgumentKind;
use crate::http::api::mcp::arguments::ToolArguments;
use crate::http::api::reply::AnswerEnvelope;
use crate::http::request::call::Call;
use crate::http::request::error::render_error;
use crate::http::request::lifecycle::find_workspace;
use crate::http::wire::reply::ReplyBody;
use crate::model::change::PENDING;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::url_encoding::encode_segment;

/// The longest answer of a tool in bytes: an agent reads all of it.
pub(super) const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// The most entries, files or changes that a tool lists at once.
pub(super) const LIMIT_MAX: u64 = 100;

/// The number of those that it lists unless it is asked for another.
pub(super) const LIMIT: usize = 20;

/// A tool.
pub(super) struct ToolSpec {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    pub(super) effect: ToolEffect,
    pub(super) arguments: &'static [Argument],
    pub(super) run: fn(&ToolCall<'_>) -> Result<ToolOutcome>,
}

/// The worst that a tool can do, as clients are told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolEffect {
    /// It changes nothing.
    Reads,
    /// It adds something, and replaces nothing.
    Adds,
    /// It replaces or removes something.
    Replaces,
}

/// The outcome of a call.
pub(super) enum ToolOutcome {
    /// The JSON that answers it.
    Answer(Vec<u8>),
    /// It would take longer than is allowed where it runs.
    NeedsEffort,
}

/// The argument that every tool has.
const WORKSPACE: &[Argument] = &[Argument::optional(
    "workspace",
    ArgumentKind::Text,
    "The slug of the workspace; the default workspace if left out.",
)];

impl ToolSpec {
    /// Describes the tool for clients.
    pub(super) fn describe(&self) -> Tool {
        let reads = self.effect == ToolEffect::Reads;
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(reads)
            .destructive(self.effect == ToolEffect::Replaces)
            .idempotent(reads)
            .open_world(false);
        let schema = match arguments::build_schema(&[self.arguments, WORKSPACE]) {
            Value::Object(schema) => schema,
            _ => serde_json::Map::new(),
        };
        Tool::new(Cow::Borrowed(self.name), Cow::Borrowed(self.about), Arc::new(schema))
            .with_title(self.title)
            .with_annotations(annotations)
    }
}

/// A call of a tool.
pub(super) struct ToolCall<'a> {
    pub(super) call: &'a Call,
    pub(super) arguments: ToolArguments<'a>,
    /// The workspace as it is live.
    pub(super) live: Arc<Snapshot>,
}

/// Calls a tool with the arguments of a request.
pub(super) fn call_tool(call: &Call, tool: &ToolSpec, params: &Map) -> Result<ToolOutcome> {
    let empty = Map::new();
    let given = ObjectReader::new(params).object("arguments").unwrap_or(&empty);
    let arguments = ToolArguments::parse(&[tool.arguments, WORKSPACE], given)?;
    let live = find_named_workspace(call, arguments.text("workspace"))?;
    let outcome = (tool.run)(&ToolCall { call, arguments, live })?;
    // What is done is done, however much there is to say of it.
    if let ToolOutcome::Answer(json) = &outcome
        && tool.effect == ToolEffect::Reads
    {
        check_size(json.len())?;
    }
    Ok(outcome)
}

/// Returns the workspace of this slug, or the default one.
pub(super) fn find_named_workspace(call: &Call, slug: Option<&str>) -> Result<Arc<Snapshot>> {
    let engine = &call.app().engine;
    let slug = match slug {
        Some(slug) => slug.to_string(),
        None => engine.registry().default_workspace().to_string(),
    };
    find_workspace(engine, &slug)
}

impl ToolCall<'_> {
    pub(super) fn app(&self) -> &App {
        self.call.app()
    }

    pub(super) fn caller(&self) -> &Caller {
        &self.call.caller
    }

    pub(super) fn workspace(&self) -> &WorkspaceSlug {
        &self.live.workspace
    }

    /// Returns what is read: what is live, or a change as if it were live.
    pub(super) fn find_snapshot(&self) -> Result<Arc<Snapshot>> {
        match self.arguments.text("change") {
            None => Ok(self.live.clone()),
            Some(change) => {
                change_access::open_change(self.app(), &self.live, self.caller(), change)
            }
        }
    }

    /// Returns where entries are written: into a change, unless the agent says that it publishes.
    pub(super) fn write_target(&self) -> Result<WriteTarget> {
        let change = self.arguments.text("change");
        match (self.arguments.flag("publish"), change) {
            (false, change) => Ok(WriteTarget::Change(change.unwrap_or(PENDING).to_string())),
            (true, None) => Ok(WriteTarget::Live),
            (true, Some(_)) => {
                let message = "With `publish`, values go live and not into a change. Leave out \
                               `publish` or `change`.";
                Err(Error::invalid(FieldProblems::from_problem("publish", message)))
            }
        }
    }

    /// Builds the query string of a list from arguments that are parameters of it: some texts, some
    /// lists of names, a filter, and the page.
    pub(super) fn build_list_query(&self, texts: &[&str], names: &[&str]) -> Result<String> {
        let mut query = self.build_query(texts, names);
        let limit = self.arguments.count("limit").unwrap_or(LIMIT);
        query.add("limit", Some(&limit.to_string()));
        query.add("offset", self.arguments.count("offset").map(|it| it.to_string()).as_deref());
        if let Some(filter) = self.arguments.object("filter") {
            query.add_filter(filter).map_err(Error::invalid)?;
        }
        Ok(query.0)
    }

    /// Builds the query string of one entry in the same way.
    pub(super) fn build_entry_query(&self, texts: &[&str], names: &[&str]) -> String {
        self.build_query(texts, names).0
    }

    fn build_query(&self, texts: &[&str], names: &[&str]) -> QueryBuilder {
        let mut query = QueryBuilder::default();
        for name in texts {
            query.add(name, self.arguments.text(name));
        }
        for name in names {
            let list = self.arguments.names(name).collect::<Vec<_>>().join(",");
            query.add(name, Some(list.as_str()).filter(|it| !it.is_empty()));
        }
        query
    }

    /// Returns the limit and the offset of the page of a list that the agent asks for.
    pub(super) fn page(&self) -> (usize, usize) {
        let limit = self.arguments.count("limit").unwrap_or(LIMIT);
        (limit, self.arguments.count("offset").unwrap_or_default())
    }
}

/// The `meta` of a list of changes.
#[derive(Serialize)]
pub(super) struct PageMeta {
    pub(super) total: usize,
    pub(super) limit: usize,
    pub(super) offset: usize,
}

/// The values that a filter compares with, in messages.
const FILTER_VALUE: &str = "a string, a number, a boolean or a list of them";

/// A query string that is put together.
#[derive(Default)]
struct QueryBuilder(String);

impl QueryBuilder {
    fn add(&mut self, name: &str, value: Option<&str>) {
        let Some(value) = value else { return };
        let separator = if self.0.is_empty() { "" } else { "&" };
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{separator}{}={}", encode_segment(name), encode_segment(value));
    }

    /// Adds filters. All that have no text are reported.
    fn add_filter(&mut self, filter: &Map) -> std::result::Result<(), FieldProblems> {
        let mut problems = FieldProblems::new();
        for (field, value) in filter.iter() {
            let by_operator = value.as_object().into_iter().flat_map(Map::iter);
            let by_operator = by_operator.map(|(operator, value)| (Some(operator), value));
            let plain = (value.as_object().is_none()).then_some((None, value));
            for (operator, value) in plain.into_iter().chain(by_operator) {
                let operator = operator.map(|it| format!("[{it}]")).unwrap_or_default();
                match show_value(value) {
                    Some(text) => self.add(&format!("filter[{field}]{operator}"), Some(&text)),
                    None => {
                        let message = wording::wrong_type(FILTER_VALUE, value);
                        problems.add(format!("filter.{field}"), message);
                    }
                }
            }
        }
        problems.into_result(())
    }
}

/// Returns a value as a query string has it.
fn show_value(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(flag) => Some(flag.to_string()),
        Json::Array(items) => {
            let texts: Option<Vec<String>> =
                items.iter().map(|it| it.as_array().is_none().then(|| show_value(it))?).collect();
            texts.map(|it| it.join(","))
        }
        Json::Null | Json::Object(_) => None,
    }
}

/// An answer with this data.
pub(super) fn answer(data: impl Serialize) -> Result<ToolOutcome> {
    answer_with_meta(data, None::<()>)
}

/// The same with a `meta` beside the data.
pub(super) fn answer_with_meta<D, M>(data: D, meta: Option<M>) -> Result<ToolOutcome>
where
    D: Serialize,
    M: Serialize,
{
    let json = serde_json::to_vec(&AnswerEnvelope { data, meta }).map_err(Error::internal)?;
    Ok(ToolOutcome::Answer(json))
}

/// An answer with entries. One that is too long is not collected.
pub(super) fn answer_entries(body: AnswerBody) -> Result<ToolOutcome> {
    let frames = match body {
        AnswerBody::Whole(bytes) => return Ok(ToolOutcome::Answer(bytes.to_vec())),
        AnswerBody::Streamed(frames) => frames,
    };
    let mut json = Vec::new();
    for frame in frames {
        check_size(json.len() + frame.len())?;
        json.extend_from_slice(&frame);
    }
    Ok(ToolOutcome::Answer(json))
}

fn check_size(bytes: usize) -> Result<()> {
    if bytes <= ANSWER_BYTES_MAX {
        return Ok(());
    }
    let message = format!(
        "The answer would have more than {ANSWER_BYTES_MAX} bytes. Ask for less: a smaller \
         `limit`, fewer `fields`, no `include`."
    );
    Err(Error::conflict(message))
}

/// Returns an answer as agents get it: as JSON, and as the text of it for those that read no JSON.
pub(super) fn show_answer(json: Vec<u8>) -> Result<CallToolResult> {
    let structured: Value = serde_json::from_slice(&json).map_err(Error::internal)?;
    let text = String::from_utf8(json).map_err(Error::internal)?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    Ok(result)
}

/// Returns an error as agents get it: what the APIs say of it.
pub(super) fn show_error(call: &Call, error: &Error) -> CallToolResult {
    let id = call.request_id();
    if let Some(source) = &error.source {
        tracing::error!(request = id, route = call.route.name, %source, "request failed");
    }
    let json = match render_error(error, id).body {
        ReplyBody::Full(bytes) => bytes,
        _ => Default::default(),
    };
    let text = String::from_utf8_lossy(&json).into_owned();
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = serde_json::from_slice(&json).ok();
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::request::params::QueryParams;
    use crate::stdx::json::from_text::map;

    #[test]
    fn filters_become_parameters() {
        let check = |text: &str, expect: &str| {
            let mut query = QueryBuilder::default();
            let shown = match query.add_filter(&map(text)) {
                Ok(()) => {
                    let params = QueryParams::parse(&query.0).unwrap();
                    params.iter().map(|(name, it)| format!("{name}={it}")).collect::<Vec<_>>()
                }
                Err(problems) => problems.iter().map(|(path, _)| path.to_string()).collect(),
            };
            assert_eq!(shown.join(" & "), expect, "{text}");
        };
        check(r#"{"a":"x&b=1","b":2,"c":true}"#, "filter[a]=x&b=1 & filter[b]=2 & filter[c]=true");
        check(r#"{"a":{"gte":1,"in":["x",2]}}"#, "filter[a][gte]=1 & filter[a][in]=x,2");
        check(r#"{"a":["x","ü"]}"#, "filter[a]=x,ü");
        check(r#"{"a":null,"b":{"eq":{}},"c":[[1]]}"#, "filter.a & filter.b & filter.c");
    }
}
