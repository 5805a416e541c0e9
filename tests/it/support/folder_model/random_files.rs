//! What is written at random: definitions and entries as people write them, rarely complete, now
//! and then wrong.

use recto::query::index::type_index::TypeIndex;
use recto::stdx::time::Timestamp;

use crate::support::folder::Data;
use crate::support::folder_model::START;
use crate::support::folder_model::WS;

/// SplitMix64: small, and good enough to choose what to break next.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len())])
    }

    pub(crate) fn word(&mut self) -> &'static str {
        const WORDS: &[&str] = &[
            "Über",
            "straße",
            "pasta",
            "launch",
            "Ωmega",
            "naïve",
            "日本語",
            "lion",
            "Lionel",
            "zebra",
            "quick",
            "brown",
            "emoji 🦁",
            "a-b-c",
            "x",
            "recto",
            "verso",
        ];
        WORDS[self.below(WORDS.len())]
    }
}

pub(crate) fn build(data: &Data, random: &mut Random, entries: usize) {
    for name in ["posts", "topics", "authors", "start"] {
        data.write(&format!("{WS}/schemas/{name}.json"), schema(name, random));
        data.write(&format!("workspaces/press/schemas/{name}.json"), schema(name, random));
    }
    for number in 0..entries {
        data.write(&format!("{WS}/content/posts/p{number}.json"), entry(random));
    }
    for ws in [WS, "workspaces/press"] {
        for number in 0..8 {
            data.write(&format!("{ws}/content/topics/t{number}.json"), entry(random));
            data.write(&format!("{ws}/content/authors/a{number}.json"), entry(random));
        }
        data.write(&format!("{ws}/content/start/start.json"), entry(random));
        data.write(&format!("{ws}/media/a.png"), picture(2, 3));
    }
}

/// Lists that need all sorts of kept things.
pub(crate) fn queries(index: &TypeIndex) -> Vec<String> {
    let mut queries: Vec<String> = [
        "",
        "limit=5&offset=3",
        "sort=title&limit=20",
        "sort=-updated_at&limit=20",
        "sort=status,-published_at&limit=20",
        "sort=slug&limit=20&offset=7",
        "filter[status]=draft&limit=10&counts=status",
        "filter[status][in]=scheduled,published&sort=id&limit=10",
        "filter[slug]=pasta&limit=3",
        "filter[published_at][gte]=2026-06-01&limit=10&sort=published_at",
        "q=pasta&limit=10",
        "q=LION&limit=10&sort=title",
        "q=b%20straße&limit=10",
    ]
    .map(str::to_string)
    .to_vec();
    let ty = &index.content_type;
    for field in ty.data_fields().map(|it| it.name.as_str()) {
        queries.push(format!("sort={field}&limit=10"));
        queries.push(format!("filter[{field}][empty]=false&limit=10&lenient=1"));
        queries.push(format!("filter[{field}]=t1&limit=10&sort=-id&lenient=1"));
        queries.push(format!("filter[{field}][ne]=a&limit=10&lenient=1"));
        queries.push(format!("filter[{field}][gt]=3&limit=10&lenient=1"));
    }
    for locale in ty.locales.iter().map(|it| it.as_str()) {
        queries.push(format!("locale={locale}&sort=-title&limit=10"));
        queries.push(format!("locale={locale}&q=zebra&limit=10"));
        queries.push(format!("locale={locale}&filter[body][contains]=lion&limit=10&lenient=1"));
    }
    queries
}

