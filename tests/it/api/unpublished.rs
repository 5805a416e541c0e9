//! What a change proposes, over all routes: until it is published, it is in no answer, event or
//! message to anybody who may not see the change, and changes no byte of what is public.

use std::collections::BTreeMap;

use bytes::Bytes;
use recto::http::routes;
use serde_json::Value;

use crate::support::property::run;
use crate::support::random_content::Draw;
use crate::support::scenario::stage::Stage;

const BOOKS: [&str; 4] = ["alpha", "alpha-2", "zwiebel", "ueber-den-fluss"];

const QUERIES: [&str; 9] = [
    "",
    "?sort=title&limit=3",
    "?sort=-updated_at",
    "?q=zq",
    "?filter[title][contains]=zq",
    "?include=*",
    "?counts=status",
    "?fields=title,slug",
    "?limit=2&offset=1",
];

/// A webhook that is told of everything. Nothing is sent in these tests: what waits is looked at.
const HOOK: &str = r#"{"webhooks":[{"id":"h1","name":"Site","url":"https://example.org/","events":["*"],"workspaces":["*"],"enabled":true,"secret":"sixteen characters"}]}"#;

const PUBLIC: &str = r#"{"actions":["content.read"],"resources":["content:*"],"conditions":{"status":["published"]}}"#;

fn stage() -> Stage {
    let lines = [
        "fixture library",
        r#"patch workspaces/default/schemas/books.json {"drafts":true}"#,
        "edit system/webhooks.json",
        HOOK,
        "",
        "user anna admin",
        "token author content.read,content.create,content.update,content.delete@content:*",
        &format!("token reader [{PUBLIC}]"),
        &format!(
            r#"role watcher [{PUBLIC},{{"actions":["activity.read"],"resources":["activity:*"]}}]"#
        ),
        "user wanda watcher",
    ];
    let mut stage = Stage::prepare(&lines.map(str::to_string));
    stage.open();
    stage
}

/// The addresses of all public routes that read, with the queries of lists.
fn addresses() -> Vec<String> {
    let mut found = Vec::new();
    for route in routes::build_table() {
        let path = route.path.replace("{workspace}", "default").replace("{filename}", "logo.png");
        let is_read = route.method == "GET" && path.starts_with("/api/v1/workspaces/default");
        if !is_read {
            continue;
        }
        let books = path.replace("{collection}", "books");
        let is_list = books.ends_with("/content/books");
        let names = BOOKS.iter().chain(&["zq-0", "zq-1", "zq-2"]);
        if is_list {
            found.extend(QUERIES.map(|query| format!("{books}{query}")));
            let articles = path.replace("{collection}", "articles");
            found.extend(["", "?include=*"].map(|query| format!("{articles}{query}")));
        } else if books.contains("{identifier}") {
            found.extend(names.map(|name| books.replace("{identifier}", name)));
        } else if books.ends_with("/events") {
            // Others do not end.
            found.push(format!("{books}?wait=0"));
        } else if !books.contains('{') {
            found.push(books);
        }
    }
    assert!(found.len() > 20, "{found:?}");
    found
}

/// What is seen of a folder by those who may see what is public.
#[derive(PartialEq, Eq)]
struct Seen(BTreeMap<String, (u16, Option<String>, Bytes)>);

impl Seen {
    fn look(stage: &Stage, addresses: &[String]) -> Seen {
        let callers: [&[&str]; 2] = [&[], &["as reader"]];
        let asked = callers.iter().flat_map(|who| addresses.iter().map(move |it| (who, it)));
        let answers = asked.map(|(who, address)| {
            let (status, headers, body) = stage.ask_with(&format!("GET {address}"), who);
            let tag = headers.get("etag").map(|it| it.to_str().unwrap().to_string());
            (format!("{address} {who:?}"), (status, tag, body))
        });
        Seen(answers.collect())
    }

    fn expect_same(&self, before: &Seen, what: &str) {
        for (address, answer) in &self.0 {
            assert!(before.0.get(address) == Some(answer), "{what}: {address} is another answer");
        }
    }
}

/// A folder, and which words of changes may be public by now.
struct Play {
    stage: Stage,
    /// The words that are proposed and not public, by change.
    hidden: BTreeMap<String, Vec<String>>,
    n_words: usize,
    /// The changes that an administrator began, and those that were published.
    open: Vec<String>,
    published: Vec<String>,
    first_event: String,
}

