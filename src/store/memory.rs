//! How much memory this process may use: what its control group allows, or what the machine has.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// The limit on the memory of this process in bytes; none where the system does not tell.
pub fn limit_bytes() -> Option<u64> {
    limit_below(Path::new("/"))
}

/// How much memory this process has right now, in bytes; none where the system does not tell.
pub fn resident_bytes() -> Option<u64> {
    kilobytes(Path::new("/proc/self/status"), "VmRSS:")
}

fn limit_below(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let machine = kilobytes(&root.join("proc/meminfo"), "MemTotal:");
    groups.lines().filter_map(|line| group_limit(root, line)).chain(machine).min()
}

/// The tightest limit of a control group and those it is in, by a line of `/proc/self/cgroup`.
/// Inside a container the path may be that of the host, where nothing is; then the topmost group
/// counts, which is the container's own.
fn group_limit(root: &Path, line: &str) -> Option<u64> {
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
        limits.extend(number(&folder.join(file)));
        if folder == mount || !folder.pop() {
            return limits.into_iter().min();
        }
    }
}

/// The number in a file; none for `max`.
fn number(path: &PathBuf) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// A line like `MemTotal:  16316412 kB` in bytes.
fn kilobytes(path: &Path, key: &str) -> Option<u64> {
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
            assert_eq!(limit_below(root.path()), expect, "{files:?}");
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
