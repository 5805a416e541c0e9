//! Profiles: how much of the interface a document describes.

/// The part of the interface that a document describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenApiProfile {
    /// All of it.
    Full,
    /// Without `include`: relations are ids, so no schema contains itself. Some generators cannot
    /// do with schemas that do.
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

    /// The profile of this name.
    pub fn parse(name: &str) -> Option<OpenApiProfile> {
        match name {
            "full" => Some(OpenApiProfile::Full),
            "simple" => Some(OpenApiProfile::Simple),
            _ => None,
        }
    }
}
