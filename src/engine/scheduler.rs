//! Entries that go public, or cease to be, by themselves, told at their second. Readers see that in
//! time whatever happens here; this is for those who wait to be told, also of what fell due while
//! no server ran.
//!
//! `system/schedule.json` holds, for each workspace, up to which moment everything was told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::engine::apply::served_change::scheduled_event;
use crate::engine::folder::OpenFolder;
use crate::engine::outbox::EventOutbox;
use crate::engine::parse::file_parser;
use crate::engine::records::Records;
use crate::engine::workspaces::registry::WorkspaceRegistry;
use crate::engine::workspaces::schedule::ScheduleState;
use crate::model::event::Event;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::layout::Key;
use crate::store::read::moment::Moment;

/// The clock may be set, and the machine may sleep: it is looked at this often at least.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Tells what goes public and ends by itself.
pub struct Scheduler {
    pub(crate) folder: Arc<OpenFolder>,
    pub(crate) records: Arc<Records>,
    pub(crate) outbox: Arc<EventOutbox>,
    pub(crate) workspaces: Arc<WorkspaceRegistry>,
}

impl Scheduler {
    /// Starts to tell what goes public and ends, on a thread of its own, until the engine is
    /// closed.
    pub fn spawn_scheduler(self: &Arc<Self>) -> std::io::Result<thread::JoinHandle<()>> {
        let scheduler = self.clone();
        thread::Builder::new().name("schedule".to_string()).spawn(move || {
            let mut nudges = 0;
            scheduler.emit_due();
            while scheduler.wait_for_next(&mut nudges) {
                scheduler.emit_due();
            }
            scheduler.emit_due();
        })
    }

    /// Waits for so long at most, and not beyond the closing of the engine.
    pub fn wait_unless_closed(&self, at_most: Duration) {
        let state = self.workspaces.schedule.lock();
        let is_open = |state: &mut ScheduleState| !state.closed;
        drop(self.workspaces.schedule.changed.wait_timeout_while(state, at_most, is_open));
    }

    /// Returns true once the engine was closed.
    pub fn is_closed(&self) -> bool {
        self.workspaces.schedule.lock().closed
    }

    /// Tells everything whose time has come, also while no server ran, and writes down up to when
    /// that is.
    pub fn emit_due(&self) {
        if !self.folder.is_leader() {
            return self.follow_due();
        }
        self.emit_missed();
        // Before looking: what comes while it is looked is told again rather than never.
        let now = self.folder.clock.now();
        let workspaces: Vec<WorkspaceSlug> = self.workspaces.workspaces().keys().cloned().collect();
        // Looking lets it happen.
        workspaces.iter().for_each(|ws| _ = self.workspaces.snapshot(ws.as_str()));
        let live = std::mem::take(&mut self.workspaces.schedule.lock().live);
        let mut by_workspace: BTreeMap<WorkspaceSlug, Vec<Event>> = BTreeMap::new();
        live.into_iter().for_each(|(ws, event)| by_workspace.entry(ws).or_default().push(event));
        for (ws, events) in by_workspace {
            self.outbox.emit(&ws, events);
        }
        let state = self.workspaces.schedule.lock();
        let marks = state.has_caught_up && state.is_unmarked(&workspaces);
        drop(state);
        if marks {
            self.write_marks(now, workspaces);
        }
    }

    /// Lets happen what is due, which another server tells. If this one takes its place, it begins
    /// with what was told last.
    fn follow_due(&self) {
        let workspaces = self.workspaces.workspaces();
        workspaces.keys().for_each(|ws| _ = self.workspaces.snapshot(ws.as_str()));
        let mut state = self.workspaces.schedule.lock();
        state.live.clear();
        state.has_caught_up = false;
        state.loaded_at = Some(self.folder.clock.now());
    }

    /// Tells what fell due after the last moment that was told, while no server ran. As long as
    /// that moment cannot be read this is tried again, and nothing is written in its place.
    fn emit_missed(&self) {
        if self.workspaces.schedule.lock().has_caught_up {
            return;
        }
        let followed_to = self.workspaces.schedule.lock().loaded_at;
        let loaded_at = followed_to.unwrap_or(self.workspaces.schedule.loaded_at);
        let marks = match self.read_marks() {
            Ok(marks) => marks,
            Err(error) => {
                return tracing::warn!(%error, "what was told cannot be read: trying again");
            }
        };
        for (ws, workspace) in self.workspaces.workspaces().iter() {
            let Some(mark) = marks.get(ws.as_str()) else { continue };
            let missed = missed_events(&workspace.current_snapshot(), *mark, loaded_at);
            self.outbox.emit(ws, missed);
        }
        self.workspaces.schedule.lock().has_caught_up = true;
    }

