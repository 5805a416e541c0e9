//! The measured server processes: starting, stopping, and reading their processor time and memory
//! from the kernel.

use std::ffi::OsString;
use std::fs::File;
use std::io::BufRead;
use std::io::BufReader;
use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::net::TcpListener;
use std::path::Path;
use std::path::PathBuf;
use std::process::Child;
use std::process::ChildStdout;
use std::process::Command;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;
use std::time::Instant;

use serde::Serialize;

use crate::BenchError;

/// The longest time that a server may take to become ready.
const READY_TIME_MAX: Duration = Duration::from_secs(120);
/// The longest time that a server may take to end.
const STOP_TIME_MAX: Duration = Duration::from_secs(10);

/// A running server. Dropping it kills it.
pub(crate) struct Process {
    child: Child,
    /// The address on which it listens.
    pub(crate) address: SocketAddr,
}

impl Process {
    /// Starts a server and waits for the line on its standard output with its address. Its standard
    /// error goes to `log`.
    pub(crate) fn start(
        binary: &Path,
        arguments: &[OsString],
        log: &Path,
    ) -> Result<Self, BenchError> {
        let log_file = File::create(log).map_err(BenchError::file(log))?;
        let mut child = Command::new(binary)
            .args(arguments)
            // Text indexes are built by the rows that search, and not beside the others.
            .env("RECTO_SEARCH_EAGER", "false")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log_file)
            .spawn()
            .map_err(BenchError::file(binary))?;
        let ready = child.stdout.take().map(watch_for_address);
        // From here on, dropping kills the child.
        let mut process = Process { child, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        let address = ready.and_then(|ready| ready.recv_timeout(READY_TIME_MAX).ok());
        process.address = address.ok_or_else(|| {
            let said = std::fs::read_to_string(log).unwrap_or_default();
            let said = said.lines().last().unwrap_or("nothing").to_owned();
            BenchError::Run(format!("{} did not start; it said: {said}", binary.display()))
        })?;
        Ok(process)
    }

    /// Starts a server that prints nothing, and waits until it accepts connections at `address`.
    pub(crate) fn start_silent(
        command: &mut Command,
        address: SocketAddr,
    ) -> Result<Self, BenchError> {
        let child = command.stdin(Stdio::null()).spawn().map_err(BenchError::Io)?;
        let process = Process { child, address };
        let start = Instant::now();
        while std::net::TcpStream::connect(address).is_err() {
            if start.elapsed() > READY_TIME_MAX {
                return Err(BenchError::Run(format!("nothing listens at {address}")));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(process)
    }

    /// Returns the id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks the server to end cleanly, and waits for it.
    pub(crate) fn stop(mut self) {
        if terminate(&self.child) {
            let start = Instant::now();
            while start.elapsed() < STOP_TIME_MAX {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    /// Returns the processor time of all its threads in nanoseconds; `None` if the kernel does not
    /// report it.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let nanos = tasks.flatten().filter_map(|task| {
            let schedstat = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            schedstat.split_whitespace().next()?.parse::<u64>().ok()
        });
        Some(Duration::from_nanos(nanos.sum()))
    }

    /// Returns the processor time with that of threads that have ended, in hundredths of a second;
    /// `None` if the kernel does not report it.
    pub(crate) fn total_cpu(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name of the program, in parentheses, may contain spaces.
        let (_, fields) = stat.rsplit_once(')')?;
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|it| it.parse::<u64>().ok()).sum();
        Some(Duration::from_millis(ticks * 10))
    }

    /// Returns the resident memory in bytes.
    pub(crate) fn resident_bytes(&self) -> Option<u64> {
        self.status_kb("VmRSS:").map(|kb| kb * 1_024)
    }

    /// Returns the peak of the resident memory since `reset_peak`, in bytes.
    pub(crate) fn peak_bytes(&self) -> Option<u64> {
        self.status_kb("VmHWM:").map(|kb| kb * 1_024)
    }

    /// Resets the peak.
    pub(crate) fn reset_peak(&self) -> bool {
        std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5").is_ok()
    }

    /// Returns the resident memory once it is stable, or after ten seconds.
    pub(crate) fn settled_bytes(&self) -> Option<u64> {
        let mut before = self.resident_bytes()?;
        for _ in 0..25 {
            std::thread::sleep(Duration::from_millis(400));
            let now = self.resident_bytes()?;
            if now.abs_diff(before) * 200 <= before {
                return Some(now);
            }
            before = now;
        }
        Some(before)
    }

    fn status_kb(&self, key: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the output of a server to its end, so that the server never blocks, and reports the first
/// address.
fn watch_for_address(output: ChildStdout) -> mpsc::Receiver<SocketAddr> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(address) = find_address(&line) {
                // The receiver is gone after the first address.
                let _ = sender.send(address);
            }
        }
    });
    receiver
}

