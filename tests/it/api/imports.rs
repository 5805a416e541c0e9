//! Imports through the API: published at once and in the name of whoever asked, all of it or
//! nothing, within their permissions, and without trust in what was uploaded.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use recto::app::App;
use recto::app::access::Requester;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::app::import::uploaded::ImportUpload;
use recto::app::import::uploaded::import_upload;
use recto::engine::Engine;
use recto::model::event::Actor;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::write::spool::Spooled;
use serde_json::Value;
use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::command_line::Server;
use crate::support::command_line::json;
use crate::support::command_line::with_samples;
use crate::support::events::list_event_kinds;
use crate::support::events::list_events;
use crate::support::folder;
use crate::support::folder::Data;
use crate::support::folder::eventually;
use crate::support::folder::files_below;
use crate::support::importing::PNG;
use crate::support::importing::expect_stored;
use crate::support::importing::stored;
use crate::support::user_session::Session;
use crate::support::user_session::run_with;

const POSTS: &str = r#"{"fields":{"price":{"type":"number","min":0},
    "sku":{"type":"text","unique":true}}}"#;

const CSV: &str = r#"{"kind":"csv","type":"posts"}"#;
const MARKDOWN: &str = r#"{"kind":"markdown"}"#;

struct Scene {
    data: Data,
    app: App,
}

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

fn requester(grant: &str) -> Requester {
    let actor = Actor {
        id: "usr1".into(),
        name: "Anna".into(),
        ip: None,
        request_id: "r".into(),
        source: EventSource::Admin,
    };
    Requester { caller: folder::holder(grant), actor: actor.into() }
}

