//! Overlays: snapshots that show a change as if it were live.
//!
//! An overlay shares everything with the live snapshot that the change does not touch. It is made
//! when somebody asks for it, and kept while it may be asked for again.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::sync::Arc;

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
use crate::model::name::WorkspaceSlug;
use crate::model::three_way_merge::merge_proposal;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::Overlay;
use crate::query::index::change_index::OverlayFile;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sync::Mutex;
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

/// An overlay, with all that it depends on.
struct KeptOverlay {
    workspace: WorkspaceSlug,
    change: EntryId,
    unveiled: Unveiled,
    /// The versions of the live snapshot and of the change.
    versions: (u64, u64),
    snapshot: Arc<Snapshot>,
}

/// The overlays of all workspaces.
pub struct Overlays {
    folder: Arc<OpenFolder>,
    workspaces: Arc<WorkspaceRegistry>,
    /// The latest used last.
    kept: Mutex<VecDeque<KeptOverlay>>,
}

impl Overlays {
    pub(crate) fn new(folder: Arc<OpenFolder>, workspaces: Arc<WorkspaceRegistry>) -> Overlays {
        Overlays { folder, workspaces, kept: Mutex::default() }
    }

    /// Returns the snapshot that shows a change on top of `live`.
    pub fn get_overlay(
        &self,
        live: &Snapshot,
        id: &EntryId,
        change: &Change,
        unveiled: &Unveiled,
    ) -> Arc<Snapshot> {
        let versions = (live.version, change.version);
        let now = self.folder.clock.now();
        let is_it = |it: &KeptOverlay| {
            (&it.workspace, &it.change, &it.unveiled, it.versions)
                == (&live.workspace, id, unveiled, versions)
                && it.snapshot.next_due().is_none_or(|due| due > now)
        };
        let mut kept = self.kept.lock();
        if let Some(place) = kept.iter().position(is_it)
            && let Some(found) = kept.remove(place)
        {
            let snapshot = found.snapshot.clone();
            kept.push_back(found);
            return snapshot;
        }
        drop(kept);
        let snapshot = Arc::new(self.build_overlay(live, id, change, unveiled));
        let mut kept = self.kept.lock();
        // What an older state was built from is not asked for again.
        kept.retain(|it| {
            (&it.workspace, &it.change, &it.unveiled) != (&live.workspace, id, unveiled)
        });
        if kept.len() >= KEPT_MAX {
            kept.pop_front();
        }
        kept.push_back(KeptOverlay {
            workspace: live.workspace.clone(),
            change: id.clone(),
            unveiled: unveiled.clone(),
            versions,
            snapshot: snapshot.clone(),
        });
        snapshot
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

    /// Builds the snapshot that shows a future moment: entries that begin and end by then, and
    /// these changes, planned for these times, in their order. The types in `hidden` stay as they
    /// are now.
    pub fn build_future(
        &self,
        live: &Snapshot,
        at: Timestamp,
        planned: &[(Timestamp, &Change)],
        hidden: &[Arc<TypeIndex>],
    ) -> Snapshot {
        let mut files = BTreeMap::new();
        for (published_at, change) in planned {
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
