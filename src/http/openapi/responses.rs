//! The responses of operations: success and failures.

use std::collections::BTreeSet;

use http::StatusCode;
use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::app::error::Code;
use crate::http::openapi::json_schema;
use crate::http::request::error;
use crate::http::request::route::Access;
use crate::http::request::route::BodyKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::Route;
use crate::http::request::route::RunMode;
use crate::http::wire::head_check::HeadRefusal;

impl Route {
    /// Returns true if responses have an entity tag.
    fn is_tagged(&self) -> bool {
        use ReplyKind::ContentType;
        use ReplyKind::Entry;
        let untagged = matches!(
            self.gives,
            ReplyKind::Health | ReplyKind::Lines | ReplyKind::Events | ReplyKind::Plain
        );
        if self.is_mutation() { matches!(self.gives, Entry | ContentType) } else { !untagged }
    }

    /// Returns true if the client can revalidate a cached response.
    pub(super) fn can_revalidate(&self) -> bool {
        self.is_tagged() && !self.is_mutation()
    }
}

/// Returns all responses of a route; `entry` is the name of the schema of its entries.
pub(super) fn build_responses(route: &Route, entry: &str) -> Value {
    let mut found = Map::new();
    let status = if route.creates { "201" } else { "200" };
    found.insert(status.to_string(), success_response(route, entry));
    if route.is_public() && route.gives == ReplyKind::Entry && !route.is_mutation() {
        found.insert("301".to_string(), response_ref("MovedPermanently"));
    }
    if route.can_revalidate() {
        found.insert("304".to_string(), response_ref("NotModified"));
    }
    if route.gives == ReplyKind::File {
        found.insert("206".to_string(), response_ref("PartialContent"));
    }
    for status in failure_statuses(route) {
        found.insert(status.as_str().to_string(), response_ref(&failure_name(status)));
    }
    found.into()
}

/// Returns the responses that operations of these routes share.
pub(super) fn build_shared(table: &[Route]) -> Map<String, Value> {
    let mut found = Map::new();
    let statuses: BTreeSet<StatusCode> = table.iter().flat_map(failure_statuses).collect();
    for status in statuses {
        found.insert(failure_name(status), failure_response(status));
    }
    found.insert(
        "NotModified".to_string(),
        json!({
            "description": "The client already has this answer.",
            "headers": header_references(&["ETag", "X-Request-Id", "Cache-Control"]),
        }),
    );
    found.insert(
        "MovedPermanently".to_string(),
        json!({
            "description": "The entry had this slug formerly; `Location` is its address now.",
            "headers": header_references(&["Location", "X-Request-Id", "Cache-Control"]),
            "content": { "application/json": { "schema": envelope_schema(
                json!({ "type": "object", "properties": {
                    "id": { "type": "string", "description": "The id of the entry." },
                    "slug": { "type": "string", "description": "The slug that it has now." },
                } }),
                None,
            ) } },
        }),
    );
    let part = ["ETag", "X-Request-Id", "Cache-Control", "Content-Range", "Last-Modified"];
    found.insert(
        "PartialContent".to_string(),
        json!({
            "description": "The requested bytes; several ranges as `multipart/byteranges`.",
            "headers": header_references(&part),
            "content": { "*/*": {} },
        }),
    );
    found
}

/// Returns the shared headers of responses.
pub(super) fn build_headers() -> Map<String, Value> {
    let all = [
        ("ETag", true, "A tag that changes with the answer."),
        (
            "X-Request-Id",
            true,
            "The id that the client sent, or a new one; it identifies the request in logs.",
        ),
        ("Cache-Control", true, "Says which caches may keep the answer, and for how long."),
        ("WWW-Authenticate", true, "`Bearer`: the request needs a token."),
        (
            "Location",
            true,
            "The address of the resource: of the created one, or of one that has moved.",
        ),
        ("Last-Modified", false, "The time of the file's last change."),
        ("Accept-Ranges", false, "`bytes`: the file supports range requests."),
        ("Content-Range", false, "The range of these bytes and the size of the file."),
    ];
    let text = json!({ "type": "string" });
    let header = |(name, required, about): &(&str, bool, &str)| {
        let it = json!({ "description": about, "required": required, "schema": text });
        (name.to_string(), it)
    };
    all.iter().map(header).collect()
}

