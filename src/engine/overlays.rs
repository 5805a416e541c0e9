//! Overlays: snapshots that show a change as if it were live.
//!
//! An overlay shares everything with the live snapshot that the change does not touch. It is made
//! when somebody asks for it, once for all who ask for it meanwhile, and kept while it may be asked
//! for again.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::OnceLock;

use crate::engine::apply::file_source::ApplyContext;
use crate::engine::apply::file_states::FileStates;
use crate::engine::apply::overlay::apply_overlay;
use crate::engine::apply::overlay::keep_types;
use crate::engine::folder::OpenFolder;
use crate::engine::parse::file_parser;
use crate::engine::workspaces::registry::WorkspaceRegistry;
use crate::model::entry::date_publication;
use crate::model::entry::set_key;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::three_way_merge::merge_proposal;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::Overlay;
use crate::query::index::change_index::OverlayFile;
use crate::query::index::change_index::PlannedPublication;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::processor::count_cores;
use crate::stdx::sync::Mutex;
use crate::stdx::thread_limit::ThreadLimit;
use crate::stdx::time::Timestamp;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;
use crate::store::summed_content::SummedContent;

/// The number of overlays that are kept.
const KEPT_MAX: usize = 32;

/// The entries of a change that an overlay shows to everybody, as if they were published.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Unveiled {
    /// None: each is shown to whom its status allows.
    #[default]
    Nothing,
    /// All that the change proposes.
    Proposals,
    /// This entry, proposed or live; the others are shown as they are live.
    Entry(EntryPlace),
}

/// All that an overlay depends on.
#[derive(PartialEq, Eq)]
struct OverlayKey {
    workspace: WorkspaceSlug,
    /// The version of the live snapshot.
    live: u64,
    shown: Shown,
}

/// The content that an overlay shows.
#[derive(PartialEq, Eq)]
enum Shown {
    /// A change in this version.
    Change { id: EntryId, version: u64, unveiled: Unveiled },
    /// The future from this event on until the next one, with these planned changes. The hidden
    /// types stay as they are now.
    Future { since: Option<Timestamp>, planned: Vec<EntryId>, hidden: Vec<TypeName> },
}

/// An overlay that is kept, or being built.
struct KeptOverlay {
    key: OverlayKey,
    snapshot: OnceLock<Arc<Snapshot>>,
}

/// The overlays that are kept, the latest used last.
type KeptOverlays = Mutex<VecDeque<Arc<KeptOverlay>>>;

/// The overlays of all workspaces.
pub struct Overlays {
    folder: Arc<OpenFolder>,
    workspaces: Arc<WorkspaceRegistry>,
    kept: Arc<KeptOverlays>,
    /// The builds at the same time.
    builds: ThreadLimit,
}

impl Overlays {
    pub(crate) fn new(folder: Arc<OpenFolder>, workspaces: Arc<WorkspaceRegistry>) -> Overlays {
        let kept = Arc::<KeptOverlays>::default();
        // It is called while a snapshot is published, and frees few overlays, which share nearly
        // all of their memory with what was live.
        let (of_listener, registry) = (kept.clone(), Arc::downgrade(&workspaces));
        workspaces.add_listener(move || {
            if let Some(registry) = registry.upgrade() {
                drop_outdated(&of_listener, &registry);
            }
        });
        Overlays { folder, workspaces, kept, builds: ThreadLimit::new(count_cores()) }
    }

    /// Returns the snapshot that shows a change on top of `live`.
    pub fn get_overlay(
        &self,
        live: &Snapshot,
        id: &EntryId,
        change: &Change,
        unveiled: &Unveiled,
    ) -> Arc<Snapshot> {
        let shown =
            Shown::Change { id: id.clone(), version: change.version, unveiled: unveiled.clone() };
        self.get_or_build(live, shown, || self.build_overlay(live, id, change, unveiled))
    }

