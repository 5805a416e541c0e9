//! The effects of a deletion on other entries, by `on_delete` of their relations and by the guard:
//! some prevent the deletion, some lose their references.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::collections::HashSet;

use crate::app::access::Requester;
use crate::app::content::entries::target_entry::is_guarded_against;
use crate::app::content::entries::usages::Referral;
use crate::app::content::entries::usages::collect_referrals;
use crate::app::content::entries::usages::collect_text_usages;
use crate::app::content::entries::usages::collect_visible;
use crate::app::content::proposed_uses::UsedThing;
use crate::app::content::proposed_uses::list_proposed_uses;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::usage::Usage;
use crate::app::usage_guard::UsageGuard;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::entry::ClearedEntry;
use crate::model::entry::FileFacts;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::field::OnDelete;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::model::revision::RevisionEvent;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The most usages listed in an error.
const USAGES_MAX: usize = 20;

/// The most entries from which one request removes references.
pub const CLEARED_MAX: usize = 5_000;

/// The largest total size of their files.
pub const CLEARED_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Returns true if a deletion can affect other entries.
pub(crate) fn affects_others(snapshot: &Snapshot, target: &TypeName, guard: UsageGuard) -> bool {
    let minds = |it: &TypeIndex| it.content_type.guarded_targets.contains(target);
    guard == UsageGuard::On || snapshot.types().iter().any(|it| minds(it))
}

/// Judges the deletion of entries of one type as the publication of a change makes it: `staging`
/// has what the change makes of the content, with these entries still there. Returns the new files
/// of the entries that lose references.
pub(crate) fn clear_referrers(
    staging: &mut Staging<'_>,
    by: &Requester,
    target: &TypeName,
    ids: &[EntryId],
) -> Result<Vec<(EntryPlace, Map)>> {
    let ids = ids.iter().map(|it| it.as_str()).collect();
    let effects = DeletionEffects::compute_effects(staging, by, target, ids, UsageGuard::Off)?;
    effects.into_cleared_files()
}

/// The effects of a deletion.
#[derive(Default)]
pub(super) struct DeletionEffects<'s> {
    /// The errors of the entries that are not deleted, by id.
    pub(super) refused: HashMap<&'s str, Error>,
    /// The entries that lose references to the deleted ones.
    edits: Vec<ReferenceRemoval<'s>>,
}

/// The removal of references from an entry.
struct ReferenceRemoval<'s> {
    from: &'s TypeIndex,
    doc: &'s RenderedEntry,
    stored: StoredFile,
    cleared: ClearedEntry,
}

impl<'s> DeletionEffects<'s> {
    /// Computes the effects of deleting the entries `ids` of `target`. Entries that are deleted
    /// together do not block each other, and keep their references.
    pub(super) fn compute_effects<'x: 's>(
        staging: &mut Staging<'x>,
        by: &Requester,
        target: &TypeName,
        ids: HashSet<&'s str>,
        guard: UsageGuard,
    ) -> Result<DeletionEffects<'s>> {
        if !affects_others(staging.snapshot(), target, guard) {
            return Ok(DeletionEffects::default());
        }
        let wanted = |id: &str, on_delete| {
            (guard == UsageGuard::On || on_delete != OnDelete::Keep) && ids.contains(id)
        };
        let mut referrals = collect_referrals(staging.snapshot(), &by.caller, target, wanted);
        referrals.retain(|it| !is_of_itself(it, target));
        let snapshot = staging.snapshot();
        let (in_texts, proposed) = match guard {
            UsageGuard::On => (
                list_text_usages(snapshot, by, target, &ids),
                list_proposed_usages(snapshot, by, target, &ids),
            ),
            UsageGuard::Off => Default::default(),
        };
        let mut decision = DeletionResolver::new(referrals, target, ids, guard);
        decision.block_referenced();
        let edits = decision.clear_references(staging, by)?;
        let mut refused = decision.into_errors();
        for (id, usages) in in_texts {
            refused.entry(id).or_insert_with(|| used_error(usages));
        }
        for (id, usages) in proposed {
            refused.entry(id).or_insert_with(|| proposed_use_error(usages));
        }
        Ok(DeletionEffects { refused, edits })
    }

    /// Returns the new files of the entries that lose references, or why one of the deleted ones
    /// cannot be.
    pub(super) fn into_cleared_files(self) -> Result<Vec<(EntryPlace, Map)>> {
        let mut refused: Vec<(&str, Error)> = self.refused.into_iter().collect();
        refused.sort_by(|one, other| one.0.cmp(other.0));
        if let Some((_, error)) = refused.into_iter().next() {
            return Err(error);
        }
        let place = |it: &ReferenceRemoval<'_>| (it.from.content_type.name.clone(), it.doc.to_id());
        Ok(self.edits.into_iter().map(|it| (place(&it), it.cleared.file)).collect())
    }

    /// Stages the changes of the entries that lose references, each as an update by the deleting
    /// user.
    pub(super) fn stage_effects(self, staging: &mut Staging<'_>, by: &Requester) -> Result<()> {
        for edit in self.edits {
            let permit = edit.check_permission(staging, by)?;
            edit.stage_update(&permit, staging, by);
        }
        Ok(())
    }
}

