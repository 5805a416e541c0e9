//! Backups: what they are made of, how they are called, and what they say of themselves.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde::Deserialize;
use serde::Serialize;

use crate::model::name::NameError;
use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;

/// The format of the archives written here.
pub const FORMAT: u32 = 1;

/// The longest note, in characters.
pub const NOTE_CHARS_MAX: usize = 500;

/// What somebody who names no parts should know about a backup of everything.
pub const PERSONAL_DATA: &str =
    "This backup holds people's data: the accounts, with names and e-mail addresses.";

/// The longest name of a backup: short enough for a number to be put before its ending.
const NAME_BYTES_MAX: usize = 120;

/// What names of backups end with.
const ENDING: &str = ".zip";

/// A sort of files that can be backed up and restored by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The definitions of content types.
    Schemas,
    /// Entries.
    Content,
    /// Earlier states of entries.
    Revisions,
    /// Deleted entries.
    Trash,
    /// Media files, what is said of them, and their categories.
    Media,
    /// Users and their pictures.
    Users,
    /// Roles.
    Roles,
    /// API tokens.
    Tokens,
    /// Webhooks.
    Webhooks,
    /// What a workspace says of itself, and settings of the installation.
    Settings,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 10] = [
        Part::Schemas,
        Part::Content,
        Part::Revisions,
        Part::Trash,
        Part::Media,
        Part::Users,
        Part::Roles,
        Part::Tokens,
        Part::Webhooks,
        Part::Settings,
    ];

    /// What the interface offers to restore at first: nothing that says who may do what, and nothing that
    /// calls others.
    pub const RESTORED_BY_DEFAULT: [Part; 6] =
        [Part::Schemas, Part::Content, Part::Revisions, Part::Trash, Part::Media, Part::Settings];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Schemas => "schemas",
            Part::Content => "content",
            Part::Revisions => "revisions",
            Part::Trash => "trash",
            Part::Media => "media",
            Part::Users => "users",
            Part::Roles => "roles",
            Part::Tokens => "tokens",
            Part::Webhooks => "webhooks",
            Part::Settings => "settings",
        }
    }

    /// The part of that name.
    pub fn parse(text: &str) -> Option<Part> {
        Part::ALL.into_iter().find(|it| it.as_str() == text)
    }

    /// Whether files of it hold hashes or secrets.
    pub fn holds_secrets(self) -> bool {
        matches!(self, Part::Users | Part::Tokens | Part::Webhooks)
    }

    /// Whether it says who may do what.
    pub fn grants(self) -> bool {
        matches!(self, Part::Users | Part::Roles | Part::Tokens)
    }
}

/// The name of a backup: of its file, `.zip` included.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct BackupName(String);

