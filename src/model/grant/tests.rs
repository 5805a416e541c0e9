//! Tests of the decisions of grants, written as tables.

use super::*;
use crate::model::entry::EntryStatus;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use proptest::prelude::*;

const BLOG: &str = "blog";
const HELLO: Resource<'_> = Resource::Entry { type_name: "posts", id: "01", slug: "hello" };

fn parse(text: &str) -> Result<Grant, FieldProblems> {
    Grant::parse(&Json::parse(text.as_bytes()).unwrap())
}

fn grants(texts: &[&str]) -> Grants {
    Grants::new("me", texts.iter().map(|text| parse(text).unwrap()).collect())
}

fn allow(actions: &str, resources: &str) -> String {
    format!(r#"{{"effect":"allow","actions":["{actions}"],"resources":["{resources}"]}}"#)
}

fn deny(actions: &str, resources: &str) -> String {
    allow(actions, resources).replace("allow", "deny")
}

fn decided(allowed: bool, by: impl Into<Option<usize>>) -> AccessDecision {
    AccessDecision { allowed, by: by.into() }
}

#[test]
fn what_is_read_is_written_one_way() {
    let check = |text: &str, expect: &str| {
        let grant = parse(text).unwrap();
        let written = serde_json::to_string(&grant).unwrap();
        assert_eq!(written, expect);
        assert_eq!(parse(&written).unwrap(), grant);
    };
    check(
        r#"{"action":"content.read","resource":"content:*"}"#,
        r#"{"effect":"allow","actions":["content.read"],"resources":["content:*"]}"#,
    );
    check(
        r#"{"effect":"deny","actions":"content.*","resources":["content:posts:*"],
            "fields":["title","seo_*"],"conditions":{"locales":"de","own":true,"status":["draft"]}}"#,
        r#"{"effect":"deny","actions":["content.*"],"resources":["content:posts:*"],"fields":["title","seo_*"],"conditions":{"own":true,"status":["draft"],"locales":["de"]}}"#,
    );
    check(
        r#"{"actions":["*"],"resources":["*"],"condition":{"own":false},"fields":null}"#,
        r#"{"effect":"allow","actions":["*"],"resources":["*"]}"#,
    );
}

