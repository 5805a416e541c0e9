//! `recto serve`: the server from its first log line to its last.
//!
//! The port is taken before anything is loaded, so that a port in use shows at once; who connects
//! meanwhile waits for the first answer.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::app::Settings;
use crate::app::retention;
use crate::app::retention::Retention;
use crate::cli::config::BaseUrl;
use crate::cli::config::Config;
use crate::cli::config::Flags;
use crate::cli::config::Loaded;
use crate::cli::config::Source;
use crate::cli::count;
use crate::cli::editor_schemas;
use crate::cli::error::Error;
use crate::cli::folder;
use crate::cli::init;
use crate::cli::interface;
use crate::cli::logging;
use crate::cli::logging::LevelSwitch;
use crate::cli::update;
use crate::engine::Engine;
use crate::engine::Options;
use crate::http::conn::ConnLimits;
use crate::http::conn::Counters;
use crate::http::deliveries;
use crate::http::deliveries::Courier;
use crate::http::listen;
use crate::http::listen::Drained;
use crate::http::outgoing::Limits;
use crate::http::outgoing::Outgoing;
use crate::http::outgoing::Policy;
use crate::http::service;
use crate::http::service::Service;
use crate::query::shelf::SHELF;
use crate::stdx::clock::SystemClock;
use crate::store::error::StoreError;

/// How long threads that still read or write may take once no request is left.
const THREADS_END_MAX: Duration = Duration::from_secs(2);

/// Arguments of `recto serve`.
#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    flags: Flags,
    /// Where the files of the interface are read from at each request, for people who work on it
    #[arg(long, value_name = "DIR", hide = true)]
    admin_dir: Option<PathBuf>,
}

/// Serves until the process is asked to stop.
pub(super) fn run(args: ServeArgs) -> Result<(), Error> {
    let ServeArgs { flags, admin_dir } = args;
    let loaded = Loaded::of_process(&flags)?;
    let level = logging::start(&loaded.config)?;
    loaded.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
    let config = &loaded.config;
    let runtime = runtime(config.workers)?;
    let (listener, signals) = runtime.block_on(async { (bind(config).await, Signals::new()) });
    let (listener, signals) = (listener?, signals.map_err(cannot("watch for signals"))?);
    let bound = listener.local_addr().map_err(cannot("listen"))?;
    let base_url = config.base_url_at(bound);
    prepare(config)?;
    SHELF.allow(config.index_bytes_max);
    let begun = Instant::now();
    // Later another program may be there.
    let program = update::program();
    let engine = open(&loaded, &base_url)?;
    let following = engine.follow().map_err(cannot("follow the data folder"))?;
    let schedule = if config.read_only {
        None
    } else {
        Some(engine.keep_schedule().map_err(cannot("keep the schedule"))?)
    };
    let retaining = if config.read_only {
        None
    } else {
        let retaining = retention::keep(engine.clone(), trash_retention(&loaded));
        Some(retaining.map_err(cannot("look after the trash"))?)
    };
    let editor_schemas = if config.read_only {
        None
    } else {
        let begun = editor_schemas::Keeper::begin(&engine, config.data.clone());
        Some(begun.map_err(cannot("keep the schemas for editors"))?)
    };
    let counters = Arc::new(Counters::default());
    let app = App::new(engine.clone(), settings(&loaded, program));
    let local_alone = bound.ip().is_loopback() && config.base_url.is_none();
    let interface = interface::files(admin_dir);
    let options = service::Options { local_alone, interface, ..options(config, &base_url) };
    let courier = options.courier.clone();
    let service = Service::new(app, options, counters.clone());
    let service = Arc::new(service.map_err(Error::failed)?);
    announce(config, service.app(), &reached_at(bound, &base_url), begun.elapsed())?;
    let limits = limits(config);
    let reread = Reread { flags, at_start: loaded, level, engine: engine.clone() };
    let drained = serve_to_end(&runtime, async {
        let (stop, hang_up) = signals.split();
        tokio::spawn(hang_up.each(move || reread.now()));
        let telling = (!engine.is_read_only()).then(|| Telling::begin(engine.clone(), courier));
        let drained = listen::serve(listener, limits, counters, service, stop).await;
        if let Some(telling) = telling {
            telling.end().await;
        }
        drained
    });
    let Ok(drained) = drained else {
        // Whatever still runs holds nothing that the next start could not finish.
        runtime.shutdown_timeout(THREADS_END_MAX);
        return Err(Error::failed("the listener ended by itself, and the server with it"));
    };
    tell_end(drained);
    engine.close();
    editor_schemas.into_iter().for_each(editor_schemas::Keeper::end);
    runtime.shutdown_timeout(THREADS_END_MAX);
    // A thread that panicked has been logged, and there is nothing left to follow.
    let _ = following.join();
    let _ = schedule.map(std::thread::JoinHandle::join);
    let _ = retaining.map(std::thread::JoinHandle::join);
    Ok(())
}