/// Returns the `http://ADDRESS:PORT` in a line.
fn find_address(line: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once("http://")?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".:[]".contains(c);
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let address = rest.get(..end)?.trim_end_matches('.').replace("localhost", "127.0.0.1");
    address.parse().ok()
}

#[cfg(unix)]
fn terminate(child: &Child) -> bool {
    rustix::process::kill_process(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::TERM,
    )
    .is_ok()
}

#[cfg(not(unix))]
fn terminate(_child: &Child) -> bool {
    false
}

/// Runs a command to its end and returns what it printed.
pub(crate) fn output_of(binary: &Path, arguments: &[OsString]) -> Result<String, BenchError> {
    let output = Command::new(binary).args(arguments).output().map_err(BenchError::file(binary))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(BenchError::Run(format!("{arguments:?} failed: {said}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns an address of this machine on which nobody listens.
pub(crate) fn free_address() -> Result<SocketAddr, BenchError> {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr());
    free.map_err(BenchError::Io)
}

/// Returns the file of a program on the `PATH`.
pub(crate) fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Empties the file caches of the kernel. The error says why it cannot.
pub(crate) fn drop_file_caches() -> Result<(), &'static str> {
    #[cfg(unix)]
    rustix::fs::sync();
    std::fs::write("/proc/sys/vm/drop_caches", "3")
        .map_err(|_| "emptying the file caches needs root on Linux")
}

/// Returns the processor time of this thread, to tell whether the load generator was the limit.
pub(crate) fn own_cpu() -> Option<Duration> {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    schedstat.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The machine on which a report was made.
#[derive(Serialize)]
pub(crate) struct Machine {
    cores: usize,
    processor: String,
    memory_mb: u64,
    kernel: String,
    system: &'static str,
}

impl Machine {
    /// Describes this machine.
    pub(crate) fn describe() -> Self {
        let value_of = |path: &str, key: &str| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with(key)).unwrap_or("");
            line.split_once(':').map_or("", |(_, value)| value).trim().to_owned()
        };
        let memory = value_of("/proc/meminfo", "MemTotal");
        let memory_kb: u64 = memory.trim_end_matches(" kB").parse().unwrap_or(0);
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            processor: value_of("/proc/cpuinfo", "model name"),
            memory_mb: memory_kb / 1_024,
            kernel: kernel.trim().to_owned(),
            system: std::env::consts::OS,
        }
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Machine { cores, processor, memory_mb, kernel, system } = self;
        write!(f, "{cores} cores of {processor}, {memory_mb} MB, {system} {kernel}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_ready_lines() {
        let check = |line: &str, expect: Option<&str>| {
            assert_eq!(find_address(line).map(|address| address.to_string()).as_deref(), expect);
        };
        check("http://127.0.0.1:8080", Some("127.0.0.1:8080"));
        check("Listening on http://127.0.0.1:81/admin/, 3 entries", Some("127.0.0.1:81"));
        check(r#"{"url":"http://localhost:4000","entries":1}"#, Some("127.0.0.1:4000"));
        check("ready at http://[::1]:5.", Some("[::1]:5"));
        check("loading", None);
    }
}
