//! The server under a service manager: sockets that are passed to it, messages that it sends, a
//! restart that clients do not notice; and the commands for packages and containers.

use std::fs;
use std::io::BufRead;
use std::io::BufReader;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;

use rustix::process::Pid;
use rustix::process::Signal;
use serde_json::Value;

use crate::support::command_line::Server;
use crate::support::command_line::command;
use crate::support::command_line::folder;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::with_posts;
use crate::support::server_process::Connection;

/// A server with a socket that a service manager opened.
struct PassedServer {
    child: Child,
}

impl PassedServer {
    /// Starts it like systemd: the socket is descriptor 3.
    fn spawn(working_folder: &Path, socket: &TcpListener, environment: &[(&str, &str)]) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"exec 3<&0 </dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@""#, "sh"]);
        let serve = command(working_folder, &["serve", "--data", "data"]);
        shell.arg(serve.get_program()).args(serve.get_args()).current_dir(working_folder);
        shell.envs(environment.iter().copied()).env_remove("RECTO_DATA");
        let socket = OwnedFd::from(socket.try_clone().unwrap());
        let child = shell.stdin(Stdio::from(socket)).stdout(Stdio::piped()).stderr(Stdio::piped());
        PassedServer { child: child.spawn().unwrap() }
    }

    fn wait_ready(&mut self) -> String {
        let mut ready = String::new();
        BufReader::new(self.child.stdout.as_mut().unwrap()).read_line(&mut ready).unwrap();
        ready
    }

    fn signal(&self, signal: Signal) {
        rustix::process::kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Asks it to stop, and waits until it has.
    fn stop(mut self) {
        self.signal(Signal::TERM);
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for PassedServer {
    fn drop(&mut self) {
        // Both fail when it has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks again and again, on one connection until the server closes it. Every request must be
/// answered.
fn ask_until(address: &str, is_over: &AtomicBool, answered: &AtomicUsize) {
    while !is_over.load(SeqCst) {
        let mut connection = Connection::open(address, "").unwrap();
        loop {
            let path = "/api/v1/workspaces/default/health";
            let reply = ask_anonymously(&mut connection, path);
            answered.fetch_add(1, SeqCst);
            if reply || is_over.load(SeqCst) {
                break;
            }
        }
    }
}

/// Returns true if the server closes the connection after this answer.
fn ask_anonymously(connection: &mut Connection, path: &str) -> bool {
    let reply = connection.exchange("GET", path, "", &Value::Null).unwrap();
    // A token that is none is refused: this is an answer as well as another.
    assert_eq!(reply.status, 401);
    reply.is_last
}

#[test]
fn a_restart_loses_no_request() {
    for address in ["127.0.0.1:0", "[::1]:0"] {
        let Ok(socket) = TcpListener::bind(address) else {
            assert!(address.starts_with('['), "a machine without IPv6 at most");
            continue;
        };
        let address = socket.local_addr().unwrap().to_string();
        let place = with_posts(&[]);
        let mut server = PassedServer::spawn(place.path(), &socket, &[]);
        assert!(server.wait_ready().contains(&address));
        let (is_over, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
        let wait_for = |n: usize| {
            let goal = answered.load(SeqCst) + n;
            while answered.load(SeqCst) < goal {
                thread::yield_now();
            }
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| ask_until(&address, &is_over, &answered));
            }
            for _ in 0..3 {
                wait_for(50);
                // The next one waits for the folder while this one answers what it has begun.
                let next = PassedServer::spawn(place.path(), &socket, &[]);
                wait_for(50);
                std::mem::replace(&mut server, next).stop();
                server.wait_ready();
            }
            wait_for(50);
            is_over.store(true, SeqCst);
        });
        server.stop();
    }
}

#[test]
fn the_service_manager_is_told() {
    let place = with_posts(&[]);
    let messages = place.path().join("notify");
    let inbox = UnixDatagram::bind(&messages).unwrap();
    let next = || {
        let mut bytes = [0; 1_000];
        let n = inbox.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..n].to_vec()).unwrap()
    };
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let notify = ("NOTIFY_SOCKET", messages.to_str().unwrap());
    let mut server =
        PassedServer::spawn(place.path(), &socket, &[notify, ("WATCHDOG_USEC", "20000")]);
    server.wait_ready();
    // The signs of life come in between.
    let mut n_alive = 0;
    let mut next_state = || loop {
        match next() {
            alive if alive == "WATCHDOG=1\n" => n_alive += 1,
            state => return state,
        }
    };
    assert_eq!(next_state(), "READY=1\n");
    server.signal(Signal::HUP);
    assert!(next_state().starts_with("RELOADING=1\nMONOTONIC_USEC="));
    assert_eq!(next_state(), "READY=1\n");
    while next() != "WATCHDOG=1\n" {}
    server.signal(Signal::TERM);
    assert_eq!(next_state(), "STOPPING=1\n");
    server.stop();
}

