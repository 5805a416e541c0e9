//! The entries of one type in one locale, as one reader sees them: the part of a workspace that a
//! section of an inventory is made of.

use crate::model::content_type::ContentType;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::inventory::section::Section;
use crate::query::inventory::section::SectionKey;
use crate::query::inventory::section::SectionKind;
use crate::query::render::entry_writer::EntryWriter;
use crate::query::render::render_cursor::RenderCursor;
use crate::query::request::list_query::Shape;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// Returns the checksum of an entry that is sent with more than its JSON, given the JSON.
pub type SumEntry<'a> = dyn Fn(&ContentType, &[u8]) -> Checksum + 'a;

/// The entries of one type in one locale.
#[derive(Clone, Debug)]
pub struct EntryPart {
    /// The position of the type.
    pub place: usize,
    /// The key of the section.
    pub key: SectionKey,
    /// The locale of the view; `None` for the default of the type.
    view_locale: Option<String>,
    /// The position of a locale: only entries with values of their own in it belong to the part.
    own_locale: Option<usize>,
}

impl EntryPart {
    /// Lists the parts of a workspace: every type in the requested locale, or each in all its
    /// locales, with the entries that have it.
    pub fn list(snapshot: &Snapshot, locale: Option<&str>) -> Vec<EntryPart> {
        let mut parts = Vec::new();
        for (place, index) in snapshot.types().iter().enumerate() {
            let ty = &index.content_type;
            let part = |told: &str, view_locale: Option<&str>, own_locale| EntryPart {
                place,
                key: SectionKey {
                    kind: SectionKind::Entries,
                    type_name: ty.name.as_str().into(),
                    locale: told.into(),
                },
                view_locale: view_locale.map(str::to_string),
                own_locale,
            };
            if locale.is_some() {
                parts.push(part("", locale, None));
                continue;
            }
            let default = ty.default_locale.as_deref();
            parts.push(part(default.unwrap_or_default(), None, None));
            let others = ty.locales.iter().enumerate().filter(|(_, it)| default != Some(it));
            parts.extend(others.map(|(at, it)| part(it, Some(it.as_str()), Some(at))));
        }
        parts
    }

    /// Returns the view in which the part is seen.
    pub fn view<'s>(&'s self, snapshot: &'s Snapshot, viewer: Viewer<'s>) -> View<'s> {
        View::new(snapshot, viewer, self.view_locale.as_deref())
    }

    /// Returns the type.
    pub fn index<'s>(&self, view: &View<'s>) -> Option<&'s TypeIndex> {
        view.snapshot.types().get(self.place).map(|it| &**it)
    }

    /// Returns true if the reader sees this entry and it belongs to the part.
    pub fn has(&self, view: &View<'_>, ordinal: Ordinal) -> bool {
        let own = || {
            let entry = self.index(view).and_then(|it| it.entry_at(ordinal));
            self.own_locale.is_none_or(|at| entry.is_some_and(|it| it.has_locale(at)))
        };
        view.sees_entry(self.place, ordinal) && own()
    }

    /// Returns the entries of the part.
    pub fn list_entries(&self, view: &View<'_>) -> Vec<Ordinal> {
        let Some(index) = self.index(view) else { return Vec::new() };
        let has_own = |ordinal: &Ordinal| {
            let entry = || index.entry_at(*ordinal);
            self.own_locale.is_none_or(|at| entry().is_some_and(|it| it.has_locale(at)))
        };
        view.list_visible(self.place).iter().filter(has_own).collect()
    }

    /// Returns the entries of the part, by id.
    pub fn list_sorted(&self, view: &View<'_>) -> Vec<Ordinal> {
        let Some(index) = self.index(view) else { return Vec::new() };
        let mut found: Vec<_> = self
            .list_entries(view)
            .into_iter()
            .filter_map(|it| Some((index.entry_at(it)?, it)))
            .collect();
        found.sort_unstable_by(|(a, _), (b, _)| a.compare_ids(b));
        found.into_iter().map(|(_, ordinal)| ordinal).collect()
    }

    /// Returns the entry of this id, if it belongs to the part.
    pub fn find(&self, view: &View<'_>, id: &str) -> Option<Ordinal> {
        let ordinal = self.index(view)?.find_ordinal(id)?;
        self.has(view, ordinal).then_some(ordinal)
    }

    /// Returns a checksum that changes whenever the section may change for the same reader.
    pub fn stamp(&self, snapshot: &Snapshot) -> Checksum {
        let mut stamp = ChecksumBuilder::new();
        if let Some(index) = snapshot.types().get(self.place) {
            stamp.add_number(index.generation);
            for target in &index.content_type.relation_targets {
                stamp.add_number(snapshot.get(target.as_str()).map_or(0, |it| it.generation));
            }
        }
        stamp.finish()
    }

    /// Builds the section. The checksum of an entry is that of its JSON as the reader sees it, or
    /// what `sum_entry` makes of that: it changes when a target of a relation is hidden from them
    /// or shown to them.
    pub fn build_section(&self, view: &View<'_>, sum_entry: Option<&SumEntry<'_>>) -> Section {
        let shape = Shape::default();
        let (Some(index), Some(writer)) =
            (self.index(view), EntryWriter::new(view, &shape, self.place))
        else {
            return Section::build(self.key.clone(), std::iter::empty());
        };
        view.remember_links();
        let tagged = self.list_entries(view).into_iter().filter_map(|ordinal| {
            let id = index.entry_at(ordinal)?.id();
            let Some(sum_entry) = sum_entry else {
                return Some((id, writer.compute_tag(ordinal)));
            };
            let mut entry = Vec::new();
            writer.write_entry(ordinal, &mut RenderCursor::default(), &mut entry);
            Some((id, sum_entry(&index.content_type, &entry)))
        });
        Section::build(self.key.clone(), tagged)
    }
}
