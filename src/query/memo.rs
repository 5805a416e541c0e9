//! Structures derived from a type's entries: made when a query first needs them, carried along
//! from one index to the next, and forgotten when others are needed more.
//!
//! All of them say the same as a look at every entry would; they only say it sooner. Many who ask for
//! one that is not there wait for one build of it (see `flights`), and all together have one budget of
//! memory (see `shelf`).

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::RwLock;
use std::sync::RwLockReadGuard;
use std::sync::RwLockWriteGuard;
use std::sync::Weak;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use crate::query::column::Column;
use crate::query::field_ref::FieldRef;
use crate::query::filter::Filter;
use crate::query::flights::Flights;
use crate::query::flights::Load;
use crate::query::order::Order;
use crate::query::search::TextState;
use crate::query::shelf::Holder;
use crate::query::shelf::Item;
use crate::query::shelf::SHELF;
use crate::query::shelf::Shelf;
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
pub struct Memo {
    parts: Arc<Shared>,
    shelf: &'static Shelf,
    /// The builds under way, of this index, those before it and those that follow.
    builds: Arc<Builds>,
}

/// What a memo keeps.
#[derive(Default)]
struct Shared(RwLock<Parts>);

#[derive(Default)]
struct Builds {
    orders: Flights<SortedList>,
    columns: Flights<Option<Arc<Column>>>,
    texts: Flights<Arc<TextState>>,
}

impl Default for Memo {
    fn default() -> Self {
        Memo { parts: Arc::default(), shelf: &SHELF, builds: Arc::default() }
    }
}

#[derive(Default, Clone)]
struct Parts {
    filters: ByKey<(Filter, Arc<Bitset>)>,
    orders: ByKey<(Order, SortedList)>,
    /// The public entries alone in a kept order; not carried along, being quick to make.
    public_orders: ByKey<SortedList>,
    columns: ByKey<(FieldRef, Arc<Column>)>,
    texts: HashMap<Locale, Kept<Arc<TextState>>>,
    uniques: HashMap<Among, Kept<Arc<Unique>>>,
}

/// What is kept, by the text that equal questions share.
type ByKey<T> = HashMap<(String, Locale), Kept<T>>;

/// Something kept, with the time of its last use and its size.
struct Kept<T> {
    what: T,
    used: AtomicU64,
    bytes: usize,
}

impl<T: Clone> Clone for Kept<T> {
    fn clone(&self) -> Self {
        let used = AtomicU64::new(self.used.load(Relaxed));
        Kept { what: self.what.clone(), used, bytes: self.bytes }
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
        let what = self.kept((filter.clone(), set.clone()), set.memory_bytes());
        insert(&mut self.write().filters, (filter.key.clone(), locale), what, FILTERS_MAX);
        self.make_room();
    }

    /// All entries in a kept order.
    pub(crate) fn order(&self, order: &Order, locale: Locale) -> Option<SortedList> {
        let parts = self.read();
        let kept = parts.orders.get(&(order.key.clone(), locale))?;
        Some(self.used(kept).1.clone())
    }

    fn keep_order(&self, order: &Order, locale: Locale, list: &SortedList) {
        let what = self.kept((order.clone(), list.clone()), list_bytes(list));
        insert(&mut self.write().orders, (order.key.clone(), locale), what, ORDERS_MAX);
        self.make_room();
    }

    /// All entries in an order, which is made by whoever asks first.
    pub(crate) fn order_of(
        &self,
        index: &Arc<TypeIndex>,
        order: &Order,
        locale: Locale,
    ) -> SortedList {
        if let Some(kept) = self.order(order, locale) {
            return kept;
        }
        let key = (order.key.clone(), locale);
        let too_far = |touched: usize| touched > carried_max(index);
        loop {
            let (flight, _) = self.builds.orders.join(key.clone(), index, too_far);
            let built = flight.get(Load::Core, |base| {
                // Somebody may just have made it and be done.
                let kept = self.order(order, locale).filter(|_| base.is_of(index));
                kept.unwrap_or_else(|| order.sorted_list(base, locale))
            });
            let touched = flight.touched(index);
            // So much has changed meanwhile that it is made anew, for the entries as they are.
            if too_far(touched.len()) {
                continue;
            }
            let list = match touched.is_empty() {
                true => built,
                false => order.carry(&built, locale, &flight.base, index, &touched),
            };
            self.keep_order(order, locale, &list);
            if touched.is_empty() {
                self.builds.orders.land(&key, &flight);
            }
            return list;
        }
    }

