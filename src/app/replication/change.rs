//! Files that another server sends: all of a request happens, or nothing.
//!
//! Each file names the checksum that its sender saw, so nobody's change is written over. What is
//! written takes the permissions of the same change by any other way. Times and the author of the
//! change are set here; HTML is sanitized. The entries of a request are judged together, as it
//! leaves them: one takes the slug of another that is removed.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::change_access::check_entry;
use crate::app::content::changes::clear_deleted;
use crate::app::content::content_types::change as type_change;
use crate::app::content::content_types::may_read_definition;
use crate::app::content::entries::StateChange;
use crate::app::content::entries::check_deletable;
use crate::app::content::entries::clean_file;
use crate::app::content::entries::stage_judged_deletion;
use crate::app::content::saved_views;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media;
use crate::app::precondition::Precondition;
use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::local::sum_blob;
use crate::engine::Engine;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Publication;
use crate::model::entry::set_key;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::query::index::change_index::OverlayFile;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// The most files of one request.
pub const FILES_MAX: usize = 1_000;

/// The body of a request that writes files.
#[derive(Debug, JsonSchema)]
pub struct FilesInput {
    /// The files. A request that writes some can remove entries, and no other files.
    #[schemars(length(min = 1, max = FILES_MAX))]
    files: Vec<FileInput>,
}

/// A file that is written.
#[derive(Debug, JsonSchema)]
pub struct FileInput {
    /// The path below the workspace, such as `content/posts/a1.json`.
    #[schemars(with = "String")]
    path: ReplicatedFile,
    /// The checksum of the file that it replaces; `null` if there must be none.
    #[schemars(with = "Option<String>", extend("nullable" = true))]
    before: Option<Checksum>,
    /// The content of a JSON file; `null` to remove the file.
    #[schemars(schema_with = "content_schema")]
    content: Option<Map>,
    /// True if the content is not what was sent: it was sanitized.
    #[schemars(skip)]
    is_cleaned: bool,
}

fn content_schema(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": ["object", "null"] })
}

/// The checksums of content types.
type TypeSums = Vec<(TypeName, Checksum)>;

/// The files of a request, as they are stored now.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "WrittenFiles")]
pub struct WrittenFiles {
    /// The files of the request, in its order.
    files: Vec<StoredSum>,
}

/// A file as it is stored now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StoredSum {
    /// The path below the workspace.
    path: String,
    /// The checksum of the file; `null` if it was removed, or if other content was stored than was
    /// sent.
    sum: Option<String>,
}

impl FilesInput {
    fn parse(body: &Map) -> ParsedBody<FilesInput> {
        let mut input = ObjectReader::new(body);
        let items = input.filled_list("files", FILES_MAX, "files");
        let mut files: Vec<FileInput> = Vec::with_capacity(items.len());
        let mut known = BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            let place = format!("files[{index}]");
            match parse_file(item) {
                Ok(file) if known.insert(file.path.clone()) => files.push(file),
                Ok(_) => input.add_problem(place, "This file is sent twice."),
                Err(problems) => input.add_problems(&place, problems),
            }
        }
        let is_entry = |it: &FileInput| matches!(it.path, ReplicatedFile::Entry(..));
        if files.iter().any(|it| it.content.is_some())
            && files.iter().any(|it| it.content.is_none() && !is_entry(it))
        {
            let message = "A request that writes files can remove entries only.";
            input.add_problem("files", message);
        }
        input.finish(FilesInput { files })
    }
}

fn parse_file(json: &Json) -> std::result::Result<FileInput, FieldProblems> {
    const PATH: &str = "This is not the path of a schema, an entry or a media file.";
    const SUM: &str = "This is not a checksum.";
    let mut input = ObjectReader::from_json(json)?;
    let path = input.required_text("path").and_then(|text| {
        let parsed = ReplicatedFile::parse(text).ok_or(PATH);
        input.accept("path", parsed)
    });
    let before = match input.member("before") {
        None => {
            input.add_problem("before", wording::REQUIRED);
            None
        }
        Some(Json::Null) => None,
        Some(json) => {
            let sum = json.as_str().and_then(Checksum::parse_hex);
            input.accept("before", sum.ok_or(SUM))
        }
    };
    let content = input.object("content").cloned();
    if !input.contains("content") {
        input.add_problem("content", wording::REQUIRED);
    }
    if matches!(path, Some(ReplicatedFile::Media(_))) && content.is_some() {
        input.add_problem("content", "The bytes of media files are uploaded.");
    }
    if content.is_none() && before.is_none() {
        input.add_problem("before", "What is removed must have been there.");
    }
    let Some(path) = path else { return Err(input.into_problems()) };
    input.into_result(FileInput { path, before, content, is_cleaned: false })
}

