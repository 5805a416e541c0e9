//! The property of [`apply`]: whatever the order in which changed files are found, and however they
//! are split into batches, the same files end in the same snapshot and the same problems, which are
//! also those of a folder that is loaded.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::engine::apply::file_source::LoadedEntries;
use crate::engine::parse::file_parser::EntryReader;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::tests::now;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::body_pack::PackedBody;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

const SCHEMAS: [&str; 4] = [
    r#"{"label":"One","fields":{"text":{"type":"text","required":true}}}"#,
    r#"{"label":"Two","locales":["en","de"],"default_locale":"en","fields":{"text":{"type":"number"}}}"#,
    r#"{"label":"Private","private":true,"fields":{"other":{"type":"relation","target":"people"}}}"#,
    r#"{"fields":"#,
];
const ENTRIES: [&str; 6] = [
    r#"{"title":"One","status":"published","data":{"text":"a"}}"#,
    r#"{"title":"Two","status":"draft","data":{"text":7}}"#,
    r#"{"title":"Three","status":"scheduled","published_at":"2027-01-01","data":{"text":"c"}}"#,
    r#"{"title":"Four","stauts":"published","data":{"other":"a"}}"#,
    r#"{"title":"Five","slug":"one","status":"published","data":{}}"#,
    r#"{"title":"#,
];
const METAS: [&str; 3] =
    [r#"{"label":"Site"}"#, r#"{"label":"Other","archived":true,"types":["people"]}"#, r#"{"#];
const CATEGORIES: [&str; 3] = [r#"{"categories":["a","a/b"]}"#, r#"{"categories":["c"]}"#, r#"{"#];

/// The texts that a file may hold. The last of each cannot be parsed.
const FILES: [(&str, &[&str]); 12] = [
    ("workspaces/main/workspace.json", &METAS),
    ("workspaces/main/media-categories.json", &CATEGORIES),
    ("workspaces/main/schemas/posts.json", &SCHEMAS),
    ("workspaces/main/schemas/people.json", &SCHEMAS),
    ("workspaces/main/content/posts/a.json", &ENTRIES),
    ("workspaces/main/content/posts/b.json", &ENTRIES),
    ("workspaces/main/content/posts/c.json", &ENTRIES),
    ("workspaces/main/content/posts/d.json", &ENTRIES),
    ("workspaces/main/content/people/a.json", &ENTRIES),
    ("workspaces/main/content/people/b.json", &ENTRIES),
    ("workspaces/main/content/people/c.json", &ENTRIES),
    ("workspaces/main/content/ghosts/a.json", &ENTRIES),
];

type Texts = BTreeMap<&'static str, &'static str>;

/// A folder in memory, with the bodies that were accepted last.
#[derive(Clone, Default)]
struct MemoryFolder {
    files: Texts,
    accepted: BTreeMap<String, Vec<u8>>,
    problems: BTreeMap<String, Vec<Problem>>,
}

impl MemoryFolder {
    fn entries(&self, name: &TypeName) -> Vec<(Key, &'static str)> {
        let of = |(path, text): (&&str, &&'static str)| match Key::parse(path)? {
            key @ Key::Entry(..) if matches!(&key, Key::Entry(_, it, _) if it == name) => {
                Some((key, *text))
            }
            _ => None,
        };
        self.files.iter().filter_map(of).collect()
    }

    fn record(&mut self, effects: Effects<'_>) {
        for change in effects.accepted {
            if let SweptFile::Read { content, .. } = &change.now {
                self.accepted.insert(change.path.clone(), content.to_vec());
            }
        }
        self.problems.extend(effects.problems);
        self.problems.retain(|_, it| !it.is_empty());
    }
}

impl FileSource for MemoryFolder {
    fn load_entries(
        &mut self,
        reader: &EntryReader<'_>,
        are_known: &dyn Fn(&EntryId) -> bool,
    ) -> Option<LoadedEntries> {
        let mut loaded = LoadedEntries::default();
        for (key, text) in self.entries(&reader.ty.name) {
            let Key::Entry(_, _, id) = &key else { continue };
            if are_known(id) {
                continue;
            }
            let path = key.path();
            let render = |bytes: &[u8]| reader.render_entry(id, &path, bytes, &Stat::default());
            let ReadFile { value, problems } = render(text.as_bytes());
            if value.is_some() {
                self.accepted.insert(path.clone(), text.as_bytes().to_vec());
            }
            let last_good = || render(self.accepted.get(&path)?).value;
            loaded.docs.extend(value.or_else(last_good).map(Arc::new));
            loaded.problems.push((path, problems));
        }
        Some(loaded)
    }

    fn list_types(&mut self) -> Vec<TypeName> {
        let of = |path: &&str| match Key::parse(path)? {
            Key::Entry(_, name, _) => Some(name),
            _ => None,
        };
        let types: BTreeSet<TypeName> = self.files.keys().filter_map(of).collect();
        types.into_iter().collect()
    }

    fn list_entries(&mut self, name: &TypeName) -> Vec<String> {
        self.entries(name).into_iter().map(|(key, _)| key.path()).collect()
    }

    fn read_last_good(&self, path: &str) -> Option<PackedBody> {
        let bytes = self.accepted.get(path)?.clone();
        Some(PackedBody { stat: Stat::default(), sum: Checksum::of_bytes(&bytes), bytes })
    }
}

fn state(path: &str, text: Option<&str>) -> FileChange {
    let now = text.map_or(SweptFile::Missing, |text| SweptFile::Read {
        content: text.as_bytes().to_vec().into(),
        stat: Stat::default(),
    });
    FileChange { key: Key::parse(path).unwrap(), path: path.to_string(), now }
}

fn context(ws: &WorkspaceSlug, version: u64) -> ApplyContext<'_> {
    ApplyContext { workspace: ws, version, now: now(), media_base: "/media/" }
}

fn load_folder(folder: &mut MemoryFolder) -> Snapshot {
    load_folder_at(folder, now())
}

fn load_folder_at(folder: &mut MemoryFolder, now: Timestamp) -> Snapshot {
    let ws = WorkspaceSlug::parse("main").unwrap();
    let is_entry = |path: &str| matches!(Key::parse(path), Some(Key::Entry(..)));
    let files = folder.files.iter().filter(|(path, _)| !is_entry(path));
    let states = FileStates::from_changes(files.map(|(path, text)| state(path, Some(text))));
    let context = ApplyContext { now, ..context(&ws, 1) };
    let (snapshot, effects) = load(&states, folder, context);
    folder.problems.clear();
    let mut after = folder.clone();
    after.record(effects);
    *folder = after;
    snapshot
}

/// Applies a batch of changes, and returns the next snapshot and the events.
fn apply_batch(
    folder: &mut MemoryFolder,
    known: &mut Snapshot,
    batch: &[(&'static str, Option<&'static str>)],
) -> Vec<String> {
    for (path, text) in batch {
        match text {
            Some(text) => _ = folder.files.insert(path, text),
            None => {
                folder.files.remove(path);
                folder.accepted.remove(*path);
            }
        }
    }
    let states = FileStates::from_changes(batch.iter().map(|(path, text)| state(path, *text)));
    let ws = known.workspace.clone();
    let applied = apply(known, &states, folder, context(&ws, known.version + 1));
    let events = applied.effects.list_events(now()).iter().map(|it| format!("{it:?}")).collect();
    let mut after = folder.clone();
    after.record(applied.effects);
    *folder = after;
    if let Some(next) = applied.snapshot {
        *known = next;
    }
    events
}

/// Lets the clock pass. Returns the events.
fn advance_clock(folder: &MemoryFolder, known: &mut Snapshot, now: Timestamp) -> Vec<String> {
    let ws = known.workspace.clone();
    let render = |reader: &EntryReader<'_>, id: &EntryId, path: &str| {
        let render = |bytes: &[u8]| reader.render_entry(id, path, bytes, &Stat::default()).value;
        let current = folder.files.get(path).and_then(|text| render(text.as_bytes()));
        current.or_else(|| render(folder.accepted.get(path)?)).map(Arc::new)
    };
    let context = ApplyContext { now, ..context(&ws, known.version + 1) };
    let Some((next, effects)) = advance(known, None, &render, context) else { return Vec::new() };
    let events = effects.list_events(now).iter().map(|it| format!("{it:?}")).collect();
    *known = next;
    events
}

