//! An entry as readers get it: finished JSON per locale, and what lookups and orders need beside.

use std::cell::Cell;
use std::sync::Arc;

use bytes::Bytes;

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::Resolved;
use crate::model::entry::Status;
use crate::model::entry::Translation;
use crate::model::field::Field;
use crate::model::field::Link;
use crate::model::field::Show;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::write_string;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;
use crate::stdx::time::Timestamp;

/// What stands before an entry in its finished body.
pub const BODY_HEAD: &[u8] = b"{\"data\":";

/// What stands behind it.
pub const BODY_TAIL: &[u8] = b"}";

/// An entry in memory. Stored values are not kept: they are in the file.
#[derive(Debug)]
pub struct Doc {
    /// Its id.
    pub id: EntryId,
    /// Its slug, whether or not another entry owns it.
    pub slug: Arc<str>,
    /// Where it stands.
    pub status: Status,
    /// Whether it becomes `published` when its time comes (see [`Entry::turns_published`]).
    pub turns_published: bool,
    /// When it went or goes public.
    pub published_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Who made it.
    pub author_id: Option<Box<str>>,
    /// Who changed it last.
    pub updated_by: Option<Box<str>>,
    /// The sum of the file's content.
    pub rev: Sum,
    /// The sum of the file's content and of all renderings, which also hold what is not in the
    /// file: times that the file leaves open, and a status that only time changes.
    pub sum: Sum,
    /// What is read without a locale, and in a locale the entry does not have.
    default: Variant,
    /// One rendering for each other locale the entry really has.
    others: Box<[Variant]>,
    /// For each locale of the type, the variant that answers it: 0 for the default, n for the n-th
    /// of the others.
    by_locale: Box<[u8]>,
}

/// An entry's finished public JSON in one locale.
#[derive(Debug)]
pub struct Variant {
    /// `{"data":{…}}`, as it is sent when every relation target is visible.
    pub body: Bytes,
    /// The relations inside, by place.
    pub links: Box<[Link]>,
    /// The sum of the body.
    pub sum: Sum,
    title: Span,
    /// Where the members of `data` begin.
    data: u32,
    /// Where the value of each data field is, in the order of the type's data fields.
    fields: Box<[Span]>,
}

