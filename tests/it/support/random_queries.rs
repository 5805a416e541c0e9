//! Random queries: what lists and entries of a random workspace are asked for.

use recto::stdx::json::Map;

use crate::support::random_content::DATES;
use crate::support::random_content::Draw;
use crate::support::random_content::IDS;
use crate::support::random_content::NUMBERS;
use crate::support::random_content::PlainType;
use crate::support::random_content::SLUGS;
use crate::support::random_content::STATUSES;
use crate::support::random_content::TEXTS;
use crate::support::random_content::TIMES;

/// What a list or an entry is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ask {
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
    /// Names, each with whether it has a minus.
    pub(crate) sort: Vec<(String, bool)>,
    pub(crate) order: Option<&'static str>,
    pub(crate) q: Option<&'static str>,
    /// Field, operator and operands.
    pub(crate) filters: Vec<(String, &'static str, Vec<String>)>,
    pub(crate) include: Vec<String>,
    pub(crate) locale: Option<&'static str>,
    pub(crate) fields: Option<Vec<String>>,
    pub(crate) counts: bool,
}

impl Ask {
    pub(crate) fn draw(draw: &mut Draw<'_>, ty: &PlainType) -> Ask {
        let names = names(ty);
        let name = |draw: &mut Draw<'_>| names[draw.below(names.len())].clone();
        let q =
            ["alpha", "ÜNI", "strasse zet", "7", "x1", "s2", "12", "missing", "\"c\"", "b", "ä"];
        let mut ask = Ask {
            limit: draw.chance(50).then(|| 1 + draw.below(4)),
            offset: if draw.chance(35) { draw.below(4) } else { 0 },
            order: draw.chance(30).then(|| draw.pick(&["asc", "desc"])),
            q: draw.chance(25).then(|| draw.pick(&q)),
            locale: draw.chance(40).then(|| draw.pick(&["en", "de", "fr", "xx"])),
            counts: draw.chance(15),
            ..Ask::default()
        };
        for _ in 0..draw.below(3) {
            let named = name(draw);
            let filter = filter(draw, ty, named);
            // Of two equal ones the last would win.
            if !ask
                .filters
                .iter()
                .any(|(field, operator, _)| *field == filter.0 && *operator == filter.1)
            {
                ask.filters.push(filter);
            }
        }
        for _ in 0..draw.below(3) {
            ask.sort.push((name(draw), draw.chance(50)));
        }
        let paths =
            ["rel", "rels", "rel.rel", "rels.rel2", "rel2.rels.rel", "rel2", "rel.rels", "body"];
        ask.include = (0..draw.below(3)).map(|_| draw.pick(&paths).to_string()).collect();
        if draw.chance(15) {
            let fields = (0..3).map(|_| name(draw)).filter(|it| !it.contains('.'));
            ask.fields = Some(fields.collect()).filter(|it: &Vec<String>| !it.is_empty());
        }
        ask
    }

    pub(crate) fn query(&self) -> String {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut push = |name: &str, value: String| pairs.push((name.to_string(), value));
        self.limit.iter().for_each(|it| push("limit", it.to_string()));
        if self.offset > 0 {
            push("offset", self.offset.to_string());
        }
        let sort: Vec<String> = self
            .sort
            .iter()
            .map(|(name, minus)| format!("{}{name}", if *minus { "-" } else { "" }))
            .collect();
        if !sort.is_empty() {
            push("sort", sort.join(","));
        }
        self.order.iter().for_each(|it| push("order", it.to_string()));
        self.q.iter().for_each(|it| push("q", it.to_string()));
        for (field, operator, operands) in &self.filters {
            match *operator {
                "eq" => push(&format!("filter[{field}]"), operands[0].clone()),
                list @ ("in" | "nin") => {
                    push(&format!("filter[{field}][{list}]"), operands.join(","));
                }
                one => push(&format!("filter[{field}][{one}]"), operands[0].clone()),
            }
        }
        if !self.include.is_empty() {
            push("include", self.include.join(","));
        }
        self.locale.iter().for_each(|it| push("locale", it.to_string()));
        self.fields.iter().for_each(|it| push("fields", it.join(",")));
        if self.counts {
            push("counts", "status".to_string());
        }
        let pairs = pairs.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
        pairs.collect::<Vec<_>>().join("&")
    }

