//! File system events, collected until they pause, and the schedule of sweeps. An event is only a
//! hint: [`sweep`] checks what it names.
//!
//! [`sweep`]: crate::store::read::sweep

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::stdx::sync::{Condvar, Mutex};
use crate::store::data_folder::DataFolder;
use crate::store::layout;

/// Events are collected until none has come for this time…
const QUIET: Duration = Duration::from_millis(50);
/// …but no longer than this.
const QUIET_MAX: Duration = Duration::from_millis(500);
/// The number of events that count as a storm, like a checkout or a copy.
const STORM_EVENTS: usize = 1_000;
/// Replaces [`QUIET`] in a storm.
const STORM_QUIET: Duration = Duration::from_millis(300);
/// Replaces [`QUIET_MAX`] in a storm.
const STORM_QUIET_MAX: Duration = Duration::from_secs(5);
/// The pause after an event, so that those that follow are received together: otherwise each write
/// of this server wakes the thread that receives them.
const REST: Duration = Duration::from_millis(5);
/// The minimum time between sweeps if events are not reliable.
const POLL: Duration = Duration::from_secs(2);
/// Replaces [`SWEEP_SHARE`] if events are not reliable.
const POLL_SHARE: u32 = 5;
/// The minimum time between sweeps if events are reliable.
const SWEEP_MIN: Duration = Duration::from_secs(5);
/// The maximum time between sweeps if events are reliable.
const SWEEP_MAX: Duration = Duration::from_secs(60);
/// The time between sweeps as a multiple of their duration.
const SWEEP_SHARE: u32 = 100;
/// The time between sweeps that read all bytes.
const REHASH: Duration = Duration::from_secs(24 * 60 * 60);

/// The paths to check in a sweep.
#[derive(Clone, Debug, Default)]
pub struct DirtySet {
    folders: BTreeMap<String, NameSet>,
    everything: bool,
    rehash: bool,
    had_events: bool,
}

/// Names in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameSet {
    /// All names, since there were too many.
    All,
    /// These names.
    Some(BTreeSet<String>),
}

/// The maximum number of names in a folder; beyond it the folder is listed. Looking at a name costs
/// about what listing costs for each file.
const NAMES_MAX: usize = 8_192;

impl DirtySet {
    /// Creates an empty set.
    pub fn nothing() -> DirtySet {
        DirtySet::default()
    }

    /// Creates a set of everything, checked by stat.
    pub fn everything() -> DirtySet {
        DirtySet { everything: true, ..DirtySet::default() }
    }

    /// Creates a set of everything, read regardless of the stats.
    pub fn every_byte() -> DirtySet {
        DirtySet { everything: true, rehash: true, ..DirtySet::default() }
    }

    /// Adds the path of a file system event.
    pub fn add_path(&mut self, path: &str) {
        self.had_events = true;
        let Some((folder, name)) = path.rsplit_once('/') else {
            self.everything |= matches!(path, "" | layout::WORKSPACES | layout::SYSTEM);
            return;
        };
        let empty = || NameSet::Some(BTreeSet::new());
        let names = self.folders.entry(folder.to_string()).or_insert_with(empty);
        if let NameSet::Some(some) = names {
            some.insert(name.to_string());
            if some.len() > NAMES_MAX {
                *names = NameSet::All;
            }
        }
    }

    /// Adds everything.
    pub fn add_everything(&mut self) {
        self.everything = true;
    }

    /// Adds everything after events were lost.
    pub fn add_overflow(&mut self) {
        (self.everything, self.had_events) = (true, true);
    }

    /// Returns true if there is nothing to check.
    #[cfg(test)]
    fn is_empty(&self) -> bool {
        !self.everything && self.folders.is_empty()
    }

    /// Returns the folders to check, with the names in the events.
    pub fn folders(&self) -> impl Iterator<Item = (&str, &NameSet)> {
        self.folders.iter().map(|(path, names)| (path.as_str(), names))
    }

    /// Returns true if there were events in the folder, and the sweep is not only due by schedule.
    pub fn has_events(&self) -> bool {
        self.had_events
    }

    /// Returns true if all bytes are to be read.
    pub fn is_every_byte(&self) -> bool {
        self.rehash
    }

    /// Returns true if everything is to be checked.
    pub fn is_everything(&self) -> bool {
        self.everything
    }
}

