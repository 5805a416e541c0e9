//! The sitemap: the pages of all public entries whose types have a `feed`, in parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::access::Caller;
use crate::app::content::entry_links::fill_page_url;
use crate::model::content_type::feed::FeedSettings;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::time::Timestamp;

/// The most pages of a part, which the protocol of sitemaps sets.
const PART_PAGES_MAX: usize = 50_000;

/// The most bytes of a part, unless a page alone has more. The protocol allows 50 MB, but what
/// anybody may ask for should be small enough to be kept. 50,000 pages without translations fit.
pub(crate) const PART_BYTES_MAX: usize = 12 * 1024 * 1024;

/// The most bytes of a page in a part, without addresses.
const PAGE_BYTES: usize = 80;

/// The most bytes of the link to a translation of a page, without its locale and its address.
const LINK_BYTES: usize = 60;

/// A part of the sitemap.
pub struct SitemapPart {
    /// The pages; none if there is no such part.
    pub pages: Vec<SitemapPage>,
    /// The number of all parts, which is at least 1.
    pub n_parts: usize,
}

/// A page of the sitemap.
pub struct SitemapPage {
    /// The address.
    pub url: String,
    /// The time of the last change.
    pub updated: Timestamp,
    /// The addresses of the same entry in all its locales, this one included; empty if there is one
    /// address only.
    pub alternates: Arc<BTreeMap<String, String>>,
}

/// Collects a part of the sitemap that the caller sees. The first part is 1.
pub fn collect_sitemap(snapshot: &Snapshot, caller: &Caller, part: usize) -> SitemapPart {
    let (mut counter, mut pages) = (PartCounter::default(), Vec::new());
    for (place, index) in snapshot.types().iter().enumerate() {
        let Some(settings) = &index.content_type.feed else { continue };
        let pages_of_type = TypePages::new(snapshot, caller, (place, index), settings);
        let plain = View::new(snapshot, caller.viewer(), None);
        for ordinal in index.public().iter().filter(|it| plain.sees_entry(place, *it)) {
            pages_of_type.add_pages(ordinal, part, &mut counter, &mut pages);
        }
    }
    SitemapPart { pages, n_parts: counter.n_full + 1 }
}

/// Returns the number of parts of the sitemap that the caller sees.
pub fn count_parts(snapshot: &Snapshot, caller: &Caller) -> usize {
    // There is no such part, so no pages are collected.
    collect_sitemap(snapshot, caller, 0).n_parts
}

/// The parts up to a page. The pages of a part are counted, and their bytes are estimated, so that
/// no page has to be written to know its part.
#[derive(Default)]
struct PartCounter {
    /// The number of full parts.
    n_full: usize,
    /// The number of pages in the part behind them.
    n_pages: usize,
    /// The number of bytes in the same part.
    n_bytes: usize,
}

impl PartCounter {
    /// Counts a page with at most so many bytes, and returns the number of its part.
    fn add_page(&mut self, n_bytes: usize) -> usize {
        let is_full = self.n_pages >= PART_PAGES_MAX || self.n_bytes + n_bytes > PART_BYTES_MAX;
        if is_full && self.n_pages > 0 {
            *self = PartCounter { n_full: self.n_full + 1, n_pages: 0, n_bytes: 0 };
        }
        self.n_pages += 1;
        self.n_bytes += n_bytes;
        self.n_full + 1
    }
}

/// The pages of the entries of a type.
struct TypePages<'a> {
    index: &'a TypeIndex,
    settings: &'a FeedSettings,
    place: usize,
    /// The views in the locales that have pages of their own.
    views: Vec<(&'a str, View<'a>)>,
}