    /// What of it a single entry can be asked for.
    pub(crate) fn of_one(&self) -> Ask {
        Ask {
            include: self.include.clone(),
            locale: self.locale,
            fields: self.fields.clone(),
            ..Ask::default()
        }
    }
}

fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

/// The kind of what a name stands for, with whether it holds several.
pub(crate) fn kind_of<'t>(ty: &'t PlainType, name: &str) -> &'t str {
    match name {
        "published_at" | "unpublish_at" | "created_at" | "updated_at" => "datetime",
        "id" | "slug" | "type" | "status" | "title" | "author_id" | "updated_by" => "text",
        _ => definition(ty, name).and_then(|it| it.get("type")?.as_str()).unwrap(),
    }
}

pub(crate) fn definition<'t>(ty: &'t PlainType, name: &str) -> Option<&'t Map> {
    let mut parts = name.split('.');
    let mut field = ty.fields().get(parts.next()?)?.as_object()?;
    for part in parts {
        field = field.get("fields")?.as_object()?.get(part)?.as_object()?;
    }
    Some(field)
}

/// All that can be named in filters and orders.
fn names(ty: &PlainType) -> Vec<String> {
    let own = [
        "created_at",
        "id",
        "slug",
        "type",
        "status",
        "title",
        "published_at",
        "unpublish_at",
        "updated_at",
        "author_id",
        "updated_by",
    ];
    let mut names: Vec<String> = own.map(String::from).to_vec();
    let fields: Vec<&str> = ty.fields().iter().map(|(name, _)| name).collect();
    // Fields of the type count double.
    names.extend(fields.iter().chain(&fields).map(|it| it.to_string()));
    if ty.fields().contains("seo") {
        names.extend(["seo.note", "seo.n", "seo.rel"].map(String::from));
    }
    names
}

fn filter(
    draw: &mut Draw<'_>,
    ty: &PlainType,
    name: String,
) -> (String, &'static str, Vec<String>) {
    let operators =
        ["eq", "eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "starts", "empty"];
    let operator = draw.pick(&operators);
    if operator == "empty" {
        return (name, operator, vec![draw.pick(&["true", "false", "1", "0"]).to_string()]);
    }
    let count = if matches!(operator, "in" | "nin") { draw.below(4) } else { 1 };
    let kind = kind_of(ty, &name);
    let loose = matches!(operator, "contains" | "starts");
    let operands = (0..count).map(|_| operand(draw, kind, &name, loose).to_string()).collect();
    (name, operator, operands)
}

fn operand(draw: &mut Draw<'_>, kind: &str, name: &str, loose: bool) -> &'static str {
    match kind {
        "date" | "datetime" if loose => draw.pick(&["2026-06", "2025", "T12:0", "x"]),
        "boolean" if loose => draw.pick(&["t", "TRUE", "fa"]),
        "number" | "range" if loose => draw.pick(&["1", "-", "2.5", "0", "7"]),
        "date" | "datetime" if draw.chance(50) => draw.pick(&DATES),
        "date" | "datetime" => draw.pick(&TIMES),
        "number" | "range" => draw.pick(&NUMBERS),
        "boolean" => draw.pick(&["true", "false", "1", "0"]),
        "relation" if loose => draw.pick(&["x", "X1", "1", "s", "y"]),
        "relation" if draw.chance(50) => draw.pick(&SLUGS),
        "relation" => draw.pick(&IDS),
        "media" => draw.pick(&["a.png", "https://cms.example/media/main/ü.jpg", "b c.png", "A.P"]),
        "repeater" | "object" | "blocks" => {
            draw.pick(&["x1", "x", "\"rel\":\"x", "alpha", "{\"t\":\"7\"}", "s1", "{", "[]"])
        }
        "json" => draw.pick(&["1", "Alpha", "two", "{\"k\":[2]}", "false", "k"]),
        "select" => draw.pick(&["a", "b", "Ä", "ä", "7", "12"]),
        _ => match name {
            "id" => draw.pick(&IDS),
            "slug" => draw.pick(&SLUGS),
            "status" => draw.pick(&STATUSES),
            "type" => draw.pick(&["a", "b", "x"]),
            "author_id" | "updated_by" => draw.pick(&["tok_0123456789abcdef", "u1", "U"]),
            _ => draw.pick(&TEXTS),
        },
    }
}