/// A watcher of the folders of a data folder.
pub struct Watcher {
    places: DataFolder,
    shared: Arc<WatchState>,
    events: Mutex<Option<RecommendedWatcher>>,
}

#[derive(Default)]
struct WatchState {
    hints: Mutex<Option<WatchHints>>,
    woken: Condvar,
}

impl Watcher {
    /// Starts watching. If there are no events, sweeps only run by schedule.
    pub fn start(places: &DataFolder) -> Watcher {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let places = DataFolder::with_state(real(places.root()), places.state().map(real));
        let polling = find_unreliability(places.root())
            .or_else(|| places.state().and_then(find_unreliability));
        let hints = WatchHints::new(Instant::now(), polling);
        let shared = Arc::new(WatchState { hints: Mutex::new(Some(hints)), woken: Condvar::new() });
        let watcher = Watcher { places, shared, events: Mutex::new(None) };
        let (places, shared) = (watcher.places.clone(), Arc::clone(&watcher.shared));
        let mut rested = Instant::now();
        let record = move |event| {
            shared.record_event(&places, event);
            if rested.elapsed() > REST {
                thread::sleep(REST);
                rested = Instant::now();
            }
        };
        match notify::recommended_watcher(record) {
            Ok(events) => *watcher.events.lock() = Some(events),
            Err(error) => {
                watcher.start_polling(&format!("file system events are not available: {error}"))
            }
        }
        watcher.watch_folder("");
        watcher
    }

    /// Returns a watcher that reports nothing, for a folder that nobody else changes.
    pub fn start_silent(places: &DataFolder) -> Watcher {
        let hints = WatchHints::new(Instant::now(), None);
        let shared = Arc::new(WatchState { hints: Mutex::new(Some(hints)), woken: Condvar::new() });
        Watcher { places: places.clone(), shared, events: Mutex::new(None) }
    }

    /// Waits until the watcher is stopped, for so long at most.
    pub fn wait_until_stopped(&self, at_most: Duration) {
        let hints = self.shared.hints.lock();
        drop(self.shared.woken.wait_timeout_while(hints, at_most, |it| it.is_some()));
    }

    /// Returns true once the watcher was stopped.
    pub fn is_stopped(&self) -> bool {
        self.shared.hints.lock().is_none()
    }

    /// Watches a folder, but not those below it. Called before the folder is listed, so that later
    /// changes cause events.
    pub fn watch_folder(&self, folder: &str) {
        let Some(events) = &mut *self.events.lock() else { return };
        // The top level consists of parts of both places.
        let state = self.places.state().filter(|_| folder.is_empty()).map(Path::to_path_buf);
        for path in [self.places.resolve_path(folder)].into_iter().chain(state) {
            match events.watch(&path, RecursiveMode::NonRecursive) {
                Err(error) if !is_absence(&error) => {
                    self.start_polling(&format!("a folder cannot be watched: {error}"));
                }
                // A folder that is gone is detected as missing when its parent is listed.
                Ok(()) | Err(_) => {}
            }
        }
    }

    /// Returns the reason why the folder is polled every two seconds, if it is.
    pub fn polling_reason(&self) -> Option<String> {
        self.shared.hints.lock().as_ref().and_then(|hints| hints.polling.clone())
    }

    /// Waits for events, for `until`, or for the next scheduled sweep. Returns `None` once stopped.
    pub fn wait_for_hints(&self, until: Option<Instant>) -> Option<DirtySet> {
        let mut hints = self.shared.hints.lock();
        hints.as_mut()?.reschedule_sweep(Instant::now());
        loop {
            let now = Instant::now();
            let gathered = hints.as_mut()?;
            let due = gathered.due_at();
            let due = until.map_or(due, |until| until.min(due));
            if due <= now {
                return Some(gathered.take_dirty(now));
            }
            hints = self.shared.woken.wait_timeout(hints, due - now);
        }
    }

    /// Ends the current or next wait with a sweep of everything.
    pub fn sweep_now(&self) {
        self.change_hints(|hints| hints.sweep = Instant::now());
    }

    /// Adds a path, as if an event had named it.
    pub fn mark_path(&self, path: &str) {
        self.change_hints(|hints| hints.add_path(Instant::now(), path));
    }