/// Serves until it has ended, or panicked. A panic must not go further: on its way it would wait for
/// threads that never end, and leave a process without a port that nobody starts anew.
fn serve_to_end<T>(runtime: &Runtime, serving: impl Future<Output = T>) -> std::thread::Result<T> {
    catch_unwind(AssertUnwindSafe(|| runtime.block_on(serving)))
}

/// Webhooks being told, until it is asked to end.
struct Telling {
    task: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Telling {
    fn begin(engine: Arc<Engine>, courier: Arc<Courier>) -> Telling {
        let (stop, stopped) = oneshot::channel();
        // It is over too when nobody is left to ask.
        let stopped = async move { _ = stopped.await };
        Telling { task: tokio::spawn(deliveries::deliver(engine, courier, stopped)), stop }
    }

    async fn end(self) {
        // A task that panicked has been logged, and there is nothing left to end.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

fn runtime(workers: usize) -> Result<Runtime, Error> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(workers).thread_name("worker").enable_all();
    builder.build().map_err(cannot("start threads"))
}

async fn bind(config: &Config) -> Result<TcpListener, Error> {
    let address = config.listen;
    TcpListener::bind(address).await.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::AddrInUse => "another program listens there".to_owned(),
            _ => error.to_string(),
        };
        Error::failed(format!("cannot listen at {address}: {why}"))
    })
}

/// Sees to it that there is a folder to open, and that its secrets are closed.
fn prepare(config: &Config) -> Result<(), Error> {
    let root = &config.data;
    let is_empty = folder::is_empty(root)?;
    if config.read_only {
        return if root.is_dir() { Ok(()) } else { folder::expect(root) };
    }
    if is_empty {
        init::fill_with_samples(root)?;
        tracing::info!(folder = %root.display(), "made a data folder with sample content");
    }
    let n_changed = folder::restrict(root)?;
    if n_changed > 0 {
        tracing::info!("closed {} to others", count(n_changed, "secret file", "secret files"));
    }
    Ok(())
}

fn open(loaded: &Loaded, base_url: &BaseUrl) -> Result<Arc<Engine>, Error> {
    let config = &loaded.base;
    let opened = Engine::open(Options {
        base_url: base_url.as_str().to_owned(),
        read_only: config.read_only,
        revisions_kept_max: config.revisions_kept_max,
        revisions_are_pinned: loaded.pinned().contains_key("max_revisions"),
        ..Options::new(config.data.clone(), Arc::new(SystemClock))
    });
    opened.map_err(|error| match error {
        StoreError::Locked { .. } => {
            Error::failed(format!("{error}; with --read-only two can serve the same folder"))
        }
        other => Error::from(other),
    })
}

/// What is fixed while the server runs; what the interface saved is added to it at any time.
fn settings(loaded: &Loaded, program: Result<PathBuf, String>) -> Settings {
    let base = &loaded.base;
    Settings {
        revisions_kept_max: base.revisions_kept_max,
        uploads: base.uploads.clone(),
        cors_origins: base.cors_origins.clone(),
        max_age_seconds: base.cache_max_age_seconds,
        stale_while_revalidate_seconds: base.cache_stale_seconds,
        list_limit_max: base.list_limit_max,
        include: base.include,
        trash_retention_days: Some(base.trash_retention_days).filter(|it| *it > 0),
        updates: update::settings(base, program),
        webhooks_allow_private: base.webhooks_allow_private,
        pinned: loaded.pinned(),
        ..Settings::default()
    }
}

/// What the interface saves counts at once, unless something else is configured.
fn trash_retention(loaded: &Loaded) -> Retention {
    match loaded.config.trash_retention_days {
        _ if !loaded.is_pinned("trash_retention_days") => Retention::AsSaved,
        0 => Retention::Forever,
        days => Retention::Days(days),
    }
}

fn options(config: &Config, base_url: &BaseUrl) -> service::Options {
    let outgoing = Outgoing::new(Policy::new(config.webhooks_allow_private));
    service::Options {
        courier: Arc::new(Courier::new(outgoing, Limits::SHORT)),
        base_path: base_url.path().to_owned(),
        trusted_proxies: config.proxies(),
        updates_allow_private: config.updates_allow_private,
        metrics_public: config.metrics_public,
        log_requests: config.log_requests,
        local_alone: false,
        live_streams_of_one_max: config.live_streams_of_one_max,
        interface: None,
    }
}

fn limits(config: &Config) -> ConnLimits {
    let mut limits = ConnLimits {
        connections_max: config.connections_max,
        per_client_max: config.connections_per_client_max,
        requests_max: config.requests_per_connection_max,
        drain: config.drain,
        ..ConnLimits::default()
    };
    // All clients behind a proxy come from its address.
    limits.per_client_exempt.extend(&config.proxies());
    limits
}

