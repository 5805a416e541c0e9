//! Links in Markdown as readers get them. One to an entry (`recto:posts/01jntajc60fvxnxe`) has the
//! address of the page that the `feed` of the target's content type names.

use crate::app::access::Caller;
use crate::app::media::media_resolver::LinkedFile;
use crate::app::media::media_resolver::MediaResolver;
use crate::model::content_type::ContentType;
use crate::model::content_type::feed::FeedSettings;
use crate::model::name::LocaleCode;
use crate::query::execute::entry_mentions::parse_address;
use crate::query::execute::view::View;

/// Resolves links to entries and to files, as one caller sees them.
pub(crate) struct EntryLinks<'a> {
    view: &'a View<'a>,
    media: MediaResolver<'a>,
    base_url: &'a str,
}

impl<'a> EntryLinks<'a> {
    /// Returns the links for a caller who has this view.
    pub(crate) fn new(view: &'a View<'a>, caller: &'a Caller, base_url: &'a str) -> EntryLinks<'a> {
        EntryLinks { view, media: MediaResolver::new(view.snapshot, caller), base_url }
    }

    /// Returns the media files that the caller sees.
    pub(crate) fn media(&self) -> &MediaResolver<'a> {
        &self.media
    }

    /// Finds what an address in Markdown leads to: the page of an entry, else a media file.
    pub(crate) fn find_target(&self, address: &str) -> Option<LinkedFile> {
        match self.resolve(address) {
            Some(url) => Some(LinkedFile { url, picture: None }),
            None => self.media.find_file(address, self.base_url),
        }
    }

    /// Returns the address of the page of the entry that a link leads to, with the fragment of the
    /// link. `None` if the address is no such link, or if the caller sees no entry behind it, or if
    /// its type names no pages.
    fn resolve(&self, address: &str) -> Option<String> {
        let (mention, fragment) = parse_address(address)?;
        let (place, index) = self.view.find_type(mention.type_name)?;
        let ordinal = index.find_ordinal(mention.id)?;
        let entry = index.entry_at(ordinal).filter(|_| self.view.sees_entry(place, ordinal))?;
        let ty = &*index.content_type;
        let locale = find_page_locale(self.view, ty).map_or("", |it| it.as_str());
        let settings = ty.feed.as_ref()?;
        Some(fill_page_url(ty, settings, entry.id(), entry.slug(), locale) + fragment)
    }
}

/// Returns the locale of the pages of a type, if it is localized.
pub(super) fn find_page_locale<'t>(view: &View<'_>, ty: &'t ContentType) -> Option<&'t LocaleCode> {
    let locale = view.resolve_locale(ty).and_then(|it| ty.locales.get(it));
    locale.or(ty.default_locale.as_ref()).filter(|_| ty.is_localized())
}

/// Returns the address of the page of an entry.
pub(super) fn fill_page_url(
    ty: &ContentType,
    settings: &FeedSettings,
    id: &str,
    slug: &str,
    locale: &str,
) -> String {
    let values = [("slug", slug), ("id", id), ("type", ty.name.as_str()), ("locale", locale)];
    settings.url.fill(&values)
}