    /// Ends all waits permanently.
    pub fn stop(&self) {
        *self.shared.hints.lock() = None;
        self.shared.woken.notify_all();
    }

    fn start_polling(&self, reason: &str) {
        self.change_hints(|hints| hints.polling = Some(reason.to_string()));
    }

    fn change_hints(&self, change: impl FnOnce(&mut WatchHints)) {
        self.shared.change_hints(change);
    }
}

impl WatchState {
    /// Changes the hints, and ends the wait for them if they are due earlier than before.
    fn change_hints(&self, change: impl FnOnce(&mut WatchHints)) {
        let is_earlier = self.hints.lock().as_mut().is_some_and(|hints| {
            let before = hints.due_at();
            change(hints);
            hints.due_at() < before
        });
        if is_earlier {
            self.woken.notify_all();
        }
    }

    fn record_event(&self, places: &DataFolder, event: notify::Result<Event>) {
        let Ok(event) = event else {
            return self.change_hints(|hints| hints.record_overflow(Instant::now()));
        };
        if event.need_rescan() {
            return self.change_hints(|hints| hints.record_overflow(Instant::now()));
        }
        // Read accesses are no changes; Recto itself causes most of them.
        let closed = EventKind::Access(AccessKind::Close(AccessMode::Write));
        if event.kind.is_access() && event.kind != closed {
            return;
        }
        let paths = event.paths.iter().filter_map(|path| relative_path(places, path));
        let paths: Vec<String> = paths.filter(|path| !is_noise(path)).collect();
        if !paths.is_empty() {
            self.change_hints(|hints| {
                paths.iter().for_each(|path| hints.add_path(Instant::now(), path))
            });
        }
    }
}

/// The events since the last sweep, and the schedule of the next one.
struct WatchHints {
    dirty: DirtySet,
    events: usize,
    first: Instant,
    last: Instant,
    sweep: Instant,
    rehash: Instant,
    sweep_began: Option<Instant>,
    polling: Option<String>,
}

impl WatchHints {
    fn new(now: Instant, polling: Option<String>) -> WatchHints {
        WatchHints {
            dirty: DirtySet::nothing(),
            events: 0,
            first: now,
            last: now,
            sweep: now,
            rehash: now + REHASH,
            sweep_began: None,
            polling,
        }
    }

    fn add_path(&mut self, now: Instant, path: &str) {
        self.record_hint(now);
        self.dirty.add_path(path);
    }

    fn record_overflow(&mut self, now: Instant) {
        self.record_hint(now);
        self.dirty.add_overflow();
    }

    fn record_hint(&mut self, now: Instant) {
        if self.events == 0 {
            self.first = now;
        }
        self.last = now;
        self.events += 1;
    }

    /// Returns the time of the next sweep.
    fn due_at(&self) -> Instant {
        if self.events == 0 {
            return self.sweep;
        }
        let is_storm = self.events > STORM_EVENTS;
        let (quiet, most) =
            if is_storm { (STORM_QUIET, STORM_QUIET_MAX) } else { (QUIET, QUIET_MAX) };
        self.sweep.min((self.last + quiet).min(self.first + most))
    }

    fn take_dirty(&mut self, now: Instant) -> DirtySet {
        let mut dirty = DirtySet::nothing();
        if self.events > 0 && self.due_at() <= now {
            self.events = 0;
            dirty = std::mem::take(&mut self.dirty);
        }
        if now >= self.rehash {
            self.rehash = now + REHASH;
            dirty = DirtySet { had_events: dirty.had_events, ..DirtySet::every_byte() };
        } else if now >= self.sweep {
            dirty.add_everything();
        }
        if dirty.is_everything() {
            self.sweep_began = Some(now);
            // The next sweep is scheduled when this one is done, unless one is requested before.
            self.sweep = now + REHASH;
        }
        dirty
    }

    /// Schedules the next sweep by the duration of the last one, which is done when its caller
    /// waits again.
    fn reschedule_sweep(&mut self, now: Instant) {
        let Some(began) = self.sweep_began.take() else { return };
        let took = now.saturating_duration_since(began);
        let pause = if self.polling.is_some() {
            took.saturating_mul(POLL_SHARE).max(POLL)
        } else {
            took.saturating_mul(SWEEP_SHARE).clamp(SWEEP_MIN, SWEEP_MAX)
        };
        self.sweep = self.sweep.min(now + pause);
    }
}

