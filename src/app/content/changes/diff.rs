//! The differences that a change makes, field by field.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::content::changes::change_view::ProposedAction;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::model::entry::entry_file;
use crate::model::field::Fields;
use crate::model::field::Reference;
use crate::model::field::is_equivalent;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::model::three_way_merge::MergeConflict;
use crate::model::three_way_merge::merge_proposal;
use crate::query::execute::view::View;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The keys of a file that tell of its last change and are no difference of its own.
const BOOKKEEPING: &[&str] = &["updated_at", "updated_by", "former_slugs"];

/// The most entries whose values in conflict an error shows.
const CONFLICTING_MAX: usize = 20;

/// The differences that a change makes to an entry.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EntryDiff {
    /// The content type.
    pub collection: TypeName,
    /// The id.
    pub id: EntryId,
    /// The effect of the change on the entry.
    pub action: ProposedAction,
    /// True if it was changed or deleted meanwhile in a way that does not go together with it.
    pub conflict: bool,
    /// The fields that differ.
    pub fields: Vec<FieldDiff>,
}

/// A value that differs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FieldDiff {
    /// The path in the file: `title`, `data.body`, `translations.de.data.body`; `translations.de`
    /// if one side removed the translation and the other changed it.
    pub path: String,
    /// The value from which the proposal was begun; null if there was none.
    #[schemars(with = "serde_json::Value")]
    pub base: Json,
    /// The live value; null if there is none.
    #[schemars(with = "serde_json::Value")]
    pub live: Json,
    /// The proposed value; null if it is removed.
    #[schemars(with = "serde_json::Value")]
    pub proposed: Json,
    /// True if the live value was changed meanwhile, to another one than the proposed.
    pub conflict: bool,
}

/// Lists the differences that a change makes.
pub fn list_differences(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<Vec<EntryDiff>> {
    let (_, change) = change_access::find_change(snapshot, caller, reference)?;
    let mask = TargetMask { view: View::new(snapshot, caller.viewer(), None), change: &change };
    let places = change.proposals.keys();
    places.map(|it| compare_entry(&app.engine, snapshot, &change, it, &mask)).collect()
}

/// Lists the values in conflict of the first of these entries, as far as they can be read.
pub(super) fn list_conflicting<'p>(
    engine: &Engine,
    snapshot: &Snapshot,
    caller: &Caller,
    change: &Change,
    places: impl Iterator<Item = &'p EntryPlace>,
) -> Vec<EntryDiff> {
    let mask = TargetMask { view: View::new(snapshot, caller.viewer(), None), change };
    let compared = places.filter_map(|it| compare_entry(engine, snapshot, change, it, &mask).ok());
    let mut listed: Vec<EntryDiff> = compared.take(CONFLICTING_MAX).collect();
    listed.iter_mut().for_each(|it| it.fields.retain(|field| field.conflict));
    listed
}

/// The relation targets that the caller may know of. Others are hidden in differences as they are
/// when an entry is read: `null` in place of one, fewer in a list.
struct TargetMask<'a> {
    view: View<'a>,
    change: &'a Change,
}

impl TargetMask<'_> {
    /// Returns true if the caller sees the entry live, or in the change, which is theirs to read.
    fn knows(&self, target: &TypeName, id: &str) -> bool {
        let Some((place, _)) = self.view.find_type(target.as_str()) else { return false };
        let is_proposed = || {
            let id = EntryId::parse(id).ok();
            id.is_some_and(|id| self.change.proposals.contains_key(&(target.clone(), id)))
        };
        self.view.find_by_id(place, id).is_some() || is_proposed()
    }

    /// Hides the targets in the values of differences, and the values of unknown fields in those
    /// that are compared as a whole.
    fn hide_values(&self, fields: &Fields, differences: &mut [FieldDiff]) {
        for FieldDiff { path, base, live, proposed, .. } in differences {
            let at = match path.rsplit_once('.') {
                // In a translation, a field that becomes empty would be removed.
                Some((data, name)) if is_data(data) => format!("data.{name}"),
                _ if is_group(path) => path.clone(),
                _ => continue,
            };
            for value in [base, live, proposed] {
                let mut file = wrap_value(&at, std::mem::take(value));
                remove_unknown_fields(fields, &mut file);
                entry_file::clear_references(fields, &mut file, &mut |it| match it {
                    Reference::Entry { target, id, .. } => !self.knows(target, id),
                    Reference::Media(_) => false,
                });
                let shown = entry_file::value_mut(&mut file, &at).map(std::mem::take);
                *value = shown.unwrap_or_default();
            }
        }
    }
}

