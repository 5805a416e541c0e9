//! How far the right to something reaches over many things at once, worked out before they are gone
//! through: most callers may see everything or nothing, and the rest get a rule that is cheap to ask.

use std::sync::Arc;

use super::Action;
use super::Effect;
use super::Glob;
use super::Grant;
use super::Grants;
use super::Pattern;
use super::Resource;
use super::resource::names_an_entry;
use crate::model::entry::Status;

/// Over which of many things a right reaches.
#[derive(Clone, Debug)]
pub enum Reach<R = RowRule> {
    /// Over none, whatever they are.
    Nothing,
    /// Over all, whatever they are.
    Everything,
    /// It depends on each.
    Rows(R),
}

/// What a [`RowRule`] needs to know of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its slug.
    pub slug: &'a str,
    /// Its status.
    pub status: Status,
    /// Who wrote it.
    pub author_id: Option<&'a str>,
}

/// The grants of one caller, reduced to what is still open for entries of one type.
#[derive(Clone, Debug)]
pub struct RowRule {
    caller_id: Arc<str>,
    /// Denials first.
    parts: Vec<Part>,
}

/// What is left of one grant.
#[derive(Clone, Debug)]
struct Part {
    effect: Effect,
    names: Vec<Name>,
    own: bool,
    status: Vec<Status>,
}

/// The ids or slugs that one pattern leaves.
#[derive(Clone, Debug)]
enum Name {
    Any,
    Exact(Box<str>),
    Like(Glob),
}

impl Grants {
    /// Which entries of a type the right reaches. `locale` is the one they are read in, none when
    /// the type has no locales. For reading actions: nothing counts as changed.
    pub fn reach(
        &self,
        workspace: &str,
        action: Action,
        type_name: &str,
        locale: Option<&str>,
    ) -> Reach {
        let inside = ["content", type_name];
        let of_grant = |grant: &Grant| Part::of(grant, workspace, action, &inside, locale);
        let mut parts: Vec<Part> = self.list.iter().filter_map(of_grant).collect();
        parts.sort_by_key(|part| part.effect == Effect::Allow);
        if parts.iter().all(|part| part.effect == Effect::Deny) {
            return Reach::Nothing;
        }
        match parts.iter().find(|part| part.is_unconditional()).map(|part| part.effect) {
            Some(Effect::Deny) => Reach::Nothing,
            Some(Effect::Allow) if parts.iter().all(|part| part.effect == Effect::Allow) => {
                Reach::Everything
            }
            _ => Reach::Rows(RowRule { caller_id: self.caller_id.clone(), parts }),
        }
    }

    /// Which media files the right reaches. `Rows`: decide each as a [`Resource::File`].
    pub fn reach_of_media(&self, workspace: &str, action: Action) -> Reach<()> {
        let concerns = |grant: &&Grant| {
            let could = |p: &Pattern| p.could_match(workspace, action, &Resource::Media);
            grant.action_set.contains(action) && grant.resources.iter().any(could)
        };
        let (mut allowed, mut whole, mut denied) = (false, false, false);
        for grant in self.list.iter().filter(concerns) {
            let all = |p: &Pattern| {
                p.counts_in(workspace) && p.inside(&["media"]).iter().any(Glob::is_anything)
            };
            let conditional = grant.conditions != super::Conditions::default();
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

impl Part {
    /// What is left of a grant inside of one content type; none when it cannot apply there.
    fn of(
        grant: &Grant,
        workspace: &str,
        action: Action,
        inside: &[&str],
        locale: Option<&str>,
    ) -> Option<Part> {
        let applies = grant.action_set.contains(action)
            && grant.fits_fields(&[])
            && grant.fits(&grant.conditions.locales, locale.as_slice());
        let patterns = grant.resources.iter().filter(|p| applies && p.counts_in(workspace));
        let rests = patterns.flat_map(|pattern| pattern.inside(inside)).filter(names_an_entry);
        let mut names: Vec<Name> = rests.map(Name::of).collect();
        if names.iter().any(|name| matches!(name, Name::Any)) {
            names = vec![Name::Any];
        }
        let (effect, own) = (grant.effect, grant.conditions.own);
        let part = Part { effect, names, own, status: grant.conditions.status.clone() };
        (!part.names.is_empty()).then_some(part)
    }

    fn is_unconditional(&self) -> bool {
        !self.own && self.status.is_empty() && matches!(self.names[..], [Name::Any])
    }

    fn applies(&self, caller_id: &str, row: &Row) -> bool {
        (self.status.is_empty() || self.status.contains(&row.status))
            && (!self.own || row.author_id == Some(caller_id))
            && self.names.iter().any(|name| name.matches(row.id) || name.matches(row.slug))
    }
}

impl Name {
    fn of(glob: Glob) -> Name {
        match glob.literal() {
            _ if glob.is_anything() => Name::Any,
            Some(text) => Name::Exact(text.into()),
            None => Name::Like(glob),
        }
    }

    fn matches(&self, text: &str) -> bool {
        match self {
            Name::Any => true,
            Name::Exact(name) => **name == *text,
            Name::Like(glob) => glob.matches(&[text]),
        }
    }
}

impl RowRule {
    /// Whether the right reaches this entry.
    pub fn allows(&self, row: &Row) -> bool {
        let applying = self.parts.iter().find(|part| part.applies(&self.caller_id, row));
        applying.is_some_and(|part| part.effect == Effect::Allow)
    }
}