    /// Returns the snapshot that shows a future moment: entries that begin and end by then, and
    /// these changes, planned for times up to then, in their order. The types in `hidden` stay as
    /// they are now.
    pub fn get_future(
        &self,
        live: &Snapshot,
        at: Timestamp,
        planned: &[PlannedPublication<'_>],
        hidden: &[Arc<TypeIndex>],
    ) -> Arc<Snapshot> {
        let shown = Shown::Future {
            since: find_last_event(live, at, planned),
            planned: planned.iter().map(|(_, id, _)| (*id).clone()).collect(),
            hidden: hidden.iter().map(|it| it.content_type.name.clone()).collect(),
        };
        self.get_or_build(live, shown, || self.build_future(live, at, planned, hidden))
    }

    /// Returns what is kept. The first who asks builds it, and the others wait.
    fn get_or_build(
        &self,
        live: &Snapshot,
        shown: Shown,
        build: impl FnOnce() -> Snapshot,
    ) -> Arc<Snapshot> {
        let key = OverlayKey { workspace: live.workspace.clone(), live: live.version, shown };
        let kept = self.find_or_keep(key);
        kept.snapshot.get_or_init(|| Arc::new(self.builds.run(build))).clone()
    }

    /// Finds what is kept under a key, or keeps a place for it.
    fn find_or_keep(&self, key: OverlayKey) -> Arc<KeptOverlay> {
        let now = self.folder.clock.now();
        let is_due = |it: &Arc<KeptOverlay>| {
            let due = it.snapshot.get().and_then(|it| it.next_due());
            due.is_some_and(|due| due <= now)
        };
        let mut kept = self.kept.lock();
        kept.retain(|it| !is_due(it));
        let known = kept.iter().position(|it| it.key == key);
        let found = known.and_then(|place| kept.remove(place)).unwrap_or_else(|| {
            if kept.len() >= KEPT_MAX {
                kept.pop_front();
            }
            Arc::new(KeptOverlay { key, snapshot: OnceLock::new() })
        });
        kept.push_back(found.clone());
        found
    }

    /// Builds the snapshot that shows a change on top of `live`.
    fn build_overlay(
        &self,
        live: &Snapshot,
        id: &EntryId,
        change: &Change,
        unveiled: &Unveiled,
    ) -> Snapshot {
        let files = self.list_files(live, change, unveiled, self.folder.clock.now());
        self.build_from_files(live, id, files)
    }

    /// Builds the snapshot that shows one entry with this content to everybody, as if it were
    /// published, and the others as they are live. It is not kept: nobody asks for it again.
    pub fn build_preview(
        &self,
        live: &Snapshot,
        id: &EntryId,
        place: EntryPlace,
        mut file: Map,
    ) -> Snapshot {
        let modified = self.folder.clock.now();
        unveil(&mut file, modified);
        let content = Some(Arc::new(Json::Object(file)));
        self.build_from_files(live, id, [(place, OverlayFile { content, modified })].into())
    }

    /// Builds the snapshot that shows these files on top of `live`. It is not kept.
    pub fn build_from_files(
        &self,
        live: &Snapshot,
        id: &EntryId,
        files: BTreeMap<EntryPlace, OverlayFile>,
    ) -> Snapshot {
        let overlay = Overlay { change: Some(id.clone()), files };
        self.build_on(live, overlay, self.folder.clock.now())
    }

    /// Builds the snapshot that shows an overlay on top of another one.
    fn build_on(&self, below: &Snapshot, overlay: Overlay, now: Timestamp) -> Snapshot {
        let workspace = &below.workspace;
        let media_base = file_parser::media_base(&self.folder.base_url, workspace);
        let version = self.workspaces.next_version();
        let context = ApplyContext { workspace, version, now, media_base: &media_base };
        let files = overlay.files.iter();
        let states = FileStates::from_changes(
            files.map(|(place, file)| to_file_change(workspace, place, file)),
        );
        apply_overlay(below, &states, overlay, context)
    }

    fn build_future(
        &self,
        live: &Snapshot,
        at: Timestamp,
        planned: &[PlannedPublication<'_>],
        hidden: &[Arc<TypeIndex>],
    ) -> Snapshot {
        let mut files = BTreeMap::new();
        for (published_at, _, change) in planned {
            self.add_planned(live, change, *published_at, &mut files);
        }
        let ahead = self.workspaces.look_ahead(live, at);
        let below = keep_types(ahead.as_ref().unwrap_or(live), hidden);
        self.build_on(&below, Overlay { change: None, files }, at)
    }

    /// Adds what the planned publication of a change makes of entries. It is merged onto what the
    /// earlier ones make of them.
    fn add_planned(
        &self,
        live: &Snapshot,
        change: &Change,
        published_at: Timestamp,
        files: &mut BTreeMap<EntryPlace, OverlayFile>,
    ) {
        for (place, proposed) in &change.proposals {
            if proposed.is_deletion() {
                let file = OverlayFile { content: None, modified: published_at };
                files.insert(place.clone(), file);
                continue;
            }
            let Some(proposed) = proposed.content() else { continue };
            let before = match files.get(place) {
                Some(file) => file.content.as_deref().and_then(Json::as_object).cloned(),
                None => self.read_live(live, place),
            };
            let mut file = match &before {
                Some(before) => merge_proposal(change.base(place), before, proposed).file,
                // An entry that is deleted by then is a conflict.
                None if change.bases.contains_key(place) => continue,
                None => proposed.clone(),
            };
            let end = change.record.as_ref().and_then(|it| it.unpublish_at);
            date_publication(&mut file, before.as_ref(), published_at, end);
            let content = Some(Arc::new(Json::Object(file)));
            files.insert(place.clone(), OverlayFile { content, modified: published_at });
        }
    }

    /// The files of entries as they are in the overlay.
    fn list_files(
        &self,
        live: &Snapshot,
        change: &Change,
        unveiled: &Unveiled,
        now: Timestamp,
    ) -> BTreeMap<EntryPlace, OverlayFile> {
        let mut files = BTreeMap::new();
        let is_shown = |place: &EntryPlace| match unveiled {
            Unveiled::Entry(one) => one == place,
            Unveiled::Nothing | Unveiled::Proposals => true,
        };
        for (place, proposed) in change.proposals.iter().filter(|(place, _)| is_shown(place)) {
            let modified = proposed.modified;
            if proposed.is_deletion() {
                files.insert(place.clone(), OverlayFile { content: None, modified });
                continue;
            }
            let Some(file) = proposed.content() else { continue };
            let mut file = self.merge_onto_live(live, change, place, file);
            // Of one entry, no other proposal is here.
            if *unveiled != Unveiled::Nothing {
                unveil(&mut file, now);
            }
            let content = Some(Arc::new(Json::Object(file)));
            files.insert(place.clone(), OverlayFile { content, modified });
        }
        if let Unveiled::Entry(place) = unveiled
            && !change.proposals.contains_key(place)
            && let Some(mut file) = self.read_live(live, place)
        {
            unveil(&mut file, now);
            let content = Some(Arc::new(Json::Object(file)));
            files.insert(place.clone(), OverlayFile { content, modified: now });
        }
        files
    }

    /// The proposed state with what was changed in the live one since it was begun.
    fn merge_onto_live(
        &self,
        live: &Snapshot,
        change: &Change,
        place: &EntryPlace,
        proposed: &Map,
    ) -> Map {
        let base = change.bases.get(place).and_then(|it| it.json.as_deref());
        let doc = live.find_entry(place);
        let is_current =
            doc.zip(base).is_some_and(|(doc, base)| doc.rev == base.compute_checksum());
        if is_current || doc.is_none() {
            return proposed.clone();
        }
        match self.read_live(live, place) {
            Some(current) => {
                merge_proposal(base.and_then(Json::as_object), &current, proposed).file
            }
            None => proposed.clone(),
        }
    }

    /// The content of an entry's file as it is served.
    fn read_live(&self, live: &Snapshot, place: &EntryPlace) -> Option<Map> {
        let doc = live.find_entry(place)?;
        let key = Key::of_entry(&live.workspace, place);
        Some(self.folder.read_served_content(&key, doc.rev)?.map)
    }
}

/// Drops the overlays of what is no longer live: they would keep its memory.
fn drop_outdated(kept: &KeptOverlays, workspaces: &WorkspaceRegistry) {
    kept.lock().retain(|it| {
        let workspace = workspaces.workspace(it.key.workspace.as_str());
        workspace.is_some_and(|found| found.current_snapshot().version == it.key.live)
    });
}

/// Returns the time of the last event up to a moment at which the future may change: at all moments
/// until the next one it is the same. Events are the scheduled changes of entries, the publications
/// of the planned changes, and each date that their entries may have then.
fn find_last_event(
    live: &Snapshot,
    at: Timestamp,
    planned: &[PlannedPublication<'_>],
) -> Option<Timestamp> {
    let scheduled = live.types().iter().filter_map(|it| it.last_due_by(at));
    let of_changes = planned.iter().flat_map(|(published_at, _, change)| {
        let end = change.record.as_ref().and_then(|it| it.unpublish_at);
        let of_entries = change.proposals.iter().flat_map(move |(place, proposed)| {
            let dates = ["published_at", "unpublish_at"];
            let dates = dates.map(|key| proposed.text(key).and_then(Timestamp::parse));
            let doc = live.find_entry(place);
            let of_live = doc.map_or([None; 2], |it| [it.published_at, it.unpublish_at]);
            dates.into_iter().chain(of_live)
        });
        of_entries.chain([end, Some(*published_at)]).flatten()
    });
    scheduled.chain(of_changes).filter(|it| *it <= at).max()
}

/// Makes an entry public from now on.
fn unveil(file: &mut Map, now: Timestamp) {
    set_key(file, "status", "published".into());
    let published_at = file.get("published_at").and_then(Json::as_str).and_then(Timestamp::parse);
    if published_at.is_none_or(|it| it > now) {
        set_key(file, "published_at", now.to_string().into());
    }
    file.remove("unpublish_at");
}

/// A file of an overlay as if it had been found in the folder.
fn to_file_change(ws: &WorkspaceSlug, place: &EntryPlace, file: &OverlayFile) -> FileChange {
    let now = match &file.content {
        None => SweptFile::Missing,
        Some(json) => {
            let modified_ns = file.modified.seconds().saturating_mul(1_000_000_000);
            let stat = Stat { modified_ns, ..Stat::default() };
            SweptFile::Read { content: SummedContent::from_json(json.as_ref().clone()), stat }
        }
    };
    FileChange::new(Key::of_entry(ws, place).into(), now)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use crate::engine::Engine;
    use crate::engine::EngineOptions;
    use crate::query::render::rendered_entry::RenderedEntry;
    use crate::stdx::clock::TestClock;
    use crate::store::read::watch::DirtySet;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join("workspaces/main").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Opens a folder with posts and these files of its workspace on the first of June.
    fn open(files: &[(&str, &str)]) -> (tempfile::TempDir, Arc<Engine>) {
        let data = tempfile::tempdir().unwrap();
        write(data.path(), "schemas/posts.json", "{}");
        files.iter().for_each(|(path, text)| write(data.path(), path, text));
        let clock = Arc::new(TestClock::at(at("2026-06-01")));
        let options = EngineOptions::new(data.path().to_path_buf(), clock);
        (data, Engine::open(options).unwrap())
    }

    fn change(id: &str) -> Shown {
        let id = EntryId::parse(id).unwrap();
        Shown::Change { id, version: 0, unveiled: Unveiled::Nothing }
    }

    fn without_change(live: &Snapshot) -> Snapshot {
        live.with_types(Vec::<Arc<TypeIndex>>::new(), 1)
    }

    #[test]
    fn many_who_ask_share_one_build() {
        let (_data, engine) = open(&[]);
        let (overlays, live) = (engine.overlays(), engine.snapshot("main").unwrap());
        let n_builds = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (live, n_builds) = (&*live, &n_builds);
            let (begin, begun) = mpsc::channel();
            let (end, ended) = mpsc::channel::<()>();
            let build = move || {
                n_builds.fetch_add(1, SeqCst);
                without_change(live)
            };
            let first = scope.spawn(move || {
                overlays.get_or_build(live, change("spring"), || {
                    begin.send(()).unwrap();
                    ended.recv().unwrap();
                    build()
                })
            });
            begun.recv().unwrap();
            let ask =
                move |_| scope.spawn(move || overlays.get_or_build(live, change("spring"), build));
            let others: Vec<_> = (0..8).map(ask).collect();
            end.send(()).unwrap();
            let first = first.join().unwrap();
            assert!(others.into_iter().all(|it| Arc::ptr_eq(&it.join().unwrap(), &first)));
        });
        assert_eq!(n_builds.load(SeqCst), 1);
    }

    #[test]
    fn a_build_that_panics_is_made_again() {
        let (_data, engine) = open(&[]);
        let (overlays, live) = (engine.overlays(), engine.snapshot("main").unwrap());
        let panicked = thread::scope(|scope| {
            let build = || overlays.get_or_build(&live, change("spring"), || panic!("a bug"));
            scope.spawn(build).join().is_err()
        });
        assert!(panicked);
        let made = overlays.get_or_build(&live, change("spring"), || without_change(&live));
        assert_eq!(made.count_entries(), 0);
    }

    #[test]
    fn no_more_are_kept_than_the_limit_allows() {
        let (_data, engine) = open(&[]);
        let (overlays, live) = (engine.overlays(), engine.snapshot("main").unwrap());
        for number in 0..KEPT_MAX + 8 {
            let shown = change(&format!("c{number}"));
            overlays.get_or_build(&live, shown, || without_change(&live));
        }
        assert_eq!(overlays.kept.lock().len(), KEPT_MAX);
    }

    #[test]
    fn overlays_of_what_is_no_longer_live_are_dropped() {
        let (data, engine) = open(&[]);
        let (overlays, live) = (engine.overlays(), engine.snapshot("main").unwrap());
        overlays.get_or_build(&live, change("spring"), || without_change(&live));
        assert_eq!(overlays.kept.lock().len(), 1);
        write(data.path(), "content/posts/a.json", r#"{"title":"A"}"#);
        engine.follower().refresh(&DirtySet::everything());
        assert!(overlays.kept.lock().is_empty());
    }

    /// The bodies of all posts, each with true if it is public.
    fn tell(snapshot: &Snapshot) -> Vec<(String, bool)> {
        let posts = snapshot.get("posts").unwrap();
        let body = |doc: &RenderedEntry| {
            String::from_utf8_lossy(doc.variant_for(None).body()).into_owned()
        };
        let mut told: Vec<(String, bool)> =
            posts.iter().map(|(it, doc)| (body(doc), posts.public().contains(it))).collect();
        told.sort();
        told
    }

    #[test]
    fn one_future_serves_all_moments_between_two_events() {
        let (_data, engine) = open(&[
            (
                "content/posts/a.json",
                r#"{"title":"A","status":"published","published_at":"2026-06-03",
                "unpublish_at":"2026-06-05"}"#,
            ),
            (
                "content/posts/b.json",
                r#"{"title":"B","status":"published","published_at":"2026-05-01",
                "unpublish_at":"2026-06-07"}"#,
            ),
            // Its date counts once it is published.
            (
                "content/posts/c.json",
                r#"{"title":"C","status":"draft","published_at":"2026-06-09"}"#,
            ),
            (
                "changes/spring/change.json",
                r#"{"label":"Spring","publish_at":"2026-06-04T00:00:00Z",
                "unpublish_at":"2026-06-10T00:00:00Z"}"#,
            ),
            (
                "changes/spring/content/posts/c.json",
                r#"{"title":"C","status":"published","published_at":"2026-06-09"}"#,
            ),
            (
                "changes/spring/base/posts/c.json",
                r#"{"title":"C","status":"draft","published_at":"2026-06-09"}"#,
            ),
            (
                "changes/spring/content/posts/d.json",
                r#"{"title":"D","status":"scheduled","published_at":"2026-06-06"}"#,
            ),
        ]);
        let (overlays, live) = (engine.overlays(), engine.snapshot("main").unwrap());
        assert_eq!(live.changes.list_planned().len(), 1);
        let moment = |day: i64, seconds: i64| {
            let first = at("2026-06-01").seconds();
            Timestamp::from_seconds(first + (day - 1) * 86_400 + seconds)
        };
        let of_day = |day: i64| [0, 43_200, 86_399].map(|seconds| moment(day, seconds));
        let mut shown: Vec<Arc<Snapshot>> = Vec::new();
        // Those who look furthest ahead come first.
        for at in (2..=10).flat_map(of_day).rev() {
            let mut planned = live.changes.list_planned();
            planned.retain(|(of, ..)| *of <= at);
            let kept = overlays.get_future(&live, at, &planned, &[]);
            let anew = overlays.build_future(&live, at, &planned, &[]);
            assert_eq!(tell(&kept), tell(&anew), "{at}");
            shown.push(kept);
        }
        shown.dedup_by(|one, other| Arc::ptr_eq(one, other));
        // Something happens on each day from the third to the tenth but the eighth.
        assert_eq!(shown.len(), 8);
        let told: BTreeSet<_> = shown.iter().map(|it| tell(it)).collect();
        assert_eq!(told.len(), 8, "{told:?}");
        // Whoever sees less has another one.
        let now = overlays.get_future(&live, moment(3, 0), &[], live.types());
        assert_eq!(tell(&now), tell(&live));
    }
}
