//! The protocol between the server and the service manager that started it, which is systemd on
//! most Linux systems: sockets that it opened, and messages about the state of the server.
//!
//! Without a service manager, all of it does nothing.

use std::io;
use std::net::TcpListener;
#[cfg(unix)]
use std::time::Duration;

/// The longest time between two signs of life, times two.
#[cfg(unix)]
const WATCHDOG_MAX: Duration = Duration::from_secs(60);

/// A message to the service manager.
#[derive(Clone, Copy, Debug)]
pub(super) enum ServicePhase {
    /// Requests are answered from now on, or again after a reload.
    Ready,
    /// The configuration is loaded again.
    Reloading,
    /// The server ends.
    Stopping,
}

/// Takes over the sockets that the service manager opened for this process, in its order.
///
/// # Errors
///
/// Fails if one of them is no TCP socket.
#[cfg(unix)]
pub(super) fn take_listeners() -> io::Result<Vec<TcpListener>> {
    let mut passed = listenfd::ListenFd::from_env();
    let mut listeners = Vec::new();
    for at in 0..passed.len() {
        let listener = passed.take_tcp_listener(at)?;
        let listener = listener.ok_or(io::ErrorKind::InvalidInput)?;
        listener.set_nonblocking(true)?;
        listeners.push(listener);
    }
    Ok(listeners)
}

/// Returns nothing: only service managers of Unix pass sockets.
#[cfg(not(unix))]
pub(super) fn take_listeners() -> io::Result<Vec<TcpListener>> {
    Ok(Vec::new())
}

/// Tells the service manager about the server.
#[cfg(unix)]
pub(super) fn report_phase(phase: ServicePhase) {
    use sd_notify::NotifyState;
    let sent = match phase {
        ServicePhase::Ready => sd_notify::notify(&[NotifyState::Ready]),
        ServicePhase::Stopping => sd_notify::notify(&[NotifyState::Stopping]),
        // The time tells this reload from one before.
        ServicePhase::Reloading => NotifyState::monotonic_usec_now()
            .and_then(|now| sd_notify::notify(&[NotifyState::Reloading, now])),
    };
    if let Err(error) = sent {
        tracing::warn!(%error, ?phase, "cannot reach the service manager");
    }
}

/// Does nothing: only service managers of Unix are told.
#[cfg(not(unix))]
pub(super) fn report_phase(_phase: ServicePhase) {}

/// Tells the service manager again and again that the server works, if it wants to know; it
/// restarts a server that falls silent. The task runs where requests are answered, so it stops when
/// they do.
#[cfg(unix)]
pub(super) fn spawn_watchdog() {
    let Some(limit) = sd_notify::watchdog_enabled().filter(|it| !it.is_zero()) else { return };
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(limit.min(WATCHDOG_MAX) / 2);
        loop {
            ticks.tick().await;
            if let Err(error) = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]) {
                tracing::warn!(%error, "cannot reach the service manager");
            }
        }
    });
}

/// Does nothing: only service managers of Unix watch.
#[cfg(not(unix))]
pub(super) fn spawn_watchdog() {}
