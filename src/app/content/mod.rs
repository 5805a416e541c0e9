//! Use cases of content: content types, entries, their revisions, the trash, lists and search.

pub mod cache_tags;
pub mod change_access;
pub(crate) mod change_files;
pub mod changes;
pub mod content_types;
pub mod entries;
pub(crate) mod entry_links;
pub mod feeds;
pub mod future;
pub mod large_frames;
pub mod list_cache;
pub mod markdown_html;
pub mod markdown_preview;
pub mod presence;
pub mod preview_origins;
pub(crate) mod proposed_uses;
pub mod revisions;
pub mod saved_views;
pub mod search;
mod search_match;
pub mod sitemap;
pub mod sync;
pub mod trash;
pub(crate) mod unreadable_files;
pub mod write_target;
