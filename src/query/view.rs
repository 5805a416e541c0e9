//! Who sees what: the one place where reads decide about visibility.
//!
//! A view is a snapshot through the eyes of one caller. Everything that is looked up, filtered,
//! sorted, counted or included for that caller goes through it, so that nothing hidden can be
//! inferred from any of these.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::Status;
use crate::model::grant::Action;
use crate::model::grant::Grants;
use crate::model::grant::Reach;
use crate::model::grant::Row;
use crate::model::grant::RowRule;
use crate::query::doc::Doc;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::stdx::bitset::Bitset;
use crate::stdx::sum::Sum;

/// Who looks.
#[derive(Clone, Copy, Debug)]
pub enum Eyes<'a> {
    /// Somebody without a credential.
    Anyone,
    /// Somebody with grants.
    Holder(&'a Grants),
}

/// Which entries of one type a caller sees.
#[derive(Clone, Debug)]
pub enum Sight {
    /// None.
    Nothing,
    /// The public ones.
    Public,
    /// All.
    Everything,
    /// Those a rule allows.
    Rows(RowRule),
}

/// A snapshot through the eyes of one caller, in one locale.
pub struct View<'a> {
    /// What is looked at.
    pub snapshot: &'a Snapshot,
    eyes: Eyes<'a>,
    /// The locale asked for, whether or not a type has it.
    locale: Option<&'a str>,
    /// Worked out once a type, for callers with grants.
    sights: Box<[OnceCell<Sight>]>,
}

