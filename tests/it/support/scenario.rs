//! Scenarios over HTTP: their files, and the service that they are played on.

pub(crate) mod asked;
mod choices;
pub(crate) mod clock;
pub(crate) mod direct;
pub(crate) mod documented;
pub(crate) mod hunks;
pub(crate) mod people;
pub(crate) mod print;
pub(crate) mod script;
pub(crate) mod stage;

use std::path::Path;
use std::path::PathBuf;

/// All scenario files, in order.
pub(crate) fn scenario_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(root)
        .into_iter()
        .map(|it| it.unwrap().into_path())
        .filter(|it| it.extension().is_some_and(|it| it == "http"))
        .collect();
    // The release that is installed there is a program for Linux.
    files.retain(|it| cfg!(target_os = "linux") || !it.ends_with("admin/updates-release.http"));
    files.sort();
    files
}
