//! The media files behind the URLs in entries, for `?media=full` and `?render=html`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::access::Caller;
use crate::app::media::media_view::MediaBase;
use crate::app::media::media_view::render_item;
use crate::app::media::media_view::split_base;
use crate::app::media::media_view::visibility_filter;
use crate::app::media::picture_links::PictureSource;
use crate::model::media::MediaItem;
use crate::query::execute::media_uses::MediaUrlFinder;
use crate::query::index::media_index::sum_item;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;

/// The stand-in for an item that the caller may not see, or that is not there: the URL alone, which
/// entries show anyway.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BareMedia<'a> {
    /// The address of the file.
    #[schemars(extend("format" = "uri"))]
    url: &'a str,
}

/// The media file that an address in a text leads to.
#[derive(Debug, PartialEq, Eq)]
pub struct LinkedFile {
    /// The address, with scheme and host if the server knows its own.
    pub url: String,
    /// The picture, if the file is one and the reader may see it.
    pub picture: Option<PictureSource>,
}

/// Finds the media files of URLs, as one caller may see them.
pub struct MediaResolver<'a> {
    snapshot: &'a Snapshot,
    sees: Box<dyn Fn(&MediaItem) -> bool + 'a>,
    finder: MediaUrlFinder,
}

impl<'a> MediaResolver<'a> {
    /// Returns the resolver for what this caller reads in a snapshot.
    pub fn new(snapshot: &'a Snapshot, caller: &'a Caller) -> MediaResolver<'a> {
        MediaResolver {
            snapshot,
            sees: visibility_filter(snapshot, caller),
            finder: MediaUrlFinder::for_workspace(&snapshot.workspace),
        }
    }

    /// Returns what the files are looked up in.
    pub fn snapshot(&self) -> &'a Snapshot {
        self.snapshot
    }

    /// Returns the checksum of all items that the caller may see, which changes when an expanded
    /// one does.
    pub fn compute_sum(&self, is_anonymous: bool) -> Checksum {
        if is_anonymous {
            return self.snapshot.media.sum(true);
        }
        let mut summer = ChecksumBuilder::new();
        for item in self.snapshot.media.iter().filter(|it| (self.sees)(it)) {
            summer.add_number(sum_item(item).0);
        }
        summer.finish()
    }

    /// Returns a checksum that changes when a file that a rendering mentions does, for this caller.
    pub fn sum_mentions(&self, rendering: &[u8]) -> Checksum {
        let mut sum = ChecksumBuilder::new();
        for mention in self.finder.find_mentions(rendering) {
            let item = self.snapshot.media.get(&mention.name).filter(|it| (self.sees)(it));
            sum.add_part(mention.name.as_bytes());
            sum.add_number(item.map_or(0, |it| sum_item(it).0));
        }
        sum.finish()
    }

    /// Returns the file that an address in a text leads to, if it is one of this workspace on a
    /// server with this base URL. Files that the caller may not see are known by name only.
    pub fn find_file(&self, address: &str, base_url: &str) -> Option<LinkedFile> {
        let mention = self.finder.find_mentions(address.as_bytes()).next()?;
        let (before, path) = address.split_at_checked(mention.start)?;
        let (_, below) = split_base(base_url);
        if ![base_url, below, ""].contains(&before) {
            return None;
        }
        let item = self.snapshot.media.get(&mention.name).filter(|it| (self.sees)(it));
        // An address that asks for a size, or for a thumbnail, has its reasons.
        let is_whole = mention.segment.end == address.len() && path.starts_with("/media/");
        let base = MediaBase::new(base_url, &self.snapshot.workspace);
        let picture = item.filter(|_| is_whole).and_then(|it| base.describe_picture(it));
        Some(LinkedFile { url: format!("{base_url}{path}"), picture })
    }

    /// Returns the item of a media URL as the caller may see it, as JSON.
    pub fn expand_url(&self, url: &str) -> Json {
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
