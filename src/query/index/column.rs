//! The values of one field of all entries of a type, side by side. They make the first evaluation
//! of a filter cheap.

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::field::Comparable;
use crate::model::field::Comparison;
use crate::query::index::entry_table::EntryTable;
use crate::query::index::entry_table::Ordinal;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::field_ref::FieldRef;
use crate::query::request::filter::Filter;
use crate::query::request::filter::Operand;
use crate::stdx::bitset::Bitset;
use crate::stdx::cow_list::ChunkList;
use crate::stdx::cow_map::CowMap;
use crate::stdx::fold::casefold;

/// The values of a field by ordinal.
#[derive(Clone, Debug)]
pub enum Column {
    /// One number each; NaN for no value.
    Numbers(ChunkList<f64>),
    /// Texts, as codes.
    Texts(TextColumn),
}

/// Texts that are stored once each and referred to by code.
#[derive(Clone, Debug, Default)]
pub struct TextColumn {
    cells: ChunkList<TextCodes>,
    codes: CowMap<Arc<str>, u32>,
    texts: ChunkList<Arc<str>>,
    /// True if a text may be that of a number, which compares with bounds by its value.
    has_numbers: bool,
    /// The number of texts when the column was built.
    built_texts: usize,
}

/// The places of a column's texts in their order, for a reader who may not see all of them.
pub struct TextRanks {
    cells: ChunkList<TextCodes>,
    /// The place by code; `None` for a text that the reader does not see.
    places: Vec<Option<u32>>,
}

impl TextRanks {
    /// Returns the place of the first text of an entry that the reader sees.
    pub fn find_place(&self, ordinal: Ordinal) -> Option<u32> {
        let place = |code: &u32| self.places.get(*code as usize).copied().flatten();
        match self.cells.get(ordinal as usize)? {
            TextCodes::None => None,
            TextCodes::One(code) => place(code),
            TextCodes::Many(codes) => codes.iter().find_map(place),
        }
    }
}

/// The codes of the values of one entry.
#[derive(Clone, Debug)]
enum TextCodes {
    None,
    One(u32),
    Many(Arc<[u32]>),
}

impl Column {
    /// Collects the values of `field`. Returns `None` if they are too long to be kept twice, are of
    /// several types, or are numbers that floats cannot tell apart.
    pub fn build(index: &EntryTable, field: &FieldRef, locale: Option<usize>) -> Option<Column> {
        let ty = &index.content_type;
        let mut column = match field.comparison(ty) {
            Comparison::LongText | Comparison::Json => return None,
            Comparison::Number | Comparison::Bool | Comparison::Date | Comparison::DateTime => {
                Column::Numbers(ChunkList::from_vec(vec![f64::NAN; index.slot_count()]))
            }
            Comparison::Text | Comparison::Relation | Comparison::Media => {
                let cells = ChunkList::from_vec(vec![TextCodes::None; index.slot_count()]);
                Column::Texts(TextColumn { cells, ..TextColumn::default() })
            }
        };
        for (ordinal, doc) in index.iter() {
            column.set_values(field, locale, ordinal, ty, doc)?;
        }
        if let Column::Texts(texts) = &mut column {
            texts.built_texts = texts.texts.len();
        }
        Some(column)
    }

    /// Returns the column of the next index, in which the entries at `touched` differ; `None` if it
    /// should be built anew, or the field has no column any more.
    pub fn with_changes(
        &self,
        field: &FieldRef,
        locale: Option<usize>,
        new: &EntryTable,
        touched: &[Ordinal],
    ) -> Option<Column> {
        let mut column = self.clone();
        for ordinal in touched {
            match new.entry_at(*ordinal) {
                Some(doc) => column.set_values(field, locale, *ordinal, &new.content_type, doc)?,
                None => column.clear(*ordinal),
            }
        }
        (!column.is_mostly_garbage()).then_some(column)
    }

    /// Returns true if most texts belong to values that were replaced.
    fn is_mostly_garbage(&self) -> bool {
        let spare = 1024;
        matches!(self, Column::Texts(it) if it.texts.len() > 2 * it.built_texts + spare)
    }

