//! The sizes of the files of an import. One that Recto could not read back is not written.

use crate::app::import::planner::Planner;
use crate::app::import::report::SourcePlace;
use crate::engine::file_set::SetContent;
use crate::engine::file_size::find_passed_limit;
use crate::store::disk::Stat;
use crate::store::layout::Key;

impl Planner<'_, '_> {
    /// Adds a new file, made of what is at the place of the source.
    pub(super) fn create_file(&mut self, place: &SourcePlace, key: Key, bytes: Vec<u8>) {
        match find_excess(&key, &bytes) {
            Some(message) => self.report.add_problem(place.clone(), message),
            None => self.files.create(key, bytes),
        }
    }

    /// Adds a file that replaces the one with this stat.
    pub(super) fn replace_file(
        &mut self,
        place: &SourcePlace,
        key: Key,
        bytes: Vec<u8>,
        before: Option<Stat>,
    ) {
        match find_excess(&key, &bytes) {
            Some(message) => self.report.add_problem(place.clone(), message),
            None => self.files.replace(key, bytes, before),
        }
    }

    /// Reports files that are too large among those that no single place of the source becomes.
    pub(super) fn report_large_files(&mut self) {
        for file in &self.files.files {
            let SetContent::Bytes(bytes) = &file.content else { continue };
            if let Some(message) = find_excess(&file.key, bytes) {
                let message = format!("`{}`: {message}", file.key.path());
                self.report.add_problem(SourcePlace::default(), message);
            }
        }
    }
}

/// Returns a sentence about a file that would be too large.
pub(super) fn find_excess(key: &Key, bytes: &[u8]) -> Option<String> {
    let most = find_passed_limit(key, bytes)?;
    Some(format!("This would make a file larger than {most} bytes."))
}
