//! The revisions of media files: listing, reading and restoring earlier bytes. Whoever may replace
//! a file and see it may do so: a file is often replaced because of what it showed.

use std::io::BufReader;

use bytes::Bytes;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_change::MediaAnswer;
use crate::app::media::media_view::MediaView;
use crate::app::media::media_view::find_item;
use crate::app::media::media_view::normalize_name;
use crate::app::media::meta::MediaTarget;
use crate::app::media::pictures;
use crate::app::media::replace::NewBytes;
use crate::app::media::replace::check_may_replace;
use crate::app::media::replace::replace_bytes;
use crate::app::media::thumbnails::ThumbnailState;
use crate::app::people::display_names;
use crate::app::revision_page::RevisionPage;
use crate::model::media::MediaItem;
use crate::model::media::detect_mime;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::list_query;
use crate::query::request::params::QueryParams;
use crate::stdx::image_header::ImageHeader;
use crate::stdx::time::Timestamp;
use crate::store::disk::ReadError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::blob::Blob;
use crate::store::read::blob::ThumbnailPath;
use crate::store::write::spool::Spooled;

/// The first bytes that are read to detect the type of a file.
const HEAD_BYTES: usize = 512;

/// The number of bytes that are copied at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// Earlier bytes of a media file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MediaRevision {
    /// The id.
    pub id: String,
    /// The time at which the bytes were replaced.
    pub created_at: Timestamp,
    /// The id of the user or token that replaced them.
    pub created_by: Option<String>,
    /// The display name of that user or token.
    pub created_by_name: Option<String>,
    /// The event that replaced them: `update` for other bytes, `restore` for earlier ones.
    #[schemars(with = "Option<RevisionEvent>")]
    pub event: Option<&'static str>,
    /// The size in bytes.
    pub size: u64,
    /// The MIME type.
    pub mime: &'static str,
    /// The width in pixels, or `null` if the bytes are no picture.
    #[schemars(range(min = 1))]
    pub width: Option<u32>,
    /// The height in pixels, or `null` if the bytes are no picture.
    #[schemars(range(min = 1))]
    pub height: Option<u32>,
}

/// Lists the earlier bytes of a file, newest first.
pub fn list(
    app: &App,
    snapshot: &Snapshot,
    by: &Requester,
    name: &str,
    params: &QueryParams,
) -> Result<RevisionPage<MediaRevision>> {
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::parse_window(params, &mut problems);
    let history = MediaHistory::find_history(app, snapshot, by, name)?;
    problems.into_result(()).map_err(Error::invalid)?;
    let states = history.list_states()?;
    let page = states.iter().skip(offset).take(limit.unwrap_or(usize::MAX));
    // A file that was removed meanwhile is none.
    let revisions: Vec<MediaRevision> =
        page.filter_map(|it| it.open(app).ok().map(|opened| opened.to_revision(app))).collect();
    let limit = limit.unwrap_or(revisions.len());
    Ok(RevisionPage { total: states.len(), limit, offset, revisions })
}

/// Opens the earlier bytes of a file.
pub fn open(
    app: &App,
    snapshot: &Snapshot,
    by: &Requester,
    (name, revision): (&str, &str),
) -> Result<OpenRevision> {
    MediaHistory::find_history(app, snapshot, by, name)?.find_state(revision)?.open(app)
}

/// Restores the earlier bytes of a file. Those that it has become a revision.
pub fn restore(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    revision: &str,
) -> Result<MediaAnswer<MediaView>> {
    replace_bytes(app, by, target, || {
        let snapshot = app.engine.snapshot(target.ws.as_str());
        let snapshot = snapshot.ok_or_else(|| Error::not_found("workspace", target.ws))?;
        let opened = open(app, &snapshot, by, (target.name, revision))?;
        let from = Some(opened.key.clone());
        let file = copy_to_spool(app, &opened.blob)?;
        Ok(NewBytes { file, event: RevisionEvent::Restore, from })
    })
}

/// Copies a file: were it moved, it would be lost if the change fails.
fn copy_to_spool(app: &App, blob: &Blob) -> Result<Spooled> {
    let mut spool = app.engine.folder().create_spool()?;
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut offset = 0;
    loop {
        let read = blob.read_at(offset, &mut chunk).map_err(Error::storage_unavailable)?;
        spool.write(chunk.get(..read).unwrap_or_default())?;
        offset = offset.saturating_add(read as u64);
        if read < CHUNK_BYTES {
            return Ok(spool.finish()?);
        }
    }
}

/// The revisions of a file that the caller may see and replace.
struct MediaHistory<'a> {
    app: &'a App,
    ws: &'a WorkspaceSlug,
    item: &'a MediaItem,
}

/// A revision of a file.
struct MediaState {
    key: Key,
    filename: Filename,
    name: RevisionName,
}

