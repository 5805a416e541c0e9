//! The JSON of entries: rendered once when an entry is indexed, and adapted to each caller.

pub mod admin_render;
pub mod entry_writer;
pub mod link_ids;
pub mod render_cursor;
pub mod rendered_entry;
pub mod span_table;