/// Writes and removes files.
///
/// # Errors
///
/// Fails if one of them is not as its sender saw it, or may not or cannot be written; then nothing
/// is changed.
pub fn write_files(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    body: &Map,
) -> Result<WrittenFiles> {
    let input = FilesInput::parse(body).into_result().map_err(Error::invalid)?;
    let snapshot = app.engine.snapshot(ws).ok_or_else(|| Error::not_found("workspace", ws))?;
    let (files, types) = clean_files(&snapshot, input.files)?;
    let (engine, sender, sent) = (app.engine.clone(), by.clone(), files.clone());
    let committed = app.engine.commit(ws, move |staging: &mut Staging<'_>| {
        let request = WriteRequest { by: &sender, files: &sent };
        request.check_seen(staging)?;
        let is_changed = |(name, sum): &(TypeName, Checksum)| {
            staging.snapshot().get(name).is_none_or(|it| it.content_type.sum != *sum)
        };
        if types.iter().any(is_changed) {
            return Err(Error::conflict("A content type was changed meanwhile. Try again."));
        }
        request.stage(staging, &engine)
    })?;
    // The types are gone, whatever becomes of them.
    let _ = saved_views::remove_own(app, ws, by, &list_removed_types(&files));
    Ok(committed.value)
}

/// Sanitizes the HTML of entries before anybody else waits for it. Returns the types by which that
/// was done, too.
fn clean_files(
    snapshot: &Snapshot,
    mut files: Vec<FileInput>,
) -> Result<(Arc<Vec<FileInput>>, TypeSums)> {
    let mut problems = FieldProblems::new();
    let mut types = BTreeMap::new();
    for (index, file) in files.iter_mut().enumerate() {
        let (ReplicatedFile::Entry(of, _), Some(content)) = (&file.path, &mut file.content) else {
            continue;
        };
        let Some(known) = snapshot.get(of) else { continue };
        let (sent, mut found) = (content.clone(), FieldProblems::new());
        clean_file(&known.content_type, content, &mut found);
        file.is_cleaned = *content != sent;
        problems.extend(found.with_prefix(&format!("files[{index}].content")));
        types.insert(of.clone(), known.content_type.sum);
    }
    problems.into_result(()).map_err(Error::invalid)?;
    Ok((Arc::new(files), types.into_iter().collect()))
}

/// A file of a request, as far as its sender may know of it.
enum SeenFile {
    /// It is there. Without a checksum, nothing is said of a media file.
    Readable(Option<Checksum>),
    /// It is there, but not for the sender.
    Hidden,
    /// It is not there.
    Missing,
}

/// An entry as a request leaves it.
struct EntryState<'r> {
    /// The file that was sent; nothing if the entry only loses references.
    file: Option<&'r FileInput>,
    place: EntryPlace,
    /// The file that it replaces.
    live: Option<StoredFile>,
    state: Map,
}

/// A request to write files.
struct WriteRequest<'r> {
    by: &'r Requester,
    files: &'r [FileInput],
}