    /// The public entries in a kept order.
    pub(crate) fn public_order(&self, order: &Order, locale: Locale) -> Option<SortedList> {
        let parts = self.read();
        let kept = parts.public_orders.get(&(order.key.clone(), locale))?;
        Some(self.used(kept).clone())
    }

    pub(crate) fn keep_public_order(&self, order: &Order, locale: Locale, list: &SortedList) {
        let what = self.kept(list.clone(), list_bytes(list));
        insert(&mut self.write().public_orders, (order.key.clone(), locale), what, ORDERS_MAX);
        self.make_room();
    }

    /// The kept values of a field.
    pub(crate) fn column(&self, field: &FieldRef, locale: Locale) -> Option<Arc<Column>> {
        let parts = self.read();
        let kept = parts.columns.get(&(column_key(field), locale))?;
        Some(self.used(kept).1.clone())
    }

    fn keep_column(&self, field: &FieldRef, locale: Locale, column: &Arc<Column>) {
        let what = self.kept((field.clone(), column.clone()), column.memory_bytes());
        insert(&mut self.write().columns, (column_key(field), locale), what, COLUMNS_MAX);
        self.make_room();
    }

    /// The values of a field, collected by whoever asks first; nothing where they are not kept.
    pub(crate) fn column_of(
        &self,
        index: &Arc<TypeIndex>,
        field: &FieldRef,
        locale: Locale,
    ) -> Option<Arc<Column>> {
        if let Some(kept) = self.column(field, locale) {
            return Some(kept);
        }
        let key = (column_key(field), locale);
        let too_far = |touched: usize| touched > carried_max(index);
        loop {
            let (flight, _) = self.builds.columns.join(key.clone(), index, too_far);
            let built = flight.get(Load::Core, |base| {
                let kept = self.column(field, locale).filter(|_| base.is_of(index));
                kept.or_else(|| Column::build(base, field, locale).map(Arc::new))
            });
            let touched = flight.touched(index);
            if too_far(touched.len()) {
                continue;
            }
            let column = match built? {
                built if touched.is_empty() => built,
                built => Arc::new(built.carried(field, locale, index, &touched)?),
            };
            self.keep_column(field, locale, &column);
            if touched.is_empty() {
                self.builds.columns.land(&key, &flight);
            }
            return Some(column);
        }
    }

    /// The kept text index.
    pub(crate) fn text(&self, locale: Locale) -> Option<Arc<TextState>> {
        let parts = self.read();
        Some(self.used(parts.texts.get(&locale)?).clone())
    }

    fn keep_text(&self, locale: Locale, text: &Arc<TextState>) {
        let what = self.kept(text.clone(), text.memory_bytes());
        self.write().texts.insert(locale, what);
        self.make_room();
    }

    /// The text index, made by whoever searches first. One that much has changed since serves on with
    /// what has changed, while a thread makes the next.
    pub(crate) fn text_of(&self, index: &Arc<TypeIndex>, locale: Locale) -> Arc<TextState> {
        let kept = self.text(locale);
        if let Some(kept) = &kept
            && !kept.is_worn()
        {
            return kept.clone();
        }
        // Where there is none yet, one that is far behind is better than to wait.
        let is_stale = |touched: usize| kept.is_some() && TextState::is_far(touched);
        let key = (String::new(), locale);
        let (flight, begins) = self.builds.texts.join(key.clone(), index, is_stale);
        if let (Some(kept), None) = (kept, flight.landed()) {
            let behind = flight.clone();
            let build = move || _ = behind.get(Load::Machine, |base| build_text(base, locale));
            let thread = thread::Builder::new().name("index".to_string());
            if !begins || thread.spawn(build).is_ok() {
                return kept;
            }
        }
        let built = flight.get(Load::Machine, |base| {
            let kept = self.text(locale).filter(|it| base.is_of(index) && !it.is_worn());
            kept.unwrap_or_else(|| build_text(base, locale))
        });
        let touched = flight.touched(index);
        let state = Arc::new(built.carried(&touched));
        self.keep_text(locale, &state);
        if touched.is_empty() {
            self.builds.texts.land(&key, &flight);
        }
        state
    }

    /// The kept entries by value.
    pub(crate) fn unique(&self, among: Among) -> Option<Arc<Unique>> {
        let parts = self.read();
        Some(self.used(parts.uniques.get(&among)?).clone())
    }

    pub(crate) fn keep_unique(&self, among: Among, unique: &Arc<Unique>) {
        let what = self.kept(unique.clone(), unique.memory_bytes());
        self.write().uniques.insert(among, what);
        self.make_room();
    }

