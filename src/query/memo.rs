//! Structures derived from a type's entries: made when a query first needs them, carried along
//! from one index to the next, and forgotten when others are needed more.
//!
//! All of them say the same as a look at every entry would; they only say it sooner.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::RwLock;
use std::sync::RwLockReadGuard;
use std::sync::RwLockWriteGuard;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::query::column::Column;
use crate::query::field_ref::FieldRef;
use crate::query::filter::Filter;
use crate::query::order::Order;
use crate::query::search::TextState;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::unique::Among;
use crate::query::unique::Unique;
use crate::stdx::bitset::Bitset;
use crate::stdx::list::SortedList;

/// How many filters, orders and columns of one type are kept.
const FILTERS_MAX: usize = 128;
const ORDERS_MAX: usize = 12;
const COLUMNS_MAX: usize = 48;

/// A change of more entries than this, and than a sixteenth of the type, drops what was derived:
/// making it anew costs less than carrying it along.
const CARRIED_MAX: usize = 256;

/// The locale's place among those of the type, or none for the default.
type Locale = Option<usize>;

/// What is derived from one type index.
#[derive(Default)]
pub struct Memo {
    parts: RwLock<Parts>,
    clock: AtomicU64,
}

#[derive(Default, Clone)]
struct Parts {
    filters: ByKey<(Filter, Arc<Bitset>)>,
    orders: ByKey<(Order, SortedList)>,
    /// The public entries alone in a kept order; not carried along, being quick to make.
    public_orders: ByKey<SortedList>,
    columns: ByKey<(FieldRef, Arc<Column>)>,
    texts: HashMap<Locale, Arc<TextState>>,
    uniques: HashMap<Among, Arc<Unique>>,
}

/// What is kept, by the text that equal questions share.
type ByKey<T> = HashMap<(String, Locale), Kept<T>>;

/// Something kept, with the time of its last use.
struct Kept<T> {
    what: T,
    used: AtomicU64,
}

impl<T: Clone> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Kept { what: self.what.clone(), used: AtomicU64::new(self.used.load(Relaxed)) }
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.read();
        f.debug_struct("Memo")
            .field("filters", &parts.filters.len())
            .field("orders", &parts.orders.len())
            .field("columns", &parts.columns.len())
            .field("texts", &parts.texts.len())
            .field("uniques", &parts.uniques.len())
            .finish()
    }
}

impl Memo {
    /// The entries that pass a kept filter.
    pub(crate) fn filter(&self, filter: &Filter, locale: Locale) -> Option<Arc<Bitset>> {
        let parts = self.read();
        let kept = parts.filters.get(&(filter.key.clone(), locale))?;
        Some(self.used(kept).1.clone())
    }

    pub(crate) fn keep_filter(&self, filter: &Filter, locale: Locale, set: &Arc<Bitset>) {
        let what = self.kept((filter.clone(), set.clone()));
        insert(&mut self.write().filters, (filter.key.clone(), locale), what, FILTERS_MAX);
    }

    /// All entries in a kept order.
    pub(crate) fn order(&self, order: &Order, locale: Locale) -> Option<SortedList> {
        let parts = self.read();
        let kept = parts.orders.get(&(order.key.clone(), locale))?;
        Some(self.used(kept).1.clone())
    }

    pub(crate) fn keep_order(&self, order: &Order, locale: Locale, list: &SortedList) {
        let what = self.kept((order.clone(), list.clone()));
        insert(&mut self.write().orders, (order.key.clone(), locale), what, ORDERS_MAX);
    }

    /// The public entries in a kept order.
    pub(crate) fn public_order(&self, order: &Order, locale: Locale) -> Option<SortedList> {
        let parts = self.read();
        let kept = parts.public_orders.get(&(order.key.clone(), locale))?;
        Some(self.used(kept).clone())
    }

    pub(crate) fn keep_public_order(&self, order: &Order, locale: Locale, list: &SortedList) {
        let what = self.kept(list.clone());
        insert(&mut self.write().public_orders, (order.key.clone(), locale), what, ORDERS_MAX);
    }

    /// The kept values of a field.
    pub(crate) fn column(&self, field: &FieldRef, locale: Locale) -> Option<Arc<Column>> {
        let parts = self.read();
        let kept = parts.columns.get(&(column_key(field), locale))?;
        Some(self.used(kept).1.clone())
    }

    pub(crate) fn keep_column(&self, field: &FieldRef, locale: Locale, column: &Arc<Column>) {
        let what = self.kept((field.clone(), column.clone()));
        insert(&mut self.write().columns, (column_key(field), locale), what, COLUMNS_MAX);
    }

    /// The kept text index.
    pub(crate) fn text(&self, locale: Locale) -> Option<Arc<TextState>> {
        self.read().texts.get(&locale).cloned()
    }

    pub(crate) fn keep_text(&self, locale: Locale, text: &Arc<TextState>) {
        self.write().texts.insert(locale, text.clone());
    }

    /// The kept entries by value.
    pub(crate) fn unique(&self, among: Among) -> Option<Arc<Unique>> {
        self.read().uniques.get(&among).cloned()
    }

