//! House rules that no compiler checks: which layer may use which, what may be said where, how
//! large a file may grow, and that the documents tell of everything that is there.
//!
//! A rule is a function from the tree to what breaks it; its lists of exceptions only shrink.

use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;

use recto::app::error::Code;
use recto::model::field::KINDS;
use recto::model::grant::Action;
use recto::model::problem::ProblemKind;
use recto::query::filter::Operator;
use recto::stdx::json::Json;
use recto::stdx::time::Timestamp;

/// The layers, lowest first. A module may use those on lower lines; those on one line don't know
/// each other.
const LAYERS: &[&[&str]] =
    &[&["stdx"], &["model"], &["store", "query"], &["engine"], &["app"], &["http"], &["cli"]];

/// What may not be said where, and why. `in_layers` are those it is forbidden in.
struct Ban {
    words: &'static [&'static str],
    in_layers: &'static [&'static str],
    why: &'static str,
    /// Files, or folders ending with `/`, in which it may be said, each with its reason.
    except: &'static [(&'static str, &'static str)],
}

const ALL: &[&str] = &["stdx", "model", "store", "query", "engine", "app", "http", "cli"];
const BELOW_HTTP: &[&str] = &["stdx", "model", "store", "query", "engine", "app"];
const BELOW_CLI: &[&str] = &["stdx", "model", "store", "query", "engine", "app", "http"];

const BANS: &[Ban] = &[
    Ban {
        words: &[".await", "async fn", "async move", "async {"],
        in_layers: BELOW_HTTP,
        why: "nothing below http/ waits for anything but the disk",
        except: &[],
    },
    Ban {
        words: &["std::fs", "tokio::fs", "File::open", "File::create", "OpenOptions"],
        in_layers: &["stdx", "model", "query", "engine", "app", "http"],
        why: "only store/ touches the file system (cli/ may, for files that are not the store's)",
        except: &[
            ("src/http/reply.rs", "sends a file that the store has opened"),
            ("src/http/range.rs", "sends parts of a file that the store has opened"),
        ],
    },
    Ban {
        words: &["StatusCode", "HeaderMap", "HeaderName", "HeaderValue"],
        in_layers: BELOW_HTTP,
        why: "only http/ knows a status or a header",
        except: &[],
    },
    Ban {
        words: &["SystemTime::now", "Instant::now", "getrandom", "std::env", "Clock"],
        in_layers: &["model", "query"],
        why: "model/ and query/ give the same output for the same input",
        except: &[],
    },
    Ban {
        words: &["crate::store"],
        in_layers: &["model", "query"],
        why: "what is pure does not know the disk",
        except: &[],
    },
    Ban {
        words: &[".unwrap()", "todo!", "unimplemented!", "dbg!"],
        in_layers: ALL,
        why: "no panic is reachable from a request or a file; where nothing can fail, `expect` says why",
        except: &[],
    },
    Ban {
        words: &["println!", "print!"],
        in_layers: BELOW_CLI,
        why: "only commands write to the terminal; everything else is logged",
        except: &[],
    },
    Ban {
        words: &["thread::sleep"],
        in_layers: ALL,
        why: "code waits for facts, not for time",
        except: &[
            ("src/store/lock.rs", "another process holds the lock and will not tell"),
            ("src/engine/refresh.rs", "a file counts as gone or broken only after a grace"),
            ("src/cli/bench/", "load is paced, and other processes are watched"),
        ],
    },
    Ban {
        words: &["crate::{", "super::super"],
        in_layers: ALL,
        why: "every dependency is spelled out, one a line",
        except: &[],
    },
    Ban {
        words: &["#[allow(", "#![allow("],
        in_layers: ALL,
        why: "`expect` says when it is no longer needed",
        except: &[],
    },
];

/// Lines of a file before its tests.
const LINES_MAX: usize = 650;

/// Files that are longer, with what they may have. Whoever makes one shorter lowers its number.
const LONGER: &[(&str, usize)] = &[("src/query/text_index.rs", 720)];

