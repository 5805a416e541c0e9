//! The rule of permits: nothing is staged without one. The files that may make one without a
//! decision on grants are listed in `layers`.

use crate::support::source_tree::check;
use crate::support::source_tree::sources;

/// The files of what is staged, which show nothing that changes it but `write`.
const STAGING: [&str; 2] =
    ["src/engine/staging/system_staging.rs", "src/engine/staging/workspace_staging.rs"];

#[test]
fn nothing_is_staged_without_a_permit() {
    let sources = sources();
    let staging: Vec<_> = sources.iter().filter(|it| STAGING.contains(&it.path.as_str())).collect();
    assert_eq!(staging.len(), STAGING.len());
    let changes = staging.iter().flat_map(|it| {
        let lines = it.untested().lines().enumerate();
        let found = lines.filter(|(_, line)| changes_without_permit(line));
        found.map(|(number, line)| format!("{}:{}: {}", it.path, number + 1, line.trim()))
    });
    check("Staging that changes without a permit", changes.collect());
}

/// Returns true if a line shows a function or a field by which a change could be staged.
fn changes_without_permit(line: &str) -> bool {
    let is_shown = line.trim_start().starts_with("pub");
    let is_change = line.contains("mut self") || line.contains(" change:");
    let is_read = line.contains("fn read_stored(") || line.contains("fn stat_media(");
    is_shown && is_change && !line.contains("permit: &") && !is_read
}

#[test]
fn changes_without_a_permit_are_found() {
    let check = |line: &str, expect: bool| {
        assert_eq!(changes_without_permit(line), expect, "{line}");
    };
    check("    pub fn create(&mut self, key: &Key) {", true);
    check("    pub(crate) change: ChangeParts,", true);
    check("    change: ChangeParts,", false);
    check("    pub fn write<'w>(&'w mut self, permit: &'w Permit) -> Write<'w> {", false);
    check("    pub fn read_stored(&mut self, key: &Key) -> Done {", false);
    check("    fn mark_stale(&mut self) {", false);
}
