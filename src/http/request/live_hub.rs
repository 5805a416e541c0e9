//! The hub of live streams: what happens is handed to a channel that all of them read.
//!
//! Below, things are told by plain calls, on the thread that made the change: these only hand an
//! item to the channel, so nothing waits for a listener.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::presence::PresenceUpdate;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::folder::problems::KnownProblem;
use crate::engine::folder::problems::ProblemTransition;
use crate::http::wire::headers::Client;
use crate::http::wire::headers::client_block;
use crate::model::event::EmittedEvent;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::sync::Mutex;

/// The most live streams at a time: as many as the connections that a server accepts by default.
/// Each looks at every event, which takes microseconds.
const STREAMS_MAX: usize = 4_096;

/// The most live streams of one user unless something else is set: tabs, on all machines.
pub const STREAMS_OF_ONE_MAX: usize = 20;

/// The seconds after which a client may try again if there is no place for a stream.
const RETRY_SECONDS: u32 = 30;

/// The number of items that a stream may be behind before it loses some and is told so.
const BEHIND_MAX: usize = 1_024;

/// Something that happened.
#[derive(Clone)]
pub(crate) enum LiveItem {
    Event(Arc<EmittedEvent>),
    Problem(ProblemTransition, Arc<KnownProblem>),
    Presence(Arc<PresenceUpdate>),
}

/// The most anonymous readers who wait for changes of what is public.
const ANONYMOUS_WAITS_MAX: usize = 256;

/// The time between two looks at the content for one reader, while it changes all the time.
const LOOKS_APART: Duration = Duration::from_millis(200);

/// The prefix of the names of anonymous readers, which no user and no token has.
const ANONYMOUS: &str = "anonymous ";

/// The place of a stream or of a request that waits, given back when dropped.
pub(crate) struct StreamSlot {
    counts: Arc<Mutex<StreamCounts>>,
    reader: String,
}

impl StreamSlot {
    /// Acquires a place for a stream of a user.
    pub(crate) fn acquire(hub: &LiveHub, reader: String) -> Result<StreamSlot> {
        hub.counts.lock().acquire_slot(&reader)?;
        Ok(StreamSlot { counts: hub.counts.clone(), reader })
    }

    /// Acquires a place for a reader of the public API who waits for a change.
    pub(crate) fn acquire_wait(
        hub: &LiveHub,
        caller: &Caller,
        client: Client,
    ) -> Result<StreamSlot> {
        StreamSlot::acquire_public(hub, caller, client, ANONYMOUS_WAITS_MAX)
    }

    /// Acquires a place for a reader of the public API, of whom so many may be anonymous.
    pub(crate) fn acquire_public(
        hub: &LiveHub,
        caller: &Caller,
        client: Client,
        anonymous_max: usize,
    ) -> Result<StreamSlot> {
        if !caller.is_anonymous() {
            return StreamSlot::acquire(hub, caller.author_id_and_name().0);
        }
        hub.counts.lock().check_anonymous(anonymous_max)?;
        StreamSlot::acquire(hub, format!("{ANONYMOUS}{}", client_block(client.ip)))
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        self.counts.lock().release_slot(&self.reader);
    }
}

/// All streams.
pub(crate) struct LiveHub {
    items: broadcast::Sender<LiveItem>,
    stopped: watch::Sender<bool>,
    /// Changes whenever another snapshot is served.
    published: watch::Sender<()>,
    counts: Arc<Mutex<StreamCounts>>,
    /// The id of what was before the first event.
    origin: String,
}

/// The number of streams of each user.
struct StreamCounts {
    open: HashMap<String, usize>,
    /// The most streams of one user; 0 for no limit.
    of_one_max: usize,
}

