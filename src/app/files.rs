//! Media files and their thumbnails: found, permitted, opened.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media;
use crate::app::thumbnails::Kept;
use crate::model::media::MediaItem;
use crate::model::media::MediaTag;
use crate::model::name::Filename;
use crate::query::snapshot::Snapshot;
use crate::stdx::time::Timestamp;
use crate::store::blob::Blob;
use crate::store::blob::Thumb;
use crate::store::disk::ReadError;

/// Finds a file that the caller may have, without opening it.
pub fn find(snapshot: &Snapshot, caller: &Caller, name: &str) -> Result<Arc<MediaItem>> {
    let missing = || Error::not_found("media file", name);
    let filename = Filename::normalized(name).map_err(|_| missing())?;
    let item = snapshot.media.get(filename.as_str()).ok_or_else(missing)?;
    if media::may_see(snapshot, caller, item) {
        Ok(item.clone())
    } else {
        Err(Error::unauthorized("This file is private: it needs a token that grants `media.read`."))
    }
}

/// Opens a file that was found. What is told of it is what it is at this moment: where it has
/// changed and nobody knows yet, it must not go by the tag of other bytes.
pub fn open(
    app: &App,
    snapshot: &Snapshot,
    item: &Arc<MediaItem>,
) -> Result<(Blob, Arc<MediaItem>)> {
    let opened = app.engine.open_media(&snapshot.workspace, &item.filename);
    let blob = opened.map_err(|error| failed(item, error))?;
    let state = blob.stat.sum();
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

/// The thumbnail of a file that was found, as far as it was made before: JPEG, or PNG where there
/// is transparency.
pub fn kept_thumbnail(
    app: &App,
    snapshot: &Snapshot,
    item: &MediaItem,
    blob: &Blob,
) -> Result<Option<Bytes>> {
    with_thumbnail(item)?;
    match app.thumbnails.find(app, &Thumb::of(&snapshot.workspace, &item.filename, &blob.stat)) {
        Kept::Made(bytes) => Ok(Some(bytes)),
        Kept::Broken => Err(no_thumbnail(item)),
        Kept::Untried => Ok(None),
    }
}

/// The same, made now if need be. That takes long.
pub fn thumbnail(app: &App, snapshot: &Snapshot, item: &MediaItem, blob: Blob) -> Result<Bytes> {
    with_thumbnail(item)?;
    let place = Thumb::of(&snapshot.workspace, &item.filename, &blob.stat);
    app.thumbnails.get(app, &place, blob)?.ok_or_else(|| no_thumbnail(item))
}

fn with_thumbnail(item: &MediaItem) -> Result<()> {
    if media::has_thumbnail(item) { Ok(()) } else { Err(no_thumbnail(item)) }
}

fn no_thumbnail(item: &MediaItem) -> Error {
    Error::not_found("thumbnail", item.filename.as_str())
}

fn failed(item: &MediaItem, error: ReadError) -> Error {
    match error {
        ReadError::Missing | ReadError::NotAFile(_) => {
            Error::not_found("media file", item.filename.as_str())
        }
        ReadError::TooLarge(_) => Error::internal("a media file is over the limit"),
        ReadError::Unreadable(error) => Error::storage_unavailable(error),
    }
}
