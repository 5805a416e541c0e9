//! The options of a data folder of the original.

/// The options of a data folder of the original.
#[derive(Clone, Debug, Default)]
pub struct PhpOptions {
    /// The workspace of the source; the one of the same name unless given.
    pub from: Option<String>,
}
