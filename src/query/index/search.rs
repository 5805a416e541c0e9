//! Full-text search: every term of a query must occur somewhere in the text of an entry.

use std::sync::Arc;
use std::thread;

use crate::model::content_type::ContentType;
use crate::query::index::entry_table::EntryTable;
use crate::query::index::entry_table::Ordinal;
use crate::query::index::text_index::TextIndex;
use crate::query::index::text_index::TextIndexBuilder;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::bitset::Bitset;
use crate::stdx::fold::fold_into;
use crate::stdx::json::Json;
use crate::stdx::processor::count_cores;

/// The number of entries from which on a type has a text index; smaller ones are scanned.
pub const INDEXED_MIN: usize = 500;

/// The most entries that may change before the index is rebuilt.
const STALE_MAX: usize = 2_000;

/// A text index of a type's entries in one locale, and the entries changed since it was built.
pub struct TextState {
    index: Arc<TextIndex>,
    stale: Bitset,
}

impl TextState {
    /// Indexes all entries, on several threads when there are many.
    pub fn build(entries: &EntryTable, locale: Option<usize>) -> TextState {
        let threads = count_cores();
        let rows: Vec<(Ordinal, &Arc<RenderedEntry>)> = entries.iter().collect();
        let share = rows.len().div_ceil(threads).max(INDEXED_MIN);
        let ty = &entries.content_type;
        let builder = thread::scope(|scope| {
            let workers: Vec<_> = rows
                .chunks(share)
                .map(|rows| scope.spawn(move || index_part(ty, rows, locale)))
                .collect();
            let mut whole = TextIndexBuilder::new();
            for worker in workers {
                // A worker fails only by a panic, which the caller reports.
                match worker.join() {
                    Ok(part) => whole.merge(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            whole
        });
        TextState { index: Arc::new(builder.finish()), stale: Bitset::new() }
    }

    /// Returns the state after the entries at `touched` changed.
    pub fn with_changes(&self, touched: &[Ordinal]) -> TextState {
        let mut stale = self.stale.clone();
        stale.extend(touched.iter().copied());
        TextState { index: self.index.clone(), stale }
    }

    /// Returns true if so many entries changed that the index should be rebuilt.
    pub fn is_outdated(&self) -> bool {
        self.stale.count() > STALE_MAX
    }

    /// Returns true if an index is too far behind to be the next one, with `touched` entries
    /// changed since.
    pub(super) fn is_far_behind(touched: usize) -> bool {
        touched > STALE_MAX / 2
    }

    /// Returns the memory address of the index, which states share.
    pub(super) fn index_address(&self) -> usize {
        Arc::as_ptr(&self.index).addr()
    }

    /// Returns the size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.index.memory_bytes() + self.stale.memory_bytes()
    }
}

fn index_part(
    ty: &ContentType,
    rows: &[(Ordinal, &Arc<RenderedEntry>)],
    locale: Option<usize>,
) -> TextIndexBuilder {
    let mut builder = TextIndexBuilder::new();
    let mut text = FoldedText::default();
    for (ordinal, doc) in rows {
        builder.add_document(*ordinal, text.collect_text(ty, doc, locale));
    }
    builder
}

/// A search for entries in whose text every term occurs, after the look into the index.
pub struct PendingSearch<'t> {
    terms: &'t [String],
    /// The terms for which the index is not exact.
    unsure: Vec<String>,
    /// The entries in which the index finds the terms.
    indexed: Bitset,
    /// The entries that changed since they were indexed.
    stale: Bitset,
}

impl<'t> PendingSearch<'t> {
    /// Looks for the terms, which must be case-folded, in the index. Without one, every entry of
    /// `found` is to be read.
    pub fn begin(
        state: Option<&TextState>,
        terms: &'t [String],
        found: &Bitset,
    ) -> PendingSearch<'t> {
        let (mut indexed, mut stale) = (found.clone(), Bitset::new());
        let mut unsure = terms.to_vec();
        if let Some(state) = state {
            stale = found.clone();
            stale.and_assign(&state.stale);
            indexed.and_not(&state.stale);
            unsure.retain(|term| {
                let candidates = state.index.find_candidates(term);
                indexed.and_assign(&candidates.set);
                !candidates.exact
            });
        }
        PendingSearch { terms, unsure, indexed, stale }
    }

    /// Returns the number of entries whose text is still to be read.
    pub fn count_unread(&self) -> usize {
        let unsure = if self.unsure.is_empty() { 0 } else { self.indexed.count() };
        unsure + self.stale.count()
    }

    /// Sets `found` to the entries in whose text every term occurs.
    pub fn finish(mut self, entries: &EntryTable, locale: Option<usize>, found: &mut Bitset) {
        let ty = &entries.content_type;
        let mut text = FoldedText::default();
        let mut contains = |ordinal: Ordinal, terms: &[String]| {
            contains_terms(entries, ordinal, ty, locale, terms, &mut text)
        };
        if !self.unsure.is_empty() {
            let unsure = &self.unsure;
            self.indexed = self.indexed.iter().filter(|it| contains(*it, unsure)).collect();
        }
        let terms = self.terms;
        let changed: Vec<Ordinal> = self.stale.iter().filter(|it| contains(*it, terms)).collect();
        *found = self.indexed;
        found.extend(changed);
    }
}

fn contains_terms(
    entries: &EntryTable,
    ordinal: Ordinal,
    ty: &ContentType,
    locale: Option<usize>,
    terms: &[String],
    text: &mut FoldedText,
) -> bool {
    let Some(doc) = entries.entry_at(ordinal) else { return false };
    let haystack = text.collect_text(ty, doc, locale).as_bytes();
    terms.iter().all(|term| memchr::memmem::find(haystack, term.as_bytes()).is_some())
}

/// The folded text of one entry after another, in reused buffers.
#[derive(Default)]
struct FoldedText {
    plain: String,
    folded: String,
}

impl FoldedText {
    /// Returns the title, the slug and the text of all searched fields, folded.
    fn collect_text(
        &mut self,
        ty: &ContentType,
        doc: &RenderedEntry,
        locale: Option<usize>,
    ) -> &str {
        self.plain.clear();
        self.folded.clear();
        let variant = doc.variant_for(locale);
        if let Ok(Json::String(title)) = Json::parse(variant.title_json()) {
            self.plain.push_str(&title);
        }
        self.plain.push('\n');
        self.plain.push_str(doc.slug());
        for (index, field) in ty.data_fields().enumerate() {
            let value = variant.field_json(index);
            if !matches!(value, b"" | b"null" | b"\"\"" | b"[]" | b"{}")
                && let Ok(value) = Json::parse(value)
            {
                self.plain.push('\n');
                field.kind.collect_text(&value, &mut self.plain);
            }
        }
        fold_into(&self.plain, &mut self.folded);
        &self.folded
    }
}
