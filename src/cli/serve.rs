//! `recto serve`: the server from its first log line to its last.
//!
//! The port is taken before anything is loaded, so that a port in use is reported at once. Clients
//! that connect meanwhile wait for the first response.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::app::Settings;
use crate::app::jobs::planned_publications::run_publications;
use crate::app::jobs::retention;
use crate::app::jobs::retention::Retention;
use crate::app::jobs::sketching::run_sketching;
use crate::cli::backup_target;
use crate::cli::config::BaseUrl;
use crate::cli::config::Config;
use crate::cli::config::Flags;
use crate::cli::config::LoadedConfig;
use crate::cli::config::SettingSource;
use crate::cli::database;
use crate::cli::database::ReadableCopy;
use crate::cli::editor_schemas::EditorSchemaWriter;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::init;
use crate::cli::interface_folder;
use crate::cli::logging;
use crate::cli::logging::LevelSwitch;
use crate::cli::server_certificate::ServerCertificate;
use crate::cli::server_sockets::OpenSockets;
use crate::cli::service_manager;
use crate::cli::service_manager::ServicePhase;
use crate::cli::signals::Signals;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_text;
use crate::cli::update;
use crate::engine::Engine;
use crate::engine::EngineOptions;
use crate::http::request::blocking_pool;
use crate::http::request::state::ServiceOptions;
use crate::http::service::Service;
use crate::http::wire::conn_limits::ConnLimits;
use crate::http::wire::counters::Counters;
use crate::http::wire::listen;
use crate::http::wire::listen::Drained;
use crate::http::wire::listen::SecureSockets;
use crate::http::wire::listen::ServerSockets;
use crate::http::wire::secure_redirect::RedirectTarget;
use crate::net::http_client::Outgoing;
use crate::net::http_client::OutgoingLimits;
use crate::net::http_client::OutgoingPolicy;
use crate::net::webhook_delivery;
use crate::net::webhook_delivery::WebhookClient;
use crate::query::index::cache_budget::CACHE_BUDGET;
use crate::stdx::clock::SystemClock;
use crate::stdx::processor::count_cores;
use crate::store::error::StoreError;

/// The time that background threads have to finish after the last request.
const THREADS_END_MAX: Duration = Duration::from_secs(2);

/// Arguments of `recto serve`.
#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    flags: Flags,
    /// A folder from which to read the interface's files at each request, for developing it
    #[arg(long, value_name = "DIR", hide = true)]
    admin_dir: Option<PathBuf>,
}

/// Serves until the process is asked to stop.
pub(super) fn run(args: ServeArgs) -> Result<(), CommandError> {
    let ServeArgs { flags, admin_dir } = args;
    let loaded = LoadedConfig::load_process(&flags)?;
    let level = logging::start_logging(&loaded.config)?;
    loaded.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
    let config = &loaded.config;
    let runtime = build_runtime(config.workers)?;
    let (sockets, signals) = open_sockets(&runtime, config)?;
    let bound = sockets.public_address().map_err(io_error("listen"))?;
    let base_url = config.resolve_base_url(bound);
    prepare_folder(config)?;
    CACHE_BUDGET.set_limit(config.index_bytes_max);
    let begun = Instant::now();
    // Another program may be at this path later.
    let program = update::locate_program();
    let advice = "with --read-only, another server can serve the same folder";
    let certificate = ServerCertificate::open(config)?;
    let engine = open_engine(&loaded, &base_url, sockets.lock_wait(config), advice)?;
    let threads = BackgroundThreads::spawn(&engine, &loaded)?;
    let counters = Arc::new(Counters::default());
    let app = App::new(engine.clone(), app_settings(&loaded, program)?);
    let options = ServiceOptions {
        local_alone: bound.ip().is_loopback() && config.base_url.is_none(),
        interface: interface_folder::find_files(admin_dir),
        ..service_options(config, &base_url)
    };
    let webhook_client = options.webhook_client.clone();
    let service = Service::new(app, options, counters.clone());
    let service = Arc::new(service.map_err(CommandError::failed)?);
    announce_address(config, service.app(), &shown_url(config, bound, &base_url), begun.elapsed())?;
    let publishing = spawn_publications(&engine, &service)?;
    let sketching = spawn_sketching(&service)?;
    let backups = backup_target::spawn_backups(&engine, config, &runtime)?;
    let limits = conn_limits(config);
    let sockets = secure_sockets(&runtime, sockets, certificate, config, &base_url);
    let reread = ConfigReload { flags, at_start: loaded, level, engine: engine.clone() };
    let drained = serve_to_end(&runtime, async {
        let stop = report_ready(signals, reread);
        let telling =
            (!engine.is_read_only()).then(|| WebhookSender::spawn(engine.clone(), webhook_client));
        let drained = listen::serve(sockets, limits, counters, service, stop).await;
        if let Some(telling) = telling {
            telling.stop().await;
        }
        drained
    });
    let Ok(drained) = drained else {
        // The next start completes whatever is interrupted here.
        runtime.shutdown_timeout(THREADS_END_MAX);
        return Err(CommandError::failed("the listener ended unexpectedly, so the server stops"));
    };
    log_shutdown(drained);
    engine.close();
    for thread in publishing.into_iter().chain([sketching]).chain(backups) {
        // A thread that panicked has been logged and has ended.
        let _ = thread.join();
    }
    threads.finish(runtime);
    Ok(())
}