impl<'a> TypePages<'a> {
    fn new(
        snapshot: &'a Snapshot,
        caller: &'a Caller,
        (place, index): (usize, &'a Arc<TypeIndex>),
        settings: &'a FeedSettings,
    ) -> TypePages<'a> {
        let ty = &*index.content_type;
        let localized = ty.is_localized() && settings.url.as_str().contains("{locale}");
        let locales = if localized { ty.locales.as_slice() } else { &[] };
        let mut locales: Vec<&str> = locales.iter().map(|it| it.as_str()).collect();
        // In this order, the pages of an entry follow each other.
        locales.sort_unstable();
        let view = |locale: &'a str| (locale, View::new(snapshot, caller.viewer(), Some(locale)));
        let views = locales.into_iter().map(view).collect();
        TypePages { index, settings, place, views }
    }

    /// Counts the pages of an entry: one for each locale that it has, or one in all. Adds those
    /// that are in this part.
    fn add_pages(
        &self,
        ordinal: Ordinal,
        part: usize,
        counter: &mut PartCounter,
        pages: &mut Vec<SitemapPage>,
    ) {
        let Some(entry) = self.index.entry_at(ordinal) else { return };
        let ty = &*self.index.content_type;
        let url = |locale: &str| fill_page_url(ty, self.settings, entry.id(), entry.slug(), locale);
        let mut locales = self.list_locales(entry, ordinal);
        if locales.is_empty() {
            locales.push(ty.default_locale.as_deref().unwrap_or_default());
        }
        let longest = locales.iter().max_by_key(|it| it.len()).copied().unwrap_or_default();
        let n_bytes = estimate_page(&url(longest), longest, locales.len());
        let mut in_part = locales.clone();
        in_part.retain(|_| counter.add_page(n_bytes) == part);
        if in_part.is_empty() {
            return;
        }
        let mut alternates = BTreeMap::new();
        if locales.len() > 1 {
            alternates.extend(locales.iter().map(|it| (it.to_string(), url(it))));
        }
        let (updated, alternates) = (entry.updated_at, Arc::new(alternates));
        pages.extend(in_part.iter().map(|it| SitemapPage {
            url: url(it),
            updated,
            alternates: alternates.clone(),
        }));
    }

    /// Returns the locales of an entry that have pages of their own.
    fn list_locales(&self, entry: &RenderedEntry, ordinal: Ordinal) -> Vec<&'a str> {
        let ty = &*self.index.content_type;
        let default = ty.default_locale.as_deref().unwrap_or_default();
        let has = |locale: &str| {
            locale == default || ty.locale_index(locale).is_some_and(|it| entry.has_locale(it))
        };
        let seen = self
            .views
            .iter()
            .filter(|(locale, view)| has(locale) && view.sees_entry(self.place, ordinal));
        seen.map(|(locale, _)| *locale).collect()
    }
}

/// Returns the most bytes that each page of an entry has in a part. The entry has pages in so many
/// locales, and this is the longest of their addresses.
fn estimate_page(address: &str, locale: &str, n_locales: usize) -> usize {
    // What XML escapes becomes up to five bytes longer.
    let n_escaped = address.matches(['&', '<', '>', '"', '\'']).count();
    let address = address.len() + 5 * n_escaped;
    let n_links = if n_locales > 1 { n_locales } else { 0 };
    PAGE_BYTES + address + n_links * (LINK_BYTES + locale.len() + address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_full_at_either_limit() {
        let mut counter = PartCounter::default();
        let numbers: Vec<usize> =
            (0..2 * PART_PAGES_MAX + 1).map(|_| counter.add_page(1)).collect();
        for part in [1, 2] {
            assert_eq!(numbers.iter().filter(|it| **it == part).count(), PART_PAGES_MAX);
        }
        assert_eq!(numbers.last(), Some(&3));
        let half = PART_BYTES_MAX / 2;
        let sizes = [half, half, 1, 2 * PART_BYTES_MAX, half, half, half];
        let mut counter = PartCounter::default();
        assert_eq!(sizes.map(|it| counter.add_page(it)), [1, 1, 2, 3, 4, 4, 5]);
    }
}
