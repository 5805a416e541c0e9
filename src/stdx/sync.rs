//! Locks without poisoning. A panic costs one request and not the server, so what a lock guards
//! must be whole after every step: the next holder goes on with it.

use std::sync;
use std::sync::LockResult;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::RwLockReadGuard;
use std::sync::RwLockWriteGuard;
use std::sync::TryLockError;
use std::time::Duration;

/// A mutex that stays usable after a panic of its holder.
#[derive(Debug, Default)]
pub struct Mutex<T: ?Sized>(sync::Mutex<T>);

impl<T> Mutex<T> {
    /// Creates a mutex.
    pub const fn new(value: T) -> Self {
        Mutex(sync::Mutex::new(value))
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Locks the value.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        ignore_poison(self.0.lock())
    }

    /// Locks the value, unless somebody holds it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// A lock for many readers or one writer that stays usable after a panic of its holder.
#[derive(Debug, Default)]
pub struct RwLock<T: ?Sized>(sync::RwLock<T>);

impl<T> RwLock<T> {
    /// Creates a lock.
    pub const fn new(value: T) -> Self {
        RwLock(sync::RwLock::new(value))
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Locks the value for reading.
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        ignore_poison(self.0.read())
    }

    /// Locks the value for writing.
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        ignore_poison(self.0.write())
    }
}

/// A condition that holders of a [`Mutex`] wait for.
#[derive(Debug, Default)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    /// Creates a condition.
    pub const fn new() -> Self {
        Condvar(sync::Condvar::new())
    }

    /// Waits for a notification.
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        ignore_poison(self.0.wait(guard))
    }

    /// Waits for a notification, at most this long.
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        at_most: Duration,
    ) -> MutexGuard<'a, T> {
        ignore_poison(self.0.wait_timeout(guard, at_most)).0
    }

    /// Waits while a condition holds.
    pub fn wait_while<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        holds: impl FnMut(&mut T) -> bool,
    ) -> MutexGuard<'a, T> {
        ignore_poison(self.0.wait_while(guard, holds))
    }

    /// Waits while a condition holds, at most this long.
    pub fn wait_timeout_while<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        at_most: Duration,
        holds: impl FnMut(&mut T) -> bool,
    ) -> MutexGuard<'a, T> {
        ignore_poison(self.0.wait_timeout_while(guard, at_most, holds)).0
    }

    /// Wakes one of those who wait.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Wakes all who wait.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

fn ignore_poison<T>(locked: LockResult<T>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}
