//! Files of a request that are on the disk, and vanish unless a use case moves them to their place.

use tokio::runtime::Handle;

use crate::store::write::spool::Spooled;

/// The files of a request, all on the disk, and what was said of them.
#[derive(Default)]
pub struct Upload {
    /// The files in the order in which they came.
    pub files: Vec<Spooled>,
    /// The category, if one was sent.
    pub category: Option<String>,
    /// The visibility, if it was sent; public by default.
    pub visibility: Option<String>,
    /// The options of an import, as JSON.
    pub options: Option<String>,
}

/// A value whose drop touches the disk, and is therefore left to a blocking thread.
pub struct DropOnThread<T: Send + 'static>(Option<T>);

impl<T: Send + 'static> DropOnThread<T> {
    /// Wraps a value.
    pub(crate) fn new(it: T) -> DropOnThread<T> {
        DropOnThread(Some(it))
    }

    /// Returns the value, unless it was taken.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    /// Takes the value, unless it was taken already.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

impl<T: Default + Send + 'static> DropOnThread<T> {
    /// Access to it; a new one where somebody has taken it.
    pub(crate) fn get_or_insert_default(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Send + 'static> Drop for DropOnThread<T> {
    fn drop(&mut self) {
        if let (Some(it), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn_blocking(move || drop(it));
        }
    }
}
