//! The sources of settings.

use std::fmt;
use std::path::PathBuf;

use crate::store::layout::Key;

/// The source of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// The built-in default.
    Default,
    /// `system/settings.json`.
    Interface,
    /// A `recto.toml` and the line in it.
    File(PathBuf, usize),
    /// An environment variable.
    Environment(String),
    /// A flag of the command line.
    Flag(&'static str),
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingSource::Default => f.write_str("default"),
            SettingSource::Interface => f.write_str(&Key::Settings.path()),
            SettingSource::File(path, line) => write!(f, "{}:{line}", path.display()),
            SettingSource::Environment(name) => write!(f, "environment {name}"),
            SettingSource::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}
