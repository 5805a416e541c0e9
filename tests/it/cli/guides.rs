//! The commands of the README and of the guides: each page runs in a folder of its own, beside a
//! server with the sample content, so that no page can promise what is not so.
//!
//! A comment in front of a block of code says what becomes of it:
//!
//! | Comment | The block |
//! |---|---|
//! | `<!-- run -->` | runs, and every command succeeds |
//! | `<!-- run; the output contains`, lines, `-->` | runs, and prints these texts in this order |
//! | `<!-- file PATH -->` | is written into a file |
//! | `<!-- prepare`, commands, `-->` | none; the commands run, and readers do not see them |
//! | `<!-- not run: REASON -->` | is only shown |
//!
//! Every block of `sh` has such a comment. Each `curl` prints one of the texts, unless its output
//! goes to a file.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::command_line::Server;
use crate::support::command_line::folder;
use crate::support::skip::skipped;
use crate::support::source_tree::read;

/// The functions that the commands of a page need. A saved file takes a moment until it is served,
/// so a request is sent again until its answer has the expected text.
const PRELUDE: &str = r#"
set -u -o pipefail
recto() { command "$RECTO" "$@"; }
curl() { command curl -sS --fail-with-body "$@"; }
next=0
tries=600
step() {
    local status
    for _ in $(seq "$tries"); do
        if eval "$1" >"$output" 2>&1; then status=0; else status=$?; fi
        while [ "$status" = 0 ] && [ "$next" -lt "${#texts[@]}" ] &&
            grep -qF -- "${texts[$next]}" "$output"; do
            next=$((next + 1))
            if [[ $1 == curl* ]]; then return; fi
        done
        if [[ $1 != curl* || $1 == *" > "* ]]; then break; fi
        sleep 0.1
    done
    if [[ $1 == curl* && $1 != *" > "* || $status != 0 ]]; then
        printf '%s\nended with %s, and should have given: %s\nbut gave: %s\n' \
            "$1" "$status" "${texts[$next]:-nothing that the page says}" "$(cat "$output")"
        exit 1
    fi
}
"#;

#[derive(Debug, PartialEq)]
enum Block {
    /// Commands, and the texts that they print.
    Commands(Vec<String>, Vec<String>),
    /// The content of a file.
    File(String, String),
}

#[derive(Default)]
struct Page {
    blocks: Vec<Block>,
    /// The lines of blocks of `sh` without a comment.
    unmarked: Vec<usize>,
}

impl Page {
    fn parse(text: &str) -> Page {
        let mut page = Page::default();
        let mut comment = String::new();
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if line.starts_with("<!-- ") {
                comment = line.to_owned();
                while !comment.ends_with("-->") {
                    let (_, line) = lines.next().expect("a comment ends");
                    comment = format!("{comment}\n{line}");
                }
                if comment.starts_with("<!-- prepare\n") {
                    let commands: Vec<&str> = comment.lines().skip(1).collect();
                    let commands = split_commands(&commands[..commands.len() - 1]);
                    page.blocks.push(Block::Commands(commands, Vec::new()));
                }
            } else if let Some(language) = line.strip_prefix("```") {
                let code: Vec<&str> =
                    lines.by_ref().map(|(_, it)| it).take_while(|it| *it != "```").collect();
                page.add(number + 1, language, &std::mem::take(&mut comment), &code);
            } else {
                comment.clear();
            }
        }
        page
    }

    fn add(&mut self, line: usize, language: &str, comment: &str, code: &[&str]) {
        let says = comment.trim_start_matches("<!-- ").trim_end_matches("-->").trim();
        if let Some(path) = says.strip_prefix("file ") {
            self.blocks.push(Block::File(path.to_owned(), code.join("\n") + "\n"));
        } else if says == "run" || says.starts_with("run;") {
            let texts = says.lines().skip(1).map(str::to_owned).collect();
            self.blocks.push(Block::Commands(split_commands(code), texts));
        } else if language == "sh" && !says.starts_with("not run: ") {
            self.unmarked.push(line);
        }
    }
}

/// Splits a block into commands: a line each, but for lines that go on, and for loops.
fn split_commands(code: &[&str]) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let (mut goes_on, mut depth) = (false, 0_usize);
    for line in code {
        if !goes_on && (line.is_empty() || line.starts_with('#')) {
            continue;
        }
        match commands.last_mut().filter(|_| goes_on) {
            Some(last) => *last = format!("{last}\n{line}"),
            None => commands.push((*line).to_owned()),
        }
        depth += usize::from(line.ends_with("; do"));
        depth -= usize::from(line.starts_with("done"));
        goes_on = line.ends_with('\\') || depth > 0;
    }
    commands
}

/// Quotes a text for the shell.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The script that runs a page.
fn render_script(page: &Page, address: &str) -> String {
    let mut script = PRELUDE.to_owned();
    let mut texts = Vec::new();
    let mut steps = String::new();
    for block in &page.blocks {
        match block {
            Block::File(path, content) => {
                let path = quote(path);
                steps += &format!("mkdir -p \"$(dirname {path})\"\n");
                steps += &format!("printf %s {} >{path}\n", quote(content));
            }
            Block::Commands(commands, expected) => {
                for command in commands {
                    let command = command.replace("cargo run --release -q --", "recto");
                    let command = command.replace("http://localhost:8080", address);
                    let command = command.replace("https://cms.example.org", address);
                    steps += &format!("step {}\n", quote(&command));
                }
                texts.extend(expected.iter().map(|it| quote(it)));
                let all = format!("[ \"$next\" = {} ]", texts.len());
                steps +=
                    &format!("{all} || {{ echo \"nothing gave: ${{texts[$next]}}\"; exit 1; }}\n");
            }
        }
    }
    script += &format!("texts=({})\n", texts.join(" "));
    script += &format!("API_ADDRESS={address}\n");
    script += "output=$(mktemp)\ntrap 'rm -f \"$output\"' EXIT\n";
    script + &steps
}

