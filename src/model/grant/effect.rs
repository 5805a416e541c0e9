//! The effect of a grant.

/// The effect of a grant that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Effect {
    /// Allows the action, unless another grant denies it.
    Allow,
    /// Denies the action, regardless of other grants.
    Deny,
}
