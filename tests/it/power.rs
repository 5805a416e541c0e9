//! Power cuts on a file system of its own, run by `tests/power.sh`, which makes one in a loop
//! device and says where it is. The file system is shut down under the server as if the power had
//! gone: what the kernel had not written is lost, and its journal is replayed on the next mount.

use std::path::Path;
use std::process::Command;

use crate::kill_writers::Client;
use crate::kill_writers::Place;
use crate::kill_writers::Server;
use crate::kill_writers::compare;
use crate::kill_writers::write_until;

const CLIENTS: usize = 16;

/// A script that takes one word: `cut`, `cut-logged` or `mount`.
const SWITCH: &str = "RECTO_POWER_SWITCH";

#[test]
#[expect(clippy::print_stderr, reason = "whoever runs this should know what was and was not run")]
fn power_cuts_lose_nothing_that_was_acknowledged() {
    let Ok(switch) = std::env::var(SWITCH) else {
        eprintln!("Power is not cut: that is what tests/power.sh is for.");
        return;
    };
    let variable = |name: &str| std::env::var(name).unwrap();
    let mount = variable("RECTO_POWER_MOUNT");
    let cuts: u64 = variable("RECTO_POWER_CUTS").parse().unwrap();
    let power = |word: &str| {
        assert!(Command::new(&switch).arg(word).status().unwrap().success(), "{word}");
    };
    let folder = tempfile::tempdir().unwrap();
    let place = Place::make(folder.path(), &Path::new(&mount).join("data"));
    rustix::fs::sync();
    let mut clients: Vec<Client> = (0..CLIENTS).map(Client::new).collect();
    let mut server = Server::start(&place);
    let (mut n_acknowledged, mut n_entries) = (0, 0);
    for cut in 0..cuts {
        let enough = 1 + cut * 7_919 % 300;
        n_acknowledged += write_until(&place, &mut clients, &mut server, |server, progress| {
            progress.wait_for(enough, CLIENTS);
            // With and without the log of the file system being written first.
            power(if cut % 2 == 0 { "cut" } else { "cut-logged" });
            server.kill();
        });
        // Refusals are what a dead disk gives.
        clients.iter_mut().for_each(|it| it.surprise = None);
        power("mount");
        (server, n_entries) = compare(&place, &mut clients);
        if (cut + 1) % 50 == 0 {
            eprintln!("{} cuts, {n_acknowledged} acknowledged writes", cut + 1);
        }
    }
    drop(server);
    eprintln!(
        "{cuts} power cuts, {n_acknowledged} acknowledged writes, {n_entries} entries: none lost"
    );
}
