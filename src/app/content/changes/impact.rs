//! The impact of a change: what its publication makes different for anonymous readers.
//!
//! It compares two snapshots, what is live and what the change makes of it, with the views that
//! answer their reads. So it tells what they get, not what the change says.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::content::entries::Referral;
use crate::app::content::entries::collect_referrals;
use crate::app::error::Result;
use crate::model::field::OnDelete;
use crate::model::field::is_equivalent;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::query::execute::referrers;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::Variant;
use crate::stdx::json::Json;

/// The most items in each list of an impact.
const ITEMS_MAX: usize = 1_000;

/// The members of a public entry that tell of its last change and are no difference of their own.
const BOOKKEEPING: &[&str] = &["updated_at", "updated_by"];

/// The differences that the publication of a change makes for anonymous readers, compared with what
/// is live now. Each list has 1,000 items at most.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "ChangeImpact")]
pub struct ChangeImpact {
    /// The entries that become public.
    pub appears: Vec<EntryRef>,
    /// The entries that are public no longer.
    pub vanishes: Vec<EntryRef>,
    /// The public entries that look different, also those that gain a relation, or lose one to a
    /// deleted entry.
    pub changes: Vec<EntryRef>,
    /// The lists of the public content types that the change touches.
    pub lists: Vec<ListImpact>,
    /// The relations that lead nowhere afterwards, and did not before. Those of entries that are
    /// not public and that the caller may not read are left out.
    pub dangling: Vec<DanglingRelation>,
    /// The public entries that get another address.
    pub slugs: Vec<SlugImpact>,
    /// True if a list was cut.
    pub truncated: bool,
}

/// An entry, by its names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct EntryRef {
    /// The content type.
    pub collection: TypeName,
    /// The id.
    pub id: EntryId,
    /// The title after the change; of an entry that vanishes, before it.
    pub title: String,
    /// The slug after the change; of an entry that vanishes, before it.
    pub slug: String,
}

/// The list of a content type before and after the change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListImpact {
    /// The content type.
    pub collection: TypeName,
    /// The number of public entries now.
    pub before: usize,
    /// The number of public entries afterwards.
    pub after: usize,
    /// The ids of the entries that enter the list.
    pub enters: Vec<EntryId>,
    /// The ids of the entries that leave it.
    pub leaves: Vec<EntryId>,
}

/// A relation that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct DanglingRelation {
    /// The content type of the entry with the relation.
    pub collection: TypeName,
    /// The id of that entry.
    pub id: EntryId,
    /// The title of that entry.
    pub title: String,
    /// The path of the outermost field: `data.author`.
    pub path: String,
    /// The content type of the target.
    pub target_collection: TypeName,
    /// The id of the target; null if the caller may not read it.
    pub target: Option<EntryId>,
}

/// A public entry that gets another slug.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SlugImpact {
    /// The content type.
    pub collection: TypeName,
    /// The id.
    pub id: EntryId,
    /// The title after the change.
    pub title: String,
    /// The slug now.
    pub from: String,
    /// The slug afterwards.
    pub to: String,
}

