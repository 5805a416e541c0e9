//! Live streams: what happens is passed on to whoever listens and may know of it.
//!
//! Below, things are told by plain calls, on the thread that made the change: these only hand an item
//! to a channel. Each stream has a task that takes items from there, asks who its listener is by now
//! and what they may know, and hands text to the body of the response. Nothing waits for a listener:
//! one that reads too slowly is cut, and comes back with the id of the last event it has.

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio::time::interval;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Login;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::presence::Gathering;
use crate::app::problems;
use crate::app::witness::About;
use crate::app::witness::Witness;
use crate::engine::problems::Known;
use crate::engine::problems::Turn;
use crate::http::reply::ReplyBody;
use crate::http::service::Shared;
use crate::model::event::Source;
use crate::model::event::Subject;
use crate::model::event::Told;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;

/// How many streams there are at a time: as many as the connections that a server has unless it is
/// told otherwise. Each looks at every event, which takes microseconds.
const STREAMS_MAX: usize = 4_096;

/// How many live streams one user may have, unless something else is set: tabs, on all machines.
pub const STREAMS_OF_ONE_MAX: usize = 20;

/// When to come back if there is no place for a stream, in seconds.
const RETRY_SECONDS: u32 = 30;

/// How many items a stream may be behind before it loses some, and is told so.
const BEHIND_MAX: usize = 1_024;

/// How many pieces a listener may leave unread.
const UNREAD_MAX: usize = 256;

/// How often something is sent when nothing happens, so that everybody on the way knows that the
/// stream is alive, and that the session is looked at.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Something that happened.
#[derive(Clone)]
enum Item {
    Told(Arc<Told>),
    Problem(Turn, Arc<Known>),
    Presence(Arc<Gathering>),
}

/// All streams.
pub(crate) struct Hub {
    items: broadcast::Sender<Item>,
    stopped: watch::Sender<bool>,
    places: Mutex<Places>,
    /// The id of what was before the first event.
    origin: String,
}

/// Who has how many streams.
struct Places {
    open: HashMap<String, usize>,
    /// How many a user may have; 0 for any number.
    of_one_max: usize,
}

impl Places {
    /// A place for one more stream of a user.
    fn take(&mut self, user: &str) -> Result<()> {
        let all: usize = self.open.values().sum();
        let of_one = self.open.get(user).copied().unwrap_or_default();
        if all >= STREAMS_MAX {
            let message = format!("{STREAMS_MAX} live streams are open, which is the most.");
            return Err(Error::rate_limited(message, RETRY_SECONDS));
        }
        if self.of_one_max > 0 && of_one >= self.of_one_max {
            let message = format!(
                "You have {of_one} open live streams, the limit `live.max_streams_per_user`."
            );
            return Err(Error::rate_limited(message, RETRY_SECONDS));
        }
        self.open.insert(user.to_string(), of_one + 1);
        Ok(())
    }

    fn leave(&mut self, user: &str) {
        match self.open.get_mut(user) {
            Some(streams) if *streams > 1 => *streams -= 1,
            _ => _ = self.open.remove(user),
        }
    }
}

/// What a stream is asked for.
pub(super) struct Wish {
    /// The last event that the listener has.
    pub(super) last_id: Option<String>,
    /// What happens in this workspace alone, and in none.
    pub(super) workspace: Option<String>,
    /// Whether to wait for what has not happened yet.
    pub(super) waits: bool,
}

impl Hub {
    /// Listens to everything from now on.
    pub(super) fn new(app: &App, of_one_max: usize) -> Hub {
        let (items, _) = broadcast::channel(BEHIND_MAX);
        let sender = items.clone();
        // Without anybody who listens, nobody is told.
        app.engine.feed().listen(move |told| _ = sender.send(Item::Told(told.clone())));
        let sender = items.clone();
        app.engine.problems().listen(move |turn, known| {
            if sender.receiver_count() > 0 {
                _ = sender.send(Item::Problem(turn, Arc::new(known.clone())));
            }
        });
        let (stopped, _) = watch::channel(false);
        let origin = app.engine.new_id().to_string();
        let places = Mutex::new(Places { open: HashMap::new(), of_one_max });
        Hub { items, stopped, places, origin }
    }

    /// Ends all streams, and those that are begun from now on.
    pub(super) fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// Tells who looks at an entry by now.
    pub(super) fn tell_presence(&self, gathering: Gathering) {
        _ = self.items.send(Item::Presence(Arc::new(gathering)));
    }

    /// How many streams are open.
    pub(super) fn n_open(&self) -> usize {
        self.lock().open.values().sum()
    }

    // The places are whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What happened after an event, and the id to go on from; nothing when there is a gap.
    fn after(&self, app: &App, id: &str) -> Option<Vec<Arc<Told>>> {
        let feed = app.engine.feed();
        if id == self.origin { feed.since_start() } else { feed.after(id) }
    }
}

