//! What the standard library could have had: it knows nothing of content.

pub mod bitset;
pub mod fold;
pub mod list;
pub mod map;
pub mod slug;
