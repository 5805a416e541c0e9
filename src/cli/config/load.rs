//! Loading the settings from all their sources.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use serde_json::json;

use crate::cli::config::effective::Config;
use crate::cli::config::file;
use crate::cli::config::file::ConfigFile;
use crate::cli::config::file::FILE_NAME;
use crate::cli::config::flags::Flags;
use crate::cli::config::settings::ConfigSetting;
use crate::cli::config::settings::settings;
use crate::cli::config::source::SettingSource;
use crate::cli::config::store_url::HIDDEN;
use crate::cli::config::value::format_value;
use crate::cli::error::CommandError;
use crate::store::data_folder::DataFolder;
use crate::store::layout::Key;

/// The number of settings, the first of the table, that say where content is and if it may be
/// written. The first of them locate the sources of the others.
const N_PLACES: usize = 4;

/// The configuration file of a machine whose server a package has installed.
pub(super) const SYSTEM_FILE: &str = "/etc/recto.toml";

/// The sources of settings besides the files.
#[derive(Clone, Copy)]
pub struct ConfigSources<'a> {
    /// The flags of the command line.
    pub flags: &'a Flags,
    /// The environment.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
    /// The folder that relative paths start from.
    pub working_folder: &'a Path,
    /// The configuration file of the machine.
    pub system_file: &'a Path,
}

/// The effective configuration and the source of each setting.
#[derive(Debug)]
pub struct LoadedConfig {
    /// All settings.
    pub config: Config,
    /// The configuration without the settings saved in the interface, which are read again while
    /// the server runs.
    pub base: Config,
    /// The source of each setting, in the order of [`settings`].
    pub sources: Vec<SettingSource>,
    /// Problems that do not prevent the start, as sentences.
    pub warnings: Vec<String>,
}

impl LoadedConfig {
    /// Has the content read in a folder instead of a database.
    pub fn read_in(&mut self, places: &DataFolder) {
        for config in [&mut self.config, &mut self.base] {
            config.data = places.root().to_path_buf();
            config.state_dir = places.state().map(Path::to_path_buf);
            config.store = None;
        }
    }

    /// Loads all settings from the sources of this process.
    pub fn load_process(flags: &Flags) -> Result<LoadedConfig, CommandError> {
        let environment = |name: &str| std::env::var(name).ok();
        LoadedConfig::load(ConfigSources {
            flags,
            environment: &environment,
            working_folder: Path::new(""),
            system_file: Path::new(SYSTEM_FILE),
        })
    }

    /// Loads all settings.
    pub fn load(sources: ConfigSources<'_>) -> Result<LoadedConfig, CommandError> {
        let (mut loaded, file) = LoadedConfig::load_places(sources)?;
        let folder = sources.working_folder.join(&loaded.config.data);
        let places = DataFolder::with_state(folder, loaded.config.state_dir.clone());
        let interface = file::read_interface_settings(&places, &mut loaded.warnings);
        for setting in settings().skip(loaded.sources.len()) {
            let given = sources.find_value(setting).or_else(|| file.get(setting));
            let (text, source) = match given {
                Some(given) => given,
                None => {
                    loaded.take_from_interface(setting, interface.get(setting.key()));
                    continue;
                }
            };
            loaded.take_setting(setting, &text, source)?;
        }
        Ok(loaded)
    }

    /// Loads the first [`N_PLACES`] settings. Also returns the configuration file to use for the
    /// others.
    pub(super) fn load_places(
        sources: ConfigSources<'_>,
    ) -> Result<(LoadedConfig, ConfigFile), CommandError> {
        let mut loaded = LoadedConfig {
            config: Config::default(),
            base: Config::default(),
            sources: Vec::new(),
            warnings: Vec::new(),
        };
        let mut file = sources.read_first_file()?;
        for setting in settings().take(N_PLACES) {
            let in_file = || file.as_ref().and_then(|file| file.get(setting));
            match sources.find_value(setting).or_else(in_file) {
                Some((text, source)) => loaded.take_setting(setting, &text, source)?,
                None => loaded.sources.push(SettingSource::Default),
            }
            if setting.key() == "data" {
                let folder = sources.working_folder.join(&loaded.config.data);
                file = file::read_folder_file(&folder, file.as_ref())?.or(file);
            }
        }
        let state_dir = loaded.config.state_dir.take().map(|named| {
            let named = sources.working_folder.join(named);
            std::path::absolute(&named).unwrap_or(named)
        });
        (loaded.config.state_dir, loaded.base.state_dir) = (state_dir.clone(), state_dir);
        Ok((loaded, file.unwrap_or_default()))
    }

