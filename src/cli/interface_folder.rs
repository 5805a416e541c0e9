//! The web interface read from a folder instead of from the binary, for developers of the
//! interface: they rebuild it and reload the page.

use std::fs;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::http::interface::InterfaceFiles;

/// The environment variable that has the same meaning as `--admin-dir`.
const VARIABLE: &str = "RECTO_ADMIN_DIR";

#[derive(Debug)]
struct InterfaceFolder(PathBuf);

impl InterfaceFiles for InterfaceFolder {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let mut parts = Path::new(path).components();
        let is_inside = parts.all(|it| matches!(it, Component::Normal(_)));
        if is_inside { fs::read(self.0.join(path)).ok() } else { None }
    }
}

/// Returns the interface files of the named folder, else of the folder in the environment, if any.
pub(super) fn find_files(named: Option<PathBuf>) -> Option<Arc<dyn InterfaceFiles>> {
    let of_environment = || std::env::var_os(VARIABLE).filter(|it| !it.is_empty());
    let folder = named.or_else(|| of_environment().map(PathBuf::from))?;
    tracing::info!(folder = %folder.display(), "the interface is read from a folder");
    Some(Arc::new(InterfaceFolder(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_read() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("dist");
        fs::create_dir_all(folder.join("assets")).unwrap();
        fs::write(folder.join("assets/a.js"), "a").unwrap();
        fs::write(root.path().join("secret"), "b").unwrap();
        let files = find_files(Some(folder)).unwrap();
        assert_eq!(files.read("assets/a.js").as_deref(), Some(&b"a"[..]));
        let absolute = root.path().join("secret").display().to_string();
        for path in ["", "assets", "assets/b.js", "../secret", "assets/../../secret", &absolute] {
            assert_eq!(files.read(path), None, "{path}");
        }
    }
}
