//! A second reading of the contract (`docs/CONTRACT.md` §3 and §4), as slow and as plain as can be:
//! no index, no rendering, nothing kept. What the product answers must be the same.

use std::cmp::Ordering;

use recto::model::name::EntryId;
use recto::model::name::Filename;
use recto::stdx::fold::casefold;
use recto::stdx::fold::fold_text;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::stdx::slug::slugify;
use recto::stdx::time::Timestamp;
use recto::stdx::time::parse_date;

use crate::support::random_content::MEDIA_BASE;
use crate::support::random_content::MODIFIED;
use crate::support::random_content::PlainGrant;
use crate::support::random_content::PlainType;
use crate::support::random_content::STATUSES;
use crate::support::random_content::TOKEN;
use crate::support::random_content::Who;
use crate::support::random_content::World;
use crate::support::random_content::time;
use crate::support::random_queries::Ask;
use crate::support::random_queries::kind_of;

/// An answer: a body, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    Body(Json),
    Forbidden,
    NotFound,
}

/// Somebody who reads a world in a locale.
pub(crate) struct Oracle<'w> {
    pub(crate) world: &'w World,
    pub(crate) who: &'w Who,
    pub(crate) locale: Option<&'w str>,
}

/// An entry with its own keys read.
#[derive(Clone)]
pub(crate) struct Row<'w> {
    pub(crate) ty: &'w PlainType,
    pub(crate) id: &'w str,
    pub(crate) slug: String,
    pub(crate) status: &'w str,
    published_at: Option<Timestamp>,
    unpublish_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
    author_id: Option<&'w str>,
    updated_by: Option<&'w str>,
    file: &'w Map,
}

/// A value as filters and orders compare it.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    number: Option<f64>,
    text: String,
}

fn text<'j>(map: &'j Map, key: &str) -> Option<&'j str> {
    map.get(key).and_then(Json::as_str).filter(|it| !it.is_empty())
}

fn empty() -> &'static Map {
    static EMPTY: std::sync::LazyLock<Map> = std::sync::LazyLock::new(Map::new);
    &EMPTY
}

pub(crate) fn rows<'w>(world: &World, ty: &'w PlainType) -> Vec<Row<'w>> {
    ty.entries.iter().map(|(id, file)| row(world, ty, id, file.as_object().unwrap())).collect()
}

fn row<'w>(world: &World, ty: &'w PlainType, id: &'w str, file: &'w Map) -> Row<'w> {
    let at = |key: &str| text(file, key).map(time);
    let created_at = at("created_at").unwrap_or_else(|| time(MODIFIED));
    let said = text(file, "status").filter(|it| STATUSES.contains(it)).unwrap_or("draft");
    let mut published_at = at("published_at");
    let mut status = said;
    if said == "published" {
        if published_at.is_some_and(|it| it > world.now) {
            status = "scheduled";
        }
        // Without a date of its own it is public, even if the file claims to come from the future.
        published_at = published_at.or(Some(created_at));
    }
    let made = slugify(text(file, "title").unwrap_or_default());
    let made = if made.is_empty() { id.to_string() } else { made };
    Row {
        ty,
        id,
        slug: text(file, "slug").map_or(made, String::from),
        status,
        published_at,
        unpublish_at: at("unpublish_at"),
        created_at,
        updated_at: at("updated_at").unwrap_or_else(|| time(MODIFIED)),
        author_id: text(file, "author_id"),
        updated_by: text(file, "updated_by"),
        file,
    }
}

impl Row<'_> {
    pub(crate) fn is_public(&self, now: Timestamp) -> bool {
        let begins = match self.status {
            "published" => true,
            "scheduled" => self.published_at.is_some_and(|it| it <= now),
            _ => false,
        };
        let ends = self.unpublish_at.is_some_and(|it| it <= now || Some(it) <= self.published_at);
        begins && !ends
    }
}