pub(super) fn success_response(route: &Route, entry: &str) -> Value {
    let list = |of: &str| json!({ "type": "array", "items": json_schema::schema_ref(of) });
    let json_of = |schema: Value| json!({ "application/json": { "schema": schema } });
    let content = match route.gives {
        ReplyKind::Health => json_of(envelope_schema(json_schema::schema_ref("Health"), None)),
        ReplyKind::ContentTypes => json_of(envelope_schema(list("ContentType"), Some("ListMeta"))),
        ReplyKind::ContentType => json_of(remarked_schema("ContentType")),
        ReplyKind::Entries => json_of(envelope_schema(list(entry), Some("ListMeta"))),
        ReplyKind::Entry => json_of(remarked_schema(entry)),
        ReplyKind::Media => json_of(envelope_schema(list("MediaItem"), Some("MediaListMeta"))),
        ReplyKind::MediaItem => {
            json_of(envelope_schema(json_schema::schema_ref("MediaItem"), None))
        }
        ReplyKind::CategorisedItem => {
            json_of(envelope_schema(json_schema::schema_ref("MediaItem"), Some("Categories")))
        }
        ReplyKind::MediaItems => json_of(envelope_schema(list("MediaItem"), None)),
        ReplyKind::Uploaded => json_of(envelope_schema(list("MediaItem"), Some("UploadMeta"))),
        ReplyKind::Category => {
            json_of(envelope_schema(json_schema::schema_ref("Category"), Some("Categories")))
        }
        ReplyKind::Done => json_of(envelope_schema(json_schema::schema_ref("Done"), None)),
        ReplyKind::CategoryDone => {
            json_of(envelope_schema(json_schema::schema_ref("Done"), Some("Categories")))
        }
        ReplyKind::OpenApi => json_of(openapi_document()),
        ReplyKind::File => json!({ "*/*": {} }),
        ReplyKind::Picture => json!({ "image/jpeg": {}, "image/png": {} }),
        ReplyKind::Of(of) => json_of(admin_envelope(json_schema::schema_ref(&of.schema_name()))),
        ReplyKind::ListOf(of) => json_of(admin_envelope(list(&of.schema_name()))),
        ReplyKind::TaggedLines | ReplyKind::Lines => json!({ "application/x-ndjson": {} }),
        ReplyKind::Events => json!({ "text/event-stream": {} }),
        ReplyKind::Atom => json!({ "application/atom+xml": {} }),
        ReplyKind::JsonFeed => json!({ "application/feed+json": {} }),
        ReplyKind::Sitemap => json!({ "application/xml": {} }),
        ReplyKind::Plain | ReplyKind::TypeScript => json!({ "text/plain": {} }),
    };
    let mut headers = vec!["X-Request-Id", "Cache-Control"];
    headers.extend(route.is_tagged().then_some("ETag"));
    headers.extend((route.creates && route.is_tagged()).then_some("Location"));
    if route.gives == ReplyKind::File {
        headers.extend(["Last-Modified", "Accept-Ranges"]);
    }
    let about = match (route.is_mutation(), route.creates) {
        (false, _) => "The requested resource.",
        (true, false) => "The resource after the change.",
        (true, true) => "The created resource.",
    };
    json!({
        "description": about,
        "headers": header_references(&headers),
        "content": content,
    })
}

/// The envelope of the admin API, with any `meta`.
fn admin_envelope(data: Value) -> Value {
    let mut schema = envelope_schema(data, None);
    schema["properties"]["meta"] = json!({ "type": "object" });
    schema
}

/// Returns the schema of an OpenAPI document.
fn openapi_document() -> Value {
    let properties = json!({
        "openapi": { "type": "string", "description": "The version of OpenAPI." },
        "info": { "type": "object", "description": "Information about the API." },
    });
    json!({ "type": "object", "required": ["openapi", "info"], "properties": properties })
}

