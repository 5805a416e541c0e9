//! The machine stops at every step of every shape of change, forgets what it may forget, and
//! stops again while it recovers: what is found is the old or the new, never a mixture, and the
//! new once it was promised. Every sync is shown to be needed, and every call may fail.
//!
//! `RECTO_CRASHES=200` looks at more of what may be found after each stop.

use recto::store::disk::Disk;
use recto::store::disk::memory::DiskCall;
use recto::store::disk::memory::MemDisk;
use recto::store::disk::memory::Survival;
use recto::store::disk::memory::Verb;
use recto::store::layout::FilePath;
use recto::store::write::commit;
use recto::store::write::commit::CommitOutcome;
use recto::store::write::file_op::FileOp;
use recto::store::write::file_op::FileTransaction;

use crate::support::crash::Allowed;
use crate::support::crash::CRASHES;
use crate::support::crash::CRASHES_AGAIN;
use crate::support::crash::Promised;
use crate::support::crash::Seen;
use crate::support::crash::content;
use crate::support::crash::crashes;
use crate::support::crash::everything;
use crate::support::crash::expect_none;
use crate::support::crash::is_same;
use crate::support::crash::look;
use crate::support::crash::recover;
use crate::support::crash::run;
use crate::support::crash::step;
use crate::support::crash::stopped;
use crate::support::crash::whole;
use crate::support::crash_shapes::CHANGED_TWICE;
use crate::support::crash_shapes::SHAPES;
use crate::support::crash_shapes::STATE_SHAPES;
use crate::support::crash_shapes::Shape;

#[test]
fn a_crash_at_any_step_leaves_the_old_or_the_new() {
    crash_at_any_step(SHAPES);
}

/// The journal is on the file system of the content: what it brings into the state is copied.
#[test]
fn a_crash_leaves_the_old_or_the_new_where_the_state_is_on_another_file_system() {
    crash_at_any_step(STATE_SHAPES);
}

#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn crash_at_any_step(shapes: &[Shape]) {
    let (mut n_crashes, mut n_again) = (0, 0);
    let mut wrong = Vec::new();
    for shape in shapes {
        let (allowed, undisturbed) = (Allowed::of(shape), whole(shape));
        let mut seen = Seen::default();
        for stop in 0..=undisturbed.count_steps() {
            let (disk, promised) = stopped(shape, stop, &[]);
            for crashed in disk.list_crashes(crashes()) {
                n_crashes += 1;
                if !seen.is_new(&crashed, promised) {
                    continue;
                }
                let place = || format!("{}, before {}", shape.name, step(&undisturbed, stop));
                if let Err(why) = look(&crashed.copy_durable(), &allowed, promised) {
                    wrong.push(format!("{}: {why}", place()));
                }
                let (n, again) = crash_again(&crashed, &allowed, promised, &mut seen);
                n_again += n;
                wrong.extend(again.iter().map(|it| format!("{}, {it}", place())));
            }
        }
    }
    eprintln!("{} shapes, {n_crashes} crashes, {n_again} during recovery", shapes.len());
    expect_none("crashes", &wrong);
}

