//! Backups: their parts, names and manifests.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;

use crate::model::name::NameError;
use crate::model::name::WorkspaceSlug;
use crate::stdx::text_enum::text_enum;
use crate::stdx::time::Timestamp;

/// The format version of the archives that this version writes.
pub const FORMAT: u32 = 1;

/// The longest note, in characters.
pub const NOTE_CHARS_MAX: usize = 500;

/// The warning shown to a user who asks for a full backup without choosing parts.
pub const PERSONAL_DATA: &str =
    "This backup contains personal data: the user accounts, with names and e-mail addresses.";

/// The maximum length of a backup's name. It leaves room for a number before the extension.
const NAME_BYTES_MAX: usize = 120;

/// The file extension of backups.
const ENDING: &str = ".zip";

text_enum! {
    /// A kind of file that can be backed up and restored on its own.
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum BackupPart {
        /// The definitions of content types.
        Schemas = "schemas",
        /// Entries.
        Content = "content",
        /// Earlier states of entries.
        Revisions = "revisions",
        /// Deleted entries.
        Trash = "trash",
        /// Media files, their metadata and categories.
        Media = "media",
        /// Users and their pictures.
        Users = "users",
        /// Roles.
        Roles = "roles",
        /// API tokens.
        Tokens = "tokens",
        /// Webhooks.
        Webhooks = "webhooks",
        /// Settings of the workspaces and of the installation.
        Settings = "settings",
    }
}

impl BackupPart {
    /// The parts that the interface preselects for a restore: none that grant access, and none that
    /// send requests to other servers.
    pub const RESTORED_BY_DEFAULT: [BackupPart; 6] = [
        BackupPart::Schemas,
        BackupPart::Content,
        BackupPart::Revisions,
        BackupPart::Trash,
        BackupPart::Media,
        BackupPart::Settings,
    ];

    /// Returns true if files of this part contain hashes or secrets.
    pub fn holds_secrets(self) -> bool {
        matches!(self, BackupPart::Users | BackupPart::Tokens | BackupPart::Webhooks)
    }

    /// Returns true if files of this part determine who has access to what.
    pub fn grants_access(self) -> bool {
        matches!(self, BackupPart::Users | BackupPart::Roles | BackupPart::Tokens)
    }
}

/// The number of files by part, for the schemas of replies. The numbers are kept in maps.
pub struct BackupCounts;

impl JsonSchema for BackupCounts {
    fn schema_name() -> Cow<'static, str> {
        "BackupCounts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "The number of files by part.",
            "propertyNames": generator.subschema_for::<BackupPart>(),
            "additionalProperties": { "type": "integer", "minimum": 0 },
        })
    }
}

/// The name of a backup: its file name, including `.zip`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct BackupName(String);

impl BackupName {
    /// Parses a name. The text is taken exactly as written or rejected.
    pub fn parse(text: &str) -> Result<BackupName, NameError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let stem = text.strip_suffix(ENDING).unwrap_or_default();
        let fits = !stem.is_empty()
            && text.len() <= NAME_BYTES_MAX
            && !text.starts_with(['.', '-'])
            && text.bytes().all(plain);
        if fits { Ok(BackupName(text.to_string())) } else { Err(INVALID_NAME) }
    }

    /// Returns the name of a backup made at `at`; `why` marks automatic backups.
    pub fn from_time(at: Timestamp, why: Option<&str>) -> BackupName {
        let digits = |it: &char| it.is_ascii_digit() || *it == '-';
        let text = at.to_string();
        let (date, time) = text.split_once('T').unwrap_or((&text, ""));
        let date: String = date.chars().filter(digits).collect();
        let time: String = time.chars().filter(char::is_ascii_digit).take(6).collect();
        let why = why.map(|it| format!("-{it}")).unwrap_or_default();
        BackupName(format!("{date}-{time}{why}{ENDING}"))
    }

    /// Derives a valid name from the name of an uploaded file. Characters that are not allowed in a
    /// name are dropped.
    pub fn from_original(original: &str, now: Timestamp) -> BackupName {
        let name = original.rsplit(['/', '\\']).next().unwrap_or_default();
        let plain = |it: &char| it.is_ascii_alphanumeric() || "._-".contains(*it);
        let stem = name.strip_suffix(ENDING).unwrap_or(name);
        let stem: String = stem.chars().filter(plain).take(NAME_BYTES_MAX - 20).collect();
        let stem = stem.trim_start_matches(['.', '-']);
        BackupName::parse(&format!("{stem}{ENDING}"))
            .unwrap_or_else(|_| BackupName::from_time(now, None))
    }

    /// Returns this name with a number appended, for use if the name is taken.
    pub fn with_number(&self, number: usize) -> BackupName {
        let stem = self.0.strip_suffix(ENDING).unwrap_or(&self.0);
        BackupName(format!("{stem}-{number}{ENDING}"))
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const INVALID_NAME: NameError = NameError::new(
    "The name of a backup must consist of letters, digits, dots, hyphens and underscores, and end \
     with .zip.",
);

/// A defect of a file in an archive, or of a file that could not be archived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BackupFlaw")]
pub struct ArchiveDefect {
    /// The path of the file; empty for the archive itself.
    pub path: String,
    /// The description, one sentence.
    pub message: String,
}

impl ArchiveDefect {
    /// Creates a defect.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> ArchiveDefect {
        ArchiveDefect { path: path.into(), message: message.into() }
    }
}

