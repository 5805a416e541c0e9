//! The visibility of a media file: public or private.

use std::borrow::Cow;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use serde::Serialize;
use serde::Serializer;

use crate::stdx::json_schema::one_of_texts;

/// The visibility of a media file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Visible to everybody.
    #[default]
    Public,
    /// Visible to callers with `media.read` on the file.
    Private,
}

impl Visibility {
    /// The names of all values.
    pub const NAMES: [&str; 2] = ["public", "private"];

    /// Returns the name used in files and in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Private => "private",
        }
    }

    /// Returns the visibility with this name.
    pub fn parse(text: &str) -> Option<Visibility> {
        [Visibility::Public, Visibility::Private].into_iter().find(|it| it.as_str() == text)
    }
}

impl Serialize for Visibility {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl JsonSchema for Visibility {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Visibility".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of_texts(Visibility::NAMES)
    }
}
