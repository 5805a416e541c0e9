//! The certificate that the server shows, which can be replaced while it runs, and the proofs that
//! it owns its names, for the authority that issues it.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::server::ClientHello;
use tokio_rustls::rustls::server::ResolvesServerCert;
use tokio_rustls::rustls::sign::CertifiedKey;

use crate::stdx::sync::Mutex;

/// The protocols of connections, by preference.
const HTTP_2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";
/// The protocol with which an authority asks for a proof.
const ACME_TLS: &[u8] = b"acme-tls/1";

/// The certificate of the server, and the proofs under way.
#[derive(Default)]
pub struct CertificateStore {
    current: ArcSwapOption<CertifiedKey>,
    proofs: Mutex<PendingProofs>,
}

#[derive(Default)]
struct PendingProofs {
    /// Certificates that are shown to the authority only, by name.
    certificates: HashMap<String, Arc<CertifiedKey>>,
    /// The answers to requests of the authority, by token.
    answers: HashMap<String, String>,
}

impl CertificateStore {
    /// Shows another certificate from now on, to new connections.
    pub fn replace(&self, certified: CertifiedKey) {
        self.current.store(Some(Arc::new(certified)));
    }

    /// Returns true if there is a certificate to show.
    pub fn has_certificate(&self) -> bool {
        self.current.load().is_some()
    }

    /// Returns the answer to a request of the authority (RFC 8555, 8.3).
    pub fn find_answer(&self, token: &str) -> Option<String> {
        self.proofs.lock().answers.get(token).cloned()
    }

    /// Keeps the answer to a request of the authority.
    pub(super) fn add_answer(&self, token: String, answer: String) {
        self.proofs.lock().answers.insert(token, answer);
    }

    /// Keeps a certificate that proves a name (RFC 8737).
    pub(super) fn add_proof(&self, name: String, certified: CertifiedKey) {
        self.proofs.lock().certificates.insert(name, Arc::new(certified));
    }

    /// Forgets all proofs.
    pub(super) fn clear_proofs(&self) {
        *self.proofs.lock() = PendingProofs::default();
    }

    /// Returns an acceptor of TLS connections that shows the certificate of this store.
    pub fn acceptor(self: &Arc<Self>) -> TlsAcceptor {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider knows the default versions")
            .with_no_client_auth()
            .with_cert_resolver(self.clone());
        config.alpn_protocols = [HTTP_2, HTTP_1, ACME_TLS].map(<[u8]>::to_vec).to_vec();
        TlsAcceptor::from(Arc::new(config))
    }
}

impl fmt::Debug for CertificateStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CertificateStore").finish_non_exhaustive()
    }
}

impl ResolvesServerCert for CertificateStore {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let is_proof = hello.alpn().is_some_and(|mut it| it.any(|name| name == ACME_TLS));
        if !is_proof {
            return self.current.load_full();
        }
        let proofs = self.proofs.lock();
        hello.server_name().and_then(|name| proofs.certificates.get(name)).cloned()
    }
}

/// Returns true if the client of a connection is an authority that has seen its proof.
pub fn is_proof_connection(negotiated: Option<&[u8]>) -> bool {
    negotiated == Some(ACME_TLS)
}

/// Returns true if both sides speak HTTP/2.
pub fn speaks_http2(negotiated: Option<&[u8]>) -> bool {
    negotiated == Some(HTTP_2)
}

/// Parses a certificate with its chain, and its key, in PEM.
///
/// # Errors
///
/// Returns a sentence if one of them is none, or if they do not belong together.
pub fn parse_certified_key(chain: &[u8], key: &[u8]) -> Result<CertifiedKey, String> {
    let certified = parse_unchecked_key(chain, key)?;
    match certified.keys_match() {
        Ok(()) | Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => {
            Ok(certified)
        }
        Err(rustls::Error::InconsistentKeys(_)) => {
            Err("The private key is not that of the certificate.".to_owned())
        }
        Err(error) => Err(format!("The certificate is invalid: {error}.")),
    }
}

/// Parses a certificate and its key like [`parse_certified_key`], also one that no client accepts,
/// as a proof of a name is.
pub(super) fn parse_unchecked_key(chain: &[u8], key: &[u8]) -> Result<CertifiedKey, String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain).collect();
    let chain = chain.map_err(|error| format!("The certificate is no PEM: {error}."))?;
    if chain.is_empty() {
        return Err("There is no certificate in the file.".to_owned());
    }
    let key = PrivateKeyDer::from_pem_slice(key)
        .map_err(|error| format!("The private key is no PEM: {error}."))?;
    let key = rustls::crypto::ring::sign::any_supported_type(&key)
        .map_err(|error| format!("The private key cannot be used: {error}."))?;
    Ok(CertifiedKey::new(chain, key))
}
