//! Links to entries in Markdown (`recto:posts/01jntajc60fvxnxe`), as readers get them: with the
//! address of the page that the `feed` of the target's content type names.

use crate::model::content_type::ContentType;
use crate::model::content_type::feed::FeedSettings;
use crate::query::execute::entry_mentions::parse_address;
use crate::query::execute::view::View;

/// Resolves links to entries, as one caller sees them.
pub(crate) struct EntryLinks<'a> {
    view: &'a View<'a>,
}

impl<'a> EntryLinks<'a> {
    /// Returns the links for whoever has this view.
    pub(crate) fn new(view: &'a View<'a>) -> EntryLinks<'a> {
        EntryLinks { view }
    }

    /// Returns the address of the page of the entry that a link leads to, with the fragment of the
    /// link. `None` if the address is no such link, or if the caller sees no entry behind it, or if
    /// its type names no pages.
    pub(crate) fn resolve(&self, address: &str) -> Option<String> {
        let (mention, fragment) = parse_address(address)?;
        let (place, index) = self.view.find_type(mention.type_name)?;
        let ordinal = index.find_ordinal(mention.id)?;
        let entry = index.entry_at(ordinal).filter(|_| self.view.sees_entry(place, ordinal))?;
        let ty = &*index.content_type;
        let locale = self.view.resolve_locale(ty).and_then(|it| ty.locales.get(it));
        let locale = locale.or(ty.default_locale.as_ref()).filter(|_| ty.is_localized());
        let locale = locale.map_or("", |it| it.as_str());
        let settings = ty.feed.as_ref()?;
        Some(fill_page_url(ty, settings, entry.id(), entry.slug(), locale) + fragment)
    }
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
