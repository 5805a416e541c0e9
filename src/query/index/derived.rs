//! Structures derived from a type's entries: built when a query first needs them, carried over from
//! one index to the next, and evicted when memory is needed.
//!
//! They give the same results as a scan of all entries, only faster. Concurrent queries that need
//! the same missing structure wait for one build of it (see `single_flight`). All structures share
//! one memory budget (see `cache_budget`).

mod carried;
mod texts;

use std::collections::HashMap;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::sync::Weak;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::Ordering::SeqCst;

use crate::query::index::cache_budget::BudgetItem;
use crate::query::index::cache_budget::CACHE_BUDGET;
use crate::query::index::cache_budget::CacheBudget;
use crate::query::index::cache_budget::CacheOwner;
use crate::query::index::column::Column;
use crate::query::index::entry_table::EntryTable;
use crate::query::index::entry_table::Ordinal;
use crate::query::index::search::TextState;
use crate::query::index::single_flight::CoreDemand;
use crate::query::index::single_flight::SingleFlight;
use crate::query::index::unique_index::UniqueIndex;
use crate::query::index::unique_index::UniqueScope;
use crate::query::request::field_ref::FieldRef;
use crate::query::request::filter::Filter;
use crate::query::request::sort_order::SortOrder;
use crate::stdx::bitset::Bitset;
use crate::stdx::cow_list::SortedList;
use crate::stdx::sync::RwLock;

/// The number of filters, orders and columns of one type that are kept.
const FILTERS_MAX: usize = 128;
const ORDERS_MAX: usize = 12;
const COLUMNS_MAX: usize = 48;

/// The approximate size of a cached item beside its structure, in bytes: its key, and its slot in a
/// map.
const ITEM_BYTES: usize = 256;

/// A change of more entries than this, and than a sixteenth of the type, drops the derived
/// structures: building them again costs less than carrying them over.
const CARRIED_MAX: usize = 256;

/// The position of a locale among those of the type; `None` for the default.
type LocaleIndex = Option<usize>;

/// The data derived from one type index.
pub struct DerivedCache {
    parts: Arc<DerivedStore>,
    budget: &'static CacheBudget,
    /// The number of this index among those that share `builds`.
    generation: u64,
    /// The pending builds, shared with the previous and the following indexes.
    builds: Arc<PendingBuilds>,
}

/// The content of a cache.
#[derive(Default)]
struct DerivedStore(RwLock<DerivedParts>);

#[derive(Default)]
struct PendingBuilds {
    /// The number of the latest index.
    generation: AtomicU64,
    orders: SingleFlight<SortedList>,
    columns: SingleFlight<Option<Arc<Column>>>,
    texts: Arc<SingleFlight<Arc<TextState>>>,
}

impl Default for DerivedCache {
    fn default() -> Self {
        let (parts, builds) = (Arc::default(), Arc::default());
        DerivedCache { parts, budget: &CACHE_BUDGET, generation: 0, builds }
    }
}

#[derive(Default, Clone)]
struct DerivedParts {
    filters: ByKey<(Filter, Arc<Bitset>)>,
    orders: ByKey<(SortOrder, SortedList)>,
    /// Only the public entries of a kept order. They are not carried over, since they are quick to
    /// build.
    public_orders: ByKey<SortedList>,
    columns: ByKey<(FieldRef, Arc<Column>)>,
    texts: HashMap<LocaleIndex, CachedItem<Arc<TextState>>>,
    uniques: HashMap<UniqueScope, CachedItem<Arc<UniqueIndex>>>,
}

/// The cached items by the key of the filter, order or field, and by locale.
type ByKey<T> = HashMap<(String, LocaleIndex), CachedItem<T>>;

/// A cached structure with the time of its last use and its size.
struct CachedItem<T> {
    what: T,
    used: AtomicU64,
    /// The number of changes since the last use.
    changes: AtomicU32,
    bytes: usize,
}

impl<T: Clone> Clone for CachedItem<T> {
    fn clone(&self) -> Self {
        let used = AtomicU64::new(self.used.load(Relaxed));
        let changes = AtomicU32::new(self.changes.load(Relaxed));
        CachedItem { what: self.what.clone(), used, changes, bytes: self.bytes }
    }
}