    /// Waits until something is due, or happened. Returns false once the engine is closed.
    /// `nudges` is the number of those seen so far.
    fn wait_for_next(&self, nudges: &mut u64) -> bool {
        let next = self
            .workspaces
            .workspaces()
            .values()
            .filter_map(|it| it.current_snapshot().next_due())
            .min();
        self.wait_until(next, nudges)
    }

    /// Waits until the publication of a change is due, or something happened. Returns false once
    /// the engine is closed. What was due at `looked_at` and could not be tried is looked at again
    /// after a while.
    pub fn wait_for_plan(&self, looked_at: Timestamp, nudges: &mut u64) -> bool {
        let workspaces = self.workspaces.workspaces();
        let planned = workspaces.values().map(|it| it.current_snapshot().next_planned(looked_at));
        self.wait_until(planned.flatten().min(), nudges)
    }

    /// Waits until this moment, if any, or until something happened. Returns false once the engine
    /// is closed.
    fn wait_until(&self, due: Option<Timestamp>, nudges: &mut u64) -> bool {
        let pause =
            due.map_or(LOOK_EVERY, |due| time_until(due, self.folder.clock.now()).min(LOOK_EVERY));
        let state = self.workspaces.schedule.lock();
        let is_quiet = |state: &mut ScheduleState| !state.closed && state.nudges == *nudges;
        let state = self.workspaces.schedule.changed.wait_timeout_while(state, pause, is_quiet);
        *nudges = state.nudges;
        !state.closed
    }

    fn read_marks(&self) -> Result<BTreeMap<String, Timestamp>, StoreError> {
        let file = self.read_schedule_file()?;
        let marks = file.get("told_up_to").and_then(Json::as_object);
        let mark =
            |(ws, at): (&str, &Json)| Some((ws.to_string(), Timestamp::parse(at.as_str()?)?));
        Ok(marks.map(|it| it.iter().filter_map(mark).collect()).unwrap_or_default())
    }

    /// Reads the schedule file. It is empty if there is none, or none that can be parsed.
    fn read_schedule_file(&self) -> Result<Map, StoreError> {
        let (path, mut bytes) = (Key::Schedule.path(), Vec::new());
        if let Err(ReadError::Unreadable(error)) = self.folder.disk.read(&path, &mut bytes) {
            return Err(StoreError::io("read", path)(error));
        }
        match file_parser::parse_json(&path, &bytes).value {
            Some(Json::Object(map)) => Ok(map),
            _ => Ok(Map::new()),
        }
    }

    fn write_marks(&self, up_to: Timestamp, workspaces: Vec<WorkspaceSlug>) {
        let at = up_to.to_string();
        let marks: Map =
            workspaces.iter().map(|ws| (ws.to_string(), Json::from(at.as_str()))).collect();
        let write = || -> Result<bool, StoreError> {
            let lock = self.folder.write_lock.as_ref().filter(|_| !self.records.has_lost_system());
            let Some(lock) = lock else { return Ok(false) };
            let _turn = lock.acquire_turn()?;
            let path = Key::Schedule.path();
            let mut file = self.read_schedule_file()?;
            file.set("told_up_to", marks.into());
            disk::replace_file(&*self.folder.disk, &path, &Json::Object(file).to_file())?;
            Ok(true)
        };
        match write() {
            Ok(true) => self.workspaces.schedule.lock().marked = Some((up_to, workspaces)),
            // It is tried again once there is a folder to write into.
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(%error, "some scheduled events may be sent again after the next start");
            }
        }
    }
}

/// Returns the scheduled changes after `mark` and up to `until`, in order.
fn missed_events(snapshot: &Snapshot, mark: Timestamp, until: Timestamp) -> Vec<Event> {
    let mut found: Vec<(Timestamp, Event)> = Vec::new();
    for index in snapshot.types() {
        for (_, doc) in index.iter().filter(|(_, doc)| !doc.is_reversed()) {
            let turns = doc.scheduled_turns().filter(|(at, _)| mark < *at && *at <= until);
            found.extend(
                turns.map(|(at, it)| (at, scheduled_event(&index.content_type.name, doc, it))),
            );
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, event)| event).collect()
}

