//! A data folder made and spoiled by tests, and everything that can be seen of it through an
//! engine, written down so that two engines can be compared.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;
use std::time::SystemTime;

use recto::app::App;
use recto::app::Settings;
use recto::app::access::Caller;
use recto::app::content::content_types;
use recto::app::content::entries;
use recto::app::content::entries::EffortResult;
use recto::app::media;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::engine::installation::ApiToken;
use recto::model::entry::Api;
use recto::model::grant::Grant;
use recto::model::name::TokenId;
use recto::model::people::token::TokenRecord;
use recto::model::problem::ProblemKind;
use recto::query::execute::executor::Effort;
use recto::query::index::snapshot::Snapshot;
use recto::query::index::type_index::TypeIndex;
use recto::query::request::params::QueryParams;
use recto::stdx::clock::Clock;
use recto::stdx::json::Json;
use recto::store::cluster::database::Database;

use crate::support::reads::collect_body;
use crate::support::test_database::TestDatabase;

/// What links lead to: nothing of the data folder, but nothing of the machine either, because edits
/// made at random may go through a link.
const OUTSIDE: &str = "outside";

/// A data folder that is removed in the end.
pub(crate) struct Data {
    root: tempfile::TempDir,
}

impl Drop for Data {
    fn drop(&mut self) {
        let database = DATABASES.lock().unwrap().remove(self.root.path());
        // Not while others wait for the list.
        drop(database);
    }
}

impl Data {
    /// A folder with nothing in it.
    pub(crate) fn empty() -> Data {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("workspaces")).unwrap();
        fs::create_dir_all(root.path().join(OUTSIDE)).unwrap();
        let secret = r#"{"title": "Secret", "status": "published"}"#;
        fs::write(root.path().join(OUTSIDE).join("file.json"), secret).unwrap();
        Data { root }
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// Writes a file as `sh` does: opened, emptied, filled.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let place = self.at(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        self.stay_inside(&place);
        // Neither through a link nor into a pipe, where it would wait for a reader.
        if fs::symlink_metadata(&place).is_ok_and(|it| !it.is_file()) {
            self.remove(path);
        }
        fs::write(place, bytes).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path)).unwrap()
    }

    /// Removes whatever stands under a path, if anything.
    pub(crate) fn remove(&self, path: &str) {
        let place = self.at(path);
        if place.parent().is_some_and(Path::exists) {
            self.stay_inside(&place);
        }
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(place).unwrap(),
            Ok(_) => fs::remove_file(place).unwrap(),
            Err(_) => {}
        }
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.at(from), self.at(to)).unwrap();
    }

    /// The regular files right in a folder that end in `ending`, in order.
    pub(crate) fn files(&self, folder: &str, ending: &str) -> Vec<String> {
        // Never through a link: what is found is edited and removed.
        if !fs::symlink_metadata(self.at(folder)).is_ok_and(|it| it.is_dir()) {
            return Vec::new();
        }
        let Ok(items) = fs::read_dir(self.at(folder)) else { return Vec::new() };
        let mut names: Vec<String> = items
            .map(Result::unwrap)
            .filter(|it| it.file_type().unwrap().is_file())
            .map(|it| it.file_name().into_string().unwrap())
            .filter(|it| it.ends_with(ending))
            .collect();
        names.sort();
        names.into_iter().map(|it| format!("{folder}/{it}")).collect()
    }

    /// Makes a pipe.
    #[cfg(unix)]
    pub(crate) fn pipe(&self, path: &str) {
        let made = std::process::Command::new("mkfifo").arg(self.at(path)).status().unwrap();
        assert!(made.success());
    }

    /// Fails where a link leads out of the test's own folder.
    fn stay_inside(&self, place: &Path) {
        let folder = place.parent().unwrap().canonicalize().unwrap();
        let root = self.root().canonicalize().unwrap();
        assert!(folder.starts_with(&root), "{} is not the test's", place.display());
    }

    /// Links to a place outside of what is served, which is the test's own all the same.
    #[cfg(unix)]
    pub(crate) fn link_outside(&self, target: &str, path: &str) {
        let target = self.at(OUTSIDE).join(target);
        self.link(target.to_str().unwrap(), path);
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.at(path)).unwrap();
    }
}

