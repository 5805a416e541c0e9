//! The rule of circles: no module imports another that imports it in turn.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::support::source_tree::SourceFile;
use crate::support::source_tree::blank_comments_and_literals;
use crate::support::source_tree::check;
use crate::support::source_tree::sources;

/// The modules that each module imports. One that is made of tests is left out.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn modules_import_each_other_in_no_circle() {
    let circles = find_circles(&module_imports(&sources()));
    let show = |it: &BTreeSet<String>| it.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    check("Modules import each other in a circle", circles.iter().map(show).collect());
}

#[test]
fn circles_are_found() {
    let source = |path: &str, text: &str| {
        let (path, text) = (path.to_string(), text.to_string());
        SourceFile { code: blank_comments_and_literals(&text), path, text }
    };
    let sources = [
        source("src/a/mod.rs", "mod b;\nmod c;\nmod tests;\npub use c::Name;"),
        source("src/a/b.rs", "pub(in crate::a) fn f() {} // crate::a::c"),
        source("src/a/c.rs", "use crate::a::{b, d::D};\nuse super::tests::X;"),
        source("src/a/d.rs", "fn f() { self::x(); crate::a::c::f() }"),
        source("src/a/tests.rs", "use super::b;"),
        source("src/e.rs", "use crate::a::Name;"),
    ];
    let imports = module_imports(&sources);
    let of = |name: &str| imports[name].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("a"), ["a::c"]);
    assert!(of("a::b").is_empty());
    assert_eq!(of("a::c"), ["a::b", "a::d"]);
    assert_eq!(of("e"), ["a"]);
    let circle = BTreeSet::from(["a::c".to_string(), "a::d".to_string()]);
    assert_eq!(find_circles(&imports), [circle]);
}

/// Each module of the product with those that its code names by a path.
fn module_imports(sources: &[SourceFile]) -> Imports {
    let named: Vec<(String, &SourceFile)> =
        sources.iter().filter_map(|it| Some((module_name(it)?, it))).collect();
    let all: BTreeSet<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    let tests: BTreeSet<&str> =
        named.iter().filter(|(_, it)| it.is_test()).map(|(name, _)| name.as_str()).collect();
    let product = named.iter().filter(|(name, _)| !tests.contains(name.as_str()));
    let imports = product.map(|(name, source)| {
        let used = used_paths(name, source.untested(), &all).into_iter();
        let used = used.filter_map(|it| longest_module(&it, &all));
        let used = used.filter(|it| it != name && !tests.contains(it.as_str()));
        (name.clone(), used.collect())
    });
    imports.collect()
}

/// The paths in the code of a module that lead to the crate's modules, from its root.
fn used_paths(module: &str, code: &str, all: &BTreeSet<&str>) -> Vec<String> {
    let is_name = |it: char| it.is_alphanumeric() || it == '_' || it == ':';
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = code[at..].find(is_name).map(|it| at + it) {
        let end = code[begin..].find(|it| !is_name(it)).map_or(code.len(), |it| begin + it);
        at = end;
        let Some((head, rest)) = code[begin..end].split_once("::") else { continue };
        let is_visibility = code[..begin].ends_with("(in ");
        let base = match head {
            "crate" => String::new(),
            "self" => module.to_string(),
            "super" => parent.to_string(),
            child if all.contains(format!("{module}::{child}").as_str()) => {
                format!("{module}::{child}")
            }
            _ => continue,
        };
        if is_visibility {
            continue;
        }
        let path = format!("{base}::{rest}");
        match code[end..].strip_prefix('{').and_then(|it| it.split_once('}')) {
            Some((group, _)) if path.ends_with("::") => {
                found.extend(group.split(',').map(|it| format!("{path}{}", it.trim())));
            }
            _ => found.push(path),
        }
    }
    found
}

/// The module that a path leads to or into.
fn longest_module(path: &str, all: &BTreeSet<&str>) -> Option<String> {
    let mut path = path.trim_matches(':');
    loop {
        if all.contains(path) {
            return Some(path.to_string());
        }
        path = path.rsplit_once("::")?.0;
    }
}

/// The sets of modules that import each other, through others or not.
fn find_circles(imports: &Imports) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|it| (it.as_str(), reachable(it, imports))).collect();
    let mut circles = BTreeSet::new();
    for (module, others) in &reached {
        let back = others.iter().filter(|it| reached[**it].contains(module));
        let circle: BTreeSet<String> = back.map(ToString::to_string).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn reachable<'i>(module: &str, imports: &'i Imports) -> BTreeSet<&'i str> {
    let mut found = BTreeSet::new();
    let mut todo: Vec<&str> = imports[module].iter().map(String::as_str).collect();
    while let Some(next) = todo.pop() {
        if found.insert(next) {
            todo.extend(imports[next].iter().map(String::as_str));
        }
    }
    found
}

/// The name of the module of the product that a file is: `app::error`.
fn module_name(source: &SourceFile) -> Option<String> {
    let path = source.path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    (!matches!(path, "lib" | "main")).then(|| path.replace('/', "::"))
}