/// Computes the impact of a change that the caller may read.
pub fn compute_impact(
    app: &App,
    live: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<ChangeImpact> {
    let after = change_access::open_change(app, live, caller, reference)?;
    let touched = after.overlay.iter().flat_map(|it| it.files.keys()).cloned().collect();
    let comparison = ImpactComparison {
        live,
        after: &after,
        public_before: View::new(live, Viewer::Anyone, None),
        public_after: View::new(&after, Viewer::Anyone, None),
        touched,
    };
    let mut impact = comparison.compare_entries();
    comparison.compare_relations(caller, &mut impact);
    impact.cut();
    Ok(impact)
}

impl ChangeImpact {
    /// Cuts each list to its bound.
    fn cut(&mut self) {
        let mut is_cut = cut_list(&mut self.appears);
        is_cut |= cut_list(&mut self.vanishes);
        is_cut |= cut_list(&mut self.changes);
        is_cut |= cut_list(&mut self.dangling);
        is_cut |= cut_list(&mut self.slugs);
        for list in &mut self.lists {
            is_cut |= cut_list(&mut list.enters);
            is_cut |= cut_list(&mut list.leaves);
        }
        self.truncated = is_cut;
    }
}

fn cut_list<T>(list: &mut Vec<T>) -> bool {
    let is_longer = list.len() > ITEMS_MAX;
    list.truncate(ITEMS_MAX);
    is_longer
}

/// The live content beside the content that a change makes of it.
struct ImpactComparison<'a> {
    live: &'a Snapshot,
    after: &'a Snapshot,
    public_before: View<'a>,
    public_after: View<'a>,
    /// The entries that the change proposes to change.
    touched: BTreeSet<EntryPlace>,
}

impl<'a> ImpactComparison<'a> {
    /// Compares the entries that the change touches, and the lists of their types.
    fn compare_entries(&self) -> ChangeImpact {
        let mut impact = ChangeImpact::default();
        let mut lists: BTreeMap<&TypeName, ListImpact> = BTreeMap::new();
        for place in &self.touched {
            let before = find_public(&self.public_before, place);
            let after = find_public(&self.public_after, place);
            if let Some(list) = self.compare_lists(&place.0) {
                let list = lists.entry(&place.0).or_insert(list);
                match (before, after) {
                    (None, Some(_)) => list.enters.push(place.1.clone()),
                    (Some(_), None) => list.leaves.push(place.1.clone()),
                    _ => {}
                }
            }
            match (before, after) {
                (None, Some(doc)) => impact.appears.push(name_entry(&place.0, doc)),
                (Some(doc), None) => impact.vanishes.push(name_entry(&place.0, doc)),
                (Some(before), Some(after)) => {
                    self.compare_states(&place.0, before, after, &mut impact);
                }
                (None, None) => {}
            }
        }
        impact.lists = lists.into_values().collect();
        impact
    }

    fn compare_states(
        &self,
        of: &TypeName,
        before: &RenderedEntry,
        after: &RenderedEntry,
        impact: &mut ChangeImpact,
    ) {
        let locales = self.after.get(of.as_str()).map_or(0, |it| it.content_type.locales.len());
        let mut locales = std::iter::once(None).chain((0..locales).map(Some));
        if locales.all(|it| looks_same(before.variant_for(it), after.variant_for(it))) {
            return;
        }
        let EntryRef { collection, id, title, slug } = name_entry(of, after);
        if before.slug() != after.slug() {
            impact.slugs.push(SlugImpact {
                collection: collection.clone(),
                id: id.clone(),
                title: title.clone(),
                from: before.slug().to_string(),
                to: slug.clone(),
            });
        }
        impact.changes.push(EntryRef { collection, id, title, slug });
    }

    /// The public list of a type, as long as nobody entered or left it; nothing if it has none.
    fn compare_lists(&self, of: &TypeName) -> Option<ListImpact> {
        let (before, after) = (self.live.get(of.as_str())?, self.after.get(of.as_str())?);
        let count = |index: &TypeIndex| index.public_count();
        (!after.content_type.private).then(|| ListImpact {
            collection: of.clone(),
            before: count(before),
            after: count(after),
            enters: Vec::new(),
            leaves: Vec::new(),
        })
    }

