//! Parsing of webhooks from files and requests. The valid part of a file is used; a request is
//! accepted as a whole or rejected with all of its problems.

use std::collections::HashSet;
use std::net::IpAddr;

use schemars::JsonSchema;

use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::webhook::signature::WebhookSecret;
use crate::model::webhook::webhook_record::DEBOUNCE_SECONDS_MAX;
use crate::model::webhook::webhook_record::EventPattern;
use crate::model::webhook::webhook_record::Webhook;
use crate::model::webhook::webhook_record::WebhookScope;
use crate::stdx::ip_address;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::stdx::web_url::Host;
use crate::stdx::web_url::URL_BYTES_MAX;
use crate::stdx::web_url::WebUrl;

/// The maximum number of webhooks.
pub const WEBHOOKS_MAX: usize = 50;

const NAME_CHARS_MAX: usize = 100;
const EVENTS_MAX: usize = 32;
const WORKSPACES_MAX: usize = 100;

/// The rules that requests are checked against.
pub struct WebhookRules {
    /// True if webhooks may send to this machine and its network.
    pub allow_private: bool,
}

/// Parses the webhooks of a file. Invalid ones are skipped; all problems are returned.
pub fn parse_file(file: &Map) -> (Vec<Webhook>, FieldProblems) {
    let mut reader = ObjectReader::new(file);
    reader.refuse_null(&["webhooks"]);
    let mut webhooks: Vec<Webhook> = Vec::new();
    let items = reader.list("webhooks").unwrap_or_default();
    if items.len() > WEBHOOKS_MAX {
        reader.add_problem(
            "webhooks",
            format!("There can be at most {WEBHOOKS_MAX} webhooks. The others are ignored."),
        );
    }
    for (number, item) in items.iter().take(WEBHOOKS_MAX).enumerate() {
        // A webhook without a secret is known, although nothing is sent to it.
        let mut found = None;
        reader.parse_nested(&format!("webhooks[{number}]"), item, |input| {
            found = read_stored(input).filter(|it| {
                let is_new = webhooks.iter().all(|known| known.id != it.id);
                if !is_new {
                    input.add_problem("id", "Another webhook has this id.");
                }
                is_new
            });
        });
        webhooks.extend(found);
    }
    (webhooks, reader.into_problems())
}

/// Returns the number of webhooks in a file, valid or not; 1 if the value is not a list.
pub fn count_written(file: &Map) -> usize {
    match file.get("webhooks") {
        None | Some(Json::Null) => 0,
        Some(list) => list.as_array().map_or(1, <[Json]>::len),
    }
}

fn read_stored(input: &mut ObjectReader<'_>) -> Option<Webhook> {
    let id = EntryId::parse(input.lenient_text("id")).ok();
    if id.is_none() {
        input.add_problem("id", "A webhook needs an id: letters, digits, - and _.");
    }
    let secret = WebhookSecret::parse(input.lenient_text("secret"));
    let rules = WebhookRules { allow_private: true };
    if secret.is_none() {
        input.add_problem("secret", "Without a secret (16 to 256 characters) nothing is sent.");
    }
    let draft = input.read_apart(|input| WebhookDraft::read(input, &rules));
    let created_at = Timestamp::parse(input.lenient_text("created_at"));
    Some(draft?.into_webhook(id?, secret, created_at))
}

/// The body of a request that replaces all webhooks.
#[derive(JsonSchema)]
pub struct WebhooksReplace<'a> {
    /// The webhooks. Existing ones that are left out are deleted.
    #[schemars(length(max = WEBHOOKS_MAX))]
    webhooks: Vec<WebhookInput<'a>>,
}

