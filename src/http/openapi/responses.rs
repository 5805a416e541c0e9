//! Responses of operations: what a route gives, and how it can fail.

use std::collections::BTreeSet;

use http::StatusCode;
use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::app::error::Code;
use crate::http::error;
use crate::http::openapi::schemas;
use crate::http::route::Access;
use crate::http::route::Body;
use crate::http::route::Gives;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::vet::Refusal;

impl Route {
    /// Whether answers have an entity tag.
    fn is_tagged(&self) -> bool {
        use Gives::ContentType;
        use Gives::Entry;
        let untagged = matches!(self.gives, Gives::Health | Gives::Events | Gives::Plain);
        if self.changes() { matches!(self.gives, Entry | ContentType) } else { !untagged }
    }

    /// Whether the client can ask for news alone.
    pub(super) fn is_news(&self) -> bool {
        self.is_tagged() && !self.changes()
    }
}

/// All responses of a route whose entries have the schema named `entry`.
pub(super) fn of(route: &Route, entry: &str) -> Value {
    let mut found = Map::new();
    let status = if route.creates { "201" } else { "200" };
    found.insert(status.to_string(), success(route, entry));
    if route.is_news() {
        found.insert("304".to_string(), reference("NotModified"));
    }
    if route.gives == Gives::File {
        found.insert("206".to_string(), reference("PartialContent"));
    }
    for status in failures(route) {
        found.insert(status.as_str().to_string(), reference(&name(status)));
    }
    found.into()
}

/// The responses that operations of these routes share.
pub(super) fn shared(table: &[Route]) -> Map<String, Value> {
    let mut found = Map::new();
    let statuses: BTreeSet<StatusCode> = table.iter().flat_map(failures).collect();
    for status in statuses {
        found.insert(name(status), failure(status));
    }
    found.insert(
        "NotModified".to_string(),
        json!({
            "description": "The client has this answer already.",
            "headers": header_references(&["ETag", "X-Request-Id", "Cache-Control"]),
        }),
    );
    let part = ["ETag", "X-Request-Id", "Cache-Control", "Content-Range", "Last-Modified"];
    found.insert(
        "PartialContent".to_string(),
        json!({
            "description": "The bytes that were asked for, several stretches of them as \
                            `multipart/byteranges`.",
            "headers": header_references(&part),
            "content": { "*/*": {} },
        }),
    );
    found
}

/// The headers that responses refer to.
pub(super) fn headers() -> Map<String, Value> {
    let all = [
        ("ETag", true, "Changes when the answer does."),
        ("X-Request-Id", true, "The request's own, or a new one; logs know the request by it."),
        ("Cache-Control", true, "Who may keep the answer, and for how long."),
        ("WWW-Authenticate", true, "`Bearer`: a token is needed."),
        ("Location", true, "Where what was made can be read."),
        ("Last-Modified", false, "When the file last changed."),
        ("Accept-Ranges", false, "`bytes`: parts of the file can be asked for."),
        ("Content-Range", false, "Which bytes of how many these are."),
    ];
    let text = json!({ "type": "string" });
    let header = |(name, required, about): &(&str, bool, &str)| {
        let it = json!({ "description": about, "required": required, "schema": text });
        (name.to_string(), it)
    };
    all.iter().map(header).collect()
}

pub(super) fn success(route: &Route, entry: &str) -> Value {
    let list = |of: &str| json!({ "type": "array", "items": schemas::reference(of) });
    let json_of = |schema: Value| json!({ "application/json": { "schema": schema } });
    let content = match route.gives {
        Gives::Health => json_of(envelope(schemas::reference("Health"), None)),
        Gives::ContentTypes => json_of(envelope(list("ContentType"), Some("ListMeta"))),
        Gives::ContentType => json_of(remarked("ContentType")),
        Gives::Entries => json_of(envelope(list(entry), Some("ListMeta"))),
        Gives::Entry => json_of(remarked(entry)),
        Gives::Media => json_of(envelope(list("MediaItem"), Some("MediaListMeta"))),
        Gives::MediaItem => json_of(envelope(schemas::reference("MediaItem"), None)),
        Gives::CategorisedItem => {
            json_of(envelope(schemas::reference("MediaItem"), Some("Categories")))
        }
        Gives::MediaItems => json_of(envelope(list("MediaItem"), None)),
        Gives::Uploaded => json_of(envelope(list("MediaItem"), Some("Categories"))),
        Gives::Category => json_of(envelope(schemas::reference("Category"), Some("Categories"))),
        Gives::Done => json_of(envelope(schemas::reference("Done"), None)),
        Gives::CategoryDone => json_of(envelope(schemas::reference("Done"), Some("Categories"))),
        Gives::OpenApi => json_of(openapi_document()),
        Gives::File => json!({ "*/*": {} }),
        Gives::Picture => json!({ "image/jpeg": {}, "image/png": {} }),
        Gives::Admin(name) => {
            let mut schema = envelope(schemas::reference(name), None);
            schema["properties"]["meta"] = json!({ "type": "object" });
            json_of(schema)
        }
        Gives::AdminList(name) => {
            let mut schema = envelope(list(name), None);
            schema["properties"]["meta"] = json!({ "type": "object" });
            json_of(schema)
        }
        Gives::Events => json!({ "text/event-stream": {} }),
        Gives::Plain => json!({ "text/plain": {} }),
    };
    let mut headers = vec!["X-Request-Id", "Cache-Control"];
    headers.extend(route.is_tagged().then_some("ETag"));
    headers.extend((route.creates && route.is_tagged()).then_some("Location"));
    if route.gives == Gives::File {
        headers.extend(["Last-Modified", "Accept-Ranges"]);
    }
    let about = match (route.changes(), route.creates) {
        (false, _) => "What was asked for.",
        (true, false) => "What it is now.",
        (true, true) => "What was made.",
    };
    json!({
        "description": about,
        "headers": header_references(&headers),
        "content": content,
    })
}

