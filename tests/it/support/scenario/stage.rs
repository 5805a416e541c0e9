//! Plays a scenario: a data folder of its own, the service over it, a clock that is moved by hand.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::thread::JoinHandle;
use std::time::Duration;
use std::time::SystemTime;

use bytes::Bytes;
use http::HeaderMap;
use http::Request;
use http_body_util::BodyExt as _;
use recto::app::App;
use recto::app::jobs::planned_publications::publish_due;
use recto::engine;
use recto::engine::Engine;
use recto::http::service::Service;
use recto::http::wire::counters::Counters;
use recto::http::wire::request_body::RequestBody;
use recto::model::grant::Grant;
use recto::model::people::token::Token;
use recto::model::people::token::TokenRecord;
use recto::model::release::ReleaseKey;
use recto::stdx::clock::Clock;
use recto::stdx::json::Json;
#[cfg(target_os = "linux")]
use recto::stdx::platform::TARGET;
use recto::stdx::time::Timestamp;
use recto::store::lock::InstanceLock;
use tempfile::TempDir;
use tokio::runtime::Runtime;

#[cfg(target_os = "linux")]
use crate::support::folder::eventually;
use crate::support::folder::write_at_once;
use crate::support::scenario::asked::Asked;
use crate::support::scenario::asked::with_tokens;
use crate::support::scenario::choices::Choices;
use crate::support::scenario::clock::ScenarioClock;
use crate::support::scenario::documented;
use crate::support::scenario::hunks::hunks;
use crate::support::scenario::people;
use crate::support::scenario::print::Names;
use crate::support::scenario::script::Script;
use crate::support::scenario::script::Step;
use crate::support::test_database::TestDatabase;
use crate::support::test_database::write_pending_files;

/// When a scenario begins.
const BEGINNING: &str = "2026-01-15T12:00:00Z";

/// When the files of fixtures were changed.
pub(crate) const FILES_OF: &str = "2026-01-01T00:00:00Z";

/// A key that releases could be signed with.
const KEY: &str = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

/// The server of a scenario.
struct Running {
    service: Service,
    engine: Arc<Engine>,
    follower: Option<JoinHandle<()>>,
}

/// Where a scenario is played.
pub(crate) struct Stage {
    pub(super) folder: TempDir,
    clock: Arc<ScenarioClock>,
    choices: Choices,
    pub(crate) tokens: HashMap<String, String>,
    pub(crate) names: Names,
    tree: BTreeMap<String, Vec<u8>>,
    running: Option<Running>,
    runtime: Runtime,
    database: Option<TestDatabase>,
}

/// How a step looks at a file.
#[derive(Clone, Copy)]
enum Look {
    File,
    Hunks,
    Folder,
}

/// `file path`, `hunks path` and `folder path`.
fn looked_at(line: &str) -> Option<(Look, &str)> {
    let (word, path) = line.split_once(' ')?;
    match word {
        "file" => Some((Look::File, path)),
        "hunks" => Some((Look::Hunks, path)),
        "folder" => Some((Look::Folder, path)),
        _ => None,
    }
}

impl Stage {
    /// Plays all steps and puts what they came to into the script.
    pub(crate) fn play(script: &mut Script) {
        let mut stage = Stage::prepare(&script.preamble);
        stage.open();
        stage.tree = stage.files();
        for step in &mut script.steps {
            stage.step(step);
        }
        stage.close();
    }

    pub(crate) fn prepare(preamble: &[String]) -> Stage {
        let mut stage = Stage {
            folder: tempfile::tempdir().unwrap(),
            clock: Arc::new(ScenarioClock::at(BEGINNING)),
            choices: Choices::default(),
            tokens: HashMap::new(),
            names: Names::default(),
            tree: BTreeMap::new(),
            running: None,
            runtime: runtime(),
            database: TestDatabase::from_environment(),
        };
        let mut lines = preamble.iter().map(String::as_str).peekable();
        let named = preamble.iter().find_map(|it| it.strip_prefix("fixture "));
        stage.choices.fixture = named.unwrap_or("library").to_string();
        stage.copy_fixture();
        while let Some(line) = lines.next() {
            let known = line.is_empty()
                || line.starts_with(['#', ' '])
                || line.starts_with("fixture ")
                || stage.choices.take(line)
                || stage.command(line, &mut lines);
            assert!(known, "{line:?} is nothing that can be prepared");
        }
        if let Some(receiver) = &stage.choices.receiver {
            stage.names.call(&receiver.address.to_string(), "<receiver>");
        }
        #[cfg(target_os = "linux")]
        if let Some(release) = &stage.choices.release {
            stage.names.call(&release.address(), "<releases>");
            stage.names.call(&release.sha256, "<sha256>");
            stage.names.call(TARGET, "<target>");
        }
        stage.date_files();
        if let Some(database) = &stage.database {
            database.fill(stage.folder.path());
        }
        stage
    }

