//! The store of a scenario: its folder, or a database, of which the folder is the replica.
//! `RECTO_TEST_STORE` is `memory`, or the address of a PostgreSQL server in which databases are
//! made and dropped.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;

use postgres::Client;
use postgres::NoTls;
use recto::store::cluster::copy::copy_into_database;
use recto::store::cluster::database::Database;
use recto::store::cluster::memory_database::MemoryDatabase;
use recto::store::cluster::postgres::PostgresDatabase;
use recto::store::cluster::postgres::address::DatabaseAddress;
use recto::store::cluster::shared_paths;
use recto::store::disk::OsDisk;
use recto::store::layout;

/// The database of a scenario.
pub(super) enum ScenarioDatabase {
    Memory(MemoryDatabase),
    Postgres(Box<PostgresScenario>),
}

/// A database of a PostgreSQL server, which is dropped in the end.
pub(super) struct PostgresScenario {
    server: String,
    name: String,
    address: DatabaseAddress,
    editor: Option<Mutex<Client>>,
}

impl ScenarioDatabase {
    /// Returns a database if scenarios are to be played on one.
    pub(super) fn from_environment() -> Option<ScenarioDatabase> {
        let store = std::env::var("RECTO_TEST_STORE").ok()?;
        Some(match store.as_str() {
            "memory" => ScenarioDatabase::Memory(MemoryDatabase::default()),
            server => ScenarioDatabase::Postgres(Box::new(PostgresScenario::create(server))),
        })
    }

    /// Moves what is in the folder into the database.
    pub(super) fn fill(&self, folder: &Path) {
        let disk = OsDisk::open(folder).unwrap();
        copy_into_database(&disk, &*self.connect()).unwrap();
        for top in [layout::WORKSPACES, layout::SYSTEM, layout::SESSIONS] {
            let place = folder.join(top);
            if place.exists() {
                fs::remove_dir_all(place).unwrap();
            }
        }
    }

    /// The access of a server.
    pub(super) fn connect(&self) -> Arc<dyn Database> {
        match self {
            ScenarioDatabase::Memory(memory) => Arc::new(memory.connect()),
            ScenarioDatabase::Postgres(it) => {
                Arc::new(PostgresDatabase::open(&it.address, "test".to_string()).unwrap())
            }
        }
    }

    /// Edits a file as somebody does who changes the database itself. Returns false if it is none
    /// of the database.
    pub(super) fn edit(&self, path: &str, bytes: Option<&[u8]>) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let is_shared = shared_paths::is_shared(path);
        if is_shared {
            match self {
                ScenarioDatabase::Memory(memory) => {
                    memory.edit_file(path, bytes, now.as_nanos().try_into().unwrap());
                }
                ScenarioDatabase::Postgres(it) => it.edit(path, bytes),
            }
        }
        is_shared
    }
}

impl PostgresScenario {
    fn create(server: &str) -> PostgresScenario {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("scenario_{}_{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let mut client = Client::connect(server, NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        let (host, _) = server.rsplit_once('/').expect("the address ends with a database");
        let address = format!("{host}/{name}");
        let editor = Client::connect(&address, NoTls).unwrap();
        PostgresScenario {
            server: server.to_string(),
            name,
            address: DatabaseAddress::parse(&address).unwrap(),
            editor: Some(Mutex::new(editor)),
        }
    }

    fn edit(&self, path: &str, bytes: Option<&[u8]>) {
        let mut editor = self.editor.as_ref().unwrap().lock().unwrap();
        match bytes {
            Some(bytes) => editor.execute(
                "INSERT INTO recto.file (path, bytes, size, modified_ns, position) \
                 VALUES ($1, $2, 0, 0, 0) ON CONFLICT (path) \
                 DO UPDATE SET bytes = excluded.bytes, blob = NULL",
                &[&path, &bytes],
            ),
            None => editor.execute("DELETE FROM recto.file WHERE path = $1", &[&path]),
        }
        .unwrap();
    }
}

impl Drop for PostgresScenario {
    fn drop(&mut self) {
        self.editor = None;
        let mut client = Client::connect(&self.server, NoTls).unwrap();
        client.batch_execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name)).unwrap();
    }
}
