//! Cache tags: the names by which a cache in front of the server can throw away answers that have
//! changed, and no others.
//!
//! An answer names what it shows, never what it hides. What changes for an anonymous reader, as
//! `sync` tells it, names what has to go: hidden entries that appear change the lists of their type
//! and the entries that link to them, which are told by themselves.

use std::collections::BTreeSet;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::content::entries::EffortResult;
use crate::app::content::entries::find_visible;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::query::execute::entry_mentions;
use crate::query::execute::executor;
use crate::query::execute::executor::Effort;
use crate::query::execute::media_uses::MediaUrlFinder;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::inventory::section::SectionChange;
use crate::query::inventory::section::SectionKind;
use crate::query::render::entry_writer::EntryWriter;
use crate::query::request::list_query;
use crate::query::request::list_query::ListQuery;
use crate::query::request::list_query::Shape;
use crate::query::request::params::QueryParams;
use crate::stdx::checksum::Checksum;
use crate::stdx::url_encoding::encode_segment;

/// The most bytes of the tags of an answer. If they would be more, they name no entries.
const TAGS_BYTES_MAX: usize = 8_000;

/// The most tags of what changed. If they would be more, everything has to go.
const PURGED_MAX: usize = 1_000;

/// The memory for tags of lists.
const KEPT_BYTES: u64 = 4 * 1024 * 1024;

/// Tags, each without spaces and commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheTags(Arc<[String]>);

/// The tags of lists that were asked for lately.
pub struct KeptTags(Cache<Checksum, CacheTags, TagsWeighter>);

#[derive(Clone)]
struct TagsWeighter;

impl Weighter<Checksum, CacheTags> for TagsWeighter {
    fn weight(&self, _: &Checksum, tags: &CacheTags) -> u64 {
        (tags.count_bytes() + 64) as u64
    }
}

impl Default for KeptTags {
    fn default() -> KeptTags {
        KeptTags(Cache::with_weighter(1_024, KEPT_BYTES, TagsWeighter))
    }
}

impl CacheTags {
    /// Returns the tags of an answer that shows one entry, found by its id or slug.
    pub fn of_entry(
        snapshot: &Snapshot,
        caller: &Caller,
        type_name: &str,
        identifier: &str,
        params: &QueryParams,
    ) -> Result<CacheTags> {
        let (place, index) = content_types::find(snapshot, caller, type_name)?;
        let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
        let shape = Shape::parse(&view, &index.content_type, params).map_err(Error::invalid)?.0;
        let ordinal = find_visible(&view, caller, place, identifier)?;
        let mut tags = AnswerTags::new(snapshot);
        // Another entry that gets this name is shown here, too.
        tags.add_name(place, identifier);
        tags.add_shown(&view, &shape, place, &[ordinal]);
        Ok(tags.finish())
    }

