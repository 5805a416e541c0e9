//! Writes entries for one caller: finished bytes where they fit, and where a relation is hidden,
//! expanded or left out, the same bytes with other text in these places.

use crate::model::field::Link;
use crate::query::doc::BODY_HEAD;
use crate::query::doc::BODY_TAIL;
use crate::query::doc::Doc;
use crate::query::doc::Span;
use crate::query::doc::Variant;
use crate::query::include::Branch;
use crate::query::include::INCLUDE_NODES_MAX;
use crate::query::include::Include;
use crate::query::list_query::Shape;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::view::Sight;
use crate::query::view::View;

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
        let level = Level::new(view, index, &shape.include);
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
        match &self.shape.fields {
            None => self.level.write(variant, variant.entry(), out),
            Some(fields) => self.level.write_fields(variant, fields, out),
        }
    }

    /// About how many bytes these entries take. To look at all of them first lets the memory of
    /// many arrive at once, which costs less than one after the other while they are written.
    pub fn bytes(&self, ordinals: &[Ordinal]) -> usize {
        let bytes = |variant: &Variant| variant.body.len();
        ordinals.iter().filter_map(|it| self.variant(*it)).map(bytes).sum()
    }

    /// About how many entries are expanded in these; nothing when they are more than one answer may
    /// hold.
    pub fn expanded(&self, ordinals: &[Ordinal]) -> Option<usize> {
        if self.shape.include.is_empty() {
            return Some(0);
        }
        let (mut near, mut nodes) = (0, 0);
        for variant in ordinals.iter().filter_map(|it| self.variant(*it)) {
            near += self.level.guess(variant);
            if self.shape.include.is_deep() {
                self.level.count(variant, 0, &mut nodes);
            }
            if nodes > INCLUDE_NODES_MAX {
                return None;
            }
        }
        Some(near + nodes)
    }

    fn variant(&self, ordinal: Ordinal) -> Option<&'a Variant> {
        debug_assert!(self.view.sees(self.place, ordinal));
        Some(self.index.doc(ordinal)?.variant(self.locale))
    }
}

/// Entries of one type on one level of an include tree.
pub(super) struct Level<'a> {
    view: &'a View<'a>,
    include: &'a Include,
    /// The places of the type's relation targets, in the order in which links number them.
    targets: Vec<Option<usize>>,
}

impl<'a> Level<'a> {
    pub(super) fn new(view: &'a View<'a>, index: &TypeIndex, include: &'a Include) -> Level<'a> {
        let names = &index.content_type.relation_targets;
        let targets = names.iter().map(|it| view.snapshot.place(it.as_str())).collect();
        Level { view, include, targets }
    }

    /// Whether nothing in the rendering has to be replaced.
    fn is_plain(&self, variant: &Variant) -> bool {
        variant.links.iter().all(|link| {
            self.branch(variant, link).is_none()
                && ids(variant, link).all(|id| self.resolve(link, id).is_some())
        })
    }

    fn resolve(&self, link: &Link, id: &str) -> Option<(usize, Ordinal)> {
        let place = (*self.targets.get(usize::from(link.target))?)?;
        Some((place, self.view.target(place, id)?))
    }

    /// The branch that expands a link, when it is the value of an included field.
    fn branch(&self, variant: &Variant, link: &Link) -> Option<&'a Branch> {
        let is_of = |it: &&Branch| variant.field_span(it.field).start == link.start;
        self.include.branches.iter().find(is_of)
    }

    /// Whether some relation in the rendering leads to what may be there and the caller does not see.
    pub(super) fn hides(&self, variant: &Variant) -> bool {
        let sees_all = |link: &Link| {
            let place = self.targets.get(usize::from(link.target)).copied().flatten();
            place.is_some_and(|it| matches!(self.view.sight(it), Sight::Everything))
        };
        let is_hidden = |link: &&Link| {
            !sees_all(link) && ids(variant, link).any(|id| self.resolve(link, id).is_none())
        };
        variant.links.iter().any(|it| is_hidden(&it))
    }

    /// Appends a stretch of the rendering with its links as the caller may see them.
    pub(super) fn write(&self, variant: &Variant, span: Span, out: &mut Vec<u8>) {
        let mut at = span.start;
        let inside = variant.links.iter().filter(|it| span.start <= it.start && it.end <= span.end);
        for link in inside {
            out.extend_from_slice(variant.bytes(Span { start: at, end: link.start }));
            self.write_link(variant, link, out);
            at = link.end;
        }
        out.extend_from_slice(variant.bytes(Span { start: at, end: span.end }));
    }