/// A stretch of a body; empty when there is no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Span {
    fn of(self, body: &[u8]) -> &[u8] {
        body.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

impl Doc {
    /// Renders an entry. `media_base` stands before filenames in URLs and ends with `/`.
    pub fn render(ty: &ContentType, entry: &Entry, media_base: &str) -> Doc {
        let (others, by_locale) = locales_of(ty, entry);
        let render = |locale| variant(ty, entry, locale, media_base);
        let default = render(ty.default_locale.as_ref());
        let others: Box<[Variant]> = others.into_iter().map(|it| render(Some(it))).collect();
        let mut sum = Summer::new();
        sum.number(entry.sum.0).number(default.sum.0);
        others.iter().for_each(|it| _ = sum.number(it.sum.0));
        Doc {
            sum: sum.finish(),
            id: entry.id.clone(),
            slug: entry.slug.as_str().into(),
            status: entry.status,
            turns_published: entry.turns_published,
            published_at: entry.published_at,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            author_id: entry.author_id.as_deref().map(Box::from),
            updated_by: entry.updated_by.as_deref().map(Box::from),
            rev: entry.sum,
            default,
            others,
            by_locale,
        }
    }

    /// The rendering for a locale of the type by its place, or for reads without a locale.
    pub fn variant(&self, locale: Option<usize>) -> &Variant {
        let index = locale.and_then(|it| self.by_locale.get(it)).copied().unwrap_or(0);
        let other = usize::from(index).checked_sub(1).and_then(|it| self.others.get(it));
        other.unwrap_or(&self.default)
    }

    /// All renderings.
    pub(crate) fn variants(&self) -> impl Iterator<Item = &Variant> {
        std::iter::once(&self.default).chain(&self.others)
    }

    /// Whether everybody may read it at `now`.
    pub fn is_public(&self, now: Timestamp) -> bool {
        self.status.is_public(self.published_at, now)
    }

    /// When it goes public by itself, if that is still to come.
    pub fn due(&self, now: Timestamp) -> Option<Timestamp> {
        let scheduled = self.status == Status::Scheduled;
        self.published_at.filter(|it| scheduled && *it > now)
    }

    /// Bytes held in memory, without the allocator's own.
    pub fn memory_bytes(&self) -> usize {
        let variants: usize = self.variants().map(Variant::memory_bytes).sum();
        size_of::<Doc>() + self.id.as_str().len() + self.slug.len() + variants
    }
}

impl Variant {
    /// Where the entry's JSON object is in the body: what lists hold.
    pub fn entry(&self) -> Span {
        span(BODY_HEAD.len(), self.body.len() - BODY_TAIL.len())
    }

    /// Where the entry's own keys are, from its brace to that of `data`.
    pub fn head(&self) -> Span {
        Span { start: self.entry().start, end: self.data }
    }

    /// The bytes of a span.
    pub fn bytes(&self, span: Span) -> &[u8] {
        span.of(&self.body)
    }

    /// The JSON text of the title.
    pub fn title(&self) -> &[u8] {
        self.title.of(&self.body)
    }

    /// The JSON text of the data field at this place; empty when the entry has none.
    pub fn field(&self, index: usize) -> &[u8] {
        self.fields.get(index).map_or(&[], |it| it.of(&self.body))
    }

    /// Where the value of the data field at this place is.
    pub fn field_span(&self, index: usize) -> Span {
        self.fields.get(index).copied().unwrap_or_default()
    }

    /// Where the data field at this place is with its key: `"key":value`.
    pub fn member_span(&self, index: usize) -> Span {
        let value = self.field_span(index);
        // A member begins where the one before ends, behind its comma, or at the beginning.
        let before = self
            .fields
            .iter()
            .map(|it| it.end)
            .filter(|it| self.data < *it && *it < value.start)
            .max();
        Span { start: before.map_or(self.data, |it| it + 1), end: value.end }
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Variant>()
            + self.body.len()
            + size_of_val(&*self.links)
            + size_of_val(&*self.fields)
    }
}

/// An entry with everything that its file says in the locales of its type, and with files by their
/// names: what the admin API shows. Made when it is asked for.
pub struct Whole {
    /// What one locale sees.
    pub seen: Variant,
    /// The values that stand in each translation, with the place of its locale in the type.
    pub translations: Vec<(usize, Variant)>,
}

impl Whole {
    /// Renders an entry for a locale of the type by its place, or for reads without a locale.
    pub fn render(ty: &ContentType, entry: &Entry, locale: Option<usize>) -> Whole {
        let asked = locale.and_then(|it| ty.locales.get(it));
        let seen = variant(ty, entry, asked.or(ty.default_locale.as_ref()), "");
        let is_root = |code: &LocaleCode| ty.root_locale.as_ref() == Some(code);
        let others = ty.locales.iter().enumerate().filter(|(_, code)| !is_root(code));
        let own = others.filter_map(|(place, code)| Some((place, entry.translation(code)?)));
        let translations = own.map(|(place, it)| (place, translation(ty, it))).collect();
        Whole { seen, translations }
    }
}

/// What stands in a translation: `title`, unless all locales share it, and the members of `data`.
fn translation(ty: &ContentType, translation: &Translation) -> Variant {
    let mut show =
        Show { out: Vec::new(), media_base: "", links: Vec::new(), targets: &ty.relation_targets };
    show.out.extend_from_slice(BODY_HEAD);
    show.out.push(b'{');
    let mut title = Span::default();
    if ty.fields.get("title").is_none_or(|it| it.localized) {
        show.out.extend_from_slice(b"\"title\":");
        let start = show.out.len();
        match &translation.title {
            Some(text) => write_string(text, &mut show.out),
            None => show.out.extend_from_slice(b"null"),
        }
        title = span(start, show.out.len());
        show.out.push(b',');
    }
    show.out.extend_from_slice(b"\"data\":{");
    let data_start = span(0, show.out.len()).end;
    let own = |field: &Field| translation.data.get(field.name.as_str()).filter(|_| field.localized);
    let fields = data(ty, own, &mut show);
    show.out.extend_from_slice(b"}}");
    show.out.extend_from_slice(BODY_TAIL);
    Variant {
        sum: Sum::default(),
        data: data_start,
        body: Bytes::from(show.out),
        links: show.links.into(),
        title,
        fields,
    }
}

/// The locales to render beside the default, and for each locale of the type which one answers it.
fn locales_of<'t>(ty: &'t ContentType, entry: &Entry) -> (Vec<&'t LocaleCode>, Box<[u8]>) {
    let mut rendered = Vec::new();
    let mut by_locale = Vec::with_capacity(ty.locales.len());
    for locale in &ty.locales {
        let is_default = ty.default_locale.as_ref() == Some(locale);
        let is_root = ty.root_locale.as_ref() == Some(locale);
        let own = is_root || entry.translation(locale.as_str()).is_some();
        // 255 locales are more than anybody writes; further ones read as the default.
        match u8::try_from(rendered.len() + 1) {
            Ok(number) if own && !is_default => {
                by_locale.push(number);
                rendered.push(locale);
            }
            _ => by_locale.push(0),
        }
    }
    (rendered, by_locale.into())
}

