//! Loading of a whole data folder: schemas first, because entries are rendered by them, then the
//! rest.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;
use std::thread::JoinHandle;

use crate::engine::apply;
use crate::engine::apply::file_source::ApplyContext;
use crate::engine::apply::file_source::FileSource;
use crate::engine::apply::file_source::LoadedEntries;
use crate::engine::apply::file_states::FileStates;
use crate::engine::apply::file_states::MediaStates;
use crate::engine::apply::records;
use crate::engine::apply::records::AppliedRecords;
use crate::engine::installation::Installation;
use crate::engine::installation::SystemFile;
use crate::engine::load::entry_loader::EntryFiles;
use crate::engine::load::installation_loader::find_unlisted;
use crate::engine::load::loader::FileIdentity;
use crate::engine::load::loader::Loader;
use crate::engine::load::media_loader;
use crate::engine::load::media_loader::MetaFiles;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::EntryReader;
use crate::engine::parse::system_files::are_good_settings;
use crate::engine::parse::system_files::is_system;
use crate::engine::parse::system_files::parse_system_file;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::index::media_index::MediaIndex;
use crate::query::index::snapshot::Snapshot;
use crate::store::disk;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::body_pack::PackedBody;
use crate::store::read::load;
use crate::store::read::load::FileRef;
use crate::store::read::load::ScannedFolder;
use crate::store::read::moment::Moment;
use crate::store::read::stat_index::FileState;
use crate::store::read::stat_index::StatIndex;
use crate::store::read::stat_index::StatTrust;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

/// The number of files of a type from which on they are recorded on a thread of their own, while
/// their entries are indexed. Tests have few files.
const BESIDE_MIN: usize = if cfg!(any(test, feature = "simulate")) { 2 } else { 4_096 };

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
    /// The states in which the files were read.
    pub known: StatIndex,
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
    changes: Vec<FileRef>,
    media: Vec<FileRef>,
    media_meta: Vec<FileRef>,
    /// True if the folder of meta files is there and could not be listed.
    hides_meta: bool,
}

impl Loader<'_> {
    /// Reads everything.
    pub(crate) fn load_folder(&self) -> Result<LoadedFolder, StoreError> {
        let moment = Moment::now();
        let _ahead = self.rendered.map(|it| it.packs.read_ahead());
        let scan = load::scan_folders(self.disk, &[Folder::Root])?;
        let mut loaded = LoadedFolder::from_scan(&scan);
        loaded.installation.apply_files(find_unlisted(self.disk, &scan));
        let mut system = Vec::new();
        let mut by_workspace: BTreeMap<WorkspaceSlug, WorkspaceFiles> = BTreeMap::new();
        for folder in scan.folders {
            // An empty folder is no workspace yet, or no longer; of others the files tell.
            let parent = Folder::parse(disk::parent_folder(&folder.here.path));
            if let Some(Folder::Workspace(ws)) = parent {
                by_workspace.entry(ws).or_default();
            }
            sort_files(folder, &mut by_workspace, &mut system);
        }
        loaded.load_records(self, system, moment);
        // A missing `default` is shown empty.
        if let Ok(default) = WorkspaceSlug::parse("default") {
            by_workspace.entry(default).or_default();
        }
        mark_hidden_meta(&scan.problems, &mut by_workspace);
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
        scan.folders.into_iter().for_each(|it| sort_files(it, &mut files, &mut Vec::new()));
        mark_hidden_meta(&scan.problems, &mut files);
        let files = files.remove(ws).unwrap_or_default();
        let snapshot = self.build_snapshot(ws, files, version, Moment::now(), &mut loaded);
        let is_unreadable = |it: &&Problem| it.kind == ProblemKind::Unreadable;
        let files = loaded.problems.iter().filter(is_unreadable);
        let missed = files.filter_map(|it| Some(Key::parse(&it.path)?.folder())).collect();
        let is_whole = !loaded.is_incomplete
            && !loaded.known.list_problems().iter().any(|it| is_unreadable(&it));
        let LoadedFolder { known, problems, .. } = loaded;
        Ok(LoadedWorkspace { snapshot, known, problems, missed, is_whole })
    }

    fn build_snapshot(
        &self,
        ws: &WorkspaceSlug,
        files: WorkspaceFiles,
        version: u64,
        moment: Moment,
        loaded: &mut LoadedFolder,
    ) -> Snapshot {
        let mut states = FileStates::default();
        let mut transient = loaded.read_states(self, files.meta, moment, &mut states);
        if apply::is_readable(ws, &states) {
            let others = files.categories.into_iter().chain(files.schemas).chain(files.changes);
            let others: Vec<FileRef> = others.collect();
            transient.extend(loaded.read_states(self, others, moment, &mut states));
            let is_replaced =
                files.media_meta.is_empty() && media_loader::is_meta_replaced(self.disk, ws);
            let metas = match files.hides_meta || is_replaced {
                true => MetaFiles::Hidden,
                false => MetaFiles::Listed(&files.media_meta),
            };
            states.media = Some(loaded.load_media(self, &files.media, metas, moment));
        }
        let media_base = file_parser::media_base(self.base_url, ws);
        let context =
            ApplyContext { workspace: ws, version, now: self.now, media_base: &media_base };
        let (entries, recording) = (files.entries, Vec::new());
        let mut files = ScannedFiles { loader: self, entries, moment, loaded, recording };
        let (snapshot, effects) = apply::load(&states, &mut files, context);
        for thread in files.recording {
            let recorded = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            loaded.known.merge_recorded(recorded);
        }
        loaded.problems.extend(effects.problems.into_values().flatten());
        loaded.is_incomplete |= effects.unserved.iter().any(|it| transient.contains(&it.path));
        self.pack_accepted(&effects.accepted);
        snapshot
    }
}

