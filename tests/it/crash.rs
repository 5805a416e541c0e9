//! The machine stops at every step of every shape of change, forgets what it may forget, and
//! stops again while it recovers: what is found is the old or the new, never a mixture, and the
//! new once it was promised. Every sync is shown to be needed, and every call may fail.
//!
//! `RECTO_CRASHES=200` looks at more of what may be found after each stop.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use recto::store::commit;
use recto::store::commit::Change;
use recto::store::commit::Op;
use recto::store::commit::Outcome;
use recto::store::disk::Disk;
use recto::store::disk::memory::Call;
use recto::store::disk::memory::MemDisk;
use recto::store::disk::memory::Survival;
use recto::store::disk::memory::Verb;
use recto::store::half_deleted;
use recto::store::journal;

use crate::crash_shapes::SHAPES;
use crate::crash_shapes::Shape;

/// How many disks that may be found after a stop are looked at, unless more are asked for.
const CRASHES: usize = 16;

/// How many after a stop during recovery.
const CRASHES_AGAIN: usize = 4;

/// The bytes of files by path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// What of a change was promised to be durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Promised(u32);

/// States that may be found, each with the changes that are in it.
struct Allowed(Vec<(u32, Files)>);

/// Makes the changes as the engine does: single ones that follow each other in one batch, compound
/// ones through the journal.
fn run(disk: &MemDisk, changes: &[Change]) -> Promised {
    let mut promised = 0;
    let mut number = 0;
    for group in changes.chunk_by(|one, other| !one.is_compound() && !other.is_compound()) {
        let outcomes = match group {
            [change] if change.is_compound() => {
                vec![run_compound(disk, &number.to_string(), change)]
            }
            singles => {
                let outcomes = commit::write(disk, singles).unwrap_or_default();
                outcomes.iter().map(|it| matches!(it, Outcome::Done)).collect()
            }
        };
        let done = outcomes.iter().enumerate().filter(|(_, done)| **done);
        promised |= done.map(|(index, _)| 1 << (number + index)).sum::<u32>();
        number += group.len();
        if outcomes.len() < group.len() || outcomes.contains(&false) {
            // Nothing is written until it is known what is there.
            break;
        }
    }
    Promised(promised)
}

fn run_compound(disk: &MemDisk, name: &str, change: &Change) -> bool {
    let only = |change: Change| {
        let outcomes = commit::write(disk, &[change]).unwrap_or_default();
        matches!(outcomes[..], [Outcome::Done])
    };
    let beforehand = Change { beforehand: change.beforehand.clone(), ..Change::default() };
    let done = only(beforehand) && journal::write(disk, name, &change.steps).is_ok();
    if done {
        only(Change { afterwards: change.afterwards.clone(), ..Change::default() });
    }
    done
}

fn everything(changes: &[Change]) -> u32 {
    (1 << changes.len()) - 1
}

impl Allowed {
    /// Every state that is whole: of the changes some, in order; with what is harmless by itself
    /// or not.
    fn of(shape: &Shape) -> Allowed {
        let whole = shape.changes(&shape.disk());
        let mut allowed = Vec::new();
        for done in 0..=everything(&whole) {
            let is_done = |index: usize| done & (1 << index) != 0;
            for extra in 0..4 {
                let disk = shape.disk();
                let mut some = shape.changes(&disk);
                for (index, change) in some.iter_mut().enumerate() {
                    if is_done(index) {
                        change.afterwards.truncate(extra);
                    } else {
                        change.beforehand.truncate(extra);
                        change.steps.clear();
                        change.afterwards.clear();
                    }
                }
                if run(&disk, &some).0 == everything(&some) {
                    allowed.push((done, content(&disk)));
                }
            }
        }
        Allowed(allowed)
    }

