//! A restore under way: what is in the archive, what is there, and what is to happen.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io::Read;
use std::io::Write as _;

use sha2::Digest;
use sha2::Sha256;

use crate::engine::backups::entry_cleaner::EntryCleaner;
use crate::engine::backups::file_check::find_stored_defect;
use crate::engine::backups::request::BackupError;
use crate::engine::backups::request::BackupRequest;
use crate::engine::backups::restore_request::GrantedRights;
use crate::engine::backups::restore_request::RestoreReport;
use crate::engine::backups::restore_request::RestoreRequest;
use crate::engine::backups::restore_request::RestoredChange;
use crate::engine::backups::restore_request::RightsCheck;
use crate::engine::backups::restored_users::find_user_defects;
use crate::engine::backups::restored_users::is_name_taken;
use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::records::Records;
use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupName;
use crate::model::backup::BackupPart;
use crate::model::grant::Grant;
use crate::model::input::ObjectReader;
use crate::model::name::EntryId;
use crate::model::people::role;
use crate::model::people::role::RoleRecord;
use crate::model::people::user::UserRecord;
use crate::stdx::json::Json;
use crate::store::archive::BackupSelection;
use crate::store::archive::part_of;
use crate::store::archive::reader::ArchiveFile;
use crate::store::archive::reader::ArchiveReader;
use crate::store::archive::reader::DEFECTS_MAX;
use crate::store::archive::secrets;
use crate::store::archive::survey::BackupScope;
use crate::store::archive::survey::SurveyedFile;
use crate::store::archive::survey::list_files;
use crate::store::codec;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::write::journal::JournalError;
use crate::store::write::journal::StagedChange;
use crate::store::write::journal::StagedFile;

/// A file of the archive on its way.
struct RestoreItem {
    item: ArchiveFile,
    part: BackupPart,
    seen: CurrentFile,
    waiting: Option<StagedFile>,
    /// True if the HTML of the waiting file was cleaned.
    is_cleaned: bool,
}

/// The file that is in the place of one to be restored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CurrentFile {
    Missing,
    /// The very bytes.
    Same(Stat),
    Other(Stat),
}

/// A restore under way.
pub(crate) struct RestoreJob<'a> {
    folder: &'a OpenFolder,
    records: &'a Records,
    opened: ArchiveReader,
    order: &'a RestoreRequest,
    pub(crate) selection: BackupSelection,
    cleaner: Option<EntryCleaner>,
    n_cleaned: usize,
    pieces: Vec<RestoreItem>,
    staged: Option<StagedChange<'a>>,
    pub(crate) done: RestoreReport,
    pub(crate) handed: GrantedRights,
    /// The users who come or change, as they will be.
    users: BTreeMap<EntryId, UserRecord>,
    /// Every path that becomes another.
    pub(crate) touched: Vec<SurveyedFile>,
}

