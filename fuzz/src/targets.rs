//! What is fuzzed: one function for each way in which bytes from outside are read, with some input
//! to begin from. They are used by the fuzzer and, with fewer inputs, by the tests.

use std::sync::Arc;
use std::sync::OnceLock;

use http::HeaderMap;
use http::HeaderValue;
use http::Method;
use http::header;
use recto::http::request::router;
use recto::http::request::router::RouteMatch;
use recto::http::request::router::Router;
use recto::http::wire::range;
use recto::http::wire::range::RangeSelection;
use recto::model::content_type::ContentType;
use recto::model::entry::Entry;
use recto::model::entry::EntryStatus;
use recto::model::entry::FileFacts;
use recto::model::grant::Action;
use recto::model::grant::EntryRow;
use recto::model::grant::Facts;
use recto::model::grant::Grant;
use recto::model::grant::Grants;
use recto::model::grant::Reach;
use recto::model::grant::Resource;
use recto::model::name::EntryId;
use recto::model::name::TokenId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::model::people::token::Fingerprint;
use recto::model::people::token::Token;
use recto::model::people::token::TokenRecord;
use recto::model::workspace::WorkspaceMeta;
use recto::query::execute::executor;
use recto::query::execute::executor::Effort;
use recto::query::execute::view::View;
use recto::query::execute::view::Viewer;
use recto::query::index::media_index::MediaIndex;
use recto::query::index::snapshot::Snapshot;
use recto::query::index::type_index::TypeIndex;
use recto::query::render::entry_writer::EntryWriter;
use recto::query::render::render_cursor::RenderCursor;
use recto::query::render::rendered_entry::RenderedEntry;
use recto::query::request::include::IncludeLimits;
use recto::query::request::list_query::ListQuery;
use recto::query::request::list_query::Shape;
use recto::query::request::params::QueryParams;
use recto::stdx::json::Json;
use recto::stdx::time::Timestamp;
use recto::store::codec;
use recto::store::layout::Folder;
use recto::store::layout::Key;

/// Something that reads bytes from outside and must hold whatever they are.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub seeds: &'static [&'static str],
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "query", run: query, seeds: QUERIES },
    Target { name: "file", run: file, seeds: FILES },
    Target { name: "grants", run: grants, seeds: GRANTS },
    Target { name: "paths", run: paths, seeds: PATHS },
    Target { name: "range", run: range, seeds: RANGES },
    Target { name: "token", run: token, seeds: TOKENS },
];

const SCHEMA: &str = r#"{"label": "Posts", "locales": ["en", "de"], "root_locale": "en", "fields": {
    "body": {"type": "markdown"}, "minutes": {"type": "number"}, "featured": {"type": "boolean"},
    "date": {"type": "date"}, "when": {"type": "datetime"}, "any": {"type": "json"},
    "tags": {"type": "select", "multiple": true, "options": ["a", "b"]}, "photo": {"type": "media"},
    "related": {"type": "relation", "target": "posts", "multiple": true},
    "first": {"type": "relation", "target": "posts"},
    "seo": {"type": "object", "fields": {"title": {"type": "text"}}},
    "rows": {"type": "repeater", "subfields": [{"key": "k", "type": "text"},
        {"key": "r", "type": "relation", "target": "posts"}]},
    "parts": {"type": "blocks", "blocks": {"quote": {"fields": {"text": {"type": "html"}}}}}}}"#;

const ENTRY: &str = r#"{"title": "Über Löwen", "slug": "lions", "status": "published",
    "published_at": "2026-05-03T12:00:00Z", "created_at": "2026-05-01", "author_id": "a",
    "data": {"body": "Some *lions*", "minutes": 4.5, "featured": true, "date": "2026-06-01",
        "when": "2026-06-01T10:00:00+02:00", "any": {"x": [1, null]}, "tags": ["a"],
        "photo": ["a.png"], "related": ["e1", "e2", "nobody"], "first": "e3",
        "seo": {"title": "x"}, "rows": [{"k": "v", "r": "e1"}],
        "parts": [{"_type": "quote", "text": "<b>bold</b><script>x</script>"}]},
    "translations": {"de": {"title": "Löwen", "data": {"body": "Zwei"}}}}"#;

