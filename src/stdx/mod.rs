//! Extensions of the standard library that are independent of content.

pub mod animation;
pub mod bitset;
pub mod checksum;
pub mod clock;
pub mod cow_index;
pub mod cow_list;
pub mod cow_map;
mod cow_table;
pub mod fold;
pub mod id;
pub mod image_header;
pub mod ip_address;
pub mod json;
pub mod json_edit;
pub mod json_indent;
pub mod json_schema;
pub mod json_text;
pub mod ordered_work;
pub mod platform;
pub mod slug;
pub mod svg;
pub mod sync;
pub(crate) mod text_enum;
pub mod thumb_hash;
pub mod time;
pub mod url_encoding;
pub mod web_url;
