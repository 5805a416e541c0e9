//! New versions of the program: where they are downloaded to, and how they are installed.

pub mod program_file;
pub mod update_store;