    /// The same for the next index, in which the entries at `touched` differ.
    pub(crate) fn carried(&self, old: &TypeIndex, new: &TypeIndex, touched: &[Ordinal]) -> Memo {
        self.builds.orders.changed();
        self.builds.columns.changed();
        self.builds.texts.changed();
        let mut parts = self.read().clone();
        parts.public_orders.clear();
        if touched.len() > carried_max(old) {
            // A text index serves on until there is a new one, unless it knows nothing any more.
            let texts = if touched.len() > old.places() / 2 {
                HashMap::new()
            } else {
                std::mem::take(&mut parts.texts)
            };
            parts = Parts { texts, ..Parts::default() };
        }
        if !touched.is_empty() {
            parts.carry(old, new, touched);
        }
        let parts = Arc::new(Shared(RwLock::new(parts)));
        let next = Memo { parts, shelf: self.shelf, builds: self.builds.clone() };
        next.shelf.know(next.holder());
        next
    }

    fn kept<T>(&self, what: T, bytes: usize) -> Kept<T> {
        Kept { what, used: AtomicU64::new(self.shelf.next_use()), bytes }
    }

    fn used<'k, T>(&self, kept: &'k Kept<T>) -> &'k T {
        kept.used.store(self.shelf.next_use(), Relaxed);
        &kept.what
    }

    fn holder(&self) -> Weak<dyn Holder> {
        let holder: Arc<dyn Holder> = self.parts.clone();
        Arc::downgrade(&holder)
    }

    fn make_room(&self) {
        self.shelf.know(self.holder());
        self.shelf.make_room();
    }

    fn read(&self) -> RwLockReadGuard<'_, Parts> {
        self.parts.read()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Parts> {
        self.parts.write()
    }
}

fn build_text(base: &TypeIndex, locale: Locale) -> Arc<TextState> {
    Arc::new(TextState::build(base, locale))
}

/// How many changed entries are carried through.
fn carried_max(index: &TypeIndex) -> usize {
    CARRIED_MAX.max(index.places() / 16)
}

/// About how many bytes a list of places takes.
fn list_bytes(list: &SortedList) -> usize {
    list.len() * 2 * size_of::<Ordinal>()
}

impl Parts {
    fn carry(&mut self, old: &TypeIndex, new: &TypeIndex, touched: &[Ordinal]) {
        for ((_, locale), kept) in &mut self.filters {
            let (filter, set) = &mut kept.what;
            carry_filter(filter, set, *locale, new, touched);
        }
        for ((_, locale), kept) in &mut self.orders {
            let (order, list) = &kept.what;
            kept.what.1 = order.carry(list, *locale, old, new, touched);
        }
        self.columns.retain(|(_, locale), kept| {
            let (field, column) = &mut kept.what;
            let carried = column.carried(field, *locale, new, touched);
            carried.map(|it| *column = Arc::new(it)).is_some()
        });
        for text in self.texts.values_mut() {
            text.what = Arc::new(text.what.carried(touched));
        }
        for unique in self.uniques.values_mut() {
            unique.what = Arc::new(unique.what.carried(old, new, touched));
        }
    }
}

impl Holder for Shared {
    fn each(&self, each: &mut dyn FnMut(Item)) {
        let parts = self.read();
        let mut tell = |place: usize, used: &AtomicU64, bytes: usize| {
            each(Item { place, bytes, used: used.load(Relaxed) });
        };
        parts.filters.values().for_each(|it| tell(place(&it.what.1), &it.used, it.bytes));
        parts.orders.values().for_each(|it| tell(it.what.1.place(), &it.used, it.bytes));
        parts.public_orders.values().for_each(|it| tell(it.what.place(), &it.used, it.bytes));
        parts.columns.values().for_each(|it| tell(place(&it.what.1), &it.used, it.bytes));
        parts.texts.values().for_each(|it| tell(it.what.place(), &it.used, it.bytes));
        parts.uniques.values().for_each(|it| tell(place(&it.what), &it.used, it.bytes));
    }

    fn forget(&self, places: &[usize]) {
        let stays = |place: usize| !places.contains(&place);
        let mut parts = self.write();
        parts.filters.retain(|_, it| stays(place(&it.what.1)));
        parts.orders.retain(|_, it| stays(it.what.1.place()));
        parts.public_orders.retain(|_, it| stays(it.what.place()));
        parts.columns.retain(|_, it| stays(place(&it.what.1)));
        parts.texts.retain(|_, it| stays(it.what.place()));
        parts.uniques.retain(|_, it| stays(place(&it.what)));
    }
}

/// Where something shared is in memory.
fn place<T>(shared: &Arc<T>) -> usize {
    Arc::as_ptr(shared).addr()
}

