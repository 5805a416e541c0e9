//! What a client says it knows of an entry before it changes it.

use crate::stdx::sum::Sum;

/// Which states of an entry a change is meant for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Any, also none: nothing was said.
    #[default]
    None,
    /// Any that is there.
    Any,
    /// Those with one of these revisions. None of them, when the client named nothing that could be
    /// a revision: then no change is meant.
    Revs(Vec<Sum>),
}

impl Precondition {
    /// Whether the change is meant for an entry whose file has the sum `rev`.
    pub fn holds_for(&self, rev: Sum) -> bool {
        match self {
            Precondition::None | Precondition::Any => true,
            Precondition::Revs(revs) => revs.contains(&rev),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_must_be_among_those_named() {
        let check = |precondition: &Precondition, expect: bool| {
            assert_eq!(precondition.holds_for(Sum(7)), expect, "{precondition:?}");
        };
        check(&Precondition::None, true);
        check(&Precondition::Any, true);
        check(&Precondition::Revs(vec![Sum(1), Sum(7)]), true);
        check(&Precondition::Revs(vec![Sum(1)]), false);
        check(&Precondition::Revs(Vec::new()), false);
    }
}
