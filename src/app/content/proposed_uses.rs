//! The uses that only proposals make of entries and media files: an entry that is to refer to
//! another, or to show a file, once its change is published.

use std::collections::BTreeSet;

use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::usage::Usage;
use crate::model::content_type::ContentType;
use crate::model::entry::entry_file;
use crate::model::field::Reference;
use crate::model::name::EntryPlace;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::query::execute::entry_mentions::find_mentions;
use crate::query::execute::media_uses::MediaUrlFinder;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;

/// An entry or a file that a value uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UsedThing {
    /// An entry, by type and id.
    Entry(TypeName, String),
    /// A media file, by name.
    Media(String),
}

impl UsedThing {
    /// Returns what a value refers to.
    pub(crate) fn of_reference(reference: Reference<'_>) -> UsedThing {
        match reference {
            Reference::Entry { target, id, .. } => UsedThing::Entry(target.clone(), id.to_string()),
            Reference::Media(name) => UsedThing::Media(name.to_string()),
        }
    }
}

/// A use that a proposal makes, and what its base does not.
pub(crate) struct ProposedUse {
    /// The entry or file.
    pub(crate) thing: UsedThing,
    /// The entry that is to use it.
    pub(crate) of: EntryPlace,
    /// The usage; nothing if the caller may not read the change.
    pub(crate) usage: Option<Usage>,
}

/// Lists the uses of the `wanted` things by proposals of changes that are worked on. What an entry
/// used already when its proposal was begun is no use of the proposal.
pub(crate) fn list_proposed_uses(
    snapshot: &Snapshot,
    caller: &Caller,
    wanted: impl Fn(&UsedThing) -> bool,
) -> Vec<ProposedUse> {
    let search = MediaUrlFinder::for_workspace(&snapshot.workspace);
    let mut uses = Vec::new();
    for (id, change) in snapshot.changes.iter() {
        if !change.is_active() {
            continue;
        }
        let mut is_readable = None;
        for (field, place, thing) in list_new_uses(snapshot, change, &search) {
            if !wanted(&thing) {
                continue;
            }
            let readable = *is_readable
                .get_or_insert_with(|| change_access::may_read(snapshot, caller, change));
            let title = change.proposals.get(&place).and_then(|it| it.text("title"));
            let usage = readable.then(|| Usage {
                type_name: place.0.to_string(),
                id: place.1.to_string(),
                title: title.unwrap_or_default().to_string(),
                field: field.to_string(),
                change: Some(id.clone()),
            });
            uses.push(ProposedUse { thing, of: place, usage });
        }
    }
    uses
}

/// Lists what the proposals of a change use and their bases do not, each once for a field.
fn list_new_uses(
    snapshot: &Snapshot,
    change: &Change,
    search: &MediaUrlFinder,
) -> Vec<(FieldName, EntryPlace, UsedThing)> {
    let mut found = Vec::new();
    for (place, proposed) in &change.proposals {
        let Some(index) = snapshot.get(place.0.as_str()) else { continue };
        let Some(file) = proposed.content().filter(|_| !proposed.is_deletion()) else { continue };
        let ty = &index.content_type;
        let before = change.base(place).map(|it| collect_uses(ty, it, search)).unwrap_or_default();
        let new = collect_uses(ty, file, search).into_iter().filter(|it| !before.contains(it));
        found.extend(new.map(|(field, thing)| (field, place.clone(), thing)));
    }
    found
}

/// Collects what the values of a file use, by field.
fn collect_uses(
    ty: &ContentType,
    file: &Map,
    search: &MediaUrlFinder,
) -> BTreeSet<(FieldName, UsedThing)> {
    let mut uses = BTreeSet::new();
    for path in entry_file::data_paths(file) {
        let Some(values) = entry_file::get_data(file, &path) else { continue };
        for field in ty.data_fields() {
            let Some(value) = values.get(field.name.as_str()) else { continue };
            field.kind.visit_references(value, &mut |_, reference| {
                uses.insert((field.name.clone(), UsedThing::of_reference(reference)));
            });
            let mut text = Vec::new();
            value.write_compact(&mut text);
            for mention in search.find_mentions(&text) {
                uses.insert((field.name.clone(), UsedThing::Media(mention.name.to_string())));
            }
            for mention in find_mentions(&text) {
                if let Ok(target) = TypeName::parse(mention.type_name) {
                    let thing = UsedThing::Entry(target, mention.id.to_string());
                    uses.insert((field.name.clone(), thing));
                }
            }
        }
    }
    uses
}
