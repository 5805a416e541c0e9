//! Who may call what: every route of the admin API is asked by somebody of every built-in role, of
//! several narrow ones, by nobody, and by a page without a CSRF token. `tests/privileges/*.txt`
//! hold the requests with the status that each of them got; `UPDATE=1` writes them anew, to be read
//! before they are committed. A route without a request fails.
//!
//! A request is a line like those of scenarios, with its body behind the address; what stands
//! before it after `given` is done by the administrator first.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use http::Method;
use recto::http::request::route::Route;
use recto::http::request::router::RouteMatch;
use recto::http::request::router::Router;
use recto::http::routes;

use crate::support::scenario::asked::Asked;
use crate::support::scenario::stage::Stage;

/// Who asks, and by which role.
const CALLERS: &[(&str, &str)] = &[
    ("anna", "admin"),
    ("eddie", "editor"),
    ("alan", "author"),
    ("vera", "viewer"),
    ("nat", "narrow"),
    ("clara", "clerk"),
    ("otto", "operator"),
    ("lisa", "librarian"),
    ("sam", "schemer"),
    ("fay", "foreign"),
    ("dora", "denied"),
    ("nina", "none"),
];

/// The narrow roles.
const ROLES: &[&str] = &[
    // One type, and of that drafts alone may be written.
    r#"role narrow [{"actions":["content.read"],"resources":["content:books:*"]},{"actions":["content.*"],"resources":["content:books:*"],"conditions":{"status":["draft"]}}]"#,
    "role clerk users.*@users:* roles.read@roles:* tokens.read@tokens:* profile.*@profile:*",
    "role operator backups.*@backups:* updates.*@updates:* webhooks.*@webhooks:* settings.*@settings:* activity.read@activity:* dashboard.read@dashboard:*",
    "role librarian media.*@media:category:photos media.read@media:*",
    "role schemer schema.*@schema:books workspaces.manage@workspaces:shop",
    "role foreign *@workspace:shop:*",
    r#"role denied [{"actions":["*"],"resources":["*"]},{"effect":"deny","actions":["*.delete","*.restore","*.manage","users.*","roles.*","tokens.*"],"resources":["*"]}]"#,
    "role none",
];

/// One request, what goes before it, and what each caller got.
struct Row {
    /// What stands above it, blank lines and remarks too.
    before: Vec<String>,
    given: Vec<String>,
    request: String,
    statuses: String,
}

struct Table {
    path: PathBuf,
    rows: Vec<Row>,
    text: String,
}

impl Table {
    fn read(path: PathBuf) -> Table {
        let text = fs::read_to_string(&path).unwrap();
        let (mut rows, mut before, mut given) = (Vec::<Row>::new(), Vec::new(), Vec::new());
        for line in text.lines() {
            if let Some(statuses) = line.strip_prefix("    ") {
                rows.last_mut().unwrap().statuses = statuses.to_string();
            } else if line.is_empty() || line.starts_with('#') {
                before.push(line.to_string());
            } else if let Some(step) = line.strip_prefix("given ") {
                given.push(step.to_string());
            } else {
                let request = line.to_string();
                let (before, given) = (std::mem::take(&mut before), std::mem::take(&mut given));
                rows.push(Row { before, given, request, statuses: String::new() });
            }
        }
        Table { path, rows, text }
    }

    fn to_text(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            for line in &row.before {
                out.push_str(&format!("{line}\n"));
            }
            for step in &row.given {
                out.push_str(&format!("given {step}\n"));
            }
            out.push_str(&format!("{}\n    {}\n", row.request, row.statuses));
        }
        out
    }
}

/// A request with its body: `POST /admin/api/x {"a":1}`, or `… file field name @path`.
fn asked(line: &str, caller: Option<&str>, csrf: bool, stage: &Stage) -> Asked {
    let mut words = line.splitn(3, ' ');
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let mut asked = Asked::begin(&format!("{method} {target}")).unwrap();
    if let Some(caller) = caller {
        asked.take(&format!("as {caller}"), &stage.tokens, &stage.names);
    }
    if !csrf {
        asked.take("csrf none", &stage.tokens, &stage.names);
    }
    match words.next() {
        Some(body) if body.starts_with("file ") => {
            asked.take(body, &stage.tokens, &stage.names);
        }
        Some(body) => asked.take(&format!("json {body}"), &stage.tokens, &stage.names),
        None => {}
    }
    asked
}

