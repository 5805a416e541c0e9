//! The next snapshot of a workspace, made of everything that one look at the disk found.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::engine::folder::own_write::written_bytes;
use crate::engine::follower::Follower;
use crate::engine::follower::adopted_edits::AdoptedEdits;
use crate::engine::follower::adopted_edits::SchemaChange;
use crate::engine::follower::missing_files::MissingFiles;
use crate::engine::follower::workspace_changes::WorkspaceChanges;
use crate::engine::load::loader;
use crate::engine::load::loader::FileIdentity;
use crate::engine::load::loader::FileRead;
use crate::engine::load::loader::LoadSink;
use crate::engine::load::loader::Loader;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::EntryReader;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::workspace_files;
use crate::model::content_type::ContentType;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::workspace::WorkspaceMeta;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::EntryChange;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::time::Timestamp;
use crate::store::disk::Stat;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load::FileRef;
use crate::store::read::load::scan_folders;
use crate::store::read::moment::Moment;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;
use crate::store::write::commit::FileOp;
use crate::store::write::commit::FileTransaction;

/// The findings while parts of a workspace are read again.
#[derive(Default)]
struct RefreshFindings {
    problems: Vec<Problem>,
    /// True if a file could not be served at all, for a reason that may pass.
    is_incomplete: bool,
}

impl LoadSink for RefreshFindings {
    fn record_file<T>(&mut self, _: &FileRef, read: FileRead<T>, _: Moment) -> Option<T> {
        self.problems.extend(read.problems);
        self.is_incomplete |= read.value.is_none() && matches!(read.seen, FileIdentity::Not);
        read.value
    }
}

impl Follower {
    /// The snapshot after a change of ours that is in the files already, whatever it touches.
    pub(crate) fn apply_change(
        &self,
        base: &Arc<Snapshot>,
        change: &FileTransaction,
    ) -> Arc<Snapshot> {
        let mut batch = WorkspaceChanges::default();
        let ops = || change.beforehand.iter().chain(&change.steps).chain(&change.afterwards);
        let paths: BTreeSet<&str> = ops().flat_map(FileOp::paths).collect();
        let is_removed = |path: &str| {
            ops().any(|op| match op {
                FileOp::Remove { path: gone } | FileOp::Rename { from: gone, .. } => gone == path,
                _ => false,
            })
        };
        for path in paths {
            let Some(key) = Key::parse(path).filter(|it| it.folder().is_watched()) else {
                continue;
            };
            let written = written_bytes(change, path).filter(|_| key.is_json());
            let now = match (self.folder.read_current(&key, path), written) {
                (Ok(SweptFile::Read { sum, bytes, stat }), Some(written)) if bytes == written => {
                    SweptFile::Read { sum, bytes, stat }
                }
                // Whatever became of it since is a later edit, and is taken in as one.
                (_, Some(bytes)) => self.folder.read_as_written(bytes),
                (Ok(now), None) => now,
                (Err(_), None) if is_removed(path) => SweptFile::Missing,
                (Err(_), None) => {
                    self.folder.mark_missed(key.folder());
                    continue;
                }
            };
            batch.add_change(FileChange { key, path: path.to_string(), before: None, now });
        }
        let next = self.refresh_snapshot(
            base,
            &batch,
            &MissingFiles::default(),
            &mut AdoptedEdits::default(),
        );
        next.map_or_else(|| base.clone(), Arc::new)
    }

    /// The snapshot after a change of one entry; nothing, when it changes nothing that is served.
    pub(crate) fn apply_entry_change(
        &self,
        base: &Snapshot,
        change: &FileTransaction,
    ) -> Option<Arc<Snapshot>> {
        let op = change.steps.first()?;
        let (path, bytes) = match op {
            FileOp::Create { path, bytes } | FileOp::Replace { path, bytes, .. } => {
                (path, Some(bytes))
            }
            FileOp::Rename { from: path, .. } | FileOp::Remove { path } => (path, None),
            FileOp::RemoveFolder { .. } => return None,
        };
        let Some(Key::Entry(ws, of, id)) = Key::parse(path) else { return None };
        let index = base.get(of.as_str())?;
        let now = self.folder.clock.now();
        let media_base = file_parser::media_base(&self.folder.base_url, &ws);
        let reader = EntryReader { ty: &index.content_type, media_base: &media_base, now };
        let doc = match bytes {
            // What is written here says its times itself.
            Some(bytes) => {
                let stat = Stat {
                    modified_ns: now.seconds().saturating_mul(1_000_000_000),
                    ..Stat::default()
                };
                let read = reader.render_entry(&id, path, bytes, &stat);
                self.folder.problems.set_file(path, read.problems, now);
                Some(read.value?)
            }
            None => None,
        };
        let next = index.with_changes(&[EntryChange { id, doc }], now);
        Some(Arc::new(base.with_types(vec![next], self.workspaces.next_version())))
    }