/// An open revision.
pub struct OpenRevision {
    key: Key,
    filename: Filename,
    name: RevisionName,
    /// The file.
    pub blob: Blob,
    /// Its MIME type.
    pub mime: &'static str,
}

impl<'a> MediaHistory<'a> {
    fn find_history(
        app: &'a App,
        snapshot: &'a Snapshot,
        by: &Requester,
        name: &str,
    ) -> Result<MediaHistory<'a>> {
        check_may_replace(by, snapshot, &normalize_name(name))?;
        let item = find_item(snapshot, &by.caller, name)?;
        Ok(MediaHistory { app, ws: &snapshot.workspace, item })
    }

    /// Lists the revisions, newest first.
    fn list_states(&self) -> Result<Vec<MediaState>> {
        let folder = Folder::MediaRevisions(self.ws.clone(), self.item.filename.clone());
        let keys = self.app.engine.follower().list_revisions(&folder)?;
        let state = |key: Key| {
            let Key::MediaRevision(_, _, filename) = &key else { return None };
            let (filename, name) = (filename.clone(), RevisionName::parse_filename(filename)?);
            Some(MediaState { key, filename, name })
        };
        let mut states: Vec<MediaState> = keys.into_iter().filter_map(state).collect();
        states.sort_by(|one, other| other.sort_key().cmp(&one.sort_key()));
        Ok(states)
    }

    fn find_state(&self, revision: &str) -> Result<MediaState> {
        let found = self.list_states()?.into_iter().find(|it| it.name.id.as_str() == revision);
        found.ok_or_else(|| Error::not_found("revision", revision))
    }
}

impl MediaState {
    fn sort_key(&self) -> (Option<Timestamp>, &str) {
        (self.name.replaced_at(), self.name.id.as_str())
    }

    fn open(&self, app: &App) -> Result<OpenRevision> {
        let opened = app.engine.folder().open_media_revision(&self.key);
        let blob = opened.map_err(|error| match error {
            ReadError::Unreadable(error) => Error::storage_unavailable(error),
            _ => Error::not_found("revision", &self.name.id),
        })?;
        let mut head = [0; HEAD_BYTES];
        let read = blob.read_at(0, &mut head).map_err(Error::storage_unavailable)?;
        let mime = detect_mime(&self.filename, head.get(..read).unwrap_or_default());
        let (key, filename) = (self.key.clone(), self.filename.clone());
        Ok(OpenRevision { key, filename, name: self.name.clone(), blob, mime })
    }
}

impl OpenRevision {
    /// The name of the file.
    pub fn filename(&self) -> &Filename {
        &self.filename
    }

    /// Returns the thumbnail, if it is there already.
    pub fn load_thumbnail(&self, app: &App) -> Result<Option<Bytes>> {
        match app.thumbnails.find_state(&app.engine, &self.thumbnail_path()?) {
            ThumbnailState::Made(bytes) => Ok(Some(bytes)),
            ThumbnailState::Broken => Err(self.no_thumbnail_error()),
            ThumbnailState::Untried => Ok(None),
        }
    }

    /// Returns the thumbnail, and makes it if necessary, which takes long.
    pub fn make_thumbnail(self, app: &App) -> Result<Bytes> {
        let (place, missing) = (self.thumbnail_path()?, self.no_thumbnail_error());
        app.thumbnails.get(&app.engine, &place, self.blob)?.ok_or(missing)
    }

    fn thumbnail_path(&self) -> Result<ThumbnailPath> {
        let Key::MediaRevision(ws, ..) = &self.key else { return Err(self.no_thumbnail_error()) };
        if !pictures::is_decoded(self.mime) {
            return Err(self.no_thumbnail_error());
        }
        Ok(ThumbnailPath::for_media(ws, &self.filename, &self.blob.stat))
    }

    fn no_thumbnail_error(&self) -> Error {
        Error::not_found("thumbnail", &self.name.id)
    }

    fn to_revision(&self, app: &App) -> MediaRevision {
        let modified =
            Timestamp::from_seconds(self.blob.stat.modified_ns.div_euclid(1_000_000_000));
        let created_by = self.name.by.clone();
        let (width, height) = self.read_dimensions().unzip();
        MediaRevision {
            id: self.name.id.to_string(),
            created_at: self.name.replaced_at().unwrap_or(modified),
            created_by_name: created_by
                .as_deref()
                .and_then(|it| display_names::find_display_name(app, it)),
            created_by,
            event: self.name.event.map(RevisionEvent::as_str),
            size: self.blob.stat.size,
            mime: self.mime,
            width,
            height,
        }
    }

    fn read_dimensions(&self) -> Option<(u32, u32)> {
        if !self.mime.starts_with("image/") {
            return None;
        }
        ImageHeader::read(&mut BufReader::new(self.blob.file())).map(|it| it.upright_size())
    }
}
