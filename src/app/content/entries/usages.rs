//! The usages of an entry: the entries that refer to it, as far as the caller sees them.

use std::collections::BTreeMap;

use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::content::entries::entry_response::find_visible;
use crate::app::content::proposed_uses::UsedThing;
use crate::app::content::proposed_uses::list_proposed_uses;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::usage::Usage;
use crate::model::content_type::ContentType;
use crate::model::field::OnDelete;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::query::execute::entry_mentions;
use crate::query::execute::entry_mentions::TextReference;
use crate::query::execute::referrers;
use crate::query::execute::referrers::EntryReference;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::Variant;
use crate::stdx::json::Json;

/// A relation from one entry to another in some locale.
pub(crate) struct Referral<'s> {
    /// The type of the referring entry.
    pub(crate) from: &'s TypeIndex,
    /// The position of that type in the snapshot.
    pub(crate) place: usize,
    /// The ordinal of the entry in its type.
    pub(crate) ordinal: Ordinal,
    /// The referring entry.
    pub(crate) doc: &'s RenderedEntry,
    /// The relation and its target.
    pub(crate) relation: EntryReference<'s>,
    /// The rendering in the first locale in which the caller sees the reference; `None` if there is
    /// none.
    seen: Option<&'s Variant>,
}

impl Referral<'_> {
    /// Returns true if the caller sees it.
    pub(super) fn is_visible(&self) -> bool {
        self.seen.is_some()
    }

    /// Returns the title in the first locale in which the caller sees it.
    pub(crate) fn visible_title(&self) -> Option<String> {
        Some(parse_text(self.seen?.title_json()))
    }

    /// Returns the outermost field with the relation.
    pub(crate) fn field_name(&self) -> Option<&FieldName> {
        self.from.content_type.data_fields().nth(self.relation.field).map(|it| &it.name)
    }

    /// Returns the usage, if the caller sees it.
    fn visible_usage(&self) -> Option<Usage> {
        Some(Usage {
            type_name: self.from.content_type.name.to_string(),
            id: self.doc.id().to_string(),
            title: self.visible_title()?,
            field: self.field_name()?.to_string(),
            change: None,
        })
    }
}

/// Lists the usages of an entry by type and entry: relations, then links in texts, and then those
/// that changes propose.
pub fn list_usages(
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
) -> Result<Vec<Usage>> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let view = View::new(snapshot, caller.viewer(), None);
    let ordinal = find_visible(&view, caller, place, identifier)?;
    let doc = index.entry_at(ordinal).ok_or_else(|| Error::not_found("entry", identifier))?;
    let target = &index.content_type.name;
    let found = collect_referrals(snapshot, caller, target, |to, _| to == doc.id());
    let mut usages = collect_visible(found.iter());
    let in_texts = collect_text_usages(snapshot, caller, target, |to| to == doc.id());
    usages.extend(in_texts.into_iter().filter_map(|(_, usage)| usage));
    let this = UsedThing::Entry(target.clone(), doc.id().to_string());
    let proposed = list_proposed_uses(snapshot, caller, |it| *it == this);
    usages.extend(proposed.into_iter().filter_map(|it| it.usage));
    Ok(usages)
}

/// Collects the usages that the caller sees, each field of an entry once.
pub(super) fn collect_visible<'r>(referrals: impl Iterator<Item = &'r Referral<'r>>) -> Vec<Usage> {
    let mut usages: Vec<Usage> = referrals.filter_map(Referral::visible_usage).collect();
    usages.dedup_by(|it, before| {
        (&it.type_name, &it.id, &it.field) == (&before.type_name, &before.id, &before.field)
    });
    usages
}

/// Collects the relations to the `wanted` entries of `target`, by type, entry and field, in one
/// pass over all entries that may have any.
pub(crate) fn collect_referrals<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    target: &TypeName,
    wanted: impl Fn(&str, OnDelete) -> bool,
) -> Vec<Referral<'s>> {
    let mut referrals = Vec::new();
    for (place, from) in snapshot.types().iter().enumerate() {
        let ty = &from.content_type;
        if !ty.relation_targets.contains(target) {
            continue;
        }
        let mut found: BTreeMap<(Ordinal, EntryReference<'s>), Option<&'s Variant>> =
            BTreeMap::new();
        let views = list_views(snapshot, caller, ty);
        let relations = |variant| referrers::collect_references(from, variant, target, &wanted);
        // Most entries have no such reference, and few renderings for many locales.
        let refers = |doc: &'s RenderedEntry| doc.variants().any(|it| !relations(it).is_empty());
        for (ordinal, doc) in from.iter().filter(|(_, doc)| refers(doc)) {
            for view in &views {
                let variant = doc.variant_for(view.resolve_locale(ty));
                for relation in relations(variant) {
                    let seen = found.entry((ordinal, relation)).or_default();
                    if seen.is_none() && view.sees_entry(place, ordinal) {
                        *seen = Some(variant);
                    }
                }
            }
        }
        referrals.extend(found.into_iter().filter_map(|((ordinal, relation), seen)| {
            Some(Referral { from, place, ordinal, doc: from.entry_at(ordinal)?, relation, seen })
        }));
    }
    referrals
}

/// Collects the links in texts to the `wanted` entries of `target`: for each the id of the entry
/// that it leads to and the usage, if the caller sees it. What an entry says of itself is left out.
pub(super) fn collect_text_usages<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    target: &TypeName,
    wanted: impl Fn(&str) -> bool,
) -> Vec<(&'s str, Option<Usage>)> {
    let found = entry_mentions::collect_text_references(snapshot, target, wanted);
    let mut usages = Vec::new();
    // The references of a type come one after another.
    for of_type in found.chunk_by(|one, other| one.place == other.place) {
        let views = of_type.first().map(|it| list_views(snapshot, caller, &it.from.content_type));
        let views = views.unwrap_or_default();
        for it in of_type {
            let Some(doc) = it.from.entry_at(it.ordinal) else { continue };
            let is_own = doc.id() == it.to && it.from.content_type.name == *target;
            if !is_own {
                usages.push((it.to, show_text_usage(&views, it, doc)));
            }
        }
    }
    usages
}

/// Returns the views of the caller: in the default locale, and in each locale of a type.
fn list_views<'s>(
    snapshot: &'s Snapshot,
    caller: &'s Caller,
    ty: &'s ContentType,
) -> Vec<View<'s>> {
    let locales = std::iter::once(None).chain(ty.locales.iter().map(|it| Some(it.as_str())));
    locales.map(|it| View::new(snapshot, caller.viewer(), it)).collect()
}

fn show_text_usage(
    views: &[View<'_>],
    reference: &TextReference<'_>,
    doc: &RenderedEntry,
) -> Option<Usage> {
    let ty = &reference.from.content_type;
    let is_seen = |view: &View<'_>| {
        let shown = doc.variant_for(view.resolve_locale(ty));
        std::ptr::eq(shown, reference.variant)
            && view.sees_entry(reference.place, reference.ordinal)
    };
    views.iter().any(is_seen).then_some(())?;
    Some(Usage {
        type_name: ty.name.to_string(),
        id: doc.id().to_string(),
        title: parse_text(reference.variant.title_json()),
        field: ty.data_fields().nth(reference.field)?.name.to_string(),
        change: None,
    })
}

fn parse_text(json: &[u8]) -> String {
    let title = Json::parse(json).unwrap_or_default();
    title.as_str().unwrap_or_default().to_string()
}
