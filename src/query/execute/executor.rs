//! Runs a list query: visibility, search, filters, count, order, slice.

use std::borrow::Cow;
use std::ptr;
use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::field::Comparable;
use crate::query::execute::view::View;
use crate::query::index::column::Column;
use crate::query::index::column::TextRanks;
use crate::query::index::entry_table::SMALL_BYTES_BELOW;
use crate::query::index::search;
use crate::query::index::search::PendingSearch;
use crate::query::index::search::TextState;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::entry_writer::render_field;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::field_ref::FieldRef;
use crate::query::request::filter::Filter;
use crate::query::request::filter::Operand;
use crate::query::request::filter::Operator;
use crate::query::request::list_query::ListQuery;
use crate::query::request::sort_order::SortOrder;
use crate::query::request::sort_order::SortValue;
use crate::stdx::bitset::Bitset;
use crate::stdx::cow_list::SortedList;

/// The number of lookups from which on a query needs more than [`Effort::Quick`].
const LOOKUPS_THOROUGH_MIN: usize = 1_000;

/// The number of entries from which on reading them all needs [`Effort::Heavy`], since it takes a
/// noticeable part of a second.
const READ_HEAVY_MIN: usize = 20_000;

/// The bytes of entries from which on reading them needs [`Effort::Heavy`].
const READ_HEAVY_BYTES_MIN: usize = 16 * 1024 * 1024;

/// The largest offset of a page that is reached by walking through the order.
const WALK_OFFSET_MAX: usize = 500;

/// The work that a query may do where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Work of microseconds only: the caller must not block.
    Quick,
    /// Any work, except what is `Heavy`.
    Thorough,
    /// Also work that keeps a core busy for long, like decoding pictures or indexing many entries.
    Heavy,
}

/// The error of a query that needs more effort than it is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedsEffort;

/// The result of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListResult {
    /// The entries of the page, in order.
    pub page: Vec<Ordinal>,
    /// The total number of matching entries.
    pub total: usize,
    /// The number of matching entries with each status, if requested.
    pub by_status: Option<[usize; 5]>,
}

/// Runs `query` over the type at `place`.
pub fn run_query(
    view: &View<'_>,
    place: usize,
    query: &ListQuery,
    effort: Effort,
) -> Result<ListResult, NeedsEffort> {
    let Some(index) = view.snapshot.types().get(place) else { return Ok(ListResult::default()) };
    // What a small type needs is built at once, by whichever thread asks.
    let effort = if index.is_small() { Effort::Thorough } else { effort };
    let run = ListExecution {
        view,
        place,
        index,
        locale: view.resolve_locale(&index.content_type),
        effort,
    };
    if view.is_costly(place) {
        run.require_effort()?;
    }
    let mut found = view.list_visible(place);
    for filter in &query.filters {
        run.apply_filter(filter, found.to_mut())?;
    }
    if !query.terms.is_empty() {
        run.apply_search(&query.terms, found.to_mut())?;
    }
    let total = match &found {
        Cow::Borrowed(_) => view.count_visible(place),
        Cow::Owned(selected) => selected.count(),
    };
    let page = run.collect_page(query, &found, total)?;
    run.require_lookups(if query.counts { total } else { 0 })?;
    let by_status = query.counts.then(|| run.count_by_status(&found));
    Ok(ListResult { page, total, by_status })
}

struct ListExecution<'a> {
    view: &'a View<'a>,
    place: usize,
    index: &'a Arc<TypeIndex>,
    locale: Option<usize>,
    effort: Effort,
}