impl<'a> WebhooksReplace<'a> {
    /// Parses a body; `old` are the existing webhooks.
    pub fn parse(
        body: &Map,
        old: &'a [Webhook],
        rules: &WebhookRules,
    ) -> ParsedBody<WebhooksReplace<'a>> {
        let mut input = ObjectReader::new(body);
        if input.value("webhooks").is_none() {
            input.add_problem("webhooks", wording::REQUIRED);
        }
        let items = input.short_list("webhooks", WEBHOOKS_MAX, "webhooks").unwrap_or_default();
        let (mut webhooks, mut seen) = (Vec::with_capacity(items.len()), HashSet::new());
        for (number, item) in items.iter().enumerate() {
            webhooks.extend(input.parse_nested(&format!("webhooks[{number}]"), item, |input| {
                WebhookInput::read(input, old, rules, &mut seen)
            }));
        }
        input.finish(WebhooksReplace { webhooks })
    }

    /// Returns the webhooks, each paired with true if its secret is new. `fresh` generates an
    /// unused id and a secret.
    pub fn into_webhooks(
        self,
        now: Timestamp,
        mut fresh: impl FnMut() -> (EntryId, WebhookSecret),
    ) -> Vec<(Webhook, bool)> {
        self.webhooks.into_iter().map(|it| it.into_webhook(now, fresh())).collect()
    }
}

/// A webhook in a request.
#[derive(JsonSchema)]
struct WebhookInput<'a> {
    /// The id of an existing webhook; leave it out for a new one.
    #[schemars(rename = "id", with = "Option<String>", extend("nullable" = true))]
    known: Option<&'a Webhook>,
    #[schemars(flatten)]
    draft: WebhookDraft,
    /// 16 to 256 characters, or `whsec_` and 24 to 64 bytes in base64. If left out, the secret
    /// stays the same; `null` creates a new one.
    #[schemars(with = "Option<String>", extend("nullable" = true))]
    secret: Option<WebhookSecret>,
}

impl<'a> WebhookInput<'a> {
    fn read<'b>(
        input: &mut ObjectReader<'b>,
        old: &'a [Webhook],
        rules: &WebhookRules,
        seen: &mut HashSet<&'b str>,
    ) -> WebhookInput<'a> {
        let known = read_known(input, old, seen);
        let secret = read_secret(input, known);
        WebhookInput { known, secret, draft: WebhookDraft::read(input, rules) }
    }

    fn into_webhook(
        self,
        now: Timestamp,
        (fresh_id, fresh_secret): (EntryId, WebhookSecret),
    ) -> (Webhook, bool) {
        let WebhookInput { known, draft, secret } = self;
        let is_new = secret.is_none();
        let id = known.map_or(fresh_id, |it| it.id.clone());
        let created_at = known.map_or(Some(now), |it| it.created_at);
        (draft.into_webhook(id, secret.or(Some(fresh_secret)), created_at), is_new)
    }
}

fn read_known<'a, 'b>(
    input: &mut ObjectReader<'b>,
    old: &'a [Webhook],
    seen: &mut HashSet<&'b str>,
) -> Option<&'a Webhook> {
    input.value("id")?;
    let id = input.lenient_text("id");
    let known = old.iter().find(|it| it.id == *id);
    if known.is_none() {
        input.add_problem(
            "id",
            "There is no webhook with this id. A new one gets its id from Recto, so leave it out.",
        );
    }
    if !seen.insert(id) {
        input.add_problem("id", "Another webhook in the list has this id.");
    }
    known
}

/// Reads the secret, which stays the same by default. Returns `None` if there shall be a new one.
fn read_secret(input: &mut ObjectReader<'_>, known: Option<&Webhook>) -> Option<WebhookSecret> {
    let given = match input.member("secret") {
        None => return known?.secret.clone(),
        Some(Json::Null) => return None,
        Some(given) => given.as_str().and_then(WebhookSecret::parse),
    };
    if given.is_none() {
        input.add_problem(
            "secret",
            "A secret has 16 to 256 characters, or is whsec_ and 24 to 64 bytes of base64.",
        );
    }
    given
}

