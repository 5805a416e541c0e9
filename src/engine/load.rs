//! Reads a whole data folder: schemas first, because entries are rendered by them, then the rest,
//! on many threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::installation::Installation;
use crate::engine::installation::SystemFile;
use crate::engine::media;
use crate::engine::read;
use crate::engine::read::EntryReader;
use crate::engine::read::ReadFile;
use crate::model::category;
use crate::model::category::Categories;
use crate::model::content_type::ContentType;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::name::TokenId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::role::RoleRecord;
use crate::model::token::TokenRecord;
use crate::model::unknown_keys;
use crate::model::user::UserRecord;
use crate::model::webhook;
use crate::model::workspace;
use crate::model::workspace::WorkspaceMeta;
use crate::query::doc::Doc;
use crate::query::media_index::MediaIndex;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::known::Known;
use crate::store::known::Moment;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load;
use crate::store::load::Body;
use crate::store::load::FileRef;
use crate::store::load::READERS;
use crate::store::media_sums::MediaSums;
use crate::store::pack::Pack;

/// What loading works with.
pub(crate) struct Loader<'a> {
    pub disk: &'a dyn Disk,
    /// The last good bodies, for files that cannot be read.
    pub pack: Option<&'a Pack>,
    /// What is known of the bytes of media files.
    pub sums: &'a MediaSums,
    pub base_url: &'a str,
    pub now: Timestamp,
}

/// A data folder in memory.
pub(crate) struct Loaded {
    pub snapshots: Vec<Snapshot>,
    pub installation: Installation,
    /// What is wrong with names is known here.
    pub known: Known,
    /// What is wrong inside files.
    pub problems: Vec<Problem>,
}

/// One workspace in memory.
pub(crate) struct LoadedWorkspace {
    pub snapshot: Snapshot,
    /// What is wrong inside files.
    pub problems: Vec<Problem>,
    /// Folders with files that could not be read and may be in a moment.
    pub missed: Vec<Folder>,
    /// Whether all folders could be listed.
    pub is_whole: bool,
}

/// What was made of one file, beside the stat and sum by which it is known from now on.
pub(crate) struct FileRead<T> {
    pub value: Option<T>,
    pub problems: Vec<Problem>,
    pub seen: Option<(Stat, Sum)>,
}

/// The files of one workspace, sorted out.
#[derive(Default)]
struct Files {
    meta: Vec<FileRef>,
    categories: Vec<FileRef>,
    schemas: Vec<FileRef>,
    entries: BTreeMap<TypeName, Vec<FileRef>>,
    media: Vec<FileRef>,
    media_meta: Vec<FileRef>,
}