impl fmt::Debug for DerivedCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts.0.read();
        f.debug_struct("DerivedCache")
            .field("filters", &parts.filters.len())
            .field("orders", &parts.orders.len())
            .field("columns", &parts.columns.len())
            .field("texts", &parts.texts.len())
            .field("uniques", &parts.uniques.len())
            .finish()
    }
}

impl DerivedCache {
    /// Returns the entries that pass a filter, if they are cached.
    pub(crate) fn get_filter(&self, filter: &Filter, locale: LocaleIndex) -> Option<Arc<Bitset>> {
        let parts = self.parts.0.read();
        let kept = parts.filters.get(&(filter.key.clone(), locale))?;
        Some(self.mark_used(kept).1.clone())
    }

    pub(crate) fn keep_filter(&self, filter: &Filter, locale: LocaleIndex, set: &Arc<Bitset>) {
        // Its text is in the key, in the filter, and once more in the operands.
        let bytes = set.memory_bytes() + 3 * filter.key.len();
        self.keep_item((filter.clone(), set.clone()), bytes, |parts, item| {
            insert_bounded(&mut parts.filters, (filter.key.clone(), locale), item, FILTERS_MAX);
        });
    }

    /// Returns all entries in an order, if that is cached.
    pub(crate) fn get_order(&self, order: &SortOrder, locale: LocaleIndex) -> Option<SortedList> {
        let parts = self.parts.0.read();
        let kept = parts.orders.get(&(order.key.clone(), locale))?;
        Some(self.mark_used(kept).1.clone())
    }

    fn keep_order(&self, order: &SortOrder, locale: LocaleIndex, list: &SortedList) {
        self.keep_item((order.clone(), list.clone()), list_bytes(list), |parts, item| {
            insert_bounded(&mut parts.orders, (order.key.clone(), locale), item, ORDERS_MAX);
        });
    }

    /// Returns all entries in an order. The first caller builds it.
    pub(crate) fn get_or_build_order(
        &self,
        index: &Arc<EntryTable>,
        order: &SortOrder,
        locale: LocaleIndex,
    ) -> SortedList {
        if let Some(kept) = self.get_order(order, locale) {
            return kept;
        }
        let key = (order.key.clone(), locale);
        let too_far = |touched: usize| touched > carried_max(index);
        loop {
            let (flight, _) = self.builds.orders.join_build(key.clone(), index, too_far);
            let built = flight.get_or_build(CoreDemand::Core, |base| {
                // Another thread may have built it meanwhile.
                let kept = self.get_order(order, locale).filter(|_| base.is_same_generation(index));
                kept.unwrap_or_else(|| order.sorted_list(base, locale))
            });
            let touched = flight.find_changed(index);
            // So many entries have changed meanwhile that a new build costs less.
            if too_far(touched.len()) {
                continue;
            }
            let list = match touched.is_empty() {
                true => built,
                false => order.update_list(&built, locale, &flight.base, index, &touched),
            };
            self.keep_order(order, locale, &list);
            if touched.is_empty() {
                self.builds.orders.forget_build(&key, &flight);
            }
            return list;
        }
    }

    /// Returns the public entries in an order, if they are cached.
    pub(crate) fn get_public_order(
        &self,
        order: &SortOrder,
        locale: LocaleIndex,
    ) -> Option<SortedList> {
        let parts = self.parts.0.read();
        let kept = parts.public_orders.get(&(order.key.clone(), locale))?;
        Some(self.mark_used(kept).clone())
    }

    pub(crate) fn keep_public_order(
        &self,
        order: &SortOrder,
        locale: LocaleIndex,
        list: &SortedList,
    ) {
        self.keep_item(list.clone(), list_bytes(list), |parts, item| {
            insert_bounded(&mut parts.public_orders, (order.key.clone(), locale), item, ORDERS_MAX);
        });
    }

    /// Returns the column of a field, if it is cached.
    pub(crate) fn get_column(&self, field: &FieldRef, locale: LocaleIndex) -> Option<Arc<Column>> {
        let parts = self.parts.0.read();
        let kept = parts.columns.get(&(column_key(field), locale))?;
        Some(self.mark_used(kept).1.clone())
    }

