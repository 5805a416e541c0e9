//! The routes of `/admin/api/events` and `presence`: live events, and the users looking at an
//! entry.

use http::HeaderName;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::content::presence;
use crate::app::content::presence::Person;
use crate::app::content::presence::PresenceReport;
use crate::app::error::Result;
use crate::http::api::admin::access::ANY;
use crate::http::api::live;
use crate::http::api::live::LiveRequest;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::query;
use crate::http::wire::reply::Reply;

const EVENTS: &[QueryParam] = &[
    query(
        "workspace",
        QueryKind::Text,
        "Only events of this workspace, and events of no workspace.",
    ),
    query("last_event_id", QueryKind::Text, "The same as the header `Last-Event-ID`."),
    query(
        "wait",
        QueryKind::OneOf(&["0", "1"]),
        "`0` returns the missed events and ends the stream.",
    ),
];

/// The longest event id with which a client may reconnect.
const ID_BYTES_MAX: usize = 64;

const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream; charset=utf-8");

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        get("admin.events.stream", "/admin/api/events", ANY, stream_events).query(EVENTS).gives(ReplyKind::Events)
            .with_summary("Streams the events that the caller may read."),
        post("admin.events.presence", "/admin/api/presence", ANY, report_presence).in_workspace()
            .takes_json(JsonInputKind::of::<PresenceReport>()).gives(ReplyKind::of::<PresenceReply>())
            .with_summary("Reports for 45 seconds that the caller is viewing an entry, and returns the others who are."),
    ]
}

/// Streams live events.
pub fn stream_events(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let sent = call.head.headers.get("last-event-id").and_then(|it| it.to_str().ok());
    let last_id = sent.or_else(|| params.get("last_event_id"));
    let request = LiveRequest {
        last_id: last_id
            .filter(|it| !it.is_empty())
            .map(|it| it.chars().take(ID_BYTES_MAX).collect()),
        workspace: params.get("workspace").filter(|it| !it.is_empty()).map(str::to_string),
        // A `HEAD` request receives no events.
        waits: params.get("wait") != Some("0") && call.head.method != http::Method::HEAD,
    };
    let body = live::open_stream(&call.state, &call.caller, request)?;
    let reply = Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, EVENT_STREAM)
        // Tells proxies to pass on events without buffering.
        .with_header(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(reply.with_body(body).into())
}

/// The other users at an entry.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PresenceOthers")]
struct PresenceReply {
    /// The other users who view the entry.
    users: Vec<Person>,
    /// The number of seconds for which a report counts.
    seconds: i64,
}

/// Records the presence of the caller at an entry, and returns the other users there.
pub fn report_presence(call: &Call) -> Result<HandlerOutcome> {
    let (app, body) = (call.app(), call.parse_json()?);
    let now = app.engine.clock().now();
    let (reported, signal) = app.presence.update(call.snapshot()?, &call.caller, &body, now)?;
    if let Some(replica) = app.engine.folder().replica()
        && let Err(error) = replica.send_signal(&signal)
    {
        tracing::debug!(%error, "other servers do not know who looks at an entry");
    }
    if let Some(presence_update) = reported.changed {
        call.state.live_hub.publish_presence(presence_update);
    }
    let others = PresenceReply { users: reported.others, seconds: presence::SECONDS };
    Ok(reply_data(call, others)?.into())
}
