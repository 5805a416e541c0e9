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
    /// Whether its values have relations inside: they then count as none, since their order would
    /// tell of entries that a reader does not see.
    pub veiled: bool,
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
            (SortValue::Number(one), SortValue::Number(two)) => one.total_cmp(two),
            (SortValue::Text(one), SortValue::Text(two)) => one.cmp(two),
            (SortValue::Number(_), SortValue::Text(_)) => Ordering::Less,
            (SortValue::Text(_), SortValue::Number(_)) => Ordering::Greater,
        }
    }
}

/// Says which relation targets count, by the target's id.
pub type Sees<'a> = &'a dyn Fn(&str) -> bool;

impl Order {
    /// Whether any key is a relation, whose values depend on who reads.
    pub fn depends_on_reader(&self, ty: &ContentType) -> bool {
        self.keys.iter().any(|it| it.field.relation(ty).is_some())
    }

    /// How one entry stands to another.
    pub fn compare(
        &self,
        ty: &ContentType,
        locale: Option<usize>,
        one: &Doc,
        two: &Doc,
    ) -> Ordering {
        for key in &self.keys {
            let (a, b) = (value(key, ty, one, locale, None), value(key, ty, two, locale, None));
            let ordering = directed(key.descending, a.as_ref(), b.as_ref(), SortValue::compare);
            if ordering.is_ne() {
                return ordering;
            }
        }
        let by_id = one.id.as_str().cmp(two.id.as_str());
        if self.ties_descend() { by_id.reverse() } else { by_id }
    }

    /// The given entries in order. `sees` decides which targets of relation keys count.
    pub fn sort(
        &self,
        index: &TypeIndex,
        locale: Option<usize>,
        ordinals: impl Iterator<Item = Ordinal>,
        sees: Option<Sees<'_>>,
    ) -> Vec<Ordinal> {
        let ty = &index.content_type;
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
                .map(|(ordinal, doc)| (value(key, ty, doc, locale, sees), (ordinal, doc)))
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
        let mut list = list.clone();
        for ordinal in touched {
            if let Some(doc) = old.doc(*ordinal) {
                list.remove_by(*ordinal, |probe| self.stands(old, locale, probe, doc));
            }
        }
        for ordinal in touched {
            if let Some(doc) = new.doc(*ordinal) {
                list.insert_by(*ordinal, |probe| self.stands(new, locale, probe, doc));
            }
        }
        list
    }

    fn stands(
        &self,
        index: &TypeIndex,
        locale: Option<usize>,
        probe: Ordinal,
        doc: &Doc,
    ) -> Ordering {
        match index.doc(probe) {
            Some(probe) => self.compare(&index.content_type, locale, probe, doc),
            None => Ordering::Less,
        }
    }

    fn ties_descend(&self) -> bool {
        self.keys.last().is_some_and(|it| it.descending)
    }
}

/// The first value of the key, which stands for a list of them.
fn value(
    key: &SortKey,
    ty: &ContentType,
    doc: &Doc,
    locale: Option<usize>,
    sees: Option<Sees<'_>>,
) -> Option<SortValue> {
    if key.veiled {
        return None;
    }
    let mut first = None;
    key.field.values(ty, doc, locale, &mut |value| {
        let counts = match (sees, value) {
            (Some(sees), Comparable::Text(id)) if key.field.relation(ty).is_some() => sees(id),
            _ => true,
        };
        if counts && first.is_none() {
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
