//! The reach of a permission over many things, computed once before they are iterated: most callers
//! may see everything or nothing, and for the others there is a rule that is cheap to evaluate.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::model::entry::EntryStatus;
use crate::model::grant::action::Action;
use crate::model::grant::glob::Glob;
use crate::model::grant::grants::Conditions;
use crate::model::grant::grants::Effect;
use crate::model::grant::grants::Grant;
use crate::model::grant::grants::Grants;
use crate::model::grant::resource::Resource;
use crate::model::grant::resource::ResourcePattern;
use crate::model::grant::resource::can_name_entry;
use crate::stdx::checksum::Checksum;

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

/// What a caller may read of the entries of one type.
#[derive(Clone, Debug)]
pub struct TypeReading {
    /// The reach over the entries.
    pub reach: Reach,
    /// True if a grant could allow reading an entry of the type, whatever others deny.
    pub could_read: bool,
}

/// The readings of the types that a caller has asked for. They depend on nothing but the grants and
/// the names that are asked for, so they never become stale: other grants are another value.
#[derive(Debug, Default)]
pub(super) struct ReadingCache(ArcSwap<BTreeMap<Checksum, CachedReading>>);

#[derive(Clone, Debug)]
struct CachedReading {
    workspace: Box<str>,
    type_name: Box<str>,
    locale: Option<Box<str>>,
    reading: TypeReading,
}

impl ReadingCache {
    /// The most readings of a caller that are kept: a few for each type. More start anew.
    const READINGS_MAX: usize = 1_024;

    fn get_or_compute(
        &self,
        workspace: &str,
        type_name: &str,
        locale: Option<&str>,
        compute: impl FnOnce() -> TypeReading,
    ) -> TypeReading {
        let key = [workspace, type_name, locale.unwrap_or_default()]
            .map(|it| Checksum::of_bytes(it.as_bytes()))
            .into_iter()
            .fold(Checksum::default(), |sum, it| Checksum(sum.0.rotate_left(21)).plus(it));
        let kept = self.0.load();
        // Others may have the same sum.
        let is_asked_for = |it: &&CachedReading| {
            *it.workspace == *workspace
                && *it.type_name == *type_name
                && it.locale.as_deref() == locale
        };
        if let Some(found) = kept.get(&key).filter(is_asked_for) {
            return found.reading.clone();
        }
        let reading = compute();
        let mut next = match kept.len() < Self::READINGS_MAX {
            true => BTreeMap::clone(&kept),
            false => BTreeMap::new(),
        };
        let cached = CachedReading {
            workspace: workspace.into(),
            type_name: type_name.into(),
            locale: locale.map(Box::from),
            reading: reading.clone(),
        };
        next.insert(key, cached);
        // Of two that are added at once, one may be lost, and is computed again.
        self.0.store(Arc::new(next));
        reading
    }
}

/// The properties of an entry that a [`RowRule`] depends on.
#[derive(Clone, Copy, Debug)]
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
    caller_id: Arc<str>,
    /// The grants, denials first.
    parts: Vec<ResidualGrant>,
}

/// The remaining conditions of a grant.
#[derive(Clone, Debug)]
struct ResidualGrant {
    effect: Effect,
    names: Vec<NameMatcher>,
    own: bool,
    status: Vec<EntryStatus>,
}

/// The ids or slugs that a pattern accepts.
#[derive(Clone, Debug)]
enum NameMatcher {
    Any,
    Exact(Box<str>),
    Like(Glob),
}

impl Grants {
    /// Returns what the caller may read of the entries of a type. `locale` is the one they are read
    /// in, `None` if the type has no locales. It is computed once and kept.
    pub fn reading_of_type(
        &self,
        workspace: &str,
        type_name: &str,
        locale: Option<&str>,
    ) -> TypeReading {
        let compute = || TypeReading {
            reach: self.compute_reach(workspace, type_name, locale),
            could_read: self.could_match(
                workspace,
                Action::ContentRead,
                &Resource::Collection(type_name),
            ),
        };
        self.readings.get_or_compute(workspace, type_name, locale, compute)
    }

