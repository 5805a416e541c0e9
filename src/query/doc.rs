//! An entry as readers get it: finished JSON per locale, and what lookups and orders need beside.

use std::cell::Cell;
use std::sync::Arc;

use bytes::Bytes;

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::Status;
use crate::model::field::Field;
use crate::model::field::Link;
use crate::model::field::Show;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json::write_string;
use crate::stdx::sum::Sum;
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
        Doc {
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
            default: render(ty.default_locale.as_ref()),
            others: others.into_iter().map(|it| render(Some(it))).collect(),
            by_locale,
        }
    }

    /// The rendering for a locale of the type by its place, or for reads without a locale.
    pub fn variant(&self, locale: Option<usize>) -> &Variant {
        let index = locale.and_then(|it| self.by_locale.get(it)).copied().unwrap_or(0);
        let other = usize::from(index).checked_sub(1).and_then(|it| self.others.get(it));
        other.unwrap_or(&self.default)
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

    /// The sum of what readers see of the entry: with the file's content what it is not in there, like
    /// its id and the dates of a file that names none.
    pub fn sum(&self) -> Sum {
        self.rev.plus(self.default.sum)
    }

    /// Bytes held in memory, without the allocator's own.
    pub fn memory_bytes(&self) -> usize {
        let variants = std::iter::once(&self.default).chain(&self.others);
        let variants: usize = variants.map(Variant::memory_bytes).sum();
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

/// The values of an entry that one locale sees, nearest first.
struct Resolved<'a> {
    layers: Vec<(Option<&'a str>, &'a Map)>,
    root: &'a Entry,
}

impl<'a> Resolved<'a> {
    fn new(ty: &ContentType, entry: &'a Entry, locale: Option<&LocaleCode>) -> Resolved<'a> {
        let mut layers = Vec::with_capacity(2);
        for code in [locale, ty.default_locale.as_ref()].into_iter().flatten() {
            if ty.root_locale.as_ref() == Some(code) {
                break;
            }
            if let Some(translation) = entry.translation(code.as_str()) {
                layers.push((translation.title.as_deref(), &translation.data));
            }
        }
        Resolved { layers, root: entry }
    }

    fn title(&self) -> &'a str {
        let own = self.layers.iter().find_map(|(title, _)| *title);
        own.unwrap_or(self.root.title.as_str())
    }

    /// The field's value: the nearest one that is not empty, else what the root has.
    fn value(&self, field: &Field) -> Option<&'a Json> {
        let name = field.name.as_str();
        let layers = self.layers.iter().filter(|_| field.localized);
        let own = layers.filter_map(|(_, data)| data.get(name)).find(|it| !it.is_empty());
        own.or_else(|| self.root.data.get(name))
    }
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
    let title = head(ty, entry, values.title(), locale, &mut show.out);
    let data_start = span(0, show.out.len()).end;
    let fields = data(ty, &values, &mut show);
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
fn data(ty: &ContentType, values: &Resolved<'_>, show: &mut Show<'_>) -> Box<[Span]> {
    let mut spans = Vec::with_capacity(ty.fields.len());
    let mut first = true;
    for field in ty.data_fields() {
        let Some(value) = values.value(field) else {
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