    fn write_link(&self, variant: &Variant, link: &Link, out: &mut Vec<u8>) {
        let branch = self.branch(variant, link);
        let mut seen = ids(variant, link).filter_map(|id| self.resolve(link, id));
        if link.many {
            crate::model::field::write_list(out, seen, |out, target| {
                self.write_target(branch, target, out);
            });
        } else if let Some(target) = seen.next() {
            self.write_target(branch, target, out);
        } else {
            out.extend_from_slice(b"null");
        }
    }

    /// Appends a target: its id, or the whole entry where the branch says so.
    fn write_target(
        &self,
        branch: Option<&Branch>,
        (place, ordinal): (usize, Ordinal),
        out: &mut Vec<u8>,
    ) {
        let Some((index, doc)) = self.doc(place, ordinal) else { return };
        match branch {
            None => crate::stdx::json::write_string(doc.id.as_str(), out),
            Some(branch) => {
                let variant = doc.variant(self.view.locale(&index.content_type));
                let level = Level::new(self.view, index, &branch.below);
                level.write(variant, variant.entry(), out);
            }
        }
    }

    fn doc(&self, place: usize, ordinal: Ordinal) -> Option<(&'a TypeIndex, &'a Doc)> {
        let index = self.view.snapshot.types().get(place)?;
        Some((index, index.doc(ordinal)?))
    }

    /// Appends the entry with some data fields alone.
    pub(super) fn write_fields(&self, variant: &Variant, fields: &[usize], out: &mut Vec<u8>) {
        out.extend_from_slice(variant.bytes(variant.head()));
        let mut first = true;
        for field in fields {
            let member = variant.member_span(*field);
            if member.start < member.end {
                if !first {
                    out.push(b',');
                }
                first = false;
                self.write(variant, member, out);
            }
        }
        out.extend_from_slice(b"}}");
    }

    /// About how many entries would be expanded on the first level, without looking for them.
    fn guess(&self, variant: &Variant) -> usize {
        /// An id in quotes with its comma.
        const ID_BYTES: usize = 19;
        let expanded = variant.links.iter().filter(|it| self.branch(variant, it).is_some());
        expanded.map(|it| (it.end.saturating_sub(it.start) as usize).div_ceil(ID_BYTES)).sum()
    }

    /// Counts the entries that would be expanded below the first level.
    fn count(&self, variant: &Variant, level: usize, nodes: &mut usize) {
        for link in &variant.links {
            let Some(branch) = self.branch(variant, link) else { continue };
            for (place, ordinal) in ids(variant, link).filter_map(|id| self.resolve(link, id)) {
                *nodes += usize::from(level > 0);
                if *nodes > INCLUDE_NODES_MAX {
                    return;
                }
                if branch.below.is_empty() {
                    continue;
                }
                if let Some((index, doc)) = self.doc(place, ordinal) {
                    let below = Level::new(self.view, index, &branch.below);
                    let variant = doc.variant(self.view.locale(&index.content_type));
                    below.count(variant, level + 1, nodes);
                }
            }
        }
    }
}

/// The JSON object of an entry for a caller who writes it, and who may do so without the right to
/// read it: what it points to shows as far as that caller sees it.
pub fn seen_by_writer(view: &View<'_>, place: usize, ordinal: Ordinal) -> Vec<u8> {
    let nothing = Include::default();
    let mut out = Vec::new();
    if let Some(index) = view.snapshot.types().get(place)
        && let Some(doc) = index.doc(ordinal)
    {
        let variant = doc.variant(view.locale(&index.content_type));
        Level::new(view, index, &nothing).write(variant, variant.entry(), &mut out);
    }
    out
}

/// The JSON text of a data field of an entry as the view's caller sees it.
pub(crate) fn seen_field(
    view: &View<'_>,
    index: &TypeIndex,
    variant: &Variant,
    field: usize,
) -> Vec<u8> {
    let nothing = Include::default();
    let mut out = Vec::new();
    Level::new(view, index, &nothing).write(variant, variant.field_span(field), &mut out);
    out
}

/// The ids inside a link: what stands between its quotes, since ids need no escapes.
pub(crate) fn ids<'v>(variant: &'v Variant, link: &Link) -> impl Iterator<Item = &'v str> {
    let mut rest = variant.bytes(Span { start: link.start, end: link.end });
    std::iter::from_fn(move || {
        let (_, behind) = split_at_quote(rest)?;
        let (id, behind) = split_at_quote(behind)?;
        rest = behind;
        std::str::from_utf8(id).ok()
    })
}

fn split_at_quote(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|it| *it == b'"')?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}
