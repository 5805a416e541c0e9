//! The sketch of a picture: what is shown until its bytes have arrived.

use std::sync::Arc;

/// A picture in a few bytes. It is computed from the pixels and never edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureSketch {
    /// The ThumbHash in Base64.
    pub placeholder: Box<str>,
    /// The average colour, such as `#8a6f4d`.
    pub color: Box<str>,
    /// True if the picture moves: it has several frames.
    pub is_animated: bool,
}

/// A sketch that is shared by all who show it; `None` as long as nobody has seen the pixels.
pub type SharedSketch = Option<Arc<PictureSketch>>;
