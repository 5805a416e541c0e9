//! Types, entries and snapshots for the tests of this folder, and a test that kept and updated
//! structures give the same results as rebuilt ones.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::workspace::WorkspaceMeta;
use crate::query::execute::executor::Effort;
use crate::query::execute::executor::run_query;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::EntryChange;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::list_query::ListQuery;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

pub(crate) const MEDIA_BASE: &str = "https://cms.example/media/main/";

pub(crate) fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

pub(crate) fn now() -> Timestamp {
    at("2026-06-01T12:00:00Z")
}

pub(crate) fn content_type(name: &str, schema: &str) -> Arc<ContentType> {
    let schema = Json::parse(schema.as_bytes()).unwrap();
    let (ty, problems) = ContentType::parse(TypeName::parse(name).unwrap(), &schema);
    Arc::new(ty.unwrap_or_else(|| panic!("{problems:?}")))
}

pub(crate) fn doc(ty: &ContentType, id: &str, file: &str) -> Arc<RenderedEntry> {
    let file = Json::parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error} in {file}"));
    let facts = FileFacts { modified: at("2026-01-01"), now: now() };
    let entry = Entry::read(EntryId::parse(id).unwrap(), ty, file, facts, &mut Vec::new());
    Arc::new(RenderedEntry::render(ty, &entry, MEDIA_BASE))
}

pub(crate) fn index(ty: &Arc<ContentType>, files: &[(&str, &str)]) -> TypeIndex {
    let docs = files.iter().map(|(id, file)| doc(ty, id, file)).collect();
    TypeIndex::build(ty.clone(), docs, 1, now())
}

pub(crate) fn change(ty: &ContentType, id: &str, file: Option<&str>) -> EntryChange {
    EntryChange { id: EntryId::parse(id).unwrap(), doc: file.map(|it| doc(ty, id, it)) }
}

pub(crate) fn snapshot(types: Vec<TypeIndex>) -> Snapshot {
    let slug = WorkspaceSlug::parse("main").unwrap();
    let meta = Arc::new(WorkspaceMeta::default_for(&slug));
    Snapshot::new(slug, meta, types.into_iter().map(Arc::new).collect(), Arc::default(), 1)
}

/// Returns the ids of a page, and the total.
fn found(snapshot: &Snapshot, query: &str) -> (Vec<String>, usize) {
    let params = QueryParams::parse(query).unwrap();
    let locale = crate::query::request::list_query::requested_locale(&params);
    let view = View::new(snapshot, Viewer::Anyone, locale);
    let (place, index) = view.find_type("posts").unwrap();
    let asked = ListQuery::parse(&view, &index.content_type, &params, 0)
        .unwrap_or_else(|problems| panic!("{query}: {problems:?}"));
    let found = run_query(&view, place, &asked, Effort::Thorough).unwrap();
    let ids = found.page.iter().map(|it| index.entry_at(*it).unwrap().id().to_string());
    (ids.collect(), found.total)
}

const POSTS: &str = r#"{"locales":["en","de"],"default_locale":"en","fields":{
    "kind":{"type":"select","options":["a","b","c"]},
    "n":{"type":"number"},
    "day":{"type":"date"},
    "body":{"type":"markdown"},
    "rel":{"type":"relation","target":"posts"}
}}"#;

/// Returns an entry much like others: few values, shared by many.
fn post(seed: usize) -> String {
    let mixed = seed.wrapping_mul(2_654_435_761) >> 7;
    let kind = ["\"a\"", "\"b\"", "\"c\"", "null"][mixed % 4];
    let status = ["published", "published", "draft"][mixed / 4 % 3];
    let (n, day) = (mixed % 50, 1 + mixed % 28);
    let translated = if mixed.is_multiple_of(5) {
        r#""translations":{"de":{"title":"Wörter","data":{"kind":"c"}}},"#
    } else {
        ""
    };
    format!(
        r#"{{"title":"Title {}","slug":"s{}","status":"{status}","created_at":"2026-03-{day:02}",
        {translated}"data":{{"kind":{kind},"n":{n},"day":"2026-04-{day:02}",
        "body":"word{} and w{}","rel":"e{}"}}}}"#,
        mixed % 97,
        mixed % 1000,
        mixed % 31,
        mixed % 7,
        mixed % 1300,
    )
}

#[test]
fn what_is_carried_along_says_the_same_as_what_is_made_anew() {
    let ty = content_type("posts", POSTS);
    let id = |at: usize| format!("e{at}");
    let mut files: Vec<Option<String>> = (0..1200).map(|at| Some(post(at))).collect();
    let built = |files: &[Option<String>]| {
        let docs = files
            .iter()
            .enumerate()
            .filter_map(|(at, it)| it.as_ref().map(|file| doc(&ty, &id(at), file)));
        TypeIndex::build(ty.clone(), docs.collect(), 1, now())
    };
    let queries = [
        "limit=20",
        "limit=5&offset=700&sort=n,-title",
        "sort=-day,kind&limit=30&filter[n][gte]=10",
        "filter[kind]=a&filter[n][lt]=25&limit=20",
        "filter[kind][nin]=a,b&locale=de&sort=kind&limit=9&offset=90",
        "filter[day][gt]=2026-04-10&filter[title][contains]=TITLE 1&limit=7",
        "filter[kind][empty]=1&sort=slug&limit=50",
        "filter[body][contains]=word3&limit=10",
        "filter[rel]=e7&limit=20",
        "filter[rel][empty]=true&sort=rel,id&limit=20",
        "q=word1&limit=20",
        "q=word1 w3&sort=title&limit=20",
        "q=WÖRT&locale=de&limit=20",
        "q=title&filter[kind]=b&limit=20&offset=3",
        "q=itle 9 s1&limit=20",
    ];
    let mut carried = snapshot(vec![built(&files)]);
    for round in 0..12 {
        let anew = snapshot(vec![built(&files)]);
        for query in queries {
            assert_eq!(found(&carried, query), found(&anew, query), "{query} in round {round}");
        }
        let changes: Vec<EntryChange> = (0..1 + round * 9)
            .map(|at| {
                let place = (round * 331 + at * 97) % 1300;
                let file = (at % 4 != 3).then(|| post(10_000 * round + at));
                if place >= files.len() {
                    files.resize(place + 1, None);
                }
                files[place] = file.clone();
                change(&ty, &id(place), file.as_deref())
            })
            .collect();
        let next = carried.get("posts").unwrap().with_changes(&changes, now());
        let version = carried.version + 1;
        carried = carried.with_types(vec![next], version);
    }
}

