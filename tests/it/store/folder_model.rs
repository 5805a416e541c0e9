//! Hand edits and requests at random: whatever people and their tools do to the folder while others
//! write through the API, once it has been taken over an engine that followed all of it shows the
//! same as one that has just read the folder.
//!
//! `SEED=…` makes another run than the usual one, `SLOW=1` a long one from a seed of its own.

use crate::support::folder_model::Model;
use crate::support::property::given_seed;

#[test]
fn what_was_followed_is_what_is_there() {
    let slow = std::env::var_os("SLOW").is_some();
    let unusual = if slow { u64::from(std::process::id()) } else { 0 };
    let seed = given_seed().unwrap_or(77 + unusual);
    // Most of the time goes by waiting for what is not believed at once: so several run beside
    // each other. The last has enough entries for kept orders, columns and the text index.
    let runs = [(40, 120), (40, 120), (40, 120), (1_200, 40)];
    std::thread::scope(|scope| {
        for (number, (entries, steps)) in (0..).zip(runs) {
            let steps = if slow { steps * 120 } else { steps };
            scope.spawn(move || Model::new(seed + number, entries).run(steps));
        }
    });
}
