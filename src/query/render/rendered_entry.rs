//! The rendered entry: finished JSON for each locale, and the values that lookups and orders need.

use std::cell::Cell;
use std::cmp::Ordering;

use bytes::Bytes;

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::EntryStatus;
use crate::model::entry::LocalizedEntry;
use crate::model::entry::Publication;
use crate::model::entry::ScheduledChange;
use crate::model::entry::Translation;
use crate::model::field::Field;
use crate::model::field::RelationLink;
use crate::model::field::ValueWriter;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::query::render::entry_texts::NameHashes;
use crate::query::render::entry_texts::TextSpans;
use crate::query::render::span_table::BodySpan;
use crate::query::render::span_table::OffsetWidth;
use crate::stdx::byte_compare::are_equal;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;
use crate::stdx::json_text::write_string;
use crate::stdx::time::Timestamp;

/// The bytes before an entry in its finished body.
pub const BODY_HEAD: &[u8] = b"{\"data\":";

/// The bytes after it.
pub const BODY_TAIL: &[u8] = b"}";

/// An entry in memory. Stored values are not kept: they are in the file.
#[derive(Clone, Debug)]
pub struct RenderedEntry {
    /// The status.
    pub status: EntryStatus,
    /// True if it becomes `published` at its time (see [`Entry::becomes_published`]).
    pub becomes_published: bool,
    /// The time of publication, past or future.
    pub published_at: Option<Timestamp>,
    /// The time from which on it is no longer public.
    pub unpublish_at: Option<Timestamp>,
    /// The time of creation.
    pub created_at: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
    /// The checksum of the file's content.
    pub rev: Checksum,
    /// The checksum of the file's content and of all renderings, which contain values that are not
    /// in the file: times that the file leaves open, and a status that changes with time.
    pub sum: Checksum,
    /// The places of the id and other texts in the default rendering.
    pub(super) texts: TextSpans,
    /// The hashes of the id and the slug.
    pub(in crate::query) hashes: NameHashes,
    /// The rendering for reads without a locale, and for locales that the entry does not have.
    pub(super) default: Variant,
    /// The parts that most entries do not have.
    pub(super) extra: Option<Box<ExtraParts>>,
}

/// The renderings of an entry for other locales than the default, and its former slugs.
#[derive(Clone, Debug, Default)]
pub(super) struct ExtraParts {
    pub(super) variants: Box<[Variant]>,
    /// The rendering for each locale of the type: 0 for the default, n for the n-th of `variants`.
    /// Empty if there are no `variants`.
    pub(super) by_locale: Box<[u8]>,
    pub(super) former_slugs: Box<[Box<str>]>,
}

/// An entry's finished public JSON in one locale.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The body, the table of fields and links, and texts that differ from their JSON.
    pub(super) block: Bytes,
    pub(super) shared: SharedPlace,
    /// The checksum of the body.
    pub sum: Checksum,
    pub(super) body_end: u32,
    pub(super) title: BodySpan,
    /// The offset at which the members of `data` begin.
    pub(super) data: u32,
    pub(super) n_fields: u32,
    pub(super) n_links: u32,
}

/// The place of a rendering in a shared block; without length if its block is its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SharedPlace {
    /// The offset in the shared block.
    pub(super) start: u32,
    /// The length of the shared block.
    pub(super) bytes: u32,
}

/// The identity of a shared block, valid as long as one of its entries exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SharedBlock {
    address: usize,
    pub(super) bytes: u32,
}

impl RenderedEntry {
    /// Renders an entry. `media_base` is the prefix of filenames in URLs and ends with `/`.
    pub fn render(ty: &ContentType, entry: &Entry, media_base: &str) -> RenderedEntry {
        let (others, by_locale) = plan_locales(ty, entry);
        let render = |locale| render_variant(ty, entry, locale, media_base);
        let (default, texts) = render(ty.default_locale.as_ref());
        let others: Box<[Variant]> = others.into_iter().map(|it| render(Some(it)).0).collect();
        let mut sum = ChecksumBuilder::new();
        sum.add_number(entry.sum.0).add_number(default.sum.0);
        others.iter().for_each(|it| _ = sum.add_number(it.sum.0));
        let former_slugs = entry.former_slugs.iter().map(|it| it.as_str().into()).collect();
        let extra = ExtraParts::new(others, by_locale, former_slugs);
        RenderedEntry {
            sum: sum.finish(),
            status: entry.status,
            becomes_published: entry.becomes_published,
            published_at: entry.published_at,
            unpublish_at: entry.unpublish_at,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            rev: entry.sum,
            hashes: NameHashes::compute(&texts, &default.block),
            texts,
            default,
            extra,
        }
    }

