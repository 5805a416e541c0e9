//! A network that stalls: a proxy of TCP connections that holds everything back for a while, as a
//! cable does that is pulled, and lets it pass afterwards.

use std::io::Read as _;
use std::io::Write as _;
use std::net::Shutdown;
use std::net::SocketAddr;
use std::net::TcpListener;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::thread;

/// A proxy; connections last as long as its process.
pub(crate) struct StallingProxy {
    pub(crate) address: SocketAddr,
    gate: Arc<Gate>,
}

/// Closed while nothing may pass.
#[derive(Default)]
struct Gate {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn pass(&self) {
        let closed = self.is_closed.lock().unwrap();
        drop(self.opened.wait_while(closed, |it| *it).unwrap());
    }
}

impl StallingProxy {
    /// Starts a proxy of the server at this address.
    pub(crate) fn start(server: SocketAddr) -> StallingProxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let gate: Arc<Gate> = Arc::default();
        let passing = gate.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let gate = passing.clone();
                thread::spawn(move || connect(&client, server, &gate));
            }
        });
        StallingProxy { address, gate }
    }

    /// Holds everything back from now on, or no longer.
    pub(crate) fn set_stalled(&self, is_stalled: bool) {
        *self.gate.is_closed.lock().unwrap() = is_stalled;
        self.gate.opened.notify_all();
    }
}

/// Passes everything on in both directions until one side ends.
fn connect(client: &TcpStream, server: SocketAddr, gate: &Gate) {
    gate.pass();
    let Ok(server) = TcpStream::connect(server) else { return };
    thread::scope(|scope| {
        scope.spawn(|| pass_on(client, &server, gate));
        pass_on(&server, client, gate);
    });
}

fn pass_on(mut from: &TcpStream, mut to: &TcpStream, gate: &Gate) {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let n = from.read(&mut bytes).unwrap_or(0);
        gate.pass();
        if n == 0 || to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    // Either may have been closed by its side.
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
