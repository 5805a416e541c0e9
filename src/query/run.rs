//! Runs a list query: visibility, search, filters, count, order, slice.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::Status;
use crate::query::answer::Writer;
use crate::query::column::Column;
use crate::query::doc::Doc;
use crate::query::field_ref::DataRef;
use crate::query::field_ref::FieldRef;
use crate::query::filter::Filter;
use crate::query::filter::Operand;
use crate::query::filter::Operator;
use crate::query::list_query::ListQuery;
use crate::query::list_query::Shape;
use crate::query::order::Order;
use crate::query::search;
use crate::query::search::TextState;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::view::View;
use crate::stdx::bitset::Bitset;
use crate::stdx::list::SortedList;

/// Types with fewer entries are always queried at once, whatever has to be made first.
const SMALL: usize = 1_000;

/// How much work a query may do where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Only what takes microseconds: the caller must not be kept.
    Quick,
    /// Whatever it takes.
    Thorough,
}

/// The query needs more than [`Effort::Quick`] allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedsEffort;

/// What a query found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The entries of the page, in order.
    pub page: Vec<Ordinal>,
    /// How many entries match in all.
    pub total: usize,
    /// How many of those have each status, when asked for.
    pub by_status: Option<[usize; 5]>,
}

/// Runs `query` over the type at `place`.
pub fn run(
    view: &View<'_>,
    place: usize,
    query: &ListQuery,
    effort: Effort,
) -> Result<Found, NeedsEffort> {
    let Some(index) = view.snapshot.types().get(place) else { return Ok(Found::default()) };
    let small = index.places() < SMALL;
    let effort = if small { Effort::Thorough } else { effort };
    let run = Run { view, place, index, locale: view.locale(&index.content_type), effort };
    let mut found = view.visible(place);
    for filter in &query.filters {
        run.apply(filter, &mut found)?;
    }
    if !query.terms.is_empty() {
        run.search(&query.terms, &mut found)?;
    }
    let total = found.count();
    let page = run.page(query, &found, total)?;
    let by_status = query.counts.then(|| run.count(&found));
    Ok(Found { page, total, by_status })
}

struct Run<'a> {
    view: &'a View<'a>,
    place: usize,
    index: &'a Arc<TypeIndex>,
    locale: Option<usize>,
    effort: Effort,
}

