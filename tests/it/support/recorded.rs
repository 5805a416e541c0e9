//! Documents that a test records: what the code says now has to be what the file says.

use std::env;
use std::fs;

use crate::support::source_tree::root;

/// Compares a document with the file at `path`, which the tests named `tests` record. Writes the
/// file if they run with `UPDATE=1`.
pub(crate) fn check_recorded(path: &str, document: &str, tests: &str) {
    let file = root().join(path);
    let recorded = fs::read_to_string(&file).unwrap_or_default();
    if recorded == document {
        return;
    }
    if env::var_os("UPDATE").is_some() {
        return fs::write(&file, document).unwrap();
    }
    let (mut was, mut now) = (recorded.lines(), document.lines());
    let mut number = 0;
    let (was, now) = loop {
        number += 1;
        match (was.next(), now.next()) {
            (Some(was), Some(now)) if was == now => {}
            (was, now) => break (was.unwrap_or_default(), now.unwrap_or_default()),
        }
    };
    panic!(
        "{path} is out of date. `UPDATE=1 cargo test --test it -- {tests}` records it again.\n  \
         line {number}: {was}\n  now:  {now}"
    );
}