    fn copy_fixture(&self) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let source = match self.choices.fixture.as_str() {
            "data-skeleton" => root.join("data-skeleton"),
            name => root.join("tests/data").join(name),
        };
        assert!(source.is_dir(), "there is no fixture {source:?}");
        for found in walkdir::WalkDir::new(&source).min_depth(1) {
            let found = found.unwrap();
            let to = self.folder.path().join(found.path().strip_prefix(&source).unwrap());
            if found.file_type().is_dir() {
                fs::create_dir(to).unwrap();
            } else {
                fs::copy(found.path(), to).unwrap();
            }
        }
    }

    /// Gives all files one date, since a checkout gives them that of today.
    fn date_files(&self) {
        let seconds = Timestamp::parse(FILES_OF).unwrap().seconds();
        let date = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.try_into().unwrap());
        for found in walkdir::WalkDir::new(self.folder.path()) {
            let found = found.unwrap();
            if found.file_type().is_file() {
                fs::File::options()
                    .append(true)
                    .open(found.path())
                    .unwrap()
                    .set_modified(date)
                    .unwrap();
            }
        }
    }

    pub(crate) fn open(&mut self) {
        let options = engine::EngineOptions {
            base_url: self.choices.base_url.clone(),
            read_only: self.choices.read_only,
            database: self.database.as_ref().map(TestDatabase::connect),
            ..engine::EngineOptions::new(self.folder.path().to_path_buf(), self.clock.clone())
        };
        let engine = Engine::open(options).unwrap();
        write_pending_files(&engine);
        let follower = self.choices.follow.then(|| engine.follower().spawn_follower().unwrap());
        let mut settings = self.choices.settings.clone();
        settings.webhooks_allow_private = self.choices.receiver.is_some();
        settings.updates.url = self.choices.updates_url.clone();
        // Whose key it is does not matter: nothing is signed with it.
        settings.updates.key = settings.updates.url.as_ref().and_then(|_| ReleaseKey::parse(KEY));
        #[cfg(target_os = "linux")]
        if let Some(release) = &self.choices.release {
            settings.updates = release.settings();
        }
        let app = App::new(engine.clone(), settings);
        let options = self.choices.options.clone();
        let service = Service::new(app, options, Arc::new(Counters::default())).unwrap();
        self.running = Some(Running { service, engine, follower });
    }

    pub(crate) fn close(&mut self) {
        let Running { service, engine, follower } = self.running.take().unwrap();
        drop(service);
        engine.close();
        if let Some(follower) = follower {
            follower.join().unwrap();
        }
        drop(engine);
        // The thread of a queued write may hold the folder for a moment longer than its answer.
        eventually("nobody holds the folder", || InstanceLock::acquire(self.folder.path()).is_ok());
    }

    /// Puts the ids of tokens in place of their names.
    fn with_ids(&self, text: String) -> String {
        self.tokens.iter().fold(text, |text, (name, token)| match Token::parse(token) {
            Some(token) => text.replace(&format!("<id {name}>"), token.id().as_str()),
            None => text,
        })
    }

    /// Does what a line says, unless it is no command.
    pub(super) fn command<'l>(
        &mut self,
        line: &str,
        more: &mut std::iter::Peekable<impl Iterator<Item = &'l str>>,
    ) -> bool {
        let line = self.with_ids(self.names.unmask(line));
        let (command, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let place = |path: &str| self.folder.path().join(path);
        match command {
            "edit" => {
                let mut text = String::new();
                while let Some(line) = more.next_if(|it| !it.is_empty()) {
                    text.push_str(line);
                    text.push('\n');
                }
                self.write(rest, text.as_bytes());
            }
            "patch" => {
                let (path, patch) = rest.split_once(' ').unwrap();
                let patch = Json::parse(patch.as_bytes()).unwrap();
                let mut json = Json::parse(&fs::read(place(path)).unwrap()).unwrap();
                merge(&mut json, &patch);
                self.write(path, &json.to_file());
            }
            "delete" => self.remove(rest),
            "move" | "copy" => {
                let (from, to) = rest.split_once(' ').unwrap();
                let bytes = fs::read(place(from)).unwrap();
                self.write(to, &bytes);
                if command == "move" {
                    self.remove(from);
                }
            }
            #[cfg(unix)]
            "link" => {
                let (path, to) = rest.split_once(' ').unwrap();
                std::os::unix::fs::symlink(to, place(path)).unwrap();
            }
            "token" => self.issue(rest),
            "role" => self.write_record(people::role(rest)),
            "user" => self.add_user(rest),
            "clock" => match rest.strip_prefix("breaks at look ") {
                Some(look) => self.clock.looks_left.store(look.parse().unwrap(), SeqCst),
                None => self.clock.time.set(Timestamp::parse(rest).unwrap()),
            },
            "many" => self.many(rest),
            "tell" => self.tell(),
            "restart" => {
                self.close();
                self.open();
            }
            _ => return false,
        }
        true
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.running.as_ref().unwrap().engine
    }

    /// Does what the server does at its time by itself.
    fn tell(&self) {
        let Running { service, engine, .. } = self.running.as_ref().unwrap();
        publish_due(service.app(), self.clock.time.now());
        engine.scheduler().emit_due();
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        if self.edit_database(path, Some(bytes)) {
            return;
        }
        write_at_once(&self.folder.path().join(path), bytes);
    }

    fn remove(&self, path: &str) {
        if !self.edit_database(path, None) {
            fs::remove_file(self.folder.path().join(path)).unwrap();
        }
    }

    /// Edits a file in the database, if there is one and a server follows it.
    fn edit_database(&self, path: &str, bytes: Option<&[u8]>) -> bool {
        let (Some(database), Some(running)) = (&self.database, &self.running) else { return false };
        let is_edited = database.edit(path, bytes);
        if is_edited {
            running.engine.follower().fetch_committed();
        }
        is_edited
    }

    fn write_record(&self, (path, bytes): (String, Vec<u8>)) {
        self.write(&path, &bytes);
    }

    /// A user who is logged in.
    fn add_user(&mut self, line: &str) {
        let user = people::user(line, self.clock.time.now());
        self.write_record(user.record);
        match &self.running {
            Some(running) => {
                running.engine.follower().refresh_until_settled();
                running.engine.records().sessions().start_session(user.key, user.session).unwrap();
            }
            None => self.write_record(user.session_file),
        }
        self.tokens.insert(user.name, user.credential);
    }

    /// `many 300 path/of/{}.json {"title":"Number {}"}`: so many files, numbered from 1.
    fn many(&self, rest: &str) {
        let (number, rest) = rest.split_once(' ').unwrap();
        let (path, text) = rest.split_once(' ').unwrap();
        for number in 1..=number.parse::<u32>().unwrap() {
            let number = format!("{number:04}");
            self.write(&path.replace("{}", &number), text.replace("{}", &number).as_bytes());
        }
    }

    /// `token <name> [expires=…] [revoked=…] <grant> …`; a grant is `actions@resources` or JSON,
    /// which then is the rest of the line.
    fn issue(&mut self, line: &str) {
        let (name, mut rest) = line.split_once(' ').unwrap_or((line, ""));
        let (id, secret) = (filled(name), filled(name));
        let token = Token::issue(id, secret);
        let (mut grants, mut expires_at, mut revoked_at) = (Vec::new(), None, None);
        while !rest.is_empty() {
            if rest.starts_with('[') {
                grants.extend(Grant::parse_list(&Json::parse(rest.as_bytes()).unwrap()).unwrap());
                break;
            }
            let (word, more) = rest.split_once(' ').unwrap_or((rest, ""));
            match word.split_once('=') {
                Some(("expires", time)) => expires_at = Timestamp::parse(time),
                Some(("revoked", time)) => revoked_at = Timestamp::parse(time),
                _ => grants.push(Grant::parse_line(word).unwrap()),
            }
            rest = more;
        }
        let record = TokenRecord {
            id: token.id().clone(),
            name: name.to_string(),
            description: String::new(),
            permissions: grants,
            created_at: Timestamp::parse(FILES_OF),
            created_by: None,
            expires_at,
            last_used_at: None,
            revoked_at,
            previous_ends_at: None,
            previous: None,
            fingerprint: token.fingerprint(),
        };
        self.write(&format!("system/tokens/{}.json", token.id()), &record.to_file().to_file());
        self.tokens.insert(name.to_string(), token.reveal());
    }

    fn step(&mut self, step: &mut Step) {
        let lines = step.lines.clone();
        let mut lines = lines.iter().map(String::as_str).peekable();
        let (mut settles, mut edited) = (true, false);
        let mut asked: Option<Asked> = None;
        let mut in_table = false;
        while let Some(line) = lines.next() {
            if let Some(asked) = &mut asked {
                asked.take(line, &self.tokens, &self.names);
            } else if line.is_empty() || line.starts_with("# ") {
            } else if line == "unnoticed" {
                settles = false;
            } else if line == "files" {
                let changed = self.changed_files();
                self.names.learn_ids(&changed);
                step.answer = Some(self.names.mask(&changed));
            } else if let Some((look, path)) = looked_at(line) {
                let shown = self.look(look, &self.names.unmask(path));
                self.names.learn_ids(&shown);
                step.answer = Some(self.names.mask(&shown));
            } else if let Some(request) = Asked::begin(line.trim_start_matches("table ")) {
                in_table = line.starts_with("table ");
                if edited && settles {
                    self.running.as_ref().unwrap().engine.follower().refresh_until_settled();
                }
                self.names.now = self.clock.time.now().seconds();
                asked = Some(request);
            } else {
                assert!(self.command(line, &mut lines), "{line:?} is no command");
                edited |= !line.starts_with("clock ") && !["restart", "tell"].contains(&line);
            }
        }
        let Some(asked) = asked else {
            if edited && settles {
                self.running.as_ref().unwrap().engine.follower().refresh_until_settled();
            }
            return;
        };
        if in_table {
            for row in &mut step.rows {
                let text = with_tokens(self.names.unmask(&row.query), &self.tokens);
                let mut asked = asked.with_row(&text, &self.tokens);
                asked.target = self.with_ids(self.names.unmask(&asked.target));
                let (status, headers, body) = self.ask(&asked, &asked.target);
                let result = asked.show.row(status, &headers, &body);
                self.names.learn(&headers, &body, &result);
                row.result = self.names.mask(&result);
            }
        } else {
            let target = self.with_ids(self.names.unmask(&asked.target));
            let (status, headers, body) = self.ask(&asked, &target);
            let answer = asked.show.answer(status, &headers, &body);
            self.names.learn(&headers, &body, &answer);
            step.answer = Some(self.names.mask(&answer));
        }
    }

    pub(crate) fn ask(&self, asked: &Asked, target: &str) -> (u16, HeaderMap, Bytes) {
        let target = encoded(&target.replace("{ws}", "/api/v1/workspaces/default"));
        let path = target.clone();
        let mut request = Request::builder().method(asked.method.as_str()).uri(target);
        for (name, value) in &asked.headers {
            request = request.header(name.as_str(), value.as_bytes());
        }
        let body = Bytes::from(asked.body.clone());
        let request = request.body(RequestBody::from(body)).unwrap();
        let service = &self.running.as_ref().unwrap().service;
        self.runtime.block_on(async {
            let response = service.answer_request(request, (asked.peer, 4711).into()).await;
            let (head, body) = response.into_parts();
            let mut headers = head.headers;
            // Only servers that share a database say so, to callers whom they know.
            let is_told = headers.remove("recto-position").is_some();
            assert!(!is_told || self.database.is_some());
            let body = body.collect().await.unwrap().to_bytes();
            let body = without_id(&mut headers, body);
            if !headers.contains_key(http::header::CONTENT_ENCODING) {
                documented::check(&asked.method, &path, head.status.as_u16(), &body);
            }
            // The connection would do both.
            if !matches!(head.status.as_u16(), 204 | 304) {
                headers.insert(http::header::CONTENT_LENGTH, body.len().into());
            }
            let body = if asked.method == "HEAD" { Bytes::new() } else { body };
            (head.status.as_u16(), headers, body)
        })
    }

    /// All files but those that are caches.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        self.running.iter().for_each(|it| it.engine.follower().finish_revisions());
        let root = self.folder.path();
        let mut files = BTreeMap::new();
        for found in walkdir::WalkDir::new(root).min_depth(1) {
            let found = found.unwrap();
            let path = found.path().strip_prefix(root).unwrap().to_str().unwrap().to_string();
            if found.file_type().is_file() && !path.starts_with(".recto/") {
                files.insert(path, fs::read(found.path()).unwrap());
            }
        }
        files
    }

    /// A file as it is, or what of it differs from when files were last looked at.
    fn look(&mut self, look: Look, path: &str) -> String {
        if let Look::Folder = look {
            return self.look_into(path);
        }
        let bytes = fs::read(self.folder.path().join(path)).unwrap();
        let text = without_request_ids(&String::from_utf8_lossy(&bytes));
        let before = self.tree.insert(path.to_string(), bytes).unwrap_or_default();
        match look {
            Look::File => format!("{path}\n\n{text}"),
            _ => format!("{path}\n\n{}", hunks(&String::from_utf8_lossy(&before), &text)),
        }
    }

    /// The names in a folder, once the threads of all requests are done with it: they end with
    /// their runtime.
    fn look_into(&mut self, path: &str) -> String {
        self.runtime = runtime();
        let found = fs::read_dir(self.folder.path().join(path)).into_iter().flatten();
        let mut names: Vec<_> = found.map(|it| it.unwrap().file_name()).collect();
        names.sort();
        let lines: String = names.iter().map(|it| format!("{}\n", it.display())).collect();
        format!("{path}\n\n{}", if lines.is_empty() { "nothing\n" } else { &lines })
    }

    fn changed_files(&mut self) -> String {
        let now = self.files();
        let before = std::mem::replace(&mut self.tree, now);
        let mut out = String::new();
        for path in before.keys().filter(|it| !self.tree.contains_key(*it)) {
            out.push_str(&format!("gone {path}\n"));
        }
        for (path, bytes) in &self.tree {
            match before.get(path) {
                None => out.push_str(&format!("new {path}\n")),
                Some(old) if old != bytes => out.push_str(&format!("changed {path}\n")),
                Some(_) => {}
            }
        }
        if out.is_empty() { "nothing has changed\n".to_string() } else { out }
    }
}