impl ListExecution<'_> {
    fn content_type(&self) -> &ContentType {
        &self.index.content_type
    }

    fn require_effort(&self) -> Result<(), NeedsEffort> {
        if self.effort == Effort::Quick { Err(NeedsEffort) } else { Ok(()) }
    }

    /// Checks that the query may read so many entries. Even none need more than [`Effort::Quick`],
    /// and many or large ones need [`Effort::Heavy`].
    fn require_reads(&self, count: usize) -> Result<(), NeedsEffort> {
        let is_long =
            count >= READ_HEAVY_MIN || self.index.estimate_bytes(count) >= READ_HEAVY_BYTES_MIN;
        let is_refused = is_long && self.effort == Effort::Thorough;
        if is_refused { Err(NeedsEffort) } else { self.require_effort() }
    }

    /// Checks that the query may read the values by which these entries are sorted.
    fn require_sort_values(&self, order: &SortOrder, found: &Bitset) -> Result<(), NeedsEffort> {
        let docs = found.iter().filter_map(|it| self.index.entry_at(it));
        let values = docs.flat_map(|doc| {
            order.keys.iter().map(move |key| key.field.json_bytes(doc, self.locale))
        });
        match values.fold(0, usize::saturating_add) {
            0..SMALL_BYTES_BELOW => Ok(()),
            READ_HEAVY_BYTES_MIN.. if self.effort == Effort::Thorough => Err(NeedsEffort),
            _ => self.require_effort(),
        }
    }

    /// Checks that the query may build a structure from all entries, or wait for one.
    fn require_build(&self) -> Result<(), NeedsEffort> {
        self.require_reads(self.index.len())
    }

    /// Checks that the query may do this many lookups.
    fn require_lookups(&self, lookups: usize) -> Result<(), NeedsEffort> {
        if lookups < LOOKUPS_THOROUGH_MIN { Ok(()) } else { self.require_effort() }
    }

    /// Removes the entries from `found` that do not pass the filter.
    fn apply_filter(&self, filter: &Filter, found: &mut Bitset) -> Result<(), NeedsEffort> {
        if let Some(target) = filter.field.relation_target(self.content_type()) {
            let target = self.view.snapshot.type_position(target.as_str());
            found.and_assign(&self.find_related(filter, target)?);
        } else if filter.field.holds_relations(self.content_type()) {
            self.require_reads(found.count())?;
            let passes = |doc: &Arc<RenderedEntry>| {
                filter.matches_values(|each| self.visit_values(&filter.field, doc, each))
            };
            *found =
                found.iter().filter(|it| self.index.entry_at(*it).is_some_and(passes)).collect();
        } else {
            found.and_assign(&*self.find_passing(filter)?);
        }
        Ok(())
    }

    /// Returns the entries that pass a filter whose result is the same for every reader.
    fn find_passing(&self, filter: &Filter) -> Result<Arc<Bitset>, NeedsEffort> {
        let locale = self.locale.filter(|_| filter.field.is_localized());
        if let Some(set) = self.index.derived.get_filter(filter, locale) {
            return Ok(set);
        }
        let set = match self.get_column(&filter.field)?.filter(|it| it.answers(filter)) {
            Some(column) => {
                self.require_lookups(column.count_lookups(filter))?;
                column.select_entries(filter, self.index.live())
            }
            None => {
                self.require_reads(self.index.len())?;
                let passes = |(_, doc): &(Ordinal, &RenderedEntry)| {
                    filter.matches_entry(self.content_type(), doc, locale)
                };
                let rows = self.index.iter().map(|(ordinal, doc)| (ordinal, &**doc));
                rows.filter(|row| passes(row)).map(|(ordinal, _)| ordinal).collect()
            }
        };
        let set = Arc::new(set);
        self.index.derived.keep_filter(filter, locale, &set);
        Ok(set)
    }

    /// Calls `each` with the values of a field as the reader sees them.
    fn visit_values(
        &self,
        field: &FieldRef,
        doc: &RenderedEntry,
        each: &mut dyn FnMut(Comparable<'_>),
    ) {
        let ty = self.content_type();
        if let Some(target) = field.relation_target(ty) {
            let Some(place) = self.view.snapshot.type_position(target.as_str()) else { return };
            field.visit_values(ty, doc, self.locale, &mut |value| match value {
                Comparable::Text(id) if self.view.find_by_id(place, id).is_none() => {}
                seen => each(seen),
            });
            return;
        }
        match field {
            FieldRef::Data(data) if field.holds_relations(ty) => {
                let variant = doc.variant_for(self.locale);
                let shown = render_field(self.view, self.place, variant, data.index);
                data.visit_json_values(ty, &shown, each);
            }
            _ => field.visit_values(ty, doc, self.locale, each),
        }
    }

    fn get_column(&self, field: &FieldRef) -> Result<Option<Arc<Column>>, NeedsEffort> {
        let locale = self.locale.filter(|_| field.is_localized());
        if let Some(column) = self.index.derived.get_column(field, locale) {
            return Ok(Some(column));
        }
        self.require_build()?;
        Ok(self.index.derived.get_or_build_column(self.index.entries(), field, locale))
    }

    /// Returns the entries that pass a filter on a relation. A target that the reader does not see
    /// counts as missing.
    fn find_related(&self, filter: &Filter, target: Option<usize>) -> Result<Bitset, NeedsEffort> {
        let live = self.index.live();
        let column = self.get_column(&filter.field)?;
        self.require_lookups(column.as_ref().map_or(0, |it| it.count_lookups(filter)))?;
        // Every relation has a column of texts.
        let Some(Column::Texts(texts)) = column.as_deref() else { return Ok(Bitset::new()) };
        let sees = |id: &str| target.is_some_and(|it| self.view.find_by_id(it, id).is_some());
        let wanted = match filter.operator {
            Operator::Eq | Operator::Ne | Operator::In | Operator::Nin => {
                let ids = self.resolve_ids(filter, target);
                texts.codes_where_any(&ids)
            }
            Operator::Empty => {
                let empty = filter.operands.contains(&Operand::Flag(true));
                return Ok(texts.select_by_presence(live, &texts.codes_where(sees), empty));
            }
            _ => texts.codes_where(|id| filter.test_value(Comparable::Text(id)) && sees(id)),
        };
        Ok(texts.select_by_codes(live, &wanted, |any, none| filter.decide_match(any, none)))
    }

    /// Returns the ids of the visible targets that the operands name by id or slug.
    fn resolve_ids(&self, filter: &Filter, target: Option<usize>) -> Vec<String> {
        let Some(place) = target else { return Vec::new() };
        let Some(index) = self.view.snapshot.types().get(place) else { return Vec::new() };
        let named = filter.operands.iter().filter_map(|it| match it {
            Operand::Text(text) => self.view.find_entry(place, text),
            _ => None,
        });
        named.filter_map(|it| index.entry_at(it)).map(|it| it.id().to_string()).collect()
    }

    /// Removes the entries from `found` in which a term does not occur.
    fn apply_search(&self, terms: &[String], found: &mut Bitset) -> Result<(), NeedsEffort> {
        let state = self.get_text_state()?;
        let search = PendingSearch::begin(state.as_deref(), terms, found);
        if search.count_unread() > 0 {
            self.require_reads(search.count_unread())?;
        }
        search.finish(self.index, self.locale, found);
        Ok(())
    }

    fn get_text_state(&self) -> Result<Option<Arc<TextState>>, NeedsEffort> {
        // A search is never quick: a rare term can lead to many documents.
        self.require_effort()?;
        if self.index.len() < search::INDEXED_MIN {
            return Ok(None);
        }
        if self.index.derived.get_text(self.locale).is_none() {
            self.require_build()?;
        }
        Ok(Some(self.index.derived.get_or_build_text(self.index.entries(), self.locale)))
    }

    fn collect_page(
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
        if order.depends_on_reader(self.content_type()) {
            self.require_reads(total)?;
            return self.sort_found(order, found, query.offset, wanted);
        }
        if self.is_cheaper_to_sort(query.offset + wanted, total) {
            self.require_sort_values(order, found)?;
            return self.sort_found(order, found, query.offset, wanted);
        }
        let kept = self.get_order(order)?;
        if total == kept.len() {
            return Ok(kept.get_page(query.offset, wanted));
        }
        let public = self.index.public();
        if query.offset > WALK_OFFSET_MAX && (ptr::eq(found, public) || found == public) {
            let public = self.get_public_order(order, &kept);
            return Ok(public.get_page(query.offset, wanted));
        }
        let hits = kept.iter().filter(|it| found.contains(*it));
        let mut page = Vec::with_capacity(wanted);
        page.extend(hits.skip(query.offset).take(wanted));
        Ok(page)
    }

    /// Returns the public entries in a kept order, so that a page far into the list is found
    /// without walking through all entries before it.
    fn get_public_order(&self, order: &SortOrder, kept: &SortedList) -> SortedList {
        let locale = self.order_locale(order);
        if let Some(list) = self.index.derived.get_public_order(order, locale) {
            return list;
        }
        let public = self.index.public();
        let list = SortedList::from_sorted(kept.iter().filter(|it| public.contains(*it)).collect());
        self.index.derived.keep_public_order(order, locale, &list);
        list
    }

    /// Returns the locale that an order depends on.
    fn order_locale(&self, order: &SortOrder) -> Option<usize> {
        let localized = order.keys.iter().any(|it| it.field.is_localized());
        self.locale.filter(|_| localized)
    }

    /// Returns true if sorting the matches costs less than walking through a kept order to the last
    /// wanted entry. About 250 steps of the walk cost as much as sorting one entry.
    fn is_cheaper_to_sort(&self, last: usize, total: usize) -> bool {
        const STEPS_PER_SORTED: usize = 250;
        let lookups = self.index.slot_count() / total.max(1) * last;
        total * STEPS_PER_SORTED < lookups
    }

    fn sort_found(
        &self,
        order: &SortOrder,
        found: &Bitset,
        offset: usize,
        wanted: usize,
    ) -> Result<Vec<Ordinal>, NeedsEffort> {
        let ranks = order.keys.iter().map(|it| self.rank_related(&it.field));
        let ranks = ranks.collect::<Result<Vec<_>, _>>()?;
        let sort_value = |place: usize, ordinal, doc: &RenderedEntry| {
            if let Some(Some(ranks)) = ranks.get(place) {
                let rank = ranks.find_place(ordinal).map(f64::from);
                return rank.map(|it| SortValue::from_comparable(Comparable::Number(it.into())));
            }
            order.keys.get(place)?.find_value(doc, &|field, doc, each| {
                self.visit_values(field, doc, each);
            })
        };
        let mut page = order.sort_entries(self.index, found.iter(), offset + wanted, &sort_value);
        page.drain(..offset.min(page.len()));
        Ok(page)
    }

    /// Returns the order of the targets of a relation that the reader sees; nothing for a field
    /// that is none.
    fn rank_related(&self, field: &FieldRef) -> Result<Option<TextRanks>, NeedsEffort> {
        let Some(target) = field.relation_target(self.content_type()) else { return Ok(None) };
        let target = self.view.snapshot.type_position(target.as_str());
        let sees = |id: &str| target.is_some_and(|it| self.view.find_by_id(it, id).is_some());
        Ok(match self.get_column(field)?.as_deref() {
            Some(Column::Texts(texts)) => Some(texts.rank_texts(sees)),
            Some(Column::Numbers(_)) | None => None,
        })
    }

    fn get_order(&self, order: &SortOrder) -> Result<SortedList, NeedsEffort> {
        let locale = self.order_locale(order);
        if let Some(list) = self.index.derived.get_order(order, locale) {
            return Ok(list);
        }
        self.require_build()?;
        Ok(self.index.derived.get_or_build_order(self.index.entries(), order, locale))
    }

    fn count_by_status(&self, found: &Bitset) -> [usize; 5] {
        let mut counts = [0; 5];
        for doc in found.iter().filter_map(|it| self.index.entry_at(it)) {
            if let Some(place) = EntryStatus::ALL.iter().position(|it| *it == doc.status) {
                counts[place] += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::grant::Grant;
    use crate::model::grant::Grants;
    use crate::query::execute::view::Viewer;
    use crate::query::index::snapshot::Snapshot;
    use crate::query::request::params::QueryParams;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;
    use crate::query::tests::now;
    use crate::query::tests::snapshot;

    /// A quick query that needs a missing structure is refused; once the structure is built, the
    /// query succeeds.
    #[test]
    fn quick_queries_do_not_keep_others_waiting() {
        let ty = content_type(
            "posts",
            r#"{"fields":{"n":{"type":"number"},"rel":{"type":"relation","target":"posts"}}}"#,
        );
        let file = |at: usize| {
            let rel = at + 1;
            format!(
                r#"{{"title":"T {at}","status":"published","data":{{"n":{at},"rel":"e{rel}"}}}}"#
            )
        };
        let docs = (0..LOOKUPS_THOROUGH_MIN + 100)
            .map(|at| doc(&ty, &format!("e{at}"), &file(at)))
            .collect();
        let snapshot = snapshot(vec![TypeIndex::build(ty.clone(), docs, 1, now())]);
        let narrow = Grant::parse_line("content.read@content:posts:e1*").unwrap();
        let narrow = Grants::new("tok_x", vec![narrow]);
        let ask = |viewer: Viewer<'_>, query: &str, effort| {
            let view = View::new(&snapshot, viewer, None);
            let asked =
                ListQuery::parse(&view, &ty, &QueryParams::parse(query).unwrap(), 0).unwrap();
            run_query(&view, 0, &asked, effort).map(|it| it.total)
        };
        let check = |viewer: Viewer<'_>, query: &str, again: bool| {
            assert_eq!(ask(viewer, query, Effort::Quick), Err(NeedsEffort), "{query}");
            let total = ask(viewer, query, Effort::Thorough);
            assert!(total.is_ok_and(|it| it > 0), "{query}");
            let expect = if again { total } else { Err(NeedsEffort) };
            assert_eq!(ask(viewer, query, Effort::Quick), expect, "{query} again");
        };
        check(Viewer::Anyone, "sort=title", true);
        check(Viewer::Anyone, "filter[n]=5&sort=title", true);
        check(Viewer::Anyone, "filter[title][contains]=1&sort=title", true);
        check(Viewer::Anyone, "filter[rel]=e7&sort=title", true);
        check(Viewer::Anyone, "filter[rel][empty]=1&sort=title", false);
        check(Viewer::Anyone, "sort=rel", false);
        check(Viewer::Anyone, "q=t&sort=title", false);
        check(Viewer::Anyone, "counts=status&sort=title", false);
        check(Viewer::Holder(&narrow), "sort=title", false);
        // A new operand needs nothing but the column.
        assert_eq!(ask(Viewer::Anyone, "filter[n]=6&sort=title", Effort::Quick), Ok(1));
        let other = "filter[title][contains]=7&sort=title";
        assert_eq!(ask(Viewer::Anyone, other, Effort::Quick), Err(NeedsEffort));
    }

    /// A few large ones among many are sorted where that keeps nobody waiting.
    #[test]
    fn large_values_of_few_matches_are_not_quick_to_sort() {
        let ty = content_type(
            "posts",
            r#"{"fields":{"n":{"type":"number"},"body":{"type":"markdown"}}}"#,
        );
        let file = |n: usize, bytes: usize| {
            let body = "x".repeat(bytes);
            format!(r#"{{"title":"T","status":"published","data":{{"n":{n},"body":"{body}"}}}}"#)
        };
        let small = file(1, 1);
        let mut docs: Vec<Arc<RenderedEntry>> =
            (0..3_000).map(|at| doc(&ty, &format!("e{at}"), &small)).collect();
        docs.extend(["x", "y"].map(|id| doc(&ty, id, &file(7, SMALL_BYTES_BELOW / 2))));
        let snapshot = snapshot(vec![TypeIndex::build(ty.clone(), docs, 1, now())]);
        let ask = |query: &str, effort| {
            let view = View::new(&snapshot, Viewer::Anyone, None);
            let asked =
                ListQuery::parse(&view, &ty, &QueryParams::parse(query).unwrap(), 0).unwrap();
            run_query(&view, 0, &asked, effort).map(|it| it.total)
        };
        let by_number = "filter[n]=7&sort=n&limit=2";
        assert_eq!(ask(by_number, Effort::Thorough), Ok(2));
        assert_eq!(ask(by_number, Effort::Quick), Ok(2));
        let by_body = "filter[n]=7&sort=body&limit=2";
        assert_eq!(ask(by_body, Effort::Quick), Err(NeedsEffort));
        assert_eq!(ask(by_body, Effort::Thorough), Ok(2));
    }

    /// Few entries keep nobody waiting either, if they are large.
    #[test]
    fn large_entries_take_effort_however_few_they_are() {
        let ty = content_type(
            "posts",
            r#"{"fields":{"body":{"type":"markdown"},"rel":{"type":"relation","target":"posts"},
                "rows":{"type":"repeater","fields":{"rel":{"type":"relation","target":"posts"}}}}}"#,
        );
        let of_size = |bytes: usize| {
            let file = format!(
                r#"{{"title":"T","status":"published","data":{{"body":"{}","rel":"e1"}}}}"#,
                "words ".repeat(bytes / 6)
            );
            let docs = (0..20).map(|at| doc(&ty, &format!("e{at}"), &file)).collect();
            snapshot(vec![TypeIndex::build(ty.clone(), docs, 1, now())])
        };
        let ask = |snapshot: &Snapshot, query: &str, effort| {
            let view = View::new(snapshot, Viewer::Anyone, None);
            let asked =
                ListQuery::parse(&view, &ty, &QueryParams::parse(query).unwrap(), 0).unwrap();
            run_query(&view, 0, &asked, effort).map(|it| it.total)
        };
        let (small, medium, large) = (of_size(1_000), of_size(80_000), of_size(1_000_000));
        assert_eq!(ask(&large, "limit=3", Effort::Thorough), Err(NeedsEffort), "no order is kept");
        assert_eq!(ask(&large, "limit=3", Effort::Heavy), Ok(20));
        assert_eq!(ask(&large, "limit=3", Effort::Quick), Ok(20));
        for query in [
            "filter[body][contains]=words",
            "filter[rows][empty]=true",
            "q=words",
            "sort=body",
            "sort=rel",
            "sort=rows",
        ] {
            assert_eq!(ask(&small, query, Effort::Quick), Ok(20), "{query}");
            assert_eq!(ask(&medium, query, Effort::Quick), Err(NeedsEffort), "{query}");
            assert_eq!(ask(&large, query, Effort::Thorough), Err(NeedsEffort), "{query}");
            assert_eq!(ask(&medium, query, Effort::Thorough), Ok(20), "{query}");
            assert_eq!(ask(&large, query, Effort::Heavy), Ok(20), "{query}");
        }
    }
}
