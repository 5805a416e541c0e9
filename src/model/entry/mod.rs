//! Entries: pieces of content, read tolerantly from hand-written files and changed by requests.

mod body;
mod cleared_entry;
pub mod entry_file;
mod localized_entry;
mod merge;
mod publication;
mod publication_dates;
mod slugs;
mod stored_entry;
#[cfg(test)]
mod tests;

pub use crate::model::entry::body::Api;
pub use crate::model::entry::body::list_given_fields;
pub use crate::model::entry::body::names_author;
pub use crate::model::entry::body::parse_write_locale;
pub use crate::model::entry::cleared_entry::ClearedEntry;
pub use crate::model::entry::localized_entry::LocalizedEntry;
pub use crate::model::entry::merge::CurrentEntry;
pub use crate::model::entry::merge::EntryWrite;
pub use crate::model::entry::merge::KEYS;
pub use crate::model::entry::merge::MergedEntry;
pub use crate::model::entry::merge::OtherEntries;
pub use crate::model::entry::merge::merge_entry;
pub use crate::model::entry::merge::set_key;
pub use crate::model::entry::publication::EntryStatus;
pub use crate::model::entry::publication::Publication;
pub use crate::model::entry::publication::ScheduledChange;
pub use crate::model::entry::publication::needs_publish;
pub use crate::model::entry::publication_dates::date_publication;
pub use crate::model::entry::slugs::fill_slug_field;
pub use crate::model::entry::slugs::find_unused_slug;
pub use crate::model::entry::stored_entry::Entry;
pub use crate::model::entry::stored_entry::EntryFinding;
pub use crate::model::entry::stored_entry::FileFacts;
pub use crate::model::entry::stored_entry::TITLE_CHARS_MAX;
pub use crate::model::entry::stored_entry::Translation;