/// The program that wrote an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Generator {
    /// The name of the program.
    pub name: String,
    /// The version of the program.
    pub version: String,
}

/// The manifest of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = remove_defaults)]
pub struct BackupManifest {
    /// The format version of the archive.
    pub format: u32,
    /// The program that wrote the archive.
    pub generator: Generator,
    /// The time of the backup.
    pub created_at: String,
    /// The id of the user who requested the backup, if known.
    #[serde(default)]
    pub created_by: Option<String>,
    /// The user's note.
    #[serde(default)]
    pub note: String,
    /// The parts that were backed up completely.
    #[schemars(with = "Vec<BackupPart>")]
    pub parts: BTreeSet<BackupPart>,
    /// The workspaces that were backed up.
    #[schemars(with = "Vec<String>")]
    pub workspaces: BTreeSet<String>,
    /// True if the backup was limited to these workspaces. Otherwise it includes the settings of
    /// the installation.
    #[serde(default)]
    pub some_workspaces: bool,
    /// True if the archive contains hashes and secrets.
    #[serde(default)]
    pub secrets: bool,
    /// The number of files per part.
    #[schemars(with = "BackupCounts")]
    pub counts: BTreeMap<BackupPart, u64>,
    /// The total size of the files in bytes.
    pub bytes: u64,
    /// The SHA-256 of the file that lists the checksums of all other files.
    pub sums_sha256: String,
    /// The problems found while the backup was made.
    #[serde(default)]
    pub problems: Vec<ArchiveDefect>,
}

/// Removes the defaults from the schema of a manifest: they are for archives that lack a member,
/// while replies contain all members.
fn remove_defaults(schema: &mut Schema) {
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    for member in members.into_iter().flat_map(|it| it.values_mut()) {
        if let Some(member) = member.as_object_mut() {
            member.remove("default");
        }
    }
}

impl BackupManifest {
    /// Returns the workspaces as parsed slugs.
    pub fn workspace_slugs(&self) -> BTreeSet<WorkspaceSlug> {
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
        let name = BackupName::from_time(at, None);
        assert_eq!(name.as_str(), "2026-05-03-120405.zip");
        assert_eq!(name.with_number(2).as_str(), "2026-05-03-120405-2.zip");
        let safe = BackupName::from_time(at, Some("before-restore"));
        assert_eq!(safe.as_str(), "2026-05-03-120405-before-restore.zip");
        let check = |original: &str, expect: &str| {
            assert_eq!(BackupName::from_original(original, at).as_str(), expect, "{original}");
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
        for part in BackupPart::ALL {
            assert_eq!(BackupPart::parse(part.as_str()), Some(part));
            assert_eq!(serde_json::to_value(part).unwrap(), part.as_str());
        }
        assert!(BackupPart::RESTORED_BY_DEFAULT.iter().all(|it| !it.grants_access()));
    }
}