const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["common", "helper", "helpers", "manager", "misc", "util", "utils"];

#[test]
fn a_layer_uses_lower_layers_alone() {
    let found = sources().iter().flat_map(used_upwards).collect();
    check("layers", found);
}

fn used_upwards(source: &Source) -> Vec<String> {
    let Some(own) = source.layer() else { return Vec::new() };
    let code = &source.code;
    let used = code.match_indices("crate::").map(|(at, found)| {
        let rest = &code[at + found.len()..];
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
        (source.line(at), &rest[..end])
    });
    let wrong = used.filter(|(_, module)| match (rank(module), rank(own)) {
        (Some(used), Some(user)) => *module != own && used >= user,
        _ => true,
    });
    wrong.map(|(line, module)| format!("{line}: `{own}` uses `{module}`")).collect()
}

fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|it| it.contains(&module))
}

#[test]
fn words_stay_in_their_layers() {
    let sources = sources();
    for ban in BANS {
        let found = sources.iter().flat_map(|it| said(ban, it)).collect();
        check(ban.why, found);
    }
}

fn said(ban: &Ban, source: &Source) -> Vec<String> {
    let forbidden = source.layer().is_some_and(|it| ban.in_layers.contains(&it));
    let excepted = ban.except.iter().any(|(path, _)| {
        source.path == *path || (path.ends_with('/') && source.path.starts_with(path))
    });
    if !forbidden || excepted {
        return Vec::new();
    }
    let code = source.untested();
    let found = ban.words.iter().flat_map(|word| {
        let places = code.match_indices(word).filter(|(at, _)| is_word(code, *at));
        places.map(move |(at, _)| format!("{}: `{word}`", source.line(at)))
    });
    found.collect()
}