/// Returns the time until a second begins.
fn time_until(due: Timestamp, now: Timestamp) -> Duration {
    let seconds = u64::try_from(due.seconds().saturating_sub(now.seconds())).unwrap_or(0);
    // `now` began a moment ago.
    let begun = u64::try_from(Moment::now().wall_ns.rem_euclid(1_000_000_000)).unwrap_or(0);
    Duration::from_secs(seconds).saturating_sub(Duration::from_nanos(begun))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::engine::Engine;
    use crate::engine::EngineOptions;
    use crate::engine::error::CommitError;
    use crate::engine::staging::Staging;
    use crate::model::name::WorkspaceSlug;
    use crate::stdx::clock::TestClock;
    use crate::store::disk::memory::MemDisk;
    use crate::store::read::watch::DirtySet;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    /// Opens the folder, and tells what fell due.
    fn open_and_emit(root: &Path, clock: &Arc<TestClock>) -> Arc<Engine> {
        let options = EngineOptions::new(root.to_path_buf(), clock.clone());
        let engine = Engine::open(options).unwrap();
        engine.scheduler().emit_due();
        engine
    }

    fn told(engine: &Engine) -> Vec<String> {
        let told = engine.outbox().feed().events_since_start().unwrap();
        told.iter().map(|it| format!("{} {}", it.event.kind.as_str(), it.event.message())).collect()
    }

    /// A workspace with these entries of posts.
    fn folder(entries: &[(&str, &str)]) -> tempfile::TempDir {
        let data = tempfile::tempdir().unwrap();
        write(data.path(), "schemas/posts.json", "{}");
        for (id, file) in entries {
            write(data.path(), &format!("content/posts/{id}.json"), file);
        }
        data
    }

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join("workspaces/main").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The file of an entry with a status and the days in June at which it begins and ends.
    fn file(title: &str, status: &str, from: &str, to: &str) -> String {
        let end = if to.is_empty() {
            String::new()
        } else {
            format!(r#","unpublish_at":"2026-06-{to}""#)
        };
        format!(r#"{{"title":"{title}","status":"{status}","published_at":"2026-06-{from}"{end}}}"#)
    }

    const PUBLISHED: &str = "published";
    const UNPUBLISHED: &str = "unpublished";

    fn news(news: &[(&str, &str)]) -> Vec<String> {
        let one =
            |(title, kind): &(&str, &str)| format!("content.{kind} Posts `{title}` was {kind}.");
        news.iter().map(one).collect()
    }

    #[test]
    fn what_falls_due_is_told_once_also_after_downtime() {
        let files = ["Old", "A", "B", "C"].into_iter().zip(["01", "03", "04", "05"]);
        let files: Vec<(&str, String)> =
            files.map(|(title, day)| (title, file(title, "scheduled", day, ""))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(id, it)| (*id, it.as_str())).collect();
        let data = folder(&files);
        let clock = Arc::new(TestClock::at(at("2026-06-02")));
        // What is old when the first server starts is nobody's news.
        let engine = open_and_emit(data.path(), &clock);
        assert_eq!(told(&engine), news(&[]));
        clock.set(at("2026-06-03"));
        // A reader may be the first to look.
        assert_eq!(engine.snapshot("main").unwrap().next_due(), Some(at("2026-06-04")));
        engine.scheduler().emit_due();
        engine.scheduler().emit_due();
        assert_eq!(told(&engine), news(&[("A", PUBLISHED)]));
        drop(engine);
        clock.set(at("2026-06-06"));
        let engine = open_and_emit(data.path(), &clock);
        assert_eq!(told(&engine), news(&[("B", PUBLISHED), ("C", PUBLISHED)]));
        drop(engine);
        let engine = open_and_emit(data.path(), &clock);
        assert_eq!(told(&engine), news(&[]));
    }

    #[test]
    fn an_entry_that_falls_due_during_a_change_has_one_event() {
        let data = folder(&[("a", &file("A", "scheduled", "03", "04"))]);
        let clock = Arc::new(TestClock::at(at("2026-06-02")));
        let engine = open_and_emit(data.path(), &clock);
        for (day, expect) in [("03", PUBLISHED), ("04", UNPUBLISHED)] {
            let (reader, clock) = (engine.clone(), clock.clone());
            let ws = WorkspaceSlug::parse("main").unwrap();
            let known = told(&engine).len();
            // Its moment comes after the change began, and a reader is there first.
            let work = move |_: &mut Staging<'_>| {
                clock.set(at(&format!("2026-06-{day}")));
                reader.snapshot("main");
                Ok::<_, CommitError>(())
            };
            engine.commit(&ws, work).unwrap();
            engine.scheduler().emit_due();
            assert_eq!(told(&engine)[known..], news(&[("A", expect)]));
        }
    }

    #[test]
    fn what_ends_is_told_once_also_after_downtime() {
        let (old, a) = (file("Old", "published", "01", "02"), file("A", "published", "01", "03"));
        let (b, c) = (file("B", "scheduled", "04", "05"), file("C", "published", "01", "06"));
        let (draft, never) = (file("D", "draft", "01", "05"), file("E", "scheduled", "06", "05"));
        let files = [("old", &old), ("a", &a), ("b", &b), ("c", &c), ("d", &draft), ("e", &never)];
        let data = folder(&files.map(|(id, file)| (id, file.as_str())));
        let clock = Arc::new(TestClock::at(at("2026-06-02")));
        let engine = open_and_emit(data.path(), &clock);
        assert_eq!(told(&engine), news(&[]));
        clock.set(at("2026-06-03"));
        assert_eq!(engine.snapshot("main").unwrap().next_due(), Some(at("2026-06-04")));
        engine.scheduler().emit_due();
        engine.scheduler().emit_due();
        assert_eq!(told(&engine), news(&[("A", UNPUBLISHED)]));
        drop(engine);
        // It began and ended while no server ran.
        clock.set(at("2026-06-05"));
        let engine = open_and_emit(data.path(), &clock);
        assert_eq!(told(&engine), news(&[("B", PUBLISHED), ("B", UNPUBLISHED)]));
        // The machine slept over the rest.
        clock.set(at("2026-06-09"));
        engine.scheduler().emit_due();
        let rest = [("B", PUBLISHED), ("B", UNPUBLISHED), ("C", UNPUBLISHED)];
        assert_eq!(told(&engine), news(&rest));
        drop(engine);
        let engine = open_and_emit(data.path(), &clock);
        assert_eq!(told(&engine), news(&[]));
    }

    #[test]
    fn what_was_told_with_its_change_is_not_told_again_after_a_restart() {
        let before = file("A", "published", "01", "");
        let data = folder(&[("a", &before)]);
        let clock = Arc::new(TestClock::at(at("2026-06-02")));
        let engine = open_and_emit(data.path(), &clock);
        clock.set(at("2026-06-05"));
        // Its end is set when that has passed.
        write(data.path(), "content/posts/a.json", &file("Anew", "published", "01", "04"));
        engine.follower().refresh(&DirtySet::everything());
        let expect =
            |engine: &Engine| told(engine).iter().filter(|it| it.contains("unpub")).count();
        assert_eq!(expect(&engine), 1);
        // The server may be killed after the next look.
        engine.scheduler().emit_due();
        drop(engine);
        let engine = open_and_emit(data.path(), &clock);
        assert_eq!(told(&engine), news(&[]));
    }

    #[test]
    fn a_workspace_that_came_while_the_server_ran_is_known_after_a_restart() {
        let a = file("A", "published", "01", "03");
        let data = folder(&[]);
        let clock = Arc::new(TestClock::at(at("2026-06-02")));
        let engine = open_and_emit(data.path(), &clock);
        let path = data.path().join("workspaces/blog/content/posts");
        std::fs::create_dir_all(&path).unwrap();
        std::fs::create_dir_all(data.path().join("workspaces/blog/schemas")).unwrap();
        std::fs::write(data.path().join("workspaces/blog/workspace.json"), "{}").unwrap();
        std::fs::write(data.path().join("workspaces/blog/schemas/posts.json"), "{}").unwrap();
        std::fs::write(path.join("a.json"), a).unwrap();
        engine.follower().refresh(&DirtySet::everything());
        engine.scheduler().emit_due();
        drop(engine);
        clock.set(at("2026-06-05"));
        let engine = open_and_emit(data.path(), &clock);
        assert_eq!(told(&engine), news(&[("A", UNPUBLISHED)]));
    }

    #[test]
    fn what_was_told_is_not_forgotten_when_it_cannot_be_read() {
        let a = file("A", "published", "01", "03");
        let schedule = r#"{"told_up_to":{"main":"2026-06-02T00:00:00Z"},"kept":true}"#;
        let files = [
            ("workspaces/main/schemas/posts.json", "{}"),
            ("workspaces/main/content/posts/a.json", &a),
            ("system/schedule.json", schedule),
        ];
        let disk = Arc::new(MemDisk::with_files(files));
        let root = tempfile::tempdir().unwrap();
        let clock = Arc::new(TestClock::at(at("2026-06-05")));
        let options = EngineOptions::new(root.path().to_path_buf(), clock);
        let engine = Engine::open(EngineOptions { disk: Some(disk.clone()), ..options }).unwrap();
        let calls = disk.count_calls();
        let eio = 5;
        disk.fail_from(calls, eio);
        engine.scheduler().emit_due();
        disk.clear_faults();
        assert_eq!(told(&engine), news(&[]));
        let said = || String::from_utf8(disk.read_bytes("system/schedule.json").unwrap()).unwrap();
        assert_eq!(said(), schedule);
        engine.scheduler().emit_due();
        engine.scheduler().emit_due();
        assert_eq!(told(&engine), news(&[("A", UNPUBLISHED)]));
        assert!(said().contains("2026-06-05") && said().contains("kept"), "{}", said());
    }
}
