//! Log lines on standard error: text with colours on a terminal, or JSON for machines.

use std::io;
use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::cli::config::Config;
use crate::cli::config::LogFormat;
use crate::cli::error::CommandError;

/// A handle that changes the log level while the server runs.
pub(super) struct LevelSwitch(Box<dyn Fn(EnvFilter) -> bool + Send + Sync>);

impl LevelSwitch {
    /// Sets the log level. Returns false, and changes nothing, if the level is invalid.
    pub(super) fn set_level(&self, level: &str) -> bool {
        parse_filter(level).is_ok_and(&self.0)
    }
}

/// Starts logging.
pub(super) fn start_logging(config: &Config) -> Result<LevelSwitch, CommandError> {
    let filter = parse_filter(&config.log_level)?;
    let builder = tracing_subscriber::fmt().with_writer(io::stderr);
    let started = match config.log {
        LogFormat::Text => {
            let plain = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
            let builder = builder.with_ansi(!plain && io::stderr().is_terminal());
            let builder = builder.with_target(false).with_env_filter(filter);
            let builder = builder.with_filter_reloading();
            let handle = builder.reload_handle();
            let switch = LevelSwitch(Box::new(move |filter| handle.reload(filter).is_ok()));
            builder.finish().try_init().map(|()| switch)
        }
        LogFormat::Json => {
            let builder = builder.json().flatten_event(true).with_current_span(false);
            let builder = builder.with_span_list(false).with_env_filter(filter);
            let builder = builder.with_filter_reloading();
            let handle = builder.reload_handle();
            let switch = LevelSwitch(Box::new(move |filter| handle.reload(filter).is_ok()));
            builder.finish().try_init().map(|()| switch)
        }
    };
    started.map_err(|error| CommandError::failed(format!("cannot log: {error}")))
}

fn parse_filter(level: &str) -> Result<EnvFilter, CommandError> {
    EnvFilter::builder()
        .parse(level)
        .map_err(|error| CommandError::usage(format!("log_level: {error}")))
}
