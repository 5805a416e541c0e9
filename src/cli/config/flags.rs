//! The settings as command-line flags.

use std::collections::HashMap;

use clap::Arg;
use clap::ArgMatches;
use clap::Args;
use clap::Command;
use clap::FromArgMatches;

use crate::cli::config::settings::ConfigSetting;
use crate::cli::config::settings::settings;
use crate::cli::config::value::format_value;

/// The flags given on the command line, as unparsed text.
#[derive(Clone, Debug, Default)]
pub struct Flags(HashMap<&'static str, String>);

impl Flags {
    /// Returns the text given for a setting.
    pub(super) fn get(&self, setting: ConfigSetting) -> Option<&str> {
        self.0.get(setting.key()).map(String::as_str)
    }

    /// Returns the keys of the settings that are given, in the order of [`settings`].
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        settings().map(ConfigSetting::key).filter(|key| self.0.contains_key(key))
    }

    /// Returns the flags with others in addition.
    #[must_use]
    pub fn with(mut self, others: impl IntoIterator<Item = (&'static str, String)>) -> Flags {
        self.0.extend(others);
        self
    }
}

impl FromIterator<(&'static str, String)> for Flags {
    /// Collects flags from keys and values.
    fn from_iter<I: IntoIterator<Item = (&'static str, String)>>(flags: I) -> Flags {
        Flags(flags.into_iter().collect())
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Flags, clap::Error> {
        let given = |setting: ConfigSetting| {
            matches.get_one::<String>(setting.key()).map(|text| (setting.key(), text.clone()))
        };
        Ok(settings().filter_map(given).collect())
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.extend(Flags::from_arg_matches(matches)?.0);
        Ok(())
    }
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        command.args(settings().map(build_arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args(command)
    }
}

fn build_arg(setting: ConfigSetting) -> Arg {
    let default = format_value(&setting.default_value());
    let default = if default.is_empty() { "none" } else { &default };
    let help = format!("{} [default: {default}] [env: {}]", setting.about(), setting.env_name());
    let arg =
        Arg::new(setting.key()).long(setting.flag()).value_name(setting.value_name()).help(help);
    let arg = arg.allow_negative_numbers(setting.default_value().is_number());
    if setting.is_switch() {
        return arg.num_args(0..=1).require_equals(true).default_missing_value("true");
    }
    arg
}