fn is_absence(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound | notify::ErrorKind::WatchNotFound => true,
        notify::ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

/// Returns the path in the form of `layout`. The state directory may be a parent of the data
/// folder.
fn relative_path(places: &DataFolder, path: &Path) -> Option<String> {
    let below = |top: &Path| {
        let steps = path.strip_prefix(top).ok()?.components();
        let steps: Option<Vec<&str>> = steps.map(|step| step.as_os_str().to_str()).collect();
        // A name that is not UTF-8 is ignored here; the next sweep reports the problem.
        steps.map(|steps| steps.join("/"))
    };
    let is_state = |path: &String| layout::is_state(path);
    match places.state() {
        None => below(places.root()),
        Some(state) => below(places.root())
            .filter(|it| !is_state(it))
            .or_else(|| below(state).filter(is_state)),
    }
}

fn is_noise(path: &str) -> bool {
    layout::is_ignored(path.rsplit('/').next().unwrap_or(path))
}

/// Returns the reason why events are not reliable here, if so.
#[cfg(target_os = "linux")]
fn find_unreliability(root: &Path) -> Option<String> {
    const SILENT: &[(i64, &str)] = &[
        (0x6969, "NFS"),
        (0x517b, "SMB"),
        (0xff53_4d42, "CIFS"),
        (0xfe53_4d42, "SMB2"),
        (0x6573_5546, "FUSE"),
        (0x0102_1997, "9P"),
        (0x00c3_6400, "Ceph"),
        (0x5346_414f, "AFS"),
        (0x786f_4256, "VirtualBox shared folders"),
        (0x794c_7630, "overlay"),
    ];
    let magic = rustix::fs::statfs(root).ok()?.f_type as i64 & 0xffff_ffff;
    let (_, name) = SILENT.iter().find(|(known, _)| *known == magic)?;
    Some(format!("the file system ({name}) may not report changes"))
}

/// Returns the reason why events are not reliable here, if so.
#[cfg(not(target_os = "linux"))]
fn find_unreliability(_root: &Path) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::OsDisk;
    use crate::store::read::moment::Moment;
    use crate::store::read::stat_index::StatIndex;
    use crate::store::read::sweep::Reconciler;

    fn after(start: Instant, milliseconds: u64) -> Instant {
        start + Duration::from_millis(milliseconds)
    }

    fn hints(start: Instant) -> WatchHints {
        let mut hints = WatchHints::new(start, None);
        assert!(hints.take_dirty(start).is_everything(), "the first look is at everything");
        hints.reschedule_sweep(after(start, 20));
        assert_eq!(hints.due_at(), after(start, 5_020), "not more often than every 5 seconds");
        hints
    }

    #[test]
    fn events_are_gathered_until_they_pause() {
        let start = Instant::now();
        let mut hints = hints(start);
        hints.add_path(after(start, 100), "workspaces/main/content/posts/a.json");
        assert_eq!(hints.due_at(), after(start, 150));
        assert!(hints.take_dirty(after(start, 149)).is_empty());
        for pause in 0..12 {
            hints.add_path(after(start, 140 + pause * 40), "workspaces/main/content/posts/b.json");
        }
        assert_eq!(hints.due_at(), after(start, 600));
        let dirty = hints.take_dirty(after(start, 600));
        assert_eq!(dirty.folders().count(), 1);
        assert!(!dirty.is_everything());
        assert_eq!(hints.due_at(), after(start, 5_020));
    }

    #[test]
    fn a_storm_is_given_more_time() {
        let start = Instant::now();
        let mut hints = hints(start);
        for n in 0..=STORM_EVENTS {
            hints.add_path(after(start, 1), &format!("workspaces/main/content/posts/{n}.json"));
        }
        assert_eq!(hints.due_at(), after(start, 301));
    }

    #[test]
    fn too_many_names_stand_for_the_folder() {
        let start = Instant::now();
        let mut hints = hints(start);
        for n in 0..=NAMES_MAX {
            hints.add_path(after(start, 1), &format!("workspaces/main/content/posts/{n}.json"));
        }
        let dirty = hints.take_dirty(after(start, 301));
        assert_eq!(dirty.folders().next(), Some(("workspaces/main/content/posts", &NameSet::All)));
    }

    #[test]
    fn sweeps_keep_to_their_share_of_time() {
        let start = Instant::now();
        let check = |took: u64, polling: Option<&str>, pause: u64| {
            let mut hints = WatchHints::new(start, polling.map(str::to_string));
            hints.take_dirty(start);
            hints.reschedule_sweep(after(start, took));
            assert_eq!(hints.due_at(), after(start, took + pause));
        };
        check(1, None, 5_000);
        check(140, None, 14_000);
        check(5_000, None, 60_000);
        check(140, Some("NFS"), 2_000);
        check(3_000, Some("NFS"), 15_000);
    }

    #[test]
    fn every_byte_is_read_once_a_day() {
        let start = Instant::now();
        let mut hints = hints(start);
        assert!(!hints.take_dirty(after(start, 60_000)).is_every_byte());
        assert!(hints.take_dirty(start + REHASH).is_every_byte());
        hints.reschedule_sweep(start + REHASH);
        assert!(!hints.take_dirty(start + REHASH + SWEEP_MAX).is_every_byte());
    }

    #[test]
    fn an_overflow_makes_everything_dirty() {
        let start = Instant::now();
        let mut hints = hints(start);
        hints.record_overflow(after(start, 10));
        let dirty = hints.take_dirty(after(start, 60));
        assert!(dirty.is_everything() && dirty.has_events());
        hints.reschedule_sweep(after(start, 60));
        let sweep = hints.take_dirty(after(start, 60) + SWEEP_MAX);
        assert!(sweep.is_everything() && !sweep.has_events());
    }

    #[test]
    fn waits_end_when_told() {
        let data = tempfile::tempdir().unwrap();
        let watcher = Watcher::start(&DataFolder::new(data.path()));
        assert!(watcher.wait_for_hints(None).unwrap().is_everything());
        watcher.sweep_now();
        assert!(watcher.wait_for_hints(None).unwrap().is_everything());
        assert!(watcher.wait_for_hints(Some(Instant::now())).unwrap().is_empty());
        watcher.stop();
        assert!(watcher.wait_for_hints(None).is_none());
    }

    #[test]
    fn the_first_workspace_is_noticed() {
        let data = tempfile::tempdir().unwrap();
        let watcher = Watcher::start(&DataFolder::new(data.path()));
        watcher.wait_for_hints(None).unwrap();
        let far = Instant::now() + Duration::from_secs(60);
        watcher.change_hints(|hints| hints.sweep_began = None);
        std::fs::create_dir(data.path().join("workspaces")).unwrap();
        assert!(watcher.wait_for_hints(Some(far)).unwrap().is_everything());
        assert!(Instant::now() < far);
    }

    /// Recursive watches miss changes in folders that are new themselves. This test ensures that
    /// nothing is missed, without help of scheduled sweeps.
    #[test]
    fn every_file_in_fresh_nested_folders_is_found() {
        const FILES: usize = 3_000;
        let data = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(data.path().join("workspaces")).unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let watcher = Arc::new(Watcher::start(&DataFolder::new(data.path())));
        let told = Arc::clone(&watcher);
        let mut reconciler = Reconciler::new(
            StatIndex::default(),
            Box::new(move |folder| told.watch_folder(folder)),
        );
        let dirty = watcher.wait_for_hints(None).unwrap();
        reconciler.sweep_dirty(&disk, Moment::now(), &dirty);
        watcher.change_hints(|hints| hints.sweep_began = None);
        let root = data.path().to_path_buf();
        let writer = std::thread::spawn(move || {
            for n in 0..FILES {
                let folder = root.join(format!("workspaces/w{}/content/t{}", n % 10, n / 300));
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join(format!("e{n}.json")), "{}").unwrap();
            }
        });
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut found = 0;
        let mut wake = None;
        while found < FILES && Instant::now() < deadline {
            let dirty =
                watcher.wait_for_hints(Some(wake.unwrap_or(deadline).min(deadline))).unwrap();
            let step = reconciler.sweep_dirty(&disk, Moment::now(), &dirty);
            found += step.changes.len();
            wake = step.wake;
            // Only an overflow of the queue may make everything dirty.
            watcher.change_hints(|hints| {
                hints.sweep_began = None;
                hints.sweep = deadline + Duration::from_secs(600);
            });
        }
        writer.join().unwrap();
        assert_eq!(found, FILES);
    }
}
