//! The web interface from a folder instead of from the binary, for people who work on it: they build
//! it again and reload the page.

use std::fs;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::http::interface::Files;

/// Says the same as `--admin-dir`.
const VARIABLE: &str = "RECTO_ADMIN_DIR";

#[derive(Debug)]
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let mut parts = Path::new(path).components();
        let is_inside = parts.all(|it| matches!(it, Component::Normal(_)));
        if is_inside { fs::read(self.0.join(path)).ok() } else { None }
    }
}

/// The folder that was named, else that of the environment, if any.
pub(super) fn files(named: Option<PathBuf>) -> Option<Arc<dyn Files>> {
    let of_environment = || std::env::var_os(VARIABLE).filter(|it| !it.is_empty());
    let folder = named.or_else(|| of_environment().map(PathBuf::from))?;
    tracing::info!(folder = %folder.display(), "the interface is read from a folder");
    Some(Arc::new(Folder(folder)))
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
        let files = files(Some(folder)).unwrap();
        assert_eq!(files.read("assets/a.js").as_deref(), Some(&b"a"[..]));
        let absolute = root.path().join("secret").display().to_string();
        for path in ["", "assets", "assets/b.js", "../secret", "assets/../../secret", &absolute] {
            assert_eq!(files.read(path), None, "{path}");
        }
    }
}