impl Loader<'_> {
    /// Reads everything.
    pub(crate) fn load(&self) -> Result<Loaded, crate::store::error::StoreError> {
        let moment = Moment::now();
        let scan = load::scan(self.disk, &[Folder::Root])?;
        let mut loaded = Loaded::of(&scan);
        let mut system = Vec::new();
        let mut by_workspace: BTreeMap<WorkspaceSlug, Files> = BTreeMap::new();
        for folder in &scan.folders {
            // An empty folder is no workspace yet, or no longer; of others the files tell.
            if let Some(Folder::Workspace(ws)) = Folder::parse(disk::parent(&folder.path)) {
                by_workspace.entry(ws).or_default();
            }
        }
        for file in scan.files {
            sort_out(file, &mut by_workspace, &mut system);
        }
        let read = self.read(&system, |file, bytes, _| system_file(&file.key, &file.path(), bytes));
        let files = read.into_iter().filter_map(|(file, read)| loaded.take(file, read, moment));
        let files: Vec<SystemFile> = files.collect();
        loaded.installation.apply(files);
        // A missing `default` is shown empty.
        if let Ok(default) = WorkspaceSlug::parse("default") {
            by_workspace.entry(default).or_default();
        }
        for (version, (ws, files)) in (1..).zip(by_workspace) {
            let snapshot = self.workspace(&ws, files, version, moment, &mut loaded);
            loaded.snapshots.push(snapshot);
        }
        Ok(loaded)
    }

    /// Reads one workspace.
    pub(crate) fn load_workspace(
        &self,
        ws: &WorkspaceSlug,
        version: u64,
    ) -> Result<LoadedWorkspace, crate::store::error::StoreError> {
        let scan = load::scan(self.disk, &[Folder::Workspace(ws.clone())])?;
        let mut loaded = Loaded::of(&scan);
        let mut files = BTreeMap::from([(ws.clone(), Files::default())]);
        scan.files.into_iter().for_each(|it| sort_out(it, &mut files, &mut Vec::new()));
        let files = files.remove(ws).unwrap_or_default();
        let snapshot = self.workspace(ws, files, version, Moment::now(), &mut loaded);
        let is_unreadable = |it: &&Problem| it.kind == ProblemKind::Unreadable;
        let files = loaded.problems.iter().filter(is_unreadable);
        let missed = files.filter_map(|it| Some(Key::parse(&it.path)?.folder())).collect();
        let is_whole = !loaded.known.problems().iter().any(|it| is_unreadable(&it));
        Ok(LoadedWorkspace { snapshot, problems: loaded.problems, missed, is_whole })
    }

    fn workspace(
        &self,
        ws: &WorkspaceSlug,
        files: Files,
        version: u64,
        moment: Moment,
        loaded: &mut Loaded,
    ) -> Snapshot {
        let meta = self.read(&files.meta, |file, bytes, _| workspace_meta(ws, &file.path(), bytes));
        let meta = meta.into_iter().find_map(|(file, read)| loaded.take(file, read, moment));
        let categories =
            self.read(&files.categories, |file, bytes, _| categories(&file.path(), bytes));
        let categories =
            categories.into_iter().find_map(|(file, read)| loaded.take(file, read, moment));
        let schemas = self.read(&files.schemas, |file, bytes, _| match &file.key {
            Key::Schema(_, name) => read::content_type(name, &file.path(), bytes),
            _ => ReadFile { value: None, problems: Vec::new() },
        });
        let types: Vec<Arc<ContentType>> = schemas
            .into_iter()
            .filter_map(|(file, read)| loaded.take(file, read, moment))
            .collect();
        let mut indices = Vec::with_capacity(types.len());
        let mut entries = files.entries;
        for ty in types {
            let files = entries.remove(&ty.name).unwrap_or_default();
            let docs = self.docs(ws, &ty, &files, moment, loaded);
            indices.push(Arc::new(TypeIndex::build(ty, docs, epoch(version), self.now)));
        }
        for (name, files) in entries {
            loaded.orphans(&name, files);
        }
        let media = self.media(&files.media, &files.media_meta, &MediaIndex::default());
        for (file, problems, seen) in media.seen {
            loaded.known_as(&file, seen, moment);
            loaded.problems.extend(problems);
        }
        let media = MediaIndex::build(media.items, categories.unwrap_or_default(), epoch(version));
        let meta = Arc::new(match meta {
            Some(meta) => meta,
            None if files.meta.is_empty() => WorkspaceMeta::of(ws),
            None => hidden(ws),
        });
        Snapshot::new(ws.clone(), meta, indices, Arc::new(media), version)
    }

    /// Reads and renders all entries of a type.
    pub(crate) fn docs(
        &self,
        ws: &WorkspaceSlug,
        ty: &ContentType,
        files: &[FileRef],
        moment: Moment,
        loaded: &mut impl Take,
    ) -> Vec<Arc<Doc>> {
        let media_base = read::media_base(self.base_url, ws);
        let reader = EntryReader { ty, media_base: &media_base, now: self.now };
        let read = self.read(files, |file, bytes, stat| match entry_id(file) {
            Some(id) => reader.doc(id, &file.path(), bytes, stat),
            None => ReadFile { value: None, problems: Vec::new() },
        });
        read.into_iter().filter_map(|(file, read)| loaded.take(file, read, moment)).collect()
    }

    /// Reads files; where one cannot be served, its last good body stands in.
    pub(crate) fn read<'f, T: Send>(
        &self,
        files: &'f [FileRef],
        make_good: impl Fn(&FileRef, &[u8], &Stat) -> ReadFile<T> + Sync,
    ) -> Vec<(&'f FileRef, FileRead<T>)> {
        let make = |file: &FileRef, body: Result<Body<'_>, ReadError>| {
            let (mut read, seen) = match body {
                Ok(body) => {
                    let read = make_good(file, body.bytes, &body.stat);
                    if read.value.is_some() {
                        self.pack(file, &body);
                    }
                    (read, Some((body.stat, body.sum())))
                }
                Err(error) => (ReadFile::broken(error.problem(&file.path())), None),
            };
            if read.value.is_none() && read.problems.iter().any(|it| it.kind.blocks_loading()) {
                read.value = self.last_good(file, &make_good);
            }
            FileRead { value: read.value, problems: read.problems, seen }
        };
        let read = match self.pack {
            Some(pack) => load::read_all_packed(self.disk, pack, files, READERS, make),
            None => load::read_all(self.disk, files, READERS, make),
        };
        files.iter().zip(read).collect()
    }

    /// Keeps the body of a file that can be served, unless it is kept already.
    fn pack(&self, file: &FileRef, body: &Body<'_>) {
        let Some(pack) = self.pack else { return };
        if matches!(
            file.key,
            Key::Entry(..) | Key::Schema(..) | Key::Workspace(_) | Key::Categories(_)
        ) {
            let path = file.path();
            if !pack.holds(&path, &body.stat) {
                pack.put(&path, &body.stat, body.sum(), body.bytes);
            }
        }
    }

    fn last_good<T>(
        &self,
        file: &FileRef,
        make: &impl Fn(&FileRef, &[u8], &Stat) -> ReadFile<T>,
    ) -> Option<T> {
        let kept = self.pack?.get(&file.path())?;
        make(file, &kept.bytes, &kept.stat).value
    }

    /// Looks at all media files of a workspace. Those that `before` has and that did not change
    /// are not opened.
    pub(crate) fn media(
        &self,
        files: &[FileRef],
        metas: &[FileRef],
        before: &MediaIndex,
    ) -> media::Read {
        media::read(self, files, metas, before)
    }
}