impl Scene {
    fn new() -> Scene {
        let data = Data::empty();
        data.write("workspaces/main/workspace.json", r#"{"label":"Main"}"#);
        data.write("workspaces/main/schemas/posts.json", POSTS);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let options = folder::options(data.root(), &clock);
        Scene { app: folder::app(&Engine::open(options).unwrap()), data }
    }

    fn spooled(&self, name: &str, bytes: &[u8]) -> Spooled {
        let mut spool = self.app.engine.folder().create_spool().unwrap();
        spool.write(bytes).unwrap();
        let mut spooled = spool.finish().unwrap();
        spooled.name = name.to_string();
        spooled
    }

    /// Sends a source, in the name of somebody with this grant.
    fn send(
        &self,
        grant: &str,
        options: &str,
        (name, bytes): (&str, &[u8]),
        is_dry_run: bool,
    ) -> Result<Value, Error> {
        let files = vec![self.spooled(name, bytes)];
        let upload = ImportUpload { files, options: options.to_string(), is_dry_run };
        let outcome = import_upload(&self.app, &ws(), &requester(grant), upload);
        let left = self.data.files(".recto/tmp", "");
        assert_eq!(left, Vec::<String>::new(), "no upload is left behind");
        outcome.map(|it| serde_json::to_value(it).unwrap())
    }

    fn import(&self, options: &str, name: &str, bytes: impl AsRef<[u8]>) -> Value {
        self.send("*@*", options, (name, bytes.as_ref()), false).unwrap()
    }

    /// The paths of all files in a folder and below.
    fn stored(&self, folder: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        files_below(self.data.root(), folder, &mut found);
        found
    }

    /// The code of a refusal, and the fields of its problems.
    fn refused(&self, options: &str, name: &str, bytes: &[u8]) -> (String, Vec<String>) {
        let before = self.stored("workspaces");
        let error = self.send("*@*", options, (name, bytes), false).unwrap_err();
        assert_eq!(self.stored("workspaces"), before, "nothing is written");
        let fields = error.fields.iter().map(|(at, it)| format!("{at}: {it}")).collect();
        (error.code.as_str().to_string(), fields)
    }

    /// The entries of posts that are served, by slug.
    fn served(&self) -> Vec<String> {
        let snapshot = self.app.engine.snapshot("main").unwrap();
        let posts = snapshot.get("posts").unwrap();
        let mut slugs: Vec<String> = posts.iter().map(|(_, it)| it.slug().to_string()).collect();
        slugs.sort();
        slugs
    }
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn what_is_imported_is_served_at_once_and_has_an_author() {
    let scene = Scene::new();
    let table = "title,price,sku,status\nWool,1,S1,published\nFelt,2,S2,\n";
    let dry = scene.send("*@*", CSV, ("rows.csv", table.as_bytes()), true).unwrap();
    assert_eq!((&dry["dry_run"], &dry["written"]), (&true.into(), &false.into()));
    assert_eq!(dry["types"][0]["entries"]["created"], 2);
    assert!(scene.served().is_empty() && list_event_kinds(&scene.app.engine).is_empty());
    let done = scene.import(CSV, "rows.csv", table);
    assert_eq!((&done["written"], &done["files"]), (&true.into(), &2.into()));
    assert_eq!(scene.served(), ["felt", "wool"]);
    let path = &scene.data.files("workspaces/main/content/posts", "")[0];
    let entry = json(&String::from_utf8(scene.data.read(path)).unwrap());
    assert_eq!((&entry["author_id"], &entry["updated_by"]), (&json!("usr1"), &json!("usr1")));
    let events = list_events(&scene.app.engine);
    assert_eq!(events.len(), 3);
    for event in &events {
        let by = event.event.by.as_ref().unwrap();
        assert_eq!((by.id.as_str(), event.event.source), ("usr1", EventSource::Admin));
    }
    // Looking at the folder finds nothing that is not known.
    scene.app.engine.follower().refresh_until_settled();
    assert_eq!(list_events(&scene.app.engine).len(), 3);
    let again = scene.import(CSV, "rows.csv", table);
    assert_eq!((&again["written"], &again["files"]), (&false.into(), &0.into()));
    assert_eq!(again["entries"]["unchanged"], 2);
    assert_eq!(list_events(&scene.app.engine).len(), 3);
}

#[test]
fn what_is_replaced_becomes_one_revision() {
    let scene = Scene::new();
    let options = r#"{"kind":"csv","type":"posts","map":{"name":"title"},"key":"sku"}"#;
    scene.import(options, "a.csv", "name,sku,price\nWool,S1,1\n");
    let done = scene.import(options, "a.csv", "name,sku,price\nWoollen,S1,1\n");
    assert_eq!(done["entries"], json!({ "created": 0, "updated": 1, "unchanged": 0 }));
    scene.app.engine.follower().refresh_until_settled();
    let revisions = scene.stored("workspaces/main/revisions");
    assert_eq!(revisions.len(), 1, "{revisions:?}");
    assert!(revisions.iter().all(|it| it.contains("usr1")), "{revisions:?}");
    let kinds = list_event_kinds(&scene.app.engine);
    assert_eq!(kinds, [EventKind::ContentCreated, EventKind::ContentUpdated]);
}

#[test]
fn an_archive_brings_types_texts_and_pictures() {
    let scene = Scene::new();
    let picture = "![](wool.png)";
    let text = format!("---\ntitle: Wool\n---\n{picture}\n");
    let files: &[(&str, &[u8])] = &[
        ("site/content/notes/wool/index.md", text.as_bytes()),
        ("site/content/notes/wool/wool.png", PNG),
        ("__MACOSX/site/._content", b"x"),
        ("site/.DS_Store", b"x"),
    ];
    let archive = zip(files);
    let done = scene.import(MARKDOWN, "site.zip", &archive);
    assert_eq!(
        (&done["types"][0]["name"], &done["media"]["created"]),
        (&json!("notes"), &json!(1))
    );
    assert_eq!(done["skipped_total"], 0, "{done:#}");
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in &files[..2] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, *bytes).unwrap();
    }
    let packed = gzip(&tar.into_inner().unwrap());
    let again = scene.import(MARKDOWN, "site.tar.gz", &packed);
    assert_eq!((&again["written"], &again["media"]["unchanged"]), (&json!(false), &json!(1)));
    let kinds = list_event_kinds(&scene.app.engine);
    let count = |kind| kinds.iter().filter(|it| **it == kind).count();
    assert_eq!((count(EventKind::SchemaCreated), count(EventKind::MediaUploaded)), (1, 1));
}

#[test]
fn problems_are_told_together_and_change_nothing() {
    let scene = Scene::new();
    let table = b"title,price,sku\nWool,-1,S1\n,1,S2\nFelt,x,S1\n";
    let (code, fields) = scene.refused(CSV, "rows.csv", table);
    assert_eq!(code, "invalid_import");
    let places: Vec<&str> =
        fields.iter().filter_map(|it| it.split_once(": ")).map(|it| it.0).collect();
    let expect = [
        "rows.csv, row 2, `price`",
        "rows.csv, row 3, `title`",
        "rows.csv, row 4, `price`",
        "rows.csv, row 4, `sku`",
    ];
    assert_eq!(places, expect);
    assert!(scene.served().is_empty());
}