/// Describes what a snapshot serves, without the numbers that count its changes.
fn describe(snapshot: &Snapshot) -> String {
    let mut text = format!("{:?} {:?}\n", snapshot.meta, snapshot.media.declared());
    for index in snapshot.types() {
        let ty = &index.content_type;
        let sums = (index.live_sum(), index.public_sum(), index.next_due());
        text += &format!("{} {:?} {sums:?}\n", ty.name, ty.sum);
        let mut docs: Vec<_> = index
            .iter()
            .map(|(at, it)| (it.to_id(), it.sum, index.public().contains(at)))
            .collect();
        docs.sort();
        text += &format!("{docs:?}\n");
    }
    text
}

/// Draws what each file is before and after. Content that cannot be parsed only takes the place of
/// content that was served: else it would depend on history whether there is a last good body.
fn drawn_files() -> impl Strategy<Value = (Texts, Texts)> {
    let one = (0..8_usize, 0..8_usize);
    vec(one, FILES.len()).prop_map(|drawn| {
        let (mut before, mut after) = (Texts::new(), Texts::new());
        for ((path, texts), (old, new)) in FILES.iter().zip(&drawn) {
            let old = texts.get(*old).filter(|it| **it != texts[texts.len() - 1]);
            before.extend(old.map(|it| (*path, *it)));
            let is_served = old.is_some() && is_served(path, &before, &drawn);
            let new = texts.get(*new).filter(|it| is_served || **it != texts[texts.len() - 1]);
            after.extend(new.map(|it| (*path, *it)));
        }
        (before, after)
    })
}