fn variant(
    ty: &ContentType,
    entry: &Entry,
    locale: Option<&LocaleCode>,
    media_base: &str,
) -> Variant {
    let values = Resolved::new(ty, entry, locale);
    let targets = &ty.relation_targets;
    let mut show = Show { out: SCRATCH.take(), media_base, links: Vec::new(), targets };
    show.out.extend_from_slice(BODY_HEAD);
    let title = head(ty, entry, values.title(ty), locale, &mut show.out);
    let data_start = span(0, show.out.len()).end;
    let fields = data(ty, |field| values.value(field), &mut show);
    show.out.extend_from_slice(b"}}");
    show.out.extend_from_slice(BODY_TAIL);
    let rendered = Variant {
        sum: Sum::of(&show.out),
        data: data_start,
        body: Bytes::copy_from_slice(&show.out),
        links: show.links.into(),
        title,
        fields,
    };
    show.out.clear();
    SCRATCH.set(show.out);
    rendered
}

thread_local! {
    /// Where bodies are written before they are copied to memory of just their size: thousands are
    /// rendered one after the other, and what a buffer has grown beyond must not stay for ever.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Appends the entry's own keys up to the opening of `data`; returns where the title is.
fn head(
    ty: &ContentType,
    entry: &Entry,
    title: &str,
    locale: Option<&LocaleCode>,
    out: &mut Vec<u8>,
) -> Span {
    text_member(out, b"{\"id\":", entry.id.as_str());
    text_member(out, b",\"slug\":", &entry.slug);
    text_member(out, b",\"type\":", ty.name.as_str());
    text_member(out, b",\"status\":", entry.status.as_str());
    out.extend_from_slice(b",\"title\":");
    let start = out.len();
    write_string(title, out);
    let title = span(start, out.len());
    match entry.published_at {
        Some(at) => text_member(out, b",\"published_at\":", &at.to_string()),
        None => out.extend_from_slice(b",\"published_at\":null"),
    }
    text_member(out, b",\"created_at\":", &entry.created_at.to_string());
    text_member(out, b",\"updated_at\":", &entry.updated_at.to_string());
    if let Some(author) = &entry.author_id {
        text_member(out, b",\"author_id\":", author);
    }
    if let Some(by) = &entry.updated_by {
        text_member(out, b",\"updated_by\":", by);
    }
    if let Some(locale) = locale {
        text_member(out, b",\"locale\":", locale.as_str());
    }
    out.extend_from_slice(b",\"data\":{");
    title
}

fn text_member(out: &mut Vec<u8>, key: &[u8], text: &str) {
    out.extend_from_slice(key);
    write_string(text, out);
}

/// Appends the members of `data`; returns where each field's value is.
fn data<'v>(
    ty: &ContentType,
    value_of: impl Fn(&Field) -> Option<&'v Json>,
    show: &mut Show<'_>,
) -> Box<[Span]> {
    let mut spans = Vec::with_capacity(ty.fields.len());
    let mut first = true;
    for field in ty.data_fields() {
        let Some(value) = value_of(field) else {
            spans.push(Span::default());
            continue;
        };
        if !first {
            show.out.push(b',');
        }
        first = false;
        write_string(field.name.as_str(), &mut show.out);
        show.out.push(b':');
        let start = show.out.len();
        field.kind.show(value, show);
        spans.push(span(start, show.out.len()));
    }
    spans.into()
}

