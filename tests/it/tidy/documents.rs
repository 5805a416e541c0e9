//! The rules of documents: they name everything that exists, and their links and samples work.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::sync::LazyLock;

use pulldown_cmark::Event;
use pulldown_cmark::Parser;
use pulldown_cmark::Tag;
use pulldown_cmark::TagEnd;
use recto::model::field::KINDS;
use recto::model::grant::Action;
use recto::model::problem::ProblemKind;
use recto::stdx::json::Json;
use recto::stdx::time::Timestamp;
use recto::store::data_folder::DataFolder;

use crate::support::documents::differences;
use crate::support::documents::first_cells;
use crate::support::documents::rows;
use crate::support::source_tree::blank_comments_and_literals;
use crate::support::source_tree::check;
use crate::support::source_tree::files;
use crate::support::source_tree::read;
use crate::support::source_tree::root;

/// The maximum length of the page that every contributor reads first.
const ARCHITECTURE_LINES_MAX: usize = 250;

#[test]
fn every_dependency_has_its_line() {
    let mut used = BTreeSet::new();
    for manifest in ["Cargo.toml", "bench/Cargo.toml"] {
        let manifest: toml::Table = read(manifest).parse().unwrap();
        let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
        // Some are used on some systems only.
        let of_systems = manifest.get("target").and_then(toml::Value::as_table);
        let of_systems = of_systems.into_iter().flat_map(|it| it.values());
        let places = of_systems.filter_map(toml::Value::as_table).chain([&manifest]);
        let tables =
            places.flat_map(|place| sections.iter().filter_map(|it| place.get(*it)?.as_table()));
        used.extend(tables.flat_map(|it| it.keys().cloned()));
    }
    check(
        "Rows of docs/DEPENDENCIES.md that do not match Cargo.toml",
        differences(&used, &first_cells("docs/DEPENDENCIES.md")),
    );
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
    check("Packages without a row in admin/DEPENDENCIES.md", used.into_iter().collect());
}

#[test]
fn every_route_is_told() {
    let api = read("docs/API.md");
    let mut found = Vec::new();
    for route in recto::http::routes::build_table() {
        if !api.contains(&format!("`{} {}`", route.method, route.path)) {
            found.push(format!("{} {}", route.method, route.path));
        }
        for query in route.query.iter().filter(|it| !api.contains(&format!("`{}", it.name))) {
            found.push(format!("{}?{}", route.path, query.name));
        }
    }
    check("Not in docs/API.md, as `METHOD /path` and `parameter` in backticks", found);
}

/// Lines that two people change at once are joined by keeping both, so a command could be told
/// twice.
#[test]
fn no_command_is_told_twice() {
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for row in rows("docs/CONFIG.md") {
        let Some(command) = row.first().and_then(|it| it.strip_prefix("`recto ")) else { continue };
        let is_name = |it: &&str| it.bytes().all(|it| it.is_ascii_lowercase() || it == b'-');
        let words = command.split([' ', '`']).take_while(is_name);
        let name = words.collect::<Vec<_>>().join(" ");
        if !told.insert(name.trim().to_string()) {
            found.push(format!("recto {name}"));
        }
    }
    assert!(told.len() > 10, "{told:?}");
    check("Commands with two rows in docs/CONFIG.md", found);
}

#[test]
fn the_interface_asks_for_every_setting_of_a_field_kind() {
    const PATH: &str = "admin/src/screens/types/draft/kinds.ts";
    let text = read(PATH);
    let missing = settings_of_kinds().into_iter().filter(|(kind, setting)| {
        // The compiler asks for a line for each kind.
        let line = text.lines().find(|it| it.starts_with(&format!("  {kind}: {{ ")));
        !line.is_some_and(|it| it.contains(&format!("'{setting}'")))
    });
    check(
        &format!("Settings that the lines of field kinds in {PATH} do not name"),
        missing.map(|(kind, setting)| format!("{kind}: '{setting}'")).collect(),
    );
}

