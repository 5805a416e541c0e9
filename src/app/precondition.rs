//! The precondition of a change: the states of a resource that the client knows.

use crate::stdx::checksum::Checksum;

/// The states of an entry to which a change applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Any, including a missing one: the client gave no precondition.
    #[default]
    None,
    /// Any existing one.
    Any,
    /// Those with one of these revisions. Empty if the client named nothing that can be a revision;
    /// then the change never applies.
    Revs(Vec<Checksum>),
}

impl Precondition {
    /// Returns true if the change applies to an entry whose file has the checksum `rev`.
    pub fn matches_rev(&self, rev: Checksum) -> bool {
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
            assert_eq!(precondition.matches_rev(Checksum(7)), expect, "{precondition:?}");
        };
        check(&Precondition::None, true);
        check(&Precondition::Any, true);
        check(&Precondition::Revs(vec![Checksum(1), Checksum(7)]), true);
        check(&Precondition::Revs(vec![Checksum(1)]), false);
        check(&Precondition::Revs(Vec::new()), false);
    }
}
