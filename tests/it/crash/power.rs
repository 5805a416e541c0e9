//! Power cuts on a file system of its own, run by `tests/power.sh`, which makes one in a loop
//! device and says where it is. The file system is shut down under the server as if the power had
//! gone: what the kernel had not written is lost, and its journal is replayed on the next mount.

use std::path::Path;
use std::process::Command;

use crate::support::kill_campaign::campaign;
use crate::support::server_process::Server;

/// A script that takes one word: `cut`, `cut-logged` or `mount`.
const SWITCH: &str = "RECTO_POWER_SWITCH";

#[test]
#[ignore = "it needs a file system to cut the power of: tests/power.sh"]
#[expect(clippy::print_stderr, reason = "the numbers are what somebody runs this for")]
fn power_cuts_lose_nothing_that_was_acknowledged() {
    let variable = |name: &str| std::env::var(name).unwrap();
    let switch = variable(SWITCH);
    let mount = variable("RECTO_POWER_MOUNT");
    let cuts: u64 = variable("RECTO_POWER_CUTS").parse().unwrap();
    let power = |word: &str| {
        assert!(Command::new(&switch).arg(word).status().unwrap().success(), "{word}");
    };
    let cut = |cut: u64, server: &mut Server| {
        // With and without the log of the file system being written first.
        power(if cut.is_multiple_of(2) { "cut" } else { "cut-logged" });
        server.kill();
    };
    let n_acknowledged = campaign(Path::new(&mount), cuts, cut, |cut, _, clients| {
        // Refusals are what a dead disk gives.
        clients.iter_mut().for_each(|it| it.surprise = None);
        power("mount");
        if (cut + 1) % 20 == 0 {
            eprintln!("{} cuts", cut + 1);
        }
    });
    eprintln!("{cuts} power cuts, {n_acknowledged} acknowledged writes: none lost, nothing torn");
}