/// A document like this one.
fn openapi_document() -> Value {
    let properties = json!({
        "openapi": { "type": "string", "description": "The version of OpenAPI." },
        "info": { "type": "object", "description": "What the document describes." },
    });
    json!({ "type": "object", "required": ["openapi", "info"], "properties": properties })
}

fn envelope(data: Value, meta: Option<&str>) -> Value {
    let Some(meta) = meta else {
        return json!({ "type": "object", "required": ["data"], "properties": { "data": data } });
    };
    json!({
        "type": "object",
        "required": ["data", "meta"],
        "properties": { "data": data, "meta": schemas::reference(meta) },
    })
}

/// One thing has a `meta` only when something of the request was ignored.
fn remarked(name: &str) -> Value {
    let mut schema = envelope(schemas::reference(name), None);
    schema["properties"]["meta"] = schemas::reference("Remarks");
    schema
}

/// How a route can fail, by what the table says of it.
fn failures(route: &Route) -> BTreeSet<StatusCode> {
    let mut codes = vec![Code::ServerError, Code::BadRequest];
    let is_file = matches!(route.gives, Gives::File | Gives::Picture);
    codes.extend((route.access != Access::Monitor).then_some(Code::Unauthorized));
    // A file that a caller may not have is 401 with whatever token.
    let asks = matches!(route.access, Access::Guest { .. } | Access::Token { .. });
    let may_refuse = asks && !is_file;
    codes.extend(may_refuse.then_some(Code::Forbidden));
    codes.extend(route.params().next().map(|_| Code::NotFound));
    codes.extend((route.gives == Gives::File).then_some(Code::RangeNotSatisfiable));
    let checked = matches!(route.gives, Gives::Entries | Gives::Entry | Gives::Media);
    let checked = checked || route.gives == Gives::OpenApi;
    let checked = checked || route.body != Body::None || route.gives == Gives::CategoryDone;
    codes.extend(checked.then_some(Code::ValidationFailed));
    codes.extend(route.is_conditional().then_some(Code::PreconditionFailed));
    if route.body != Body::None {
        codes.extend([Code::TooSlow, Code::PayloadTooLarge, Code::UnsupportedMediaType]);
    }
    if route.changes() {
        codes.extend([Code::Conflict, Code::InsufficientStorage]);
    }
    codes.extend((route.run != Run::Inline).then_some(Code::StorageUnavailable));
    let refusals = [Refusal::TargetTooLong, Refusal::TooManyHeaders].map(Refusal::status);
    codes.into_iter().map(error::status).chain(refusals).collect()
}

fn failure(status: StatusCode) -> Value {
    let of_status = |it: &Code| error::status(*it) == status && !it.is_of_admin();
    let mut codes: Vec<Code> = Code::ALL.iter().copied().filter(of_status).collect();
    if codes.is_empty() {
        // Requests that are refused before they are read have the one code.
        codes.push(Code::BadRequest);
    }
    let codes: Vec<String> = codes.iter().map(|it| format!("`{}`", it.as_str())).collect();
    let mut headers = vec!["X-Request-Id", "Cache-Control"];
    match status {
        StatusCode::UNAUTHORIZED => headers.push("WWW-Authenticate"),
        StatusCode::RANGE_NOT_SATISFIABLE => headers.push("Content-Range"),
        _ => {}
    }
    json!({
        "description": format!("An error with the code {}.", codes.join(" or ")),
        "headers": header_references(&headers),
        "content": { "application/json": { "schema": schemas::reference("Error") } },
    })
}

/// The name of a failure's shared response: its reason without spaces.
fn name(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or("Error").replace(' ', "")
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/responses/{name}") })
}

fn header_references(names: &[&str]) -> Map<String, Value> {
    let reference = |it: &str| json!({ "$ref": format!("#/components/headers/{it}") });
    names.iter().map(|it| (it.to_string(), reference(it))).collect()
}
