//! What changed on the disk becomes the next snapshot: one a workspace for everything that was
//! found in one look.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use crate::engine::Engine;
use crate::engine::awaited::Awaited;
use crate::engine::load;
use crate::engine::load::FileRead;
use crate::engine::load::Take;
use crate::engine::read;
use crate::engine::read::EntryReader;
use crate::engine::read::ReadFile;
use crate::engine::taken::Taken;
use crate::engine::taken::written;
use crate::engine::workspace::Workspace;
use crate::model::category::Categories;
use crate::model::content_type::ContentType;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::workspace::WorkspaceMeta;
use crate::query::doc::Doc;
use crate::query::media_index::MediaIndex;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Change as EntryChange;
use crate::query::type_index::TypeIndex;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::commit::Change;
use crate::store::commit::Op;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::known::Moment;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load::FileRef;
use crate::store::load::is_absence;
use crate::store::load::scan;
use crate::store::sweep::FileChange;
use crate::store::sweep::Now;
use crate::store::sweep::Reconciler;
use crate::store::watch::DirtySet;

/// How long a file that a change needs may be missing: editors unlink and create anew.
const MISSING_GRACE: Duration = Duration::from_millis(300);

/// How often it is looked for.
const MISSING_POLL: Duration = Duration::from_millis(10);

/// The changes of one workspace, sorted out.
#[derive(Default)]
struct Batch {
    schemas: Vec<FileChange>,
    entries: BTreeMap<TypeName, Vec<FileChange>>,
    meta: Option<FileChange>,
    categories: Option<FileChange>,
    media: BTreeSet<Filename>,
}

/// Up to so many media files are looked at one by one; of more, their folders are listed.
const MEDIA_FEW: usize = 500;

