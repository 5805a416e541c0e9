//! The memory budget of all structures derived from entries, across types and workspaces. The least
//! recently used structure is evicted first.

use std::collections::HashMap;
use std::sync::Weak;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use crate::stdx::sync::Mutex;

/// The default limit on the memory of derived structures. The text index of 100,000 entries takes
/// about 60 MB, a sorted list of them less than one.
pub const BYTES_MAX: usize = 512 * 1024 * 1024;

/// The budget of this process.
pub static CACHE_BUDGET: CacheBudget = CacheBudget::with_limit(BYTES_MAX);

/// A memory budget: it lists the owners of derived structures and evicts the least recently used
/// ones.
pub struct CacheBudget {
    bytes_max: AtomicUsize,
    uses: AtomicU64,
    owners: Mutex<Vec<Weak<dyn CacheOwner>>>,
}

/// An owner of derived structures.
pub(super) trait CacheOwner: Send + Sync {
    /// Calls `each` for every structure the owner holds.
    fn visit_items(&self, each: &mut dyn FnMut(BudgetItem));

    /// Drops the structures at these memory addresses.
    fn forget_items(&self, places: &[usize]);
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
            uses: AtomicU64::new(0),
            owners: Mutex::new(Vec::new()),
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

    /// Registers an owner and removes those that were dropped: when entries change without any
    /// query, owners come and go without anything being built.
    pub(super) fn register_owner(&self, owner: Weak<dyn CacheOwner>) {
        let mut owners = self.owners.lock();
        owners.retain(|it| it.strong_count() > 0);
        if !owners.iter().any(|it| it.ptr_eq(&owner)) {
            owners.push(owner);
        }
    }

    /// Evicts structures until the limit holds. The most recently used one stays, however large it
    /// is: otherwise it would be built again for every query.
    pub(super) fn evict_excess(&self) {
        let alive: Vec<_> = self.owners.lock().iter().filter_map(Weak::upgrade).collect();
        let mut items: HashMap<usize, BudgetItem> = HashMap::new();
        for owner in &alive {
            owner.visit_items(&mut |item| {
                let known = items.entry(item.place).or_insert(item);
                known.used = known.used.max(item.used);
            });
        }
        let mut items: Vec<BudgetItem> = items.into_values().collect();
        items.sort_unstable_by_key(|it| std::cmp::Reverse(it.used));
        let bytes_max = self.bytes_max.load(Relaxed);
        let (mut bytes, mut places) = (0_usize, Vec::new());
        for (number, item) in items.iter().enumerate() {
            bytes = bytes.saturating_add(item.bytes);
            if bytes > bytes_max && number > 0 {
                places.push(item.place);
                bytes -= item.bytes;
            }
        }
        if !places.is_empty() {
            alive.iter().for_each(|it| it.forget_items(&places));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[derive(Default)]
    struct Kept(Mutex<Vec<BudgetItem>>);

    impl CacheOwner for Kept {
        fn visit_items(&self, each: &mut dyn FnMut(BudgetItem)) {
            self.0.lock().iter().for_each(|it| each(*it));
        }

        fn forget_items(&self, places: &[usize]) {
            self.0.lock().retain(|it| !places.contains(&it.place));
        }
    }

    #[test]
    fn what_was_not_used_for_longest_goes_whoever_keeps_it() {
        let budget = CacheBudget::with_limit(100);
        let (one, two) = (Arc::new(Kept::default()), Arc::new(Kept::default()));
        let put = |kept: &Arc<Kept>, place: usize, bytes: usize| {
            kept.0.lock().push(BudgetItem { place, bytes, used: budget.next_use() });
            let owner: Arc<dyn CacheOwner> = kept.clone();
            budget.register_owner(Arc::downgrade(&owner));
            budget.evict_excess();
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
        assert_eq!(budget.owners.lock().len(), 1);
    }

    #[test]
    fn holders_that_come_and_go_leave_nothing_behind() {
        let budget = CacheBudget::with_limit(100);
        for _ in 0..1_000 {
            let owner: Arc<dyn CacheOwner> = Arc::new(Kept::default());
            budget.register_owner(Arc::downgrade(&owner));
        }
        assert!(budget.owners.lock().len() <= 1);
    }
}
