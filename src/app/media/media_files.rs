//! The bytes of media files and their thumbnails: finding, checking permissions, opening.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media;
use crate::app::media::thumbnails::ThumbnailState;
use crate::model::media::MediaItem;
use crate::model::media::MediaTag;
use crate::model::name::Filename;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::time::Timestamp;
use crate::store::disk::ReadError;
use crate::store::read::blob::Blob;
use crate::store::read::blob::ThumbnailPath;

/// Returns a file that the caller may read, without opening it.
pub fn find(snapshot: &Snapshot, caller: &Caller, name: &str) -> Result<Arc<MediaItem>> {
    let missing = || Error::not_found("media file", name);
    let filename = Filename::parse_normalized(name).map_err(|_| missing())?;
    let item = snapshot.media.get(filename.as_str()).ok_or_else(missing)?;
    if media::may_see(snapshot, caller, item) {
        Ok(item.clone())
    } else {
        Err(Error::unauthorized("This file is private: it needs a token that grants `media.read`."))
    }
}

/// Opens a file. The returned item describes the opened bytes: if they changed and the change is
/// not loaded yet, they must not be served under the tag of the old ones.
pub fn open(
    app: &App,
    snapshot: &Snapshot,
    item: &Arc<MediaItem>,
) -> Result<(Blob, Arc<MediaItem>)> {
    let opened = app.engine.folder().open_media(&snapshot.workspace, &item.filename);
    let blob = opened.map_err(|error| read_error(item, error))?;
    let state = blob.stat.compute_sum();
    if state == item.tag.state {
        return Ok((blob, item.clone()));
    }
    let changed = MediaItem {
        size: blob.stat.size,
        modified: Timestamp::from_seconds(blob.stat.modified_ns.div_euclid(1_000_000_000)),
        tag: MediaTag::of_state(state),
        ..MediaItem::clone(item)
    };
    Ok((blob, Arc::new(changed)))
}

/// Returns the existing thumbnail of a file: JPEG, or PNG for pictures with transparency.
pub fn load_thumbnail(
    app: &App,
    snapshot: &Snapshot,
    item: &MediaItem,
    blob: &Blob,
) -> Result<Option<Bytes>> {
    check_has_thumbnail(item)?;
    match app.thumbnails.find_state(
        &app.engine,
        &ThumbnailPath::for_media(&snapshot.workspace, &item.filename, &blob.stat),
    ) {
        ThumbnailState::Made(bytes) => Ok(Some(bytes)),
        ThumbnailState::Broken => Err(no_thumbnail_error(item)),
        ThumbnailState::Untried => Ok(None),
    }
}

/// Returns the thumbnail, and makes it if necessary, which takes long.
pub fn make_thumbnail(
    app: &App,
    snapshot: &Snapshot,
    item: &MediaItem,
    blob: Blob,
) -> Result<Bytes> {
    check_has_thumbnail(item)?;
    let place = ThumbnailPath::for_media(&snapshot.workspace, &item.filename, &blob.stat);
    app.thumbnails.get(&app.engine, &place, blob)?.ok_or_else(|| no_thumbnail_error(item))
}

fn check_has_thumbnail(item: &MediaItem) -> Result<()> {
    if media::has_thumbnail(item) { Ok(()) } else { Err(no_thumbnail_error(item)) }
}

fn no_thumbnail_error(item: &MediaItem) -> Error {
    Error::not_found("thumbnail", item.filename.as_str())
}

fn read_error(item: &MediaItem, error: ReadError) -> Error {
    match error {
        ReadError::Missing | ReadError::NotAFile(_) => {
            Error::not_found("media file", item.filename.as_str())
        }
        ReadError::TooLarge(_) => Error::internal("a media file is over the limit"),
        ReadError::Unreadable(error) => Error::storage_unavailable(error),
    }
}