/// One stream.
struct Stream {
    shared: Arc<Shared>,
    login: Arc<Login>,
    workspace: Option<String>,
    news: broadcast::Receiver<Item>,
    /// Events that were sent again at the beginning.
    replayed: HashSet<String>,
}

/// Frees the place of a stream, however it ends.
struct Seat {
    shared: Arc<Shared>,
    user: String,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.shared.hub.lock().leave(&self.user);
    }
}

/// Begins a stream; the body of its response.
pub(super) fn stream(shared: &Arc<Shared>, caller: &Caller, wish: Wish) -> Result<ReplyBody> {
    let login = caller.login()?.clone();
    let user = login.account.record.id.to_string();
    // From here on nothing is missed, and what has happened by now is in the ring.
    let news = shared.hub.items.subscribe();
    let (workspace, replayed) = (wish.workspace, HashSet::new());
    let mut stream = Stream { shared: shared.clone(), login, workspace, news, replayed };
    let begin = stream.begin(caller, wish.last_id.as_deref());
    if !wish.waits {
        return Ok(ReplyBody::Full(begin.into()));
    }
    shared.hub.lock().take(&user)?;
    let seat = Seat { shared: shared.clone(), user };
    let (out, body) = mpsc::channel(UNREAD_MAX);
    // The channel is empty, so there is room.
    let _ = out.try_send(begin.into());
    tokio::spawn(async move {
        stream.run(out).await;
        drop(seat);
    });
    Ok(ReplyBody::Live(body))
}

impl Stream {
    async fn run(mut self, out: mpsc::Sender<Bytes>) {
        let mut stopped = self.shared.hub.stopped.subscribe();
        let mut beat = interval(HEARTBEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        beat.reset();
        loop {
            let text = tokio::select! {
                biased;
                _ = stopped.wait_for(|it| *it) => return,
                () = out.closed() => return,
                item = self.news.recv() => match item {
                    Ok(item) => self.told(&item),
                    Err(RecvError::Lagged(_)) => self.alive().map(|_| self.reset()),
                    Err(RecvError::Closed) => return,
                },
                _ = beat.tick() => self.beat(),
            };
            // The session has ended.
            let Some(text) = text else { return };
            if !text.is_empty() && out.try_send(text.into()).is_err() {
                // It does not read, or is gone. It may come back with the last id it has.
                return;
            }
        }
    }

    /// What a stream begins with: what was missed, or from where on it tells.
    fn begin(&mut self, caller: &Caller, last_id: Option<&str>) -> String {
        let app = &self.shared.app;
        let mut text = "retry: 3000\n\n".to_string();
        match last_id.map(|it| (it, self.shared.hub.after(app, it))) {
            Some((last_id, Some(missed))) => {
                let mut witness = Witness::new(&app.engine, caller);
                let news = missed.iter().filter(|it| self.concerns(it.workspace.as_ref()));
                for told in news.filter(|it| it.event.kind.is_hookable()) {
                    if witness.may_know_of(told) {
                        event(
                            &mut text,
                            told.event.kind.as_str(),
                            Some(&told.id),
                            &Happened::of(told),
                        );
                    }
                }
                self.replayed = missed.iter().map(|it| it.id.clone()).collect();
                let last_id = missed.last().map_or(last_id, |it| it.id.as_str());
                event(&mut text, "ready", Some(last_id), &Ready { resumed: true });
            }
            Some((_, None)) => text.push_str(&self.reset()),
            None => event(&mut text, "ready", Some(&self.position()), &Ready { resumed: false }),
        }
        text
    }

    /// Some events are lost to the listener, who has to look for itself what is there by now.
    fn reset(&self) -> String {
        let mut text = String::new();
        event(&mut text, "reset", Some(&self.position()), &Ready { resumed: false });
        text
    }

    /// The id from which on nothing has happened.
    fn position(&self) -> String {
        let last = self.shared.app.engine.feed().last_id();
        last.unwrap_or_else(|| self.shared.hub.origin.clone())
    }

    /// Whoever listens, with what they may do by now.
    fn alive(&self) -> Option<Caller> {
        Caller::still(&self.shared.app.engine, &self.login)
    }

    fn beat(&self) -> Option<String> {
        let app = &self.shared.app;
        for gathering in app.presence.forget(app.engine.clock().now()) {
            self.shared.hub.tell_presence(gathering);
        }
        self.alive().map(|_| ": \n\n".to_string())
    }

    /// An item as this listener is told of it: nothing, when they may not know of it.
    fn told(&mut self, item: &Item) -> Option<String> {
        let caller = self.alive()?;
        let engine = &self.shared.app.engine;
        let mut witness = Witness::new(engine, &caller);
        let mut text = String::new();
        match item {
            Item::Told(told) => {
                let is_news = !self.replayed.remove(&told.id) && told.event.kind.is_hookable();
                if is_news && self.concerns(told.workspace.as_ref()) && witness.may_know_of(told) {
                    event(&mut text, told.event.kind.as_str(), Some(&told.id), &Happened::of(told));
                }
            }
            Item::Problem(turn, known) => {
                let on = Resource::Whole(Area::Settings);
                let trouble = Trouble::of(known);
                let here = trouble.workspace.as_deref().is_none_or(|it| self.is_of(it));
                if here && caller.could("", Action::SettingsRead, &on) {
                    let name =
                        if *turn == Turn::Found { "problem.found" } else { "problem.solved" };
                    event(&mut text, name, None, &trouble);
                }
            }
            Item::Presence(gathering) => {
                let place = &gathering.place;
                let (type_name, id) = (place.type_name.as_str(), place.id.as_str());
                let about = About::Entry { type_name, id, slug: "", status: "draft" };
                let workspace = Some(place.workspace.as_str());
                if self.is_of(&place.workspace) && witness.may_know(workspace, about) {
                    event(&mut text, "presence", None, &**gathering);
                }
            }
        }
        Some(text)
    }

    fn concerns(&self, workspace: Option<&WorkspaceSlug>) -> bool {
        workspace.is_none_or(|it| self.is_of(it.as_str()))
    }

    fn is_of(&self, workspace: &str) -> bool {
        self.workspace.as_deref().is_none_or(|it| it == workspace)
    }
}

#[derive(Serialize)]
struct Ready {
    resumed: bool,
}

/// An event as webhooks tell it, and who did it.
#[derive(Serialize)]
struct Happened<'a> {
    id: &'a str,
    event: &'static str,
    occurred_at: Timestamp,
    workspace: Option<&'a str>,
    source: Source,
    user_id: Option<&'a str>,
    user_name: Option<&'a str>,
    data: &'a Subject,
}

