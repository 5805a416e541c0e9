//! Small random workspaces as plain JSON, random callers and random queries: what the tests of
//! reading are fed with. Everything is drawn from a list of choices, so that a failing case
//! shrinks with the list.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use recto::app::access::Caller;
use recto::engine::installation::ApiToken;
use recto::model::content_type::ContentType;
use recto::model::entry::Entry;
use recto::model::entry::FileFacts;
use recto::model::media::category::Categories;
use recto::model::name::EntryId;
use recto::model::name::TokenId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::model::people::token::TokenRecord;
use recto::model::workspace::WorkspaceMeta;
use recto::query::index::media_index::MediaIndex;
use recto::query::index::snapshot::Snapshot;
use recto::query::index::type_index::EntryChange;
use recto::query::index::type_index::TypeIndex;
use recto::query::render::rendered_entry::RenderedEntry;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::stdx::time::Timestamp;

pub(crate) const MEDIA_BASE: &str = "https://cms.example/media/main/";
pub(crate) const NOW: &str = "2026-06-01T12:00:00Z";
pub(crate) const LATER: &str = "2026-06-03T00:00:00Z";
/// Stands in for times that a file leaves open.
pub(crate) const MODIFIED: &str = "2026-01-01T00:00:00Z";
pub(crate) const TOKEN: &str = "0123456789abcdef";
pub(crate) const TYPES: [&str; 4] = ["a", "b", "c", "d"];
pub(crate) const IDS: [&str; 8] = ["x1", "x2", "x3", "x4", "x5", "x6", "s1", "Y"];
pub(crate) const SLUGS: [&str; 6] = ["s1", "s2", "s3", "x1", "x2", "y"];
pub(crate) const TEXTS: [&str; 9] =
    ["Alpha", "alpha beta", "Ünï-code", "", "straße", "7", "x1", "STRASSE zeta", "b\n\"c\"\\"];
pub(crate) const DATES: [&str; 5] =
    ["2025-12-31", "2026-05-31", "2026-06-01", "2026-06-02", "2027-01-01"];
pub(crate) const TIMES: [&str; 6] = [
    "2025-12-31T23:59:59Z",
    "2026-05-31T00:00:00Z",
    "2026-06-01T11:59:59Z",
    "2026-06-01T12:00:00Z",
    "2026-06-02T08:30:00Z",
    "2027-01-01T00:00:00Z",
];
pub(crate) const NUMBERS: [&str; 6] = ["0", "1", "-3", "2.5", "10", "1000000"];
pub(crate) const LOCALES: [&str; 3] = ["en", "de", "fr"];
pub(crate) const STATUSES: [&str; 5] = ["draft", "published", "scheduled", "protected", "archived"];

/// Draws from a list of choices; once that is used up, the simplest is chosen.
pub(crate) struct Draw<'c> {
    choices: &'c [u16],
    at: usize,
}