#[test]
fn a_page_far_into_a_list_is_part_of_the_whole() {
    let ty = content_type("posts", POSTS);
    let files: Vec<String> = (0..1500).map(post).collect();
    let docs = files.iter().enumerate().map(|(at, file)| doc(&ty, &format!("e{at}"), file));
    let mut snapshot = snapshot(vec![TypeIndex::build(ty.clone(), docs.collect(), 1, now())]);
    for at in [700, 701] {
        for sort in ["sort=-created_at", "sort=title,n", "sort=kind&locale=de"] {
            let (whole, total) = found(&snapshot, sort);
            assert!(total < 1500);
            let (page, _) = found(&snapshot, &format!("{sort}&offset=800&limit=20"));
            assert_eq!(page, whole[800..820], "{sort}");
        }
        let hidden = change(&ty, &format!("e{at}"), Some(r#"{"title":"Hidden"}"#));
        let next = snapshot.get("posts").unwrap().with_changes(&[hidden], now());
        snapshot = snapshot.with_types(vec![next], u64::from(at == 701) + 2);
    }
}

/// Targets that the reader does not see count as missing; the first visible one decides.
#[test]
fn an_order_by_a_relation_is_that_of_the_visible_targets() {
    let ty = content_type(
        "posts",
        r#"{"fields":{"rels":{"type":"relation","target":"posts","multiple":true}}}"#,
    );
    // Hidden ones, missing ones, several that differ in case alone, and none.
    let rels = |at: usize| match at % 7 {
        0 => r#"["hidden"]"#.to_string(),
        1 => format!(r#"["hidden","x{}"]"#, at % 40),
        2 => "[]".to_string(),
        3 => format!(r#"["e{at}x","E5"]"#),
        4 => r#"["e5"]"#.to_string(),
        other => format!(r#"["e{}","e{}"]"#, at * other % 300, at % 11),
    };
    let file = |at: usize| {
        format!(r#"{{"title":"T {}","status":"published","data":{{"rels":{}}}}}"#, at % 3, rels(at))
    };
    let mut files: Vec<(String, String)> =
        (0..300).map(|at| (format!("e{at}"), file(at))).collect();
    files.push(("hidden".to_string(), r#"{"title":"H","data":{"rels":["e1"]}}"#.to_string()));
    files.push(("E5".to_string(), file(5)));
    let snapshot = snapshot(vec![index(
        &ty,
        &files.iter().map(|(id, file)| (id.as_str(), file.as_str())).collect::<Vec<_>>(),
    )]);
    let seen: Vec<&(String, String)> = files.iter().filter(|(id, _)| id != "hidden").collect();
    let key = |(_, file): &(String, String)| -> Option<String> {
        let file: serde_json::Value = serde_json::from_str(file).unwrap();
        let rels = file["data"]["rels"].as_array().unwrap().clone();
        let ids = rels.iter().filter_map(|it| it.as_str());
        ids.filter(|id| seen.iter().any(|(it, _)| it == id)).map(str::to_lowercase).next()
    };
    for descending in [false, true] {
        let mut expect = seen.clone();
        expect.sort_by(|one, two| {
            let turned = |it: std::cmp::Ordering| if descending { it.reverse() } else { it };
            let by_key = match (key(one), key(two)) {
                (Some(one), Some(two)) => turned(one.cmp(&two)),
                (one, two) => one.is_none().cmp(&two.is_none()),
            };
            by_key.then(turned(one.0.cmp(&two.0)))
        });
        let expect: Vec<&str> = expect.iter().map(|it| it.0.as_str()).collect();
        let sort = if descending { "sort=-rels" } else { "sort=rels" };
        assert_eq!(found(&snapshot, sort).0, expect);
        for (offset, limit) in [(0, 1), (3, 20), (290, 20), (300, 5), (400, 5)] {
            let page = found(&snapshot, &format!("{sort}&offset={offset}&limit={limit}")).0;
            let expect: Vec<&str> = expect.iter().skip(offset).take(limit).copied().collect();
            assert_eq!(page, expect, "{sort} from {offset}");
        }
    }
    // Further keys decide among equal targets, and before them.
    let by_title = found(&snapshot, "sort=title,-rels").0;
    let title = |id: &str| files.iter().find(|it| it.0 == id).map(|it| it.1.clone()).unwrap();
    assert!(by_title.iter().map(|it| title(it)[..14].to_string()).is_sorted());
}
