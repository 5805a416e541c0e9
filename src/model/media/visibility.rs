//! The visibility of a media file: public or private.

use crate::stdx::json_schema::inline_schema;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::text_enum::text_enum;

text_enum! {
    /// The visibility of a media file.
    #[derive(Default)]
    pub enum Visibility {
        /// Visible to everybody.
        #[default]
        Public = "public",
        /// Visible to callers with `media.read` on the file.
        Private = "private",
    }
}

impl Visibility {
    /// The names of all values.
    pub const NAMES: [&str; 2] = [Visibility::Public.as_str(), Visibility::Private.as_str()];
}

inline_schema!(Visibility, |_| one_of_texts(Visibility::NAMES));