/// Where a loader leaves what it learns beside the values.
pub(crate) trait Take {
    /// Notes how a file is known and what is wrong with it; hands out its value.
    fn take<T>(&mut self, file: &FileRef, read: FileRead<T>, moment: Moment) -> Option<T>;
}

impl Take for Loaded {
    fn take<T>(&mut self, file: &FileRef, read: FileRead<T>, moment: Moment) -> Option<T> {
        self.known_as(file, read.seen, moment);
        self.problems.extend(read.problems);
        read.value
    }
}

impl Loaded {
    fn of(scan: &load::Scan) -> Loaded {
        Loaded {
            snapshots: Vec::new(),
            installation: Installation::default(),
            known: Known::of(scan),
            problems: Vec::new(),
        }
    }

    fn known_as(&mut self, file: &FileRef, seen: Option<(Stat, Sum)>, moment: Moment) {
        match seen {
            Some((stat, sum)) => self.known.read(file, stat, sum, moment),
            None if file.key.is_json() => self.known.unreadable(file),
            None => self.known.seen(file),
        }
    }

    /// Entries whose type has no schema are known, but not served.
    fn orphans(&mut self, name: &TypeName, files: Vec<FileRef>) {
        for file in files {
            self.problems.push(unknown_type(name, &file.path()));
            // Without a sum it is read when it changes, and when its type appears.
            self.known.seen(&file);
        }
    }
}

/// A workspace whose file cannot be read may be one that nobody should see.
pub(crate) fn hidden(ws: &WorkspaceSlug) -> WorkspaceMeta {
    WorkspaceMeta { archived: true, ..WorkspaceMeta::of(ws) }
}

/// The problem of an entry whose type has no schema.
pub(crate) fn unknown_type(name: &TypeName, path: &str) -> Problem {
    let message = format!("There is no content type `{name}`, so the entry is not served.");
    Problem::new(ProblemKind::UnknownType, path, message)
}

/// The first generation of indices that are built for one version of a workspace: generations of
/// different builds never meet.
pub(crate) fn epoch(version: u64) -> u64 {
    version << 32
}