/// The names of the kinds of fields, each with a setting that fields of other kinds may not have.
fn settings_of_kinds() -> Vec<(&'static str, String)> {
    let settings = KINDS.iter().map(|kind| (kind.name, (kind.settings)()));
    let names = settings.flat_map(|(kind, settings)| {
        let names: Vec<String> = settings.as_object().unwrap().keys().cloned().collect();
        names.into_iter().map(move |it| (kind, it))
    });
    names.collect()
}

#[test]
fn the_interface_has_texts_for_every_kind_of_problem() {
    // Orphaned revisions are reported by `recto check` only.
    let shown = ProblemKind::ALL.iter().filter(|it| **it != ProblemKind::OrphanRevisions);
    let kinds: Vec<&str> = shown.map(|it| it.as_str()).collect();
    let mut found = Vec::new();
    for (file, before, after) in [
        ("screens/problems/problem.ts", "\n  ", ": '"),
        ("i18n/en/problems.ts", "'problems.kind.", "': '"),
        ("i18n/de/problems.ts", "'problems.kind.", "': '"),
    ] {
        let path = format!("admin/src/{file}");
        let text = read(&path);
        let lines = kinds.iter().map(|it| format!("{before}{it}{after}"));
        let missing = lines.filter(|it| !text.contains(it));
        found.extend(missing.map(|it| format!("{path}: {}…'", it.trim_start())));
    }
    check("Lines that the interface needs for kinds of problems", found);
}

#[test]
fn the_interface_names_every_action() {
    const PATH: &str = "admin/src/grants/actions.ts";
    let text = read(PATH);
    let missing = Action::ALL.iter().filter(|it| !text.contains(&format!("'{it}'")));
    let found = missing.map(|it| format!("'{it}'")).collect();
    // The compiler asks for the texts of those that are there.
    check(&format!("Actions that {PATH} does not name"), found);
}

#[test]
fn names_in_documents_are_those_of_the_code() {
    let DeclaredNames { functions, all } = &*DECLARED;
    assert!(functions.len() > 1000 && all.len() > functions.len());
    for document in ["docs/ARCHITECTURE.md", "docs/GLOSSARY.md", "CONTRIBUTING.md"] {
        let text = read(document);
        let ticks = text.split('`').skip(1).step_by(2);
        let paths = ticks.map(|it| it.trim_end_matches("()")).filter(|it| it.contains("::"));
        let mut found: Vec<String> = paths
            .filter(|it| is_path(it))
            .filter(|it| !it.split("::").all(|it| all.contains(it)))
            .map(String::from)
            .collect();
        let calls = text.split('`').skip(1).step_by(2).filter_map(|it| it.strip_suffix("()"));
        found.extend(
            calls
                .filter_map(|it| it.rsplit([':', '.']).next())
                .filter(|it| !functions.contains(*it))
                .map(|it| format!("{it}()")),
        );
        check(&format!("{document} names what does not exist in the code"), found);
    }
}

#[test]
fn the_tour_names_functions_that_exist() {
    let text = read("docs/ARCHITECTURE.md");
    let tour = text.split("### A tour of the code").nth(1).unwrap();
    let tour = tour.split("\n## ").next().unwrap();
    let named: Vec<&str> = tour.split('`').skip(1).step_by(2).filter(|it| is_path(it)).collect();
    assert!(named.len() > 30, "{named:?}");
    let missing = named.into_iter().filter(|it| {
        let name = it.rsplit("::").next().unwrap_or_default();
        !DECLARED.functions.contains(name)
    });
    check(
        "Functions of the tour in docs/ARCHITECTURE.md that do not exist",
        missing.map(String::from).collect(),
    );
}

/// Returns true for a name, or names with `::` between them.
fn is_path(text: &str) -> bool {
    text.chars().all(|it| it.is_alphanumeric() || "_:".contains(it))
}

/// The names that the code declares.
struct DeclaredNames {
    functions: BTreeSet<String>,
    /// Also those of types, constants and modules.
    all: BTreeSet<String>,
}

