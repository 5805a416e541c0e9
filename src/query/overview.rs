//! A content type at a glance, through the eyes of one caller: how many entries there are, of which
//! status, which were changed last and which go public next. All of it comes from kept structures.

use crate::model::entry::Status;
use crate::query::list_query::ListQuery;
use crate::query::params::Params;
use crate::query::run;
use crate::query::run::Effort;
use crate::query::run::NeedsEffort;
use crate::query::type_index::Ordinal;
use crate::query::view::Sight;
use crate::query::view::View;
use crate::stdx::time::Timestamp;

/// What there is of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// How many entries.
    pub total: usize,
    /// How many of each status, in the order of [`Status::ALL`].
    pub by_status: [usize; 5],
    /// Those changed last, the latest first.
    pub recent: Vec<Ordinal>,
    /// Those that go public next, the soonest first.
    pub next: Vec<Ordinal>,
}

/// How many entries of each kind are named.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Of those changed last.
    pub recent: usize,
    /// Of those that go public next.
    pub next: usize,
}

/// What the caller sees of the type at `place`.
pub fn overview(
    view: &View<'_>,
    place: usize,
    most: Most,
    effort: Effort,
) -> Result<Overview, NeedsEffort> {
    let Some(index) = view.snapshot.types().get(place) else { return Ok(Overview::default()) };
    if index.is_empty() || matches!(view.sight(place), Sight::Nothing) {
        return Ok(Overview::default());
    }
    let by_rows = matches!(view.sight(place), Sight::Rows(_));
    let ask = |query: &str, limit: usize, counts: bool| {
        let params = Params::parse(query).unwrap_or_default();
        let Ok(asked) = ListQuery::parse(view, &index.content_type, &params, 0) else {
            return Ok(run::Found::default());
        };
        run::run(view, place, &ListQuery { limit: Some(limit), counts, ..asked }, effort)
    };
    // Whoever sees single rows has them looked at one by one anyway; else kept sets are counted.
    let found = ask("sort=-updated_at", most.recent, by_rows)?;
    let by_status = match found.by_status {
        Some(counts) => counts,
        None => {
            let mut counts = [0; 5];
            for (count, status) in counts.iter_mut().zip(Status::ALL) {
                let query = format!("sort=-updated_at&filter[status]={}", status.as_str());
                *count = ask(&query, 0, false)?.total;
            }
            counts
        }
    };
    let coming = index.due_by(Timestamp::from_seconds(i64::MAX));
    let coming = coming.filter_map(|doc| index.ordinal(doc.id.as_str()));
    let next = coming.filter(|it| view.sees(place, *it)).take(most.next).collect();
    Ok(Overview { total: found.total, by_status, recent: found.page, next })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::grant::Grant;
    use crate::model::grant::Grants;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;
    use crate::query::view::Eyes;

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
            let view = View::new(&snapshot, Eyes::Holder(&grants), None);
            let most = Most { recent: 2, next: 1 };
            let seen = overview(&view, 0, most, Effort::Quick).unwrap();
            let id = |it: &Ordinal| snapshot.types()[0].doc(*it).unwrap().id.to_string();
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