/// The editable properties of a webhook.
#[derive(JsonSchema)]
struct WebhookDraft {
    /// The display name.
    #[schemars(length(min = 1, max = NAME_CHARS_MAX))]
    name: String,
    /// The address that receives the messages.
    #[schemars(length(max = URL_BYTES_MAX))]
    url: String,
    /// Names of events, `content.*`, `media.*`, `schema.*`, or `*` for all. A webhook without
    /// events gets no messages.
    #[schemars(with = "Option<Vec<String>>", length(max = EVENTS_MAX))]
    events: Vec<EventPattern>,
    /// Slugs, or `*` for all, the default.
    #[schemars(with = "Option<Vec<String>>", length(min = 1, max = WORKSPACES_MAX))]
    #[schemars(extend("nullable" = true))]
    workspaces: WebhookScope,
    /// `true` by default.
    #[schemars(with = "Option<bool>")]
    enabled: bool,
    /// The seconds for which events are collected and then sent in one call; 0, the default, sends
    /// each on its own.
    #[schemars(with = "Option<u32>", range(max = DEBOUNCE_SECONDS_MAX))]
    debounce_seconds: u32,
}

impl WebhookDraft {
    fn read(input: &mut ObjectReader<'_>, rules: &WebhookRules) -> WebhookDraft {
        input.refuse_null(&["enabled"]);
        WebhookDraft {
            name: input.filled_line("name", NAME_CHARS_MAX),
            url: read_url(input, rules),
            events: read_events(input),
            workspaces: read_workspaces(input),
            enabled: input.flag("enabled").unwrap_or(true),
            debounce_seconds: input
                .count("debounce_seconds", DEBOUNCE_SECONDS_MAX)
                .unwrap_or_default(),
        }
    }

    fn into_webhook(
        self,
        id: EntryId,
        secret: Option<WebhookSecret>,
        created_at: Option<Timestamp>,
    ) -> Webhook {
        let WebhookDraft { name, url, events, workspaces, enabled, debounce_seconds } = self;
        Webhook { id, name, url, events, workspaces, enabled, debounce_seconds, secret, created_at }
    }
}

fn read_url(input: &mut ObjectReader<'_>, rules: &WebhookRules) -> String {
    let text = input.filled_text("url");
    if !text.is_empty()
        && let Some(url) = input.accept("url", WebUrl::parse(&text))
        && let Some(message) = find_refusal(&url, rules.allow_private)
    {
        input.add_problem("url", message);
    }
    text
}

/// Returns the reason why a URL is never called, as far as it can be determined without resolving
/// the host name.
fn find_refusal(url: &WebUrl, allow_private: bool) -> Option<&'static str> {
    let may_be = |address: IpAddr| {
        ip_address::is_public(address) || allow_private && ip_address::is_unicast(address)
    };
    match url.host {
        Host::Address(address) if !may_be(address) => Some(
            "This address is not public. The setting `webhooks.allow_private` allows private ones.",
        ),
        Host::Name(ref name) if name == "localhost" && !allow_private => {
            Some("A webhook to this machine needs the setting `webhooks.allow_private`.")
        }
        _ if !allow_private && !matches!(url.port, 80 | 443) => Some(
            "Only the ports 80 and 443 are allowed. The setting `webhooks.allow_private` allows \
             others.",
        ),
        _ => None,
    }
}

/// Reads the events. Nothing is sent until some are chosen.
fn read_events(input: &mut ObjectReader<'_>) -> Vec<EventPattern> {
    let items = input.short_list("events", EVENTS_MAX, "events").unwrap_or_default();
    let parsed = input.parse_items("events", items, |text| {
        EventPattern::parse(text).ok_or_else(|| wording::unknown("event", text))
    });
    let mut events = Vec::new();
    for (_, pattern) in parsed {
        if !events.contains(&pattern) {
            events.push(pattern);
        }
    }
    events
}

