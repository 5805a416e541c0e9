//! A file by itself as the source of an import.

use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;

use crate::store::archive::shared_file::SharedFile;
use crate::store::source::import_source::ContentSource;
use crate::store::source::import_source::ImportSource;
use crate::store::source::import_source::SourceFile;

/// A file by itself.
pub struct SingleSource {
    file: SharedFile,
    files: Vec<SourceFile>,
}

impl SingleSource {
    /// Creates the source of a file that is called `name`.
    pub fn open(file: File, name: &str) -> io::Result<SingleSource> {
        let bytes = file.metadata()?.len();
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let files = vec![SourceFile { path: name.to_string(), bytes }];
        Ok(SingleSource { file: SharedFile::new(file), files })
    }
}

impl ContentSource for SingleSource {
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        if !self.files.iter().any(|it| it.path == path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut file = self.file.clone();
        file.seek(SeekFrom::Start(0))?;
        Ok(Box::new(file))
    }
}

impl ImportSource for SingleSource {
    fn files(&self) -> &[SourceFile] {
        &self.files
    }

    fn left_out(&self) -> &[(String, String)] {
        &[]
    }

    fn is_single_file(&self) -> bool {
        true
    }
}
