//! Entries that go public by themselves, told at their second. Readers see them in time whatever
//! happens here; this is for those who wait to be told, also of what fell due while no server ran.
//!
//! `system/schedule.json` holds, for each workspace, up to which moment everything was told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::thread;
use std::time::Duration;

use crate::engine::Engine;
use crate::engine::read;
use crate::engine::taken::subject;
use crate::model::entry::Status;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Source;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::doc::Doc;
use crate::query::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::error::StoreError;
use crate::store::known::Moment;
use crate::store::layout::Key;

/// The clock may be set, and the machine may sleep: it is looked at this often at least.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// What went public and was not told yet.
#[derive(Default)]
pub(super) struct Schedule {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    live: Vec<(WorkspaceSlug, Event)>,
    /// Grows with everything that may bring the next moment nearer.
    nudges: u64,
    closed: bool,
}

/// An entry whose time has come.
pub(super) fn published(ty: &TypeName, doc: &Doc) -> Event {
    let (kind, subject) = (EventKind::ContentPublished, subject(ty, doc));
    Event { kind, subject, by: None, source: Source::Schedule }
}

impl Schedule {
    /// Entries went public by themselves. An empty list says that another entry is next.
    pub(super) fn went_live(&self, ws: &WorkspaceSlug, events: Vec<Event>) {
        let mut state = self.lock();
        state.live.extend(events.into_iter().map(|it| (ws.clone(), it)));
        state.nudges += 1;
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    // The state is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// Starts to tell what goes public, on a thread of its own, until [`Engine::close`].
    pub fn keep_schedule(self: &Arc<Engine>) -> std::io::Result<thread::JoinHandle<()>> {
        let engine = self.clone();
        thread::Builder::new().name("schedule".to_string()).spawn(move || {
            engine.catch_up();
            while engine.wait_for_next() {
                engine.tell_due();
            }
            engine.tell_due();
        })
    }

    /// Waits for so long at most, and not beyond [`Engine::close`].
    pub fn pause(&self, at_most: Duration) {
        let state = self.schedule.lock();
        let is_open = |state: &mut State| !state.closed;
        drop(self.schedule.changed.wait_timeout_while(state, at_most, is_open));
    }

    /// Whether [`Engine::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.schedule.lock().closed
    }

    /// Tells everything whose time has come, and writes down up to when that is.
    pub fn tell_due(&self) {
        let workspaces = self.workspaces();
        // Looking lets it go live.
        workspaces.keys().for_each(|ws| _ = self.snapshot(ws.as_str()));
        let live = std::mem::take(&mut self.schedule.lock().live);
        if live.is_empty() {
            return;
        }
        let mut by_workspace: BTreeMap<WorkspaceSlug, Vec<Event>> = BTreeMap::new();
        live.into_iter().for_each(|(ws, event)| by_workspace.entry(ws).or_default().push(event));
        for (ws, events) in by_workspace {
            self.tell(&ws, events);
        }
        self.mark_told();
    }

    /// What fell due after the last moment that was told, while no server ran.
    fn catch_up(&self) {
        let marks = self.told_up_to();
        for (ws, workspace) in self.workspaces().iter() {
            let Some(mark) = marks.get(ws.as_str()) else { continue };
            let missed = missed(&workspace.current(), *mark, self.clock.now());
            self.tell(ws, missed);
        }
        self.mark_told();
    }

