//! The visibility of entries: the one place where reads decide about it.
//!
//! A view is a snapshot as one caller sees it. Everything that is looked up, filtered, sorted,
//! counted or included for that caller goes through the view, so that none of these reveals hidden
//! entries.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::grant::Action;
use crate::model::grant::EntryRow;
use crate::model::grant::Grants;
use crate::model::grant::Reach;
use crate::model::grant::RowRule;
use crate::query::execute::link_memo::LinkMemo;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::bitset::Bitset;
use crate::stdx::checksum::Checksum;

/// The reader of a snapshot.
#[derive(Clone, Copy, Debug)]
pub enum Viewer<'a> {
    /// An anonymous reader.
    Anyone,
    /// A reader with grants.
    Holder(&'a Grants),
}

impl Viewer<'_> {
    /// Returns true if the caller may know that the type exists.
    pub fn knows_type(self, snapshot: &Snapshot, index: &TypeIndex) -> bool {
        let ty = &index.content_type;
        match self {
            _ if !ty.private => true,
            Viewer::Anyone => false,
            Viewer::Holder(grants) => {
                let workspace = snapshot.workspace.as_str();
                let name = ty.name.as_str();
                let schema = crate::model::grant::Resource::Schema(name);
                let content = crate::model::grant::Resource::Collection(name);
                grants.could_match(workspace, Action::SchemaRead, &schema)
                    || grants.could_match(workspace, Action::ContentRead, &content)
            }
        }
    }
}

/// The entries of one type that a caller sees.
#[derive(Clone, Debug)]
pub enum EntryVisibility {
    /// No entries.
    Nothing,
    /// The public ones.
    Public,
    /// All entries.
    Everything,
    /// The entries that a rule allows.
    Rows(Arc<RowRule>),
}

/// A snapshot as one caller sees it, in one locale.
pub struct View<'a> {
    /// The snapshot.
    pub snapshot: &'a Snapshot,
    viewer: Viewer<'a>,
    /// The requested locale, even if no type has it.
    locale: Option<&'a str>,
    /// The visibility of each type, computed once, for callers with grants.
    visibilities: Box<[OnceCell<EntryVisibility>]>,
    /// The entries that links name, once an answer needs them again.
    links: OnceCell<LinkMemo>,
}

