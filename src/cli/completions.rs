//! `recto completions`: the script that a shell completes commands with.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::error::Error;

/// Arguments of `recto completions`.
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn run<Commands: CommandFactory>(args: &CompletionsArgs) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Commands::command(), "recto", &mut script);
    super::print(&String::from_utf8_lossy(&script))
}
