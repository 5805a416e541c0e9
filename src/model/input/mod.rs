//! Readers of JSON objects that people and programs send or write: typed access to the members, one
//! wording for each kind of mistake, and all problems with their paths at once.
//!
//! What the values of an entry's fields may be is decided by the kinds of fields
//! (`model::field`), which use the same wording.

mod object_reader;
mod parsed_body;
pub mod wording;

pub use object_reader::ObjectReader;
pub use object_reader::check_length;
pub use object_reader::check_line;
pub use parsed_body::ParsedBody;