impl<'w> Oracle<'w> {
    /// Whether an allowing grant could let the holder do something in the type.
    fn could(&self, ty: &str, schemas_too: bool) -> bool {
        let Who::Holder(grants) = self.who else { return false };
        let fits = |it: &&PlainGrant| it.ty.is_none_or(|wanted| wanted == ty);
        grants.iter().filter(fits).any(|it| it.allows && (it.of_content || schemas_too))
    }

    pub(crate) fn knows(&self, ty: &PlainType) -> bool {
        !ty.is_private() || self.could(&ty.name, true)
    }

    pub(crate) fn sees(&self, row: &Row<'_>) -> bool {
        let Who::Holder(grants) = self.who else {
            return !row.ty.is_private() && row.is_public(self.world.now);
        };
        let locales = row.ty.locales();
        let read_in = self.locale.filter(|it| locales.contains(it)).or_else(|| default_of(row.ty));
        let named = |it: &str| {
            [row.id, &row.slug].iter().any(|own| match it.strip_suffix('*') {
                Some(start) => own.starts_with(start),
                None => *own == it,
            })
        };
        let applies = |it: &&PlainGrant| {
            it.of_content
                && it.ty.is_none_or(|ty| ty == row.ty.name)
                && named(it.name)
                && (!it.own || row.author_id == Some(&format!("tok_{TOKEN}")))
                && (it.status.is_empty() || it.status.contains(&row.status))
                && (it.locales.is_empty() || read_in.is_some_and(|read| it.locales.contains(&read)))
        };
        let applying: Vec<&PlainGrant> = grants.iter().filter(applies).collect();
        !applying.is_empty() && applying.iter().all(|it| it.allows)
    }

    pub(crate) fn visible(&self, ty: &'w PlainType) -> Vec<Row<'w>> {
        rows(self.world, ty).into_iter().filter(|it| self.sees(it)).collect()
    }

    /// Id first, then slug; of several with a slug the oldest.
    fn find(&self, ty: &'w PlainType, name: &str) -> Option<Row<'w>> {
        let mut seen = self.visible(ty);
        seen.sort_by_key(|it| (it.created_at, it.id));
        let by_id = seen.iter().find(|it| it.id == name);
        by_id.or_else(|| seen.iter().find(|it| it.slug == name)).cloned()
    }

    fn target(&self, ty: &str, id: &str) -> Option<Row<'w>> {
        self.visible(self.world.get(ty)?).into_iter().find(|it| it.id == id)
    }

    /// What keeps the caller out of a type as a whole.
    fn door(&self, name: &str) -> Result<&'w PlainType, Answer> {
        let ty = self.world.get(name).filter(|it| self.knows(it)).ok_or(Answer::NotFound)?;
        match self.who {
            Who::Holder(_) if !self.could(name, false) => Err(Answer::Forbidden),
            _ => Ok(ty),
        }
    }

    pub(crate) fn get(&self, type_name: &str, name: &str, ask: &Ask) -> Answer {
        let ty = match self.door(type_name) {
            Ok(ty) => ty,
            Err(answer) => return answer,
        };
        let Some(row) = self.find(ty, name) else {
            let everybody = Oracle { who: &Who::Anyone, ..*self };
            let public = everybody.find(ty, name).is_some();
            let holder = matches!(self.who, Who::Holder(_));
            return if public && holder { Answer::Forbidden } else { Answer::NotFound };
        };
        let mut body = Map::new();
        body.push("data", self.entry(&row, &ask.include, ask.fields.as_deref()));
        Answer::Body(body.into())
    }

