//! Imports on the command line: what they report, and what is in the folder before and after.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::tree;

/// A picture of one pixel.
pub(crate) const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\xdac\
      \xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xffV\xc7/\r\0\0\0\0IEND\xaeB`\x82";

/// Writes a file with its folders.
pub(crate) fn write(root: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The files of a data folder, without those of the runtime.
pub(crate) fn stored(root: &Path) -> Vec<(String, Vec<u8>)> {
    tree(&root.join("data"))
}

/// Checks that the files of a data folder are still these.
pub(crate) fn expect_stored(root: &Path, before: &[(String, Vec<u8>)]) {
    let now = stored(root);
    let differ = |it: &&(String, Vec<u8>)| !now.contains(it);
    let changed: Vec<&str> = before.iter().filter(differ).map(|it| it.0.as_str()).collect();
    let new = now.iter().filter(|it| !before.iter().any(|known| known.0 == it.0));
    let new: Vec<&str> = new.map(|it| it.0.as_str()).collect();
    assert!(changed.is_empty() && new.is_empty(), "changed {changed:?}, new {new:?}");
}

/// Imports something well. Returns the report.
pub(crate) fn import(root: &Path, arguments: &[&str]) -> Value {
    json(&run_well(root, &[&["import", "--json"], arguments].concat()))
}

/// Imports something that has problems. Returns them as `file row line field`, and nothing else has
/// changed.
pub(crate) fn problems(root: &Path, arguments: &[&str]) -> Vec<String> {
    let before = stored(root);
    let ran = run(root, &[&["import", "--json"], arguments].concat());
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    expect_stored(root, &before);
    let report = json(&ran.out);
    assert_eq!((&report["files"], &report["written"]), (&0.into(), &false.into()));
    let text = |it: &Value, key: &str| match &it[key] {
        Value::Null => String::new(),
        Value::String(text) => format!("{text} "),
        other => format!("{key}={other} "),
    };
    let all = report["problems"].as_array().unwrap().iter();
    let place = |it: &Value| ["file", "row", "line", "field"].map(|key| text(it, key)).concat();
    all.map(|it| place(it).trim_end().to_string()).collect()
}

/// Imports the same again and checks that no file changes.
pub(crate) fn is_idempotent(root: &Path, arguments: &[&str]) {
    let before = stored(root);
    let report = import(root, arguments);
    assert_eq!(report["files"], 0, "{report:#}");
    expect_stored(root, &before);
}

/// The entries of a type, by slug.
pub(crate) fn entry(root: &Path, of: &str, slug: &str) -> Value {
    let path = root.join("data/workspaces/default/content").join(of);
    let files = fs::read_dir(path).unwrap().map(|it| it.unwrap().path());
    let mut all = files.map(|it| {
        let mut value = json(&fs::read_to_string(&it).unwrap());
        value["id"] = it.file_stem().unwrap().to_str().unwrap().into();
        value
    });
    all.find(|it| it["slug"] == slug).unwrap_or_else(|| panic!("no {of} `{slug}`"))
}