impl ReferenceRemoval<'_> {
    /// Checks that the caller may update the entry that loses references, and publish it if it is
    /// public and its type has drafts.
    fn check_permission(&self, staging: &Staging<'_>, by: &Requester) -> Result<Permit> {
        let changed: Vec<&str> = self.cleared.changed.iter().map(String::as_str).collect();
        let locales: Vec<&str> = self.cleared.locales.iter().map(|it| it.as_str()).collect();
        let facts = Facts {
            status: Some(self.doc.status),
            new_status: Some(self.doc.status),
            author_id: self.doc.author_id(),
            locales: &locales,
            changed: &changed,
        };
        let (id, slug) = (self.doc.id(), self.doc.slug());
        let type_name = self.from.content_type.name.as_str();
        let resource = Resource::Entry { type_name, id, slug };
        let workspace = staging.workspace();
        let permit = by.check_permission(workspace, Action::ContentUpdate, &resource, &facts)?;
        if !staging.is_proposal() && is_guarded_against(by, workspace, self.from, self.doc) {
            return Err(Error::publish_required());
        }
        Ok(permit)
    }

    fn stage_update(self, permit: &Permit, staging: &mut Staging<'_>, by: &Requester) {
        debug_assert_eq!(permit.action(), Action::ContentUpdate);
        let is_public = Some(self.doc.is_public(staging.now()));
        let title = self.cleared.file.get("title").and_then(Json::as_str).unwrap_or_default();
        let subject = Subject::Entry {
            type_name: self.from.content_type.name.to_string(),
            id: self.doc.id().to_string(),
            slug: self.doc.slug().to_string(),
            status: self.doc.status.as_str().to_string(),
            title: title.to_string(),
        };
        for kind in EventKind::for_entry_change(is_public, is_public) {
            staging.write(permit).add_event(kind, subject.clone());
        }
        staging.write(permit).label_revisions(RevisionEvent::Update, &by.actor.id);
        let bytes = self.stored.rewrite(self.cleared.file);
        staging.write(permit).replace(&self.stored, bytes);
    }
}

/// Lists, for each of the entries `ids`, the references that changes propose; `None` for those that
/// the caller may not read. Those of entries that are deleted as well do not count.
fn list_proposed_usages<'s>(
    snapshot: &Snapshot,
    by: &Requester,
    target: &TypeName,
    ids: &HashSet<&'s str>,
) -> HashMap<&'s str, Vec<Option<Usage>>> {
    let id_of = |it: &UsedThing| match it {
        UsedThing::Entry(of, id) if of == target => ids.get(id.as_str()).copied(),
        _ => None,
    };
    let found = list_proposed_uses(snapshot, &by.caller, |it| id_of(it).is_some());
    group_by_id(found.into_iter().filter_map(|it| {
        let is_leaving = it.of.0 == *target && ids.contains(it.of.1.as_str());
        Some((id_of(&it.thing).filter(|_| !is_leaving)?, it.usage))
    }))
}