impl<'a> View<'a> {
    /// A view of `snapshot`.
    pub fn new(snapshot: &'a Snapshot, eyes: Eyes<'a>, locale: Option<&'a str>) -> View<'a> {
        let cells = match eyes {
            Eyes::Anyone => 0,
            Eyes::Holder(_) => snapshot.types().len(),
        };
        View { snapshot, eyes, locale, sights: (0..cells).map(|_| OnceCell::new()).collect() }
    }

    /// Whether the caller has no credential.
    pub fn is_anonymous(&self) -> bool {
        matches!(self.eyes, Eyes::Anyone)
    }

    /// The place of the locale that answers for the asked one among those of a type; none for the
    /// default.
    pub fn locale(&self, ty: &ContentType) -> Option<usize> {
        let index = ty.lookup(self.locale?)?;
        let default = ty.default_locale.as_deref() == Some(ty.locales.get(index)?.as_str());
        if default { None } else { Some(index) }
    }

    /// What the caller sees of the type at `place`.
    pub fn sight(&self, place: usize) -> &Sight {
        static NOTHING: Sight = Sight::Nothing;
        static PUBLIC: Sight = Sight::Public;
        let Some(index) = self.snapshot.types().get(place) else { return &NOTHING };
        match (self.eyes, self.sights.get(place)) {
            (Eyes::Anyone, _) if index.content_type.private => &NOTHING,
            (Eyes::Anyone, _) => &PUBLIC,
            (Eyes::Holder(_), None) => &NOTHING,
            (Eyes::Holder(grants), Some(cell)) => {
                cell.get_or_init(|| self.granted(grants, &index.content_type))
            }
        }
    }

    fn granted(&self, grants: &Grants, ty: &ContentType) -> Sight {
        let asked = self.locale.and_then(|it| ty.locales.get(ty.lookup(it)?));
        let locale = asked.map(|it| it.as_str()).or(ty.default_locale.as_deref());
        let workspace = self.snapshot.workspace.as_str();
        match grants.reach(workspace, Action::ContentRead, ty.name.as_str(), locale) {
            Reach::Nothing => Sight::Nothing,
            Reach::Everything => Sight::Everything,
            Reach::Rows(rule) => Sight::Rows(rule),
        }
    }

    /// Whether the type exists for the caller.
    pub fn knows(&self, index: &TypeIndex) -> bool {
        let ty = &index.content_type;
        match self.eyes {
            _ if !ty.private => true,
            Eyes::Anyone => false,
            Eyes::Holder(grants) => {
                let workspace = self.snapshot.workspace.as_str();
                let name = ty.name.as_str();
                let schema = crate::model::grant::Resource::Schema(name);
                let content = crate::model::grant::Resource::Collection(name);
                grants.could_match(workspace, Action::SchemaRead, &schema)
                    || grants.could_match(workspace, Action::ContentRead, &content)
            }
        }
    }

    /// Whether the caller sees one entry.
    pub fn sees(&self, place: usize, ordinal: Ordinal) -> bool {
        let Some(index) = self.snapshot.types().get(place) else { return false };
        match self.sight(place) {
            Sight::Nothing => false,
            Sight::Public => index.public().contains(ordinal),
            Sight::Everything => index.live().contains(ordinal),
            Sight::Rows(rule) => index.doc(ordinal).is_some_and(|it| rule.allows(&row(it))),
        }
    }

    /// Whether the caller would see an entry of which these are the facts: one that is not among
    /// the active ones, or not any more as it was.
    pub fn admits(&self, place: usize, row: &Row<'_>) -> bool {
        match self.sight(place) {
            Sight::Nothing => false,
            Sight::Public => row.status == Status::Published,
            Sight::Everything => true,
            Sight::Rows(rule) => rule.allows(row),
        }
    }

    /// Finds an entry that the caller sees by id, else by slug. Entries that the caller does not
    /// see neither answer to a name nor keep others from answering to it.
    pub fn find(&self, place: usize, id_or_slug: &str) -> Option<Ordinal> {
        self.target(place, id_or_slug).or_else(|| {
            let index = self.snapshot.types().get(place)?;
            index.claimants(id_or_slug).iter().copied().find(|it| self.sees(place, *it))
        })
    }

    /// The place of an entry by its id, if the caller sees it.
    pub fn target(&self, place: usize, id: &str) -> Option<Ordinal> {
        let ordinal = self.snapshot.types().get(place)?.ordinal(id)?;
        self.sees(place, ordinal).then_some(ordinal)
    }

    /// All entries of a type that the caller sees.
    pub fn visible(&self, place: usize) -> Bitset {
        let Some(index) = self.snapshot.types().get(place) else { return Bitset::new() };
        match self.sight(place) {
            Sight::Nothing => Bitset::new(),
            Sight::Public => index.public().clone(),
            Sight::Everything => index.live().clone(),
            Sight::Rows(rule) => index
                .iter()
                .filter(|(_, doc)| rule.allows(&row(doc)))
                .map(|(ordinal, _)| ordinal)
                .collect(),
        }
    }

    /// Whether what the caller sees of a type is found out entry by entry, among many.
    pub fn is_costly(&self, place: usize) -> bool {
        const MANY: usize = 1_000;
        let many = self.snapshot.types().get(place).is_some_and(|it| it.places() >= MANY);
        many && matches!(self.sight(place), Sight::Rows(_))
    }

    /// A sum over everything the caller sees of a type: it changes when any of that changes.
    pub fn sum(&self, place: usize) -> Sum {
        let Some(index) = self.snapshot.types().get(place) else { return Sum::default() };
        match self.sight(place) {
            Sight::Nothing => Sum::default(),
            Sight::Public => index.public_sum(),
            Sight::Everything => index.live_sum(),
            Sight::Rows(rule) => index
                .iter()
                .filter(|(_, doc)| rule.allows(&row(doc)))
                .fold(Sum::default(), |sum, (_, doc)| sum.plus(doc.sum)),
        }
    }

    /// The index of a type with its place.
    pub fn index(&self, name: &str) -> Option<(usize, &'a Arc<TypeIndex>)> {
        let place = self.snapshot.place(name)?;
        Some((place, self.snapshot.types().get(place)?))
    }
}

/// What rules decide an entry by.
pub fn row(doc: &Doc) -> Row<'_> {
    Row {
        id: doc.id.as_str(),
        slug: &doc.slug,
        status: doc.status,
        author_id: doc.author_id.as_deref(),
    }
}