/// The entries that a scan of a workspace has found.
struct ScannedFiles<'a> {
    loader: &'a Loader<'a>,
    /// Those that were not loaded yet.
    entries: BTreeMap<TypeName, Vec<FileRef>>,
    moment: Moment,
    loaded: &'a mut LoadedFolder,
    /// The threads that record files, while indexes of their entries are built.
    recording: Vec<JoinHandle<StatIndex>>,
}

impl ScannedFiles<'_> {
    /// Records the states of files, on another thread if they are many.
    fn record_files(&mut self, files: EntryFiles) {
        let moment = self.moment;
        let record = move |files: EntryFiles| {
            let mut known = StatIndex::default();
            known.record_files(files.into_pairs().filter_map(|(file, read)| {
                let state = read.seen.to_state(&file, moment)?;
                Some((file, state))
            }));
            known
        };
        // It gets the files when it runs, so that they are still here if no thread can be started.
        let (send, receive) = mpsc::channel();
        let work = move || receive.recv().map(record).unwrap_or_default();
        let thread = || thread::Builder::new().name("record-files".to_string()).spawn(work).ok();
        let is_many = files.count() >= BESIDE_MIN;
        let Some(thread) = is_many.then(thread).flatten() else {
            return self.loaded.known.merge_recorded(record(files));
        };
        let _ = send.send(files);
        self.recording.push(thread);
    }
}