impl Batch {
    fn add(&mut self, change: FileChange) {
        match &change.key {
            Key::Schema(..) => self.schemas.push(change),
            Key::Entry(_, name, _) => self.entries.entry(name.clone()).or_default().push(change),
            Key::Workspace(_) => self.meta = Some(change),
            Key::Categories(_) => self.categories = Some(change),
            Key::Media(_, name) | Key::MediaMeta(_, name) => _ = self.media.insert(name.clone()),
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        let files = self.schemas.is_empty() && self.entries.is_empty();
        files && self.meta.is_none() && self.categories.is_none() && self.media.is_empty()
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
        self.hand_over(&mut reconciler);
        self.take_missed().iter().for_each(|folder| reconciler.missed(folder));
        let step = reconciler.step(&*self.disk, Moment::now(), dirty);
        self.outage.store(step.outage, Relaxed);
        if !step.outage {
            let present: BTreeSet<WorkspaceSlug> =
                reconciler.known().workspaces().into_iter().collect();
            let named = reconciler.known().problems();
            self.take_over(step.changes, &present, &reconciler);
            self.problems.set_names(named, self.clock.now());
            self.reload_half_loaded();
            self.check_default();
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
        let mut by_workspace: BTreeMap<WorkspaceSlug, Vec<FileChange>> = BTreeMap::new();
        for change in changes {
            self.note(&change);
            match change.key.workspace() {
                Some(ws) => by_workspace.entry(ws.clone()).or_default().push(change),
                None => self.refresh_system(change),
            }
        }
        self.add_and_drop_workspaces(present, &mut by_workspace);
        for (ws, changes) in by_workspace {
            if let Some(workspace) = self.workspace(ws.as_str()) {
                let awaited = Awaited::new(reconciler, &ws, &changes);
                let take_over = || self.take_over_outside(&workspace, changes, &awaited);
                workspace.line.alone(take_over);
            }
        }
    }

    /// Takes over what others did to the files of a workspace. For whoever has its turn.
    pub(super) fn take_over_outside(
        &self,
        workspace: &Workspace,
        changes: Vec<FileChange>,
        awaited: &Awaited,
    ) {
        let mut batch = Batch::default();
        let mut deleted = Vec::new();
        for change in changes.into_iter().filter_map(|it| self.confirmed(it)) {
            self.note(&change);
            if matches!(change.now, Now::Missing) {
                deleted.push(change.path.clone());
            }
            batch.add(change);
        }
        let mut taken = Taken::default();
        let current = workspace.current();
        if let Some(next) = self.refreshed(&current, &batch, awaited, &mut taken) {
            workspace.publish(Arc::new(next), self);
        }
        self.tell(&workspace.slug, taken.events);
        self.keep_replaced(taken.replaced);
        self.keep_returned(taken.returned);
        self.put_by(deleted);
    }

    /// The change as it is now: what was found a moment ago may have been overwritten here since.
    pub(super) fn confirmed(&self, change: FileChange) -> Option<FileChange> {
        let found = self.disk.stat(&change.path);
        let same = match (&change.now, &found) {
            (Now::Read { stat, .. } | Now::Seen(stat), Ok(found)) => found.stat == *stat,
            (Now::Missing, Err(error)) => is_absence(error),
            (Now::Unreadable(_), _) => true,
            _ => false,
        };
        if same { Some(change) } else { self.look_at(change.key, &change.path) }
    }

    /// What a file is at this moment. One that is missing may be back in a moment.
    pub(super) fn look_at(&self, key: Key, path: &str) -> Option<FileChange> {
        let until = Instant::now() + MISSING_GRACE;
        loop {
            let now = if key.is_json() {
                match self.read_body(path) {
                    Ok((bytes, stat)) => Now::Read { sum: Sum::of(&bytes), bytes, stat },
                    Err(ReadError::Missing) => Now::Missing,
                    Err(error) => Now::Unreadable(error.problem(path)),
                }
            } else {
                match self.disk.stat(path) {
                    Ok(found) => Now::Seen(found.stat),
                    Err(_) => Now::Missing,
                }
            };
            if !matches!(now, Now::Missing) || Instant::now() >= until {
                return Some(FileChange { key, path: path.to_string(), before: None, now });
            }
            std::thread::sleep(MISSING_POLL);
        }
    }

    /// The snapshot after a change of ours that is in the files already, whatever it touches.
    pub(super) fn with_any(&self, base: &Arc<Snapshot>, change: &Change) -> Arc<Snapshot> {
        let mut batch = Batch::default();
        let ops = || change.beforehand.iter().chain(&change.steps).chain(&change.afterwards);
        let paths: BTreeSet<&str> = ops().flat_map(Op::paths).collect();
        let is_removed = |path: &str| {
            ops().any(|op| match op {
                Op::Remove { path: gone } | Op::Rename { from: gone, .. } => gone == path,
                _ => false,
            })
        };
        for path in paths {
            let Some(key) = Key::parse(path).filter(|it| it.folder().is_watched()) else {
                continue;
            };
            let written = written(change, path).filter(|_| key.is_json());
            let now = match (self.as_it_is(&key, path), written) {
                (Ok(Now::Read { sum, bytes, stat }), Some(written)) if bytes == written => {
                    Now::Read { sum, bytes, stat }
                }
                // Whatever became of it since is a later edit, and is taken in as one.
                (_, Some(bytes)) => self.as_written(bytes),
                (Ok(now), None) => now,
                (Err(_), None) if is_removed(path) => Now::Missing,
                (Err(_), None) => {
                    self.miss(key.folder());
                    continue;
                }
            };
            batch.add(FileChange { key, path: path.to_string(), before: None, now });
        }
        let next = self.refreshed(base, &batch, &Awaited::default(), &mut Taken::default());
        next.map_or_else(|| base.clone(), Arc::new)
    }

    /// What a file is, without waiting for one that may come back.
    pub(super) fn found_now(&self, key: Key, path: &str) -> Option<FileChange> {
        let now = self.as_it_is(&key, path).ok()?;
        Some(FileChange { key, path: path.to_string(), before: None, now })
    }

    fn as_it_is(&self, key: &Key, path: &str) -> Result<Now, ReadError> {
        match self.disk.stat(path) {
            Ok(found) if !key.is_json() => Ok(Now::Seen(found.stat)),
            Ok(_) => {
                let (bytes, stat) = self.read_body(path)?;
                Ok(Now::Read { sum: Sum::of(&bytes), bytes, stat })
            }
            Err(error) if is_absence(&error) => Ok(Now::Missing),
            Err(error) => Err(error.into()),
        }
    }

    /// Workspaces come and go with their folders; `default` is always there.
    pub(super) fn add_and_drop_workspaces(
        &self,
        present: &BTreeSet<WorkspaceSlug>,
        changes: &mut BTreeMap<WorkspaceSlug, Vec<FileChange>>,
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
                Ok(loaded) => {
                    next.insert(ws.clone(), Arc::new(Workspace::new(loaded.snapshot)));
                    self.problems.set_all(loaded.problems, self.clock.now());
                    loaded.missed.into_iter().for_each(|it| self.miss(it));
                    if !loaded.is_whole {
                        self.half_loaded().insert(ws.clone());
                    }
                    // All of it has just been read.
                    changes.remove(ws);
                }
                Err(error) => {
                    tracing::error!(%error, workspace = %ws, "a workspace cannot be read")
                }
            }
        }
        self.workspaces.store(Arc::new(next));
    }

