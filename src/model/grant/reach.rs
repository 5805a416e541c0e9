//! The reach of a permission over many things, computed once before they are iterated: most callers
//! may see everything or nothing, and for the others there is a rule that is cheap to evaluate.

use std::sync::Arc;

use crate::model::grant::action::Action;
use crate::model::grant::effect::Effect;
use crate::model::grant::glob::Glob;
use crate::model::grant::grants::Conditions;
use crate::model::grant::grants::Grant;
use crate::model::grant::grants::Grants;
use crate::model::grant::reading_cache::TypeInLocale;
use crate::model::grant::resource::Resource;
use crate::model::grant::resource::ResourcePattern;
use crate::model::grant::resource::can_name_entry;
use crate::model::grant::row_rule::NameMatcher;
use crate::model::grant::row_rule::Reach;
use crate::model::grant::row_rule::ResidualGrant;
use crate::model::grant::row_rule::RowRule;

/// The most parts of a rule that is kept: longer ones would take memory for each caller and type.
const KEPT_PARTS_MAX: usize = 16;

impl Grants {
    /// Returns the reach of reading over the entries of a type. `locale` is the one they are read
    /// in, `None` if the type has no locales. It is computed once and kept.
    pub fn find_reach(&self, workspace: &str, type_name: &str, locale: Option<&str>) -> Reach {
        let names = TypeInLocale { workspace, type_name, locale };
        let compute = || self.compute_reach(workspace, type_name, locale);
        self.readings.reaches.get_or_compute(names, compute, |reach| match reach {
            Reach::Nothing | Reach::Everything => true,
            Reach::Rows(rule) => rule.parts.len() <= KEPT_PARTS_MAX,
        })
    }

    /// Returns true if a grant could allow reading an entry of the type, whatever others deny. It
    /// is computed once and kept.
    pub fn could_read_type(&self, workspace: &str, type_name: &str) -> bool {
        let names = TypeInLocale { workspace, type_name, locale: None };
        let entries = Resource::Collection(type_name);
        let compute = || self.could_match(workspace, Action::ContentRead, &entries);
        self.readings.readable.get_or_compute(names, compute, |_| true)
    }

    /// Computes the reach of reading over the entries of a type: no field counts as changed.
    fn compute_reach(&self, workspace: &str, type_name: &str, locale: Option<&str>) -> Reach {
        let inside = ["content", type_name];
        let of_grant =
            |grant: &Grant| reduce_grant(grant, workspace, Action::ContentRead, &inside, locale);
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

/// Reduces a grant to one content type; returns `None` if it cannot apply there.
fn reduce_grant(
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
    let rests = patterns.flat_map(|pattern| pattern.remaining_globs(inside)).filter(can_name_entry);
    let mut names: Vec<NameMatcher> = rests.map(NameMatcher::from_glob).collect();
    if names.iter().any(|name| matches!(name, NameMatcher::Any)) {
        names = vec![NameMatcher::Any];
    }
    let (effect, own) = (grant.effect, grant.conditions.own);
    let part = ResidualGrant { effect, names, own, status: grant.conditions.status.clone() };
    (!part.names.is_empty()).then_some(part)
}
