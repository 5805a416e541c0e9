//! Servers in this process that share a database.

use std::fs;
use std::sync::Arc;

use recto::app::App;
use recto::app::Settings;
use recto::app::content::entries;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Error;
use recto::app::precondition::Precondition;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::query::render::rendered_entry::RenderedEntry;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;
use recto::store::cluster::memory_database::MemoryDatabase;
use recto::store::error::StoreError;
use tempfile::TempDir;

use crate::support::entry_writes::POSTS;
use crate::support::entry_writes::all;
use crate::support::entry_writes::map;
use crate::support::entry_writes::ws;
use crate::support::events::list_events;
use crate::support::requester::requester_of;
use crate::support::test_database::TestDatabase;

/// A server with the folder that is its replica.
pub(crate) struct Server {
    pub(crate) app: App,
    pub(crate) folder: TempDir,
}

/// A database, and the clock of all its servers.
pub(crate) struct Cluster {
    pub(crate) database: TestDatabase,
    pub(crate) clock: Arc<TestClock>,
}

impl Cluster {
    /// A database with these files and a type of entries.
    pub(crate) fn new(database: TestDatabase, files: &[(&str, &str)]) -> Cluster {
        let source = tempfile::tempdir().unwrap();
        let schema = ("workspaces/main/schemas/posts.json", POSTS);
        for (path, text) in files.iter().chain([&schema]) {
            let path = source.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let report = database.copy_from(source.path());
        assert_eq!((report.files, report.copied), (files.len() + 1, files.len() + 1));
        let clock = Arc::new(TestClock::at(Timestamp::parse("2026-05-03").unwrap()));
        Cluster { database, clock }
    }

    /// A database in memory with these files.
    pub(crate) fn in_memory(files: &[(&str, &str)]) -> Cluster {
        Cluster::new(TestDatabase::Memory(MemoryDatabase::default()), files)
    }

    /// The database, which is one in memory.
    pub(crate) fn memory(&self) -> &MemoryDatabase {
        match &self.database {
            TestDatabase::Memory(memory) => memory,
            TestDatabase::Postgres(_) => panic!("this test wants a database in memory"),
        }
    }

    /// Opens a server on an empty folder.
    pub(crate) fn open(&self) -> Server {
        self.open_in(tempfile::tempdir().unwrap())
    }

    /// Opens a server on a folder that may be a replica already.
    pub(crate) fn open_in(&self, folder: TempDir) -> Server {
        let engine = self.open_engine(&folder).unwrap();
        Server { app: App::new(engine, Settings::default()), folder }
    }

    /// Tries to open a server on an empty folder.
    pub(crate) fn try_open(&self) -> Result<(), StoreError> {
        self.open_engine(&tempfile::tempdir().unwrap()).map(drop)
    }

    fn open_engine(&self, folder: &TempDir) -> Result<Arc<Engine>, StoreError> {
        let clock: Arc<dyn Clock> = self.clock.clone();
        Engine::open(EngineOptions {
            base_url: "https://cms.example".to_string(),
            database: Some(self.database.connect()),
            ..EngineOptions::new(folder.path().to_path_buf(), clock)
        })
    }
}

impl Server {
    pub(crate) fn create(&self, body: &str) -> Result<String, Error> {
        let by = requester_of(all());
        let made = entries::create(&self.app, &ws(), &by, &WriteTarget::Live, "posts", map(body))?;
        Ok(made.id.to_string())
    }

    pub(crate) fn update(
        &self,
        name: &str,
        body: &str,
        condition: Precondition,
    ) -> Result<String, Error> {
        self.update_in("posts", name, body, condition)
    }

    pub(crate) fn update_in(
        &self,
        ty: &str,
        name: &str,
        body: &str,
        condition: Precondition,
    ) -> Result<String, Error> {
        let (by, target) = (requester_of(all()), WriteTarget::Live);
        let at = (ty, name);
        let made = entries::update(&self.app, &ws(), &by, &target, at, map(body), condition)?;
        Ok(made.id.to_string())
    }

    /// Serves what the other has committed.
    pub(crate) fn follow(&self) {
        self.app.engine.follower().refresh_until_settled();
    }

    pub(crate) fn titles(&self) -> Vec<String> {
        let snapshot = self.app.engine.snapshot("main").unwrap();
        let index = snapshot.get("posts").unwrap();
        let title = |doc: &RenderedEntry| {
            serde_json::from_slice::<String>(doc.variant_for(None).title_json()).unwrap()
        };
        let mut titles: Vec<String> = index.iter().map(|(_, doc)| title(doc)).collect();
        titles.sort();
        titles
    }

    pub(crate) fn events(&self) -> Vec<(EventKind, EventSource, String)> {
        let told = list_events(&self.app.engine);
        told.iter().map(|it| (it.event.kind, it.event.source, it.id.clone())).collect()
    }

    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let root = self.folder.path();
        let found = walkdir::WalkDir::new(root.join("workspaces")).sort_by_file_name();
        let files = found.into_iter().map(Result::unwrap).filter(|it| it.file_type().is_file());
        let path =
            |it: &walkdir::DirEntry| it.path().strip_prefix(root).unwrap().display().to_string();
        files.map(|it| (path(&it), fs::read(it.path()).unwrap())).collect()
    }
}
