//! `kill -9` while sixteen clients write: what was acknowledged is there, nothing is torn.
//!
//! `RECTO_KILL_ROUNDS=1000` for more of it.

use crate::support::kill_campaign::campaign;
use crate::support::server_process::Server;

const ROUNDS: u64 = 12;

#[test]
#[expect(clippy::print_stderr, reason = "the numbers are what somebody runs this for")]
fn killed_servers_keep_what_they_acknowledged() {
    let asked = std::env::var("RECTO_KILL_ROUNDS").ok().and_then(|it| it.parse().ok());
    let rounds = asked.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir().unwrap();
    let kill = |_, server: &mut Server| server.kill();
    let n_acknowledged = campaign(folder.path(), rounds, kill, |round, place, clients| {
        for client in clients {
            assert_eq!(client.surprise.take(), None, "round {round}: {}", place.log());
        }
        if round % 3 == 0 {
            // Once more, while it starts.
            Server::start_and_kill(place);
        }
    });
    eprintln!("{rounds} kills, {n_acknowledged} acknowledged writes: none lost, nothing torn");
}
