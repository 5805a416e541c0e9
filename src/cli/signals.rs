//! The signals with which other processes stop the server, or have it read its configuration again.

use std::future::Future;
use std::io;
#[cfg(unix)]
use std::sync::Arc;

/// The signals of other processes.
#[cfg(unix)]
pub(super) struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hang_up: HangUp,
}

#[cfg(unix)]
pub(super) struct HangUp(tokio::signal::unix::Signal);

#[cfg(unix)]
impl Signals {
    /// Catches signals from now on, so that none ends a server in the middle of loading.
    pub(super) fn new() -> io::Result<Signals> {
        use tokio::signal::unix::SignalKind;
        use tokio::signal::unix::signal;
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: HangUp(signal(SignalKind::hangup())?),
        })
    }

    /// Splits the signals into the requests to stop and the requests to reload.
    pub(super) fn split(self) -> (impl Future<Output = ()>, HangUp) {
        let Signals { mut terminate, mut interrupt, hang_up } = self;
        let stop = async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        (stop, hang_up)
    }
}

#[cfg(unix)]
impl HangUp {
    pub(super) async fn each(mut self, act: impl Fn() + Send + Sync + 'static) {
        let act = Arc::new(act);
        while self.0.recv().await.is_some() {
            let act = act.clone();
            // The reaction reads files, which would block a thread that answers requests.
            let _ = tokio::task::spawn_blocking(move || act()).await;
        }
    }
}

/// The signals of other systems, which can only ask to stop.
#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
pub(super) struct HangUp;

#[cfg(not(unix))]
impl Signals {
    pub(super) fn new() -> io::Result<Signals> {
        Ok(Signals)
    }

    pub(super) fn split(self) -> (impl Future<Output = ()>, HangUp) {
        let stop = async {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending().await
            }
        };
        (stop, HangUp)
    }
}

#[cfg(not(unix))]
impl HangUp {
    pub(super) async fn each(self, _act: impl Fn() + Send + Sync + 'static) {}
}
