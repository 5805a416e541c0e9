//! Scenarios over HTTP as data: `tests/scenarios/<concept>/*.http` hold requests with the answers
//! they once got. A change of any answer fails here; `UPDATE=1` writes the new answers into the
//! files, to be read before they are committed. `SCENARIO=part/of/a/path` runs some of them.
//!
//! `tests/scenarios/README.md` says how they are written.

mod coverage;
mod examples;
mod privileges;

use std::fs;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use crate::support::scenario::scenario_files;
use crate::support::scenario::script::Script;
use crate::support::scenario::stage::Stage;

#[test]
fn every_answer_is_the_recorded_one() {
    let wanted = std::env::var("SCENARIO").unwrap_or_default();
    let update = std::env::var_os("UPDATE").is_some();
    let mut files = scenario_files();
    files.retain(|it| it.to_string_lossy().contains(&wanted));
    // What monitors see of a database is not recorded.
    files.retain(|it| {
        std::env::var_os("RECTO_TEST_STORE").is_none() || !it.ends_with("monitors/monitors.http")
    });
    assert!(!files.is_empty(), "no scenario has {wanted:?} in its path");
    let failures = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Relaxed)) {
                    if let Err(difference) = check(file, update) {
                        failures.lock().unwrap().push(difference);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(failures.is_empty(), "{}\n(UPDATE=1 records new answers)", failures.join("\n\n"));
}

#[test]
#[should_panic(expected = "line 6: a second `=>` in one step")]
fn a_request_without_a_title_is_refused() {
    Script::parse("### one\nGET /one\n=> 200\n\nGET /two\n=> 200\n");
}

/// Runs a file; the error says where its answers differ.
fn check(file: &Path, update: bool) -> Result<(), String> {
    let recorded = fs::read_to_string(file).unwrap();
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut script = Script::parse(&recorded);
        Stage::play(&mut script);
        script.to_text()
    }));
    let name = file.display();
    let played = played.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        format!("{name}: {}", text.unwrap_or_default())
    })?;
    if played == recorded {
        return Ok(());
    }
    if update {
        fs::write(file, played).unwrap();
        return Ok(());
    }
    Err(difference(&name.to_string(), &recorded, &played))
}

fn difference(name: &str, recorded: &str, played: &str) -> String {
    const SHOWN: usize = 12;
    let same = recorded.lines().zip(played.lines()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| {
        let lines = text.lines().skip(same).take(SHOWN);
        lines.map(|it| format!("    {it}\n")).collect::<String>()
    };
    let (was, is) = (part(recorded), part(played));
    format!("{name}:{}\n  recorded:\n{was}  now:\n{is}", same + 1)
}