impl<'a> RestoreJob<'a> {
    pub(crate) fn new(
        folder: &'a OpenFolder,
        records: &'a Records,
        opened: ArchiveReader,
        order: &'a RestoreRequest,
        selection: BackupSelection,
        cleaner: Option<EntryCleaner>,
    ) -> RestoreJob<'a> {
        let items = opened.list_files().filter(|it| selection.includes_key(&it.key)).cloned();
        let piece = |item: ArchiveFile| {
            let (part, seen) = (part_of(&item.key), CurrentFile::Missing);
            RestoreItem { item, part, seen, waiting: None, is_cleaned: false }
        };
        let pieces = items.map(piece).collect();
        RestoreJob {
            folder,
            records,
            opened,
            order,
            selection,
            cleaner,
            n_cleaned: 0,
            pieces,
            staged: None,
            done: RestoreReport::default(),
            handed: GrantedRights::default(),
            users: BTreeMap::new(),
            touched: Vec::new(),
        }
    }

    fn disk(&self) -> &'a dyn Disk {
        &*self.folder.disk
    }

    /// A backup of what may be lost, and of all that belongs to it.
    pub(crate) fn safety_backup(&self, name: &BackupName) -> BackupRequest {
        BackupRequest {
            parts: self.selection.parts.clone(),
            workspaces: (!self.selection.of_installation)
                .then(|| self.selection.workspaces.clone())
                .flatten(),
            secrets: true,
            note: format!("The state before {} was restored.", name.as_str()),
            created_by: self.order.created_by.clone(),
        }
    }

    /// Reports what would happen, and changes nothing.
    pub(crate) fn dry_run(mut self, check: RightsCheck<'_>) -> Result<RestoreReport, BackupError> {
        self.opened.reset_budget();
        for index in 0..self.pieces.len() {
            self.inspect_target(index)?;
        }
        self.plan_changes()?;
        check(&self.handed)?;
        Ok(self.done)
    }

    /// Writes the files that will be needed below the journal, where they wait.
    pub(crate) fn stage_files(&mut self) -> Result<(), BackupError> {
        let id = self.folder.new_id();
        self.staged = Some(StagedChange::new(self.disk(), id.as_str())?);
        self.opened.reset_budget();
        for index in 0..self.pieces.len() {
            self.inspect_target(index)?;
            let is_needed = match self.pieces.get(index).map(|it| it.seen) {
                Some(CurrentFile::Missing) => true,
                Some(CurrentFile::Other(_)) => self.order.overwrite,
                _ => false,
            };
            if is_needed {
                self.extract_file(index)?;
            }
        }
        match &mut self.staged {
            Some(staged) => Ok(staged.sync_staged()?),
            None => Ok(()),
        }
    }

    /// Inspects the file in the place of a piece.
    fn inspect_target(&mut self, index: usize) -> Result<(), BackupError> {
        let Some(piece) = self.pieces.get(index) else { return Ok(()) };
        let item = piece.item.clone();
        let found = match self.disk().stat(&item.path) {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.set_current(index, CurrentFile::Missing);
                return Ok(());
            }
            Err(error) => return Err(StoreError::io("look at", item.path)(error).into()),
        };
        let needs_merge = secrets::has_secrets(&item.key) && !self.opened.manifest().secrets;
        let seen = if found.kind != disk::FileKind::File {
            return Err(ArchiveDefect::new(
                &*item.path,
                "Something other than a file is in its place.",
            )
            .into());
        } else if !needs_merge && found.stat.size != item.size {
            CurrentFile::Other(found.stat)
        } else if item.key.is_json() {
            let mut there = Vec::new();
            let stat = match self.disk().read(&item.path, &mut there) {
                Ok(stat) => stat,
                Err(error) => return Err(unreadable_file(&item.path, error)),
            };
            let wanted = if needs_merge {
                let bytes = self.opened.read_whole(&item)?;
                secrets::restore_secrets(&item.key, &bytes, Some(&there)) == there
            } else {
                *item.sha256() == <[u8; 32]>::from(Sha256::digest(&there))
            };
            if wanted { CurrentFile::Same(stat) } else { CurrentFile::Other(stat) }
        } else {
            let (file, stat) =
                self.disk().open(&item.path).map_err(|error| unreadable_file(&item.path, error))?;
            let sum = hash_file(file).map_err(StoreError::io("read", item.path.as_str()))?;
            if sum == *item.sha256() { CurrentFile::Same(stat) } else { CurrentFile::Other(stat) }
        };
        self.set_current(index, seen);
        Ok(())
    }

    fn set_current(&mut self, index: usize, seen: CurrentFile) {
        if let Some(piece) = self.pieces.get_mut(index) {
            piece.seen = seen;
        }
    }

    /// Takes a piece out of the archive.
    fn extract_file(&mut self, index: usize) -> Result<(), BackupError> {
        let (Some(piece), Some(staged)) = (self.pieces.get_mut(index), &mut self.staged) else {
            return Ok(());
        };
        let (item, disk) = (&piece.item, &self.folder.disk);
        let waiting = if item.key.is_json() {
            let mut bytes = self.opened.read_whole(item)?;
            if secrets::has_secrets(&item.key) && !self.opened.manifest().secrets {
                let mut there = Vec::new();
                let there = disk.read(&item.path, &mut there).is_ok().then_some(there);
                bytes = secrets::restore_secrets(&item.key, &bytes, there.as_deref());
            }
            let cleaner = self.cleaner.as_ref();
            if let Some(cleaned) = cleaner.and_then(|it| it.clean_file(&item.key, &bytes)) {
                bytes = cleaned;
                piece.is_cleaned = true;
            }
            staged.write_file(&item.path, &bytes)?
        } else {
            let (waiting, mut file) = staged.create_for(&item.path)?;
            let write = |bytes: &[u8]| {
                file.write_all(bytes).map_err(StoreError::io("write", item.path.as_str()))
            };
            self.opened.read_chunks(item, write)?;
            waiting
        };
        piece.waiting = Some(waiting);
        Ok(())
    }

    /// Compares the folder at this moment with what is wanted, and plans the changes.
    pub(crate) fn plan_changes(&mut self) -> Result<(), BackupError> {
        let mut there = self.list_existing()?;
        let mut folded: BTreeMap<String, String> =
            there.keys().map(|path| (path.to_lowercase(), path.clone())).collect();
        let namesakes = self.find_namesakes()?;
        for index in 0..self.pieces.len() {
            let Some(piece) = self.pieces.get(index) else { continue };
            let (item, part) = (piece.item.clone(), piece.part);
            let found = there.remove(&item.path);
            let known = match piece.seen {
                CurrentFile::Missing => None,
                CurrentFile::Same(stat) | CurrentFile::Other(stat) => Some(stat),
            };
            if found.as_ref().map(|it| it.stat) != known {
                self.inspect_target(index)?;
                self.discard_extracted(index);
            }
            if found.is_some() {
                _ = folded.remove(&item.path.to_lowercase());
            }
            let twin = folded.get(&item.path.to_lowercase()).cloned();
            let is_wanted = !self.leave_out_namesake(&namesakes, &item);
            match (is_wanted && self.should_restore(index, twin), &found) {
                (true, _) => self.restore_file(index, item, part, found)?,
                (false, _) => *self.done.skipped.entry(part).or_default() += 1,
            }
        }
        if self.order.overwrite {
            self.check_admin_remains()?;
            self.remove_extra_files(there.into_values())?;
        }
        let installation = self.records.installation();
        self.handed.user_defects = find_user_defects(&installation, &self.users, &self.handed);
        Ok(())
    }

    /// Checks that an administrator can still log in, if one can now.
    fn check_admin_remains(&mut self) -> Result<(), BackupError> {
        if !self.selection.parts.contains(&BackupPart::Users) {
            return Ok(());
        }
        let can = |user: &UserRecord| user.role.as_str() == role::ADMIN && user.password.is_some();
        for item in self.list_users() {
            let Key::User(id) = &item.key else { continue };
            let (bytes, mut there) = (self.opened.read_whole(&item)?, Vec::new());
            let there = self.disk().read(&item.path, &mut there).is_ok().then_some(there);
            let bytes = secrets::restore_secrets(&item.key, &bytes, there.as_deref());
            if parse_user(id, &item.path, &bytes).is_some_and(|it| can(&it)) {
                return Ok(());
            }
        }
        if self.records.installation().users().any(|it| can(&it.record)) {
            let message = "After this restore, no administrator could log in.";
            return Err(ArchiveDefect::new(Folder::Users.path(), message).into());
        }
        if self.pieces.iter().any(|it| matches!(it.item.key, Key::User(_))) {
            let message = "No administrator can log in now. Give one a password: `recto user \
                 reset-password`.";
            self.done.problems.push(ArchiveDefect::new(Folder::Users.path(), message));
        }
        Ok(())
    }

    fn list_users(&self) -> Vec<ArchiveFile> {
        let items = self.pieces.iter().map(|it| &it.item);
        items.filter(|it| matches!(it.key, Key::User(_))).cloned().collect()
    }

    /// Finds the users who are not here and whose user name somebody here has, with that name. They
    /// are only left out if nothing that is here is replaced.
    fn find_namesakes(&mut self) -> Result<BTreeMap<EntryId, String>, BackupError> {
        let mut namesakes = BTreeMap::new();
        if self.order.overwrite {
            return Ok(namesakes);
        }
        let installation = self.records.installation();
        for item in self.list_users() {
            let Key::User(id) = &item.key else { continue };
            if installation.user(id.as_str()).is_some() {
                continue;
            }
            let bytes = self.opened.read_whole(&item)?;
            let user = parse_user(id, &item.path, &bytes);
            if let Some(user) = user.filter(|it| is_name_taken(&installation, it)) {
                namesakes.insert(id.clone(), user.username);
            }
        }
        Ok(namesakes)
    }

    /// Returns true for the files of a user who is left out. The report says so once.
    fn leave_out_namesake(
        &mut self,
        namesakes: &BTreeMap<EntryId, String>,
        item: &ArchiveFile,
    ) -> bool {
        let (Key::User(id) | Key::Avatar(id)) = &item.key else { return false };
        let Some(name) = namesakes.get(id) else { return false };
        if matches!(item.key, Key::User(_)) {
            // Only whoever may create users learns which names are taken.
            self.handed.record_change(&item.key, RestoredChange::Created);
            let message = format!("Not restored: another user has the user name `{name}`.");
            self.done.problems.push(ArchiveDefect::new(&*item.path, message));
        }
        true
    }

    /// Lists the existing files that the restore could replace.
    fn list_existing(&self) -> Result<BTreeMap<String, SurveyedFile>, BackupError> {
        let mut there = BTreeMap::new();
        for scope in BackupScope::list_scopes(self.disk(), &self.selection)? {
            let files = list_files(self.disk(), &scope, &self.selection)?.files;
            there.extend(files.into_iter().map(|it| (it.path.clone(), it)));
        }
        Ok(there)
    }

    /// Returns true if a piece goes to its place. `twin` is a file whose name differs from it in
    /// case alone.
    fn should_restore(&mut self, index: usize, twin: Option<String>) -> bool {
        let Some(piece) = self.pieces.get(index) else { return false };
        let path = piece.item.path.clone();
        match (piece.seen, self.order.overwrite, twin) {
            (CurrentFile::Missing, false, Some(twin)) => {
                let message = format!(
                    "Not restored: `{twin}` exists, and its name differs only in \
                                       case."
                );
                self.done.problems.push(ArchiveDefect::new(path, message));
                false
            }
            (CurrentFile::Missing, ..) => !self.lacks_token_secret(index),
            (CurrentFile::Same(_), ..) => false,
            (CurrentFile::Other(_), overwrite, _) => overwrite,
        }
    }

    /// A token whose secret is neither in the backup nor here opens nothing.
    fn lacks_token_secret(&mut self, index: usize) -> bool {
        let Some(piece) = self.pieces.get(index) else { return false };
        let lacks = matches!(piece.item.key, Key::Token(_)) && !self.opened.manifest().secrets;
        if lacks {
            let message =
                "The backup was made without secrets, so this token cannot be used again.";
            self.done.problems.push(ArchiveDefect::new(&*piece.item.path, message));
        }
        lacks
    }

    /// Discards an extracted file that was made with secrets of the folder, which have changed
    /// since.
    fn discard_extracted(&mut self, index: usize) {
        if let Some(piece) = self.pieces.get_mut(index)
            && secrets::has_secrets(&piece.item.key)
        {
            piece.waiting = None;
        }
    }

    fn restore_file(
        &mut self,
        index: usize,
        item: ArchiveFile,
        part: BackupPart,
        found: Option<SurveyedFile>,
    ) -> Result<(), BackupError> {
        if part.grants_access() {
            let bytes =
                if item.key.is_json() { self.opened.read_whole(&item)? } else { Vec::new() };
            self.collect_rights(&item.key, &bytes);
            self.collect_existing_rights(&item.key, found.as_ref());
            self.collect_change(&item, found.is_some(), &bytes);
        }
        *self.done.restored.entry(part).or_default() += 1;
        let stat = found.map(|it| it.stat);
        self.touched.push(SurveyedFile {
            key: item.key.clone(),
            path: item.path.clone(),
            stat: stat.unwrap_or_default(),
        });
        if self.staged.is_none() {
            return self.rehearse_cleaning(&item);
        }
        if self.pieces.get(index).is_some_and(|it| it.waiting.is_none()) {
            self.extract_file(index)?;
        }
        if self.pieces.get(index).is_some_and(|it| it.is_cleaned) {
            self.report_cleaned(&item);
        }
        let waiting = self.pieces.get_mut(index).and_then(|it| it.waiting.take());
        if let (Some(waiting), Some(staged)) = (waiting, &mut self.staged) {
            staged.place_file(waiting, &item.path, stat.as_ref());
        }
        Ok(())
    }

    /// Reports a file if it would be cleaned.
    fn rehearse_cleaning(&mut self, item: &ArchiveFile) -> Result<(), BackupError> {
        if self.cleaner.as_ref().is_none_or(|it| it.find_type(&item.key).is_none()) {
            return Ok(());
        }
        let bytes = self.opened.read_whole(item)?;
        let cleaner = self.cleaner.as_ref();
        if cleaner.is_some_and(|it| it.clean_file(&item.key, &bytes).is_some()) {
            self.report_cleaned(item);
        }
        Ok(())
    }

    /// Reports a cleaned file, if it is not one of very many.
    fn report_cleaned(&mut self, item: &ArchiveFile) {
        const CLEANED: &str = "Its HTML is cleaned, as in every write. What cannot be is left out.";
        self.n_cleaned += 1;
        if self.n_cleaned <= DEFECTS_MAX {
            self.done.problems.push(ArchiveDefect::new(&*item.path, CLEANED));
        } else if self.n_cleaned == DEFECTS_MAX + 1 {
            self.done.problems.push(ArchiveDefect::new("", "The HTML of more files is cleaned."));
        }
    }

    /// Removes files that the archive does not have. Those that were or are broken stay: neither
    /// this backup nor the one of the previous state could bring them back.
    fn remove_extra_files(
        &mut self,
        extras: impl Iterator<Item = SurveyedFile>,
    ) -> Result<(), BackupError> {
        let incomplete = self.opened.list_incomplete();
        for extra in extras {
            let message = if incomplete.contains(&extra.path) {
                "Not removed: the backup has no usable copy of it.".to_string()
            } else if let Some(why) = find_stored_defect(self.disk(), &extra.key, &extra.path)? {
                format!("Not removed: no backup could bring it back. {why}")
            } else {
                self.remove_file(extra);
                continue;
            };
            *self.done.skipped.entry(part_of(&extra.key)).or_default() += 1;
            self.done.problems.push(ArchiveDefect::new(extra.path, message));
        }
        Ok(())
    }

    fn remove_file(&mut self, extra: SurveyedFile) {
        let part = part_of(&extra.key);
        if part.grants_access() {
            self.collect_existing_rights(&extra.key, Some(&extra));
            self.handed.record_change(&extra.key, RestoredChange::Deleted);
            if let Some(original) = find_built_in_role(&extra.key) {
                // Without its file, it has its original permissions again.
                self.handed.add_role(&original.id, &original.permissions);
            }
        }
        *self.done.removed.entry(part).or_default() += 1;
        if let Some(staged) = &mut self.staged {
            staged.remove_file(&extra.path, &extra.stat);
        }
        self.touched.push(extra);
    }

    /// Collects the rights that a file grants now: nobody takes from others what they do not have.
    fn collect_existing_rights(&mut self, key: &Key, found: Option<&SurveyedFile>) {
        if let Key::Role(id) = key {
            // A built-in role grants something also without a file, or with a broken one.
            let role = self.records.installation().role(id.as_str()).cloned();
            if let Some(role) = role {
                self.handed.add_role(id, &role.permissions);
            }
        }
        let mut bytes = Vec::new();
        if let Some(found) = found
            && key.is_json()
            && self.disk().read(&found.path, &mut bytes).is_ok()
        {
            self.collect_rights(key, &bytes);
        }
    }

    fn collect_rights(&mut self, key: &Key, bytes: &[u8]) {
        let Ok(file) = codec::parse_document(&key.path(), bytes) else { return };
        let mut reader = ObjectReader::new(&file.map);
        let list = Grant::read_stored_list(&mut reader, "permissions");
        match key {
            Key::Role(id) => self.handed.add_role(id, &list),
            Key::Token(_) => self.handed.grants.extend(list),
            Key::User(_) => {
                let role = reader.text("role");
                self.handed.roles_of_users.extend(role.map(str::to_string));
            }
            _ => {}
        }
    }

    /// Collects the change of a user or a role whose file is restored.
    fn collect_change(&mut self, item: &ArchiveFile, has_file: bool, bytes: &[u8]) {
        let is_there = has_file || find_built_in_role(&item.key).is_some();
        let change = if is_there { RestoredChange::Updated } else { RestoredChange::Created };
        self.handed.record_change(&item.key, change);
        if let Key::User(id) = &item.key
            && let Some(user) = parse_user(id, &item.path, bytes)
        {
            self.users.insert(id.clone(), user);
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.staged.as_ref().is_none_or(StagedChange::is_empty)
    }

    /// Commits the staged change.
    pub(crate) fn commit_changes(&mut self) -> Result<(), BackupError> {
        let Some(staged) = self.staged.take() else { return Ok(()) };
        match staged.commit_change() {
            Ok(left_alone) => {
                let message = "It was edited during the restore, so it was left as it is.";
                self.done
                    .problems
                    .extend(left_alone.into_iter().map(|it| ArchiveDefect::new(it, message)));
                self.remove_empty_folders();
                Ok(())
            }
            Err(JournalError::Stale(_)) => Err(CommitError::Stale.into()),
            Err(
                JournalError::Unstarted(error)
                | JournalError::Unfinished(error)
                | JournalError::Unknown(error),
            ) => Err(error.into()),
        }
    }

    /// Removes folders in which nothing is left.
    fn remove_empty_folders(&self) {
        let gone = self.touched.iter().map(|it| it.key.folder());
        let folders: BTreeSet<Folder> = gone
            .filter(|it| matches!(it, Folder::Entries(..) | Folder::Trash(..)) || is_history(it))
            .collect();
        for folder in folders {
            let path = folder.path();
            if self.disk().remove_folder(&path).is_ok() && is_history(&folder) {
                let _ = self.disk().remove_folder(disk::parent_folder(&path));
            }
        }
    }
}

/// Returns the built-in role that a file changes.
fn find_built_in_role(key: &Key) -> Option<&'static RoleRecord> {
    let Key::Role(id) = key else { return None };
    role::built_in_roles().iter().find(|it| it.id == *id)
}

fn parse_user(id: &EntryId, path: &str, bytes: &[u8]) -> Option<UserRecord> {
    let file = codec::parse_document(path, bytes).ok()?;
    UserRecord::parse(id, &Json::Object(file.map)).ok()
}

/// Returns true for the folder with the revisions of one entry or file.
fn is_history(folder: &Folder) -> bool {
    matches!(folder, Folder::Revisions(..) | Folder::MediaRevisions(..))
}

fn unreadable_file(path: &str, error: ReadError) -> BackupError {
    match error {
        ReadError::Unreadable(error) => StoreError::io("read", path)(error).into(),
        other => ArchiveDefect::new(path, other.to_problem(path).message).into(),
    }
}

fn hash_file(mut file: impl Read) -> std::io::Result<[u8; 32]> {
    let (mut sum, mut chunk) = (Sha256::new(), vec![0; 256 * 1024]);
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(sum.finalize().into()),
            read => sum.update(chunk.get(..read).unwrap_or_default()),
        }
    }
}
