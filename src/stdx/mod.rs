//! What the standard library could have had: it knows nothing of content.

pub mod address;
pub mod bitset;
pub mod clock;
pub mod fold;
pub mod id;
pub mod indent;
pub mod json;
pub mod json_edit;
pub mod list;
pub mod map;
pub mod percent;
pub mod picture;
pub mod platform;
pub mod slug;
pub mod sum;
pub mod svg;
pub mod time;
pub mod web_url;
