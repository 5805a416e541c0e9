//! Random edits of both sides, pulled and pushed in any order: both end with the same, and nothing
//! that was not decided against is lost.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::app::replication::base::ReplicationBase;
use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::plan::ConflictWinner;
use crate::app::replication::plan::Direction;
use crate::app::replication::plan::FileValues;
use crate::app::replication::plan::RemoteFiles;
use crate::app::replication::plan::ReplicationPlan;
use crate::app::replication::plan::plan_replication;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json::from_text::map;

const SCHEMA: &str = "schemas/posts.json";
const MEDIA: &str = "media/m.png";
const META: &str = "media-meta/m.png.json";

/// The files that are edited, with what each has in the beginning.
const FILES: [(&str, &str); 5] = [
    (SCHEMA, r#"{"fields":{}}"#),
    (MEDIA, "{}"),
    (META, r#"{"title":"m"}"#),
    ("content/posts/a.json", r#"{"slug":"a","x":0}"#),
    ("content/posts/b.json", r#"{"slug":"b","x":0}"#),
];

fn file(path: &str) -> ReplicatedFile {
    ReplicatedFile::parse(path).unwrap()
}

/// The value of a file in the beginning.
fn first_value(path: &str, text: &str) -> ReplicatedValue {
    match path {
        MEDIA => ReplicatedValue::Bytes { sum: Checksum(0), size: 0 },
        _ => ReplicatedValue::Json(map(text)),
    }
}

/// A folder here, a server there, and what both had in common.
#[derive(Clone, Debug, Default)]
struct Sides {
    here: FileValues,
    there: FileValues,
    base: ReplicationBase,
}

impl Sides {
    /// Both sides with the same content, pulled once.
    fn in_common() -> Sides {
        let files = FILES.map(|(path, text)| (file(path), first_value(path, text)));
        let there = FileValues::from(files);
        let mut sides = Sides { there, ..Sides::default() };
        sides.run_well(Direction::Pull);
        sides
    }

    /// Pulls or pushes, unless there are conflicts.
    fn run(&mut self, direction: Direction, winner: Option<ConflictWinner>) -> ReplicationPlan {
        let (mut remote, mut sums) = (RemoteFiles::default(), BTreeMap::new());
        for (file, value) in &self.there {
            let sum = sum_of(value);
            // What has the known checksum is not fetched.
            let is_known = sum.is_some() && self.base.sums.get(file) == sum.as_ref();
            let known = self.base.values.get(file).filter(|_| is_known);
            if bytes_sum(value).is_some_and(|it| self.base.sanitized.get(file) == Some(&it)) {
                remote.sanitized.insert(file.clone());
            }
            remote.values.insert(file.clone(), known.unwrap_or(value).clone());
            sums.extend(sum.map(|it| (file.clone(), it)));
        }
        let plan = plan_replication(&self.base.values, &self.here, &remote, direction, winner);
        if !plan.conflicts.is_empty() {
            return plan;
        }
        let (source, target) = match direction {
            Direction::Pull => (&remote.values, &mut self.here),
            Direction::Push => (&self.here, &mut self.there),
        };
        let mut next = self.base.advance(source, &remote.values, &sums, &plan);
        for step in &plan.steps {
            match &step.after {
                Some(value) => {
                    let value = match direction {
                        Direction::Pull => value.clone(),
                        Direction::Push => sanitize(value),
                    };
                    target.insert(step.file.clone(), value);
                }
                None => _ = target.remove(&step.file),
            }
        }
        if direction == Direction::Push {
            for step in &plan.steps {
                let stored = self.there.get(&step.file);
                let sum = stored.and_then(|it| sum_of(it).or(bytes_sum(it)));
                next.record_sent(step, self.here.get(&step.file), sum);
            }
        }
        self.base = next;
        plan
    }

    /// Pulls or pushes without a conflict.
    fn run_well(&mut self, direction: Direction) {
        let plan = self.run(direction, None);
        assert!(plan.conflicts.is_empty(), "{plan:?}");
    }

    /// Checks that both sides have the same, as far as they know.
    fn assert_same(&mut self) {
        for direction in [Direction::Pull, Direction::Push] {
            let plan = self.run(direction, None);
            assert_eq!(plan, ReplicationPlan::default(), "{direction:?}");
        }
        assert!(self.here.keys().eq(self.there.keys()), "{self:?}");
    }
}

/// The checksum that a server gives for a JSON file.
fn sum_of(value: &ReplicatedValue) -> Option<Checksum> {
    value.as_map().map(|it| Json::Object(it.clone()).compute_checksum())
}

/// The checksum of the bytes of a media file.
fn bytes_sum(value: &ReplicatedValue) -> Option<Checksum> {
    if let ReplicatedValue::Bytes { sum, .. } = value { Some(*sum) } else { None }
}

/// The value that a server stores: other bytes of a media file than were sent.
fn sanitize(value: &ReplicatedValue) -> ReplicatedValue {
    match value {
        ReplicatedValue::Json(map) => ReplicatedValue::Json(map.clone()),
        ReplicatedValue::Bytes { sum, size } => {
            ReplicatedValue::Bytes { sum: Checksum(sum.0 | (1 << 63)), size: *size }
        }
    }
}

/// Sets a value of a file, or the bytes of a media file. A missing file is made, with the type or
/// the media file to which it belongs.
fn set_value(files: &mut FileValues, path: &str, key: &str, number: u32) {
    let parents: &[&str] = match path {
        META => &[MEDIA],
        SCHEMA | MEDIA => &[],
        _ => &[SCHEMA],
    };
    for (path, text) in FILES.iter().filter(|(it, _)| parents.contains(it)) {
        files.entry(file(path)).or_insert_with(|| first_value(path, text));
    }
    if path == MEDIA {
        let bytes = ReplicatedValue::Bytes { sum: Checksum(number.into()), size: number.into() };
        files.insert(file(path), bytes);
        return;
    }
    let mut map = files.get(&file(path)).and_then(ReplicatedValue::as_map).cloned();
    let map = map.get_or_insert_with(|| match path.rsplit_once('/') {
        Some(("content/posts", name)) => {
            let mut map = Map::new();
            map.push("slug", name.trim_end_matches(".json"));
            map
        }
        _ => Map::new(),
    });
    map.set(key, i64::from(number).into());
    files.insert(file(path), ReplicatedValue::Json(map.clone()));
}

/// Removes a file, with what cannot be without it.
fn remove(files: &mut FileValues, path: &str) {
    let removed = file(path);
    files.retain(|it, _| *it != removed && it.owner() != removed);
}

/// An edit of a file: a key gets a value, or the file is removed.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Set(usize, &'static str),
    Remove(usize),
}

fn any_edits() -> impl Strategy<Value = Vec<Edit>> {
    let key = prop_oneof![Just("x"), Just("y")];
    vec(
        prop_oneof![
            2 => (0..FILES.len(), key).prop_map(|(at, key)| Edit::Set(at, key)),
            1 => (0..FILES.len()).prop_map(Edit::Remove),
        ],
        0..6,
    )
}

fn carry_out(files: &mut FileValues, edits: &[Edit], numbers: impl Iterator<Item = u32>) {
    for (edit, number) in edits.iter().zip(numbers) {
        match *edit {
            Edit::Set(at, key) => set_value(files, FILES[at].0, key, number),
            Edit::Remove(at) => remove(files, FILES[at].0),
        }
    }
}

/// The values of a file by their keys. The bytes of a media file are one value without a key.
fn list_values(files: &FileValues, path: &str) -> BTreeMap<String, Json> {
    match files.get(&file(path)) {
        None => BTreeMap::new(),
        Some(ReplicatedValue::Json(map)) => map.clone().into_iter().collect(),
        Some(ReplicatedValue::Bytes { size, .. }) => {
            BTreeMap::from([(String::new(), Json::from(size.to_string()))])
        }
    }
}

/// A step of a test.
#[derive(Clone, Copy, Debug)]
enum Step {
    EditHere(usize),
    EditThere(usize),
    Pull,
    Push,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..FILES.len()).prop_map(Step::EditHere),
        (0..FILES.len()).prop_map(Step::EditThere),
        Just(Step::Pull),
        Just(Step::Push),
    ]
}

proptest! {
    /// Each side edits a key of its own, so nothing is in conflict.
    #[test]
    fn both_sides_end_with_the_changes_of_both(steps in vec(any_step(), 0..24)) {
        let mut sides = Sides::in_common();
        let mut expected: BTreeMap<(&str, &str), u32> = BTreeMap::new();
        for (number, step) in (1..).zip(&steps) {
            match *step {
                Step::EditHere(at) => {
                    // The bytes of a media file are one value: only one side changes them.
                    let (path, _) = FILES[at];
                    set_value(&mut sides.here, path, "here", number);
                    expected.insert((path, "here"), number);
                }
                Step::EditThere(at) => {
                    let (path, _) = FILES[at];
                    if path != MEDIA {
                        set_value(&mut sides.there, path, "there", number);
                        expected.insert((path, "there"), number);
                    }
                }
                Step::Pull => sides.run_well(Direction::Pull),
                Step::Push => sides.run_well(Direction::Push),
            }
        }
        sides.run_well(Direction::Pull);
        sides.run_well(Direction::Push);
        sides.run_well(Direction::Pull);
        sides.assert_same();
        for ((path, key), number) in expected {
            for side in [&sides.here, &sides.there] {
                let found = match &side[&file(path)] {
                    ReplicatedValue::Json(map) => map.get(key).cloned(),
                    ReplicatedValue::Bytes { size, .. } => i64::try_from(*size).ok().map(Json::from),
                };
                prop_assert_eq!(found, Some(Json::from(i64::from(number))), "{} {}", path, key);
            }
        }
    }

    /// Changes and removals of the winner are those of both sides in the end.
    #[test]
    fn the_winner_keeps_all_of_its_changes(
        edits_here in any_edits(),
        edits_there in any_edits(),
        winner in prop_oneof![Just(ConflictWinner::Ours), Just(ConflictWinner::Theirs)],
        directions in prop_oneof![
            Just([Direction::Pull, Direction::Push]),
            Just([Direction::Push, Direction::Pull]),
        ],
    ) {
        let mut sides = Sides::in_common();
        let before = sides.here.clone();
        carry_out(&mut sides.here, &edits_here, 1..);
        carry_out(&mut sides.there, &edits_there, 1_000..);
        let won = match winner {
            ConflictWinner::Ours => sides.here.clone(),
            ConflictWinner::Theirs => sides.there.clone(),
        };
        let [first, second] = directions;
        let plan = sides.run(first, Some(winner));
        prop_assert!(plan.conflicts.is_empty(), "{:?}", plan);
        sides.run_well(second);
        // What the server sanitized comes back.
        sides.run_well(Direction::Pull);
        sides.assert_same();
        for (path, _) in FILES {
            let [before, won, now] =
                [&before, &won, &sides.here].map(|it| list_values(it, path));
            for key in before.keys().chain(won.keys()) {
                if before.get(key) != won.get(key) {
                    prop_assert_eq!(now.get(key), won.get(key), "{} {}", path, key);
                }
            }
        }
    }
}
