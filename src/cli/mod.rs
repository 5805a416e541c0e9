//! The commands of the binary: arguments in, exit code out. One file a command; what it did goes
//! to standard output, everything else to standard error.

mod backup;
pub mod bench;
mod canonical;
mod check;
mod completions;
pub mod config;
mod diff_file;
mod editor_schemas;
pub mod error;
mod fix;
mod folder;
mod init;
mod interface;
mod logging;
mod merge_file;
mod openapi;
mod password;
mod records;
mod sarif;
mod schema;
mod serve;
mod skeleton;
mod token;
mod update;
mod user;

use std::io;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::Subcommand;

use crate::cli::config::Flags;
use crate::cli::config::Loaded;
use crate::cli::error::Error;

/// A headless CMS in one binary that stores everything as JSON files in a folder.
#[derive(Debug, Parser)]
#[command(name = "recto", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::ServeArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the data folder (the same as no command at all)
    Serve(serve::ServeArgs),
    /// Make a data folder with sample content
    Init(init::InitArgs),
    /// Tell what is wrong in a data folder; exit code 1 when something is
    Check(check::CheckArgs),
    /// Create, list and delete users, and give them new passwords
    #[command(subcommand)]
    User(user::UserCommand),
    /// Create, list and revoke API tokens
    #[command(subcommand)]
    Token(token::TokenCommand),
    /// Make, list, inspect and restore backups
    #[command(subcommand)]
    Backup(backup::BackupCommand),
    /// Look for a new version, download it, install it
    #[command(subcommand)]
    Update(update::UpdateCommand),
    /// Show every setting and where it comes from
    Config(ConfigArgs),
    /// Write JSON Schemas, so that editors complete and check entries
    Schema(schema::SchemaArgs),
    /// Merge two versions of a file, as git's merge driver; exit code 1 when they conflict
    MergeFile(merge_file::MergeFileArgs),
    /// Print an entry line by line, for `git diff`
    DiffFile(diff_file::DiffFileArgs),
    /// Print the OpenAPI document of a workspace
    Openapi(openapi::OpenapiArgs),
    /// Measure the server on generated content
    Bench(bench::BenchArgs),
    /// What the benchmark measures against
    #[command(name = "bench-ceiling", hide = true)]
    BenchCeiling(bench::CeilingArgs),
    /// Print a script that completes commands in a shell
    Completions(completions::CompletionsArgs),
}

#[derive(Debug, clap::Args)]
struct ConfigArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Does what the arguments of the process ask for. The exit code is 0 when that succeeded, 1 when
/// it did not, 2 when it cannot be done as asked.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(shown) => {
            // Help and the version are such "errors" too. There is nobody to tell if this fails.
            let _ = shown.print();
            return ExitCode::from(u8::try_from(shown.exit_code()).unwrap_or(2));
        }
    };
    folder::mask_modes();
    let command = arguments.command.unwrap_or(Command::Serve(arguments.serve));
    command.run().unwrap_or_else(|error| {
        note(&format!("recto: {error}"));
        error.exit_code()
    })
}

impl Command {
    fn run(self) -> Result<ExitCode, Error> {
        match self {
            Command::Serve(args) => serve::run(args)?,
            Command::Init(args) => init::run(&args)?,
            Command::Check(args) => return check::run(args),
            Command::User(command) => user::run(command)?,
            Command::Token(command) => token::run(command)?,
            Command::Backup(command) => backup::run(command)?,
            Command::Update(command) => update::run(command)?,
            Command::Config(args) => show_config(&args)?,
            Command::Schema(args) => schema::run(args)?,
            Command::MergeFile(args) => return merge_file::run(&args),
            Command::DiffFile(args) => diff_file::run(&args)?,
            Command::Openapi(args) => openapi::run(args)?,
            Command::Bench(args) => bench::run(&args).map_err(Error::failed)?,
            Command::BenchCeiling(args) => bench::run_ceiling(&args).map_err(Error::failed)?,
            Command::Completions(args) => completions::run::<Arguments>(&args)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn show_config(args: &ConfigArgs) -> Result<(), Error> {
    let loaded = Loaded::of_process(&args.flags)?;
    for warning in &loaded.warnings {
        note(warning);
    }
    if args.json { print_json(&loaded.to_json()) } else { print(&loaded.to_text()) }
}

/// Writes to standard output. A reader that has seen enough is no error.
fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

fn print_json(value: &serde_json::Value) -> Result<(), Error> {
    print(&format!("{value:#}\n"))
}

/// Writes a line to standard error.
fn note(text: &str) {
    // There is nobody left to tell if this fails.
    let _ = writeln!(io::stderr(), "{text}");
}

/// `1 file`, `2 files`, `12,345 files`.
fn count(number: usize, one: &str, several: &str) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    format!("{shown} {}", if number == 1 { one } else { several })
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

    #[test]
    fn counts_are_read_easily() {
        let check = |number, expect: &str| assert_eq!(count(number, "it", "its"), expect);
        check(0, "0 its");
        check(1, "1 it");
        check(999, "999 its");
        check(1_000, "1,000 its");
        check(1_234_567, "1,234,567 its");
    }
}