    /// What is wrong with what was found, if anything is.
    fn check(&self, found: &Files, promised: Promised) -> Result<(), String> {
        let left: Vec<&String> = found.keys().filter(|it| it.starts_with("journal/")).collect();
        if !left.is_empty() {
            return Err(format!("left behind: {left:?}"));
        }
        let kept = |done: u32| done & promised.0 == promised.0;
        let fits = |(done, files): &(u32, Files)| kept(*done) && is_same(found, files);
        if self.0.iter().any(fits) {
            return Ok(());
        }
        let show = |(path, bytes): (&String, &Vec<u8>)| {
            format!("{}={}", path.replace("workspaces/main/", ""), String::from_utf8_lossy(bytes))
        };
        let found: Vec<String> = found.iter().map(show).collect();
        Err(format!("promised {:b}, found {}", promised.0, found.join(" ")))
    }
}

/// What matters of a disk: everything but what only Recto looks into.
pub(crate) fn content(disk: &MemDisk) -> Files {
    let files = disk.tree().files.into_iter();
    files.filter(|(path, _)| !path.starts_with(".recto/")).collect()
}

/// Whether only such revisions are there too many that say what the entry says, or were just made of
/// an entry that came to nothing.
pub(crate) fn is_same(found: &Files, expect: &Files) -> bool {
    let spare = |path: &String, bytes: &Vec<u8>| {
        let entry = path.replace("/revisions/", "/content/");
        let entry = entry.rsplit_once('/').map(|(entry, _)| format!("{entry}.json"));
        let now = entry.and_then(|it| found.get(&it));
        let is_spare = now.map_or(path.contains("-update-"), |it| it == bytes);
        path.contains("/revisions/") && is_spare
    };
    expect.iter().all(|(path, bytes)| found.get(path) == Some(bytes))
        && found.iter().all(|(path, bytes)| expect.contains_key(path) || spare(path, bytes))
}

fn recover(disk: &MemDisk) -> bool {
    journal::recover(disk).is_ok() && half_deleted::undo(disk).is_ok()
}

/// Recovers and looks; then crashes once more: what was shown stays.
fn look(disk: &MemDisk, allowed: &Allowed, promised: Promised) -> Result<(), String> {
    if !recover(disk) {
        return Err("cannot recover".to_string());
    }
    let shown = content(disk);
    allowed.check(&shown, promised)?;
    let again = disk.crash(Survival::Nothing);
    if !recover(&again) || content(&again) != shown {
        let shown = allowed.check(&content(&again), Promised(u32::MAX)).unwrap_err();
        return Err(format!("what was shown is gone after the next crash: {shown}"));
    }
    Ok(())
}

/// The changes made until the machine stops.
fn stopped(shape: &Shape, stop: u64, lies: &[u64]) -> (MemDisk, Promised) {
    let disk = shape.disk();
    let changes = shape.changes(&disk);
    disk.stop_at(stop);
    lies.iter().for_each(|lie| disk.ignore_sync(*lie));
    let promised = run(&disk, &changes);
    (disk, promised)
}

/// The changes made without a disturbance.
fn whole(shape: &Shape) -> MemDisk {
    let (disk, promised) = stopped(shape, u64::MAX, &[]);
    assert_eq!(promised.0, everything(&shape.changes(&shape.disk())), "{}", shape.name);
    disk
}

fn crashes() -> usize {
    let asked = std::env::var("RECTO_CRASHES").ok().and_then(|it| it.parse().ok());
    asked.unwrap_or(CRASHES)
}

fn step(disk: &MemDisk, number: u64) -> String {
    let mut steps = disk.log().into_iter().filter(|it: &Call| it.verb.is_step());
    let step = steps.nth(usize::try_from(number).unwrap());
    step.map_or("the end".to_string(), |it| format!("`{it}`"))
}

/// Fails with the first few of what is wrong.
pub(crate) fn expect_none(what: &str, wrong: &[String]) {
    let first: Vec<&str> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{what}: {} wrong\n{}", wrong.len(), first.join("\n"));
}

/// What was looked at already: stops one after the other leave much the same.
#[derive(Default)]
struct Seen(BTreeSet<String>);

