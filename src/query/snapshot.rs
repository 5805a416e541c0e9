//! Everything a workspace holds at one moment. Readers take one snapshot and see nothing move.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::workspace::WorkspaceMeta;
use crate::query::media_index::MediaIndex;
use crate::query::type_index::TypeIndex;
use crate::stdx::time::Timestamp;

/// A workspace at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// Which workspace.
    pub workspace: WorkspaceSlug,
    /// What its `workspace.json` says.
    pub meta: Arc<WorkspaceMeta>,
    /// Its media files.
    pub media: Arc<MediaIndex>,
    /// Grows with every change of anything.
    pub version: u64,
    /// Collections first, then singletons, each in the stored order.
    types: Vec<Arc<TypeIndex>>,
    by_name: HashMap<TypeName, usize>,
    /// For each type the places of its relation targets, in the order in which links number them.
    targets: Arc<[Box<[Option<usize>]>]>,
}

impl Snapshot {
    /// Puts a workspace together.
    pub fn new(
        workspace: WorkspaceSlug,
        meta: Arc<WorkspaceMeta>,
        mut types: Vec<Arc<TypeIndex>>,
        media: Arc<MediaIndex>,
        version: u64,
    ) -> Snapshot {
        types.sort_by_cached_key(|it| {
            let ty = &it.content_type;
            (ty.singleton, meta.position(ty.name.as_str()), ty.name.clone())
        });
        let by_name: HashMap<TypeName, usize> =
            types.iter().enumerate().map(|(at, it)| (it.content_type.name.clone(), at)).collect();
        let targets = types.iter().map(|it| {
            let names = it.content_type.relation_targets.iter();
            names.map(|it| by_name.get(it.as_str()).copied()).collect()
        });
        let targets = targets.collect();
        Snapshot { workspace, meta, media, version, types, by_name, targets }
    }

    /// The same workspace with some types' entries changed; none is added, dropped or redefined.
    #[must_use]
    pub fn with_types(&self, changed: Vec<TypeIndex>, version: u64) -> Snapshot {
        let mut types = self.types.clone();
        for index in changed {
            if let Some(place) = self.place(index.content_type.name.as_str()) {
                types[place] = Arc::new(index);
            }
        }
        Snapshot {
            workspace: self.workspace.clone(),
            meta: self.meta.clone(),
            media: self.media.clone(),
            version,
            types,
            by_name: self.by_name.clone(),
            targets: self.targets.clone(),
        }
    }

    /// The same workspace with other media files.
    #[must_use]
    pub fn with_media(mut self, media: Arc<MediaIndex>, version: u64) -> Snapshot {
        self.media = media;
        self.version = version;
        self
    }

    /// The same workspace after its folder turned out to be in a format that is not known: what was
    /// served goes on being served, as it was.
    #[must_use]
    pub fn left_alone(&self, reason: &str, version: u64) -> Snapshot {
        let unsupported = Some(reason.to_string());
        let meta = WorkspaceMeta { unsupported, ..self.meta.as_ref().clone() };
        let types = self.types.clone();
        Snapshot::new(self.workspace.clone(), Arc::new(meta), types, self.media.clone(), version)
    }

    /// All types in order.
    pub fn types(&self) -> &[Arc<TypeIndex>] {
        &self.types
    }

    /// The place of a type among [`Snapshot::types`].
    pub fn place(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The places of the relation targets of the type at `place`, in the order in which links number
    /// them.
    pub fn targets(&self, place: usize) -> &[Option<usize>] {
        self.targets.get(place).map_or(&[], |it| it)
    }

    /// The type of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<TypeIndex>> {
        self.types.get(self.place(name)?)
    }

    /// When the next entry goes public by itself that everybody may see then.
    pub fn next_public_due(&self) -> Option<Timestamp> {
        let open = self.types.iter().filter(|it| !it.content_type.private);
        open.filter_map(|it| it.next_due()).min()
    }

    /// When the next entry goes public by itself.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.types.iter().filter_map(|it| it.next_due()).min()
    }

    /// The number of entries of all types.
    pub fn entries(&self) -> usize {
        self.types.iter().map(|it| it.len()).sum()
    }
}