    /// Returns the approximate size in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        /// The size of a text with its length, its reference counts and its slot in the map.
        const TEXT_BYTES: usize = 64;
        match self {
            Column::Numbers(values) => values.len() * size_of::<f64>(),
            Column::Texts(texts) => {
                let bytes = texts.texts.iter().map(|it| it.len() + TEXT_BYTES);
                bytes.sum::<usize>() + texts.cells.len() * size_of::<TextCodes>()
            }
        }
    }

    /// Returns the number of texts that a filter scans; 0 if the filter names exact texts.
    pub fn count_lookups(&self, filter: &Filter) -> usize {
        match self {
            Column::Texts(texts) if !filter.is_exact() => texts.texts.len(),
            _ => 0,
        }
    }

    /// Returns true if the values are enough to evaluate the filter: not if it compares numbers, of
    /// which only the texts are kept, with a bound.
    pub fn answers(&self, filter: &Filter) -> bool {
        !(filter.is_bound() && matches!(self, Column::Texts(texts) if texts.has_numbers))
    }

    /// Returns the entries among `live` that pass a filter that the column answers.
    pub fn select_entries(&self, filter: &Filter, live: &Bitset) -> Bitset {
        match self {
            Column::Numbers(values) => {
                let passes = |value: f64| {
                    let number = Comparable::Number(value.into());
                    let holds = !value.is_nan() && filter.test_value(number);
                    filter.decide_match(holds, value.is_nan())
                };
                filter_live(live, values.iter().map(|it| passes(*it)))
            }
            Column::Texts(texts) => {
                texts.select_by_codes(live, &texts.codes_holding(filter), |any, none| {
                    filter.decide_match(any, none)
                })
            }
        }
    }

    fn set_values(
        &mut self,
        field: &FieldRef,
        locale: Option<usize>,
        ordinal: Ordinal,
        ty: &ContentType,
        doc: &RenderedEntry,
    ) -> Option<()> {
        match self {
            Column::Numbers(values) => {
                let (mut number, mut plain) = (f64::NAN, true);
                field.visit_values(ty, doc, locale, &mut |value| match value {
                    Comparable::Number(value) if number.is_nan() && value.is_float() => {
                        number = value.float();
                    }
                    _ => plain = false,
                });
                put_value(values, ordinal, number, f64::NAN);
                plain.then_some(())
            }
            Column::Texts(texts) => {
                texts.set_codes(field, locale, ordinal, ty, doc);
                Some(())
            }
        }
    }

    fn clear(&mut self, ordinal: Ordinal) {
        match self {
            Column::Numbers(values) => put_value(values, ordinal, f64::NAN, f64::NAN),
            Column::Texts(texts) => {
                put_value(&mut texts.cells, ordinal, TextCodes::None, TextCodes::None)
            }
        }
    }
}

impl TextColumn {
    /// Returns the entries among `live` for which `decide` returns true, given whether one of
    /// their codes is wanted and whether they have none.
    pub fn select_by_codes(
        &self,
        live: &Bitset,
        wanted: &Bitset,
        decide: impl Fn(bool, bool) -> bool,
    ) -> Bitset {
        // The three results are computed once, not for each of many thousand entries.
        let (on_none, on_hit, on_miss) =
            (decide(false, true), decide(true, false), decide(false, false));
        let result_for = |hit: bool| if hit { on_hit } else { on_miss };
        let passes = |cell: &TextCodes| match cell {
            TextCodes::None => on_none,
            TextCodes::One(code) => result_for(wanted.contains(*code)),
            TextCodes::Many(codes) => result_for(codes.iter().any(|it| wanted.contains(*it))),
        };
        filter_live(live, self.cells.iter().map(passes))
    }

    /// Returns the entries among `live` that have any of the wanted codes, or, with `empty`, those
    /// that have none of them.
    pub fn select_by_presence(&self, live: &Bitset, wanted: &Bitset, empty: bool) -> Bitset {
        self.select_by_codes(live, wanted, |any, _| any != empty)
    }

    /// Returns the codes of the texts for which `holds` returns true.
    pub fn codes_where(&self, mut holds: impl FnMut(&str) -> bool) -> Bitset {
        let mut found = Bitset::with_len(self.texts.len());
        for (code, text) in (0..).zip(self.texts.iter()) {
            if holds(text) {
                found.insert(code);
            }
        }
        found
    }

