//! Backup archives: ZIP files with the layout of the data folder, so that an extracted archive is a
//! data folder.
//!
//! `survey` lists the files to back up, `packer` packs batches of them, `writer` writes an archive
//! of one moment into an `archive_sink`, `capture` hands one moment to backups that are kept
//! elsewhere, `reader` validates and reads an archive (`inflate` bounds what it decompresses),
//! `folder` manages the stored archives, `restored_folder` is a folder that comes out of a backup
//! kept elsewhere, and `secrets` removes and restores secrets.

mod archive_sink;
pub mod capture;
pub mod folder;
pub(super) mod inflate;
mod packer;
pub mod reader;
pub mod restored_folder;
pub mod secrets;
pub(super) mod shared_file;
pub mod survey;
pub mod writer;

use std::collections::BTreeSet;

use crate::model::backup::BackupPart;
use crate::model::name::WorkspaceSlug;
use crate::store::layout::{Folder, Key};

/// The name of the manifest.
pub const MANIFEST: &str = "recto-backup.json";

/// The name of the file with the SHA-256 of every file, in the format of `sha256sum -c`.
pub const SUMS: &str = "recto-backup.sums";

/// The prefix of files that could not be restored as they are: they are kept for users and never
/// restored.
pub const ASIDE: &str = "broken/";

/// Checks whether bytes are valid as the file of a key, and returns the reason if they are not. It
/// gets all bytes of a JSON file and the first few thousand of other files.
pub type FileValidator<'a> = &'a (dyn Fn(&Key, &[u8]) -> Result<(), String> + Sync);

/// A selection of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupSelection {
    /// The selected parts.
    pub parts: BTreeSet<BackupPart>,
    /// The selected workspaces; `None` selects all.
    pub workspaces: Option<BTreeSet<WorkspaceSlug>>,
    /// True if the settings of the installation are selected as well, provided that settings are.
    pub of_installation: bool,
}

impl BackupSelection {
    /// Selects these parts. The settings of the installation are only included if no workspaces are
    /// named, since a backup of one workspace contains nothing else.
    pub fn new(
        parts: BTreeSet<BackupPart>,
        workspaces: Option<BTreeSet<WorkspaceSlug>>,
    ) -> BackupSelection {
        let of_installation = workspaces.is_none();
        BackupSelection { parts, workspaces, of_installation }
    }

    /// Returns true if the selection includes a file.
    pub fn includes_key(&self, key: &Key) -> bool {
        let part = part_of(key);
        let place = match (key.workspace(), &self.workspaces) {
            (Some(ws), Some(some)) => some.contains(ws),
            (Some(_), None) => true,
            (None, _) => part != BackupPart::Settings || self.of_installation,
        };
        place && self.parts.contains(&part)
    }

    /// Returns true if files in a folder, or below it, can be selected.
    fn reaches_into(&self, folder: &Folder) -> bool {
        use Folder::{Avatars, Change, Changes, Contents, Entries, Media, MediaMeta};
        use Folder::{MediaRevisions, MediaRevisionsOfAll};
        use Folder::{ProposalBases, ProposalBasesOfAll, Proposals, ProposalsOfAll, Revisions};
        use Folder::{RevisionsOfAll, RevisionsOfType, Roles, Root, Schemas, System, Tokens};
        use Folder::{Trash, TrashOfAll, Users, Workspace, Workspaces};
        let part = match folder {
            Root | Workspaces | Workspace(_) | System => return true,
            Schemas(_) => BackupPart::Schemas,
            Contents(_) | Entries(..) => BackupPart::Content,
            Changes(_) | Change(..) | ProposalsOfAll(..) | Proposals(..) => BackupPart::Content,
            ProposalBasesOfAll(..) | ProposalBases(..) => BackupPart::Content,
            RevisionsOfAll(_) | RevisionsOfType(..) | Revisions(..) => BackupPart::Revisions,
            MediaRevisionsOfAll(_) | MediaRevisions(..) => BackupPart::Revisions,
            TrashOfAll(_) | Trash(..) => BackupPart::Trash,
            Media(_) | MediaMeta(_) => BackupPart::Media,
            Users | Avatars => BackupPart::Users,
            Roles => BackupPart::Roles,
            Tokens => BackupPart::Tokens,
        };
        self.parts.contains(&part)
    }
}

/// Returns the part that a file belongs to. The label, the order of types and the picture of a
/// workspace are settings: a restore of content alone keeps them.
pub fn part_of(key: &Key) -> BackupPart {
    match key {
        Key::Schema(..) => BackupPart::Schemas,
        Key::Entry(..) | Key::Change(..) => BackupPart::Content,
        Key::Proposal(..) | Key::ProposalBase(..) => BackupPart::Content,
        Key::Revision(..) | Key::MediaRevision(..) => BackupPart::Revisions,
        Key::Trash(..) => BackupPart::Trash,
        Key::Media(..) | Key::MediaMeta(..) | Key::Categories(_) => BackupPart::Media,
        Key::User(_) | Key::Avatar(_) => BackupPart::Users,
        Key::Role(_) => BackupPart::Roles,
        Key::Token(_) => BackupPart::Tokens,
        Key::Webhooks => BackupPart::Webhooks,
        Key::Workspace(_) | Key::Icon(_) | Key::Settings | Key::Schedule => BackupPart::Settings,
    }
}