    /// Returns the id.
    pub fn id(&self) -> &str {
        self.default.slice_text(self.texts.id)
    }

    /// Returns the id as a name of its own.
    pub fn to_id(&self) -> EntryId {
        EntryId::parse(self.id()).expect("it was an id when the entry was rendered")
    }

    /// Compares the ids of two entries.
    pub fn compare_ids(&self, other: &RenderedEntry) -> Ordering {
        self.id_bytes().cmp(other.id_bytes())
    }

    /// Returns true if this is its id.
    pub fn has_id(&self, id: impl AsRef<[u8]>) -> bool {
        are_equal(self.id_bytes(), id.as_ref())
    }

    /// Returns the id as bytes.
    pub(crate) fn id_bytes(&self) -> &[u8] {
        self.texts.id.slice_of(&self.default.block)
    }

    /// Returns the slug, even if another entry owns it.
    pub fn slug(&self) -> &str {
        self.default.slice_text(self.texts.slug)
    }

    /// Returns true if this is its slug.
    pub fn has_slug(&self, slug: &str) -> bool {
        are_equal(self.texts.slug.slice_of(&self.default.block), slug.as_bytes())
    }

    /// Iterates over the slugs that it had while it was public, oldest first.
    pub fn former_slugs(&self) -> impl Iterator<Item = &str> {
        self.extra.iter().flat_map(|it| &it.former_slugs).map(|it| &**it)
    }

    /// Returns the id of the author.
    pub fn author_id(&self) -> Option<&str> {
        self.optional_text(self.texts.author_id)
    }

    /// Returns the id of the user who changed it last.
    pub fn updated_by(&self) -> Option<&str> {
        self.optional_text(self.texts.updated_by)
    }

    fn optional_text(&self, span: BodySpan) -> Option<&str> {
        (span != BodySpan::default()).then(|| self.default.slice_text(span))
    }

    /// Returns the rendering for a locale of the type by its position, or for reads without a
    /// locale.
    pub fn variant_for(&self, locale: Option<usize>) -> &Variant {
        let of_locale = |extra: &'_ ExtraParts| {
            let number = extra.by_locale.get(locale?).copied()?;
            usize::from(number).checked_sub(1)
        };
        let Some(extra) = &self.extra else { return &self.default };
        let other = of_locale(extra).and_then(|it| extra.variants.get(it));
        other.unwrap_or(&self.default)
    }

    /// Returns true if it has values of its own in a locale of the type other than the default, by
    /// its position.
    pub fn has_locale(&self, locale: usize) -> bool {
        let numbers = self.extra.as_ref().map(|it| &it.by_locale);
        numbers.and_then(|it| it.get(locale)).is_some_and(|it| *it > 0)
    }

    /// Iterates over all renderings.
    pub(crate) fn variants(&self) -> impl Iterator<Item = &Variant> {
        let others = self.extra.iter().flat_map(|it| &it.variants);
        std::iter::once(&self.default).chain(others)
    }

    pub(super) fn variants_mut(&mut self) -> impl Iterator<Item = &mut Variant> {
        let others = self.extra.iter_mut().flat_map(|it| &mut it.variants);
        std::iter::once(&mut self.default).chain(others)
    }

    /// Returns the block that its renderings share with those of other entries.
    pub(crate) fn shared_block(&self) -> Option<SharedBlock> {
        let SharedPlace { start, bytes } = self.default.shared;
        let address = self.default.block.as_ptr().addr().wrapping_sub(start as usize);
        (bytes > 0).then_some(SharedBlock { address, bytes })
    }

    /// Returns the size of the renderings in memory.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.variants().map(|it| it.block.len()).sum()
    }

    /// Returns true if everyone may read it at `now`.
    pub fn is_public(&self, now: Timestamp) -> bool {
        self.publication_state().is_public(now)
    }

    /// Iterates over its scheduled changes and their times.
    pub fn scheduled_turns(&self) -> impl Iterator<Item = (Timestamp, ScheduledChange)> {
        self.publication_state().scheduled_changes()
    }

    /// Returns true if it ends before it begins, so that it is never public.
    pub fn is_reversed(&self) -> bool {
        self.publication_state().is_reversed()
    }

    fn publication_state(&self) -> Publication {
        let RenderedEntry { status, published_at, unpublish_at, .. } = *self;
        Publication { status, published_at, unpublish_at }
    }
}

