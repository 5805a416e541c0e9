//! `recto pull` and `recto push`: what changed on another server is brought here, or the other way
//! round. The plan is shown first. Both work beside a running server or without one.

mod plan_report;
mod remote_content;
mod sender;

use std::io;
use std::io::BufRead;
use std::io::IsTerminal;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

use tokio::runtime::Runtime;

use crate::app::App;
use crate::app::replication::base::ReplicationBase;
use crate::app::replication::base::ReplicationPair;
use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::local::LocalContent;
use crate::app::replication::plan::ConflictWinner;
use crate::app::replication::plan::Direction;
use crate::app::replication::plan::ReplicationPlan;
use crate::app::replication::plan::plan_replication;
use crate::app::replication::pulled::PulledFiles;
use crate::cli::config::LoadedConfig;
use crate::cli::config::PlaceArgs;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::import::open_app;
use crate::cli::replicate::plan_report::PlanReport;
use crate::cli::replicate::remote_content::RemoteContent;
use crate::cli::replicate::sender::PlanSender;
use crate::cli::secret_file::read_secret;
use crate::cli::terminal::print_note;
use crate::engine::error::CommitError;
use crate::engine::file_set::FileSetError;
use crate::engine::file_set::SetTarget;
use crate::engine::file_set::WorkspaceListing;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::name::WorkspaceSlug;
use crate::net::recto_client::RectoClient;
use crate::net::recto_client::check_url;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::layout;
use crate::store::lock::InstanceLock;
use crate::store::lock::WriteLock;
use crate::store::source::ContentSource;
use crate::store::write::journal;

/// The environment variable with the token.
const TOKEN_VARIABLE: &str = "RECTO_TOKEN";

/// The longest file with a token.
const TOKEN_BYTES_MAX: u64 = 4 * 1024;

/// The longest answer to a question.
const ANSWER_BYTES_MAX: u64 = 4 * 1024;

/// The most bytes of what both had in common: all content of a workspace.
const BASE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The message if files changed between the plan and its execution.
const CHANGED_HERE: &str =
    "nothing was changed: the data folder changed meanwhile. Run the command again.";

/// Arguments of `recto pull` and `recto push`.
#[derive(Debug, clap::Args)]
pub(super) struct ReplicateArgs {
    /// The address of the other server
    #[arg(value_name = "URL")]
    url: String,
    /// The workspace here
    #[arg(long, value_name = "NAME", default_value = "default")]
    workspace: String,
    /// The workspace there; the one of the same name unless given
    #[arg(long, value_name = "NAME")]
    remote_workspace: Option<String>,
    /// A file with the API token; the variable `RECTO_TOKEN` unless given
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Send the token without TLS, in a network that you trust
    #[arg(long)]
    allow_http: bool,
    /// Take the value here where both sides changed the same
    #[arg(long, conflicts_with = "theirs")]
    ours: bool,
    /// Take the value there where both sides changed the same
    #[arg(long)]
    theirs: bool,
    /// Only show the plan
    #[arg(long)]
    dry_run: bool,
    /// Do not ask before something is changed
    #[arg(long, short)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Brings what changed on another server here.
pub(super) fn pull(args: &ReplicateArgs) -> Result<ExitCode, CommandError> {
    Replication::begin(args, Direction::Pull)?.run(args)
}

/// Brings what changed here to another server.
pub(super) fn push(args: &ReplicateArgs) -> Result<ExitCode, CommandError> {
    Replication::begin(args, Direction::Push)?.run(args)
}

impl ReplicateArgs {
    fn winner(&self) -> Option<ConflictWinner> {
        let theirs = self.theirs.then_some(ConflictWinner::Theirs);
        if self.ours { Some(ConflictWinner::Ours) } else { theirs }
    }

    fn parse_pair(&self) -> Result<ReplicationPair, CommandError> {
        let slug = |name: &str, text: &str| {
            let parsed = WorkspaceSlug::parse(text);
            parsed.map_err(|error| CommandError::usage(format!("{name}: {error}")))
        };
        let url = check_url(&self.url, self.allow_http).map_err(CommandError::usage)?;
        let local = slug("--workspace", &self.workspace)?;
        let remote = match &self.remote_workspace {
            Some(text) => slug("--remote-workspace", text)?,
            None => local.clone(),
        };
        Ok(ReplicationPair { url, remote, local })
    }