/// Sets when a file was changed.
pub(crate) fn set_modified(place: &Path, time: SystemTime) {
    File::options().write(true).open(place).unwrap().set_modified(time).unwrap();
}

pub(crate) fn modified(place: &Path) -> SystemTime {
    fs::metadata(place).unwrap().modified().unwrap()
}

/// Everything below a folder that is no folder, and the folders that stand where files should.
pub(crate) fn files_below(root: &Path, folder: &str, found: &mut BTreeSet<String>) {
    for item in fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap) {
        let Ok(name) = item.file_name().into_string() else { continue };
        let (path, kind) = (format!("{folder}/{name}"), item.file_type().unwrap());
        if kind.is_dir() {
            files_below(root, &path, found);
        }
        if !kind.is_dir() || path.ends_with(".json") {
            found.insert(path);
        }
    }
}

/// Copies a folder with all times and everything that is no file.
pub(crate) fn copy(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status();
    assert!(copied.unwrap().success());
}

/// The databases of folders, which are their replicas.
static DATABASES: Mutex<BTreeMap<PathBuf, Arc<TestDatabase>>> = Mutex::new(BTreeMap::new());

/// If tests are to be run on a database, that of a folder, which is its replica from then on.
fn shared_database(root: &Path) -> Option<Arc<dyn Database>> {
    if let Some(database) = DATABASES.lock().unwrap().get(root).cloned() {
        return Some(database.connect());
    }
    let database = TestDatabase::from_environment()?;
    database.fill(root);
    let connected = database.connect();
    DATABASES.lock().unwrap().insert(root.to_path_buf(), Arc::new(database));
    Some(connected)
}

pub(crate) fn options(root: &Path, clock: &Arc<dyn Clock>) -> EngineOptions {
    EngineOptions {
        base_url: "https://cms.example".to_string(),
        database: shared_database(root),
        ..EngineOptions::new(root.to_path_buf(), clock.clone())
    }
}

/// What the thread that follows the folder does when it ends.
pub(crate) fn pack(engine: &Arc<Engine>) {
    engine.close();
    engine.follower().spawn_follower().unwrap().join().unwrap();
}

/// An engine that knows nothing but what is in the folder now.
pub(crate) fn fresh(root: &Path, clock: &Arc<dyn Clock>) -> Arc<Engine> {
    let options =
        EngineOptions { read_only: true, serves_last_good: false, ..options(root, clock) };
    Engine::open(options).unwrap()
}

pub(crate) fn app(engine: &Arc<Engine>) -> App {
    App::new(engine.clone(), Settings::default())
}

