//! What reading costs inside the engine, at 100,000 entries in memory: `cargo bench --bench query`.
//!
//! The same data every time, nothing on disk, and beside each figure what it should be at most
//! (`docs/BENCHMARKS.md`). Machines differ, so nothing fails here; `recto-bench` measures ratios.

#![expect(clippy::print_stdout, reason = "the table is what this is for")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use recto::model::content_type::ContentType;
use recto::model::entry::Entry;
use recto::model::entry::FileFacts;
use recto::model::grant::Grant;
use recto::model::grant::Grants;
use recto::model::name::EntryId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::model::workspace::WorkspaceMeta;
use recto::query::execute::executor::Effort;
use recto::query::execute::executor::ListResult;
use recto::query::execute::executor::run_query;
use recto::query::execute::view::View;
use recto::query::execute::view::Viewer;
use recto::query::index::snapshot::Snapshot;
use recto::query::index::type_index::EntryChange;
use recto::query::index::type_index::TypeIndex;
use recto::query::render::entry_writer::EntryWriter;
use recto::query::render::render_cursor::RenderCursor;
use recto::query::render::rendered_entry::RenderedEntry;
use recto::query::request::list_query::ListQuery;
use recto::query::request::params::QueryParams;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::stdx::time::Timestamp;

const ENTRIES: usize = 100_000;
const AUTHORS: usize = 100;
const CATEGORIES: [&str; 10] = [
    "launch", "guides", "news", "research", "culture", "travel", "food", "science", "design",
    "people",
];
const POSTS: &str = r#"{"fields":{"body":{"type":"markdown"},
    "category":{"type":"select","options":["launch","guides","news","research","culture","travel","food","science","design","people"]},
    "tags":{"type":"select","multiple":true,"options":[]},"rating":{"type":"number"},
    "featured":{"type":"boolean"},"day":{"type":"date"},
    "author":{"type":"relation","target":"authors"}}}"#;

fn main() {
    let mut table = Table::default();
    let started = Instant::now();
    let (words, posts, authors) = (Words::new(), ty("posts", POSTS), ty("authors", "{}"));
    let docs: Vec<Arc<RenderedEntry>> =
        (0..ENTRIES).map(|at| post(&words, &posts, at, 0)).collect();
    let people = (0..AUTHORS).map(|at| author(&words, &authors, at)).collect();
    println!("{ENTRIES} entries made in {:.1} s", started.elapsed().as_secs_f64());
    let data = Data { words, posts, docs, people: TypeIndex::build(authors, people, 1, now()) };

    table.once("build of the index", "", || drop(data.posts_index()));
    let snapshot = data.snapshot();
    look_ups(&mut table, &snapshot);
    publish(&mut table, &data, &snapshot, "0 kept");
    builds(&mut table, &snapshot);
    filters(&mut table, &snapshot);
    orders(&mut table, &snapshot);
    relations(&mut table, &snapshot);
    text(&mut table, &data, &snapshot);
    bodies(&mut table, &snapshot);
    let kept = data.snapshot();
    keep_twenty(&kept);
    publish(&mut table, &data, &kept, "20 kept");
    ask(&kept, Viewer::Anyone, "q=men&limit=1");
    publish(&mut table, &data, &kept, "20 kept and a text index");
}

/// A small deterministic generator (SplitMix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * end as u128) >> 64) as usize
    }
}

/// A language of 40,000 words, the most frequent first, as frequent as in natural text.
struct Words(Vec<String>);

impl Words {
    fn new() -> Words {
        let syllables =
            ["ba", "re", "tio", "men", "the", "so", "lur", "ki", "nda", "ves", "o", "qui"];
        let word = |rank: usize| {
            let (mut rest, mut word) = (rank + 1, String::new());
            while rest > 0 {
                word.push_str(syllables[rest % syllables.len()]);
                rest /= syllables.len();
            }
            word
        };
        Words((0..40_000).map(word).collect())
    }

    /// By Zipf's law: the logarithm of the rank is spread evenly.
    fn sample(&self, rng: &mut Rng) -> &str {
        let even = rng.below(1 << 30) as f64 / f64::from(1 << 30);
        let rank = (self.0.len() as f64).powf(even) as usize;
        &self.0[rank.min(self.0.len()) - 1]
    }
}

/// All that is queried.
struct Data {
    words: Words,
    posts: Arc<ContentType>,
    docs: Vec<Arc<RenderedEntry>>,
    people: TypeIndex,
}

impl Data {
    fn posts_index(&self) -> TypeIndex {
        TypeIndex::build(self.posts.clone(), self.docs.clone(), 1, now())
    }

