//! Sends what is planned to the other server: media files, then types, then everything else, then
//! the removal of types and media files. Each request happens completely or not at all, and names
//! the state that was seen.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io::Read;

use crate::app::replication::base::ReplicationBase;
use crate::app::replication::change::FILES_MAX;
use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::handovers::group_handovers;
use crate::app::replication::plan::FileValues;
use crate::app::replication::plan::ReplicationPlan;
use crate::app::replication::plan::ReplicationStep;
use crate::app::replication::replicated_types::ReplicatedTypes;
use crate::cli::error::CommandError;
use crate::cli::replicate::remote_content::RemoteContent;
use crate::cli::replicate::remote_content::command_error;
use crate::engine::Engine;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::net::recto_client::RectoClient;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The most bytes of one request, below the limit of servers.
const REQUEST_BYTES_MAX: usize = 7 * 1024 * 1024;

/// The most values of one request, below the limit of servers.
const REQUEST_VALUES_MAX: usize = 190_000;

/// Sends a plan.
pub(super) struct PlanSender<'s> {
    client: &'s RectoClient,
    engine: &'s Engine,
    workspace: &'s WorkspaceSlug,
    /// The files that arrived. Media files have the checksum of what the server stored, others if
    /// it is what was sent.
    sent: BTreeMap<ReplicatedFile, Option<Checksum>>,
}

/// The files of one request.
#[derive(Default)]
struct FileBatch {
    items: Vec<Json>,
    bytes: usize,
    values: usize,
}

impl FileBatch {
    fn of_item(item: Json) -> FileBatch {
        FileBatch { bytes: item.to_file().len(), values: count_values(&item), items: vec![item] }
    }

    /// Returns true if a request can take another batch as well.
    fn has_room_for(&self, other: &FileBatch) -> bool {
        self.items.len() + other.items.len() <= FILES_MAX
            && self.bytes + other.bytes <= REQUEST_BYTES_MAX
            && self.values + other.values <= REQUEST_VALUES_MAX
    }

    fn append(&mut self, other: FileBatch) {
        self.items.extend(other.items);
        self.bytes += other.bytes;
        self.values += other.values;
    }
}

impl<'s> PlanSender<'s> {
    pub(super) fn new(
        client: &'s RectoClient,
        engine: &'s Engine,
        workspace: &'s WorkspaceSlug,
    ) -> PlanSender<'s> {
        PlanSender { client, engine, workspace, sent: BTreeMap::new() }
    }

    /// Sends all steps in order. On an error, what was sent before stays.
    pub(super) fn send(
        &mut self,
        plan: &ReplicationPlan,
        remote: &RemoteContent,
        local: &FileValues,
    ) -> Result<(), CommandError> {
        let mut sums = remote.sums.clone();
        let mut uploaded = BTreeSet::new();
        for step in &plan.steps {
            if let (ReplicatedFile::Media(name), Some(_)) = (&step.file, &step.after) {
                let meta = ReplicatedFile::MediaMeta(name.clone());
                self.send_media(name, step, find_meta(plan, local, &meta))?;
                if step.before.is_none() {
                    uploaded.insert(meta);
                }
            }
        }
        // An upload writes metadata of its own.
        sums.extend(RemoteContent::fetch_sums(self.client, &uploaded)?);
        let is_gone = |it: &ReplicationStep| it.after.is_none();
        let is_schema = |it: &ReplicationStep| matches!(it.file, ReplicatedFile::Schema(_));
        let is_meta = |it: &ReplicationStep| matches!(it.file, ReplicatedFile::MediaMeta(_));
        let is_entry = |it: &ReplicationStep| matches!(it.file, ReplicatedFile::Entry(..));
        self.send_each(pick_steps(plan, |it| is_schema(it) && !is_gone(it)), &sums)?;
        let target = remote.files.values.iter();
        let written = plan.steps.iter().filter_map(|it| Some((&it.file, it.after.as_ref()?)));
        let types = ReplicatedTypes::read(target.chain(written));
        let metas = pick_steps(plan, |it| is_meta(it) && !is_gone(it)).into_iter();
        let entries = group_handovers(&pick_steps(plan, is_entry), &types);
        // Removals that the server may refuse take nothing else with them.
        let (removed, entries): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|group| group.iter().all(|it| it.after.is_none()));
        self.send_groups(metas.map(|it| vec![it]).chain(entries), &sums)?;
        self.send_groups(removed.into_iter(), &sums)?;
        self.send_each(pick_steps(plan, |it| is_schema(it) && is_gone(it)), &sums)?;
        self.send_each(list_removed_media(plan), &sums)
    }

    /// Records what arrived: from now on both sides have it in common.
    pub(super) fn record_sent(
        &self,
        base: &mut ReplicationBase,
        plan: &ReplicationPlan,
        local: &FileValues,
    ) {
        for step in &plan.steps {
            if let Some(sum) = self.sent.get(&step.file) {
                base.record_sent(step, local.get(&step.file), *sum);
            }
        }
    }

    fn send_media(
        &mut self,
        name: &Filename,
        step: &ReplicationStep,
        meta: Option<&Map>,
    ) -> Result<(), CommandError> {
        let failed = |error| CommandError::failed(format!("media/{name}: {error}"));
        let mut bytes = Vec::new();
        let opened = self.engine.folder().open_media(self.workspace, name);
        let opened = opened.map_err(|_| failed("it cannot be read".to_string()))?;
        let read = opened.into_file().read_to_end(&mut bytes);
        read.map_err(|error| failed(error.to_string()))?;
        let sent = match step.before {
            Some(ReplicatedValue::Bytes { sum, .. }) => self.client.replace_media(name, bytes, sum),
            _ => {
                let text = |key: &str| meta.and_then(|it| it.get(key)).and_then(Json::as_str);
                let about = (text("category"), text("visibility"));
                self.client.upload_media(name, &bytes, about)
            }
        };
        let refused = |error| failed(command_error(error).to_string());
        let answer = sent.map_err(refused)?;
        // An upload is answered by a list.
        let data = &answer["data"];
        let tag = data[0]["etag"].as_str().or_else(|| data["etag"].as_str());
        self.sent.insert(step.file.clone(), tag.and_then(Checksum::parse_hex));
        Ok(())
    }

    /// Sends changes that have nothing to do with each other.
    fn send_each(
        &mut self,
        steps: Vec<&ReplicationStep>,
        sums: &BTreeMap<ReplicatedFile, Checksum>,
    ) -> Result<(), CommandError> {
        self.send_groups(steps.into_iter().map(|it| vec![it]), sums)
    }

    /// Sends groups of changes in as few requests as possible. Each group is in one request, unless
    /// it is too large for that.
    fn send_groups<'p>(
        &mut self,
        groups: impl Iterator<Item = Vec<&'p ReplicationStep>>,
        sums: &BTreeMap<ReplicatedFile, Checksum>,
    ) -> Result<(), CommandError> {
        let mut batch = FileBatch::default();
        for group in groups {
            let mut added = FileBatch::default();
            for step in group {
                let item = FileBatch::of_item(build_item(step, sums));
                if !added.has_room_for(&item) {
                    self.send_batch(std::mem::take(&mut batch))?;
                    self.send_batch(std::mem::take(&mut added))?;
                }
                added.append(item);
            }
            if !batch.has_room_for(&added) {
                self.send_batch(std::mem::take(&mut batch))?;
            }
            batch.append(added);
        }
        self.send_batch(batch)
    }

    fn send_batch(&mut self, batch: FileBatch) -> Result<(), CommandError> {
        if batch.items.is_empty() {
            return Ok(());
        }
        let mut body = Map::new();
        body.push("files", batch.items);
        // Writing JSON into memory cannot fail.
        let body = serde_json::to_vec(&Json::Object(body)).unwrap_or_default();
        let answer = self.client.write_files(body).map_err(command_error)?;
        for file in answer["data"]["files"].as_array().into_iter().flatten() {
            let path = file["path"].as_str().and_then(ReplicatedFile::parse);
            let sum = file["sum"].as_str().and_then(Checksum::parse_hex);
            self.sent.extend(path.map(|it| (it, sum)));
        }
        Ok(())
    }
}

