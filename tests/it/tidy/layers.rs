//! The rules of the layers: the modules that a layer may use, and the words that stay out of it.
//! The lists of exceptions only shrink.

use crate::support::source_tree::SourceFile;
use crate::support::source_tree::check;
use crate::support::source_tree::is_word;
use crate::support::source_tree::layer_of;
use crate::support::source_tree::rank;
use crate::support::source_tree::sources;

/// What may not be said where, and why. `in_layers` are those it is forbidden in.
struct Ban {
    words: &'static [&'static str],
    in_layers: &'static [&'static str],
    why: &'static str,
    /// Files, or folders ending with `/`, in which it may be said, each with its reason.
    except: &'static [(&'static str, &'static str)],
}

const ALL: &[&str] = &["stdx", "model", "store", "query", "engine", "app", "net", "http", "cli"];
const BELOW_NET: &[&str] = &["stdx", "model", "store", "query", "engine", "app"];
const BELOW_CLI: &[&str] = &["stdx", "model", "store", "query", "engine", "app", "net", "http"];

const BANS: &[Ban] = &[
    Ban {
        words: &[".await", "async fn", "async move", "async {"],
        in_layers: BELOW_NET,
        why: "nothing below net/ waits for anything but the disk",
        except: &[],
    },
    Ban {
        words: &["std::fs", "tokio::fs", "File::open", "File::create", "OpenOptions"],
        in_layers: &["stdx", "model", "query", "engine", "app", "net", "http"],
        why: "only store/ touches the file system (cli/ may, for files that are not the store's)",
        except: &[
            ("src/http/wire/reply.rs", "sends a file that the store has opened"),
            ("src/http/wire/range.rs", "sends parts of a file that the store has opened"),
        ],
    },
    Ban {
        words: &["StatusCode", "HeaderMap", "HeaderName", "HeaderValue"],
        in_layers: BELOW_NET,
        why: "only http/ and net/ know a status or a header",
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
            ("src/store/read/watch.rs", "events that follow each other are received together"),
            ("src/engine/folder/file_state.rs", "a file counts as gone only after a grace"),
            ("src/engine/follower/refresh.rs", "tests and tools wait until all is believed"),
            ("src/cli/database.rs", "a database that is away does not tell when it is back"),
            (
                "src/store/cluster/postgres/mod.rs",
                "a database that is away does not tell when it is back",
            ),
        ],
    },
    Ban {
        words: &["crate::{", "super::super"],
        in_layers: ALL,
        why: "every dependency is spelled out, one a line",
        except: &[],
    },
    Ban {
        words: &["Permit::for_setting"],
        in_layers: ALL,
        why: "only a setting of the operator permits a change without a caller",
        except: &[("src/app/jobs/retention.rs", "the trash is emptied by the clock")],
    },
    Ban {
        words: &["Permit::for_failed_plan"],
        in_layers: ALL,
        why: "only the failure of a plan is written down without a caller",
        except: &[("src/app/content/changes/plan.rs", "nobody is there when it fails")],
    },
    Ban {
        words: &["Permit::for_operator"],
        in_layers: ALL,
        why: "only the command line is the operator's",
        except: &[
            ("src/cli/user.rs", "users are managed also when nobody can log in"),
            ("src/cli/token.rs", "tokens are managed by scripts"),
            ("src/cli/import/mod.rs", "content is imported before anybody can log in"),
            ("src/cli/replicate/mod.rs", "content is pulled where nobody logs in"),
        ],
    },
    Ban {
        words: &["Permit::for_own_account"],
        in_layers: ALL,
        why: "hardly anything can be done to one's own account without a grant",
        except: &[
            ("src/app/people/sessions.rs", "a login records its time and a stronger hash"),
            ("src/app/people/second_factor.rs", "a role may require a second factor"),
            ("src/app/content/saved_views.rs", "everybody keeps saved views"),
        ],
    },
    Ban {
        words: &["Permit::for_first_setup"],
        in_layers: ALL,
        why: "nobody has grants only before the first user is there",
        except: &[("src/app/people/sessions.rs", "makes the first user")],
    },
    Ban {
        words: &["Permit::from_decision"],
        in_layers: &["stdx", "store", "query", "engine", "app", "net", "http", "cli"],
        why: "only a decision on grants makes a permit",
        except: &[],
    },
    Ban {
        words: &["#[allow(", "#![allow("],
        in_layers: ALL,
        why: "`expect` says when it is no longer needed",
        except: &[],
    },
];

