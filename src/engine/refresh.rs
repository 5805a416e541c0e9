//! What changed on the disk becomes the next snapshot: one a workspace for everything that was
//! found in one look.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use crate::engine::Engine;
use crate::engine::load;
use crate::engine::load::FileRead;
use crate::engine::load::Take;
use crate::engine::read;
use crate::engine::read::EntryReader;
use crate::engine::read::ReadFile;
use crate::engine::workspace::Workspace;
use crate::model::category::Categories;
use crate::model::content_type::ContentType;
use crate::model::media::MediaItem;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::workspace::WorkspaceMeta;
use crate::query::doc::Doc;
use crate::query::media_index::MediaIndex;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Change;
use crate::query::type_index::TypeIndex;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::known::Moment;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load::FileRef;
use crate::store::load::scan;
use crate::store::sweep::FileChange;
use crate::store::sweep::Now;
use crate::store::sweep::Reconciler;
use crate::store::watch::DirtySet;

/// The changes of one workspace, sorted out.
#[derive(Default)]
struct Batch {
    schemas: Vec<FileChange>,
    entries: BTreeMap<TypeName, Vec<FileChange>>,
    meta: Option<FileChange>,
    categories: Option<FileChange>,
    media: bool,
}

/// Files of one workspace that are missing and may be back in a moment. What is listed anew takes
/// them for being there: nothing is shown to anybody because somebody is saving it.
struct Awaited {
    /// Of types that are defined anew.
    entries: BTreeMap<TypeName, Vec<FileRef>>,
    media: HashSet<Filename>,
    /// Files of which something is said.
    said: HashSet<Filename>,
}

impl Awaited {
    fn new(reconciler: &Reconciler, ws: &WorkspaceSlug, batch: &Batch) -> Awaited {
        let types = batch.schemas.iter().filter_map(|it| match &it.key {
            Key::Schema(_, name) => Some(name.clone()),
            _ => None,
        });
        let entries = |name: TypeName| {
            let files = reconciler.overdue_in(&Folder::Entries(ws.clone(), name.clone()));
            (name, files)
        };
        let names = |folder: Folder| {
            let files = reconciler.overdue_in(&folder).into_iter();
            files.filter_map(|it| load::filename(&it).cloned()).collect()
        };
        Awaited {
            entries: types.map(entries).collect(),
            media: names(Folder::Media(ws.clone())),
            said: names(Folder::MediaMeta(ws.clone())),
        }
    }

    /// What was found of media, with what is awaited as it was.
    fn kept(&self, mut items: Vec<Arc<MediaItem>>, before: &MediaIndex) -> Vec<Arc<MediaItem>> {
        for item in &mut items {
            let known = before.get(item.filename.as_str());
            if let Some(known) = known.filter(|it| self.said.contains(&it.filename)) {
                *item = Arc::new(said_as_before(item, known));
            }
        }
        let there: HashSet<&Filename> = items.iter().map(|it| &it.filename).collect();
        let missing = before.iter().filter(|it| self.media.contains(&it.filename));
        let missing: Vec<_> = missing.filter(|it| !there.contains(&it.filename)).cloned().collect();
        items.extend(missing);
        items
    }
}

/// The file as it is, and what was said of it.
fn said_as_before(item: &MediaItem, before: &MediaItem) -> MediaItem {
    let by_file = before.uploaded_at == before.modified;
    MediaItem {
        uploaded_at: if by_file { item.modified } else { before.uploaded_at },
        size: item.size,
        mime: item.mime,
        width: item.width,
        height: item.height,
        modified: item.modified,
        etag: item.etag,
        ..before.clone()
    }
}

/// Problems found while parts of a workspace are read again.
#[derive(Default)]
struct Noted(Vec<Problem>);

impl Take for Noted {
    fn take<T>(&mut self, _: &FileRef, read: FileRead<T>, _: Moment) -> Option<T> {
        self.0.extend(read.problems);
        read.value
    }
}

