//! Builders that keep a copy: whatever happens between two of their requests, a copy that follows
//! `sync` is what a new bundle says, or its builder is told to start again.
//!
//! `SEED=…` makes another run than the usual one, `SLOW=1` one of 10,000 operations.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use serde_json::json;

use crate::support::folder::write_at_once;
use crate::support::property::given_seed;
use crate::support::random_content::Draw;
use crate::support::scenario::stage::Stage;
use crate::support::server_process::Connection;
use crate::support::server_process::Place;
use crate::support::server_process::Server;

const TYPES: [&str; 6] = ["books", "people", "places", "articles", "pages", "secrets"];
const IDS: [&str; 8] = ["b1", "b2", "u1", "p1", "plain", "g1", "new-1", "new-2"];
const CONTENT: &str = "workspaces/default/content";

/// Tokens that see different parts of the content.
const TOKENS: [&str; 5] = [
    "token writer *@*",
    r#"token narrow [{"actions":["content.read"],"resources":["content:books:*","content:people:u1"],"conditions":{"status":["published","draft"]}}]"#,
    r#"token german [{"actions":["content.read"],"resources":["content:*"],"conditions":{"locales":["de"]}},{"actions":["media.read"],"resources":["media:*"]}]"#,
    "token nothing schema.read@schema:books",
    "token other content.read@content:*",
];

/// The line of each thing that a builder has, by what identifies it.
type Copy = BTreeMap<String, Value>;

/// A builder with its copy.
struct Builder {
    who: &'static [&'static str],
    query: &'static str,
    copy: Copy,
    cursor: String,
    /// True if the copy was compared with what is there.
    is_current: bool,
}

impl Builder {
    fn new(who: &'static [&'static str], query: &'static str) -> Builder {
        Builder { who, query, copy: Copy::new(), cursor: String::new(), is_current: false }
    }

    /// Loads everything.
    fn load(&self, stage: &Stage) -> Option<(Copy, String)> {
        let line = format!("GET {{ws}}/bundle?{}", self.query);
        let (status, headers, body) = stage.ask_with(&line, self.who);
        if status == 422 {
            return None;
        }
        assert_eq!(status, 200, "{line} {:?}", self.who);
        let (mut copy, mut cursor) = (Copy::new(), String::new());
        for line in lines(&body) {
            take(&mut copy, &mut cursor, line);
        }
        assert_eq!(headers["etag"].to_str().unwrap(), format!("\"{cursor}\""));
        Some((copy, cursor))
    }

    /// Follows what changed. Returns false if it is told to start again.
    fn follow(&mut self, stage: &Stage) -> bool {
        let line = format!("GET {{ws}}/sync?since={}&{}", self.cursor, self.query);
        let (status, _, body) = stage.ask_with(&line, self.who);
        if status == 410 {
            return false;
        }
        assert_eq!(status, 200, "{line}: {}", String::from_utf8_lossy(&body));
        let mut told = Vec::new();
        for line in lines(&body) {
            let key = key_of(&line);
            assert!(!told.contains(&key), "{key} is told twice");
            let known = self.copy.get(&key);
            match line["kind"].as_str().unwrap() {
                "gone" => assert!(known.is_some(), "{key} was never shown to {:?}", self.who),
                _ => assert_ne!(known, Some(&line), "{key} did not change"),
            }
            take(&mut self.copy, &mut self.cursor, line);
            told.push(key);
        }
        true
    }

    /// Follows, and compares the copy with a new one. Returns false if it had to start again.
    fn check(&mut self, stage: &Stage) -> bool {
        // A type or a locale that is asked for may be hidden meanwhile.
        let loaded = self.load(stage);
        self.is_current = loaded.is_some();
        let Some((copy, cursor)) = loaded else { return true };
        let followed = self.cursor.is_empty() || self.follow(stage);
        if followed && !self.cursor.is_empty() {
            for (key, line) in &copy {
                assert_eq!(
                    self.copy.get(key),
                    Some(line),
                    "{key} of {:?} {}",
                    self.who,
                    self.query
                );
            }
            assert_eq!(self.copy.len(), copy.len(), "{:?} {}", self.who, self.query);
            assert_eq!(self.cursor, cursor);
        }
        (self.copy, self.cursor) = (copy, cursor);
        followed
    }

    /// Compares some lines with what the routes of their entries answer.
    fn check_bodies(&self, stage: &Stage, draw: &mut Draw<'_>) {
        let entries: Vec<&Value> = self.copy.values().filter(|it| it["kind"] == "entry").collect();
        if entries.is_empty() || !self.is_current {
            return;
        }
        let line = entries[draw.below(entries.len())];
        let text = |key: &str| line[key].as_str().unwrap();
        let asked = self.query.split('&').find_map(|it| it.strip_prefix("locale="));
        let locale = line["locale"].as_str().or(asked).unwrap_or_default();
        let media = if self.query.contains("media=full") { "&media=full" } else { "" };
        let (ty, id) = (text("type"), text("id"));
        let address = format!("GET {{ws}}/content/{ty}/{id}?locale={locale}{media}");
        let (status, _, body) = stage.ask_with(&address, self.who);
        assert_eq!(status, 200, "{address}");
        let answer: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(answer["data"], line["body"], "{address} {:?}", self.who);
    }
}