/// Returns the metadata that a media file will have.
fn find_meta<'p>(
    plan: &'p ReplicationPlan,
    local: &'p FileValues,
    meta: &ReplicatedFile,
) -> Option<&'p Map> {
    let step = plan.steps.iter().find(|it| it.file == *meta);
    let value = match step {
        Some(step) => step.after.as_ref(),
        None => local.get(meta),
    };
    value.and_then(ReplicatedValue::as_map)
}

fn pick_steps(
    plan: &ReplicationPlan,
    is_wanted: impl Fn(&ReplicationStep) -> bool,
) -> Vec<&ReplicationStep> {
    plan.steps.iter().filter(|it| is_wanted(it)).collect()
}

/// Lists the media files that are removed. What is said of a file goes with it.
fn list_removed_media(plan: &ReplicationPlan) -> Vec<&ReplicationStep> {
    let removed = pick_steps(plan, |it| it.after.is_none());
    let gone: BTreeSet<&ReplicatedFile> = removed.iter().map(|it| &it.file).collect();
    let is_alone = |it: &&ReplicationStep| match &it.file {
        ReplicatedFile::Media(_) => true,
        ReplicatedFile::MediaMeta(name) => !gone.contains(&ReplicatedFile::Media(name.clone())),
        ReplicatedFile::Schema(_) | ReplicatedFile::Entry(..) => false,
    };
    removed.into_iter().filter(is_alone).collect()
}

fn build_item(step: &ReplicationStep, sums: &BTreeMap<ReplicatedFile, Checksum>) -> Json {
    let before = match step.before {
        Some(ReplicatedValue::Bytes { sum, .. }) => Some(sum),
        _ => sums.get(&step.file).copied(),
    };
    let content = match &step.after {
        Some(ReplicatedValue::Json(content)) => Json::Object(content.clone()),
        _ => Json::Null,
    };
    let mut item = Map::new();
    item.push("path", step.file.path());
    item.push("before", before.map_or(Json::Null, |it| it.to_string().into()));
    item.push("content", content);
    Json::Object(item)
}

/// Counts the values of a body as servers do: each array, each object and everything in it.
fn count_values(json: &Json) -> usize {
    1 + match json {
        Json::Array(items) => items.iter().map(count_values).sum::<usize>(),
        Json::Object(map) => map.iter().map(|(_, it)| count_values(it)).sum(),
        _ => 0,
    }
}