/// Lists the links in texts to the entries `ids`; `None` for those that the caller does not see.
fn list_text_usages<'s>(
    snapshot: &Snapshot,
    by: &Requester,
    target: &TypeName,
    ids: &HashSet<&'s str>,
) -> HashMap<&'s str, Vec<Option<Usage>>> {
    let found = collect_text_usages(snapshot, &by.caller, target, |it| ids.contains(it));
    group_by_id(found.into_iter().filter_map(|(to, usage)| Some((*ids.get(to)?, usage))))
}

/// Groups usages by the entry that is used.
fn group_by_id<'s>(
    usages: impl Iterator<Item = (&'s str, Option<Usage>)>,
) -> HashMap<&'s str, Vec<Option<Usage>>> {
    let mut by_id: HashMap<&'s str, Vec<Option<Usage>>> = HashMap::new();
    for (id, usage) in usages {
        by_id.entry(id).or_default().push(usage);
    }
    by_id
}

/// Returns the error for an entry to which only changes refer.
fn proposed_use_error(usages: Vec<Option<Usage>>) -> Error {
    let usages = usages.into_iter().flatten().take(USAGES_MAX).collect();
    Error::in_use("Drafts or releases that are not published yet refer to this entry.", usages)
}

/// Returns true if an entry refers to itself; such a reference disappears with it.
fn is_of_itself(referral: &Referral<'_>, target: &TypeName) -> bool {
    let is_same = referral.doc.id() == referral.relation.to;
    is_same && referral.from.content_type.name == *target
}

/// The reason why an entry is not deleted.
#[derive(Clone, Copy)]
enum KeepReason {
    /// Entries refer to it and would be invalid without it.
    Used,
    /// The caller may not update an entry that would lose its reference.
    Untouchable,
    /// An entry that would lose its reference is public, and the caller may only propose changes.
    Guarded,
    /// An entry that would lose its reference cannot be read.
    Unreadable,
}

/// The decision which of the requested entries can be deleted.
struct DeletionResolver<'s, 't> {
    target: &'t TypeName,
    guard: UsageGuard,
    referrals: Vec<Referral<'s>>,
    /// For each referral, true if it blocks a deletion.
    stopping: Vec<bool>,
    /// The referrals of each entry that is to be deleted itself.
    within: HashMap<&'s str, Vec<usize>>,
    /// The entries that lose references, each with its referrals.
    clearing: BTreeMap<(usize, Ordinal), Vec<usize>>,
    /// The entries that are deleted, as far as decided.
    leaving: HashSet<&'s str>,
    kept: HashMap<&'s str, KeepReason>,
}

impl<'s, 't> DeletionResolver<'s, 't> {
    fn new(
        referrals: Vec<Referral<'s>>,
        target: &'t TypeName,
        leaving: HashSet<&'s str>,
        guard: UsageGuard,
    ) -> DeletionResolver<'s, 't> {
        let (mut within, mut clearing) = (HashMap::new(), BTreeMap::new());
        for (index, referral) in referrals.iter().enumerate() {
            let id = referral.doc.id();
            if referral.from.content_type.name == *target && leaving.contains(id) {
                within.entry(id).or_insert_with(Vec::new).push(index);
            }
            if referral.relation.on_delete == OnDelete::Clear {
                let place = (referral.place, referral.ordinal);
                clearing.entry(place).or_insert_with(Vec::new).push(index);
            }
        }
        let (stopping, kept) = (vec![false; referrals.len()], HashMap::new());
        DeletionResolver { target, guard, referrals, stopping, within, clearing, leaving, kept }
    }

    /// Returns true if the referring entry is deleted itself.
    fn is_leaving(&self, referral: &Referral<'_>) -> bool {
        referral.from.content_type.name == *self.target && self.leaving.contains(referral.doc.id())
    }

    /// Keeps the entries that are blocked by others that stay.
    fn block_referenced(&mut self) {
        let all = 0..self.referrals.len();
        let staying = all.filter(|it| !self.is_leaving(&self.referrals[*it])).collect();
        self.block_by_staying(staying);
    }

