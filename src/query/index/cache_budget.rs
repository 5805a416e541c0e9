//! The memory budget of all structures derived from entries, across types and workspaces. The least
//! recently used structure is evicted first.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::Weak;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use crate::stdx::sync::Mutex;

/// The default limit on the memory of derived structures. The text index of 100,000 entries takes
/// about 60 MB, a sorted list of them less than one.
pub const BYTES_MAX: usize = 512 * 1024 * 1024;

/// The number of owners below which those that were dropped are not looked for.
const OWNERS_MIN: usize = 64;

/// A size beyond every limit: the next insertion counts all structures again.
const UNCOUNTED: usize = usize::MAX / 2;

/// The budget of this process.
pub static CACHE_BUDGET: CacheBudget = CacheBudget::with_limit(BYTES_MAX);

/// A memory budget: it lists the owners of derived structures and evicts the least recently used
/// ones.
pub struct CacheBudget {
    bytes_max: AtomicUsize,
    /// The bytes of all structures when they were counted last, and of all that were added since.
    /// They are counted again when this exceeds the limit: to count them takes as long as there are
    /// structures.
    bytes: AtomicUsize,
    uses: AtomicU64,
    owners: Mutex<OwnerList>,
}

/// The registered owners.
struct OwnerList {
    /// The owners by memory address, which no other one has as long as it is in the list.
    by_place: BTreeMap<usize, Weak<dyn CacheOwner>>,
    /// The number of owners above which those that were dropped are removed.
    prune_above: usize,
}

impl OwnerList {
    /// Removes the owners that were dropped. Then the list may double before the next time.
    fn prune_dropped(&mut self) {
        self.by_place.retain(|_, it| it.strong_count() > 0);
        self.prune_above = OWNERS_MIN.max(2 * self.by_place.len());
    }
}

/// An owner of derived structures.
pub(super) trait CacheOwner: Send + Sync {
    /// Calls `each` for every structure the owner holds.
    fn visit_items(&self, each: &mut dyn FnMut(BudgetItem));

    /// Drops the structures at these memory addresses.
    fn forget_items(&self, places: &HashSet<usize>);
}

/// A structure that an owner holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct BudgetItem {
    /// The memory address: a structure that several indexes share counts once.
    pub(super) place: usize,
    pub(super) bytes: usize,
    /// The time of the last use, as a number that grows with every use.
    pub(super) used: u64,
}

impl CacheBudget {
    /// Returns a budget of `bytes_max` bytes.
    pub(super) const fn with_limit(bytes_max: usize) -> CacheBudget {
        CacheBudget {
            bytes_max: AtomicUsize::new(bytes_max),
            bytes: AtomicUsize::new(0),
            uses: AtomicU64::new(0),
            owners: Mutex::new(OwnerList { by_place: BTreeMap::new(), prune_above: OWNERS_MIN }),
        }
    }

    /// Sets the limit in bytes.
    pub fn set_limit(&self, bytes_max: usize) {
        self.bytes_max.store(bytes_max, Relaxed);
    }

    /// Returns the number of the current use.
    pub(super) fn next_use(&self) -> u64 {
        self.uses.fetch_add(1, Relaxed)
    }

    /// Registers an owner, unless it is registered. From time to time it removes those that were
    /// dropped: when entries change without any query, owners come and go without anything being
    /// built.
    pub(super) fn register_owner(&self, owner: Weak<dyn CacheOwner>) {
        let mut owners = self.owners.lock();
        owners.by_place.entry(owner.as_ptr().cast::<()>().addr()).or_insert(owner);
        if owners.by_place.len() > owners.prune_above {
            owners.prune_dropped();
            // Owners that carried structures over from an earlier one have added no bytes.
            self.bytes.fetch_max(UNCOUNTED, Relaxed);
        }
    }

    /// Counts a structure that an owner has from now on, and makes room if there may be too many.
    pub(super) fn add_bytes(&self, bytes: usize) {
        let before = self.bytes.fetch_add(bytes, Relaxed);
        if before.saturating_add(bytes) > self.bytes_max.load(Relaxed) {
            self.evict_excess();
        }
    }

    /// Evicts structures if they exceed the limit, and some more, so that the next ones find room.
    /// The most recently used one stays, however large it is: otherwise it would be built again for
    /// every query.
    pub(super) fn evict_excess(&self) {
        // What is added meanwhile may be counted twice, until the next time.
        self.bytes.store(0, Relaxed);
        let alive = self.list_alive();
        let items = list_items(&alive);
        let bytes_max = self.bytes_max.load(Relaxed);
        let all = items.iter().fold(0_usize, |sum, it| sum.saturating_add(it.bytes));
        let limit = if all > bytes_max { bytes_max - bytes_max / 16 } else { bytes_max };
        let (mut bytes, mut places) = (0_usize, HashSet::new());
        for (number, item) in items.iter().enumerate() {
            bytes = bytes.saturating_add(item.bytes);
            if bytes > limit && number > 0 {
                places.insert(item.place);
                bytes -= item.bytes;
            }
        }
        if !places.is_empty() {
            alive.iter().for_each(|it| it.forget_items(&places));
        }
        self.bytes.fetch_add(bytes, Relaxed);
    }

    /// Returns the owners that were not dropped.
    fn list_alive(&self) -> Vec<Arc<dyn CacheOwner>> {
        let mut owners = self.owners.lock();
        owners.prune_dropped();
        owners.by_place.values().filter_map(Weak::upgrade).collect()
    }
}