    /// The snapshot after these changes; nothing, when nothing that is served is another.
    pub(crate) fn refresh_snapshot(
        &self,
        snapshot: &Snapshot,
        batch: &WorkspaceChanges,
        awaited: &MissingFiles,
        taken: &mut AdoptedEdits,
    ) -> Option<Snapshot> {
        if batch.is_empty() {
            return None;
        }
        let version = self.workspaces.next_version();
        match self.check_format(snapshot, batch) {
            FormatStatus::Known => {}
            FormatStatus::Unknown(reason)
                if snapshot.meta.unsupported.as_ref() == Some(&reason) =>
            {
                return None;
            }
            FormatStatus::Unknown(reason) => {
                return Some(snapshot.with_unsupported(&reason, version));
            }
            FormatStatus::KnownAgain => {
                self.half_loaded_workspaces().insert(snapshot.workspace.clone());
                self.folder.watcher.sweep_now();
                return None;
            }
        }
        let now = self.folder.clock.now();
        let structural = !batch.schemas.is_empty() || batch.meta.is_some();
        let next = if structural {
            self.rebuild_types(snapshot, batch, awaited, version, now, taken)
        } else {
            let changed = batch.entries.iter().filter_map(|(name, changes)| {
                self.refresh_type_index(snapshot, name, changes, now, taken)
            });
            let changed: Vec<TypeIndex> = changed.collect();
            if changed.is_empty() && batch.media.is_empty() && batch.categories.is_none() {
                return None;
            }
            snapshot.with_types(changed, version)
        };
        Some(self.apply_media(next, batch, awaited, version, taken))
    }

    /// The index of a type after some of its files changed.
    fn refresh_type_index(
        &self,
        snapshot: &Snapshot,
        name: &TypeName,
        changes: &[FileChange],
        now: Timestamp,
        taken: &mut AdoptedEdits,
    ) -> Option<TypeIndex> {
        let Some(index) = snapshot.get(name.as_str()) else {
            for change in changes.iter().filter(|it| !matches!(it.now, SweptFile::Missing)) {
                let problem = workspace_files::unknown_type_problem(name, &change.path);
                self.folder.problems.set_file(&change.path, vec![problem], now);
            }
            return None;
        };
        if index.is_empty() {
            self.folder.make_trash_folder(&snapshot.workspace, name);
        }
        let media_base = file_parser::media_base(&self.folder.base_url, &snapshot.workspace);
        let reader = EntryReader { ty: &index.content_type, media_base: &media_base, now };
        let changes: Vec<EntryChange> = changes
            .iter()
            .filter_map(|it| self.build_entry_change(&reader, index, it, now, taken))
            .collect();
        (!changes.is_empty()).then(|| index.with_changes(&changes, now))
    }

    /// Builds the change of an entry from its changed file; nothing, if the entry stays as it was.
    fn build_entry_change(
        &self,
        reader: &EntryReader<'_>,
        index: &TypeIndex,
        change: &FileChange,
        now: Timestamp,
        taken: &mut AdoptedEdits,
    ) -> Option<EntryChange> {
        let Key::Entry(_, name, id) = &change.key else { return None };
        let before = index.find_ordinal(id.as_str()).and_then(|it| index.entry_at(it));
        let doc = match &change.now {
            SweptFile::Missing => {
                before?;
                None
            }
            SweptFile::Read { bytes, stat, sum } => {
                let ReadFile { value, problems } =
                    reader.render_entry(id, &change.path, bytes, stat);
                self.folder.problems.set_file(&change.path, problems, now);
                // Broken: what was served goes on being served.
                let doc = value?;
                let same = before.is_some_and(|it| it.sum == doc.sum);
                if !same && before.is_some() {
                    let body = self.folder.pack.as_ref().and_then(|it| it.hold_body(&change.path));
                    taken.replaced.extend(body.map(|it| (change.key.clone(), it)));
                }
                self.folder.save_last_good(&change.path, bytes, stat, *sum);
                if same {
                    return None;
                }
                if before.is_none() {
                    taken.returned.push((change.key.clone(), *sum));
                }
                Some(doc)
            }
            SweptFile::Seen(_) | SweptFile::Unreadable(_) => return None,
        };
        taken.add_entry(name, before.map(|it| &**it), doc.as_deref(), now);
        Some(EntryChange { id: id.clone(), doc })
    }