    /// Returns the places of the texts in their order without case, of those for which `sees`
    /// returns true. Texts that differ in their case alone share a place.
    pub fn rank_texts(&self, mut sees: impl FnMut(&str) -> bool) -> TextRanks {
        let texts = (0_usize..).zip(self.texts.iter()).filter(|(_, text)| sees(text));
        let mut sorted: Vec<(Cow<'_, str>, usize)> =
            texts.map(|(code, text)| (casefold(text), code)).collect();
        sorted.sort_unstable();
        let mut places = vec![None; self.texts.len()];
        for (place, same) in (0_u32..).zip(sorted.chunk_by(|(one, _), (two, _)| one == two)) {
            for (_, code) in same {
                if let Some(it) = places.get_mut(*code) {
                    *it = Some(place);
                }
            }
        }
        TextRanks { cells: self.cells.clone(), places }
    }

    /// Returns the codes of exactly these texts.
    pub fn codes_where_any(&self, texts: &[impl AsRef<str>]) -> Bitset {
        texts.iter().filter_map(|it| self.codes.get(it.as_ref()).copied()).collect()
    }

    fn codes_holding(&self, filter: &Filter) -> Bitset {
        if !filter.is_exact() {
            return self.codes_where(|text| filter.test_value(Comparable::Text(text)));
        }
        let text = |it: &Operand| match it {
            Operand::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.codes_where_any(&filter.operands.iter().filter_map(text).collect::<Vec<_>>())
    }

    fn set_codes(
        &mut self,
        field: &FieldRef,
        locale: Option<usize>,
        ordinal: Ordinal,
        ty: &ContentType,
        doc: &RenderedEntry,
    ) {
        let mut codes = Vec::new();
        field.visit_values(ty, doc, locale, &mut |value| match value {
            Comparable::Text(text) => codes.push(self.intern_text(text)),
            Comparable::Number(number) => codes.push(self.intern_text(&number.to_string())),
            Comparable::WrittenNumber(_, text) => {
                self.has_numbers = true;
                codes.push(self.intern_text(text));
            }
        });
        let cell = match codes.as_slice() {
            [] => TextCodes::None,
            [code] => TextCodes::One(*code),
            codes => TextCodes::Many(codes.into()),
        };
        put_value(&mut self.cells, ordinal, cell, TextCodes::None);
    }

    /// Returns the code of a text. Assigns a new one if it has none.
    fn intern_text(&mut self, text: &str) -> u32 {
        if let Some(code) = self.codes.get(text) {
            return *code;
        }
        let code = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.codes.insert(text, code);
        code
    }
}

/// Sets the value at `ordinal`, and fills the gap up to a new position with `filler`.
fn put_value<T: Clone>(values: &mut ChunkList<T>, ordinal: Ordinal, value: T, filler: T) {
    while values.len() <= ordinal as usize {
        values.push(filler.clone());
    }
    values.set(ordinal as usize, value);
}

fn filter_live(live: &Bitset, passes: impl Iterator<Item = bool>) -> Bitset {
    let mut found = Bitset::from_answers(passes);
    found.and_assign(live);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::now;

    /// A column of many texts for each entry is carried along until most of them are replaced.
    #[test]
    fn texts_that_are_in_use_are_no_garbage() {
        let ty = content_type(
            "posts",
            r#"{"fields":{"rels":{"type":"relation","target":"posts","multiple":true}}}"#,
        );
        let file = |n: usize| {
            let rels: Vec<String> = (0..1_500).map(|it| format!("\"r{n}-{it}\"")).collect();
            format!(r#"{{"title":"T","data":{{"rels":[{}]}}}}"#, rels.join(","))
        };
        let mut posts = index(&ty, &[("a", &file(0)), ("b", &file(1))]);
        let field = FieldRef::resolve(&ty, "rels").unwrap();
        let mut column = Column::build(posts.entries(), &field, None).unwrap();
        let mut n_changes = 0;
        loop {
            n_changes += 1;
            posts = posts.with_changes(&[change(&ty, "a", Some(&file(1 + n_changes)))], now());
            let place = posts.find_ordinal("a").unwrap();
            match column.with_changes(&field, None, posts.entries(), &[place]) {
                Some(next) => column = next,
                None => break,
            }
        }
        // 7,024 texts are twice as many as there were, and some more.
        assert_eq!(n_changes, 3);
    }
}
