//! The sample content: the files that a new data folder starts with, and their removal.
//!
//! What somebody has edited is no longer a sample, and stays; so do the samples that such content
//! uses. Edits that are only proposed count like those that are live.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::content_types;
use crate::app::content::entries;
use crate::app::content::proposed_uses::UsedThing;
use crate::app::content::proposed_uses::list_proposed_uses;
use crate::app::content::saved_views;
use crate::app::content::trash::without_deletion;
use crate::app::error::Result;
use crate::app::media;
use crate::app::precondition::Precondition;
use crate::app::usage_guard::UsageGuard;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::model::grant::Permit;
use crate::model::name::EntryPlace;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::execute::entry_mentions;
use crate::query::execute::media_uses;
use crate::query::execute::referrers;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The files of `data-skeleton/`: path in that folder, and bytes.
pub static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/skeleton.rs"));

/// The samples that are in a workspace.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Samples {
    /// Those that nobody has edited, and that no other content uses: removing samples removes
    /// these. In the answer to that, those that were removed.
    removable: SampleNames,
    /// The others.
    kept: SampleNames,
}

/// The names of samples.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct SampleNames {
    /// The names of content types.
    types: Vec<TypeName>,
    /// The entries.
    entries: Vec<SampleEntry>,
    /// The names of media files.
    media: Vec<Filename>,
}

/// An entry among the samples.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct SampleEntry {
    /// The name of its content type.
    #[serde(rename = "type")]
    type_name: TypeName,
    /// The id.
    id: String,
}

/// Lists the samples of a workspace, for callers who may remove them.
pub fn list(app: &App, ws: &WorkspaceSlug, by: &Requester) -> Result<Samples> {
    app.engine.writer().preview_commit(ws, |staging| stage_removal(staging, by))
}

/// Removes all samples that nobody has edited and that no other content uses, in one commit. Types
/// are removed with their trash, and entries of types that stay are moved to the trash.
pub fn remove(app: &App, ws: &WorkspaceSlug, by: &Requester) -> Result<Samples> {
    remove_with(app, ws, by, stage_removal)
}

/// Removes the samples like [`remove`] as a part of the first set-up, which `permit` is for. The
/// activity log, which begins with the set-up, does not tell of it: nobody has deleted anything.
pub fn remove_at_setup(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    permit: Permit,
) -> Result<Samples> {
    remove_with(app, ws, by, move |staging, by| {
        let samples = stage_removal(staging, by)?;
        staging.write(&permit).leave_unlogged();
        Ok(samples)
    })
}