/// Bodies are far below 4 GiB: files are at most 8 MiB.
fn span(start: usize, end: usize) -> Span {
    let offset = |it| u32::try_from(it).unwrap_or(u32::MAX);
    Span { start: offset(start), end: offset(end) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;
    use crate::stdx::json::Map;

    /// `title|text|shared|locale` of an entry in a locale by its place.
    fn read(doc: &Doc, locale: Option<usize>) -> String {
        let json = Json::parse(&doc.variant(locale).body).unwrap();
        let entry = json.as_object().unwrap().get("data").unwrap().as_object().unwrap();
        let data = entry.get("data").unwrap().as_object().unwrap();
        let text = |map: &Map, key| map.get(key).and_then(Json::as_str).unwrap_or("-").to_string();
        let parts = [text(entry, "title"), text(data, "text"), text(data, "shared")];
        format!("{}|{}", parts.join("|"), text(entry, "locale"))
    }

    #[test]
    fn locales_fall_back_to_the_default_and_then_to_the_root() {
        let schema = |default: &str, root: &str| {
            content_type(
                "posts",
                &format!(
                    r#"{{"locales":["en","de","fr"],"default_locale":"{default}",
                    "root_locale":"{root}","fields":{{"text":{{}},"shared":{{"localized":false}}}}}}"#
                ),
            )
        };
        let check = |default: &str, root: &str, file: &str, expect: [&str; 4]| {
            let ty = schema(default, root);
            let doc = doc(&ty, "e", file);
            let all = [None, Some(0), Some(1), Some(2)].map(|it| read(&doc, it));
            assert_eq!(all, expect, "{default} {root} {file}");
        };
        let file = r#"{"title":"T","data":{"text":"root","shared":"s"},"translations":{
            "de":{"title":"Titel","data":{"text":"deutsch","shared":"x"}},
            "fr":{"data":{"text":""}}}}"#;
        check(
            "en",
            "en",
            file,
            ["T|root|s|en", "T|root|s|en", "Titel|deutsch|s|de", "T|root|s|fr"],
        );
        check(
            "de",
            "en",
            file,
            ["Titel|deutsch|s|de", "T|root|s|en", "Titel|deutsch|s|de", "Titel|deutsch|s|fr"],
        );
        // The root locale is not offered any more.
        check(
            "en",
            "it",
            file,
            ["T|root|s|en", "T|root|s|en", "Titel|deutsch|s|de", "T|root|s|fr"],
        );
        // What the root lacks comes from the default too.
        let file = r#"{"data":{"text":null,"shared":"s"},"translations":{
            "de":{"title":"Titel","data":{"text":"deutsch"}}}}"#;
        check(
            "de",
            "en",
            file,
            [
                "Titel|deutsch|s|de",
                "Titel|deutsch|s|en",
                "Titel|deutsch|s|de",
                "Titel|deutsch|s|de",
            ],
        );
        // A locale without values of its own reads as the default, and says so.
        let file = r#"{"title":"T","data":{"text":"root"}}"#;
        check("en", "en", file, ["T|root|-|en", "T|root|-|en", "T|root|-|en", "T|root|-|en"]);
    }

    #[test]
    fn a_title_can_be_one_for_all_locales() {
        let ty = content_type(
            "posts",
            r#"{"locales":["en","de"],"fields":{"title":{"localized":false}}}"#,
        );
        let doc = doc(&ty, "e", r#"{"title":"T","translations":{"de":{"title":"Titel"}}}"#);
        assert_eq!(read(&doc, Some(1)), "T|-|-|de");
    }

    #[test]
    fn spans_and_links_lie_where_they_say() {
        let ty = content_type(
            "posts",
            r#"{"fields":{"a":{},"none":{},"rel":{"type":"relation","target":"x"},
            "rels":{"type":"relation","target":"y","multiple":true},
            "seo":{"type":"object","fields":{"rel":{"type":"relation","target":"x"}}},"z":{}}}"#,
        );
        let doc = doc(
            &ty,
            "e",
            r#"{"title":"\"Q\" }","data":{"a":"x,\"y\":","rel":"r1","rels":["r2","no id!","r3"],
            "seo":{"rel":"r4"},"z":null}}"#,
        );
        let variant = doc.variant(None);
        let text = |span: Span| String::from_utf8_lossy(variant.bytes(span)).into_owned();
        assert_eq!(variant.title(), br#""\"Q\" }""#);
        let values =
            ["\"x,\\\"y\\\":\"", "", "\"r1\"", "[\"r2\",\"r3\"]", "{\"rel\":\"r4\"}", "null"];
        for (place, (field, value)) in ty.data_fields().zip(values).enumerate() {
            assert_eq!(text(variant.field_span(place)), value, "{}", field.name);
            let member = variant.member_span(place);
            if value.is_empty() {
                assert!(member.start >= member.end, "{}", field.name);
            } else {
                assert_eq!(text(member), format!("\"{}\":{value}", field.name));
            }
        }
        assert!(text(variant.head()).ends_with("\"data\":{"));
        let whole = format!("{{\"data\":{}}}", text(variant.entry()));
        assert_eq!(whole.as_bytes(), &*variant.body);
        let links: Vec<_> = variant
            .links
            .iter()
            .map(|it| (text(Span { start: it.start, end: it.end }), it.target, it.many))
            .collect();
        let link = |text: &str, target, many| (text.to_string(), target, many);
        assert_eq!(
            links,
            [link("\"r1\"", 0, false), link("[\"r2\",\"r3\"]", 1, true), link("\"r4\"", 0, false)]
        );
    }

    #[test]
    fn the_sum_tells_what_the_file_does_not_say() {
        let ty = content_type("posts", "{}");
        let facts = |modified: &str, now: &str| crate::model::entry::FileFacts {
            modified: Timestamp::parse(modified).unwrap(),
            now: Timestamp::parse(now).unwrap(),
        };
        let sums = |facts| {
            let file = br#"{"title":"T","status":"published","published_at":"2026-05-01"}"#;
            let file = Json::parse(file).unwrap();
            let id = EntryId::parse("e").unwrap();
            let entry = Entry::read(id, &ty, file, facts, &mut Vec::new());
            let doc = Doc::render(&ty, &entry, "");
            (doc.rev, doc.sum)
        };
        let before = sums(facts("2026-01-01", "2026-04-01"));
        for later in [facts("2026-01-01", "2026-06-01"), facts("2026-01-02", "2026-04-01")] {
            let after = sums(later);
            assert_eq!(before.0, after.0);
            assert_ne!(before.1, after.1);
        }
    }
}
