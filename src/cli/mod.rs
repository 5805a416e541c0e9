//! The commands of the binary: arguments in, exit code out. Each command has its own file. Results
//! go to standard output, everything else to standard error.

mod backup;
mod backup_target;
mod canonical_form;
mod check;
mod check_fix;
mod completions;
pub mod config;
mod copy;
mod database;
mod diff_file;
mod editor_schemas;
pub mod error;
mod export;
mod folder_setup;
mod health;
mod import;
mod init;
mod interface_folder;
mod logging;
mod man_pages;
mod mcp;
mod mcp_server;
mod merge_file;
mod openapi;
mod password;
mod replicate;
mod sample_content;
mod sarif;
mod schema;
mod secret_file;
mod serve;
mod server_certificate;
mod server_sockets;
mod service_manager;
mod service_units;
mod signals;
mod stored_backups;
mod system_records;
mod terminal;
mod token;
mod types;
mod update;
mod user;
mod workspace_reader;

use std::process::ExitCode;

use clap::Parser;
use clap::Subcommand;

use crate::cli::config::Flags;
use crate::cli::config::LoadedConfig;
use crate::cli::error::CommandError;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;

/// The version and the build, in two lines: updates compare the first.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\n", env!("RECTO_BUILD"));

/// A headless CMS in one binary that stores everything as JSON files in a folder.
#[derive(Debug, Parser)]
#[command(name = "recto", version, long_version = LONG_VERSION, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::ServeArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the data folder (the default command)
    Serve(serve::ServeArgs),
    /// Create a data folder with sample content
    Init(init::InitArgs),
    /// Check a data folder for problems; exit code 1 if there are any
    Check(check::CheckArgs),
    /// Copy a data folder into a database that several servers share, or back
    Copy(copy::CopyArgs),
    /// Create, list and delete users, and reset their passwords
    #[command(subcommand)]
    User(user::UserCommand),
    /// Create, list and revoke API tokens
    #[command(subcommand)]
    Token(token::TokenCommand),
    /// Create, list, inspect and restore backups
    #[command(subcommand)]
    Backup(backup::BackupCommand),
    /// Restore a backup that is kept elsewhere into an empty folder
    Restore(stored_backups::RestoreArgs),
    /// Check for, download and install a new version
    #[command(subcommand)]
    Update(update::UpdateCommand),
    /// Ask a server whether it is ready for requests; exit code 1 if it is not
    Health(health::HealthArgs),
    /// Have systemd start the server
    #[command(subcommand)]
    Service(service_units::ServiceCommand),
    /// Show every setting and its source
    Config(ConfigArgs),
    /// Write JSON Schemas with which editors complete and check entries
    Schema(schema::SchemaArgs),
    /// Merge two versions of a file, as git's merge driver; exit code 1 on conflicts
    MergeFile(merge_file::MergeFileArgs),
    /// Print an entry line by line, for `git diff`
    DiffFile(diff_file::DiffFileArgs),
    /// Let agents work with a server: the Model Context Protocol on standard input and output
    Mcp(mcp::McpArgs),
    /// Write the public API of a workspace into files, for any host of files
    Export(export::ExportArgs),
    /// Import content of other systems and of tables, all of it or nothing
    Import(import::ImportArgs),
    /// Bring what changed on another server here
    Pull(replicate::ReplicateArgs),
    /// Bring what changed here to another server
    Push(replicate::ReplicateArgs),
    /// Print the OpenAPI document of a workspace
    Openapi(openapi::OpenapiArgs),
    /// Print the content types of a workspace as TypeScript types
    Types(types::TypesArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Write the manual pages of all commands into a folder
    ManPages(man_pages::ManPagesArgs),
}

#[derive(Debug, clap::Args)]
struct ConfigArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Runs the command that the arguments of the process name. The exit code is 0 if it succeeded, 1
/// if it failed, 2 if it cannot be run as requested.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(shown) => {
            // Clap reports help and the version as errors too. A failure to print has no one to
            // report to.
            let _ = shown.print();
            return ExitCode::from(u8::try_from(shown.exit_code()).unwrap_or(2));
        }
    };
    folder_setup::set_umask();
    let command = arguments.command.unwrap_or(Command::Serve(arguments.serve));
    command.run().unwrap_or_else(|error| {
        print_note(&format!("recto: {error}"));
        error.exit_code()
    })
}

impl Command {
    fn run(self) -> Result<ExitCode, CommandError> {
        match self {
            Command::Serve(args) => serve::run(args)?,
            Command::Init(args) => init::run(&args)?,
            Command::Check(args) => return check::run(args),
            Command::User(command) => user::run(command)?,
            Command::Token(command) => token::run(command)?,
            Command::Backup(command) => backup::run(command)?,
            Command::Restore(args) => stored_backups::restore(&args)?,
            Command::Update(command) => update::run(command)?,
            Command::Health(args) => health::run(&args)?,
            Command::Service(command) => service_units::run(command)?,
            Command::Config(args) => show_config(&args)?,
            Command::Schema(args) => schema::run(args)?,
            Command::MergeFile(args) => return merge_file::run(&args),
            Command::DiffFile(args) => diff_file::run(&args)?,
            Command::Mcp(args) => mcp::run(args)?,
            Command::Export(args) => return export::run(&args),
            Command::Import(args) => return import::run(&args),
            Command::Pull(args) => return replicate::pull(&args),
            Command::Push(args) => return replicate::push(&args),
            Command::Openapi(args) => openapi::run(args)?,
            Command::Types(args) => types::run(args)?,
            Command::Copy(args) => copy::run(&args)?,
            Command::Completions(args) => completions::run::<Arguments>(&args)?,
            Command::ManPages(args) => man_pages::run::<Arguments>(&args)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn show_config(args: &ConfigArgs) -> Result<(), CommandError> {
    let loaded = LoadedConfig::load_process(&args.flags)?;
    for warning in &loaded.warnings {
        print_note(warning);
    }
    if args.json { print_json(&loaded.to_json()) } else { print_text(&loaded.to_text()) }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn serving_is_what_is_done_without_a_command() {
        for arguments in [["recto", "--read-only", "--listen=127.0.0.1:1"].as_slice(), &["recto"]] {
            assert!(Arguments::try_parse_from(arguments).unwrap().command.is_none());
        }
        let serve = ["recto", "serve", "--read-only", "--workers", "2"];
        assert!(matches!(
            Arguments::try_parse_from(serve).unwrap().command,
            Some(Command::Serve(_))
        ));
        assert!(Arguments::try_parse_from(["recto", "--workers", "2", "check"]).is_err());
    }
}