impl FileSource for ScannedFiles<'_> {
    fn load_entries(
        &mut self,
        reader: &EntryReader<'_>,
        _: &dyn Fn(&EntryId) -> bool,
    ) -> Option<LoadedEntries> {
        let files = self.entries.remove(&reader.ty.name).unwrap_or_default();
        let mut entries = LoadedEntries::default();
        let mut files = self.loader.load_entries(reader, files);
        let LoadedFolder { problems, is_incomplete, .. } = &mut *self.loaded;
        entries.docs.reserve_exact(files.count());
        for read in files.reads_mut() {
            *is_incomplete |= read.value.is_none() && matches!(read.seen, FileIdentity::Not);
            problems.append(&mut read.problems);
            entries.docs.extend(read.value.take());
        }
        self.record_files(files);
        Some(entries)
    }

    fn list_types(&mut self) -> Vec<TypeName> {
        self.entries.keys().cloned().collect()
    }

    /// Entries whose type has no schema are known, but not served.
    fn list_entries(&mut self, name: &TypeName) -> Vec<String> {
        let files = self.entries.remove(name).unwrap_or_default();
        let paths = files.iter().map(FileRef::path).collect();
        // Without a sum a file is read when it changes, and when its type appears.
        self.loaded.known.record_files(files.into_iter().map(|file| {
            let state = FileState::from_stat(file.stat, StatTrust::Same);
            (file, state)
        }));
        paths
    }

    fn read_last_good(&self, path: &str) -> Option<PackedBody> {
        self.loader.pack?.get(path)
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

    /// Reads the states of files, and returns the paths of those that may be readable in a moment.
    fn read_states(
        &mut self,
        loader: &Loader<'_>,
        files: Vec<FileRef>,
        moment: Moment,
        states: &mut FileStates,
    ) -> BTreeSet<String> {
        let mut transient = BTreeSet::new();
        let read = loader.read_states(&files);
        for (file, (change, seen)) in files.into_iter().zip(read) {
            self.record_identity(file, seen, moment);
            if matches!(seen, FileIdentity::Not) {
                transient.insert(change.path.clone());
            }
            states.add_change(change);
        }
        transient
    }

    fn load_records(&mut self, loader: &Loader<'_>, files: Vec<FileRef>, moment: Moment) {
        let mut changes = Vec::with_capacity(files.len());
        let read = loader.read_states(&files);
        for (file, (change, seen)) in files.into_iter().zip(read) {
            if matches!(seen, FileIdentity::Not) {
                self.is_incomplete = true;
                if change.key == Key::Webhooks {
                    // There may be some.
                    self.installation.apply_files([SystemFile::UnreadableWebhooks]);
                }
                // A user counts even so: the next look finds the file, or misses it.
                let unread = FileState::from_stat(file.stat, StatTrust::Racy);
                self.known.record_file(file, unread);
            } else {
                self.record_identity(file, seen, moment);
            }
            if change.key == Key::Settings {
                self.load_last_good_settings(loader, &change);
            }
            changes.push(change);
        }
        let AppliedRecords { installation, problems } =
            records::apply_records(&self.installation, &changes);
        self.installation = installation;
        self.problems.extend(problems.into_values().flatten());
    }

    /// Begins with the last good settings if those in the file cannot be read: the defaults might
    /// permit more than somebody chose.
    fn load_last_good_settings(&mut self, loader: &Loader<'_>, change: &FileChange) {
        if let SweptFile::Read { content, .. } = &change.now
            && are_good_settings(&change.key, &change.path, content)
        {
            return loader.pack_accepted(&[change]);
        }
        let kept = loader.pack.and_then(|it| it.get(&change.path));
        let parse = |it: PackedBody| parse_system_file(&change.key, &change.path, &it.bytes).value;
        self.installation.apply_files(kept.and_then(parse));
    }

    fn load_media(
        &mut self,
        loader: &Loader<'_>,
        files: &[FileRef],
        metas: MetaFiles<'_>,
        moment: Moment,
    ) -> MediaStates {
        let media = media_loader::load_media(loader, files, metas, &MediaIndex::default());
        for (file, problems, seen) in media.seen {
            self.record_identity(file, seen, moment);
            self.problems.extend(problems);
        }
        let items = media.items.into_iter().map(|it| (it.filename.clone(), Some(it))).collect();
        MediaStates { items, are_all: true, problems: Vec::new() }
    }

    fn record_identity(&mut self, file: FileRef, seen: FileIdentity, moment: Moment) {
        if let Some(state) = seen.to_state(&file, moment) {
            self.known.record_file(file, state);
        }
    }
}

/// Marks the workspaces whose folder of meta files has one of these problems.
fn mark_hidden_meta(
    problems: &[Problem],
    by_workspace: &mut BTreeMap<WorkspaceSlug, WorkspaceFiles>,
) {
    for ws in media_loader::list_hidden_meta(problems) {
        if let Some(files) = by_workspace.get_mut(&ws) {
            files.hides_meta = true;
        }
    }
}

/// Puts the files of a folder where they are loaded from.
fn sort_files(
    folder: ScannedFolder,
    by_workspace: &mut BTreeMap<WorkspaceSlug, WorkspaceFiles>,
    system: &mut Vec<FileRef>,
) {
    match &folder.here.folder {
        // There may be very many.
        Folder::Entries(ws, name) if !folder.files.is_empty() => {
            let files = by_workspace.entry(ws.clone()).or_default();
            files.entries.insert(name.clone(), folder.files);
        }
        _ => folder.files.into_iter().for_each(|it| sort_file(it, by_workspace, system)),
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
        Key::Change(..) | Key::Proposal(..) | Key::ProposalBase(..) => files.changes.push(file),
        Key::Media(..) => files.media.push(file),
        Key::MediaMeta(..) => files.media_meta.push(file),
        _ => {}
    }
}