const FILES: &[&str] = &[SCHEMA, ENTRY, "{}", "[", "\u{feff}{\"title\": \"x\"}", "<<<<<<< HEAD\n"];

const QUERIES: &[&str] = &[
    "limit=2&offset=1&sort=-minutes,title&order=desc&counts=status",
    "q=l%C3%B6wen+zwei&locale=de&include=related,first.related&fields=body,seo",
    "filter[status]=published&filter[minutes][gte]=3&filter[tags][in]=a,b",
    "filter[seo.title][contains]=x&filter[related]=lions&filter[first][empty]=true",
    "filter[date][lt]=2026-07-01&filter[when][gt]=2026&filter[featured]=1&lenient=1&pretty",
    "filter[any][ne]=x&filter[id][nin][]=e1&filter[id][nin][]=e2&sort=first,-related&limit=0",
    "sort=&limit=18446744073709551615&offset=99999999999999999999&filter[]=&filter=&q=%00%FF",
];

const GRANTS: &[&str] = &[
    r#"[{"actions": "*", "resources": "*"}]"#,
    r#"[{"effect": "allow", "actions": ["content.read", "media.*"], "resources":
        ["content:posts:*", "workspace:main:content:{posts,pages}:a-*", "media:category:Press / *"],
        "fields": ["title"], "conditions": {"status": ["draft"], "own": true, "locales": ["de"]}},
        {"effect": "deny", "actions": "content.read", "resources": "content:posts:e1"}]"#,
    "content.read@content:*",
    "content.read,media.read@content:posts:*,media:*@main",
];

const PATHS: &[&str] = &[
    "/api/v1/main/content/posts/lions?limit=1",
    "/media/main/a%20b%2Fc.png",
    "/api/../%2e%2e/%00\\x//",
    "workspaces/main/content/posts/a.json",
    "workspaces/main/revisions/posts/a~2/x.json",
    "workspaces/main/media-meta/ä.png.json",
];

const RANGES: &[&str] = &[
    "bytes=0-99",
    "bytes=-5,3-4, 7-",
    "bytes=18446744073709551615-,0-18446744073709551615",
    "bytes=5-2",
    "items=1-2",
];

const TOKENS: &[&str] = &[
    "recto_0123456789abcdef_0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjk",
    r#"{"name": "CI", "permissions": [{"actions": "content.read", "resources": "content:*"}],
        "expires_at": "2027-01-01T00:00:00Z", "secret_sha256":
        "abababababababababababababababababababababababababababababababab"}"#,
];

fn now() -> Timestamp {
    Timestamp::from_seconds(1_780_272_000)
}

fn posts() -> TypeName {
    TypeName::parse("posts").expect("a good name")
}

fn content_type() -> Arc<ContentType> {
    static TYPE: OnceLock<Arc<ContentType>> = OnceLock::new();
    let parse = || {
        let schema = Json::parse(SCHEMA.as_bytes()).expect("JSON");
        let (parsed, problems) = ContentType::parse(posts(), &schema);
        Arc::new(parsed.unwrap_or_else(|| panic!("{problems}")))
    };
    TYPE.get_or_init(parse).clone()
}

fn doc(ty: &ContentType, id: &str, file: &Json) -> RenderedEntry {
    let id = EntryId::parse(id).expect("a good id");
    let facts = FileFacts { modified: now(), now: now() };
    let entry = Entry::read(id, ty, file.clone(), facts, &mut Vec::new());
    entry.check_values(ty, &mut Vec::new());
    entry.visit_references(ty, &mut |_, _| {});
    RenderedEntry::render(ty, &entry, "https://cms.example/media/main/")
}

fn snapshot() -> &'static Snapshot {
    static SNAPSHOT: OnceLock<Snapshot> = OnceLock::new();
    SNAPSHOT.get_or_init(|| {
        let ty = content_type();
        let file = |number: usize| {
            let status = ["published", "draft", "scheduled"][number % 3];
            let text = ENTRY.replace("published\"", &format!("{status}\""));
            let text = text.replace("4.5", &number.to_string()).replace("lions", "lions-x");
            Json::parse(text.as_bytes()).expect("JSON")
        };
        let docs = (0..12).map(|it| Arc::new(doc(&ty, &format!("e{it}"), &file(it)))).collect();
        let index = Arc::new(TypeIndex::build(ty, docs, 1, now()));
        let workspace = WorkspaceSlug::parse("main").expect("a good name");
        let meta = Arc::new(WorkspaceMeta::default_for(&workspace));
        Snapshot::new(workspace, meta, vec![index], Arc::new(MediaIndex::default()), 1)
    })
}

