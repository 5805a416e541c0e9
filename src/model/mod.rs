//! The content model: its types and rules. No input or output, no clock, no randomness.

pub mod backup;
pub mod backup_schedule;
pub mod change;
pub mod content_type;
pub mod entry;
pub mod event;
pub mod event_record;
pub mod field;
pub mod grant;
pub mod input;
pub mod media;
pub mod name;
pub mod people;
pub mod problem;
pub mod release;
pub mod revision;
pub mod saved_view;
pub mod sentence;
pub mod settings;
pub mod three_way_merge;
pub mod unknown_keys;
pub mod webhook;
pub mod workspace;
