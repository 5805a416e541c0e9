//! The snapshot of a workspace. Readers take one snapshot and see no later change.

use std::sync::Arc;

use crate::model::content_type::cache_policy::CachePolicy;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::workspace::WorkspaceMeta;
use crate::query::index::change_index::ChangeIndex;
use crate::query::index::change_index::Overlay;
use crate::query::index::media_index::MediaIndex;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::time::Timestamp;

/// A workspace at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// The slug of the workspace.
    pub workspace: WorkspaceSlug,
    /// The content of its `workspace.json`.
    pub meta: Arc<WorkspaceMeta>,
    /// The media files.
    pub media: Arc<MediaIndex>,
    /// The changes: proposals beside what is live.
    pub changes: Arc<ChangeIndex>,
    /// The change that the snapshot shows as if it were live; nothing in the snapshot of what is
    /// live.
    pub overlay: Option<Arc<Overlay>>,
    /// A number that grows with every change.
    pub version: u64,
    /// The types: collections first, then singletons, each in the stored order.
    types: Vec<Arc<TypeIndex>>,
    /// The positions of the types, sorted by name: for so few, quicker than a hash.
    by_name: Arc<[(TypeName, usize)]>,
    /// For each type the positions of its relation targets, in the order in which links number
    /// them.
    targets: Arc<[Box<[Option<usize>]>]>,
    /// The next scheduled change of any entry, …
    next_due: Option<Timestamp>,
    /// … and of one that everyone may see. Every request asks for it.
    next_public_due: Option<Timestamp>,
    /// The planned publications of changes, in order, each with true if everyone may see some of
    /// it.
    planned: Arc<[(Timestamp, bool)]>,
    /// True if some type has a cache policy. Every request of anonymous readers asks for it.
    has_cache_policies: bool,
}

impl Snapshot {
    /// Builds the snapshot of a workspace.
    pub fn new(
        workspace: WorkspaceSlug,
        meta: Arc<WorkspaceMeta>,
        mut types: Vec<Arc<TypeIndex>>,
        media: Arc<MediaIndex>,
        version: u64,
    ) -> Snapshot {
        types.sort_by_cached_key(|it| {
            let ty = &it.content_type;
            (ty.singleton, meta.type_position(ty.name.as_str()), ty.name.clone())
        });
        let names = types.iter().map(|it| it.content_type.name.clone());
        let mut by_name: Vec<(TypeName, usize)> = names.zip(0..).collect();
        by_name.sort_unstable();
        let by_name: Arc<[(TypeName, usize)]> = by_name.into();
        let targets = types.iter().map(|it| {
            let names = it.content_type.relation_targets.iter();
            names.map(|it| find_position(&by_name, it.as_str())).collect()
        });
        let targets = targets.collect();
        let (next_due, next_public_due) = (find_next_due(&types), find_next_public_due(&types));
        Snapshot {
            has_cache_policies: types.iter().any(|it| !it.content_type.cache.is_empty()),
            workspace,
            meta,
            media,
            changes: Arc::default(),
            overlay: None,
            version,
            types,
            by_name,
            targets,
            next_due,
            next_public_due,
            planned: Arc::from([]),
        }
    }

    /// Returns the snapshot with changed entries of some types. No type is added, removed or
    /// redefined.
    #[must_use]
    pub fn with_types(&self, changed: Vec<impl Into<Arc<TypeIndex>>>, version: u64) -> Snapshot {
        let mut types = self.types.clone();
        for index in changed {
            let index: Arc<TypeIndex> = index.into();
            if let Some(place) = self.type_position(index.content_type.name.as_str()) {
                types[place] = index;
            }
        }
        Snapshot {
            workspace: self.workspace.clone(),
            meta: self.meta.clone(),
            media: self.media.clone(),
            changes: self.changes.clone(),
            overlay: self.overlay.clone(),
            version,
            next_due: find_next_due(&types),
            next_public_due: find_next_public_due(&types),
            types,
            by_name: self.by_name.clone(),
            targets: self.targets.clone(),
            planned: self.planned.clone(),
            has_cache_policies: self.has_cache_policies,
        }
    }

    /// Returns the snapshot with other media files.
    #[must_use]
    pub fn with_media(mut self, media: Arc<MediaIndex>, version: u64) -> Snapshot {
        self.media = media;
        self.version = version;
        self
    }

    /// Returns the snapshot as one that shows a change.
    #[must_use]
    pub fn with_overlay(mut self, overlay: Overlay) -> Snapshot {
        self.overlay = Some(Arc::new(overlay));
        self
    }

