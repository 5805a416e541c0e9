//! Backups: ZIP archives that are laid out as the data folder is, so that whoever unzips one has a
//! data folder.
//!
//! `survey` lists what there is, `packing` writes an archive of one moment, `opened` reads one
//! without believing it, `shelf` is the folder they lie in, `secrets` takes out and puts back what
//! nobody should find in a backup.

pub mod opened;
pub mod packing;
pub mod secrets;
pub mod shelf;
pub mod survey;

use std::collections::BTreeSet;

use crate::model::backup::Part;
use crate::model::name::WorkspaceSlug;
use crate::store::layout::{Folder, Key};

/// What an archive says of itself.
pub const MANIFEST: &str = "recto-backup.json";

/// The SHA-256 of every file, as `sha256sum -c` reads them.
pub const SUMS: &str = "recto-backup.sums";

/// Before the path of a file that could not be restored as it is: kept for people, never restored.
pub const ASIDE: &str = "broken/";

/// Says why bytes cannot be the file of a key, if they cannot: of JSON it is given all of them, of
/// other files the first some thousand.
pub type Judge<'a> = &'a (dyn Fn(&Key, &[u8]) -> Result<(), String> + Sync);

/// Which files are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Of these sorts.
    pub parts: BTreeSet<Part>,
    /// Of these workspaces; of all when not said.
    pub workspaces: Option<BTreeSet<WorkspaceSlug>>,
    /// Whether the settings of the installation are meant as well, if settings are.
    pub of_installation: bool,
}

impl Selection {
    /// These sorts of files; settings of the installation only when no workspaces are named, for
    /// whoever asks for one workspace means nothing beside it.
    pub fn of(parts: BTreeSet<Part>, workspaces: Option<BTreeSet<WorkspaceSlug>>) -> Selection {
        let of_installation = workspaces.is_none();
        Selection { parts, workspaces, of_installation }
    }

    /// Whether a file is meant.
    pub fn holds(&self, key: &Key) -> bool {
        let part = part_of(key);
        let place = match (key.workspace(), &self.workspaces) {
            (Some(ws), Some(some)) => some.contains(ws),
            (Some(_), None) => true,
            (None, _) => part != Part::Settings || self.of_installation,
        };
        place && self.parts.contains(&part)
    }

    /// Whether files in a folder, or below it, can be meant.
    fn reaches(&self, folder: &Folder) -> bool {
        use Folder::{Avatars, Contents, Entries, Media, MediaMeta, Revisions, RevisionsOfAll};
        use Folder::{RevisionsOfType, Roles, Root, Schemas, System, Tokens, Trash, TrashOfAll};
        use Folder::{Users, Workspace, Workspaces};
        let part = match folder {
            Root | Workspaces | Workspace(_) | System => return true,
            Schemas(_) => Part::Schemas,
            Contents(_) | Entries(..) => Part::Content,
            RevisionsOfAll(_) | RevisionsOfType(..) | Revisions(..) => Part::Revisions,
            TrashOfAll(_) | Trash(..) => Part::Trash,
            Media(_) | MediaMeta(_) => Part::Media,
            Users | Avatars => Part::Users,
            Roles => Part::Roles,
            Tokens => Part::Tokens,
        };
        self.parts.contains(&part)
    }
}

/// The sort a file is of. What a workspace says of itself (its label, its order of types, its
/// picture) are settings: who restores content alone keeps them as they are.
pub fn part_of(key: &Key) -> Part {
    match key {
        Key::Schema(..) => Part::Schemas,
        Key::Entry(..) => Part::Content,
        Key::Revision(..) => Part::Revisions,
        Key::Trash(..) => Part::Trash,
        Key::Media(..) | Key::MediaMeta(..) | Key::Categories(_) => Part::Media,
        Key::User(_) | Key::Avatar(_) => Part::Users,
        Key::Role(_) => Part::Roles,
        Key::Token(_) => Part::Tokens,
        Key::Webhooks => Part::Webhooks,
        Key::Workspace(_) | Key::Icon(_) | Key::Settings | Key::Schedule => Part::Settings,
    }
}
