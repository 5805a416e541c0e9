//! Types and rules of content: no input or output, no clock, no randomness.

pub mod backup;
pub mod category;
pub mod content_type;
pub mod entry;
pub mod entry_file;
pub mod event;
pub mod field;
pub mod field_effects;
pub mod grant;
pub mod media;
pub mod name;
pub mod problem;
mod record;
pub mod release;
pub mod renames;
pub mod revision;
pub mod role;
pub mod schema;
pub mod session;
pub mod settings;
pub mod token;
pub mod user;
pub mod version;
pub mod webhook;
pub mod workspace;
