//! The ceiling of durable writes: makes a file durable, then its name.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use crate::BenchError;
use crate::histogram::Histogram;
use crate::load::LoadReport;

/// A folder into which files are written durably.
pub(crate) struct DurableFolder {
    folder: PathBuf,
    opened: File,
    written: AtomicU64,
}

impl DurableFolder {
    /// Opens the folder, which is created if it is missing.
    pub(crate) fn open(folder: &Path) -> Result<Self, BenchError> {
        std::fs::create_dir_all(folder).map_err(BenchError::file(folder))?;
        let opened = File::open(folder).map_err(BenchError::file(folder))?;
        Ok(DurableFolder { folder: folder.to_path_buf(), opened, written: AtomicU64::new(0) })
    }

    /// Writes a file under the next name.
    pub(crate) fn write_next(&self, bytes: &[u8]) -> std::io::Result<()> {
        let number = self.written.fetch_add(1, Relaxed);
        let unfinished = self.folder.join(format!("{number}.tmp"));
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&unfinished, self.folder.join(format!("{number}.json")))?;
        self.opened.sync_all()
    }
}

/// A loop on one thread that writes the same bytes again and again.
pub(crate) struct RawLoop {
    folder: DurableFolder,
    bytes: Vec<u8>,
}

impl RawLoop {
    /// Opens the folder to write to.
    pub(crate) fn open(folder: &Path, bytes: Vec<u8>) -> Result<Self, BenchError> {
        Ok(RawLoop { folder: DurableFolder::open(folder)?, bytes })
    }

    /// Writes for so long.
    pub(crate) fn run(&mut self, time: Duration) -> Result<LoadReport, BenchError> {
        let (start, mut latency, mut answers) = (Instant::now(), Histogram::new(), 0);
        let mut now = start;
        while now - start < time {
            let written = self.folder.write_next(&self.bytes);
            written.map_err(BenchError::file(&self.folder.folder))?;
            let done = Instant::now();
            latency.add(done - now);
            (now, answers) = (done, answers + 1);
        }
        Ok(LoadReport {
            answers,
            errors: 0,
            first_error: None,
            body_bytes: answers * self.bytes.len() as u64,
            elapsed: now - start,
            latency,
            acknowledged: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_raw_loop_writes_what_it_counts() {
        let parent = tempfile::tempdir().expect("a folder");
        let mut raw = RawLoop::open(&parent.path().join("raw"), b"{}\n".to_vec()).expect("opened");
        let reports = [raw.run(Duration::from_millis(1)), raw.run(Duration::from_millis(1))];
        let counted: u64 = reports.map(|report| report.expect("written").answers).iter().sum();
        let files = std::fs::read_dir(parent.path().join("raw")).expect("listed").count();
        assert!(counted >= 2 && files as u64 == counted, "{files} files, {counted} counted");
    }
}
