//! Streams of what changes for a reader of the public API: the lines of `…/sync` as they come.
//!
//! Each stream has a task that wakes up when another snapshot is served, looks for what that
//! changes for its reader, and passes it on as fast as the client reads. A change that only others
//! see wakes it up in vain, and is never told.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use tokio::time::interval;
use tokio::time::timeout;

use crate::app::access::Caller;
use crate::app::content::sync::FollowStep;
use crate::app::content::sync::Following;
use crate::app::content::sync::LineStream;
use crate::app::content::sync::cursor::Cursor;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::request::blocking_pool::PoolShare;
use crate::http::request::call::Call;
use crate::http::request::call::PathParams;
use crate::http::request::identify;
use crate::http::request::lifecycle;
use crate::http::request::live_hub::StreamSlot;
use crate::http::request::route::Route;
use crate::http::request::state::ServerState;
use crate::http::wire::headers::Client;
use crate::http::wire::headers::SentFields;
use crate::http::wire::reply::ReplyBody;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::params::QueryParams;

/// The number of frames that wait for a client.
const UNREAD_MAX: usize = 2;

/// The time after which a client that reads nothing is disconnected. It may come back with the
/// cursor of what it has.
const UNREAD_FOR: Duration = Duration::from_secs(60);

/// The interval of heartbeats, which show that the stream is alive, and check the token.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// One stream, with what it takes to find its reader and the workspace again.
struct ContentStream {
    state: Arc<ServerState>,
    route: &'static Route,
    head: Parts,
    sent: SentFields,
    path: PathParams,
    client: Client,
    params: QueryParams,
    seen: Arc<Snapshot>,
    following: Following,
    share: PoolShare,
    _slot: StreamSlot,
}

/// Opens a stream. Returns the body of its response.
pub(crate) fn open_stream(call: &Call) -> Result<ReplyBody> {
    let (state, caller) = (&call.state, &call.caller);
    let anonymous_max = state.options.live_streams_anonymous_max;
    if caller.is_anonymous() && anonymous_max == 0 {
        return Err(Error::unauthorized(
            "This server sends live events only to readers with a \
                                        token.",
        ));
    }
    let params = call.parse_query()?;
    let sent = call.head.headers.get("last-event-id").and_then(|it| it.to_str().ok());
    let since = sent.or_else(|| params.get("since")).filter(|it| !it.is_empty());
    let seen = call.snapshot()?.clone();
    let slot = StreamSlot::acquire_public(&state.live_hub, caller, call.client, anonymous_max)?;
    let (following, first) = Following::begin(call.app(), &seen, caller, &params, since)?;
    if params.get("wait") == Some("0") {
        return Ok(end_at_once(state, following.cursor(), first));
    }
    let (out, body) = mpsc::channel(UNREAD_MAX);
    let stream = ContentStream {
        state: state.clone(),
        route: call.route,
        head: call.head.clone(),
        sent: call.sent,
        path: call.params.clone(),
        client: call.client,
        params,
        seen,
        following,
        share: call.pool_share(),
        _slot: slot,
    };
    tokio::spawn(async move {
        let begin = render_begin(stream.following.cursor(), &first);
        if send(&out, begin.into()).await.is_some() {
            stream.run(first, out).await;
        }
    });
    Ok(ReplyBody::Live(body))
}

/// Returns a body that ends after what the reader has missed.
fn end_at_once(state: &Arc<ServerState>, cursor: Cursor, first: FollowStep) -> ReplyBody {
    let begin = Bytes::from(render_begin(cursor, &first));
    let FollowStep::Lines(mut lines) = first else { return begin.into() };
    let state = state.clone();
    let frames = std::iter::from_fn(move || lines.next_frame(&state.app));
    ReplyBody::from_frames(std::iter::once(begin).chain(frames).map(Ok))
}

