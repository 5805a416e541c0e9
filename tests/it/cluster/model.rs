//! Requests to several servers at random, beside edits of the database itself: whatever happens,
//! all servers show the same in the end, from the same files, and it is what a server shows that
//! has just read a copy of the database.
//!
//! On the database that `RECTO_TEST_STORE` names, else on one in memory. `SEED=…` makes another run
//! than the usual one, `SLOW=1` a long one from a seed of its own.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use recto::app::content::entries;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::app::precondition::Precondition;
use recto::app::usage_guard::UsageGuard;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::stdx::time::Timestamp;
use recto::store::codec;
use recto::store::layout::Key;

use crate::support::cluster::Cluster;
use crate::support::cluster::Server;
use crate::support::folder;
use crate::support::folder::Data;
use crate::support::folder_model::START;
use crate::support::folder_model::WS;
use crate::support::folder_model::random_files::Random;
use crate::support::folder_model::random_files::build;
use crate::support::folder_model::random_files::entry;
use crate::support::folder_model::random_files::picture;
use crate::support::folder_model::random_files::queries;
use crate::support::folder_model::random_files::schema;
use crate::support::property::given_seed;
use crate::support::requester::requester_of;
use crate::support::test_database::TestDatabase;

const SERVERS: usize = 3;

struct Model {
    seed: u64,
    random: Random,
    cluster: Cluster,
    servers: Vec<Server>,
    /// The titles of entries as the last request left them, by path.
    written: BTreeMap<String, String>,
    next: usize,
    log: Vec<String>,
}

#[test]
fn all_servers_show_what_the_database_has() {
    let slow = std::env::var_os("SLOW").is_some();
    let unusual = if slow { u64::from(std::process::id()) } else { 0 };
    let seed = given_seed().unwrap_or(41 + unusual);
    let steps = if slow { 6_000 } else { 80 };
    Model::new(seed).run(steps);
}

impl Model {
    fn new(seed: u64) -> Model {
        let mut random = Random(seed);
        let source = Data::empty();
        build(&source, &mut random, 30);
        let database = TestDatabase::create();
        database.copy_from(source.root());
        let clock = Arc::new(TestClock::at(Timestamp::from_seconds(START)));
        let cluster = Cluster { database, clock };
        let servers = (0..SERVERS).map(|_| cluster.open()).collect();
        let (written, log) = (BTreeMap::new(), Vec::new());
        Model { seed, random, cluster, servers, written, next: 0, log }
    }

    fn run(mut self, steps: usize) {
        let mut left = steps;
        while left > 0 {
            let many = (1 + self.random.below(40)).min(left);
            left -= many;
            for server in &self.servers {
                // What is kept of queries is carried along from here.
                folder::picture(&server.app, &queries);
            }
            for _ in 0..many {
                self.step();
            }
            self.compare();
        }
    }

    fn step(&mut self) {
        match self.random.below(40) {
            0..8 => self.create(),
            8..20 => self.update(),
            20..24 => self.delete(),
            24..29 => self.edit_entry(),
            29..31 => self.edit_schema(),
            31..33 => self.edit_media(),
            33..38 => {
                let number = self.random.below(SERVERS);
                self.log.push(format!("{number} follows"));
                self.servers[number].follow();
            }
            _ => self.restart(),
        }
    }

    fn some_server(&mut self) -> usize {
        self.random.below(SERVERS)
    }

    /// An entry that a server knows, if it knows any.
    fn some_entry(&mut self, number: usize) -> Option<(WorkspaceSlug, String, String)> {
        let ty = *self.random.pick(&["posts", "posts", "topics", "authors"]).unwrap();
        let ws = if self.random.one_in(6) { "press" } else { "default" };
        let snapshot = self.servers[number].app.engine.snapshot(ws)?;
        let ids: Vec<String> =
            snapshot.get(ty)?.iter().map(|(_, doc)| doc.id().to_string()).collect();
        let id = self.random.pick(&ids)?.clone();
        Some((WorkspaceSlug::parse(ws).unwrap(), ty.to_string(), id))
    }

