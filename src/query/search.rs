//! Full-text search: every term of a query occurs somewhere in an entry's text.

use std::sync::Arc;
use std::thread;

use crate::model::content_type::ContentType;
use crate::query::doc::Doc;
use crate::query::text_index::TextIndex;
use crate::query::text_index::TextIndexBuilder;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::stdx::bitset::Bitset;
use crate::stdx::fold::fold_into;
use crate::stdx::json::Json;

/// Types with fewer entries are looked through one by one.
pub const INDEXED_MIN: usize = 500;

/// How many entries may have changed since the index was made before it is made anew.
const STALE_MAX: usize = 2_000;

/// A text index of a type's entries in one locale, and what has changed since it was made.
pub struct TextState {
    index: Arc<TextIndex>,
    stale: Bitset,
}

impl TextState {
    /// Indexes all entries, on several threads when there are many.
    pub fn build(entries: &TypeIndex, locale: Option<usize>) -> TextState {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let rows: Vec<(Ordinal, &Arc<Doc>)> = entries.iter().collect();
        let share = rows.len().div_ceil(threads).max(INDEXED_MIN);
        let ty = &entries.content_type;
        let builder = thread::scope(|scope| {
            let workers: Vec<_> = rows
                .chunks(share)
                .map(|rows| scope.spawn(move || part(ty, rows, locale)))
                .collect();
            let mut whole = TextIndexBuilder::new();
            for worker in workers {
                // A worker ends early only by a panic, which is the caller's to report.
                match worker.join() {
                    Ok(part) => whole.merge(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            whole
        });
        TextState { index: Arc::new(builder.finish()), stale: Bitset::new() }
    }

    /// The state after the entries at `touched` changed.
    pub fn carried(&self, touched: &[Ordinal]) -> TextState {
        let mut stale = self.stale.clone();
        stale.extend(touched.iter().copied());
        TextState { index: self.index.clone(), stale }
    }

    /// Whether so much has changed that the index should be made anew.
    pub fn is_worn(&self) -> bool {
        self.stale.count() > STALE_MAX
    }

    /// Whether an index is too far behind to be the next, with so many entries changed since.
    pub(super) fn is_far(touched: usize) -> bool {
        touched > STALE_MAX / 2
    }

    /// Where the index is in memory, which states share.
    pub(super) fn place(&self) -> usize {
        Arc::as_ptr(&self.index).addr()
    }

    /// Bytes of memory.
    pub fn memory_bytes(&self) -> usize {
        self.index.memory_bytes() + self.stale.memory_bytes()
    }
}

fn part(
    ty: &ContentType,
    rows: &[(Ordinal, &Arc<Doc>)],
    locale: Option<usize>,
) -> TextIndexBuilder {
    let mut builder = TextIndexBuilder::new();
    let mut text = Text::default();
    for (ordinal, doc) in rows {
        builder.add(*ordinal, text.of(ty, doc, locale));
    }
    builder
}

/// Keeps the entries of `found` in whose text every term occurs. Terms are folded.
pub fn retain(
    entries: &TypeIndex,
    state: Option<&TextState>,
    locale: Option<usize>,
    terms: &[String],
    found: &mut Bitset,
) {
    let mut fresh = Bitset::new();
    let mut unsure = terms.to_vec();
    if let Some(state) = state {
        // What changed since is looked at one by one; of the rest, what the index is sure of isn't.
        let mut stale = found.clone();
        stale.and_assign(&state.stale);
        fresh = stale;
        let mut indexed = found.clone();
        indexed.and_not(&state.stale);
        unsure.retain(|term| {
            let candidates = state.index.candidates(term);
            indexed.and_assign(&candidates.set);
            !candidates.exact
        });
        *found = indexed;
    }
    let ty = &entries.content_type;
    let mut text = Text::default();
    if !unsure.is_empty() {
        *found = found
            .iter()
            .filter(|it| contains(entries, *it, ty, locale, &unsure, &mut text))
            .collect();
    }
    let changed = fresh.iter().filter(|it| contains(entries, *it, ty, locale, terms, &mut text));
    found.extend(changed.collect::<Vec<_>>());
}

fn contains(
    entries: &TypeIndex,
    ordinal: Ordinal,
    ty: &ContentType,
    locale: Option<usize>,
    terms: &[String],
    text: &mut Text,
) -> bool {
    let Some(doc) = entries.doc(ordinal) else { return false };
    let haystack = text.of(ty, doc, locale).as_bytes();
    terms.iter().all(|term| memchr::memmem::find(haystack, term.as_bytes()).is_some())
}

/// The folded text of one entry after another, in buffers that are used again.
#[derive(Default)]
struct Text {
    plain: String,
    folded: String,
}

impl Text {
    /// Title, slug and the text of all fields that are searched.
    fn of(&mut self, ty: &ContentType, doc: &Doc, locale: Option<usize>) -> &str {
        self.plain.clear();
        self.folded.clear();
        let variant = doc.variant(locale);
        if let Ok(Json::String(title)) = Json::parse(variant.title()) {
            self.plain.push_str(&title);
        }
        self.plain.push('\n');
        self.plain.push_str(&doc.slug);
        for (index, field) in ty.data_fields().enumerate() {
            let value = variant.field(index);
            if !matches!(value, b"" | b"null" | b"\"\"" | b"[]" | b"{}")
                && let Ok(value) = Json::parse(value)
            {
                self.plain.push('\n');
                field.kind.text(&value, &mut self.plain);
            }
        }
        fold_into(&self.plain, &mut self.folded);
        &self.folded
    }
}
