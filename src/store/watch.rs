//! Hints that something may have changed: file system events, gathered until they pause, and
//! sweeps by the clock. A hint carries no truth: what it names is looked at, by [`sweep`].
//!
//! [`sweep`]: crate::store::sweep

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::store::layout;

/// Events are gathered until none came for this long…
const QUIET: Duration = Duration::from_millis(50);
/// …but not longer than this.
const QUIET_MAX: Duration = Duration::from_millis(500);
/// From this many events on it is a storm: a checkout, a copy.
const STORM_EVENTS: usize = 1_000;
/// As [`QUIET`], in a storm.
const STORM_QUIET: Duration = Duration::from_millis(300);
/// As [`QUIET_MAX`], in a storm.
const STORM_QUIET_MAX: Duration = Duration::from_secs(5);
/// Time between sweeps where events cannot be relied upon, while sweeps are quick.
const POLL: Duration = Duration::from_secs(2);
/// As [`SWEEP_SHARE`], where events cannot be relied upon.
const POLL_SHARE: u32 = 5;
/// Least and most time between sweeps elsewhere.
const SWEEP_MIN: Duration = Duration::from_secs(5);
/// See [`SWEEP_MIN`].
const SWEEP_MAX: Duration = Duration::from_secs(60);
/// Sweeps take one part in so many of the time.
const SWEEP_SHARE: u32 = 100;
/// Time between readings of every byte.
const REHASH: Duration = Duration::from_secs(24 * 60 * 60);

/// What to look at.
#[derive(Clone, Debug, Default)]
pub struct DirtySet {
    folders: BTreeMap<String, Names>,
    everything: bool,
    rehash: bool,
    answers: u64,
}

/// Names in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// Too many to tell.
    All,
    /// These.
    Some(BTreeSet<String>),
}

/// More names than this in one folder, and the folder is listed.
const NAMES_MAX: usize = 256;

impl DirtySet {
    /// Nothing.
    pub fn nothing() -> DirtySet {
        DirtySet::default()
    }

    /// Everything, as far as stats tell.
    pub fn everything() -> DirtySet {
        DirtySet { everything: true, ..DirtySet::default() }
    }

    /// Everything, read again whatever the stats say.
    pub fn every_byte() -> DirtySet {
        DirtySet { everything: true, rehash: true, ..DirtySet::default() }
    }

    /// Adds whatever a file system event said about `path`.
    pub fn add(&mut self, path: &str) {
        let Some((folder, name)) = path.rsplit_once('/') else {
            self.everything |= matches!(path, "" | layout::WORKSPACES | layout::SYSTEM);
            return;
        };
        let empty = || Names::Some(BTreeSet::new());
        let names = self.folders.entry(folder.to_string()).or_insert_with(empty);
        if let Names::Some(some) = names {
            some.insert(name.to_string());
            if some.len() > NAMES_MAX {
                *names = Names::All;
            }
        }
    }

    /// Adds everything.
    pub fn add_everything(&mut self) {
        self.everything = true;
    }

    /// The last [`Watcher::sweep_now`] that a look at this answers.
    pub fn answers(&self) -> u64 {
        self.answers
    }

    /// Whether there is nothing to look at.
    pub fn is_empty(&self) -> bool {
        !self.everything && self.folders.is_empty()
    }

    /// The folders to look at, with the names that were spoken of.
    pub fn folders(&self) -> impl Iterator<Item = (&str, &Names)> {
        self.folders.iter().map(|(path, names)| (path.as_str(), names))
    }

    /// Whether everything is to be read again.
    pub fn is_every_byte(&self) -> bool {
        self.rehash
    }

    /// Whether everything is to be looked at.
    pub fn is_everything(&self) -> bool {
        self.everything
    }
}

/// Watches the folders of one data folder.
pub struct Watcher {
    root: PathBuf,
    shared: Arc<Shared>,
    events: Mutex<Option<RecommendedWatcher>>,
}

#[derive(Default)]
struct Shared {
    hints: Mutex<Option<Hints>>,
    woken: Condvar,
}

