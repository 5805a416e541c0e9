//! The settings in files: `recto.toml`, which people write, and `system/settings.json`, which the
//! interface writes.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::DeTable;
use toml::de::DeValue;

use crate::cli::config::settings::ConfigSetting;
use crate::cli::config::settings::settings;
use crate::cli::config::source::SettingSource;
use crate::cli::config::value::format_value;
use crate::cli::error::CommandError;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::data_folder::DataFolder;
use crate::store::layout::Key;

/// The name of the configuration file.
pub(super) const FILE_NAME: &str = "recto.toml";

/// The settings that stand in for those that cannot be read.
const LAST_GOOD: &str = "the last good settings that it knows, or else the defaults";

/// A `recto.toml`, its values as text.
#[derive(Debug, Default)]
pub(super) struct ConfigFile {
    path: PathBuf,
    /// The text and the line number of each key.
    settings: HashMap<String, (String, usize)>,
}

impl ConfigFile {
    /// Returns the text of a setting. Relative paths in a file are relative to it.
    pub(super) fn get(&self, setting: ConfigSetting) -> Option<(String, SettingSource)> {
        let (text, line) = self.settings.get(setting.key())?;
        let is_path = !text.is_empty() && setting.names_path(text);
        let folder = self.path.parent().filter(|_| is_path);
        let placed = folder.and_then(|it| {
            // Without the `.` of `./data`.
            let path: PathBuf = it.join(text).components().collect();
            Some(path.to_str()?.to_owned())
        });
        let source = SettingSource::File(self.path.clone(), *line);
        Some((placed.unwrap_or_else(|| text.clone()), source))
    }

    /// Collects the settings of a table. Refuses unknown keys: most of them are misspelt.
    fn collect_settings(
        &mut self,
        text: &str,
        prefix: &str,
        table: &DeTable<'_>,
    ) -> Result<(), CommandError> {
        for (name, value) in table {
            let key = format!("{prefix}{}", name.get_ref());
            let line = line_number(text, name.span().start);
            if let DeValue::Table(inner) = value.get_ref() {
                self.collect_settings(text, &format!("{key}."), inner)?;
                continue;
            }
            if !settings().any(|setting| setting.key() == key) {
                return Err(self.error_at(line, format!("there is no setting `{key}`")));
            }
            let Some(value) = value_text(value) else {
                let problem =
                    format!("`{key}` is a text, a whole number, true or false, or a list");
                return Err(self.error_at(line, problem));
            };
            self.settings.insert(key, (value, line));
        }
        Ok(())
    }

    fn error_at(&self, line: usize, problem: impl std::fmt::Display) -> CommandError {
        CommandError::usage(format!("{}:{line}: {problem}", self.path.display()))
    }
}

/// Reads a `recto.toml`. Returns `None` if it does not exist.
pub(super) fn read_file(path: &Path) -> Result<Option<ConfigFile>, CommandError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if is_absence(&error) => return Ok(None),
        Err(error) => {
            return Err(CommandError::usage(format!("cannot read {}: {error}", path.display())));
        }
    };
    let mut file = ConfigFile { path: path.to_path_buf(), settings: HashMap::new() };
    let table = DeTable::parse(&text).map_err(|error| {
        let line = line_number(&text, error.span().unwrap_or_default().start);
        file.error_at(line, error.message())
    })?;
    file.collect_settings(&text, "", table.get_ref())?;
    Ok(Some(file))
}

/// Reads the `recto.toml` in the data folder. It must not set `data`. Returns `None` if it is the
/// same file as the one in the working folder.
pub(super) fn read_folder_file(
    folder: &Path,
    at_work: Option<&ConfigFile>,
) -> Result<Option<ConfigFile>, CommandError> {
    let path = folder.join(FILE_NAME);
    let same = |one: &Path| {
        one.canonicalize().is_ok_and(|one| path.canonicalize().is_ok_and(|other| one == other))
    };
    if at_work.is_some_and(|file| same(&file.path)) {
        return Ok(None);
    }
    let file = read_file(&path)?;
    if let Some(file) = &file
        && let Some((_, line)) = file.settings.get("data")
    {
        return Err(file.error_at(*line, "`data` cannot be set inside the data folder"));
    }
    Ok(file)
}

/// Reads the settings saved in the interface, as text by key. An unreadable file is a warning:
/// without a running server, nobody could repair it in the interface.
pub(super) fn read_interface_settings(
    places: &DataFolder,
    warnings: &mut Vec<String>,
) -> HashMap<String, String> {
    let path = Key::Settings.path();
    let mut settings = HashMap::new();
    match std::fs::read(places.resolve_path(&path)) {
        Err(error) if is_absence(&error) => {}
        Err(error) => warnings.push(format!("cannot read {path}: {error}")),
        Ok(bytes) => match Json::parse(&bytes) {
            Ok(Json::Object(map)) => flatten_map(&map, "", &mut settings),
            Ok(_) => {
                warnings.push(format!("{path} is not a JSON object; a server uses {LAST_GOOD}"))
            }
            Err(error) => {
                warnings.push(format!("{path} cannot be read ({error}); a server uses {LAST_GOOD}"))
            }
        },
    }
    settings
}

fn flatten_map(map: &Map, prefix: &str, settings: &mut HashMap<String, String>) {
    for (name, value) in map.iter() {
        let key = format!("{prefix}{name}");
        match value {
            Json::Object(inner) => flatten_map(inner, &format!("{key}."), settings),
            Json::Null => {}
            other => _ = settings.insert(key, format_value(&serde_json::Value::from(other))),
        }
    }
}

/// Formats a value as it would be written on the command line.
fn value_text(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Boolean(on) => Some(on.to_string()),
        DeValue::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(value_text).collect();
            items.map(|it| it.join(","))
        }
        _ => None,
    }
}

fn line_number(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