fn sort_out(
    file: FileRef,
    by_workspace: &mut BTreeMap<WorkspaceSlug, Files>,
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

pub(crate) fn entry_id(file: &FileRef) -> Option<&EntryId> {
    if let Key::Entry(_, _, id) = &file.key { Some(id) } else { None }
}

pub(crate) fn filename(file: &FileRef) -> Option<&Filename> {
    match &file.key {
        Key::Media(_, name) | Key::MediaMeta(_, name) => Some(name),
        _ => None,
    }
}

/// Whether a file is one of the installation that is kept in memory.
pub(crate) fn is_system(key: &Key) -> bool {
    matches!(key, Key::Token(_) | Key::User(_) | Key::Role(_) | Key::Settings | Key::Webhooks)
}

/// What a file of the installation says. One that cannot be read says that nothing is there: a
/// token that opens nothing, a user who cannot log in.
pub(crate) fn system_file(key: &Key, path: &str, bytes: &[u8]) -> ReadFile<SystemFile> {
    let broken = |problems| ReadFile { value: system_file_broken(key), problems };
    if let Key::Token(id) = key {
        let ReadFile { value, problems } = token(id, path, bytes);
        return ReadFile { value: Some(SystemFile::Token(id.clone(), value)), problems };
    }
    let ReadFile { value, mut problems } = read::json(path, bytes);
    let Some(json) = value else { return broken(problems) };
    let mut look = |known: &Json, what: &str| {
        let unknown = unknown_keys::in_record(&json, known, what);
        problems.extend(read::unknown(path, bytes, unknown));
    };
    let parsed = match key {
        Key::User(id) => UserRecord::parse(id, &json).map(|it| {
            look(&it.to_file(), "A user");
            SystemFile::User(id.clone(), Some(it))
        }),
        Key::Role(id) => RoleRecord::parse(id, &json).map(|it| {
            look(&it.to_file(), "A role");
            SystemFile::Role(id.clone(), Some(it))
        }),
        Key::Settings | Key::Webhooks => match json {
            Json::Object(map) if *key == Key::Settings => Ok(SystemFile::Settings(map)),
            Json::Object(map) => {
                let (webhooks, defects) = webhook::parse_file(&map);
                let kind = ProblemKind::SchemaViolation;
                problems.extend(read::located(path, bytes, kind, &defects));
                Ok(SystemFile::Webhooks(webhooks))
            }
            _ => Err(FieldProblems::one("", "The file should hold an object.")),
        },
        _ => return ReadFile { value: None, problems },
    };
    match parsed {
        Ok(file) => ReadFile { value: Some(file), problems },
        Err(defects) => {
            problems.extend(read::located(path, bytes, ProblemKind::InvalidJson, &defects));
            broken(problems)
        }
    }
}

/// What it means that a file of the installation cannot be read: as if it were not there, but that
/// somebody is.
pub(crate) fn system_file_broken(key: &Key) -> Option<SystemFile> {
    match key {
        Key::User(id) => Some(SystemFile::UnreadableUser(id.clone())),
        // A slip of whoever edits them is no reason to forget what webhooks are to be told.
        Key::Webhooks => None,
        key => system_file_gone(key),
    }
}

/// What it means that a file of the installation is not there.
pub(crate) fn system_file_gone(key: &Key) -> Option<SystemFile> {
    Some(match key {
        Key::Token(id) => SystemFile::Token(id.clone(), None),
        Key::User(id) => SystemFile::User(id.clone(), None),
        Key::Role(id) => SystemFile::Role(id.clone(), None),
        Key::Settings => SystemFile::Settings(Map::new()),
        Key::Webhooks => SystemFile::Webhooks(Vec::new()),
        _ => return None,
    })
}

pub(crate) fn token(id: &TokenId, path: &str, bytes: &[u8]) -> ReadFile<TokenRecord> {
    let ReadFile { value, mut problems } = read::json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    match TokenRecord::parse(id, &json) {
        Ok(record) => {
            let unknown = unknown_keys::in_record(&json, &record.to_file(), "A token");
            problems.extend(read::unknown(path, bytes, unknown));
            ReadFile { value: Some(record), problems }
        }
        Err(defects) => {
            problems.extend(read::located(path, bytes, ProblemKind::InvalidJson, &defects));
            ReadFile { value: None, problems }
        }
    }
}

pub(crate) fn workspace_meta(
    ws: &WorkspaceSlug,
    path: &str,
    bytes: &[u8],
) -> ReadFile<WorkspaceMeta> {
    let ReadFile { value, mut problems } = read::json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    match WorkspaceMeta::parse(ws, &json) {
        Ok((meta, defects)) => {
            let unknown = unknown_keys::in_file(&json, workspace::KEYS, "A workspace");
            problems.extend(read::unknown(path, bytes, unknown));
            problems.extend(read::located(path, bytes, ProblemKind::SchemaViolation, &defects));
            ReadFile { value: Some(meta), problems }
        }
        Err(newer) => {
            problems.push(Problem::new(ProblemKind::UnsupportedFormat, path, newer.to_string()));
            ReadFile { value: None, problems }
        }
    }
}

pub(crate) fn categories(path: &str, bytes: &[u8]) -> ReadFile<Categories> {
    let ReadFile { value, mut problems } = read::json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    let (categories, defects) = Categories::parse(&json);
    let unknown = unknown_keys::in_file(&json, category::KEYS, "The list of categories");
    problems.extend(read::unknown(path, bytes, unknown));
    problems.extend(read::located(path, bytes, ProblemKind::SchemaViolation, &defects));
    ReadFile { value: Some(categories), problems }
}