    pub(crate) fn keep_unique(&self, among: Among, unique: &Arc<Unique>) {
        self.write().uniques.insert(among, unique.clone());
    }

    /// The same for the next index, in which the entries at `touched` differ.
    pub(crate) fn carried(&self, old: &TypeIndex, new: &TypeIndex, touched: &[Ordinal]) -> Memo {
        let clock = AtomicU64::new(self.clock.load(Relaxed));
        if touched.len() > CARRIED_MAX.max(old.places() / 16) {
            return Memo { parts: RwLock::default(), clock };
        }
        let mut parts = self.read().clone();
        parts.public_orders.clear();
        if touched.is_empty() {
            return Memo { parts: RwLock::new(parts), clock };
        }
        for ((_, locale), kept) in &mut parts.filters {
            let (filter, set) = &mut kept.what;
            carry_filter(filter, set, *locale, new, touched);
        }
        for ((_, locale), kept) in &mut parts.orders {
            let (order, list) = &kept.what;
            kept.what.1 = order.carry(list, *locale, old, new, touched);
        }
        parts.columns.retain(|(_, locale), kept| {
            let (field, column) = &mut kept.what;
            let carried = column.carried(field, *locale, new, touched);
            carried.map(|it| *column = Arc::new(it)).is_some()
        });
        for text in parts.texts.values_mut() {
            *text = Arc::new(text.carried(touched));
        }
        for unique in parts.uniques.values_mut() {
            *unique = Arc::new(unique.carried(old, new, touched));
        }
        Memo { parts: RwLock::new(parts), clock }
    }

    fn kept<T>(&self, what: T) -> Kept<T> {
        Kept { what, used: AtomicU64::new(self.clock.fetch_add(1, Relaxed)) }
    }

    fn used<'k, T>(&self, kept: &'k Kept<T>) -> &'k T {
        kept.used.store(self.clock.fetch_add(1, Relaxed), Relaxed);
        &kept.what
    }

    // Nothing that runs under the lock can leave the maps half changed, so poison means nothing.
    fn read(&self) -> RwLockReadGuard<'_, Parts> {
        self.parts.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Parts> {
        self.parts.write().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn column_key(field: &FieldRef) -> String {
    format!("{field:?}")
}

/// Inserts and, when there are more than `most`, forgets the one that was not used for longest.
fn insert<K: Clone + Eq + std::hash::Hash, T>(
    map: &mut HashMap<K, Kept<T>>,
    key: K,
    what: Kept<T>,
    most: usize,
) {
    map.insert(key, what);
    if map.len() > most {
        let oldest = map.iter().min_by_key(|(_, kept)| kept.used.load(Relaxed));
        if let Some(key) = oldest.map(|(key, _)| key.clone()) {
            map.remove(&key);
        }
    }
}

fn carry_filter(
    filter: &Filter,
    set: &mut Arc<Bitset>,
    locale: Locale,
    new: &TypeIndex,
    touched: &[Ordinal],
) {
    for ordinal in touched {
        let matches =
            new.doc(*ordinal).is_some_and(|doc| filter.matches(&new.content_type, doc, locale));
        if set.contains(*ordinal) != matches {
            Arc::make_mut(set).set(*ordinal, matches);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::filter::Operator;
    use crate::query::tests::content_type;
    use crate::query::tests::index;

    #[test]
    fn what_was_not_used_for_longest_is_forgotten() {
        let ty = content_type("posts", r#"{"fields":{"n":{"type":"number"}}}"#);
        let index = index(&ty, &[]);
        let filter = |n: usize| Filter::parse(&ty, "n", Operator::Eq, &[n.to_string()]).unwrap();
        let set = Arc::new(Bitset::new());
        for n in 0..FILTERS_MAX {
            index.memo.keep_filter(&filter(n), None, &set);
        }
        // The first was used just now, so the second has to go.
        assert!(index.memo.filter(&filter(0), None).is_some());
        index.memo.keep_filter(&filter(FILTERS_MAX), None, &set);
        assert!(index.memo.filter(&filter(0), None).is_some());
        assert!(index.memo.filter(&filter(1), None).is_none());
        assert!(index.memo.filter(&filter(FILTERS_MAX), None).is_some());
        // Another locale is another matter.
        assert!(index.memo.filter(&filter(0), Some(0)).is_none());
        assert_eq!(index.memo.read().filters.len(), FILTERS_MAX);
    }

    #[test]
    fn large_changes_are_not_carried_through() {
        let ty = content_type("posts", r#"{"fields":{"n":{"type":"number"}}}"#);
        let index = index(&ty, &[]);
        let filter = Filter::parse(&ty, "n", Operator::Eq, &["1".to_string()]).unwrap();
        index.memo.keep_filter(&filter, None, &Arc::default());
        let kept = |touched: u32| {
            let touched: Vec<Ordinal> = (0..touched).collect();
            index.memo.carried(&index, &index, &touched).filter(&filter, None).is_some()
        };
        assert!(kept(0) && kept(CARRIED_MAX as u32));
        assert!(!kept(CARRIED_MAX as u32 + 1));
    }
}
