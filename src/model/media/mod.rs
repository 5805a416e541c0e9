//! Media files: their properties and visibility.

pub mod category;
mod framing;
mod media_item;
mod meta;
mod mime;
mod picture_sketch;
mod stored_name;
mod upload;
mod visibility;

pub use crate::model::media::framing::CropArea;
pub use crate::model::media::framing::FocalPoint;
pub use crate::model::media::framing::Fraction;
pub use crate::model::media::framing::read_crop;
pub use crate::model::media::framing::read_focus;
pub use crate::model::media::media_item::MediaItem;
pub use crate::model::media::media_item::MediaTag;
pub use crate::model::media::meta::FormerName;
pub use crate::model::media::meta::KEYS as META_KEYS;
pub use crate::model::media::meta::MediaMeta;
pub use crate::model::media::meta::MetaChange;
pub use crate::model::media::mime::FileType;
pub use crate::model::media::mime::MediaClass;
pub use crate::model::media::mime::choose_extension;
pub use crate::model::media::mime::detect_mime;
pub use crate::model::media::mime::detect_upload_type;
pub use crate::model::media::mime::is_shown_inline;
pub use crate::model::media::mime::mime_by_extension;
pub use crate::model::media::picture_sketch::PictureSketch;
pub use crate::model::media::picture_sketch::SharedSketch;
pub use crate::model::media::stored_name::build_stored_name;
pub use crate::model::media::upload::UploadRefusal;
pub use crate::model::media::upload::UploadRules;
pub use crate::model::media::visibility::Visibility;