static DECLARED: LazyLock<DeclaredNames> = LazyLock::new(|| {
    const OTHERS: [&str; 7] = ["struct", "enum", "trait", "type", "const", "static", "mod"];
    let mut declared = DeclaredNames { functions: BTreeSet::new(), all: BTreeSet::new() };
    let sources = files().into_iter().filter(|it| it.extension().is_some_and(|it| it == "rs"));
    for source in sources {
        let text = blank_comments_and_literals(&read(source.to_str().unwrap()));
        let mut before = "";
        for word in text.split(|it: char| !it.is_alphanumeric() && it != '_') {
            if before == "fn" {
                declared.functions.insert(word.to_string());
            }
            if before == "fn" || OTHERS.contains(&before) {
                declared.all.insert(word.to_string());
            }
            before = word;
        }
    }
    declared
});

#[test]
fn the_architecture_page_is_not_too_long() {
    let lines = read("docs/ARCHITECTURE.md").lines().count();
    assert!(lines <= ARCHITECTURE_LINES_MAX, "docs/ARCHITECTURE.md has {lines} lines");
}

#[test]
fn links_between_documents_lead_somewhere() {
    // The pages of a site link to its other pages.
    let is_page = |it: &Path| it.starts_with("examples/hugo/content");
    let is_document = |it: &Path| it.extension().is_some_and(|it| it == "md") && !is_page(it);
    let mut anchors: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let mut found = Vec::new();
    for document in files().into_iter().filter(|it| is_document(it)) {
        let text = read(document.to_str().unwrap());
        let place = root().join(&document);
        for link in text.split("](").skip(1).filter_map(|it| it.split(')').next()) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            if path.contains("://") {
                continue;
            }
            let target = match path {
                "" => place.clone(),
                path => place.parent().unwrap().join(path),
            };
            let has_anchors = target.extension().is_some_and(|it| it == "md");
            let mut leads = target.exists();
            if leads && has_anchors && !anchor.is_empty() {
                let list = || list_anchors(&std::fs::read_to_string(&target).unwrap());
                leads = anchors.entry(target.clone()).or_insert_with(list).contains(anchor);
            }
            if !leads {
                found.push(format!("{}: {link}", document.display()));
            }
        }
    }
    check("Links between documents that lead nowhere", found);
}

/// The anchors of the headings of a document, as GitHub makes them: of those that are equal, all
/// but the first end with a number.
fn list_anchors(text: &str) -> BTreeSet<String> {
    let mut anchors: BTreeSet<String> = BTreeSet::new();
    let mut title: Option<String> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => title = Some(String::new()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(title) = &mut title {
                    title.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let first = to_anchor(&title.take().unwrap_or_default());
                let numbered = (1..).map(|number| format!("{first}-{number}"));
                let mut all = std::iter::once(first.clone()).chain(numbered);
                let free = all.find(|it| !anchors.contains(it));
                anchors.extend(free);
            }
            _ => {}
        }
    }
    anchors
}

/// A heading in lower case and without punctuation, with hyphens for spaces.
fn to_anchor(title: &str) -> String {
    let kept = |it: &char| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_');
    title.to_lowercase().chars().filter(kept).map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[test]
fn anchors_are_those_of_headings() {
    let check = |text: &str, expect: &[&str]| {
        let found = list_anchors(text);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expect, "{text}");
    };
    check("# Two words", &["two-words"]);
    check("## `GET /x_y`, *then* — [more](a.md)?", &["get-x_y-then--more"]);
    check("# Same\n\n# Other\n\n### Same\n\n# Same", &["other", "same", "same-1", "same-2"]);
    check("```sh\n# no heading\n```\n\n<!--\n# none\n-->\n\nText #none", &[]);
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
        let problems = recto::engine::check_folder(&DataFolder::new(&folder), now).unwrap();
        let name = folder.strip_prefix(root()).unwrap().display().to_string();
        check(
            &format!("Problems in the sample folder {name}"),
            problems.iter().map(ToString::to_string).collect(),
        );
    }
}