    fn body(&mut self) -> Map {
        let text = entry(&mut self.random);
        let mut body = codec::parse_document("a.json", text.as_bytes()).unwrap().map;
        for name in ["unknown", "author_id", "created_at", "updated_at"] {
            body.remove(name);
        }
        body
    }

    fn create(&mut self) {
        let number = self.some_server();
        let ty = *self.random.pick(&["posts", "posts", "topics", "authors"]).unwrap();
        let body = self.body();
        let (by, ws) = (requester_of(folder::holder("*@*")), WorkspaceSlug::parse("default"));
        let (ws, app) = (ws.unwrap(), &self.servers[number].app);
        let made = entries::create(app, &ws, &by, &WriteTarget::Live, ty, body);
        self.note(format!("{number} creates {ty}"), made.map(|it| it.id.to_string()), |id| {
            format!("{WS}/content/{ty}/{id}.json")
        });
    }

    fn update(&mut self) {
        let number = self.some_server();
        let Some((ws, ty, id)) = self.some_entry(number) else { return };
        let body = self.body();
        let by = requester_of(folder::holder("*@*"));
        let (app, at) = (&self.servers[number].app, (ty.as_str(), id.as_str()));
        let snapshot = app.engine.snapshot(ws.as_str()).unwrap();
        let index = snapshot.get(&ty).unwrap();
        let rev = index.find_entry(&id).and_then(|it| index.entry_at(it)).map(|it| it.rev);
        let condition = match self.random.below(2) {
            0 => Precondition::Revs(rev.into_iter().collect()),
            _ => Precondition::None,
        };
        let made = entries::update(app, &ws, &by, &WriteTarget::Live, at, body, condition);
        let path = format!("workspaces/{ws}/content/{ty}/{id}.json");
        self.note(format!("{number} updates {path}"), made.map(|_| id), |_| path.clone());
    }

    fn delete(&mut self) {
        let number = self.some_server();
        let Some((ws, ty, id)) = self.some_entry(number) else { return };
        let by = requester_of(folder::holder("*@*"));
        let (app, at) = (&self.servers[number].app, (ty.as_str(), id.as_str()));
        let (any, off) = (Precondition::None, UsageGuard::Off);
        let deleted = entries::delete(app, &ws, &by, &WriteTarget::Live, at, any, off);
        let path = format!("workspaces/{ws}/content/{ty}/{id}.json");
        self.log.push(format!("{number} deletes {path}: {:?}", deleted.as_ref().err()));
        match deleted {
            Ok(_) => {
                assert!(!self.exists(number, &path), "SEED={}: {path} is there", self.seed);
                self.written.remove(&path);
            }
            Err(error) => self.expect_known(&error),
        }
    }

    /// Notes what became of a request. An acknowledged change is in the files of its server.
    fn note(&mut self, what: String, made: Result<String, Error>, path: impl Fn(&str) -> String) {
        self.log.push(format!("{what}: {made:?}"));
        match made {
            Ok(id) => {
                let path = path(&id);
                let number = usize::from(what.as_bytes()[0] - b'0');
                let title = self.title(number, &path);
                self.written.insert(path, title);
            }
            Err(error) => self.expect_known(&error),
        }
    }

    /// Refusals that come of what others did, or of nonsense in a body.
    fn expect_known(&self, error: &Error) {
        let known =
            [Code::NotFound, Code::PreconditionFailed, Code::ValidationFailed, Code::Conflict];
        let (seed, log) = (self.seed, self.log.join("\n  "));
        assert!(known.contains(&error.code), "SEED={seed}: {error:?} after\n  {log}");
    }

    fn exists(&self, number: usize, path: &str) -> bool {
        self.servers[number].folder.path().join(path).exists()
    }

    fn title(&self, number: usize, path: &str) -> String {
        let file = fs::read(self.servers[number].folder.path().join(path));
        let file = file.unwrap_or_else(|error| panic!("SEED={}: {path}: {error}", self.seed));
        let map = codec::parse_document(path, &file).unwrap().map;
        map.get("title").and_then(Json::as_str).unwrap_or_default().to_string()
    }

