//! What a durable change costs below HTTP: `cargo bench --bench commit`.
//!
//! Creates and updates go through `Engine::commit` from 1 and from 16 threads, in turn with a loop
//! that makes the same bytes durable without an engine. The second table says where the time of one
//! writer goes. Nothing fails here: a disk is as quick as it is.

#![expect(clippy::print_stdout, reason = "the tables are what this is for")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]

use std::fs::File;
use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::engine::error::CommitError;
use recto::engine::staging::Staging;
use recto::model::grant::Action;
use recto::model::grant::Permit;
use recto::model::name::EntryId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::SystemClock;
use recto::store::disk::Disk;
use recto::store::disk::Listing;
use recto::store::disk::OsDisk;
use recto::store::disk::ReadError;
use recto::store::disk::Stat;
use recto::store::disk::StatResult;
use recto::store::layout::Key;

/// Entries that are there when it begins.
const ENTRIES: u64 = 20_000;
/// Of these, some are updated so often that the folder of their revisions is there.
const FAMILIAR: u64 = 16;
const THREADS: usize = 16;
const ROUNDS: usize = 9;
const ROUND: Duration = Duration::from_millis(300);
const POSTS: &str = r#"{"fields":{"body":{"type":"markdown"},"n":{"type":"number"}}}"#;

fn main() {
    // Not where temporary files go: that may be memory.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("commit-bench");
    let _ = std::fs::remove_dir_all(&folder);
    make_data(&folder);
    let disk = Arc::new(Timed::new(OsDisk::open(&folder).unwrap()));
    let options = EngineOptions::new(folder.clone(), Arc::new(SystemClock));
    let engine = Engine::open(EngineOptions { disk: Some(disk.clone()), ..options }).unwrap();
    let mut bench = Bench { engine, disk, raw: RawLoop::open(&folder.with_extension("raw")) };
    bench.rates();
    bench.phases();
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::remove_dir_all(folder.with_extension("raw")).unwrap();
}

fn make_data(folder: &Path) {
    let write = |path: String, bytes: &[u8]| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    write("workspaces/main/schemas/posts.json".to_string(), POSTS.as_bytes());
    (0..ENTRIES).for_each(|at| write(key(&id("old", at)).path(), &file("old", at, 0)));
    // So that nobody who is measured waits for these.
    File::open(folder).unwrap().sync_all().unwrap();
}

fn operator_permit() -> Permit {
    Permit::for_operator(Action::ContentUpdate)
}

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

fn id(kind: &str, at: u64) -> String {
    format!("{kind}{at:08}")
}

fn key(id: &str) -> Key {
    let posts = TypeName::parse("posts").unwrap();
    Key::Entry(ws(), posts, EntryId::parse(id).unwrap())
}

/// An entry of about 3 KB.
fn file(kind: &str, at: u64, n: u64) -> Vec<u8> {
    let body = "Words in a row that are read by nobody, again and again. ".repeat(46);
    format!(
        "{{\n  \"title\": \"{kind} {at}\",\n  \"slug\": \"{kind}-{at}\",\n  \"status\": \"published\",\n  \
         \"published_at\": \"2026-05-03T12:00:00Z\",\n  \"created_at\": \"2026-05-03T12:00:00Z\",\n  \
         \"updated_at\": \"2026-05-03T12:00:00Z\",\n  \"data\": {{\n    \"body\": \"{body}\",\n    \
         \"n\": {n}\n  }}\n}}\n"
    )
    .into_bytes()
}

/// What is done again and again.
#[derive(Clone, Copy)]
enum Kind {
    Create,
    /// Of an entry that was never updated before: its revisions get a folder.
    FirstUpdate,
    Update,
}

struct Bench {
    engine: Arc<Engine>,
    disk: Arc<Timed>,
    raw: RawLoop,
}

impl Bench {
    fn write(&self, kind: Kind) {
        static NEXT: [AtomicU64; 3] = [const { AtomicU64::new(1) }; 3];
        let n = NEXT[kind as usize].fetch_add(1, Relaxed);
        match kind {
            Kind::Create => self.create(n),
            Kind::FirstUpdate => self.update(FAMILIAR + n % (ENTRIES - FAMILIAR), n),
            Kind::Update => self.update(n % FAMILIAR, n),
        }
    }

