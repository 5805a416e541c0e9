//! Orders of entries: by one or several keys, nothing last, ties by id.

use std::cmp::Ordering;

use crate::model::content_type::ContentType;
use crate::model::field::Comparable;
use crate::query::doc::Doc;
use crate::query::field_ref::FieldRef;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::stdx::fold::casefold;
use crate::stdx::list::SortedList;

/// One key of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// What is compared.
    pub field: FieldRef,
    /// Whether greater values come first.
    pub descending: bool,
}

/// An order of entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The keys, most significant first; never empty.
    pub keys: Vec<SortKey>,
    /// A text that equal orders share and different ones don't.
    pub key: String,
}

/// A value as orders compare it.
#[derive(Clone, Debug, PartialEq)]
enum SortValue {
    Number(f64),
    Text(Box<str>),
}

impl SortValue {
    fn of(value: Comparable<'_>) -> SortValue {
        match value {
            Comparable::Number(number) => SortValue::Number(number),
            Comparable::Text(text) => SortValue::Text(casefold(text).into()),
        }
    }

    fn compare(&self, other: &SortValue) -> Ordering {
        match (self, other) {
            // Stored numbers are finite.
            (SortValue::Number(one), SortValue::Number(two)) => {
                one.partial_cmp(two).unwrap_or(Ordering::Equal)
            }
            (SortValue::Text(one), SortValue::Text(two)) => one.cmp(two),
            (SortValue::Number(_), SortValue::Text(_)) => Ordering::Less,
            (SortValue::Text(_), SortValue::Number(_)) => Ordering::Greater,
        }
    }
}

/// Gives the values of a field of an entry, as somebody sees them.
pub type Values<'a> = &'a dyn Fn(&FieldRef, &Doc, &mut dyn FnMut(Comparable<'_>));

impl Order {
    /// Whether any key is or holds a relation, whose values depend on who reads.
    pub fn depends_on_reader(&self, ty: &ContentType) -> bool {
        let depends = |it: &FieldRef| it.relation(ty).is_some() || it.holds_relations(ty);
        self.keys.iter().any(|it| depends(&it.field))
    }

    /// How one entry stands to another.
    pub fn compare(
        &self,
        ty: &ContentType,
        locale: Option<usize>,
        one: &Doc,
        two: &Doc,
    ) -> Ordering {
        let stored: Values<'_> = &|field, doc, each| field.values(ty, doc, locale, each);
        let values: Vec<_> = self.keys.iter().map(|it| value(it, two, stored)).collect();
        self.stands(one, two, &values, stored)
    }

    /// How one entry stands to another whose values are known.
    fn stands(
        &self,
        one: &Doc,
        two: &Doc,
        of_two: &[Option<SortValue>],
        values: Values<'_>,
    ) -> Ordering {
        for (key, b) in self.keys.iter().zip(of_two) {
            let a = value(key, one, values);
            let ordering = directed(key.descending, a.as_ref(), b.as_ref(), SortValue::compare);
            if ordering.is_ne() {
                return ordering;
            }
        }
        let by_id = one.id.as_str().cmp(two.id.as_str());
        if self.ties_descend() { by_id.reverse() } else { by_id }
    }

    /// All entries in order.
    pub(crate) fn sorted_list(&self, index: &TypeIndex, locale: Option<usize>) -> SortedList {
        let ty = &index.content_type;
        let stored: Values<'_> = &|field, doc, each| field.values(ty, doc, locale, each);
        SortedList::from_sorted(self.sort(index, index.live().iter(), stored))
    }

    /// The given entries in order of their `values`.
    pub fn sort(
        &self,
        index: &TypeIndex,
        ordinals: impl Iterator<Item = Ordinal>,
        values: Values<'_>,
    ) -> Vec<Ordinal> {
        let mut rows: Vec<(Ordinal, &Doc)> =
            ordinals.filter_map(|it| Some((it, &**index.doc(it)?))).collect();
        rows.sort_by(|(_, a), (_, b)| a.id.as_str().cmp(b.id.as_str()));
        if self.ties_descend() {
            rows.reverse();
        }
        // Each key's values are computed once; the least significant key is sorted first, and
        // sorting is stable.
        for key in self.keys.iter().rev() {
            let mut keyed: Vec<(Option<SortValue>, (Ordinal, &Doc))> = rows
                .into_iter()
                .map(|(ordinal, doc)| (value(key, doc, values), (ordinal, doc)))
                .collect();
            keyed.sort_by(|(a, _), (b, _)| {
                directed(key.descending, a.as_ref(), b.as_ref(), SortValue::compare)
            });
            rows = keyed.into_iter().map(|(_, row)| row).collect();
        }
        rows.into_iter().map(|(ordinal, _)| ordinal).collect()
    }

    /// The kept order after some entries changed: they leave by what they were and come back by
    /// what they are.
    pub(crate) fn carry(
        &self,
        list: &SortedList,
        locale: Option<usize>,
        old: &TypeIndex,
        new: &TypeIndex,
        touched: &[Ordinal],
    ) -> SortedList {
        // An entry that stands where it stood needs no look at the others.
        let moved = |ordinal: &&Ordinal| match (old.doc(**ordinal), new.doc(**ordinal)) {
            (Some(was), Some(is)) => self.compare(&new.content_type, locale, was, is).is_ne(),
            _ => true,
        };
        let moved: Vec<Ordinal> = touched.iter().filter(moved).copied().collect();
        let mut list = list.clone();
        for ordinal in &moved {
            self.seek(old, locale, *ordinal, |stands| list.remove_by(*ordinal, stands));
        }
        for ordinal in &moved {
            self.seek(new, locale, *ordinal, |stands| list.insert_by(*ordinal, stands));
        }
        list
    }

    /// Calls `change` with how any entry stands to the one at `ordinal`, if there is one.
    fn seek<T>(
        &self,
        index: &TypeIndex,
        locale: Option<usize>,
        ordinal: Ordinal,
        change: impl FnOnce(&dyn Fn(u32) -> Ordering) -> T,
    ) {
        let Some(doc) = index.doc(ordinal) else { return };
        let ty = &index.content_type;
        let stored: Values<'_> = &|field, doc, each| field.values(ty, doc, locale, each);
        let values: Vec<_> = self.keys.iter().map(|it| value(it, doc, stored)).collect();
        change(&|probe| match index.doc(probe) {
            Some(probe) => self.stands(probe, doc, &values, stored),
            None => Ordering::Less,
        });
    }

    fn ties_descend(&self) -> bool {
        self.keys.last().is_some_and(|it| it.descending)
    }
}

/// The first value of the key, which stands for a list of them.
fn value(key: &SortKey, doc: &Doc, values: Values<'_>) -> Option<SortValue> {
    let mut first = None;
    values(&key.field, doc, &mut |value| {
        if first.is_none() {
            first = Some(SortValue::of(value));
        }
    });
    first
}

/// Nothing comes last in both directions.
fn directed<T>(
    descending: bool,
    one: Option<&T>,
    two: Option<&T>,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Ordering {
    match (one, two) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(one), Some(two)) if descending => compare(two, one),
        (Some(one), Some(two)) => compare(one, two),
    }
}