/// The one line on standard output: whoever waits for it may send requests now. While there is no
/// user it says where the first one is made; the link is worth as much as a password until then.
fn announce(config: &Config, app: &App, address: &str, took: Duration) -> Result<(), Error> {
    let engine = &app.engine;
    let workspaces = engine.workspaces();
    let n_entries = workspaces.keys().filter_map(|it| engine.snapshot(it)).map(|it| it.entries());
    let entries = count(n_entries.sum(), "entry", "entries");
    let (version, data) = (env!("CARGO_PKG_VERSION"), config.data.display());
    let took = took.as_millis();
    let n_problems = engine.problems().list().len();
    if n_problems > 0 {
        let problems = count(n_problems, "problem", "problems");
        tracing::warn!("{problems} in the data folder; `recto check {data}` lists them");
    }
    let setup = match engine.installation().is_empty() && !config.read_only {
        true => format!("; set it up at {address}/admin/setup?token={}", app.setup_token.reveal()),
        false => String::new(),
    };
    super::print(&format!(
        "Recto {version} serves {data} at {address} ({entries} in {took} ms){setup}\n"
    ))
}

/// Where this machine reaches the server.
fn reached_at(bound: SocketAddr, base_url: &BaseUrl) -> String {
    let path = base_url.path();
    if bound.ip().is_unspecified() {
        return format!("http://localhost:{}{path}", bound.port());
    }
    format!("http://{bound}{path}")
}

fn tell_end(drained: Drained) {
    match drained {
        Drained::All => tracing::info!("stopped"),
        Drained::Cut(n) => {
            tracing::warn!("stopped; {} had to be cut", count(n, "connection", "connections"));
        }
    }
}

fn cannot(what: &'static str) -> impl FnOnce(io::Error) -> Error {
    move |error| Error::failed(format!("cannot {what}: {error}"))
}

/// What SIGHUP asks for.
struct Reread {
    flags: Flags,
    at_start: Loaded,
    level: LevelSwitch,
    engine: Arc<Engine>,
}

impl Reread {
    /// Looks at the whole folder again, and at the configuration, of which the log level can change
    /// while the server runs.
    fn now(&self) {
        self.engine.sweep();
        let loaded = match Loaded::of_process(&self.flags) {
            Ok(loaded) => loaded,
            Err(error) => return tracing::warn!("the configuration stays as it is: {error}"),
        };
        loaded.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        self.level.set(&loaded.config.log_level);
        for (key, source) in self.waiting(&loaded) {
            tracing::warn!("`{key}` ({source}) counts after the next start");
        }
        tracing::info!("looking at the data folder again");
    }

    /// Settings that changed and need a new start.
    fn waiting<'a>(&self, now: &'a Loaded) -> Vec<(&'static str, &'a Source)> {
        let rows = self.at_start.rows().zip(now.rows());
        // What the interface saves counts at once.
        let at_once = |source: &Source| matches!(source, Source::Interface | Source::Default);
        rows.filter(|((setting, before, was), (_, after, is))| {
            let live = setting.interface && at_once(was) && at_once(is);
            before != after && !live && setting.key != "log_level"
        })
        .map(|(_, (setting, _, source))| (setting.key, source))
        .collect()
    }
}

/// What other processes can tell this one.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hang_up: HangUp,
}

#[cfg(unix)]
struct HangUp(tokio::signal::unix::Signal);

#[cfg(unix)]
impl Signals {
    /// Catches signals from now on: none of them ends a server that is still loading half way.
    fn new() -> io::Result<Signals> {
        use tokio::signal::unix::SignalKind;
        use tokio::signal::unix::signal;
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: HangUp(signal(SignalKind::hangup())?),
        })
    }

    /// The wish to stop, and the wish to look again.
    fn split(self) -> (impl Future<Output = ()>, HangUp) {
        let Signals { mut terminate, mut interrupt, hang_up } = self;
        let stop = async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        (stop, hang_up)
    }
}

#[cfg(unix)]
impl HangUp {
    async fn each(mut self, act: impl Fn() + Send + Sync + 'static) {
        let act = Arc::new(act);
        while self.0.recv().await.is_some() {
            let act = act.clone();
            // It reads files, which is no work for a thread that answers requests.
            let _ = tokio::task::spawn_blocking(move || act()).await;
        }
    }
}

/// Other systems can ask to stop, and nothing else.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
struct HangUp;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Signals> {
        Ok(Signals)
    }

    fn split(self) -> (impl Future<Output = ()>, HangUp) {
        let stop = async {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending().await
            }
        };
        (stop, HangUp)
    }
}

#[cfg(not(unix))]
impl HangUp {
    async fn each(self, _act: impl Fn() + Send + Sync + 'static) {}
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Threads that wait for something keep neither the panic nor the end of the process.
    #[test]
    fn a_listener_that_dies_ends_the_server() {
        let runtime = runtime(1).unwrap();
        let (_never, waits) = mpsc::channel::<()>();
        runtime.spawn_blocking(move || waits.recv());
        let ended = serve_to_end(&runtime, async { panic!("the listener") });
        assert!(ended.is_err());
        runtime.shutdown_timeout(Duration::ZERO);
        let runtime = super::runtime(1).unwrap();
        assert!(matches!(serve_to_end(&runtime, async { 7 }), Ok(7)));
    }
}