/// Stops at every step of recovery, and recovers from that.
fn crash_again(
    disk: &MemDisk,
    allowed: &Allowed,
    promised: Promised,
    seen: &mut Seen,
) -> (usize, Vec<String>) {
    let undisturbed = disk.copy_durable();
    recover(&undisturbed);
    let (mut n, mut wrong) = (0, Vec::new());
    for stop in 0..undisturbed.count_steps() {
        let stopped = disk.copy_durable();
        stopped.stop_at(stop);
        recover(&stopped);
        for crashed in stopped.list_crashes(CRASHES_AGAIN) {
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
        "write several files of which the first stays as it was",
        "SyncFile journal/0/0",
        "its bytes are in place already",
    ),
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
    (
        "rename a file with its revisions",
        "SyncFolder workspaces/main/media-revisions/p.png",
        "it is removed in the end, and what it was in is synced",
    ),
    (
        "rename a file with its revisions",
        "SyncFolder workspaces/main/media-revisions/q.png",
        "what they came from is removed, and what that was in is synced",
    ),
    ("create", "SyncFolder workspaces/main/trash", "a trash with nothing in it is made again"),
];

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn every_sync_is_needed() {
    let mut wrong = Vec::new();
    let (mut n_syncs, mut n_alone, mut n_paired, mut n_covered) = (0, 0, 0, 0);
    for shape in SHAPES {
        let (allowed, undisturbed) = (Allowed::of(shape), whole(shape));
        let log = undisturbed.list_calls().into_iter().filter(|it| it.verb.is_sync());
        let syncs: Vec<DiskCall> = log.take(syncs_before_the_promise(shape)).collect();
        let is_missed = |lies: &[u64]| {
            let mut seen = Seen::default();
            // Before the first of them nothing is different.
            let calls = undisturbed.list_calls().into_iter().filter(|it| it.verb.is_step());
            let mut syncs = (0..).zip(calls).filter(|(_, it)| it.verb.is_sync());
            let first = usize::try_from(lies.iter().min().copied().unwrap_or(0)).unwrap();
            let first: u64 = syncs.nth(first).map_or(0, |(step, _)| step);
            (first..=undisturbed.count_steps()).rev().any(|stop| {
                let (disk, promised) = stopped(shape, stop, lies);
                let mut found = disk.list_crashes(CRASHES).into_iter();
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
            let is_later = |(number, it): (u64, &DiskCall)| {
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
        let log = undisturbed.list_calls();
        let removed = log.iter().position(|it| it.to_string() == "Remove journal/0.intent");
        let before = log.iter().take(removed.unwrap()).filter(|it| it.verb.is_sync());
        let (disk, promised) = stopped(shape, u64::MAX, &[before.count() as u64]);
        let crashed = disk.simulate_crash(Survival::Nothing);
        assert!(look(&crashed, &allowed, promised).is_err(), "{}", shape.name);
    }
}

/// What is done afterwards may be lost, so its syncs need not be.
fn syncs_before_the_promise(shape: &Shape) -> usize {
    let disk = shape.disk();
    let mut changes = shape.changes(&disk);
    changes.iter_mut().for_each(|it| it.afterwards.clear());
    run(&disk, &changes);
    usize::try_from(disk.count_syncs()).unwrap()
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
        let log = undisturbed.list_calls();
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
    for crashed in disk.list_crashes(CRASHES_AGAIN) {
        look(&crashed, allowed, promised).map_err(|why| format!("then a crash: {why}"))?;
    }
    disk.clear_faults();
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
        commit::commit_transactions(&disk, &[FileTransaction::default()]).unwrap();
        disk.fill_up(ENOSPC);
        let promised = run(&disk, &changes);
        if shape.frees_room {
            assert_eq!(promised.0, everything(&changes), "{}", shape.name);
        } else if promised.0 == 0 {
            assert_eq!(content(&disk), content(&shape.disk()), "{}", shape.name);
        }
        look_after_fault(&disk, shape, &allowed, promised).unwrap();
        let rest = disk.read_tree().files.into_keys().filter(|it| it.ends_with(".tmp"));
        let rest: Vec<String> = rest.filter(|it| !it.contains("tmp/1-9")).collect();
        assert!(rest.is_empty(), "{}: {rest:?}", shape.name);
    }
}

/// Whatever somebody writes into a file that is being replaced, and whenever: it stays, or becomes
/// a revision.
#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn an_edit_by_hand_between_any_two_calls_is_kept() {
    const EDITED: &[u8] = b"edited by hand";
    let (mut n_edits, mut wrong) = (0, Vec::new());
    for shape in SHAPES.iter().chain([&CHANGED_TWICE]) {
        let undisturbed = whole(shape);
        let changes = shape.changes(&shape.disk());
        let seen = changes.iter().flat_map(|it| &it.steps).filter_map(|op| match op {
            FileOp::Replace { path, seen: Some(_), .. } | FileOp::PlaceOver { path, .. } => {
                Some(path.clone())
            }
            _ => None,
        });
        for path in seen {
            for (number, call) in (0..).zip(undisturbed.list_calls()) {
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

/// A file that somebody removes while it is being replaced is one that is not as it was seen. So is
/// one that gives way to another file while it is linked, which the system tells as absent too.
#[test]
fn a_file_that_goes_while_it_is_replaced_is_stale() {
    const ENOENT: i32 = 2;
    const PATH: &str = "workspaces/main/content/posts/a.json";
    let scene = || {
        let disk = MemDisk::with_files([(PATH, "before")]);
        let keep = FilePath::parse("workspaces/main/revisions/posts/a/1.json");
        assert!(keep.is_some());
        let seen = Some(disk.stat(PATH).unwrap().stat);
        let (path, bytes) = (FilePath::parse(PATH).unwrap(), b"after".to_vec().into());
        (disk, FileTransaction::single(FileOp::Replace { path, bytes, seen, keep }))
    };
    let outcome =
        |disk: &MemDisk, change| commit::commit_transactions(disk, &[change]).unwrap().remove(0);
    let (undisturbed, change) = scene();
    assert!(matches!(outcome(&undisturbed, change), CommitOutcome::Done(_)));
    let mut n_stale = 0;
    for (number, call) in (0..).zip(undisturbed.list_calls()) {
        let (disk, change) = scene();
        disk.edit_at(number, PATH, None);
        match outcome(&disk, change) {
            CommitOutcome::Stale(_) => n_stale += 1,
            CommitOutcome::Done(_) => {}
            outcome => panic!("removed before `{call}`: {outcome:?}"),
        }
        if call.verb == Verb::Link {
            let (disk, change) = scene();
            disk.fail_at(number, ENOENT);
            let outcome = outcome(&disk, change);
            // Looked at again, and found as it was seen.
            assert!(
                matches!(outcome, CommitOutcome::Done(_) | CommitOutcome::Stale(_)),
                "{outcome:?}"
            );
        }
    }
    assert!(n_stale > 0);
}

/// The new file took the place of an edit made in that moment, and the system does not swap them
/// back: nobody may be told that nothing was changed.
#[test]
fn a_file_that_cannot_be_swapped_back_is_uncertain() {
    const EIO: i32 = 5;
    const PATH: &str = "workspaces/main/content/posts/a.json";
    let scene = || {
        let disk = MemDisk::with_files([(PATH, "before")]);
        let seen = Some(disk.stat(PATH).unwrap().stat);
        let (path, bytes) = (FilePath::parse(PATH).unwrap(), b"after".to_vec().into());
        (disk, FileTransaction::single(FileOp::Replace { path, bytes, seen, keep: None }))
    };
    let exchanges = |disk: &MemDisk| -> Vec<u64> {
        let log = (0..).zip(disk.list_calls());
        log.filter(|(_, it)| it.verb == Verb::Exchange).map(|(number, _)| number).collect()
    };
    let (undisturbed, change) = scene();
    assert!(matches!(
        commit::commit_transactions(&undisturbed, &[change]).unwrap()[..],
        [CommitOutcome::Done(_)]
    ));
    let there = exchanges(&undisturbed)[0];
    let (edited, change) = scene();
    edited.edit_at(there, PATH, Some(b"by hand"));
    assert!(matches!(
        commit::commit_transactions(&edited, &[change]).unwrap()[..],
        [CommitOutcome::Stale(_)]
    ));
    let back = exchanges(&edited)[1];
    let (disk, change) = scene();
    disk.edit_at(there, PATH, Some(b"by hand"));
    disk.fail_at(back, EIO);
    let outcome = commit::commit_transactions(&disk, &[change]).unwrap().remove(0);
    assert_eq!(disk.read_bytes(PATH).unwrap(), b"after");
    assert!(matches!(outcome, CommitOutcome::Uncertain(_)), "{outcome:?}");
    // What was written by hand is not lost either.
    assert!(disk.read_tree().files.values().any(|it| it == b"by hand"));
}

#[test]
fn the_test_sees_a_change_without_a_journal() {
    let shape = SHAPES.iter().find(|it| it.name.starts_with("rename a category")).unwrap();
    let allowed = Allowed::of(shape);
    let torn = (0..).map_while(|stop| {
        let disk = shape.disk();
        let steps = shape.changes(&disk).remove(0).steps.into_iter();
        let single = steps.map(FileTransaction::single);
        disk.stop_at(stop);
        let _ = commit::commit_transactions(&disk, &single.collect::<Vec<_>>());
        disk.is_stopped().then(|| {
            let found = disk.list_crashes(CRASHES);
            found.iter().any(|it| look(it, &allowed, Promised(0)).is_err())
        })
    });
    assert!(torn.into_iter().any(|it| it));
}
