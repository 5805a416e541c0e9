//! What logging in tells, and what it costs others: `cargo bench --bench logins`.
//!
//! First 200 logins with wrong passwords of users who are there and 200 of users who are not, in
//! turn: both distributions must look the same, or names could be found out by a watch. Then 200
//! people log in at once while somebody reads: what a reader waits with and without them, and how
//! much memory that takes. Nothing fails here: a machine is as quick as it is.

#![expect(clippy::print_stdout, reason = "the tables are what this is for")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]

use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt as _;
use recto::app::App;
use recto::app::Settings;
use recto::app::people::passwords;
use recto::app::people::sessions;
use recto::app::people::sessions::LoginOrigin;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::http::request::state::ServiceOptions;
use recto::http::service::Service;
use recto::http::wire::counters::Counters;
use recto::http::wire::request_body::RequestBody;
use recto::stdx::clock::SystemClock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;

const LOGINS: u32 = 200;
const READING: Duration = Duration::from_secs(3);
const PASSWORD: &str = "correct horse";

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    make_data(folder.path());
    tell_apart(&app(folder.path()));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(crowd(app(folder.path())));
}

fn make_data(root: &Path) {
    let write = |path: String, text: String| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let hash = passwords::hash_password(PASSWORD, [7; 16]).unwrap();
    for number in 0..LOGINS {
        let text = format!(
            r#"{{"username":"user{number}","role":"viewer","password_hash":"{}"}}"#,
            hash.reveal()
        );
        write(format!("system/users/user{number}.json"), text);
    }
    let schema = r#"{"fields":{"body":{"type":"textarea"}}}"#.to_string();
    write("workspaces/default/schemas/posts.json".to_string(), schema);
    for number in 0..1_000 {
        let text = format!(r#"{{"title":"Post {number}","status":"published","data":{{}}}}"#);
        write(format!("workspaces/default/content/posts/p{number}.json"), text);
    }
}

fn app(root: &Path) -> App {
    let options = EngineOptions::new(root.to_path_buf(), Arc::new(SystemClock));
    App::new(Engine::open(options).unwrap(), Settings::default())
}

/// Each from an address of its own, since whoever tries all users from one is stopped.
fn address(number: u32) -> IpAddr {
    IpAddr::V4(Ipv4Addr::from_bits(0xCB00_0000 + number))
}

fn credentials(name: &str, password: &str) -> String {
    format!(r#"{{"username":"{name}","password":"{password}"}}"#)
}

fn tell_apart(app: &App) {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for number in 0..LOGINS {
        known.push(refused(app, &format!("user{number}"), 2 * number));
        unknown.push(refused(app, &format!("nobody{number}"), 2 * number + 1));
    }
    println!("wrong password, in milliseconds");
    println!("{:>10} {:>8} {:>8} {:>8} {:>8} {:>8}", "", "min", "p50", "p90", "p99", "max");
    row("known", &mut known);
    row("unknown", &mut unknown);
}

/// How long it takes to be refused.
fn refused(app: &App, name: &str, number: u32) -> Duration {
    let ip = address(number);
    let (agent, request_id) = (String::new(), String::new());
    let visit = LoginOrigin { ip, block: ip, agent, request_id, is_local: false };
    let body: Map = match Json::parse(credentials(name, "wrong").as_bytes()).unwrap() {
        Json::Object(map) => map,
        _ => Map::new(),
    };
    let begun = Instant::now();
    assert!(sessions::log_in(app, &visit, &body).is_err());
    begun.elapsed()
}

async fn crowd(app: App) {
    let counters = Arc::new(Counters::default());
    let service = Service::new(app, ServiceOptions::default(), counters).unwrap();
    read(&service, Duration::from_millis(500), None).await;
    let before = memory_mib();
    let mut alone = read(&service, READING, None).await;
    let stop = Arc::new(AtomicBool::new(false));
    let reading = {
        let (service, stop) = (service.clone(), stop.clone());
        tokio::spawn(async move { read(&service, READING, Some(&stop)).await })
    };
    let begun = Instant::now();
    let logins = (0..LOGINS).map(|number| {
        let service = service.clone();
        tokio::spawn(async move { log_in(&service, number).await })
    });
    let logins: Vec<_> = logins.collect();
    let mut statuses = std::collections::BTreeMap::<u16, u32>::new();
    for login in logins {
        *statuses.entry(login.await.unwrap()).or_default() += 1;
    }
    let took = begun.elapsed();
    stop.store(true, Relaxed);
    let mut beside = reading.await.unwrap();
    println!("\n{LOGINS} logins at once took {took:.1?}: {statuses:?}");
    println!("reads of a list beside them, in milliseconds");
    println!("{:>10} {:>8} {:>8} {:>8} {:>8} {:>8}", "", "min", "p50", "p90", "p99", "max");
    row("alone", &mut alone);
    row("beside", &mut beside);
    println!("memory: {before} MiB before, {} MiB at most", peak_mib());
}

/// What a reader waits, for so long or until all have logged in.
async fn read(service: &Service, time: Duration, stop: Option<&AtomicBool>) -> Vec<Duration> {
    let end = Instant::now() + time;
    let goes_on = || stop.map_or(Instant::now() < end, |it| !it.load(Relaxed));
    let mut waits = Vec::new();
    while goes_on() {
        let path = "/api/v1/workspaces/default/content/posts?q=post&limit=20";
        let request = Request::get(path).header("host", "localhost");
        let request = request.body(RequestBody::from(Bytes::new())).unwrap();
        let begun = Instant::now();
        let answer = service.answer_request(request, (address(1), 1).into()).await;
        assert!(answer.status().is_success());
        answer.into_body().collect().await.unwrap();
        waits.push(begun.elapsed());
        tokio::task::yield_now().await;
    }
    waits
}

async fn log_in(service: &Service, number: u32) -> u16 {
    let body = credentials(&format!("user{number}"), PASSWORD);
    let request = Request::post("/admin/api/login")
        .header("content-type", "application/json")
        .header("host", "localhost")
        .body(RequestBody::from(Bytes::from(body)))
        .unwrap();
    service.answer_request(request, (address(1_000 + number), 1).into()).await.status().as_u16()
}

fn row(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |part: f64| {
        let last = times.len().saturating_sub(1);
        times.get((last as f64 * part).round() as usize).copied().unwrap_or_default()
    };
    let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
    let [min, p50, p90, p99, max] = [0.0, 0.5, 0.9, 0.99, 1.0].map(|it| ms(at(it)));
    println!("{name:>10} {min:>8.2} {p50:>8.2} {p90:>8.2} {p99:>8.2} {max:>8.2}");
}

fn memory_mib() -> u64 {
    status_mib("VmRSS:")
}

fn peak_mib() -> u64 {
    status_mib("VmHWM:")
}

/// A value of what Linux tells of this process; 0 elsewhere.
fn status_mib(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix(key));
    let kib = line.and_then(|it| it.split_whitespace().next()).and_then(|it| it.parse().ok());
    kib.unwrap_or(0) / 1_024
}
