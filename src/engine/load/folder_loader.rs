//! Loading of a whole data folder: schemas first, because entries are rendered by them, then the rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::installation::Installation;
use crate::engine::installation::SystemFile;
use crate::engine::load::loader::FileIdentity;
use crate::engine::load::loader::FileRead;
use crate::engine::load::loader::LoadSink;
use crate::engine::load::loader::Loader;
use crate::engine::load::loader::first_generation;
use crate::engine::load::media_loader;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::system_files::is_system;
use crate::engine::parse::system_files::parse_system_file;
use crate::engine::parse::workspace_files::hidden_workspace_meta;
use crate::engine::parse::workspace_files::parse_categories;
use crate::engine::parse::workspace_files::parse_workspace_meta;
use crate::engine::parse::workspace_files::unknown_type_problem;
use crate::engine::parse::workspace_files::unsupported_reason;
use crate::model::content_type::ContentType;
use crate::model::media::category::Categories;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::workspace::WorkspaceMeta;
use crate::query::index::media_index::MediaIndex;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::store::disk;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load;
use crate::store::read::load::FileRef;
use crate::store::read::moment::Moment;
use crate::store::read::stat_index::StatIndex;

/// A data folder in memory.
pub(crate) struct LoadedFolder {
    pub snapshots: Vec<Snapshot>,
    pub installation: Installation,
    /// The stats of all files, and the problems of their names.
    pub known: StatIndex,
    /// The problems inside files.
    pub problems: Vec<Problem>,
    /// True if a file could not be served at all, for a reason that may pass.
    is_incomplete: bool,
}

/// One workspace in memory.
pub(crate) struct LoadedWorkspace {
    pub snapshot: Snapshot,
    /// The problems inside files.
    pub problems: Vec<Problem>,
    /// Folders with files that could not be read and may be in a moment.
    pub missed: Vec<Folder>,
    /// True if all folders could be listed and every file is served in some state.
    pub is_whole: bool,
}

/// The files of one workspace, sorted out.
#[derive(Default)]
struct WorkspaceFiles {
    meta: Vec<FileRef>,
    categories: Vec<FileRef>,
    schemas: Vec<FileRef>,
    entries: BTreeMap<TypeName, Vec<FileRef>>,
    media: Vec<FileRef>,
    media_meta: Vec<FileRef>,
}

