//! Parsers: from the bytes of a file to a value and its problems.

pub(crate) mod file_parser;
pub(crate) mod system_files;
pub(crate) mod workspace_files;
