//! House rules that no compiler checks: the modules that a layer may use, the words that stay out
//! of it, the shape of source files, the rooms of these tests, and documents that name everything.
//!
//! A rule is a function from the tree to what breaks it.

mod circles;
mod comments;
mod documents;
mod input;
mod layers;
mod permits;
mod reference_tables;
mod source_files;
mod test_rooms;
