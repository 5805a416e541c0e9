//! Entries with what `media=full` and `render=html` ask for.

use std::sync::Arc;

use crate::app::access::Caller;
use crate::app::content::entry_links::EntryLinks;
use crate::app::content::markdown_html::render_html;
use crate::model::content_type::ContentType;
use crate::query::execute::view::View;
use crate::query::request::list_query::Shape;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;

/// About how many times as long entries are with media items and HTML.
pub(super) const REWRITTEN_GROWTH: usize = 4;

/// The member with the HTML of an entry's Markdown.
const HTML: &str = "data_html";

/// Puts media items in the place of media URLs, and adds the HTML of Markdown.
pub(crate) struct EntryRewriter<'a> {
    links: EntryLinks<'a>,
    read_along: Arc<Vec<String>>,
    full_media: bool,
    html: bool,
}

impl<'a> EntryRewriter<'a> {
    /// Returns the rewriter of entries of this shape, or `None` if they stay as they are.
    pub(crate) fn new(
        view: &'a View<'a>,
        caller: &'a Caller,
        shape: &Shape,
        base_url: &'a str,
    ) -> Option<EntryRewriter<'a>> {
        shape.is_rewritten().then(|| EntryRewriter {
            links: EntryLinks::new(view, caller, base_url),
            read_along: shape.read_along.clone(),
            full_media: shape.full_media,
            html: shape.html,
        })
    }

    /// Rewrites the JSON text of an entry as the public API shows it.
    pub(crate) fn rewrite_text(&self, ty: &ContentType, entry: &[u8]) -> Vec<u8> {
        // What is not JSON, or too deep to be read, is not ours to change.
        let Ok(mut json) = Json::parse(entry) else { return entry.to_vec() };
        self.rewrite_entry(ty, &mut json);
        self.drop_read_along(&mut json);
        let mut out = Vec::with_capacity(entry.len() * REWRITTEN_GROWTH);
        json.write_compact(&mut out);
        out
    }

    /// Removes the values that were read only for the texts about pictures.
    fn drop_read_along(&self, entry: &mut Json) {
        let Json::Object(entry) = entry else { return };
        let Some(Json::Object(data)) = entry.get_mut("data") else { return };
        for name in self.read_along.iter() {
            data.remove(name);
        }
    }

    /// Rewrites an entry, and those that are included in it.
    fn rewrite_entry(&self, ty: &ContentType, entry: &mut Json) {
        let Json::Object(entry) = entry else { return };
        let Some(Json::Object(data)) = entry.get_mut("data") else { return };
        let html = self.html.then(|| ty.fields.render_markdown(data, &mut |it| self.render(it)));
        if self.full_media {
            ty.fields.replace_media(data, &mut |url| self.links.media().expand_url(url));
        }
        for field in ty.data_fields() {
            let Some((target, _)) = field.kind.as_relation() else { continue };
            let Some(index) = self.links.media().snapshot().get(target.as_str()) else { continue };
            match data.get_mut(field.name.as_str()) {
                Some(Json::Array(items)) => {
                    items.iter_mut().for_each(|it| self.rewrite_entry(&index.content_type, it));
                }
                Some(single) => self.rewrite_entry(&index.content_type, single),
                None => {}
            }
        }
        if let Some(html) = html {
            entry.push(HTML, html);
        }
    }

    /// Renders a Markdown text; `null` if it is too large or too deep.
    fn render(&self, text: &str) -> Json {
        render_html(text, &|address| self.links.find_target(address)).map_or(Json::Null, Json::from)
    }

    /// Returns the checksum of an entry that is rewritten, given its JSON: it changes when the
    /// entry does, a file that it mentions, or the type, which says what is rewritten.
    pub(crate) fn sum_entry(&self, ty: &ContentType, entry: &[u8]) -> Checksum {
        let mut sum = ChecksumBuilder::new();
        sum.add_part(entry)
            .add_number(self.links.media().sum_mentions(entry).0)
            .add_number(ty.sum.0);
        sum.add_number(sum_version().0).finish()
    }

    /// Returns the checksum of everything besides entries that they are rewritten with.
    pub(super) fn sum_sources(&self, is_anonymous: bool) -> Checksum {
        self.links.media().compute_sum(is_anonymous).plus(sum_version())
    }
}

/// Returns the checksum of the version: another one may show items and render otherwise.
fn sum_version() -> Checksum {
    Checksum::of_bytes(env!("CARGO_PKG_VERSION").as_bytes())
}