/// The service of a folder, without a socket or threads.
struct OpenService {
    loaded: LoadedConfig,
    service: Arc<Service>,
    /// The path below which its routes are.
    base_path: String,
}

impl OpenService {
    /// Opens the folder that the flags name. `advice` says what to do if another process has it.
    fn open(flags: &Flags, advice: &str) -> Result<OpenService, CommandError> {
        OpenService::open_loaded(LoadedConfig::load_process(flags)?, advice)
    }

    /// Opens the folder that the configuration names, like [`OpenService::open`].
    fn open_loaded(loaded: LoadedConfig, advice: &str) -> Result<OpenService, CommandError> {
        let _ = logging::start_logging(&loaded.config)?;
        let config = &loaded.config;
        folder_setup::check_is_folder(&config.data)?;
        let base_url = config.resolve_base_url(config.public_address());
        CACHE_BUDGET.set_limit(config.index_bytes_max);
        let engine = open_engine(&loaded, &base_url, Duration::ZERO, advice)?;
        let app = App::new(engine, app_settings(&loaded, update::locate_program())?);
        let options = service_options(config, &base_url);
        let base_path = options.base_path.trim_end_matches('/').to_owned();
        let service = Service::new(app, options, Arc::default()).map_err(CommandError::failed)?;
        Ok(OpenService { loaded, service: Arc::new(service), base_path })
    }
}

/// A folder that is served in this process, without a socket.
pub(super) struct ServedFolder {
    /// The service.
    pub(super) service: Arc<Service>,
    /// The path below which its routes are.
    pub(super) base_path: String,
    engine: Arc<Engine>,
    threads: BackgroundThreads,
}

impl ServedFolder {
    /// Opens a folder as `recto serve` does. Messages to webhooks and planned publications wait for
    /// a server.
    pub(super) fn open(folder: PathBuf) -> Result<ServedFolder, CommandError> {
        let flags = Flags::from_iter([("data", folder.display().to_string())]);
        let advice = "with --url, the server that serves it answers";
        let OpenService { loaded, service, base_path } = OpenService::open(&flags, advice)?;
        let engine = service.app().engine.clone();
        let threads = BackgroundThreads::spawn(&engine, &loaded)?;
        Ok(ServedFolder { service, base_path, engine, threads })
    }

    /// Ends all threads.
    pub(super) fn close(self, runtime: Runtime) {
        self.engine.close();
        self.threads.finish(runtime);
    }
}

/// A folder whose content this process reads through the service, beside a server or without one.
/// Nothing is written to it, and nothing follows it.
pub(super) struct ReadFolder {
    /// The service.
    pub(super) service: Arc<Service>,
    /// The path below which its routes are.
    pub(super) base_path: String,
    /// The data folder.
    pub(super) root: PathBuf,
    /// The content of the database, if several servers share one.
    _copy: Option<ReadableCopy>,
}