    pub(crate) fn list(&self, type_name: &str, ask: &Ask) -> Answer {
        let ty = match self.door(type_name) {
            Ok(ty) => ty,
            Err(answer) => return answer,
        };
        let mut found = self.visible(ty);
        found.retain(|row| ask.q.is_none_or(|q| self.contains(row, q)));
        found.retain(|row| {
            let passes = |(field, operator, operands): &(String, &str, Vec<String>)| {
                self.passes(row, field, operator, operands)
            };
            ask.filters.iter().all(passes)
        });
        let total = found.len();
        let counts = STATUSES.map(|it| found.iter().filter(|row| row.status == it).count());
        let keys = sort_keys(ask);
        found.sort_by(|a, b| self.compare(a, b, &keys));
        let shown: Vec<Json> = found
            .iter()
            .skip(ask.offset)
            .take(ask.limit.unwrap_or(usize::MAX))
            .map(|row| self.entry(row, &ask.include, ask.fields.as_deref()))
            .collect();
        let number = |it: usize| Json::from(it as i64);
        let mut meta = Map::new();
        meta.push("total", number(total));
        meta.push("limit", number(ask.limit.unwrap_or(shown.len())));
        meta.push("offset", number(ask.offset));
        meta.push("sort", keys[0].0.as_str());
        meta.push("order", if keys[0].1 { "desc" } else { "asc" });
        if ask.counts {
            let each = STATUSES.iter().zip(counts);
            let counts: Map = each.map(|(name, it)| (name.to_string(), number(it))).collect();
            meta.push("counts", counts);
        }
        let mut body = Map::new();
        body.push("data", shown);
        body.push("meta", meta);
        Answer::Body(body.into())
    }

