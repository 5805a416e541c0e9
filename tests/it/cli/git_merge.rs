//! Two clones of one repository: what both changed comes together by itself, unless both changed
//! the same value.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Output;

use serde_json::Value;
use serde_json::json;
use tempfile::TempDir;

use crate::support::command_line::run_well;
use crate::support::property::fresh_seed;
use crate::support::property::given_seed;
use crate::support::random_content::Draw;

/// How many pairs of edits are merged.
const PAIRS: usize = 200;

const POSTS: &str = "workspaces/default/content/posts";

/// A working folder with a repository and a clone of it.
struct Clones {
    folder: TempDir,
}

impl Clones {
    /// Nothing where there is no git.
    fn new(entries: &[(String, Value)]) -> Option<Clones> {
        if Command::new("git").arg("--version").output().is_err() {
            crate::support::skip::skipped("there is no git");
            return None;
        }
        let clones = Clones { folder: tempfile::tempdir().unwrap() };
        run_well(clones.folder.path(), &["init", "ours", "--empty"]);
        let schema = json!({ "fields": {
            "body": { "type": "markdown" }, "n": { "type": "number" }, "tags": { "type": "json" },
            "seo": { "type": "object", "fields": { "title": {}, "text": {} } },
            "rows": { "type": "repeater", "subfields": [{ "key": "q" }, { "key": "a" }] },
            "parts": { "type": "blocks", "blocks": { "p": { "fields": { "t": {}, "u": {} } } } },
        } });
        clones.write("ours", "workspaces/default/schemas/posts.json", &schema);
        fs::create_dir(clones.at("ours").join(POSTS)).unwrap();
        for (name, entry) in entries {
            clones.write("ours", &format!("{POSTS}/{name}.json"), entry);
        }
        clones.git("ours", &["init", "-q", "-b", "main"]);
        clones.introduce("ours");
        clones.commit("ours");
        clones.git(".", &["clone", "-q", "ours", "theirs"]);
        clones.introduce("theirs");
        Some(clones)
    }

    /// Runs the line that stands in `.gitattributes`.
    fn set_up(&self, clone: &str) {
        let attributes = fs::read_to_string(self.at(clone).join(".gitattributes")).unwrap();
        let line = attributes.lines().find_map(|it| it.strip_prefix("#   ")).unwrap();
        for command in line.split(" && ") {
            let (key, value) =
                command.strip_prefix("git config ").unwrap().split_once(' ').unwrap();
            self.git(clone, &["config", key, value.trim_matches('"')]);
        }
    }

    fn introduce(&self, clone: &str) {
        for (key, value) in [("user.name", "T"), ("user.email", "t@example.org")] {
            self.git(clone, &["config", key, value]);
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, clone: &str, path: &str, value: &Value) {
        fs::write(self.at(clone).join(path), format!("{value:#}\n")).unwrap();
    }

    fn read(&self, clone: &str, name: &str) -> String {
        fs::read_to_string(self.at(clone).join(format!("{POSTS}/{name}.json"))).unwrap()
    }

    fn output(&self, clone: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.at(clone));
        command.env("GIT_CONFIG_GLOBAL", self.at("none")).env("GIT_CONFIG_NOSYSTEM", "1");
        let recto = Path::new(env!("CARGO_BIN_EXE_recto")).parent().unwrap().to_path_buf();
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(recto).chain(std::env::split_paths(&paths));
        command.env("PATH", std::env::join_paths(paths).unwrap());
        command.output().unwrap()
    }

