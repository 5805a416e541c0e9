//! Delegation: the grants that a caller may give to others, which are only those covered by the
//! caller's own. In doubt the answer is no, since a wrong yes would allow an escalation of
//! privileges.
//!
//! A grant is covered if, for each of its actions on each of its resources, an allowing grant of
//! the giver covers it, and no denial of the giver overlaps with it. Several grants of the giver
//! count together only for whole actions on whole resources. Denials may be handed out freely,
//! since they only restrict.

use crate::model::grant::action::ActionSet;
use crate::model::grant::effect::Effect;
use crate::model::grant::grants::Conditions;
use crate::model::grant::grants::FieldPattern;
use crate::model::grant::grants::Grant;
use crate::model::grant::grants::Grants;
use crate::model::grant::resource::ResourcePattern;

/// The meaning of the condition `own` when grants of two callers are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnershipMode {
    /// Relative to each caller: the giver's condition covers the same condition of another.
    Each,
    /// Another caller's own things are not the giver's, so only a grant without the condition
    /// covers one with it.
    Others,
}

impl Grants {
    /// Checks whether the caller may hand out these grants. A grant with the condition `own` may be
    /// handed out by anyone who has the same grant: the new holder gets access to their own things.
    ///
    /// # Errors
    /// The index of a grant that is not covered.
    pub fn check_delegation(&self, other: &[Grant]) -> Result<(), usize> {
        self.check_coverage(other, OwnershipMode::Each)
    }

    /// Checks whether the caller may do everything that somebody with these grants may do,
    /// including to that person's own things. Required of anyone who could take their place, for
    /// example by setting their password.
    ///
    /// # Errors
    /// The index of a grant that is not covered.
    pub fn check_impersonation(&self, other: &[Grant]) -> Result<(), usize> {
        self.check_coverage(other, OwnershipMode::Others)
    }

    fn check_coverage(&self, other: &[Grant], own: OwnershipMode) -> Result<(), usize> {
        let too_much = |given: &Grant| {
            given.effect == Effect::Allow
                && !given.resources.iter().all(|it| self.covers_resource(given, it, own))
        };
        other.iter().position(too_much).map_or(Ok(()), Err)
    }

    /// Returns true if an allowing grant is covered on one of its resources.
    fn covers_resource(&self, given: &Grant, on: &ResourcePattern, own: OwnershipMode) -> bool {
        let mut covered = ActionSet::default();
        for grant in self.list.iter() {
            match grant.effect {
                Effect::Deny if grant.may_overlap(given, on) => return false,
                Effect::Deny => {}
                Effect::Allow if grant.reaches_as_far(given, on, own) => {
                    covered = covered.union(grant.action_set);
                }
                Effect::Allow => {}
            }
        }
        covered.contains_all(given.action_set)
    }
}

impl Grant {
    /// Returns true if this allowing grant, for its actions, covers at least as much as another.
    fn reaches_as_far(&self, given: &Grant, on: &ResourcePattern, own: OwnershipMode) -> bool {
        self.action_set.contains_any(given.action_set)
            && self.conditions.are_met_by(&given.conditions, own)
            && self.covers_fields_of(given)
            && self.resources.iter().any(|it| it.contains(on))
    }

    fn covers_fields_of(&self, given: &Grant) -> bool {
        let Some(named) = &self.fields else { return true };
        let is_named = |it: &FieldPattern| named.iter().any(|own| own.glob.contains(&it.glob));
        given.fields.as_ref().is_some_and(|it| it.iter().all(is_named))
    }

    /// Returns true if this denying grant could apply where another allows. The condition `own` is
    /// ignored, since anybody may be the owner.
    fn may_overlap(&self, given: &Grant, on: &ResourcePattern) -> bool {
        let (mine, theirs) = (&self.conditions, &given.conditions);
        self.action_set.contains_any(given.action_set)
            && can_meet(&mine.status, &theirs.status, PartialEq::eq)
            && can_meet(&mine.locales, &theirs.locales, PartialEq::eq)
            && can_meet(
                self.fields.as_deref().unwrap_or_default(),
                given.fields.as_deref().unwrap_or_default(),
                |a, b| a.glob.overlaps_with(&b.glob),
            )
            && self.resources.iter().any(|it| it.overlaps_with(on))
    }
}