/// A query string, up to the answer.
pub fn query(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(params) = QueryParams::parse(text) else { return };
    let snapshot = snapshot();
    let ty = content_type();
    let all = Grants::new("x", vec![Grant::parse_line("*@*").expect("a good grant")]);
    for eyes in [Viewer::Anyone, Viewer::Holder(&all)] {
        let knowing = View::new(snapshot, eyes, None);
        let _ = Shape::parse(&knowing, &ty, &params);
        let Ok(query) = ListQuery::parse(&knowing, &ty, &params, 0) else { continue };
        let view = View::new(snapshot, eyes, query.shape.locale.as_deref());
        let found =
            executor::run_query(&view, 0, &query, Effort::Thorough).expect("effort was allowed");
        // What was kept by the first run says the same.
        assert_eq!(executor::run_query(&view, 0, &query, Effort::Thorough).as_ref(), Ok(&found));
        assert!(found.page.len() <= found.total && found.total <= 12);
        assert!(query.limit.is_none_or(|it| found.page.len() <= it));
        let writer = EntryWriter::new(&view, &query.shape, 0).expect("there is one type");
        if writer.count_expanded(&found.page, &IncludeLimits::default(), usize::MAX).is_ok() {
            for ordinal in found.page {
                assert!(view.sees_entry(0, ordinal));
                let mut body = Vec::new();
                writer.write_entry(ordinal, &mut RenderCursor::default(), &mut body);
                assert!(serde_json::from_slice::<serde_json::Value>(&body).is_ok());
            }
        }
    }
}

/// A file of the data folder: as a definition, as an entry, and as everything else that is read.
pub fn file(data: &[u8]) {
    let json = match codec::parse_document("x.json", data) {
        Ok(document) => Json::Object(document.map),
        Err(problem) => {
            let place = (problem.line.unwrap_or(1), problem.column.unwrap_or(1));
            assert!(place.0 >= 1 && place.1 >= 1, "places are counted from 1");
            return;
        }
    };
    assert_eq!(Json::parse(&json.to_file()).expect("what is written can be read"), json);
    check_doc(&content_type(), &json);
    let (parsed, _) = ContentType::parse(posts(), &json);
    if let Some(ty) = parsed {
        check_doc(&ty, &Json::parse(ENTRY.as_bytes()).expect("JSON"));
        check_doc(&ty, &json);
        let mut shown = Vec::new();
        Json::from(ty.to_map()).write_compact(&mut shown);
    }
    let workspace = WorkspaceSlug::parse("main").expect("a good name");
    let _ = WorkspaceMeta::parse(&workspace, &json);
    let _ = recto::model::media::MediaMeta::parse(&json);
    let _ = recto::model::media::category::Categories::parse(&json);
    let _ = Grant::parse(&json);
    for path in ["data.rows[1].k", "translations.de.title", "a..b[", "[0]", ""] {
        let _ = codec::locate_value(data, &codec::parse_segments(path));
    }
}

/// Rendered entries are JSON, with fields and links where they say.
fn check_doc(ty: &ContentType, json: &Json) {
    let doc = doc(ty, "e1", json);
    for locale in [None].into_iter().chain((0..ty.locales.len()).map(Some)) {
        let variant = doc.variant_for(locale);
        assert!(serde_json::from_slice::<serde_json::Value>(variant.body()).is_ok());
        for (index, _) in ty.data_fields().enumerate() {
            let field = variant.field_json(index);
            let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(field).is_ok();
            assert!(field.is_empty() || is_json);
        }
    }
}

