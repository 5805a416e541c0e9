//! Live streams: events that are passed on to the clients that may see them.
//!
//! The layers below emit events by plain calls on the thread of the change; these calls only send
//! an item to a channel. Each stream has a task that receives items, checks the current permissions
//! of its user, and passes text to the response body. Nothing waits for a client: one that reads
//! too slowly is disconnected, and can reconnect with the id of the last event it received.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use tokio::time::interval;

use crate::app::access::Caller;
use crate::app::access::Login;
use crate::app::error::Result;
use crate::app::system::event_visibility::EventTarget;
use crate::app::system::event_visibility::EventVisibility;
use crate::app::system::problems;
use crate::engine::folder::problems::KnownProblem;
use crate::engine::folder::problems::ProblemTransition;
use crate::http::request::live_hub::LiveItem;
use crate::http::request::live_hub::StreamSlot;
use crate::http::request::state::ServerState;
use crate::http::wire::reply::ReplyBody;
use crate::model::event::EmittedEvent;
use crate::model::event::EventSource;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;

/// The number of pieces that a listener may leave unread.
const UNREAD_MAX: usize = 256;

/// The interval of heartbeats, which show all parties that the stream is alive, and check the
/// session.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// The parameters of a stream.
pub(crate) struct LiveRequest {
    /// The last event that the client received.
    pub(crate) last_id: Option<String>,
    /// The workspace to which events are limited, besides those of no workspace.
    pub(crate) workspace: Option<String>,
    /// True if the stream stays open for future events.
    pub(crate) waits: bool,
}

/// One stream.
struct LiveStream {
    state: Arc<ServerState>,
    login: Arc<Login>,
    workspace: Option<String>,
    items: broadcast::Receiver<LiveItem>,
    /// Events that were sent again at the beginning.
    replayed: HashSet<String>,
}

/// Opens a stream. Returns the body of its response.
pub(crate) fn open_stream(
    state: &Arc<ServerState>,
    caller: &Caller,
    request: LiveRequest,
) -> Result<ReplyBody> {
    let login = caller.require_login()?.clone();
    let user = login.account.record.id.to_string();
    // From here on nothing is missed, and what has happened by now is in the ring.
    let items = state.live_hub.subscribe();
    let (workspace, replayed) = (request.workspace, HashSet::new());
    let mut stream = LiveStream { state: state.clone(), login, workspace, items, replayed };
    let begin = stream.render_start(caller, request.last_id.as_deref());
    if !request.waits {
        return Ok(ReplyBody::Full(begin.into()));
    }
    let slot = StreamSlot::acquire(&state.live_hub, user)?;
    let (out, body) = mpsc::channel(UNREAD_MAX);
    // The channel is empty, so there is room.
    let _ = out.try_send(begin.into());
    tokio::spawn(async move {
        stream.run(out).await;
        drop(slot);
    });
    Ok(ReplyBody::Live(body))
}