#[test]
fn all_problems_are_told() {
    let check = |text: &str, expect: &[&str]| {
        let problems = parse(text).unwrap_err();
        let fields: Vec<_> = problems.iter().map(|(field, _)| field).collect();
        assert_eq!(fields, expect, "{text}");
    };
    check("7", &[""]);
    check("{}", &["actions", "resources"]);
    check(r#"{"actions":[],"resources":[]}"#, &["actions", "resources"]);
    check(
        r#"{"effect":"maybe","actions":["content.read","content.frob",7],
            "resources":["content:*","posts"],"field":["x"],
            "conditions":{"status":["live"],"mood":1,"own":"yes","locales":["d e"]}}"#,
        &[
            "field",
            "effect",
            "actions[1]",
            "actions[2]",
            "resources[1]",
            "conditions.mood",
            "conditions.own",
            "conditions.status[0]",
            "conditions.locales[0]",
        ],
    );
    check(r#"{"action":"nope","resource":"nope"}"#, &["action", "resource"]);
    check(r#"{"action":"*","actions":["*"],"resource":"*"}"#, &["action"]);
    check(r#"{"action":"*","resource":"*","conditions":[]}"#, &["conditions"]);
    check(r#"{"action":"*","resource":"*","conditions":{"status":[]}}"#, &["conditions.status"]);
}

#[test]
fn the_read_only_form_goes_with_reading_alone() {
    for resource in ["content:posts:read", "workspace:blog:content:posts:read"] {
        assert!(parse(&allow("content.read", resource)).is_ok());
        for actions in ["content.*", "*", "content.update", "media.read"] {
            assert!(parse(&allow(actions, resource)).is_err(), "{actions} on {resource}");
        }
    }
}

#[test]
fn lists_tell_which_grant_is_wrong() {
    let json = Json::parse(br#"[{"action":"*","resource":"*"},{"action":"*"}]"#).unwrap();
    let problems = Grant::parse_list(&json).unwrap_err();
    assert_eq!(problems.iter().next().unwrap().0, "[1].resources");
}

#[test]
fn the_short_form() {
    let check = |line: &str, expect: Option<&str>| {
        let grant = Grant::parse_line(line).ok().map(|it| serde_json::to_string(&it).unwrap());
        assert_eq!(grant.as_deref(), expect, "{line}");
    };
    check(
        "content.read@content:*",
        Some(r#"{"effect":"allow","actions":["content.read"],"resources":["content:*"]}"#),
    );
    check(
        "content.read, media.read@content:*,media:*@blog",
        Some(
            r#"{"effect":"allow","actions":["content.read","media.read"],"resources":["workspace:blog:content:*","workspace:blog:media:*"]}"#,
        ),
    );
    check(
        "media.read@media:hero@2x.png",
        Some(r#"{"effect":"allow","actions":["media.read"],"resources":["media:hero@2x.png"]}"#),
    );
    check("*@*@*", Some(r#"{"effect":"allow","actions":["*"],"resources":["workspace:*:*"]}"#));
    check("content.read", None);
    check("@content:*", None);
    check("content.read@", None);
    check("content.read@workspace:a:content:*@b", None);
}

#[test]
fn deny_wins_and_the_deciding_grant_is_told() {
    let (yes, no) = (allow("content.*", "content:*"), deny("content.read", "content:posts:hello"));
    let check = |texts: &[&str], expect: AccessDecision| {
        let found =
            grants(texts).decide_access(BLOG, Action::ContentRead, &HELLO, &Facts::default());
        assert_eq!(found, expect, "{texts:?}");
    };
    check(&[], decided(false, None));
    check(&[&yes], decided(true, 0));
    check(&[&yes, &no], decided(false, 1));
    check(&[&no, &yes], decided(false, 0));
    check(&[&allow("media.*", "media:*"), &yes, &yes], decided(true, 1));
    check(&[&allow("content.read", "workspace:shop:content:*")], decided(false, None));
    check(&[&allow("content.update", "content:*")], decided(false, None));
}

#[test]
fn conditions() {
    let check = |effect: &str, conditions: &str, facts: Facts, applies: bool| {
        let text = format!(
            r#"{{"effect":"{effect}","actions":["content.update"],"resources":["content:*"],"conditions":{conditions}}}"#
        );
        let found = grants(&[&text]).decide_access(BLOG, Action::ContentUpdate, &HELLO, &facts);
        assert_eq!(found.by.is_some(), applies, "{text} {facts:?}");
    };
    let none = Facts::default();
    let status = |old: Option<&str>, new: Option<&str>| {
        let (status, new_status) =
            (old.and_then(EntryStatus::parse), new.and_then(EntryStatus::parse));
        Facts { status, new_status, ..none }
    };
    let draft = r#"{"status":["draft"]}"#;
    check("allow", draft, none, false);
    check("allow", draft, status(Some("draft"), None), true);
    check("allow", draft, status(None, Some("draft")), true);
    check("allow", draft, status(Some("draft"), Some("draft")), true);
    check("allow", draft, status(Some("draft"), Some("published")), false);
    check("allow", draft, status(Some("published"), Some("draft")), false);
    check("deny", draft, status(Some("published"), Some("draft")), true);
    check("deny", draft, status(Some("published"), None), false);
    let own = r#"{"own":true}"#;
    check("allow", own, none, false);
    check("allow", own, Facts { author_id: Some("me"), ..none }, true);
    check("allow", own, Facts { author_id: Some("you"), ..none }, false);
    let german = r#"{"locales":["de","at"]}"#;
    check("allow", german, none, false);
    check("allow", german, Facts { locales: &["de"], ..none }, true);
    check("allow", german, Facts { locales: &["de", "en"], ..none }, false);
    check("deny", german, Facts { locales: &["de", "en"], ..none }, true);
    check("deny", german, none, false);
}

#[test]
fn fields_bind_allowing_wholly_and_denying_at_once() {
    let check = |effect: &str, changed: &[&str], applies: bool| {
        let text = format!(
            r#"{{"effect":"{effect}","actions":["content.update"],"resources":["*"],"fields":["title","seo_*"]}}"#
        );
        let facts = Facts { changed, ..Facts::default() };
        let found = grants(&[&text]).decide_access(BLOG, Action::ContentUpdate, &HELLO, &facts);
        assert_eq!(found.by.is_some(), applies, "{text} {changed:?}");
    };
    check("allow", &["title"], true);
    check("allow", &["title", "seo_text"], true);
    check("allow", &["title", "body"], false);
    check("deny", &["title", "body"], true);
    check("deny", &["body"], false);
    check("deny", &[], false);
}

#[test]
fn business_in_a_place() {
    let check = |text: &str, resource: Resource, expect: bool| {
        let found = grants(&[text]).could_match(BLOG, Action::ContentRead, &resource);
        assert_eq!(found, expect, "{text} {resource:?}");
    };
    let posts = Resource::Collection("posts");
    check(&allow("content.read", "content:posts:hello"), posts, true);
    check(&allow("content.update", "content:*"), posts, false);
    check(&deny("content.read", "content:*"), posts, false);
    check(&allow("*", "workspace:shop:*"), posts, false);
}

#[test]
fn reach_over_a_type() {
    let check = |texts: &[&str], expect: &str| {
        let reach = grants(texts).find_reach(BLOG, "posts", None);
        let found = match reach {
            Reach::Nothing => "nothing",
            Reach::Everything => "everything",
            Reach::Rows(_) => "rows",
        };
        assert_eq!(found, expect, "{texts:?}");
    };
    let all = allow("content.*", "content:*");
    let with = |text: &str, more: &str| text.replace("]}", &format!("],{more}}}"));
    check(&[], "nothing");
    check(&[&all], "everything");
    check(&[&allow("content.read", "workspace:blog:content:posts:read")], "everything");
    check(&[&allow("content.read", "content:pages:*")], "nothing");
    check(&[&allow("content.read", "content:posts:01")], "rows");
    check(&[&with(&all, r#""conditions":{"status":["draft"]}"#)], "rows");
    check(&[&with(&all, r#""conditions":{"locales":["de"]}"#)], "nothing");
    check(&[&all, &deny("*", "content:posts:01")], "rows");
    check(&[&all, &deny("*", "content:pages:*")], "everything");
    check(&[&all, &deny("*", "workspace:shop:*")], "everything");
    check(&[&all, &deny("content.read", "*")], "nothing");
    check(&[&all, &with(&deny("*", "*"), r#""fields":["title"]"#)], "everything");
    check(&[&deny("content.read", "content:posts:01")], "nothing");
}

#[test]
fn reach_over_media() {
    let check = |texts: &[&str], expect: &str| {
        let found = match grants(texts).compute_media_reach(BLOG, Action::MediaRead) {
            Reach::Nothing => "nothing",
            Reach::Everything => "everything",
            Reach::Rows(()) => "rows",
        };
        assert_eq!(found, expect, "{texts:?}");
    };
    let all = allow("media.*", "media:*");
    check(&[&all], "everything");
    check(&[&allow("media.read", "media:category:Press")], "rows");
    check(&[&allow("content.read", "*")], "nothing");
    check(&[&all, &deny("media.read", "media:a.png")], "rows");
    check(&[&all, &deny("media.delete", "media:a.png")], "everything");
    check(&[&all, &deny("*", "*")], "nothing");
}

fn some_grant() -> impl Strategy<Value = String> {
    let resources = prop::sample::select(vec![
        "*",
        "content:*",
        "content:posts:*",
        "content:posts:01",
        "content:posts:h*",
        "content:*:hello",
        "content:pages:*",
        "workspace:blog:content:*",
        "workspace:shop:content:*",
        "workspace:*:content:posts:02",
    ]);
    let conditions = prop::sample::select(vec![
        "{}",
        r#"{"own":true}"#,
        r#"{"status":["draft"]}"#,
        r#"{"status":["published","draft"],"own":true}"#,
        r#"{"locales":["de"]}"#,
    ]);
    let actions = prop::sample::select(vec!["*", "content.read", "content.update"]);
    (any::<bool>(), actions, resources, conditions).prop_map(|(deny, action, resource, condition)| {
        let effect = if deny { "deny" } else { "allow" };
        format!(
            r#"{{"effect":"{effect}","action":"{action}","resource":"{resource}","conditions":{condition}}}"#
        )
    })
}

proptest! {
    /// The rule for many rows agrees with the decision on each row.
    #[test]
    fn reach_agrees_with_the_decision(
        texts in prop::collection::vec(some_grant(), 0..6),
        id in prop::sample::select(vec!["01", "02", "03"]),
        slug in prop::sample::select(vec!["hello", "other"]),
        status in prop::sample::select(EntryStatus::ALL.to_vec()),
        author_id in prop::sample::select(vec![None, Some("me"), Some("you")]),
        locale in prop::sample::select(vec![None, Some("de"), Some("en")]),
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let grants = grants(&texts);
        let resource = Resource::Entry { type_name: "posts", id, slug };
        let facts =
            Facts { status: Some(status), author_id, locales: locale.as_slice(), ..Facts::default() };
        let alone = grants.decide_access(BLOG, Action::ContentRead, &resource, &facts).allowed;
        let among = match grants.find_reach(BLOG, "posts", locale) {
            Reach::Nothing => false,
            Reach::Everything => true,
            Reach::Rows(rule) => rule.allows_entry(&EntryRow { id, slug, status, author_id }),
        };
        prop_assert_eq!(alone, among);
        if alone {
            prop_assert!(grants.could_match(BLOG, Action::ContentRead, &Resource::Collection("posts")));
        }
    }

    #[test]
    fn deny_always_wins(texts in prop::collection::vec(some_grant(), 0..6), at in 0_usize..6) {
        let deny = deny("content.read", "content:posts:01");
        let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        texts.insert(at.min(texts.len()), &deny);
        let facts = Facts { status: Some(EntryStatus::Draft), author_id: Some("me"), ..Facts::default() };
        prop_assert!(!grants(&texts).decide_access(BLOG, Action::ContentRead, &HELLO, &facts).allowed);
    }

    #[test]
    fn grants_read_back(text in some_grant()) {
        let grant = parse(&text).unwrap();
        prop_assert_eq!(parse(&serde_json::to_string(&grant).unwrap()).unwrap(), grant);
    }
}

/// The same grants answer twice for more names than they keep, as grants that never answered
/// before.
#[test]
fn a_kept_reach_is_the_computed_one() {
    let texts = [
        allow("content.read", "content:posts*"),
        deny("content.read", "content:posts7*"),
        allow("content.read", "workspace:shop:content:*"),
        r#"{"effect":"allow","actions":["content.read"],"resources":["content:pages:*"],"conditions":{"locales":["de"]}}"#.to_owned(),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let kept = grants(&texts);
    let types = (0..100).map(|it| format!("posts{it}")).chain(["pages".to_owned()]);
    let types: Vec<String> = types.collect();
    for type_name in types.iter().chain(&types) {
        for (workspace, locale) in [(BLOG, None), (BLOG, Some("de")), ("shop", Some("en"))] {
            let told = |it: &Grants| {
                let reach = it.find_reach(workspace, type_name, locale);
                format!("{reach:?} {}", it.could_read_type(workspace, type_name))
            };
            assert_eq!(told(&kept), told(&grants(&texts)), "{workspace} {type_name} {locale:?}");
        }
    }
}

#[test]
fn grants_count_in_workspaces() {
    let check = |resource: &str, workspace: &str, expect: bool| {
        let grant = Grant::parse_line(&format!("*@{resource}")).unwrap();
        let grants = Grants::new("u", vec![grant]);
        assert_eq!(grants.could_match_workspace(workspace), expect, "{resource} {workspace}");
    };
    check("content:books:b1", "shop", true);
    check("media:category:photos", "shop", true);
    check("*", "shop", true);
    check("workspace:shop:schema:*", "shop", true);
    check("workspace:shop:schema:*", "press", false);
    check("workspace:*:content:*", "press", true);
    check("users:*", "shop", false);
    check("workspaces:shop", "shop", false);
}
