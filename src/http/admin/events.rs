//! `/admin/api/events` and `presence`: what happens, while it happens, and who looks at what.

use http::HeaderName;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use serde::Serialize;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::presence;
use crate::app::presence::Person;
use crate::http::admin::ANY;
use crate::http::admin::envelope;
use crate::http::call::Call;
use crate::http::live;
use crate::http::live::Wish;
use crate::http::reply::Reply;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Takes;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::route::query;
use crate::query::params::Params;

const EVENTS: &[Query] = &[
    query("workspace", QueryKind::Text, "What happens in this workspace alone, and in none."),
    query("last_event_id", QueryKind::Text, "As the header `Last-Event-ID`."),
    query("wait", QueryKind::OneOf(&["0", "1"]), "With `0` what was missed is all there is."),
];

/// How long an id may be that somebody comes back with.
const ID_BYTES_MAX: usize = 64;

const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream; charset=utf-8");

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    vec![
        get("admin.events.stream", "/admin/api/events", ANY, stream).query(EVENTS).gives(Gives::Events)
            .about("Tells what happens while it happens, as far as one may read what it happens to."),
        post("admin.events.presence", "/admin/api/presence", ANY, say).scoped()
            .takes(Takes::Admin("Presence")).gives(Gives::Admin("PresenceOthers"))
            .about("Tells others that one looks at an entry, which counts for 45 seconds, and who else does."),
    ]
}

/// What happens.
pub fn stream(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let sent = call.head.headers.get("last-event-id").and_then(|it| it.to_str().ok());
    let last_id = sent.or_else(|| params.get("last_event_id"));
    let wish = Wish {
        last_id: last_id
            .filter(|it| !it.is_empty())
            .map(|it| it.chars().take(ID_BYTES_MAX).collect()),
        workspace: params.get("workspace").filter(|it| !it.is_empty()).map(str::to_string),
        // Whoever asks for the head alone hears nothing.
        waits: params.get("wait") != Some("0") && call.head.method != http::Method::HEAD,
    };
    let body = live::stream(&call.shared, &call.caller, wish)?;
    let reply = Reply::new(StatusCode::OK)
        .with(header::CONTENT_TYPE, EVENT_STREAM)
        // Proxies pass on what they get at once.
        .with(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(reply.with_body(body).into())
}

#[derive(Serialize)]
struct Others {
    users: Vec<Person>,
    seconds: i64,
}

/// Who looks at an entry.
pub fn say(call: &Call) -> Result<Outcome> {
    let said = presence::say(call.app(), call.snapshot()?, &call.caller, &call.json()?)?;
    if let Some(gathering) = said.changed {
        call.shared.hub.tell_presence(gathering);
    }
    let others = Others { users: said.others, seconds: presence::SECONDS };
    Ok(envelope(call, others)?.into())
}
