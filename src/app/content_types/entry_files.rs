//! The files of entries follow a change of their type: fields get other names, and the one entry
//! of a type that becomes a single page gets the type's name for an id.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::access::Allowed;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::commit::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::Stored;
use crate::model::content_type::ContentType;
use crate::model::entry_file::redirect;
use crate::model::field::Reference;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::renames::Renames;
use crate::model::schema::Draft;
use crate::query::referrers;
use crate::query::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// Stages what has to follow the change of a type. With an error nothing is to be changed.
pub(super) fn stage(
    staging: &mut Staging<'_>,
    _allowed: &Allowed<'_>,
    index: &TypeIndex,
    draft: &Draft,
) -> Result<()> {
    let page = page(index, draft)?;
    let mut edits = Edits::default();
    if !draft.renames.is_empty() {
        edits.rename_fields(staging, index, &draft.renames)?;
    }
    if let Some(page) = &page {
        edits.follow_page(staging, page, &draft.content_type)?;
        edits.become_page(staging, page)?;
    }
    edits.check()?;
    if let Some(page) = &page {
        page.move_revisions(staging)?;
    }
    edits.stage(staging, page.as_ref());
    Ok(())
}

/// All files of a type's entries: those that are served, those that are not (yet), and the trash.
pub(super) fn all(staging: &Staging<'_>, index: &TypeIndex) -> Result<BTreeSet<Key>> {
    let (ws, ty) = (staging.workspace(), &index.content_type);
    let key = |id: &EntryId| Key::Entry(ws.clone(), ty.name.clone(), id.clone());
    let mut keys: BTreeSet<Key> = index.iter().map(|(_, doc)| key(&doc.id)).collect();
    if !ty.singleton {
        let files = staging.list(&Folder::Entries(ws.clone(), ty.name.clone()))?;
        keys.extend(files.into_iter().map(|it| it.key));
    }
    let trash = staging.list(&Folder::Trash(ws.clone(), ty.name.clone()))?;
    keys.extend(trash.into_iter().map(|it| it.key));
    Ok(keys)
}

/// An entry that becomes a single page.
pub(super) struct Page {
    of: TypeName,
    id: EntryId,
    new_id: EntryId,
}

/// The entry that has to get another id for the type to become a single page, if it does so.
pub(super) fn page(index: &TypeIndex, draft: &Draft) -> Result<Option<Page>> {
    let ty = &draft.content_type;
    if !ty.singleton || index.content_type.singleton {
        return Ok(None);
    }
    if index.len() > 1 {
        let message = format!("A single page has one entry; there are {}.", index.len());
        return Err(Error::invalid(FieldProblems::one("singleton", message)));
    }
    let new_id = EntryId::parse(&ty.name).map_err(Error::internal)?;
    let entry = index.iter().map(|(_, doc)| &doc.id).find(|it| **it != new_id);
    Ok(entry.map(|id| Page { of: ty.name.clone(), id: id.clone(), new_id }))
}

impl Page {
    fn key(&self, staging: &Staging<'_>, id: &EntryId) -> Key {
        Key::Entry(staging.workspace().clone(), self.of.clone(), id.clone())
    }

    /// Its revisions go along.
    fn move_revisions(&self, staging: &mut Staging<'_>) -> Result<()> {
        let (ws, of) = (staging.workspace().clone(), self.of.clone());
        let old = Folder::Revisions(ws.clone(), of.clone(), Copy::first(self.id.clone()));
        for file in staging.list(&old)? {
            let Key::Revision(_, _, _, revision) = &file.key else { continue };
            let copy = Copy::first(self.new_id.clone());
            let to = Key::Revision(ws.clone(), of.clone(), copy, revision.clone());
            staging.rename(&file.key, &to);
        }
        staging.afterwards().remove_folder(&old);
        Ok(())
    }
}

/// Files as they will be.
#[derive(Default)]
struct Edits {
    files: BTreeMap<Key, (Stored, Map)>,
    /// How many files cannot be read.
    unreadable: usize,
    /// Fields whose new name is taken, with the number of files in which it is.
    taken: BTreeMap<String, usize>,
}