fn stage() -> Stage {
    let mut preamble = vec!["fixture library".to_string()];
    preamble.extend(ROLES.iter().map(ToString::to_string));
    preamble.extend(CALLERS.iter().map(|(name, role)| format!("user {name} {role}")));
    let mut stage = Stage::prepare(&preamble);
    stage.open();
    stage
}

/// A stage on which everything that is given has happened.
fn stage_for(row: &Row) -> Stage {
    let mut stage = stage();
    for step in &row.given {
        let asked = asked(&stage.names.unmask(step), Some("anna"), true, &stage);
        let (status, headers, body) = stage.ask(&asked, &asked.target);
        assert!(status < 300, "given {step}: {status} {}", String::from_utf8_lossy(&body));
        let shown = asked.show.answer(status, &headers, &body);
        stage.names.learn(&headers, &body, &shown);
    }
    stage
}

/// What everybody gets: `admin 200  editor 403  …`.
fn play(row: &Row) -> String {
    let mut current: Option<Stage> = None;
    let mut ask = |caller: Option<&str>, csrf: bool| {
        let stage = current.get_or_insert_with(|| stage_for(row));
        let request = stage.names.unmask(&row.request);
        let asked = asked(&request, caller, csrf, stage);
        let (status, _, _) = stage.ask(&asked, &asked.target);
        // Who was refused has changed nothing, and the next one finds what this one found.
        if status < 400 && asked.method != "GET" {
            current.take().unwrap().close();
        }
        status
    };
    let mut statuses: Vec<String> = CALLERS
        .iter()
        .map(|(caller, role)| format!("{role} {}", ask(Some(caller), true)))
        .collect();
    statuses.push(format!("nobody {}", ask(None, true)));
    if !row.request.starts_with("GET ") {
        statuses.push(format!("other-page {}", ask(Some("anna"), false)));
    }
    if let Some(mut stage) = current {
        stage.close();
    }
    statuses.join("  ")
}

fn tables() -> Vec<Table> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/privileges");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "txt"));
    paths.sort();
    paths.into_iter().map(Table::read).collect()
}

#[test]
fn everybody_may_do_what_is_recorded() {
    let wanted = std::env::var("SCENARIO").unwrap_or_default();
    let mut tables = tables();
    tables.retain(|it| it.path.to_string_lossy().contains(&wanted));
    let rows: Vec<&Row> = tables.iter().flat_map(|it| &it.rows).collect();
    let played = Mutex::new(vec![String::new(); rows.len()]);
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Relaxed);
                    let Some(row) = rows.get(index) else { break };
                    let statuses = play(row);
                    played.lock().unwrap()[index] = statuses;
                }
            });
        }
    });
    let mut played = played.into_inner().unwrap().into_iter();
    let mut differences = Vec::new();
    for table in &mut tables {
        for row in &mut table.rows {
            let now = played.next().unwrap();
            if row.statuses != now {
                let name = table.path.display();
                let (request, was) = (&row.request, &row.statuses);
                differences
                    .push(format!("{name}: {request}\n  recorded: {was}\n  now:      {now}"));
                row.statuses = now;
            }
        }
        let text = table.to_text();
        if std::env::var_os("UPDATE").is_some() && text != table.text {
            fs::write(&table.path, text).unwrap();
        }
    }
    let fine = differences.is_empty() || std::env::var_os("UPDATE").is_some();
    assert!(fine, "{}\n(UPDATE=1 records new ones)", differences.join("\n"));
}

#[test]
fn every_route_has_its_privileges() {
    let mut table = routes::build_table();
    table.retain(Route::is_admin);
    let mut router = Router::new("");
    for route in &table {
        router.insert(&route.method, route.path, route.name).unwrap();
    }
    let requests = table.iter().map(|it| (it.name, format!("{} {}", it.method, it.path)));
    let mut missing: BTreeMap<&str, String> = requests.collect();
    for row in tables().iter().flat_map(|it| &it.rows) {
        let mut words = row.request.split(' ');
        let method = Method::from_bytes(words.next().unwrap().as_bytes()).unwrap();
        let path = words.next().unwrap().split('?').next().unwrap();
        match router.find(&method, path) {
            RouteMatch::Route { value, .. } => _ = missing.remove(value),
            _ => panic!("{} leads nowhere", row.request),
        }
    }
    let missing: Vec<String> = missing.into_values().collect();
    assert!(
        missing.is_empty(),
        "no file in tests/privileges has a line for these routes. Add each to <group>.txt; UPDATE=1 \
         records who may call it:\n  {}",
        missing.join("\n  ")
    );
}