    /// Edits an entry in the database itself.
    fn edit_entry(&mut self) {
        let number = self.some_server();
        let path = match self.some_entry(number) {
            Some((ws, ty, id)) if !self.random.one_in(4) => {
                format!("workspaces/{ws}/content/{ty}/{id}.json")
            }
            _ => {
                self.next += 1;
                format!("{WS}/content/posts/edited-{}.json", self.next)
            }
        };
        let text = entry(&mut self.random);
        let removed = self.random.one_in(5);
        self.edit(&path, (!removed).then_some(text.as_bytes()));
    }

    fn edit_schema(&mut self) {
        let name = *self.random.pick(&["posts", "topics", "authors", "start"]).unwrap();
        let text = schema(name, &mut self.random);
        self.edit(&format!("{WS}/schemas/{name}.json"), Some(text.as_bytes()));
    }

    fn edit_media(&mut self) {
        let name = *self.random.pick(&["a.png", "b.png"]).unwrap();
        if self.random.one_in(2) {
            let word = self.random.word();
            let text = format!(r#"{{"alt":"{word}","visibility":"public"}}"#);
            return self.edit(&format!("{WS}/media-meta/{name}.json"), Some(text.as_bytes()));
        }
        let side = 1 + self.random.below(9) as u32;
        self.edit(&format!("{WS}/media/{name}"), Some(&picture(side, side)));
    }

    fn edit(&mut self, path: &str, bytes: Option<&[u8]>) {
        self.log.push(format!("edit of {path}, {:?} bytes", bytes.map(<[u8]>::len)));
        self.written.remove(path);
        assert!(Key::parse(path).is_some() && self.cluster.database.edit(path, bytes));
    }

    /// A server ends and starts again, on its replica or on an empty folder.
    fn restart(&mut self) {
        let number = self.some_server();
        let server = self.servers.remove(number);
        let Server { app, folder } = server;
        drop(app);
        let is_kept = self.random.one_in(2);
        self.log.push(format!("{number} restarts, on its replica: {is_kept}"));
        let server = if is_kept { self.cluster.open_in(folder) } else { self.cluster.open() };
        self.servers.insert(number, server);
    }

    /// Compares all servers with each other and with what is in the database.
    fn compare(&mut self) {
        // Edits are judged by one server, which commits what it makes of them.
        for _ in 0..SERVERS {
            self.servers.iter().for_each(Server::follow);
        }
        let (seed, log) = (self.seed, self.log.join("\n  "));
        let copy = tempfile::tempdir().unwrap();
        self.cluster.database.copy_into(copy.path());
        let clock: Arc<dyn Clock> = self.cluster.clock.clone();
        let options = EngineOptions {
            base_url: "https://cms.example".to_string(),
            read_only: true,
            ..EngineOptions::new(copy.path().to_path_buf(), clock)
        };
        let expected = folder::app(&Engine::open(options).unwrap());
        let picture = folder::picture(&expected, &queries);
        let problems = folder::problems(&expected.engine);
        let mut there = BTreeSet::new();
        folder::files_below(copy.path(), "workspaces", &mut there);
        for (number, server) in self.servers.iter().enumerate() {
            let shown = folder::picture(&server.app, &queries);
            let differences = folder::differences(&shown, &picture);
            let some = differences.iter().take(4).cloned().collect::<Vec<_>>().join("\n");
            let count = differences.len();
            assert!(count == 0, "SEED={seed}: {count} at {number} after\n  {log}\n{some}");
            let told = folder::problems(&server.app.engine);
            assert_eq!(told, problems, "SEED={seed}: problems at {number} after\n  {log}");
            let mut files = BTreeSet::new();
            folder::files_below(server.folder.path(), "workspaces", &mut files);
            let differing: Vec<_> = files.symmetric_difference(&there).collect();
            assert!(differing.is_empty(), "SEED={seed}: {differing:?} at {number}\n  {log}");
            for path in &there {
                let read = |root: &std::path::Path| fs::read(root.join(path)).unwrap();
                let is_same = read(server.folder.path()) == read(copy.path());
                assert!(is_same, "SEED={seed}: {path} differs at {number} after\n  {log}");
            }
        }
        for (path, title) in &self.written {
            assert_eq!(self.title(0, path), *title, "SEED={seed}: {path} after\n  {log}");
        }
        self.log.clear();
    }
}
