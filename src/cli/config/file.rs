//! The settings in files: `recto.toml`, which people write, and `system/settings.json`, which the
//! interface writes.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::DeTable;
use toml::de::DeValue;

use crate::cli::config::SETTINGS;
use crate::cli::config::Setting;
use crate::cli::config::Source;
use crate::cli::error::Error;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The name of the file that people write.
pub const FILE_NAME: &str = "recto.toml";

/// A `recto.toml`, its settings as texts.
#[derive(Debug, Default)]
pub(super) struct File {
    path: PathBuf,
    /// Text and line by key.
    settings: HashMap<String, (String, usize)>,
}

impl File {
    pub(super) fn get(&self, setting: &Setting) -> Option<(String, Source)> {
        let (text, line) = self.settings.get(setting.key)?;
        Some((text.clone(), Source::File(self.path.clone(), *line)))
    }

    /// Settings that nobody knows are refused: most of them are misspelt.
    fn collect(&mut self, text: &str, prefix: &str, table: &DeTable<'_>) -> Result<(), Error> {
        for (name, value) in table {
            let key = format!("{prefix}{}", name.get_ref());
            let line = line(text, name.span().start);
            if let DeValue::Table(inner) = value.get_ref() {
                self.collect(text, &format!("{key}."), inner)?;
                continue;
            }
            if !SETTINGS.iter().any(|setting| setting.key == key) {
                return Err(self.error(line, format!("there is no setting `{key}`")));
            }
            let Some(value) = text_of(value) else {
                let problem =
                    format!("`{key}` is a text, a whole number, true or false, or a list");
                return Err(self.error(line, problem));
            };
            self.settings.insert(key, (value, line));
        }
        Ok(())
    }

    fn error(&self, line: usize, problem: impl std::fmt::Display) -> Error {
        Error::usage(format!("{}:{line}: {problem}", self.path.display()))
    }
}

/// Reads a `recto.toml`, if it is there.
pub(super) fn read(path: &Path) -> Result<Option<File>, Error> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if is_absence(&error) => return Ok(None),
        Err(error) => return Err(Error::usage(format!("cannot read {}: {error}", path.display()))),
    };
    let mut file = File { path: path.to_path_buf(), settings: HashMap::new() };
    let table = DeTable::parse(&text).map_err(|error| {
        let line = line(&text, error.span().unwrap_or_default().start);
        file.error(line, error.message())
    })?;
    file.collect(&text, "", table.get_ref())?;
    Ok(Some(file))
}

/// Reads the one in the data folder. It cannot say where the data folder is, unless it is the one
/// in the working folder at the same time.
pub(super) fn read_in_data_folder(
    folder: &Path,
    at_work: Option<&File>,
) -> Result<Option<File>, Error> {
    let path = folder.join(FILE_NAME);
    let same = |one: &Path| {
        one.canonicalize().is_ok_and(|one| path.canonicalize().is_ok_and(|other| one == other))
    };
    if at_work.is_some_and(|file| same(&file.path)) {
        return Ok(None);
    }
    let file = read(&path)?;
    if let Some(file) = &file
        && let Some((_, line)) = file.settings.get("data")
    {
        return Err(file.error(*line, "`data` cannot be set inside of the data folder"));
    }
    Ok(file)
}

/// What the interface saved, as texts by key. A file that cannot be read is a warning: people who
/// cannot start the server cannot mend it in the interface either.
pub(super) fn read_interface(folder: &Path, warnings: &mut Vec<String>) -> HashMap<String, String> {
    let path = interface_path();
    let mut settings = HashMap::new();
    match std::fs::read(folder.join(&path)) {
        Err(error) if is_absence(&error) => {}
        Err(error) => warnings.push(format!("cannot read {path}: {error}")),
        Ok(bytes) => match Json::parse(&bytes) {
            Ok(Json::Object(map)) => flatten(&map, "", &mut settings),
            Ok(_) => warnings.push(format!("{path} holds no object and is ignored")),
            Err(error) => warnings.push(format!("{path} is ignored: {error}")),
        },
    }
    settings
}

pub(super) fn interface_path() -> String {
    Key::Settings.path()
}

fn flatten(map: &Map, prefix: &str, settings: &mut HashMap<String, String>) {
    for (name, value) in map.iter() {
        let key = format!("{prefix}{name}");
        match value {
            Json::Object(inner) => flatten(inner, &format!("{key}."), settings),
            Json::Null => {}
            other => _ = settings.insert(key, super::text(&serde_json::Value::from(other))),
        }
    }
}

/// A value as it would stand on the command line.
fn text_of(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Boolean(on) => Some(on.to_string()),
        DeValue::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(text_of).collect();
            items.map(|it| it.join(","))
        }
        _ => None,
    }
}

fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