impl Watcher {
    /// Starts to gather hints. Where there are no events, the clock alone gives them.
    pub fn start(root: &Path) -> Watcher {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let hints = Hints::new(Instant::now(), unreliable(&root));
        let shared = Arc::new(Shared { hints: Mutex::new(Some(hints)), woken: Condvar::new() });
        let watcher = Watcher { root, shared, events: Mutex::new(None) };
        let (root, shared) = (watcher.root.clone(), Arc::clone(&watcher.shared));
        match notify::recommended_watcher(move |event| shared.take(&root, event)) {
            Ok(events) => *lock(&watcher.events) = Some(events),
            Err(error) => watcher.poll(&format!("file system events are not available: {error}")),
        }
        watcher.watch("");
        watcher
    }

    /// Watches one folder, not those below it. To be called before the folder is listed: what
    /// happens after the listing is told then.
    pub fn watch(&self, folder: &str) {
        let Some(events) = &mut *lock(&self.events) else { return };
        match events.watch(&self.root.join(folder), RecursiveMode::NonRecursive) {
            Err(error) if !is_absence(&error) => {
                self.poll(&format!("a folder cannot be watched: {error}"));
            }
            // A folder that has gone meanwhile is missed when its parent is listed.
            Ok(()) | Err(_) => {}
        }
    }

    /// Why the folder is polled every two seconds, if it is.
    pub fn polling(&self) -> Option<String> {
        lock(&self.shared.hints).as_ref().and_then(|hints| hints.polling.clone())
    }