/// Returns the structures of all owners, each once, the most recently used first.
fn list_items(owners: &[Arc<dyn CacheOwner>]) -> Vec<BudgetItem> {
    let mut items: HashMap<usize, BudgetItem> = HashMap::new();
    for owner in owners {
        owner.visit_items(&mut |item| {
            let known = items.entry(item.place).or_insert(item);
            known.used = known.used.max(item.used);
        });
    }
    let mut items: Vec<BudgetItem> = items.into_values().collect();
    items.sort_unstable_by_key(|it| std::cmp::Reverse(it.used));
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items, and how often they were counted.
    #[derive(Default)]
    struct Kept(Mutex<Vec<BudgetItem>>, AtomicUsize);

    impl CacheOwner for Kept {
        fn visit_items(&self, each: &mut dyn FnMut(BudgetItem)) {
            self.1.fetch_add(1, Relaxed);
            self.0.lock().iter().for_each(|it| each(*it));
        }

        fn forget_items(&self, places: &HashSet<usize>) {
            self.0.lock().retain(|it| !places.contains(&it.place));
        }
    }

    /// Lets an owner have an item that nobody told the budget of.
    fn hold(budget: &CacheBudget, kept: &Arc<Kept>, place: usize, bytes: usize) {
        kept.0.lock().push(BudgetItem { place, bytes, used: budget.next_use() });
        let owner: Arc<dyn CacheOwner> = kept.clone();
        budget.register_owner(Arc::downgrade(&owner));
    }

    #[test]
    fn what_was_not_used_for_longest_goes_whoever_keeps_it() {
        let budget = CacheBudget::with_limit(100);
        let (one, two) = (Arc::new(Kept::default()), Arc::new(Kept::default()));
        let put = |kept: &Arc<Kept>, place: usize, bytes: usize| {
            hold(&budget, kept, place, bytes);
            budget.add_bytes(bytes);
        };
        let places =
            |kept: &Arc<Kept>| -> Vec<usize> { kept.0.lock().iter().map(|it| it.place).collect() };
        put(&one, 1, 40);
        put(&two, 2, 40);
        // The same structure in another owner counts once, and is used again.
        put(&two, 1, 40);
        put(&one, 3, 20);
        assert_eq!((places(&one), places(&two)), (vec![1, 3], vec![2, 1]));
        put(&two, 4, 30);
        assert_eq!((places(&one), places(&two)), (vec![1, 3], vec![1, 4]));
        // A structure larger than the limit stays alone.
        put(&one, 5, 500);
        assert_eq!((places(&one), places(&two)), (vec![5], vec![]));
        drop(two);
        put(&one, 6, 1);
        assert_eq!(places(&one), [6]);
        assert_eq!(budget.owners.lock().by_place.len(), 1);
    }

    #[test]
    fn items_are_counted_only_when_they_may_be_too_many() {
        let budget = CacheBudget::with_limit(1_600);
        let kept = Arc::new(Kept::default());
        let put = |places: std::ops::Range<usize>| {
            for place in places {
                hold(&budget, &kept, place, 1);
                budget.add_bytes(1);
            }
            (kept.0.lock().len(), kept.1.load(Relaxed))
        };
        assert_eq!(put(0..1_600), (1_600, 0));
        // A sixteenth is free then.
        assert_eq!(put(1_600..1_601), (1_500, 1));
        assert_eq!(put(1_601..1_701), (1_600, 1));
        assert_eq!(put(1_701..1_702), (1_500, 2));
        // Those that are gone count until then, and no longer.
        kept.0.lock().clear();
        assert_eq!(put(0..100), (100, 2));
        assert_eq!(put(100..101), (101, 3));
        assert_eq!(put(101..1_600), (1_600, 3));
        assert_eq!(budget.owners.lock().by_place.len(), 1);
    }

    #[test]
    fn copies_that_nobody_told_of_are_counted_some_time() {
        let budget = CacheBudget::with_limit(100);
        let copies: Vec<Arc<Kept>> = (0..=OWNERS_MIN).map(|_| Arc::default()).collect();
        copies.iter().zip(0..).for_each(|(kept, place)| hold(&budget, kept, place, 10));
        budget.add_bytes(0);
        let left: usize = copies.iter().map(|it| it.0.lock().len()).sum();
        assert_eq!(left, 9);
    }

    #[test]
    fn holders_that_come_and_go_leave_little_behind() {
        let budget = CacheBudget::with_limit(100);
        let register = || {
            let owner: Arc<dyn CacheOwner> = Arc::new(Kept::default());
            budget.register_owner(Arc::downgrade(&owner));
            owner
        };
        let count = || {
            let owners = budget.owners.lock();
            let alive = owners.by_place.values().filter(|it| it.strong_count() > 0).count();
            (owners.by_place.len() - alive, alive)
        };
        (0..1_000).for_each(|_| drop(register()));
        let (dropped, alive) = count();
        assert!(dropped <= OWNERS_MIN && alive == 0, "{dropped} {alive}");
        let stay: Vec<_> = (0..200).map(|_| register()).collect();
        (0..1_000).for_each(|_| drop(register()));
        let (dropped, alive) = count();
        assert!(dropped <= stay.len() + OWNERS_MIN && alive == stay.len(), "{dropped} {alive}");
    }
}
