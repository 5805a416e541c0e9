//! Media files: what is known of one, and who may see it.

mod meta;
mod stored_name;
mod types;
mod upload;

use std::fmt;

use serde::Serialize;
use serde::Serializer;

pub use self::meta::FormerName;
pub use self::meta::KEYS as META_KEYS;
pub use self::meta::MediaMeta;
pub use self::meta::MetaChange;
pub use self::stored_name::stored_name;
pub use self::types::FileType;
pub use self::types::MediaClass;
pub use self::types::UNKNOWN_MIME;
pub use self::types::fitting;
pub use self::types::fitting_extension;
pub use self::types::is_shown_inline;
pub use self::types::mime_by_extension;
pub use self::types::mime_of;
pub use self::upload::Refusal;
pub use self::upload::UploadRules;
use crate::model::category::CategoryPath;
use crate::model::name::Filename;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;

/// Who may see a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everybody.
    #[default]
    Public,
    /// Whoever has `media.read` on it.
    Private,
}

impl Visibility {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Private => "private",
        }
    }

    /// The visibility of that name.
    pub fn parse(text: &str) -> Option<Visibility> {
        [Visibility::Public, Visibility::Private].into_iter().find(|it| it.as_str() == text)
    }
}

impl Serialize for Visibility {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A media file with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaItem {
    /// Its name.
    pub filename: Filename,
    /// Its size in bytes.
    pub size: u64,
    /// Its MIME type, one of those in the table here or [`UNKNOWN_MIME`].
    pub mime: &'static str,
    /// The category it is in.
    pub category: Option<CategoryPath>,
    /// What stands for the file where it cannot be seen.
    pub alt: String,
    /// Its title.
    pub title: String,
    /// Who may see it.
    pub visibility: Visibility,
    /// Pixels across, once somebody has looked.
    pub width: Option<u32>,
    /// Pixels down, once somebody has looked.
    pub height: Option<u32>,
    /// Who uploaded it.
    pub uploaded_by: Option<String>,
    /// When it was uploaded; for a file put there by hand, when it was changed.
    pub uploaded_at: Timestamp,
    /// The names it had before, oldest first.
    pub renamed: Vec<FormerName>,
    /// When its bytes were changed.
    pub modified: Timestamp,
    /// What tells its bytes from others.
    pub tag: MediaTag,
}

/// What tells the bytes of a file from others: their sum, and until they are read the state of the
/// file.
#[derive(Clone, Copy)]
pub struct MediaTag {
    /// The sum of inode, size and times.
    pub state: Sum,
    /// The sum of the bytes, once they are read. Equal on every copy of the folder.
    pub content: Option<Sum>,
    /// The sum of the bytes before the file came into this state, when nothing else tells whether
    /// they are others.
    pub before: Option<Sum>,
}

impl MediaTag {
    /// Of a file whose bytes are not read yet.
    pub fn of_state(state: Sum) -> MediaTag {
        MediaTag { state, content: None, before: None }
    }

    /// Of a file whose bytes are known.
    pub fn of_content(state: Sum, content: Sum) -> MediaTag {
        MediaTag { state, content: Some(content), before: None }
    }

    /// The tag as it is shown.
    pub fn shown(&self) -> Sum {
        self.content.unwrap_or(self.state)
    }
}

/// What is shown counts: copies of a folder are the same.
impl PartialEq for MediaTag {
    fn eq(&self, other: &MediaTag) -> bool {
        self.shown() == other.shown()
    }
}

impl Eq for MediaTag {}

impl fmt::Debug for MediaTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shown())
    }
}

impl MediaItem {
    /// Puts together what the file system and the `media-meta` file say.
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
            title: meta.title,
            visibility: meta.visibility,
            width: None,
            height: None,
            uploaded_by: meta.uploaded_by,
            uploaded_at: meta.uploaded_at.unwrap_or(modified),
            renamed: meta.renamed,
            modified,
            tag,
        }
    }

    /// Another one whenever the bytes may be others.
    pub fn etag(&self) -> Sum {
        self.tag.shown()
    }

    /// Whether nothing is known to be other: bytes that are not read yet may be.
    pub fn is_as_known(&self, other: &MediaItem) -> bool {
        let differs = self.tag.content.zip(other.tag.content).is_some_and(|(one, two)| one != two);
        !differs && *self == MediaItem { tag: self.tag, ..other.clone() }
    }

    /// Whether it is in the category or somewhere below it.
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
            MediaTag::of_state(Sum::default()),
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
        let (read, unread) = (MediaTag::of_content(Sum(1), Sum(2)), MediaTag::of_state(Sum(3)));
        let (copied, other) =
            (MediaTag::of_content(Sum(9), Sum(2)), MediaTag::of_content(Sum(1), Sum(4)));
        let check = |one: MediaItem, two: MediaItem, known: bool, equal: bool| {
            assert_eq!((one.is_as_known(&two), one == two), (known, equal), "{one:?} {two:?}");
        };
        check(item(read, 7), item(unread, 7), true, false);
        check(item(read, 7), item(copied, 7), true, true);
        check(item(read, 7), item(other, 7), false, false);
        check(item(read, 7), item(unread, 8), false, false);
    }
}
