//! Commands on a data folder that is read-only by its configuration.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::support::command_line::command;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::with_samples;

/// Everything below a folder, with the times of its files: locks and caches, too.
fn look(root: &Path) -> Vec<(String, SystemTime)> {
    let found = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().map(Result::unwrap);
    found
        .map(|it| (it.path().display().to_string(), it.metadata().unwrap().modified().unwrap()))
        .collect()
}

#[test]
fn commands_that_write_are_refused_and_others_work() {
    let folder = with_samples();
    let root = folder.path();
    let archive = run_well(root, &["backup", "create"]);
    let archive = archive.trim();
    fs::write(root.join("topics.csv"), "title\nHills\n").unwrap();
    fs::write(root.join("recto.toml"), "read_only = true\n").unwrap();
    let seen = look(&root.join("data"));
    let target = root.join("elsewhere").display().to_string();
    let refused: &[&[&str]] = &[
        &["import", "csv", "topics.csv", "--type", "topics"],
        &["backup", "create"],
        &["backup", "restore", archive, "--parts", "content", "--overwrite"],
        &["backup", "run", "--target", target.as_str()],
        &["token", "create", "--name", "x", "--grant", "*@*"],
        &["user", "create", "anna", "--password-stdin"],
        &["check", "--fix"],
        &["check", "--remove-orphans"],
        &["schema"],
    ];
    for arguments in refused {
        let ran = run(root, arguments);
        assert_eq!(
            (ran.code, ran.err.as_str()),
            (2, "recto: the data folder is read-only by its configuration (`read_only`)\n"),
            "{arguments:?}"
        );
        assert!(look(&root.join("data")) == seen, "{arguments:?} wrote into the folder");
    }
    for arguments in [
        ["token", "list"].as_slice(),
        &["user", "list"],
        &["backup", "list"],
        &["schema", "--stdout", "topics"],
        &["import", "csv", "topics.csv", "--type", "topics", "--dry-run"],
    ] {
        run_well(root, arguments);
        assert!(look(&root.join("data")) == seen, "{arguments:?} wrote into the folder");
    }
    let mut told = command(root, &["token", "create", "--name", "x", "--grant", "*@*"]);
    assert!(told.env("RECTO_READ_ONLY", "false").output().unwrap().status.success());
}
