//! The migration of entry files after a change of their type: fields are renamed, and the only
//! entry of a type that becomes a single page gets the name of the type as its id. The files of
//! changes are migrated in the same commit, so that proposals and the states from which they were
//! begun stay comparable with what is live.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::access::Caller;
use crate::app::content::change_files::list_change_files;
use crate::app::content::unreadable_files::UnreadableFiles;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::change::proposes_deletion;
use crate::model::content_type::ContentType;
use crate::model::content_type::field_renames::Renames;
use crate::model::content_type::type_change::TypeDraft;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Publication;
use crate::model::entry::entry_file::redirect_references;
use crate::model::entry::set_key;
use crate::model::field::Fields;
use crate::model::field::Reference;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::query::execute::referrers;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::EntryCopy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// Stages the changes of files that follow from the change of a type. On an error, nothing may be
/// changed.
pub(super) fn stage_migration(
    staging: &mut Staging<'_>,
    caller: &Caller,
    permit: &Permit,
    index: &TypeIndex,
    draft: &TypeDraft,
) -> Result<()> {
    let page = plan_conversion(index, draft)?;
    let mut edits = EntryFileEdits::default();
    if !draft.renames.is_empty() {
        edits.rename_fields(staging, index, &draft.renames)?;
    }
    if let Some(page) = &page {
        edits.redirect_relations(staging, page, &draft.content_type)?;
        edits.rewrite_identity(staging, page, index)?;
    }
    edits.check_edits(staging.snapshot(), caller)?;
    if let Some(page) = &page {
        page.move_revisions(staging, permit)?;
    }
    edits.stage_edits(staging, permit, page.as_ref());
    Ok(())
}

/// Returns all files of a type's entries: the ones being served, the ones not (yet) loaded, and the
/// trash.
pub(super) fn list_entry_files(staging: &Staging<'_>, index: &TypeIndex) -> Result<BTreeSet<Key>> {
    let (ws, ty) = (staging.workspace(), &index.content_type);
    let key = |id: EntryId| Key::Entry(ws.clone(), ty.name.clone(), id);
    let mut keys: BTreeSet<Key> = index.iter().map(|(_, doc)| key(doc.to_id())).collect();
    // Of a single page, other files than the one named like the type are never served.
    let belongs = |it: &Key| {
        !ty.singleton || matches!(it, Key::Entry(_, _, id) if id.as_str() == ty.name.as_str())
    };
    let files = staging.list(&Folder::Entries(ws.clone(), ty.name.clone()))?;
    keys.extend(files.into_iter().map(|it| it.key).filter(belongs));
    let trash = staging.list(&Folder::Trash(ws.clone(), ty.name.clone()))?;
    keys.extend(trash.into_iter().map(|it| it.key));
    Ok(keys)
}

/// The conversion of an entry to a single page.
pub(super) struct PageConversion {
    of: TypeName,
    id: EntryId,
    new_id: EntryId,
}

/// Returns the conversion of the only entry, if the type becomes a single page and the entry needs
/// another id.
pub(super) fn plan_conversion(
    index: &TypeIndex,
    draft: &TypeDraft,
) -> Result<Option<PageConversion>> {
    let ty = &draft.content_type;
    if !ty.singleton || index.content_type.singleton {
        return Ok(None);
    }
    if index.len() > 1 {
        let message =
            format!("A single page has exactly one entry, but this type has {}.", index.len());
        return Err(Error::invalid(FieldProblems::from_problem("singleton", message)));
    }
    let new_id = EntryId::parse(&ty.name).map_err(Error::internal)?;
    let entry = index.iter().map(|(_, doc)| doc.to_id()).find(|it| *it != new_id);
    Ok(entry.map(|id| PageConversion { of: ty.name.clone(), id, new_id }))
}