impl ExtraParts {
    /// Returns the parts, unless there are none.
    pub(super) fn new(
        variants: Box<[Variant]>,
        by_locale: Box<[u8]>,
        former_slugs: Box<[Box<str>]>,
    ) -> Option<Box<ExtraParts>> {
        let by_locale = if variants.is_empty() { Box::default() } else { by_locale };
        let is_empty = variants.is_empty() && former_slugs.is_empty();
        (!is_empty).then(|| Box::new(ExtraParts { variants, by_locale, former_slugs }))
    }
}

impl Variant {
    /// Returns everything that is kept of it.
    pub(crate) fn memory(&self) -> &[u8] {
        &self.block
    }

    /// Moves it to a block that has the same bytes at this place.
    pub(super) fn move_to(&mut self, block: &Bytes, place: SharedPlace) {
        let start = place.start as usize;
        self.block = block.slice(start..start + self.block.len());
        self.shared = place;
    }

    /// Returns the response body `{"data":{…}}`, sent unchanged if every relation target is
    /// visible.
    pub fn body(&self) -> &[u8] {
        self.block.get(..self.body_end as usize).unwrap_or_default()
    }

    /// Returns the response body as bytes of its own, which share their memory with the rendering.
    pub fn share_body(&self) -> Bytes {
        self.block.slice(..self.body_end as usize)
    }

    /// Iterates over the relations inside, by offset.
    pub fn links(&self) -> impl ExactSizeIterator<Item = RelationLink> + '_ {
        self.links_from(0)
    }

    /// Iterates over the relations from the one at this position on. Those before it are not read.
    pub fn links_from(&self, position: usize) -> impl ExactSizeIterator<Item = RelationLink> + '_ {
        let width = self.offset_width();
        let start = self.table_start() + self.count_fields() * width.span_bytes();
        let end = start + self.count_links() * width.link_bytes();
        let start = start + position.min(self.count_links()) * width.link_bytes();
        let table = self.block.get(start..end).unwrap_or_default();
        table.chunks_exact(width.link_bytes()).map(move |it| width.read_link(it))
    }

    /// Returns the number of relations inside.
    pub fn count_links(&self) -> usize {
        self.n_links as usize
    }

    /// Returns true if the body is that of an entry: what stands around its object is there.
    pub(super) fn has_whole_body(&self) -> bool {
        let inner =
            self.block.get(..self.body_end as usize).and_then(|it| it.strip_prefix(BODY_HEAD));
        inner.is_some_and(|it| it.ends_with(BODY_TAIL)) && self.data as usize >= BODY_HEAD.len()
    }

    /// Returns the span of the entry's JSON object, which lists contain.
    pub fn entry_span(&self) -> BodySpan {
        build_span(BODY_HEAD.len(), self.body().len() - BODY_TAIL.len())
    }

    /// Returns the span of the entry's own keys, from its brace to that of `data`.
    pub fn head_span(&self) -> BodySpan {
        BodySpan { start: self.entry_span().start, end: self.data }
    }

    /// Returns the bytes of a span.
    pub fn slice_bytes(&self, span: BodySpan) -> &[u8] {
        span.slice_of(self.body())
    }

    /// Returns the JSON text of the title.
    pub fn title_json(&self) -> &[u8] {
        self.title.slice_of(self.body())
    }

    /// Returns the JSON text of the data field at this position; empty if the entry has none.
    pub fn field_json(&self, index: usize) -> &[u8] {
        self.field_span(index).slice_of(self.body())
    }

    /// Returns the span of the value of the data field at this position.
    pub fn field_span(&self, index: usize) -> BodySpan {
        if index >= self.count_fields() {
            return BodySpan::default();
        }
        let width = self.offset_width();
        let start = self.table_start() + index * width.span_bytes();
        self.block.get(start..).map(|it| width.read_span(it)).unwrap_or_default()
    }

    /// Returns the number of data fields of the type.
    pub fn count_fields(&self) -> usize {
        self.n_fields as usize
    }

    /// Returns the span of the data field at this position with its key: `"key":value`.
    pub fn member_span(&self, index: usize) -> BodySpan {
        let value = self.field_span(index);
        // A member begins after the comma that follows the previous one, or at the start of `data`.
        let ends = (0..self.count_fields()).map(|it| self.field_span(it).end);
        let before = ends.filter(|it| self.data < *it && *it < value.start).max();
        BodySpan { start: before.map_or(self.data, |it| it + 1), end: value.end }
    }

    /// Returns the offset of the table of fields and links.
    fn table_start(&self) -> usize {
        self.body_end as usize
    }

    /// Returns true if the table is within the block.
    pub(super) fn has_whole_table(&self) -> bool {
        let width = self.offset_width();
        let fields = self.count_fields().checked_mul(width.span_bytes());
        let links = self.count_links().checked_mul(width.link_bytes());
        let end = fields
            .zip(links)
            .and_then(|(fields, links)| self.table_start().checked_add(fields)?.checked_add(links));
        end.is_some_and(|it| it <= self.block.len())
    }

    /// Returns the width of the offsets in the table.
    fn offset_width(&self) -> OffsetWidth {
        OffsetWidth::of_body(self.body_end)
    }

    /// Returns a text of the block.
    fn slice_text(&self, span: BodySpan) -> &str {
        std::str::from_utf8(span.slice_of(&self.block)).unwrap_or_default()
    }
}

