//! Log lines on standard error: for people, with colours on a terminal, or for machines.

use std::io;
use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::cli::config::Config;
use crate::cli::config::LogFormat;
use crate::cli::error::Error;

/// Changes what is logged while the server runs.
pub(super) struct LevelSwitch(Box<dyn Fn(EnvFilter) -> bool + Send + Sync>);

impl LevelSwitch {
    /// Whether the level was understood and counts from now on.
    pub(super) fn set(&self, level: &str) -> bool {
        filter(level).is_ok_and(&self.0)
    }
}

/// Begins to log.
pub(super) fn start(config: &Config) -> Result<LevelSwitch, Error> {
    let filter = filter(&config.log_level)?;
    let builder = tracing_subscriber::fmt().with_writer(io::stderr);
    let begun = match config.log {
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
    begun.map_err(|error| Error::failed(format!("cannot log: {error}")))
}

fn filter(level: &str) -> Result<EnvFilter, Error> {
    EnvFilter::builder().parse(level).map_err(|error| Error::usage(format!("log_level: {error}")))
}