impl Engine {
    /// Looks at what is dirty and takes over what changed. Says when to look again at what is not
    /// believed yet.
    pub fn refresh(&self, dirty: &DirtySet) -> Option<Instant> {
        let mut reconciler = self.reconciler();
        let step = reconciler.step(&*self.disk, Moment::now(), dirty);
        self.outage.store(step.outage, Relaxed);
        if !step.outage {
            let present: BTreeSet<WorkspaceSlug> =
                reconciler.known().workspaces().into_iter().collect();
            let named = reconciler.known().problems();
            self.take_over(step.changes, &present, &reconciler);
            self.problems.set_names(named, self.clock.now());
        }
        step.wake
    }

    /// Waits until everything on the disk has been taken over: for tests and tools.
    pub fn settle(&self) {
        let mut wake = self.refresh(&DirtySet::everything());
        while !self.reconciler().is_settled() {
            if let Some(until) = wake {
                std::thread::sleep(until.saturating_duration_since(Instant::now()));
            }
            wake = self.refresh(&DirtySet::nothing());
        }
    }

    fn take_over(
        &self,
        changes: Vec<FileChange>,
        present: &BTreeSet<WorkspaceSlug>,
        reconciler: &Reconciler,
    ) {
        let mut batches: BTreeMap<WorkspaceSlug, Batch> = BTreeMap::new();
        let deleted = changes.iter().filter(|it| matches!(it.now, Now::Missing));
        let deleted = deleted.map(|it| it.path.clone()).collect();
        for change in changes {
            self.note(&change);
            self.sort_out(change, &mut batches);
        }
        self.add_and_drop_workspaces(present, &mut batches);
        for (ws, batch) in batches {
            if let Some(workspace) = self.workspace(ws.as_str()) {
                let awaited = Awaited::new(reconciler, &ws, &batch);
                self.refresh_workspace(&workspace, batch, &awaited);
            }
        }
        self.put_by(deleted);
    }

    /// Tells what is wrong with a changed file as far as that shows without its content.
    fn note(&self, change: &FileChange) {
        let problems = match &change.now {
            Now::Unreadable(problem) => vec![problem.clone()],
            Now::Read { .. } | Now::Seen(_) | Now::Missing => Vec::new(),
        };
        self.problems.set(&change.path, problems, self.clock.now());
    }

    fn sort_out(&self, change: FileChange, batches: &mut BTreeMap<WorkspaceSlug, Batch>) {
        if let Key::Token(_) = &change.key {
            return self.refresh_token(&change);
        }
        let Some(ws) = change.key.workspace().cloned() else { return };
        let batch = batches.entry(ws).or_default();
        match &change.key {
            Key::Schema(..) => batch.schemas.push(change),
            Key::Entry(_, name, _) => batch.entries.entry(name.clone()).or_default().push(change),
            Key::Workspace(_) => batch.meta = Some(change),
            Key::Categories(_) => batch.categories = Some(change),
            Key::Media(..) | Key::MediaMeta(..) => batch.media = true,
            _ => {}
        }
    }

    fn refresh_token(&self, change: &FileChange) {
        let Key::Token(id) = &change.key else { return };
        let record = match &change.now {
            Now::Read { bytes, .. } => {
                let ReadFile { value, problems } = load::token(id, &change.path, bytes);
                self.problems.set(&change.path, problems, self.clock.now());
                value
            }
            // A token that cannot be read opens nothing.
            Now::Seen(_) | Now::Unreadable(_) | Now::Missing => None,
        };
        let mut installation = self.installation.load().as_ref().clone();
        installation.set_token(id, record);
        self.installation.store(Arc::new(installation));
    }

