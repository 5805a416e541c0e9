//! Certificates from an authority that speaks ACME (RFC 8555), such as Let's Encrypt: ordered when
//! there is none, and again when two thirds of their time are over.
//!
//! The authority proves a name with a connection to the encrypted port (RFC 8737), or to the other
//! one if it offers nothing else or that failed.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http::Response;
use http_body_util::BodyExt as _;
use http_body_util::Full;
use instant_acme::Account;
use instant_acme::AccountCredentials;
use instant_acme::AuthorizationStatus;
use instant_acme::BodyWrapper;
use instant_acme::BytesResponse;
use instant_acme::ChallengeHandle;
use instant_acme::ChallengeType;
use instant_acme::HttpClient;
use instant_acme::Identifier;
use instant_acme::NewAccount;
use instant_acme::NewOrder;
use instant_acme::Order;
use instant_acme::OrderStatus;
use instant_acme::RetryPolicy;
use serde::Deserialize;
use serde::Serialize;
use tokio::time::sleep;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::sign::CertifiedKey;

use crate::net::certificate_dates;
use crate::net::certificates::CertificateStore;
use crate::net::certificates::parse_certified_key;
use crate::net::certificates::parse_unchecked_key;
use crate::net::http_client::Outgoing;
use crate::net::http_client::OutgoingLimits;
use crate::net::http_client::OutgoingPolicy;
use crate::net::http_client::OutgoingRequest;
use crate::stdx::clock::Clock;
use crate::stdx::time::Timestamp;
use crate::store::certificate_files::CertificateFiles;

/// The time that the authority has to check a name, or to issue a certificate.
const PATIENCE: RetryPolicy =
    RetryPolicy::new().initial_delay(Duration::from_millis(500)).timeout(Duration::from_secs(120));

/// The pauses after failed orders; the last one repeats. Authorities allow a few failures an hour.
const PAUSES_S: [u64; 5] = [60, 5 * 60, 15 * 60, 60 * 60, 6 * 60 * 60];

/// The times that an order is begun again because the authority refused a nonce that it gave,
/// which it may do at any time (RFC 8555, 6.5). The library sends each request three times.
const N_NONCES_REFUSED_MAX: usize = 3;

/// The pause before that.
const NONCE_PAUSE: Duration = Duration::from_millis(250);

/// The longest time between two looks at the clock, which may be set.
const SLEEP_MAX: Duration = Duration::from_secs(60 * 60);

/// The longest answer of an authority.
const ANSWERS: OutgoingLimits =
    OutgoingLimits { timeout: Duration::from_secs(30), body_bytes_max: 1_024 * 1_024 };

/// An error of an order, as a sentence.
type OrderError = Box<dyn std::error::Error + Send + Sync>;

/// The settings of orders.
#[derive(Clone, Debug)]
pub struct AcmeSettings {
    /// The URL of the directory of the authority.
    pub directory: String,
    /// The names of the certificate, of which the first is its subject.
    pub names: Vec<String>,
    /// The address that the authority writes to before a certificate expires.
    pub email: Option<String>,
    /// Certificates that are trusted for connections to the authority besides the usual ones.
    pub roots: Vec<CertificateDer<'static>>,
}

/// A certificate as it is kept between two starts.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct KeptCertificate {
    /// The directory of the authority.
    directory: String,
    names: Vec<String>,
    not_before: String,
    not_after: String,
    /// The certificate and those of its issuers, in PEM.
    certificate: String,
    /// In PEM.
    private_key: String,
}

/// A certificate that can be shown, and its end.
struct UsableCertificate {
    certified: CertifiedKey,
    renew_at: Timestamp,
}

/// An account with an authority as it is kept between two starts.
#[derive(Deserialize, Serialize)]
struct KeptAccount {
    directory: String,
    credentials: AccountCredentials,
}

/// Orders and renews the certificate of a server.
pub struct CertificateKeeper {
    settings: AcmeSettings,
    files: CertificateFiles,
    store: Arc<CertificateStore>,
    clock: Arc<dyn Clock>,
    outgoing: Arc<Outgoing>,
}

impl CertificateKeeper {
    /// Returns a keeper that puts certificates into `store`, and keeps them in `files`.
    pub fn new(
        settings: AcmeSettings,
        files: CertificateFiles,
        store: Arc<CertificateStore>,
        clock: Arc<dyn Clock>,
    ) -> CertificateKeeper {
        // The address of the authority is in the configuration, which the interface cannot change.
        let mut policy = OutgoingPolicy::new(true);
        policy.roots.clone_from(&settings.roots);
        let outgoing = Arc::new(Outgoing::new(policy));
        CertificateKeeper { settings, files, store, clock, outgoing }
    }

