//! The overview of a content type for one caller: the number of entries by status, the last changed
//! and the next to be published. All of it comes from kept structures.

use crate::model::entry::EntryStatus;
use crate::model::entry::ScheduledChange;
use crate::query::execute::executor;
use crate::query::execute::executor::Effort;
use crate::query::execute::executor::NeedsEffort;
use crate::query::execute::view::EntryVisibility;
use crate::query::execute::view::View;
use crate::query::index::type_index::Ordinal;
use crate::query::request::list_query::ListQuery;
use crate::query::request::params::QueryParams;
use crate::stdx::time::Timestamp;

/// The overview of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// The number of entries.
    pub total: usize,
    /// The number of entries in each status, in the order of [`EntryStatus::ALL`].
    pub by_status: [usize; 5],
    /// The entries changed last, latest first.
    pub recent: Vec<Ordinal>,
    /// The entries published next, soonest first.
    pub next: Vec<Ordinal>,
}

/// The limits on the listed entries.
#[derive(Clone, Copy, Debug)]
pub struct OverviewLimits {
    /// The most entries changed last.
    pub recent: usize,
    /// The most entries published next.
    pub next: usize,
}

/// Builds the overview of the type at position `place` for the caller.
pub fn build_overview(
    view: &View<'_>,
    place: usize,
    most: OverviewLimits,
    effort: Effort,
) -> Result<Overview, NeedsEffort> {
    let Some(index) = view.snapshot.types().get(place) else { return Ok(Overview::default()) };
    if index.is_empty() || matches!(view.resolve_visibility(place), EntryVisibility::Nothing) {
        return Ok(Overview::default());
    }
    let by_rows = matches!(view.resolve_visibility(place), EntryVisibility::Rows(_));
    let ask = |query: &str, limit: usize, counts: bool| {
        let params = QueryParams::parse(query).unwrap_or_default();
        let Ok(asked) = ListQuery::parse(view, &index.content_type, &params, 0) else {
            return Ok(executor::ListResult::default());
        };
        executor::run_query(view, place, &ListQuery { limit: Some(limit), counts, ..asked }, effort)
    };
    // Callers limited to single rows have every entry examined anyway; for others, kept sets are
    // counted.
    let found = ask("sort=-updated_at", most.recent, by_rows)?;
    let by_status = match found.by_status {
        Some(counts) => counts,
        None => {
            let mut counts = [0; 5];
            for (count, status) in counts.iter_mut().zip(EntryStatus::ALL) {
                let query = format!("sort=-updated_at&filter[status]={}", status.as_str());
                *count = ask(&query, 0, false)?.total;
            }
            counts
        }
    };
    let coming = index.due_by(Timestamp::from_seconds(i64::MAX));
    let coming =
        coming.filter(|(turn, doc)| *turn == ScheduledChange::Begins && !doc.is_reversed());
    let coming = coming.filter_map(|(_, doc)| index.find_ordinal(doc.id()));
    let next = coming.filter(|it| view.sees_entry(place, *it)).take(most.next).collect();
    Ok(Overview { total: found.total, by_status, recent: found.page, next })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::grant::Grant;
    use crate::model::grant::Grants;
    use crate::query::execute::view::Viewer;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;

    #[test]
    fn what_is_counted_is_what_is_seen() {
        let ty = content_type("posts", "{}");
        let files = [
            ("a", r#"{"title":"A","status":"draft","updated_at":"2026-05-01"}"#),
            ("b", r#"{"title":"B","status":"published","updated_at":"2026-05-03"}"#),
            (
                "c",
                r#"{"title":"C","status":"scheduled","published_at":"2026-07-01","updated_at":"2026-05-02"}"#,
            ),
            (
                "d",
                r#"{"title":"D","status":"scheduled","published_at":"2026-06-02","updated_at":"2026-04-01"}"#,
            ),
        ];
        let snapshot = snapshot(vec![index(&ty, &files)]);
        let check = |grants: &[&str], total: usize, by_status, recent: &[&str], next: &[&str]| {
            let list = grants.iter().map(|it| Grant::parse_line(it).unwrap()).collect();
            let grants = Grants::new("tok_x", list);
            let view = View::new(&snapshot, Viewer::Holder(&grants), None);
            let most = OverviewLimits { recent: 2, next: 1 };
            let seen = build_overview(&view, 0, most, Effort::Quick).unwrap();
            let id = |it: &Ordinal| snapshot.types()[0].entry_at(*it).unwrap().id().to_string();
            let ids = |list: &[Ordinal]| list.iter().map(id).collect::<Vec<_>>();
            assert_eq!((seen.total, seen.by_status), (total, by_status));
            assert_eq!((ids(&seen.recent), ids(&seen.next)), (owned(recent), owned(next)));
        };
        let owned_grant = "content.read@content:posts:*";
        check(&[owned_grant], 4, [1, 1, 2, 0, 0], &["b", "c"], &["d"]);
        check(&["content.read@content:posts:c"], 1, [0, 0, 1, 0, 0], &["c"], &["c"]);
        check(&[], 0, [0; 5], &[], &[]);
    }

    fn owned(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }
}
