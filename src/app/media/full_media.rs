//! Media items in the place of media URLs in entries, for `?media=full`.

use serde::Serialize;

use crate::app::access::Caller;
use crate::app::media::media_view::MediaBase;
use crate::app::media::media_view::render_item;
use crate::app::media::media_view::visibility_filter;
use crate::model::content_type::ContentType;
use crate::model::media::MediaItem;
use crate::query::execute::media_uses::MediaUrlFinder;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;

/// The stand-in for an item that the caller may not see, or that is not there: the URL alone, which
/// entries show anyway.
#[derive(Serialize)]
struct BareMedia<'a> {
    url: &'a str,
}

/// Puts media items in the place of media URLs, as one caller may see them.
pub struct MediaExpander<'a> {
    snapshot: &'a Snapshot,
    sees: Box<dyn Fn(&MediaItem) -> bool + 'a>,
    finder: MediaUrlFinder,
}

impl<'a> MediaExpander<'a> {
    /// Returns the expander for what this caller reads in a snapshot.
    pub fn new(snapshot: &'a Snapshot, caller: &'a Caller) -> MediaExpander<'a> {
        MediaExpander {
            snapshot,
            sees: visibility_filter(snapshot, caller),
            finder: MediaUrlFinder::for_workspace(&snapshot.workspace),
        }
    }

    /// Expands the media of an entry as the public API shows it, and those of the entries that are
    /// included in it. Texts that mention a file stay as they are.
    pub fn expand_entry(&self, ty: &ContentType, entry: &mut Json) {
        let Json::Object(entry) = entry else { return };
        let Some(Json::Object(data)) = entry.get_mut("data") else { return };
        ty.fields.replace_media(data, &mut |url| self.expand_url(url));
        for field in ty.data_fields() {
            let Some((target, _)) = field.kind.as_relation() else { continue };
            let Some(index) = self.snapshot.get(target.as_str()) else { continue };
            match data.get_mut(field.name.as_str()) {
                Some(Json::Array(items)) => {
                    items.iter_mut().for_each(|it| self.expand_entry(&index.content_type, it));
                }
                Some(single) => self.expand_entry(&index.content_type, single),
                None => {}
            }
        }
    }

    /// Expands the media of an entry in its JSON text.
    pub fn expand_text(&self, ty: &ContentType, entry: &[u8]) -> Vec<u8> {
        // What is not JSON, or too deep to be read, is not ours to change.
        let Ok(mut json) = Json::parse(entry) else { return entry.to_vec() };
        self.expand_entry(ty, &mut json);
        let mut out = Vec::with_capacity(entry.len() * 4);
        json.write_compact(&mut out);
        out
    }

    /// Returns the checksum of all items that the caller may see, which changes when an expanded
    /// one does.
    pub fn compute_sum(&self, is_anonymous: bool) -> Checksum {
        if is_anonymous {
            return self.snapshot.media.sum(true);
        }
        let mut summer = ChecksumBuilder::new();
        for item in self.snapshot.media.iter().filter(|it| (self.sees)(it)) {
            summer.add_part(format!("{item:?}").as_bytes());
        }
        summer.finish()
    }

    fn expand_url(&self, url: &str) -> Json {
        let mention = self.finder.find_mentions(url.as_bytes()).last();
        let found = mention.as_ref().and_then(|mention| {
            let item = self.snapshot.media.get(&mention.name).filter(|it| (self.sees)(it))?;
            // The entry was rendered with the same base.
            Some((item, url.get(..mention.start)?))
        });
        let json = match found {
            Some((item, base)) => {
                let base = MediaBase::new(base, &self.snapshot.workspace);
                serde_json::to_vec(&render_item(&base, item))
            }
            None => serde_json::to_vec(&BareMedia { url }),
        };
        // Parsed again, since a `Value` has its members in another order.
        let json = json.ok().and_then(|it| Json::parse(&it).ok());
        json.unwrap_or_else(|| Json::from(url))
    }
}