impl StreamCounts {
    /// A place for one more stream of a user.
    fn acquire_slot(&mut self, user: &str) -> Result<()> {
        let all: usize = self.open.values().sum();
        let of_one = self.open.get(user).copied().unwrap_or_default();
        if all >= STREAMS_MAX {
            let message = format!("{STREAMS_MAX} live streams are open, which is the limit.");
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

    /// Checks that one more reader may be anonymous.
    fn check_anonymous(&self, most: usize) -> Result<()> {
        let anonymous = self.open.iter().filter(|(name, _)| name.starts_with(ANONYMOUS));
        let n_open: usize = anonymous.map(|(_, n)| n).sum();
        if n_open < most {
            return Ok(());
        }
        let message = format!(
            "{n_open} readers without a token are already connected, which is \
                               the limit."
        );
        Err(Error::rate_limited(message, RETRY_SECONDS))
    }

    fn release_slot(&mut self, user: &str) {
        match self.open.get_mut(user) {
            Some(streams) if *streams > 1 => *streams -= 1,
            _ => _ = self.open.remove(user),
        }
    }
}

impl LiveHub {
    /// Listens to everything from now on.
    pub(crate) fn new(app: &App, of_one_max: usize) -> LiveHub {
        let (items, _) = broadcast::channel(BEHIND_MAX);
        let sender = items.clone();
        // Without anybody who listens, nobody is event.
        app.engine
            .outbox()
            .feed()
            .add_listener(move |event| _ = sender.send(LiveItem::Event(event.clone())));
        let sender = items.clone();
        app.engine.problems().add_listener(move |transition, known| {
            if sender.receiver_count() > 0 {
                _ = sender.send(LiveItem::Problem(transition, Arc::new(known.clone())));
            }
        });
        let (stopped, _) = watch::channel(false);
        let (published, _) = watch::channel(());
        let sender = published.clone();
        app.engine.registry().add_listener(move || sender.send_modify(|()| {}));
        let origin = app.engine.folder().new_id().to_string();
        let counts = Arc::new(Mutex::new(StreamCounts { open: HashMap::new(), of_one_max }));
        LiveHub { items, stopped, published, counts, origin }
    }

    /// Ends all streams, and those that are begun from now on.
    pub(crate) fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// Tells who looks at an entry by now.
    pub(crate) fn publish_presence(&self, presence: PresenceUpdate) {
        _ = self.items.send(LiveItem::Presence(Arc::new(presence)));
    }

    /// Returns the number of open streams.
    pub(crate) fn n_open(&self) -> usize {
        self.counts.lock().open.values().sum()
    }

    /// Everything that happens from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<LiveItem> {
        self.items.subscribe()
    }

    /// Turns true when all streams have to end.
    pub(crate) fn watch_stop(&self) -> watch::Receiver<bool> {
        self.stopped.subscribe()
    }

    /// Waits until another snapshot is served than the one that was seen, or none any more.
    pub(crate) async fn wait_for_other(&self, app: &App, seen: &Snapshot) {
        let mut published = self.published.subscribe();
        let began = Instant::now();
        loop {
            published.mark_unchanged();
            let current = app.engine.snapshot(seen.workspace.as_str());
            if current.is_none_or(|it| it.version != seen.version) {
                // Many changes in a row are told together.
                return tokio::time::sleep_until(began + LOOKS_APART).await;
            }
            if published.changed().await.is_err() {
                return;
            }
        }
    }

    /// The id from which on nothing has happened.
    pub(crate) fn last_position(&self, app: &App) -> String {
        app.engine.outbox().feed().last_event_id().unwrap_or_else(|| self.origin.clone())
    }

    /// Returns the events after the one with this id; `None` if there is a gap.
    pub(crate) fn events_after(&self, app: &App, id: &str) -> Option<Vec<Arc<EmittedEvent>>> {
        let feed = app.engine.outbox().feed();
        if id == self.origin { feed.events_since_start() } else { feed.events_after(id) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_user_may_have_so_many_streams_and_all_may_have_more() {
        let mut counts = StreamCounts { open: HashMap::new(), of_one_max: 20 };
        let shown = |it: Result<()>| it.map_err(|error| (error.message, error.retry_after));
        for user in 0..STREAMS_MAX / 20 {
            for _ in 0..20 {
                assert_eq!(shown(counts.acquire_slot(&format!("u{user}"))), Ok(()));
            }
        }
        assert!(counts.open.values().sum::<usize>() > 4_000);
        let refused = |name: &str| {
            Err((format!("You have 20 open live streams, the limit `{name}`."), Some(30)))
        };
        assert_eq!(shown(counts.acquire_slot("u7")), refused("live.max_streams_per_user"));
        counts.release_slot("u7");
        assert_eq!(shown(counts.acquire_slot("u7")), Ok(()));
        counts.of_one_max = 0;
        while counts.acquire_slot("u7").is_ok() {}
        assert_eq!(counts.open.values().sum::<usize>(), STREAMS_MAX);
        let full = format!("{STREAMS_MAX} live streams are open, which is the limit.");
        assert_eq!(shown(counts.acquire_slot("other")), Err((full, Some(30))));
        (0..STREAMS_MAX).for_each(|_| counts.release_slot("u7"));
        assert!(!counts.open.contains_key("u7"));
    }
}