impl<'c> Draw<'c> {
    pub(crate) fn new(choices: &'c [u16]) -> Draw<'c> {
        Draw { choices, at: 0 }
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        let choice = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(choice) * end / 65_536
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    pub(crate) fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn some(&mut self, from: &[&'static str], percent: usize) -> Vec<&'static str> {
        from.iter().copied().filter(|_| self.chance(percent)).collect()
    }
}

/// A content type and its entries, as they stand in files.
#[derive(Clone, Debug)]
pub(crate) struct PlainType {
    pub(crate) name: String,
    pub(crate) schema: Json,
    pub(crate) entries: BTreeMap<String, Json>,
}

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) types: Vec<PlainType>,
    pub(crate) now: Timestamp,
}

pub(crate) fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn json(text: &str) -> Json {
    Json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    recto::stdx::json_text::write_string(text, &mut out);
    String::from_utf8(out).unwrap()
}

impl World {
    pub(crate) fn draw(draw: &mut Draw<'_>, entries: usize) -> World {
        let count = 2 + draw.below(3);
        let types = TYPES[..count].iter().map(|name| PlainType::draw(draw, name, entries));
        World { types: types.collect(), now: time(NOW) }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&PlainType> {
        self.types.iter().find(|it| it.name == name)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut PlainType> {
        self.types.iter_mut().find(|it| it.name == name)
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let types = self.types.iter().map(|it| Arc::new(it.index(self.now))).collect();
        self.snapshot_of(types, Arc::default())
    }

    pub(crate) fn snapshot_of(
        &self,
        types: Vec<Arc<TypeIndex>>,
        media: Arc<MediaIndex>,
    ) -> Snapshot {
        let slug = WorkspaceSlug::parse("main").unwrap();
        let meta = Arc::new(WorkspaceMeta::default_for(&slug));
        Snapshot::new(slug, meta, types, media, 1)
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compact = |json: &Json| {
            let mut out = Vec::new();
            json.write_compact(&mut out);
            String::from_utf8(out).unwrap()
        };
        for ty in &self.types {
            writeln!(f, "\n{}: {}", ty.name, compact(&ty.schema))?;
            for (id, entry) in &ty.entries {
                writeln!(f, "  {id}: {}", compact(entry))?;
            }
        }
        Ok(())
    }
}

pub(crate) fn media_index(items: Vec<recto::model::media::MediaItem>) -> Arc<MediaIndex> {
    let mut categories = Categories::default();
    for path in ["Press", "Press / Logos", "Team"] {
        categories.insert(&recto::model::media::category::CategoryPath::parse(path).unwrap());
    }
    Arc::new(MediaIndex::build(items.into_iter().map(Arc::new).collect(), categories))
}

impl PlainType {
    fn draw(draw: &mut Draw<'_>, name: &str, entries: usize) -> PlainType {
        let schema = schema(draw);
        let mut ty = PlainType { name: name.to_string(), schema, entries: BTreeMap::new() };
        for _ in 0..draw.below(entries + 1) {
            let (id, entry) = (draw.pick(&IDS).to_string(), ty.entry(draw));
            ty.entries.insert(id, entry);
        }
        ty
    }

    pub(crate) fn redraw_schema(&mut self, draw: &mut Draw<'_>) {
        let mut fresh = schema(draw);
        if let Json::Object(map) = &mut fresh {
            map.set("visibility", "private".into());
        }
        self.schema = fresh;
    }

    pub(crate) fn is_private(&self) -> bool {
        self.member("visibility").and_then(Json::as_str) == Some("private")
    }

    pub(crate) fn member(&self, key: &str) -> Option<&Json> {
        self.schema.as_object()?.get(key)
    }

    pub(crate) fn fields(&self) -> &Map {
        self.member("fields").and_then(Json::as_object).unwrap()
    }

    pub(crate) fn locales(&self) -> Vec<&str> {
        let all = self.member("locales").and_then(Json::as_array).unwrap_or_default();
        all.iter().filter_map(Json::as_str).collect()
    }

    /// A random entry file for this type.
    pub(crate) fn entry(&self, draw: &mut Draw<'_>) -> Json {
        let mut members = vec![format!("\"title\":{}", quoted(draw.pick(&TEXTS)))];
        if draw.chance(80) {
            members.push(format!("\"slug\":\"{}\"", draw.pick(&SLUGS)));
        }
        let status = match draw.below(10) {
            0..6 => "published",
            6 => "bogus",
            _ => draw.pick(&STATUSES),
        };
        members.push(format!("\"status\":\"{status}\""));
        for key in ["published_at", "created_at", "updated_at"] {
            if draw.chance(65) {
                members.push(format!("\"{key}\":\"{}\"", draw.pick(&TIMES)));
            }
        }
        if draw.chance(30) {
            members.push(format!("\"unpublish_at\":\"{}\"", draw.pick(&TIMES)));
        }
        for key in ["author_id", "updated_by"] {
            if draw.chance(50) {
                members
                    .push(format!("\"{key}\":\"{}\"", draw.pick(&["tok_0123456789abcdef", "u1"])));
            }
        }
        members.push(format!("\"data\":{}", data(draw, self.fields(), 80)));
        let mut locales = Vec::new();
        for locale in LOCALES {
            if draw.chance(35) {
                let (title, data) = (quoted(draw.pick(&TEXTS)), data(draw, self.fields(), 40));
                locales.push(format!("\"{locale}\":{{\"title\":{title},\"data\":{data}}}"));
            }
        }
        members.push(format!("\"translations\":{{{}}}", locales.join(",")));
        json(&format!("{{{}}}", members.join(",")))
    }

    pub(crate) fn content_type(&self) -> Arc<ContentType> {
        let (ty, problems) = ContentType::parse(TypeName::parse(&self.name).unwrap(), &self.schema);
        Arc::new(ty.unwrap_or_else(|| panic!("{problems:?} in {:?}", self.schema)))
    }

    pub(crate) fn doc(&self, ty: &ContentType, id: &str, now: Timestamp) -> Arc<RenderedEntry> {
        let id = EntryId::parse(id).unwrap();
        let facts = FileFacts { modified: time(MODIFIED), now };
        let file = self.entries[id.as_str()].clone();
        let entry = Entry::read(id, ty, file, facts, &mut Vec::new());
        Arc::new(RenderedEntry::render(ty, &entry, MEDIA_BASE))
    }

    pub(crate) fn index(&self, now: Timestamp) -> TypeIndex {
        let ty = self.content_type();
        let docs = self.entries.keys().map(|id| self.doc(&ty, id, now)).collect();
        TypeIndex::build(ty, docs, 1, now)
    }

    /// What becomes of the index when these entries changed.
    pub(crate) fn changed(&self, index: &TypeIndex, ids: &[String], now: Timestamp) -> TypeIndex {
        let changes: Vec<EntryChange> = ids
            .iter()
            .map(|id| EntryChange {
                id: EntryId::parse(id).unwrap(),
                doc: self.entries.contains_key(id).then(|| self.doc(&index.content_type, id, now)),
            })
            .collect();
        index.with_changes(&changes, now)
    }

    /// Adds, changes or removes some entries; names those that differ.
    pub(crate) fn shuffle(&mut self, draw: &mut Draw<'_>, times: usize) -> Vec<String> {
        let mut touched = Vec::new();
        for _ in 0..times {
            let id = draw.pick(&IDS).to_string();
            if draw.chance(30) {
                self.entries.remove(&id);
            } else {
                let entry = self.entry(draw);
                self.entries.insert(id.clone(), entry);
            }
            touched.push(id);
        }
        touched
    }
}

fn schema(draw: &mut Draw<'_>) -> Json {
    let fields = [
        r#""body":{"type":"textarea"}"#.to_string(),
        r#""kind":{"type":"select","options":["a","b","Ä",7,12]}"#.to_string(),
        r#""tags":{"type":"select","options":["a","b","Ä"],"multiple":true}"#.to_string(),
        r#""n":{"type":"number"}"#.to_string(),
        r#""level":{"type":"range","default":5}"#.to_string(),
        r#""flag":{"type":"boolean"}"#.to_string(),
        r#""day":{"type":"date"}"#.to_string(),
        r#""at":{"type":"datetime"}"#.to_string(),
        r#""image":{"type":"media","multiple":true}"#.to_string(),
        r#""any":{"type":"json"}"#.to_string(),
        r#""shared":{"type":"text","localized":false}"#.to_string(),
        format!(r#""rel":{{"type":"relation","target":"{}"}}"#, draw.pick(&TYPES)),
        format!(r#""rel2":{{"type":"relation","target":"{}"}}"#, draw.pick(&TYPES)),
        format!(r#""rels":{{"type":"relation","target":"{}","multiple":true}}"#, draw.pick(&TYPES)),
        format!(
            r#""seo":{{"type":"object","fields":{{"note":{{"type":"text"}},"n":{{"type":"number"}},"rel":{{"type":"relation","target":"{}"}}}}}}"#,
            draw.pick(&TYPES)
        ),
        format!(
            r#""rows":{{"type":"repeater","subfields":[{{"key":"t","type":"text"}},{{"key":"rels","type":"relation","target":"{}","multiple":true}}]}}"#,
            draw.pick(&TYPES)
        ),
        format!(
            r#""parts":{{"type":"blocks","blocks":{{"quote":{{"fields":{{"words":{{"type":"markdown"}},"rel":{{"type":"relation","target":"{}"}}}}}}}}}}"#,
            draw.pick(&TYPES)
        ),
    ];
    let fields: Vec<String> = fields.into_iter().filter(|_| !draw.chance(25)).collect();
    let mut members = vec![format!("\"fields\":{{{}}}", fields.join(","))];
    if draw.chance(25) {
        members.push("\"visibility\":\"private\"".to_string());
    }
    if draw.chance(45) {
        members.push(r#""locales":["en","de"]"#.to_string());
        members.push(format!("\"default_locale\":\"{}\"", draw.pick(&["en", "de"])));
        members.push(format!("\"root_locale\":\"{}\"", draw.pick(&["en", "de", "it"])));
    }
    json(&format!("{{{}}}", members.join(",")))
}

fn data(draw: &mut Draw<'_>, fields: &Map, percent: usize) -> String {
    let mut members = Vec::new();
    for (name, field) in fields.iter() {
        if draw.chance(percent) {
            members.push(format!("\"{name}\":{}", value(draw, field.as_object().unwrap())));
        }
    }
    members.push("\"undeclared\":1".to_string());
    format!("{{{}}}", members.join(","))
}

fn id_value(draw: &mut Draw<'_>) -> String {
    match draw.below(12) {
        10 => "7".to_string(),
        11 => "\"no id!\"".to_string(),
        _ => format!("\"{}\"", draw.pick(&IDS)),
    }
}

/// A stored value: mostly one that fits, sometimes nothing, sometimes what no writer would accept.
fn value(draw: &mut Draw<'_>, field: &Map) -> String {
    let misfits = ["null", "\"\"", "[]", "{}", "\"7 items\"", "true", "[\"a\",\"b\"]", "{\"k\":1}"];
    if draw.chance(15) {
        return draw.pick(&misfits).to_string();
    }
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    let kind = field.get("type").and_then(Json::as_str).unwrap();
    let many = field.get("multiple").and_then(Json::as_bool) == Some(true);
    match kind {
        "text" | "textarea" | "markdown" => quoted(draw.pick(&TEXTS)),
        "select" if many => {
            list(draw.some(&["a", "b", "Ä"], 40).iter().map(|it| quoted(it)).collect())
        }
        "select" => draw.pick(&["\"a\"", "\"b\"", "\"Ä\"", "7", "12"]).to_string(),
        "number" | "range" => draw.pick(&NUMBERS).to_string(),
        "boolean" => draw.pick(&["true", "false"]).to_string(),
        "date" => quoted(draw.pick(&DATES)),
        "datetime" => quoted(draw.pick(&TIMES)),
        "media" => list(
            draw.some(&["a.png", "b c.png", "ü.jpg"], 40).iter().map(|it| quoted(it)).collect(),
        ),
        "json" => {
            draw.pick(&["1", "\"Alpha\"", "[1,\"two\",null]", "{\"k\":[2]}", "false"]).to_string()
        }
        "relation" if many => list((0..draw.below(4)).map(|_| id_value(draw)).collect()),
        "relation" => id_value(draw),
        "object" => data(draw, field.get("fields").and_then(Json::as_object).unwrap(), 80),
        "repeater" => {
            let subfields = field.get("subfields").and_then(Json::as_array).unwrap();
            let keyed = |it: &Json| {
                let map = it.as_object().unwrap();
                (map.get("key").and_then(Json::as_str).unwrap().to_string(), it.clone())
            };
            let fields: Map = subfields.iter().map(keyed).collect();
            list((0..draw.below(3)).map(|_| data(draw, &fields, 80)).collect())
        }
        "blocks" => {
            let block = |draw: &mut Draw<'_>| {
                if draw.chance(15) {
                    return r#"{"_type":"gone","_id":"2","words":"lost"}"#.to_string();
                }
                let words = quoted(draw.pick(&TEXTS));
                let rel = id_value(draw);
                format!(r#"{{"_type":"quote","_id":"1","words":{words},"rel":{rel}}}"#)
            };
            list((0..draw.below(3)).map(|_| block(draw)).collect())
        }
        other => panic!("no values for {other}"),
    }
}

/// One grant, as plainly as it can be said.
#[derive(Clone, Debug)]
pub(crate) struct PlainGrant {
    pub(crate) allows: bool,
    /// `content.read`, else `schema.read`.
    pub(crate) of_content: bool,
    /// The type, or all.
    pub(crate) ty: Option<&'static str>,
    /// The id or slug; with a `*` at its end all that begin so.
    pub(crate) name: &'static str,
    pub(crate) own: bool,
    pub(crate) status: Vec<&'static str>,
    pub(crate) locales: Vec<&'static str>,
}

#[derive(Clone, Debug)]
pub(crate) enum Who {
    Anyone,
    Holder(Vec<PlainGrant>),
}

impl Who {
    pub(crate) fn draw(draw: &mut Draw<'_>) -> Who {
        match draw.below(10) {
            0..4 => Who::Anyone,
            4..6 => Who::Holder(vec![PlainGrant::everything()]),
            _ => Who::Holder((0..1 + draw.below(3)).map(|_| PlainGrant::draw(draw)).collect()),
        }
    }

    pub(crate) fn caller(&self) -> Caller {
        let Who::Holder(grants) = self else { return Caller::Anonymous };
        let grants: Vec<String> = grants.iter().map(PlainGrant::json).collect();
        token(&grants)
    }

    /// Whether what is seen differs from locale to locale.
    pub(crate) fn is_bound_to_locales(&self) -> bool {
        matches!(self, Who::Holder(grants) if grants.iter().any(|it| !it.locales.is_empty()))
    }

    /// Somebody who sees the same and may write all entries.
    pub(crate) fn writer(&self) -> Caller {
        let Who::Holder(grants) = self else { return holder("content.update", "content:*") };
        let mut grants: Vec<String> = grants.iter().map(PlainGrant::json).collect();
        grants.push(r#"{"actions":["content.update"],"resources":["content:*"]}"#.to_string());
        token(&grants)
    }
}

/// A token that grants one action on one resource.
pub(crate) fn holder(action: &str, resource: &str) -> Caller {
    token(&[format!(r#"{{"actions":["{action}"],"resources":["{resource}"]}}"#)])
}

pub(crate) fn token(grants: &[String]) -> Caller {
    let (grants, zeros) = (grants.join(","), "0".repeat(64));
    let record = json(&format!(r#"{{"permissions":[{grants}],"secret_sha256":"{zeros}"}}"#));
    let id = TokenId::parse(TOKEN).unwrap();
    let record = TokenRecord::parse(&id, &record).unwrap_or_else(|it| panic!("{it:?}"));
    Caller::Token(Arc::new(ApiToken::new(record)))
}

impl PlainGrant {
    pub(crate) fn everything() -> PlainGrant {
        PlainGrant {
            allows: true,
            of_content: true,
            ty: None,
            name: "*",
            own: false,
            status: Vec::new(),
            locales: Vec::new(),
        }
    }

    fn draw(draw: &mut Draw<'_>) -> PlainGrant {
        let allows = !draw.chance(25);
        PlainGrant {
            allows,
            of_content: !draw.chance(10),
            ty: (!draw.chance(35)).then(|| TYPES[draw.below(4)]),
            name: draw.pick(&["*", "*", "x1", "s1", "x*", "s*", "Y"]),
            own: draw.chance(20),
            status: if draw.chance(30) { draw.some(&STATUSES, 40) } else { Vec::new() },
            locales: if draw.chance(15) { draw.some(&LOCALES, 50) } else { Vec::new() },
        }
    }

    fn json(&self) -> String {
        let effect = if self.allows { "allow" } else { "deny" };
        let (action, resource) = match (self.of_content, self.ty) {
            (true, None) if self.name == "*" => ("content.read", "content:*".to_string()),
            (true, ty) => ("content.read", format!("content:{}:{}", ty.unwrap_or("*"), self.name)),
            (false, ty) => ("schema.read", format!("schema:{}", ty.unwrap_or("*"))),
        };
        let mut conditions = Vec::new();
        if self.own {
            conditions.push("\"own\":true".to_string());
        }
        for (key, list) in [("status", &self.status), ("locales", &self.locales)] {
            if !list.is_empty() {
                let items: Vec<String> = list.iter().map(|it| quoted(it)).collect();
                conditions.push(format!("\"{key}\":[{}]", items.join(",")));
            }
        }
        let conditions = conditions.join(",");
        format!(
            r#"{{"effect":"{effect}","actions":["{action}"],"resources":["{resource}"],"conditions":{{{conditions}}}}}"#
        )
    }
}