impl Conditions {
    /// Returns true if these conditions hold wherever those of another grant do.
    fn are_met_by(&self, given: &Conditions, own: OwnershipMode) -> bool {
        let own = !self.own || (given.own && own == OwnershipMode::Each);
        own && is_within(&given.status, &self.status) && is_within(&given.locales, &self.locales)
    }
}

/// Returns true if this list accepts everything that the other does; an empty list accepts
/// everything.
fn is_within<T: PartialEq>(given: &[T], mine: &[T]) -> bool {
    mine.is_empty() || (!given.is_empty() && given.iter().all(|it| mine.contains(it)))
}

/// Returns true if some value is accepted by both lists; an empty list accepts everything.
fn can_meet<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    a.is_empty() || b.is_empty() || a.iter().any(|x| b.iter().any(|y| same(x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::entry::EntryStatus;
    use crate::model::grant::action::Action;
    use crate::model::grant::grants::Facts;
    use crate::model::grant::resource::Area;
    use crate::model::grant::resource::Resource;
    use crate::model::media::category::CategoryPath;
    use crate::model::people::role;
    use crate::stdx::json::Json;
    use proptest::prelude::*;

    fn parse(texts: &[&str]) -> Vec<Grant> {
        let grant = |text: &&str| match text.starts_with('{') {
            true => Grant::parse(&Json::parse(text.as_bytes()).unwrap()).unwrap(),
            false => Grant::parse_line(text).unwrap(),
        };
        texts.iter().map(grant).collect()
    }

    fn check(mine: &[&str], given: &[&str], expect: Result<(), usize>) {
        let found = Grants::new("giver", parse(mine)).check_delegation(&parse(given));
        assert_eq!(found, expect, "{mine:?} {given:?}");
    }

    #[test]
    fn what_one_holds_one_can_give() {
        for role in role::built_in_roles() {
            let grants = Grants::new("giver", role.permissions.clone());
            assert_eq!(grants.check_delegation(&role.permissions), Ok(()), "{}", role.id);
        }
        let admin = Grants::new("giver", role::built_in_roles()[0].permissions.clone());
        for role in role::built_in_roles() {
            assert_eq!(admin.check_impersonation(&role.permissions), Ok(()), "{}", role.id);
        }
        let editor = Grants::new("giver", role::built_in_roles()[1].permissions.clone());
        assert_eq!(editor.check_delegation(&role::built_in_roles()[0].permissions), Err(0));
        assert_eq!(editor.check_impersonation(&role::built_in_roles()[2].permissions), Ok(()));
    }

    #[test]
    fn actions_and_resources() {
        check(&["content.*@content:*"], &["content.read@content:posts:a"], Ok(()));
        check(&["content.read@content:*"], &["content.*@content:posts:a"], Err(0));
        check(
            &["content.read@content:*", "media.read@media:*"],
            &["media.read@media:a", "*@*"],
            Err(1),
        );
        check(
            &["content.read@content:*", "content.update@*"],
            &["content.read,content.update@content:p*"],
            Ok(()),
        );
        check(&["content.read@content:p*s:*"], &["content.read@content:p*x*s:a*"], Ok(()));
        check(&["content.read@content:posts:a*"], &["content.read@content:posts:*a"], Err(0));
        check(&["content.read@content:posts:*"], &["content.read@content:posts:read"], Ok(()));
        check(&["content.read@content:posts:read"], &["content.read@content:posts:*"], Ok(()));
        check(&["users.read@users:01"], &["users.read@users:*"], Err(0));
        let logos = ["media.read@media:category:Press / Logos"];
        check(&["media.read@media:category:Press"], &logos, Ok(()));
        check(&["media.read@media:category:Press"], &["media.read@media:category:Press*"], Err(0));
        check(&logos, &["media.read@media:category:Press"], Err(0));
        check(&["media.read@media:*"], &logos, Ok(()));
    }

    #[test]
    fn workspaces() {
        check(&["content.read@content:*"], &["content.read@content:*@blog"], Ok(()));
        check(&["content.read@content:*@blog"], &["content.read@content:*"], Err(0));
        check(&["content.read@content:*@blog"], &["content.read@content:*@shop"], Err(0));
        check(&["content.read@content:*@*"], &["content.read@content:*@blog"], Ok(()));
        check(&["content.read@content:*@*"], &["content.read@content:*"], Ok(()));
        check(&["*@*@*"], &["*@*"], Err(0));
        check(&["*@*@*"], &["users.read@users:*"], Err(0));
    }

    #[test]
    fn conditions_and_fields() {
        let own = r#"{"action":"content.update","resource":"content:*","conditions":{"own":true}}"#;
        let draft =
            r#"{"action":"content.update","resource":"content:*","conditions":{"status":"draft"}}"#;
        let either = r#"{"action":"content.update","resource":"content:*","conditions":{"status":["draft","published"]}}"#;
        let seo = r#"{"action":"content.update","resource":"content:*","fields":["seo_*"]}"#;
        let one = r#"{"action":"content.update","resource":"content:*","fields":["seo_a"]}"#;
        let all = "content.update@content:*";
        for limited in [own, draft, either, seo, one] {
            check(&[all], &[limited], Ok(()));
            check(&[limited], &[all], Err(0));
            check(&[limited], &[limited], Ok(()));
        }
        check(&[either], &[draft], Ok(()));
        check(&[draft], &[either], Err(0));
        check(&[seo], &[one], Ok(()));
        check(&[one], &[seo], Err(0));
        check(&[own], &[draft], Err(0));
        let mine = Grants::new("giver", parse(&[own]));
        assert_eq!(mine.check_impersonation(&parse(&[own])), Err(0));
    }

    #[test]
    fn denials_come_near() {
        let deny = |text: &str| {
            let (actions, resources) = text.split_once('@').unwrap();
            format!(r#"{{"effect":"deny","action":"{actions}","resource":"{resources}"}}"#)
        };
        let check = |denied: &str, given: &str, expect: Result<(), usize>| {
            check(&["*@*", &deny(denied)], &[given], expect);
        };
        check("content.delete@content:*", "content.read@content:*", Ok(()));
        check("content.delete@content:*", "content.*@content:posts:a", Err(0));
        check("content.read@content:notes:*", "content.read@content:posts:*", Ok(()));
        check("content.read@content:notes:*", "content.read@content:*", Err(0));
        // An entry has two names; a file is matched by its name and its categories.
        check("content.read@content:posts:01", "content.read@content:posts:hello", Err(0));
        check("content.read@content:p*:01", "content.read@content:*s:hello", Err(0));
        check("media.read@media:category:Press", "media.read@media:a.png", Err(0));
        check("media.read@workspace:blog:media:*", "media.read@workspace:shop:media:*", Ok(()));
        check("media.read@workspace:blog:media:*", "media.read@media:*", Err(0));
        check("users.*@users:*", "*@workspace:blog:*", Ok(()));
        check("users.*@users:01", "users.read@users:02", Ok(()));
        check("users.*@users:01", "users.read@users:*", Err(0));
        super::tests::check(&["media.read@media:a"], &[&deny("*@*")], Ok(()));
    }

    const TEXTS: &[&str] = &["a", "b", "ab"];

    fn part() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec!["*", "a", "b", "a*", "*b"])
    }

    fn resource() -> impl Strategy<Value = String> {
        let content = (part(), part()).prop_map(|(a, b)| format!("content:{a}:{b}"));
        let media = part().prop_map(|it| format!("media:{it}"));
        let folder = prop::sample::select(vec!["a", "a / b", "b", "a*", "a / *", "*"]);
        let category = folder.prop_map(|it| format!("media:category:{it}"));
        let other =
            prop::sample::select(vec!["*", "content:*", "c*", "users:*", "users:a", "*:a:*", "*a"]);
        let scope = prop::sample::select(vec!["", "", "workspace:*:", "workspace:one:"]);
        let any = prop_oneof![
            3 => content, 2 => media, 2 => category, 2 => other.prop_map(str::to_string)
        ];
        (scope, any).prop_map(|(scope, it)| {
            let scope = if it.starts_with("users") { "" } else { scope };
            format!("{scope}{it}")
        })
    }

    prop_compose! {
        fn grant(denies: u32)(
            denied in prop::bool::weighted(f64::from(denies) / 10.0),
            actions in prop::sample::subsequence(
                vec!["content.read", "content.update", "media.read", "users.read"], 1..=3),
            resources in prop::collection::vec(resource(), 1..3),
            fields in prop::option::weighted(0.2, prop::sample::subsequence(vec!["a", "b", "a*"], 1..=2)),
            own in prop::bool::weighted(0.2),
            status in prop::option::weighted(0.2, prop::sample::subsequence(vec!["draft", "published"], 1..=2)),
            locales in prop::option::weighted(0.2, prop::sample::subsequence(vec!["de", "en"], 1..=2)),
        ) -> Grant {
            let mut conditions = serde_json::json!({});
            if own { conditions["own"] = true.into(); }
            if let Some(status) = status { conditions["status"] = status.into(); }
            if let Some(locales) = locales { conditions["locales"] = locales.into(); }
            let mut grant = serde_json::json!({
                "effect": if denied { "deny" } else { "allow" },
                "actions": actions, "resources": resources, "conditions": conditions,
            });
            if let Some(fields) = fields { grant["fields"] = fields.into(); }
            Grant::parse(&Json::parse(grant.to_string().as_bytes()).unwrap()).unwrap()
        }
    }

    /// Calls `see` for every request, from a small set, that the other's grants allow.
    fn each_allowed(other: &Grants, mut see: impl FnMut(&str, Action, &Resource<'_>, &Facts<'_>)) {
        let categories: Vec<_> =
            ["a", "b", "a / b"].iter().map(|it| CategoryPath::parse(it).unwrap()).collect();
        let mut resources = vec![Resource::Media, Resource::Whole(Area::Users)];
        for text in TEXTS {
            resources.push(Resource::Collection(text));
            resources.push(Resource::One(Area::Users, text));
            for (id, slug) in [("a", "b"), ("b", "ab"), ("ab", "a")] {
                resources.push(Resource::Entry { type_name: text, id, slug });
            }
            resources.push(Resource::File { name: text, category: None });
            for category in &categories {
                resources.push(Resource::File { name: text, category: Some(category) });
            }
        }
        resources.extend(categories.iter().map(Resource::Category));
        let statuses = [None, Some(EntryStatus::Draft), Some(EntryStatus::Published)];
        let locales: [&[&str]; 4] = [&[], &["de"], &["en"], &["de", "en"]];
        let changed: [&[&str]; 4] = [&[], &["a"], &["b"], &["ab", "b"]];
        for resource in &resources {
            let actions =
                [Action::ContentRead, Action::ContentUpdate, Action::MediaRead, Action::UsersRead];
            for (workspace, action) in
                ["one", "two"].iter().flat_map(|ws| actions.map(|action| (*ws, action)))
            {
                if !other.could_match(workspace, action, resource) {
                    continue;
                }
                for (status, new_status) in
                    statuses.iter().flat_map(|it| statuses.map(|new| (*it, new)))
                {
                    for (locales, changed) in
                        locales.iter().flat_map(|it| changed.map(|changed| (*it, changed)))
                    {
                        for author_id in [None, Some("giver"), Some("other"), Some("third")] {
                            let facts = Facts { status, new_status, author_id, locales, changed };
                            if other.decide_access(workspace, action, resource, &facts).allowed {
                                see(workspace, action, resource, &facts);
                            }
                        }
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]
        #[test]
        fn who_is_covered_may_do_nothing_more(
            mine in prop::collection::vec(grant(3), 1..5),
            given in prop::collection::vec(grant(1), 1..3),
            same in any::<bool>(),
        ) {
            // Usually a caller hands out grants that they hold, or slightly weaker ones.
            let given = if same { mine.iter().take(2).cloned().collect() } else { given };
            let giver = Grants::new("giver", mine.clone());
            let (covers, in_person) = (giver.check_delegation(&given), giver.check_impersonation(&given));
            prop_assert!(covers.is_ok() || in_person.is_err());
            if covers.is_err() {
                return Ok(());
            }
            let mut escaped = None;
            each_allowed(&Grants::new("other", given.clone()), |workspace, action, on, facts| {
                let own = Facts {
                    author_id: facts.author_id.map(|it| if it == "other" { "giver" } else { it }),
                    ..*facts
                };
                let mut may = giver.decide_access(workspace, action, on, &own).allowed;
                if in_person.is_ok() {
                    may &= giver.decide_access(workspace, action, on, facts).allowed;
                }
                if !may {
                    escaped = Some(format!("{workspace} {action} {on} {facts:?}"));
                }
            });
            prop_assert_eq!(escaped, None, "{:?} gives {:?}", mine, given);
        }
    }
}