    /// A snapshot in which nothing is kept yet.
    fn snapshot(&self) -> Snapshot {
        let slug = WorkspaceSlug::parse("main").unwrap();
        let meta = Arc::new(WorkspaceMeta::default_for(&slug));
        let people = self.people.with_changes(&[], now());
        let types = vec![Arc::new(self.posts_index()), Arc::new(people)];
        Snapshot::new(slug, meta, types, Arc::default(), 1)
    }
}

fn now() -> Timestamp {
    Timestamp::parse("2026-06-01").unwrap()
}

fn ty(name: &str, schema: &str) -> Arc<ContentType> {
    let schema = Json::parse(schema.as_bytes()).unwrap();
    Arc::new(ContentType::parse(TypeName::parse(name).unwrap(), &schema).0.unwrap())
}

fn id(at: usize) -> String {
    format!("e{at:015}")
}

fn text_of(words: &Words, rng: &mut Rng, count: usize) -> String {
    (0..count).map(|_| words.sample(rng)).collect::<Vec<_>>().join(" ")
}

/// The entry at a place, as it is after so many changes.
fn post(words: &Words, ty: &ContentType, at: usize, changes: u64) -> Arc<RenderedEntry> {
    let rng = &mut Rng(at as u64 * 1_000 + changes);
    let day = |rng: &mut Rng| {
        format!("20{}-{:02}-{:02}", 18 + rng.below(8), 1 + rng.below(12), 1 + rng.below(28))
    };
    let mut data = Map::new();
    let length = 200 + rng.below(400);
    data.push("body", text_of(words, rng, length));
    data.push("category", CATEGORIES[rng.below(10)]);
    let tags = (0..rng.below(4)).map(|_| Json::from(format!("tag-{:02}", rng.below(20))));
    data.push("tags", tags.collect::<Vec<_>>());
    data.push("rating", Json::from(rng.below(1_000) as i64));
    data.push("featured", rng.below(10) == 0);
    data.push("day", day(rng));
    data.push("author", format!("a{}", rng.below(AUTHORS)));
    let mut file = Map::new();
    file.push("title", text_of(words, rng, 6));
    file.push("slug", format!("post-{at}"));
    file.push("status", if rng.below(10) > 0 { "published" } else { "draft" });
    for key in ["published_at", "created_at", "updated_at"] {
        file.push(key, format!("{}T{:02}:{:02}:00Z", day(rng), rng.below(24), rng.below(60)));
    }
    file.push("data", data);
    doc(ty, &id(at), file.into())
}

fn author(words: &Words, ty: &ContentType, at: usize) -> Arc<RenderedEntry> {
    let mut file = Map::new();
    file.push("title", text_of(words, &mut Rng(at as u64), 2));
    // One in ten is not public, so that relations to it read as nothing.
    file.push("status", if at.is_multiple_of(10) { "draft" } else { "published" });
    doc(ty, &format!("a{at}"), file.into())
}

fn doc(ty: &ContentType, id: &str, file: Json) -> Arc<RenderedEntry> {
    let facts = FileFacts { modified: now(), now: now() };
    let entry = Entry::read(EntryId::parse(id).unwrap(), ty, file, facts, &mut Vec::new());
    Arc::new(RenderedEntry::render(ty, &entry, "https://cms.example/media/main/"))
}

fn view<'s>(snapshot: &'s Snapshot, eyes: Viewer<'s>) -> View<'s> {
    View::new(snapshot, eyes, None)
}

fn parse(view: &View<'_>, query: &str) -> ListQuery {
    let (_, index) = view.find_type("posts").unwrap();
    let params = QueryParams::parse(query).unwrap();
    ListQuery::parse(view, &index.content_type, &params, 0)
        .unwrap_or_else(|problems| panic!("{query}: {problems:?}"))
}

fn ask(snapshot: &Snapshot, eyes: Viewer<'_>, query: &str) -> ListResult {
    let view = view(snapshot, eyes);
    let asked = parse(&view, query);
    let (place, _) = view.find_type("posts").unwrap();
    run_query(&view, place, &asked, Effort::Thorough).unwrap()
}

/// Measures a query that is parsed already.
fn query(table: &mut Table, snapshot: &Snapshot, name: &str, target: &str, query: &str) {
    query_as(table, snapshot, Viewer::Anyone, name, target, query);
}

fn query_as(
    table: &mut Table,
    snapshot: &Snapshot,
    eyes: Viewer<'_>,
    name: &str,
    target: &str,
    query: &str,
) {
    let view = view(snapshot, eyes);
    let asked = parse(&view, query);
    let (place, _) = view.find_type("posts").unwrap();
    table.row(name, target, || run_query(&view, place, &asked, Effort::Thorough).unwrap());
}

