//! The media item: what is known of one file, and its tag.

use std::fmt;

use crate::model::media::category::CategoryPath;
use crate::model::media::framing::CropArea;
use crate::model::media::framing::FocalPoint;
use crate::model::media::meta::FormerName;
use crate::model::media::meta::MediaMeta;
use crate::model::media::picture_sketch::SharedSketch;
use crate::model::media::visibility::Visibility;
use crate::model::name::Filename;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;

/// A media file with its metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaItem {
    /// The filename.
    pub filename: Filename,
    /// The size in bytes.
    pub size: u64,
    /// The MIME type: one of the types in the table of uploads, or `UNKNOWN_MIME`.
    pub mime: &'static str,
    /// The category.
    pub category: Option<CategoryPath>,
    /// The alternative text.
    pub alt: String,
    /// True for a picture that needs no alternative text.
    pub decorative: bool,
    /// The title.
    pub title: String,
    /// The point of a picture that stays in view.
    pub focus: Option<FocalPoint>,
    /// The part of a picture that is shown.
    pub crop: Option<CropArea>,
    /// The visibility.
    pub visibility: Visibility,
    /// The width in pixels, once it is known.
    pub width: Option<u32>,
    /// The height in pixels, once it is known.
    pub height: Option<u32>,
    /// The sketch of a picture, once it is known.
    pub sketch: SharedSketch,
    /// True for a picture that cannot be decoded, once that is known.
    pub is_broken: bool,
    /// The user who uploaded the file.
    pub uploaded_by: Option<String>,
    /// The time of the upload; for files added by hand, the modification time.
    pub uploaded_at: Timestamp,
    /// The former names, oldest first.
    pub renamed: Vec<FormerName>,
    /// The modification time.
    pub modified: Timestamp,
    /// The tag of the content.
    pub tag: MediaTag,
}

/// The tag of a file's content: the checksum of the bytes, or until they are read, of the state of
/// the file.
#[derive(Clone, Copy)]
pub struct MediaTag {
    /// The checksum of inode, size and times.
    pub state: Checksum,
    /// The checksum of the bytes, once they are read. It is the same on every copy of the folder.
    pub content: Option<Checksum>,
    /// The checksum of the bytes in the previous state, if nothing else tells whether they changed.
    pub before: Option<Checksum>,
}

impl MediaTag {
    /// Creates the tag of a file whose bytes are not read yet.
    pub fn of_state(state: Checksum) -> MediaTag {
        MediaTag { state, content: None, before: None }
    }

    /// Creates the tag of a file whose bytes are known.
    pub fn of_content(state: Checksum, content: Checksum) -> MediaTag {
        MediaTag { state, content: Some(content), before: None }
    }

    /// Returns the checksum shown to clients.
    pub fn visible_checksum(&self) -> Checksum {
        self.content.unwrap_or(self.state)
    }
}

/// Tags are equal if they are shown as the same, so copies of a folder are equal.
impl PartialEq for MediaTag {
    fn eq(&self, other: &MediaTag) -> bool {
        self.visible_checksum() == other.visible_checksum()
    }
}

impl Eq for MediaTag {}

impl fmt::Debug for MediaTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.visible_checksum())
    }
}

impl MediaItem {
    /// Combines the state of the file and its metadata.
    pub fn new(
        filename: Filename,
        mime: &'static str,
        size: u64,
        modified: Timestamp,
        tag: MediaTag,
        meta: MediaMeta,
    ) -> MediaItem {
        MediaItem {
            mime,
            filename,
            size,
            category: meta.category,
            alt: meta.alt,
            decorative: meta.decorative,
            title: meta.title,
            focus: meta.focus,
            crop: meta.crop,
            visibility: meta.visibility,
            width: None,
            height: None,
            sketch: None,
            is_broken: false,
            uploaded_by: meta.uploaded_by,
            uploaded_at: meta.uploaded_at.unwrap_or(modified),
            renamed: meta.renamed,
            modified,
            tag,
        }
    }

    /// Returns the ETag, which differs whenever the bytes may differ.
    pub fn etag(&self) -> Checksum {
        self.tag.visible_checksum()
    }

    /// Returns the tag of the pictures that are made of the file: it differs from that of the file
    /// if a part of it is shown, or another part stays in view.
    pub fn picture_tag(&self) -> Checksum {
        if self.focus.is_none() && self.crop.is_none() {
            return self.etag();
        }
        Checksum::of_bytes(format!("{} {:?} {:?}", self.etag(), self.focus, self.crop).as_bytes())
    }

    /// Sets the sketch: `Some(None)` of a picture that can have none, and `None` if that is not
    /// known.
    pub fn set_sketch(&mut self, known: Option<SharedSketch>) {
        self.is_broken = matches!(known, Some(None));
        self.sketch = known.flatten();
    }

    /// Returns true for a picture that is known to move.
    pub fn is_animated(&self) -> bool {
        self.sketch.as_ref().is_some_and(|it| it.is_animated)
    }

    /// Returns true if the two items are not known to differ. Bytes that are not read yet may
    /// differ; a sketch follows from the bytes.
    pub fn is_as_known(&self, other: &MediaItem) -> bool {
        let differs = self.tag.content.zip(other.tag.content).is_some_and(|(one, two)| one != two);
        let (tag, sketch, is_broken) = (self.tag, self.sketch.clone(), self.is_broken);
        !differs && *self == MediaItem { tag, sketch, is_broken, ..other.clone() }
    }

    /// Returns true if the file is in the category or one of its descendants.
    pub fn is_within(&self, category: &CategoryPath) -> bool {
        self.category.as_ref().is_some_and(|own| own.is_within(category))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_put_there_by_hand_was_uploaded_when_it_was_changed() {
        let modified = Timestamp::from_seconds(5);
        let meta = MediaMeta { category: CategoryPath::parse("a/b").ok(), ..MediaMeta::default() };
        let name = Filename::parse("a.png").unwrap();
        let item = MediaItem::new(
            name,
            "image/png",
            3,
            modified,
            MediaTag::of_state(Checksum::default()),
            meta,
        );
        assert_eq!(item.uploaded_at, modified);
        assert!(item.is_within(&CategoryPath::parse("a").unwrap()));
        assert!(!item.is_within(&CategoryPath::parse("b").unwrap()));
    }

    #[test]
    fn bytes_that_are_not_read_yet_are_no_news() {
        let name = Filename::parse("a.png").unwrap();
        let item = |tag: MediaTag, size: u64| {
            let modified = Timestamp::from_seconds(5);
            MediaItem::new(name.clone(), "image/png", size, modified, tag, MediaMeta::default())
        };
        let (read, unread) =
            (MediaTag::of_content(Checksum(1), Checksum(2)), MediaTag::of_state(Checksum(3)));
        let (copied, other) = (
            MediaTag::of_content(Checksum(9), Checksum(2)),
            MediaTag::of_content(Checksum(1), Checksum(4)),
        );
        let check = |one: MediaItem, two: MediaItem, known: bool, equal: bool| {
            assert_eq!((one.is_as_known(&two), one == two), (known, equal), "{one:?} {two:?}");
        };
        check(item(read, 7), item(unread, 7), true, false);
        check(item(read, 7), item(copied, 7), true, true);
        check(item(read, 7), item(other, 7), false, false);
        check(item(read, 7), item(unread, 8), false, false);
    }
}