    /// The snapshot after these changes; nothing, when nothing that is served is another.
    fn refreshed(
        &self,
        snapshot: &Snapshot,
        batch: &Batch,
        awaited: &Awaited,
        taken: &mut Taken,
    ) -> Option<Snapshot> {
        if batch.is_empty() {
            return None;
        }
        let now = self.clock.now();
        let structural = !batch.schemas.is_empty() || batch.meta.is_some();
        let version = self.next_version();
        let next = if structural {
            self.restructured(snapshot, batch, awaited, version, now, taken)
        } else {
            let changed = batch
                .entries
                .iter()
                .filter_map(|(name, changes)| self.changed(snapshot, name, changes, now, taken));
            let changed: Vec<TypeIndex> = changed.collect();
            if changed.is_empty() && batch.media.is_empty() && batch.categories.is_none() {
                return None;
            }
            snapshot.with_types(changed, version)
        };
        Some(self.with_media(next, batch, awaited, version, taken))
    }

    /// The index of a type after some of its files changed.
    fn changed(
        &self,
        snapshot: &Snapshot,
        name: &TypeName,
        changes: &[FileChange],
        now: Timestamp,
        taken: &mut Taken,
    ) -> Option<TypeIndex> {
        let Some(index) = snapshot.get(name.as_str()) else {
            for change in changes.iter().filter(|it| !matches!(it.now, Now::Missing)) {
                let problem = load::unknown_type(name, &change.path);
                self.problems.set(&change.path, vec![problem], now);
            }
            return None;
        };
        if index.is_empty() {
            self.make_trash_folder(&snapshot.workspace, name);
        }
        let media_base = read::media_base(&self.base_url, &snapshot.workspace);
        let reader = EntryReader { ty: &index.content_type, media_base: &media_base, now };
        let changes: Vec<EntryChange> = changes
            .iter()
            .filter_map(|it| self.entry_change(&reader, index, it, now, taken))
            .collect();
        (!changes.is_empty()).then(|| index.with(&changes, now))
    }

    /// What a changed entry file means; nothing, when the entry stays as it was.
    fn entry_change(
        &self,
        reader: &EntryReader<'_>,
        index: &TypeIndex,
        change: &FileChange,
        now: Timestamp,
        taken: &mut Taken,
    ) -> Option<EntryChange> {
        let Key::Entry(_, name, id) = &change.key else { return None };
        let before = index.ordinal(id.as_str()).and_then(|it| index.doc(it));
        let doc = match &change.now {
            Now::Missing => {
                before?;
                None
            }
            Now::Read { bytes, stat, sum } => {
                let ReadFile { value, problems } = reader.doc(id, &change.path, bytes, stat);
                self.problems.set(&change.path, problems, now);
                // Broken: what was served goes on being served.
                let doc = value?;
                let same = before.is_some_and(|it| it.sum == doc.sum);
                if !same && before.is_some() {
                    let body = self.pack.as_ref().and_then(|it| it.hold(&change.path));
                    taken.replaced.extend(body.map(|it| (change.key.clone(), it)));
                }
                self.keep_body(&change.path, bytes, stat, *sum);
                if same {
                    return None;
                }
                if before.is_none() {
                    taken.returned.push((change.key.clone(), *sum));
                }
                Some(doc)
            }
            Now::Seen(_) | Now::Unreadable(_) => return None,
        };
        taken.entry(name, before.map(|it| &**it), doc.as_deref(), now);
        Some(EntryChange { id: id.clone(), doc })
    }