    fn take_setting(
        &mut self,
        setting: ConfigSetting,
        text: &str,
        source: SettingSource,
    ) -> Result<(), CommandError> {
        setting.take(&mut self.config, text).map_err(|problem| {
            let (key, text) = (setting.key(), if setting.is_secret() { HIDDEN } else { text });
            CommandError::usage(format!("{source}: `{text}` is not a valid `{key}`: {problem}"))
        })?;
        // The same value was accepted a moment ago.
        let _ = setting.take(&mut self.base, text);
        self.sources.push(source);
        Ok(())
    }

    /// Takes a setting saved in the interface. An invalid value becomes a warning, so that it never
    /// prevents the start.
    fn take_from_interface(&mut self, setting: ConfigSetting, text: Option<&String>) {
        let taken =
            text.filter(|_| setting.is_editable()).map(|it| setting.take(&mut self.config, it));
        if let Some(Err(problem)) = &taken {
            let (path, key) = (Key::Settings.path(), setting.key());
            self.warnings
                .push(format!("{path}: `{key}` is not valid, so its default is used: {problem}"));
        }
        let source = if matches!(taken, Some(Ok(()))) {
            SettingSource::Interface
        } else {
            SettingSource::Default
        };
        self.sources.push(source);
    }

    /// Returns the settings, by key, that the interface could edit but another source sets, and
    /// that source.
    pub fn pinned_settings(&self) -> BTreeMap<String, String> {
        let said = |source: &&SettingSource| {
            !matches!(source, SettingSource::Default | SettingSource::Interface)
        };
        let rows = settings().zip(&self.sources);
        let pinned = rows.filter(|(setting, source)| setting.is_editable() && said(source));
        pinned.map(|(setting, source)| (setting.key().to_string(), source.to_string())).collect()
    }

    /// Returns each setting with its value and its source.
    pub fn rows(&self) -> impl Iterator<Item = (ConfigSetting, Value, &SettingSource)> {
        let rows = settings().zip(&self.sources);
        rows.map(|(setting, source)| (setting, setting.show(&self.config), source))
    }

    /// Returns true if the setting comes from a source that the interface cannot change.
    pub fn is_pinned(&self, key: &str) -> bool {
        let mut rows = settings().zip(&self.sources);
        rows.any(|(it, from)| {
            it.key() == key && !matches!(from, SettingSource::Default | SettingSource::Interface)
        })
    }

    /// Formats `recto config`: one line for each setting.
    pub fn to_text(&self) -> String {
        let rows: Vec<_> =
            self.rows().map(|(it, value, source)| (it, format_value(&value), source)).collect();
        let width =
            |of: fn(&(ConfigSetting, String, &SettingSource)) -> usize| rows.iter().map(of).max();
        let keys = width(|(setting, ..)| setting.key().len()).unwrap_or(0);
        let values = width(|(_, value, _)| value.chars().count()).unwrap_or(0);
        let line = |(setting, value, source): &(ConfigSetting, String, &SettingSource)| {
            format!("{:keys$} = {value:values$}  # {source}\n", setting.key())
        };
        rows.iter().map(line).collect()
    }

    /// Formats `recto config --json`.
    pub fn to_json(&self) -> Value {
        let row = |(setting, value, source): (ConfigSetting, Value, &SettingSource)| {
            json!({
                "key": setting.key(),
                "value": value,
                "source": source.to_string(),
                "flag": format!("--{}", setting.flag()),
                "env": setting.env_name(),
                "about": setting.about(),
            })
        };
        self.rows().map(row).collect()
    }
}

impl ConfigSources<'_> {
    /// Reads the file that may name the data folder: that of the working folder, or that of the
    /// machine if nothing else says what to serve.
    fn read_first_file(&self) -> Result<Option<ConfigFile>, CommandError> {
        let near = file::read_file(&self.working_folder.join(FILE_NAME))?;
        let data = settings().next();
        let is_named = data.is_some_and(|data| self.find_value(data).is_some());
        let default = self.working_folder.join(Config::default().data);
        if near.is_some() || is_named || default.exists() {
            return Ok(near);
        }
        file::read_file(self.system_file)
    }

    fn find_value(&self, setting: ConfigSetting) -> Option<(String, SettingSource)> {
        if let Some(text) = self.flags.get(setting) {
            return Some((text.to_owned(), SettingSource::Flag(setting.flag())));
        }
        let name = setting.env_name();
        // Compose files set variables to an empty string to leave them out.
        let text = (self.environment)(&name).filter(|text| !text.is_empty())?;
        Some((text, SettingSource::Environment(name)))
    }
}