impl<'a> View<'a> {
    /// Returns a view of `snapshot`.
    pub fn new(snapshot: &'a Snapshot, viewer: Viewer<'a>, locale: Option<&'a str>) -> View<'a> {
        let cells = match viewer {
            Viewer::Anyone => 0,
            Viewer::Holder(_) => snapshot.types().len(),
        };
        View {
            snapshot,
            viewer,
            locale,
            visibilities: (0..cells).map(|_| OnceCell::new()).collect(),
            links: OnceCell::new(),
        }
    }

    /// Returns true if the caller has no credential.
    pub fn is_anonymous(&self) -> bool {
        matches!(self.viewer, Viewer::Anyone)
    }

    /// Returns the position of the requested locale, or of its best match, among those of a type;
    /// `None` for the default.
    pub fn resolve_locale(&self, ty: &ContentType) -> Option<usize> {
        let index = ty.match_locale(self.locale?)?;
        let default = ty.default_locale.as_deref() == Some(ty.locales.get(index)?.as_str());
        if default { None } else { Some(index) }
    }

    /// Returns what the caller sees of the type at `place`.
    pub fn resolve_visibility(&self, place: usize) -> &EntryVisibility {
        static NOTHING: EntryVisibility = EntryVisibility::Nothing;
        static PUBLIC: EntryVisibility = EntryVisibility::Public;
        let Some(index) = self.snapshot.types().get(place) else { return &NOTHING };
        match (self.viewer, self.visibilities.get(place)) {
            (Viewer::Anyone, _) if index.content_type.private => &NOTHING,
            (Viewer::Anyone, _) => &PUBLIC,
            (Viewer::Holder(_), None) => &NOTHING,
            (Viewer::Holder(grants), Some(cell)) => {
                cell.get_or_init(|| self.compute_visibility(grants, &index.content_type))
            }
        }
    }

    /// Returns true if the caller sees every entry of a type; of one that is not there, it would.
    pub fn sees_all_of(&self, name: &str) -> bool {
        match (self.snapshot.type_position(name), self.viewer) {
            (Some(place), _) => {
                matches!(self.resolve_visibility(place), EntryVisibility::Everything)
            }
            (None, Viewer::Anyone) => false,
            (None, Viewer::Holder(grants)) => {
                let reach = grants.find_reach(self.snapshot.workspace.as_str(), name, None);
                matches!(reach, Reach::Everything)
            }
        }
    }

    fn compute_visibility(&self, grants: &Grants, ty: &ContentType) -> EntryVisibility {
        let asked = self.locale.and_then(|it| ty.locales.get(ty.match_locale(it)?));
        let locale = asked.map(|it| it.as_str()).or(ty.default_locale.as_deref());
        let workspace = self.snapshot.workspace.as_str();
        match grants.find_reach(workspace, ty.name.as_str(), locale) {
            Reach::Nothing => EntryVisibility::Nothing,
            Reach::Everything => EntryVisibility::Everything,
            Reach::Rows(rule) => EntryVisibility::Rows(rule),
        }
    }

    /// Returns true if the caller may know that the type exists.
    pub fn knows_type(&self, index: &TypeIndex) -> bool {
        self.viewer.knows_type(self.snapshot, index)
    }

    /// Returns true if the caller sees an entry.
    pub fn sees_entry(&self, place: usize, ordinal: Ordinal) -> bool {
        let Some(index) = self.snapshot.types().get(place) else { return false };
        match self.resolve_visibility(place) {
            EntryVisibility::Nothing => false,
            EntryVisibility::Public => index.public().contains(ordinal),
            EntryVisibility::Everything => index.live().contains(ordinal),
            EntryVisibility::Rows(rule) => {
                index.entry_at(ordinal).is_some_and(|it| rule.allows_entry(&build_row(it)))
            }
        }
    }

    /// Returns true if the caller would see an entry with this row, for entries that are deleted or
    /// have changed.
    pub fn admits_row(&self, place: usize, row: &EntryRow<'_>) -> bool {
        match self.resolve_visibility(place) {
            EntryVisibility::Nothing => false,
            EntryVisibility::Public => row.status == EntryStatus::Published,
            EntryVisibility::Everything => true,
            EntryVisibility::Rows(rule) => rule.allows_entry(row),
        }
    }

    /// Finds an entry that the caller sees, by id, else by slug. Hidden entries are not found and
    /// do not keep others from being found by their slug.
    pub fn find_entry(&self, place: usize, id_or_slug: &str) -> Option<Ordinal> {
        let index = self.snapshot.types().get(place)?;
        let hash = index.hash_name(id_or_slug);
        let sees = |it: &Ordinal| self.sees_entry(place, *it);
        index.find_ordinal_hashed(hash, id_or_slug).filter(sees).or_else(|| {
            let claimants = index.list_claimants_hashed(hash, id_or_slug);
            claimants.iter().copied().find(sees)
        })
    }

    /// Finds an entry that the caller sees by a slug that it had formerly. If there are several,
    /// the newest is the one that had it last.
    pub fn find_moved(&self, place: usize, former_slug: &str) -> Option<Ordinal> {
        let owners = self.snapshot.types().get(place)?.list_former_owners(former_slug);
        owners.iter().rev().copied().find(|it| self.sees_entry(place, *it))
    }

    /// Returns the ordinal of an entry by id, if the caller sees it.
    pub fn find_by_id(&self, place: usize, id: impl AsRef<[u8]>) -> Option<Ordinal> {
        let ordinal = self.snapshot.types().get(place)?.find_ordinal(id)?;
        self.sees_entry(place, ordinal).then_some(ordinal)
    }

    /// Remembers from now on what [`View::find_linked`] finds.
    pub(in crate::query) fn remember_links(&self) {
        self.links.get_or_init(LinkMemo::new);
    }

    /// Like [`View::find_by_id`], for an id in the link of an entry.
    pub(in crate::query) fn find_linked(&self, place: usize, id: &[u8]) -> Option<Ordinal> {
        let Some(slot) = self.links.get().and_then(|it| it.slot_of(id)) else {
            return self.find_by_id(place, id);
        };
        let (known_place, known) = slot.get();
        if known_place == place
            && let Some(entry) = self.snapshot.types().get(place)?.entry_at(known)
            && entry.has_id(id)
        {
            return Some(known);
        }
        let found = self.find_by_id(place, id)?;
        slot.set((place, found));
        Some(found)
    }

    /// Returns all entries of a type that the caller sees: one of the sets of its index, or a set
    /// that is made for the caller.
    pub fn list_visible(&self, place: usize) -> Cow<'a, Bitset> {
        let Some(index) = self.snapshot.types().get(place) else { return Cow::default() };
        match self.resolve_visibility(place) {
            EntryVisibility::Nothing => Cow::default(),
            EntryVisibility::Public => Cow::Borrowed(index.public()),
            EntryVisibility::Everything => Cow::Borrowed(index.live()),
            EntryVisibility::Rows(rule) => Cow::Owned(
                index
                    .iter()
                    .filter(|(_, doc)| rule.allows_entry(&build_row(doc)))
                    .map(|(ordinal, _)| ordinal)
                    .collect(),
            ),
        }
    }

