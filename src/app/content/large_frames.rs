//! The right of a few long answers to be sent in large frames.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// The most answers with large frames at a time. A client that does not read holds two frames in
/// memory, and others wait while one is made.
const SLOTS_MAX: usize = 4;

/// The slots for answers with large frames.
#[derive(Clone, Default)]
pub struct LargeFrames {
    n_taken: Arc<AtomicUsize>,
}

/// The slot of one answer, which is free again when this is dropped.
pub struct LargeFrameSlot {
    n_taken: Arc<AtomicUsize>,
}

impl LargeFrames {
    /// Returns a slot, unless all are taken.
    pub fn try_acquire(&self) -> Option<LargeFrameSlot> {
        let take = |taken: usize| (taken < SLOTS_MAX).then_some(taken + 1);
        self.n_taken.fetch_update(Relaxed, Relaxed, take).ok()?;
        Some(LargeFrameSlot { n_taken: self.n_taken.clone() })
    }
}

impl Drop for LargeFrameSlot {
    fn drop(&mut self) {
        self.n_taken.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_few_and_returned() {
        let frames = LargeFrames::default();
        let mut slots: Vec<LargeFrameSlot> =
            (0..SLOTS_MAX).map(|_| frames.try_acquire().unwrap()).collect();
        for _ in 0..3 {
            assert!(frames.try_acquire().is_none());
            slots.pop();
            slots.push(frames.try_acquire().unwrap());
        }
    }
}
