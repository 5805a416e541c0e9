//! Paths that are opened beneath a folder: none leads out of it, and none goes through a link.

use std::os::fd::OwnedFd;

use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;

/// Opens `path` without leaving `root` and without following symbolic links.
pub(super) fn open_beneath(
    root: &OwnedFd,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    match open_at_once(root, path, flags | OFlags::CLOEXEC) {
        Err(Errno::NOSYS | Errno::PERM) => open_step_by_step(root, path, flags | OFlags::CLOEXEC),
        opened => opened,
    }
}

#[cfg(target_os = "linux")]
pub(super) fn open_at_once(
    root: &OwnedFd,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    /// The kernel gives up if a folder is renamed in the meantime; another try usually succeeds.
    const TRIES: usize = 8;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    for _ in 1..TRIES {
        match fs::openat2(root, path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN) => {}
            opened => return opened,
        }
    }
    fs::openat2(root, path, flags, Mode::empty(), resolve)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn open_at_once(
    _root: &OwnedFd,
    _path: &str,
    _flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    Err(Errno::NOSYS)
}

/// Opens a path one component at a time, on kernels without `openat2` and in sandboxes that forbid
/// it.
pub(super) fn open_step_by_step(
    root: &OwnedFd,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    if path.split('/').any(|step| matches!(step, "" | "." | "..")) {
        return Err(Errno::XDEV);
    }
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let through = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut folder = None;
    for step in folders.split('/').filter(|_| !folders.is_empty()) {
        let above = folder.as_ref().unwrap_or(root);
        folder = Some(fs::openat(above, step, through, Mode::empty())?);
    }
    let above = folder.as_ref().unwrap_or(root);
    fs::openat(above, name, flags | OFlags::NOFOLLOW, Mode::empty())
}