    /// Workspaces come and go with their folders; `default` is always there.
    fn add_and_drop_workspaces(
        &self,
        present: &BTreeSet<WorkspaceSlug>,
        batches: &mut BTreeMap<WorkspaceSlug, Batch>,
    ) {
        let known = self.workspaces();
        let gone = |ws: &WorkspaceSlug| !present.contains(ws) && ws.as_str() != "default";
        let added: Vec<&WorkspaceSlug> =
            present.iter().filter(|it| !known.contains_key(*it)).collect();
        if added.is_empty() && !known.keys().any(gone) {
            return;
        }
        let mut next = known.as_ref().clone();
        next.retain(|ws, _| !gone(ws));
        for ws in added {
            let version = self.next_version();
            match self.loader().load_workspace(ws, version) {
                Ok((snapshot, problems)) => {
                    next.insert(ws.clone(), Arc::new(Workspace::new(snapshot)));
                    self.problems.set_all(problems, self.clock.now());
                    // All of it has just been read.
                    batches.remove(ws);
                }
                Err(error) => {
                    tracing::error!(%error, workspace = %ws, "a workspace cannot be read")
                }
            }
        }
        self.workspaces.store(Arc::new(next));
    }

    fn refresh_workspace(&self, workspace: &Workspace, batch: Batch, awaited: &Awaited) {
        let now = self.clock.now();
        workspace.publish(|snapshot| {
            let structural = !batch.schemas.is_empty() || batch.meta.is_some();
            let version = self.next_version();
            let next = if structural {
                self.restructured(snapshot, &batch, awaited, version, now)
            } else {
                let changed = batch
                    .entries
                    .iter()
                    .filter_map(|(name, changes)| self.changed(snapshot, name, changes, now));
                snapshot.with_types(changed.collect(), version)
            };
            Some(self.with_media(next, &batch, awaited, version))
        });
    }

    /// The index of a type after some of its files changed.
    fn changed(
        &self,
        snapshot: &Snapshot,
        name: &TypeName,
        changes: &[FileChange],
        now: Timestamp,
    ) -> Option<TypeIndex> {
        let Some(index) = snapshot.get(name.as_str()) else {
            for change in changes.iter().filter(|it| !matches!(it.now, Now::Missing)) {
                let problem = load::unknown_type(name, &change.path);
                self.problems.set(&change.path, vec![problem], now);
            }
            return None;
        };
        let media_base = read::media_base(&self.base_url, &snapshot.workspace);
        let reader = EntryReader { ty: &index.content_type, media_base: &media_base, now };
        let changes: Vec<Change> =
            changes.iter().filter_map(|it| self.entry_change(&reader, it, now)).collect();
        (!changes.is_empty()).then(|| index.with(&changes, now))
    }

    /// What a changed entry file means; nothing, when the entry stays as it was.
    fn entry_change(
        &self,
        reader: &EntryReader<'_>,
        change: &FileChange,
        now: Timestamp,
    ) -> Option<Change> {
        let Key::Entry(_, _, id) = &change.key else { return None };
        match &change.now {
            Now::Missing => Some(Change { id: id.clone(), doc: None }),
            Now::Read { bytes, stat, sum } => {
                let ReadFile { value, problems } = reader.doc(id, &change.path, bytes, stat);
                self.problems.set(&change.path, problems, now);
                // Broken: what was served goes on being served.
                let doc = value?;
                self.keep_body(&change.path, bytes, stat, *sum);
                Some(Change { id: id.clone(), doc: Some(doc) })
            }
            Now::Seen(_) | Now::Unreadable(_) => None,
        }
    }

    /// The snapshot after schemas or the workspace's own file changed.
    fn restructured(
        &self,
        snapshot: &Snapshot,
        batch: &Batch,
        awaited: &Awaited,
        version: u64,
        now: Timestamp,
    ) -> Snapshot {
        let mut types: Vec<Arc<TypeIndex>> = snapshot.types().to_vec();
        for (name, changes) in &batch.entries {
            if let Some(changed) = self.changed(snapshot, name, changes, now) {
                types.retain(|it| it.content_type.name != *name);
                types.push(Arc::new(changed));
            }
        }
        for change in &batch.schemas {
            let Key::Schema(ws, name) = &change.key else { continue };
            match self.schema_change(name, change, now) {
                SchemaChange::None => {}
                SchemaChange::Gone => {
                    types.retain(|it| it.content_type.name != *name);
                    self.note_orphans(ws, name, now);
                }
                SchemaChange::Now(ty) => {
                    types.retain(|it| it.content_type.name != *name);
                    let awaited = awaited.entries.get(name).map(Vec::as_slice);
                    let built = self.built(ws, ty, awaited.unwrap_or_default(), version, now);
                    types.push(Arc::new(built));
                }
            }
        }
        let meta = batch.meta.as_ref().map(|change| self.meta_change(snapshot, change, now));
        let meta = meta.unwrap_or_else(|| snapshot.meta.clone());
        Snapshot::new(snapshot.workspace.clone(), meta, types, snapshot.media.clone(), version)
    }