fn look_ups(table: &mut Table, snapshot: &Snapshot) {
    let view = view(snapshot, Viewer::Anyone);
    let (place, _) = view.find_type("posts").unwrap();
    let (asked, mut at) = (parse(&view, ""), 0);
    table.row("W1 entry by slug, cold memory", "", || {
        at = (at + 7_919) % ENTRIES;
        let found = view.find_entry(place, &format!("post-{at}"))?;
        let writer = EntryWriter::new(&view, &asked.shape, place)?;
        writer.get_unmodified(found).map(|it| it.body().len())
    });
}

fn builds(table: &mut Table, snapshot: &Snapshot) {
    let mut first = |name: &str, query: &str| {
        table.once(name, "", || drop(ask(snapshot, Viewer::Anyone, query)));
    };
    first("make a kept order: created_at", "sort=-created_at&limit=20");
    first("make a kept order: title", "sort=title&limit=20");
    first("make a column: select", "filter[category]=news&limit=20");
    first("make a column: number", "filter[rating][gte]=500&limit=20");
    first("make a column: relation", "filter[author]=a1&limit=20");
    first("filter that no column answers: markdown", "filter[body][contains]=qzx&limit=20");
    first("make the text index", "q=men&limit=20");
}

fn filters(table: &mut Table, snapshot: &Snapshot) {
    let two = "filter[category]=news&filter[rating][gte]=500&sort=-created_at&limit=20";
    query(table, snapshot, "W3 two filters, count, top 20, repeated", "10 us", two);
    let view = view(snapshot, Viewer::Anyone);
    let (place, _) = view.find_type("posts").unwrap();
    let mut at = 0;
    table.row("W3 with a number never seen", "", || {
        at += 1;
        let number = f64::from(at) / 1_000.0;
        let asked = format!("filter[category]=news&filter[rating][gte]={number}&limit=20");
        run_query(&view, place, &parse(&view, &asked), Effort::Thorough).unwrap()
    });
    table.row("reading the query string of W3", "", || parse(&view, two));
    let counted = format!("{two}&counts=status");
    query(table, snapshot, "W3 counted by status", "", &counted);
    let narrow = grants(
        r#"[{"actions":["content.read"],"resources":["content:posts:e*"],
        "conditions":{"status":["published"]}}]"#,
    );
    query_as(
        table,
        snapshot,
        Viewer::Holder(&narrow),
        "W3 for a token that sees some rows",
        "",
        two,
    );
}

fn grants(json: &str) -> Grants {
    let list = Grant::parse_list(&Json::parse(json.as_bytes()).unwrap()).unwrap();
    Grants::new("tok_bench", list)
}