/// A caller who may do whatever a grant in short form says.
pub(crate) fn holder(grant: &str) -> Caller {
    let mut record = Json::parse(br#"{"permissions":[]}"#).unwrap();
    if let Json::Object(map) = &mut record {
        map.push("secret_sha256", "0".repeat(64));
    }
    let id = TokenId::parse("0123456789abcdef").unwrap();
    let mut record = TokenRecord::parse(&id, &record).unwrap();
    record.permissions = vec![Grant::parse_line(grant).unwrap()];
    Caller::Token(Arc::new(ApiToken::new(record)))
}

/// Defects by path and kind.
pub(crate) fn problems(engine: &Engine) -> Vec<(String, ProblemKind)> {
    let all = engine.problems().list().into_iter();
    let mut all: Vec<_> = all.map(|it| (it.problem.path, it.problem.kind)).collect();
    all.sort();
    all
}

/// What can be seen, by what was asked.
pub(crate) type Picture = BTreeMap<String, String>;

/// Everything that can be seen of all workspaces. `queries` gives the lists to ask of a type.
pub(crate) fn picture(app: &App, queries: &dyn Fn(&TypeIndex) -> Vec<String>) -> Picture {
    let mut picture = Picture::new();
    let callers = [("anyone", Caller::Anonymous), ("holder", holder("*@*"))];
    for slug in app.engine.workspaces().keys() {
        let snapshot = app.engine.snapshot(slug).unwrap();
        picture.insert(format!("{slug}"), format!("{:?}", snapshot.meta));
        let order: Vec<&str> =
            snapshot.types().iter().map(|it| it.content_type.name.as_str()).collect();
        picture.insert(format!("{slug} types"), format!("{order:?}"));
        for index in snapshot.types() {
            see_type(&snapshot, index, &mut picture);
            for (who, caller) in &callers {
                for query in queries(index) {
                    see_list(app, &snapshot, (who, caller), index, &query, &mut picture);
                }
            }
        }
        for (who, caller) in &callers {
            see_rest(app, &snapshot, who, caller, &mut picture);
        }
    }
    let installation = app.engine.installation();
    for holder in installation.tokens() {
        let label = format!("token {}", holder.record.id);
        picture.insert(label, format!("{} {:?}", holder.record.name, holder.grants));
    }
    picture
}

/// The indices themselves: bodies in all locales, look-ups, sets and sums.
fn see_type(snapshot: &Snapshot, index: &TypeIndex, picture: &mut Picture) {
    let ty = &index.content_type;
    let label = format!("{} {}", snapshot.workspace, ty.name);
    let mut definition = Vec::new();
    Json::from(ty.to_map()).write_compact(&mut definition);
    picture.insert(label.clone(), String::from_utf8(definition).unwrap());
    let mut public = Vec::new();
    for (ordinal, doc) in index.iter() {
        let mut seen = format!(
            "{} {:?} {} {:?} {:?} {:?} {:?} {:?}",
            doc.slug(),
            doc.status,
            doc.becomes_published,
            doc.published_at,
            doc.created_at,
            doc.updated_at,
            doc.author_id(),
            doc.rev
        );
        for locale in [None].into_iter().chain((0..ty.locales.len()).map(Some)) {
            let variant = doc.variant_for(locale);
            let body = std::str::from_utf8(variant.body()).unwrap();
            seen.push_str(&format!("\n  {locale:?} {} {body}", variant.sum));
        }
        picture.insert(format!("{label} {}", doc.id()), seen);
        let found = index.find_entry(doc.slug()).and_then(|it| index.entry_at(it)).unwrap();
        picture.insert(format!("{label} slug {}", doc.slug()), found.id().to_string());
        if index.public().contains(ordinal) {
            public.push(doc.id().to_string());
        }
        assert!(index.live().contains(ordinal), "{} is live", doc.id());
    }
    assert_eq!(index.live().count(), index.len(), "{label}");
    assert_eq!(index.public().count(), public.len(), "{label}");
    public.sort();
    let mut contested: Vec<String> = index
        .contested_slugs()
        .map(|(slug, docs)| {
            format!("{slug}: {:?}", docs.iter().map(|it| it.id()).collect::<Vec<_>>())
        })
        .collect();
    contested.sort();
    let (live, anyone) = (index.live_sum(), index.public_sum());
    let sums = format!("{} entries, {live} {anyone}, next {:?}", index.len(), index.next_due());
    picture.insert(format!("{label} sums"), sums);
    picture.insert(format!("{label} public"), public.join(" "));
    picture.insert(format!("{label} contested"), contested.join("; "));
}

/// One list, as a client gets it.
fn see_list(
    app: &App,
    snapshot: &Arc<Snapshot>,
    (who, caller): (&str, &Caller),
    index: &TypeIndex,
    query: &str,
    picture: &mut Picture,
) {
    let ty = index.content_type.name.as_str();
    let label = format!("{} {ty}?{query} by {who}", snapshot.workspace);
    let answer =
        match entries::list(app, snapshot, caller, ty, query, Effort::Thorough, Api::Public) {
            Ok(EffortResult::Done(listed)) => {
                let body = collect_body(listed.body);
                format!("{} {}", listed.etag, String::from_utf8(body).unwrap())
            }
            Ok(EffortResult::NeedsEffort) => "needs effort".to_string(),
            Err(error) => format!("{error:?}"),
        };
    picture.insert(label, answer);
}

/// Types, single entries with relations expanded, and media.
fn see_rest(
    app: &App,
    snapshot: &Arc<Snapshot>,
    who: &str,
    caller: &Caller,
    picture: &mut Picture,
) {
    let ws = &snapshot.workspace;
    let types = content_types::list(snapshot, caller);
    let names: Vec<&str> = types.iter().map(|it| it.content_type.name.as_str()).collect();
    picture.insert(format!("{ws} types for {who}"), format!("{names:?}"));
    for index in &types {
        let ty = index.content_type.name.as_str();
        let include: Vec<&str> =
            index.content_type.data_fields().map(|it| it.name.as_str()).collect();
        let params = QueryParams::parse(&format!("include={}", include.join(","))).unwrap();
        let mut ids: Vec<&str> = index.iter().map(|(_, doc)| doc.id()).collect();
        ids.sort_unstable();
        for id in ids.into_iter().take(100) {
            let shown = crate::support::reads::shown(snapshot, caller, ty, id, &params);
            let shown = shown.map(|it| format!("{} {:?}", it.variant, it.body));
            picture.insert(format!("{ws} {ty}/{id} for {who}"), format!("{shown:?}"));
        }
    }
    for query in ["", "sort=-size", "sort=name&limit=3", "q=a", "category=Press", "category="] {
        let list = media::list::list_media(
            app,
            snapshot,
            caller,
            query,
            media::list::MediaFilterSet::Public,
            Effort::Heavy,
        );
        let list = list.map(|it| match it {
            EffortResult::Done(it) => format!("{:?} {:?} {}", it.data, it.meta, it.etag),
            EffortResult::NeedsEffort => "needs effort".to_string(),
        });
        picture.insert(format!("{ws} media?{query} for {who}"), format!("{list:?}"));
    }
}

/// Says what differs, if anything does.
pub(crate) fn differences(here: &Picture, there: &Picture) -> Vec<String> {
    let all: std::collections::BTreeSet<&String> = here.keys().chain(there.keys()).collect();
    all.into_iter()
        .filter(|it| here.get(*it) != there.get(*it))
        .map(|it| differing(it, here.get(it), there.get(it)))
        .collect()
}

fn differing(what: &str, here: Option<&String>, there: Option<&String>) -> String {
    let (Some(here), Some(there)) = (here, there) else {
        let (here, there) = (here.is_some(), there.is_some());
        return format!("{what}\n  seen by the running one: {here}, by the fresh one: {there}");
    };
    let same = here.bytes().zip(there.bytes()).take_while(|(one, other)| one == other).count();
    let part = |text: &str| {
        let bytes = &text.as_bytes()[same.saturating_sub(60)..(same + 140).min(text.len())];
        String::from_utf8_lossy(bytes).into_owned()
    };
    format!("{what}\n  running: …{}\n  fresh:   …{}", part(here), part(there))
}

/// Writes a file at once, as most editors do: a server that follows the folder must not meet it
/// half written and adopt a later edit of the same test first.
pub(crate) fn write_at_once(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let unfinished = tempfile::NamedTempFile::new().unwrap();
    fs::write(unfinished.path(), bytes).unwrap();
    unfinished.persist(path).unwrap();
}

/// Waits for a fact, not for time: until `holds`, and fails when that takes unreasonably long.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "never happened: {what}");
        std::thread::park_timeout(Duration::from_millis(2));
    }
}