    /// Keeps the entries blocked by these referrals of entries that stay, and in turn those blocked
    /// by them.
    fn block_by_staying(&mut self, mut staying: Vec<usize>) {
        while let Some(index) = staying.pop() {
            let relation = self.referrals[index].relation;
            if self.guard == UsageGuard::On || relation.on_delete == OnDelete::Block {
                staying.extend(self.keep_target(index, KeepReason::Used));
            }
        }
    }

    /// Keeps the target of a referral. Returns the referrals of the target, which now stays.
    fn keep_target(&mut self, index: usize, reason: KeepReason) -> Vec<usize> {
        let to = self.referrals[index].relation.to;
        self.stopping[index] = true;
        let Some(id) = self.leaving.take(to) else { return Vec::new() };
        self.kept.insert(id, reason);
        self.within.get(id).cloned().unwrap_or_default()
    }

    /// Returns the entries that lose references, in their new state. Targets of entries that cannot
    /// be updated are kept.
    fn clear_references(
        &mut self,
        staging: &mut Staging<'_>,
        by: &Requester,
    ) -> Result<Vec<ReferenceRemoval<'s>>> {
        let mut found: BTreeMap<(usize, Ordinal), StoredFile> = BTreeMap::new();
        let mut size = 0;
        // An entry that is kept may lose references in turn.
        loop {
            let places = self.clearing.keys().copied();
            let left = places.filter(|it| !found.contains_key(it) && self.loses_references(*it));
            let left: Vec<_> = left.collect();
            if left.is_empty() {
                break;
            }
            for place in left {
                let stored = match self.read_stored(staging, place) {
                    Err(CommitError::Broken(_)) => {
                        self.keep_all_targets(place, KeepReason::Unreadable);
                        continue;
                    }
                    stored => stored?,
                };
                size += stored.bytes.len();
                if found.len() >= CLEARED_MAX || size > CLEARED_BYTES_MAX {
                    return Err(too_much_error());
                }
                match self.check_update(staging, by, place, &stored) {
                    Ok(()) => _ = found.insert(place, stored),
                    Err(reason) => self.keep_all_targets(place, reason),
                }
            }
        }
        // Fewer entries are deleted now than when the first ones were checked.
        let edits =
            found.into_iter().filter_map(|(place, it)| self.build_removal(staging, by, place, it));
        let edits: Vec<ReferenceRemoval<'_>> = edits.collect();
        // Visibility, and with it whether a field is required, may depend on the deleted entries.
        if edits.iter().any(|it| it.cleared.lacks_required) {
            return Err(Error::conflict(
                "An entry that refers to these would lose a required value.",
            ));
        }
        Ok(edits)
    }

    /// Returns true if an entry stays and loses references.
    fn loses_references(&self, place: (usize, Ordinal)) -> bool {
        let referrals = self.clearing.get(&place).into_iter().flatten();
        let mut referrals = referrals.filter_map(|it| self.referrals.get(*it));
        referrals.any(|it| self.leaving.contains(it.relation.to) && !self.is_leaving(it))
    }

    fn entry_at(&self, place: (usize, Ordinal)) -> Option<(&'s TypeIndex, &'s RenderedEntry)> {
        let first = *self.clearing.get(&place)?.first()?;
        self.referrals.get(first).map(|it| (it.from, it.doc))
    }

    fn read_stored(
        &self,
        staging: &mut Staging<'_>,
        place: (usize, Ordinal),
    ) -> std::result::Result<StoredFile, CommitError> {
        let (from, doc) = self.entry_at(place).ok_or(CommitError::Stale)?;
        let (ws, of) = (staging.workspace().clone(), from.content_type.name.clone());
        let stored = staging.read_stored(&Key::Entry(ws, of, doc.to_id()))?;
        // The snapshot contains it, so a missing file was removed by hand.
        stored.ok_or(CommitError::Stale)
    }

    /// Checks that an entry can lose its references to all deleted entries.
    fn check_update(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        place: (usize, Ordinal),
        stored: &StoredFile,
    ) -> std::result::Result<(), KeepReason> {
        match self.build_removal(staging, by, place, stored.clone()) {
            Some(edit) if edit.cleared.lacks_required => Err(KeepReason::Used),
            Some(edit) => match edit.check_permission(staging, by) {
                Ok(_) => Ok(()),
                Err(error) if error.code == Code::PublishRequired => Err(KeepReason::Guarded),
                Err(_) => Err(KeepReason::Untouchable),
            },
            None => Ok(()),
        }
    }

    fn build_removal(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        place: (usize, Ordinal),
        stored: StoredFile,
    ) -> Option<ReferenceRemoval<'s>> {
        let (from, doc) = self.entry_at(place)?;
        let facts = FileFacts { modified: stored.modified, now: staging.now() };
        let is_gone = |id: &str| self.leaving.contains(id);
        let gone: (&TypeName, &dyn Fn(&str) -> bool) = (self.target, &is_gone);
        let (ty, file) = (&from.content_type, stored.map());
        let cleared =
            ClearedEntry::without_references(ty, &doc.to_id(), file, facts, gone, &by.actor.id)?;
        Some(ReferenceRemoval { from, doc, stored, cleared })
    }

    /// Keeps all targets of an entry, and the entries blocked by them.
    fn keep_all_targets(&mut self, place: (usize, Ordinal), reason: KeepReason) {
        let referrals = self.clearing.get(&place).cloned().unwrap_or_default();
        for index in referrals {
            let staying = self.keep_target(index, reason);
            self.block_by_staying(staying);
        }
    }

    /// Returns the errors of the kept entries.
    fn into_errors(self) -> HashMap<&'s str, Error> {
        let mut stopping: HashMap<&str, Vec<&Referral<'_>>> = HashMap::new();
        let stop = self.referrals.iter().zip(&self.stopping).filter(|(_, stops)| **stops);
        for (referral, _) in stop {
            stopping.entry(referral.relation.to).or_default().push(referral);
        }
        let refusal = |(id, reason): (&&'s str, &KeepReason)| {
            let referrals = stopping.get(id).map(Vec::as_slice).unwrap_or_default();
            (*id, reason.into_error(referrals))
        };
        self.kept.iter().map(refusal).collect()
    }
}

