//! A database of several servers for a test. `RECTO_TEST_STORE` is `memory`, or the address of a
//! PostgreSQL server in which databases are made and dropped.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;

use postgres::Client;
use postgres::NoTls;
use recto::engine::Engine;
use recto::store::cluster::copy::CopyReport;
use recto::store::cluster::copy::copy_from_database;
use recto::store::cluster::copy::copy_into_database;
use recto::store::cluster::database::Database;
use recto::store::cluster::memory_database::MemoryDatabase;
use recto::store::cluster::postgres::PostgresDatabase;
use recto::store::cluster::postgres::address::DatabaseAddress;
use recto::store::cluster::shared_paths;
use recto::store::data_folder::DataFolder;
use recto::store::disk::OsDisk;
use recto::store::layout;

/// The database of a test.
pub(crate) enum TestDatabase {
    Memory(MemoryDatabase),
    Postgres(Box<PostgresTestDatabase>),
}

/// A database of a PostgreSQL server, which is dropped in the end.
pub(crate) struct PostgresTestDatabase {
    server: String,
    name: String,
    url: String,
    editor: Option<Mutex<Client>>,
}

/// Has all files of a new replica on the disk, for a test that looks at them there.
pub(crate) fn write_pending_files(engine: &Engine) {
    if let Some(replica) = engine.folder().replica() {
        replica.write_pending_files(&|| false).unwrap();
    }
}

impl TestDatabase {
    /// Returns an empty database if `RECTO_TEST_STORE` says where.
    pub(crate) fn from_environment() -> Option<TestDatabase> {
        let store = std::env::var("RECTO_TEST_STORE").ok()?;
        Some(match store.as_str() {
            "memory" => TestDatabase::Memory(MemoryDatabase::default()),
            server => TestDatabase::Postgres(Box::new(PostgresTestDatabase::create(server))),
        })
    }

    /// Returns an empty database where `RECTO_TEST_STORE` says, else in memory.
    pub(crate) fn create() -> TestDatabase {
        TestDatabase::from_environment()
            .unwrap_or_else(|| TestDatabase::Memory(MemoryDatabase::default()))
    }

    /// Copies what is in a folder into the database.
    pub(crate) fn copy_from(&self, folder: &Path) -> CopyReport {
        let disk = OsDisk::open(folder).unwrap();
        copy_into_database(&disk, &*self.connect()).unwrap()
    }

    /// Copies the database into an empty folder.
    pub(crate) fn copy_into(&self, folder: &Path) -> CopyReport {
        let disk = Arc::new(OsDisk::open(folder).unwrap());
        copy_from_database(self.connect(), disk, &DataFolder::new(folder)).unwrap()
    }

    /// Moves what is in a folder into the database.
    pub(crate) fn fill(&self, folder: &Path) {
        self.copy_from(folder);
        for top in [layout::WORKSPACES, layout::SYSTEM, layout::SESSIONS] {
            let place = folder.join(top);
            if place.exists() {
                fs::remove_dir_all(place).unwrap();
            }
        }
    }

    /// The access of a server.
    pub(crate) fn connect(&self) -> Arc<dyn Database> {
        match self {
            TestDatabase::Memory(memory) => Arc::new(memory.connect()),
            TestDatabase::Postgres(it) => {
                Arc::new(PostgresDatabase::open(&it.address(), "test".to_string()).unwrap())
            }
        }
    }

    /// Edits a file as somebody does who changes the database itself. Returns false if it is none
    /// of the database.
    pub(crate) fn edit(&self, path: &str, bytes: Option<&[u8]>) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let is_shared = shared_paths::is_shared(path);
        if is_shared {
            match self {
                TestDatabase::Memory(memory) => {
                    memory.edit_file(path, bytes, now.as_nanos().try_into().unwrap());
                }
                TestDatabase::Postgres(it) => it.edit(path, bytes),
            }
        }
        is_shared
    }
}

impl PostgresTestDatabase {
    fn create(server: &str) -> PostgresTestDatabase {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let mut client = Client::connect(server, NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        let (host, _) = server.rsplit_once('/').expect("the address ends with a database");
        let address = format!("{host}/{name}");
        let editor = Client::connect(&address, NoTls).unwrap();
        PostgresTestDatabase {
            server: server.to_string(),
            name,
            url: address,
            editor: Some(Mutex::new(editor)),
        }
    }

    /// The address of the database.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    fn address(&self) -> DatabaseAddress {
        DatabaseAddress::parse(&self.url).unwrap()
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

impl Drop for PostgresTestDatabase {
    fn drop(&mut self) {
        self.editor = None;
        let mut client = Client::connect(&self.server, NoTls).unwrap();
        client.batch_execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name)).unwrap();
    }
}