pub(crate) fn schema(name: &str, random: &mut Random) -> String {
    let mut fields = Vec::new();
    let mut field = |random: &mut Random, name: &str, rest: &str| {
        if !random.one_in(5) {
            let localized = if random.one_in(3) { r#", "localized": false"# } else { "" };
            fields.push(format!(r#""{name}": {{{rest}{localized}}}"#));
        }
    };
    field(random, "body", r#""type": "markdown""#);
    field(random, "minutes", r#""type": "number""#);
    field(random, "featured", r#""type": "boolean""#);
    field(random, "date", r#""type": "date""#);
    if name == "posts" {
        field(random, "category", r#""type": "relation", "target": "topics""#);
        field(random, "author", r#""type": "relation", "target": "authors""#);
        field(random, "related", r#""type": "relation", "target": "posts", "multiple": true"#);
        field(random, "tags", r#""type": "select", "multiple": true, "options": ["a", "b", "c"]"#);
        field(random, "gallery", r#""type": "media", "multiple": true"#);
    }
    let locales = match (name, random.below(4)) {
        ("posts", 0) | ("start", 0..3) => "",
        ("posts", 1) => r#", "locales": ["de", "en"]"#,
        ("posts", _) => r#", "locales": ["en", "de", "fr"], "root_locale": "en""#,
        _ => "",
    };
    let private = if (name == "authors") != random.one_in(6) { "private" } else { "public" };
    let singleton = (name == "start") != random.one_in(20);
    let label = random.word();
    format!(
        r#"{{"label": "{label}", "singleton": {singleton}, "visibility": "{private}"{locales}, "fields": {{{}}}}}"#,
        fields.join(", ")
    )
}

/// An entry as people write it: rarely complete, now and then wrong.
pub(crate) fn entry(random: &mut Random) -> String {
    let mut members = Vec::new();
    if !random.one_in(12) {
        members.push(format!(r#""title": "{} {}""#, random.word(), random.word()));
    }
    if random.one_in(3) {
        let slugs = ["pasta", "lion", "p1", "t1", "Über uns", "x", "start"];
        members.push(format!(r#""slug": "{}""#, random.pick(&slugs).unwrap()));
    }
    let statuses =
        ["draft", "published", "published", "scheduled", "protected", "archived", "oops"];
    if !random.one_in(6) {
        members.push(format!(r#""status": "{}""#, random.pick(&statuses).unwrap()));
    }
    let time = |random: &mut Random| {
        let around = random.below(86_400 * 60) as i64 - 86_400 * 15;
        Timestamp::from_seconds(START + around)
    };
    for name in ["published_at", "created_at", "updated_at"] {
        if random.one_in(2) {
            members.push(format!(r#""{name}": "{}""#, time(random)));
        }
    }
    if random.one_in(4) {
        members.push(r#""author_id": "somebody", "unknown": [1, {"x": null}]"#.to_string());
    }
    members.push(format!(r#""data": {{{}}}"#, values(random)));
    if random.one_in(3) {
        let (title, values) = (random.word(), values(random));
        members.push(format!(
            r#""translations": {{"de": {{"title": "{title}", "data": {{{values}}}}}, "fr": {{"data": {{"body": "lion fr"}}}}}}"#
        ));
    }
    let line = if random.one_in(5) { "\r\n" } else { "\n" };
    let bom = if random.one_in(30) { "\u{feff}" } else { "" };
    format!("{bom}{{{line}  {}{line}}}{line}", members.join(&format!(",{line}  ")))
}

pub(crate) fn values(random: &mut Random) -> String {
    let mut values = Vec::new();
    if !random.one_in(4) {
        let words: Vec<&str> = (0..random.below(12)).map(|_| random.word()).collect();
        values.push(format!(r#""body": "{}""#, words.join(" ")));
    }
    if random.one_in(2) {
        let wrong = random.one_in(10);
        let minutes = random.below(9);
        values.push(if wrong {
            r#""minutes": "many""#.into()
        } else {
            format!(r#""minutes": {minutes}"#)
        });
    }
    if random.one_in(2) {
        values.push(format!(r#""featured": {}"#, random.one_in(2)));
    }
    if random.one_in(2) {
        values.push(format!(r#""date": "2026-06-{:02}""#, 1 + random.below(28)));
    }
    if random.one_in(2) {
        values.push(format!(r#""category": "t{}""#, random.below(10)));
    }
    if random.one_in(2) {
        values.push(format!(r#""author": "a{}""#, random.below(10)));
    }
    if random.one_in(2) {
        let (one, other) = (random.below(60), random.below(60));
        values.push(format!(r#""related": ["p{one}", "p{other}", "nobody"]"#));
    }
    if random.one_in(2) {
        values.push(r#""tags": ["a", "c"], "gallery": ["a.png", "missing.png"]"#.to_string());
    }
    values.join(", ")
}

pub(crate) fn broken(random: &mut Random, text: &str) -> Vec<u8> {
    match random.below(9) {
        0 => text.as_bytes()[..text.len() / 2].to_vec(),
        1 => Vec::new(),
        2 => format!("<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> other\n").into_bytes(),
        3 => br#"{"title": "one", "title": "two"}"#.to_vec(),
        4 => b"[1, 2, 3]".to_vec(),
        5 => b"{\"title\": \"\xff\xfe\"}".to_vec(),
        6 => vec![0; 100],
        7 => format!("{}1{}", "[".repeat(100), "]".repeat(100)).into_bytes(),
        _ => format!("{text},").into_bytes(),
    }
}

pub(crate) fn other_of_same_size(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // Something that is text, and stays it.
    if let Some(at) =
        bytes.windows(4).position(|it| it == b"past" || it == b"lion" || it == b"draf")
    {
        bytes[at] = if bytes[at] == b'm' { b'n' } else { b'm' };
    }
    bytes
}

pub(crate) fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(width, height).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}