/// Masks the id of a request, unless the scenario gave it.
fn without_id(headers: &mut HeaderMap, body: Bytes) -> Bytes {
    let id = headers.get("x-request-id").unwrap().to_str().unwrap().to_string();
    if id.starts_with("from-") {
        return body;
    }
    headers.insert("x-request-id", http::HeaderValue::from_static("<request id>"));
    match std::str::from_utf8(&body) {
        Ok(text) if text.contains(&id) => text.replace(&id, "<request id>").into(),
        _ => body,
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Masks the ids of requests in the lines of a log, but those that the scenario gave.
fn without_request_ids(text: &str) -> String {
    const KEY: &str = "\"request_id\":\"";
    let mut parts = text.split(KEY);
    let mut out = parts.next().unwrap().to_string();
    for part in parts {
        let (id, after) = part.split_once('"').unwrap();
        let id = if id.starts_with("from-") { id } else { "<request id>" };
        out.push_str(&format!("{KEY}{id}\"{after}"));
    }
    out
}

/// Bytes that differ from name to name.
pub(crate) fn filled<const N: usize>(name: &str) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.iter_mut().zip(name.bytes().cycle().enumerate()).for_each(|(to, (at, byte))| {
        *to = byte.wrapping_add(u8::try_from(at % 251).unwrap());
    });
    bytes
}

/// RFC 7396: `null` removes a key.
fn merge(json: &mut Json, patch: &Json) {
    let (Json::Object(map), Json::Object(changes)) = (&mut *json, patch) else {
        *json = patch.clone();
        return;
    };
    for (key, change) in changes.iter() {
        if *change == Json::Null {
            map.remove(key);
            continue;
        }
        let mut value = map.get(key).cloned().unwrap_or_default();
        merge(&mut value, change);
        map.set(key, value);
    }
}

/// Escapes what people write and requests cannot hold.
fn encoded(target: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'`');
    let mut out = String::new();
    for byte in target.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
