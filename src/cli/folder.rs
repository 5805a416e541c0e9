//! The data folder before it is opened: whether there is one, and who else may look into it.

use std::io;
use std::path::Path;

use crate::cli::error::Error;
use crate::store::disk;
use crate::store::layout;

/// What may lie in a folder that counts as empty: history, the settings of the server, and what
/// file systems put into theirs.
const NOT_CONTENT: &[&str] = &[".git", "recto.toml", "lost+found", ".DS_Store"];

/// Files are for their owner and, to be read, for the owner's group.
pub(super) fn mask_modes() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o027));
}

/// Whether there is no content: no folder, or nothing of interest in it.
pub(super) fn is_empty(root: &Path) -> Result<bool, Error> {
    let cannot = |error| Error::usage(format!("cannot open {}: {error}", root.display()));
    let names = match std::fs::read_dir(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        listed => listed.map_err(cannot)?,
    };
    for entry in names {
        let name = entry.map_err(cannot)?.file_name();
        if !NOT_CONTENT.iter().any(|known| name == *known) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Refuses what is no data folder, before something is written into it.
pub(super) fn expect(root: &Path) -> Result<(), Error> {
    if root.join(layout::WORKSPACES).is_dir() {
        return Ok(());
    }
    let root = root.display();
    Err(Error::usage(format!("{root} is no data folder; `recto init {root}` makes one")))
}

/// Closes what holds secrets to everybody but the owner, and tells how many modes that changed.
/// Refuses when something there can be written by others and does not let itself be closed.
#[cfg(unix)]
pub(super) fn restrict(root: &Path) -> Result<usize, Error> {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    let system = walkdir::WalkDir::new(root.join(layout::SYSTEM)).follow_links(false);
    let runtime = walkdir::WalkDir::new(root.join(disk::parent(layout::TMP))).max_depth(0);
    let mut n_changed = 0_usize;
    // What cannot be looked at is reported once it is loaded, and may not be there at all.
    for entry in system.into_iter().chain(runtime).flatten() {
        let Ok(found) = entry.metadata() else { continue };
        let (mode, kind) = (found.permissions().mode(), found.file_type());
        if mode & 0o077 == 0 || !(kind.is_dir() || kind.is_file()) {
            continue;
        }
        let closed = Permissions::from_mode(mode & 0o700);
        let path = entry.path();
        match std::fs::set_permissions(path, closed) {
            Ok(()) => n_changed += 1,
            Err(error) if mode & 0o022 != 0 => {
                let path = path.display();
                let problem = format!("{path} can be written by others, and stays so: {error}");
                return Err(Error::failed(problem));
            }
            Err(error) => tracing::warn!(path = %path.display(), %error, "can be read by others"),
        }
    }
    Ok(n_changed)
}

/// Other systems have no modes.
#[cfg(not(unix))]
pub(super) fn restrict(_root: &Path) -> Result<usize, Error> {
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_and_history_are_no_content() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(is_empty(&root.join("missing")).unwrap() && is_empty(root).unwrap());
        std::fs::create_dir(root.join(".git")).unwrap();
        std::fs::write(root.join("recto.toml"), "").unwrap();
        assert!(is_empty(root).unwrap() && expect(root).is_err());
        std::fs::write(root.join("notes.txt"), "").unwrap();
        assert!(!is_empty(root).unwrap());
        assert!(is_empty(&root.join("notes.txt")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn secrets_are_closed_and_content_is_left() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mode = |path: &str| root.join(path).metadata().unwrap().permissions().mode() & 0o777;
        let open = |path: &str, mode| {
            std::fs::set_permissions(root.join(path), PermissionsExt::from_mode(mode)).unwrap();
        };
        std::fs::create_dir_all(root.join("system/tokens")).unwrap();
        std::fs::create_dir_all(root.join("workspaces")).unwrap();
        std::fs::write(root.join("system/tokens/a.json"), "{}").unwrap();
        open("system", 0o755);
        open("system/tokens", 0o700);
        open("system/tokens/a.json", 0o664);
        open("workspaces", 0o755);
        assert_eq!(restrict(root).unwrap(), 2);
        assert_eq!((mode("system"), mode("system/tokens/a.json")), (0o700, 0o600));
        assert_eq!(mode("workspaces"), 0o755);
        assert_eq!(restrict(root).unwrap(), 0);
    }
}
