//! Media files, thumbnails and uploads on the disk.

use std::io;
use std::sync::Arc;

use bytes::Bytes;

use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::model::media::SharedSketch;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::stdx::checksum::Checksum;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::Key;
use crate::store::read::blob::Blob;
use crate::store::read::blob::ThumbnailPath;
use crate::store::read::private_copy::PrivateCopy;
use crate::store::read::variant_cache::KeptVariant;
use crate::store::source::ImportSource;
use crate::store::source::uploaded_source;
use crate::store::updates::update_store::UpdateStore;
use crate::store::write::spool::Spool;
use crate::store::write::spool::Spooled;

/// The free space below which no file is copied to be sent.
const COPIES_FREE_BYTES_MIN: u64 = 512 * 1024 * 1024;

impl OpenFolder {
    /// Opens a media file.
    pub fn open_media(&self, ws: &WorkspaceSlug, name: &Filename) -> Result<Blob, ReadError> {
        Blob::open(&*self.disk, ws, name)
    }

    /// Opens a revision of a media file.
    pub fn open_media_revision(&self, key: &Key) -> Result<Blob, ReadError> {
        Blob::open_key(&*self.disk, key)
    }

    /// Opens the cached thumbnail of a media file as it was at the blob's stat.
    pub fn open_thumbnail(&self, thumb: &ThumbnailPath) -> Option<Blob> {
        Blob::open_thumbnail(&*self.disk, thumb)
    }

    /// Copies bytes into a file that nobody else can write, for the system to send. `done` is
    /// called with it, later. Fails where nothing may be written.
    pub fn copy_in_background(
        self: &Arc<Self>,
        bytes: Bytes,
        done: impl FnOnce(io::Result<PrivateCopy>) + Send + 'static,
    ) {
        let folder = self.clone();
        self.copying.enqueue(move || done(folder.copy_privately(&bytes)));
    }

    fn copy_privately(&self, bytes: &[u8]) -> io::Result<PrivateCopy> {
        if self.read_only || !cfg!(target_os = "linux") {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let is_full = self.free_bytes().is_none_or(|it| it < COPIES_FREE_BYTES_MIN);
        if is_full || self.is_outage() || self.is_write_suspended() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        PrivateCopy::create(&*self.disk, bytes)
    }

    /// Drops a copy. The system removes its bytes then, which may wait for the disk.
    pub fn drop_in_background(&self, copy: impl Send + 'static) {
        self.copying.enqueue(move || drop(copy));
    }

    /// Keeps a thumbnail. Without effect when nothing may be written.
    pub fn save_thumbnail(&self, thumb: &ThumbnailPath, bytes: &[u8]) -> Result<(), StoreError> {
        if self.read_only { Ok(()) } else { thumb.write_thumbnail(&*self.disk, bytes) }
    }

    /// Reads a variant of a picture that is kept.
    pub fn read_variant(&self, key: Checksum) -> Option<KeptVariant> {
        self.variants.read(&*self.disk, key)
    }

    /// Keeps a variant of a picture, within `bytes_max` for all of them. Without effect when
    /// nothing may be written.
    pub fn save_variant(
        &self,
        key: Checksum,
        variant: &KeptVariant,
        bytes_max: u64,
    ) -> Result<(), StoreError> {
        if self.read_only {
            return Ok(());
        }
        self.variants.write(&*self.disk, key, variant, bytes_max)
    }

    /// A file for an upload that comes in. Fails when nothing may be written.
    pub fn create_spool(&self) -> Result<Spool, CommitError> {
        if self.read_only {
            return Err(CommitError::ReadOnly);
        }
        Ok(Spool::create(self.disk.clone())?)
    }

    /// Opens an upload as the source of an import.
    pub fn open_source(&self, upload: &Spooled) -> io::Result<Box<dyn ImportSource>> {
        uploaded_source::open_upload(&*self.disk, &self.places, upload)
    }

    /// The store of new versions of the program.
    pub fn update_shelf(&self) -> UpdateStore {
        UpdateStore::new(self.root().to_path_buf(), self.disk.clone(), self.read_only)
    }

    /// Announces an upload that is about to be moved among the media, with the sketch of a picture,
    /// for as long as what is returned lasts: it need not be read again then. Stores a large one
    /// where other servers find it.
    pub fn announce_upload(
        &self,
        upload: &Spooled,
        sketch: SharedSketch,
    ) -> Result<MediaArrival<'_>, StoreError> {
        self.disk.share_content(&upload.path)?;
        let stat = self.open_spooled(upload)?.stat;
        Ok(self.announce_media(&stat, upload.sum, sketch))
    }

    /// Announces a file of ours like [`OpenFolder::announce_upload`].
    pub fn announce_media(
        &self,
        stat: &Stat,
        sum: Checksum,
        sketch: SharedSketch,
    ) -> MediaArrival<'_> {
        self.sums.announce_arrival(stat, sum);
        if sketch.is_some() {
            self.sketches.announce_arrival(sum, sketch);
        }
        MediaArrival { folder: self, stat: *stat, sum }
    }

    /// Returns the sketch of a picture with these bytes: `Some(None)` if it can have none, and
    /// `None` if that is not known.
    pub fn find_sketch(
        &self,
        ws: &WorkspaceSlug,
        name: &Filename,
        sum: Checksum,
    ) -> Option<SharedSketch> {
        self.sketches.get(&Key::Media(ws.clone(), name.clone()).path(), sum)
    }

    /// Keeps the sketch of a picture with these bytes.
    pub fn record_sketch(
        &self,
        ws: &WorkspaceSlug,
        name: &Filename,
        sum: Checksum,
        sketch: SharedSketch,
    ) {
        self.sketches.record_sketch(&Key::Media(ws.clone(), name.clone()).path(), sum, sketch);
    }

    /// Opens an upload, with the stat that it has.
    pub fn open_spooled(&self, upload: &Spooled) -> Result<Blob, StoreError> {
        let opened = self.disk.open(&upload.path).map_err(|it| lost_upload(upload, it));
        opened.map(|(file, stat)| Blob::new(file, stat))
    }

    /// All bytes of an upload whose form keeps it small.
    pub fn read_picture(&self, upload: &Spooled) -> Result<Vec<u8>, StoreError> {
        let (mut file, _) = self.disk.open(&upload.path).map_err(|it| lost_upload(upload, it))?;
        let mut bytes = Vec::new();
        let read = io::Read::read_to_end(&mut file, &mut bytes);
        read.map_err(StoreError::io("read", upload.path.as_str()))?;
        Ok(bytes)
    }

    /// All bytes of an upload, which is a small one.
    pub fn read_spooled(&self, upload: &Spooled) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        self.disk.read(&upload.path, &mut bytes).map_err(|it| lost_upload(upload, it))?;
        Ok(bytes)
    }
}

/// A file on its way to the media.
pub struct MediaArrival<'a> {
    folder: &'a OpenFolder,
    stat: Stat,
    sum: Checksum,
}

impl Drop for MediaArrival<'_> {
    fn drop(&mut self) {
        self.folder.sums.forget_arrival(&self.stat);
        self.folder.sketches.forget_arrival(self.sum);
    }
}

fn lost_upload(upload: &Spooled, error: ReadError) -> StoreError {
    StoreError::io("read", upload.path.as_str())(error.into_io())
}
