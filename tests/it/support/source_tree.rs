//! The files of this package: their layers, and their code without comments and literals.

use std::path::Path;
use std::path::PathBuf;

/// The layers, lowest first. A module may use those on lower lines; those on one line don't know
/// each other.
const LAYERS: &[&[&str]] = &[
    &["stdx"],
    &["model"],
    &["store", "query"],
    &["engine"],
    &["app"],
    &["net"],
    &["http"],
    &["cli"],
];

/// The position of a module among the layers, if it is one.
pub(crate) fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|it| it.contains(&module))
}

/// The layer that a file of the package belongs to.
pub(crate) fn layer_of(source: &SourceFile) -> Option<&str> {
    let rest = source.path.strip_prefix("src/")?;
    let module = rest.split(['/', '.']).next()?;
    rank(module).map(|_| module)
}

/// A Rust file.
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
    /// The text with comments and literals blanked, so that words are found in code alone.
    pub(crate) code: String,
}

impl SourceFile {
    /// Returns true if the file is made of tests.
    pub(crate) fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.ends_with("_test.rs")
    }

    /// The code before the tests; nothing of files that are tests.
    pub(crate) fn untested(&self) -> &str {
        if self.is_test() {
            return "";
        }
        self.code.split("\nmod tests {").next().unwrap_or_default()
    }

    pub(crate) fn lines(&self) -> usize {
        self.untested().lines().count()
    }

    /// `path:line` of a byte.
    pub(crate) fn line(&self, at: usize) -> String {
        format!("{}:{}", self.path, self.code[..at].matches('\n').count() + 1)
    }
}

/// Returns true if the word at `at` is not the end of a longer one: `print!` is not in `eprint!`.
pub(crate) fn is_word(code: &str, at: usize) -> bool {
    let first = code[at..].starts_with(|it: char| it.is_alphanumeric());
    !(first && code[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_'))
}

/// All Rust files of the package.
pub(crate) fn sources() -> Vec<SourceFile> {
    let rust = files().into_iter().filter(|it| it.extension().is_some_and(|it| it == "rs"));
    let source = |path: PathBuf| {
        let path = path.to_str().unwrap().replace('\\', "/");
        let text = read(&path);
        SourceFile { code: blank_comments_and_literals(&text), path, text }
    };
    rust.map(source).collect()
}

/// All files of the package, relative to its root, without what is built or served.
pub(crate) fn files() -> Vec<PathBuf> {
    const LEFT_OUT: &[&str] = &[
        "target",
        "data",
        ".git",
        "admin/dist",
        "admin/test-results",
        "admin/playwright-report",
        "examples/astro/.astro",
        "examples/astro/dist",
        "examples/eleventy/.cache",
        "examples/eleventy/_site",
        "examples/hugo/public",
        "examples/hugo/resources",
        "examples/next/.next",
        "examples/next/out",
    ];
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let relative = path.strip_prefix(root()).unwrap().to_path_buf();
            if !path.is_dir() {
                files.push(relative);
            } else if !LEFT_OUT.iter().any(|it| relative == Path::new(it))
                && !relative.ends_with("node_modules")
            {
                folders.push(path);
            }
        }
    }
    files.sort();
    files
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn blank_comments_and_literals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let skipped = skipped(rest);
        let (blank, code) = rest.split_at(if skipped > 0 { skipped } else { next.len_utf8() });
        if skipped > 0 {
            out.extend(blank.bytes().map(|it| if it == b'\n' { '\n' } else { ' ' }));
        } else {
            out.push(next);
        }
        rest = code;
    }
    out
}

/// How many bytes at the beginning are a comment or a literal.
fn skipped(rest: &str) -> usize {
    let until = |end: &str, from: usize| {
        rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len())
    };
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until("*/", 2);
    }
    if let Some(raw) = rest.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            return until(&format!("\"{}", "#".repeat(hashes)), hashes + 2);
        }
    }
    if rest.starts_with('"') {
        return quoted(rest, '"');
    }
    let mut chars = rest.chars().skip(1);
    match (rest.starts_with('\''), chars.next(), chars.next()) {
        (true, Some('\\'), _) | (true, Some(_), Some('\'')) => quoted(rest, '\''),
        _ => 0,
    }
}

/// The length of a literal that ends with the quote it begins with.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = true;
    for (at, it) in rest.char_indices() {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            it if it == quote => return at + it.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

pub(crate) fn check(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}
