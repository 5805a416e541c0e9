//! The memory limit of this process: that of its control group, or the memory of the machine.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Returns the memory limit of this process in bytes, if the system provides it.
pub fn limit_bytes() -> Option<u64> {
    find_limit(Path::new("/"))
}

/// Returns the current memory usage of this process in bytes, if the system provides it.
pub fn resident_bytes() -> Option<u64> {
    read_kilobytes(Path::new("/proc/self/status"), "VmRSS:")
}

fn find_limit(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let machine = read_kilobytes(&root.join("proc/meminfo"), "MemTotal:");
    groups.lines().filter_map(|line| find_group_limit(root, line)).chain(machine).min()
}

/// Returns the lowest limit of a control group and its parents, given a line of
/// `/proc/self/cgroup`. Inside a container the path may be that of the host and not exist; then the
/// topmost group applies, which is the container's own.
fn find_group_limit(root: &Path, line: &str) -> Option<u64> {
    let (_, rest) = line.split_once(':')?;
    let (controllers, path) = rest.split_once(':')?;
    let (mount, file) = match controllers {
        "" => (root.join("sys/fs/cgroup"), "memory.max"),
        it if it.split(',').any(|it| it == "memory") => {
            (root.join("sys/fs/cgroup/memory"), "memory.limit_in_bytes")
        }
        _ => return None,
    };
    let mut folder = mount.join(path.trim_start_matches('/'));
    let mut limits = Vec::new();
    loop {
        limits.extend(read_number(&folder.join(file)));
        if folder == mount || !folder.pop() {
            return limits.into_iter().min();
        }
    }
}

/// Reads a number from a file; `None` for `max`.
fn read_number(path: &PathBuf) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// Returns the bytes in a line like `MemTotal:  16316412 kB`.
fn read_kilobytes(path: &Path, key: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|it| it.strip_prefix(key))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_limit_counts() {
        let check = |files: &[(&str, &str)], expect: Option<u64>| {
            let root = tempfile::tempdir().unwrap();
            for (path, text) in files {
                let path = root.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            assert_eq!(find_limit(root.path()), expect, "{files:?}");
        };
        let machine = ("proc/meminfo", "MemFree: 1 kB\nMemTotal:     1000 kB\n");
        let v2 = ("proc/self/cgroup", "0::/a/b\n");
        let v1 = ("proc/self/cgroup", "4:memory:/a\n3:cpu,cpuacct:/a\n0::/\n");
        check(&[], None);
        check(&[machine], Some(1_024_000));
        check(&[machine, v2], Some(1_024_000));
        check(&[machine, v2, ("sys/fs/cgroup/a/b/memory.max", "max\n")], Some(1_024_000));
        let inner = ("sys/fs/cgroup/a/b/memory.max", "700\n");
        check(&[machine, v2, inner], Some(700));
        check(&[machine, v2, inner, ("sys/fs/cgroup/a/memory.max", "600\n")], Some(600));
        check(&[machine, v2, ("sys/fs/cgroup/memory.max", "500\n")], Some(500));
        let first = ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "900\n");
        check(&[machine, v1, first], Some(900));
        let most = ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
        check(&[machine, v1, most], Some(1_024_000));
        check(&[machine, v1, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "800\n")], Some(800));
    }
}