fn orders(table: &mut Table, snapshot: &Snapshot) {
    query(table, snapshot, "first 20 of a kept order", "", "sort=-created_at&limit=20");
    let all = grants(r#"[{"actions":["content.read"],"resources":["content:*"]}]"#);
    let (eyes, sort) = (Viewer::Holder(&all), "sort=-created_at&limit=20");
    query_as(table, snapshot, eyes, "first 20 of a kept order, seeing all", "", sort);
    let deep = "sort=-created_at&limit=20&offset=80000";
    query(table, snapshot, "20 from 80,000 on", "", deep);
    query_as(table, snapshot, eyes, "20 from 80,000 on, seeing all", "", deep);
    let rare = "filter[category]=news&filter[rating]=7&sort=title&limit=20";
    query(table, snapshot, "rare hits, sorted", "", rare);
}

fn relations(table: &mut Table, snapshot: &Snapshot) {
    let one = "filter[author]=a1&sort=-created_at&limit=20";
    query(table, snapshot, "filter by a relation, top 20", "", one);
    let none = "filter[author][empty]=1&sort=-created_at&limit=20";
    query(table, snapshot, "relations that read as nothing", "", none);
    query(table, snapshot, "sort by a relation", "", "sort=author&limit=20");
}

fn text(table: &mut Table, data: &Data, snapshot: &Snapshot) {
    let words = &data.words;
    let term = |rank: usize| words.0[rank].clone();
    let (common, middle, rare) = (term(3), term(300), term(20_000));
    let searches = [
        ("W4 common term", "1 ms", common.clone()),
        ("W4 term in the middle", "5 ms", middle.clone()),
        ("W4 rare term", "5 ms", rare.clone()),
        ("W4 two letters", "5 ms", "re".to_string()),
        ("W4 three common terms", "60 ms", format!("{common}+{}+{}", term(4), term(5))),
        ("W4 common and rare", "60 ms", format!("{common}+{rare}")),
        ("W4 term with a hyphen", "60 ms", format!("{common}-{middle}")),
    ];
    for (name, target, q) in &searches {
        query(table, snapshot, name, target, &format!("q={q}&limit=20"));
    }
    let index = snapshot.get("posts").unwrap();
    let changed = change(data, 5, 1);
    let after =
        snapshot.with_types(vec![index.with_changes(&[changed], now())], snapshot.version + 1);
    let q = format!("q={middle}&limit=20");
    query(table, &after, "W4 term in the middle, 1 change later", "5 ms", &q);
    let many: Vec<EntryChange> = (0..200).map(|at| change(data, at * 31, 2)).collect();
    let after = snapshot.with_types(vec![index.with_changes(&many, now())], snapshot.version + 1);
    query(table, &after, "W4 term in the middle, 200 changes later", "5 ms", &q);
}

fn change(data: &Data, at: usize, changes: u64) -> EntryChange {
    let doc = post(&data.words, &data.posts, at, changes);
    EntryChange { id: doc.to_id(), doc: Some(doc) }
}

fn bodies(table: &mut Table, snapshot: &Snapshot) {
    let view = view(snapshot, Viewer::Anyone);
    let (place, _) = view.find_type("posts").unwrap();
    let mut body = |name: &str, query: &str| {
        let asked = parse(&view, query);
        let found = run_query(&view, place, &asked, Effort::Thorough).unwrap();
        table.row(name, "", || {
            let mut out = Vec::with_capacity(found.page.len() * 4096);
            let writer = EntryWriter::new(&view, &asked.shape, place).unwrap();
            let mut cursor = RenderCursor::default();
            found.page.iter().for_each(|it| writer.write_entry(*it, &mut cursor, &mut out));
            out.len()
        });
    };
    body("W2 body of 20", "limit=20");
    body("W5 body of 20 with a relation expanded", "limit=20&include=author");
    body("body of 20 with two fields", "limit=20&fields=category,author");
}

/// Has 20 structures made: 7 orders, 6 columns, 7 filters.
fn keep_twenty(snapshot: &Snapshot) {
    let sorts = ["created_at", "-created_at", "title", "-title", "rating", "day", "-published_at"];
    for sort in sorts {
        ask(snapshot, Viewer::Anyone, &format!("sort={sort}&limit=20"));
    }
    let filters = [
        "category]=news",
        "rating][gte]=500",
        "featured]=1",
        "day][lt]=2022-01-01",
        "tags]=tag-03",
        "status]=published",
        "category]=food",
    ];
    for filter in filters {
        ask(snapshot, Viewer::Anyone, &format!("filter[{filter}&limit=20"));
    }
}

fn publish(table: &mut Table, data: &Data, snapshot: &Snapshot, kept: &str) {
    let changed: Vec<EntryChange> =
        (0..512).map(|at| change(data, (at * 7_919) % ENTRIES, 3)).collect();
    let mut current = snapshot.with_types(Vec::<TypeIndex>::new(), snapshot.version + 1);
    let mut at = 0;
    table.row(&format!("publish one changed entry, {kept}"), "50 us", || {
        let index = current.get("posts").unwrap();
        let next = index.with_changes(std::slice::from_ref(&changed[at % changed.len()]), now());
        at += 1;
        let version = current.version + 1;
        current = current.with_types(vec![next], version);
        current.version
    });
}

/// The figures, printed as they come in.
#[derive(Default)]
struct Table {
    rows: usize,
}

impl Table {
    /// Measures what can be done again and again: the median of rounds of at least 20 ms.
    fn row<T>(&mut self, name: &str, target: &str, mut work: impl FnMut() -> T) {
        const ROUNDS: usize = 9;
        const ROUND: Duration = Duration::from_millis(20);
        black_box(work());
        let mut rounds: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let (start, mut times) = (Instant::now(), 0_u32);
                while start.elapsed() < ROUND {
                    black_box(work());
                    times += 1;
                }
                start.elapsed().as_secs_f64() / f64::from(times)
            })
            .collect();
        rounds.sort_by(f64::total_cmp);
        self.print(name, target, rounds[ROUNDS / 2]);
    }

    /// Measures what happens once.
    fn once(&mut self, name: &str, target: &str, work: impl FnOnce()) {
        let start = Instant::now();
        work();
        self.print(name, target, start.elapsed().as_secs_f64());
    }

    fn print(&mut self, name: &str, target: &str, seconds: f64) {
        if self.rows == 0 {
            println!("{:<46} {:>12} {:>8}", "", "measured", "target");
        }
        self.rows += 1;
        let micros = seconds * 1e6;
        let shown = match micros {
            0.0..1_000.0 => format!("{micros:.2} us"),
            1_000.0..1_000_000.0 => format!("{:.2} ms", micros / 1e3),
            _ => format!("{:.2} s", micros / 1e6),
        };
        println!("{name:<46} {shown:>12} {target:>8}");
    }
}