    fn create(&self, n: u64) {
        let make = move |staging: &mut Staging<'_>| {
            staging.write(&operator_permit()).create(&key(&id("new", n)), file("new", n, n));
            Ok::<(), CommitError>(())
        };
        self.engine.commit(&ws(), make).map(drop).unwrap();
    }

    fn update(&self, at: u64, n: u64) {
        let change = move |staging: &mut Staging<'_>| {
            let stored = staging.read_stored(&key(&id("old", at)))?.unwrap();
            staging.write(&operator_permit()).replace(&stored, file("old", at, n));
            Ok::<(), CommitError>(())
        };
        self.engine.commit(&ws(), change).map(drop).unwrap();
    }

    /// Writes a second of so many threads.
    fn rate(&self, kind: Kind, threads: usize) -> f64 {
        let (start, written) = (Instant::now(), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while start.elapsed() < ROUND {
                        self.write(kind);
                        written.fetch_add(1, Relaxed);
                    }
                });
            }
        });
        written.load(Relaxed) as f64 / start.elapsed().as_secs_f64()
    }

    fn rates(&mut self) {
        let rows: [(&str, Kind, usize); 6] = [
            ("create, 1 thread", Kind::Create, 1),
            ("create, 16 threads", Kind::Create, THREADS),
            ("update, 1 thread", Kind::Update, 1),
            ("update, 16 threads", Kind::Update, THREADS),
            ("first update of an entry, 1 thread", Kind::FirstUpdate, 1),
            ("first update of an entry, 16 threads", Kind::FirstUpdate, THREADS),
        ];
        let mut raw = Vec::new();
        let mut rates = vec![Vec::new(); rows.len()];
        for round in 0..ROUNDS {
            // None always comes after the same other one, which may leave the disk busy.
            for at in 0..=rows.len() {
                match (at + round) % (rows.len() + 1) {
                    0 => raw.push(self.raw.rate()),
                    row => {
                        let (_, kind, threads) = rows[row - 1];
                        rates[row - 1].push(self.rate(kind, threads));
                    }
                }
            }
        }
        println!("{:<38} {:>9} {:>9} {:>10}", "", "writes/s", "÷ raw", "÷ 1 thread");
        println!("{:<38} {:>9.0}", "raw loop: write, fsync, rename, fsync", median(raw.clone()));
        for (at, ((name, _, threads), rate)) in rows.iter().zip(&rates).enumerate() {
            let to_raw = ratio(rate, &raw);
            let one = at.checked_sub(1).filter(|_| *threads > 1).and_then(|it| rates.get(it));
            let to_one = one.map_or(String::new(), |one| format!("{:.2}", ratio(rate, one)));
            println!("{name:<38} {:>9.0} {to_raw:>9.2} {to_one:>10}", median(rate.clone()));
        }
    }

    /// Where the time of one writer goes, with syncs and without.
    fn phases(&self) {
        let kinds = [
            ("create", Kind::Create),
            ("update", Kind::Update),
            ("first update", Kind::FirstUpdate),
        ];
        println!("\nµs (calls) a write of one thread");
        println!("{:<14} {:>9} {:>9} {PHASE_NAMES}", "", "all", "engine");
        for (name, kind) in kinds {
            const WRITES: u32 = 200;
            self.disk.reset();
            let start = Instant::now();
            (0..WRITES).for_each(|_| self.write(kind));
            let all = start.elapsed().as_secs_f64() * 1e6 / f64::from(WRITES);
            let (phases, in_disk) = self.disk.report(WRITES);
            println!("{name:<14} {all:>9.1} {:>9.1} {phases}", all - in_disk);
        }
    }
}

/// The same number of syncs as the least that a durable change needs.
struct RawLoop {
    folder: PathBuf,
    opened: File,
    bytes: Vec<u8>,
    written: u64,
}