/// Returns a file with nothing but a value.
fn wrap_value(path: &str, value: Json) -> Map {
    let mut file = Map::new();
    match path.split_once('.') {
        Some((key, inside)) => file.push(key, wrap_value(inside, value)),
        None => file.push(path, value),
    }
    file
}

fn remove_unknown_fields(fields: &Fields, file: &mut Map) {
    for path in entry_file::data_paths(file) {
        let Some(Json::Object(data)) = entry_file::value_mut(file, &path) else { continue };
        let names = data.iter().map(|(name, _)| name.to_string());
        let unknown: Vec<String> = names.filter(|it| fields.get(it).is_none()).collect();
        unknown.iter().for_each(|it| _ = data.remove(it));
    }
}

fn compare_entry(
    engine: &Engine,
    snapshot: &Snapshot,
    change: &Change,
    place: &EntryPlace,
    mask: &TargetMask<'_>,
) -> Result<EntryDiff> {
    let (base, live) = (change.base(place), read_live(engine, snapshot, place)?);
    let (collection, id) = place.clone();
    let Some(proposed) = change.proposals.get(place) else {
        return Err(Error::not_found("draft of the entry", id.as_str()));
    };
    let action = ProposedAction::of_proposal(snapshot, change, place, proposed);
    let diff = EntryDiff { collection, id, action, conflict: false, fields: Vec::new() };
    // There is nothing to compare with a file that cannot be read, which is a problem.
    let Some(file) = proposed.content() else { return Ok(diff) };
    if proposed.is_deletion() {
        let conflict = base.zip(live.as_ref()).is_some_and(|(base, live)| is_edited(base, live));
        return Ok(EntryDiff { conflict, ..diff });
    }
    let conflicts = find_conflicts(base, live.as_ref(), file);
    let is_gone = live.is_none() && base.is_some();
    let (mut fields, empty) = (Vec::new(), Map::new());
    let states = States {
        base: base.unwrap_or(&empty),
        live: live.as_ref().unwrap_or(&empty),
        proposed: file,
        conflicts: &conflicts,
    };
    states.compare("", &mut fields);
    let index = snapshot.get(place.0.as_str());
    // As when an entry is read, what the type does not have is not shown. Nobody knows whether it
    // is a relation.
    let is_known = |path: &str| match path.rsplit_once('.') {
        Some((data, name)) if is_data(data) => {
            index.is_some_and(|it| it.content_type.fields.get(name).is_some())
        }
        _ => index.is_some() || !is_group(path),
    };
    fields.retain(|it| is_known(&it.path));
    if let Some(index) = index {
        mask.hide_values(&index.content_type.fields, &mut fields);
    }
    Ok(EntryDiff { conflict: is_gone || !conflicts.is_empty(), fields, ..diff })
}

/// Returns true if an entry was changed since `base`, by more than who changed it last.
pub(super) fn is_edited(base: &Map, live: &Map) -> bool {
    let plain = |map: &Map| {
        let kept = map.iter().filter(|(key, _)| !BOOKKEEPING.contains(key));
        Json::Object(kept.map(|(key, value)| (key.to_string(), value.clone())).collect())
    };
    !is_equivalent(&plain(base), &plain(live))
}

