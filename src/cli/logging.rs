//! Log lines on standard error: text with colours on a terminal, or JSON for machines.

use std::io;
use std::io::IsTerminal;

use tracing_subscriber::Layer as _;
use tracing_subscriber::Registry;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::reload;
use tracing_subscriber::reload::Handle;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::cli::config::Config;
use crate::cli::config::LogFormat;
use crate::cli::error::CommandError;

/// A handle that changes the log level while the server runs.
pub(super) struct LevelSwitch(Handle<Targets, Registry>);

impl LevelSwitch {
    /// Sets the log level. Returns false, and changes nothing, if the level is invalid.
    pub(super) fn set_level(&self, level: &str) -> bool {
        level.parse().is_ok_and(|it: Targets| self.0.reload(it).is_ok())
    }
}

/// Starts logging.
pub(super) fn start_logging(config: &Config) -> Result<LevelSwitch, CommandError> {
    let levels: Targets = config
        .log_level
        .parse()
        .map_err(|error| CommandError::usage(format!("log_level: {error}")))?;
    let (levels, handle) = reload::Layer::new(levels);
    let lines = fmt::layer().with_writer(io::stderr);
    let lines = match config.log {
        LogFormat::Text => {
            let plain = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
            lines.with_ansi(!plain && io::stderr().is_terminal()).with_target(false).boxed()
        }
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true);
            lines.with_current_span(false).with_span_list(false).boxed()
        }
    };
    let started = tracing_subscriber::registry().with(levels).with(lines).try_init();
    started.map_err(|error| CommandError::failed(format!("cannot log: {error}")))?;
    Ok(LevelSwitch(handle))
}
