//! The values of one field for all entries of a type, side by side: what makes a filter that was
//! never asked before cheap.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::field::Comparable;
use crate::model::field::Comparison;
use crate::query::doc::Doc;
use crate::query::field_ref::FieldRef;
use crate::query::filter::Filter;
use crate::query::filter::Operand;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::stdx::bitset::Bitset;
use crate::stdx::list::ChunkList;
use crate::stdx::map::CowMap;

/// The values of a field by place.
#[derive(Clone, Debug)]
pub enum Column {
    /// One number each; not a number where there is none.
    Numbers(ChunkList<f64>),
    /// Texts by their codes.
    Texts(Texts),
}

/// Texts, each kept once and named by a code.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    cells: ChunkList<Cell>,
    codes: CowMap<Arc<str>, u32>,
    texts: ChunkList<Arc<str>>,
}

/// The codes of one entry's values.
#[derive(Clone, Debug)]
enum Cell {
    None,
    One(u32),
    Many(Arc<[u32]>),
}

impl Column {
    /// Collects the values of `field`. Nothing when the field is too long to be kept twice or its
    /// values are of several sorts.
    pub fn build(index: &TypeIndex, field: &FieldRef, locale: Option<usize>) -> Option<Column> {
        let ty = &index.content_type;
        let mut column = match field.comparison(ty) {
            Comparison::LongText | Comparison::Json => return None,
            Comparison::Number | Comparison::Bool | Comparison::Date | Comparison::DateTime => {
                Column::Numbers(ChunkList::from_vec(vec![f64::NAN; index.places()]))
            }
            Comparison::Text | Comparison::Relation | Comparison::Media => {
                let cells = ChunkList::from_vec(vec![Cell::None; index.places()]);
                Column::Texts(Texts { cells, ..Texts::default() })
            }
        };
        for (ordinal, doc) in index.iter() {
            column.set(field, locale, ordinal, ty, doc)?;
        }
        Some(column)
    }

    /// The column of the next index, in which the entries at `touched` differ.
    pub fn carried(
        &self,
        field: &FieldRef,
        locale: Option<usize>,
        new: &TypeIndex,
        touched: &[Ordinal],
    ) -> Option<Column> {
        let mut column = self.clone();
        for ordinal in touched {
            match new.doc(*ordinal) {
                Some(doc) => column.set(field, locale, *ordinal, &new.content_type, doc)?,
                None => column.clear(*ordinal),
            }
        }
        (!column.is_mostly_garbage()).then_some(column)
    }

    /// Whether most texts belong to values that were replaced.
    fn is_mostly_garbage(&self) -> bool {
        let spare = 1024;
        matches!(self, Column::Texts(texts) if texts.texts.len() > 2 * texts.cells.len() + spare)
    }

    /// About how many bytes it takes.
    pub(super) fn memory_bytes(&self) -> usize {
        /// A text with its length, its counts and its place in the map.
        const TEXT_BYTES: usize = 64;
        match self {
            Column::Numbers(values) => values.len() * size_of::<f64>(),
            Column::Texts(texts) => {
                let bytes = texts.texts.iter().map(|it| it.len() + TEXT_BYTES);
                bytes.sum::<usize>() + texts.cells.len() * size_of::<Cell>()
            }
        }
    }

    /// How many texts a filter has to look at: none when it names exact ones.
    pub fn looks(&self, filter: &Filter) -> usize {
        match self {
            Column::Texts(texts) if !filter.is_exact() => texts.texts.len(),
            _ => 0,
        }
    }

    /// The entries among `live` that pass the filter.
    pub fn select(&self, filter: &Filter, live: &Bitset) -> Bitset {
        match self {
            Column::Numbers(values) => {
                let passes = |value: f64| {
                    let holds = !value.is_nan() && filter.holds(Comparable::Number(value));
                    filter.concludes(holds, value.is_nan())
                };
                live_where(live, values.iter().map(|it| passes(*it)))
            }
            Column::Texts(texts) => {
                texts.select(live, &texts.codes_holding(filter), |any, none| {
                    filter.concludes(any, none)
                })
            }
        }
    }

