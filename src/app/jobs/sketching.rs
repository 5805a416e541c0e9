//! The sketching of pictures that were put into the folder by hand. Those that are uploaded are
//! sketched on the way.

use std::io;
use std::io::BufReader;
use std::io::Cursor;
use std::io::Read;
use std::io::Seek;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use crate::app::App;
use crate::app::media::has_thumbnail;
use crate::app::media::pictures;
use crate::app::media::pictures::DecodeError;
use crate::app::media::sketches::sketch_picture;
use crate::app::media::thumbnails::ThumbnailState;
use crate::engine::workspaces::workspace::Workspace;
use crate::model::media::MediaItem;
use crate::stdx::checksum::Checksum;
use crate::stdx::thumb_hash;
use crate::store::read::blob::ThumbnailPath;

/// The interval of looking for pictures without a sketch.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The number of sketches that are published at once.
const BATCH_MAX: usize = 64;

/// The longest time until what is known is published.
const BATCH_TIME: Duration = Duration::from_secs(2);

/// The result of sketching a picture.
enum SketchAttempt {
    /// Its sketch is recorded, or that it can have none.
    Known,
    /// It has to wait.
    Waits,
    /// It would take more memory than there is now. It is tried again when files change.
    LacksMemory,
}

/// Sketches pictures that were put into the folder by hand, until the engine is closed.
pub fn run_sketching(app: &App) {
    let mut seen = Vec::new();
    while !app.engine.scheduler().is_closed() {
        let workspaces = app.engine.workspaces();
        let sums = workspaces.values().map(|it| it.current_snapshot().media.sum(false));
        let now: Vec<Checksum> = sums.collect();
        if now != seen && sketch_new_pictures(app) {
            seen = now;
        }
        app.engine.scheduler().wait_unless_closed(CHECK_INTERVAL);
    }
}

/// Sketches all pictures whose sketches are not known. Returns true if none is left.
pub fn sketch_new_pictures(app: &App) -> bool {
    let mut is_done = true;
    for workspace in app.engine.workspaces().values() {
        let snapshot = workspace.current_snapshot();
        let items: Vec<Arc<MediaItem>> =
            snapshot.media.iter().filter(|it| needs_sketch(app, workspace, it)).cloned().collect();
        drop(snapshot);
        let (mut batch, mut since) = (Vec::new(), Instant::now());
        for item in items {
            if app.engine.scheduler().is_closed() {
                return false;
            }
            let begun = Instant::now();
            match sketch_file(app, workspace, &item) {
                SketchAttempt::Known => batch.push(item),
                SketchAttempt::Waits => is_done = false,
                SketchAttempt::LacksMemory => {}
            }
            if batch.len() >= BATCH_MAX || since.elapsed() >= BATCH_TIME {
                app.engine.follower().publish_sketches(workspace, &std::mem::take(&mut batch));
                since = Instant::now();
            }
            // Half of the time is for others.
            app.engine.scheduler().wait_unless_closed(begun.elapsed());
        }
        if !batch.is_empty() {
            app.engine.follower().publish_sketches(workspace, &batch);
        }
    }
    is_done
}

/// A picture whose bytes are known, and of which it is not known whether it has a sketch.
fn needs_sketch(app: &App, workspace: &Workspace, item: &MediaItem) -> bool {
    item.sketch.is_none()
        && has_thumbnail(item)
        && item.tag.content.is_some_and(|sum| {
            app.engine.folder().find_sketch(&workspace.slug, &item.filename, sum).is_none()
        })
}

/// Sketches one picture, of its thumbnail if it has one.
fn sketch_file(app: &App, workspace: &Workspace, item: &MediaItem) -> SketchAttempt {
    let (folder, ws) = (app.engine.folder(), &workspace.slug);
    let Some(sum) = item.tag.content else { return SketchAttempt::Waits };
    let Ok(blob) = folder.open_media(ws, &item.filename) else { return SketchAttempt::Waits };
    if blob.stat.compute_sum() != item.tag.state {
        return SketchAttempt::Waits;
    }
    let place = ThumbnailPath::for_media(ws, &item.filename, &blob.stat);
    let mut file = BufReader::new(blob.into_file());
    let budget = &app.thumbnails.budget;
    let side = thumb_hash::SIDE_MAX as u32;
    let decoded = match app.thumbnails.find_state(&app.engine, &place) {
        ThumbnailState::Made(bytes) => {
            pictures::decode_small(budget, &mut Cursor::new(bytes), side)
        }
        ThumbnailState::Broken => Err(DecodeError::Broken),
        ThumbnailState::Untried => match pictures::decode_small(budget, &mut file, side) {
            // A disk that fails for a moment must not make a picture one that nobody can read.
            Err(DecodeError::Broken) => match read_through(&mut file) {
                Ok(()) => pictures::decode_small(budget, &mut file, side),
                Err(_) => return SketchAttempt::Waits,
            },
            decoded => decoded,
        },
    };
    let sketch = match decoded {
        Ok(picture) => sketch_picture(&picture, pictures::has_frames(&mut file)),
        Err(DecodeError::Broken | DecodeError::TooLarge) => None,
        Err(DecodeError::NoMemory) => return SketchAttempt::LacksMemory,
        Err(DecodeError::Busy) => return SketchAttempt::Waits,
    };
    folder.record_sketch(ws, &item.filename, sum, sketch);
    SketchAttempt::Known
}

/// Reads a file to its end, to see whether that can be done.
fn read_through(file: &mut (impl Read + Seek)) -> io::Result<()> {
    file.rewind()?;
    io::copy(file, &mut io::sink()).map(|_| ())
}
