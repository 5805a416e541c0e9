//! The rendering of entries for one caller. Finished bytes are used where they fit; relations that
//! are hidden, expanded or left out are replaced in them.

use std::sync::Arc;

use crate::model::field::RelationLink;
use crate::query::execute::view::View;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::link_ids::link_ids;
use crate::query::render::link_ids::link_texts;
use crate::query::render::render_cursor;
use crate::query::render::render_cursor::RenderCursor;
use crate::query::render::render_cursor::RenderSource;
use crate::query::render::rendered_entry::Variant;
use crate::query::render::span_table::BodySpan;
use crate::query::request::include::ExpansionCount;
use crate::query::request::include::ExpansionCounter;
use crate::query::request::include::ExpansionStop;
use crate::query::request::include::Include;
use crate::query::request::include::IncludeBranch;
use crate::query::request::include::IncludeLimits;
use crate::query::request::list_query::Shape;
use crate::stdx::checksum::Checksum;

/// A writer of the entries of one type.
pub struct EntryWriter<'a> {
    view: &'a View<'a>,
    shape: &'a Shape,
    place: usize,
    index: &'a TypeIndex,
    locale: Option<usize>,
    level: IncludeLevel<'a>,
}

impl<'a> EntryWriter<'a> {
    /// Returns a writer of entries of the type at position `place`, or `None` if there is no such
    /// type.
    pub fn new(view: &'a View<'a>, shape: &'a Shape, place: usize) -> Option<EntryWriter<'a>> {
        let index = view.snapshot.types().get(place)?;
        let locale = view.resolve_locale(&index.content_type);
        let level = IncludeLevel::new(view, place, &shape.include);
        Some(EntryWriter { view, shape, place, index, locale, level })
    }

    /// Returns the rendering of an entry if it can be sent unchanged.
    pub fn get_unmodified(&self, ordinal: Ordinal) -> Option<&'a Variant> {
        let variant = self.variant_at(ordinal)?;
        if self.shape.fields.is_some() || self.shape.is_rewritten() {
            return None;
        }
        self.level.is_plain(variant).then_some(variant)
    }

    /// Returns the checksum of the entry as it is written, or of its body where both are the same.
    pub fn compute_tag(&self, ordinal: Ordinal) -> Checksum {
        if let Some(variant) = self.get_unmodified(ordinal) {
            return variant.sum;
        }
        let mut written = Vec::new();
        self.write_entry(ordinal, &mut RenderCursor::default(), &mut written);
        Checksum::of_bytes(&written)
    }

    /// Appends the entry's JSON object. The cursor is one for all entries of a list, so that its
    /// memory is allocated once.
    pub fn write_entry(&self, ordinal: Ordinal, cursor: &mut RenderCursor<'_>, out: &mut Vec<u8>) {
        let Some(variant) = self.variant_at(ordinal) else { return };
        // Nearly all entries show their links as they are.
        if self.shape.fields.is_none() && self.level.is_plain(variant) {
            return out.extend_from_slice(variant.slice_bytes(variant.entry_span()));
        }
        self.begin_entry(ordinal, cursor);
        cursor.run(self.view, out, usize::MAX);
    }

    /// Starts the entry's JSON object, to be written piece by piece.
    pub fn begin_entry(&self, ordinal: Ordinal, cursor: &mut RenderCursor<'_>) {
        let fields = self.shape.fields.as_deref();
        cursor.begin_entry(
            self.view,
            RenderSource::Entry(self.place, ordinal),
            &self.shape.include,
            fields,
        );
    }

    /// Returns the approximate size of these entries without expanded ones. Touching all of them
    /// first lets many memory accesses overlap, which costs less than one after the other during
    /// writing.
    pub fn estimate_bytes(&self, ordinals: &[Ordinal]) -> usize {
        let bytes = |variant: &Variant| variant.body().len();
        ordinals.iter().filter_map(|it| self.variant_at(*it)).map(bytes).sum()
    }

    /// Returns the size of what is expanded in these entries. It remembers the entries for writing,
    /// and stops if it would examine more than `looks_max`.
    pub fn count_expanded(
        &self,
        ordinals: &[Ordinal],
        limits: &IncludeLimits,
        looks_max: usize,
    ) -> Result<ExpansionCount, ExpansionStop> {
        let mut counter = ExpansionCounter::new(limits, looks_max);
        if !self.shape.include.is_empty() {
            self.view.remember_links();
            counter.add_looks(ordinals.len())?;
            for variant in ordinals.iter().filter_map(|it| self.variant_at(*it)) {
                self.level.count_included(variant, false, &mut counter)?;
            }
        }
        Ok(counter.count)
    }

    /// Calls `visit` with the type and the id of each of these entries and of all that are expanded
    /// in them, until it returns false.
    pub fn visit_shown(&self, ordinals: &[Ordinal], visit: &mut dyn FnMut(usize, &str) -> bool) {
        for ordinal in ordinals {
            let Some(entry) = self.index.entry_at(*ordinal) else { continue };
            let goes_on = visit(self.place, entry.id())
                && self.level.visit_included(entry.variant_for(self.locale), visit);
            if !goes_on {
                return;
            }
        }
    }

    fn variant_at(&self, ordinal: Ordinal) -> Option<&'a Variant> {
        debug_assert!(self.view.sees_entry(self.place, ordinal));
        Some(self.index.entry_at(ordinal)?.variant_for(self.locale))
    }
}

/// The entries of one type on one level of an include tree.
pub(super) struct IncludeLevel<'a> {
    view: &'a View<'a>,
    include: &'a Arc<Include>,
    place: usize,
}