    /// Returns the tags of a list with this entity tag, as far as `effort` allows.
    pub fn of_list(
        kept: &KeptTags,
        (snapshot, caller): (&Snapshot, &Caller),
        type_name: &str,
        (query, limit_max): (&str, usize),
        etag: Checksum,
        effort: Effort,
    ) -> Result<EffortResult<CacheTags>> {
        if let Some(known) = kept.0.get(&etag) {
            return Ok(EffortResult::Done(known));
        }
        let (place, index) = content_types::find(snapshot, caller, type_name)?;
        let params = QueryParams::parse(query).map_err(Error::bad_request)?;
        let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(&params));
        let asked = ListQuery::parse(&view, &index.content_type, &params, limit_max);
        let asked = asked.map_err(Error::invalid)?;
        let Ok(found) = executor::run_query(&view, place, &asked, effort) else {
            return Ok(EffortResult::NeedsEffort);
        };
        let mut tags = AnswerTags::new(snapshot);
        tags.add_list(place);
        if !asked.filters.is_empty() {
            // A filter may name a target by its slug.
            let targets = snapshot.relation_targets(place).iter().flatten();
            let known = targets.filter(|it| knows_type(&view, **it));
            known.for_each(|it| tags.add_list(*it));
        }
        tags.add_shown(&view, &asked.shape, place, &found.page);
        let tags = tags.finish();
        kept.0.insert(etag, tags.clone());
        Ok(EffortResult::Done(tags))
    }

    /// Returns the tags of an answer about something else than entries: media files, types, or
    /// anything.
    pub fn of_others(snapshot: &Snapshot, about: AnswerKind<'_>) -> CacheTags {
        let ws = snapshot.workspace.as_str();
        let own = match about {
            AnswerKind::Types => vec![format!("{ws}.types")],
            AnswerKind::MediaList => vec![format!("{ws}.media")],
            AnswerKind::File(name) => vec![tag_file(ws, name)],
            AnswerKind::Anything => vec![format!("{ws}.any")],
        };
        CacheTags([vec![ws.to_string()], own].concat().into())
    }

    /// Returns the tags of the answers to anonymous readers that these changes of what they see
    /// make stale.
    pub fn of_changes(snapshot: &Snapshot, changes: &[SectionChange]) -> CacheTags {
        let ws = snapshot.workspace.as_str();
        let mut found = BTreeSet::new();
        for change in changes {
            let names = change.gone.iter().chain(change.shown.iter().map(|(name, _)| name));
            let of = &change.key.type_name;
            match change.key.kind {
                SectionKind::Types => {
                    found.insert(format!("{ws}.types"));
                    found.extend(names.map(|it| format!("{ws}/{it}")));
                }
                SectionKind::Categories => {
                    found.insert(format!("{ws}.media"));
                }
                SectionKind::Media => {
                    found.insert(format!("{ws}.media"));
                    found.extend(names.map(|it| tag_file(ws, it)));
                }
                SectionKind::Entries => {
                    found.extend(["list", "many"].map(|it| format!("{ws}/{of}.{it}")));
                    found.extend(names.take(PURGED_MAX).map(|it| format!("{ws}/{of}/{it}")));
                    let index = snapshot.get(of);
                    // An entry that is hidden by now may have another slug by now, too.
                    for (name, _) in change.shown.iter().take(PURGED_MAX) {
                        let entry = index.and_then(|it| it.entry_at(it.find_ordinal(&**name)?));
                        found.extend(entry.map(|it| format!("{ws}/{of}/{}", tag_name(it.slug()))));
                    }
                }
            }
        }
        if found.len() >= PURGED_MAX {
            return CacheTags([ws.to_string()].into());
        }
        if !found.is_empty() {
            found.insert(format!("{ws}.any"));
        }
        CacheTags(found.into_iter().collect())
    }

    /// Returns the tags.
    pub fn list(&self) -> &[String] {
        &self.0
    }

    fn count_bytes(&self) -> usize {
        self.0.iter().map(|it| it.len() + 1).sum()
    }
}

/// The kinds of answers that show no entries.
#[derive(Clone, Copy, Debug)]
pub enum AnswerKind<'a> {
    /// Content types.
    Types,
    /// A list of media files.
    MediaList,
    /// A media file or its thumbnail.
    File(&'a str),
    /// Something that any change may change.
    Anything,
}

/// The tags of an answer, while they are collected.
struct AnswerTags<'s> {
    snapshot: &'s Snapshot,
    types: BTreeSet<usize>,
    lists: BTreeSet<usize>,
    names: BTreeSet<String>,
    names_bytes: usize,
    /// The search for media files, if the answer shows what is known of them.
    files: Option<MediaUrlFinder>,
    /// True if the answer has the addresses of entries that texts link to.
    has_links: bool,
    /// The types of these entries.
    linked: BTreeSet<usize>,
}