impl Shared {
    // Nothing that runs under the lock can leave the maps half changed, so poison means nothing.
    fn read(&self) -> RwLockReadGuard<'_, Parts> {
        self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Parts> {
        self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner)
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
    use crate::query::list_query::ListQuery;
    use crate::query::params::Params;
    use crate::query::search;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;
    use crate::query::tests::index;
    use crate::query::tests::now;
    use crate::query::tests::snapshot;
    use crate::query::view::Eyes;
    use crate::query::view::View;

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

    /// An index of so many entries, with a number each.
    fn numbered(n: usize) -> Arc<TypeIndex> {
        let ty = content_type("posts", r#"{"fields":{"n":{"type":"number"}}}"#);
        let docs = (0..n).map(|it| doc(&ty, &format!("e{it}"), &file(it))).collect();
        Arc::new(TypeIndex::build(ty, docs, 1, now()))
    }

    fn file(n: usize) -> String {
        format!(r#"{{"title":"Word{n}","status":"published","data":{{"n":{n}}}}}"#)
    }

    /// The same with the first so many entries saying something else.
    fn changed(index: &TypeIndex, n: usize) -> Arc<TypeIndex> {
        let ty = index.content_type.clone();
        let change = |it: usize| change(&ty, &format!("e{it}"), Some(&file(1_000_000 - it)));
        Arc::new(index.with(&(0..n).map(change).collect::<Vec<_>>(), now()))
    }

    fn by_number(index: &Arc<TypeIndex>) -> Order {
        let snapshot = snapshot(vec![numbered(1).with(&[], now())]);
        let view = View::new(&snapshot, Eyes::Anyone, None);
        let params = Params::parse("sort=-n").unwrap();
        ListQuery::parse(&view, &index.content_type, &params, 0).unwrap().order
    }

    /// A build that began before a change is what the next index begins with.
    #[test]
    fn builds_are_carried_to_the_entries_of_whoever_waited() {
        let first = numbered(50);
        let order = by_number(&first);
        let next = changed(&first, 3);
        let field = order.keys[0].field.clone();
        first.memo.builds.orders.join((order.key.clone(), None), &first, |_| false);
        first.memo.builds.columns.join((column_key(&field), None), &first, |_| false);
        for index in [&next, &first] {
            let list: Vec<Ordinal> = index.memo.order_of(index, &order, None).iter().collect();
            let expect: Vec<Ordinal> = order.sorted_list(index, None).iter().collect();
            assert_eq!(list, expect);
        }
        let many = ["900000".to_string()];
        let filter = Filter::parse(&first.content_type, "n", Operator::Gt, &many).unwrap();
        let hits = |index: &Arc<TypeIndex>| {
            let column = index.memo.column_of(index, &field, None).unwrap();
            column.select(&filter, index.live()).count()
        };
        assert_eq!((hits(&next), hits(&first)), (3, 0));
        assert_eq!(hits(&changed(&next, 40)), 40);
    }

    #[test]
    fn a_text_index_serves_on_while_the_next_is_made() {
        let first = numbered(6_000);
        let old = first.memo.text_of(&first, None);
        let next = changed(&first, 2_500);
        let served = next.memo.text_of(&next, None);
        assert_eq!(served.place(), old.place(), "nobody waits for the next index");
        assert!(served.is_worn());
        let check = |state: &TextState| {
            let found = |term: &str| {
                let mut found = next.live().clone();
                search::retain(&next, Some(state), None, &[term.to_string()], &mut found);
                found.count()
            };
            // One that changed, one that was changed away, and one that is as it was.
            assert_eq!((found("word999000"), found("word1000"), found("word5999")), (1, 1, 1));
        };
        check(&served);
        let fresh = loop {
            let state = next.memo.text_of(&next, None);
            if state.place() != old.place() {
                break state;
            }
            thread::yield_now();
        };
        assert!(!fresh.is_worn());
        check(&fresh);
    }

    #[test]
    fn what_does_not_fit_is_forgotten() {
        let index = numbered(100);
        let shelf: &'static Shelf = Box::leak(Box::new(Shelf::of(1_000)));
        let memo = Memo { shelf, ..Memo::default() };
        let order = by_number(&index);
        let list = memo.order_of(&index, &order, None);
        assert!(list_bytes(&list) < 1_000 && memo.order(&order, None).is_some());
        let field = order.keys[0].field.clone();
        memo.column_of(&index, &field, None).unwrap();
        assert!(memo.order(&order, None).is_none() && memo.column(&field, None).is_some());
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