    /// Adds the relations that lead nowhere afterwards, and the entries that lose one.
    fn compare_relations(&self, caller: &Caller, impact: &mut ChangeImpact) {
        let mut dangling = BTreeSet::new();
        let mut changed = BTreeSet::new();
        let reader = [View::new(self.live, caller.viewer(), None), self.view_after(caller)];
        for (target, ids) in self.list_lost_targets() {
            let wanted = |id: &str, _| ids.contains_key(id);
            for referral in collect_referrals(self.after, caller, target, wanted) {
                let is_deleted = ids.get(referral.relation.to).copied().unwrap_or_default();
                match referral.relation.on_delete {
                    OnDelete::Clear if is_deleted => self.add_cleared(&referral, &mut changed),
                    _ => self.add_dangling(&referral, target, is_deleted, &mut dangling),
                }
            }
        }
        for place in &self.touched {
            if let Some(doc) = find_public(&self.public_after, place) {
                self.add_hidden_targets(place, doc, &reader, &mut dangling);
            }
        }
        self.add_gaining(caller, &mut changed);
        let known: BTreeSet<EntryRef> = impact.changes.iter().cloned().collect();
        impact.changes.extend(changed.into_iter().filter(|it| !known.contains(it)));
        impact.dangling = dangling.into_iter().collect();
    }

    fn view_after(&self, caller: &'a Caller) -> View<'a> {
        View::new(self.after, caller.viewer(), None)
    }

    /// Lists the entries that are public no longer or deleted, by type and id; those with `true`
    /// are deleted.
    fn list_lost_targets(&self) -> BTreeMap<&TypeName, BTreeMap<&str, bool>> {
        let mut lost: BTreeMap<&TypeName, BTreeMap<&str, bool>> = BTreeMap::new();
        for place in &self.touched {
            let was_public = find_public(&self.public_before, place).is_some();
            let was_there = self.live.find_entry(place).is_some();
            let is_deleted = was_there && self.after.find_entry(place).is_none();
            let vanishes = was_public && find_public(&self.public_after, place).is_none();
            if is_deleted || vanishes {
                lost.entry(&place.0).or_default().insert(place.1.as_str(), is_deleted);
            }
        }
        lost
    }

    /// Adds the public entries that gain a relation, because its target becomes public.
    fn add_gaining(&self, caller: &Caller, changed: &mut BTreeSet<EntryRef>) {
        for (target, ids) in self.list_gained_targets() {
            let wanted = |id: &str, _| ids.contains(id);
            for referral in collect_referrals(self.after, caller, target, wanted) {
                let of = &referral.from.content_type.name;
                let place = (of.clone(), referral.doc.to_id());
                let was_public = find_public(&self.public_before, &place).is_some();
                if was_public && find_public(&self.public_after, &place).is_some() {
                    changed.insert(name_entry(of, referral.doc));
                }
            }
        }
    }

    /// Lists the entries that become public, by type and id.
    fn list_gained_targets(&self) -> BTreeMap<&TypeName, BTreeSet<&str>> {
        let mut gained: BTreeMap<&TypeName, BTreeSet<&str>> = BTreeMap::new();
        for place in &self.touched {
            let was_public = find_public(&self.public_before, place).is_some();
            if !was_public && find_public(&self.public_after, place).is_some() {
                gained.entry(&place.0).or_default().insert(place.1.as_str());
            }
        }
        gained
    }

    /// Adds a public entry outside of the change from which its publication removes a relation.
    fn add_cleared(&self, referral: &Referral<'_>, changed: &mut BTreeSet<EntryRef>) {
        let of = &referral.from.content_type.name;
        let place = (of.clone(), referral.doc.to_id());
        let is_public = self.public_after.sees_entry(referral.place, referral.ordinal);
        if is_public && !self.touched.contains(&place) {
            changed.insert(name_entry(of, referral.doc));
        }
    }

    /// Adds a relation to an entry that is lost. What everybody may read is named to everybody;
    /// another entry only if it keeps a relation to a deleted one, and the caller may read it.
    fn add_dangling(
        &self,
        referral: &Referral<'_>,
        target: &TypeName,
        is_deleted: bool,
        dangling: &mut BTreeSet<DanglingRelation>,
    ) {
        let of = &referral.from.content_type.name;
        let is_public = self.public_after.sees_entry(referral.place, referral.ordinal);
        let title = match is_public {
            true => Some(name_entry(of, referral.doc).title),
            false => referral.visible_title().filter(|_| is_deleted),
        };
        let Some((title, field)) = title.zip(referral.field_name()) else { return };
        dangling.insert(DanglingRelation {
            collection: of.clone(),
            id: referral.doc.to_id(),
            title,
            path: format!("data.{field}"),
            target_collection: target.clone(),
            // Whoever may read a change may read the entries that it takes away.
            target: EntryId::parse(referral.relation.to).ok(),
        });
    }

    /// Adds the relations of an entry of the change to entries that readers do not see, if it had
    /// none to them before. Entries of private types are never seen, which is no surprise.
    fn add_hidden_targets(
        &self,
        place: &EntryPlace,
        doc: &RenderedEntry,
        reader: &[View<'_>; 2],
        dangling: &mut BTreeSet<DanglingRelation>,
    ) {
        let Some(index) = self.after.get(place.0.as_str()) else { return };
        let before = find_public(&self.public_before, place);
        let known = before.map(|it| list_relations(index, it)).unwrap_or_default();
        for relation in list_relations(index, doc).difference(&known) {
            let &(field, target, id) = relation;
            let to = EntryId::parse(id).ok().map(|id| (target.clone(), id));
            let is_private =
                self.after.get(target.as_str()).is_some_and(|it| it.content_type.private);
            let is_seen =
                to.as_ref().is_some_and(|it| find_public(&self.public_after, it).is_some());
            if is_private || is_seen {
                continue;
            }
            let is_known =
                |it: &EntryPlace| reader.iter().any(|view| find_public(view, it).is_some());
            let EntryRef { collection, id, title, .. } = name_entry(&place.0, doc);
            dangling.insert(DanglingRelation {
                collection,
                id,
                title,
                path: format!("data.{field}"),
                target_collection: target.clone(),
                target: to.filter(is_known).map(|(_, id)| id),
            });
        }
    }
}

/// Finds an entry as a view shows it.
fn find_public<'s>(view: &View<'s>, (of, id): &EntryPlace) -> Option<&'s RenderedEntry> {
    let (place, index) = view.find_type(of.as_str())?;
    index.entry_at(view.find_by_id(place, id.as_str())?).map(|it| &**it)
}