    fn schema_change(&self, name: &TypeName, change: &FileChange, now: Timestamp) -> SchemaChange {
        match &change.now {
            Now::Missing => SchemaChange::Gone,
            Now::Read { bytes, stat, sum } => {
                let ReadFile { value, problems } = read::content_type(name, &change.path, bytes);
                self.problems.set(&change.path, problems, now);
                match value {
                    Some(ty) => {
                        self.keep_body(&change.path, bytes, stat, *sum);
                        SchemaChange::Now(ty)
                    }
                    None => SchemaChange::None,
                }
            }
            Now::Seen(_) | Now::Unreadable(_) => SchemaChange::None,
        }
    }

    /// The index of a type whose definition is new: all its entries are rendered anew.
    fn built(
        &self,
        ws: &WorkspaceSlug,
        ty: Arc<ContentType>,
        awaited: &[FileRef],
        version: u64,
        now: Timestamp,
    ) -> TypeIndex {
        let mut files = self.entry_files(ws, &ty.name);
        let missing = awaited.iter().filter(|it| files.iter().all(|file| file.key != it.key));
        let missing: Vec<FileRef> = missing.cloned().collect();
        files.extend_from_slice(&missing);
        for file in &files {
            self.problems.set(&file.path(), Vec::new(), now);
        }
        let mut noted = Noted::default();
        let docs = self.loader().docs(ws, &ty, &files, Moment::now(), &mut noted);
        self.problems.set_all(noted.0, now);
        // Their last good bodies stand in for a moment, which is no problem yet.
        missing.iter().for_each(|it| self.problems.set(&it.path(), Vec::new(), now));
        TypeIndex::build(ty, docs, load::epoch(version), now)
    }

    fn note_orphans(&self, ws: &WorkspaceSlug, name: &TypeName, now: Timestamp) {
        for file in self.entry_files(ws, name) {
            let problem = load::unknown_type(name, &file.path());
            self.problems.set(&file.path(), vec![problem], now);
        }
    }

    fn entry_files(&self, ws: &WorkspaceSlug, name: &TypeName) -> Vec<FileRef> {
        let folder = Folder::Entries(ws.clone(), name.clone());
        match scan(&*self.disk, &[folder]) {
            Ok(scan) => scan.files,
            Err(error) => {
                tracing::error!(%error, workspace = %ws, "the entries of `{name}` cannot be listed");
                Vec::new()
            }
        }
    }

    fn meta_change(
        &self,
        snapshot: &Snapshot,
        change: &FileChange,
        now: Timestamp,
    ) -> Arc<WorkspaceMeta> {
        let ws = &snapshot.workspace;
        match &change.now {
            Now::Read { bytes, stat, sum } => {
                let ReadFile { value, problems } = load::workspace_meta(ws, &change.path, bytes);
                self.problems.set(&change.path, problems, now);
                let Some(meta) = value else { return self.last_meta(ws, &change.path) };
                self.keep_body(&change.path, bytes, stat, *sum);
                Arc::new(meta)
            }
            Now::Missing => Arc::new(WorkspaceMeta::of(ws)),
            Now::Seen(_) | Now::Unreadable(_) => self.last_meta(ws, &change.path),
        }
    }

    /// What the file of a workspace said when it could be read.
    fn last_meta(&self, ws: &WorkspaceSlug, path: &str) -> Arc<WorkspaceMeta> {
        let kept = self.pack.as_ref().and_then(|it| it.get(path));
        let meta = kept.and_then(|it| load::workspace_meta(ws, path, &it.bytes).value);
        Arc::new(meta.unwrap_or_else(|| load::hidden(ws)))
    }

