//! The certificate of a server with TLS: read from files, and again when they change, or ordered
//! from an authority.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::time::SystemTime;

use tokio::time::interval;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;

use crate::cli::config::Config;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::net::acme::AcmeSettings;
use crate::net::acme::CertificateKeeper;
use crate::net::certificates::CertificateStore;
use crate::net::certificates::parse_certified_key;
use crate::stdx::clock::SystemClock;
use crate::stdx::time::Timestamp;
use crate::store::certificate_files::CertificateFiles;

/// The interval of looks at the files of a certificate.
const FILES_POLL: Duration = Duration::from_secs(2);

/// The certificate of a server, and what keeps it up to date.
pub(super) struct ServerCertificate {
    pub(super) store: Arc<CertificateStore>,
    source: CertificateSource,
}

enum CertificateSource {
    Files(CertificatePaths),
    Authority { keeper: Box<CertificateKeeper>, renew_at: Option<Timestamp> },
}

/// The files of a certificate that somebody else renews.
struct CertificatePaths {
    cert: PathBuf,
    key: PathBuf,
    /// The times and sizes of both files as they were read.
    seen: Option<[FileMark; 2]>,
}

type FileMark = (SystemTime, u64);

impl ServerCertificate {
    /// Opens the certificate that the configuration names. Returns nothing if it names none.
    pub(super) fn open(config: &Config) -> Result<Option<ServerCertificate>, CommandError> {
        let (tls, store) = (&config.tls, Arc::<CertificateStore>::default());
        let usage = |message: &str| Err(CommandError::usage(message));
        match (&tls.cert, &tls.key) {
            (None, None) if tls.domains.is_empty() => return Ok(None),
            (None, None) => {}
            (Some(cert), Some(key)) if tls.domains.is_empty() => {
                let (cert, key) = (cert.clone(), key.clone());
                let mut paths = CertificatePaths { cert, key, seen: None };
                paths.read_if_changed(&store).map_err(CommandError::usage)?;
                let source = CertificateSource::Files(paths);
                return Ok(Some(ServerCertificate { store, source }));
            }
            (Some(_), Some(_)) => {
                return usage("`tls.domains` orders a certificate; `tls.cert` cannot be set, too");
            }
            _ => return usage("`tls.cert` and `tls.key` have to be set together"),
        }
        if config.read_only {
            return usage(
                "a read-only server cannot order certificates; set `tls.cert` and `tls.key`",
            );
        }
        let settings = AcmeSettings {
            directory: tls.acme_url.clone(),
            names: tls.domains.clone(),
            email: tls.email.clone(),
            roots: tls.acme_roots.as_deref().map(read_roots).transpose()?.unwrap_or_default(),
        };
        let files =
            CertificateFiles::new(Arc::new(folder_setup::open_disk(&config.data_folder())?));
        let keeper = CertificateKeeper::new(settings, files, store.clone(), Arc::new(SystemClock));
        let renew_at = keeper.show_kept();
        let source = CertificateSource::Authority { keeper: Box::new(keeper), renew_at };
        Ok(Some(ServerCertificate { store, source }))
    }

    /// Keeps the certificate up to date, in a task of the runtime that calls this.
    pub(super) fn keep(self) {
        match self.source {
            CertificateSource::Authority { keeper, renew_at } => {
                tokio::spawn(keeper.run(renew_at));
            }
            CertificateSource::Files(paths) => {
                tokio::spawn(paths.follow(self.store));
            }
        }
    }
}

impl CertificatePaths {
    /// Reads the files again whenever they have changed.
    async fn follow(mut self, store: Arc<CertificateStore>) {
        let mut polls = interval(FILES_POLL);
        loop {
            polls.tick().await;
            let reading = store.clone();
            let read = tokio::task::spawn_blocking(move || {
                let result = self.read_if_changed(&reading);
                (self, result)
            });
            let Ok((paths, result)) = read.await else { return };
            self = paths;
            match result {
                Ok(true) => tracing::info!("the certificate was read again"),
                Ok(false) => {}
                Err(error) => tracing::warn!(error, "the certificate stays as it was"),
            }
        }
    }

    /// Reads the files if they differ from what was read before. A pair that is just being replaced
    /// does not match, and is read at the next look.
    fn read_if_changed(&mut self, store: &CertificateStore) -> Result<bool, String> {
        let (cert, key) = (&self.cert, &self.key);
        let marks = [mark_file(cert)?, mark_file(key)?];
        if self.seen == Some(marks) {
            return Ok(false);
        }
        self.seen = Some(marks);
        let certified = parse_certified_key(&read_file(cert)?, &read_file(key)?)
            .map_err(|error| format!("{}: {error}", cert.display()))?;
        store.replace(certified);
        Ok(true)
    }
}

fn mark_file(path: &Path) -> Result<FileMark, String> {
    let found = std::fs::metadata(path).and_then(|it| Ok((it.modified()?, it.len())));
    found.map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn read_roots(path: &Path) -> Result<Vec<CertificateDer<'static>>, CommandError> {
    let bytes = read_file(path).map_err(CommandError::usage)?;
    let roots: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    roots.map_err(|error| CommandError::usage(format!("{}: {error}", path.display())))
}