impl<'a> IncludeLevel<'a> {
    pub(super) fn new(
        view: &'a View<'a>,
        place: usize,
        include: &'a Arc<Include>,
    ) -> IncludeLevel<'a> {
        IncludeLevel { view, include, place }
    }

    /// Returns true if nothing in the rendering has to be replaced.
    fn is_plain(&self, variant: &Variant) -> bool {
        variant.links().all(|link| {
            self.find_branch(variant, &link).is_none()
                && link_ids(variant, &link).all(|id| self.resolve_target(&link, id).is_some())
        })
    }

    fn target_type(&self, link: &RelationLink) -> Option<usize> {
        *self.view.snapshot.relation_targets(self.place).get(usize::from(link.target))?
    }

    fn resolve_target(&self, link: &RelationLink, id: &[u8]) -> Option<(usize, Ordinal)> {
        let place = self.target_type(link)?;
        Some((place, self.view.find_linked(place, id)?))
    }

    /// Returns the branch that expands a link, if it is the value of an included field.
    fn find_branch(&self, variant: &Variant, link: &RelationLink) -> Option<&'a IncludeBranch> {
        self.include.branches.get(render_cursor::find_branch_index(self.include, variant, link)?)
    }

    /// Returns true if some relation in the rendering may have a target that the caller cannot see.
    pub(super) fn hides_links(&self, variant: &Variant) -> bool {
        let ty = self.view.snapshot.types().get(self.place).map(|it| &it.content_type);
        let sees_all = |link: &RelationLink| {
            let target = ty.and_then(|it| it.relation_targets.get(usize::from(link.target)));
            target.is_some_and(|it| self.view.sees_all_of(it.as_str()))
        };
        variant.links().any(|link| {
            !sees_all(&link)
                && link_ids(variant, &link).any(|id| self.resolve_target(&link, id).is_none())
        })
    }

    /// Appends a span of the rendering, with its links as the caller may see them.
    pub(super) fn write_span(&self, variant: &Variant, span: BodySpan, out: &mut Vec<u8>) {
        let mut cursor = RenderCursor::default();
        cursor.begin_span(RenderSource::Made(self.place, variant), self.include, span);
        cursor.run(self.view, out, usize::MAX);
    }

    /// Appends the entry with only some data fields.
    pub(super) fn write_fields(&self, variant: &Variant, fields: &[usize], out: &mut Vec<u8>) {
        let mut cursor = RenderCursor::default();
        cursor.begin_entry(
            self.view,
            RenderSource::Made(self.place, variant),
            self.include,
            Some(fields),
        );
        cursor.run(self.view, out, usize::MAX);
    }

    /// Calls `visit` for each entry that is expanded in one entry. Returns false if it did.
    fn visit_included(
        &self,
        variant: &Variant,
        visit: &mut dyn FnMut(usize, &str) -> bool,
    ) -> bool {
        for link in variant.links() {
            let Some(branch) = self.find_branch(variant, &link) else { continue };
            for id in link_texts(variant, &link) {
                let found = self.resolve_target(&link, id.as_bytes());
                let Some((place, ordinal)) = found else { continue };
                let Some(index) = self.view.snapshot.types().get(place) else { continue };
                let Some(entry) = index.entry_at(ordinal) else { continue };
                let below = IncludeLevel::new(self.view, place, &branch.below);
                let locale = self.view.resolve_locale(&index.content_type);
                if !visit(place, id) || !below.visit_included(entry.variant_for(locale), visit) {
                    return false;
                }
                if !link.many {
                    break;
                }
            }
        }
        true
    }

    /// Counts the entries that are expanded in one entry.
    fn count_included(
        &self,
        variant: &Variant,
        is_deep: bool,
        counter: &mut ExpansionCounter<'_>,
    ) -> Result<(), ExpansionStop> {
        for link in variant.links() {
            let Some(branch) = self.find_branch(variant, &link) else { continue };
            for id in link_ids(variant, &link) {
                counter.add_looks(1)?;
                let Some((place, ordinal)) = self.resolve_target(&link, id) else { continue };
                let Some(index) = self.view.snapshot.types().get(place) else { continue };
                let Some(doc) = index.entry_at(ordinal) else { continue };
                let variant = doc.variant_for(self.view.resolve_locale(&index.content_type));
                counter.add_entry(variant.slice_bytes(variant.entry_span()).len(), is_deep)?;
                if !branch.below.is_empty() {
                    let below = IncludeLevel::new(self.view, place, &branch.below);
                    below.count_included(variant, true, counter)?;
                }
                if !link.many {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Returns the JSON object of an entry for the caller who writes it, perhaps without the permission
/// to read it. Its relations show only targets that the caller sees. With `fields`, the positions
/// of data fields, the others are left out.
pub fn render_for_writer(
    view: &View<'_>,
    place: usize,
    ordinal: Ordinal,
    fields: Option<&[usize]>,
) -> Vec<u8> {
    let nothing = Arc::default();
    let mut out = Vec::new();
    if let Some(index) = view.snapshot.types().get(place)
        && let Some(doc) = index.entry_at(ordinal)
    {
        let variant = doc.variant_for(view.resolve_locale(&index.content_type));
        let level = IncludeLevel::new(view, place, &nothing);
        match fields {
            Some(fields) => level.write_fields(variant, fields, &mut out),
            None => level.write_span(variant, variant.entry_span(), &mut out),
        }
    }
    out
}

/// Returns the JSON text of a data field as the view's caller sees it.
pub(crate) fn render_field(
    view: &View<'_>,
    place: usize,
    variant: &Variant,
    field: usize,
) -> Vec<u8> {
    let nothing = Arc::default();
    let mut out = Vec::new();
    IncludeLevel::new(view, place, &nothing).write_span(
        variant,
        variant.field_span(field),
        &mut out,
    );
    out
}