/// Lists the relations of an entry in all locales: the field, the type and the id of the target.
fn list_relations<'d>(
    index: &'d TypeIndex,
    doc: &'d RenderedEntry,
) -> HashSet<(&'d str, &'d TypeName, &'d str)> {
    let ty = &index.content_type;
    let mut found = HashSet::new();
    for target in &ty.relation_targets {
        for variant in doc.variants() {
            for relation in referrers::collect_references(index, variant, target, |_, _| true) {
                let field = ty.data_fields().nth(relation.field);
                found.extend(field.map(|it| (it.name.as_str(), target, relation.to)));
            }
        }
    }
    found
}

/// Returns true if two renderings say the same, but for their last change.
fn looks_same(before: &Variant, after: &Variant) -> bool {
    if before.sum == after.sum {
        return true;
    }
    let parse = |variant: &Variant| {
        let span = variant.entry_span();
        match Json::parse(variant.slice_bytes(span)) {
            Ok(Json::Object(map)) => {
                let kept = map.iter().filter(|(key, _)| !BOOKKEEPING.contains(key));
                Json::Object(kept.map(|(key, value)| (key.to_string(), value.clone())).collect())
            }
            // A rendering is always a JSON object.
            _ => Json::Null,
        }
    };
    is_equivalent(&parse(before), &parse(after))
}

fn name_entry(of: &TypeName, doc: &RenderedEntry) -> EntryRef {
    let title = Json::parse(doc.variant_for(None).title_json()).unwrap_or_default();
    EntryRef {
        collection: of.clone(),
        id: doc.to_id(),
        title: title.as_str().unwrap_or_default().to_string(),
        slug: doc.slug().to_string(),
    }
}
