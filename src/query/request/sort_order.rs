//! Orders of entries by one or several keys: missing values last, ties by id.

use std::cmp::Ordering;

use crate::model::content_type::ContentType;
use crate::model::field::Comparable;
use crate::model::field::ExactNumber;
use crate::query::index::entry_table::EntryTable;
use crate::query::index::entry_table::Ordinal;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::field_ref::FieldRef;
use crate::stdx::cow_list::SortedList;
use crate::stdx::fold::casefold;

/// One key of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// The compared field.
    pub field: FieldRef,
    /// True if greater values come first.
    pub descending: bool,
}

/// An order of entries.
#[derive(Clone, Debug, PartialEq)]
pub struct SortOrder {
    /// The keys, most significant first; never empty.
    pub keys: Vec<SortKey>,
    /// A text that identifies the order: equal orders have equal keys.
    pub key: String,
}

/// A value in comparable form.
#[derive(Clone, Debug, PartialEq)]
enum SortValue {
    Number(ExactNumber),
    Text(Box<str>),
}

impl SortValue {
    fn from_comparable(value: Comparable<'_>) -> SortValue {
        match value {
            Comparable::Number(number) | Comparable::WrittenNumber(number, _) => {
                SortValue::Number(number)
            }
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

/// A source of the values of a field of an entry, as a reader sees them.
pub type ValueSource<'a> = &'a dyn Fn(&FieldRef, &RenderedEntry, &mut dyn FnMut(Comparable<'_>));

impl SortOrder {
    /// Returns true if any key is or contains a relation, whose values depend on the reader.
    pub fn depends_on_reader(&self, ty: &ContentType) -> bool {
        let depends = |it: &FieldRef| it.relation_target(ty).is_some() || it.holds_relations(ty);
        self.keys.iter().any(|it| depends(&it.field))
    }

    /// Compares two entries.
    pub fn compare_entries(
        &self,
        ty: &ContentType,
        locale: Option<usize>,
        one: &RenderedEntry,
        two: &RenderedEntry,
    ) -> Ordering {
        let stored: ValueSource<'_> = &|field, doc, each| field.visit_values(ty, doc, locale, each);
        let values: Vec<_> = self.keys.iter().map(|it| first_value(it, two, stored)).collect();
        self.compare_to_values(one, two, &values, stored)
    }

    /// Compares an entry with another whose values are given.
    fn compare_to_values(
        &self,
        one: &RenderedEntry,
        two: &RenderedEntry,
        of_two: &[Option<SortValue>],
        values: ValueSource<'_>,
    ) -> Ordering {
        for (key, b) in self.keys.iter().zip(of_two) {
            let a = first_value(key, one, values);
            let ordering =
                compare_directed(key.descending, a.as_ref(), b.as_ref(), SortValue::compare);
            if ordering.is_ne() {
                return ordering;
            }
        }
        let by_id = one.compare_ids(two);
        if self.ties_descend() { by_id.reverse() } else { by_id }
    }

    /// All entries in order.
    pub(crate) fn sorted_list(&self, index: &EntryTable, locale: Option<usize>) -> SortedList {
        let ty = &index.content_type;
        let stored: ValueSource<'_> = &|field, doc, each| field.visit_values(ty, doc, locale, each);
        SortedList::from_sorted(self.sort_entries(index, index.live().iter(), stored))
    }

    /// Returns the given entries in order of their `values`.
    pub fn sort_entries(
        &self,
        index: &EntryTable,
        ordinals: impl Iterator<Item = Ordinal>,
        values: ValueSource<'_>,
    ) -> Vec<Ordinal> {
        let mut rows: Vec<(Ordinal, &RenderedEntry)> =
            ordinals.filter_map(|it| Some((it, &**index.entry_at(it)?))).collect();
        rows.sort_by(|(_, a), (_, b)| a.compare_ids(b));
        if self.ties_descend() {
            rows.reverse();
        }
        // The values of each key are computed once. The least significant key is sorted first, and
        // sorting is stable.
        for key in self.keys.iter().rev() {
            let mut keyed: Vec<(Option<SortValue>, (Ordinal, &RenderedEntry))> = rows
                .into_iter()
                .map(|(ordinal, doc)| (first_value(key, doc, values), (ordinal, doc)))
                .collect();
            keyed.sort_by(|(a, _), (b, _)| {
                compare_directed(key.descending, a.as_ref(), b.as_ref(), SortValue::compare)
            });
            rows = keyed.into_iter().map(|(_, row)| row).collect();
        }
        rows.into_iter().map(|(ordinal, _)| ordinal).collect()
    }

    /// Returns a kept order after some entries changed. They are removed by their old values and
    /// inserted by their new ones.
    pub(crate) fn update_list(
        &self,
        list: &SortedList,
        locale: Option<usize>,
        old: &EntryTable,
        new: &EntryTable,
        touched: &[Ordinal],
    ) -> SortedList {
        // An entry with unchanged keys need not be compared with others.
        let moved = |ordinal: &&Ordinal| match (old.entry_at(**ordinal), new.entry_at(**ordinal)) {
            (Some(was), Some(is)) => {
                self.compare_entries(&new.content_type, locale, was, is).is_ne()
            }
            _ => true,
        };
        let moved: Vec<Ordinal> = touched.iter().filter(moved).copied().collect();
        let mut list = list.clone();
        for ordinal in &moved {
            self.with_comparator(old, locale, *ordinal, |compare| {
                list.remove_by(*ordinal, compare)
            });
        }
        for ordinal in &moved {
            self.with_comparator(new, locale, *ordinal, |compare| {
                list.insert_by(*ordinal, compare)
            });
        }
        list
    }

    /// Calls `change` with a function that compares any entry with the one at `ordinal`, if it
    /// exists.
    fn with_comparator<T>(
        &self,
        index: &EntryTable,
        locale: Option<usize>,
        ordinal: Ordinal,
        change: impl FnOnce(&dyn Fn(u32) -> Ordering) -> T,
    ) {
        let Some(doc) = index.entry_at(ordinal) else { return };
        let ty = &index.content_type;
        let stored: ValueSource<'_> = &|field, doc, each| field.visit_values(ty, doc, locale, each);
        let values: Vec<_> = self.keys.iter().map(|it| first_value(it, doc, stored)).collect();
        change(&|probe| match index.entry_at(probe) {
            Some(probe) => self.compare_to_values(probe, doc, &values, stored),
            None => Ordering::Less,
        });
    }

    fn ties_descend(&self) -> bool {
        self.keys.last().is_some_and(|it| it.descending)
    }
}

/// Returns the first value of the key, which represents a list of values.
fn first_value(key: &SortKey, doc: &RenderedEntry, values: ValueSource<'_>) -> Option<SortValue> {
    let mut first = None;
    values(&key.field, doc, &mut |value| {
        if first.is_none() {
            first = Some(SortValue::from_comparable(value));
        }
    });
    first
}

/// Compares in the given direction. Missing values come last in both directions.
fn compare_directed<T>(
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