    /// Returns the snapshot with other changes.
    #[must_use]
    pub fn with_changes(mut self, changes: Arc<ChangeIndex>) -> Snapshot {
        let is_open = |place: &EntryPlace| {
            self.get(place.0.as_str()).is_some_and(|it| !it.content_type.private)
        };
        let planned = changes.list_planned();
        let planned = planned.iter().map(|(at, _, it)| (*at, it.proposals.keys().any(is_open)));
        self.planned = planned.collect();
        self.changes = changes;
        self
    }

    /// Returns the snapshot after the format of the folder turned out to be unsupported: the served
    /// content stays as it is.
    #[must_use]
    pub fn with_unsupported(&self, reason: &str, version: u64) -> Snapshot {
        let unsupported = Some(reason.to_string());
        let meta = WorkspaceMeta { unsupported, ..self.meta.as_ref().clone() };
        let types = self.types.clone();
        Snapshot::new(self.workspace.clone(), Arc::new(meta), types, self.media.clone(), version)
            .with_changes(self.changes.clone())
    }

    /// Returns all types in order.
    pub fn types(&self) -> &[Arc<TypeIndex>] {
        &self.types
    }

    /// Returns the position of a type in [`Snapshot::types`].
    pub fn type_position(&self, name: &str) -> Option<usize> {
        find_position(&self.by_name, name)
    }

    /// Returns the positions of the relation targets of the type at `place`, in the order in which
    /// links number them.
    pub fn relation_targets(&self, place: usize) -> &[Option<usize>] {
        self.targets.get(place).map_or(&[], |it| it)
    }

    /// Returns the index of the type of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<TypeIndex>> {
        self.types.get(self.type_position(name)?)
    }

    /// Returns true if some type has a cache policy.
    pub fn has_cache_policies(&self) -> bool {
        self.has_cache_policies
    }

    /// Returns the cache policy of answers that show entries of a type, and with `expanded` of any.
    /// What types leave out is in `settings`.
    pub fn find_cache_policy(
        &self,
        name: &str,
        expanded: bool,
        settings: CachePolicy,
    ) -> CachePolicy {
        let policy = |it: &Arc<TypeIndex>| it.content_type.cache.or(settings);
        let own = self.get(name).map_or(settings, policy);
        if !expanded {
            return own;
        }
        self.types.iter().map(policy).fold(own, CachePolicy::shorter)
    }

    /// Returns an entry by its type and id.
    pub fn find_entry(&self, (of, id): &EntryPlace) -> Option<&Arc<RenderedEntry>> {
        let index = self.get(of.as_str())?;
        index.entry_at(index.find_ordinal(id.as_str())?)
    }

    /// Returns the time of the next scheduled change to what everyone may see, be it of an entry or
    /// by the planned publication of a change.
    pub fn next_public_due(&self) -> Option<Timestamp> {
        let planned = self.planned.iter().find(|(_, is_public)| *is_public).map(|(at, _)| *at);
        self.next_public_due.into_iter().chain(planned).min()
    }

    /// Returns the time of the next planned publication of a change after `now`.
    pub fn next_planned(&self, now: Timestamp) -> Option<Timestamp> {
        self.planned.iter().map(|(at, _)| *at).find(|it| *it > now)
    }

    /// Returns true if the publication of a change is due.
    pub fn has_planned_by(&self, now: Timestamp) -> bool {
        self.planned.first().is_some_and(|(at, _)| *at <= now)
    }

    /// Returns true if the same publications are planned in another snapshot.
    pub fn has_same_plans(&self, other: &Snapshot) -> bool {
        self.planned == other.planned
    }

    /// Returns the time of the next scheduled change of any entry.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.next_due
    }

    /// The latest of the moments that the indexes of the types give as `passed`.
    pub fn latest_passed(&self) -> Option<Timestamp> {
        self.types.iter().filter_map(|it| it.passed()).max()
    }

    /// Returns the number of entries of all types.
    pub fn count_entries(&self) -> usize {
        self.types.iter().map(|it| it.len()).sum()
    }
}

fn find_position(by_name: &[(TypeName, usize)], name: &str) -> Option<usize> {
    let place = by_name.binary_search_by(|(it, _)| it.as_str().cmp(name)).ok()?;
    by_name.get(place).map(|(_, position)| *position)
}

fn find_next_due(types: &[Arc<TypeIndex>]) -> Option<Timestamp> {
    types.iter().filter_map(|it| it.next_due()).min()
}

fn find_next_public_due(types: &[Arc<TypeIndex>]) -> Option<Timestamp> {
    let open = types.iter().filter(|it| !it.content_type.private);
    open.filter_map(|it| it.next_due()).min()
}
