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
use crate::model::name::Filename;
use crate::query::snapshot::Snapshot;
use crate::store::blob::Blob;
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

/// Opens a file that was found.
pub fn open(app: &App, snapshot: &Snapshot, item: &MediaItem) -> Result<Blob> {
    let opened = app.engine.open_media(&snapshot.workspace, &item.filename);
    opened.map_err(|error| failed(item, error))
}

/// The thumbnail of a file that was found, as far as it was made before: JPEG, or PNG where there
/// is transparency.
pub fn kept_thumbnail(app: &App, snapshot: &Snapshot, item: &MediaItem) -> Result<Option<Bytes>> {
    with_thumbnail(item)?;
    match app.thumbnails.find(app, &snapshot.workspace, item)? {
        Kept::Made(bytes) => Ok(Some(bytes)),
        Kept::Broken => Err(no_thumbnail(item)),
        Kept::Untried => Ok(None),
    }
}

/// The same, made now if need be. That takes long.
pub fn thumbnail(app: &App, snapshot: &Snapshot, item: &MediaItem) -> Result<Bytes> {
    with_thumbnail(item)?;
    app.thumbnails.get(app, &snapshot.workspace, item)?.ok_or_else(|| no_thumbnail(item))
}

fn with_thumbnail(item: &MediaItem) -> Result<()> {
    if media::has_thumbnail(item) { Ok(()) } else { Err(no_thumbnail(item)) }
}

fn no_thumbnail(item: &MediaItem) -> Error {
    Error::not_found("thumbnail", item.filename.as_str())
}

pub(crate) fn failed(item: &MediaItem, error: ReadError) -> Error {
    match error {
        ReadError::Missing | ReadError::NotAFile(_) => {
            Error::not_found("media file", item.filename.as_str())
        }
        ReadError::TooLarge(_) => Error::internal("a media file is over the limit"),
        ReadError::Unreadable(error) => Error::storage_unavailable(error),
    }
}