/// An entry with everything that its file says in the locales of its type, and with filenames
/// instead of URLs, for the admin API. Rendered on demand.
pub struct AdminRendering {
    /// The values resolved for one locale.
    pub seen: Variant,
    /// The values of each translation, with the position of its locale in the type.
    pub translations: Vec<(usize, Variant)>,
}

impl AdminRendering {
    /// Renders an entry for a locale of the type by its position, or for reads without a locale.
    pub fn render(ty: &ContentType, entry: &Entry, locale: Option<usize>) -> AdminRendering {
        let asked = locale.and_then(|it| ty.locales.get(it));
        let (seen, _) = render_variant(ty, entry, asked.or(ty.default_locale.as_ref()), "");
        let is_root = |code: &LocaleCode| ty.root_locale.as_ref() == Some(code);
        let others = ty.locales.iter().enumerate().filter(|(_, code)| !is_root(code));
        let own = others.filter_map(|(place, code)| Some((place, entry.find_translation(code)?)));
        let translations = own.map(|(place, it)| (place, render_translation(ty, it))).collect();
        AdminRendering { seen, translations }
    }
}

/// Renders a translation: `title`, unless all locales share it, and the members of `data`.
fn render_translation(ty: &ContentType, translation: &Translation) -> Variant {
    let mut show = ValueWriter {
        out: Vec::new(),
        media_base: "",
        links: Vec::new(),
        targets: &ty.relation_targets,
    };
    show.out.extend_from_slice(BODY_HEAD);
    show.out.push(b'{');
    let mut title = BodySpan::default();
    if ty.fields.get("title").is_none_or(|it| it.localized) {
        show.out.extend_from_slice(b"\"title\":");
        let start = show.out.len();
        match &translation.title {
            Some(text) => write_string(text, &mut show.out),
            None => show.out.extend_from_slice(b"null"),
        }
        title = build_span(start, show.out.len());
        show.out.push(b',');
    }
    show.out.extend_from_slice(b"\"data\":{");
    let data_start = build_span(0, show.out.len()).end;
    // Empty values of a translation are read from elsewhere.
    let own = |field: &Field| {
        let value = translation.data.get(field.name.as_str());
        value.filter(|it| field.localized && !it.is_empty())
    };
    let fields = write_data(ty, own, &mut show);
    let ValueWriter { mut out, links, .. } = show;
    let mut variant = seal_body(&mut out, title, data_start, &fields, &links);
    variant.block = Bytes::from(out);
    variant
}

