//! The checks of a data folder before it is opened: its existence and its file permissions.

use std::io;
use std::path::Path;

use crate::cli::config::Config;
use crate::cli::error::CommandError;
use crate::store::data_folder::DataFolder;
use crate::store::disk::OsDisk;
use crate::store::layout;

/// The names that a folder without content may contain: history, the configuration file, and what
/// file systems and desktops create.
const NOT_CONTENT: &[&str] = &[".git", "recto.toml", "lost+found", ".DS_Store"];

/// Sets the umask: the owner may do everything, the owner's group may read, others nothing.
pub(super) fn set_umask() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o027));
}

/// Returns true if there is no content: no folder, or nothing but [`NOT_CONTENT`] in it.
pub(super) fn is_empty(root: &Path) -> Result<bool, CommandError> {
    is_empty_except(root, &[])
}

/// Returns true if there is no content but files and folders with these names.
pub(super) fn is_empty_except(root: &Path, others: &[&str]) -> Result<bool, CommandError> {
    let cannot = |error| CommandError::usage(format!("cannot open {}: {error}", root.display()));
    let names = match std::fs::read_dir(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        listed => listed.map_err(cannot)?,
    };
    for entry in names {
        let name = entry.map_err(cannot)?.file_name();
        if !NOT_CONTENT.iter().chain(others).any(|known| name == *known) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Creates a folder unless it is there.
pub(super) fn make_folder(root: &Path) -> Result<(), CommandError> {
    let cannot = |error| CommandError::usage(format!("cannot make {}: {error}", root.display()));
    std::fs::create_dir_all(root).map_err(cannot)
}

/// Refuses a path that is no data folder, before anything is written into it.
pub(super) fn check_is_folder(root: &Path) -> Result<(), CommandError> {
    if root.join(layout::WORKSPACES).is_dir() {
        return Ok(());
    }
    let root = root.display();
    Err(CommandError::usage(format!(
        "{root} is not a data folder; `recto init {root}` creates one"
    )))
}

/// Refuses a data folder that is read-only, for a command that writes into it.
pub(super) fn check_is_writable(config: &Config) -> Result<(), CommandError> {
    if config.read_only {
        let message = "the data folder is read-only by its configuration (`read_only`)";
        return Err(CommandError::usage(message));
    }
    Ok(())
}

/// Opens a data folder and its state directory.
pub(super) fn open_disk(places: &DataFolder) -> Result<OsDisk, CommandError> {
    check_is_folder(places.root())?;
    places.check_present()?;
    Ok(OsDisk::open_places(places)?)
}

/// Restricts files and folders with secrets to their owner. Returns the number of changed modes.
///
/// # Errors
///
/// Fails if others can write to one of them and its mode cannot be changed.
#[cfg(unix)]
pub(super) fn restrict(places: &DataFolder) -> Result<usize, CommandError> {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    let system = walkdir::WalkDir::new(places.resolve_path(layout::SYSTEM)).follow_links(false);
    let tops = [Some(places.root()), places.state()].into_iter().flatten();
    let runtime = tops.map(|it| walkdir::WalkDir::new(it.join(layout::RUNTIME)).max_depth(0));
    let mut n_changed = 0_usize;
    // A file that cannot be inspected may be missing, and is reported when it is loaded.
    for entry in system.into_iter().chain(runtime.flatten()).flatten() {
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
                let problem = format!(
                    "other users can write to {path}, and Recto cannot change that: {error}"
                );
                return Err(CommandError::failed(problem));
            }
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "other users can read this file")
            }
        }
    }
    Ok(n_changed)
}

/// Does nothing: other systems have no modes.
#[cfg(not(unix))]
pub(super) fn restrict(_places: &DataFolder) -> Result<usize, CommandError> {
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
        assert!(is_empty(root).unwrap() && check_is_folder(root).is_err());
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
        assert_eq!(restrict(&DataFolder::new(root)).unwrap(), 2);
        assert_eq!((mode("system"), mode("system/tokens/a.json")), (0o700, 0o600));
        assert_eq!(mode("workspaces"), 0o755);
        assert_eq!(restrict(&DataFolder::new(root)).unwrap(), 0);
    }
}