impl BackupName {
    /// Takes the text if it is such a name, exactly as written.
    pub fn parse(text: &str) -> Result<BackupName, NameError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let stem = text.strip_suffix(ENDING).unwrap_or_default();
        let fits = !stem.is_empty()
            && text.len() <= NAME_BYTES_MAX
            && !text.starts_with(['.', '-'])
            && text.bytes().all(plain);
        if fits { Ok(BackupName(text.to_string())) } else { Err(INVALID_NAME) }
    }

    /// The name of a backup made at a time; `why` tells those apart that make themselves.
    pub fn of(at: Timestamp, why: Option<&str>) -> BackupName {
        let digits = |it: &char| it.is_ascii_digit() || *it == '-';
        let text = at.to_string();
        let (date, time) = text.split_once('T').unwrap_or((&text, ""));
        let date: String = date.chars().filter(digits).collect();
        let time: String = time.chars().filter(char::is_ascii_digit).take(6).collect();
        let why = why.map(|it| format!("-{it}")).unwrap_or_default();
        BackupName(format!("{date}-{time}{why}{ENDING}"))
    }

    /// What somebody's file is called here: what cannot stand in a name is left out.
    pub fn resembling(original: &str, now: Timestamp) -> BackupName {
        let name = original.rsplit(['/', '\\']).next().unwrap_or_default();
        let plain = |it: &char| it.is_ascii_alphanumeric() || "._-".contains(*it);
        let stem = name.strip_suffix(ENDING).unwrap_or(name);
        let stem: String = stem.chars().filter(plain).take(NAME_BYTES_MAX - 20).collect();
        let stem = stem.trim_start_matches(['.', '-']);
        BackupName::parse(&format!("{stem}{ENDING}")).unwrap_or_else(|_| BackupName::of(now, None))
    }

    /// The same with a number, for when the name is taken.
    pub fn numbered(&self, number: usize) -> BackupName {
        let stem = self.0.strip_suffix(ENDING).unwrap_or(&self.0);
        BackupName(format!("{stem}-{number}{ENDING}"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const INVALID_NAME: NameError = NameError::new(
    "The name of a backup is made of letters, digits, dots, hyphens and underscores, and ends with .zip.",
);

/// What is wrong with a file of an archive, or was with one that should have come into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaw {
    /// Which file; empty for the archive itself.
    pub path: String,
    /// A sentence.
    pub message: String,
}

impl Flaw {
    /// Something wrong with a file.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Flaw {
        Flaw { path: path.into(), message: message.into() }
    }
}

/// Who wrote an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {
    /// The program.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a backup says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format of the archive.
    pub format: u32,
    /// Who wrote it.
    pub generator: Generator,
    /// When.
    pub created_at: String,
    /// Who asked for it: a user's id, or nobody that is known.
    #[serde(default)]
    pub created_by: Option<String>,
    /// What somebody wanted to remember.
    #[serde(default)]
    pub note: String,
    /// What was backed up, in full.
    pub parts: BTreeSet<Part>,
    /// Of which workspaces.
    pub workspaces: BTreeSet<String>,
    /// Whether only those workspaces were asked for; else the settings of the installation are there
    /// as well.
    #[serde(default)]
    pub some_workspaces: bool,
    /// Whether hashes and secrets are in it.
    #[serde(default)]
    pub secrets: bool,
    /// How many files there are of each part.
    pub counts: BTreeMap<Part, u64>,
    /// How many bytes they have.
    pub bytes: u64,
    /// The SHA-256 of the file with the sums of all others.
    pub sums_sha256: String,
    /// What could not be backed up as it should.
    #[serde(default)]
    pub problems: Vec<Flaw>,
}

impl Manifest {
    /// The workspaces it has, as names.
    pub fn workspaces(&self) -> BTreeSet<WorkspaceSlug> {
        self.workspaces.iter().filter_map(|it| WorkspaceSlug::parse(it).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |text: &str, expect: bool| {
            assert_eq!(BackupName::parse(text).is_ok(), expect, "{text}");
        };
        check("2026-05-03-120000.zip", true);
        check("a_B.1.zip", true);
        for text in ["", ".zip", "a", "a.ZIP", "..zip", ".a.zip", "-a.zip", "a b.zip", "a/b.zip"] {
            check(text, false);
        }
        for text in ["../a.zip", "a\\b.zip", "ä.zip", "a\0.zip", "a\n.zip", "a.zip/"] {
            check(text, false);
        }
        check(&format!("{}.zip", "a".repeat(116)), true);
        check(&format!("{}.zip", "a".repeat(117)), false);
    }

    #[test]
    fn names_are_made() {
        let at = Timestamp::parse("2026-05-03T12:04:05Z").unwrap();
        let name = BackupName::of(at, None);
        assert_eq!(name.as_str(), "2026-05-03-120405.zip");
        assert_eq!(name.numbered(2).as_str(), "2026-05-03-120405-2.zip");
        let safe = BackupName::of(at, Some("before-restore"));
        assert_eq!(safe.as_str(), "2026-05-03-120405-before-restore.zip");
        let check = |original: &str, expect: &str| {
            assert_eq!(BackupName::resembling(original, at).as_str(), expect, "{original}");
        };
        check("site.zip", "site.zip");
        check("My site (1).zip", "Mysite1.zip");
        check("../../etc/passwd", "passwd.zip");
        check("C:\\x\\y.zip", "y.zip");
        check("...zip", "2026-05-03-120405.zip");
        check("日本.zip", "2026-05-03-120405.zip");
        check(&"x".repeat(400), &format!("{}.zip", "x".repeat(100)));
    }

    #[test]
    fn parts_are_called_as_they_are_written() {
        for part in Part::ALL {
            assert_eq!(Part::parse(part.as_str()), Some(part));
            assert_eq!(serde_json::to_value(part).unwrap(), part.as_str());
        }
        assert!(Part::RESTORED_BY_DEFAULT.iter().all(|it| !it.grants()));
    }
}