    /// Shows the kept certificate, if it is for these names. Returns when it has to be renewed.
    pub fn show_kept(&self) -> Option<Timestamp> {
        let kept: KeptCertificate = serde_json::from_slice(&self.files.read_certificate()?).ok()?;
        let sorted = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
        let is_wanted = kept.directory == self.settings.directory
            && sorted(&kept.names) == sorted(&self.settings.names);
        if !is_wanted {
            return None;
        }
        match kept.to_usable() {
            Ok(usable) => {
                self.store.replace(usable.certified);
                Some(usable.renew_at)
            }
            Err(error) => {
                tracing::warn!(error, "the kept certificate cannot be used");
                None
            }
        }
    }

    /// Keeps the certificate valid, forever.
    pub async fn run(self, mut renew_at: Option<Timestamp>) {
        let mut n_failures: usize = 0;
        loop {
            if let Some(at) = renew_at {
                let left = at.seconds().saturating_sub(self.clock.now().seconds());
                if let Ok(left @ 1..) = u64::try_from(left) {
                    sleep(Duration::from_secs(left).min(SLEEP_MAX)).await;
                    continue;
                }
            }
            let with_http = n_failures % 2 == 1;
            match self.renew(with_http).await {
                Ok(at) => (renew_at, n_failures) = (Some(at), 0),
                Err(error) => {
                    let pause = PAUSES_S.get(n_failures).or(PAUSES_S.last()).copied().unwrap_or(60);
                    let names = self.settings.names.join(", ");
                    tracing::warn!(%error, names, retry_s = pause, "no certificate was issued");
                    n_failures = n_failures.saturating_add(1);
                    sleep(Duration::from_secs(pause)).await;
                }
            }
            self.store.clear_proofs();
        }
    }

    /// Orders a certificate, again if only a nonce was refused. Returns when to renew it.
    async fn renew(&self, with_http: bool) -> Result<Timestamp, OrderError> {
        for _ in 0..N_NONCES_REFUSED_MAX {
            match self.order_certificate(with_http).await {
                Err(error) if is_refused_nonce(&error) => sleep(NONCE_PAUSE).await,
                result => return result,
            }
        }
        self.order_certificate(with_http).await
    }

    /// Orders a certificate, keeps it and shows it. Returns when to renew it.
    async fn order_certificate(&self, with_http: bool) -> Result<Timestamp, OrderError> {
        let account = self.open_account().await?;
        let names = self.settings.names.iter().cloned().map(Identifier::Dns).collect::<Vec<_>>();
        let mut order = account.new_order(&NewOrder::new(&names)).await?;
        self.prove_names(&mut order, with_http).await?;
        let status = order.poll_ready(&PATIENCE).await?;
        if !matches!(status, OrderStatus::Ready | OrderStatus::Valid) {
            return Err(describe_refusal(&mut order).await.into());
        }
        let private_key = order.finalize().await?;
        let certificate = order.poll_certificate(&PATIENCE).await?;
        let kept = KeptCertificate::new(&self.settings, certificate, private_key)?;
        let usable = kept.to_usable()?;
        self.files.write_certificate(&serde_json::to_vec_pretty(&kept)?)?;
        self.store.replace(usable.certified);
        let (names, until) = (kept.names.join(", "), kept.not_after);
        tracing::info!(names, until, "a certificate was issued");
        Ok(usable.renew_at)
    }

