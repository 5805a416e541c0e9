//! The one way from files to a snapshot: a pure function of the snapshot before and the states of
//! the files that changed. Loading, edits by hand, changes of the server and restores all go
//! through it.
//!
//! A clock that passes ([`advance`]) and records of the installation ([`records`]) have functions
//! of the same kind beside it.
//!
//! It reads no clock and performs nothing: what else follows from the change is in [`Effects`],
//! which whoever calls it performs once the files are durable. Where a changed file makes others
//! necessary (a schema, all entries of its type), it asks a [`FileSource`].

mod due_entries;
pub(crate) mod effects;
pub(crate) mod file_source;
pub(crate) mod file_states;
mod file_value;
mod format;
mod next_changes;
mod next_types;
pub(crate) mod overlay;
pub(crate) mod records;
pub(crate) mod served_change;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub(crate) use crate::engine::apply::due_entries::advance;
use crate::engine::apply::effects::Effects;
use crate::engine::apply::file_source::ApplyContext;
use crate::engine::apply::file_source::FileSource;
use crate::engine::apply::file_states::FileStates;
use crate::engine::apply::file_states::MediaStates;
use crate::engine::apply::file_value::FileValue;
use crate::engine::apply::file_value::parse_state;
use crate::engine::apply::format::FormatChange;
pub(crate) use crate::engine::apply::format::is_readable;
use crate::engine::apply::next_changes::apply_changes;
use crate::engine::apply::next_types::NextTypes;
use crate::engine::apply::served_change::ServedChange;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::workspace_files;
use crate::model::media::category::Categories;
use crate::model::workspace::WorkspaceMeta;
use crate::query::index::media_index::MediaChanges;
use crate::query::index::media_index::MediaIndex;
use crate::query::index::snapshot::Snapshot;

/// The result of a change of files.
pub(crate) struct Applied<'s> {
    /// The next snapshot; nothing if the same is served as before.
    pub(crate) snapshot: Option<Snapshot>,
    pub(crate) effects: Effects<'s>,
    /// True if all of the workspace has to be loaded anew.
    pub(crate) needs_reload: bool,
}

/// Computes the snapshot after these files of a workspace changed.
pub(crate) fn apply<'s>(
    known: &Snapshot,
    states: &'s FileStates,
    files: &mut impl FileSource,
    context: ApplyContext<'_>,
) -> Applied<'s> {
    let mut effects = Effects::of_states(states);
    let format = FormatChange::find(Some(known), states, context.workspace, &mut effects);
    let needs_reload = format == FormatChange::SupportedAgain;
    let snapshot = match format {
        FormatChange::SupportedAgain => None,
        FormatChange::Unsupported(reason) => {
            let is_news = known.meta.unsupported.as_ref() != Some(&reason);
            is_news.then(|| leave_alone(known, &reason, context.version))
        }
        FormatChange::Supported if states.has_types() => {
            Some(build_workspace(Some(known), states, files, context, &mut effects))
        }
        FormatChange::Supported => change_content(known, states, files, context, &mut effects),
    };
    Applied { snapshot, effects, needs_reload }
}

/// Computes the snapshot of a workspace of which nothing is known yet. The states are those of all
/// its files, but for the entries.
pub(crate) fn load<'s>(
    states: &'s FileStates,
    files: &mut impl FileSource,
    context: ApplyContext<'_>,
) -> (Snapshot, Effects<'s>) {
    let mut effects = Effects::of_states(states);
    let format = FormatChange::find(None, states, context.workspace, &mut effects);
    let snapshot = match format {
        FormatChange::Unsupported(reason) => build_unsupported(reason, context),
        FormatChange::Supported | FormatChange::SupportedAgain => {
            build_workspace(None, states, files, context, &mut effects)
        }
    };
    (snapshot, effects)
}

/// The snapshot of a workspace whose format turned out to be unsupported: what was served stays.
pub(crate) fn leave_alone(known: &Snapshot, reason: &str, version: u64) -> Snapshot {
    known.with_unsupported(reason, version)
}

/// The snapshot after schemas or the workspace's own file changed, or all of them are new.
fn build_workspace<'s>(
    known: Option<&Snapshot>,
    states: &'s FileStates,
    files: &mut impl FileSource,
    context: ApplyContext<'_>,
    effects: &mut Effects<'s>,
) -> Snapshot {
    let mut next = NextTypes::new(known, files, context, effects);
    next.apply_entries(states);
    next.apply_schemas(states);
    let changed = next.into_changed();
    let mut types = known.map(|it| it.types().to_vec()).unwrap_or_default();
    types.retain(|it| !changed.contains_key(&it.content_type.name));
    types.extend(changed.into_values().flatten());
    let meta = next_meta(known, states, &*files, context, effects);
    let media = next_media(known, states, &*files, effects);
    let media = media.unwrap_or_else(|| known.map(|it| it.media.clone()).unwrap_or_default());
    let changes = apply_changes(known.map(|it| &*it.changes), states, context.version, effects);
    let changes = changes.unwrap_or_else(|| known.map(|it| it.changes.clone()).unwrap_or_default());
    Snapshot::new(context.workspace.clone(), meta, types, media, context.version)
        .with_changes(changes)
}