    fn with_media(
        &self,
        snapshot: Snapshot,
        batch: &Batch,
        awaited: &Awaited,
        version: u64,
    ) -> Snapshot {
        if !batch.media && batch.categories.is_none() {
            return snapshot;
        }
        let ws = &snapshot.workspace;
        let folders = [Folder::Media(ws.clone()), Folder::MediaMeta(ws.clone())];
        let files = match scan(&*self.disk, &folders) {
            Ok(scan) => scan.files,
            Err(error) => {
                tracing::error!(%error, workspace = %ws, "the media cannot be listed");
                return snapshot;
            }
        };
        let (files, metas): (Vec<FileRef>, Vec<FileRef>) =
            files.into_iter().partition(|it| matches!(it.key, Key::Media(..)));
        let read = self.loader().media(&files, &metas, &snapshot.media);
        let now = self.clock.now();
        for (file, problems, _) in read.seen {
            self.problems.set(&file.path(), problems, now);
        }
        let categories = self.declared_categories(&snapshot, now);
        let items = awaited.kept(read.items, &snapshot.media);
        let media = MediaIndex::build(items, categories, load::epoch(version));
        snapshot.with_media(Arc::new(media), version)
    }

    /// The categories as their file declares them, or as it last did.
    fn declared_categories(&self, snapshot: &Snapshot, now: Timestamp) -> Categories {
        let key = Key::Categories(snapshot.workspace.clone());
        let path = key.path();
        let (bytes, stat) = match self.read_body(&path) {
            Ok(read) => read,
            Err(ReadError::Missing) => return Categories::default(),
            Err(_) => return self.last_categories(&path),
        };
        let ReadFile { value, problems } = load::categories(&path, &bytes);
        self.problems.set(&path, problems, now);
        let Some(categories) = value else { return self.last_categories(&path) };
        self.keep_body(&path, &bytes, &stat, Sum::of(&bytes));
        categories
    }

    fn last_categories(&self, path: &str) -> Categories {
        let kept = self.pack.as_ref().and_then(|it| it.get(path));
        kept.and_then(|it| load::categories(path, &it.bytes).value).unwrap_or_default()
    }

    fn read_body(&self, path: &str) -> Result<(Vec<u8>, Stat), ReadError> {
        let mut bytes = Vec::new();
        let stat = self.disk.read(path, &mut bytes)?;
        Ok((bytes, stat))
    }

    /// The entry as its file gives it at `now`.
    pub(super) fn reread(&self, snapshot: &Snapshot, doc: &Doc, now: Timestamp) -> Option<Change> {
        let holds = |it: &&Arc<TypeIndex>| {
            let ordinal = it.ordinal(doc.id.as_str());
            ordinal.and_then(|at| it.doc(at)).is_some_and(|it| std::ptr::eq(&**it, doc))
        };
        let index = snapshot.types().iter().find(holds)?;
        let ty = &index.content_type;
        let path = Key::Entry(snapshot.workspace.clone(), ty.name.clone(), doc.id.clone()).path();
        let media_base = read::media_base(&self.base_url, &snapshot.workspace);
        let reader = EntryReader { ty, media_base: &media_base, now };
        let read = |bytes: &[u8], stat: &Stat| reader.doc(&doc.id, &path, bytes, stat).value;
        let current = self.read_body(&path).ok().and_then(|(bytes, stat)| read(&bytes, &stat));
        let doc = current.or_else(|| {
            let kept = self.pack.as_ref()?.get(&path)?;
            read(&kept.bytes, &kept.stat)
        })?;
        Some(Change { id: doc.id.clone(), doc: Some(doc) })
    }

    pub(super) fn next_version(&self) -> u64 {
        self.version.fetch_add(1, Relaxed) + 1
    }
}

/// What a changed schema file means.
enum SchemaChange {
    /// The type stays as it was.
    None,
    /// The type is gone.
    Gone,
    /// The type is this now.
    Now(Arc<ContentType>),
}
