//! The turn of imports through the API.

use std::sync::MutexGuard;

use crate::stdx::sync::Mutex;

/// The turn of imports: one at a time, since each takes memory.
#[derive(Default)]
pub struct ImportGate(Mutex<()>);

impl ImportGate {
    /// Takes the turn until what is returned is dropped, unless somebody has it.
    pub fn try_acquire(&self) -> Option<MutexGuard<'_, ()>> {
        self.0.try_lock()
    }
}
