//! Media files and their thumbnails: found, permitted, opened.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media;
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

/// The thumbnail of a file that was found: JPEG, or PNG where there is transparency.
pub fn thumbnail(app: &App, snapshot: &Snapshot, item: &MediaItem) -> Result<Bytes> {
    let none = || Error::not_found("thumbnail", item.filename.as_str());
    if !media::has_thumbnail(item) {
        return Err(none());
    }
    app.thumbnails.get(app, &snapshot.workspace, item)?.ok_or_else(none)
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