/// Returns the locales to render besides the default, and for each locale of the type the number of
/// its rendering.
fn plan_locales<'t>(ty: &'t ContentType, entry: &Entry) -> (Vec<&'t LocaleCode>, Box<[u8]>) {
    let mut rendered = Vec::new();
    let mut by_locale = Vec::with_capacity(ty.locales.len());
    for locale in &ty.locales {
        let is_default = ty.default_locale.as_ref() == Some(locale);
        let is_root = ty.root_locale.as_ref() == Some(locale);
        let own = is_root || entry.find_translation(locale.as_str()).is_some();
        // Numbers fit 255 locales, more than anybody writes; further ones read as the default.
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

fn render_variant(
    ty: &ContentType,
    entry: &Entry,
    locale: Option<&LocaleCode>,
    media_base: &str,
) -> (Variant, TextSpans) {
    let values = LocalizedEntry::new(ty, entry, locale);
    let targets = &ty.relation_targets;
    let mut show = ValueWriter { out: SCRATCH.take(), media_base, links: Vec::new(), targets };
    show.out.extend_from_slice(BODY_HEAD);
    let (title, texts) = write_head(ty, entry, values.title(ty), locale, &mut show.out);
    let data_start = build_span(0, show.out.len()).end;
    let fields = write_data(ty, |field| values.get_value(field), &mut show);
    let ValueWriter { mut out, links, .. } = show;
    let mut variant = seal_body(&mut out, title, data_start, &fields, &links);
    let texts = texts.append_escaped(entry, &mut out);
    variant.block = Bytes::copy_from_slice(&out);
    out.clear();
    SCRATCH.set(out);
    (variant, texts)
}

/// Closes the body in `out` and appends its table. The rendering that is returned has no block yet.
fn seal_body(
    out: &mut Vec<u8>,
    title: BodySpan,
    data: u32,
    fields: &[BodySpan],
    links: &[RelationLink],
) -> Variant {
    out.extend_from_slice(b"}}");
    out.extend_from_slice(BODY_TAIL);
    let (sum, body_end) = (Checksum::of_bytes(out), build_span(0, out.len()).end);
    OffsetWidth::of_body(body_end).append_table(out, fields, links);
    let count = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let (n_fields, n_links) = (count(fields.len()), count(links.len()));
    let (block, shared) = (Bytes::new(), SharedPlace::default());
    Variant { block, shared, sum, body_end, title, data, n_fields, n_links }
}

impl TextSpans {
    /// Appends the texts that differ from their JSON, and returns their places there.
    fn append_escaped(self, entry: &Entry, out: &mut Vec<u8>) -> TextSpans {
        let mut place = |span: BodySpan, text: &str| {
            // Escapes only ever make a text longer.
            if span.slice_of(out).len() == text.len() {
                return span;
            }
            let start = out.len();
            out.extend_from_slice(text.as_bytes());
            build_span(start, out.len())
        };
        TextSpans {
            id: place(self.id, &entry.id),
            slug: place(self.slug, &entry.slug),
            author_id: entry
                .author_id
                .as_ref()
                .map_or(self.author_id, |it| place(self.author_id, it)),
            updated_by: entry
                .updated_by
                .as_ref()
                .map_or(self.updated_by, |it| place(self.updated_by, it)),
        }
    }
}

thread_local! {
    /// The buffer in which bodies are written before they are copied to memory of their exact size.
    /// Thousands are rendered in a row, and a buffer that has grown large must not stay forever.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Appends the entry's own keys up to the opening of `data`. Returns the span of the title, and the
/// spans of other texts without their quotes.
fn write_head(
    ty: &ContentType,
    entry: &Entry,
    title: &str,
    locale: Option<&LocaleCode>,
    out: &mut Vec<u8>,
) -> (BodySpan, TextSpans) {
    let mut texts = TextSpans {
        id: write_text_member(out, b"{\"id\":", entry.id.as_str()),
        slug: write_text_member(out, b",\"slug\":", &entry.slug),
        ..TextSpans::default()
    };
    write_text_member(out, b",\"type\":", ty.name.as_str());
    write_text_member(out, b",\"status\":", entry.status.as_str());
    out.extend_from_slice(b",\"title\":");
    let start = out.len();
    write_string(title, out);
    let title = build_span(start, out.len());
    match entry.published_at {
        Some(at) => _ = write_text_member(out, b",\"published_at\":", &at.to_string()),
        None => out.extend_from_slice(b",\"published_at\":null"),
    }
    if let Some(at) = entry.unpublish_at {
        write_text_member(out, b",\"unpublish_at\":", &at.to_string());
    }
    write_text_member(out, b",\"created_at\":", &entry.created_at.to_string());
    write_text_member(out, b",\"updated_at\":", &entry.updated_at.to_string());
    if let Some(author) = &entry.author_id {
        texts.author_id = write_text_member(out, b",\"author_id\":", author);
    }
    if let Some(by) = &entry.updated_by {
        texts.updated_by = write_text_member(out, b",\"updated_by\":", by);
    }
    if let Some(locale) = locale {
        write_text_member(out, b",\"locale\":", locale.as_str());
    }
    out.extend_from_slice(b",\"data\":{");
    (title, texts)
}

/// Appends a member, and returns the span of its text without the quotes.
fn write_text_member(out: &mut Vec<u8>, key: &[u8], text: &str) -> BodySpan {
    out.extend_from_slice(key);
    let start = out.len();
    write_string(text, out);
    build_span(start + 1, out.len() - 1)
}

/// Appends the members of `data`. Returns the span of each field's value.
fn write_data<'v>(
    ty: &ContentType,
    value_of: impl Fn(&Field) -> Option<&'v Json>,
    show: &mut ValueWriter<'_>,
) -> Vec<BodySpan> {
    let mut spans = Vec::with_capacity(ty.fields.len());
    let mut first = true;
    for field in ty.data_fields() {
        let Some(value) = value_of(field) else {
            spans.push(BodySpan::default());
            continue;
        };
        if !first {
            show.out.push(b',');
        }
        first = false;
        write_string(field.name.as_str(), &mut show.out);
        show.out.push(b':');
        let start = show.out.len();
        field.kind.write_shown(value, show);
        spans.push(build_span(start, show.out.len()));
    }
    spans
}

/// Builds a span. Bodies are far below 4 GiB: files are at most 8 MiB.
fn build_span(start: usize, end: usize) -> BodySpan {
    let offset = |it| u32::try_from(it).unwrap_or(u32::MAX);
    BodySpan { start: offset(start), end: offset(end) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;
    use crate::stdx::json::Map;

    /// Returns `title|text|shared|locale` of an entry in a locale by its position.
    fn read(doc: &RenderedEntry, locale: Option<usize>) -> String {
        let json = Json::parse(doc.variant_for(locale).body()).unwrap();
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
        // The root locale is no longer offered.
        check(
            "en",
            "it",
            file,
            ["T|root|s|en", "T|root|s|en", "Titel|deutsch|s|de", "T|root|s|fr"],
        );
        // A value that the root lacks comes from the default too.
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
        // A locale without own values reads as the default, and says so.
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
        let variant = doc.variant_for(None);
        let text = |span: BodySpan| String::from_utf8_lossy(variant.slice_bytes(span)).into_owned();
        assert_eq!(variant.title_json(), br#""\"Q\" }""#);
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
        assert!(text(variant.head_span()).ends_with("\"data\":{"));
        let whole = format!("{{\"data\":{}}}", text(variant.entry_span()));
        assert_eq!(whole.as_bytes(), variant.body());
        let links: Vec<_> = variant
            .links()
            .map(|it| (text(BodySpan { start: it.start, end: it.end }), it.target, it.many))
            .collect();
        let link = |text: &str, target, many| (text.to_string(), target, many);
        assert_eq!(
            links,
            [link("\"r1\"", 0, false), link("[\"r2\",\"r3\"]", 1, true), link("\"r4\"", 0, false)]
        );
    }

    #[test]
    fn links_are_read_from_any_position() {
        let many = r#"{"fields":{"r":{"type":"relation","target":"t","multiple":true},
            "s":{"type":"relation","target":"t"},"u":{"type":"relation","target":"t"}}}"#;
        let ty = content_type("posts", many);
        let doc = doc(&ty, "e", r#"{"title":"T","data":{"r":["a","b"],"s":"c","u":"d"}}"#);
        let variant = doc.variant_for(None);
        assert_eq!(variant.count_links(), 3);
        for position in 0..5 {
            let rest: Vec<u32> = variant.links_from(position).map(|it| it.start).collect();
            let expect: Vec<u32> = variant.links().skip(position).map(|it| it.start).collect();
            assert_eq!(rest, expect, "{position}");
        }
    }

    #[test]
    fn texts_are_as_the_file_says_whatever_json_escapes() {
        let ty = content_type("posts", "{}");
        let check = |author: &str, expect: Option<&str>| {
            let file = format!(r#"{{"title":"T","slug":"s-1","author_id":{author}}}"#);
            let doc = doc(&ty, "e", &file);
            assert_eq!((doc.id(), doc.slug(), doc.author_id()), ("e", "s-1", expect));
            assert!(doc.has_id("e") && doc.has_slug("s-1") && !doc.has_slug("s"));
            assert_eq!((doc.to_id().as_str(), doc.updated_by()), ("e", None));
            assert!(doc.variant_for(None).body().ends_with(b"\"data\":{}}}"));
        };
        check(r#""u-1""#, Some("u-1"));
        check(r#""a \"quoted\" \\ name""#, Some(r#"a "quoted" \ name"#));
        check("null", None);
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
            let doc = RenderedEntry::render(&ty, &entry, "");
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