    fn read_token(&self) -> Result<String, CommandError> {
        let text = match &self.token_file {
            Some(path) => read_secret(path, TOKEN_BYTES_MAX).map_err(CommandError::usage)?,
            None => std::env::var(TOKEN_VARIABLE).unwrap_or_default(),
        };
        match text.trim() {
            "" => {
                let message = "there is no token: set RECTO_TOKEN, or name a --token-file";
                Err(CommandError::usage(message))
            }
            token => Ok(token.to_string()),
        }
    }
}

/// A replication between a data folder and a server.
struct Replication {
    direction: Direction,
    pair: ReplicationPair,
    client: RectoClient,
    _runtime: Runtime,
    disk: Box<dyn Disk>,
    lock: WriteLock,
    /// Held to the end, so that no server starts meanwhile; `None` beside a running server.
    alone: Option<InstanceLock>,
    loaded: LoadedConfig,
}

/// The content of both sides, and the plan made from it.
struct PlannedReplication {
    /// The folder as it was before it was read.
    seen: WorkspaceListing,
    app: App,
    local: LocalContent,
    base: ReplicationBase,
    remote: RemoteContent,
    plan: ReplicationPlan,
}

impl Replication {
    fn begin(args: &ReplicateArgs, direction: Direction) -> Result<Replication, CommandError> {
        let (pair, token) = (args.parse_pair()?, args.read_token()?);
        let loaded = LoadedConfig::load_process(&args.place.to_flags())?;
        let command = match direction {
            Direction::Pull => "recto pull",
            Direction::Push => "recto push",
        };
        database::refuse_database(&loaded.config, command)?;
        folder_setup::check_is_writable(&loaded.config)?;
        let places = loaded.config.data_folder();
        let disk = folder_setup::open_disk(&places)?;
        places.claim_folders()?;
        let lock = WriteLock::open(places.root())?;
        let alone = InstanceLock::acquire_places(&places).ok();
        // Without a server, this process finishes interrupted changes.
        if alone.is_some() {
            let _turn = lock.acquire_turn()?;
            journal::recover_changes(&disk)?;
        }
        // The thread that asks blocks on the one that fetches.
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build();
        let runtime = runtime
            .map_err(|error| CommandError::failed(format!("cannot start threads: {error}")))?;
        let (url, remote, handle) = (pair.url.clone(), pair.remote.clone(), runtime.handle());
        let client = RectoClient::new(url, remote, &token, handle.clone());
        let client = client.map_err(CommandError::usage)?;
        let disk = Box::new(disk);
        Ok(Replication { direction, pair, client, _runtime: runtime, disk, lock, alone, loaded })
    }