    /// The snapshot after schemas or the workspace's own file changed.
    fn rebuild_types(
        &self,
        snapshot: &Snapshot,
        batch: &WorkspaceChanges,
        awaited: &MissingFiles,
        version: u64,
        now: Timestamp,
        taken: &mut AdoptedEdits,
    ) -> Snapshot {
        let mut types: Vec<Arc<TypeIndex>> = snapshot.types().to_vec();
        for (name, changes) in &batch.entries {
            if let Some(changed) = self.refresh_type_index(snapshot, name, changes, now, taken) {
                types.retain(|it| it.content_type.name != *name);
                types.push(Arc::new(changed));
            }
        }
        for change in &batch.schemas {
            let Key::Schema(ws, name) = &change.key else { continue };
            let before = snapshot.get(name.as_str()).map(|it| &it.content_type);
            let schema = self.read_schema_change(name, change, now);
            taken.add_schema(before.map(|it| &**it), &schema);
            match schema {
                SchemaChange::None => {}
                SchemaChange::Now(ty) if before.is_some_and(|it| it.sum == ty.sum) => {}
                SchemaChange::Gone => {
                    types.retain(|it| it.content_type.name != *name);
                    self.report_orphans(ws, name, now);
                }
                SchemaChange::Now(ty) => {
                    types.retain(|it| it.content_type.name != *name);
                    let awaited = awaited.entries.get(name).map(Vec::as_slice);
                    let built =
                        self.build_type_index(ws, ty, awaited.unwrap_or_default(), version, now);
                    match built {
                        Some(built) => types.push(Arc::new(built)),
                        // Entries that cannot be read now are no reason to serve none.
                        None => types.extend(snapshot.get(name.as_str()).cloned()),
                    }
                }
            }
        }
        let meta = batch.meta.as_ref().map(|change| self.read_meta_change(snapshot, change, now));
        let meta = meta.unwrap_or_else(|| snapshot.meta.clone());
        Snapshot::new(snapshot.workspace.clone(), meta, types, snapshot.media.clone(), version)
    }

    fn read_schema_change(
        &self,
        name: &TypeName,
        change: &FileChange,
        now: Timestamp,
    ) -> SchemaChange {
        match &change.now {
            SweptFile::Missing => SchemaChange::Gone,
            SweptFile::Read { bytes, stat, sum } => {
                let ReadFile { value, problems } =
                    file_parser::parse_content_type(name, &change.path, bytes);
                self.folder.problems.set_file(&change.path, problems, now);
                match value {
                    Some(ty) => {
                        self.folder.save_last_good(&change.path, bytes, stat, *sum);
                        SchemaChange::Now(ty)
                    }
                    None => SchemaChange::None,
                }
            }
            SweptFile::Seen(_) | SweptFile::Unreadable(_) => SchemaChange::None,
        }
    }