fn has_commands(names: &[&str]) -> bool {
    let missing = names.iter().find(|it| {
        let found = Command::new("sh").args(["-c", &format!("command -v {it}")]).output();
        !found.is_ok_and(|it| it.status.success())
    });
    if let Some(name) = missing {
        skipped(&format!("there is no {name}"));
    }
    missing.is_none()
}

/// Runs a page, of which at least so many commands have to be found.
fn run_page(path: &str, commands_min: usize) {
    if !has_commands(&["bash", "curl", "git", "jq"]) {
        return;
    }
    let page = Page::parse(&read(path));
    assert_eq!(page.unmarked, Vec::<usize>::new(), "{path}: nothing says what runs in these lines");
    let commands = |it: &Block| match it {
        Block::Commands(commands, _) => commands.len(),
        Block::File(..) => 0,
    };
    let found: usize = page.blocks.iter().map(commands).sum();
    assert!(found >= commands_min, "{path}: only {found} commands");
    if found == 0 {
        return;
    }
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let (_, rest) = server.ready.split_once("http://").unwrap();
    let address = format!("http://{}", rest.split([' ', '/']).next().unwrap());
    run_script(folder.path(), path, &render_script(&page, &address));
}

fn run_script(folder: &Path, path: &str, script: &str) {
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(script).current_dir(folder).env("HOME", folder);
    bash.env("PATH", path_with_recto(folder)).env("RECTO", env!("CARGO_BIN_EXE_recto"));
    for (name, value) in [("AUTHOR", "Robin"), ("COMMITTER", "Robin")] {
        bash.env(format!("GIT_{name}_NAME"), value);
        bash.env(format!("GIT_{name}_EMAIL"), "robin@example.org");
    }
    let ran = bash.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{path}: {}{}", text(&ran.stdout), text(&ran.stderr));
}

/// A path on which git finds `recto` when it merges.
fn path_with_recto(folder: &Path) -> String {
    let commands = folder.join("commands");
    fs::create_dir_all(&commands).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_recto"), commands.join("recto")).unwrap();
    format!("{}:{}", commands.display(), std::env::var("PATH").unwrap())
}

/// A test for each page with commands.
macro_rules! pages {
    ($($name:ident: $path:literal, $commands_min:literal;)*) => {
        $(
            #[test]
            fn $name() {
                run_page($path, $commands_min);
            }
        )*
        const PAGES: &[&str] = &[$($path),*];
    };
}

pages! {
    readme: "README.md", 12;
    backups: "docs/guides/backups.md", 3;
    building_sites: "docs/guides/building-sites.md", 2;
    caching: "docs/guides/caching.md", 0;
    changes: "docs/guides/changes.md", 0;
    comparison: "docs/guides/comparison.md", 0;
    editing_by_hand: "docs/guides/editing-by-hand.md", 20;
    editors: "docs/guides/editors.md", 0;
    exporting: "docs/guides/exporting.md", 6;
    faq: "docs/guides/faq.md", 0;
    importing: "docs/guides/importing.md", 3;
    modelling_content: "docs/guides/modelling-content.md", 8;
    preview: "docs/guides/preview.md", 0;
    proxy_login: "docs/guides/proxy-login.md", 0;
    pull_and_push: "docs/guides/pull-and-push.md", 6;
    quick_start: "docs/guides/quick-start.md", 6;
    running_a_server: "docs/guides/running-a-server.md", 1;
    static_export: "docs/guides/static-export.md", 1;
    troubleshooting: "docs/guides/troubleshooting.md", 3;
    writing_from_scripts: "docs/guides/writing-from-scripts.md", 10;
}

#[test]
fn every_guide_is_run() {
    let guides = fs::read_dir("docs/guides").unwrap().map(|it| it.unwrap().file_name());
    let missing: Vec<String> = guides
        .map(|it| format!("docs/guides/{}", it.to_str().unwrap()))
        .filter(|it| !PAGES.contains(&it.as_str()))
        .collect();
    assert!(missing.is_empty(), "nothing runs {missing:?}");
}

#[test]
fn blocks_are_read_as_their_comments_say() {
    let page = Page::parse(
        "<!-- run; the output contains\na\n-->\n```sh\n# A comment.\ncurl x \\\n  y\nfor a in b; do\n  \
         echo $a\ndone | cat\n```\n\n<!-- file a/b.json -->\n```json\n{}\n```\n```sh\nrm\n```\n\
         <!-- not run: no -->\n```sh\nrm\n```\n",
    );
    let commands = ["curl x \\\n  y", "for a in b; do\n  echo $a\ndone | cat"];
    let expect = [
        Block::Commands(commands.map(str::to_owned).to_vec(), vec!["a".to_owned()]),
        Block::File("a/b.json".to_owned(), "{}\n".to_owned()),
    ];
    assert_eq!(page.blocks, expect);
    assert_eq!(page.unmarked, [17]);
}

#[test]
#[should_panic(expected = "should have given: world")]
fn a_page_that_is_wrong_fails() {
    if !has_commands(&["bash"]) {
        panic!("should have given: world");
    }
    let commands =
        ["tries=2", "function curl { echo hello; }", "curl x"].map(str::to_owned).to_vec();
    let page = Page {
        blocks: vec![Block::Commands(commands, vec!["world".to_owned()])],
        unmarked: vec![],
    };
    run_script(folder().path(), "a page", &render_script(&page, ""));
}