    /// The snapshot after schemas or the workspace's own file changed.
    fn restructured(
        &self,
        snapshot: &Snapshot,
        batch: &Batch,
        awaited: &Awaited,
        version: u64,
        now: Timestamp,
        taken: &mut Taken,
    ) -> Snapshot {
        let mut types: Vec<Arc<TypeIndex>> = snapshot.types().to_vec();
        for (name, changes) in &batch.entries {
            if let Some(changed) = self.changed(snapshot, name, changes, now, taken) {
                types.retain(|it| it.content_type.name != *name);
                types.push(Arc::new(changed));
            }
        }
        for change in &batch.schemas {
            let Key::Schema(ws, name) = &change.key else { continue };
            let before = snapshot.get(name.as_str()).map(|it| &it.content_type);
            let schema = self.schema_change(name, change, now);
            taken.schema(before.map(|it| &**it), &schema);
            match schema {
                SchemaChange::None => {}
                SchemaChange::Now(ty) if before.is_some_and(|it| it.sum == ty.sum) => {}
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
        let mut noted = Noted::default();
        let docs = self.loader().docs(ws, &ty, &files, Moment::now(), &mut noted);
        let bad: BTreeSet<&str> = noted.0.iter().map(|it| it.path.as_str()).collect();
        let well = files.iter().map(FileRef::path).filter(|it| !bad.contains(it.as_str()));
        well.for_each(|path| self.problems.set(&path, Vec::new(), now));
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
        match scan(&*self.disk, std::slice::from_ref(&folder)) {
            Ok(scan) => scan.files,
            Err(error) => {
                tracing::error!(%error, workspace = %ws, "the entries of `{name}` cannot be listed");
                self.miss(folder);
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
        taken: &mut Taken,
    ) -> Snapshot {
        if batch.media.is_empty() && batch.categories.is_none() {
            return snapshot;
        }
        if !awaited.has_media() && batch.media.len() <= MEDIA_FEW {
            let declared = batch.categories.is_some();
            let declared = declared.then(|| self.declared_categories(&snapshot, self.clock.now()));
            return self.with_few_media(snapshot, &batch.media, declared, version, taken);
        }
        let ws = &snapshot.workspace;
        let folders = [Folder::Media(ws.clone()), Folder::MediaMeta(ws.clone())];
        let files = match scan(&*self.disk, &folders) {
            Ok(scan) => scan.files,
            Err(error) => {
                tracing::error!(%error, workspace = %ws, "the media cannot be listed");
                folders.into_iter().for_each(|it| self.miss(it));
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
        let before = &snapshot.media;
        for item in media.iter() {
            taken.media(before.get(item.filename.as_str()), Some(item));
        }
        for item in before.iter().filter(|it| media.get(it.filename.as_str()).is_none()) {
            taken.media(Some(item), None);
        }
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

    pub(super) fn read_body(&self, path: &str) -> Result<(Vec<u8>, Stat), ReadError> {
        let mut bytes = Vec::new();
        let stat = self.disk.read(path, &mut bytes)?;
        Ok((bytes, stat))
    }

    /// The entry as its file gives it at `now`.
    pub(super) fn reread(
        &self,
        snapshot: &Snapshot,
        doc: &Doc,
        now: Timestamp,
    ) -> Option<EntryChange> {
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
        Some(EntryChange { id: doc.id.clone(), doc: Some(doc) })
    }

    pub(super) fn next_version(&self) -> u64 {
        self.version.fetch_add(1, Relaxed) + 1
    }
}

/// What a changed schema file means.
pub(super) enum SchemaChange {
    /// The type stays as it was.
    None,
    /// The type is gone.
    Gone,
    /// The type is this now.
    Now(Arc<ContentType>),
}
