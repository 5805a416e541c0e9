//! The only code that touches the disk: the data folder, read, watched and replaced file by file.