#[test]
fn a_layer_uses_lower_layers_alone() {
    let found = sources().iter().flat_map(used_upwards).collect();
    check("Modules that use a higher layer (docs/ARCHITECTURE.md, Code map)", found);
}

fn used_upwards(source: &SourceFile) -> Vec<String> {
    let Some(own) = layer_of(source) else { return Vec::new() };
    let used = used_modules(source, &source.code, "crate::").into_iter();
    let wrong = used.filter(|(_, module)| match (rank(module), rank(own)) {
        (Some(used), Some(user)) => *module != own && used >= user,
        _ => true,
    });
    wrong.map(|(line, module)| format!("{line}: `{own}` uses `{module}`")).collect()
}

/// The modules that the code names behind a path, with their lines.
fn used_modules<'s>(source: &SourceFile, code: &'s str, path: &str) -> Vec<(String, &'s str)> {
    let used = code.match_indices(path).map(|(at, found)| {
        let rest = &code[at + found.len()..];
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
        (source.line(at), &rest[..end])
    });
    used.collect()
}

#[test]
fn a_room_of_http_uses_lower_rooms_alone() {
    let rooms = ["wire", "interface", "request", "openapi", "api", "routes", "service"];
    let rank = |room: &str| rooms.iter().position(|it| *it == room);
    let mut found = Vec::new();
    for source in sources().iter().filter(|it| it.path.starts_with("src/http/")) {
        let Some(own) = source.path.split(['/', '.']).nth(2).and_then(rank) else { continue };
        let used = used_modules(source, source.untested(), "crate::http::").into_iter();
        let wrong = used.filter(|(_, room)| rank(room).is_none_or(|it| it > own));
        found.extend(wrong.map(|(line, room)| format!("{line}: uses `{room}`")));
    }
    check("Modules of http that use a later one", found);
}

/// What makes a snapshot or a part of it.
const SNAPSHOT_MAKERS: &[&str] = &[
    "Snapshot::new",
    "TypeIndex::build",
    "MediaIndex::build",
    ".with_types(",
    ".with_media(",
    ".with_unsupported(",
    ".advance_to(",
    "EntryChange {",
];

/// What a pure function does not know.
const IMPURE: &[&str] = &["tracing::", "OpenFolder", "dyn Disk", "Clock", "Mutex", "Loader"];

#[test]
fn files_become_snapshots_in_one_pure_place() {
    let sources = sources();
    let engine = || sources.iter().filter(|it| it.path.starts_with("src/engine/"));
    let (place, others): (Vec<_>, Vec<_>) =
        engine().partition(|it| it.path.starts_with("src/engine/apply/"));
    assert!(!place.is_empty());
    let made = others.iter().flat_map(|it| find_words(it, SNAPSHOT_MAKERS)).collect();
    check("Only engine/apply/ makes snapshots, but these do", made);
    let impure = place.iter().flat_map(|it| find_words(it, IMPURE)).collect();
    check("engine/apply/ gives the same snapshot for the same files, but uses", impure);
}

#[test]
fn words_stay_in_their_layers() {
    let sources = sources();
    for ban in BANS {
        let found = sources.iter().flat_map(|it| said(ban, it)).collect();
        check(ban.why, found);
    }
}

fn said(ban: &Ban, source: &SourceFile) -> Vec<String> {
    let forbidden = layer_of(source).is_some_and(|it| ban.in_layers.contains(&it));
    let excepted = ban.except.iter().any(|(path, _)| {
        source.path == *path || (path.ends_with('/') && source.path.starts_with(path))
    });
    if !forbidden || excepted {
        return Vec::new();
    }
    find_words(source, ban.words)
}

/// The places of these words in the code of a source file, outside its tests.
fn find_words(source: &SourceFile, words: &[&str]) -> Vec<String> {
    let code = source.untested();
    let found = words.iter().flat_map(|word| {
        let places = code.match_indices(word).filter(|(at, _)| is_word(code, *at));
        places.map(move |(at, _)| format!("{}: `{word}`", source.line(at)))
    });
    found.collect()
}

#[test]
fn exceptions_of_layers_are_needed() {
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
    check("Exceptions in this test that are no longer needed", found);
}