    fn keep_column(&self, field: &FieldRef, locale: LocaleIndex, column: &Arc<Column>) {
        self.keep_item((field.clone(), column.clone()), column.memory_bytes(), |parts, item| {
            insert_bounded(&mut parts.columns, (column_key(field), locale), item, COLUMNS_MAX);
        });
    }

    /// Returns the column of a field. The first caller builds it. Returns `None` if the field has
    /// no column.
    pub(crate) fn get_or_build_column(
        &self,
        index: &Arc<EntryTable>,
        field: &FieldRef,
        locale: LocaleIndex,
    ) -> Option<Arc<Column>> {
        if let Some(kept) = self.get_column(field, locale) {
            return Some(kept);
        }
        let key = (column_key(field), locale);
        let too_far = |touched: usize| touched > carried_max(index);
        loop {
            let (flight, _) = self.builds.columns.join_build(key.clone(), index, too_far);
            let built = flight.get_or_build(CoreDemand::Core, |base| {
                let kept =
                    self.get_column(field, locale).filter(|_| base.is_same_generation(index));
                kept.or_else(|| Column::build(base, field, locale).map(Arc::new))
            });
            let touched = flight.find_changed(index);
            if too_far(touched.len()) {
                continue;
            }
            let column = match built? {
                built if touched.is_empty() => built,
                built => match built.with_changes(field, locale, index, &touched) {
                    Some(carried) => Arc::new(carried),
                    None => Arc::new(Column::build(index, field, locale)?),
                },
            };
            self.keep_column(field, locale, &column);
            if touched.is_empty() {
                self.builds.columns.forget_build(&key, &flight);
            }
            return Some(column);
        }
    }

    /// Returns the index by value, if it is cached.
    pub(crate) fn get_unique(&self, among: UniqueScope) -> Option<Arc<UniqueIndex>> {
        let parts = self.parts.0.read();
        Some(self.mark_used(parts.uniques.get(&among)?).clone())
    }

    pub(crate) fn keep_unique(&self, among: UniqueScope, unique: &Arc<UniqueIndex>) {
        self.keep_item(unique.clone(), unique.memory_bytes(), |parts, item| {
            parts.uniques.insert(among, item);
        });
    }

    /// Returns the structures of the next index, in which the entries at `touched` differ.
    pub(crate) fn with_changes(
        &self,
        old: &EntryTable,
        new: &EntryTable,
        touched: &[Ordinal],
    ) -> DerivedCache {
        self.builds.orders.expire_finished();
        self.builds.columns.expire_finished();
        self.builds.texts.expire_finished();
        // Before the parts are copied: what is built from now on is taken over later.
        let generation = self.builds.generation.fetch_add(1, SeqCst) + 1;
        let mut parts = self.parts.0.read().clone();
        parts.public_orders.clear();
        if touched.len() > carried_max(old) {
            // A text index stays in use until there is a new one, unless most of it is outdated.
            let texts = if touched.len() > old.slot_count() / 2 {
                HashMap::new()
            } else {
                std::mem::take(&mut parts.texts)
            };
            parts = DerivedParts { texts, ..DerivedParts::default() };
        }
        if !touched.is_empty() {
            parts.apply_changes(old, new, touched);
        }
        self.adopt_built_texts(&mut parts, new);
        let parts = Arc::new(DerivedStore(RwLock::new(parts)));
        let builds = self.builds.clone();
        let next = DerivedCache { parts, budget: self.budget, generation, builds };
        next.budget.register_owner(next.weak_owner());
        next
    }

    /// Returns a cached item. Its structure has this size.
    fn new_item<T>(&self, what: T, bytes: usize) -> CachedItem<T> {
        let used = AtomicU64::new(self.budget.next_use());
        CachedItem { what, used, changes: AtomicU32::new(0), bytes: bytes + ITEM_BYTES }
    }

