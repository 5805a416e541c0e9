//! The address of a database: one or several hosts, and how connections to them are made.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use postgres::config::TargetSessionAttrs;
use postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;

use crate::store::cluster::postgres::error_text::describe;

/// The time for a connection to each host.
const CONNECT_MAX: Duration = Duration::from_secs(3);

/// The settings of each session: waits end, dead peers are noticed, and commits are durable.
const SESSION: &str = "\
    SET application_name = 'recto'; SET lock_timeout = '8s'; SET statement_timeout = 0; \
    SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3; \
    SET tcp_user_timeout = 6000; SET client_min_messages = 'warning'";

/// The address of a database.
#[derive(Clone)]
pub struct DatabaseAddress {
    config: Config,
    tls: Option<MakeRustlsConnect>,
}

impl DatabaseAddress {
    /// Parses `postgres://user:password@host1,host2/database?sslmode=…`. The modes are those of
    /// libpq: `disable`, `require` and `verify-full`; the latter two both verify the certificate,
    /// against `sslrootcert` or the public authorities. Without one, no TLS is used.
    pub fn parse(text: &str) -> Result<DatabaseAddress, String> {
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Err("it does not begin with `postgres://`".to_string());
        }
        let (address, options) = text.split_once('?').unwrap_or((text, ""));
        let mut mode = "disable".to_string();
        let mut roots = None;
        let mut others = Vec::new();
        for option in options.split('&').filter(|it| !it.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", value)) => mode = value.to_string(),
                Some(("sslrootcert", value)) => roots = Some(decode(value)?),
                _ => others.push(option),
            }
        }
        let text = format!("{address}?{}", others.join("&"));
        let mut config =
            Config::from_str(text.trim_end_matches('?')).map_err(|it| describe(&it))?;
        config.connect_timeout(CONNECT_MAX).tcp_user_timeout(Duration::from_secs(10));
        config.keepalives_idle(Duration::from_secs(3));
        config.keepalives_interval(Duration::from_secs(1)).keepalives_retries(3);
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let tls = match mode.as_str() {
            "disable" => None,
            "require" | "verify-full" => {
                config.ssl_mode(postgres::config::SslMode::Require);
                Some(MakeRustlsConnect::new(tls_config(roots.as_deref())?))
            }
            other => return Err(format!("there is no sslmode `{other}`")),
        };
        Ok(DatabaseAddress { config, tls })
    }

    /// Connects to the first host that takes changes.
    pub(super) fn connect(&self) -> Result<Client, String> {
        let connected = match &self.tls {
            Some(tls) => self.config.connect(tls.clone()),
            None => self.config.connect(NoTls),
        };
        let mut client = connected.map_err(|it| describe(&it))?;
        client.batch_execute(SESSION).map_err(|it| describe(&it))?;
        Ok(client)
    }
}

fn tls_config(roots: Option<&str>) -> Result<rustls::ClientConfig, String> {
    let mut store = rustls::RootCertStore::empty();
    match roots {
        Some(path) => {
            let failed = |error: &dyn std::fmt::Display| format!("cannot read {path}: {error}");
            let certificates = CertificateDer::pem_file_iter(path).map_err(|it| failed(&it))?;
            for certificate in certificates {
                let certificate = certificate.map_err(|it| failed(&it))?;
                store.add(certificate).map_err(|it| failed(&it))?;
            }
        }
        None => store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions().map_err(|it| it.to_string())?;
    Ok(builder.with_root_certificates(store).with_no_client_auth())
}

fn decode(text: &str) -> Result<String, String> {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.map(|it| it.into_owned()).map_err(|it| it.to_string())
}