impl ReadFolder {
    /// Opens a folder that the flags say to open read-only, or the content of a database.
    pub(super) fn open(flags: Flags) -> Result<ReadFolder, CommandError> {
        let (loaded, copy) = database::load_to_read(&flags)?;
        let OpenService { loaded, service, base_path } =
            OpenService::open_loaded(loaded, "the folder is only read")?;
        Ok(ReadFolder { service, base_path, root: loaded.config.data, _copy: copy })
    }

    /// Closes the folder.
    pub(super) fn close(&self) {
        self.service.app().engine.close();
    }
}

/// The background threads of the server. A read-only server has only the follower.
struct BackgroundThreads {
    follower: thread::JoinHandle<()>,
    scheduler: Option<thread::JoinHandle<()>>,
    retention: Option<thread::JoinHandle<()>>,
    editor_schemas: Option<EditorSchemaWriter>,
}

impl BackgroundThreads {
    fn spawn(engine: &Arc<Engine>, loaded: &LoadedConfig) -> Result<Self, CommandError> {
        let config = &loaded.config;
        let follower =
            engine.follower().spawn_follower().map_err(io_error("follow the data folder"))?;
        if config.search_eager {
            // It ends by itself, and has nothing to finish.
            engine.spawn_text_indexing().map_err(io_error("prepare for searching"))?;
        }
        let (mut scheduler, mut retention, mut editor_schemas) = (None, None, None);
        if !config.read_only {
            scheduler = Some(
                engine.scheduler().spawn_scheduler().map_err(io_error("follow the schedule"))?,
            );
            let rounds = retention::start_retention(engine.clone(), trash_retention(loaded));
            retention = Some(rounds.map_err(io_error("purge the trash"))?);
            let writer = EditorSchemaWriter::spawn(engine, config.data.clone());
            editor_schemas = Some(writer.map_err(io_error("update the schemas for editors"))?);
        }
        Ok(BackgroundThreads { follower, scheduler, retention, editor_schemas })
    }

    /// Ends the threads of a closed engine, and the runtime.
    fn finish(self, runtime: Runtime) {
        self.editor_schemas.into_iter().for_each(EditorSchemaWriter::finish);
        runtime.shutdown_timeout(THREADS_END_MAX);
        // A thread that panicked has been logged, and there is nothing left to follow.
        let _ = self.follower.join();
        let _ = self.scheduler.map(thread::JoinHandle::join);
        let _ = self.retention.map(thread::JoinHandle::join);
    }
}

/// Starts to publish planned changes at their time, unless the folder is only read.
fn spawn_publications(
    engine: &Engine,
    service: &Arc<Service>,
) -> Result<Option<thread::JoinHandle<()>>, CommandError> {
    if engine.is_read_only() {
        return Ok(None);
    }
    let service = service.clone();
    let thread = thread::Builder::new().name("publications".to_string());
    let spawned = thread.spawn(move || run_publications(service.app()));
    spawned.map(Some).map_err(io_error("start a thread"))
}

/// Starts to sketch pictures that are put into the folder.
fn spawn_sketching(service: &Arc<Service>) -> Result<thread::JoinHandle<()>, CommandError> {
    let service = service.clone();
    let thread = thread::Builder::new().name("sketches".to_string());
    thread.spawn(move || run_sketching(service.app())).map_err(io_error("start a thread"))
}

/// Serves until the server ends or panics. The panic is caught here: unwinding would wait for
/// threads that never end, and leave a process without a port that nothing restarts.
fn serve_to_end<T>(runtime: &Runtime, serving: impl Future<Output = T>) -> std::thread::Result<T> {
    catch_unwind(AssertUnwindSafe(|| runtime.block_on(serving)))
}