fn read_workspaces(input: &mut ObjectReader<'_>) -> WebhookScope {
    if input.value("workspaces").is_none() {
        return WebhookScope::All;
    }
    let items = input.filled_list("workspaces", WORKSPACES_MAX, "workspaces");
    let is_star = |it: &Json| it.as_str() == Some("*");
    let named = items.split(is_star).next().unwrap_or_default();
    let slugs = input.parse_items("workspaces", named, WorkspaceSlug::parse);
    if named.len() < items.len() {
        return WebhookScope::All;
    }
    let mut some: Vec<WorkspaceSlug> = slugs.into_iter().map(|(_, slug)| slug).collect();
    some.sort();
    some.dedup();
    WebhookScope::Some(some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    fn request(
        body: &str,
        old: &[Webhook],
        allow_private: bool,
    ) -> Result<Vec<(Webhook, bool)>, Vec<String>> {
        let now = Timestamp::parse("2026-05-03").unwrap();
        let mut n_fresh = 0;
        let fresh = || {
            n_fresh += 1;
            (EntryId::parse(&format!("new{n_fresh}")).unwrap(), WebhookSecret::issue([n_fresh; 32]))
        };
        let parsed = WebhooksReplace::parse(&map(body), old, &WebhookRules { allow_private });
        let replace = parsed.into_result();
        let replace = replace.map_err(|it| it.iter().map(|(path, _)| path.to_string()).collect());
        replace.map(|it: WebhooksReplace<'_>| it.into_webhooks(now, fresh))
    }

    #[test]
    fn a_new_webhook_gets_id_and_secret() {
        let body = r#"{"webhooks":[{"name":" Site ","url":"https://a.test/x","events":["*"]}]}"#;
        let all = request(body, &[], false).unwrap();
        let (webhook, is_new) = &all[0];
        assert!(*is_new && webhook.enabled && webhook.name == "Site" && webhook.id == "new1");
        assert_eq!(webhook.workspaces, WebhookScope::All);
        let shown = serde_json::to_string(webhook).unwrap();
        assert!(!shown.contains("secret") && !format!("{webhook:?}").contains("a.test"), "{shown}");
        // The stored form has the same meaning.
        let file = map(&format!(r#"{{"webhooks":[{}]}}"#, {
            let mut text = Vec::new();
            webhook.to_file().write_compact(&mut text);
            String::from_utf8(text).unwrap()
        }));
        let (again, problems) = parse_file(&file);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(serde_json::to_string(&again[0]).unwrap(), shown);
        assert!(again[0].secret == webhook.secret);
    }

    #[test]
    fn a_known_webhook_keeps_what_is_not_said() {
        let first = r#"{"webhooks":[{"name":"A","url":"https://a.test","events":["*"]}]}"#;
        let old: Vec<Webhook> =
            request(first, &[], false).unwrap().into_iter().map(|it| it.0).collect();
        let check = |secret: &str, is_new: bool, is_old: bool| {
            let body = format!(
                r#"{{"webhooks":[{{"id":"new1","name":"B","url":"https://a.test","events":["*"]{secret}}}]}}"#
            );
            let (next, new) = &request(&body, &old, false).unwrap()[0];
            assert_eq!((*new, next.secret == old[0].secret), (is_new, is_old), "{secret}");
            assert!(next.id == "new1" && next.name == "B" && next.created_at == old[0].created_at);
        };
        check("", false, true);
        // `null` requests a new secret, which here is the first one that the test generates.
        check(r#","secret":null"#, true, true);
        check(&format!(r#","secret":"{SECRET}""#), false, false);
    }

    #[test]
    fn everything_wrong_is_told_at_once() {
        let check = |hooks: &str, expect: &[&str]| {
            let found = request(&format!(r#"{{"webhooks":{hooks}}}"#), &[], false).err();
            let expect: Vec<String> = expect.iter().map(|it| (*it).to_string()).collect();
            assert_eq!(found.unwrap_or_default(), expect, "{hooks}");
        };
        check("[]", &[]);
        check("{}", &["webhooks"]);
        check("[7]", &["webhooks[0]"]);
        check(
            r#"[{"id":"x","secret":"y","workspaces":["A b"],"enabled":1,"events":["*","no"]}]"#,
            &[
                "webhooks[0].id",
                "webhooks[0].secret",
                "webhooks[0].name",
                "webhooks[0].url",
                "webhooks[0].events[1]",
                "webhooks[0].workspaces[0]",
                "webhooks[0].enabled",
            ],
        );
        check(
            r#"[{"name":"A","url":"https://a.test","events":[],"workspaces":[]}]"#,
            &["webhooks[0].workspaces"],
        );
        let hook = |more: &str| format!(r#"[{{"name":"A","url":"https://a.test"{more}}}]"#);
        check(&hook(""), &[]);
        check(&hook(r#","events":[]"#), &[]);
        check(&hook(r#","events":"*""#), &["webhooks[0].events"]);
        check(&hook(r#","secret":"sixteen letters!""#), &[]);
        check(&hook(r#","secret":"fifteen letters""#), &["webhooks[0].secret"]);
        for (seconds, fits) in [
            ("0", true),
            ("3600", true),
            ("3601", false),
            ("-1", false),
            ("1.5", false),
            ("\"1\"", false),
        ] {
            let expect: &[&str] = if fits { &[] } else { &["webhooks[0].debounce_seconds"] };
            check(&hook(&format!(r#","debounce_seconds":{seconds}"#)), expect);
        }
        let hook = r#"{"name":"A","url":"https://a.test","events":["*"]}"#;
        check(&format!("[{}]", [hook; WEBHOOKS_MAX].join(",")), &[]);
        check(&format!("[{}]", [hook; WEBHOOKS_MAX + 1].join(",")), &["webhooks"]);
        assert_eq!(request("{}", &[], false).err().unwrap(), ["webhooks"]);
    }

    #[test]
    fn urls_that_lead_inside_are_refused_early() {
        let check = |url: &str, public: bool, private: bool| {
            let body = format!(r#"{{"webhooks":[{{"name":"A","url":"{url}","events":["*"]}}]}}"#);
            assert_eq!(request(&body, &[], false).is_ok(), public, "{url}");
            assert_eq!(request(&body, &[], true).is_ok(), private, "{url}");
        };
        check("https://a.test/hook?key=1", true, true);
        check("http://a.test/", true, true);
        check("https://1.1.1.1/", true, true);
        check("http://localhost/", false, true);
        check("http://127.0.0.1:3000/", false, true);
        check("http://[::ffff:127.0.0.1]/", false, true);
        check("https://a.test:8443/", false, true);
        check("http://0.0.0.0/", false, false);
        check("http://0x7f.1/", false, false);
        check("http://user@a.test/", false, false);
        check("ftp://a.test/", false, false);
    }

    #[test]
    fn a_file_is_read_as_far_as_it_makes_sense() {
        let good = format!(
            r#"{{"id":"a","name":"A","url":"http://10.0.0.1:99","events":["media.*"],"secret":"{SECRET}","note":1}}"#
        );
        let unsigned = r#"{"id":"b","name":"B","url":"https://b.test","events":["*"]}"#;
        let file =
            map(&format!(r#"{{"webhooks":[{good},{unsigned},{good},{{"id":"c","name":"C"}},7]}}"#));
        let (webhooks, problems) = parse_file(&file);
        let ids: Vec<&str> = webhooks.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
        assert!(webhooks[0].is_active() && !webhooks[1].is_active());
        let many = map(&format!(r#"{{"webhooks":[{}]}}"#, vec![good.as_str(); 50_000].join(",")));
        let (only, found) = parse_file(&many);
        assert_eq!((only.len(), found.len()), (1, WEBHOOKS_MAX));
        let leading_out =
            map(&format!(r#"{{"webhooks":[{}]}}"#, good.replace(r#""a""#, r#""../a""#)));
        assert!(parse_file(&leading_out).0.is_empty());
        let paths: Vec<&str> = problems.iter().map(|(path, _)| path).collect();
        let expect = [
            "webhooks[1].secret",
            "webhooks[2].id",
            "webhooks[3].secret",
            "webhooks[3].url",
            "webhooks[4]",
        ];
        assert_eq!(paths, expect);
    }
}