impl Play {
    fn new() -> Play {
        let mut play = Play {
            stage: stage(),
            hidden: BTreeMap::new(),
            n_words: 0,
            open: Vec::new(),
            published: Vec::new(),
            first_event: String::new(),
        };
        play.live("PUT", "content/books/alpha", r#"{"data":{"pages":7}}"#);
        let rows = play.admin("GET", "activity", "");
        play.first_event = rows["data"][0]["id"].as_str().unwrap().to_string();
        play.begin("Spring");
        play.begin("Autumn");
        play
    }

    fn admin(&self, method: &str, path: &str, body: &str) -> Value {
        let json = format!("json {body}");
        let more: &[&str] =
            if body.is_empty() { &["as anna"] } else { &["as anna", json.as_str()] };
        let (_, _, answer) = self.stage.ask_with(&format!("{method} /admin/api/{path}"), more);
        serde_json::from_slice(&answer).unwrap()
    }

    fn live(&self, method: &str, path: &str, body: &str) -> Value {
        self.admin(method, path, body)
    }

    fn begin(&mut self, label: &str) {
        let made = self.admin("POST", "changes", &format!(r#"{{"label":"{label}"}}"#));
        self.open.push(made["data"]["id"].as_str().unwrap().to_string());
    }

    fn word(&mut self) -> String {
        self.n_words += 1;
        format!("zq-{}-{}", self.n_words % 3, self.n_words)
    }

    fn author(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let line = format!("{method} {{ws}}/content/{path}");
        let json = format!("json {body}");
        let more: &[&str] =
            if body.is_empty() { &["as author"] } else { &["as author", json.as_str()] };
        let (status, _, answer) = self.stage.ask_with(&line, more);
        (status, serde_json::from_slice(&answer).unwrap_or_default())
    }

    /// Proposes something, as an author who may not publish.
    fn propose(&mut self, draw: &mut Draw<'_>) {
        let change = match draw.below(3) {
            0 => "pending".to_string(),
            at => self.open[(at - 1) % self.open.len()].clone(),
        };
        let (book, word) = (draw.pick(&BOOKS), self.word());
        let (status, answer) = match draw.below(4) {
            0 | 1 => {
                let body = format!(r#"{{"title":"{word}","data":{{"isbn":"{word}"}}}}"#);
                self.author("PUT", &format!("books/{book}?change={change}"), &body)
            }
            2 => {
                let body = format!(r#"{{"title":"{word}","status":"published"}}"#);
                self.author("POST", &format!("books?change={change}"), &body)
            }
            _ => self.author("DELETE", &format!("books/{book}?change={change}"), ""),
        };
        if status < 300 {
            // A pending change is known by the id in the answer.
            let id = answer["meta"]["change"].as_str().unwrap_or(&change).to_string();
            self.hidden.entry(id).or_default().push(word);
        }
    }

    /// Does something that changes no public byte.
    fn act_beside(&mut self, draw: &mut Draw<'_>) {
        match draw.below(8) {
            0 => {
                // What is published is not for an author to change.
                let (status, _) = self.author("PUT", "books/alpha", r#"{"title":"zq-author"}"#);
                assert!([403, 404].contains(&status), "{status}");
            }
            1 => {
                let (change, book) =
                    (self.open[draw.below(self.open.len())].clone(), draw.pick(&BOOKS));
                self.admin("DELETE", &format!("changes/{change}/entries/books/{book}"), "");
            }
            2 if !self.published.is_empty() => {
                let change = self.published[draw.below(self.published.len())].clone();
                let made = self.admin("POST", &format!("changes/{change}/revert"), "");
                if let Some(id) = made["data"]["id"].as_str() {
                    self.open.push(id.to_string());
                }
            }
            3 => self.review(draw),
            _ => self.propose(draw),
        }
    }

    fn review(&self, draw: &mut Draw<'_>) {
        let change = &self.open[draw.below(self.open.len())];
        let verb = draw.pick(&["review", "approve"]);
        let is_there = |it: &recto::http::request::route::Route| {
            it.method == "POST" && it.path == format!("/admin/api/changes/{{change}}/{verb}")
        };
        if routes::build_table().iter().any(is_there) {
            self.admin("POST", &format!("changes/{change}/{verb}"), "");
        }
    }

    /// Changes what is live, as somebody who may publish.
    fn act_live(&mut self, draw: &mut Draw<'_>) {
        let book = draw.pick(&BOOKS);
        match draw.below(4) {
            0 => {
                let at = draw.below(self.open.len());
                let change = self.open[at].clone();
                let made = self.admin("POST", &format!("changes/{change}/publish"), "");
                if made["data"]["state"] == "published" {
                    self.hidden.remove(&change);
                    self.published.push(self.open.remove(at));
                    self.begin("Next");
                }
            }
            1 => {
                let body = format!(r#"{{"data":{{"pages":{}}}}}"#, draw.below(100));
                self.live("PUT", &format!("content/books/{book}"), &body);
            }
            2 => _ = self.live("PUT", &format!("content/books/{book}"), r#"{"title":"Live"}"#),
            _ => _ = self.live("DELETE", &format!("content/books/{book}"), ""),
        }
    }

    /// Nothing that is told to anybody without the right has a word of a change.
    fn check_words(&self, seen: &Seen) {
        let mut texts: Vec<(String, String)> = Vec::new();
        for (address, (_, _, body)) in &seen.0 {
            // A query may have such a word, and an answer repeats no query.
            texts.push((address.clone(), String::from_utf8_lossy(body).into_owned()));
        }
        for (path, who) in [
            (format!("events?wait=0&last_event_id={}", self.first_event), "as wanda"),
            ("activity?limit=500".to_string(), "as wanda"),
        ] {
            let (status, _, body) = self.stage.ask_with(&format!("GET /admin/api/{path}"), &[who]);
            assert_eq!(status, 200, "{path}");
            texts.push((path, String::from_utf8_lossy(&body).into_owned()));
        }
        texts.push(("messages".to_string(), self.stage.read_text(".recto/webhooks/h1.queue")));
        for word in self.hidden.values().flatten() {
            for (place, text) in &texts {
                let rest = |at: usize| text[at + word.len()..].chars().next();
                let found = text
                    .match_indices(word.as_str())
                    .any(|(at, _)| !rest(at).is_some_and(|it| it.is_ascii_digit()));
                assert!(!found, "{word} is told: {place}");
            }
        }
    }
}

#[test]
fn what_is_not_published_is_told_to_nobody() {
    let addresses = addresses();
    run(6, 160, |draw| {
        let mut play = Play::new();
        let mut before = Seen::look(&play.stage, &addresses);
        for _ in 0..14 {
            if draw.chance(30) {
                play.act_live(draw);
                before = Seen::look(&play.stage, &addresses);
            } else {
                play.act_beside(draw);
                let after = Seen::look(&play.stage, &addresses);
                after.expect_same(&before, "a proposal");
            }
            play.check_words(&before);
        }
        play.stage.close();
    });
}