impl RawLoop {
    fn open(folder: &Path) -> RawLoop {
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder).unwrap();
        let (bytes, opened) = (file("new", 0, 0), File::open(folder).unwrap());
        RawLoop { folder: folder.to_path_buf(), opened, bytes, written: 0 }
    }

    fn rate(&mut self) -> f64 {
        let (start, before) = (Instant::now(), self.written);
        while start.elapsed() < ROUND {
            self.written += 1;
            let unfinished = self.folder.join("unfinished");
            let mut file = File::create(&unfinished).unwrap();
            file.write_all(&self.bytes).unwrap();
            file.sync_all().unwrap();
            std::fs::rename(&unfinished, self.folder.join(self.written.to_string())).unwrap();
            self.opened.sync_all().unwrap();
        }
        (self.written - before) as f64 / start.elapsed().as_secs_f64()
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The median of the ratios round by round: what else the machine does hits both alike.
fn ratio(values: &[f64], to: &[f64]) -> f64 {
    median(values.iter().zip(to).map(|(value, to)| value / to).collect())
}

/// What a disk is asked for.
#[derive(Clone, Copy)]
enum Phase {
    Read,
    Stat,
    Write,
    Name,
    MakeFolder,
    SyncBytes,
    SyncFolder,
}

const PHASE_NAMES: &str =
    "        read         stat        write   link,rename        mkdir   sync bytes sync folders";

/// The real disk, with a stopwatch.
struct Timed {
    disk: OsDisk,
    nanos: [AtomicU64; 7],
    calls: [AtomicU64; 7],
}

impl Timed {
    fn new(disk: OsDisk) -> Timed {
        Timed { disk, nanos: Default::default(), calls: Default::default() }
    }

    fn timed<T>(&self, phase: Phase, work: impl FnOnce(&OsDisk) -> T) -> T {
        let start = Instant::now();
        let done = work(&self.disk);
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanos[phase as usize].fetch_add(nanos, Relaxed);
        self.calls[phase as usize].fetch_add(1, Relaxed);
        done
    }

    fn reset(&self) {
        self.nanos.iter().chain(&self.calls).for_each(|it| it.store(0, Relaxed));
    }

    /// The cells of a row, and all of them together.
    fn report(&self, writes: u32) -> (String, f64) {
        let each = |count: &AtomicU64| count.load(Relaxed) as f64 / f64::from(writes);
        let cells = self.nanos.iter().zip(&self.calls).map(|(nanos, calls)| {
            format!("{:>12}", format!("{:.1} ({:.1})", each(nanos) / 1e3, each(calls)))
        });
        let cells: Vec<String> = cells.collect();
        (cells.join(" "), self.nanos.iter().map(|it| each(it) / 1e3).sum())
    }
}

impl Disk for Timed {
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        self.timed(Phase::Read, |it| it.read(path, into))
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        self.timed(Phase::Read, |it| it.open(path))
    }

    fn stat(&self, path: &str) -> io::Result<StatResult> {
        self.timed(Phase::Stat, |it| it.stat(path))
    }

    fn list(&self, folder: &str) -> io::Result<Listing> {
        self.timed(Phase::Stat, |it| it.list(folder))
    }

    /// In two steps, to tell writing from syncing.
    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write_unsynced(path, bytes, mode)?;
        self.sync_file(path)
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<Stat> {
        self.timed(Phase::Write, |it| it.write_unsynced(path, bytes, mode))
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        self.timed(Phase::SyncBytes, |it| it.sync_file(path))
    }

    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.timed(Phase::Write, |it| it.append(path, bytes, mode))
    }

    fn create(&self, path: &str) -> io::Result<File> {
        self.timed(Phase::Write, |it| it.create(path))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.timed(Phase::Name, |it| it.rename(from, to))
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.timed(Phase::Name, |it| it.rename_new(from, to))
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.timed(Phase::Name, |it| it.link(from, to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.timed(Phase::Name, |it| it.remove(path))
    }

    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()> {
        self.timed(Phase::MakeFolder, |it| it.make_folder(folder, mode))
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        self.timed(Phase::Name, |it| it.remove_folder(folder))
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.timed(Phase::SyncFolder, |it| it.sync_folder(folder))
    }

    fn sync_all(&self) -> io::Result<()> {
        self.timed(Phase::SyncBytes, |it| it.sync_all())
    }

    fn sync_together(&self, files: &[String], folders: &[String]) -> io::Result<()> {
        let phase = if files.is_empty() { Phase::SyncFolder } else { Phase::SyncBytes };
        self.timed(phase, |it| it.sync_together(files, folders))
    }
}
