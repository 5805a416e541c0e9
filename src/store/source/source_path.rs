//! The names of files in sources.

use std::path::Component;
use std::path::Path;

/// The names of folders that no content is in.
pub(super) const JUNK_FOLDERS: &[&str] = &[".git", ".svn", ".hg", "node_modules", "__MACOSX"];

/// The names of files that systems leave in folders.
const JUNK_FILES: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini"];

/// Returns a name in an archive as a path of the source; `None` if it leads out of it.
pub(super) fn to_source_path(name: &str) -> Option<String> {
    let mut steps = Vec::new();
    for step in Path::new(name).components() {
        match step {
            Component::Normal(step) => steps.push(step.to_str()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!steps.is_empty()).then(|| steps.join("/"))
}

/// Returns true if a file at this path is of a system or a tool, and no content.
pub(super) fn is_junk(path: &str) -> bool {
    let mut steps = path.rsplit('/');
    steps.next().is_some_and(|it| JUNK_FILES.contains(&it))
        || steps.any(|it| JUNK_FOLDERS.contains(&it))
}

/// Returns true if a path has one of these endings, which are written without their dot, in any
/// case.
pub fn has_ending(path: &str, endings: &[&str]) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|it| endings.iter().any(|known| it.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_archive() {
        let check = |name: &str, expect: Option<&str>| {
            assert_eq!(to_source_path(name).as_deref(), expect, "{name}");
        };
        check("a/b.json", Some("a/b.json"));
        check("./a/./b", Some("a/b"));
        check("../a", None);
        check("a/../../b", None);
        check("/etc/passwd", None);
        check(".", None);
    }

    #[test]
    fn what_systems_leave_behind_is_no_content() {
        let check = |path: &str, expect: bool| assert_eq!(is_junk(path), expect, "{path}");
        check("a/b.md", false);
        check(".DS_Store", true);
        check("a/.git/HEAD", true);
        check("__MACOSX/a/._b.md", true);
        check("a.git/b.md", false);
    }
}