/// Returns true if a file is no entry, or one whose type is defined before and after.
fn is_served(path: &str, before: &Texts, drawn: &[(usize, usize)]) -> bool {
    let Some(Key::Entry(ws, name, _)) = Key::parse(path) else { return true };
    let schema = Key::Schema(ws, name).path();
    let place = FILES.iter().position(|(path, _)| *path == schema);
    let stays = place.is_some_and(|it| drawn[it].1 < SCHEMAS.len());
    before.contains_key(&*schema) && stays
}

proptest! {
    #[test]
    fn any_order_and_split_of_changes_ends_in_the_same_snapshot(
        (before, after) in drawn_files(),
        order in Just(FILES.map(|(path, _)| path)).prop_shuffle(),
        cuts in vec(any::<bool>(), FILES.len()),
    ) {
        let mut folder = MemoryFolder { files: before, ..MemoryFolder::default() };
        let loaded = load_folder(&mut folder);
        let known = || load_folder(&mut folder.clone());
        prop_assert_eq!(describe(&loaded), describe(&known()));
        let changed: Vec<_> = order
            .iter()
            .filter(|path| folder.files.get(*path) != after.get(*path))
            .map(|path| (*path, after.get(path).copied()))
            .collect();

        let (mut at_once, mut snapshot) = (folder.clone(), known());
        let events = apply_batch(&mut at_once, &mut snapshot, &changed);
        let expected = describe(&snapshot);

        let mut sorted = changed.clone();
        sorted.sort();
        let (mut in_order, mut snapshot) = (folder.clone(), known());
        prop_assert_eq!(apply_batch(&mut in_order, &mut snapshot, &sorted), events);
        prop_assert_eq!(describe(&snapshot), &*expected);

        let (mut split, mut snapshot) = (folder.clone(), known());
        let mut batch = Vec::new();
        for (change, cut) in changed.iter().zip(cuts) {
            batch.push(*change);
            if cut {
                apply_batch(&mut split, &mut snapshot, &std::mem::take(&mut batch));
            }
        }
        apply_batch(&mut split, &mut snapshot, &batch);
        prop_assert_eq!(describe(&snapshot), &*expected);
        prop_assert_eq!(&split.problems, &at_once.problems);

        let snapshot = load_folder(&mut split);
        prop_assert_eq!(describe(&snapshot), &*expected);
        prop_assert_eq!(&split.problems, &at_once.problems);
    }
}

proptest! {
    #[test]
    fn a_clock_that_passes_ends_in_the_snapshot_of_a_later_start((files, _) in drawn_files()) {
        let mut folder = MemoryFolder { files, ..MemoryFolder::default() };
        let mut snapshot = load_folder(&mut folder);
        let n_due = snapshot.types().iter().map(|it| it.due_by(later()).count()).sum::<usize>();
        prop_assert!(advance_clock(&folder, &mut snapshot, now()).is_empty());
        let events = advance_clock(&folder, &mut snapshot, later());
        prop_assert_eq!(events.len(), n_due);
        prop_assert_eq!(snapshot.next_due(), None);
        prop_assert_eq!(describe(&snapshot), describe(&load_folder_at(&mut folder, later())));
    }
}

/// A time at which nothing is left to happen.
fn later() -> Timestamp {
    Timestamp::parse("2028-01-01").unwrap()
}

#[test]
fn what_cannot_be_parsed_is_served_as_it_was() {
    let mut folder = MemoryFolder::default();
    folder.files.insert(FILES[2].0, SCHEMAS[0]);
    folder.files.insert(FILES[4].0, ENTRIES[0]);
    let mut snapshot = load_folder(&mut folder);
    let before = describe(&snapshot);
    apply_batch(
        &mut folder,
        &mut snapshot,
        &[(FILES[2].0, Some(SCHEMAS[3])), (FILES[4].0, Some(ENTRIES[5]))],
    );
    assert_eq!(describe(&snapshot), before);
    let kinds: Vec<ProblemKind> = folder.problems.values().flatten().map(|it| it.kind).collect();
    assert_eq!(kinds, [ProblemKind::InvalidJson, ProblemKind::InvalidJson]);
}