    /// Returns the number of entries of a type that the caller sees.
    pub fn count_visible(&self, place: usize) -> usize {
        let Some(index) = self.snapshot.types().get(place) else { return 0 };
        match self.resolve_visibility(place) {
            EntryVisibility::Nothing => 0,
            EntryVisibility::Public => index.public_count(),
            EntryVisibility::Everything => index.len(),
            EntryVisibility::Rows(_) => self.list_visible(place).count(),
        }
    }

    /// Returns true if visibility has to be decided entry by entry for many entries.
    pub fn is_costly(&self, place: usize) -> bool {
        const MANY: usize = 1_000;
        let many = self.snapshot.types().get(place).is_some_and(|it| it.slot_count() >= MANY);
        many && matches!(self.resolve_visibility(place), EntryVisibility::Rows(_))
    }

    /// Returns true if the caller's rules decide entry by entry what is seen of a type, or of those
    /// that its entries refer to.
    pub fn decides_by_rows(&self, place: usize) -> bool {
        let by_rows = |it| matches!(self.resolve_visibility(it), EntryVisibility::Rows(_));
        let mut targets = self.snapshot.relation_targets(place).iter().flatten();
        by_rows(place) || targets.any(|it| by_rows(*it))
    }

    /// Returns a checksum of everything the caller sees of a type: it changes with any of it.
    pub fn compute_sum(&self, place: usize) -> Checksum {
        let Some(index) = self.snapshot.types().get(place) else { return Checksum::default() };
        match self.resolve_visibility(place) {
            EntryVisibility::Nothing => Checksum::default(),
            EntryVisibility::Public => index.public_sum(),
            EntryVisibility::Everything => index.live_sum(),
            EntryVisibility::Rows(rule) => index
                .iter()
                .filter(|(_, doc)| rule.allows_entry(&build_row(doc)))
                .fold(Checksum::default(), |sum, (_, doc)| sum.plus(doc.sum)),
        }
    }

    /// Returns the index of a type with its position.
    pub fn find_type(&self, name: &str) -> Option<(usize, &'a Arc<TypeIndex>)> {
        let place = self.snapshot.type_position(name)?;
        Some((place, self.snapshot.types().get(place)?))
    }
}

/// Returns the row by which rules decide about an entry.
pub fn build_row(doc: &RenderedEntry) -> EntryRow<'_> {
    EntryRow { id: doc.id(), slug: doc.slug(), status: doc.status, author_id: doc.author_id() }
}