    /// Computes the reach of reading over the entries of a type: no field counts as changed.
    fn compute_reach(&self, workspace: &str, type_name: &str, locale: Option<&str>) -> Reach {
        let inside = ["content", type_name];
        let of_grant = |grant: &Grant| {
            ResidualGrant::from_grant(grant, workspace, Action::ContentRead, &inside, locale)
        };
        let mut parts: Vec<ResidualGrant> = self.list.iter().filter_map(of_grant).collect();
        parts.sort_by_key(|part| part.effect == Effect::Allow);
        if parts.iter().all(|part| part.effect == Effect::Deny) {
            return Reach::Nothing;
        }
        match parts.iter().find(|part| part.is_unconditional()).map(|part| part.effect) {
            Some(Effect::Deny) => Reach::Nothing,
            Some(Effect::Allow) if parts.iter().all(|part| part.effect == Effect::Allow) => {
                Reach::Everything
            }
            _ => Reach::Rows(Arc::new(RowRule { caller_id: self.caller_id.clone(), parts })),
        }
    }

    /// Returns the reach over media files. For `Rows`, the caller decides on each
    /// [`Resource::File`].
    pub fn compute_media_reach(&self, workspace: &str, action: Action) -> Reach<()> {
        let concerns = |grant: &&Grant| {
            let could = |p: &ResourcePattern| p.could_match(workspace, action, &Resource::Media);
            grant.action_set.contains(action) && grant.resources.iter().any(could)
        };
        let (mut allowed, mut whole, mut denied) = (false, false, false);
        for grant in self.list.iter().filter(concerns) {
            let all = |p: &ResourcePattern| {
                p.counts_in(workspace)
                    && p.remaining_globs(&["media"]).iter().any(Glob::is_anything)
            };
            let conditional = grant.conditions != Conditions::default();
            let everything = !conditional && grant.resources.iter().any(all);
            match grant.effect {
                Effect::Deny if grant.fields.is_some() => {} // reading changes no field
                Effect::Deny if everything => return Reach::Nothing,
                Effect::Deny => denied = true,
                Effect::Allow => (allowed, whole) = (true, whole || everything),
            }
        }
        match (allowed, whole && !denied) {
            (false, _) => Reach::Nothing,
            (true, true) => Reach::Everything,
            (true, false) => Reach::Rows(()),
        }
    }
}

impl ResidualGrant {
    /// Reduces a grant to one content type; returns `None` if it cannot apply there.
    fn from_grant(
        grant: &Grant,
        workspace: &str,
        action: Action,
        inside: &[&str],
        locale: Option<&str>,
    ) -> Option<ResidualGrant> {
        let applies = grant.action_set.contains(action)
            && grant.fits_fields(&[])
            && grant.fits_facts(&grant.conditions.locales, locale.as_slice());
        let patterns = grant.resources.iter().filter(|p| applies && p.counts_in(workspace));
        let rests =
            patterns.flat_map(|pattern| pattern.remaining_globs(inside)).filter(can_name_entry);
        let mut names: Vec<NameMatcher> = rests.map(NameMatcher::from_glob).collect();
        if names.iter().any(|name| matches!(name, NameMatcher::Any)) {
            names = vec![NameMatcher::Any];
        }
        let (effect, own) = (grant.effect, grant.conditions.own);
        let part = ResidualGrant { effect, names, own, status: grant.conditions.status.clone() };
        (!part.names.is_empty()).then_some(part)
    }

    fn is_unconditional(&self) -> bool {
        !self.own && self.status.is_empty() && matches!(self.names[..], [NameMatcher::Any])
    }

    fn applies_to(&self, caller_id: &str, row: &EntryRow) -> bool {
        (self.status.is_empty() || self.status.contains(&row.status))
            && (!self.own || row.author_id == Some(caller_id))
            && self.names.iter().any(|name| name.matches(row.id) || name.matches(row.slug))
    }
}

impl NameMatcher {
    fn from_glob(glob: Glob) -> NameMatcher {
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
