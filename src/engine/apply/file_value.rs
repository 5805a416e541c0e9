//! The value of a changed file that holds one thing: a schema, a workspace, a list of categories.

use crate::engine::apply::effects::Effects;
use crate::engine::apply::file_source::FileSource;
use crate::engine::parse::file_parser::ReadFile;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

/// The value of a changed file.
pub(super) enum FileValue<T> {
    /// The file is gone.
    Absent,
    /// Its content as it is now.
    Parsed(T),
    /// It cannot be parsed, and is served as it was.
    Previous(T),
    /// It cannot be parsed, and it is not known how it was.
    Unserved,
}

impl<T> FileValue<T> {
    /// The value, if there is one.
    pub(super) fn into_value(self) -> Option<T> {
        match self {
            FileValue::Parsed(value) | FileValue::Previous(value) => Some(value),
            FileValue::Absent | FileValue::Unserved => None,
        }
    }
}

/// Parses a changed file. Where it cannot be parsed, its previous value or its last good body
/// stands in.
pub(super) fn parse_state<'s, T>(
    change: &'s FileChange,
    previous: Option<T>,
    files: &impl FileSource,
    effects: &mut Effects<'s>,
    parse: impl Fn(&str, &[u8]) -> ReadFile<T>,
) -> FileValue<T> {
    let path = &change.path;
    match &change.now {
        SweptFile::Missing => return FileValue::Absent,
        SweptFile::Read { content, .. } => {
            let ReadFile { value, problems } = parse(path, content);
            let falls_back = problems.iter().any(|it| it.kind.falls_back());
            effects.set_problems(path, problems);
            if let Some(value) = value {
                effects.accepted.push(change);
                return FileValue::Parsed(value);
            }
            if !falls_back {
                effects.unserved.push(change);
                return previous.map_or(FileValue::Unserved, FileValue::Previous);
            }
        }
        SweptFile::Unreadable(_) | SweptFile::Seen(_) => {}
    }
    let last_good = || files.read_last_good(path).and_then(|it| parse(path, &it.bytes).value);
    if let Some(value) = previous.or_else(last_good) {
        return FileValue::Previous(value);
    }
    effects.unserved.push(change);
    FileValue::Unserved
}