    fn mark_used<'k, T>(&self, kept: &'k CachedItem<T>) -> &'k T {
        kept.used.store(self.budget.next_use(), Relaxed);
        kept.changes.store(0, Relaxed);
        &kept.what
    }

    fn weak_owner(&self) -> Weak<dyn CacheOwner> {
        let holder: Arc<dyn CacheOwner> = self.parts.clone();
        Arc::downgrade(&holder)
    }

    /// Caches what `insert` inserts, and makes room for it. Its structure has this size.
    fn keep_item<T>(
        &self,
        what: T,
        bytes: usize,
        insert: impl FnOnce(&mut DerivedParts, CachedItem<T>),
    ) {
        let item = self.new_item(what, bytes);
        let bytes = item.bytes;
        insert(&mut self.parts.0.write(), item);
        self.budget.register_owner(self.weak_owner());
        self.budget.add_bytes(bytes);
    }
}

/// Returns the most changed entries with which derived structures are carried over.
fn carried_max(index: &EntryTable) -> usize {
    CARRIED_MAX.max(index.slot_count() / 16)
}

/// Returns the approximate size of a list in bytes.
fn list_bytes(list: &SortedList) -> usize {
    list.len() * 2 * size_of::<Ordinal>()
}

impl CacheOwner for DerivedStore {
    fn visit_items(&self, each: &mut dyn FnMut(BudgetItem)) {
        let parts = self.0.read();
        let mut tell = |place: usize, used: &AtomicU64, bytes: usize| {
            each(BudgetItem { place, bytes, used: used.load(Relaxed) });
        };
        parts.filters.values().for_each(|it| tell(address_of(&it.what.1), &it.used, it.bytes));
        parts.orders.values().for_each(|it| tell(it.what.1.memory_address(), &it.used, it.bytes));
        parts
            .public_orders
            .values()
            .for_each(|it| tell(it.what.memory_address(), &it.used, it.bytes));
        parts.columns.values().for_each(|it| tell(address_of(&it.what.1), &it.used, it.bytes));
        parts.texts.values().for_each(|it| tell(it.what.index_address(), &it.used, it.bytes));
        parts.uniques.values().for_each(|it| tell(address_of(&it.what), &it.used, it.bytes));
    }

    fn forget_items(&self, places: &HashSet<usize>) {
        let stays = |place: usize| !places.contains(&place);
        let mut parts = self.0.write();
        parts.filters.retain(|_, it| stays(address_of(&it.what.1)));
        parts.orders.retain(|_, it| stays(it.what.1.memory_address()));
        parts.public_orders.retain(|_, it| stays(it.what.memory_address()));
        parts.columns.retain(|_, it| stays(address_of(&it.what.1)));
        parts.texts.retain(|_, it| stays(it.what.index_address()));
        parts.uniques.retain(|_, it| stays(address_of(&it.what)));
    }
}

/// Returns the memory address of a shared structure.
fn address_of<T>(shared: &Arc<T>) -> usize {
    Arc::as_ptr(shared).addr()
}

fn column_key(field: &FieldRef) -> String {
    format!("{field:?}")
}

