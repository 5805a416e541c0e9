//! The JSON of entries: rendered once when an entry is indexed, and adapted to each caller.

pub mod admin_render;
pub(crate) mod entry_texts;
pub mod entry_writer;
pub mod link_ids;
pub(crate) mod packed_entry;
pub mod render_cursor;
pub mod rendered_entry;
pub(crate) mod shared_blocks;
pub mod span_table;
