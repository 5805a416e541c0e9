//! `recto completions`: the completion script of a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::error::CommandError;
use crate::cli::terminal::print_text;

/// Arguments of `recto completions`.
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell to complete commands in
    shell: Shell,
}

pub(super) fn run<Commands: CommandFactory>(args: &CompletionsArgs) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Commands::command(), "recto", &mut script);
    print_text(&String::from_utf8_lossy(&script))
}
