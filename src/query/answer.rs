//! Writes entries for one caller: finished bytes where they fit, and where a relation is hidden,
//! expanded or left out, the same bytes with other text in these places.

use std::sync::Arc;

use crate::model::field::Link;
use crate::query::doc::BODY_HEAD;
use crate::query::doc::BODY_TAIL;
use crate::query::doc::Span;
use crate::query::doc::Variant;
use crate::query::include::Branch;
use crate::query::include::Expanded;
use crate::query::include::Include;
use crate::query::include::IncludeLimits;
use crate::query::include::TooMuch;
use crate::query::list_query::Shape;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::view::Sight;
use crate::query::view::View;
use crate::query::walk;
use crate::query::walk::Of;
use crate::query::walk::Walk;

/// How many entries are looked at where others wait, to find out what is expanded.
const QUICK_LOOKS_MAX: usize = 1_000;

/// Writes the entries of one type.
pub struct Writer<'a> {
    view: &'a View<'a>,
    shape: &'a Shape,
    place: usize,
    index: &'a TypeIndex,
    locale: Option<usize>,
    level: Level<'a>,
}

impl<'a> Writer<'a> {
    /// A writer of entries of the type at `place`; nothing when there is no such type.
    pub fn new(view: &'a View<'a>, shape: &'a Shape, place: usize) -> Option<Writer<'a>> {
        let index = view.snapshot.types().get(place)?;
        let locale = view.locale(&index.content_type);
        let level = Level::new(view, place, &shape.include);
        Some(Writer { view, shape, place, index, locale, level })
    }

    /// The rendering of an entry when it can be sent as it is.
    pub fn finished(&self, ordinal: Ordinal) -> Option<&'a Variant> {
        let variant = self.variant(ordinal)?;
        if self.shape.fields.is_some() {
            return None;
        }
        self.level.is_plain(variant).then_some(variant)
    }

    /// Appends `{"data":{…}}`.
    pub fn body(&self, ordinal: Ordinal, out: &mut Vec<u8>) {
        out.extend_from_slice(BODY_HEAD);
        self.entry(ordinal, out);
        out.extend_from_slice(BODY_TAIL);
    }

    /// Appends the entry's JSON object.
    pub fn entry(&self, ordinal: Ordinal, out: &mut Vec<u8>) {
        let Some(variant) = self.variant(ordinal) else { return };
        if self.shape.fields.is_none() && variant.links.is_empty() {
            return out.extend_from_slice(variant.bytes(variant.entry()));
        }
        let mut walk = Walk::default();
        self.begin(ordinal, &mut walk);
        walk.run(self.view, out, usize::MAX);
    }

    /// Begins the entry's JSON object, to be written piece by piece.
    pub fn begin(&self, ordinal: Ordinal, walk: &mut Walk<'_>) {
        let fields = self.shape.fields.as_deref();
        walk.begin(self.view, Of::Entry(self.place, ordinal), &self.shape.include, fields);
    }

    /// About how many bytes these entries take, without what is expanded. To look at all of them first
    /// lets the memory of many arrive at once, which costs less than one after the other while they
    /// are written.
    pub fn bytes(&self, ordinals: &[Ordinal]) -> usize {
        let bytes = |variant: &Variant| variant.body.len();
        ordinals.iter().filter_map(|it| self.variant(*it)).map(bytes).sum()
    }

    /// What is expanded in these entries, or the limit that it would pass.
    pub fn expanded(
        &self,
        ordinals: &[Ordinal],
        limits: &IncludeLimits,
    ) -> Result<Expanded, TooMuch> {
        let mut expanded = Expanded::default();
        if !self.shape.include.is_empty() {
            for variant in ordinals.iter().filter_map(|it| self.variant(*it)) {
                self.level.count(variant, false, &mut expanded, limits)?;
            }
        }
        Ok(expanded)
    }

    /// Whether it takes a moment to say what is expanded in these: so many are looked at.
    pub fn is_costly_to_count(&self, ordinals: &[Ordinal]) -> bool {
        if self.shape.include.is_empty() {
            return false;
        }
        let mut looks = ordinals.len();
        for variant in ordinals.iter().take(QUICK_LOOKS_MAX).filter_map(|it| self.variant(*it)) {
            self.level.guess(variant, &mut looks);
            if looks > QUICK_LOOKS_MAX {
                break;
            }
        }
        looks > QUICK_LOOKS_MAX
    }

    fn variant(&self, ordinal: Ordinal) -> Option<&'a Variant> {
        debug_assert!(self.view.sees(self.place, ordinal));
        Some(self.index.doc(ordinal)?.variant(self.locale))
    }
}

/// Entries of one type on one level of an include tree.
pub(super) struct Level<'a> {
    view: &'a View<'a>,
    include: &'a Arc<Include>,
    place: usize,
}

