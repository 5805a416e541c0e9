//! The guard against deleting something that is used.

/// The treatment of something that is used by entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageGuard {
    /// Delete it anyway.
    Off,
    /// Refuse to delete it, and report its usages.
    On,
}