fn lines(body: &Bytes) -> Vec<Value> {
    let text = std::str::from_utf8(body).unwrap();
    assert!(text.ends_with("}\n"));
    text.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn key_of(line: &Value) -> String {
    let kind = if line["kind"] == "gone" { &line["of"] } else { &line["kind"] };
    format!("{kind} {} {} {}", line["type"], line["id"], line["locale"])
}

fn take(copy: &mut Copy, cursor: &mut String, line: Value) {
    match line["kind"].as_str().unwrap() {
        "gone" => _ = copy.remove(&key_of(&line)),
        "end" => *cursor = line["cursor"].as_str().unwrap().to_string(),
        _ => _ = copy.insert(key_of(&line), line),
    }
}

/// The server, and what the choices depend on.
struct Play {
    stage: Stage,
    day: u32,
    /// True once a builder may have to start again: files of inventories were spoiled, or grants
    /// changed.
    is_spoiled: bool,
}

impl Play {
    fn new() -> Play {
        let lines = [&["fixture library"][..], &TOKENS].concat();
        let mut stage = Stage::prepare(&lines.iter().map(ToString::to_string).collect::<Vec<_>>());
        stage.open();
        Play { stage, day: 1, is_spoiled: false }
    }

    fn act(&mut self, draw: &mut Draw<'_>) {
        match draw.below(20) {
            0..8 => self.write(draw),
            8..10 => self.change_type(draw),
            10..12 => self.change_media(draw),
            12..15 => {
                self.edit(draw);
                self.stage.settle();
            }
            15 => self.pass_time(draw),
            16 => {
                self.stage.close();
                self.stage.open();
            }
            17..19 => {
                self.stage.close();
                (0..=draw.below(3)).for_each(|_| self.edit(draw));
                self.stage.open();
            }
            _ => self.spoil(draw),
        }
    }

    fn ask(&self, line: &str, body: &Value) {
        let json = format!("json {body}");
        let (status, _, answer) = self.stage.ask_with(line, &["as writer", &json]);
        let fits = status < 300 || [404, 409, 422].contains(&status);
        assert!(fits, "{line}: {status} {}", String::from_utf8_lossy(&answer));
    }

    fn entry(draw: &mut Draw<'_>) -> Value {
        let status = draw.pick(&["published", "published", "draft", "archived", "scheduled"]);
        let mut data = json!({});
        if draw.chance(60) {
            data["author"] = draw.pick(&["u1", "u2", "new-1"]).into();
            data["place"] = draw.pick(&["p1", "p2", "new-2"]).into();
            data["friends"] = json!([draw.pick(&IDS), draw.pick(&["u1", "u2"])]);
            data["about"] = json!([draw.pick(&["plain", "past", "new-1"])]);
        }
        json!({
            "title": format!("Title {}", draw.below(5)),
            "status": status,
            "published_at": format!("2026-01-{:02}T00:00:00Z", 10 + draw.below(19)),
            "data": data,
        })
    }

    fn write(&self, draw: &mut Draw<'_>) {
        let (ty, id) = (draw.pick(&TYPES), draw.pick(&IDS));
        let mut body = Play::entry(draw);
        match draw.below(5) {
            0 => self.ask(&format!("DELETE {{ws}}/content/{ty}/{id}"), &json!({})),
            1 => {
                body["id"] = id.into();
                self.ask(&format!("POST {{ws}}/content/{ty}"), &body);
            }
            _ => self.ask(&format!("PUT {{ws}}/content/{ty}/{id}"), &body),
        }
    }

    fn change_type(&self, draw: &mut Draw<'_>) {
        let ty = draw.pick(&TYPES);
        let visibility = draw.pick(&["public", "private"]);
        let body = match draw.below(2) {
            0 => json!({ "visibility": visibility }),
            _ => json!({ "label": format!("Label {}", draw.below(3)) }),
        };
        self.ask(&format!("PUT {{ws}}/content-types/{ty}"), &body);
    }

    fn change_media(&self, draw: &mut Draw<'_>) {
        let name = draw.pick(&["logo.png", "sunset.jpg", "private.jpg", "letters.txt"]);
        let visibility = draw.pick(&["public", "private"]);
        let file = format!("{{ws}}/media/{name}");
        match draw.below(2) {
            0 => self.ask(&format!("PUT {file}/visibility"), &json!({ "visibility": visibility })),
            _ => {
                let alt = format!("Text {}", draw.below(3));
                self.ask(&format!("PUT {file}/meta"), &json!({ "alt": alt }));
            }
        }
    }

    /// Edits a file as a person would.
    fn edit(&self, draw: &mut Draw<'_>) {
        let (ty, id) = (draw.pick(&TYPES), draw.pick(&IDS));
        let path = self.stage.folder_path().join(format!("{CONTENT}/{ty}/{id}.json"));
        if draw.chance(15) && path.exists() {
            return fs::remove_file(path).unwrap();
        }
        let mut entry = Play::entry(draw);
        if ty == "pages" && draw.chance(50) {
            let locale = draw.pick(&["de", "fr"]);
            entry["translations"] = json!({ locale: { "title": "Titel" } });
        }
        write_at_once(&path, entry.to_string().as_bytes());
    }

    fn pass_time(&mut self, draw: &mut Draw<'_>) {
        self.day = (self.day + 1 + draw.below(2) as u32).min(13);
        self.stage.do_command(&format!("clock 2026-01-{:02}T12:00:00Z", 15 + self.day));
    }

    /// Spoils what is kept of builders, or changes the grants of one.
    fn spoil(&mut self, draw: &mut Draw<'_>) {
        if draw.chance(70) {
            return;
        }
        self.is_spoiled = true;
        self.stage.close();
        let files: Vec<_> = fs::read_dir(self.stage.folder_path().join(".recto/sync"))
            .unwrap()
            .map(|it| it.unwrap().path())
            .collect();
        for path in files {
            match draw.below(4) {
                0 => fs::remove_file(path).unwrap(),
                1 => fs::write(path, b"damaged").unwrap(),
                _ => {}
            }
        }
        if draw.chance(50) {
            let grants = draw.pick(&["content.read@content:*", "content.read@content:books:*"]);
            self.stage.do_command(&format!("token other {grants}"));
        }
        self.stage.open();
    }
}

#[test]
fn a_copy_that_follows_is_what_is_there() {
    let slow = std::env::var_os("SLOW").is_some();
    let seed = given_seed().unwrap_or(if slow { std::process::id().into() } else { 41 });
    let mut numbers = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut choices = || {
        numbers ^= numbers << 13;
        numbers ^= numbers >> 7;
        numbers ^= numbers << 17;
        (numbers >> 24) as u16
    };
    let mut play = Play::new();
    let mut builders = [
        Builder::new(&[], ""),
        Builder::new(&[], "locale=fr"),
        Builder::new(&[], "media=full"),
        Builder::new(&["as writer"], "locale=de&media=full"),
        Builder::new(&[], "types=books,pages"),
        Builder::new(&["as writer"], ""),
        Builder::new(&["as narrow"], ""),
        Builder::new(&["as german"], ""),
        Builder::new(&["as nothing"], ""),
        Builder::new(&["as other"], "types=people,places"),
    ];
    let (mut n_followed, mut n_restarted) = (0, 0);
    for _ in 0..if slow { 10_000 } else { 200 } {
        let drawn: Vec<u16> = (0..80).map(|_| choices()).collect();
        let mut draw = Draw::new(&drawn);
        play.act(&mut draw);
        // Some look often, some after many changes.
        for builder in &mut builders {
            if draw.chance(30) {
                let followed = builder.check(&play.stage);
                assert!(followed || play.is_spoiled, "{:?} was lost with SEED={seed}", builder.who);
                n_followed += usize::from(followed);
                n_restarted += usize::from(!followed);
                builder.check_bodies(&play.stage, &mut draw);
            }
        }
        if play.is_spoiled && draw.chance(50) {
            builders.iter_mut().for_each(|it| _ = it.check(&play.stage));
            // Who cannot load anything now may still have a cursor that is lost.
            play.is_spoiled = !builders.iter().all(|it| it.is_current);
        }
    }
    assert!(n_followed > 300, "{n_followed} of SEED={seed}, and {n_restarted} began again");
}

/// Sends a request on a connection of its own, and returns the reader of its answer.
fn ask(server: &Server, path: &str, token: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let credential =
        if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    let address = format!("/api/v1/workspaces/default/{path}");
    let head =
        format!("GET {address} HTTP/1.1\r\nhost: x\r\n{credential}connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    BufReader::new(stream)
}

fn answer(server: &Server, path: &str, token: &str) -> String {
    let mut text = String::new();
    ask(server, path, token).read_to_string(&mut text).unwrap();
    text
}

fn cursor_in(answer: &str) -> &str {
    let (_, after) = answer.rsplit_once("\"cursor\":\"").unwrap();
    after.split('"').next().unwrap()
}

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn whoever_waits_is_told() {
    let (working, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let place = Place::make(working.path(), &data.path().join("data"));
    let server = Server::start(&place);
    let token = place.token.as_str();
    let mut writer = Connection::open(&server.address, token).unwrap();
    let mut write = |title: &str| {
        let (path, body) = ("/api/v1/workspaces/default/content/posts", json!({ "title": title }));
        assert_eq!(writer.try_ask("POST", path, &body).unwrap().0, 201);
    };
    let bundle = answer(&server, "bundle", token);
    let cursor = cursor_in(&bundle);
    // A time that ends, a change that comes, and one that is hidden from who waits.
    let waited = answer(&server, &format!("sync?since={cursor}&wait=1"), token);
    assert!(waited.contains(&format!("{{\"kind\":\"end\",\"cursor\":\"{cursor}\"}}")), "{waited}");
    let public = answer(&server, "bundle", "");
    let other = format!("sync?since={}&wait=1", cursor_in(&public));
    let mut streams = [ask(&server, "events?types=posts", token), ask(&server, "events", token)];
    for stream in &mut streams {
        read_until(stream, "event: ready");
    }
    let waiting = ask(&server, &format!("sync?since={cursor}&wait=60"), token);
    let other = ask(&server, &other, "");
    write("Told");
    for (mut waiting, is_told) in [(waiting, true), (other, false)] {
        let mut text = String::new();
        waiting.read_to_string(&mut text).unwrap();
        assert_eq!(text.contains("\"title\":\"Told\""), is_told, "{text}");
        assert!(text.contains("\"kind\":\"end\""), "{text}");
    }
    for stream in &mut streams {
        read_until(stream, "\"title\":\"Told\"");
        read_until(stream, "id: ");
        read_until(stream, "\"kind\":\"end\"");
    }
    // A token that ends takes its streams with it.
    let id = token.split('_').nth(1).unwrap();
    let path = data.path().join("data/system/tokens").join(format!("{id}.json"));
    fs::remove_file(path).unwrap();
    for stream in &mut streams {
        while !read_line(stream).is_empty() {}
    }
    assert!(answer(&server, "events", token).contains(" 401 "));
}

fn read_line(stream: &mut BufReader<TcpStream>) -> String {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    line
}

fn read_until(stream: &mut BufReader<TcpStream>, wanted: &str) {
    loop {
        let line = read_line(stream);
        assert!(!line.is_empty(), "the stream ended before {wanted}");
        if line.contains(wanted) {
            return;
        }
    }
}