    /// Opens the account with the authority, or creates one.
    async fn open_account(&self) -> Result<Account, OrderError> {
        let directory = &self.settings.directory;
        let kept = self.files.read_account();
        let kept = kept.and_then(|it| serde_json::from_slice::<KeptAccount>(&it).ok());
        let http = || Box::new(AcmeHttp(self.outgoing.clone()));
        if let Some(kept) = kept.filter(|it| it.directory == *directory) {
            let builder = Account::builder_with_http(http());
            return Ok(builder.from_credentials(kept.credentials).await?);
        }
        let contact = self.settings.email.as_ref().map(|it| format!("mailto:{it}"));
        let contact: Vec<&str> = contact.iter().map(String::as_str).collect();
        let account = NewAccount {
            contact: &contact,
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let builder = Account::builder_with_http(http());
        let (account, credentials) = builder.create(&account, directory.clone(), None).await?;
        let kept = KeptAccount { directory: directory.clone(), credentials };
        self.files.write_account(&serde_json::to_vec_pretty(&kept)?)?;
        Ok(account)
    }

    /// Prepares the proof of each name, and tells the authority.
    async fn prove_names(&self, order: &mut Order, with_http: bool) -> Result<(), OrderError> {
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization?;
            if authorization.status == AuthorizationStatus::Valid {
                continue;
            }
            let offers =
                |kind: &ChallengeType| authorization.challenges.iter().any(|it| it.r#type == *kind);
            let (tls, http) = (ChallengeType::TlsAlpn01, ChallengeType::Http01);
            let kind = match (offers(&tls), offers(&http)) {
                (true, false) => tls,
                (true, true) if !with_http => tls,
                (_, true) => http,
                (false, false) => {
                    return Err("The authority offers no proof over HTTP or TLS.".into());
                }
            };
            let challenge = authorization.challenge(kind.clone());
            let mut challenge = challenge.ok_or("The authority took its offer back.")?;
            match kind {
                ChallengeType::TlsAlpn01 => self.add_certificate_proof(&challenge)?,
                _ => self.store.add_answer(
                    challenge.token.clone(),
                    challenge.key_authorization().as_str().to_owned(),
                ),
            }
            challenge.set_ready().await?;
        }
        Ok(())
    }

    /// Keeps the certificate that proves a name (RFC 8737, 3).
    fn add_certificate_proof(&self, challenge: &ChallengeHandle<'_>) -> Result<(), OrderError> {
        let name = challenge.identifier().to_string();
        let mut parameters = rcgen::CertificateParams::new(vec![name.clone()])?;
        let digest = challenge.key_authorization().digest();
        parameters.custom_extensions =
            vec![rcgen::CustomExtension::new_acme_identifier(digest.as_ref())];
        let key = rcgen::KeyPair::generate()?;
        let certificate = parameters.self_signed(&key)?;
        let certified =
            parse_unchecked_key(certificate.pem().as_bytes(), key.serialize_pem().as_bytes())?;
        self.store.add_proof(name, certified);
        Ok(())
    }
}

impl KeptCertificate {
    fn new(
        settings: &AcmeSettings,
        certificate: String,
        private_key: String,
    ) -> Result<KeptCertificate, OrderError> {
        let certified = parse_certified_key(certificate.as_bytes(), private_key.as_bytes())?;
        let dates = certified.cert.first().and_then(|it| certificate_dates::read_dates(it));
        let (not_before, not_after) = dates.ok_or("The certificate has no dates.")?;
        Ok(KeptCertificate {
            directory: settings.directory.clone(),
            names: settings.names.clone(),
            not_before: not_before.to_string(),
            not_after: not_after.to_string(),
            certificate,
            private_key,
        })
    }

    fn to_usable(&self) -> Result<UsableCertificate, String> {
        let certified =
            parse_certified_key(self.certificate.as_bytes(), self.private_key.as_bytes())?;
        let dates = (Timestamp::parse(&self.not_before), Timestamp::parse(&self.not_after));
        let (Some(from), Some(until)) = dates else {
            return Err("Its dates are none.".to_owned());
        };
        // Two thirds of its time, as authorities recommend.
        let third = until.seconds().saturating_sub(from.seconds()) / 3;
        let renew_at = Timestamp::from_seconds(until.seconds().saturating_sub(third));
        Ok(UsableCertificate { certified, renew_at })
    }
}

/// Returns true if the authority refused only the nonce of a request.
fn is_refused_nonce(error: &OrderError) -> bool {
    match error.downcast_ref() {
        Some(instant_acme::Error::Api(problem)) => {
            problem.r#type.as_deref() == Some("urn:ietf:params:acme:error:badNonce")
        }
        _ => false,
    }
}

/// Describes why an order was refused, with what the authority says about each name.
async fn describe_refusal(order: &mut Order) -> String {
    let mut reasons = Vec::new();
    let mut authorizations = order.authorizations();
    while let Some(Ok(authorization)) = authorizations.next().await {
        let name = authorization.identifier().to_string();
        for problem in authorization.challenges.iter().filter_map(|it| it.error.as_ref()) {
            reasons.push(format!("{name}: {problem}"));
        }
    }
    match reasons.is_empty() {
        true => "The authority refused the order.".to_owned(),
        false => reasons.join("; "),
    }
}

/// The client of this server, as the ACME library wants it.
struct AcmeHttp(Arc<Outgoing>);

impl HttpClient for AcmeHttp {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, instant_acme::Error>> + Send>> {
        let outgoing = self.0.clone();
        Box::pin(async move {
            let other = |error: OrderError| instant_acme::Error::Other(error);
            let (head, body) = request.into_parts();
            let body = body.collect().await.map_err(|error| other(error.into()))?.to_bytes();
            let request = OutgoingRequest {
                method: head.method,
                url: head.uri.to_string(),
                headers: head.headers,
                body,
            };
            let sent = outgoing.send(request, ANSWERS).await;
            let answer = sent.map_err(|error| other(error.into()))?;
            let mut response = Response::new(Full::new(answer.body));
            *response.status_mut() = answer.status;
            *response.headers_mut() = answer.headers;
            Ok(response.into())
        })
    }
}
