//! The rule that decides which entries of a type a caller may read: the caller's grants, reduced to
//! what remains once the type is known.

use std::sync::Arc;

use crate::model::entry::EntryStatus;
use crate::model::grant::effect::Effect;
use crate::model::grant::glob::Glob;

/// The reach of a permission over a set of things.
#[derive(Clone, Debug)]
pub enum Reach<R = Arc<RowRule>> {
    /// None of them.
    Nothing,
    /// All of them.
    Everything,
    /// Depends on each of them.
    Rows(R),
}

/// The properties of an entry that a [`RowRule`] depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryRow<'a> {
    /// The id.
    pub id: &'a str,
    /// The slug.
    pub slug: &'a str,
    /// The status.
    pub status: EntryStatus,
    /// The author.
    pub author_id: Option<&'a str>,
}

/// The grants of a caller, reduced to the conditions that remain for entries of one type.
#[derive(Clone, Debug)]
pub struct RowRule {
    pub(super) caller_id: Arc<str>,
    /// The grants, denials first.
    pub(super) parts: Vec<ResidualGrant>,
}

/// The remaining conditions of a grant.
#[derive(Clone, Debug)]
pub(super) struct ResidualGrant {
    pub(super) effect: Effect,
    pub(super) names: Vec<NameMatcher>,
    pub(super) own: bool,
    pub(super) status: Vec<EntryStatus>,
}

/// The ids or slugs that a pattern accepts.
#[derive(Clone, Debug)]
pub(super) enum NameMatcher {
    Any,
    Exact(Box<str>),
    Like(Glob),
}

impl ResidualGrant {
    pub(super) fn is_unconditional(&self) -> bool {
        !self.own && self.status.is_empty() && matches!(self.names[..], [NameMatcher::Any])
    }

    fn applies_to(&self, caller_id: &str, row: &EntryRow) -> bool {
        (self.status.is_empty() || self.status.contains(&row.status))
            && (!self.own || row.author_id == Some(caller_id))
            && self.names.iter().any(|name| name.matches(row.id) || name.matches(row.slug))
    }
}

impl NameMatcher {
    pub(super) fn from_glob(glob: Glob) -> NameMatcher {
        match glob.as_literal() {
            _ if glob.is_anything() => NameMatcher::Any,
            Some(text) => NameMatcher::Exact(text.into()),
            None => NameMatcher::Like(glob),
        }
    }

    fn matches(&self, text: &str) -> bool {
        match self {
            NameMatcher::Any => true,
            NameMatcher::Exact(name) => **name == *text,
            NameMatcher::Like(glob) => glob.matches(&[text]),
        }
    }
}

impl RowRule {
    /// Returns true if the permission covers this entry.
    pub fn allows_entry(&self, row: &EntryRow) -> bool {
        let applying = self.parts.iter().find(|part| part.applies_to(&self.caller_id, row));
        applying.is_some_and(|part| part.effect == Effect::Allow)
    }
}