impl<'a> Level<'a> {
    pub(super) fn new(view: &'a View<'a>, place: usize, include: &'a Arc<Include>) -> Level<'a> {
        Level { view, include, place }
    }

    /// Whether nothing in the rendering has to be replaced.
    fn is_plain(&self, variant: &Variant) -> bool {
        variant.links.iter().all(|link| {
            self.branch(variant, link).is_none()
                && ids(variant, link).all(|id| self.resolve(link, id).is_some())
        })
    }

    fn target(&self, link: &Link) -> Option<usize> {
        *self.view.snapshot.targets(self.place).get(usize::from(link.target))?
    }

    fn resolve(&self, link: &Link, id: &str) -> Option<(usize, Ordinal)> {
        let place = self.target(link)?;
        Some((place, self.view.target(place, id)?))
    }

    /// The branch that expands a link, when it is the value of an included field.
    fn branch(&self, variant: &Variant, link: &Link) -> Option<&'a Branch> {
        self.include.branches.get(walk::branch(self.include, variant, link)?)
    }

    /// Whether some relation in the rendering leads to what may be there and the caller does not see.
    pub(super) fn hides(&self, variant: &Variant) -> bool {
        let sees_all = |link: &Link| {
            self.target(link).is_some_and(|it| matches!(self.view.sight(it), Sight::Everything))
        };
        let is_hidden = |link: &&Link| {
            !sees_all(link) && ids(variant, link).any(|id| self.resolve(link, id).is_none())
        };
        variant.links.iter().any(|it| is_hidden(&it))
    }

    /// Appends a stretch of the rendering with its links as the caller may see them.
    pub(super) fn write(&self, variant: &Variant, span: Span, out: &mut Vec<u8>) {
        let mut walk = Walk::default();
        walk.begin_span(Of::Made(self.place, variant), self.include, span);
        walk.run(self.view, out, usize::MAX);
    }

    /// Appends the entry with some data fields alone.
    pub(super) fn write_fields(&self, variant: &Variant, fields: &[usize], out: &mut Vec<u8>) {
        let mut walk = Walk::default();
        walk.begin(self.view, Of::Made(self.place, variant), self.include, Some(fields));
        walk.run(self.view, out, usize::MAX);
    }

    /// About how many entries would be looked at to count those that are expanded, without looking
    /// beyond the first level.
    fn guess(&self, variant: &Variant, looks: &mut usize) {
        /// An id in quotes with its comma.
        const ID_BYTES: usize = 19;
        for link in &variant.links {
            if let Some(branch) = self.branch(variant, link) {
                let near = (link.end.saturating_sub(link.start) as usize).div_ceil(ID_BYTES);
                let deep = if branch.below.is_empty() { 0 } else { near * near };
                *looks = looks.saturating_add(near).saturating_add(deep);
            }
        }
    }

    /// Counts the entries that are expanded in one.
    fn count(
        &self,
        variant: &Variant,
        is_deep: bool,
        expanded: &mut Expanded,
        limits: &IncludeLimits,
    ) -> Result<(), TooMuch> {
        for link in &variant.links {
            let Some(branch) = self.branch(variant, link) else { continue };
            let many = if link.many { usize::MAX } else { 1 };
            let targets = ids(variant, link).filter_map(|id| self.resolve(link, id));
            for (place, ordinal) in targets.take(many) {
                let Some(index) = self.view.snapshot.types().get(place) else { continue };
                let Some(doc) = index.doc(ordinal) else { continue };
                let variant = doc.variant(self.view.locale(&index.content_type));
                expanded.add(variant.bytes(variant.entry()).len(), is_deep, limits)?;
                if !branch.below.is_empty() {
                    let below = Level::new(self.view, place, &branch.below);
                    below.count(variant, true, expanded, limits)?;
                }
            }
        }
        Ok(())
    }
}

/// The JSON object of an entry for a caller who writes it, and who may do so without the right to
/// read it: what it points to shows as far as that caller sees it.
pub fn seen_by_writer(view: &View<'_>, place: usize, ordinal: Ordinal) -> Vec<u8> {
    let nothing = Arc::default();
    let mut out = Vec::new();
    if let Some(index) = view.snapshot.types().get(place)
        && let Some(doc) = index.doc(ordinal)
    {
        let variant = doc.variant(view.locale(&index.content_type));
        Level::new(view, place, &nothing).write(variant, variant.entry(), &mut out);
    }
    out
}

/// The JSON text of a data field of an entry as the view's caller sees it.
pub(crate) fn seen_field(
    view: &View<'_>,
    place: usize,
    variant: &Variant,
    field: usize,
) -> Vec<u8> {
    let nothing = Arc::default();
    let mut out = Vec::new();
    Level::new(view, place, &nothing).write(variant, variant.field_span(field), &mut out);
    out
}

/// The ids inside a link.
pub(crate) fn ids<'v>(variant: &'v Variant, link: &Link) -> impl Iterator<Item = &'v str> {
    ids_from(variant, Span { start: link.start, end: link.end }).map(|(id, _)| id)
}

/// The ids inside a stretch of a link, each with the place where it ends: what stands between quotes,
/// since ids need no escapes.
pub(super) fn ids_from(variant: &Variant, span: Span) -> impl Iterator<Item = (&str, u32)> {
    let mut rest = variant.bytes(span);
    std::iter::from_fn(move || {
        let (_, behind) = split_at_quote(rest)?;
        let (id, behind) = split_at_quote(behind)?;
        rest = behind;
        let left = u32::try_from(rest.len()).unwrap_or(u32::MAX);
        Some((std::str::from_utf8(id).ok()?, span.end.saturating_sub(left)))
    })
}

fn split_at_quote(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|it| *it == b'"')?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}
