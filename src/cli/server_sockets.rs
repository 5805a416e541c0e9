//! The sockets of the server: opened here, or passed by the service manager.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::cli::config::Config;
use crate::cli::error::CommandError;
use crate::cli::service_manager;

/// The time that a server may take to end once all requests are answered, on a slow disk too.
const END_MAX: Duration = Duration::from_secs(20);

/// The sockets that clients connect to.
pub(super) struct OpenSockets {
    /// The socket of connections without encryption.
    pub(super) plain: TcpListener,
    /// The socket of encrypted connections, if there are any.
    pub(super) tls: Option<TcpListener>,
    /// True if the service manager has opened them, and keeps them open when this server ends.
    is_passed: bool,
}

impl OpenSockets {
    /// Takes over the sockets of the service manager, or opens them.
    pub(super) async fn open(config: &Config) -> Result<OpenSockets, CommandError> {
        let wants_tls = config.tls.is_on();
        let passed = take_passed().map_err(|error| {
            CommandError::failed(format!("cannot take over the sockets: {error}"))
        })?;
        let mut passed = passed.into_iter();
        match (passed.next(), passed.next(), passed.next(), wants_tls) {
            (None, ..) => {}
            (Some(plain), None, _, false) => {
                return Ok(OpenSockets { plain, tls: None, is_passed: true });
            }
            (Some(plain), Some(tls), None, true) => {
                return Ok(OpenSockets { plain, tls: Some(tls), is_passed: true });
            }
            _ => {
                let wanted = match wants_tls {
                    true => "two are needed: for `listen`, then for `tls.listen`",
                    false => "one is needed",
                };
                let message = format!("the service manager passed other sockets; {wanted}");
                return Err(CommandError::failed(message));
            }
        }
        let tls = match wants_tls {
            true => Some(bind(config.tls.listen).await?),
            false => None,
        };
        Ok(OpenSockets { plain: bind(config.listen).await?, tls, is_passed: false })
    }

    /// Returns the address that clients are to use.
    pub(super) fn public_address(&self) -> io::Result<SocketAddr> {
        self.tls.as_ref().unwrap_or(&self.plain).local_addr()
    }

    /// Returns the time to wait for the server before this one. With sockets that outlive it,
    /// clients wait meanwhile; without them, the port would still be in use.
    pub(super) fn lock_wait(&self, config: &Config) -> Duration {
        if self.is_passed { config.drain.saturating_add(END_MAX) } else { Duration::ZERO }
    }
}

fn take_passed() -> io::Result<Vec<TcpListener>> {
    service_manager::take_listeners()?.into_iter().map(TcpListener::from_std).collect()
}

async fn bind(address: SocketAddr) -> Result<TcpListener, CommandError> {
    TcpListener::bind(address).await.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::AddrInUse => "another program uses this address".to_owned(),
            _ => error.to_string(),
        };
        CommandError::failed(format!("cannot listen at {address}: {why}"))
    })
}