impl WriteRequest<'_> {
    /// Checks that every file is as its sender saw it. A file that the sender may not read is
    /// answered like one that is missing, so that nobody learns which it is.
    fn check_seen(&self, staging: &mut Staging<'_>) -> Result<()> {
        let mut changed = FieldProblems::new();
        for file in self.files {
            let is_as_seen = match self.find_file(staging, &file.path)? {
                SeenFile::Readable(sum) => sum == file.before,
                _ if file.before.is_some() => false,
                unseen => {
                    self.check_may_create(staging, &file.path)?;
                    matches!(unseen, SeenFile::Missing)
                }
            };
            if !is_as_seen {
                changed.add(file.path.path(), "This has changed since you read it.");
            }
        }
        if changed.is_empty() {
            return Ok(());
        }
        Err(Error { fields: changed, ..Error::precondition_failed(None) })
    }

    fn find_file(&self, staging: &mut Staging<'_>, file: &ReplicatedFile) -> Result<SeenFile> {
        let (snapshot, caller) = (staging.snapshot(), &self.by.caller);
        match file {
            ReplicatedFile::Schema(name) => {
                let Some(index) = snapshot.get(name) else { return Ok(SeenFile::Missing) };
                if !may_read_definition(snapshot, caller, index) {
                    return Ok(SeenFile::Hidden);
                }
                Ok(SeenFile::Readable(Some(index.content_type.sum)))
            }
            ReplicatedFile::Entry(of, id) => {
                let place = (of.clone(), id.clone());
                let Some(doc) = snapshot.find_entry(&place) else { return Ok(SeenFile::Missing) };
                if check_entry(snapshot, caller, Action::ContentRead, &place, doc).is_err() {
                    return Ok(SeenFile::Hidden);
                }
                Ok(SeenFile::Readable(Some(doc.rev)))
            }
            ReplicatedFile::Media(name) | ReplicatedFile::MediaMeta(name) => {
                let Some(item) = snapshot.media.get(name) else { return Ok(SeenFile::Missing) };
                if !media::may_see(snapshot, caller, item) {
                    return Ok(SeenFile::Hidden);
                }
                if matches!(file, ReplicatedFile::Media(_)) {
                    let sum = item.tag.content.or_else(|| staging.sum_media(name));
                    return Ok(SeenFile::Readable(sum));
                }
                let stored = staging.read_stored(&file.key(staging.workspace()))?;
                Ok(SeenFile::Readable(stored.map(|it| it.json.compute_checksum())))
            }
        }
    }

    /// Checks that the sender could create a file, before it is told whether there is one.
    fn check_may_create(&self, staging: &Staging<'_>, file: &ReplicatedFile) -> Result<()> {
        let (action, on) = match file {
            ReplicatedFile::Schema(name) => (Action::SchemaCreate, Resource::Schema(name)),
            ReplicatedFile::Entry(of, _) => (Action::ContentCreate, Resource::Collection(of)),
            // Media files come by uploads, and metadata after them.
            ReplicatedFile::Media(name) | ReplicatedFile::MediaMeta(name) => {
                return Err(Error::not_found("media file", name));
            }
        };
        match self.by.caller.has_any_grant(staging.workspace(), action, &on) {
            true => Ok(()),
            false => Err(Error::forbidden(action, &format!("`{on}`"))),
        }
    }

    /// Stages what becomes of the files.
    fn stage(&self, staging: &mut Staging<'_>, engine: &Engine) -> Result<WrittenFiles> {
        let mut sums: BTreeMap<&ReplicatedFile, Option<Checksum>> = BTreeMap::new();
        let mut problems = FieldProblems::new();
        for file in self.files {
            let staged = match &file.content {
                Some(content) => self.stage_content(staging, &file.path, content),
                None => self.stage_removal(staging, &file.path).map(|()| None),
            };
            match staged {
                Ok(sum) => _ = sums.insert(&file.path, sum),
                Err(error) if error.fields.is_empty() => return Err(error),
                Err(error) => {
                    problems.extend(error.fields.clone().with_prefix(&file.path.path()));
                }
            }
        }
        saved_views::stage_removal(staging, self.by, &list_removed_types(self.files))?;
        let entries = self.judge_entries(staging, engine, &mut problems)?;
        problems.into_result(()).map_err(Error::invalid)?;
        for (file, state, permit) in entries {
            let label = (RevisionEvent::Update, self.by.actor.id.as_str());
            let bytes = state.stage(staging, &permit, label)?;
            let Some(file) = file else { continue };
            let sent = file.content.as_ref().filter(|_| !file.is_cleaned);
            sums.insert(&file.path, sent.and_then(|it| find_equal_sum(&file.path, &bytes, it)));
        }
        for (of, id) in self.removed_entries() {
            stage_judged_deletion(staging, self.by, of, id)?;
        }
        let stored = self.files.iter().map(|file| StoredSum {
            path: file.path.path(),
            sum: sums.get(&file.path).copied().flatten().map(|it| it.to_string()),
        });
        Ok(WrittenFiles { files: stored.collect() })
    }

    /// Stages the content of a type or of a media file's metadata. Returns its checksum if it says
    /// what was sent. Entries are staged after all others.
    fn stage_content(
        &self,
        staging: &mut Staging<'_>,
        file: &ReplicatedFile,
        content: &Map,
    ) -> Result<Option<Checksum>> {
        match file {
            ReplicatedFile::Schema(name) => {
                type_change::stage_file(staging, self.by, name, content.clone()).map(Some)
            }
            ReplicatedFile::MediaMeta(name) => {
                let bytes = media::meta::stage_file(staging, self.by, name, content.clone())?;
                Ok(find_equal_sum(file, &bytes, content))
            }
            ReplicatedFile::Entry(..) | ReplicatedFile::Media(_) => Ok(None),
        }
    }

    /// Stages the removal of a type, of a media file or of its metadata. Entries are staged after
    /// all others.
    fn stage_removal(&self, staging: &mut Staging<'_>, file: &ReplicatedFile) -> Result<()> {
        match file {
            ReplicatedFile::Schema(name) => {
                type_change::stage_delete(staging, self.by, name, &Precondition::None)
            }
            ReplicatedFile::Media(name) => media::delete::stage_removal(staging, self.by, name),
            ReplicatedFile::MediaMeta(name) => {
                let is_with = ReplicatedFile::Media(name.clone());
                if !self.files.iter().any(|it| it.path == is_with) {
                    media::meta::stage_file(staging, self.by, name, Map::new())?;
                }
                Ok(())
            }
            ReplicatedFile::Entry(of, id) => check_deletable(staging, self.by, of, id),
        }
    }

    /// Judges the entries of the request, each among what the others become. Entries that lose
    /// references to removed ones are judged as well, whether they were sent or not.
    fn judge_entries(
        &self,
        staging: &mut Staging<'_>,
        engine: &Engine,
        problems: &mut FieldProblems,
    ) -> Result<Vec<(Option<&FileInput>, StateChange, Permit)>> {
        let mut sent = self.collect_entries(staging, problems)?;
        let mut shown = BTreeMap::new();
        for it in &sent {
            let content = Some(Arc::new(Json::Object(it.state.clone())));
            shown.insert(it.place.clone(), OverlayFile { content, modified: staging.now() });
        }
        for (of, id) in self.removed_entries() {
            let gone = OverlayFile { content: None, modified: staging.now() };
            shown.insert((of.clone(), id.clone()), gone);
        }
        if shown.is_empty() {
            return Ok(Vec::new());
        }
        let (live, id) = (staging.snapshot(), staging.new_id());
        let overlay = engine.overlays().build_from_files(live, &id, shown);
        let mut cleared = clear_deleted(engine, staging, self.by, &overlay)?;
        for it in &mut sent {
            if let Some(state) = cleared.remove(&it.place) {
                it.state = state;
            }
        }
        for (place, state) in cleared {
            let live = staging.read_stored(&Key::of_entry(staging.workspace(), &place))?;
            sent.push(EntryState { file: None, place, live, state });
        }
        let mut judged = Vec::with_capacity(sent.len());
        for EntryState { file, place, live, state } in sent {
            let Some(index) = overlay.get(&place.0) else { continue };
            let change = StateChange::new(staging, index, &place, live, state);
            let permit = change.check_rights(staging, self.by, &overlay)?;
            if let Some(file) = file {
                problems.extend(change.problems.clone().with_prefix(&file.path.path()));
            }
            judged.push((file, change, permit));
        }
        Ok(judged)
    }

    /// Collects the entries that are written, each as it will be.
    fn collect_entries(
        &self,
        staging: &mut Staging<'_>,
        problems: &mut FieldProblems,
    ) -> Result<Vec<EntryState<'_>>> {
        let mut sent = Vec::new();
        for file in self.files {
            let (ReplicatedFile::Entry(of, id), Some(content)) = (&file.path, &file.content) else {
                continue;
            };
            let place = (of.clone(), id.clone());
            let Some(index) = staging.snapshot().get(of).cloned() else {
                problems.add(file.path.path(), format!("There is no content type `{of}`."));
                continue;
            };
            if index.content_type.singleton && id.as_str() != of.as_str() {
                problems.add(file.path.path(), "A single page has the id of its type.");
                continue;
            }
            let live = staging.read_stored(&file.path.key(staging.workspace()))?;
            let mut state = self.finish_state(staging, &index, &place, live.as_ref(), content);
            if live.is_none() && !self.may_choose_author(staging, of, &state) {
                set_key(&mut state, "author_id", self.by.actor.id.as_str().into());
            }
            sent.push(EntryState { file: Some(file), place, live, state });
        }
        Ok(sent)
    }

    /// Lists the entries that are removed.
    fn removed_entries(&self) -> impl Iterator<Item = (&TypeName, &EntryId)> {
        let removed = self.files.iter().filter(|it| it.content.is_none());
        removed.filter_map(|it| match &it.path {
            ReplicatedFile::Entry(of, id) => Some((of, id)),
            _ => None,
        })
    }

    /// Returns the state with what is set here: the times, who changed it, and the slugs that it
    /// had.
    fn finish_state(
        &self,
        staging: &Staging<'_>,
        index: &TypeIndex,
        place: &EntryPlace,
        live: Option<&StoredFile>,
        content: &Map,
    ) -> Map {
        let now = staging.now();
        let mut state = content.clone();
        // It is the name of the file.
        state.remove("id");
        let sent = content.get("created_at").and_then(Json::as_str).and_then(Timestamp::parse);
        let created = match live {
            Some(live) => live.map().get("created_at").cloned(),
            None => Some(sent.filter(|it| *it <= now).unwrap_or(now).to_string().into()),
        };
        match created {
            Some(created) => set_key(&mut state, "created_at", created),
            None => _ = state.remove("created_at"),
        }
        let is_same = live.is_some_and(|it| {
            let before = ReplicatedValue::Json(it.map().clone());
            let after = ReplicatedValue::Json(state.clone());
            let file = ReplicatedFile::Entry(place.0.clone(), place.1.clone());
            file.is_same(Some(&before), Some(&after))
        });
        if is_same && let Some(live) = live {
            return live.map().clone();
        }
        set_key(&mut state, "updated_at", now.to_string().into());
        set_key(&mut state, "updated_by", self.by.actor.id.as_str().into());
        if let Some(live) = live {
            let read = |map: &Map, modified| {
                let facts = FileFacts { modified, now };
                let (ty, json) = (&index.content_type, map.clone().into());
                Entry::read(place.1.clone(), ty, json, facts, &mut Vec::new())
            };
            let old = read(live.map(), live.modified);
            let next = read(&state, now);
            let publication = Publication::of_entry(&next);
            if let Some(former) = old.list_former_slugs(&next.slug, publication, now)
                && content.get("former_slugs") == live.map().get("former_slugs")
            {
                set_key(&mut state, "former_slugs", former);
            }
        }
        state
    }

    /// Returns true if a new entry may have the author that it names: oneself, or anybody or nobody
    /// for those who may publish.
    fn may_choose_author(&self, staging: &Staging<'_>, of: &TypeName, state: &Map) -> bool {
        let author_id = state.get("author_id").and_then(Json::as_str);
        let facts = Facts { author_id, ..Facts::default() };
        let (ws, on) = (staging.workspace(), Resource::Collection(of));
        author_id == Some(&*self.by.actor.id)
            || self.by.check_permission(ws, Action::ContentPublish, &on, &facts).is_ok()
    }
}

/// Lists the types that a request removes.
fn list_removed_types(files: &[FileInput]) -> Vec<&str> {
    let removed = files.iter().filter(|it| it.content.is_none());
    let names = removed.filter_map(|it| match &it.path {
        ReplicatedFile::Schema(name) => Some(name.as_str()),
        _ => None,
    });
    names.collect()
}

/// Returns the checksum of a stored file if it says what was sent.
fn find_equal_sum(file: &ReplicatedFile, bytes: &[u8], sent: &Map) -> Option<Checksum> {
    let Ok(Json::Object(stored)) = Json::parse(bytes) else { return None };
    let sum = Json::Object(stored.clone()).compute_checksum();
    let (stored, sent) = (ReplicatedValue::Json(stored), ReplicatedValue::Json(sent.clone()));
    file.is_same(Some(&stored), Some(&sent)).then_some(sum)
}

/// Returns the checksum and the size of a media file.
pub(super) fn sum_media(app: &App, ws: &WorkspaceSlug, file: &ReplicatedFile) -> Option<Checksum> {
    let ReplicatedFile::Media(name) = file else { return None };
    let blob = app.engine.folder().open_media(ws, name).ok()?;
    sum_blob(&blob).ok().map(|(sum, _)| sum)
}