impl PageConversion {
    /// Lists the files of the entry that move: the one that is live, and those of changes.
    fn list_moves(&self, staging: &Staging<'_>) -> Vec<(Key, Key)> {
        let ws = staging.workspace();
        let place = |id: &EntryId| (self.of.clone(), id.clone());
        let (from, to) = (place(&self.id), place(&self.new_id));
        let mut moves = vec![(Key::of_entry(ws, &from), Key::of_entry(ws, &to))];
        for (id, change) in staging.snapshot().changes.iter() {
            // One that somebody made by hand for the new id stays.
            if change.proposals.contains_key(&to) || change.bases.contains_key(&to) {
                continue;
            }
            if change.proposals.contains_key(&from) {
                moves.push((Key::of_proposal(ws, id, &from), Key::of_proposal(ws, id, &to)));
            }
            if change.bases.contains_key(&from) {
                moves.push((Key::of_base(ws, id, &from), Key::of_base(ws, id, &to)));
            }
        }
        moves
    }

    fn target_key(&self, staging: &Staging<'_>, id: &EntryId) -> Key {
        Key::Entry(staging.workspace().clone(), self.of.clone(), id.clone())
    }

    /// Returns the former slugs that the entry gets, if it was public. A file that cannot be read
    /// is reported when it is edited.
    fn list_former_slugs(&self, staging: &mut Staging<'_>, index: &TypeIndex) -> Option<Json> {
        let key = self.target_key(staging, &self.id);
        let Ok(Some(stored)) = staging.read_stored(&key) else { return None };
        let facts = FileFacts { modified: stored.modified, now: staging.now() };
        let file = stored.map().clone().into();
        let entry = Entry::read(self.id.clone(), &index.content_type, file, facts, &mut Vec::new());
        let publication = Publication::of_entry(&entry);
        entry.list_former_slugs(self.new_id.as_str(), publication, staging.now())
    }

    /// Redirects the relations of a file that point to the page.
    fn redirect_in_file(&self, fields: &Fields, file: &mut Map) {
        redirect_references(fields, file, &mut |it| match it {
            Reference::Entry { target, id, .. } if *target == self.of && self.id == id => {
                Some(self.new_id.to_string())
            }
            _ => None,
        });
    }

    /// Moves the revisions along with the entry.
    fn move_revisions(&self, staging: &mut Staging<'_>, permit: &Permit) -> Result<()> {
        let (ws, of) = (staging.workspace().clone(), self.of.clone());
        let old = Folder::Revisions(ws.clone(), of.clone(), EntryCopy::first(self.id.clone()));
        for file in staging.list(&old)? {
            let Key::Revision(_, _, _, revision) = &file.key else { continue };
            let copy = EntryCopy::first(self.new_id.clone());
            let to = Key::Revision(ws.clone(), of.clone(), copy, revision.clone());
            staging.write(permit).rename(&file.key, &to);
        }
        staging.write(permit).steps_after().remove_folder(&old);
        Ok(())
    }
}

/// The files in their new state.
#[derive(Default)]
struct EntryFileEdits {
    files: BTreeMap<Key, (StoredFile, Map)>,
    unreadable: UnreadableFiles,
    /// Fields whose new name is taken, with the number of files concerned.
    taken: BTreeMap<String, usize>,
}

