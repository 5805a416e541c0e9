//! Which lines of a text have changed.

/// The lines that are gone and new, each run of them a hunk.
pub(crate) fn hunks(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = common_after(&old, &new);
    let (mut at_old, mut at_new, mut in_hunk) = (0, 0, false);
    let mut out = String::new();
    while at_old < old.len() || at_new < new.len() {
        let (was, is) = (old.get(at_old), new.get(at_new));
        if was == is {
            (at_old, at_new, in_hunk) = (at_old + 1, at_new + 1, false);
            continue;
        }
        if !in_hunk {
            out.push_str("@@\n");
            in_hunk = true;
        }
        let without = common.get(at_old + 1).map_or(0, |it| it[at_new]);
        match (was, is) {
            (Some(was), None) => (out.push_str(&format!("- {was}\n")), at_old += 1),
            (Some(was), Some(_)) if without >= common[at_old][at_new + 1] => {
                (out.push_str(&format!("- {was}\n")), at_old += 1)
            }
            _ => (out.push_str(&format!("+ {}\n", new[at_new])), at_new += 1),
        };
    }
    if out.is_empty() { "no line has changed\n".to_string() } else { out }
}

/// How many lines both have in common from here on.
fn common_after(old: &[&str], new: &[&str]) -> Vec<Vec<usize>> {
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for (at_old, was) in old.iter().enumerate().rev() {
        for (at_new, is) in new.iter().enumerate().rev() {
            common[at_old][at_new] = match was == is {
                true => common[at_old + 1][at_new + 1] + 1,
                false => common[at_old + 1][at_new].max(common[at_old][at_new + 1]),
            };
        }
    }
    common
}
