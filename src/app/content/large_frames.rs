//! The right of a few long answers to be sent in large frames.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// The most answers with large frames at a time. A client that does not read holds two frames in
/// memory, and others wait while one is made.
const PERMITS: usize = 4;

/// The permits for large frames.
#[derive(Default)]
pub struct LargeFrames {
    n_taken: Arc<AtomicUsize>,
}

/// The permit of one answer, which is returned when it is dropped.
pub struct LargeFramePermit {
    n_taken: Arc<AtomicUsize>,
}

impl LargeFrames {
    /// Returns a permit, unless all are taken.
    pub fn try_acquire(&self) -> Option<LargeFramePermit> {
        let take = |taken: usize| (taken < PERMITS).then_some(taken + 1);
        self.n_taken.fetch_update(Relaxed, Relaxed, take).ok()?;
        Some(LargeFramePermit { n_taken: self.n_taken.clone() })
    }
}

impl Drop for LargeFramePermit {
    fn drop(&mut self) {
        self.n_taken.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_few_and_returned() {
        let frames = LargeFrames::default();
        let mut permits: Vec<LargeFramePermit> =
            (0..PERMITS).map(|_| frames.try_acquire().unwrap()).collect();
        for _ in 0..3 {
            assert!(frames.try_acquire().is_none());
            permits.pop();
            permits.push(frames.try_acquire().unwrap());
        }
    }
}