    /// Waits until an entry is due or was let go live; whether there is more to come.
    fn wait_for_next(&self) -> bool {
        let nudges = self.schedule.lock().nudges;
        let next = self.workspaces().values().filter_map(|it| it.current().next_due()).min();
        let pause = next.map_or(LOOK_EVERY, |due| until(due, self.clock.now()).min(LOOK_EVERY));
        let mut state = self.schedule.lock();
        if !state.closed && state.nudges == nudges {
            let woken = self.schedule.changed.wait_timeout(state, pause);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        !state.closed
    }

    fn told_up_to(&self) -> BTreeMap<String, Timestamp> {
        let Some(map) = self.schedule_file() else { return BTreeMap::new() };
        let marks = map.get("told_up_to").and_then(Json::as_object);
        let mark =
            |(ws, at): (&str, &Json)| Some((ws.to_string(), Timestamp::parse(at.as_str()?)?));
        marks.map(|it| it.iter().filter_map(mark).collect()).unwrap_or_default()
    }

    fn schedule_file(&self) -> Option<Map> {
        let (path, mut bytes) = (Key::Schedule.path(), Vec::new());
        self.disk.read(&path, &mut bytes).ok()?;
        match read::json(&path, &bytes).value {
            Some(Json::Object(map)) => Some(map),
            _ => None,
        }
    }

    fn mark_told(&self) {
        let now = self.clock.now().to_string();
        let marks: Map =
            self.workspaces().keys().map(|ws| (ws.to_string(), Json::from(now.as_str()))).collect();
        let mut file = self.schedule_file().unwrap_or_default();
        file.set("told_up_to", marks.into());
        let write = || -> Result<(), StoreError> {
            let lock = self.write_lock.as_ref().filter(|_| !self.has_lost_system());
            let Some(lock) = lock else { return Ok(()) };
            let _turn = lock.take()?;
            disk::replace(&*self.disk, &Key::Schedule.path(), &Json::Object(file).to_file())?;
            Ok(())
        };
        if let Err(error) = write() {
            tracing::warn!(%error, "what went public may be told once more after the next start");
        }
    }
}

/// The scheduled entries that went public after `mark`.
fn missed(snapshot: &Snapshot, mark: Timestamp, now: Timestamp) -> Vec<Event> {
    let mut found: Vec<(Timestamp, Event)> = Vec::new();
    for index in snapshot.types() {
        for (_, doc) in index.iter().filter(|(_, it)| it.status == Status::Scheduled) {
            let at = doc.published_at.filter(|at| mark < *at && *at <= now);
            found.extend(at.map(|at| (at, published(&index.content_type.name, doc))));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, event)| event).collect()
}

/// How long it takes until a second begins.
fn until(due: Timestamp, now: Timestamp) -> Duration {
    let seconds = u64::try_from(due.seconds().saturating_sub(now.seconds())).unwrap_or(0);
    // `now` began a moment ago.
    let begun = u64::try_from(Moment::now().wall_ns.rem_euclid(1_000_000_000)).unwrap_or(0);
    Duration::from_secs(seconds).saturating_sub(Duration::from_nanos(begun))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::engine::Options;
    use crate::stdx::clock::TestClock;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn open(root: &Path, clock: &Arc<TestClock>) -> Arc<Engine> {
        Engine::open(Options::new(root.to_path_buf(), clock.clone())).unwrap()
    }

    fn told(engine: &Engine) -> Vec<String> {
        let told = engine.feed().all();
        told.iter().map(|it| format!("{} {}", it.event.kind.as_str(), it.event.message())).collect()
    }

    #[test]
    fn what_falls_due_is_told_once_also_after_downtime() {
        let data = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = data.path().join("workspaces/main").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let entry = |title: &str, day: &str| {
            format!(r#"{{"title":"{title}","status":"scheduled","published_at":"2026-06-{day}"}}"#)
        };
        write("schemas/posts.json", "{}");
        write("content/posts/old.json", &entry("Old", "01"));
        write("content/posts/a.json", &entry("A", "03"));
        write("content/posts/b.json", &entry("B", "04"));
        write("content/posts/c.json", &entry("C", "05"));
        let clock = Arc::new(TestClock::at(at("2026-06-02")));
        let engine = open(data.path(), &clock);
        // What is old when the first server starts is nobody's news.
        engine.catch_up();
        engine.tell_due();
        assert_eq!(told(&engine), Vec::<String>::new());
        clock.set(at("2026-06-03"));
        // A reader may be the first to look.
        assert_eq!(engine.snapshot("main").unwrap().next_due(), Some(at("2026-06-04")));
        engine.tell_due();
        engine.tell_due();
        assert_eq!(told(&engine), ["content.published Posts `A` was published."]);
        drop(engine);
        clock.set(at("2026-06-06"));
        let engine = open(data.path(), &clock);
        engine.catch_up();
        let expect = ["B", "C"].map(|it| format!("content.published Posts `{it}` was published."));
        assert_eq!(told(&engine), expect);
        drop(engine);
        let engine = open(data.path(), &clock);
        engine.catch_up();
        assert_eq!(told(&engine), Vec::<String>::new());
    }
}