    /// The index of a type whose definition is new: all its entries are rendered anew. Nothing, when
    /// they cannot all be read now: then the workspace is read anew soon.
    fn build_type_index(
        &self,
        ws: &WorkspaceSlug,
        ty: Arc<ContentType>,
        awaited: &[FileRef],
        version: u64,
        now: Timestamp,
    ) -> Option<TypeIndex> {
        let mut files = self.list_entry_files(ws, &ty.name)?;
        let missing = awaited.iter().filter(|it| files.iter().all(|file| file.key != it.key));
        let missing: Vec<FileRef> = missing.cloned().collect();
        files.extend_from_slice(&missing);
        let mut noted = RefreshFindings::default();
        let docs = Loader::of_folder(&self.folder).load_entries(
            ws,
            &ty,
            &files,
            Moment::now(),
            &mut noted,
        );
        if noted.is_incomplete {
            self.half_loaded_workspaces().insert(ws.clone());
            return None;
        }
        let noted = noted.problems;
        let bad: BTreeSet<&str> = noted.iter().map(|it| it.path.as_str()).collect();
        let well = files.iter().map(FileRef::path).filter(|it| !bad.contains(it.as_str()));
        well.for_each(|path| self.folder.problems.set_file(&path, Vec::new(), now));
        self.folder.problems.set_files(noted, now);
        // Their last good bodies stand in for a moment, which is no problem yet.
        missing.iter().for_each(|it| self.folder.problems.set_file(&it.path(), Vec::new(), now));
        Some(TypeIndex::build(ty, docs, loader::first_generation(version), now))
    }

    fn report_orphans(&self, ws: &WorkspaceSlug, name: &TypeName, now: Timestamp) {
        for file in self.list_entry_files(ws, name).unwrap_or_default() {
            let problem = workspace_files::unknown_type_problem(name, &file.path());
            self.folder.problems.set_file(&file.path(), vec![problem], now);
        }
    }

    /// The files of all entries of a type; nothing, when they cannot be listed now.
    fn list_entry_files(&self, ws: &WorkspaceSlug, name: &TypeName) -> Option<Vec<FileRef>> {
        let folder = Folder::Entries(ws.clone(), name.clone());
        match scan_folders(&*self.folder.disk, std::slice::from_ref(&folder)) {
            Ok(scan) => Some(scan.files),
            Err(error) => {
                tracing::error!(%error, workspace = %ws, "the entries of `{name}` cannot be listed");
                self.half_loaded_workspaces().insert(ws.clone());
                self.folder.mark_missed(folder);
                None
            }
        }
    }

    fn read_meta_change(
        &self,
        snapshot: &Snapshot,
        change: &FileChange,
        now: Timestamp,
    ) -> Arc<WorkspaceMeta> {
        let ws = &snapshot.workspace;
        match &change.now {
            SweptFile::Read { bytes, stat, sum } => {
                let ReadFile { value, problems } =
                    workspace_files::parse_workspace_meta(ws, &change.path, bytes);
                self.folder.problems.set_file(&change.path, problems, now);
                let Some(meta) = value else { return snapshot.meta.clone() };
                self.folder.save_last_good(&change.path, bytes, stat, *sum);
                Arc::new(meta)
            }
            SweptFile::Missing => Arc::new(WorkspaceMeta::default_for(ws)),
            SweptFile::Seen(_) | SweptFile::Unreadable(_) => snapshot.meta.clone(),
        }
    }

    /// Checks that the files of a workspace can be understood after these changes.
    pub(crate) fn check_format(
        &self,
        snapshot: &Snapshot,
        batch: &WorkspaceChanges,
    ) -> FormatStatus {
        let before = snapshot.meta.unsupported.clone();
        let now = match batch.meta.as_ref().map(|it| (&it.now, &it.path)) {
            Some((SweptFile::Read { bytes, .. }, path)) => {
                let problems =
                    workspace_files::parse_workspace_meta(&snapshot.workspace, path, bytes)
                        .problems;
                let reason = workspace_files::unsupported_reason(&problems);
                if before.is_some() || reason.is_some() {
                    self.folder.problems.set_file(path, problems, self.folder.clock.now());
                }
                reason
            }
            Some((SweptFile::Missing, _)) => None,
            Some((SweptFile::Seen(_) | SweptFile::Unreadable(_), _)) | None => before.clone(),
        };
        match (before, now) {
            (_, Some(reason)) => FormatStatus::Unknown(reason),
            (Some(_), None) => FormatStatus::KnownAgain,
            (None, None) => FormatStatus::Known,
        }
    }
}

/// The format of a workspace, as far as this program knows it.
pub(crate) enum FormatStatus {
    Known,
    /// It is left alone, for this reason.
    Unknown(String),
    /// It was left alone until now: all of it has to be read anew.
    KnownAgain,
}