impl LiveStream {
    async fn run(mut self, out: mpsc::Sender<Bytes>) {
        let mut stopped = self.state.live_hub.watch_stop();
        let mut beat = interval(HEARTBEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        beat.reset();
        loop {
            let text = tokio::select! {
                biased;
                _ = stopped.wait_for(|it| *it) => return,
                () = out.closed() => return,
                item = self.items.recv() => match item {
                    Ok(item) => self.render_item(&item),
                    Err(RecvError::Lagged(_)) => self.current_caller().map(|_| self.render_reset()),
                    Err(RecvError::Closed) => return,
                },
                _ = beat.tick() => self.render_heartbeat(),
            };
            // The session has ended.
            let Some(text) = text else { return };
            if !text.is_empty() && out.try_send(text.into()).is_err() {
                // The client does not read, or is gone. It may reconnect with its last id.
                return;
            }
        }
    }

    /// Renders the start of a stream: missed events, or the current position.
    fn render_start(&mut self, caller: &Caller, last_id: Option<&str>) -> String {
        let app = &self.state.app;
        let mut text = "retry: 3000\n\n".to_string();
        match last_id.map(|it| (it, self.state.live_hub.events_after(app, it))) {
            Some((last_id, Some(missed))) => {
                let mut visibility = EventVisibility::new(&app.engine, caller);
                let relevant = missed.iter().filter(|it| self.is_relevant(it.workspace.as_ref()));
                for event in relevant.filter(|it| it.event.kind.is_live()) {
                    if visibility.may_see_event(event) {
                        write_event(
                            &mut text,
                            event.event.kind.as_str(),
                            Some(&event.id),
                            &ChangeEvent::from_event(event),
                        );
                    }
                }
                self.replayed = missed.iter().map(|it| it.id.clone()).collect();
                let last_id = missed.last().map_or(last_id, |it| it.id.as_str());
                write_event(&mut text, "ready", Some(last_id), &ReadyEvent { resumed: true });
            }
            Some((_, None)) => text.push_str(&self.render_reset()),
            None => write_event(
                &mut text,
                "ready",
                Some(&self.state.live_hub.last_position(&self.state.app)),
                &ReadyEvent { resumed: false },
            ),
        }
        text
    }

    /// Renders the event that tells the client to reload everything, because some events are lost.
    fn render_reset(&self) -> String {
        let mut text = String::new();
        write_event(
            &mut text,
            "reset",
            Some(&self.state.live_hub.last_position(&self.state.app)),
            &ReadyEvent { resumed: false },
        );
        text
    }

    /// Returns the listener with its current permissions.
    fn current_caller(&self) -> Option<Caller> {
        Caller::refresh_login(&self.state.app.engine, &self.login)
    }

    fn render_heartbeat(&self) -> Option<String> {
        let app = &self.state.app;
        for presence in app.presence.expire_stale(app.engine.clock().now()) {
            self.state.live_hub.publish_presence(presence);
        }
        self.current_caller().map(|_| ": \n\n".to_string())
    }

    /// Renders an item; empty if the user may not see it, `None` if the session has ended.
    fn render_item(&mut self, item: &LiveItem) -> Option<String> {
        let caller = self.current_caller()?;
        let engine = &self.state.app.engine;
        let mut visibility = EventVisibility::new(engine, &caller);
        let mut text = String::new();
        match item {
            LiveItem::Event(event) => {
                let is_news = !self.replayed.remove(&event.id) && event.event.kind.is_live();
                if is_news
                    && self.is_relevant(event.workspace.as_ref())
                    && visibility.may_see_event(event)
                {
                    write_event(
                        &mut text,
                        event.event.kind.as_str(),
                        Some(&event.id),
                        &ChangeEvent::from_event(event),
                    );
                }
            }
            LiveItem::Problem(transition, known) => {
                let on = Resource::Whole(Area::Settings);
                let problem = ProblemEvent::from_problem(known);
                let here = problem.workspace.as_deref().is_none_or(|it| self.covers_workspace(it));
                if here && caller.has_any_grant("", Action::SettingsRead, &on) {
                    let name = if *transition == ProblemTransition::Found {
                        "problem.found"
                    } else {
                        "problem.solved"
                    };
                    write_event(&mut text, name, None, &problem);
                }
            }
            LiveItem::Presence(presence) => {
                let place = &presence.place;
                let (type_name, id) = (place.type_name.as_str(), place.id.as_str());
                let about = EventTarget::Entry { type_name, id, slug: "", status: "draft" };
                let workspace = Some(place.workspace.as_str());
                if self.covers_workspace(&place.workspace)
                    && visibility.may_see_target(workspace, about)
                {
                    write_event(&mut text, "presence", None, &**presence);
                }
            }
        }
        Some(text)
    }

    fn is_relevant(&self, workspace: Option<&WorkspaceSlug>) -> bool {
        workspace.is_none_or(|it| self.covers_workspace(it.as_str()))
    }

    fn covers_workspace(&self, workspace: &str) -> bool {
        self.workspace.as_deref().is_none_or(|it| it == workspace)
    }
}

#[derive(Serialize)]
struct ReadyEvent {
    resumed: bool,
}

/// An event in the form of webhooks, with its author.
#[derive(Serialize)]
struct ChangeEvent<'a> {
    id: &'a str,
    event: &'static str,
    occurred_at: Timestamp,
    workspace: Option<&'a str>,
    source: EventSource,
    user_id: Option<&'a str>,
    user_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_change: Option<&'a str>,
    data: &'a Subject,
}

impl ChangeEvent<'_> {
    fn from_event(event: &EmittedEvent) -> ChangeEvent<'_> {
        let by = event.event.by.as_ref();
        ChangeEvent {
            id: &event.id,
            event: event.event.kind.as_str(),
            occurred_at: event.at,
            workspace: event.workspace.as_ref().map(WorkspaceSlug::as_str),
            source: event.event.source,
            user_id: by.map(|it| it.id.as_str()),
            user_name: by.map(|it| it.name.as_str()),
            in_change: event.event.in_change.as_deref(),
            data: &event.event.subject,
        }
    }
}

#[derive(Serialize)]
struct ProblemEvent<'a> {
    id: String,
    kind: &'static str,
    workspace: Option<String>,
    path: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    message: &'a str,
    since: Timestamp,
}

impl ProblemEvent<'_> {
    fn from_problem(known: &KnownProblem) -> ProblemEvent<'_> {
        let problem = &known.problem;
        ProblemEvent {
            id: problems::problem_id(problem),
            kind: problem.kind.as_str(),
            workspace: problems::problem_workspace(problem).map(|it| it.to_string()),
            path: &problem.path,
            line: problem.line,
            column: problem.column,
            message: &problem.message,
            since: known.since,
        }
    }
}

/// Writes an event. JSON contains no line breaks, so the data is one line.
fn write_event(out: &mut String, name: &str, id: Option<&str>, data: &impl Serialize) {
    // Strings, numbers and maps of them always serialise.
    let data = serde_json::to_string(data).unwrap_or_default();
    if let Some(id) = id {
        out.push_str(&format!("id: {id}\n"));
    }
    out.push_str(&format!("event: {name}\ndata: {data}\n\n"));
}