/// Inserts an item, and removes the least recently used one if there are more than `most`.
fn insert_bounded<K: Clone + Eq + std::hash::Hash, T>(
    map: &mut HashMap<K, CachedItem<T>>,
    key: K,
    what: CachedItem<T>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::execute::view::View;
    use crate::query::execute::view::Viewer;
    use crate::query::index::type_index::TypeIndex;
    use crate::query::request::filter::Operator;
    use crate::query::request::list_query::ListQuery;
    use crate::query::request::params::QueryParams;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;
    use crate::query::tests::index;
    use crate::query::tests::now;
    use crate::query::tests::snapshot;

    #[test]
    fn what_was_not_used_for_longest_is_forgotten() {
        let ty = content_type("posts", r#"{"fields":{"n":{"type":"number"}}}"#);
        let index = index(&ty, &[]);
        let filter = |n: usize| Filter::parse(&ty, "n", Operator::Eq, &[n.to_string()]).unwrap();
        let set = Arc::new(Bitset::new());
        for n in 0..FILTERS_MAX {
            index.derived.keep_filter(&filter(n), None, &set);
        }
        // The first was used just now, so the second is removed.
        assert!(index.derived.get_filter(&filter(0), None).is_some());
        index.derived.keep_filter(&filter(FILTERS_MAX), None, &set);
        assert!(index.derived.get_filter(&filter(0), None).is_some());
        assert!(index.derived.get_filter(&filter(1), None).is_none());
        assert!(index.derived.get_filter(&filter(FILTERS_MAX), None).is_some());
        // Another locale has its own items.
        assert!(index.derived.get_filter(&filter(0), Some(0)).is_none());
        assert_eq!(index.derived.parts.0.read().filters.len(), FILTERS_MAX);
    }

    /// Builds an index of `count` entries with a number each.
    pub(super) fn numbered(n: usize) -> Arc<TypeIndex> {
        let ty = content_type("posts", r#"{"fields":{"n":{"type":"number"}}}"#);
        let docs = (0..n).map(|it| doc(&ty, &format!("e{it}"), &file(it))).collect();
        Arc::new(TypeIndex::build(ty, docs, 1, now()))
    }

    fn file(n: usize) -> String {
        format!(r#"{{"title":"Word{n}","status":"published","data":{{"n":{n}}}}}"#)
    }

    /// Returns the index after the first entries have changed.
    pub(super) fn changed(index: &TypeIndex, n: usize) -> Arc<TypeIndex> {
        let ty = index.content_type.clone();
        let change = |it: usize| change(&ty, &format!("e{it}"), Some(&file(1_000_000 - it)));
        Arc::new(index.with_changes(&(0..n).map(change).collect::<Vec<_>>(), now()))
    }

    fn by_number(index: &Arc<TypeIndex>) -> SortOrder {
        let snapshot = snapshot(vec![numbered(1).with_changes(&[], now())]);
        let view = View::new(&snapshot, Viewer::Anyone, None);
        let params = QueryParams::parse("sort=-n").unwrap();
        ListQuery::parse(&view, &index.content_type, &params, 0).unwrap().order
    }

    /// A build that began before a change is reused by the next index.
    #[test]
    fn builds_are_carried_to_the_entries_of_whoever_waited() {
        let first = numbered(50);
        let order = by_number(&first);
        let next = changed(&first, 3);
        let field = order.keys[0].field.clone();
        first
            .derived
            .builds
            .orders
            .join_build((order.key.clone(), None), first.entries(), |_| false);
        first.derived.builds.columns.join_build(
            (column_key(&field), None),
            first.entries(),
            |_| false,
        );
        for index in [&next, &first] {
            let list: Vec<Ordinal> =
                index.derived.get_or_build_order(index.entries(), &order, None).iter().collect();
            let expect: Vec<Ordinal> = order.sorted_list(index, None).iter().collect();
            assert_eq!(list, expect);
        }
        let many = ["900000".to_string()];
        let filter = Filter::parse(&first.content_type, "n", Operator::Gt, &many).unwrap();
        let hits = |index: &Arc<TypeIndex>| {
            let column = index.derived.get_or_build_column(index.entries(), &field, None).unwrap();
            column.select_entries(&filter, index.live()).count()
        };
        assert_eq!((hits(&next), hits(&first)), (3, 0));
        assert_eq!(hits(&changed(&next, 40)), 40);
    }

    #[test]
    fn what_does_not_fit_is_forgotten() {
        let index = numbered(100);
        let budget: &'static CacheBudget = Box::leak(Box::new(CacheBudget::with_limit(1_000)));
        let derived = DerivedCache { budget, ..DerivedCache::default() };
        let order = by_number(&index);
        let list = derived.get_or_build_order(index.entries(), &order, None);
        assert!(list_bytes(&list) < 1_000 && derived.get_order(&order, None).is_some());
        let field = order.keys[0].field.clone();
        derived.get_or_build_column(index.entries(), &field, None).unwrap();
        assert!(
            derived.get_order(&order, None).is_none() && derived.get_column(&field, None).is_some()
        );
    }

    #[test]
    fn large_changes_are_not_carried_through() {
        let ty = content_type("posts", r#"{"fields":{"n":{"type":"number"}}}"#);
        let index = index(&ty, &[]);
        let filter = Filter::parse(&ty, "n", Operator::Eq, &["1".to_string()]).unwrap();
        index.derived.keep_filter(&filter, None, &Arc::default());
        let kept = |touched: u32| {
            let touched: Vec<Ordinal> = (0..touched).collect();
            index.derived.with_changes(&index, &index, &touched).get_filter(&filter, None).is_some()
        };
        assert!(kept(0) && kept(CARRIED_MAX as u32));
        assert!(!kept(CARRIED_MAX as u32 + 1));
    }
}
