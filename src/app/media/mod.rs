//! Media files: their form in responses. The modules below list and change them.

mod body_fields;
pub mod categories;
pub mod decode_budget;
pub mod delete;
pub mod encoding;
mod former_names;
mod linear_light;
pub mod list;
mod media_change;
pub mod media_files;
pub mod media_inputs;
mod media_view;
pub mod meta;
pub mod pictures;
pub mod rename;
pub(crate) mod sketches;
pub mod thumbnails;
pub mod upload;
pub mod usages;

pub(crate) use crate::app::media::former_names::FormerNames;
pub(crate) use crate::app::media::former_names::missing_file_warnings;
pub use crate::app::media::media_change::CategoryList;
pub use crate::app::media::media_change::MediaAnswer;
pub use crate::app::media::media_change::MediaAnswerMeta;
pub use crate::app::media::media_view::MediaView;
pub use crate::app::media::media_view::find_item;
pub use crate::app::media::media_view::has_thumbnail;
pub use crate::app::media::media_view::may_see;
pub use crate::app::media::media_view::render_item;
pub(crate) use crate::app::media::media_view::split_base;
pub(crate) use crate::app::media::media_view::visibility_filter;