impl EntryFileEdits {
    /// Changes an existing file.
    fn edit_file(
        &mut self,
        staging: &mut Staging<'_>,
        key: &Key,
        change: impl FnOnce(&mut Map),
    ) -> Result<()> {
        let (stored, mut map) = match self.files.remove(key) {
            Some(edited) => edited,
            None => match staging.read_stored(key) {
                Ok(Some(stored)) => {
                    let map = stored.map().clone();
                    (stored, map)
                }
                Ok(None) => return Ok(()),
                Err(CommitError::Broken(_)) => {
                    self.unreadable.add(key.clone());
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            },
        };
        change(&mut map);
        if map != *stored.map() {
            self.files.insert(key.clone(), (stored, map));
        }
        Ok(())
    }

    /// Changes the file of a change, if `edit` makes a difference to what is known of it. One that
    /// cannot be read keeps no type from being changed: its proposal is a problem already.
    fn edit_change_file(
        &mut self,
        staging: &mut Staging<'_>,
        (key, known): (&Key, &Map),
        edit: &mut dyn FnMut(&mut Map),
    ) -> Result<()> {
        let mut after = known.clone();
        edit(&mut after);
        if after == *known && !self.files.contains_key(key) {
            return Ok(());
        }
        self.edit_file(staging, key, edit)
    }

    fn rename_fields(
        &mut self,
        staging: &mut Staging<'_>,
        index: &TypeIndex,
        renames: &Renames,
    ) -> Result<()> {
        for key in list_entry_files(staging, index)? {
            let mut taken = BTreeSet::new();
            self.edit_file(staging, &key, |file| taken.extend(renames.apply_to_file(file)))?;
            for field in taken {
                *self.taken.entry(renames.migration_path(&field)).or_default() += 1;
            }
        }
        for (key, known) in list_change_files(staging.snapshot(), &index.content_type.name) {
            // A value under the new name was a former field's. It stays, and its proposal names it.
            self.edit_change_file(staging, (&key, known), &mut |file| {
                renames.apply_to_file(file);
            })?;
        }
        Ok(())
    }

    /// Redirects relations that point to the page, in all types, all locales and the trash.
    fn redirect_relations(
        &mut self,
        staging: &mut Staging<'_>,
        page: &PageConversion,
        becoming: &ContentType,
    ) -> Result<()> {
        for index in referrers::list_referring_types(staging.snapshot(), &page.of) {
            let is_own = index.content_type.name == page.of;
            let fields = if is_own { &becoming.fields } else { &index.content_type.fields };
            let mut redirect = |file: &mut Map| page.redirect_in_file(fields, file);
            for key in
                list_entry_files(staging, index)?.iter().filter(|it| may_refer(index, it, page))
            {
                self.edit_file(staging, key, redirect)?;
            }
            for (key, known) in list_change_files(staging.snapshot(), &index.content_type.name) {
                self.edit_change_file(staging, (&key, known), &mut redirect)?;
            }
        }
        Ok(())
    }

    /// Sets the id and the slug in the file of the page to what readers see. The slug under which
    /// it was public becomes a former one.
    fn rewrite_identity(
        &mut self,
        staging: &mut Staging<'_>,
        page: &PageConversion,
        index: &TypeIndex,
    ) -> Result<()> {
        if staging.exists(&page.target_key(staging, &page.new_id)) {
            let message =
                format!("The file `{}.json` already exists, and cannot be read.", page.of);
            return Err(Error::conflict(message));
        }
        let former = page.list_former_slugs(staging, index);
        for (key, _) in page.list_moves(staging) {
            let former = former.as_ref().filter(|_| matches!(key, Key::Entry(..)));
            self.edit_file(staging, &key, |file| {
                if proposes_deletion(file) {
                    return;
                }
                file.set("slug", page.new_id.as_str().into());
                if let Some(former) = former {
                    set_key(file, "former_slugs", former.clone());
                }
                if let Some(id) = file.get_mut("id") {
                    *id = page.new_id.as_str().into();
                }
            })?;
        }
        Ok(())
    }

    fn check_edits(&self, live: &Snapshot, caller: &Caller) -> Result<()> {
        self.unreadable.check_none(live, caller)?;
        let mut problems = FieldProblems::new();
        for (path, n) in &self.taken {
            let message = format!("In {n} of the files, this name holds values of a former field.");
            problems.add(path, message);
        }
        problems.into_result(()).map_err(Error::invalid)
    }

    fn stage_edits(
        self,
        staging: &mut Staging<'_>,
        permit: &Permit,
        page: Option<&PageConversion>,
    ) {
        let moves = page.map(|it| it.list_moves(staging)).unwrap_or_default();
        let mut write = staging.write(permit);
        for (from, to) in moves.iter().filter(|(from, _)| !self.files.contains_key(from)) {
            write.rename(from, to);
        }
        for (key, (stored, map)) in self.files {
            let bytes = stored.rewrite(map);
            match moves.iter().find(|(from, _)| *from == key) {
                Some((from, to)) => {
                    write.create(to, bytes);
                    write.remove(from);
                }
                None => write.replace(&stored, bytes),
            }
        }
    }
}

/// Returns true if a file may contain a relation to the page. If all values of an entry are
/// rendered, this is known without reading its file.
fn may_refer(index: &TypeIndex, key: &Key, page: &PageConversion) -> bool {
    let Key::Entry(_, _, id) = key else { return true };
    let doc = index.find_ordinal(id.as_str()).and_then(|it| index.entry_at(it));
    referrers::may_hide_values(index)
        || doc.is_none_or(|it| referrers::has_reference(index, it, &page.of, |id| page.id == id))
}