/// The task that delivers messages to webhooks until it is stopped.
struct WebhookSender {
    task: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl WebhookSender {
    fn spawn(engine: Arc<Engine>, webhook_client: Arc<WebhookClient>) -> WebhookSender {
        let (stop, stopped) = oneshot::channel();
        // The task also ends if the sender is dropped.
        let stopped = async move { _ = stopped.await };
        WebhookSender {
            task: tokio::spawn(webhook_delivery::run_deliveries(engine, webhook_client, stopped)),
            stop,
        }
    }

    async fn stop(self) {
        // A task that panicked has been logged and has ended.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

pub(super) fn build_runtime(workers: usize) -> Result<Runtime, CommandError> {
    build_runtime_for(workers, count_cores())
}

/// Builds the runtime of a machine with so many cores.
fn build_runtime_for(workers: usize, cores: usize) -> Result<Runtime, CommandError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(workers).thread_name("worker").enable_all();
    builder.max_blocking_threads(blocking_pool::count_threads_max(cores));
    builder.build().map_err(io_error("start threads"))
}

/// Opens the sockets, and catches signals from then on.
fn open_sockets(
    runtime: &Runtime,
    config: &Config,
) -> Result<(OpenSockets, Signals), CommandError> {
    runtime.block_on(async {
        let sockets = OpenSockets::open(config).await?;
        Ok((sockets, Signals::new().map_err(io_error("watch for signals"))?))
    })
}

/// Tells the service manager that the server is ready, and reacts to signals from now on. Returns
/// what waits for the one to stop.
fn report_ready(signals: Signals, reread: ConfigReload) -> impl Future<Output = ()> {
    let (stop, hang_up) = signals.split();
    service_manager::spawn_watchdog();
    service_manager::report_phase(ServicePhase::Ready);
    tokio::spawn(hang_up.each(move || reread.reload()));
    async move {
        stop.await;
        service_manager::report_phase(ServicePhase::Stopping);
    }
}

/// Adds the certificate to the sockets of a server that has one, and keeps it up to date.
fn secure_sockets(
    runtime: &Runtime,
    sockets: OpenSockets,
    certificate: Option<ServerCertificate>,
    config: &Config,
    base_url: &BaseUrl,
) -> ServerSockets {
    let (Some(certificate), Some(tls)) = (certificate, sockets.tls) else {
        return ServerSockets::Plain(sockets.plain);
    };
    let certificates = certificate.store.clone();
    let _entered = runtime.enter();
    certificate.keep();
    let redirect = RedirectTarget {
        origin: base_url.origin().to_owned(),
        base_path: base_url.path().to_owned(),
        names: config.tls.domains.clone(),
    };
    ServerSockets::Secure(SecureSockets { tls, plain: sockets.plain, certificates, redirect })
}

/// Creates the data folder if it is missing, and restricts access to its secrets.
fn prepare_folder(config: &Config) -> Result<(), CommandError> {
    let (root, places) = (&config.data, config.data_folder());
    let is_empty = folder_setup::is_empty(root)?;
    places.check_places()?;
    if config.store.is_some() {
        return folder_setup::make_folder(root);
    }
    if config.read_only {
        return if root.is_dir() { Ok(()) } else { folder_setup::check_is_folder(root) };
    }
    if is_empty {
        init::fill_with_samples(root)?;
        tracing::info!(folder = %root.display(), "created a data folder with sample content");
    } else if let Err(error) = init::complete_folder(root) {
        tracing::warn!(%error, "git is not told to leave secrets out of a repository");
    }
    let n_changed = folder_setup::restrict(&places)?;
    if n_changed > 0 {
        tracing::info!(
            "restricted {} to the owner",
            format_count(n_changed, "secret file", "secret files")
        );
    }
    Ok(())
}

/// Opens the folder. `advice` says what to do if a server serves it longer than `lock_wait`.
fn open_engine(
    loaded: &LoadedConfig,
    base_url: &BaseUrl,
    lock_wait: Duration,
    advice: &str,
) -> Result<Arc<Engine>, CommandError> {
    let config = &loaded.base;
    if config.read_only && config.store.is_some() {
        let message = "a server that shares a database cannot be read-only: it writes its replica";
        return Err(CommandError::usage(message));
    }
    let opened = Engine::open(EngineOptions {
        base_url: base_url.as_str().to_owned(),
        read_only: config.read_only,
        lock_wait,
        revisions_kept_max: config.editable.revisions_kept_max,
        state_dir: config.state_dir.clone(),
        database: database::open_configured(config)?,
        revisions_are_pinned: loaded.pinned_settings().contains_key("max_revisions"),
        ..EngineOptions::new(config.data.clone(), Arc::new(SystemClock))
    });
    opened.map_err(|error| match error {
        StoreError::Locked { .. } => CommandError::failed(format!("{error}; {advice}")),
        other => CommandError::from(other),
    })
}

/// Returns the settings of the application, to which those saved in the interface are added at any
/// time.
fn app_settings(
    loaded: &LoadedConfig,
    program: Result<PathBuf, String>,
) -> Result<Settings, CommandError> {
    let base = &loaded.base;
    Ok(Settings {
        backups: backup_target::find_plan(base)?.filter(|_| !base.read_only),
        editable: base.editable.clone(),
        include: base.include,
        updates: update::update_settings(base, program),
        webhooks_allow_private: base.webhooks_allow_private,
        pinned: loaded.pinned_settings(),
        ..Settings::default()
    })
}

/// Returns the retention of the trash: the one saved in the interface, unless something else is
/// configured.
fn trash_retention(loaded: &LoadedConfig) -> Retention {
    match loaded.config.editable.trash_retention_days {
        _ if !loaded.is_pinned("trash_retention_days") => Retention::AsSaved,
        None => Retention::Forever,
        Some(days) => Retention::Days(days),
    }
}

fn service_options(config: &Config, base_url: &BaseUrl) -> ServiceOptions {
    let outgoing = Outgoing::new(OutgoingPolicy::new(config.webhooks_allow_private));
    ServiceOptions {
        webhook_client: Arc::new(WebhookClient::new(outgoing, OutgoingLimits::SHORT)),
        base_path: base_url.path().to_owned(),
        trusted_proxies: config.proxy_networks(),
        proxy_login: config.proxy_login(),
        rate_limits: config.rate_limits,
        updates_allow_private: config.updates_allow_private,
        metrics_public: config.metrics_public,
        log_requests: config.log_requests,
        local_alone: false,
        live_streams_of_one_max: config.live_streams_of_one_max,
        live_streams_anonymous_max: config.live_streams_anonymous_max,
        cache_tag_header: config.cache_tag_header,
        interface: None,
    }
}

fn conn_limits(config: &Config) -> ConnLimits {
    let mut limits = ConnLimits {
        connections_max: config.connections_max,
        per_client_max: config.connections_per_client_max,
        requests_max: config.requests_per_connection_max,
        drain: config.drain,
        ..ConnLimits::default()
    };
    // All clients behind a proxy come from its address.
    limits.per_client_exempt.extend(&config.proxy_networks());
    limits
}

/// Prints the only line on standard output: from now on the server answers requests. While there is
/// no user, the line contains the link to create the first one, which is as secret as a password.
fn announce_address(
    config: &Config,
    app: &App,
    address: &str,
    took: Duration,
) -> Result<(), CommandError> {
    let engine = &app.engine;
    let workspaces = engine.workspaces();
    let n_entries =
        workspaces.keys().filter_map(|it| engine.snapshot(it)).map(|it| it.count_entries());
    let entries = format_count(n_entries.sum(), "entry", "entries");
    let (version, data) = (env!("CARGO_PKG_VERSION"), config.data.display());
    let took = took.as_millis();
    let n_problems = engine.problems().list().len();
    if n_problems > 0 {
        let problems = format_count(n_problems, "problem", "problems");
        tracing::warn!("{problems} in the data folder; `recto check {data}` lists them");
    }
    let setup = match engine.installation().is_empty() && !config.read_only {
        true => format!("; set it up at {address}/admin/setup?token={}", app.setup_token.reveal()),
        false => String::new(),
    };
    print_text(&format!(
        "Recto {version} serves {data} at {address} ({entries} in {took} ms){setup}\n"
    ))
}

/// Returns the URL at which the server is announced: the encrypted one is for its name alone.
fn shown_url(config: &Config, bound: SocketAddr, base_url: &BaseUrl) -> String {
    if config.tls.is_on() { base_url.as_str().to_owned() } else { local_url(bound, base_url) }
}

/// Returns the URL at which this machine reaches the server.
pub(super) fn local_url(bound: SocketAddr, base_url: &BaseUrl) -> String {
    let path = base_url.path();
    if bound.ip().is_unspecified() {
        return format!("http://localhost:{}{path}", bound.port());
    }
    format!("http://{bound}{path}")
}

fn log_shutdown(drained: Drained) {
    match drained {
        Drained::All => tracing::info!("stopped"),
        Drained::Cut(n) => {
            tracing::warn!(
                "stopped; closed {} early",
                format_count(n, "connection", "connections")
            );
        }
    }
}

fn io_error(what: &'static str) -> impl FnOnce(io::Error) -> CommandError {
    move |error| CommandError::failed(format!("cannot {what}: {error}"))
}

/// The reaction to SIGHUP.
struct ConfigReload {
    flags: Flags,
    at_start: LoadedConfig,
    level: LevelSwitch,
    engine: Arc<Engine>,
}

impl ConfigReload {
    /// Requests a sweep of the whole folder, and loads the configuration again. Only the log level
    /// can change while the server runs.
    fn reload(&self) {
        service_manager::report_phase(ServicePhase::Reloading);
        self.apply_changes();
        service_manager::report_phase(ServicePhase::Ready);
    }

    fn apply_changes(&self) {
        self.engine.folder().request_sweep();
        let loaded = match LoadedConfig::load_process(&self.flags) {
            Ok(loaded) => loaded,
            Err(error) => return tracing::warn!("the configuration is unchanged: {error}"),
        };
        loaded.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        self.level.set_level(&loaded.config.log_level);
        for (key, source) in self.settings_needing_restart(&loaded) {
            tracing::warn!("`{key}` ({source}) takes effect after a restart");
        }
        tracing::info!("checking the data folder for changes");
    }

    /// Returns the changed settings that take effect after a restart.
    fn settings_needing_restart<'a>(
        &self,
        now: &'a LoadedConfig,
    ) -> Vec<(&'static str, &'a SettingSource)> {
        let rows = self.at_start.rows().zip(now.rows());
        // Settings saved in the interface take effect at once.
        let at_once = |source: &SettingSource| {
            matches!(source, SettingSource::Interface | SettingSource::Default)
        };
        rows.filter(|((setting, before, was), (_, after, is))| {
            let live = setting.is_editable() && at_once(was) && at_once(is);
            let pinning = setting.is_editable() && at_once(was) != at_once(is);
            (before != after && !live && setting.key() != "log_level") || pinning
        })
        .map(|(_, (setting, _, source))| (setting.key(), source))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::mpsc;

    use super::*;
    use crate::http::request::blocking_pool::BlockingPool;
    use crate::http::request::blocking_pool::PoolShare;

    /// All requests that run at once may wait for what another thread has to do.
    #[test]
    fn a_full_pool_leaves_threads_to_others_on_large_machines() {
        let cores = 40;
        let runtime = build_runtime_for(1, cores).unwrap();
        let (pool, n_jobs) = (Arc::new(BlockingPool::for_cores(cores)), cores * 16);
        let all_run = Arc::new(Barrier::new(n_jobs + 1));
        let jobs = (0..n_jobs).map(|_| {
            let (pool, all_run) = (pool.clone(), all_run.clone());
            runtime
                .spawn(async move { pool.run(PoolShare::Whole, move || _ = all_run.wait()).await })
        });
        let jobs: Vec<_> = jobs.collect();
        runtime.block_on(runtime.spawn_blocking(move || _ = all_run.wait())).unwrap();
        jobs.into_iter().for_each(|it| runtime.block_on(it).unwrap().unwrap());
    }

    /// Waiting threads hide neither the panic nor the end of the process.
    #[test]
    fn a_listener_that_dies_ends_the_server() {
        let runtime = build_runtime(1).unwrap();
        let (_never, waits) = mpsc::channel::<()>();
        runtime.spawn_blocking(move || waits.recv());
        let ended = serve_to_end(&runtime, async { panic!("the listener") });
        assert!(ended.is_err());
        runtime.shutdown_timeout(Duration::ZERO);
        let runtime = build_runtime(1).unwrap();
        assert!(matches!(serve_to_end(&runtime, async { 7 }), Ok(7)));
    }
}