impl Happened<'_> {
    fn of(told: &Told) -> Happened<'_> {
        let by = told.event.by.as_ref();
        Happened {
            id: &told.id,
            event: told.event.kind.as_str(),
            occurred_at: told.at,
            workspace: told.workspace.as_ref().map(WorkspaceSlug::as_str),
            source: told.event.source,
            user_id: by.map(|it| it.id.as_str()),
            user_name: by.map(|it| it.name.as_str()),
            data: &told.event.subject,
        }
    }
}

#[derive(Serialize)]
struct Trouble<'a> {
    id: String,
    kind: &'static str,
    workspace: Option<String>,
    path: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    message: &'a str,
    since: Timestamp,
}

impl Trouble<'_> {
    fn of(known: &Known) -> Trouble<'_> {
        let problem = &known.problem;
        Trouble {
            id: problems::id_of(problem),
            kind: problem.kind.as_str(),
            workspace: problems::workspace_of(problem).map(|it| it.to_string()),
            path: &problem.path,
            line: problem.line,
            column: problem.column,
            message: &problem.message,
            since: known.since,
        }
    }
}

/// Writes an event. JSON has no line ends of its own, so it is one line.
fn event(out: &mut String, name: &str, id: Option<&str>, data: &impl Serialize) {
    // Strings, numbers and maps of them always serialise.
    let data = serde_json::to_string(data).unwrap_or_default();
    if let Some(id) = id {
        out.push_str(&format!("id: {id}\n"));
    }
    out.push_str(&format!("event: {name}\ndata: {data}\n\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_user_may_have_so_many_streams_and_all_may_have_more() {
        let mut places = Places { open: HashMap::new(), of_one_max: 20 };
        let told = |it: Result<()>| it.map_err(|error| (error.message, error.retry_after));
        for user in 0..STREAMS_MAX / 20 {
            for _ in 0..20 {
                assert_eq!(told(places.take(&format!("u{user}"))), Ok(()));
            }
        }
        assert!(places.open.values().sum::<usize>() > 4_000);
        let refused = |name: &str| {
            Err((format!("You have 20 open live streams, the limit `{name}`."), Some(30)))
        };
        assert_eq!(told(places.take("u7")), refused("live.max_streams_per_user"));
        places.leave("u7");
        assert_eq!(told(places.take("u7")), Ok(()));
        places.of_one_max = 0;
        while places.take("u7").is_ok() {}
        assert_eq!(places.open.values().sum::<usize>(), STREAMS_MAX);
        let full = format!("{STREAMS_MAX} live streams are open, which is the most.");
        assert_eq!(told(places.take("other")), Err((full, Some(30))));
        (0..STREAMS_MAX).for_each(|_| places.leave("u7"));
        assert!(!places.open.contains_key("u7"));
    }
}