impl KeepReason {
    fn into_error(self, referrals: &[&Referral<'_>]) -> Error {
        match self {
            KeepReason::Used => in_use_error(referrals),
            KeepReason::Untouchable => Error::refused(
                "An entry that you may not change refers to this one, and would lose its \
                 reference.",
            ),
            KeepReason::Guarded => Error::publish_required(),
            KeepReason::Unreadable => Error::conflict(
                "An entry that refers to this one has a file that cannot be read. Repair it first.",
            ),
        }
    }
}

/// Returns the error for an entry that others refer to. If the caller cannot see some of them, it
/// says only that they exist.
fn in_use_error(referrals: &[&Referral<'_>]) -> Error {
    let usages = collect_visible(referrals.iter().copied());
    build_used_error(usages, referrals.iter().any(|it| !it.is_visible()))
}

/// Returns the error for an entry to which texts of others link.
fn used_error(usages: Vec<Option<Usage>>) -> Error {
    let hides = usages.iter().any(Option::is_none);
    build_used_error(usages.into_iter().flatten().collect(), hides)
}

fn build_used_error(mut usages: Vec<Usage>, hides: bool) -> Error {
    let message = match (usages.is_empty(), hides) {
        (true, _) => "Entries that you may not read refer to this one.",
        (false, true) => "Other entries refer to this one, including some that you may not read.",
        (false, false) => "Other entries refer to this one.",
    };
    usages.truncate(USAGES_MAX);
    Error::in_use(message, usages)
}

fn too_much_error() -> Error {
    let mib = CLEARED_BYTES_MAX / 1024 / 1024;
    Error::conflict(format!(
        "This would remove references from more than {CLEARED_MAX} entries, or from files of more \
         than {mib} MiB together. Remove some of them first."
    ))
}