#[test]
fn a_source_that_is_none_is_a_problem() {
    let scene = Scene::new();
    for (name, bytes) in [("rows.csv", b"title\nWool\n".to_vec()), ("empty.zip", zip(&[]))] {
        let (code, fields) = scene.refused(MARKDOWN, name, &bytes);
        let expect =
            "source: There is no Markdown: a file that ends with `.md`, `.markdown` or `.mdx`.";
        assert_eq!((code.as_str(), fields), ("invalid_import", vec![expect.to_string()]), "{name}");
    }
}

#[test]
fn entries_that_could_not_be_read_back_are_refused() {
    let scene = Scene::new();
    let table = format!("title,sku\nWool,S1\nFelt,{}\n", "x".repeat(8_384_512));
    let (code, fields) = scene.refused(CSV, "rows.csv", table.as_bytes());
    let expect = "rows.csv, row 3: This would make a file larger than 8384512 bytes.";
    assert_eq!((code.as_str(), fields), ("invalid_import", vec![expect.to_string()]));
}

#[test]
fn the_permissions_of_the_caller_decide_by_what_is_imported() {
    let scene = Scene::new();
    let check = |grant: &str, options: &str, file: (&str, &[u8]), expect: &str| {
        let found = match scene.send(grant, options, file, true) {
            Ok(_) => String::new(),
            Err(error) => format!("{} {}", error.code.as_str(), error.message),
        };
        assert!(
            found.contains(expect) && found.is_empty() == expect.is_empty(),
            "{grant}: {found}"
        );
    };
    let table = ("rows.csv", b"title\nWool\n".as_slice());
    let wrong = ("rows.csv", b"title\n\"\"\n".as_slice());
    let content = "content.read,content.create,content.update,content.publish@content:*";
    check(content, CSV, table, "");
    check("content.*@content:posts:*", CSV, table, "content.read");
    check("content.read,content.create,content.update@content:*", CSV, table, "content.publish");
    check("content.*@content:*:*@other", CSV, table, "content.read");
    check("content.*@content:posts:*", CSV, wrong, "content.read");
    let text = ("wool.md", b"---\ntitle: Wool\n---\n".as_slice());
    check(content, MARKDOWN, text, "schema.read");
    check("schema.*@schema:*", MARKDOWN, text, "content.read");
    let picture = zip(&[("notes/a/index.md", b"# A"), ("notes/a/a.png", PNG)]);
    let picture = ("a.zip", picture.as_slice());
    check("content.*,schema.*@*", MARKDOWN, picture, "media.read");
    check("content.*,schema.*,media.*@*", MARKDOWN, picture, "");
}

