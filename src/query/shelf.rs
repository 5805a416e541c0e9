//! One budget for everything that is derived from entries, of all types and workspaces: what was not
//! used for longest goes first, whichever type it belongs to.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::Weak;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// How many bytes derived structures may take together, unless something else is set. The text index
/// of 100,000 entries takes some 60 MB, an order of them less than one.
pub const BYTES_MAX: usize = 512 * 1024 * 1024;

/// All derived structures of this process.
pub static SHELF: Shelf = Shelf::of(BYTES_MAX);

/// What knows of all that is kept, and when it was used.
pub struct Shelf {
    bytes_max: AtomicUsize,
    uses: AtomicU64,
    holders: Mutex<Vec<Weak<dyn Holder>>>,
}

/// Who keeps derived structures.
pub(super) trait Holder: Send + Sync {
    /// Calls `each` for everything that is kept.
    fn each(&self, each: &mut dyn FnMut(Item));

    /// Forgets everything that is kept in one of these places of memory.
    fn forget(&self, places: &[usize]);
}

/// Something that is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Where it is in memory: what several indexes share counts once.
    pub(super) place: usize,
    pub(super) bytes: usize,
    /// A number that was higher when it was used later.
    pub(super) used: u64,
}

impl Shelf {
    /// One for so many bytes.
    pub(super) const fn of(bytes_max: usize) -> Shelf {
        Shelf {
            bytes_max: AtomicUsize::new(bytes_max),
            uses: AtomicU64::new(0),
            holders: Mutex::new(Vec::new()),
        }
    }

    /// Sets how many bytes there may be.
    pub fn allow(&self, bytes_max: usize) {
        self.bytes_max.store(bytes_max, Relaxed);
    }

    /// A number for something that is used now.
    pub(super) fn next_use(&self) -> u64 {
        self.uses.fetch_add(1, Relaxed)
    }

    /// Knows of a holder from now on.
    pub(super) fn know(&self, holder: Weak<dyn Holder>) {
        let mut holders = self.lock();
        if !holders.iter().any(|it| it.ptr_eq(&holder)) {
            holders.push(holder);
        }
    }

    /// Makes room after something was made. What was used last stays, however large it is: whoever
    /// asked for it would have it made again and again.
    pub(super) fn make_room(&self) {
        let mut holders = self.lock();
        holders.retain(|it| it.strong_count() > 0);
        let there: Vec<_> = holders.iter().filter_map(Weak::upgrade).collect();
        drop(holders);
        let mut items: HashMap<usize, Item> = HashMap::new();
        for holder in &there {
            holder.each(&mut |item| {
                let known = items.entry(item.place).or_insert(item);
                known.used = known.used.max(item.used);
            });
        }
        let mut items: Vec<Item> = items.into_values().collect();
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
            there.iter().for_each(|it| it.forget(&places));
        }
    }

    // The list is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<dyn Holder>>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[derive(Default)]
    struct Kept(Mutex<Vec<Item>>);

    impl Holder for Kept {
        fn each(&self, each: &mut dyn FnMut(Item)) {
            self.0.lock().unwrap().iter().for_each(|it| each(*it));
        }

        fn forget(&self, places: &[usize]) {
            self.0.lock().unwrap().retain(|it| !places.contains(&it.place));
        }
    }

    #[test]
    fn what_was_not_used_for_longest_goes_whoever_keeps_it() {
        let shelf = Shelf::of(100);
        let (one, two) = (Arc::new(Kept::default()), Arc::new(Kept::default()));
        let put = |kept: &Arc<Kept>, place: usize, bytes: usize| {
            kept.0.lock().unwrap().push(Item { place, bytes, used: shelf.next_use() });
            let holder: Arc<dyn Holder> = kept.clone();
            shelf.know(Arc::downgrade(&holder));
            shelf.make_room();
        };
        let places = |kept: &Arc<Kept>| -> Vec<usize> {
            kept.0.lock().unwrap().iter().map(|it| it.place).collect()
        };
        put(&one, 1, 40);
        put(&two, 2, 40);
        // The same in another holder: it counts once, and is used again.
        put(&two, 1, 40);
        put(&one, 3, 20);
        assert_eq!((places(&one), places(&two)), (vec![1, 3], vec![2, 1]));
        put(&two, 4, 30);
        assert_eq!((places(&one), places(&two)), (vec![1, 3], vec![1, 4]));
        // What is larger than all of it stays alone.
        put(&one, 5, 500);
        assert_eq!((places(&one), places(&two)), (vec![5], vec![]));
        drop(two);
        put(&one, 6, 1);
        assert_eq!(places(&one), [6]);
        assert_eq!(shelf.lock().len(), 1);
    }
}