impl ContentStream {
    /// Sends one step after the other, until somebody ends it.
    async fn run(mut self, first: FollowStep, out: mpsc::Sender<Bytes>) -> Option<()> {
        let mut beat = interval(HEARTBEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        beat.reset();
        let mut step = first;
        loop {
            if let FollowStep::Lines(lines) = step {
                self.send_lines(lines, &out).await?;
            }
            step = self.next_step(&out, &mut beat).await?;
            if let FollowStep::Reset(cursor) = step {
                send(&out, render_reset(cursor).into()).await?;
            }
        }
    }

    /// Waits for a change of the content. Returns nothing when the stream is over.
    async fn next_step(
        &mut self,
        out: &mpsc::Sender<Bytes>,
        beat: &mut tokio::time::Interval,
    ) -> Option<FollowStep> {
        let mut stopped = self.state.live_hub.watch_stop();
        loop {
            let is_beat = tokio::select! {
                biased;
                _ = stopped.wait_for(|it| *it) => return None,
                () = out.closed() => return None,
                () = self.state.live_hub.wait_for_other(&self.state.app, &self.seen) => false,
                _ = beat.tick() => true,
            };
            let (caller, snapshot) = self.find_again()?;
            if is_beat {
                send(out, Bytes::from_static(b": \n\n")).await?;
                continue;
            }
            self.seen = snapshot.clone();
            return self.look(caller, snapshot).await;
        }
    }

    /// Returns the reader and the workspace as they are now; nothing if either is gone.
    fn find_again(&self) -> Option<(Caller, Arc<Snapshot>)> {
        let Self { state, route, head, .. } = self;
        let caller = identify::identify_caller(state, route, head, self.sent, self.client).ok()?;
        let found = lifecycle::resolve_workspace(state, route, head, &self.path).ok()?;
        Some((caller, found?))
    }

    /// Looks on a blocking thread at what changed.
    async fn look(&mut self, caller: Caller, snapshot: Arc<Snapshot>) -> Option<FollowStep> {
        let (state, params) = (self.state.clone(), self.params.clone());
        let mut following = self.following.clone();
        let work = move || {
            let step = following.step(&state.app, &snapshot, &caller, &params);
            (following, step)
        };
        let (following, step) = self.state.blocking_pool.run(self.share, work).await.ok()?;
        self.following = following;
        step.ok()
    }

    /// Sends lines as fast as the client reads them.
    async fn send_lines(&self, mut lines: LineStream, out: &mpsc::Sender<Bytes>) -> Option<()> {
        loop {
            let state = self.state.clone();
            let work = move || {
                let frame = lines.next_frame(&state.app);
                (lines, frame)
            };
            let (rest, frame) = self.state.blocking_pool.run(self.share, work).await.ok()?;
            let Some(frame) = frame else { return Some(()) };
            send(out, frame).await?;
            lines = rest;
        }
    }
}

/// Sends a piece. Returns nothing if the client does not read, or is gone.
async fn send(out: &mpsc::Sender<Bytes>, piece: Bytes) -> Option<()> {
    timeout(UNREAD_FOR, out.send(piece)).await.ok()?.ok()
}

/// Renders the start of a stream. It has a cursor only where nothing was missed: a client that
/// loses the connection before it has the lines must not come back as if it had them.
fn render_begin(cursor: Cursor, first: &FollowStep) -> String {
    let event = match first {
        FollowStep::Lines(_) => String::new(),
        FollowStep::Reset(_) => render_reset(cursor),
        FollowStep::Nothing => {
            format!("id: {cursor}\nevent: ready\ndata: {{\"cursor\":\"{cursor}\"}}\n\n")
        }
    };
    format!("retry: 3000\n\n{event}")
}

/// Renders the event that tells the client to load the bundle again.
fn render_reset(cursor: Cursor) -> String {
    format!("id: {cursor}\nevent: reset\ndata: {{\"cursor\":\"{cursor}\"}}\n\n")
}