fn remove_with(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    stage: impl Fn(&mut Staging<'_>, &Requester) -> Result<Samples> + Send + 'static,
) -> Result<Samples> {
    let requester = by.clone();
    let _operation = app.engine.outbox().begin_operation(&by.actor);
    let samples = app.engine.commit(ws, move |staging| stage(staging, &requester))?.value;
    let types: Vec<&str> = samples.removable.types.iter().map(|it| it.as_str()).collect();
    // The types are gone, whatever becomes of them.
    let _ = saved_views::remove_own(app, ws, by, &types);
    Ok(samples)
}

fn stage_removal(staging: &mut Staging<'_>, by: &Requester) -> Result<Samples> {
    let removal = Removal::plan(staging, by)?;
    removal.stage(staging, by)?;
    Ok(removal.describe(staging.snapshot()))
}

/// The samples that are removed.
struct Removal {
    types: BTreeSet<TypeName>,
    entries: BTreeSet<EntryPlace>,
    media: BTreeSet<Filename>,
}

impl Removal {
    fn plan(staging: &mut Staging<'_>, by: &Requester) -> Result<Removal> {
        let mut removal = Removal::find_unedited(staging)?;
        removal.keep_proposed(staging.snapshot(), by);
        removal.keep_used_entries(staging.snapshot());
        removal.keep_used_types(staging)?;
        removal.keep_used_media(staging.snapshot());
        Ok(removal)
    }

    /// Returns the samples whose files are still what they were at the beginning.
    fn find_unedited(staging: &mut Staging<'_>) -> Result<Removal> {
        let mut unedited =
            Removal { types: BTreeSet::new(), entries: BTreeSet::new(), media: BTreeSet::new() };
        let ws = staging.workspace().clone();
        let snapshot = staging.snapshot();
        for (key, bytes) in list_files(&ws) {
            match &key {
                Key::Schema(_, name)
                    if snapshot.get(name.as_str()).is_some()
                        && is_unedited(staging, &key, bytes)? =>
                {
                    unedited.types.insert(name.clone());
                }
                Key::Entry(_, of, id) => {
                    let place = (of.clone(), id.clone());
                    if snapshot.find_entry(&place).is_some() && is_unedited(staging, &key, bytes)? {
                        unedited.entries.insert(place);
                    }
                }
                Key::Media(_, name) if is_unedited_file(staging, name, bytes)? => {
                    unedited.media.insert(name.clone());
                }
                _ => {}
            }
        }
        Ok(unedited)
    }

    /// Keeps the entries for which changes propose something, and what these proposals use.
    fn keep_proposed(&mut self, snapshot: &Snapshot, by: &Requester) {
        for (_, change) in snapshot.changes.iter().filter(|(_, it)| it.is_active()) {
            self.entries.retain(|it| !change.proposals.contains_key(it));
        }
        for used in list_proposed_uses(snapshot, &by.caller, |_| true) {
            match used.thing {
                UsedThing::Entry(of, id) => {
                    self.entries.retain(|it| it.0 != of || it.1.as_str() != id);
                }
                UsedThing::Media(name) => self.media.retain(|it| it.as_str() != name),
            }
        }
    }

    /// Keeps the entries that entries which stay refer to, and those that these refer to, and so
    /// on.
    fn keep_used_entries(&mut self, snapshot: &Snapshot) {
        let targets: BTreeSet<TypeName> = self.entries.iter().map(|(of, _)| of.clone()).collect();
        loop {
            let mut used = BTreeSet::new();
            for target in &targets {
                for index in referrers::list_referring_types(snapshot, target) {
                    self.collect_used(index, target, &mut used);
                }
                self.collect_linked(snapshot, target, &mut used);
            }
            if used.is_empty() {
                return;
            }
            self.entries.retain(|it| !used.contains(it));
        }
    }

    /// Collects the entries of `target` to be removed that entries of a type refer to which stay.
    fn collect_used(&self, index: &TypeIndex, target: &TypeName, used: &mut BTreeSet<EntryPlace>) {
        for (_, doc) in index.iter().filter(|(_, doc)| !self.has_entry(index, doc.id())) {
            let mut wanted = Vec::new();
            for (of, id) in self.entries.iter().filter(|(of, _)| of == target) {
                if referrers::has_reference(index, doc, target, |it| it == id.as_str()) {
                    wanted.push((of.clone(), id.clone()));
                }
            }
            used.extend(wanted);
        }
    }

    /// Collects the entries of `target` to be removed that texts of entries link to which stay.
    fn collect_linked(
        &self,
        snapshot: &Snapshot,
        target: &TypeName,
        used: &mut BTreeSet<EntryPlace>,
    ) {
        for link in entry_mentions::collect_text_references(snapshot, target, |_| true) {
            let doc = link.from.entry_at(link.ordinal);
            if doc.is_some_and(|it| !self.has_entry(link.from, it.id())) {
                let linked = self.entries.iter().find(|(of, id)| of == target && **id == *link.to);
                used.extend(linked.cloned());
            }
        }
    }

    /// Keeps the types with entries that stay, with anything in the trash or in a change that is
    /// no sample, and those that relations of types which stay lead to.
    fn keep_used_types(&mut self, staging: &mut Staging<'_>) -> Result<()> {
        let snapshot = staging.snapshot();
        let mut used = BTreeSet::new();
        for name in &self.types {
            let index = snapshot.get(name.as_str());
            let mut docs = index.iter().flat_map(|index| index.iter().map(move |it| (index, it.1)));
            let stays = docs.any(|(index, doc)| !self.has_entry(index, doc.id()));
            if stays || has_other_files(staging, name)? {
                used.insert(name.clone());
            }
        }
        loop {
            self.types.retain(|it| !used.contains(it));
            let types = snapshot.types().iter().map(|it| &it.content_type);
            let staying = types.filter(|it| !self.types.contains(&it.name));
            used = staying.flat_map(|it| it.relation_targets.iter().cloned()).collect();
            if self.types.is_disjoint(&used) {
                return Ok(());
            }
        }
    }

    /// Keeps the files that entries which stay show.
    fn keep_used_media(&mut self, snapshot: &Snapshot) {
        for (name, place) in media_uses::find_uses(snapshot, |it| self.media.contains(it)) {
            if !self.has_entry(place.index, place.doc.id()) {
                self.media.retain(|it| it.as_str() != &*name);
            }
        }
    }

    fn has_entry(&self, index: &TypeIndex, id: &str) -> bool {
        let name = &index.content_type.name;
        self.entries.iter().any(|(of, entry)| of == name && entry.as_str() == id)
    }

    /// Stages the removal. Fails if the caller may not remove one of the samples.
    fn stage(&self, staging: &mut Staging<'_>, by: &Requester) -> Result<()> {
        for name in &self.types {
            content_types::change::stage_delete(staging, by, name.as_str(), &Precondition::None)?;
        }
        let types: Vec<&str> = self.types.iter().map(|it| it.as_str()).collect();
        saved_views::stage_removal(staging, by, &types)?;
        let kept_types: BTreeSet<&TypeName> =
            self.entries.iter().map(|(of, _)| of).filter(|it| !self.types.contains(*it)).collect();
        for name in kept_types {
            let ids = self.entries.iter().filter(|(of, _)| of == name);
            let ids: Vec<&str> = ids.map(|(_, id)| id.as_str()).collect();
            let (none, off) = (&Precondition::None, UsageGuard::Off);
            let staged = entries::stage_deletions(staging, by, name.as_str(), &ids, none, off)?;
            staged.into_iter().collect::<Result<()>>()?;
        }
        media::delete::stage_deletions(staging, by, &self.media)
    }

    /// Describes what is removed, and what else of the samples there is.
    fn describe(&self, snapshot: &Snapshot) -> Samples {
        let mut samples =
            Samples { removable: SampleNames::default(), kept: SampleNames::default() };
        for (key, _) in list_files(&snapshot.workspace) {
            match key {
                Key::Schema(_, name) if snapshot.get(name.as_str()).is_some() => {
                    let names = samples.choose(self.types.contains(&name));
                    names.types.push(name);
                }
                Key::Entry(_, of, id) => {
                    let place = (of, id);
                    if snapshot.find_entry(&place).is_some() {
                        let names = samples.choose(self.entries.contains(&place));
                        let (type_name, id) = (place.0, place.1.to_string());
                        names.entries.push(SampleEntry { type_name, id });
                    }
                }
                Key::Media(_, name) if snapshot.media.get(name.as_str()).is_some() => {
                    samples.choose(self.media.contains(&name)).media.push(name);
                }
                _ => {}
            }
        }
        samples
    }
}

impl Samples {
    fn choose(&mut self, is_removable: bool) -> &mut SampleNames {
        if is_removable { &mut self.removable } else { &mut self.kept }
    }
}

/// Returns true if the record of a workspace says that it was created when the sample content was.
pub fn has_time_of_samples(ws: &WorkspaceSlug, record: &Map) -> bool {
    let key = Key::Workspace(ws.clone());
    let sample = list_files(ws).find(|(it, _)| *it == key);
    let Some(Ok(Json::Object(sample))) = sample.map(|(_, bytes)| Json::parse(bytes)) else {
        return false;
    };
    record.get("created_at").is_some_and(|it| Some(it) == sample.get("created_at"))
}

/// Returns the samples of a workspace, with their bytes at the beginning.
fn list_files(ws: &WorkspaceSlug) -> impl Iterator<Item = (Key, &'static [u8])> {
    let prefix = format!("workspaces/{ws}/");
    let here = FILES.iter().filter(move |(path, _)| path.starts_with(&prefix));
    here.filter_map(|(path, bytes)| Some((Key::parse(path)?, *bytes)))
}

/// Returns true if a JSON file has these bytes. One that is broken has been edited.
fn is_unedited(staging: &mut Staging<'_>, key: &Key, bytes: &[u8]) -> Result<bool> {
    match staging.read_stored(key) {
        Ok(stored) => Ok(stored.is_some_and(|it| it.bytes == bytes)),
        Err(CommitError::Broken(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns true if a media file is as large as this sample, has its metadata, and was never
/// replaced.
fn is_unedited_file(staging: &mut Staging<'_>, name: &Filename, bytes: &[u8]) -> Result<bool> {
    let ws = staging.workspace().clone();
    let item = staging.snapshot().media.get(name.as_str());
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if item.is_none_or(|it| it.size != size)
        || staging.has_folder(&Folder::MediaRevisions(ws.clone(), name.clone()))
    {
        return Ok(false);
    }
    let wanted = Key::MediaMeta(ws.clone(), name.clone());
    match list_files(&ws).find(|(key, _)| *key == wanted) {
        Some((key, meta)) => is_unedited(staging, &key, meta),
        None => Ok(!staging.exists(&wanted)),
    }
}

/// Returns true if the trash or a change has entries of a type that are no samples.
fn has_other_files(staging: &mut Staging<'_>, name: &TypeName) -> Result<bool> {
    let mut active = staging.snapshot().changes.iter().filter(|(_, it)| it.is_active());
    if active.any(|(_, change)| change.proposals.keys().any(|(of, _)| of == name)) {
        return Ok(true);
    }
    for file in staging.list(&Folder::Trash(staging.workspace().clone(), name.clone()))? {
        if !is_deleted_sample(staging, &file.key)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns true if a file in the trash is a sample that nobody edited before it was deleted.
fn is_deleted_sample(staging: &mut Staging<'_>, key: &Key) -> Result<bool> {
    let Key::Trash(ws, of, copy) = key else { return Ok(false) };
    let entry = Key::Entry(ws.clone(), of.clone(), copy.id.clone());
    let sample = list_files(ws).find(|(it, _)| *it == entry);
    let Some(Ok(Json::Object(sample))) = sample.map(|(_, bytes)| Json::parse(bytes)) else {
        return Ok(false);
    };
    match staging.read_stored(key) {
        Ok(stored) => {
            Ok(stored.is_some_and(|it| without_deletion(it.map()) == without_deletion(&sample)))
        }
        Err(CommitError::Broken(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