impl Edits {
    /// Changes a file that is there.
    fn edit(
        &mut self,
        staging: &mut Staging<'_>,
        key: &Key,
        change: impl FnOnce(&mut Map),
    ) -> Result<()> {
        let (stored, mut map) = match self.files.remove(key) {
            Some(edited) => edited,
            None => match staging.stored(key) {
                Ok(Some(stored)) => (stored.clone(), stored.map),
                Ok(None) => return Ok(()),
                Err(CommitError::Broken(_)) => {
                    self.unreadable += 1;
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            },
        };
        change(&mut map);
        if map != stored.map {
            self.files.insert(key.clone(), (stored, map));
        }
        Ok(())
    }

    fn rename_fields(
        &mut self,
        staging: &mut Staging<'_>,
        index: &TypeIndex,
        renames: &Renames,
    ) -> Result<()> {
        for key in all(staging, index)? {
            let mut taken = BTreeSet::new();
            self.edit(staging, &key, |file| taken.extend(renames.apply(file)))?;
            for field in taken {
                *self.taken.entry(renames.place(&field)).or_default() += 1;
            }
        }
        Ok(())
    }

    /// Relations that point to the page follow it, in all types, all locales and in the trash.
    fn follow_page(
        &mut self,
        staging: &mut Staging<'_>,
        page: &Page,
        becoming: &ContentType,
    ) -> Result<()> {
        for index in referrers::types(staging.snapshot(), &page.of) {
            let is_own = index.content_type.name == page.of;
            let fields = if is_own { &becoming.fields } else { &index.content_type.fields };
            for key in all(staging, index)?.iter().filter(|it| may_refer(index, it, page)) {
                self.edit(staging, key, |file| {
                    redirect(fields, file, &mut |it| match it {
                        Reference::Entry(of, id) if *of == page.of && page.id == id => {
                            Some(page.new_id.to_string())
                        }
                        _ => None,
                    });
                })?;
            }
        }
        Ok(())
    }

    /// What the file says of its own id and slug is what readers see of a page.
    fn become_page(&mut self, staging: &mut Staging<'_>, page: &Page) -> Result<()> {
        if staging.exists(&page.key(staging, &page.new_id)) {
            let message = format!("There is a file `{}.json` already; it cannot be read.", page.of);
            return Err(Error::conflict(message));
        }
        let key = page.key(staging, &page.id);
        self.edit(staging, &key, |file| {
            file.set("slug", page.new_id.as_str().into());
            if let Some(id) = file.get_mut("id") {
                *id = page.new_id.as_str().into();
            }
        })
    }

    fn check(&self) -> Result<()> {
        if self.unreadable > 0 {
            let (n, s) = (self.unreadable, if self.unreadable == 1 { "" } else { "s" });
            let message = format!("{n} file{s} of entries cannot be read; mend them first.");
            return Err(Error::conflict(message));
        }
        let mut problems = FieldProblems::new();
        for (path, n) in &self.taken {
            let message =
                format!("Values of a former field stand under this name in {n} of the files.");
            problems.add(path, message);
        }
        problems.or(()).map_err(Error::invalid)
    }

    fn stage(self, staging: &mut Staging<'_>, page: Option<&Page>) {
        let moved = page.map(|it| (it.key(staging, &it.id), it.key(staging, &it.new_id)));
        if let Some((from, to)) = moved.as_ref().filter(|(from, _)| !self.files.contains_key(from))
        {
            staging.rename(from, to);
        }
        for (key, (stored, map)) in self.files {
            let bytes = json_edit::rewrite(&stored.bytes, &Json::from(map));
            match moved.as_ref().filter(|(from, _)| *from == key) {
                Some((from, to)) => {
                    staging.create(to, bytes);
                    staging.remove(from);
                }
                None => staging.replace(&stored, bytes),
            }
        }
    }
}

/// Whether a file may hold a relation to the page. Of an entry all of whose values are read by
/// somebody that is known without a look at its file.
fn may_refer(index: &TypeIndex, key: &Key, page: &Page) -> bool {
    let Key::Entry(_, _, id) = key else { return true };
    let doc = index.ordinal(id).and_then(|it| index.doc(it));
    referrers::may_hide_values(index)
        || doc.is_none_or(|it| referrers::refers(index, it, &page.of, |id| page.id == id))
}