    /// The locale that is applied to an entry: the one asked for if the entry has it.
    fn applied(&self, row: &Row<'_>) -> Option<&'w str> {
        let asked = self.locale.filter(|it| row.ty.locales().contains(it));
        let has = |it: &&str| {
            root_of(row.ty) == Some(it) || translations(row).get(it).is_some_and(is_object)
        };
        let default = self.world.get(&row.ty.name).and_then(default_of);
        asked.filter(has).or(default)
    }

    /// The maps to look a field up in: the locale's, the default's, the root's.
    fn layers(&self, row: &Row<'w>) -> Vec<&'w Map> {
        let mut layers = Vec::new();
        for locale in [self.applied(row), default_of(row.ty)].into_iter().flatten() {
            if root_of(row.ty) == Some(locale) {
                layers.push(row.file);
            } else if let Some(map) = translations(row).get(locale).and_then(Json::as_object) {
                layers.push(map);
            }
        }
        layers.push(row.file);
        layers
    }

    fn title(&self, row: &Row<'w>) -> &'w str {
        self.layers(row).into_iter().find_map(|it| text(it, "title")).unwrap_or_default()
    }

    fn stored(&self, row: &Row<'w>, name: &str, definition: &Map) -> Option<&'w Json> {
        let data = |map: &'w Map| map.get("data").and_then(Json::as_object).unwrap_or(empty());
        let localized = definition.get("localized") != Some(&Json::Bool(false));
        let layers = if localized { self.layers(row) } else { vec![row.file] };
        let mut values = layers.into_iter().filter_map(|it| data(it).get(name));
        values.find(|it| !it.is_empty()).or_else(|| data(row.file).get(name))
    }

    /// `data` as this reader sees it, relations as ids.
    fn data(&self, row: &Row<'w>) -> Map {
        let mut data = Map::new();
        for (name, definition) in row.ty.fields().iter() {
            let definition = definition.as_object().unwrap();
            if let Some(value) = self.stored(row, name, definition) {
                data.push(name, self.shown(value, definition));
            }
        }
        data
    }

    fn members(&self, map: &Map, fields: &mut dyn Iterator<Item = (&str, &Json)>, to: &mut Map) {
        for (name, definition) in fields {
            if let Some(value) = map.get(name) {
                to.push(name, self.shown(value, definition.as_object().unwrap()));
            }
        }
    }

    fn shown(&self, value: &Json, definition: &Map) -> Json {
        let kind = text(definition, "type").unwrap();
        let many = definition.get("multiple") == Some(&Json::Bool(true));
        let items = match value {
            Json::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        match (kind, value) {
            ("relation", _) => {
                let target = text(definition, "target").unwrap();
                let ids = items.iter().filter_map(Json::as_str).filter(|it| EntryId::fits(it));
                if many {
                    let seen = ids.filter(|it| self.target(target, it).is_some());
                    return Json::Array(seen.map(Json::from).collect());
                }
                let first = ids.take(1).find(|it| self.target(target, it).is_some());
                first.map_or(Json::Null, Json::from)
            }
            ("media", _) => {
                let names = items.iter().filter_map(Json::as_str).filter(|it| Filename::fits(it));
                let url =
                    |it| format!("{MEDIA_BASE}{}", recto::stdx::url_encoding::encode_segment(it));
                Json::Array(names.map(|it| url(it).into()).collect())
            }
            ("select", Json::Null) if many => Json::Array(Vec::new()),
            ("select", Json::Array(_)) if many => value.clone(),
            ("select", one) if many => Json::Array(vec![one.clone()]),
            ("select", Json::Array(items)) => items.first().cloned().unwrap_or_default(),
            ("boolean", Json::Null) => Json::Bool(false),
            ("range", Json::Null) => definition.get("default").cloned().unwrap(),
            ("repeater" | "blocks", Json::Null) => Json::Array(Vec::new()),
            ("object", Json::Null) => Map::new().into(),
            ("object", Json::Object(map)) => {
                let fields = definition.get("fields").and_then(Json::as_object).unwrap();
                let mut shown = Map::new();
                self.members(map, &mut fields.iter(), &mut shown);
                shown.into()
            }
            ("repeater", Json::Array(rows)) => {
                let fields = definition.get("subfields").and_then(Json::as_array).unwrap();
                let named =
                    || fields.iter().map(|it| (text(it.as_object().unwrap(), "key").unwrap(), it));
                rows.iter().map(|row| self.part(row, &mut named())).collect::<Vec<_>>().into()
            }
            ("blocks", Json::Array(blocks)) => {
                let kinds = definition.get("blocks").and_then(Json::as_object).unwrap();
                let blocks = blocks.iter().map(|it| self.block(it, kinds));
                blocks.collect::<Vec<_>>().into()
            }
            _ => value.clone(),
        }
    }

    fn part(&self, row: &Json, fields: &mut dyn Iterator<Item = (&str, &Json)>) -> Json {
        let Json::Object(map) = row else { return row.clone() };
        let mut shown = Map::new();
        self.members(map, fields, &mut shown);
        shown.into()
    }

    fn block(&self, block: &Json, kinds: &Map) -> Json {
        let Json::Object(map) = block else { return block.clone() };
        let mut shown = Map::new();
        for key in ["_type", "_id"] {
            map.get(key).and_then(Json::as_str).into_iter().for_each(|it| shown.push(key, it));
        }
        let kind = map.get("_type").and_then(Json::as_str).and_then(|it| kinds.get(it));
        if let Some(fields) = kind.and_then(|it| it.as_object()?.get("fields")?.as_object()) {
            self.members(map, &mut fields.iter(), &mut shown);
        }
        shown.into()
    }

    /// An entry as it is answered.
    fn entry(&self, row: &Row<'w>, include: &[String], fields: Option<&[String]>) -> Json {
        let mut out = Map::new();
        let stamp = |it: Timestamp| Json::from(it.to_string());
        out.push("id", row.id);
        out.push("slug", row.slug.as_str());
        out.push("type", row.ty.name.as_str());
        out.push("status", row.status);
        out.push("title", self.title(row));
        out.push("published_at", row.published_at.map_or(Json::Null, stamp));
        row.unpublish_at.into_iter().for_each(|it| out.push("unpublish_at", stamp(it)));
        out.push("created_at", stamp(row.created_at));
        out.push("updated_at", stamp(row.updated_at));
        row.author_id.into_iter().for_each(|it| out.push("author_id", it));
        row.updated_by.into_iter().for_each(|it| out.push("updated_by", it));
        if !row.ty.locales().is_empty() {
            out.push("locale", self.applied(row).unwrap());
        }
        let mut data = Map::new();
        for (name, value) in self.data(row).iter() {
            if fields.is_none_or(|it| it.iter().any(|wanted| wanted == name)) {
                data.push(name, self.expanded(row.ty, name, value, include));
            }
        }
        out.push("data", data);
        out.into()
    }

    fn expanded(&self, ty: &PlainType, name: &str, value: &Json, include: &[String]) -> Json {
        let definition = ty.fields().get(name).and_then(Json::as_object).unwrap();
        let named = |path: &&String| path.split('.').next() == Some(name);
        if text(definition, "type") != Some("relation") || !include.iter().any(|it| named(&it)) {
            return value.clone();
        }
        let below: Vec<String> = include
            .iter()
            .filter(named)
            .filter_map(|it| it.split_once('.'))
            .map(|(_, rest)| rest.to_string())
            .collect();
        let target = text(definition, "target").unwrap();
        let expand = |id: &Json| match id.as_str().and_then(|it| self.target(target, it)) {
            Some(row) => self.entry(&row, &below, None),
            None => Json::Null,
        };
        match value {
            Json::Array(ids) => Json::Array(ids.iter().map(expand).collect()),
            one => expand(one),
        }
    }

    /// Whether every term of `q` occurs in one of the searched texts.
    fn contains(&self, row: &Row<'w>, q: &str) -> bool {
        let mut texts = vec![self.title(row).to_string(), row.slug.clone()];
        for (name, value) in self.data(row).iter() {
            let definition = row.ty.fields().get(name).and_then(Json::as_object).unwrap();
            searched(value, definition, &mut texts);
        }
        let texts: Vec<String> = texts.iter().map(|it| fold_text(it).into_owned()).collect();
        q.split_whitespace().all(|term| texts.iter().any(|it| it.contains(&*fold_text(term))))
    }

    /// The comparable values of what a filter or a sort key names: none when it reads as nothing.
    fn values(&self, row: &Row<'w>, name: &str) -> Vec<Item> {
        let own = match name {
            "id" => Some(row.id.to_string()),
            "slug" => Some(row.slug.clone()),
            "type" => Some(row.ty.name.clone()),
            "status" => Some(row.status.to_string()),
            "title" => Some(self.title(row).to_string()),
            "author_id" => row.author_id.map(String::from),
            "updated_by" => row.updated_by.map(String::from),
            "published_at" => row.published_at.map(|it| it.to_string()),
            "unpublish_at" => row.unpublish_at.map(|it| it.to_string()),
            "created_at" => Some(row.created_at.to_string()),
            "updated_at" => Some(row.updated_at.to_string()),
            _ => {
                let data = Json::Object(self.data(row));
                let value = name.split('.').try_fold(&data, |at, key| at.as_object()?.get(key));
                let value = value.cloned().unwrap_or_default();
                let items = match value {
                    Json::Array(items) => items,
                    one => vec![one],
                };
                let items = items.into_iter().filter(|it| !it.is_empty());
                return items.map(|it| item(&it, kind_of(row.ty, name))).collect();
            }
        };
        let own = own.filter(|it| !it.is_empty());
        own.into_iter().map(|it| item(&it.into(), kind_of(row.ty, name))).collect()
    }

    fn passes(&self, row: &Row<'w>, name: &str, operator: &str, operands: &[String]) -> bool {
        let values = self.values(row, name);
        let kind = kind_of(row.ty, name);
        let mut given: Vec<&str> = operands.iter().map(String::as_str).collect();
        if matches!(operator, "in" | "nin") {
            given.retain(|it| !it.is_empty());
        }
        let any = |test: &dyn Fn(&Item, &str) -> bool| {
            values.iter().any(|value| given.iter().any(|it| test(value, it)))
        };
        let equal = |value: &Item, wanted: &str| self.is_equal(row, name, kind, value, wanted);
        let folded = |it: &str| casefold(it).into_owned();
        let (text, number) = (
            &|it: &Item| folded(&it.text),
            matches!(kind, "number" | "range" | "boolean" | "date" | "datetime"),
        );
        let wanted = |it: &str| if kind == "media" { last(it) } else { folded(it) };
        let order = |test: &dyn Fn(f64, f64, f64) -> bool, by_text: &dyn Fn(&str, &str) -> bool| {
            let bound = |it: &str| it.trim().parse::<f64>().ok().filter(|it| it.is_finite());
            any(&|value, it| match (number, value.number, bound(it)) {
                (true, Some(value), _) => {
                    let (low, high) = bounds(kind, it);
                    test(value, low, high)
                }
                (true, None, _) => false,
                (false, Some(value), Some(bound)) => test(value, bound, bound),
                (false, ..) => by_text(&text(value), &wanted(it)),
            })
        };
        match operator {
            "eq" | "in" => any(&equal),
            "ne" | "nin" => !any(&equal),
            "gt" => order(&|value, _, high| value > high, &|a, b| a > b),
            "gte" => order(&|value, low, _| value >= low, &|a, b| a >= b),
            "lt" => order(&|value, low, _| value < low, &|a, b| a < b),
            "lte" => order(&|value, _, high| value <= high, &|a, b| a <= b),
            "contains" => any(&|value, it| text(value).contains(&folded(&wanted(it)))),
            "starts" => any(&|value, it| text(value).starts_with(&folded(&wanted(it)))),
            "empty" => values.is_empty() == matches!(given[0], "true" | "1"),
            other => panic!("{other}"),
        }
    }

    fn is_equal(&self, row: &Row<'w>, name: &str, kind: &str, value: &Item, wanted: &str) -> bool {
        match kind {
            "number" | "range" | "boolean" | "date" | "datetime" => {
                let (low, high) = bounds(kind, wanted);
                value.number.is_some_and(|it| low <= it && it <= high)
            }
            "relation" => {
                let definition = crate::support::random_queries::definition(row.ty, name).unwrap();
                let target = self.world.get(text(definition, "target").unwrap());
                let named = target.and_then(|it| self.find(it, wanted));
                named.is_some_and(|it| it.id == value.text)
            }
            "media" => value.text == last(wanted),
            _ => value.text == wanted,
        }
    }

    fn compare(&self, a: &Row<'w>, b: &Row<'w>, keys: &[(String, bool)]) -> Ordering {
        for (name, descending) in keys {
            let first = |row| self.values(row, name).into_iter().next();
            let ordering = match (first(a), first(b)) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(a), Some(b)) if *descending => in_order(&b, &a),
                (Some(a), Some(b)) => in_order(&a, &b),
            };
            if ordering.is_ne() {
                return ordering;
            }
        }
        let ties = a.id.cmp(b.id);
        if keys.last().unwrap().1 { ties.reverse() } else { ties }
    }
}

/// `order` applies to keys without a minus; without keys it is `-created_at`.
fn sort_keys(ask: &Ask) -> Vec<(String, bool)> {
    if ask.sort.is_empty() {
        return vec![("created_at".to_string(), ask.order != Some("asc"))];
    }
    let descends = |minus: bool| minus || ask.order == Some("desc");
    ask.sort.iter().map(|(name, minus)| (name.clone(), descends(*minus))).collect()
}

fn in_order(a: &Item, b: &Item) -> Ordering {
    match (a.number, b.number) {
        (Some(a), Some(b)) => a.partial_cmp(&b).unwrap(),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => casefold(&a.text).cmp(&casefold(&b.text)),
    }
}

fn item(value: &Json, kind: &str) -> Item {
    let mut bytes = Vec::new();
    value.write_compact(&mut bytes);
    let written = String::from_utf8(bytes).unwrap();
    let text = value.as_str().map_or(written, String::from);
    let text = if kind == "media" { last(&text) } else { text };
    let number = match kind {
        "number" | "range" => value.as_f64(),
        "boolean" => value.as_bool().map(|it| f64::from(u8::from(it))),
        "date" | "datetime" => {
            value.as_str().and_then(Timestamp::parse).map(|it| it.seconds() as f64)
        }
        "relation" | "media" => None,
        // Numbers among texts have their place among numbers.
        _ => value.as_f64(),
    };
    Item { number, text }
}

/// From where to where an operand reaches: one number, or the seconds of a day.
fn bounds(kind: &str, operand: &str) -> (f64, f64) {
    match kind {
        "boolean" if matches!(operand, "true" | "1") => (1.0, 1.0),
        "boolean" => (0.0, 0.0),
        "date" | "datetime" => {
            let start = time(operand).seconds() as f64;
            let day = parse_date(operand).is_some();
            (start, if day { start + 86_399.0 } else { start })
        }
        _ => (operand.parse().unwrap(), operand.parse().unwrap()),
    }
}

/// The name of the file that a URL ends with.
fn last(url: &str) -> String {
    let name = url.rsplit('/').next().unwrap_or_default();
    percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned()
}

fn searched(value: &Json, definition: &Map, texts: &mut Vec<String>) {
    let mut nested = |map: &Map, fields: &mut dyn Iterator<Item = (&str, &Json)>| {
        for (name, definition) in fields {
            if let Some(value) = map.get(name) {
                searched(value, definition.as_object().unwrap(), texts);
            }
        }
    };
    match (text(definition, "type").unwrap(), value) {
        ("text" | "textarea" | "markdown", Json::String(it)) => texts.push(it.clone()),
        ("select", Json::Array(items)) => {
            let scalars =
                items.iter().filter(|it| it.as_array().is_none() && it.as_object().is_none());
            texts.extend(scalars.filter(|it| **it != Json::Null).map(|it| item(it, "select").text));
        }
        ("select", Json::Null | Json::Object(_)) => {}
        ("select", one) => texts.push(item(one, "select").text),
        ("object", Json::Object(map)) => {
            let fields = definition.get("fields").and_then(Json::as_object).unwrap();
            nested(map, &mut fields.iter());
        }
        ("repeater", Json::Array(rows)) => {
            let fields = definition.get("subfields").and_then(Json::as_array).unwrap();
            let named =
                || fields.iter().map(|it| (text(it.as_object().unwrap(), "key").unwrap(), it));
            rows.iter().filter_map(Json::as_object).for_each(|row| nested(row, &mut named()));
        }
        ("blocks", Json::Array(blocks)) => {
            let kinds = definition.get("blocks").and_then(Json::as_object).unwrap();
            for block in blocks.iter().filter_map(Json::as_object) {
                let kind = block.get("_type").and_then(Json::as_str).and_then(|it| kinds.get(it));
                let fields = kind.and_then(|it| it.as_object()?.get("fields")?.as_object());
                fields.into_iter().for_each(|it| nested(block, &mut it.iter()));
            }
        }
        _ => {}
    }
}

fn translations<'w>(row: &Row<'w>) -> &'w Map {
    row.file.get("translations").and_then(Json::as_object).unwrap_or(empty())
}

fn is_object(value: &Json) -> bool {
    value.as_object().is_some()
}

fn default_of(ty: &PlainType) -> Option<&str> {
    let first = ty.locales().first().copied()?;
    Some(ty.member("default_locale").and_then(Json::as_str).unwrap_or(first))
}

fn root_of(ty: &PlainType) -> Option<&str> {
    ty.member("root_locale").and_then(Json::as_str).or_else(|| default_of(ty))
}