/// Grants as JSON and in short form. A decision and what is said beforehand must agree.
pub fn grants(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let list = Json::parse(data).ok().and_then(|json| Grant::parse_list(&json).ok());
    let Some(list) = list.or_else(|| Some(vec![Grant::parse_line(text).ok()?])) else { return };
    let again: Vec<Json> = list.iter().map(Grant::to_json).collect();
    let again = Grant::parse_list(&Json::Array(again)).expect("what is written can be read");
    assert_eq!(again.len(), list.len());
    let grants = Grants::new("tok_a", list);
    let again = Grants::new("tok_a", again);
    for (id, status) in [("e1", EntryStatus::Draft), ("a-b", EntryStatus::Published)] {
        let resource = Resource::Entry { type_name: "posts", id, slug: "lions" };
        let facts = Facts { status: Some(status), author_id: Some("tok_a"), ..Facts::default() };
        let (action, ws) = (Action::ContentRead, "main");
        let decision = grants.decide_access(ws, action, &resource, &facts);
        assert_eq!(decision, again.decide_access(ws, action, &resource, &facts));
        if decision.allowed {
            assert!(grants.could_match(ws, action, &resource));
            assert!(grants.could_match(ws, action, &Resource::Collection("posts")));
        }
        let row = EntryRow { id, slug: "lions", status, author_id: Some("tok_a") };
        let reached = match grants.find_reach(ws, "posts", None) {
            Reach::Nothing => false,
            Reach::Everything => true,
            Reach::Rows(rule) => rule.allows_entry(&row),
        };
        assert_eq!(reached, decision.allowed, "{grants:?}");
    }
}

/// Paths of requests and of files.
pub fn paths(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    static ROUTER: OnceLock<Router<u8>> = OnceLock::new();
    let router = ROUTER.get_or_init(|| {
        let mut router = Router::new("");
        for (number, template) in
            (0..).zip(["/api/v1/{ws}/content/{type}/{id}", "/media/{ws}/{*name}", "/healthz"])
        {
            router.insert(&Method::GET, template, number).expect("a good template");
        }
        router
    });
    if let RouteMatch::Route { params, .. } = router.find(&Method::HEAD, text) {
        for raw in params.iter() {
            if let Ok(segment) = router::decode_segment(raw) {
                assert!(!segment.contains(['/', '\\', '\0']) && segment != "..");
            }
            if let Ok(rest) = router::decode_rest(raw) {
                assert!(rest.split('/').all(|it| !matches!(it, "" | "." | "..")));
            }
        }
    }
    if let Some(key) = Key::parse(text) {
        assert_eq!(key.path(), text);
        assert_eq!(Folder::parse(&key.folder().path()), Some(key.folder()));
    }
    if let Some(folder) = Folder::parse(text) {
        assert_eq!(folder.path(), text);
    }
    let _ = QueryParams::parse(text);
    let encoded = recto::stdx::url_encoding::encode_segment(text).to_string();
    assert_eq!(QueryParams::parse(&format!("x={encoded}")).expect("UTF-8").get("x"), Some(text));
}

/// A range header: what is selected is in the file.
pub fn range(data: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(data) else { return };
    let mut headers = HeaderMap::new();
    headers.insert(header::RANGE, value);
    for bytes in [0, 1, 10, 1_000_000, u64::MAX] {
        let spans = match range::select_ranges(&headers, bytes, Some("tag"), None) {
            Ok(RangeSelection::One(span)) => vec![span],
            Ok(RangeSelection::Many(spans)) => spans,
            Ok(RangeSelection::Whole) | Err(_) => continue,
        };
        assert!(spans.iter().all(|it| it.first <= it.last && it.last < bytes));
    }
}

/// A token, and the record of one.
pub fn token(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        if let Some(token) = Token::parse(text) {
            assert_eq!(token.reveal(), text);
            assert!(token.fingerprint().matches(&token.fingerprint()));
        }
        if let Some(fingerprint) = Fingerprint::parse(text) {
            assert!(Fingerprint::parse(&fingerprint.to_hex()).is_some());
        }
    }
    let Ok(json) = Json::parse(data) else { return };
    let Ok(id) = TokenId::parse("0123456789abcdef") else { return };
    if let Ok(record) = TokenRecord::parse(&id, &json) {
        let again = TokenRecord::parse(&id, &record.to_file()).map(|it| it.to_file());
        assert_eq!(again, Ok(record.to_file()));
    }
}