/// Lists the values that were changed both live and in the change. Who changed an entry last is no
/// such value.
pub(super) fn find_conflicts(
    base: Option<&Map>,
    live: Option<&Map>,
    proposed: &Map,
) -> Vec<MergeConflict> {
    let Some(live) = live else { return Vec::new() };
    let mut conflicts = merge_proposal(base, live, proposed).conflicts;
    conflicts.retain(|it| !BOOKKEEPING.contains(&it.path.as_str()));
    conflicts
}

/// The content of the file of a live entry; nothing if there is no such entry.
fn read_live(engine: &Engine, snapshot: &Snapshot, place: &EntryPlace) -> Result<Option<Map>> {
    let Some(doc) = snapshot.find_entry(place) else { return Ok(None) };
    let key = Key::of_entry(&snapshot.workspace, place);
    let content = engine.folder().read_served_content(&key, doc.rev);
    let unread = || Error::storage_unavailable("the file of an entry cannot be read");
    content.map(|it| Some(it.map)).ok_or_else(unread)
}

/// The three states of an object.
struct States<'a> {
    base: &'a Map,
    live: &'a Map,
    proposed: &'a Map,
    conflicts: &'a [MergeConflict],
}

impl States<'_> {
    /// Adds the members that the proposal changes, one level below `data` and `translations`. A
    /// translation that one side removed is one value: it stays or goes as a whole.
    fn compare(&self, path: &str, found: &mut Vec<FieldDiff>) {
        let added = self.proposed.iter().filter(|(key, _)| !self.base.contains(key));
        for (key, _) in self.base.iter().chain(added) {
            let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
            if BOOKKEEPING.contains(&path.as_str()) {
                continue;
            }
            let is_whole = !is_data(&path) && self.conflicts.iter().any(|it| it.path == path);
            if is_group(&path) && !is_whole {
                let empty = Map::new();
                let object = |of: &'_ Map| of.get(key).and_then(Json::as_object).cloned();
                let (base, live) = (object(self.base), object(self.live));
                let proposed = object(self.proposed);
                let inner = States {
                    base: base.as_ref().unwrap_or(&empty),
                    live: live.as_ref().unwrap_or(&empty),
                    proposed: proposed.as_ref().unwrap_or(&empty),
                    conflicts: self.conflicts,
                };
                inner.compare(&path, found);
                continue;
            }
            let value = |of: &Map| of.get(key).cloned().unwrap_or_default();
            let (base, live, proposed) = (value(self.base), value(self.live), value(self.proposed));
            // One side removed all values of a language, and the other changed some.
            let is_open = self.is_below_conflict(&path) && !is_equivalent(&live, &proposed);
            if is_equivalent(&base, &proposed) && !is_open {
                continue;
            }
            let conflict = is_open || self.conflicts.iter().any(|it| is_within(&it.path, &path));
            found.push(FieldDiff { path, base, live, proposed, conflict });
        }
    }

    /// Returns true if a value is inside of one that is in conflict as a whole.
    fn is_below_conflict(&self, path: &str) -> bool {
        self.conflicts.iter().any(|it| it.path != path && is_within(path, &it.path))
    }
}

/// Returns true if a path leads to the value at another one, or into it.
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|it| it.is_empty() || it.starts_with('.'))
}

/// Returns true if the members of an object are the values of fields, in one locale.
fn is_data(path: &str) -> bool {
    let steps: Vec<&str> = path.split('.').collect();
    matches!(*steps, ["data"] | ["translations", _, "data"])
}

/// Returns true if the members of an object are compared one by one: those that hold the values of
/// an entry, in one locale or all.
fn is_group(path: &str) -> bool {
    let steps: Vec<&str> = path.split('.').collect();
    is_data(path) || matches!(*steps, ["translations"] | ["translations", _])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_fields_are_told_from_what_a_language_has_beside_them() {
        assert!(is_data("data") && is_data("translations.de.data"));
        // A language may have this code.
        assert!(is_data("translations.data.data"));
        assert!(!is_data("translations.data") && is_group("translations.data"));
    }
}