impl Loader<'_> {
    /// Reads everything.
    pub(crate) fn load_folder(&self) -> Result<LoadedFolder, StoreError> {
        let moment = Moment::now();
        let scan = load::scan_folders(self.disk, &[Folder::Root])?;
        let mut loaded = LoadedFolder::from_scan(&scan);
        let mut system = Vec::new();
        let mut by_workspace: BTreeMap<WorkspaceSlug, WorkspaceFiles> = BTreeMap::new();
        for folder in &scan.folders {
            // An empty folder is no workspace yet, or no longer; of others the files tell.
            if let Some(Folder::Workspace(ws)) = Folder::parse(disk::parent_folder(&folder.path)) {
                by_workspace.entry(ws).or_default();
            }
        }
        for file in scan.files {
            sort_file(file, &mut by_workspace, &mut system);
        }
        let read = self.read_files(&system, |file, bytes, _| {
            parse_system_file(&file.key, &file.path(), bytes)
        });
        let files = read.into_iter().filter_map(|(file, read)| {
            let unread = (file.key == Key::Webhooks).then_some(SystemFile::UnreadableWebhooks);
            loaded.record_file(file, read, moment).or(unread)
        });
        let files: Vec<SystemFile> = files.collect();
        loaded.installation.apply_files(files);
        // A missing `default` is shown empty.
        if let Ok(default) = WorkspaceSlug::parse("default") {
            by_workspace.entry(default).or_default();
        }
        for (version, (ws, files)) in (1..).zip(by_workspace) {
            let snapshot = self.build_snapshot(&ws, files, version, moment, &mut loaded);
            loaded.snapshots.push(snapshot);
        }
        Ok(loaded)
    }

    /// Reads one workspace.
    pub(crate) fn load_workspace(
        &self,
        ws: &WorkspaceSlug,
        version: u64,
    ) -> Result<LoadedWorkspace, StoreError> {
        let scan = load::scan_folders(self.disk, &[Folder::Workspace(ws.clone())])?;
        let mut loaded = LoadedFolder::from_scan(&scan);
        let mut files = BTreeMap::from([(ws.clone(), WorkspaceFiles::default())]);
        scan.files.into_iter().for_each(|it| sort_file(it, &mut files, &mut Vec::new()));
        let files = files.remove(ws).unwrap_or_default();
        let snapshot = self.build_snapshot(ws, files, version, Moment::now(), &mut loaded);
        let is_unreadable = |it: &&Problem| it.kind == ProblemKind::Unreadable;
        let files = loaded.problems.iter().filter(is_unreadable);
        let missed = files.filter_map(|it| Some(Key::parse(&it.path)?.folder())).collect();
        let is_whole = !loaded.is_incomplete
            && !loaded.known.list_problems().iter().any(|it| is_unreadable(&it));
        Ok(LoadedWorkspace { snapshot, problems: loaded.problems, missed, is_whole })
    }

    fn build_snapshot(
        &self,
        ws: &WorkspaceSlug,
        files: WorkspaceFiles,
        version: u64,
        moment: Moment,
        loaded: &mut LoadedFolder,
    ) -> Snapshot {
        let meta = self.read_files(&files.meta, |file, bytes, _| {
            parse_workspace_meta(ws, &file.path(), bytes)
        });
        let unsupported = meta.iter().find_map(|(_, read)| unsupported_reason(&read.problems));
        let meta = meta.into_iter().find_map(|(file, read)| loaded.record_file(file, read, moment));
        if let Some(reason) = unsupported {
            let meta =
                WorkspaceMeta { unsupported: Some(reason), ..WorkspaceMeta::default_for(ws) };
            let nothing =
                MediaIndex::build(Vec::new(), Categories::default(), first_generation(version));
            return Snapshot::new(ws.clone(), Arc::new(meta), Vec::new(), nothing.into(), version);
        }
        let categories = self
            .read_files(&files.categories, |file, bytes, _| parse_categories(&file.path(), bytes));
        let categories =
            categories.into_iter().find_map(|(file, read)| loaded.record_file(file, read, moment));
        let schemas = self.read_files(&files.schemas, |file, bytes, _| match &file.key {
            Key::Schema(_, name) => file_parser::parse_content_type(name, &file.path(), bytes),
            _ => ReadFile { value: None, problems: Vec::new() },
        });
        let types: Vec<Arc<ContentType>> = schemas
            .into_iter()
            .filter_map(|(file, read)| loaded.record_file(file, read, moment))
            .collect();
        let mut indices = Vec::with_capacity(types.len());
        let mut entries = files.entries;
        for ty in types {
            let files = entries.remove(&ty.name).unwrap_or_default();
            let docs = self.load_entries(ws, &ty, &files, moment, loaded);
            indices.push(Arc::new(TypeIndex::build(ty, docs, first_generation(version), self.now)));
        }
        for (name, files) in entries {
            loaded.record_orphans(&name, files);
        }
        let media =
            media_loader::load_media(self, &files.media, &files.media_meta, &MediaIndex::default());
        for (file, problems, seen) in media.seen {
            loaded.record_identity(&file, seen, moment);
            loaded.problems.extend(problems);
        }
        let media = MediaIndex::build(
            media.items,
            categories.unwrap_or_default(),
            first_generation(version),
        );
        let meta = Arc::new(match meta {
            Some(meta) => meta,
            None if files.meta.is_empty() => WorkspaceMeta::default_for(ws),
            None => hidden_workspace_meta(ws),
        });
        Snapshot::new(ws.clone(), meta, indices, Arc::new(media), version)
    }
}

impl LoadSink for LoadedFolder {
    fn record_file<T>(&mut self, file: &FileRef, read: FileRead<T>, moment: Moment) -> Option<T> {
        self.record_identity(file, read.seen, moment);
        self.is_incomplete |= read.value.is_none() && matches!(read.seen, FileIdentity::Not);
        self.problems.extend(read.problems);
        read.value
    }
}

impl LoadedFolder {
    fn from_scan(scan: &load::FolderScan) -> LoadedFolder {
        LoadedFolder {
            snapshots: Vec::new(),
            installation: Installation::default(),
            known: StatIndex::from_scan(scan),
            problems: Vec::new(),
            is_incomplete: false,
        }
    }

    fn record_identity(&mut self, file: &FileRef, seen: FileIdentity, moment: Moment) {
        match seen {
            FileIdentity::Read(stat, sum) => self.known.record_read(file, stat, sum, moment),
            FileIdentity::Unread if file.key.is_json() => self.known.record_unreadable(file),
            FileIdentity::Unread => self.known.record_stat(file),
            FileIdentity::Not => {}
        }
    }

    /// Entries whose type has no schema are known, but not served.
    fn record_orphans(&mut self, name: &TypeName, files: Vec<FileRef>) {
        for file in files {
            self.problems.push(unknown_type_problem(name, &file.path()));
            // Without a sum it is read when it changes, and when its type appears.
            self.known.record_stat(&file);
        }
    }
}

fn sort_file(
    file: FileRef,
    by_workspace: &mut BTreeMap<WorkspaceSlug, WorkspaceFiles>,
    system: &mut Vec<FileRef>,
) {
    let Some(ws) = file.key.workspace().cloned() else {
        if is_system(&file.key) {
            system.push(file);
        }
        return;
    };
    let files = by_workspace.entry(ws).or_default();
    match &file.key {
        Key::Workspace(_) => files.meta.push(file),
        Key::Categories(_) => files.categories.push(file),
        Key::Schema(..) => files.schemas.push(file),
        Key::Entry(_, name, _) => files.entries.entry(name.clone()).or_default().push(file),
        Key::Media(..) => files.media.push(file),
        Key::MediaMeta(..) => files.media_meta.push(file),
        _ => {}
    }
}
