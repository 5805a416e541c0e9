//! Crashes of the simulated disk: the changes that are stopped, and the states that may be found.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use recto::store::disk::Disk;
use recto::store::disk::memory::DiskCall;
use recto::store::disk::memory::MemDisk;
use recto::store::disk::memory::Survival;
use recto::store::write::commit;
use recto::store::write::commit::CommitOutcome;
use recto::store::write::file_op::FileTransaction;
use recto::store::write::half_deleted;
use recto::store::write::journal;

use crate::support::crash_shapes::Shape;

/// How many disks that may be found after a stop are looked at, unless more are asked for.
pub(crate) const CRASHES: usize = 16;

/// How many after a stop during recovery.
pub(crate) const CRASHES_AGAIN: usize = 4;

/// The bytes of files by path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// What of a change was promised to be durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Promised(pub(crate) u32);

/// States that may be found, each with the changes that are in it.
pub(crate) struct Allowed(Vec<(u32, Files)>);

/// Makes the changes as the engine does: single ones that follow each other in one batch, compound
/// ones through the journal.
pub(crate) fn run(disk: &MemDisk, changes: &[FileTransaction]) -> Promised {
    let mut promised = 0;
    let mut number = 0;
    for group in changes.chunk_by(|one, other| !one.is_compound() && !other.is_compound()) {
        let outcomes = match group {
            [change] if change.is_compound() => {
                vec![run_compound(disk, &number.to_string(), change)]
            }
            singles => {
                let outcomes = commit::commit_transactions(disk, singles).unwrap_or_default();
                outcomes.iter().map(|it| matches!(it, CommitOutcome::Done(_))).collect()
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

pub(crate) fn run_compound(disk: &MemDisk, name: &str, change: &FileTransaction) -> bool {
    let only = |change: FileTransaction| {
        let outcomes = commit::commit_transactions(disk, &[change]).unwrap_or_default();
        matches!(outcomes[..], [CommitOutcome::Done(_)])
    };
    let beforehand =
        FileTransaction { beforehand: change.beforehand.clone(), ..FileTransaction::default() };
    let done = only(beforehand) && journal::commit_ops(disk, name, &change.steps).is_ok();
    if done {
        only(FileTransaction {
            afterwards: change.afterwards.clone(),
            ..FileTransaction::default()
        });
    }
    done
}

pub(crate) fn everything(changes: &[FileTransaction]) -> u32 {
    (1 << changes.len()) - 1
}

impl Allowed {
    /// Every state that is whole: of the changes some, in order; with what is harmless by itself
    /// or not.
    pub(crate) fn of(shape: &Shape) -> Allowed {
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
    pub(crate) fn check(&self, found: &Files, promised: Promised) -> Result<(), String> {
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
    let files = disk.read_tree().files.into_iter();
    files.filter(|(path, _)| !path.starts_with(".recto/")).collect()
}

/// Whether only such revisions are there too many that say what the entry or the file says, or were
/// just made of an entry that came to nothing.
pub(crate) fn is_same(found: &Files, expect: &Files) -> bool {
    let spare = |path: &String, bytes: &Vec<u8>| {
        let Some((history, _)) = path.rsplit_once('/') else { return false };
        let current = match path.contains("/media-revisions/") {
            true => history.replace("/media-revisions/", "/media/"),
            false => format!("{}.json", history.replace("/revisions/", "/content/")),
        };
        let is_spare = found.get(&current).map_or(path.contains("-update-"), |it| it == bytes);
        path.contains("revisions/") && is_spare
    };
    expect.iter().all(|(path, bytes)| found.get(path) == Some(bytes))
        && found.iter().all(|(path, bytes)| expect.contains_key(path) || spare(path, bytes))
}

pub(crate) fn recover(disk: &MemDisk) -> bool {
    journal::recover_changes(disk).is_ok() && half_deleted::undo_half_deletions(disk).is_ok()
}

/// Recovers and looks; then crashes once more: what was shown stays.
pub(crate) fn look(disk: &MemDisk, allowed: &Allowed, promised: Promised) -> Result<(), String> {
    if !recover(disk) {
        return Err("cannot recover".to_string());
    }
    let shown = content(disk);
    allowed.check(&shown, promised)?;
    let again = disk.simulate_crash(Survival::Nothing);
    if !recover(&again) || content(&again) != shown {
        let shown = allowed.check(&content(&again), Promised(u32::MAX)).unwrap_err();
        return Err(format!("what was shown is gone after the next crash: {shown}"));
    }
    Ok(())
}

/// The changes made until the machine stops.
pub(crate) fn stopped(shape: &Shape, stop: u64, lies: &[u64]) -> (MemDisk, Promised) {
    let disk = shape.disk();
    let changes = shape.changes(&disk);
    disk.stop_at(stop);
    lies.iter().for_each(|lie| disk.ignore_sync(*lie));
    let promised = run(&disk, &changes);
    (disk, promised)
}

/// The changes made without a disturbance.
pub(crate) fn whole(shape: &Shape) -> MemDisk {
    let (disk, promised) = stopped(shape, u64::MAX, &[]);
    assert_eq!(promised.0, everything(&shape.changes(&shape.disk())), "{}", shape.name);
    disk
}

pub(crate) fn crashes() -> usize {
    let asked = std::env::var("RECTO_CRASHES").ok().and_then(|it| it.parse().ok());
    asked.unwrap_or(CRASHES)
}

pub(crate) fn step(disk: &MemDisk, number: u64) -> String {
    let mut steps = disk.list_calls().into_iter().filter(|it: &DiskCall| it.verb.is_step());
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
pub(crate) struct Seen(BTreeSet<String>);

impl Seen {
    pub(crate) fn is_new(&mut self, disk: &MemDisk, promised: Promised) -> bool {
        let (tree, disk) = (disk.read_tree(), disk.copy_durable());
        // What is unfinished has another name each time, and makes no difference.
        let files = tree.files.iter().filter(|(path, _)| !path.starts_with(".recto/"));
        let inode = |path: &str| disk.stat(path).unwrap().stat.inode;
        let files: Vec<_> = files.map(|(path, bytes)| (path, bytes, inode(path))).collect();
        self.0.insert(format!("{promised:?} {files:?} {:?}", tree.folders))
    }
}