/// Whether what begins at `at` is not the end of a longer word: `print!` is not in `eprint!`.
fn is_word(code: &str, at: usize) -> bool {
    let first = code[at..].starts_with(|it: char| it.is_alphanumeric());
    !(first && code[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_'))
}

#[test]
fn exceptions_are_needed() {
    let sources = sources();
    let mut found = Vec::new();
    for ban in BANS {
        for (path, _) in ban.except {
            let free = Ban { except: &[], words: ban.words, ..*ban };
            let mut there = sources.iter().filter(|it| it.path.starts_with(path));
            if !there.any(|it| !said(&free, it).is_empty()) {
                found.push(format!("{path}: no longer says {:?}", ban.words));
            }
        }
    }
    for (path, lines) in LONGER {
        let now = sources.iter().find(|it| it.path == *path).map_or(0, Source::lines);
        if now <= LINES_MAX || now + 50 < *lines {
            found.push(format!("{path}: has {now} lines, not {lines}"));
        }
    }
    check("exceptions", found);
}

#[test]
fn a_file_opens_with_what_it_is_for() {
    let silent = sources().into_iter().filter(|it| !it.text.starts_with("//! "));
    check("opening", silent.map(|it| it.path).collect());
}

#[test]
fn files_are_short() {
    let sources = sources();
    let long = sources.iter().filter(|it| {
        let most = LONGER.iter().find(|(path, _)| it.path == *path);
        it.lines() > most.map_or(LINES_MAX, |(_, lines)| *lines)
    });
    check("length", long.map(|it| format!("{}: {} lines", it.path, it.lines())).collect());
}

#[test]
fn files_have_names_that_say_something_and_no_weight() {
    let mut found = Vec::new();
    for path in tree() {
        let stem = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        if EMPTY_NAMES.contains(&stem) {
            found.push(format!("{}: says nothing", path.display()));
        }
        let bytes = std::fs::metadata(root().join(&path)).map_or(0, |it| it.len());
        if bytes > FILE_BYTES_MAX {
            found.push(format!("{}: {bytes} bytes", path.display()));
        }
    }
    check("files", found);
}

#[test]
fn every_dependency_has_its_line() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables = sections.iter().filter_map(|it| manifest.get(*it)?.as_table());
    let used: BTreeSet<String> = tables.flat_map(|it| it.keys().cloned()).collect();
    check("docs/DEPENDENCIES.md", differences(&used, &first_cells("docs/DEPENDENCIES.md")));
}

#[test]
fn every_package_of_the_interface_has_its_line() {
    let told = read("admin/DEPENDENCIES.md");
    let mut used = BTreeSet::new();
    for manifest in ["admin/package.json", "admin/client/package.json"] {
        let manifest = Json::parse(read(manifest).as_bytes()).unwrap();
        for section in ["dependencies", "devDependencies"] {
            let packages =
                manifest.as_object().and_then(|it| it.get(section)).and_then(Json::as_object);
            used.extend(
                packages.into_iter().flat_map(|it| it.iter().map(|(key, _)| key.to_owned())),
            );
        }
    }
    assert!(used.len() > 20, "read only {used:?}");
    used.retain(|it| !told.contains(&format!("`{it}`")));
    check("admin/DEPENDENCIES.md", used.into_iter().collect());
}

#[test]
fn every_error_code_is_told_with_its_status() {
    let codes = Code::ALL.iter().map(|it| {
        let status = recto::http::error::status(*it);
        format!("{} | {}", it.as_str(), status.as_u16())
    });
    let told = rows("docs/API.md").into_iter().filter_map(|cells| {
        let (code, status) = (ticked(cells.first()?)?, cells.get(1)?);
        let is_status = status.len() == 3 && status.bytes().all(|it| it.is_ascii_digit());
        is_status.then(|| format!("{code} | {status}"))
    });
    check("docs/API.md", differences(&codes.collect(), &told.collect()));
}

#[test]
fn every_route_is_told() {
    let api = read("docs/API.md");
    let mut found = Vec::new();
    for route in recto::http::routes::table() {
        if !api.contains(&format!("`{} {}`", route.method, route.path)) {
            found.push(format!("{} {}", route.method, route.path));
        }
        for query in route.query.iter().filter(|it| !api.contains(&format!("`{}", it.name))) {
            found.push(format!("{}?{}", route.path, query.name));
        }
    }
    check("docs/API.md", found);
}

#[test]
fn every_name_on_the_wire_is_told() {
    let told = |document: &str, names: Vec<&str>| {
        let text = read(document);
        let missing = names.into_iter().filter(|it| !text.contains(&format!("`{it}`")));
        check(document, missing.map(String::from).collect());
    };
    told("docs/API.md", Action::ALL.iter().map(|it| it.as_str()).collect());
    told("docs/API.md", Operator::ALL.iter().map(|(name, _)| *name).collect());
    told("docs/FORMAT.md", KINDS.iter().map(|it| it.name).collect());
}

#[test]
fn every_kind_of_problem_is_told() {
    let kinds: BTreeSet<String> =
        ProblemKind::ALL.iter().map(|it| it.as_str().to_string()).collect();
    let told = first_cells("docs/FORMAT.md");
    check("docs/FORMAT.md", kinds.difference(&told).cloned().collect());
}

#[test]
fn links_between_documents_lead_somewhere() {
    let documents = tree().into_iter().filter(|it| it.extension().is_some_and(|it| it == "md"));
    let mut found = Vec::new();
    for document in documents {
        let text = read(document.to_str().unwrap());
        let folder = root().join(&document).parent().unwrap().to_path_buf();
        for link in text.split("](").skip(1).filter_map(|it| it.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains("://") && !folder.join(path).exists() {
                found.push(format!("{}: {link}", document.display()));
            }
        }
    }
    check("links", found);
}

#[test]
fn sample_folders_are_without_a_problem() {
    let now = Timestamp::parse("2030-01-01T00:00:00Z").unwrap();
    let mut folders = vec![root().join("data-skeleton")];
    for example in std::fs::read_dir(root().join("examples")).unwrap() {
        let data = example.unwrap().path().join("data");
        if data.is_dir() {
            folders.push(data);
        }
    }
    for folder in folders {
        let problems = recto::engine::check(&folder, now).unwrap();
        let name = folder.strip_prefix(root()).unwrap().display().to_string();
        check(&name, problems.iter().map(ToString::to_string).collect());
    }
}

#[test]
fn comments_and_literals_are_no_code() {
    let check = |text: &str, expect: &str| assert_eq!(blanked(text), expect, "{text}");
    check("a // b\nc", "a     \nc");
    check("a /* b\n */ c", "a     \n    c");
    check(r#"f("x\"y") + 'z'"#, "f(      ) +    ");
    check(r##"f(r#"x"y"#, r"z")"##, "f(        ,     )");
    check(r"fn f<'a>(it: &'a str) { '\'' }", "fn f<'a>(it: &'a str) {      }");
    check("'ä' 'b", "     'b");
}

// ---- the tree ----

/// A Rust file.
struct Source {
    path: String,
    text: String,
    /// The text with comments and literals blanked, so that words are found in code alone.
    code: String,
}

impl Source {
    /// The top-level module it belongs to.
    fn layer(&self) -> Option<&str> {
        let rest = self.path.strip_prefix("src/")?;
        let module = rest.split(['/', '.']).next()?;
        rank(module).map(|_| module)
    }

    /// The code before the tests; nothing of files that are tests.
    fn untested(&self) -> &str {
        if self.path.ends_with("/tests.rs") || self.path.ends_with("_test.rs") {
            return "";
        }
        self.code.split("\nmod tests {").next().unwrap_or_default()
    }

    fn lines(&self) -> usize {
        self.untested().lines().count()
    }

    /// `path:line` of a byte.
    fn line(&self, at: usize) -> String {
        format!("{}:{}", self.path, self.code[..at].matches('\n').count() + 1)
    }
}

/// All Rust files of the package.
fn sources() -> Vec<Source> {
    let rust = tree().into_iter().filter(|it| it.extension().is_some_and(|it| it == "rs"));
    let source = |path: PathBuf| {
        let path = path.to_str().unwrap().replace('\\', "/");
        let text = read(&path);
        Source { code: blanked(&text), path, text }
    };
    rust.map(source).collect()
}

/// All files of the package, relative to its root, without what is built or served.
fn tree() -> Vec<PathBuf> {
    const LEFT_OUT: &[&str] = &[
        "target",
        "data",
        ".git",
        "admin/dist",
        "admin/node_modules",
        "admin/client/node_modules",
        "admin/test-results",
        "admin/playwright-report",
    ];
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let relative = path.strip_prefix(root()).unwrap().to_path_buf();
            if !path.is_dir() {
                files.push(relative);
            } else if !LEFT_OUT.iter().any(|it| relative == Path::new(it)) {
                folders.push(path);
            }
        }
    }
    files.sort();
    files
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn blanked(text: &str) -> String {
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

// ---- documents ----

/// The cells of all table rows of a document.
fn rows(document: &str) -> Vec<Vec<String>> {
    let text = read(document);
    let lines = text.lines().filter_map(|it| it.strip_prefix("| "));
    lines.map(|it| it.split('|').map(|cell| cell.trim().to_string()).collect()).collect()
}

/// The first cells of all table rows that are one name in backticks.
fn first_cells(document: &str) -> BTreeSet<String> {
    rows(document).iter().filter_map(|it| ticked(it.first()?)).map(String::from).collect()
}

fn ticked(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`').filter(|it| !it.contains('`'))
}

fn differences(there: &BTreeSet<String>, told: &BTreeSet<String>) -> Vec<String> {
    let missing = there.difference(told).map(|it| format!("`{it}` is missing"));
    let extra = told.difference(there).map(|it| format!("`{it}` is there no more"));
    missing.chain(extra).collect()
}

fn check(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}