/// The snapshot after entries, media and changes changed; nothing if the same is served as before.
fn change_content<'s>(
    known: &Snapshot,
    states: &'s FileStates,
    files: &mut impl FileSource,
    context: ApplyContext<'_>,
    effects: &mut Effects<'s>,
) -> Option<Snapshot> {
    let mut next = NextTypes::new(Some(known), files, context, effects);
    next.apply_entries(states);
    let changed: Vec<_> = next.into_changed().into_values().flatten().collect();
    let media = next_media(Some(known), states, &*files, effects);
    let changes = apply_changes(Some(&known.changes), states, context.version, effects);
    if changed.is_empty() && media.is_none() && changes.is_none() {
        return None;
    }
    let mut next = known.with_types(changed, context.version);
    if let Some(media) = media {
        next = next.with_media(media, context.version);
    }
    Some(match changes {
        Some(changes) => next.with_changes(changes),
        None => next,
    })
}

/// The snapshot of a workspace that is left alone and of which nothing was served.
fn build_unsupported(reason: String, context: ApplyContext<'_>) -> Snapshot {
    let ws = context.workspace;
    let meta = WorkspaceMeta { unsupported: Some(reason), ..WorkspaceMeta::default_for(ws) };
    let media = MediaIndex::build(Vec::new(), Categories::default());
    Snapshot::new(ws.clone(), meta.into(), Vec::new(), media.into(), context.version)
}

/// The content of `workspace.json`. If it cannot be parsed, it is as it was, and nobody sees a
/// workspace of which it never was known.
fn next_meta<'s>(
    known: Option<&Snapshot>,
    states: &'s FileStates,
    files: &impl FileSource,
    context: ApplyContext<'_>,
    effects: &mut Effects<'s>,
) -> Arc<WorkspaceMeta> {
    let ws = context.workspace;
    let before = known.map(|it| it.meta.clone());
    let Some(change) = &states.meta else {
        return before.unwrap_or_else(|| Arc::new(WorkspaceMeta::default_for(ws)));
    };
    let parse = |path: &str, bytes: &[u8]| {
        let ReadFile { value, problems } = workspace_files::parse_workspace_meta(ws, path, bytes);
        ReadFile { value: value.map(Arc::new), problems }
    };
    match parse_state(change, before, files, effects, parse) {
        FileValue::Absent => Arc::new(WorkspaceMeta::default_for(ws)),
        FileValue::Parsed(meta) | FileValue::Previous(meta) => meta,
        FileValue::Unserved => Arc::new(workspace_files::hidden_workspace_meta(ws)),
    }
}

/// The media after their files, or the list of categories, changed; nothing if neither did.
fn next_media<'s>(
    known: Option<&Snapshot>,
    states: &'s FileStates,
    files: &impl FileSource,
    effects: &mut Effects<'s>,
) -> Option<Arc<MediaIndex>> {
    let nothing = MediaIndex::default();
    let before = known.map_or(&nothing, |it| &it.media);
    let declared = states.categories.as_ref().map(|change| {
        let previous = known.map(|it| it.media.declared().clone());
        let parsed =
            parse_state(change, previous, files, effects, workspace_files::parse_categories);
        parsed.into_value().unwrap_or_default()
    });
    if states.media.is_none() && declared.is_none() {
        return None;
    }
    let none = MediaStates::default();
    let media = states.media.as_ref().unwrap_or(&none);
    for (path, problems) in &media.problems {
        effects.set_problems(path, problems.clone());
    }
    for (name, item) in &media.items {
        let (before, after) = (before.get(name.as_str()).cloned(), item.clone());
        effects.served.push(ServedChange::Media { before, after });
    }
    if !media.are_all {
        let changes = MediaChanges { items: media.items.clone(), declared };
        return Some(Arc::new(before.with_changes(&changes)));
    }
    let items = media.items.iter().filter_map(|(_, it)| it.clone()).collect();
    let declared = declared.unwrap_or_else(|| before.declared().clone());
    let next = MediaIndex::build(items, declared);
    for item in before.iter().filter(|it| next.get(it.filename.as_str()).is_none()) {
        effects.served.push(ServedChange::Media { before: Some(item.clone()), after: None });
        effects.removed_media.push(item.filename.clone());
    }
    Some(Arc::new(next))
}
