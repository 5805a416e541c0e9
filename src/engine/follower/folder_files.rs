//! Files of the open folder that a change makes it necessary to read although they did not change.

use crate::engine::apply::file_source::FileSource;
use crate::engine::apply::file_source::LoadedEntries;
use crate::engine::follower::Follower;
use crate::engine::follower::missing_files::MissingFiles;
use crate::engine::load::loader;
use crate::engine::load::loader::FileIdentity;
use crate::engine::load::loader::Loader;
use crate::engine::parse::file_parser::EntryReader;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::store::layout::Folder;
use crate::store::read::body_pack::PackedBody;
use crate::store::read::load::FileRef;
use crate::store::read::load::scan_folders;

/// The files of one workspace of the open folder.
pub(crate) struct FolderFiles<'a> {
    follower: &'a Follower,
    known: &'a Snapshot,
    missing: &'a MissingFiles,
}

impl<'a> FolderFiles<'a> {
    /// The files of the workspace of this snapshot. Those that are missing may be back in a moment,
    /// and count as being there.
    pub(crate) fn new(
        follower: &'a Follower,
        known: &'a Snapshot,
        missing: &'a MissingFiles,
    ) -> FolderFiles<'a> {
        FolderFiles { follower, known, missing }
    }

    fn workspace(&self) -> &WorkspaceSlug {
        &self.known.workspace
    }

    /// Lists the files of all entries of a type; nothing, if they cannot be listed now.
    fn list_entry_files(&self, name: &TypeName) -> Option<Vec<FileRef>> {
        let folder = Folder::Entries(self.workspace().clone(), name.clone());
        match scan_folders(&*self.follower.folder.disk, std::slice::from_ref(&folder)) {
            Ok(scan) => Some(scan.into_files().collect()),
            Err(error) => {
                let ws = self.workspace();
                tracing::error!(%error, workspace = %ws, "the entries of `{name}` cannot be listed");
                self.follower.half_loaded_workspaces().insert(ws.clone());
                self.follower.folder.mark_missed(folder);
                None
            }
        }
    }
}

impl FileSource for FolderFiles<'_> {
    fn load_entries(
        &mut self,
        reader: &EntryReader<'_>,
        are_known: &dyn Fn(&EntryId) -> bool,
    ) -> Option<LoadedEntries> {
        let name = &reader.ty.name;
        let mut files = self.list_entry_files(name)?;
        files.retain(|it| !loader::entry_id(it).is_some_and(are_known));
        let missing = self.missing.entries.get(name).into_iter().flatten();
        let missing: Vec<FileRef> =
            missing.filter(|it| files.iter().all(|file| file.key != it.key)).cloned().collect();
        let n_there = files.len();
        files.extend(missing);
        let mut loaded = LoadedEntries::default();
        let loader = Loader::of_folder(&self.follower.folder);
        for (place, (file, read)) in loader.load_entries(reader, files).into_pairs().enumerate() {
            // The last good bodies of those that are missing stand in for a moment, which is no
            // problem yet.
            let problems = if place < n_there { read.problems } else { Vec::new() };
            loaded.problems.push((file.path(), problems));
            match (read.value, read.seen) {
                (Some(doc), _) => loaded.docs.push(doc),
                (None, FileIdentity::Not) => {
                    self.follower.half_loaded_workspaces().insert(self.workspace().clone());
                    return None;
                }
                (None, _) => {}
            }
        }
        Some(loaded)
    }

    fn list_types(&mut self) -> Vec<TypeName> {
        self.known.types().iter().map(|it| it.content_type.name.clone()).collect()
    }

    fn list_entries(&mut self, name: &TypeName) -> Vec<String> {
        let files = self.list_entry_files(name).unwrap_or_default();
        files.iter().map(FileRef::path).collect()
    }

    fn read_last_good(&self, path: &str) -> Option<PackedBody> {
        self.follower.folder.pack.as_ref()?.get(path)
    }
}