    fn run(&self, args: &ReplicateArgs) -> Result<ExitCode, CommandError> {
        let planned = self.plan(args.winner())?;
        let report = PlanReport {
            direction: self.direction,
            pair: &self.pair,
            plan: &planned.plan,
            unseen: &planned.remote.files.unseen,
            dry_run: args.dry_run,
        };
        if !args.json {
            report.print()?;
        }
        if !planned.plan.conflicts.is_empty() {
            if args.json {
                report.print_json(false)?;
            }
            return Ok(ExitCode::FAILURE);
        }
        let has_steps = !planned.plan.steps.is_empty();
        if !args.dry_run {
            if has_steps && !args.yes && !self.ask()? {
                print_note("nothing was changed");
                return Ok(ExitCode::FAILURE);
            }
            self.carry_out(&planned)?;
        }
        if args.json {
            report.print_json(has_steps && !args.dry_run)?;
        } else {
            report.print_end(has_steps && !args.dry_run)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Reads both sides and plans what one of them has to write.
    fn plan(&self, winner: Option<ConflictWinner>) -> Result<PlannedReplication, CommandError> {
        let ws = &self.pair.local;
        let seen = WorkspaceListing::list(&*self.disk, ws)?;
        let app = open_app(&self.loaded)?;
        if app.engine.snapshot(ws).is_none() {
            return Err(CommandError::usage(format!("there is no workspace `{ws}` here")));
        }
        let local = LocalContent::read(&app.engine, &*self.disk, ws);
        let local = local.map_err(CommandError::failed)?;
        let base = self.read_base()?;
        let remote = RemoteContent::fetch(&self.client, &local, &base)?;
        let (files, direction) = (&remote.files, self.direction);
        let plan = plan_replication(&base.values, &local.values, files, direction, winner);
        Ok(PlannedReplication { seen, app, local, base, remote, plan })
    }

    fn base_path(&self) -> String {
        layout::replication_base(&self.pair.name())
    }

    fn read_base(&self) -> Result<ReplicationBase, CommandError> {
        let path = self.base_path();
        let Ok((file, _)) = self.disk.open(&path) else { return Ok(ReplicationBase::default()) };
        let mut bytes = Vec::new();
        let read = file.take(BASE_BYTES_MAX).read_to_end(&mut bytes);
        read.map_err(|error| CommandError::failed(format!("cannot read {path}: {error}")))?;
        Ok(ReplicationBase::parse(&bytes, &self.pair).unwrap_or_else(|| {
            print_note(&format!("{path} cannot be read: what differs counts as a conflict"));
            ReplicationBase::default()
        }))
    }

    fn save_base(&self, base: &ReplicationBase) -> Result<(), CommandError> {
        disk::make_folders(&*self.disk, layout::REMOTES)?;
        disk::replace_file(&*self.disk, &self.base_path(), &base.render(&self.pair))?;
        Ok(())
    }

    /// Asks whether the plan is to be carried out.
    fn ask(&self) -> Result<bool, CommandError> {
        if !io::stdin().is_terminal() {
            let message = "nothing was changed: without a terminal to ask at, this takes --yes";
            return Err(CommandError::usage(message));
        }
        let what = match self.direction {
            Direction::Pull => "Change the data folder here?",
            Direction::Push => "Change the other server?",
        };
        print_note(&format!("{what} [y/N]"));
        let mut answer = String::new();
        let read = io::stdin().lock().take(ANSWER_BYTES_MAX).read_line(&mut answer);
        read.map_err(|error| CommandError::failed(format!("cannot read the answer: {error}")))?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }

    /// Writes what is planned, and remembers what both sides have in common then.
    fn carry_out(&self, planned: &PlannedReplication) -> Result<(), CommandError> {
        let PlannedReplication { local, base, remote, plan, .. } = planned;
        let source = match self.direction {
            Direction::Pull => &remote.files.values,
            Direction::Push => &local.values,
        };
        let mut next = base.advance(source, &remote.files.values, &remote.sums, plan);
        if self.direction == Direction::Pull {
            self.write_here(planned)?;
        } else if !plan.steps.is_empty() {
            let mut sender = PlanSender::new(&self.client, &planned.app.engine, &self.pair.local);
            let sent = sender.send(plan, remote, &local.values);
            if let Err(error) = sent {
                // What arrived is not a change of the other side the next time.
                let mut partial = base.clone();
                sender.record_sent(&mut partial, plan, &local.values);
                self.save_base(&partial)?;
                return Err(error);
            }
            sender.record_sent(&mut next, plan, &local.values);
        }
        if next == *base {
            return Ok(());
        }
        self.save_base(&next)
    }

    /// Writes the files here: all of them, or none.
    fn write_here(&self, planned: &PlannedReplication) -> Result<(), CommandError> {
        let PlannedReplication { app, local, plan, seen, .. } = planned;
        let ws = &self.pair.local;
        let keeps_revisions = self.alone.is_some() && app.engine.records().max_revisions() != 0;
        let collected = app.engine.writer().preview_commit(ws, |staging| {
            PulledFiles::collect(staging, local, keeps_revisions, &plan.steps)
        });
        let files = match collected {
            Ok(files) => files,
            Err(CommitError::Stale) => return Err(CommandError::failed(CHANGED_HERE)),
            Err(error) => return Err(CommandError::failed(error)),
        };
        if files.is_empty() {
            return Ok(());
        }
        let permit = Permit::for_operator(Action::ContentCreate);
        let target =
            SetTarget { disk: &*self.disk, lock: &self.lock, workspace: ws, seen, permit: &permit };
        let source = RemoteMedia { client: &self.client, plan };
        match files.commit(&target, app.engine.folder().new_id().as_str(), &source) {
            Ok(()) => Ok(()),
            Err(FileSetError::Stale) => Err(CommandError::failed(CHANGED_HERE)),
            Err(error) => Err(CommandError::failed(format!("nothing was changed: {error}"))),
        }
    }
}

/// The media files of the other server, which are read while they are staged.
struct RemoteMedia<'r> {
    client: &'r RectoClient,
    plan: &'r ReplicationPlan,
}

impl ContentSource for RemoteMedia<'_> {
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        use crate::app::replication::file::ReplicatedValue;
        let step = self.plan.steps.iter().find(|it| it.file.path() == path);
        match step.map(|it| (&it.file, &it.after)) {
            Some((ReplicatedFile::Media(name), Some(ReplicatedValue::Bytes { size, .. }))) => {
                Ok(Box::new(self.client.open_media(name, *size)))
            }
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}
