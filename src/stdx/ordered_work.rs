//! Work on several threads whose results are taken in order, in bounded memory.

use std::sync::mpsc;
use std::thread;

/// Runs `work` for each item on up to `threads` threads, and `take` for each result on the calling
/// thread, in the order of the items. Each thread begins with a state from `start`.
///
/// Each thread is at most two results ahead of `take`, so memory is bounded however long the list
/// is. A single item is worked on by the caller.
///
/// # Errors
///
/// Stops at the first error of `take` and returns it.
///
/// # Panics
///
/// Panics if `work` panics.
pub fn map_in_order<T: Sync, S, R: Send, E>(
    threads: usize,
    items: &[T],
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let lanes = threads.min(items.len());
    if lanes < 2 {
        let mut state = start();
        return items.iter().try_for_each(|item| take(item, work(&mut state, item)));
    }
    let (start, work) = (&start, &work);
    thread::scope(|scope| {
        let mut results = Vec::new();
        for lane in 0..lanes {
            let (sender, receiver) = mpsc::sync_channel(1);
            results.push(receiver);
            scope.spawn(move || {
                let mut state = start();
                for item in items.iter().skip(lane).step_by(lanes) {
                    // The receiver is gone if `take` has failed.
                    if sender.send(work(&mut state, item)).is_err() {
                        break;
                    }
                }
            });
        }
        for (item, receiver) in items.iter().zip(results.iter().cycle()) {
            // A thread ends early only by a panic, which the scope reports.
            let Ok(result) = receiver.recv() else { break };
            take(item, result)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::panic::AssertUnwindSafe;
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn results_are_taken_in_order() {
        let check = |threads: usize, count: u64| {
            let items: Vec<u64> = (0..count).collect();
            let mut taken = Vec::new();
            let done = map_in_order(
                threads,
                &items,
                || 0,
                |worked, item| {
                    *worked += 1;
                    (0..item % 7).for_each(|_| thread::yield_now());
                    (item * 2, *worked)
                },
                |item, (double, worked)| {
                    assert!(double == item * 2 && worked > 0);
                    taken.push(*item);
                    Ok::<(), ()>(())
                },
            );
            assert_eq!((done, taken), (Ok(()), items), "{threads} {count}");
        };
        for threads in [0, 1, 2, 3] {
            [0, 1, 2, 3, 100].into_iter().for_each(|count| check(threads, count));
        }
    }

    #[test]
    fn the_first_error_ends_the_work() {
        let items: Vec<u32> = (0..10_000).collect();
        for threads in [1, 4] {
            let fail = |_: &u32, it: u32| if it == 5 { Err(it) } else { Ok(()) };
            assert_eq!(map_in_order(threads, &items, || (), |(), it| *it, fail), Err(5));
        }
    }

    #[test]
    fn a_panic_of_the_work_is_not_lost() {
        let items = [1, 2, 3, 4];
        for threads in [1, 2] {
            let work = |(): &mut (), it: &i32| assert!(*it != 3, "a bug");
            let run = || map_in_order(threads, &items, || (), work, |_, ()| Ok::<(), ()>(()));
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        }
    }
}