impl Seen {
    fn is_new(&mut self, disk: &MemDisk, promised: Promised) -> bool {
        let (tree, disk) = (disk.tree(), disk.copy());
        // What is unfinished has another name each time, and makes no difference.
        let files = tree.files.iter().filter(|(path, _)| !path.starts_with(".recto/tmp/"));
        let inode = |path: &str| disk.stat(path).unwrap().stat.inode;
        let files: Vec<_> = files.map(|(path, bytes)| (path, bytes, inode(path))).collect();
        self.0.insert(format!("{promised:?} {files:?} {:?}", tree.folders))
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn a_crash_at_any_step_leaves_the_old_or_the_new() {
    let (mut n_crashes, mut n_again) = (0, 0);
    let mut wrong = Vec::new();
    for shape in SHAPES {
        let (allowed, undisturbed) = (Allowed::of(shape), whole(shape));
        let mut seen = Seen::default();
        for stop in 0..=undisturbed.steps() {
            let (disk, promised) = stopped(shape, stop, &[]);
            for crashed in disk.crashes(crashes()) {
                n_crashes += 1;
                if !seen.is_new(&crashed, promised) {
                    continue;
                }
                let place = || format!("{}, before {}", shape.name, step(&undisturbed, stop));
                if let Err(why) = look(&crashed.copy(), &allowed, promised) {
                    wrong.push(format!("{}: {why}", place()));
                }
                let (n, again) = crash_again(&crashed, &allowed, promised, &mut seen);
                n_again += n;
                wrong.extend(again.iter().map(|it| format!("{}, {it}", place())));
            }
        }
    }
    eprintln!("{} shapes, {n_crashes} crashes, {n_again} during recovery", SHAPES.len());
    expect_none("crashes", &wrong);
}

/// Stops at every step of recovery, and recovers from that.
fn crash_again(
    disk: &MemDisk,
    allowed: &Allowed,
    promised: Promised,
    seen: &mut Seen,
) -> (usize, Vec<String>) {
    let undisturbed = disk.copy();
    recover(&undisturbed);
    let (mut n, mut wrong) = (0, Vec::new());
    for stop in 0..undisturbed.steps() {
        let stopped = disk.copy();
        stopped.stop_at(stop);
        recover(&stopped);
        for crashed in stopped.crashes(CRASHES_AGAIN) {
            n += 1;
            if seen.is_new(&crashed, promised)
                && let Err(why) = look(&crashed, allowed, promised)
            {
                wrong.push(format!("recovering, before {}: {why}", step(&undisturbed, stop)));
            }
        }
    }
    (n, wrong)
}

/// Syncs that no crash misses, by shape, each with its reason.
const REDUNDANT: &[(&str, &str, &str)] = &[
    ("", "SyncFolder journal", "an intent that comes back matters once the files change again"),
    ("soft-delete", "SyncFolder workspaces/main/trash/posts", "what it came from is synced too"),
    ("several", "SyncFolder workspaces/main/trash/posts", "what it came from is synced too"),
    ("migrate", "SyncFolder journal/0", "everything is synced just before, where that can be done"),
    (
        "delete a type of which there is nothing",
        "SyncFolder ",
        "one file goes: that needs no journal",
    ),
    (
        "delete a type of which there is nothing",
        "SyncFolder workspaces/main/content",
        "is not there",
    ),
    ("delete a type of which there is nothing", "SyncFolder workspaces/main/trash", "is not there"),
    (
        "delete a type of which there is nothing",
        "SyncFolder workspaces/main/revisions",
        "is not there",
    ),
    ("re-key", "SyncFolder workspaces/main/revisions/home/home", "what it came from is synced too"),
    ("create", "SyncFolder workspaces/main/trash", "a trash with nothing in it is made again"),
];

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn every_sync_is_needed() {
    let mut wrong = Vec::new();
    let (mut n_syncs, mut n_alone, mut n_paired, mut n_covered) = (0, 0, 0, 0);
    for shape in SHAPES {
        let (allowed, undisturbed) = (Allowed::of(shape), whole(shape));
        let log = undisturbed.log().into_iter().filter(|it| it.verb.is_sync());
        let syncs: Vec<Call> = log.take(syncs_before_the_promise(shape)).collect();
        let is_missed = |lies: &[u64]| {
            let mut seen = Seen::default();
            // Before the first of them nothing is different.
            let calls = undisturbed.log().into_iter().filter(|it| it.verb.is_step());
            let mut syncs = (0..).zip(calls).filter(|(_, it)| it.verb.is_sync());
            let first = usize::try_from(lies.iter().min().copied().unwrap_or(0)).unwrap();
            let first: u64 = syncs.nth(first).map_or(0, |(step, _)| step);
            (first..=undisturbed.steps()).rev().any(|stop| {
                let (disk, promised) = stopped(shape, stop, lies);
                let mut found = disk.crashes(CRASHES).into_iter();
                found.any(|crashed| {
                    seen.is_new(&crashed, promised) && look(&crashed, &allowed, promised).is_err()
                })
            })
        };
        let numbered = || (0_u64..).zip(&syncs);
        let unmissed: Vec<u64> =
            numbered().map(|it| it.0).filter(|it| !is_missed(&[*it])).collect();
        n_syncs += syncs.len();
        n_alone += syncs.len() - unmissed.len();
        for (lie, sync) in numbered().filter(|(lie, _)| unmissed.contains(lie)) {
            let shown = sync.to_string();
            let is_later = |(number, it): (u64, &Call)| {
                number > lie && (it == sync || it.verb == Verb::SyncAll)
            };
            let mut near = unmissed.iter().filter(|it| (1..=2).contains(&it.abs_diff(lie)));
            if near.any(|other| is_missed(&[lie, *other])) {
                // A rename from one folder to another is durable with either of them.
                n_paired += 1;
            } else if numbered().any(is_later) {
                // Nothing relies on it before the same is synced again.
                n_covered += 1;
            } else if !REDUNDANT
                .iter()
                .any(|(of, it, _)| shape.name.starts_with(of) && *it == shown)
            {
                wrong.push(format!("{}: sync {lie}, `{shown}`, is not missed", shape.name));
            }
        }
    }
    eprintln!("{n_syncs} syncs: {n_alone} alone, {n_paired} with another, {n_covered} made again");
    expect_none("syncs", &wrong);
}

/// The intent of a change that is done comes back unless its removal is synced, and undoes what
/// was written since.
#[test]
fn an_intent_that_comes_back_is_seen() {
    for shape in SHAPES.iter().filter(|it| it.name.contains(" and then ")) {
        let (allowed, undisturbed) = (Allowed::of(shape), whole(shape));
        let log = undisturbed.log();
        let removed = log.iter().position(|it| it.to_string() == "Remove journal/0.intent");
        let before = log.iter().take(removed.unwrap()).filter(|it| it.verb.is_sync());
        let (disk, promised) = stopped(shape, u64::MAX, &[before.count() as u64]);
        let crashed = disk.crash(Survival::Nothing);
        assert!(look(&crashed, &allowed, promised).is_err(), "{}", shape.name);
    }
}

/// What is done afterwards may be lost, so its syncs need not be.
fn syncs_before_the_promise(shape: &Shape) -> usize {
    let disk = shape.disk();
    let mut changes = shape.changes(&disk);
    changes.iter_mut().for_each(|it| it.afterwards.clear());
    run(&disk, &changes);
    usize::try_from(disk.syncs()).unwrap()
}

const EIO: i32 = 5;
const EMFILE: i32 = 24;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn a_call_that_fails_loses_nothing() {
    let mut wrong = Vec::new();
    let mut n_faults = 0;
    for shape in SHAPES {
        let (allowed, undisturbed) = (Allowed::of(shape), whole(shape));
        let log = undisturbed.log();
        for errno in [EIO, EMFILE, ENOSPC, EROFS] {
            for (number, call) in (0..).zip(&log) {
                n_faults += 1;
                let disk = shape.disk();
                let changes = shape.changes(&disk);
                disk.fail_at(number, errno);
                let promised = run(&disk, &changes);
                if let Err(why) = look_after_fault(&disk, shape, &allowed, promised) {
                    wrong.push(format!("{}: errno {errno} at `{call}`: {why}", shape.name));
                }
            }
        }
    }
    eprintln!("{n_faults} faults");
    expect_none("faults", &wrong);
}

/// The folder is whole, stays whole in a crash, and can be written to again.
fn look_after_fault(
    disk: &MemDisk,
    shape: &Shape,
    allowed: &Allowed,
    promised: Promised,
) -> Result<(), String> {
    for crashed in disk.crashes(CRASHES_AGAIN) {
        look(&crashed, allowed, promised).map_err(|why| format!("then a crash: {why}"))?;
    }
    disk.heal();
    if !recover(disk) {
        return Err("cannot recover".to_string());
    }
    allowed.check(&content(disk), promised)?;
    let everything = everything(&shape.changes(&shape.disk()));
    if promised.0 == 0 && is_same(&content(disk), &content(&shape.disk())) {
        let changes = shape.changes(disk);
        let promised = run(disk, &changes);
        if promised.0 != everything {
            return Err("does not go on afterwards".to_string());
        }
        allowed.check(&content(disk), promised)?;
    }
    Ok(())
}

#[test]
fn on_a_full_disk_nothing_changes_and_deleting_works() {
    for shape in SHAPES {
        let (allowed, disk) = (Allowed::of(shape), shape.disk());
        let changes = shape.changes(&disk);
        // What only has to be there once is there on a disk that has been in use.
        commit::write(&disk, &[Change::default()]).unwrap();
        disk.fill(ENOSPC);
        let promised = run(&disk, &changes);
        if shape.frees_room {
            assert_eq!(promised.0, everything(&changes), "{}", shape.name);
        } else if promised.0 == 0 {
            assert_eq!(content(&disk), content(&shape.disk()), "{}", shape.name);
        }
        look_after_fault(&disk, shape, &allowed, promised).unwrap();
        let rest = disk.tree().files.into_keys().filter(|it| it.ends_with(".tmp"));
        let rest: Vec<String> = rest.filter(|it| !it.contains("tmp/1-9")).collect();
        assert!(rest.is_empty(), "{}: {rest:?}", shape.name);
    }
}

/// Whatever somebody writes into a file that is being replaced, and whenever: it stays, or becomes a
/// revision.
#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn an_edit_by_hand_between_any_two_calls_is_kept() {
    const EDITED: &[u8] = b"edited by hand";
    let (mut n_edits, mut wrong) = (0, Vec::new());
    for shape in SHAPES {
        let undisturbed = whole(shape);
        let changes = shape.changes(&shape.disk());
        let seen = changes.iter().flat_map(|it| &it.steps).filter_map(|op| match op {
            Op::Replace { path, seen: Some(_), .. } => Some(path.clone()),
            _ => None,
        });
        for path in seen {
            for (number, call) in (0..).zip(undisturbed.log()) {
                n_edits += 1;
                let disk = shape.disk();
                let changes = shape.changes(&disk);
                disk.edit_at(number, &path, Some(EDITED));
                run(&disk, &changes);
                // In case the last call has passed.
                let _ = disk.stat(&path);
                if !content(&disk).values().any(|it| it == EDITED) {
                    wrong.push(format!("{}: `{path}` edited before `{call}`", shape.name));
                }
            }
        }
    }
    eprintln!("{n_edits} edits");
    expect_none("edits", &wrong);
}

#[test]
fn the_test_sees_a_change_without_a_journal() {
    let shape = SHAPES.iter().find(|it| it.name.starts_with("rename a category")).unwrap();
    let allowed = Allowed::of(shape);
    let torn = (0..).map_while(|stop| {
        let disk = shape.disk();
        let steps = shape.changes(&disk).remove(0).steps.into_iter();
        let single = steps.map(|it| Change { steps: vec![it], ..Change::default() });
        disk.stop_at(stop);
        let _ = commit::write(&disk, &single.collect::<Vec<_>>());
        disk.is_stopped().then(|| {
            let found = disk.crashes(CRASHES);
            found.iter().any(|it| look(it, &allowed, Promised(0)).is_err())
        })
    });
    assert!(torn.into_iter().any(|it| it));
}