#[test]
fn users_roles_and_webhooks_stay_behind() {
    let scene = Scene::new();
    let user = br#"{"id":"u1","username":"eve","role":"admin","permissions":["*"]}"#;
    let post = br#"{"id":"p1","title":"Wool","slug":"wool","status":"published"}"#;
    let archive = zip(&[
        ("storage/workspaces/main/content/posts/p1.json", post),
        ("storage/users/u1.json", user),
        ("storage/roles/admin.json", br#"{"id":"admin","label":"A","permissions":["*"]}"#),
        ("storage/webhooks.json", br#"{"webhooks":[{"id":"w","url":"https://x.example"}]}"#),
    ]);
    let sent = scene.send("*@*", r#"{"kind":"php"}"#, ("old.zip", &archive), false);
    assert!(sent.is_ok() || sent.is_err_and(|it| it.code.as_str() == "invalid_import"));
    assert!(scene.data.files("system", "json").iter().all(|it| !it.contains("u1")));
    assert!(!scene.data.at("system/webhooks.json").exists());
    assert!(scene.app.engine.installation().find_username("eve").is_none());
}

#[test]
fn hostile_archives_are_refused() {
    let scene = Scene::new();
    // A name that leads out is left out, and so is a link.
    let slip = zip(&[("../../evil.md", b"# Evil"), ("notes/a.md", b"# A")]);
    let done = scene.import(MARKDOWN, "slip.zip", &slip);
    assert_eq!((&done["entries"]["created"], &done["skipped_total"]), (&json!(1), &json!(1)));
    let mut links = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    links.append_link(&mut header, "notes/b.md", "/etc/passwd").unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_size(3);
    header.set_mode(0o644);
    links.append_data(&mut header, "notes/c.md", b"# C".as_slice()).unwrap();
    let links = links.into_inner().unwrap();
    let done = scene.import(MARKDOWN, "links.tar", &links);
    assert_eq!(done["skipped"][0]["file"], "notes/b.md");
    // A name of megabytes, which the reader would hold in memory.
    let mut long = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_path("././@LongLink").unwrap();
    header.set_size(1 << 20);
    header.set_cksum();
    long.append(&header, &vec![b'a'; 1 << 20][..]).unwrap();
    let (code, fields) = scene.refused(MARKDOWN, "long.tar.gz", &gzip(&long.into_inner().unwrap()));
    assert_eq!(code, "upload_failed", "{fields:?}");
    // Files that say to be smaller than they are, as in a bomb.
    let mut lie = zip(&[("notes/big.md", &vec![b'a'; 100_000])]);
    let directory = lie.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    lie[directory + 24..directory + 28].copy_from_slice(&10_u32.to_le_bytes());
    let (code, fields) = scene.refused(MARKDOWN, "lie.zip", &lie);
    assert_eq!(code, "invalid_import", "{fields:?}");
    // Archives that are cut off, and what is none.
    let whole = zip(&[("notes/a.md", b"# A")]);
    for cut in [4, whole.len() / 2, whole.len() - 1] {
        assert_eq!(scene.refused(MARKDOWN, "cut.zip", &whole[..cut]).0, "upload_failed");
    }
    assert_eq!(scene.refused(MARKDOWN, "a.tar.gz", &gzip(b"x")).0, "upload_failed");
}

#[test]
fn texts_beyond_what_memory_takes_are_refused() {
    let scene = Scene::new();
    // Texts of together 66 MiB, far less in the archive.
    let text = vec![b'a'; 2 * 1024 * 1024];
    let names: Vec<String> = (0..33).map(|it| format!("notes/{it}.md")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|it| (it.as_str(), &text[..])).collect();
    let (code, fields) = scene.refused(MARKDOWN, "large.zip", &zip(&files));
    assert_eq!((code.as_str(), fields.len()), ("invalid_import", 2), "{fields:?}");
    assert!(fields[0].contains("recto import"), "{fields:?}");
    // Short rows are many entries.
    let table = "title\n".to_string() + &"a\n".repeat(200_000);
    let (code, fields) = scene.refused(CSV, "rows.csv", table.as_bytes());
    assert_eq!((code.as_str(), fields.len()), ("invalid_import", 1), "{fields:?}");
}

#[test]
fn an_upload_that_breaks_off_leaves_nothing() {
    let folder = with_samples();
    let root = folder.path();
    run_with(root, "correct horse", &["user", "create", "anna", "--role", "admin"]);
    let server = Server::start(root, &[]);
    let session = Session::of(&server, "anna", "correct horse");
    let temporary = || std::fs::read_dir(root.join("data/.recto/tmp")).map_or(0, |it| it.count());
    let before = stored(root);
    let head = session.head("POST", "imports", "multipart/form-data; boundary=b", 10_000_000);
    let part = "--b\r\ncontent-disposition: form-data; name=\"source\"; filename=\"a.csv\"\r\n\r\n";
    let mut stream = server.connect();
    stream.write_all(format!("{head}{part}{}", "title\n".repeat(100_000)).as_bytes()).unwrap();
    eventually("the upload is on the disk", || temporary() > 0);
    drop(stream);
    eventually("the upload is gone", || temporary() == 0);
    expect_stored(root, &before);
}

#[test]
fn one_import_runs_at_a_time() {
    let scene = Scene::new();
    let turn = scene.app.imports.try_acquire().unwrap();
    let sent = scene.send("*@*", CSV, ("rows.csv", b"title\nWool\n"), true);
    let refused = sent.unwrap_err();
    assert_eq!((refused.code, refused.retry_after.is_some()), (Code::Busy, true));
    drop(turn);
    scene.send("*@*", CSV, ("rows.csv", b"title\nWool\n"), true).unwrap();
}
