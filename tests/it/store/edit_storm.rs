//! Edits by hand without a pause, on files that are written here at the same time.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use recto::store::disk;
use recto::store::disk::Disk;
use recto::store::disk::OsDisk;
use recto::store::layout::FilePath;
use recto::store::write::commit;
use recto::store::write::commit::CommitOutcome;
use recto::store::write::file_op::FileOp;
use recto::store::write::file_op::FileTransaction;

use crate::support::skip::skipped;

const ENTRY: &str = "workspaces/main/content/posts/a.json";
const REVISIONS: &str = "workspaces/main/revisions/posts/a";

/// Somebody writes into an entry without a pause while it is written here. With the same swap as
/// the store they see which body theirs took the place of: one of ours lies on a body of theirs,
/// and that one must have become a revision.
#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn no_edit_by_hand_vanishes_in_a_storm() {
    /// How often it is tried to write here.
    const TRIES: usize = 400;
    let data = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(data.path()).unwrap();
    let path = ENTRY.to_string();
    disk::create_file(&disk, &path, b"ours 0").unwrap();
    disk.write_new("edit", b"probe", 0o640).unwrap();
    if disk.exchange("edit", &path).is_err() {
        return skipped("two files cannot be swapped here");
    }
    let n_tries = AtomicUsize::new(0);
    let kept_at = |n: usize| format!("{REVISIONS}/{n:016}.json");
    let (n_ours, covered) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut n_done = 0;
            for n in 1..=TRIES {
                n_tries.store(n, SeqCst);
                let Ok(found) = disk.stat(&path) else { continue };
                let (bytes, keep) =
                    (format!("ours {n}").into_bytes(), FilePath::parse(&kept_at(n)));
                let path = FilePath::parse(ENTRY).unwrap();
                let (bytes, seen) = (bytes.into(), Some(found.stat));
                let change = FileTransaction::single(FileOp::Replace { path, bytes, seen, keep });
                let outcomes = commit::commit_transactions(&disk, &[change]).unwrap();
                n_done += usize::from(matches!(outcomes[..], [CommitOutcome::Done(_)]));
            }
            n_done
        });
        let (mut before, mut covered) = (b"probe".to_vec(), Vec::new());
        for n in 0.. {
            if n_tries.load(SeqCst) >= TRIES || writer.is_finished() {
                break;
            }
            // At any moment of what is done here.
            std::thread::park_timeout(Duration::from_micros(n * 7_919 % 16_000));
            let edit = format!("theirs {n}").into_bytes();
            std::fs::write(data.path().join("edit"), &edit).unwrap();
            disk.exchange("edit", &path).unwrap();
            let out = std::fs::read(data.path().join("edit")).unwrap();
            std::fs::remove_file(data.path().join("edit")).unwrap();
            if out.starts_with(b"ours") {
                covered.push(std::mem::take(&mut before));
            }
            before = edit;
        }
        (writer.join().unwrap(), covered)
    });
    let kept: BTreeSet<Vec<u8>> = std::fs::read_dir(data.path().join(REVISIONS))
        .unwrap()
        .map(|it| std::fs::read(it.unwrap().path()).unwrap())
        .collect();
    let lost: Vec<String> = covered
        .iter()
        .filter(|it| it.starts_with(b"theirs") && !kept.contains(*it))
        .map(|it| String::from_utf8_lossy(it).into_owned())
        .collect();
    let n_covered = covered.len();
    eprintln!(
        "{n_ours} of {TRIES} writes done, {n_covered} edits written over, {} lost",
        lost.len()
    );
    assert!(lost.is_empty(), "{lost:?}");
}
