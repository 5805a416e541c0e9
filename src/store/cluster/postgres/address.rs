//! The address of a database: one or several hosts, and how connections to them are made.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use postgres::config::{SslMode, TargetSessionAttrs};
use postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;

use crate::store::cluster::postgres::error_text::describe;

/// The time for a connection to each host.
const CONNECT_MAX: Duration = Duration::from_secs(3);

/// The time in which one of the hosts has to answer.
const ANSWER_MAX: Duration = Duration::from_secs(5);

/// The time after which a host that acknowledges nothing is gone.
const PEER_MAX: Duration = Duration::from_secs(10);

/// The settings of each session: waits end, dead peers are noticed, and commits are durable.
const SESSION: &str = "\
    SET application_name = 'recto'; SET lock_timeout = '8s'; SET statement_timeout = 0; \
    SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3; \
    SET tcp_user_timeout = 6000; SET client_min_messages = 'warning'";

/// The address of a database.
#[derive(Clone)]
pub struct DatabaseAddress {
    /// The settings of a connection to each host.
    hosts: Vec<Config>,
    tls: MakeRustlsConnect,
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
        let mut hosts = Vec::new();
        for address in split_hosts(address) {
            let text = format!("{address}?{}", others.join("&"));
            let config = Config::from_str(text.trim_end_matches('?'));
            let mut config = config.map_err(|it| describe(&it))?;
            config.connect_timeout(CONNECT_MAX).tcp_user_timeout(PEER_MAX);
            config.keepalives_idle(Duration::from_secs(3));
            config.keepalives_interval(Duration::from_secs(1)).keepalives_retries(3);
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
            hosts.push(config);
        }
        let mode = match mode.as_str() {
            "disable" => SslMode::Disable,
            "require" | "verify-full" => SslMode::Require,
            other => return Err(format!("there is no sslmode `{other}`")),
        };
        hosts.iter_mut().for_each(|it| _ = it.ssl_mode(mode));
        let tls = MakeRustlsConnect::new(tls_config(roots.as_deref())?);
        Ok(DatabaseAddress { hosts, tls })
    }

    /// Connects to the host that takes changes. All are asked at once: one that hangs accepts
    /// connections and never says anything.
    pub(super) fn connect(&self) -> Result<Client, String> {
        let (sender, receiver) = mpsc::channel();
        for config in &self.hosts {
            let (config, tls, sender) = (config.clone(), self.tls.clone(), sender.clone());
            // It ends when the host answers or the connection does.
            let connect = move || _ = sender.send(connect_to(&config, tls));
            let started = thread::Builder::new().name("db-connect".to_string()).spawn(connect);
            started.map_err(|it| it.to_string())?;
        }
        drop(sender);
        let until = Instant::now() + ANSWER_MAX;
        let mut reasons = Vec::new();
        loop {
            match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Ok(client)) => return Ok(client),
                Ok(Err(reason)) => reasons.push(reason),
                Err(RecvTimeoutError::Timeout) => reasons.push("it does not answer".to_string()),
                Err(RecvTimeoutError::Disconnected) => return Err(reasons.join("; ")),
            }
            if Instant::now() >= until {
                return Err(reasons.join("; "));
            }
        }
    }
}

fn connect_to(config: &Config, tls: MakeRustlsConnect) -> Result<Client, String> {
    let mut client = config.connect(tls).map_err(|it| describe(&it))?;
    client.batch_execute(SESSION).map_err(|it| describe(&it))?;
    Ok(client)
}

/// Returns an address for each of the hosts of an address.
fn split_hosts(address: &str) -> Vec<String> {
    let Some((scheme, rest)) = address.split_once("://") else { return Vec::new() };
    let end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let (login, hosts) = match authority.rsplit_once('@') {
        Some((login, hosts)) => (format!("{login}@"), hosts),
        None => (String::new(), authority),
    };
    hosts.split(',').map(|host| format!("{scheme}://{login}{host}{path}")).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_has_an_address() {
        let hosts = split_hosts("postgres://a:b@one,two:5433/db");
        assert_eq!(hosts, ["postgres://a:b@one/db", "postgres://a:b@two:5433/db"]);
        assert_eq!(split_hosts("postgres://one"), ["postgres://one"]);
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let refused = |text: &str| DatabaseAddress::parse(text).err().unwrap();
        assert_eq!(refused("mysql://a/b"), "it does not begin with `postgres://`");
        assert_eq!(refused("postgres://a/b?sslmode=maybe"), "there is no sslmode `maybe`");
        let missing = refused("postgres://a/b?sslmode=require&sslrootcert=/none.pem");
        assert!(missing.starts_with("cannot read /none.pem: "), "{missing}");
        assert!(DatabaseAddress::parse("postgres://a@b,c/d?sslmode=verify-full").is_ok());
    }
}
