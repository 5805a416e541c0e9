//! Profiles: how much of the interface a document describes.

/// The part of the interface that a document describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenApiProfile {
    /// All of it.
    Full,
    /// Without `include` and `media`: relations are ids, so no schema contains itself, and media
    /// files are addresses. Some generators cannot do with schemas that contain themselves, or
    /// with values that are a text or an object.
    Simple,
}

impl OpenApiProfile {
    /// The names of the profiles in requests.
    pub const NAMES: &[&str] = &["full", "simple"];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            OpenApiProfile::Full => "full",
            OpenApiProfile::Simple => "simple",
        }
    }

    /// Returns true if a document has the query parameter of this name.
    pub(super) fn has_parameter(self, name: &str) -> bool {
        self == OpenApiProfile::Full || !matches!(name, "include" | "media")
    }

    /// The profile of this name.
    pub fn parse(name: &str) -> Option<OpenApiProfile> {
        match name {
            "full" => Some(OpenApiProfile::Full),
            "simple" => Some(OpenApiProfile::Simple),
            _ => None,
        }
    }
}
