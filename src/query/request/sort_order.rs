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
pub enum SortValue {
    /// A number.
    Number(ExactNumber),
    /// A text without case.
    Text(Box<str>),
}

impl SortValue {
    /// Returns the form of a value in which it is compared.
    pub fn from_comparable(value: Comparable<'_>) -> SortValue {
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

/// A source of the value by which an entry is sorted, for the key at a position.
pub type SortValueSource<'a> = &'a dyn Fn(usize, Ordinal, &RenderedEntry) -> Option<SortValue>;

/// An entry with its values for all keys, while a list is sorted.
type SortedRow<'a> = (&'a [Option<SortValue>], Ordinal, &'a RenderedEntry);

impl SortKey {
    /// Returns the first value of an entry, which represents a list of values.
    pub fn find_value(&self, doc: &RenderedEntry, values: ValueSource<'_>) -> Option<SortValue> {
        let mut first = None;
        values(&self.field, doc, &mut |value| {
            if first.is_none() {
                first = Some(SortValue::from_comparable(value));
            }
        });
        first
    }

    /// Compares in the direction of the key. Missing values come last in both directions.
    fn compare_values(&self, one: Option<&SortValue>, two: Option<&SortValue>) -> Ordering {
        match (one, two) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(one), Some(two)) if self.descending => two.compare(one),
            (Some(one), Some(two)) => one.compare(two),
        }
    }
}

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
        let values: Vec<_> = self.keys.iter().map(|it| it.find_value(two, stored)).collect();
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
            let a = key.find_value(one, values);
            let ordering = key.compare_values(a.as_ref(), b.as_ref());
            if ordering.is_ne() {
                return ordering;
            }
        }
        self.compare_ids(one, two)
    }

    /// Compares two rows.
    fn compare_rows(&self, one: &SortedRow<'_>, two: &SortedRow<'_>) -> Ordering {
        let values = self.keys.iter().zip(one.0.iter().zip(two.0));
        let mut orderings = values.map(|(key, (a, b))| key.compare_values(a.as_ref(), b.as_ref()));
        orderings.find(|it| it.is_ne()).unwrap_or_else(|| self.compare_ids(one.2, two.2))
    }

    /// Compares two entries whose values are equal, in the direction of the last key.
    fn compare_ids(&self, one: &RenderedEntry, two: &RenderedEntry) -> Ordering {
        let by_id = one.compare_ids(two);
        if self.keys.last().is_some_and(|it| it.descending) { by_id.reverse() } else { by_id }
    }

    /// All entries in order.
    pub(crate) fn sorted_list(&self, index: &EntryTable, locale: Option<usize>) -> SortedList {
        let ty = &index.content_type;
        let stored: ValueSource<'_> = &|field, doc, each| field.visit_values(ty, doc, locale, each);
        let value_of: SortValueSource<'_> =
            &|key, _, doc| self.keys.get(key).and_then(|it| it.find_value(doc, stored));
        let live = index.live().iter();
        SortedList::from_sorted(self.sort_entries(index, live, usize::MAX, value_of))
    }

    /// Returns the first `count_max` of the given entries, in order of their values.
    pub fn sort_entries(
        &self,
        index: &EntryTable,
        ordinals: impl Iterator<Item = Ordinal>,
        count_max: usize,
        value_of: SortValueSource<'_>,
    ) -> Vec<Ordinal> {
        let entries: Vec<(Ordinal, &RenderedEntry)> =
            ordinals.filter_map(|it| Some((it, &**index.entry_at(it)?))).collect();
        // The values are computed once. Those of an entry stand side by side.
        let width = self.keys.len();
        let mut values = Vec::with_capacity(entries.len() * width);
        for (ordinal, doc) in &entries {
            values.extend((0..width).map(|key| value_of(key, *ordinal, doc)));
        }
        let of_entries = values.chunks_exact(width.max(1));
        let mut rows: Vec<SortedRow<'_>> = of_entries
            .zip(entries)
            .map(|(values, (ordinal, doc))| (values, ordinal, doc))
            .collect();
        if count_max < rows.len() {
            rows.select_nth_unstable_by(count_max, |a, b| self.compare_rows(a, b));
            rows.truncate(count_max);
        }
        rows.sort_by(|a, b| self.compare_rows(a, b));
        rows.into_iter().map(|(_, ordinal, _)| ordinal).collect()
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
        let values: Vec<_> = self.keys.iter().map(|it| it.find_value(doc, stored)).collect();
        change(&|probe| match index.entry_at(probe) {
            Some(probe) => self.compare_to_values(probe, doc, &values, stored),
            None => Ordering::Less,
        });
    }
}
