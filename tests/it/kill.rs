//! `kill -9` while sixteen clients write: what was acknowledged is there, nothing is torn.
//!
//! `RECTO_KILL_ROUNDS=1000` for more of it.

use crate::kill_writers::Client;
use crate::kill_writers::Place;
use crate::kill_writers::Server;
use crate::kill_writers::compare;
use crate::kill_writers::write_until;

const CLIENTS: usize = 16;
const ROUNDS: u64 = 12;

#[test]
#[expect(clippy::print_stderr, reason = "the numbers are what somebody runs this for")]
fn killed_servers_keep_what_they_acknowledged() {
    let asked = std::env::var("RECTO_KILL_ROUNDS").ok().and_then(|it| it.parse().ok());
    let rounds = asked.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir().unwrap();
    let place = Place::make(folder.path(), &folder.path().join("data"));
    let mut clients: Vec<Client> = (0..CLIENTS).map(Client::new).collect();
    let mut server = Server::start(&place);
    let (mut n_acknowledged, mut n_entries) = (0, 0);
    for round in 0..rounds {
        // Anywhere between the first answer and a few hundred.
        let enough = 1 + round * 7_919 % 300;
        n_acknowledged += write_until(&place, &mut clients, &mut server, |server, progress| {
            progress.wait_for(enough, CLIENTS);
            server.kill();
        });
        for client in &mut clients {
            assert_eq!(client.surprise.take(), None, "round {round}: {}", place.log());
        }
        if round % 3 == 0 {
            Server::start_and_kill(&place);
        }
        (server, n_entries) = compare(&place, &mut clients);
    }
    eprintln!(
        "{rounds} kills, {n_acknowledged} acknowledged writes, {n_entries} entries: none lost"
    );
}
