//! A limit on how many threads do something at the same time. The others wait.

use crate::stdx::sync::Condvar;
use crate::stdx::sync::Mutex;

/// A limit on how many threads do something at the same time.
pub struct ThreadLimit {
    free: Mutex<usize>,
    released: Condvar,
}

/// A place within a [`ThreadLimit`], released when dropped, even after a panic.
struct ThreadPlace<'a>(&'a ThreadLimit);

impl ThreadLimit {
    /// Creates a limit of `count` threads.
    pub const fn new(count: usize) -> ThreadLimit {
        ThreadLimit { free: Mutex::new(count), released: Condvar::new() }
    }

    /// Runs `work` as soon as fewer threads than the limit are inside.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut free = self.released.wait_while(self.free.lock(), |it| *it == 0);
        *free -= 1;
        drop(free);
        let _inside = ThreadPlace(self);
        work()
    }
}

impl Drop for ThreadPlace<'_> {
    fn drop(&mut self) {
        *self.0.free.lock() += 1;
        self.0.released.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;
    use std::thread;

    use super::*;

    #[test]
    fn no_more_threads_are_inside_than_the_limit_allows() {
        let limit = ThreadLimit::new(2);
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let enter = || {
            limit.run(|| {
                most.fetch_max(inside.fetch_add(1, SeqCst) + 1, SeqCst);
                thread::yield_now();
                inside.fetch_sub(1, SeqCst);
            });
        };
        thread::scope(|scope| (0..40).for_each(|_| _ = scope.spawn(enter)));
        assert!(most.load(SeqCst) <= 2);
        assert_eq!(*limit.free.lock(), 2);
    }

    #[test]
    fn a_panic_releases_its_place() {
        let limit = ThreadLimit::new(1);
        thread::scope(|scope| {
            let panicked = scope.spawn(|| limit.run(|| -> u32 { panic!("a bug") })).join();
            assert!(panicked.is_err());
        });
        assert_eq!(limit.run(|| 7), 7);
    }
}