    fn git(&self, clone: &str, arguments: &[&str]) -> String {
        let ran = self.output(clone, arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(ran.status.success(), "{arguments:?}: {}{}", text(&ran.stdout), text(&ran.stderr));
        text(&ran.stdout)
    }

    fn commit(&self, clone: &str) {
        self.git(clone, &["add", "-A"]);
        self.git(clone, &["commit", "-q", "-m", "edit"]);
    }

    /// How many files are in conflict.
    fn conflicts(&self) -> usize {
        self.git("ours", &["diff", "--name-only", "--diff-filter=U"]).lines().count()
    }

    /// Brings their commits into ours; whether everything came together.
    fn merge(&self) -> bool {
        self.git("ours", &["fetch", "-q", "../theirs", "main"]);
        self.output("ours", &["merge", "-q", "--no-edit", "FETCH_HEAD"]).status.success()
    }
}

fn entry(number: usize) -> Value {
    let text = |what: &str| format!("{what} of entry {number}");
    json!({
        "title": text("Title"),
        "slug": format!("entry-{number}"),
        "status": "draft",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "updated_by": "nobody",
        "data": {
            "body": text("Body\n\n=======\n"),
            "n": number,
            "tags": ["a", "b"],
            "seo": { "title": text("SEO"), "text": "" },
            "rows": [{ "q": "1", "a": "one" }, { "q": "2", "a": "two" }],
            "parts": [
                { "_type": "p", "_id": "p1", "t": "first", "u": "" },
                { "_type": "p", "_id": "p2", "t": "second", "u": "" },
            ],
        },
    })
}

/// Places of an entry that one edit changes, each with what it becomes.
fn edit(draw: &mut Draw<'_>, entry: &mut Value, who: &str) -> &'static str {
    const PLACES: &[&str] = &[
        "/title",
        "/status",
        "/data/body",
        "/data/n",
        "/data/seo/title",
        "/data/seo/text",
        "/data/rows/0/a",
        "/data/rows/1/a",
        "/data/parts/0/t",
        "/data/parts/1/u",
        "add block",
        "add tag",
    ];
    let place = PLACES[draw.below(PLACES.len())];
    match place {
        "add block" => {
            let block = json!({ "_type": "p", "_id": format!("new-{who}"), "t": who, "u": "" });
            let parts = entry["data"]["parts"].as_array_mut().unwrap();
            parts.insert(draw.below(parts.len() + 1), block);
        }
        "add tag" => entry["data"]["tags"].as_array_mut().unwrap().push(json!(who)),
        "/data/n" => entry["data"]["n"] = json!(format!("{who} 1").len() * 1_000),
        place => *entry.pointer_mut(place).unwrap() = json!(format!("by {who}")),
    }
    let second = 1 + draw.below(58);
    entry["updated_at"] = json!(format!("2026-02-01T00:00:{second:02}Z"));
    entry["updated_by"] = json!(who);
    place
}

/// Where `edit` changed something, in the merged entry.
fn has(entry: &Value, place: &str, who: &str) -> bool {
    let by = json!(format!("by {who}"));
    let block = |at: usize| {
        let parts = entry["data"]["parts"].as_array().unwrap();
        parts.iter().find(|it| it["_id"] == format!("p{at}")).unwrap().clone()
    };
    match place {
        "add block" => entry["data"]["parts"].to_string().contains(&format!("new-{who}")),
        "add tag" => entry["data"]["tags"].as_array().unwrap().contains(&json!(who)),
        "/data/n" => entry["data"]["n"] == format!("{who} 1").len() * 1_000,
        "/data/parts/0/t" => block(1)["t"] == by,
        "/data/parts/1/u" => block(2)["u"] == by,
        place => *entry.pointer(place).unwrap() == by,
    }
}

/// All pairs are merged in one go: each entry was edited in both clones.
#[test]
fn two_clones_that_edit_the_same_entries_come_together() {
    let entries: Vec<(String, Value)> =
        (0..PAIRS).map(|it| (format!("e{it}"), entry(it))).collect();
    let Some(clones) = Clones::new(&entries) else { return };
    let seed = given_seed().unwrap_or_else(fresh_seed);
    let choices = choices(seed, 6 * PAIRS);
    let mut draw = Draw::new(&choices);
    let mut edits = Vec::new();
    for (name, entry) in &entries {
        let (mut ours, mut theirs) = (entry.clone(), entry.clone());
        let (our_place, their_place) =
            (edit(&mut draw, &mut ours, "anna"), edit(&mut draw, &mut theirs, "ben the second"));
        clones.write("ours", &format!("{POSTS}/{name}.json"), &ours);
        clones.write("theirs", &format!("{POSTS}/{name}.json"), &theirs);
        let newest =
            [&ours, &theirs].into_iter().rev().max_by_key(|it| it["updated_at"].to_string());
        edits.push((name, our_place, their_place, newest.unwrap()["updated_at"].clone()));
    }
    clones.commit("ours");
    clones.commit("theirs");
    let n_same =
        edits.iter().filter(|(_, ours, theirs, _)| ours == theirs && ours.starts_with('/'));
    let n_same = n_same.count();
    // To git itself all entries conflict.
    assert!(!clones.merge());
    assert_eq!(clones.conflicts(), PAIRS);
    clones.git("ours", &["merge", "--abort"]);
    clones.set_up("ours");
    assert_eq!(clones.merge(), n_same == 0, "SEED={seed}");
    assert_eq!(clones.conflicts(), n_same, "SEED={seed}");
    for (name, our_place, their_place, updated_at) in edits {
        let text = clones.read("ours", name);
        let is_conflict = our_place == their_place && our_place.starts_with('/');
        assert_eq!(text.contains("\n<<<<<<< ours\n"), is_conflict, "SEED={seed}: {name}: {text}");
        let sides =
            if is_conflict { vec![side(&text, true), side(&text, false)] } else { vec![text] };
        for (at, side) in sides.iter().enumerate() {
            let entry: Value = serde_json::from_str(side).unwrap();
            assert_eq!(entry["updated_at"], updated_at, "SEED={seed}: {name}");
            let (ours, theirs) = (!is_conflict || at == 0, !is_conflict || at == 1);
            assert_eq!(has(&entry, our_place, "anna"), ours, "SEED={seed}: {our_place}: {side}");
            assert_eq!(
                has(&entry, their_place, "ben the second"),
                theirs,
                "SEED={seed}: {their_place}: {side}"
            );
        }
    }
}

/// Numbers that look random, of a seed.
fn choices(seed: u64, count: usize) -> Vec<u16> {
    let mut state = seed | 1;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 48) as u16
    };
    (0..count).map(|_| next()).collect()
}

/// One side of the conflicts in a text.
fn side(text: &str, ours: bool) -> String {
    let mut within = None;
    let mut out = String::new();
    for line in text.lines() {
        match line {
            "<<<<<<< ours" => within = Some(true),
            "=======" if within.is_some() => within = Some(false),
            ">>>>>>> theirs" => within = None,
            line if within.is_none_or(|it| it == ours) => out.push_str(line),
            _ => {}
        }
    }
    out
}

#[test]
fn diffs_show_lines_of_text() {
    let Some(clones) = Clones::new(&[("a".to_string(), entry(1))]) else { return };
    let mut changed = entry(1);
    changed["data"]["body"] = json!("Body\n\n=======\n of nothing");
    changed["data"]["parts"][1]["t"] = json!("changed");
    clones.write("ours", &format!("{POSTS}/a.json"), &changed);
    clones.set_up("ours");
    let diff = clones.git("ours", &["diff", "--unified=0"]);
    let lines: Vec<&str> = diff.lines().filter(|it| it.starts_with(['+', '-'])).skip(2).collect();
    assert_eq!(
        lines,
        [
            "-     of entry 1",
            "+     of nothing",
            "-data.parts[p2].t: second",
            "+data.parts[p2].t: changed",
        ]
    );
}