#[test]
fn what_is_passed_must_be_one_socket() {
    let place = with_posts(&[]);
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    for (script, n, message) in [
        (r#"exec 3</dev/null; exec "$@""#, "1", "fd 3 is not a socket"),
        (r#"exec 3<&0 4<&0; exec "$@""#, "2", "other sockets; one is needed"),
    ] {
        let serve = command(place.path(), &["serve", "--data", "data"]);
        let mut shell = Command::new("sh");
        shell.args(["-c", script, "sh"]).arg(serve.get_program()).args(serve.get_args());
        shell.current_dir(place.path()).env("LISTEN_FDS", n);
        shell.stdin(Stdio::from(OwnedFd::from(socket.try_clone().unwrap())));
        let ended = shell.output().unwrap();
        assert_eq!(ended.status.code(), Some(1));
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn health_is_an_exit_code() {
    let place = with_posts(&[("a.json", r#"{"slug":"a","fields":{"body":"b"}}"#)]);
    let server = Server::start(place.path(), &[]);
    let address = server.ready.split_whitespace().find(|it| it.starts_with("http")).unwrap();
    let said = run_well(place.path(), &["health", "--url", address]);
    assert_eq!(said, format!("{address} is ready: 1 entry in 1 workspace\n"));
    let listen = address.trim_start_matches("http://").to_owned();
    assert_eq!(run(place.path(), &["health", "--listen", &listen]).code, 0);
    server.stop();
    let after = run(place.path(), &["health", "--listen", &listen]);
    assert!(after.code == 1 && after.err.contains("does not answer"), "{}", after.err);
    assert_eq!(run(place.path(), &["health", "--url", "nowhere"]).code, 2);
}

#[test]
fn units_are_written_and_removed() {
    let place = with_posts(&[]);
    let units = place.path().join("units");
    fs::create_dir(&units).unwrap();
    let dir = ["--unit-dir", units.to_str().unwrap()];
    let install = ["service", "install", "--listen", "0.0.0.0:81", "--name", "site"];
    let said = run_well(place.path(), &[&install[..], &dir].concat());
    assert!(said.contains("systemctl enable --now site.socket site.service"), "{said}");
    let service = fs::read_to_string(units.join("site.service")).unwrap();
    let data = place.path().join("data");
    let data = data.to_str().unwrap();
    assert!(service.contains(&format!("serve --data {data}\n")), "{service}");
    assert!(service.contains(&format!("ReadWritePaths={data}\n")), "{service}");
    let socket = fs::read_to_string(units.join("site.socket")).unwrap();
    assert!(socket.contains("ListenStream=0.0.0.0:81\n"), "{socket}");
    // The same again, and the way back.
    run_well(place.path(), &[&install[..], &dir].concat());
    let uninstall = ["service", "uninstall", "--name", "site"];
    run_well(place.path(), &[&uninstall[..], &dir].concat());
    assert_eq!(fs::read_dir(&units).unwrap().count(), 0);
    let again = run(place.path(), &[&uninstall[..], &dir].concat());
    assert!(again.code == 1 && again.err.contains("no units named site"), "{}", again.err);
    for refused in [
        &["--base-url", "https://a.org"][..],
        &["--read-only"],
        &["--name", "a/b"],
        &["--name", "a b"],
        &["--user", "robin\nExecStartPre=/bin/evil"],
    ] {
        let ran = run(place.path(), &[&["service", "install"][..], refused, &dir].concat());
        assert_eq!(ran.code, 2, "{refused:?}: {}", ran.err);
    }
    assert_eq!(fs::read_dir(&units).unwrap().count(), 0);
    // systemd starts no unit with a folder that is missing.
    for (data, is_told) in [("data", false), ("later", true)] {
        let arguments = ["service", "install", "--user", "robin", "--data", data];
        let ran = run(place.path(), &[&arguments[..], &dir].concat());
        let path = place.path().join(data);
        let advice = format!("install -d -o robin '{}'", path.display());
        assert_eq!((ran.code, ran.err.contains(&advice)), (0, is_told), "{}", ran.err);
        run_well(place.path(), &[&["service", "uninstall"][..], &dir].concat());
    }
    // A unit of somebody else is left alone.
    fs::write(units.join("site.service"), "[Service]\nExecStart=/bin/true\n").unwrap();
    for arguments in [&install[..], &uninstall] {
        let ran = run(place.path(), &[arguments, &dir].concat());
        assert!(ran.code == 1 && ran.err.contains("was not written by"), "{}", ran.err);
    }
    assert!(fs::read_to_string(units.join("site.service")).unwrap().contains("/bin/true"));
}

#[test]
fn packages_get_manual_pages_and_a_version() {
    let place = folder();
    run_well(place.path(), &["man-pages", "man"]);
    let page = fs::read_to_string(place.path().join("man/recto.1")).unwrap();
    assert!(page.contains("headless CMS"), "{page}");
    assert!(place.path().join("man/recto-user-create.1").is_file());
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(run_well(place.path(), &["-V"]), format!("recto {version}\n"));
    let long = run_well(place.path(), &["--version"]);
    assert_eq!(long.lines().next(), Some(format!("recto {version}").as_str()));
    assert_eq!(long.lines().count(), 2);
}