    /// Waits for something to look at, for `until`, or for the next sweep. `None` once stopped.
    pub fn wait(&self, until: Option<Instant>) -> Option<DirtySet> {
        let mut hints = lock(&self.shared.hints);
        hints.as_mut()?.resume(Instant::now());
        loop {
            let now = Instant::now();
            let gathered = hints.as_mut()?;
            let due = gathered.due();
            let due = until.map_or(due, |until| until.min(due));
            if due <= now {
                return Some(gathered.take(now));
            }
            let woken = self.shared.woken.wait_timeout(hints, due - now);
            hints = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends the current or next wait with everything to be looked at. The number tells the answer:
    /// [`DirtySet::answers`].
    pub fn sweep_now(&self) -> u64 {
        let mut number = 0;
        self.tell(|hints| {
            hints.sweep = Instant::now();
            hints.asked += 1;
            number = hints.asked;
        });
        number
    }

    /// Has one path looked at, as if an event had named it.
    pub fn touch(&self, path: &str) {
        self.tell(|hints| hints.add(Instant::now(), path));
    }

    /// Ends all waits for good.
    pub fn stop(&self) {
        *lock(&self.shared.hints) = None;
        self.shared.woken.notify_all();
    }

    fn poll(&self, reason: &str) {
        self.tell(|hints| hints.polling = Some(reason.to_string()));
    }

    fn tell(&self, change: impl FnOnce(&mut Hints)) {
        self.shared.tell(change);
    }
}

impl Shared {
    fn tell(&self, change: impl FnOnce(&mut Hints)) {
        if let Some(hints) = &mut *lock(&self.hints) {
            change(hints);
        }
        self.woken.notify_all();
    }

    fn take(&self, root: &Path, event: notify::Result<Event>) {
        let Ok(event) = event else { return self.tell(|hints| hints.overflow(Instant::now())) };
        if event.need_rescan() {
            return self.tell(|hints| hints.overflow(Instant::now()));
        }
        // Reading is no change, least of all our own.
        let closed = EventKind::Access(AccessKind::Close(AccessMode::Write));
        if event.kind.is_access() && event.kind != closed {
            return;
        }
        let paths = event.paths.iter().filter_map(|path| relative(root, path));
        let paths: Vec<String> = paths.filter(|path| !is_noise(path)).collect();
        if !paths.is_empty() {
            self.tell(|hints| paths.iter().for_each(|path| hints.add(Instant::now(), path)));
        }
    }
}

/// What was heard since the last look, and when it is time for the next.
struct Hints {
    dirty: DirtySet,
    events: usize,
    first: Instant,
    last: Instant,
    sweep: Instant,
    asked: u64,
    answered: u64,
    rehash: Instant,
    sweep_began: Option<Instant>,
    polling: Option<String>,
}

impl Hints {
    fn new(now: Instant, polling: Option<String>) -> Hints {
        let dirty = DirtySet::nothing();
        let (sweep, rehash) = (now, now + REHASH);
        let (first, last, sweep_began) = (now, now, None);
        let (events, asked, answered) = (0, 0, 0);
        Hints { dirty, events, first, last, sweep, asked, answered, rehash, sweep_began, polling }
    }

    fn add(&mut self, now: Instant, path: &str) {
        self.note(now);
        self.dirty.add(path);
    }

    fn overflow(&mut self, now: Instant) {
        self.note(now);
        self.dirty.add_everything();
    }

    fn note(&mut self, now: Instant) {
        if self.events == 0 {
            self.first = now;
        }
        self.last = now;
        self.events += 1;
    }

    /// When to look.
    fn due(&self) -> Instant {
        if self.events == 0 {
            return self.sweep;
        }
        let is_storm = self.events > STORM_EVENTS;
        let (quiet, most) =
            if is_storm { (STORM_QUIET, STORM_QUIET_MAX) } else { (QUIET, QUIET_MAX) };
        self.sweep.min((self.last + quiet).min(self.first + most))
    }

    fn take(&mut self, now: Instant) -> DirtySet {
        let mut dirty = DirtySet::nothing();
        if self.events > 0 && self.due() <= now {
            self.events = 0;
            dirty = std::mem::take(&mut self.dirty);
        }
        if now >= self.rehash {
            self.rehash = now + REHASH;
            dirty = DirtySet::every_byte();
        } else if now >= self.sweep {
            dirty.add_everything();
        }
        if dirty.is_everything() {
            self.answered = self.asked;
            self.sweep_began = Some(now);
            // The next sweep is set when this one is done, unless somebody asks before.
            self.sweep = now + REHASH;
        }
        dirty.answers = self.answered;
        dirty
    }

    /// Whoever waits again has done what was dirty: how long a sweep took says when the next is.
    fn resume(&mut self, now: Instant) {
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is guarded is whole between any two statements; a panic elsewhere has not torn it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_absence(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound | notify::ErrorKind::WatchNotFound => true,
        notify::ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let steps = path.strip_prefix(root).ok()?.components();
    let steps: Option<Vec<&str>> = steps.map(|step| step.as_os_str().to_str()).collect();
    // A name that is no text is nothing of ours, but the problem is told at the next sweep.
    steps.map(|steps| steps.join("/"))
}

fn is_noise(path: &str) -> bool {
    layout::is_ignored(path.rsplit('/').next().unwrap_or(path))
}

/// Why events are not to be relied upon here, if so.
#[cfg(target_os = "linux")]
fn unreliable(root: &Path) -> Option<String> {
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
    Some(format!("the file system ({name}) may not tell of changes"))
}

/// Why events are not to be relied upon here, if so.
#[cfg(not(target_os = "linux"))]
fn unreliable(_root: &Path) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::OsDisk;
    use crate::store::known::{Known, Moment};
    use crate::store::sweep::Reconciler;

    fn after(start: Instant, milliseconds: u64) -> Instant {
        start + Duration::from_millis(milliseconds)
    }

    fn hints(start: Instant) -> Hints {
        let mut hints = Hints::new(start, None);
        assert!(hints.take(start).is_everything(), "the first look is at everything");
        hints.resume(after(start, 20));
        assert_eq!(hints.due(), after(start, 5_020), "not more often than every 5 seconds");
        hints
    }

    #[test]
    fn events_are_gathered_until_they_pause() {
        let start = Instant::now();
        let mut hints = hints(start);
        hints.add(after(start, 100), "workspaces/main/content/posts/a.json");
        assert_eq!(hints.due(), after(start, 150));
        assert!(hints.take(after(start, 149)).is_empty());
        for pause in 0..12 {
            hints.add(after(start, 140 + pause * 40), "workspaces/main/content/posts/b.json");
        }
        assert_eq!(hints.due(), after(start, 600));
        let dirty = hints.take(after(start, 600));
        assert_eq!(dirty.folders().count(), 1);
        assert!(!dirty.is_everything());
        assert_eq!(hints.due(), after(start, 5_020));
    }

    #[test]
    fn a_storm_is_given_more_time() {
        let start = Instant::now();
        let mut hints = hints(start);
        for n in 0..=STORM_EVENTS {
            hints.add(after(start, 1), &format!("workspaces/main/content/posts/{n}.json"));
        }
        assert_eq!(hints.due(), after(start, 301));
        let dirty = hints.take(after(start, 301));
        assert_eq!(dirty.folders().next(), Some(("workspaces/main/content/posts", &Names::All)));
    }

    #[test]
    fn sweeps_keep_to_their_share_of_time() {
        let start = Instant::now();
        let check = |took: u64, polling: Option<&str>, pause: u64| {
            let mut hints = Hints::new(start, polling.map(str::to_string));
            hints.take(start);
            hints.resume(after(start, took));
            assert_eq!(hints.due(), after(start, took + pause));
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
        assert!(!hints.take(after(start, 60_000)).is_every_byte());
        assert!(hints.take(start + REHASH).is_every_byte());
        hints.resume(start + REHASH);
        assert!(!hints.take(start + REHASH + SWEEP_MAX).is_every_byte());
    }

    #[test]
    fn an_overflow_makes_everything_dirty() {
        let start = Instant::now();
        let mut hints = hints(start);
        hints.overflow(after(start, 10));
        assert!(hints.take(after(start, 60)).is_everything());
    }

    #[test]
    fn waits_end_when_told() {
        let data = tempfile::tempdir().unwrap();
        let watcher = Watcher::start(data.path());
        assert!(watcher.wait(None).unwrap().is_everything());
        assert_eq!(watcher.sweep_now(), 1);
        let answer = watcher.wait(None).unwrap();
        assert_eq!((answer.is_everything(), answer.answers()), (true, 1));
        assert!(watcher.wait(Some(Instant::now())).unwrap().is_empty());
        watcher.stop();
        assert!(watcher.wait(None).is_none());
    }

    #[test]
    fn the_first_workspace_is_noticed() {
        let data = tempfile::tempdir().unwrap();
        let watcher = Watcher::start(data.path());
        watcher.wait(None).unwrap();
        let far = Instant::now() + Duration::from_secs(60);
        watcher.tell(|hints| hints.sweep_began = None);
        std::fs::create_dir(data.path().join("workspaces")).unwrap();
        assert!(watcher.wait(Some(far)).unwrap().is_everything());
        assert!(Instant::now() < far);
    }

    /// Recursive watches miss what is made in folders that are new themselves. Nothing may be
    /// missed here, and no sweep by the clock may help.
    #[test]
    fn every_file_in_fresh_nested_folders_is_found() {
        const FILES: usize = 3_000;
        let data = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(data.path().join("workspaces")).unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let watcher = Arc::new(Watcher::start(data.path()));
        let told = Arc::clone(&watcher);
        let mut reconciler =
            Reconciler::new(Known::default(), Box::new(move |folder| told.watch(folder)));
        let dirty = watcher.wait(None).unwrap();
        reconciler.step(&disk, Moment::now(), &dirty);
        watcher.tell(|hints| hints.sweep_began = None);
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
            let dirty = watcher.wait(Some(wake.unwrap_or(deadline).min(deadline))).unwrap();
            let step = reconciler.step(&disk, Moment::now(), &dirty);
            found += step.changes.len();
            wake = step.wake;
            // Only a queue that overflows may make everything dirty.
            watcher.tell(|hints| {
                hints.sweep_began = None;
                hints.sweep = deadline + Duration::from_secs(600);
            });
        }
        writer.join().unwrap();
        assert_eq!(found, FILES);
    }
}