impl<'s> AnswerTags<'s> {
    fn new(snapshot: &'s Snapshot) -> AnswerTags<'s> {
        let (types, lists) = (BTreeSet::new(), BTreeSet::new());
        let (names, names_bytes) = (BTreeSet::new(), 0);
        AnswerTags {
            snapshot,
            types,
            lists,
            names,
            names_bytes,
            files: None,
            has_links: false,
            linked: BTreeSet::new(),
        }
    }

    /// Returns the tag of a type.
    fn tag_type(&self, place: usize) -> String {
        let name = self.snapshot.types().get(place).map(|it| it.content_type.name.as_str());
        format!("{}/{}", self.snapshot.workspace, name.unwrap_or_default())
    }

    /// Adds an id or a slug. Returns true if there is room for more.
    fn add_name(&mut self, place: usize, name: &str) -> bool {
        self.add_tag(format!("{}/{}", self.tag_type(place), tag_name(name)))
    }

    fn add_tag(&mut self, tag: String) -> bool {
        let bytes = tag.len() + 1;
        self.names_bytes += if self.names.insert(tag) { bytes } else { 0 };
        self.names_bytes < TAGS_BYTES_MAX
    }

    /// Adds an entry that is shown, with the files and the entries that it mentions.
    fn add_entry(&mut self, place: usize, id: &str) -> bool {
        let mut has_room = self.add_name(place, id);
        let Some(finder) = &self.files else { return has_room };
        let index = self.snapshot.types().get(place);
        let entry = index.and_then(|it| it.entry_at(it.find_ordinal(id)?));
        let renderings = || entry.iter().flat_map(|it| it.variants()).map(|it| it.body());
        let ws = self.snapshot.workspace.as_str();
        let mentions = renderings().flat_map(|it| finder.find_mentions(it));
        let mut tags: Vec<String> = mentions.map(|it| tag_file(ws, &it.name)).collect();
        if self.has_links {
            for link in renderings().flat_map(entry_mentions::find_mentions) {
                tags.push(format!("{ws}/{}/{}", link.type_name, tag_name(link.id)));
                self.linked.extend(self.snapshot.type_position(link.type_name));
            }
        }
        for tag in tags {
            has_room = self.add_tag(tag);
        }
        has_room
    }

    fn add_list(&mut self, place: usize) {
        self.lists.insert(place);
    }

    /// Adds the entries of a page and those that are expanded in them.
    fn add_shown(&mut self, view: &View<'_>, shape: &Shape, place: usize, page: &[Ordinal]) {
        self.types.insert(place);
        self.has_links = shape.html;
        if shape.is_rewritten() {
            self.files = Some(MediaUrlFinder::for_workspace(&self.snapshot.workspace));
        }
        shape.include.visit_targets(&mut |it| {
            if knows_type(view, it) {
                self.types.insert(it);
            }
        });
        let Some(writer) = EntryWriter::new(view, shape, place) else { return };
        writer.visit_shown(page, &mut |place, id| self.add_entry(place, id));
    }

    fn finish(self) -> CacheTags {
        let mut tags = vec![self.snapshot.workspace.to_string()];
        tags.extend(self.types.iter().map(|it| self.tag_type(*it)));
        tags.extend(self.lists.iter().map(|it| format!("{}.list", self.tag_type(*it))));
        if self.names_bytes < TAGS_BYTES_MAX {
            tags.extend(self.names);
        } else {
            let types = self.types.union(&self.linked);
            tags.extend(types.map(|it| format!("{}.many", self.tag_type(*it))));
            tags.extend(self.files.map(|_| format!("{}.media", self.snapshot.workspace)));
        }
        CacheTags(tags.into())
    }
}

/// Returns true if the reader may know of a type, so that tags may name it.
fn knows_type(view: &View<'_>, place: usize) -> bool {
    view.snapshot.types().get(place).is_some_and(|it| view.knows_type(it))
}

/// Returns an id or a slug as it stands in tags. One that is not short and plain, as only hand-made
/// files have, is told by its checksum.
fn tag_name(name: &str) -> String {
    const PLAIN_BYTES_MAX: usize = 100;
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
    if name.len() <= PLAIN_BYTES_MAX && name.bytes().all(is_plain) {
        return name.to_string();
    }
    format!("sum-{}", Checksum::of_bytes(name.as_bytes()))
}

fn tag_file(ws: &str, name: &str) -> String {
    format!("{ws}.media/{}", encode_segment(name)).replace(',', "%2C")
}