    fn set(
        &mut self,
        field: &FieldRef,
        locale: Option<usize>,
        ordinal: Ordinal,
        ty: &ContentType,
        doc: &Doc,
    ) -> Option<()> {
        match self {
            Column::Numbers(values) => {
                let (mut number, mut plain) = (f64::NAN, true);
                field.values(ty, doc, locale, &mut |value| match value {
                    Comparable::Number(value) if number.is_nan() => number = value,
                    _ => plain = false,
                });
                put(values, ordinal, number, f64::NAN);
                plain.then_some(())
            }
            Column::Texts(texts) => {
                texts.set(field, locale, ordinal, ty, doc);
                Some(())
            }
        }
    }

    fn clear(&mut self, ordinal: Ordinal) {
        match self {
            Column::Numbers(values) => put(values, ordinal, f64::NAN, f64::NAN),
            Column::Texts(texts) => put(&mut texts.cells, ordinal, Cell::None, Cell::None),
        }
    }
}

impl Texts {
    /// The entries among `live` whose codes, taken together, lead to a verdict of `true`.
    pub fn select(
        &self,
        live: &Bitset,
        wanted: &Bitset,
        concludes: impl Fn(bool, bool) -> bool,
    ) -> Bitset {
        // The three verdicts are worked out once, not for each of many thousand entries.
        let (on_none, on_hit, on_miss) =
            (concludes(false, true), concludes(true, false), concludes(false, false));
        let verdict = |hit: bool| if hit { on_hit } else { on_miss };
        let passes = |cell: &Cell| match cell {
            Cell::None => on_none,
            Cell::One(code) => verdict(wanted.contains(*code)),
            Cell::Many(codes) => verdict(codes.iter().any(|it| wanted.contains(*it))),
        };
        live_where(live, self.cells.iter().map(passes))
    }

    /// The entries among `live` that have any of the wanted codes, or those that have none.
    pub fn select_by_presence(&self, live: &Bitset, wanted: &Bitset, empty: bool) -> Bitset {
        self.select(live, wanted, |any, _| any != empty)
    }

    /// The codes of the texts for which `holds`.
    pub fn codes_where(&self, mut holds: impl FnMut(&str) -> bool) -> Bitset {
        let mut found = Bitset::with_len(self.texts.len());
        for (code, text) in (0..).zip(self.texts.iter()) {
            if holds(text) {
                found.insert(code);
            }
        }
        found
    }

    /// The codes of exactly these texts.
    pub fn codes_where_any(&self, texts: &[impl AsRef<str>]) -> Bitset {
        texts.iter().filter_map(|it| self.codes.get(it.as_ref()).copied()).collect()
    }

    fn codes_holding(&self, filter: &Filter) -> Bitset {
        if !filter.is_exact() {
            return self.codes_where(|text| filter.holds(Comparable::Text(text)));
        }
        let text = |it: &Operand| match it {
            Operand::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.codes_where_any(&filter.operands.iter().filter_map(text).collect::<Vec<_>>())
    }

    fn set(
        &mut self,
        field: &FieldRef,
        locale: Option<usize>,
        ordinal: Ordinal,
        ty: &ContentType,
        doc: &Doc,
    ) {
        let mut codes = Vec::new();
        field.values(ty, doc, locale, &mut |value| match value {
            Comparable::Text(text) => codes.push(self.code(text)),
            Comparable::Number(number) => codes.push(self.code(&number.to_string())),
        });
        let cell = match codes.as_slice() {
            [] => Cell::None,
            [code] => Cell::One(*code),
            codes => Cell::Many(codes.into()),
        };
        put(&mut self.cells, ordinal, cell, Cell::None);
    }

    /// The code of a text, a new one when it was not there.
    fn code(&mut self, text: &str) -> u32 {
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

/// Sets the value at a place, filling the way to a new place with `filler`.
fn put<T: Clone>(values: &mut ChunkList<T>, ordinal: Ordinal, value: T, filler: T) {
    while values.len() <= ordinal as usize {
        values.push(filler.clone());
    }
    values.set(ordinal as usize, value);
}

fn live_where(live: &Bitset, passes: impl Iterator<Item = bool>) -> Bitset {
    let mut found = Bitset::from_answers(passes);
    found.and_assign(live);
    found
}