impl Run<'_> {
    fn ty(&self) -> &ContentType {
        &self.index.content_type
    }

    fn need_effort(&self) -> Result<(), NeedsEffort> {
        if self.effort == Effort::Quick { Err(NeedsEffort) } else { Ok(()) }
    }

    /// Narrows `found` to what passes the filter.
    fn apply(&self, filter: &Filter, found: &mut Bitset) -> Result<(), NeedsEffort> {
        if let Some(target) = filter.field.relation(self.ty()) {
            let target = self.view.snapshot.place(target.as_str());
            found.and_assign(&self.related(filter, target)?);
        } else if let FieldRef::Data(data) = &filter.field
            && filter.field.holds_relations(self.ty())
        {
            self.need_effort()?;
            *found = self.passing_as_seen(filter, data, found);
        } else {
            found.and_assign(&*self.passing(filter)?);
        }
        Ok(())
    }

    /// The entries of `found` that pass a filter on JSON with relations inside: what the reader does
    /// not see of it must not be found either.
    fn passing_as_seen(&self, filter: &Filter, data: &DataRef, found: &Bitset) -> Bitset {
        let shape = Shape::default();
        let Some(writer) = Writer::new(self.view, &shape, self.place) else { return Bitset::new() };
        let mut shown = Vec::new();
        let mut passes = |ordinal: &Ordinal| {
            shown.clear();
            writer.field(*ordinal, data.index, &mut shown);
            let (mut holds, mut none) = (false, true);
            data.values_in(self.ty(), &shown, &mut |value| {
                none = false;
                holds = holds || filter.holds(value);
            });
            filter.concludes(holds, none)
        };
        found.iter().filter(|it| passes(it)).collect()
    }

    /// The entries that pass a filter that means the same to every reader.
    fn passing(&self, filter: &Filter) -> Result<Arc<Bitset>, NeedsEffort> {
        let locale = self.locale.filter(|_| filter.field.is_localized());
        if let Some(set) = self.index.memo.filter(filter, locale) {
            return Ok(set);
        }
        let set = match self.column(filter)? {
            Some(column) => column.select(filter, self.index.live()),
            None => {
                self.need_effort()?;
                let passes = |(_, doc): &(Ordinal, &Doc)| filter.matches(self.ty(), doc, locale);
                let rows = self.index.iter().map(|(ordinal, doc)| (ordinal, &**doc));
                rows.filter(|row| passes(row)).map(|(ordinal, _)| ordinal).collect()
            }
        };
        let set = Arc::new(set);
        self.index.memo.keep_filter(filter, locale, &set);
        Ok(set)
    }

    fn column(&self, filter: &Filter) -> Result<Option<Arc<Column>>, NeedsEffort> {
        let locale = self.locale.filter(|_| filter.field.is_localized());
        if let Some(column) = self.index.memo.column(&filter.field, locale) {
            return Ok(Some(column));
        }
        self.need_effort()?;
        let Some(column) = Column::build(self.index, &filter.field, locale) else {
            return Ok(None);
        };
        let column = Arc::new(column);
        self.index.memo.keep_column(&filter.field, locale, &column);
        Ok(Some(column))
    }

    /// The entries that pass a filter on a relation. A target that the reader does not see is as
    /// good as none.
    fn related(&self, filter: &Filter, target: Option<usize>) -> Result<Bitset, NeedsEffort> {
        let live = self.index.live();
        let column = self.column(filter)?;
        let Some(Column::Texts(texts)) = column.as_deref() else { return Ok(Bitset::new()) };
        let sees = |id: &str| target.is_some_and(|it| self.view.target(it, id).is_some());
        let wanted = match filter.operator {
            Operator::Eq | Operator::Ne | Operator::In | Operator::Nin => {
                let ids = self.resolve(filter, target);
                texts.codes_where_any(&ids)
            }
            Operator::Empty => {
                let empty = filter.operands.contains(&Operand::Flag(true));
                return Ok(texts.select_by_presence(live, &texts.codes_where(sees), empty));
            }
            _ => texts.codes_where(|id| {
                filter.holds(crate::model::field::Comparable::Text(id)) && sees(id)
            }),
        };
        Ok(texts.select(live, &wanted, |any, none| filter.concludes(any, none)))
    }

    /// The ids of the visible targets that the operands name by id or slug.
    fn resolve(&self, filter: &Filter, target: Option<usize>) -> Vec<String> {
        let Some(place) = target else { return Vec::new() };
        let Some(index) = self.view.snapshot.types().get(place) else { return Vec::new() };
        let named = filter.operands.iter().filter_map(|it| match it {
            Operand::Text(text) => self.view.find(place, text),
            _ => None,
        });
        named.filter_map(|it| index.doc(it)).map(|it| it.id.to_string()).collect()
    }

    /// Narrows `found` to entries in which all terms occur.
    fn search(&self, terms: &[String], found: &mut Bitset) -> Result<(), NeedsEffort> {
        let state = self.text_state()?;
        search::retain(self.index, state.as_deref(), self.locale, terms, found);
        Ok(())
    }

    fn text_state(&self) -> Result<Option<Arc<TextState>>, NeedsEffort> {
        // Searching is never done where others wait: a rare term can lead to many documents.
        self.need_effort()?;
        if self.index.len() < search::INDEXED_MIN {
            return Ok(None);
        }
        if let Some(state) = self.index.memo.text(self.locale)
            && !state.is_worn()
        {
            return Ok(Some(state));
        }
        let state = Arc::new(TextState::build(self.index, self.locale));
        self.index.memo.keep_text(self.locale, &state);
        Ok(Some(state))
    }

    fn page(
        &self,
        query: &ListQuery,
        found: &Bitset,
        total: usize,
    ) -> Result<Vec<Ordinal>, NeedsEffort> {
        let limit = query.limit.unwrap_or(usize::MAX);
        let wanted = total.saturating_sub(query.offset).min(limit);
        if wanted == 0 {
            return Ok(Vec::new());
        }
        let order = &query.order;
        if order.depends_on_reader(self.ty()) {
            self.need_effort()?;
            return Ok(self.sorted(order, found, query.offset, wanted));
        }
        if self.is_cheaper_to_sort(query.offset + wanted, total) {
            return Ok(self.sorted(order, found, query.offset, wanted));
        }
        let kept = self.kept_order(order)?;
        if total == kept.len() {
            return Ok(kept.iter_from(query.offset).take(wanted).collect());
        }
        let hits = kept.iter().filter(|it| found.contains(*it));
        Ok(hits.skip(query.offset).take(wanted).collect())
    }

    /// Whether sorting what was found takes less than going through a kept order to the last
    /// entry wanted: about 250 comparisons are paid for by one value made for sorting.
    fn is_cheaper_to_sort(&self, last: usize, total: usize) -> bool {
        const LOOKS_PER_SORTED: usize = 250;
        let looks = self.index.places() / total.max(1) * last;
        total * LOOKS_PER_SORTED < looks
    }

    fn sorted(&self, order: &Order, found: &Bitset, offset: usize, wanted: usize) -> Vec<Ordinal> {
        // Each relation key asks about its own target type.
        let places: Vec<usize> = order
            .keys
            .iter()
            .filter_map(|it| it.field.relation(self.ty()))
            .filter_map(|it| self.view.snapshot.place(it.as_str()))
            .collect();
        let sees = |id: &str| places.iter().any(|it| self.view.target(*it, id).is_some());
        let sorted = order.sort(self.index, self.locale, found.iter(), Some(&sees));
        sorted.into_iter().skip(offset).take(wanted).collect()
    }

    fn kept_order(&self, order: &Order) -> Result<SortedList, NeedsEffort> {
        let localized = order.keys.iter().any(|it| it.field.is_localized());
        let locale = self.locale.filter(|_| localized);
        if let Some(list) = self.index.memo.order(order, locale) {
            return Ok(list);
        }
        self.need_effort()?;
        let sorted = order.sort(self.index, locale, self.index.live().iter(), None);
        let list = SortedList::from_sorted(sorted);
        self.index.memo.keep_order(order, locale, &list);
        Ok(list)
    }

    fn count(&self, found: &Bitset) -> [usize; 5] {
        let mut counts = [0; 5];
        for doc in found.iter().filter_map(|it| self.index.doc(it)) {
            if let Some(place) = Status::ALL.iter().position(|it| *it == doc.status) {
                counts[place] += 1;
            }
        }
        counts
    }
}