fn envelope_schema(data: Value, meta: Option<&str>) -> Value {
    let Some(meta) = meta else {
        return json!({ "type": "object", "required": ["data"], "properties": { "data": data } });
    };
    json!({
        "type": "object",
        "required": ["data", "meta"],
        "properties": { "data": data, "meta": json_schema::schema_ref(meta) },
    })
}

/// Returns the schema of a single resource, whose `meta` is present only if there are
/// warnings.
fn remarked_schema(name: &str) -> Value {
    let mut schema = envelope_schema(json_schema::schema_ref(name), None);
    schema["properties"]["meta"] = json_schema::schema_ref("Remarks");
    schema
}

/// Returns the statuses with which a route can fail, by its row of the table.
fn failure_statuses(route: &Route) -> BTreeSet<StatusCode> {
    let mut codes = vec![Code::ServerError, Code::BadRequest];
    let is_file = matches!(route.gives, ReplyKind::File | ReplyKind::Picture);
    codes.extend((route.access != Access::Monitor).then_some(Code::Unauthorized));
    // A file that a caller may not read is a 401, with any token.
    let asks =
        matches!(route.access, Access::Guest { .. } | Access::Token { .. } | Access::AnyToken);
    let may_refuse = asks && !is_file;
    codes.extend(may_refuse.then_some(Code::Forbidden));
    codes.extend(route.param_names().next().map(|_| Code::NotFound));
    codes.extend((route.gives == ReplyKind::File).then_some(Code::RangeNotSatisfiable));
    let checked = matches!(route.gives, ReplyKind::Entries | ReplyKind::Entry | ReplyKind::Media);
    let refines = matches!(route.gives, ReplyKind::OpenApi | ReplyKind::File | ReplyKind::Sitemap);
    let checked = checked || refines;
    let checked = checked || route.body != BodyKind::None || route.gives == ReplyKind::CategoryDone;
    let lines = matches!(route.gives, ReplyKind::TaggedLines | ReplyKind::Lines);
    let follows = !route.is_admin() && matches!(route.gives, ReplyKind::Lines | ReplyKind::Events);
    // Those that follow are limited anyway, others where the operator wants it.
    codes.extend((route.access != Access::Monitor).then_some(Code::RateLimited));
    codes.extend((route.gives == ReplyKind::Lines).then_some(Code::StartAgain));
    let checked = checked || lines || follows;
    codes.extend(checked.then_some(Code::ValidationFailed));
    // The files of `…/files` name the state that they replace in the body.
    let is_conditional = route.is_conditional() || route.name == "replication.write";
    codes.extend(is_conditional.then_some(Code::PreconditionFailed));
    if route.body != BodyKind::None {
        codes.extend([Code::TooSlow, Code::PayloadTooLarge, Code::UnsupportedMediaType]);
    }
    if route.is_mutation() {
        codes.extend([Code::Conflict, Code::InsufficientStorage]);
    }
    codes.extend((route.run != RunMode::Inline).then_some(Code::StorageUnavailable));
    let refusals =
        [HeadRefusal::TargetTooLong, HeadRefusal::TooManyHeaders].map(HeadRefusal::status);
    codes.into_iter().map(error::status_of).chain(refusals).collect()
}

fn failure_response(status: StatusCode) -> Value {
    let of_status = |it: &Code| error::status_of(*it) == status && !it.is_admin_only();
    let mut codes: Vec<Code> = Code::ALL.iter().copied().filter(of_status).collect();
    if codes.is_empty() {
        // Requests refused before they are read have only this code.
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
        "content": { "application/json": { "schema": json_schema::schema_ref("Error") } },
    })
}

/// Returns the name of a failure's shared response: its reason phrase without spaces.
fn failure_name(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or("Error").replace(' ', "")
}

fn response_ref(name: &str) -> Value {
    json!({ "$ref": format!("#/components/responses/{name}") })
}

fn header_references(names: &[&str]) -> Map<String, Value> {
    let reference = |it: &str| json!({ "$ref": format!("#/components/headers/{it}") });
    names.iter().map(|it| (it.to_string(), reference(it))).collect()
}
